"""Chapters 10 and 11: armor, panzer corps and air power."""

from __future__ import annotations

import pytest

from .field import cost, field, german, left, net, orders, panzer, play, refused, shifts, soviet, tank, where

ENEMY = {"e1": soviet("0505", 4, 9)}
CORPS_41 = {"1/41": "0504", "6/41": "0504", "36/41": "0504"}
CORPS_56 = {"8/56": "0604", "3/56": "0604", "TOT/56": "0604"}


def attack(units, **more):
    return field("german-combat", units | ENEMY, **more)


# 10.x -----------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-2010", "10.0", "10.1")
def test_a_whole_corps_in_one_hex_gives_a_column():
    position = attack(CORPS_56 | CORPS_41)
    assert shifts(position, "attack 8/56+3/56+TOT/56 0505") == {"10.1": 1, "10.2": 1}
    assert shifts(position, "attack 8/56+3/56 0505") == {"10.2": 1}, "all its units must attack"
    both = "attack 1/41+6/41+36/41+8/56+3/56+TOT/56 0505"
    assert shifts(position, both) == {"10.1": 2, "10.2": 1}, "one for each corps"


@pytest.mark.case("leningrad-2010", "10.1")
def test_a_corps_in_two_hexes_gives_nothing():
    position = attack(CORPS_41 | {"36/41": "0604"})
    assert shifts(position, "attack 1/41+6/41+36/41 0505") == {"10.2": 1}


@pytest.mark.case("leningrad-2010", "10.1")
def test_steps_do_not_matter_lost_units_do():
    reduced = {name: {"hex": "0504", "steps": 1} for name in CORPS_41}
    assert shifts(attack(reduced), "attack 1/41+6/41+36/41 0505")["10.1"] == 1
    lost = CORPS_41 | {"36/41": {"eliminated": True}}
    assert shifts(attack(lost), "attack 1/41+6/41 0505") == {"10.2": 1}


@pytest.mark.case("leningrad-2010", "10.1")
def test_the_39th_has_two_units():
    position = attack({"12/39": "0504", "20/39": "0504"}, turn=10)
    assert shifts(position, "attack 12/39+20/39 0505") == {"10.1": 1, "10.2": 1}


@pytest.mark.case("leningrad-2010", "10.1", "10.2", "10.4")
def test_corps_and_armor_defend_in_any_land():
    units = {"1/41": "0505", "6/41": "0505", "36/41": "0505", "x1": soviet("0504", 9)}
    for terrain, extra in (("clear", {}), ("forest", {"2.6": -1}), ("swamp", {"2.6": -1})):
        position = field("soviet-combat", units, hexes={"0505": terrain})
        assert shifts(position, "attack x1 0505") == {"10.1": -1, "10.2": -1, **extra}


@pytest.mark.case("leningrad-2010", "10.2")
def test_armor_not_mechanized_and_only_once():
    one = attack({"x1": panzer("0504"), "x2": panzer("0504"), "x3": german("0504", 8, 8, "mechanized")})
    assert shifts(one, "attack x1 0505") == {"10.2": 1}
    assert shifts(one, "attack x1+x2 0505") == {"10.2": 1}
    assert shifts(one, "attack x3 0505") == {}
    soviets = {"x1": tank("0504"), "x2": soviet("0504", 5, 5, "mechanized"), "e1": german("0505")}
    position = field("soviet-combat", soviets)
    assert shifts(position, "attack x1 0505") == {"10.2": 1}
    assert shifts(position, "attack x2 0505") == {}
    defended = field("german-combat", {"x1": german("0504"), "e1": tank("0505")}, hexes={"0505": "forest"})
    assert shifts(defended, "attack x1 0505") == {"10.2": -1, "2.6": -1}


@pytest.mark.case("leningrad-2010", "10.2")
@pytest.mark.parametrize(
    ("ground", "clear", "unfortified"),
    [({}, 1, 1), ({"sides": {"0504/0505": ["river"]}}, 1, 1), ({"places": {"0505": ["town"]}}, 1, 1),
     ({"roads": "0505 0506"}, 1, 1), ({"hexes": {"0505": "forest"}}, 0, 1), ({"hexes": {"0505": "swamp"}}, 0, 1),
     ({"hexes": {"0505": "hill"}}, 0, 1), ({"places": {"0505": ["city"]}}, 0, 1), ({"forts": ["0505"]}, 0, 0)],
)  # fmt: skip
def test_where_attacking_armor_counts(ground, clear, unfortified):
    """By default against clear ground without a fort, rivers or not; as the words stand against all but forts."""
    for choice, expected in (("clear", clear), ("unfortified", unfortified)):
        position = attack({"x1": panzer("0504")}, options={"armor-attacks": choice}, **ground)
        assert shifts(position, "attack x1 0505").get("10.2", 0) == expected
    every = position.explain("attack x1 0505").modifiers
    assert any(m.case == "10.2" for m in every), "a shift that does not apply is shown all the same"


