"""Fights read out of a game: each that fell by a throw is found, whatever the other side put in before."""

import random

import pytest

import ladoga
from ladoga.analysis.fights import Reading
from ladoga.kernel.events import Result
from ladoga.players import make


@pytest.mark.parametrize("game_id", ["tijvin-1941", "leningrad-1979", "assault-stalingrad"])
def test_every_result_that_was_thrown_settles_a_fight(game_id):
    game = ladoga.load(game_id)
    position, rng, reading, results = game.start(), random.Random(2), Reading(), 0
    players = {side: make("staff") for side in game.sides}
    for n in range(1, 450):
        mover = position.to_move
        assert mover is not None
        order = position.legal.random(rng) if position.chance else players[mover].choose(position.view(mover), rng)
        after = position.play(order)
        reading.take(n, position, after, order, mover)
        results += position.chance is not None and any(isinstance(event.fact, Result) for event in after.events)
        position = after
    assert results
    assert results == sum(fight.n > fight.began for fight in reading.fights)
