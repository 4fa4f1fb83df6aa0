"""A match: one game being played, its record so far, and what each audience may see of it.

Nothing here waits or writes. The room works out what an order brings about (``following``), stores
that, and only then lets the match take it in (``advance``).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict, defaultdict
from collections.abc import Generator, Iterable, Iterator
from typing import NamedTuple, cast

from .. import __version__
from ..kernel.asking import phase_words
from ..kernel.chance import Dice
from ..kernel.errors import BadRecord, LadogaError
from ..kernel.game import Game
from ..kernel.names import Names, names_of, several
from ..kernel.orders import END, Order
from ..kernel.position import CHANCE, OBSERVER, Phase, Position, View, reveals
from ..kernel.record import Header, Record, check_engine
from ..kernel.table import Counter, Table
from .shapes import LogEntry, LogLine
from .sight import Faces, Sight
from .store import Happened, Kept, Seat

SNAPSHOT = 24
"""Every how many events a position is kept, for jumping about in the record; as many of the last ones are kept too."""


VISITED = 12
"""How many positions further back are remembered when somebody has looked at them."""
SIGHTS = 8
"""How many sights of positions are remembered, with their tables."""


class Step(NamedTuple):
    """One event and the position it leads to."""

    mover: str
    order: Order
    position: Position


class Undoable(NamedTuple):
    """What the undo button does: events left afterwards and a label, or the reason why not."""

    to: int | None
    text: str


class _Stood(NamedTuple):
    """Where counters stood at a moment, and how many steps each side had on the map."""

    hexes: dict[str, str]
    steps: dict[str, int]

    @classmethod
    def of(cls, counters: Iterable[Counter]) -> _Stood:
        """As they lie on a table."""
        steps: dict[str, int] = {}
        hexes: dict[str, str] = {}
        for counter in counters:
            if counter.hex:
                hexes[counter.id] = counter.hex
                steps[counter.side] = steps.get(counter.side, 0) + counter.steps
        return cls(hexes, steps)

    def moved(self, before: _Stood) -> list[tuple[str, str, str]]:
        """Who went where from where."""
        known = before.hexes
        return [(unit, known[unit], to) for unit, to in self.hexes.items() if known.get(unit, to) != to]

    def lost(self, before: _Stood) -> dict[str, int]:
        """Steps each side has fewer."""
        fewer = {side: had - self.steps.get(side, 0) for side, had in before.steps.items()}
        return {side: count for side, count in fewer.items() if count > 0}


class Match:
    """The truth about one match, in memory."""

    def __init__(
        self, kept: Kept, game: Game, events: Iterable[Happened], seats: list[Seat]
    ) -> None:  # fmt: skip
        self.kept = kept
        self.game = game
        self.chairs = seats
        """Who sat down where at the start."""
        self.dice = Dice(kept.seed)
        check_engine(kept.engine)
        self.start = game.start(kept.scenario, kept.options) if kept.position is None else game.position(kept.position)
        self.position = self.start
        self.before = self.start
        """Where the last action began, or where it led, if it was taken back."""
        self.orders: list[Order] = []
        self.movers: list[str] = []
        self.seqs: list[int] = []
        self.times: list[float] = []
        self._phases_at: list[tuple[int, str]] = []
        """The turn and the phase after each event."""
        self.version = 0
        self._floor = 0
        self._ordered: tuple[Position, str] | None = None
        """Where an action began after which nobody has asked yet how far back undo may go, and whose it was."""
        self.rolls = 0
        self.phases: dict[str, Phase] = {phase.id: phase for phase in game.phases}
        """The sequence of play: as the game lists it, or as it has come about so far."""
        self.reasons: dict[int, str] = {}
        """Why computer players gave the orders that they gave, by the number of the event in the store."""
        self._snapshots: dict[int, Position] = {0: self.start}
        self._stood: dict[tuple[str, int], _Stood] = {}
        """Where each audience saw everybody stand after the last event of its log."""
        self._names: defaultdict[str, Names] = defaultdict(Names)
        """The names that each audience has learned, to read the log with."""
        self._logs: dict[str, list[LogEntry]] = {}
        self._lately: OrderedDict[int, Position] = OrderedDict()
        """The last few positions, by how many events led there."""
        self._visited: OrderedDict[int, Position] = OrderedDict()
        """Others that somebody looked at lately."""
        self._sights: OrderedDict[tuple[int, str], tuple[Position, Sight]] = OrderedDict()
        self._secrecy: tuple[Position | None, bool] = (None, False)
        """The position last looked at for secrets, and whether it has any."""
        self._faces: defaultdict[str, Faces] = defaultdict(dict)
        """The counters as each audience saw them last."""
        self._replay(events)
        self.before = self.at(self._last_action())
        self.version = kept.revision
        self._settle_floor()

    def _replay(self, events: Iterable[Happened]) -> None:
        """Take in what is stored."""
        position = self.position
        for seq, mover, text, at in events:
            order = self.game.parse(text)
            position = position.play(order)
            self._take_in([Step(mover, order, position)], [seq], at)

    @property
    def peace(self) -> set[str]:
        """The sides that offer to end the game as it stands."""
        return set(self.kept.offers.get("peace", ()))

    @property
    def seats(self) -> list[Seat]:
        """Who plays which side now: the rules may have let the players change seats."""
        by_chair = {chair.side: chair for chair in self.chairs}
        return [by_chair[chair]._replace(side=side) for side, chair in self.position.seats.items() if chair in by_chair]

    # The record -------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the match has ended, by the rules or by the players."""
        return self.kept.ended is not None or self.position.to_move is None

    @property
    def to_move(self) -> str | None:
        """The side to order next."""
        return None if self.over else self.position.to_move

    def following(self, order: Order | None) -> list[Step]:
        """What an order brings about: itself, and every chance outcome up to the next decision.
        Without an order, only the chance that the position waits for."""
        steps: list[Step] = []
        position, rolls = self.position, self.rolls
        if order is not None:
            mover = position.to_move or ""
            position = position.play(order)
            steps.append(Step(mover, order, position))
        while (chance := position.chance) is not None:
            outcome = self.dice.roll(chance, rolls)
            position = position.play(outcome)
            rolls += 1
            steps.append(Step(CHANCE, outcome, position))
        return steps

    def advance(self, steps: list[Step], seqs: list[int], now: float = 0.0) -> None:
        """Take in what has been stored."""
        self._floor = self.floor
        self.before = self.position
        self._take_in(steps, seqs, now)
        self.version += 1
        mover = steps[0].mover if steps else ""
        self._ordered = self.before, mover
        if self.position.to_move != mover or any(step.mover == CHANCE for step in steps):
            self._floor, self._ordered = len(self.orders), None

    @property
    def floor(self) -> int:
        """How far back undo may go: to the last chance, change of side or reveal. That an order revealed something is
        looked at when somebody asks."""
        if self._ordered is not None:
            began, mover = self._ordered
            self._ordered = None
            if reveals(began, self.position, mover, self.sight):
                self._floor = len(self.orders)
        return self._floor

    def _take_in(self, steps: list[Step], seqs: list[int], at: float) -> None:
        for step, seq in zip(steps, seqs, strict=True):
            self.orders.append(step.order)
            self.movers.append(step.mover)
            self.seqs.append(seq)
            self.times.append(at)
            self.rolls += step.mover == CHANCE
            self.position = step.position
            phase = step.position.phase
            self.phases.setdefault(phase.id, phase)
            self._phases_at.append((step.position.turn, phase.id))
            if len(self.orders) % SNAPSHOT == 0:
                self._snapshots[len(self.orders)] = step.position
            self._lately[len(self.orders)] = step.position
            if len(self._lately) > SNAPSHOT:
                self._lately.popitem(last=False)

    def _settle_floor(self, known: int = 0, floor: int = 0) -> None:
        """Look how far back undo may go; with the first ``known`` events it was as far as ``floor``."""
        side = self.position.to_move
        first = len(self.orders)
        while first and self.movers[first - 1] == side:
            first -= 1
        begin = max(first, known)
        passed = [self.at(begin), *(after for _, _, after in self.onward(begin))]
        for n in range(len(self.orders), begin, -1):
            if reveals(passed[n - begin - 1], passed[n - begin], side or "", self.sight):
                self._floor = n
                return
        self._floor = max(first, floor)

    def retract(self, to: int) -> None:
        """Take back every event after the first ``to``."""
        self._floor = self.floor
        self.position = self.before = self.at(to)
        self.rolls -= self.movers[to:].count(CHANCE)
        del self.orders[to:], self.movers[to:], self.seqs[to:], self.times[to:], self._phases_at[to:]
        for kept in (self._snapshots, self._lately, self._visited):
            for n in [n for n in kept if n > to]:
                del kept[n]
        for log in self._logs.values():
            while log and log[-1]["n"] > to:
                log.pop()
        if to < self.floor:
            self._settle_floor()
        self.version += 1

    def catch_up(self, kept: Kept, last: int, events: Iterable[Happened]) -> None:
        """Take in what others have done to the match: its events up to number ``last`` still count, then come these."""
        if self.seqs and self.seqs[-1] > last:
            self.retract(bisect_right(self.seqs, last))
        known, floor = len(self.orders), self.floor
        self._replay(events)
        self.before = self.at(self._last_action()) if len(self.orders) > known else self.position
        self.kept, self.version = kept, kept.revision
        self._settle_floor(known, floor)

    def last_of(self, side: str) -> int:
        """The last order of a side that counts, by its number in the store; 0 if there is none."""
        return next(
            (s for s, mover in zip(reversed(self.seqs), reversed(self.movers), strict=True) if mover == side), 0
        )

    def events_until(self, moment: float) -> int:
        """How many events had happened by a moment."""
        return bisect_right(self.times, moment)

    def at(self, n: int) -> Position:
        """The position after ``n`` events."""
        going = self.going_to(n)
        while True:
            try:
                next(going)
            except StopIteration as there:
                return cast(Position, there.value)

    def going_to(self, n: int) -> Generator[None, None, Position]:
        """The position after ``n`` events, come to in small steps; it is remembered for a while."""
        n = max(0, min(n, len(self.orders)))
        nearest = n
        while (position := self._known_at(nearest)) is None:
            nearest -= 1
        if nearest == n:
            return position
        last = self.seqs[n - 1]
        for order in self.orders[nearest:n]:
            position = position.play(order)
            yield
        if n <= len(self.seqs) and self.seqs[n - 1] == last:  # else it was taken back meanwhile
            self._visited[n] = position
            while len(self._visited) > VISITED:
                self._visited.popitem(last=False)
        return position

    def _known_at(self, n: int) -> Position | None:
        if n == len(self.orders):
            return self.position
        return self._lately.get(n) or self._visited.get(n) or self._snapshots.get(n)

    def onward(self, start: int) -> Iterator[tuple[int, Position, Position]]:
        """Every event after the first ``start``, with the positions before and after it."""
        before = self.at(start)
        for n in range(start, len(self.orders)):
            after = self._lately.get(n + 1) or before.play(self.orders[n])
            yield n, before, after
            before = after

    def phase_at(self, n: int) -> tuple[int, str]:
        """The turn and the phase after ``n`` events."""
        return self._phases_at[n - 1] if n else (self.start.turn, self.start.phase.id)

    def last_action(self, n: int | None = None) -> tuple[Position, Position, Order | None]:
        """Where the last action (or event ``n``) began, where it led, and its order."""
        if n is None:
            order = self.orders[self._last_action()] if self.before is not self.position else None
            return self.before, self.position, order
        n = max(0, min(n, len(self.orders)))
        return (self.at(n - 1), self.at(n), self.orders[n - 1]) if n else (self.start, self.start, None)

    def _last_action(self) -> int:
        """How many events there were before the last action."""
        events = len(self.orders) - 1
        while events > 0 and self.movers[events] == CHANCE:
            events -= 1
        return max(0, events)

    def undoable(self, side: str) -> Undoable:
        """What ``side`` may take back now."""
        last = len(self.orders)
        if self.over:
            return Undoable(None, "the game is over")
        if self.kept.kind == "study" and last:
            while last > 1 and self.movers[last - 1] == CHANCE:
                last -= 1
            mover = self.movers[last - 1]
            return Undoable(last - 1, self.words(last - 1) if mover == side else f"the last {mover.title()} order")
        if self.position.to_move != side:
            if side == self.passed:
                return Undoable(last - 1, self.words(last - 1))
            return Undoable(None, "not your move")
        if last > self.floor:
            return Undoable(last - 1, self.words(last - 1))
        if not last:
            return Undoable(None, "nothing to undo")
        if self.movers[-1] == CHANCE:
            return Undoable(None, "dice thrown")
        return Undoable(None, "something revealed" if self.movers[-1] == side else "nothing to undo")

    @property
    def passed(self) -> str | None:
        """The side that has handed the move to the computer, and may take that back: no die was thrown, nothing was
        revealed, and the computer has not ordered yet and forgets what it thought."""
        last = self.movers[-1] if self.movers else None
        computers = [seat.side for seat in self.seats if seat.player]
        if last is None or self.to_move not in computers or last in (CHANCE, *computers):
            return None
        return None if reveals(self.at(len(self.orders) - 1), self.position, last, self.sight) else last

    def words(self, n: int) -> str:
        """The ``n``-th event (from zero) in a few words."""
        order = self.orders[n]
        if order.verb == END.verb:
            phase = self.at(n).phase
            return f"end of {phase_words(phase.title, phase.side)}"
        names = names_of(c for c in self.table(self.at(n), self.movers[n]).counters if c.id in order.units)
        units = several(names.get(unit, unit) for unit in order.units) if order.units else ""
        parts = [order.verb, units, order.hexes[-1] if order.hexes else "", *order.words]
        return " ".join(part for part in parts if part)

    def record(self) -> Record:
        """The whole record; the seed goes with it once the match is over, unless it was begun by a record whose rolls
        are another's."""
        kept = self.kept
        header = Header(
            game=kept.game,
            engine=kept.engine or __version__,
            scenario=self.start.scenario,
            options=dict(self.start.options),
            players={seat.side: seat.player or seat.name or "a player" for seat in self.chairs},
            commitment=self.dice.commitment,
            seed=self.dice.seed.hex() if self.over else "",
            changes=list(self.game.changes),
            position=kept.position,
            overlay=dict(self.game.overlay if kept.overlay is None else kept.overlay),
        )
        digest = self.position.digest() if self.over else ""
        found = Record(header, list(self.orders), digest, list(self.movers))
        if self.over and kept.kind == "study":
            try:
                found.check(self.game)
            except BadRecord:
                header.commitment = header.seed = ""
        return found

    # What an audience sees --------------------------------------------------------------------

    def view(self, audience: str, n: int | None = None) -> Sight:
        """What a side or ``observer`` may know, now or after ``n`` events."""
        return self.sight(self.position if n is None else self.at(n), audience)

    def sight(self, position: Position, audience: str) -> Sight:
        """What an audience sees of a position of this match; the last few are remembered."""
        key = (id(position), audience)
        known = self._sights.get(key)
        if known is not None:
            self._sights.move_to_end(key)
            return known[1]
        others = [sight for other, sight in list(self._sights.values()) if other is position]
        fresh = Sight(position.view(audience), others, self._faces[audience])
        self._sights[key] = position, fresh
        while len(self._sights) > SIGHTS:
            self._sights.popitem(last=False)
        return fresh

    def secret(self, position: Position | None = None) -> bool:
        """Whether there is something now, or in a position that the match comes to, that a side may not know; asked
        once."""
        position = self.position if position is None else position
        if self._secrecy[0] is not position:
            self._secrecy = position, self._hides(position)
        return self._secrecy[1]

    def _hides(self, position: Position) -> bool:
        """Whether the sides see different things, or draws to come are written down."""
        if position.dice:
            return True
        first, second = (self.sight(position, side) for side in self.game.sides[:2])
        if first.sees_as(second):
            return False
        return first.table() != second.table() or first.document() != second.document()

    def table(self, position: Position, audience: str) -> Table:
        """What an audience sees on the table in a position of this match."""
        return self.sight(position, audience).table()

    def unlogged(self, audience: str) -> int:
        """How many events the log of an audience is behind."""
        log = self._logs.get(audience)
        return len(self.orders) - (log[-1]["n"] if log else 0)

    def log(self, audience: str, start: int = 0) -> list[LogEntry]:
        """What happened from the ``start``-th event on, as far as the audience may know."""
        log = self._logs.setdefault(audience, [])
        done = log[-1]["n"] if log else 0
        for n, before, after in self.onward(done):
            log.append(self._entry(audience, n, before, after))
        return [entry for entry in log[start:] if entry["lines"] or entry["text"]]

    def _entry(self, audience: str, n: int, before: Position, after: Position) -> LogEntry:
        mover, order, chance = self.movers[n], self.orders[n], before.chance
        names, seen = self._names[audience], self.sight(after, audience)
        stood = self._stood.get((audience, n))
        if stood is None:
            earlier = self.sight(before, audience).table().counters
            names.look(earlier)
            stood = _Stood.of(earlier)
        counters = seen.table().counters
        names.look(counters)
        now = _Stood.of(counters)
        self._stood = {key: value for key, value in self._stood.items() if key[0] != audience}
        self._stood[audience, n + 1] = now
        entry: LogEntry = {
            "n": n + 1,
            "turn": before.turn,
            "phase": before.phase.title,
            "side": before.phase.side if mover == CHANCE else mover,
            "of": before.phase.side,
            "lines": told(names, seen),
            "text": "",
            "moved": now.moved(stood),
            "lost": now.lost(stood),
        }
        if chance is not None:
            if audience not in chance.hidden_from:
                entry["text"], entry["chance"] = str(order), chance.title
                entry["roll"] = self.movers[:n].count(CHANCE) + 1
        elif mover == audience:
            entry["text"] = str(order)
        return entry

    def last_moves(self, audience: str) -> dict[str, tuple[str, str]]:
        """Where the counters of the side that moved before this one came from and went to."""
        now = self.position.to_move
        end = len(self.orders)
        while end and self.movers[end - 1] in (now, CHANCE):
            end -= 1
        begin = end
        while begin and self.movers[begin - 1] not in (now,):
            begin -= 1
        before = {c.id: c.hex for c in self.view(audience, begin).table().counters}
        after = {c.id: c.hex for c in self.view(audience, end).table().counters}
        return {unit: (before[unit], hex_) for unit, hex_ in after.items() if hex_ and before.get(unit, hex_) != hex_}


def told(names: Names, seen: View) -> list[LogLine]:
    """What the event that led to a position told an audience."""
    return [{"text": names.tell(e), "case": e.case, "kind": e.kind} for e in seen.events]


def audience_of(match: Match, sides: Iterable[str]) -> str:
    """Through whose eyes a person looks at a match."""
    return eyes_of(sides, match.to_move)


def eyes_of(sides: Iterable[str], to_move: str | None) -> str:
    """Through whose eyes a person looks: the side to move if it is theirs, else their own."""
    held = list(sides)
    if not held:
        return OBSERVER
    return to_move if to_move in held else held[0]


def refusal(problem: LadogaError) -> dict[str, str]:
    """An error as the browser gets it."""
    return {"case": getattr(problem, "case", ""), "message": getattr(problem, "message", str(problem))}
