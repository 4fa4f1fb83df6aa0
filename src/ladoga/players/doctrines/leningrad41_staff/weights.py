"""What the plans of a side weigh: figures that follow from games, data in ``tuning/judgement/leningrad41.yaml``.

A temper may name any of them: it is multiplied then, as the words of the other doctrines are.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from ....games.leningrad41.counters import SIDES
from ....kernel.data import Strict
from ...judgement import Line, judged, on_turn, table


class Weights(Strict):
    """What things are worth to a side, and what it fears."""

    objective: float
    """An objective, of what it tells on the end by the turn."""
    enemy: float
    """An enemy unit, of the same."""
    own: float
    """A unit of its own, of the same."""
    engineer: float
    """How much more than its fire an engineer is worth: it takes the walls from those it storms (10.20)."""
    heavies: float
    """How much more than other units Soviet guns are worth."""
    leader: float
    """A leader."""
    pull: float
    """A movement point nearer to work."""
    first: float
    """The first unit in an objective where the enemy may come."""
    second: float
    """The second."""
    guard: float
    """Whether the far ends of bridges that the enemy can come to are kept."""
    demolish: float
    """The turn from which on bridges are brought down, before anything else is fired at."""
    posts: float
    """Objectives that get a unit at set-up."""
    skip: float
    """Objectives nearest to the enemy that do not."""
    edge: float
    """Whether a closed line is set up where one is tried."""
    lure: float
    """How much of what a storm promises draws units that have no part in the plan."""
    lure_reserve: float
    """The same, for the Front Reserve."""
    risk: float
    """How much of its worth a unit is taken to lose where the enemy can gather against it."""
    risk_reserve: float
    """The same, for the Front Reserve."""
    exposed: float
    """The same, for a unit in a storm."""
    led: float
    """Whether storms under a leader, of whoever is near him, are planned."""
    dear: float
    """What a point of fire in a storm could do elsewhere."""
    leaving: float
    """What it costs to leave an objective without a guard where the enemy may come."""
    scarce: float
    """What a unit is worth beyond its fire, where it may be shot on its way."""
    least: float
    """What a storm must be worth."""
    breach: float
    """What an objective is taken to cost that the enemy can walk into, of its worth."""
    near: float
    """What a point of fire could do elsewhere, of a unit next to the target."""
    far: float
    """The same, of guns."""
    ground: float
    """Any hex but an objective that is cleared."""
    vacated: float
    """An objective that is cleared and that nobody can enter at once, of its worth."""
    clear: float
    """What a unit in the line costs on clear ground."""
    urban: float
    """The same, in buildings."""
    heavy: float
    """The same, in an objective."""
    standing: float
    """How much less it costs where one stands already."""
    kept: float
    """What an objective behind the line is worth that the enemy would otherwise come next to."""


class Judgement(Strict):
    """The whole file."""

    forecast: dict[str, dict[str, Line]]
    """What things are worth at the end, by who is to march and by turn (``forecast``)."""
    prices: dict[str, Line]
    """What plans reckon with, by turn."""
    usual: Line
    """What plans weigh, as a rule ..."""
    staff: dict[str, Line]
    general: dict[str, Line]
    """... and where the staff and the general of a side weigh otherwise."""
    ways: dict[str, list[dict[str, float]]]
    """What the general of a side tries first when he has time."""
    words: dict[str, list[str]]
    """What he changes at random then."""
    enemies: dict[str, list[dict[str, float]]]
    """The tempers in which he expects the enemy to answer."""


class Prices(NamedTuple):
    """What things tell on the objectives that the Germans hold at the end, in the eyes of a plan."""

    held: float
    """An objective held now."""
    lost: float
    """A point of fire that the Germans have not lost."""
    units: float
    """A Soviet unit less."""


@cache
def prices(turn: int) -> Prices:
    """What things tell on a turn."""
    return on_turn(table(Prices, judgement().prices), turn)


@cache
def judgement() -> Judgement:
    """All that was found of this game."""
    return judged("leningrad41", Judgement)


def tempers(side: str) -> tuple[list[dict[str, float]], list[str], list[dict[str, float]]]:
    """For the general of a side: the ways that he tries first, the words that he changes then, and the tempers of his
    enemies."""
    known = judgement()
    return known.ways[side], known.words[side], known.enemies[side]


def weights(kind: str, side: int, bias: Mapping[str, float]) -> Weights:
    """The weights of a kind of player for a side, in a temper."""
    return _changed(kind, side, tuple(sorted(bias.items())))


@lru_cache(maxsize=64)
def _changed(kind: str, side: int, bias: tuple[tuple[str, float], ...]) -> Weights:
    own: Line = getattr(judgement(), kind)[SIDES[side]]
    known = {**judgement().usual, **own}
    return Weights(**known | {name: factor * known[name] for name, factor in bias if name in known})
