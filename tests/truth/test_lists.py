"""Lists that are carried on from position to position say what the same position says that remembers nothing."""

from __future__ import annotations

import random

import pytest

import ladoga
from ladoga.kernel.position import CHANCE, going_on


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_a_list_carried_on_is_that_of_the_position_read_anew(game_id):
    """Every list of the way is made, so that there is something to carry on; some are held against a document's."""
    game, rng, held = ladoga.load(game_id), random.Random(1000), 0
    position = game.start()
    while position.to_move is not None and held < 150:
        if position.to_move == CHANCE:
            position = position.play(position.legal.random(rng))
            continue
        orders = list(position.legal)
        if rng.random() < 0.1:
            held += 1
            anew = list(game.position(position.document()).legal)
            assert sorted(map(str, orders)) == sorted(map(str, anew)), position.phase.id
        position = position.play(going_on(orders[int(rng.random() * len(orders))], orders.__iter__, rng))
    assert held > 20
