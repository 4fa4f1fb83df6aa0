"""Chapters 7 to 10 and 12 to 14: overruns, attacks, odds, results, armor, air, untried units."""

from fractions import Fraction

import pytest

from ladoga import Order
from leningrad1979.field import GAME, field, german, orders, refused, shifts, soviet, steps, where

COMBAT = "german-combat"
RED = "soviet-combat"
MOVE = "german-movement"

# Hexes used below: 0404 has the neighbours 0403, 0504, 0505, 0405, 0305, 0304.


# Chapter 7 -------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-1979", "7.0", "7.1", "7.3")
def test_an_overrun_costs_three_points_and_two_columns():
    pos = field(MOVE, {"x3": german("0404", 12), "x1": soviet("0405", defence=4)}, hexes={"0405": "swamp"},
                hexsides={"0404/0405": ["river"]})  # fmt: skip
    assert shifts(pos, "overrun x3 0405") == {"7.1": -2, "9.6": -2}
    after = pos.play("overrun x3 0405")
    assert after.active[after.slot("x3")] == 2 * 3, "three of six points, terrain or not"
    poor = field(MOVE, {"x3": german("0404", movement=2), "x1": soviet("0405")})
    assert refused(poor, "overrun x3 0405") == "7.3"
    enough = field(MOVE, {"x3": german("0404", movement=3), "x1": soviet("0405")})
    assert orders(enough, "overrun") == ["overrun x3 0405", "overrun x3 0405 air 1"]
    assert refused(pos, "overrun x3 0403") == "7.5"
    assert refused(pos, "overrun x3 0406") == "7.0"


@pytest.mark.case("leningrad-1979", "7.0", "7.6")
def test_a_successful_overrun_advances_and_may_go_on():
    pos = field(MOVE, {"1/41": "0404", "x1": soviet("0405", defence=1), "x2": soviet("0407", defence=1)}, dice=[6, 6])
    first = pos.play("overrun 1/41 0405")
    assert where(first, "x1") == "eliminated"
    assert refused(first, "end") == "7.6"
    again = first.play("advance 1/41 0405").play("move 1/41 0406")
    done = again.play("overrun 1/41 0407")
    assert where(done, "x2") == "eliminated"
    assert done.active[done.slot("1/41")] == 2 * (8 - 3 - 1 - 3)


@pytest.mark.case("leningrad-1979", "7.5")
def test_a_hex_that_another_unit_has_overrun_is_no_target_any_more():
    units = {"1/41": "0406", "x3": german("0404"), "x1": soviet("0405", defence=1), "x2": soviet("0403")}
    pos = field(MOVE, units, dice=[6])
    assert "overrun x3 0405" in orders(pos, "overrun")
    done = pos.play("overrun 1/41 0405").play("advance 1/41 0405")
    assert [o for o in orders(done, "overrun") if " x3 " in o] == ["overrun x3 0403", "overrun x3 0403 air 1"]


@pytest.mark.case("leningrad-1979", "7.2", "6.1")
def test_disengage_and_overrun():
    pos = field(MOVE, {"1/41": "0404", "12": "0404", "x1": soviet("0405"), "x2": soviet("0402")}, dice=[1])
    pos = pos.play("move 1/41 0304-0303")
    assert "overrun 1/41 0402" in pos.legal


@pytest.mark.case("leningrad-1979", "7.4")
def test_overrunning_stacks_began_together():
    units = {"1/41": "0404", "6/41": "0404", "36/41": "0404", "12": "0404", "x1": soviet("0405")}
    pos = field(MOVE, units, turn=1)
    assert refused(pos, "overrun 1/41+6/41+36/41+12 0405") == "7.4"
    met = field(MOVE, {"1/41": "0403", "6/41": "0404", "x1": soviet("0405")}).play("move 1/41 0404")
    assert refused(met, "overrun 1/41+6/41 0405") == "7.4"
    pair = field(MOVE, {"1/41": "0404", "6/41": "0404", "x1": soviet("0405", defence=1)}, dice=[6])
    apart = pair.play("overrun 1/41+6/41 0405").play("advance 1/41 0405").play("end").play("move 6/41 0304")
    assert (where(apart, "1/41"), where(apart, "6/41")) == ("0405", "0304")


@pytest.mark.case("leningrad-1979", "7.5")
def test_one_hex_any_number_of_times():
    pos = field(MOVE, {"1/41": "0404", "x1": soviet("0405"), "x2": soviet("0505")})
    assert refused(pos, "overrun 1/41 0405-0505") == "7.5"
    # 3-1 less two is 1-1; die 5 there is 1/1: one defender is lost, the other holds
    units = {"x3": german("0404", 12, 9), "x1": soviet("0405", defence=2), "x2": soviet("0405", defence=2)}
    pos = field(MOVE, units, dice=[5]).play("overrun x3 0405").play("lose x1").play("lose x3")
    assert "overrun x3 0405" in pos.legal, "no limit to overruns of one hex"
    assert pos.active[pos.slot("x3")] == 2 * 6


@pytest.mark.case("leningrad-1979", "7.6")
def test_success_leaves_no_retreat():
    # 3-1 less two is 1-1; die 4 on 1-1 is 2/2: the defender goes, the overrunner pays in steps.
    pos = field(MOVE, {"x3": german("0404", 12), "x1": soviet("0405", defence=4)}, dice=[4])
    pos = pos.play("overrun x3 0405").play("lose x1")
    assert where(pos, "x1") == "eliminated"
    assert orders(pos) == ["lose x3"]
    assert refused(pos, "retreat x3 0403-0402") == "7.6"
    gone = pos.play("lose x3").play("lose x3")
    assert where(gone, "x3") == "eliminated"
    assert gone.fight is None, "nobody is left to advance"


@pytest.mark.case("leningrad-1979", "7.7")
def test_failure_ends_the_move_of_those_that_retreat():
    # 1-1 less two is 1-3; die 6 on 1-3 is 1/2: the defender may lose a step of a stack and hold.
    units = {"x3": german("0404", 8, 9), "x1": soviet("0405", defence=4), "x2": soviet("0405", defence=4)}
    pos = field(MOVE, units, dice=[6]).play("overrun x3 0405").play("lose x1")
    assert where(pos, "x2") == "0405"
    ran = pos.play("retreat x3 0304-0303")
    assert ran.fight is None, "defenders of an overrun never advance"
    assert refused(ran, "move x3 0302") == "4.0"
    assert where(pos.play("lose x3").play("lose x3"), "x3") == "eliminated"
    mixed = pos.play("lose x3").play("retreat x3 0304")
    assert refused(mixed, "move x3 0303") == "4.0", "a step and a hex is a retreat too"


