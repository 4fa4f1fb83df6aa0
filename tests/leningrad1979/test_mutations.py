"""A handful of rules broken on purpose: the tests of this folder must notice each (a slice of ``make mutation``)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BROKEN = [
    (
        "reach.py",
        "return 2 * movement if supplied",
        "return 2 * movement if True",
        "11.1",
        "supply_for_movement",
    ),
    ("overrun.py", "return left >= price", "return left > price", "7.3", "overrun_costs"),
    ("results.py", "return safe & ~friends or safe", "return safe", "10.8", "vacant_hexes"),
    ("combat.py", "if crossings and all(crossings)", "if any(crossings)", "9.6 note 3", "rivers_count"),
    ("forts.py", "scenario.forts_per_turn - pos.forts_placed", "scenario.forts_per_turn", "15.4", "two_forts"),
]


@pytest.mark.parametrize(("file", "good", "bad", "case", "test"), BROKEN)
def test_a_broken_rule_is_noticed(tmp_path, file, good, bad, case, test):
    package = tmp_path / "src"
    shutil.copytree(
        ROOT / "src" / "ladoga", package / "ladoga", ignore=shutil.ignore_patterns("__pycache__", "web", "fonts")
    )
    rules = package / "ladoga" / "games" / "leningrad" / file
    text = rules.read_text(encoding="utf-8")
    assert good in text, "the rule reads otherwise now: break it elsewhere"
    rules.write_text(text.replace(good, bad), encoding="utf-8")
    tests = [str(ROOT / "tests" / "leningrad1979" / f"test_{name}.py") for name in ("movement", "combat", "campaign")]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:xdist",
        "-p",
        "no:cacheprovider",
        "-k",
        test,
        *tests,
    ]
    environment = {**os.environ, "PYTHONPATH": str(package)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, f"nobody noticed that {case} is broken"
