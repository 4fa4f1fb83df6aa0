"""Chapters 7 and 19: reinforcements and replacements."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from .conftest import refused, where
from .made_up import german, soviet

G = "leningrad41"


def begin(game, turn, phase="soviet-fire", **more):
    """The position at the end of the turn before, about to begin a turn's German arrivals."""
    document = {
        "game": G, "turn": turn - 1, "phase": phase,
        "units": {"x1": soviet("0110"), "x2": german("5110", command="56")} | more.pop("units", {}), **more,
    }  # fmt: skip
    return game.position(document).play("end")


def waiting(pos):
    return sorted(c.id for c in pos.table().counters if c.box == "german-waiting")


def drawn(pos, *names):
    for name in names:
        pos = pos.play(name if " " in name else f"draw {name}")
    return pos


@pytest.mark.case("leningrad41", "19.0", "19.1", "3.9")
@pytest.mark.parametrize(("corps", "number", "face", "division", "size"), [(5, 3, 4, "8P", 14), (2, 1, 3, "3M", 13)])
def test_turn_one(game, corps, number, face, division, size):
    pos = game.start()
    rng = random.Random(3)
    while pos.phase.id == "soviet-set-up":
        pos = pos.play(pos.legal.random(rng))
    for _ in range(6):
        assert pos.chance.title == "a draw of an air strike marker"
        pos = pos.play(pos.legal.random(rng))
    assert sum(c.box == "german-ready" for c in pos.table().counters) == 6
    pos = pos.play(f"die {corps}")
    for _ in range(number):
        assert pos.chance.title == "a draw of a 56th Corps unit"
        assert pos.chance.probability(game.parse("draw Manstein")) == 0
        pos = pos.play(pos.legal.random(rng))
    pos = pos.play(f"die {face}")
    assert len(waiting(pos)) == 1 + number + size
    assert "Manstein" in waiting(pos)
    assert {u.id for u in game.units.values() if u.command == division} <= set(waiting(pos))
    assert pos.phase.id == "german-air"  # nobody has lost anything yet
    assert "German replacements and reinforcements: nothing to do" in [event.text for event in pos.events]


@pytest.mark.case("leningrad41", "19.1")
def test_turn_two_brings_the_other_division(game):
    pos = begin(game, 2, entered=["8P"])
    assert pos.chance.title == "the die for 56th Corps units"
    assert {u.id for u in game.units.values() if u.command == "3M"} <= set(waiting(pos))


@pytest.mark.case("leningrad41", "19.1")
@pytest.mark.parametrize(("face", "division"), [(3, "269"), (4, "SST"), (5, "SST"), (6, "SSP")])
def test_turn_three(game, face, division):
    pos = begin(game, 3, entered=["8P", "3M"]).play(f"die {face}")
    assert {u.id for u in game.units.values() if u.command == division} <= set(waiting(pos))
    assert pos.chance.title == "the die for 56th Corps units"


@pytest.mark.case("leningrad41", "19.1")
def test_turn_four_a_division_by_the_higher_die(game):
    pos = begin(game, 4, entered=["8P", "3M", "SST"]).play("die 2")
    assert pos.chance.title == "the die for 269th Infantry Division"
    assert pos.play("die 4").chance.title == "the die for SS Polizei Division"
    tie = pos.play("die 4").play("die 4")
    assert tie.document() == pos.document()
    second = pos.play("die 3").play("die 6")
    assert "I/1P" in waiting(second)
    assert second.chance.title == "a draw of a 56th Corps unit"
    first = pos.play("die 6").play("die 3")
    assert "I/469" in waiting(first)


@pytest.mark.case("leningrad41", "19.1")
def test_the_last_division_comes_without_a_die_and_then_only_corps_units(game):
    last = begin(game, 4, entered=["8P", "3M", "SST", "269"]).play("die 1")
    assert "I/1P" in waiting(last)
    none = begin(game, 5, entered=["8P", "3M", "SST", "269", "SSP"]).play("die 3")
    assert waiting(none) == []
    assert none.chance.title == "a draw of a 56th Corps unit"


@pytest.mark.case("leningrad41", "19.1")
@pytest.mark.parametrize(("face", "number"), [(4, 2), (5, 3)])
def test_corps_units_by_the_later_die(game, face, number):
    pos = begin(game, 5).play(f"die {face}")
    rng = random.Random(0)
    for _ in range(number):
        pos = pos.play(pos.legal.random(rng))
    assert len(waiting(pos)) == number
    assert pos.to_move != "chance"


