"""An order that names its hexes is its single steps (8.1): legal exactly when they are, with the same cost and the same
marks left behind; and whatever a move changes was on its way."""

from __future__ import annotations

import os
import random
from itertools import pairwise

import pytest

import ladoga
from ladoga.hexes import members

from .made_up import german, soviet

G = "leningrad41"
SIZE = 9
FIELDS = int(os.environ.get("LADOGA_PATHS", "20"))
"""How many fields; the soak plays more of them."""
KINDS = {
    "german": [
        {}, {"type": "engineer"}, {"type": "panzer", "traits": "armored"}, {"command": "8P"}, {"command": "56"},
        {"command": "56", "type": "engineer"}, {"type": "motorized-infantry", "traits": "assault motorized"},
    ],
    "soviet": [
        {}, {"command": "LFR"}, {"type": "bridge-engineer"}, {"type": "tank", "traits": "armored"},
        {"type": "artillery", "traits": "indirect"}, {"command": "LFR", "type": "marine"}, {"type": "engineer"},
    ],
}  # fmt: skip
EDGES = (
    "major-river",
    "minor-river",
    "major-river bridge",
    "minor-river bridge",
    "prospekt",
    "rail",
    "rail minor-river bridge",
)


def field(game, seed):
    """A crowded little city with rivers, roads, rubble, broken bridges and every kind of unit."""
    rng = random.Random(seed)
    side = rng.choice(("german", "soviet"))
    grid = game.position({"game": G, "turn": 4, "phase": "german-fire", "map": {"blank": [SIZE, SIZE]}}).map.grid
    numbers = sorted(grid.numbers)
    hexes = {n: rng.choice(("urban", "objective", "sea")) for n in numbers if rng.random() < 0.35}
    sides, bridges = {}, []
    for n in numbers:
        for other in grid.neighbours(grid.hex(n))[:3]:
            if other >= 0 and rng.random() < 0.4:
                edge = f"{n}/{grid.number(other)}"
                sides[edge] = rng.choice(EDGES).split()
                if "bridge" in sides[edge]:
                    bridges.append("/".join(sorted((n, grid.number(other)))))
    land = [n for n in numbers if hexes.get(n) != "sea"]
    units, taken = {}, set()
    for k, n in enumerate(rng.sample(land, min(26, len(land)))):
        whose = side if k < 16 else ("german" if side == "soviet" else "soviet")
        maker = german if whose == "german" else soviet
        units[f"u{k}"] = maker(n, **rng.choice(KINDS[whose]))
        taken.add(n)
    free = [n for n in land if n not in taken]
    if side == "soviet" and len(free) > 2:
        units["back-1"] = {"hex": free[0]}
        units["Zhdanov"] = {"hex": free[1]}
    elif len(free) > 1:
        units["Manstein"] = {"hex": free[0]}
    built = [n for n in numbers if hexes.get(n) in ("urban", "objective")]
    return game.position(
        {
            "game": G, "turn": 4, "phase": f"{side}-movement", "units": units,
            "map": {"blank": [SIZE, SIZE], "hexes": hexes, "hexsides": sides,
                    "places": {n: [f"{side}-entry"] for n in rng.sample(land, 3)}},
            "rubble": [n for n in built if rng.random() < 0.2],
            "demolished": [edge for edge in bridges if rng.random() < 0.3],
            "control": [n for n in land if n not in taken | set(free[:2]) and rng.random() < 0.4],
            "defensive-states": rng.random() < 0.2,
        }
    )  # fmt: skip


def wild_path(pos, start, rng):
    """Hexes one after the other, mostly neighbours: back and forth, over again, into enemies, beyond reach and off the
    map."""
    grid, path = pos.map.grid, [start]
    for _ in range(rng.randint(1, 7)):
        if path[-1] not in grid:
            break
        here, luck = grid.hex(path[-1]), rng.random()
        near = [grid.number(h) for h in grid.neighbours(here) if h >= 0]
        if luck < 0.15 and len(path) > 1:
            path.append(path[-2])
        elif luck < 0.2:
            path.append(rng.choice(path))
        elif luck < 0.22:
            path.append(rng.choice(sorted(grid.numbers)))
        elif luck < 0.23:
            path.append("9999")
        else:
            path.append(rng.choice(near))
    return path


def unfired(pos):
    """The position after everybody has let the moving unit pass."""
    while pos.pending and pos.pending[0].kind == "offer":
        pos = pos.play("end")
    return pos


def stepwise(pos, first, name, path, words):
    """The position after the single steps of a path, and what they cost; nothing if one of them is illegal."""
    spent = 0
    orders = [first] if first else []
    orders += [f"move {name} {a}-{b}{words}" for a, b in pairwise(path)]
    for order in orders:
        if pos.why_not(order) is not None:
            return None, 0
        spent += 0 if order == first else pos.cost(order)
        pos = unfired(pos.play(order))
    return pos, spent


