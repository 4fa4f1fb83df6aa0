"""Results of combat (10.2 to 10.5): the die, penalties, retreats and advances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from ...hexes import NOWHERE, Hex, HexMask, members
from ...kernel.chance import Chance
from ...kernel.events import Result
from ...kernel.orders import END, Order
from ...kernel.position import Refusal
from . import combat
from .figures import RANKS, SIDES
from .movement import digging, enemy_fringe, forbidden, forbidding_case
from .pending import Advance, Fight, Roll
from .zones import no_room

if TYPE_CHECKING:
    from .position import AssaultPosition


# Resolution ---------------------------------------------------------------------------------------


def resolve(pos: AssaultPosition, numbers: tuple[str, ...], unit_ids: tuple[str, ...]) -> None:
    """Roll for an attack, or eliminate the defenders at overwhelming odds (10.21)."""
    hexes = tuple(map(pos.ground.grid.hex, numbers))
    units = [pos.index[u] for u in unit_ids]
    fight = combat.battle(pos, hexes, units)
    for index in units:
        pos.mark_attacked(index)
        h = pos.where[index]
        if pos.ground.capital >> h & 1:
            pos.sorties = (*pos.sorties, f"{pos.ground.number(h)} {pos.roster[index].kind}")
    for h in hexes:
        pos.fought |= 1 << h
    pos.event(
        "attack", "10.21", "{0} attacks {1} at {2}" if len(units) == 1 else "{0} attack {1} at {2}",
        ", ".join(unit_ids), ", ".join(numbers), pos.game.column_name(fight.column),
    )  # fmt: skip
    if fight.column == len(pos.game.columns):
        _carry_out(pos, hexes, units, "DE")
        return
    pos.pending = Roll(numbers, unit_ids)


def roll_apply(pos: AssaultPosition, order: Order) -> None:
    """Read the combat results table (10.21, steps four and five)."""
    roll = pos.pending
    assert isinstance(roll, Roll)
    hexes = tuple(map(pos.ground.grid.hex, roll.hexes))
    units = [pos.index[u] for u in roll.units]
    fight = combat.battle(pos, hexes, units)
    result = pos.game.result(fight.column, int(order.words[0]) + fight.modifier)
    pos.event(
        "result", "10.23", "Roll {0}, modified by {1}: {2}, {3}", order.words[0], f"{fight.modifier:+}", result,
        combat.meaning(result), fact=Result(result),
    )  # fmt: skip
    _carry_out(pos, hexes, units, result)


def roll_chance(pos: AssaultPosition) -> Chance:
    """One die."""
    return combat.DIE


def _carry_out(pos: AssaultPosition, hexes: tuple[Hex, ...], units: list[int], result: str) -> None:
    """Eliminate, or begin to take penalties (10.23, 10.26)."""
    pos.pending = None
    attackers = tuple(pos.roster[i].id for i in units)
    defenders = tuple(pos.roster[i].id for h in hexes for i in pos.stacks[h])
    numbers = tuple(map(pos.ground.number, hexes))
    if result in ("AE", "DE"):
        for unit_id in attackers if result == "AE" else defenders:
            pos.eliminate(pos.index[unit_id], "10.23")
        if result == "DE":
            _offer_advance(pos, numbers, attackers)
        return
    attacker, defender = combat.penalties(result)
    fight = Fight(SIDES[pos.side], numbers, attackers, defenders, attacker, defender)
    _go_on(pos, fight)


def _go_on(pos: AssaultPosition, fight: Fight) -> None:
    """Ask for the next penalty, turn to the defender, or end the combat."""
    attacking = fight.side == SIDES[pos.side]
    party = fight.attackers if attacking else fight.defenders
    own = _survivors(pos, party)
    if fight.retreating and next(_retreats(pos, fight, own), None) is None:
        for unit_id in fight.retreating:
            pos.lose_step(pos.index[unit_id])
        fight = msgspec.structs.replace(fight, retreating=(), bled=True)
    if not _survivors(pos, party):
        fight = msgspec.structs.replace(fight, due=0, retreating=())
    followers = fight.followers
    if not fight.retreating:
        followers = tuple(u for u in followers if retreat_hexes(pos, pos.index[u]))
    if fight.due or fight.retreating or followers:
        pos.pending = msgspec.structs.replace(fight, followers=followers)
        return
    if attacking:
        _go_on(
            pos,
            Fight(
                SIDES[1 - pos.side], fight.hexes, fight.attackers, fight.defenders, fight.then,
                may_stand=fight.may_stand,
            ),
        )  # fmt: skip
        return
    pos.pending = None
    _offer_advance(pos, fight.hexes, fight.attackers)


def _survivors(pos: AssaultPosition, units: Iterable[str]) -> list[int]:
    return [pos.index[u] for u in units if pos.where[pos.index[u]] >= 0]


def _fight(pos: AssaultPosition) -> tuple[Fight, list[int]]:
    fight = pos.pending
    assert isinstance(fight, Fight)
    attacking = fight.side == SIDES[pos.side]
    return fight, _survivors(pos, fight.attackers if attacking else fight.defenders)


# Retreats -----------------------------------------------------------------------------------------


def retreat_hexes(pos: AssaultPosition, index: int) -> HexMask:
    """Hexes a unit may retreat into (10.27, 10.28, 14.2, 14.4)."""
    unit, ground, here = pos.roster[index], pos.ground, pos.where[index]
    if pos.is_disrupted(index) or digging(pos, index):
        return 0
    sides = ground.retreat_sides[unit.side]
    mask = 0
    for d, beyond in enumerate(ground.grid.neighbours(here)):
        if beyond != NOWHERE and sides[d] >> here & 1:
            mask |= 1 << beyond
    if ground.fringe_inset >> here & 1:
        mask |= ground.links[here]
    barred = pos.lay(1 - unit.side).zone | no_room(pos, index) | forbidden(pos, index) | enemy_fringe(pos, unit.side)
    return mask & ground.land & ~barred


def _passable(pos: AssaultPosition, index: int, h: Hex) -> bool:
    """Whether the great river does not keep a unit from retreating into a hex next to it (6.32, 10.28, 10.38)."""
    ground, here = pos.ground, pos.where[index]
    d = ground.grid.direction(here, h)
    return not ground.barrier[d] >> here & 1 or bool(ground.retreat_sides[pos.roster[index].side][d] >> here & 1)


TRIALS = 300
"""Placements tried before a retreat of many units counts as impossible."""


def can_all_retreat(pos: AssaultPosition, units: list[int]) -> bool:
    """Whether every unit finds a hex, those with least choice first (10.27, 10.28)."""
    choice = {index: retreat_hexes(pos, index).bit_count() for index in units}
    order = sorted(units, key=lambda index: (not choice[index], choice[index], index))
    return _placed_in_turn(pos, order, iter(range(TRIALS)))


def _placed_in_turn(pos: AssaultPosition, order: list[int], trials: Iterator[int]) -> bool:
    if not order:
        return True
    for h in members(retreat_hexes(pos, order[0])):
        if next(trials, None) is None:
            return False
        trial = pos._copy()
        trial.put(order[0], h)
        if _placed_in_turn(trial, order[1:], trials):
            return True
    return False


def _retreats(pos: AssaultPosition, fight: Fight, own: list[int]) -> Iterator[tuple[int, Hex]]:
    """Unit and hex of every retreat that leaves the others a way out too."""
    waiting = [pos.index[u] for u in fight.retreating] if fight.retreating else own
    for index in waiting:
        for h in pos.ground.grid.members(retreat_hexes(pos, index)):
            if len(waiting) > 1:
                trial = pos._copy()
                trial.put(index, h)
                if not can_all_retreat(trial, [other for other in waiting if other != index]):
                    continue
            yield index, h


def fight_orders(pos: AssaultPosition) -> Iterator[Order]:
    """Retreat, lose a step, stand where the attacker's retreat allows it."""
    fight, own = _fight(pos)
    if fight.retreating:
        for index, h in _retreats(pos, fight, own):
            yield Order("retreat", (pos.roster[index].id,), (pos.ground.number(h),))
        return
    if fight.followers:
        for unit_id in fight.followers:
            for h in pos.ground.grid.members(retreat_hexes(pos, pos.index[unit_id])):
                yield Order("retreat", (unit_id,), (pos.ground.number(h),))
        yield END
        return
    if fight.first:
        for index, h in _retreats(pos, fight, own):
            yield Order("retreat", (pos.roster[index].id,), (pos.ground.number(h),))
        if fight.may_stand:
            yield Order("stand")
    for index in _losers(pos, fight, own):
        yield Order("lose", (pos.roster[index].id,))


