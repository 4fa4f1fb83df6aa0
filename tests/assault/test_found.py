"""Faults found by reading the rulebook against the engine, each held by the situation that showed it."""

from __future__ import annotations

import random

import pytest

import ladoga

from .conftest import german, happened, refused, situation, soviet, texts


def after_roll(position, want):
    """The position after the first roll that satisfies ``want``."""
    return next(after for after in (position.play(f"die {n}") for n in range(1, 7)) if want(after))


@pytest.mark.case("assault-leningrad", "18.31")
def test_the_first_step_is_of_the_best_class_after_a_retreat_too(leningrad):
    units = {
        "x": german("0505", "20-A 4-B"), "a": soviet("0506", "4-A 2-B"),
        "gu": soviet("0506", "1-C", type="guerrilla", movement=4),
    }  # fmt: skip
    pos = situation(leningrad, "german-combat", units, options={"best-class-first": True}).play("attack x 0506")
    pos = after_roll(pos, lambda p: getattr(p.pending, "due", 0) == 2)
    for unit in ("a", "gu"):
        pos = pos.play(next(order for order in pos.legal if order.verb == "retreat" and order.units == (unit,)))
    assert texts(pos) == {"lose a"}
    assert refused(pos, "lose gu") == "18.31"


@pytest.mark.case("assault-leningrad", "11.51", "11.15")
@pytest.mark.parametrize("spot", ["K7", "0420"])
def test_supply_on_the_fringe_is_that_of_the_main_map_hex(leningrad, spot):
    units = {
        "HQ41": {"hex": "0722", "supply": "trace"}, "1/1": {"hex": spot, "supply": "trace"},
        "s": soviet("0421", "4-A"),
    }  # fmt: skip
    pos = situation(leningrad, "german-supply", units, map=None)
    assert "0420" in pos.zoc("soviet")
    assert pos.supply("1/1").supplied


@pytest.mark.case("assault-leningrad", "8.32")
def test_transfers_in_a_combat_phase_without_targets_are_listed(leningrad):
    pos = situation(leningrad, "soviet-combat", {"4V": "0320"}, map=None)
    assert pos.why_not("transfer 4V J5") is None
    assert {"transfer 4V J5", "end"} <= texts(pos)
    moving = situation(leningrad, "soviet-movement", {"4V": "0320"}, map=None)
    assert moving.play("end").phase.id == "soviet-combat"


def test_questions_about_nothing_are_answered_with_our_own_errors(leningrad):
    pos = situation(leningrad, "soviet-combat", {"4V": "0320", "1ID": "0420"}, map=None)
    for ask in (
        lambda: pos.supply("zz"), lambda: pos.zoc("x"), lambda: pos.rigid_zone("x"),
        lambda: pos.explain("attack 4V 0101"), lambda: pos.explain("attack 4V 9999"),
    ):  # fmt: skip
        with pytest.raises(ladoga.LadogaError):
            ask()
    with pytest.raises(ladoga.Illegal) as caught:
        pos.explain("transfer 4V J5")
    assert caught.value.case == "10.1"


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


@pytest.mark.case("assault-leningrad", "11.21", "6.13", "8.33")
def test_one_hex_out_of_supply_after_a_summons(leningrad):
    units = {"1/1": {"hex": "0420", "supply": "out"}, "4V": "0320"}
    pos = situation(leningrad, "german-movement", units, map=None)
    assert refused(pos, "move 1/1 K6") == "8.33"
    assert refused(pos, "move 1/1 K7-K6") == "8.33"
    pos = pos.play("move 1/1 K7").play("transfer 4V J4").play("end")
    assert pos.why_not("move 1/1 K7-K6") is None
    assert "move 1/1 K6" in texts(pos)
    assert refused(pos, "move 1/1 K7-K6-K5") == "11.21"
    assert pos.play("move 1/1 K6").document()["units"]["1/1"]["hex"] == "K6"


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


@pytest.mark.case("assault-leningrad", "14.2")
def test_a_worker_outside_the_city_does_not_retreat(leningrad):
    units = {"x": german("0505", "20-A"), "y": soviet("0506", "4-C 1-C", type="worker")}
    pos = after_roll(
        situation(leningrad, "german-combat", units).play("attack x 0506"), lambda p: p.to_move == "soviet"
    )
    assert refused(pos, "retreat y 0507") == "14.2"


