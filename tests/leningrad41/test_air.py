"""Chapter 12, air support, and the fleet's guns (15.3)."""

from __future__ import annotations

import pytest

from .conftest import refused, where
from .made_up import german, soviet


def strike(place, *markers, **more):
    units = {name: {"at": "ready"} for name in markers} | {"x1": german("0909"), "x2": soviet("0504")}
    units |= more.pop("units", {})
    return place(units, "german-air", **more)


@pytest.mark.case("leningrad41", "12.0", "12.1", "12.3", "12.6")
def test_german_air_strikes_come_before_movement(place):
    pos = strike(place, "StG2-1", hexes={f"05{c:02}": "urban" for c in range(5, 9)})
    assert "attack StG2-1 0504" in pos.legal  # any range, no line of fire
    fire = place({"StG2-1": {"at": "ready"}, "x1": german("0505"), "x2": soviet("0504")}, "german-fire")
    assert refused(fire, "attack StG2-1 0504") == "12.3"
    assert refused(pos, "attack StG2-1 0505") == "12.6"  # no enemy there


@pytest.mark.case("leningrad41", "12.2", "12.6")
def test_each_marker_once_a_turn_and_never_destroyed(place):
    pos = strike(place, "StG2-1", "StG2-2", units={"x3": soviet("0303")})
    pos = pos.play("attack StG2-1 0504").play("die 6")
    assert refused(pos, "attack StG2-1 0303") == "12.6"
    assert refused(pos, "attack StG2-2 0504") == "10.5"  # one strike a hex
    assert where(pos, "StG2-1") == "ready"
    moved = pos.play("end")
    assert moved.phase.id == "german-movement"
    assert "fired" not in moved.document()  # ready again next turn


@pytest.mark.case("leningrad41", "12.7")
def test_up_to_three_markers_and_no_ground_units(place):
    pos = strike(place, "StG2-1", "StG2-2", "StG2-3", "StG2-4", units={"x1": german("0505")})
    assert "attack StG2-1+StG2-2+StG2-3 0504" in pos.legal
    assert pos.explain("attack StG2-1+StG2-2+StG2-3 0504").attack == ((24, 1),)
    assert refused(pos, "attack StG2-1+StG2-2+StG2-3+StG2-4 0504") == "12.7"
    assert refused(pos, "attack StG2-1+x1 0504") == "12.7"


@pytest.mark.case("leningrad41", "12.8")
def test_rudel(place):
    pos = strike(place, "Rudel", "StG2-1")
    assert pos.explain("attack StG2-1 0504").net == 0
    assert pos.explain("attack Rudel+StG2-1 0504").net == -1


@pytest.mark.case("leningrad41", "12.10")
def test_anti_aircraft_units(place):
    flak = {"x3": soviet("0503", type="aa", traits="anti-aircraft")}
    assert strike(place, "StG2-1", units=flak).explain("attack StG2-1 0504").net == 1
    far = {"x3": soviet("0502", type="aa", traits="anti-aircraft")}
    assert strike(place, "StG2-1", units=far).explain("attack StG2-1 0504").net == 0
    pos = strike(place, "StG2-1", units={"115AA/42": {"hex": "0503", "face": "down"}})
    assert pos.explain("attack StG2-1 0504").net == 0  # face down it does not shoot


@pytest.mark.case("leningrad41", "12.10b", "10.18")
@pytest.mark.parametrize(("face", "rubble"), [(4, False), (5, True), (6, True)])
def test_rubble_from_the_air(place, face, rubble):
    pos = strike(place, "KG1-1", "KG1-2", "KG1-3", hexes={"0504": "urban"}, units={"x3": soviet("1101")})
    pos = pos.play("attack KG1-1+KG1-2+KG1-3 0504").play("die 1")
    assert pos.chance.title == "the rubble die"
    assert ("rubble" in pos.play(f"die {face}").document()) == rubble


@pytest.mark.case("leningrad41", "6.6", "12.6")
def test_a_strike_without_effect_leaves_its_targets_face_up(place):
    pos = strike(place, "StG2-1", units={"back-1": {"hex": "0303"}}).play("attack StG2-1 0303")
    pos = pos.play("draw 1Kir/42").play("die 6")
    assert where(pos, "1Kir/42") == "0303"


