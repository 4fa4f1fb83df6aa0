"""Whole games: they end, their orders are what they seem, documents and records come back."""

from __future__ import annotations

import random

import pytest

import ladoga
from ladoga.kernel.orders import Order

from .conftest import LENINGRAD, STALINGRAD, german, refused, situation, soviet, texts

GAMES = [LENINGRAD, STALINGRAD]


def playout(game, seed: int, limit: int = 20_000):
    """Positions of a random game, last one included."""
    rng = random.Random(seed)
    pos = game.start()
    for _ in range(limit):
        yield pos
        if pos.outcome is not None:
            return
        pos = pos.play(pos.legal.random(rng))
    raise AssertionError(f"no end in sight on turn {pos.turn}, {pos.phase.id}")


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.case("assault-leningrad", "4.0", "17.0")
def test_random_games_end(game_id, seed):
    game = ladoga.load(game_id)
    last = None
    for pos in playout(game, seed):
        last = pos
    assert last is not None
    assert last.outcome is not None
    assert last.turn == game.turns
    totals = {side: sum(e.points for e in last.outcome.ledger if e.side == side) for side in game.sides}
    assert last.outcome.margin == abs(totals["german"] - totals["soviet"])


@pytest.mark.parametrize("game_id", GAMES)
def test_what_is_listed_is_legal_and_what_is_legal_has_a_case(game_id):
    """Now and then in a random game: every listed order is accepted once, odd ones are refused with a case."""
    game = ladoga.load(game_id)
    rng = random.Random(5)
    units = list(game.printed)
    numbers = list(game.map.grid.numbers)
    verbs = [
        "move",
        "attack",
        "enter",
        "place",
        "transfer",
        "retreat",
        "advance",
        "lose",
        "add",
        "remove",
        "target",
        "bomb",
        "fire",
        "support",
        "end",
        "commit",
        "cancel",
        "stand",
    ]
    for step, pos in enumerate(playout(game, 11)):
        if step % 37 or pos.outcome is not None:
            continue
        listed = list(pos.legal)
        assert listed
        assert len(set(listed)) == len(listed)
        for order in rng.sample(listed, min(12, len(listed))):
            assert pos.why_not(order) is None, order
            assert game.parse(str(order)) == order
        legal = set(listed)
        for _ in range(25):
            verb = rng.choice(verbs)
            slots = game.grammar.verbs[verb].slots
            order = Order(
                verb,
                (rng.choice(units),) if "units" in slots else (),
                (rng.choice(numbers),) if "hexes" in slots else (),
            )
            refusal = pos.why_not(order)
            if order in legal:
                assert refusal is None
            elif refusal is not None:
                assert refusal.case in game.cases, refusal
                assert refusal.message
            else:
                assert verb in ("attack", "move", "enter"), f"{order} is accepted but not listed"


@pytest.mark.parametrize("game_id", GAMES)
def test_documents_come_back(game_id):
    game = ladoga.load(game_id)
    for step, pos in enumerate(playout(game, 3)):
        if step % 29 == 0 or (pos.pending is not None and step % 7 == 0):
            document = pos.document()
            again = game.position(document)
            assert again.document() == document
            assert again.to_move == pos.to_move
            if pos.outcome is None and pos.to_move != "chance":
                assert texts(again) == texts(pos)


@pytest.mark.parametrize("game_id", GAMES)
def test_positions_never_change(game_id):
    game = ladoga.load(game_id)
    before = None
    for step, pos in enumerate(playout(game, 8)):
        if before is not None:
            assert before[0].digest() == before[1]
        before = (pos, pos.digest()) if step % 40 == 0 else None


@pytest.mark.parametrize("game_id", GAMES)
def test_a_record_replays_to_the_same_position(game_id):
    game = ladoga.load(game_id)
    rng = random.Random(21)
    pos = game.start()
    orders = []
    while pos.outcome is None:
        order = pos.legal.random(rng)
        orders.append(str(order))
        pos = pos.play(order)
    again = game.start()
    for text in orders:
        again = again.play(text)
    assert again.digest() == pos.digest()


