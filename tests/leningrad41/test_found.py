"""Faults found by reading the rulebook against the game, each kept from coming back."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import ladoga

from .conftest import german, refused, soviet, where

RIVER = {"0504/0503": ["major-river"]}
BROOK = {"0504/0503": ["minor-river"]}


def engineer(place, sides):
    units = {"e1": german("0504", type="engineer"), "x2": soviet("1111")}
    return place(units, "german-movement", sides=sides, pontoons={"e1": "0503"})


@pytest.mark.case("leningrad41", "8.10")
@pytest.mark.parametrize("path", ["0504-0503-0504", "0504-0505-0504-0503"])
def test_a_pontoon_is_gone_once_its_engineer_leaves(place, path):
    assert refused(engineer(place, RIVER), f"move e1 {path}") == "8.9"


@pytest.mark.case("leningrad41", "8.10")
def test_an_engineer_gains_nothing_from_its_own_pontoon(place):
    assert engineer(place, BROOK).reach("e1")["0503"].cost == 2
    units = {"e1": german("0504", type="engineer"), "x2": soviet("1111")}
    alone = place(units, "german-movement", sides=RIVER)
    assert engineer(place, RIVER).reach("e1")["0503"].cost == alone.reach("e1")["0503"].cost


@pytest.mark.case("leningrad41", "8.10")
def test_an_engineer_uses_the_pontoon_of_another(place):
    units = {
        "e1": german("0504", type="engineer"),
        "e2": german("0503", type="engineer"),
        "x2": soviet("1111"),
    }
    pos = place(units, "german-movement", sides=BROOK, pontoons={"e2": "0504"})
    assert pos.reach("e1")["0503"].cost == 1


@pytest.mark.case("leningrad41", "6.4", "7.7")
def test_an_over_stacked_face_down_unit_goes_back_to_the_pool(place):
    units = {
        "back-1": {"hex": "0504", "is": "181/42"},
        "back-2": {"hex": "0504"},
        "x1": german("1111"),
    }
    pos = place(units, "soviet-movement").play("end").play("repair back-1")
    assert "back-1" not in pos.document()["units"]
    assert where(pos, "181/42") == "pool"


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


@pytest.mark.case("leningrad41", "6.6", "10.13")
def test_two_hidden_units_are_drawn_from_one_pool(place):
    units = {
        "back-1": {"hex": "0504"},
        "back-2": {"hex": "0504"},
        "x1": german("0505", fire=16),
        "x2": german("0404", fire=16),
    }
    pos = place(units, hexes={"0504": "objective"})
    order = "attack x1+x2 0504"
    fired = pos.play(order)
    drawn = [pos.unit(pos.roster.index[draw.units[0]]) for draw, _ in fired.chance.outcomes]
    every, tanks = len(drawn), sum(unit.armored for unit in drawn)
    soft = every - tanks
    hit = {name: dict(place(units | {name: {"hex": "0504"}, "back-1": {"at": "gone"}, "back-2": {"at": "gone"}},
                            hexes={"0504": "objective"}).explain(order).results).get("E", Fraction(0))
           for name in ("181/42", "51T/42")}  # fmt: skip
    rifle, tank = hit.values()
    pairs = soft * (soft - 1) * rifle**2 + 2 * soft * tanks * rifle * tank + tanks * (tanks - 1) * tank**2
    assert rifle > tank
    assert dict(pos.explain(order).results)["EE"] == Fraction(pairs, every * (every - 1))


@pytest.mark.case("leningrad41", "10.17", "10.19")
def test_structures_and_bridges_are_not_close_assaulted(place):
    units = {"x1": german("0504"), "x2": soviet("1111")}
    pos = place(units, hexes={"0505": "urban"}, sides={"0503/0403": ["minor-river", "bridge"]})
    assert refused(pos, "attack x1 0505 assault") == "10.19"
    assert refused(pos, "attack x1 0503-0403 assault") == "10.17"


@pytest.mark.case("leningrad41", "6.4", "15.1")
def test_an_over_stacked_rail_gun_is_moved_along_the_railroad(place):
    units = {"Aurora/42": {"hex": "0504"}, "x9": soviet("0504"), "x1": german("1111")}
    pos = place(units, "soviet-movement", sides={"0504/0505": ["rail"]}).play("end")
    orders = [str(order) for order in pos.legal if order.units == ("Aurora/42",)]
    assert orders == ["repair Aurora/42", "repair Aurora/42 0505"]


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


@pytest.mark.case("leningrad41", "10.19")
def test_charges_at_a_structure_are_explained_by_its_own_case(place):
    pos = place({"x1": german("0504", type="engineer"), "x2": soviet("1111")}, hexes={"0505": "urban"})
    assert [m.case for m in pos.explain("attack x1 0505").modifiers] == ["10.19", "10.19"]
    pos = pos.play("attack x1 0505").play("die 1")
    assert [event.case for event in pos.events if event.kind == "rubble"] == ["10.19"]


@pytest.mark.case("leningrad41", "17.2")
def test_fervor_is_explained_by_its_own_case(place):
    units = {"s1": soviet("0504", type="komsomol", traits="assault komsomol"), "x1": german("0503")}
    pos = place(units, "soviet-fire", options={"fanaticism": True})
    cases = {m.label: m.case for m in pos.explain("attack s1 0503 assault fervor").modifiers}
    assert cases["Fanaticism"] == "17.2"


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


@pytest.mark.case("leningrad41", "9.1")
def test_asking_for_an_unknown_side_is_an_error_of_ours(place):
    with pytest.raises(ladoga.LadogaError):
        place({"x1": german("0504"), "x2": soviet("1111")}).zoc("zz")


@pytest.mark.case("leningrad41", "7.5", "14.7")
def test_leaders_are_not_replaced(place):
    pos = place({"x1": german("0504", command="56"), "x2": soviet("1111")}, "german-reinforcement", replacements=2)
    pos.where[pos.roster.index["Manstein"]] = -7
    assert refused(pos, "replace 56") == "7.5"


@pytest.mark.case("leningrad41", "8.1", "9.1", "9.2")
def test_the_firer_does_not_know_where_the_unit_is_going(place):
    units = {"x1": german("0506"), "t": soviet("0503")}
    ways = ["0505-0504-0404-0405", "0505-0504-0604"]
    views = [place(units, "german-movement").play(f"move x1 {way}").view("soviet") for way in ways]
    first, second = views
    assert first.document() == second.document()
    assert [str(event) for event in first.events] == [str(event) for event in second.events]
    assert first.legal.random(random.Random(1)) in first.legal
    assert first.imagine(random.Random(1)).play("end").to_move == "german"
    whole = place(units, "german-movement").play(f"move x1 {ways[0]}")
    assert whole.view("german").document()["pending"][1]["path"] == ["0404", "0405"]
    assert whole.play("end").play("end").document()["units"]["x1"]["hex"] == "0405"


@pytest.mark.case("leningrad41", "6.6")
def test_a_bridge_attack_flips_the_units_in_its_hex(place):
    units = {"x1": german("0504"), "back-1": {"hex": "0503", "is": "181/42"}}
    pos = place(units, sides={"0503/0504": ["minor-river", "bridge"]}).play("attack x1 0503-0504")
    assert where(pos, "181/42") == "0503"


@pytest.mark.case("leningrad41", "8.8")
def test_motorized_movement_far_from_roads_is_refused_for_that(place):
    units = {"x1": german("0505", traits="assault motorized"), "x2": soviet("1111")}
    block = dict.fromkeys(("0501", "0502", "0503", "0504", "0403", "0404", "0603", "0604", "0402", "0602"), "urban")
    pos = place(units, "german-movement", hexes=block)
    assert refused(pos, "move x1 0503 motorized") == "8.8"


@pytest.mark.case("leningrad41", "14.6")
def test_a_lone_leader_is_no_target_from_the_air(place):
    names = [u.id for u in place({"x1": german("1111")}).roster.units if u.command == "LW"][:1]
    units = {names[0]: {"at": "ready"}, "Zhukov": {"hex": "0505"}, "x2": soviet("1111"), "x1": german("0101")}
    pos = place(units, "german-air")
    assert refused(pos, "target 0505") == "14.6"
    assert refused(pos, f"attack {names[0]} 0505") == "14.6"


PAIR = {"x1": german("0504"), "x2": soviet("0503")}
AUTOMATIC = (
    "walk",
    "settle-stacks",
    "strike",
    "aftermath",
    "finish",
    "join",
    "shoot",
    "after-defensive",
    "next-phase",
)


def bad(place, path, units, phase="german-fire", **state):
    """A document that must be refused, with the path of what is wrong."""
    with pytest.raises(ladoga.BadDocument) as caught:
        place(units, phase, **state)
    assert str(caught.value.path).startswith(path), caught.value


@pytest.mark.parametrize("kind", AUTOMATIC)
def test_a_document_cannot_wait_for_what_happens_by_itself(place, kind):
    bad(place, "pending[0]", PAIR, pending=[{"kind": kind}])


@pytest.mark.parametrize(
    "step",
    [
        {"kind": "lose"},
        {"kind": "advance", "hex": "0503"},
        {"kind": "offer"},
        {"kind": "offer", "unit": "I/8M"},
        {"kind": "reveal"},
        {"kind": "reveal", "unit": "x2"},
        {"kind": "reveal", "unit": "back-9"},
        {"kind": "reveal", "unit": "back-3"},
        {"kind": "repair"},
        {"kind": "repair", "hex": "0504"},
        {"kind": "host"},
        {"kind": "die", "words": ["fire"]},
        {"kind": "die", "words": ["bridge"]},
        {"kind": "die", "words": ["rubble"]},
        {"kind": "die", "words": ["fleet"]},
        {"kind": "die", "words": ["metro"]},
        {"kind": "die", "words": ["drift"]},
        {"kind": "draw", "number": 0, "words": ["42"]},
        {"kind": "draw", "number": 1, "words": ["nowhere"]},
        {"kind": "draw", "number": 1, "words": ["dead-56"]},
    ],
)
def test_pending_steps_need_what_they_are_about(place, step):
    bad(place, "pending[0]", PAIR | {"back-3": {"at": "hand"}}, pending=[step])


def test_what_is_pending_later_is_checked_too(place):
    draw = {"kind": "draw", "number": 1, "words": ["42"]}
    for later in ({"kind": "repair", "hex": "0504"}, {"kind": "join", "unit": "x2"}):
        bad(place, "pending[1]", PAIR, "soviet-reinforcement", pending=[draw, later])


@pytest.mark.case("leningrad41", "17.3")
def test_only_a_fanatical_assault_costs_a_unit(place):
    attack = {"kind": "fire", "target": "0503", "units": ["x1"]}
    bad(place, "pending[0]", PAIR, attack=attack, pending=[{"kind": "lose"}])
    bad(place, "pending[0]", PAIR, attack=attack | {"assault": True}, pending=[{"kind": "lose"}])
    pos = place(PAIR, attack=attack | {"assault": True, "fanatic": True}, pending=[{"kind": "lose"}])
    assert [str(order) for order in pos.legal] == ["lose x1"]


@pytest.mark.parametrize("left", [-3, 99])
def test_a_move_has_no_more_points_left_than_it_began_with(place, left):
    bad(place, "moving.left", PAIR, "german-movement", moving={"unit": "x1", "mode": "foot", "left": left})


@pytest.mark.parametrize("beyond", [{}, {"beyond": "0808"}, {"beyond": "0502"}])
def test_an_attack_on_a_bridge_needs_the_bridge(place, beyond):
    bad(place, "attack.beyond", PAIR, attack={"kind": "bridge", "target": "0503", "units": ["x1"], **beyond})


def test_an_attack_being_composed_must_be_possible(place):
    bad(place, "attack", PAIR, attack={"kind": "fire", "target": "0909", "units": ["x1"]})
    bad(place, "attack.units[0]", PAIR, attack={"kind": "fire", "target": "0503", "units": ["x2"]})
    bad(place, "attack.kind", PAIR, attack={"kind": "defensive", "target": "0503", "units": ["x1"]})


@pytest.mark.parametrize(
    ("path", "units"),
    [
        ("units.back-1.is", {"back-1": {"hex": "0504", "is": "181/42"}, "181/42": {"hex": "0505"}}),
        ("units.back-2.is", {"back-1": {"hex": "0504", "is": "181/42"}, "back-2": {"hex": "0505", "is": "181/42"}}),
        ("units.back-1.is", {"back-1": {"hex": "0504", "is": "I/8M"}}),
        ("units.back-1.at", {"back-1": {"at": "pool"}}),
        ("units.181/42.at", {"181/42": {"at": "hand"}}),
        ("units.Manstein.at", {"Manstein": {"at": "dead"}}),
        ("units.I/8M.at", {"I/8M": {"at": "pool"}}),
        ("units.I/8M.at", {"I/8M": {"at": "ready"}}),
        ("units.Aurora/42.hex", {"Aurora/42": {"hex": "0504"}}),
        ("units.x1.fire", {"x1": german("0504", fire=-3)}),
        ("units.x1.range", {"x1": german("0504", range=-1)}),
        ("units", {f"back-{n}": {"hex": f"{n % 10 + 1:02}{n // 10 + 1:02}"} for n in range(1, 60)}),
    ],
)
def test_units_cannot_be_where_the_game_never_puts_them(place, path, units):
    bad(place, path, units)


def test_a_named_back_and_a_unit_face_down_do_not_get_mixed_up(place):
    units = {"181/42": {"hex": "0505", "face": "down"}, "back-1": {"hex": "0504"}, "x1": german("1111")}
    doc = place(units).document()["units"]
    assert doc["back-1"] == {"hex": "0504"}
    assert doc["back-2"] == {"hex": "0505", "is": "181/42"}


@pytest.mark.case("leningrad41", "8.11", "9.1")
def test_marines_fired_at_on_their_way_by_sea_can_be_written_down(place, game):
    units = {"m1": soviet("0303", type="marine", traits="assault marine"), "x1": german("0602")}
    hexes = {"0403": "sea", "0502": "sea", "0503": "sea", "0603": "sea", "0703": "sea"}
    pos = place(units, "soviet-movement", hexes=hexes)
    order = max((o for o in pos.legal if o.verb == "sail"), key=lambda o: o.hexes)
    pos = pos.play(order)
    assert pos.document()["pending"][0]["kind"] == "offer"
    assert hexes.get(where(pos, "m1")) == "sea"
    again = game.position(pos.document())
    assert again.document() == pos.document()
    assert list(again.legal) == list(pos.legal)


@pytest.mark.case("leningrad41", "14.6")
def test_a_lone_leader_out_of_reach_of_an_assault_is_no_target(place):
    units = {"a1": german("0507", type="artillery", range=9, traits="indirect"), "Zhukov": {"hex": "0505"}}
    far = place(units | {"x2": soviet("1111")})
    assert refused(far, "target 0505") == "14.6"
    near = place(units | {"x1": german("0506"), "x2": soviet("1111")}).play("target 0505").play("add x1")
    assert [str(order) for order in near.legal if order.verb == "commit"] == ["commit assault"]


@pytest.mark.case("leningrad41", "12.7", "12.9", "15.3")
def test_markers_never_close_assault(place):
    names = [u.id for u in place({"x1": german("1111")}).roster.units if u.command == "LW"][:1]
    ready = {names[0]: {"at": "ready"}, "RBF": {"at": "ready"}, "Air-5": {"at": "ready"}}
    units = ready | {"s1": soviet("0504"), "s2": soviet("0604", command="LFR"), "x1": german("0505")}
    assert refused(place(units, "german-air"), f"attack {names[0]} 0504 assault") == "12.7"
    assert refused(place(units, "soviet-fire"), "attack Air-5 0505 assault") == "12.9"
    assert refused(place(units, "soviet-fire"), "attack RBF 0505 assault") == "15.3"


@pytest.mark.case("leningrad41", "9.2")
def test_the_worked_example_of_a_walk_around_an_enemy(place):
    """All six hexes around an enemy, one after the other: fire may be declared anew in each."""
    pos = place({"x1": german("0306"), "x2": soviet("0505")}, "german-movement")
    ring = pos.map.grid.ring(1 << pos.map.grid.hex("0505"))
    path = ["0405", "0506", "0605", "0604", "0504", "0404"]
    assert sum(1 << pos.map.grid.hex(number) for number in path) == ring
    pos = pos.play(f"move x1 0306-{'-'.join(path)}")
    offers = 0
    while pos.to_move == "soviet":
        assert "add x2" in pos.legal
        offers += 1
        pos = pos.play("end")
    assert offers == 6
    assert where(pos, "x1") == "0404"


@pytest.mark.case("leningrad41", "10.16")
def test_one_river_before_and_after_the_bridge_falls(place):
    """Over a major river: a storm by the printed bridge at +2 -1, none once it is down, and again by a pontoon."""
    units = {"x1": german("0505"), "x2": soviet("0504")}
    sides = {"0505/0504": ["major-river", "bridge"]}
    pos = place(units, sides=sides)
    assert pos.explain("attack x1 0504 assault").net == 1
    assert pos.explain("attack x1 0504").net == 0
    down = place(units, sides=sides, demolished=["0505/0504"])
    assert refused(down, "attack x1 0504 assault") == "10.16"
    engineers = units | {"x3": german("0505", type="engineer")}
    again = place(engineers, sides=sides, demolished=["0505/0504"], pontoons={"x3": "0504"})
    assert again.explain("attack x1 0504 assault").net == 1


@pytest.mark.case("leningrad41", "12.5", "15.3")
def test_each_marker_wants_a_spotter_of_its_own_sub_command(place):
    units = {"x1": german("0505"), "x2": soviet("0504"), "Air-10": {"at": "ready"}, "RBF": {"at": "ready"}}
    pos = place(units, "soviet-fire")
    assert refused(pos, "attack Air-10 0505") == "12.5"
    assert "attack RBF 0505" in pos.legal
    front = place(units | {"x2": soviet("0504", command="LFR")}, "soviet-fire")
    assert "attack Air-10 0505" in front.legal
    assert refused(front, "attack RBF 0505") == "15.3"


@pytest.mark.case("leningrad41", "13.2", "13.3", "14.2")
def test_who_may_add_his_fire_to_whose(place):
    """Three corps units with a division, four units with an SS division, anybody under Manstein's eye."""
    corps = {f"c{n}": german(h, command="56") for n, h in enumerate(("0404", "0604", "0603", "0403"), 1)}
    units = corps | {"x1": german("0505"), "s1": german("0506", command="SST", traits="assault ss", range=2)}
    pos = place(units | {"x2": soviet("0504"), "x9": soviet("1212")})
    assert "attack x1+c1+c2+c3 0504" in pos.legal
    assert refused(pos, "attack x1+c1+c2+c3+c4 0504") == "13.2"
    assert "attack s1+c1+c2+c3 0504" in pos.legal
    assert refused(pos, "attack s1+c1+c2+c3+c4 0504") == "13.3"
    assert refused(pos, "attack x1+s1 0504") == "13.2"
    led = place(units | {"x2": soviet("0504"), "x9": soviet("1212"), "Manstein": {"hex": "0505"}})
    assert "attack x1+s1+c1+c2+c3+c4 0504" in led.legal


