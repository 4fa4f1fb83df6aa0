"""How things lie: who threatens what, which ground is worth what, and what the season asks of a side."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

from ....games.tijvin.book import UnitMask, enemy_of
from ....games.tijvin.ground import Ground
from ....games.tijvin.position import TijvinPosition
from ....games.tijvin.supply import supplied_hexes
from ....hexes import Hex, HexMask, members
from ...lay import FAR, Lay, lay_of
from ...tuning import Side
from .blows import chances

FACTOR = {1: 0.9, 2: 1.2, 3: 1.5}
"""What a factor is worth, by printed efficiency."""
GUN = 2.0
"""What an artillery unit is worth."""
STRIKE = {1: (1.0, 1.0), 2: (0.8, 0.9), 3: (0.5, 0.8), 4: (0.1, 0.6), 5: (0.0, 0.4)}
"""Share of a unit's factors that may strike a hex so many hexes away: on foot, and mobile."""
BODY = 6
"""Factors that make a stack: it has a zone (5)."""


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
        self._strikes: dict[tuple[Hex, bool], dict[Hex, tuple[float, float]]] = {}

    def away(self, h: Hex) -> dict[Hex, int]:
        """How many hexes every hex is from one."""
        row = self._rows.get(h)
        if row is None:
            row = self._rows[h] = {other: self.grid.distance(h, other) for other in members(self.grid.all)}
        return row

    def strikes(self, h: Hex, frozen: bool) -> dict[Hex, tuple[float, float]]:
        """The share of its factors with which a unit in another hex may strike one: on foot, and mobile."""
        found = self._strikes.get((h, frozen))
        if found is None:
            found = self._strikes[h, frozen] = {
                at: (foot * way, mobile * way)
                for at, far in self.away(h).items() if far in STRIKE
                for (foot, mobile), way in ((STRIKE[far], self._way_in(h, at, frozen)),)
            }  # fmt: skip
        return found

    def _way_in(self, h: Hex, at: Hex, frozen: bool) -> float:
        """What rivers leave of factors that come from a hex: the best of the sides that face it."""
        best, away = 0.0, self.away(at)
        for n in self.grid.neighbours(h):
            if n >= 0 and away[n] < away[h] and self.ground.passable(n, h):
                river = self.ground.river(n, h)
                best = max(best, 1 / 3 if river == "major-river" else 0.6 if river and not frozen else 1.0)
        return best


@lru_cache(maxsize=16)
def chart_of(ground: Ground) -> Chart:
    """The chart of a map."""
    return Chart(ground)


class Lie:
    """A position as one side's staff reads it. The position is the staff's own to think on."""

    def __init__(self, p: TijvinPosition, side: str, style: Side, temper: Mapping[str, float]) -> None:
        self.p, self.side, self.enemy = p, side, enemy_of(side)
        self.style = style
        self.temper = temper
        self.ground, self.grid, self.roster = p.ground, p.ground.grid, p.roster
        self.lay: Lay = lay_of(p.map, p.game.id)
        self.attacking = style.posture == "attack"
        self.chart = chart_of(p.ground)
        self._threat: dict[Hex, tuple[float, float]] = {}
        self._out_of_hand: dict[Hex, int] = {}
        self._distance: dict[Hex, dict[Hex, float]] = {}

    def temper_of(self, word: str) -> float:
        """What the temper of the day multiplies a weight by."""
        return self.temper.get(word, 1.0)

    # Worth --------------------------------------------------------------------------------------

    def worth(self, u: int) -> float:
        """What one factor of a unit is worth."""
        unit = self.roster.units[u]
        return GUN if unit.type == "artillery" else FACTOR.get(unit.efficiency, 1.0)

    def mean_worth(self, units: UnitMask) -> float:
        """What a factor of some units is worth on average."""
        cf = self.p.cf
        total = sum(cf[u] for u in members(units))
        return sum(self.worth(u) * cf[u] for u in members(units)) / total if total else 1.0

    @cached_property
    def cities(self) -> dict[Hex, float]:
        """The cities that count, and what each is worth; in the short scenario the four that decide it (15.3)."""
        goals, objectives = self.style.goals, self.p.game.book.set_up.scenarios[self.p.scenario].objectives
        major, minor = goals.get("major-city", 20.0), goals.get("minor-city", 5.0)
        found = dict.fromkeys(members(self.ground.minor_city), minor)
        found.update(dict.fromkeys(members(self.ground.major_city), major))
        if objectives is not None:
            wanted = {self.grid.hex(n) for numbers in objectives.values() for n in numbers if n in self.grid}
            found = {h: major if h in wanted else 0.4 * minor for h in found}
        return found

    def distances(self, h: Hex) -> dict[Hex, float]:
        """Marching distances to a hex."""
        found = self._distance.get(h)
        if found is None:
            found = self._distance[h] = self.lay.distances(1 << h)
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
    def _seats(self) -> list[Hex]:
        return [self.p.hq_hex[q] for q in self.roster.hqs_of[self.side] if self.p.hq_hex[q] >= 0]

    def out_of_hand(self, h: Hex) -> int:
        """Hexes beyond the reach of the nearest headquarters, its own march counted in."""
        known = self._out_of_hand.get(h)
        if known is None:
            away = self.chart.away(h)
            far = min((away[seat] for seat in self._seats), default=0)
            known = self._out_of_hand[h] = max(far - self.p.tables.command.of(self.side) - 2, 0)
        return known

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

    def threat(self, h: Hex) -> tuple[float, float]:
        """Enemy factors that may strike a hex soon, and their efficiency."""
        known = self._threat.get(h)
        if known is None:
            total = weighed = 0.0
            strikes = self.chart.strikes(h, self.p.frozen)
            for at, factors, efficiency, mobile in self.enemies:
                near = strikes.get(at)
                if near is not None:
                    share = factors * near[mobile]
                    total += share
                    weighed += share * efficiency
            known = self._threat[h] = (total, weighed / total if total else 1.0)
        return known

    def danger(self, h: Hex, factors: float, efficiency: float, guns: int) -> float:
        """How likely a stack in a hex is beaten if the enemy strikes with what he has near."""
        threat, quality = self.threat(h)
        if threat <= 0:
            return 0.0
        column = self.p.tables.ratios.column(round(threat), max(round(factors), 1)).modifier
        terrain, _ = self.ground.modifier(h, self.p.frozen)
        winter = self.p.turn >= self.p.tables.turns.winter
        ours = terrain + guns - (winter and self.side == "german")
        theirs = column + quality - efficiency + 1 - (winter and self.enemy == "german")
        return chances(round(theirs - ours), 0).win

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
        terrain, _ = self.ground.modifier(h, self.p.frozen)
        return Task(h, min(18.0, max(float(BODY), 0.6 * threat - terrain)), worth, True)

    def _take(self, h: Hex, worth: float) -> Task:
        there = sum(factors for at, factors, _, _ in self.enemies if self.chart.away(h)[at] <= 1)
        return Task(h, max(8.0, 2.5 * there), worth if self.attacking else 0.3 * worth, False)
