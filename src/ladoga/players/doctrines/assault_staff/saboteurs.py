"""Saboteurs: where a few units together take all lines from the enemy's headquarters, and who goes there (11.16, 15.0).

One block mostly leaves him another line, so blocks are looked for as sets: whatever way a headquarters is fed, one hex
of it must be in the set. Guerrillas march to within reach of their hexes out of his sight and sit down all at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ....games.assault.figures import GERMAN, SOVIET
from ....games.assault.marches import distances
from ....games.assault.supply import open_ground
from ....hexes import Hex, HexMask, members
from ....kernel.flood import connected, zone
from ...lay import FAR
from .bodies import reach_of_unit
from .picture import spread

if TYPE_CHECKING:
    from ....games.assault.ground import Ground
    from .picture import Picture

SABOTAGE = 5.0
"""Strength of the corps that must starve for guerrillas to show themselves ..."""
PATIENT = 0.6
"""... and the part of what all of them could do together, if they are on their way to that."""
BREADTH = (3, 3, 2, 2)
"""Hexes of a way that are tried for each block of a set."""
APART = 3
"""Every so many hexes of a line there is one that saboteurs make for."""
WAY = 0.5
"""What a movement point on the way to a block costs."""
FEAR = 0.1
"""What a factor of strength costs that the enemy can bring there."""
ENTRY = 9
"""Hexes from where the enemy enters that are shunned as long as there is nothing to be cut."""
HIDDEN = 12.0
"""What it is worth to stay out of the enemy's reach on the way."""


Manning = Callable[[Sequence[Hex]], dict[int, Hex] | None]
"""Who stands in some hexes; None if there is nobody for one of them."""


class Cut(NamedTuple):
    """Blocks and what they starve."""

    starved: float
    hexes: tuple[Hex, ...]


