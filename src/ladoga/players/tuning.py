"""What a player knows about a game beforehand: one small file a game, in the folder ``tuning``.

Nothing here is a rule. The files say what is worth having, how ground delays and shelters, and how
bold a side should be; a game without a file is played with the defaults.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from ..kernel.data import Strict, load

FOLDER = Path(__file__).parent / "tuning"

Posture = Literal["attack", "defend"]


class Ground(Strict):
    """How the map looks to a marching unit."""

    terrain: dict[str, float] = {}
    """Movement points to enter a terrain, 1 where nothing is said."""
    shelter: dict[str, float] = {}
    """What a terrain or place multiplies a defender's strength by."""
    roads: dict[str, float] = {}
    """Movement points along a hexside kind, whatever the terrain."""
    rivers: dict[str, float] = {}
    """Extra movement points across a hexside kind."""
    barred: list[str] = []
    """Hexside kinds that nobody crosses."""
    links: str = ""
    """Place words that begin so name the hex of another board they are linked with."""


class Results(Strict):
    """What combat result codes mean, in steps and ground."""

    split: str = "/"
    """What parts the defender's half of a code from the attacker's."""
    attacker_first: bool = False
    whole: dict[str, tuple[str, str]] = {}
    """Codes without a split: the defender's half and the attacker's."""
    each: bool = False
    """Codes have one letter for each defending unit, and never hurt the attacker."""
    steps: dict[str, float] = {}
    """Steps that a half of a code costs the side it hits, retreats counted as parts of a step."""
    frees: dict[str, float] = {}
    """How likely a half of a code clears the defender's hex."""
    takes: dict[str, int] = {}
    """Steps with which a half of a code can be paid for in full, instead of giving way."""
    stubborn: float = 1.0
    """What multiplies the chance that a hex is cleared if its defenders have more steps than that."""


class Side(Strict):
    """How a side should be played. Worth is counted in points of strength."""

    posture: Posture = "attack"
    objectives: dict[str, float] = {}
    """Hexes worth having (attack) or keeping (defence), and what each is worth."""
    goals: dict[str, float] = {}
    """Words for places or terrain that are worth having wherever they are."""
    stack: int = 3
    """Units a hex holds."""
    worth: dict[str, float] = {}
    """What a step of a unit with some symbol is worth; its strength where nothing is said."""
    points: float = 0.5
    """How much a victory point on the table counts."""
    boldness: float = 1.0
    """How much the enemy's losses count against its own."""
    least: float = 0.0
    """What an attack must be worth to be made."""
    push: float = 1.0
    """How much ground towards the objectives counts."""
    halt: float = 0.0
    """Movement points from the goal at which an attacker waits for the rest of his army ..."""
    until: int = 0
    """... until this turn."""
    clearing: float = 0.5
    """How much an enemy left behind counts against one ahead."""
    safety: float = 1.0
    """How much it fears to be attacked at good odds."""
    cover: float = 1.0
    """How much it wants a front without gaps."""
    shelter: float = 0.3
    """How much it likes good ground under its feet."""
    supply: float = 1.0
    """How much it fears to be cut off."""
    leashed: bool = False
    """Whether even the simplest player keeps to its lines of supply: where units without one soon are lost."""
    together: float = 0.5
    """How much units of one formation want to stand together."""
    sources: list[str] = []
    """Words for places where its supply comes from."""
    roads: list[str] = []
    """Hexside kinds that carry supply; none means that it travels over any open ground."""
    carry: int = 5
    """Hexes that supply travels from a road to a unit."""
    set_up: list[str] = []
    """Hexes to prefer when setting up, most important first."""
    prefer: dict[str, float] = {}
    """Verbs and what giving such an order is worth in itself."""


class Expectation(Strict):
    """What the designer's notes lead one to expect of a game between good players."""

    text: str
    side: str
    by: int
    """The last turn by which it should have come about."""
    hexes: list[str]
    """Where a unit of the side should have stood."""


class Tuning(Strict):
    """All that is tuned for one game."""

    ground: Ground = msgspec.field(default_factory=Ground)
    results: Results = msgspec.field(default_factory=Results)
    sides: dict[str, Side] = {}
    expect: list[Expectation] = []
    unknown: float = 3.0
    """Strength to expect of a unit nobody has seen."""
    by_steps: bool = False
    """A unit fights with its steps, times its first figure."""
    reach: float = 0.0
    """Movement allowance where counters do not print it as their last figure."""
    bid: float = 0.0
    """Points to give away for the side that players bid for, where they do."""

    def side(self, name: str) -> Side:
        """The tuning of a side."""
        return self.sides.get(name, _DEFAULT)


_DEFAULT = Side()


@cache
def tuned(game_id: str) -> bool:
    """Whether anything is known about how a game is played well."""
    return (FOLDER / f"{game_id}.yaml").exists()


@cache
def tuning(game_id: str) -> Tuning:
    """The tuning of a game."""
    if not tuned(game_id):
        return Tuning()
    loaded: Tuning = load(FOLDER / f"{game_id}.yaml", Tuning)
    return loaded
