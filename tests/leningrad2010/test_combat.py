"""Chapter 8: attacks, odds, shifts and results."""

from __future__ import annotations

import pytest

from .field import (
    GAME,
    column,
    field,
    german,
    net,
    orders,
    panzer,
    play,
    refused,
    shifts,
    soviet,
    steps,
    tank,
    where,
)  # fmt: skip

AROUND = ("0504", "0604", "0605", "0506", "0405", "0404")
"""The six hexes next to 0505."""


def fight(units, phase="german-combat", **more):
    return field(phase, units, **more)


def odds(attack: int, defence: int, **more):
    """A German of some strength in 0504 against a Soviet in 0505."""
    return fight({"x1": german("0504", attack), "e1": soviet("0505", 4, defence)}, **more)


def rolled(position, order: str, face: int):
    return position.play(order).play(f"die {face}")


# Who may attack whom --------------------------------------------------------------------------------


@pytest.mark.case("leningrad-2010", "8.0")
def test_attacks_are_voluntary():
    assert "end" in odds(6, 4, turn=2).legal
    soviets = fight({"x1": soviet("0504"), "e1": german("0505")}, "soviet-combat", turn=2)
    assert "end" in soviets.legal


@pytest.mark.case("leningrad-2010", "8.1")
def test_attackers_stand_in_the_zone_of_the_attacked():
    position = fight({"x1": german("0503"), "x2": german("0504"), "e1": soviet("0505")})
    assert refused(position, "attack x1 0505") == "8.1"
    assert refused(position, "attack x1+x2 0505") == "8.1"
    assert refused(position, "attack x2 0605") == "8.0", "nobody is there"


@pytest.mark.case("leningrad-2010", "8.1")
def test_no_unit_attacks_twice_and_none_is_attacked_twice():
    units = {"x1": german("0504", 4), "x2": german("0604", 4), "e1": soviet("0505"), "e2": soviet("0603")}
    position = rolled(fight(units), "attack x1 0505", 2)
    assert position.fight.result == ("-", "1")
    position = position.play("lose x1")
    assert refused(position, "attack x1 0603") == "8.1"
    assert refused(position, "attack x2 0505") == "8.1"
    assert "attack x2 0603" in position.legal


@pytest.mark.case("leningrad-2010", "8.1")
def test_all_adjacent_units_may_join():
    units = {f"x{n}": german(at) for n, at in enumerate(AROUND)} | {"e1": soviet("0505")}
    position = fight(units)
    assert position.explain("attack " + "+".join(f"x{n}" for n in range(6)) + " 0505").attack == ((36, 1),)
    split = fight({"x1": german("0504"), "x2": german("0504"), "e1": soviet("0505"), "e2": soviet("0604")})
    assert "attack x1 0505" in split.legal
    assert "attack x2 0604" in split.legal, "units of one hex may go different ways"


@pytest.mark.case("leningrad-2010", "8.2")
def test_units_of_a_hex_defend_together():
    position = fight({"x1": german("0504", 12), "e1": soviet("0505"), "e2": soviet("0505", 1, 2)})
    assert position.explain("attack x1 0505").defence == ((6, 1),)


@pytest.mark.case("leningrad-2010", "8.2")
def test_units_that_retreated_in_are_bystanders():
    units = {"x1": german("0504", 16), "e1": soviet("0505"), "e2": tank("0505", displaced=True)}
    position = fight(units, hungry="e2")
    explained = position.explain("attack x1 0505")
    assert explained.defence == ((4, 1),)
    assert explained.net == 0, "their armor and their hunger count as little as their strength"
    hit = rolled(position, "attack x1 0505", 4)
    assert hit.fight.result == ("1", "-")
    assert where(hit, "e2") == "eliminated"
    missed = rolled(fight(units | {"x1": german("0504", 4)}), "attack x1 0505", 2)
    assert missed.fight.result == ("-", "1")
    assert where(missed, "e2") == "0505"
    only = fight({"x1": german("0504", 16), "e2": tank("0505", displaced=True)})
    assert refused(only, "attack x1 0505") == "8.1", "a unit is attacked once a phase"


