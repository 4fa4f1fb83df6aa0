"""Play in the terminal: typed orders with completion, everything announced in words.

This is also the mode for screen readers: one line in, a few plain lines out.
"""

from __future__ import annotations

import random
import secrets
import sys
from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from .. import __version__, players
from ..kernel.asking import asked
from ..kernel.chance import Dice
from ..kernel.errors import LadogaError
from ..kernel.files import write_whole
from ..kernel.game import Game, game_ids, load_game
from ..kernel.names import Names
from ..kernel.orders import Order
from ..kernel.position import CHANCE, OBSERVER, Position, View, reveals
from ..kernel.record import Header, Record
from ..players.cores import every_core
from ..server import data_home
from .commands import in_words, named_players, reckoning, settled

HUMAN = "human"
USUAL = "staff"
"""Who plays the second side if nobody is named for it; the first is a person's."""

HELP = """Type an order, for example: move 1/41+6/41 0312
  legal [UNIT]    orders you may give, all or for one unit
  stack HEX       who is in a hex, and its terrain
  units           your units
  reach UNITS     where units can go, with points left
  supply UNIT     a unit's line of supply
  odds ORDER      an attack in numbers before you make it
  why ORDER       why an order is illegal
  rule CASE       a case of the rules, or a chapter with all its cases
  score           the victory ledger if the game ended now
  undo            take back your last order, until dice fall or the other side moves
  save FILE       save the position
  quit            leave; the record is kept and can be continued"""


class Table:
    """A game in the terminal."""

    def __init__(
        self, record: Record, position: Position, file: Path, dice: Dice, seats: Mapping[str, str],
        think: float | None, cores: int = 1,
    ) -> None:  # fmt: skip
        self.record, self.position, self.file, self.dice, self.seats = record, position, file, dice, seats
        self.past: list[Position] = []
        self.rolls = 0
        self.told: tuple[int, str, str] | None = None
        """The turn, phase and side of which it was last said that the computer thinks."""
        self.names: defaultdict[str, Names] = defaultdict(Names)
        self.opponents = {
            side: (
                players.make(name, seed=secrets.randbits(32), think=think, cores=cores),
                random.Random(secrets.randbits(64)),
            )
            for side, name in seats.items()
            if name != HUMAN
        }

    def view(self) -> View:
        """What the side to move may know."""
        return self.position.view(self.position.to_move or OBSERVER)

    def audience(self, mover: str) -> str:
        """Who looks on when somebody moves: he himself, or the one person who plays against computers."""
        seats = self.position.seats
        people = [side for side in self.position.game.sides if seats[side] not in self.opponents]
        if mover in people:
            return mover
        return people[0] if len(people) == 1 else OBSERVER

    def play(self, order: Order) -> None:
        """Play an order, keep it, and say what happened."""
        following = self.position.play(order)
        self.record.add(self.position, order)
        self.past.append(self.position)
        self.record.save(self.file)
        audience = self.audience(self.position.to_move or "")
        names = self.names[audience]
        if not names.known:
            names.look(self.position.view(audience).table().counters)
        seen = following.view(audience)
        names.look(seen.table().counters)
        self.position = following
        for event in seen.events:
            print(f"  {names.tell(event)} [{event.case}]")

    def undo(self) -> None:
        """Take back the last order, if nothing random or foreign came after it."""
        if not self.past:
            print("Nothing to undo.")
            return
        before, mover = self.past[-1], self.position.to_move
        if before.to_move != mover or before.chance is not None or reveals(before, self.position, mover or ""):
            print("That cannot be taken back: dice have fallen, the other side has moved, or something was revealed.")
            return
        self.position = self.past.pop()
        print(f"Taken back: {self.record.take_back()}")
        self.record.save(self.file)

    def chance(self) -> None:
        """Let the committed dice fall."""
        chance = self.position.chance
        assert chance is not None
        order = self.dice.roll(chance, self.rolls)
        self.rolls += 1
        if self.audience(CHANCE) not in chance.hidden_from:
            print(f"  {chance.title}: {' '.join(order.words) or order}")
        self.play(order)

    def computer(self, side: str) -> None:
        """Let the computer move."""
        player, rng = self.opponents[self.position.seats[side]]
        audience = self.audience(side)
        if player.think is not None and self.told != (self.position.turn, self.position.phase.id, side):
            self.told = self.position.turn, self.position.phase.id, side
            print(f"{side} is thinking ...", flush=True)
        view = self.position.view(side)
        reason, order = player.reason, player.choose(view, rng)
        open_table = view.table() == self.position.view(audience).table()
        secret = self.position.sides_open or any(audience in e.hidden_from for e in self.position.play(order).events)
        print(f"{side}: {order.verb if secret else order}")
        if open_table and not secret and player.reason not in ("", reason):
            print(f"    {player.reason}")
        self.play(order)


