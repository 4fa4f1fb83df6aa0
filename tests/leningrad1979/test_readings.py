"""How Leningrad is read where its book leaves a choice (docs/readings): each reading, and the option beside it."""

from __future__ import annotations

import pytest

from leningrad1979.field import GAME, field, german, orders, refused, shifts, soviet, where

MOVE, COMBAT, RED_MOVE, RED_COMBAT = "german-movement", "german-combat", "soviet-movement", "soviet-combat"


# A split result (10.3) ------------------------------------------------------------------------------


def beaten_off(dice, strength=8):
    """A German attacks a Soviet unit and is to be thrown back."""
    units = {"x3": german("0404", strength), "x1": soviet("0405", 4, 4), "x2": soviet("0405", 4, 4)}
    return field(COMBAT, units, dice=dice)


@pytest.mark.case("leningrad-1979", "10.3")
def test_a_defender_does_not_advance_because_the_result_was_split():
    pos = beaten_off([5]).play("attack x3 0405")
    assert pos.document()["fight"]["result"] == "1/1"
    assert refused(pos, "advance x1 0404") == "10.3", "not while his own loss is due"
    pos = pos.play("lose x2")
    assert refused(pos, "advance x1 0404") == "10.3", "nor while the attacker's is"
    pos = pos.play("retreat x3 0403")
    assert pos.fight is None
    assert pos.events[-1].case == "10.3"
    assert pos.why_not("advance x1 0404") == ("10.3", "x1: no advance for the defender after a split result")
    assert refused(pos, "advance x3 0404") == "10.9", "the attacker has lost, that is all"
    assert refused(pos.play("end"), "advance x1 0404") == "10.9", "later it is simply too late"


@pytest.mark.case("leningrad-1979", "10.9", "10.3")
def test_a_defender_left_unhurt_does_advance():
    pos = field(COMBAT, {"x3": german("0404", 8), "x1": soviet("0405", 4, 8)}, dice=[2]).play("attack x3 0405")
    assert pos.document()["fight"]["result"] == "-/1"
    pos = pos.play("retreat x3 0403")
    assert pos.choice == "the defender's advance after combat"
    assert where(pos.play("advance x1 0404"), "x1") == "0404"


@pytest.mark.case("leningrad-1979", "7.7")
def test_those_who_were_overrun_do_not_advance():
    units = {"x3": german("0404", 24), "x1": soviet("0405", 4, 8)}
    pos = field(MOVE, units, dice=[2]).play("overrun x3 0405")
    assert pos.document()["fight"]["result"] == "-/1"
    pos = pos.play("retreat x3 0403")
    assert refused(pos, "advance x1 0404") == "7.7"


# Retreats with a dead end (10.7, 10.8) --------------------------------------------------------------

WALLS = {"0306/0206": ["lake"], "0306/0307": ["lake"], "0306/0205": ["lake"], "0306/0406": ["lake"],
         "0405/0506": ["lake"]}  # fmt: skip


@pytest.mark.case("leningrad-1979", "10.7", "10.8")
def test_a_vacant_dead_end_is_passed_over_or_by_option_taken_and_lost():
    """0306 is vacant and leads nowhere; 0406 is held by a friend and leads on."""
    units = {"x3": german("0404", 16), "x1": soviet("0405"), "x2": soviet("0406")}
    avoided = field(COMBAT, units, hexsides=WALLS, dice=[6]).play("attack x3 0405")
    assert set(orders(avoided, "retreat")) == {"retreat x1 0406-0407", "retreat x1 0406-0307", "retreat x1 0406-0507"}
    lost = field(COMBAT, units, hexsides=WALLS, dice=[6], options={"dead-ends": "lost"}).play("attack x3 0405")
    assert orders(lost, "retreat") == ["retreat x1"]
    assert where(lost.play("retreat x1"), "x1") == "eliminated"


# Reinforcements that overrun (7.4, 16.1) ------------------------------------------------------------


def entering(**options):
    """The 39th Panzer Corps at its entry hex on turn 10, with an enemy next to it."""
    units = {"12/39": {"due": "german-10"}, "20/39": {"due": "german-10"}, "x1": soviet("2212", 1, 1)}
    return GAME.position({"game": GAME.id, "turn": 10, "phase": MOVE, "units": units, "options": options})


@pytest.mark.case("leningrad-1979", "7.4", "16.1")
def test_units_that_entered_together_overrun_one_at_a_time():
    pos = entering().play("enter 12/39+20/39 2213")
    assert refused(pos, "overrun 12/39+20/39 2212") == "7.4"
    assert "just entered" in pos.why_not("overrun 12/39+20/39 2212").message
    assert {len(order.units) for order in pos.legal if order.verb == "overrun"} == {1}
    assert pos.play("overrun 12/39 2212").fight is not None
    assert refused(GAME.position(pos.document()), "overrun 12/39+20/39 2212") == "7.4"


@pytest.mark.case("leningrad-1979", "7.4", "16.1")
def test_by_option_a_stack_that_entered_as_one_overruns_as_one():
    pos = entering(**{"arrivals-overrun": "together"}).play("enter 12/39+20/39 2213")
    assert "overrun 12/39+20/39 2212" in pos.legal
    assert {len(order.units) for order in pos.legal if order.verb == "overrun"} == {1, 2}


@pytest.mark.case("leningrad-1979", "7.4")
def test_units_that_began_the_phase_in_one_hex_overrun_together():
    pos = field(MOVE, {"12": "0404", "30": "0404", "x1": soviet("0406", 1, 1)}).play("move 12+30 0405")
    assert "overrun 12+30 0406" in pos.legal


# The counterattack of turn 7 (17.4) -----------------------------------------------------------------

