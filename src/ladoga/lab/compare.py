"""What does a change do? Two versions of a match on the same dice, and the difference between them.

Game ``i`` of both versions has the same seed, so what luck does to both cancels as far as it can. The interval of the
difference holds at every moment of the run, not only at its end, so that one may stop as soon as it says enough: it is
the asymptotic confidence sequence of Robbins' normal mixture (Waudby-Smith and others, 2021).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any

from ..kernel.errors import BadOrder, LadogaError
from ..kernel.game import Game
from ..kernel.options import typed
from . import questions
from .simulate import Match, Played, lead, simulate

LEAST_PAIRS = 10
"""Fewer pairs than this say nothing about how much games differ."""

RISK = 0.05
"""How often the interval may miss the true difference at any moment of a run."""

MOST_PAIRS = 10_000_000
"""More than anybody plays; a difference that needs more is called none."""


@dataclass(frozen=True)
class Figure:
    """Something measured of one game: how far a side is ahead, what is left of it, or whether a question is true.

    >>> Figure.parse("margin turn 6").turn, Figure.parse("units soviet").side, Figure.parse("winner german").yes_or_no
    (6, 'soviet', True)
    """

    text: str
    subject: str
    side: str = ""
    turn: int = 0
    question: questions.Question | None = None

    @property
    def yes_or_no(self) -> bool:
        """Whether it is a question, so that its mean is a share of games."""
        return self.question is not None

    @property
    def watched(self) -> bool:
        """Whether it can only be told of games that were watched turn by turn."""
        if self.question is not None:
            return self.question.subject not in ("winner", "level")
        return self.subject == "units" or bool(self.turn)

    @classmethod
    def parse(cls, text: str, game: Game | None = None) -> Figure:
        """The figure a text names: ``margin``, ``units SIDE``, ``turns`` or ``orders``, the first two if you like with
        ``turn N``; else a question of ``ladoga simulate --ask``."""
        words = " ".join(text.split()).lower()
        found = re.fullmatch(r"(margin|turns|orders|units (\w+))(?: turn (\d+))?", words)
        if found is None:
            return cls(text, "question", question=questions.parse(text, game))
        subject, side, turn = found[1].split()[0], found[2] or "", int(found[3] or 0)
        if game is not None and side:
            game.check_side(side)
        if turn and subject in ("turns", "orders"):
            raise BadOrder(f"{text!r}: {subject} are counted at the end of the game")
        if game is not None and turn > game.turns:
            raise BadOrder(f"{text!r}: {game.id} has turns 1 to {game.turns}")
        return cls(text, subject, side, turn)

    def of(self, played: Played, first: str) -> float:
        """Its value in a game; ``first`` is the side that margins are counted for."""
        if self.question is not None:
            return float(questions.ask(self.question, [played]).yes)
        if self.subject == "turns":
            return played.turns
        if self.subject == "orders":
            return played.orders
        if self.subject == "margin" and not self.turn:
            return lead(played.winner, played.margin, first)
        then = questions.until(self.turn, played)[-1]
        return then.margin if self.subject == "margin" else then.units.get(self.side, 0)


@dataclass
class Difference:
    """A figure in both versions: means, the difference, and how sure it is.

    >>> difference = Difference(Figure.parse("margin"), [1.0, 3.0] * 20, [2.0, 4.0] * 20)
    >>> difference.mean, difference.decided(), difference.pairs_needed
    (1.0, True, 10)
    """

    figure: Figure
    before: list[float] = field(default_factory=list)
    after: list[float] = field(default_factory=list)
    risk: float = RISK
    """How often the interval may miss; smaller where many differences are looked at together."""

    @property
    def pairs(self) -> int:
        """How many pairs were played."""
        return len(self.before)

    @property
    def changes(self) -> list[float]:
        """What changed in each pair."""
        return [b - a for a, b in zip(self.before, self.after, strict=True)]

    @property
    def mean(self) -> float:
        """The mean change."""
        return sum(self.changes) / self.pairs if self.pairs else 0.0

    @property
    def spread(self) -> float:
        """How much the change differs from pair to pair; for a question never taken as less than one pair that turned,
        so that a row of equal games does not pass for certainty."""
        if self.pairs < 2:
            return math.inf
        mean, least = self.mean, 1.0 if self.figure.yes_or_no else 0.0
        return math.sqrt((sum((change - mean) ** 2 for change in self.changes) + least) / self.pairs)

    def half_width(self, pairs: int) -> float:
        """Half the interval that so many pairs would give."""
        if pairs < LEAST_PAIRS or math.isinf(self.spread):
            return math.inf
        return self.spread * _half_width(pairs, risk=self.risk)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true difference lies; holds whenever one looks."""
        half = self.half_width(self.pairs)
        low, high = self.mean - half, self.mean + half
        return (max(low, -1.0), min(high, 1.0)) if self.figure.yes_or_no and math.isfinite(half) else (low, high)

    def decided(self, least: float = 0.0) -> bool:
        """Whether the interval leaves no doubt about the sign, or that the change is smaller than ``least``."""
        low, high = self.interval
        return low > 0 or high < 0 or (-least < low and high < least)

    @property
    def pairs_needed(self) -> int | None:
        """How many pairs in all would show a difference of the size seen so far; none if nothing differs."""
        if self.pairs < LEAST_PAIRS or self.mean == 0 or self.half_width(MOST_PAIRS) >= abs(self.mean):
            return None
        low, high = LEAST_PAIRS, MOST_PAIRS
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.half_width(middle) < abs(self.mean) else (middle + 1, high)
        return low

    def as_json(self) -> dict[str, Any]:
        """Plain values; an interval that is still unknown is null."""
        low, high = self.interval
        return {
            "figure": self.figure.text,
            "pairs": self.pairs,
            "before": sum(self.before) / self.pairs if self.pairs else None,
            "after": sum(self.after) / self.pairs if self.pairs else None,
            "difference": self.mean if self.pairs else None,
            "interval": [low, high] if math.isfinite(low) else None,
            "decided": self.decided(),
            "pairs_needed": self.pairs_needed,
        }

    def as_text(self) -> str:
        """One line for people."""
        scale, unit = (100.0, " %") if self.figure.yes_or_no else (1.0, "")
        before, after = (scale * sum(values) / max(self.pairs, 1) for values in (self.before, self.after))
        told = f"{self.figure.text}: {before:.1f}{unit} before, {after:.1f}{unit} after"
        low, high = self.interval
        if not math.isfinite(low):
            return f"{told}; too few pairs to say more"
        told += f", difference {scale * self.mean:+.1f} ({scale * low:+.1f} to {scale * high:+.1f})"
        if self.decided():
            return f"{told}; the difference is real"
        needed = self.pairs_needed
        if needed is None:
            return f"{told}; no difference seen"
        return f"{told}; to show a difference of this size would take about {needed:,} pairs"


