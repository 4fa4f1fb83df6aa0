"""Command control (13.0) and leaders (14.0): who may fire together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ...hexes import HexMask, mask_of
from ...kernel.position import Refusal, first_case
from .counters import GERMAN
from .state import State


def led(pos: State, side: int, pieces: Sequence[int]) -> HexMask:
    """The hexes that are in the radius of a leader whose radius covers all of these units too (14.2, 14.3)."""
    hexes, covered = mask_of([pos.where[piece] for piece in pieces]), 0
    for leader in pos.roster.leaders:
        if pos.where[leader] >= 0 and pos.roster.side[leader] == side:
            radius = pos.ground.within(pos.where[leader], pos.roster.units[leader].radius)
            covered |= radius if not hexes & ~radius else 0
    return covered


def joiners(pos: State, side: int, pieces: Sequence[int], candidates: Iterable[int]) -> Iterator[int]:
    """Those of some units that may join a fire: by the rule for their sub-command (13.2 to 13.4), or under a leader
    (14.2)."""
    rule = _why_apart_german if side == GERMAN else _why_apart_soviet
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
    """Why ground units may not join in one offensive fire (13.1 to 13.4, 14.2)."""
    refusal = _why_apart_german(pos, pieces) if side == GERMAN else _why_apart_soviet(pos, pieces)
    return None if refusal is None or led(pos, side, pieces) else refusal


def _why_apart_german(pos: State, pieces: Sequence[int]) -> Refusal | None:
    """Why German units fire apart: units of two divisions, too many of an SS division or of the corps (13.2, 13.3)."""
    limits, units = pos.tables.command, [pos.unit(p) for p in pieces]
    divisions = {unit.command for unit in units} - {"56"}
    ss = divisions and any("ss" in unit.traits for unit in units)
    corps = sum(unit.command == "56" for unit in units) if divisions and not ss else 0
    return first_case(
        (len(divisions) > 1, "13.2", "units of different divisions do not fire together"),
        (ss and len(pieces) > limits.ss, "13.3", "no more than {} units join the fire of an SS division", limits.ss),
        (corps > limits.corps_with_division, "13.2", "no more than {} corps units join a division's fire",
         limits.corps_with_division),
    )  # fmt: skip


def _why_apart_soviet(pos: State, pieces: Sequence[int]) -> Refusal | None:
    """Why Soviet units fire apart: units of both sub-commands, or too many (13.4)."""
    limit = pos.tables.command.soviet
    return first_case(
        (len({pos.unit(p).command for p in pieces}) > 1, "13.4",
         "42nd Army and the Front Reserve do not fire together"),
        (len(pieces) > limit, "13.4", "no more than {} Soviet units fire together", limit),
    )  # fmt: skip


def defensive_refusal(pos: State, side: int, pieces: Sequence[int]) -> Refusal | None:
    """Why units may not join in one defensive fire: sub-commands mix freely (9.2), and the numbers of
    13.3 and 13.4 hold if the option says so."""
    if not pos.options.defensive_fire_caps:
        return None
    limits = pos.tables.command
    counts = Counter(pos.unit(p).command for p in pieces)
    ss = {pos.unit(p).command for p in pieces if "ss" in pos.unit(p).traits}
    corps_joins = len(ss) == 1 and {*counts} == ss | {"56"} and len(pieces) > limits.ss
    refusal = first_case(
        (any(counts[name] > limits.ss for name in ss), "13.3",
         "no more than {} units of an SS division fire together", limits.ss),
        (corps_joins, "13.3", "no more than {} units join the fire of an SS division", limits.ss),
    ) if side == GERMAN else first_case(
        (any(number > limits.soviet for number in counts.values()), "13.4",
         "no more than {} units of a Soviet sub-command fire together", limits.soviet),
    )  # fmt: skip
    return None if refusal is None or led(pos, side, pieces) else refusal


def air_refusal(pos: State, side: int, pieces: Sequence[int]) -> Refusal | None:
    """Why air markers may not strike together (12.7, 12.9)."""
    limit = pos.tables.command.german_air
    return first_case(
        (any(pos.unit(p).type != "air-strike" for p in pieces), "12.7" if side == GERMAN else "12.9",
         "air strikes are not combined with any other fire"),
        (side == GERMAN and len(pieces) > limit, "12.7", "no more than {} air markers strike one hex", limit),
    ) or (_why_apart_soviet(pos, pieces) if side != GERMAN else None)  # fmt: skip
