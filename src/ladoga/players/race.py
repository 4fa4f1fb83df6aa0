"""The race of tempers, for games whose board a planner cannot read: ways to fight a turn are tried in the mind, to
the end of the enemy's reply, and the best is taken.

A way to fight (a script) is the staff's method with another temper: bolder, safer, faster, denser, or
what the game's doctrine adds. All scripts are played out against the enemy's staff on the same luck; the
better half stays in the race each round. Then formations, or the wings of a side that has none, try
scripts of their own.

Chance is exact where it decides: for every attack and overrun of a playout, own and enemy, the worth of
each result is weighed by its exact probability (untried units and die together), and what the roll gave
above or below that mean is taken out of the playout's value. What is left to luck, the same luck for all
scripts, is only how later moves differ after one result or another.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Hashable, Mapping, Sequence
from itertools import takewhile

from ..kernel.errors import LadogaError
from ..kernel.events import Result
from ..kernel.orders import Order, Role
from ..kernel.position import CHANCE, Position, View
from .attacks import by_result
from .cores import side_by_side
from .doctrine import doctrine_of
from .judgement import evaluate
from .situation import Situation
from .staff import StaffPlayer, Temper

NODES = 800
"""Orders played in the mind for one turn, when no time is given."""
LONGEST = 700
"""Orders in one playout at most."""
AS_STAFF = "as the staff would"
CHANGED = ", with changes"

SCRIPTS: dict[str, Temper] = {
    "boldly": {"safety": 0.5, "attack": 1.5},
    "fast": {"push": 2.0, "safety": 0.7},
    "carefully": {"safety": 2.0, "attack": 0.8},
    "densely": {"cover": 2.0, "push": 0.7},
}

Way = tuple[Temper, Mapping[str, Temper]]
"""A way to fight: the temper of all, and those of single units."""


class RacingPlayer(StaffPlayer):
    """Chooses how to fight each turn by playing it out."""

    name = "racing"

    def __init__(self, *, seed: int = 0, think: float | None = None, nodes: int = NODES) -> None:
        super().__init__(seed=seed, think=think)
        self.nodes = nodes
        self._turn: Hashable = None
        self.choice = ""
        self._spent = 0
        self._most = nodes
        self._until = 0.0

    def ponder(self, view: View, moment: Hashable, rng: random.Random) -> None:
        """Think when the game's doctrine says that the moment for it has come."""
        if moment != self._turn:
            self._turn = moment
            self._think(view, rng)

    def march(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """As the staff, with the scripts that came out best."""
        moment = (view.turn, view.phase.id)
        if moment != self._turn:
            self._turn = moment
            self._think(view, rng)
            order = super().march(view, orders, rng)
            way = self.choice.partition(":")[0]
            self.reason = f"{self.reason} ({way})" if self.reason else way
            return order
        return super().march(view, orders, rng)

    @property
    def progress(self) -> float:
        """The part of the time or of the work that is used up, from nothing to one; may be asked from another
        thread."""
        if self.think is None:
            return min(1.0, self._spent / self._most)
        return min(1.0, max(0.0, 1.0 - (self._until - time.monotonic()) / max(1e-3, self.think)))

    # Search -------------------------------------------------------------------------------------

    def _think(self, view: View, rng: random.Random) -> None:
        race = doctrine_of(view.game.id).race(view.side)
        self._spent, self._most = 0, round(self.nodes * race.breadth)
        self._until = time.monotonic() + self.think if self.think is not None else 0.0
        self.bias, self.tempers, self._read = {}, {}, None
        scripts: dict[str, Temper] = {AS_STAFF: {}, **_scripts(view)}
        best, value = (self._climb if race.varied else self._race)(view, scripts, rng)
        self.choice = f"fights {best}: {value:+.1f}" if best else "there was no time to think"
        self.bias = dict(scripts[best]) if best else {}
        if race.parts:
            self._improve(view, scripts, rng)
        self.told.clear()
        self._read = None

    def _race(self, view: View, scripts: dict[str, Temper], rng: random.Random) -> tuple[str, float]:
        """The script that does best on average, the worse half dropping out each round; in doubt the staff's.

        The more dice a script was tried on, the less it must be better by. With time given, and nothing else to use it
        for, the last one is held against the staff's way until the time is used up.
        """
        running = list(scripts)
        known: dict[str, list[float]] = {script: [] for script in running}
        lucks: list[int] = []
        doubt: dict[str, float] = {}
        race = doctrine_of(view.game.id).race(view.side)
        while not self._spent_up() and (len(running) > 1 or len(lucks) < 3):
            luck = rng.getrandbits(32)
            played = self._playouts(view, [(scripts[script], {}) for script in running], luck)
            values = dict(zip(running, played, strict=False))
            if len(values) < len(running):
                if lucks or not values:
                    break
                running = list(values)  # there was no time for the others
            for script, value in values.items():
                known[script].append(value)
            lucks.append(luck)
            doubt = {AS_STAFF: race.doubt * math.sqrt(len(lucks))}
            if race.lucks > 1 and len(lucks) == 1:
                running = _distinct(values)
            if len(lucks) % race.lucks:
                continue
            running.sort(key=lambda script: -sum(known[script]) - doubt.get(script, 0.0))
            left = running[: max(1, len(running) // 2)]
            if self.think is not None and not race.parts and len(running) > 1 and AS_STAFF in running:
                rival = next(script for script in running if script != AS_STAFF)
                left = list(dict.fromkeys((*left, AS_STAFF, rival)))
            running = left
        if not lucks:
            return "", 0.0
        best = max(running, key=lambda script: sum(known[script]) + doubt.get(script, 0.0))
        return best, sum(known[best]) / len(lucks)

    def _climb(self, view: View, scripts: dict[str, Temper], rng: random.Random) -> tuple[str, float]:
        """From the staff's way to the best of the others, and from there to changes of it, as long as there is time."""
        doctrine = doctrine_of(view.game.id)
        lucks = [rng.getrandbits(32) for _ in range(doctrine.race(view.side).varied)]
        best, way, held = AS_STAFF, scripts[AS_STAFF], list[float]()
        rivals = [(name, temper) for name, temper in scripts.items() if name != AS_STAFF]
        while not self._spent_up():
            found = self._better(view, rivals, way, lucks, held)
            if found is not None:
                (best, way), held = found
            changed = f"{best.removesuffix(CHANGED)}{CHANGED}"
            rivals = [(changed, doctrine.varied(view, way, rng)) for _ in range(self.at_once)]
        scripts[best] = way
        return (best, sum(held) / len(held)) if held else ("", 0.0)

    def _better(
        self, view: View, rivals: Sequence[tuple[str, Temper]], way: Temper, lucks: Sequence[int], held: list[float]
    ) -> tuple[tuple[str, Temper], list[float]] | None:
        """The rival that comes out better than a way on one luck after the other and in the end clearly, with what it
        comes to on each; what the way itself comes to is ``held``."""
        running, values = list(range(len(rivals))), [list[float]() for _ in rivals]
        for number, luck in enumerate(lucks):
            new = number == len(held)  # the way itself has to be tried on this luck too
            ways = [way] * new + [rivals[n][1] for n in running]
            found = self._playouts(view, [(each, {}) for each in ways], luck)
            held += found[:new]
            found = found[new:]
            if len(held) == number or (number and len(found) < len(running)):
                break  # what is known has to do
            for n, value in zip(running, found, strict=False):
                values[n].append(value)
            running = [n for n in running[: len(found)] if sum(values[n]) > sum(held[: number + 1])]
            running.sort(key=lambda n: -sum(values[n]))
            running = running[: max(1, len(rivals) >> number + 1)]
            if not running:
                return None
        best = running[0]
        count = len(values[best])
        doubt = doctrine_of(view.game.id).race(view.side).doubt * math.sqrt(count)
        clear = count > 0 and sum(values[best]) > sum(held[:count]) + doubt
        return (rivals[best], values[best]) if clear else None

    def _playouts(self, view: View, ways: Sequence[Way], luck: int) -> list[float]:
        """What some ways to fight come to on the same luck, as many of the first ones as there is time for."""

        def tried(way: Way) -> float | None:
            value = None if self._out_of_time() else self._playout(view, *way, luck)
            return None if self._out_of_time() else value

        values = side_by_side(tried, ways, self.at_once)
        return [value for value in takewhile(lambda value: value is not None, values) if value is not None]

    def _improve(self, view: View, scripts: Mapping[str, Temper], rng: random.Random) -> None:
        """Let one part of the army after the other try a script of its own, while there is time."""
        doubt = doctrine_of(view.game.id).race(view.side).doubt
        for name, units in _parts(Situation(view, view.side)).items():
            for script, temper in scripts.items():
                if self._spent_up():
                    return
                if temper == self.bias:
                    continue
                luck = rng.getrandbits(32)
                tempers = {**self.tempers, **dict.fromkeys(units, temper)}
                both = self._playouts(view, [(self.bias, self.tempers), (self.bias, tempers)], luck)
                if len(both) == 2 and both[1] > both[0] + doubt:
                    self.tempers = tempers
                    self.choice += f", {name} {script}"

    def _spent_up(self) -> bool:
        return self._out_of_time() or (self.think is None and self._spent >= self._most)

    def _out_of_time(self) -> bool:
        return self.told.is_set() or (self.think is not None and time.monotonic() >= self._until)

    def _playout(self, view: View, bias: Temper, tempers: Mapping[str, Temper], luck: int) -> float:
        """What a script leads to by the end of the enemy's reply, the luck of the dice taken out."""
        dice = random.Random(luck)
        position: Position = view.imagine(dice)
        doctrine = doctrine_of(view.game.id)
        side, end = view.side, view.turn + doctrine.horizon(view)
        seats: dict[str, StaffPlayer] = {name: StaffPlayer() for name in position.game.sides}
        for seat in seats.values():
            seat.imagined = True
        seats[side].bias, seats[side].tempers = dict(bias), dict(tempers)
        mine = view.phase.id
        odds = Luck(side)
        for _ in range(LONGEST if self.think is not None else min(LONGEST, self.nodes)):
            mover = position.to_move
            replied = position.turn >= end and position.phase.id == mine
            if mover is None or replied or position.turn > end or self._out_of_time():
                break
            if mover == CHANCE:
                occasion = doctrine.occasion(position)
                roll = position.legal.random(dice if occasion is None else random.Random(f"{luck} {occasion}"))
                odds.total += doctrine.luck(position, roll, side)
                position = position.play(roll)
                odds.rolled(position)
            else:
                order = seats[mover].choose(position.view(mover), dice)
                odds.ordered(position, order)
                position = position.play(order)
            self._spent += 1
        judged = doctrine.judge(position, side)
        return (evaluate(position, side) if judged is None else judged) - odds.total


class Luck:
    """What the dice of a playout gave one side above the exact mean of each attack and overrun."""

    def __init__(self, side: str) -> None:
        self.side = side
        self.total = 0.0
        self._targets: tuple[str, ...] = ()
        self._units: list[str] = []
        self._above: dict[str, float] = {}
        """For each result of the attack under way how far it lies above the mean, for our side."""

    def ordered(self, position: Position, order: Order) -> None:
        """Follow an attack as it is composed; weigh its results when it is made."""
        role = position.game.role(order)
        if role is Role.AIM:
            self._targets, self._units = order.hexes, []
        elif role is Role.JOIN:
            self._units += order.units
        elif role is Role.COMMIT:
            self._weigh(position, order, self._units, self._targets)
        elif role is Role.STRIKE and Role.GO in position.game.opens(position.phase):
            self._weigh(position, order, order.units, order.hexes)

    def _weigh(self, position: Position, order: Order, units: Sequence[str], targets: Sequence[str]) -> None:
        mover = position.to_move
        assert mover is not None
        try:
            explanation = position.explain(order)
        except LadogaError:
            self._above = {}
            return
        situation = Situation(position, mover)
        ours = [situation.pieces[unit] for unit in units if unit in situation.pieces]
        worths = by_result(situation, explanation, ours, targets)
        mean = sum(float(probability) * worths[code][0] for code, probability in explanation.results)
        sign = 1.0 if mover == self.side else -1.0
        self._above = {code: sign * (worth - mean) for code, (worth, _) in worths.items()}

    def rolled(self, position: Position) -> None:
        """Take out what a roll gave."""
        if not self._above:
            return
        for event in position.events:
            if isinstance(event.fact, Result) and event.fact.code in self._above:
                self.total += self._above[event.fact.code]
                self._above = {}
                return


def _distinct(values: Mapping[str, float]) -> list[str]:
    """Scripts that did not come to the same as an earlier one on the same luck: those fight alike."""
    first = {value: script for script, value in reversed(list(values.items()))}
    return [script for script, value in values.items() if first[value] == script]


def _scripts(view: View) -> dict[str, Temper]:
    """What to try besides the staff's way."""
    known = doctrine_of(view.game.id).scripts(view.side) or SCRIPTS
    return {name: dict(temper) for name, temper in known.items()}


def _parts(situation: Situation) -> dict[str, list[str]]:
    """The parts of an army that may fight in their own way: formations, else three wings by marching distance."""
    pieces = situation.of(situation.side)
    formations = sorted({p.formation for p in pieces if p.formation})
    parts = {f"formation {name}": [p.id for p in pieces if p.formation == name] for name in formations}
    if parts:
        return parts
    pieces.sort(key=lambda p: (situation.far(p.hex), p.id))
    third = -(-len(pieces) // 3) or 1
    return {
        name: [p.id for p in pieces[n * third : (n + 1) * third]] for n, name in enumerate(("head", "middle", "tail"))
    }
