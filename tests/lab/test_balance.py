"""The page on balance is written from games, part by part, and a run goes on where it was stopped."""

from importlib import import_module
from pathlib import Path

import pytest

import ladoga
from ladoga.kernel.data import shape
from ladoga.kernel.errors import LadogaError
from ladoga.lab import balance
from ladoga.lab.sensitivity import Ranges

PAGE = Path(__file__).parents[2] / "docs" / "balance.md"
EFFICIENCY = {
    "title": "Efficiency", "at": ["units.yaml units * efficiency is"], "why": "a guess",
    "low": {"by": -1}, "high": {"by": 1},
}  # fmt: skip


def test_a_table_is_written_from_mirrored_pairs_and_kept(tmp_path, monkeypatch):
    game = ladoga.load("tijvin-1941")
    wish = balance.Wish("random", 1, 1, tmp_path, None, 3)
    found = shape({"figures": {"efficiency": EFFICIENCY}}, Ranges)
    text = balance.section(game, wish, found)
    assert text.startswith("1 mirrored pairs (2 games), random against random.")
    assert "| Efficiency |" in text
    assert (tmp_path / "random" / "tijvin-1941" / "tornado.html").is_file()
    one = balance.row(game, "fog-of-war=true", wish)
    assert one.count("|") == 8
    monkeypatch.setattr(
        import_module("ladoga.lab.sensitivity"), "play_match", lambda *_, **__: pytest.fail("played again")
    )
    monkeypatch.setattr(balance, "compare", lambda *_, **__: pytest.fail("played again"))
    assert balance.section(game, wish, found) == text
    assert balance.row(game, "fog-of-war=true", wish) == one


def test_the_page_has_a_place_for_everything_that_is_measured():
    page = PAGE.read_text(encoding="utf-8")
    for part in ("players", "changes", *(game.id for game in balance.judged())):
        assert f"\n\nanew\n\n<!-- /{part} -->" in balance.put(page, part, "anew")
    with pytest.raises(LadogaError, match="no part"):
        balance.put(page, "nothing", "")
