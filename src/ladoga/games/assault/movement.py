"""Movement (6.0), on both maps and between them (8.2, 8.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ...hexes import NOWHERE, Grid, Hex, HexMask, members
from ...kernel.orders import Order
from ...kernel.position import Refusal
from .figures import GERMAN, SIXTHS, SOVIET, Unit
from .ground import NO_SIDES
from .zones import no_room

if TYPE_CHECKING:
    from .position import AssaultPosition


class Mover(NamedTuple):
    """Everything that decides where one unit may go in this phase."""

    grid: Grid
    ways: Mapping[Hex, Mapping[Hex, int]]
    """Price of every step, by the hex left and the hex entered."""
    start: Hex
    """The hex it stands in; ``NOWHERE`` for a unit that comes onto the map."""
    behind: Hex
    """The main-map hex it was just transferred from, else ``start``: a transfer does not leave a zone (9.4)."""
    entries: Mapping[Hex, int]
    """Entry hexes with their price, for a unit that comes onto the map (16.14)."""
    budget: int
    barred: frozenset[Hex]
    """Hexes full of friends or held by the enemy."""
    forbidden: frozenset[Hex]
    """Hexes that are closed to this kind of unit."""
    rigid: frozenset[Hex]
    zones: frozenset[Hex]
    """Enemy zones, rigid or fluid."""
    stops: frozenset[Hex]
    """Hexes where it goes no further: rigid zones, and the fringe of a city that has to be summoned."""
    one_hex: bool
    """The guarantee of one hex (6.13)."""
    only_one: bool
    """Out of supply: no more than one hex (11.21)."""
    fords: tuple[HexMask, ...]
    """Hexsides crossed for the whole allowance (6.33)."""
    links: Mapping[Hex, tuple[Hex, ...]]
    closed: tuple[HexMask, ...]
    """Hexsides not crossed from zone to zone (19.33)."""
    leave: int


class Reach:
    """Where a unit gets and at what price, and what only the one-hex guarantee gives."""

    __slots__ = ("came", "mover", "prices", "single")

    def __init__(self, mover: Mover) -> None:
        self.mover = mover
        self.single = _single_steps(mover)
        self.prices: dict[Hex, int] = {}
        self.came: dict[Hex, Hex] = {}
        if not mover.only_one:
            _spread(mover, self.prices, self.came)

    @property
    def hexes(self) -> HexMask:
        """Every destination."""
        mask = self.single
        for h in self.prices:
            mask |= 1 << h
        return mask & ~(1 << self.mover.start) if self.mover.start >= 0 else mask

    def cost(self, h: Hex) -> int | None:
        """Price of the cheapest way in sixths; the whole allowance for a guaranteed single hex."""
        found = self.prices.get(h)
        if found is not None:
            return found
        return self.mover.budget if self.single >> h & 1 else None

    def path(self, h: Hex) -> list[Hex]:
        """A cheapest way: the hexes entered, the start left out."""
        if h not in self.prices:
            return _single_path(self.mover, h)
        way = []
        while h not in (self.mover.start, NOWHERE):
            way.append(h)
            h = self.came[h]
        return way[::-1]


def _shut(mover: Mover, h: Hex) -> bool:
    return h in mover.barred or h in mover.forbidden


def _goes_on(mover: Mover, h: Hex) -> bool:
    return h == mover.start or h not in mover.stops


def _step_price(mover: Mover, a: Hex, b: Hex, behind: Hex) -> int | None:
    """Price of one step in a longer march, or ``None`` where it may not be made (9.2 to 9.4; 19.33).

    ``behind`` is the hex of the other map from which the unit was just transferred to ``a``, else ``a``.
    """
    price = mover.ways[a].get(b)
    if price is None or not _goes_on(mover, a) or _shut(mover, b):
        return None
    if a in mover.zones or behind in mover.zones:
        if _zone_bars(mover, a, b, behind):
            return None
        price += mover.leave
    return price


def _zone_bars(mover: Mover, a: Hex, b: Hex, behind: Hex) -> bool:
    """Straight from rigid zone to rigid zone (9.2), or over a closed river from zone to zone (19.33)."""
    if b in mover.rigid and (a in mover.rigid or behind in mover.rigid):
        return True
    if a not in mover.zones or b not in mover.zones:
        return False
    return bool(mover.closed[mover.grid.direction(a, b)] >> a & 1)


def _spread(mover: Mover, prices: dict[Hex, int], came: dict[Hex, Hex]) -> None:
    """Everything within the allowance, cheapest first (6.13)."""
    budget, leave, zones, barred = mover.budget, mover.leave, mover.zones, mover.barred
    ways, links, start, stops, forbidden = mover.ways, mover.links, mover.start, mover.stops, mover.forbidden
    buckets: list[list[tuple[Hex, Hex]]] = [[] for _ in range(budget + 1)]
    if start >= 0:
        buckets[0].append((start, NOWHERE))
    for h, price in mover.entries.items():
        buckets[price].append((h, NOWHERE))
    for spent, bucket in enumerate(buckets):
        for h, previous in bucket:  # a link adds to the bucket it is read from
            if h in prices or ((h in barred or h in forbidden) and h != start):
                continue
            prices[h] = spent
            came[h] = previous
            if h in stops and h != start:
                continue
            behind = mover.behind if h == start else h
            if h in links:
                bucket.extend((other, h) for other in links[h] if other not in prices)
                if previous in links[h]:
                    behind = previous
            if h in zones or behind in zones:
                base = spent + leave
                for b, price in ways[h].items():
                    if base + price <= budget and b not in prices and not _zone_bars(mover, h, b, behind):
                        buckets[base + price].append((b, h))
                continue
            for b, price in ways[h].items():
                if b not in prices and spent + price <= budget:
                    buckets[spent + price].append((b, h))


def _single_steps(mover: Mover) -> HexMask:
    """Hexes that a unit may enter as its whole move, whatever the cost (6.13, 6.33, 11.21)."""
    if not mover.one_hex:
        return 0
    found = 0
    for h in mover.entries:
        found |= 1 << h
    if mover.start < 0:
        return found
    linked = [h for h in mover.links.get(mover.start, ()) if not _shut(mover, h)]
    for h in linked:
        found |= 1 << h
    for a in (mover.start, *(h for h in linked if h not in mover.stops)):
        for b in mover.grid.neighbours(a):
            if b != NOWHERE and _may_step(mover, a, b):
                found |= 1 << b
    return found


def _may_step(mover: Mover, a: Hex, b: Hex) -> bool:
    """Whether one hex may be entered whatever it costs, from the start or a hex linked to it (6.13)."""
    if not (b in mover.ways[a] or mover.fords[mover.grid.direction(a, b)] >> a & 1):
        return False
    behind = mover.behind if a == mover.start else mover.start
    return not _shut(mover, b) and not _zone_bars(mover, a, b, behind)


def _single_path(mover: Mover, h: Hex) -> list[Hex]:
    start = mover.start
    if start < 0 or mover.grid.adjacent(start, h) or h in mover.links.get(start, ()):
        return [h]
    for a in mover.links[start]:
        if not _shut(mover, a) and a not in mover.stops and mover.grid.adjacent(a, h) and _may_step(mover, a, h):
            return [a, h]
    raise AssertionError(f"{h} is not a single step from {start}")


# Who may move -------------------------------------------------------------------------------------


def standstill(pos: AssaultPosition, index: int) -> Refusal | None:
    """Why a unit may not move in this phase, or ``None`` (6.18, 6.22, 5.6, 12.42, 14.2)."""
    unit = pos.roster[index]
    second = pos.phase.id == "german-mechanized-movement"
    if pos.is_moved(index) and pos.marching != unit.id:
        return Refusal("6.19", f"{unit.id} has already moved in this phase")
    if pos.is_disrupted(index):
        return Refusal("13.11" if unit.is_naval else "12.42", f"{unit.id} is disrupted and may not move")
    if unit.is_worker and pos.ground.main >> pos.where[index] & 1 and not pos.ground.capital >> pos.where[index] & 1:
        return Refusal("14.2", f"{unit.id} is a worker unit outside the city and never moves")
    if unit.side == SOVIET and pos.turn <= pos.frozen(unit.id):
        return Refusal("5.6", f"{unit.id} may not move before turn {pos.frozen(unit.id) + 1}")
    if second:
        if not unit.mechanized:
            return Refusal("6.21", f"{unit.id} is not mechanized; only mechanized units move again")
        if pos.is_out(index):
            return Refusal("11.22", f"{unit.id} was out of supply at the beginning of the player-turn")
        if pos.has_retreated(index):
            return Refusal("6.22", f"{unit.id} retreated in the combat phase")
        if pos.lay(1 - unit.side).rigid >> pos.where[index] & 1 and pos.marching != unit.id:
            return Refusal("6.22", f"{unit.id} begins the phase in an enemy rigid zone of control")
    return None


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


def enemy_fringe(pos: AssaultPosition, side: int) -> HexMask:
    """Fringe hexes whose counterpart on the other map holds an enemy: they are one place (8.35, 8.37)."""
    ground = pos.ground
    held = pos.lay(1 - side).occupied & (ground.fringe_main | ground.fringe_inset)
    mask = 0
    for h in members(held):
        mask |= ground.links[h]
    return mask


def barred(pos: AssaultPosition, index: int) -> HexMask:
    """Hexes a unit may not enter because of who is there (6.12, 7.5, 8.35)."""
    side = pos.roster[index].side
    return pos.lay(1 - side).occupied | no_room(pos, index) | enemy_fringe(pos, side)


def mover_of(pos: AssaultPosition, index: int, entries: HexMask = 0) -> Mover:
    """What decides a unit's reach in this phase; ``entries`` for a unit that comes onto the map."""
    unit, ground = pos.roster[index], pos.ground
    enemy = pos.lay(1 - unit.side)
    h = pos.where[index]
    stops = enemy.rigid
    if unit.side == GERMAN and pos.summons_due:
        stops |= ground.fringe_inset
    marching = pos.marching == unit.id
    budget = unit.movement - (pos.spent if marching else 0)
    block, never = barred(pos, index), forbidden(pos, index)
    return Mover(
        grid=ground.grid,
        ways=ground.ways(unit.side, unit.column),
        start=h,
        behind=ground.fringe_of.get(h, h) if marching else h,
        entries={e: min(ground.entry_price(e, unit.column), budget) for e in members(entries & ~block & ~never)},
        budget=budget,
        barred=ground.as_set(block),
        forbidden=ground.as_set(never),
        rigid=ground.as_set(enemy.rigid),
        zones=ground.as_set(enemy.rigid | enemy.fluid),
        stops=ground.as_set(stops),
        one_hex=not marching or not pos.spent,
        only_one=pos.is_out(index) and h >= 0,
        fords=ground.soviet_fords if unit.side == SOVIET else NO_SIDES,
        links=ground.doors,
        closed=ground.closed,
        leave=ground.tables.leave_zone * SIXTHS,
    )


