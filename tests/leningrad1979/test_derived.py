"""Rules apart from speed: games played with everything remembered, and with nothing."""

import lzma
import random

import pytest

import ladoga
from ladoga.games.leningrad import derived
from ladoga.games.leningrad.ground import Ground
from ladoga.games.leningrad.position import LeningradPosition
from ladoga.kernel.memory import Memory
from ladoga.kernel.position import CHANCE, going_on
from ladoga.kernel.record import Record
from leningrad1979.test_truth import GOLDEN

GAMES = ("leningrad-1979", "leningrad-2010")


class Oblivion(derived.Lore):
    """Zones and supply, never known."""

    __slots__ = ()

    zones = property(lambda _: [(-1, 0), (-1, 0)], lambda _, __: None)
    closures = property(lambda _: [(-1, None, 0), (-1, None, 0)], lambda _, __: None)
    feeding = property(lambda _: {}, lambda _, __: None)
    feeding_surely = property(lambda _: {}, lambda _, __: None)


@pytest.fixture
def forgetful(monkeypatch):
    """Call it, and from then on nothing is remembered: neither along a line of play nor by the ground, nor plans."""
    copied = LeningradPosition._copy

    def copy(self):
        new = copied(self)
        new.lore, new.listing, new.due, new.muster = Oblivion(), None, None, (None, 0)
        return new

    def forget():
        monkeypatch.setattr(LeningradPosition, "_copy", copy)
        monkeypatch.setattr(Memory, "find", lambda *_: None)
        monkeypatch.setattr(Ground, "remembered", lambda _, __, make: make())

    return forget


def told(game, seed, full, most=10_000):
    """A random game: digests, lists and what is said of some refused orders."""
    rng, position, found = random.Random(seed), game.start(), []
    for number in range(most):
        if position.to_move is None:
            break
        orders = list(position.legal) if full and position.to_move != CHANCE else []
        order = going_on(rng.choice(orders), orders.__iter__, rng) if orders else position.legal.random(rng)
        if number % 25 == 0:
            wrong = [order for order in (game.parse("move 1 0101"), game.parse("attack 8 2211")) if not position.chance]
            found.append((position.digest(), orders, [position.why_not(order) for order in wrong]))
        position = position.play(order)
    return [*found, position.digest()]


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_is_the_same_with_and_without_memory(game_id, forgetful):
    known = told(ladoga.load(game_id), 11, full=False)
    forgetful()
    assert told(ladoga.load(game_id), 11, full=False) == known


@pytest.mark.parametrize("game_id", GAMES)
def test_lists_are_the_same_with_and_without_memory(game_id, forgetful):
    known = told(ladoga.load(game_id), 12, full=True, most=220)
    forgetful()
    assert told(ladoga.load(game_id), 12, full=True, most=220) == known


def test_the_recorded_campaign_replays_without_memory(forgetful):
    record = Record.parse(lzma.decompress(GOLDEN.read_bytes()).decode())
    forgetful()
    assert record.check(ladoga.load("leningrad-1979")).digest() == record.digest
