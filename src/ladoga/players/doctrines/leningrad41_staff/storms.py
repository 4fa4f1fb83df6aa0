"""Storms planned together: before anybody marches, who will stand where, so that the fires of the phase are worth most
beyond what they cost.

One unit after the other, sent to where it is worth most by itself, leaves half an army idle next to storms too weak to
succeed. Here each hex of the enemy is looked at with all that one sub-command, and the corps troops that may join it
(13.2-13.4), can bring next to it, an engineer first (10.20), and with its guns in range. The best storm gets its units,
then the best that the others can make. What a storm costs is counted: the fire on every unit's way, an objective left
without a guard and, for a general, how much worse the units will stand in the enemy's reply.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ....games.leningrad41 import movement
from ....games.leningrad41.counters import GERMAN, SOVIET
from ....hexes import Hex, HexMask, members
from .lie import OBJECTIVE, Lie
from .volleys import Odds
from .ways import Way, gauntlet, ways

CORPS = "56"
ASKED = "@"
"""How a word of a temper begins that names a hex."""
DISTANT = 2
"""Hexes from which units with such a range help."""


class Storm(NamedTuple):
    """A storm, or a march into an objective that nobody holds: what it is worth, who stands where for it, guns, and the
    leader under whom it is made, if any, and his place."""

    value: float
    target: Hex
    posts: tuple[tuple[int, Hex], ...]
    guns: tuple[int, ...] = ()
    seat: tuple[tuple[int, Hex], ...] = ()


def pays(lie: Lie, target: Hex, posts: Mapping[int, Hex], guns: Sequence[int]) -> bool:
    """Whether a storm is still worth what it costs those who have not reached their posts, now that others fell."""
    p, near = lie.p, lie.near(target)
    places = [h for q, h in posts.items() if near >> h & 1 and ((unit := lie.face(q)) is None or unit.assault)]
    if not places or not lie.theirs >> target & 1:
        return False
    value = expected(Odds(lie, target), (*posts, *guns), places)
    for q, h in posts.items():
        if p.where[q] != h and lie.watched >> h & 1:
            value -= lie.safety * lie.toll * lie.ambush(h, q) * (lie.worth(q) + lie.w.scarce)
    return value > lie.w.least


def expected(odds: Odds, party: Sequence[int], places: Sequence[Hex]) -> float:
    """What the fire of some units comes to; a face-down one counts for what is to be expected of it."""
    lie = odds.lie
    backs, behind = lie.p.roster.backs, lie.p.behind
    faces = [behind[q - backs.start] if lie.units[q].back else q for q in party]
    known = [q for q in faces if q >= 0]
    return odds.value(known, known, 0, places, lie.unseen * (len(faces) - len(known)))[0]


class Storms:
    """The storms of one side's movement phase, chosen one after the other."""

    def __init__(self, lie: Lie, zeal: Mapping[Hex, float] | None = None, known: Storms | None = None) -> None:
        """``known`` are other storms of the same phase: who can go where is not asked again."""
        self.lie, self.p, self.side = lie, lie.p, lie.side
        self._zeal = zeal or _asked(lie)
        """How much more some hexes ask to be stormed first than by what it is worth: what comes of it may be better
        together."""
        self.targets: list[Hex] = []
        """Hexes that can be stormed or walked into."""
        self.posts: dict[int, Hex] = {}
        self.seats: dict[int, Hex] = {}
        """Where leaders will be."""
        self.storms: list[Storm] = []
        self._used: set[int] = set()
        self._room: Counter[Hex] = Counter()
        """How many units will stand in a hex."""
        self._ways: dict[int, list[Way]] = {}
        self._fields: dict[int, HexMask] = {}
        """Where each unit can stand."""
        self._guns: dict[int, HexMask] = {}
        self._leaders: dict[str, tuple[int, HexMask]] = {}
        """Leaders by name, and where each can be."""
        self._odds: dict[Hex, Odds] = {}
        self._tolls: dict[tuple[int, Hex], float] = {}
        self._standing: Counter[Hex] = Counter()
        """How many units stand in a hex now."""
        self._first: dict[tuple[Hex, str], Storm | None] = {}
        """What could be done against each hex as long as nobody had a part."""
        if known is None:
            self._survey()
        else:
            self._ways, self._fields, self._guns = known._ways, known._fields, known._guns
            self._leaders, self._standing = known._leaders, known._standing
            self._odds, self._tolls = known._odds, known._tolls
            self._first, self.targets = known._first, known.targets
        self._room = self._standing.copy()
        self._choose()

    def _survey(self) -> None:
        """Who is there or comes in now, and how far each can go or fire."""
        lie, p = self.lie, self.p
        coming = [q for q in movement.waiting(p) if p.roster.side[q] == self.side]
        for piece in (*p.on_map(self.side), *coming):
            unit, here = lie.face(piece), p.where[piece]
            found = ways(p, piece) if movement.block(p, piece) is None else []
            if not lie.thorough:
                found = [way for way in found if way[1].stops or not way[1].reached & lie.watched]
            field = 1 << here if here >= 0 else 0
            for _, _, new in found:
                field |= new
            if unit is not None and unit.leader:
                if lie.led:
                    self._leaders[unit.id] = piece, field & ~lie.watched
                continue
            if here >= 0:
                self._standing[here] += 1
            if unit is not None and (unit.indirect or (here >= 0 and not p.ground.land >> here & 1)):
                start = 1 << here if here >= 0 else p.ground.entry[self.side]
                self._guns[piece] = lie.grid.within(start, unit.range) if field else 0
            elif field:
                self._ways[piece], self._fields[piece] = found, field

    def _choose(self) -> None:
        """The best storm gets its units, then the best of those that the others can make."""
        p = self.p
        known = dict(self._first) if self._first else self._possible()
        stale: list[tuple[Hex, str]] = []
        while known:
            for target, command in stale:
                known[target, command] = self._made(target, command)
            worth = [storm for storm in known.values() if storm is not None and storm.value > self.lie.w.least]
            best = max(worth, key=self._appeal, default=None)
            if best is None:
                return
            self.storms.append(best)
            self.seats.update(best.seat)
            self._used.update(best.guns)
            for piece, h in best.posts:
                self._used.add(piece)
                if p.where[piece] >= 0:
                    self._room[p.where[piece]] -= 1
                self._room[h] += 1
                self.posts[piece] = h
            known = {key: storm for key, storm in known.items() if key[0] != best.target}
            stale = [key for key, storm in known.items() if storm is not None and not self._stands(storm)]

    def _possible(self) -> dict[tuple[Hex, str], Storm | None]:
        """The storms of each sub-command, and under each leader, as long as nobody has a part."""
        lie, everywhere = self.lie, 0
        for field in self._fields.values():
            everywhere |= field
        self.targets = [h for h in members(lie.prey) if lie.near(h) & everywhere]
        self.targets += members(lie.missing & ~lie.theirs & everywhere)
        commands = [*sorted({lie.units[q].command for q in self._fields}), *self._leaders]
        self._first = {(h, command): self._made(h, command) for h in self.targets for command in commands}
        return dict(self._first)

    def _made(self, target: Hex, command: str) -> Storm | None:
        """The best that those who have no part yet can do against a hex."""
        make = self._storm if self.lie.prey >> target & 1 else self._walk
        return make(target, command)

    def _appeal(self, storm: Storm) -> tuple[float, Storm]:
        """How much a storm asks to be chosen next."""
        return storm.value * self._zeal.get(storm.target, 1.0), storm

    @property
    def worth(self) -> float:
        """What all storms together are worth."""
        return sum(storm.value for storm in self.storms)

    def _stands(self, storm: Storm) -> bool:
        """Whether a storm is still possible as it was thought of."""
        coming = Counter(h for q, h in storm.posts if self.p.where[q] != h)
        free = self._used.isdisjoint(storm.guns) and not any(q in self._used for q, _ in storm.posts)
        led = all(self.seats.get(leader, h) == h for leader, h in storm.seat)
        return led and free and all(self._room[h] + n <= self._stack(h) for h, n in coming.items())

    # One storm ----------------------------------------------------------------------------------------

    def _walk(self, target: Hex, command: str) -> Storm | None:
        """The unit that is missed least walks into an objective that nobody holds."""
        lie = self.lie
        able = [q for q in self._ready(command) if self._fits(q, target, {})]
        if not able:
            return None

        def missed(piece: int) -> float:
            unit = lie.face(piece)
            return lie.worth(piece) * (2.0 if unit is not None and unit.engineer else 1.0)

        piece = min(able, key=lambda q: (self._price(q, target) + lie.w.dear * missed(q), q))
        return Storm(lie.objective - self._price(piece, target), target, ((piece, target),))

    def _storm(self, target: Hex, command: str) -> Storm | None:
        """The best storm at a hex that a sub-command, or those around a leader, can make: with ever more units and ever
        more of its guns."""
        lie = self.lie
        seat = self._seat(target, command)
        if seat is None:
            return None
        close = lie.near(target) & ~lie.theirs
        around = sum(1 << h for h in members(close) if self._crosses(h, target))
        apart = self.p.ground.lines.field(target, DISTANT) & ~close & ~lie.theirs
        for leader, h in seat:
            apart &= self.p.ground.within(h, lie.units[leader].radius)
        odds = self._odds.get(target)
        if odds is None:
            odds = self._odds[target] = Odds(lie, target)
        most, corps = self._limits(command)
        ready = self._ready(command) + (self._ready(CORPS) if self._joined(command) else [])
        able: dict[int, list[Hex]] = {}
        for q in ready:
            hexes = self._fields[q] & (around | apart if lie.units[q].range >= DISTANT else around)
            if hexes:
                able[q] = list(members(hexes))
        if not able:
            return None
        guns = self._battery(target, command, seat)
        best: Storm | None = None
        posts: dict[int, Hex] = {}
        for piece in self._ranked(odds, able):
            if not self._joins(odds, piece, posts, most, corps):
                continue
            free = [h for h in able[piece] if self._fits(piece, h, posts)]
            if not free:
                continue
            posts[piece] = min(free, key=lambda h: (self._price(piece, h) + odds.rivers[self._river(h, target)], h))
            for number in self._batteries(posts, guns, most):
                best = _better(best, self._weigh(odds, posts, guns[:number], around))
            if sum(lie.fire(q) for q in posts) >= self.p.tables.combat.least[-1]:
                break
        return best._replace(seat=seat) if best is not None else None

    def _seat(self, target: Hex, command: str) -> tuple[tuple[int, Hex], ...] | None:
        """Where the leader is from whom a storm takes its name, so that his voice reaches all around the target (14.3);
        none of a sub-command, None if he cannot be there."""
        if command not in self._leaders:
            return ()
        lie = self.lie
        leader, field = self._leaders[command]
        hexes = self.p.ground.within(target, lie.units[leader].radius - 1)
        hexes &= 1 << self.seats[leader] if leader in self.seats else field
        if not hexes:
            return None
        return ((leader, min(members(hexes), key=lambda h: (not self._room[h], lie.reply(h), h))),)

    def _joined(self, command: str) -> bool:
        """Whether corps troops may join those of a division."""
        return self.side == GERMAN and command != CORPS and command not in self._leaders

    def _ranked(self, odds: Odds, able: Mapping[int, list[Hex]]) -> list[int]:
        """Those who can come next to a hex: an engineer first, then who pierces armor, then the cheapest fire."""
        lie = self.lie

        def rank(piece: int) -> tuple[bool, bool, float, int]:
            unit = lie.face(piece)
            price = min(self._price(piece, h) for h in able[piece])
            engineer = unit is not None and unit.engineer and odds.shelter > 0
            piercing = unit is not None and unit.anti_armor and any(odds.armored)
            return not engineer, not piercing, price - 0.5 * lie.fire(piece), piece

        return sorted(able, key=rank)

    def _joins(self, odds: Odds, piece: int, posts: Mapping[int, Hex], most: int, corps: int) -> bool:
        """Whether one more unit may join, and is not a second engineer."""
        lie = self.lie
        unit = lie.face(piece)
        if len(posts) >= most:
            return False
        if unit is not None and unit.command == CORPS and sum(lie.units[q].command == CORPS for q in posts) >= corps:
            return False
        engineers = any(face.engineer for q in posts if (face := lie.face(q)) is not None)
        return not (unit is not None and unit.engineer and odds.shelter and engineers)

    def _battery(self, target: Hex, command: str, seat: tuple[tuple[int, Hex], ...]) -> tuple[int, ...]:
        """The guns of a sub-command, or around a leader, that reach a hex, the heaviest first."""
        lie, p = self.lie, self.p
        heard = 0
        for leader, h in seat:
            heard |= p.ground.within(h, lie.units[leader].radius)
        able = [
            gun
            for gun, field in self._guns.items()
            if gun not in self._used and field >> target & 1
            and (p.where[gun] >= 0 and heard >> p.where[gun] & 1 if seat else lie.units[gun].command == command)
        ]  # fmt: skip
        return tuple(sorted(able, key=lambda q: (-lie.fire(q), q)))

    def _batteries(self, posts: Mapping[int, Hex], guns: tuple[int, ...], most: int) -> Iterator[int]:
        """How many guns may help: none, and as many as bring the next column of the table."""
        lie, column = self.lie, self.p.tables.combat.column
        points = sum(lie.fire(q) for q in posts)
        reached = column(int(points))
        yield 0
        for number, gun in enumerate(guns[: most - len(posts)], start=1):
            points += lie.fire(gun)
            if column(int(points)) > reached:
                reached = column(int(points))
                yield number

    def _weigh(self, odds: Odds, posts: Mapping[int, Hex], guns: tuple[int, ...], around: HexMask) -> Storm | None:
        """What a storm is worth beyond what its units and guns could do elsewhere, and risk on their way."""
        lie = self.lie
        storming = {
            q: h for q, h in posts.items() if around >> h & 1 and ((unit := lie.face(q)) is None or unit.assault)
        }
        if not storming:
            return None
        party = (*posts, *guns)
        value = expected(odds, party, list(storming.values()))
        value -= sum(self._price(q, h) for q, h in posts.items()) + lie.w.dear * sum(lie.fire(q) for q in party)
        return Storm(value, odds.target, tuple(posts.items()), guns)

    def _ready(self, command: str) -> list[int]:
        """Those of a sub-command, or of all for a leader, who have no part yet."""
        units, every = self.lie.units, command in self._leaders
        return [q for q in self._fields if q not in self._used and (every or units[q].command == command)]

    def _limits(self, command: str) -> tuple[int, int]:
        """How many units may fire together, and of those how many corps units."""
        limits = self.p.tables.command
        if command in self._leaders:
            return 99, 99
        if self.side == SOVIET:
            return limits.soviet, 0
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
        here, units = self.p.where[piece], self.lie.units
        if here == h or not self._fields[piece] >> h & 1:
            return here == h
        coming = sum(post == h != self.p.where[q] for q, post in posts.items())
        others = {units[q].command for plan in (self.posts, posts) for q, post in plan.items() if post == h}
        mixed = units[piece].command != CORPS and others - {CORPS, units[piece].command}
        return not mixed and self._room[h] + coming < self._stack(h)

    def _price(self, piece: int, h: Hex) -> float:
        """What it costs a unit to stand in a hex: the fire on its way, the enemy's reply there, and an objective left
        without a guard."""
        here, lie = self.p.where[piece], self.lie
        if here == h:
            return 0.0
        toll = self._tolls.get((piece, h))
        if toll is None:
            toll = self._tolls[piece, h] = self._toll(piece, h)
        if here >= 0 and self.p.ground.objective >> here & 1 and self._room[here] <= 1 and not lie.closing:
            toll += lie.w.leaving * lie.threat(here) * lie.objective / OBJECTIVE
        return toll

    def _toll(self, piece: int, h: Hex) -> float:
        """What the fire on its way costs a unit, and standing where the enemy can gather against it."""
        lie = self.lie
        p = self.p
        reached = next(reached for _, reached, new in self._ways[piece] if new >> h & 1)
        alive = 1.0
        for step in gauntlet(p, piece, reached, h, lie.watched):
            alive *= 1.0 - lie.ambush(step, piece)
        worth = lie.worth(piece)
        worse = lie.reply(h) if lie.w.exposed and not lie.closing else 0.0
        if worse and p.where[piece] >= 0:
            worse -= lie.reply(p.where[piece])
        shot = lie.safety * lie.toll * (1.0 - alive) * (worth + lie.w.scarce)
        return shot + lie.w.exposed * worth * max(0.0, worse)


def _asked(lie: Lie) -> dict[Hex, float]:
    """How much more a temper asks for some hexes to be stormed first: its words name them."""
    return {lie.grid.hex(word[1:]): factor for word, factor in lie.bias.items() if word[0] == ASKED}


def _better(one: Storm | None, other: Storm | None) -> Storm | None:
    return other if one is None or (other is not None and other.value > one.value) else one
