"""What section 19 changes on the ground: divisions, rivers, tank corps, retreats."""

from __future__ import annotations

from fractions import Fraction

import pytest

from .conftest import german, happened, refused, situation, soviet, texts
from .test_combat import fight, hexes, roll_for


@pytest.mark.case("assault-stalingrad", "19.2", "19.21", "19.22")
def test_divisions_have_several_steps(stalingrad):
    steps = {name: unit.full_steps for name, unit in stalingrad.printed.items()}
    assert (steps["16Pz"], steps["24Pz"], steps["14Pz"], steps["22Pz"]) == (4, 4, 4, 1)
    assert (steps["3Mot"], steps["60Mot"], steps["29Mot"]) == (3, 3, 3)
    pos = situation(stalingrad, "german-combat", {"16Pz": "0505", "s": soviet("0909")})
    index = pos.index["16Pz"]
    seen = []
    for _ in range(4):
        seen.append(pos.steps[index])
        pos.lose_step(index)
    assert seen == [4, 3, 2, 1]
    assert pos.where[index] < 0


@pytest.mark.case("assault-stalingrad", "19.22")
def test_one_division_takes_several_penalties(stalingrad):
    units = {"16Pz": "0505", "x": soviet("0506", "10-B")}
    told = situation(stalingrad, "german-combat", units).explain("attack 16Pz 0506")
    assert told.columns[0][0] == "1:1"
    pos = situation(stalingrad, "soviet-combat", {"16Pz": "0505", "x": soviet("0506", "50-A")})
    pos = pos.play("attack x 0505").play(f"die {roll_for(stalingrad, '-/3', '5:1', 0)}")
    for _ in range(3):
        pos = pos.play("lose 16Pz")
    assert pos.document()["units"]["16Pz"]["steps"] == 1


@pytest.mark.case("assault-stalingrad", "19.23")
def test_divisions_stack_as_divisions(stalingrad):
    pos = situation(stalingrad, "german-movement", {"16Pz": "0505", "3Mot": "0507", "HQ14": "0506"})
    assert refused(pos, "move 16Pz 0507") == "7.1"
    assert pos.why_not("move HQ14 0507") is None


@pytest.mark.case("assault-stalingrad", "19.3", "19.31", "19.32")
def test_zones_and_the_three_rivers(stalingrad):
    board = {"blank": [9, 9], "hexsides": {"0505/0506": ["don"], "0505/0504": ["river"], "0505/0605": ["volga"]}}
    zone = situation(stalingrad, "german-movement", {"s": soviet("0505", "4-A")}, map=board).zoc("soviet")
    assert {"0506", "0504"} <= zone
    assert "0605" not in zone


@pytest.mark.case("assault-stalingrad", "19.31")
def test_costs_of_the_rivers(stalingrad):
    for river, infantry, panzer in (("river", 2, 3), ("don", 3, 5)):
        board = {"blank": [2, 1], "hexsides": {"0101/0102": [river]}}
        for kind, cost in (("infantry", infantry), ("panzer", panzer)):
            pos = situation(stalingrad, "german-movement", {"x": german("0101", movement=8, type=kind)}, map=board)
            assert pos.reach("x")["0102"].cost == cost
    board = {"blank": [2, 1], "hexsides": {"0101/0102": ["volga"]}}
    pos = situation(stalingrad, "german-movement", {"x": german("0101")}, map=board)
    assert refused(pos, "move x 0102") == "19.31"
    assert refused(situation(stalingrad, "soviet-movement", {"x": soviet("0101")}, map=board), "move x 0102") == "19.31"
    units = {"x": german("0101"), "y": soviet("0102")}
    assert refused(situation(stalingrad, "german-combat", units, map=board), "attack x 0102") == "19.31"


