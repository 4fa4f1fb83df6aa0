"""Fits how positions of the Assaults are judged, on games between staffs whose tempers change from turn to turn.

    python -m ladoga.players.doctrines.assault_staff.fit assault-stalingrad --games 120 --keep games.jsonl

What is seen of a position (``prospects.Measures``) is noted whenever a side begins to move. What it is worth on some
turns, on a line between them, is a regression of the final margins, held to what it was before where games do not tell,
and to a smooth course from turn to turn. Prints the lines to put into ``tuning/judgement``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ....games.assault.position import AssaultPosition
from ....kernel.chance import Dice
from ....kernel.game import Game, load_game
from ...doctrine import doctrine_of
from ...judgement import on_turn
from ...staff import StaffPlayer
from .prospects import Measures, margin, measures, weights_of

SEEN = ("german-movement", "soviet-movement")
"""Phases at whose beginning a position is judged when a playout ends."""
OTHERWISE = 0.5
"""How often a side fights a turn in another way than the staff's."""
HELD, SMOOTH = 300.0, 300.0
"""How many positions' worth of evidence it takes to leave the weights of before, and the turn's before."""


class Sample(NamedTuple):
    """A position of a game and what became of it."""

    turn: int
    phase: int
    seen: Measures
    margin: float


def samples(game: Game, seed: int) -> list[Sample]:
    """The positions of one game."""
    dice, rolls = Dice(hashlib.sha256(f"judgement {seed}".encode()).digest()), 0
    rng = random.Random(seed)
    seats = {side: StaffPlayer() for side in game.sides}
    position, noted, at = game.start(), list[tuple[int, int, Measures]](), (0, "")
    while (mover := position.to_move) is not None:
        assert isinstance(position, AssaultPosition)
        phase = position.phase
        if at != (position.turn, phase.id) and phase.id in SEEN and position.pending is None:
            at = (position.turn, phase.id)
            noted.append((position.turn, SEEN.index(phase.id), measures(position)))
            ways = list(doctrine_of(game.id).scripts(phase.side).values())
            seats[phase.side].bias = dict(rng.choice(ways)) if rng.random() < OTHERWISE else {}
        chance = position.chance
        if chance is not None:
            order = dice.roll(chance, rolls)
            rolls += 1
        else:
            order = seats[position.seats[mover]].choose(position.view(mover), rng)
        position = position.play(order)
    assert isinstance(position, AssaultPosition)
    result = margin(position)
    return [Sample(*each, result) for each in noted]


def played(game: Game, seeds: Iterable[int], keep: Path | None) -> Iterator[Sample]:
    """The positions of some games; those kept from an earlier run are not played again."""
    known: dict[int, list[Sample]] = {}
    if keep is not None and keep.exists():
        for line in keep.read_text(encoding="utf-8").splitlines():
            seed, found = json.loads(line)
            known[seed] = [Sample(turn, phase, Measures(*seen), result) for turn, phase, seen, result in found]
    for seed in seeds:
        if seed not in known:
            known[seed] = samples(game, seed)
            print(f"game {seed}: {known[seed][-1].margin:+.0f}", file=sys.stderr, flush=True)
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
    """The weights that explain the final margins best."""
    turns, names = [turn for turn, _ in before], len(Measures._fields)
    wide = names + len(SEEN)  # what is seen, and a level for each phase
    spread = [max(1e-9, _spread([each.seen[n] for each in found])) for n in range(names)]
    size = wide * len(turns)
    left, right = [[0.0] * size for _ in range(size)], [0.0] * size
    for each in found:
        row = []
        for knot, share in _shares(turns, each.turn):
            row += [(wide * knot + n, share * value) for n, value in enumerate(each.seen) if value]
            row.append((wide * knot + names + each.phase, share))
        for a, x in row:
            right[a] += x * each.margin
            for b, y in row:
                left[a][b] += x * y
    for knot, (_, was) in enumerate(before):
        for n in range(wide):
            at = wide * knot + n
            weight = spread[n] ** 2 if n < names else 0.01
            left[at][at] += HELD * weight
            right[at] += HELD * weight * (was[n] if n < names else 0.0)
            if knot:
                back = at - wide
                for a, b, sign in ((at, at, 1), (back, back, 1), (at, back, -1), (back, at, -1)):
                    left[a][b] += sign * SMOOTH * weight
    solved = _solved(left, right)
    return [(turn, Measures(*solved[wide * k : wide * k + names])) for k, turn in enumerate(turns)]


def _spread(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def _solved(left: list[list[float]], right: list[float]) -> list[float]:
    """The solution of linear equations, by elimination with the largest pivot first."""
    rows = [[*row, value] for row, value in zip(left, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda r: abs(rows[r][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        lead = rows[column]
        for other in rows[column + 1 :]:
            factor = other[column] / lead[column]
            if factor:
                other[column:] = [a - factor * b for a, b in zip(other[column:], lead[column:], strict=True)]
    found = [0.0] * size
    for n in range(size - 1, -1, -1):
        known = sum(rows[n][m] * found[m] for m in range(n + 1, size))
        found[n] = (rows[n][size] - known) / rows[n][n]
    return found


def explained(found: Sequence[Sample], weights: Sequence[tuple[int, Measures]]) -> float:
    """The part of the final margins' spread that weights explain, turn by turn and phase by phase."""
    parts: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for each in found:
        judged = sum(a * b for a, b in zip(on_turn(weights, each.turn), each.seen, strict=True))
        parts.setdefault((each.turn, each.phase), []).append((judged, each.margin))
    wrong = whole = 0.0
    for pairs in parts.values():
        level = sum(judged - real for judged, real in pairs) / len(pairs)
        mean = sum(real for _, real in pairs) / len(pairs)
        wrong += sum((judged - level - real) ** 2 for judged, real in pairs)
        whole += sum((real - mean) ** 2 for _, real in pairs)
    return 1 - wrong / whole


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--seed", type=int, default=0, help="the first of the dice")
    parser.add_argument("--keep", type=Path, help="a file that keeps what was seen, so that a stopped run goes on")
    asked = parser.parse_args()
    seeds = range(asked.seed, asked.seed + asked.games)
    found = list(played(load_game(asked.game), seeds, asked.keep))
    before = weights_of(asked.game)
    weights = fitted(found, before)
    print(f"# explains {explained(found, weights):.0%} of the spread of margins, {explained(found, before):.0%} before")
    for turn, line in weights:
        told = ", ".join(f"{n}: {value:.2f}" for n, value in line._asdict().items() if abs(value) >= 0.005)
        print(f'"{turn}": {{{told}}}')


if __name__ == "__main__":
    main()
