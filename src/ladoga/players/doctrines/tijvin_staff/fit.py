"""Fits the forecast of Tijvin 1941 on games between staffs of changing tempers.

    python -m ladoga.players.doctrines.tijvin_staff.fit --games 200 --keep games.jsonl

What is seen of a position (``forecast.Measures``) is noted when the first headquarters of a turn may act. What it is
worth on some turns, on a line between them, is a regression of the final points, held to what it was before where games
do not tell, and to a smooth course from turn to turn. What stands exposed shows in the next turn or never, so that its
worth is a regression of the next turn's forecast. Prints the lines to put into ``tuning/judgement``.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import mul
from pathlib import Path
from typing import NamedTuple

from ....games.tijvin.position import TijvinPosition
from ....kernel.chance import Dice
from ....kernel.game import load_game
from ...judgement import on_turn
from ...staff import StaffPlayer
from .forecast import Measures, measures, weights_of

GAME = "tijvin-1941"
WORDS = {"attack": 0.7, "safety": 0.7, "push": 0.7, "hunt": 1.2}
"""Words of a temper, and how often doubled or halved at most their weights are."""
USUAL = 0.25
"""How often a side has the usual temper."""
HELD, SMOOTH = 30.0, 60.0
"""How many positions' worth of evidence it takes to leave the weights of before, and the turn's before."""
AROUND = 1
"""Turns before and after a turn whose positions tell what stands exposed then."""


class Sample(NamedTuple):
    """A position and what became of it."""

    turn: int
    seen: Measures
    points: float


def _temper(rng: random.Random) -> dict[str, float]:
    if rng.random() < USUAL:
        return {}
    return {word: 2.0 ** rng.uniform(-most, most) for word, most in WORDS.items()}


def samples(seed: int) -> list[Sample]:
    """The positions of one game."""
    game, rng = load_game(GAME), random.Random(seed)
    dice, rolls = Dice(f"forecast {seed}".encode().ljust(32)), 0
    seats = {side: StaffPlayer() for side in game.sides}
    for seat in seats.values():
        seat.bias = _temper(rng)
    position, noted, turn = game.start(), list[tuple[int, Measures]](), 0
    while (mover := position.to_move) is not None:
        assert isinstance(position, TijvinPosition)
        if position.turn > turn and position.phase.id.endswith("-activation"):
            turn = position.turn
            noted.append((turn, measures(position)))
        chance = position.chance
        if chance is not None:
            order = dice.roll(chance, rolls)
            rolls += 1
        else:
            order = seats[mover].choose(position.view(mover), rng)
        position = position.play(order)
    result = float(sum(entry.points for entry in position.standing.ledger))
    return [Sample(*each, result) for each in noted]


def played(seeds: Iterable[int], keep: Path | None) -> Iterator[Sample]:
    """The positions of some games; those kept from an earlier run are not played again."""
    known: dict[int, list[Sample]] = {}
    if keep is not None and keep.exists():
        for line in keep.read_text(encoding="utf-8").splitlines():
            seed, found = json.loads(line)
            known[seed] = [Sample(turn, Measures(*seen), result) for turn, seen, result in found]
    for seed in seeds:
        if seed not in known:
            known[seed] = samples(seed)
            print(f"game {seed}: {known[seed][-1].points:.0f}", file=sys.stderr, flush=True)
            if keep is not None:
                with keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([seed, known[seed]]) + "\n")
        yield from known[seed]


def _shares(turns: Sequence[int], turn: int) -> list[tuple[int, float]]:
    """Between which of some turns a turn lies, and how near to each."""
    after = next((n for n, at in enumerate(turns) if at >= turn), len(turns) - 1)
    before = max(0, after - 1)
    if turn <= turns[before] or turn >= turns[after]:
        return [(after if turn >= turns[after] else before, 1.0)]
    share = (turn - turns[before]) / (turns[after] - turns[before])
    return [(before, 1 - share), (after, share)]


def fitted(found: Sequence[Sample], before: Sequence[tuple[int, Measures]]) -> list[tuple[int, Measures]]:
    """The weights that explain the final points best."""
    turns, wide = [turn for turn, _ in before], len(Measures._fields)
    spread = [_spread([each.seen[n] for each in found]) for n in range(wide)]
    size = wide * len(turns)
    left, right = [[0.0] * size for _ in range(size)], [0.0] * size
    for each in found:
        row = [
            (wide * knot + n, share * value)
            for knot, share in _shares(turns, each.turn) for n, value in enumerate(each.seen) if value
        ]  # fmt: skip
        for a, x in row:
            right[a] += x * each.points
            for b, y in row:
                left[a][b] += x * y
    for knot, (_, was) in enumerate(before):
        for n in range(1, wide):  # the level is free
            at = wide * knot + n
            left[at][at] += HELD * spread[n]
            right[at] += HELD * spread[n] * was[n]
            if knot:
                back = at - wide
                for a, b, sign in ((at, at, 1), (back, back, 1), (at, back, -1), (back, at, -1)):
                    left[a][b] += sign * SMOOTH * spread[n]
    solved = _solved(left, right)
    weights = [(turn, Measures(*solved[wide * k : wide * (k + 1)])) for k, turn in enumerate(turns)]
    return [(turn, line._replace(exposed=_exposure(found, before, turn))) for turn, line in weights]


def _exposure(found: Sequence[Sample], weights: Sequence[tuple[int, Measures]], turn: int) -> float:
    """By how much the forecast of those around a turn changes until the next, for what stands exposed."""
    plain = [(at, line._replace(exposed=0.0)) for at, line in weights]
    above = below = 0.0
    for at in range(turn - AROUND, turn + AROUND + 1):
        pairs = [
            (now.seen.exposed, _forecast(then, plain) - _forecast(now, plain))
            for now, then in pairwise(found) if now.turn == at and then.turn == at + 1
        ]  # fmt: skip
        if pairs:
            mean, usual = (sum(values) / len(pairs) for values in zip(*pairs, strict=True))
            above += sum((seen - mean) * (change - usual) for seen, change in pairs)
            below += sum((seen - mean) ** 2 for seen, _ in pairs)
    return above / below if below else 0.0


def _forecast(sample: Sample, weights: Sequence[tuple[int, Measures]]) -> float:
    return float(sum(map(mul, on_turn(weights, sample.turn), sample.seen)))


def _spread(values: Sequence[float]) -> float:
    """The variance of some values."""
    mean = sum(values) / len(values)
    return max(1e-9, sum((value - mean) ** 2 for value in values) / len(values))


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


def explained(found: Sequence[Sample], weights: Sequence[tuple[int, Measures]]) -> float:
    """The part of the final points' spread that weights explain."""
    wrong = sum((_forecast(each, weights) - each.points) ** 2 for each in found)
    return 1 - wrong / len(found) / _spread([each.points for each in found])


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="the first of the dice")
    parser.add_argument("--keep", type=Path, help="a file that keeps what was seen, so that a stopped run goes on")
    asked = parser.parse_args()
    found = list(played(range(asked.seed, asked.seed + asked.games), asked.keep))
    before = weights_of(GAME)
    weights = fitted(found, before)
    print(f"# explains {explained(found, weights):.0%} of the spread of points, {explained(found, before):.0%} before")
    for turn, line in weights:
        told = ", ".join(f"{n}: {value:.3f}" for n, value in line._asdict().items() if abs(value) >= 0.0005)
        print(f'"{turn}": {{{told}}}')


if __name__ == "__main__":
    main()
