"""How things lie: who threatens what, which ground is worth what, and what the season asks of a side."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

from ....games.tijvin import movement
from ....games.tijvin.book import Roster, UnitMask, enemy_of
from ....games.tijvin.ground import Ground
from ....games.tijvin.position import TijvinPosition
from ....games.tijvin.supply import supplied_hexes
from ....hexes import DIRECTIONS, Hex, HexMask, members
from ...lay import FAR, Lay, lay_of
from ...tuning import Side
from .blows import Blow, chances
from .flight import BODY
from .lines import Lines

FACTOR = {1: 0.9, 2: 1.2, 3: 1.5}
"""What a factor is worth, by printed efficiency."""
GUN = 2.0
"""What an artillery unit is worth."""
LATE = (0.2, 0.5, 0.8)
"""How much of that counts on the last turn and those before it: in the end only cities are counted (14)."""
DUE = {
    "german": (1.3, 0.7, 0.6, 0.35, 0.3, 0.3, 0.25, 0.25, 0.22, 0.12),
    "soviet": (1.3, 0.94, 0.84, 0.6, 0.55, 0.53, 0.49, 0.48, 0.44, 0.31),
}
"""What a city counts on the last turn and those before it, against factors: who has more of these takes it back."""
REST = 0.35
"""How much of what other headquarters can bring counts beside the strongest."""
SPENT = 0.7
"""How much of those who have acted in this turn counts."""
ONCE, COST = 0.6, 2
"""How likely a beaten garrison is not beaten twofold, so that it may stand, and the factors it has lost by then."""
OUTLYING = (1.0, 0.6, 0.3, 0.12)
"""How likely an empty city is walked into by an enemy so many marches away."""
NEAR = 2
"""Hexes within which an enemy is near a headquarters."""
QUIET = 0.03
NATURE: Mapping[str, Mapping[str, float]] = {
    "german": {"attack": 1.15, "effort": 0.6, "safety": 0.7, "major": 1.2, "minor": 0.8, "giving": 1.3, "lone": 1.4},
    "soviet": {"push": 1.5, "safety": 0.7, "unfed": 1.3, "lines": 1.3},
}
"""What the staff of each side multiplies its weights by: in which direction games got better in which weights were
changed at random."""
HABITS: Mapping[str, Mapping[str, float]] = {
    "german": {"wait": 1.0, "rescue": 1.0, "fire": 1.0, "battery": 1.0, "spare": 1.0, "march": 1.0},
    "soviet": {"wait": 1.0, "rescue": 1.0, "fire": 1.0, "battery": 1.0, "spare": 1.0, "march": 1.0, "last": 1.0},
}
"""What each does: let the enemy act first, see to headquarters that are alone before anything else, plan blows with the
guns that could fire, bring guns into cities before these fill up, keep guns for the next blow, march those who are far
from any enemy before it passes, let the most urgent act last."""
FIRES = 0.6
"""How much of what guns can add to a roll counts in the defence: they fire once a turn, at one blow of several."""
EARLY = 4
"""Turns after this one that make it an early one."""
SUPPORT = 1
"""What guns and aircraft add to an attack as a rule."""
TRAPPED = (1.0, 0.5, 0.15)
"""How likely a beaten stack that can give way to so many hexes only is destroyed ..."""
SNARED = 0.5
"""... and one to which the enemy can close every way out when he strikes."""
REMEMBERED = 64
"""Boards whose threats are remembered."""
COUNTED = 3.0
"""How much of its worth a city counts, against factors, that is cut off when cities are counted (14)."""
PACE = {True: 7.0, False: 4.0}
"""Movement points a march, mobile and on foot."""


class Task(NamedTuple):
    """A hex that wants troops, how many factors, and what that is worth."""

    hex: Hex
    factors: float
    worth: float
    hold: bool


class Chart:
    """Distances and ways in on one map, worked out once."""

    def __init__(self, ground: Ground) -> None:
        self.ground, self.grid = ground, ground.grid
        self._rows: dict[Hex, dict[Hex, int]] = {}
        self.nearness: dict[Hex, list[float]] = {}
        self.shares: dict[Hex, list[float]] = {}
        self.terrain = [[ground.modifier(h, frozen)[0] for h in range(self.grid.all.bit_length())]
                        for frozen in (False, True)]  # fmt: skip
        """What each hex adds to its defender's roll, before and in the frost."""
        self.menaces: dict[Hashable, Menace] = {}
        self.dry: dict[Hex, HexMask] = {}
        """From where each hex is attacked over dry ground ..."""
        self.minor: dict[Hex, HexMask] = {}
        """... over a minor river ..."""
        self.major: dict[Hex, HexMask] = {}
        """... and over a major one."""
        for h in members(ground.land):
            self._approach(h)

    def _approach(self, h: Hex) -> None:
        ground, dry, minor, major = self.ground, 0, 0, 0
        for d, n in zip(DIRECTIONS, self.grid.neighbours(h), strict=True):
            if n < 0 or not ground.ways[d] >> h & 1:
                continue
            if ground.major[d] >> h & 1:
                major |= 1 << n
            elif ground.minor[d] >> h & 1:
                minor |= 1 << n
            else:
                dry |= 1 << n
        self.dry[h], self.minor[h], self.major[h] = dry, minor, major

    def away(self, h: Hex) -> dict[Hex, int]:
        """How many hexes every hex is from one."""
        row = self._rows.get(h)
        if row is None:
            row = self._rows[h] = {other: self.grid.distance(h, other) for other in members(self.grid.all)}
        return row


