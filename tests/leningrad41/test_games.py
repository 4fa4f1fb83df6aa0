"""Whole games: they end, they replay, and nothing illegal gets through."""

from __future__ import annotations

import random

import pytest

import ladoga
from ladoga.kernel.record import Header, Record

G = "leningrad41"

OPTIONS = [
    {},
    {"defensive-states": True, "airborne-assault": True},
    {"fanaticism": True, "defensive-fire-caps": False},
    {"fanaticism": True, "airborne-assault": True, "defensive-states": True},
]


@pytest.mark.parametrize("seed", range(4))
def test_random_games_end_and_replay(game, seed):
    rng = random.Random(seed)
    pos = game.start(options=OPTIONS[seed])
    record = Record(Header(G, ladoga.__version__, options=OPTIONS[seed]))
    number = 0
    while pos.to_move is not None:
        order = pos.legal.random(rng)
        record.add(pos, order)
        pos = pos.play(order)
        number += 1
        assert number < 6000
        if number % 60 == 0:
            check(game, pos, rng)
    assert pos.outcome.winner in ("german", "soviet")
    record.digest = pos.digest()
    again = Record.parse(record.text())
    assert again.check(game).digest() == pos.digest()


def check(game, pos, rng):
    """What must hold in every position."""
    document = pos.document()
    assert game.position(document).document() == document
    for side in (0, 1):
        assert pos.occupied[side] == sum({1 << pos.where[p] for p in range(len(pos.where))
                                          if pos.where[p] >= 0 and pos.roster.side[p] == side})  # fmt: skip
    assert not pos.occupied[0] & pos.occupied[1]
    for h, stack in pos.stacks.items():
        assert stack
        assert all(pos.where[p] == h for p in stack)
    if pos.to_move in (None, "chance"):
        return
    orders = list(pos.legal)
    assert orders
    assert len(set(orders)) == len(orders)
    assert orders == list(game.position(document).legal)  # what was remembered on the way here still holds
    for order in rng.sample(orders, min(8, len(orders))):
        assert game.parse(str(order)) == order
        assert order in pos.legal
        pos.play(order)
    unit = rng.choice(orders).units
    if unit:
        assert set(pos.legal.of(unit[0])) == {o for o in orders if unit[0] in o.units}


@pytest.mark.parametrize("seed", range(3))
def test_nothing_illegal_gets_through(game, seed):
    rng = random.Random(100 + seed)
    pos = game.start(options=OPTIONS[3])
    names = [*game.units, *(f"back-{n}" for n in range(1, 40)), "nobody"]
    numbers = [*game.map.grid.numbers, "9999"]
    verbs = list(game.grammar.verbs)
    tried = refused = 0
    for number in range(1400):
        if pos.to_move is None:
            break
        pos = pos.play(pos.legal.random(rng))
        if number % 14 or pos.to_move is None:
            continue
        before = pos.document()
        for _ in range(12):
            verb = game.grammar.verbs[rng.choice(verbs)]
            if verb.name == "concede":
                continue
            order = ladoga.Order(
                verb.name,
                tuple(rng.sample(names, rng.choice((1, 1, 2)))) if "units" in verb.slots else (),
                tuple(rng.sample(numbers, rng.choice((1, 1, 2)))) if "hexes" in verb.slots else (),
                (rng.choice(("motorized", "assault", "3M", "4")),) if "word" in verb.slots else (),
            )
            tried += 1
            legal = order in pos.legal
            if legal:
                pos.play(order)
            else:
                refused += 1
                with pytest.raises(ladoga.Illegal):
                    pos.play(order)
        assert pos.document() == before
    assert tried > 600
    assert refused > tried * 0.9


def test_every_refusal_names_a_case_of_the_book(game):
    rng = random.Random(5)
    pos = game.start()
    verbs = ("move", "enter", "attack", "add", "flip", "replace", "place", "bridge", "metro", "sail", "drop", "end")
    for number in range(900):
        if pos.to_move is None:
            break
        pos = pos.play(pos.legal.random(rng))
        if number % 5 or pos.to_move in (None, "chance"):
            continue
        slots = game.grammar.verbs[rng.choice(verbs)]
        order = ladoga.Order(
            slots.name,
            (rng.choice(list(game.units)),) if "units" in slots.slots else (),
            (rng.choice(list(game.map.grid.numbers)),) if "hexes" in slots.slots else (),
            ("3M",) if slots.name == "replace" else (),
        )
        refusal = pos.why_not(order)
        if refusal is not None:
            assert refusal.case in game.cases, refusal
