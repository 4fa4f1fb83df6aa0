"""What the chapters share: a die that has been read, and what a moment says to orders that belong elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ...hexes import NOWHERE, Hex
from ...kernel.orders import END, Order
from ...kernel.position import Refusal
from ...kernel.sequence import Action
from .position import TijvinPosition

Actions: TypeAlias = "dict[str, Action[TijvinPosition, Any]]"
"""What each verb does at a decision."""


def number(order: Order) -> int:
    """The face of a die."""
    return int(order.words[0])


TOO_FULL = "more than {} factors would stand there"


def hex_of(p: TijvinPosition, order: Order) -> Hex:
    """The first hex that an order names, if the map has it."""
    return path_of(p, order)[0]


def path_of(p: TijvinPosition, order: Order) -> tuple[Hex, ...]:
    """The hexes that an order names, ``NOWHERE`` for what the map has not."""
    return tuple([p.ground.grid.by_number.get(number, NOWHERE) for number in order.hexes])


def wrong_verb(case: str, expected: str) -> Refusal:
    """The order belongs to another step."""
    return Refusal(case, f"now is the time to {expected}")


def whenever(
    verb: str, why_not: Callable[[TijvinPosition], Refusal | None], then: Callable[[TijvinPosition], None]
) -> Action[TijvinPosition, Order]:
    """A verb that stands alone and may be given as long as nothing speaks against it."""
    return Action.unless(verb, why_not, lambda p, _: then(p))


def ending(then: Callable[[TijvinPosition], None]) -> Action[TijvinPosition, Order]:
    """The end of what is in hand, which is always open."""
    return Action.plain(END.verb, lambda p, _: then(p))
