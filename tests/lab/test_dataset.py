"""Games as tables: what they hold agrees with the games, in both formats, for every game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ladoga
from ladoga.cli import main
from ladoga.kernel.record import Record
from ladoga.lab import Match, play_match
from ladoga.lab.dataset import SCHEMA, page, rows


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_the_tables_of_a_game_agree_with_it(game_id):
    played = play_match(Match(game_id, {}, seed=6), 0, keep_record=True)
    record = Record.parse(played.record)
    tables = rows(record, "g")
    for table, found in tables.items():
        assert all(set(row) == set(SCHEMA[table]) for row in found), table
    (game,) = tables["games"]
    assert (game["winner"] or None, game["turns"], game["orders"]) == (played.winner, played.turns, played.orders)
    assert [row["text"] for row in tables["orders"]] == [str(order) for order in record.orders]
    assert {row["side"] for row in tables["turns"]} == set(ladoga.load(game_id).sides)
    assert {row["turn"] for row in tables["turns"]} == set(range(1, played.turns + 1))
    for attack in tables["attacks"]:
        assert sum(json.loads(attack["odds"]).values()) == pytest.approx(1)
        assert not attack["result"] or 0 <= attack["likely"] <= 1


def test_losses_add_up_to_what_is_gone():
    """In a game without replacements or arrivals within the turn, steps before less losses are steps after."""
    document = """
game: leningrad-1979
turn: 4
phase: german-combat
map: {blank: [8, 6], places: {"0101": [german-supply], "0806": [soviet-supply]}}
units:
  x1: {side: german, type: infantry, attack: 9, defence: 6, movement: 6, hex: "0303"}
  x2: {side: soviet, type: infantry, attack: 3, defence: 3, movement: 5, hex: "0403"}
"""
    start = ladoga.load("leningrad-1979").position(document)
    record = Record.parse(play_match(Match("leningrad-1979", {}, seed=1), 0, keep_record=True).record)
    record.header.position, record.digest = start.document(), ""
    record.orders = [start.game.parse("attack x1 0403"), start.game.parse("die 6")]
    after = start.play(record.orders[0]).play(record.orders[1])
    while after.to_move == "soviet":
        order = next(iter(after.legal))
        record.orders.append(order)
        after = after.play(order)
    record.movers = []
    lost = [row for row in rows(record, "g")["losses"] if row["side"] == "soviet"]
    assert sum(row["steps"] for row in lost) == 1
    assert lost[0]["destroyed"] == ("x2" not in after.units("soviet"))


def test_export_writes_both_formats(tmp_path, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert main(["simulate", "tijvin-1941", "--games", "2", "--records", str(tmp_path / "records")]) == 0
    for kind in ("parquet", "jsonl"):
        assert main(["export", str(tmp_path / "records"), "--to", str(tmp_path / kind), "--format", kind]) == 0
    read = parquet.read_table(tmp_path / "parquet" / "orders.parquet").to_pylist()
    lines = (tmp_path / "jsonl" / "orders.jsonl").read_text().splitlines()
    assert read == [json.loads(line) for line in lines]
    assert {row["id"] for row in read} == {"000000", "000001"}
    capsys.readouterr()
    assert main(["export", str(tmp_path / "parquet"), "--to", str(tmp_path / "none")]) == 2
    assert "no records there" in capsys.readouterr().err


def test_the_page_tells_every_column():
    written = Path(__file__).parents[2] / "docs" / "data.md"
    assert page().rstrip() in written.read_text(encoding="utf-8")
    assert all(f"`{column}`" in page() for columns in SCHEMA.values() for column in columns)
