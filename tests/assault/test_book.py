"""Situations written from the text of the book alone, around movement, the two maps, arrivals, victory and phases."""

from __future__ import annotations

from fractions import Fraction

import pytest

from .conftest import german, happened, refused, situation, soviet, texts
from .test_inset import City, hexes

# Movement (6.0, 9.0, 11.2) ------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "6.33", "6.32")
def test_the_neva_is_crossed_only_by_a_unit_that_begins_beside_it(leningrad):
    """0415 and 0516 lie on either bank, 0315 one hex behind the first."""
    pos = situation(leningrad, "soviet-movement", {"x": soviet("0415", movement=7)}, map=None)
    assert pos.reach("x")["0516"].left == 0
    assert refused(pos.play("move x 0516"), "move x 0415") == "6.19"
    assert refused(pos, "move x 0415-0315-0415-0516") == "6.33"
    assert refused(pos, "move x 0415-0516-0615") in ("6.33", "6.32")
    inland = situation(leningrad, "soviet-movement", {"x": soviet("0315", movement=30)}, map=None)
    assert refused(inland, "move x 0315-0415-0516") == "6.33"
    german_unit = situation(leningrad, "german-movement", {"x": german("0516", movement=30)}, map=None)
    assert refused(german_unit, "move x 0516-0415") == "6.32"


@pytest.mark.case("assault-leningrad", "6.17", "6.33")
@pytest.mark.parametrize("supply", ["in", "out"])
def test_nobody_crosses_the_neva_into_a_lake(leningrad, supply):
    """A river that runs along an all-lake hex, or is lake as well, leads nowhere."""
    field = {"blank": [12, 12], "hexes": {"0504": "lake"}}
    field["hexsides"] = {"0504/0505": ["neva"], "0505/0506": ["neva", "lake"], "0505/0605": ["neva"]}
    pos = situation(leningrad, "soviet-movement", {"x": soviet("0505", supply=supply)}, map=field)
    assert pos.why_not("move x 0505-0605") is None
    for lake in ("0504", "0505-0504", "0505-0506"):
        assert refused(pos, f"move x {lake}") == "6.17"


def _beside(ground, number: str) -> list[str]:
    return [ground.number(n) for n in ground.grid.neighbours(ground.grid.hex(number)) if n >= 0]


@pytest.mark.case("assault-leningrad", "6.33", "11.21")
def test_out_of_supply_the_one_hex_may_be_over_the_neva(leningrad):
    cut = situation(leningrad, "soviet-movement", {"x": soviet("0415", supply="out")}, map=None)
    assert "0516" in cut.reach("x")


@pytest.mark.case("assault-leningrad", "6.33", "8.34")
def test_who_has_crossed_the_neva_is_not_transferred_to_the_inset(leningrad):
    """0218 and 0319 lie on either bank, and 0319 is a fringe hex: he moves no further."""
    pos = situation(leningrad, "soviet-movement", {"x": soviet("0218", movement=9)}, map=None)
    inset = pos.ground.numbers(pos.ground.links[pos.ground.grid.hex("0319")])
    assert pos.why_not("move x 0218-0319") is None
    assert refused(pos, f"move x 0218-0319-{inset[0]}") == "6.33"


@pytest.mark.case("assault-*", "6.13", "6.22", "9.4")
def test_the_single_hex_is_the_whole_move_in_the_mechanized_phase_too(game):
    """A slow panzer in a fluid zone leaves it by one hex, and only by one."""
    units = {"x": german("0505", type="panzer", movement=2), "e": soviet("0504", "4-B")}
    pos = situation(game, "german-mechanized-movement", units)
    assert "0507" not in pos.reach("x")
    assert "0605" in pos.reach("x")
    assert refused(pos, "move x 0505-0605-0606") == "6.13"


@pytest.mark.case("assault-*", "9.2", "9.3")
def test_from_rigid_to_fluid_and_from_fluid_to_rigid(game):
    units = {"x": german("0505", movement=12), "a": soviet("0404", "4-A"), "b": soviet("0707", "4-B")}
    pos = situation(game, "german-movement", units)
    rigid, zone = pos.rigid_zone("soviet"), pos.zoc("soviet")
    assert "0505" in rigid
    fluid = zone - rigid - {"0707"}
    step = next(n for n in _beside(pos.ground, "0505") if n not in rigid and set(_beside(pos.ground, n)) & fluid)
    on = next(n for n in _beside(pos.ground, step) if n in fluid)
    assert pos.why_not(f"move x 0505-{step}-{on}") is None
    out = next(n for n in _beside(pos.ground, on) if n not in zone)
    assert pos.why_not(f"move x 0505-{step}-{on}-{out}") is None
    again = next(n for n in _beside(pos.ground, "0505") if n in rigid and n != "0404")
    assert refused(pos, f"move x 0505-{again}") == "9.2"