def reach_of(pos: AssaultPosition, index: int, entries: HexMask = 0) -> Reach:
    """Where a unit may go, or where one that comes in at these hexes may; the last answer is kept."""
    kept = pos.last_reach
    if kept is not None and kept[0] == index:
        return kept[1]
    reach = Reach(mover_of(pos, index, entries))
    pos.last_reach = (index, reach)
    return reach


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
    return pos.roster[index].is_guerrilla and pos.turn == 1 and bool(pos.options.get("guerrillas-away"))


def gets_away(pos: AssaultPosition, index: int, start: Hex = NOWHERE) -> bool:
    """Whether a unit near the city can get seven hexes away, from where it is or another hex (18.21)."""
    here = pos.where[index]
    if here < 0 or standstill(pos, index) is not None or not pos.ground.near_city >> here & 1:
        return False
    mover = mover_of(pos, index)
    if start >= 0:
        mover = mover._replace(start=start, behind=start)
    return bool(Reach(mover).hexes & pos.ground.main & ~pos.ground.near_city)


def gets_away_by_transfer(pos: AssaultPosition, index: int) -> bool:
    """Whether a unit in the interior of the inset can get away once it is transferred to the main map."""
    ground = pos.ground
    capital = ground.capital_of.get(pos.where[index], NOWHERE)
    if capital < 0 or pos.is_transferred(index) or pos.germans_on_inset or no_room(pos, index) >> capital & 1:
        return False
    return gets_away(pos, index, capital)


