"""How lucky each side was: every attack's exact odds when it was committed, against what came of it.

An attack is worth the steps it costs the defender less those it costs the attacker, by the code of its
result; a retreat counts as the part of a step that the computer players take it for. Dice that settle
no attack (weather, arrivals, strengths drawn) are counted, not weighed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..kernel.errors import LadogaError
from ..kernel.orders import Order
from ..kernel.position import CHANCE, Event, Explanation, Position
from ..players.attacks import halves
from ..players.tuning import Results, tuning
from .match import Match

SHOWN = 3
"""How many of the luckiest throws and of the unluckiest are named."""


@dataclass
class Attack:
    """An attack that has been committed and waits for its dice."""

    n: int
    turn: int
    side: str
    title: str
    worth: Mapping[str, float]
    """What each result code would be worth to the attacker, in steps."""
    chances: Mapping[str, float]
    steps: dict[str, int]
    """Steps of each side on the map when it was committed."""

    @property
    def expected(self) -> float:
        """Its worth on average."""
        return sum(self.worth[code] * p for code, p in self.chances.items())

    @property
    def variance(self) -> float:
        """How far its worth may stray."""
        mean = self.expected
        return sum((self.worth[code] - mean) ** 2 * p for code, p in self.chances.items())


@dataclass
class Ledger:
    """Every attack of a match, with what it brought."""

    thrown: list[tuple[Attack, str, float]] = field(default_factory=list)
    other: int = 0


def luck(match: Match) -> dict[str, Any]:
    """The luck of both sides in a finished match, and the throws that decided it."""
    ledger = _read(match)
    sides = {}
    for side in match.game.sides:
        own = [(attack, got) for attack, _, got in ledger.thrown if attack.side == side]
        strayed = sum((got - a.expected) * (1 if a.side == side else -1) for a, _, got in ledger.thrown)
        sides[side] = {
            "attacks": len(own),
            "expected": round(sum(attack.expected for attack, _ in own), 2),
            "got": round(sum(got for _, got in own), 2),
            "luck": round(strayed, 2),
        }
    told = [_told(*thrown) for thrown in sorted(ledger.thrown, key=lambda t: t[2] - t[0].expected, reverse=True)]
    return {
        "sides": sides,
        "spread": round(sum(attack.variance for attack, _, _ in ledger.thrown) ** 0.5, 2),
        "best": [throw for throw in told[:SHOWN] if throw["luck"] > 0],
        "worst": [throw for throw in told[: -SHOWN - 1 : -1] if throw["luck"] < 0],
        "other": ledger.other,
    }


def _told(attack: Attack, code: str, got: float) -> dict[str, Any]:
    return {
        "n": attack.n, "turn": attack.turn, "side": attack.side, "title": attack.title, "result": code,
        "chance": round(attack.chances.get(code, 0.0), 4), "expected": round(attack.expected, 2),
        "got": round(got, 2), "luck": round(got - attack.expected, 2),
    }  # fmt: skip


def _read(match: Match) -> Ledger:
    """Go through the record: note every attack, and settle it when its result falls."""
    ledger = Ledger()
    waiting: Attack | None = None
    before = match.start
    aimed: tuple[str, ...] = ()
    joined: list[str] = []
    for n, (order, mover) in enumerate(zip(match.orders, match.movers, strict=True), 1):
        after = before.play(order)
        if mover == CHANCE:
            settled = None if waiting is None else _settled(waiting, after)
            if waiting is not None and settled is not None:
                waiting.n = n
                ledger.thrown.append((waiting, *settled))
                waiting = None
            elif waiting is None:
                ledger.other += 1
        else:
            if order.verb == "target":
                aimed, joined = order.hexes, []
            if order.verb == "add":
                joined += order.units
            found = _weighed(before, order, mover, aimed, joined)
            waiting = found or waiting
        before = after
    return ledger


def _weighed(position: Position, order: Order, side: str, aimed: tuple[str, ...], joined: list[str]) -> Attack | None:
    """The attack that an order commits, by the odds its side could see."""
    if order.verb in ("target", "add"):
        return None
    try:
        told = position.view(side).explain(order)
    except LadogaError:
        return None
    if not told.results:
        return None
    hexes, units = (aimed, joined) if order.verb == "commit" else (order.hexes, list(order.units))
    counters = position.table().counters
    theirs = sum(c.steps for c in counters if c.hex in hexes and c.side != side)
    ours = sum(c.steps for c in counters if c.id in units)
    results = tuning(position.game.id).results
    worth = {code: _worth(results, code, theirs, ours) for code, _ in told.results}
    return Attack(
        0, position.turn, side, _title(told, hexes, units), worth,
        {code: float(p) for code, p in told.results}, _steps(position),
    )  # fmt: skip


def _title(told: Explanation, hexes: tuple[str, ...], units: list[str]) -> str:
    column = max(told.columns, key=lambda c: c[1])[0] if told.columns else ""
    against = f"{', '.join(units)} against {', '.join(hexes)}" if units and hexes else told.title
    return f"{against} at {column}" if column else against


def _worth(results: Results, code: str, theirs: int, ours: int) -> float:
    hit, paid = halves(results, code)
    lost = sum(results.steps.get(part, 0.0) for part in hit)
    return min(lost, float(theirs or lost)) - min(results.steps.get(paid, 0.0), float(ours or 99))


def _steps(position: Position) -> dict[str, int]:
    steps = dict.fromkeys(position.game.sides, 0)
    for counter in position.table().counters:
        if counter.hex:
            steps[counter.side] = steps.get(counter.side, 0) + counter.steps
    return steps


def _settled(attack: Attack, after: Position) -> tuple[str, float] | None:
    """The result that has just fallen, and its worth; ``None`` while dice are still to come."""
    for event in after.events:
        for fact in event.facts:
            if str(fact) in attack.worth:
                return str(fact), attack.worth[str(fact)]
        if event.kind == "casualties" and len(event.facts) == 2:
            return _casualties(attack, event)
    if after.to_move != CHANCE and tuning(after.game.id).results.each:
        now = _steps(after)
        lost = sum(attack.steps[side] - now.get(side, 0) for side in attack.steps if side != attack.side)
        code = min(attack.worth, key=lambda c: abs(attack.worth[c] - lost))
        return code, float(lost)
    return None


def _casualties(attack: Attack, event: Event) -> tuple[str, float]:
    """Losses told as two numbers, the attacker's and the defender's."""
    paid, hit = (str(fact) for fact in event.facts)
    fitting = [c for c in attack.worth if re.match(rf"{hit}R?/{paid}$", c)]
    if fitting:
        code = max(fitting, key=lambda c: attack.chances[c])
        return code, attack.worth[code]
    return f"{hit}/{paid}", float(hit) - float(paid)