@pytest.mark.case("leningrad41", "12.4", "12.5", "12.9")
def test_soviet_air_strikes(place):
    air = {"Air-10": {"at": "ready"}, "Air-5": {"at": "ready"}, "x1": german("0504"), "x2": soviet("0505"),
           "x9": german("0506")}  # fmt: skip
    blind = place(air, "soviet-fire")
    assert refused(blind, "attack Air-10 0504") == "12.5"  # only 42nd Army sees the target
    pos = place(air | {"x3": soviet("0404", command="LFR")}, "soviet-fire")
    assert pos.explain("attack Air-10+Air-5 0504").attack == ((15, 1),)
    assert refused(pos, "attack Air-10+x3 0504") == "12.9"
    assert refused(pos, "attack x3+Air-10 0504") == "12.9"
    used = pos.play("attack Air-10 0504").play("die 6")
    assert where(used, "Air-10") == "pool"
    assert where(used, "Air-5") == "ready"
    assert refused(used, "attack x2 0504") == "10.5"  # the strike used the hex up


@pytest.mark.case("leningrad41", "12.4", "19.3")
def test_a_drawn_air_marker_is_one_of_the_units_drawn(place):
    units = {"Air-10": {"at": "pool"}, "x1": german("0504"), "x2": soviet("0101")}
    pos = place(units, "soviet-reinforcement", pending=[{"kind": "draw", "number": 1, "words": ["LFR"]}])
    pos = pos.play("draw Air-10")
    assert where(pos, "Air-10") == "ready"
    assert pos.to_move == "soviet"


@pytest.mark.case("leningrad41", "15.3")
@pytest.mark.parametrize(("turn", "face", "back"), [(3, 4, 7), (8, 5, 13)])
def test_naval_bombardment(place, turn, face, back):
    units = {"RBF": {"at": "ready"}, "x1": german("0504"), "x2": soviet("0505"), "x3": soviet("0404", command="LFR")}
    pos = place(units, "soviet-fire", turn=turn)
    assert refused(pos, "attack RBF+x2 0504") == "15.3"
    assert refused(pos, "attack x2+RBF 0504") == "15.3"
    pos = pos.play("attack RBF 0504").play("die 6")
    assert pos.chance.title == "the return of the fleet"
    pos = pos.play(f"die {face}")
    assert pos.document()["fleet-returns"] == back
    assert where(pos, "RBF") == ""
    blind = place({"RBF": {"at": "ready"}, "x1": german("0504"), "x2": soviet("0505", command="LFR")}, "soviet-fire")
    assert refused(blind, "attack RBF 0504") == "15.3"


@pytest.mark.case("leningrad41", "15.3")
def test_the_fleet_returns_on_its_turn(place):
    units = {"RBF": {"at": "gone"}, "x1": german("0504"), "x2": soviet("0707")}
    pos = place(units, "soviet-fire", turn=6, fleet_returns=7).play("end")
    assert pos.turn == 7
    assert where(pos, "RBF") == "ready"
    early = place(units, "soviet-fire", turn=5, fleet_returns=7).play("end")
    assert where(early, "RBF") == ""


@pytest.mark.case("leningrad41", "12.2", "12.4", "15.3")
def test_a_marker_that_is_not_beside_the_map_is_not_available(place):
    units = {"x1": german("0505"), "x2": soviet("0504", command="LFR")}
    assert refused(place(units | {"KG1-1": {"at": "to-come"}}, "german-air"), "attack KG1-1 0504") == "12.2"
    assert refused(place(units | {"Air-10": {"at": "pool"}}, "soviet-fire"), "attack Air-10 0505") == "12.4"
    assert refused(place(units, "soviet-fire", fleet_returns=6), "attack RBF 0505") == "15.3"


@pytest.mark.case("leningrad41", "12.10")
def test_a_hidden_anti_aircraft_unit_counts_in_the_odds(place):
    strikes = [unit for unit in place({"x1": german("1111")}).roster.units if unit.command == "LW"]
    names = [unit.id for unit in strikes if "rudel" not in unit.traits][:3]
    ready = {name: {"at": "ready"} for name in names}
    order = f"attack {'+'.join(names)} 0504"
    hidden = place(ready | {"back-1": {"hex": "0504", "is": "115AA/42"}}, "german-air")
    open_ = place(ready | {"115AA/42": {"hex": "0504"}}, "german-air")
    assert hidden.explain(order).results == open_.explain(order).results
    rifle = place(ready | {"back-1": {"hex": "0504", "is": "181/42"}}, "german-air")
    nobody = place(ready | {"back-1": {"hex": "0504"}}, "german-air")
    chances = [dict(pos.explain(order).results)["E"] for pos in (hidden, nobody, rifle)]
    assert chances[0] < chances[1] < chances[2]