@lru_cache(maxsize=16)
def chart_of(ground: Ground) -> Chart:
    """The chart of a map."""
    return Chart(ground)


@lru_cache(maxsize=64)
def _worths(roster: Roster, late: float) -> list[float]:
    return [late * (GUN if unit.type == "artillery" else FACTOR.get(unit.efficiency, 1.0)) for unit in roster.units]


class Menace:
    """What the enemies of a side can reach as everybody stands. Readings of the same board share it."""

    def __init__(self, p: TijvinPosition, side: str) -> None:
        self.chart = chart_of(p.ground)
        self.strikers = _strikers(p, side)
        """Units that fight: where they can be, factors, efficiency, their headquarters."""
        self.threats: dict[Hex, tuple[float, float]] = {}
        self._closing: dict[HexMask, bool] = {}
        self.reached = self.bodies = 0
        for reach, _, _, _, body in self.strikers:
            self.reached |= reach
            if body:
                self.bodies |= reach

    def threat(self, h: Hex, frozen: bool) -> tuple[float, float]:
        """Factors that may strike a hex soon, and their efficiency."""
        found = self.threats[h] = self._threat(h, frozen)
        return found

    def closes(self, ways: HexMask) -> bool:
        """Whether units that act together can stand in every one of some hexes."""
        known = self._closing.get(ways)
        if known is None:
            known = self._closing[ways] = self._closes(ways)
        return known

    def _closes(self, ways: HexMask) -> bool:
        if ways & ~self.reached:
            return False
        able: dict[int, list[HexMask]] = {}
        for reach, _, _, group, _ in self.strikers:
            if reach & ways:
                able.setdefault(group, []).append(reach & ways)
        return any(_matched(ways, reaches) for reaches in able.values())

    def _threat(self, h: Hex, frozen: bool) -> tuple[float, float]:
        lanes = self.chart
        dry, minor, major = lanes.dry.get(h, 0), lanes.minor.get(h, 0), lanes.major.get(h, 0)
        if frozen:
            dry, minor = dry | minor, 0
        near = dry | minor | major
        groups: dict[int, float] = {}
        total = weighed = 0.0
        for reach, factors, efficiency, group, _ in self.strikers:
            if not reach & near:
                continue
            share = factors if reach & dry else 0.5 * factors if reach & minor else factors / 3
            groups[group] = groups.get(group, 0.0) + share
            total += share
            weighed += share * efficiency
        if not total:
            return 0.0, 1.0
        top = max(groups.values())
        return top + REST * (total - top), weighed / total


def _matched(ways: HexMask, reaches: list[HexMask]) -> bool:
    """Whether every hex can have a unit of its own; those who reach few are sent first."""
    for reach in sorted(reaches, key=int.bit_count):
        ways &= ~(reach & ways & -(reach & ways))
    return not ways


