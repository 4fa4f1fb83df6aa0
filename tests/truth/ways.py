"""Ways named hex by hex, plain and strange, held against the single steps they are made of; the same for every game.

``check`` takes a position, a unit and a way. Where units may go on after a step the single steps are simply played, one
after the other. Where a unit moves once a phase, each step is played by itself and the unit then set down again as it
was before it moved, in the hex it came to.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import ladoga
from ladoga.kernel.orders import Order
from ladoga.kernel.position import Position


class Family(NamedTuple):
    """What the net must know of a game."""

    goes_on: bool
    """Whether a unit that has made a step may make another."""
    stacks: bool = False
    """Whether two units of a hex may move together, and go on together."""
    marks: tuple[str, ...] = ()
    """The keys of a document under which a move may leave marks: each names hexes."""
    bystanders: bool = False
    """Whether a move may change what is noted of other units (who has ended his move, say)."""
    links: bool = False
    """Whether hexes that are not neighbours can be one place, on two maps."""
    supply_kept: bool = False
    """Whether a document says of a unit that it was in supply, where that is not what its hex would tell."""
    endings: frozenset[str] = frozenset()
    """Where units move once a phase: the cases by which a move may not end where it may pass (full hexes)."""
    limits: frozenset[str] = frozenset()
    """Where units move once a phase: the cases that limit a whole move though each of its steps is legal by itself
    (points, stops on the way)."""


ASSAULT = Family(
    goes_on=False, marks=("german-held", "captured"), bystanders=True, links=True, supply_kept=True,
    limits=frozenset({"6.13", "6.33", "8.33", "9.2", "9.4", "11.21", "19.31"}),
)  # fmt: skip

TIJVIN = Family(
    goes_on=False, marks=("control",), endings=frozenset({"4"}), limits=frozenset({"4", "5", "12"})
)  # fmt: skip

FAMILIES = {
    "leningrad-1979": Family(goes_on=True, stacks=True, marks=("forts",), bystanders=True),
    "leningrad-2010": Family(goes_on=True, stacks=True, marks=("forts",), bystanders=True),
    "leningrad41": Family(goes_on=True, marks=("control",)),
    "tijvin-1941": TIJVIN,
    "assault-leningrad": ASSAULT,
    "assault-stalingrad": ASSAULT,
}


def named(unit: str) -> tuple[str, ...]:
    """The units of a stack, as orders name them."""
    return tuple(unit.split("+"))


def hex_of(position: Position, unit: str) -> str:
    return position.hex(named(unit)[0])


# Ways ----------------------------------------------------------------------------------------------


def neighbours(position: Position, number: str) -> list[str]:
    grid = position.map.grid
    return [grid.number(h) for h in grid.neighbours(grid.hex(number)) if h >= 0] if number in grid else []


def ways(position: Position, unit: str, rng: random.Random) -> Iterator[tuple[str, list[str]]]:
    """Strange ways of a unit, each with what is strange about it; the hex it stands in is left out."""
    start, numbers = hex_of(position, unit), list(position.map.grid.numbers)

    def stroll(here: str, steps: int) -> list[str]:
        way: list[str] = []
        for _ in range(steps):
            here = rng.choice(neighbours(position, here) or [here])
            way.append(here)
        return way

    one, two, long = stroll(start, 1), stroll(start, 2), stroll(start, rng.randint(3, 6))
    yield "a step", one
    yield "a stroll", two
    yield "a long stroll", long
    yield "double back", [*one, start]
    yield "double back and go again", [*one, start, *one]
    yield "a round", [*two, *reversed(two[:-1]), *stroll(two[0], 2)]
    yield "off the map", [*one, "9999", *one]
    yield "a jump", [*one, rng.choice(numbers), *stroll(start, 1)]
    yield "a jump and back", [*one, *rng.sample(numbers, min(3, len(numbers))), *one]
    yield "the same hex twice", [*one, *one]
    for way in _towards_enemies(position, start, rng):
        yield "through an enemy", [*way, *stroll(way[-1], 1)]
        yield "past an enemy", [*way[:-1], *stroll(way[-2] if len(way) > 1 else start, 2)]


def _towards_enemies(position: Position, start: str, rng: random.Random) -> list[list[str]]:
    """A way of one or two hexes into an enemy, if one is so near."""
    taken = {c.hex for c in position.table().counters if c.hex and c.side != position.to_move}
    found = [[one] for one in neighbours(position, start) if one in taken]
    found += [[one, two] for one in neighbours(position, start) for two in neighbours(position, one) if two in taken]
    return rng.sample(found, min(1, len(found)))


# Single steps --------------------------------------------------------------------------------------


class Steps(NamedTuple):
    """What single steps come to."""

    refused: str = ""
    cost: Fraction = Fraction(0)
    after: Position | None = None
    interrupted: int = 0
    """How many steps were made when something else came first; 0 if nothing did."""


def step_by_step(position: Position, unit: str, way: list[str], family: Family) -> Steps:
    now, here, cost = position, hex_of(position, unit), Fraction(0)
    for number, there in enumerate(way, 1):
        order = Order("move", named(unit), (here, there))
        refusal = now.why_not(order)
        if refusal is not None and refusal.case in family.endings and number < len(way):
            return Steps("", cost, now, number)
        if refusal is not None:
            return Steps(f"{order}: {refusal.message} [{refusal.case}]", cost)
        cost += now.cost(order)
        before, now = now, now.play(order)
        stopped = hex_of(now, unit) != there
        if stopped or (now.to_move, now.choice, now.phase) != (position.to_move, None, position.phase):
            return Steps("", cost, now, number)
        if not family.goes_on and number < len(way):
            now = set_down(before, now, unit, there)
        here = there
    return Steps("", cost, now)


def set_down(before: Position, after: Position, unit: str, there: str) -> Position:
    """The position after a step with the unit as it was before, only in another hex."""
    document, entry = after.document(), {**before.document()["units"][unit], "hex": there}
    if FAMILIES[before.game.id].supply_kept:
        states = next(counter.states for counter in before.table().counters if counter.id == unit)
        entry["supply"] = "out" if "unsupplied" in states else "in"
    document["units"] = {**document["units"], unit: entry}
    return before.game.position(document)


# What must hold ------------------------------------------------------------------------------------


def check(position: Position, unit: str, way: list[str], tried: Counter[str]) -> None:
    """Hold a way against its single steps, and what it changes against the hexes on it."""
    family, start = FAMILIES[position.game.id], hex_of(position, unit)
    whole = Order("move", named(unit), (start, *way))
    refusal = position.why_not(whole)
    if len(way) > 1 and way[0] != start:
        assert (position.why_not(Order("move", named(unit), tuple(way))) is None) == (refusal is None), str(whole)
    if refusal is None:
        tried["legal"] += 1
        check_going(position, unit, start, way, whole, family)
    steps = step_by_step(position, unit, way, family)
    if steps.interrupted:
        tried["interrupted"] += 1
        return
    if family.goes_on:
        said = steps.refused or "every step is legal"
        assert (refusal is None) == (not steps.refused), f"{whole}: {refusal} but {said}"
    elif refusal is None:
        assert not steps.refused, f"{whole} is legal but {steps.refused}"
    elif not steps.refused:
        tried["too far together"] += 1
        assert refusal.case in family.limits, f"{whole}: {refusal} though every step is legal"
    if refusal is None:
        same_end(position, unit, whole, steps, family)


def check_going(position: Position, unit: str, start: str, way: list[str], whole: Order, family: Family) -> None:
    """A legal way goes from neighbour to neighbour, on the map and not through the enemy, and changes only what lies
    on it."""
    grid, here = position.map.grid, start
    assert all(number in grid for number in way), f"{whole} leaves the map"
    for there in way:
        near = grid.adjacent(grid.hex(here), grid.hex(there))
        between_maps = family.links and not (here.isdigit() and there.isdigit())
        assert near or between_maps, f"{whole} jumps from {here} to {there}"
        here = there
    held = {c.hex for c in position.table().counters if c.hex and c.side != position.to_move}
    assert not held & set(way) or position.game.id == "leningrad41", f"{whole} goes through the enemy"
    after = position.play(whole)
    before_document, document = position.document(), after.document()
    for key in family.marks:
        for number in _changed(before_document.get(key), document.get(key)):
            assert number in {start, *way}, f"{whole} changed {key} in {number}"
    if not family.bystanders:
        for other, entry in document["units"].items():
            assert other in named(unit) or entry == before_document["units"].get(other), f"{whole} changed {other}"


def _changed(before: Any, after: Any) -> set[str]:
    """The hexes of which a mark came, went or changed."""
    old, new = _flat(before), _flat(after)
    return {name for name in {*old, *new} if old.get(name) != new.get(name)}


def _flat(marks: Any) -> dict[str, Any]:
    if isinstance(marks, dict):
        return {str(key): value for key, value in marks.items()} | {
            str(item): key for key, value in marks.items() if isinstance(value, list) for item in value
        }
    return {str(item): True for item in marks or ()}


def same_end(position: Position, unit: str, whole: Order, steps: Steps, family: Family) -> None:
    """The same cost, the same marks left behind, and where units go on the very same position."""
    after = position.play(whole)
    assert steps.after is not None
    assert position.cost(whole) == steps.cost, f"{whole}: {position.cost(whole)} and not {steps.cost}"
    one, other = after.document(), steps.after.document()
    if family.goes_on:
        assert one == other, f"{whole}: {_difference(one, other)}"
    for key in family.marks:
        assert one.get(key) == other.get(key), f"{whole}: {key}"
    assert hex_of(after, unit) == hex_of(steps.after, unit)


def _difference(one: dict[str, Any], other: dict[str, Any]) -> str:
    return "; ".join(f"{key}: {one.get(key)!r} / {other.get(key)!r}"[:600] for key in {*one, *other}
                     if one.get(key) != other.get(key))  # fmt: skip


# The net -------------------------------------------------------------------------------------------


def cast(game_id: str, seed: int, orders: int, every: int) -> Counter[str]:
    """Play a random game and hold strange ways of some units against their steps every now and then; tells what was
    tried."""
    game, rng, tried = ladoga.load(game_id), random.Random(seed), Counter[str]()
    position = game.start()
    for number in range(orders):
        if position.to_move is None:
            position = game.start()
        if number % every == 0 and position.phase.id.endswith("movement") and position.to_move == position.phase.side:
            for unit in _movers(position, rng):
                for kind, way in ways(position, unit, rng):
                    tried[kind] += 1
                    check(position, unit, way, tried)
        position = position.play(position.legal.random(rng))
    return tried


def _movers(position: Position, rng: random.Random) -> list[str]:
    """Two units that can move now, near the enemy if such are found; on turn 1 Soviets do not go where they like."""
    if position.choice is not None or (position.turn == 1 and position.to_move == "soviet"):
        return []
    units = [unit for unit in position.units(str(position.to_move)) if hex_of(position, unit) in position.map.grid]
    zone = position.zoc(next(side for side in position.game.sides if side != position.to_move))
    near = [unit for unit in units if zone & {hex_of(position, unit), *neighbours(position, hex_of(position, unit))}]
    some = rng.sample(near, min(6, len(near))) + rng.sample(units, min(3, len(units)))
    able = list(dict.fromkeys(unit for unit in some if position.reach(unit)))[:2]
    pairs = (f"{one}+{other}" for one in able for other in units if one != other)
    stacks = FAMILIES[position.game.id].stacks
    return able + [pair for pair in pairs if stacks and len({position.hex(unit) for unit in named(pair)}) == 1][:2]
