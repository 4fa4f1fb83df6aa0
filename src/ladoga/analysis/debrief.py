"""A debrief: how a game went, where it turned, and whether by decision or by luck.

The curve is the score had the game ended there. Its swings are the turning points. What word a turning point gets is
found by playing the other way out: the order is compared with the staff's own choice at that moment, on exact odds,
and where the other side let it happen, that side's last turn is played again by the staff to see whether it still
could. All of that is bounded: so many turning points, so many orders, so many seconds.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ..kernel.errors import LadogaError
from ..kernel.game import Game
from ..kernel.names import Names, labelled, several
from ..kernel.orders import Order, Role
from ..kernel.position import CHANCE, Outcome, Position
from ..kernel.record import Record
from ..players import make
from ..players.judgement import after, evaluate
from ..players.tuning import tuning
from .fights import MARCHING, Fight, Reading, steps_of
from .luck import Weighed

__all__ = ["Debrief", "Deed", "Moment", "Pin", "debriefed"]

PINS = 6
"""Turning points, at most."""
SWING = 0.1
"""Part of the range of the curve under which a swing is none."""
AFTERMATH = frozenset({Role.LOSE, Role.RETREAT, Role.ADVANCE, Role.WAIT, Role.CHOOSE, Role.SUPPORT})
"""What is done with the outcome of a fight."""
REPLAYED = 90
"""Orders in which a turn is played again, at most."""
EPSILON = 0.5
"""How much worse than the staff's choice an order may be and still be good, in points of the staff's judgement."""
SHOWN = 3
NAMED = 4
"""Units in a fight that are called by their names."""


class Moment(NamedTuple):
    """A step of the curve: from this event on the score is so much.

    >>> Moment(12, 2, "German combat", 3.0, "draw").score
    3.0
    """

    n: int
    turn: int
    phase: str
    score: float
    level: str


class Pin(NamedTuple):
    """A turning point.

    >>> Pin(40, 3, "german", "luck", "A six", "The ridge fell at one in six", 4.0).kind
    'luck'
    """

    n: int
    turn: int
    side: str
    """Whose decision or luck it was."""
    kind: str
    """``good``, ``luck``, ``bad luck``, ``missed`` or ``blunder``."""
    title: str
    text: str
    swing: float
    hex: str = ""


class Deed(NamedTuple):
    """An attack among the best or the worst of a game: what it promised, what it brought.

    >>> deed = Deed(40, 3, "german", "Attack on 0403", 0.5, 2.0, 0.16, "-/2", "0403")
    >>> deed.got - deed.expected
    1.5
    """

    n: int
    turn: int
    side: str
    title: str
    expected: float
    got: float
    chance: float
    result: str
    hex: str = ""


@dataclass
class Debrief:
    """A whole game, told.

    >>> from ladoga.kernel.record import Record
    >>> from ladoga.lab import Match, play_match
    >>> record = Record.parse(play_match(Match("tijvin-1941", {}, seed=1), 0, keep_record=True).record)
    >>> told = debriefed(record, seconds=0.2)
    >>> told.over, told.last, told.verdict
    (True, 15, 'Soviet strategic victory')
    """

    game: str
    title: str
    scenario: str
    sides: tuple[str, ...]
    players: dict[str, str]
    verdict: str
    summary: str
    events: int
    turns: int
    last: int
    """The last turn that was played."""
    over: bool
    curve: list[Moment] = field(default_factory=list)
    pins: list[Pin] = field(default_factory=list)
    losses: dict[int, dict[str, int]] = field(default_factory=dict)
    """Steps lost, by turn and side."""
    attacks: int = 0
    luck: dict[str, float] = field(default_factory=dict)
    """In steps, by side."""
    spread: float = 0.0
    """Two games in three stay within this much luck."""
    best: list[Deed] = field(default_factory=list)
    worst: list[Deed] = field(default_factory=list)
    luckiest: list[Deed] = field(default_factory=list)
    unluckiest: list[Deed] = field(default_factory=list)

    @property
    def score(self) -> float:
        """The score at the end, for the first side."""
        return self.curve[-1].score if self.curve else 0.0

    def lost(self, side: str) -> int:
        """Steps that a side lost in all."""
        return sum(by.get(side, 0) for by in self.losses.values())


def debriefed(record: Record, game: Game | None = None, seconds: float = 15.0) -> Debrief:
    """The debrief of a record.

    >>> from ladoga.kernel.record import Record
    >>> from ladoga.lab import Match, play_match
    >>> record = Record.parse(play_match(Match("tijvin-1941", {}, seed=1), 0, keep_record=True).record)
    >>> debriefed(record, seconds=0.2).turns
    15
    """
    return told(record.start(game), record.orders, record.header.players, seconds)


def told(
    start: Position, orders: Iterable[Order], players: dict[str, str] | None = None, seconds: float = 15.0,
    outcome: Outcome | None = None,
) -> Debrief:  # fmt: skip
    """The debrief of a game, from its first position and its orders; ``outcome`` where the players ended it."""
    story = _Story(start)
    for order in orders:
        story.take(order)
    return story.debrief(players or {}, outcome, time.monotonic() + seconds)


class _Story:
    """A game read order by order."""

    def __init__(self, start: Position) -> None:
        self.game = start.game
        self.sides = tuple(self.game.sides)
        self.reading = Reading()
        self.names = Names()
        self.names.look(start.table().counters)
        self.positions: list[Position] = [start]
        self.orders: list[Order] = []
        self.movers: list[str] = []
        self.scores: list[float] = [self.score(start)]
        self.steps = steps_of(start)
        self.losses: dict[int, dict[str, int]] = {}

    def score(self, position: Position) -> float:
        """The score had it ended there, for the first side."""
        outcome = position.outcome or position.standing
        return float(sum(e.points if e.side == self.sides[0] else -e.points for e in outcome.ledger))

    def take(self, order: Order) -> None:
        """The next order or outcome."""
        before = self.positions[-1]
        mover = before.to_move or ""
        now = before.play(order)
        self.reading.take(len(self.orders) + 1, before, now, order, mover)
        self.positions.append(now)
        self.orders.append(order)
        self.movers.append(mover)
        self.scores.append(self.score(now))
        if mover == CHANCE or self.game.role(order) not in MARCHING or now.phase != before.phase:
            steps = steps_of(now)
            for side in self.sides:
                fewer = self.steps.get(side, 0) - steps.get(side, 0)
                if fewer > 0:
                    by = self.losses.setdefault(before.turn, {})
                    by[side] = by.get(side, 0) + fewer
            self.steps = steps

    # The report -----------------------------------------------------------------------------------

    def debrief(self, players: dict[str, str], ended: Outcome | None, until: float) -> Debrief:
        """What is to be told."""
        start, last = self.positions[0], self.positions[-1]
        outcome = ended or last.outcome
        final = outcome or last.standing
        results = tuning(self.game.id).results
        weighed = [Weighed(fight, results) for fight in self.reading.fights if fight.n]
        self.names.look(last.table().counters)
        found = Debrief(
            self.game.id, self.game.title, start.scenario, self.sides, players,
            _verdict(final.words) if outcome else f"So far: {_verdict(final.words)}",
            _summed(last.standing if not final.ledger else final, self.sides[0], self.names.known), len(self.orders),
            self.game.scenarios[start.scenario].turns, last.turn, outcome is not None, self._curve(),
        )  # fmt: skip
        found.losses = self.losses
        found.attacks = len(weighed)
        for side in self.sides:
            found.luck[side] = round(sum(w.luck * (1 if w.fight.side == side else -1) for w in weighed), 2)
        found.spread = round(sum(w.variance for w in weighed) ** 0.5, 2)
        by_plan = sorted(weighed, key=lambda w: -w.expected)
        by_luck = sorted(weighed, key=lambda w: -w.luck)
        found.best = [self._deed(w) for w in by_plan[:SHOWN] if w.expected > 0]
        found.worst = [self._deed(w) for w in by_plan[: -SHOWN - 1 : -1] if w.expected < 0]
        found.luckiest = [self._deed(w) for w in by_luck[:SHOWN] if w.luck > 0]
        found.unluckiest = [self._deed(w) for w in by_luck[: -SHOWN - 1 : -1] if w.luck < 0]
        found.pins = self._pins(until)
        return found

    def _deed(self, weighed: Weighed) -> Deed:
        fight = weighed.fight
        return Deed(
            fight.n, fight.turn, fight.side, self._fight_words(fight), round(weighed.expected, 2),
            round(weighed.got, 2), fight.chances.get(fight.code, 0.0), fight.code,
            fight.hexes[-1] if fight.hexes else "",
        )  # fmt: skip

    def _fight_words(self, fight: Fight) -> str:
        units = self._called(fight.units) if fight.units else fight.side.title()
        where = self._place(fight.hexes[-1]) if fight.hexes else ""
        at = f" at {fight.column}" if fight.column else ""
        return f"{units} against {where}{at}" if where else f"{fight.told.title}{at}"

    def _called(self, units: tuple[str, ...]) -> str:
        """A few units by name, more of them by number."""
        return several(self.names.known.get(u, u) for u in units) if len(units) <= NAMED else f"{len(units)} units"

    def _place(self, number: str) -> str:
        game_map = self.positions[0].map
        name = game_map.names.get(game_map.grid.hex(number), "") if number in game_map.grid else ""
        return f"{name} {number}" if name else number

    def _curve(self) -> list[Moment]:
        """The score where it changes, and at the beginning of every turn."""
        found: list[Moment] = []
        for n, (position, score) in enumerate(zip(self.positions, self.scores, strict=True)):
            if not found or score != found[-1].score or position.turn != found[-1].turn:
                level = (position.outcome or position.standing).words
                found.append(Moment(n, position.turn, position.phase.title, score, level))
        return found

    # Turning points -------------------------------------------------------------------------------

    def _swings(self) -> list[tuple[float, int]]:
        """Changes of the score, those of one way in one phase together, at the event that changed it most; what moves
        undo that they have done in the same phase is no change."""
        found: list[tuple[float, int, float, object]] = []
        for n in range(1, len(self.scores)):
            change = self.scores[n] - self.scores[n - 1]
            if not change:
                continue
            here = (self.positions[n - 1].turn, self.positions[n - 1].phase)
            if found and found[-1][3] == here and found[-1][0] * change > 0:
                total, at, most, _ = found[-1]
                at, most = (n, abs(change)) if abs(change) > most else (at, most)
                found[-1] = (total + change, at, most, here)
            elif found and found[-1][3] == here and CHANCE not in (self.movers[n - 1], self.movers[found[-1][1] - 1]):
                total, at, most, _ = found.pop()
                if total + change:
                    found.append((total + change, at if abs(total) > abs(change) else n, max(most, abs(change)), here))
            else:
                found.append((change, n, abs(change), here))
        return [(total, at) for total, at, _, _ in found]

    def _pins(self, until: float) -> list[Pin]:
        span = max(self.scores) - min(self.scores)
        swings = [s for s in self._swings() if span and abs(s[0]) >= SWING * span]
        swings = sorted(sorted(swings, key=lambda s: -abs(s[0]))[:PINS], key=lambda s: s[1])
        pins = []
        for k, (swing, n) in enumerate(swings):
            left = max(0.2, (until - time.monotonic()) / (len(swings) - k))
            pins.append(self._pin(swing, n, time.monotonic() + left))
        return pins

    def _pin(self, swing: float, n: int, until: float) -> Pin:
        fight = next((f for f in reversed(self.reading.fights) if f.n and f.began <= n and self._of(f, n)), None)
        decided = fight.began if fight else self._decision(n)
        mover = self.movers[decided - 1]
        good = (swing > 0) == (mover == self.sides[0])
        turn = self.positions[n - 1].turn
        hex_ = (fight.hexes or ("",))[-1] if fight else (self.orders[decided - 1].hexes or ("",))[-1]
        title = f"Turn {turn}: {self._what(n, hex_)}"
        side, kind, text = self._judged(decided, n, mover, good, fight, until)
        return Pin(n, turn, side, kind, title, text, swing, hex_)

    def _of(self, fight: Fight, n: int) -> bool:
        """Whether an event still belongs to a fight and its outcome."""
        return all(
            self.movers[k] == CHANCE or self.game.role(self.orders[k]) in AFTERMATH for k in range(fight.n, n)
        )  # fmt: skip

    def _decision(self, n: int) -> int:
        """The last order of a side up to an event."""
        while n > 1 and self.movers[n - 1] == CHANCE:
            n -= 1
        return n

    def _what(self, n: int, hex_: str) -> str:
        """Which lines of the ledger changed, in words."""
        before, now = (_lines(self.positions[k]) for k in (n - 1, n))
        changed = [label for label in dict.fromkeys([*now, *before]) if now.get(label, 0) != before.get(label, 0)]
        if changed:
            words = labelled(changed[0], self.names.known)
            return words if now.get(changed[0]) else f"{words}, no longer"
        return self._place(hex_) if hex_ else self.positions[n - 1].phase.title

    def _judged(
        self, decided: int, n: int, mover: str, good: bool, fight: Fight | None, until: float
    ) -> tuple[str, str, str]:
        """Whose it was, the word for it, and why."""
        before, order = self.positions[decided - 1], self.orders[decided - 1]
        if fight is not None:
            chance = fight.chances.get(fight.code, 0.0)
            said = f"{self._fight_words(fight)}: {fight.code}, {100 * chance:.1f} %"
            promise = after(before, order, mover)
            luck = evaluate(self.positions[fight.n], mover) - promise
            short = self._short(before, order, mover, promise)
            if abs(luck) > max(EPSILON, short) and (luck > 0) == good and chance < 0.5:
                return mover, "luck" if good else "bad luck", said
            if good or short <= EPSILON:
                return mover, "good" if good else "bad luck", said
            return mover, "blunder", f"{said}; the staff would have done better by {short:.1f}"
        words = f"{self._called(order.units)} " if order.units else ""
        where = f"to {self._place(order.hexes[-1])}" if order.hexes else order.verb
        said = f"{words}{where}"
        if self.game.role(order) is Role.END:
            said = f"counted at the end of {before.phase.title}"
            mover = mover if good else next(s for s in self.sides if s != mover)
            good = True
        if good:
            victim = next(s for s in self.sides if s != mover)
            if self._avoidable(victim, decided, n, until):
                let = f"let {words}get {where}" if order.hexes else said
                return victim, "missed", f"{let}; the staff's own last turn leaves no way to it"
            return mover, "good", said
        short = self._short(before, order, mover, None)
        if short > EPSILON:
            return mover, "blunder", f"{said}; the staff would have done better by {short:.1f}"
        return mover, "bad luck", f"{said}; there was nothing much better"

    def _short(self, before: Position, order: Order, mover: str, promise: float | None) -> float:
        """How much better the staff's own choice would have been, on average."""
        try:
            other = make("staff").choose(before.view(mover), random.Random(0))
            if other == order:
                return 0.0
            mine = after(before, order, mover) if promise is None else promise
            return max(0.0, after(before, other, mover) - mine)
        except LadogaError:
            return 0.0

    def _avoidable(self, victim: str, decided: int, n: int, until: float) -> bool:
        """Whether the order that did it could not have been given, or would have gained less than half, had the staff
        played the last movement of the side that suffers from it."""
        first = self._last_movement(victim, decided)
        if first is None:
            return False
        position, phase = self.positions[first], self.positions[first].phase
        player, rng = make("staff"), random.Random(0)
        for _ in range(REPLAYED):
            if position.phase != phase or position.to_move is None or time.monotonic() > until:
                break
            if position.to_move == CHANCE:
                position = position.play(position.legal.random(rng))
            elif position.to_move == victim:
                position = position.play(player.choose(position.view(victim), rng))
            else:
                break
        for k in range(first, decided - 1):
            if time.monotonic() > until:
                return False
            if self.positions[k].phase == phase:
                continue
            if position.why_not(self.orders[k]) is None:
                position = position.play(self.orders[k])
        change = self.scores[n] - self.scores[n - 1]
        order = self.orders[decided - 1]
        if position.to_move != self.movers[decided - 1] and self.game.role(order) is not Role.END:
            return False
        if position.why_not(order) is not None:
            return True
        return abs(self.score(position.play(order)) - self.score(position)) < 0.5 * abs(change)

    def _last_movement(self, side: str, decided: int) -> int | None:
        """Where the last phase began in which a side could move, before an event."""
        end = next((k for k in range(decided - 1, -1, -1) if self.movers[k] == side
                    and self.game.role(self.orders[k]) is Role.GO), None)  # fmt: skip
        if end is None:
            return None
        first = end
        while first > 0 and self.positions[first - 1].phase == self.positions[end].phase:
            first -= 1
        return first


