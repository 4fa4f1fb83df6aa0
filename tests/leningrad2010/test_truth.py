"""Truth that no single case tells: a recorded battle, counted orders, units kept whole."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ladoga.kernel.record import Record

from .field import GAME, field, german, panzer, soviet

GOLDEN = Path(__file__).parent / "golden.record"


def test_the_recorded_battle_replays_to_the_bit():
    """Three turns on a small field: overruns, forts, a regeneration, overfull stacks, retreats. A change of the rules
    that touches any of it shows here first."""
    record = Record.read(GOLDEN)
    last = record.check(GAME)
    assert last.digest() == record.digest
    kinds = {event.kind for _, position in record.positions(GAME) for event in position.events}
    assert {"overrun", "attack", "revealed", "rebuilt", "fort destroyed", "no retreat", "advanced"} <= kinds
    for order, position in record.positions(GAME):
        assert position == GAME.position(position.document()), order


FAR = {"e1": soviet("0909")}
WOOD = {f"{c:02}{r:02}": "forest" for c in range(1, 10) for r in range(1, 10)}


@pytest.mark.parametrize(
    ("unit", "more", "moves"),
    [
        (german("0505"), {}, 79),  # no corner is more than six hexes away: 81 less its own hex and the enemy's
        (german("0505"), {"hexes": WOOD}, 36),  # three hexes of forest each way: 6 + 12 + 18
        (german("0505"), {"hexes": WOOD, "hungry": "x1"}, 6),  # three points: one hex
        (panzer("0505"), {"hexes": dict.fromkeys(WOOD, "swamp")}, 18),  # eight points, three a hex: 6 + 12
        (panzer("0505"), {"hexes": dict.fromkeys(WOOD, "swamp"), "hungry": "x1"}, 6),
    ],
)
def test_counted_moves(unit, more, moves):
    position = field("german-movement", {"x1": unit, **FAR}, size=(9, 9), **more)
    listed = [order for order in position.legal if order.verb == "move"]
    assert len(listed) == moves
    assert position.legal.count() == moves + 1, "and the end of the phase"


def test_counted_set_up():
    """24 German units: 18 infantry with ten hexes each, six panzer units with seven."""
    position = GAME.start()
    rng = random.Random(1)
    while position.phase.id == "soviet-set-up":
        position = position.play(position.legal.random(rng))
    assert position.legal.count() == 18 * 10 + 6 * 7
    position = position.play("place 1 0007").play("place 11 0007")
    assert position.legal.count() == 16 * 7 + 6 * 7


@pytest.mark.case("leningrad-2010", "4.6")
@pytest.mark.parametrize("seed", [31, 32])
def test_units_are_kept_whole_and_stacked(seed):
    rng = random.Random(seed)
    position = GAME.start()
    while position.to_move is not None:
        standing = 0
        for h, stack in position.at.items():
            assert len({position.pieces[s].side for s in stack}) == 1, "never two sides in a hex"
            assert position.ground.land >> h & 1
            mine = position.pieces[stack[0]].side == position.mover
            assert len(stack) <= 3 or (mine and position.phase.id.endswith(("movement", "set-up")))
            standing += len(stack)
        faces = [face for face in position.faces if face >= 0]
        assert len(faces) == len(set(faces)), "every counter once"
        assert standing == sum(h >= 0 for h in position.hexes)
        assert sum(position.air_on.values()) + position.air_used <= (1 if position.turn < 7 else 2)
        assert position.forts.bit_count() <= position.forts_used <= 12
        position = position.play(position.legal.random(rng))
