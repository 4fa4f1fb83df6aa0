"""Airpower (12.0; 19.1, 19.42) and the naval unit (13.0)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from .conftest import german, happened, refused, situation, soviet, texts


def bombed(game, units, target: str, roll: int, air: int = 1, **more):
    pos = situation(game, "german-air-bombardment", units, air=air, **more)
    return pos.play(f"bomb {target}").play("end").play(f"die {roll}")


def disrupted(pos) -> set[str]:
    return {unit for unit, entry in pos.document()["units"].items() if entry.get("disrupted")}


@pytest.mark.case("assault-leningrad", "12.33")
def test_a_hit_tells_its_roll_as_a_miss_does(leningrad):
    units = {"90RD": "0505", "1ID": "0909"}
    for roll, words in ((1, "Bombs on 0505: a hit (roll 1)"), (6, "Bombs on 0505: no effect (roll 6)")):
        assert words in [event.text for event in bombed(leningrad, units, "0505", roll).events]


# Availability -------------------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "12.0", "12.2", "12.21", "12.22", "12.23", "5.2", "2.0")
def test_leningrad_availability(leningrad):
    for turn, air in ((1, 3), (2, 4), (3, 5), (4, 5), (5, 5)):
        units = {"90RD": "0505", "1ID": "0909"}
        pos = situation(leningrad, "soviet-naval-cover", units, turn=max(turn - 1, 1))
        pos.turn = turn - 1
        pos = pos.play("end")
        assert (pos.turn, pos.phase.id, pos.air, pos.pending) == (turn, "german-air-bombardment", air, None)
    pos = situation(leningrad, "soviet-naval-cover", {"90RD": "0505", "1ID": "0909"}, turn=5).play("end")
    assert pos.to_move == "chance"
    assert [pos.play(f"die {n}").air for n in range(1, 7)] == [3, 4, 4, 4, 5, 5]
    pos = situation(leningrad, "german-mechanized-movement", {"90RD": "0505", "1ID": "0909"}, turn=1).play("end")
    assert (pos.to_move, pos.phase.id) == ("chance", "soviet-air-bombardment")
    assert pos.play("die 6").air == 2
    assert pos.play("die 1").phase.id == "soviet-movement"


@pytest.mark.case("assault-stalingrad", "12.0", "12.2", "19.1", "19.11", "19.12", "19.13")
def test_stalingrad_availability(stalingrad):
    units = {"s": soviet("0505"), "g": german("0909")}
    pos = situation(stalingrad, "german-mechanized-movement", units).play("end")
    assert pos.phase.id == "soviet-movement"
    expected = {2: [1, 1, 1, 2, 2, 2], 10: [1, 1, 1, 2, 2, 2], 11: [1, 1, 2, 2, 3, 3], 19: [1, 1, 2, 2, 3, 3]}
    for turn, air in expected.items():
        pos = situation(stalingrad, "soviet-combat", units, turn=turn - 1).play("end")
        while pos.phase.id != "german-air-bombardment":
            pos = pos.play(next(iter(pos.legal)))
        assert [pos.play(f"die {n}").air for n in range(1, 7)] == air
    start = stalingrad.start()
    while start.phase.id == "soviet-set-up":
        start = start.play(next(iter(start.legal)))
    assert (start.phase.id, start.air) == ("german-air-bombardment", 2)


# Bombardment --------------------------------------------------------------------------------------


@pytest.mark.case("assault-*", "12.1", "12.11", "12.12", "12.3", "12.31", "12.32", "12.33", "12.36")
def test_air_units_bombard_enemy_hexes(game):
    units = {"s": soviet("0505"), "t": soviet("0909"), "g": german("0303")}
    pos = situation(game, "german-air-bombardment", units, air=3)
    assert texts(pos) == {"bomb 0505", "bomb 0909", "end"}
    assert refused(pos, "bomb 0303") == "12.32"
    assert refused(pos, "bomb 0707") == "12.32"
    pos = pos.play("bomb 0505").play("bomb 0505")
    assert pos.to_move == "german"
    rolling = pos.play("end")
    assert rolling.to_move == "chance"
    hit = rolling.play("die 1")
    assert hit.to_move == "chance"
    after = hit.play("die 6")
    assert disrupted(after) == {"s"}
    assert after.support_left == 1


@pytest.mark.case("assault-*", "12.34", "12.35", "12.43")
def test_terrain_alone_decides(game):
    units = {"s": soviet("0505", "5-A"), "g": german("0303")}
    limit = game.tables.bombardment["clear"].disrupts
    assert disrupted(bombed(game, units, "0505", limit)) == {"s"}
    assert disrupted(bombed(game, units, "0505", limit + 1)) == set()
    twice = situation(game, "german-air-bombardment", units, air=2)
    twice = twice.play("bomb 0505").play("bomb 0505").play("end").play("die 1").play("die 1")
    assert disrupted(twice) == {"s"}


@pytest.mark.case("assault-leningrad", "12.34", "12.37")
def test_cover(leningrad):
    board = {
        "blank": [9, 9], "hexes": {"0505": "woods", "0506": "marsh", "0507": "woods"},
        "places": {"0507": ["fortification"], "0508": ["city"]},
    }  # fmt: skip
    units = {"90RD": "0505", "111RD": "0506", "237RD": "0507", "235RD": "0508", "1ID": "0202"}
    for target, unit, limit in (("0505", "90RD", 2), ("0506", "111RD", 2), ("0507", "237RD", 1), ("0508", "235RD", 1)):
        assert disrupted(bombed(leningrad, units, target, limit, map=board)) == {unit}
        assert disrupted(bombed(leningrad, units, target, limit + 1, map=board)) == set()


@pytest.mark.case("assault-*", "12.38", "12.13", "12.51")
def test_bombers_are_gone_and_the_rest_supports(game):
    units = {"s": soviet("0505"), "g": german("0504")}
    pos = situation(game, "german-air-bombardment", units, air=2).play("bomb 0505").play("end").play("die 6")
    assert pos.bombs == ()
    while pos.phase.id != "german-combat":
        pos = pos.play("end")
    assert pos.support_left == 1
    pos = pos.play("support 0505").play("end")
    assert (pos.support, pos.support_left) == (0, 0)


@pytest.mark.case("assault-*", "12.4", "12.41", "12.42", "4.0")
def test_disruption_lasts_through_the_victims_own_turn(game):
    units = {"s": soviet("0505"), "g": german("0909"), "t": soviet("1111")}
    pos = bombed(game, units, "0505", 1)
    assert disrupted(pos) == {"s"}
    while pos.phase.id != "soviet-movement":
        pos = pos.play("end") if pos.to_move != "chance" else pos.play("die 1")
    assert refused(pos, "move s 0506") == "12.42"
    pos = pos.play("end")
    while pos.turn == 4 and pos.phase.side == "soviet":
        pos = pos.play("end")
    assert disrupted(pos) == set()


@pytest.mark.case("assault-leningrad", "12.44")
def test_the_city_loses_one_unit_a_hit(leningrad):
    units = {"90RD": "0320", "111RD": "0320", "235RD": "0320", "1ID": "0909"}
    pos = situation(leningrad, "german-air-bombardment", units, air=2, map=None)
    pos = pos.play("bomb 0320").play("bomb 0320").play("end").play("die 1")
    assert pos.to_move == "german"
    assert refused(pos, "disrupt 1ID") == "12.44"
    pos = pos.play("disrupt 111RD").play("die 1").play("disrupt 90RD")
    assert disrupted(pos) == {"90RD", "111RD"}
    miss = (
        situation(leningrad, "german-air-bombardment", units, air=1, map=None)
        .play("bomb 0320")
        .play("end")
        .play("die 2")
    )
    assert disrupted(miss) == set()
    inset = {"90RD": "J5", "Gue1": "J5", "1ID": "0909"}
    hit = (
        situation(leningrad, "german-air-bombardment", inset, air=1, map=None).play("bomb J5").play("end").play("die 1")
    )
    assert disrupted(hit) == {"90RD", "Gue1"}


@pytest.mark.case("assault-stalingrad", "12.44")
def test_stalingrad_loses_one_unit_a_hit(stalingrad):
    units = {"a": soviet("1305"), "b": soviet("1305"), "g": german("0909")}
    pos = (
        situation(stalingrad, "german-air-bombardment", units, air=1, map=None)
        .play("bomb 1305")
        .play("end")
        .play("die 1")
    )
    assert texts(pos) == {"disrupt a", "disrupt b"}
    assert disrupted(pos.play("disrupt b")) == {"b"}


@pytest.mark.case("assault-leningrad", "18.1", "18.11", "18.0")
def test_option_headquarters_and_guerrillas_are_immune(leningrad):
    units = {"Gue1": "0505", "90RD": "0505", "1ID": "0909"}
    options = {"hq-guerrilla-immune": True}
    assert disrupted(bombed(leningrad, units, "0505", 1)) == {"Gue1", "90RD"}
    assert disrupted(bombed(leningrad, units, "0505", 1, options=options)) == {"90RD"}
    german_stack = {"HQ41": "0505", "1ID": "0505", "90RD": "0909"}
    pos = situation(leningrad, "soviet-air-bombardment", german_stack, air=1, options=options)
    assert disrupted(pos.play("bomb 0505").play("end").play("die 1")) == {"1ID"}


@pytest.mark.case("assault-stalingrad", "19.4", "19.42")
def test_tank_corps_in_towns_are_brittle(stalingrad):
    board = {"blank": [9, 9], "places": {"0505": ["town"]}}
    units = {"22TC": "0505", "w": soviet("0505", "1-C", type="worker"), "g": german("0909")}
    assert disrupted(bombed(stalingrad, units, "0505", 1, map=board)) == {"22TC", "w"}
    assert disrupted(bombed(stalingrad, units, "0505", 2, map=board)) == {"22TC"}
    assert disrupted(bombed(stalingrad, units, "0505", 3, map=board)) == set()


# The fleet ----------------------------------------------------------------------------------------


FLEET = ["0124", "0125", "0220", "0221", "0222", "0223", "0224", "0225", "0321", "0322", "0323", "0324"]


@pytest.mark.case("assault-leningrad", "13.0", "13.1", "13.2", "9.8")
def test_where_the_fleet_sails(leningrad):
    pos = situation(leningrad, "soviet-movement", {"Nav": "0125"}, map=None)
    assert {order.split()[2] for order in texts(pos) if order.startswith("move Nav")} == set(FLEET) - {"0125"}
    assert refused(pos, "move Nav 0121") == "13.2"
    pos = pos.play("move Nav 0321")
    assert refused(pos, "move Nav 0322") == "6.19"
    assert sum(unit.is_naval for unit in leningrad.printed.values()) == 1
    assert leningrad.tables.fleet_strength == 5


@pytest.mark.case("assault-leningrad", "13.3", "13.4", "13.7", "13.8", "13.6")
def test_guns_laid_for_attack(leningrad):
    units = {"Nav": "0222", "90RD": "0425", "1ID": "0424", "11ID": "0622", "12ID": "0722"}
    pos = situation(leningrad, "soviet-naval-fire", units, map=None)
    assert texts(pos) == {"fire 0424", "fire 0622", "end"}
    assert refused(pos, "fire 0722") == "13.3"
    assert refused(pos, "fire 0425") == "13.4"
    assert refused(pos, "fire 0320") == "13.8"
    assert refused(pos, "fire 0424-0622") == "13.6"
    assert refused(situation(leningrad, "soviet-naval-fire", {**units, "Nav": "0125"}, map=None), "fire 0424") == "13.7"
    pos = pos.play("fire 0424")
    told = pos.explain("attack 90RD 0424")
    assert told.attack == ((Fraction(9), 1),)
    half = situation(
        leningrad, "soviet-combat", {**units, "90RD": {"hex": "0425", "supply": "out"}}, map=None, fire="0424"
    )
    assert half.explain("attack 90RD 0424").attack == ((Fraction(7), 1),)


@pytest.mark.case("assault-leningrad", "13.5", "13.6", "13.3")
def test_guns_laid_for_defence(leningrad):
    units = {"Nav": "0222", "90RD": {"hex": "0424", "steps": 1}, "1ID": "0425"}
    pos = situation(leningrad, "soviet-naval-cover", units, map=None)
    assert refused(pos, "fire 0425") == "13.5"
    pos = pos.play("fire 0424")
    while pos.phase.id != "german-combat":
        pos = pos.play("end")
    terrain = 1 if leningrad.map.terrain_of(leningrad.map.grid.hex("0424")) == "clear" else 2
    assert pos.explain("attack 1ID 0424").defence == ((Fraction(2 * terrain + 5), 1),)
    assert pos.explain("attack 1ID 0424").net == 2


@pytest.mark.case("assault-leningrad", "13.9", "13.10", "12.46")
def test_bombing_the_fleet(leningrad):
    units = {"Nav": "0222", "90RD": "0424", "1ID": "0425"}
    pos = situation(leningrad, "german-air-bombardment", units, air=1, map=None, fire="0424")
    hit = pos.play("bomb 0222 fleet").play("end").play("die 2")
    assert disrupted(hit) == {"Nav"}
    assert hit.fire_on < 0
    assert disrupted(pos.play("bomb 0222 fleet").play("end").play("die 3")) == set()
    harbour = situation(leningrad, "german-air-bombardment", {**units, "Nav": "0125"}, air=1, map=None)
    assert disrupted(harbour.play("bomb 0125 fleet").play("end").play("die 2")) == set()
    assert disrupted(harbour.play("bomb 0125 fleet").play("end").play("die 1")) == {"Nav"}
    assert disrupted(pos.play("bomb 0222").play("end").play("die 2")) == {"Nav"}
    assert refused(pos, "bomb 0223") == "12.32"


@pytest.mark.case("assault-leningrad", "13.11", "13.10")
def test_the_fleet_runs_for_the_harbour(leningrad):
    units = {"Nav": "0220", "90RD": "0220", "1ID": "0425"}
    pos = situation(leningrad, "german-air-bombardment", units, air=1, map=None)
    pos = pos.play("bomb 0220 fleet").play("end").play("die 1")
    assert (pos.to_move, texts(pos)) == ("soviet", {"shelter", "stay"})
    assert pos.play("stay").document()["units"]["Nav"]["hex"] == "0220"
    away = pos.play("shelter")
    assert away.document()["units"]["Nav"]["hex"] == "0125"
    assert disrupted(away) == {"Nav"}
    moving = situation(leningrad, "soviet-movement", {"Nav": {"hex": "0222", "disrupted": True}}, map=None)
    assert refused(moving, "move Nav 0223") == "13.11"


@pytest.mark.case("assault-leningrad", "13.10", "13.3")
def test_the_fleet_recovers_before_the_guns_are_laid_again(leningrad):
    units = {"Nav": {"hex": "0222", "disrupted": True}, "90RD": "0424", "1ID": "0425"}
    assert refused(situation(leningrad, "soviet-naval-fire", units, map=None), "fire 0425") == "13.10"
    pos = situation(leningrad, "soviet-combat", units, map=None).play("end")
    assert pos.phase.id == "soviet-naval-cover"
    assert "fire 0424" in texts(pos)


@pytest.mark.case("assault-leningrad", "13.12")
def test_the_fleet_is_safe(leningrad):
    pos = situation(leningrad, "german-supply", {"Nav": {"hex": "0222", "supply": "trace"}, "1ID": "0425"}, map=None)
    assert pos.supply("Nav")
    assert pos.supply("Nav").case == "13.12"
    assert "Nav" not in happened(pos.play("end"))


@pytest.mark.case("assault-leningrad", "12.22", "12.23")
def test_a_document_need_not_say_how_many_air_units_there_are(leningrad):
    units = {"90RD": "0505", "1ID": "0909"}
    assert situation(leningrad, "german-air-bombardment", units, turn=2).air == 4
    assert situation(leningrad, "german-air-bombardment", units, turn=7).to_move == "chance"
    assert situation(leningrad, "soviet-air-bombardment", units, turn=2, dice=[6]).air == 2
    assert situation(leningrad, "german-air-bombardment", units, turn=2, air=0).air == 0


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