def _half_width(pairs: int, tuned_for: int = 100, risk: float = RISK) -> float:
    """Half the interval of a mean of values with spread 1, at any time; it is narrowest near ``tuned_for`` pairs.

    >>> round(_half_width(100), 3), round(_half_width(1000), 3)
    (0.304, 0.103)
    """
    rho = (-2 * math.log(risk) + math.log(-2 * math.log(risk)) + 1) / tuned_for
    inner = pairs * rho + 1
    return math.sqrt(2 * inner / (pairs * pairs * rho) * math.log(math.sqrt(inner) / risk))


@dataclass(frozen=True)
class Comparison:
    """Two versions of a match and what differs between them.

    >>> before = Match("tijvin-1941", {"german": "random", "soviet": "random"})
    >>> after = replace(before, players={"german": "greedy", "soviet": "random"})
    >>> told = Comparison(before, after, (Difference(Figure.parse("margin"), [1.0] * 12, [3.0] * 12),))
    >>> told.as_json()["differences"][0]["difference"]
    2.0
    """

    before: Match
    after: Match
    differences: tuple[Difference, ...]
    errors: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "game": self.before.game,
            "seed": self.before.seed,
            "before": version(self.before),
            "after": version(self.after),
            "differences": [difference.as_json() for difference in self.differences],
            "errors": list(self.errors),
        }

    def as_text(self) -> str:
        """Lines for people."""
        pairs = self.differences[0].pairs
        before, after = version(self.before), version(self.after)
        told = "; ".join(
            f"{key} {_said(old)} → {_said(new)}" for key in after for old, new in _apart(before[key], after[key])
        )
        lines = [f"{self.before.game}: {pairs} pairs of games on the same dice, seed {self.before.seed}", f"  {told}"]
        lines += [f"  {difference.as_text()}" for difference in self.differences]
        return "\n".join([*lines, *(f"  broke off: {error}" for error in self.errors[:3])])


