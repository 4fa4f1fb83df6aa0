"""The laboratory: many games at once, tournaments, odds, reports."""

from .compare import Comparison, Difference, Figure, compare
from .questions import Answer, ask
from .reports import report, tornado
from .sensitivity import Ranges, Sensitivity, Together, corrections, ranges, sensitivity, together
from .simulate import Match, Played, Snapshot, digest, play_match, simulate
from .tournament import Standings, tournament, wilson

__all__ = [
    "Answer",
    "Comparison",
    "Difference",
    "Figure",
    "Match",
    "Played",
    "Ranges",
    "Sensitivity",
    "Snapshot",
    "Standings",
    "Together",
    "ask",
    "compare",
    "corrections",
    "digest",
    "play_match",
    "ranges",
    "report",
    "sensitivity",
    "simulate",
    "together",
    "tornado",
    "tournament",
    "wilson",
]