@pytest.mark.case("leningrad-2010", "10.2", "8.21")
def test_all_attacked_hexes_must_be_open():
    units = {"x1": panzer("0504", 20), "e1": soviet("0505"), "e2": soviet("0404")}
    position = field("german-combat", units, hexes={"0404": "forest"})
    assert shifts(position, "attack x1 0505-0404") == {"2.6": -1}


@pytest.mark.case("leningrad-2010", "10.3")
def test_germans_in_soviet_cities_get_neither_shift():
    units = {"1/41": "0505", "6/41": "0505", "36/41": "0505", "x1": soviet("0504", 9)}
    assert net(field("soviet-combat", units, places={"0505": ["soviet-city"]}), "attack x1 0505") == 0
    assert net(field("soviet-combat", units, places={"0505": ["city"]}), "attack x1 0505") == -3
    soviets = {"x1": german("0504"), "e1": tank("0505")}
    assert net(field("german-combat", soviets, places={"0505": ["soviet-city"]}), "attack x1 0505") == -2


@pytest.mark.case("leningrad-2010", "10.4")
def test_corps_armor_and_air_add_up():
    assert net(attack(CORPS_41), "attack 1/41+6/41+36/41 0505 air 1") == 3


# 11.x -----------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-2010", "11.0")
def test_one_air_unit_until_turn_6_two_from_turn_7():
    for turn, most in ((1, 1), (6, 1), (7, 2), (12, 2)):
        position = attack({"x1": german("0504")}, turn=turn)
        assert f"attack x1 0505 air {most}" in position.legal
        if most == 1:
            assert refused(position, "attack x1 0505 air 2") == "11.5"
    soviets = field("soviet-combat", {"x1": soviet("0504"), "e1": german("0505")})
    assert refused(soviets, "attack x1 0505 air 1") == "11.0"


@pytest.mark.case("leningrad-2010", "11.0", "11.1")
def test_a_column_for_each_air_unit_in_attack_and_defence():
    position = attack({"x1": german("0504")}, turn=7)
    assert [net(position, f"attack x1 0505 air {n}") for n in (1, 2)] == [1, 2]
    defence = field("soviet-combat", {"x1": soviet("0504", 12), "e1": german("0505")}, turn=7)
    defence = defence.play("attack x1 0505")
    assert defence.to_move == "german", "committed before the die"
    assert [defence.play(f"air {n}").fight.column for n in (0, 1, 2)] == [1, 0, -1]


@pytest.mark.case("leningrad-2010", "11.0")
def test_air_joins_before_the_roll_not_after():
    position = play(attack({"x1": german("0504")}), "attack x1 0505")
    assert refused(position, "air 1") == "8.3"


@pytest.mark.case("leningrad-2010", "11.0", "11.1")
def test_air_helps_against_soviet_overruns_too():
    position = field("soviet-movement", {"x1": soviet("0504", 12), "e1": german("0505")}).play("overrun x1 0505")
    assert orders(position, "air") == {"air 0", "air 1"}


@pytest.mark.case("leningrad-2010", "11.1")
def test_air_neither_attacks_alone_nor_dies():
    position = play(attack({"x1": german("0504")}), "target 0505", "air 1")
    assert refused(position, "commit") == "8.31"
    lost = play(attack({"x1": german("0504", 1)}), "attack x1 0505 air 1", "die 1")
    assert where(lost, "x1") == "eliminated"
    while lost.turn == 4:
        lost = lost.play("end")
    assert "interdict 0606" in field("german-interdiction", {"x1": german("0101"), **ENEMY}, turn=5).legal
    full = {f"x{n}": german("0504") for n in (1, 2, 3)}
    position = field("german-interdiction", full | ENEMY).play("interdict 0504").play("end")
    assert position.phase.id == "soviet-movement", "it does not count for stacking"