@pytest.mark.case("leningrad41", "19.1")
def test_an_exhausted_corps_sends_nobody(game):
    corps = {u.id: {"at": "dead"} for u in game.units.values() if u.command == "56" and not u.leader}
    pos = begin(game, 5, units=corps | {"x2": german("5110", command="3M")}).play("die 5")
    assert pos.to_move != "chance"


@pytest.mark.case("leningrad41", "19.1", "7.8")
def test_a_six_brings_an_air_marker_now_and_the_airborne_next_turn(game):
    pos = begin(game, 5).play("die 6").play("draw Rudel")
    assert where(pos, "Rudel") == "ready"
    assert not any(name.endswith("F") for name in waiting(pos))
    assert pos.document()["flieger-arrives"] == 6
    later = begin(game, 6, **{"flieger-arrives": 6})
    assert {u.id for u in game.units.values() if u.command == "7F"} <= set(waiting(later))
    last = begin(game, 10).play("die 6")
    assert "flieger-arrives" not in last.document()


@pytest.mark.case("leningrad41", "7.0", "7.1", "7.2", "19.1")
def test_germans_enter_by_the_south_edge_not_through_enemies(game):
    units = {"I/8M": {"at": "waiting"}, "x1": soviet("5110")}
    pos = game.position({"game": G, "turn": 2, "phase": "german-movement", "units": units})
    assert "enter I/8M 5115" in pos.legal
    assert refused(pos, "enter I/8M 5110") == "7.1"
    assert refused(pos, "enter I/8M 0105") == "19.1"
    assert refused(pos, "end") == "19.1"  # a unit that can enter must
    assert refused(pos, "move I/8M 5115") == "8.1"


@pytest.mark.case("leningrad41", "7.1", "9.2")
def test_an_entering_unit_can_be_fired_on_in_its_first_hex(game):
    units = {"I/8M": {"at": "waiting"}, "x1": soviet("5110")}
    pos = game.position({"game": G, "turn": 2, "phase": "german-movement", "units": units})
    pos = pos.play("enter I/8M 5111")
    assert pos.to_move == "soviet"
    assert "attack x1 5111" in pos.legal


@pytest.mark.case("leningrad41", "7.2")
def test_germans_that_cannot_enter_wait(place):
    units = {"I/8M": {"at": "waiting"}, "x1": german("0505"), "x2": soviet("0101")}
    pos = place(units, "german-movement").play("end")  # a map without entry hexes
    assert where(pos, "I/8M") == "waiting"


@pytest.mark.case("leningrad41", "7.3", "19.3")
def test_the_front_reserve(game):
    units = {"x1": soviet("1010"), "x2": german("5110"), "Zhukov": {"at": "waiting"}}
    pos = game.position({"game": G, "turn": 2, "phase": "german-fire", "units": units}).play("end")
    while pos.chance.title.startswith("a draw from the 42nd"):
        pos = pos.play(next(iter(pos.legal)))
    assert pos.chance.title == "the die for Front Reserve units"
    pos = pos.play("die 4")
    pos = drawn(pos, "1RB/LFR", "12T/LFR", "4Kom/LFR", "62/LFR")
    assert refused(pos, "end") == "7.3"  # the drawn units of 42nd Army come first
    while pos.phase.id == "soviet-reinforcement":
        pos = pos.play(next(order for order in pos.legal if order.verb in ("place", "end")))
    assert pos.phase.id == "soviet-movement"
    seen = {c.id: c.face_down for c in pos.view("german").table().counters if c.box == "soviet-waiting"}
    assert seen == {"Zhukov": False, "1RB/LFR": False, "12T/LFR": False, "4Kom/LFR": False, "62/LFR": False}
    assert "enter 1RB/LFR 4501" in pos.legal
    assert refused(pos, "enter 1RB/LFR 4601") == "19.3"
    assert "enter 12T/LFR 0110" in pos.legal
    pos = pos.play("enter 1RB/LFR 0115")
    assert refused(pos, "end") == "7.3"  # only those that cannot enter go back
    assert refused(pos, "move x1 1011") == "7.3"
    for name, there in (("12T/LFR", "0116"), ("4Kom/LFR", "0117"), ("62/LFR", "0118")):
        pos = pos.play(f"enter {name} {there}")
    pos = pos.play("end")
    assert where(pos, "12T/LFR") == "0116"
    assert where(pos, "Zhukov") == "waiting"  # a leader comes when his player likes


