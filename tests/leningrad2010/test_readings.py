"""How the second edition is read where its text leaves a choice: each reading, and the option beside it."""

from __future__ import annotations

import pytest

from .field import GAME, field, german, on_map, orders, panzer, play, refused, soviet, where

CITY = {"0505": ["city"]}


def resting(**more):
    """A reduced German unit in a city since turn 2, a Soviet unit beside it on turn 3."""
    units = {"x1": german("0505", 6, steps=1, since=2), "e1": soviet("0506", 4, 4), "e2": soviet("1209")}
    return field("soviet-combat", units, turn=3, places=CITY, air_used=1, **more)


@pytest.mark.case("leningrad-2010", "14.9", "14.6")
def test_a_unit_attacked_while_rebuilding_is_refused_because_it_fought_there():
    position = play(resting(), "attack e1 0505", "die 1", "end", "end soviet-combat")
    assert (position.turn, position.phase.id) == (4, "german-movement")
    asked = GAME.position({**position.document(), "phase": "german-replacement"})
    assert asked.document()["units"]["x1"]["fought"]
    assert refused(asked, "rebuild x1") == "14.9"
    assert asked.why_not("rebuild x1").message == "x1 fought in 0505 on turn 3: a whole turn without a fight is needed"
    moved = play(position, "move x1 0405", "move x1 0505")
    assert "fought" not in moved.document()["units"]["x1"], "what starts the clock now is the march"
    asked = field("german-replacement", {"x1": german("0505", steps=1, since=3), "e2": soviet("1209")}, places=CITY)
    assert refused(asked, "rebuild x1") == "14.6", "it came last turn, and did not fight"


@pytest.mark.case("leningrad-2010", "14.9")
def test_the_attacker_has_fought_too_and_rests_a_whole_turn_afterwards():
    units = {"x1": german("0505", 12, steps=1, since=2), "e1": soviet("0506", 1, 1), "e2": soviet("1209")}
    fought = play(field("german-combat", units, turn=3, places=CITY), "attack x1 0506", "die 6", "end")
    assert fought.fight is None
    assert fought.document()["units"]["x1"]["fought"]
    document = {**fought.document(), "phase": "german-replacement", "turn": 5}
    document["units"]["x1"] |= {"since": 3, "attacked": False, "fought": True}
    assert "rebuild x1" in GAME.position(document).legal, "turn 4 was quiet"


@pytest.mark.case("leningrad-2010", "14.9")
def test_only_reduced_germans_are_told_to_have_fought():
    document = field("german-replacement", {"x1": german("0505", since=3), "e1": soviet("1209")}).document()
    document["units"]["x1"]["fought"] = True
    with pytest.raises(Exception, match=r"units\.x1\.fought: only a reduced German unit"):
        GAME.position(document)


@pytest.mark.case("leningrad-2010", "8.43")
def test_a_defender_does_not_advance_because_the_result_was_split():
    units = {"x1": german("0504", 8), "e1": soviet("0505", 4, 4), "e2": soviet("0505", 4, 4)}
    position = play(field("german-combat", units), "attack x1 0505", "die 5")
    assert position.document()["fight"]["result"] == "1/1"
    position = play(position, "lose e2", "retreat x1 0503")
    assert refused(position, "advance e1 0504") == "8.43"


@pytest.mark.case("leningrad-2010", "7.4", "14.1")
def test_units_that_entered_together_overrun_one_at_a_time_unless_an_option_lets_them():
    due = {"12/39": {"due": "german-10"}, "20/39": {"due": "german-10"}, "e1": soviet("2212", 1, 1)}
    position = on_map("german-movement", due, turn=10).play("enter 12/39+20/39 2213")
    assert refused(position, "overrun 12/39+20/39 2212") == "7.4"
    assert "overrun 12/39 2212" in position.legal
    free = on_map("german-movement", due, turn=10, options={"arrivals-overrun": "together"})
    assert "overrun 12/39+20/39 2212" in free.play("enter 12/39+20/39 2213").legal


ARMY = [f"i{n}" for n in range(32, 38)]


def army_arrives(**units):
    due = {name: {"due": "soviet-8-34th-army"} for name in ARMY}
    return on_map("soviet-movement", {**due, **units}, turn=8)


@pytest.mark.case("leningrad-2010", "15.3", "14.2")
def test_the_bonus_needs_the_entry_hex_or_germans_in_it():
    """Four a hex are no trouble on the way (4.6), so all six can enter at 2911; one who goes elsewhere for friends'
    sake loses the bonus, one who goes elsewhere for the enemy's does not."""
    friends = {f"e{n}": soviet("2911") for n in (1, 2, 3)}
    crowded = army_arrives(**friends)
    assert crowded.play(f"enter {ARMY[0]} 2911").document()["on_time"] == 1
    elsewhere = next(o for o in crowded.legal if o.verb == "enter" and o.units == (ARMY[0],) and o.hexes != ("2911",))
    lost = crowded.play(elsewhere)
    assert "on_time" not in lost.document()
    assert ("bonus lost", "15.3") in [(event.kind, event.case) for event in lost.events]
    held = army_arrives(x1=german("2911"))
    elsewhere = next(o for o in held.legal if o.verb == "enter" and o.units == (ARMY[0],))
    assert held.play(elsewhere).document()["on_time"] == 1


@pytest.mark.case("leningrad-2010", "8.47")
def test_a_vacant_dead_end_is_passed_over_or_by_option_taken_and_lost():
    units = {"x1": german("0504", 16), "e1": soviet("0505"), "e2": soviet("0506")}
    grid = field("german-combat", units).ground.grid
    near = {n for n in grid.numbers if grid.adjacent(grid.hex(n), grid.hex("0505"))}
    open_hexes = {n for n in near if grid.distance(grid.hex(n), grid.hex("0504")) == 2} - {"0506"}
    dead, shut = sorted(open_hexes)
    beyond = [n for n in grid.numbers if grid.adjacent(grid.hex(n), grid.hex(dead)) and n != "0505"]
    lakes = {"/".join((dead, n)): ["lake"] for n in beyond} | {f"0505/{shut}": ["lake"]}
    avoided = play(field("german-combat", units, sides=lakes), "attack x1 0505", "die 6")
    assert orders(avoided, "retreat")
    assert all(text.startswith("retreat e1 0506-") for text in orders(avoided, "retreat"))
    lost = play(field("german-combat", units, sides=lakes, options={"dead-ends": "lost"}), "attack x1 0505", "die 6")
    assert orders(lost, "retreat") == {"retreat e1"}
    assert where(lost.play("retreat e1"), "e1") == "eliminated"


@pytest.mark.case("leningrad-2010", "4.2", "4.5")
def test_of_equally_cheap_ways_a_mixed_stack_takes_the_one_that_is_cheapest_for_its_armor():
    """Foot pays two points in a swamp and in a forest, armor three and two."""
    units = {"x1": german("0505"), "x2": panzer("0505"), "e1": soviet("1209")}
    grid = field("german-movement", units).ground.grid
    near = [n for n in grid.numbers if grid.adjacent(grid.hex(n), grid.hex("0505"))]
    tried = 0
    for first in near:
        for second in near:
            for end in grid.numbers:
                between = {m for m in near if grid.adjacent(grid.hex(m), grid.hex(end))}
                if end in near or first == second or between != {first, second}:
                    continue
                position = field("german-movement", units, hexes={first: "forest", second: "swamp"})
                position = position.play(f"move x1+x2 {end}")
                assert position.active == {position.slot("x1"): 2 * (6 - 3), position.slot("x2"): 2 * (8 - 3)}
                tried += 1
    assert tried == 12
