"""Chapter 9: defensive fire."""

from __future__ import annotations

from fractions import Fraction

import pytest

import ladoga

from .conftest import refused, where
from .made_up import german, soviet


@pytest.mark.case("leningrad41", "9.0", "9.1", "9.2", "5.3")
def test_the_other_side_is_asked_each_time_a_unit_comes_adjacent(place):
    pos = place({"x1": german("0508"), "x2": soviet("0505")}, "german-movement").play("move x1 0507")
    assert pos.to_move == "german"  # not adjacent yet
    pos = pos.play("move x1 0506")
    assert pos.to_move == "soviet"
    assert {str(order) for order in pos.legal} == {"add x2", "end"}
    assert refused(pos, "move x1 0507") == "9.2"


@pytest.mark.case("leningrad41", "9.1")
def test_leaving_or_starting_adjacent_draws_no_fire(place):
    pos = place({"x1": german("0506"), "x2": soviet("0505")}, "german-movement").play("move x1 0507")
    assert pos.to_move == "german"


@pytest.mark.case("leningrad41", "9.2")
def test_a_walk_around_a_unit_draws_fire_in_every_hex(place):
    pos = place({"x1": german("0508"), "x2": soviet("0505")}, "german-movement")
    grid = pos.map.grid
    ring = [grid.number(grid.neighbours(grid.hex("0505"))[d]) for d in range(6)]
    pos = pos.play("move x1 0507")
    at = ring.index("0506")
    way = ring[at:] + ring[:at]
    fires = 0
    for number in way:
        pos = pos.play(f"move x1 {number}")
        assert pos.to_move == "soviet"
        pos = pos.play(f"attack x2 {number}").play("die 6")
        fires += 1
    assert fires == 6


@pytest.mark.case("leningrad41", "9.2")
def test_only_the_moving_unit_is_struck(place):
    units = {"x1": german("0507"), "x3": german("0506"), "x2": soviet("0505", fire=50)}
    pos = place(units, "german-movement").play("move x1 0506").play("attack x2 0506")
    pos = pos.play("die 1")
    assert where(pos, "x1") == "dead"
    assert where(pos, "x3") == "0506"
    assert pos.to_move == "german"


@pytest.mark.case("leningrad41", "9.2", "10.2")
def test_one_combined_fire_and_nobody_must_fire(place):
    units = {"x1": german("0507"), "x2": soviet("0505"), "x3": soviet("0405", command="LFR")}
    pos = place(units, "german-movement").play("move x1 0506")
    both = pos.play("add x2").play("add x3").play("commit")  # sub-commands mix freely
    assert both.to_move == "chance"
    after = both.play("die 6")
    assert after.to_move == "german"  # no second fire at the same entry
    assert pos.play("end").to_move == "german"


@pytest.mark.case("leningrad41", "9.2", "8.6")
def test_terrain_protects_the_mover(place):
    sides = {"hexes": {"0506": "urban"}, "places": {"0506": ["fortified"]}}
    pos = place({"x1": german("0507"), "x2": soviet("0505")}, "german-movement", **sides).play("move x1 0506")
    labels = [m.label for m in pos.explain("attack x2 0506").modifiers]
    assert labels == ["Urban"]  # a fortification is of no use to a German
    pos = place({"x1": german("0505"), "x2": soviet("0507")}, "soviet-movement", **sides).play("move x2 0506")
    assert [m.label for m in pos.explain("attack x1 0506").modifiers] == ["Urban", "Fortification"]


@pytest.mark.case("leningrad41", "9.2", "13.3", "13.4")
def test_unit_limits_in_defensive_fire_are_an_option(place):
    grid = place({"x1": german("0509")}).map.grid
    ring = [grid.number(h) for h in grid.neighbours(grid.hex("0508")) if grid.number(h) != "0509"]
    four = {f"s{n}": soviet(h) for n, h in enumerate(ring[:4])}
    names = sorted(four)
    pos = place(four | {"x1": german("0509")}, "german-movement").play("move x1 0508")
    assert refused(pos, f"attack {'+'.join(names)} 0508") == "13.4"
    assert f"attack {'+'.join(names[:3])} 0508" in pos.legal
    free = place(four | {"x1": german("0509")}, "german-movement", options={"defensive-fire-caps": False})
    assert f"attack {'+'.join(names)} 0508" in free.play("move x1 0508").legal
    led = place(four | {"x1": german("0509"), "Zhdanov": {"hex": ring[0]}}, "german-movement").play("move x1 0508")
    assert f"attack {'+'.join(names)} 0508" in led.legal


@pytest.mark.case("leningrad41", "9.3", "11.3", "2.12")
def test_guns_and_aircraft_never_fire_defensively(place):
    gun = soviet("0505", type="artillery", traits="indirect", range=20)
    alone = place({"x1": german("0507"), "x2": gun}, "german-movement").play("move x1 0506")
    assert alone.to_move == "german"
    mixed = {"x1": german("0507"), "x2": gun, "x3": soviet("0505", fire=6), "Air-10": {"at": "ready"}}
    pos = place(mixed, "german-movement", hexes={"0505": "objective"}).play("move x1 0506")
    assert refused(pos, "attack x2 0506") == "9.3"
    assert refused(pos, "attack Air-10 0506") == "9.2"
    assert pos.explain("attack x3 0506").attack[0][0] == 6


