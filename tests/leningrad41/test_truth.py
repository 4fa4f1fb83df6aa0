"""Truth that no single case tells: a whole recorded game, and nothing remembered that no longer holds."""

from __future__ import annotations

import lzma
import random
from pathlib import Path

import pytest

from ladoga.kernel.errors import BadRecord
from ladoga.kernel.record import Record

GOLDEN = Path(__file__).parent / "golden.record.xz"
EARLIER = Path(__file__).parent / "golden-0.2.record.xz"


def test_the_recorded_game_replays_to_the_bit(game):
    """Ten turns of two staffs (and some odd marches) with every optional rule in use, to the count of the
    objectives. A change of the rules or of the figures that touches any of it shows here first."""
    record = Record.parse(lzma.decompress(GOLDEN.read_bytes()).decode())
    last = record.check(game)
    assert last.digest() == record.digest
    assert last.turn == game.turns
    assert last.outcome is not None
    assert last.outcome.case in ("4.3", "4.4")
    kinds: set[str] = set()
    verbs: set[str] = set()
    for number, (order, position) in enumerate(record.positions(game)):
        kinds |= {event.kind for event in position.events}
        verbs |= {order.verb} if order else set()
        if number % 97 == 0:
            assert position == game.position(position.document()), order
    assert {"fire", "result", "advance", "reveal", "rubble", "arrive", "fleet"} <= kinds
    assert {
        "enter",
        "move",
        "attack",
        "advance",
        "flip",
        "replace",
        "place",
        "metro",
        "bridge",
        "sail",
        "lose",
    } <= verbs


def test_a_record_replays_with_the_figures_it_was_played_with(game):
    """The combat table was judged otherwise up to version 0.2."""
    record = Record.parse(lzma.decompress(EARLIER.read_bytes()).decode())
    earlier = record.game()
    assert earlier.changes == ("tables.yaml: combat.eliminated_on 2, 3, 4, 5, 6, 7 -> 1, 2, 3, 4, 5, 6",)
    assert record.check().digest() == record.digest
    with pytest.raises(BadRecord):
        record.check(game)


@pytest.mark.parametrize(
    ("seed", "options"),
    [(11, {}), (12, {"defensive-states": True, "airborne-assault": True}), (13, {"fanaticism": True})],
)
def test_what_is_remembered_is_what_a_fresh_position_finds(game, seed, options):
    """A position that has come down a whole game, with all it remembers of the way, and the same position read
    from its document give the same orders, the same reach and the same fields of fire."""
    rng = random.Random(seed)
    pos = game.start(options=options)
    step = compared = 0
    while pos.to_move is not None:
        if pos.to_move != "chance":
            step += 1
            if step % 3 == 0:
                list(pos.legal)  # so that there is something to remember
            if step % 11 == 0:
                compare(pos, game.position(pos.document()), rng)
                compared += 1
        order = pos.legal.random(rng)
        if pos.to_move != "chance" and order.verb in ("move", "end") and rng.random() < 0.3:
            order = rng.choice(list(pos.legal))
        pos = pos.play(order)
    assert compared > 20


def compare(pos, fresh, rng):
    assert list(pos.legal) == list(fresh.legal)
    for side in pos.game.sides:
        assert pos.zoc(side) == fresh.zoc(side)
    assert pos.table() == fresh.table()
    units = [c.id for c in fresh.table().counters if c.hex and c.side == pos.to_move]
    for unit in rng.sample(units, min(5, len(units))):
        ours, theirs = pos.reach(unit), fresh.reach(unit)
        assert list(ours) == list(theirs)
        for number in rng.sample(list(theirs), min(4, len(theirs))):
            assert ours[number] == theirs[number]
        assert pos.legal.of(unit) == fresh.legal.of(unit)