@pytest.mark.case("assault-leningrad", "9.5", "9.6")
def test_a_worker_in_a_fortification_has_a_rigid_zone_and_beside_it_none(leningrad):
    field = {"blank": [9, 9], "places": {"0505": ["fortification"]}}
    units = {"x": german("0507", movement=9), "w": soviet("0505", "1-C", 4, "worker")}
    pos = situation(leningrad, "german-movement", units, map=field)
    assert refused(pos, "move x 0507-0506-0507") == "9.2"
    open_field = situation(leningrad, "german-movement", units)
    assert open_field.why_not("move x 0507-0506-0507") is None


@pytest.mark.case("assault-*", "9.7", "8.43")
def test_zones_neither_enter_nor_leave_the_city_hexes_of_the_main_map(game):
    city = City(game)
    units = {"x": soviet(city.capital, "4-A"), "g": german(city.main, "8-A")}
    for phase in ("soviet-movement", "german-combat"):
        pos = situation(game, phase, units, map=None)
        assert city.main not in pos.zoc("soviet")
        assert city.capital not in pos.zoc("german")
    assert refused(pos, f"attack g {city.capital}") == "8.43"


@pytest.mark.case("assault-*", "7.5", "6.12")
def test_a_hex_is_passed_when_its_unit_has_gone_but_not_while_it_is_there(game):
    pos = situation(game, "german-movement", {"x": german("0505", movement=9), "f": german("0506")})
    assert refused(pos, "move x 0505-0506-0507") == "7.1"
    after = pos.play("move f 0508")
    assert after.why_not("move x 0505-0506-0507") is None


@pytest.mark.case("assault-leningrad", "8.21", "6.33")
def test_within_the_city_the_river_is_ignored(leningrad):
    pos = situation(leningrad, "soviet-movement", {"x": soviet("0320", movement=3)}, map=None)
    assert pos.reach("x")["0219"].cost <= 1
    assert pos.reach("x")["0220"].cost <= 1


# The two maps (8.3) -------------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "8.34", "8.22")
def test_the_way_into_the_city_costs_the_main_hex_and_the_interior_hex(leningrad):
    city = City(leningrad)
    for kind, inside in (("infantry", 2), ("panzer", 3)):
        pos = situation(leningrad, "german-movement", {"x": german(city.main, type=kind, movement=8)}, map=None)
        assert pos.reach("x")[city.fringe].cost == 0
        assert pos.reach("x")[city.interior].cost == inside


@pytest.mark.case("assault-*", "8.34", "8.33")
def test_the_second_german_follows_by_the_same_fringe_hex_without_a_second_summons(game):
    city = City(game)
    units = {"g": german(city.main, movement=9), "h": german(city.out, movement=9), "x": soviet(city.capital, "1-C")}
    pos = situation(game, "german-movement", units, map=None).play(f"move g {city.fringe}")
    far = max(pos.legal.of("x"), key=lambda o: _distance(pos, o.hexes[0], city.fringe))
    pos = pos.play(far).play("end").play(f"move g {city.interior}")
    assert pos.to_move == "german"
    pos = pos.play(f"move h {city.fringe}")
    assert pos.to_move == "german"
    assert hexes(pos)["h"] == city.fringe


def _distance(pos, a: str, b: str) -> int:
    return pos.ground.grid.distance(*map(pos.ground.grid.hex, (a, b)))


@pytest.mark.case("assault-*", "8.33")
def test_units_already_on_the_inset_stay_where_they_are_when_the_city_is_manned(game):
    city = City(game)
    units = {"g": german(city.main, movement=9), "x": soviet(city.capital, "1-C"), "y": soviet(city.deep, "1-C")}
    pos = situation(game, "german-movement", units, map=None).play(f"move g {city.fringe}")
    assert refused(pos, f"transfer y {city.interior}") == "8.33"
    assert not [order for order in texts(pos) if " y " in order]


