"""The example of play of the rules sheet, die by die (turn 3, clear weather, 39 A.Korps activated)."""

import pytest

FIELD = {
    "blank": [20, 20],
    "hexes": {"1109": "forest", "1408": "forest", "1108": "swamp", "1208": "swamp", "1107": "forest"},
    "hexsides": {
        "1010/1109": ["rail"], "1109/1209": ["rail"], "1209/1308": ["rail"], "1308/1408": ["rail", "minor-river"],
        "1408/1507": ["rail"], "1507/1607": ["rail"], "1009/1108": ["minor-river"],
    },
    "places": {"1010": ["minor-city"], "1408": ["minor-city"], "1607": ["major-city"]},
}  # fmt: skip

SITUATION = {
    "game": "tijvin-1941",
    "turn": 3,
    "phase": "german-activation",
    "units": {
        "10-Pz": {"hex": "1109", "cf": 6},
        "8-Mot": {"hex": "1109", "cf": 4},
        "28-Mot": {"hex": "1109", "cf": 3},
        "5-Mot": {"hex": "1009", "cf": 4},
        "25-Mot": {"hex": "1009", "cf": 4},
        "76-Mot": {"hex": "1009", "cf": 5},
        "90-Mot": {"hex": "1009", "cf": 4},
        "292-DF": {"hex": "1108", "cf": 4},
        "883-Art": {"hex": "1108"},
        "311-DF": {"hex": "1007", "cf": 6},
        "44-DF": {"hex": "1408", "cf": 5},
        "191-DF": {"hex": "1408", "cf": 6},
        "442-Art": {"hex": "1408", "hq": "4-Army"},
    },
    "hqs": {"39-AK": {"hex": "1010"}, "4-Army": {"hex": "1706"}},
}

MAPS = pytest.mark.parametrize("field", [FIELD, {}], ids=["open field", "the map"])


@pytest.fixture
def before(game, field):
    return game.position({**SITUATION, "map": field})


@MAPS
@pytest.mark.case("tijvin-1941", "5", "12")
def test_movement(before, play):
    """Railway 1 a hex; the 292nd and its guns (5 factors) have no zone; the zone of Lipnaya Gora stops."""
    position = play(before, "activate 39-AK")
    assert position.reach("10-Pz")["1308"].cost == 2
    assert position.reach("25-Mot")["1008"].cost == 1
    assert position.reach("76-Mot")["1209"].cost == 3
    assert position.reach("90-Mot")["1208"].cost == 6
    assert "1408" not in position.reach("10-Pz")
    assert "1209" not in position.zoc("soviet")
    assert {"1308", "1008"} <= position.zoc("soviet")


@MAPS
@pytest.mark.case("tijvin-1941", "5", "12")
def test_a_division_of_six_would_have_stopped_the_panzers(game, field, play, refused):
    strong = {**SITUATION, "units": {**SITUATION["units"], "292-DF": {"hex": "1108", "cf": 5}}, "map": field}
    position = play(game.position(strong), "activate 39-AK")
    assert refused(position, "move 10-Pz 1209-1308") == "5"


def fought(play, position, odds, dice, rolls, lost):
    """An attack that has been committed, to its losses, held to the figures of the example."""

    def told(kind):
        return next(event for event in position.events if event.kind == kind).facts

    assert told("odds") == odds
    position = play(position, *dice[:2])
    assert told("rolls")[:2] == rolls
    position = play(position, dice[2])
    assert told("casualties") == lost
    return position