# Chapter 8 -------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-1979", "8.0", "3.0")
def test_attacks_are_voluntary():
    pos = field(COMBAT, {"12": "0404", "x1": soviet("0405")})
    assert "end" in pos.legal
    assert refused(pos, "attack 12 0403") == "8.0"


@pytest.mark.case("leningrad-1979", "8.1")
def test_attackers_are_adjacent():
    pos = field(COMBAT, {"12": "0403", "30": "0404", "x1": soviet("0405")})
    assert refused(pos, "attack 12+30 0405") == "8.1"
    assert refused(pos.play("target 0405"), "add 12") == "8.1"


@pytest.mark.case("leningrad-1979", "8.2")
def test_once_each():
    # 1-4 on a die of 6 is -/2: the attacker runs, the defender stays
    pos = field(COMBAT, {"12": "0404", "30": "0505", "x1": soviet("0405", defence=30), "x2": soviet("0506")}, dice=[6])
    pos = pos.play("attack 12 0405").play("retreat 12 0403-0402").play("end")
    assert refused(pos, "attack 30 0405") == "8.2", "the defender has been attacked"
    pos = pos.scripted([3]).play("attack 30 0506")
    while pos.fight is not None:
        pos = pos.play(next(iter(pos.legal)))
    assert (
        refused(field(COMBAT, {"12": {"hex": "0404", "attacked": True}, "x1": soviet("0405")}), "attack 12 0405")
        == "8.2"
    )
    # 12-1 counts as 10-1, where a die of 1 is 2/-: the defender runs next to another German
    ran = field(COMBAT, {"12": "0404", "30": "0404", "61": "0608", "x1": soviet("0405", defence=1)}, dice=[1])
    ran = ran.play("attack 12+30 0405").play("retreat x1 0406-0407").play("end")
    near = field(COMBAT, {"61": "0408", "x1": {**soviet("0407"), "displaced": True, "defended": True}})
    assert where(ran, "x1") == "0407"
    assert refused(near, "attack 61 0407") == "8.2", "a unit that ran is not attacked again"


@pytest.mark.case("leningrad-1979", "8.3")
def test_any_number_of_attackers():
    around = {"12": "0404", "30": "0505", "61": "0506", "93": "0406", "96": "0306", "206": "0305"}
    pos = field(COMBAT, {**around, "x1": soviet("0405", defence=4)})
    whole = pos.explain("attack 12+30+61+93+96+206 0405")
    assert whole.attack == ((36, 1),)
    part = pos.explain("attack 12+93 0405")
    assert part.attack == ((12, 1),), "units of one side may be kept for other attacks"


@pytest.mark.case("leningrad-1979", "8.4")
def test_defenders_fight_together():
    pos = field(COMBAT, {"12": "0404", "x1": soviet("0405", defence=3), "x2": soviet("0405", defence=4)})
    assert pos.explain("attack 12 0405").defence == ((7, 1),)


@pytest.mark.case("leningrad-1979", "8.4")
def test_fugitives_die_with_their_hosts():
    units = {"12": "0404", "30": "0404", "x1": {**soviet("0405", defence=2), "displaced": True, "defended": True},
             "x2": soviet("0405", defence=3)}  # fmt: skip
    pos = field(COMBAT, units, dice=[6])
    assert pos.explain("attack 12+30 0405").defence == ((3, 1),), "strength of the hosts alone"
    # 12 against 3 is 4-1; die 6 is 2/-
    pos = pos.play("attack 12+30 0405")
    assert where(pos, "x1") == "eliminated"
    assert where(pos, "x2") == "0405"
    alone = field(COMBAT, {"12": "0404", "x1": {**soviet("0405"), "displaced": True, "defended": True}})
    assert refused(alone, "attack 12 0405") == "8.2"
    moved = field(COMBAT, {"12": "0404", "x1": soviet("0405", defence=2), "x2": soviet("0405", defence=3)})
    assert moved.explain("attack 12 0405").defence == ((5, 1),), "an overrun earlier in the turn strips nothing"


@pytest.mark.case("leningrad-1979", "8.5")
def test_several_hexes():
    pos = field(COMBAT, {"12": "0404", "30": "0504", "x1": soviet("0405", defence=3), "x2": soviet("0505", defence=2)})
    assert pos.explain("attack 12 0405-0505").defence == ((5, 1),)
    assert refused(pos, "attack 12+30 0405-0505") == "8.5"
    assert refused(pos.play("target 0405").play("add 12").play("target 0505"), "add 30") == "8.5"
    assert refused(pos.play("target 0505").play("add 30"), "target 0405") == "8.5"


@pytest.mark.case("leningrad-1979", "8.6")
def test_strength_is_not_split():
    pos = field(COMBAT, {"12": {"hex": "0404", "steps": 1}, "30": "0404", "x1": soviet("0405", defence=3)})
    assert pos.explain("attack 12+30 0405").attack == ((9, 1),)


# Chapter 9 -------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-1979", "9.0", "9.1", "9.4")
def test_ratio_and_announcement():
    pos = field(COMBAT, {"x3": german("0404", 11), "x1": soviet("0405", defence=4)}, dice=[5])
    explained = pos.explain("attack x3 0405")
    assert explained.initial == (("2-1", 1),), "11 against 4 is 2 to 1"
    assert explained.columns == (("2-1", 1),)
    played = pos.play("attack x3 0405")
    assert any("11 against 4, 2-1, column 2-1" in event.text for event in played.events)
    for attack, defence, name in ((3, 4, "1-2"), (2, 5, "1-3"), (4, 4, "1-1"), (30, 1, "30-1"), (1, 9, "1-9")):
        pos = field(COMBAT, {"x3": german("0404", attack), "x1": soviet("0405", defence=defence)})
        assert pos.explain("attack x3 0405").initial == ((name, 1),)


@pytest.mark.case("leningrad-1979", "9.1")
def test_an_attack_is_named_before_it_is_made():
    pos = field(COMBAT, {"12": "0404", "30": "0505", "x1": soviet("0405")})
    composing = pos.play("target 0405")
    assert refused(composing, "commit") == "9.1"
    assert refused(composing, "end") == "3.0"
    one = composing.play("add 30").play("commit")
    assert one.fight.attackers == (one.slot("30"),)
    direct = pos.play("attack 30 0405")
    assert direct.document() == one.document(), "composed or at once, the same attack"


@pytest.mark.case("leningrad-1979", "9.2", "9.3")
def test_ratios_beyond_the_table():
    three_left = {"0405": "swamp"}
    pos = field(COMBAT, {"x3": german("0404", 14), "x1": soviet("0405", defence=1, kind="armor")}, hexes=three_left,
                hexsides={"0404/0405": ["river"]})  # fmt: skip
    explained = pos.explain("attack x3 0405")
    assert explained.initial == (("14-1", 1),)
    assert explained.net == -3
    assert explained.columns == (("10-1", 1),), "11-1 after three left is read as 10-1"
    low = field(COMBAT, {"x3": german("0404", 1), "x1": soviet("0405", defence=6)})
    assert low.explain("attack x3 0405").columns == (("1-4", 1),)


