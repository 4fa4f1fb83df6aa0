"""What a planner may ask of a game: where units get, what blows are worth, who is fed, what the points are.

A prospect is built from a view and answers in plain integers and floats over masks of hexes. ``Prospect`` is made of
the contract alone and serves any game, slowly and roughly; a family that knows better has a module ``prospect`` with
a subclass named ``PROSPECT`` in its folder, and ``prospect_of`` finds it there.

A planner moves counters in its mind, so most questions are asked about a ``Stand``: who stands where. Units are numbers
(their place in ``units``), sides are numbers too (their place in ``game.sides``). What a family should override, most
important first:

- ``reach`` (this phase, from the position as it is) and ``march`` (a unit's next movement phase, if all stood so);
- ``blow``: what an attack comes to, exactly, in points of the final score; ``near``: from where a hex is attacked;
- ``prices``: what each step of a unit is worth in that score, by turn; ``objectives``: the same for hexes;
- ``post``: what it is worth in itself that a unit stands in a hex (tempo, garrisons); ``standing``: what is not of
  single units;
- ``unfed``: who would be out of supply; ``lines``: the hexes that would cut a unit off; ``zone``, ``room``;
- ``commands``, ``weapons``, ``must``: headquarters, special weapons, and what is not left to choice.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Hashable, Iterable, Mapping, Sequence
from copy import copy
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import msgspec

from ..hexes import Hex, HexMask, members
from .position import Position, View

__all__ = ["Blow", "Prospect", "Stand", "Unit", "prospect_of"]

_FIGURE = re.compile(r"(?:^|-)\(?(\d+|\?)")
"""A figure, with or without brackets, at the beginning or after a dash."""
UNKNOWN = 3.0
"""What a figure that is not known is taken to be."""
SPEED = 5.0
"""Movement of a unit without a printed figure."""
STACK = 3
"""Units in a hex, where the family does not say."""

UnitMask = int
"""A set of units, as bits."""
Memory = dict[Hashable, dict[Any, Any]]
"""What earlier readings of a board have worked out, kept by whoever reads it again and again."""


class Unit(msgspec.Struct, frozen=True, gc=False):
    """A unit on the map.

    >>> import ladoga
    >>> unit = prospect_of(ladoga.load("tijvin-1941").start().view("soviet")).units[0]
    >>> unit.number, unit.side, unit.steps > 0
    (0, 0, True)
    """

    number: int
    id: str
    side: int
    hex: Hex
    """-1 for a unit that is still to come."""
    attack: float
    defence: float
    speed: float
    steps: int
    symbol: str = ""
    formation: str = ""


class Stand:
    """Who stands where, in the mind. ``put`` changes it; ``copy`` is cheap.

    >>> import ladoga
    >>> prospect = prospect_of(ladoga.load("tijvin-1941").start().view("soviet"))
    >>> stand = Stand(prospect.units)
    >>> other = stand.copy()
    >>> other.put(0, prospect.units[0].side, -1)
    >>> stand.where[0] >= 0, other.where[0]
    (True, -1)
    """

    __slots__ = ("at", "held", "hungry", "where")

    def __init__(self, units: Iterable[Unit]) -> None:
        self.where: list[Hex] = []
        """The hex of each unit; -1 for one that is gone."""
        self.at: dict[Hex, tuple[int, ...]] = {}
        self.held: list[HexMask] = [0, 0]
        """For each side the hexes with units of it."""
        self.hungry: UnitMask = 0
        """Units taken to be out of supply."""
        for unit in units:
            self.where.append(unit.hex)
            if unit.hex >= 0:
                self.at[unit.hex] = (*self.at.get(unit.hex, ()), unit.number)
                self.held[unit.side] |= 1 << unit.hex

    def copy(self) -> Stand:
        """The same stand, to be changed."""
        new = Stand.__new__(Stand)
        new.where, new.at, new.held, new.hungry = self.where.copy(), self.at.copy(), self.held.copy(), self.hungry
        return new

    def put(self, number: int, side: int, h: Hex) -> None:
        """Set a unit on a hex, or take it away (-1)."""
        old = self.where[number]
        if old >= 0:
            left = tuple([n for n in self.at[old] if n != number])
            if left:
                self.at[old] = left
            else:
                del self.at[old]
                self.held[side] &= ~(1 << old)
        self.where[number] = h
        if h >= 0:
            self.at[h] = (*self.at.get(h, ()), number)
            self.held[side] |= 1 << h


class Blow(NamedTuple):
    """What an attack comes to on average, in points of the final score.

    >>> NOTHING.gain - NOTHING.loss
    0.0
    """

    gain: float
    """What the defender loses: steps, ground, order."""
    loss: float
    """What the attacker pays."""
    falls: float
    """The chance that the defenders are out of their hex."""
    dead: float
    """The share of the defenders that is destroyed."""


NOTHING = Blow(0.0, 0.0, 0.0, 0.0)


class Command(NamedTuple):
    """A headquarters or leader, how far its orders go, and who is under it."""

    unit: int
    range: float
    members: tuple[int, ...]


class Weapon(NamedTuple):
    """Something to be spent: air units, fleet, guns, forts, reserves."""

    kind: str
    ready: int
    hexes: HexMask
    """Where it may be spent; all hexes where this is negative."""


class Prospect:
    """The common reading of a board, made of the contract alone.

    >>> import ladoga
    >>> view = ladoga.load("tijvin-1941").start().view("soviet")
    >>> prospect = Prospect(view)
    >>> len(prospect.units) == len([c for c in view.table().counters if c.hex])
    True
    """

    games: frozenset[str] | None = None
    """Games of the family that are played by plan; all of them where none is named."""
    deep = True
    """Whether plans are worth comparing by what the enemy would plan against each."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.game = view.game
        self.grid = view.map.grid
        self.turn = view.turn
        self.last = view.game.scenarios[view.scenario].turns
        self.side = view.game.sides.index(view.side)
        self.position: Position = view.imagine(random.Random(0))
        self.units: list[Unit] = self._units()
        self.names = {unit.id: unit.number for unit in self.units}
        self.stand = Stand(self.units)
        self.stack = STACK
        self.imagined = False
        """Whether this is a look ahead (``turned``): units then reach what they could ``march``."""
        self.tokens = list(range(len(self.units)))
        """What stands for each unit in ``known``: units alike may share one."""
        self.known: dict[Hashable, Any] = {}
        """What has been worked out about blows, also on earlier readings of the board (``recall``)."""

    def turned(self, stand: Stand) -> Prospect:
        """The board as the enemy would see it at the beginning of his next turn, if all stood so."""
        new = copy(self)
        new.side, new.stand, new.imagined, new.known = 1 - self.side, stand, True, {}
        return new

    def recall(self, memory: Memory) -> None:
        """Go on with what earlier readings of the board have worked out; nothing in general."""

    def _units(self) -> list[Unit]:
        sides, found = self.game.sides, list[Unit]()
        for counter in self.view.table().counters:
            if counter.hex and counter.side in sides:
                numbers = [UNKNOWN if n == "?" else float(n) for n in _FIGURE.findall(counter.figures)]
                attack = numbers[0] if numbers else UNKNOWN
                defence = numbers[1] if len(numbers) > 2 else attack
                speed = numbers[-1] if len(numbers) > 1 else SPEED
                found.append(
                    Unit(
                        len(found), counter.id, sides.index(counter.side), self.grid.hex(counter.hex), attack, defence,
                        speed, counter.steps, counter.symbol, counter.formation,
                    )
                )  # fmt: skip
        return found

    # Ground -------------------------------------------------------------------------------------

    def near(self, h: Hex) -> HexMask:
        """The hexes from which units attack into a hex."""
        return self.grid.ring(1 << h)

    def zone(self, side: int, stand: Stand) -> HexMask:
        """The zones of control of a side."""
        return self.grid.ring(stand.held[side])

    def room(self, h: Hex, side: int, stand: Stand) -> int:
        """How many more units of a side a hex holds."""
        there = stand.at.get(h, ())
        if there and self.units[there[0]].side != side:
            return 0
        return self.stack - len(there)

    def fits(self, unit: int, h: Hex, stand: Stand) -> bool:
        """Whether a unit finds room in a hex."""
        return self.room(h, self.units[unit].side, stand) > 0

    def tied(self, side: int, stand: Stand) -> HexMask:
        """Hexes of a side that somebody must hold if others are to leave them."""
        return self.zone(1 - side, stand) & stand.held[side]

    def reach(self, unit: int) -> HexMask:
        """Where a unit can go now, its own hex not included; nothing when it cannot move."""
        if self.imagined:
            return self.march(unit, self.stand) & ~(1 << self.stand.where[unit]) if self.stand.where[unit] >= 0 else 0
        return self.grid.mask(self.position.reach((self.units[unit].id,)))

    def march(self, unit: int, stand: Stand) -> HexMask:
        """Where a unit could be at the end of its next movement, if all stood so; its own hex included."""
        piece, h = self.units[unit], stand.where[unit]
        barred, stops = stand.held[1 - piece.side], self.zone(1 - piece.side, stand)
        reached = frontier = 1 << h
        for _ in range(round(piece.speed)):
            frontier = self.grid.ring(frontier) & self.view.map.land & ~barred & ~reached
            reached |= frontier
            frontier &= ~stops
        return reached

    def under_way(self) -> UnitMask:
        """Units that have begun to move and must go on at once if they are to go on."""
        return 0

    # Supply -------------------------------------------------------------------------------------

    def unfed(self, side: int, stand: Stand, extra: HexMask = 0) -> UnitMask:
        """The units of a side that would be out of supply, with enemies in some ``extra`` hexes too; the contract tells
        only who is so now."""
        return self._unfed_now[side]

    @cached_property
    def _unfed_now(self) -> list[UnitMask]:
        found = [0, 0]
        for unit in self.units:
            if not self.view.supply(unit.id):
                found[unit.side] |= 1 << unit.number
        return found

    def lines(self, unit: int, stand: Stand) -> HexMask:
        """The hexes that would cut a unit off if an enemy stood in one of them, or next to it."""
        return self.grid.mask(n for n in self.view.supply(self.units[unit].id).path if n in self.grid)

    # Blows --------------------------------------------------------------------------------------

    def blow(self, units: Sequence[int], h: Hex, stand: Stand, support: int = 0) -> Blow:
        """What an attack of some units on a hex comes to; ``support`` counts special weapons in it."""
        defenders = stand.at.get(h, ())
        if not defenders or not units:
            return NOTHING
        attack = sum(self.units[n].attack for n in units) * (1.0 + 0.2 * support)
        ratio = attack / max(0.5, sum(self.units[n].defence for n in defenders))
        won = min(0.95, max(0.0, (ratio - 0.5) / 4.0))
        theirs, ours = (sum(sum(self.prices(n)) for n in some) for some in (defenders, units))
        return Blow(won * theirs, 0.3 * (1.0 - won) * ours, won, 0.5 * won)

    def ways_out(self, h: Hex, side: int, origins: HexMask, stand: Stand) -> tuple[HexMask, bool]:
        """Where those in a hex could retreat before a side that strikes from some hexes, and whether far enough."""
        safe = self.near(h) & self.view.map.land & ~stand.held[side] & ~self.zone(side, stand)
        return safe, bool(safe)

    def overrun(self, units: Sequence[int], h: Hex, stand: Stand, support: int = 0) -> Blow:
        """The same for a blow during movement."""
        return self.blow(units, h, stand, support)

    def support(self) -> int:
        """Special weapons that may still join attacks of the side to move."""
        return 0

    def final(self) -> bool:
        """Whether no turn of the enemy follows any more."""
        return False

    def fresh(self) -> UnitMask:
        """Units of our side that may still attack in this turn."""
        return sum(1 << unit.number for unit in self.units if unit.side == self.side)

    def targets(self) -> HexMask:
        """Hexes that may still be attacked in this turn; negative for all."""
        return -1

    def coming(self) -> dict[int, HexMask]:
        """Units of the enemy, in ``units`` but nowhere yet, that may come onto the map in his next movement, and where
        they could be after it."""
        return {}

    def pending(self) -> tuple[tuple[int, ...], Hex] | None:
        """The enemy's attack that is announced and to be answered: who attacks, and which hex."""
        return None

    # Points -------------------------------------------------------------------------------------

    def prices(self, unit: int) -> tuple[float, ...]:
        """What the loss of each step of a unit costs its owner, the next one first."""
        piece = self.units[unit]
        return (max(piece.attack, piece.defence) / max(1, piece.steps),) * piece.steps

    def objectives(self, side: int, turn: int) -> Mapping[Hex, float]:
        """Hexes that count in the final score, with what each is worth on a turn."""
        return {}

    def post(self, unit: int) -> Mapping[Hex, float]:
        """What it is worth to its side that a unit stands in a hex: nearness to its work, in points."""
        return {}

    def standing(self, stand: Stand) -> float:
        """What a stand is worth to our side beyond posts, blows and supply."""
        return 0.0

    def hunger(self, unit: int) -> float:
        """What it costs a side that a unit is out of supply."""
        return 0.3 * sum(self.prices(unit))

    def plight(self, unit: int, stand: Stand) -> float:
        """How much worse or better than usual it is for a unit out of supply: the further from it, the worse."""
        return 1.0

    # Peculiar to games ---------------------------------------------------------------------------

    def commands(self, side: int) -> list[Command]:
        """Headquarters or leaders of a side."""
        return []

    def weapons(self, side: int) -> list[Weapon]:
        """What a side has to spend."""
        return []

    def must(self, side: int) -> UnitMask:
        """Units that have to attack in this turn if they stand next to an enemy."""
        return 0

    def bound(self) -> UnitMask:
        """Units of ours that may not stay where they are in this phase of movement, wherever they can go."""
        return 0

    # Helps ---------------------------------------------------------------------------------------

    def piece(self, unit: int) -> Hashable:
        """What a unit is known by on later turns too; its name may change when it shows its face."""
        return self.units[unit].id

    def of(self, side: int) -> list[int]:
        """The units of a side."""
        return [unit.number for unit in self.units if unit.side == side]

    def names_of(self, hexes: HexMask) -> list[str]:
        """The printed numbers of some hexes."""
        return [self.grid.number(h) for h in members(hexes)]


@cache
def _kind_of(module: str) -> type[Prospect]:
    """The kind that lies beside a game's module, or in it if that is a whole package."""
    for family in (module, module.rpartition(".")[0]):
        package = sys.modules.get(family)
        if package is not None and hasattr(package, "__path__") and find_spec(f"{family}.prospect") is not None:
            kind: type[Prospect] = import_module(f"{family}.prospect").PROSPECT
            return kind
    return Prospect


def published(game: object) -> bool:
    """Whether the family of a game has a prospect of its own by which the game is played."""
    kind = _kind_of(type(game).__module__)
    return kind is not Prospect and (kind.games is None or getattr(game, "id", "") in kind.games)


def prospect_of(view: View) -> Prospect:
    """The prospect of a view, of the kind that the game's family publishes.

    >>> import ladoga
    >>> type(prospect_of(ladoga.load("leningrad-1979").start().view("german"))) is Prospect
    False
    """
    return _kind_of(type(view.game).__module__)(view)
