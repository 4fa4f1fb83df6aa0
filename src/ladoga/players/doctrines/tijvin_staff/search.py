"""Search: a general with much time tries what to activate next, or to pass, by playing the turn to its end."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from threading import Event

from ....games.tijvin import operations
from ....games.tijvin.book import UnitMask, enemy_of
from ....games.tijvin.combat import verdict, verdicts
from ....games.tijvin.position import TijvinPosition
from ....games.tijvin.strength import reckon
from ....games.tijvin.supply import supplied_hexes
from ....hexes import members
from ....kernel.orders import Order
from ....kernel.position import CHANCE, Position, View
from ...cores import side_by_side
from .lie import Lie

LONGEST = 600
"""Orders in one playout at most."""
HEADQUARTERS = 3
"""Most headquarters that are tried as the next to act."""
DOUBT = 10.0
"""By how much another choice must be better than the one in hand, tried on one luck: about as much as such a difference
varies. The more lucks, the less."""
ENEMIES: tuple[Mapping[str, float], ...] = (
    {"wait": 0.0},
    {"wait": 0.0, "attack": 1.4, "safety": 0.7, "hunt": 2.0},
)
"""The enemies that are reckoned with, in turn: one as careful as the staff, and a raider; both answer at once."""
LUCKS = 2
"""Dice on which all choices that are left are tried before the worse half of them goes."""
LONG, ENOUGH = 2.0, 4
"""Seconds for a headquarters from which on half of them go into what to activate next, and dice on which the choices
must have been tried for another than the first to be taken."""
CITY = 0.5
"""How much of a city's worth counts for who holds it, the rest for how safely."""
WIN = 40.0
"""What the game itself is worth."""
CUT_OFF = 0.3
"""Part of its worth that a unit without a line of supply is taken to have lost."""
TAKEN = 1.2
"""What it counts to win the hex of a city, of its worth."""
GIVING_WAY = 0.8
"""What it counts to throw an enemy back elsewhere."""

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


