"""How the game is won (4.0)."""

from __future__ import annotations

from ...hexes import HexMask, members
from ...kernel.position import Entry, Outcome
from .counters import GERMAN, SIDES
from .derived import remembered
from .state import State

CASES = {
    "objectives": ("german", "victory", "4.3"),
    "held": ("soviet", "victory", "4.4"),
    "all-objectives": ("german", "sudden death", "4.5"),
    "no-germans": ("soviet", "sudden death", "4.5"),
    "german-concedes": ("soviet", "concession", "5.4"),
    "soviet-concedes": ("german", "concession", "5.4"),
}
"""What ended a game: winner, level, case."""


def check(pos: State) -> str:
    """What ends the game at the end of a complete game turn, if anything (4.3 to 4.5)."""
    held = pos.objectives(GERMAN)
    if held == pos.ground.objective and held:
        return "all-objectives"
    if all(pos.unit(p).leader for p in pos.on_map(GERMAN)):  # a leader alone is no ground unit
        return "no-germans"
    if pos.turn < pos.game.turns:
        return ""
    return "objectives" if held.bit_count() >= pos.tables.victory.objectives else "held"


def outcome(pos: State, reason: str) -> Outcome:
    """The result for a reason, with every objective in the ledger (4.2)."""
    (winner, level, case), held = CASES[reason], pos.objectives(GERMAN)
    lead = held.bit_count() - pos.tables.victory.objectives
    return Outcome(winner, level, lead if winner == "german" else -lead, _ledger(pos, held), case)


@remembered
def _ledger(pos: State, held: HexMask) -> tuple[Entry, ...]:
    objectives = sorted(members(pos.ground.objective), key=pos.number)
    return tuple(Entry(SIDES[1 - (held >> h & 1)], 1, pos.map.name_of(h), "4.2") for h in objectives)


def standing(pos: State) -> Outcome:
    """The result if the game ended now: by objectives, as after the last turn (4.3 to 4.5)."""
    held = pos.objectives(GERMAN)
    if held and held == pos.ground.objective:
        return outcome(pos, "all-objectives")
    return outcome(pos, "objectives" if held.bit_count() >= pos.tables.victory.objectives else "held")
