"""Records: a header and one line an event, enough to rebuild every position of a game.

::

    # Ladoga record 1
    game: leningrad-1979
    scenario: campaign
    options: {}
    engine: 0.2.0
    commitment: 9f86d0...
    ---
    1 soviet place i12 1307
    2 german move 1/41 0312
    3 chance die 4
    --- digest 2c26b4...

A record may start from a position document (``position`` in the header) instead of a scenario. Records replay under
the version that made them and every later one, from 0.2.0 on; older ones are refused by the name of their engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from .chance import Dice
from .data import Strict, read_text, shape
from .errors import BadRecord, LadogaError
from .files import write_whole
from .game import Game, as_judged, load_game, version_of
from .orders import Order
from .position import Position

__all__ = ["Header", "Record"]

MAGIC = "# Ladoga record 1"

REPLAYS_SINCE = (0, 2)
"""The first version whose records replay for good."""


class Header(Strict):
    """What a record says before its first event."""

    game: str
    engine: str
    scenario: str = ""
    options: dict[str, Any] = {}
    players: dict[str, str] = {}
    commitment: str = ""
    seed: str = ""
    """The dice seed in hexadecimal, once the game is over."""
    changes: list[str] = []
    """What an owner's overlay changed in the game's data, in words."""
    position: dict[str, Any] | None = None
    overlay: dict[str, Any] = {}
    """The overlay itself, file by file, so that the record replays where the overlay is not."""


@dataclass
class Record:
    """A game as it was played.

    >>> from ladoga.lab import Match, play_match
    >>> text = play_match(Match("tijvin-1941", {}, seed=1), 0, keep_record=True).record
    >>> record = Record.parse(text)
    >>> record.check().outcome.winner, record.text() == text
    ('soviet', True)
    """

    header: Header
    orders: list[Order] = field(default_factory=list)
    digest: str = ""
    """Digest of the last position, when the record has been closed."""
    movers: list[str] = field(default_factory=list, repr=False, compare=False)
    """Who gave each order; found out by replaying them where it is not said."""

    def game(self, data: str | Path | None = None) -> Game:
        """The game this is a record of, with the figures and corrections it was played with unless others are given."""
        header = self.header
        return load_game(header.game, data or as_judged(header.game, header.engine, header.overlay) or None)

    def start(self, game: Game | None = None) -> Position:
        """The first position."""
        game = game or self.game()
        if self.header.position is not None:
            return game.position(self.header.position)
        return game.start(self.header.scenario, self.header.options)

    def positions(self, game: Game | None = None) -> Iterator[tuple[Order | None, Position]]:
        """Every position with the order that led to it; the first comes with ``None``."""
        position = self.start(game)
        yield None, position
        for number, order in enumerate(self.orders, 1):
            try:
                position = position.play(order)
            except LadogaError as problem:
                raise BadRecord(f"{order}: {problem}", path=f"event {number}") from None
            yield order, position

    def last(self, game: Game | None = None) -> Position:
        """The position after the last event."""
        for _, position in self.positions(game):  # noqa: B007  # the last one is wanted
            pass
        return position

    def check(self, game: Game | None = None) -> Position:
        """Replay everything: orders legal, movers right, dice as the seed gives them, digest equal."""
        dice = Dice(_seed(self.header.seed)) if self.header.seed else None
        if dice is not None and self.header.commitment not in ("", dice.commitment):
            raise BadRecord("the seed does not match the commitment", path="header.seed")
        position = self.start(game)
        rolls = 0
        for number, (order, mover) in enumerate(zip(self.orders, self._givers(), strict=True), 1):
            if mover != position.to_move:
                raise BadRecord(f"{position.to_move or 'nobody'} is to move, not {mover}", path=f"event {number}")
            chance = position.chance
            if chance is not None:
                if dice is not None and dice.roll(chance, rolls) != order:
                    raise BadRecord(f"the seed gives {dice.roll(chance, rolls)}, not {order}", path=f"event {number}")
                rolls += 1
            try:
                position = position.play(order)
            except LadogaError as problem:
                raise BadRecord(f"{order}: {problem}", path=f"event {number}") from None
        if self.digest and position.digest() != self.digest:
            raise BadRecord("the last position is not the one the record ends with", path="digest")
        return position

    def text(self) -> str:
        """The record as text."""
        header = {k: v for k, v in _plain(self.header).items() if v not in ("", {}, [], None)}
        lines = [MAGIC, yaml.safe_dump(header, sort_keys=False, allow_unicode=True).rstrip(), "---"]
        for number, (order, mover) in enumerate(zip(self.orders, self._givers(), strict=True), 1):
            lines.append(f"{number} {mover} {order}")
        if self.digest:
            lines.append(f"--- digest {self.digest}")
        return "\n".join(lines) + "\n"

    def save(self, path: Path) -> None:
        """Write the record; the file appears whole or not at all."""
        write_whole(path, self.text())

    @classmethod
    def parse(cls, text: str) -> Record:
        """The record a text holds; errors name the line."""
        lines = text.removeprefix("\ufeff").splitlines()
        if not lines or lines[0].strip() != MAGIC:
            raise BadRecord(f"a record begins with {MAGIC!r}", path="line 1")
        try:
            split = lines.index("---")
        except ValueError:
            raise BadRecord("the header does not end with a line ---") from None
        raw = read_text("\n".join(lines[1:split]), error=BadRecord)
        header = shape(raw, Header, error=BadRecord)
        check_engine(header.engine)
        game = load_game(header.game)
        record = cls(header)
        for at, line in enumerate(lines[split + 1 :], split + 2):
            if not line.strip():
                continue
            if line.startswith("--- digest "):
                record.digest = line.split()[2]
                continue
            if record.digest:
                raise BadRecord("nothing may follow the digest", path=f"line {at}")
            parts = line.split(maxsplit=2)
            if len(parts) != 3 or parts[0] != str(len(record.orders) + 1):
                raise BadRecord(f"expected event {len(record.orders) + 1}: number, side, order", path=f"line {at}")
            try:
                record.orders.append(game.parse(parts[2]))
            except LadogaError as problem:
                raise BadRecord(str(problem), path=f"line {at}") from None
            record.movers.append(parts[1])
        return record

    @classmethod
    def read(cls, path: Path) -> Record:
        """The record in a file; errors name the file."""
        try:
            return cls.parse(path.read_text(encoding="utf-8"))
        except OSError as problem:
            raise BadRecord(problem.strerror or "cannot be read", source=str(path)) from None
        except UnicodeDecodeError:
            raise BadRecord("not UTF-8 text", source=str(path)) from None
        except LadogaError as problem:
            raise located(path, problem) from None

    def add(self, position: Position, order: Order) -> None:
        """Append an order given in a position."""
        self.movers.append(position.to_move or "")
        self.orders.append(order)

    def take_back(self) -> Order:
        """Drop the last order."""
        self.movers.pop()
        return self.orders.pop()

    def _givers(self) -> list[str]:
        if len(self.movers) == len(self.orders):
            return self.movers
        return [position.to_move or "" for _, position in self.positions()][: len(self.orders)]


def check_engine(engine: str) -> None:
    """Refuse the records of versions before the rules were settled.

    >>> check_engine("0.2.0")
    >>> check_engine("0.1.0")
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.BadRecord: engine: played with version 0.1.0; records replay from version 0.2 on
    """
    version = version_of(engine)
    if version is not None and version < REPLAYS_SINCE:
        first = ".".join(map(str, REPLAYS_SINCE))
        raise BadRecord(f"played with version {engine}; records replay from version {first} on", path="engine")


def located(path: Path, problem: LadogaError) -> BadRecord:
    """An error met in reading or replaying a record, naming its file."""
    at, message = getattr(problem, "path", ""), getattr(problem, "message", str(problem))
    return BadRecord(message, path=at, source=str(path))


def _seed(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise BadRecord("expected hexadecimal digits, two for each byte", path="header.seed") from None


def _plain(header: Header) -> dict[str, Any]:
    return {name: getattr(header, name) for name in header.__struct_fields__}
