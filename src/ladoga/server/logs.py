"""Logs as JSON lines, each with the request and the match it is about; and no storms of them."""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_about: ContextVar[dict[str, str] | None] = ContextVar("about", default=None)

QUIET = 10.0
"""Seconds between two lines about the same trouble."""


@contextmanager
def about(**facts: str) -> Iterator[None]:
    """Whatever is logged meanwhile is about this."""
    token = _about.set({**(_about.get() or {}), **facts})
    try:
        yield
    finally:
        _about.reset(token)


class Lines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line."""
        line: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(), "from": record.name, "message": record.getMessage(),
            **(_about.get() or {}),
        }  # fmt: skip
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up(*, as_json: bool) -> None:
    """Log to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines() if as_json else logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    top = logging.getLogger()
    top.handlers[:] = [handler]
    top.setLevel(logging.WARNING)
    logging.getLogger("ladoga").setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").addFilter(_Calm())


class _Calm(logging.Filter):
    """What any stranger can cause is not worth a line each time."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not record.getMessage().startswith(("Invalid HTTP request", "Unsupported upgrade", "ASGI callable"))


class Seldom:
    """Says once in a while what there is reason to say again and again."""

    def __init__(self) -> None:
        self._last = -QUIET

    def error(self, log: logging.Logger, words: str, *values: object) -> None:
        """Say it, unless it was said just now."""
        if time.monotonic() - self._last > QUIET:
            self._last = time.monotonic()
            log.error(words, *values)


def calm(loop: asyncio.AbstractEventLoop) -> None:
    """Say once in a while that descriptors ran out, not once for every visitor who waits."""
    seldom, log = Seldom(), logging.getLogger("ladoga.server")

    def told(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        problem = context.get("exception")
        if isinstance(problem, OSError) and problem.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
            seldom.error(log, "no more visitors can be let in: %s", problem.strerror)
            return
        loop.default_exception_handler(context)

    loop.set_exception_handler(told)
