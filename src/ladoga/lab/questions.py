"""Questions to many games, simple enough for the command line.

Each question is true or false of one game; the answer is how often it was true.

>>> parse("2604 german turn 12")
Question(text='2604 german turn 12', subject='hex', name='2604', side='german', sign='=', value=0.0, turn=12)
>>> parse("margin > 0 turn 6").value
0.0
>>> parse("who wins")
Traceback (most recent call last):
...
ladoga.kernel.errors.BadOrder: 'who wins' is not a question; ask 'HEX SIDE [turn N]', 'winner SIDE', ...
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..kernel.errors import BadOrder
from .simulate import Played, Snapshot
from .tournament import wilson

SIGNS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq}

FORMS = (
    (r"winner (?P<side>\w+)", "winner"),
    (r"level (?P<name>.+)", "level"),
    (r"margin (?P<sign>[<>]=?|=) (?P<value>-?\d+)(?: turn (?P<turn>\d+))?", "margin"),
    (r"units (?P<side>\w+) (?P<sign>[<>]=?|=) (?P<value>\d+)(?: turn (?P<turn>\d+))?", "units"),
    (r"(?P<name>\w+) (?P<side>german|soviet)(?: turn (?P<turn>\d+))?", "hex"),
)


@dataclass(frozen=True)
class Question:
    """Something that is true or false of a game."""

    text: str
    subject: str
    name: str = ""
    side: str = ""
    sign: str = "="
    value: float = 0.0
    turn: int = 0
    """At the end of which turn; 0 for the end of the game."""


@dataclass(frozen=True)
class Answer:
    """How often it was true, and how sure that is."""

    question: str
    yes: int
    games: int

    @property
    def share(self) -> float:
        """Share of games."""
        return self.yes / self.games if self.games else 0.0

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        interval = list(wilson(self.yes, self.games))
        counts = {"yes": self.yes, "games": self.games}
        return {"question": self.question, **counts, "share": self.share, "interval": interval}


def parse(text: str) -> Question:
    """The question a text asks."""
    for pattern, subject in FORMS:
        found = re.fullmatch(pattern, " ".join(text.split()))
        if found:
            parts = {key: value for key, value in found.groupdict().items() if value is not None}
            value, turn = float(parts.pop("value", 0)), int(parts.pop("turn", 0))
            return Question(text, subject, value=value, turn=turn, **parts)
    raise BadOrder(f"{text!r} is not a question; ask 'HEX SIDE [turn N]', 'winner SIDE', ...")


def ask(question: Question | str, played: Iterable[Played]) -> Answer:
    """How often a question is true of games that were watched."""
    asked = parse(question) if isinstance(question, str) else question
    games = list(played)
    return Answer(asked.text, sum(_true(asked, one) for one in games), len(games))


def _true(question: Question, played: Played) -> bool:
    if question.subject == "winner":
        return played.winner == question.side
    if question.subject == "level":
        return played.level.lower() == question.name.lower()
    then = _when(question, played)
    if then is None:
        return False
    if question.subject == "hex":
        return question.name in then.held.get(question.side, ())
    value = then.margin if question.subject == "margin" else then.units.get(question.side, 0)
    return bool(SIGNS[question.sign](value, question.value))


def _when(question: Question, played: Played) -> Snapshot | None:
    if not played.snapshots:
        return None
    if not question.turn:
        return played.snapshots[-1]
    return next((s for s in played.snapshots if s.turn == question.turn), None)
