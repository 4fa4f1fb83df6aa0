"""Questions to many games, simple enough for the command line.

Each question is true or false of one game; the answer is how often it was true:

- ``HEX SIDE [turn N | by turn N]``: the side's units stood there last at the end of the turn (or the game),
  or at the end of any turn up to it; a hex is named by its number or by the name on the map
- ``winner SIDE``, ``level WORDS``
- ``margin > 0 [turn N | by turn N]``: how far the first side is ahead
- ``units SIDE < 20 [turn N | by turn N]``: counters on the map

>>> parse("2604 german turn 12")
Question(text='2604 german turn 12', subject='hex', name='2604', side='german', sign='=', value=0.0, turn=12, by=False)
>>> import ladoga
>>> parse("Leningrad german by turn 5", ladoga.load("leningrad-1979")).name
'2604'
>>> parse("margin > 0 turn 6").value
0.0
>>> parse("who wins")  # doctest: +ELLIPSIS
Traceback (most recent call last):
...
ladoga.kernel.errors.BadOrder: 'who wins' is not a question; ask 'HEX SIDE', ...
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..kernel.errors import BadOrder
from ..kernel.game import Game
from ..kernel.sides import styles
from .simulate import Played, Snapshot
from .tournament import wilson

SIGNS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq}

WHEN = r"(?P<by>by )?turn (?P<turn>\d+)"

FORMS = (
    (r"winner (?P<side>\w+)", "winner"),
    (r"level (?P<name>.+)", "level"),
    (rf"margin ?(?P<sign>[<>]=?|=) ?(?P<value>-?\d+)(?: {WHEN})?", "margin"),
    (rf"units (?P<side>\w+) ?(?P<sign>[<>]=?|=) ?(?P<value>\d+)(?: {WHEN})?", "units"),
    (rf"(?P<name>.+) (?P<side>(?!by\b)\w+) {WHEN}", "hex"),
    (r"(?P<name>.+) (?P<side>\w+)", "hex"),
)


ASK = (
    "'HEX SIDE', 'margin > N' or 'units SIDE < N', if you like with 'turn N' or 'by turn N'; "
    "or 'winner SIDE' or 'level WORDS'"
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
    by: bool = False
    """At the end of any turn up to that one."""


@dataclass(frozen=True)
class Answer:
    """How often it was true, and how sure that is.

    >>> answer = Answer("winner german", 30, 40)
    >>> answer.share, [round(end, 2) for end in answer.as_json()["interval"]]
    (0.75, [0.6, 0.86])
    """

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


def parse(text: str, game: Game | None = None) -> Question:
    """The question a text asks; with a game, sides, hexes and turns must be that game's."""
    for pattern, subject in FORMS:
        found = re.fullmatch(pattern, " ".join(text.split()), re.IGNORECASE)
        if found:
            parts = {key: value for key, value in found.groupdict().items() if value is not None}
            value, turn, by = float(parts.pop("value", 0)), int(parts.pop("turn", 0)), "by" in parts
            parts.pop("by", None)
            parts |= {"side": parts["side"].lower()} if "side" in parts else {}
            question = Question(text, subject, value=value, turn=turn, by=by, **parts)
            if subject == "hex" and question.side not in (game.sides if game else styles()):
                break
            if "turn" in found.groupdict() and found["turn"] is not None and not turn:
                raise BadOrder(f"{text!r}: turns are counted from 1")
            return question if game is None else _fitted(question, game)
    raise BadOrder(f"{text!r} is not a question; ask {ASK}")


def _fitted(question: Question, game: Game) -> Question:
    """The question with a place's name made the number of its hex."""
    if question.side and question.side not in game.sides:
        raise BadOrder(f"{question.text!r}: there is no side {question.side!r}; sides: {', '.join(game.sides)}")
    if question.turn > game.turns:
        raise BadOrder(f"{question.text!r}: {game.id} has turns 1 to {game.turns}")
    if question.subject != "hex":
        return question
    grid = game.map.grid
    if question.name in grid:
        return question
    places = {name.lower(): grid.number(h) for h, name in sorted(game.map.names.items(), reverse=True)}
    if question.name.lower() not in places:
        raise BadOrder(f"{question.text!r}: there is no hex or place {question.name!r} in {game.id}")
    return replace(question, name=places[question.name.lower()])


def ask(question: Question | str, played: Iterable[Played]) -> Answer:
    """How often a question is true of games that were watched.

    >>> from ladoga.lab import Match, simulate
    >>> played = list(simulate(Match("tijvin-1941", {}, seed=1), 1, watch=True))
    >>> ask("units german > 0 turn 1", played).yes
    1
    """
    games = list(played)
    asked = parse(question) if isinstance(question, str) else question
    return Answer(asked.text, sum(_true(asked, one) for one in games), len(games))


def _true(question: Question, played: Played) -> bool:
    if question.subject == "winner":
        return played.winner == question.side
    if question.subject == "level":
        return played.level.lower() == question.name.lower()
    return any(_true_then(question, snapshot) for snapshot in _when(question, played))


def _true_then(question: Question, then: Snapshot) -> bool:
    if question.subject == "hex":
        return question.name in then.held.get(question.side, ())
    value = then.margin if question.subject == "margin" else then.units.get(question.side, 0)
    return bool(SIGNS[question.sign](value, question.value))


def _when(question: Question, played: Played) -> tuple[Snapshot, ...]:
    """The ends of turns a question is about; a game that ended before stays as it ended."""
    if not played.snapshots and not played.error:
        raise BadOrder(f"{question.text!r} can only be asked of games that were watched")
    ends = until(question.turn, played)
    return ends if question.by else ends[-1:]


def until(turn: int, played: Played) -> tuple[Snapshot, ...]:
    """The ends of all turns up to one, or of all there were (0)."""
    return tuple(snapshot for snapshot in played.snapshots if not turn or snapshot.turn <= turn)
