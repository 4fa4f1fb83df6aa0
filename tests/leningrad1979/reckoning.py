"""Movement, supply, odds and retreats once more: slowly, hex by hex, as the rulebook tells them.

The engine floods sets of hexes at once and remembers what it found; this walks over dictionaries and remembers
nothing. Where the two agree on a few hundred random fields, neither speed nor memory has changed a rule.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

Hex = tuple[int, int]
"""Column and row."""

CORPS = {"41": 3, "56": 3, "39": 2}
"""Units of each panzer corps (12.1)."""

PANZERS = {
    "1/41": ("armor", 10, 5), "6/41": ("armor", 10, 5), "36/41": ("mechanized", 8, 4), "8/56": ("armor", 10, 5),
    "3/56": ("mechanized", 8, 4), "TOT/56": ("mechanized", 8, 4), "12/39": ("armor", 10, 5),
    "20/39": ("mechanized", 8, 4),
}  # fmt: skip
"""Type, strength and reduced strength; all have eight points."""

INFANTRY = ("1", "11", "12", "21", "30", "32", "61", "93", "96", "121", "122", "123", "126", "206")

OTHER = {"german": "soviet", "soviet": "german"}


@dataclass
class Unit:
    """A unit as its counter shows it."""

    side: str
    kind: str
    attack: int
    defence: int
    movement: int
    at: Hex
    steps: int = 1

    @property
    def mobile(self) -> bool:
        return self.kind != "infantry"


def number(h: Hex) -> str:
    return f"{h[0]:02}{h[1]:02}"


def distance(a: Hex, b: Hex) -> int:
    """Hexes from one to another; even columns lie half a hex lower."""
    across, down = abs(a[0] - b[0]), abs(2 * a[1] - a[0] % 2 - 2 * b[1] + b[0] % 2)
    return across + max(0, (down - across) // 2)


@dataclass
class Reckoning:
    """A field with units on it."""

    columns: int
    rows: int
    terrain: dict[Hex, str] = field(default_factory=dict)
    places: dict[Hex, set[str]] = field(default_factory=dict)
    sides: dict[frozenset[Hex], set[str]] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)
    forts: set[Hex] = field(default_factory=set)
    air: dict[Hex, int] = field(default_factory=dict)

    def around(self, h: Hex) -> list[Hex]:
        low = 1 - h[0] % 2
        near = [(0, -1), (0, 1), (-1, low - 1), (-1, low), (1, low - 1), (1, low)]
        found = [(h[0] + column, h[1] + row) for column, row in near]
        return [(c, r) for c, r in found if 1 <= c <= self.columns and 1 <= r <= self.rows]

    def at(self, h: Hex, side: str = "") -> list[str]:
        return [name for name, unit in self.units.items() if unit.at == h and side in ("", unit.side)]

    def side(self, a: Hex, b: Hex) -> set[str]:
        return self.sides.get(frozenset((a, b)), set())

    def open(self, a: Hex) -> list[Hex]:
        """Neighbours that no water keeps apart (4.9)."""
        return [b for b in self.around(a) if "lake" not in (*self.side(a, b), self.terrain.get(a), self.terrain.get(b))]

    def zone(self, side: str) -> set[Hex]:
        """Zones of control (5.0)."""
        return {h for unit in self.units.values() if unit.side == side for h in self.open(unit.at)}

    # Movement (4.0, 6.0, 13.3, 15.2) ----------------------------------------------------------

    def price(self, a: Hex, b: Hex, side: str, half: bool) -> int:
        """Half points for a step; ``half``: at the rate of armor on roads and in cities (4.9)."""
        if "road" in self.side(a, b):
            cost = 1 if half else 2
        else:
            built = self.places.get(b, set()) & {"city", "soviet-city"}
            cost = (1 if half else 2) if built else {"swamp": 4, "hill": 4}.get(self.terrain.get(b, "clear"), 2)
            cost *= 2 if "river" in self.side(a, b) else 1
        if side == "german" and b in self.forts and not self.at(b):
            cost *= 2
        return cost * 2 ** self.air.get(b, 0) if side == "soviet" else cost

    def allowance(self, name: str) -> int:
        """Half points of a unit: half of its movement if it is out of supply (11.1)."""
        movement = self.units[name].movement
        return 2 * (movement if self.supplied(name) else movement // 2)

    def reach(self, group: tuple[str, ...]) -> dict[Hex, int]:
        """Half points to every hex a group of one kind can go to."""
        first = self.units[group[0]]
        side, start, budget = first.side, first.at, min(self.allowance(name) for name in group)
        enemies, zone = {u.at for u in self.units.values() if u.side != side}, self.zone(OTHER[side])
        panzers = side == "german" and first.mobile
        found, ways, all_in = {start: 0}, [(0, start)], set()
        while ways:
            spent, a = heappop(ways)
            staying = [name for name in self.at(a) if name not in group]
            if spent > found[a] or (a in zone and not (len(group) <= 2 and staying and (panzers or a == start))):
                continue
            for b in self.open(a):
                if b in enemies or len(self.at(b)) + len(group) > 3 or (a in zone and b in zone) or b == start:
                    continue
                step = self.price(a, b, side, first.mobile)
                if a == start and side == "soviet":
                    step *= 2 ** self.air.get(start, 0)
                cost = spent + step + ((4 if panzers else 6) if a in zone else 0)
                if cost <= budget and cost < found.get(b, 99):
                    found[b] = cost
                    heappush(ways, (cost, b))
                elif cost > budget and a == start:
                    all_in.add(b)
        return {h: cost for h, cost in (dict.fromkeys(all_in, budget) | found).items() if h != start}

    def march(self, name: str) -> set[Hex]:
        """Where a Soviet unit may go on turn 1 (17.2): next to any German, or as far as it can towards the nearest."""
        unit, zone = self.units[name], self.zone("german")
        if unit.at in zone:
            return set()
        reach = self.reach((name,))
        if zone & reach.keys():
            return zone & reach.keys()
        held = {u.at for u in self.units.values() if u.side == "german"}
        found = {h: 0 for h in zone - held if self.terrain.get(h) != "lake"}
        ways = [(0, h) for h in found]
        while ways:
            far, b = heappop(ways)
            for a in self.open(b):
                cost = far + self.price(a, b, "soviet", unit.mobile)
                if a not in zone | held and far == found[b] and cost < found.get(a, 999):
                    found[a] = cost
                    heappush(ways, (cost, a))
        on_the_way = {unit.at: 0} | {
            h: spent for h, spent in reach.items() if spent + found.get(h, 999) == found.get(unit.at)
        }

        def goes_on(a: Hex) -> bool:
            return any(
                on_the_way.get(b) == on_the_way[a] + self.price(a, b, "soviet", unit.mobile) for b in self.open(a)
            )

        return {h for h in on_the_way if h != unit.at and not goes_on(h)}

    # Supply (11.0) ------------------------------------------------------------------------------

    def supplied(self, name: str) -> bool:
        """Whether a line of at most five points leads to a source, or to a road that leads on to one."""
        unit = self.units[name]
        friends, zone = {u.at for u in self.units.values() if u.side == unit.side}, self.zone(OTHER[unit.side])
        enemies = {u.at for u in self.units.values() if u.side != unit.side}
        word = f"{unit.side}-supply"

        def passable(h: Hex) -> bool:
            return h not in enemies and (h not in zone or h in friends)

        fed = {h for h, words in self.places.items() if word in words and passable(h)}
        todo = list(fed)
        while todo:
            a = todo.pop()
            for b in self.open(a):
                if b not in fed and "road" in self.side(a, b) and passable(b):
                    fed.add(b)
                    todo.append(b)
        found, ways = {unit.at: 0}, [(0, unit.at)]
        while ways:
            spent, a = heappop(ways)
            if a in fed:
                return True
            for b in self.open(a):
                cost = spent + self.price(a, b, unit.side, half=True)
                if passable(b) and cost <= 10 and cost < found.get(b, 99):
                    found[b] = cost
                    heappush(ways, (cost, b))
        return False

    # Odds (9.0, 12.0) ---------------------------------------------------------------------------

    def shift(self, attackers: list[str], targets: Iterable[Hex], air: int) -> int:
        """Columns by which an attack is shifted, to the right (9.6)."""
        units, targets = self.units, list(targets)
        side = units[attackers[0]].side
        defenders = [name for h in targets for name in self.at(h, OTHER[side])]
        words = [self.places.get(h, set()) for h in targets]
        rough = [
            self.terrain.get(h) in ("swamp", "hill") or "city" in near for h, near in zip(targets, words, strict=True)
        ]
        urban = ["soviet-city" in near for near in words]
        helped = [
            name for name in defenders if side == "german" or "soviet-city" not in self.places.get(units[name].at, ())
        ]
        total = air if side == "german" else -air
        total -= 2 * any(not self.supplied(name) for name in attackers)
        total += 2 * any(not self.supplied(name) for name in defenders)
        total -= any(rough) or (side == "german" and any(urban))
        total -= side == "german" and any(h in self.forts for h in targets)
        total -= all("river" in self.side(units[name].at, h) for name in attackers for h in targets)
        total -= any(units[name].kind == "armor" for name in helped)
        total += any(units[name].kind == "armor" for name in attackers) and not any(
            rough + urban + [h in self.forts for h in targets]
        )
        return total + (self.corps(attackers) if side == "german" else -self.corps(helped))

    def corps(self, names: list[str]) -> int:
        """Whole panzer corps in one hex (12.1)."""
        stacks = [(name.partition("/")[2], self.units[name].at) for name in names]
        return sum(stacks.count((corps, at)) == CORPS[corps] for corps, at in set(stacks) if corps in CORPS)

    def column(self, attackers: list[str], targets: Iterable[Hex], air: int) -> str:
        """The column of the results table (9.2 to 9.4)."""
        targets = list(targets)
        side = self.units[attackers[0]].side
        attack = sum(self.units[name].attack for name in attackers)
        defence = sum(self.units[name].defence for h in targets for name in self.at(h, OTHER[side]))
        ratio = attack // defence - 1 if attack >= defence else 1 - -(-defence // attack)
        final = min(9, max(-3, ratio + self.shift(attackers, targets, air)))
        return f"{final + 1}-1" if final >= 0 else f"1-{1 - final}"

    # Retreats (10.7, 10.8) ----------------------------------------------------------------------

    def retreats(self, name: str, hexes: int, causes: list[Hex]) -> set[tuple[Hex, ...]]:
        """Every way for a unit to retreat one hex or two."""
        side, zone = self.units[name].side, self.zone(OTHER[self.units[name].side])

        def steps(a: Hex) -> list[Hex]:
            """Safe hexes next to one: farther from the enemies that cause the retreat, with room, and out of zones."""
            away = [
                b for b in self.open(a) if min(distance(b, e) for e in causes) > min(distance(a, e) for e in causes)
            ]
            friends = {b: [n for n in self.at(b, side) if n != name] for b in away}
            return [
                b for b in away if not self.at(b, OTHER[side]) and len(friends[b]) < 3 and (b not in zone or friends[b])
            ]

        def ways(a: Hex, left: int) -> set[tuple[Hex, ...]]:
            if left == 0:
                return {()}
            on = {b: ways(b, left - 1) for b in steps(a)}
            vacant = {b: rest for b, rest in on.items() if rest and not [n for n in self.at(b) if n != name]}
            return {(b, *rest) for b, all_rest in (vacant or on).items() for rest in all_rest}

        return ways(self.units[name].at, hexes)

    # Documents ----------------------------------------------------------------------------------

    def document(self, phase: str, turn: int) -> dict[str, Any]:
        """This field for the engine."""
        units: dict[str, dict[str, Any]] = {}
        for name, unit in self.units.items():
            if unit.side == "german":
                units[name] = {"hex": number(unit.at), "steps": unit.steps}
            else:
                units[name] = {"hex": number(unit.at), "side": unit.side, "type": unit.kind, "attack": unit.attack,
                               "defence": unit.defence, "movement": unit.movement}  # fmt: skip
        ground = {
            "blank": [self.columns, self.rows],
            "hexes": {number(h): word for h, word in self.terrain.items()},
            "places": {number(h): sorted(words) for h, words in self.places.items()},
            "hexsides": {
                "/".join(sorted(map(number, pair))): sorted(words) for pair, words in self.sides.items() if words
            },
        }
        state = {"forts": sorted(map(number, self.forts)), "interdiction": {number(h): n for h, n in self.air.items()}}
        return {"game": "leningrad-1979", "turn": turn, "phase": phase, "map": ground, "units": units, **state}


@dataclass
class Fight:
    """An attack after its die: what may be ordered in it, and what that does (10.0)."""

    field: Reckoning
    attackers: list[str]
    targets: list[Hex]
    result: str
    defenders: list[str] = field(default_factory=list)
    stood: dict[str, Hex] = field(default_factory=dict)
    retreated: set[str] = field(default_factory=set)
    passed: set[Hex] = field(default_factory=set)
    """Hexes that two-hex retreats went through."""
    done: set[str] = field(default_factory=set)
    """Those that have advanced."""
    part: int = -1
    """Whose half of the result it is: the defender's, the attacker's; then the victors advance, then all is over."""
    toll: int = 0
    far: int = 0
    """Hexes that everybody retreats, once that has been chosen."""

    def __post_init__(self) -> None:
        self.defenders = [name for h in self.targets for name in self.field.at(h)]
        self.stood = {name: unit.at for name, unit in self.field.units.items()}
        self._go_on()

    def _standing(self, names: list[str]) -> list[str]:
        return [name for name in names if name in self.field.units and name not in self.retreated]

    @property
    def _paying(self) -> list[str]:
        return self._standing(self.attackers if self.part else self.defenders)

    def _go_on(self) -> None:
        """The next part begins when nothing is left to pay in this one; the defender's comes first (10.3, 10.4)."""
        while self.part < 2 and (self.part < 0 or not self._paying or not (self.toll or self.far)):
            self.part += 1
            code = [*self.result.split("/"), "-"][self.part]
            self.toll, self.far = int(code) if code in "12" else 0, 0
            for name in self._paying if code == "E" else ():
                del self.field.units[name]

    @property
    def orders(self) -> set[str]:
        """Everything that may be ordered now."""
        if self.part == 2:
            advances = set(self._advances())
            return advances | {"end"} if advances else set()
        if self.part > 2:
            return set()
        causes = [self.stood[name] for name in (self.defenders if self.part else self.attackers)]
        found = set() if self.far else {f"lose {name}" for name in self._paying}
        for name in self._paying:
            ways = self.field.retreats(name, self.far or self.toll, causes)
            found |= {f"retreat {name} {'-'.join(map(number, way))}" for way in ways} or {f"retreat {name}"}
        return found

    def _advances(self) -> Iterable[str]:
        """Victors into vacated hexes, and after a two-hex retreat into the second too (10.9)."""
        winners, losers, hexes = self.attackers, self.defenders, self.targets
        if not self._standing(winners) or not self._left(hexes, losers):
            winners, losers, hexes = losers, winners, [self.stood[name] for name in self.attackers]
            if self.result[0] != "-":
                return
        for name in set(self._standing(winners)) - self.done:
            for h in self._left(hexes, losers):
                if h in self._room(name, self.field.units[name].at):
                    yield f"advance {name} {number(h)}"
                    fled = any(self.stood[loser] == h for loser in self.retreated & set(losers))
                    for beyond in self.passed & self._room(name, h) if fled else ():
                        yield f"advance {name} {number(h)}-{number(beyond)}"

    def _left(self, hexes: list[Hex], losers: list[str]) -> set[Hex]:
        """Hexes that nobody of the losing side holds any more."""
        german = any(name in PANZERS or name in INFANTRY for name in losers)
        return {h for h in hexes if not self.field.at(h, "german" if german else "soviet")}

    def _room(self, name: str, h: Hex) -> set[Hex]:
        """Hexes next to one with room for a unit and no enemy."""
        enemy = OTHER[self.field.units[name].side]
        return {b for b in self.field.open(h) if not self.field.at(b, enemy) and len(self.field.at(b)) < 3}

    def do(self, order: str) -> None:
        """Carry out one of the orders."""
        verb, *rest = order.split()
        if verb == "end":
            self.part = 3
            return
        unit = self.field.units[rest[0]]
        way = [(int(word[:2]), int(word[2:])) for word in rest[1].split("-")] if len(rest) > 1 else []
        if verb == "advance":
            unit.at = way[-1]
            self.done.add(rest[0])
        elif verb == "lose":
            self.toll -= 1
            unit.steps -= 1
        else:
            self.toll, self.far = 0, self.far or self.toll
            unit.at, unit.steps = way[-1] if way else unit.at, unit.steps if way else 0
            self.retreated.add(rest[0])
            self.passed |= {*way[:-1]}
        if not unit.steps:
            del self.field.units[rest[0]]
            self.retreated.discard(rest[0])
        self._go_on()


