"""How the staff plays the two editions of Leningrad."""

from __future__ import annotations

from ..doctrine import Doctrine


class LeningradDoctrine(Doctrine):
    """The common method fits so far."""


def doctrine(game_id: str) -> Doctrine:
    """The doctrine of one of these games."""
    return LeningradDoctrine()
