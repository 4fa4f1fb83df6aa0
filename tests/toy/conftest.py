"""The seventh game, installed for the tests of this folder alone."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import pytest

from ladoga.kernel import game as games
from ladoga.kernel import sides


@pytest.fixture(autouse=True, scope="module")
def installed(tmp_path_factory):
    """A package beside Ladoga whose entry point names the game's folder, as ``pip install marsh`` would leave it."""
    site = tmp_path_factory.mktemp("site")
    about = site / "marsh-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: marsh\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[ladoga.games]\nmarsh = toy\n")
    patch = pytest.MonkeyPatch()
    patch.syspath_prepend(str(site))
    beside = (str(site), str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", ""))
    patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, beside)))
    importlib.invalidate_caches()
    games._families.cache_clear()
    games._loaders.cache_clear()
    sides.forget()
    yield site
    patch.undo()
    games._families.cache_clear()
    games._loaders.cache_clear()
    sides.forget()
