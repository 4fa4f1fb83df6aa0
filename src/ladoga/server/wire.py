"""What goes over the socket. Unknown fields, unknown kinds and wrong types are refused."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

WRITTEN = r"\A[^\x00]*\Z"
"""What people write. Not every store keeps the character that is none."""

Text = Annotated[str, Meta(max_length=2000, pattern=WRITTEN)]
Name = Annotated[str, Meta(max_length=64, pattern=WRITTEN)]
Action = Annotated[str, Meta(min_length=8, max_length=64, pattern=WRITTEN)]
Number = Annotated[int, Meta(ge=0, le=10_000_000)]


class Message(msgspec.Struct, forbid_unknown_fields=True, frozen=True, tag_field="t"):
    """Something a browser says; ``id`` comes back with the answer."""

    id: Number


class Give(Message, tag="order", frozen=True):
    """Play an order. ``action`` makes sure that it is played once, ``version`` that the player saw
    the position it is meant for."""

    action: Action
    version: Number
    text: Text


class Undo(Message, tag="undo", frozen=True):
    """Take orders back until ``to`` events are left."""

    action: Action
    version: Number
    to: Number


class Of(Message, tag="of", frozen=True):
    """What may these units do?"""

    units: Annotated[tuple[Name, ...], Meta(max_length=40)]


class Why(Message, tag="why", frozen=True):
    """Why is this order illegal? Or, without a text: why can these units not go to, or strike at, a hex?"""

    text: Text = ""
    units: Annotated[tuple[Name, ...], Meta(max_length=40)] = ()
    hex: Name = ""


class Explain(Message, tag="explain", frozen=True):
    """This attack in numbers."""

    text: Text


class Hex(Message, tag="hex", frozen=True):
    """What is there to know about this hex?"""

    hex: Name


class Layer(Message, tag="layer", frozen=True):
    """An overlay of the whole map: zoc, supply, moves, threat."""

    kind: Name


class At(Message, tag="at", frozen=True):
    """The table as it was after ``n`` events."""

    n: Number


class Log(Message, tag="log", frozen=True):
    """The log from the ``n``-th event on."""

    n: Number


class Say(Message, tag="say", frozen=True):
    """Say something at the table."""

    text: Text


class Pace(Message, tag="pace", frozen=True):
    """How long the computer waits between its orders, in milliseconds."""

    wait: Annotated[int, Meta(ge=0, le=5000)]


class Now(Message, tag="now", frozen=True):
    """The computer is to make up its mind."""


class Ready(Message, tag="ready", frozen=True):
    """The curtain may be drawn: the right person is looking."""

    side: Name


class Point(Message, tag="point", frozen=True):
    """Show the others a hex."""

    hex: Name


class Bookmark(Message, tag="bookmark", frozen=True):
    """Set a bookmark, or remove it with an empty label."""

    n: Number
    label: Name


class Resign(Message, tag="resign", frozen=True):
    """Give the game up."""


class Peace(Message, tag="peace", frozen=True):
    """Offer to end the game as it stands, accept such an offer, or withdraw it."""

    offer: bool


class AskBack(Message, tag="askback", frozen=True):
    """Ask the other side to let orders be taken back until ``to`` events are left, beyond what is free."""

    to: Number


class AnswerBack(Message, tag="answerback", frozen=True):
    """Let the other side take back what it asks for, or not; whoever asked withdraws with ``accept`` false."""

    action: Action
    accept: bool


Said = (
    Give
    | Undo
    | Of
    | Why
    | Explain
    | Hex
    | Layer
    | At
    | Log
    | Say
    | Pace
    | Now
    | Ready
    | Point
    | Bookmark
    | Resign
    | Peace
    | AskBack
    | AnswerBack
)

decoder = msgspec.json.Decoder(Said)
encoder = msgspec.json.Encoder(enc_hook=str)


def packed(**fields: Any) -> bytes:
    """A message to a browser."""
    return encoder.encode(fields)


class NewMatch(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The form that starts a match. A seat is ``me``, ``open`` or the name of a computer player."""

    game: Name
    seats: dict[Name, Name]
    scenario: Name = ""
    options: dict[Name, bool | int | Name] = {}
    kind: Name = "match"
    corrections: Name = ""
    """Kept corrections of the map to play with, by name."""
    map: dict[str, Any] | None = None
    """Corrections sent along."""
    clock: Name = ""
    """``minutes`` for the whole game, ``days`` for each player-turn, or none."""
    time: Annotated[float, Meta(ge=0, le=10_000)] = 0
    """How many of them."""
    public: bool = False
    """Whether anybody may take the open seat from the front page."""


class Open(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A record or a position document to open."""

    text: Annotated[str, Meta(max_length=4_000_000, pattern=WRITTEN)]
    seats: dict[Name, Name] = {}


class Sit(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """An invitation taken up."""

    token: Name
    name: Name = ""


class Invite(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A fresh link for a free seat is wanted."""

    side: Name


class Called(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What a person wants to be called."""

    name: Name


class WhatIf(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A board of one's own from the moment after ``n`` events."""

    n: Number


class Key(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A recovery code, or the key of a link to another device."""

    key: Name


class Reckon(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What would these counters come to against a hex, and what does a wanted column take?"""

    hex: Name
    units: Annotated[tuple[Name, ...], Meta(max_length=40)] = ()
    want: Name = ""
    air: Annotated[int, Meta(ge=0, le=20)] = 0
    """Air units that are to take part."""
    overrun: bool = False
    """Whether one stack strikes while it moves."""


class Guided(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """How far a seat has come in the guide: the steps that were met, and whether the guide was left."""

    done: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()
    left: bool = False


class Notice(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Where somebody wants to be told that it is their turn."""

    url: Annotated[str, Meta(max_length=400, pattern=WRITTEN)]