@pytest.mark.case("assault-*", "8.33")
def test_a_german_who_leaves_the_inset_at_the_end_of_his_turn_gives_the_city_back(game):
    """On the fringe he must go back to the main map: then no German is on the inset, and units shift freely again."""
    city = City(game)
    units = {"g": german(city.fringe), "x": soviet(city.deep), "y": soviet(city.out.replace("0519", "0921"), "1-C")}
    pos = situation(game, "german-mechanized-movement", units, map=None)
    while pos.phase.id != "soviet-movement":
        pos = pos.play("die 1" if pos.to_move == "chance" else "end")
    assert hexes(pos)["g"] == city.main
    assert f"transfer x {city.capital}" in texts(pos)


@pytest.mark.case("assault-*", "8.35")
def test_a_fringe_hex_is_closed_while_the_main_hex_holds_an_enemy(game):
    city = City(game)
    units = {"g": german(city.interior, movement=12), "e": soviet(city.main, "1-C")}
    pos = situation(game, "german-movement", units, map=None)
    assert refused(pos, f"move g {city.fringe}") == "8.35"


@pytest.mark.case("assault-*", "8.32", "12.45")
def test_disrupted_units_are_transferred_to_the_inset_and_not_back(game):
    city = City(game)
    units = {"x": soviet(city.capital, disrupted=True), "y": soviet(city.interior, disrupted=True)}
    pos = situation(game, "soviet-movement", units, map=None)
    assert pos.why_not(f"transfer x {city.deep}") is None
    assert refused(pos, f"transfer y {city.capital}") == "12.45"
    assert refused(pos.play(f"transfer x {city.deep}"), f"transfer x {city.capital}") == "12.45"


@pytest.mark.case("assault-stalingrad", "19.43", "8.32")
def test_the_nkvd_is_not_transferred_at_all(stalingrad):
    """A transfer goes over the main map, where the division may never be."""
    pos = situation(stalingrad, "soviet-movement", {"10NKVD": "J5"}, map=None)
    assert not [order for order in texts(pos) if order.startswith("transfer")]
    assert refused(pos, "transfer 10NKVD J4") == "19.43"


@pytest.mark.case("assault-*", "8.32")
def test_a_transfer_before_the_move_and_one_after_it(game):
    """From district to district in one phase: out of the inset, over the main map, into the other district."""
    city = City(game)
    pos = situation(game, "soviet-movement", {"x": soviet(city.interior, movement=4)}, map=None)
    pos = pos.play(f"transfer x {city.capital}")
    step = next(o for o in pos.legal.of("x") if o.verb == "move" and o.hexes[0] in _capitals(pos))
    pos = pos.play(step)
    there = next(o for o in pos.legal.of("x") if o.verb == "transfer")
    pos = pos.play(there)
    assert pos.ground.capital_of[pos.ground.grid.hex(hexes(pos)["x"])] == pos.ground.grid.hex(step.hexes[0])


def _capitals(pos) -> list[str]:
    return pos.ground.numbers(pos.ground.capital)


@pytest.mark.case("assault-leningrad", "14.4", "14.2")
def test_workers_of_the_city_do_not_go_to_the_fringe(leningrad):
    pos = situation(leningrad, "soviet-movement", {"W1": "J4", "W2": "0320"}, map=None)
    assert refused(pos, "move W1 K4") == "14.4"
    assert refused(pos, "move W2 0420") == "14.4"
    assert pos.why_not("move W2 0219") is None
    dug_in = situation(leningrad, "soviet-movement", {"W1": "0916"}, map=None)
    assert refused(dug_in, "move W1 0917") == "14.2"


@pytest.mark.case("assault-*", "8.37")
def test_soviet_units_on_the_fringe_go_back_at_the_end_of_their_combat_phase(game):
    city = City(game)
    units = {"x": soviet(city.fringe), "g": german("0101")}
    pos = situation(game, "soviet-combat", units, map=None)
    assert hexes(pos.play("end"))["x"] == city.main


# Arrivals (16.0) ----------------------------------------------------------------------------------


def _german_in(pos, district: str) -> str:
    ground = pos.ground
    return ground.numbers(ground.district_of[ground.grid.hex(district)])[0]


