"""Movement (6.0), on both maps and between them (8.2, 8.3)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from ...hexes import NOWHERE, Hex, HexMask, mask_of, members
from ...kernel.orders import Order
from ...kernel.position import Reached, Refusal
from .figures import GERMAN, SIXTHS, SOVIET, Unit
from .ground import NO_SIDES, Ground
from .reach import Mover, Reach, single_steps, way_cost
from .zones import no_room

if TYPE_CHECKING:
    from .position import AssaultPosition


# Who may move -------------------------------------------------------------------------------------


def standstill(pos: AssaultPosition, index: int) -> Refusal | None:
    """Why a unit may not move in this phase, or ``None`` (6.18, 6.22, 5.6, 12.42, 14.2)."""
    unit = pos.roster[index]
    if pos.marching == unit.id:
        if pos.lay(1 - unit.side).rigid >> pos.where[index] & 1:
            return Refusal("9.2", f"{unit.id} must stop in {pos.ground.number(pos.where[index])}")
        return _bound(pos, index)
    if pos.moved >> index & 1:
        return Refusal("6.19", f"{unit.id} has already moved in this phase")
    known, key = outlook_of(pos, unit.side).bound, (index, pos.where[index])
    if key not in known:
        known[key] = _bound(pos, index)
    return known[key]


def _bound(pos: AssaultPosition, index: int) -> Refusal | None:
    """What keeps a unit where it is that has not moved: the same through the phase."""
    unit = pos.roster[index]
    if pos.is_disrupted(index):
        return Refusal("13.11" if unit.is_naval else "12.42", f"{unit.id} is disrupted and may not move")
    if digging(pos, index):
        return Refusal("14.2", f"{unit.id} is a worker unit outside the city and never moves")
    if unit.side == SOVIET and pos.turn <= pos.frozen(unit.id):
        return Refusal("5.6", f"{unit.id} may not move before turn {pos.frozen(unit.id) + 1}")
    if pos.phase.id == "german-mechanized-movement":
        if not unit.mechanized:
            return Refusal("6.21", f"{unit.id} is not mechanized; only mechanized units move again")
        if pos.is_out(index):
            return Refusal("11.22", f"{unit.id} was out of supply at the beginning of the player-turn")
        if pos.has_retreated(index):
            return Refusal("6.22", f"{unit.id} retreated in the combat phase")
        if pos.lay(1 - unit.side).rigid >> pos.where[index] & 1 and pos.marching != unit.id:
            return Refusal("6.22", f"{unit.id} begins the phase in an enemy rigid zone of control")
    return None


def digging(pos: AssaultPosition, index: int) -> bool:
    """Whether a unit is a worker on the main map outside the city: it never moves nor retreats (14.2)."""
    return pos.roster[index].is_worker and bool(pos.ground.main & ~pos.ground.city & 1 << pos.where[index])


def forbidden(pos: AssaultPosition, index: int) -> HexMask:
    """Hexes a unit may never be in, or not now, friends and enemies in them apart."""
    unit, ground = pos.roster[index], pos.ground
    mask = 0
    if unit.side == GERMAN or pos.germans_on_inset:
        mask |= ground.capital
    if unit.is_worker:
        mask |= ~(ground.capital | ground.interior) & ground.grid.all
    elif unit.type in ground.book.inset_only:
        mask |= ~ground.interior & ground.grid.all
    elif unit.is_guerrilla and pos.options.get("guerrillas-away") and pos.turn > 1:
        mask |= ground.near_city
    return mask


def forbidding_case(unit: Unit) -> str:
    """The case that keeps a kind of unit out of hexes in which others may be."""
    return "14.4" if unit.is_worker else "18.21" if unit.is_guerrilla else "19.43"


def enemy_fringe(pos: AssaultPosition, side: int) -> HexMask:
    """Fringe hexes whose counterpart on the other map holds an enemy: they are one place (8.35, 8.37)."""
    ground = pos.ground
    mask = 0
    for h in members(pos.lays[1 - side].occupied & ground.linked):
        mask |= ground.links[h]
    return mask


class Outlook:
    """What the enemy leaves open to a side through a phase, and the reaches worked out so far.

    While a side moves, only its own units change place. Everything else that a reach depends on is written here:
    positions of one phase share one outlook for as long as it is the same, and with it the reaches, each of which
    knows for which friends in the way it holds.
    """

    __slots__ = (
        "_lay", "_shut", "bars", "bound", "closed", "disrupted", "enemy", "movers", "out", "reaches", "rigid", "side",
        "stage", "summons", "turn", "zones",
    )  # fmt: skip

    def __init__(self, pos: AssaultPosition, side: int, summons: bool) -> None:
        self.side, self.stage, self.turn = side, pos.stage, pos.turn
        self.out, self.disrupted = pos.out, pos.disrupted
        self.summons = summons
        """Whether a German on the fringe of the inset would bring the city's units off the main map (8.33)."""
        self.enemy = enemy = pos.lays[1 - self.side]
        self.rigid = enemy.rigid
        self.zones = enemy.rigid | enemy.fluid
        self.bars = pos.ground.bars(self.zones)
        self.closed = enemy.occupied | enemy_fringe(pos, self.side)
        """Hexes closed by the enemy (6.12, 8.35)."""
        self.reaches: dict[int, Reach] = {}
        self.movers: dict[int, Mover] = {}
        self.bound: dict[tuple[int, Hex], Refusal | None] = {}
        """What keeps a unit in its hex all through the phase."""
        self._lay = pos.lays[self.side]
        self._shut: dict[tuple[str, str], HexMask] = {}

    def listed(self, pos: AssaultPosition, index: int) -> Sequence[Order] | None:
        """The moves of a unit that has not moved, if its reach is known and still holds."""
        kept = self.reaches.get(index)
        if kept is None or kept.listed is None or kept.start != pos.where[index]:
            return None
        shut = self._shut.get(pos.roster[index].sort) if pos.lays[self.side] is self._lay else None
        if shut is None:
            shut = self.shut(pos, index)
        changed = (shut ^ kept.shut) & kept.touched
        return None if changed and not kept.still_holds(shut) else kept.listed

    def shut(self, pos: AssaultPosition, index: int) -> HexMask:
        """Hexes a unit may not enter: held by the enemy (6.12), full of friends (7.5), closed to its kind.

        Remembered by sort of unit as long as the friends lie the same.
        """
        lay = pos.lays[self.side]
        if lay is not self._lay:
            self._lay, self._shut = lay, {}
        unit = pos.roster[index]
        found = self._shut.get(unit.sort)
        if found is None:
            found = self.closed | no_room(pos, index) | forbidden(pos, index)
            if not lay.rooms[unit.kind].crowded:
                self._shut[unit.sort] = found
        return found

    def holds(self, pos: AssaultPosition, summons: bool) -> bool:
        """Whether a position shares this outlook."""
        return (
            self.enemy is pos.lays[1 - self.side]
            and self.stage == pos.stage
            and self.turn == pos.turn
            and self.out == pos.out
            and self.disrupted == pos.disrupted
            and self.summons == summons
        )


