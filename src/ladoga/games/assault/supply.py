"""Supply (11.0): paths, the two checks of each game-turn, and what they bring about."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from ...hexes import Hex, HexMask, mask_of, members, opposite
from ...kernel.flood import connected, zone
from ...kernel.position import Line, Trace
from . import derived
from .figures import GERMAN, SOVIET
from .state import State


class Lines(NamedTuple):
    """Which hexes and corps are supplied in a position, before the exemptions of 11.4."""

    german: dict[str, HexMask]
    """For each corps with a supplied HQ, the hexes its units can trace from."""
    headquarters: frozenset[int]
    """HQs in supply."""
    soviet: HexMask
    """Hexes a Soviet unit can trace from."""


# Ground that a path may use -----------------------------------------------------------------------


@derived.of_both_lays
def open_ground(pos: State, side: int) -> HexMask:
    """Hexes a path may pass through: free of enemy zones, or held by a friend (11.15).

    A unit on the fringe of the inset holds its hex of the main map too (11.51).
    """
    ground, held, enemy = pos.ground, pos.lays[side].occupied, pos.lays[1 - side]
    held |= ground.through(held & ground.fringe_inset) & ~enemy.occupied
    free = ground.land & ~enemy.zone | held
    return free & ~ground.capital if side == GERMAN or pos.germans_on_inset else free


def trace_hex(pos: State, h: Hex) -> Hex:
    """The hex a unit traces from: on the fringe of the inset, that of the main map (11.51)."""
    return pos.ground.fringe_of.get(h, h)


def _inset_spread(pos: State, seeds: HexMask, side: int) -> HexMask:
    """Inset hexes joined to some by a path of any length free of enemy zones (11.53)."""
    ground = pos.ground
    sides = ground.german_supply_sides if side == GERMAN else ground.soviet_supply_sides
    return connected(ground.grid, seeds & ground.inset, sides, open_ground(pos, side) & ground.inset | seeds)


# German paths -------------------------------------------------------------------------------------


def live_lines(pos: State) -> HexMask:
    """Rail (or road) hexes from which the line runs off the map free of enemy zones (11.13, 11.16)."""
    ground = pos.ground
    free = open_ground(pos, GERMAN) & ground.main
    return connected(ground.grid, ground.line_exits, ground.line_sides, free & ground.line_hexes)


def _within(pos: State, seeds: HexMask, length: int) -> tuple[HexMask, HexMask]:
    """Open main-map hexes no more than so many hexes from the seeds, along open ground; and those a hex nearer."""
    ground = pos.ground
    free = open_ground(pos, GERMAN) & ground.main
    sides = ground.german_supply_sides
    reached = nearer = frontier = seeds & free
    for _ in range(length):
        nearer = reached
        frontier = zone(ground.grid, frontier, sides) & free & ~reached
        if not frontier:
            break
        reached |= frontier
    return reached, nearer


@derived.of_both_lays
def hq_ground(pos: State) -> tuple[HexMask, HexMask]:
    """Main-map hexes where an HQ is in supply, and those whose path has a hex to spare (11.35, 11.53)."""
    limit = pos.ground.tables.supply_range
    line, line_nearer = _within(pos, live_lines(pos), limit)
    exits, exits_nearer = _within(pos, pos.ground.german_exits, limit - 1)
    return line | exits, line_nearer | exits_nearer


def _german_lines(pos: State, headquarters: Iterable[int]) -> tuple[dict[str, HexMask], frozenset[int]]:
    """Supplied HQs and the hexes their corps can trace from (11.13, 11.34, 11.35, 11.53)."""
    ground, limit = pos.ground, pos.ground.tables.supply_range
    free = open_ground(pos, GERMAN)
    corps: dict[str, HexMask] = {}
    supplied: set[int] = set()
    for index in headquarters:
        h = pos.where[index]
        if h < 0:
            continue
        near, nearer = hq_ground(pos)
        spot = trace_hex(pos, h)
        if ground.main >> spot & 1:
            if not near >> spot & 1:
                continue
            around, inner = _within(pos, 1 << spot, limit)
            inset = ground.through(inner)
            around |= _inset_spread(pos, inset & free, GERMAN) if inset & free else 0
        else:
            inset = _inset_spread(pos, 1 << spot, GERMAN)
            gates = ground.through(inset & ground.fringe_inset) & free  # the open ways out of the inset (11.53)
            if not gates & nearer:
                continue
            around = inset | _within(pos, gates, limit)[0]
        supplied.add(index)
        unit = pos.roster[index]
        corps[unit.corps] = corps.get(unit.corps, 0) | around
    return corps, frozenset(supplied)


# Soviet paths -------------------------------------------------------------------------------------


def _soviet_hexes(pos: State) -> HexMask:
    """Hexes from which a Soviet path of any length reaches a source (11.14; 19.34, 19.52)."""
    ground = pos.ground
    free = open_ground(pos, SOVIET)
    seeds = ground.soviet_sources
    if ground.book.capital_is_source:
        seeds |= ground.interior if pos.germans_on_inset else ground.capital
    reached, new = 0, seeds
    while new & free & ~reached:
        reached = connected(ground.grid, new | reached, ground.soviet_supply_sides, free)
        new = ground.through(reached)
    return reached


@derived.of_both_lays
def lines(pos: State) -> Lines:
    """Every open line of supply in a position (11.13, 11.14); follows from how both sides lie."""
    return Lines(*_german_lines(pos, pos.headquarters), _soviet_hexes(pos))


@derived.of_both_lays
def _lines_of(pos: State, corps: str) -> Lines:
    """The lines on which the units of one German corps depend."""
    return Lines(*_german_lines(pos, [hq for hq in pos.headquarters if pos.roster[hq].corps == corps]), 0)


# Status -------------------------------------------------------------------------------------------


def exemption(pos: State, index: int) -> str:
    """The case by which a unit is in supply without a path, or nothing (11.4, 11.52)."""
    unit, ground, h = pos.roster[index], pos.ground, pos.where[index]
    if unit.side == GERMAN:
        return "11.45" if ground.garrison >> h & 1 and not unit.is_hq else ""
    cases = (
        (unit.is_naval, "13.12"),
        (unit.is_guerrilla, "11.43"),
        (ground.fort >> h & 1, "11.42"),
        (ground.interior >> h & 1 and not pos.options.city_lives_by_ferry, "11.52"),
        (unit.is_worker and ground.main >> h & 1, "11.46"),
    )
    return next((case for exempt, case in cases if exempt), "")


def in_supply(pos: State, index: int, open_lines: Lines) -> bool:
    """Whether a unit can trace a path now, or need not (11.11, 11.4)."""
    if exemption(pos, index):
        return True
    unit = pos.roster[index]
    spot = trace_hex(pos, pos.where[index])
    if unit.is_hq:
        return index in open_lines.headquarters
    if unit.side == GERMAN:
        return bool(open_lines.german.get(unit.corps, 0) >> spot & 1)
    return bool(open_lines.soviet >> spot & 1)


def check(pos: State) -> None:
    """The supply determination phase of a player-turn (11.12, 11.17, 11.24).

    All units are judged on the position as it stands, then marked; units of the side that is not
    phasing which were out already lose a step.
    """
    open_lines = lines(pos)
    phasing = pos.side
    starving: list[int] = []
    for index in members(pos.placed):
        unit = pos.roster[index]
        out = not in_supply(pos, index, open_lines)
        was_out = pos.is_out(index)
        if out and was_out and unit.side != phasing and not _spared(pos, index):
            starving.append(index)
        if out != was_out:
            pos.mark_out(index, out)
            words = "{0} is out of supply" if out else "{0} is in supply again"
            pos.tell("supply", "11.17", words, unit.id)
    for index in starving:
        pos.tell("supply", "11.24", "{0} is still out of supply", pos.roster[index].id)
        pos.lose_step(index)


def _spared(pos: State, index: int) -> bool:
    """Whether an optional rule spares a unit the step (18.41, 18.42)."""
    if pos.roster[index].side == GERMAN:
        return pos.options.no_german_attrition
    fed = any(pos.roster[other].is_worker for other in pos.stacks.get(pos.where[index], ()))
    return pos.options.workers_feed and fed


# Showing a line -----------------------------------------------------------------------------------


def trace(pos: State, index: int) -> Trace:
    """A unit's supply: the status of the last check, and the line that is open (or cut) now.

    In a supply determination phase it is what the check is about to find (11.17).
    """
    if pos.where[index] < 0:
        return Trace(False, case="11.11", message=f"{pos.roster[index].id} is not on the map")
    out = pos.is_out(index)
    if pos.phase.case == "11.1":
        out = not in_supply(pos, index, lines(pos))
    return Trace(not out, later=partial(_line, pos, index, out))


_STILL_OUT = "out of supply until the next check"


def _line(pos: State, index: int, out: bool) -> Line:
    """The line of a unit on the map as it runs now, and how that goes with its status."""
    unit = pos.roster[index]
    free_by = exemption(pos, index)
    if free_by:
        here = (pos.ground.number(pos.where[index]),)
        if out:
            return Line(here, case="11.12", message=f"{_STILL_OUT}, though it needs no line now")
        return Line(here, "exempt", case=pos.case(free_by))
    if unit.side == SOVIET:
        path = _path(pos, index) if open_ground(pos, SOVIET) >> trace_hex(pos, pos.where[index]) & 1 else ()
        now = bool(path)
        case, why = "11.14", f"no path free of German zones leads from {unit.id} to a source of supply"
    else:
        open_lines = _lines_of(pos, unit.corps)
        now = in_supply(pos, index, open_lines)
        path = _path(pos, index) if now else ()
        case, why = ("11.35" if unit.is_hq else "11.13", "") if now else _why_cut(pos, index, open_lines)
    case = pos.case(case)
    if not out:
        message = "" if now else "in supply since the last check; the line is cut now"
        by_hq = path and unit.side == GERMAN and not unit.is_hq
        source = f"HQ of corps {unit.corps}" if by_hq else "".join(path[-1:])
        return Line(path, source, case=case, message=message)
    if now:
        return Line(path, case="11.12", message=f"{_STILL_OUT}, though a line is open now")
    return Line(cut=pos.ground.number(pos.where[index]), case=case, message=why)


def _why_cut(pos: State, index: int, open_lines: Lines) -> tuple[str, str]:
    """The case and the words for a German unit without a line: its own path (11.13), or that of its HQ."""
    unit, path = pos.roster[index], f"path of {pos.ground.tables.supply_range} hexes"
    if unit.is_hq:
        return "11.35", f"{unit.id} has no {path} to the edge of the map or to an open line"
    if unit.corps in open_lines.german:
        return "11.13", f"no {path} free of Soviet zones leads from {unit.id} to the HQ of corps {unit.corps}"
    if any(pos.roster[hq].corps == unit.corps and pos.where[hq] >= 0 for hq in pos.headquarters):
        return "11.35", f"the HQ of corps {unit.corps} is itself out of supply"
    return "11.34", f"the HQ of corps {unit.corps} is not on the map"


def _path(pos: State, index: int) -> tuple[str, ...]:
    """A shortest open line, for showing: to the HQ, to the line or edge, or to a Soviet source (11.13, 11.14)."""
    ground, unit = pos.ground, pos.roster[index]
    side = unit.side
    free = open_ground(pos, side)
    start = trace_hex(pos, pos.where[index])
    if side == SOVIET:
        goals = ground.soviet_sources & free
        if ground.book.capital_is_source:
            goals |= (ground.interior if pos.germans_on_inset else ground.capital) & free
        sides = ground.soviet_supply_sides
    else:
        sides = ground.german_supply_sides
        if unit.is_hq:
            goals = (live_lines(pos) | ground.german_exits) & free
        else:
            own = [hq for hq in pos.headquarters if pos.roster[hq].corps == unit.corps and pos.where[hq] >= 0]
            goals = mask_of(trace_hex(pos, pos.where[hq]) for hq in own)
    layers = [1 << start]
    reached = 1 << start
    while not layers[-1] & goals:
        new = (zone(ground.grid, layers[-1], sides) | ground.through(layers[-1])) & (free | goals) & ~reached
        if not new:
            return ()
        reached |= new
        layers.append(new)
    here = next(members(layers[-1] & goals))
    way = [here]
    for layer in reversed(layers[:-1]):
        around = enumerate(ground.grid.neighbours(here))
        before = mask_of(h for d, h in around if h >= 0 and sides[opposite(d)] >> h & 1)
        here = next(members((before | ground.links.get(here, 0)) & layer))
        way.append(here)
    return tuple(ground.number(h) for h in reversed(way))
