"""Small situations for rules tests: an open field of clear hexes, units on it, everybody fed.

Unless a unit is named in ``hungry`` its hex is a source of supply for its side, so that supply
plays a part only in the tests that are about it.
"""

from __future__ import annotations

from typing import Any

import pytest

import ladoga

GAME = ladoga.load("leningrad-1979")
SOVIET_PREFIXES = ("i", "a")

LEVELS = [
    (70, "German strategic", "german"), (31, "German strategic", "german"), (30, "German tactical", "german"),
    (1, "German tactical", "german"), (0, "Soviet tactical", "soviet"), (-20, "Soviet tactical", "soviet"),
    (-21, "Soviet strategic", "soviet"),
]  # fmt: skip
"""Margins with their level and winner: both editions part them alike."""


def side_of(name: str, entry: dict[str, Any]) -> str:
    if "side" in entry:
        return entry["side"]
    spec = GAME.units.get(name)
    return spec.side if spec is not None else "soviet"


def field(
    phase: str,
    units: dict[str, Any],
    *,
    turn: int = 4,
    size: tuple[int, int] = (12, 9),
    hexes: dict[str, str] | None = None,
    hexsides: dict[str, list[str]] | None = None,
    places: dict[str, list[str]] | None = None,
    hungry: str = "",
    dice: list[Any] | None = None,
    **state: Any,
) -> Any:
    """A position on a blank map. ``units`` maps a name to its hex, or to a whole entry."""
    marks = {number: list(words) for number, words in (places or {}).items()}
    entries: dict[str, Any] = {}
    for name, entry in units.items():
        entries[name] = {"hex": entry} if isinstance(entry, str) else dict(entry)
        where = entries[name].get("hex")
        if where and name not in hungry.split():
            word = f"{side_of(name, entries[name])}-supply"
            if word not in marks.setdefault(where, []):
                marks[where].append(word)
    document = {
        "game": GAME.id, "turn": turn, "phase": phase, "units": entries,
        "map": {"blank": list(size), "hexes": hexes or {}, "hexsides": hexsides or {}, "places": marks},
        "dice": dice or [], **state,
    }  # fmt: skip
    return GAME.position(document)


def german(hex_: str, strength: int = 6, movement: int = 6, kind: str = "infantry", **more: Any) -> dict[str, Any]:
    return {"side": "german", "type": kind, "attack": strength, "defence": strength, "movement": movement,
            "hex": hex_, **more}  # fmt: skip


def soviet(
    hex_: str, attack: int = 4, defence: int = 4, movement: int = 5, kind: str = "infantry", **more: Any
) -> dict[str, Any]:
    return {"side": "soviet", "type": kind, "attack": attack, "defence": defence, "movement": movement,
            "hex": hex_, **more}  # fmt: skip


def refused(position: Any, order: str) -> str:
    """The case that refuses an order; fails if the order is legal, or if trying it changes anything."""
    before = position.digest()
    refusal = position.why_not(order)
    assert refusal is not None, f"{order} is accepted"
    assert GAME.parse(order) not in position.legal
    with pytest.raises(ladoga.Illegal) as caught:
        position.play(order)
    assert caught.value.case == refusal.case
    assert position.digest() == before
    assert refusal.case in GAME.cases
    return refusal.case


def orders(position: Any, verb: str = "") -> list[str]:
    return [str(order) for order in position.legal if not verb or order.verb == verb]


def shifts(position: Any, order: str) -> dict[str, int]:
    """Shifts that count, by case (several of one case are added)."""
    found: dict[str, int] = {}
    for modifier in position.explain(order).modifiers:
        if modifier.counts:
            found[modifier.case] = found.get(modifier.case, 0) + modifier.amount
    return found


def where(position: Any, unit: str) -> str:
    entry = position.document()["units"][unit]
    return "eliminated" if entry.get("eliminated") else entry.get("hex", "")


def steps(position: Any, unit: str) -> int:
    return position.steps[position.slot(unit)]
