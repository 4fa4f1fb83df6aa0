"""Rules apart from speed: games played with everything remembered, and with nothing."""

import lzma
from pathlib import Path

import pytest

import ladoga
from forgetting import told, without
from ladoga.games.tijvin import movement
from ladoga.games.tijvin.position import TijvinPosition
from ladoga.games.tijvin.state import Situation


@pytest.fixture
def forgetful(monkeypatch):
    """Call it, and from then on nothing is remembered: neither along a line of play nor by the ground, nor plans."""

    def forget():
        without(monkeypatch, TijvinPosition)
        for name in ("field", "whole_zone", "restack", "disturb"):
            monkeypatch.setattr(TijvinPosition, name, getattr(Situation, name))
        monkeypatch.setattr(movement, "remembered", lambda ground, inputs, work_out: work_out(ground, *inputs))

    return forget


WRONG = ("move 227-ID 0101", "attack 10-Pz 0713")


@pytest.mark.parametrize(
    "played",
    [
        {"seed": 11, "most": 1200},
        {"seed": 11, "most": 1200, "options": {"fog-of-war": True}},
        {"seed": 12, "most": 200, "full": True},
    ],
    ids=["sampled", "fog", "listed"],
)
def test_games_and_lists_are_the_same_with_and_without_memory(game, played, forgetful):
    known = told(game, wrong=WRONG, **played)
    forgetful()
    assert told(ladoga.load("tijvin-1941"), wrong=WRONG, **played) == known


@pytest.mark.parametrize("name", ["golden", "golden-fog"])
def test_the_recorded_games_replay_without_memory(name, forgetful):
    packed = (Path(__file__).parent / f"{name}.record.xz").read_bytes()
    record = ladoga.Record.parse(lzma.decompress(packed).decode())
    forgetful()
    assert record.check().digest() == record.digest
