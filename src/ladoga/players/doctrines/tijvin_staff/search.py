"""Search: ways to go on are played in the mind to the beginning of the next turn, and judged by the forecast."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from threading import Event
from typing import NamedTuple

from ....games.tijvin import operations
from ....games.tijvin.book import UnitMask
from ....games.tijvin.combat import verdict, verdicts
from ....games.tijvin.position import TijvinPosition
from ....games.tijvin.strength import reckon
from ....kernel.orders import Order
from ....kernel.position import CHANCE, View
from ...cores import side_by_side
from .forecast import Measures, forecast, prices

LONGEST = 600
"""Orders in one playout at most."""
ENEMIES: tuple[Mapping[str, float], ...] = ({}, {"attack": 1.4, "safety": 0.7, "hunt": 2.0})
"""The enemies that are reckoned with, in turn: one as careful as the staff, and a raider."""
ROUNDS = 2
"""Dice on which all ways that are left are played before the worse half of them goes."""
NEAR_SPREAD, NEAR_NOISE = 0.28, 0.36
"""Points by which ways differ at the end of their own activation, and by which that difference varies from one luck to
another ..."""
FAR_SPREAD, FAR_NOISE = 0.45, 0.9
"""... and the same at the end of the turn, for ways that seemed alike at the end of their own activation."""
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
        self.played = 0
        """Lucks on which the ways that were left have been played to the end of the turn."""

    def near(self, ways: Sequence[Way], lucks: int, share: float) -> list[Way]:
        """Ways with what they promise over the first one by the end of their own activation, on some lucks, the best
        first; as many of the first ones as a share of the budget allows."""
        luck = [self.rng.getrandbits(32) for _ in range(lucks)]

        def tried(way: Way) -> tuple[list[float], int]:
            found, count = list[float](), 0
            for one in luck:
                if self.budget.spent(share):
                    break
                value, orders = self._on(way.orders, one, ENEMIES[0], near=True)
                found.append(value)
                count += orders
            return found, count

        values = side_by_side(tried, ways, self.budget.cores)
        self.budget.left -= sum(count for _, count in values)
        first, promising = values[0][0], list[Way]()
        for way, (found, _) in zip(ways, values, strict=True):
            if found and way is not ways[0]:
                gain = sum(value - usual for value, usual in zip(found, first, strict=False)) / len(found)
                doubt = NEAR_NOISE**2 / len(found)
                promising.append(way._replace(promise=gain * NEAR_SPREAD**2 / (NEAR_SPREAD**2 + doubt)))
        promising.sort(key=lambda way: -way.promise)
        return [ways[0], *promising]

    def best(self, ways: Sequence[Way]) -> tuple[int, float]:
        """The way that does best by the end of the turn, and by how much more than the first, which is held against
        every other. The worse half goes after some lucks; what ways promised counts the less the more lucks they were
        played on."""
        running, gains = list(range(len(ways))), [0.0] * len(ways)

        def gain(n: int) -> float:
            trust = FAR_NOISE**2 / FAR_SPREAD**2
            return (gains[n] + trust * (ways[n].promise - ways[0].promise)) / (self.played + trust)

        while len(running) > 1 and not self.budget.spent():
            values = self._round([ways[n] for n in running], self.rng.getrandbits(32))
            if values is None:
                break
            self.played += 1
            for n, value in zip(running, values, strict=True):
                gains[n] += value - values[0]
            if self.played % ROUNDS == 0:
                running = self._left(running, gain)
        best = max(running, key=lambda n: (gain(n), -n))
        return best, gain(best)

    def _left(self, running: list[int], gain: Callable[[int], float]) -> list[int]:
        """The first way and the better half of the others; only one where the matter is settled."""
        others = sorted(running[1:], key=gain, reverse=True)
        doubt = CLEAR / math.sqrt(1.0 / FAR_SPREAD**2 + self.played / FAR_NOISE**2)
        others = [n for n in others[: (len(others) + 1) // 2] if gain(n) > -doubt]
        if len(others) == 1 and gain(others[0]) > doubt:
            return others
        return [0, *others]

    def _round(self, ways: Sequence[Way], luck: int) -> list[float] | None:
        """What each way comes to on one luck; nothing if there was no time for all."""
        enemy = ENEMIES[self.played % len(ENEMIES)]

        def tried(way: Way) -> tuple[float, int] | None:
            late = self.budget.told.is_set() or (self.budget.until is not None and self.budget.spent())
            return None if late else self._playout(way, luck, enemy)

        values = []
        for found in side_by_side(tried, ways, self.budget.cores):
            if found is None:
                return None
            values.append(found[0])
            self.budget.left -= found[1]
        return values

    def _playout(self, way: Way, luck: int, enemy: Mapping[str, float]) -> tuple[float, int]:
        """What a way leads to, and the orders that took. After a pass the enemy may pass too, which ends the turn: the
        worse of both counts."""
        value, count = self._on(way.orders, luck, enemy)
        if way.orders == (operations.PASS,) and not self.position.passed:
            ended, more = self._on((operations.PASS, operations.PASS), luck, enemy)
            value, count = min(value, ended), count + more
        return value, count

    def _on(
        self, orders: Sequence[Order], luck: int, enemy: Mapping[str, float], *, near: bool = False
    ) -> tuple[float, int]:
        """What some orders lead to by the first activation of the next turn, or by the next one there is, the luck of
        the combat rolls taken out, and the number of orders until then."""
        dice, position = random.Random(luck), self.position
        turn, worth = position.turn, prices(position)
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
    ground = worth.major if p.ground.major_city >> b.target & 1 else worth.minor * (p.ground.minor_city >> b.target & 1)

    def value(winner: str, degree: int) -> float:
        return won * degree + ground if winner == "attacker" else -lost * degree if winner == "defender" else 0.0

    mean = sum(float(chance) * value(*result) for result, chance in verdicts(ours, theirs).items())
    above = value(*verdict(b.dice[0] + ours, int(roll.words[0]) + theirs)) - mean
    return above if p.side == "german" else -above


def _price(p: TijvinPosition, units: UnitMask, worth: Measures) -> float:
    """What a factor of some units is worth on average."""
    if units & p.roster.side_mask["soviet"]:
        return -worth.soviet
    factors = p.factors(units)
    mobile = p.factors(units & p.roster.mobile)
    return worth.foot + (worth.mobile - worth.foot) * mobile / max(factors, 1)
