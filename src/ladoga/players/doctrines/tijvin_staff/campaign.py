"""Marches: blows first, then every unit to where the whole stands best, improved until nothing gets better."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ....hexes import Hex, members
from .blows import Blow, flights, least_of, value_of
from .flight import BODY, FULL, cordon_of
from .lie import Lie, Task
from .marches import ESCORT, March, Plan
from .pockets import MOST, Pocket, Ring, cut_off

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
PERIL = 0.15
"""What it costs if one enemy stack could cut a factor of a great stack off."""
SNARE = 0.3
"""What it costs a factor of a stack to be beaten where the enemy can close every way out."""
STAYING = 0.15
ZONED = 0.5
"""What it is worth to make a stack large enough for a zone."""
GUNFIRE = 0.4
"""What it is worth, for a factor, to be beaten less surely by the fire of a gun."""
BATTERY = {"german": 2, "soviet": 1}
"""The efficiency of those whom guns stand with."""
COMFORT = (1.2, 2.3)
"""The most that good ground and company can add to what the tasks make of a hex, for troops and for guns."""
SLIGHT = 1e-6
CUT = 0.3
"""What it is worth to cut a factor off."""
SEVERED = 0.5
"""What it costs if the next check of supply finds a factor of ours cut off."""
HOLDING = 7
"""Factors that close a pocket in one hex."""


class Campaign(March):
    """The planning of one activation."""

    def __init__(self, lie: Lie, *, seek: bool = True) -> None:
        super().__init__(lie)
        self.seek = seek
        self._safety = lie.temper_of("safety") * SAFETY
        self._back, self._unfed = BACK * lie.temper_of("back"), UNFED * lie.temper_of("unfed")
        self._lead, self._flee = LEASH * lie.temper_of("leash"), lie.habit("flee")
        self._escort, self._body = ESCORT * lie.temper_of("escort"), ZONED * lie.temper_of("body")
        self._stay, self._snare = STAYING * lie.temper_of("stay"), SNARE * lie.temper_of("snare")
        self._missed = STAKES[lie.side] * lie.temper_of("stakes") + lie.habit("miss")
        self.fill: dict[Hex, float] = {}
        """Factors that see to each task."""
        self._leash: dict[Hex, int] = {}
        p, reach = lie.p, lie.p.tables.command.of(lie.side)
        self._reaches = [
            (p.hq_hex[q], reach + (2 if q == p.active_hq or not p.hq_activated >> q & 1 else 0))
            for q in p.roster.hqs_of[lie.side] if p.hq_hex[q] >= 0
        ]  # fmt: skip
        """Where headquarters stand, and how far each reaches with a move that it can still make."""
        self._needs: dict[int, list[tuple[float, list[float], Hex]]] = {}
        self._prices: dict[tuple[int, Hex], float] = {}
        self._stakes: dict[int, float] = {}
        self._homes: dict[int, Hex] = {}
        self._moves, self._moment = 0, -1
        """How often units have been set down, and when needs were last worked out."""
        self._holding = {task.hex for task in lie.tasks if task.hold}
        self._taking = [(task.hex, lie.shares(task.hex)) for task in lie.tasks if not task.hold]

    def plan(self) -> Plan:
        """The best of a few plans: as it comes, with the best pocket that can be closed, and with the line opened to
        those of ours who are cut off."""
        plan = self._made()
        aims = list(self._aims()) if self.seek else []
        best, top = plan, self._total(plan.blows) if aims else 0.0
        for hexes, factors in aims:
            other = Campaign(self.lie, seek=False)
            other._bind(hexes, factors)
            plan = other._made()
            value = other._total(plan.blows)
            if value > top:
                best, top = plan, value
        return best

    def _made(self) -> Plan:
        """A plan: blows, then positions."""
        self._reflect()
        blows = list(self._blows())
        self._positions()
        return Plan(self.where, blows)

    def _aims(self) -> Iterator[tuple[Iterable[Hex], int]]:
        """Hexes in which a plan may want to have somebody, and how many factors in each."""
        pocket = self._pocket()
        if pocket is not None:
            yield pocket.hexes, HOLDING
        reach = 0
        for u in self.movers:
            if not self.p.roster.artillery >> u & 1:
                reach |= self.ranges[u]
        if not reach:
            return
        lines = self.lie.lines
        opening = lines.opening(self.load, reach) or lines.guard(self.load, reach)
        if opening:
            yield opening, 1

    def _reflect(self) -> None:
        """Where everybody would stand if nobody struck: what a blow takes him from is its price."""
        if not self._missed or not self._strikes():
            return
        load, fire = dict(self.load), dict(self.fire)
        self._positions(1)
        self._quiet, self._silent, self._stakes = dict(self.load), dict(self.fire), {}
        for u, h in self.where.items():
            self._stakes[u] = self._alone(u, h)
        self._homes, self.where, self._still = dict(self.where), {}, dict(self.fill)
        self.load, self.fill, self.fire = load, {}, fire

    def _strikes(self) -> bool:
        """Whether any blow would be worth it if nobody were missed elsewhere."""
        air, least = flights(self.lie), least_of(self.lie)
        blows = (self._blow(target, self.strikers, air) for target in members(self._targets(self.strikers)))
        return any(blow is not None and blow[0].value > least for blow in blows)

    def price(self, u: int, h: Hex) -> float:
        """What it takes from elsewhere to have a unit in a hex to strike from."""
        return max(self._loss(u, h), self._absence(u) if h != self.p.hexes[u] else 0.0)

    def _alone(self, u: int, h: Hex) -> float:
        """What a unit adds in a hex as the others stand."""
        at = self.where[u]
        self.load[at] -= self.p.cf[u]
        self._uncount(u, at)
        value = self.rate(u, h, self._pull(u, h))
        self.load[at] += self.p.cf[u]
        self._count(u, at)
        return value

    def _loss(self, u: int, h: Hex) -> float:
        """What it costs to have a unit in a hex to strike from, against where it would stand otherwise."""
        if u not in self._stakes or self._homes[u] == h:
            return 0.0
        key = (u, h)
        known = self._prices.get(key)
        if known is None:
            load, fill, where, fire = self.load, self.fill, self.where, self.fire
            self.load, self.fill, self.where, self.fire = self._quiet, self._still, self._homes, self._silent
            known = self._prices[key] = max(0.0, self._missed * (self._stakes[u] - self._alone(u, h)))
            self.load, self.fill, self.where, self.fire = load, fill, where, fire
            self._moves += 1
        return known

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
        lines = self.lie.lines
        severed = sum(lines.cut_off(self.load).values())
        peril = sum([self.load[h] for h in lines.watched(self.load) if lines.cutters(self.load, h)])
        cut = CUT * self.lie.temper_of("cut") * cut_off(self.lie, self.load)
        return total + cut - self.lie.temper_of("lines") * (SEVERED * severed + PERIL * peril)

    def _pocket(self) -> Pocket | None:
        p, lie = self.p, self.lie
        movable = {u for u in self.movers if not p.roster.artillery >> u & 1}
        if sum([p.cf[u] for u in movable]) < BODY:
            return None
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
        return Ring(lie, bodies, stood, strong).best(min(MOST, len(movable)))

    def _bind(self, wanted: Iterable[Hex], factors: int) -> None:
        """Units go to hexes in which somebody is wanted, whatever they strike from there."""
        p = self.p
        free = [u for u in self.movers if not (p.roster.artillery | p.unsupplied) >> u & 1]
        free.sort(key=lambda u: (self.ranges[u].bit_count(), u))
        hexes = sorted(wanted, key=lambda h: sum(1 for u in free if self.ranges[u] >> h & 1))
        for h in hexes:
            there = 0
            for u in list(free):
                if there >= factors:
                    break
                if self.ranges[u] >> h & 1 and there + p.cf[u] <= FULL:
                    self.ranges[u] = 1 << h
                    there += p.cf[u]
                    free.remove(u)

    # Other people's plans -------------------------------------------------------------------------

    def seen(self, blow: Blow, where: Mapping[int, Hex]) -> Blow:
        """What a blow is worth in this temper, with units where a plan puts them, whatever they are missed for."""
        places = {u: where[u] for u in members(blow.all) if u in where}
        load = dict(self.p.field(self.lie.side).load)
        for u, h in where.items():
            load[self.p.hexes[u]] -= self.p.cf[u]
            load[h] = load.get(h, 0) + self.p.cf[u]
        return value_of(self.lie, blow.target, blow.units, blow.guns, blow.air, places, cordon_of(self.lie, load))

    def promising(self, u: int, where: Mapping[int, Hex], most: int) -> list[Hex]:
        """Some other hexes that look best for a unit if everybody else stands where a plan puts him."""
        self.where, self.load, self.fire = {}, dict(self.p.field(self.lie.side).load), self._fire()
        self.fill = {task.hex: self._filled(task, set(self.movers)) for task in self.lie.tasks}
        for v, h in where.items():
            self._move(v, h)
            self._fill(v, h, self.p.cf[v])
        here, cf, push = where[u], self.p.cf[u], self._push(u)
        self.load[here] -= cf
        self._uncount(u, here)
        hexes = [h for h in members(self.ranges[u]) if h != here and self.load.get(h, 0) + cf <= FULL]
        rated = [(self.rate(u, h, push * draw), -h) for h, draw in zip(hexes, self._draws(u, hexes), strict=True)]
        return [-minus for _, minus in sorted(rated, reverse=True)[:most]]

    # Garrisons ------------------------------------------------------------------------------------

    def _absence(self, u: int) -> float:
        """What it costs to take a unit out of a city it guards, or away from a headquarters."""
        p, here, lie = self.p, self.p.hexes[u], self.lie
        load = self.load.get(here, 0)
        left = load - p.cf[u]
        alone = self._escort if here in self.escorted and left <= 0 else 0.0
        if here not in self._holding:
            return alone
        fire = self.gunfire(here)
        return alone + lie.cities[here] * max(0.0, lie.held_by(here, load, fire) - lie.held_by(here, left, fire))

    def _filled(self, task: Task, moving: set[int]) -> float:
        """Factors that already see to a city to be taken."""
        p, total = self.p, 0.0
        if task.hold:
            return total
        share = self.lie.shares(task.hex)
        for u in p.roster.of[self.lie.side]:
            if p.hexes[u] >= 0 and u not in moving:
                total += p.cf[u] * share[self.where.get(u, p.hexes[u])]
        return total

    def gunfire(self, h: Hex) -> int:
        """What the guns in a hex can be trusted to add if those with them are struck."""
        support = self.fire.get(h, 0)
        return self.lie.gunfire(support) if support else 0

    def _battery(self, u: int, h: Hex, load: int) -> float:
        """What a gun's fire is worth to those it stands with, if they are struck."""
        lie, support = self.lie, self.fire.get(h, 0)
        less, more = lie.gunfire(support), lie.gunfire(support + lie.roster.units[u].support)
        spared = lie.danger(h, load, BATTERY[lie.side], less) - lie.danger(h, load, BATTERY[lie.side], more)
        value = GUNFIRE * spared * min(load, 14)
        if h in self._holding:
            value += lie.cities[h] * (lie.held_by(h, load, more) - lie.held_by(h, load, less))
        return value

    def _count(self, u: int, h: Hex) -> None:
        self._fill(u, h, self.p.cf[u])
        if self.p.roster.artillery >> u & 1:
            self._aim(u, h)

    def _uncount(self, u: int, h: Hex) -> None:
        self._fill(u, h, -self.p.cf[u])
        if self.p.roster.artillery >> u & 1:
            self._aim(u, h, -1)

    def _fill(self, u: int, h: Hex, cf: int) -> None:
        self._moves += 1
        for task, share in self._taking:
            self.fill[task] += cf * share[h]

    def _draws(self, u: int, hexes: list[Hex]) -> list[float]:
        """How much cities draw a unit to some hexes: to be held by those in them, to be taken by all around."""
        cf, lie, prizes, holding = self.p.cf[u], self.lie, self.prizes, self._holding
        wanted, found = self._wanted(cf), []
        for h in hexes:
            best = 0.0
            for pull, near, task in wanted:
                if pull <= best:
                    break
                need = pull * near[h]
                if need > best and task != h:
                    best = need
            if h in prizes:
                best = max(best, prizes[h])
            if h in holding:
                load, fire = self.load.get(h, 0), self.gunfire(h)
                best += lie.cities[h] * (lie.held_by(h, load + cf, fire) - lie.held_by(h, load, fire))
            found.append(best)
        return found

    def _wanted(self, cf: int) -> list[tuple[float, list[float], Hex]]:
        """For each task what a unit of so many factors adds to it as the others stand, the most first; how near every
        hex is to it; and the hex itself where those in it count otherwise."""
        if self._moment != self._moves:
            self._moment, self._needs = self._moves, {}
        found = self._needs.get(cf)
        if found is None:
            lie, found = self.lie, []
            for task in lie.tasks:
                if task.hold:
                    load, fire = self.load.get(task.hex, 0), self.gunfire(task.hex)
                    more = lie.held_by(task.hex, load + cf, fire) - lie.held_by(task.hex, load, fire)
                    found.append((self._back * lie.cities[task.hex] * more, lie.nearness(task.hex), task.hex))
                elif task.worth and task.factors:
                    more = min(cf, max(task.factors - self.fill[task.hex], 0.0)) + 0.15 * cf
                    found.append((PUSH * task.worth / task.factors * more, lie.nearness(task.hex), -1))
            found.sort(key=lambda want: -want[0])
            self._needs[cf] = found
        return found

    # Positions ------------------------------------------------------------------------------------

    def _positions(self, passes: int = PASSES) -> None:
        """Everybody takes the hex that is worth most; then everybody looks again, now that the others stand."""
        p, lie = self.p, self.lie
        rest = [u for u in self.movers if u not in self.where]
        self.fill = {task.hex: self._filled(task, set(rest)) for task in lie.tasks}
        for u in rest:
            self.load[p.hexes[u]] -= p.cf[u]
            if p.roster.artillery >> u & 1:
                self._aim(u, p.hexes[u], -1)
        guarded = {task.hex for task in lie.tasks if task.hold and task.factors}

        def turn(u: int) -> tuple[bool, bool, float, int, int]:
            here = p.hexes[u]
            return bool(p.roster.artillery >> u & 1), here not in guarded, -lie.threat(here)[0], -p.cf[u], u

        rest.sort(key=turn)
        batteries = self._batteries(rest) if lie.habit("battery") > 0.0 else {}
        for u in rest:
            choices = [h for h in members(self.ranges[u]) if self.load.get(h, 0) + p.cf[u] <= FULL]
            h = self._best(u, choices or [p.hexes[u]]) if u not in batteries else batteries[u]
            self.where[u] = h
            self.load[h] = self.load.get(h, 0) + p.cf[u]
            self._count(u, h)
        order = sorted(rest, key=lambda u: (bool(p.roster.artillery >> u & 1), -p.cf[u], u))
        for _ in range(passes - 1 if len(rest) > 1 else 0):
            if not self._again(order):
                break

    def _batteries(self, rest: list[int]) -> dict[int, Hex]:
        """Guns that go to the cities that are in danger before these fill up, and the guns' place in the order."""
        lie, p, found = self.lie, self.p, dict[int, Hex]()
        cities = [h for h in self._holding if lie.threat(h)[0]]
        if not cities:
            return found
        troops = 0
        for u in rest:
            if not p.roster.artillery >> u & 1:
                troops |= self.ranges[u]
        for u in rest:
            if p.roster.artillery >> u & 1 and not (p.unsupplied | p.uncommanded) >> u & 1:
                near = [h for h in cities if self.ranges[u] >> h & 1 and (troops >> h & 1 or self.load.get(h, 0))]
                if near:
                    found[u] = max(near, key=lambda h: (lie.cities[h] * lie.danger(h, 12, 1.5, 0), h))
        rest.sort(key=lambda u: u not in found)
        return found

    def _best(self, u: int, choices: list[Hex]) -> Hex:
        """The hex that is worth most; what the tasks make of each is looked at first, and the rest only
        where it can still matter."""
        push, gun = self._push(u), self.p.roster.artillery >> u & 1
        draws = [push * draw for draw in self._draws(u, choices)]
        comfort, alone = COMFORT[gun], set() if gun else {h for h in self.escorted if self.load.get(h, 0) <= 0}
        drawn = [
            (draw + self._escort if h in alone else draw, -h, draw) for draw, h in zip(draws, choices, strict=True)
        ]
        drawn.sort(reverse=True)
        best, top = -drawn[0][1], -1e9
        fed, cf = self.lie.fed, self.p.cf[u]
        unfed, leash = (0.0, 0.0) if gun else (1.0 + self._unfed * cf * self.lie.worths[u], self._lead * cf)
        for most, minus, draw in drawn:
            most += comfort
            if most < top:
                break
            h = -minus
            if not fed >> h & 1:
                most -= unfed
            if most < top - SLIGHT or most - leash * min(self.beyond(h), 4) < top - SLIGHT:
                continue
            value = self.rate(u, h, draw)
            if value > top:
                best, top = h, value
        return best

    def _push(self, u: int) -> float:
        """How much a unit minds the tasks."""
        if self.p.roster.artillery >> u & 1:
            return 0.2
        return self.lie.temper_of("push") * self.lie.style.push

    def _pull(self, u: int, h: Hex) -> float:
        """What the tasks make of a hex for a unit."""
        return self._push(u) * self._draws(u, [h])[0]

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
        cf, worth = p.cf[u], lie.worths[u]
        load = self.load.get(h, 0)
        threat = lie.threat(h)[0]
        if p.roster.artillery >> u & 1:
            value = 0.12 * min(load, 14) + (0.5 if threat else 0.0) if load else -3.0
            if load and threat and lie.fires:
                value += self._battery(u, h, load)
            return value + draw + (0.05 if h == p.hexes[u] else 0.0)
        value = draw
        if threat:
            terrain = lie.terrain[h]
            efficiency, fire = lie.roster.units[u].efficiency, self.gunfire(h)
            beaten = lie.danger(h, load + cf, efficiency, fire)
            value -= self._safety * beaten * min(cf, 4.0) * worth
            if load + cf >= BODY and self._snared(h):
                value -= self._snare * beaten * cf * worth
            if self._flee:
                toll = lie.toll(h, load + cf, efficiency, fire)
                value -= self._flee * (toll - lie.toll(h, load, efficiency, fire) if load > 0 else toll)
            value += 0.15 * terrain
            if load < BODY <= load + cf:
                value += self._body
        if not lie.fed >> h & 1:
            value -= 1.0 + self._unfed * cf * worth
        value -= self._lead * cf * min(self.beyond(h), 4)
        if h in self.escorted and load <= 0:
            value += self._escort
        return value + (self._stay if h == p.hexes[u] else 0.0)

    def _snared(self, h: Hex) -> bool:
        """Whether the enemy can close every way out of a hex."""
        load = self.load
        return self.lie.snared(h, 0) and not any(load.get(n, 0) > 0 for n in members(self.lie.ways_out(h)))

    def beyond(self, h: Hex) -> int:
        """Hexes beyond the reach of every headquarters, where the one that acts may still follow."""
        known = self._leash.get(h)
        if known is None:
            away = self.lie.chart.away(h)
            known = self._leash[h] = max(min([away[seat] - reach for seat, reach in self._reaches], default=99), 0)
        return known
