"""The laboratory: many games at once, tournaments, odds, reports."""

from .compare import Comparison, Difference, Figure, compare
from .questions import Answer, ask
from .reports import report
from .simulate import Match, Played, Snapshot, digest, play_match, simulate
from .tournament import Standings, tournament, wilson

__all__ = [
    "Answer",
    "Comparison",
    "Difference",
    "Figure",
    "Match",
    "Played",
    "Snapshot",
    "Standings",
    "ask",
    "compare",
    "digest",
    "play_match",
    "report",
    "simulate",
    "tournament",
    "wilson",
]