@pytest.mark.case("assault-leningrad", "16.13")
def test_where_soviet_reinforcements_appear(leningrad):
    start = leningrad.start()
    places = {d: _german_in(start, d) for d in ("0219", "0220", "0320")}
    waiting = {"10RD": {"waiting": True}}

    def offered(*districts: str, **more) -> set[str]:
        germans = {f"g{d}": german(places[d]) for d in districts}
        pos = situation(leningrad, "soviet-movement", {**waiting, **germans, **more}, map=None, turn=9)
        return {order.hexes[0] for order in pos.legal.of("10RD")}

    everywhere = offered()
    assert {"0219", "0220", "0320"} < everywhere
    assert "0120" not in everywhere
    fringe = offered(g=german("K4"))
    assert not fringe & {"0219", "0220", "0320"}
    assert fringe == everywhere - {"0219", "0220", "0320"}
    two = offered("0219", "0220")
    assert two == set(start.ground.numbers(start.ground.district_of[start.ground.grid.hex("0320")]))
    assert offered("0219", "0220", "0320") == {"0120"}
    assert offered("0219", "0220", "0320", h=german("0119")) == {"0120"}
    assert offered("0219", "0220", "0320", h=german("0120")) == set()
    assert offered("0219", "0220", "0320", h=soviet("0120")) == set()


@pytest.mark.case("assault-leningrad", "16.13", "16.16", "16.19")
def test_a_reinforcement_that_cannot_appear_waits_and_may_move_when_it_has(leningrad):
    start = leningrad.start()
    germans = {f"g{d}": german(_german_in(start, d)) for d in ("0219", "0220", "0320")}
    units = {"10RD": {"waiting": True}, "1GV": {"waiting": True}, **germans}
    pos = situation(leningrad, "soviet-movement", units, map=None, turn=9).play("enter 10RD 0120")
    assert refused(pos, "enter 1GV 0120") == "16.13"
    pos = pos.play(next(o for o in pos.legal.of("10RD") if o.verb == "move"))
    assert pos.why_not("enter 1GV 0120") is None


@pytest.mark.case("assault-leningrad", "16.14", "16.15", "16.17", "9.2")
def test_germans_enter_into_a_zone_and_stop_there(leningrad):
    units = {"58ID": {"waiting": True}, "e": soviet("1334", "4-A"), "f": soviet("1136", "1-C")}
    pos = situation(leningrad, "german-movement", units, map=None, turn=5)
    edge = pos.ground.numbers(pos.ground.place("entry-a"))
    assert refused(pos, "enter 58ID 1136") == "16.15"
    rigid = [n for n in edge if n in pos.rigid_zone("soviet")]
    for number in rigid:
        on = next(n for n in _beside(pos.ground, number) if n not in edge)
        assert pos.why_not(f"enter 58ID {number}") is None
        assert refused(pos, f"enter 58ID {number}-{on}") in ("9.2", "6.13", "6.12")
    assert refused(pos, "enter 58ID 3826") == "16.14"
    free = situation(leningrad, "german-movement", {"58ID": {"waiting": True}}, map=None, turn=5)
    assert free.reach("58ID")["1136"].cost == Fraction(1, 2)


@pytest.mark.case("assault-leningrad", "16.22", "16.23", "16.26", "16.24")
def test_withdrawals_at_the_beginning_of_the_movement_phase(leningrad):
    units = {"8/10": "2020", "8/8": {"eliminated": True}, "8/28": {"waiting": True}, "1/1": "1010", "1ID": "0909"}
    pos = situation(leningrad, "german-supply", units, map=None, turn=11).play("end")
    assert pos.phase.id == "german-movement"
    assert hexes(pos) == {"1/1": "1010", "1ID": "0909"}
    assert refused(pos, "enter 8/28 3826") == "16.11"
    stay = {"1/1": "1010", "HQ41": "1011", "1ID": "J4"}
    assert "1/1" in hexes(situation(leningrad, "german-supply", stay, map=None, turn=22).play("end"))
    leave = {**stay, "1ID": "0909"}
    after = situation(leningrad, "german-supply", leave, map=None, turn=22).play("end")
    assert hexes(after) == {"1ID": "0909"}


@pytest.mark.case("assault-leningrad", "16.19", "16.12")
def test_an_arrival_may_be_put_off_but_never_brought_forward(leningrad):
    early = situation(leningrad, "german-movement", {"58ID": {"waiting": True}, "x": german("1010")}, map=None, turn=4)
    assert refused(early, "enter 58ID 1136") == "16.19"
    late = situation(leningrad, "german-movement", {"58ID": {"waiting": True}}, map=None, turn=20)
    assert late.why_not("enter 58ID 1136") is None
    assert late.why_not("end") is None


# Victory (17.0) -----------------------------------------------------------------------------------