def marks(before, after, path):
    """What a move may change is on its way: control of its hexes, and engineers whose bridges it crosses."""
    grid = before.map.grid
    entered = 0
    for number in path:
        entered |= 1 << grid.hex(number)
    assert not (before.control ^ after.control) & ~entered
    for piece in members(after.bridging & ~before.bridging):
        there = next(h for p, h in before.pontoons if p == piece)
        edges = {frozenset(pair) for pair in pairwise(path)}
        assert frozenset((before.number(before.where[piece]), before.number(there))) in edges


def check(pos, name, path, words, first=""):
    whole = f"enter {name} {'-'.join(path)}{words}" if first else f"move {name} {'-'.join(path)}{words}"
    after, spent = stepwise(pos, first, name, path, words)
    assert (pos.why_not(whole) is None) == (after is not None), whole
    if after is None:
        return 0
    assert first or pos.cost(whole) == spent, whole
    played = unfired(pos.play(whole))
    assert played.document() == after.document(), whole
    marks(pos, played, path)
    return 1


def try_paths(pos, rng, tries):
    """Some paths of some units; how many were legal and how many not."""
    side = pos.side
    pieces = [p for p in pos.on_map(side) if pos.unit(p).ground]
    legal = 0
    for _ in range(tries if pieces else 0):
        piece = rng.choice(pieces)
        words = " motorized" if pos.unit(piece).motorized and rng.random() < 0.5 else ""
        legal += check(pos, pos.unit(piece).id, wild_path(pos, pos.number(pos.where[piece]), rng), words)
    return legal


@pytest.mark.case(G, "8.1", "8.3", "6.4")
@pytest.mark.parametrize("seed", range(FIELDS))
def test_a_path_is_its_single_steps(game, seed):
    assert try_paths(field(game, seed), random.Random(seed), 60) > 3


@pytest.mark.case(G, "8.1", "8.8", "8.11")
def test_a_path_is_its_single_steps_in_a_real_game(game):
    rng = random.Random(4)
    pos = game.start(options={"defensive-states": True})
    legal = moments = 0
    while pos.to_move is not None and moments < 60:
        open_ = pos.phase.id.endswith("movement") and not pos.pending
        if open_ and rng.random() < 0.1:
            moments += 1
            legal += try_paths(pos, rng, 12)
        pos = pos.play(pos.legal.random(rng))
    assert legal > 50


@pytest.mark.case(G, "7.1", "19.1", "8.8")
@pytest.mark.parametrize("seed", range(6))
def test_an_entry_with_a_path_is_its_single_steps(game, seed):
    rng = random.Random(seed)
    base = field(game, seed).document()
    names = ("I/8M", "II/8M") if base["phase"].startswith("german") else ("12T/LFR", "62/LFR")
    pos = game.position(base | {"units": base["units"] | {name: {"at": "waiting"} for name in names}})
    entries = [pos.number(h) for h in pos.map.grid.members(pos.ground.entry[pos.side])]
    legal = 0
    for _ in range(60):
        name, start = rng.choice(names), rng.choice(entries)
        words = " motorized" if rng.random() < 0.5 else ""
        path = wild_path(pos, start, rng)
        legal += check(pos, name, path, words, f"enter {name} {start}{words}")
    assert legal or not any(order.verb == "enter" for order in pos.legal)


@pytest.mark.case(G, "8.1", "9.1")
@pytest.mark.parametrize("seed", range(6))
def test_a_move_by_its_end_is_the_way_that_reach_shows(game, seed):
    """Same hexes, same cost, same marks; and no equally cheap way is watched less."""
    pos = field(game, seed)
    rng = random.Random(seed)
    compared = 0
    for piece in pos.on_map(pos.side):
        name = pos.unit(piece).id
        orders = [order for order in pos.legal.of(name) if order.verb == "move"]
        for order in rng.sample(orders, min(6, len(orders))):
            reached = pos.reach(name)[order.hexes[0]]
            words = "".join(f" {word}" for word in order.words)
            path = f"move {name} {'-'.join(reached.path)}{words}"
            assert pos.cost(order) == pos.cost(path) == reached.cost
            assert unfired(pos.play(order)).document() == unfired(pos.play(path)).document()
            compared += 1
    assert compared > 10


@pytest.mark.case(G, "6.1", "6.4", "8.1")
def test_a_unit_may_come_back_to_the_hex_it_left(place):
    pos = place({"s1": soviet("0504"), "s2": soviet("0606"), "x1": german("1111")}, "soviet-movement")
    assert pos.why_not("move s1 0504-0503-0504") is None
    assert pos.play("move s1 0504-0503-0504").document()["moving"]["left"] == 10
    crowded = {"x1": german("0504"), "x2": german("0504"), "x3": german("0504"), "s1": soviet("1111")}
    full = place(crowded, "german-movement")
    refusal = full.why_not("move x1 0504-0503-0504")
    assert refusal is not None
    assert refusal.case == "6.1"


def test_the_road_off_the_map_is_named(place):
    pos = place({"x1": german("0504"), "x2": soviet("1111")}, "german-movement")
    with pytest.raises(ladoga.Illegal, match="the map has no hex 9999"):
        pos.play("move x1 0504-0503-9999")
