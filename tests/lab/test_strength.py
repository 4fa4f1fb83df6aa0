"""Measuring the players: only the rows of what was measured change, and a stopped run goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladoga.kernel.data import load
from ladoga.kernel.errors import LadogaError
from ladoga.lab.duel import Bout, Entrant, score
from ladoga.lab.strength import PARTS, TABLES, Lab, duel_row, mark, rate, rated, rung, updated
from ladoga.players.levels import LEVELS, RATINGS, Rating, ratings_of

PAGE = f"""Before.

{mark("ladder")}
| Game | Players | Pairs | Pairs won (95 %) | Games won |
| --- | --- | --- | --- | --- |
| leningrad-1979 | greedy over random | 20 | 95% (76% to 99%) | 20 of 40 |
| tijvin-1941 | greedy over random | 4 | 100% (51% to 100%) | 8 of 8 |
{mark("ladder")}

{mark("staff")}
| Game | Staff against staff | Figure |
| --- | --- | --- |
| leningrad-1979 | german wins | 0% |
| leningrad-1979 | old figure | 4 of 20 games |
| leningrad-2010 | german wins | 0% |
{mark("staff")}
After.
"""


def test_only_the_rows_of_what_was_measured_change() -> None:
    row = "| leningrad-1979 | greedy over random | 9 | 50% | 9 of 18 |"
    other = "| leningrad-1979 | staff over greedy | 9 | 90% | 12 of 18 |"
    note = "| leningrad-1979 | german wins | 30% |"
    text = updated(PAGE, {"ladder": [row, other], "staff": [note]})
    lines = text.splitlines()
    assert lines[0] == "Before."
    assert lines[-1] == "After."
    assert text.count(mark("ladder")) == text.count(mark("staff")) == 2
    assert "| tijvin-1941 | greedy over random | 4 | 100% (51% to 100%) | 8 of 8 |" in lines
    assert "| leningrad-2010 | german wins | 0% |" in lines
    assert [line for line in lines if line.startswith("| leningrad-1979")] == [row, other, note]


def test_the_page_stays_as_it_is_when_nothing_was_measured() -> None:
    assert updated(PAGE, {"ladder": [], "staff": []}) == PAGE
    again = ["| leningrad-2010 | german wins | 0% |"]
    assert updated(PAGE, {"staff": again}) == PAGE


def test_a_table_without_a_place_on_the_page_is_an_error() -> None:
    with pytest.raises(LadogaError, match="no place for the table audit"):
        updated(PAGE, {"audit": ["| tijvin-1941 | staff | german | 1 of 2 | 0 of 1 | 0 of 1 | 0 of 9 |"]})


def test_the_page_has_a_place_for_every_table() -> None:
    text = (Path(__file__).parents[2] / "docs" / "strength.md").read_text(encoding="utf-8")
    assert all(text.count(mark(name)) == 2 for name in TABLES)
    assert set(PARTS) >= {"base", "partners", "time", "problems", "audit", "ladder"}


def test_a_duel_is_a_row_with_pairs_games_margin_and_time() -> None:
    bouts = [
        Bout(0, "german", "german", "", 4.0, 12, 90, (12.0, 6.0), (12, 12)),
        Bout(0, "soviet", "german", "", 2.0, 12, 90, (12.0, 6.0), (12, 12)),
    ]
    found = score("leningrad-1979", (Entrant("general"), Entrant("staff")), bouts)
    assert duel_row(found, "general over staff") == (
        "| leningrad-1979 | general over staff | 1 | 100% (21% to 100%) "
        "| 1 of 2 (1 as german, 0 as soviet) | +1.0 | 1.00 and 0.50 |"
    )


def test_a_stopped_measurement_goes_on(tmp_path: Path) -> None:
    lab = Lab(seed=3, folder=tmp_path)
    first = rung(lab, "leningrad-1979", "random", "random", 1)
    kept = {path.name: path.read_text().splitlines()[1:] for path in tmp_path.iterdir()}
    again = rung(lab, "leningrad-1979", "random", "random", 2)
    assert (first.pairs, again.pairs) == (1, 2)
    assert first.won == 0.5
    for name, lines in kept.items():
        assert (tmp_path / name).read_text().splitlines()[1 : 1 + len(lines)] == lines


def test_ratings_of_a_game_are_put_into_their_file_beside_those_of_others(tmp_path: Path) -> None:
    path = tmp_path / "ratings.yaml"
    path.write_text("# Made by games.\n{}\n", encoding="utf-8")
    steps = {("recruit", "staff"): (18.0, 20), ("staff", "officer"): (9.5, 12), ("officer", "general"): (7.0, 12)}
    found = rated(steps)
    rate(path, "tijvin-1941", found)
    rate(path, "leningrad-1979", {"staff": Rating(rating=1000, within=0, games=0)})
    rate(path, "leningrad-1979", found)
    assert path.read_text(encoding="utf-8").startswith("# Made by games.\nleningrad-1979:\n  recruit: {rating: ")
    assert load(path, dict[str, dict[str, Rating]]) == {"leningrad-1979": found, "tijvin-1941": found}


def test_who_wins_more_is_rated_higher_and_more_games_make_it_surer() -> None:
    few = rated({("recruit", "staff"): (3, 4), ("staff", "officer"): (3, 4), ("officer", "general"): (2, 4)})
    many = rated({("recruit", "staff"): (30, 40), ("staff", "officer"): (30, 40), ("officer", "general"): (20, 40)})
    assert few["recruit"].rating < 1000 == few["staff"].rating < few["officer"].rating == few["general"].rating
    assert all(many[name].within < few[name].within for name in ("recruit", "officer", "general"))
    assert many["general"].within > many["officer"].within


def test_a_level_that_has_not_played_has_no_rating() -> None:
    assert list(rated({("recruit", "staff"): (3, 4), ("staff", "officer"): (3, 4)})) == ["recruit", "staff", "officer"]
    assert list(rated({("officer", "general"): (3, 4)})) == ["staff"]


def test_ratings_that_are_shown_are_of_levels_that_there_are() -> None:
    for game in load(RATINGS, dict[str, dict[str, Rating]]):
        assert set(ratings_of(game)) <= set(LEVELS)
