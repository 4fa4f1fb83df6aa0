"""Phases end at their word: what holds in every game, checked along random games."""

from __future__ import annotations

import random

import pytest

import ladoga
from ladoga.kernel.orders import END, Order
from ladoga.kernel.position import CHANCE, PASSED, Phase, going_on, passed

OWN_WORDS: dict[str, frozenset[str]] = {
    "leningrad-1979": frozenset(),
    "leningrad-2010": frozenset({"bid", "lot"}),
    "leningrad41": frozenset(),
    "tijvin-1941": frozenset({"activate", "pass"}),
    "assault-leningrad": frozenset(),
    "assault-stalingrad": frozenset(),
}
"""Games whose phases stay open until their word is said, each with the orders that are a word too: a bid or an
activation is all there is to do in its phase."""

GAMES = list(OWN_WORDS)


def walk(game, seed, most=1500):
    """Positions of a random game, each with the order that is played next and what comes of it."""
    rng, position = random.Random(seed), game.start()
    for _ in range(most):
        if position.to_move is None:
            return
        order = position.legal.random(rng)
        following = position.play(order)
        yield position, order, following
        position = following


def moment(position):
    return position.turn, position.phase.id


@pytest.mark.parametrize("game_id", GAMES)
def test_no_phase_of_a_side_is_left_without_its_word(game_id):
    """Neither the last thing that can be done nor the die that ends the last fight closes a phase; after its word there
    may be dice to roll, or stacks to cut down. A phase in which its side was never asked may pass, and is told."""
    game, closed, opened, ended = ladoga.load(game_id), 0, set(), set()
    for position, order, following in walk(game, 5):
        if position.to_move == position.phase.side:
            opened.add(moment(position))
        if order == END and position.choice is None:
            ended.add(moment(position))
        if moment(position) == moment(following):
            continue
        closed += 1
        told = [event.facts[0] for event in following.events if event.kind == PASSED]
        if following.phase.side != position.phase.side:
            assert following.phase.title not in told, "what passed is not open"
        if moment(position) in ended or order.verb in OWN_WORDS[game_id] or not position.phase.side:
            continue
        assert moment(position) not in opened, f"{order} closes {position.phase.id}"
        assert position.phase.title in told, f"{order} closes {position.phase.id} without a word"
    assert closed > 10


@pytest.mark.parametrize("game_id", GAMES)
def test_a_phase_is_ended_by_its_name_and_by_no_other(game_id):
    game, ended, chosen = ladoga.load(game_id), 0, 0
    for position, _, _ in walk(game, 6):
        if position.to_move == CHANCE:
            assert position.why_not(Order("end", words=(position.phase.id,))) is not None
            continue
        here, plain = position.phase.id, position.why_not(END)
        for phase in game.phases:
            refusal = position.why_not(f"end {phase.id}")
            if position.choice is not None:
                chosen += 1
                assert refusal is not None
                assert position.choice in refusal.message
                assert ("plain 'end'" in refusal.message) == (plain is None)
            elif phase.id == here:
                assert refusal == plain
            else:
                assert refusal is not None
                assert here in refusal.message
        if position.choice is None and plain is None:
            ended += 1
            assert position.play(f"end {here}") == position.play(END)
            assert Order("end", words=(here,)) not in list(position.legal), "the plain form is listed"
    assert ended > 10
    assert chosen > 10


@pytest.mark.parametrize("game_id", GAMES)
def test_a_position_always_has_an_order(game_id):
    for position, order, _ in walk(ladoga.load(game_id), 8):
        assert order in position.legal


def test_chance_cancels_only_where_nothing_else_can_be_done():
    rng, begun = random.Random(1), [Order("add", ("12",)), Order("cancel"), Order("commit")]
    assert {going_on(Order("cancel"), begun.__iter__, rng).verb for _ in range(40)} == {"add", "commit"}
    assert going_on(Order("commit"), begun.__iter__, rng) == Order("commit")
    assert going_on(Order("cancel"), [Order("cancel")].__iter__, rng) == Order("cancel")


def test_a_phase_that_passes_is_told_with_its_name_side_and_case():
    event = passed(Phase("german-combat", "german", "3.0", "German combat"))
    assert (event.kind, event.text, event.side, event.case) == (PASSED, "German combat: nothing to do", "german", "3.0")


def test_end_takes_the_name_of_a_phase_in_every_game():
    for game in map(ladoga.load, ladoga.game_ids()):
        assert game.grammar.verbs["end"].usage == "end PHASE?"
        assert str(game.parse("end german-combat")) == "end german-combat"
        refusal = game.start().why_not("end supper")
        assert refusal is not None
        with pytest.raises(ladoga.BadOrder):
            game.parse("end german-combat now")