@pytest.mark.case("assault-leningrad", "10.37")
def test_a_target_across_the_neva_is_refused_for_the_river(leningrad):
    ground = leningrad.ground(leningrad.map)
    here = ground.grid.hex("0318")
    across = next(b for d, b in enumerate(ground.grid.neighbours(here)) if b >= 0 and ground.barrier[d] >> here & 1)
    units = {"1ID": ground.number(across), "s": soviet("0318", "1-C")}
    pos = situation(leningrad, "german-combat", units, map=None)
    assert refused(pos, "target 0318") == refused(pos, "attack 1ID 0318") == "10.37"


@pytest.mark.case("assault-leningrad", "8.33")
def test_only_units_on_the_main_map_answer_a_summons(leningrad):
    pos = situation(leningrad, "german-movement", {"1ID": "0420", "4V": "0320", "235RD": "G3"}, map=None)
    pos = pos.play("move 1ID K7")
    assert "man the districts" in happened(pos)
    assert all(order.startswith("transfer 4V") for order in texts(pos))
    assert refused(pos, "transfer 235RD J6") == "8.33"


@pytest.mark.case("assault-leningrad", "18.21")
def test_a_guerrilla_on_the_inset_gets_away_too(leningrad):
    options = {"guerrillas-away": True}
    pos = situation(leningrad, "soviet-movement", {"Gue1": "F4"}, map=None, turn=1, options=options)
    assert refused(pos, "end") == "18.21"
    assert {order.verb for order in pos.legal} == {"transfer"}
    assert "transfer Gue1 0219" in texts(pos)
    for order in pos.legal:
        assert refused(pos.play(order), "end") == "18.21"
    assert refused(pos, "move Gue1 F3") == "18.21"
    pos = pos.play("transfer Gue1 0219")
    near = pos.ground.numbers(pos.ground.near_city)
    moves = [order for order in pos.legal if order.verb == "move"]
    assert moves
    assert not {order.hexes[0] for order in moves} & set(near)
    assert "Gue1 must get away" not in str(pos.play(moves[0]).why_not("end"))


@pytest.mark.case("assault-leningrad", "18.21")
def test_no_random_order_leaves_a_guerrilla_behind(leningrad):
    options = {"guerrillas-away": True}
    pos = situation(leningrad, "soviet-movement", {"Gue1": "F4"}, map=None, turn=1, options=options)
    for seed in range(20):
        assert pos.legal.random(random.Random(seed)).verb == "transfer"


@pytest.mark.case("assault-leningrad", "18.21")
def test_a_guerrilla_does_not_hide_on_the_inset(leningrad):
    options = {"guerrillas-away": True}
    pos = situation(leningrad, "soviet-movement", {"Gue1": "0219"}, map=None, turn=1, options=options)
    assert refused(pos, "end") == "18.21"
    assert refused(pos, "transfer Gue1 F4") == "18.21"
    for order in pos.legal:
        if order.verb == "transfer":
            assert refused(pos.play(order), "end") == "18.21"