@pytest.mark.case("leningrad41", "5.1", "10.2", "10.5")
def test_a_fire_phase_lasts_until_its_player_ends_it(place):
    units = {"x1": german("0505"), "s1": soviet("0504"), "s2": soviet("0404")}
    pos = place(units).play("attack x1 0504").play("die 6")
    assert (pos.phase.id, pos.to_move) == ("german-fire", "german")
    assert [str(order) for order in pos.legal] == ["end"]
    assert refused(pos, "attack x1 0404") == "10.2"
    assert refused(pos, "attack x1 0504") == "10.5"
    last = place(units, "soviet-fire").play("attack s1 0505").play("die 6").play("end")
    assert last.turn == 5


@pytest.mark.case("leningrad41", "5.1", "6.6")
def test_a_flip_does_not_end_a_phase(place):
    units = {"back-1": {"hex": "0504", "is": "MixA/42"}, "x1": german("1111")}
    pos = place(units, "soviet-fire").play("flip back-1")
    assert (pos.turn, pos.phase.id, pos.to_move) == (4, "soviet-fire", "soviet")


@pytest.mark.case("leningrad41", "5.1", "7.4")
def test_no_third_replacement_in_the_phase_of_two(place):
    dead = {name: {"at": "dead"} for name in ("I/8M", "II/8M", "III/8M")}
    units = dead | {"x1": german("0505"), "x2": soviet("0101")}
    pos = place(units, "german-reinforcement", turn=6, replacements=2)
    for name in ("I/8M", "II/8M"):
        pos = pos.play("replace 3M").play(f"draw {name}").play(f"place {name} 0505")
    assert refused(pos, "replace 3M") == "7.4"