def outlook_of(pos: AssaultPosition, side: int) -> Outlook:
    """The outlook of a side."""
    found = pos.outlooks[side]
    summons = side == GERMAN and pos.summons_due
    if found is None or not found.holds(pos, summons):
        found = pos.outlooks[side] = Outlook(pos, side, summons)
    return found


def mover_of(pos: AssaultPosition, index: int, entries: HexMask = 0) -> Mover:
    """What decides a unit's reach in this phase; ``entries`` for a unit that comes onto the map."""
    unit, ground = pos.roster[index], pos.ground
    outlook = outlook_of(pos, unit.side)
    shut = outlook.shut(pos, index)
    h = pos.where[index]
    marching = pos.marching == unit.id
    known = outlook.movers.get(index)
    if known is not None and known.start == h >= 0 and known.shut == shut and not marching:
        return known
    budget = unit.movement - pos.spent if marching else unit.movement
    behind = 1 << h if h >= 0 else 0
    if marching and h in ground.fringe_of:
        behind |= 1 << ground.fringe_of[h]
    mover = Mover(
        ground,
        ground.ways(unit.side, unit.column),
        ground.soviet_fords if unit.side == SOVIET else NO_SIDES,
        h,
        behind,
        {e: min(ground.entry_price(e, unit.column), budget) for e in members(entries & ~shut)} if entries else {},
        budget,
        shut,
        outlook.rigid,
        outlook.zones,
        outlook.bars,
        outlook.rigid | ground.fringe_inset if outlook.summons else outlook.rigid,
        not marching or not pos.spent,
        h >= 0 and pos.is_out(index),
        ground.tables.leave_zone * SIXTHS,
    )
    if not marching:
        outlook.movers[index] = mover
    return mover


