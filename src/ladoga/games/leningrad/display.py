"""What lies on the table: counters, forts, interdiction, and the boxes beside the map."""

from __future__ import annotations

from typing import NamedTuple

from ...hexes import NOWHERE, members
from ...kernel.table import Box, Counter, Marker, Table
from . import air, bidding, forts, reinforcements, stacking
from .edition import GERMAN, SIDES, Edition, UnitSpec
from .pieces import DEAD, Slot
from .position import LeningradPosition


class Face(NamedTuple):
    """What the side of a counter shows that lies up."""

    symbol: str
    figures: str
    name: str = ""
    formation: str = ""
    full_steps: int = 1
    colour: str = ""


def counter(pos: LeningradPosition, slot: Slot) -> Counter:
    """A combat unit as it lies there."""
    h, arrival = pos.hexes[slot], reinforcements.arrival_of(pos, slot)
    out = "eliminated" if h == DEAD else f"turn-{arrival.turn}" if arrival else "set-up"
    face = _face(pos, slot)
    return Counter(
        id=pos.labels[slot],
        side=SIDES[pos.pieces[slot].side],
        hex=pos.ground.names[h] if h >= 0 else "",
        box="" if h >= 0 else out,
        symbol=face.symbol,
        size="XX",
        name=face.name,
        formation=face.formation,
        figures=face.figures,
        steps=pos.steps[slot],
        full_steps=face.full_steps,
        colour=face.colour,
        states=_states(pos, slot) if h >= 0 else (),
    )


def _face(pos: LeningradPosition, slot: Slot) -> Face:
    """The face that shows: printed once for the counters of the game, each time for made-up ones."""
    if slot >= len(pos.game.roster):
        return _printed_face(pos, slot)
    faces, key = pos.game.printed, (pos.labels[slot], pos.steps[slot])
    if key not in faces:
        faces[key] = _printed_face(pos, slot)
    return faces[key]


def _printed_face(pos: LeningradPosition, slot: Slot) -> Face:
    piece, spec = pos.pieces[slot], pos.spec(slot)
    if spec is None:
        return Face("armor" if piece.mobile else "infantry", f"?-{piece.movement}")
    figures = _figures(spec.face(pos.steps[slot]), piece.side)
    return Face(spec.type, figures, spec.name, spec.corps, spec.full_steps, _colour(piece.spec))


def _figures(face: tuple[int, int, int], side: int) -> str:
    attack, defence, movement = face
    return f"{attack}-{movement}" if side == GERMAN and attack == defence else f"{attack}-{defence}-{movement}"


def _colour(spec: UnitSpec | None) -> str:
    if spec is None or spec.side != "german":
        return ""
    return "ss" if spec.name.startswith("SS") else "panzer" if spec.corps else ""


def counter_sheet(edition: Edition) -> list[tuple[Counter, Counter | None]]:
    """Every counter in the box: units with their reduced or untried side as the back, forts and air units."""
    sheet: list[tuple[Counter, Counter | None]] = []
    for name, spec in edition.units.items():  # an untried Soviet unit shows its kind and its movement (14.0, 14.2)
        symbol = "infantry" if spec.type == "infantry" else "armor"
        untried = Counter("untried", spec.side, symbol=symbol, size="XX", figures=f"?-{spec.movement}")
        back = _printed(name, spec, 1) if spec.reduced else untried
        sheet.append((_printed(name, spec, spec.full_steps), back))
    forts, air_units = sum(edition.scenario.forts.values()), max(edition.scenario.air.values())
    sheet += [(Counter(f"fort-{n}", "soviet", symbol="fort", name="Fort"), None) for n in range(1, forts + 1)]
    sheet += [(Counter(f"air-{n}", "german", symbol="air", size="XXX"), None) for n in range(1, air_units + 1)]
    return sheet


def _printed(name: str, spec: UnitSpec, steps: int) -> Counter:
    """A face of a printed unit with its strengths."""
    return Counter(
        name, spec.side, symbol=spec.type, size="XX", name=spec.name, formation=spec.corps,
        figures=_figures(spec.face(steps), SIDES.index(spec.side)), steps=steps, full_steps=spec.full_steps,
        colour=_colour(spec),
    )  # fmt: skip


def _states(pos: LeningradPosition, slot: Slot) -> tuple[str, ...]:
    states = {
        "unsupplied": not pos.supplied(slot), "moving": slot in pos.active,
        "moved": pos.moved >> slot & 1 and slot not in pos.active, "attacked": pos.attacked >> slot & 1,
        "attacking": pos.fight is not None and slot in pos.fight.attackers,
    }  # fmt: skip
    return tuple(word for word, borne in states.items() if borne)


def table(pos: LeningradPosition) -> Table:
    """Everything to draw."""
    in_play = [slot for slot in range(len(pos.pieces)) if _shown(pos, slot)]
    markers = [Marker(pos.ground.names[h], "fort", "Fort", "soviet") for h in members(pos.forts)]
    markers += [Marker(pos.ground.names[h], "interdiction", "Air interdiction", "german")
                for h, units in sorted(pos.air_on.items()) for _ in range(units)]  # fmt: skip
    boxes = [Box(f"turn-{turn}", f"Turn {turn}", date, turn) for turn, date in enumerate(pos.game.calendar, 1)] + [
        Box("eliminated", "Eliminated"),
        Box("set-up", "To be set up"),
    ]
    lines = [f"German air units ready: {air.ready(pos)} of {air.at_hand(pos)}"]
    lines += [f"Forts to place: {forts.at_hand(pos)}"] if forts.at_hand(pos) > 0 else []
    lines += bidding.told(pos)
    return Table([counter(pos, slot) for slot in in_play], markers, boxes, lines, stacking.warnings(pos))


def _shown(pos: LeningradPosition, slot: Slot) -> bool:
    """Late divisions that are yet to be raised, and slots no document filled, lie nowhere."""
    to_set_up = pos.phase.id.endswith("set-up") and slot in pos.game.to_place[pos.pieces[slot].side]
    return pos.hexes[slot] != NOWHERE or pos.pieces[slot].arrival >= 0 or to_set_up