@pytest.mark.case("leningrad41", "19.1", "7.4")
def test_a_document_of_a_reinforcement_phase_begins_with_its_dice(place):
    units = {"x1": german("0505"), "x2": soviet("0101"), "I/8M": {"at": "dead"}}
    pos = place(units, "german-reinforcement", turn=6)
    assert pos.chance.title == "the German reinforcement die"
    assert pos.document()["replacements"] == 2
    third = place(units, "german-reinforcement", turn=3, dice=[5, 1, "48Pi/56"])
    assert where(third, "I/1T") == "waiting"  # 4-5: Totenkopf
    assert where(third, "48Pi/56") == "waiting"
    assert "replace 3M" in third.legal
    first = place({"x2": soviet("0101")}, "german-reinforcement", turn=1)
    assert where(first, "Manstein") == "waiting"
    assert first.chance.title == "a draw of an air strike marker"
    on_map = place({"x2": soviet("0101"), "Manstein": {"hex": "0505"}}, "german-reinforcement", turn=1)
    assert where(on_map, "Manstein") == "0505"


@pytest.mark.case("leningrad41", "19.2", "19.3", "5.2")
def test_a_document_of_the_soviet_phase_begins_with_its_draws(game, place):
    document = {"game": "leningrad41", "turn": 2, "phase": "soviet-reinforcement", "units": {"x2": german("5110")}}
    pos = game.position(document)
    assert pos.chance.title == "a draw from the 42nd Army pool"
    assert pos.document()["pending"][0]["number"] == 7  # 42 objectives
    few = place({"x1": german("0505"), "x2": soviet("0101")}, "soviet-reinforcement", dice=[2])
    assert few.document()["pending"][0] == {"kind": "draw", "number": 2, "words": ["LFR"]}
    with pytest.raises(ladoga.BadDocument) as caught:
        game.position(document | {"turn": 1})
    assert caught.value.path == "phase"


