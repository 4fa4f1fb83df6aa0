"""Help for setting up situations of the two Assault games."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import ladoga

LENINGRAD, STALINGRAD = "assault-leningrad", "assault-stalingrad"


@pytest.fixture(scope="session")
def leningrad():
    return ladoga.load(LENINGRAD)


@pytest.fixture(scope="session")
def stalingrad():
    return ladoga.load(STALINGRAD)


@pytest.fixture(params=[LENINGRAD, STALINGRAD])
def game(request):
    return ladoga.load(request.param)


def situation(game, phase: str, units: dict[str, Any], **more: Any):
    """A position; units are in supply unless they say otherwise, the map is an open field unless given."""
    listed = {}
    for unit_id, entry in units.items():
        entry = {"hex": entry} if isinstance(entry, str) else dict(entry)
        if "hex" in entry and entry.get("supply") != "trace":
            entry.setdefault("supply", "in")
        if entry.get("supply") == "trace":
            del entry["supply"]
        listed[unit_id] = entry
    document = {"game": game.id, "turn": 4, "phase": phase, "map": {"blank": [12, 12]}, "units": listed, **more}
    if document["map"] is None:
        del document["map"]
    return game.position(document)


_names = itertools.count(1)


def german(hex: str, face: str = "8-A", movement: int = 6, type: str = "infantry", **more: Any) -> dict[str, Any]:
    """A made-up German unit."""
    return {"side": "german", "type": type, "faces": face.split(), "movement": movement, "hex": hex, **more}


def soviet(hex: str, face: str = "4-B", movement: int = 5, type: str = "rifle", **more: Any) -> dict[str, Any]:
    """A made-up Soviet unit."""
    return {"side": "soviet", "type": type, "faces": face.split(), "movement": movement, "hex": hex, **more}


def texts(position) -> set[str]:
    """The legal orders as text."""
    return {str(order) for order in position.legal}


def refused(position, order: str) -> str:
    """The case that forbids an order, which must leave the position alone."""
    before = position.document()
    refusal = position.why_not(order)
    assert refusal is not None, f"{order} is legal"
    with pytest.raises(ladoga.Illegal) as caught:
        position.play(order)
    assert caught.value.case == refusal.case
    assert refusal.case in position.game.cases
    assert position.document() == before
    return refusal.case


def happened(position) -> str:
    """What the last order brought about, in one text."""
    return "\n".join(event.text for event in position.events)
