"""The laboratory from the command line."""

from __future__ import annotations

import json
import os
import sys
import time

import pytest

import ladoga
from ladoga.cli import commands, main


def run(capsys, *words):
    code = main(list(map(str, words)))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_simulate_json(capsys):
    code, out, _ = run(capsys, "simulate", "leningrad-1979", "--games", 2, "--seed", 4, "--json", "-")
    result = json.loads(out)
    assert code == 0
    assert result["game"] == "leningrad-1979"
    assert (result["games"], result["seed"], result["errors"]) == (2, 4, [])
    assert result["players"] == {"german": "random", "soviet": "random"}
    assert len(result["outcomes"]) == 2
    for outcome in result["outcomes"]:
        assert set(outcome) >= {"winner", "level", "margin", "turns", "orders", "seconds"}
    assert len(result["digest"]) == 64


def test_two_workers_give_the_same_digest(capsys):
    words = ("simulate", "leningrad-1979", "--games", 4, "--seed", 4, "--json", "-")
    _, alone, _ = run(capsys, *words)
    _, together, _ = run(capsys, *words, "--workers", 2)
    assert json.loads(alone)["digest"] == json.loads(together)["digest"]


def test_everything_at_once(capsys, tmp_path):
    files = {name: tmp_path / f"out.{name}" for name in ("json", "html", "csv", "parquet", "jsonl")}
    pytest.importorskip("pyarrow")
    words = ["simulate", "tijvin-1941", "--games", 2, "--scenario", "what-if", "--option", "fog-of-war=true"]
    words += ["--json", files["json"], "--plot", files["html"], "--csv", files["csv"], "--parquet", files["parquet"]]
    words += ["--resume", files["jsonl"], "--records", tmp_path / "records", "--ask", "Tikhvin german by turn 10"]
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert "Tikhvin german by turn 10: " in out
    assert all(file.stat().st_size for file in files.values())
    assert len(list((tmp_path / "records").iterdir())) == 2
    result = json.loads(files["json"].read_text())
    assert result["scenario"] == "what-if"
    assert result["options"]["fog-of-war"] is True
    assert result["answers"][0]["games"] == 2
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert json.loads(files["json"].read_text())["digest"] == result["digest"]


def test_tournament(capsys, tmp_path):
    words = ("tournament", "leningrad-1979", "--players", "random,greedy", "--games", 1)
    code, out, _ = run(capsys, *words, "--json", "-")
    assert code == 0
    result = json.loads(out)
    assert result["game"] == "leningrad-1979"
    assert [set(p) >= {"first", "second", "wins", "games", "interval"} for p in result["pairings"]] == [True]


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "leningrad-1812"),
        ("simulate", "leningrad-1979", "--german", "napoleon"),
        ("simulate", "leningrad-1979", "--games", "2", "--ask", "who wins"),
        ("simulate", "leningrad-1979", "--games", "2", "--ask", "Atlantis german"),
        ("simulate", "leningrad-1979", "--scenario", "nowhere"),
        ("simulate", "leningrad-1979", "--option", "recycle=maybe"),
        ("simulate", "leningrad-1979", "--option", "recycle"),
        ("tournament", "leningrad-1979", "--players", "random"),
        ("tournament", "leningrad-1979", "--players", "random,napoleon"),
        ("odds", "leningrad-1979", "nowhere.yaml", "attack 12 0403"),
    ],
)
def test_bad_input_is_one_line_and_not_zero(capsys, words):
    code, out, err = run(capsys, *words)
    assert code != 0
    assert out == ""
    assert len(err.strip().splitlines()) == 1


def test_options_are_named_as_they_are_typed(capsys):
    for word in ("perhaps", "[1", "5"):
        code, _, err = run(capsys, "simulate", "leningrad-1979", "--option", f"recycle={word}")
        message = f"ladoga: option 'recycle' cannot be '{word}'; it can be: true, false\n"
        assert (code, err) == (2, message)


def test_what_parquet_needs_is_told_before_the_games(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("ladoga.lab.keep.find_spec", lambda _: None)
    monkeypatch.setattr("ladoga.lab.simulate", lambda *_, **__: pytest.fail("games were played"))
    code, _, err = run(capsys, "simulate", "leningrad-1979", "--games", 1, "--parquet", tmp_path / "x.parquet")
    assert (code, err) == (2, "ladoga: Parquet needs pyarrow: install ladoga[parquet]\n")


def test_one_game_is_not_called_games(capsys):
    _, out, _ = run(capsys, "simulate", "leningrad-1979", "--games", 1)
    assert "(1979): 1 game, seed 0\n" in out
    assert "1 win, 100.0 %" in out


def test_a_tournament_in_a_scenario_of_its_own(capsys, monkeypatch):
    asked = []

    def played(match, games, **_):
        asked.append(match)
        return iter(())

    module = sys.modules["ladoga.lab.tournament"]
    monkeypatch.setattr(module, "simulate", played)
    monkeypatch.setattr(module.Standings, "as_text", lambda _: "")
    words = ("tournament", "tijvin-1941", "--players", "random,greedy", "--games", 1, "--scenario", "what-if")
    assert run(capsys, *words, "--option", "fog-of-war=true")[0] == 0
    assert {(match.scenario, match.options["fog-of-war"]) for match in asked} == {("what-if", True)}
    code, _, err = run(capsys, *words[:-1], "picnic")
    assert (code, "no scenario 'picnic'" in err) == (2, True)


def test_equal_levels_of_both_sides_are_not_one(capsys):
    outcomes = [{"winner": "german", "level": "tactical"}] + [{"winner": "soviet", "level": "tactical"}] * 2
    players = {"german": "random", "soviet": "random"}
    result = {"seed": 0, "players": players, "outcomes": outcomes, "answers": [], "errors": [], "digest": ""}
    commands._summary(ladoga.load("tijvin-1941"), result)
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert "2  Soviet: tactical" in lines
    assert "1  German: tactical" in lines


def test_a_bar_is_shown_for_long_work_when_a_person_is_watching(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    _, _, err = run(capsys, "tournament", "leningrad-1979", "--players", "random,greedy", "--games", 1)
    assert "random as german, greedy: 100%" in err


def test_results_of_another_match_are_refused(capsys, tmp_path):
    kept = tmp_path / "kept.jsonl"
    assert run(capsys, "simulate", "leningrad-1979", "--games", 1, "--resume", kept)[0] == 0
    code, _, err = run(capsys, "simulate", "leningrad-1979", "--games", 1, "--seed", 2, "--resume", kept)
    assert code != 0
    assert "another match" in err


def test_work_that_is_broken_off_stops_at_once():
    """Workers are ended in the middle of what they do."""
    started, workers = time.monotonic(), []

    def broken_off():
        with commands._pool(2) as pool:
            work = pool.submit(time.sleep, 600)
            while not work.running() or not pool.processes:
                time.sleep(0.05)
            workers.extend(pool.processes)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    assert workers
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)
    assert time.monotonic() - started < 300
