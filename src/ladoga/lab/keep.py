"""Results on disk as they come, one JSON line a game, so that a long run can go on after a stop."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from ..kernel.errors import LadogaError
from .simulate import Match, Played, Snapshot


def _head(match: Match) -> dict[str, Any]:
    return {
        "game": match.game, "players": dict(match.players), "seed": match.seed,
        "scenario": match.scenario, "options": dict(match.options),
    }  # fmt: skip


def kept(path: Path, match: Match) -> list[Played]:
    """The games an earlier run of the same match has left in a file; a cut-off last line is dropped."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines:
        return []
    try:
        head = json.loads(lines[0])
    except json.JSONDecodeError:
        raise LadogaError(f"{path}: line 1: not a file of results") from None
    if head != _head(match):
        raise LadogaError(f"{path}: these are results of another match")
    played = []
    names = {f.name for f in fields(Played)}

    def read(line: str) -> Played:
        values = {k: v for k, v in json.loads(line).items() if k in names}
        values["snapshots"] = tuple(Snapshot(**s) for s in values.get("snapshots", ()))
        return Played(**values)

    for number, line in enumerate(lines[1:], 2):
        try:
            played.append(read(line))
        except (json.JSONDecodeError, TypeError):
            if number == len(lines):
                break
            raise LadogaError(f"{path}: line {number}: not a result") from None
    return played


@contextmanager
def keeping(path: Path | None, match: Match, before: Iterable[Played]) -> Iterator[Callable[[Played], None]]:
    """Write each game to the file as it is done; games kept before are written first."""
    if path is None:
        yield lambda _: None
        return
    with path.open("w", encoding="utf-8") as file:

        def line(value: dict[str, Any]) -> None:
            file.write(json.dumps(value) + "\n")
            file.flush()

        line(_head(match))
        for played in before:
            line(asdict(played))
        yield lambda played: line(asdict(played))


COLUMNS = ("index", "winner", "level", "margin", "turns", "orders", "seconds", "fingerprint", "error")


def as_csv(played: Iterable[Played]) -> str:
    """Outcomes as comma-separated values, a heading first."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([getattr(one, name) for name in COLUMNS] for one in played)
    return text.getvalue()


def as_parquet(played: Iterable[Played], path: Path) -> None:
    """Outcomes as a Parquet file."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise LadogaError("Parquet needs pyarrow: install ladoga[parquet]") from None
    games = list(played)
    parquet.write_table(pyarrow.table({name: [getattr(one, name) for one in games] for name in COLUMNS}), path)
