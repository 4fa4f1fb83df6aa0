"""One server a file: who keeps its matches in an SQLite file says so beside it, and the next one is told."""

from __future__ import annotations

import os
import time
from pathlib import Path
from types import TracebackType

import msgspec

from ..kernel.errors import LadogaError

try:
    import fcntl
except ImportError:  # where files cannot be locked, the store still refuses what comes too late
    fcntl = None  # type: ignore[assignment]

PATIENCE = 3.0
"""Seconds that the first server has to say where it is."""


class Sign(msgspec.Struct):
    """What the first server says of itself: its process, where it is, and what lets its owner in."""

    process: int
    url: str
    secret: str = ""


class Taken(LadogaError):
    """Another server keeps its matches there."""

    def __init__(self, path: Path, sign: Sign | None) -> None:
        whom = f"by the server at {sign.url} (process {sign.process})" if sign else "by another process"
        super().__init__(f"{path} is kept {whom}; stop that one first, or name another file")
        self.sign = sign


class Claim:
    """Holds a file for this process as long as it lives."""

    def __init__(self, db: Path) -> None:
        db.parent.mkdir(parents=True, exist_ok=True)
        path = db.with_name(f"{db.name}.server")
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sign = self._read()
            os.close(self._file)
            raise Taken(db, sign) from None
        os.ftruncate(self._file, 0)

    def _read(self) -> Sign | None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if text := os.pread(self._file, 4096, 0):
                return msgspec.json.decode(text, type=Sign)
            time.sleep(0.05)
        return None

    def say(self, url: str, secret: str = "") -> None:
        """Tell whoever comes next where this server is."""
        text = msgspec.json.encode(Sign(os.getpid(), url, secret))
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, text, 0)

    def close(self) -> None:
        """Let the file go."""
        os.close(self._file)

    def __enter__(self) -> Claim:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        self.close()
