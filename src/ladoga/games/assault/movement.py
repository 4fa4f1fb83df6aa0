"""Movement (6.0), on both maps and between them (8.2, 8.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from ...hexes import NOWHERE, Hex, HexMask, mask_of, members
from ...kernel.errors import Illegal
from ...kernel.events import Moved
from ...kernel.orders import Order
from ...kernel.position import Reached, Refusal, first_case, forbid, refuse
from . import derived
from .figures import GERMAN, SIXTHS, SOVIET, Unit
from .ground import NO_SIDES
from .kept import Kept
from .orders import named_hexes, own_unit
from .pending import Marching, Summons
from .reach import Mover, Reach, single_steps, way_cost
from .state import State
from .zones import no_room

# Who may move -------------------------------------------------------------------------------------


def standstill(pos: State, index: int) -> Refusal | None:
    """Why a unit may not move in this phase, or ``None`` (6.18, 6.22, 5.6, 12.42, 14.2)."""
    if on_the_march(pos, index):
        unit = pos.roster[index]
        if pos.lays[1 - unit.side].rigid >> pos.where[index] & 1:
            return Refusal("9.2", f"{unit.id} must stop in {pos.ground.number(pos.where[index])}")
    elif pos.moved >> index & 1:
        return Refusal("6.19", f"{pos.roster[index].id} has already moved in this phase")
    return _bound(pos, index)


def on_the_march(pos: State, index: int) -> bool:
    """Whether the summons interrupted the move of this very unit, which then goes on (8.33)."""
    marching = pos.agenda[-1][2] if pos.agenda else None
    return marching is not None and bool(marching.unit == index)


@derived.through_phase
def _bound(pos: State, index: int) -> Refusal | None:
    """What keeps a unit where it is that has not moved: the same through the phase."""
    unit, frozen = pos.roster[index], pos.frozen(pos.roster[index].id)
    again = bool(pos.agenda) and pos.agenda[-1].at == "mechanized-movement"
    held = again and pos.lays[1 - unit.side].rigid >> pos.where[index] & 1 and not on_the_march(pos, index)
    return first_case(
        (pos.is_disrupted(index), "13.11" if unit.is_naval else "12.42", "{} is disrupted and may not move", unit.id),
        (digging(pos, index), "14.2", "{} is a worker unit outside the city and never moves", unit.id),
        (unit.side == SOVIET and pos.turn <= frozen, "5.6", "{} may not move before turn {}", unit.id, frozen + 1),
        (again and not unit.mechanized, "6.21", "{} is not mechanized; only mechanized units move again", unit.id),
        (again and pos.is_out(index), "11.22", "{} was out of supply at the beginning of the player-turn", unit.id),
        (again and pos.has_retreated(index), "6.22", "{} retreated in the combat phase", unit.id),
        (held, "6.22", "{} begins the phase in an enemy rigid zone of control", unit.id),
    )


def digging(pos: State, index: int) -> bool:
    """Whether a unit is a worker on the main map outside the city: it never moves nor retreats (14.2)."""
    return pos.roster[index].is_worker and bool(pos.ground.main & ~pos.ground.city & 1 << pos.where[index])


def forbidden(pos: State, index: int) -> HexMask:
    """Hexes a unit may never be in, or not now, friends and enemies in them apart."""
    unit, ground = pos.roster[index], pos.ground
    mask = ground.capital if unit.side == GERMAN or pos.germans_on_inset else 0
    if unit.is_worker:
        mask |= ~(ground.capital | ground.interior) & ground.grid.all
    elif unit.type in ground.book.inset_only:
        mask |= ~ground.interior & ground.grid.all
    elif unit.is_guerrilla and pos.options.guerrillas_away and pos.turn > 1:
        mask |= ground.near_city
    return mask


def forbidding_case(unit: Unit) -> str:
    """The case that keeps a kind of unit out of hexes in which others may be."""
    return "14.4" if unit.is_worker else "18.21" if unit.is_guerrilla else "19.43"


def enemy_fringe(pos: State, side: int) -> HexMask:
    """Fringe hexes whose counterpart on the other map holds an enemy: they are one place (8.35, 8.37)."""
    return pos.ground.through(pos.lays[1 - side].occupied)


class Outlook(NamedTuple):
    """What the enemy leaves open to a side through a phase."""

    rigid: HexMask
    zones: HexMask
    bars: tuple[HexMask, ...] | None
    closed: HexMask
    """Hexes closed by the enemy (6.12, 8.35)."""
    stops: HexMask
    """Hexes where a unit goes no further: rigid zones, and for a German the fringe of a city not yet manned (8.33)."""


def outlook_of(pos: State, side: int) -> Outlook:
    """The outlook of a side, the same all through a phase."""
    lore = derived.lore_of(pos, side)
    found = lore.outlook
    if found is None:
        enemy = pos.lays[1 - side]
        zones = enemy.rigid | enemy.fluid
        halts = pos.ground.fringe_inset if side == GERMAN and pos.summons_due else 0
        found = lore.outlook = Outlook(
            enemy.rigid, zones, pos.ground.bars(zones), enemy.occupied | enemy_fringe(pos, side), enemy.rigid | halts
        )
    return found


@derived.by_sort
def shut(pos: State, index: int, lore: derived.Lore) -> HexMask:
    """Hexes a unit may not enter: held by the enemy (6.12), full of friends (7.5), closed to its kind."""
    return outlook_of(pos, pos.roster[index].side).closed | no_room(pos, index) | forbidden(pos, index)


def mover_of(pos: State, index: int, entries: HexMask = 0) -> Mover:
    """What decides a unit's reach in this phase; ``entries`` for a unit that comes onto the map."""
    unit, ground, h, marching = pos.roster[index], pos.ground, pos.where[index], pos.marching
    outlook, closed = outlook_of(pos, unit.side), shut(pos, index, derived.lore_of(pos, unit.side))
    behind, spent = 1 << h if h >= 0 else 0, 0
    if marching is not None and marching.unit == index:
        behind, spent = behind | (1 << ground.fringe_of[h] if h in ground.fringe_of else 0), marching.spent
    budget = unit.movement - spent
    return Mover(
        ground,
        ground.ways(unit.side, unit.column),
        ground.soviet_fords if unit.side == SOVIET else NO_SIDES,
        h,
        behind,
        {e: min(ground.entry_price(e, unit.column), budget) for e in members(entries & ~closed)} if entries else {},
        budget,
        closed,
        outlook.rigid,
        outlook.zones,
        outlook.bars,
        outlook.stops,
        not spent,
        h >= 0 and pos.is_out(index),
        ground.tables.leave_zone * SIXTHS,
    )


