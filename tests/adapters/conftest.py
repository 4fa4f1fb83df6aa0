"""Positions from the middle of a game, where units are in contact and dice fall."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest

import ladoga

pytest.importorskip("numpy")


@cache
def fighting(game_id):
    """A position document well into a random game, just before dice fall."""
    rng = random.Random(f"fighting {game_id}")
    position, steps = ladoga.load(game_id).start(), 0
    while True:
        following = position.play(position.legal.random(rng))
        if steps >= 350 and position.to_move != "chance" == following.to_move:
            return position.document()
        position, steps = following, steps + 1


@pytest.fixture
def battle(tmp_path):
    """Writes a position from the middle of a game to a file."""

    def write(game_id):
        path = tmp_path / f"{game_id}.json"
        path.write_text(json.dumps(fighting(game_id)), encoding="utf-8")
        return path

    return write
