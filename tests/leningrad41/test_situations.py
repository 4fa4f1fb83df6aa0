"""Situations written from the rulebook's text alone, most of them where two cases meet."""

from __future__ import annotations

import pytest

from .conftest import dealt, refused, where
from .made_up import german, soviet

G = "leningrad41"
PI = {"type": "engineer"}
TANK = {"type": "panzer", "traits": "armored", "command": "8P"}
STRIP = {f"{row}{c:02}": "sea" for row in ("04", "06") for c in range(1, 13)}
RIVER = {"0505/0504": ["major-river"]}


# Pontoons ------------------------------------------------------------------------------------------------


@pytest.mark.case(G, "8.10", "8.8")
def test_motors_cross_a_pontoon(place):
    units = {"e": german("0505", command="8P", **PI), "t": german("0506", **TANK), "s": soviet("1201")}
    pos = place(units, "german-movement", hexes=STRIP, sides=RIVER)
    assert pos.play("move t 0501 motorized").document()["bridging"] == ["e"]


@pytest.mark.case(G, "8.10", "8.7")
def test_a_pontoon_takes_the_price_off_a_minor_river(place):
    brook = {"0505/0504": ["minor-river"]}
    units = {"e": german("0505", **PI), "x": german("0506"), "s": soviet("1201")}
    pos = place(units, "german-movement", hexes=STRIP, sides=brook)
    assert pos.reach("x")["0504"].cost == 2
    gone = pos.play("move e 0503")
    assert gone.document()["moving"]["left"] == 16 - 3  # the engineer itself pays
    assert gone.reach("x")["0504"].cost == 3


@pytest.mark.case(G, "8.10", "6.3")
def test_all_friends_cross_and_no_enemy(place):
    units = {"b": soviet("0505", type="bridge-engineer"), "l": soviet("0508", command="LFR"), "x": german("0503")}
    pos = place(units | {"x": german("0501")}, "soviet-movement", hexes=STRIP | {"0505": "objective"}, sides=RIVER)
    assert pos.document()["pontoons"] == {"b": "0504"}
    friend = {"b": soviet("0505", type="bridge-engineer"), "s": soviet("0506"), "x": german("0501")}
    friend = place(friend, "soviet-movement", hexes=STRIP | {"0505": "objective"}, sides=RIVER)
    assert friend.why_not("move s 0504") is None
    german_turn = place(units, "german-movement", hexes=STRIP, sides=RIVER, pontoons={"b": "0504"})
    assert refused(german_turn, "move x 0506") == "8.14"


@pytest.mark.case(G, "8.10")
def test_an_engineer_that_goes_and_comes_back_has_no_bridge(place):
    units = {"e": german("0505", **PI), "x": german("0507", command="56"), "s": soviet("1201")}
    pos = place(units, "german-movement", hexes=STRIP, sides=RIVER).play("move e 0505-0506-0505")
    assert "pontoons" not in pos.document()
    assert refused(pos, "move e 0504") == "8.9"
    assert refused(pos, "move x 0504") == "8.9"


@pytest.mark.case(G, "8.10", "10.16")
def test_an_engineer_that_carried_units_may_still_advance_after_combat(place):
    units = {"e": german("0505", fire=50, **PI), "x": german("1111"), "s": soviet("0504"), "s2": soviet("1201")}
    pos = place(units, "german-movement", hexes=STRIP, sides=RIVER, bridging=["e"]).play("end")
    assert "Close assault" in str(pos.explain("attack e 0504 assault").modifiers)
    assert "river" in str(pos.explain("attack e 0504 assault").modifiers).lower()  # the bridge does not spare it that
    pos = dealt(pos, 1).play("attack e 0504 assault").play("advance e 0504")
    assert "pontoons" not in pos.document()


