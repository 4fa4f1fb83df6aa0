"""How the staff plays the two Assaults."""

from __future__ import annotations

from ..doctrine import Doctrine


class AssaultDoctrine(Doctrine):
    """The common method fits so far."""


def doctrine(game_id: str) -> Doctrine:
    """The doctrine of one of these games."""
    return AssaultDoctrine()