TABLE = """
-/E -/E -/E -/2 -/1 1/1 2/2 1/1 2/1 1/- 1/- 2/- 2/-
-/E -/E -/2 -/1 1/2 2/2 1/1 2/1 1/- 1/- 2/- 2/- E/-
-/E -/2 -/2 1/2 2/2 1/1 2/1 1/- 1/- 2/- 2/- E/- E/-
-/E -/2 -/1 2/2 1/1 2/1 1/- 1/- 2/- 2/- E/- E/- E/-
-/2 -/2 1/2 1/1 2/1 1/- 1/- 2/- 2/- E/- E/- E/- E/-
-/2 1/2 2/2 2/1 1/- 1/- 2/- 2/- E/- E/- E/- E/- E/-
"""


@pytest.mark.case("leningrad-1979", "2.3", "9.5")
def test_the_results_table():
    rows = [line.split() for line in TABLE.strip().splitlines()]
    strengths = [(1, 4), (1, 3), (1, 2), *((n, 1) for n in range(1, 11))]
    for column, (attack, defence) in enumerate(strengths):
        pos = field(COMBAT, {"x3": german("0404", attack * 2), "x1": soviet("0405", defence=defence * 2)})
        explained = pos.explain("attack x3 0405")
        assert explained.columns == ((f"{attack}-{defence}", 1),)
        results = dict(explained.results)
        for code in results:
            assert results[code] == Fraction(sum(row[column] == code for row in rows), 6)
        for face, row in enumerate(rows, 1):
            played = pos.scripted([face]).play("attack x3 0405")
            assert any(event.text == f"Die {face}: {row[column]}" for event in played.events)


@pytest.mark.case("leningrad-1979", "9.6")
@pytest.mark.parametrize(
    ("terrain", "place", "side", "columns"),
    [
        ("clear", "", "soviet", 0), ("swamp", "", "soviet", -1), ("hill", "", "soviet", -1), ("woods", "", "soviet", 0),
        ("clear", "city", "soviet", -1), ("clear", "soviet-city", "soviet", -1), ("clear", "town", "soviet", 0),
        ("clear", "city", "german", -1), ("clear", "soviet-city", "german", 0), ("swamp", "", "german", -1),
    ],
)  # fmt: skip
def test_terrain_shifts(terrain, place, side, columns):
    units = {"x3": german("0404" if side == "soviet" else "0405"), "x1": soviet("0405" if side == "soviet" else "0404")}
    pos = field(COMBAT if side == "soviet" else RED, units, hexes={"0405": terrain},
                places={"0405": [place] if place else []})  # fmt: skip
    order = "attack x3 0405" if side == "soviet" else "attack x1 0405"
    assert pos.explain(order).net == columns


@pytest.mark.case("leningrad-1979", "9.6", "15.1", "15.5")
def test_shifts_count_once():
    units = {"12": "0404", "x1": soviet("0405"), "x2": soviet("0505"), "x4": soviet("0405"), "x5": soviet("0405")}
    pos = field(COMBAT, units, hexes={"0405": "swamp", "0505": "hill"}, forts=["0405", "0505"])
    assert shifts(pos, "attack 12 0405-0505") == {"9.6": -1, "15.1": -1}
    assert shifts(pos, "attack 12 0405") == {"9.6": -1, "15.1": -1}


@pytest.mark.case("leningrad-1979", "9.6")
def test_rivers_count_if_all_attack_across():
    units = {"12": "0404", "30": "0505", "x1": soviet("0405")}
    pos = field(COMBAT, units, hexsides={"0404/0405": ["river"]})
    assert shifts(pos, "attack 12 0405") == {"9.6": -1}
    assert shifts(pos, "attack 12+30 0405") == {}
    both = field(COMBAT, units, hexsides={"0404/0405": ["river", "road"], "0505/0405": ["river"]})
    assert shifts(both, "attack 12+30 0405") == {"9.6": -1}, "a road does not bridge the shift"


@pytest.mark.case("leningrad-1979", "9.6", "12.4")
def test_shifts_add_up():
    units = {"1/41": "0404", "6/41": "0404", "36/41": "0404", "x1": soviet("0405", defence=9)}
    pos = field(COMBAT, units)
    assert shifts(pos, "attack 1/41+6/41+36/41 0405") == {"12.1": 1, "12.2": 1}
    two_right_three_left = field(COMBAT, {**units, "x1": soviet("0405", defence=9, kind="armor")},
                                 hexsides={"0404/0405": ["river"]}, hungry="x1", forts=[])  # fmt: skip
    assert two_right_three_left.explain("attack 1/41+6/41+36/41 0405").net == 2 + 2 - 2


# Chapter 10 ------------------------------------------------------------------------------------------


def fight(attack: int, defence: int, face: int, **more):
    return field(COMBAT, {"x3": german("0404", attack), "x1": soviet("0405", defence=defence), **more.pop("units", {})},
                 dice=[face], **more)  # fmt: skip


@pytest.mark.case("leningrad-1979", "10.0", "10.1")
def test_result_one():
    # 3-1, die 5 is 1/-
    pos = fight(12, 4, 5).play("attack x3 0405")
    assert pos.to_move == "soviet"
    assert set(orders(pos)) == {"lose x1", "retreat x1 0406", "retreat x1 0306", "retreat x1 0506"}
    assert where(pos.play("lose x1"), "x1") == "eliminated"
    assert where(pos.play("retreat x1 0406"), "x1") == "0406"
    two = field(COMBAT, {"x3": german("0404", 12), "x1": soviet("0405", defence=2), "x2": soviet("0405", defence=2)},
                dice=[5]).play("attack x3 0405")  # fmt: skip
    lost = two.play("lose x2")
    assert (where(lost, "x1"), where(lost, "x2"), lost.fight) == ("0405", "eliminated", None)
    run = two.play("retreat x1 0406")
    assert refused(run, "lose x2") == "10.1", "all retreat, or one loses"
    assert run.to_move == "soviet"


@pytest.mark.case("leningrad-1979", "10.2")
def test_result_two():
    # attackers: 1-1, die 1 is -/2
    pos = field(COMBAT, {"12": "0404", "30": "0404", "x1": soviet("0405", defence=12)}, dice=[1])
    pos = pos.play("attack 12+30 0405")
    assert pos.to_move == "german"
    assert "retreat 12 0403-0402" in pos.legal
    assert refused(pos, "retreat 12 0403") == "10.2"
    both = pos.play("lose 12").play("lose 12")
    assert (where(both, "12"), steps(both, "30")) == ("eliminated", 2)
    one_each = pos.play("lose 12").play("lose 30")
    assert (steps(one_each, "12"), steps(one_each, "30")) == (1, 1)
    mixed = pos.play("lose 12").play("retreat 12 0403").play("retreat 30 0304")
    assert (steps(mixed, "12"), where(mixed, "12"), where(mixed, "30")) == (1, "0403", "0304")
    assert refused(pos.play("retreat 12 0403-0402"), "lose 30") == "10.2"


