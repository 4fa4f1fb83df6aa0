"""The programs in examples/ run as their first lines say, and do what they promise."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import ladoga
from ladoga.kernel.errors import UnknownGame
from ladoga.lab import Match, play_match
from ladoga.players import check, make

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(name: str, *words: object) -> str:
    command = [sys.executable, str(EXAMPLES / name), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_odds_table_gets_better_with_strength():
    lines = [line.split() for line in run("odds_table.py").splitlines() if "points  " in line]
    assert [line[2] for line in lines[:5]] == ["1-1", "2-1", "3-1", "4-1", "5-1"]


def test_a_corrected_map_changes_the_way_and_is_drawn(tmp_path):
    told = run("own_map.py", tmp_path / "map.svg")
    shipped, corrected = (line.split(":")[1] for line in told.splitlines() if "1st Panzer" in line)
    assert shipped != corrected
    assert "The great moss" in (tmp_path / "map.svg").read_text()


def test_a_puzzle_is_a_position_that_loads(tmp_path):
    assert "Can you?" in run("puzzle.py")
    match = Match("tijvin-1941", {"german": "random", "soviet": "random"}, seed=2)
    record = tmp_path / "game.ladoga"
    record.write_text(play_match(match, 0, keep_record=True).record)
    run("puzzle.py", record, tmp_path / "puzzle.yaml")
    position = ladoga.load("tijvin-1941").position((tmp_path / "puzzle.yaml").read_text())
    assert position.to_move is not None


def test_the_ranking_has_a_player_of_our_own():
    told = run("ranking.py", 1)
    assert "Hussar over greedy" in told
    assert make(f"{EXAMPLES / 'bot.py'}:Hussar").name == "hussar"


def test_tables_are_read_in_a_line_each():
    missing = [name for name in ("duckdb", "pandas", "polars", "pyarrow") if find_spec(name) is None]
    if missing:
        pytest.skip(f"NOT TRIED WITHOUT {', '.join(missing)}: install ladoga[tables]")
    told = run("query.py")
    assert "int64" in told  # DuckDB says what it found in every column
    assert "Name: steps" in told  # pandas
    assert "shape: (3, 2)" in told  # Polars


def test_a_player_that_is_not_there_is_named():
    with pytest.raises(UnknownGame, match="has no Player called 'Napoleon'"):
        check(f"{EXAMPLES / 'bot.py'}:Napoleon")
    with pytest.raises(UnknownGame, match="no_such_module"):
        make("no_such_module:Bot")