class Search:
    """What a general may do next, played on in his mind."""

    def __init__(
        self, view: View, seats: Seats, judge: Callable[[TijvinPosition], float], lie: Lie, budget: Budget,
        rng: random.Random, nature: Mapping[str, float],
    ) -> None:  # fmt: skip
        self.view, self.seats, self.judge, self.lie = view, seats, judge, lie
        self.budget, self.rng, self.nature = budget, rng, nature
        self.lucks = [rng.getrandbits(32) for _ in range(4)]

    def best(self, found: Sequence[Order]) -> tuple[Order, float] | None:
        """The choice that does best by the end of the turn: the first, unless another is better beyond doubt."""
        ranked = self._race(found, share=1.0) if len(found) > 1 else []
        return _convincing(ranked, found[0], DOUBT) if ranked and ranked[0][2] >= ENOUGH else None

    def _race(self, found: Sequence[Order], *, share: float) -> list[tuple[float, Order, int]]:
        """Those that were left at the end, the best first, with the mean of their values and the number of lucks; on
        each luck all that are left play, and the worse half goes after some."""
        running, played = list(found), 0
        totals = dict.fromkeys(running, 0.0)
        while not self.budget.spent(share) and (len(running) > 1 or not played):
            values = self._round(running, self._luck(played), played % len(ENEMIES), hurry=played > 0)
            if len(values) < len(running):
                if played or len(values) < LUCKS:
                    break
                running = list(values)  # there was no time for the others
            played += 1
            for choice, value in values.items():
                totals[choice] += value
            if played % LUCKS == 0 and len(running) > LUCKS:
                running.sort(key=lambda choice: -totals[choice])
                running = running[: max(LUCKS, (len(running) + 1) // 2)]
                running += [choice for choice in found[:1] if choice not in running]
                if len(running) == LUCKS + 1 and played >= 2 * LUCKS:
                    running = running[:LUCKS] if found[0] in running[:LUCKS] else [running[0], found[0]]
        if not played:
            return []
        running.sort(key=lambda choice: -totals[choice])
        return [(totals[choice] / played, choice, played) for choice in running]

    def _luck(self, number: int) -> int:
        while len(self.lucks) <= number:
            self.lucks.append(self.rng.getrandbits(32))
        return self.lucks[number]

    def _round(self, running: Sequence[Order], luck: int, enemy: int, *, hurry: bool) -> dict[Order, float]:
        """What each comes to on one luck; nothing for those for whom there was no time."""

        def tried(choice: Order) -> tuple[float, int] | None:
            late = self.budget.until is not None and self.budget.spent()
            if late and (hurry or choice != running[0]):
                return None
            return self._playout(choice, luck, ENEMIES[enemy])

        values: dict[Order, float] = {}
        for choice, found in zip(running, side_by_side(tried, running, self.budget.cores), strict=True):
            if found is None:
                break
            values[choice], orders = found
            self.budget.left -= orders
        return values

    def _playout(self, choice: Order, luck: int, enemy: Mapping[str, float]) -> tuple[float, int]:
        """What a choice leads to by the first activation of the next turn, the luck of the combat rolls taken out, and
        the orders that took."""
        dice, side = random.Random(luck), self.view.side
        position: Position = self.view.imagine(dice).play(choice)
        ours, theirs = self.seats(self.nature), self.seats(enemy)
        count, fortune = 1, 0.0
        rolled: dict[str, int] = {}
        while count < LONGEST:
            mover = position.to_move
            if mover is None or (position.turn > self.view.turn and position.phase.id.endswith("-activation")):
                break
            if mover == CHANCE:
                assert isinstance(position, TijvinPosition)
                order = _roll(position, luck, rolled)
                fortune += above_mean(position, order, self.lie)
            else:
                order = (ours if mover == side else theirs)(position.view(mover), dice)
            position = position.play(order)
            count += 1
        assert isinstance(position, TijvinPosition)
        value = self.judge(position) - fortune
        if choice == operations.PASS and not self.lie.p.passed:
            value = min(value, self._ended)  # the enemy may pass too, which ends the turn
        return value, count

    @cached_property
    def _ended(self) -> float:
        """What it comes to if the turn ends here."""
        return self.judge(self.lie.p)


def _convincing(ranked: Sequence[tuple[float, Order, int]], own: Order, doubt: float) -> tuple[Order, float]:
    """The best choice if it is better than the one in hand beyond doubt, else that one."""
    value, first, lucks = ranked[0]
    for mean, choice, _ in ranked:
        if choice == own and mean >= value - doubt / math.sqrt(lucks):
            return own, mean
    return first, value


def _roll(p: TijvinPosition, luck: int, rolled: dict[str, int]) -> Order:
    """A roll; on the same luck the same occasion has the same one, whatever was rolled before."""
    occasion = f"{luck} {p.turn} {p.stage} {p.side} {p.battle.target if p.battle is not None else ''}"
    rolled[occasion] = times = rolled.get(occasion, 0) + 1
    return p.legal.random(random.Random(f"{occasion} {times}"))


def above_mean(p: TijvinPosition, roll: Order, lie: Lie) -> float:
    """What two combat rolls give our side above the mean of all rolls, once the second is known (13 III)."""
    b = p.battle
    if p.stage != "defence-die" or b is None:
        return 0.0
    ours, theirs = reckon(p, b).totals
    won = _worth(lie, p, b.defenders)
    ground = TAKEN * lie.cities.get(b.target, 0.0) if p.ground.cities >> b.target & 1 else GIVING_WAY
    lost = _worth(lie, p, b.attackers)

    def value(winner: str, degree: int) -> float:
        return won * degree + ground if winner == "attacker" else -lost * degree if winner == "defender" else 0.0

    mean = sum(float(chance) * value(*result) for result, chance in verdicts(ours, theirs).items())
    above = value(*verdict(b.dice[0] + ours, int(roll.words[0]) + theirs)) - mean
    return above if p.side == lie.side else -above


def _worth(lie: Lie, p: TijvinPosition, units: UnitMask) -> float:
    """What a factor of some units is worth on average, as they are now."""
    total = sum(p.cf[u] for u in members(units))
    return sum(lie.worth(u) * p.cf[u] for u in members(units)) / total if total else 1.0


def outlook(p: TijvinPosition) -> float:
    """What the points of the moment promise the Germans at the end (14): a win from one level on, a defeat below
    another, the more surely the fewer turns are left."""
    if p.game.book.set_up.scenarios[p.scenario].objectives is not None:
        return 0.0
    levels = p.tables.victory.levels
    won = min(level.at_least for level in levels if level.winner == "german") - 0.5
    lost = min(level.at_least for level in levels if level.winner == "nobody") - 0.5
    points = sum(float(entry.points) for entry in p.standing.ledger)
    doubt = 1.0 + 0.5 * (p.game.scenarios[p.scenario].turns - p.turn)
    return WIN * (_likely((points - won) / doubt) - _likely((lost - points) / doubt))


def _likely(lead: float) -> float:
    return 1.0 / (1.0 + math.exp(-lead))


def judged(lie: Lie) -> float:
    """How well a side stands: cities and how safely they are held, factors, lines of supply."""
    p, side = lie.p, lie.side
    total = outlook(p) if side == "german" else -outlook(p)
    for name in p.game.sides:
        fed = supplied_hexes(p, name)
        fed |= lie.grid.ring(fed)
        own = sum(
            p.cf[u] * lie.worth(u) * (1.0 if fed >> p.hexes[u] & 1 else 1.0 - CUT_OFF)
            for u in p.roster.of[name] if p.hexes[u] >= 0
        )  # fmt: skip
        total += own if name == side else -lie.style.boldness * own
    for h, worth in lie.cities.items():
        ours = bool(lie.held >> h & 1)
        holder = side if ours else enemy_of(side)
        factors = p.factors(p.at(h, holder))
        sure = min(factors, 12) / 12 if ours else 0.0
        if ours and lie.threat(h)[0]:
            sure -= lie.danger(h, max(factors, 1), 1.5, 0)
        if not ours:
            pressure = sum(p.cf[u] for u in p.roster.of[side] if p.hexes[u] >= 0 and lie.chart.away(h)[p.hexes[u]] <= 2)
            sure = -1.0 + min(1.0, 0.5 * pressure / max(factors, 4))
        total += worth * (CITY * (1 if ours else -1) + (1 - CITY) * sure)
    return total