@pytest.mark.case(G, "8.10", "7.6")
def test_a_replacement_engineer_begins_the_phase_where_it_is_placed(place):
    engineer = next(u.id for u in place({"x": german("0505")}).roster.units if u.command == "3M" and u.bridges)
    units = {engineer: {"at": "dead"}, "x": german("0505"), "s": soviet("1201")}
    pos = place(units, "german-reinforcement", hexes=STRIP, sides=RIVER, replacements=1).play("replace 3M")
    pos = pos.play(f"draw {engineer}").play(f"place {engineer} 0505").play("end")
    assert pos.phase.id == "german-movement"
    assert pos.document()["pontoons"] == {engineer: "0504"}


@pytest.mark.case(G, "8.10", "19.2")
def test_an_engineer_that_enters_has_to_wait(place):
    edge = {"0505": ["soviet-entry"]}
    name = next((u.id for u in place({"x": german("0505")}).roster.units if u.command == "LFR" and u.bridges), None)
    assert name is not None
    units = {name: {"at": "waiting"}, "l": soviet("0507", command="LFR"), "x": german("1201")}
    pos = place(units, "soviet-movement", hexes=STRIP, sides=RIVER, places=edge).play(f"enter {name} 0505")
    assert "pontoons" not in pos.document()
    assert refused(pos, f"move {name} 0504") == "8.9"


@pytest.mark.case(G, "8.10", "10.17")
def test_a_pontoon_is_no_target(place):
    units = {"e": german("0505", **PI), "s": soviet("0503", range=2), "x": german("1201")}
    pos = place(units, "soviet-fire", sides=RIVER, pontoons={"e": "0504"})
    assert refused(pos, "attack s 0504-0505") == "10.17"


# Defensive fire ----------------------------------------------------------------------------------------------


@pytest.mark.case(G, "9.2", "9.6")
def test_no_fire_at_arrivals_that_are_placed_or_at_advances(place):
    units = {"x1": german("0505", fire=50), "s1": soviet("0504"), "s2": soviet("0503"), "s3": soviet("0404")}
    pos = place(units).play("attack x1 0504 assault").play("die 1").play("advance x1 0504")
    assert pos.to_move == "german"
    assert pos.document().get("pending") is None


@pytest.mark.case(G, "9.2")
def test_who_stands_in_the_hex_already_takes_no_harm(place):
    units = {"x1": german("0507"), "x2": german("0506"), "s1": soviet("0505", fire=50)}
    pos = place(units, "german-movement").play("move x1 0506").play("attack s1 0506").play("die 1")
    assert where(pos, "x1") == "dead"
    assert where(pos, "x2") == "0506"
    assert pos.owner(pos.map.grid.hex("0506")) == "german"


@pytest.mark.case(G, "9.1", "9.2")
def test_each_fire_is_offered_anew_even_to_the_same_unit(place):
    pos = place({"x1": german("0507"), "s1": soviet("0505")}, "german-movement").play("move x1 0507-0506-0605")
    pos = pos.play("attack s1 0506").play("die 6")
    assert pos.to_move == "german"  # the way is his to choose again
    pos = pos.play("move x1 0605")
    assert pos.to_move == "soviet"
    assert "add s1" in pos.legal


@pytest.mark.case(G, "9.3", "11.3")
def test_guns_beside_the_way_give_no_occasion(place):
    guns = {"type": "artillery", "traits": "indirect", "range": 9}
    pos = place({"x1": german("0507"), "s1": soviet("0505", **guns)}, "german-movement").play("move x1 0506")
    assert pos.to_move == "german"


@pytest.mark.case(G, "9.1", "14.6")
def test_a_leader_draws_no_fire(place):
    pos = place({"Manstein": {"hex": "0507"}, "s1": soviet("0505")}, "german-movement").play("move Manstein 0506")
    assert pos.to_move == "german"


@pytest.mark.case(G, "9.2", "6.6")
def test_a_hidden_mover_that_is_fired_on_is_flipped(place):
    units = {"181/42": {"hex": "0508", "face": "down"}, "x1": german("0505")}
    pos = place(units, "soviet-movement").play("move back-1 0506")
    assert pos.to_move == "german"
    assert "back-1" in pos.play("end").document()["units"]
    assert where(pos.play("attack x1 0506"), "181/42") == "0506"


