"""What lies on the table: counters, markers, boxes and charts."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from ...hexes import mask_of, members, union
from ...kernel.memory import Recent
from ...kernel.table import Box, Chart, Counter, Marker, Table
from .arrivals import in_army_pool
from .counters import GERMAN, SIDES, SOVIET, SYMBOLS, Unit
from .state import DEAD, HAND, POOL, READY, TO_COME, UNDRAWN, WAITING, State

if TYPE_CHECKING:
    from .game import CityGame

COLOURS = {
    "3M": "", "8P": "panzer", "269": "", "SSP": "ss", "SST": "ss", "7F": "air", "56": "panzer", "LW": "air",
    "42": "", "LFR": "guards",
}  # fmt: skip

BOXES = {
    WAITING: ("waiting", "Waiting to enter"),
    READY: ("ready", "Ready beside the map"),
    DEAD: ("dead", "Eliminated"),
    HAND: ("hand", "To be placed"),
    TO_COME: ("to-come", "Still to come"),
}


def _colour(unit: Unit) -> str:
    if "nkvd" in unit.traits:
        return "nkvd"
    if unit.type in ("militia", "militia-guards", "workers", "komsomol"):
        return "militia"
    if "marine" in unit.traits or unit.type in ("gunboat", "naval-bombardment"):
        return "naval"
    return COLOURS.get(unit.command, "")


def _counter(pos: State, piece: int, face: int, states: tuple[str, ...]) -> Counter:
    unit, place = pos.unit(piece), pos.where[piece]
    counter = _face(pos.game, pos.unit(face))
    counter.id, counter.face_down = unit.id, unit.back
    if place >= 0:
        counter.hex = pos.number(place)
    else:
        counter.box = f"{SIDES[unit.side]}-{BOXES[place][0]}"
    counter.states = states
    return counter


def _counters(pos: State) -> list[Counter]:
    """Every counter in sight, face-down ones first, since face-up ones lie on top of them (6.6). Most lie as they
    lay when last looked at, and are not made again."""
    drawn: Recent[tuple[int, int, int, tuple[str, ...]], Counter] = pos.memo.setdefault("counters", Recent(20_000))
    marks = {
        "moved": pos.moved, "fired": pos.fired, "bridging": mask_of(piece for piece, _ in pos.pontoons),
        "dropped": pos.dropped,
    }  # fmt: skip
    first, marked, found = pos.roster.backs.start, union(marks.values()), []
    for piece in chain(range(first, len(pos.where)), range(first)):
        place = pos.where[piece]
        if place < 0 and place not in BOXES:
            continue
        face = pos.behind[piece - first] if piece >= first else piece
        states = tuple([word for word, mask in marks.items() if mask >> piece & 1]) if marked >> piece & 1 else ()
        key = piece, face if face >= 0 else piece, place, states
        found.append(drawn.find(key, _counter, pos, piece, key[1], key[3]))
    return found


def _face(game: CityGame, unit: Unit) -> Counter:
    return Counter(
        id=unit.id,
        side=SIDES[unit.side],
        symbol=SYMBOLS[unit.type],
        size=unit.size,
        name=unit.id.partition("/")[0] if unit.side == SOVIET and not unit.back else unit.id,
        formation=game.roster.titles[unit.command],
        figures=unit.figures,
        colour=_colour(unit),
        face_down=unit.back,
    )


def counter_sheet(game: CityGame) -> list[tuple[Counter, Counter | None]]:
    """Every counter in the box; units that can lie face down with their back."""
    back = _face(game, game.roster.units[game.roster.backs.start])
    drawn = {u.id for u in game.units.values() if u.command == "42"} - {*game.set_up.fixed, *game.set_up.off_map}
    return [(_face(game, unit), back if unit.id in drawn else None) for unit in game.units.values()]


def table(pos: State) -> Table:
    """Everything there is to draw over the map."""
    number = pos.number
    markers = [Marker(number(h), "rubble", "Rubble") for h in members(pos.rubble)]
    markers += [Marker(number(h), "control", "German control", "german") for h in members(pos.objectives(GERMAN))]
    for a, b in sorted(pos.broken):
        markers.append(Marker(number(a), "bridge-demolished", f"Bridge to {number(b)} demolished"))
    for piece, there in pos.pontoons:
        label, side = f"Pontoon to {number(there)}", SIDES[pos.roster.side[piece]]
        markers.append(Marker(number(pos.where[piece]), "pontoon", label, side))
    if pos.attack is not None:
        markers.append(Marker(number(pos.attack.target), "target", "Target"))
    boxes = [Box(f"{side}-{name}", title) for side in SIDES for name, title in BOXES.values()]
    return Table(_counters(pos), markers, boxes, _lines(pos))


def _lines(pos: State) -> list[str]:
    held, every = pos.objectives(GERMAN).bit_count(), pos.ground.objective.bit_count()
    need = pos.tables.victory.objectives
    backs = sum(pos.where[p] >= 0 for p in pos.roster.backs)
    front = sum(pos.where[p] in (UNDRAWN, POOL) for p in pos.roster.of_command["LFR"])
    lines = (
        (True, f"German objectives: {held} of {every}; {need} win at the end of turn {pos.game.turns}"),
        (pos.masked, f"Face-down Soviet units on the map: {backs}"),
        (not pos.masked, f"In the 42nd Army pool: {in_army_pool(pos)}"),
        (True, f"In the Front Reserve pool: {front}"),
        (pos.states, "Enhanced Soviet defence (16.2)"),
        (pos.fleet_back, f"The fleet's guns return on turn {pos.fleet_back}"),
        (pos.replacements and pos.side == GERMAN, f"German replacements left: {pos.replacements}"),
    )
    return [line for told, line in lines if told]


# Charts ---------------------------------------------------------------------------------------------------


def charts(game: CityGame) -> list[Chart]:
    """The charts of the map sheet, in our words."""
    tables, costs, modifier = game.tables, game.tables.movement, game.tables.modifiers
    combat, airborne = tables.combat, tables.airborne
    top = max(combat.eliminated_on) + 1
    return [
        Chart(
            "combat", "Combat results", "10.3", ["Modified die", *combat.columns],
            [
                [label, *("E" if roll <= limit else "-" for limit in combat.eliminated_on)]
                for label, roll in (("1 or less", 1), *((str(n), n) for n in range(2, top)), (f"{top} or more", top))
            ],
            ["E: the unit is eliminated. -: no effect.", "Plus modifiers help the defender."],
        ),
        Chart(
            "modifiers", "Die roll modifiers", "10.10", ["Condition", "Modifier", "Case"],
            [[m.title, f"{m.drm:+d}", m.case] for m in map(modifier.__getattribute__, modifier.__struct_fields__)],
        ),
        Chart(
            "terrain", "Movement costs", "8.5", ["Terrain", "Points"],
            [
                ["clear", str(costs.clear)],
                ["urban", f"{costs.urban}; blocks fire; {modifier.urban.drm:+d}"],
                ["objective", f"{costs.objective}; blocks fire; {modifier.objective.drm:+d}"],
                ["fortified",
                 f"{costs.fortified}, objective {costs.objective}; {modifier.fortified.drm:+d} for Soviets"],
                ["rubble", f"+{costs.rubble}; {modifier.rubble.drm:+d}"],
                ["minor-river", f"+{costs.minor_river} without a bridge"],
                ["major-river", "only by a bridge"],
                ["bridge", "no cost"],
                ["prospekt", "motorized movement and fire along it"],
                ["rail", "motorized movement and fire along it; Aurora"],
                ["sea", "closed to ground units"],
            ],
            [f"Allowance: German {costs.allowance['german']}, Soviet {costs.allowance['soviet']}; "
             f"motorized movement times {costs.motorized_factor}."],
        ),
        Chart(
            "airborne", "Airborne assault", "18.2", ["Die", "Result"],
            [
                [str(n), "lands" if n in airborne.lands else "drifts one hex" if n in airborne.drifts else "lost"]
                for n in range(1, 7)
            ],
        ),
    ]  # fmt: skip
