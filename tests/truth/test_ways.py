"""A way named hex by hex is what its single steps are, in every game (``LADOGA_WAYS`` orders a game for a long run)."""

from __future__ import annotations

import os

import pytest

import ladoga
from ladoga.games.assault import movement as assault
from ladoga.games.leningrad import reach as leningrad
from ladoga.games.tijvin import movement as tijvin
from truth.ways import FAMILIES, cast

ORDERS = int(os.environ.get("LADOGA_WAYS", "0"))
"""Orders of the random games of a long run, as many for each game; 0 for the quick slice."""

SLICE = {"leningrad-1979": (700, 20), "leningrad-2010": (700, 20), "leningrad41": (1200, 16), "tijvin-1941": (1500, 6),
         "assault-leningrad": (500, 30), "assault-stalingrad": (500, 30)}  # fmt: skip
"""For the quick slice how many orders, and after how many of them strange ways are tried."""


def test_every_game_is_in_the_net():
    assert set(FAMILIES) == set(ladoga.game_ids()) == set(SLICE)


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_a_way_is_legal_exactly_when_its_steps_are_and_changes_what_lies_on_it(game_id, capsys):
    orders, every = (ORDERS, 10) if ORDERS else SLICE[game_id]
    tried = cast(game_id, 1 + ORDERS, orders, every)
    if ORDERS:
        with capsys.disabled():
            print(f"\n{game_id}: {dict(tried)}")
    assert tried["legal"] > 20
    kinds = {"a step", "a long stroll", "double back", "a round", "off the map", "a jump and back", "through an enemy"}
    assert kinds <= set(tried)


# The net holds: rules broken on purpose are caught ---------------------------------------------------


def cast_often(game_id, seeds, orders, every):
    for seed in range(seeds):
        cast(game_id, seed, orders, every)


def test_the_net_catches_a_way_that_is_not_checked_past_its_first_step(monkeypatch):
    """What was once wrong (6.12): a way that ends where its first step led was taken at its word."""
    honest = assault.along

    def trusting(pos, index, mover, path):
        return honest(pos, index, mover, path[:1] if path[0] == path[-1] else path)

    monkeypatch.setattr(assault, "along", trusting)
    with pytest.raises(AssertionError, match=r"^move "):
        cast("assault-leningrad", 1, 500, 20)


def test_the_net_catches_a_way_back_into_a_stack_that_is_too_high(monkeypatch):
    monkeypatch.setattr(leningrad.Group, "crowded", False)
    with pytest.raises(AssertionError, match="more than 3 units"):
        cast_often("leningrad-1979", 40, 40, 1)


def test_the_net_catches_a_price_that_is_not_paid(monkeypatch):
    monkeypatch.setattr(leningrad.Group, "_price_to_leave", lambda self, _: 0 if self.continuing else 4)
    with pytest.raises(AssertionError):
        cast_often("leningrad-2010", 20, 400, 2)


def test_the_net_catches_marks_left_beside_the_way(monkeypatch):
    honest = tijvin.MOVEMENT["move"]

    def beside(p, march):
        hexes = [p.hexes[march.units[0]] + 1, *march.way.hexes]
        honest.carry_out(p, march._replace(way=march.way._replace(hexes=hexes)))

    monkeypatch.setitem(tijvin.MOVEMENT, "move", honest._replace(carry_out=beside))
    monkeypatch.setattr(tijvin, "move", beside)
    with pytest.raises(AssertionError, match="changed control"):
        cast_often("tijvin-1941", 10, 600, 3)