@pytest.mark.case("leningrad-1979", "10.2")
def test_too_few_steps_are_all_that_is_lost():
    # 4-1, die 6 is 2/-: a lone Soviet unit that takes the loss is gone and the rest is ignored
    pos = fight(16, 4, 6).play("attack x3 0405").play("lose x1")
    assert where(pos, "x1") == "eliminated"
    assert pos.to_move == "german"


@pytest.mark.case("leningrad-1979", "10.3")
def test_split_results_defender_first():
    # 2-1, die 4 is 1/1
    pos = fight(8, 4, 4).play("attack x3 0405")
    assert pos.to_move == "soviet"
    pos = pos.play("retreat x1 0406")
    assert pos.to_move == "german"
    paid = pos.play("lose x3")
    assert "advance x3 0405" in paid.legal
    ran = pos.play("retreat x3 0403")
    assert ran.fight is None, "neither those that retreated nor a defender of a split result advance"


@pytest.mark.case("leningrad-1979", "10.4")
def test_elimination():
    # 1-4, die 1 is -/E
    units = {"x3": german("0404", 1), "x4": german("0505", 1), "x1": soviet("0405", defence=8)}
    pos = field(COMBAT, units, dice=[1]).play("attack x3+x4 0405")
    assert (where(pos, "x3"), where(pos, "x4")) == ("eliminated", "eliminated")
    # 10-1, die 6 is E/-
    pos = fight(40, 4, 6).play("attack x3 0405")
    assert where(pos, "x1") == "eliminated"


@pytest.mark.case("leningrad-1979", "10.5")
def test_steps():
    pos = (
        field(COMBAT, {"12": "0404", "x1": soviet("0405", defence=6)}, dice=[1]).play("attack 12 0405").play("lose 12")
    )
    assert steps(pos, "12") == 1
    assert GAME.units["67rd"].full_steps == 1


@pytest.mark.case("leningrad-1979", "10.6", "10.8")
def test_retreats_one_at_a_time_and_vacant_hexes_first():
    # 3-1, die 5 is 1/-
    units = {"x3": german("0404", 24), "x1": soviet("0405"), "x2": soviet("0405"), "x5": soviet("0406")}
    pos = field(COMBAT, units, dice=[5]).play("attack x3 0405")
    assert refused(pos, "retreat x1 0406") == "10.8"
    pos = pos.play("retreat x1 0306").play("retreat x2 0506")
    assert (where(pos, "x1"), where(pos, "x2")) == ("0306", "0506")
    narrow = {"0405/0306": ["lake"], "0405/0506": ["lake"]}
    units.pop("x5")
    pos = field(COMBAT, units, dice=[5], hexsides=narrow).play("attack x3 0405").play("retreat x1 0406")
    assert "retreat x2 0406" in pos.legal, "the second follows when nothing else is safe"


@pytest.mark.case("leningrad-1979", "10.7")
def test_safe_hexes():
    units = {"x3": german("0404", 12), "x1": soviet("0405"), "12": "0407"}
    pos = field(COMBAT, units, dice=[5]).play("attack x3 0405")
    assert set(orders(pos, "retreat")) == {"retreat x1 0306", "retreat x1 0506"}, "0406 is in the zone of 0407"
    assert refused(pos, "retreat x1 0406") == "10.7"
    assert refused(pos, "retreat x1 0505") == "10.7", "no further from the attacker"
    held = field(COMBAT, {**units, "x2": soviet("0406"), "30": "0206", "61": "0606"}, dice=[5]).play("attack x3 0405")
    assert "retreat x1 0406" in held.legal, "a friend there lifts the zone"
    full = {**units, "x2": soviet("0406"), "x4": soviet("0406"), "x5": soviet("0406"), "30": "0206", "61": "0606"}
    pos = field(COMBAT, full, dice=[5]).play("attack x3 0405")
    assert refused(pos, "retreat x1 0406") == "10.7"
    assert where(pos.play("retreat x1"), "x1") == "eliminated", "no safe hex"
    assert refused(fight(12, 4, 5).play("attack x3 0405"), "retreat x1") == "10.7"


@pytest.mark.case("leningrad-1979", "10.7")
def test_attackers_measure_from_where_the_defender_stood():
    # 2-1, die 4 is 1/1
    pos = fight(8, 4, 4).play("attack x3 0405").play("retreat x1 0406")
    assert set(orders(pos, "retreat")) == {"retreat x3 0403", "retreat x3 0304", "retreat x3 0504"}


@pytest.mark.case("leningrad-1979", "10.9")
def test_advance():
    # 4-1, die 6 is 2/-
    units = {"x4": german("0404", 1), "x5": german("0404", 1), "x6": german("0505", 1)}
    pos = field(COMBAT, {"x3": german("0404", 13), "x1": soviet("0405"), **units}, dice=[6])
    pos = pos.play("attack x3+x4+x5+x6 0405").play("retreat x1 0406-0407")
    assert {"advance x3 0405", "advance x3 0405-0406"} <= set(orders(pos))
    pos = pos.play("advance x3 0405-0406").play("advance x4 0405").play("advance x5 0405").play("advance x6 0405")
    assert [where(pos, u) for u in ("x3", "x4", "x5", "x6")] == ["0406", "0405", "0405", "0405"]
    dead = fight(40, 4, 6).play("attack x3 0405")
    assert set(orders(dead)) == {"advance x3 0405", "end"}, "not beyond a hex emptied by elimination, and not forced"
    late = dead.play("end")
    assert refused(late, "advance x3 0405") == "10.9"


@pytest.mark.case("leningrad-1979", "10.9")
def test_unhurt_defenders_advance():
    # 1-1, die 2 is -/1
    pos = fight(4, 4, 2).play("attack x3 0405").play("retreat x3 0403")
    assert pos.to_move == "soviet"
    assert where(pos.play("advance x1 0404"), "x1") == "0404"
    assert pos.play("end").to_move == "german"
    full = field(COMBAT, {"x3": german("0404", 20), "x4": german("0505"), "x5": german("0505"), "x6": german("0505"),
                          "x7": german("0305"), "x1": soviet("0405", defence=1)}, dice=[6])  # fmt: skip
    full = full.play("attack x3+x4+x5+x6+x7 0405")
    for unit in ("x4", "x5", "x6"):
        full = full.play(f"advance {unit} 0405")
    assert where(full, "x3") == "0404", "three to a hex, then the advance is over"