def _points(pos, label: str) -> str:
    return next(e.side for e in pos.standing.ledger if label in e.label)


@pytest.mark.case("assault-leningrad", "17.22")
def test_who_was_last_to_pass_through_a_city_has_it(leningrad):
    units = {"g": german("0610", movement=9), "s": soviet("0313", movement=9)}
    pos = situation(leningrad, "german-movement", units, map=None)
    assert _points(pos, "Mga") == "soviet"
    way = next(n for n in _beside(pos.ground, "0611") if n != "0610" and pos.why_not(f"move g 0611-{n}") is None)
    assert _points(pos.play(f"move g 0611-{way}"), "Mga") == "german"


@pytest.mark.case("assault-leningrad", "17.25")
@pytest.mark.parametrize(
    ("units", "held"),
    [
        ({"1ID": "1202"}, True),
        ({"1ID": {"hex": "1202", "steps": 1}}, True),
        ({"1/1": "1202", "1/1m": "1202", "1/113": "1202"}, True),
        ({"1/1": "1202", "1/1m": "1202", "1/113": "1203"}, False),
        ({"1/1": "1202"}, False),
        ({"HQ41": "1202"}, False),
        ({"1ID": "1203"}, False),
    ],
)
def test_a_captured_city_keeps_its_points_only_with_a_division_in_it(leningrad, units, held):
    held_by = {"german-held": ["1202"], "captured": ["1202"]}
    pos = situation(leningrad, "german-mechanized-movement", units, map=None, **held_by).play("end")
    assert _points(pos, "Kirishi") == ("german" if held else "soviet")
    assert ("its points are the Soviet side's for good" in happened(pos)) != held


@pytest.mark.case("assault-leningrad", "17.11", "17.12")
def test_both_decisive_conditions(leningrad):
    fringe_only = situation(leningrad, "soviet-combat", {"s": soviet("K4"), "1ID": "2009"}, map=None)
    assert fringe_only.standing.winner is None or fringe_only.standing.level != "decisive victory"
    taken = situation(leningrad, "soviet-combat", {"g": german("J4"), "s": soviet("0101")}, map=None)
    assert (taken.standing.winner, taken.standing.level) == ("german", "decisive victory")
    relieved = situation(leningrad, "soviet-combat", {"s": soviet("0320"), "g": german("3030")}, map=None)
    assert (relieved.standing.winner, relieved.standing.level) == ("soviet", "decisive victory")


# Phases (4.0) -------------------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "4.0", "11.12", "11.24")
def test_losses_for_want_of_supply_fall_in_the_enemys_check_before_movement(leningrad):
    units = {"1ID": {"hex": "2020", "supply": "out"}, "90RD": {"hex": "2525", "supply": "out"}}
    german_check = situation(leningrad, "german-supply", units, map=None).play("end")
    assert german_check.phase.id == "german-movement"
    assert german_check.document()["units"]["1ID"].get("steps") is None
    soviet_check = situation(leningrad, "soviet-supply", units, map=None).play("end")
    assert soviet_check.phase.id == "soviet-movement"
    assert soviet_check.document()["units"]["1ID"]["steps"] == 1


@pytest.mark.case("assault-*", "4.0", "6.11", "10.11")
def test_only_the_phasing_side_moves_and_attacks(game):
    units = {"g": german("0505", "8-A"), "s": soviet("0506", "4-C")}
    moving = situation(game, "german-movement", units)
    assert refused(moving, "move s 0507") == "4.0"
    fighting = situation(game, "german-combat", units)
    assert refused(fighting, "attack s 0505") == "10.11"
    assert refused(fighting, "move g 0504") == "4.0"


@pytest.mark.case("assault-leningrad", "4.0", "5.1", "18.21")
def test_a_phase_that_must_not_end_yet_is_not_ended_by_its_name(leningrad):
    start = leningrad.start()
    assert refused(start, "end soviet-set-up") == "5.1"
    units = {"G": soviet("0520", "1-C", 8, "guerrilla")}
    away = situation(leningrad, "soviet-movement", units, map=None, turn=1, options={"guerrillas-away": True})
    assert refused(away, "end soviet-movement") == "18.21"


