"""Putting an attack together (10.1): the combat phase from its first target to the die."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...hexes import Hex, members
from ...kernel.orders import END, Order
from ...kernel.position import Refusal
from . import combat, results
from .figures import SIDES
from .pending import Plan

if TYPE_CHECKING:
    from .position import AssaultPosition


# The combat phase ---------------------------------------------------------------------------------


def phase_orders(pos: AssaultPosition) -> Iterator[Order]:
    """Support, targets, or the end of the phase."""
    found = combat.targets(pos)
    if pos.support_left and not pos.fought:
        for h in found:
            if not pos.support >> h & 1:
                yield Order("support", (), (pos.ground.number(h),))
    for h in found:
        yield Order("target", (), (pos.ground.number(h),))
    yield END


def phase_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why an order of the combat phase is illegal."""
    if order == END:
        return None
    if order.verb == "attack":
        return _attack_refusal(pos, order)
    if order.verb not in ("support", "target"):
        return pos.out_of_place(order)
    found = pos.hex_path(order.hexes)
    if isinstance(found, Refusal):
        return found
    if order.verb == "target":
        return _hexes_refusal(pos, tuple(found)) or (
            None if combat.possible(pos, tuple(found)) else _too_weak(pos, tuple(found))
        )
    if len(found) != 1:
        return Refusal("12.52", "an air unit supports an attack on one hex")
    return _support_refusal(pos, found[0])


def _support_refusal(pos: AssaultPosition, h: Hex) -> Refusal | None:
    if not pos.support_left:
        return Refusal("12.51", "no air unit is left for ground support")
    if pos.fought:
        return Refusal("10.18", "air units are placed before the first attack is resolved")
    if pos.support >> h & 1:
        return Refusal("12.53", "one air unit supports each attack")
    refusal = combat.attackable(pos, h)
    if refusal is None and not combat.possible(pos, (h,)):
        refusal = Refusal("12.54", f"no attack can be made on {pos.ground.number(h)}")
    return refusal


def _hexes_refusal(pos: AssaultPosition, hexes: tuple[Hex, ...]) -> Refusal | None:
    if len(set(hexes)) != len(hexes):
        return Refusal("10.15", "a hex is attacked once")
    for h in hexes:
        refusal = combat.attackable(pos, h)
        if refusal is not None:
            return refusal
    return None


def _too_weak(pos: AssaultPosition, hexes: tuple[Hex, ...]) -> Refusal:
    numbers = ", ".join(map(pos.ground.number, hexes))
    if not combat.candidates(pos, hexes):
        for h in hexes:
            across = pos.lay(pos.side).occupied & pos.ground.grid.ring(1 << h)
            if across and not across & pos.ground.attacked_from[h]:
                return _not_adjacent(pos, pos.stacks[next(members(across))][0], h)
        return Refusal("10.13", f"no unit that may attack is next to {numbers}")
    return Refusal("10.21", f"odds against {numbers} are worse than {pos.game.column_name(0)}")


def _units_refusal(pos: AssaultPosition, hexes: tuple[Hex, ...], units: tuple[str, ...]) -> Refusal | None:
    chosen: list[int] = []
    for unit_id in units:
        refusal = _joining_refusal(pos, hexes, unit_id, chosen)
        if refusal is not None:
            return refusal
        chosen.append(pos.index[unit_id])
    return None


def _joining_refusal(pos: AssaultPosition, hexes: tuple[Hex, ...], unit_id: str, chosen: list[int]) -> Refusal | None:
    found = _attacker(pos, unit_id)
    if isinstance(found, Refusal):
        return found
    if pos.where[found] < 0:
        return Refusal("10.13", f"{unit_id} is not on the map")
    refusal = combat.idle(pos, found)
    if refusal is not None:
        return refusal
    for h in hexes:
        if not pos.ground.attacked_from[h] >> pos.where[found] & 1:
            return _not_adjacent(pos, found, h)
    return combat.sortie_refusal(pos, found, chosen)


def _attacker(pos: AssaultPosition, unit_id: str) -> int | Refusal:
    """Index of a unit that may attack at all: one of the phasing side (10.11)."""
    if unit_id in pos.index and pos.roster[pos.index[unit_id]].side != pos.side:
        return Refusal("10.11", f"only the phasing player attacks, and {unit_id} is not his")
    return pos.own_unit(unit_id)


def _not_adjacent(pos: AssaultPosition, index: int, h: Hex) -> Refusal:
    ground, here = pos.ground, pos.where[index]
    unit_id, number = pos.roster[index].id, ground.number(h)
    if ground.grid.adjacent(here, h):
        if ground.barrier[ground.grid.direction(here, h)] >> here & 1:
            case = "10.37" if ground.main >> h & 1 else "10.38"
            return Refusal(case, f"{unit_id} may not attack across the river into {number}")
        if ground.interior >> here & 1 and ground.fringe_inset >> h & 1:
            return Refusal("8.45", "attacks out of the city are made on the main map")
        return Refusal("6.17", f"there is only water between {unit_id} and {number}")
    return Refusal("10.13", f"{unit_id} is not next to {number}")