NOBODY: dict[str, list[str]] = {"attackers": [], "defenders": []}
FLEET = {"side": "soviet", "type": "naval", "movement": 0, "hex": "0322"}
IMPOSSIBLE = {
    "spent": {"phase": "german-movement", "marching": "1ID", "spent": 9999},
    "spent ": {"phase": "german-movement", "marching": "1ID", "spent": -5},
    "marching": {"phase": "german-movement", "marching": "4V"},
    "bombs[0]": {"phase": "german-air-bombardment", "air": 1, "bombs": [{"hex": "0321", "fleet": True}]},
    "bombs[0] ": {"phase": "german-air-bombardment", "air": 1, "bombs": [{"hex": "0101"}]},
    "pending.hexes[0]": {"pending": {"for": "roll", "hexes": ["0808"], "units": ["1ID"]}},
    "pending.hexes": {"pending": {"for": "roll", "hexes": [], "units": ["1ID"]}},
    "pending.units[0]": {"pending": {"for": "roll", "hexes": ["0521"], "units": ["4V"]}},
    "pending.units[0] ": {"pending": {"for": "plan", "side": "german", "hexes": ["0521"], "units": ["HQ38"]}},
    "pending.side": {"pending": {"for": "plan", "side": "soviet", "hexes": ["0521"]}},
    "pending": {
        "pending": {
            "for": "fight",
            "side": "soviet",
            "hexes": ["0521"],
            "attackers": ["1ID"],
            "defenders": [],
            "due": 1,
        }
    },
    "pending.due": {
        "pending": {
            "for": "fight",
            "side": "german",
            "hexes": ["0521"],
            "attackers": ["1ID"],
            "defenders": [],
            "due": 0,
        }
    },
    "pending.hexes[0] ": {
        "pending": {"for": "advance", "side": "german", "hexes": ["0521"], "units": ["1ID"]},
    },
    "pending.for": {"phase": "german-movement", "pending": {"for": "roll", "hexes": ["0521"], "units": ["1ID"]}},
    "pending ": {"phase": "german-movement", "pending": {"for": "summons"}},
    "units.58ID.withdrawn": {"more": {"58ID": {"hex": "0622", "withdrawn": True}}},
    "units.58ID.waiting": {"more": {"58ID": {"hex": "0622", "waiting": True}}},
    "units.58ID.returning": {"more": {"58ID": {"returning": True}}},
    "units.5GV.drawn": {"more": {"5GV": {"drawn": "nowhere"}}},
    "units.x.type": {"more": {"x": {"side": "german", "type": "naval", "movement": 4, "hex": "0321"}}},
    "units.x.type ": {"more": {"x": german("0622", "1-C", type="worker")}},
    "units.x.type  ": {"more": {"x": german("0622", "1-C", type="guerrilla")}},
    "units.x.type   ": {"more": {"x": {"side": "soviet", "type": "hq", "movement": 4, "hex": "0321"}}},
    "units.x": {"more": {"Nav": {"hex": "0323"}, "x": FLEET}},
    "units.1ID.moved": {"more": {"1ID": {"hex": "0522", "moved": True}}},
    "units.4V.attacked": {"more": {"4V": {"hex": "0521", "attacked": True}}},
    "units.4V.retreated": {"phase": "german-movement", "more": {"4V": {"hex": "0521", "retreated": True}}},
    "units.1ID.transferred": {"phase": "german-movement", "more": {"1ID": {"hex": "0522", "transferred": True}}},
    "units.5GV.cup": {"more": {"5GV": {"cup": True}}},
    "air": {"phase": "german-air-bombardment", "air": 99},
    "air ": {"air": 1},
    "support-left": {"support-left": 6},
    "support-left ": {"phase": "german-mechanized-movement", "support-left": 1},
    "support": {"phase": "german-movement", "support": ["0521"]},
    "fought": {"phase": "german-movement", "fought": ["0521"]},
    "sorties[0]": {"phase": "soviet-combat", "sorties": ["nonsense"]},
    "sorties[0] ": {"phase": "soviet-combat", "sorties": ["0521 body"]},
    "sorties[1]": {"phase": "soviet-combat", "sorties": ["0320 body", "0320 hq"]},
    "sorties[0]  ": {"sorties": ["0320 body"]},
    "fire": {"phase": "soviet-combat", "fire": "F4", "more": {"Nav": {"hex": "0323"}}},
    "fire ": {"phase": "soviet-combat", "fire": "0522"},
    "fire  ": {"phase": "soviet-movement", "fire": "0522", "more": {"Nav": {"hex": "0323"}}},
    "fire   ": {"phase": "soviet-combat", "fire": "0522", "more": {"Nav": {"hex": "0323", "disrupted": True}}},
    "units.1ID": {"more": {"1ID": {"hex": "0522", "class": "B"}}},
    "units.1ID ": {"more": {"1ID": {"hex": "0522", "corps": "2"}}},
    "units.1ID  ": {"more": {"1ID": {"hex": "0522", "size": "regiment"}}},
    "units.Gue1.supply": {"more": {"Gue1": {"hex": "0622", "supply": "out"}}},
    "units.y1.hex": {
        "more": {f"x{n}": soviet("0219") for n in range(1, 7)}
        | {f"y{n}": soviet(f"D{n}") for n in range(2, 6)}
        | {"y1": soviet("E5")}
    },
    "units.x11.hex": {"more": {f"x{n}": soviet("0320") for n in range(1, 12)}},
}


@pytest.mark.parametrize("path", IMPOSSIBLE)
def test_documents_that_cannot_be_are_refused(leningrad, path):
    document = {"game": leningrad.id, "turn": 3, "phase": "german-combat", **IMPOSSIBLE[path]}
    units = {"1ID": {"hex": "0522"}, "4V": {"hex": "0521"}, "HQ38": {"hex": "0722"}}
    document["units"] = units | document.pop("more", {})
    with pytest.raises(ladoga.BadDocument) as caught:
        leningrad.position(document)
    assert caught.value.path == path.strip()