def reach_of(pos: State, index: int, entries: HexMask = 0) -> Reach:
    """Where a unit may go, or where one that comes in at these hexes may: as it was known in this phase, while that
    holds."""
    if on_the_march(pos, index):
        return Reach(mover_of(pos, index, entries))
    lore = derived.lore_of(pos, pos.roster[index].side)
    known = lore.reaches.get(index)
    if known is None or known.start != pos.where[index]:
        known = lore.reaches[index] = Kept(mover_of(pos, index, entries))
    elif not known.still_holds(shut(pos, index, lore)):
        known = lore.reaches[index] = Kept(mover_of(pos, index, entries), known)
    return known


def destinations(pos: State, index: int, reach: Reach) -> HexMask:
    """Where a move may end: under the optional rule guerrillas get away from the city on turn 1 (18.21)."""
    hexes = reach.hexes
    if not must_get_away(pos, index):
        return hexes
    away = hexes & ~pos.ground.near_city
    if not away and gets_away_by_transfer(pos, index):
        return 0
    return away or hexes


def must_get_away(pos: State, index: int) -> bool:
    """Whether the optional rule sends a unit away from the city in this turn (18.21)."""
    return getting_away(pos) and pos.roster[index].is_guerrilla


def getting_away(pos: State) -> bool:
    """Whether it is the turn in which the optional rule sends guerrillas away from the city (18.21)."""
    return pos.turn == 1 and pos.options.guerrillas_away


def gets_away(pos: State, index: int, start: Hex = NOWHERE) -> bool:
    """Whether a unit near the city can get seven hexes away, from where it is or another hex (18.21)."""
    here = pos.where[index]
    if here < 0 or standstill(pos, index) is not None or not pos.ground.near_city >> here & 1:
        return False
    mover = mover_of(pos, index)
    if start >= 0:
        mover = mover._replace(start=start, behind=1 << start)
    return bool(Reach(mover).hexes & pos.ground.main & ~pos.ground.near_city)


def gets_away_by_transfer(pos: State, index: int) -> bool:
    """Whether a unit in the interior of the inset can get away once it is transferred to the main map."""
    ground = pos.ground
    capital = ground.capital_of.get(pos.where[index], NOWHERE)
    if capital < 0 or pos.transferred >> index & 1 or pos.germans_on_inset or no_room(pos, index) >> capital & 1:
        return False
    return gets_away(pos, index, capital)