@pytest.mark.case("leningrad41", "9.4")
def test_only_adjacent_units_fire(place):
    units = {"x1": german("0507"), "x2": soviet("0505"), "x3": soviet("0504", range=3)}
    pos = place(units, "german-movement").play("move x1 0506")
    assert refused(pos, "attack x2+x3 0506") == "9.4"


@pytest.mark.case("leningrad41", "9.5")
def test_no_assault_no_rubble_no_advance(place):
    units = {"x1": german("0507"), "x2": soviet("0505", fire=50)}
    pos = place(units, "german-movement", hexes={"0506": "urban"}).play("move x1 0506")
    assert refused(pos, "attack x2 0506 assault") == "9.5"
    assert "Close assault" not in [m.label for m in pos.explain("attack x2 0506").modifiers]
    after = pos.play("attack x2 0506").play("die 1")
    assert after.to_move == "german"
    assert after.chance is None
    assert where(after, "x2") == "0505"
    assert "rubble" not in after.document()


@pytest.mark.case("leningrad41", "9.6")
def test_advances_draw_no_fire(place):
    units = {"x1": german("0507", fire=50), "x2": soviet("0506"), "x3": soviet("0505")}
    pos = place(units, turn=1).play("attack x1 0506 assault").play("die 1").play("advance x1 0506")
    assert where(pos, "x1") == "0506"
    assert pos.to_move == "german"  # nobody was asked to fire


@pytest.mark.case("leningrad41", "9.2", "6.6")
def test_hidden_units_flip_to_fire(place):
    units = {"back-1": {"hex": "0505"}, "x1": german("0507")}
    pos = place(units, "german-movement").play("move x1 0506").play("attack back-1 0506")
    assert pos.chance.case == "6.6"
    able = pos.play("draw 6NKVD/42")
    assert able.chance.title == "the fire at x1"
    gun = pos.play("draw MixA/42")  # an indirect unit: face up, and no fire
    assert where(gun, "MixA/42") == "0505"
    assert gun.to_move == "german"


@pytest.mark.case("leningrad41", "9.2", "6.6")
def test_german_fire_at_a_hidden_mover_flips_all_in_its_hex(place):
    units = {"181/42": {"hex": "0507", "face": "down"}, "back-9": {"hex": "0506"}, "x1": german("0505", fire=50)}
    pos = place(units, "soviet-movement", hexes={"0506": "objective"}).play("move back-1 0506")
    pos = pos.play("attack x1 0506")
    assert pos.chance.case == "6.6"  # the companion is drawn and turned over too
    pos = pos.play("draw 309/42")
    assert where(pos, "181/42") == "0506"
    pos = pos.play("die 1")
    assert where(pos, "181/42") == "pool"
    assert where(pos, "309/42") == "0506"


@pytest.mark.case("leningrad41", "9.2", "6.6")
def test_the_odds_of_a_fire_with_hidden_units_are_a_mixture(place):
    units = {"back-1": {"hex": "0505"}, "x2": soviet("0405", fire=5), "x1": german("0507")}
    pos = place(units, "german-movement").play("move x1 0506")
    told = pos.explain("attack x2+back-1 0506")
    assert sum(p for _, p in told.attack) == 1
    assert sum(p for _, p in told.results) == 1
    guns = sum(
        u.indirect for u in pos.game.units.values() if u.command == "42" and pos.where[pos.roster.index[u.id]] == -3
    )
    assert dict(told.attack)[5] == Fraction(guns, 48)  # a gun adds nothing
    known = place(units | {"back-1": {"hex": "0505", "is": "181/42"}}, "german-movement").play("move x1 0506")
    assert known.explain("attack x2+back-1 0506").attack == ((14, 1),)


@pytest.mark.case("leningrad41", "9.1")
def test_asking_for_an_unknown_side_is_an_error_of_ours(place):
    with pytest.raises(ladoga.LadogaError):
        place({"x1": german("0504"), "x2": soviet("1111")}).zoc("zz")


@pytest.mark.case("leningrad41", "9.2")
def test_the_worked_example_of_a_walk_around_an_enemy(place):
    """All six hexes around an enemy, one after the other: fire may be declared anew in each."""
    pos = place({"x1": german("0306"), "x2": soviet("0505")}, "german-movement")
    ring = pos.map.grid.ring(1 << pos.map.grid.hex("0505"))
    path = ["0405", "0506", "0605", "0604", "0504", "0404"]
    assert sum(1 << pos.map.grid.hex(number) for number in path) == ring
    pos = pos.play(f"move x1 0306-{'-'.join(path)}")
    offers = 0
    while pos.to_move == "soviet":
        assert "add x2" in pos.legal
        offers += 1
        pos = pos.play("end")
    assert offers == 6
    assert where(pos, "x1") == "0404"


@pytest.mark.case("leningrad41", "9.2", "10.3")
def test_one_unit_fires_and_several_fire(place):
    units = {"x1": german("0505"), "x3": german("0505"), "x2": soviet("0504")}
    pos = place(units)
    assert pos.play("attack x1 0504").events[0].text == "x1 fires at 0504 with strength 7"
    assert pos.play("attack x1+x3 0504 assault").events[0].text == "x1, x3 assault 0504 with strength 14"
    moved = place({"x1": german("0506"), "x2": soviet("0504")}, "german-movement").play("move x1 0505")
    assert moved.play("attack x2 0505").events[0].text == "x2 fires defensively at x1 in 0505 with strength 7"
