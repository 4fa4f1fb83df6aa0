"""The guide to the laboratory is run from top to bottom."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from ladoga.cli import main

GUIDE = Path(__file__).parents[2] / "docs" / "lab.md"
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)


def test_every_block_of_the_guide_runs(tmp_path, monkeypatch, capsys):
    for needed in ("pyspiel", "pettingzoo", "gymnasium"):
        pytest.importorskip(needed)
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "guide"}
    for number, (language, text) in enumerate(BLOCKS, 1):
        if language == "python":
            exec(compile(text, f"lab.md, block {number}", "exec"), names)
            continue
        assert language == "console"
        for line in text.strip().splitlines():
            dollar, program, *words = shlex.split(line)
            assert (dollar, program) == ("$", "ladoga")
            assert main(words) == 0, line
    told = capsys.readouterr().out
    assert "random against greedy" in told
    made = {path.name for path in tmp_path.iterdir()}
    assert {"tables", "lines", "out.json", "out.csv", "games", "report.html", "results.jsonl"} <= made
    assert len((tmp_path / "results.jsonl").read_text().splitlines()) == 6


def test_the_guide_has_blocks_to_run():
    assert len(BLOCKS) >= 13
