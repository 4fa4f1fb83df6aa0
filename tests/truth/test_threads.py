"""A position is a value: eight threads that read one at the same time read what one reads alone."""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

import ladoga

READERS = 8


@pytest.fixture
def restless():
    """Threads that take turns every microsecond."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def told(position, units, seed):
    """Everything a reader asks, in an order of their own."""
    rng = random.Random(seed)
    questions = [
        ("list", lambda: sorted(map(str, position.legal))),
        ("drawn", lambda: [order in position.legal for order in [position.legal.random(random.Random(1))]]),
        ("document", lambda: position.digest()),
        ("table", lambda: position.table()),
        ("standing", lambda: position.standing.as_json()),
        ("zones", lambda: [position.zoc(side) for side in position.game.sides]),
        *((f"supply {unit}", lambda unit=unit: position.supply(unit).as_json()) for unit in units),
        *((f"orders {unit}", lambda unit=unit: sorted(map(str, position.legal.of(unit)))) for unit in units),
    ]
    rng.shuffle(questions)
    return dict(sorted((name, ask()) for name, ask in questions))


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_eight_readers_of_one_position_read_the_same(game_id, restless):
    game, rng, asked = ladoga.load(game_id), random.Random(21), 0
    position, gate = game.start(), Barrier(READERS)

    def read(position, units, seed):
        gate.wait()
        return told(position, units, seed)

    with ThreadPoolExecutor(READERS) as readers:
        for number in range(600):
            if position.to_move is None:
                break
            if number % 50 == 25 and position.to_move in game.sides:
                units = rng.sample(own := position.units(position.to_move), min(4, len(own)))
                alone = told(game.position(position.document()), units, 0)
                work = [readers.submit(read, position, units, seed) for seed in range(READERS)]
                assert all(done.result() == alone for done in work), f"order {number}, {position.phase.id}"
                asked += 1
            position = position.play(position.legal.random(rng))
    assert asked > 5
