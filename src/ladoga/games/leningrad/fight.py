"""Matters in hand: a combat from its announcement to the last advance, and the bids before the first turn."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from ...hexes import Hex
from .pieces import Slot


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