@pytest.mark.case("leningrad-2010", "11.2")
def test_air_is_committed_before_untried_units_are_revealed():
    position = field("soviet-combat", {"i1": "0504", "x1": german("0505")})
    position = position.play("attack i1 0505")
    assert position.agenda[0].at == "air"
    assert position.untried(position.slot("i1"))
    position = position.play("air 1")
    assert position.agenda[0].at == "reveal"
    attackers = field("german-combat", {"x1": german("0504"), "i1": "0505"}).play("attack x1 0505 air 1")
    assert attackers.agenda[0].at == "reveal"
    assert refused(attackers, "air 1") == "12.1"


def interdicted(air, terrain="clear", unit=None, **more):
    units = {"x1": unit or soviet("0504"), "e1": german("0101")}
    return field("soviet-movement", units, turn=7, interdiction={"0505": air}, hexes={"0505": terrain}, **more)


@pytest.mark.case("leningrad-2010", "11.3")
def test_interdiction_doubles_and_quadruples():
    assert cost(interdicted(1), "x1", "0505") == 2
    assert cost(interdicted(2), "x1", "0505") == 4
    assert cost(interdicted(1, "forest"), "x1", "0505") == 4
    river = {"0504/0505": ["river"]}
    crossing = interdicted(1, unit=tank("0504"), sides=river).play("move x1 0505-0506")
    assert left(crossing, "x1") == 7 - 4 - 1, "terrain and river are doubled together"
    assert cost(interdicted(1, unit=tank("0504"), roads="0504 0505"), "x1", "0505") == 1
    germans = field("german-movement", {"x1": german("0504"), "e1": soviet("1209")}, turn=7, interdiction={"0505": 2})
    assert cost(germans, "x1", "0505") == 1


@pytest.mark.case("leningrad-2010", "11.4")
def test_starting_in_an_interdicted_hex():
    units = {"x1": soviet("0505"), "e1": german("0101")}
    position = field("soviet-movement", units, turn=7, interdiction={"0505": 1})
    assert cost(position, "x1", "0506") == 2
    assert cost(position, "x1", "0507") == 3, "only the first hex"
    assert left(position.play("move x1 0506-0507"), "x1") == 2
    quadruple = field("soviet-movement", units, turn=7, interdiction={"0505": 2})
    assert cost(quadruple, "x1", "0506") == 4
    both = field("soviet-movement", units, turn=7, interdiction={"0505": 1, "0506": 1})
    assert cost(both, "x1", "0506") == 4


@pytest.mark.case("leningrad-2010", "11.5")
def test_each_air_unit_once_a_turn():
    units = {"x1": german("0504"), "x2": german("0704"), "e1": soviet("0505"), "e2": soviet("0705")}
    position = play(field("german-combat", units), "attack x1 0505 air 1", "die 1", "lose x1")
    assert refused(position, "attack x2 0705 air 1") == "11.5"
    ended = position.play("end")
    assert ended.phase.id == "soviet-movement", "nothing left to interdict with"
    assert refused(ended, "interdict 0606") == "11.5"
    placed = field("german-interdiction", {"x1": german("0101"), **ENEMY}).play("interdict 0606")
    assert refused(placed, "interdict 0606") == "11.5", "the phase has passed because there is no other"
    assert refused(field("german-combat", units), "interdict 0606") == "3.0", "still to come"
    over = field("german-movement", {"x1": german("0504"), "e1": soviet("0505")}, air_used=1)
    assert refused(over, "overrun x1 0505 air 1") == "11.5"
    spent = field("german-interdiction", {"x1": german("0101"), **ENEMY}, air_used=1)
    assert refused(spent, "interdict 0606") == "11.5"


@pytest.mark.case("leningrad-2010", "11.1")
def test_the_attacker_is_told_that_air_units_may_still_join_the_defence():
    units = {"x1": german("0505"), "e1": soviet("0504", 12)}

    def told(position, order="attack e1 0505"):
        return [note for note in position.explain(order).notes if "(11.1)" in note]

    (one,) = told(field("soviet-combat", units))
    assert one.startswith("An air unit may still join the defence")
    (two,) = told(field("soviet-movement", units, turn=7), "overrun e1 0505")
    assert two.startswith("Up to 2 air units")
    assert told(field("soviet-combat", units, air_used=1)) == []
    assert told(field("german-combat", units), "attack x1 0504") == []
    asked = field("soviet-combat", units).play("attack e1 0505")
    assert told(asked, "air 1") == [], "now it is the answer that is weighed"
    assert net(asked, "air 1") == -1
