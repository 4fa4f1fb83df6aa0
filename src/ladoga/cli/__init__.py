"""The command line: ``ladoga COMMAND``. One function a command, thin over the library."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ..kernel.errors import LadogaError
from .arguments import parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; errors of input end in one line on standard error and a non-zero status."""
    arguments = parser().parse_args(argv)
    try:
        return int(arguments.run(arguments) or 0)
    except LadogaError as problem:
        print(f"ladoga: {problem}", file=sys.stderr)
        return 2
    except OSError as problem:
        if isinstance(problem, BrokenPipeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        where = f"{problem.filename}: " if problem.filename else ""
        print(f"ladoga: {where}{problem.strerror or problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("ladoga: stopped", file=sys.stderr)
        return 130
