"""Results on disk as they come, one JSON line a game, so that a long run can go on after a stop."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .. import __version__
from ..kernel.errors import LadogaError
from ..kernel.files import write_whole
from .simulate import Match, Played, Snapshot


def _head(match: Match) -> dict[str, Any]:
    return {
        "engine": __version__, "game": match.game, "players": dict(match.players), "seed": match.seed,
        "scenario": match.scenario, "options": dict(match.options), "data": match.data, "think": match.think,
    }  # fmt: skip


def kept(path: Path, match: Match, *, watched: bool = False, audited: bool = False) -> list[Played]:
    """The games an earlier run of the same match has left in a file; a cut-off last line is dropped. With
    ``watched`` or ``audited``, games that were not are left out and have to be played again."""
    if not path.exists():
        return []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        head = json.loads(lines[0]) if lines else None
    except ValueError:
        raise LadogaError(f"{path}: line 1: not a file of results") from None
    if not lines:
        return []
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
        except (ValueError, TypeError, AttributeError):
            if number == len(lines):
                break
            raise LadogaError(f"{path}: line {number}: not a result") from None
    return [one for one in played if (one.snapshots or not watched) and (one.audit or not audited)]


@contextmanager
def keeping(path: Path | None, match: Match, before: Iterable[Played]) -> Iterator[Callable[[Played], None]]:
    """Write each game to the file as it is done. The file is put in order first, in one stroke, so that
    what was kept before is never lost."""
    if path is None:
        yield lambda _: None
        return
    write_whole(path, "".join(_line(value) for value in (_head(match), *map(asdict, before))))
    with path.open("a", encoding="utf-8") as file:

        def keep(played: Played) -> None:
            file.write(_line(asdict(played)))
            file.flush()

        yield keep


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value) + "\n"


COLUMNS = ("index", "winner", "level", "margin", "turns", "orders", "seconds", "fingerprint", "error")


def as_csv(played: Iterable[Played]) -> str:
    """Outcomes as comma-separated values, a heading first."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([getattr(one, name) for name in COLUMNS] for one in played)
    return text.getvalue()


def check_parquet() -> None:
    """Say before long work that its results could not be written as Parquet."""
    if find_spec("pyarrow") is None:
        raise LadogaError("Parquet needs pyarrow: install ladoga[parquet]")


def as_parquet(played: Iterable[Played], path: Path) -> None:
    """Outcomes as a Parquet file."""
    check_parquet()
    import pyarrow
    from pyarrow import parquet

    games, file = list(played), io.BytesIO()
    parquet.write_table(pyarrow.table({name: [getattr(one, name) for one in games] for name in COLUMNS}), file)
    write_whole(path, file.getvalue())
