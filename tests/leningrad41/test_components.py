"""Chapters 1 and 2: what the game is, and what stands on the counters."""

from __future__ import annotations

import pytest

from ladoga.games.leningrad41.counters import UNLIMITED

from .conftest import refused
from .made_up import german, soviet


@pytest.mark.case("leningrad41", "1.0", "1.1")
def test_two_sides_and_ten_turns_of_late_summer(game):
    assert game.sides == ("german", "soviet")
    assert game.turns == 10
    assert game.calendar[0].endswith("July 1941")
    assert game.calendar[-1].endswith("August 1941")


@pytest.mark.case("leningrad41", "1.2")
def test_three_days_a_turn_and_half_a_kilometre_a_hex(game):
    assert game.set_up.calendar.days == 3
    assert game.calendar[:2] == ("25-27 July 1941", "28-30 July 1941")
    assert game.map.file.boards["main"].hex_km == 0.5


@pytest.mark.case("leningrad41", "2.0", "2.1", "2.4", "2.13")
def test_counters_add_up(game):
    counts = {name: len(group.units) for name, group in game.roster.groups.items()}
    assert counts == {
        "3M": 13, "8P": 14, "269": 16, "SSP": 16, "SST": 18, "7F": 7, "56": 16, "LW": 10, "42": 54, "LFR": 38,
    }  # fmt: skip
    assert sum(counts.values()) == 202  # and 26 markers make 228
    assert not any(unit.type == "marker" for unit in game.units.values())


@pytest.mark.case("leningrad41", "2.2")
def test_hex_numbers_run_by_rows_from_the_north_and_from_the_east(game):
    grid = game.map.grid
    assert grid.distance(grid.hex("2202"), grid.hex("2206")) == 4
    assert grid.adjacent(grid.hex("2202"), grid.hex("2203"))
    x1, y1 = grid.centre(grid.hex("0101"))
    x2, y2 = grid.centre(grid.hex("5110"))
    assert x2 < x1
    assert y2 > y1


@pytest.mark.case("leningrad41", "2.3")
def test_soviet_east_german_south(game):
    # the Soviet player sits at the east edge, where his reserves enter; the German enters from the south
    german_entry, soviet_entry = game.ground(game.map).entry
    rows = {game.map.grid.number(h)[:2] for h in game.map.grid.members(german_entry)}
    assert rows == {"51"}
    assert soviet_entry >> game.map.grid.hex("4501") & 1
    assert not soviet_entry >> game.map.grid.hex("4601") & 1


@pytest.mark.case("leningrad41", "2.5", "2.12")
def test_figures_on_a_counter(game):
    assert game.units["I/8M"].figures == "(6)-1"
    assert game.units["I/10"].figures == "9A-2"
    assert game.units["I/3A"].figures == "4+-21"
    assert game.units["RBF"].range == UNLIMITED
    assert game.units["Air-10"].figures == "10+-U"


@pytest.mark.case("leningrad41", "2.6")
def test_sub_commands(game):
    assert game.roster.commands == ("3M", "8P", "269", "SSP", "SST", "7F", "56", "LW", "42", "LFR")
    assert game.roster.divisions == ("3M", "8P", "269", "SSP", "SST", "7F")


@pytest.mark.case("leningrad41", "2.7")
def test_names_tell_the_formation(game):
    assert game.units["I/8p"].command == "8P"  # lower-case p: panzergrenadier
    assert game.units["I/1P"].command == "SSP"  # upper-case P: Polizei
    assert game.units["I/1T"].command == "SST"
    assert game.units["I/3F"].command == "7F"
    assert game.units["RBF"].type == "naval-bombardment"
    assert game.units["1RB/LFR"].type == "rifle"


@pytest.mark.case("leningrad41", "2.8", "6.1")
def test_a_brigade_stacks_as_one_unit(place):
    obj = {"0605": "objective"}
    big = soviet("0605", size="X")
    pos = place({"x1": big, "x2": soviet("0604", size="I"), "x3": soviet("0603")}, "soviet-movement", hexes=obj)
    pos = pos.play("move x2 0605")
    assert refused(pos, "move x3 0605") == "6.1"


@pytest.mark.case("leningrad41", "2.9", "8.1")
@pytest.mark.parametrize(("made", "phase", "far", "too_far"), [
    (german, "german-movement", "0218", "0219"),
    (soviet, "soviet-movement", "0214", "0215"),
])  # fmt: skip
def test_allowances(place, made, phase, far, too_far):
    pos = place({"x1": made("0202")}, phase, size=(30, 3))
    assert f"move x1 {far}" in pos.legal
    assert refused(pos, f"move x1 {too_far}") == "8.3"


@pytest.mark.case("leningrad41", "2.10")
def test_every_unit_has_a_type_and_is_armored_or_not(game):
    assert {unit.id for unit in game.units.values() if unit.armored and unit.command == "8P"} == {
        "I/10", "II/10", "III/10", "59/8P",
    }  # fmt: skip
    assert game.units["LG42"].armored


@pytest.mark.case("leningrad41", "2.11")
def test_armor_moves_as_motorized_and_wheels_do_not_armor(game, place):
    assert game.units["I/10"].motorized
    assert game.units["I/8M"].motorized
    assert not game.units["I/8M"].armored
    pos = place({"I/10": {"hex": "0202"}}, "german-movement", size=(40, 3))
    assert "move I/10 0234 motorized" in pos.legal
    assert refused(pos, "move I/10 0235 motorized") == "8.3"


@pytest.mark.case("leningrad41", "errata")
def test_objective_hexes_never_count_as_urban(place):
    pos = place({"x1": german("0505"), "x2": soviet("0504")}, hexes={"0504": "objective"})
    labels = [(m.label, m.amount) for m in pos.explain("attack x1 0504").modifiers]
    assert labels == [("Objective", 2)]
    assert pos.ground.entry_cost(pos.map.grid.hex("0504")) == 3
    assert not pos.ground.urban & pos.ground.objective


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
