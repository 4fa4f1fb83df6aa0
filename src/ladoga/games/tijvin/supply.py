"""Lines of supply (section 10), settled for a whole turn in its administrative phase."""

from __future__ import annotations

from ...hexes import DIRECTIONS, NOWHERE, Hex, HexMask
from ...kernel.errors import LadogaError
from ...kernel.flood import connected, zone
from ...kernel.position import Trace
from .book import SUPPLY_EDGES, UnitMask, enemy_of
from .position import TijvinPosition


def open_hexes(p: TijvinPosition, side: str, silent: UnitMask | None = None) -> HexMask:
    """The hexes a line of supply may run through: no enemy unit, and no enemy zone unless a combat unit of one's own
    stands there (5, 10). Some units may be taken to be out of supply and to have no zone."""
    enemy = enemy_of(side)
    cut = p.zone(enemy, silent) & ~p.occupied(side)
    return p.ground.land & ~p.occupied(enemy) & ~cut


def supplied_hexes(p: TijvinPosition, side: str, silent: UnitMask | None = None) -> HexMask:
    """All hexes joined to the side's edges by open hexes (10)."""
    ground = p.ground
    return connected(ground.grid, ground.supply_edge[side], ground.ways, open_hexes(p, side, silent))


def is_supplied(p: TijvinPosition, h: Hex, side: str, reached: HexMask) -> bool:
    """Whether a line leads from a hex to the edge; the hex itself never blocks it (10)."""
    if (reached | p.ground.supply_edge[side]) >> h & 1:
        return True
    return any(
        n != NOWHERE and reached >> n & 1 and p.ground.ways[d] >> h & 1
        for d, n in zip(DIRECTIONS, p.ground.grid.neighbours(h), strict=True)
    )


def without_line(p: TijvinPosition, silent: UnitMask) -> tuple[UnitMask, int]:
    """The units, and the headquarters, that have no line if these units are out of supply and have no zone (5, 10)."""
    units = hqs = 0
    for side in p.game.sides:
        reached = supplied_hexes(p, side, silent)
        for u in p.roster.of[side]:
            if p.hexes[u] >= 0 and not is_supplied(p, p.hexes[u], side, reached):
                units |= 1 << u
        for q in p.roster.hqs_of[side]:
            if p.hq_hex[q] >= 0 and not is_supplied(p, p.hq_hex[q], side, reached):
                hqs |= 1 << q
    return units, hqs


def out_of_supply(p: TijvinPosition) -> tuple[UnitMask, int]:
    """The units, and the headquarters, that a check finds out of supply (10). A unit that is cut off whatever the
    enemy's supply has no zone to cut others off with (5); where two do it to each other, both are out."""
    silent: UnitMask = 0
    while True:
        units, hqs = without_line(p, silent)
        if not units:
            return units, hqs
        surely, _ = without_line(p, units)
        if surely == silent:
            return units, hqs
        silent = surely


def check(p: TijvinPosition) -> None:
    """Settle supply for the turn (6.1.2, 10); on turn 1 everybody has it (2)."""
    p.unsupplied, p.hq_unsupplied = out_of_supply(p) if p.turn > 1 else (0, 0)
    p.disturb()
    if p.unsupplied:
        text = p.do(p.unsupplied, "{} is out of supply", "{} are out of supply")
        p.tell("supply", "10", text, p.name(p.unsupplied))
    p.go("reinforcements")


def nearer_to_supply(p: TijvinPosition, side: str, here: Hex, hexes: HexMask) -> HexMask:
    """Those of some hexes that are nearer than ``here`` to one of the edges that can supply a side (13 V), counted in
    hexes over land whoever stands there. Any of the edges will do, the nearest as well as another."""
    nearer = 0
    for edge in SUPPLY_EDGES[side]:
        for layer in p.ground.inland(edge):
            if layer >> here & 1:
                break
            nearer |= layer & hexes
    return nearer


def trace(p: TijvinPosition, name: str) -> Trace:
    """A unit's line of supply as the map stands now, and its state for the turn or, before the check, as it will
    be (10)."""
    u, q = p.roster.index.get(name, -1), p.roster.hq_index.get(name, -1)
    if u < 0 and q < 0:
        raise LadogaError(f"there is no unit {name!r}")
    ahead = p.stage in ("weather", "hq-return") and p.turn > 1
    units, hqs = out_of_supply(p) if ahead else (p.unsupplied, p.hq_unsupplied)
    h, side = (p.hq_hex[q], p.roster.hqs[q].side) if u < 0 else (p.hexes[u], p.roster.units[u].side)
    if h < 0:
        return Trace(False, case="10", message="not on the map")
    path = line(p, h, side, open_hexes(p, side, units if ahead else None))
    if not (hqs >> q if u < 0 else units >> u) & 1:
        where = "the west edge" if side == "german" else "the east, north or south edge"
        message = "as the check will find it" if ahead else "in supply for the whole turn"
        return Trace(True, tuple(p.ground.names[x] for x in path), source=where, case="10", message=message)
    opened = "both sides cut each other off" if ahead else "the line has been opened since"
    at, message = ("", opened) if path else what_cuts(p, h, side, units if ahead else None)
    return Trace(False, cut=at, case="10", message=f"out of supply{'' if ahead else ' for the whole turn'}: {message}")


def what_cuts(p: TijvinPosition, start: Hex, side: str, silent: UnitMask | None) -> tuple[str, str]:
    """Where the enemy cuts the shortest line that a unit would have without him, and with what (10)."""
    closed = ~open_hexes(p, side, silent)
    at = next((h for h in line(p, start, side, p.ground.land)[1:] if closed >> h & 1), NOWHERE)
    if at == NOWHERE:
        return "", "no land leads to the edge"
    what = "an enemy unit" if p.occupied(enemy_of(side)) >> at & 1 else "an enemy zone of control"
    return p.ground.names[at], f"{what} in {p.ground.names[at]} cuts the line"


def line(p: TijvinPosition, start: Hex, side: str, allowed: HexMask) -> list[Hex]:
    """A shortest line of supply from a hex to the edge through hexes that allow it, or nothing (10)."""
    ground, edge = p.ground, p.ground.supply_edge[side]
    grid, ways = ground.grid, ground.ways
    layers = [1 << start]
    seen = layers[0]
    while not layers[-1] & edge:
        new = zone(grid, layers[-1], ways) & allowed & ~seen
        if not new:
            return []
        seen |= new
        layers.append(new)
    path = [(layers[-1] & edge).bit_length() - 1]
    for layer in reversed(layers[:-1]):
        here = path[-1]
        path.append(next(n for d, n in enumerate(grid.neighbours(here)) if ways[d] >> here & 1 and layer >> n & 1))
    return path[::-1]