def _verdict(words: str) -> str:
    """A level of victory as a whole sentence has it.

    >>> _verdict("Soviet tactical"), _verdict("Soviet: decisive victory"), _verdict("Soviet: by resignation")
    ('Soviet tactical victory', 'Soviet decisive victory', 'Soviet victory by resignation')
    """
    words = re.sub(r"^(\w+): (?=(?:by|on) )", r"\1 victory ", words)
    words = re.sub(r"^(\w+): (?=[a-z])", r"\1 ", words)
    return re.sub(r"^(\w+ (?:tactical|strategic|decisive|marginal|substantive|major|minor))$", r"\1 victory", words)


def _lines(position: Position) -> dict[str, float]:
    """The ledger of a position: label to points."""
    outcome = position.outcome or position.standing
    found: dict[str, float] = {}
    for entry in outcome.ledger:
        found[entry.label] = found.get(entry.label, 0.0) + float(entry.points)
    return found


def _summed(outcome: Outcome, first: str, known: Mapping[str, str]) -> str:
    """The sum in one sentence: the lines that weigh most."""
    sums: dict[tuple[str, str], float] = {}
    for entry in outcome.ledger:
        key = (entry.side, entry.label)
        sums[key] = sums.get(key, 0.0) + float(entry.points)
    ranked = sorted(sums.items(), key=lambda each: -abs(each[1]))
    total = sum(points if side == first else -points for (side, _), points in sums.items())
    parts = ", ".join(f"{labelled(label, known)}: {points:+g} {side.title()}" for (side, label), points in ranked[:3])
    parts += f", and {len(ranked) - 3} more" if len(ranked) > 3 else ""
    score = f"{total:+g}" if total else "0"
    return f"Score {score} for the {first.title()}s{': ' if parts else ''}{parts}".replace("-", "−") + "."
