"""How the staff plays Leningrad '41."""

from __future__ import annotations

from ..doctrine import Doctrine


class CityDoctrine(Doctrine):
    """The common method fits so far."""


def doctrine(game_id: str) -> Doctrine:
    """The doctrine of one of these games."""
    return CityDoctrine()
