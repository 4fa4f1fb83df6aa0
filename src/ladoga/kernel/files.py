"""Files written whole or not at all, and errors that name the file that was asked for."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from pathlib import Path


def write_whole(path: Path, content: str | bytes, *, sync: bool = True) -> None:
    """Write a file so that it is never seen half-written; ``sync`` waits until the disk has it. A link is followed,
    a device or a pipe is written to, and errors name the file that was asked for."""
    data = content.encode() if isinstance(content, str) else content
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(data)
            return
        _replace(_target(path), data, sync)
    except OSError as problem:
        raise _naming(path, problem) from None


def check_writable(path: Path | None) -> None:
    """Say before long work that a file could not be written after it."""
    if path is None or (path.exists() and not path.is_file() and not path.is_dir()):
        return
    try:
        handle, scratch = _scratch(_target(path))
        os.close(handle)
        scratch.unlink()
    except OSError as problem:
        raise _naming(path, problem) from None


def _naming(path: Path, problem: OSError) -> OSError:
    return type(problem)(problem.errno, problem.strerror or str(problem), str(path))


def _target(path: Path) -> Path:
    """Where a file really lies; it is no folder, may be written, and its folder is there."""
    target = path.resolve()
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def _scratch(target: Path) -> tuple[int, Path]:
    """A new file beside the target, with the rights that any new file gets."""
    scratch = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}")
    return os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666), scratch


def _replace(target: Path, data: bytes, sync: bool) -> None:
    handle, scratch = _scratch(target)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if sync:
                os.fsync(file.fileno())
        if target.exists():
            scratch.chmod(stat.S_IMODE(target.stat().st_mode))
        scratch.replace(target)
    except BaseException:
        scratch.unlink()
        raise