# Orders -------------------------------------------------------------------------------------------


def movable(pos: AssaultPosition) -> list[int]:
    """Units on the map that the side to move may still move."""
    side = pos.side
    return [index for index in pos.order_of_battle[side] if pos.where[index] >= 0 and standstill(pos, index) is None]


def orders_of_unit(pos: AssaultPosition, index: int) -> Iterator[Order]:
    """Every move of one unit, by its destination."""
    unit = pos.roster[index]
    if unit.is_naval:
        for h in pos.ground.grid.members(pos.ground.fleet & ~(1 << pos.where[index])):
            yield Order("move", (unit.id,), (pos.ground.number(h),))
        return
    name, number = (unit.id,), pos.ground.number
    for h in members(destinations(pos, index, reach_of(pos, index))):
        yield Order("move", name, (number(h),))


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
    reach = reach_of(pos, index)
    ends = destinations(pos, index, reach)
    if must_get_away(pos, index) and reach.hexes >> path[-1] & 1 and not ends >> path[-1] & 1:
        return Refusal("18.21", f"{unit.id} must get seven hexes away from the city on turn 1")
    if not exact:
        return None if ends >> path[0] & 1 else out_of_reach(pos, index, path[0], reach.mover)
    if ends >> path[-1] & 1 or path[-1] == pos.where[index]:
        return path_refusal(pos, index, reach.mover, path)
    return path_refusal(pos, index, reach.mover, path) or out_of_reach(pos, index, path[-1], reach.mover)


