"""Chapters 10, 11, 13 and 14: offensive and indirect fire, command control, leaders."""

from __future__ import annotations

import random
from fractions import Fraction
from math import floor

import pytest

import ladoga
from ladoga.games.leningrad41.lines import line

from .conftest import kinds, refused, where
from .made_up import german, soviet

GUN = {"type": "artillery", "traits": "indirect", "range": 20, "fire": 8}
ENGINEER = {"type": "engineer"}
TANK = {"type": "tank", "traits": "armored anti-armor", "range": 2}


def labels(pos, order):
    return [m.label for m in pos.explain(order).modifiers if m.counts]


def net(pos, order):
    return pos.explain(order).net


def chance(pos, order):
    return dict(pos.explain(order).results).get("E", Fraction(0))


@pytest.mark.case("leningrad41", "10.0", "10.1", "10.3")
def test_strengths_add_up_and_the_defender_does_not_matter(place):
    units = {"x1": german("0505", fire=5), "x2": german("0404", fire=8), "x3": soviet("0504", fire=2)}
    pos = place(units)
    told = pos.explain("attack x1+x2 0504")
    assert told.attack == ((13, 1),)
    assert told.columns == (("10-19", 1),)
    strong = place(units | {"x3": soviet("0504", fire=12)})
    assert strong.explain("attack x1+x2 0504").results == told.results
    assert refused(place(units, "german-movement"), "attack x1 0504") == "5.1"


@pytest.mark.case("leningrad41", "10.2", "10.5")
def test_a_unit_fires_once_and_a_hex_is_attacked_once(place):
    units = {
        "x1": german("0505"), "x2": german("0404"), "x3": soviet("0504"), "x4": soviet("0403"), "x5": soviet("0506"),
    }  # fmt: skip
    pos = place(units).play("attack x2 0504").play("die 6")
    assert refused(pos, "attack x2 0403") == "10.2"
    assert refused(pos, "attack x1 0504") == "10.5"
    assert "end" in pos.legal  # nobody must fire
    assert refused(place(units), "attack x1 0504-0403") == "10.17"


@pytest.mark.case("leningrad41", "10.2", "10.3")
def test_a_fire_is_composed_or_ordered_at_once(place):
    units = {"x1": german("0505"), "x2": german("0404"), "x3": soviet("0504"), "x4": soviet("1110")}
    pos = place(units)
    step = pos.play("target 0504")
    assert {str(o) for o in step.legal} == {"add x1", "add x2", "cancel"}
    assert step.play("cancel").document() == pos.document()
    step = step.play("add x1").play("add x2")
    assert {str(o) for o in step.legal} == {"commit", "commit assault", "cancel"}
    assert step.play("commit assault").document() == pos.play("attack x1+x2 0504 assault").document()
    assert refused(pos, "target 1110") == "10.6"
    assert refused(step, "end") == "10.2"
    assert refused(pos.play("target 0504"), "commit") == "10.3"


@pytest.mark.case("leningrad41", "10.4", "10.6")
def test_every_unit_needs_the_range(place):
    units = {"x1": german("0505"), "x2": german("0506"), "x3": soviet("0504"), "x4": german("0508", range=4)}
    pos = place(units)
    assert refused(pos, "attack x1+x2 0504") == "10.6"
    assert "attack x1+x4 0504" in pos.legal
    short = place(units | {"x4": german("0508", range=3)})
    assert refused(short, "attack x4 0504") == "10.6"


@pytest.mark.case("leningrad41", "10.6")
def test_the_worked_example_of_range(game):
    grid = game.map.grid
    assert grid.distance(grid.hex("2202"), grid.hex("2206")) == 4


@pytest.mark.case("leningrad41", "10.7", "10.8")
def test_blocking_terrain_stops_the_line_of_fire(place):
    units = {"x1": german("0508", range=3), "x2": soviet("0505")}
    assert "attack x1 0505" in place(units).legal
    for terrain in ("urban", "objective"):
        assert refused(place(units, hexes={"0506": terrain}), "attack x1 0505") == "10.7"
        rubbled = place(units, hexes={"0506": terrain}, rubble=["0506"])
        assert refused(rubbled, "attack x1 0505") == "10.7"
    ends = place(units, hexes={"0508": "urban", "0505": "objective"})
    assert "attack x1 0505" in ends.legal  # the firer's and the target's hex never block
    occupied = place(units | {"x3": soviet("0506")}, places={"0507": ["fortified"]})
    assert "attack x1 0505" in occupied.legal
    adjacent = place({"x1": german("0505"), "x2": soviet("0504")}, hexes={"0505": "urban", "0504": "urban"})
    assert "attack x1 0504" in adjacent.legal


