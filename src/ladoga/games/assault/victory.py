"""Victory (17.0; 18.5; 19.9)."""

from __future__ import annotations

from collections.abc import Iterator

from ...hexes import HexMask
from ...kernel.flood import connected
from ...kernel.position import Entry, Outcome
from .figures import GERMAN, SIDES, SOVIET
from .state import State
from .supply import open_ground


def outcome(pos: State) -> Outcome:
    """Who has won, or would if the game ended now."""
    ledger = tuple(entries(pos))
    totals = {side: sum(int(e.points) for e in ledger if e.side == side) for side in SIDES}
    margin = abs(totals["german"] - totals["soviet"])
    decisive = decided(pos)
    if decisive is not None:
        case = "17.11" if decisive == "german" else "17.12"
        return Outcome(decisive, "decisive victory", margin, ledger, case)
    case = "17.21" if pos.game.scenario.victory.decisive else "19.94"
    if not margin:
        return Outcome(None, "draw", 0, ledger, pos.case("17.0"))
    return Outcome(max(totals, key=lambda side: totals[side]), "victory on points", margin, ledger, case)


# Decisive victory (17.1) --------------------------------------------------------------------------


def decided(pos: State) -> str | None:
    """The side whose decisive condition holds; neither if both do. For the German no Soviet ground unit is in the city
    on either map (17.11)."""
    if not pos.game.scenario.victory.decisive:
        return None
    german, soviet = bool(pos.ground.city) and not pos.lays[SOVIET].occupied & pos.ground.city, city_relieved(pos)
    return None if german == soviet else "german" if german else "soviet"


def city_relieved(pos: State) -> bool:
    """No German in the city, and a path from it to the east edge (17.12)."""
    ground = pos.ground
    if not ground.capital or pos.lays[GERMAN].occupied & ground.interior:
        return False
    free = (open_ground(pos, SOVIET) | ground.capital) & ground.main
    reached = connected(ground.grid, ground.capital, ground.soviet_supply_sides, free)
    return bool(reached & ground.edge("east"))


# Points (17.2, 19.9) ------------------------------------------------------------------------------


def entries(pos: State) -> Iterator[Entry]:
    """Every point with its case."""
    victory = pos.game.scenario.victory
    if victory.decisive:
        yield from _cities(pos)
        yield from _key_points_passed(pos)
        yield from _losses(pos)
        for marker in victory.extra_markers if pos.options.extra_points else ():  # those still on the map (18.52)
            if marker.hex in pos.ground.grid and pos.extra_markers >> pos.ground.grid.hex(marker.hex) & 1:
                yield Entry("soviet", marker.points, f"marker at {marker.name}", "18.52")
        return
    yield from _units_in_city(pos)
    yield from _key_points_held(pos)
    yield from _gate(pos)


def _cities(pos: State) -> Iterator[Entry]:
    """Cities held or last passed through, the garrison rule applied (17.22, 17.25)."""
    for city in pos.game.scenario.victory.cities:
        if city.hex not in pos.ground.grid:
            continue
        h = pos.ground.grid.hex(city.hex)
        side = "german" if (pos.german_held & ~pos.forfeited) >> h & 1 else "soviet"
        yield Entry(side, city.points, city.name, "17.25" if pos.forfeited >> h & 1 else "17.22")


def _key_points_passed(pos: State) -> Iterator[Entry]:
    points = pos.game.scenario.victory.key_point
    for h in pos.ground.grid.members(pos.ground.key_points):
        side = "german" if pos.german_held >> h & 1 else "soviet"
        yield Entry(side, points, pos.map.name_of(h), "17.22")


def _losses(pos: State) -> Iterator[Entry]:
    """Soviet points for German strength lost, withdrawn units included (17.23, 16.24)."""
    victory = pos.game.scenario.victory
    for index in pos.order_of_battle[GERMAN]:
        unit = pos.roster[index]
        if unit.is_hq:
            continue
        steps = pos.steps[index]
        lost = unit.faces[0].combat - (unit.face(steps).combat if steps else 0)
        if lost:
            each = victory.mechanized_factor if unit.mechanized else victory.infantry_factor
            yield Entry("soviet", lost * each, f"losses of {unit.id}", "17.23")


def _units_in_city(pos: State) -> Iterator[Entry]:
    """German units in the city and in supply (19.91)."""
    points = pos.game.scenario.victory.unit_in_city
    for index in pos.order_of_battle[GERMAN]:
        unit, h = pos.roster[index], pos.where[index]
        if h >= 0 and not unit.is_hq and pos.ground.interior >> h & 1 and not pos.is_out(index):
            yield Entry("german", points, f"{unit.id} in the city", "19.91")


def _key_points_held(pos: State) -> Iterator[Entry]:
    """Victory hexes occupied at the end (19.92)."""
    points = pos.game.scenario.victory.key_point
    for h in pos.ground.grid.members(pos.ground.key_points):
        for side in (GERMAN, SOVIET):
            if pos.lays[side].occupied >> h & 1:
                yield Entry(SIDES[side], points, pos.map.name_of(h), "19.92")


def _gate(pos: State) -> Iterator[Entry]:
    """The bridgehead in the north-west: cut off, or in German hands (19.93)."""
    victory, ground = pos.game.scenario.victory, pos.ground
    if victory.gate not in ground.grid:
        return
    gate = ground.grid.hex(victory.gate)
    name = pos.map.name_of(gate)
    if not gate_open(pos):
        yield Entry("german", victory.gate_points, f"{name} cut off", "19.93")
    fighting = [i for i in pos.stacks.get(gate, ()) if pos.roster[i].side == GERMAN and not pos.roster[i].is_hq]
    if fighting or pos.german_held >> gate & 1:
        yield Entry("german", victory.gate_points, f"{name} taken", "19.93")


def gate_open(pos: State) -> bool:
    """Whether a Soviet line of supply runs from the gate to its entry area (19.93)."""
    victory, ground = pos.game.scenario.victory, pos.ground
    gate: HexMask = 1 << ground.grid.hex(victory.gate)
    free = open_ground(pos, SOVIET) & ground.main
    return bool(connected(ground.grid, gate, ground.dry, free) & ground.place(victory.gate_area))


# What is kept on the way --------------------------------------------------------------------------


def check_garrisons(pos: State) -> None:
    """At the end of a German player-turn a captured city without a division is forfeited (17.25)."""
    for city in pos.game.scenario.victory.cities:
        if not city.garrison or city.hex not in pos.ground.grid:
            continue
        h = pos.ground.grid.hex(city.hex)
        if pos.captured >> h & 1 and not pos.forfeited >> h & 1 and not has_division(pos, h):
            pos.forfeited |= 1 << h
            pos.tell(
                "garrison",
                "17.25",
                "No German division holds {0}: its points are the Soviet side's for good",
                city.name,
            )


def has_division(pos: State, h: int) -> bool:
    """Whether a German division, or every regiment of one, is in a hex (17.25)."""
    stack = [pos.roster[i] for i in pos.stacks.get(h, ()) if pos.roster[i].side == GERMAN and not pos.roster[i].is_hq]
    here, divisions = {unit.id for unit in stack}, {unit.division for unit in stack if unit.division}
    return any(unit.spec.size == "division" for unit in stack) or any(
        here >= pos.game.regiments(division) | {pos.roster[i].id for i in pos.siblings[division]}
        for division in divisions
    )
