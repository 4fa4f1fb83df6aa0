"""How players weigh things: figures on counters, losses, result codes, pairs."""

from __future__ import annotations

from fractions import Fraction

import pytest

import ladoga
from ladoga.kernel.orders import Order
from ladoga.kernel.position import Explanation
from ladoga.kernel.table import Counter
from ladoga.lab.simulate import Played
from ladoga.lab.strength import _pair
from ladoga.players.attacks import halves, outlook
from ladoga.players.situation import Piece, Situation, _figures, cheapest
from ladoga.players.tuning import Results, Tuning


@pytest.mark.parametrize(
    ("figures", "expected"),
    [
        ("6-6", (6.0, 6.0, 6.0)),
        ("4-3-5", (4.0, 3.0, 5.0)),
        ("?-5", (3.0, 3.0, 5.0)),
        ("8-A-6", (8.0, 8.0, 6.0)),
        ("(7)-1", (7.0, 7.0, 1.0)),
        ("2-4 +2", (2.0, 2.0, 4.0)),
    ],
)
def test_figures_on_counters(figures: str, expected: tuple[float, float, float]) -> None:
    assert _figures(Counter("x", "german", figures=figures), Tuning()) == expected


def test_a_unit_that_fights_with_its_steps() -> None:
    counter = Counter("x", "german", figures="2-4", steps=7, full_steps=12)
    assert _figures(counter, Tuning(by_steps=True)) == (14.0, 14.0, 4.0)


def piece(worth: float, steps: int) -> Piece:
    return Piece(f"u{worth}", "german", 0, 1.0, 1.0, 1.0, steps, worth, "infantry", "")


def test_the_owner_loses_his_cheapest_steps_first() -> None:
    stack = [piece(5.0, 2), piece(1.0, 1)]
    assert cheapest(stack, 1) == 1.0
    assert cheapest(stack, 2) == 6.0
    assert cheapest(stack, 1.5) == 3.5
    assert cheapest(stack, 99) == 11.0


def test_result_codes() -> None:
    assert halves(Results(), "2/1") == (("2",), "1")
    assert halves(Results(attacker_first=True), "2/1") == (("1",), "2")
    assert halves(Results(whole={"AE": ("-", "E")}), "AE") == (("-",), "E")
    assert halves(Results(each=True), "E-") == (("E", "-"), "")


def test_a_better_result_is_worth_more() -> None:
    position = ladoga.load("leningrad-1979").position(
        {
            "game": "leningrad-1979", "turn": 4, "phase": "german-combat", "map": {"blank": [8, 6]},
            "units": {
                "12": {"hex": "0303"},
                "x1": {"side": "soviet", "type": "infantry", "attack": 4, "defence": 3, "movement": 5, "hex": "0304"},
            },
        }
    )  # fmt: skip
    situation = Situation(position, "german")

    def worth(code: str) -> tuple[float, float]:
        explanation = Explanation(Order("commit"), "", results=((code, Fraction(1)),))
        return outlook(situation, explanation, [situation.pieces["12"]], ["0304"])

    assert worth("E/-") > worth("1/-") > worth("-/-") > worth("-/1") > worth("-/E")
    assert worth("E/-")[1] == 1.0
    assert worth("-/E")[1] == 0.0


def played(winner: str | None, margin: float) -> Played:
    return Played(0, winner, "", margin, 12, 100, 1.0, "")


def test_a_pair_goes_to_the_one_who_won_more() -> None:
    assert _pair(played("german", 5), played("german", 5), "german") == 0.5
    assert _pair(played("german", 5), played("soviet", 5), "german") == 1.0
    assert _pair(played("soviet", 5), played("german", 5), "german") == 0.0


def test_one_win_each_is_settled_by_the_margins() -> None:
    assert _pair(played("soviet", 10), played("soviet", 30), "german") == 1.0
    assert _pair(played("german", 3), played("german", 9), "german") == 0.0
