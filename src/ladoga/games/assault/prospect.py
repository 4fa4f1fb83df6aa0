"""The Assaults as a planner reads them: fast answers about reach, odds, supply and points, on masks.

Worths are points of the final score (17.0, 19.9). What a factor of strength, a headquarters or a movement point towards
the goal is worth by turn stands in ``worths``; everything else follows from the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ...hexes import Hex, HexMask, mask_of, members
from ...kernel.flood import connected, zone
from ...kernel.position import View
from ...kernel.prospect import NOTHING, Blow, Command, Prospect, Stand, Unit, UnitMask, Weapon
from . import arrivals, movement
from .combat import QUARTERS
from .figures import GERMAN, RANKS, SIXTHS, SOVIET
from .marches import AXES, backwards, distances, fords, free_reach, shortest
from .reach import Mover, Reach
from .worths import figures_of, pressing, rings

if TYPE_CHECKING:
    from .position import AssaultPosition

FAR = 99.0
ALL = -1
"""Everybody, in place of a number of penalties."""
LAST_STEP = 0.5
"""What the end of a unit costs besides its factors."""
GIVING_WAY = 0.4
"""What it costs each unit to fall back a hex."""
SHAKEN = 1.0
"""What it costs besides where a retreat disrupts (19.61)."""
GROUND, RAIL, INSIDE = 0.6, 0.5, 0.6
"""What it is worth to clear any hex, and more on a line and in the city."""
STAKE = 0.35
"""What part of a scoring hex counts in a blow against those who hold it."""
GARRISON = (6.0, 5.8, 5.6, 5.4, 5.2, 5.0, 4.8, 4.6, 4.4, 4.2, 4.0, 3.8, 3.6, 3.4, 3.2)
"""What the first, second, ... division in the city is worth before the enemy has come to it."""
PULL = 0.12
"""What a movement point nearer to a post is worth to a Soviet division."""
PULLED = 0.35
"""What part of a post's worth it is to be on the way there."""
COVERED = 0.7
"""How much less a post is worth next to one that is held."""


LATE = (1.0, 0.7, 0.45, 0.3, 0.25)
"""How much a place that counts at the end counts on the last turn, the one before, and so on."""
ONWARD = 0.3
"""What part of it an enemy gains who can walk into it."""
INSIDE_NOW = 0.4
"""How much a German unit in the city counts that will probably stay there."""


class Supply(NamedTuple):
    """German supply over some open ground."""

    live: HexMask
    """Lines that run off the map (11.16)."""
    near: HexMask
    """Where a headquarters is in supply ..."""
    nearer: HexMask
    """... with a hex to spare (11.53)."""


