"""The inset (8.0): two maps, one city."""

from __future__ import annotations

from fractions import Fraction

import pytest

from .conftest import LENINGRAD, german, happened, refused, situation, soviet, texts


class City:
    """Hexes of each game's city that the tests use."""

    def __init__(self, game):
        first = game.id == LENINGRAD
        self.capital = "0320" if first else "1405"
        self.other = "0219" if first else "1204"
        self.interior = "J4" if first else "L5"
        self.beside = "J5" if first else "L4"
        self.deep = "I5" if first else "L3"
        self.fringe = "K4" if first else "L6"
        self.second = "L4" if first else "K6"
        self.main = "0419" if first else "1406"
        self.out = "0519" if first else "1407"


def hexes(pos) -> dict[str, str]:
    return {unit: entry["hex"] for unit, entry in pos.document()["units"].items() if "hex" in entry}


# The maps -----------------------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "8.0", "8.1", "8.11", "8.12", "8.13", "8.14", "8.25")
def test_the_leningrad_inset(leningrad):
    ground = leningrad.ground(leningrad.map)
    number = ground.numbers
    districts = {ground.number(h): len(number(mask)) for h, mask in ground.district_of.items()}
    assert districts.keys() == {"0219", "0220", "0320"}
    assert districts["0220"] == 18
    links = {m: len(number(ground.links[ground.grid.hex(m)])) for m in number(ground.fringe_main)}
    assert links == {"0120": 4, "0119": 2, "0218": 2, "0319": 2, "0419": 2, "0420": 2}
    assert len(number(ground.key_points)) == 10
    assert not ground.key_points & ~ground.interior
    for lonely in ("0121", "0221", "0321"):
        assert ground.grid.hex(lonely) not in ground.links
    pos = situation(leningrad, "soviet-movement", {"90RD": "B8"}, map=None)
    assert refused(pos, "move 90RD A9") == "8.25"


@pytest.mark.case("assault-stalingrad", "8.0", "8.1", "8.11", "8.12", "8.13", "8.14")
def test_the_stalingrad_inset(stalingrad):
    ground = stalingrad.ground(stalingrad.map)
    assert {ground.number(h) for h in ground.district_of} == {"1204", "1305", "1405"}
    assert all(ground.district_of.values())
    assert ground.key_points
    assert not ground.key_points & ~ground.interior
    assert ground.fringe_inset
    assert ground.fringe_main


# Costs --------------------------------------------------------------------------------------------


@pytest.mark.case("assault-*", "8.2", "8.21", "8.36", "8.31")
def test_city_hexes_are_for_soviets(game):
    city = City(game)
    pos = situation(game, "soviet-movement", {"x": soviet(city.main)}, map=None)
    assert pos.reach("x")[city.capital].cost <= 1
    pos = situation(game, "german-movement", {"x": german(city.main)}, map=None)
    assert refused(pos, f"move x {city.capital}") == "8.31"


@pytest.mark.case("assault-leningrad", "8.21")
def test_between_city_hexes_the_neva_is_ignored(leningrad):
    pos = situation(leningrad, "soviet-movement", {"90RD": "0320"}, map=None)
    assert pos.reach("90RD")["0219"].cost == 1
    assert pos.reach("90RD")["0220"].cost == 1


@pytest.mark.case("assault-*", "8.22")
def test_interior_costs(game):
    city = City(game)
    pos = situation(game, "soviet-movement", {"x": soviet(city.interior, movement=5)}, map=None)
    assert pos.reach("x")[city.beside].cost == 1
    pos = situation(game, "german-movement", {"x": german(city.interior)}, map=None)
    assert pos.reach("x")[city.beside].cost == 2
    pos = situation(game, "german-movement", {"x": german(city.interior, type="panzer", movement=8)}, map=None)
    assert pos.reach("x")[city.beside].cost == 3
    pos = situation(game, "german-movement", {"x": german(city.interior)}, map=None)
    assert pos.reach("x")[city.fringe].cost == 1


@pytest.mark.case("assault-leningrad", "8.23", "8.24", "6.32")
def test_bridges(leningrad):
    pos = situation(leningrad, "german-movement", {"x": german("F4", type="panzer", movement=8)}, map=None)
    assert pos.reach("x")["G5"].cost == 5
    assert refused(pos, "move x F4-G4") == "8.23"
    pos = situation(leningrad, "soviet-movement", {"x": soviet("F4")}, map=None)
    assert pos.reach("x")["G5"].cost == 2
    assert not any("bridge" in verb for verb in leningrad.grammar.verbs)


