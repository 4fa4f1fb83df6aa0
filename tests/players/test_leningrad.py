"""The doctrine of the two Leningrads: corps together, the road swept, the city held, luck taken out."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

import ladoga
from ladoga.kernel.orders import Order
from ladoga.kernel.position import Explanation, Position
from ladoga.players.attacks import outlook
from ladoga.players.doctrines.leningrad import WEIGHTS, LeningradDoctrine, LeningradFront
from ladoga.players.front import Body
from ladoga.players.judgement import on_turn
from ladoga.players.race import Luck
from ladoga.players.situation import Situation
from ladoga.players.staff import StaffPlayer

GAME = ladoga.load("leningrad-1979")


def soviet(h: str, attack: int = 4, defence: int = 3) -> dict[str, Any]:
    return {
        "side": "soviet", "type": "infantry", "attack": attack, "defence": defence, "movement": 5, "hex": h
    }  # fmt: skip


def position(phase: str, units: dict[str, dict[str, Any]], turn: int = 5) -> Position:
    return GAME.position({"game": "leningrad-1979", "turn": turn, "phase": phase, "units": units})


def front(at: Position, side: str) -> LeningradFront:
    return LeningradFront(Situation(at, side))


def test_a_whole_corps_stands_firmer_than_its_parts() -> None:
    at = position("german-movement", {"1/41": {"hex": "1809"}, "6/41": {"hex": "1809"}, "36/41": {"hex": "1809"}})
    plan = front(at, "german")
    pieces = plan.situation.pieces
    whole = plan._held(Body([pieces["1/41"], pieces["6/41"], pieces["36/41"]]), pieces["1/41"].hex, ())
    part = plan._held(Body([pieces["1/41"], pieces["6/41"]]), pieces["1/41"].hex, ())
    assert whole / 28 > part / 20


def test_infantry_hunts_who_was_left_behind_by_the_road() -> None:
    forward = {unit: {"hex": "2109"} for unit in ("1", "11", "21")} | {u: {"hex": "2009"} for u in ("30", "32", "58")}
    rear = {"12": {"hex": "0413"}, "61": {"hex": "0513"}}
    at = position("german-movement", {**forward, **rear, "x1": soviet("0611"), "x2": soviet("2305")})
    plan = front(at, "german")
    grid = plan.situation.grid
    assert plan.raiders == [grid.hex("0611")]
    assert plan.hunts == {"12": grid.hex("0611"), "61": grid.hex("0611")}


def test_the_panzers_wait_for_the_infantry() -> None:
    infantry = {unit: {"hex": "0513"} for unit in ("1", "11", "21")} | {u: {"hex": "0413"} for u in ("30", "32", "58")}
    at = position("german-movement", {**infantry, "8/56": {"hex": "1412"}, "x1": soviet("2604")})
    plan = front(at, "german")
    body, hexes = Body([plan.situation.pieces["8/56"]]), plan.situation.grid.hex
    near, far = hexes("2208"), hexes("2506")
    assert plan._tug(body, far, plan._pull(far)) < plan._tug(body, near, plan._pull(near))


def test_the_city_is_filled_when_the_enemy_comes_near() -> None:
    def pull(german: str) -> float:
        at = position("soviet-movement", {"1": {"hex": german}, "x1": soviet("2506")})
        plan = front(at, "soviet")
        return plan.garrison(Body([plan.situation.pieces["x1"]]), plan.situation.grid.hex("2604"))

    assert pull("2305") > pull("1412") > pull("0112")


def test_the_first_fort_is_built_in_the_city() -> None:
    at = position("soviet-fortification", {"1": {"hex": "2109"}, "x1": soviet("2604"), "x2": soviet("2507")})
    staff = StaffPlayer()
    order = staff.choose(at.view("soviet"), random.Random(1))
    assert str(order) == "fort 2604"
    assert staff.reason == "Fortifies Leningrad 2604"


def test_a_full_stack_pays_with_steps_and_stays() -> None:
    def cleared(defenders: int) -> float:
        units = {f"x{n}": soviet("2109") for n in range(defenders)}
        situation = Situation(position("german-combat", {"1": {"hex": "2009"}, **units}), "german")
        explanation = Explanation(Order("commit"), "", results=(("1/-", Fraction(1)),))
        return outlook(situation, explanation, [situation.pieces["1"]], ["2109"])[1]

    assert cleared(1) == pytest.approx(0.9)
    assert cleared(3) == pytest.approx(0.27)


def _parsed(at: Position, text: str) -> Order:
    return next(order for order in at.legal if str(order) == text)


def test_luck_has_the_mean_zero() -> None:
    units = {"1": {"hex": "2009"}, "11": {"hex": "2009"}, "x1": soviet("2109")}
    at = position("german-combat", units)
    luck = Luck("german")
    for text in ("target 2109", "add 1", "add 11"):
        order = _parsed(at, text)
        luck.ordered(at, order)
        at = at.play(order)
    commit = _parsed(at, "commit")
    luck.ordered(at, commit)
    chances = dict(at.explain(commit).results)
    above = dict(luck._above)
    assert set(above) == set(chances)
    assert sum(float(chances[code]) * gift for code, gift in above.items()) == pytest.approx(0.0)
    at = at.play(commit)
    while at.to_move == "chance":
        at = at.play(at.legal.random(random.Random(2)))
        luck.rolled(at)
    assert luck.total in above.values()
    assert max(above.values()) > 0 > min(above.values())


def test_weights_lie_between_those_of_two_turns() -> None:
    assert on_turn(WEIGHTS, 1) == on_turn(WEIGHTS, 3)
    assert on_turn(WEIGHTS, 3).divisions > on_turn(WEIGHTS, 5).divisions > on_turn(WEIGHTS, 6).divisions
    assert on_turn(WEIGHTS, 13) == on_turn(WEIGHTS, 12)


def test_losses_and_ground_are_judged() -> None:
    doctrine = LeningradDoctrine()
    units = {"8/56": {"hex": "2305"}, "x1": soviet("2604")}
    better = doctrine.judge(position("german-movement", units), "german")
    worse = doctrine.judge(position("german-movement", {**units, "x2": soviet("2705")}), "german")
    assert better is not None
    assert worse is not None
    assert better > worse
    assert doctrine.judge(position("german-movement", units), "soviet") == -better


def test_at_the_end_only_the_ledger_counts() -> None:
    doctrine = LeningradDoctrine()
    units = {"8/56": {"hex": "2305"}, "x1": soviet("2604")}
    early, late = (position("german-combat", units, turn) for turn in (10, 11))
    assert doctrine.boldness(early.view("german")) == 1.0 > doctrine.boldness(late.view("german"))
    early, late = (position("soviet-combat", units, turn) for turn in (11, 12))
    assert doctrine.boldness(early.view("soviet")) == 1.0 < doctrine.boldness(late.view("soviet"))
