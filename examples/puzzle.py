"""A puzzle from a record: the turn in which the score swung most, saved as a position document to be played again.

    python examples/puzzle.py game.ladoga puzzle.yaml

Without a record it plays a game between a greedy player and a random one first.
"""

import sys
from itertools import pairwise
from pathlib import Path

import yaml

from ladoga import Position, Record
from ladoga.lab import Match, play_match


def turns(record: Record) -> list[Position]:
    """The position at the start of every turn, and the last one."""
    starts: list[Position] = []
    for _, position in record.positions():
        if not starts or position.turn != starts[-1].turn:
            starts.append(position)
    return [*starts, position]


def ahead(position: Position) -> float:
    """How far the first side of the game is ahead."""
    standing = position.standing
    margin = abs(float(standing.margin))
    return margin if standing.winner == position.game.sides[0] else -margin


if len(sys.argv) > 1:
    record = Record.read(Path(sys.argv[1]))
else:
    match = Match("leningrad-1979", {"german": "greedy", "soviet": "random"}, seed=8)
    record = Record.parse(play_match(match, 0, keep_record=True).record)

before, after = max(pairwise(turns(record)), key=lambda pair: abs(ahead(pair[1]) - ahead(pair[0])))
swing = ahead(after) - ahead(before)
side = before.game.sides[0 if swing > 0 else 1]
print(f"{before.game.title}, turn {before.turn}: the {side.title()} side gains {abs(swing):g} in this turn. Can you?")
if len(sys.argv) > 2:
    Path(sys.argv[2]).write_text(yaml.safe_dump(before.document(), sort_keys=False), encoding="utf-8")
