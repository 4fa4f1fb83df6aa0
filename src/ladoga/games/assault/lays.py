"""How the ground units of a side lie on the maps, with the zones of control that follow from it (9.0)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ...hexes import Hex, HexMask, union
from ...kernel.flood import zone
from .figures import SOVIET, Unit

if TYPE_CHECKING:
    from .ground import Ground


class Lay:
    """How one side lies.

    A lay never changes: a unit that moves or loses a step makes a new one out of it, and positions in which
    a side lies the same share it. So what follows from the lay alone is remembered in it, and what follows from
    both sides' lays in that of the German side (``derived.py``).
    """

    __slots__ = (
        "_fluid", "_ground", "_rigid", "body", "class_a", "class_b", "facing", "groups", "known", "occupied", "side",
    )  # fmt: skip

    def __init__(
        self, ground: Ground, side: int, groups: Sequence[HexMask] = (0, 0, 0), class_a: HexMask = 0,
        class_b: HexMask = 0,
    ) -> None:  # fmt: skip
        self._ground = ground
        self.side = side
        self.groups = tuple(groups)
        """Hexes with a unit of each group: of all others; an HQ (German) or a worker (Soviet); a guerrilla."""
        self.body = groups[0]
        self.class_a = class_a
        self.class_b = class_b
        self.occupied = union(groups)
        self._rigid = self._fluid = -1
        self.known: dict[Any, Any] = {}
        """What has been worked out for this lay alone."""
        self.facing: tuple[Lay | None, dict[Any, Any]] = (None, {})
        """What has been worked out for this lay against that of the enemy; only the last enemy's is kept."""

    @property
    def rigid(self) -> HexMask:
        """Hexes in a rigid zone (9.2, 9.6), the units' own included."""
        if self._rigid < 0:
            fort = self._ground.fort if self.side == SOVIET else 0
            self._rigid = self._zone_of(self.class_a | self.occupied & fort)
        return self._rigid

    @property
    def fluid(self) -> HexMask:
        """Hexes in a fluid zone (9.3), rigid ones or not."""
        if self._fluid < 0:
            self._fluid = self._zone_of(self.class_b)
        return self._fluid

    @property
    def zone(self) -> HexMask:
        """Hexes in a zone of any kind, the hexes of class C units included (9.5)."""
        return self.rigid | self.fluid | self.occupied

    def _zone_of(self, hexes: HexMask) -> HexMask:
        return zone(self._ground.grid, hexes, self._ground.zone_sides) | hexes if hexes else 0

    def restacked(self, h: Hex, stack: Iterable[tuple[Unit, int]]) -> Lay:
        """The lay when these units, with the steps they have left, are all that stand in a hex."""
        bit = 1 << h
        clear = ~bit
        groups = [hexes & clear for hexes in self.groups]
        grades = {"A": self.class_a & clear, "B": self.class_b & clear, "C": 0}
        for unit, steps in stack:
            groups[unit.group] |= bit
            grades[unit.faces[-steps].grade] |= bit
        return Lay(self._ground, self.side, groups, grades["A"], grades["B"])