@pytest.mark.parametrize("phase", ["soviet-naval-fire", "soviet-naval-cover"])
def test_there_is_no_naval_phase_without_a_fleet(stalingrad, phase):
    with pytest.raises(ladoga.BadDocument) as caught:
        situation(stalingrad, phase, {"x": soviet("0505")})
    assert caught.value.path == "phase"


@pytest.mark.case("assault-stalingrad", "14.3")
def test_one_worker_to_a_hex_by_the_case_this_game_has(stalingrad):
    worker = soviet("L5", "1-C", type="worker")
    pos = situation(stalingrad, "soviet-movement", {"a": worker, "b": worker | {"hex": "L4"}}, map=None)
    assert refused(pos, "move a L4") == "14.3"


@pytest.mark.case("assault-leningrad", "16.13")
def test_a_soviet_reinforcement_reaches_the_city_and_nothing_else(leningrad):
    pos = situation(leningrad, "soviet-movement", {"1GV": {"waiting": True}, "1ID": "2009"}, map=None, turn=5)
    reach = pos.reach("1GV")
    assert set(reach) == {order.hexes[0] for order in pos.legal.of("1GV")}
    assert "0320" in reach
    assert "0916" not in reach  # Tosno is a city too
    assert reach["0320"].cost == 0
    assert reach["0320"].left == 5


@pytest.mark.case("assault-leningrad", "9.2", "9.4", "6.13")
@pytest.mark.case("assault-stalingrad", "9.2", "9.4", "6.13")
def test_a_march_that_zones_hold_up_is_refused_for_the_zones(game):
    pos = situation(game, "german-movement", {"a": german("0508"), "b": soviet("0505", "5-A")})
    assert refused(pos, "move a 0507-0506-0406") == "9.2"  # 0506 is in the rigid zone
    assert refused(pos, "move a 0503") == "9.2"
    assert refused(pos, "move a 0501") == "6.13"
    fluid = situation(game, "german-movement", {"a": german("0508"), "b": soviet("0505", "5-B")})
    assert refused(fluid, "move a 0503") == "9.4"  # five hexes, and two zones to leave
    starting = situation(game, "german-movement", {"a": german("0506", movement=4), "b": soviet("0505", "5-A")})
    assert refused(starting, "move a 0508") == "9.4"


@pytest.mark.case("assault-leningrad", "10.1", "11.33")
@pytest.mark.case("assault-stalingrad", "10.1", "11.33")
def test_only_an_attack_that_could_be_made_is_explained(game):
    units = {"a": german("0504"), "hq": german("0504", "0-C", type="hq", corps="9"), "b": soviet("0505", "5-A")}
    pos = situation(game, "german-combat", units)
    for order, case in (
        ("attack zz 0505", "3.2"),
        ("attack hq 0505", "11.33"),
        ("attack b 0505", "10.11"),
        ("end", "10.1"),
    ):
        with pytest.raises(ladoga.Illegal) as caught:
            pos.explain(order)
        assert caught.value.case == case
    composed = pos.play("target 0505")
    assert composed.explain("add a").results == pos.explain("attack a 0505").results
    weak = situation(game, "german-combat", {"a": german("0504", "1-C"), "b": soviet("0505", "5-A")})
    assert weak.explain("attack a 0505").columns == (("below 1:3", 1),)


@pytest.mark.case("assault-leningrad", "10.33", "10.35", "11.23", "12.42", "13.5")
def test_every_change_of_a_strength_is_told_with_its_case(leningrad):
    units = {"a": german("0504", supply="out"), "b": soviet("0505", "1-C", supply="out", disrupted=True)}
    pos = situation(
        leningrad, "german-combat", units,
        map={"blank": [12, 12], "places": {"0505": ["fortified-city"]}, "hexsides": {"0504/0505": ["river"]}},
    )  # fmt: skip
    told = pos.explain("attack a 0505")
    assert (told.attack, told.defence) == (((4, 1),), ((2, 1),))  # 8 / 2, and 1 x 4 x 2 / 2 / 2
    notes = " ".join(told.notes)
    assert all(f"[{case}]" in notes for case in ("10.35", "10.33", "11.23", "12.42"))
    guns = situation(
        leningrad, "german-combat", {"Nav": "0323", "x": soviet("0622", "2-C"), "g": german("0623")},
        map=None, fire="0622",
    )  # fmt: skip
    assert guns.explain("attack g 0622").defence == ((11, 1),)  # 2 x 3 + 5
    assert "[13.5]" in " ".join(guns.explain("attack g 0622").notes)