@pytest.mark.case("assault-*", "8.37", "4.0")
def test_too_many_on_the_fringe_are_given_up_before_the_turn_passes(game):
    """Two inset hexes of one main-map hex hold a division each: one has to go, and nobody may decline that."""
    city = City(game)
    ground = game.ground(game.map)
    other = next(n for n in ground.numbers(ground.links[ground.grid.hex(city.main)]) if n != city.fringe)
    units = {"g": german(city.fringe), "h": german(other), "s": soviet("0101", "1-C")}
    crowd = situation(game, "german-mechanized-movement", units, map=None).play("end")
    assert (crowd.phase.id, crowd.to_move) == ("german-mechanized-movement", "german")
    assert texts(crowd) == {"remove g", "remove h"}
    refusal = crowd.why_not("end german-mechanized-movement")
    assert refusal.message == "in german-mechanized-movement the unit for which there is no room comes first"
    assert refused(crowd, "end") == "8.37"
    after = crowd.play("remove g")
    assert after.phase.side == "soviet"
    assert hexes(after)["h"] == city.main


@pytest.mark.case("assault-*", "8.33", "8.34", "9.4")
def test_the_german_goes_on_with_the_points_he_has_left(game):
    """Also in the mechanized phase. What he spent to come to the fringe is gone."""
    city = City(game)
    units = {"g": german(city.out, type="panzer", movement=8), "x": soviet(city.capital, "1-C")}
    for phase in ("german-movement", "german-mechanized-movement"):
        pos = situation(game, phase, units, map=None)
        spent = pos.reach("g")[city.fringe].cost
        pos = pos.play(f"move g {city.fringe}")
        far = max(pos.legal.of("x"), key=lambda o, pos=pos: _distance(pos, o.hexes[0], city.fringe))
        pos = pos.play(far).play("end")
        assert (pos.phase.id, pos.to_move) == (phase, "german")
        assert pos.reach("g")[city.interior].left == 8 - spent - 3
        done = pos.play(f"move g {city.interior}")
        assert refused(done, f"move g {city.fringe}") == "6.19"


@pytest.mark.case("assault-*", "8.33", "6.19")
def test_who_is_passed_over_for_another_unit_has_ended_his_move(game):
    city = City(game)
    units = {"g": german(city.main, movement=8), "h": german(city.out), "x": soviet(city.capital, "1-C")}
    pos = situation(game, "german-movement", units, map=None).play(f"move g {city.fringe}")
    far = max(pos.legal.of("x"), key=lambda o: _distance(pos, o.hexes[0], city.fringe))
    pos = pos.play(far).play("end")
    other = next(o for o in pos.legal.of("h") if o.hexes[0] != city.fringe)
    assert refused(pos.play(other), f"move g {city.interior}") == "6.19"


@pytest.mark.case("assault-leningrad", "10.26", "10.51")
def test_an_attacker_who_has_retreated_advances_if_he_still_touches_the_hex(leningrad):
    from .test_combat import fight, roll_for

    units = {"x": german("0505", "4-B 2-C"), "y": soviet("0506", "4-C 2-C"), "z": soviet("1111")}
    pos = fight(leningrad, units, "x 0506", roll_for(leningrad, "1/1", "1:1", 1))
    beside = next(o for o in pos.legal.of("x") if o.verb == "retreat" and _distance(pos, o.hexes[0], "0506") == 1)
    pos = pos.play(beside)
    assert "stand" in texts(pos)
    pos = pos.play(next(o for o in pos.legal.of("y") if o.verb == "retreat"))
    assert "advance x 0506" in texts(pos)


@pytest.mark.case("assault-leningrad", "11.33", "6.22", "11.37")
def test_a_headquarters_that_went_along_has_retreated_too(leningrad):
    from .test_combat import fight, roll_for

    units = {
        "x": german("0505", "4-B 2-C", type="panzer"),
        "h": german("0505", "0-C", type="hq", mechanized=True),
        "y": soviet("0506", "4-C 2-C"),
        "z": soviet("1111"),
    }
    pos = fight(leningrad, units, "x 0506", roll_for(leningrad, "1/1", "1:1", 1))
    pos = pos.play(next(o for o in pos.legal.of("x") if o.verb == "retreat"))
    assert "the penalty that is being taken comes first" in pos.why_not("end german-combat").message
    stays = pos.play("end").play("stand").play("end")
    assert stays.phase.id == "german-mechanized-movement"
    assert stays.why_not("move h 0605") is None
    goes = pos.play(next(o for o in pos.legal.of("h") if o.verb == "retreat")).play("stand").play("end")
    while goes.phase.id == "german-combat":
        goes = goes.play("end")
    assert goes.phase.side == "soviet"
    assert "German mechanized movement: nothing to do" in happened(goes)
