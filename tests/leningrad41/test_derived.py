"""Rules apart from speed: games played with everything remembered, and with nothing."""

import lzma

import pytest

import ladoga
from forgetting import told, without
from ladoga.games.leningrad41.position import CityPosition
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

    def forget():
        without(monkeypatch, CityPosition)
        for name in ("memo", "cache"):
            monkeypatch.setattr(CityPosition, name, property(lambda _: Oblivion(), lambda _, __: None))

    return forget


WRONG = ("move I/8M 2515", "attack I/8M 2516")


@pytest.mark.parametrize("options", [{}, OPTIONS])
def test_a_game_is_the_same_with_and_without_memory(game, options, forgetful):
    known = told(game, 11, WRONG, most=900, options=options)
    forgetful()
    assert told(ladoga.load("leningrad41"), 11, WRONG, most=900, options=options) == known


def test_lists_are_the_same_with_and_without_memory(game, forgetful):
    known = told(game, 12, WRONG, full=True, most=160)
    forgetful()
    assert told(ladoga.load("leningrad41"), 12, WRONG, full=True, most=160) == known


def test_the_recorded_campaign_replays_without_memory(forgetful):
    record = Record.parse(lzma.decompress(GOLDEN.read_bytes()).decode())
    forgetful()
    assert record.check(ladoga.load("leningrad41")).digest() == record.digest