def _apart(old: Any, new: Any) -> list[tuple[Any, Any]]:
    """What two versions have different: of named values only those that differ.

    >>> _apart({"fog": False, "hq": True}, {"fog": True, "hq": True})
    [({'fog': False}, {'fog': True})]
    """
    if old == new:
        return []
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        keys = [key for key in new if old.get(key) != new[key]]
        return [({key: old.get(key) for key in keys}, {key: new[key] for key in keys})]
    return [(old, new)]


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}={typed(one)}" for key, one in value.items()) or "as usual"
    return "as shipped" if value is None else str(value)


def version(match: Match) -> dict[str, Any]:
    """What one version of a match is, without its seed."""
    return {
        "players": dict(match.players), "scenario": match.scenario, "options": dict(match.options), "data": match.data,
        "think": match.think,
    }  # fmt: skip


def against(match: Match, game: Game, words: Iterable[str]) -> Match:
    """The other version of a match: ``SIDE=PLAYER``, ``scenario=NAME``, ``OPTION=VALUE``, ``think=SECONDS``, or a
    folder of corrections (``none`` for the game as shipped).

    >>> import ladoga
    >>> game, match = ladoga.load("leningrad-1979"), Match("leningrad-1979", {"german": "staff", "soviet": "staff"})
    >>> dict(against(match, game, ["german=greedy"]).players)
    {'german': 'greedy', 'soviet': 'staff'}
    """
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name == "data":
            folder = value or name
            match = replace(match, data=None if folder == "none" else folder)
        elif name in game.sides:
            match = replace(match, players={**match.players, name: value})
        elif name == "scenario":
            match = replace(match, scenario=value)
        elif name == "think":
            match = replace(match, think=float(value))
        elif name in game.options:
            match = replace(match, options={**match.options, name: game.options[name].read(value)})
        else:
            known = ", ".join((*game.sides, "scenario", "think", "data", *game.options))
            raise LadogaError(f"{word!r}: {game.id} has nothing called {name!r} to change; there are {known}")
    return match


def compare(
    before: Match,
    after: Match,
    figures: Sequence[Figure],
    pairs: int,
    *,
    least: float = 0.0,
    executor: Executor | None = None,
    chunk: int = 1,
) -> Iterator[Comparison]:
    """Play pairs until every figure is decided (its sign is sure, or it surely changes by less than ``least``) or
    ``pairs`` are played; yields how things stand after each pair.

    >>> before = Match("tijvin-1941", {"german": "random", "soviet": "random"})
    >>> after = replace(before, options={"fog-of-war": True})
    >>> [standing.differences[0].pairs for standing in compare(before, after, [Figure.parse("turns")], 1)]
    [1]
    """
    if before == after:
        raise LadogaError("both versions are the same; say what is different")
    if not figures:
        raise LadogaError("there is nothing to compare by")
    first = before.load().sides[0]
    after.load()
    differences = tuple(Difference(figure) for figure in figures)
    errors: list[str] = []
    runs = [simulate(match, pairs, executor=executor, chunk=chunk, watch=True) for match in (before, after)]
    for one, other in zip(*map(_in_order, runs), strict=True):
        if one.error or other.error:
            errors.append(f"game {one.index}: {one.error or other.error}")
        else:
            for difference in differences:
                difference.before.append(difference.figure.of(one, first))
                difference.after.append(difference.figure.of(other, first))
        yield Comparison(before, after, differences, tuple(errors))
        if all(difference.decided(least) for difference in differences):
            return


def _in_order(played: Iterable[Played]) -> Iterator[Played]:
    """Games by their number, whatever the order they are done in: stopping must not prefer short ones."""
    waiting: dict[int, Played] = {}
    wanted = 0
    for one in played:
        waiting[one.index] = one
        while wanted in waiting:
            yield waiting.pop(wanted)
            wanted += 1
