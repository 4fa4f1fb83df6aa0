"""What happened, for programs: the facts of events say what their sentences say."""

from __future__ import annotations

import random

import pytest

import ladoga
from ladoga.kernel.events import Loss, Result
from ladoga.kernel.orders import Order, Role

TOLD = ("assault-leningrad", "assault-stalingrad", "leningrad-1979", "leningrad-2010")


def steps(position):
    return {counter.id: counter.steps for counter in position.table().counters if counter.hex}


@pytest.mark.parametrize("game_id", TOLD)
def test_a_result_is_one_that_was_explained(game_id):
    game, rng, held = ladoga.load(game_id), random.Random(9), 0
    position, codes = game.start(), frozenset()
    while position.to_move is not None and held < 40:
        order = position.legal.random(rng)
        if game.role(order) is Role.COMMIT:
            codes = frozenset(code for code, _ in position.explain(order).results)
        following = position.play(order)
        for event in following.events:
            if isinstance(event.fact, Result):
                assert event.fact.code in event.text
                if codes and game_id.startswith("assault"):
                    assert event.fact.code in codes
                elif codes:
                    explained = position.explain(Order("commit")).results
                    assert event.fact.code in dict(explained)
                held += bool(codes)
                codes = frozenset()
        position = following
    assert held > 5


@pytest.mark.parametrize("game_id", TOLD)
def test_a_loss_is_what_the_unit_has_lost(game_id):
    game, rng, held = ladoga.load(game_id), random.Random(4), 0
    position = game.start()
    while position.to_move is not None and held < 60:
        following = position.play(position.legal.random(rng))
        losses = [event.fact for event in following.events if isinstance(event.fact, Loss)]
        before, after = steps(position) if losses else {}, steps(following) if losses else {}
        for unit in {loss.unit for loss in losses} & set(before):
            assert sum(loss.steps for loss in losses if loss.unit == unit) == before[unit] - after.get(unit, 0)
            held += 1
        position = following
    assert held > 10