def _strikers(p: TijvinPosition, side: str) -> list[tuple[HexMask, float, int, int, bool]]:
    """Units of a side that fight: where they can be, factors, efficiency, whom they act with, whether they have a zone
    by themselves. The extra activation of turn 1 (15.1) halves nobody's march but that of its own units."""
    units, found, bonus = p.roster.units, [], p.bonus
    if bonus == "now" and p.side != side:
        p.bonus = "used"
    for u in p.roster.of[side]:
        h = p.hexes[u]
        if h < 0 or units[u].type == "artillery":
            continue
        cut = p.unsupplied >> u & 1
        factors = p.cf[u] * (0.5 if cut else 1.0) * (SPENT if p.spent >> u & 1 else 1.0)
        group = -u if p.uncommanded >> u & 1 else p.hq[u] + 1
        body = p.cf[u] >= BODY and not cut
        reach = movement.range_of(p, u).reached | 1 << h
        found.append((reach, factors, max(units[u].efficiency - cut, 1), group, body))
    p.bonus = bonus
    return found


def menace_of(p: TijvinPosition, side: str) -> Menace:
    """What a side can reach, worked out once for a board."""
    mask, known = p.roster.side_mask[side], chart_of(p.ground).menaces
    board = (side, tuple(p.hexes), tuple(p.cf), tuple(p.hq), p.spent & mask, p.uncommanded & mask, p.unsupplied,
             p.control, p.turn, p.weather, p.bonus == "now", p.fog, p.shown, p.roster)  # fmt: skip
    found = known.get(board)
    if found is None:
        if len(known) >= REMEMBERED:
            known.clear()
        found = known[board] = Menace(p, side)
    return found


def _nearness(far: float) -> float:
    return 1.0 if far == 0 else 0.8 / (1.0 + 0.25 * far)


def _share(far: float) -> float:
    return 1.0 if far == 0 else 0.5 if far <= 2 else 0.25 if far <= 4 else 0.0