# Chapter 12 ------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-1979", "12.0", "12.1", "9.6")
def test_panzer_corps():
    corps = {"1/41": "0404", "6/41": "0404", "36/41": "0404", "x1": soviet("0405", defence=9)}
    pos = field(COMBAT, corps, hexes={"0405": "hill"})
    assert shifts(pos, "attack 1/41+6/41+36/41 0405")["12.1"] == 1
    assert "12.1" not in shifts(pos, "attack 1/41+6/41 0405"), "all must attack"
    reduced = {**corps, "1/41": {"hex": "0404", "steps": 1}}
    assert shifts(field(COMBAT, reduced), "attack 1/41+6/41+36/41 0405")["12.1"] == 1
    dead = {**corps, "36/41": {"eliminated": True}}
    assert "12.1" not in shifts(field(COMBAT, dead), "attack 1/41+6/41 0405")
    spread = {**corps, "36/41": "0505"}
    assert "12.1" not in shifts(field(COMBAT, spread), "attack 1/41+6/41+36/41 0405")
    two = {**corps, "8/56": "0505", "3/56": "0505", "TOT/56": "0505"}
    assert shifts(field(COMBAT, two), "attack 1/41+6/41+36/41+8/56+3/56+TOT/56 0405")["12.1"] == 2
    pair = field(COMBAT, {"12/39": "0404", "20/39": "0404", "x1": soviet("0405")}, turn=10)
    assert shifts(pair, "attack 12/39+20/39 0405") == {"12.1": 1, "12.2": 1}
    defence = field(RED, {"1/41": "0405", "6/41": "0405", "36/41": "0405", "x1": soviet("0404")})
    assert shifts(defence, "attack x1 0405") == {"12.1": -1, "12.2": -1}


@pytest.mark.case("leningrad-1979", "12.2", "9.6")
def test_armor():
    attack = {"1/41": "0404", "8/56": "0404", "x1": soviet("0405")}
    assert shifts(field(COMBAT, attack), "attack 1/41+8/56 0405") == {"12.2": 1}, "once, however many"
    assert shifts(field(COMBAT, attack, hexsides={"0404/0405": ["river"]}), "attack 1/41 0405") == {
        "9.6": -1,
        "12.2": 1,
    }
    assert shifts(field(COMBAT, attack, forts=["0405"]), "attack 1/41 0405") == {"15.1": -1}
    assert shifts(field(COMBAT, attack, hexes={"0405": "hill"}), "attack 1/41 0405") == {"9.6": -1}
    assert shifts(field(COMBAT, attack, places={"0405": ["town"]}), "attack 1/41 0405") == {"12.2": 1}
    mech = field(COMBAT, {"36/41": "0404", "x1": soviet("0405")})
    assert shifts(mech, "attack 36/41 0405") == {}
    defence = field(COMBAT, {"12": "0404", "x1": soviet("0405", kind="armor")}, hexes={"0405": "hill"})
    assert shifts(defence, "attack 12 0405") == {"9.6": -1, "12.2": -1}
    red = field(RED, {"12": "0405", "x1": soviet("0404", kind="armor")})
    assert shifts(red, "attack x1 0405") == {"12.2": 1}


@pytest.mark.case("leningrad-1979", "12.3")
def test_germans_in_soviet_cities():
    units = {"1/41": "0405", "6/41": "0405", "36/41": "0405", "x1": soviet("0404")}
    pos = field(RED, units, places={"0405": ["soviet-city"]})
    assert shifts(pos, "attack x1 0405") == {}
    plain = field(RED, units, places={"0405": ["city"]})
    assert shifts(plain, "attack x1 0405") == {"9.6": -1, "12.1": -1, "12.2": -1}


# Chapter 13 ------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-1979", "13.0", "13.1", "13.5")
def test_air_in_attack():
    pos = field(COMBAT, {"12": "0404", "x1": soviet("0405")}, turn=7, dice=[1])
    assert shifts(pos, "attack 12 0405 air 2") == {"13.1": 2}
    assert refused(field(COMBAT, {"12": "0404", "x1": soviet("0405")}, turn=6), "attack 12 0405 air 2") == "13.5"
    lost = field(COMBAT, {"x3": german("0404", 1), "x1": soviet("0405", defence=9)}, turn=7, dice=[1])
    lost = lost.play("attack x3 0405 air 1")
    assert lost.air_used == 1, "air units are never harmed, only used"
    used = field(COMBAT, {"12": "0404", "x1": soviet("0405")}, air_used=1)
    assert refused(used, "attack 12 0405 air 1") == "13.5"
    stack = field(MOVE, {"12": "0404", "30": "0404", "32": "0404", "x1": soviet("0405")})
    assert "overrun 12+30+32 0405 air 1" in stack.legal
    red = field(RED, {"12": "0404", "x1": soviet("0405")}, air_used=1)
    assert refused(red, "attack x1 0404 air 1") == "13.0"


@pytest.mark.case("leningrad-1979", "13.0", "13.1", "13.2")
def test_air_in_defence_comes_before_the_reveal():
    pos = field(RED, {"12": "0404", "i1": "0405"}, turn=7).play("attack i1 0404")
    assert (pos.to_move, orders(pos)) == ("german", ["air 0", "air 1", "air 2"])
    pos = pos.play("air 1")
    assert pos.to_move == "chance"
    assert pos.chance.title == "the strength of i1"
    assert pos.fight.guard_air == 1
    red = field("soviet-movement", {"12": "0404", "x1": soviet("0405")})
    assert orders(red, "overrun") == ["overrun x1 0404"]
    over = red.play("overrun x1 0404")
    assert orders(over) == ["air 0", "air 1"], "also against an overrun"
    done = over.play("air 1").play("die 1")
    assert "13.1" in {m.case for m in field(RED, {"12": "0404", "x1": soviet("0405")}).play("attack x1 0404")
                      .explain("air 1").modifiers}  # fmt: skip
    assert done.air_used == 1


@pytest.mark.case("leningrad-1979", "13.3", "13.4", "11.6")
def test_interdiction():
    units = {"x1": soviet("0404"), "12": "0901"}
    once = field("soviet-movement", units, interdiction={"0405": 1})
    assert once.play("move x1 0405").events[-1].text == "x1 to 0405, 2 points"
    twice = field("soviet-movement", units, turn=7, interdiction={"0405": 2})
    assert twice.play("move x1 0405").events[-1].text == "x1 to 0405, 4 points"
    start = field("soviet-movement", units, interdiction={"0404": 1})
    assert start.reach("x1")["0405"].cost == 2
    assert start.reach("x1")["0406"].cost == 3, "only the first hex"
    assert start.play("move x1 0405-0406").events[-1].text == "x1 to 0406, 3 points"
    german_move = field(MOVE, {"12": "0404"}, interdiction={"0405": 1})
    assert german_move.reach("12")["0405"].cost == 1
    line = {"0404": ["soviet-supply"]}
    far = field(RED, {"x1": soviet("0409"), "12": "0901"}, size=(12, 12), hungry="x1", places=line)
    assert far.supply("x1")
    cut = field(RED, {"x1": soviet("0409"), "12": "0901"}, size=(12, 12), hungry="x1", places=line,
                interdiction={"0404": 1})  # fmt: skip
    assert not cut.supply("x1")


