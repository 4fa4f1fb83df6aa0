"""Volleys: who fires at what, so that the exact chances of all fires together are worth most (9.0-13.0)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ....games.leningrad41 import fire
from ....games.leningrad41.counters import GERMAN, SOVIET
from ....games.leningrad41.state import G_AIR
from ....hexes import Hex, HexMask, members
from ....kernel.orders import Order
from ...words import Saying, often
from .lie import Lie

LEAST = 0.02
"""What a volley must be worth."""
OPENED = 0.7
"""What an objective is worth whose garrison dies before our units move."""
SORTIE = 8
"""What a strike costs beside its bombs, so that small ones are not taken for cheap."""


class Volley(NamedTuple):
    """A fire: what it is worth, how likely the hex is cleared, and the order."""

    value: float
    cleared: float
    units: tuple[int, ...]
    target: Hex
    words: tuple[str, ...] = ()

    def order(self, lie: Lie) -> Order:
        """The order that makes it."""
        names = tuple(lie.units[p].id for p in self.units)
        return Order("attack", names, (lie.p.number(self.target),), self.words)

    def reason(self, lie: Lie) -> Saying:
        """Why."""
        names, flying = self.order(lie).units, all(lie.units[p].type == "air-strike" for p in self.units)
        how = "Storms" if self.words else "Bombs" if flying else "Fires at"
        return lambda say: f"{how} {say.enemy_at(self.target)} with {say.units(names)}: cleared {often(self.cleared)}"


class Group(NamedTuple):
    """Units that may fire together, how many of them at most, and of those how many corps units."""

    units: list[int]
    most: int
    corps: int


def groups(lie: Lie, able: Sequence[int]) -> Iterator[Group]:
    """The units that command control lets fire together (13.0), and those under one leader (14.2)."""
    p = lie.p
    limits = p.tables.command
    by_command: dict[str, list[int]] = {}
    for piece in able:
        by_command.setdefault(lie.units[piece].command, []).append(piece)
    corps = by_command.pop("56", []) if lie.side == GERMAN else []
    for units in by_command.values():
        if lie.side == SOVIET:
            yield Group(units, limits.soviet, 0)
        elif "ss" in lie.units[units[0]].traits:
            yield Group(units + corps, limits.ss, limits.ss)
        else:
            yield Group(units + corps, 99, limits.corps_with_division)
    if corps:
        yield Group(corps, 99, 99)
    for leader in p.roster.leaders:
        if p.where[leader] >= 0 and lie.units[leader].side == lie.side:
            radius = p.ground.within(p.where[leader], lie.units[leader].radius)
            led = [piece for piece in able if radius >> p.where[piece] & 1]
            if len(led) > 1:
                yield Group(led, 99, 99)


def ground_worth(lie: Lie, target: Hex, *, assault: bool) -> float:
    """What it is worth to clear a hex."""
    objective = lie.ground.objective >> target & 1
    if lie.p.phase_number == G_AIR:
        near = lie.grid.within(1 << target, 7) & lie.ours
        return lie.objective * OPENED if objective and near else lie.w.ground if near else 0.0
    if not objective:
        return lie.w.ground if assault else 0.3 * lie.w.ground
    return lie.objective * (1.0 if assault else lie.w.vacated)


class Odds:
    """The defenders of one hex, and what fires at them come to."""

    def __init__(self, lie: Lie, target: Hex) -> None:
        self.lie, self.target = lie, target
        p = lie.p
        self.troops = lie.stack(target, lie.enemy)
        self.leaders = [q for q in p.stacks.get(target, ()) if q not in self.troops]
        self.armored = [self._armored(q) for q in self.troops]
        self.shelter = lie.shelter(target, lie.enemy)
        self.rubble = lie.rubble(target)
        chart = p.tables.modifiers
        self.armor = chart.armored.drm
        self.close = chart.close_assault.drm
        self.rivers = {"": 0, "minor": chart.assault_minor_river.drm, "major": chart.assault_major_river.drm}
        self.flak = 0
        if p.phase_number == G_AIR:
            near = p.ground.within(target, p.tables.anti_aircraft_reach) & lie.theirs
            if any("anti-aircraft" in lie.units[q].traits for h in members(near) for q in p.stacks[h]):
                self.flak = chart.anti_aircraft.drm

    def _armored(self, piece: int) -> bool:
        unit = self.lie.face(piece)
        return unit is not None and unit.armored

    def storms(self, piece: int) -> bool:
        """Whether a unit could close assault the hex."""
        lie = self.lie
        return lie.units[piece].assault and fire.can_cross(lie.p, piece, self.target)

    def value(
        self,
        units: Sequence[int],
        storming: Sequence[int],
        extra: int = 0,
        places: Sequence[Hex] = (),
        more: float = 0.0,
    ) -> tuple[float, float]:
        """What a fire is worth, its price apart, and how likely it clears the hex; those who storm do so from where
        they stand, or from the places given; units that nobody has looked at have so many points more."""
        lie, specs = self.lie, self.lie.units
        points = sum(specs[q].fire for q in units) + more
        drm = self.rubble + self.flak + extra
        if storming or places:
            starts = places or [lie.p.where[q] for q in storming]
            drm += self.close + max(self.rivers[lie.ground.river(h, self.target)] for h in starts)
        if not any(specs[q].engineer for q in storming):
            drm += self.shelter
        piercing = any(specs[q].anti_armor for q in units)
        total, cleared = 0.0, 1.0
        for piece, armored in zip(self.troops, self.armored, strict=True):
            chance = lie.chance(points, drm + (self.armor if armored and not piercing else 0))
            total += chance * lie.worth(piece)
            cleared *= chance
        for piece in self.leaders if storming or places else ():
            chance = lie.chance(points, drm)
            total += chance * lie.worth(piece)
            cleared *= chance
        return total + cleared * ground_worth(lie, self.target, assault=bool(storming or places)), cleared


def best_at(lie: Lie, target: Hex, able: Sequence[int]) -> Volley | None:
    """The best fire at one hex."""
    odds = Odds(lie, target)
    best: Volley | None = None
    near = lie.near(target)
    for group in groups(lie, able):
        adjacent = {q for q in group.units if near >> lie.p.where[q] & 1}
        storm = {q for q in adjacent if odds.storms(q)}
        for assault in (True, False) if storm else (False,):
            for volley in _growing(lie, odds, group, adjacent, storm if assault else set()):
                if best is None or volley.value > best.value:
                    best = volley
    return best


def _growing(lie: Lie, odds: Odds, group: Group, adjacent: set[int], storm: set[int]) -> Iterator[Volley]:
    """Ever larger fires of a group: who stands next to the target first, then the guns."""
    specs = lie.units
    combat = lie.p.tables.combat

    def rank(piece: int) -> tuple[bool, bool, int, int]:
        unit = specs[piece]
        needed = any(odds.armored) and unit.anti_armor
        return not needed, group.most > 4 and piece not in adjacent, -unit.fire, piece

    queue = sorted(group.units, key=rank)
    if storm:
        engineers = [q for q in storm if specs[q].engineer and odds.shelter]
        first = max(engineers or storm, key=lambda q: (specs[q].fire, q))
        queue.remove(first)
        queue.insert(0, first)
    units: list[int] = []
    corps, points, column = group.corps, 0, -1
    price = 0.0
    for piece in queue:
        if len(units) >= group.most:
            return
        if specs[piece].command == "56":
            corps -= 1
            if corps < 0:
                continue
        units.append(piece)
        points += specs[piece].fire
        price += specs[piece].fire * (lie.w.near if piece in adjacent else lie.w.far)
        reached = combat.column(points)
        if reached == column and not (odds.armored and specs[piece].anti_armor):
            continue
        column = reached
        value, cleared = odds.value(units, [q for q in units if q in storm])
        words = ("assault",) if storm else ()
        yield Volley(value - price, cleared, tuple(units), odds.target, words)


def plan(lie: Lie) -> list[Volley]:
    """The fires of a phase, best first, no unit twice."""
    p = lie.p
    guns = fire.fields(p, lie.side)
    aimed = 0
    for _, field in guns:
        aimed |= field
    targets = list(members(aimed & lie.theirs & ~p.attacked))
    best: dict[Hex, Volley | None] = {}
    used: set[int] = set()
    found: list[Volley] = []
    while True:
        for target in targets:
            known = best.get(target)
            if target in best and (known is None or not used.intersection(known.units)):
                continue
            able = [q for q, field in guns if field >> target & 1 and q not in used]
            best[target] = best_at(lie, target, able) if able else None
        choice = max((v for v in best.values() if v is not None), key=lambda v: (v.value, v.target), default=None)
        if choice is None or choice.value <= LEAST:
            return found
        found.append(choice)
        used.update(choice.units)
        targets.remove(choice.target)
        del best[choice.target]


def strike(lie: Lie, markers: Sequence[int], seen: HexMask) -> Volley | None:
    """The air strike or bombardment that brings most for its bombs."""
    p = lie.p
    most = p.tables.command.german_air if lie.side == GERMAN else p.tables.command.soviet
    specs = lie.units
    ranked = sorted(markers, key=lambda q: (-specs[q].fire, q))
    parties: list[tuple[int, ...]] = [
        tuple(party) for size in range(1, most + 1) for party in (ranked[:size], ranked[-size:]) if len(ranked) >= size
    ]
    rudel = next((q for q in ranked if "rudel" in specs[q].traits), None)
    if rudel is not None:
        others = [q for q in ranked if q != rudel]
        parties += [(rudel, *others[: size - 1]) for size in range(1, most + 1)]
    best: Volley | None = None
    rate = 0.0
    ace = p.tables.modifiers.rudel.drm
    for target in members(lie.troops & seen & ~p.attacked):
        odds = Odds(lie, target)
        for party in parties:
            value, cleared = odds.value(party, (), ace if rudel in party else 0)
            gain = value / (SORTIE + sum(specs[q].fire for q in party))
            if value > LEAST and gain > rate:
                best, rate = Volley(value, cleared, party, target), gain
    return best


def last_shots(lie: Lie) -> Iterable[Order]:
    """What Soviet units with nothing else to shoot at may do: bring down a bridge the enemy stands before (10.17)."""
    p = lie.p
    if lie.side != SOVIET or p.turn < p.tables.bridge_demolition_from_turn:
        return
    guns = fire.fields(p, lie.side)
    chart = p.tables.modifiers
    for (a, b), target, order in p.ground.bridges:
        beyond = b if target == a else a
        if (a, b) in p.broken or p.ground.river(a, b) != "major" or p.attacked >> target & 1:
            continue
        enemies = lie.grid.within(1 << beyond, 2) & lie.theirs
        ours = lie.grid.within(1 << target, 2) & lie.ours
        if enemies.bit_count() < 2 or not ours or lie.ground.objective & ~p.control & lie.theirs:
            continue
        able = sorted((q for q, field in guns if field >> target & 1), key=lambda q: -lie.units[q].fire)
        for command in ("42", "LFR"):
            party = [q for q in able if lie.units[q].command == command][: p.tables.command.soviet]
            points = sum(lie.units[q].fire for q in party)
            if lie.chance(points, chart.bridge_major.drm) > 0:
                yield Order("attack", tuple(lie.units[q].id for q in party), order.hexes)
