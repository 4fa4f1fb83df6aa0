"""Ways to fight a turn, played out by the rules to the end of the enemy's reply.

A way is a temper: what it multiplies the weights of the plans by. All are tried on the same luck, what the dice gave in
fires is taken out, and where they stand in the end is judged by weights that follow from games. The general's own way
is left only for one that is better by more than luck can tell.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...games.leningrad41.counters import SIDES
from ...games.leningrad41.position import CityPosition
from ...kernel.orders import END, Order
from ...kernel.position import CHANCE, View
from ..cores import side_by_side
from ..doctrine import doctrine_of
from ..staff import StaffPlayer, Temper

if TYPE_CHECKING:
    from .commander import Commander

LONGEST = 900
"""Orders in one playout at most."""
TRUST = 2.0
"""Dice after which what a way came to is believed by half."""
LEAD = 0.1
"""By how much a way must then be better to be preferred, in objectives."""
LUCKS = 4
"""Dice on which a way is tried at most."""


class Task(NamedTuple):
    """A way to be played out, before an enemy's way, on some luck."""

    way: Temper
    enemy: Temper
    luck: int


class Rehearsal:
    """The playouts of one decision."""

    def __init__(
        self, commander: Commander, view: View, until: float, told: Callable[[], bool], rng: random.Random
    ) -> None:
        self.commander, self.view, self.until, self.told, self.rng = commander, view, until, told, rng
        self.doctrine = doctrine_of(view.game.id)

    def out_of_time(self) -> bool:
        """Whether no more can be tried."""
        return self.told() or time.monotonic() >= self.until

    def playout(self, task: Task) -> float | None:
        """What a way comes to; nothing if there was no time to play it to the end."""
        view, side = self.view, self.view.side
        dice = random.Random(task.luck)
        position = view.imagine(dice)
        assert isinstance(position, CityPosition)
        seats = {name: StaffPlayer() for name in SIDES}
        for name, seat in seats.items():
            seat.imagined, seat.bias = True, dict(task.way if name == side else task.enemy)
        rolled: Counter[object] = Counter()
        gift, mine = 0.0, view.phase.id
        for _ in range(LONGEST):
            mover = position.to_move
            if mover is None or (position.turn > view.turn and position.phase.id == mine):
                break
            if self.out_of_time():
                return None
            if mover == CHANCE:
                roll = _rolled(position, task.luck, rolled)
                gift += self.doctrine.luck(position, roll, side)
                position = position.play(roll)
            else:
                position = position.play(self._order(position, mover, seats[mover], dice))
        judged = self.doctrine.judge(position, side)
        assert judged is not None
        return judged - gift

    def _order(self, position: CityPosition, mover: str, seat: StaffPlayer, dice: random.Random) -> Order:
        """What a commander orders; where he has no opinion, the end, or what the staff would do."""
        order = self.commander.known(position, mover, seat)
        if order is None and position.why_not(END) is None:
            return END
        return order or seat.choose(position.view(mover), dice)

    def values(self, tasks: Sequence[Task], cores: int) -> list[float | None]:
        """What several tasks come to."""
        return side_by_side(self.playout, tasks, cores)


def _rolled(position: CityPosition, luck: int, rolled: Counter[object]) -> Order:
    """The roll or draw for an occasion: on the same luck the same, whatever else was rolled before."""
    step = position.pending[0]
    target = position.attack.target if position.attack is not None else step.hex
    occasion = position.turn, position.phase_number, step.kind, step.words, step.piece, target
    rolled[occasion] += 1
    return position.legal.random(random.Random(f"{luck} {occasion} {rolled[occasion]}"))


class Found(NamedTuple):
    """A way, and by how much it is believed to be better than the general's own."""

    way: Temper
    gain: float
    tried: int


def search(rehearsal: Rehearsal, own: Temper, rivals: Iterator[Temper], enemies: Sequence[Temper], cores: int) -> Found:
    """The best way that is found in time: from the own one to a rival that is better on one luck after the other, and
    on from there. ``rivals`` are changes of the best way, without end."""
    lucks = [rehearsal.rng.getrandbits(32) for _ in range(LUCKS)]
    best, held, total, tried = own, list[float](), 0.0, 0
    while not rehearsal.out_of_time():
        running = [changed(best, next(rivals)) for _ in range(cores)]
        gains: list[list[float]] = [[] for _ in running]
        alive = list(range(len(running)))
        for number, luck in enumerate(lucks):
            new = number == len(held)
            tempers = [best] * new + [running[n] for n in alive]
            values = rehearsal.values([Task(way, enemies[number % len(enemies)], luck) for way in tempers], cores)
            if None in values:
                break
            known = [value for value in values if value is not None]
            held += known[:new]
            for n, value in zip(alive, known[new:], strict=True):
                gains[n].append(value - held[number])
            tried += len(alive)
            alive = [n for n in alive if believed(gains[n]) > 0.0]
            if not alive:
                break
        leader = max(alive, key=lambda n: believed(gains[n]), default=-1)
        if leader >= 0 and gains[leader] and believed(gains[leader]) > LEAD:
            total += believed(gains[leader])
            held = [value + gain for value, gain in zip(held, gains[leader], strict=False)]
            best = running[leader]
    return Found(best, total, tried)


def changed(way: Temper, by: Temper) -> Temper:
    """A way with some words multiplied.

    >>> changed({"own": 0.5, "line": 0.0}, {"own": 2.0, "toll": 3.0})
    {'own': 1.0, 'line': 0.0, 'toll': 3.0}
    """
    return {**way, **{word: factor * way.get(word, 1.0) for word, factor in by.items()}}


def believed(gains: Sequence[float]) -> float:
    """What is to be believed of gains over another way on some dice.

    >>> believed([]), believed([3.0]), believed([3.0] * 4)
    (0.0, 1.0, 2.0)
    """
    return sum(gains) / (len(gains) + TRUST)
