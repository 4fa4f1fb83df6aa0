"""Nobody learns what is hidden: twin games that differ in nothing else look the same until the rules tell.

A slice of it runs with the suite; ``make soak`` sets LADOGA_TWINS to the number of pairs of each kind to be played.
"""

from __future__ import annotations

import os
import random
import zlib
from collections import Counter
from typing import Any

import pytest

import ladoga
from ladoga.kernel.position import OBSERVER, Position
from truth.twins import (
    Found,
    Hides,
    Licence,
    beginnings,
    imagined,
    moments,
    play_apart,
    play_dice,
    play_twins,
    reassigned,
    redistributed,
)

PAIRS = int(os.environ.get("LADOGA_TWINS", "0"))
"""Pairs of each kind in a long run; 0 is the slice of the suite."""
STEPS = 60 if PAIRS else 18

FOG = {"fog-of-war": True}


def told_by_step(one: Position, two: Position, side: str) -> bool:
    """Tijvin: zones told where a rule needs them (17.1), an efficiency chosen because factors tie (13 II d), a city
    held to the last because enough factors are left for it (13 V)."""
    first, second = (p.view(side)._position for p in (one, two))
    steps = {getattr(one, "stage", ""), getattr(two, "stage", "")}
    return bool(getattr(first, "shown", None) != getattr(second, "shown", None) or steps & {"rating", "stand"})


LICENCES = {
    "tijvin-1941": Licence(
        frozenset({"odds", "stopped", "asked", "supply", "command", "casualties", "destroyed", "delayed", "retreats"}),
        frozenset({"moves", "rolls", "loss", "leaves", "hq-lost", "phase passed"}),
        told_by_step,
    ),
    "leningrad41": Licence(frozenset({"reveal"}), frozenset({"fire"})),
}
"""What the books let the other side know: announced factors, zones met or avoided in retreat, supply and command marks,
losses; a counter that is turned over."""

SECRETS: list[tuple[str, dict[str, Any], Any, tuple[str, ...]]] = [
    ("tijvin-1941", FOG, imagined, ("",)),
    ("tijvin-1941", FOG, reassigned, ("-activation",)),
    ("tijvin-1941", FOG, redistributed, ("-combat",)),
    ("leningrad41", {}, imagined, ("",)),
]
"""Games, options, how a twin is made, and the phases in which it is made."""


def seed(*parts: object) -> int:
    """The same on every machine."""
    return zlib.crc32(repr(parts).encode())


def under_way(position: Any) -> bool:
    """Whether a unit is on its way: where it goes on to its player alone knows, so no twin does the same."""
    return any(item.at == "walk" for item in position.agenda)


def complain(found: Found, side: str) -> str:
    return f"{side} can tell after {found.orders[-3:]}: {found.leak}"


@pytest.mark.case("tijvin-1941", "17.1")
@pytest.mark.case("leningrad41", "6.5", "6.6")
@pytest.mark.parametrize(
    ("game_id", "options", "twin", "phases"), SECRETS, ids=lambda v: getattr(v, "__name__", str(v))
)
def test_twins_are_told_apart_by_the_rules_alone(game_id, options, twin, phases):
    game = ladoga.load(game_id)
    rng = random.Random(seed(game_id, twin.__name__))
    ends: Counter[str] = Counter()
    pairs = PAIRS or 6
    steps = 0
    for position in moments(game, options, rng, apart=150, phases=phases):
        for side in (*game.sides, OBSERVER):
            other = twin(position, side, rng)
            if other.document() == position.document() or under_way(position):
                continue
            found = play_twins(position, other, side, LICENCES[game_id], rng, most=STEPS, deep=bool(PAIRS))
            assert not found.leak, complain(found, side)
            steps += found.steps
            ends[found.told or "nothing told"] += 1
        if ends.total() >= pairs:
            break
    print(f"{game_id} {twin.__name__}: {ends.total()} pairs, {steps} orders, {dict(ends)}")
    assert steps > 2 * pairs


def buying(position: Position) -> bool:
    return position.phase.id.endswith("-replacement")


def assigning(position: Position) -> bool:
    return position.phase.id.endswith("-assignment")


def setting_up(position: Position) -> bool:
    return position.phase.id == "soviet-set-up"


def bidding(position: Position) -> bool:
    return position.phase.id.endswith("-bid")


def composing(position: Position) -> bool:
    return getattr(position, "composer", -1) >= 0


BOTH = ("german", "soviet")
HIDDEN_ORDERS: list[tuple[str, dict[str, Any], Hides, tuple[str, ...]]] = [
    ("tijvin-1941", {}, buying, BOTH),
    ("tijvin-1941", FOG, buying, BOTH),
    ("tijvin-1941", FOG, assigning, BOTH),
    ("leningrad41", {}, setting_up, ("soviet",)),
    ("leningrad41", {}, composing, BOTH),
    ("leningrad-2010", {"bid": "secret"}, bidding, ("german",)),
]
"""Games, options, the phase whose orders are hidden, and the sides that give them there."""


@pytest.mark.case("tijvin-1941", "8.P", "9", "17.1")
@pytest.mark.case("leningrad41", "3.2", "10.3")
@pytest.mark.case("leningrad-2010", "16.4")
@pytest.mark.parametrize(
    ("game_id", "options", "hidden", "sides"), HIDDEN_ORDERS, ids=lambda v: getattr(v, "__name__", str(v))
)
def test_orders_given_in_secret_leave_no_trace(game_id, options, hidden, sides):
    game = ladoga.load(game_id)
    rng = random.Random(seed(game_id, hidden.__name__))
    pairs, steps = 0, 0
    first = hidden is composing  # the first order of a fire is hidden already
    source = beginnings if hidden in (setting_up, bidding) else moments
    for position in source(game, options, rng, apart=12, phases=("-fire",) if first else ("",)):
        for side in (*game.sides, OBSERVER):
            if position.to_move == side or position.to_move not in sides or not (first or hidden(position)):
                continue
            found = play_apart(position, side, hidden, rng, most=STEPS)
            assert not found.leak, complain(found, side)
            pairs += bool(found.steps)
            steps += found.steps
        if pairs >= (PAIRS or 4):
            break
    print(f"{game_id} {hidden.__name__}: {pairs} pairs, {steps} orders")
    assert steps >= pairs


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_draws_to_come_are_nowhere(game_id):
    game = ladoga.load(game_id)
    rng = random.Random(seed(game_id))
    steps = pairs = 0
    for position in moments(game, {}, rng, apart=25):
        side = rng.choice((*game.sides, OBSERVER))
        found = play_dice(position, side, rng, most=STEPS // 2)
        assert not found.leak, complain(found, side)
        pairs += 1
        steps += found.steps
        if pairs >= (PAIRS or 4):
            break
    print(f"{game_id}: {pairs} pairs, {steps} orders")
    assert steps