@pytest.mark.case("leningrad41", "10.7")
def test_a_line_along_a_hexside_is_blocked_only_by_both_hexes(place):
    units = {"x1": german("0505", range=2), "x2": soviet("0305")}
    for hexes, case in (({"0404": "urban"}, None), ({"0405": "urban"}, None),
                        ({"0404": "urban", "0405": "objective"}, "10.7")):  # fmt: skip
        pos = place(units, hexes=hexes)
        if case is None:
            assert "attack x1 0305" in pos.legal
        else:
            assert refused(pos, "attack x1 0305") == case


@pytest.mark.case("leningrad41", "10.7")
def test_lines_are_exact():
    assert [len(stage) for stage in line(2, 2).stages] == [2, 1, 2]
    assert line(3, 0).stages == (((1, 0),), ((2, 0),))
    # a line reaches its target through touching hexes only, the same ones from both ends
    for across in range(-6, 7):
        for along in range(-6, 7):
            if (across, along) == (0, 0):
                continue
            there = {o for stage in line(across, along).stages for o in stage}
            assert there == {(across + x, along + y) for stage in line(-across, -along).stages for x, y in stage}


@pytest.mark.case("leningrad41", "10.7")
def test_lines_hold_every_hex_a_finger_along_them_touches():
    rng = random.Random(4)
    for _ in range(60):
        across, along = rng.randint(-20, 20), rng.randint(-20, 20)
        if (across, along) == (0, 0):
            continue
        exact = {o for stage in line(across, along).stages for o in stage} | {(0, 0), (across, along)}
        for step in range(1, 300):
            x, y = across * step / 300, along * step / 300
            near = [(i, j) for i in (floor(x), floor(x) + 1) for j in (floor(y), floor(y) + 1)]
            gap = {o: (x - o[0]) ** 2 + (x - o[0]) * (y - o[1]) + (y - o[1]) ** 2 for o in near}
            best, second = sorted(near, key=gap.__getitem__)[:2]
            if gap[second] - gap[best] > 1e-6:  # not on an edge
                assert best in exact


@pytest.mark.case("leningrad41", "10.7", "10.8")
def test_lines_over_the_city_are_blocked_by_what_they_cross(game):
    rng = random.Random(8)
    ground, grid = game.ground(game.map), game.map.grid
    hexes = grid.members(grid.all)
    for _ in range(400):
        a, b = rng.sample(hexes, 2)
        if grid.distance(a, b) > 34 or grid.adjacent(a, b) or ground.lines.roads >> a & 1:
            continue
        (la, pa), (lb, pb) = grid.axes[a], grid.axes[b]
        stages = line(lb - la, pb - pa).stages
        blocked = any(all(ground.built >> a + x * grid.stride + y & 1 for x, y in stage) for stage in stages)
        assert bool(ground.lines.field(a, grid.distance(a, b)) >> b & 1) is not blocked


@pytest.mark.case("leningrad41", "10.9")
def test_a_prospekt_opens_the_line_along_it(place):
    units = {"x1": german("0508", range=3), "x2": soviet("0505")}
    hexes = {f"05{c:02}": "urban" for c in range(5, 9)}
    road = {"0508/0507": ["prospekt"], "0507/0506": ["rail"], "0506/0505": ["prospekt"]}
    assert "attack x1 0505" in place(units, hexes=hexes, sides=road).legal
    broken = {"0508/0507": ["prospekt"], "0506/0505": ["prospekt"]}
    assert refused(place(units, hexes=hexes, sides=broken), "attack x1 0505") == "10.7"


@pytest.mark.case("leningrad41", "8.13", "10.7")
def test_fire_crosses_the_sea(place):
    sea = {"0506": "sea", "0507": "sea"}
    pos = place({"x1": german("0508", range=3), "x2": soviet("0505")}, hexes=sea)
    assert "attack x1 0505" in pos.legal


@pytest.mark.case("leningrad41", "10.10")
def test_the_worked_example_of_modifiers(place):
    # strength 8 with +2: still the first column, and a die of 2 becomes 4
    pos = place({"x1": german("0505", fire=8), "x2": soviet("0504")}, hexes={"0504": "objective"})
    told = pos.explain("attack x1 0504")
    assert told.columns == (("≤ 9", 1),)
    assert told.net == 2
    after = pos.play("attack x1 0504").play("die 2")
    assert any("die 2, modified 4" in event.text for event in after.events)
    assert where(after, "x2") == "0504"


@pytest.mark.case("leningrad41", "10.10")
def test_more_modifiers_never_help_the_firer(place):
    units = {"x1": german("0505", fire=25), "x2": soviet("0504")}
    kinds_of_ground = ("clear", "urban", "objective")
    odds = [chance(place(units, hexes={"0504": terrain}), "attack x1 0504") for terrain in kinds_of_ground]
    assert odds == sorted(odds, reverse=True)
    assert odds == [Fraction(4, 6), Fraction(3, 6), Fraction(2, 6)]