@pytest.mark.case("leningrad41", "13.3", "2.6")
def test_every_unit_of_an_ss_division_is_ss(place):
    ring = ("0404", "0403", "0603", "0604", "0505")
    units = {f"s{n}": german(h, command="SSP") for n, h in enumerate(ring)} | {"x2": soviet("0504")}
    pos = place(units)
    assert refused(pos, "attack s0+s1+s2+s3+s4 0504") == "13.3"
    assert "attack s0+s1+s2+s3 0504" in pos.legal


@pytest.mark.case("leningrad41", "2.10", "2.11", "10.12", "8.8", "15.5", "8.11", "12.10")
def test_a_made_up_unit_is_what_its_type_says(place):
    tank = place({"x1": german("0505"), "s1": soviet("0504", type="tank", traits="")})
    assert tank.explain("attack x1 0504").net == 2
    lorry = place({"x1": german("0505", type="motorized-infantry"), "s1": soviet("1111")}, "german-movement")
    assert "move x1 0504 motorized" in lorry.legal
    city = {"0303": "objective", "0909": "objective", "0506": "sea", "0507": "sea"}
    units = {"k": soviet("0303", type="komsomol"), "m": soviet("0505", type="marine"), "x1": german("1111")}
    pos = place(units, "soviet-movement", hexes=city)
    assert "metro k 0909" in pos.legal
    assert "sail m 0508" in pos.legal
    flak = place({"StG2-1": {"at": "ready"}, "s1": soviet("0504", type="aa", traits="")}, "german-air")
    assert flak.explain("attack StG2-1 0504").net == 1


