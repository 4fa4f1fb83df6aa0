"""Machines that share long work, through a Dask scheduler. Workers may come and go; what one was at is done again by
another, and game number so and so is the same wherever it is played."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from .. import __version__
from ..kernel.errors import LadogaError

__all__ = ["Cluster"]

P = ParamSpec("P")
T = TypeVar("T")

TRIES = 5
"""How often a piece of work is begun anew that Dask gives up because its workers died."""
WITHIN = 15
"""Seconds in which a scheduler has to answer."""


class Lost(LadogaError):
    """The scheduler is gone, and with it what was under way there."""


def _here(version: str, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """A piece of work at a worker, which has to be of the same edition: else it would play other games."""
    if version != __version__:
        raise LadogaError(f"a worker has Ladoga {__version__}, and {version} is wanted: the games would be others")
    return fn(*args, **kwargs)


class Cluster(Executor):
    """An executor like a process pool, whose processes are a Dask scheduler's.

    >>> Cluster("pigeon://roof")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.LadogaError: no Dask scheduler answers at pigeon://roof: ...
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise LadogaError("a cluster needs Dask: pip install 'ladoga[cluster]'") from None
        for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what is to be said, we say
        self._client: Any
        try:
            self._client = Client(address, timeout=WITHIN, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError, TypeError) as problem:
            words = str(problem).strip().partition("\n")[0] or type(problem).__name__
            raise LadogaError(f"no Dask scheduler answers at {address}: {words}") from None
        self._under_way: set[Any] = set()

    @property
    def workers(self) -> int:
        """How many can work at a time just now."""
        try:
            return sum(int(threads) for threads in self._client.nthreads().values())
        except (OSError, ValueError):  # the scheduler is gone, which those who wait are told
            return 0

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have something done by whoever is free, or comes."""
        future: Future[T] = Future()
        self._try(future, TRIES, (__version__, fn, args, kwargs))
        return future

    def _try(self, future: Future[Any], left: int, work: tuple[Any, ...]) -> None:
        task = self._client.submit(_here, *work, pure=False)
        self._under_way.add(task)
        task.add_done_callback(lambda done: self._done(done, future, left, work))

    def _done(self, task: Any, future: Future[Any], left: int, work: tuple[Any, ...]) -> None:
        from distributed import KilledWorker

        self._under_way.discard(task)
        with suppress(InvalidStateError):  # nobody waits for it any more
            if task.status == "finished":
                future.set_result(task.result())
            elif task.status == "error":
                problem = task.exception()
                if isinstance(problem, KilledWorker) and left > 1:
                    self._try(future, left - 1, work)
                else:
                    future.set_exception(problem)
            else:
                future.set_exception(Lost("the scheduler is gone; what was done is kept with --resume: say it again"))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; what is under way there is taken back."""
        with suppress(Exception):
            self._client.cancel(list(self._under_way), force=True)
        with suppress(Exception):
            self._client.close(timeout=5)
