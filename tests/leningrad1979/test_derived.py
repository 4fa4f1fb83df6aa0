"""Rules apart from speed: games played with everything remembered, and with nothing."""

import lzma

import pytest

import ladoga
from forgetting import told, without
from ladoga.games.leningrad import derived
from ladoga.games.leningrad.ground import Ground
from ladoga.games.leningrad.position import LeningradPosition
from ladoga.kernel.memory import Memory
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

    def forget():
        without(monkeypatch, LeningradPosition, lore=Oblivion(), listing=None, due=None, muster=(None, 0))
        monkeypatch.setattr(Memory, "find", lambda *_: None)
        monkeypatch.setattr(Ground, "remembered", lambda _, __, make: make())

    return forget


WRONG = ("move 1 0101", "attack 8 2211")


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_is_the_same_with_and_without_memory(game_id, forgetful):
    known = told(ladoga.load(game_id), 11, WRONG)
    forgetful()
    assert told(ladoga.load(game_id), 11, WRONG) == known


@pytest.mark.parametrize("game_id", GAMES)
def test_lists_are_the_same_with_and_without_memory(game_id, forgetful):
    known = told(ladoga.load(game_id), 12, WRONG, full=True, most=220)
    forgetful()
    assert told(ladoga.load(game_id), 12, WRONG, full=True, most=220) == known


def test_the_recorded_campaign_replays_without_memory(forgetful):
    record = Record.parse(lzma.decompress(GOLDEN.read_bytes()).decode())
    forgetful()
    assert record.check(ladoga.load("leningrad-1979")).digest() == record.digest
