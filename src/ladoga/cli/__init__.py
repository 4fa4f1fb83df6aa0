"""The command line: ``ladoga COMMAND``. One function a command, thin over the library."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from ..kernel.errors import LadogaError
from .arguments import read


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; errors of input end in one line on standard error and a non-zero status."""
    for stream, errors in (sys.stdin, "replace"), (sys.stdout, "backslashreplace"):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)
    arguments = read(argv)
    try:
        status = int(arguments.run(arguments) or 0)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except LadogaError as problem:
        return _failed(" ".join(str(problem).splitlines()))
    except BrokenPipeError:
        _forget_output()
        return 1
    except OSError as problem:
        _forget_output()
        where = f"{problem.filename}: " if problem.filename else ""
        return _failed(f"{where}{problem.strerror or problem}")
    except KeyboardInterrupt:
        return _failed("stopped", 130)


def _failed(message: str, status: int = 2) -> int:
    print(f"ladoga: {message}", file=sys.stderr)
    return status


def _forget_output() -> None:
    """Nobody takes what is still to be printed, so that it need not be tried again at the end."""
    try:
        sys.stdout.flush()
    except (OSError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
