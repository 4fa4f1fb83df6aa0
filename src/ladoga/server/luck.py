"""How lucky each side was: every attack's exact odds when it was committed, against what came of it.

An attack is worth the steps it costs the defender less those it costs the attacker, by the code of its
result; a retreat counts as the part of a step that the computer players take it for. Dice that settle
no attack (weather, arrivals, strengths drawn) are counted, not weighed.
"""

from __future__ import annotations

from ..analysis.luck import Weighed
from ..kernel.names import names_of, several
from ..players.tuning import tuning
from .fights import fights, other_throws
from .match import Match
from .shapes import LuckReport, SideLuck, Throw

SHOWN = 3
"""How many of the luckiest throws and of the unluckiest are named."""


def _told(match: Match, weighed: Weighed) -> Throw:
    """A fight in plain values."""
    fight = weighed.fight
    return {
        "n": fight.n, "turn": fight.turn, "side": fight.side, "title": _titled(match, weighed), "result": fight.code,
        "chance": round(fight.chances.get(fight.code, 0.0), 4), "expected": round(weighed.expected, 2),
        "got": round(weighed.got, 2), "luck": round(weighed.luck, 2),
    }  # fmt: skip


def _titled(match: Match, weighed: Weighed) -> str:
    """Who attacked what in which column, units by their full names."""
    fight = weighed.fight
    if not fight.units or not fight.hexes:
        return weighed.title
    names = names_of(match.table(match.at(fight.began - 1), fight.side).counters)
    title = f"{several(names.get(unit, unit) for unit in fight.units)} against {', '.join(fight.hexes)}"
    return f"{title} at {fight.column}" if fight.column else title


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
    ranked = sorted(thrown, key=lambda weighed: weighed.luck, reverse=True)
    return {
        "sides": sides,
        "spread": round(sum(weighed.variance for weighed in thrown) ** 0.5, 2),
        "best": [_told(match, weighed) for weighed in ranked[:SHOWN] if weighed.luck > 0],
        "worst": [_told(match, weighed) for weighed in ranked[: -SHOWN - 1 : -1] if weighed.luck < 0],
        "other": other_throws(match),
    }
