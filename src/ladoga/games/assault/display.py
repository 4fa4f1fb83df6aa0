"""What lies on the table, and the charts beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...kernel.table import Box, Chart, Counter, Marker, Table
from . import victory
from .figures import SIDES, Unit
from .state import State

if TYPE_CHECKING:
    from .game import AssaultGame

SYMBOLS = {
    "panzer": "armor", "motorized": "motorized", "infantry": "infantry", "hq": "hq", "rifle": "infantry",
    "guards": "infantry", "tank": "armor", "tank-corps": "armor", "volunteer": "infantry", "marine": "marine",
    "nkvd": "security", "guerrilla": "guerrilla", "worker": "worker", "naval": "naval",
}  # fmt: skip
SIZES = {"battalion": "II", "regiment": "III", "brigade": "X", "division": "XX", "hq": "XXX", "naval": ""}


def table(pos: State) -> Table:
    """Counters, markers and boxes of a position."""
    game = pos.game
    boxes = [Box(f"turn-{n}", f"Turn {n}", text, n) for n, text in enumerate(game.calendar, 1)]
    boxes += [Box("eliminated", "Eliminated units"), Box("withdrawn", "Withdrawn units"), Box("set-up", "To be placed")]
    if game.scenario.cup:
        boxes.append(Box("cup", "Cup"))
    marked = pos.disrupted | pos.out | pos.moved | pos.attacked | pos.retreated
    counters = [_counter(pos, index, unit, bool(marked >> index & 1)) for index, unit in enumerate(pos.roster)]
    return Table(counters, list(_markers(pos)), boxes, _lines(pos))


def _counter(pos: State, index: int, unit: Unit, marked: bool) -> Counter:
    """A unit as it lies on the table; what looks the same is the same counter."""
    steps, h = pos.steps[index], pos.where[index]
    number = pos.ground.number(h) if h >= 0 else ""
    box = "" if h >= 0 else _box(pos, index, unit)
    states = _states(pos, index, unit) if h >= 0 and (marked or steps < unit.full_steps) else ()
    return pos.game.counters.find((unit, steps, number, box, states), _printed, unit, steps, number, box, states)


def _box(pos: State, index: int, unit: Unit) -> str:
    due = pos.game.due.get(unit.id)
    boxes = (
        (pos.withdrawn >> index & 1, "withdrawn"),
        (not pos.steps[index], "eliminated"),
        (pos.cup >> index & 1, "cup"),
        (due is not None and due.turn > pos.turn, f"turn-{due.turn if due else 0}"),
        (pos.phase.id == "soviet-set-up", "set-up"),
    )
    return next((box for there, box in boxes if there), f"turn-{pos.turn}")


def _states(pos: State, index: int, unit: Unit) -> tuple[str, ...]:
    states = {
        "disrupted": pos.disrupted, "unsupplied": pos.out, "reduced": (pos.steps[index] < unit.full_steps) << index,
        "moved": pos.moved, "attacked": pos.attacked, "retreated": pos.retreated,
    }  # fmt: skip
    return tuple([word for word, units in states.items() if units >> index & 1])


def _markers(pos: State) -> list[Marker]:
    ground = pos.ground
    markers = [Marker(n, "support", "air", SIDES[pos.side]) for n in ground.numbers(pos.support)]
    markers += [Marker(target.hex, "bombing", "air", SIDES[pos.side]) for target in pos.bombs]
    points = {marker.hex: str(marker.points) for marker in pos.game.scenario.victory.extra_markers}
    markers += [Marker(n, "victory", points.get(n, ""), "soviet") for n in ground.numbers(pos.extra_markers)]
    if pos.fire_on >= 0:
        markers.append(Marker(ground.number(pos.fire_on), "fire", f"+{ground.tables.fleet_strength}", "soviet"))
    for n in ground.numbers(pos.game.watched(ground)):
        held = pos.german_held >> ground.grid.hex(n) & 1
        markers.append(Marker(n, "control", "", "german" if held else "soviet"))
    return markers


def _lines(pos: State) -> list[str]:
    points = dict.fromkeys(SIDES, 0)
    for entry in victory.entries(pos):
        points[entry.side] += int(entry.points)
    air = pos.air or pos.support_left
    lines = (
        (True, f"German {points['german']}, Soviet {points['soviet']} victory points"),
        (air, f"{air} {SIDES[pos.side].capitalize()} air units ready"),
        (pos.game.scenario.cup, f"{pos.cup.bit_count()} units in the cup"),
    )
    return [line for told, line in lines if told]


def counter_sheet(game: AssaultGame) -> list[tuple[Counter, Counter | None]]:
    """Every counter in the box: two faces to a counter, a second counter for more steps (19.22)."""
    return [
        (_printed(unit, steps), _printed(unit, steps - 1) if steps > 1 else None)
        for unit in game.printed.values()
        for steps in range(unit.full_steps, 0, -2)
    ]


def _printed(unit: Unit, steps: int, number: str = "", box: str = "", states: tuple[str, ...] = ()) -> Counter:
    face = None if unit.is_naval else unit.face(steps or 1)
    return Counter(
        id=unit.id,
        side=SIDES[unit.side],
        hex=number,
        box=box,
        symbol=SYMBOLS[unit.type],
        size=SIZES[unit.spec.size],
        name=unit.name,
        formation=unit.corps,
        figures=f"{face.combat}-{face.grade}-{unit.spec.movement}" if face else "",
        steps=steps,
        full_steps=unit.full_steps,
        colour=unit.spec.colour,
        states=states,
    )


# Charts -------------------------------------------------------------------------------------------


def charts(game: AssaultGame) -> list[Chart]:
    """The tables printed on the mapboard, in our figures."""
    tables = game.tables
    results = Chart(
        "results",
        "Combat results",
        "10.2",
        ["die", *tables.results.columns, tables.results.automatic],
        [[roll, *row, "DE"] for roll, row in tables.results.rows.items()],
        [
            "Penalties of the attacker stand left of the stroke, those of the defender right of it.",
            f"At {tables.results.automatic} or better the defender is eliminated without a roll.",
        ],
    )
    classes = Chart(
        "classes", "Class modifiers", "10.41", ["attacker", *(f"on {grade}" for grade in tables.classes["A"])],
        [[grade, *(f"{n:+}" if n else "0" for n in row.values())] for grade, row in tables.classes.items()],
    )  # fmt: skip
    terrain = Chart(
        "terrain",
        "Terrain effects",
        "6.13",
        ["terrain", "infantry", "mechanized", "guerrilla", "defender", "bombed on"],
        [_terrain_row(game, word) for word in sorted({*tables.movement, *tables.combat, *tables.bombardment})],
        [f"Leaving an enemy zone of control costs {tables.leave_zone} points more (9.4)."],
    )
    air = Chart("air", "Air units", "12.2", ["side", "turns", "1", "2", "3", "4", "5", "6"], _air_rows(game))
    return [results, classes, terrain, air]


def _terrain_row(game: AssaultGame, word: str) -> list[str]:
    tables = game.tables
    move, fight, bomb = tables.movement.get(word), tables.combat.get(word), tables.bombardment.get(word)
    return [
        game.tables.book.capital if word == "capital" else word.replace("-", " "),
        *([move.infantry, move.mechanized, move.guerrilla] if move else ["", "", ""]),
        f"x{fight.times}" if fight else "",
        (f"1-{bomb.disrupts}" if bomb.disrupts > 1 else "1") if bomb else "",
    ]


def _air_rows(game: AssaultGame) -> list[list[str]]:
    rows = []
    for side, force in game.tables.air.items():
        rows += [[side, turn, *[str(n)] * 6] for turn, n in force.fixed.items()]
        rows += [[side, f"{d.turns[0]}-{d.turns[1]}", *map(str, d.units)] for d in force.dice]
    return rows