@pytest.mark.case("leningrad-1979", "13.5", "3.0")
def test_each_air_unit_once_a_turn():
    pos = field("german-interdiction", {"12": "0404", "x1": soviet("0901")}, turn=7)
    pos = pos.play("interdict 0501").play("interdict 0501")
    assert orders(pos) == ["end"], "the phase stays open until its word"
    assert refused(pos, "interdict 0501") == "13.5"
    pos = pos.play("end")
    assert pos.phase.id == "soviet-movement"
    assert pos.air_on == {pos.ground.grid.hex("0501"): 2}
    pos = pos.play("end")
    assert pos.turn == 8, "step eight comes by itself"
    assert pos.air_on == {}
    assert refused(field("german-interdiction", {"12": "0404"}, air_used=1), "interdict 0501") == "13.5"


# Chapter 14 ------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-1979", "14.0", "14.1", "14.2", "9.1")
def test_untried_units_are_revealed_after_commitment():
    pos = field(COMBAT, {"12": "0404", "30": "0404", "i1": "0405", "a1": "0405"})
    shown = {c.id: c.figures for c in pos.view("soviet").table().counters}
    assert shown["i1"] == "?-5"
    assert shown["a1"] == "?-7"
    explained = pos.explain("attack 12+30 0405")
    assert sum(p for _, p in explained.defence) == 1
    assert len(explained.defence) > 5
    pos = pos.play("attack 12+30 0405")
    chance = pos.chance
    assert len(chance.outcomes) == 43
    assert {p for _, p in chance.outcomes} == {Fraction(1, 43)}
    pos = pos.play("draw 70rd")
    assert len(pos.chance.outcomes) == 12, "armor and mechanized are one class"
    assert refused(pos, "end") in ("14.1", "3.0")
    pos = pos.play("draw 42td")
    assert any("12 against 11, 1-1" in event.text for event in pos.events)
    assert where(pos, "70rd") == "0405"
    assert refused(pos, "die 7") == "9.0"


@pytest.mark.case("leningrad-1979", "14.0")
def test_drawn_from_what_remains():
    pos = field(COMBAT, {"12": "0404", "i1": "0405", "70rd": "0801", "5rd": {"eliminated": True}})
    names = {order.words[0] for order, _ in pos.play("attack 12 0405").chance.outcomes}
    assert len(names) == 41
    assert not names & {"70rd", "5rd"}
    odds = dict(pos.explain("attack 12 0405").defence)
    assert odds[1] > 0
    assert 7 not in odds, "the only 3-7-5 stands elsewhere"


@pytest.mark.case("leningrad-1979", "14.1", "14.2")
def test_exact_odds_with_an_untried_tank():
    pos = field(COMBAT, {"12": "0404", "a1": "0405"})
    explained = pos.explain("attack 12 0405")
    # eight of twelve armored counters are armor, worth a column to the defender
    weights = {"1-1": 0, "1-2": 0, "2-1": 0, "3-1": 0}
    for unit in GAME.units.values():
        if unit.side == "soviet" and unit.type != "infantry":
            index = 6 // unit.defence - 1 - (unit.type == "armor")
            weights["1-1" if index == 0 else "1-2" if index < 0 else f"{index + 1}-1"] += 1
    assert dict(explained.columns) == {k: Fraction(n, 12) for k, n in weights.items() if n}


@pytest.mark.case("leningrad-1979", "14.0")
def test_late_divisions_are_raised_from_the_dead():
    held_back = {f"i{number}": {"due": "soviet-2-infantry"} for number in range(1, 44)}
    units = {**held_back, "12": {"hex": "2203"}, "i46": {"due": "soviet-10-infantry"}}
    nobody = GAME.position({"game": GAME.id, "turn": 10, "phase": "soviet-movement", "units": units})
    assert refused(nobody, "enter i46 2604") == "14.0", "all 43 counters are in play"
    units = {**units, "5rd": {"eliminated": True, "was": "i43"}}
    del units["i43"]
    pos = GAME.position({"game": GAME.id, "turn": 10, "phase": "soviet-movement", "units": units})
    pos = pos.play("enter i46 2604")
    assert where(pos, "i46") == "2604"


@pytest.mark.case("leningrad-1979", "13.1", "13.5")
def test_air_units_are_added_while_an_attack_is_composed():
    pos = field(COMBAT, {"12": "0404", "67rd": "0405"}, turn=7).play("target 0405").play("add 12")
    assert refused(pos, "air 3") == "13.1"
    assert refused(pos, "air 0") == "13.1"
    one = pos.play("air 1")
    assert refused(one, "air 1") == "13.1", "the number is named, not added"
    assert shifts(one.play("air 2"), "commit") == {"13.1": 2}
    assert refused(field(COMBAT, {"12": "0404", "67rd": "0405"}).play("target 0405"), "air 2") == "13.5"


@pytest.mark.case("leningrad-1979", "10.7", "10.8", "4.9")
def test_a_bad_retreat_is_refused_by_what_is_wrong_with_it():
    units = {"12": "0404", "x1": soviet("0405", 4, 1), "11": "0507", "x2": soviet("0305"), "x3": soviet("0305"),
             "x4": soviet("0305"), "x5": soviet("0406"), "x6": soviet("0505")}  # fmt: skip
    pos = field(COMBAT, units, hexsides={"0405/0306": ["lake"]}, dice=[3]).play("attack 12 0405")
    assert pos.prompt == "Defender: lose steps or retreat"
    reasons = {
        "0404": "an enemy unit is in 0404",
        "0505": "0505 is no further",
        "0305": "three friendly units are in 0305",
        "0506": "0506 is in an enemy zone",
        "0407": "0407 is not next to 0405",
    }
    for number, reason in reasons.items():
        assert refused(pos, f"retreat x1 {number}") == "10.7"
        assert reason in pos.why_not(f"retreat x1 {number}").message
    assert refused(pos, "retreat x1 0306") == "4.9"


@pytest.mark.case("leningrad-1979", "14.2", "12.2")
def test_notes_tell_when_an_untried_unit_may_be_armor():
    def notes(units, phase=COMBAT, order="attack 12 0405"):
        return " ".join(field(phase, units).explain(order).notes)

    assert "may turn out to be armor" in notes({"12": "0404", "a1": "0405"})
    assert "may turn out to be armor" not in notes({"12": "0404", "i1": "0405"})
    assert "may turn out to be armor" not in notes({"12": "0404", "a1": "0405", "42td": "0405"}), (
        "armor is there already"
    )


