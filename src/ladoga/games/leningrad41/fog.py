"""Fog of war (6.5, 6.6): what the German may not know, taken out of a position, and imagined back.

The Soviet player knows everything there is to know but the way a German unit means to take and the fire the German
is composing: the units of 3.6 are not drawn until they are flipped. The German does not know what a later
arrival is, hence neither what is left in the pool.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, TypeVar

from .counters import SIDES, SOVIET
from .state import BEHIND, GONE, HAND, NOBODY, POOL, SECRET, SET_UP, UNDRAWN, UNKNOWN, State

if TYPE_CHECKING:
    from .position import CityPosition

P = TypeVar("P", bound="CityPosition")


def seen_by(pos: P, side: str) -> P:
    """The position as a side sees it; where a moving unit means to go its player alone knows (8.1), and who is to
    fire at what its player alone knows until he commits the fire (10.3)."""
    going = side != SIDES[pos.side] and any(step.kind == "walk" for step in pos.pending)
    composing = pos.composer >= 0 and side != SIDES[pos.composer]
    if side == "soviet" and not going and not composing:
        return pos
    new = pos._copy()
    new._planned = None
    if going:
        new.pending = tuple(step for step in pos.pending if step.kind != "walk")
    if composing:
        new.attack = None
    if side == "soviet":
        return new
    new.masked = True
    new.events = tuple(event for event in pos.events if side not in event.hidden_from)
    for piece in pos.roster.of_command["42"]:
        if pos.where[piece] in (UNDRAWN, POOL, BEHIND):
            new.where[piece] = UNKNOWN
    new.behind = [SECRET if unit >= 0 else unit for unit in pos.behind]
    if pos.phase_number == SET_UP:
        _clear_table(new)
    return new


def _clear_table(pos: State) -> None:
    """During set-up the German looks away (3.2): as if nothing had been placed yet."""
    fixed = pos.game.set_up.fixed
    for piece in list(pos.on_map(SOVIET)):
        unit = pos.unit(piece)
        if unit.back or (unit.id in fixed and fixed[unit.id].where != "hex"):
            pos.lift(piece, HAND)


def imagined(pos: P, rng: random.Random) -> P:
    """A full position that fits what the German sees, hidden facts drawn anew."""
    if not pos.masked:
        return pos
    new = pos._copy()
    new.masked, new._planned = False, None
    army = [p for p in pos.roster.of_command["42"] if pos.where[p] == UNKNOWN]
    start = pos.roster.backs.start
    laid = [p for p in pos.roster.backs if pos.where[p] != GONE]
    secret = [p for p in laid if pos.behind[p - start] == SECRET]
    unseen_needed = len(laid) - len(secret)
    rng.shuffle(army)
    free = sum(not pos.shown >> p & 1 for p in army) - unseen_needed
    for piece in army:
        fresh = not pos.shown >> piece & 1
        new.where[piece] = UNDRAWN if fresh else POOL
        if secret and (not fresh or free > 0):
            free -= fresh
            new.behind[secret.pop() - start], new.where[piece] = piece, BEHIND
    for back in secret:
        new.behind[back - start] = NOBODY
    return new