def _sail_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    path = pos.hex_path(order.hexes)
    if isinstance(path, Refusal):
        return path
    if len(path) != 1 or not pos.ground.fleet >> path[0] & 1 or path[0] == pos.where[pos.index[order.units[0]]]:
        return Refusal("13.2", "the fleet moves only among its twelve hexes of Neva Bay")
    return None


def path_refusal(pos: AssaultPosition, index: int, mover: Mover, path: list[Hex]) -> Refusal | None:
    """Why a unit may not go exactly this way."""
    unit, ground = pos.roster[index], pos.ground
    spent, here, behind = 0, pos.where[index], mover.behind
    steps = 0
    for b in path:
        if not ground.land >> b & 1 or _shut(mover, b):
            return out_of_reach(pos, index, b, mover)
        if here < 0:
            price = mover.entries.get(b)
            if price is None:
                return Refusal("16.14", f"{ground.number(b)} is not in the entry area of {unit.id}")
            spent, here, behind = price, b, b
            continue
        if b in mover.links.get(here, ()):
            if not _goes_on(mover, here):
                return Refusal("9.2", f"{unit.id} must stop in {ground.number(here)}")
            here, behind = b, here
            continue
        if not ground.grid.adjacent(here, b):
            return Refusal("6.12", f"{ground.number(here)} and {ground.number(b)} are not next to each other")
        steps += 1
        if b == path[-1] and steps == 1 and mover.one_hex and not spent and _may_step(mover, here, b):
            break
        step = _step_price(mover, here, b, behind)
        if step is None:
            return out_of_reach(pos, index, b, mover, here, behind)
        spent += step
        if spent > mover.budget:
            return Refusal("6.13", f"{unit.id} has not the movement points to enter {ground.number(b)}")
        here = behind = b
    if here == pos.where[index] and not steps:
        return Refusal("6.12", f"{unit.id} is in {ground.number(here)} already")
    if mover.only_one and steps > 1:
        return Refusal("11.21", f"{unit.id} is out of supply and moves one hex at most")
    return None