@pytest.mark.case("leningrad-2010", "8.21")
def test_one_attack_on_several_hexes():
    units = {"x1": german("0504", 16), "x2": german("0604"), "e1": soviet("0505"), "e2": soviet("0404")}
    position = fight(units)
    assert position.explain("attack x1 0505-0404").defence == ((8, 1),)
    assert refused(position, "attack x1+x2 0505-0404") == "8.21", "x2 is not next to 0404"
    assert refused(position, "attack x2 0505-0404") == "8.21"
    composed = play(position, "target 0505", "target 0404")
    assert orders(composed, "add") == {"add x1"}
    assert refused(composed, "add x2") == "8.21"
    assert refused(composed, "target 0505") == "8.21"


@pytest.mark.case("leningrad-2010", "8.22")
def test_strength_is_never_split():
    position = play(odds(12, 4), "target 0505", "add x1")
    assert refused(position, "add x1") == "8.1"
    assert position.explain("commit").attack == ((12, 1),)


@pytest.mark.case("leningrad-2010", "8.3")
def test_ratio_then_shifts_then_die_and_the_result_at_once():
    position = odds(24, 5)
    explained = position.explain("attack x1 0505")
    assert explained.initial == (("4-1", 1),)
    units = {"x1": german("0504", 24), "e1": soviet("0505"), "x2": german("0704"), "e2": soviet("0705")}
    position = fight(units).play("attack x1 0505")
    assert position.to_move == "chance"
    position = position.play("die 2")
    assert position.fight.result == ("1", "-")
    assert refused(position, "attack x2 0705") == "8.3", "first the losses"
    position = position.play("retreat e1 0506")
    assert refused(position, "attack x2 0705") == "8.3", "then the advance"
    assert "attack x2 0705" in position.play("end").legal


@pytest.mark.case("leningrad-2010", "8.31", "12.1")
def test_attackers_are_named_before_strengths_are_known():
    position = fight({"i1": "0504", "i2": "0604", "x1": german("0505")}, "soviet-combat", air_used=1)
    assert refused(play(position, "target 0505"), "commit") == "8.31"
    position = play(position, "target 0505", "add i1", "commit")
    assert position.to_move == "chance"
    assert refused(position, "add i2") == "12.1", "no change once they are revealed"
    assert refused(position, "end") == "12.1"


@pytest.mark.case("leningrad-2010", "8.31")
def test_attacks_come_in_any_order():
    units = {"x1": german("0504"), "e1": soviet("0505"), "x2": german("0704"), "e2": soviet("0705")}
    assert {"target 0505", "target 0705"} <= orders(fight(units), "target")


@pytest.mark.case("leningrad-2010", "8.32")
@pytest.mark.parametrize(
    ("attack", "defence", "places", "final"),
    [(40, 2, ["city"], "10-1"), (20, 2, ["city"], "9-1"), (26, 2, ["city"], "10-1"), (2, 16, [], "1-4")],
)
def test_ratios_off_the_table(attack, defence, places, final):
    """13-1 less one is 12-1, resolved on 10-1: the initial ratio is not cut before it is shifted."""
    assert column(odds(attack, defence, places={"0505": places}), "attack x1 0505") == final


@pytest.mark.case("leningrad-2010", "8.32")
def test_a_hopeless_ratio_stays_hopeless_when_shifted_right():
    """1-8 and two columns right is 1-6, still 1-4 on the table."""
    assert column(odds(2, 16, hungry="e1"), "attack x1 0505") == "1-4"


@pytest.mark.case("leningrad-2010", "8.33")
@pytest.mark.parametrize(
    ("attack", "defence", "ratio"),
    [(11, 4, "2-1"), (17, 6, "2-1"), (6, 6, "1-1"), (5, 6, "1-2"), (3, 4, "1-2"), (4, 9, "1-3"), (2, 5, "1-3")],
)
def test_ratios_are_rounded_for_the_defender(attack, defence, ratio):
    assert odds(attack, defence).explain("attack x1 0505").initial == ((ratio, 1),)


# The shift table (2.6) --------------------------------------------------------------------------------


@pytest.mark.case("leningrad-2010", "2.6")
@pytest.mark.parametrize(("terrain", "shift"), [("clear", 0), ("forest", -1), ("swamp", -1), ("hill", -2)])
def test_terrain_of_the_defender(terrain, shift):
    assert net(odds(12, 4, hexes={"0505": terrain}), "attack x1 0505") == shift
    mirror = fight({"x1": soviet("0504"), "e1": german("0505")}, "soviet-combat", hexes={"0505": terrain})
    assert net(mirror, "attack x1 0505") == shift, "Germans profit from land as Soviets do"


