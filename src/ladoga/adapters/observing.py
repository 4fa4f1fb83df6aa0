"""What a side sees, as text and as numbers; made from its view, so hidden facts stay hidden.

The numbers are four short blocks:

- ``facts``: turn (share of all), the margin of the standing (squeezed between -1 and 1, for this side),
  whether this side is to speak, and one number for each side that is 1 for this side
- ``units``: for each counter by name, whether it is seen, whose it is, where (column and row as shares of
  the map), its strength left, and whether it has a state such as moved or out of supply
- ``hexes``: for each hex, counters of this side, of the other (also those only seen from behind) and markers
- ``order``: the words said so far of the order in the making, which only its giver knows
"""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ..kernel.game import load_game
from ..kernel.position import OBSERVER, View
from ..kernel.table import Counter
from .steps import Rules, Step, vocabulary

__all__ = ["Eye", "as_text", "shapes", "size"]

Numbers = npt.NDArray[np.float32]

UNIT_FIGURES = 6
HEX_FIGURES = 3


def shapes(rules: Rules) -> dict[str, tuple[int, ...]]:
    """The blocks of an observation and their shapes.

    >>> sorted(shapes(Rules("tijvin-1941")))
    ['facts', 'hexes', 'order', 'units']
    """
    words = rules.vocabulary
    return {
        "facts": (3 + len(rules.game.sides),),
        "units": (len(words.units), UNIT_FIGURES),
        "hexes": (len(words.hexes), HEX_FIGURES),
        "order": (len(words),),
    }


def size(rules: Rules) -> int:
    """How many numbers an observation has.

    >>> size(Rules("tijvin-1941")) == Eye(Rules("tijvin-1941")).flat(Rules("tijvin-1941").first(), "german").size
    True
    """
    return sum(math.prod(shape) for shape in shapes(rules).values())


def lead(view: View, side: str) -> float:
    """The margin of the standing in favour of a side, squeezed between -1 and 1."""
    standing = view.standing
    if standing.winner is None:
        return 0.0
    squeezed = math.tanh(abs(float(standing.margin)) / 20)
    return squeezed if standing.winner == side else -squeezed


@cache
def places(game_id: str) -> dict[str, tuple[float, float]]:
    """Where each hex lies, as shares of the width and height of the map."""
    grid = load_game(game_id).map.grid
    hexes = vocabulary(game_id).hexes
    centres = [grid.centre(grid.hex(number)) for number in hexes]
    left, top = min(x for x, _ in centres), min(y for _, y in centres)
    wide, high = max(x for x, _ in centres) - left or 1.0, max(y for _, y in centres) - top or 1.0
    return {number: ((x - left) / wide, (y - top) / high) for number, (x, y) in zip(hexes, centres, strict=True)}


class Eye:
    """Turns steps into numbers for one set of rules.

    >>> rules = Rules("tijvin-1941")
    >>> sorted(Eye(rules).blocks(rules.first(), "german"))
    ['facts', 'hexes', 'order', 'units']
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        words = rules.vocabulary
        self.unit_rows = {unit: row for row, unit in enumerate(words.units)}
        self.hex_rows = {number: row for row, number in enumerate(words.hexes)}
        self.places = places(rules.game.id)

    def blocks(self, step: Step, side: str, *, public: bool = True, private: bool = True) -> dict[str, Numbers]:
        """Each block by name. Without ``private`` only what an onlooker sees; without ``public`` only what
        an onlooker does not."""
        blocks = {name: np.zeros(shape, np.float32) for name, shape in shapes(self.rules).items()}
        if public:
            view = step.position.view(side if private else OBSERVER)
            self._facts(blocks["facts"], step, view, side)
            self._table(blocks["units"], blocks["hexes"], view, side)
        if private and step.mover == side:
            for number in self.rules.vocabulary.number(step.said):
                blocks["order"][number] = 1
        return blocks

    def flat(self, step: Step, side: str) -> Numbers:
        """All blocks one after the other."""
        return np.concatenate([block.ravel() for block in self.blocks(step, side).values()])

    def _facts(self, facts: Numbers, step: Step, view: View, side: str) -> None:
        game = self.rules.game
        facts[0] = min(1.0, view.turn / game.turns)
        facts[1] = lead(view, side)
        facts[2] = step.mover == side
        facts[3 + game.sides.index(side)] = 1

    def _table(self, units: Numbers, hexes: Numbers, view: View, side: str) -> None:
        table = view.table()
        for counter in table.counters:
            hex_row = self.hex_rows.get(counter.hex)
            if hex_row is not None:
                hexes[hex_row, 0 if counter.side == side else 1] += 1
            row = self.unit_rows.get(counter.id)
            if row is not None:
                units[row] = self._unit(counter, side)
        for marker in table.markers:
            marker_row = self.hex_rows.get(marker.hex)
            if marker_row is not None:
                hexes[marker_row, 2] += 1

    def _unit(self, counter: Counter, side: str) -> tuple[float, ...]:
        x, y = self.places.get(counter.hex, (-1.0, -1.0))
        owner = 1.0 if counter.side == side else -1.0
        return 1.0, owner, x, y, counter.steps / max(1, counter.full_steps), float(bool(counter.states))


def as_text(step: Step, side: str, *, public: bool = True, private: bool = True) -> str:
    """What a side knows, as one line of JSON.

    >>> '"turn":1' in as_text(Rules("tijvin-1941").first(), "german")
    True
    """
    shown: Any = {}
    mine = step.position.view(side).document() if private else {}
    seen = step.position.view(OBSERVER).document() if public or private else {}
    if private and public:
        shown = mine
    elif private:
        shown = _beyond(mine, seen)
    elif public:
        shown = seen
    if private and step.mover == side and step.said:
        shown = {**shown, "order": step.partial}
    return json.dumps(shown, sort_keys=True, separators=(",", ":")) if shown else ""


def _beyond(mine: dict[str, Any], seen: dict[str, Any]) -> dict[str, Any]:
    """What is in one document and not, or not so, in another."""
    more: dict[str, Any] = {}
    for key, value in mine.items():
        other = seen.get(key)
        if isinstance(value, dict) and isinstance(other, dict):
            inner = _beyond(value, other)
            if inner:
                more[key] = inner
        elif value != other:
            more[key] = value
    return more
