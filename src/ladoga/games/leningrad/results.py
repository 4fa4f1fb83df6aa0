"""Chapter 10: combat results. Losses, retreats and advances, for attacks and overruns alike."""

from __future__ import annotations

import random as _random
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...hexes import Hex, HexMask, mask_of, members
from ...kernel.orders import END, Order
from ...kernel.position import Refusal
from ...kernel.tables import odds_index, odds_name
from . import air, combat
from .edition import GERMAN
from .orders import NO_ADVANCE, named_hexes, named_unit, wrong_phase
from .pieces import Slot

if TYPE_CHECKING:
    from .fight import Fight
    from .position import LeningradPosition


LOST = "lost"
"""What becomes, by option, of a two-hex retreat whose vacant first hex leads nowhere (10.8)."""


# From announcement to result ------------------------------------------------------------------------


def reveal(pos: LeningradPosition) -> None:
    """Untried participants are revealed one by one, then the odds are known (14.1)."""
    fight = _fight(pos)
    if fight.hidden(pos):
        pos.fight = replace(fight, stage="reveal")
    else:
        odds(pos)


def happen(pos: LeningradPosition, outcome: Order) -> None:
    """Chance speaks: an untried unit is drawn (14.1), or the die is rolled."""
    fight = _fight(pos)
    if fight.stage == "roll":
        roll(pos, int(outcome.words[0]))
        return
    slot = fight.hidden(pos)[0]
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
    if not fight.hidden(pos):
        odds(pos)


def odds(pos: LeningradPosition) -> None:
    """Initial and final ratio are announced (9.1); the die decides."""
    fight = _fight(pos)
    attack, defence = combat.strengths(pos, fight)
    initial = odds_index(attack, defence)
    column = initial + combat.net_shift(pos, fight)
    pos.fight = replace(fight, stage="roll", column=column)
    pos.tell("odds", "9.1", "{0} against {1}, {2}, column {3}", attack, defence,
             odds_name(initial), pos.game.edition.column_name(column))  # fmt: skip


def roll(pos: LeningradPosition, face: int) -> None:
    """The die is cross-indexed with the column (9.0); the defender's result comes first (10.3)."""
    fight = _fight(pos)
    result = pos.game.edition.result(fight.column, face)
    pos.fight = fight = replace(fight, result=result)
    pos.tell("result", "9.5", "Die {0}: {1}", face, "/".join(result))
    if result[0] != "-":
        for slot in fight.bystanders:
            pos.eliminate(slot, "8.4")
    if result[0] == "E":
        for slot in fight.defenders:
            pos.eliminate(slot, "10.4")
    if result[0] in "12":
        pos.fight = replace(fight, stage="defend", toll=int(result[0]))
    else:
        attackers_part(pos)


def attackers_part(pos: LeningradPosition) -> None:
    """The attacker carries out his half of the result (10.3)."""
    fight = replace(_fight(pos), toll=0, retreat=0)
    pos.fight = fight
    code = fight.result[1]
    if code == "E":
        for slot in fight.attackers:
            pos.eliminate(slot, "10.4")
    if code in "12":
        pos.fight = replace(fight, stage="attack", toll=int(code))
    else:
        advances(pos)


def advances(pos: LeningradPosition) -> None:
    """The victors may advance into what has been vacated (10.9), then the fight is over."""
    fight = replace(_fight(pos), toll=0, retreat=0)
    attackers = [s for s in fight.attackers if pos.hexes[s] >= 0 and s not in fight.retreated]
    if attackers and vacated(pos, fight, fight.targets):
        pos.fight = replace(fight, stage="advance")
    elif fight.result[0] == "-" and not fight.overrun and vacated(pos, fight, fight.origins):
        pos.fight = replace(fight, stage="counter")
    else:
        _stay(pos, fight)
        pos.fight = None
        return
    if not any(True for _ in advance_orders(pos)):
        pos.fight = None


def _stay(pos: LeningradPosition, fight: Fight) -> None:
    """Defenders next to a hex that the attackers left stay where they are: the result was split (10.3), or they were
    overrun (7.7)."""
    left = mask_of(vacated(pos, fight, fight.origins))
    standing = [s for s in fight.defenders if pos.hexes[s] >= 0 and s not in fight.retreated]
    near = [s for s in standing if pos.ground.around[pos.hexes[s]] & left]
    if near and fight.overrun:
        pos.tell(NO_ADVANCE["7.7"], "7.7", "{0}: no advance for those who were overrun", pos.names(near))
    elif near and split(fight):
        pos.tell(NO_ADVANCE["10.3"], "10.3", "{0}: no advance for the defender after a split result", pos.names(near))