@pytest.mark.case("leningrad-2010", "2.6", "10.3")
def test_cities_help_both_sides_soviet_cities_only_soviets():
    for place, german_shift in (("city", -1), ("soviet-city", 0)):
        assert net(odds(12, 4, places={"0505": [place]}), "attack x1 0505") == -1
        mirror = fight({"x1": soviet("0504"), "e1": german("0505")}, "soviet-combat", places={"0505": [place]})
        assert net(mirror, "attack x1 0505") == german_shift
    assert net(odds(12, 4, places={"0505": ["town"]}), "attack x1 0505") == 0


@pytest.mark.case("leningrad-2010", "2.6", "8.21")
@pytest.mark.parametrize(
    ("first", "second", "shift"),
    [("forest", "forest", -1), ("forest", "swamp", -1), ("hill", "forest", -2), ("hill", "clear", -2)],
)
def test_terrain_counts_once_in_an_attack_on_two_hexes(first, second, shift):
    units = {"x1": german("0504", 16), "e1": soviet("0505"), "e2": soviet("0404")}
    assert net(fight(units, hexes={"0505": first, "0404": second}), "attack x1 0505-0404") == shift


@pytest.mark.case("leningrad-2010", "2.6", "13.1")
def test_forts_count_once_and_beside_terrain():
    assert shifts(odds(12, 4, forts=["0505"]), "attack x1 0505") == {"13.1": -1}
    units = {"x1": german("0504", 16), "e1": soviet("0505"), "e2": soviet("0404")}
    assert net(fight(units, forts=["0505", "0404"]), "attack x1 0505-0404") == -1
    assert net(odds(12, 4, forts=["0505"], places={"0505": ["soviet-city"]}), "attack x1 0505") == -2


@pytest.mark.case("leningrad-2010", "2.6")
def test_a_river_counts_if_all_attack_across_it():
    units = {"x1": german("0504"), "x2": german("0604"), "e1": soviet("0505")}
    one = {"0504/0505": ["river"]}
    assert net(fight(units, sides=one), "attack x1 0505") == -1
    assert net(fight(units, sides=one), "attack x1+x2 0505") == 0
    both = one | {"0604/0505": ["river"]}
    assert net(fight(units, sides=both), "attack x1+x2 0505") == -1
    bridge = {"0504/0505": ["river", "road"]}
    assert net(fight(units, sides=bridge), "attack x1 0505") == -1, "a road does not bridge it for combat"


@pytest.mark.case("leningrad-2010", "2.6")
def test_shifts_add_up():
    """Hill and river three left, the unsupplied defender two right: one left; armor has no say on a hill."""
    units = {"x1": panzer("0504", 12), "e1": soviet("0505")}
    position = fight(units, hexes={"0505": "hill"}, sides={"0504/0505": ["river"]}, hungry="e1")
    assert net(position, "attack x1 0505") == -2 - 1 + 2
    assert column(position, "attack x1 0505") == "2-1"


# Results --------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-2010", "8.4")
def test_every_result_code_of_the_table():
    codes = {code for row in GAME.tables.results.rows for cell in row for code in cell.split("/")}
    assert codes == {"-", "E", "1", "2"}


@pytest.mark.case("leningrad-2010", "8.41")
def test_result_1():
    units = {"x1": german("0504", 50), "e1": soviet("0505"), "e2": soviet("0505"), "e3": soviet("0505")}
    position = rolled(fight(units), "attack x1 0505", 4)
    assert position.fight.result == ("1", "-")
    assert orders(position, "lose") == {"lose e1", "lose e2", "lose e3"}
    lost = position.play("lose e1")
    assert [where(lost, f"e{n}") for n in (1, 2, 3)] == ["eliminated", "0505", "0505"]
    fled = position.play("retreat e1 0506")
    assert refused(fled, "lose e2") == "8.41", "all of them retreat"
    assert refused(fled, "end") == "8.41", "the result comes first"
    assert {o.split()[1] for o in orders(fled, "retreat")} == {"e2", "e3"}


@pytest.mark.case("leningrad-2010", "8.42")
def test_result_2_for_germans():
    """A Soviet 16 against 4 + 4, 2-1 with air against it: 1-1, die 4 is 2/2."""
    units = {"x1": soviet("0504", 16), "e1": german("0505", 4), "e2": german("0505", 4)}
    position = play(fight(units, "soviet-combat"), "attack x1 0505", "air 1", "die 4")
    assert position.fight.result == ("2", "2")
    flipped = play(position, "lose e1", "lose e2")
    assert (steps(flipped, "e1"), steps(flipped, "e2")) == (1, 1)
    removed = play(position, "lose e1", "lose e1")
    assert (where(removed, "e1"), steps(removed, "e2")) == ("eliminated", 2)
    mixed = position.play("lose e1").play("retreat e1 0506")
    assert steps(mixed, "e1") == 1
    assert {len(o.split("-")) for o in orders(mixed, "retreat")} == {1}, "one step and then one hex"
    far = position.play("retreat e1 0506-0507")
    assert refused(far, "lose e2") == "8.42"
    assert refused(position, "end") == "8.42"
    assert refused(position, "retreat e1 0506") == "8.42", "two hexes, or a step first"