@pytest.mark.case("leningrad41", "10.11", "10.15")
def test_close_assault_must_be_declared_and_needs_a_capable_neighbour(place):
    units = {"x1": german("0505"), "x2": soviet("0504"), "x3": german("0404", type="panzer", traits="armored")}
    pos = place(units)
    assert labels(pos, "attack x1 0504") == []
    assert labels(pos, "attack x1 0504 assault") == ["Close assault"]
    assert net(pos, "attack x1 0504 assault") == -1
    assert refused(pos, "attack x3 0504 assault") == "10.15"
    assert "attack x1+x3 0504 assault" in pos.legal
    gun = place(units | {"x4": german("0510", **GUN)})
    assert net(gun, "attack x1+x4 0504 assault") == -1  # guns may support an assault


@pytest.mark.case("leningrad41", "10.12", "10.13")
def test_the_worked_example_of_a_stack(place):
    # 25 points at an armored and an infantry unit in the clear: two rolls, +2 only for the armor
    units = {
        "x1": soviet("0505", fire=25), "x2": german("0504", type="panzer", traits="armored"),
        "x3": german("0504"),
    }  # fmt: skip
    pos = place(units, "soviet-fire")
    told = pos.explain("attack x1 0504")
    assert told.columns == (("20-29", 1),)
    assert [(m.label, m.amount) for m in told.modifiers] == [("x2: Armored target, no anti-armor fire", 2)]
    assert dict(told.results) == {"EE": Fraction(8, 36), "E-": Fraction(20, 36), "--": Fraction(8, 36)}
    pos = pos.play("attack x1 0504")
    assert pos.chance.title == "the fire at x2"
    pos = pos.play("die 3")
    assert where(pos, "x2") == "0504"
    pos = pos.play("die 3")
    assert where(pos, "x3") == "dead"


@pytest.mark.case("leningrad41", "10.12")
def test_one_anti_armor_unit_is_enough(place):
    units = {"x1": soviet("0505", fire=5), "x2": german("0504", type="panzer", traits="armored"),
             "x3": soviet("0404", fire=4, **TANK)}  # fmt: skip
    pos = place(units, "soviet-fire")
    assert net(pos, "attack x1 0504") == 2
    assert net(pos, "attack x1+x3 0504") == 0
    wheels = place({"x1": soviet("0505"), "x2": german("0504", traits="assault motorized")}, "soviet-fire")
    assert net(wheels, "attack x1 0504") == 0  # wheels are no armor


@pytest.mark.case("leningrad41", "10.14")
def test_only_two_results(place, game):
    pos = place({"x1": german("0505"), "x2": soviet("0504")}).play("attack x1 0504")
    assert where(pos.play("die 2"), "x2") == "pool"
    assert where(pos.play("die 3"), "x2") == "0504"
    chart = next(chart for chart in game.charts() if chart.id == "combat")
    assert {cell for row in chart.rows for cell in row[1:]} == {"E", "-"}


@pytest.mark.case("leningrad41", "10.15")
def test_advance_after_a_close_assault(place):
    units = {
        "x1": german("0505", fire=20), "x2": soviet("0504"), "x3": german("0404", **TANK, fire=9, command="8P"),
        "x4": german("0506"), "x5": soviet("1110"),
    }  # fmt: skip
    units["x3"]["command"] = "3M"
    pos = place(units, turn=1).play("attack x1+x3 0504 assault").play("die 1")
    assert {str(o) for o in pos.legal} == {"advance x1 0504", "end"}  # a tank without parentheses stays
    assert refused(pos, "advance x3 0504") == "10.15"
    assert refused(pos, "advance x4 0504") == "10.15"
    done = pos.play("advance x1 0504")
    assert where(done, "x1") == "0504"
    assert where(pos.play("end"), "x1") == "0505"  # never mandatory
    plain = place(units, turn=1).play("attack x1+x3 0504").play("die 1")
    assert not any(str(o).startswith("advance") for o in plain.legal)


@pytest.mark.case("leningrad41", "10.15", "10.13")
def test_no_advance_while_a_defender_stands(place):
    units = {"x1": german("0505", fire=20), "x2": soviet("0504"), "x3": soviet("0504")}
    pos = place(units, hexes={"0504": "objective"}, turn=1).play("attack x1 0504 assault").play("die 1").play("die 6")
    assert where(pos, "x2") == "pool"
    assert pos.phase.id != "german-fire" or not any(str(o).startswith("advance") for o in pos.legal)
    assert where(pos, "x1") == "0505"


