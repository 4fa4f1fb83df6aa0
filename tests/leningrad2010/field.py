"""Small situations for the tests of the second edition: an open field, a few units, everybody fed.

A unit's own hex is a source of supply for its side unless the unit is named in ``hungry``, so that
supply speaks only in the tests that are about it. ``game`` takes the same situation to the other edition.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

import ladoga
from leningrad1979.field import shifts as shifts

SECOND, FIRST = "leningrad-2010", "leningrad-1979"
GAME: Any = ladoga.load(SECOND)


def german(at: str, strength: int = 6, movement: int = 6, kind: str = "infantry", **more: Any) -> dict[str, Any]:
    figures = {"attack": strength, "defence": strength, "movement": movement}
    return {"side": "german", "type": kind, **figures, "hex": at, **more}


def panzer(at: str, strength: int = 10, **more: Any) -> dict[str, Any]:
    return german(at, strength, 8, "armor", **more)


def soviet(at: str, attack: int = 4, defence: int = 4, kind: str = "infantry", **more: Any) -> dict[str, Any]:
    movement = 5 if kind == "infantry" else 7
    figures = {"attack": attack, "defence": defence, "movement": movement}
    return {"side": "soviet", "type": kind, **figures, "hex": at, **more}


def tank(at: str, attack: int = 6, defence: int = 4, **more: Any) -> dict[str, Any]:
    return soviet(at, attack, defence, "armor", **more)


def field(
    phase: str,
    units: dict[str, Any],
    *,
    game: str = SECOND,
    turn: int = 4,
    size: tuple[int, int] = (12, 9),
    hexes: dict[str, str] | None = None,
    sides: dict[str, list[str]] | None = None,
    roads: str = "",
    places: dict[str, list[str]] | None = None,
    hungry: str = "",
    **state: Any,
) -> Any:
    """A position on a blank map. ``units`` maps a name to its hex or to a whole entry; ``roads`` is a path."""
    loaded: Any = ladoga.load(game)
    marks = {number: list(words) for number, words in (places or {}).items()}
    entries = {name: {"hex": entry} if isinstance(entry, str) else dict(entry) for name, entry in units.items()}
    for name, entry in entries.items():
        if "hex" in entry and name not in hungry.split():
            side = entry.get("side") or (loaded.units[name].side if name in loaded.units else "soviet")
            words = marks.setdefault(entry["hex"], [])
            words += [f"{side}-supply"] if f"{side}-supply" not in words else []
    hexsides = {pair: list(words) for pair, words in (sides or {}).items()}
    way = roads.split()
    for pair in pairwise(way):
        hexsides.setdefault("/".join(pair), []).append("road")
    changes = {"blank": list(size), "hexes": hexes or {}, "hexsides": hexsides, "places": marks}
    return loaded.position({"game": game, "turn": turn, "phase": phase, "units": entries, "map": changes, **state})


def on_map(phase: str, units: dict[str, Any], *, turn: int = 4, **state: Any) -> Any:
    """A position on the real map of the second edition."""
    entries = {name: {"hex": entry} if isinstance(entry, str) else dict(entry) for name, entry in units.items()}
    return GAME.position({"game": SECOND, "turn": turn, "phase": phase, "units": entries, **state})


def play(position: Any, *orders: str, dice: tuple[Any, ...] = ()) -> Any:
    """The position after some orders, with scripted dice and draws."""
    position = position.scripted(dice) if dice else position
    for order in orders:
        position = position.play(order)
    return position


def refused(position: Any, order: str) -> str:
    """The case that refuses an order; the order must be refused everywhere alike and change nothing."""
    before = position.digest()
    refusal = position.why_not(order)
    assert refusal is not None, f"{order} is accepted"
    assert order not in position.legal
    with pytest.raises(ladoga.Illegal) as problem:
        position.play(order)
    assert problem.value.case == refusal.case
    assert position.digest() == before
    assert refusal.case in position.game.cases, refusal
    return refusal.case


def orders(position: Any, verb: str = "") -> set[str]:
    return {str(order) for order in position.legal if not verb or order.verb == verb}


def cost(position: Any, units: str, to: str) -> Fraction:
    """Movement points from where the units stand to a hex."""
    return position.reach(units.split("+"))[to].cost


def left(position: Any, unit: str) -> Fraction:
    """Movement points a unit of the moving group has left."""
    return Fraction(position.document()["units"][unit]["left"])


def where(position: Any, unit: str) -> str:
    entry = position.document()["units"][unit]
    return "eliminated" if entry.get("eliminated") else entry.get("hex", "")


def steps(position: Any, unit: str) -> int:
    return position.steps[position.slot(unit)]


def column(position: Any, order: str) -> str:
    """The column an attack of certain strengths is resolved on."""
    ((name, _),) = position.explain(order).columns
    return name


def net(position: Any, order: str) -> int:
    """All shifts together."""
    return position.explain(order).net