@pytest.mark.parametrize("game_id", GAMES)
def test_tables_and_charts(game_id):
    game = ladoga.load(game_id)
    for step, pos in enumerate(playout(game, 2)):
        if step % 150 == 0:
            table = pos.table()
            assert len(table.counters) == len(game.printed)
            boxes = {box.id for box in table.boxes}
            assert all(counter.hex or counter.box in boxes for counter in table.counters)
            assert pos.view("german").table() == table
    for chart in game.charts():
        assert chart.case in game.cases
        assert all(len(row) == len(chart.head) for row in chart.rows)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_case_named_in_play_is_in_the_index(game_id):
    game = ladoga.load(game_id)
    cases = set()
    for pos in playout(game, 4):
        cases |= {event.case for event in pos.events} | {pos.phase.case}
        if pos.outcome is not None:
            cases |= {entry.case for entry in pos.outcome.ledger}
    assert cases <= set(game.cases)


@pytest.mark.parametrize("game_id", GAMES)
def test_options_play_through(game_id):
    game = ladoga.load(game_id)
    switched = {name: next(c for c in o.choices if c != o.default) for name, o in game.options.items()}
    rng = random.Random(1)
    pos = game.start(options=switched)
    while pos.outcome is None:
        pos = pos.play(pos.legal.random(rng))
    assert pos.outcome.winner in ("german", "soviet", None)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"units": {"1ID": {"hex": "9999"}}}, "units.1ID.hex"),
        ({"units": {"1XX": {"hex": "0505"}}}, "units.1XX"),
        ({"units": {"1ID": {"hex": "0505", "steps": 7}}}, "units.1ID.steps"),
        ({"units": {"1ID": {"hex": "0505"}, "11ID": {"hex": "0505"}}}, "units.11ID.hex"),
        ({"units": {"1ID": {"hex": "0505"}, "90RD": {"hex": "0505"}}}, "units.90RD.hex"),
        ({"units": {"1ID": {}}}, "units.1ID"),
        ({"phase": "tea-break"}, "phase"),
        ({"turn": 99}, "turn"),
        ({"options": {"nonsense": True}}, "options.nonsense"),
        ({"map": {"blank": [5, 5], "hexes": {"0101": "jungle"}}}, "map.hexes.0101"),
        ({"weather": "fine"}, ""),
    ],
)
def test_bad_documents_say_where(leningrad, change, path):
    document = {"game": LENINGRAD, "turn": 4, "phase": "german-movement", "map": {"blank": [9, 9]}, **change}
    with pytest.raises(ladoga.BadDocument) as caught:
        leningrad.position(document)
    assert caught.value.path == path


def test_scripted_dice(leningrad):
    document = {
        "game": LENINGRAD, "turn": 4, "phase": "german-combat", "map": {"blank": [9, 9]}, "dice": [6],
        "units": {"1ID": {"hex": "0505", "supply": "in"}, "90RD": {"hex": "0506", "supply": "in"}},
    }  # fmt: skip
    pos = leningrad.position(document).play("attack 1ID 0506")
    assert pos.to_move == "soviet"
    assert pos.dice == ()


def test_composing_an_attack_can_be_given_up(leningrad):
    units = {"x": german("0505"), "y": soviet("0506")}
    pos = situation(leningrad, "german-combat", units)
    plan = pos.play("target 0506")
    assert texts(plan) == {"add x", "cancel"}
    assert refused(plan, "commit") == "10.11"
    assert plan.play("cancel") == pos
    ready = plan.play("add x")
    assert refused(ready, "add x") == "10.16"
    assert "commit" in texts(ready)


def test_an_overlay_replaces_the_combat_results(tmp_path):
    (tmp_path / "tables.yaml").write_text(
        'results: {rows: {"3": ["DE", "DE", "DE", "DE", "DE", "DE", "DE", "DE", "DE", "DE"]}}\n'
    )
    game = ladoga.load(LENINGRAD, data=tmp_path)
    assert game.result(0, 3) == "DE"
    assert game.changes


def test_the_counter_sheets(leningrad, stalingrad):
    """One counter a unit, with a back where there is a second step; a second counter for four steps."""
    sheet = {front.id: (front.figures, back.figures if back else "") for front, back in leningrad.counter_sheet()}
    assert len(leningrad.counter_sheet()) == 93
    assert sheet["6/11"] == ("5-A-8", "3-B-8")
    assert sheet["W1"] == ("1-C-4", "")
    panzer = [(front.figures, back.figures) for front, back in stalingrad.counter_sheet() if front.id == "16Pz"]
    assert panzer == [("10-A-8", "8-A-8"), ("5-B-8", "3-B-8")]