@pytest.mark.case("leningrad41", "10.15", "6.1", "6.2")
def test_advancing_units_obey_stacking(place):
    units = {
        "x1": german("0505"), "x6": german("0404"), "x2": soviet("0504"),
        "Manstein": {"hex": "0505"}, "x8": german("0604", command="8P"), "x9": soviet("1110"),
    }  # fmt: skip
    pos = place(units, turn=1)
    pos = pos.play("attack x1+x6+x8 0504 assault").play("die 1").play("advance x1 0504")
    assert refused(pos, "advance x8 0504") == "6.2"  # another division
    assert "advance x6 0504" in pos.legal


@pytest.mark.case("leningrad41", "10.16")
def test_assaults_over_water(place):
    units = {"x1": german("0505"), "x2": soviet("0504")}
    river = {"0505/0504": ["major-river"]}
    assert refused(place(units, sides=river), "attack x1 0504 assault") == "10.16"
    assert "attack x1 0504" in place(units, sides=river).legal
    assert net(place(units, sides={"0505/0504": ["major-river", "bridge"]}), "attack x1 0504 assault") == 1
    pontoon = place(units | {"x3": german("0505", **ENGINEER)}, sides=river, pontoons={"x3": "0504"})
    assert net(pontoon, "attack x1 0504 assault") == 1
    for minor in (["minor-river"], ["minor-river", "bridge"]):
        assert net(place(units, sides={"0505/0504": minor}), "attack x1 0504 assault") == 0
        assert net(place(units, sides={"0505/0504": minor}), "attack x1 0504") == 0
    sea = place(units, sides={"0505/0504": ["sea"]})
    assert refused(sea, "attack x1 0504 assault") == "10.16"


BRIDGE = {"0505/0504": ["major-river", "bridge"], "0607/0608": ["minor-river", "bridge"]}


@pytest.mark.case("leningrad41", "10.17")
def test_bridge_demolition(place):
    units = {"x1": german("0506", **GUN), "x2": german("0505", **ENGINEER), "x3": soviet("1101")}
    assert refused(place(units, turn=2, sides=BRIDGE), "attack x1 0504-0505") == "10.17"
    pos = place(units, turn=3, sides=BRIDGE, hexes={"0504": "objective"})
    assert labels(pos, "attack x1 0504-0505") == ["Bridge over a major river"]
    assert labels(pos, "attack x2 0504-0505") == ["Bridge over a major river", "Engineer lays charges"]
    assert labels(pos, "attack x1 0608-0607") == ["Bridge over a minor river"]
    assert refused(pos, "attack x1 0606-0607") == "10.17"
    down = pos.play("attack x2 0504-0505").play("die 1")
    assert down.document()["demolished"] == ["0504/0505"]
    assert refused(down, "attack x1 0505-0504") == "10.17"
    assert "target 0505-0504" in {str(o) for o in pos.legal} or "target 0504-0505" in {str(o) for o in pos.legal}
    missed = pos.play("attack x1 0504-0505").play("die 1")
    assert "demolished" not in missed.document()  # 1 + 2 in the first column


@pytest.mark.case("leningrad41", "10.17", "8.10")
def test_a_pontoon_replaces_a_demolished_bridge(place):
    units = {"x1": german("0505", **ENGINEER), "x2": german("0506"), "x3": soviet("1101")}
    pos = place(units, "german-movement", sides=BRIDGE, demolished=["0504/0505"])
    assert pos.document()["pontoons"] == {"x1": "0504"}
    standing = place(units, "german-movement", sides=BRIDGE)
    assert "pontoons" not in standing.document()
    assert refused(standing, "bridge x1 0504") == "8.10"


@pytest.mark.case("leningrad41", "10.18")
@pytest.mark.parametrize(("face", "rubble"), [(5, False), (6, True)])
def test_rubble_by_fire(place, face, rubble):
    units = {"x1": german("0505", fire=50), "x2": soviet("0504"), "x3": soviet("1101")}
    pos = place(units, hexes={"0504": "urban"}, turn=1).play("attack x1 0504 assault").play("die 1")
    assert pos.chance.title == "the rubble die"
    pos = pos.play(f"die {face}")
    assert ("rubble" in pos.document()) == rubble
    assert "advance x1 0504" in pos.legal  # rubble does not stop an advance


@pytest.mark.case("leningrad41", "10.18")
def test_when_no_rubble_die_is_rolled(place):
    units = {"x1": german("0505", fire=50), "x2": soviet("0504"), "x3": soviet("1101")}
    clear = place(units, turn=1).play("attack x1 0504 assault").play("die 1")
    assert clear.chance is None
    again = place(units, turn=1, hexes={"0504": "urban"}, rubble=["0504"]).play("attack x1 0504 assault").play("die 1")
    assert again.chance is None
    for unit in (german("0504"), soviet("0504")):
        side = unit["side"]
        other = {"x1": (soviet if side == "german" else german)("0505"), "x2": unit}
        phase = "soviet-fire" if side == "german" else "german-fire"
        pos = place(other, phase, hexes={"0504": "urban"}, rubble=["0504"])
        assert labels(pos, "attack x1 0504") == ["Urban", "Rubble"]