@pytest.mark.case("assault-leningrad", "11.34", "11.35", "11.12")
@pytest.mark.case("assault-stalingrad", "11.34", "11.35", "11.12")
def test_a_cut_line_names_the_case_that_cuts_it(game):
    units = {
        "hq": german("0606", "0-C", type="hq", corps="9", supply="trace"),
        "a": german("0604", corps="9", supply="trace"), "b": german("0804", corps="8", supply="trace"),
    }  # fmt: skip
    pos = situation(game, "german-supply", units, map={"blank": [30, 30]})
    assert [pos.supply(unit).case for unit in units] == ["11.35", "11.35", "11.34"]
    assert not any(pos.supply(unit).supplied for unit in units)


@pytest.mark.case("assault-leningrad", "11.12", "11.42")
def test_a_unit_marked_out_stays_so_in_a_fortification_until_the_next_check(leningrad):
    pos = situation(leningrad, "soviet-movement", {"90RD": {"hex": "0421", "supply": "out"}}, map=None)
    told = pos.supply("90RD")
    assert (told.supplied, told.case) == (False, "11.12")
    assert "until the next check" in told.message


@pytest.mark.case("assault-leningrad", "11.36")
@pytest.mark.case("assault-stalingrad", "11.36")
def test_an_eliminated_headquarters_comes_back_in_the_movement_phase(game):
    hq = "HQ56" if game.id == "assault-leningrad" else "HQ51"
    pos = situation(game, "german-movement", {hq: {"eliminated": True}}, map=None)
    entry = "3830" if game.id == "assault-leningrad" else "1426"
    assert pos.why_not(f"enter {hq} {entry}") is None
    assert game.position(pos.document()).document() == pos.document()


@pytest.mark.case("assault-leningrad", "17.25")
def test_one_regiment_of_a_made_up_division_is_no_garrison(leningrad):
    rgt = {"type": "motorized", "size": "regiment", "division": "9th Panzer", "movement": 8}
    units = {"a": german("2107", "4-A", **rgt), "b": german("2007", "4-A", **rgt)}
    pos = situation(leningrad, "german-mechanized-movement", units, map=None)
    assert "17.25" in {event.case for event in pos.play("end").events}
    together = pos.play("move b 2107")
    assert "17.25" not in {event.case for event in together.play("end").events}


@pytest.mark.case("assault-stalingrad", "19.0")
def test_woods_and_marsh_mean_at_stalingrad_what_they_mean_at_leningrad(stalingrad):
    units = {"a": german("0504", "8-A", movement=8, type="panzer"), "b": soviet("0505", "4-B")}
    ground = {"blank": [12, 12], "hexes": {"0505": "woods", "0503": "marsh", "0604": "woods"}}
    pos = situation(stalingrad, "german-combat", units, map=ground)
    assert pos.explain("attack a 0505").defence == ((8, 1),)
    moving = situation(stalingrad, "german-movement", {"a": units["a"]}, map=ground)
    assert moving.reach("a")["0604"].cost == 3


@pytest.mark.case("assault-leningrad", "12.32", "13.9")
def test_bombs_on_a_hex_with_nothing_but_the_fleet_are_for_the_fleet(leningrad):
    pos = situation(
        leningrad, "german-air-bombardment", {"Nav": {"hex": "0323"}, "1ID": "2009"}, map=None, air=1, dice=[2]
    )
    assert "The fleet is disrupted" in happened(pos.play("bomb 0323").play("end"))
    both = {"Nav": {"hex": "0220"}, "235RD": "0220", "1ID": "2009"}
    city = situation(leningrad, "german-air-bombardment", both, map=None, air=1, dice=[2])
    assert "fleet" not in happened(
        city.play("bomb 0220").play("end")
    )  # 1 disrupts a unit in the city, 2 the fleet at sea
    assert "fleet" in happened(city.play("bomb 0220 fleet").play("end"))


@pytest.mark.case("assault-leningrad", "16.14", "16.19")
def test_the_entry_area_of_others_is_refused_as_such(leningrad):
    pos = situation(leningrad, "german-movement", {"58ID": {"waiting": True}}, map=None, turn=8)
    assert refused(pos, "enter 58ID 3830") == "16.14"
    assert refused(pos, "enter 58ID 3830-3730") == "16.14"
    assert pos.why_not("enter 58ID 1136") is None


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


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_told_of_supply_has_a_case_of_this_game(game, seed):
    rng = random.Random(seed)
    pos = game.start()
    for _ in range(400):
        if pos.to_move is None:
            break
        pos = pos.play(rng.choice(pos.chance.outcomes)[0] if pos.to_move == "chance" else pos.legal.random(rng))
        if rng.random() < 0.05:
            cases = {pos.supply(unit).case for unit in pos.index if pos.where[pos.index[unit]] >= 0}
            assert cases <= set(game.cases)


