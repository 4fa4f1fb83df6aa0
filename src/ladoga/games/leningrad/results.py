"""Chapter 10: combat results. Losses, retreats and advances, for attacks and overruns alike."""

from __future__ import annotations

import random as _random
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from ...hexes import Hex, HexMask, mask_of, members
from ...kernel.chance import Chance, uniform
from ...kernel.errors import Illegal
from ...kernel.events import Odds, Result, Stays
from ...kernel.orders import Order
from ...kernel.position import Refusal, forbid, refuse
from ...kernel.sequence import Passage
from ...kernel.tables import odds_index, odds_name
from . import air, combat
from .combat import in_hand
from .edition import GERMAN
from .fight import Fight
from .orders import NO_ADVANCE, named_hexes, named_unit, wrong_phase
from .pieces import Slot
from .position import LeningradPosition

LOST = "lost"
"""What becomes, by option, of a two-hex retreat whose vacant first hex leads nowhere (10.8)."""


# From announcement to result ------------------------------------------------------------------------


def guarded(pos: LeningradPosition, order: Order) -> Fight:
    """The fight with air units in the defence (13.1)."""
    forbid(order.words[0] not in ("0", "1", "2"), "13.1", "name the number of air units: 0, 1 or 2")
    refuse(air.why_no_air(pos, GERMAN, int(order.words[0])))
    return replace(in_hand(pos), guard_air=int(order.words[0]))


def odds(pos: LeningradPosition) -> None:
    """Untried participants are revealed one by one (14.1); then initial and final ratio are announced (9.1)."""
    fight = in_hand(pos)
    if pos.hidden(fight):
        pos.go("reveal", fight.side, fight)
        return
    attack, defence = combat.strengths(pos, fight)
    initial = odds_index(attack, defence)
    column = initial + combat.net_shift(pos, fight)
    used = pos.game.edition.column_name(column)
    pos.tell("odds", "9.1", "{0} against {1}, {2}, column {3}", attack, defence, odds_name(initial), used,
             fact=Odds(attack, defence, used))  # fmt: skip
    pos.go("roll", fight.side, replace(fight, column=column))


def draws(pos: LeningradPosition) -> Chance:
    """The next draw of an untried unit (14.1)."""
    slot = pos.hidden(in_hand(pos))[0]
    outcomes = map(pos.game.draws.__getitem__, pos.pool(slot))
    return uniform(f"the strength of {pos.name(slot)}", outcomes, pos.game.edition.case("14.1"))


def draw(pos: LeningradPosition, rng: _random.Random) -> Order:
    """One of them."""
    names = pos.pool(pos.hidden(in_hand(pos))[0])
    return pos.game.draws[names[int(rng.random() * len(names))]]


def reveal(pos: LeningradPosition, outcome: Order) -> None:
    """An untried unit turns out to be a printed one (14.1)."""
    fight = in_hand(pos)
    slot = pos.hidden(fight)[0]
    drawn = pos.game.counter_numbers[outcome.words[0]]
    if pos.pieces[slot].recycled:
        # The counter of an eliminated division goes back into play: its old piece loses its face.
        pos.turn_over(pos.faces.index(drawn), -1)
    untried = pos.name(slot)
    pos.turn_over(slot, drawn)
    spec = pos.spec(slot)
    assert spec is not None
    pos.tell("revealed", "14.1", "{0} is {1}, {2}-{3}-{4}", untried, pos.name(slot), spec.attack, spec.defence,
             spec.movement)  # fmt: skip
    pos.go("odds", fight.side, fight)


def roll(pos: LeningradPosition, outcome: Order) -> None:
    """The die is cross-indexed with the column (9.0); the defender's result comes first (10.3)."""
    face, fight = int(outcome.words[0]), in_hand(pos)
    result = pos.game.edition.result(fight.column, face)
    fight = replace(fight, result=result)
    pos.tell("result", "9.5", "Die {0}: {1}", face, code := "/".join(result), fact=Result(code))
    if result[0] != "-":
        for slot in fight.bystanders:
            pos.eliminate(slot, "8.4")
    if result[0] == "E":
        for slot in fight.defenders:
            pos.eliminate(slot, "10.4")
    if result[0] in "12":
        pos.go("defend", 1 - fight.side, replace(fight, toll=int(result[0])))
    else:
        pos.go("attackers", fight.side, fight)


