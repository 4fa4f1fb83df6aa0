"""Chapter 11: a unit's line of supply, traced for people."""

from __future__ import annotations

from ...hexes import NOWHERE, Hex, HexMask, members
from ...kernel.flood import Flood, flood
from ...kernel.position import Line, Trace
from .pieces import Slot
from .position import LeningradPosition


def trace(pos: LeningradPosition, name: str) -> Trace:
    """Whether a unit is in supply; its line is traced when somebody asks for it (11.0)."""
    slot = pos.slot(name)
    if pos.hexes[slot] < 0:
        return Trace(False, case=pos.game.edition.case("11.0"), message=f"{name} is not on the map")
    supplied = pos.supplied(slot)
    return Trace(supplied, later=lambda: line_of_supply(pos, slot) if supplied else _cut(pos, slot))


def line_of_supply(pos: LeningradPosition, slot: Slot) -> Line:
    """The line from a unit to its source (11.0)."""
    ground, side = pos.ground, pos.pieces[slot].side
    blocked = pos.blocked(side)
    net, reach = ground.supply_net(ground.sources[side], blocked), _reach(pos, slot, blocked)
    road = next(h for layer in reach.layers for h in members(layer & net))
    path = reach.path(road) + _along_road(pos, road, ground.sources[side] & net, net)[1:]
    names = tuple(ground.names[x] for x in path)
    return Line(names, names[-1], case=pos.game.edition.case("11.0"))


def _reach(pos: LeningradPosition, slot: Slot, blocked: HexMask) -> Flood:
    piece = pos.pieces[slot]
    costs = pos.ground.supply_costs(piece.side, piece.mobile, pos.forts, pos.interdicted)
    budget = 2 * pos.game.edition.tables.supply.range
    return flood(costs, 1 << pos.hexes[slot], budget, barred=blocked | ~pos.ground.land)


def _along_road(pos: LeningradPosition, start: Hex, sources: HexMask, net: HexMask) -> list[Hex]:
    """The road from a hex to the nearest source, hex by hex."""
    ground = pos.ground
    came: dict[Hex, Hex] = {start: NOWHERE}
    queue = [start]
    for h in queue:
        if sources >> h & 1:
            path = [h]
            while came[path[-1]] != NOWHERE:
                path.append(came[path[-1]])
            return path[::-1]
        for d, beyond in enumerate(ground.grid.neighbours(h)):
            if beyond != NOWHERE and ground.road[d] >> h & 1 and net >> beyond & 1 and beyond not in came:
                came[beyond] = h
                queue.append(beyond)
    return [start]


def _cut(pos: LeningradPosition, slot: Slot) -> Line:
    """Why there is no line: too far even without enemies (11.0), or the first hex they close (11.3)."""
    side, ground, case = pos.pieces[slot].side, pos.ground, pos.game.edition.case
    enemy, blocked, net = pos.crowd[1 - side][0], pos.blocked(side), ground.supply_net(ground.sources[side], 0)
    reach = _reach(pos, slot, 0)
    for joined in filter(None, (layer & net for layer in reach.layers)):
        road = next(iter(members(joined)))
        path = reach.path(road) + _along_road(pos, road, ground.sources[side] & net, net)[1:]
        closed = next((h for h in path if blocked >> h & 1), NOWHERE)
        if closed != NOWHERE:
            what = "an enemy unit in" if enemy >> closed & 1 else "an enemy zone of control in"
            name, names = ground.names[closed], tuple(ground.names[x] for x in path)
            return Line(names, cut=name, case=case("11.3"), message=f"{what} {name} cuts the line")
    limit = pos.game.edition.tables.supply.range
    return Line(case=case("11.0"), message=f"no source, and no road to one, within {limit} movement points")
