"""Rules apart from speed: games played with everything remembered, and with nothing."""

import lzma
import random

import pytest

import ladoga
from ladoga.games.leningrad41.position import CityPosition
from ladoga.kernel.position import CHANCE, going_on
from ladoga.kernel.record import Record
from leningrad41.test_truth import GOLDEN

OPTIONS = {"defensive-states": True, "airborne-assault": True}


class Oblivion(dict):
    """Takes note of nothing."""

    def __setitem__(self, key, value):
        pass

    def setdefault(self, key, default=None):
        return default


@pytest.fixture
def forgetful(monkeypatch):
    """Call it, and from then on nothing is remembered: neither of a position nor along a line of play, nor plans."""
    copied = CityPosition._copy

    def copy(self):
        new = copied(self)
        new._planned = None
        return new

    def forget():
        monkeypatch.setattr(CityPosition, "_copy", copy)
        for name in ("memo", "cache"):
            monkeypatch.setattr(CityPosition, name, property(lambda _: Oblivion(), lambda _, __: None))

    return forget


def told(game, seed, options, full, most):
    """A random game: digests, lists and what is said of some refused orders."""
    rng, position, found = random.Random(seed), game.start(options=options), []
    for number in range(most):
        if position.to_move is None:
            break
        orders = list(position.legal) if full and position.to_move != CHANCE else []
        order = going_on(rng.choice(orders), orders.__iter__, rng) if orders else position.legal.random(rng)
        if number % 25 == 0:
            wrong = [game.parse("move I/8M 2515"), game.parse("attack I/8M 2516")]
            found.append((position.digest(), orders, [position.why_not(order) for order in wrong]))
        position = position.play(order)
    return [*found, position.digest()]


@pytest.mark.parametrize("options", [{}, OPTIONS])
def test_a_game_is_the_same_with_and_without_memory(game, options, forgetful):
    known = told(game, 11, options, full=False, most=900)
    forgetful()
    assert told(ladoga.load("leningrad41"), 11, options, full=False, most=900) == known


def test_lists_are_the_same_with_and_without_memory(game, forgetful):
    known = told(game, 12, {}, full=True, most=160)
    forgetful()
    assert told(ladoga.load("leningrad41"), 12, {}, full=True, most=160) == known


def test_the_recorded_campaign_replays_without_memory(forgetful):
    record = Record.parse(lzma.decompress(GOLDEN.read_bytes()).decode())
    forgetful()
    assert record.check(ladoga.load("leningrad41")).digest() == record.digest
