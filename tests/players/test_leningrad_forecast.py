"""The forecast of Leningrad: what is seen of a position, and what it comes to."""

from __future__ import annotations

import random

import pytest

import ladoga
from ladoga.games.leningrad.position import LeningradPosition
from ladoga.kernel.position import Position
from ladoga.players.doctrine import doctrine_of
from ladoga.players.doctrines.leningrad_staff import fit
from ladoga.players.doctrines.leningrad_staff.forecast import Measures, forecast, measures, weights_of
from ladoga.players.judgement import figures

GAMES = ("leningrad-1979", "leningrad-2010")


def begun(game: str, seed: int, orders: int = 300) -> LeningradPosition:
    """A position of a random game at the beginning of a phase of movement."""
    rng = random.Random(seed)
    position: Position = ladoga.load(game).start()
    while orders > 0 or not position.phase.id.endswith("movement") or position.to_move != position.phase.side:
        position, orders = position.play(position.legal.random(rng)), orders - 1
    assert isinstance(position, LeningradPosition)
    return position


@pytest.mark.parametrize("game", GAMES)
def test_units_are_counted(game: str) -> None:
    seen = measures(begun(game, 1, 60))
    assert seen.level == 1.0
    assert seen.infantry > 0
    assert seen.rifles > 0
    assert seen.foot_0 <= seen.foot_8 <= seen.foot_16 <= seen.foot_30 <= seen.foot_60
    assert seen.inside <= seen.near <= seen.around <= seen.defence


@pytest.mark.parametrize("game", GAMES)
def test_both_sides_see_the_same_from_opposite_ends(game: str) -> None:
    position = begun(game, 2)
    doctrine = doctrine_of(game)
    assert doctrine.judge(position, "german") == pytest.approx(forecast(position))
    assert doctrine.judge(position, "soviet") == pytest.approx(-forecast(position))


@pytest.mark.parametrize("game", GAMES)
def test_every_weight_has_a_name(game: str) -> None:
    for side in ladoga.load(game).sides:
        weights = weights_of(game, side)
        assert [turn for turn, _ in weights] == sorted({turn for turn, _ in weights})
        assert all(isinstance(line, Measures) for _, line in weights)


def test_points_that_are_lost_and_panzers_left_count_as_they_should() -> None:
    for game in GAMES:
        for side in ladoga.load(game).sides:
            for turn, line in weights_of(game, side):
                assert line.lost < 0.0, (game, side, turn)
                assert line.panzers >= 0.0, (game, side, turn)


def test_what_decides_a_game_is_found_again_with_the_sign_that_it_must_have() -> None:
    rng = random.Random(1)
    found = []
    for _ in range(80):
        corps, walls = rng.randrange(12), rng.randrange(20)
        for turn in range(1, 13):
            seen = figures(Measures, level=1.0, corps=corps, walls=walls)
            found += [fit.Sample(side, turn, seen, 3.0 * corps + 0.5 * walls) for side in ("german", "soviet")]
    for side, weights in fit.fitted(found, "german").items():
        assert all(1.0 < line.corps < 3.1 for _, line in weights)
        assert all(line.walls == 0.0 for _, line in weights)
        assert fit.explained([each for each in found if each.side == side], weights) > 0.6
