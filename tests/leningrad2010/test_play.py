"""Whole games: random play ends, documents and records come back the same, nonsense is refused."""

from __future__ import annotations

import random

import pytest

import ladoga
from ladoga.kernel.record import Header, Record

from .field import GAME

VERBS = "place rebuild enter move overrun target add air commit attack lose retreat advance interdict fort remove end"


def played(seed: int, most: int = 100_000, **options):
    """The positions of a random game."""
    rng = random.Random(seed)
    position = GAME.start(options=options)
    for _ in range(most):
        yield position
        if position.to_move is None:
            return
        order = position.legal.random(rng)
        assert order in position.legal, str(order)
        position = position.play(order)
    yield position


@pytest.mark.case("leningrad-2010", "3.0", "16.0")
@pytest.mark.parametrize("seed", range(6))
def test_random_games_end_after_twelve_turns(seed):
    *_, last = played(seed)
    assert last.turn == 12
    assert last.outcome is not None
    assert last.outcome.margin == sum(e.points if e.side == "german" else -e.points for e in last.outcome.ledger)
    assert {e.case for e in last.outcome.ledger} <= set(GAME.cases)


@pytest.mark.parametrize("seed", range(2))
def test_documents_bring_back_the_same_position(seed):
    for number, position in enumerate(played(100 + seed, bid=seed)):
        if number % 23 and position.fight is None:
            continue
        document = position.document()
        again = GAME.position(document)
        assert again.document() == document
        assert again.digest() == position.digest()
        assert set(again.legal) == set(position.legal)