def split(fight: Fight) -> bool:
    """Whether the result touched both sides (10.3)."""
    return "-" not in fight.result


def _fight(pos: LeningradPosition) -> Fight:
    assert pos.fight is not None
    return pos.fight


# Losses and retreats (10.1 to 10.8) -----------------------------------------------------------------


def affected(pos: LeningradPosition) -> list[Slot]:
    """Units of the side that chooses now that are still to be dealt with."""
    fight = _fight(pos)
    units = fight.defenders if fight.stage == "defend" else fight.attackers
    return [slot for slot in units if pos.hexes[slot] >= 0 and slot not in fight.retreated]


def may_retreat(pos: LeningradPosition) -> bool:
    """A successful overrun leaves the overrunners no retreat (7.6)."""
    fight = _fight(pos)
    return not (fight.stage == "attack" and fight.overrun and vacated(pos, fight, fight.targets))


def prompt(pos: LeningradPosition) -> str:
    """What is asked in a fight; after a successful overrun only losses are left, and then an advance (7.6)."""
    fight = _fight(pos)
    if not may_retreat(pos):
        return "Attacker: lose steps"
    if fight.stage == "advance" and fight.overrun and not fight.advanced:
        return "Advance at least one unit"
    return fight.prompt


def feared(pos: LeningradPosition, slot: Slot) -> tuple[Hex, ...]:
    """Where the enemies stood that cause a unit's retreat (10.7)."""
    fight = _fight(pos)
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


def vacant_first(pos: LeningradPosition, slot: Slot, safe: HexMask) -> HexMask:
    """Of safe hexes the vacant ones, if there are any (10.8)."""
    friends = pos.crowd[pos.pieces[slot].side][0]
    return safe & ~friends or safe


def retreat_paths(pos: LeningradPosition, slot: Slot, distance: int) -> list[tuple[Hex, ...]]:
    """Every way a unit can retreat so many hexes, each safe in turn (10.7)."""
    return _ways_back(pos, slot, pos.hexes[slot], distance)


def _ways_back(pos: LeningradPosition, slot: Slot, at: Hex, distance: int) -> list[tuple[Hex, ...]]:
    """The ways on from a hex: of the safe hexes from which a unit can go far enough, the vacant ones if any (10.8). By
    option the vacant ones come first even if they lead nowhere."""
    if not distance:
        return [()]
    hexes = safe_hexes(pos, slot, at)
    if pos.options.get("dead-ends") == LOST:
        hexes = vacant_first(pos, slot, hexes)
    ways = {h: _ways_back(pos, slot, h, distance - 1) for h in members(hexes)}
    far_enough = sum(1 << h for h, onward in ways.items() if onward)
    return [(h, *way) for h in members(vacant_first(pos, slot, far_enough)) for way in ways[h]]


def loss_orders(pos: LeningradPosition) -> Iterator[Order]:
    """``lose UNIT``, and every retreat open to the side that chooses."""
    fight = _fight(pos)
    units = affected(pos)
    if not fight.retreat:
        yield from (Order("lose", (pos.name(slot),)) for slot in units)
        if not may_retreat(pos):
            return
    for slot in units:
        yield from retreat_orders(pos, slot)


def retreat_orders(pos: LeningradPosition, slot: Slot) -> list[Order]:
    """Every retreat open to a unit; without any it is lost (10.7)."""
    fight, name, names = _fight(pos), (pos.name(slot),), pos.ground.names
    paths = retreat_paths(pos, slot, fight.retreat or fight.toll)
    return [Order("retreat", name, tuple([names[h] for h in path])) for path in paths or [()]]


def why_no_loss(pos: LeningradPosition, order: Order) -> Refusal | None:
    """Why a loss or retreat is refused."""
    fight = _fight(pos)
    case = f"10.{fight.toll or 1}"
    if order.verb == "end":
        return Refusal(case, "the result is carried out first")
    if order.verb not in ("lose", "retreat"):
        return _why_defender_stays(pos, order) or wrong_phase(pos, order)
    slot = named_unit(pos, order)
    if isinstance(slot, Refusal):
        return slot
    if slot not in affected(pos):
        return Refusal(case, f"{pos.name(slot)} is not affected by this result")
    if order.verb == "lose":
        return Refusal(case, "retreat has been chosen: all affected units retreat") if fight.retreat else None
    if not may_retreat(pos):
        return Refusal("7.6", "after a successful overrun losses must be taken as steps")
    path = named_hexes(pos, order)
    if isinstance(path, Refusal):
        return path
    distance = fight.retreat or fight.toll
    paths = retreat_paths(pos, slot, distance)
    if path in (paths or [()]):
        return None
    if not path:
        return Refusal("10.7", f"{pos.name(slot)} has a way to retreat and must take it")
    if paths and len(path) != distance:
        hexes = "one hex" if distance == 1 else "two hexes"
        return Refusal(f"10.{distance}", f"{pos.name(slot)} must retreat {hexes}")
    return _why_unsafe(pos, slot, path)