@pytest.mark.case("leningrad-1979", "10.9", "10.2")
def test_nobody_advances_who_is_not_there():
    pos = field(COMBAT, {"x3": german("0404", 6, steps=1, reduced=[6, 6, 6]), "x1": soviet("0405", 4, 2)}, dice=[1])
    split = pos.play("attack x3 0405")
    assert split.document()["fight"]["result"] == "1/1"
    over = split.play("lose x1").play("lose x3")
    assert "fight" not in over.document()
    assert orders(over) == ["end"]
    held = field(COMBAT, {"x3": german("0404", 4), "x1": soviet("0405", 4, 2), "x2": soviet("0405", 4, 2)}, dice=[5])
    held = held.play("attack x3 0405").play("lose x1").play("lose x3")
    assert orders(held) == ["end"], "x2 still holds the hex"


@pytest.mark.case("leningrad-1979", "10.2", "10.6")
def test_the_prompt_tells_how_far_the_others_retreat():
    units = {"x3": german("0404", 40), "x1": soviet("0405", 4, 2), "x2": soviet("0405", 4, 2)}
    pos = field(COMBAT, units, dice=[1]).play("attack x3 0405")
    assert pos.play("retreat x1 0406-0407").prompt == "Retreat the units two hexes, one at a time"


@pytest.mark.case("leningrad-1979", "14.0")
def test_a_raised_division_is_one_of_those_that_fell():
    held_back = {f"i{number}": {"due": "soviet-2-infantry"} for number in range(1, 40)}
    shown = {"5rd": {"eliminated": True, "was": "i41"}, "90rd": {"hex": "2906", "was": "i42"},
             "67rd": {"eliminated": True, "was": "i40"}}  # fmt: skip
    units = {
        **held_back,
        **shown,
        "42td": {"eliminated": True},
        "i43": {"hex": "2908"},
        "i46": {"hex": "2604"},
        "12": {"hex": "2603"},
    }
    pos = GAME.position({"game": GAME.id, "turn": 11, "phase": COMBAT, "units": units}).play("attack 12 2604")
    assert {str(order) for order, _ in pos.chance.outcomes} == {"draw 5rd", "draw 67rd"}, (
        "not the living, nor the armor"
    )


@pytest.mark.case("leningrad-1979", "8.4")
def test_those_who_retreated_into_the_hex_are_told_to_count_for_nothing():
    units = {"12": "0404", "x1": soviet("0405"), "x2": soviet("0405", displaced=True)}
    pos = field(COMBAT, units, dice=[6])
    assert any("x2 retreated here in this phase" in note for note in pos.explain("attack 12 0405").notes)
    assert not field(COMBAT, {"12": "0404", "x1": soviet("0405")}).explain("attack 12 0405").notes
    event = pos.play("attack 12 0405").events[-1]
    assert (event.text, event.case) == ("x2 is eliminated in 0405", "8.4")


@pytest.mark.case("leningrad-1979", "10.9", "10.1")
def test_the_defender_may_enter_the_hex_of_an_attacker_that_fell_while_others_stand():
    units = {"12": "0404", "x1": soviet("0403", 3), "x2": soviet("0405", 3)}
    pos = field(RED, units, dice=[2], air_used=1).play("attack x1+x2 0404")
    assert pos.document()["fight"]["result"] == "-/1"
    gone = pos.play("lose x1")
    assert gone.to_move == "german"
    assert orders(gone) == ["advance 12 0403", "end"]
    assert gone.play("end").to_move == "soviet"


@pytest.mark.case("leningrad-1979", "8.1", "8.2", "8.5", "13.5")
def test_a_target_is_refused_by_what_keeps_it_from_being_one():
    units = {"12": "0404", "30": "0406", "x1": soviet("0403"), "x2": soviet("0407"), "x4": soviet("0801")}
    pos = field(COMBAT, units)
    assert refused(pos, "target 0801") == "8.1"
    assert refused(pos.play("target 0403"), "target 0407") == "8.5", "nobody is next to both"
    tired = field(
        COMBAT, {"12": {"hex": "0404", "attacked": True}, "30": "0406", "x1": soviet("0403"), "x2": soviet("0407")}
    )
    assert refused(tired, "target 0403") == "8.2"
    assert refused(tired, "attack 12 0403") == "8.2"
    assert pos.explain("attack 12 0403").title == "Attack on 0403"
    assert field(MOVE, units).explain("overrun 12 0403").title == "Overrun of 0403"


@pytest.mark.case("leningrad-1979", "13.5")
def test_interdicting_after_the_phase_is_refused_by_what_ended_it():
    units = {"12": "0404", "x1": soviet("0503")}
    used = field("german-interdiction", units).play("interdict 0503")
    assert refused(used, "interdict 0504") == "13.5"
    kept = field("german-interdiction", units).play("end")
    assert refused(kept, "interdict 0504") == "3.0"


RED_MOVE = "soviet-movement"


@pytest.mark.case("leningrad-1979", "7.3", "4.1")
def test_points_spent_on_a_held_overrun_are_spent():
    units = {"s1": soviet("0303", 60, 4, 5), "s2": soviet("0303"), "x": german("0403", 3), "y": german("0403", 3)}
    pos = field(RED_MOVE, units, air_used=1).play("overrun s1 0403").play("die 1").play("lose x")
    assert refused(pos, "overrun s1 0403") == "7.3"
    pair = {"g1": german("0303", 3, 8, "armor"), "g2": german("0303", 3, 8, "armor"), "x": soviet("0403", 9, 9)}
    before = field(MOVE, pair, dice=[5])
    whole = set(before.reach("g1"))
    after = before.play("overrun g1+g2 0403").play("lose g1").play("lose g2")
    assert refused(after, "move g1 0108") == "4.1"
    assert set(before.reach("g1")) == whole, "looking at one position never changes another"


@pytest.mark.case("leningrad-1979", "8.6", "4.5")
@pytest.mark.parametrize("verb", ["attack", "overrun", "move"])
def test_a_unit_counts_once(verb):
    pos = field("german-combat" if verb == "attack" else MOVE, {"12": "0303", "67rd": "0403"})
    assert Order(verb, ("12", "12"), ("0403" if verb != "move" else "0302",)) not in pos.legal


@pytest.mark.case("leningrad-1979", "13.4")
def test_only_the_first_hex_out_of_interdiction_costs_more():
    pos = field(RED_MOVE, {"x": soviet("0303", kind="armor", movement=7)}, turn=7, hexsides={"0303/0403": ["road"]},
                interdiction={"0303": 1})  # fmt: skip
    at_once = pos.play("move x 0403-0303-0403")
    in_steps = pos.play("move x 0403").play("move x 0303").play("move x 0403")
    assert at_once.active == in_steps.active
    assert at_once.active[at_once.slot("x")] == 9