def has_step(pos: State, index: int) -> bool:
    """Whether a unit on the map that may move can enter any hex: one always may, if it is open (6.13)."""
    mover = mover_of(pos, index)
    if mover.one_hex and not must_get_away(pos, index):
        return bool(single_steps(mover))
    return bool(destinations(pos, index, reach_of(pos, index)))


# Orders -------------------------------------------------------------------------------------------


def waters(pos: State, index: int) -> Mapping[str, Reached]:
    """Where the fleet may sail, which costs it nothing (13.2)."""
    ground, start = pos.ground, pos.where[index]
    free = Fraction(0)
    return {n: Reached(free, (ground.number(start), n), free) for n in ground.numbers(ground.fleet & ~(1 << start))}


class March(NamedTuple):
    """A move that is legal: a unit, and the way it names or where it goes."""

    unit: int
    path: Sequence[Hex]
    """The hexes it enters; the goal alone where ``reach`` has the ways there."""
    mover: Mover | None = None
    """Who moves; nobody on foot if the fleet sails."""
    reach: Reach | None = None


def march_of(pos: State, order: Order) -> March | Refusal:
    """The move of an order, or why it is illegal."""
    forbid(len(order.units) != 1, "6.12", "units move one at a time")
    index = own_unit(pos, order.units[0])
    unit, here = pos.roster[index], pos.where[index]
    forbid(here < 0, "16.14", "{} is not on the map", unit.id)
    refuse(standstill(pos, index))
    path = named_hexes(pos, order)
    if unit.is_naval:
        forbid(len(path) != 1 or not pos.ground.fleet >> path[0] & 1 or path[0] == here, "13.2",
               "the fleet moves only among its {} hexes of Neva Bay", pos.ground.fleet.bit_count())  # fmt: skip
        return March(index, path)
    exact = len(path) > 1
    if exact and path[0] == here:
        path = path[1:]
    if exact and not must_get_away(pos, index):
        return along(pos, index, mover_of(pos, index), path)
    reach = reach_of(pos, index)
    ends = destinations(pos, index, reach)
    goal = path[-1]
    if must_get_away(pos, index) and (reach.hexes | 1 << here) >> goal & 1:
        near = pos.ground.near_city
        forbid(near >> goal & 1 and not ends & near, "18.21", "{} must get seven hexes away from the city on turn 1",
               unit.id)  # fmt: skip
    if exact:
        return along(pos, index, mover_of(pos, index), path)
    if ends >> goal & 1:
        return March(index, path, reach.mover, reach)
    return out_of_reach(pos, index, goal, mover_of(pos, index))


def along(pos: State, index: int, mover: Mover, path: Sequence[Hex]) -> March:
    """The move of a unit exactly this way, which is judged place by place: a hex may come up more than once."""
    unit, ground, free = pos.roster[index], pos.ground, _free_to_return(pos, index, mover)
    spent, here, behind, steps = 0, pos.where[index], mover.behind, 0
    places = sum(a < 0 or not ground.links.get(a, 0) >> b & 1 for a, b in pairwise([here, *path]))
    alone = mover.one_hex and places == 1  # a transfer between the maps stays in one place (8.34)
    crossed = False
    for b in path:
        if not ground.land >> b & 1 or free.shut >> b & 1:
            refuse(out_of_reach(pos, index, b, free))
        if here < 0:
            forbid(b not in free.entries, "16.14", "{} is not in the entry area of {}", ground.number(b), unit.id)
            spent, here, behind = free.entries[b], b, 1 << b
            continue
        halted = free.stops >> here & 1 and (steps or here != free.start)
        forbid(halted and free.rigid >> here & 1, "9.2", "{} must stop in {}", unit.id, ground.number(here))
        forbid(halted, "8.33", "{} halts in {} while the city is manned", unit.id, ground.number(here))
        if ground.links.get(here, 0) >> b & 1:
            forbid(crossed, "6.33", "{} has crossed the river into {} and stays there", unit.id, ground.number(here))
            here, behind = b, behind | 1 << b
            continue
        forbid(not ground.grid.adjacent(here, b), "6.12", "{} and {} are not next to each other", ground.number(here),
               ground.number(b))  # fmt: skip
        steps += 1
        forbid(free.only_one and (steps > 1 or not free.one_hex), "11.21",
               "{} is out of supply and moves one hex at most", unit.id)  # fmt: skip
        if alone and free.may_step(here, b):
            crossed = b not in free.ways.prices[here]
        else:
            step = free.step_price(here, b, behind)
            if step is None:
                raise Illegal(*out_of_reach(pos, index, b, free, here, behind))
            spent += step
            forbid(spent > free.budget, "6.13", "{} has not the movement points to enter {}", unit.id, ground.number(b))
        here, behind = b, 1 << b
    forbid(here == pos.where[index] and not steps, "6.12", "{} is in {} already", unit.id, ground.number(here))
    return March(index, path, mover)


