"""What lies on the table: counters, boxes, facts, and the charts of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...hexes import members
from ...kernel.table import Box, Chart, Counter, Marker, Table
from . import combat
from .book import ABSENT, DESTROYED, DUE, EDGES, UnitMask

if TYPE_CHECKING:
    from .book import Tables
    from .position import TijvinPosition

SYMBOLS = {
    "infantry": "infantry", "motorized": "motorized", "tank": "armor", "cavalry": "cavalry", "artillery": "artillery",
    "antitank": "antitank",
}  # fmt: skip


def table(p: TijvinPosition) -> Table:
    """Everything there is to draw."""
    counters = _units(p)
    counters += [_headquarters(p, q) for q in range(len(p.roster.hqs))]
    counters += [_air(p, i) for i in range(len(p.roster.air)) if p.roster.air[i].arrives <= p.game.turns]
    return Table(counters, _markers(p), _boxes(p), _lines(p))


def _units(p: TijvinPosition) -> list[Counter]:
    """The combat units; a counter that looks as before is the same object, for drawing asks often."""
    drawn = p.roster.drawn
    marked = p.unsupplied | p.uncommanded | p.fired | p.attacked | p.spent | p.shaken | p.retreated
    counters = []
    for u, h in enumerate(p.hexes):
        box = p.box[u]
        if box == ABSENT:
            continue
        states = _states(p, u) if marked >> u & 1 else ()
        key = (u, h, box, p.turn if box == DUE else 0, p.cf[u], p.hq[u], p.unknown >> u & 1, states)
        counter = drawn.get(key)
        if counter is None:
            counter = drawn[key] = _unit(p, u, states)
        counters.append(counter)
    return counters


def _states(p: TijvinPosition, u: int) -> tuple[str, ...]:
    states: list[tuple[str, UnitMask]] = [
        ("unsupplied", p.unsupplied), ("uncommanded", p.uncommanded), ("fired", p.fired), ("attacked", p.attacked),
        ("moved", p.moved & p.active), ("activated", p.spent), ("shaken", p.shaken), ("retreated", p.retreated),
    ]  # fmt: skip
    return tuple(word for word, mask in states if mask >> u & 1)


def _unit(p: TijvinPosition, u: int, states: tuple[str, ...]) -> Counter:
    unit = p.roster.units[u]
    hidden = bool(p.unknown >> u & 1)
    support = f" +{unit.support}" if unit.support else ""
    return Counter(
        unit.id, unit.side, p.ground.names[p.hexes[u]] if p.hexes[u] >= 0 else "", _box_of(p, u),
        unit.symbol or SYMBOLS[unit.type], unit.size, unit.name,
        unit.division or ("" if hidden else p.roster.hqs[p.hq[u]].name),
        f"{unit.efficiency}-{unit.movement}{support}", 0 if hidden else p.cf[u], 0 if hidden else unit.cf,
        unit.shade or ("panzer" if unit.side == "german" and unit.type == "tank" else ""), states,
    )  # fmt: skip


def _box_of(p: TijvinPosition, u: int) -> str:
    if p.hexes[u] >= 0:
        return ""
    if p.box[u] == DESTROYED:
        return "destroyed"
    if p.box[u] in EDGES:
        return "over-the-edge"
    arrives = p.roster.units[u].arrives
    return f"turn-{max(arrives, p.turn)}" if arrives else "set-up"


def _headquarters(p: TijvinPosition, q: int) -> Counter:
    hq = p.roster.hqs[q]
    states = ("activated",) if p.hq_activated >> q & 1 else ()
    if p.hq_unsupplied >> q & 1:
        states = ("unsupplied", *states)
    h = p.hq_hex[q]
    box = "" if h >= 0 else "set-up" if p.stage.startswith("set-up") else "destroyed"
    return Counter(hq.id, hq.side, p.ground.grid.number(h) if h >= 0 else "", box, "hq",
                   "XXX" if hq.side == "german" else "XXXX", hq.name, states=states)  # fmt: skip


def _air(p: TijvinPosition, i: int) -> Counter:
    air = p.roster.air[i]
    box = f"{air.side}-air" if air.arrives <= p.turn else f"turn-{air.arrives}"
    states = ("fired",) if p.air_used >> i & 1 else ()
    return Counter(air.id, air.side, box=box, symbol="air", name=air.name, figures=f"+{air.support}", states=states)


def _markers(p: TijvinPosition) -> list[Marker]:
    number = p.ground.grid.number
    cities = [
        Marker(number(h), "control", side="german" if p.control >> h & 1 else "soviet")
        for h in p.ground.grid.members(p.ground.cities)
    ]
    target = [Marker(number(p.battle.target), "target")] if p.battle is not None else []
    return cities + target


def _boxes(p: TijvinPosition) -> list[Box]:
    boxes = list(p.game.beside[: p.game.scenarios[p.scenario].turns]) + list(p.game.beside[p.game.turns :])
    lists: list[list[str]] = [[] for _ in p.roster.hqs]
    for u, h in enumerate(p.hexes):
        if h >= 0:
            factors = "?" if p.unknown >> u & 1 else p.cf[u]
            lists[p.hq[u]].append(f"{p.roster.units[u].name} {factors}")
    boxes += [Box(f"sheet-{hq.id}", hq.name, ", ".join(lists[q])) for q, hq in enumerate(p.roster.hqs)]
    return boxes


def beside_the_map(calendar: tuple[str, ...]) -> tuple[Box, ...]:
    """The turn track and the boxes that never change."""
    track = [Box(f"turn-{n}", f"Turn {n}", days, n) for n, days in enumerate(calendar, 1)]
    return (
        *track, Box("destroyed", "Destroyed units"), Box("over-the-edge", "Retreated over the edge"),
        Box("set-up", "To be set up"), Box("german-air", "German air units"), Box("soviet-air", "Soviet air units"),
    )  # fmt: skip


def _lines(p: TijvinPosition) -> list[str]:
    lines = [f"Weather: {p.weather.replace('-', ' ')}"]
    lines.append("Swamp and minor rivers are frozen" if p.frozen else "Swamp and rivers are open")
    for side in p.game.sides:
        used = sum(1 for i in p.roster.air_of[side] if p.air_used >> i & 1)
        lines.append(f"{side.capitalize()} air units left: {max(combat.flights(p, side) - used, 0)}")
    if p.stage == "replacement" and p.rolled:
        lines.append(f"{p.side.capitalize()} replacement points left: {p.points}")
    if p.active:
        lines.append(f"Activated: {p.name(sum(1 << u for u in members(p.active)))}")
    return lines


def charts(tables: Tables) -> list[Chart]:
    """The game's charts."""
    faces = [str(n) for n in range(1, 7)]
    plus = "{:+}".format
    weather = Chart(
        "weather", "Weather", "7.W", ["Die", *(c.name for c in tables.weather.columns)],
        [[face, *(c.faces[n].replace("-", " ") for c in tables.weather.columns)] for n, face in enumerate(faces)],
    )  # fmt: skip
    ratios = Chart(
        "ratios", "Ratio of factors", "13.IIb", ["Attacker to defender", "Attacker's modifier"],
        [[c.name, plus(c.modifier)] for c in tables.ratios.columns],
        ["Reconstructed: " + " ".join(tables.ratios.why.split())],
    )  # fmt: skip
    kinds = ("foot", "motorized", "tank")
    costs = [[name.replace("-", " "), *(str(line.get(kind, "road or railway only")) for kind in kinds)]
             for name, line in tables.terrain.costs.items()]  # fmt: skip
    costs.append(["along a road or railway", *[str(tables.terrain.path)] * 3])
    costs += [[name.replace("-", " "), *[plus(extra)] * 3] for name, extra in tables.terrain.rivers.items()]
    terrain = Chart(
        "terrain", "Movement costs", "12", ["Terrain", "Foot and horse", "Motorized", "Tanks"], costs,
        ["From turn 7 swamp is clear and minor rivers cost nothing.",
         "Reconstructed: " + " ".join(tables.terrain.why.split())],
    )  # fmt: skip
    modifiers = Chart(
        "modifiers", "Terrain in combat", "13.IIc", ["Defender's hex", "Defender's modifier"],
        [["clear", plus(tables.terrain_modifiers.clear)], ["forest", plus(tables.terrain_modifiers.forest)],
         ["swamp", plus(tables.terrain_modifiers.swamp)], ["minor city", plus(tables.terrain_modifiers.minor_city)],
         ["major city", plus(tables.terrain_modifiers.major_city)]], ["A city's figure stands alone."],
    )  # fmt: skip
    casualties = Chart(
        "casualties", "Casualties", "13.IV", ["Die", "Winner loses"],
        [[face, str(tables.casualties.winner[n])] for n, face in enumerate(faces)],
        ["The weaker side has 8 to 15 factors: 1 more; 16 to 20: 2 more.",
         "The loser loses 1 more than the winner, 2 more if doubled, 3 more if tripled."],
    )  # fmt: skip
    command = Chart(
        "out-of-command", "Attacked out of command", "11.O", ["Die", "German", "Soviet"],
        [[face, tables.out_of_command.german[n], tables.out_of_command.soviet[n]] for n, face in enumerate(faces)],
    )  # fmt: skip
    replacements = Chart(
        "replacements", "Replacement points", "8.P", ["Die", "Points"],
        [[face, str(tables.replacements.points[n])] for n, face in enumerate(faces)],
        ["German: 2 more on turns 2 to 4, 1 more on turns 5 and 6.",
         "Soviet: 2 more on turns 6 to 10, 4 more on 11 to 15."],
    )  # fmt: skip
    victory = Chart(
        "victory", "Victory", "14", ["Points", "Result"],
        [[f"{level.at_least} and more", f"{level.winner} {level.level}"] for level in tables.victory.levels],
    )  # fmt: skip
    return [weather, terrain, ratios, modifiers, casualties, command, replacements, victory]
