"""Chapter 15: surprise, for the Soviets on turn 1 and for the Germans perhaps on turn 8."""

from __future__ import annotations

import pytest

from .field import GAME, field, german, left, net, on_map, orders, play, refused, shifts, soviet, tank, where

ARMY = {f"i{n}": {"due": "soviet-8-34th-army"} for n in range(30, 36)}


# Turn 1 ---------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-2010", "15.0", "15.1")
def test_no_disengaging_and_no_overruns_on_turn_1():
    units = {"x1": soviet("0505"), "x2": soviet("0505"), "e1": german("0506")}
    first = field("soviet-movement", units, turn=1)
    assert refused(first, "move x1 0504") == "15.1"
    assert refused(first, "overrun x1 0506") == "15.1"
    second = field("soviet-movement", units, turn=2)
    assert "move x1 0504" in second.legal
    assert "overrun x1 0506" in second.legal
    germans = field("german-movement", {"x1": german("0505"), "x2": german("0505"), "e1": soviet("0506")}, turn=1)
    assert "move x1 0504" in germans.legal
    assert "overrun x1 0506" in germans.legal


@pytest.mark.case("leningrad-2010", "15.1")
def test_units_within_reach_must_end_next_to_a_german():
    units = {"x1": soviet("0504"), "e1": german("0507"), "e2": german("0204")}
    position = field("soviet-movement", units, turn=1)
    assert refused(position, "end") == "15.1"
    assert refused(position, "move x1 0505") == "15.1"
    allowed = {o.split()[-1] for o in orders(position, "move")}
    assert allowed <= position.zoc("german")
    assert {"0506", "0304"} <= allowed, "any German unit will do, not only the nearest"
    assert "end" in position.play("move x1 0506").legal


@pytest.mark.case("leningrad-2010", "15.1")
def test_units_already_adjacent_may_stay():
    position = field("soviet-movement", {"x1": soviet("0505"), "e1": german("0506")}, turn=1)
    assert "end" in position.legal


@pytest.mark.case("leningrad-2010", "15.1")
def test_others_spend_everything_towards_the_nearest():
    position = field("soviet-movement", {"x1": soviet("0101"), "e1": german("0109")}, turn=1)
    assert refused(position, "move x1 0105") == "15.1", "a point is left"
    assert refused(position, "move x1 0601") == "15.1", "the wrong way"
    assert refused(position, "end") == "15.1"
    position = position.play("move x1 0106")
    assert left(position, "x1") == 0
    assert "end" in position.legal


@pytest.mark.case("leningrad-2010", "15.1", "4.6")
def test_no_march_ends_in_a_full_hex():
    """Only 0107 is next to the German across the lake; three stand there, so the fourth comes as near as it can."""
    water = {f"02{row:02}": "lake" for row in range(1, 10)}
    units = {f"x{n}": soviet("0107") for n in (1, 2, 3)} | {"x4": soviet("0104"), "e1": german("0108")}
    position = field("soviet-movement", units, turn=1, hexes=water)
    assert {o.split()[-1] for o in orders(position, "move") if o.startswith("move x4 ")} == {"0106"}
    assert refused(position, "move x4 0107") == "4.6"


@pytest.mark.case("leningrad-2010", "15.1")
def test_libau_and_kingisepp_stay_where_they_are():
    units = {"i1": "0205", "i2": "2204", "1": "0112"}
    position = on_map("soviet-movement", units, turn=1)
    assert refused(position, "move i1 0206") == "15.1"
    assert refused(position, "move i2 2305") == "15.1"
    assert "end" in position.legal, "nor need they"
    free = on_map("soviet-movement", units, turn=2)
    assert "move i1 0206" in free.legal


@pytest.mark.case("leningrad-2010", "15.1", "14.5")
def test_the_reinforcements_of_turn_1_must_come_and_march():
    position = on_map("soviet-movement", {"a10": {"due": "soviet-1-armor"}, "1": "0112"}, turn=1)
    assert refused(position, "end") == "14.5"
    position = position.play("enter a10 1113")
    assert refused(position, "end") == "15.1", "and then march on"
    moves = sorted(orders(position, "move"))
    assert moves
    assert "end" in position.play(moves[0]).legal


@pytest.mark.case("leningrad-2010", "15.2", "8.0")
def test_every_soviet_unit_next_to_germans_attacks_on_turn_1():
    units = {"x1": soviet("0504"), "x2": soviet("0604"), "e1": german("0505"), "e2": german("0503")}
    position = field("soviet-combat", units, turn=1, air_used=1)
    assert refused(position, "end") == "15.2"
    assert refused(position, "attack x1 0505") == "15.2", "x2 would have nobody left to attack"
    both = play(position, "attack x1+x2 0505", "die 6")
    assert both.fight.result == ("2", "1")
    both = play(both, "lose e1", "lose e1", "lose x2", "end")
    assert "end" in both.legal, "0503 need not be attacked"
    assert "attack x1 0503" in position.legal, "x2 can still attack 0505"
    assert "end" in field("soviet-combat", units, turn=2).legal