# Stacking -----------------------------------------------------------------------------------------


@pytest.mark.case("assault-*", "8.26", "7.6")
def test_tenfold_stacking(game):
    city = City(game)
    crowd = {f"s{n}": soviet(city.capital) for n in range(10)}
    pos = situation(game, "soviet-movement", {**crowd, "x": soviet(city.main)}, map=None)
    assert refused(pos, f"move x {city.capital}") == "8.26"
    nine = {name: entry for name, entry in crowd.items() if name != "s0"}
    assert (
        situation(game, "soviet-movement", {**nine, "x": soviet(city.main)}, map=None).why_not(f"move x {city.capital}")
        is None
    )
    inset = {**{n: e for n, e in nine.items() if n != "s1"}, "a": soviet(city.interior), "b": soviet(city.beside)}
    shared = situation(game, "soviet-movement", {**inset, "x": soviet(city.main)}, map=None)
    assert refused(shared, f"move x {city.capital}") == "8.26"
    two = situation(game, "soviet-movement", {"a": soviet(city.interior), "b": soviet(city.beside)}, map=None)
    assert refused(two, f"move a {city.beside}") == "7.1"


# Transfers ----------------------------------------------------------------------------------------


@pytest.mark.case("assault-*", "8.3", "8.32", "8.12")
def test_free_transfers_within_the_district(game):
    city = City(game)
    pos = situation(game, "soviet-movement", {"x": soviet(city.capital)}, map=None)
    after = pos.play(f"transfer x {city.interior}")
    assert hexes(after)["x"] == city.interior
    assert after.why_not(f"move x {city.beside}") is None
    wrong = "B3" if game.id == LENINGRAD else "C4"
    assert refused(pos, f"transfer x {wrong}") == "8.12"
    back = situation(
        game, "soviet-combat", {"x": soviet(city.interior), "y": soviet("0505"), "g": german("0506")}, map=None
    )
    assert back.why_not(f"transfer x {city.capital}") is None
    held = situation(game, "soviet-movement", {"x": soviet(city.interior), "g": german(city.beside)}, map=None)
    assert refused(held, f"transfer x {city.capital}") == "8.33"


@pytest.mark.case("assault-*", "12.45")
def test_disrupted_units_are_transferred_one_way(game):
    city = City(game)
    pos = situation(game, "soviet-movement", {"x": soviet(city.capital, disrupted=True)}, map=None)
    assert pos.why_not(f"transfer x {city.interior}") is None
    pos = situation(game, "soviet-movement", {"x": soviet(city.interior, disrupted=True)}, map=None)
    assert refused(pos, f"transfer x {city.capital}") == "12.45"


@pytest.mark.case("assault-*", "8.33", "8.34", "8.32")
def test_the_city_is_manned_when_a_german_appears(game):
    city = City(game)
    units = {
        "g": german(city.main, movement=8), "x": soviet(city.capital), "y": soviet(city.other, disrupted=True),
        "z": soviet(city.deep, "1-C"),
    }  # fmt: skip
    pos = situation(game, "german-movement", units, map=None)
    assert city.interior not in pos.reach("g")
    assert pos.reach("g")[city.fringe].cost == 0
    pos = pos.play(f"move g {city.fringe}")
    assert (pos.to_move, pos.phase.id) == ("soviet", "german-movement")
    assert refused(pos, "end") == "8.33"
    assert refused(pos, f"transfer x {city.other}") == "8.12"
    assert refused(pos, f"transfer z {city.beside}") == "8.33"
    district = next(o for o in texts(pos) if o.startswith("transfer y"))
    pos = pos.play(f"transfer x {city.beside}").play(district).play("end")
    assert pos.to_move == "german"
    assert not pos.lay(1).occupied & pos.ground.capital
    assert city.interior in pos.reach("g")
    assert pos.play(f"move g {city.interior}").document()["units"]["g"]["hex"] == city.interior


@pytest.mark.case("assault-*", "8.34")
def test_several_units_enter_by_one_fringe_hex(game):
    city = City(game)
    units = {"a": german(city.main, movement=8), "b": german(city.out, movement=8)}
    pos = situation(game, "german-movement", units, map=None)
    assert pos.reach("a")[city.interior].cost == 2
    pos = pos.play(f"move a {city.interior}")
    assert pos.reach("b")[city.fringe].cost == pos.reach("b")[city.main].cost


