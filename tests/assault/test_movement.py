"""Movement (6.0), stacking (7.0) and zones of control (9.0)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ladoga.games.assault import movement
from ladoga.games.assault.reach import way_cost

from .conftest import german, happened, refused, situation, soviet, texts

# Costs --------------------------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "6.0", "6.1", "6.3", "6.13", "6.16", "3.1")
def test_worked_example_of_a_road_march(leningrad):
    """1/1 from 1235 to 1030: 3 + four road hexes at a third + 3 = 7 1/3."""
    pos = situation(leningrad, "german-movement", {"1/1": "1235"}, map=None)
    path = ("1135", "1134", "1133", "1032", "1031", "1030")
    after = pos.play("move 1/1 " + "-".join(path))
    assert after.document()["units"]["1/1"]["hex"] == "1030"
    grid = pos.ground.grid
    mover = movement.mover_of(pos, pos.index["1/1"])
    cost = way_cost(mover, grid.hex("1235"), [grid.hex(number) for number in path])
    assert Fraction(cost, 6) == Fraction(22, 3)
    slow = situation(leningrad, "german-movement", {"x": german("1235", movement=7, type="panzer")}, map=None)
    assert refused(slow, "move x " + "-".join(path)) == "6.13"


@pytest.mark.case("assault-leningrad", "6.15", "6.16")
def test_a_river_adds_to_the_hex_unless_a_road_crosses_it(leningrad):
    pos = situation(leningrad, "german-movement", {"1/1": "1035"}, map=None)
    assert pos.reach("1/1")["0935"].cost == 5
    pos = situation(leningrad, "german-movement", {"1/1": "1134"}, map=None)
    assert pos.reach("1/1")["1133"].cost == Fraction(1, 3)


@pytest.mark.parametrize(
    ("mover", "terrain", "cost"),
    [
        ("infantry", "clear", 1), ("infantry", "woods", 2), ("infantry", "marsh", 3),
        ("panzer", "clear", 1), ("panzer", "woods", 3), ("panzer", "marsh", 5),
    ],
)  # fmt: skip
@pytest.mark.case("assault-leningrad", "6.13", "3.2")
def test_terrain_costs(leningrad, mover, terrain, cost):
    field = {"blank": [5, 5], "hexes": {"0203": terrain}}
    pos = situation(leningrad, "german-movement", {"x": german("0202", movement=8, type=mover)}, map=field)
    assert pos.reach("x")["0203"].cost == cost


@pytest.mark.case("assault-*", "6.13", "6.15")
def test_river_costs(game):
    field = {"blank": [2, 1], "hexsides": {"0101/0102": ["river"]}}
    for kind, cost in (("infantry", 2), ("panzer", 3)):
        pos = situation(game, "german-movement", {"x": german("0101", movement=8, type=kind)}, map=field)
        assert pos.reach("x")["0102"].cost == cost


@pytest.mark.case("assault-*", "6.0", "6.1", "6.16")
def test_road_rate_only_along_the_road(game):
    """Two road hexes that touch without a road between them cost their terrain; points stay exact."""
    field = {"blank": [6, 6], "hexsides": {"0202/0203": ["road"], "0203/0204": ["road"], "0304/0305": ["road"]}}
    pos = situation(game, "german-movement", {"x": german("0202"), "y": german("0502", type="panzer")}, map=field)
    reach = pos.reach("x")
    assert reach["0203"].cost == Fraction(1, 2)
    assert reach["0204"].cost == 1
    assert reach["0205"].cost == 2
    assert reach["0304"].cost == Fraction(3, 2)


@pytest.mark.case("assault-*", "6.17")
def test_water_hexsides_are_closed(game):
    field = {"blank": [5, 5], "hexsides": {"0202/0203": ["lake"]}}
    pos = situation(game, "german-movement", {"x": german("0202", movement=1)}, map=field)
    assert refused(pos, "move x 0203") == "6.17"


@pytest.mark.case("assault-leningrad", "6.17")
def test_lakes_and_sea_of_the_map(leningrad):
    pos = situation(leningrad, "german-movement", {"1ID": "0832", "11ID": "2422"}, map=None)
    for way in ("0832-0833", "0833-0834"):
        assert refused(pos, f"move 1ID {way}") == "6.17"
    assert pos.why_not("move 11ID 2522") is None
    at_sea = situation(leningrad, "soviet-movement", {"90RD": "0326"}, map=None)
    assert refused(at_sea, "move 90RD 0225") == "6.17"


@pytest.mark.case("assault-*", "6.13", "9.4", "6.18")
def test_one_hex_is_always_allowed(game):
    field = {"blank": [5, 5], "hexsides": {"0202/0203": ["river"]}}
    units = {"x": soviet("0202", movement=1), "y": german("0301", "6-B")}
    pos = situation(game, "soviet-movement", units, map=field)
    assert "0203" in pos.reach("x")
    assert pos.play("move x 0203").document()["units"]["x"]["hex"] == "0203"


@pytest.mark.case("assault-*", "6.11", "6.19", "6.12", "6.14")
def test_units_move_singly_and_once(game):
    pos = situation(game, "german-movement", {"x": german("0202"), "y": german("0204")})
    assert pos.why_not("end") is None
    assert refused(pos, "move x+y 0203") == "6.12"
    assert refused(pos, "move x 0206-0207") == "6.12"
    pos = pos.play("move x 0203")
    assert refused(pos, "move x 0202") == "6.19"
    assert any(order.startswith("move y") for order in texts(pos))


@pytest.mark.case("assault-*", "6.12", "6.110")
def test_never_into_an_enemy_hex_nor_off_the_map(game):
    pos = situation(game, "german-movement", {"x": german("0101"), "y": soviet("0102", "1-C")})
    assert refused(pos, "move x 0102") == "6.12"
    assert refused(pos, "move x 0013") == "3.1"
    assert {hex_ for hex_ in pos.reach("x") if not hex_.isdigit()} == set()


# The mechanized movement phase --------------------------------------------------------------------


@pytest.mark.case("assault-*", "6.2", "6.21", "6.14")
def test_only_mechanized_units_move_again(game):
    units = {"x": german("0202"), "y": german("0404", type="panzer", movement=8), "h": german("0606", "0-C", type="hq")}
    pos = situation(game, "german-mechanized-movement", units)
    assert refused(pos, "move x 0203") == "6.21"
    assert refused(pos, "move h 0607") == "6.21"
    assert pos.reach("y")["0405"].left == 7


@pytest.mark.case("assault-*", "6.22", "9.2", "9.3", "11.22")
def test_who_may_not_move_again(game):
    panzer = {"type": "panzer", "movement": 8}
    units = {
        "out": german("0202", supply="out", **panzer),
        "rigid": german("0606", **panzer), "a": soviet("0607", "4-A"),
        "fluid": german("1010", **panzer), "b": soviet("1011", "4-B"),
        "back": german("0210", retreated=True, **panzer),
        "hit": german("0804", disrupted=True, **panzer),
    }  # fmt: skip
    pos = situation(game, "german-mechanized-movement", units)
    assert refused(pos, "move out 0203") == "11.22"
    assert refused(pos, "move rigid 0605") == "6.22"
    assert refused(pos, "move back 0209") == "6.22"
    assert refused(pos, "move hit 0805") == "12.42"
    assert pos.why_not("move fluid 1009") is None


# The Neva -----------------------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "6.31", "6.32", "6.33")
def test_crossing_the_neva(leningrad):
    assert leningrad.map.has_side("neva", leningrad.map.grid.hex("0515"), leningrad.map.grid.hex("0415"))
    pos = situation(leningrad, "german-movement", {"1ID": "0515"}, map=None)
    assert refused(pos, "move 1ID 0415") == "6.32"
    units = {"90RD": "0515", "111RD": "0614"}
    pos = situation(leningrad, "soviet-movement", units, map=None)
    assert pos.reach("90RD")["0415"].left == 0
    assert "0415" not in pos.reach("111RD")
    assert refused(pos, "move 90RD 0415-0314") == "6.33"


@pytest.mark.case("assault-leningrad", "6.33", "10.28")
def test_soviets_alone_retreat_over_the_neva(leningrad):
    from ladoga.games.assault.results import retreat_hexes

    pos = situation(leningrad, "german-combat", {"90RD": "0515", "1ID": "0513"}, map=None)
    numbers = pos.ground.numbers
    assert "0415" in numbers(retreat_hexes(pos, pos.index["90RD"]))
    assert not {"0413", "0414"} & set(numbers(retreat_hexes(pos, pos.index["1ID"])))


@pytest.mark.case("assault-leningrad", "6.34", "9.7")
def test_zones_stop_at_the_neva(leningrad):
    pos = situation(leningrad, "soviet-movement", {"1ID": "0515"}, map=None)
    assert not {"0414", "0415"} & pos.zoc("german")
    assert "0516" in pos.zoc("german")


# Stacking -----------------------------------------------------------------------------------------


@pytest.mark.case("assault-*", "7.0", "7.1", "7.5")
def test_one_unit_to_a_hex_even_in_passing(game):
    units = {"x": german("0602", movement=2), "y": german("0603")}
    pos = situation(game, "german-movement", units)
    assert refused(pos, "move x 0603") == "7.1"
    assert refused(pos, "move x 0603-0604") == "7.1"
    lone = {"x": soviet("0602"), "y": soviet("0603", "2-B", size="brigade")}
    assert refused(situation(game, "soviet-movement", lone), "move x 0603") == "7.1"


@pytest.mark.case("assault-*", "7.2", "3.2")
def test_regiments_of_one_division_stack(game):
    regiment = {"type": "motorized", "size": "regiment", "movement": 8}
    units = {
        "a1": german("0602", division="a", **regiment), "a2": german("0604", division="a", **regiment),
        "a3": german("0606", division="a", **regiment), "b1": german("0506", division="b", **regiment),
    }  # fmt: skip
    pos = situation(game, "german-movement", units).play("move a1 0604").play("move a3 0604")
    assert refused(pos, "move b1 0604") == "7.2"


@pytest.mark.case("assault-leningrad", "7.2", "3.2")
def test_the_divisions_that_have_regiments(leningrad):
    sizes = {}
    for unit in leningrad.printed.values():
        if unit.division:
            sizes[unit.division] = sizes.get(unit.division, 0) + 1
    assert sizes == {
        "1st Panzer": 3, "6th Panzer": 3, "8th Panzer": 3, "12th Panzer": 3, "SS Totenkopf": 3,
        "3rd Motorized": 2, "20th Motorized": 2, "36th Motorized": 2,
    }  # fmt: skip


@pytest.mark.case("assault-*", "7.3", "11.32")
def test_one_headquarters_joins_any_stack(game):
    units = {
        "h": german("0602", type="hq", face="0-C"), "k": german("0606", type="hq", face="0-C"), "x": german("0604"),
    }  # fmt: skip
    pos = situation(game, "german-movement", units).play("move h 0604")
    assert refused(pos, "move k 0604") == "7.3"


@pytest.mark.case("assault-leningrad", "7.4", "15.4", "14.3")
def test_guerrilla_worker_and_one_other(leningrad):
    units = {"Gue1": "0602", "90RD": "0604", "Gue2": "0606", "111RD": "0508"}
    units["w"] = soviet("0604", "1-C", type="worker", movement=4)
    pos = situation(leningrad, "soviet-movement", units).play("move Gue1 0604")
    assert refused(pos, "move Gue2 0604") == "7.4"
    assert refused(pos, "move 111RD 0604") == "7.1"
    with pytest.raises(ValueError, match="too many units"):
        situation(leningrad, "soviet-movement", {"W1": "0604", "W2": "0604", "90RD": "0604"})


@pytest.mark.case("assault-*", "7.5")
def test_a_route_used_before_is_free(game):
    pos = situation(game, "german-movement", {"x": german("0602"), "y": german("0601")})
    pos = pos.play("move x 0606")
    assert pos.why_not("move y 0602-0603-0604-0605") is None


# Zones of control ---------------------------------------------------------------------------------


@pytest.mark.case("assault-*", "9.0", "9.1", "9.2", "9.5", "9.3")
def test_extent_of_zones_by_class(game):
    units = {"a": soviet("0303", "4-A"), "b": soviet("0707", "4-B"), "c": soviet("1010", "4-C")}
    pos = situation(game, "german-movement", units)
    around_a = {"0303", "0302", "0304", "0202", "0203", "0402", "0403"}
    around_b = {"0707", "0706", "0708", "0606", "0607", "0806", "0807"}
    assert pos.rigid_zone("soviet") == around_a
    assert pos.zoc("soviet") == around_a | around_b | {"1010"}


@pytest.mark.case("assault-*", "9.2", "6.22")
def test_a_rigid_zone_stops(game):
    units = {"x": german("0602", movement=12), "a": soviet("0506", "4-A")}
    pos = situation(game, "german-movement", units)
    assert "0605" in pos.reach("x")
    assert refused(pos, "move x 0603-0604-0605-0606") == "9.2"
    second = situation(
        game,
        "german-mechanized-movement",
        {"x": german("0602", type="panzer", movement=12), "a": soviet("0506", "4-A")},
    )
    assert refused(second, "move x 0603-0604-0605-0606") == "9.2"


@pytest.mark.case("assault-*", "9.2", "6.13")
def test_never_straight_from_rigid_to_rigid(game):
    units = {"x": german("0605", movement=4), "a": soviet("0506", "4-A")}
    pos = situation(game, "german-movement", units)
    assert refused(pos, "move x 0606") == "9.2"
    assert refused(pos, "move x 0605-0606") == "9.2"
    assert pos.reach("x")["0604"].cost == 4
    assert pos.why_not("move x 0705") is None


@pytest.mark.case("assault-*", "9.3", "9.4", "9.9")
def test_fluid_zones_cost_three_to_leave_each_time(game):
    units = {"x": german("0603", movement=12), "b": soviet("0506", "4-B"), "b2": soviet("0706", "4-B")}
    pos = situation(game, "german-movement", units)
    assert pos.reach("x")["0604"].cost == 1
    assert pos.reach("x")["0605"].cost == 2
    assert pos.why_not("move x 0604-0605-0606-0607") is None
    straight = situation(game, "german-movement", {**units, "x": german("0605", movement=4)})
    assert straight.reach("x")["0606"].cost == 4


@pytest.mark.case("assault-*", "9.4", "9.3", "9.2")
def test_worked_example_of_zones(game):
    """The Police spend 1 and 4 and are spent; a regiment spends 6 over three hexes; 1st Infantry stops after 1."""
    units = {
        "mtn": soviet("0404", "2-B"), "rd": soviet("0409", "5-A"),
        "police": german("0202", "6-B"), "ger": german("0411", "8-A"),
        "mot": german("0206", "4-A", type="motorized", movement=8),
    }  # fmt: skip
    pos = situation(game, "german-movement", units, map={"blank": [14, 8]})
    assert pos.zoc("soviet") & {"0304", "0403"} == {"0304", "0403"}
    assert pos.reach("police")["0303"].cost == 1
    straight = situation(game, "german-movement", {**units, "police": german("0303", "6-B")}, map={"blank": [14, 8]})
    assert straight.reach("police")["0304"].cost == 1
    inside = situation(game, "german-movement", {**units, "police": german("0304", "6-B")}, map={"blank": [14, 8]})
    assert inside.reach("police")["0403"].cost == 4
    assert refused(straight, "move police 0304-0403-0402") == "6.13"
    assert pos.play("move mot 0306-0307-0308").document()["units"]["mot"]["hex"] == "0308"
    rigid = pos.rigid_zone("soviet")
    assert pos.reach("ger")["0410"].cost == 1
    assert "0410" in rigid
    assert refused(pos, "move ger 0410-0510") in ("9.2", "6.13")


@pytest.mark.case("assault-*", "9.4", "9.8")
def test_own_zones_and_entering_cost_nothing(game):
    units = {"x": german("0603", movement=4), "y": german("0505"), "b": soviet("0506", "4-B")}
    pos = situation(game, "german-movement", units)
    assert pos.reach("x")["0604"].cost == 1
    free = situation(game, "soviet-movement", {"b": soviet("0506"), "c": soviet("0606")})
    assert free.reach("b")["0507"].cost == 1


@pytest.mark.case("assault-leningrad", "9.6")
def test_fortifications_make_zones_rigid(leningrad):
    field = {"blank": [9, 9], "places": {"0505": ["fortification"], "0509": ["fortified-city"]}}
    pos = situation(leningrad, "german-movement", {"1V": "0505", "302RD": "0509"}, map=field)
    assert {"0505", "0504", "0404", "0605", "0509", "0508"} <= pos.rigid_zone("soviet")
    pos = situation(leningrad, "soviet-movement", {"96ID": {"hex": "0505", "steps": 1}}, map=field)
    assert pos.zoc("german") == {"0505"}


@pytest.mark.case("assault-*", "9.7")
def test_zones_cross_rivers_but_not_water(game):
    field = {"blank": [9, 9], "hexsides": {"0505/0506": ["river"], "0505/0504": ["lake"], "0505/0404": ["sea"]}}
    zone = situation(game, "german-movement", {"a": soviet("0505", "4-A")}, map=field).zoc("soviet")
    assert "0506" in zone
    assert not {"0504", "0404"} & zone


@pytest.mark.case("assault-*", "9.1", "10.210")
def test_a_lost_step_changes_the_zone(game):
    units = {"x": soviet("0505", "4-A 2-C", steps=1)}
    assert situation(game, "german-movement", units).zoc("soviet") == {"0505"}


# Frozen units -------------------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "5.6", "5.0")
def test_frozen_units(leningrad):
    units = {"177RD": "2823", "21TD": "3113", "191RD": "1133", "3V": "1828"}
    first = situation(leningrad, "soviet-movement", units, map=None, turn=1)
    assert refused(first, "move 177RD 2822") == "5.6"
    assert refused(first, "move 21TD 3112") == "5.6"
    assert refused(first, "move 3V 1827") == "5.6"
    assert first.why_not("move 191RD 1132") is None
    second = situation(leningrad, "soviet-movement", units, map=None, turn=2)
    assert second.why_not("move 177RD 2822") is None
    assert refused(second, "move 21TD 3112") == "5.6"
    third = situation(leningrad, "soviet-movement", units, map=None, turn=3)
    assert third.why_not("move 21TD 3112") is None
    loose = {"third-volunteers-frozen": False}
    assert (
        situation(leningrad, "soviet-movement", units, map=None, turn=1, options=loose).why_not("move 3V 1827") is None
    )


@pytest.mark.case("assault-leningrad", "5.6")
def test_frozen_units_fight(leningrad):
    units = {"177RD": "0505", "1ID": "0506"}
    pos = situation(leningrad, "soviet-combat", units, turn=1)
    assert "target 0506" in texts(pos)
    pos = situation(leningrad, "german-combat", units, turn=1).play("attack 1ID 0505").play("die 4")
    assert any(order.startswith("retreat 177RD") for order in texts(pos))


# Special movers -----------------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "15.0", "15.1", "15.2")
def test_guerrillas_have_their_own_column(leningrad):
    assert sum(unit.is_guerrilla for unit in leningrad.printed.values()) == 4
    field = {"blank": [9, 9], "hexes": {"0506": "woods", "0507": "marsh"}}
    pos = situation(leningrad, "soviet-movement", {"Gue1": "0505", "96ID": "0709"}, map=field)
    assert pos.reach("Gue1")["0506"].cost == 1
    assert pos.reach("Gue1")["0507"].cost == 2
    pinned = situation(leningrad, "soviet-movement", {"Gue1": "0505", "96ID": "0605"}, map=field)
    assert pinned.reach("Gue1")["0506"].cost == 4


@pytest.mark.case("assault-leningrad", "14.2", "14.0")
def test_outlying_workers_never_move(leningrad):
    pos = situation(leningrad, "soviet-movement", {"W13": "0916"}, map=None)
    assert refused(pos, "move W13 0915") == "14.2"


@pytest.mark.case("assault-leningrad", "11.37")
def test_one_headquarters_is_mechanized(leningrad):
    field = {"blank": [9, 9], "hexes": {"0506": "woods", "0706": "woods"}}
    units = {"HQ41": "0505", "HQ56": "0705"}
    pos = situation(leningrad, "german-movement", units, map=field)
    assert pos.reach("HQ41")["0506"].cost == 3
    assert pos.reach("HQ56")["0706"].cost == 2
    again = situation(leningrad, "german-mechanized-movement", units, map=field)
    assert again.reach("HQ41")
    assert refused(again, "move HQ56 0704") == "6.21"


@pytest.mark.case("assault-*", "11.21", "6.18")
def test_out_of_supply_one_hex(game):
    units = {"x": german("0605", supply="out"), "a": soviet("0507", "4-A")}
    pos = situation(game, "german-movement", units)
    assert refused(pos, "move x 0603") == "11.21"
    assert pos.why_not("move x 0604") is None
    units = {"x": german("0606", supply="out"), "a": soviet("0507", "4-A")}
    assert refused(situation(game, "german-movement", units), "move x 0607") == "9.2"


@pytest.mark.case("assault-*", "4.0", "6.11")
def test_nobody_moves_out_of_turn(game):
    units = {"x": german("0605"), "y": soviet("0609")}
    assert refused(situation(game, "german-movement", units), "move y 0610") == "4.0"
    assert refused(situation(game, "soviet-movement", units), "move x 0604") == "4.0"
    assert refused(situation(game, "german-movement", units), "attack x 0609") == "4.0"
    assert "moves" in happened(situation(game, "german-movement", units).play("move x 0604"))


@pytest.mark.case("assault-leningrad", "9.4", "9.2")
def test_a_zone_is_not_left_for_nothing_by_way_of_the_inset(leningrad):
    units = {"1/1": "0420", "s": soviet("0520", "4-A")}
    pos = situation(leningrad, "german-movement", units, map=None)
    free = situation(leningrad, "german-movement", {"1/1": "0420"}, map=None)
    assert "0420" in pos.rigid_zone("soviet")
    assert pos.reach("1/1")["K7"].cost == 0
    assert pos.reach("1/1")["K6"].cost == free.reach("1/1")["K6"].cost + 3
    assert pos.play("move 1/1 K7-K6").document()["units"]["1/1"]["hex"] == "K6"
    assert refused(pos, "move 1/1 K7-0420") == "6.12"


@pytest.mark.case("assault-leningrad", "9.4", "8.33")
def test_a_summons_does_not_make_leaving_a_zone_free(leningrad):
    units = {"1/1": "0420", "s": soviet("0520", "4-A"), "4V": "0320"}
    pos = situation(leningrad, "german-movement", units, map=None)
    free = situation(leningrad, "german-movement", {"1/1": "0420"}, map=None)
    pos = pos.play("move 1/1 K7").play("transfer 4V J4").play("end")
    assert pos.reach("1/1")["K6"].cost == free.reach("1/1")["K6"].cost + 3


@pytest.mark.case("assault-leningrad", "7.3", "7.4")
def test_the_case_that_limits_stacking_is_that_of_the_unit(leningrad):
    hq = german("0602", type="hq", face="0-C")
    pos = situation(leningrad, "german-movement", {"h": hq, "k": hq | {"hex": "0604"}})
    assert refused(pos, "move h 0604") == "7.3"
    guerrilla = soviet("0602", "1-C", type="guerrilla")
    pos = situation(leningrad, "soviet-movement", {"a": guerrilla, "b": guerrilla | {"hex": "0604"}})
    assert refused(pos, "move a 0604") == "7.4"


@pytest.mark.case("assault-*", "9.2", "9.4", "6.13")
def test_a_march_that_zones_hold_up_is_refused_for_the_zones(game):
    pos = situation(game, "german-movement", {"a": german("0508"), "b": soviet("0505", "5-A")})
    assert refused(pos, "move a 0507-0506-0406") == "9.2"  # 0506 is in the rigid zone
    assert refused(pos, "move a 0503") == "9.2"
    assert refused(pos, "move a 0501") == "6.13"
    fluid = situation(game, "german-movement", {"a": german("0508"), "b": soviet("0505", "5-B")})
    assert refused(fluid, "move a 0503") == "9.4"  # five hexes, and two zones to leave
    starting = situation(game, "german-movement", {"a": german("0506", movement=4), "b": soviet("0505", "5-A")})
    assert refused(starting, "move a 0508") == "9.4"


@pytest.mark.case("assault-leningrad", "6.32", "10.28", "10.38")
def test_a_retreat_over_the_neva_is_refused_for_the_river(leningrad):
    fight = {"for": "fight", "side": "german", "hexes": ["0516"], "attackers": ["x"], "defenders": ["a"], "due": 1}
    units = {"a": german("0516", "5-A 3-B"), "x": soviet("0616")}
    pos = situation(leningrad, "soviet-combat", units, map=None, pending=fight)
    assert refused(pos, "retreat a 0416") == "6.32"
    assert refused(pos, "retreat a 0517") == "10.27"  # in the zone of 0616
    inside = {**fight, "hexes": ["F4"]}
    pos = situation(
        leningrad, "soviet-combat", {"a": german("F4", "5-A 3-B"), "x": soviet("E4")}, map=None, pending=inside
    )
    assert refused(pos, "retreat a G4") == "10.38"
    assert pos.why_not("retreat a G5") is None  # by the Liteyny bridge


@pytest.mark.case("assault-leningrad", "6.32", "6.33")
def test_a_march_that_ends_at_the_neva_is_refused_for_the_river(leningrad):
    german_march = situation(leningrad, "german-movement", {"1ID": "0515"}, map=None, turn=10)
    assert refused(german_march, "move 1ID 0413") == "6.32"
    assert refused(german_march, "move 1ID 0101") == "6.13"
    soviet_march = situation(leningrad, "soviet-movement", {"11MD": "0511"}, map=None, turn=10)
    assert refused(soviet_march, "move 11MD 0413") == "6.33"
    assert refused(soviet_march, "move 11MD 0101") == "6.13"
