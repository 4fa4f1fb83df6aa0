"""Doctrine: what the staff knows about one game beyond the figures of its tuning.

A game whose decisions the common method does not fit (activations, fire, hidden strength, two linked
maps) has a module in the folder ``doctrines``, named like its family in ``games``; the others are played
by the common method alone.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from ..hexes import Hex
from ..kernel.game import load_game
from ..kernel.orders import Order
from ..kernel.position import Position, View
from .tuning import Side

if TYPE_CHECKING:
    from .front import Body, Front
    from .staff import StaffPlayer


class Race(NamedTuple):
    """How ways to fight are compared."""

    breadth: float = 1.0
    """How many times the usual number of orders is played in the mind."""
    lucks: int = 1
    """On how many dice ways to fight are compared before the worse half of them is dropped."""
    doubt: float = 1.0
    """How much better than the staff's a way must come out to be preferred."""
    parts: bool = True
    """Whether parts of an army can fight in a way of their own."""
    varied: int = 0
    """On how many dice a way, or a change of the best one, must come out better than the best; with 0 ways race
    against one another, and none is changed."""


class Doctrine:
    """The common method, with nothing of its own. A game's doctrine overrides what it knows better."""

    front: type[Front] | None = None
    """A kind of front of its own, where the common one does not fit."""

    def style(self, seen: View | Position, side: str, tuned: Side) -> Side:
        """How a side should be played now: its tuning, changed by turn, weather or score."""
        return tuned

    def boldness(self, view: View) -> float:
        """How much more, or less, than by its tuning the enemy's losses count for the staff at this moment."""
        return 1.0

    def scripts(self, side: str) -> Mapping[str, Mapping[str, float]]:
        """Ways to fight a turn that a player who searches should try, besides the staff's own: what each
        multiplies the weights of the tuning by. None of its own means those that suit any game."""
        return {}

    def varied(self, view: View, way: Mapping[str, float], rng: random.Random) -> dict[str, float]:
        """A way to fight the turn like another, with something changed."""
        return dict(way)

    def moment(self, view: View) -> Hashable | None:
        """The decision that deserves thinking ahead; a player who searches thinks whenever it changes.

        None where there is none, or where the common method knows when to think."""
        return None

    def order(self, staff: StaffPlayer, view: View, rng: random.Random) -> Order | None:
        """An order for which the list of all legal orders is not needed; None goes on with the list.

        The order must be legal. What the doctrine has to remember of a phase it keeps in ``staff.notes``."""
        return None

    def advice(self, staff: StaffPlayer, view: View, orders: Sequence[Order], rng: random.Random) -> Order | None:
        """An order for a decision that this game knows better; None leaves it to the common method.

        The order must be legal, and ``staff.reason`` should say why in one line."""
        return None

    def race(self, side: str) -> Race:
        """How a player who searches compares ways to fight."""
        return Race()

    def horizon(self, view: View) -> int:
        """How many turns a player who searches looks ahead from a moment."""
        return 1

    def occasion(self, position: Position) -> Hashable | None:
        """What is to be rolled for. In playouts on the same luck the same occasion has the same roll, whatever was
        rolled before; None leaves it to the order of the rolls."""
        return None

    def luck(self, position: Position, roll: Order, side: str) -> float:
        """What a roll of a playout gives a side above the mean of all rolls, where the doctrine knows it exactly."""
        return 0.0

    def judge(self, position: Position, side: str) -> float | None:
        """How well a side stands at the end of a playout; None leaves it to the common judgement."""
        return None

    def drafted(self, view: View) -> bool:
        """Whether this is a phase of movement for which the doctrine has drafts that a plan begins with."""
        return False

    def drafts(self, view: View, temper: Mapping[str, float]) -> list[list[Order]]:
        """The moves of a phase by which the staff would go in some temper, for a plan to begin with."""
        return []

    def standing(self, front: Front, body: Body, h: Hex) -> float:
        """What it is worth to a body of units to stand in a hex, beyond what the common method sees."""
        return 0.0


@cache
def doctrine_of(game_id: str) -> Doctrine:
    """The doctrine of a game, from the module named like the family of the game, if there is one."""
    family = type(load_game(game_id)).__module__.split(".")[-2]
    if find_spec(f".doctrines.{family}", __package__) is None:
        return Doctrine()
    made: Doctrine = import_module(f".doctrines.{family}", __package__).doctrine(game_id)
    return made
