"""Chapter 18: victory points and levels of victory."""

from __future__ import annotations

from ...kernel.position import Entry, Outcome
from .edition import GERMAN
from .pieces import DEAD
from .position import LeningradPosition


def ledger(pos: LeningradPosition) -> tuple[Entry, ...]:
    """Every victory point with its case (18.1, 18.2)."""
    figures, grid, bid = pos.game.edition.tables.victory, pos.ground.grid, pos.options.bid
    case, price = pos.game.edition.case, pos.game.edition.tables.rebuilding.price
    paid: list[tuple[int, str, str]] = []
    for slot, piece in enumerate(pos.pieces):
        if piece.side == GERMAN and piece.spec is not None:
            reduced = pos.hexes[slot] >= 0 and pos.steps[slot] < piece.spec.full_steps
            if pos.hexes[slot] == DEAD:
                paid.append((figures.eliminated.get(piece.spec.type, 0), f"{piece.name} eliminated", "18.1"))
            elif reduced:
                paid.append((figures.reduced.get(piece.spec.type, 0), f"{piece.name} reduced", "18.1"))
    paid.append((price * pos.rebuilt, f"German replacements: {pos.rebuilt}", "18.1"))
    paid.append((bid if isinstance(bid, int) else 0, "bid for the German side", "18.4"))
    stacks = {number: pos.stack(grid.hex(number)) for number in figures.hexes if number in grid}
    held = [number for number, stack in stacks.items()
            if stack and pos.pieces[stack[0]].side == GERMAN and any(map(pos.supplied, stack))]  # fmt: skip
    return (
        *(Entry("soviet", worth, label, case(number)) for worth, label, number in paid if worth),
        *(Entry("german", figures.hexes[number], f"{pos.map.name_of(grid.hex(number))} held in supply", case("18.2"))
          for number in held),
    )  # fmt: skip


def standing(pos: LeningradPosition) -> Outcome:
    """German points less Soviet points, and the level they mean (18.3); the last level has no lower end."""
    entries = ledger(pos)
    margin = sum(int(e.points) if e.side == "german" else -int(e.points) for e in entries)
    level = next(level for level in pos.game.edition.tables.victory.levels if margin >= level.from_)
    return Outcome(level.winner, level.level, margin, entries, pos.game.edition.case("18.3"))
