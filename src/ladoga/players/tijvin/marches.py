"""Marches: blows first, then every unit to where the whole stands best, improved until nothing gets better."""

from __future__ import annotations

from ...games.tijvin.book import UnitMask
from ...hexes import Hex, members
from ..doctrines.tijvin_staff.blows import Blow, value_of
from ..doctrines.tijvin_staff.lie import BODY, Task
from ..doctrines.tijvin_staff.marches import ESCORT, FULL, STAYING, March, Plan, share_of
from ..lay import FAR
from .pockets import Pocket, Ring, cut_off
from .reading import Reading

PASSES = 2
"""How often everybody looks for his hex."""
SAFETY = 0.4
"""What it costs to be beaten where one stands, for a factor lost."""
LEASH = 0.12
"""What a hex beyond every headquarters costs a factor."""
BACK = 0.5
"""How much a city to be held draws units that are not in it."""
UNFED = 0.3
"""What it costs a factor to be out of supply."""
PUSH = 2.0
"""How much cities to be taken draw."""
STAKES = {"german": 0.0, "soviet": 0.6}
"""How much it counts in the price of a blow where its units would stand otherwise; the Germans win by striking."""
DEAR = 12.0
"""A unit that stands to lose more than that does not strike."""
CUT = 0.3
"""What it is worth to cut a factor off."""
HOLDING = 7
"""Factors that close a pocket in one hex."""


