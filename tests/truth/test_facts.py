"""What happened, for programs: the facts of events say what their sentences say."""

from __future__ import annotations

import random

import pytest

import ladoga
from ladoga.analysis.fights import Reading
from ladoga.kernel.events import Asked, Loss, Moved, Odds, Result, Struck
from ladoga.kernel.orders import Order, Role
from ladoga.kernel.position import CHANCE

TOLD = ("assault-leningrad", "assault-stalingrad", "leningrad-1979", "leningrad-2010")


def played(game_id, seed, options=None):
    """A random game: each position, the order, and what came of it."""
    game, rng = ladoga.load(game_id), random.Random(seed)
    position = game.start(options=options or {})
    while position.to_move is not None:
        order = position.legal.random(rng)
        following = position.play(order)
        yield position, order, following
        position = following


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


@pytest.mark.parametrize("game_id", ["leningrad41", "tijvin-1941"])
def test_a_fight_that_is_read_ends_in_a_result_that_was_explained(game_id):
    reading = Reading()
    for n, (position, order, following) in enumerate(played(game_id, 3), 1):
        reading.take(n, position, following, order, position.to_move)
        if len(reading.fights) > 40:
            break
    settled = [fight for fight in reading.fights if fight.n]
    assert len(settled) > 20
    fitting = [fight for fight in settled if fight.code in fight.chances]
    assert len(fitting) > 0.9 * len(settled)  # a choice of the defender may bring another
    assert all(fight.column for fight in settled if fight.odds is not None)


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_who_has_moved_stands_where_it_is_told_and_paid_what_it_says(game_id):
    held = 0
    for position, order, following in played(game_id, 6):
        for fact in [event.fact for event in following.events if isinstance(event.fact, Moved)]:
            assert {following.hex(unit) for unit in fact.units} <= {fact.hex, ""}
            whole = order.hexes[-1:] == (fact.hex,) and fact.units == order.units
            if whole and order.verb == "move":
                assert fact.cost in (None, position.cost(order))
                held += 1
        if held > 30:
            return
    pytest.fail("too few moves")


def test_what_the_enemy_had_to_tell_under_fog_is_a_fact():
    kinds = {"asked": 0, "stopped": 0}
    for seed in range(4):
        for _, _, following in played("tijvin-1941", seed, {"fog-of-war": True}):
            for event in following.events:
                assert isinstance(event.fact, Asked) == (event.kind in kinds)
                if event.kind in kinds:
                    kinds[event.kind] += 1
        if all(kinds.values()):
            return
    assert kinds["asked"]


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_the_odds_of_a_fight_are_a_fact(game_id):
    columns = 0
    for position, _, following in played(game_id, 2):
        columns += sum(isinstance(event.fact, Odds) and bool(event.fact.column) for event in following.events)
        if columns > 10:
            return
        assert position.to_move in (*position.game.sides, CHANCE)
    assert columns > 5


@pytest.mark.parametrize("game_id", [*TOLD, "leningrad41", "tijvin-1941"])
def test_a_loss_is_what_the_unit_has_lost(game_id):
    game, rng, held = ladoga.load(game_id), random.Random(4), 0
    position = game.start()
    while position.to_move is not None and held < 60:
        following = position.play(position.legal.random(rng))
        losses = [event.fact for event in following.events if isinstance(event.fact, Loss | Struck)]
        before, after = steps(position) if losses else {}, steps(following) if losses else {}
        for unit in {loss.unit for loss in losses} & set(before):
            assert sum(loss.steps for loss in losses if loss.unit == unit) == before[unit] - after.get(unit, 0)
            held += 1
        position = following
    assert held > 10
