"""What lies on the table: counters, boxes, facts, and the charts of the game."""

from __future__ import annotations

from ...kernel.table import Box, Chart, Counter, Marker, Table
from . import combat
from .administration import in_range
from .book import ABSENT, DESTROYED, DUE, EDGES, Tables, UnitMask
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
    return Table(counters, _markers(p), _boxes(p), _lines(p), _warnings(p))


def _warnings(p: TijvinPosition) -> list[str]:
    """Units that would be out of command for the turn if the assignment ended as it stands (9)."""
    side = p.phase.side
    if not p.phase.id.endswith("-assignment") or any(p.unknown >> u & 1 for u in p.roster.of[side]):
        return []  # nobody is told how the other side's secret assignments stand
    out = [u for u in p.roster.of[side] if p.hexes[u] >= 0 and not in_range(p, u)]
    if not out:
        return []
    units = "unit" if len(out) == 1 else "units"
    return [f"{len(out)} {units} out of command for the turn if assignment ends now (9)"]


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
        counters.append(drawn.find(key, _unit, p, u, states))
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
    arrives = p.roster.units[u].arrives
    out = f"turn-{max(arrives, p.turn)}" if arrives else "set-up"
    boxes = {DESTROYED: "destroyed"} | dict.fromkeys(EDGES, "over-the-edge")
    return "" if p.hexes[u] >= 0 else boxes.get(p.box[u], out)


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
    used = {side: sum(1 for i in p.roster.air_of[side] if p.air_used >> i & 1) for side in p.game.sides}
    return [
        f"Weather: {p.weather.replace('-', ' ')}",
        "Swamp and minor rivers are frozen" if p.frozen else "Swamp and rivers are open",
        *(f"{side.capitalize()} air units left: {max(combat.flights(p, side) - n, 0)}" for side, n in used.items()),
        *([f"{p.side.capitalize()} replacement points left: {p.purse.left}"] if p.purse.rolled else []),
        *([f"Activated: {p.name(p.active)}"] if p.active else []),
    ]


# Charts ---------------------------------------------------------------------------------------

FACES = tuple(str(n) for n in range(1, 7))


def charts(tables: Tables) -> list[Chart]:
    """The game's charts."""
    return [
        _weather(tables), _terrain(tables), _ratios(tables), _defence(tables), _casualties(tables), _command(tables),
        _replacements(tables), _victory(tables),
    ]  # fmt: skip


def _signed(figure: int) -> str:
    return f"{figure:+}"


def _rebuilt(why: str) -> str:
    return "Reconstructed: " + " ".join(why.split())


def _weather(tables: Tables) -> Chart:
    columns = tables.weather.columns
    rows = [[face, *(c.faces[n].replace("-", " ") for c in columns)] for n, face in enumerate(FACES)]
    return Chart("weather", "Weather", "7.W", ["Die", *(c.name for c in columns)], rows)


def _terrain(tables: Tables) -> Chart:
    kinds, table = ("foot", "motorized", "tank"), tables.terrain
    rows = [
        [name.replace("-", " "), *(str(line.get(kind, "road or railway only")) for kind in kinds)]
        for name, line in table.costs.items()
    ]
    rows.append(["along a road or railway", *[str(table.path)] * 3])
    rows += [[name.replace("-", " "), *[_signed(extra)] * 3] for name, extra in table.rivers.items()]
    frozen = f"From turn {tables.turns.frozen} swamp is clear and minor rivers cost nothing."
    head = ["Terrain", "Foot and horse", "Motorized", "Tanks"]
    return Chart("terrain", "Movement costs", "12", head, rows, [frozen, _rebuilt(table.why)])


def _ratios(tables: Tables) -> Chart:
    rows = [[c.name, _signed(c.modifier)] for c in tables.ratios.columns]
    head = ["Attacker to defender", "Attacker's modifier"]
    return Chart("ratios", "Ratio of factors", "13.IIb", head, rows, [_rebuilt(tables.ratios.why)])


def _defence(tables: Tables) -> Chart:
    figures = tables.terrain_modifiers
    words = ("clear", "forest", "swamp", "minor_city", "major_city")
    rows = [[word.replace("_", " "), _signed(getattr(figures, word))] for word in words]
    head = ["Defender's hex", "Defender's modifier"]
    return Chart("modifiers", "Terrain in combat", "13.IIc", head, rows, ["A city's figure stands alone."])


def _casualties(tables: Tables) -> Chart:
    figures = tables.casualties
    sizes = sorted(figures.magnitude, key=lambda m: m.at_least)
    tops = [*(m.at_least - 1 for m in sizes[1:]), tables.stacking.limit]
    larger = "; ".join(f"{m.at_least} to {top}: {m.losses} more" for m, top in zip(sizes, tops, strict=True))
    once, twice, thrice = (figures.loser + figures.by_degree(degree) for degree in (1, 2, 3))
    return Chart(
        "casualties", "Casualties", "13.IV", ["Die", "Winner loses"],
        [[face, str(figures.winner[n])] for n, face in enumerate(FACES)],
        [f"Factors of the weaker side: {larger}.",
         f"The loser loses {once} more than the winner, {twice} more if doubled, {thrice} more if tripled."],
    )  # fmt: skip


def _command(tables: Tables) -> Chart:
    table = tables.out_of_command
    rows = [[face, table.german[n], table.soviet[n]] for n, face in enumerate(FACES)]
    return Chart("out-of-command", "Attacked out of command", "11.O", ["Die", "German", "Soviet"], rows)


def _replacements(tables: Tables) -> Chart:
    table = tables.replacements
    rows = [[face, str(table.points[n])] for n, face in enumerate(FACES)]
    notes = []
    for side, bonuses in table.bonus.items():
        told = ", ".join(f"{b.points} more on turns {b.first} to {b.last}" for b in bonuses)
        notes.append(f"{side.capitalize()}: {told}.")
    return Chart("replacements", "Replacement points", "8.P", ["Die", "Points"], rows, notes)


def _victory(tables: Tables) -> Chart:
    rows = [[f"{level.at_least} and more", f"{level.winner} {level.level}"] for level in tables.victory.levels]
    return Chart("victory", "Victory", "14", ["Points", "Result"], rows)
