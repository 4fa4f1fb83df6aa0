"""Games as tables that anybody can query: games, turns, orders, attacks and losses, in Parquet or JSON Lines.

Everything is read out of records, so a table can be made of games played anywhere: in the laboratory, in the browser,
by hand.
``SCHEMA`` says what each column holds.

>>> SCHEMA["losses"]["steps"]
('int64', 'steps lost')

>>> from ladoga.lab import Match, play_match
>>> match = Match("tijvin-1941", {"german": "random", "soviet": "random"}, seed=1)
>>> tables = rows(Record.parse(play_match(match, 0, keep_record=True).record), "first")
>>> sorted(tables)
['attacks', 'games', 'losses', 'orders', 'turns']
>>> tables["games"][0]["game"], tables["orders"][0]["n"]
('tijvin-1941', 1)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeAlias

from ..analysis.fights import Reading, steps_of
from ..kernel.errors import LadogaError
from ..kernel.position import CHANCE, Position
from ..kernel.record import Record
from .keep import check_parquet
from .simulate import lead

__all__ = ["SCHEMA", "rows", "write"]

Row: TypeAlias = dict[str, Any]

SCHEMA: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "games": {
        "id": ("string", "the name of the game: its file, or its number in a simulation"),
        "game": ("string", "leningrad-1979 and so on"),
        "scenario": ("string", ""),
        "options": ("string", "those that were played, as JSON"),
        "players": ("string", "who played each side, as JSON"),
        "engine": ("string", "the version of Ladoga that made the record"),
        "over": ("bool", "whether it was played to its end"),
        "winner": ("string", "the side, or nothing"),
        "level": ("string", "as the rulebook calls it"),
        "margin": ("double", "how far the first side of the game is ahead"),
        "turns": ("int64", ""),
        "orders": ("int64", "dice and draws included"),
    },
    "turns": {
        "id": ("string", "the game"),
        "turn": ("int64", ""),
        "margin": ("double", "at the end of the turn, had the game ended there"),
        "side": ("string", ""),
        "units": ("int64", "counters of the side on the map"),
        "steps": ("int64", "their steps"),
    },
    "orders": {
        "id": ("string", "the game"),
        "n": ("int64", "its number in the record, from 1"),
        "turn": ("int64", ""),
        "phase": ("string", ""),
        "side": ("string", "who gave it, or chance"),
        "verb": ("string", ""),
        "role": ("string", "what the verb is for, the same in every game"),
        "units": ("list", ""),
        "hexes": ("list", ""),
        "words": ("list", ""),
        "text": ("string", "the order as it is typed"),
    },
    "attacks": {
        "id": ("string", "the game"),
        "n": ("int64", "the order that committed it"),
        "turn": ("int64", ""),
        "side": ("string", "the attacker"),
        "hexes": ("list", "what was attacked"),
        "units": ("list", "attackers"),
        "defenders": ("list", ""),
        "column": ("string", "of the combat table"),
        "result": ("string", "its code; empty if the game ended before it fell"),
        "likely": ("double", "how likely that result was"),
        "odds": ("string", "every result with its probability, as JSON"),
    },
    "losses": {
        "id": ("string", "the game"),
        "n": ("int64", "the order that brought it about"),
        "turn": ("int64", ""),
        "side": ("string", ""),
        "unit": ("string", ""),
        "hex": ("string", "where it stood"),
        "steps": ("int64", "steps lost"),
        "destroyed": ("bool", "whether it left the map with them"),
    },
}
"""Every table, its columns, their types and what they hold."""


def rows(record: Record, name: str) -> dict[str, list[Row]]:
    """One game as rows of every table.

    >>> from ladoga.lab import Match, play_match
    >>> match = Match("tijvin-1941", {}, seed=1)
    >>> record = Record.parse(play_match(match, 0, keep_record=True).record)
    >>> rows(record, "first")["games"][0]["id"]
    'first'
    """
    tables: dict[str, list[Row]] = {table: [] for table in SCHEMA}
    reading, before = Reading(), record.start()
    standing = _Standing(before)
    turn = before.turn
    for n, order in enumerate(record.orders, 1):
        mover = before.to_move or ""
        after = before.play(order)
        reading.take(n, before, after, order, mover)
        tables["orders"].append({
            "id": name, "n": n, "turn": before.turn, "phase": before.phase.id, "side": mover, "verb": order.verb,
            "role": str(before.game.role(order)) if mover != CHANCE else CHANCE, "units": list(order.units),
            "hexes": list(order.hexes), "words": list(order.words), "text": str(order),
        })  # fmt: skip
        tables["losses"] += [{"id": name, "n": n, "turn": before.turn, **loss} for loss in standing.losses(after)]
        if after.turn != turn or after.to_move is None:
            tables["turns"] += _turn(name, turn, after)
            turn = after.turn
        before = after
    outcome, header = before.standing, record.header
    tables["games"].append({
        "id": name, "game": header.game, "scenario": before.scenario, "options": json.dumps(dict(before.options)),
        "players": json.dumps(header.players), "engine": header.engine, "over": before.to_move is None,
        "winner": outcome.winner or "", "level": outcome.level, "margin": _margin(before), "turns": before.turn,
        "orders": len(record.orders),
    })  # fmt: skip
    tables["attacks"] = [
        {
            "id": name, "n": fight.began, "turn": fight.turn, "side": fight.side, "hexes": list(fight.hexes),
            "units": list(fight.units), "defenders": list(fight.defenders), "column": fight.column,
            "result": fight.code, "likely": fight.chances.get(fight.code, 0.0),
            "odds": json.dumps(fight.chances),
        }
        for fight in reading.fights
    ]  # fmt: skip
    return tables


def _margin(position: Position) -> float:
    standing = position.standing
    return lead(standing.winner, float(standing.margin), position.game.sides[0])


def _turn(name: str, turn: int, position: Position) -> list[Row]:
    """How things stood for each side when a turn ended."""
    steps, margin = steps_of(position), _margin(position)
    return [
        {"id": name, "turn": turn, "margin": margin, "side": side, "units": len(position.units(side)), "steps": left}
        for side, left in steps.items()
    ]


class _Standing:
    """The steps of every unit on the map, so that losses can be seen."""

    def __init__(self, position: Position) -> None:
        self.units = self._of(position)

    @staticmethod
    def _of(position: Position) -> dict[str, tuple[str, str, int]]:
        return {c.id: (c.side, c.hex, c.steps) for c in position.table().counters if c.hex}

    def losses(self, position: Position) -> list[Row]:
        """What was lost since the last look: steps of units on the map, and whole units that left it for good; a
        counter that was turned over and goes by another name is not lost."""
        if not position.events:
            return []
        now, lost = self._of(position), []
        turned = {place[:2] for unit, place in now.items() if unit not in self.units}
        for unit, (side, hex_, steps) in self.units.items():
            left = now[unit][2] if unit in now else 0
            gone = unit not in now
            if left < steps and (not gone or ((side, hex_) not in turned and _is_dead(position, unit))):
                lost.append({"side": side, "unit": unit, "hex": hex_, "steps": steps - left, "destroyed": gone})
        self.units = now
        return lost


DEAD = ("dead", "destroyed", "eliminated", "lost")
"""What boxes for units that are gone for good are called."""


def _is_dead(position: Position, unit: str) -> bool:
    """Whether a unit that is no longer on the map is gone for good: nowhere, or in a box for the dead."""
    box = next((c.box for c in position.table().counters if c.id == unit), "")
    return not box or any(word in box for word in DEAD)


def write(games: Iterable[tuple[str, Record]], folder: Path, kind: str = "parquet") -> dict[str, int]:
    """Write the tables of many games into a folder, one file a table; says how many rows each has.

    >>> from tempfile import TemporaryDirectory
    >>> from ladoga.lab import Match, play_match
    >>> record = Record.parse(play_match(Match("tijvin-1941", {}, seed=1), 0, keep_record=True).record)
    >>> with TemporaryDirectory() as folder:
    ...     written = write([("first", record)], Path(folder), "jsonl")
    >>> written["games"]
    1
    """
    folder.mkdir(parents=True, exist_ok=True)
    counts = dict.fromkeys(SCHEMA, 0)
    with ExitStack() as stack:
        opened = _parquet if kind == "parquet" else _lines
        put = {table: opened(stack, folder, table) for table in SCHEMA}
        for name, record in games:
            for table, found in rows(record, name).items():
                put[table](found)
                counts[table] += len(found)
    return counts


def _lines(stack: ExitStack, folder: Path, table: str) -> Callable[[list[Row]], None]:
    file = stack.enter_context((folder / f"{table}.jsonl").open("w", encoding="utf-8"))

    def put(found: list[Row]) -> None:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in found)

    return put


def _parquet(stack: ExitStack, folder: Path, table: str) -> Callable[[list[Row]], None]:
    check_parquet()
    import pyarrow
    from pyarrow import parquet

    kinds = {
        "string": pyarrow.string(), "int64": pyarrow.int64(), "double": pyarrow.float64(), "bool": pyarrow.bool_(),
        "list": pyarrow.list_(pyarrow.string()),
    }  # fmt: skip
    columns = SCHEMA[table].items()
    fields = [pyarrow.field(name, kinds[kind], metadata={"about": told}) for name, (kind, told) in columns]
    schema = pyarrow.schema(fields)
    writer = stack.enter_context(parquet.ParquetWriter(folder / f"{table}.parquet", schema))

    def put(found: list[Row]) -> None:
        if found:
            writer.write_table(pyarrow.Table.from_pylist(found, schema=schema))

    return put


_TYPES = {"list": "list of strings", "int64": "whole number", "double": "number", "bool": "true or false"}


def page() -> str:
    """The schema as a page of the documentation."""
    lines = []
    for table, columns in SCHEMA.items():
        lines += [f"### {table}", "", "| column | type | what it holds |", "| --- | --- | --- |"]
        lines += [f"| `{name}` | {_TYPES.get(kind, kind)} | {told} |" for name, (kind, told) in columns.items()]
        lines.append("")
    return "\n".join(lines)


def read_all(files: Iterable[Path]) -> Iterable[tuple[str, Record]]:
    """The records of files and folders, by their names."""
    for file in files:
        inside = sorted(file.glob("*.ladoga")) if file.is_dir() else [file]
        if not inside:
            raise LadogaError(f"{file}: no records there")
        for path in inside:
            yield path.stem, Record.read(path)