def _free_to_return(pos: State, index: int, mover: Mover) -> Mover:
    """The mover of a unit that may come back to the hex it has left: it is not in its own way there (7.5)."""
    own = 1 << mover.start if mover.start >= 0 else 0
    if not own & mover.shut or own & (outlook_of(pos, pos.roster[index].side).closed | forbidden(pos, index)):
        return mover
    return mover._replace(shut=mover.shut & ~own)


def out_of_reach(pos: State, index: int, h: Hex, mover: Mover, here: Hex | None = None, behind: HexMask = 0) -> Refusal:
    """Why a unit may not be in a hex, or cannot get there."""
    unit, ground, number = pos.roster[index], pos.ground, pos.ground.number(h)
    here = pos.where[index] if here is None else here
    behind, capital = behind or mover.behind, ground.capital >> h & 1
    crowded = ground.city >> h & 1 and (capital or h not in pos.stacks)
    forbid(h == here, "6.12", "{} is in {} already", unit.id, number)
    forbid(not ground.land >> h & 1, "8.25" if ground.inset >> h & 1 else "6.17", "no ground unit may enter {}", number)
    forbid(pos.lays[1 - unit.side].occupied >> h & 1, "6.12", "there is an enemy unit in {}", number)
    forbid(capital and unit.side == GERMAN, "8.31", "German units enter {} only on the inset", ground.book.capital_name)
    forbid(capital and pos.germans_on_inset, "8.33",
           "with Germans on the inset the city hexes of the main map are closed")  # fmt: skip
    forbid(forbidden(pos, index) >> h & 1, forbidding_case(unit), "{} may not enter {}", unit.id, number)
    forbid(enemy_fringe(pos, unit.side) >> h & 1, "8.35", "the hex that is {} on the other map holds an enemy unit",
           number)  # fmt: skip
    forbid(no_room(pos, index) >> h & 1, "8.26" if crowded else _stacking_case(unit), "{} may not stack in {}", unit.id,
           number)  # fmt: skip
    if here >= 0 and ground.grid.adjacent(here, h):
        d = ground.grid.direction(here, h)
        ford, rigid = mover.fords[d] >> here & 1, mover.rigid >> h & 1 and behind & mover.rigid
        closed = h not in mover.ways.prices[here] and not ford
        forbid(closed and not ground.ashore[d] >> here & 1, "6.17", "the hexside to {} is all water", number)
        forbid(closed, "6.32" if ground.main >> h & 1 else "8.23", "{} may not cross the river into {}", unit.id,
               number)  # fmt: skip
        forbid(mover.zone_bars(here, h, behind), "9.2" if rigid else "19.33",
               "from zone to zone {} may not go straight into {}", unit.id, number)  # fmt: skip
        forbid(ford, "6.33", "crossing the river into {} takes the whole of a unit's movement", number)
    forbid(unit.side == GERMAN and pos.summons_due and ground.interior >> h & 1, "8.33",
           "{} halts on the fringe of the inset while the city is manned", unit.id)  # fmt: skip
    forbid(mover.only_one, "11.21", "{} is out of supply and moves one hex at most", unit.id)
    return (
        _held_up(pos, index, h, mover)
        or _beyond_the_river(pos, index, h, mover)
        or Refusal("6.13", f"{unit.id} cannot reach {number} with its movement points")
    )


def _held_up(pos: State, index: int, h: Hex, mover: Mover) -> Refusal | None:
    """Whether only enemy zones keep a unit from a hex: the stop in rigid ones (9.2), the price of leaving (9.4)."""
    unit, number = pos.roster[index], pos.ground.number(h)
    left = mover.zones & (pos.lays[1 - unit.side].fluid | mover.behind)
    without = mover._replace(rigid=0, bars=None, stops=mover.stops & ~mover.rigid, zones=left)
    return first_case(
        (mover.zones and Reach(without).hexes >> h & 1, "9.2",
         "{} must stop in the rigid zones on its way to {}", unit.id, number),
        (mover.zones and Reach(without._replace(zones=0)).hexes >> h & 1, "9.4",
         "{} has not the points to leave the zones on its way to {}", unit.id, number),
    )  # fmt: skip


