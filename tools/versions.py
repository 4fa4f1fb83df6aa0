"""Versions of the program side by side: a commit unpacked into a folder, and a process that runs a tool on it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@contextmanager
def source_of(version: str) -> Iterator[Path]:
    """The ``src`` of a version: of a folder as it is, or of a commit, unpacked for as long as it is needed."""
    if (Path(version) / "src").is_dir():
        yield (Path(version) / "src").resolve()
        return
    packed = subprocess.run(
        ["git", "archive", "--format=zip", version, "src"], cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(BytesIO(packed.stdout)) as archive:
            archive.extractall(folder)
        yield Path(folder) / "src"


def started(source: Path, tool: str, *words: str) -> subprocess.Popen[str]:
    """A tool of this folder at work on a version; its input and output are lines of text."""
    return subprocess.Popen(
        [sys.executable, str(Path(__file__).parent / tool), *words],
        env=os.environ | {"PYTHONPATH": str(source), "PYTHONHASHSEED": "0"},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