@pytest.mark.case("leningrad-2010", "15.2")
def test_attacks_may_be_shared_out_as_long_as_everybody_has_one():
    units = {"x1": soviet("0504"), "x2": soviet("0506"), "e1": german("0505", 6), "e2": german("0606")}
    position = field("soviet-combat", units, turn=1, air_used=1)
    position = play(position, "attack x1 0505", "die 1", "end")
    assert refused(position, "end") == "15.2", "x2 still owes its attack"
    assert orders(position, "target") == {"target 0606"}


# Turn 8 ---------------------------------------------------------------------------------------------


def eighth(units, **state):
    return on_map("soviet-movement", {**units, **ARMY}, turn=8, **state)


FRONT = {"1": "2308", "70rd": "2408"}
"""A German at Luga and a Soviet across the river from him, far from 2911."""


def entered(position, count=6, hex_="2911"):
    """The position after some divisions of the army came in, each going on to a hex of its own."""
    for number, unit in enumerate(list(ARMY)[:count]):
        position = position.play(f"enter {unit} {hex_}")
        position = position.play([o for o in sorted(orders(position, "move")) if o.startswith(f"move {unit} ")][number])
    return position


@pytest.mark.case("leningrad-2010", "15.0", "15.3")
def test_all_six_on_time_give_four_columns_to_every_attack_and_overrun():
    position = eighth(FRONT)
    assert "15.3" not in shifts(position, "overrun 70rd 2308")
    position = entered(position)
    assert shifts(position, "overrun 70rd 2308")["15.3"] == 4
    position = position.play("end")
    assert position.phase.id == "soviet-combat"
    assert shifts(position, "attack 70rd 2308")["15.3"] == 4, "far from 2911"


@pytest.mark.case("leningrad-2010", "15.3", "7.1")
def test_with_an_overrun_the_net_is_two_right():
    units = {"x1": soviet("0504", 12), "e1": german("0505", 6)}
    position = field("soviet-movement", units, turn=8, on_time=6)
    assert net(position, "overrun x1 0505") == 2
    assert net(field("soviet-combat", units, turn=8, on_time=6), "attack x1 0505") == 4


@pytest.mark.case("leningrad-2010", "15.3")
def test_germans_that_force_them_elsewhere_do_not_spoil_it():
    position = entered(eighth(FRONT | {"11": "2911"}), 0)
    for unit in ARMY:
        entry = next(o for o in sorted(orders(position, "enter")) if o.startswith(f"enter {unit} "))
        assert not entry.endswith("2911")
        position = position.play(entry)
    assert shifts(position, "overrun 70rd 2308")["15.3"] == 4


@pytest.mark.case("leningrad-2010", "15.3")
def test_any_delay_loses_it():
    position = entered(eighth(FRONT), 5).play("end")
    assert "15.3" not in shifts(position, "attack 70rd 2308")


@pytest.mark.case("leningrad-2010", "15.3")
def test_only_on_turn_8():
    units = {"x1": soviet("0504", 12), "e1": german("0505", 6)}
    for turn in (7, 9):
        assert "15.3" not in shifts(field("soviet-combat", units, turn=turn, on_time=6), "attack x1 0505")
    germans = field("german-combat", {"x1": german("0504"), "e1": soviet("0505")}, turn=8, on_time=6)
    assert "15.3" not in shifts(germans, "attack x1 0505")


@pytest.mark.case("leningrad-2010", "15.3", "14.3")
def test_late_units_may_enter_in_2906_too():
    on_time = eighth({"1": "0112"})
    assert refused(on_time, "enter i30 2906") == "15.3"
    late = on_map("soviet-movement", {"1": "0112", **ARMY}, turn=9)
    assert {"enter i30 2906", "enter i30 2911"} <= orders(late, "enter")
    assert late.play("enter i30 2906").on_time == 0


@pytest.mark.case("leningrad-2010", "15.3")
def test_the_bonus_is_a_figure_of_the_edition():
    assert (GAME.tables.bonus.turn, GAME.tables.bonus.shift, GAME.tables.bonus.overruns) == (8, 4, True)
    tanks = field("soviet-combat", {"x1": tank("0504", 12), "e1": german("0505", 6)}, turn=8, on_time=6)
    assert net(tanks, "attack x1 0505") == 5
    assert where(tanks, "x1") == "0504"