@pytest.mark.case("assault-*", "8.35", "8.36")
def test_leaving_by_the_fringe(game):
    city = City(game)
    pos = situation(game, "german-movement", {"g": german(city.interior)}, map=None)
    assert pos.reach("g")[city.main].cost == pos.reach("g")[city.fringe].cost == 1
    held = situation(game, "german-movement", {"g": german(city.interior), "s": soviet(city.main, "1-C")}, map=None)
    assert refused(held, f"move g {city.fringe}") == "8.35"
    soviets = situation(game, "soviet-movement", {"s": soviet(city.interior)}, map=None)
    assert soviets.reach("s")[city.main].cost == 1


# The fringe at the end of a player-turn -----------------------------------------------------------


@pytest.mark.case("assault-*", "8.37")
def test_units_go_back_from_the_fringe(game):
    city = City(game)
    pos = situation(
        game, "german-mechanized-movement", {"g": german(city.fringe), "i": german(city.interior)}, map=None
    )
    pos = pos.play("end")
    assert hexes(pos) == {"g": city.main, "i": city.interior}
    pos = situation(
        game, "soviet-combat", {"s": soviet(city.fringe), "g": german("0707"), "t": soviet("0708")}, map=None
    )
    assert hexes(pos.play("end"))["s"] == city.main


@pytest.mark.case("assault-*", "8.37")
def test_too_many_on_the_fringe(game):
    city = City(game)
    units = {"a": german(city.fringe, "8-A 4-B"), "b": german(city.second, "7-A 4-B")}
    pos = situation(game, "german-mechanized-movement", units, map=None)
    pos = pos.play("end")
    assert pos.to_move == "german"
    assert texts(pos) == {"remove a", "remove b"}
    pos = pos.play("remove b")
    assert hexes(pos) == {"a": city.main}


# Zones and combat ---------------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "8.41", "8.42", "9.2", "9.7", "6.34")
def test_worked_example_zone_in_the_city(leningrad):
    """A regiment in F4 has a zone over E4, E5, F3, F4, F5 and G5 but not G4."""
    pos = situation(leningrad, "soviet-movement", {"6/4": "F4"}, map=None)
    assert pos.zoc("german") == {"E4", "E5", "F3", "F4", "F5", "G5"}


@pytest.mark.case("assault-stalingrad", "8.41", "19.32", "19.31")
def test_zones_never_cross_the_volga(stalingrad):
    pos = situation(stalingrad, "soviet-movement", {"g": german("H3", "8-A")}, map=None)
    assert "H4" in pos.zoc("german")
    assert not {"G2", "H2", "I2"} & pos.zoc("german")


@pytest.mark.case("assault-*", "8.4", "8.43", "8.44", "8.45")
def test_attacks_into_and_out_of_the_city(game):
    city = City(game)
    units = {"s": soviet(city.capital), "g": german(city.main, "8-A")}
    assert refused(situation(game, "german-combat", units, map=None), f"attack g {city.capital}") == "8.43"
    assert situation(game, "soviet-combat", units, map=None).why_not(f"attack s {city.main}") is None
    inside = {"s": soviet(city.interior), "g": german(city.fringe, "8-A")}
    assert situation(game, "german-combat", inside, map=None).why_not(f"attack g {city.interior}") is None
    assert refused(situation(game, "soviet-combat", inside, map=None), f"attack s {city.fringe}") == "8.45"


@pytest.mark.case("assault-*", "8.45")
def test_one_unit_of_a_kind_attacks_out(game):
    city = City(game)
    units = {"a": soviet(city.capital), "b": soviet(city.capital), "g": german(city.main, "4-A")}
    units["w"] = soviet(city.capital, "1-C", type="worker", movement=4)
    pos = situation(game, "soviet-combat", units, map=None)
    assert refused(pos, f"attack a+b {city.main}") == "8.45"
    assert pos.why_not(f"attack a+w {city.main}") is None
    pos = pos.play(f"target {city.main}").play("add a")
    assert "add b" not in texts(pos)
    assert "add w" in texts(pos)


@pytest.mark.case("assault-*", "8.46", "10.32")
def test_interior_trebles(game):
    city = City(game)
    units = {"s": soviet(city.interior), "g": german(city.beside, "4-A")}
    assert situation(game, "german-combat", units, map=None).explain(f"attack g {city.interior}").defence == (
        (Fraction(12), 1),
    )
    assert situation(game, "soviet-combat", units, map=None).explain(f"attack s {city.beside}").defence == (
        (Fraction(12), 1),
    )