def reach_of(pos: AssaultPosition, index: int, entries: HexMask = 0) -> Reach:
    """Where a unit may go, or where one that comes in at these hexes may."""
    unit = pos.roster[index]
    if pos.marching == unit.id:
        return Reach(mover_of(pos, index, entries))
    outlook = outlook_of(pos, unit.side)
    kept = outlook.reaches.get(index)
    if kept is None or kept.start != pos.where[index]:
        kept = outlook.reaches[index] = Reach(mover_of(pos, index, entries))
    elif not kept.still_holds(outlook.shut(pos, index)):
        kept = outlook.reaches[index] = Reach(mover_of(pos, index, entries), kept)
    return kept


def destinations(pos: AssaultPosition, index: int, reach: Reach) -> HexMask:
    """Where a move may end: under the optional rule guerrillas get away from the city on turn 1 (18.21)."""
    hexes = reach.hexes
    if not must_get_away(pos, index):
        return hexes
    away = hexes & ~pos.ground.near_city
    if not away and gets_away_by_transfer(pos, index):
        return 0
    return away or hexes


def must_get_away(pos: AssaultPosition, index: int) -> bool:
    """Whether the optional rule sends a unit away from the city in this turn (18.21)."""
    return pos.turn == 1 and pos.roster[index].is_guerrilla and bool(pos.options.get("guerrillas-away"))


def gets_away(pos: AssaultPosition, index: int, start: Hex = NOWHERE) -> bool:
    """Whether a unit near the city can get seven hexes away, from where it is or another hex (18.21)."""
    here = pos.where[index]
    if here < 0 or standstill(pos, index) is not None or not pos.ground.near_city >> here & 1:
        return False
    mover = mover_of(pos, index)
    if start >= 0:
        mover = mover._replace(start=start, behind=1 << start)
    return bool(Reach(mover).hexes & pos.ground.main & ~pos.ground.near_city)


def gets_away_by_transfer(pos: AssaultPosition, index: int) -> bool:
    """Whether a unit in the interior of the inset can get away once it is transferred to the main map."""
    ground = pos.ground
    capital = ground.capital_of.get(pos.where[index], NOWHERE)
    if capital < 0 or pos.is_transferred(index) or pos.germans_on_inset or no_room(pos, index) >> capital & 1:
        return False
    return gets_away(pos, index, capital)


STROLL = 7
"""How many steps a random march takes at most."""


def wander(pos: AssaultPosition, index: int, rng: random.Random) -> list[Hex]:
    """Some legal way, the start first, found step by step; nothing if chance finds none."""
    if pos.out >> index & 1 or must_get_away(pos, index):
        return []
    mover = mover_of(pos, index)
    path = stroll(mover, [mover.start], mover.behind, mover.budget, rng)
    return path if len(path) > 1 else []


def stroll(mover: Mover, path: list[Hex], behind: HexMask, left: int, rng: random.Random) -> list[Hex]:
    """A way with a few random steps added to it, as far as the points last."""
    here = path[-1]
    neighbours = mover.ground.grid.neighbours
    for _ in range(2 + int(rng.random() * STROLL)):
        h = neighbours(here)[int(rng.random() * 6)]
        price = mover.step_price(here, h, behind) if h >= 0 and h not in path else None
        if price is None or price > left:
            continue
        path.append(h)
        here, behind, left = h, 1 << h, left - price
    return path


def has_step(pos: AssaultPosition, index: int) -> bool:
    """Whether a unit on the map that may move can enter any hex: one always may, if it is open (6.13)."""
    mover = mover_of(pos, index)
    if mover.one_hex and not must_get_away(pos, index):
        return bool(single_steps(mover))
    return bool(destinations(pos, index, reach_of(pos, index)))


# Orders -------------------------------------------------------------------------------------------


def orders_of_unit(pos: AssaultPosition, index: int) -> Sequence[Order]:
    """Every move of one unit, by its destination."""
    unit, ground = pos.roster[index], pos.ground
    if unit.is_naval:
        return [Order("move", (unit.id,), (n,)) for n in ground.numbers(ground.fleet & ~(1 << pos.where[index]))]
    reach = reach_of(pos, index)
    if must_get_away(pos, index):
        return ground.orders("move", unit.id, destinations(pos, index, reach))
    if reach.listed is None:
        reach.listed = ground.orders("move", unit.id, reach.hexes)
    return reach.listed


def waters(pos: AssaultPosition, index: int) -> Mapping[str, Reached]:
    """Where the fleet may sail, which costs it nothing (13.2)."""
    ground, start = pos.ground, pos.where[index]
    free = Fraction(0)
    return {n: Reached(free, (ground.number(start), n), free) for n in ground.numbers(ground.fleet & ~(1 << start))}