class AssaultProspect(Prospect):
    """Both games."""

    games = frozenset()
    deep = False
    position: AssaultPosition

    def __init__(self, view: View) -> None:
        super().__init__(view)
        pos = self.position
        self.stack = 40
        self.figures = figures_of(pos.game.scenario.victory.rule, pos.turn)
        self._prices = [self._priced(unit) for unit in self.units]
        self._now = sum(1 << n for n, i in enumerate(self.slots) if pos.out >> i & 1)
        self._shaken = sum(1 << n for n, i in enumerate(self.slots) if pos.disrupted >> i & 1)
        self._zones: dict[tuple[int, HexMask, HexMask, HexMask], tuple[HexMask, HexMask, HexMask]] = {}
        self._marches: dict[tuple[int, ...], HexMask] = {}
        self._supplies: dict[HexMask, Supply] = {}
        self._around: dict[tuple[Hex, HexMask], HexMask] = {}
        self._unfed: dict[tuple[object, ...], UnitMask] = {}
        self._trees: dict[HexMask, HexMask] = {}
        self._ways: dict[tuple[Hex, HexMask], HexMask] = {}
        self._posts: dict[tuple[object, ...], dict[Hex, float]] = {}
        self._movers: dict[int, Mover] = {}
        self._results: dict[tuple[int, int], tuple[tuple[int, int, float], ...]] = {}
        self.stand.hungry = self._now

    def _units(self) -> list[Unit]:
        pos = self.position
        self.ground = pos.ground
        mine = self.side
        placed = [i for side in (GERMAN, SOVIET) for i in pos.order_of_battle[side] if pos.where[i] >= 0]
        coming = arrivals.waiting(pos, mine) if pos.phase.id in ("german-movement", "soviet-movement") else []
        self.slots = [i for i in (*placed, *coming) if not pos.roster[i].is_naval and pos.steps[i]]
        found = []
        for number, i in enumerate(self.slots):
            unit, steps = pos.roster[i], pos.steps[i]
            combat = float(unit.face(steps).combat)
            found.append(
                Unit(number, unit.id, unit.side, pos.where[i], 0.0 if unit.is_hq else combat, combat,
                     unit.movement / SIXTHS, steps, unit.type, unit.corps)
            )  # fmt: skip
        roster = [pos.roster[i] for i in self.slots]
        self._roster = roster
        self._hq = [unit.is_hq for unit in roster]
        self._grade = [RANKS[pos.grade(i)] for i in self.slots]
        self._plain = [unit.type in self.ground.book.plain_defenders for unit in roster]
        self._kind = [unit.kind for unit in roster]
        self._body = [not (u.is_hq or u.is_worker or u.is_guerrilla) for u in roster]
        self._members = ([n for n, u in enumerate(roster) if u.side == GERMAN],
                         [n for n, u in enumerate(roster) if u.side == SOVIET])  # fmt: skip
        return found

    def _priced(self, unit: Unit) -> tuple[float, ...]:
        """What each step costs its owner (17.23)."""
        made, figures = self._roster[unit.number], self.figures
        if made.is_hq:
            return (figures.headquarters,)
        victory = self.position.game.scenario.victory
        if made.side == SOVIET:
            each = figures.soviet
        else:
            each = figures.german + figures.points * (
                victory.mechanized_factor if made.mechanized else victory.infantry_factor
            )
        found = []
        for steps in range(unit.steps, 0, -1):
            lost = made.face(steps).combat - (made.face(steps - 1).combat if steps > 1 else 0)
            found.append(each * lost + (LAST_STEP * each if steps == 1 else 0.0))
        return tuple(found)

    # Ground -------------------------------------------------------------------------------------

    def near(self, h: Hex) -> HexMask:
        """The hexes from which a hex may be attacked (10.13, 10.37, 8.43)."""
        return self.ground.attacked_from[h]

    def zones(self, side: int, stand: Stand) -> tuple[HexMask, HexMask, HexMask]:
        """Rigid zones, rigid or fluid ones, and with those the hexes of all units (9.2 to 9.6)."""
        strong = weak = 0
        where, grade = stand.where, self._grade
        for n in self._members[side]:
            h = where[n]
            if h >= 0:
                if grade[n] == 2:
                    strong |= 1 << h
                elif grade[n]:
                    weak |= 1 << h
        held = stand.held[side]
        if side == SOVIET:
            strong |= held & self.ground.fort
        key = (side, strong, weak, held)
        found = self._zones.get(key)
        if found is None:
            ground = self.ground
            rigid = zone(ground.grid, strong, ground.zone_sides) | strong if strong else 0
            fluid = zone(ground.grid, weak, ground.zone_sides) | weak if weak else 0
            found = self._zones[key] = (rigid, rigid | fluid, rigid | fluid | held)
        return found

    def zone(self, side: int, stand: Stand) -> HexMask:
        """Zones of control of any kind, the hexes of all units included."""
        return self.zones(side, stand)[2]

    def tied(self, side: int, stand: Stand) -> HexMask:
        """Nobody has to stay behind in an enemy zone."""
        return 0

    def room(self, h: Hex, side: int, stand: Stand) -> int:
        """Whether one more division finds room in a hex (7.0)."""
        there = stand.at.get(h, ())
        if there and self.units[there[0]].side != side:
            return 0
        if self.ground.capital >> h & 1:
            return max(0, 10 - len(there))
        return 0 if any(self._body[n] for n in there) else 1

    def fits(self, unit: int, h: Hex, stand: Stand) -> bool:
        """Whether a unit finds room in a hex (7.1 to 7.4, 8.26)."""
        there = stand.at.get(h)
        if not there:
            return True
        side, kind = self.units[unit].side, self._kind[unit]
        if self.units[there[0]].side != side:
            return False
        if self.ground.capital >> h & 1:
            return len(there) < 10
        if self._body[unit]:
            if side == GERMAN and kind != "body":
                return all(self._kind[n] == kind for n in there if self._body[n])
            return not any(self._body[n] for n in there)
        return all(self._kind[n] != kind for n in there)

    def reach(self, unit: int) -> HexMask:
        """Where a unit can go now (6.0), friends in the way not counted: they may move first."""
        if self.imagined:
            return super().reach(unit)
        pos, index = self.position, self.slots[unit]
        made = self._roster[unit]
        if made.side != pos.side or made.is_worker or pos.phase.id not in MOVING:
            return 0
        entries = 0
        if pos.where[index] < 0:
            if arrivals.by_city(pos, index):
                return arrivals.city_entry(pos, index)
            entries = arrivals.entry_hexes(pos, index)
        elif movement.standstill(pos, index) is not None:
            return 0
        mover = movement.mover_of(pos, index, entries)
        outlook = movement.outlook_of(pos, made.side)
        found = Reach(mover._replace(shut=outlook.closed | movement.forbidden(pos, index)))
        return movement.destinations(pos, index, found) & ~self._lost(unit)

    def _lost(self, unit: int) -> HexMask:
        """Where a German unit had better not go: cities that only a whole division may hold (17.25)."""
        if self.units[unit].side == SOVIET:
            return 0
        cities = self.ground.garrison & ~self.position.forfeited & ~self.position.captured
        return cities if self._hq[unit] or self._kind[unit] != "body" else 0

    def march(self, unit: int, stand: Stand) -> HexMask:
        """Where a unit could be after its next movement phase, friends in the way not counted."""
        start, made = stand.where[unit], self._roster[unit]
        bit = 1 << start
        if made.is_worker or self._shaken >> unit & 1 or self._still(unit):
            return bit
        side = made.side
        enemy = stand.held[1 - side]
        rigid, zones, _ = self.zones(1 - side, stand)
        region = self._region(unit, start)
        hungry = stand.hungry >> unit & 1
        key = (side, made.movement, made.mechanized, made.is_guerrilla, start, hungry, rigid & region, zones & region,
               enemy & region)  # fmt: skip
        found = self._marches.get(key)
        if found is None:
            found = self._marches[key] = self._marched(unit, start, rigid & region, zones & region, enemy, bool(hungry))
        return found

    def _still(self, unit: int) -> bool:
        pos, made = self.position, self._roster[unit]
        return made.side == SOVIET and pos.turn + (pos.side == SOVIET) <= pos.frozen(made.id)

    def _region(self, unit: int, start: Hex) -> HexMask:
        """The hexes that have a say in a march: as far as the unit gets with nobody in the way, and those around."""
        made = self._roster[unit]
        return free_reach(self.ground, made.side, made.column, made.movement, start)

    def _marched(
        self, unit: int, start: Hex, rigid: HexMask, zones: HexMask, enemy: HexMask, hungry: bool
    ) -> HexMask:  # fmt: skip
        pos, ground, made = self.position, self.ground, self._roster[unit]
        closed = enemy
        for h in members(enemy & ground.linked):
            closed |= ground.links[h]
        summons = made.side == GERMAN and pos.summons_due
        mover = Mover(
            ground, ground.ways(made.side, made.column), fords(ground, made.side), start, 1 << start, {},
            made.movement, closed | movement.forbidden(pos, self.slots[unit]), rigid, zones, ground.bars(zones),
            rigid | ground.fringe_inset if summons else rigid, True, hungry, ground.tables.leave_zone * SIXTHS,
        )  # fmt: skip
        return Reach(mover).hexes | 1 << start

    # Supply (11.0) ------------------------------------------------------------------------------

    def open_ground(self, side: int, stand: Stand, extra: HexMask = 0) -> HexMask:
        """Hexes a path may pass through (11.15), with enemies in some extra hexes too."""
        ground, held = self.ground, stand.held[side]
        enemy = stand.held[1 - side]
        blocked = self.zones(1 - side, stand)[2]
        if extra:
            blocked |= extra | zone(ground.grid, extra, ground.zone_sides)
        for h in members(held & ground.fringe_inset):
            held |= 1 << ground.fringe_of[h] & ~enemy
        free = ground.land & ~blocked | held & ~extra
        if side == GERMAN or self.position.germans_on_inset:
            free &= ~ground.capital
        return free

    def unfed(self, side: int, stand: Stand, extra: HexMask = 0) -> UnitMask:
        """The units of a side that trace no path (11.1)."""
        free = self.open_ground(side, stand, extra)
        key = (side, free, *[stand.where[n] for n in self._members[side]])
        found = self._unfed.get(key)
        if found is None:
            found = self._hungry_germans(free, stand) if side == GERMAN else self._hungry_soviets(free, stand)
            self._unfed[key] = found
        return found

    def supply(self, free: HexMask) -> Supply:
        """Where headquarters are fed over some open ground (11.13, 11.35)."""
        found = self._supplies.get(free)
        if found is None:
            ground, length = self.ground, self.ground.tables.supply_range
            main = free & ground.main
            live = connected(ground.grid, ground.line_exits, ground.line_sides, main & ground.line_hexes)
            by_line, line_nearer = self._within(live, length, main)
            by_edge, edge_nearer = self._within(ground.german_exits, length - 1, main)
            found = self._supplies[free] = Supply(live, by_line | by_edge, line_nearer | edge_nearer)
        return found

    def _within(self, seeds: HexMask, length: int, free: HexMask) -> tuple[HexMask, HexMask]:
        ground = self.ground
        reached = nearer = frontier = seeds & free
        for _ in range(length):
            nearer = reached
            frontier = zone(ground.grid, frontier, ground.german_supply_sides) & free & ~reached
            if not frontier:
                break
            reached |= frontier
        return reached, nearer

    def _fed_by(self, h: Hex, free: HexMask) -> HexMask:
        """Where units are fed by a headquarters in a hex; nowhere if it is not fed itself (11.34, 11.53)."""
        key = (h, free)
        found = self._around.get(key)
        if found is not None:
            return found
        ground, length = self.ground, self.ground.tables.supply_range
        supply, spot, main = self.supply(free), ground.fringe_of.get(h, h), free & ground.main
        found = 0
        if ground.main >> spot & 1:
            if supply.near >> spot & 1:
                found, inner = self._within(1 << spot, length, main)
                inset = 0
                for fringe in members(inner & ground.fringe_main):
                    inset |= ground.links[fringe]
                if inset & free:
                    found |= connected(ground.grid, inset & free, ground.german_supply_sides, free & ground.inset)
        else:
            inset = connected(ground.grid, 1 << spot, ground.german_supply_sides, free & ground.inset | 1 << spot)
            gates = mask_of(ground.fringe_of[f] for f in members(inset & ground.fringe_inset)) & free
            if gates & supply.nearer:
                found = inset | self._within(gates, length, main)[0]
        self._around[key] = found
        return found

    def _hungry_germans(self, free: HexMask, stand: Stand) -> UnitMask:
        ground, where = self.ground, stand.where
        corps: dict[str, HexMask] = {}
        found = 0
        for n in self._members[GERMAN]:
            if self._hq[n] and where[n] >= 0:
                around = self._fed_by(where[n], free)
                if not around:
                    found |= 1 << n
                corps[self._roster[n].corps] = corps.get(self._roster[n].corps, 0) | around
        for n in self._members[GERMAN]:
            h = where[n]
            if h < 0 or self._hq[n] or ground.garrison >> h & 1:
                continue
            if not corps.get(self._roster[n].corps, 0) >> ground.fringe_of.get(h, h) & 1:
                found |= 1 << n
        return found

    def _hungry_soviets(self, free: HexMask, stand: Stand) -> UnitMask:
        reached = self._trees.get(free)
        ground = self.ground
        if reached is None:
            seeds = ground.soviet_sources
            if ground.book.capital_is_source:
                seeds |= ground.interior if self.position.germans_on_inset else ground.capital
            reached, new = 0, seeds
            while new & free & ~reached:
                reached = connected(ground.grid, new | reached, ground.soviet_supply_sides, free)
                new = 0
                for h in members(reached & ground.linked):
                    new |= ground.links[h]
            self._trees[free] = reached
        safe = reached | ground.fort
        if not self.position.options.get("city-lives-by-ferry"):
            safe |= ground.interior
        found, where = 0, stand.where
        for n in self._members[SOVIET]:
            h = where[n]
            if h < 0 or safe >> h & 1 or reached >> ground.fringe_of.get(h, h) & 1:
                continue
            if not (self._roster[n].is_guerrilla or self._roster[n].is_worker):
                found |= 1 << n
        return found

    def lines(self, unit: int, stand: Stand) -> HexMask:
        """For Germans the way of their corps' headquarters to the edge of the map (11.13, 11.16)."""
        made = self._roster[unit]
        if made.side == SOVIET:
            return 0
        free = self.open_ground(GERMAN, stand)
        for n in self._members[GERMAN]:
            h = stand.where[n]
            if self._hq[n] and h >= 0 and self._roster[n].corps == made.corps:
                return self._way_home(self.ground.fringe_of.get(h, h), free)
        return 0

    def _way_home(self, spot: Hex, free: HexMask) -> HexMask:
        key = (spot, free)
        found = self._ways.get(key)
        if found is None:
            ground, main = self.ground, free & self.ground.main
            live = self.supply(free).live
            way = shortest(ground, spot, live | ground.german_exits & free, ground.german_supply_sides, main)
            found = way
            end = way & live
            if end:
                found |= shortest(
                    ground, end.bit_length() - 1, ground.line_exits & live, ground.line_sides, live
                )  # fmt: skip
            self._ways[key] = found
        return found

    def hunger(self, unit: int) -> float:
        """Hunger halves a unit, holds it fast and soon costs steps (11.2)."""
        if self._hq[unit]:
            return 1.0
        return self.figures.hunger * sum(self._prices[unit])

    # Blows (10.0) -------------------------------------------------------------------------------

    def blow(self, units: Sequence[int], h: Hex, stand: Stand, support: int = 0) -> Blow:
        """An attack by its exact odds; both sides take their penalties as it suits them (10.25, 10.26)."""
        there = stand.at.get(h)
        if not there or not units:
            return NOTHING
        side, pos, ground = self.units[units[0]].side, self.position, self.ground
        acting = side == self.side and not self.imagined
        out = self._now if acting else stand.hungry
        attack, worst, river, capital = 0, 2, 9, 0
        across, roster, where = ground.across[h], self.units, stand.where
        for n in units:
            factor = QUARTERS * int(roster[n].attack)
            attack += factor // 2 if out >> n & 1 else factor
            if self._grade[n] < worst:
                worst = self._grade[n]
            at = where[n]
            river = min(river, across.get(at, 1))
            if ground.capital >> at & 1:
                capital += 1
        if capital > 1:
            return NOTHING
        times = ground.defence[1 - side][h][0]
        defence, best = 0, -1
        for n in there:
            factor = QUARTERS * (int(roster[n].defence) if not self._hq[n] else len(there) == 1)
            if not self._plain[n]:
                factor *= times * river
            if out >> n & 1:
                factor //= 2
            if acting and self._shaken >> n & 1:
                factor //= 2
            defence += factor
            best = max(best, self._grade[n])
        if acting and pos.fire_on == h:
            if side == GERMAN:
                defence += QUARTERS * ground.tables.fleet_strength
            else:
                attack += QUARTERS * ground.tables.fleet_strength
        modifier = ground.tables.classes["CBA"[worst]]["CBA"[best]] + support
        if acting and pos.support >> h & 1:
            modifier += 1
        column = pos.game.odds_column(attack, max(1, defence))
        if column < 0:
            return NOTHING
        return self._outcome(self._rolls(column, modifier), units, h, there, stand)

    def _rolls(self, column: int, modifier: int) -> tuple[tuple[int, int, float], ...]:
        """Penalties of attacker and defender with their chances (10.23)."""
        found = self._results.get((column, modifier))
        if found is None:
            game, chances = self.position.game, dict[tuple[int, int], float]()
            for roll in range(1, 7):
                code = "DE" if column == len(game.columns) else game.result(column, roll + modifier)
                if code in ("AE", "DE"):
                    pair = (ALL, 0) if code == "AE" else (0, ALL)
                else:
                    ours, _, theirs = code.partition("/")
                    pair = (0 if ours == "-" else int(ours), 0 if theirs == "-" else int(theirs))
                chances[pair] = chances.get(pair, 0.0) + 1 / 6
            found = self._results[column, modifier] = tuple((a, d, p) for (a, d), p in chances.items())
        return found

    def _outcome(
        self, rolls: Sequence[tuple[int, int, float]], units: Sequence[int], h: Hex, there: Sequence[int], stand: Stand
    ) -> Blow:
        side = self.units[units[0]].side
        worth = self.ground_worth(h)
        whole = sum([sum(self._prices[n]) for n in there])
        steps = sorted([price for n in there if not self._hq[n] for price in self._prices[n]]) or [whole]
        safe, _ = self.ways_out(h, side, 0, stand)
        trapped = not safe or len(there) > 2 * safe.bit_count()
        acting = side == self.side and not self.imagined
        if acting and any(self._shaken >> n & 1 for n in there):
            trapped = True
        away = worth + len(there) * (GIVING_WAY + (SHAKEN if self.ground.book.retreat_disrupts else 0.0))
        toll = sorted([price for n in units for price in self._prices[n]])
        gain = loss = falls = dead = 0.0
        for ours, theirs, chance in rolls:
            if ours == ALL:
                loss += chance * sum(toll)
                continue
            got, fell, died = self._taken(theirs, steps, whole, worth, away, trapped)
            if not ours:
                gain, falls, dead = gain + chance * got, falls + chance * fell, dead + chance * died
                continue
            bleed = sum(toll[:ours])
            stood = whole + worth if theirs > len(steps) else sum(steps[: max(0, theirs - 1)])
            back = sum(toll[: ours - 1]) + GIVING_WAY * len(units)
            if stood - back > got - bleed:
                gain, loss = gain + chance * stood, loss + chance * back
            else:
                gain, loss = gain + chance * got, loss + chance * bleed
                falls, dead = falls + chance * fell, dead + chance * died
        return Blow(gain, loss, falls, dead)

    def _taken(
        self, penalties: int, steps: Sequence[float], whole: float, worth: float, away: float, trapped: bool
    ) -> tuple[float, float, float]:
        """What defenders lose by so many penalties, whether they leave, and the part that dies (10.24, 10.25)."""
        if not penalties:
            return 0.0, 0.0, 0.0
        if penalties == ALL or (penalties > len(steps)):
            return whole + worth, 1.0, 1.0
        flee = sum(steps[: penalties - 1]) + away
        stay = sum(steps[:penalties]) if penalties < len(steps) else whole + worth
        if trapped or stay <= flee:
            return stay, float(penalties >= len(steps)), penalties / len(steps)
        return flee, 1.0, (penalties - 1) / len(steps)

    def ways_out(self, h: Hex, side: int, origins: HexMask, stand: Stand) -> tuple[HexMask, bool]:
        """Where those in a hex could retreat before a side (10.27, 10.28)."""
        ground, there = self.ground, stand.at.get(h, ())
        mask = ground.ways_back(1 - side, h)
        safe = mask & ~self.zones(side, stand)[2]
        for at in members(safe & stand.held[1 - side] & ~ground.capital):
            if any(self._body[n] for n in stand.at[at]) and any(self._body[n] for n in there):
                safe &= ~(1 << at)
        if 1 - side == SOVIET and self.position.germans_on_inset:
            safe &= ~ground.capital
        return safe, bool(safe)

    def ground_worth(self, h: Hex) -> float:
        """What it is worth to drive somebody out of a hex."""
        ground = self.ground
        found = GROUND + STAKE * self.figures.held * self.stakes.get(h, 0.0)
        if ground.line_hexes >> h & 1:
            found += RAIL
        if ground.fort >> h & 1:
            found += self.figures.works
        if ground.interior >> h & 1:
            found += INSIDE
        return found

    def fresh(self) -> UnitMask:
        """Who may still attack in this turn (10.16, 11.33, 12.42)."""
        pos = self.position
        if self.imagined:
            return sum(1 << n for n in self._members[self.side] if not self._hq[n])
        if pos.phase.id == "german-mechanized-movement":
            return 0
        return sum(
            1 << n for n in self._members[self.side]
            if not self._hq[n] and not (pos.disrupted | pos.attacked) >> self.slots[n] & 1
        )  # fmt: skip

    def targets(self) -> HexMask:
        """Hexes that may still be attacked (10.15, 10.29, 8.43)."""
        pos = self.position
        if self.imagined:
            return ~self.ground.capital
        found = ~(pos.fought | self.ground.capital)
        if pos.retreated:
            for h, there in pos.stacks.items():
                if all(pos.retreated >> i & 1 for i in there):
                    found &= ~(1 << h)
        return found

    # Points (17.0, 19.9) ------------------------------------------------------------------------

    def prices(self, unit: int) -> tuple[float, ...]:
        """What the loss of each step costs, the next one first."""
        return self._prices[unit]

    @cached_property
    def stakes(self) -> dict[Hex, float]:
        """Hexes that count at the end, with the points that they move from side to side."""
        victory, ground = self.position.game.scenario.victory, self.ground
        found = {self.grid.hex(city.hex): 2.0 * city.points for city in victory.cities if city.hex in self.grid}
        found.update(dict.fromkeys(members(ground.key_points), 2.0 * victory.key_point + victory.unit_in_city))
        if victory.gate in self.grid:
            found[self.grid.hex(victory.gate)] = 2.0 * victory.gate_points
        return found

    def objectives(self, side: int, turn: int) -> Mapping[Hex, float]:
        """Hexes that score, if the side has not got them yet."""
        pos = self.position
        lost = pos.forfeited
        mine = pos.german_held if side == GERMAN else ~pos.german_held
        if not self.passing:
            return {h: ONWARD * self.late * worth for h, worth in self.stakes.items()}
        return {h: self.figures.held * worth for h, worth in self.stakes.items() if not (mine | lost) >> h & 1}

    @cached_property
    def passing(self) -> bool:
        """Whether places count for who passed them last, not only for who stands there at the end (17.22, 19.92)."""
        return self.position.game.scenario.victory.decisive

    @cached_property
    def late(self) -> float:
        """How much it counts now who stands in a place that counts at the end."""
        return LATE[min(len(LATE) - 1, max(0, self.last - self.turn))]

    def post(self, unit: int) -> Mapping[Hex, float]:
        """Nearness to the goal of the corps, or to the posts of the defence."""
        made = self._roster[unit]
        if made.side == GERMAN:
            key: tuple[object, ...] = (GERMAN, made.corps, made.column, made.is_hq, self.units[unit].attack)
        else:
            key = (SOVIET, made.column, made.is_guerrilla, self.units[unit].attack)
        found = self._posts.get(key)
        if found is None:
            found = self._posts[key] = self._advancing(unit) if made.side == GERMAN else self._defending(unit)
        return found

    def _advancing(self, unit: int) -> dict[Hex, float]:
        made = self._roster[unit]
        weight = self.figures.stride * (0.5 if made.is_hq else max(1.0, self.units[unit].attack) / 8.0)
        far = distances(self.ground, GERMAN, made.column, self.goal(made.corps))
        found = {h: weight * (60.0 - away) for h, away in far.items()}
        if not made.is_hq and self.passing:
            for h, worth in self.objectives(GERMAN, self.turn).items():
                found[h] = found.get(h, 0.0) + 0.5 * worth
        return found

    def _defending(self, unit: int) -> dict[Hex, float]:
        made, ground = self._roster[unit], self.ground
        if made.is_guerrilla:
            far = distances(ground, SOVIET, "guerrilla", self._rails_behind)
            return {h: 4.0 - PULL * max(2.0, away) for h, away in far.items() if not ground.city >> h & 1}
        return self._pulled(made.column)

    @lru_cache(maxsize=8)  # noqa: B019
    def _pulled(self, column: str) -> dict[Hex, float]:
        """For every hex the best post, less the way there."""
        back = backwards(self.ground, SOVIET, column)
        top = max(self.soviet_posts.values(), default=0.0)
        heap = [(round((top - worth) / PULL * SIXTHS), h) for h, worth in self.soviet_posts.items()]
        heapify(heap)
        most = round(top / PULL * SIXTHS)
        found: dict[Hex, float] = {}
        while heap:
            spent, h = heappop(heap)
            if h in found or spent > most:
                continue
            found[h] = PULLED * (top - PULL * spent / SIXTHS)
            for a, price in back[h]:
                if a not in found:
                    heappush(heap, (spent + price, a))
        return found

    @cached_property
    def _rails_behind(self) -> HexMask:
        """Live German lines away from troops and from the city."""
        ground, german = self.ground, self.stand.held[GERMAN]
        live = self.supply(self.open_ground(GERMAN, self.stand)).live
        behind = live & ~self.grid.within(german, 1) & ~self.grid.within(ground.capital, 8)
        return behind or live or ground.line_hexes

    # The Germans' goals -------------------------------------------------------------------------

    @lru_cache(maxsize=64)  # noqa: B019
    def goal(self, corps: str) -> HexMask:
        """The place a corps is after: the first on its axis that is neither taken nor passed."""
        words = AXES.get(self.game.id, {}).get(corps, ("city",))
        places = [self._place(word) for word in words]
        for place, beyond in pairwise(places):
            if place and not self._has(place) and not self._passed(corps, place, beyond):
                return place
        return places[-1]

    def _place(self, word: str) -> HexMask:
        if word != "city":
            return self.grid.mask([word]) if word in self.grid else 0
        ground = self.ground
        missing = ground.key_points & ~self.stand.held[GERMAN] & ~self.position.german_held
        return missing or ground.key_points or ground.interior

    def _has(self, place: HexMask) -> bool:
        if place & self.stand.held[SOVIET]:
            return False
        if place & self.position.game.watched(self.ground):
            return bool(place & self.position.german_held)
        return bool(self.grid.within(place, 2) & self.stand.held[GERMAN])

    def _passed(self, corps: str, place: HexMask, beyond: HexMask) -> bool:
        """Whether a corps has come nearer to the next place than this one is; points are not passed by."""
        if place & self.position.game.watched(self.ground):
            return False
        field = distances(self.ground, GERMAN, "infantry", beyond)
        limit = min(field.get(h, FAR) for h in members(place))
        return any(
            field.get(self.units[n].hex, FAR) < limit for n in self._members[GERMAN]
            if self._roster[n].corps == corps and not self._hq[n] and self.units[n].hex >= 0
        )  # fmt: skip

    # The Soviets' posts ---------------------------------------------------------------------------

    @cached_property
    def _rings(self) -> list[tuple[HexMask, float]]:
        ground = self.ground
        spots = 0
        for n in self._members[GERMAN]:
            h = self.stand.where[n]
            if h >= 0 and not self._hq[n]:
                spots |= 1 << h | 1 << ground.fringe_of.get(h, h)
        if self.turn < 4:
            spots |= ground.german_exits & ground.entries
        return rings(self.grid, spots)

    def _pressing(self, h: Hex) -> float:
        return pressing(self._rings, self.ground.capital_of.get(h, h))

    @cached_property
    def soviet_posts(self) -> dict[Hex, float]:
        """Hexes worth holding for the Soviets, with what a division there is worth."""
        ground, found = self.ground, dict[Hex, float]()
        towns = 2.5 if ground.book.closed_river else 0.0
        for word, worth in (("town", towns), ("city", 3.0), ("fortification", 3.0), ("fortified-city", 5.0)):
            for h in members(ground.place(word) & ground.main & ~ground.capital):
                if worth:
                    found[h] = worth + 0.15 * self.stakes.get(h, 0.0) + (0.8 if ground.line_hexes >> h & 1 else 0.0)
        gate = self.position.game.scenario.victory.gate
        if gate in self.grid:
            found[self.grid.hex(gate)] = 7.0
        near_city = self.grid.within(ground.capital, 5)
        for h in found:
            if near_city >> h & 1:
                found[h] += 1.0
        if self.position.germans_on_inset:
            front = self.grid.ring(self.stand.held[GERMAN] & ground.inset)
            for h in members(ground.interior):
                found[h] = 2.0 + (3.0 if ground.key_points >> h & 1 else 0.0) + (1.5 if front >> h & 1 else 0.0)
        else:
            for h in members(ground.capital):
                found[h] = 3.0
        return {h: worth * self._pressing(h) for h, worth in found.items()}

    @cached_property
    def _ordered_posts(self) -> list[tuple[Hex, float, HexMask]]:
        return [
            (h, worth, self.grid.ring(1 << h))
            for h, worth in sorted(self.soviet_posts.items(), key=lambda post: (-post[1], post[0]))
            if not self.ground.capital >> h & 1
        ]

    @cached_property
    def _urgent(self) -> float:
        least = 0.6 if self.ground.book.closed_river else 0.0
        return max([least, *[self._pressing(h) for h in members(self.ground.capital)]])

    def standing(self, stand: Stand) -> float:
        """Scoring hexes, garrisons (17.25), works and cities manned."""
        return self._german(stand) if self.side == GERMAN else self._soviet(stand)

    def _german(self, stand: Stand) -> float:
        pos, held, total = self.position, stand.held[GERMAN], 0.0
        for city in members(self.ground.garrison & pos.captured & ~pos.forfeited):
            if not self._garrisoned(city, stand):
                total -= self.stakes.get(city, 10.0)
        if not self.passing:
            for h, worth in self.stakes.items():
                if held >> h & 1:
                    total += self.late * worth
            inside = max(self.late, INSIDE_NOW) * pos.game.scenario.victory.unit_in_city
            for n in self._members[GERMAN]:
                h = stand.where[n]
                if h >= 0 and self.ground.interior >> h & 1 and not self._hq[n] and not stand.hungry >> n & 1:
                    total += inside
        else:
            for h, worth in self.objectives(GERMAN, self.turn).items():
                if held >> h & 1:
                    total += 0.5 * worth
        return total

    def _garrisoned(self, city: Hex, stand: Stand) -> bool:
        there = [n for n in stand.at.get(city, ()) if self._body[n] and self.units[n].side == GERMAN]
        return any(self._kind[n] == "body" for n in there) or len(there) > 2

    def _soviet(self, stand: Stand) -> float:
        total, ground = 0.0, self.ground
        held = counted = 0
        for n in self._members[SOVIET]:
            if self._body[n] and stand.where[n] >= 0:
                held |= 1 << stand.where[n]
        for h, worth, ring in self._ordered_posts:
            if held >> h & 1:
                strength = sum([self.units[n].defence for n in stand.at[h] if self._body[n]])
                share = COVERED if counted & ring and h not in self.stakes else 1.0
                total += share * worth * (0.6 + strength / 8.0)
                counted |= 1 << h
        if not self.position.germans_on_inset:
            inside = sum(len([n for n in stand.at.get(h, ()) if self._body[n]]) for h in members(ground.capital))
            inside += (held & ground.interior).bit_count()
            total += self._urgent * sum(GARRISON[:inside])
        total += self.figures.works * (stand.held[SOVIET] & ground.fort).bit_count()
        if self.passing:
            for h, worth in self.objectives(SOVIET, self.turn).items():
                if held >> h & 1:
                    total += worth
            return total
        everybody = stand.held[SOVIET]
        return total + self.late * sum([worth for h, worth in self.stakes.items() if everybody >> h & 1])

    # Peculiar to games ----------------------------------------------------------------------------

    def commands(self, side: int) -> list[Command]:
        """Corps headquarters (11.3)."""
        if side == SOVIET:
            return []
        reach = float(self.ground.tables.supply_range)
        return [
            Command(n, reach, tuple(
                m for m in self._members[GERMAN] if m != n and self._roster[m].corps == self._roster[n].corps
            ))
            for n in self._members[GERMAN] if self._hq[n]
        ]  # fmt: skip

    def weapons(self, side: int) -> list[Weapon]:
        """Air units for ground support (12.5)."""
        pos = self.position
        return [Weapon("air", pos.support_left, -1)] if pos.side == side and pos.support_left else []

    def support(self) -> int:
        """Air units that may still be placed over attacks."""
        pos = self.position
        return pos.support_left if not pos.fought else 0


MOVING = frozenset({"german-movement", "german-mechanized-movement", "soviet-movement"})


PROSPECT = AssaultProspect
