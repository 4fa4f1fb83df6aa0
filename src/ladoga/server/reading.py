"""What strangers send, read in a process of its own: plain values in, plain values out.

Every function here is a job of a worker; a text that takes too long to read takes nobody's time but its sender's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.data import read_text
from ..kernel.errors import BadDocument
from ..kernel.game import Game, load_game
from ..kernel.record import MAGIC, Record
from . import editor, showing
from .draw import Wish, draw
from .library import Library
from .luck import luck
from .match import Match
from .refused import Refused
from .shapes import LuckReport, Proof
from .store import Kept

JOBS = ("opened", "checked", "tidied", "corrections", "packed", "drawn", "replayed", "weighed", "proved")


def opened(library: Library, text: str, trusted: bool, seed: bytes) -> dict[str, Any]:
    """A record or a position document as what a match is made of. A record may bring corrections of the map along;
    those of other files only from somebody who is trusted."""
    if text.lstrip().startswith(MAGIC):
        return _record(library, Record.parse(text.lstrip()), trusted, seed)
    document = read_text(text, error=BadDocument)
    if not isinstance(document, dict) or not isinstance(document.get("game"), str):
        raise BadDocument("this is neither a record nor a position document: it names no game")
    game = library.game(document["game"])
    first = game.position(document)
    return _made(game, {"position": document, "scenario": first.scenario, "options": dict(first.options)}, seed)


def _record(library: Library, record: Record, trusted: bool, seed: bytes) -> dict[str, Any]:
    header = record.header
    if not trusted and set(header.overlay) - {"map.yaml"}:
        raise Refused("overlay", "this record changes more of the game than its map; it opens with ladoga play")
    game = library.game(header.game, header.overlay or None)
    last = record.check(game)
    first = record.start(game)
    made = {
        "position": header.position, "scenario": first.scenario, "options": dict(first.options),
        "ended": last.outcome.as_json() if last.outcome else None, "engine": header.engine,
        "events": list(zip(record.movers, map(str, record.orders), strict=True)),
    }  # fmt: skip
    return _made(game, made, bytes.fromhex(header.seed) if header.seed else seed)


def _made(game: Game, made: dict[str, Any], seed: bytes) -> dict[str, Any]:
    """With the chance that is due after what has happened."""
    made = {"game": game.id, "overlay": dict(game.overlay), "seed": seed, "ended": None, "engine": "", **made}
    made.setdefault("events", [])
    kept = Kept(
        "", game.id, "study", made["scenario"], made["options"], made["position"], seed, "", 0.0, made["ended"]
    )  # fmt: skip
    return {**made, "events": first_events(kept, game, made["events"])}


def first_events(kept: Kept, game: Game, happened: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What has happened before anybody can order anything: what was recorded, and the chance that is due after it."""
    match = Match(kept, game, [(n, who, text, 0.0) for n, (who, text) in enumerate(happened)], [])
    due = [] if match.over else match.following(None)
    return [*happened, *((step.mover, str(step.order)) for step in due)]


def checked(_: Library, game: str, overlay: Mapping[str, Any]) -> dict[str, Any]:
    """What corrections change, and what is wrong with them."""
    result = editor.checked(game, overlay)
    return {"changes": result.changes, "problems": [p._asdict() for p in result.problems]}


def tidied(_: Library, game: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Corrections to play with: tidied, and refused if the game cannot be played with them."""
    tidy = editor.tidy(load_game(game).map, values)
    editor.playable(game, {editor.FILE: tidy})
    return tidy


def corrections(_: Library, game: str, body: bytes) -> dict[str, Any]:
    """The corrections in a file."""
    return editor.tidy(load_game(game).map, editor.read(body))


def packed(_: Library, game: str, name: str, values: Mapping[str, Any]) -> bytes:
    """Corrections as a packed folder."""
    found = load_game(game)
    return editor.packed(found, name, editor.tidy(found.map, values))


def drawn(_: Library, game: str, values: Mapping[str, Any], board: str, palette: str) -> str:
    """A board with corrections, drawn."""
    from ..drawing import shores_of

    changed = load_game(game).map.changed(editor.corrections_of(values).change)
    return draw(Wish(changed.file, changed.change, shores_of(game), board, palette))


def _match(library: Library, kept: list[Any], events: list[Any]) -> Match:
    known = Kept(*kept)
    happened = [(n, who, text, at) for n, who, text, at in events]
    return Match(known, library.game(known.game, known.overlay), happened, [])


def replayed(library: Library, kept: list[Any], events: list[Any]) -> int:
    """Whether a match replays with this edition: how many events it has."""
    return len(_match(library, kept, events).orders)


def weighed(library: Library, kept: list[Any], events: list[Any]) -> LuckReport:
    """The luck of both sides in a finished match."""
    return luck(_match(library, kept, events))


def proved(library: Library, kept: list[Any], events: list[Any]) -> Proof:
    """Every roll of a finished match."""
    return showing.proof(_match(library, kept, events))