def attackers_part(pos: LeningradPosition) -> None:
    """The attacker carries out his half of the result (10.3)."""
    fight = replace(in_hand(pos), toll=0, retreat=0)
    code = fight.result[1]
    if code == "E":
        for slot in fight.attackers:
            pos.eliminate(slot, "10.4")
    if code in "12":
        pos.go("attack", fight.side, replace(fight, toll=int(code)))
    else:
        pos.go("victors", fight.side, fight)


def victors_part(pos: LeningradPosition) -> None:
    """The victors may advance into what has been vacated (10.9), then the fight is over."""
    fight = replace(in_hand(pos), toll=0, retreat=0)
    attackers = [s for s in fight.attackers if pos.hexes[s] >= 0 and s not in fight.retreated]
    if attackers and vacated(pos, fight, fight.targets):
        pos.go("advance", fight.side, fight)
    elif fight.result[0] == "-" and not fight.overrun and vacated(pos, fight, fight.origins):
        pos.go("counter", 1 - fight.side, fight)
    else:
        _stay(pos, fight)
        pos.done()
        return
    if not open_advances(pos):
        pos.done()


def _stay(pos: LeningradPosition, fight: Fight) -> None:
    """Defenders next to a hex that the attackers left stay where they are: the result was split (10.3), or they were
    overrun (7.7)."""
    left = mask_of(vacated(pos, fight, fight.origins))
    standing = [s for s in fight.defenders if pos.hexes[s] >= 0 and s not in fight.retreated]
    near = [s for s in standing if pos.ground.around[pos.hexes[s]] & left]
    if near and (fight.overrun or split(fight)):
        case = "7.7" if fight.overrun else "10.3"
        kind, words = NO_ADVANCE[case]
        names = tuple(pos.name(slot) for slot in near)
        pos.tell(kind, case, words, ", ".join(names), fact=Stays(names, case))


def split(fight: Fight) -> bool:
    """Whether the result touched both sides (10.3)."""
    return "-" not in fight.result


# Losses and retreats (10.1 to 10.8) -----------------------------------------------------------------


def affected(pos: LeningradPosition) -> list[Slot]:
    """Units of the side that chooses now that are still to be dealt with."""
    fight = in_hand(pos)
    units = fight.defenders if pos.agenda[0].at == "defend" else fight.attackers
    return [slot for slot in units if pos.hexes[slot] >= 0 and slot not in fight.retreated]


def may_retreat(pos: LeningradPosition) -> bool:
    """A successful overrun leaves the overrunners no retreat (7.6)."""
    fight = in_hand(pos)
    return not (pos.agenda[0].at == "attack" and fight.overrun and vacated(pos, fight, fight.targets))


def asked_to_pay(pos: LeningradPosition) -> str:
    """What is asked of those whom a result hits; after a successful overrun only losses are left (7.6)."""
    distance = in_hand(pos).retreat
    if not may_retreat(pos):
        return "Attacker: lose steps"
    if distance:
        return f"Retreat the units {'one hex' if distance == 1 else 'two hexes'}, one at a time"
    return f"{'Defender' if pos.agenda[0].at == 'defend' else 'Attacker'}: lose steps or retreat"


def guard(pos: LeningradPosition, fight: Fight) -> None:
    """Air units join the defence (13.1)."""
    air.join(pos, fight.guard_air, "defence")
    pos.go("odds", fight.side, fight)


def asked_to_advance(pos: LeningradPosition) -> str:
    """What is asked of the attackers; a successful overrun ends with an advance (7.6)."""
    return "Advance after combat" if why_no_end(pos) is None else "Advance at least one unit"


def feared(pos: LeningradPosition, slot: Slot) -> tuple[Hex, ...]:
    """Where the enemies stood that cause a unit's retreat (10.7)."""
    fight = in_hand(pos)
    return fight.posts if slot in fight.attackers else fight.origins


