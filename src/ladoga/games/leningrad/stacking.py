"""Case 4.6: no more than three units in a hex, and what happens when there are; and with it the end of movement."""

from __future__ import annotations

from ...hexes import Hex, members
from ...kernel.orders import Order
from ...kernel.position import Refusal, forbid
from . import reinforcements, surprise
from .orders import end_phase, named_unit, wrong_phase
from .pieces import Slot
from .position import LeningradPosition


def overfull(pos: LeningradPosition, side: int) -> list[Hex]:
    """Hexes with more units of a side than may stand there (4.6)."""
    limit = pos.game.edition.tables.stacking.limit
    return [h for h in members(pos.crowd[side][2]) if len(pos.at[h]) > limit]


def warnings(pos: LeningradPosition) -> list[str]:
    """What the enemy would remove if the movement ended now (4.6)."""
    moving = pos.phase.id.endswith("movement") and all(item.at != "removal" for item in pos.agenda)
    crowded = overfull(pos, pos.mover) if moving else []
    if not crowded:
        return []
    limit = pos.game.edition.tables.stacking.limit
    surplus = sum(len(pos.at[h]) - limit for h in crowded)
    where = ", ".join(pos.ground.names[h] for h in crowded)
    return [f"More than {limit} units in {where}: the enemy destroys {surplus} of them when movement ends (4.6)"]


def why_not_end(pos: LeningradPosition) -> Refusal | None:
    """What must be done before the movement phase may end (16.5, 17.1, 17.2)."""
    return reinforcements.why_not_end(pos) or surprise.why_not_end_movement(pos)


def end_movement(pos: LeningradPosition, _: Order) -> None:
    """End a movement phase; the enemy first removes what stands over the limit (4.6)."""
    if overfull(pos, pos.mover):
        pos.active = {}
        pos.interrupt("removal", 1 - pos.mover)
    else:
        end_phase(pos, _)


def removal(pos: LeningradPosition, order: Order) -> Slot:
    """A unit that stands over the limit (4.6)."""
    slot = named_unit(pos, order)
    forbid(pos.hexes[slot] not in overfull(pos, pos.mover), "4.6", "{} is not in a hex over the stacking limit",
           pos.name(slot))  # fmt: skip
    return slot


def remove(pos: LeningradPosition, slot: Slot) -> None:
    """Destroy a unit that stands over the limit (4.6); when none does any more, the phase is over."""
    pos.eliminate(slot, "4.6")
    if not overfull(pos, pos.mover):
        pos.done()
        end_phase(pos, slot)


def removals_first(pos: LeningradPosition, order: Order) -> Refusal:
    """Nothing else happens before the units over the limit are gone (4.6)."""
    if order.verb == "end":
        return Refusal("4.6", "units over the stacking limit are removed first")
    return wrong_phase(pos, order)
