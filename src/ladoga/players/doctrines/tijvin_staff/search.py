"""Search: a general tries what to activate, and how boldly, by playing on to his next activation."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ....games.tijvin.book import UnitMask, enemy_of
from ....games.tijvin.combat import verdict, verdicts
from ....games.tijvin.position import TijvinPosition
from ....games.tijvin.strength import reckon
from ....games.tijvin.supply import supplied_hexes
from ....hexes import members
from ....kernel.orders import Order
from ....kernel.position import CHANCE, Position, View
from .lie import Lie

LONGEST = 200
"""Orders in one playout at most."""
HEADQUARTERS = 3
"""Most headquarters that are tried as the next to act."""
HABIT = 1.0
"""By how much another way must be better than the staff's own."""
TEMPERS: dict[str, Mapping[str, float]] = {
    "": {},
    "boldly": {"attack": 1.6, "safety": 0.6},
    "carefully": {"attack": 0.6, "safety": 1.6},
    "fast": {"push": 1.8, "safety": 0.8},
}
AT_ONCE: Mapping[str, float] = {"wait": 0.0}
"""The temper of an enemy who answers at once."""
ROUNDS = 3
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


class Choice(NamedTuple):
    """What to activate, and in which temper."""

    order: Order
    name: str

    @property
    def temper(self) -> Mapping[str, float]:
        """The weights of the temper."""
        return TEMPERS[self.name]


class Budget:
    """Orders, or seconds, that may be spent on thinking."""

    def __init__(self, orders: int, seconds: float | None) -> None:
        self.left = orders
        self.until = None if seconds is None else time.monotonic() + seconds

    def spent(self) -> bool:
        """Whether there is nothing left."""
        return self.left <= 0 if self.until is None else time.monotonic() >= self.until


def choices(urgent: Sequence[Order], is_hq: Callable[[Order], bool]) -> list[Choice]:
    """The most urgent headquarters in every temper, then the other headquarters."""
    hqs = [order for order in urgent if is_hq(order)][:HEADQUARTERS]
    found = [Choice(order, name) for order in hqs[:1] for name in TEMPERS]
    return found + [Choice(order, "") for order in hqs[1:]]


def best(
    view: View,
    found: Sequence[Choice],
    seats: Seats,
    judge: Callable[[TijvinPosition], float],
    lie: Lie,
    budget: Budget,
    rng: random.Random,
    nature: Mapping[str, float],
) -> tuple[Choice, float] | None:
    """The choice that does best on average; on each luck all that are left play, and the worse half goes."""
    running = list(found)
    totals = dict.fromkeys(running, 0.0)
    played, size = 0, 30
    for round_ in range(ROUNDS):
        lucks = max(1, budget.left // ((ROUNDS - round_) * len(running) * size)) if budget.until is None else 2
        for _ in range(lucks):
            luck = rng.getrandbits(32)
            values = {}
            for choice in running:
                values[choice], orders = playout(view, choice, seats, judge, lie, luck, nature)
                budget.left -= orders
                size = (3 * size + orders) // 4 + 1
                if budget.spent() and budget.until is not None:
                    break
            if len(values) < len(running):
                break
            played += 1
            for choice, value in values.items():
                totals[choice] += value
        if budget.spent() or not played:
            break
        running.sort(key=lambda choice: -totals[choice])
        if round_ < ROUNDS - 1:
            running = running[: max(2, (len(running) + 1) // 2)]
            running += [choice for choice in found[:1] if choice not in running]
    if not played:
        return None
    first = max(running, key=lambda choice: totals[choice])
    if found[0] in running and totals[found[0]] >= totals[first] - HABIT * played:
        first = found[0]
    return first, totals[first] / played


def playout(
    view: View,
    choice: Choice,
    seats: Seats,
    judge: Callable[[TijvinPosition], float],
    lie: Lie,
    luck: int,
    nature: Mapping[str, float],
) -> tuple[float, int]:
    """What a choice leads to by the next activation of the side, the luck of the combat rolls taken out, and the
    orders that took."""
    dice = random.Random(luck)
    position: Position = view.imagine(dice)
    side = view.side
    ours, theirs = seats({**nature, **choice.temper}), seats(AT_ONCE)
    position = position.play(choice.order)
    again, count, fortune = f"{side}-activation", 1, 0.0
    while count < LONGEST:
        mover = position.to_move
        if mover is None or (mover == side and position.phase.id == again):
            break
        if mover == CHANCE:
            order = position.legal.random(dice)
            assert isinstance(position, TijvinPosition)
            fortune += above_mean(position, order, lie)
        else:
            order = (ours if mover == side else theirs)(position.view(mover), dice)
        position = position.play(order)
        count += 1
    assert isinstance(position, TijvinPosition)
    return judge(position) - fortune, count


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
