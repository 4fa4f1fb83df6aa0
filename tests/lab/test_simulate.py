"""Many games: the same result whoever plays them, and nothing lost on the way."""

from __future__ import annotations

import json
import multiprocessing
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace

import pytest

import ladoga
from ladoga.cli import main
from ladoga.kernel.chance import DIE
from ladoga.kernel.errors import LadogaError
from ladoga.lab import Match, digest, play_match, simulate
from ladoga.lab.keep import COLUMNS, as_csv, as_parquet, keeping, kept
from ladoga.lab.simulate import _Watcher, seed_of

MATCH = Match("leningrad-1979", {"german": "random", "soviet": "random"}, seed=5)
GAMES = 6


@pytest.fixture(scope="module")
def played():
    return list(simulate(MATCH, GAMES))


def test_games_come_in_order_in_one_process(played):
    assert [one.index for one in played] == list(range(GAMES))
    assert all(one.level and not one.error for one in played)


def test_the_digest_is_the_same_in_a_process_pool(played):
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("forkserver")) as pool:
        there = list(simulate(MATCH, GAMES, executor=pool, chunk=2))
    assert digest(there) == digest(played)


@pytest.mark.filterwarnings("ignore")  # what a cluster says when it is set up and taken down is not ours
def test_the_digest_is_the_same_on_a_dask_cluster(played):
    distributed = pytest.importorskip("distributed")
    quiet = {"processes": True, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(n_workers=2, **quiet) as cluster, distributed.Client(cluster) as client:
        there = list(simulate(MATCH, GAMES, executor=client.get_executor(), chunk=2))
    assert digest(there) == digest(played)


def test_the_digest_does_not_hang_on_the_order_or_the_chunks(played):
    with ThreadPoolExecutor(2) as pool:
        there = list(simulate(MATCH, GAMES, executor=pool, chunk=4))
    assert digest(reversed(there)) == digest(played)


def test_the_digest_tells_seeds_players_and_counts_apart(played):
    assert digest(played[:-1]) != digest(played)
    other = Match("leningrad-1979", MATCH.players, seed=6)
    assert play_match(other, 0).fingerprint != played[0].fingerprint
    assert seed_of(other, 0) != seed_of(MATCH, 0) != seed_of(MATCH, 1)


def test_games_of_an_earlier_run_are_skipped(played):
    rest = list(simulate(MATCH, GAMES, skip=[0, 1, 4]))
    assert [one.index for one in rest] == [2, 3, 5]
    assert digest([*rest, *(played[i] for i in (0, 1, 4))]) == digest(played)


def test_corrections_are_read_once_for_a_run(tmp_path):
    """Whoever goes on correcting meanwhile does not change what is being played."""
    corrections = tmp_path / "map.yaml"
    corrections.write_text('hexes: {"1009": swamp}')
    games = simulate(Match("leningrad-1979", {}, data=str(tmp_path)), 2)
    next(games)
    corrections.write_text("hexes: {half a sent")
    assert not next(games).error


def test_records_of_games_can_be_checked(tmp_path):
    list(simulate(MATCH, 2, records=tmp_path / "kept"))
    files = sorted((tmp_path / "kept").iterdir())
    assert [file.name for file in files] == ["000000.ladoga", "000001.ladoga"]
    assert main(["check", *map(str, files)]) == 0


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_a_watched_game_has_a_snapshot_of_every_turn(game_id):
    one = play_match(Match(game_id, {}, seed=2), 0, watch=True)
    game = ladoga.load(game_id)
    assert not one.error
    turns = [snapshot.turn for snapshot in one.snapshots]
    assert turns == sorted(set(turns))
    assert turns[-1] == one.turns
    last = one.snapshots[-1]
    assert set(last.held) == set(last.units) == set(last.luck) == set(game.sides)
    assert not set(last.held["german"]) & set(last.held["soviet"])
    if one.winner is not None and last.margin:
        assert (last.margin > 0) == (one.winner == game.sides[0])


def test_luck_is_what_dice_show_above_their_mean():
    watcher = _Watcher(["german", "soviet"])
    watcher.rolled("german", DIE.outcomes[5][0], DIE)
    watcher.rolled("german", DIE.outcomes[3][0], DIE)
    watcher.rolled("soviet", DIE.outcomes[0][0], DIE)
    assert watcher.luck == {"german": 3.0, "soviet": -2.5}


def test_watching_changes_nothing(played):
    assert play_match(MATCH, 1, watch=True).fingerprint == played[1].fingerprint


def test_sides_and_pieces_of_work_that_cannot_be_are_refused():
    with pytest.raises(LadogaError, match="no side 'German'; sides: german, soviet"):
        list(simulate(replace(MATCH, players={"German": "greedy"}), 1))
    for chunk in (0, -1):
        with ThreadPoolExecutor(1) as pool, pytest.raises(LadogaError, match="at least one game"):
            list(simulate(MATCH, 1, executor=pool, chunk=chunk))


def test_a_game_that_breaks_is_reported_and_the_run_goes_on(monkeypatch):
    class Broken:
        def choose(self, view, rng):
            return {}[view.prompt]

    monkeypatch.setattr(sys.modules["ladoga.lab.simulate"], "make", lambda _, **__: Broken())
    one, two = simulate(MATCH, 2)
    assert one.error.startswith("KeyError")
    assert two.error
    assert one.winner is None


# Results on disk ------------------------------------------------------------------------------------


def test_results_are_kept_and_read_again(tmp_path, played):
    path = tmp_path / "results.jsonl"
    with keeping(path, MATCH, []) as keep:
        for one in played:
            keep(one)
    assert kept(path, MATCH) == played
    with keeping(path, MATCH, kept(path, MATCH)):
        pass
    assert kept(path, MATCH) == played


def test_a_line_cut_off_is_dropped_and_anything_else_refused(tmp_path, played):
    path = tmp_path / "results.jsonl"
    with keeping(path, MATCH, played):
        pass
    whole = path.read_text()
    path.write_text(whole[:-40])
    assert kept(path, MATCH) == played[:-1]
    lines = whole.splitlines()
    path.write_text("\n".join([lines[0], "nonsense", *lines[1:]]))
    with pytest.raises(LadogaError, match="line 2: not a result"):
        kept(path, MATCH)
    path.write_text("nonsense")
    with pytest.raises(LadogaError, match="line 1: not a file of results"):
        kept(path, MATCH)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(LadogaError, match="line 1: not a file of results"):
        kept(path, MATCH)
    path.write_text(whole)
    with pytest.raises(LadogaError, match="another match"):
        kept(path, Match(MATCH.game, MATCH.players, seed=99))
    assert kept(path, MATCH, watched=True) == []
    assert kept(tmp_path / "none", MATCH) == []


def test_csv_and_parquet(tmp_path, played):
    lines = as_csv(played).splitlines()
    assert lines[0].split(",") == list(COLUMNS)
    assert len(lines) == GAMES + 1
    assert lines[1].startswith(f"0,{played[0].winner},{played[0].level},")
    parquet = pytest.importorskip("pyarrow.parquet")
    as_parquet(played, tmp_path / "games.parquet")
    table = parquet.read_table(tmp_path / "games.parquet")
    assert table.column_names == list(COLUMNS)
    assert table.column("fingerprint").to_pylist() == [one.fingerprint for one in played]


def test_a_run_that_was_killed_goes_on_where_it_stopped(tmp_path):
    path, out = tmp_path / "results.jsonl", tmp_path / "out.json"
    words = ["simulate", "leningrad-1979", "--games", "40", "--seed", "8", "--resume", str(path)]
    process = subprocess.Popen([sys.executable, "-m", "ladoga", *words], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not path.exists() or path.read_text().count("\n") < 4):
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = path.read_text().splitlines()
    assert 4 <= len(before) < 41
    words[3] = "8"
    assert main([*words, "--json", str(out)]) == 0
    assert path.read_text().startswith("\n".join(before[:3]))
    assert main([*words[:-2], "--json", str(tmp_path / "again.json")]) == 0
    assert json.loads(out.read_text())["digest"] == json.loads((tmp_path / "again.json").read_text())["digest"]
