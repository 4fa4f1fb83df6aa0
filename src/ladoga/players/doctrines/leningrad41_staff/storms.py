"""Storms planned together: before anybody marches, who will stand where, so that the storms of the phase are worth
most.

One unit after the other, sent to where it is worth most by itself, leaves half an army idle next to storms too weak to
succeed. Here each hex of the enemy is looked at with all that one sub-command, and the corps troops that may join it
(13.2, 13.3), can bring next to it, an engineer first (10.20), and with its guns in range. The best storm gets its
units, then the best that the others can make.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from ....games.leningrad41 import movement
from ....games.leningrad41.counters import GERMAN
from ....hexes import Hex, HexMask, members
from ....kernel.flood import Flood
from .lie import OBJECTIVE, Lie
from .volleys import Odds

CORPS = "56"
DEAR = 0.08
"""What a point of fire could do elsewhere."""
LEAVING = 4.0
"""What it costs to leave an objective without a guard where the enemy may come."""
SCARCE = 1.0
"""What a unit is worth beyond its fire, where it may be shot on its way."""
LEAST = 0.5
"""What a storm must be worth."""


class Storm(NamedTuple):
    """A storm, or a march into an objective that nobody holds: what it is worth, who stands where for it, and guns."""

    value: float
    target: Hex
    posts: tuple[tuple[int, Hex], ...]
    guns: tuple[int, ...] = ()


def plan(lie: Lie) -> dict[int, Hex]:
    """Who goes where for the storms of a phase."""
    return Storms(lie).posts


class Storms:
    """The storms of a German movement phase, chosen one after the other."""

    def __init__(self, lie: Lie) -> None:
        self.lie, self.p = lie, lie.p
        self.posts: dict[int, Hex] = {}
        self._used: set[int] = set()
        self._room: Counter[Hex] = Counter()
        """How many units will stand in a hex."""
        self._ways: dict[int, list[tuple[Flood, HexMask]]] = {}
        self._fields: dict[int, HexMask] = {}
        """Where each unit can stand."""
        self._guns: dict[int, HexMask] = {}
        self._odds: dict[Hex, Odds] = {}
        self._tolls: dict[tuple[int, Hex], float] = {}
        self._survey()
        self._choose()

    def _survey(self) -> None:
        """Who is there, and how far each can go or fire."""
        lie, p = self.lie, self.p
        for piece in p.on_map(GERMAN):
            unit, here = lie.units[piece], p.where[piece]
            if unit.leader:
                continue
            self._room[here] += 1
            if unit.indirect:
                self._guns[piece] = p.ground.within(here, unit.range)
                continue
            free = movement.block(p, piece) is None
            self._ways[piece] = [(way, new) for _, way, new in movement.destinations(p, piece)] if free else []
            self._fields[piece] = 1 << here
            for _, new in self._ways[piece]:
                self._fields[piece] |= new

    def _choose(self) -> None:
        """The best storm gets its units, then the best of those that the others can make."""
        lie, p = self.lie, self.p
        everywhere = 0
        for field in self._fields.values():
            everywhere |= field
        targets = [h for h in members(lie.troops) if lie.near(h) & everywhere]
        targets += members(lie.missing & ~lie.theirs & everywhere)
        commands = sorted({lie.units[q].command for q in self._fields})
        known: dict[tuple[Hex, str], Storm | None] = {(h, command): None for h in targets for command in commands}
        stale = list(known)
        while known:
            for target, command in stale:
                make = self._storm if lie.troops >> target & 1 else self._walk
                known[target, command] = make(target, command)
            best = max((storm for storm in known.values() if storm is not None), default=None)
            if best is None or best.value <= LEAST:
                return
            self._used.update(best.guns)
            for piece, h in best.posts:
                self._used.add(piece)
                self._room[p.where[piece]] -= 1
                self._room[h] += 1
                self.posts[piece] = h
            known = {key: storm for key, storm in known.items() if key[0] != best.target}
            stale = [key for key, storm in known.items() if storm is not None and not self._stands(storm)]

    def _stands(self, storm: Storm) -> bool:
        """Whether a storm is still possible as it was thought of."""
        coming = Counter(h for q, h in storm.posts if self.p.where[q] != h)
        free = self._used.isdisjoint(storm.guns) and not any(q in self._used for q, _ in storm.posts)
        return free and all(self._room[h] + n <= self.p.tables.stacking.german for h, n in coming.items())

    # One storm ---------------------------------------------------------------------------------------

    def _walk(self, target: Hex, command: str) -> Storm | None:
        """The unit that is missed least walks into an objective that nobody holds."""
        units = self.lie.units
        able = [q for q in self._ready(command) if self._fits(q, target, {})]
        if not able:
            return None
        piece = min(able, key=lambda q: (self._price(q, target) + DEAR * units[q].fire * (1 + units[q].engineer), q))
        return Storm(self.lie.objective - self._price(piece, target), target, ((piece, target),))

    def _storm(self, target: Hex, command: str) -> Storm | None:
        """The best storm of a hex that a sub-command can make: with ever more units, then with its guns."""
        lie, units = self.lie, self.lie.units
        around = [h for h in members(lie.near(target) & ~lie.theirs) if self._crosses(h, target)]
        odds = self._odds.get(target)
        if odds is None:
            odds = self._odds[target] = Odds(lie, target)
        most, corps = self._limits(command)
        ready = self._ready(command) + (self._ready(CORPS) if command != CORPS else [])
        able = {q: hexes for q in ready if (hexes := [h for h in around if self._fields[q] >> h & 1])}

        def rank(piece: int) -> tuple[bool, bool, float, int]:
            unit = units[piece]
            price = min(self._price(piece, h) for h in able[piece])
            piercing = any(odds.armored) and unit.anti_armor
            return not (odds.shelter and unit.engineer), not piercing, price - 0.5 * unit.fire, piece

        best: Storm | None = None
        posts: dict[int, Hex] = {}
        for piece in sorted(able, key=rank):
            unit = units[piece]
            free = [h for h in able[piece] if self._fits(piece, h, posts)]
            led = unit.engineer and odds.shelter and any(units[q].engineer for q in posts)
            joined = sum(units[q].command == CORPS for q in posts)
            if not free or led or len(posts) >= most or (unit.command == CORPS and joined >= corps):
                continue
            posts[piece] = min(free, key=lambda h: (self._price(piece, h) + self._river(odds, h), h))
            best = _better(best, self._weigh(odds, posts, ()))
        if best is None:
            return None
        posts = dict(best.posts)
        guns: tuple[int, ...] = ()
        for gun in sorted(self._guns, key=lambda q: (-units[q].fire, q)):
            fires = gun not in self._used and units[gun].command == command and self._guns[gun] >> target & 1
            if fires and len(posts) + len(guns) < most:
                guns = (*guns, gun)
                best = _better(best, self._weigh(odds, posts, guns))
        return best

    def _weigh(self, odds: Odds, posts: Mapping[int, Hex], guns: tuple[int, ...]) -> Storm | None:
        """What a storm is worth beyond what its units and guns could do elsewhere, and risk on their way."""
        units = self.lie.units
        storming = {q: h for q, h in posts.items() if units[q].assault}
        if not storming:
            return None
        party = (*posts, *guns)
        value, _ = odds.value(party, list(storming), places=list(storming.values()))
        value -= sum(self._price(q, h) for q, h in posts.items()) + DEAR * sum(units[q].fire for q in party)
        return Storm(value, odds.target, tuple(posts.items()), guns)

    def _ready(self, command: str) -> list[int]:
        return [q for q in self._fields if q not in self._used and self.lie.units[q].command == command]

    def _limits(self, command: str) -> tuple[int, int]:
        """How many units may fire together, and of those how many corps units."""
        limits = self.p.tables.command
        if command == CORPS:
            return 99, 99
        ss = any("ss" in self.lie.units[q].traits for q in self.p.roster.of_command[command])
        return (limits.ss, limits.ss) if ss else (99, limits.corps_with_division)

    # Where a unit can stand --------------------------------------------------------------------------

    def _crosses(self, h: Hex, target: Hex) -> bool:
        """Whether a hex can be stormed from another (10.16)."""
        ground = self.p.ground
        if not ground.land >> h & 1 or ground.sea_between(h, target):
            return False
        return ground.river(h, target) != "major" or self.p.bridged(h, target, GERMAN)

    def _river(self, odds: Odds, h: Hex) -> float:
        return odds.rivers[self.p.ground.river(h, odds.target)]

    def _fits(self, piece: int, h: Hex, posts: Mapping[int, Hex]) -> bool:
        """Whether a unit can stand in a hex, with those who will stand there (6.1, 6.2)."""
        here, units = self.p.where[piece], self.lie.units
        if here == h or not self._fields[piece] >> h & 1:
            return here == h
        coming = sum(post == h != self.p.where[q] for q, post in posts.items())
        others = {units[q].command for plan in (self.posts, posts) for q, post in plan.items() if post == h}
        mixed = units[piece].command != CORPS and others - {CORPS, units[piece].command}
        return not mixed and self._room[h] + coming < self.p.tables.stacking.german

    def _price(self, piece: int, h: Hex) -> float:
        """What it costs a unit to stand in a hex: the fire on its way, and an objective left without a guard."""
        here, lie = self.p.where[piece], self.lie
        if here == h:
            return 0.0
        toll = self._tolls.get((piece, h))
        if toll is None:
            toll = self._tolls[piece, h] = self._toll(piece, h)
        if self.p.ground.objective >> here & 1 and self._room[here] <= 1:
            toll += LEAVING * lie.threat(here) * lie.objective / OBJECTIVE
        return toll

    def _toll(self, piece: int, h: Hex) -> float:
        """What the fire on its way costs a unit."""
        lie = self.lie
        way = next(way for way, new in self._ways[piece] if new >> h & 1)
        alive = 1.0
        for step in way.path(h)[1:]:
            if lie.watched >> step & 1:
                alive *= 1.0 - lie.ambush(step)
        return lie.safety * lie.toll * (1.0 - alive) * (lie.worth(piece) + SCARCE)


def _better(one: Storm | None, other: Storm | None) -> Storm | None:
    return other if one is None or (other is not None and other.value > one.value) else one