@pytest.mark.case(G, "8.8", "9.2")
def test_fire_without_effect_still_stops_motors(place):
    units = {"t": german("0509", **TANK), "s1": soviet("0405")}
    pos = place(units, "german-movement").play("move t 0509-0508-0507-0506-0505 motorized")
    assert where(pos, "t") == "0506"
    shot = dealt(pos, 6).play("attack s1 0506")
    assert refused(shot, "move t 0507") == "8.8"


# Movement ---------------------------------------------------------------------------------------------------


@pytest.mark.case(G, "8.2", "7.3")
def test_the_army_first_and_the_reserve_after_it(place):
    units = {"12T/LFR": {"at": "waiting"}, "s1": soviet("0606"), "x1": german("1111")}
    pos = place(units, "soviet-movement", places={"0105": ["soviet-entry"]}).play("move s1 0607")
    pos = pos.play("enter 12T/LFR 0105")
    assert refused(pos, "move s1 0608") in ("8.1", "8.2")
    assert pos.why_not("end") is None


@pytest.mark.case(G, "7.1", "8.14")
def test_no_entry_through_the_enemy(place):
    units = {"12T/LFR": {"at": "waiting"}, "s1": soviet("0606"), "x1": german("0105")}
    pos = place(units, "soviet-movement", places={"0105": ["soviet-entry"]})
    assert refused(pos, "enter 12T/LFR 0105") == "7.1"
    assert where(pos.play("end"), "12T/LFR") == "pool"


@pytest.mark.case(G, "8.4", "6.1")
def test_a_soviet_may_not_pass_through_a_soviet(place):
    pos = place({"s1": soviet("0505"), "s2": soviet("0504"), "x1": german("1111")}, "soviet-movement", hexes=STRIP)
    assert refused(pos, "move s1 0503") == "6.4"
    assert refused(pos, "move s1 0505-0504-0503") == "6.4"


@pytest.mark.case(G, "14.5", "6.1", "6.3")
def test_leaders_stack_with_everybody(place):
    units = {"Zhdanov": {"hex": "0506"}, "l1": soviet("0505", command="LFR"), "x1": german("1111")}
    assert place(units, "soviet-movement").why_not("move Zhdanov 0505") is None


@pytest.mark.case(G, "8.11")
def test_one_amphibious_move_a_phase_and_from_no_german(place):
    sea = {f"{r:02}{c:02}": "sea" for r in (4, 5) for c in range(1, 13)}
    marine = {"type": "marine", "command": "LFR"}
    units = {"m1": soviet("0303", **marine), "m2": soviet("0308", **marine), "x1": german("0307")}
    pos = place(units, "soviet-movement", hexes=sea)
    assert refused(pos, "sail m2 0310") == "8.11"
    pos = pos.play("sail m1 0301")
    assert pos.why_not("move m2 0309") is None  # on foot it may go
    assert refused(pos, "sail m2 0310") == "8.11"


@pytest.mark.case(G, "15.5", "6.3")
def test_the_metro_keeps_to_stacking(place):
    city = {"0303": "objective", "0909": "objective"}
    units = {"k": soviet("0303", type="komsomol"), "l": soviet("0909", command="LFR"), "x": german("1111")}
    assert refused(place(units, "soviet-movement", hexes=city), "metro k 0909") == "6.3"


@pytest.mark.case(G, "15.1", "9.1")
def test_aurora_is_fired_at_on_its_way_and_may_go_on(place):
    rails = {f"02{c:02}/02{c + 1:02}": ["rail"] for c in range(2, 12)}
    units = {"Aurora/42": {"hex": "0202"}, "x1": german("0306")}
    pos = place(units, "soviet-movement", size=(16, 4), sides=rails).play("move Aurora/42 0211")
    assert pos.to_move == "german"
    pos = dealt(pos, 6).play(f"attack x1 {where(pos, 'Aurora/42')}")
    assert pos.why_not("move Aurora/42 0211") is None


# Fire ------------------------------------------------------------------------------------------------------


