"""Rules apart from speed: games played with everything remembered, and with nothing."""

import lzma
import random
from pathlib import Path

import pytest

import ladoga
from ladoga.games.tijvin import movement
from ladoga.games.tijvin.position import TijvinPosition
from ladoga.games.tijvin.state import Board
from ladoga.kernel.position import CHANCE


@pytest.fixture
def forgetful(monkeypatch):
    """Call it, and from then on nothing is remembered: neither along a line of play nor by the ground, nor plans."""
    copied = TijvinPosition._copy

    def copy(self):
        new = copied(self)
        new._planned = None
        return new

    def forget():
        monkeypatch.setattr(TijvinPosition, "_copy", copy)
        for name in ("field", "whole_zone", "restack", "disturb"):
            monkeypatch.setattr(TijvinPosition, name, getattr(Board, name))
        monkeypatch.setattr(movement, "remembered", lambda ground, inputs, work_out: work_out(ground, *inputs))

    return forget


def told(game, seed, options, full, most=10_000):
    """A random game: digests, lists and what is said of some refused orders."""
    rng, position, found = random.Random(seed), game.start(options=options), []
    for number in range(most):
        if position.to_move is None:
            break
        orders = list(position.legal) if full and position.to_move != CHANCE else []
        order = rng.choice(orders) if orders else position.legal.random(rng)
        if number % 25 == 0:
            wrong = [game.parse("move 227-ID 0101"), game.parse("attack 10-Pz 0713")]
            found.append((position.digest(), orders, [position.why_not(order) for order in wrong]))
        position = position.play(order)
    return [*found, position.digest()]


@pytest.mark.parametrize("options", [{}, {"fog-of-war": True}])
def test_a_game_is_the_same_with_and_without_memory(game, options, forgetful):
    known = told(game, 11, options, full=False, most=1200)
    forgetful()
    assert told(ladoga.load("tijvin-1941"), 11, options, full=False, most=1200) == known


def test_lists_are_the_same_with_and_without_memory(game, forgetful):
    known = told(game, 12, {}, full=True, most=200)
    forgetful()
    assert told(ladoga.load("tijvin-1941"), 12, {}, full=True, most=200) == known


@pytest.mark.parametrize("name", ["golden", "golden-fog"])
def test_the_recorded_games_replay_without_memory(name, forgetful):
    packed = (Path(__file__).parent / f"{name}.record.xz").read_bytes()
    record = ladoga.Record.parse(lzma.decompress(packed).decode())
    forgetful()
    assert record.check(ladoga.load("tijvin-1941")).digest() == record.digest