@pytest.mark.case("leningrad41", "7.3", "19.3")
def test_only_reserves_that_cannot_enter_go_back(place):
    units = {"12T/LFR": {"at": "waiting"}, "62/LFR": {"at": "waiting"}, "x1": soviet("0606"), "x2": german("1212")}
    pos = place(units, "soviet-movement", places={"0105": ["soviet-entry"]})
    assert refused(pos, "end") == "7.3"
    pos = pos.play("move x1 0607").play("enter 12T/LFR 0105")
    assert refused(pos, "enter 62/LFR 0105") == "6.1"
    pos = pos.play("end")
    assert where(pos, "12T/LFR") == "0105"
    assert where(pos, "62/LFR") == "pool"
    shut = place(units, "soviet-movement").play("end")
    assert [where(shut, name) for name in ("12T/LFR", "62/LFR")] == ["pool", "pool"]


@pytest.mark.case("leningrad41", "3.4", "19.3")
def test_zhukov_comes_no_earlier_than_the_front_reserve(game):
    units = {"x1": soviet("1010"), "x2": german("5110"), "Zhukov": {"at": "waiting"}}
    first, second = ({"game": G, "turn": turn, "phase": "soviet-movement", "units": units} for turn in (1, 2))
    assert refused(game.position(first), "enter Zhukov 0110") == "3.4"
    assert game.position(second).why_not("enter Zhukov 0110") is None


@pytest.mark.case("leningrad41", "19.2", "7.3")
@pytest.mark.parametrize(("german_held", "rubbled", "draws"), [(0, 0, 7), (1, 0, 6), (0, 1, 6), (36, 1, 0)])
def test_army_draws_by_objectives(game, german_held, rubbled, draws):
    names = [game.map.grid.number(h) for h in game.map.grid.members(game.map.terrain["objective"])]
    document = {
        "game": G, "turn": 2, "phase": "german-fire", "units": {"x1": soviet("1010"), "x2": german("5110")},
        "control": names[:german_held], "rubble": names[len(names) - rubbled:],
    }  # fmt: skip
    pos = game.position(document).play("end")
    number = 0
    while pos.chance.title.startswith("a draw from the 42nd"):
        assert pos.view("german").chance is None
        pos = pos.play(next(iter(pos.legal)))
        number += 1
    assert number == draws


def arrivals(game, **more):
    units = {"back-1": {"at": "hand", "is": "6NKVD/42"}, "back-2": {"at": "hand", "is": "181/42"}}
    units |= {"x2": german("5110")} | more.pop("units", {})
    return game.position({"game": G, "turn": 2, "phase": "soviet-reinforcement", "units": units, **more})


@pytest.mark.case("leningrad41", "19.2", "7.3", "9.6")
def test_army_units_are_placed_face_down_on_friendly_objectives(game):
    pos = arrivals(game, units={"x3": german("3212")}, control=["3408"], rubble=["2713"])
    assert refused(pos, "place back-1 3211") == "19.2"  # next to a German
    assert refused(pos, "place back-1 3408") == "19.2"
    assert refused(pos, "place back-1 2713") == "19.2"
    assert refused(pos, "place back-1 1010") == "19.2"
    pos = pos.play("place back-1 2807")
    assert refused(pos, "place back-2 2807") == "19.2"  # one a hex a turn
    assert pos.to_move == "soviet"  # no defensive fire at placement
    hidden = [c for c in pos.view("german").table().counters if c.hex == "2807"]
    assert [c.name for c in hidden] == ["back-1"]
    assert refused(pos, "end") == "7.3"
    pos = pos.play("place back-2 2716").play("end")
    assert where(pos, "back-2") == "2716"


@pytest.mark.case("leningrad41", "19.2", "7.3")
def test_only_arrivals_without_an_objective_go_back(place):
    hand = {"back-1": {"at": "hand", "is": "6NKVD/42"}, "back-2": {"at": "hand", "is": "181/42"}}
    pos = place(hand | {"x2": german("1111")}, "soviet-reinforcement", hexes={"0404": "objective"})
    assert refused(pos, "end") == "7.3"
    pos = pos.play("place back-1 0404").play("end")
    assert where(pos, "back-1") == "0404"
    assert where(pos, "181/42") == "pool"