@pytest.mark.case("assault-leningrad", "11.24", "11.17")
@pytest.mark.case("assault-stalingrad", "11.24", "11.17")
def test_a_unit_of_which_a_document_says_nothing_is_cut_off_for_the_first_time(game):
    """Found out of supply for the first time it is marked; only a unit marked already loses a step."""
    ring = {f"g{n}": german(number, "8-A") for n, number in enumerate(("0504", "0604", "0605", "0506", "0405", "0404"))}
    units = {**ring, "x": soviet("0505", "4-B 2-C", supply="trace"), "y": soviet("0909", "4-B 2-C", supply="trace")}
    places = {} if game.id == "assault-leningrad" else {"0101": ["red-edge"]}
    pos = situation(game, "german-supply", units, map={"blank": [12, 12], "places": places})
    assert not pos.supply("x").supplied  # what the check is about to find
    assert pos.supply("y").supplied
    assert "supply" not in pos.document()["units"]["x"]
    checked = pos.play("end")
    assert checked.document()["units"]["x"].get("steps", 2) == 2
    assert not checked.supply("x").supplied
    again = situation(game, "german-supply", {**units, "x": {**units["x"], "supply": "out"}}, map=pos.document()["map"])
    assert again.document()["units"]["x"]["supply"] == "out"
    assert again.play("end").document()["units"]["x"]["steps"] == 1


@pytest.mark.case("assault-leningrad", "14.4", "18.21")
def test_retreat_and_advance_are_refused_for_what_the_unit_is(leningrad):
    retreat = {"for": "fight", "side": "soviet", "hexes": ["K5"], "attackers": ["g"], "defenders": ["W1"], "due": 1}
    pos = situation(leningrad, "german-combat", {"g": german("J5"), "W1": "K5"}, map=None, pending=retreat)
    assert refused(pos, "retreat W1 K4") == "14.4"
    ahead = {"for": "advance", "side": "soviet", "hexes": ["0920"], "units": ["Gue1", "90RD"]}
    units = {"Gue1": "1020", "90RD": "1020", "1ID": "2009"}
    pos = situation(leningrad, "soviet-combat", units, map=None, pending=ahead, options={"guerrillas-away": True})
    assert refused(pos, "advance Gue1 0920") == "18.21"  # six hexes from Leningrad
    assert pos.why_not("advance 90RD 0920") is None


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


@pytest.mark.case("assault-leningrad", "8.26")
def test_a_full_city_is_refused_as_such(leningrad):
    units = {f"x{n}": soviet("0219") for n in range(6)} | {f"y{n}": soviet(f"D{n}") for n in range(2, 6)}
    pos = situation(leningrad, "soviet-movement", {**units, "z": soviet("0220"), "u": soviet("F5")}, map=None)
    assert refused(pos, "move z 0219") == "8.26"
    assert refused(pos, "move u F4") == "8.26"  # empty, but ten are in the city hex and its district
    assert pos.why_not("move x0 0320") is None


@pytest.mark.case("assault-leningrad", "16.22", "16.26")
def test_a_document_at_the_beginning_of_a_movement_phase_has_the_withdrawals_behind_it(leningrad):
    units = {"8/10": {"hex": "2009", "steps": 1}, "3/8": "2109", "1ID": "1434", "6/11": "J6"}
    pos = situation(leningrad, "german-movement", units, map=None, turn=11)
    assert {u for u, entry in pos.document()["units"].items() if entry.get("withdrawn")} == {"8/10", "3/8"}
    assert pos.document()["units"]["8/10"]["steps"] == 1  # its loss still counts
    assert leningrad.position(pos.document()).document() == pos.document()
    stays = situation(leningrad, "german-movement", units, map=None, turn=22)
    assert stays.why_not("move 6/11 J5") is None  # a German in the city keeps the 41st Corps
    leaves = situation(leningrad, "german-movement", {"6/11": "1434", "1ID": "1435"}, map=None, turn=22)
    assert refused(leaves, "move 6/11 1433") == "16.14"
    moved = {"6/11": "1434", "1ID": {"hex": "1435", "moved": True}}
    assert situation(leningrad, "german-movement", moved, map=None, turn=22).why_not("move 6/11 1433") is None


