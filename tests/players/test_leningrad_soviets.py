"""The Soviets of the two Leningrads: in the way of the Germans, across their roads, with the last word."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ladoga
from ladoga.games.leningrad.prospect import LeningradProspect
from ladoga.players.planner.appraisal import Appraiser
from ladoga.players.planner.conduct import Conduct
from ladoga.players.planner.raiders import Arteries, arteries, raiders
from ladoga.players.planner.search import Search
from ladoga.players.planner.weights import weights_of

GAMES = ("leningrad-1979", "leningrad-2010")
INFANTRY = ("1", "11", "12", "21", "30", "32")


def soviet(h: str) -> dict[str, Any]:
    return {"side": "soviet", "type": "infantry", "attack": 3, "defence": 3, "movement": 5, "hex": h}


def read(units: dict[str, dict[str, Any]], turn: int, game: str = "leningrad-1979") -> LeningradProspect:
    document = {"game": game, "turn": turn, "phase": "soviet-movement", "units": units}
    return LeningradProspect(ladoga.load(game).position(document).view("soviet"))


def before_the_city(*reserve: str) -> dict[str, dict[str, Any]]:
    """The German infantry before the city, and Soviets outside it."""
    army = {
        unit: {"hex": h} for unit, h in zip(INFANTRY, ("2406", "2406", "2407", "2305", "2506", "2506"), strict=True)
    }
    return {**army, "x0": soviet("2604"), **{f"x{n}": soviet(h) for n, h in enumerate(reserve, 1)}}


def test_roads_are_cut_together_where_each_alone_gains_nothing() -> None:
    prospect = read(before_the_city("2510", "2510"), 7)
    found = arteries(prospect)
    assert len(found.hexes) == 2
    first, second = found.hexes
    assert not prospect.unfed(0, prospect.stand, 1 << first)
    assert not prospect.unfed(0, prospect.stand, 1 << second)
    both = prospect.stand.copy()
    both.put(prospect.names["x1"], 1, first)
    both.put(prospect.names["x2"], 1, second)
    assert prospect.unfed(0, both).bit_count() == len(INFANTRY)
    assert found.hunger == pytest.approx(sum(prospect.hunger(prospect.names[unit]) for unit in INFANTRY))


def test_raiders_are_those_who_are_near_and_not_needed_in_the_city() -> None:
    prospect = read(before_the_city("1802", "2010", "2110"), 9)
    goal = prospect.grid.hex("1909")
    sent = raiders(prospect, Arteries((goal,), 10.0, 1.0), 1 << prospect.grid.hex("2604"))
    assert sent == {prospect.names[name]: goal for name in ("x2", "x3", "x1")}


def test_divisions_outside_the_city_starve_the_army_before_it() -> None:
    prospect = read(before_the_city("1803", "1803", "2010", "2110"), 9)
    search = Search(prospect, random.Random(1), lambda looks: looks >= 300, weights_of("leningrad-1979", "soviet"))
    assert prospect.unfed(0, search.plan(5).stand).bit_count() == len(INFANTRY)


def test_who_is_far_from_the_roads_comes_nearer_to_them() -> None:
    prospect = read(before_the_city("2510", "2510", "1601"), 8)
    posts = Appraiser(prospect, weights_of("leningrad-1979", "soviet")).posts
    goals = prospect.known["arteries"].hexes
    for name in ("x1", "x2", "x3"):
        unit = prospect.names[name]
        start = prospect.stand.where[unit]
        goal = min(goals, key=lambda h: prospect.grid.distance(h, start))
        nearer = [h for h in prospect.grid.neighbours(start) if h in posts[unit]]
        best = max(nearer, key=lambda h: posts[unit][h])
        assert prospect.grid.distance(best, goal) < prospect.grid.distance(start, goal)


@pytest.mark.parametrize("game", GAMES)
def test_soviets_near_the_infantry_stay_in_its_way_and_others_go_to_the_city(game: str) -> None:
    def best(german: str, turn: int, *hexes: str) -> str:
        prospect = read({**{unit: {"hex": german} for unit in INFANTRY[:3]}, "x1": soviet("2604")}, turn, game)
        post = prospect.post(prospect.names["x1"])
        return max(hexes, key=lambda number: post[prospect.grid.hex(number)])

    assert best("0712", 2, "1012", "1312", "1512") == "1012"
    assert best("0712", 2, "2009", "2307", "2604") == "2604"
    assert best("2307", 8, "2009", "2508", "2605") == "2605"


@pytest.mark.case("leningrad-1979", "18.2")
def test_hungry_germans_in_the_city_score_nothing_when_all_is_over() -> None:
    def taken(turn: int, *, fed: bool) -> float:
        prospect = read({"1": {"hex": "2705"}, "11": {"hex": "2706"}, "x1": soviet("2604")}, turn)
        stand = prospect.stand.copy()
        stand.hungry = 0 if fed else 1 << prospect.names["1"]
        without = stand.copy()
        without.put(prospect.names["1"], 0, -1)
        return prospect.standing(without) - prospect.standing(stand)

    assert 0 < taken(11, fed=False) < taken(11, fed=True)
    assert taken(12, fed=True) > taken(12, fed=False) == pytest.approx(0.0)


def test_who_holds_the_city_is_dearer_in_an_attack_than_others() -> None:
    def paid(h: str) -> float:
        prospect = read({"1": {"hex": "2606"}, "11": {"hex": "2606"}, "x1": soviet(h)}, 9)
        return prospect.blow([prospect.names["x1"]], prospect.grid.hex("2606"), prospect.stand).loss

    assert paid("2705") > paid("2706") + 1.0


def test_losses_are_nothing_to_who_has_the_last_word() -> None:
    def price(turn: int) -> float:
        prospect = read({"1": {"hex": "2606"}, "x1": soviet("2705")}, turn)
        return sum(prospect.prices(prospect.names["x1"]))

    assert price(11) > 0.5
    assert price(12) == 0.0
    prospect = read({"8/56": {"hex": "2706", "steps": 1}, "x1": soviet("2705"), "x2": soviet("2707")}, 12)
    strikes = Appraiser(prospect, weights_of("leningrad-1979", "soviet")).strikes(prospect.stand)
    assert [len(strike.units) for strike in strikes] == [2]


@pytest.mark.case("leningrad-1979", "10.2")
def test_the_cheapest_is_not_given_up_where_it_holds_the_city() -> None:
    strong = {"side": "soviet", "type": "infantry", "attack": 5, "defence": 5, "movement": 5, "hex": "2706"}
    weak = {**strong, "attack": 1, "defence": 1, "hex": "2705"}
    army = {"1": {"hex": "2605"}, "11": {"hex": "2605"}, "12": {"hex": "2604"}}
    document = {
        "game": "leningrad-1979", "turn": 10, "phase": "soviet-combat",
        "units": {**army, "x1": weak, "x2": strong, "x3": strong},
    }  # fmt: skip
    position = ladoga.load("leningrad-1979").position(document)
    for order in ("target 2605", "add x1", "add x2", "add x3", "commit", "air 0", "die 2"):
        position = position.play(order)
    orders = list(position.legal)
    assert {"lose", "retreat"} <= {order.verb for order in orders}
    chosen = Conduct(weights_of("leningrad-1979", "soviet")).suffer(position.view("soviet"), orders)
    assert str(chosen) in ("lose x2", "lose x3")
