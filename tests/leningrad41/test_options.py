"""Chapters 16 to 18: the optional rules."""

from __future__ import annotations

import random

import pytest

from .conftest import refused, where
from .made_up import german, soviet


@pytest.mark.case("leningrad41", "16.0", "16.1", "16.2")
@pytest.mark.parametrize(("face", "on"), [(3, False), (4, True)])
def test_the_die_before_set_up(game, face, on):
    assert game.start().to_move == "soviet"
    pos = game.start(options={"defensive-states": True})
    assert pos.chance.case == "16.2"
    pos = pos.play(f"die {face}")
    assert pos.to_move == "soviet"
    assert bool(pos.document().get("defensive-states")) == on
    assert ("Enhanced Soviet defence (16.2)" in pos.table().lines) == on


@pytest.mark.case("leningrad41", "16.2")
def test_no_motorized_movement_on_roads_but_lines_of_fire_stay(place):
    hexes = {f"05{c:02}": "urban" for c in range(5, 9)}
    road = {f"05{c:02}/05{c + 1:02}": ["prospekt"] for c in range(5, 8)}
    units = {"x1": german("0508", type="panzer", traits="armored motorized", range=3), "x2": soviet("0101")}
    pos = place(units, "german-movement", hexes=hexes, sides=road, defensive_states=True)
    assert refused(pos, "move x1 0508-0507 motorized") == "8.1" or refused(pos, "move x1 0507 motorized") == "16.2"
    assert "move x1 0609 motorized" in pos.legal or "move x1 0608 motorized" in pos.legal
    fire = place(units | {"x2": soviet("0505")}, hexes=hexes, sides=road, defensive_states=True)
    assert "attack x1 0505" in fire.legal


@pytest.mark.case("leningrad41", "16.2", "8.8")
@pytest.mark.parametrize(("barricaded", "street", "yard"), [(True, "16.2", "8.8"), (False, None, "8.8")])
def test_barricades_are_named_only_where_they_bar_the_way(place, barricaded, street, yard):
    tank = {"type": "panzer", "traits": "armored"}
    hexes = dict.fromkeys(("0506", "0507", "0706", "0707", "1205", "1206"), "urban")
    road = {"0505/0506": ["prospekt"], "0506/0507": ["prospekt"], "1205/1105": ["prospekt"]}
    edge = {number: ["german-entry"] for number in ("1205", "1206")}
    units = {"x1": german("0505", **tank), "x2": german(at="waiting", **tank), "x3": soviet("0101")}
    pos = place(units, "german-movement", hexes=hexes, sides=road, places=edge, defensive_states=barricaded)
    for order in ("move x1 0506 motorized", "move x1 0507 motorized", "enter x2 1205 motorized"):
        assert (pos.why_not(order) or (None,))[0] == street
    for order in ("move x1 0706 motorized", "move x1 0707 motorized", "enter x2 1206 motorized"):
        assert refused(pos, order) == yard


@pytest.mark.case("leningrad41", "16.2")
def test_soviet_stacks_of_two_everywhere(place):
    pos = place({"x1": soviet("0505"), "x2": soviet("0506")}, "soviet-movement", defensive_states=True)
    assert "move x2 0505" in pos.legal


@pytest.mark.case("leningrad41", "16.2", "7.4")
def test_one_more_replacement(place):
    units = {"x1": german("0505"), "x2": soviet("0101"), "I/8M": {"at": "dead"}}
    pos = place(units, "soviet-fire", turn=5, defensive_states=True).play("end")
    rng = random.Random(0)
    while pos.to_move == "chance":
        pos = pos.play(pos.legal.random(rng))
    assert pos.document()["replacements"] == 3


SS = {"command": "SST", "traits": "assault ss"}


@pytest.mark.case("leningrad41", "17.0", "17.1", "17.3")
def test_national_socialist_ardor(place):
    units = {"x1": german("0505", fire=12, **SS), "x2": german("0404", fire=12, command="56"), "x3": soviet("0504")}
    options = {"options": {"fanaticism": True}}
    pos = place(units, **options)
    assert refused(place(units), "attack x1+x2 0504 assault ardor") == "17.1"
    assert pos.explain("attack x1+x2 0504 assault ardor").net == -2  # exactly half is enough
    less = place(units | {"x1": german("0505", fire=11, **SS), "x2": german("0404", fire=13, command="56")}, **options)
    assert refused(less, "attack x1+x2 0504 assault ardor") == "17.1"
    assert refused(pos, "attack x1 0504 ardor") == "17.1"
    pos = pos.play("attack x1+x2 0504 assault ardor").play("die 6")
    assert {str(o) for o in pos.legal} == {"lose x1", "lose x2"}  # whatever the result
    assert refused(pos, "end") == "17.3"
    assert where(pos.play("lose x2"), "x2") == "dead"


@pytest.mark.case("leningrad41", "17.2", "17.3")
def test_revolutionary_fervor(place):
    units = {
        "x1": soviet("0505", fire=4, traits="assault komsomol"), "x2": soviet("0404", fire=6, traits="assault nkvd"),
        "x3": german("0504"), "x4": soviet("0603", fire=10),
    }  # fmt: skip
    pos = place(units, "soviet-fire", options={"fanaticism": True})
    order = "attack x1+x2+x4 0504 assault fervor"
    if not pos.map.grid.adjacent(pos.map.grid.hex("0603"), pos.map.grid.hex("0504")):
        units["x4"] = soviet("0405", fire=10, range=2)
        pos = place(units, "soviet-fire", options={"fanaticism": True})
    assert pos.explain(order).net == -2
    weak = place(units | {"x2": soviet("0404", fire=5, traits="assault nkvd")}, "soviet-fire",
                 options={"fanaticism": True})  # fmt: skip
    assert refused(weak, order) == "17.2"
    won = pos.play(order).play("die 1")
    assert "lose x1" in won.legal  # the loss comes before the advance
    won = won.play("lose x1")
    assert "advance x2 0504" in won.legal
    assert "advance x1 0504" not in won.legal


