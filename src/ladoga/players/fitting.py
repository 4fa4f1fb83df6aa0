"""Weights that follow from games: what is seen of positions, against what became of them.

A judgement gives weights for some turns and goes on a line between them (``judgement.on_turn``). ``courses`` finds such
weights by regression. Each family says in a ``fit.py`` of its own which games it plays and what it sees in them.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ..kernel.chance import Dice
from ..kernel.position import Position
from .player import Player

__all__ = ["Evidence", "courses", "lines", "options", "played", "playout", "variance"]

Sample = TypeVar("Sample", bound=NamedTuple)


class Evidence(NamedTuple):
    """What was seen of a position on a turn, and what became of it."""

    turn: int
    seen: Sequence[float]
    result: float


def courses(
    found: Iterable[Evidence],
    before: Sequence[tuple[int, Sequence[float]]],
    trust: Sequence[float],
    held: float,
    smooth: float,
) -> list[list[float]]:
    """The weights that explain the results best, for each turn that ``before`` has weights of.

    Where games do not tell, weights stay as they were before, and as they are on the turn before: it takes ``held`` and
    ``smooth`` positions' worth of evidence to leave them, each times the ``trust`` in what the weight is of.

    >>> found = [Evidence(turn, (x, 1.0), 3.0 * x + 1.0) for turn in (1, 2, 3) for x in (0.0, 1.0, 2.0)]
    >>> before = [(1, (0.0, 0.0)), (3, (0.0, 0.0))]
    >>> [[round(weight, 3) for weight in line] for line in courses(found, before, (0.0, 0.0), 1.0, 1.0)]
    [[3.0, 1.0], [3.0, 1.0]]
    """
    turns, wide = [turn for turn, _ in before], len(trust)
    size = wide * len(turns)
    left, right = [[0.0] * size for _ in range(size)], [0.0] * size
    for each in found:
        row = [
            (wide * knot + n, share * value)
            for knot, share in _shares(turns, each.turn) for n, value in enumerate(each.seen) if value
        ]  # fmt: skip
        for a, x in row:
            right[a] += x * each.result
            for b, y in row:
                left[a][b] += x * y
    for knot, (_, was) in enumerate(before):
        for n in range(wide):
            at = wide * knot + n
            left[at][at] += held * trust[n]
            right[at] += held * trust[n] * was[n]
            if knot:
                back = at - wide
                for a, b, sign in ((at, at, 1), (back, back, 1), (at, back, -1), (back, at, -1)):
                    left[a][b] += sign * smooth * trust[n]
    solved = _solved(left, right)
    return [solved[wide * knot : wide * (knot + 1)] for knot in range(len(turns))]


def _shares(turns: Sequence[int], turn: int) -> list[tuple[int, float]]:
    """Between which of some turns a turn lies, and how near to each."""
    after = next((n for n, at in enumerate(turns) if at >= turn), len(turns) - 1)
    before = max(0, after - 1)
    if turn <= turns[before] or turn >= turns[after]:
        return [(after if turn >= turns[after] else before, 1.0)]
    share = (turn - turns[before]) / (turns[after] - turns[before])
    return [(before, 1 - share), (after, share)]


def _solved(left: list[list[float]], right: list[float]) -> list[float]:
    """The solution of linear equations, by elimination with the largest pivot first."""
    rows = [[*row, value] for row, value in zip(left, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda r: abs(rows[r][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        lead = rows[column]
        for n, other in enumerate(rows):
            factor = other[column] / lead[column] if n != column else 0.0
            if factor:
                other[column:] = [a - factor * b for a, b in zip(other[column:], lead[column:], strict=True)]
    return [row[size] / row[n] for n, row in enumerate(rows)]


def variance(values: Sequence[float]) -> float:
    """The variance of some values; a little more than nothing where all are the same.

    >>> variance([1.0, 3.0])
    1.0
    """
    mean = sum(values) / len(values)
    return max(1e-9, sum((value - mean) ** 2 for value in values) / len(values))


def played(
    seeds: Iterable[int], keep: Path | None, play: Callable[[int], list[Sample]], read: Callable[[list[Any]], Sample]
) -> Iterator[Sample]:
    """What is seen in some games; those kept from an earlier run are not played again."""
    known: dict[int, list[Sample]] = {}
    if keep is not None and keep.exists():
        for line in keep.read_text(encoding="utf-8").splitlines():
            seed, found = json.loads(line)
            known[seed] = [read(each) for each in found]
    for seed in seeds:
        if seed not in known:
            known[seed] = play(seed)
            print(f"game {seed}", file=sys.stderr, flush=True)
            if keep is not None:
                with keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([seed, known[seed]]) + "\n")
        yield from known[seed]


def playout(
    position: Position, dice: Dice, seats: Mapping[str, Player], minds: Mapping[str, random.Random]
) -> Iterator[Position]:
    """Every position of a game as players play it on from one, the last too; whoever is to move has a mind for what he
    does at random."""
    rolls = 0
    while (mover := position.to_move) is not None:
        yield position
        chance = position.chance
        if chance is not None:
            position = position.play(dice.roll(chance, rolls))
            rolls += 1
        else:
            position = position.play(seats[position.seats[mover]].choose(position.view(mover), minds[mover]))
    yield position


def lines(weights: Iterable[tuple[int, NamedTuple]], digits: int) -> Iterator[str]:
    """Weights as the files in ``tuning/judgement`` have them, without those that round to nothing."""
    for turn, line in weights:
        rounded = {name: round(value, digits) for name, value in line._asdict().items()}
        yield f'"{turn}": {{{", ".join(f"{name}: {value:.{digits}f}" for name, value in rounded.items() if value)}}}'


def options(about: str, games: int) -> argparse.ArgumentParser:
    """What a program that fits weights can be told on the command line."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=games)
    parser.add_argument("--seed", type=int, default=0, help="the first of the dice")
    parser.add_argument("--keep", type=Path, help="a file that keeps what was seen, so that a stopped run goes on")
    return parser
