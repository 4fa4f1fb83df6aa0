"""Case 4.6: no more than three units in a hex, and what happens when there are."""

from __future__ import annotations

import random as _random
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...hexes import Hex, members
from ...kernel.orders import Order
from ...kernel.position import Refusal
from . import sequence
from .orders import named_unit, wrong_phase

if TYPE_CHECKING:
    from .position import LeningradPosition


def overfull(pos: LeningradPosition, side: int) -> list[Hex]:
    """Hexes with more units of a side than may stand there."""
    limit = pos.game.edition.tables.stacking.limit
    return [h for h in members(pos.crowd[side][2]) if len(pos.at[h]) > limit]


def warnings(pos: LeningradPosition) -> list[str]:
    """What the enemy would remove if the movement ended now (4.6)."""
    crowded = overfull(pos, pos.mover) if pos.phase.id.endswith("movement") and not pos.surplus else []
    if not crowded:
        return []
    limit = pos.game.edition.tables.stacking.limit
    surplus = sum(len(pos.at[h]) - limit for h in crowded)
    where = ", ".join(pos.ground.names[h] for h in crowded)
    return [f"More than {limit} units in {where}: the enemy destroys {surplus} of them when movement ends (4.6)"]


def end_movement(pos: LeningradPosition) -> None:
    """End a movement phase; the enemy first removes what stands over the limit (4.6)."""
    if overfull(pos, pos.mover):
        pos.active, pos.surplus = {}, True
    else:
        sequence.next_phase(pos)


def orders(pos: LeningradPosition) -> Iterable[Order]:
    """``remove UNIT`` for every unit of an overfull hex."""
    return [Order("remove", (pos.name(s),)) for h in overfull(pos, pos.mover) for s in pos.at[h]]


def orders_of(pos: LeningradPosition, unit: str) -> Iterable[Order]:
    """The orders that concern a unit."""
    return orders(pos)


def random(pos: LeningradPosition, rng: _random.Random) -> Order:
    """Some legal order."""
    return rng.choice(list(orders(pos)))


def refusal(pos: LeningradPosition, order: Order) -> Refusal | None:
    """Why a unit may not be removed."""
    if order.verb == "end":
        return Refusal("4.6", "units over the stacking limit are removed first")
    if order.verb != "remove":
        return wrong_phase(pos, order)
    slot = named_unit(pos, order)
    if isinstance(slot, Refusal):
        return slot
    if pos.hexes[slot] not in overfull(pos, pos.mover):
        return Refusal("4.6", f"{pos.name(slot)} is not in a hex over the stacking limit")
    return None


def apply(pos: LeningradPosition, order: Order) -> None:
    """Destroy a unit that stands over the limit."""
    pos.eliminate(pos.slot(order.units[0]), "4.6")
    if not overfull(pos, pos.mover):
        pos.surplus = False
        sequence.next_phase(pos)