AIRBORNE = {"command": "7F", "type": "airborne-infantry", "traits": "assault motorized airborne"}


def drop(place, **more):
    units = {"x1": german("", at="waiting", **AIRBORNE), "x2": soviet("0505"), "x3": german("1111")}
    options = {"airborne-assault": more.pop("option", True)}
    return place(
        units | more.pop("units", {}), "german-movement", turn=6, options=options,
        hexes={"0303": "urban"}, places={"0707": ["fortified"]}, **({"flieger_arrives": 6} | more),
    )  # fmt: skip


@pytest.mark.case("leningrad41", "18.0", "18.1")
def test_when_airborne_units_may_drop(place):
    assert "drop x1 0909" in drop(place).legal
    assert refused(drop(place, option=False), "drop x1 0909") == "18.1"
    assert refused(drop(place, flieger_arrives=5), "drop x1 0909") == "18.1"  # delayed
    assert refused(drop(place), "drop x3 0909") == "18.1"


@pytest.mark.case("leningrad41", "18.2", "18.3")
def test_where_airborne_units_land(place):
    pos = drop(place)
    assert refused(pos, "drop x1 0303") == "18.2"
    assert refused(pos, "drop x1 0505") == "18.3"
    assert refused(pos, "drop x1 0707") == "18.3"
    down = pos.play("drop x1 0909").play("die 4")
    assert where(down, "x1") == "0909"
    assert where(pos.play("drop x1 0909").play("die 6"), "x1") == "dead"
    drift = pos.play("drop x1 0909").play("die 5")
    assert drift.chance.title.startswith("the direction of the drift")
    there = where(drift.play("die 1"), "x1")
    assert pos.map.grid.adjacent(pos.map.grid.hex(there), pos.map.grid.hex("0909"))


@pytest.mark.case("leningrad41", "18.3")
def test_after_a_drop(place):
    pos = drop(place).play("drop x1 0506").play("die 1")
    assert pos.to_move == "soviet"  # defensive fire at the landing unit
    pos = pos.play("end")
    assert refused(pos, "move x1 0507") == "8.1"
    later = drop(place, units={"x1": german("0909", **AIRBORNE)}, dropped=["x1"])
    assert refused(later, "move x1 0910 motorized") == "18.3"
    edge = {"1205": ["german-entry"]}
    replaced = {"x1": german(at="waiting", **AIRBORNE), "x2": soviet("0101")}
    back = place(replaced, "german-movement", places=edge, dropped=["x1"])
    assert refused(back, "enter x1 1205 motorized") == "18.3"


EDGE = {"1201": ["german-entry"], "1202": ["german-entry"]}


@pytest.mark.case("leningrad41", "17.1")
def test_all_adjacent_totenkopf_strength_counts_for_ardor(place):
    units = {
        "s1": german("0504", command="SST", traits="assault ss", fire=3),
        "s2": german("0504", command="SST", type="anti-tank", traits="anti-armor ss", fire=4),
        "c1": german("0403", command="56", fire=5),
        "x2": soviet("0503"),
    }
    pos = place(units, options={"fanaticism": True})
    assert pos.why_not("attack s1+s2+c1 0503 assault ardor") is None
    assert refused(pos, "attack s1+c1 0503 assault ardor") == "17.1"


@pytest.mark.case("leningrad41", "17.2")
def test_fervor_is_explained_by_its_own_case(place):
    units = {"s1": soviet("0504", type="komsomol", traits="assault komsomol"), "x1": german("0503")}
    pos = place(units, "soviet-fire", options={"fanaticism": True})
    cases = {m.label: m.case for m in pos.explain("attack s1 0503 assault fervor").modifiers}
    assert cases["Fanaticism"] == "17.2"


@pytest.mark.case("leningrad41", "18.1")
def test_airborne_units_at_the_edge_arrive_now_unless_told_otherwise(place):
    units = {"I/3F": {"at": "waiting"}, "x1": german("0505"), "x2": soviet("0101")}
    options = {"airborne-assault": True}
    assert "drop I/3F 0707" in place(units, "german-movement", options=options).legal
    late = place(units, "german-movement", options=options, flieger_arrives=3)
    assert refused(late, "drop I/3F 0707") == "18.1"


@pytest.mark.case("leningrad41", "18.2")
def test_a_drift_goes_clockwise_from_the_north_east(place):
    units = {"I/3F": {"at": "waiting"}, "x1": german("0101"), "x2": soviet("1212")}
    pos = place(units, "german-movement", options={"airborne-assault": True}).play("drop I/3F 0707").play("die 5")
    ends = [where(pos.play(f"die {face}"), "I/3F") for face in range(1, 7)]
    assert ends == ["0606", "0706", "0806", "0807", "0708", "0607"]  # NE, E, SE, SW, W, NW: columns run westward


@pytest.mark.case("leningrad41", "18.2", "19.1")
def test_a_unit_lost_in_its_landing_keeps_nobody_waiting(place):
    units = {"I/3F": {"at": "waiting"}, "x1": german("0404", command="8P"), "x2": soviet("0101")}
    options = {"airborne-assault": True}
    pos = place(units | {"II/3F": {"at": "waiting"}}, "german-movement", turn=6, places=EDGE, options=options,
                flieger_arrives=6).play("drop I/3F 0909").play("die 1")  # fmt: skip
    assert refused(pos, "move x1 0405") == "19.1"
    assert pos.play("drop II/3F 0911").play("die 6").why_not("move x1 0405") is None
