"""The front: where every unit of a side should go in one movement phase.

A plan is worked out in the mind on a plain model of the map (who stands where, zones, threats,
supply, marching distances) and only then ordered. Stack after stack takes the hex that is best for
the whole, given where the others are to stand; then unit after unit mends what that left.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import cached_property

from ..hexes import Hex, HexMask, mask_of, members
from ..kernel.flood import connected
from .attacks import ground_worth
from .lay import FAR
from .situation import Piece, Situation
from .threats import Threats

CHOICES = 5
"""Hexes for which the gaps in the front are worked out."""
BANDS = 8
"""Belts of ground around the objectives, the inner ones worth more."""


TRAP = 1.6


class Front:
    """A movement phase in the mind of one side."""

    def __init__(
        self,
        situation: Situation,
        bias: Mapping[str, float] | None = None,
        tempers: Mapping[str, Mapping[str, float]] | None = None,
    ) -> None:
        self.situation = situation
        self.style = situation.style
        self.lay = situation.lay
        self.side, self.enemy = situation.side, situation.enemy
        self.ours = situation.of(self.side)
        self.theirs = situation.of(self.enemy)
        self.attacking = self.style.posture == "attack"
        self.bias = dict(bias or {})
        self.tempers = dict(tempers or {})
        self.where: dict[str, Hex] = {piece.id: piece.hex for piece in self.ours}
        self.enemies = situation.occupied[self.enemy]
        self.enemy_zone = situation.zones[self.enemy]
        self._sites: dict[Hex, tuple[float, float, bool, float, float]] = {}
        self.halt = self.style.halt if situation.seen.turn < self.style.until else 0.0
        """No ground nearer to the goal than this is worth anything yet."""

    @cached_property
    def trap(self) -> float:
        """What multiplies the worth of standing next to an enemy whose last way out is closed by it."""
        return TRAP

    # What lies about --------------------------------------------------------------------------

    @cached_property
    def _threats(self) -> Threats:
        """How far each enemy unit strikes, and how hard."""
        within = self.situation.grid.within
        arms = ((within(1 << p.hex, max(2, min(5, round(p.movement * 0.7)))), p.attack) for p in self.theirs)
        return Threats(arms, room=7)

    def threat(self, h: Hex) -> float:
        """Strength the enemy could bring against a hex in his next turn."""
        return self._threats.at(h)

    @cached_property
    def _belts(self) -> list[tuple[HexMask, float]]:
        """Ground by distance from what is to be kept: a defender's objectives, an attacker's supply."""
        belts = [0] * BANDS
        far = self.lay.distances(self._sources) if self.attacking and self._sources else self.situation.to_objectives
        longest = max((d for d in far.values()), default=1.0) + 0.01
        for h, distance in far.items():
            belts[int(BANDS * (distance / longest) ** 0.5)] |= 1 << h
        return [(mask, 2.0**-number) for number, mask in enumerate(belts)]

    @cached_property
    def _stride(self) -> int:
        """Steps of the enemy's quickest units in a turn."""
        quickest = sorted((p.movement for p in self.theirs), reverse=True)
        return round(max(3.0, quickest[len(quickest) // 8])) if quickest else 0

    def open_ground(self, ours: HexMask, zone: HexMask) -> float:
        """Ground that the enemy can overrun in one turn if we stand so, weighed by nearness to what is to be kept."""
        if not self.enemies:
            return 0.0
        reached = self.lay.spread(self.enemies, self._stride, ours, zone)
        return sum(weight * (reached & belt).bit_count() for belt, weight in self._belts)

    @cached_property
    def _sources(self) -> HexMask:
        """Where our supply comes from."""
        places = self.situation.seen.map.places
        found = 0
        for word in self.style.sources:
            found |= places.get(word, 0)
        return found

    @cached_property
    def fed(self) -> HexMask:
        """Hexes where supply can reach us as the enemy stands."""
        sources = self._sources
        if not sources:
            return -1
        grid = self.situation.grid
        standing = self.situation.occupied[self.side]
        allowed = self.lay.land & ~self.enemies & ~(self.enemy_zone & ~standing)
        reached = sources & allowed
        if self.style.roads:
            sides = self.situation.seen.map.sides
            joined = [0] * 6
            for kind in self.style.roads:
                joined = [a | b for a, b in zip(joined, sides[kind], strict=True)]
            reached = connected(grid, sources, joined, allowed)
            for _ in range(self.style.carry):
                reached |= grid.ring(reached) & allowed
            return reached | grid.ring(reached) & self.enemy_zone & ~self.enemies
        frontier = reached
        while frontier:
            frontier = self.lay.zone(frontier) & allowed & ~reached
            reached |= frontier
        return reached | self.lay.zone(reached) & self.enemy_zone & ~self.enemies

    @cached_property
    def to_enemy(self) -> dict[Hex, float]:
        """Marching distance from the nearest enemy."""
        return self.lay.distances(self.enemies)

    # Who goes where -----------------------------------------------------------------------------

    def plan(self, reach: Mapping[str, Sequence[Hex]]) -> dict[str, Hex]:
        """Where to send each unit that can move; units that had better stay are left out."""
        movers = [piece for piece in self.ours if reach.get(piece.id)]
        movers.sort(key=self._rank)
        ranges = {unit: mask_of(hexes) for unit, hexes in reach.items()}
        for group in self._groups(movers):
            self._settle(group, ranges)
        for piece in movers:
            self._settle((piece,), ranges)
        return {p.id: self.where[p.id] for p in movers if self.where[p.id] != p.hex}

    def _rank(self, piece: Piece) -> tuple[float, Hex, str, float, str]:
        """Who chooses first: those nearest to the enemy."""
        return self.to_enemy.get(piece.hex, FAR), piece.hex, piece.formation, -piece.attack, piece.id

    def standing(self, piece: Piece, h: Hex) -> float:
        """How well a unit would stand in a hex while all others stay."""
        others = [other for other in self.ours if other.id != piece.id]
        stack = [other for other in others if other.hex == h]
        zone = self.lay.zone(mask_of(other.hex for other in others))
        return self._rate(Body((piece,)), h, stack, zone, {})

    def standing_together(self, party: Sequence[Piece], h: Hex) -> float:
        """How much better a party would stand in a hex than where its units are."""
        ids = {piece.id for piece in party}
        others = [other for other in self.ours if other.id not in ids]
        stack = [other for other in others if other.hex == h]
        zone = self.lay.zone(mask_of(other.hex for other in others))
        there = self._rate(Body(party), h, stack, zone, {})
        return there - sum(self.standing(piece, piece.hex) for piece in party)

    def _groups(self, movers: Sequence[Piece]) -> list[tuple[Piece, ...]]:
        """Units that stand together and belong together, as many as a hex may hold."""
        stacks: dict[tuple[Hex, str], list[Piece]] = {}
        for piece in movers:
            stacks.setdefault((piece.hex, piece.formation), []).append(piece)
        most = self.style.stack
        return [tuple(s[n : n + most]) for s in stacks.values() for n in range(0, len(s), most)]

    def _settle(self, group: tuple[Piece, ...], ranges: Mapping[str, HexMask]) -> None:
        """Let a group take the hex that is best for the whole, as the others now stand."""
        reach = -1
        for piece in group:
            reach &= ranges[piece.id]
        body = Body(group)
        ids = {piece.id for piece in group}
        others: dict[Hex, list[Piece]] = {}
        occupied = 0
        for other in self.ours:
            if other.id not in ids:
                h = self.where[other.id]
                others.setdefault(h, []).append(other)
                occupied |= 1 << h
        zone = self.lay.zone(occupied)
        engaged = self._engaged(ids)
        most = self.style.stack
        rated = []
        stays = {self.where[piece.id] for piece in group}
        for h in {*members(reach), *(stays if len(stays) == 1 else ())}:
            if len(others.get(h, ())) + len(group) <= most or h == body.hex:
                rated.append((self._rate(body, h, others.get(h, ()), zone, engaged), -h, h))
        if not rated:
            return
        rated.sort(reverse=True)
        best = rated[0][2]
        cover = self.bias.get("cover", 1.0) * self.style.cover
        if cover:
            top = -1e9
            for value, _, h in rated[:CHOICES]:
                value -= cover * self.open_ground(occupied | 1 << h, zone | self.lay.near.get(h, 0))
                if value > top:
                    best, top = h, value
        for piece in group:
            self.where[piece.id] = best

    def _engaged(self, ids: Container[str]) -> dict[Hex, float]:
        """Strength that the others bring against each enemy hex."""
        engaged: dict[Hex, float] = {}
        near = self.lay.near
        for other in self.ours:
            if other.id in ids:
                continue
            touching = near.get(self.where[other.id], 0) & self.enemies
            count = touching.bit_count()
            for target in members(touching):
                engaged[target] = engaged.get(target, 0.0) + other.attack / count
        return engaged

    # What a hex is worth ------------------------------------------------------------------------

    def _rate(self, body: Body, h: Hex, stack: Sequence[Piece], zone: HexMask, engaged: Mapping[Hex, float]) -> float:
        style = self.style
        bias = self.temper(body)
        site = self._sites.get(h)
        if site is None:
            site = self._sites[h] = self._site(h)
        shelter, threat, fed, pull, objective = site
        danger = threat / max(self._held(body, h, stack) * shelter, 0.5)
        value = style.shelter * (shelter - 1.0) * body.stakes
        if danger > 1.0:
            value -= style.safety * bias.get("safety", 1.0) * body.stakes * min(1.0, (danger - 1.0) / 5.0)
        if h == body.hex and len(stack) >= style.stack:
            value -= 3.0 * body.stakes
        if not fed:
            value -= style.supply * (1.0 + 0.5 * body.stakes)
        if stack:
            if body.formation:
                value += style.together * sum(p.formation == body.formation for p in stack)
        elif objective and not self.halt:
            value += 0.5 * objective
        value += self.situation.doctrine.standing(self, body, h)
        near = self.lay.near.get(h, 0)
        if near & self.enemies:
            value += bias.get("attack", 1.0) * self._chances(body, near, zone, engaged)
        return value + self._tug(body, h, pull) * body.drive * style.push * bias.get("push", 1.0)

    def _tug(self, body: Body, h: Hex, pull: float) -> float:
        """How strongly a body is drawn to a hex, given how the hex draws anybody."""
        return pull

    def temper(self, body: Body) -> Mapping[str, float]:
        """The temper of a body: its own, that of its formation, or everybody's."""
        if not self.tempers:
            return self.bias
        own = self.tempers.get(body.pieces[0].id) or self.tempers.get(body.formation)
        return self.bias if own is None else own

    def _held(self, body: Body, h: Hex, stack: Sequence[Piece]) -> float:
        """Strength with which a hex would be held."""
        held = body.defence
        for piece in stack:
            held += piece.defence
        return held

    def _site(self, h: Hex) -> tuple[float, float, bool, float, float]:
        """What a hex is whoever stands there: shelter, threat, supply, pull, and its worth as an objective."""
        fed = bool(self.fed >> h & 1)
        objective = self.situation.objectives.get(h, 0.0)
        return self.lay.shelter.get(h, 1.0), self.threat(h), fed, self._pull(h), objective

    def _pull(self, h: Hex) -> float:
        situation = self.situation
        if self.attacking:
            return -0.5 * min(max(situation.far(h), self.halt), FAR)
        gap = max(0.0, self.to_enemy.get(h, FAR) - 3.0)
        return -0.25 * min(gap, FAR) - 0.1 * min(situation.to_objectives.get(h, FAR), FAR)

    def _chances(self, body: Body, near: HexMask, zone: HexMask, engaged: Mapping[Hex, float]) -> float:
        """What standing next to the enemy adds to the attacks that can follow."""
        best = 0.0
        after = zone | near
        for target in members(near & self.enemies):
            defence = self._defence(target)
            before = engaged.get(target, 0.0)
            gain = _prospect((before + body.attack) / defence) - _prospect(before / defence)
            way_out = self.lay.near[target] & ~after & ~self.enemies
            best = max(
                best, gain * self._interest(body, target) * (1.0 if way_out else self.trap) * self._prize(target)
            )
        return best

    def _interest(self, body: Body, target: Hex) -> float:
        """How much an enemy is to be fought by a body: less if he was left behind."""
        far = self.situation.far
        return 1.0 if far(target) <= far(body.hex) + 2.0 else self.style.clearing

    def _defence(self, h: Hex) -> float:
        strength = sum(p.defence for p in self.situation.at[h] if p.side == self.enemy)
        return max(0.5, strength) * self.lay.shelter.get(h, 1.0)

    def _prize(self, h: Hex) -> float:
        worth = sum(p.worth * p.steps for p in self.situation.at[h] if p.side == self.enemy)
        return self.style.boldness * worth + ground_worth(self.situation, h)


class Body:
    """Units that move as one."""

    __slots__ = ("attack", "defence", "drive", "formation", "hex", "pieces", "stakes")

    def __init__(self, group: Sequence[Piece]) -> None:
        self.pieces = group
        self.hex = group[0].hex
        self.formation = group[0].formation
        self.attack = sum(p.attack for p in group)
        self.defence = sum(p.defence for p in group)
        self.stakes = sum(p.worth * p.steps for p in group)
        self.drive = sum(min(2.0, p.movement / 5.0) if p.movement else 1.0 for p in group)


def _prospect(odds: float) -> float:
    """Share of the prize to expect at some odds, losses counted off."""
    return min(1.0, max(-0.05, (odds - 1.5) / 5.0))