@pytest.mark.case("leningrad41", "10.19", "10.2")
def test_structure_demolition(place):
    units = {"x1": german("0506", **GUN, size="II"), "x2": german("0505", **ENGINEER, fire=20), "x3": soviet("1101")}
    pos = place(units, hexes={"0504": "urban", "0404": "objective", "0405": "urban", "0506": "urban"})
    assert labels(pos, "attack x1 0504") == ["Urban structure"]
    assert labels(pos, "attack x2 0404") == ["Objective structure", "Engineer lays charges"]
    assert refused(pos, "attack x1 0505") == "10.19"  # own unit there
    assert refused(pos, "attack x1 0503") == "10.19"  # nothing there
    down = pos.play("attack x2 0504").play("die 1")
    assert down.document()["rubble"] == ["0504"]
    assert refused(down, "attack x1 0504") == "10.5"
    assert refused(place(units, hexes={"0504": "urban"}, rubble=["0504"]), "attack x1 0504") == "10.18"


@pytest.mark.case("leningrad41", "10.20")
def test_engineers_negate_terrain_in_an_assault(place):
    units = {
        "x1": german("0505"), "x2": german("0505", **ENGINEER), "x3": soviet("0504"),
        "x4": german("0404", type="bridge-engineer", traits="assault"),
    }  # fmt: skip
    pos = place(units, hexes={"0504": "objective"}, places={"0504": ["fortified"]}, rubble=["0504"])
    assert labels(pos, "attack x1 0504 assault") == ["Objective", "Fortification", "Rubble", "Close assault"]
    assert labels(pos, "attack x1+x2 0504 assault") == ["Rubble", "Close assault"]
    assert labels(pos, "attack x1+x2 0504") == ["Objective", "Fortification", "Rubble"]  # no assault, no help
    assert "Objective" in labels(pos, "attack x1+x4 0504 assault")  # bridging engineers do not count


@pytest.mark.case("leningrad41", "11.0", "11.1", "11.2")
def test_german_guns_need_only_range(place):
    hexes = {f"05{c:02}": "urban" for c in range(5, 10)}
    units = {"x1": german("0510", **GUN), "x2": soviet("0504"), "x3": german("0404")}
    pos = place(units, hexes=hexes)
    assert "attack x1 0504" in pos.legal
    assert "attack x1+x3 0504" in pos.legal  # together with direct fire


@pytest.mark.case("leningrad41", "11.2")
def test_soviet_guns_need_a_spotter_of_their_own_sub_command(place):
    hexes = {f"05{c:02}": "urban" for c in range(5, 10)}
    gun = {"x1": soviet("0510", **GUN), "x2": german("0504")}
    assert refused(place(gun, "soviet-fire", hexes=hexes), "attack x1 0504") == "11.2"
    other = gun | {"x3": soviet("0404", command="LFR")}
    assert refused(place(other, "soviet-fire", hexes=hexes), "attack x1 0504") == "11.2"
    hidden = gun | {"back-1": {"hex": "0404"}}
    assert refused(place(hidden, "soviet-fire", hexes=hexes), "attack x1 0504") == "11.2"
    own = gun | {"x3": soviet("0404"), "x4": german("0304")}
    pos = place(own, "soviet-fire", hexes=hexes)
    assert "attack x1 0504" in pos.legal
    spotter_fired = pos.play("attack x3 0304").play("die 6")
    assert "attack x1 0504" in spotter_fired.legal  # it may fire elsewhere, or not at all
    seen = place(gun, "soviet-fire")
    assert "attack x1 0504" in seen.legal  # its own clear line of fire will do


# Command control -----------------------------------------------------------------------------------------


def battery(command, number, fire=3, side=german, start=1, **more):
    figures = GUN | {"fire": fire, "command": command} | more
    return {f"{command}{n}": side(f"09{start + n:02}", **figures) for n in range(number)}


def names(units):
    return "+".join(units)


@pytest.mark.case("leningrad41", "13.0", "13.1", "13.2")
def test_german_divisions_do_not_combine_but_corps_units_join(place):
    third, eighth = battery("3M", 5), battery("8P", 1, start=6)
    corps = battery("56", 5, start=7)
    units = third | eighth | corps | {"x2": soviet("0504")}
    pos = place(units)
    assert refused(pos, f"attack {names(third)}+{names(eighth)} 0504") == "13.2"
    assert f"attack {names(third)} 0504" in pos.legal  # no limit inside a division
    three, four = list(corps)[:3], list(corps)[:4]
    assert f"attack {names(third)}+{names(three)} 0504" in pos.legal
    assert refused(pos, f"attack {names(third)}+{names(four)} 0504") == "13.2"
    assert f"attack {names(corps)} 0504" in pos.legal  # the corps alone


