"""What an audience sees of a position, worked out once however often it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..kernel.orders import Order
from ..kernel.position import Legal, Position, View
from ..kernel.table import Table


class Listed(Legal):
    """Legal orders that are listed once."""

    __slots__ = ("_list",)

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self._list: list[Order] | None = None

    def __iter__(self) -> Iterator[Order]:
        if self._list is None:
            self._list = list(super().__iter__())
        return iter(self._list)


class Shared:
    """What is the same for all who see the very same position."""

    __slots__ = ("called", "legal", "table")

    def __init__(self) -> None:
        self.table: Table | None = None
        self.called: Table | None = None
        """The table with full names on its counters."""
        self.legal: Legal | None = None


class Sight(View):
    """A view that remembers its table and its orders; what it gives is only looked at, never changed."""

    __slots__ = ("layers", "shared")

    def __init__(self, view: View, others: Iterable[Sight] = ()) -> None:
        """``others`` are the sights that other audiences have of this position."""
        super().__init__(view._position, view.side)
        self.layers: dict[str, dict[str, Any]] = {}
        """Overlays of the map, by kind."""
        same: list[Shared] = [other.shared for other in others if other.sees_as(view)]
        self.shared: Shared = same[0] if same else Shared()

    @property
    def legal(self) -> Legal:
        """The orders this side may give now, listed once."""
        if self.to_move != self.side:
            return super().legal
        if self.shared.legal is None:
            self.shared.legal = Listed(self._position)
        return self.shared.legal

    def table(self) -> Table:
        """What this side sees on the table."""
        if self.shared.table is None:
            self.shared.table = self._position.table()
        return self.shared.table
