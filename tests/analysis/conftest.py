"""Games brought to the first decision about a move, once for all tests."""

import random

import pytest

import ladoga
from ladoga.kernel.game import game_ids
from ladoga.kernel.orders import Role
from ladoga.players import make


def first_move(game_id):
    """Both sides set up by the simplest player; then somebody may move."""
    game = ladoga.load(game_id)
    position, rng = game.start(), random.Random(5)
    player = make("greedy")
    for _ in range(900):
        if position.chance is None and any(game.role(order) is Role.GO for order in position.legal):
            return position
        order = position.legal.random(rng) if position.chance else player.choose(position.view(position.to_move), rng)
        position = position.play(order)
    raise AssertionError(f"{game_id}: nobody moves")


@pytest.fixture(scope="session", params=game_ids())
def moving(request):
    return first_move(request.param)