@pytest.mark.case("leningrad-2010", "8.42")
def test_result_2_with_one_step_left_takes_what_there_is():
    position = rolled(odds(12, 4), "attack x1 0505", 4)
    assert position.fight.result == ("2", "1")
    position = position.play("lose e1")
    assert where(position, "e1") == "eliminated"
    assert position.agenda[0].at == "attack"


@pytest.mark.case("leningrad-2010", "8.43")
def test_split_results_defender_first_and_no_advance_for_him():
    position = rolled(odds(12, 4), "attack x1 0505", 1)
    assert position.fight.result == ("1", "1")
    assert position.to_move == "soviet"
    held = position.play("retreat e1 0506")
    assert held.to_move == "german"
    stayed = held.play("lose x1")
    assert orders(stayed, "advance") == {"advance x1 0505"}, "attackers still in place may advance"
    gone = rolled(odds(12, 4), "attack x1 0505", 1).play("lose e1").play("retreat x1 0503")
    assert gone.fight is None, "an attacker that retreated does not"
    both = {"x1": german("0504", 24), "e1": soviet("0505"), "e2": soviet("0505")}
    both = rolled(fight(both), "attack x1 0505", 1).play("lose e1").play("retreat x1 0503")
    assert both.fight is None, "the defender left in place may not either"


@pytest.mark.case("leningrad-2010", "8.44")
def test_elimination_takes_all_units_of_all_hexes():
    units = {"x1": german("0504", 1), "x2": german("0604", 1), "x3": german("0405", 1), "e1": soviet("0505", 4, 12)}
    position = rolled(fight(units), "attack x1+x2 0505", 1)
    assert position.fight.result == ("-", "E")
    assert [where(position, u) for u in ("x1", "x2", "x3")] == ["eliminated", "eliminated", "0405"]
    units = {"x1": german("0504", 99), "e1": soviet("0505"), "e2": soviet("0505"), "e3": soviet("0404", 1, 1)}
    position = rolled(fight(units), "attack x1 0505-0404", 6)
    assert [where(position, f"e{n}") for n in (1, 2, 3)] == ["eliminated"] * 3


@pytest.mark.case("leningrad-2010", "8.45")
def test_germans_have_two_steps_soviets_one():
    position = play(rolled(odds(12, 4), "attack x1 0505", 4), "lose e1", "lose x1")
    assert steps(position, "x1") == 1
    again = fight({"x1": german("0504", 12, steps=1), "e1": soviet("0505")})
    assert again.explain("attack x1 0505").attack == ((6, 1),)
    again = rolled(again, "attack x1 0505", 1)
    assert again.fight.result == ("-", "2")
    assert where(again.play("lose x1"), "x1") == "eliminated"


@pytest.mark.case("leningrad-2010", "8.46")
def test_units_retreat_one_by_one_as_their_owner_likes():
    units = {"x1": german("0504", 50), "e1": soviet("0505"), "e2": soviet("0505")}
    position = rolled(fight(units), "attack x1 0505", 2)
    assert position.fight.result == ("1", "-")
    assert refused(position, "retreat e1+e2 0506") == "8.46"
    one = play(position, "retreat e2 0506", "retreat e1 0405")
    assert (where(one, "e1"), where(one, "e2")) == ("0405", "0506")


@pytest.mark.case("leningrad-2010", "8.47")
def test_a_retreat_leads_away_from_those_that_caused_it():
    position = rolled(odds(16, 4), "attack x1 0505", 4)
    assert position.fight.result == ("1", "-")
    assert orders(position, "retreat") == {"retreat e1 0405", "retreat e1 0506", "retreat e1 0605"}
    assert refused(position, "retreat e1 0404") == "8.47", "no further from 0504"
    assert refused(position, "retreat e1 0507") == "8.47"
    assert refused(position, "retreat e1") == "8.47", "there is a way"


