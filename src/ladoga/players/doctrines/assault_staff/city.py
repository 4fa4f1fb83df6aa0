"""The city: setting up in it, manning its districts, giving up what does not fit (5.1, 8.33, 8.37)."""

from __future__ import annotations

from ....games.assault.arrivals import set_up_hexes
from ....games.assault.inset import city_units, transfer_hexes
from ....hexes import Hex, members
from ....kernel.orders import END, Order
from ...words import Reason, because
from .picture import Picture
from .soviet import Soviet

DOOR = 8.0
"""What a unit at the end of a bridge is worth that leads to a district where the enemy is not."""


def set_up(picture: Picture) -> tuple[Order, Reason]:
    """Those who fight where the enemy comes from; a worker to each of the other districts."""
    pos, ground = picture.pos, picture.ground
    waiting = [pos.index[u] for u in pos.game.scenario.in_city if u in pos.index and pos.where[pos.index[u]] < 0]
    if not waiting:
        return END, "All are placed"
    index = waiting[0]
    room = set_up_hexes(pos, index)
    best = max(members(room), key=lambda h: (_start(picture, index, h), -h))
    return Order("place", (pos.roster[index].id,), (ground.number(best),)), "The city is manned"


def _start(picture: Picture, index: int, h: Hex) -> float:
    pos, ground = picture.pos, picture.ground
    if ground.interior >> h & 1:
        return float(ground.key_points >> h & 1) - 2.0
    districts = [next(members(ground.place(word) & ground.capital)) for word in ground.book.districts]
    rank = districts.index(h) if h in districts else len(districts)
    workers = sum(pos.roster[i].is_worker for i in pos.stacks.get(h, ()))
    if pos.roster[index].is_worker:
        share = (6, 2, 2) if ground.book.capital_is_source else (3, 3, 3)
        return share[rank] - workers if rank < len(share) else -1.0
    return 5.0 - rank


def man(picture: Picture) -> tuple[Order, Reason]:
    """Every unit from the city hexes to the inset, the strongest to the key points next to the enemy."""
    pos, ground = picture.pos, picture.ground
    waiting = [i for i in city_units(pos) if ground.capital >> pos.where[i] & 1 and transfer_hexes(pos, i)]
    if not waiting:
        return END, "The districts are manned"
    index = max(waiting, key=lambda i: (not pos.roster[i].is_worker, picture.rank(i), picture.factor(i), -i))
    best = max(members(transfer_hexes(pos, index)), key=lambda h: (_post(picture, index, h), -h))
    order = Order("transfer", (pos.roster[index].id,), (ground.number(best),))
    return order, because(order, "the strongest go where the enemy comes first")


def _post(picture: Picture, index: int, h: Hex) -> float:
    """What a unit in a hex of the inset is worth: key points, and the edge where the enemy comes in."""
    pos, ground, grid = picture.pos, picture.ground, picture.grid
    value = 4.0 if ground.key_points >> h & 1 else 0.0
    for door in members(ground.fringe_inset & grid.ring(1 << h)):
        main = ground.fringe_of[door]
        if (picture.them.occupied >> door | picture.them.occupied >> main) & 1:
            value += 2.0
        elif grid.ring(1 << main) & picture.them.occupied:
            value += 0.7
    worker = pos.roster[index].is_worker
    if isinstance(picture, Soviet) and h in picture.gates:
        alike = any(pos.roster[i].is_worker == worker for i in pos.stacks.get(h, ()))
        value += 0.0 if alike else DOOR
    if worker:
        return value + (0.5 if pos.stacks.get(h) else 0.0)
    return value - (0.6 if grid.ring(1 << h) & picture.us.body & ground.interior else 0.0)


def thin(picture: Picture) -> tuple[Order, Reason]:
    """The cheapest of those who do not fit."""
    pos = picture.pos
    best = min(
        pos.legal, key=lambda o: (picture.price(pos.index[o.units[0]], pos.steps[pos.index[o.units[0]]]), o.units)
    )
    return best, because(best, "there is no room for all")
