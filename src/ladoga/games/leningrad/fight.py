"""Matters in hand: a combat from its announcement to the last advance, and the bids before the first turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ...hexes import NOWHERE, Hex
from .pieces import Slot

if TYPE_CHECKING:
    from .position import LeningradPosition


class Auction(NamedTuple):
    """The bids written so far, first seat first; afterwards whether the players changed seats."""

    bids: tuple[int, ...] = ()
    swapped: bool = False


class Fight(msgspec.Struct, frozen=True, gc=False):
    """An attack or overrun. Pieces and hexes are as they stood when it was announced."""

    overrun: bool
    side: int
    """The attacking side."""
    targets: tuple[Hex, ...]
    attackers: tuple[Slot, ...] = ()
    air: int = 0
    guard_air: int = 0
    defenders: tuple[Slot, ...] = ()
    bystanders: tuple[Slot, ...] = ()
    """Units that retreated into an attacked hex earlier in the phase (8.4)."""
    origins: tuple[Hex, ...] = ()
    """The attackers' hexes, attacker by attacker."""
    posts: tuple[Hex, ...] = ()
    """The defenders' hexes, defender by defender."""
    column: int = 0
    result: tuple[str, str] = ("-", "-")
    toll: int = 0
    """Steps, or hexes of retreat, still owed by the side that chooses now."""
    retreat: int = 0
    """Hexes every unit must retreat once retreat has been chosen."""
    retreated: tuple[Slot, ...] = ()
    """Attackers and defenders that have retreated."""
    passed: tuple[Hex, ...] = ()
    """Hexes that two-hex retreats went through."""
    advanced: tuple[Slot, ...] = ()

    def hidden(self, pos: LeningradPosition) -> list[Slot]:
        """Participants not yet revealed (14.1)."""
        return [slot for slot in (*self.attackers, *self.defenders) if pos.untried(slot)]


def pool(pos: LeningradPosition, slot: Slot) -> list[str]:
    """The printed units an untried piece may still turn out to be (14.0, 14.2).

    A division raised from the eliminated ones is one of those; any other is one that has not been
    seen yet. Armor and mechanized units share the armored class.
    """
    piece, counters, faces = pos.pieces[slot], pos.game.counters, pos.faces
    if piece.recycled:
        dead = [s for s, face in enumerate(faces) if face >= 0 and pos.hexes[s] < NOWHERE and not pos.pieces[s].mobile]
        return [counters[faces[s]] for s in dead]
    shown = set(faces)
    return [counters[number] for number in pos.game.drawn[piece.mobile] if number not in shown]