@pytest.mark.case("assault-stalingrad", "19.31")
def test_soviets_cross_the_volga_at_the_city_and_by_ferry(stalingrad):
    pos = situation(stalingrad, "soviet-movement", {"x": soviet("1304"), "y": soviet("H2")}, map=None)
    assert pos.reach("x")["1305"].left == 0
    ferries = stalingrad.map.sides["ferry"]
    grid = stalingrad.map.grid
    for number in ("H2", "F2", "C2", "K2"):
        if number not in grid:
            continue
        h = grid.hex(number)
        for d, beyond in enumerate(grid.neighbours(h)):
            if beyond >= 0 and ferries[d] >> h & 1:
                pos = situation(stalingrad, "soviet-movement", {"y": soviet(number)}, map=None)
                assert pos.reach("y")[grid.number(beyond)].left == 0
                held = situation(stalingrad, "german-movement", {"g": german(grid.number(beyond))}, map=None)
                assert refused(held, f"move g {grid.number(beyond)}-{number}") == "19.31"


@pytest.mark.case("assault-stalingrad", "19.33")
def test_the_don_between_two_zones(stalingrad):
    for river, legal in (("don", False), ("river", True)):
        board = {"blank": [9, 9], "hexsides": {"0605/0606": [river]}}
        units = {"x": german("0605", movement=4), "b": soviet("0506", "4-B")}
        pos = situation(stalingrad, "german-movement", units, map=board)
        if legal:
            assert pos.why_not("move x 0605-0606") is None
        else:
            assert refused(pos, "move x 0605-0606") == "19.33"


@pytest.mark.case("assault-stalingrad", "19.33")
def test_advance_over_the_don(stalingrad):
    board = {"blank": [9, 9], "hexsides": {"0505/0506": ["don"]}}
    units = {"x": german("0505", "30-A"), "y": soviet("0506", "1-C"), "a": soviet("0406", "4-B")}
    pos = situation(stalingrad, "german-combat", units, map=board).play("attack x 0506")
    assert "advance x 0506" in texts(pos)


@pytest.mark.case("assault-stalingrad", "19.35", "19.41", "19.4")
def test_towns_and_tank_corps(stalingrad):
    board = {"blank": [9, 9], "places": {"0506": ["town"]}, "hexsides": {"0505/0506": ["don"]}}
    pos = situation(stalingrad, "german-combat", {"x": german("0505", "16-A"), "y": soviet("0506")}, map=board)
    assert pos.explain("attack x 0506").defence == ((Fraction(16), 1),)
    pos = situation(stalingrad, "german-combat", {"x": german("0505", "16-A"), "22TC": "0506"}, map=board)
    assert pos.explain("attack x 0506").defence == ((Fraction(6), 1),)
    city = {"22TC": "J4", "W1": "J4", "x": german("J5", "9-A")}
    assert situation(stalingrad, "german-combat", city, map=None).explain("attack x J4").defence == ((Fraction(9), 1),)
    weak = {"x": german("0505", "16-A"), "22TC": {"hex": "0506", "supply": "out"}}
    assert situation(stalingrad, "german-combat", weak, map=board).explain("attack x 0506").defence == (
        (Fraction(3), 1),
    )


@pytest.mark.case("assault-stalingrad", "19.43", "19.4")
def test_the_nkvd_stays_in_the_interior(stalingrad):
    pos = situation(stalingrad, "soviet-movement", {"10NKVD": "J5"}, map=None)
    assert "J4" in pos.reach("10NKVD")
    assert refused(pos, "move 10NKVD J6") == "19.43"
    from ladoga.games.assault.results import retreat_hexes

    assert not retreat_hexes(pos, pos.index["10NKVD"]) & pos.ground.fringe_inset
    assert refused(pos, "transfer 10NKVD 1405") == "19.43"


@pytest.mark.case("assault-stalingrad", "19.6", "19.61", "19.62")
def test_retreat_disrupts(stalingrad):
    units = {
        "x": german("0505", "5-A 3-B", type="panzer", movement=8),
        "y": soviet("0506", "4-B 2-C"),
        "t": soviet("1010"),
    }
    pos = fight(stalingrad, units, "x 0506", roll_for(stalingrad, "1/1", "1:1", 1))
    away = pos.play("retreat x 0504")
    assert away.document()["units"]["x"]["disrupted"]
    away = away.play("stand")
    while away.phase.side == "german":
        away = away.play("end")
    assert "disrupted" not in away.document()["units"]["x"]
    gone = pos.play("lose x").play("retreat y 0507")
    assert gone.document()["units"]["y"]["disrupted"]
    while gone.phase.id != "soviet-movement":
        gone = gone.play("end")
    assert refused(gone, "move y 0508") == "12.42"


