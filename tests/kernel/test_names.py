"""Units by their full names, and what a side is asked, in every game."""

import random
import re

import pytest

from ladoga import game_ids, load
from ladoga.kernel.asking import asked
from ladoga.kernel.names import Names, full_name
from ladoga.kernel.position import CHANCE


def walk(game, orders=220, seed=4):
    """Positions of a random game, each with what was ordered to come there."""
    position, rng = load(game).start(), random.Random(seed)
    yield None, position
    for _ in range(orders):
        if position.to_move is None:
            return
        order = position.legal.random(rng)
        position = position.play(order)
        yield order, position


@pytest.mark.parametrize("game", game_ids())
def test_every_counter_has_a_name_to_be_read(game):
    for _, position in walk(game, 60):
        for counter in position.table().counters:
            name = full_name(counter)
            assert name
            assert not name.startswith("back-")
            assert "D.F." not in name
            if counter.face_down:
                assert name.startswith("hidden unit")


@pytest.mark.parametrize("game", game_ids())
def test_what_happens_is_told_without_the_keys_of_hidden_units(game):
    for side in load(game).sides:
        names = Names()
        for _, position in walk(game):
            view = position.view(side)
            names.look(view.table().counters)
            for event in view.events:
                told = names.tell(event)
                assert told[:1] == told[:1].upper()
                assert not re.search(r"\bback-\d", told), told


def test_a_name_is_not_told_before_it_is_known():
    position = load("leningrad-1979").start()
    names = Names()
    names.look(position.view("german").table().counters)
    assert names.known["i8"] == "hidden rifle division i8"
    assert names.known["1/41"] == "1st Panzer Division"


@pytest.mark.parametrize("game", game_ids())
def test_whoever_is_to_move_is_asked_something_and_its_end_does_what_it_says(game):
    for _, position in walk(game):
        side = position.to_move
        if side in (None, CHANCE):
            continue
        view = position.view(side)
        told = asked(view)
        assert told.what
        end = told.ending
        assert bool(end.order) != bool(end.held)
        if end.order:
            after = position.play(end.order)
            if end.label.startswith("End "):
                assert end.order == f"end {view.phase.id}"
                moved_on = (after.phase.id, after.turn) != (position.phase.id, position.turn)
                assert moved_on or after.to_move == CHANCE or after.prompt != position.prompt
            else:
                assert end.order == "end"
        else:
            assert view.why_not("end") is not None
            assert len(end.held.split()) <= 5
        other = next(s for s in position.game.sides if s != side)
        assert asked(position.view(other)).what == ""