def safe_hexes(pos: LeningradPosition, slot: Slot, h: Hex) -> HexMask:
    """Hexes next to one that are safe to retreat into: further from the enemy than it is, among others (10.7)."""
    side, ground = pos.pieces[slot].side, pos.ground
    mask = ground.around[h] & ground.land & ~pos.crowd[1 - side][0] & ~pos.crowd[side][2]
    mask &= ~pos.zone(1 - side) | pos.crowd[side][0]
    as_near = mask_of(feared(pos, slot))
    while not as_near >> h & 1:
        as_near |= ground.grid.ring(as_near)
    return mask & ~as_near


def _ways_back(pos: LeningradPosition, slot: Slot, at: Hex, distance: int) -> list[tuple[Hex, ...]]:
    """The ways on from a hex: of the safe hexes from which a unit can go far enough, the vacant ones if any (10.8). By
    option the vacant ones come first even if they lead nowhere."""
    if not distance:
        return [()]
    hexes, friends = safe_hexes(pos, slot, at), pos.crowd[pos.pieces[slot].side][0]
    if pos.options.dead_ends == LOST:
        hexes = vacant_first(hexes, friends)
    ways = {h: _ways_back(pos, slot, h, distance - 1) for h in members(hexes)}
    far_enough = sum(1 << h for h, onward in ways.items() if onward)
    return [(h, *way) for h in members(vacant_first(far_enough, friends)) for way in ways[h]]


def _payer(pos: LeningradPosition, order: Order) -> Slot:
    """The unit an order names, if the result hits it."""
    slot = named_unit(pos, order)
    forbid(slot not in affected(pos), _case(pos), "{} is not affected by this result", pos.name(slot))
    return slot


def _case(pos: LeningradPosition) -> str:
    return f"10.{in_hand(pos).toll or 1}"


def loss(pos: LeningradPosition, order: Order) -> Slot:
    """The unit that takes a step of the result, unless retreat has been chosen (10.1, 10.2)."""
    slot = _payer(pos, order)
    forbid(in_hand(pos).retreat, _case(pos), "retreat has been chosen: all affected units retreat")
    return slot


def losers(pos: LeningradPosition) -> list[str]:
    """The names of the units that may take a step."""
    return [] if in_hand(pos).retreat else [pos.name(slot) for slot in affected(pos)]


def retreat_of(pos: LeningradPosition, order: Order) -> Passage:
    """A unit that retreats as far as the result says, by a safe way (10.7, 10.8)."""
    slot = _payer(pos, order)
    forbid(not may_retreat(pos), "7.6", "after a successful overrun losses must be taken as steps")
    path, ways, name = named_hexes(pos, order), ways_back(pos, slot), pos.name(slot)
    distance = in_hand(pos).retreat or in_hand(pos).toll
    if path not in ways:
        forbid(not path, "10.7", "{} has a way to retreat and must take it", name)
        forbid(ways != [()] and len(path) != distance, f"10.{distance}", "{} must retreat {}", name,
               "one hex" if distance == 1 else "two hexes")  # fmt: skip
        _forbid_unsafe(pos, slot, path)
    return Passage(slot, path)


def retreats(pos: LeningradPosition) -> Iterator[Order]:
    """``retreat UNIT`` along every way that is open to it."""
    for slot in affected(pos) if may_retreat(pos) else ():
        for path in ways_back(pos, slot):
            yield retreat_order(pos, slot, path)


def vacant_first(safe: HexMask, friends: HexMask) -> HexMask:
    """Of safe hexes the vacant ones, if there are any (10.8)."""
    return safe & ~friends or safe


def ways_back(pos: LeningradPosition, slot: Slot) -> list[tuple[Hex, ...]]:
    """Every retreat open to a unit, each hex safe in turn; without any it is lost (10.7)."""
    return _ways_back(pos, slot, pos.hexes[slot], in_hand(pos).retreat or in_hand(pos).toll) or [()]


def retreat_order(pos: LeningradPosition, slot: Slot, path: tuple[Hex, ...]) -> Order:
    """A retreat as orders write it."""
    return Order("retreat", (pos.name(slot),), tuple([pos.ground.names[h] for h in path]))


