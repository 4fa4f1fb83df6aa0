"""Some legal order, quickly: what chance draws at each decision. No rule stands here.

Everything drawn is legal by the way it was found, so most of it comes with its plan and is not judged again. Moves are
mostly short ways; now and then the kernel draws from the list instead (``LISTED``), in movement from that of one unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ...hexes import Hex, HexMask, mask_of, nth, pick
from ...kernel.orders import END, Order
from ...kernel.position import CANCEL
from ...kernel.sequence import Planned
from . import air, arrivals, inset, listing, movement
from . import attack as attacks
from .figures import SOVIET
from .movement import March
from .orders import Placement
from .pending import Target
from .reach import Mover
from .state import State

STROLL = 7
"""How many steps a random march takes at most."""
TRANSFERS = 0.2
"""How often a unit in the city is transferred and not moved."""


def placement(pos: State, rng: Random) -> Planned | Order:
    """Some unit in some hex."""
    waiting = arrivals.unplaced(pos)
    if not waiting:
        return END
    index = rng.choice(waiting)
    h = pick(arrivals.set_up_hexes(pos, index), rng)
    return Planned(_order(pos, "place", index, (h,)), arrivals.place, Placement(index, h))


def bombing(pos: State, rng: Random) -> Planned | Order:
    """Some hex to bombard, or none."""
    hexes = pos.lays[1 - pos.side].occupied if pos.air else 0
    number = int(rng.random() * (hexes.bit_count() + 1))
    if number == hexes.bit_count():
        return END
    named = pos.ground.number(nth(hexes, number))
    return Planned(Order("bomb", (), (named,)), air.bomb, Target(named))


def attack(pos: State, rng: Random) -> Order:
    """Some support, some target, or the end of the phase."""
    return rng.choice([*attacks.openings(pos), END])


def composition(pos: State, rng: Random) -> Order:
    """Anything but to cancel, unless that is all there is."""
    orders = list(pos._orders())
    return rng.choice([order for order in orders if order.verb != CANCEL] or orders)


# Movement -----------------------------------------------------------------------------------------


def move(pos: State, rng: Random) -> Planned | Order:
    """Some order of a movement phase, without listing them all: a unit first, then where it goes."""
    must = arrivals.guerrillas_due(pos)
    units = listing.unmoved(pos)
    if pos.agenda[-1].at != "mechanized-movement":
        units |= mask_of(arrivals.waiting(pos, pos.side))
    while units:
        number = int(rng.random() * (units.bit_count() + (0 if must else 1)))
        if number == units.bit_count():
            return END
        index = nth(units, number)
        found = _move_of(pos, index, rng) if pos.where[index] >= 0 else _entry_of(pos, index, rng)
        if found is not None:
            return found
        units ^= 1 << index
    return rng.choice(list(pos._orders())) if must else END


def orders_of_one(pos: State, rng: Random) -> Sequence[Order]:
    """Everything that some unit can be ordered to do in a movement phase, or the end of it."""
    units = listing.unmoved(pos) | mask_of(arrivals.waiting(pos, pos.side))
    if pos.side == SOVIET:
        units |= mask_of(inset.city_units(pos))
    number = int(rng.random() * (units.bit_count() + 1))
    orders = list(listing.orders_of(pos, nth(units, number))) if number < units.bit_count() else []
    return orders or ([END] if arrivals.why_not_end(pos) is None else list(pos._orders()))


def _move_of(pos: State, index: int, rng: Random) -> Planned | None:
    """A move or a transfer of a unit on the map; nothing if it has none."""
    here, still = pos.where[index], movement.standstill(pos, index)
    if index == pos.fleet_index:
        hexes = 0 if still else pos.ground.fleet & ~(1 << here)
        return _planned_move(pos, March(index, (pick(hexes, rng),))) if hexes else None
    if pos.side == SOVIET and pos.ground.city >> here & 1 and (still or rng.random() < TRANSFERS):
        hexes = inset.transfer_hexes(pos, index)
        if hexes:
            shift = Placement(index, pick(hexes, rng))
            return Planned(_order(pos, "transfer", index, (shift.hex,)), inset.transfer, shift)
    if still:
        return None
    if not pos.out >> index & 1 and not movement.must_get_away(pos, index):
        mover = movement.mover_of(pos, index)
        path = _stroll(mover, [mover.start], mover.behind, mover.budget, rng)
        if len(path) > 1:
            return Planned(_order(pos, "move", index, path), movement.move, March(index, path[1:], mover))
    reach = movement.reach_of(pos, index)
    hexes = movement.destinations(pos, index, reach)
    return _planned_move(pos, March(index, (pick(hexes, rng),), reach.mover, reach)) if hexes else None


def _planned_move(pos: State, march: March) -> Planned:
    return Planned(_order(pos, "move", march.unit, march.path), movement.move, march)


def _entry_of(pos: State, index: int, rng: Random) -> Planned | None:
    """Some way for a waiting unit to come onto the map; nothing if there is none."""
    if arrivals.by_city(pos, index):
        hexes = arrivals.city_entry(pos, index)
        march = March(index, (pick(hexes, rng),)) if hexes else None
    else:
        mover = movement.mover_of(pos, index, arrivals.entry_hexes(pos, index))
        first = rng.choice(list(mover.entries)) if mover.entries else 0
        left = mover.budget - mover.entries.get(first, 0)
        march = March(index, _stroll(mover, [first], 1 << first, left, rng), mover) if mover.entries else None
    return None if march is None else Planned(_order(pos, "enter", index, march.path), arrivals.enter, march)


def _stroll(mover: Mover, path: list[Hex], behind: HexMask, left: int, rng: Random) -> list[Hex]:
    """A way with a few random steps added to it, as far as the points last."""
    here = path[-1]
    neighbours = mover.ground.grid.neighbours
    for _ in range(2 + int(rng.random() * STROLL)):
        h = neighbours(here)[int(rng.random() * 6)]
        price = mover.step_price(here, h, behind) if h >= 0 and h not in path else None
        if price is None or price > left:
            continue
        path.append(h)
        here, behind, left = h, 1 << h, left - price
    return path


def _order(pos: State, verb: str, index: int, hexes: Sequence[Hex]) -> Order:
    return Order(verb, (pos.roster[index].id,), tuple(map(pos.ground.number, hexes)))
