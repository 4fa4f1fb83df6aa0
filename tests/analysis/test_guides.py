"""Guides: every game has one for both seats and a small position to learn it at, which plays on as a game."""

import random

import pytest

import ladoga
from ladoga.kernel.game import game_ids
from ladoga.kernel.orders import Role
from ladoga.players import make
from ladoga.server.library import Library
from ladoga.server.reading import placed
from ladoga.server.showing import first_position, guide


@pytest.mark.parametrize("game_id", game_ids())
def test_steps_speak_of_what_the_game_has(game_id):
    game = ladoga.load(game_id)
    steps = guide(game_id)
    assert {step.side for step in steps} == set(game.sides)
    assert len({step.id for step in steps}) == len(steps)
    for step in steps:
        assert game.cases_of(step.case), step.id
        for verb in (step.when and step.when.offer, step.when and step.when.after, step.until and step.until.verb):
            assert not verb or verb in game.grammar.verbs, step.id
        assert ("{hex}" in step.text) <= bool(step.at), step.id


@pytest.mark.parametrize("game_id", game_ids())
def test_the_small_position_plays_on(game_id):
    game = ladoga.load(game_id)
    position = game.position(first_position(game_id))
    assert position.to_move == "german"
    assert len([c for c in position.table().counters if c.hex]) <= 36
    player, rng, turn = make("greedy"), random.Random(2), position.turn
    fought = False
    for _ in range(400):
        if position.to_move is None or (fought and position.turn > turn):
            break
        order = position.legal.random(rng) if position.chance else player.choose(position.view(position.to_move), rng)
        fought |= game.role(order) in (Role.COMMIT, Role.STRIKE)
        position = position.play(order)
    assert fought
    assert position.turn > turn


def test_the_staff_sets_up_in_one_click():
    position = ladoga.load("leningrad-1979").start()
    side = position.to_move
    orders = placed(Library(), "leningrad-1979", None, side, position.view(side).imagine(random.Random(0)).document())
    assert orders
    for order in orders:
        position = position.play(order)
    assert not position.legal.with_role(Role.PLACE)
