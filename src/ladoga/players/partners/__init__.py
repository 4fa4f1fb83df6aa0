"""Sparring partners: players that play one idea hard, so that a better player can be held against each of them.

They are the staff with a temper of its own and are not among the players that people meet; tournaments, simulations and
duels know them by name.
"""

from __future__ import annotations

from .partner import Hedgehog, Partner, Raider, Rusher

__all__ = ["PARTNERS", "Hedgehog", "Partner", "Raider", "Rusher"]

PARTNERS: dict[str, type[Partner]] = {kind.name: kind for kind in (Raider, Rusher, Hedgehog)}