def result_first(pos: LeningradPosition, order: Order) -> Refusal:
    """Nothing else happens before the result is carried out (10.0)."""
    if order.verb == "end":
        return Refusal(_case(pos), "the result is carried out first")
    return _why_defender_stays(pos, order) or wrong_phase(pos, order)


def _forbid_unsafe(pos: LeningradPosition, slot: Slot, path: tuple[Hex, ...]) -> None:
    """Say which condition of 10.7 or 10.8 a retreat breaks."""
    at, side, ground, enemies = pos.hexes[slot], pos.pieces[slot].side, pos.ground, feared(pos, slot)
    friends = pos.crowd[side][0]
    for number, h in enumerate(path):
        name, here = ground.names[h], ground.names[at]
        open_hexes = mask_of(way[0] for way in _ways_back(pos, slot, at, len(path) - number))
        if open_hexes >> h & 1:
            at = h
            continue
        forbid(not ground.grid.adjacent(at, h), "10.7", "{} is not next to {}", name, here)
        forbid(not ground.around[at] >> h & 1 or not ground.land >> h & 1, "4.9",
               "the hexside from {} to {} is all water", here, name)  # fmt: skip
        forbid(pos.crowd[1 - side][0] >> h & 1, "10.7", "an enemy unit is in {}", name)
        forbid(pos.crowd[side][2] >> h & 1, "10.7", "three friendly units are in {} already", name)
        forbid(pos.zone(1 - side) >> h & 1 and not friends >> h & 1, "10.7", "{} is in an enemy zone of control", name)
        before, after = (min(ground.grid.distance(x, e) for e in enemies) for x in (at, h))
        forbid(after <= before, "10.7", "{} is no further from the enemy", name)
        preferred = safe_hexes(pos, slot, at) if pos.options.dead_ends == LOST else open_hexes
        forbid(friends >> h & 1 and preferred & ~friends, "10.8", "{} is occupied, and a vacant safe hex is open", name)
        break
    raise Illegal("10.7", f"{pos.name(slot)} cannot retreat far enough that way")


def lose(pos: LeningradPosition, slot: Slot) -> None:
    """A unit takes a step of the result (10.5)."""
    fight = in_hand(pos)
    pos.lose_step(slot)
    _paid(pos, replace(fight, toll=fight.toll - 1))


def retreat(pos: LeningradPosition, planned: Passage) -> None:
    """A unit retreats, and so must all others then; with nowhere to go it is lost (10.7)."""
    slot, path = planned
    fight = in_hand(pos)
    fight = replace(fight, retreat=fight.retreat or fight.toll)
    if path:
        _fall_back(pos, slot, path)
        fight = replace(fight, retreated=(*fight.retreated, slot), passed=(*fight.passed, *path[:-1]))
    else:
        pos.tell("no retreat", "10.7", "{0} has nowhere to retreat", pos.name(slot))
        pos.eliminate(slot, "10.7")
    _paid(pos, fight)


def _fall_back(pos: LeningradPosition, slot: Slot, path: tuple[Hex, ...]) -> None:
    for h in path:
        pos.put(slot, h)
    pos.disturb((slot,))
    if not in_hand(pos).overrun:
        pos.displaced |= 1 << slot
    if slot in pos.active:
        pos.active = {s: left for s, left in pos.active.items() if s != slot}
    pos.tell("retreated", "10.6", "{0} retreats to {1}", pos.name(slot), pos.ground.names[path[-1]])


def _paid(pos: LeningradPosition, fight: Fight) -> None:
    """When all is paid, the other side's part begins."""
    pos.hold(fight)
    if affected(pos) and (fight.toll > 0 or fight.retreat):
        return
    pos.go("attackers" if pos.agenda[0].at == "defend" else "victors", fight.side, fight)


# Advance (10.9) -------------------------------------------------------------------------------------


def vacated(pos: LeningradPosition, fight: Fight, hexes: Iterable[Hex]) -> list[Hex]:
    """Those of the hexes that no unit of their former owner holds any more."""
    owner = 1 - fight.side if hexes == fight.targets else fight.side
    return [h for h in dict.fromkeys(hexes) if not pos.crowd[owner][0] >> h & 1]


