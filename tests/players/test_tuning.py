"""Tuning files: every game has one, and they speak of hexes and words that exist."""

from __future__ import annotations

import pytest

import ladoga
from ladoga.players.tuning import FOLDER, Side, tuning


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_tuning_names_hexes_and_words_of_the_map(game_id: str) -> None:
    game = ladoga.load(game_id)
    tuned = tuning(game_id)
    words = game.map.vocabulary
    assert set(tuned.sides) == set(game.sides)
    assert set(tuned.ground.terrain) <= set(words.terrain)
    assert set(tuned.ground.shelter) <= {*words.terrain, *words.places}
    assert {*tuned.ground.roads, *tuned.ground.rivers, *tuned.ground.barred} <= set(words.hexsides)
    for side in tuned.sides.values():
        assert all(number in game.map.grid for number in side.objectives)
        assert set(side.goals) <= {*words.terrain, *words.places}
        assert set(side.sources) <= set(words.places)
        assert set(side.roads) <= set(words.hexsides)
        assert set(side.prefer) <= set(game.grammar.verbs)
    for expected in tuned.expect:
        assert all(number in game.map.grid for number in expected.hexes)


def test_no_file_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.yaml")} <= set(ladoga.game_ids())


def test_a_game_without_a_file_is_played_by_default() -> None:
    assert tuning("no-such-game").side("german") == Side()
