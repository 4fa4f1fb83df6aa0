"""Results of combat (10.2 to 10.5): the die, penalties, retreats and advances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from ...hexes import Hex, HexMask, mask_of, members
from ...kernel.events import Result
from ...kernel.orders import Order
from ...kernel.position import Refusal, first_case, forbid
from . import combat
from .attack import in_hand
from .figures import RANKS, SIDES
from .movement import digging, enemy_fringe, forbidden, forbidding_case
from .orders import Placement, but, named_hexes, out_of_place
from .pending import Advance, Fight
from .state import State
from .zones import no_room

# Resolution ---------------------------------------------------------------------------------------


def fall(pos: State, face: Order) -> None:
    """Read the combat results table (10.21, steps four and five)."""
    hexes, units = in_hand(pos)
    fight = combat.battle(pos, hexes, units)
    result = pos.game.result(fight.column, int(face.words[0]) + fight.modifier)
    pos.tell(
        "result", "10.23", "Roll {0}, modified by {1}: {2}, {3}", face.words[0], f"{fight.modifier:+}", result,
        combat.meaning(result), fact=Result(result),
    )  # fmt: skip
    carry_out(pos, result)


def carry_out(pos: State, result: str) -> None:
    """Eliminate, or begin to take penalties (10.23, 10.26); at overwhelming odds without a roll (10.21)."""
    numbers, attackers = pos.agenda[0].matter.hexes, pos.agenda[0].matter.units
    defenders = tuple(pos.roster[i].id for number in numbers for i in pos.stacks[pos.ground.grid.hex(number)])
    if result in ("AE", "DE"):
        for unit_id in attackers if result == "AE" else defenders:
            pos.eliminate(pos.index[unit_id], "10.23")
        pos.go("victors", pos.side, Advance(SIDES[pos.side], numbers if result == "DE" else (), attackers))
        return
    due = combat.penalties(result)
    pos.go("penalties", pos.side, Fight(SIDES[pos.side], numbers, attackers, defenders, *due))


def penalties(pos: State) -> None:
    """Ask for the next penalty, turn to the defender, or end the combat (10.24, 10.26)."""
    fight: Fight = pos.agenda[0].matter
    party = fight.defenders if _is_defender(pos, fight) else fight.attackers
    if fight.retreating and next(_retreats(pos, fight, _survivors(pos, party)), None) is None:
        for unit_id in fight.retreating:
            pos.lose_step(pos.index[unit_id])
        fight = replace(fight, retreating=(), bled=True)
    if not _survivors(pos, party):
        fight = replace(fight, due=0, retreating=())
    if fight.followers and not fight.retreating:
        fight = replace(fight, followers=tuple(u for u in fight.followers if retreat_hexes(pos, pos.index[u])))
    if fight.due or fight.retreating or fight.followers:
        pos.go("penalty", SIDES.index(fight.side), fight)
    elif _is_defender(pos, fight):
        pos.go("victors", pos.side, Advance(SIDES[pos.side], fight.hexes, fight.attackers))
    else:
        enemy, may_stand = SIDES[1 - pos.side], fight.may_stand
        after = Fight(enemy, fight.hexes, fight.attackers, fight.defenders, fight.then, may_stand=may_stand)
        pos.go("penalties", 1 - pos.side, after)


def prompt(pos: State) -> str:
    """What is asked of the side that takes penalties, or of HQs that may go along (10.25, 10.26, 11.33)."""
    fight, own = _fight(pos)
    if fight.retreating:
        return "Retreat the other units of the combat too"
    if fight.followers:
        return "Let headquarters go along with the retreat, or end"
    retreat = "retreat, " if fight.first and next(_retreats(pos, fight, own), None) is not None else ""
    if why_no_stand(pos) is None:
        return f"Take a penalty ({retreat}lose a step) or stand fast"
    return f"Take a penalty: {retreat and 'retreat or '}lose a step"


def _survivors(pos: State, units: Iterable[str]) -> list[int]:
    return [pos.index[u] for u in units if pos.where[pos.index[u]] >= 0]


def _fight(pos: State) -> tuple[Fight, list[int]]:
    fight: Fight = pos.agenda[0].matter
    return fight, _survivors(pos, fight.defenders if _is_defender(pos, fight) else fight.attackers)


# Retreats -----------------------------------------------------------------------------------------


def retreat_hexes(pos: State, index: int) -> HexMask:
    """Hexes a unit may retreat into (10.27, 10.28, 14.2, 14.4)."""
    return _ways_back(pos, index) & ~no_room(pos, index)


def _ways_back(pos: State, index: int) -> HexMask:
    """Hexes a unit might retreat into if there were room: friends apart, nothing changes them in a retreat."""
    if pos.is_disrupted(index) or digging(pos, index):
        return 0
    side = pos.roster[index].side
    barred = pos.lays[1 - side].zone | forbidden(pos, index) | enemy_fringe(pos, side)
    return pos.ground.ways_back(side, pos.where[index]) & ~barred


TRIALS = 300
"""Placements tried before a retreat of many units counts as impossible."""


def can_all_retreat(pos: State, units: list[int]) -> bool:
    """Whether every unit finds a hex, one after the other in whatever order makes room (10.27, 10.28)."""
    held = mask_of(pos.where[index] for index in units)
    if any(not _ways_back(pos, index) & (held | ~no_room(pos, index)) for index in units):
        return False
    return _placed_in_turn(pos, units, iter(range(TRIALS)))


def _placed_in_turn(pos: State, units: list[int], trials: Iterator[int]) -> bool:
    """Try those with least choice first; who has none waits until others have left their hexes."""
    if not units:
        return True
    choice = {index: hexes for index in units if (hexes := retreat_hexes(pos, index))}
    for index in sorted(choice, key=lambda index: (choice[index].bit_count(), index)):
        for h in members(choice[index]):
            if next(trials, None) is None:
                return False
            trial = pos._copy()
            trial.put(index, h)
            if _placed_in_turn(trial, [other for other in units if other != index], trials):
                return True
    return False


def _retreats(pos: State, fight: Fight, own: list[int]) -> Iterator[tuple[int, Hex]]:
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


def retreats(pos: State) -> Iterator[Order]:
    """Every retreat: as the first penalty, of those who still have to, of HQs that go along."""
    fight, own = _fight(pos)
    if fight.followers and not fight.retreating:
        for unit_id in fight.followers:
            yield from pos.ground.sorted_orders("retreat", unit_id, retreat_hexes(pos, pos.index[unit_id]))
    elif fight.retreating or fight.first:
        for index, h in _retreats(pos, fight, own):
            yield Order("retreat", (pos.roster[index].id,), (pos.ground.number(h),))


def losses(pos: State) -> Iterator[Order]:
    """Every unit that may lose the next step."""
    fight, own = _fight(pos)
    for index in _losers(pos, fight, own) if not fight.retreating and not fight.followers else ():
        yield Order("lose", (pos.roster[index].id,))


def _losers(pos: State, fight: Fight, own: list[int]) -> list[int]:
    """Units that may take the next step loss (10.211; 18.31)."""
    if not fight.bled and pos.options.best_class_first:
        best = max(RANKS[pos.grade(index)] for index in own)
        return [index for index in own if RANKS[pos.grade(index)] == best]
    return own


def why_no_stand(pos: State) -> Refusal | None:
    """Why a penalty is not declined (10.26)."""
    fight = pos.agenda[0].matter
    if fight.may_stand and fight.first and not fight.retreating and not fight.followers:
        return None
    return Refusal("10.26", "only the defender's first penalty may be declined, after the attacker has retreated")


def why_no_end(pos: State) -> Refusal | None:
    """Only HQs that may go along with a retreat need not (10.212, 11.33)."""
    fight = pos.agenda[0].matter
    return None if fight.followers and not fight.retreating else Refusal("10.212", "a penalty may not be declined")


_NEXT = Refusal("10.22", "the result of an attack is carried out before the next one")
RESULT_FIRST = but(
    {**dict.fromkeys(("attack", "target", "support"), _NEXT),
     "advance": Refusal("10.51", "units advance when all penalties have been taken")}
)  # fmt: skip
"""Nothing else is done before all penalties have been taken."""


def _suffering(pos: State, order: Order, case: str) -> int:
    """The unit that an order lets take a penalty; a number no unit has for one that is not there."""
    forbid(len(order.units) != 1, case, "name one unit at a time")
    fight: Fight = pos.agenda[0].matter
    index = pos.index.get(order.units[0], -1)
    other = index >= 0 and SIDES[pos.roster[index].side] != fight.side
    forbid(other and _is_defender(pos, fight), "10.24", "now the defender takes his penalties")
    forbid(other, "10.26", "the attacker takes all of his penalties first")
    return index


def loss_of(pos: State, order: Order) -> int:
    """The unit that an order takes a step from, or why not from that one."""
    index = _suffering(pos, order, "10.211")
    (fight, own), unit_id = _fight(pos), order.units[0]
    forbid(fight.retreating or fight.followers, "10.27", "the retreat is finished first")
    forbid(index in _along(pos, fight, own), "11.33",
           "{} is a headquarters with the attackers and takes no step loss for them", unit_id)  # fmt: skip
    forbid(index not in own, "10.211", "{} took no part in this combat", unit_id)
    forbid(index not in _losers(pos, fight, own), "18.31",
           "the first step comes from a unit of the highest class, not from {}", unit_id)  # fmt: skip
    return index


def retreat_of(pos: State, order: Order) -> Placement | Refusal:
    """The retreat of an order, or why the unit may not retreat there."""
    index = _suffering(pos, order, "10.27")
    found = named_hexes(pos, order)
    forbid(len(found) != 1, "10.27", "a retreat is one hex long")
    (fight, own), unit_id, h = _fight(pos), order.units[0], found[0]
    if fight.followers and not fight.retreating:
        forbid(unit_id not in fight.followers or not retreat_hexes(pos, index) >> h & 1, "11.33",
               "{} may not retreat there now", unit_id)  # fmt: skip
        return Placement(index, h)
    forbid(not fight.first and not fight.retreating, "10.25", "only the first penalty may be taken as a retreat")
    forbid(index in _along(pos, fight, own), "11.33", "{} may go along when the attackers have retreated", unit_id)
    forbid(index not in own or (fight.retreating and unit_id not in fight.retreating), "10.27",
           "{} does not retreat in this combat", unit_id)  # fmt: skip
    forbid(pos.is_disrupted(index), "10.28", "{} is disrupted and may not retreat", unit_id)
    return Placement(index, h) if (index, h) in _retreats(pos, fight, own) else _no_way_back(pos, index, h)


def _no_way_back(pos: State, index: int, h: Hex) -> Refusal:
    """Why a unit that has to retreat does not retreat to a hex."""
    ground, here, unit = pos.ground, pos.where[index], pos.roster[index]
    number, enemy, into = ground.number(h), pos.lays[1 - unit.side], f"{unit.id} may not retreat into"
    near = ground.grid.adjacent(here, h)
    d = ground.grid.direction(here, h) if near else 0
    river = near and ground.barrier[d] >> here & 1 and not ground.retreat_sides[unit.side][d] >> here & 1
    return first_case(
        (retreat_hexes(pos, index) >> h & 1, "10.28", "not every unit of the combat could retreat"),
        (digging(pos, index), "14.2", "{} is a worker unit outside the city and never retreats", unit.id),
        (river, "6.32" if ground.main >> here & 1 else "10.38",
         "{} may not retreat across the river into {}", unit.id, number),
    ) or _kept_out(pos, index, h) or first_case(
        (not near and not ground.links.get(here, 0) >> h & 1, "10.27",
         "a retreat is one hex long, and {} is not next to {}", number, unit.id),
        ((enemy.occupied | enemy_fringe(pos, unit.side)) >> h & 1, "10.27", "{} {}: the enemy is there", into, number),
        (enemy.zone >> h & 1, "10.27", "{} {}: it is in an enemy zone of control", into, number),
        (no_room(pos, index) >> h & 1, "10.27", "{} {}: there is no room", into, number),
    ) or Refusal("10.27", f"{into} {number}: the way there is closed to it")  # fmt: skip


def _along(pos: State, fight: Fight, own: list[int]) -> list[int]:
    """HQs stacked with units that have attacked: they take no part, but may go along with a retreat (11.33)."""
    return [] if _is_defender(pos, fight) else [pos.index[unit_id] for unit_id in _companions(pos, own)]


def stay(pos: State, _: object) -> None:
    """No HQ goes along."""
    pos.go("penalties", matter=replace(pos.agenda[0].matter, followers=()))


def stand(pos: State, _: object) -> None:
    """The defender declines his first penalty (10.26)."""
    fight: Fight = pos.agenda[0].matter
    pos.tell("stand", "10.26", "The defender stands fast")
    pos.go("penalties", matter=replace(fight, due=fight.due - 1, first=False, may_stand=False))


def lose(pos: State, index: int) -> None:
    """Take a penalty as a step loss (10.25)."""
    fight: Fight = pos.agenda[0].matter
    pos.lose_step(index)
    may_stand = fight.may_stand and not _is_defender(pos, fight)
    pos.go("penalties", matter=replace(fight, due=fight.due - 1, first=False, bled=True, may_stand=may_stand))


def retreat(pos: State, back: Placement) -> None:
    """Take the first penalty as a retreat, go on with it, or go along with it (10.25, 10.27, 11.33)."""
    fight, own = _fight(pos)
    attacking, followers = not _is_defender(pos, fight), fight.followers
    unit_id = pos.roster[back.unit].id
    following = bool(followers) and not fight.retreating
    if fight.first and not fight.retreating and not followers and attacking:
        followers = _companions(pos, own)
    waiting = fight.retreating or tuple(pos.roster[i].id for i in own)
    pos.shift(*back, "retreat", "10.27", "{0} retreats to {1}")
    pos.retreated |= 1 << back.unit
    pos.disrupted |= pos.ground.book.retreat_disrupts << back.unit  # in the second game (19.61)
    if following:
        then = replace(fight, followers=tuple(u for u in followers if u != unit_id))
    else:
        then = replace(
            fight, due=fight.due - (0 if fight.retreating else 1), first=False,
            retreating=tuple(u for u in waiting if u != unit_id), followers=followers, may_stand=attacking,
        )  # fmt: skip
    pos.go("penalties", matter=then)


def _is_defender(pos: State, fight: Fight) -> bool:
    return fight.side != SIDES[pos.side]


def _companions(pos: State, own: list[int]) -> tuple[str, ...]:
    """HQs stacked with attackers that retreat: they may go along (11.33)."""
    hexes = {pos.where[index] for index in own}
    return tuple(pos.roster[other].id for h in sorted(hexes) for other in pos.stacks[h] if pos.roster[other].is_hq)


# Advance after combat -----------------------------------------------------------------------------


def victors(pos: State) -> None:
    """Let the attackers advance if a hex is empty (10.51, 10.52)."""
    offer: Advance = pos.agenda[0].matter
    empty = tuple(n for n in offer.hexes if not pos.stacks.get(pos.ground.grid.hex(n)))
    _offer(pos, Advance(offer.side, empty, tuple(u for u in offer.units if pos.where[pos.index[u]] >= 0)))


def _offer(pos: State, offer: Advance) -> None:
    if next(advances(pos, offer), None) is None:
        pos.done()
    else:
        pos.go("advance", pos.side, offer)


def advance_hexes(pos: State, index: int, hexes: Iterable[Hex]) -> list[Hex]:
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


def advances(pos: State, offer: Advance) -> Iterator[Order]:
    """Every advance of a unit that an offer allows (10.51)."""
    hexes = [pos.ground.grid.hex(n) for n in offer.hexes]
    for unit_id in offer.units:
        for h in advance_hexes(pos, pos.index[unit_id], hexes):
            yield Order("advance", (unit_id,), (pos.ground.number(h),))


_BEFORE = Refusal("10.51", "the advance is made or declined before the next attack")
ADVANCE_FIRST = but(dict.fromkeys(("attack", "target", "support"), _BEFORE))


def advance_of(pos: State, order: Order) -> Placement | Refusal:
    """The advance of an order, or why the unit may not advance."""
    offer: Advance = pos.agenda[0].matter
    if len(order.units) != 1 or len(order.hexes) != 1:
        return out_of_place(pos, order)
    unit_id, number = order.units[0], order.hexes[0]
    index = pos.index.get(unit_id, -1)
    forbid(index >= 0 and pos.roster[index].side != pos.side, "10.54", "only the attacker advances after combat")
    forbid(unit_id not in offer.units, "10.51", "{} took no part in the attack or has advanced already", unit_id)
    forbid(number not in offer.hexes, "10.51", "{} was not emptied by the attack", number)
    h = pos.ground.grid.hex(number)
    if advance_hexes(pos, index, [h]):
        return Placement(index, h)
    forbid(pos.is_disrupted(index), "12.42", "{} is disrupted and may not advance", unit_id)
    forbid(pos.roster[index].is_worker, "14.4", "{} may not advance out of the city", unit_id)
    return _kept_out(pos, index, h) or Refusal("10.51", f"{unit_id} may not advance into {number}")


def _kept_out(pos: State, index: int, h: Hex) -> Refusal | None:
    """Whether a unit next to a hex may not go there because of what it is (14.4, 18.21; 19.43)."""
    ground, unit = pos.ground, pos.roster[index]
    if not forbidden(pos, index) & ~ground.capital & 1 << h or not ground.grid.adjacent(pos.where[index], h):
        return None
    return Refusal(forbidding_case(unit), f"{unit.id} may not enter {ground.number(h)}")


def advance(pos: State, forward: Placement) -> None:
    """Advance a unit (10.51)."""
    unit_id, offer = pos.roster[forward.unit].id, pos.agenda[0].matter
    pos.shift(*forward, "advance", "10.51", "{0} advances to {1}")
    _offer(pos, Advance(offer.side, offer.hexes, tuple(u for u in offer.units if u != unit_id)))
