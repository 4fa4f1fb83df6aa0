"""How things stand in the city: what hexes and units are worth, who threatens what, and exact chances of fire."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property

from ....games.leningrad41.counters import GERMAN, SOVIET, Unit
from ....games.leningrad41.position import CityPosition
from ....games.leningrad41.state import TIERS, UNDRAWN
from ....hexes import Hex, HexMask, members
from ...lay import FAR, Lay, lay_of
from .weights import Weights, weights

OBJECTIVE = 10.0
"""What an objective is worth, in points of fire."""
CLOSING = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.1, 1.3, 1.8, 3.0)
"""How the worth of an objective grows towards the end."""
WEARING = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.6, 0.25)
"""How the worth of a unit shrinks towards the end."""
STRIKE = 3
"""Hexes from which the enemy is taken to gather against one of ours."""


class Lie:
    """A position as one side reads it; hidden units of the enemy count as unknown."""

    kind = "staff"
    """Whose weights it reads with."""

    def __init__(self, p: CityPosition, side: int, bias: Mapping[str, float]) -> None:
        self.p, self.side, self.enemy, self.bias = p, side, 1 - side, bias
        self.ground, self.grid = p.ground, p.map.grid
        self.units = p.roster.units
        self.push, self.safety, self.attack, self.toll = (
            bias.get(w, 1.0) for w in ("push", "safety", "attack", "toll")
        )
        self.ours, self.theirs = p.occupied[side], p.occupied[1 - side]
        self.troops: HexMask = p.tiers[(1 - side) * TIERS]
        """Hexes with enemy units, leaders apart."""
        self.hunt = bias.get("hunt", 0.0)
        """How much more than usual the enemy's leaders are worth; a lone one is sought out."""
        self.prey: HexMask = self.troops | (self.theirs if self.hunt else 0)
        """Hexes that are worth a storm."""
        self.lay: Lay = lay_of(p.map, p.game.id)
        last = min(p.turn, len(CLOSING)) - 1
        self.w: Weights = weights(self.kind, side, bias)
        self.objective = OBJECTIVE * CLOSING[last] * self.w.objective
        self.wear = WEARING[last]
        self.closing = side == SOVIET and p.turn >= p.game.turns
        """Whether nobody can answer what this side does now: the last Soviet turn."""
        self.line = side == SOVIET and not self.closing and bias.get("line", 0.0) > 0.0
        """Whether a closed line across the city is tried."""
        self.storms = side == GERMAN and bias.get("storms", 1.0) > 0.0
        """Whether storms are planned together."""
        self.thorough = False
        """Whether ways through the enemy's fire are weighed for storms too, and goals as soon as one is reached."""
        self.led = self.w.led > 0.5
        """Whether storms under a leader, of whoever is near him, are planned too."""
        self._watch: dict[tuple[Hex, bool], float] = {}
        self._reply: dict[Hex, float] = {}

    # Units ----------------------------------------------------------------------------------------

    def face(self, piece: int) -> Unit | None:
        """What a counter is, if this side knows."""
        unit = self.units[piece]
        if not unit.back:
            return unit
        behind = self.p.behind[piece - self.p.roster.backs.start] if unit.side == self.side else -1
        return self.units[behind] if behind >= 0 else None

    def fire(self, piece: int) -> float:
        """Fire factor, or what to expect of an unknown one."""
        unit = self.face(piece)
        return self.unseen if unit is None else float(unit.fire)

    @cached_property
    def unseen(self) -> float:
        """Fire to expect of a face-down unit."""
        p = self.p
        pool = [self.units[q].fire for q in p.roster.of_command["42"] if p.where[q] == UNDRAWN]
        return sum(pool) / len(pool) if pool else 5.0

    def worth(self, piece: int) -> float:
        """What a unit is worth now."""
        unit = self.face(piece)
        if unit is None:
            return self.unseen * self.wear * (self.w.own if self.side == SOVIET else self.w.enemy)
        if unit.leader:
            return self.w.leader * self.wear * (1.0 + (self.hunt if unit.side == self.enemy else 0.0))
        points = unit.fire * (1.2 if unit.indirect else 1.0) * self.wear
        return points * (self.w.own if unit.side == self.side else self.w.enemy)

    def stack(self, h: Hex, side: int) -> list[int]:
        """The units of a side in a hex, leaders apart."""
        return [p for p in self.p.stacks.get(h, ()) if self.units[p].side == side and not self.units[p].leader]

    # Ground ---------------------------------------------------------------------------------------

    @property
    def held(self) -> HexMask:
        """Objectives this side controls."""
        return self.p.objectives(self.side)

    @cached_property
    def missing(self) -> HexMask:
        """Objectives this side does not control."""
        return self.ground.objective & ~self.held

    def shelter(self, h: Hex, side: int) -> int:
        """The modifier of the ground for a defender, rubble apart."""
        chart, ground = self.p.tables.modifiers, self.ground
        value = chart.objective.drm if ground.objective >> h & 1 else chart.urban.drm if ground.urban >> h & 1 else 0
        return value + (chart.fortified.drm if side == SOVIET and ground.fortified >> h & 1 else 0)

    def rubble(self, h: Hex) -> int:
        """The modifier of rubble."""
        return self.p.tables.modifiers.rubble.drm if self.p.rubble >> h & 1 else 0

    def chance(self, points: float, drm: int) -> float:
        """How likely a fire eliminates a unit (10.3)."""
        if points <= 0:
            return 0.0
        combat = self.p.tables.combat
        column = bisect_right(combat.least, int(points)) - 1
        return min(6, max(0, combat.eliminated_on[column] - drm)) / 6

    def near(self, h: Hex) -> HexMask:
        """The six hexes around one."""
        return self.ground.within(h, 1) & ~(1 << h)

    # Threats --------------------------------------------------------------------------------------

    @cached_property
    def watched(self) -> HexMask:
        """Hexes next to the enemy."""
        return self.grid.ring(self.theirs)

    def defensive(self, h: Hex, side: int) -> float:
        """Fire that one side could direct at a unit of the other that enters a hex (9.2, 13.3, 13.4)."""
        limits = self.p.tables.command
        most = limits.soviet if side == SOVIET else limits.ss + 2
        force = [
            self.fire(p)
            for there in members(self.near(h) & self.p.occupied[side])
            for p in self.p.stacks[there]
            if self.units[p].fires_defensively
        ]
        return sum(sorted(force, reverse=True)[:most])

    def ambush(self, h: Hex, piece: int = -1) -> float:
        """How likely a unit of ours is lost on entering a hex; armor need fear only what pierces it (10.12)."""
        unit = self.face(piece) if piece >= 0 else None
        armored = unit is not None and unit.armored
        known = self._watch.get((h, armored))
        if known is None:
            points = self.defensive(h, self.enemy)
            drm = self.shelter(h, self.side) + self.rubble(h)
            if armored and not self._pierced(h):
                drm += self.p.tables.modifiers.armored.drm
            known = self._watch[h, armored] = self.chance(points, drm)
        return known

    def _pierced(self, h: Hex) -> bool:
        """Whether an enemy next to a hex is known to pierce armor."""
        near = members(self.near(h) & self.theirs)
        return any(self.units[q].anti_armor for there in near for q in self.p.stacks[there])

    def reply(self, h: Hex) -> float:
        """How likely the enemy destroys a unit of ours in a hex in his next turn, if he sets about it."""
        known = self._reply.get(h)
        if known is None:
            around = self.ground.within(h, STRIKE) & self.theirs
            force = sorted((self.fire(p) for there in members(around) for p in self.p.stacks[there]), reverse=True)
            points = sum(force[:3]) + (6.0 if len(force) > 1 else 0.0)
            drm = self.shelter(h, self.side) + self.rubble(h) - 1
            known = self._reply[h] = self.chance(points, drm)
        return known

    def march(self, mask: HexMask) -> dict[Hex, float]:
        """Marching distance of every hex from some hexes."""
        return self.lay.distances(mask)

    @cached_property
    def from_enemy(self) -> dict[Hex, float]:
        """Marching distance from the nearest enemy."""
        return self.march(self.theirs)

    def threat(self, h: Hex) -> float:
        """How soon the enemy may come to a hex, 1 for his next turn."""
        far = self.from_enemy.get(h, FAR)
        stride = self.p.tables.movement.allowance["german" if self.enemy == GERMAN else "soviet"]
        return 1.0 if far <= stride else 0.5 if far <= 2 * stride else 0.2 if far <= 4 * stride else 0.05
