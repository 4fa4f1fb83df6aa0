"""Putting an attack together (10.1): the combat phase from its first target to the die."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from ...hexes import Hex, mask_of, members
from ...kernel.errors import Illegal
from ...kernel.events import Odds
from ...kernel.orders import Order
from ...kernel.position import Explanation, Refusal, first_case, forbid, refuse
from . import combat
from .figures import SIDES
from .orders import named_hexes, out_of_place, own_unit
from .pending import Composition, Roll
from .state import State

COMMIT = Order("commit")


class Attack(NamedTuple):
    """An attack that is made: on which hexes, by which units, and its figures."""

    hexes: tuple[Hex, ...]
    units: list[int]
    battle: combat.Battle


def in_hand(pos: State) -> tuple[tuple[Hex, ...], list[int]]:
    """Hexes and units of the attack that is being put together or rolled for."""
    return _named(pos, pos.agenda[0].matter)


def _named(pos: State, attack: Composition | Roll) -> tuple[tuple[Hex, ...], list[int]]:
    return tuple(map(pos.ground.grid.hex, attack.hexes)), [pos.index[name] for name in attack.units]


# The combat phase ---------------------------------------------------------------------------------


def openings(pos: State) -> Iterator[Order]:
    """Every hex over which an air unit may wait (12.5), and every one with which an attack may begin (10.1)."""
    numbers = [(h, (pos.ground.number(h),)) for h in combat.targets(pos)]
    if pos.support_left and not pos.fought:
        for h, number in numbers:
            if not pos.support >> h & 1:
                yield Order("support", (), number)
    for _, number in numbers:
        yield Order("target", (), number)


def targeted(pos: State, order: Order) -> Composition | Refusal:
    """The attack that an order begins, or why these hexes are not attacked."""
    found = named_hexes(pos, order)
    refusal = _why_no_hexes(pos, found) or (None if combat.possible(pos, found) else _too_weak(pos, found))
    return refusal or Composition(SIDES[pos.side], order.hexes)


def supported(pos: State, order: Order) -> Hex:
    """Where an order keeps an air unit, or why not there (12.5)."""
    found = named_hexes(pos, order)
    forbid(len(found) != 1, "12.52", "an air unit supports an attack on one hex")
    forbid(not pos.support_left, "12.51", "no air unit is left for ground support")
    forbid(pos.fought, "10.18", "air units are placed before the first attack is resolved")
    forbid(pos.support >> found[0] & 1, "12.53", "one air unit supports each attack")
    refuse(combat.attackable(pos, found[0]))
    forbid(not combat.possible(pos, found), "12.54", "no attack can be made on {}", order.hexes[0])
    return found[0]


def support(pos: State, h: Hex) -> None:
    """An air unit waits over a hex (12.52)."""
    pos.support |= 1 << h
    pos.support_left -= 1
    pos.tell("support", "12.52", "An air unit supports the attack on {0}", pos.ground.number(h))


def _why_no_hexes(pos: State, hexes: tuple[Hex, ...]) -> Refusal | None:
    if len(set(hexes)) != len(hexes):
        return Refusal("10.15", "a hex is attacked once")
    return next(filter(None, (combat.attackable(pos, h) for h in hexes)), None)


def _too_weak(pos: State, hexes: tuple[Hex, ...]) -> Refusal:
    numbers = ", ".join(map(pos.ground.number, hexes))
    if combat.candidates(pos, hexes):
        return Refusal("10.21", f"odds against {numbers} are worse than {pos.game.column_name(0)}")
    for h in hexes:
        across = pos.lays[pos.side].occupied & pos.ground.grid.ring(1 << h)
        if across and not across & pos.ground.attacked_from[h]:
            return _not_adjacent(pos, pos.stacks[next(members(across))][0], h)
    return Refusal("10.13", f"no unit that may attack is next to {numbers}")


def _joining(pos: State, hexes: tuple[Hex, ...], unit_id: str, chosen: Iterable[int]) -> int:
    """A unit that joins others in an attack, if it may."""
    found = _attacker(pos, unit_id)
    forbid(pos.where[found] < 0, "10.13", "{} is not on the map", unit_id)
    refuse(combat.why_no_attack(pos, found))
    for h in hexes:
        if not pos.ground.attacked_from[h] >> pos.where[found] & 1:
            refuse(_not_adjacent(pos, found, h))
    refuse(combat.sortie_refusal(pos, found, chosen))
    return found


def _attacker(pos: State, unit_id: str) -> int:
    """Index of a unit that may attack at all: one of the phasing side (10.11)."""
    forbid(unit_id in pos.index and pos.roster[pos.index[unit_id]].side != pos.side, "10.11",
           "only the phasing player attacks, and {} is not his", unit_id)  # fmt: skip
    return own_unit(pos, unit_id)


def _not_adjacent(pos: State, index: int, h: Hex) -> Refusal:
    ground, here = pos.ground, pos.where[index]
    unit_id, number, near = pos.roster[index].id, ground.number(h), ground.grid.adjacent(here, h)
    return first_case(
        (near and ground.barrier[ground.grid.direction(here, h)] >> here & 1,
         "10.37" if ground.main >> h & 1 else "10.38", "{} may not attack across the river into {}", unit_id, number),
        (near and ground.interior >> here & 1 and ground.fringe_inset >> h & 1, "8.45",
         "attacks out of the city are made on the main map"),
        (near, "6.17", "there is only water between {} and {}", unit_id, number),
    ) or Refusal("10.13", f"{unit_id} is not next to {number}")  # fmt: skip


def composed(pos: State, order: Order) -> Attack:
    """A whole attack given in one order, if these units can attack these hexes, whatever the odds."""
    for unit_id in order.units:
        _attacker(pos, unit_id)
    hexes = named_hexes(pos, order)
    refuse(_why_no_hexes(pos, hexes))
    units: list[int] = []
    for unit_id in order.units:
        units.append(_joining(pos, hexes, unit_id, units))
    return Attack(hexes, units, combat.battle(pos, hexes, units))


def struck(pos: State, order: Order) -> Attack | Refusal:
    """A whole attack given in one order, or why it is illegal."""
    return _at_fair_odds(pos, composed(pos, order))


def _at_fair_odds(pos: State, attack: Attack) -> Attack | Refusal:
    if attack.battle.column < 0:
        return Refusal("10.21", f"the odds are worse than {pos.game.column_name(0)}")
    return attack


# Putting an attack together -----------------------------------------------------------------------


def joiners(pos: State) -> Iterator[Order]:
    """Every unit that may be added."""
    hexes, units = in_hand(pos)
    for index in combat.candidates(pos, hexes):
        if index not in units and combat.sortie_refusal(pos, index, units) is None:
            yield Order("add", (pos.roster[index].id,))


def joined(pos: State, order: Order) -> Composition | Refusal:
    """The attack with one more unit, or why it may not join (10.16)."""
    now: Composition = pos.agenda[0].matter
    if len(order.units) != 1:
        return out_of_place(pos, order)
    forbid(order.units[0] in now.units, "10.16", "{} is part of the attack already", order.units[0])
    hexes, units = in_hand(pos)
    _joining(pos, hexes, order.units[0], units)
    return msgspec.structs.replace(now, units=(*now.units, order.units[0]))


def further_targets(pos: State) -> Iterator[Order]:
    """Every hex that may be attacked together with those already named (10.17)."""
    hexes, units = in_hand(pos)
    near = combat.within_touch(pos) & pos.ground.grid.ring(combat.bases(pos, hexes))
    for index in units:
        near &= pos.ground.grid.ring(1 << pos.where[index])
    for h in pos.ground.grid.members(near):
        if _further_refusal(pos, hexes, units, h) is None:
            yield Order("target", (), (pos.ground.number(h),))


def further(pos: State, order: Order) -> Composition | Refusal:
    """The attack on one more hex, or why it is not attacked too."""
    now: Composition = pos.agenda[0].matter
    found = named_hexes(pos, order)
    forbid(len(found) != 1, "10.17", "name one further hex at a time")
    refusal = _further_refusal(pos, *in_hand(pos), found[0])
    return refusal or msgspec.structs.replace(now, hexes=(*now.hexes, order.hexes[0]))


def _further_refusal(pos: State, hexes: tuple[Hex, ...], units: list[int], h: Hex) -> Refusal | None:
    away = next((i for i in units if not pos.ground.attacked_from[h] >> pos.where[i] & 1), None)
    refusal = _why_no_hexes(pos, (*hexes, h)) or (_not_adjacent(pos, away, h) if away is not None else None)
    return refusal or (None if combat.possible(pos, (*hexes, h)) else _too_weak(pos, (*hexes, h)))


def committed(pos: State, _: Order) -> Attack | Refusal:
    """The attack as it is, or why it is not made."""
    hexes, units = in_hand(pos)
    if not units:
        return Refusal("10.11", "no unit has been added to the attack")
    return _at_fair_odds(pos, Attack(hexes, units, combat.battle(pos, hexes, units)))


def announce(pos: State, attack: Attack) -> None:
    """Roll for an attack, or eliminate the defenders at overwhelming odds (10.21)."""
    pos.agenda = pos.agenda[-1:]
    for index in attack.units:
        pos.attacked |= 1 << index
        h = pos.where[index]
        if pos.ground.capital >> h & 1:
            pos.sorties = (*pos.sorties, f"{pos.ground.number(h)} {pos.roster[index].kind}")
    pos.fought |= mask_of(attack.hexes)
    numbers = tuple(map(pos.ground.number, attack.hexes))
    units = tuple(pos.roster[index].id for index in attack.units)
    battle, column = attack.battle, pos.game.column_name(attack.battle.column)
    pos.tell(
        "attack", "10.21", "{0} attacks {1} at {2}" if len(units) == 1 else "{0} attack {1} at {2}",
        ", ".join(units), ", ".join(numbers), column, fact=Odds(battle.attack, battle.defence, column),
    )  # fmt: skip
    overwhelming = battle.column == len(pos.game.columns)
    pos.interrupt("overwhelmed" if overwhelming else "roll", pos.side, Roll(numbers, units))


# An attack in numbers -----------------------------------------------------------------------------


def explain(pos: State, order: Order) -> Explanation:
    """An attack in numbers, before it is made: one that an order makes, begins or goes on with, or the one in hand."""
    plan: Attack | Composition | Roll | Refusal
    now = pos.pending
    if order.verb == "attack":
        plan = pos.judged(composed, order)
    elif isinstance(now, Composition) and order.verb in ("add", "target"):
        plan = pos.judged(joined if order.verb == "add" else further, order)
    else:
        plan = now if isinstance(now, Composition | Roll) else Refusal("10.1", f"{order} is not an attack")
    if isinstance(plan, Refusal):
        raise Illegal(pos.case(plan.case), plan.message)
    hexes, units = plan[:2] if isinstance(plan, Attack) else _named(pos, plan)
    return combat.explained(pos, order, hexes, units) if units else Explanation(order, str(order))