@pytest.mark.case("leningrad41", "19.2", "8.4", "7.7")
def test_over_stacked_arrivals_must_be_sorted_out_by_the_end_of_movement(game):
    crowd = {"x4": soviet("2807"), "x5": soviet("2807")}
    pos = arrivals(game, units=crowd).play("place back-1 2807").play("place back-2 2716").play("end")
    assert pos.phase.id == "soviet-movement"
    lost = pos.play("end")
    assert where(lost, "6NKVD/42") == "pool"
    assert [event.case for event in lost.events if event.kind == "pool"] == ["7.7"]
    assert where(lost, "x4") == "2807"
    saved = pos.play("move x4 2708").play("end")
    assert where(saved, "back-1") == "2807"


@pytest.mark.case("leningrad41", "19.2")
def test_the_army_draw_is_exact(place):
    # 48 undrawn, 36 of them face down on the map, one unit returned: 12 + 1 in the pool
    backs = {f"back-{n}": {"hex": f"{2 + n // 12:02}{1 + n % 12:02}"} for n in range(36)}
    backs = {f"back-{n + 1}": value for n, value in enumerate(backs.values())}
    units = backs | {"6NKVD/42": {"at": "pool"}}
    pos = place(units, "soviet-reinforcement", pending=[{"kind": "draw", "number": 1, "words": ["42"]}])
    assert pos.chance.hidden_from == {"german", "observer"}
    odds = dict(pos.chance.outcomes)
    assert odds[pos.game.parse("draw 6NKVD/42")] == Fraction(1, 12)
    assert odds[pos.game.parse("draw 8NKVD/42")] == Fraction(11, 12) / 47
    assert sum(odds.values()) == 1


@pytest.mark.case("leningrad41", "7.4")
@pytest.mark.parametrize(("turn", "number"), [(2, 1), (5, 1), (6, 2), (10, 2)])
def test_replacements_by_turn(game, turn, number):
    dead = {"I/8M": {"at": "dead"}, "II/8M": {"at": "dead"}, "III/8M": {"at": "dead"}}
    pos = begin(game, turn, entered=["3M", "8P"], units=dead)
    rng = random.Random(1)
    while pos.to_move == "chance":
        pos = pos.play(pos.legal.random(rng))
    made = 0
    while "replace 3M" in pos.legal:
        pos = pos.play("replace 3M")
        pos = pos.play(pos.legal.random(rng))
        made += 1
    assert made == number
    assert game.tables.german_replacements.by_turn == [0, 1, 1, 1, 1, 2, 2, 2, 2, 2]


@pytest.mark.case("leningrad41", "7.5")
def test_who_receives_replacements(place):
    units = {
        "I/8M": {"at": "dead"}, "II/8M": {"at": "dead"}, "I/8p": {"hex": "0505"},
        "Manstein": {"at": "gone"}, "x1": soviet("0101"),
    }  # fmt: skip
    pos = place(units, "german-reinforcement", replacements=1, entered=["3M", "8P", "56"])
    assert refused(pos, "replace 8P") == "7.5"  # no loss
    assert refused(pos, "replace 269") == "7.5"  # has not entered
    assert refused(pos, "replace 56") == "7.5"  # Manstein is never replaced
    assert refused(pos, "replace LW") == "7.5"
    pos = pos.play("replace 3M")
    assert {str(order) for order, _ in pos.chance} == {"draw I/8M", "draw II/8M"}
    pos = pos.play("draw I/8M")
    assert where(pos, "I/8M") == "waiting"  # no unit of its division on the map: by the edge
    assert refused(place(units, "german-reinforcement", begun=True), "replace 3M") == "7.4"


@pytest.mark.case("leningrad41", "7.6", "8.4")
def test_a_replacement_is_placed_on_a_unit_of_its_own(place):
    units = {
        "I/8M": {"hex": "0505"}, "II/8M": {"hex": "0505"}, "III/8M": {"at": "dead"}, "I/8p": {"hex": "0707"},
        "x1": soviet("0101"),
    }  # fmt: skip
    pos = place(units, "german-reinforcement", replacements=1, turn=4).play("replace 3M").play("draw III/8M")
    assert refused(pos, "place III/8M 0707") == "7.6"
    assert refused(pos, "end") == "7.6"
    pos = pos.play("place III/8M 0505")
    assert refused(pos, "replace 3M") == "7.4"
    pos = pos.play("end")
    assert pos.phase.id == "german-movement"  # there are no air strikes
    assert "move III/8M 0510" in pos.legal