def _why_unsafe(pos: LeningradPosition, slot: Slot, path: tuple[Hex, ...]) -> Refusal:
    """Which condition of 10.7 or 10.8 a retreat breaks."""
    at, side, ground = pos.hexes[slot], pos.pieces[slot].side, pos.ground
    enemies = feared(pos, slot)
    for number, h in enumerate(path):
        name = ground.names[h]
        if any(way[0] == h for way in _ways_back(pos, slot, at, len(path) - number)):
            at = h
            continue
        if not ground.grid.adjacent(at, h):
            return Refusal("10.7", f"{name} is not next to {ground.names[at]}")
        if not ground.around[at] >> h & 1 or not ground.land >> h & 1:
            return Refusal("4.9", f"the hexside from {ground.names[at]} to {name} is all water")
        if pos.crowd[1 - side][0] >> h & 1:
            return Refusal("10.7", f"an enemy unit is in {name}")
        if pos.crowd[side][2] >> h & 1:
            return Refusal("10.7", f"three friendly units are in {name} already")
        if pos.zone(1 - side) >> h & 1 and not pos.crowd[side][0] >> h & 1:
            return Refusal("10.7", f"{name} is in an enemy zone of control")
        distances = [min(ground.grid.distance(x, e) for e in enemies) for x in (at, h)]
        if distances[1] <= distances[0]:
            return Refusal("10.7", f"{name} is no further from the enemy")
        if pos.crowd[side][0] >> h & 1:
            return Refusal("10.8", f"{name} is occupied, and a vacant safe hex is open")
        break
    return Refusal("10.7", f"{pos.name(slot)} cannot retreat far enough that way")


def take_loss(pos: LeningradPosition, order: Order) -> None:
    """Carry out a step loss or a retreat; when all is paid, the other side's part begins."""
    fight = _fight(pos)
    slot = pos.slot(order.units[0])
    if order.verb == "lose":
        pos.lose_step(slot)
        fight = replace(fight, toll=fight.toll - 1)
    else:
        path = tuple(pos.ground.grid.hex(number) for number in order.hexes)
        fight = replace(fight, retreat=fight.retreat or fight.toll)
        if path:
            _retreat(pos, slot, path)
            fight = replace(fight, retreated=(*fight.retreated, slot), passed=(*fight.passed, *path[:-1]))
        else:
            pos.tell("no retreat", "10.7", "{0} has nowhere to retreat", pos.name(slot))
            pos.eliminate(slot, "10.7")
    pos.fight = fight
    if affected(pos) and (fight.toll > 0 if not fight.retreat else True):
        return
    if fight.stage == "defend":
        attackers_part(pos)
    else:
        advances(pos)


def _retreat(pos: LeningradPosition, slot: Slot, path: tuple[Hex, ...]) -> None:
    fight = _fight(pos)
    for h in path:
        pos.put(slot, h)
    pos.disturb((slot,))
    if not fight.overrun:
        pos.displaced |= 1 << slot
    if slot in pos.active:
        pos.active = {s: left for s, left in pos.active.items() if s != slot}
    pos.tell("retreated", "10.6", "{0} retreats to {1}", pos.name(slot), pos.ground.names[path[-1]])


# Advance (10.9) -------------------------------------------------------------------------------------


def vacated(pos: LeningradPosition, fight: Fight, hexes: Iterable[Hex]) -> list[Hex]:
    """Those of the hexes that no unit of their former owner holds any more."""
    owner = 1 - fight.side if hexes == fight.targets else fight.side
    return [h for h in dict.fromkeys(hexes) if not pos.crowd[owner][0] >> h & 1]


def advance_paths(pos: LeningradPosition, slot: Slot) -> Iterator[tuple[Hex, ...]]:
    """One hex, or both hexes of a two-hex retreat, that a victorious unit may advance into."""
    fight = _fight(pos)
    side = pos.pieces[slot].side
    first = vacated(pos, fight, fight.targets if fight.stage == "advance" else fight.origins)
    losers = fight.defenders if fight.stage == "advance" else fight.attackers
    posts = fight.posts if fight.stage == "advance" else fight.origins
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
    """Units that may still advance: attackers that did not retreat, or defenders left unhurt."""
    fight = _fight(pos)
    units = fight.attackers if fight.stage == "advance" else fight.defenders
    return [s for s in units if pos.hexes[s] >= 0 and s not in fight.retreated and s not in fight.advanced]


