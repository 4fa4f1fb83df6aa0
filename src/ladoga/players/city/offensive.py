"""Blows of a movement phase, planned together before anybody marches: who will stand where, so that the fires of the
phase are worth most beyond what they cost.

Each hex of the enemy is looked at with all that one sub-command can bring next to it and with its guns in range. The
best blow gets its units, then the best that the others can make. What a blow costs is counted: the fire on every
unit's way, an objective left without a guard, and how much worse the units will stand in the enemy's reply.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from ...games.leningrad41 import movement
from ...games.leningrad41.counters import GERMAN, SOVIET
from ...hexes import Hex, HexMask, members
from ...kernel.flood import Flood
from ..doctrines.leningrad41_staff.lie import OBJECTIVE
from ..doctrines.leningrad41_staff.volleys import Odds
from .sight import Sight

CORPS = "56"
DEAR = 0.08
"""What a point of fire could do elsewhere."""
LEAVING = (4.0, 8.0)
"""What it costs to leave an objective without a guard where the enemy may come, by side."""
SCARCE = 1.0
"""What a unit is worth beyond its fire, where it may be shot on its way."""
LEAST = 0.5
"""What a blow must be worth."""
WHIM = 0.4
"""How far behind the best a blow may lie that is chosen first."""
EXPOSED = (0.0, 0.15)
"""How much of its worth a unit is taken to lose where the enemy can gather against it, by side."""


class Blow(NamedTuple):
    """A blow, or a march into an objective that nobody holds: what it is worth, who stands where for it, and guns."""

    value: float
    target: Hex
    posts: tuple[tuple[int, Hex], ...]
    guns: tuple[int, ...] = ()


class Offensive:
    """The blows of one side's movement phase, chosen one after the other."""

    def __init__(self, sight: Sight, whim: random.Random | None = None) -> None:
        self.sight, self.p, self.side = sight, sight.p, sight.side
        self._whim = whim
        """Lets another blow than the best be chosen first now and then: what comes of it may be better together."""
        self.posts: dict[int, Hex] = {}
        self.blows: list[Blow] = []
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
        sight, p = self.sight, self.p
        for piece in p.on_map(self.side):
            unit, here = sight.face(piece), p.where[piece]
            if unit is not None and unit.leader:
                continue
            self._room[here] += 1
            if unit is not None and (unit.indirect or not p.ground.land >> here & 1):
                self._guns[piece] = p.ground.within(here, unit.range)
                continue
            free = movement.block(p, piece) is None
            self._ways[piece] = [(way, new) for _, way, new in movement.destinations(p, piece)] if free else []
            self._fields[piece] = 1 << here
            for _, new in self._ways[piece]:
                self._fields[piece] |= new

    def _choose(self) -> None:
        """The best blow gets its units, then the best of those that the others can make."""
        sight, p = self.sight, self.p
        everywhere = 0
        for field in self._fields.values():
            everywhere |= field
        targets = [h for h in members(sight.prey) if sight.near(h) & everywhere]
        targets += members(sight.missing & ~sight.theirs & everywhere)
        commands = sorted({sight.units[q].command for q in self._fields})
        known: dict[tuple[Hex, str], Blow | None] = {(h, command): None for h in targets for command in commands}
        stale = list(known)
        while known:
            for target, command in stale:
                make = self._blow if sight.prey >> target & 1 else self._walk
                known[target, command] = make(target, command)
            best = max((blow for blow in known.values() if blow is not None), key=self._appeal, default=None)
            if best is None or best.value <= LEAST:
                return
            self.blows.append(best)
            self._used.update(best.guns)
            for piece, h in best.posts:
                self._used.add(piece)
                self._room[p.where[piece]] -= 1
                self._room[h] += 1
                self.posts[piece] = h
            known = {key: blow for key, blow in known.items() if key[0] != best.target}
            stale = [key for key, blow in known.items() if blow is not None and not self._stands(blow)]

    def _appeal(self, blow: Blow) -> tuple[float, Blow]:
        """How much a blow asks to be chosen next."""
        return blow.value * (1.0 if self._whim is None else 1.0 - WHIM * self._whim.random()), blow

    @property
    def worth(self) -> float:
        """What all blows together are worth."""
        return sum(blow.value for blow in self.blows)

    def _stands(self, blow: Blow) -> bool:
        """Whether a blow is still possible as it was thought of."""
        coming = Counter(h for q, h in blow.posts if self.p.where[q] != h)
        free = self._used.isdisjoint(blow.guns) and not any(q in self._used for q, _ in blow.posts)
        return free and all(self._room[h] + n <= self._stack(h) for h, n in coming.items())

    # One blow ----------------------------------------------------------------------------------------

    def _walk(self, target: Hex, command: str) -> Blow | None:
        """The unit that is missed least walks into an objective that nobody holds."""
        sight = self.sight
        able = [q for q in self._ready(command) if self._fits(q, target, {})]
        if not able:
            return None
        piece = min(able, key=lambda q: (self._price(q, target) + DEAR * sight.worth(q), q))
        return Blow(sight.objective - self._price(piece, target), target, ((piece, target),))

    def _blow(self, target: Hex, command: str) -> Blow | None:
        """The best blow at a hex that a sub-command can make: with ever more units and ever more of its guns."""
        around = [h for h in members(self.sight.near(target) & ~self.sight.theirs) if self._crosses(h, target)]
        odds = self._odds.get(target)
        if odds is None:
            odds = self._odds[target] = Odds(self.sight, target)
        most, corps = self._limits(command)
        ready = self._ready(command) + (self._ready(CORPS) if self.side == GERMAN and command != CORPS else [])
        able = {q: hexes for q in ready if (hexes := [h for h in around if self._fields[q] >> h & 1])}
        if not able:
            return None
        guns = self._battery(target, command)
        best: Blow | None = None
        posts: dict[int, Hex] = {}
        for piece in self._ranked(odds, able):
            if not self._joins(odds, piece, posts, most, corps):
                continue
            free = [h for h in able[piece] if self._fits(piece, h, posts)]
            if not free:
                continue
            posts[piece] = min(free, key=lambda h: (self._price(piece, h) + odds.rivers[self._river(h, target)], h))
            for number in range(min(len(guns), most - len(posts)) + 1):
                best = _better(best, self._weigh(odds, posts, guns[:number]))
        return best

    def _ranked(self, odds: Odds, able: Mapping[int, list[Hex]]) -> list[int]:
        """Those who can come next to a hex: an engineer first, then who pierces armor, then the cheapest fire."""
        sight = self.sight

        def rank(piece: int) -> tuple[bool, bool, float, int]:
            unit = sight.face(piece)
            price = min(self._price(piece, h) for h in able[piece])
            engineer = unit is not None and unit.engineer and odds.shelter > 0
            piercing = unit is not None and unit.anti_armor and any(odds.armored)
            return not engineer, not piercing, price - 0.5 * sight.fire(piece), piece

        return sorted(able, key=rank)

    def _joins(self, odds: Odds, piece: int, posts: Mapping[int, Hex], most: int, corps: int) -> bool:
        """Whether one more unit may join, and is not a second engineer."""
        sight = self.sight
        unit = sight.face(piece)
        if len(posts) >= most:
            return False
        if unit is not None and unit.command == CORPS and sum(sight.units[q].command == CORPS for q in posts) >= corps:
            return False
        engineers = any(face.engineer for q in posts if (face := sight.face(q)) is not None)
        return not (unit is not None and unit.engineer and odds.shelter and engineers)

    def _battery(self, target: Hex, command: str) -> tuple[int, ...]:
        """The guns of a sub-command that reach a hex, the heaviest first."""
        sight = self.sight
        able = [
            gun
            for gun, field in self._guns.items()
            if gun not in self._used and sight.units[gun].command == command and field >> target & 1
        ]
        return tuple(sorted(able, key=lambda q: (-sight.fire(q), q)))

    def _weigh(self, odds: Odds, posts: Mapping[int, Hex], guns: tuple[int, ...]) -> Blow | None:
        """What a blow is worth beyond what its units and guns could do elsewhere, and risk on their way."""
        sight = self.sight
        storming = {q: h for q, h in posts.items() if (unit := sight.face(q)) is None or unit.assault}
        if not storming:
            return None
        party = (*posts, *guns)
        value = self._value(odds, party, storming)
        value -= sum(self._price(q, h) for q, h in posts.items()) + DEAR * sum(sight.fire(q) for q in party)
        return Blow(value, odds.target, tuple(posts.items()), guns)

    def _value(self, odds: Odds, party: tuple[int, ...], storming: Mapping[int, Hex]) -> float:
        """What the fire of some units comes to; a face-down one counts for what is to be expected of it."""
        faces, sight = [], self.sight
        missing = 0.0
        for q in party:
            behind = self.p.behind[q - self.p.roster.backs.start] if sight.units[q].back else q
            if behind >= 0:
                faces.append(behind)
            else:
                missing += sight.unseen
        return expected(odds, faces, list(storming.values()), missing)

    def _ready(self, command: str) -> list[int]:
        return [q for q in self._fields if q not in self._used and self.sight.units[q].command == command]

    def _limits(self, command: str) -> tuple[int, int]:
        """How many units may fire together, and of those how many corps units."""
        limits = self.p.tables.command
        if self.side == SOVIET:
            return limits.soviet, 0
        if command == CORPS:
            return 99, 99
        ss = any("ss" in self.sight.units[q].traits for q in self.p.roster.of_command[command])
        return (limits.ss, limits.ss) if ss else (99, limits.corps_with_division)

    # Where a unit can stand --------------------------------------------------------------------------

    def _crosses(self, h: Hex, target: Hex) -> bool:
        """Whether a hex can be stormed from another (10.16)."""
        ground = self.p.ground
        if not ground.land >> h & 1 or ground.sea_between(h, target):
            return False
        return ground.river(h, target) != "major" or self.p.bridged(h, target, self.side)

    def _river(self, h: Hex, target: Hex) -> str:
        return self.p.ground.river(h, target)

    def _stack(self, h: Hex) -> int:
        """How many units of the side may stand in a hex (6.1)."""
        limits = self.p.tables.stacking
        if self.side == GERMAN:
            return limits.german
        if self.p.states:
            return limits.soviet_defensive_states
        return limits.soviet_objective if self.p.ground.objective >> h & 1 else limits.soviet

    def _fits(self, piece: int, h: Hex, posts: Mapping[int, Hex]) -> bool:
        """Whether a unit can stand in a hex, with those who will stand there (6.1-6.3)."""
        here, units = self.p.where[piece], self.sight.units
        if here == h or not self._fields[piece] >> h & 1:
            return here == h
        coming = sum(post == h != self.p.where[q] for q, post in posts.items())
        others = {units[q].command for plan in (self.posts, posts) for q, post in plan.items() if post == h}
        mixed = units[piece].command != CORPS and others - {CORPS, units[piece].command}
        return not mixed and self._room[h] + coming < self._stack(h)

    def _price(self, piece: int, h: Hex) -> float:
        """What it costs a unit to stand in a hex: the fire on its way, the enemy's reply there, and an objective left
        without a guard."""
        here, sight = self.p.where[piece], self.sight
        if here == h:
            return 0.0
        toll = self._tolls.get((piece, h))
        if toll is None:
            toll = self._tolls[piece, h] = self._toll(piece, h)
        if self.p.ground.objective >> here & 1 and self._room[here] <= 1 and not sight.closing:
            toll += LEAVING[self.side] * sight.threat(here) * sight.objective / OBJECTIVE
        return toll

    def _toll(self, piece: int, h: Hex) -> float:
        """What the fire on its way costs a unit, and standing where the enemy can gather against it."""
        sight = self.sight
        way = next(way for way, new in self._ways[piece] if new >> h & 1)
        alive = 1.0
        for step in way.path(h)[1:]:
            if sight.watched >> step & 1:
                alive *= 1.0 - sight.ambush(step)
        worth = sight.worth(piece)
        worse = 0.0 if sight.closing else sight.reply(h) - sight.reply(self.p.where[piece])
        return (1.0 - alive) * (worth + SCARCE) + EXPOSED[self.side] * worth * max(0.0, worse)


def expected(odds: Odds, units: list[int], places: list[Hex], more: float) -> float:
    """What a storm is worth: as ``Odds.value``, with some points of fire of units that nobody has looked at."""
    lie, specs = odds.lie, odds.lie.units
    points = sum(specs[q].fire for q in units) + more
    drm = odds.rubble + odds.close + max(odds.rivers[lie.ground.river(h, odds.target)] for h in places)
    if not any(specs[q].engineer for q in units):
        drm += odds.shelter
    piercing = any(specs[q].anti_armor for q in units)
    total, cleared = 0.0, 1.0
    for piece, armored in zip(odds.troops, odds.armored, strict=True):
        chance = lie.chance(points, drm + (odds.armor if armored and not piercing else 0))
        total += chance * lie.worth(piece)
        cleared *= chance
    for piece in odds.leaders:
        chance = lie.chance(points, drm)
        total += chance * lie.worth(piece)
        cleared *= chance
    return total + cleared * (lie.objective if lie.ground.objective >> odds.target & 1 else 1.0)


def _better(one: Blow | None, other: Blow | None) -> Blow | None:
    return other if one is None or (other is not None and other.value > one.value) else one
