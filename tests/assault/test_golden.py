"""Recorded games that replay to the bit: a change of the rules or of the figures that touches any of them shows here.

Each file holds the orders of two staffs (and some odd marches and transfers), with the digest of the position after
every hundredth one and at the end. ``python -m tests.assault.test_golden`` writes them anew; do that only for a change
of the rules, and say which.
"""

from __future__ import annotations

import lzma
import random
from pathlib import Path

import pytest

import ladoga
from ladoga.games.assault.pending import Transfers
from ladoga.games.assault.position import MOVEMENT_PHASES
from ladoga.kernel.position import PASSED
from ladoga.players import make

from .conftest import LENINGRAD, STALINGRAD

FOLDER = Path(__file__).parent
EVERY = 100
GAMES = {
    "leningrad": (LENINGRAD, False, 101),
    "leningrad-options": (LENINGRAD, True, 102),
    "stalingrad": (STALINGRAD, False, 103),
    "stalingrad-options": (STALINGRAD, True, 104),
}
"""By name: game, whether every option is turned, and the seed the orders were drawn with."""


def begin(game, turned: bool):
    """The start of a recorded game."""
    other = {name: next(c for c in option.choices if c != option.default) for name, option in game.options.items()}
    return game.start(options=other if turned else None)


def file_of(name: str) -> Path:
    return FOLDER / f"golden-{name}.xz"


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.case("assault-leningrad", "4.0", "17.0")
@pytest.mark.case("assault-stalingrad", "4.0", "19.9")
def test_a_recorded_game_replays_to_the_bit(name):
    game_id, turned, _ = GAMES[name]
    pos = begin(ladoga.load(game_id), turned)
    kinds = set()
    for line in lzma.decompress(file_of(name).read_bytes()).decode().splitlines():
        if line.startswith("digest "):
            assert pos.digest() == line.removeprefix("digest ")
            continue
        pos = pos.play(line)
        kinds |= {event.kind for event in pos.events}
    assert pos.outcome is not None
    assert {"move", "enter", "attack", "result", "retreat", "advance", "elimination", PASSED} <= kinds
    assert ({"transfer"} if turned else {"summons"}) <= kinds


def drawn(pos, rng: random.Random):
    """What chance decides: dice, most transfers before a German phase, now and then a march."""
    if pos.to_move == "chance" or isinstance(pos.pending, Transfers):
        return pos.legal.random(rng)
    if pos.pending is None and pos.phase.id in MOVEMENT_PHASES and rng.random() < 0.05:
        order = pos.legal.random(rng)
        return None if order.verb == "end" else order
    return None


def write() -> None:
    """Record the games anew."""
    for name, (game_id, turned, seed) in GAMES.items():
        pos, rng, lines = begin(ladoga.load(game_id), turned), random.Random(seed), []
        staffs = {side: make("staff", seed=seed) for side in pos.game.sides}
        while pos.outcome is None:
            order = drawn(pos, rng)
            if order is None:
                order = staffs[pos.to_move].choose(pos.view(pos.to_move), rng)
            pos = pos.play(order)
            lines.append(str(order))
            if pos.outcome is not None or len(lines) % EVERY == 0:
                lines.append(f"digest {pos.digest()}")
        file_of(name).write_bytes(lzma.compress("\n".join(lines).encode()))


if __name__ == "__main__":
    write()