def advance_orders(pos: LeningradPosition) -> Iterator[Order]:
    """Every advance open now."""
    for slot in victors(pos):
        for path in advance_paths(pos, slot):
            yield Order("advance", (pos.name(slot),), tuple(pos.ground.names[h] for h in path))


def why_no_advance(pos: LeningradPosition, order: Order) -> Refusal | None:
    """Why an advance, or doing without one, is refused."""
    fight = _fight(pos)
    if order.verb == "end":
        if fight.overrun and not fight.advanced:
            return Refusal("7.6", "at least one overrunning unit must advance")
        return None
    if order.verb != "advance":
        return wrong_phase(pos, order)
    slot = named_unit(pos, order)
    if isinstance(slot, Refusal):
        return slot
    if slot not in victors(pos):
        stays = _why_defender_stays(pos, order)
        if stays is not None:
            return stays
        return Refusal("10.9", f"{pos.name(slot)} may not advance")
    path = named_hexes(pos, order)
    if isinstance(path, Refusal):
        return path
    ways = list(advance_paths(pos, slot))
    if path in ways:
        return None
    through = next((way for way in ways if way[1:] == path), None)
    if through is not None:
        names = "-".join(pos.ground.names[h] for h in through)
        return Refusal(
            "10.9", f"{order.hexes[0]} is entered through the hex before it: advance {pos.name(slot)} {names}"
        )
    return Refusal("10.9", f"{'-'.join(order.hexes)} is not a vacated hex that {pos.name(slot)} may enter")


def _why_defender_stays(pos: LeningradPosition, order: Order) -> Refusal | None:
    """A defender does not advance after a split result (10.3)."""
    fight = _fight(pos)
    slot = named_unit(pos, order) if order.verb == "advance" else None
    if slot in fight.defenders and split(fight):
        return Refusal("10.3", f"{order.units[0]} may not advance: the result was split")
    return None


def advance(pos: LeningradPosition, order: Order) -> None:
    """Advance a unit, or end the fight."""
    fight = _fight(pos)
    if order.verb == "end":
        pos.fight = None
        return
    slot = pos.slot(order.units[0])
    for number in order.hexes:
        pos.put(slot, pos.ground.grid.hex(number))
    pos.disturb((slot,))
    pos.fight = replace(fight, advanced=(*fight.advanced, slot))
    pos.tell("advanced", "10.9", "{0} advances to {1}", pos.name(slot), order.hexes[-1])
    if not any(True for _ in advance_orders(pos)):
        pos.fight = None


# The chapter ----------------------------------------------------------------------------------------


def orders(pos: LeningradPosition) -> Iterable[Order]:
    """What the side that chooses may do."""
    fight = _fight(pos)
    if fight.stage == "air":
        return [Order("air", words=(str(n),)) for n in range(air.ready(pos) + 1)]
    if fight.stage in ("defend", "attack"):
        return loss_orders(pos)
    found = list(advance_orders(pos))
    return [*found, END] if why_no_advance(pos, END) is None else found


def orders_of(pos: LeningradPosition, unit: str) -> Iterable[Order]:
    """The orders that concern a unit."""
    return orders(pos)


def random(pos: LeningradPosition, rng: _random.Random) -> Order:
    """Some legal order; of losses and retreats a unit first, then what becomes of it."""
    fight = _fight(pos)
    if fight.stage in ("defend", "attack"):
        units = affected(pos)
        slot = units[int(rng.random() * len(units))]
        if not fight.retreat and (rng.random() < 0.5 or not may_retreat(pos)):
            return Order("lose", (pos.name(slot),))
        every = retreat_orders(pos, slot)
    else:
        every = list(orders(pos))
    return every[int(rng.random() * len(every))]


def refusal(pos: LeningradPosition, order: Order) -> Refusal | None:
    """Why an order is refused while a result is carried out."""
    fight = _fight(pos)
    if fight.stage == "air":
        if order.verb != "air":
            return wrong_phase(pos, order)
        if order.words[0] not in ("0", "1", "2"):
            return Refusal("13.1", "name the number of air units: 0, 1 or 2")
        return combat.why_no_air(pos, GERMAN, int(order.words[0]))
    if fight.stage in ("defend", "attack"):
        return why_no_loss(pos, order)
    return why_no_advance(pos, order)


def apply(pos: LeningradPosition, order: Order) -> None:
    """Carry out a choice."""
    fight = _fight(pos)
    if fight.stage == "air":
        pos.fight = replace(fight, guard_air=int(order.words[0]))
        pos.air_used += int(order.words[0])
        combat.tell_air(pos, int(order.words[0]), "defence")
        reveal(pos)
    elif fight.stage in ("defend", "attack"):
        take_loss(pos, order)
    else:
        advance(pos, order)