@pytest.mark.case("assault-leningrad", "10.38", "8.42")
def test_attacks_over_the_river_in_the_city(leningrad):
    units = {"s": soviet("G5"), "t": soviet("G4"), "g": german("F4", "16-A")}
    pos = situation(leningrad, "german-combat", units, map=None)
    assert pos.explain("attack g G5").defence == ((Fraction(24), 1),)
    assert refused(pos, "attack g G4") == "10.38"
    both_banks = situation(leningrad, "german-combat", {**units, "h": german("H5", "8-A")}, map=None)
    assert both_banks.explain("attack g+h G5").defence == ((Fraction(12), 1),)


# Workers and the NKVD in the city -----------------------------------------------------------------


@pytest.mark.case("assault-*", "14.0", "14.3", "14.4", "14.5")
def test_city_workers_stay_in_the_city(game):
    city = City(game)
    pos = situation(game, "soviet-movement", {"W1": city.interior}, map=None)
    assert pos.reach("W1")[city.beside].cost == 1
    assert refused(pos, f"move W1 {city.fringe}") == "14.4"
    pos = situation(game, "soviet-movement", {"W1": city.capital}, map=None)
    assert refused(pos, f"move W1 {city.main}") == "14.4"
    units = {"W1": city.capital, "s": soviet(city.capital, "20-A"), "g": german(city.main, "1-C")}
    pos = situation(game, "soviet-combat", units, map=None).play(f"attack s+W1 {city.main}")
    assert texts(pos) == {f"advance s {city.main}", "end"}
    assert refused(pos, f"advance W1 {city.main}") == "14.4"


@pytest.mark.case("assault-*", "14.4", "14.5")
def test_workers_retreat_within_the_city_only(game):
    from ladoga.games.assault.results import retreat_hexes

    city = City(game)
    pos = situation(game, "german-combat", {"W1": city.interior, "g": german("0707")}, map=None)
    mask = retreat_hexes(pos, pos.index["W1"])
    assert mask
    assert not mask & pos.ground.fringe_inset


@pytest.mark.case("assault-leningrad", "8.21", "8.36")
def test_soviets_may_not_use_the_city_hexes_with_germans_inside(leningrad):
    pos = situation(leningrad, "soviet-movement", {"90RD": "0419", "1ID": "E3"}, map=None)
    assert refused(pos, "move 90RD 0320") == "8.33"
    with pytest.raises(ValueError, match="nobody is in the city hexes"):
        situation(leningrad, "soviet-movement", {"90RD": "0320", "1ID": "E3"}, map=None)


@pytest.mark.case("assault-*", "8.33", "9.2")
def test_a_stopped_german_goes_no_further(game):
    city = City(game)
    units = {"g": german(city.main, movement=8), "x": soviet(city.capital, "4-A")}
    pos = situation(game, "german-movement", units, map=None).play(f"move g {city.fringe}")
    pos = pos.play(f"transfer x {city.interior}").play("end")
    assert city.fringe in pos.rigid_zone("soviet")
    assert refused(pos, f"move g {city.second}") == "9.2"
    assert not [order for order in texts(pos) if order.startswith("move g")]
    assert "German" in happened(situation(game, "german-movement", units, map=None).play(f"move g {city.fringe}"))


def after_roll(position, want):
    """The position after the first roll that satisfies ``want``."""
    return next(after for after in (position.play(f"die {n}") for n in range(1, 7)) if want(after))


@pytest.mark.case("assault-leningrad", "8.32")
def test_transfers_in_a_combat_phase_without_targets_are_listed(leningrad):
    pos = situation(leningrad, "soviet-combat", {"4V": "0320"}, map=None)
    assert pos.why_not("transfer 4V J5") is None
    assert {"transfer 4V J5", "end"} <= texts(pos)
    moving = situation(leningrad, "soviet-movement", {"4V": "0320"}, map=None)
    assert moving.play("end").phase.id == "soviet-combat"


@pytest.mark.case("assault-leningrad", "8.35", "8.37", "10.27")
def test_nobody_retreats_into_the_main_hex_of_an_enemy_on_the_fringe(leningrad):
    units = {"x": german("0621", "20-C"), "58ID": "K7", "11ID": "J7", "s": soviet("0521", "4-A 2-B"), "4V": "E4"}
    pos = situation(leningrad, "german-combat", units, map=None).play("attack x 0521")
    pos = after_roll(pos, lambda p: p.to_move == "soviet")
    assert "retreat s 0420" not in texts(pos)
    assert refused(pos, "retreat s 0420") == "10.27"


@pytest.mark.case("assault-leningrad", "8.35")
def test_the_main_hex_of_an_enemy_on_the_fringe_is_not_entered(leningrad):
    units = {"x": german("0521"), "s": soviet("K7", "1-C")}
    pos = situation(leningrad, "german-mechanized-movement", units | {"1/1": "0421"}, map=None)
    assert refused(pos, "move 1/1 0420") == "8.35"


