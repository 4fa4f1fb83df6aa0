"""Threats: what strength can be brought against a hex."""

from __future__ import annotations

from collections.abc import Iterable

from ..hexes import Hex, HexMask

Arm = tuple[HexMask, float]
"""The hexes a unit strikes, and how hard."""


class Threats:
    """Strength that arms could bring against a hex, the hardest first, as many as find room around it."""

    def __init__(self, arms: Iterable[Arm], room: int) -> None:
        self._arms = sorted(arms, key=lambda arm: -arm[1])
        self._room = room
        self._known: dict[Hex, float] = {}

    def at(self, h: Hex) -> float:
        """The strength against a hex.

        >>> Threats([(0b1, 2.0), (0b1, 3.0), (0b1, 4.0), (0b10, 9.0)], room=2).at(0)
        7.0
        """
        known = self._known.get(h)
        if known is None:
            known, room = 0.0, self._room
            for reach, force in self._arms:
                if reach >> h & 1:
                    known += force
                    room -= 1
                    if not room:
                        break
            self._known[h] = known
        return known