@MAPS
@pytest.mark.case(
    "tijvin-1941", "13", "13.I", "13.IIa", "13.IIb", "13.IIc", "13.IId", "13.IIe", "13.IIf", "13.III", "13.IV", "13.V",
    "13.VI", "13.A",
)  # fmt: skip
def test_the_whole_activation(before, play, cf, at):
    position = play(
        before,
        "activate 39-AK",
        "move 10-Pz+8-Mot+28-Mot 1209-1308",
        "move 25-Mot 1008",
        "move 90-Mot 1208",
        "move 76-Mot 1209",
        "end",
    )
    # First combat: 8 PzD across the river against Lipnaya Gora.
    first = position.explain("attack 10-Pz+8-Mot+28-Mot+Luft-1 1408")
    assert (first.attack[0][0], first.defence[0][0]) == (6, 11)
    assert first.columns[0][0] == "1 to 2"
    position = play(position, "attack 10-Pz+8-Mot+28-Mot+Luft-1 1408")
    assert position.to_move == "soviet"
    position = play(position, "add 442-Art", "commit")
    announced = next(e for e in position.events if e.kind == "odds")
    assert announced.facts[3:] == (2, 3)
    position = play(position, 5, 3)
    assert next(e for e in position.events if e.kind == "rolls").facts[:2] == (7, 6)
    position = play(position, 6)
    assert next(e for e in position.events if e.kind == "casualties").facts == (2, 3)
    for chooser, order in (
        ("german", "lose 8-Mot"), ("soviet", "lose 10-Pz"),
        ("soviet", "lose 191-DF"), ("german", "lose 191-DF"), ("soviet", "lose 44-DF"),
    ):  # fmt: skip
        assert position.to_move == chooser
        position = play(position, order)
    assert [cf(position, u) for u in ("10-Pz", "8-Mot", "28-Mot", "191-DF", "44-DF")] == [5, 3, 3, 4, 4]
    assert position.to_move == "soviet"
    position = play(position, "stand")
    assert position.chance.title.endswith("1 or less")
    position = play(position, 2)
    position = play(position, "retreat 191-DF+44-DF+442-Art 1507")
    position = play(position, "advance 10-Pz 1408", "advance 8-Mot 1408", "advance 28-Mot 1408")
    assert at(position, "442-Art") == "1507"
    # Exploitation against the beaten divisions: 11 to 8, shock, the guns are spent.
    position = play(position, "attack 10-Pz+8-Mot+28-Mot 1507", "commit")
    position = fought(play, position, odds=(11, 8, "1 to 1", 3, 0), dice=(3, 6, 1), rolls=(6, 6), lost=(1, 1))
    position = play(position, "lose 28-Mot", "lose 44-DF")
    # The motorized regiments against the 292nd, from four hexes, one of them across the river.
    position = play(position, "attack 76-Mot+90-Mot+5-Mot+25-Mot 1108", "add 883-Art", "commit")
    position = fought(play, position, odds=(15, 4, "3 to 1", 5, 3), dice=(5, 2, 6), rolls=(10, 5), lost=(2, 4))
    position = play(position, "lose 76-Mot", "lose 90-Mot")
    assert at(position, "292-DF") == ""
    ways = {order.hexes for order in position.legal}
    assert ("1107",) in ways, "towards the north edge, next to the 311th"
    position = play(position, "retreat 883-Art 1107")
    position = play(position, *(f"advance {u} 1108" for u in ("76-Mot", "90-Mot", "5-Mot", "25-Mot")))
    # Exploitation against the lone gunners.
    position = play(position, "attack 76-Mot+90-Mot+5-Mot+25-Mot 1107", "commit")
    position = fought(play, position, odds=(15, 1, "6 to 1", 8, 2), dice=(3, 3, 3), rolls=(11, 5), lost=(0, 1))
    assert at(position, "883-Art") == ""
    position = play(position, "advance 5-Mot 1107", "advance 25-Mot 1107", "end")
    assert [cf(position, u) for u in ("10-Pz", "8-Mot", "28-Mot")] == [5, 3, 2]
    assert [cf(position, u) for u in ("5-Mot", "25-Mot", "76-Mot", "90-Mot")] == [4, 4, 4, 3]
    assert [cf(position, u) for u in ("191-DF", "44-DF", "442-Art", "311-DF")] == [4, 3, 1, 6]
    assert [cf(position, u) for u in ("292-DF", "883-Art")] == [0, 0]
    assert [at(position, u) for u in ("10-Pz", "5-Mot", "76-Mot", "191-DF")] == ["1408", "1107", "1108", "1507"]
    assert position.phase.id == "german-combat"
    position = play(position, "end german-combat")
    assert position.phase.id == "german-hq-movement"
    assert position.play("end").to_move == "soviet"