def battle_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why these units cannot attack these hexes, whatever the odds."""
    for unit_id in order.units:
        attacker = _attacker(pos, unit_id)
        if isinstance(attacker, Refusal):
            return attacker
    found = pos.hex_path(order.hexes)
    if isinstance(found, Refusal):
        return found
    hexes = tuple(found)
    return _hexes_refusal(pos, hexes) or _units_refusal(pos, hexes, order.units)


def _attack_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why a whole attack given in one order is illegal."""
    refusal = battle_refusal(pos, order)
    if refusal is not None:
        return refusal
    hexes = tuple(map(pos.ground.grid.hex, order.hexes))
    if combat.battle(pos, hexes, [pos.index[u] for u in order.units]).column < 0:
        return Refusal("10.21", f"the odds are worse than {pos.game.column_name(0)}")
    return None


def phase_apply(pos: AssaultPosition, order: Order) -> None:
    """Carry out an order of the combat phase."""
    if order.verb == "support":
        pos.support |= 1 << pos.ground.grid.hex(order.hexes[0])
        pos.support_left -= 1
        pos.event("support", "12.52", "An air unit supports the attack on {0}", order.hexes[0])
    elif order.verb == "target":
        pos.pending = Plan(SIDES[pos.side], order.hexes)
    elif order.verb == "attack":
        results.resolve(pos, order.hexes, order.units)
    else:
        pos.next_phase()


# Putting an attack together -----------------------------------------------------------------------


def _plan(pos: AssaultPosition) -> tuple[Plan, tuple[Hex, ...], list[int]]:
    plan = pos.pending
    assert isinstance(plan, Plan)
    return plan, tuple(map(pos.ground.grid.hex, plan.hexes)), [pos.index[u] for u in plan.units]


def plan_orders(pos: AssaultPosition) -> Iterator[Order]:
    """Add a unit, add a hex, commit, or give the attack up."""
    _, hexes, units = _plan(pos)
    for index in combat.candidates(pos, hexes):
        if index not in units and combat.sortie_refusal(pos, index, units) is None:
            yield Order("add", (pos.roster[index].id,))
    for h in _further(pos, hexes, units):
        yield Order("target", (), (pos.ground.number(h),))
    if units and combat.battle(pos, hexes, units).column >= 0:
        yield Order("commit")
    yield Order("cancel")


def _further(pos: AssaultPosition, hexes: tuple[Hex, ...], units: list[int]) -> list[Hex]:
    """Hexes that may be attacked together with those already named (10.17)."""
    near = combat.within_touch(pos) & pos.ground.grid.ring(combat.bases(pos, hexes))
    for index in units:
        near &= pos.ground.grid.ring(1 << pos.where[index])
    return [h for h in pos.ground.grid.members(near) if _further_refusal(pos, hexes, units, h) is None]


def _further_refusal(pos: AssaultPosition, hexes: tuple[Hex, ...], units: list[int], h: Hex) -> Refusal | None:
    refusal = _hexes_refusal(pos, (*hexes, h))
    if refusal is not None:
        return refusal
    for index in units:
        if not pos.ground.attacked_from[h] >> pos.where[index] & 1:
            return _not_adjacent(pos, index, h)
    return None if combat.possible(pos, (*hexes, h)) else _too_weak(pos, (*hexes, h))


def plan_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why an order is illegal while an attack is put together."""
    plan, hexes, units = _plan(pos)
    if order.verb == "cancel":
        return None
    if order.verb == "commit":
        if not units:
            return Refusal("10.11", "no unit has been added to the attack")
        if combat.battle(pos, hexes, units).column < 0:
            return Refusal("10.21", f"the odds are worse than {pos.game.column_name(0)}")
        return None
    if order.verb == "add" and len(order.units) == 1:
        if order.units[0] in plan.units:
            return Refusal("10.16", f"{order.units[0]} is part of the attack already")
        return _joining_refusal(pos, hexes, order.units[0], units)
    if order.verb == "target":
        found = pos.hex_path(order.hexes)
        if isinstance(found, Refusal):
            return found
        if len(found) != 1:
            return Refusal("10.17", "name one further hex at a time")
        return _further_refusal(pos, hexes, units, found[0])
    return pos.out_of_place(order)


def plan_apply(pos: AssaultPosition, order: Order) -> None:
    """Carry on with an attack that is being put together."""
    plan, _, _ = _plan(pos)
    if order.verb == "add":
        pos.pending = Plan(plan.side, plan.hexes, (*plan.units, order.units[0]))
    elif order.verb == "target":
        pos.pending = Plan(plan.side, (*plan.hexes, order.hexes[0]), plan.units)
    elif order.verb == "commit":
        results.resolve(pos, plan.hexes, plan.units)
    else:
        pos.pending = None
