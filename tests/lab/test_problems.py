"""The book of problems: every position loads, half of the book is held out, and a player is tried by what it makes."""

from __future__ import annotations

import json
import time

import pytest

import ladoga
from ladoga.cli import main
from ladoga.lab.problems import (
    MEASURES,
    Condition,
    Problem,
    attempt,
    book,
    by_processor,
    halves,
    measured,
    problems_of,
    start_of,
)
from ladoga.players import general, make

LEAST = 10
"""Problems a game."""


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_every_game_has_its_problems_and_half_of_them_are_held_out(game_id: str) -> None:
    found = problems_of(game_id)
    assert len(found) >= LEAST
    held_out = sum(problem.held_out for problem in found.values())
    assert abs(2 * held_out - len(found)) <= 1


@pytest.mark.parametrize(("name", "problem"), list(book()))
def test_a_problem_is_a_player_turn_of_its_side(name: str, problem: Problem) -> None:
    """It says what is asked, and measures that there are."""
    start = start_of(problem)
    assert start.to_move == start.phase.side == problem.side
    assert name.startswith(f"{start.game.id}/")
    assert problem.title
    assert problem.source
    assert problem.accept
    assert {condition.measure for condition in problem.accept} <= set(MEASURES)


def test_no_position_is_in_the_book_twice() -> None:
    digests = [start_of(problem).digest() for _, problem in book()]
    assert len(set(digests)) == len(digests)


def test_a_condition_holds_between_its_bounds() -> None:
    between = Condition("margin", least=-2.0, most=3.0)
    assert [between.holds(value) for value in (-2.5, -2.0, 3.0, 3.5)] == [False, True, True, False]
    assert str(between) == "-2 <= margin <= 3"


def _first() -> tuple[str, Problem]:
    return next(iter(book(["leningrad-1979"])))


def test_a_problem_is_measured_after_the_enemy_s_whole_reply() -> None:
    """The same player makes the same of it every time."""
    _, problem = _first()
    once, _ = measured(problem, lambda luck: make("staff", seed=luck), 2)
    again, _ = measured(problem, lambda luck: make("staff", seed=luck), 2)
    assert once == again
    assert set(once) == set(MEASURES)


def test_a_problem_is_solved_when_every_condition_holds() -> None:
    name, problem = _first()
    values, _ = measured(problem, lambda luck: make("staff", seed=luck), 1)
    problem.accept = [Condition("balance", most=values["balance"])]
    assert attempt(name, problem, "staff", seeds=1).solved
    problem.accept.append(Condition("balance", least=values["balance"] + 1))
    tried = attempt(name, problem, "staff", seeds=1)
    assert not tried.solved
    assert len(tried.failed) == 1
    assert halves([tried]) == {"open": (0, int(not problem.held_out)), "held-out": (0, int(problem.held_out))}


def test_a_player_that_breaks_has_not_solved_it(monkeypatch: pytest.MonkeyPatch) -> None:
    name, problem = _first()
    monkeypatch.setattr("ladoga.players.player.RandomPlayer.choose", lambda *_: 1 / 0)
    tried = attempt(name, problem, "random", seeds=1)
    assert not tried.solved
    assert "ZeroDivisionError" in tried.error


def test_the_command_reports_both_halves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems", "leningrad-1979", "--player", "random", "--dice", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["halves"]) == {"open", "held-out"}
    assert sum(half["tried"] for half in found["halves"].values()) == len(found["problems"])
    assert main(["problems", "leningrad-1979", "--player", "random", "--dice", "1"]) == 0
    assert "held-out: " in capsys.readouterr().out.splitlines()[-1]


def test_a_busy_machine_takes_nothing_from_who_tries_a_problem() -> None:
    with by_processor() as before:
        before()
        assert general.time.monotonic is time.process_time
    assert general.time is time
