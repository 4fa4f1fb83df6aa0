"""Chapter 16, second half: German replacements (16.6 to 16.9)."""

from __future__ import annotations

from ...kernel.orders import Order
from ...kernel.position import Refusal, first_case
from .edition import GERMAN, SOVIET
from .orders import named_unit
from .pieces import Slot
from .position import LeningradPosition


def why_not_rebuilt(pos: LeningradPosition, slot: Slot) -> Refusal | None:
    """Why a unit gets no replacements now (16.6 to 16.8): not in cities and East Prussia, and by option in no Soviet
    city."""
    h, since, fought, ground = pos.hexes[slot], pos.since[slot], pos.fought >> slot & 1, pos.ground
    name, where, figures = pos.name(slot), ground.names.get(h, ""), pos.game.edition.tables.rebuilding
    here, fresh = 1 << h if h >= 0 else 0, pos.turn - since < 2
    shut = 0 if pos.options.rebuild_in_soviet_cities else ground.soviet_cities
    done = [s for s in range(len(pos.pieces)) if pos.moved >> s & 1 and (figures.of != "hex" or pos.hexes[s] == h)]
    return first_case(
        (pos.pieces[slot].side != GERMAN, "16.10", "only German units receive replacements"),
        (h < 0, "16.10", "{} is not on the map", name),
        (pos.steps[slot] != 1 or pos.pieces[slot].spec is None, "16.6", "{} is at full strength", name),
        (not here & ground.rebuild_hexes, "16.6", "{} is neither a city nor East Prussia, and nobody is rebuilt there",
         where),
        (here & shut, "16.6", "{} is a Soviet city, and nobody is rebuilt there", where),
        (fresh and fought, "16.9", "{} fought in {} on turn {}: a whole turn without a fight is needed", name, where,
         since),
        (fresh, "16.6", "{} has not spent a whole turn in {}", name, where),
        (pos.zone(SOVIET) & here, "16.7", "{} is in a Soviet zone of control", where),
        (here and not pos.supplied(slot), "16.6", "{} is out of supply", name),
        (len(done) >= figures.most, "16.8", "no more than {} units are rebuilt in a {}", figures.most, figures.of),
    )  # fmt: skip


def eligible(pos: LeningradPosition) -> list[Slot]:
    """German units that may be rebuilt now (16.6)."""
    return [slot for slot in pos.on_map(GERMAN) if pos.steps[slot] == 1 and why_not_rebuilt(pos, slot) is None]


def rebuilding(pos: LeningradPosition, order: Order) -> Slot | Refusal:
    """The unit that gets replacements (16.6)."""
    slot = named_unit(pos, order)
    return why_not_rebuilt(pos, slot) or slot


def rebuild(pos: LeningradPosition, slot: Slot) -> None:
    """Turn a unit to its full side (16.6)."""
    pos.set_steps(slot, 2)
    pos.disturb((slot,))
    pos.moved |= 1 << slot
    pos.rebuilt += 1
    pos.tell("rebuilt", "16.6", "{0} is rebuilt in {1}", pos.name(slot), pos.ground.names[pos.hexes[slot]])