@pytest.mark.case("leningrad41", "13.3")
def test_ss_divisions_fire_by_fours(place):
    ss = battery("SST", 5, traits="indirect ss")
    corps = battery("56", 3, start=7)
    pos = place(ss | corps | {"x2": soviet("0504")})
    four, three = list(ss)[:4], list(ss)[:3]
    assert f"attack {names(four)} 0504" in pos.legal
    assert refused(pos, f"attack {names(ss)} 0504") == "13.3"
    assert f"attack {names(three)}+560 0504" in pos.legal
    assert refused(pos, f"attack {names(three)}+560+561 0504") == "13.3"


@pytest.mark.case("leningrad41", "13.4", "13.5")
def test_soviets_fire_by_threes_and_apart(place):
    army = battery("42", 4, side=soviet)
    front = battery("LFR", 1, side=soviet, start=6)
    pos = place(army | front | {"x2": german("0504"), "x3": german("0603")}, "soviet-fire")
    three = list(army)[:3]
    assert refused(pos, f"attack {names(army)} 0504") == "13.4"
    assert refused(pos, f"attack 420+{names(front)} 0504") == "13.4"
    pos = pos.play(f"attack {names(three)} 0504").play("die 6")
    assert "attack 423 0603" in pos.legal  # any number of fires


@pytest.mark.case("leningrad41", "14.0", "14.1", "14.2", "14.3")
def test_a_leader_pools_everybody_within_his_radius(place):
    army = battery("42", 3, side=soviet, start=1)  # 0901-0903
    front = battery("LFR", 2, side=soviet, start=4)  # 0904, 0905
    units = army | front | {"x2": german("0504")}
    everybody = f"attack {names(army)}+{names(front)} 0504"
    assert refused(place(units, "soviet-fire"), everybody) == "13.4"
    near = place(units | {"Zhdanov": {"hex": "0903"}}, "soviet-fire")  # radius 2: 0901 to 0905
    assert everybody in near.legal
    far = place(units | {"Zhdanov": {"hex": "0902"}}, "soviet-fire")
    assert refused(far, everybody) == "13.4"
    through = place(units | {"Zhdanov": {"hex": "0903"}, "x3": german("0804")}, "soviet-fire")
    assert everybody in through.legal  # through any terrain and enemies


@pytest.mark.case("leningrad41", "14.4")
def test_two_leaders_add_nothing(place):
    units = {"x1": soviet("0505"), "x2": german("0504"), "Zhdanov": {"hex": "0505"}, "Zhukov": {"hex": "0505"}}
    pos = place(units, "soviet-fire")
    assert pos.explain("attack x1 0504").attack == ((7, 1),)
    assert pos.explain("attack x1 0504").net == 0


@pytest.mark.case("leningrad41", "14.5")
def test_leaders_stack_free(place):
    units = {"x1": german("0505"), "x2": german("0505", command="56"), "Manstein": {"hex": "0506"}}
    pos = place(units, "german-movement").play("move Manstein 0505")
    assert where(pos, "Manstein") == "0505"
    assert "end" in pos.legal


@pytest.mark.case("leningrad41", "14.6", "9.2")
def test_only_close_assault_harms_a_leader(place):
    units = {"x1": german("0505", fire=50), "x2": soviet("0504"), "Zhdanov": {"hex": "0504"}}
    plain = place(units).play("attack x1 0504").play("die 1")
    assert where(plain, "Zhdanov") == "0504"
    storm = place(units).play("attack x1 0504 assault")
    assert storm.chance.title == "the fire at Zhdanov"
    assert storm.play("die 1").chance.title == "the fire at x2"
    alone = place({"x1": german("0505", fire=50), "Zhdanov": {"hex": "0504"}})
    assert refused(alone, "attack x1 0504") == "14.6"
    assert "attack x1 0504 assault" in alone.legal
    moving = place({"x1": german("0506"), "Zhdanov": {"hex": "0504"}}, "soviet-movement").play("move Zhdanov 0505")
    assert moving.to_move == "soviet"  # defensive fire could not hurt him


@pytest.mark.case("leningrad41", "14.7")
def test_a_lost_leader_stays_lost(place):
    units = {"x1": german("0505", fire=50), "Zhdanov": {"hex": "0504"}, "x2": soviet("1101")}
    pos = place(units, turn=1).play("attack x1 0504 assault").play("die 1")
    assert "Zhdanov" not in pos.document()["units"]
    assert "advance" in kinds(pos) or "advance x1 0504" in pos.legal