@pytest.mark.case("leningrad41", "7.5", "7.6")
def test_a_sub_command_with_losses_has_entered_play(place):
    units = {"I/8M": {"at": "dead"}, "x1": german("0505", command="8P"), "x2": soviet("0101")}
    pos = place(units, "german-reinforcement", replacements=1).play("replace 3M").play("draw I/8M")
    assert where(pos, "I/8M") == "waiting"  # by the south edge


@pytest.mark.case("leningrad41", "18.1")
def test_airborne_units_at_the_edge_arrive_now_unless_told_otherwise(place):
    units = {"I/3F": {"at": "waiting"}, "x1": german("0505"), "x2": soviet("0101")}
    options = {"airborne-assault": True}
    assert "drop I/3F 0707" in place(units, "german-movement", options=options).legal
    late = place(units, "german-movement", options=options, flieger_arrives=3)
    assert refused(late, "drop I/3F 0707") == "18.1"


@pytest.mark.case("leningrad41", "10.1", "12.7")
def test_ground_units_do_not_fire_in_the_air_phase(place):
    units = {"StG2-1": {"at": "ready"}, "x1": german("0505"), "s1": soviet("0504")}
    pos = place(units, "german-air")
    assert refused(pos, "attack x1 0504") == "10.1"
    assert refused(pos, "attack x1+StG2-1 0504") == "12.7"
    assert refused(pos, "attack StG2-1+x1 0504") == "12.7"


@pytest.mark.case("leningrad41", "10.17", "10.6")
def test_a_bridge_is_named_either_way_round(place):
    units = {"x1": german("0505"), "s1": soviet("1111")}
    sides = {"0503/0504": ["minor-river", "bridge"]}
    for order in ("attack x1 0503-0504", "attack x1 0504-0503"):
        pos = place(units, sides=sides).play(order)
        assert pos.document()["attacked"] == ["0504"]  # the nearer end
    pos = place(units, sides=sides)
    assert pos.play("target 0503-0504").document()["attack"]["target"] == "0504"
    over = place({"x1": german("0504"), "s1": soviet("1111")}, sides=sides)
    assert over.play("attack x1 0504-0503").document()["attacked"] == ["0503"]
    far = place({"x1": german("0508"), "s1": soviet("1111")}, sides=sides)
    assert refused(far, "attack x1 0503-0504") == "10.6"
    assert refused(far, "target 0503-0504") == "10.6"


