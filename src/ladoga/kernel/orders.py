"""Orders as values, and as text that reads back to the same value.

An order is a verb, the units it concerns, the hexes it goes through or aims at, and words. Its
text joins units with ``+`` and hexes with ``-``:

>>> str(Order("move", ("1/41", "6/41"), ("0211", "0312")))
'move 1/41+6/41 0211-0312'
>>> grammar = Grammar([Verb("move", "units hexes", "move a unit or stack"), Verb("end", "", "end the phase")])
>>> grammar.parse("move 1/41+6/41  0211-0312")
Order(verb='move', units=('1/41', '6/41'), hexes=('0211', '0312'), words=())
>>> grammar.parse("halt")
Traceback (most recent call last):
...
ladoga.kernel.errors.BadOrder: there is no order 'halt'; orders are: move, end
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from pathlib import Path

import msgspec

from ..hexes import Grid, Hex, HexMask, chosen, members
from .data import Strict, load
from .errors import BadOrder

__all__ = ["Grammar", "Order", "Role", "Verb"]


class Order(msgspec.Struct, frozen=True, order=True, gc=False):
    """What a player (or chance) does next. A plain value: cheap to make, so that lists of hundreds are.

    >>> order = Order("move", ("1/41",), ("0403",))
    >>> str(order), order.units
    ('move 1/41 0403', ('1/41',))
    """

    verb: str
    units: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [self.verb]
        if self.units:
            parts.append("+".join(self.units))
        if self.hexes:
            parts.append("-".join(self.hexes))
        parts += self.words
        return " ".join(parts)


END = Order("end")
"""The order that ends a phase."""


def relisted(
    orders: Sequence[Order], before: HexMask, now: HexMask, order_to: Callable[[Hex], Order]
) -> Sequence[Order]:
    """The orders to each hex of a set, of those to each hex of another that differs from it in few.

    >>> there = [Order("move", ("a",), (number,)) for number in ("0101", "0102", "0103")]
    >>> [order.hexes for order in relisted(there[:2], 0b011, 0b110, there.__getitem__)]
    [('0102',), ('0103',)]
    """
    changed, known = before ^ now, before
    if not changed:
        return orders
    found = list(orders)
    while changed:
        h = changed.bit_length() - 1
        changed ^= 1 << h
        place = (known & (1 << h) - 1).bit_count()
        if known >> h & 1:
            del found[place]
        else:
            found.insert(place, order_to(h))
        known ^= 1 << h
    return found


NOTHING = Order("")
"""Stands where no order has been made yet."""


class OrdersTo:
    """The orders of units to the hexes of a map, each made once, so that lists of thousands cost little.

    >>> from ladoga.hexes import Board, Grid
    >>> grid = Grid([Board("marsh", columns=(1, 3), rows=(1, 3))])
    >>> orders = OrdersTo(grid)
    >>> [str(order) for order in orders.each("move", "fox", grid.mask(["0101", "0102"]))]
    ['move fox 0101', 'move fox 0102']
    """

    def __init__(self, grid: Grid) -> None:
        self.named = [(grid.number(h),) if grid.all >> h & 1 else ("",) for h in range(grid.size)]
        """By its bit each hex as orders name it."""
        self._known: dict[tuple[str, str, tuple[str, ...]], tuple[HexMask, list[Order]]] = {}

    def row(self, verb: str, unit: str, hexes: HexMask, words: tuple[str, ...] = ()) -> list[Order]:
        """By their bits the orders of a unit to some hexes at least."""
        key = (verb, unit, words)
        made, every = self._known.get(key) or (0, [NOTHING] * len(self.named))
        if hexes & ~made:
            units = (unit,)
            for h in members(hexes & ~made):
                every[h] = Order(verb, units, self.named[h], words)
            self._known[key] = (made | hexes, every)
        return every

    def each(self, verb: str, unit: str, hexes: HexMask, words: tuple[str, ...] = ()) -> list[Order]:
        """An order of a unit for each hex of a set."""
        return list(chosen(self.row(verb, unit, hexes, words), hexes))


FEW = 6
"""Hexes in which sets may differ to be listed one from the other."""


class Role(StrEnum):
    """What a verb is for, the same in every game; nobody outside a family knows how its verbs are spelled.

    >>> import ladoga
    >>> position = ladoga.load("leningrad-1979").start()
    >>> {position.game.role(order) for order in position.legal} <= set(Role)
    True
    """

    GO = "go"
    """Move by points; the hexes are where units go."""
    ENTER = "enter"
    """Come onto the map."""
    BID = "bid"
    """Bid points for a side, before the game."""
    PLACE = "place"
    """Be set up."""
    RETREAT = "retreat"
    ADVANCE = "advance"
    AIM = "aim"
    """Choose what is attacked."""
    JOIN = "join"
    """Take part in the attack being put together."""
    COMMIT = "commit"
    """Make the attack as it was put together."""
    STRIKE = "strike"
    """Aim, join and commit in one order."""
    SUPPORT = "support"
    """Put special weapons in: air units into a fight, or over a hex."""
    CALL = "call"
    """Call up a headquarters, whose units then act."""
    LOSE = "lose"
    """Choose what a loss falls on."""
    CHOOSE = "choose"
    """Anything else that is decided."""
    END = "end"
    """End the phase, or decline the choice in hand."""
    WAIT = "wait"
    """Let things be."""
    CANCEL = "cancel"
    """Give up the attack being put together."""
    CHANCE = "chance"
    """What dice and draws bring."""


@dataclass(frozen=True, slots=True)
class Verb:
    """One kind of order. ``slots`` says what follows the verb, in order, each ``units``, ``hexes``
    or ``word``; ``?`` marks a slot that may be left out, ``words`` takes all the rest. ``unit`` and ``hex`` say in
    the usage that the rules want one, and refuse more; ``phase`` is a word that names a phase.

    >>> Verb("slink", "unit hex", "go to the next hex", Role.GO).usage
    'slink UNIT HEX'
    """

    name: str
    slots: str
    help: str
    role: Role = Role.CHOOSE
    said: str = ""
    """What a button says that gives such an order, where the role does not say it: wordings parted by ``|``, of which
    the first counts whose holes the order fills: ``{units}``, ``{hex}`` (its last), ``{word}``, ``{name}`` (a word that
    names a unit); ``{=0}`` wants that word and stands for nothing."""

    @property
    def usage(self) -> str:
        """``move UNITS HEXES``."""
        return " ".join([self.name, *(_USAGE[s.rstrip("?")] + "?" * s.endswith("?") for s in self.slots.split())])

    @property
    def kinds(self) -> list[str]:
        """The slots as orders are read: one unit is a list of units."""
        return [_KINDS.get(slot, slot) for slot in self.slots.split()]


def _shapes(verb: Verb) -> frozenset[tuple[bool, bool, int]]:
    """All that may follow a verb: whether units and hexes, and how many words."""
    slots = verb.kinds
    units, hexes = (
        (True,) if kind in slots else (False, True) if f"{kind}?" in slots else (False,) for kind in ("units", "hexes")
    )
    least = slots.count("word")
    most = 99 if "words" in slots else least + slots.count("word?")
    return frozenset(product(units, hexes, range(least, most + 1)))


_KINDS = {"unit": "units", "hex": "hexes", "phase": "word", "phase?": "word?"}
_USAGE = {"unit": "UNIT", "units": "UNIT+UNIT", "hex": "HEX", "hexes": "HEX-HEX", "word": "WORD", "words": "WORDS",
          "phase": "PHASE"}  # fmt: skip


class VerbEntry(Strict):
    """A verb as a data file writes it."""

    help: str
    takes: str = ""
    role: Role = Role.CHOOSE
    said: str = ""


class Grammar:
    """The verbs of a game, and the way back from text to order. In every game ``end`` may name the phase it ends:

    >>> Grammar([Verb("end", "", "end the phase")]).parse("end german-combat").words
    ('german-combat',)
    """

    def __init__(self, verbs: Iterable[Verb], hex_pattern: str = r"\d{4}") -> None:
        self.verbs = {v.name: replace(v, slots="phase?") if v.name == END.verb else v for v in verbs}
        self._hex = re.compile(hex_pattern)
        self._shapes = {name: _shapes(verb) for name, verb in self.verbs.items()}
        self._spelled = {role: tuple(name for name, verb in self.verbs.items() if verb.role == role) for role in Role}

    @classmethod
    def read(cls, file: Path, hex_pattern: str = r"\d{4}") -> Grammar:
        """The verbs of a data file, in its order."""
        entries = load(file, dict[str, VerbEntry])
        return cls((Verb(name, v.takes, v.help, v.role, v.said) for name, v in entries.items()), hex_pattern)

    def spelled(self, *roles: Role) -> frozenset[str]:
        """The verbs that are for one of these things.

        >>> verbs = [Verb("march", "unit hex", "", Role.GO), Verb("sail", "unit hex", "", Role.GO)]
        >>> sorted(Grammar(verbs).spelled(Role.GO))
        ['march', 'sail']
        """
        return frozenset(name for role in roles for name in self._spelled[role])

    def verb(self, role: Role) -> str:
        """The first verb that is for something; none where the game has no such thing."""
        return next(iter(self._spelled[role]), "")

    def fits(self, order: Order) -> bool:
        """Whether an order has the parts its verb takes: what ``parse`` could have made.

        >>> Grammar([Verb("end", "", "end the phase")]).fits(Order("end", ("12",)))
        False
        """
        named = order.units
        shape = (bool(named), bool(order.hexes), len(order.words))
        return shape in self._shapes.get(order.verb, ()) and (len(named) < 2 or len(set(named)) == len(named))

    def parse(self, text: str) -> Order:
        """The order a text stands for; says what was expected where it stands for none."""
        if not isinstance(text, str):
            raise BadOrder(f"an order is a line of text, not {text!r}")
        tokens = text.split()
        if not tokens:
            raise BadOrder("an empty line is not an order")
        verb = self.verbs.get(tokens[0].lower())
        if verb is None:
            raise BadOrder(f"there is no order {tokens[0]!r}; orders are: {', '.join(self.verbs)}")
        rest = tokens[1:]
        units: tuple[str, ...] = ()
        hexes: tuple[str, ...] = ()
        words: tuple[str, ...] = ()
        for slot in verb.kinds:
            kind, optional = slot.rstrip("?"), slot.endswith("?")
            if kind == "words":
                words += tuple(rest)
                rest = []
                continue
            if not rest:
                if optional:
                    continue
                raise BadOrder(f"{verb.name} needs more: {verb.usage}")
            if kind == "hexes":
                candidate = tuple(rest[0].split("-"))
                if not all(self._hex.fullmatch(n) for n in candidate):
                    if optional:
                        continue
                    raise BadOrder(f"{rest[0]!r} is not a hex or a path of hexes: {verb.usage}")
                hexes = candidate
            elif kind == "units":
                units = tuple(rest[0].split("+"))
                if not all(units) or len(set(units)) != len(units):
                    raise BadOrder(f"{rest[0]!r} is not a list of different units: {verb.usage}")
            else:
                words += (rest[0],)
            rest = rest[1:]
        if rest:
            raise BadOrder(f"{' '.join(rest)!r} is too much: {verb.usage}")
        return Order(verb.name, units, hexes, words)
