"""Helpers for positions of Leningrad '41 on small hand-made maps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

import ladoga
from ladoga.games.leningrad41.game import CityGame
from ladoga.games.leningrad41.position import CityPosition


@pytest.fixture(scope="session")
def game() -> CityGame:
    loaded = ladoga.load("leningrad41")
    assert isinstance(loaded, CityGame)
    return loaded


Place = Callable[..., CityPosition]


@pytest.fixture
def place(game: CityGame) -> Place:
    """A position on a blank map: ``place(units, phase=..., size=(columns, rows), hexes=..., sides=...)``."""

    def make(
        units: dict[str, dict[str, Any]],
        phase: str = "german-fire",
        turn: int = 4,
        size: tuple[int, int] = (12, 12),
        hexes: dict[str, str] | None = None,
        sides: dict[str, list[str]] | None = None,
        places: dict[str, list[str]] | None = None,
        dice: Iterable[int | str] = (),
        **state: Any,
    ) -> CityPosition:
        document = {
            "game": "leningrad41",
            "turn": turn,
            "phase": phase,
            "map": {"blank": list(size), "hexes": hexes or {}, "hexsides": sides or {}, "places": places or {}},
            "units": units,
            "dice": list(dice),
            **{key.replace("_", "-"): value for key, value in state.items()},
        }
        pos = game.position(document)
        again = game.position(pos.document())
        assert again.document() == pos.document()
        return pos

    return make


def refused(pos: CityPosition, order: str) -> str:
    """The case that forbids an order; the order must be refused and the position unchanged."""
    refusal = pos.why_not(order)
    assert refusal is not None, f"{order} is legal"
    assert order not in pos.legal
    before = pos.document()
    with pytest.raises(ladoga.Illegal) as caught:
        pos.play(order)
    assert caught.value.case == refusal.case
    assert pos.document() == before
    return refusal.case


def kinds(pos: CityPosition) -> list[str]:
    """The kinds of the last events."""
    return [event.kind for event in pos.events]


def where(pos: CityPosition, name: str) -> str:
    """The hex number of a unit, or its place beside the map."""
    entry = pos.document()["units"].get(name, {})
    return str(entry.get("hex") or entry.get("at") or "")


def dealt(pos: CityPosition, *dice: int | str) -> CityPosition:
    """The position with the next results scripted."""
    return pos.scripted(dice)
