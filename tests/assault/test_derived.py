"""Rules apart from speed: games played with everything remembered, and with nothing."""

from __future__ import annotations

import lzma
import random

import pytest

import ladoga
from forgetting import without
from ladoga.games.assault import derived
from ladoga.games.assault.ground import Ground
from ladoga.games.assault.lays import Lay
from ladoga.games.assault.position import AssaultPosition
from ladoga.kernel.position import CHANCE, going_on

from .conftest import LENINGRAD, STALINGRAD
from .test_golden import GAMES, begin, file_of


def worked_out(name):
    """A zone of a lay as a fresh one like it has it."""
    known = getattr(Lay, name).fget
    parts = ("_ground", "side", "groups", "class_a", "class_b")
    return property(lambda lay: known(Lay(*(getattr(lay, part) for part in parts))))


@pytest.fixture
def forgetful(monkeypatch):
    """Call it, and from then on nothing is remembered: neither in lays nor through a phase, nor lists and plans."""

    def forget():
        without(monkeypatch, AssaultPosition, listing=None)
        monkeypatch.setattr(derived, "lore_of", derived.Lore)
        monkeypatch.setattr(Lay, "known", property(lambda _: {}, lambda _, __: None))
        monkeypatch.setattr(Lay, "facing", property(lambda _: (None, {}), lambda _, __: None))
        for name in ("rigid", "fluid"):
            monkeypatch.setattr(Lay, name, worked_out(name))
        monkeypatch.setattr(Ground, "transfers", lambda self, unit, hexes: self.orders("transfer", unit, hexes))

    return forget


def told(game_id, seed, full, most=10_000, turned=False):
    """A random game: digests, lists and what is said of some refused orders."""
    game = ladoga.load(game_id)
    rng, position, found = random.Random(seed), begin(game, turned), []
    for number in range(most):
        if position.to_move is None:
            break
        orders = list(position.legal) if full and position.to_move != CHANCE else []
        order = going_on(rng.choice(orders), orders.__iter__, rng) if orders else position.legal.random(rng)
        found.append(orders)
        if number % 25 == 0 and position.to_move != CHANCE:
            units, numbers = list(position.index), list(game.map.grid.numbers)
            wrong = [f"{verb} {rng.choice(units)} {rng.choice(numbers)}" for verb in ("move", "attack", "transfer")]
            found.append((position.digest(), [position.why_not(order) for order in wrong]))
        position = position.play(order)
    return [*found, position.digest()]


@pytest.mark.parametrize("game_id", [LENINGRAD, STALINGRAD])
def test_a_game_is_the_same_with_and_without_memory(game_id, forgetful):
    known = told(game_id, 11, full=False)
    forgetful()
    assert told(game_id, 11, full=False) == known


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("game_id", [LENINGRAD, STALINGRAD])
def test_lists_are_the_same_with_and_without_memory(game_id, turned, forgetful):
    known = told(game_id, 12, full=True, most=260, turned=turned)
    forgetful()
    assert told(game_id, 12, full=True, most=260, turned=turned) == known


@pytest.mark.parametrize("name", GAMES)
def test_the_recorded_games_replay_without_memory(name, forgetful):
    game_id, turned, _ = GAMES[name]
    forgetful()
    position = begin(ladoga.load(game_id), turned)
    lines = lzma.decompress(file_of(name).read_bytes()).decode().splitlines()
    for line in lines:
        if not line.startswith("digest "):
            position = position.play(line)
    assert f"digest {position.digest()}" == lines[-1]