@pytest.mark.case(G, "10.18", "10.13")
def test_no_rubble_while_a_defender_stands(place):
    units = {"x1": german("0505", fire=50), "s1": soviet("0504"), "s2": soviet("0504"), "s3": soviet("1111")}
    pos = place(units, hexes={"0504": "objective"}).play("attack x1 0504").play("die 1").play("die 6")
    assert pos.to_move == "german"
    assert not pos.rubble


@pytest.mark.case(G, "10.19", "10.5")
def test_an_empty_building_is_attacked_once(place):
    units = {"x1": german("0505"), "x2": german("0503"), "s1": soviet("1111")}
    pos = place(units, hexes={"0504": "urban"}).play("attack x1 0504").play("die 6")
    assert refused(pos, "attack x2 0504") == "10.5"


@pytest.mark.case(G, "10.20", "10.17")
def test_bridge_engineers_negate_no_walls(place):
    units = {"b": soviet("0505", type="bridge-engineer", traits="assault"), "x1": german("0504"), "s1": soviet("1111")}
    pos = place(units, "soviet-fire", hexes={"0504": "urban"})
    assert pos.explain("attack b 0504 assault").net == 0  # a wall of +1 and an assault of -1


@pytest.mark.case(G, "13.4", "14.2")
def test_four_soviets_fire_together_only_under_a_leader(place):
    units = {f"s{n}": soviet(h) for n, h in enumerate(("0504", "0404", "0405", "0604"))} | {"x1": german("0505")}
    pos = place(units, "soviet-fire")
    assert refused(pos, "attack s0+s1+s2+s3 0505") == "13.4"
    led = place(units | {"Zhdanov": {"hex": "0504"}}, "soviet-fire")
    assert led.why_not("attack s0+s1+s2+s3 0505") is None


@pytest.mark.case(G, "11.2")
def test_a_hidden_unit_spots_nothing(place):
    gun = soviet("0901", type="artillery", traits="indirect", range=20)
    wall = {f"{r:02}{c:02}": "urban" for r in (6, 7, 8) for c in range(1, 13)}
    units = {"g": gun, "181/42": {"hex": "0504", "face": "down"}, "x1": german("0505")}
    pos = place(units, "soviet-fire", hexes=wall)
    assert refused(pos, "attack g 0505") == "11.2"
    assert pos.play("flip back-1").why_not("attack g 0505") is None


@pytest.mark.case(G, "12.4", "12.6")
def test_a_soviet_strike_goes_back_to_the_pool(place):
    units = {"Air-10": {"at": "ready"}, "l": soviet("0504", command="LFR"), "x1": german("0505")}
    pos = dealt(place(units, "soviet-fire"), 6).play("attack Air-10 0505")
    assert where(pos, "Air-10") == "pool"


@pytest.mark.case(G, "15.3")
def test_the_fleet_comes_back_on_its_turn_and_not_before(place):
    units = {"RBF": {"at": "ready"}, "s": soviet("0504"), "x1": german("0505")}
    pos = dealt(place(units, "soviet-fire", turn=3), 6, 2).play("attack RBF 0505")
    assert pos.document()["fleet-returns"] == 5


@pytest.mark.case(G, "4.5", "5.2")
def test_passing_phases_do_not_pass_the_end_of_the_turn(place):
    pos = place({"x1": german("0505"), "s1": soviet("0504", fire=50)}, "soviet-fire", turn=3)
    pos = dealt(pos, 1).play("attack s1 0505")
    assert pos.outcome is None  # the turn is not over yet
    pos = pos.play("end")
    assert pos.outcome is not None
    assert pos.outcome.case == "4.5"


@pytest.mark.case(G, "16.2", "6.1")
def test_barricades_let_two_soviets_stand_anywhere(place):
    units = {"s1": soviet("0505"), "s2": soviet("0504"), "l": soviet("0506", command="LFR"), "x1": german("1111")}
    pos = place(units, "soviet-movement", defensive_states=True)
    assert pos.why_not("move s1 0504") is None
    assert refused(pos, "move l 0505") == "6.3"
