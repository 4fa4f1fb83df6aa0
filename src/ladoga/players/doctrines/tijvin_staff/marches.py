"""Marches: where the units of an activation should go, the blows they can strike first, then the ground."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ....games.tijvin import movement
from ....games.tijvin.book import UnitMask
from ....hexes import Hex, HexMask, members
from ....kernel.orders import END, Order
from ...lay import FAR
from .blows import LEAST, Blow, flights, supported, value_of
from .lie import BODY, Lie, Task

BLOWS = 5
"""Most blows planned in one activation."""
FULL = 20
OUT_OF_HAND = 0.25
"""What a hex further from every headquarters than it can make good costs."""
STAYING = 0.15
COMFORT = 2.5
"""The most that good ground and company can add to what the tasks make of a hex."""
GUARD = 0.35
"""Part of a city's worth that is at stake when its garrison is too weak."""
ESCORT = 3.0
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

    def reason(self, lie: Lie) -> str:
        """One line."""
        if self.blows:
            aims = ", ".join(f"{lie.p.place_name(b.target)} ({b.odds})" for b in self.blows[:2])
            return f"marches to attack {aims}"
        return "takes up positions: " + ("towards the cities to take" if lie.attacking else "to cover the cities")


class March:
    """The planning of one activation."""

    def __init__(self, lie: Lie) -> None:
        p = lie.p
        self.lie, self.p = lie, p
        self.movers = movement.movers(p)
        self.ranges: dict[int, HexMask] = {
            u: movement.destinations(p, u, movement.range_of(p, u).reached) | 1 << p.hexes[u] for u in self.movers
        }
        self.where: dict[int, Hex] = {}
        self.load: dict[Hex, int] = dict(p.field(lie.side).load)
        self._pulling: dict[Hex, list[tuple[Task, float]]] = {}
        self._prizes = {task.hex: task.worth for task in lie.tasks if not task.hold}
        """Cities of the enemy, and his headquarters that are alone: whoever can walk in has them."""
        for q in p.roster.hqs_of[lie.enemy]:
            h = p.hq_hex[q]
            if h >= 0 and not p.occupied(lie.enemy) >> h & 1:
                self._prizes[h] = self._prizes.get(h, 0.0) + HEADQUARTERS * lie.temper_of("hunt")
        seats = {p.hq_hex[q] for q in p.roster.hqs_of[lie.side] if q != p.active_hq and p.hq_hex[q] >= 0}
        self._escorted = {h for h in seats if lie.threat(h)[0] > 0}
        """Where headquarters stand that do not follow and must not be left alone."""
        self.strikers = p.active & ~p.attacked & ~p.roster.artillery

    def plan(self) -> Plan:
        """Blows first, the best first; then everybody else takes the hex that is worth most."""
        blows = list(self._blows())
        self._positions()
        return Plan(self.where, blows)

    def _move(self, u: int, h: Hex) -> None:
        """Note where a unit is to stand."""
        here, cf = self.where.get(u, self.p.hexes[u]), self.p.cf[u]
        self.load[here] = self.load.get(here, 0) - cf
        self.load[h] = self.load.get(h, 0) + cf
        self.where[u] = h

    # Blows --------------------------------------------------------------------------------------

    def _blows(self) -> Iterator[Blow]:
        free = self.strikers
        hit = 0
        lie = self.lie
        air = flights(lie)
        least = LEAST + lie.style.least
        for _ in range(BLOWS):
            found = [self._blow(t, free, air) for t in members(self._targets(free) & ~hit)]
            options = [option for option in found if option is not None and option[0].value > least]
            if not options:
                return
            blow, where = max(options, key=lambda option: (option[0].value, -option[0].target))
            for u, h in where.items():
                if u in self.ranges:
                    self._move(u, h)
            free &= ~blow.units
            hit |= 1 << blow.target
            air = [i for i in air if not blow.air >> i & 1]
            yield blow

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
            best = [(s, share) for s, share in slots if reach >> s & 1 and self._may(u, s, target)]
            if best:
                top = max(share for _, share in best)
                options.append((p.cf[u] * top * p.roster.units[u].efficiency, u, best))
        options.sort(key=lambda option: (-option[0], option[1]))
        where: dict[int, Hex] = {}
        load = dict(self.load)
        units, best_found, price, column = 0, None, 0.0, None
        defence = max(p.stacked(target, lie.enemy), 1)
        strength = 0.0
        for _, u, choices in options:
            slot = self._slot(u, choices, load, set(where.values()))
            if slot is None:
                continue
            h, share = slot
            load[p.hexes[u]] -= p.cf[u]
            load[h] = load.get(h, 0) + p.cf[u]
            where[u] = h
            units |= 1 << u
            price += self._absence(u) if h != p.hexes[u] else 0.0
            strength += p.cf[u] * share
            reached = p.tables.ratios.column(max(int(strength), 1), defence)
            if reached is column and len(set(where.values())) < 4:
                continue
            column = reached
            blow = value_of(lie, target, units, 0, 0, where)
            blow = blow._replace(value=blow.value - price)
            if best_found is None or blow.value > best_found[0].value + 0.1:
                best_found = blow, dict(where)
        if best_found is None or best_found[0].value < -2.0:
            return None
        return self._with_fire(best_found[0], best_found[1], air)

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
        value = blow.value
        plain = value_of(self.lie, blow.target, blow.units, 0, 0, where)
        fired = supported(self.lie, plain, guns, air, where)
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
            terrain, _ = lie.ground.modifier(h, p.frozen)
            value = 10 * share + 0.5 * terrain + (0.6 if h == p.hexes[u] else 0.0) + (0.4 if h not in taken else 0.0)
            value += 0.5 * bool(lie.fed >> h & 1)
            if value > top:
                best, top = (h, share), value
        return best

    def _absence(self, u: int) -> float:
        """What it costs to take a unit out of a city it guards, or away from a headquarters."""
        p, here = self.p, self.p.hexes[u]
        left = self.load.get(here, 0) - p.cf[u]
        alone = ESCORT if here in self._escorted and left <= 0 else 0.0
        task = next((t for t in self.lie.tasks if t.hold and t.hex == here), None)
        if task is None or not task.factors:
            return alone
        return alone + GUARD * task.worth * max(0.0, min(task.factors, task.factors - left)) / task.factors

    # Positions ----------------------------------------------------------------------------------

    def _positions(self) -> None:
        p, lie = self.p, self.lie
        rest = [u for u in self.movers if u not in self.where]
        self.fill = {task.hex: self._filled(task, set(rest)) for task in lie.tasks}
        for u in rest:
            self.load[p.hexes[u]] -= p.cf[u]
        guarded = {task.hex for task in lie.tasks if task.hold and task.factors}

        def turn(u: int) -> tuple[bool, bool, float, int, int]:
            here = p.hexes[u]
            return bool(p.roster.artillery >> u & 1), here not in guarded, -lie.threat(here)[0], -p.cf[u], u

        rest.sort(key=turn)
        for u in rest:
            choices = [h for h in members(self.ranges[u]) if self.load.get(h, 0) + p.cf[u] <= FULL]
            h = self._best(u, choices or [p.hexes[u]])
            self.where[u] = h
            self.load[h] = self.load.get(h, 0) + p.cf[u]
            self._count(u, h)

    def _filled(self, task: Task, moving: set[int]) -> float:
        """Factors that already see to a task."""
        p, total = self.p, 0.0
        far = self.lie.distances(task.hex)
        for u in p.roster.of[self.lie.side]:
            if p.hexes[u] >= 0 and u not in moving:
                total += p.cf[u] * share_of(far.get(self.where.get(u, p.hexes[u]), FAR))
        return total

    def _count(self, u: int, h: Hex) -> None:
        for task in self.lie.tasks:
            self.fill[task.hex] += self.p.cf[u] * share_of(self.lie.distances(task.hex).get(h, FAR))

    def _best(self, u: int, choices: list[Hex]) -> Hex:
        """The hex that is worth most; what the tasks make of each is looked at first, and the rest only
        where it can still matter."""
        drawn = sorted(((self._pull(u, h), -h) for h in choices), reverse=True)
        best, top = -drawn[0][1], -1e9
        for draw, minus in drawn:
            if draw + COMFORT < top:
                break
            value = self.rate(u, -minus, draw)
            if value > top:
                best, top = -minus, value
        return best

    def _pull(self, u: int, h: Hex) -> float:
        """What the tasks make of a hex for a unit."""
        if self.p.roster.artillery >> u & 1:
            return 0.2 * self._draw(u, h)
        return self.lie.temper_of("push") * self.lie.style.push * self._draw(u, h)

    def rate(self, u: int, h: Hex, draw: float) -> float:
        """What it is worth to let a unit stand in a hex to which the tasks draw it."""
        p, lie = self.p, self.lie
        cf, worth = p.cf[u], lie.worth(u)
        load = self.load.get(h, 0)
        threat, _ = lie.threat(h)
        if p.roster.artillery >> u & 1:
            value = 0.12 * min(load, 14) + (0.5 if threat else 0.0) if load else -3.0
            return value + draw + (0.05 if h == p.hexes[u] else 0.0)
        value = draw
        if threat:
            terrain, _ = lie.ground.modifier(h, p.frozen)
            beaten = lie.danger(h, load + cf, lie.roster.units[u].efficiency, 0)
            value -= lie.temper_of("safety") * lie.style.safety * beaten * min(cf, 4.0) * worth
            value += 0.15 * terrain
            if load < BODY <= load + cf:
                value += 0.5
        if not lie.fed >> h & 1:
            value -= 1.0 + 0.3 * cf * worth
        value -= OUT_OF_HAND * min(lie.out_of_hand(h), 6)
        if h in self._escorted and load <= 0:
            value += ESCORT
        return value + (STAYING if h == p.hexes[u] else 0.0)

    def _draw(self, u: int, h: Hex) -> float:
        """How much the tasks draw a unit to a hex."""
        cf, fill, best = self.p.cf[u], self.fill, 0.0
        for task, pull in self._pulls(h):
            need = pull * (min(cf, max(task.factors - fill[task.hex], 0.0)) + 0.15 * cf)
            if need > best:
                best = need
        return best if h not in self._prizes else max(best, self._prizes[h])

    def _pulls(self, h: Hex) -> list[tuple[Task, float]]:
        """What a factor that a task wants is worth in a hex, less the further away."""
        found = self._pulling.get(h)
        if found is None:
            found = self._pulling[h] = []
            for task in self.lie.tasks:
                if task.worth and task.factors:
                    far = self.lie.distances(task.hex).get(h, FAR)
                    found.append((task, task.worth / task.factors * (1.0 if far == 0 else 0.8 / (1.0 + 0.25 * far))))
        return found


def share_of(far: float) -> float:
    """How far a unit sees to a task from a distance."""
    return 1.0 if far == 0 else 0.5 if far <= 2 else 0.25 if far <= 4 else 0.0