def play_in_terminal(arguments: Namespace) -> int:
    """Play a game, or go on with a record."""
    table = _resumed(arguments) if arguments.record and arguments.record.exists() else _begun(arguments)
    print(f"{table.position.game.title}. Dice commitment {table.record.header.commitment[:16]}...")
    print(f"The record is kept in {table.file}. Type help for help.")
    try:
        return _lead(table)
    except KeyboardInterrupt:
        print(f"\nUntil next time: ladoga play --terminal --record {table.file}")
        raise


def _lead(table: Table) -> int:
    """Ask and answer until the game is over or somebody leaves."""
    read = _reader(table)
    heading = ""
    while (mover := table.position.to_move) is not None:
        position = table.position
        if f"{position.turn} {position.phase.id}" != heading:
            heading = f"{position.turn} {position.phase.id}"
            print(f"\nTurn {position.turn}, {position.phase.title}")
        if position.chance is not None:
            table.chance()
        elif position.seats[mover] in table.opponents:
            table.computer(mover)
        else:
            line = read(f"{mover}, {_question(table.view())}> ")
            if line is None or line.split()[:1] == ["quit"]:
                print(f"Until next time: ladoga play --terminal --record {table.file}")
                return 0
            _answer(table, line.strip())
    outcome = table.position.outcome
    assert outcome is not None
    table.record.header.seed = table.dice.seed.hex()
    table.record.digest = table.position.digest()
    table.record.save(table.file)
    print(f"\nThe game is over [{outcome.case}].")
    _score(table.view())
    return 0


def _begun(arguments: Namespace) -> Table:
    game = load_game(arguments.game or game_ids()[0], arguments.data)
    seats = named_players(game, arguments, USUAL)
    seats[game.sides[0]] = arguments.seats.get(game.sides[0], HUMAN)
    for name in seats.values():
        players.check(name, HUMAN)
    position = game.start(*settled(game, arguments))
    dice = Dice(secrets.token_bytes(32))
    header = Header(
        game.id, __version__, position.scenario, dict(position.options), seats, dice.commitment, "",
        list(game.changes), overlay=dict(game.overlay),
    )  # fmt: skip
    file = arguments.record or _home() / f"{game.id}-{datetime.now():%Y%m%d-%H%M%S}.ladoga"
    write_whole(_seed_file(file), dice.seed.hex())
    record = Record(header)
    record.save(file)
    return Table(record, position, file, dice, seats, arguments.think, arguments.cores or every_core())


def _resumed(arguments: Namespace) -> Table:
    record = Record.read(arguments.record)
    if arguments.game not in (None, record.header.game):
        raise LadogaError(f"{arguments.record}: a record of {record.header.game}, not of {arguments.game}")
    if not _seed_file(arguments.record).exists():
        raise LadogaError(f"{arguments.record}: the dice seed beside it is missing, so it cannot be continued")
    try:
        dice = Dice(bytes.fromhex(_seed_file(arguments.record).read_text(encoding="ascii")))
    except ValueError:
        raise LadogaError(f"{_seed_file(arguments.record)}: not a dice seed") from None
    if dice.commitment != record.header.commitment:
        raise LadogaError(f"{_seed_file(arguments.record)}: not the dice seed of this record")
    game = record.game(arguments.data)
    table = Table(
        record,
        record.start(game),
        arguments.record,
        dice,
        _seats(record, game),
        arguments.think,
        arguments.cores or every_core(),
    )
    for order, position in record.positions(game):
        if order is not None:
            table.past.append(table.position)
            table.rolls += table.position.chance is not None
            table.position = position
    return table


def _seats(record: Record, game: Game) -> Mapping[str, str]:
    """Who plays in a record that is gone on with."""
    seats = record.header.players
    if set(seats) != set(game.sides) or not set(seats.values()) <= {HUMAN, *players.names()}:
        raise LadogaError("header.players: not a game that was played in the terminal")
    return seats


def _home() -> Path:
    return data_home() / "games"


def _seed_file(record: Path) -> Path:
    return record.with_name(f".{record.name}.seed")


def _reader(table: Table) -> Callable[[str], str | None]:
    """Lines from the keyboard with completion, or plain lines when input is piped."""
    if not sys.stdin.isatty():

        def plain(prompt: str) -> str | None:
            print(prompt, end="", flush=True)
            line = sys.stdin.readline()
            print()
            return line or None

        return plain
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document

    class Orders(Completer):
        """Completes what has been typed, a word at a time."""

        def get_completions(self, document: Document, complete_event: object) -> Any:
            typed = document.text_before_cursor
            for word in completions(table.view(), typed):
                yield Completion(word, start_position=-len(typed.split(" ")[-1]))

    session: PromptSession[str] = PromptSession(completer=Orders())

    def prompted(prompt: str) -> str | None:
        try:
            return session.prompt(prompt)
        except EOFError:
            return None

    return prompted


MOST_COMPLETIONS = 60


