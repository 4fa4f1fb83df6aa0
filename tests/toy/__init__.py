"""The Marsh: a seventh game in one folder, found like a family of its own through its entry point."""

from collections.abc import Mapping

from ladoga.kernel.game import Loader

from .game import Marsh

GAMES: Mapping[str, Loader] = {"marsh": Marsh}
