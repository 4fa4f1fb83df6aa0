"""Luck: every attack's exact odds when it was committed, against what came of it.

An attack is worth the steps it costs the defender less those it costs the attacker, by the code of its result; a
retreat counts as the part of a step that the computer players take it for.
"""

from __future__ import annotations

from ..players.tuning import Results
from .fights import Fight
from .promise import in_steps


class Weighed:
    """A fight that has been decided, with what it brought."""

    def __init__(self, fight: Fight, results: Results) -> None:
        self.fight = fight
        worth = {code: in_steps(results, code, fight.theirs, fight.ours) for code in fight.chances}
        self.expected = sum(worth[code] * p for code, p in fight.chances.items())
        self.variance = sum((worth[code] - self.expected) ** 2 * p for code, p in fight.chances.items())
        self.got = in_steps(results, fight.code, fight.theirs, fight.ours)

    @property
    def luck(self) -> float:
        """How much better for the attacker than the odds promised."""
        return self.got - self.expected

    @property
    def title(self) -> str:
        """Who attacked what, in which column."""
        fight = self.fight
        units, hexes = ", ".join(fight.units), ", ".join(fight.hexes)
        against = f"{units} against {hexes}" if units and hexes else fight.told.title
        return f"{against} at {fight.column}" if fight.column else against
