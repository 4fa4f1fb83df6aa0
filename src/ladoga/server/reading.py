"""What strangers send, read in a process of its own: plain values in, plain values out.

Every function here is a job of a worker; a text that takes too long to read takes nobody's time but its sender's.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any, cast

from ..analysis.advice import advice
from ..analysis.debrief import told
from ..analysis.reckoning import Rung, reckon
from ..analysis.report import as_html, as_text, picture
from ..kernel.data import read_text
from ..kernel.errors import BadDocument, BadRecord
from ..kernel.game import Game, load_game
from ..kernel.orders import Role
from ..kernel.position import Outcome, View
from ..kernel.record import MAGIC, Record
from . import editor, shapes, showing
from .draw import Wish, draw
from .library import Library
from .luck import luck
from .match import Match
from .opponents import player
from .refused import Refused
from .shapes import LuckReport, Proof
from .store import Kept

PLACED = 200
"""Counters that the staff places at once, at most."""
EDITION = re.compile(r"[\w.+-]{0,40}", re.ASCII)
"""How a version of the program is written."""
JOBS = (
    "opened", "checked", "tidied", "corrections", "packed", "drawn", "replayed", "weighed", "proved", "advised",
    "reckoned", "debriefed", "placed",
)  # fmt: skip


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
    if not EDITION.fullmatch(header.engine):
        raise BadRecord("there is no such version", path="engine")
    if not trusted and set(header.overlay) - {"map.yaml"}:
        raise Refused("overlay", "this record changes more of the game than its map; it opens with ladoga play")
    game = library.as_played(header.game, header.overlay or None, header.engine)
    last = record.check(game)
    first = record.start(game)
    made = {
        "position": header.position, "scenario": first.scenario, "options": dict(first.options),
        "ended": last.outcome.as_json() if last.outcome else None, "engine": header.engine,
        "overlay": header.overlay or dict(library.game(header.game).overlay),
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
    return Match(known, library.as_played(known.game, known.overlay, known.engine), happened, [])


def replayed(library: Library, kept: list[Any], events: list[Any]) -> int:
    """Whether a match replays with this edition: how many events it has."""
    return len(_match(library, kept, events).orders)


def weighed(library: Library, kept: list[Any], events: list[Any]) -> LuckReport:
    """The luck of both sides in a finished match."""
    return luck(_match(library, kept, events))


def proved(library: Library, kept: list[Any], events: list[Any]) -> Proof:
    """Every roll of a finished match."""
    return showing.proof(_match(library, kept, events))


# Advice -------------------------------------------------------------------------------------------


def _seen(library: Library, game: str, overlay: dict[str, Any] | None, side: str, imagined: dict[str, Any]) -> View:
    """A side's view, of a whole position that looks to it like the one it is in."""
    return library.game(game, overlay).position(imagined).view(side)


def advised(
    library: Library, game: str, overlay: dict[str, Any] | None, side: str, imagined: dict[str, Any], seconds: float
) -> list[shapes.Counsel]:
    """What the staff says to a side."""
    found = advice(_seen(library, game, overlay, side, imagined), seconds)
    return [cast(shapes.Counsel, counsel._asdict()) for counsel in found]


def placed(
    library: Library, game: str, overlay: dict[str, Any] | None, side: str, imagined: dict[str, Any]
) -> list[str]:
    """How the staff would set a side up: its orders, one after another, up to the end of the set-up."""
    position = library.game(game, overlay).position(imagined)
    staff, rng, orders, phase = player("staff"), random.Random(0), list[str](), position.phase
    while position.to_move == side and position.phase == phase and len(orders) < PLACED:
        order = staff.choose(position.view(side), rng)
        if position.game.role(order) is not Role.PLACE:
            break
        orders.append(str(order))
        position = position.play(order)
    return orders


def reckoned(
    library: Library, game: str, overlay: dict[str, Any] | None, side: str, imagined: dict[str, Any],
    number: str, units: list[str], want: str, air: int = 0, overrun: bool = False,
) -> shapes.Reckoning:  # fmt: skip
    """Counters against a hex."""
    found = reckon(_seen(library, game, overlay, side, imagined), number, units, want, air=air, overrun=overrun)
    told, promise = found.told, found.promise
    return {
        "hex": found.hex, "units": list(found.units), "column": found.column, "strength": found.strength,
        "defence": told.as_json()["defence"] and _spread(told.as_json()["defence"]) if told else "",
        "modifiers": told.as_json()["modifiers"] if told else [],
        "prospects": None if promise is None else {
            "falls": float(promise.falls), "depends": float(promise.depends), "holds": float(promise.holds),
            "unhurt": float(promise.unhurt),
        },
        "worth": found.worth, "ladder": [_rung(rung) for rung in found.ladder],
        "ways": [_rung(rung) for rung in found.ways], "columns": list(dict.fromkeys(r.column for r in found.ladder)),
        "refused": found.refused, "case": found.case, "air": found.air, "most_air": found.most_air,
        "overruns": found.overruns,
    }  # fmt: skip


def _rung(rung: Rung) -> shapes.Rung:
    return {
        "column": rung.column, "strength": rung.strength, "units": list(rung.units), "falls": rung.falls,
        "unhurt": rung.unhurt, "air": rung.air,
    }  # fmt: skip


def _spread(values: list[dict[str, Any]]) -> str:
    """A strength, or the least and the most it can be."""
    known = [str(entry["value"]) for entry in values]
    return known[0] if len(known) == 1 else f"{known[0]}–{known[-1]}"


# Debrief ------------------------------------------------------------------------------------------

FONTS = (
    "<style>"
    + "".join(
        f"@font-face{{font-family:{name};src:url(/fonts/{file}.woff2);font-weight:{weight}}}"
        for name, file, weight in (
            ("Spectral", "spectral-latin-500-normal", "500"),
            ("Inter", "inter-latin-wght-normal", "100 900"),
            ("Barlow Condensed", "barlow-condensed-latin-600-normal", "500 600"),
        )
    ).replace("family:Barlow Condensed", "family:'Barlow Condensed'")
    + "</style>"
)


SCENE = "<!--the map-->"
"""Where the map goes in the picture to share."""


def debriefed(
    library: Library, kept: list[Any], events: list[Any], players: dict[str, str], seconds: float
) -> dict[str, str]:
    """How a match went, as a page, as text and as a picture."""
    match = _match(library, kept, events)
    ended, outcome = match.kept.ended, None
    if ended is not None and match.position.outcome is None:
        outcome = Outcome(ended["winner"], ended["level"], 0, match.position.standing.ledger, ended.get("case", ""))
    found = told(match.start, match.orders, players, seconds, outcome)
    base = f"/g/{match.kept.id}"
    links = [("Rematch", f"{base}#end", "btn teal"), ("Replay", f"{base}?at=0", "btn"),
             ("Picture to share", f"{base}/debrief.svg", "btn"), ("Text for a forum", f"{base}/debrief.txt", "btn"),
             ("Save the record", f"/api/matches/{match.kept.id}/record", "btn"),
             ("Front page", "/", "btn")]  # fmt: skip
    acts = " ".join(f'<a class="{kind}" href="{link}">{label}</a>' for label, link, kind in links)
    return {
        "html": as_html(
            found, lambda n: f"{base}?at={n}", acts, FONTS, lambda n, hex_: f"{base}/scene.svg?n={n}&hex={hex_}",
            '<script src="/debrief.js" defer></script>',
        ),
        "txt": as_text(found),
        "svg": picture(found, SCENE),
        "hex": next((pin.hex for pin in reversed(found.pins) if pin.hex), ""),
    }  # fmt: skip
