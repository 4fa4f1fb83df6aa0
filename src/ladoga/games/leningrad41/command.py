"""Command control (13.0) and leaders (14.0): who may fire together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...hexes import HexMask
from ...kernel.position import Refusal
from .counters import GERMAN
from .state import State


def led(pos: State, side: int, pieces: Sequence[int]) -> HexMask:
    """The hexes that are in the radius of a leader whose radius covers all of these units too (14.2, 14.3)."""
    hexes: HexMask = 0
    for piece in pieces:
        hexes |= 1 << pos.where[piece]
    covered = 0
    for leader in pos.roster.leaders:
        at = pos.where[leader]
        if at < 0 or pos.roster.side[leader] != side:
            continue
        radius = pos.ground.within(at, pos.roster.units[leader].radius)
        if not hexes & ~radius:
            covered |= radius
    return covered


def joiners(pos: State, side: int, pieces: Sequence[int], candidates: Iterable[int]) -> Iterator[int]:
    """Those of some units that may join a fire: by the rule for their sub-command, or under a leader."""
    rule = _german if side == GERMAN else _soviet
    covered = led(pos, side, pieces)
    verdicts: dict[tuple[str, bool], bool] = {}
    for piece in candidates:
        unit = pos.roster.units[piece]
        kind = unit.command, "ss" in unit.traits
        if kind not in verdicts:
            verdicts[kind] = rule(pos, (*pieces, piece)) is None
        if verdicts[kind] or covered >> pos.where[piece] & 1:
            yield piece


def ground_refusal(pos: State, side: int, pieces: Sequence[int]) -> Refusal | None:
    """Why ground units may not join in one offensive fire (13.1-13.4, 14.2)."""
    refusal = _german(pos, pieces) if side == GERMAN else _soviet(pos, pieces)
    return None if refusal is None or led(pos, side, pieces) else refusal


def _german(pos: State, pieces: Sequence[int]) -> Refusal | None:
    limits = pos.tables.command
    corps = sum(1 for p in pieces if pos.unit(p).command == "56")
    divisions = {pos.unit(p).command for p in pieces} - {"56"}
    if len(divisions) > 1:
        return Refusal("13.2", "units of different divisions do not fire together")
    if divisions and any("ss" in pos.unit(p).traits for p in pieces):
        if len(pieces) > limits.ss:
            return Refusal("13.3", f"no more than {limits.ss} units join the fire of an SS division")
    elif divisions and corps > limits.corps_with_division:
        return Refusal("13.2", f"no more than {limits.corps_with_division} corps units join a division's fire")
    return None


def _soviet(pos: State, pieces: Sequence[int]) -> Refusal | None:
    if len({pos.unit(p).command for p in pieces}) > 1:
        return Refusal("13.4", "42nd Army and the Front Reserve do not fire together")
    limit = pos.tables.command.soviet
    return Refusal("13.4", f"no more than {limit} Soviet units fire together") if len(pieces) > limit else None


def defensive_refusal(pos: State, side: int, pieces: Sequence[int]) -> Refusal | None:
    """Why units may not join in one defensive fire: sub-commands mix freely (9.2), and the numbers of
    13.3 and 13.4 hold if the option says so."""
    if not pos.options.defensive_fire_caps:
        return None
    limits = pos.tables.command
    counts: dict[str, int] = {}
    for piece in pieces:
        name = pos.unit(piece).command
        counts[name] = counts.get(name, 0) + 1
    refusal = None
    if side == GERMAN:
        ss = {pos.unit(p).command for p in pieces if "ss" in pos.unit(p).traits}
        if any(counts[name] > limits.ss for name in ss):
            refusal = Refusal("13.3", f"no more than {limits.ss} units of an SS division fire together")
        elif ss and len(ss) == 1 and {*counts} == ss | {"56"} and len(pieces) > limits.ss:
            refusal = Refusal("13.3", f"no more than {limits.ss} units join the fire of an SS division")
    elif any(number > limits.soviet for number in counts.values()):
        refusal = Refusal("13.4", f"no more than {limits.soviet} units of a Soviet sub-command fire together")
    return None if refusal is None or led(pos, side, pieces) else refusal


def air_refusal(pos: State, side: int, pieces: Sequence[int]) -> Refusal | None:
    """Why air markers may not strike together (12.7, 12.9)."""
    if any(pos.unit(p).type != "air-strike" for p in pieces):
        case = "12.7" if side == GERMAN else "12.9"
        return Refusal(case, "air strikes are not combined with any other fire")
    limit = pos.tables.command.german_air
    if side == GERMAN and len(pieces) > limit:
        return Refusal("12.7", f"no more than {limit} air markers strike one hex")
    return _soviet(pos, pieces) if side != GERMAN else None