@pytest.mark.case("leningrad41", "6.6", "10.13")
def test_two_hidden_units_are_drawn_from_one_pool(place):
    units = {
        "back-1": {"hex": "0504"},
        "back-2": {"hex": "0504"},
        "x1": german("0505", fire=16),
        "x2": german("0404", fire=16),
    }
    pos = place(units, hexes={"0504": "objective"})
    order = "attack x1+x2 0504"
    fired = pos.play(order)
    drawn = [pos.unit(pos.roster.index[draw.units[0]]) for draw, _ in fired.chance.outcomes]
    every, tanks = len(drawn), sum(unit.armored for unit in drawn)
    soft = every - tanks
    hit = {name: dict(place(units | {name: {"hex": "0504"}, "back-1": {"at": "gone"}, "back-2": {"at": "gone"}},
                            hexes={"0504": "objective"}).explain(order).results).get("E", Fraction(0))
           for name in ("181/42", "51T/42")}  # fmt: skip
    rifle, tank = hit.values()
    pairs = soft * (soft - 1) * rifle**2 + 2 * soft * tanks * rifle * tank + tanks * (tanks - 1) * tank**2
    assert rifle > tank
    assert dict(pos.explain(order).results)["EE"] == Fraction(pairs, every * (every - 1))


@pytest.mark.case("leningrad41", "10.17", "10.19")
def test_structures_and_bridges_are_not_close_assaulted(place):
    units = {"x1": german("0504"), "x2": soviet("1111")}
    pos = place(units, hexes={"0505": "urban"}, sides={"0503/0403": ["minor-river", "bridge"]})
    assert refused(pos, "attack x1 0505 assault") == "10.19"
    assert refused(pos, "attack x1 0503-0403 assault") == "10.17"


@pytest.mark.case("leningrad41", "10.19")
def test_charges_at_a_structure_are_explained_by_its_own_case(place):
    pos = place({"x1": german("0504", type="engineer"), "x2": soviet("1111")}, hexes={"0505": "urban"})
    assert [m.case for m in pos.explain("attack x1 0505").modifiers] == ["10.19", "10.19"]
    pos = pos.play("attack x1 0505").play("die 1")
    assert [event.case for event in pos.events if event.kind == "rubble"] == ["10.19"]


@pytest.mark.case("leningrad41", "14.6")
def test_a_lone_leader_is_no_target_from_the_air(place):
    names = [u.id for u in place({"x1": german("1111")}).roster.units if u.command == "LW"][:1]
    units = {names[0]: {"at": "ready"}, "Zhukov": {"hex": "0505"}, "x2": soviet("1111"), "x1": german("0101")}
    pos = place(units, "german-air")
    assert refused(pos, "target 0505") == "14.6"
    assert refused(pos, f"attack {names[0]} 0505") == "14.6"


@pytest.mark.case("leningrad41", "14.6")
def test_a_lone_leader_out_of_reach_of_an_assault_is_no_target(place):
    units = {"a1": german("0507", type="artillery", range=9, traits="indirect"), "Zhukov": {"hex": "0505"}}
    far = place(units | {"x2": soviet("1111")})
    assert refused(far, "target 0505") == "14.6"
    near = place(units | {"x1": german("0506"), "x2": soviet("1111")}).play("target 0505").play("add x1")
    assert [str(order) for order in near.legal if order.verb == "commit"] == ["commit assault"]


@pytest.mark.case("leningrad41", "10.16")
def test_one_river_before_and_after_the_bridge_falls(place):
    """Over a major river: a storm by the printed bridge at +2 -1, none once it is down, and again by a pontoon."""
    units = {"x1": german("0505"), "x2": soviet("0504")}
    sides = {"0505/0504": ["major-river", "bridge"]}
    pos = place(units, sides=sides)
    assert pos.explain("attack x1 0504 assault").net == 1
    assert pos.explain("attack x1 0504").net == 0
    down = place(units, sides=sides, demolished=["0505/0504"])
    assert refused(down, "attack x1 0504 assault") == "10.16"
    engineers = units | {"x3": german("0505", type="engineer")}
    again = place(engineers, sides=sides, demolished=["0505/0504"], pontoons={"x3": "0504"})
    assert again.explain("attack x1 0504 assault").net == 1


