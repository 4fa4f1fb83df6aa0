"""Chapter 16: victory points, levels and the bid."""

from __future__ import annotations

import pytest

import ladoga
from leningrad1979.field import LEVELS

from .field import GAME, on_map, refused

SPARE = {"i1": "2801"}


def standing(units, **state):
    return on_map("soviet-combat", {**SPARE, **units}, turn=12, **state).standing


def points(units, **state):
    return standing(units, **state).margin


@pytest.mark.case("leningrad-2010", "16.0")
def test_german_points_less_soviet_points_after_turn_12():
    position = on_map("soviet-movement", {**SPARE, "1/41": {"hex": "0112", "steps": 1}}, turn=12)
    assert position.outcome is None
    over = position.play("end")
    assert over.outcome.margin == -5
    assert over.outcome.winner == "soviet"


@pytest.mark.case("leningrad-2010", "16.1")
def test_soviet_points_for_reduced_units():
    for unit, worth in (("1", 1), ("36/41", 4), ("1/41", 5)):
        assert points({unit: {"hex": "0112", "steps": 1}}) == -worth
    three = {unit: {"hex": "0112", "steps": 1} for unit in ("1", "36/41", "1/41")}
    assert points(three) == -10


@pytest.mark.case("leningrad-2010", "16.1")
def test_soviet_points_for_eliminated_units():
    for unit, worth in (("1", 3), ("36/41", 12), ("1/41", 15)):
        assert points({unit: {"eliminated": True}}) == -worth
        assert points({unit: {"eliminated": True, "steps": 1}}) == -worth, "not for the step as well"
    assert points({"12/39": {"due": "german-10"}}) == 0, "held back is neither"


@pytest.mark.case("leningrad-2010", "16.1", "14.8")
def test_a_point_for_each_regeneration():
    assert points({"1": "0112"}, rebuilt=7) == -7


@pytest.mark.case("leningrad-2010", "16.2")
def test_german_points_for_leningrad():
    assert points({"1": "2604"}) == 30
    assert points({"1": "2705"}) == 30
    assert points({"1": "2505"}) == 5
    assert points({"1": "2605"}) == 5
    all_four = {"1": "2604", "11": "2705", "12": "2505", "21": "2605"}
    assert points(all_four) == 70
    assert points({"1": "2606"}) == 0


@pytest.mark.case("leningrad-2010", "16.2", "9.0")
def test_only_units_in_supply_hold_them():
    around = ("2506", "2606", "2405", "2706", "2805", "2503", "2603")
    cut = {"1": "2604"} | {f"i{n}": at for n, at in enumerate(around, 2)}
    position = on_map("soviet-combat", cut, turn=12)
    assert not position.supply("1")
    assert position.standing.margin == 0
    (entry,) = standing({"1": "2604"}).ledger
    assert (entry.side, entry.points, entry.case) == ("german", 30, "16.2")


@pytest.mark.case("leningrad-2010", "16.3")
@pytest.mark.parametrize(("margin", "level", "winner"), LEVELS)
def test_levels(margin, level, winner):
    all_four = {"1": "2604", "11": "2705", "12": "2505", "21": "2605"}
    outcome = standing(all_four, rebuilt=70 - margin)
    assert outcome.margin == margin
    assert (outcome.level, outcome.winner, outcome.case) == (level, winner, "16.3")


@pytest.mark.case("leningrad-2010", "16.4")
def test_the_bid_goes_to_the_soviets():
    assert GAME.options["bid"].default == 0
    assert points({"1": "2604"}, options={"bid": 6}) == 24
    outcome = standing({"1": "2604"}, options={"bid": 30})
    assert (outcome.margin, outcome.level) == (0, "Soviet tactical")
    (entry,) = [e for e in outcome.ledger if e.case == "16.4"]
    assert (entry.side, entry.points) == ("soviet", 30)


@pytest.mark.case("leningrad-2010", "16.4")
def test_bids_are_whole_and_not_negative():
    for bid in (-1, 2.5, "6", True, 71):
        with pytest.raises(ladoga.LadogaError):
            GAME.start(options={"bid": bid})
    started = GAME.start(options={"bid": 12})
    assert started.document()["options"]["bid"] == 12
    assert started.standing.margin == -12
    assert refused(started, "end") == "1.0"
