"""What a library user asks a position, in every game: where a unit is, who is there, what a way costs."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

import ladoga
from ladoga.kernel.errors import Illegal, LadogaError
from ladoga.kernel.orders import Order, Role

GAMES = ladoga.game_ids()


def moving(game_id, seed=9, most=1500):
    """Positions of a random game in which somebody can move by points."""
    rng, position, found = random.Random(seed), ladoga.load(game_id).start(), 0
    for _ in range(most):
        if position.to_move is None or found >= 8:
            return
        if position.chance is None and rng.random() < 0.3:
            moves = position.legal.with_role(Role.GO)
            if moves:
                found += 1
                yield position, rng.choice(moves), rng
        position = position.play(position.legal.random(rng))


@pytest.mark.parametrize("game_id", GAMES)
def test_a_move_costs_what_its_reach_says_by_destination_and_hex_by_hex(game_id):
    held = 0
    for position, order, _ in moving(game_id):
        reached = position.reach(order.units).get(order.hexes[-1])
        if reached is None or order.words:
            continue
        assert position.cost(order) == reached.cost
        assert (reached.path[0], reached.path[-1]) == (position.hex(order.units[0]), order.hexes[-1])
        way = Order(order.verb, order.units, tuple(h for h in reached.path if h != position.hex(order.units[0])))
        if len(way.hexes) > 1 and position.why_not(way) is None:
            assert position.cost(way) == reached.cost
            held += 1
    assert held


@pytest.mark.parametrize("game_id", GAMES)
def test_where_a_unit_is_and_who_is_there(game_id):
    position = ladoga.load(game_id).start()
    counters = {counter.id: counter for counter in position.table().counters}
    for side in position.game.sides:
        for unit in position.units(side):
            assert counters[unit].side == side
            assert position.hex(unit) == counters[unit].hex != ""
    with pytest.raises(LadogaError, match="there is no unit 'Pétanque'"):
        position.hex("Pétanque")
    with pytest.raises(LadogaError, match="there is no side"):
        position.units("martian")


@pytest.mark.parametrize("game_id", GAMES)
def test_an_allowance_pays_for_every_move_and_what_is_left_for_the_next(game_id):
    held = 0
    for position, order, _ in moving(game_id):
        reached = position.reach(order.units).get(order.hexes[-1])
        if reached is None or order.words or len(order.units) > 1:
            continue
        (unit,) = order.units
        held += 1
        assert position.cost(order) <= position.allowance(unit) == position.view(position.to_move).allowance(unit)
        after = position.play(order)
        if after.to_move == position.to_move and after.phase == position.phase and after.choice is None:
            assert after.allowance(unit) in (0, reached.left)
    assert held
    with pytest.raises(LadogaError, match="there is no unit 'Pétanque'"):
        position.allowance("Pétanque")


@pytest.mark.parametrize("game_id", GAMES)
def test_the_stage_of_a_fight_is_told(game_id):
    game, rng = ladoga.load(game_id), random.Random(4)
    position, stages = game.start(), set()
    while position.to_move is not None:
        stages.add(position.stage)
        choice = position.choice or ""
        assert (position.stage == "compose") == ("composed" in choice or "put together" in choice)
        if position.chance is None:
            assert position.stage == position.view(position.to_move).stage
        position = position.play(position.legal.random(rng))
    assert {"compose", "advance"} < stages
    assert position.stage == "over"


@pytest.mark.parametrize("game_id", GAMES)
def test_zones_are_told_by_their_kinds(game_id):
    position = ladoga.load(game_id).start()
    for side in position.game.sides:
        zones = position.view(side).zones(side)
        assert list(zones) == (["rigid", "fluid"] if game_id.startswith("assault") else ["plain"])
        assert zones == position.zones(side)
        assert frozenset().union(*zones.values()) <= position.zoc(side)


def test_what_costs_nothing_or_is_illegal_says_so():
    game = ladoga.load("leningrad-1979")
    position = game.position(
        'game: leningrad-1979\nturn: 3\nphase: german-movement\nunits: {1/41: {hex: "0610"}, 6/41: {hex: "0610"}}'
    )
    assert position.cost("move 1/41 0611") == 1
    assert position.cost("move 1/41 0711-0611") > 1
    with pytest.raises(LadogaError, match="no move on the map"):
        position.cost("end")
    with pytest.raises(Illegal):
        position.cost("move 1/41 2601")
    with pytest.raises(Illegal, match="is to move"):
        position.view("soviet").cost("move 1/41 0611")


def test_titles_are_told_without_loading_a_game():
    from ladoga.kernel.game import titles

    assert titles() == {game_id: ladoga.load(game_id).title for game_id in ladoga.game_ids()}
    asked = "import ladoga.cli, sys; ladoga.cli.main(['games']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert all(title in done.stdout for title in titles().values())
    assert "ladoga.games.tijvin" in done.stdout
    assert "ladoga.games.tijvin.game" not in done.stdout
