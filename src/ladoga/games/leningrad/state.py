"""The state of Leningrad as nouns: the board, the sheet of a phase, the sheet of the campaign.

Every field is declared once, with what it usually is; copying and renewing follow from that (``kernel/state.py``). What
is remembered of all this lies in ``derived.py``, what is done with it in ``position.py``.
"""

from __future__ import annotations

from ...hexes import NOWHERE, Hex, HexMask
from ...kernel.state import Own, Part
from .fight import Auction
from .ground import Ground, Interdicted
from .pieces import Piece, Slot, SlotMask


class PhaseSheet(Part):
    """What is forgotten when a phase ends."""

    moved: SlotMask = 0
    """Pieces that have begun their move, or been rebuilt."""
    active: dict[Slot, int] = {}
    """Pieces of the group now moving, with the half points they have left."""
    stacks: dict[Slot, int] = {}
    """Which of the pieces now moving have moved together all the way (7.4): those with the same number, or none."""
    stepped: SlotMask = 0
    """Pieces that have entered a hex (13.4)."""
    origin: Hex = NOWHERE
    """The hex where the group now moving began the phase."""
    attacked: SlotMask = 0
    """Pieces that have attacked (8.2)."""
    defended: SlotMask = 0
    """Pieces that have been attacked (8.2)."""
    displaced: SlotMask = 0
    """Pieces that retreated in a combat phase (8.4)."""


class CampaignSheet(Part):
    """What outlasts the phase."""

    reserve: tuple[Slot, ...] = ()
    """Pieces still to arrive, in the order of the schedule."""
    air_used: int = 0
    """Air units used this turn in combat (13.5)."""
    forts_used: int = 0
    """Forts that have entered play so far."""
    forts_placed: int = 0
    """Forts placed this turn (15.4)."""
    on_time: int = 0
    """Units of the counterattack army that entered on its turn (17.4)."""
    rebuilt: int = 0
    """Units rebuilt so far, where that has a price in points."""
    auction: Auction | None = None
    """The bids for the German side while they are made, and what came of them (18.4)."""


class Board(Part):
    """What lies on the map, and where."""

    ground: Ground
    pieces: tuple[Piece, ...]
    hexes: Own[list[Hex]]
    """Where each piece stands; ``NOWHERE`` before it arrives, ``DEAD`` after."""
    steps: bytearray
    faces: list[int]
    """Printed counter a revealed Soviet piece turned out to be, -1 while untried."""
    labels: list[str]
    """What each piece is called now."""
    by_name: dict[str, Slot]
    """The way back from a name to a piece."""
    since: bytearray
    """Turn in which a German piece last entered its hex or was reduced: the replacement clock (16.6)."""
    fought: SlotMask = 0
    """German pieces whose clock a fight in their hex started anew (14.9 of the second edition)."""
    at: Own[dict[Hex, tuple[Slot, ...]]] = {}
    crowd: Own[list[tuple[HexMask, HexMask, HexMask]]] = [(0, 0, 0), (0, 0, 0)]
    """For each side the hexes with at least one, two and three of its units."""
    forts: HexMask = 0
    air_on: dict[Hex, int] = {}
    """Interdicting air units by hex."""
    interdicted: Interdicted = ()
    """The same as factors on the cost of hexes."""