@pytest.mark.case("leningrad-1979", "7.4")
def test_units_that_parted_do_not_overrun_together():
    pos = field(MOVE, {"g1": german("0303", 6, 8, "armor"), "g2": german("0303", 6, 8, "armor"), "x": soviet("0703")})
    pos = pos.play("move g1+g2 0403").play("move g1 0503-0602").play("move g2 0504-0503-0602")
    assert refused(pos, "overrun g1+g2 0703") == "7.4"
    assert "overrun g1 0703" in GAME.position(pos.document()).legal
    assert GAME.position(pos.document()).why_not("overrun g1+g2 0703").case == "7.4"


@pytest.mark.case("leningrad-1979", "10.8")
def test_a_dead_end_does_not_kill_where_a_friend_holds_the_way_open():
    # 0306 is vacant but leads nowhere; 0406 is held by a friend and leads on
    units = {"x3": german("0404", 16), "x1": soviet("0405"), "x2": soviet("0406")}
    walls = {"0306/0206": ["lake"], "0306/0307": ["lake"], "0306/0205": ["lake"], "0306/0406": ["lake"],
             "0405/0506": ["lake"]}  # fmt: skip
    pos = field("german-combat", units, hexsides=walls, dice=[6]).play("attack x3 0405")
    assert "retreat x1 0406-0407" in pos.legal
    assert where(pos.play("retreat x1 0406-0407"), "x1") == "0407"


@pytest.mark.case("leningrad-1979", "10.8")
def test_past_a_friend_the_next_hex_is_vacant_again_if_one_is():
    # as above, and beyond the friend in 0406 stands another in 0407: 0506 and 0307 are vacant, 0307 behind a lake
    units = {"x3": german("0404", 16), "x1": soviet("0405"), "x2": soviet("0406"), "x4": soviet("0407")}
    walls = {"0306/0206": ["lake"], "0306/0307": ["lake"], "0306/0205": ["lake"], "0306/0406": ["lake"],
             "0405/0506": ["lake"], "0406/0307": ["lake"]}  # fmt: skip
    pos = field("german-combat", units, hexsides=walls, dice=[6]).play("attack x3 0405")
    assert orders(pos, "retreat") == ["retreat x1 0406-0507"]
    assert pos.why_not("retreat x1 0406-0407") == ("10.8", "0407 is occupied, and a vacant safe hex is open")
    assert pos.why_not("retreat x1 0306-0307") == ("10.7", "x1 cannot retreat far enough that way")


@pytest.mark.case("leningrad-1979", "13.3", "13.4")
def test_only_units_that_begin_in_an_interdicted_hex_pay_twice_to_leave_it():
    units = {"i1": {"due": "soviet-7-34th-army"}}
    pos = GAME.position({"game": GAME.id, "turn": 7, "phase": RED_MOVE, "units": units, "interdiction": {"2713": 1},
                         "map": {"hexes": {"2612": "clear"}, "hexsides": {"2612/2713": []}}})  # fmt: skip
    entered = pos.play("enter i1 2713")
    assert entered.document()["units"]["i1"]["left"] == "3", "twice the road into the interdicted hex"
    assert entered.reach("i1")["2612"].cost == 1, "it did not begin the phase there"


@pytest.mark.case("leningrad-1979", "13.4", "7.6")
def test_a_hex_taken_by_overrun_is_not_where_the_phase_began():
    units = {"x": soviet("0303", 60, 4, 7, "armor"), "12": "0403"}
    pos = field(RED_MOVE, units, turn=7, interdiction={"0403": 1}, air_used=1, dice=[6])
    advanced = pos.play("overrun x 0403").play("advance x 0403")
    assert advanced.reach("x")["0404"].cost == 1


@pytest.mark.case("leningrad-1979", "8.1", "8.5")
def test_targets_concern_the_units_that_could_be_added():
    units = {"12": "0303", "11": "0304", "21": "0101", "67rd": "0403", "70rd": "0402"}
    pos = field("german-combat", units)
    assert [str(o) for o in pos.legal.of("12")] == ["target 0402", "target 0403"]
    assert [str(o) for o in pos.legal.of("11")] == ["target 0403"]
    assert pos.legal.of("21") == pos.legal.of("67rd") == pos.legal.of("nobody") == []
    composing = pos.play("target 0403")
    assert [str(o) for o in composing.legal.of("12")] == ["target 0402", "add 12"], "it is next to both"
    assert [str(o) for o in composing.legal.of("11")] == ["add 11"]
    assert set(composing.legal.of("12")) <= set(composing.legal)


@pytest.mark.case("leningrad-1979", "10.9")
def test_the_second_vacated_hex_is_entered_through_the_first():
    pos = field("german-combat", {"x3": german("0404", 40), "x1": soviet("0405")}, dice=[1]).play("attack x3 0405")
    gone = pos.play("retreat x1 0406-0407")
    assert "advance x3 0405-0406" in gone.legal
    assert gone.why_not("advance x3 0406").message.endswith("advance x3 0405-0406")


@pytest.mark.case("leningrad-1979", "8.5", "9.1")
def test_the_targets_of_an_attack_are_listed_as_people_do():
    pos = field("german-combat", {"12": "0303", "67rd": "0403", "70rd": "0402", "48rd": "0304"})
    assert pos.play("attack 12 0403-0402-0304").events[0].text == "12 attacks 0403, 0402 and 0304"


@pytest.mark.case("leningrad-1979", "10.7", "10.8")
def test_an_occupied_dead_end_is_refused_as_one_where_no_vacant_hex_is_open():
    # friends stand in 0406 and 0306; only the first leads on
    units = {"x3": german("0404", 16), "x1": soviet("0405"), "x2": soviet("0406"), "x4": soviet("0306")}
    walls = {"0306/0206": ["lake"], "0306/0307": ["lake"], "0306/0205": ["lake"], "0306/0406": ["lake"],
             "0405/0506": ["lake"]}  # fmt: skip
    pos = field("german-combat", units, hexsides=walls, dice=[6]).play("attack x3 0405")
    assert "retreat x1 0406-0407" in pos.legal
    assert pos.why_not("retreat x1 0306-0307") == ("10.7", "x1 cannot retreat far enough that way")
    # where each hex is taken by itself, a vacant dead end must be taken before a friend's hex that leads on
    del units["x4"]
    lost = field("german-combat", units, hexsides=walls, dice=[6], options={"dead-ends": "lost"})
    assert refused(lost.play("attack x3 0405"), "retreat x1 0406-0407") == "10.8"
