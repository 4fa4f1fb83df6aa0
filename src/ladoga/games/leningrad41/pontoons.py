"""Pontoon bridges (8.10): an engineer that begins its movement phase beside a river has one, and only where several
hexsides could be bridged is there something to choose, once a phase and at any time in it."""

from __future__ import annotations

from ...hexes import Hex
from .ground import hexside
from .state import G_MOVE, S_MOVE, State


def hexsides(pos: State, piece: int) -> list[Hex]:
    """The hexes beyond the river hexsides that an engineer could bridge: those without a standing bridge (8.10)."""
    here = pos.where[piece]
    if here < 0 or not pos.unit(piece).bridges:
        return []
    ground, broken = pos.ground, pos.broken
    beyond = ground.river_sides(here)
    return [there for there in beyond if not ground.has_bridge(here, there) or hexside(here, there) in broken]


def laid(pos: State, piece: int) -> Hex:
    """The hex that an engineer's pontoon leads to; none: -1."""
    return next((there for p, there in pos.pontoons if p == piece), -1)


def in_time(pos: State, piece: int) -> bool:
    """Whether an engineer is in its own movement phase, in the hex in which it began it."""
    return pos.phase_number in (G_MOVE, S_MOVE) and pos.unit(piece).side == pos.side and not pos.moved >> piece & 1


def choices(pos: State, piece: int) -> list[Hex]:
    """The hexes an engineer could turn its bridge to now, whichever sub-command is moving."""
    if not in_time(pos, piece) or (pos.turned | pos.bridging) >> piece & 1:
        return []
    beyond = hexsides(pos, piece)
    now = laid(pos, piece)
    return [there for there in beyond if there != now] if len(beyond) > 1 else []


def lay(pos: State, piece: int, there: Hex) -> None:
    """The bridge of an engineer leads to a hex from now on (8.10)."""
    pos.drop_pontoon(piece)
    pos.pontoons = tuple(sorted((*pos.pontoons, (piece, there))))


def stand(pos: State, piece: int) -> None:
    """An engineer with a single hexside to bridge has its bridge there without a word (8.10)."""
    if not in_time(pos, piece):
        return
    beyond = hexsides(pos, piece)
    if len(beyond) == 1 and laid(pos, piece) != beyond[0]:
        lay(pos, piece, beyond[0])


def stand_all(pos: State) -> None:
    """The bridges of the engineers that begin a movement phase beside a river, hidden ones apart (6.6)."""
    for piece in pos.on_map(pos.side):
        if pos.roster.units[piece].bridges:
            stand(pos, piece)


def carry(pos: State, side: int, here: Hex, there: Hex, mover: int) -> None:
    """An engineer whose pontoon carries a unit may not move this phase (8.10). Where several have bridged the hexside,
    one is enough: one that is held already, or one that has no move to lose, or the first."""
    edge = hexside(here, there)
    if not pos.pontoons or (pos.ground.has_bridge(here, there) and edge not in pos.broken):
        return
    builders = [
        p
        for p, beyond in pos.pontoons
        if p != mover and pos.roster.side[p] == side and hexside(pos.where[p], beyond) == edge
    ]
    if builders and not any(pos.bridging >> p & 1 for p in builders):
        spent = [p for p in builders if pos.finished >> pos.roster.command[p] & 1]
        pos.bridging |= 1 << (spent or builders)[0]
