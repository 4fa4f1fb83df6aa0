"""What an audience sees of a position, worked out once however often it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..kernel.names import Names
from ..kernel.orders import Order
from ..kernel.position import Legal, Position, Reached, View
from ..kernel.table import Counter, Table

Faces = dict[str, tuple[Counter, Counter]]
"""By its id a counter as it lay last, and the same with its full name."""


class Listed(Legal):
    """Legal orders that are listed once."""

    __slots__ = ("_kinds", "_list")

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self._list: list[Order] | None = None
        self._kinds: Mapping[tuple[tuple[str, ...], str], int] | None = None

    def __iter__(self) -> Iterator[Order]:
        if self._list is None:
            self._list = list(super().__iter__())
        return iter(self._list)

    def kinds(self) -> Mapping[tuple[tuple[str, ...], str], int]:
        """Which verbs may be ordered of which units, counted once."""
        if self._kinds is None:
            self._kinds = super().kinds()
        return self._kinds


class Shared:
    """What is the same for all who see the very same position."""

    __slots__ = ("called", "faces", "legal", "names", "reaches", "table")

    def __init__(self, faces: Faces | None = None) -> None:
        self.table: Table | None = None
        self.called: Table | None = None
        """The table with full names on its counters."""
        self.faces: Faces = {} if faces is None else faces
        """Counters that were named before, most of which lie as they lay."""
        self.names = Names()
        """The names of all that lies on that table."""
        self.legal: Legal | None = None
        self.reaches: dict[tuple[str, ...], Mapping[str, Reached]] = {}
        """Where units can go, by the units."""


class Sight(View):
    """A view that remembers its table and its orders; what it gives is only looked at, never changed."""

    __slots__ = ("layers", "shared", "told")

    def __init__(self, view: View, others: Iterable[Sight] = (), faces: Faces | None = None) -> None:
        """``others`` are the sights that other audiences have of this position, ``faces`` the counters that were named
        for this audience before."""
        super().__init__(view._position, view.side)
        self.layers: dict[str, dict[str, Any]] = {}
        """Overlays of the map, by kind."""
        self.told: dict[str, Any] = {}
        """What else has been worked out for this audience to be told, by what it is."""
        same: list[Shared] = [other.shared for other in others if other.sees_as(view)]
        self.shared: Shared = same[0] if same else Shared(faces)

    def shows(self, position: Position) -> bool:
        """Whether nothing of a position is hidden from this side."""
        return self._position is position

    @property
    def legal(self) -> Legal:
        """The orders this side may give now, listed once."""
        if self.to_move != self.side:
            return super().legal
        if self.shared.legal is None:
            self.shared.legal = Listed(self._position)
        return self.shared.legal

    def reach(self, units: Iterable[str] | str) -> Mapping[str, Reached]:
        """Where units can go, worked out once: whoever asks about units goes there next."""
        key = (units,) if isinstance(units, str) else tuple(units)
        known = self.shared.reaches
        if key not in known:
            known[key] = super().reach(key)
        return known[key]

    def table(self) -> Table:
        """What this side sees on the table."""
        if self.shared.table is None:
            self.shared.table = self._position.table()
        return self.shared.table
