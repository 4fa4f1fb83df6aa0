"""A race of tempers that is told to stop."""

from __future__ import annotations

import random
import threading
import time

import pytest

import ladoga
from ladoga.players.race import RacingPlayer


@pytest.mark.parametrize("think", [600.0, None])
def test_a_race_makes_up_its_mind_when_told(think: float | None) -> None:
    position, rng = ladoga.load("assault-stalingrad").start(), random.Random(1)
    player = RacingPlayer(seed=1, think=think, nodes=10**9)
    while not player.choice:
        mover = position.to_move
        if mover != "german":
            position = position.play(position.legal.random(rng))
            continue
        telling = threading.Timer(1.0, player.stop)
        telling.start()
        began = time.monotonic()
        order = player.choose(position.view(mover), rng)
        telling.cancel()
        assert time.monotonic() - began < 60
        assert 0.0 <= player.progress <= 1.0
        position = position.play(order)
    assert player.choice.startswith("fights")