class Lie:
    """A position as one side's staff reads it. The position is the staff's own to think on."""

    def __init__(self, p: TijvinPosition, side: str, style: Side, temper: Mapping[str, float]) -> None:
        self.p, self.side, self.enemy = p, side, enemy_of(side)
        self.style = style
        self.temper = temper
        self.ground, self.grid, self.roster = p.ground, p.ground.grid, p.roster
        self.lay: Lay = lay_of(p.map, p.game.id)
        self.frozen = p.frozen
        self.attacking = style.posture == "attack"
        self.left = p.game.scenarios[p.scenario].turns - p.turn
        """Turns after this one."""
        self.nature, self.habits = NATURE[side], HABITS[side]
        self.boldness = style.boldness * self.temper_of("bold")
        self.fear = self.habit("fear")
        """What is added to the rolls of the enemy's blows ..."""
        self.fires = FIRES * self.temper_of("guns")
        """... and how much of what guns add to those of the defence counts: they fire once a turn."""
        self.late = LATE[self.left] if 0 <= self.left < len(LATE) else 1.0
        self.chart = chart_of(p.ground)
        self.terrain = self.chart.terrain[self.frozen]
        """What each hex adds to its defender's roll."""
        self._dangers: dict[tuple[Hex, int, float], float] = {}
        self._holds: dict[tuple[Hex, int, int], float] = {}
        self._tolls: dict[tuple[Hex, int, int, int, bool], float] = {}
        self._ways: dict[Hex, HexMask] = {}
        self._distance: dict[Hex, dict[Hex, float]] = {}
        self.blows: dict[Hashable, Blow] = {}
        """What attacks are worth that have been thought of."""
        self.cuts: dict[tuple[HexMask, HexMask], float] = {}
        """What enemies are cut off by stacks, and by those of them that have a zone."""

    def temper_of(self, word: str) -> float:
        """What the staff of the side and the temper of the day multiply a weight by."""
        return self.nature.get(word, 1.0) * self.temper.get(word, 1.0)

    def habit(self, word: str) -> float:
        """What the staff of the side does, or does not do, by habit, unless the temper of the day has it otherwise."""
        found = self.temper.get(word)
        return self.habits.get(word, 0.0) if found is None else found

    # Worth --------------------------------------------------------------------------------------

    def worth(self, u: int) -> float:
        """What one factor of a unit is worth."""
        return self.worths[u]

    @cached_property
    def worths(self) -> list[float]:
        """What one factor of each unit is worth."""
        return _worths(self.roster, self.late)

    def mean_worth(self, units: UnitMask) -> float:
        """What a factor of some units is worth on average."""
        cf = self.p.cf
        total = sum([cf[u] for u in members(units)])
        worths = self.worths
        return sum([worths[u] * cf[u] for u in members(units)]) / total if total else 1.0

    def stacks(self, where: Mapping[int, Hex]) -> tuple[dict[Hex, int], dict[Hex, int]]:
        """For each hex the factors of units in it, and their efficiency added up."""
        cf, units = self.p.cf, self.roster.units
        load, quality = dict[Hex, int](), dict[Hex, int]()
        for u, h in where.items():
            load[h] = load.get(h, 0) + cf[u]
            quality[h] = quality.get(h, 0) + cf[u] * units[u].efficiency
        return load, quality

    @cached_property
    def cities(self) -> dict[Hex, float]:
        """The cities that count, and what each is worth, most at the end, when they are counted (14); in the short
        scenario the four that decide it (15.3)."""
        goals, objectives = self.style.goals, self.p.game.book.set_up.scenarios[self.p.scenario].objectives
        major, minor = goals.get("major-city", 20.0), goals.get("minor-city", 5.0)
        found = dict.fromkeys(members(self.ground.minor_city), minor)
        found.update(dict.fromkeys(members(self.ground.major_city), major))
        if objectives is not None:
            wanted = {self.grid.hex(n) for numbers in objectives.values() for n in numbers if n in self.grid}
            found = {h: major if h in wanted else 0.4 * minor for h in found}
        due = DUE[self.side]
        near = due[min(max(self.left, 0), len(due) - 1)]
        near *= self.temper_of("early" if self.left >= EARLY else "late")
        bits, big, small = self.ground.major_city, near * self.temper_of("major"), near * self.temper_of("minor")
        return {h: (big if bits >> h & 1 else small) * worth for h, worth in found.items()}

    def distances(self, h: Hex) -> dict[Hex, float]:
        """Marching distances to a hex."""
        found = self._distance.get(h)
        if found is None:
            found = self._distance[h] = self.lay.distances(1 << h)
        return found

    def nearness(self, h: Hex) -> list[float]:
        """How much a unit in every hex counts for what is to be done in one, less the further away."""
        return self._by_distance(self.chart.nearness, h, _nearness)

    def shares(self, h: Hex) -> list[float]:
        """How far a unit in another hex already sees to what is to be done in one."""
        return self._by_distance(self.chart.shares, h, _share)

    def _by_distance(self, known: dict[Hex, list[float]], h: Hex, counts: Callable[[float], float]) -> list[float]:
        """What every hex counts by its marching distance to one, worked out once for the ground."""
        found = known.get(h)
        if found is None:
            found = known[h] = [0.0] * self.grid.all.bit_length()
            for at, far in self.distances(h).items():
                found[at] = counts(far)
        return found

    @cached_property
    def held(self) -> HexMask:
        """The ground of the side."""
        return self.p.own_ground(self.side)

    @cached_property
    def fed(self) -> HexMask:
        """The hexes in supply, and those next to them."""
        reached = supplied_hexes(self.p, self.side)
        return reached | self.grid.ring(reached) & self.ground.land

    @cached_property
    def lines(self) -> Lines:
        """The lines of supply of the side."""
        return Lines(self)

    @cached_property
    def prey(self) -> dict[Hex, float]:
        """What enemies are worth in each hex if they are cut off."""
        p, load = self.p, dict[Hex, float]()
        for u in p.roster.of[self.enemy]:
            h = p.hexes[u]
            if h >= 0:
                load[h] = load.get(h, 0.0) + p.cf[u] * self.worths[u]
        return load

    @cached_property
    def counted(self) -> dict[Hex, float]:
        """On the last turn the German cities, and what it counts for either side whether a line of supply runs into
        each when the turn ends (14); for that a city in a Soviet zone must have Germans in it."""
        p = self.p
        if p.turn < p.game.scenarios[p.scenario].turns or p.game.book.set_up.scenarios[p.scenario].objectives:
            return {}
        german = p.own_ground("german")
        return {h: COUNTED * worth for h, worth in self.cities.items() if german >> h & 1}

    @cached_property
    def ranges(self) -> dict[int, HexMask]:
        """Where each unit that may move now can go, or stay."""
        p = self.p
        return {
            u: movement.destinations(p, u, movement.range_of(p, u).reached) | 1 << p.hexes[u]
            for u in movement.movers(p)
        }

    # Threats ------------------------------------------------------------------------------------

    @cached_property
    def enemies(self) -> list[tuple[Hex, float, int, bool]]:
        """Enemy units that fight: hex, factors, efficiency, whether mobile."""
        p, units = self.p, self.roster.units
        found = []
        for u in self.roster.of[self.enemy]:
            if p.hexes[u] < 0 or units[u].type == "artillery":
                continue
            cut = bool(p.unsupplied >> u & 1)
            efficiency = max(units[u].efficiency - cut, 1)
            found.append((p.hexes[u], p.cf[u] * (0.5 if cut else 1.0), efficiency, bool(self.roster.mobile >> u & 1)))
        return found

    @cached_property
    def _menace(self) -> Menace:
        return menace_of(self.p, self.enemy)

    @cached_property
    def _threat(self) -> dict[Hex, tuple[float, float]]:
        return self._menace.threats

    @property
    def reached(self) -> HexMask:
        """Every hex that an enemy can walk into."""
        return self._menace.reached

    @property
    def bodies(self) -> HexMask:
        """Every hex in which an enemy unit can stand that has a zone by itself."""
        return self._menace.bodies

    @cached_property
    def near(self) -> HexMask:
        """Every hex with an enemy near."""
        enemies = self.p.occupied(self.enemy)
        return self.grid.within(enemies, NEAR) if enemies else 0

    @cached_property
    def approached(self) -> HexMask:
        """Every hex to which an enemy can come near."""
        return self.grid.within(self.reached | self.near, NEAR)

    def threat(self, h: Hex) -> tuple[float, float]:
        """Enemy factors that may strike a hex soon, and their efficiency."""
        known = self._threat.get(h)
        return known if known is not None else self._menace.threat(h, self.frozen)

    def danger(self, h: Hex, factors: float, efficiency: float, guns: int) -> float:
        """How likely a stack in a hex is beaten if the enemy strikes with what he has near."""
        key = (h, max(round(factors), 1), efficiency + guns)
        known = self._dangers.get(key)
        if known is not None:
            return known
        threat, quality = self.threat(h)
        if threat <= 0:
            return 0.0
        column = self.p.tables.ratios.column(round(threat), max(round(factors), 1)).modifier
        terrain = self.terrain[h]
        winter = self.p.turn >= self.p.tables.turns.winter
        ours = terrain + guns - (winter and self.side == "german")
        theirs = column + quality - efficiency + 1 + self.fear - (winter and self.enemy == "german")
        known = self._dangers[key] = chances(round(theirs - ours), 0).win
        return known

    def gunfire(self, support: int) -> int:
        """What guns that could add so much to a roll can be trusted to add when their stack is struck."""
        return round(self.fires * support)

    def toll(self, h: Hex, factors: int, efficiency: int, guns: int = 0, *, snared: bool = False) -> float:
        """What a stack in a hex can expect to lose above what that costs the enemy, if he strikes with what he has
        near. The same blow costs one large stack less than several small ones that are beaten in their turn, and any
        stack most where the enemy can close the ways out."""
        key = (h, factors, efficiency, guns, snared)
        known = self._tolls.get(key)
        if known is None:
            known = self._tolls[key] = self._toll(h, factors, efficiency, guns, snared)
        return known

    def _toll(self, h: Hex, factors: int, efficiency: int, guns: int, snared: bool) -> float:
        threat, quality = self.threat(h)
        if threat <= 0 or factors <= 0:
            return 0.0
        tables = self.p.tables
        casualties = tables.casualties
        column = tables.ratios.column(max(round(threat), 1), factors).modifier
        winter, better = self.p.turn >= tables.turns.winter, round(quality) - efficiency
        rolls = column + max(better, 0) + SUPPORT + round(self.fear) - (winter and self.enemy == "german")
        odds = chances(rolls, self.terrain[h] + max(-better, 0) + guns - (winter and self.side == "german"))
        base = sum(casualties.winner) / 6 + casualties.by_magnitude(min(round(threat), factors))
        lost = min(base + odds.win * casualties.loser + odds.theirs, float(factors))
        ways = self.ways_out(h).bit_count()
        trapped = max(TRAPPED[ways] if ways < len(TRAPPED) else 0.0, SNARED * snared)
        lost += odds.win * trapped * (factors - lost)
        paid = base + odds.lose * casualties.loser + odds.ours
        if factors < base + 1:
            paid -= odds.win * min(base, base + 1 - factors)
        theirs = self.boldness * FACTOR.get(round(quality), 1.0)
        return self.late * max(FACTOR.get(efficiency, 1.0) * lost - theirs * paid, 0.0)

    def ways_out(self, h: Hex) -> HexMask:
        """The hexes to which a beaten stack could give way (13 V)."""
        known = self._ways.get(h)
        if known is None:
            ground, enemies, known = self.ground, self.p.occupied(self.enemy), 0
            for n in self.grid.neighbours(h):
                if n >= 0 and not enemies >> n & 1 and ground.passable(h, n):
                    known |= (ground.river(h, n) != "major-river" or ground.joined(h, n)) << n
            self._ways[h] = known
        return known

    def snared(self, h: Hex, stood: HexMask) -> bool:
        """Whether the enemy can stand in every way out of a hex when he strikes; friends keep one open."""
        ways = self.ways_out(h)
        return not ways & stood and self._menace.closes(ways)

    # What wants doing -----------------------------------------------------------------------------

    @cached_property
    def tasks(self) -> list[Task]:
        """Cities to take and to hold, and what it takes."""
        return [self._take(h, worth) if not self.held >> h & 1 else self._hold(h, worth)
                for h, worth in self.cities.items()]  # fmt: skip

    def _hold(self, h: Hex, worth: float) -> Task:
        threat = sum(
            factors * (1.0 if far <= 3 else 0.6 if far <= 6 else 0.3)
            for at, factors, _, mobile in self.enemies
            if (far := self.distances(h).get(at, FAR)) <= (12 if mobile else 8)
        )
        if not threat:
            return Task(h, 0.0, 0.0, True)
        terrain = self.terrain[h]
        return Task(h, min(18.0, max(float(BODY), 0.6 * threat - terrain)), worth, True)

    def _take(self, h: Hex, worth: float) -> Task:
        there = sum(factors for at, factors, _, _ in self.enemies if self.chart.away(h)[at] <= 1)
        return Task(h, max(8.0, 2.5 * there), worth if self.attacking else 0.3 * worth, False)

    # Garrisons ------------------------------------------------------------------------------------

    def exposed(self, h: Hex) -> float:
        """How likely an enemy would walk into a hex of ours if it were empty."""
        if (self.reached >> h & 1) or self.threat(h)[0] > 0:
            return 1.0
        far, best = self.distances(h), FAR
        for at, _, _, mobile in self.enemies:
            best = min(best, far.get(at, FAR) / PACE[mobile])
        marches = int(best)
        return OUTLYING[marches] if marches < len(OUTLYING) else QUIET

    def held_by(self, h: Hex, factors: int, guns: int = 0) -> float:
        """How surely a city is held by so many factors and some gunfire against what can come next."""
        key = (h, factors, guns)
        known = self._holds.get(key)
        if known is None:
            known = self._holds[key] = self._held_by(h, factors, guns)
        return known

    def _held_by(self, h: Hex, factors: int, guns: int) -> float:
        if factors <= 0:
            return 1.0 - self.exposure[h]
        if not self.threat(h)[0]:
            return 1.0 - self.exposure[h] * (0.3 if factors < 3 else 0.1)
        return 1.0 - self._falls(h, factors) * self.danger(h, factors, 1.5, guns)

    def _falls(self, h: Hex, factors: int) -> float:
        """How likely a beaten garrison is out of its city: if it is strong enough, it may stand (13 V)."""
        figures, p = self.p.tables.all_out_defence, self.p
        if factors - COST < figures.strength:
            return 1.0
        number = figures.major_city if self.ground.major_city >> h & 1 else figures.minor_city
        near = self.grid.within(1 << h, 1)
        if any(p.hq_hex[q] >= 0 and near >> p.hq_hex[q] & 1 for q in self.roster.hqs_of[self.side]):
            number += figures.headquarters
        return 1.0 - ONCE * number / 6

    @cached_property
    def exposure(self) -> dict[Hex, float]:
        """For each city of ours how likely it would be lost if it were empty."""
        return {h: self.exposed(h) for h in self.cities if self.held >> h & 1}
