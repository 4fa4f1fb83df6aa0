"""What follows from the board, and how long it is remembered. No rule begins or ends here.

Each answer is kept with what it was worked out from, in one value that is stored when it is finished: whoever reads it
compares what it was worked out from with what is so now. ``forgetful`` switches all remembering off.

Read straight from their memo, since they are asked more than three times an order: the zones (``reach.py``).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

from ...hexes import Hex, HexMask, members
from ...kernel.memory import Situation, side_by_side
from ...kernel.sequence import Item, SequencedPosition
from ...kernel.state import Anew
from .edition import GERMAN
from .ground import hindered_hexes
from .pieces import Slot, SlotMask
from .state import Board, CampaignSheet, PhaseSheet

if TYPE_CHECKING:
    from .edition import LeningradOptions
    from .game import Leningrad
    from .listing import Listing
    from .reinforcements import Due


class Lore:
    """Zones and supply as they were worked out last along a line of play; each says itself for what it holds."""

    __slots__ = ("closures", "feeding", "feeding_surely", "zones")

    def __init__(self) -> None:
        self.zones: list[tuple[HexMask, HexMask]] = [(0, 0), (0, 0)]
        """For each side its zones of control, with the hexes they start from."""
        self.closures: list[tuple[HexMask, Hashable, HexMask]] = [(0, None, 0), (0, None, 0)]
        """For each side the hexes that its straight lines of supply do not enter, with what they depend on."""
        self.feeding: dict[tuple[int, bool], tuple[HexMask, Hashable, HexMask]] = {}
        """Supply nets, with what they depend on."""
        self.feeding_surely: dict[int, tuple[HexMask, Hashable, HexMask]] = {}
        """The same for what is fed wherever friends stand."""


class Derived(SequencedPosition, Board, PhaseSheet, CampaignSheet):
    """The state of a game with what is remembered of it."""

    if TYPE_CHECKING:  # fields of every position
        game: Leningrad
        options: LeningradOptions

    lore: Lore
    scratch: Anew[dict[Any, Any]] = {}
    """What has been worked out about this very position."""
    listing: Listing | None = None
    """The last list of moves made in this phase or before; what still holds of it goes into the next."""
    due: Due | None = None
    """Reinforcements that may enter now; dropped when pieces came, went or were turned over, or a phase ended."""
    muster: tuple[Item | None, SlotMask] = (None, 0)
    """Pieces of the side to move that stood on the map when somebody first asked in a phase, with that phase."""

    def changed(self) -> None:
        """Forget what was worked out before a change."""
        self.scratch = {}

    def recounted(self) -> None:
        """Forget also who may enter."""
        self.scratch, self.due = {}, None

    # Zones (5.0) ------------------------------------------------------------------------------

    def zone(self, side: int) -> HexMask:
        """The hexes in the zones of control of a side (5.0)."""
        occupied = self.crowd[side][0]
        known = self.lore.zones[side]
        if known[0] != occupied:
            known = self.lore.zones[side] = (occupied, self.ground.zone(occupied))
        return known[1]

    def hindered(self, side: int) -> tuple[HexMask, HexMask]:
        """Hexes that cost a side more to enter: forts (15.2), or one and two air units (13.3)."""
        if side == GERMAN:
            return self.forts, 0
        factors = {factor: mask for mask, factor in self.interdicted}
        return factors.get(2, 0), factors.get(4, 0)

    def situation(self, side: int) -> Situation:
        """What has a say in how far units of a side get: hexes with three, two and one friends, enemy zones, enemies,
        and hexes that forts or air units hinder it to enter."""
        found: Situation | None = self.scratch.get(side)
        if found is None:
            one, two, three = self.crowd[side]
            enemy, hindered = self.crowd[1 - side][0], self.hindered(side)
            found = side_by_side(self.ground.width, three, two, one, self.zone(1 - side), enemy, *hindered)
            self.scratch[side] = found
        return found

    # Supply (11.0) ----------------------------------------------------------------------------

    def blocked(self, side: int) -> HexMask:
        """Hexes no line of supply of a side may enter (11.3)."""
        return self.crowd[1 - side][0] | self.zone(1 - side) & ~self.crowd[side][0]

    def closed(self, side: int) -> HexMask:
        """Hexes that a straight line of supply of a side does not enter: enemies and their zones, hindered hexes."""
        known, hindrance = self.lore.closures[side], self.forts if side == GERMAN else self.interdicted
        if known[0] != self.crowd[1 - side][0] or known[1] != hindrance:
            enemy = self.crowd[1 - side][0]
            hindered = hindered_hexes(side, self.forts, self.interdicted)
            known = self.lore.closures[side] = (enemy, hindrance, enemy | self.zone(1 - side) | hindered)
        return known[2]

    def fed(self, side: int, mobile: bool) -> HexMask:
        """Hexes from which a side's units of a kind trace supply."""
        blocked = self.blocked(side)
        hindrance: Hashable = self.forts if side == GERMAN else self.interdicted
        known = self.lore.feeding.get((side, mobile))
        if known is None or known[0] != blocked or known[1] != hindrance:
            ground = self.ground
            found = ground.fed(side, mobile, ground.sources[side], blocked, self.forts, self.interdicted)
            known = self.lore.feeding[side, mobile] = (blocked, hindrance, found)
        return known[2]

    def surely_fed(self, side: int) -> HexMask:
        """Hexes in which a unit is fed wherever its friends stand; no move of theirs changes them."""
        known, enemy = self.lore.feeding_surely.get(side), self.crowd[1 - side][0]
        if known is None or known[0] != enemy or known[1] != (self.forts if side == GERMAN else self.interdicted):
            found = self.ground.surely_fed(side, enemy, self.forts, self.interdicted)
            known = (enemy, self.forts if side == GERMAN else self.interdicted, found)
            self.lore.feeding_surely[side] = known
        return known[2]

    def fed_among(self, side: int, hexes: HexMask, kinds: Iterable[bool]) -> list[HexMask]:
        """For some kinds of unit, armored or not, those of some hexes in which such a unit is fed.

        Where more is blocked, less is fed: so the last net worked out tells most of the time, even if it is old.
        """
        surely = self.surely_fed(side)
        unsure = hexes & ~surely
        if not unsure:
            return [hexes for _ in kinds]
        blocked, hindrance = self.blocked(side), self.forts if side == GERMAN else self.interdicted
        found = []
        for mobile in kinds:
            then, hindered, fed = self.lore.feeding.get((side, mobile), (0, None, 0))
            still_fed = not unsure & ~fed and not blocked & ~then
            still_unfed = not unsure & fed and not then & ~blocked
            if hindered != hindrance or not (still_fed or still_unfed):
                fed = self.fed(side, mobile)
            found.append(hexes & (surely | fed))
        return found

    def supplied(self, slot: Slot) -> bool:
        """Whether a unit on the map is in supply now."""
        piece, h = self.pieces[slot], self.hexes[slot]
        return self.line_open(piece.side, h) or self.fed_among(piece.side, 1 << h, (piece.mobile,))[0] > 0

    def line_open(self, side: int, h: Hex) -> bool:
        """Whether a straight line home is open from a hex: so any unit that stands there is fed."""
        return not all(map(self.closed(side).__and__, self.ground.lines_home[side][h]))

    # Who may still move -----------------------------------------------------------------------

    def may_still_move(self) -> SlotMask:
        """Pieces that have not begun to move, and those that can still go on; some may have been eliminated since."""
        phase, muster = self.muster
        if phase is not self.agenda[-1]:
            stacks = [self.at[h] for h in members(self.crowd[self.agenda[-1].side][0])]
            muster = sum([1 << slot for stack in stacks for slot in stack])
            self.muster = (self.agenda[-1], muster)
        found, cheapest = muster & ~self.moved, self.ground.cheapest
        for slot, left in self.active.items():
            if left >= cheapest:
                found |= 1 << slot
        return found
