"""The general: tries ways to fight a turn in his mind, to the end of the enemy's reply, and takes the best.

A way to fight (a script) is the staff's method with another temper: bolder, safer, faster, denser. All
scripts are played out against the enemy's staff on the same luck; the better half stays in the race
each round. Then formations try other scripts of their own, one formation after the other.
"""

from __future__ import annotations

import random
import time
from collections.abc import Hashable, Mapping, Sequence

from ..kernel.orders import Order
from ..kernel.position import CHANCE, Position, View
from .judgement import evaluate
from .situation import Situation
from .staff import StaffPlayer, Temper

NODES = 1200
"""Orders played in the mind for one turn, when no time is given."""
LONGEST = 700
"""Orders in one playout at most."""

SCRIPTS: dict[str, Temper] = {
    "as the staff would": {},
    "bold": {"safety": 0.5, "attack": 1.5},
    "fast": {"push": 2.0, "safety": 0.7},
    "safe": {"safety": 2.0, "attack": 0.8},
    "dense": {"cover": 2.0, "push": 0.7},
}


class GeneralPlayer(StaffPlayer):
    """Chooses how to fight each turn by playing it out."""

    name = "general"

    def __init__(self, *, seed: int = 0, think: float | None = None, nodes: int = NODES) -> None:
        super().__init__(seed=seed, think=think)
        self.nodes = nodes
        self._turn: Hashable = None
        self.choice = ""
        self._spent = 0
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
            self.reason = f"{self.choice}; {self.reason}"
            return order
        return super().march(view, orders, rng)

    # Search -------------------------------------------------------------------------------------

    def _think(self, view: View, rng: random.Random) -> None:
        self._spent = 0
        self._until = time.monotonic() + self.think if self.think is not None else 0.0
        self.tempers = {}
        best, value = self._race(view, rng)
        self.choice = f"fights {best}: {value:+.1f}" if best else "no time to think"
        self.bias = dict(SCRIPTS[best]) if best else {}
        self._improve(view, rng, value)

    def _race(self, view: View, rng: random.Random) -> tuple[str, float]:
        """The script that does best on average, the worse half dropping out each round."""
        running = list(SCRIPTS)
        totals = dict.fromkeys(running, 0.0)
        rounds = 0
        while not self._spent_up() and (len(running) > 1 or rounds < 3):
            luck = rng.getrandbits(32)
            values = {script: self._playout(view, SCRIPTS[script], {}, luck) for script in running}
            if self._out_of_time():
                break
            for script, value in values.items():
                totals[script] += value
            rounds += 1
            running.sort(key=lambda script: -totals[script])
            running = running[: max(1, (len(running) + 1) // 2)]
        return (running[0], totals[running[0]] / rounds) if rounds else ("", 0.0)

    def _improve(self, view: View, rng: random.Random, value: float) -> None:
        """Let one formation after the other try a script of its own, while there is time."""
        situation = Situation(view, view.side)
        formations = sorted({p.formation for p in situation.of(view.side) if p.formation})
        for formation in formations:
            for script, temper in SCRIPTS.items():
                if self._spent_up():
                    return
                if temper == self.bias:
                    continue
                luck = rng.getrandbits(32)
                tempers = {**self.tempers, formation: temper}
                before = self._playout(view, self.bias, self.tempers, luck)
                if self._playout(view, self.bias, tempers, luck) > before and not self._out_of_time():
                    self.tempers = tempers
                    self.choice += f", formation {formation} {script}"

    def _spent_up(self) -> bool:
        return self._out_of_time() if self.think is not None else self._spent >= self.nodes

    def _out_of_time(self) -> bool:
        return self.think is not None and time.monotonic() >= self._until

    def _playout(self, view: View, bias: Temper, tempers: Mapping[str, Temper], luck: int) -> float:
        """What a script leads to by the end of the enemy's reply, on one run of luck."""
        dice = random.Random(luck)
        position: Position = view.imagine(dice)
        side, start = view.side, view.turn
        seats: dict[str, StaffPlayer] = {name: StaffPlayer() for name in position.game.sides}
        seats[side].bias, seats[side].tempers = dict(bias), dict(tempers)
        mine = view.phase.id
        for _ in range(LONGEST if self.think is not None else min(LONGEST, self.nodes)):
            mover = position.to_move
            replied = position.turn > start and position.phase.id == mine
            if mover is None or replied or position.turn > start + 1 or self._out_of_time():
                break
            chance = mover == CHANCE
            position = position.play(
                position.legal.random(dice) if chance else seats[mover].choose(position.view(mover), dice)
            )
            self._spent += 1
        return evaluate(position, side)
