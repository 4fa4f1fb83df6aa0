"""The bench measures what it says it measures."""

from __future__ import annotations

import pytest

import ladoga
from ladoga.lab.bench import ARMY, FIELD, bench, doubled, in_words, open_field, playout, positions

pytest.importorskip("chess")


def test_figures_used_from_outside():
    result = bench(["leningrad-1979"], seconds=0.05)
    assert result["calibrator"]["name"] == "python-chess"
    assert result["calibrator"]["orders_per_second"] > 0
    figures = result["games"]["leningrad-1979"]
    wanted = {"orders_per_second", "ratio", "sampled_ratio", "games_per_second", "copy_us", "reach_us", "supply_us"}
    assert set(figures) >= wanted
    assert all(value > 0 for value in figures.values())
    assert len(result["growth"]["leningrad-1979"]["doubled"]) == 4
    whole = result["laboratory"]["leningrad-1979"]
    assert set(whole) == {"staff_game_seconds", "random_games_per_second", "two_workers_gain", "minutes_for_many"}
    assert all(value > 0 for value in whole.values())
    chess = result["calibrator"]["orders_per_second"]
    times = result["normalised"]["games"]["leningrad-1979"]
    assert times["staff_game_seconds"] == pytest.approx(whole["staff_game_seconds"] * chess / 32_000, abs=0.01)
    assert "two_workers_gain" in in_words(result)


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_every_game_can_be_put_on_an_open_field(game_id):
    game = ladoga.load(game_id)
    position = open_field(game, FIELD, ARMY)
    assert position is not None
    on_map = [counter for counter in position.table().counters if counter.hex]
    assert len(on_map) == ARMY
    assert {counter.side for counter in on_map} == set(game.sides)
    assert position.to_move == game.sides[0]
    assert any(order.verb != "end" for order in position.legal)


def test_fields_and_armies_double():
    sizes = [(f["hexes"], f["units"]) for f in doubled(ladoga.load("leningrad-1979"), 0.01)]
    assert sizes == [(280, 20), (560, 20), (280, 40), (560, 40)]


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_random_games_have_positions_to_ask_about(game_id):
    game = ladoga.load(game_id)
    cases = positions(game, 1)
    assert len(cases) > 20
    position, unit = cases[0]
    assert any(counter.id == unit for counter in position.table().counters)


def test_full_lists_do_not_change_what_a_playout_is():
    steps, last = playout(ladoga.load("tijvin-1941"), 3, full=True)
    assert steps > 100
    assert last.outcome is not None
