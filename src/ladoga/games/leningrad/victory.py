"""Chapter 18: victory points and levels of victory."""

from __future__ import annotations

from ...kernel.position import Entry, Outcome
from .edition import GERMAN
from .pieces import DEAD
from .position import LeningradPosition


def ledger(pos: LeningradPosition) -> tuple[Entry, ...]:
    """Every victory point with its case (18.1, 18.2)."""
    figures = pos.game.edition.tables.victory
    case = pos.game.edition.case
    entries = []
    for slot, piece in enumerate(pos.pieces):
        if piece.side != GERMAN or piece.spec is None:
            continue
        if pos.hexes[slot] == DEAD:
            worth = figures.eliminated.get(piece.spec.type, 0)
            if worth:
                entries.append(Entry("soviet", worth, f"{piece.name} eliminated", case("18.1")))
        elif pos.hexes[slot] >= 0 and pos.steps[slot] < piece.spec.full_steps:
            worth = figures.reduced.get(piece.spec.type, 0)
            if worth:
                entries.append(Entry("soviet", worth, f"{piece.name} reduced", case("18.1")))
    price = pos.game.edition.tables.rebuilding.price
    if price and pos.rebuilt:
        entries.append(Entry("soviet", price * pos.rebuilt, f"German replacements: {pos.rebuilt}", case("18.1")))
    bid = pos.options.bid
    if isinstance(bid, int) and bid:
        entries.append(Entry("soviet", bid, "bid for the German side", case("18.4")))
    for number, worth in figures.hexes.items():
        if number not in pos.ground.grid:
            continue
        h = pos.ground.grid.hex(number)
        stack = pos.stack(h)
        if stack and pos.pieces[stack[0]].side == GERMAN and any(pos.supplied(slot) for slot in stack):
            entries.append(Entry("german", worth, f"{pos.map.name_of(h)} held in supply", case("18.2")))
    return tuple(entries)


def standing(pos: LeningradPosition) -> Outcome:
    """German points less Soviet points, and the level they mean (18.3)."""
    entries = ledger(pos)
    margin = sum(int(e.points) if e.side == "german" else -int(e.points) for e in entries)
    for level in pos.game.edition.tables.victory.levels:
        if margin >= level.from_:
            return Outcome(level.winner, level.level, margin, entries, pos.game.edition.case("18.3"))
    raise AssertionError("the last level has no lower end")
