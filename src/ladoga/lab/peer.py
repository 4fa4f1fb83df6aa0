"""One program at a duel: a process that keeps its own position and answers for its player, a JSON line each.

This file is run by path (``python -P peer.py``) with the source folder of the program that plays first on the path,
which may be that of another commit. It therefore asks nothing of Ladoga but what every version has: ``load_game``,
``start``, ``play``, ``view``, ``why_not`` and ``make``.

Asked and answered:

    {"do": "start", "game", "scenario", "options", "side", "player", "seed", "index", "think"} -> {}
    {"do": "follow", "orders": [[text, turn, phase], ...]} -> {"at": [turn, phase, who is to move]}
    {"do": "choose", "orders": [[text, turn, phase], ...], "side", "at": [turn, phase]} -> {"order", "reason", "cpu"}

Every order comes with the turn and phase in which it was given. A program that has closed a phase by itself is not told
of its end, and answers {"ahead": true} when it is asked for an order in a phase that is over for it; one that waits for
the end of a phase which passes by itself elsewhere ends it.

An order that this program's rules refuse is answered with {"refused": why, "order": text}; what breaks, with
{"error": text}. ``cpu`` is what the decision took. A side's time is counted by the player-turn, all its decisions in a
turn of the game; players who think more than once in it get so much less each time.
"""

from __future__ import annotations

import json
import random
import sys
import time
import types
from typing import Any

QUICK = 0.02
"""A player is never told to think less than this."""
MOST_ENDS = 4
"""Phases in a row that one program passes over and another waits in."""
STEADY = 0.5
"""How much of what was known of a player's spending stays when another turn is over."""


def cpu_clock() -> types.SimpleNamespace:
    """A clock for players in which only their own work counts."""
    return types.SimpleNamespace(
        monotonic=time.process_time, perf_counter=time.process_time, process_time=time.process_time, time=time.time
    )


def give_clock(clock: Any, instead_of: Any = time) -> None:
    """Let the players read another clock, such as processor time, so that a busy machine takes nothing from them."""
    for name, module in list(sys.modules.items()):
        if name.startswith("ladoga.players") and vars(module).get("time") is instead_of:
            vars(module)["time"] = clock


class Allowance:
    """How long a player may think at each decision so that its player-turns come to what it is given, at a duel and at
    a table."""

    def __init__(self, given: float) -> None:
        self.given = given
        self.ratio = 1.0
        """What a player-turn took, for each second the player was told to think."""
        self.turns = 0
        self.total = 0.0
        self.told = given
        self._turn: int | None = None
        self._spent = 0.0

    def think(self, turn: int) -> float:
        """What to tell the player in this turn."""
        if turn != self._turn:
            self.close()
            self._turn = turn
            owed = self.given * (self.turns + 1) - self.total
            self.told = max(QUICK, min(self.given, max(owed, self.given / 4)) / self.ratio)
        return self.told

    def spend(self, seconds: float) -> None:
        """A decision took so long."""
        self._spent += seconds

    def used(self, more: float = 0.0) -> float:
        """The share of the player-turn's time that is used up, with the seconds that are not counted yet."""
        return min(1.0, (self._spent + more) / (self.told * self.ratio))

    def close(self) -> None:
        """A player-turn is over."""
        if self._turn is None:
            return
        self.turns += 1
        self.total += self._spent
        seen = min(max(self._spent / self.told, 1.0), 100.0)
        self.ratio = STEADY * self.ratio + (1 - STEADY) * seen if self.turns > 1 else seen
        self._turn, self._spent = None, 0.0


class Peer:
    """A position, and a player for the sides this program plays."""

    def __init__(self) -> None:
        self.position: Any = None
        self.player: Any = None
        self.rng = random.Random(0)
        self.clock = cpu_clock()
        self.known: dict[tuple[Any, ...], float] = {}
        """For each game, side and player how it spends its time, from game to game."""
        self.key: tuple[Any, ...] = ()
        self.allowance: Allowance | None = None

    def start(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Set a game up."""
        from ladoga.kernel.game import load_game
        from ladoga.players import make

        self.keep()
        game = load_game(asked["game"])
        self.position = game.start(asked["scenario"], asked["options"])
        think = asked["think"]
        self.player = make(asked["player"], seed=asked["seed"], think=think)
        self.rng = random.Random(f"{asked['seed']}:{asked['index']}:{asked['side']}")
        self.key = (asked["game"], asked["side"], asked["player"], think)
        self.allowance = None
        if think is not None:
            self.allowance = Allowance(think)
            self.allowance.ratio = self.known.get(self.key, 1.0)
        return {}

    def keep(self) -> None:
        """Remember for the next game how the player spends its time."""
        if self.allowance is not None:
            self.allowance.close()
            self.known[self.key] = self.allowance.ratio

    def follow(self, orders: list[list[Any]]) -> dict[str, Any] | None:
        """Play what was ordered and rolled; the refusal, if our rules do not have it."""
        for text, turn, phase in orders:
            if (self.position.turn, self.position.phase.id) != (turn, phase):
                if text.split()[0] == "end":
                    continue  # this program has closed the phase by itself
                self.catch_up(turn, phase)
            if text == "end" and self.position.to_move == "chance":
                continue  # it has closed the phase, and the dice of its end are to be rolled
            refusal = self.position.why_not(text)
            if refusal is not None:
                return {"refused": str(refusal), "order": text}
            self.position = self.position.play(text)
        return None

    def catch_up(self, turn: int, phase: str) -> bool:
        """End phases that have passed elsewhere, if that leads to the phase that is played."""
        position = self.position
        for _ in range(MOST_ENDS):
            if (position.turn, position.phase.id) == (turn, phase):
                self.position = position
                return True
            if position.to_move is None or position.why_not("end") is not None:
                return False
            position = position.play("end")
        return False

    def choose(self, side: str, turn: int, phase: str) -> dict[str, Any]:
        """The player's order."""
        if (self.position.turn, self.position.phase.id) != (turn, phase) and not self.catch_up(turn, phase):
            return {"ahead": True}
        if self.position.to_move != side:
            return {"ahead": True}
        if self.allowance is not None:
            give_clock(self.clock)  # what a game needs may be imported with its first decision
            self.player.think = self.allowance.think(self.position.turn)
        view = self.position.view(side)
        started = time.process_time()
        order = self.player.choose(view, self.rng)
        spent = time.process_time() - started
        if self.allowance is not None:
            self.allowance.spend(spent)
        return {"order": str(order), "reason": self.player.reason, "cpu": spent}

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """One line."""
        if asked["do"] == "start":
            return self.start(asked)
        refused = self.follow(asked["orders"])
        if refused is not None:
            return refused
        if asked["do"] == "choose":
            return self.choose(asked["side"], *asked["at"])
        now = self.position
        return {"at": [now.turn, now.phase.id, now.to_move]}


def main() -> None:
    """Answer until the other side hangs up."""
    peer, out = Peer(), sys.stdout
    sys.stdout = sys.stderr  # what a player might print is no answer
    for line in sys.stdin:
        try:
            answer = peer.answer(json.loads(line))
        except Exception as problem:  # a program that breaks loses its game, it does not end the match
            answer = {"error": f"{type(problem).__name__}: {problem}"}
        out.write(json.dumps(answer) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
