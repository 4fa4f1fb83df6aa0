"""Marches: the units of an activation, how far each can go, and the blows they can strike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ....games.tijvin import movement
from ....games.tijvin.book import UnitMask
from ....hexes import Hex, HexMask, members
from ....kernel.names import listed
from ....kernel.orders import END, Order
from ...words import Words, often
from .blows import AIR_PRICE, GUN_PRICE, Blow, flights, least_of, supported, value_of
from .flight import FULL, cordon_of
from .lie import Lie

BLOWS = 5
"""Most blows planned in one activation."""
DEAR = 12.0
"""A unit that stands to lose more than that does not strike."""
ESCORT = 7.0
"""What it costs to leave a headquarters alone that the enemy can walk in on."""
HEADQUARTERS = 4.0
"""What it is worth to walk in on a headquarters that is alone (11)."""


class Plan(NamedTuple):
    """Where units go, and what for."""

    where: dict[int, Hex]
    blows: list[Blow]

    def orders(self, lie: Lie) -> list[Order]:
        """The moves, into open hexes first, then the end of movement, which comes by itself if nobody stays."""
        p, names = lie.p, lie.ground.names
        moves = [(u, h) for u, h in self.where.items() if p.hexes[u] != h]
        moves.sort(key=lambda move: (p.stacked(move[1], lie.side), move[0]))
        orders = [Order("move", (p.roster.units[u].id,), (names[h],)) for u, h in moves]
        return orders if len(moves) == len(movement.movers(p)) else [*orders, END]

    def reason(self, lie: Lie, say: Words) -> str:
        """One line."""
        if self.blows:
            aims = (f"{say.enemy_at(b.target)} (wins {often(b.win)})" for b in self.blows[:2])
            return f"Means to attack {listed(aims)}"
        return "Takes up positions " + ("towards the cities to take" if lie.attacking else "to cover the cities")


class March:
    """What one activation can do."""

    def __init__(self, lie: Lie) -> None:
        p = lie.p
        self.lie, self.p = lie, p
        self.ranges = dict(lie.ranges)
        self.movers = list(self.ranges)
        self.where: dict[int, Hex] = {}
        self.load: dict[Hex, int] = dict(p.field(lie.side).load)
        self.fire = self._fire()
        """What the guns in each hex add to a roll of the defence."""
        self.prizes = {task.hex: task.worth for task in lie.tasks if not task.hold}
        """Cities of the enemy, and his headquarters that are alone: whoever can walk in has them."""
        for q in p.roster.hqs_of[lie.enemy]:
            h = p.hq_hex[q]
            if h >= 0 and not p.occupied(lie.enemy) >> h & 1:
                self.prizes[h] = self.prizes.get(h, 0.0) + HEADQUARTERS * lie.temper_of("hunt")
        seats = {p.hq_hex[q] for q in p.roster.hqs_of[lie.side] if q != p.active_hq and p.hq_hex[q] >= 0}
        self.escorted = {h for h in seats if lie.approached >> h & 1}
        """Where headquarters stand that do not follow and must not be left alone."""
        self.strikers = p.active & ~p.attacked & ~p.roster.artillery

    def _fire(self) -> dict[Hex, int]:
        p, found = self.p, dict[Hex, int]()
        for u in members(p.roster.artillery & p.roster.side_mask[self.lie.side] & ~p.unsupplied & ~p.uncommanded):
            if p.hexes[u] >= 0:
                found[p.hexes[u]] = found.get(p.hexes[u], 0) + p.roster.units[u].support
        return found

    def _aim(self, u: int, h: Hex, times: int = 1) -> None:
        """A gun comes into a hex, or leaves it."""
        if not (self.p.unsupplied | self.p.uncommanded) >> u & 1:
            self.fire[h] = self.fire.get(h, 0) + times * self.p.roster.units[u].support

    def _move(self, u: int, h: Hex) -> None:
        """Note where a unit is to stand."""
        here, cf = self.where.get(u, self.p.hexes[u]), self.p.cf[u]
        self.load[here] = self.load.get(here, 0) - cf
        self.load[h] = self.load.get(h, 0) + cf
        if self.p.roster.artillery >> u & 1:
            self._aim(u, here, -1)
            self._aim(u, h)
        self.where[u] = h

    def price(self, u: int, h: Hex) -> float:
        """What it costs to have a unit in a hex to strike from."""
        return 0.0

    # Blows --------------------------------------------------------------------------------------

    def _blows(self) -> Iterator[Blow]:
        free = self.strikers
        hit = 0
        lie = self.lie
        air = flights(lie)
        least = least_of(lie)
        known: dict[Hex, tuple[Blow, dict[int, Hex]] | None] = {}
        for _ in range(BLOWS):
            for target in members(self._targets(free) & ~hit):
                if target not in known:
                    known[target] = self._blow(target, free, air)
            options = [option for option in known.values() if option is not None and option[0].value > least]
            if not options:
                return
            blow, where = max(options, key=lambda option: (option[0].value, -option[0].target))
            hexes = self._taken(where)
            free &= ~blow.units
            hit |= 1 << blow.target
            air = [i for i in air if not blow.air >> i & 1]
            touched = lie.grid.ring(hexes) | self._targets(blow.units)
            known = {
                t: option for t, option in known.items()
                if t != blow.target and not touched >> t & 1 and (option is None or not option[0].air & blow.air)
            }  # fmt: skip
            yield blow

    def _taken(self, where: dict[int, Hex]) -> HexMask:
        """Put the units of a blow where they strike from: the hexes in which something has changed by that."""
        changed = 0
        for u, h in where.items():
            if u in self.ranges:
                changed |= 1 << h | 1 << self.where.get(u, self.p.hexes[u])
                self._move(u, h)
        return changed

    def _targets(self, free: UnitMask) -> HexMask:
        reach = 0
        for u in members(free):
            reach |= self.ranges.get(u, 1 << self.p.hexes[u])
        return self.lie.grid.ring(reach) & self.p.occupied(self.lie.enemy)

    def _slots(self, target: Hex) -> list[tuple[Hex, float]]:
        """The hexes from which a hex can be attacked, and what rivers leave of the attackers."""
        ground, p = self.lie.ground, self.p
        effect = p.tables.weather.effects[p.weather]
        slots = []
        for n in ground.grid.neighbours(target):
            if n < 0 or not ground.passable(n, target) or p.occupied(self.lie.enemy) >> n & 1:
                continue
            river = ground.river(n, target)
            if river == "major-river" and effect.river:
                continue
            slots.append((n, 1 / 3 if river == "major-river" else 0.5 if river else 1.0))
        return slots

    def _blow(self, target: Hex, free: UnitMask, air: list[int]) -> tuple[Blow, dict[int, Hex]] | None:
        """The best blow at a hex with the units that are still free."""
        p, lie = self.p, self.lie
        slots = self._slots(target)
        options = []
        for u in members(free):
            reach = self.ranges.get(u, 1 << p.hexes[u])
            able = [(s, share) for s, share in slots if reach >> s & 1 and self._may(u, s, target)]
            if able:
                options.append((p.cf[u] * max(share for _, share in able) * p.roster.units[u].efficiency, u, able))
        options.sort(key=lambda option: (-option[0], option[1]))
        where: dict[int, Hex] = {}
        load = dict(self.load)
        units, best, price, column, strength = 0, None, 0.0, None, 0.0
        defence, cordon = max(p.stacked(target, lie.enemy), 1), cordon_of(lie, self.load)
        ready = self._guns() if lie.habit("fire") > 0.0 else []
        wings = sum([1 << i for i in air]) if lie.habit("fire") > 0.0 else 0
        for _, u, choices in options:
            slot = self._slot(u, choices, load, set(where.values()))
            if slot is None:
                continue
            h, share = slot
            cost = self.price(u, h)
            if cost > DEAR:
                continue
            where[u] = h
            if h != p.hexes[u]:
                load[p.hexes[u]] = load.get(p.hexes[u], 0) - p.cf[u]
                load[h] = load.get(h, 0) + p.cf[u]
            units |= 1 << u
            price += cost
            strength += p.cf[u] * share
            reached = p.tables.ratios.column(max(int(strength), 1), defence)
            if reached is column and len(set(where.values())) < 4:
                continue
            column = reached
            taken, fire = set(where.values()), 0
            for gun, reach in ready:
                if any(reach >> s & 1 for s in taken):
                    fire |= 1 << gun
            blow = value_of(lie, target, units, fire, wings if units & ~p.uncommanded else 0, where, cordon)
            blow = blow._replace(value=blow.value - price - self._spending(blow))
            if best is None or blow.value > best[0].value + 0.1:
                best = blow, dict(where), price
        if best is None or best[0].value < -2.0:
            return None
        if best[0].guns or best[0].air:
            plain = value_of(lie, target, best[0].units, 0, 0, best[1], cordon)
            best = plain._replace(value=plain.value - best[2]), best[1], best[2]
        return self._with_fire(best[0], best[1], air)

    def _guns(self) -> list[tuple[int, HexMask]]:
        """Guns that can support a blow, and where they can go."""
        p = self.p
        ready = p.active & p.roster.artillery & ~(p.fired | p.uncommanded | p.unsupplied)
        return [(u, self.ranges.get(u, 1 << p.hexes[u])) for u in members(ready) if u not in self.where]

    def _spending(self, blow: Blow) -> float:
        """What the guns and aircraft of a blow could do elsewhere."""
        units = self.p.roster.units
        guns = sum([units[u].support for u in members(blow.guns)]) if blow.guns else 0
        return GUN_PRICE * self.lie.temper_of("gunprice") * guns + AIR_PRICE * blow.air.bit_count()

    def _with_fire(self, blow: Blow, where: dict[int, Hex], air: list[int]) -> tuple[Blow, dict[int, Hex]]:
        """Artillery follows to the hex of an attacker."""
        p, hexes = self.p, set(where.values())
        guns = 0
        for u in members(p.active & p.roster.artillery & ~p.fired & ~p.uncommanded & ~p.unsupplied):
            if u in self.where:
                continue
            near = [h for h in hexes if self.ranges.get(u, 1 << p.hexes[u]) >> h & 1 and self.load.get(h, 0) < FULL]
            if near:
                where[u] = p.hexes[u] if p.hexes[u] in near else near[0]
                guns |= 1 << u
        value, cordon = blow.value, cordon_of(self.lie, self.load)
        plain = value_of(self.lie, blow.target, blow.units, 0, 0, where, cordon)
        fired = supported(self.lie, plain, guns, air, where, cordon)
        for u in members(guns & ~fired.guns):
            del where[u]
        return fired._replace(value=value + fired.value - plain.value), where

    def _may(self, u: int, slot: Hex, target: Hex) -> bool:
        """Whether a unit may attack a hex from another."""
        p = self.p
        return not (p.roster.tanks >> u & 1 and not p.frozen and p.ground.bare_swamp(slot, target))

    def _slot(
        self, u: int, choices: list[tuple[Hex, float]], load: dict[Hex, int], taken: set[Hex]
    ) -> tuple[Hex, float] | None:
        """The hex to attack from: dry, then good ground, then one that is not taken yet."""
        p, lie = self.p, self.lie
        best, top = None, -1e9
        for h, share in choices:
            if h != p.hexes[u] and load.get(h, 0) + p.cf[u] > FULL:
                continue
            terrain = lie.terrain[h]
            value = 10 * share + 0.5 * terrain + (0.6 if h == p.hexes[u] else 0.0) + (0.4 if h not in taken else 0.0)
            value += 0.5 * bool(lie.fed >> h & 1)
            if value > top:
                best, top = (h, share), value
        return best
