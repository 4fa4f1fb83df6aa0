"""Leningrad (1979) and its second edition (2010): one engine, each edition a folder of data."""

from collections.abc import Callable
from functools import partial

from ...kernel.game import Overlay
from .game import DATA, Leningrad

GAMES: dict[str, Callable[[Overlay | None], Leningrad]] = {
    name: partial(Leningrad, name)
    for name in ("leningrad-1979", "leningrad-2010")
    if (DATA / name / "game.yaml").exists()
}
