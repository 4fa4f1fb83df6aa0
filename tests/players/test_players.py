"""Computer players: they see views only, never stall, and repeat themselves for the same seed."""

from __future__ import annotations

import random

import pytest

import ladoga
from ladoga import players
from ladoga.kernel.position import Position


def play_some(position: Position, name: str, seed: int, most: int) -> list[str]:
    """Up to so many orders of a game of a player against itself."""
    seats = {side: players.make(name, seed=seed) for side in position.game.sides}
    minds = {side: random.Random(f"{seed} {side}") for side in seats}
    dice = random.Random(seed)
    orders = []
    while position.to_move is not None and len(orders) < most:
        mover = position.to_move
        if mover == "chance":
            order = position.legal.random(dice)
        else:
            order = seats[mover].choose(position.view(mover), minds[mover])
            assert seats[mover].reason
        orders.append(str(order))
        position = position.play(order)
    return orders


def test_the_ladder_has_its_names() -> None:
    assert players.names() == ["random", "greedy", "staff", "general"]


def test_a_stranger_is_refused() -> None:
    with pytest.raises(LookupError, match="there is no player 'napoleon'"):
        players.make("napoleon")


@pytest.mark.parametrize("name", players.names())
@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_every_player_plays_every_game_and_repeats_itself(game_id: str, name: str) -> None:
    game = ladoga.load(game_id)
    first = play_some(game.start(), name, 3, 60)
    assert first == play_some(game.start(), name, 3, 60)
    assert len(first) == 60
