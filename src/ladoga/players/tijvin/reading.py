"""A position as the general reads it: who can really strike what, and how surely a city is held."""

from __future__ import annotations

from functools import cached_property

from ...games.tijvin import movement
from ...games.tijvin.ground import Ground
from ...hexes import DIRECTIONS, Hex, HexMask, members
from ..doctrines.tijvin_staff.lie import Lie
from ..lay import FAR

REST = 0.35
"""How much of what other headquarters can bring counts beside the strongest."""
SPENT = 0.7
"""How much of those who have acted in this turn counts."""
STAND = 0.9
"""How likely a beaten garrison is out of its city."""
OUTLYING = (1.0, 0.6, 0.3, 0.12)
"""How likely an empty city is walked into by an enemy so many marches away."""
QUIET = 0.03
PACE = {True: 7.0, False: 4.0}
"""Movement points a march, mobile and on foot."""


class Approaches:
    """From where each hex is attacked: over dry ground, a minor or a major river."""

    def __init__(self, ground: Ground) -> None:
        self.dry: dict[Hex, HexMask] = {}
        self.minor: dict[Hex, HexMask] = {}
        self.major: dict[Hex, HexMask] = {}
        for h in members(ground.land):
            dry = minor = major = 0
            for d, n in zip(DIRECTIONS, ground.grid.neighbours(h), strict=True):
                if n < 0 or not ground.ways[d] >> h & 1:
                    continue
                if ground.major[d] >> h & 1:
                    major |= 1 << n
                elif ground.minor[d] >> h & 1:
                    minor |= 1 << n
                else:
                    dry |= 1 << n
            self.dry[h], self.minor[h], self.major[h] = dry, minor, major


_APPROACHES: dict[int, tuple[Ground, Approaches]] = {}


def approaches_of(ground: Ground) -> Approaches:
    """The approaches on a map, worked out once."""
    found = _APPROACHES.get(id(ground))
    if found is None:
        if len(_APPROACHES) > 16:
            _APPROACHES.clear()
        found = _APPROACHES[id(ground)] = (ground, Approaches(ground))
    return found[1]


class Reading(Lie):
    """The general's reading. Threats follow from where enemies can go, under one headquarters at a time."""

    @cached_property
    def _strikers(self) -> list[tuple[HexMask, float, int, int, int]]:
        """Enemies that fight: where they can be, factors, efficiency, their headquarters, their number."""
        p, units, found = self.p, self.roster.units, []
        for u in self.roster.of[self.enemy]:
            h = p.hexes[u]
            if h < 0 or units[u].type == "artillery":
                continue
            cut = p.unsupplied >> u & 1
            factors = p.cf[u] * (0.5 if cut else 1.0) * (SPENT if p.spent >> u & 1 else 1.0)
            alone = p.uncommanded >> u & 1
            reach = movement.range_of(p, u).reached | 1 << h
            found.append((reach, factors, max(units[u].efficiency - cut, 1), -u if alone else p.hq[u] + 1, u))
        return found

    @cached_property
    def reached(self) -> HexMask:
        """Every hex that an enemy can walk into."""
        mask = 0
        for reach, *_ in self._strikers:
            mask |= reach
        return mask

    def threat(self, h: Hex) -> tuple[float, float]:
        """Enemy factors that may strike a hex soon, and their efficiency."""
        known = self._threat.get(h)
        if known is None:
            known = self._threat[h] = self._threat_of(h)
        return known

    def _threat_of(self, h: Hex) -> tuple[float, float]:
        lanes = approaches_of(self.ground)
        dry, minor, major = lanes.dry.get(h, 0), lanes.minor.get(h, 0), lanes.major.get(h, 0)
        if self.p.frozen:
            dry, minor = dry | minor, 0
        near = dry | minor | major
        groups: dict[int, float] = {}
        total = weighed = 0.0
        for reach, factors, efficiency, group, _ in self._strikers:
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

    def reached_by_others(self, q: int) -> HexMask:
        """The hexes that other headquarters of the side reach."""
        p = self.p
        found = self._others.get(q)
        if found is None:
            seats = sum({1 << p.hq_hex[x] for x in self.roster.hqs_of[self.side] if x != q and p.hq_hex[x] >= 0})
            found = self._others[q] = self.grid.within(seats, p.tables.command.of(self.side)) if seats else 0
        return found

    @cached_property
    def _others(self) -> dict[int, HexMask]:
        return {}

    # Cities ---------------------------------------------------------------------------------------

    @cached_property
    def cities(self) -> dict[Hex, float]:
        """What each city is worth: the more the nearer the end, when they are counted."""
        last = self.p.game.scenarios[self.p.scenario].turns
        late = 0.7 + 0.6 * (self.p.turn / last) ** 2
        return {h: late * worth for h, worth in Lie.cities.func(self).items()}  # type: ignore[attr-defined]

    def exposed(self, h: Hex) -> float:
        """How likely an enemy would walk into a hex of ours if it were empty."""
        if (self.reached >> h & 1) or self.threat(h)[0] > 0:
            return 1.0
        far, best = self.distances(h), FAR
        for at, _, _, mobile in self.enemies:
            best = min(best, far.get(at, FAR) / PACE[mobile])
        marches = int(best)
        return OUTLYING[marches] if marches < len(OUTLYING) else QUIET

    @cached_property
    def _dangers(self) -> dict[tuple[Hex, int, float], float]:
        return {}

    @cached_property
    def _holds(self) -> dict[tuple[Hex, int], float]:
        return {}

    def danger(self, h: Hex, factors: float, efficiency: float, guns: int) -> float:
        """How likely a stack in a hex is beaten if the enemy strikes with what he has near."""
        key = (h, round(factors), efficiency - guns)
        known = self._dangers.get(key)
        if known is None:
            known = self._dangers[key] = super().danger(h, factors, efficiency, guns)
        return known

    def held_by(self, h: Hex, factors: int) -> float:
        """How surely a city is held by so many factors against what can come next."""
        key = (h, factors)
        known = self._holds.get(key)
        if known is None:
            known = self._holds[key] = self._held_by(h, factors)
        return known

    def _held_by(self, h: Hex, factors: int) -> float:
        if factors <= 0:
            return 1.0 - self.exposure[h]
        if not self.threat(h)[0]:
            return 1.0 - self.exposure[h] * (0.3 if factors < 3 else 0.1)
        return 1.0 - STAND * self.danger(h, factors, 1.5, 0)

    @cached_property
    def exposure(self) -> dict[Hex, float]:
        """For each city of ours how likely it would be lost if it were empty."""
        return {h: self.exposed(h) for h in self.cities if self.held >> h & 1}