@pytest.mark.parametrize("seed", range(2))
def test_listed_orders_are_accepted_and_explained(seed):
    for number, position in enumerate(played(200 + seed)):
        if number % 31:
            continue
        listed = list(position.legal)
        assert len(listed) == len(set(listed))
        assert listed or position.to_move is None, "never a dead end"
        for order in listed[:: max(1, len(listed) // 12)]:
            assert position.why_not(order) is None
            assert GAME.parse(str(order)) == order
            if order.verb in ("overrun", "attack", "commit"):
                assert sum(p for _, p in position.explain(order).results) == 1


@pytest.mark.parametrize("seed", range(2))
def test_nonsense_is_refused_with_a_case_and_changes_nothing(seed):
    """Orders put together at random: accepted ones play, refused ones say why; nothing in between."""
    rng = random.Random(seed)
    numbers, verbs = list(GAME.map.grid.numbers), VERBS.split()
    tries = accepted = 0
    for number, position in enumerate(played(300 + seed)):
        if number % 9 or position.to_move in (None, "chance"):
            continue
        names = list(position.document()["units"])
        before = position.digest()
        for _ in range(12):
            units = tuple(rng.sample(names, rng.randint(1, 3)))
            hexes = tuple(rng.sample(numbers, rng.randint(1, 2)))
            order = ladoga.Order(rng.choice(verbs), units, hexes, rng.choice([(), ("air", "1"), ("2",)]))
            try:
                order = GAME.parse(str(order))
            except ladoga.BadOrder:
                continue
            tries += 1
            refusal = position.why_not(order)
            if refusal is None:
                accepted += 1
                assert position.play(order) is not position
                continue
            assert refusal.case in GAME.cases, refusal
            with pytest.raises(ladoga.Illegal) as problem:
                position.play(order)
            assert problem.value.case == refusal.case
        assert position.digest() == before
    assert tries > 150
    assert accepted < tries


def test_a_record_replays_to_the_bit():
    record = Record(Header(game=GAME.id, engine="test", scenario="campaign"))
    rng, position = random.Random(7), GAME.start()
    for _ in range(500):
        order = position.legal.random(rng)
        record.add(position, order)
        position = position.play(order)
    record.digest = position.digest()
    again = Record.parse(record.text())
    assert again.check().digest() == position.digest()


@pytest.mark.case("leningrad-2010", "12.0")
def test_views_tell_nothing_about_untried_units():
    """Nothing is hidden from one side only: an untried counter has no strength anywhere until it is drawn."""
    for number, position in enumerate(played(11, 400)):
        if number % 80 == 0:
            for side in ("german", "soviet", "observer"):
                counters = {c.id: c for c in position.view(side).table().counters}
                untried = [c for c in counters.values() if c.id not in GAME.units]
                assert all(c.figures in ("?-5", "?-7") for c in untried)


@pytest.mark.parametrize(
    ("change", "path"),
    [({"turn": 13}, "turn"), ({"phase": "german-tea"}, "phase"), ({"units": {"289": {"hex": "0112"}}}, "units.289"),
     ({"units": {"1": {"hex": "0001"}}}, "units.1.hex"),
     ({"units": {"1": {"hex": "0112", "steps": 3}}}, "units.1.steps"),
     ({"options": {"recycle": True}}, "options.recycle"), ({"map": {"hexes": {"0505": "woods"}}}, "map.hexes.0505"),
     ({"units": {"i47": {"hex": "0209"}}}, "units.i47"), ({"forts": ["3005"]}, "forts[0]")],
)  # fmt: skip
def test_bad_documents_name_the_bad_value(change, path):
    """Among them a unit, an option and a terrain of the other edition."""
    with pytest.raises(ladoga.BadDocument) as problem:
        GAME.position({"game": GAME.id, "turn": 2, "phase": "german-movement", **change})
    assert problem.value.path == path


def test_every_case_of_the_book_is_in_the_index_in_book_order():
    counts = {"1": 0, "2": 8, "3": 0, "4": 8, "5": 0, "6": 4, "7": 8, "9": 6, "10": 4, "11": 5, "12": 1, "13": 6,
              "14": 10, "15": 3, "16": 4}  # fmt: skip
    expected = [f"{chapter}.{n}" for chapter, last in counts.items() for n in range(last + 1)]
    eight = [f"8.{n}" for n in (0, 1, 2, 21, 22, 3, 31, 32, 33, 4, *range(41, 49))]
    place = expected.index("9.0")
    assert list(GAME.cases) == expected[:place] + eight + expected[place:]


def test_charts_carry_the_editions_own_cases():
    charts = {chart.id: chart for chart in GAME.charts()}
    assert charts["results"].case == "2.3"
    assert charts["terrain"].case == "2.2"
    assert all(row[-1] in GAME.cases for row in charts["shifts"].rows)
    terrain = {row[0]: row for row in charts["terrain"].rows}
    assert terrain["swamp"][1:3] == ["2", "3"]
    assert terrain["hill"][3] == "2 left"
    assert "Overrun: 2 points more than to enter, 1 for Germans on turn 1." in charts["terrain"].notes
    (first,) = [chart for chart in ladoga.load("leningrad-1979").charts() if chart.id == "terrain"]
    assert "Overrun: 3 points." in first.notes
    assert any("(10.3)" in note for note in charts["shifts"].notes), "Germans in a Soviet city"


@pytest.mark.case("leningrad-2010", "14.0")
def test_the_schedule_is_a_chart():
    """The tables of 14.0: 29 infantry and 11 armored for the Soviets, the 39th Panzer Corps in the south."""
    (schedule,) = [chart for chart in GAME.charts() if chart.id == "schedule"]
    soviets = [part.split() for _, side, units, _ in schedule.rows if side == "Soviet" for part in units.split(", ")]
    for kind, number in (("infantry", 29), ("armored", 11)):
        assert sum(int(count) for count, what in soviets if what == kind) == number
    assert ["4", "Soviet", "2 infantry, 1 armored", "2313, 2906 or 2911"] in schedule.rows
    assert ["5", "Soviet", "2 infantry", "2601"] in schedule.rows
    assert ["10", "German", "12/39, 20/39", "2113, 2213 or 2313"] in schedule.rows
    assert ["12", "Soviet", "2 infantry", "Leningrad"] in schedule.rows
    air, forts, *_ = schedule.notes
    assert air == "German air units: 1 from turn 1, 2 from turn 7."
    assert [int(word) for word in forts.rstrip(".").replace(",", "").split() if word.isdigit()] == [
        figure for turn in range(3, 9) for figure in (2, turn)
    ]
    assert any("2906 or 2911 from turn 9 (15.3)" in note for note in schedule.notes)


@pytest.mark.case("leningrad-2010", "16.1", "16.2", "16.3")
def test_the_points_are_a_chart():
    (points,) = [chart for chart in GAME.charts() if chart.id == "victory"]
    worth = {what: (side, int(number)) for side, what, number, _ in points.rows}
    assert worth["each infantry unit reduced"] == ("Soviet", 1)
    assert worth["each armor unit eliminated"] == ("Soviet", 15)
    assert worth["each unit rebuilt"] == ("Soviet", 1)
    assert worth["2605 held in supply"] == ("German", 5)
    assert "German strategic from 31" in points.notes[0]
    (first,) = [chart for chart in ladoga.load("leningrad-1979").charts() if chart.id == "victory"]
    assert not any("infantry" in row[1] or "rebuilt" in row[1] for row in first.rows)