def completions(view: View, typed: str) -> list[str]:
    """What the last word typed can become: a question, one of one's units, or the next word of a legal order."""
    word = typed.split(" ")[-1]
    first, space, rest = typed.partition(" ")
    if first in ("legal", "reach", "supply") and space:
        own = (c.id for c in view.table().counters if c.side == view.side and c.hex)
        return [unit for unit in own if unit.startswith(word)]
    typed = rest if first == "odds" and space else typed
    found = dict.fromkeys(known for known in (*QUESTIONS, "help", "undo", "save", "quit") if known.startswith(typed))
    for order in view.legal:
        text = str(order)
        if text.startswith(typed):
            found[text[len(typed) - len(word) :].split(" ")[0]] = None
        if len(found) > MOST_COMPLETIONS:
            break
    return list(found)


def _question(view: View) -> str:
    """What the side to move is asked, without what only a table with a map can mean."""
    what = asked(view).what
    return what[:1].lower() + what[1:]


def _answer(table: Table, line: str) -> None:
    word, _, rest = line.partition(" ")
    position = table.position
    try:
        if not line:
            print(asked(table.view()).what)
        elif word in ("help", "?"):
            print(HELP)
            for verb in position.game.grammar.verbs.values():
                print(f"  {verb.usage:32} {verb.help}")
        elif word == "undo":
            table.undo()
        elif word == "save":
            _save(position, rest.strip())
        elif word in ABOUT and not rest.strip():
            raise LadogaError(next(line.strip() for line in HELP.splitlines() if line.split()[0] == word))
        elif word in QUESTIONS:
            QUESTIONS[word](table.view(), rest.strip())
        else:
            table.play(position.game.parse(line))
    except LadogaError as problem:
        print(f"No: {problem}")


def _save(position: Position, name: str) -> None:
    import yaml

    if not name:
        raise LadogaError("name a file to save to")
    try:
        write_whole(Path(name), yaml.safe_dump(position.document(), sort_keys=False, allow_unicode=True))
    except OSError as problem:
        raise LadogaError(f"{name}: {problem.strerror}") from None
    print(f"Saved to {name}.")


def _legal(view: View, unit: str) -> None:
    orders = view.legal.of(unit) if unit else list(view.legal)
    for order in orders[:200]:
        print(f"  {order}")
    noun = "order" if len(orders) == 1 else "orders"
    print(f"{len(orders)} {noun}" + (", the first 200 shown" if len(orders) > 200 else ""))


def _stack(view: View, number: str) -> None:
    if number not in view.map.grid:
        raise LadogaError(f"there is no hex {number}")
    h = view.map.grid.hex(number)
    places = ", ".join(view.map.places_of(h))
    print(f"{view.map.name_of(h)}: {view.map.terrain_of(h)}{', ' + places if places else ''}")
    seen = view.table()
    for counter in seen.counters:
        if counter.hex == number:
            states = f" ({', '.join(counter.states)})" if counter.states else ""
            print(f"  {counter.side} {counter.id} {counter.symbol} {counter.figures}{states}")
    for marker in seen.markers:
        if marker.hex == number:
            print(f"  {marker.label or marker.kind}")


def _units(view: View, _: str) -> None:
    side = view.side
    for counter in view.table().counters:
        if counter.side == side and counter.hex:
            print(f"  {counter.hex} {counter.id} {counter.symbol} {counter.figures} {' '.join(counter.states)}")


def _reach(view: View, units: str) -> None:
    reach = view.reach(units.split("+"))
    if not reach:
        print(f"{units} can go nowhere.")
    for number, reached in reach.items():
        print(f"  {number}: cost {reached.cost}, {reached.left} left, by {'-'.join(reached.path)}")


def _supply(view: View, unit: str) -> None:
    trace = view.supply(unit)
    way = "-".join(trace.path)
    print(f"In supply by {way}" if trace else f"Out of supply: {trace.message} [{trace.case}]")


def _why(view: View, order: str) -> None:
    refusal = view.why_not(order)
    print("That is legal." if refusal is None else f"{refusal.message} [{refusal.case}]")


def _odds(view: View, order: str) -> None:
    print(in_words(view.explain(order)))


def _rule(view: View, number: str) -> None:
    cases = view.game.cases_of(number)
    if not cases:
        raise LadogaError(f"there is no case {number!r}")
    for each, case in cases.items():
        print(f"{each} {case.title}: {case.text}")


def _score(view: View, _: str = "") -> None:
    print(reckoning(view.standing))


QUESTIONS: dict[str, Callable[[View, str], None]] = {
    "legal": _legal,
    "stack": _stack,
    "units": _units,
    "reach": _reach,
    "supply": _supply,
    "why": _why,
    "odds": _odds,
    "rule": _rule,
    "score": _score,
}

ABOUT = frozenset({"stack", "reach", "supply", "odds", "why", "rule"})
"""The questions that must say what they are about."""
