"""The last march: nobody answers the last phase of the game, so units walk through what scores for who was there last.

A unit may pass through several places in one move (17.22); ways are tried place after place, the nearest first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ....games.assault.movement import mover_of, standstill
from ....games.assault.reach import Mover, Reach
from ....hexes import Hex, members
from ....kernel.orders import Order
from .picture import Picture

BREADTH, DEPTH = 3, 5
"""How many of the nearest places a way is tried to, and how many places it leads through at most."""


class Walk(NamedTuple):
    """A way through places that score."""

    worth: float
    path: tuple[Hex, ...]


def last_march(picture: Picture, units: Iterable[int], places: dict[Hex, float]) -> list[Order]:
    """Who walks where in the last phase: the best walk first, each place once.

    Whoever alone is left in the city does not leave it (17.11)."""
    pos, found, left = picture.pos, list[Order](), dict(places)
    walkers = [i for i in units if pos.where[i] >= 0 and standstill(pos, i) is None]
    inside = {i for i in picture.of(picture.side) if picture.ground.city >> pos.where[i] & 1}
    walks: dict[int, Walk] = {}
    while left and walkers:
        for i in walkers:
            if i not in walks:
                walks[i] = _walk(mover_of(pos, i), left, DEPTH)
        best = max(walkers, key=lambda i: (walks[i].worth, -i))
        walk = walks[best]
        if walk.worth <= 0:
            break
        walkers.remove(best)
        if inside == {best} and not picture.ground.city >> walk.path[-1] & 1:
            continue
        inside.discard(best)
        if picture.ground.city >> walk.path[-1] & 1:
            inside.add(best)
        number = picture.ground.number
        found.append(Order("move", (pos.roster[best].id,), tuple(number(h) for h in walk.path)))
        for h in walk.path:
            left.pop(h, None)
        walks = {i: w for i, w in walks.items() if not set(w.path) & set(walk.path)}
    return found


def _walk(mover: Mover, places: dict[Hex, float], depth: int) -> Walk:
    """The way of one unit through most of some places."""
    best = Walk(0.0, ())
    if not depth or not places:
        return best
    reach = Reach(mover)
    near = [(reach.cost(h) or 0, h) for h in members(reach.hexes & ~reach.single) if h in places]
    for cost, h in sorted(near)[:BREADTH]:
        path = reach.path(h)
        gained = sum(places[at] for at in path if at in places)
        rest = {at: worth for at, worth in places.items() if at not in path}
        onward = Walk(0.0, ())
        if mover.goes_on(h):
            further = mover._replace(start=h, behind=1 << h, entries={}, budget=mover.budget - cost, one_hex=False)
            onward = _walk(further, rest, depth - 1)
        if gained + onward.worth > best.worth:
            best = Walk(gained + onward.worth, (*path, *onward.path))
    if not best.path:
        alone = [(places[h], h) for h in members(reach.single) if h in places]
        if alone:
            worth, h = max(alone)
            best = Walk(worth, tuple(reach.path(h)))
    return best