@pytest.mark.case("assault-stalingrad", "19.72")
def test_a_document_at_the_beginning_of_soviet_movement_draws_from_the_cup(stalingrad):
    units = {name: {"cup": True} for name in ("13Gds", "24RD", "95RD", "49RD", "64RD", "84RD")}
    pos = situation(stalingrad, "soviet-movement", {**units, "112RD": "1413"}, map=None, turn=2)
    assert pos.to_move == "chance"
    assert len(pos.chance.outcomes) == 6
    drawn = situation(stalingrad, "soviet-movement", {**units, "112RD": "1413"}, map=None, turn=2, dice=list(units)[:5])
    assert drawn.to_move == "soviet"
    assert stalingrad.position(drawn.document()).document() == drawn.document()
    assert [u for u, entry in drawn.document()["units"].items() if entry.get("cup")] == ["84RD"]


@pytest.mark.case("assault-leningrad", "10.22", "10.24", "10.26", "10.27", "10.51", "11.33")
@pytest.mark.case("assault-stalingrad", "10.22", "10.24", "10.26", "10.27", "10.51", "11.33")
def test_who_takes_penalties_and_why_a_retreat_is_barred_is_said(game):
    units = {
        "a": german("0505", "8-A 4-B"), "h": german("0505", "0-C", type="hq", corps="9"), "f": german("0504"),
        "b": soviet("0605", "8-A 4-B"),
    }  # fmt: skip
    pos = after_roll(
        situation(game, "german-combat", units).play("attack a 0605"),
        lambda p: getattr(p.pending, "due", 0) == getattr(p.pending, "then", 0) == 1,
    )
    assert pos.to_move == "german"
    for order, case in (
        ("lose b", "10.26"), ("retreat b 0706", "10.26"), ("lose h", "11.33"), ("retreat h 0404", "11.33"),
        ("lose a+h", "10.211"), ("retreat a+h 0404", "10.27"), ("attack f 0605", "10.22"), ("target 0605", "10.22"),
        ("advance a 0605", "10.51"),
    ):  # fmt: skip
        assert refused(pos, order) == case, order
    for hex_, why in (
        ("0605", "the enemy is there"), ("0506", "enemy zone of control"), ("0504", "no room"), ("0303", "not next to"),
    ):  # fmt: skip
        assert refused(pos, f"retreat a {hex_}") == "10.27"
        assert why in pos.why_not(f"retreat a {hex_}").message
    defending = pos.play("lose a")
    assert refused(defending, "lose a") == "10.24"
    advancing = defending.play("retreat b 0706")
    assert refused(advancing, "attack f 0706") == "10.51"
    assert refused(advancing, "advance b 0605") == "10.54"


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"x": {**german("0505"), "combat": 4, "class": "A"}}, "units.x"),
        ({"10RD": {"withdrawn": True}}, "units.10RD.withdrawn"),
        ({"support": ["0101"]}, "support[0]"),
    ],
)
def test_documents_that_say_two_things_or_nothing_are_refused(leningrad, change, path):
    units = {"x": german("0505"), "y": soviet("0506")}
    more = {key: change.pop(key) for key in list(change) if key == "support"}
    with pytest.raises(ladoga.BadDocument) as caught:
        situation(leningrad, "german-combat", units | change, **more)
    assert caught.value.path == path


@pytest.mark.case("assault-leningrad", "6.32", "6.33")
def test_a_march_that_ends_at_the_neva_is_refused_for_the_river(leningrad):
    german_march = situation(leningrad, "german-movement", {"1ID": "0515"}, map=None, turn=10)
    assert refused(german_march, "move 1ID 0413") == "6.32"
    assert refused(german_march, "move 1ID 0101") == "6.13"
    soviet_march = situation(leningrad, "soviet-movement", {"11MD": "0511"}, map=None, turn=10)
    assert refused(soviet_march, "move 11MD 0413") == "6.33"
    assert refused(soviet_march, "move 11MD 0101") == "6.13"


@pytest.mark.case("assault-stalingrad", "19.31")
def test_the_volga_outside_the_city_is_not_crossed_from_anywhere(stalingrad):
    pos = situation(stalingrad, "soviet-movement", {"13Gds": "1306", "24RD": "1105"}, map=None)
    assert refused(pos, "move 13Gds 1304") == "19.31"
    assert "begin the phase beside it" in pos.why_not("move 13Gds 1304").message
    assert refused(pos, "move 24RD 1103") == "19.31"
    assert "begin the phase" not in pos.why_not("move 24RD 1103").message


