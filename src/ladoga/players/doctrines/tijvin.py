"""How the staff plays Tijvin 1941."""

from __future__ import annotations

from ..doctrine import Doctrine


class TijvinDoctrine(Doctrine):
    """The common method fits so far."""


def doctrine(game_id: str) -> Doctrine:
    """The doctrine of one of these games."""
    return TijvinDoctrine()