@pytest.mark.case("leningrad41", "6.6")
def test_the_owner_is_told_how_to_order_a_face_down_unit(place):
    units = {"8NKVD/42": {"hex": "0504", "face": "down"}, "x1": german("0506")}
    pos = place(units, "soviet-movement")
    for order in ("flip 8NKVD/42", "move 8NKVD/42 0503"):
        assert "back-1" in pos.why_not(order).message
    enemy = place(units, "german-movement")
    for order in ("flip 8NKVD/42", "move 8NKVD/42 0503", "bridge 8NKVD/42 0503"):
        assert "back-1" not in enemy.why_not(order).message
    fire = place(units, "german-fire")
    assert "back-1" not in fire.why_not("attack 8NKVD/42 0506").message


@pytest.mark.parametrize("figure", [{"fire": 9}, {"range": 1}, {"radius": 2}, {"traits": "assault"}, {"size": "III"}])
def test_the_figures_of_a_printed_unit_stay_as_they_are(place, figure):
    bad(place, "units.I/8M", {"I/8M": {"hex": "0504"} | figure, "x2": soviet("0101")})


@pytest.mark.case("leningrad41", "12.4", "12.5")
def test_a_made_up_air_marker_belongs_to_the_air_arm_of_its_side(place):
    mark = {"type": "air-strike", "fire": 10, "at": "ready"}
    units = {"a": {"side": "soviet"} | mark, "s1": soviet("0504", command="LFR"), "x1": german("0505")}
    pos = place(units, "soviet-fire")
    assert "attack a 0505" in pos.legal
    assert pos.document()["units"]["a"]["range"] == "U"
    strike = place({"a": {"side": "german"} | mark, "s1": soviet("0504")}, "german-air")
    assert strike.document()["units"]["a"]["command"] == "LW"


@pytest.mark.case("leningrad41", "18.2")
def test_a_drift_goes_clockwise_from_the_north_east(place):
    units = {"I/3F": {"at": "waiting"}, "x1": german("0101"), "x2": soviet("1212")}
    pos = place(units, "german-movement", options={"airborne-assault": True}).play("drop I/3F 0707").play("die 5")
    ends = [where(pos.play(f"die {face}"), "I/3F") for face in range(1, 7)]
    assert ends == ["0606", "0706", "0806", "0807", "0708", "0607"]  # NE, E, SE, SW, W, NW: columns run westward


@pytest.mark.case("leningrad41", "3.3", "3.6")
def test_each_placement_is_told_with_its_own_case(game):
    pos = game.start()
    assert pos.play("place 51/42 3211").events[0].case == "3.3"
    assert pos.play("place back-1 3211").events[0].case == "3.6"


@pytest.mark.case("leningrad41", "6.6")
def test_a_face_up_unit_lies_above_a_hidden_one(place):
    units = {"181/42": {"hex": "0504"}, "back-1": {"hex": "0504"}, "x1": german("1111")}
    pos = place(units, hexes={"0504": "objective"})
    stack = [counter.id for counter in pos.view("german").table().counters if counter.hex == "0504"]
    assert stack == ["back-1", "181/42"]  # the last one is the top


@pytest.mark.case("leningrad41", "15.2", "8.3", "8.11")
def test_the_gunboat_has_the_points_of_any_soviet_unit(place):
    sea = {f"{row:02}{column:02}": "sea" for row in (1, 2, 3) for column in range(1, 31)}
    pos = place({"LG42": {"hex": "0201"}, "x1": german("0530")}, "soviet-movement", size=(30, 5), hexes=sea)
    assert pos.reach("LG42")["0213"].left == 0
    assert refused(pos, "move LG42 0214") == "8.3"
    assert refused(pos, "move LG42 0505") == "15.2"
    assert pos.play("move LG42 0210").events[0].case == "15.2"


@pytest.mark.case("leningrad41", "10.16")
def test_nobody_advances_over_an_unbridged_major_river(place):
    units = {"x1": german("0505"), "x3": german("0404", fire=50), "x2": soviet("0504")}
    pos = place(units, sides={"0505/0504": ["major-river"]}).play("attack x1+x3 0504 assault").play("die 1")
    assert refused(pos, "advance x1 0504") == "10.16"
    assert "advance x3 0504" in pos.legal


@pytest.mark.case("leningrad41", "7.1", "19.1", "8.8")
def test_a_waiting_unit_reaches_what_lies_behind_the_edge(place):
    edge = {"0102": ["german-entry"], "0104": ["german-entry"]}
    units = {"x1": german("", at="waiting", type="motorized-infantry"), "x2": soviet("0240")}
    pos = place(units, "german-movement", size=(40, 3), places=edge, hexes={"0104": "urban"})
    reach = pos.reach("x1")
    assert (reach["0102"].cost, reach["0102"].left, reach["0102"].path) == (1, 15, ("0102",))
    assert reach["0104"].cost == 2
    assert reach["0110"].cost == 8  # two for the first hex, and six
    assert pos.play("enter x1 " + "-".join(reach["0110"].path)).document()["units"]["x1"]["hex"] == "0110"
    assert "0117" in reach
    assert reach["0120"].left == 32 - reach["0120"].cost  # only by motorized movement
    assert "0138" not in reach