@pytest.mark.case("assault-stalingrad", "19.62", "10.29")
def test_a_unit_disrupted_by_retreat_cannot_retreat_again(stalingrad):
    units = {
        "x": german("0505", "8-A"), "y": soviet("0506", "3-B"), "c": german("0508", "6-C"),
        "w": soviet("0507", "3-C", type="worker", movement=0),
    }  # fmt: skip
    pos = fight(stalingrad, units, "x 0506", roll_for(stalingrad, "-/1", "2:1", 1)).play("retreat y 0507")
    if pos.pending is not None:
        pos = pos.play("end")
    pos = pos.play("attack c 0507").play(f"die {roll_for(stalingrad, '-/1', '2:1', 0)}")
    assert texts(pos) == {"lose y", "lose w"}
    assert hexes(pos)["y"] == "0507"


@pytest.mark.case("assault-stalingrad", "19.52", "19.53")
def test_the_red_edge(stalingrad):
    ground = stalingrad.ground(stalingrad.map)
    red = set(ground.numbers(ground.soviet_sources))
    assert {"0120", "0101", "2301"} <= red
    assert "0121" not in red
    assert ground.line_sides == stalingrad.map.sides["road"]


@pytest.mark.case("assault-stalingrad", "19.0")
def test_woods_and_marsh_mean_at_stalingrad_what_they_mean_at_leningrad(stalingrad):
    units = {"a": german("0504", "8-A", movement=8, type="panzer"), "b": soviet("0505", "4-B")}
    ground = {"blank": [12, 12], "hexes": {"0505": "woods", "0503": "marsh", "0604": "woods"}}
    pos = situation(stalingrad, "german-combat", units, map=ground)
    assert pos.explain("attack a 0505").defence == ((8, 1),)
    moving = situation(stalingrad, "german-movement", {"a": units["a"]}, map=ground)
    assert moving.reach("a")["0604"].cost == 3


@pytest.mark.case("assault-stalingrad", "19.42", "12.44")
def test_tank_corps_in_the_city_hexes_of_the_main_map_are_brittle_too(stalingrad):
    units = {"28TC": "1305", "23TC": "1305", "W1": "1305", "16Pz": "0918"}
    pos = situation(stalingrad, "german-air-bombardment", units, map=None, turn=1)
    after = pos.play("bomb 1305").play("end").play("die 2")
    assert texts(after) == {"disrupt 28TC", "disrupt 23TC"}  # a two is for tank corps, and a hit for one unit
    assert stalingrad.position(after.document()).document() == after.document()
    hit = after.play("disrupt 23TC")
    assert [u for u, entry in hit.document()["units"].items() if entry.get("disrupted")] == ["23TC"]
    assert "no effect" in happened(pos.play("bomb 1305").play("end").play("die 3"))


@pytest.mark.case("assault-stalingrad", "19.43")
def test_the_nkvd_is_not_transferred_to_the_main_map(stalingrad):
    pos = situation(stalingrad, "soviet-movement", {"10NKVD": "F5"}, map=None)
    assert refused(pos, "transfer 10NKVD 1305") == "19.43"


@pytest.mark.case("assault-stalingrad", "19.31")
def test_the_volga_outside_the_city_is_not_crossed_from_anywhere(stalingrad):
    pos = situation(stalingrad, "soviet-movement", {"13Gds": "1306", "24RD": "1105"}, map=None)
    assert refused(pos, "move 13Gds 1304") == "19.31"
    assert "begin the phase beside it" in pos.why_not("move 13Gds 1304").message
    assert refused(pos, "move 24RD 1103") == "19.31"
    assert "begin the phase" not in pos.why_not("move 24RD 1103").message


@pytest.mark.case("assault-stalingrad", "19.72")
def test_the_entry_area_of_a_draw_is_named(stalingrad):
    pos = situation(stalingrad, "soviet-movement", {"13Gds": {"cup": True}, "112RD": "1413"}, map=None, turn=2)
    assert happened(pos.play("draw 13Gds")) == "13Gds is drawn for entry area N"
    late = situation(stalingrad, "soviet-movement", {"13Gds": {"cup": True}, "112RD": "1413"}, map=None, turn=9)
    assert refused(late, "enter 13Gds 0104") == "19.72"