class Campaign(March):
    """The planning of one activation."""

    lie: Reading

    def __init__(self, lie: Reading, *, seek: bool = True) -> None:
        super().__init__(lie)
        self.seek = seek
        p = self.p
        seats = {p.hq_hex[q] for q in p.roster.hqs_of[lie.side] if q != p.active_hq and p.hq_hex[q] >= 0}
        self._escorted = {h for h in seats if lie.reached >> h & 1 or lie.threat(h)[0] > 0}
        self._leash: dict[Hex, int] = {}
        self._pulled: dict[Hex, list[tuple[int, float]]] = {}
        self._needs: dict[int, list[float]] = {}
        self._prices: dict[tuple[int, Hex], float] = {}
        self._stakes: dict[int, float] = {}
        self._homes: dict[int, Hex] = {}
        self._moves, self._moment = 0, -1
        """How often units have been set down, and when needs were last worked out."""
        self._holding = {task.hex for task in lie.tasks if task.hold}

    def plan(self) -> Plan:
        """The better of two plans: with the best pocket that can be closed, and without."""
        self._reflect()
        blows = list(self._blows())
        self._positions()
        plain = Plan(self.where, blows), self._total(blows)
        pocket = self._pocket() if self.seek else None
        if pocket is None:
            return plain[0]
        other = Campaign(self.lie, seek=False)
        other._bind(pocket)
        other._reflect()
        blows = list(other._blows())
        other._positions()
        value = other._total(blows)
        if value <= plain[1]:
            return plain[0]
        return Plan(other.where, blows)

    def _reflect(self) -> None:
        """Where everybody would stand if nobody struck: what a blow takes him from is its price."""
        if not STAKES[self.lie.side]:
            return
        load = dict(self.load)
        self._positions()
        self._quiet, self._stakes = dict(self.load), {}
        for u, h in self.where.items():
            self._stakes[u] = self._alone(u, h)
        self._homes, self.where, self._still = dict(self.where), {}, dict(self.fill)
        self.load, self.fill = load, {}

    def _alone(self, u: int, h: Hex) -> float:
        """What a unit adds in a hex as the others stand."""
        at = self.where[u]
        self.load[at] -= self.p.cf[u]
        self._uncount(u, at)
        value = self.rate(u, h, self._pull(u, h))
        self.load[at] += self.p.cf[u]
        self._count(u, at)
        return value

    def _price(self, u: int, h: Hex) -> float:
        """What it costs to have a unit in a hex to strike from, against where it would stand otherwise."""
        if u not in self._stakes or self._homes[u] == h:
            return 0.0
        key = (u, h)
        known = self._prices.get(key)
        if known is None:
            load, fill, where = self.load, self.fill, self.where
            self.load, self.fill, self.where = self._quiet, self._still, self._homes
            known = self._prices[key] = max(0.0, STAKES[self.lie.side] * (self._stakes[u] - self._alone(u, h)))
            self.load, self.fill, self.where = load, fill, where
            self._moves += 1
        return known

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
        defence = max(p.stacked(target, lie.enemy), 1)
        for _, u, choices in options:
            slot = self._slot(u, choices, load, set(where.values()))
            if slot is None:
                continue
            h, share = slot
            cost = max(self._price(u, h), self._absence(u) if h != p.hexes[u] else 0.0)
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
            blow = value_of(lie, target, units, 0, 0, where)
            blow = blow._replace(value=blow.value - price)
            if best is None or blow.value > best[0].value + 0.1:
                best = blow, dict(where)
        if best is None or best[0].value < -2.0:
            return None
        return self._with_fire(best[0], best[1], air)

    def _total(self, blows: list[Blow]) -> float:
        """What a plan is worth: its blows, and where everybody stands."""
        striking = 0
        for blow in blows:
            striking |= blow.all
        total = sum(blow.value for blow in blows)
        for u, h in self.where.items():
            if not striking >> u & 1:
                self.load[h] -= self.p.cf[u]
                self._uncount(u, h)
                total += self.rate(u, h, self._pull(u, h))
                self.load[h] += self.p.cf[u]
                self._count(u, h)
        return total + CUT * cut_off(self.lie, self.load)

    def _pocket(self) -> Pocket | None:
        p, lie = self.p, self.lie
        movable = set(self.movers) - {u for u in self.movers if p.roster.artillery >> u & 1}
        staying: dict[Hex, int] = {}
        for u in p.roster.of[lie.side]:
            if p.hexes[u] >= 0 and u not in movable:
                staying[p.hexes[u]] = staying.get(p.hexes[u], 0) + (0 if p.unsupplied >> u & 1 else p.cf[u])
        power: dict[Hex, int] = dict(staying)
        for u in movable:
            if not p.unsupplied >> u & 1:
                for h in members(self.ranges[u]):
                    power[h] = power.get(h, 0) + p.cf[u]
        bodies = sum([1 << h for h, cf in power.items() if cf >= BODY])
        stood = sum([1 << h for h in staying])
        strong = sum([1 << h for h, cf in staying.items() if cf >= BODY])
        return Ring(lie, bodies, stood, strong).best()

    def _bind(self, pocket: Pocket) -> None:
        """Units that close the pocket go to its hexes, whatever they strike from there."""
        p = self.p
        free = [u for u in self.movers if not (p.roster.artillery | p.unsupplied) >> u & 1]
        free.sort(key=lambda u: (self.ranges[u].bit_count(), u))
        hexes = sorted(pocket.hexes, key=lambda h: sum(1 for u in free if self.ranges[u] >> h & 1))
        for h in hexes:
            there = 0
            for u in list(free):
                if there >= HOLDING:
                    break
                if self.ranges[u] >> h & 1 and there + p.cf[u] <= FULL:
                    self.ranges[u] = 1 << h
                    there += p.cf[u]
                    free.remove(u)

    # Garrisons ------------------------------------------------------------------------------------

    def _absence(self, u: int) -> float:
        """What it costs to take a unit out of a city it guards, or away from a headquarters."""
        p, here, lie = self.p, self.p.hexes[u], self.lie
        load = self.load.get(here, 0)
        left = load - p.cf[u]
        alone = ESCORT if here in self._escorted and left <= 0 else 0.0
        if here not in self._holding:
            return alone
        return alone + lie.cities[here] * max(0.0, lie.held_by(here, load) - lie.held_by(here, left))

    def _filled(self, task: Task, moving: set[int]) -> float:
        if task.hold:
            return 0.0
        return super()._filled(task, moving)

    def _count(self, u: int, h: Hex) -> None:
        self._moves += 1
        for task in self.lie.tasks:
            if not task.hold:
                self.fill[task.hex] += self.p.cf[u] * share_of(self.lie.distances(task.hex).get(h, FAR))

    def _uncount(self, u: int, h: Hex) -> None:
        self._moves += 1
        for task in self.lie.tasks:
            if not task.hold:
                self.fill[task.hex] -= self.p.cf[u] * share_of(self.lie.distances(task.hex).get(h, FAR))

    def _draw(self, u: int, h: Hex) -> float:
        """How much cities draw a unit to a hex: to be held by those in them, to be taken by all around."""
        cf, lie, best = self.p.cf[u], self.lie, 0.0
        wanted = self._wanted(cf)
        for number, pull in self._near(h):
            need = pull * wanted[number]
            if need > best:
                best = need
        if h in self._prizes:
            best = max(best, self._prizes[h])
        if h in self._holding:
            load = self.load.get(h, 0)
            best += lie.cities[h] * (lie.held_by(h, load + cf) - lie.held_by(h, load))
        return best

    def _wanted(self, cf: int) -> list[float]:
        """For each task what a unit of so many factors adds to it, as the others stand."""
        if self._moment != self._moves:
            self._moment, self._needs = self._moves, {}
        found = self._needs.get(cf)
        if found is None:
            lie, found = self.lie, []
            for task in lie.tasks:
                if task.hold:
                    load = self.load.get(task.hex, 0)
                    found.append(BACK * (lie.held_by(task.hex, load + cf) - lie.held_by(task.hex, load)))
                else:
                    found.append(min(cf, max(task.factors - self.fill[task.hex], 0.0)) + 0.15 * cf)
            self._needs[cf] = found
        return found

    def _near(self, h: Hex) -> list[tuple[int, float]]:
        """What a factor that each task wants is worth in a hex, less the further away."""
        found = self._pulled.get(h)
        if found is None:
            found = self._pulled[h] = []
            for number, task in enumerate(self.lie.tasks):
                far = self.lie.distances(task.hex).get(h, FAR)
                near = 1.0 if far == 0 else 0.8 / (1.0 + 0.25 * far)
                if task.hold:
                    if task.hex != h:
                        found.append((number, self.lie.cities[task.hex] * near))
                elif task.worth and task.factors:
                    found.append((number, PUSH * task.worth / task.factors * near))
        return found

    # Positions ------------------------------------------------------------------------------------

    def _positions(self) -> None:
        """Everybody takes the hex that is worth most; then everybody looks again, now that the others stand."""
        rest = [u for u in self.movers if u not in self.where]
        super()._positions()
        order = sorted(rest, key=lambda u: (bool(self.p.roster.artillery >> u & 1), -self.p.cf[u], u))
        for _ in range(PASSES - 1):
            if not self._again(order):
                break

    def _again(self, units: list[int]) -> bool:
        p, changed = self.p, False
        for u in units:
            old = self.where[u]
            self.load[old] -= p.cf[u]
            self._uncount(u, old)
            choices = [h for h in members(self.ranges[u]) if self.load.get(h, 0) + p.cf[u] <= FULL]
            h = self._best(u, choices or [p.hexes[u]])
            self.where[u] = h
            self.load[h] = self.load.get(h, 0) + p.cf[u]
            self._count(u, h)
            changed |= h != old
        return changed

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
            value -= lie.temper_of("safety") * SAFETY * beaten * min(cf, 4.0) * worth
            value += 0.15 * terrain
            if load < BODY <= load + cf:
                value += 0.5
        if not lie.fed >> h & 1:
            value -= 1.0 + UNFED * cf * worth
        value -= LEASH * cf * min(self._beyond(h), 4)
        if h in self._escorted and load <= 0:
            value += ESCORT
        return value + (STAYING if h == p.hexes[u] else 0.0)

    def _beyond(self, h: Hex) -> int:
        """Hexes beyond the reach of every headquarters, where the one that acts may still follow."""
        known = self._leash.get(h)
        if known is None:
            p, lie = self.p, self.lie
            away, reach = lie.chart.away(h), p.tables.command.of(lie.side)
            far = 99
            for q in p.roster.hqs_of[lie.side]:
                if p.hq_hex[q] >= 0:
                    steps = 2 if q == p.active_hq or not p.hq_activated >> q & 1 else 0
                    far = min(far, away[p.hq_hex[q]] - reach - steps)
            known = self._leash[h] = max(far, 0)
        return known
