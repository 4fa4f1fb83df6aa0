"""Search: ways to go on are played in the mind until the enemy has answered, and judged by the forecast.

That is to the beginning of the next turn, or of the one after it if his headquarters have acted in this one."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Event
from typing import NamedTuple

from ....games.tijvin.book import UnitMask, enemy_of
from ....games.tijvin.combat import verdict, verdicts
from ....games.tijvin.position import TijvinPosition
from ....games.tijvin.strength import reckon
from ....hexes import Hex
from ....kernel.orders import Order
from ....kernel.position import CHANCE, View
from ...cores import side_by_side
from .forecast import Measures, forecast, prices

LONGEST = 900
"""Orders in one playout at most."""
ENEMIES: tuple[Mapping[str, float], ...] = ({}, {"attack": 1.4, "safety": 0.7, "hunt": 2.0})
"""The enemies that are reckoned with, in turn: one as careful as the staff, and a raider."""
ROUNDS = 2
"""Dice on which all ways that are left are played before the worse half of them goes."""
HEATS = (2, 4)
"""Lucks on which ways are played to the end of their own activation: all, then the better half."""
AT_ONCE = 4
"""Ways that a core plays in a row where several do."""
NEAR_SPREAD, NEAR_NOISE = 0.28, 0.36
"""Points by which ways differ at the end of their own activation, and by which that difference varies from one luck to
another ..."""
FAR_SPREAD, FAR_NOISE = 0.45, 0.9
"""... and the same at the end of the turn, for ways that seemed alike at the end of their own activation."""
REPLY_SPREAD, REPLY_NOISE = 0.6, 1.1
"""... and when a whole turn of the enemy is played besides."""
SURE = 0.7
"""How surely whoever has taken a city holds it for the moment."""
CHOICES = 0.8
"""Points by which it differs who acts next, or whether anybody does."""
CLEAR = 2.5
"""By how many times what is left of the doubt two ways must differ for the matter to be settled."""

Seats = Callable[[Mapping[str, float]], Callable[[View, random.Random], Order]]
"""Makes a player of a temper: a function that names the order for a view."""


class Budget:
    """Orders, or seconds on some cores, that may be spent on thinking."""

    def __init__(self, orders: int, seconds: float | None, cores: int = 1, told: Event | None = None) -> None:
        self.left = orders
        self.cores = cores
        self.told = told or Event()
        """Set when there is to be an end of it at once."""
        self.begun = time.monotonic()
        self.seconds = seconds
        self.until = None if seconds is None else self.begun + seconds

    def spent(self, share: float = 1.0) -> bool:
        """Whether a share of it is used up."""
        if self.told.is_set():
            return True
        if self.until is None:
            return self.left <= 0
        return time.monotonic() >= self.begun + share * (self.until - self.begun)

    def used(self) -> float:
        """The seconds since it began."""
        return time.monotonic() - self.begun


class Way(NamedTuple):
    """Orders to begin with, and what they seem to be worth at first sight, in points."""

    orders: tuple[Order, ...]
    promise: float = 0.0


class Rehearsal:
    """Ways that a side may go on, played in its mind."""

    def __init__(
        self, position: TijvinPosition, side: str, seats: Seats, budget: Budget, rng: random.Random,
        nature: Mapping[str, float],
    ) -> None:  # fmt: skip
        self.position, self.side, self.seats = position, side, seats
        self.budget, self.rng, self.nature = budget, rng, nature
        enemy = enemy_of(side)
        self.late = all(position.hq_activated >> q & 1 or position.hq_hex[q] < 0 for q in position.roster.hqs_of[enemy])
        """Whether the enemy's headquarters have acted in this turn, so that his answer comes in the next."""
        self.played = 0
        """Lucks on which the ways that were left have been played to the end of the turn."""

    def near(self, ways: Sequence[Way], share: float, heats: Sequence[int] = HEATS) -> list[Way]:
        """Ways with what they promise over the first one by the end of their own activation, the best first: after each
        heat the worse half goes. As many of the first ones as a share of the budget allows."""
        found: dict[int, list[float]] = {n: [] for n in range(len(ways))}
        running, begun = list(found), sum(heats)
        for heat, count in enumerate(heats, 1):
            luck = [self.rng.getrandbits(32) for _ in range(count)]
            until = share * sum(heats[:heat]) / begun

            def tried(n: int, luck: Sequence[int] = luck, until: float = until) -> tuple[list[float], int]:
                values, orders = list[float](), 0
                for one in luck:
                    if values and self.budget.spent(until):
                        break
                    value, more = self._on(ways[n].orders, one, ENEMIES[0], near=True)
                    values.append(value)
                    orders += more
                return values, orders

            for n, (values, orders) in self._all(tried, running, until):
                found[n] += values
                self.budget.left -= orders
            played = [n for n in running if found[n]]
            promise = {n: self._promise(found[n], found[0]) for n in played}
            others = sorted(played[1:], key=lambda n: -promise[n])
            running = [0, *others[: (len(others) + 1) // 2]]
            if len(running) < 2 or self.budget.spent(share):
                break
        rest = [ways[n]._replace(promise=self._promise(found[n], found[0])) for n in found if n and found[n]]
        return [ways[0], *sorted(rest, key=lambda way: -way.promise)]

    def _all(
        self, tried: Callable[[int], tuple[list[float], int]], running: Sequence[int], until: float
    ) -> Iterator[tuple[int, tuple[list[float], int]]]:
        """Ways tried side by side, as many as there is time for."""
        at_once = max(self.budget.cores, 1) * (1 if self.budget.cores == 1 else AT_ONCE)
        for first in range(0, len(running), at_once):
            if first > 1 and self.budget.spent(until):
                return
            some = running[first : first + at_once]
            yield from zip(some, side_by_side(tried, some, self.budget.cores), strict=True)

    @staticmethod
    def _promise(values: Sequence[float], usual: Sequence[float]) -> float:
        """What a way comes to over another on the same lucks, the less trusted the fewer they are."""
        lucks = min(len(values), len(usual))
        gain = sum([value - other for value, other in zip(values, usual, strict=False)]) / max(lucks, 1)
        return gain * NEAR_SPREAD**2 / (NEAR_SPREAD**2 + NEAR_NOISE**2 / max(lucks, 1))

    def far(self, ways: Sequence[Way], spread: float = FAR_SPREAD) -> list[float]:
        """By how much each way does better than the first, which is held against every other, once the enemy has
        answered. The worse half goes after some lucks; what ways promised counts the less the more lucks they were
        played on."""
        running, gains, counts = list(range(len(ways))), [0.0] * len(ways), [0] * len(ways)
        spread, noise = (max(spread, REPLY_SPREAD), REPLY_NOISE) if self.late else (spread, FAR_NOISE)
        trust = noise**2 / spread**2

        def gain(n: int) -> float:
            return (gains[n] + trust * (ways[n].promise - ways[0].promise)) / (counts[n] + trust)

        while len(running) > 1 and not self.budget.spent():
            values = self._round([ways[n] for n in running], self.rng.getrandbits(32))
            if values is None:
                break
            self.played += 1
            for n, value in zip(running, values, strict=True):
                gains[n] += value - values[0]
                counts[n] += 1
            if self.played % ROUNDS == 0:
                running = self._left(running, gain, spread, noise)
        return [gain(n) for n in range(len(ways))]

    def _left(self, running: list[int], gain: Callable[[int], float], spread: float, noise: float) -> list[int]:
        """The first way and the better half of the others; only one where the matter is settled."""
        others = sorted(running[1:], key=gain, reverse=True)
        doubt = CLEAR / math.sqrt(1.0 / spread**2 + self.played / noise**2)
        top = max(gain(others[0]), 0.0)
        others = [n for n in others[: (len(others) + 1) // 2] if gain(n) > top - doubt]
        if len(others) == 1 and gain(others[0]) > doubt:
            return others
        return [0, *others]

    def _round(self, ways: Sequence[Way], luck: int) -> list[float] | None:
        """What each way comes to on one luck; nothing if there was no time for all."""
        enemy = ENEMIES[self.played % len(ENEMIES)]

        def tried(way: Way) -> tuple[float, int] | None:
            late = self.budget.told.is_set() or (self.budget.until is not None and self.budget.spent())
            return None if late else self._on(way.orders, luck, enemy)

        values = []
        for found in side_by_side(tried, ways, self.budget.cores):
            if found is None:
                return None
            values.append(found[0])
            self.budget.left -= found[1]
        return values

    def _on(
        self, orders: Sequence[Order], luck: int, enemy: Mapping[str, float], *, near: bool = False
    ) -> tuple[float, int]:
        """What some orders lead to by the first activation after the turn in which the enemy answers, or by the next
        one there is, the luck of the combat rolls taken out, and the number of orders until then."""
        dice, position = random.Random(luck), self.position
        turn, worth = position.turn + self.late, prices(position)
        ours, theirs = self.seats(self.nature), self.seats(enemy)
        count, fortune = 0, 0.0
        rolled: dict[str, int] = {}
        coming = list(orders)
        while count < LONGEST:
            mover = position.to_move
            if mover is None or (position.stage == "activation" and (near or position.turn > turn)):
                break
            if mover == CHANCE:
                order = _roll(position, luck, rolled)
                fortune += above_mean(position, order, worth)
            elif coming:
                order = coming.pop(0)
                if position.why_not(order) is not None:
                    continue
            else:
                order = (ours if mover == self.side else theirs)(position.view(mover), dice)
            position = position.play(order)
            count += 1
        return forecast(position, self.side) - (fortune if self.side == "german" else -fortune), count


def _roll(p: TijvinPosition, luck: int, rolled: dict[str, int]) -> Order:
    """A roll; on the same luck the same occasion has the same one, whatever was rolled before."""
    occasion = f"{luck} {p.turn} {p.stage} {p.side} {p.battle.target if p.battle is not None else ''}"
    rolled[occasion] = times = rolled.get(occasion, 0) + 1
    return p.legal.random(random.Random(f"{occasion} {times}"))


def above_mean(p: TijvinPosition, roll: Order, worth: Measures) -> float:
    """What two combat rolls give the Germans above the mean of all rolls, once the second is known (13 III), in
    points."""
    b = p.battle
    if p.stage != "defence-die" or b is None:
        return 0.0
    ours, theirs = reckon(p, b).totals
    won, lost = _price(p, b.defenders, worth), _price(p, b.attackers, worth)
    ground = _ground(p, b.target, worth)

    def value(winner: str, degree: int) -> float:
        return won * degree + ground if winner == "attacker" else -lost * degree if winner == "defender" else 0.0

    mean = sum(float(chance) * value(*result) for result, chance in verdicts(ours, theirs).items())
    above = value(*verdict(b.dice[0] + ours, int(roll.words[0]) + theirs)) - mean
    return above if p.side == "german" else -above


def _ground(p: TijvinPosition, h: Hex, worth: Measures) -> float:
    """What it is worth to the Germans to hold a hex instead of the Soviets, if it is a city."""
    if not p.ground.cities >> h & 1:
        return 0.0
    major = bool(p.ground.major_city >> h & 1)
    points = p.tables.victory.major_city if major else p.tables.victory.minor_city
    return (worth.major if major else worth.minor) + SURE * points * (worth.secure - worth.defended)


def _price(p: TijvinPosition, units: UnitMask, worth: Measures) -> float:
    """What a factor of some units is worth on average."""
    if units & p.roster.side_mask["soviet"]:
        return -worth.soviet
    factors = p.factors(units)
    mobile = p.factors(units & p.roster.mobile)
    return worth.foot + (worth.mobile - worth.foot) * mobile / max(factors, 1)
