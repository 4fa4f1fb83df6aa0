"""Victory (sections 14 and 15.3)."""

from __future__ import annotations

from ...hexes import members
from ...kernel.position import Entry, Outcome
from . import supply
from .book import ScenarioSpec
from .position import TijvinPosition


def standing(p: TijvinPosition) -> Outcome:
    """How the game ends if it ends now."""
    scenario = p.game.book.set_up.scenarios[p.scenario]
    return by_points(p) if scenario.objectives is None else by_objectives(p, scenario)


def by_points(p: TijvinPosition) -> Outcome:
    """Points for cities that the Germans hold and can supply (14)."""
    table, ground = p.tables.victory, p.ground
    ledger = [
        Entry("german", table.major_city if ground.major_city >> h & 1 else table.minor_city, p.place_name(h), "14")
        for h in members(ground.cities & p.control & supply.supplied_hexes(p, "german"))
    ]
    points = sum(int(entry.points) for entry in ledger)
    level = table.level(points)
    german = min(entry.at_least for entry in table.levels if entry.winner == "german")
    drawn = min(entry.at_least for entry in table.levels if entry.winner != "soviet")
    margin = points - german + 1 if level.winner == "german" else drawn - points if level.winner == "soviet" else 0
    return Outcome(None if level.winner == "nobody" else level.winner, level.level, margin, tuple(ledger), "14")


def by_objectives(p: TijvinPosition, scenario: ScenarioSpec) -> Outcome:
    """Tikhvin and Volkhov against Novgorod and Sinyavino (15.3)."""
    assert scenario.objectives is not None
    grid = p.ground.grid
    held = {
        side: [grid.hex(n) for n in cities if n in grid and p.own_ground(side) >> grid.hex(n) & 1]
        for side, cities in scenario.objectives.items()
    }
    ledger = tuple(Entry(side, 1, p.place_name(h), "15.3") for side, hexes in held.items() for h in hexes)
    if held["soviet"]:
        return Outcome("soviet", "strategic", len(held["soviet"]), ledger, "15.3")
    count = len(held["german"])
    if count:
        return Outcome("german", "strategic" if count > 1 else "tactical", count, ledger, "15.3")
    return Outcome("soviet", "tactical", 1, ledger, "15.3")