def out_of_reach(
    pos: AssaultPosition, index: int, h: Hex, mover: Mover, here: Hex | None = None, behind: Hex | None = None
) -> Refusal:
    """Why a unit may not be in a hex, or cannot get there."""
    unit, ground = pos.roster[index], pos.ground
    number = ground.number(h)
    here = pos.where[index] if here is None else here
    behind = mover.behind if behind is None else behind
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
        case = "14.4" if unit.is_worker else "18.21" if unit.is_guerrilla else "19.43"
        return Refusal(case, f"{unit.id} may not enter {number}")
    if enemy_fringe(pos, unit.side) >> h & 1:
        return Refusal("8.35", f"the hex that is {number} on the other map holds an enemy unit")
    if no_room(pos, index) >> h & 1:
        return Refusal(_stacking_case(unit), f"{unit.id} may not stack in {number}")
    if here >= 0 and ground.grid.adjacent(here, h):
        d = ground.grid.direction(here, h)
        if ground.barrier[d] >> here & 1 and h not in mover.ways[here] and not mover.fords[d] >> here & 1:
            main = ground.main >> h & 1
            return Refusal("6.32" if main else "8.23", f"{unit.id} may not cross the river into {number}")
        if h not in mover.ways[here] and not mover.fords[d] >> here & 1:
            return Refusal("6.17", f"the hexside to {number} is all water")
        if _zone_bars(mover, here, h, behind):
            rigid = h in mover.rigid and (here in mover.rigid or behind in mover.rigid)
            return Refusal(
                "9.2" if rigid else "19.33", f"from zone to zone {unit.id} may not go straight into {number}"
            )
        if mover.fords[d] >> here & 1:
            return Refusal("6.33", f"crossing the river into {number} takes the whole of a unit's movement")
    if unit.side == GERMAN and pos.summons_due and ground.interior >> h & 1:
        return Refusal("8.33", f"{unit.id} halts on the fringe of the inset while the city is manned")
    if mover.only_one:
        return Refusal("11.21", f"{unit.id} is out of supply and moves one hex at most")
    return Refusal("6.13", f"{unit.id} cannot reach {number} with its movement points")


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
    reach = reach_of(pos, index)
    if len(path) == 1:
        path = reach.path(path[0])
    elif path[0] == pos.where[index]:
        path = path[1:]
    march(pos, index, reach.mover, path)


def march(pos: AssaultPosition, index: int, mover: Mover, path: list[Hex]) -> None:
    """Carry a unit along a way that is known to be legal (6.12, 8.34)."""
    unit, ground = pos.roster[index], pos.ground
    start = pos.where[index]
    before = pos.spent if pos.marching == unit.id else 0
    spent = before + way_cost(mover, start, path)
    summons = unit.side == GERMAN and pos.summons_due and any(ground.fringe_inset >> h & 1 for h in path)
    pos.put(index, path[-1])
    pos.pass_through(unit.side, path)
    pos.mark_moved(index)
    pos.marching, pos.spent = "", 0
    numbers = [ground.number(h) for h in path]
    pos.event(
        "move" if start >= 0 else "enter", "6.12" if start >= 0 else "16.14",
        "{0} moves to {1}" if start >= 0 else "{0} enters and moves to {1}", unit.id, numbers[-1], tuple(numbers),
    )  # fmt: skip
    if summons:
        if path[-1] not in mover.rigid and spent < unit.movement:
            pos.marching, pos.spent = unit.id, spent
        pos.summon()


def way_cost(mover: Mover, start: Hex, path: list[Hex]) -> int:
    """What a legal way costs; a guaranteed single hex costs no more than there is."""
    spent, here, behind = 0, start, mover.behind
    for b in path:
        if b in mover.links.get(here, ()):
            here, behind = b, here
            continue
        spent += mover.entries[b] if here < 0 else _step_price(mover, here, b, behind) or mover.budget
        here = behind = b
    return min(spent, mover.budget)