@pytest.mark.case("leningrad41", "15.3")
def test_the_fleet_fires_only_at_units(place):
    units = {"RBF": {"at": "ready"}, "s1": soviet("0504"), "x1": german("1111")}
    pos = place(units, "soviet-fire", hexes={"0503": "urban"})
    assert refused(pos, "attack RBF 0503") == "15.3"


@pytest.mark.case("leningrad41", "12.10b")
def test_rubble_from_the_air_is_told_with_its_own_case(place):
    names = [u.id for u in place({"x1": german("1111")}).roster.units if u.command == "LW"][:3]
    units = {name: {"at": "ready"} for name in names} | {"s1": soviet("0504", fire=0), "s2": soviet("1111")}
    pos = place(units, "german-air", hexes={"0504": "urban"})
    pos = pos.play(f"attack {'+'.join(names)} 0504").play("die 1")
    assert pos.chance is not None
    assert pos.chance.case == "12.10b"
    assert "12.10b" in [event.case for event in pos.play("die 5").events if event.kind == "rubble"]


@pytest.mark.case("leningrad41", "12.7", "12.9", "15.3")
def test_markers_never_close_assault(place):
    names = [u.id for u in place({"x1": german("1111")}).roster.units if u.command == "LW"][:1]
    ready = {names[0]: {"at": "ready"}, "RBF": {"at": "ready"}, "Air-5": {"at": "ready"}}
    units = ready | {"s1": soviet("0504"), "s2": soviet("0604", command="LFR"), "x1": german("0505")}
    assert refused(place(units, "german-air"), f"attack {names[0]} 0504 assault") == "12.7"
    assert refused(place(units, "soviet-fire"), "attack Air-5 0505 assault") == "12.9"
    assert refused(place(units, "soviet-fire"), "attack RBF 0505 assault") == "15.3"


@pytest.mark.case("leningrad41", "12.5", "15.3")
def test_each_marker_wants_a_spotter_of_its_own_sub_command(place):
    units = {"x1": german("0505"), "x2": soviet("0504"), "Air-10": {"at": "ready"}, "RBF": {"at": "ready"}}
    pos = place(units, "soviet-fire")
    assert refused(pos, "attack Air-10 0505") == "12.5"
    assert "attack RBF 0505" in pos.legal
    front = place(units | {"x2": soviet("0504", command="LFR")}, "soviet-fire")
    assert "attack Air-10 0505" in front.legal
    assert refused(front, "attack RBF 0505") == "15.3"


@pytest.mark.case("leningrad41", "12.4", "12.5")
def test_a_made_up_air_marker_belongs_to_the_air_arm_of_its_side(place):
    mark = {"type": "air-strike", "fire": 10, "at": "ready"}
    units = {"a": {"side": "soviet"} | mark, "s1": soviet("0504", command="LFR"), "x1": german("0505")}
    pos = place(units, "soviet-fire")
    assert "attack a 0505" in pos.legal
    assert pos.document()["units"]["a"]["range"] == "U"
    strike = place({"a": {"side": "german"} | mark, "s1": soviet("0504")}, "german-air")
    assert strike.document()["units"]["a"]["command"] == "LW"


@pytest.mark.case("leningrad41", "12.6", "10.2", "10.6")
def test_a_target_that_nobody_can_strike_any_more_is_refused_for_that(place):
    units = {"x1": german("0505"), "x2": soviet("0506"), "x3": soviet("0405"), "StG2-1": {"at": "ready"}}
    flown = place(units, "german-air", dice=[6]).play("attack StG2-1 0405")
    assert flown.why_not("target 0506") == ("12.6", "no air strike marker is left in this phase")
    fired = place(units, "german-fire", dice=[6]).play("attack x1 0405")
    assert fired.why_not("target 0506") == ("10.2", "the units that could fire at 0506 have fired in this phase")
    far = place(units | {"x2": soviet("0909")}, "german-fire")
    assert refused(far, "target 0909") == "10.6"