ARMY = [f"i{n}" for n in range(31, 37)]


def army_arrives(**units):
    """The six divisions of the 34th Army wait for turn 7; who else is about is told."""
    due = {name: {"due": "soviet-7-34th-army"} for name in ARMY}
    return GAME.position({"game": GAME.id, "turn": 7, "phase": RED_MOVE, "units": {**due, **units}})


def entered(pos):
    """All six, three at a time where there is room for three."""
    for name in ARMY:
        pos = pos.play(next(o for o in pos.legal if o.verb == "enter" and o.units == (name,)))
        if any(o.verb == "move" and o.units == (name,) and o.hexes == ("2712",) for o in pos.legal):
            pos = pos.play(f"move {name} 2712") if len(pos.stack(pos.ground.grid.hex("2712"))) < 3 else pos
    return pos


@pytest.mark.case("leningrad-1979", "17.4", "16.2")
def test_the_bonus_is_lost_when_friends_alone_block_the_entry_hex():
    friends = {f"x{n}": soviet("2713") for n in (1, 2, 3)}
    pos = army_arrives(**friends, **{"12": {"hex": "2609"}, "x4": soviet("2608", 10, 10)})
    first = pos.play(next(o for o in pos.legal if o.verb == "enter" and o.units == ("i31",)))
    assert where(first, "i31") != "2713"
    assert [e.kind for e in first.events if e.case == "17.4"] == ["bonus lost"]
    assert first.document().get("on_time", 0) == 0


@pytest.mark.case("leningrad-1979", "17.4", "16.2")
def test_the_bonus_holds_when_germans_block_the_entry_hex():
    pos = army_arrives(**{"12": {"hex": "2713"}})
    for name in ARMY:
        pos = pos.play(next(o for o in pos.legal if o.verb == "enter" and o.units == (name,)))
        assert where(pos, name) != "2713"
    assert pos.document()["on_time"] == 6
    attack = next(o for o in pos.play("end").legal if o.verb == "target")
    pos = pos.play("end").play(attack)
    adding = next(o for o in pos.legal if o.verb == "add")
    assert shifts(pos.play(adding), "commit")["17.4"] == 4


@pytest.mark.case("leningrad-1979", "17.4")
def test_the_bonus_holds_when_all_six_enter_where_they_are_due():
    pos = entered(army_arrives())
    assert pos.document()["on_time"] == 6


@pytest.mark.case("leningrad-1979", "17.4")
def test_the_note_to_the_schedule_says_left_and_an_option_follows_it():
    assert GAME.options["bonus-direction"].default == "right"
    assert "left" in GAME.options["bonus-direction"].choices


# Replacements (16.6) --------------------------------------------------------------------------------


@pytest.mark.case("leningrad-1979", "16.6", "16.7")
def test_the_hex_is_free_of_enemy_zones_when_the_unit_is_rebuilt_whatever_was_before():
    """A Soviet unit stands beside the city for most of turn 4 and is gone, or not, before turn 5."""
    resting = {"1/41": {"hex": "0404", "steps": 1, "since": 3}, "x3": german("0606", 40)}
    units = {**resting, "x1": soviet("0405"), "x2": soviet("1209")}
    city = {"0404": ["city", "german-supply"]}
    beside = field(COMBAT, units, places=city, air_used=1)
    assert beside.zoc("soviet") >= {"0404"}
    destroyed = field(COMBAT, {**units, "x3": german("0406", 40)}, places=city, air_used=1, dice=[6])
    destroyed = destroyed.play("attack x3 0405").play("end").play("end german-combat").play("end soviet-movement")
    assert (destroyed.turn, destroyed.phase.id) == (5, "german-replacement")
    assert "rebuild 1/41" in destroyed.legal, "the zone of last turn is not asked for"
    still = beside.play("end").play("end soviet-movement").play("end soviet-combat")
    assert still.turn == 5
    assert still.phase.id == MOVE, "nobody to rebuild"
    assert "German replacements: nothing to do" in [event.text for event in still.events]
    there = GAME.position({**still.document(), "phase": "german-replacement"})
    assert refused(there, "rebuild 1/41") == "16.7"


# A move by its destination (4.2, 4.5) ---------------------------------------------------------------


@pytest.mark.case("leningrad-1979", "4.2", "4.5")
@pytest.mark.parametrize("middle", ["0405", "0304", "0305", "0504", "0505", "0403", "0404"])
def test_of_equally_cheap_ways_a_mixed_stack_takes_the_one_that_is_cheapest_for_its_armor(middle):
    """The infantry pays two points either way; along the road the panzers pay one."""
    start, grid = "0404", GAME.position({"game": GAME.id, "phase": MOVE, "map": {"blank": [12, 9]}}).ground.grid
    for end in ("0605", "0604", "0205", "0305", "0204", "0306", "0506"):
        near = {n for n in grid.numbers if grid.adjacent(grid.hex(n), grid.hex(start))}
        if middle not in near or not grid.adjacent(grid.hex(middle), grid.hex(end)) or end in near:
            continue
        road = {"/".join(sorted((start, middle))): ["road"], "/".join(sorted((middle, end))): ["road"]}
        pos = field(MOVE, {"12": start, "1/41": start}, hexsides=road).play(f"move 12+1/41 {end}")
        assert pos.active == {pos.slot("12"): 2 * (6 - 2), pos.slot("1/41"): 2 * (8 - 1)}
        assert pos.events[-1].text == f"12+1/41 to {end}, 2 points, armored units 1 point"
        assert "armored" not in field(MOVE, {"12": start, "1/41": start}).play(f"move 12+1/41 {end}").events[-1].text