def move_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why a move is illegal."""
    if len(order.units) != 1:
        return Refusal("6.12", "units move one at a time")
    found = pos.own_unit(order.units[0])
    if isinstance(found, Refusal):
        return found
    index, unit = found, pos.roster[found]
    if pos.where[index] < 0:
        return Refusal("16.14", f"{unit.id} is not on the map")
    still = standstill(pos, index)
    if still is not None:
        return still
    if unit.is_naval:
        return _sail_refusal(pos, order)
    path = pos.hex_path(order.hexes)
    if isinstance(path, Refusal):
        return path
    exact = len(path) > 1
    if exact and path[0] == pos.where[index]:
        path = path[1:]
    if exact and not must_get_away(pos, index):
        return path_refusal(pos, index, mover_of(pos, index), path)
    reach = reach_of(pos, index)
    ends = destinations(pos, index, reach)
    goal = path[-1]
    if must_get_away(pos, index) and (reach.hexes | 1 << pos.where[index]) >> goal & 1:
        near = pos.ground.near_city
        if near >> goal & 1 and not ends & near:
            return Refusal("18.21", f"{unit.id} must get seven hexes away from the city on turn 1")
    if not exact:
        return None if ends >> goal & 1 else out_of_reach(pos, index, goal, reach.mover)
    return path_refusal(pos, index, reach.mover, path)


def _sail_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    path = pos.hex_path(order.hexes)
    if isinstance(path, Refusal):
        return path
    if len(path) != 1 or not pos.ground.fleet >> path[0] & 1 or path[0] == pos.where[pos.index[order.units[0]]]:
        return Refusal("13.2", f"the fleet moves only among its {pos.ground.fleet.bit_count()} hexes of Neva Bay")
    return None


def path_refusal(pos: AssaultPosition, index: int, mover: Mover, path: list[Hex]) -> Refusal | None:
    """Why a unit may not go exactly this way, which is judged place by place: a hex may come up more than once."""
    unit, ground = pos.roster[index], pos.ground
    spent, here, behind = 0, pos.where[index], mover.behind
    mover = _free_to_return(pos, index, mover)
    steps = 0
    alone = mover.one_hex and _steps_in(ground, here, path) == 1
    crossed = False
    for b in path:
        if not ground.land >> b & 1 or mover.shut >> b & 1:
            return out_of_reach(pos, index, b, mover)
        if here < 0:
            price = mover.entries.get(b)
            if price is None:
                return Refusal("16.14", f"{ground.number(b)} is not in the entry area of {unit.id}")
            spent, here, behind = price, b, 1 << b
            continue
        if mover.stops >> here & 1 and (steps or here != mover.start):
            return _stopped(pos, index, mover, here)
        if ground.links.get(here, 0) >> b & 1:
            if crossed:
                return Refusal("6.33", f"{unit.id} has crossed the river into {ground.number(here)} and stays there")
            here, behind = b, behind | 1 << b
            continue
        if not ground.grid.adjacent(here, b):
            return Refusal("6.12", f"{ground.number(here)} and {ground.number(b)} are not next to each other")
        steps += 1
        if mover.only_one and (steps > 1 or not mover.one_hex):
            return Refusal("11.21", f"{unit.id} is out of supply and moves one hex at most")
        if alone and mover.may_step(here, b):
            crossed = b not in mover.ways.prices[here]
            here, behind = b, 1 << b
            continue
        step = mover.step_price(here, b, behind)
        if step is None:
            return out_of_reach(pos, index, b, mover, here, behind)
        spent += step
        if spent > mover.budget:
            return Refusal("6.13", f"{unit.id} has not the movement points to enter {ground.number(b)}")
        here, behind = b, 1 << b
    if here == pos.where[index] and not steps:
        return Refusal("6.12", f"{unit.id} is in {ground.number(here)} already")
    return None


def _steps_in(ground: Ground, here: Hex, path: list[Hex]) -> int:
    """How many hexes a way enters, transfers between the maps not counted: they stay in one place (8.34)."""
    return sum(a < 0 or not ground.links.get(a, 0) >> b & 1 for a, b in pairwise([here, *path]))


def _free_to_return(pos: AssaultPosition, index: int, mover: Mover) -> Mover:
    """The mover of a unit that may come back to the hex it has left: it is not in its own way there (7.5)."""
    own = 1 << mover.start if mover.start >= 0 else 0
    if not own & mover.shut or own & (outlook_of(pos, pos.roster[index].side).closed | forbidden(pos, index)):
        return mover
    return mover._replace(shut=mover.shut & ~own)


def _stopped(pos: AssaultPosition, index: int, mover: Mover, here: Hex) -> Refusal:
    """Why a unit goes no further than a hex it has come to: a rigid zone (9.2), a city to be summoned (8.33)."""
    unit, number = pos.roster[index], pos.ground.number(here)
    if mover.rigid >> here & 1:
        return Refusal("9.2", f"{unit.id} must stop in {number}")
    return Refusal("8.33", f"{unit.id} halts in {number} while the city is manned")


def out_of_reach(
    pos: AssaultPosition, index: int, h: Hex, mover: Mover, here: Hex | None = None, behind: HexMask = 0
) -> Refusal:
    """Why a unit may not be in a hex, or cannot get there."""
    unit, ground = pos.roster[index], pos.ground
    number = ground.number(h)
    here = pos.where[index] if here is None else here
    behind = behind or mover.behind
    if h == here:
        return Refusal("6.12", f"{unit.id} is in {number} already")
    if not ground.land >> h & 1:
        return Refusal("8.25" if ground.inset >> h & 1 else "6.17", f"no ground unit may enter {number}")
    if pos.lay(1 - unit.side).occupied >> h & 1:
        return Refusal("6.12", f"there is an enemy unit in {number}")
    if ground.capital >> h & 1 and unit.side == GERMAN:
        return Refusal("8.31", f"German units enter {ground.book.capital_name} only on the inset")
    if ground.capital >> h & 1 and pos.germans_on_inset:
        return Refusal("8.33", "with Germans on the inset the city hexes of the main map are closed")
    if forbidden(pos, index) >> h & 1:
        return Refusal(forbidding_case(unit), f"{unit.id} may not enter {number}")
    if enemy_fringe(pos, unit.side) >> h & 1:
        return Refusal("8.35", f"the hex that is {number} on the other map holds an enemy unit")
    if no_room(pos, index) >> h & 1:
        crowded = ground.city >> h & 1 and (ground.capital >> h & 1 or h not in pos.stacks)
        return Refusal("8.26" if crowded else _stacking_case(unit), f"{unit.id} may not stack in {number}")
    if here >= 0 and ground.grid.adjacent(here, h):
        d = ground.grid.direction(here, h)
        if ground.barrier[d] >> here & 1 and h not in mover.ways.prices[here] and not mover.fords[d] >> here & 1:
            main = ground.main >> h & 1
            return Refusal("6.32" if main else "8.23", f"{unit.id} may not cross the river into {number}")
        if h not in mover.ways.prices[here] and not mover.fords[d] >> here & 1:
            return Refusal("6.17", f"the hexside to {number} is all water")
        if mover.zone_bars(here, h, behind):
            rigid = mover.rigid >> h & 1 and behind & mover.rigid
            return Refusal(
                "9.2" if rigid else "19.33", f"from zone to zone {unit.id} may not go straight into {number}"
            )
        if mover.fords[d] >> here & 1:
            return Refusal("6.33", f"crossing the river into {number} takes the whole of a unit's movement")
    if unit.side == GERMAN and pos.summons_due and ground.interior >> h & 1:
        return Refusal("8.33", f"{unit.id} halts on the fringe of the inset while the city is manned")
    if mover.only_one:
        return Refusal("11.21", f"{unit.id} is out of supply and moves one hex at most")
    return (
        _held_up(pos, index, h, mover)
        or _beyond_the_river(pos, index, h, mover)
        or Refusal("6.13", f"{unit.id} cannot reach {number} with its movement points")
    )


def _held_up(pos: AssaultPosition, index: int, h: Hex, mover: Mover) -> Refusal | None:
    """Whether only enemy zones keep a unit from a hex: the stop in rigid ones (9.2), the price of leaving (9.4)."""
    if not mover.zones:
        return None
    unit, number = pos.roster[index], pos.ground.number(h)
    left = mover.zones & (pos.lay(1 - unit.side).fluid | mover.behind)
    without = mover._replace(rigid=0, bars=None, stops=mover.stops & ~mover.rigid, zones=left)
    if Reach(without).hexes >> h & 1:
        return Refusal("9.2", f"{unit.id} must stop in the rigid zones on its way to {number}")
    if Reach(without._replace(zones=0)).hexes >> h & 1:
        return Refusal("9.4", f"{unit.id} has not the points to leave the zones on its way to {number}")
    return None


def _beyond_the_river(pos: AssaultPosition, index: int, h: Hex, mover: Mover) -> Refusal | None:
    """Whether a unit can get as far as the great river but not over it to a hex behind it (6.32, 6.33; 8.23)."""
    unit, ground = pos.roster[index], pos.ground
    reached = Reach(mover).hexes
    for d, beside in enumerate(ground.grid.neighbours(h)):
        if beside == NOWHERE or not ground.barrier[d] >> h & 1 or not reached >> beside & 1:
            continue
        over = f"{unit.id} may not cross the river into {ground.number(h)}"
        if not ground.main >> h & 1:
            return Refusal("8.23", over)
        if mover.fords[ground.grid.direction(beside, h)] >> beside & 1:
            return Refusal("6.33", f"{over}: it would have to begin the phase beside it")
        return Refusal("6.32", over)
    return None


def _stacking_case(unit: Unit) -> str:
    """The case that limits the stacking of a kind of unit (7.1 to 7.4)."""
    if unit.is_hq:
        return "7.3"
    if unit.is_worker or unit.is_guerrilla:
        return "7.4"
    return "7.2" if unit.side == GERMAN and unit.division else "7.1"


def apply_move(pos: AssaultPosition, order: Order) -> None:
    """Move a unit along the way named, or along the cheapest one."""
    index = pos.index[order.units[0]]
    unit, ground = pos.roster[index], pos.ground
    numbers = order.hexes
    if unit.is_naval:
        pos.where[index] = ground.grid.hex(numbers[0])
        pos.mark_moved(index)
        pos.event("move", "13.2", "{0} sails to {1}", unit.id, numbers[0])
        return
    path = [ground.grid.hex(n) for n in numbers]
    if len(path) == 1:
        march_to(pos, index, reach_of(pos, index), path[0])
        return
    march(pos, index, mover_of(pos, index), path[1:] if path[0] == pos.where[index] else path)


def march_to(pos: AssaultPosition, index: int, reach: Reach, h: Hex) -> None:
    """Carry a unit to a hex in reach by the cheapest way, which is looked for only where it matters."""
    along = reach.hexes & pos.at_stake(pos.roster[index].side)
    if along:
        along &= reach.within(reach.cost(h) or 0)
    if not along and not pos.ground.fringe_inset >> h & 1:
        march(pos, index, reach.mover, [h])
        return
    path = way_to(pos, index, reach, h)
    owed = forfeits(pos, index) & mask_of(path[:-1])
    march(pos, index, reach.mover, path)
    for city in members(owed):
        name = pos.map.name_of(city)
        pos.event("way", "17.25", "{0} went through {1}, where a division must now stay", pos.roster[index].id, name)


def forfeits(pos: AssaultPosition, index: int) -> HexMask:
    """Cities that a unit had better not pass on its way elsewhere: whoever takes one must garrison it (17.25)."""
    return pos.to_garrison if pos.roster[index].side == GERMAN else 0


def way_to(pos: AssaultPosition, index: int, reach: Reach, h: Hex) -> list[Hex]:
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


def march(pos: AssaultPosition, index: int, mover: Mover, path: list[Hex]) -> None:
    """Carry a unit along a way that is known to be legal (6.12, 8.34)."""
    unit, ground = pos.roster[index], pos.ground
    start = pos.where[index]
    summons = unit.side == GERMAN and pos.summons_due and any(ground.fringe_inset >> h & 1 for h in path)
    if summons:
        spent = pos.spent if pos.marching == unit.id else 0
        spent += way_cost(_free_to_return(pos, index, mover), start, path)
    pos.put(index, path[-1])
    pos.pass_through(unit.side, path)
    pos.mark_moved(index)
    pos.marching, pos.spent = "", 0
    if start >= 0:
        pos.event("move", "6.12", "{0} moves to {1}", unit.id, ground.number(path[-1]))
    else:
        pos.event("enter", "16.14", "{0} enters and moves to {1}", unit.id, ground.number(path[-1]))
    if summons:
        if spent < unit.movement:
            pos.marching, pos.spent = unit.id, spent
        pos.summon()


def cost_along(pos: AssaultPosition, index: int, numbers: Sequence[str]) -> int:
    """What a legal way named hex by hex costs, in sixths of a point."""
    path = [pos.ground.grid.hex(number) for number in numbers]
    start = pos.where[index]
    return way_cost(_free_to_return(pos, index, mover_of(pos, index)), start, path[1:] if path[0] == start else path)
