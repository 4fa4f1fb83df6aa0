"""How the general reads the city: as the staff does, but engineers for what they open, and fire on the way by rule."""

from __future__ import annotations

from collections.abc import Mapping

from ...games.leningrad41.counters import GERMAN, SOVIET
from ...games.leningrad41.position import CityPosition
from ...hexes import Hex, members
from ..doctrines.leningrad41 import WEIGHTS
from ..doctrines.leningrad41_staff.lie import Lie
from ..judgement import on_turn

LEDGER = 10.0
"""Points for an objective held at the end."""
HEAVY = 1.5
"""How much more than another unit Soviet guns are worth."""
ENGINEER = 1.6
"""How much more than its fire an engineer is worth: it takes the walls from those it storms (10.20)."""
EXPOSED = (0.0, 0.15)
"""How much of its worth a unit in a storm is taken to lose where the enemy can gather against it, by side."""


class Sight(Lie):
    """A position as the general of one side reads it."""

    def __init__(self, p: CityPosition, side: int, bias: Mapping[str, float]) -> None:
        super().__init__(p, side, bias)
        self.now = on_turn(WEIGHTS, p.turn)
        self.objective = LEDGER * self.now.held
        self.prey = self.theirs
        self.exposed = EXPOSED[side]

    def worth(self, piece: int) -> float:
        """What a unit is worth now, by what its loss tells on the objectives held at the end."""
        unit = self.face(piece)
        if unit is None:
            return LEDGER * self.now.units
        if unit.leader:
            return super().worth(piece)
        points = LEDGER * (self.now.lost * unit.fire if unit.side == GERMAN else self.now.units)
        return points * (ENGINEER if unit.engineer else HEAVY if unit.side == SOVIET and unit.indirect else 1.0)

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
