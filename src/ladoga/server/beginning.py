"""Beginning a match: from a scenario, from a file that somebody brings, or from a moment of another match."""

from __future__ import annotations

import random
import secrets
from collections.abc import Mapping
from typing import Any

from .. import __version__
from ..kernel.game import Game
from . import clock
from .lobby import Lobby
from .match import audience_of
from .opponents import known
from .reading import first_events
from .refused import Refused
from .store import Kept, hashed

OPEN_SEAT = "open"
OWN_SEAT = "me"


async def create(
    lobby: Lobby, person: int, game_id: str, seats: Mapping[str, str], scenario: str = "",
    options: Mapping[str, Any] | None = None, position: dict[str, Any] | None = None, kind: str = "match",
    overlay: Mapping[str, Any] | None = None, ticking: tuple[str, float] = ("", 0),
) -> tuple[str, dict[str, str]]:  # fmt: skip
    """A new match; its id, and the invitations to its open seats."""
    game = lobby.house.library.game(game_id, overlay)
    _check_seats(game, seats)
    if position is None:
        scenario, settled = game.settled(scenario or None, options)
    else:
        first = game.position(position)
        scenario, settled = first.scenario, dict(first.options)
    kept = Kept(
        secrets.token_urlsafe(9), game.id, kind, scenario, settled, position, secrets.token_bytes(32), __version__,
        lobby.house.store.time(), None, dict(game.overlay), known=kind == "study",
    )  # fmt: skip
    events = first_events(kept, game, [])
    if ticking[0]:
        kept = kept._replace(clock=clock.wound(*ticking, tuple(game.sides)))
    return kept.id, await _begin(lobby, kept, game, seats, person, events)


def _check_seats(game: Game, seats: Mapping[str, str]) -> None:
    for side in game.sides:
        who = seats.get(side, OPEN_SEAT)
        if who not in (OWN_SEAT, OPEN_SEAT, *known()):
            raise Refused("seat", f"nobody is called {who!r}")
    if set(seats) - set(game.sides):
        raise Refused("seat", f"sides are: {', '.join(game.sides)}")


async def _begin(
    lobby: Lobby, kept: Kept, game: Game, seats: Mapping[str, str], person: int, events: list[tuple[str, str]]
) -> dict[str, str]:
    invites: dict[str, str] = {}
    rows: list[tuple[str, str, int | None, str]] = []
    for side in game.sides:
        who = seats.get(side, OPEN_SEAT)
        if who == OPEN_SEAT:
            invites[side] = secrets.token_urlsafe(18)
            rows.append((side, "", None, hashed(invites[side])))
        else:
            rows.append((side, "" if who == OWN_SEAT else who, person if who == OWN_SEAT else None, ""))
    await lobby.add(kept, rows, events)
    return invites


async def open_file(
    lobby: Lobby, person: int, text: str, seats: Mapping[str, str], *, trusted: bool = False
) -> tuple[str, dict[str, str]]:
    """A match from a record or a position document, which a worker reads; its id, and invitations to open seats."""
    made = await lobby.house.readers.ask("opened", text, trusted, secrets.token_bytes(32), limit=20.0)
    game = lobby.house.library.as_played(made["game"], made["overlay"], made["engine"])
    seats = seats or dict.fromkeys(game.sides, OWN_SEAT)
    _check_seats(game, seats)
    kept = Kept(
        secrets.token_urlsafe(9), game.id, "study", made["scenario"], made["options"], made["position"], made["seed"],
        made["engine"] or __version__, lobby.house.store.time(), made["ended"], made["overlay"], known=True,
    )  # fmt: skip
    events = [(mover, order) for mover, order in made["events"]]
    return kept.id, await _begin(lobby, kept, game, seats, person, events)


async def what_if(lobby: Lobby, person: int, match_id: str, n: int) -> str:
    """A board of one's own, from what the person could know after ``n`` events."""
    room = await lobby.room(match_id)
    match = room.match
    sides = room.sides_of(person)
    audience = audience_of(match, sides)
    if lobby.house.delay and not sides and not match.over and match.secret():
        n = min(n, match.events_until(lobby.house.store.time() - lobby.house.delay))
    seen = match.sight(await lobby.house.work.through(match.going_to(n)), audience)
    imagined = seen.imagine(random.Random(secrets.token_bytes(16)))
    seats = dict.fromkeys(match.game.sides, OWN_SEAT)
    created, _ = await create(
        lobby, person, match.game.id, seats, position=imagined.document(), kind="study", overlay=match.game.overlay
    )
    return created
