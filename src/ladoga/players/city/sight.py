"""How the general reads the city: as the staff does, but engineers for what they open, and fire on the way by rule."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ...games.leningrad41 import movement
from ...games.leningrad41.counters import GERMAN, SOVIET
from ...games.leningrad41.position import CityPosition
from ...games.leningrad41.ways import watched
from ...hexes import Hex, HexMask, mask_of, members
from ...kernel.flood import flood
from ..doctrines.leningrad41_staff.lie import STRIKE, Lie
from ..doctrines.leningrad41_staff.weights import prices

LEDGER = 10.0
"""Points for an objective held at the end."""
LAST = 6
"""Germans on the map below whom each is worth the more, the fewer they are: without any the game is over (4.5)."""
PARTY, GUNS = 3, 8.0
"""Units that come next to one of ours to storm it, and the fire that guns give them."""


class Sight(Lie):
    """A position as the general of one side reads it."""

    kind = "general"

    def __init__(self, p: CityPosition, side: int, bias: Mapping[str, float]) -> None:
        super().__init__(p, side, bias)
        self.now = prices(p.turn)
        self.objective = LEDGER * self.now.held * self.w.objective
        self.prey = self.theirs
        self.thorough = True
        self._lives: dict[Hex, float] = {}

    def worth(self, piece: int) -> float:
        """What a unit is worth now, by what its loss tells on the objectives held at the end."""
        unit = self.face(piece)
        if unit is None:
            return LEDGER * self.now.units * (self.w.own if self.side == SOVIET else self.w.enemy)
        if unit.leader:
            return super().worth(piece)
        points = LEDGER * (self.now.lost * unit.fire if unit.side == GERMAN else self.now.units)
        points *= self.w.own if unit.side == self.side else self.w.enemy
        if unit.side == GERMAN:
            points *= max(1.0, LAST / max(1, self.germans))
        return points * (
            self.w.engineer if unit.engineer else self.w.heavies if unit.side == SOVIET and unit.indirect else 1.0
        )

    @cached_property
    def germans(self) -> int:
        """German units on the map, leaders apart."""
        return sum(not self.units[q].leader for q in self.p.on_map(GERMAN))

    def reply(self, h: Hex) -> float:
        """How likely the enemy destroys a unit of ours in a hex in his next turn: those who have to come next to it
        come under our fire first, so that units who stand together are hard to come at."""
        if self.side == SOVIET:
            return super().reply(h)
        known = self._reply.get(h)
        if known is None:
            force = sorted((self.fire(q) for q in self._gathering(h)), reverse=True)
            alive = sorted(
                (self._alive(n) for n in members(self.near(h) & self.ground.land & ~self.ours)), reverse=True
            )
            points = sum(fire * live for fire, live in zip(force[:PARTY], alive, strict=False))
            drm = self.shelter(h, self.side) + self.rubble(h) - 1
            known = self._reply[h] = self.chance(points + GUNS * bool(force), drm)
        return known

    def _gathering(self, h: Hex) -> list[int]:
        """Enemies who could come next to a hex."""
        around = self.ground.within(h, STRIKE) & self.theirs
        return [q for there in members(around) for q in self.p.stacks[there]]

    def _alive(self, h: Hex) -> float:
        """How likely an enemy comes through our fire into a hex; who stands there need not."""
        if self.theirs >> h & 1:
            return 1.0
        known = self._lives.get(h)
        if known is None:
            points = self.defensive(h, self.side)
            drm = self.shelter(h, self.enemy) + self.rubble(h)
            known = self._lives[h] = 1.0 - self.chance(points, drm)
        return known

    @cached_property
    def walked(self) -> HexMask:
        """Where Germans can come, or come next to, in their next turn."""
        walked = walks(self.p)
        return walked | self.grid.ring(walked)

    def defensive(self, h: Hex, side: int) -> float:
        """Fire that one side could direct at a unit of the other that enters a hex: the caps hold for each
        sub-command, and these add up (9.2, 13.3, 13.4)."""
        p, limits = self.p, self.p.tables.command
        by_command: dict[str, list[float]] = {}
        for there in members(self.near(h) & p.occupied[side]):
            for piece in p.stacks[there]:
                unit = self.units[piece]
                if unit.fires_defensively:
                    by_command.setdefault(unit.command, []).append(self.fire(piece))
        capped = p.options["defensive-fire-caps"]
        total = 0.0
        for command, fires in by_command.items():
            fires.sort(reverse=True)
            ss = side == GERMAN and command.startswith("SS")
            most = limits.soviet if side == SOVIET else limits.ss if ss else len(fires)
            total += sum(fires[:most] if capped else fires)
        return total


def walks(p: CityPosition) -> HexMask:
    """The hexes that the Germans could walk into in their next turn, whoever of their own is in the way: fire stops a
    column (8.8), an engineer crosses rivers by itself (8.10)."""
    ground, figures = p.ground, p.tables.movement
    held, danger = p.occupied[SOVIET], watched(p, GERMAN)
    troops = [q for q in p.on_map(GERMAN) if not p.unit(q).leader]
    reached = 0
    for piece in troops:
        if p.unit(piece).bridges:
            reached |= movement.spread(p, piece, movement.FOOT).reached
    for mode, factor in ((movement.FOOT, 1), (movement.MOTORIZED, figures.motorized_factor)):
        motor = mode == movement.MOTORIZED
        costs = ground.costs(mode, p.rubble, p.broken, p.pontoon_sides(GERMAN), p.states)
        points, stops = factor * figures.allowance["german"], danger if motor else 0
        places = mask_of(p.where[q] for q in troops if not motor or movement.may_motor(p, q))
        reached |= flood(costs, places, points, barred=held, stops=stops).reached
        reached |= flood(costs, ground.entry[GERMAN] & ~held & ~stops, points - 1, barred=held, stops=stops).reached
    return reached