@pytest.mark.case("assault-leningrad", "8.32", "8.34", "8.36")
@pytest.mark.case("assault-stalingrad", "8.32", "8.34", "8.36")
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


@pytest.mark.case("assault-leningrad", "8.22", "8.46", "14.2")
@pytest.mark.case("assault-stalingrad", "8.22", "8.46")
def test_interior_hexes_of_a_blank_map_are_those_of_the_inset(game):
    city = {"blank": [8, 6], "places": {number: ["interior"] for number in ("0303", "0304")}}
    units = {"x": german("0302"), "p": german("0203", type="panzer", movement=8), "y": soviet("0606", "1-C")}
    pos = situation(game, "german-movement", units, map=city)
    assert (pos.reach("x")["0303"].cost, pos.reach("p")["0303"].cost) == (2, 3)
    worker = soviet("0303", "1-C", type="worker", movement=4)
    pos = situation(game, "soviet-movement", {"w": worker, "r": soviet("0403"), "g": german("0606")}, map=city)
    assert pos.reach("r")["0303"].cost == 1
    assert set(pos.reach("w")) == {"0304"}
    defended = situation(game, "german-combat", {"x": german("0302"), "y": soviet("0303")}, map=city)
    assert defended.explain("attack x 0303").defence[0][0] == 12


def test_a_fringe_joins_the_inset_to_a_hex_that_is_there(game):
    word = next(word for word in game.map.places if word.startswith("fringe-"))
    for board in ({"blank": [8, 6]}, {}):
        with pytest.raises(ladoga.BadDocument) as caught:
            situation(game, "german-movement", {}, map={**board, "places": {"0202": [word]}})
        assert caught.value.path == "map.places.0202"


@pytest.mark.case("assault-leningrad", "10.15", "12.53")
def test_a_document_in_the_middle_of_a_fight_knows_that_its_hex_is_attacked(leningrad):
    fight = {"for": "fight", "side": "soviet", "hexes": ["0521"], "attackers": ["1ID"], "defenders": ["4V"], "due": 1}
    units = {"1ID": "0522", "58ID": "0621", "4V": "0521", "10RD": "0721"}
    pos = situation(leningrad, "german-combat", units, map=None, pending=fight, support=["0521"])
    gone = pos.play("lose 4V").play("end")
    assert leningrad.position(gone.document()).document() == gone.document()
    assert gone.document()["fought"] == ["0521"]


@pytest.mark.case("assault-leningrad", "10.21", "12.23")
@pytest.mark.case("assault-stalingrad", "10.21")
def test_events_are_told_in_the_right_number(game):
    units = {"x": german("0505"), "v": german("0506"), "y": soviet("0605"), "z": soviet("0909")}
    pos = situation(game, "german-combat", units)
    assert happened(pos.play("attack x 0605")).startswith("x attacks 0605")
    assert happened(pos.play("attack x+v 0605")).startswith("x, v attack 0605")
    if game.id == "assault-leningrad":
        waiting = situation(game, "soviet-air-bombardment", units)
        told = [happened(waiting.play(f"die {n}")).partition("\n")[0] for n in range(1, 7)]
        assert told[0] == "No air unit is available"
        assert "One air unit is available" in told
        assert told[5] == "2 air units are available"


@pytest.mark.case("assault-stalingrad", "19.72")
def test_the_entry_area_of_a_draw_is_named(stalingrad):
    pos = situation(stalingrad, "soviet-movement", {"13Gds": {"cup": True}, "112RD": "1413"}, map=None, turn=2)
    assert happened(pos.play("draw 13Gds")) == "13Gds is drawn for entry area N"
    late = situation(stalingrad, "soviet-movement", {"13Gds": {"cup": True}, "112RD": "1413"}, map=None, turn=9)
    assert refused(late, "enter 13Gds 0104") == "19.72"


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


@pytest.mark.case("assault-leningrad", "8.32", "8.21")
@pytest.mark.case("assault-stalingrad", "8.32", "8.21")
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


def test_nobody_advances_who_is_not_on_the_map(game):
    gone = german("0504")
    del gone["hex"]
    units = {"a": german("0505"), "b": {**gone, "eliminated": True}}
    offer = {"for": "advance", "side": "german", "hexes": ["0606"], "units": ["a", "b"]}
    with pytest.raises(ladoga.BadDocument, match=r"^pending\.units\[1\]: b is not on the map$"):
        situation(game, "german-combat", units, pending=offer)
