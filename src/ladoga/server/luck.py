"""How lucky each side was: every attack's exact odds when it was committed, against what came of it.

An attack is worth the steps it costs the defender less those it costs the attacker, by the code of its
result; a retreat counts as the part of a step that the computer players take it for. Dice that settle
no attack (weather, arrivals, strengths drawn) are counted, not weighed.
"""

from __future__ import annotations

from ..analysis.fights import Fight
from ..analysis.promise import in_steps
from ..players.tuning import Results, tuning
from .fights import fights, other_throws
from .match import Match
from .shapes import LuckReport, SideLuck, Throw

SHOWN = 3
"""How many of the luckiest throws and of the unluckiest are named."""


class Weighed:
    """A fight that has been decided, with what it brought."""

    def __init__(self, fight: Fight, results: Results) -> None:
        self.fight = fight
        worth = {code: in_steps(results, code, fight.theirs, fight.ours) for code in fight.chances}
        self.expected = sum(worth[code] * p for code, p in fight.chances.items())
        self.variance = sum((worth[code] - self.expected) ** 2 * p for code, p in fight.chances.items())
        self.got = worth[fight.code] if fight.lost is None else float(fight.lost[0] - fight.lost[1])

    @property
    def luck(self) -> float:
        """How much better for the attacker than the odds promised."""
        return self.got - self.expected

    def told(self) -> Throw:
        """In plain values."""
        fight = self.fight
        return {
            "n": fight.n, "turn": fight.turn, "side": fight.side, "title": _title(fight), "result": fight.code,
            "chance": round(fight.chances.get(fight.code, 0.0), 4), "expected": round(self.expected, 2),
            "got": round(self.got, 2), "luck": round(self.luck, 2),
        }  # fmt: skip


def luck(match: Match) -> LuckReport:
    """The luck of both sides in a finished match, and the throws that decided it."""
    results = tuning(match.game.id).results
    thrown = [Weighed(fight, results) for fight in fights(match) if fight.n]
    sides: dict[str, SideLuck] = {}
    for side in match.game.sides:
        own = [weighed for weighed in thrown if weighed.fight.side == side]
        sides[side] = {
            "attacks": len(own),
            "expected": round(sum(weighed.expected for weighed in own), 2),
            "got": round(sum(weighed.got for weighed in own), 2),
            "luck": round(sum(w.luck * (1 if w.fight.side == side else -1) for w in thrown), 2),
        }
    told = [weighed.told() for weighed in sorted(thrown, key=lambda weighed: weighed.luck, reverse=True)]
    return {
        "sides": sides,
        "spread": round(sum(weighed.variance for weighed in thrown) ** 0.5, 2),
        "best": [throw for throw in told[:SHOWN] if throw["luck"] > 0],
        "worst": [throw for throw in told[: -SHOWN - 1 : -1] if throw["luck"] < 0],
        "other": other_throws(match),
    }


def _title(fight: Fight) -> str:
    """Who attacked what, in which column."""
    units, hexes = ", ".join(fight.units), ", ".join(fight.hexes)
    against = f"{units} against {hexes}" if units and hexes else fight.told.title
    return f"{against} at {fight.column}" if fight.column else against