def advance_paths(pos: LeningradPosition, slot: Slot) -> Iterator[tuple[Hex, ...]]:
    """One hex, or both hexes of a two-hex retreat, that a victorious unit may advance into."""
    fight, attacking = in_hand(pos), pos.agenda[0].at == "advance"
    side = pos.pieces[slot].side
    first = vacated(pos, fight, fight.targets if attacking else fight.origins)
    losers = fight.defenders if attacking else fight.attackers
    posts = fight.posts if attacking else fight.origins
    fled = {post for loser, post in zip(losers, posts, strict=True) if loser in fight.retreated}
    room = ~pos.crowd[side][2] & ~pos.crowd[1 - side][0]
    near = pos.ground.around[pos.hexes[slot]] & room
    for h in first:
        if near >> h & 1:
            yield (h,)
            if h in fled:
                beyond = pos.ground.around[h] & room
                yield from ((h, b) for b in dict.fromkeys(fight.passed) if beyond >> b & 1)


def victors(pos: LeningradPosition) -> list[Slot]:
    """Units that may still advance (10.9): attackers that did not retreat, or defenders left unhurt."""
    fight = in_hand(pos)
    units = fight.attackers if pos.agenda[0].at == "advance" else fight.defenders
    return [s for s in units if pos.hexes[s] >= 0 and s not in fight.retreated and s not in fight.advanced]


def open_advances(pos: LeningradPosition) -> list[Passage]:
    """Every advance open now."""
    return [Passage(slot, path) for slot in victors(pos) for path in advance_paths(pos, slot)]


def advance_order(pos: LeningradPosition, planned: Passage) -> Order:
    """An advance as orders write it."""
    return Order("advance", (pos.name(planned.unit),), tuple(pos.ground.names[h] for h in planned.path))


def advances(pos: LeningradPosition) -> list[Order]:
    """``advance UNIT HEXES``."""
    return [advance_order(pos, planned) for planned in open_advances(pos)]


def why_no_end(pos: LeningradPosition) -> Refusal | None:
    """A successful overrun ends with an advance (7.6)."""
    fight = in_hand(pos)
    if fight.overrun and not fight.advanced:
        return Refusal("7.6", "at least one overrunning unit must advance")
    return None


def advance_of(pos: LeningradPosition, order: Order) -> Passage:
    """A victorious unit that goes into vacated hexes (10.9)."""
    slot = named_unit(pos, order)
    refuse(_why_defender_stays(pos, order) if slot not in victors(pos) else None)
    forbid(slot not in victors(pos), "10.9", "{} may not advance", pos.name(slot))
    path, ways = named_hexes(pos, order), list(advance_paths(pos, slot))
    through = next(("-".join(pos.ground.names[h] for h in way) for way in ways if way[1:] == path), "")
    forbid(through and path not in ways, "10.9", "{} is entered through the hex before it: advance {} {}",
           "-".join(order.hexes[:1]), pos.name(slot), through)  # fmt: skip
    forbid(path not in ways, "10.9", "{} is not a vacated hex that {} may enter", "-".join(order.hexes), pos.name(slot))
    return Passage(slot, path)


def _why_defender_stays(pos: LeningradPosition, order: Order) -> Refusal | None:
    """A defender does not advance after a split result (10.3)."""
    fight = in_hand(pos)
    defends = order.verb == "advance" and order.units in [(pos.name(slot),) for slot in fight.defenders]
    if defends and split(fight):
        return Refusal("10.3", f"{order.units[0]} may not advance: the result was split")
    return None


def advance(pos: LeningradPosition, planned: Passage) -> None:
    """A unit advances; when none can any more, the fight is over (10.9)."""
    slot, path = planned
    fight = in_hand(pos)
    for h in path:
        pos.put(slot, h)
    pos.disturb((slot,))
    pos.hold(replace(fight, advanced=(*fight.advanced, slot)))
    pos.tell("advanced", "10.9", "{0} advances to {1}", pos.name(slot), pos.ground.names[path[-1]])
    if not open_advances(pos):
        pos.done()
