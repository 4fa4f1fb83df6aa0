"""The situation: who stands where, how strong, and how far from what matters."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from functools import cached_property
from typing import NamedTuple

from ..hexes import Hex, HexMask, members
from ..kernel.position import Position, View
from ..kernel.table import Counter
from .doctrine import doctrine_of
from .lay import FAR, Lay, lay_of
from .tuning import Side, Tuning, tuning

_FIGURE = re.compile(r"(?:^|-)\(?(\d+|\?)")
"""A figure, with or without brackets, at the beginning or after a dash."""


class Piece(NamedTuple):
    """A unit on the map, as a player sees it."""

    id: str
    side: str
    hex: Hex
    attack: float
    defence: float
    movement: float
    steps: int
    worth: float
    """What one step of it is worth."""
    symbol: str
    formation: str


def _figures(counter: Counter, tuned: Tuning) -> tuple[float, float, float]:
    """Attack, defence and movement as printed: two figures are strength and movement."""
    numbers = [tuned.unknown if found == "?" else float(found) for found in _FIGURE.findall(counter.figures)]
    if not numbers:
        return 0.0 if counter.figures else tuned.unknown, tuned.unknown, tuned.reach
    movement = tuned.reach or numbers[-1]
    attack = numbers[0]
    if tuned.by_steps:
        return attack * counter.steps, attack * counter.steps, movement
    return attack, numbers[1] if len(numbers) > 2 else attack, movement


_PIECES: dict[tuple[Hashable, ...], Piece] = {}
"""Pieces read before, by all that they are read from."""


class Situation:
    """A view or position, read once."""

    def __init__(self, seen: View | Position, side: str) -> None:
        self.seen = seen
        self.game = seen.game
        self.side = side
        self.enemy = next(s for s in seen.game.sides if s != side)
        self.tuned = tuning(seen.game.id)
        self.doctrine = doctrine_of(seen.game.id)
        self.style: Side = self._style(side)
        self.lay: Lay = lay_of(seen.map, seen.game.id)
        self.grid = seen.map.grid
        self.table = seen.table()
        self.pieces: dict[str, Piece] = {}
        self.at: dict[Hex, list[Piece]] = {}
        self.occupied: dict[str, HexMask] = dict.fromkeys(seen.game.sides, 0)
        self.cut_off: set[str] = set()
        for counter in self.table.counters:
            if counter.hex and counter.side in self.occupied:
                self._add(counter)

    def _style(self, side: str) -> Side:
        return self.doctrine.style(self.seen, side, self.tuned.side(side))

    def _add(self, counter: Counter) -> None:
        h = self.grid.hex(counter.hex)
        key = (
            self.seen.game.id, h, counter.id, counter.side, counter.steps, counter.full_steps, counter.figures,
            counter.symbol, counter.formation,
        )  # fmt: skip
        piece = _PIECES.get(key)
        if piece is None:
            if len(_PIECES) > 50_000:
                _PIECES.clear()
            piece = _PIECES[key] = self._piece(counter, h)
        self.pieces[piece.id] = piece
        if "unsupplied" in counter.states:
            self.cut_off.add(piece.id)
        self.at.setdefault(piece.hex, []).append(piece)
        self.occupied[piece.side] |= 1 << piece.hex

    def _piece(self, counter: Counter, h: Hex) -> Piece:
        attack, defence, movement = _figures(counter, self.tuned)
        worths = self.tuned.side(counter.side).worth
        worth = worths.get(counter.symbol, max(attack, defence) / max(counter.full_steps, 1))
        symbol, formation = counter.symbol, counter.formation
        return Piece(counter.id, counter.side, h, attack, defence, movement, counter.steps, worth, symbol, formation)

    def of(self, side: str) -> list[Piece]:
        """The units of a side on the map."""
        return [piece for piece in self.pieces.values() if piece.side == side]

    @cached_property
    def zones(self) -> dict[str, HexMask]:
        """Zones of control of both sides."""
        return {side: self.grid.mask(self.seen.zoc(side)) for side in self.seen.game.sides}

    @cached_property
    def objectives(self) -> dict[Hex, float]:
        """The hexes that matter, with their worth, whoever holds them."""
        return self._objectives(self.style)

    def _objectives(self, style: Side) -> dict[Hex, float]:
        found = {self.grid.hex(n): worth for n, worth in style.objectives.items() if n in self.grid}
        game_map = self.seen.map
        for word, worth in style.goals.items():
            for h in members(game_map.places.get(word, 0) | game_map.terrain.get(word, 0)):
                found.setdefault(h, worth)
        return found

    @cached_property
    def goal(self) -> HexMask:
        """Where the side should go: objectives it does not hold, else the enemy."""
        return self._goal(self.side, self.enemy)

    def _goal(self, side: str, enemy: str) -> HexMask:
        style = self.style if side == self.side else self._style(side)
        wanted = sum(1 << h for h in self._objectives(style))
        missing = wanted & ~self.occupied[side]
        if style.posture == "attack" and missing:
            return missing
        return self.occupied[enemy] or missing or wanted

    def goal_of(self, side: str) -> dict[Hex, float]:
        """Marching distances from the goal of either side."""
        if side == self.side:
            return self.to_goal
        return self.lay.distances(self._goal(side, self.side))

    @cached_property
    def to_goal(self) -> dict[Hex, float]:
        """Marching distance of every hex from the goal."""
        return self.lay.distances(self.goal)

    @cached_property
    def to_objectives(self) -> dict[Hex, float]:
        """Marching distance of every hex from the objectives, or from the goal where there are none."""
        wanted = sum(1 << h for h in self.objectives)
        return self.lay.distances(wanted) if wanted else self.to_goal

    def far(self, h: Hex) -> float:
        """Distance of a hex from the goal."""
        return self.to_goal.get(h, FAR)


def cheapest(pieces: Iterable[Piece], steps: float) -> float:
    """What it costs to lose some steps when the owner chooses which."""
    total = 0.0
    for worth in sorted(worth for piece in pieces for worth in [piece.worth] * piece.steps):
        if steps <= 0:
            break
        total += worth * min(steps, 1.0)
        steps -= 1
    return total
