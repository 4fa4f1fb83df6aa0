"""What follows from a position, and how long it is remembered. No rule begins or ends here.

An answer is kept with what it was worked out from, and stored when it is finished: in a lay what follows from it alone
or from it and the enemy's (lays never change, so that they are known again by being the very same); in the lore of a
phase what holds as long as only the side's own units move. The chapters say which of their answers these are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

from ...hexes import HexMask
from .figures import GERMAN, Unit
from .state import State

if TYPE_CHECKING:
    from .kept import Kept
    from .movement import Outlook

T = TypeVar("T")


# What follows from how the units lie --------------------------------------------------------------


def of_lay(work_out: Callable[[State, Unit], T]) -> Callable[[State, Unit], T]:
    """Remember an answer that follows from how a side lies, for each kind of its units."""

    @wraps(work_out)
    def remembered(pos: State, unit: Unit) -> T:
        known = pos.lays[unit.side].known
        if unit.kind not in known:
            known[unit.kind] = work_out(pos, unit)
        found: T = known[unit.kind]
        return found

    return remembered


def facing(pos: State) -> dict[Any, Any]:
    """What is known of both sides' lays together."""
    german, soviet = pos.lays
    enemy, known = german.facing
    if enemy is not soviet:
        known = {}
        german.facing = (soviet, known)
    return known


def of_both_lays(work_out: Callable[..., T]) -> Callable[..., T]:
    """Remember an answer that follows from how both sides lie."""
    name = work_out.__name__

    @wraps(work_out)
    def remembered(pos: State, *question: Any) -> T:
        known, key = facing(pos), (name, *question)
        if key not in known:
            known[key] = work_out(pos, *question)
        found: T = known[key]
        return found

    return remembered


# What holds through a phase -----------------------------------------------------------------------


_NUMBERS = count()
_UNKNOWN = (-1, 0)


class Lore:
    """What has been worked out for a side in a phase, shared by the positions of the phase.

    While a side moves, only its own units change place. Everything else that an answer depends on is written here: the
    lore holds for as long as that is the same. Each reach knows for which friends in the way it holds.
    """

    __slots__ = ("_alone", "_disrupted", "_enemy", "_out", "_phase", "known", "number", "outlook", "reaches")

    def __init__(self, pos: State, side: int) -> None:
        self._enemy = pos.lays[1 - side]
        self._phase = pos.agenda[-1] if pos.agenda else None
        self._out, self._disrupted = pos.out, pos.disrupted
        self._alone = not pos.lays[GERMAN].occupied & pos.ground.inset
        self.number = next(_NUMBERS)
        self.outlook: Outlook | None = None
        self.reaches: dict[int, Kept] = {}
        self.known: dict[Any, Any] = {}

    def holds(self, pos: State, side: int) -> bool:
        """Whether the enemy lies as he did, phase and markers are the same, and no German has come to the inset."""
        return (
            self._enemy is pos.lays[1 - side]
            and self._phase is (pos.agenda[-1] if pos.agenda else None)
            and self._out == pos.out
            and self._disrupted == pos.disrupted
            and self._alone == (not pos.lays[GERMAN].occupied & pos.ground.inset)
        )


def lore_of(pos: State, side: int) -> Lore:
    """What is known for a side in this phase."""
    found = pos.lore[side]
    if found is None or not found.holds(pos, side):
        found = pos.lore[side] = Lore(pos, side)
    return found


def through_phase(work_out: Callable[..., T]) -> Callable[..., T]:
    """Remember what is true of a unit in its hex all through a phase."""
    name = work_out.__name__

    @wraps(work_out)
    def remembered(pos: State, index: int, *question: Any) -> T:
        known, key = lore_of(pos, pos.roster[index].side).known, (name, index, pos.where[index], *question)
        if key not in known:
            known[key] = work_out(pos, index, *question)
        found: T = known[key]
        return found

    return remembered


def by_sort(
    work_out: Callable[[State, int, Lore], HexMask],
) -> Callable[[State, int, Lore], HexMask]:
    """Remember which hexes are shut to a sort of unit, in the lay of its side and under the lore of the phase; not
    where it makes a difference in which city the unit itself is (8.26)."""

    @wraps(work_out)
    def remembered(pos: State, index: int, lore: Lore) -> HexMask:
        unit = pos.roster[index]
        known = pos.lays[unit.side].known
        found: tuple[int, HexMask] = known.get(unit.sort, _UNKNOWN)
        if found[0] != lore.number:
            found = (lore.number, work_out(pos, index, lore))
            room = known.get(unit.kind)
            if room is not None and not room.crowded:
                known[unit.sort] = found
        return found[1]

    return remembered