def some_field(rng: random.Random, phase: str, columns: int = 8, rows: int = 6, stacks: int = 9) -> Reckoning:
    """Swamps, hills, cities, lakes, rivers, roads, forts, sources and stacks of both sides, anyhow."""
    pos = Reckoning(columns, rows)
    every = [(c, r) for c in range(1, columns + 1) for r in range(1, rows + 1)]
    for h in every:
        word = rng.choices(["", "swamp", "hill", "lake", "city", "soviet-city", "town"], [14, 3, 2, 1, 1, 1, 1])[0]
        if word in ("swamp", "hill", "lake"):
            pos.terrain[h] = word
        elif word:
            pos.places[h] = {word}
    land = [h for h in every if pos.terrain.get(h) != "lake"]
    for a in land:
        for b in pos.around(a):
            if a < b and b in land:
                water = rng.choices(["", "river", "lake"], [16, 3, 1])[0]
                road = "road" if water != "lake" and rng.random() < 0.2 else ""
                pos.sides[frozenset((a, b))] = {water, road} - {""}
    for side in OTHER:
        for h in rng.sample(land, 2):
            pos.places.setdefault(h, set()).add(f"{side}-supply")
    panzers, infantry = list(PANZERS), list(INFANTRY)
    for h in rng.sample(land, stacks):
        if rng.random() < 0.5:
            corps = rng.choice(list(CORPS))
            names = (
                [name for name in panzers if name.endswith(corps)]
                if rng.random() < 0.5
                else infantry[: rng.randint(1, 3)]
            )
            for name in names:
                (panzers if name in panzers else infantry).remove(name)
                steps = rng.choice([1, 2, 2])
                kind, full, reduced = PANZERS.get(name, ("infantry", 6, 3))
                strength = full if steps == 2 else reduced
                movement = 6 if kind == "infantry" else 8
                pos.units[name] = Unit("german", kind, strength, strength, movement, h, steps)
        else:
            for _ in range(rng.randint(1, 3)):
                kind = rng.choice(["infantry", "infantry", "armor", "mechanized"])
                figures = rng.randint(1, 10), rng.randint(1, 7), 5 if kind == "infantry" else 7
                pos.units[f"x{len(pos.units)}"] = Unit("soviet", kind, *figures, h)
    pos.forts = {h for h in rng.sample(land, 3) if not pos.at(h, "german")}
    if phase.startswith("soviet") and rng.random() < 0.5:
        pos.air = {rng.choice(land): rng.randint(1, 2)}
    return pos