@pytest.mark.case("assault-leningrad", "8.33")
def test_only_units_on_the_main_map_answer_a_summons(leningrad):
    pos = situation(leningrad, "german-movement", {"1ID": "0420", "4V": "0320", "235RD": "G3"}, map=None)
    pos = pos.play("move 1ID K7")
    assert "man the districts" in happened(pos)
    assert all(order.startswith("transfer 4V") for order in texts(pos))
    assert refused(pos, "transfer 235RD J6") == "8.33"


@pytest.mark.case("assault-leningrad", "8.37", "11.36")
def test_a_headquarters_given_up_for_want_of_room_never_comes_back(leningrad):
    pos = situation(leningrad, "german-mechanized-movement", {"HQ38": "J7", "HQ56": "K7", "1/1": "0622"}, map=None)
    crowd = pos.play("end")
    assert texts(crowd) == {"remove HQ38", "remove HQ56"}
    later = crowd.play("remove HQ38")
    while later.phase.id != "german-movement":
        later = later.play("die 1" if later.to_move == "chance" else "end")
    assert refused(later, "enter HQ38 1136") == "16.11"
    assert leningrad.position(later.document()).document() == later.document()


@pytest.mark.case("assault-leningrad", "8.26")
def test_a_full_city_is_refused_as_such(leningrad):
    units = {f"x{n}": soviet("0219") for n in range(6)} | {f"y{n}": soviet(f"D{n}") for n in range(2, 6)}
    pos = situation(leningrad, "soviet-movement", {**units, "z": soviet("0220"), "u": soviet("F5")}, map=None)
    assert refused(pos, "move z 0219") == "8.26"
    assert refused(pos, "move u F4") == "8.26"  # empty, but ten are in the city hex and its district
    assert pos.why_not("move x0 0320") is None


@pytest.mark.case("assault-*", "8.32", "8.34", "8.36")
def test_a_transfer_that_is_a_move_or_comes_at_the_wrong_time_is_refused_as_such(game):
    names = {"assault-leningrad": ("0320", "0419", "K4", "G5"), "assault-stalingrad": ("1305", "1306", "F6", "F4")}
    city, fringe, rim, inner = names[game.id]
    units = {"x": german(fringe), "y": soviet(city)}
    pos = situation(game, "german-movement", units, map=None)
    assert refused(pos, f"transfer x {rim}") == "8.34"
    assert refused(pos, f"transfer y {inner}") == "8.32"
    own = situation(game, "soviet-movement", {"y": soviet(fringe), "z": soviet(city)}, map=None)
    assert refused(own, f"transfer y {rim}") == "8.36"
    assert own.why_not(f"transfer z {inner}") is None


@pytest.mark.case("assault-leningrad", "8.37", "12.44")
def test_a_choice_that_must_be_made_is_not_ended(leningrad):
    crowd = {"1ID": "K4", "58ID": "L4", "1/1": "0520", "W1": "G5"}
    pos = situation(leningrad, "german-mechanized-movement", crowd, map=None, turn=8).play("end")
    assert texts(pos) == {"remove 1ID", "remove 58ID"}
    assert refused(pos, "end") == "8.37"
    bombed = situation(
        leningrad, "german-air-bombardment", {"1ID": "0522", "10RD": "0320", "1V": "0320"}, map=None, turn=8, air=1
    )
    pos = bombed.play("bomb 0320").play("end").play("die 1")
    assert texts(pos) == {"disrupt 10RD", "disrupt 1V"}
    assert refused(pos, "end") == "12.44"


@pytest.mark.case("assault-*", "8.32", "8.21")
def test_a_unit_goes_to_another_district_by_the_main_map_in_one_phase(game):
    ways = {"assault-leningrad": ("G5", "0320", "0219", "F4"), "assault-stalingrad": ("G4", "1305", "1405", "K4")}
    start, first, second, goal = ways[game.id]
    pos = situation(game, "soviet-movement", {"y": soviet(start), "z": soviet(start, "1-C", type="worker")}, map=None)
    pos = pos.play(f"transfer y {first}")
    assert refused(pos.play(f"transfer y {start}"), f"transfer y {first}") == "8.32"
    pos = pos.play(f"move y {second}").play(f"transfer y {goal}")
    assert pos.document()["units"]["y"]["hex"] == goal
    assert refused(pos, f"transfer y {second}") == "8.32"
    assert refused(pos, f"move y {second}") == "6.19"
