"""Chance: everything random is a node with exact outcomes, and dice that can be verified.

>>> DIE.outcomes[3]
(Order(verb='die', units=(), hexes=(), words=('4',)), Fraction(1, 6))
>>> dice = Dice(b"secret")
>>> [str(dice.roll(DIE, n)) for n in range(4)]
['die 1', 'die 5', 'die 1', 'die 4']
"""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from .errors import BadOrder
from .orders import Order

__all__ = ["Chance", "Dice", "die", "uniform", "weighted"]


@dataclass(frozen=True)
class Chance:
    """A chance node: what may happen and how likely it is. Probabilities add up to one.

    >>> throw = die()
    >>> throw.probability(Order("die", words=("4",)))
    Fraction(1, 6)
    >>> str(throw.outcome("4")), str(throw.at(Fraction(1, 2)))
    ('die 4', 'die 4')
    """

    title: str
    outcomes: tuple[tuple[Order, Fraction], ...]
    case: str = ""
    hidden_from: frozenset[str] = frozenset()
    """Sides (and ``observer``) that are not told the outcome."""
    even: bool = False
    """All outcomes equally likely, which lets ``sample`` be quick."""

    def __iter__(self) -> Iterator[tuple[Order, Fraction]]:
        return iter(self.outcomes)

    def probability(self, order: Order) -> Fraction:
        """How likely an outcome is; zero if it cannot happen."""
        return next((p for outcome, p in self.outcomes if outcome == order), Fraction(0))

    def outcome(self, label: str) -> Order:
        """The outcome a script names: its last word (``4``), or the whole order's text."""
        for order, _ in self.outcomes:
            if str(order) == label or _label(order) == label:
                return order
        known = ", ".join(_label(order) for order, _ in self.outcomes[:12])
        raise BadOrder(f"{label!r} cannot happen here ({self.title}); possible: {known}")

    def at(self, point: Fraction) -> Order:
        """The outcome at a point of the unit interval, outcomes laid end to end."""
        for order, probability in self.outcomes:
            if point < probability:
                return order
            point -= probability
        return self.outcomes[-1][0]

    def sample(self, rng: random.Random) -> Order:
        """One outcome, drawn with its probability."""
        if self.even:
            return self.outcomes[int(rng.random() * len(self.outcomes))][0]
        return self.at(Fraction(rng.random()))


def _label(order: Order) -> str:
    return (order.words or order.units or order.hexes or (order.verb,))[-1]


def uniform(title: str, orders: Iterable[Order], case: str = "", hidden_from: Iterable[str] = ()) -> Chance:
    """A chance node whose outcomes are equally likely.

    >>> [str(order) for order, _ in uniform("a lot", [Order("lot", words=(side,)) for side in ("fox", "heron")])]
    ['lot fox', 'lot heron']
    """
    every: Sequence[Order] = tuple(orders)
    each = Fraction(1, len(every))
    return Chance(title, tuple((order, each) for order in every), case, frozenset(hidden_from), even=True)


def weighted(
    title: str, weights: Iterable[tuple[Order, int]], case: str = "", hidden_from: Iterable[str] = ()
) -> Chance:
    """A chance node with whole-number weights, such as counters of a kind left in a cup.

    >>> cup = weighted("a cup", [(Order("draw", words=("white",)), 3), (Order("draw", words=("red",)), 1)])
    >>> cup.probability(cup.outcome("red"))
    Fraction(1, 4)
    """
    every = [(order, weight) for order, weight in weights if weight]
    total = sum(weight for _, weight in every)
    outcomes = tuple((order, Fraction(weight, total)) for order, weight in every)
    return Chance(title, outcomes, case, frozenset(hidden_from))


@lru_cache(maxsize=2_000)
def die(title: str = "a die", case: str = "", faces: int = 6) -> Chance:
    """The throw of one die.

    >>> len(die().outcomes), die("a long die", faces=10).probability(Order("die", words=("10",)))
    (6, Fraction(1, 10))
    """
    return uniform(title, [Order("die", words=(str(n),)) for n in range(1, faces + 1)], case)


DIE = die()


class Dice:
    """Verifiable randomness: outcome ``n`` of a game follows from a secret seed and ``n`` alone.

    The commitment (a hash of the seed) is published before the first roll, the seed after the
    last, so that everybody can check that nothing was chosen after the fact.

    >>> dice = Dice(b"a secret")
    >>> [str(dice.roll(die(), n)) for n in range(3)] == [str(Dice(b"a secret").roll(die(), n)) for n in range(3)]
    True
    >>> dice.commitment[:8]
    '984ca516'
    """

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed, in hexadecimal."""
        return hashlib.sha256(self.seed).hexdigest()

    def roll(self, chance: Chance, n: int) -> Order:
        """The ``n``-th outcome of the game."""
        digest = hmac.new(self.seed, str(n).encode(), hashlib.sha256).digest()
        return chance.at(Fraction(int.from_bytes(digest), 1 << 256))