def _beyond_the_river(pos: State, index: int, h: Hex, mover: Mover) -> Refusal | None:
    """Whether a unit can get as far as the great river but not over it to a hex behind it (6.32, 6.33; 8.23)."""
    ground, reached = pos.ground, Reach(mover).hexes
    for d, beside in enumerate(ground.grid.neighbours(h)):
        if beside != NOWHERE and ground.barrier[d] >> h & 1 and reached >> beside & 1:
            over = f"{pos.roster[index].id} may not cross the river into {ground.number(h)}"
            return first_case(
                (not ground.main >> h & 1, "8.23", "{}", over),
                (mover.fords[ground.grid.direction(beside, h)] >> beside & 1, "6.33",
                 "{}: it would have to begin the phase beside it", over),
            ) or Refusal("6.32", over)  # fmt: skip
    return None


def _stacking_case(unit: Unit) -> str:
    """The case that limits the stacking of a kind of unit (7.1 to 7.4)."""
    return _CASES_BY_KIND.get(unit.kind) or ("7.2" if unit.side == GERMAN and unit.division else "7.1")


_CASES_BY_KIND = {"hq": "7.3", "worker": "7.4", "guerrilla": "7.4"}


def move(pos: State, march: March) -> None:
    """Move a unit along the way named, or along the cheapest one, which is looked for only where it matters."""
    index, path, mover, reach = march
    if mover is None:
        pos.where[index] = path[0]
        pos.mark_moved(index)
        name, number = pos.roster[index].id, pos.ground.number(path[0])
        pos.tell("move", "13.2", "{0} sails to {1}", name, number, fact=Moved((name,), number))
        return
    owed, goal = 0, path[-1]
    if reach is not None:
        along = reach.hexes & pos.at_stake(pos.roster[index].side)
        if along:  # a hex that one is transferred to out of a zone, or out of supply, is in no layer of the reach
            along &= reach.within(reach.cost(goal) or 0) | pos.ground.linked
        if along or pos.ground.fringe_inset >> goal & 1:
            path = way_to(pos, index, reach, goal)
            owed = forfeits(pos, index) & mask_of(path[:-1])
    _walk(pos, index, mover, path)
    for city in members(owed):
        name = pos.map.name_of(city)
        pos.tell("way", "17.25", "{0} went through {1}, where a division must now stay", pos.roster[index].id, name)


def forfeits(pos: State, index: int) -> HexMask:
    """Cities that a unit had better not pass on its way elsewhere: whoever takes one must garrison it (17.25)."""
    return pos.to_garrison if pos.roster[index].side == GERMAN else 0


def way_to(pos: State, index: int, reach: Reach, h: Hex) -> list[Hex]:
    """The way a unit takes to a hex in reach: a cheapest one that costs its side nothing else, if there is one."""
    path = reach.path(h)
    owed = forfeits(pos, index) & ~(1 << h)
    if not owed & mask_of(path):
        return path
    mover = reach.mover
    entries = {e: price for e, price in mover.entries.items() if not owed >> e & 1}
    careful = Reach(mover._replace(shut=mover.shut | owed, entries=entries))
    if careful.hexes >> h & 1 and careful.cost(h) == reach.cost(h):
        return careful.path(h)
    return path


MOVES = "6.12", "move", "{0} moves to {1}"
ENTERS = "16.14", "enter", "{0} enters and moves to {1}"


def _walk(pos: State, index: int, mover: Mover, path: Sequence[Hex]) -> None:
    """Carry a unit along a way that is known to be legal (6.12, 8.34); the first German on the inset is halted while
    the city is manned (8.33)."""
    unit, ground, start = pos.roster[index], pos.ground, pos.where[index]
    summons = unit.side == GERMAN and pos.summons_due and any(ground.fringe_inset >> h & 1 for h in path)
    matter = None
    if summons:
        before = pos.marching.spent if pos.marching is not None and on_the_march(pos, index) else 0
        spent = before + way_cost(_free_to_return(pos, index, mover), start, path)
        matter = Marching(index, spent) if spent < unit.movement else None
    pos.put(index, path[-1])
    pos.pass_through(unit.side, path)
    pos.mark_moved(index)
    if matter is not pos.agenda[0].matter:
        pos.hold(matter)
    case, kind, told = ENTERS if start < 0 else MOVES
    number = ground.number(path[-1])
    pos.tell(kind, case, told, unit.id, number, fact=Moved((unit.id,), number))
    if summons:
        pos.tell("summons", "8.33", "German units are at the city: its defenders man the districts")
        pos.interrupt("summons", SOVIET, Summons())


def cost_of(pos: State, march: March) -> int:
    """What a way named hex by hex costs, in sixths of a point."""
    assert march.mover is not None
    return way_cost(_free_to_return(pos, march.unit, march.mover), pos.where[march.unit], march.path)