@pytest.mark.case("leningrad41", "13.2", "13.3", "14.2")
def test_who_may_add_his_fire_to_whose(place):
    """Three corps units with a division, four units with an SS division, anybody under Manstein's eye."""
    corps = {f"c{n}": german(h, command="56") for n, h in enumerate(("0404", "0604", "0603", "0403"), 1)}
    units = corps | {"x1": german("0505"), "s1": german("0506", command="SST", traits="assault ss", range=2)}
    pos = place(units | {"x2": soviet("0504"), "x9": soviet("1212")})
    assert "attack x1+c1+c2+c3 0504" in pos.legal
    assert refused(pos, "attack x1+c1+c2+c3+c4 0504") == "13.2"
    assert "attack s1+c1+c2+c3 0504" in pos.legal
    assert refused(pos, "attack s1+c1+c2+c3+c4 0504") == "13.3"
    assert refused(pos, "attack x1+s1 0504") == "13.2"
    led = place(units | {"x2": soviet("0504"), "x9": soviet("1212"), "Manstein": {"hex": "0505"}})
    assert "attack x1+s1+c1+c2+c3+c4 0504" in led.legal


@pytest.mark.case("leningrad41", "10.1", "12.7")
def test_ground_units_do_not_fire_in_the_air_phase(place):
    units = {"StG2-1": {"at": "ready"}, "x1": german("0505"), "s1": soviet("0504")}
    pos = place(units, "german-air")
    assert refused(pos, "attack x1 0504") == "10.1"
    assert refused(pos, "attack x1+StG2-1 0504") == "12.7"
    assert refused(pos, "attack StG2-1+x1 0504") == "12.7"


@pytest.mark.case("leningrad41", "10.17", "10.6")
def test_a_bridge_is_named_either_way_round(place):
    units = {"x1": german("0505"), "s1": soviet("1111")}
    sides = {"0503/0504": ["minor-river", "bridge"]}
    for order in ("attack x1 0503-0504", "attack x1 0504-0503"):
        pos = place(units, sides=sides).play(order)
        assert pos.document()["attacked"] == ["0504"]  # the nearer end
    pos = place(units, sides=sides)
    assert pos.play("target 0503-0504").document()["attack"]["target"] == "0504"
    over = place({"x1": german("0504"), "s1": soviet("1111")}, sides=sides)
    assert over.play("attack x1 0504-0503").document()["attacked"] == ["0503"]
    far = place({"x1": german("0508"), "s1": soviet("1111")}, sides=sides)
    assert refused(far, "attack x1 0503-0504") == "10.6"
    assert refused(far, "target 0503-0504") == "10.6"


@pytest.mark.case("leningrad41", "10.16")
def test_nobody_advances_over_an_unbridged_major_river(place):
    units = {"x1": german("0505"), "x3": german("0404", fire=50), "x2": soviet("0504")}
    pos = place(units, sides={"0505/0504": ["major-river"]}).play("attack x1+x3 0504 assault").play("die 1")
    assert refused(pos, "advance x1 0504") == "10.16"
    assert "advance x3 0504" in pos.legal


@pytest.mark.case("leningrad41", "10.2", "10.6", "9.4")
def test_what_may_not_be_fired_is_not_explained_but_refused(place):
    pos = place({"x1": german("0505"), "x2": soviet("0502")})
    with pytest.raises(ladoga.Illegal) as caught:
        pos.explain("attack x1 0502")
    assert caught.value.case == "10.6"
    moving = place({"x1": german("0507"), "x2": soviet("0505"), "x3": soviet("0504", range=3)}, "german-movement")
    with pytest.raises(ladoga.Illegal) as caught:
        moving.play("move x1 0506").explain("attack x3 0506")
    assert caught.value.case == "9.4"


@pytest.mark.case("leningrad41", "10.10", "10.13")
def test_two_armored_defenders_share_one_modifier(place):
    # each is rolled for by itself: objective +2 and armor +2 make +4 on either die, not +6
    tank = {"type": "tank", "traits": "armored"}
    units = {"x1": german("0505", fire=25), "x2": soviet("0504", **tank), "x3": soviet("0504", **tank)}
    told = place(units, hexes={"0504": "objective"}).explain("attack x1 0504")
    assert told.net == 4
    assert told.to_die  # added to the die, not to the strength
    mixed = place(units | {"x3": soviet("0504")}, hexes={"0504": "objective"}).explain("attack x1 0504")
    assert [m.label for m in mixed.modifiers if m.case == "10.12"] == ["x2: Armored target, no anti-armor fire"]


@pytest.mark.case("leningrad41", "6.6", "10.12", "12.10")
def test_what_a_hidden_defender_may_bring_is_told_as_a_maybe(place):
    pos = place({"x1": german("0505"), "back-1": {"hex": "0504"}})
    assert [m.label for m in pos.explain("attack x1 0504").modifiers] == [
        "back-1, perhaps: Armored target, no anti-armor fire"
    ]
    air = place({"KG1-1": {"at": "ready"}, "x1": german("0505"), "back-1": {"hex": "0504"}}, "german-air")
    labels = [m.label for m in air.explain("attack KG1-1 0504").modifiers]
    assert "perhaps: Anti-aircraft unit in or next to the hex" in labels