@pytest.mark.case("leningrad41", "6.4", "8.3", "8.9", "8.14")
def test_what_bars_a_long_way_is_named(place):
    strip = {f"{row}{column:02}": "sea" for row in ("04", "06") for column in range(1, 31)}
    units = {"x1": german("0510"), "x2": soviet("0101")}

    def case(dest, sides=None, **more):
        return refused(place(units | more, "german-movement", size=(30, 7), hexes=strip, sides=sides or {}), dest)

    assert case("move x1 0527") == "8.3"
    assert case("move x1 0513", {"0511/0512": ["major-river"]}) == "8.9"
    assert case("move x1 0513", x3=soviet("0512")) == "8.14"
    assert case("move x1 0513", x3=german("0512"), x4=german("0512")) == "6.4"
    assert case("move x1 0513", x3=german("0512", command="8P")) == "6.4"


@pytest.mark.case("leningrad41", "5.1", "5.2")
def test_only_phases_in_which_nothing_can_be_done_pass(place):
    units = {"x1": german("0101"), "x2": soviet("1212")}  # nothing to fire at, nothing to replace
    pos = place(units, "german-reinforcement", turn=2, begun=True)
    phases, passed = [], []
    while pos.turn == 2:
        passed += [event.text for event in pos.events if event.kind == "phase passed"]
        if pos.to_move == "chance":
            pos = pos.play(next(iter(pos.legal)))
            continue
        phases.append(pos.phase.id)
        pos = pos.play("end")
    assert phases == [
        "german-reinforcement",
        "german-movement",
        "soviet-movement",
    ]  # the first was open in the document
    assert [text.partition(":")[0] for text in passed] == [
        "German air strikes",
        "German offensive fire",
        "Soviet reinforcements",
    ]
    assert "Soviet offensive fire: nothing to do" in [event.text for event in pos.events]


@pytest.mark.case("leningrad41", "5.1", "10.2")
def test_the_last_thing_done_leaves_the_phase_open(place):
    pos = place({"x1": german("0505", fire=50), "x2": soviet("0504"), "x3": soviet("1111")})
    pos = pos.play("attack x1 0504 assault").play("die 1").play("advance x1 0504")
    assert pos.phase.id == "german-fire"
    assert [str(order) for order in pos.legal] == ["end"]
    moved = place({"x1": german("0505"), "x2": soviet("1111")}, "german-movement", moved=["x1"])
    assert [str(order) for order in moved.legal] == ["end"]


@pytest.mark.case("leningrad41", "5.1", "9.2", "10.15")
def test_end_names_its_phase_and_a_choice_names_itself(place):
    fire = place({"x1": german("0505", fire=50), "x2": soviet("0504"), "x3": soviet("1111")})
    assert fire.play("end german-fire").phase.id == "soviet-reinforcement"
    assert fire.why_not("end german-movement").message == "not 'german-movement': the phase is german-fire now"
    advance = fire.play("attack x1 0504 assault").play("die 1")
    assert refused(advance, "end german-fire") == "10.1"
    assert advance.choice == "the advance after combat"
    assert "plain 'end' declines it" in advance.why_not("end german-fire").message
    assert advance.play("end").play("end german-fire").phase.id == "soviet-reinforcement"
    offer = place({"x1": german("0507"), "x2": soviet("0505")}, "german-movement").play("move x1 0506")
    assert offer.to_move == "soviet"
    for name in ("german-movement", "soviet-movement"):
        told = offer.why_not(f"end {name}").message
        assert told == "in german-movement the defensive fire that is offered comes first; plain 'end' declines it"
    assert offer.play("end").to_move == "german"


@pytest.mark.case("leningrad41", "10.2", "10.6", "9.4")
def test_what_may_not_be_fired_is_not_explained_but_refused(place):
    pos = place({"x1": german("0505"), "x2": soviet("0502")})
    with pytest.raises(ladoga.Illegal) as caught:
        pos.explain("attack x1 0502")
    assert caught.value.case == "10.6"
    moving = place({"x1": german("0507"), "x2": soviet("0505"), "x3": soviet("0504", range=3)}, "german-movement")
    with pytest.raises(ladoga.Illegal) as caught:
        moving.play("move x1 0506").explain("attack x3 0506")
    assert caught.value.case == "9.4"


@pytest.mark.case("leningrad41", "10.10", "10.13")
def test_two_armored_defenders_share_one_modifier(place):
    # each is rolled for by itself: objective +2 and armor +2 make +4 on either die, not +6
    tank = {"type": "tank", "traits": "armored"}
    units = {"x1": german("0505", fire=25), "x2": soviet("0504", **tank), "x3": soviet("0504", **tank)}
    told = place(units, hexes={"0504": "objective"}).explain("attack x1 0504")
    assert told.net == 4
    assert told.to_die  # added to the die, not to the strength
    mixed = place(units | {"x3": soviet("0504")}, hexes={"0504": "objective"}).explain("attack x1 0504")
    assert [m.label for m in mixed.modifiers if m.case == "10.12"] == ["x2: Armored target, no anti-armor fire"]


@pytest.mark.case("leningrad41", "6.6", "10.12", "12.10")
def test_what_a_hidden_defender_may_bring_is_told_as_a_maybe(place):
    pos = place({"x1": german("0505"), "back-1": {"hex": "0504"}})
    assert [m.label for m in pos.explain("attack x1 0504").modifiers] == [
        "back-1, perhaps: Armored target, no anti-armor fire"
    ]
    air = place({"KG1-1": {"at": "ready"}, "x1": german("0505"), "back-1": {"hex": "0504"}}, "german-air")
    labels = [m.label for m in air.explain("attack KG1-1 0504").modifiers]
    assert "perhaps: Anti-aircraft unit in or next to the hex" in labels