class Saboteurs:
    """Guerrillas, and the lines that feed the enemy."""

    def __init__(self, picture: Picture, units: Sequence[int]) -> None:
        self.picture, self.units = picture, list(units)
        pos, ground = picture.pos, picture.ground
        self.free = open_ground(pos, GERMAN) & ground.main
        for i in self.units:
            if pos.where[i] >= 0:
                self.free |= 1 << pos.where[i] & ground.main
        self.reach = {
            i: (reach_of_unit(picture, i) | (1 << pos.where[i] if pos.where[i] >= 0 else 0)) & ~picture.them.occupied
            for i in self.units
        }
        self._corps: dict[str, float] = {}
        for i in picture.of(GERMAN):
            corps = pos.roster[i].corps
            if not pos.roster[i].is_hq and not ground.garrison >> pos.where[i] & 1:
                self._corps[corps] = self._corps.get(corps, 0.0) + picture.factor(i)
        self._posts = [
            (ground.fringe_of.get(pos.where[i], pos.where[i]), self._corps.get(pos.roster[i].corps, 0.0))
            for i in pos.headquarters if pos.where[i] >= 0
        ]  # fmt: skip
        self._lines: dict[HexMask, HexMask] = {}
        self._hungry: dict[HexMask, float] = {}
        self._feeding: dict[tuple[Hex, HexMask], list[Hex]] = {}
        self._before = self._starved(self.free)
        self.least = SABOTAGE * picture.much("sabotage")

    def orders(self) -> dict[int, Hex]:
        """Where each goes in this phase."""
        if not self.units or not self._posts:
            return {}
        picture, ground, everywhere = self.picture, self.picture.ground, 0
        for reached in self.reach.values():
            everywhere |= reached
        rails = ground.line_hexes & ground.main & ~ground.capital
        now = self._best(everywhere & rails, self._seated)
        wanted = self._best(_stations(ground) & ~self.picture.grid.within(self.picture.them.body, 1), self._sent)
        if now.starved >= self.least and now.starved >= PATIENT * picture.much("patient") * wanted.starved:
            return self._seated(now.hexes) or {}
        early = wanted.starved < self.least
        goals = self._sent(tuple(members(ground.line_exits)) if early else wanted.hexes) or {}
        seen = self.picture.swept
        if early:
            seen |= self.picture.grid.within(ground.entries & ground.german_exits, ENTRY)
        taken: set[Hex] = set()
        found = {}
        for i in self.units:
            found[i] = self._towards(i, goals.get(i), seen, taken)
            taken.add(found[i])
        return found

    # Sets of blocks -------------------------------------------------------------------------------

    def _best(self, allowed: HexMask, manned: Manning) -> Cut:
        """The set of allowed hexes that starves most and that there are units for."""
        best = Cut(0.0, ())
        for cut in self._cuts(self.free, allowed & self.free, ()):
            if cut.starved > best.starved + 0.5 and manned(cut.hexes) is not None:
                best = cut
        return best

    def _cuts(self, free: HexMask, allowed: HexMask, chosen: tuple[Hex, ...]) -> Iterator[Cut]:
        """Sets of blocks: each takes a hex of a way by which some headquarters is still fed."""
        if chosen:
            yield Cut(self._starved(free) - self._before, chosen)
        if len(chosen) == min(len(self.units), len(BREADTH)):
            return
        way = self._way(free, allowed)
        if not way:
            return
        most = BREADTH[len(chosen)]
        step = max(1, (len(way) - 1) // max(1, most - 1)) if most > 1 else 1
        for h in list(dict.fromkeys((*way[::step][: most - 1], way[-1]))):
            yield from self._cuts(free & ~(1 << h), allowed & ~(1 << h), (*chosen, h))

    def _way(self, free: HexMask, allowed: HexMask) -> list[Hex]:
        """The allowed hexes of the way by which the strongest corps that can be cut off is fed, the edge's first."""
        for spot, _ in sorted(self._posts, key=lambda post: -post[1]):
            way = [h for h in self._fed_by(spot, free) if allowed >> h & 1]
            if way:
                return way
        return []

    def _fed_by(self, spot: Hex, free: HexMask) -> list[Hex]:
        """The hexes of the way by which a headquarters is fed, if it can be cut off."""
        known = self._feeding.get((spot, free))
        if known is None:
            ground, picture, live = self.picture.ground, self.picture, self._live(free)
            near = _within(picture, 1 << spot, picture.game.tables.supply_range, free | 1 << spot)
            cut_off = not near & ground.german_exits and near & live
            known = _line(ground, ground.line_exits & live, near & live, live) if cut_off else []
            self._feeding[spot, free] = known
        return known

    def _live(self, free: HexMask) -> HexMask:
        """Lines that run over some ground from the edge of the map."""
        known = self._lines.get(free)
        if known is None:
            ground = self.picture.ground
            known = connected(ground.grid, ground.line_exits & free, ground.line_sides, free & ground.line_hexes)
            self._lines[free] = known
        return known

    def _starved(self, free: HexMask) -> float:
        """Strength of the corps whose headquarters are not fed over some ground."""
        known = self._hungry.get(free)
        if known is None:
            ground, picture = self.picture.ground, self.picture
            length = picture.game.tables.supply_range
            fed = _within(picture, self._live(free), length, free)
            fed |= _within(picture, ground.german_exits & free, length - 1, free)
            known = self._hungry[free] = sum([strength for spot, strength in self._posts if not fed >> spot & 1])
        return known

    # Who goes where -------------------------------------------------------------------------------

    def _seated(self, hexes: Sequence[Hex]) -> dict[int, Hex] | None:
        """Who sits down where in this phase; None if not every hex can be reached."""
        return self._matched(hexes, {i: {h: 0.0 for h in hexes if self.reach[i] >> h & 1} for i in self.units})

    def _sent(self, hexes: Sequence[Hex]) -> dict[int, Hex] | None:
        """Who goes where in the end: those who are near."""
        ground, pos = self.picture.ground, self.picture.pos
        ways: dict[int, dict[Hex, float]] = {i: {} for i in self.units}
        for h in hexes:
            field = distances(ground, SOVIET, "guerrilla", 1 << h)
            for i in self.units:
                here = pos.where[i]
                if here >= 0 and here in field:
                    ways[i][h] = field[here]
        return self._matched(hexes, ways)

    def _matched(self, hexes: Sequence[Hex], ways: Mapping[int, Mapping[Hex, float]]) -> dict[int, Hex] | None:
        """A unit for each hex: the hexes with fewest choices first, the nearest unit to each."""
        found: dict[int, Hex] = {}
        for h in sorted(hexes, key=lambda h: (sum(h in way for way in ways.values()), h)):
            able = [(way[h], i) for i, way in ways.items() if h in way and i not in found]
            if not able and len(found) == len(self.units):
                break
            if not able:
                return None
            found[min(able)[1]] = h
        return found

    def _towards(self, index: int, goal: Hex | None, seen: HexMask, taken: set[Hex]) -> Hex:
        """The next hex on the way to a block, out of the enemy's reach and off the lines."""
        picture, pos, ground = self.picture, self.picture.pos, self.picture.ground
        rails = ground.line_hexes & ground.main & ~ground.capital
        target = 1 << goal if goal is not None else rails
        field = distances(ground, SOVIET, "guerrilla", target)
        budget = pos.roster[index].movement / 6
        best, top = pos.where[index], -FAR * 99
        for h in members(self.reach[index]):
            if (ground.inset | ground.capital) >> h & 1 or h in taken:
                continue
            value = -WAY * max(0.0, field.get(h, FAR) - 0.7 * budget)
            value += 0.0 if seen >> h & 1 else HIDDEN * picture.much("hidden")
            value -= FEAR * picture.threat(h) + (0.3 if rails >> h & 1 else 0.0)
            if value > top:
                best, top = h, value
        return best


def _within(picture: Picture, seeds: HexMask, length: int, free: HexMask) -> HexMask:
    """Hexes within so many steps of some along German supply."""
    return spread(picture.grid, seeds & free, length, free, picture.ground.german_supply_sides)


def _line(ground: Ground, exits: HexMask, ends: HexMask, live: HexMask) -> list[Hex]:
    """A shortest way along live lines from the edge of the map to some hexes."""
    layers = [exits]
    reached = exits
    while not layers[-1] & ends:
        new = zone(ground.grid, layers[-1], ground.line_sides) & live & ~reached
        if not new:
            return []
        reached |= new
        layers.append(new)
    here = (layers[-1] & ends).bit_length() - 1
    way = [here]
    for layer in reversed(layers[:-1]):
        near = zone(ground.grid, 1 << here, ground.line_sides) & layer
        here = (near or layer).bit_length() - 1
        way.append(here)
    return way[::-1]


@lru_cache(maxsize=8)
def _stations(ground: Ground) -> HexMask:
    """Hexes of the lines, some apart, that saboteurs make for."""
    rails = ground.line_hexes & ground.main & ~ground.capital
    found = covered = 0
    for h in members(rails):
        if not covered >> h & 1:
            found |= 1 << h
            covered |= ground.grid.within(1 << h, APART - 1)
    return found