@pytest.mark.case("leningrad41", "7.7", "14.7", "10.14")
def test_eliminated_soviets_return_to_the_pool_leaders_do_not(place):
    units = {"Zhdanov": {"hex": "0504"}, "181/42": {"hex": "0504"}, "x1": german("0505", fire=50)}
    pos = place(units).play("attack x1 0504 assault").play("die 1").play("die 1")
    assert where(pos, "181/42") == "pool"
    assert where(pos, "Zhdanov") == ""  # gone for good
    own = place({"I/8M": {"hex": "0505"}, "x2": soviet("0504", fire=50)}, "soviet-fire")
    assert where(own.play("attack x2 0505").play("die 1"), "I/8M") == "dead"


EDGE = {"1201": ["german-entry"], "1202": ["german-entry"]}


@pytest.mark.case("leningrad41", "7.5", "14.7")
def test_leaders_are_not_replaced(place):
    pos = place({"x1": german("0504", command="56"), "x2": soviet("1111")}, "german-reinforcement", replacements=2)
    pos.where[pos.roster.index["Manstein"]] = -7
    assert refused(pos, "replace 56") == "7.5"


@pytest.mark.case("leningrad41", "5.1", "7.4")
def test_no_third_replacement_in_the_phase_of_two(place):
    dead = {name: {"at": "dead"} for name in ("I/8M", "II/8M", "III/8M")}
    units = dead | {"x1": german("0505"), "x2": soviet("0101")}
    pos = place(units, "german-reinforcement", turn=6, replacements=2)
    for name in ("I/8M", "II/8M"):
        pos = pos.play("replace 3M").play(f"draw {name}").play(f"place {name} 0505")
    assert refused(pos, "replace 3M") == "7.4"


@pytest.mark.case("leningrad41", "7.5", "7.6")
def test_a_sub_command_with_losses_has_entered_play(place):
    units = {"I/8M": {"at": "dead"}, "x1": german("0505", command="8P"), "x2": soviet("0101")}
    pos = place(units, "german-reinforcement", replacements=1).play("replace 3M").play("draw I/8M")
    assert where(pos, "I/8M") == "waiting"  # by the south edge


@pytest.mark.case("leningrad41", "7.1", "19.1", "8.8")
def test_a_waiting_unit_reaches_what_lies_behind_the_edge(place):
    edge = {"0102": ["german-entry"], "0104": ["german-entry"]}
    units = {"x1": german("", at="waiting", type="motorized-infantry"), "x2": soviet("0240")}
    pos = place(units, "german-movement", size=(40, 3), places=edge, hexes={"0104": "urban"})
    reach = pos.reach("x1")
    assert (reach["0102"].cost, reach["0102"].left, reach["0102"].path) == (1, 15, ("0102",))
    assert reach["0104"].cost == 2
    assert reach["0110"].cost == 8  # two for the first hex, and six
    assert pos.play("enter x1 " + "-".join(reach["0110"].path)).document()["units"]["x1"]["hex"] == "0110"
    assert "0117" in reach
    assert reach["0120"].left == 32 - reach["0120"].cost  # only by motorized movement
    assert "0138" not in reach


@pytest.mark.case("leningrad41", "8.2", "19.1")
def test_a_division_enters_whole_before_another_sub_command_moves(place):
    units = {
        "I/8M": {"at": "waiting"},
        "II/8M": {"at": "waiting"},
        "x1": german("0404", command="8P"),
        "e1": german("0606", command="56", type="engineer"),
        "Manstein": {"hex": "0808"},
        "x2": soviet("0101"),
    }
    sides = {"0606/0605": ["minor-river"], "0606/0607": ["minor-river"]}
    pos = place(units, "german-movement", places=EDGE, sides=sides).play("enter I/8M 1201")
    assert refused(pos, "move x1 0405") == "19.1"
    assert not list(pos.legal.of("x1"))
    assert pos.why_not("move I/8M 1101") is None
    assert pos.why_not("move Manstein 0809") is None  # leaders belong to no sub-command
    assert "bridge e1 0605" in list(map(str, pos.legal))  # a pontoon is no move
    assert pos.why_not("bridge e1 0605") is None
    assert pos.play("enter II/8M 1202").why_not("move x1 0405") is None
    full = units | {"x3": german("1201", command="56")}
    pos = place(full, "german-movement", places={"1201": ["german-entry"]}, sides=sides).play("enter I/8M 1201")
    assert pos.why_not("move x1 0405") is None  # II/8M has nowhere to enter