@pytest.mark.case("leningrad-2010", "8.47")
def test_distance_is_measured_from_where_the_enemy_stood():
    """2/2 at 1-1: the defender goes back two hexes, the attacker still flees from the hex he attacked."""
    position = rolled(odds(4, 4), "attack x1 0505", 4).play("retreat e1 0506-0507")
    assert refused(position, "retreat x1 0604-0705") == "8.47"
    assert "retreat x1 0503-0502" in position.legal


@pytest.mark.case("leningrad-2010", "8.47")
def test_no_retreat_into_enemy_zones_unless_a_friend_is_there():
    units = {"x1": german("0504", 16), "x2": german("0607"), "e1": soviet("0505")}
    position = rolled(fight(units), "attack x1 0505", 4)
    assert "0506" not in position.zoc("german")
    units["x2"] = german("0606")
    position = rolled(fight(units), "attack x1 0505", 4)
    assert orders(position, "retreat") == {"retreat e1 0405"}
    assert refused(position, "retreat e1 0506") == "8.47"
    units["x3"] = german("0306")
    friend = rolled(fight(units | {"e2": soviet("0405", 1, 1)}), "attack x1 0505", 4)
    assert orders(friend, "retreat") == {"retreat e1 0405"}, "the friend lifts the zone"


@pytest.mark.case("leningrad-2010", "8.47")
def test_vacant_hexes_come_first():
    units = {"x1": german("0504", 16), "e1": soviet("0505"), "e2": soviet("0506")}
    position = rolled(fight(units), "attack x1 0505", 4)
    assert orders(position, "retreat") == {"retreat e1 0405", "retreat e1 0605"}
    assert refused(position, "retreat e1 0506") == "8.47"


@pytest.mark.case("leningrad-2010", "8.47")
def test_a_unit_without_a_safe_hex_is_eliminated():
    units = {"x1": german("0504", 16), "x2": german("0507"), "x3": german("0306"), "x4": german("0706"),
             "e1": soviet("0505")}  # fmt: skip
    position = rolled(fight(units), "attack x1 0505", 4)
    assert orders(position, "retreat") == {"retreat e1"}
    assert where(position.play("retreat e1"), "e1") == "eliminated"


@pytest.mark.case("leningrad-2010", "8.48")
def test_victors_may_advance_into_the_vacated_hex():
    units = {f"x{n}": german("0504", 12) for n in (1, 2, 3)} | {"x4": german("0604", 12), "e1": soviet("0505", 4, 3)}
    position = rolled(fight(units), "attack x1+x2+x3+x4 0505", 6)
    assert position.fight.result == ("E", "-")
    assert "end" in position.legal, "nobody has to"
    position = play(position, "advance x1 0505", "advance x2 0505")
    assert refused(position, "advance x1 0505") == "8.48"
    position = position.play("advance x3 0505")
    assert position.fight is None, "a fourth finds no room"
    assert refused(position, "advance x4 0505") == "8.48"


@pytest.mark.case("leningrad-2010", "8.48")
def test_both_hexes_of_a_two_hex_retreat_but_not_beyond_an_elimination():
    position = rolled(odds(28, 4), "attack x1 0505", 4).play("retreat e1 0506-0507")
    assert orders(position, "advance") == {"advance x1 0505", "advance x1 0505-0506"}
    assert where(position.play("advance x1 0505-0506"), "x1") == "0506"
    position = rolled(odds(28, 4), "attack x1 0505", 5)
    assert position.fight.result == ("E", "-")
    assert orders(position, "advance") == {"advance x1 0505"}


@pytest.mark.case("leningrad-2010", "8.48")
def test_advance_ignores_zones():
    units = {"x1": german("0504", 28), "e1": soviet("0505"), "e2": soviet("0506", 1, 1), "e3": soviet("0403")}
    position = rolled(fight(units), "attack x1 0505", 6).play("advance x1 0505")
    assert where(position, "x1") == "0505"


@pytest.mark.case("leningrad-2010", "8.48")
def test_unhurt_defenders_advance_into_what_the_attacker_gave_up():
    position = rolled(odds(4, 4), "attack x1 0505", 2)
    assert position.fight.result == ("-", "1")
    position = position.play("retreat x1 0503")
    assert position.to_move == "soviet"
    assert orders(position, "advance") == {"advance e1 0504"}
    stayed = rolled(odds(4, 4), "attack x1 0505", 2).play("lose x1")
    assert stayed.fight is None, "a step was lost, the hex is held"
