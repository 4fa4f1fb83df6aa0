"""Stands: what it is worth that a whole side stands where it stands, each stack, city and line counted once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ....hexes import Hex, members
from .blows import Blow
from .campaign import BACK, CUT, LEASH, PERIL, PUSH, SEVERED, UNFED, Campaign
from .flight import BODY, FULL
from .marches import ESCORT
from .pockets import cut_off

TOLL = 1.0
"""What it costs to be struck where one stands, for a factor lost beyond what that costs the enemy."""
STRUCK = 0.5
"""How much less those strike back who are beaten first."""
ZONED = 0.5
"""What a stack with a zone is worth where an enemy can come."""
PLENTY = 2.0
"""How much more than a city takes is of use near it."""
STANDING_IN = 0.5
"""How much of those near a city counts as if they stood in it."""
COVERED, LOST = 0.12, 3.0
"""What a gun gains by a factor beside it, and what it costs to leave one alone."""
GOOD_GROUND = 0.15
SWEEPS, PROMISING = 2, 5
"""How often everybody looks for a better hex, and at how many."""
SLIGHT = 0.01


class Stand:
    """Judges where the units of an activation stand, with everybody else where he is."""

    def __init__(self, campaign: Campaign) -> None:
        p, lie, movers = campaign.p, campaign.lie, set(campaign.movers)
        self.campaign, self.lie, self.p = campaign, lie, p
        self.staying = {u: p.hexes[u] for u in p.roster.of[lie.side] if p.hexes[u] >= 0 and u not in movers}
        self.taking = [task for task in lie.tasks if not task.hold and task.worth and task.factors]
        self.holding = [task.hex for task in lie.tasks if task.hold]

    def value(self, where: Mapping[int, Hex], blows: Sequence[Blow]) -> float:
        """What it is worth to have the units in some hexes and to strike from there."""
        everybody = {**self.staying, **where}
        load, quality = self.lie.stacks(everybody)
        total = sum([blow.value for blow in blows]) - self._struck(load, quality, where, blows)
        total += self._cities(everybody, load, where) + self._comfort(where, load)
        for h, prize in self.campaign.prizes.items():
            if h in load and not self.p.occupied(self.lie.enemy) >> h & 1:
                total += prize
        total -= ESCORT * sum([h not in load for h in self.campaign.escorted])
        return total + self._lines(load)

    def _struck(
        self, load: Mapping[Hex, int], quality: Mapping[Hex, int], where: Mapping[int, Hex], blows: Sequence[Blow]
    ) -> float:
        """What the enemy's answer would cost; those whom we strike answer less."""
        lie, struck, total, fire = self.lie, dict[Hex, float](), 0.0, self._fire(where)
        for blow in blows:
            for u in members(blow.units):
                h = where.get(u, self.p.hexes[u])
                struck[h] = max(struck.get(h, 0.0), blow.win)
        toll = lie.temper_of("safety") * TOLL
        stood = sum([1 << h for h, factors in load.items() if factors > 0])
        for h, factors in load.items():
            if lie.threat(h)[0]:
                lost = lie.toll(h, factors, round(quality[h] / factors), fire.get(h, 0), snared=lie.snared(h, stood))
                total += toll * lost * (1.0 - STRUCK * struck.get(h, 0.0)) - (ZONED if factors >= BODY else 0.0)
        return total

    def _fire(self, where: Mapping[int, Hex]) -> dict[Hex, int]:
        """What guns can be trusted to add to the rolls of those who are struck."""
        p, found = self.p, dict[Hex, int]()
        for u in members(p.roster.artillery & p.roster.side_mask[self.lie.side] & ~p.unsupplied & ~p.uncommanded):
            h = where.get(u, p.hexes[u])
            if h >= 0:
                found[h] = found.get(h, 0) + p.roster.units[u].support
        return {h: self.lie.gunfire(support) for h, support in found.items()}

    def _cities(self, everybody: Mapping[int, Hex], load: Mapping[Hex, int], where: Mapping[int, Hex]) -> float:
        """Cities to be taken by all around them, and to be held by those in them and, less so, those near."""
        lie, cf, total, fire = self.lie, self.p.cf, 0.0, self._fire(where)
        push = lie.temper_of("push") * lie.style.push * PUSH
        for task in self.taking:
            near = lie.nearness(task.hex)
            fill = sum([cf[u] * near[h] for u, h in everybody.items()])
            total += push * task.worth * min(1.0, fill / (PLENTY * task.factors))
        for city in self.holding:
            worth, here, near, guns = lie.cities[city], load.get(city, 0), lie.nearness(city), fire.get(city, 0)
            held = lie.held_by(city, here, guns)
            total += worth * held
            spare = sum([cf[u] * near[h] for u, h in where.items() if h != city])
            if spare:
                total += BACK * worth * (lie.held_by(city, min(here + round(STANDING_IN * spare), FULL), guns) - held)
        return total

    def _comfort(self, where: Mapping[int, Hex], load: Mapping[Hex, int]) -> float:
        """Supply, command and good ground for those who move; company for guns."""
        p, lie, total = self.p, self.lie, 0.0
        for u, h in where.items():
            if p.roster.artillery >> u & 1:
                total += COVERED * min(load[h] - 1, 14) if load[h] > 1 else -LOST
                continue
            if not lie.fed >> h & 1:
                total -= 1.0 + UNFED * p.cf[u] * lie.worths[u]
            if lie.threat(h)[0]:
                total += GOOD_GROUND * lie.terrain[h]
            total -= LEASH * p.cf[u] * min(self.campaign.beyond(h), 4)
        return total

    def _lines(self, load: Mapping[Hex, int]) -> float:
        """Whom we cut off, and who of ours is cut off or could be."""
        lines = self.lie.lines
        severed = sum(lines.cut_off(load).values())
        peril = sum([load[h] for h in lines.watched(load) if lines.cutters(load, h)])
        return CUT * cut_off(self.lie, load) - SEVERED * severed - PERIL * peril

    def improved(
        self, where: Mapping[int, Hex], blows: Sequence[Blow], spent: Callable[[], bool]
    ) -> tuple[dict[int, Hex], float]:
        """Better places for those who do not strike, one unit after the other, until nobody finds one; and what that
        is worth."""
        best, top, striking = dict(where), self.value(where, blows), 0
        for blow in blows:
            striking |= blow.all
        free = [u for u in best if not striking >> u & 1]
        for _ in range(SWEEPS):
            before = top
            for u in free:
                if spent():
                    return best, top
                for h in self.campaign.promising(u, best, PROMISING):
                    value = self.value({**best, u: h}, blows)
                    if value > top + SLIGHT:
                        best, top = {**best, u: h}, value
            if top == before:
                break
        return best, top
