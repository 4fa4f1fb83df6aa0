"""Whole games at random: they end, orders and documents agree, records replay to the bit."""

import random

import pytest

import ladoga

SETTINGS = [
    ("historical", {}),
    ("historical", {"fog-of-war": True}),
    ("what-if", {"minimum-hq": True}),
    ("what-if", {"fog-of-war": True, "sinyavino": True, "minimum-hq": True}),
    ("german-offensive", {}),
    ("german-offensive", {"fog-of-war": True}),
]


def check(game, position, rng):
    """The listed orders are legal and different; the document reads back to the same position."""
    document = position.document()
    assert game.position(document).document() == document
    listed = [str(o) for o in position.legal]
    assert listed
    assert len(set(listed)) == len(listed)
    for text in rng.sample(listed, min(4, len(listed))):
        assert text in position.legal
        assert str(game.parse(text)) == text


@pytest.mark.case("tijvin-1941", "6", "6.2.3", "6.2.4")
@pytest.mark.parametrize(
    ("scenario", "options"), SETTINGS, ids=lambda v: v if isinstance(v, str) else "+".join(v) or "plain"
)
def test_random_games_end(game, scenario, options):
    rng = random.Random(f"{scenario}{sorted(options)}")
    position, count = game.start(scenario, options), 0
    while position.to_move is not None:
        if count % 23 == 0:
            check(game, position, rng)
        for side in game.sides:
            assert not position.occupied(side) & ~position.ground.land
        assert not position.occupied("german") & position.occupied("soviet")
        position = position.play(position.legal.random(rng))
        count += 1
        assert count < 20_000
    assert position.outcome.level in ("strategic", "tactical", "draw")
    assert position.turn == game.scenarios[scenario].turns
    assert all(0 <= cf <= unit.cf for cf, unit in zip(position.cf, position.roster.units, strict=True))


NONSENSE = (
    "move 227-ID 0101", "attack 10-Pz 0505", "target 0204", "activate 39-AK", "activate 4-Army", "pass", "end",
    "commit",
    "add Luft-1", "lose 227-ID", "retreat 292-DF 0809", "advance 10-Pz 0809", "stand", "yield", "efficiency 2",
    "assign 227-ID 39-AK", "replace 227-ID", "replace 292-DF 0809", "enter 259-DF 2018", "place I-AK 0204", "die 3",
    "move 39-AK 0612", "move nobody 0404", "attack 10-Pz 9999", "activate 10-Pz+76-Mot", "place 227-ID 0204",
)  # fmt: skip


@pytest.mark.case("tijvin-1941", "6")
def test_orders_that_were_not_offered_are_refused_with_a_case_and_change_nothing(game):
    rng = random.Random(9)
    position = game.start("historical")
    refused = 0
    for step in range(700):
        if position.to_move is None:
            break
        if step % 6 == 0:
            for text in NONSENSE:
                why = position.why_not(text)
                if why is None:
                    position.play(text)
                    continue
                refused += 1
                assert why.case in game.cases
                assert why.message
                before = position.digest()
                with pytest.raises(ladoga.Illegal):
                    position.play(text)
                assert position.digest() == before
        position = position.play(position.legal.random(rng))
    assert refused > 1000


@pytest.mark.case("tijvin-1941", "6")
def test_the_same_orders_lead_to_the_same_position(game):
    rng = random.Random(4)
    position, orders = game.start("german-offensive"), []
    while position.to_move is not None:
        order = position.legal.random(rng)
        orders.append(str(order))
        position = position.play(order)
    again = game.start("german-offensive")
    for text in orders:
        again = again.play(text)
    assert again.digest() == position.digest()
    assert again.outcome == position.outcome


def test_every_refusal_and_event_names_a_known_case(game):
    rng = random.Random(2)
    position = game.start("german-offensive")
    while position.to_move is not None:
        assert position.phase.case in game.cases
        assert all(event.case in game.cases and event.text for event in position.events)
        position = position.play(position.legal.random(rng))


def test_charts_and_tables_are_complete(game):
    assert {chart.case for chart in game.charts()} <= set(game.cases)
    assert all(len(row) == len(chart.head) for chart in game.charts() for row in chart.rows)
    table = game.start("historical").table()
    boxes = {box.id for box in table.boxes}
    for counter in table.counters:
        assert bool(counter.hex) != bool(counter.box)
        assert not counter.box or counter.box in boxes


def test_reach_lists_the_moves_of_a_unit(game):
    rng = random.Random(8)
    position = game.start("historical")
    while position.phase.id != "german-movement":
        position = position.play(position.legal.random(rng))
    for name in (position.roster.units[u].id for u in range(71) if position.active >> u & 1):
        listed = {o.hexes[0] for o in position.legal.of(name)}
        assert listed <= set(position.reach(name))