@pytest.mark.case("leningrad41", "5.2")
def test_the_phase_that_is_skipped_on_turn_1_is_not_announced(place):
    pos = place({"x1": german("0505"), "x2": soviet("1111")}, turn=1).play("end")
    assert [event.text for event in pos.events] == ["Soviet movement"]


@pytest.mark.case("leningrad41", "9.2", "10.3")
def test_one_unit_fires_and_several_fire(place):
    units = {"x1": german("0505"), "x3": german("0505"), "x2": soviet("0504")}
    pos = place(units)
    assert pos.play("attack x1 0504").events[0].text == "x1 fires at 0504 with strength 7"
    assert pos.play("attack x1+x3 0504 assault").events[0].text == "x1, x3 assault 0504 with strength 14"
    moved = place({"x1": german("0506"), "x2": soviet("0504")}, "german-movement").play("move x1 0505")
    assert moved.play("attack x2 0505").events[0].text == "x2 fires defensively at x1 in 0505 with strength 7"


@pytest.mark.case("leningrad41", "8.11", "15.5")
def test_a_second_try_names_the_case_of_the_special_move(place):
    metro = {"x1": soviet("0303", type="komsomol"), "x2": german("1111")}
    pos = place(metro, "soviet-movement", hexes={"0303": "objective", "0909": "objective"}).play("metro x1 0909")
    assert refused(pos.play("die 4"), "metro x1 0909") == "15.5"  # no more than one attempt a phase
    assert refused(pos.play("die 4"), "move x1 0304") == "8.1"
    lost = pos.play("die 6").why_not("move x1 0304")
    assert lost is not None
    assert lost.message == "x1 is not on the map"
    marine = {"x1": soviet("0504", type="marine", command="LFR"), "x2": german("1111")}
    sides = {"0504/0503": ["major-river"], "0504/0403": ["major-river"]}
    sailed = place(marine, "soviet-movement", sides=sides).play("sail x1 0503")
    assert refused(sailed, "sail x1 0504") == "8.11"


@pytest.mark.case("leningrad41", "4.2")
def test_no_document_gives_the_german_a_hex_with_a_soviet_unit(place):
    with pytest.raises(ladoga.BadDocument, match="control: 0504 is held by the Soviet unit in it"):
        place({"x1": german("0606"), "x2": soviet("0504")}, control=["0504"])
    boat = place({"LG42": {"hex": "0504"}}, hexes={"0503": "sea"}, control=["0504"])  # the gunboat holds no land
    assert boat.document()["control"] == ["0504"]


@pytest.mark.case("leningrad41", "6.6", "8.8")
def test_a_hidden_unit_is_told_to_flip_before_it_motors(place):
    pos = place({"back-1": {"hex": "0504"}, "x1": german("1111")}, "soviet-movement")
    refusal = pos.why_not("move back-1 0505 motorized")
    assert refusal == ("6.6", "back-1 must be flipped before it uses motorized movement")


EDGE = {"1201": ["german-entry"], "1202": ["german-entry"]}


@pytest.mark.case("leningrad41", "8.2", "19.1")
def test_a_division_enters_whole_before_another_sub_command_moves(place):
    units = {
        "I/8M": {"at": "waiting"},
        "II/8M": {"at": "waiting"},
        "x1": german("0404", command="8P"),
        "e1": german("0606", command="56", type="engineer"),
        "Manstein": {"hex": "0808"},
        "x2": soviet("0101"),
    }
    sides = {"0606/0605": ["minor-river"], "0606/0607": ["minor-river"]}
    pos = place(units, "german-movement", places=EDGE, sides=sides).play("enter I/8M 1201")
    assert refused(pos, "move x1 0405") == "19.1"
    assert not list(pos.legal.of("x1"))
    assert pos.why_not("move I/8M 1101") is None
    assert pos.why_not("move Manstein 0809") is None  # leaders belong to no sub-command
    assert "bridge e1 0605" in list(map(str, pos.legal))  # a pontoon is no move
    assert pos.why_not("bridge e1 0605") is None
    assert pos.play("enter II/8M 1202").why_not("move x1 0405") is None
    full = units | {"x3": german("1201", command="56")}
    pos = place(full, "german-movement", places={"1201": ["german-entry"]}, sides=sides).play("enter I/8M 1201")
    assert pos.why_not("move x1 0405") is None  # II/8M has nowhere to enter


@pytest.mark.case("leningrad41", "18.2", "19.1")
def test_a_unit_lost_in_its_landing_keeps_nobody_waiting(place):
    units = {"I/3F": {"at": "waiting"}, "x1": german("0404", command="8P"), "x2": soviet("0101")}
    options = {"airborne-assault": True}
    pos = place(units | {"II/3F": {"at": "waiting"}}, "german-movement", turn=6, places=EDGE, options=options,
                flieger_arrives=6).play("drop I/3F 0909").play("die 1")  # fmt: skip
    assert refused(pos, "move x1 0405") == "19.1"
    assert pos.play("drop II/3F 0911").play("die 6").why_not("move x1 0405") is None


@pytest.mark.parametrize("name", ["", "two words", "a+b"])
def test_a_made_up_unit_has_a_name_that_orders_can_say(name):
    unit = {"side": "german", "type": "infantry", "fire": 3, "hex": "2020"}
    with pytest.raises(ladoga.BadDocument, match=r"a unit's name has no blanks and no \+"):
        ladoga.load("leningrad41").position({"game": "leningrad41", "units": {name: unit}})
