"""The library: the games that can be played, with the corrections they are played with."""

from __future__ import annotations

import gc
import json
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..kernel.game import Game, Overlay, as_judged, game_ids, load_game
from .store import Kept

KEPT_CORRECTED = 24
"""How many games with corrections stay loaded."""


class Library:
    """Games, plain or corrected: by a folder the server was started with, or by the overlay of a match."""

    def __init__(self, data: Path | None = None, data_game: str | None = None) -> None:
        self.data = data
        self.data_game = data_game
        self._corrected: OrderedDict[tuple[str, str], Game] = OrderedDict()
        self._settled: set[str] = set()
        """Games that are loaded for good."""

    def games(self) -> list[str]:
        """The ids of the games that can be played."""
        return game_ids()

    def as_played(self, game_id: str, overlay: Mapping[str, Any] | None, engine: str) -> Game:
        """A game with the figures and corrections that a match of some version was played with."""
        laid = self.game(game_id).overlay if overlay is None else overlay
        judged = as_judged(game_id, engine, laid)
        return self.game(game_id, overlay if judged == laid else judged)

    def game(self, game_id: str, overlay: Mapping[str, Any] | None = None) -> Game:
        """A game, with the given corrections, or else those the server was started with."""
        if overlay is not None:
            key = json.dumps(overlay, sort_keys=True)
            return self._loaded(game_id, key, overlay) if overlay else self._plain(game_id)
        if self.data is not None:
            own = self.data / game_id
            if own.is_dir():
                return self._loaded(game_id, str(own), own)
            if game_id == self.data_game:
                return self._loaded(game_id, str(self.data), self.data)
        return self._plain(game_id)

    def _plain(self, game_id: str) -> Game:
        """A game as it is printed. It stays as long as the process, so nobody looks through it for rubbish again."""
        game = load_game(game_id)
        if game_id not in self._settled:
            self._settled.add(game_id)
            gc.freeze()
        return game

    def _loaded(self, game_id: str, key: str, overlay: Overlay) -> Game:
        """A corrected game; the last few stay loaded."""
        game = self._corrected.get((game_id, key)) or load_game(game_id, overlay)
        self._corrected[game_id, key] = game
        self._corrected.move_to_end((game_id, key))
        while len(self._corrected) > KEPT_CORRECTED:
            self._corrected.popitem(last=False)
        return game

    def ground(self, kept: Kept | None) -> list[str]:
        """The game whose map lies on the table of a match and the map's boards, without opening the match; nothing
        if the match brings a map of its own."""
        if kept is None or "map" in (kept.position or {}):
            return []
        game_map = self.game(kept.game).map
        if self.as_played(kept.game, kept.overlay, kept.engine).map is not game_map:
            return []
        return [kept.game, *(board.name for board in game_map.grid.boards)]
