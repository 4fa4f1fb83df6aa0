"""What chance draws from the legal orders: every one that is listed, and nothing that is not."""

from __future__ import annotations

import random

import pytest

import ladoga
from ladoga.kernel import position as contract
from ladoga.kernel import sequence
from ladoga.kernel.orders import Order, Role
from ladoga.kernel.position import CANCEL

GAMES = ladoga.game_ids()


def moments(game_id, seed, most, orders):
    """Positions of random games in which a side decides, some of each kind of moment, with no endless lists."""
    game, seen = ladoga.load(game_id), {}
    rng = random.Random(seed)
    while seen.get("games", 0) < 3:
        seen["games"] = seen.get("games", 0) + 1
        position = game.start()
        while position.to_move is not None:
            kind = position.phase.id, position.choice
            if position.chance is None and seen.get(kind, 0) < most and rng.random() < 0.1:
                listed = list(position.legal)
                if 1 < len(listed) <= orders:
                    seen[kind] = seen.get(kind, 0) + 1
                    yield position, listed
            position = position.play(position.legal.random(rng))


def in_plain(order, listed, role):
    """Whether a list has an order in its plainest form: a move by where it ends, an attack by how it begins, with its
    target or with a unit that joins."""
    if order in listed:
        return True
    if role(order) is Role.STRIKE:
        aims = {other.hexes for other in listed if role(other) is Role.AIM}
        joins = {other.units for other in listed if role(other) is Role.JOIN}
        return any(set(aim) <= set(order.hexes) for aim in aims) or any(set(join) <= set(order.units) for join in joins)
    ends = [Order(order.verb, order.units, order.hexes[-1:], words) for words in ((), order.words)]
    return len(order.hexes) > 1 and any(end in listed for end in ends)


def draw_all(position, listed, rng, tries):
    """Draw until every listed order has come up; what never did."""
    missing, known, role = set(listed), set(listed), position.game.role
    told = set()
    for _ in range(tries):
        order = position.legal.random(rng)
        missing.discard(order)
        if order not in told:
            told.add(order)
            assert position.why_not(order) is None, str(order)
            assert in_plain(order, known, role), str(order)
        if not missing:
            break
    return sorted(map(str, missing))


@pytest.mark.parametrize("game_id", GAMES)
def test_every_listed_order_is_drawn_sooner_or_later(game_id):
    rng, kinds = random.Random(5), set()
    for position, listed in moments(game_id, 5, most=1, orders=150):
        tries = int(200 * len(listed) / contract.LISTED)
        assert draw_all(position, listed, rng, tries) == [], position.phase.id
        kinds |= {order.verb for order in listed}
    assert {"move", "end"} <= kinds


@pytest.mark.parametrize("game_id", GAMES)
def test_long_lists_are_drawn_whole_too(game_id, monkeypatch):
    """With nothing drawn but what is listed: unit by unit where they move, so that no list is made for one order."""
    for module in (contract, sequence):
        monkeypatch.setattr(module, "LISTED", 1.0)
    rng, longest = random.Random(6), 0
    for position, listed in moments(game_id, 6, most=1, orders=700):
        assert draw_all(position, listed, rng, 200 * len(listed)) == [], position.phase.id
        longest = max(longest, len(listed))
    assert longest > 100


@pytest.mark.parametrize("game_id", GAMES)
def test_what_was_begun_is_seldom_cancelled(game_id):
    rng, position, cancelled, orders = random.Random(7), ladoga.load(game_id).start(), 0, 0
    while position.to_move is not None:
        order = position.legal.random(rng)
        others = order.verb == CANCEL and len(list(position.legal)) > 1
        cancelled, orders = cancelled + others, orders + 1
        position = position.play(order)
    assert cancelled < orders / 50
