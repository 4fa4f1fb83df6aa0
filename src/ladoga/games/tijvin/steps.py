"""What a step of the turn is made of: the orders it allows, the refusals it speaks, what its orders do."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from ...kernel.chance import Chance
from ...kernel.orders import END, Order
from ...kernel.position import Refusal, passed

if TYPE_CHECKING:
    from .position import TijvinPosition

Orders = Callable[["TijvinPosition"], Iterable[Order]]
Refuses = Callable[["TijvinPosition", Order], Refusal | None]
Applies = Callable[["TijvinPosition", Order], None]
Picks = Callable[["TijvinPosition", random.Random], Order]


class Step(NamedTuple):
    """A step in which a side decides."""

    orders: Orders
    refusal: Refuses
    apply: Applies
    prompt: str | Callable[[TijvinPosition], str]
    random: Picks | None = None


class Roll(NamedTuple):
    """A step in which chance decides."""

    node: Callable[[TijvinPosition], Chance]
    apply: Applies


def number(order: Order) -> int:
    """The face of a die."""
    return int(order.words[0])


def wrong_verb(case: str, expected: str) -> Refusal:
    """The order belongs to another step."""
    return Refusal(case, f"now is the time to {expected}")


def pass_by(p: TijvinPosition, stage: str, following: str) -> None:
    """A phase in which nothing can be done goes by, and it is told."""
    p.stage = stage
    p.events = (*p.events, passed(p.phase))
    p.stage = following


def some(step_orders: Orders, ending: float) -> Picks:
    """A random choice that ends the step with a given probability where that is allowed."""

    def pick(p: TijvinPosition, rng: random.Random) -> Order:
        orders = list(step_orders(p))
        if orders[-1] == END and (len(orders) == 1 or rng.random() < ending):
            return END
        return rng.choice(orders)

    return pick