def _losers(pos: AssaultPosition, fight: Fight, own: list[int]) -> list[int]:
    """Units that may take the next step loss (10.211; 18.31)."""
    if not fight.bled and pos.options.get("best-class-first"):
        best = max(RANKS[pos.grade(index)] for index in own)
        return [index for index in own if RANKS[pos.grade(index)] == best]
    return own


def fight_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why a penalty may not be taken that way."""
    fight, own = _fight(pos)
    if order == END:
        return None if fight.followers and not fight.retreating else Refusal("10.212", "a penalty may not be declined")
    if order.verb == "stand":
        if fight.may_stand and fight.first and not fight.retreating and not fight.followers:
            return None
        return Refusal("10.26", "only the defender's first penalty may be declined, after the attacker has retreated")
    if order.verb in ("attack", "target", "support"):
        return Refusal("10.22", "the result of an attack is carried out before the next one")
    if order.verb == "advance":
        return Refusal("10.51", "units advance when all penalties have been taken")
    if order.verb not in ("retreat", "lose"):
        return pos.out_of_place(order)
    if len(order.units) != 1:
        return Refusal("10.27" if order.verb == "retreat" else "10.211", "name one unit at a time")
    unit_id = order.units[0]
    index = pos.index.get(unit_id, -1)
    if index >= 0 and SIDES[pos.roster[index].side] != fight.side:
        if _is_defender(pos, fight):
            return Refusal("10.24", "now the defender takes his penalties")
        return Refusal("10.26", "the attacker takes all of his penalties first")
    if order.verb == "lose":
        if fight.retreating or fight.followers:
            return Refusal("10.27", "the retreat is finished first")
        if index in _along(pos, fight, own):
            return Refusal("11.33", f"{unit_id} is a headquarters with the attackers and takes no step loss for them")
        if index not in own:
            return Refusal("10.211", f"{unit_id} took no part in this combat")
        if index not in _losers(pos, fight, own):
            return Refusal("18.31", f"the first step comes from a unit of the highest class, not from {unit_id}")
        return None
    return _retreat_refusal(pos, fight, own, index, order)


def _retreat_refusal(pos: AssaultPosition, fight: Fight, own: list[int], index: int, order: Order) -> Refusal | None:
    unit_id = order.units[0]
    found = pos.hex_path(order.hexes)
    if isinstance(found, Refusal):
        return found
    if len(found) != 1:
        return Refusal("10.27", "a retreat is one hex long")
    if fight.followers and not fight.retreating:
        if unit_id not in fight.followers or not retreat_hexes(pos, index) >> found[0] & 1:
            return Refusal("11.33", f"{unit_id} may not retreat there now")
        return None
    if not fight.first and not fight.retreating:
        return Refusal("10.25", "only the first penalty may be taken as a retreat")
    if index in _along(pos, fight, own):
        return Refusal("11.33", f"{unit_id} may go along when the attackers have retreated")
    if index not in own or (fight.retreating and unit_id not in fight.retreating):
        return Refusal("10.27", f"{unit_id} does not retreat in this combat")
    if pos.is_disrupted(index):
        return Refusal("10.28", f"{unit_id} is disrupted and may not retreat")
    if (index, found[0]) in set(_retreats(pos, fight, own)):
        return None
    if not retreat_hexes(pos, index) >> found[0] & 1:
        if digging(pos, index):
            return Refusal("14.2", f"{unit_id} is a worker unit outside the city and never retreats")
        ground, here = pos.ground, pos.where[index]
        if ground.grid.adjacent(here, found[0]) and not _passable(pos, index, found[0]):
            case = "6.32" if ground.main >> here & 1 else "10.38"
            return Refusal(case, f"{unit_id} may not retreat across the river into {order.hexes[0]}")
        return _kept_out(pos, index, found[0]) or Refusal("10.27", _no_refuge(pos, index, found[0]))
    return Refusal("10.28", "not every unit of the combat could retreat")


def _along(pos: AssaultPosition, fight: Fight, own: list[int]) -> list[int]:
    """HQs stacked with units that have attacked: they take no part, but may go along with a retreat (11.33)."""
    return [] if _is_defender(pos, fight) else [pos.index[unit_id] for unit_id in _companions(pos, own)]


def _no_refuge(pos: AssaultPosition, index: int, h: Hex) -> str:
    """What keeps a retreating unit out of a hex, in words (10.27)."""
    unit, ground, here = pos.roster[index], pos.ground, pos.where[index]
    into = f"{unit.id} may not retreat into {ground.number(h)}"
    enemy = pos.lay(1 - unit.side)
    if not ground.grid.adjacent(here, h) and not ground.links.get(here, 0) >> h & 1:
        return f"a retreat is one hex long, and {ground.number(h)} is not next to {unit.id}"
    if (enemy.occupied | enemy_fringe(pos, unit.side)) >> h & 1:
        return f"{into}: the enemy is there"
    if enemy.zone >> h & 1:
        return f"{into}: it is in an enemy zone of control"
    if no_room(pos, index) >> h & 1:
        return f"{into}: there is no room"
    return f"{into}: the way there is closed to it"


def fight_apply(pos: AssaultPosition, order: Order) -> None:
    """Take a penalty."""
    fight, own = _fight(pos)
    replace = msgspec.structs.replace
    if order == END:
        _go_on(pos, replace(fight, followers=()))
        return
    if order.verb == "stand":
        pos.event("stand", "10.26", "The defender stands fast")
        _go_on(pos, replace(fight, due=fight.due - 1, first=False, may_stand=False))
        return
    index = pos.index[order.units[0]]
    if order.verb == "lose":
        pos.lose_step(index)
        _go_on(
            pos,
            replace(
                fight,
                due=fight.due - 1,
                first=False,
                bled=True,
                may_stand=False if _is_defender(pos, fight) else fight.may_stand,
            ),
        )
        return
    attacking = not _is_defender(pos, fight)
    followers = fight.followers
    if fight.first and not fight.retreating and not followers and attacking:
        followers = _companions(pos, own)
    waiting = fight.retreating or tuple(pos.roster[i].id for i in own)
    following = order.units[0] in fight.followers and not fight.retreating
    _fall_back(pos, index, order.hexes[0])
    if following:
        _go_on(pos, replace(fight, followers=tuple(u for u in followers if u != order.units[0])))
        return
    left = tuple(u for u in waiting if u != order.units[0])
    _go_on(
        pos,
        replace(
            fight, due=fight.due - (0 if fight.retreating else 1), first=False, retreating=left, followers=followers,
            may_stand=attacking,
        ),
    )  # fmt: skip


def _is_defender(pos: AssaultPosition, fight: Fight) -> bool:
    return fight.side != SIDES[pos.side]


def _companions(pos: AssaultPosition, own: list[int]) -> tuple[str, ...]:
    """HQs stacked with attackers that retreat: they may go along (11.33)."""
    hexes = {pos.where[index] for index in own}
    return tuple(pos.roster[other].id for h in sorted(hexes) for other in pos.stacks[h] if pos.roster[other].is_hq)


def _fall_back(pos: AssaultPosition, index: int, number: str) -> None:
    """Retreat a unit one hex (10.27); in the second game that disrupts it (19.61)."""
    h = pos.ground.grid.hex(number)
    pos.put(index, h)
    pos.pass_through(pos.roster[index].side, [h])
    pos.mark_retreated(index)
    if pos.ground.book.retreat_disrupts:
        pos.mark_disrupted(index)
    pos.event("retreat", "10.27", "{0} retreats to {1}", pos.roster[index].id, number)


# Advance after combat -----------------------------------------------------------------------------


def _offer_advance(pos: AssaultPosition, numbers: tuple[str, ...], attackers: tuple[str, ...]) -> None:
    """Let the attackers advance if a hex is empty (10.51, 10.52)."""
    pos.pending = None
    empty = tuple(n for n in numbers if not pos.stacks.get(pos.ground.grid.hex(n)))
    units = tuple(u for u in attackers if pos.where[pos.index[u]] >= 0)
    offer = Advance(SIDES[pos.side], empty, units)
    if empty and next(_advances(pos, offer), None) is not None:
        pos.pending = offer


def advance_hexes(pos: AssaultPosition, index: int, hexes: Iterable[Hex]) -> list[Hex]:
    """Emptied hexes a unit may advance into, whatever zones are about (10.53, 12.42, 14.4)."""
    unit, ground, here = pos.roster[index], pos.ground, pos.where[index]
    if pos.is_disrupted(index) or (unit.is_worker and not ground.city >> here & 1):
        return []
    sides = ground.retreat_sides[unit.side]
    barred = no_room(pos, index) | forbidden(pos, index) | enemy_fringe(pos, unit.side)
    return [
        h
        for h in hexes
        if ground.grid.adjacent(here, h) and sides[ground.grid.direction(here, h)] >> here & 1 and not barred >> h & 1
    ]


def _advances(pos: AssaultPosition, offer: Advance) -> Iterator[Order]:
    hexes = [pos.ground.grid.hex(n) for n in offer.hexes]
    for unit_id in offer.units:
        for h in advance_hexes(pos, pos.index[unit_id], hexes):
            yield Order("advance", (unit_id,), (pos.ground.number(h),))


def advance_orders(pos: AssaultPosition) -> Iterator[Order]:
    """Advance a unit, or be content."""
    offer = pos.pending
    assert isinstance(offer, Advance)
    yield from _advances(pos, offer)
    yield END


def advance_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why a unit may not advance."""
    offer = pos.pending
    assert isinstance(offer, Advance)
    if order == END:
        return None
    if order.verb in ("attack", "target", "support"):
        return Refusal("10.51", "the advance is made or declined before the next attack")
    if order.verb != "advance" or len(order.units) != 1 or len(order.hexes) != 1:
        return pos.out_of_place(order)
    if order.units[0] in pos.index and pos.roster[pos.index[order.units[0]]].side != pos.side:
        return Refusal("10.54", "only the attacker advances after combat")
    if order.units[0] not in offer.units:
        return Refusal("10.51", f"{order.units[0]} took no part in the attack or has advanced already")
    if order.hexes[0] not in offer.hexes:
        return Refusal("10.51", f"{order.hexes[0]} was not emptied by the attack")
    if order in set(_advances(pos, offer)):
        return None
    index = pos.index[order.units[0]]
    if pos.is_disrupted(index):
        return Refusal("12.42", f"{order.units[0]} is disrupted and may not advance")
    if pos.roster[index].is_worker:
        return Refusal("14.4", f"{order.units[0]} may not advance out of the city")
    return _kept_out(pos, index, pos.ground.grid.hex(order.hexes[0])) or Refusal(
        "10.51", f"{order.units[0]} may not advance into {order.hexes[0]}"
    )


def _kept_out(pos: AssaultPosition, index: int, h: Hex) -> Refusal | None:
    """Whether a unit next to a hex may not go there because of what it is (14.4, 18.21; 19.43)."""
    ground, unit = pos.ground, pos.roster[index]
    if not forbidden(pos, index) & ~ground.capital & 1 << h or not ground.grid.adjacent(pos.where[index], h):
        return None
    return Refusal(forbidding_case(unit), f"{unit.id} may not enter {ground.number(h)}")


def advance_apply(pos: AssaultPosition, order: Order) -> None:
    """Advance a unit (10.51)."""
    offer = pos.pending
    assert isinstance(offer, Advance)
    if order == END:
        pos.pending = None
        return
    index = pos.index[order.units[0]]
    h = pos.ground.grid.hex(order.hexes[0])
    pos.put(index, h)
    pos.pass_through(pos.roster[index].side, [h])
    pos.event("advance", "10.51", "{0} advances to {1}", *order.units, *order.hexes)
    rest = Advance(offer.side, offer.hexes, tuple(u for u in offer.units if u != order.units[0]))
    pos.pending = rest if next(_advances(pos, rest), None) is not None else None
