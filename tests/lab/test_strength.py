"""Measuring the players: only the rows of what was measured change, and a stopped run goes on."""

from __future__ import annotations

from pathlib import Path

from ladoga.lab.strength import MARK, Lab, rung, updated

PAGE = f"""Before.

{MARK}
| Game | Players | Pairs | Pairs won (95 %) | Games won |
| --- | --- | --- | --- | --- |
| tijvin-1941 | greedy over random | 4 | 100% (51% to 100%) | 8 of 8 |
| leningrad-1979 | greedy over random | 20 | 95% (76% to 99%) | 20 of 40 |

| Game | Staff against staff | Figure |
| --- | --- | --- |
| leningrad-1979 | german wins | 0% |
| leningrad-1979 | old figure | 4 of 20 games |
| leningrad-2010 | german wins | 0% |
{MARK}
After.
"""


def test_only_the_rows_of_what_was_measured_change() -> None:
    row = "| leningrad-1979 | greedy over random | 9 | 50% | 9 of 18 |"
    other = "| leningrad-1979 | staff over greedy | 9 | 90% | 12 of 18 |"
    note = "| leningrad-1979 | german wins | 30% |"
    text = updated(PAGE, [row, other], [note])
    lines = text.splitlines()
    assert lines[0] == "Before."
    assert lines[-1] == "After."
    assert text.count(MARK) == 2
    assert "| tijvin-1941 | greedy over random | 4 | 100% (51% to 100%) | 8 of 8 |" in lines
    assert "| leningrad-2010 | german wins | 0% |" in lines
    assert [line for line in lines if line.startswith("| leningrad-1979")] == [row, other, note]


def test_the_page_stays_as_it_is_when_nothing_was_measured() -> None:
    once = updated(PAGE, [], [])
    assert updated(once, [], []) == once
    assert sorted(once.splitlines()) == sorted(PAGE.splitlines())


def test_a_stopped_measurement_goes_on(tmp_path: Path) -> None:
    lab = Lab(seed=3, folder=tmp_path)
    first = rung(lab, "leningrad-1979", "random", "random", 1)
    kept = {path.name: path.read_text().splitlines()[1:] for path in tmp_path.iterdir()}
    again = rung(lab, "leningrad-1979", "random", "random", 2)
    assert (first.pairs, again.pairs) == (1, 2)
    assert first.won == 0.5
    for name, lines in kept.items():
        assert (tmp_path / name).read_text().splitlines()[1 : 1 + len(lines)] == lines
