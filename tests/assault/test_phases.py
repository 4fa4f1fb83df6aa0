"""A phase ends at its side's word (4.0), and when units are transferred in it (8.32)."""

from __future__ import annotations

import random

import pytest

from ladoga.games.assault.position import MOVEMENT_PHASES
from ladoga.kernel.position import PASSED

from .conftest import german, happened, refused, situation, soviet, texts
from .test_inset import City


def passed_by(pos) -> list[str]:
    """The phases that went by with the last order, in words."""
    return [event.text for event in pos.events if event.kind == PASSED]


# The last thing done leaves the phase open --------------------------------------------------------


@pytest.mark.case("assault-*", "4.0", "5.1")
def test_the_set_up_ends_at_its_word(game):
    pos, rng = game.start(), random.Random(1)
    while texts(pos) != {"end"}:
        pos = pos.play(pos.legal.random(rng))
        assert pos.phase.id == "soviet-set-up"
    assert pos.play("end soviet-set-up").phase.id == "german-air-bombardment"


@pytest.mark.case("assault-*", "4.0", "12.31")
def test_the_last_bomb_leaves_the_phase_open(game):
    pos = situation(game, "german-air-bombardment", {"s": soviet("0505"), "g": german("0909")}, air=1)
    pos = pos.play("bomb 0505")
    assert (pos.to_move, texts(pos)) == ("german", {"end"})
    rolling = pos.play("end german-air-bombardment")
    assert rolling.to_move == "chance"
    assert rolling.play("die 6").phase.id == "german-movement"


@pytest.mark.case("assault-*", "4.0", "10.22")
def test_the_last_attack_and_the_last_advance_leave_the_phase_open(game):
    pos = situation(game, "german-combat", {"x": german("0505", "40-A"), "y": soviet("0506", "1-C")})
    offered = pos.play("attack x 0506")
    assert offered.pending is not None
    for after in (offered.play("advance x 0506"), offered.play("end")):
        assert (after.phase.id, after.to_move, texts(after)) == ("german-combat", "german", {"end"})
        assert after.play("end").phase.id != "german-combat"


@pytest.mark.case("assault-leningrad", "4.0", "13.3", "13.6")
def test_laid_guns_leave_the_phase_open(leningrad):
    units = {"Nav": "0222", "90RD": "0425", "1ID": "0424", "11ID": "0622"}
    pos = situation(leningrad, "soviet-naval-fire", units, map=None).play("fire 0424")
    assert (pos.phase.id, texts(pos)) == ("soviet-naval-fire", {"end"})
    assert refused(pos, "fire 0622") == "13.6"
    assert pos == leningrad.position(pos.document())
    assert pos.play("end").phase.id == "soviet-combat"


@pytest.mark.case("assault-*", "4.0")
def test_no_phase_is_left_without_a_word_of_its_side(game):
    """In a random game a phase is left only by its side's end, with the dice and choices that end brings; or it was
    entered with nothing to do, and that is told."""
    rng = random.Random(6)
    pos = game.start(options={"free-transfers": "each-phase"})
    titles = {phase.title: phase for phase in game.phases}
    word = ""
    while pos.outcome is None:
        order = pos.legal.random(rng)
        if pos.pending is None:
            word = pos.phase.id if order.verb == "end" else ""
        before, pos = pos, pos.play(order)
        gone = [titles[text.removesuffix(": nothing to do")].id for text in passed_by(pos)]
        if (before.turn, before.phase.id) != (pos.turn, pos.phase.id):
            assert before.phase.id in {word, *gone, *("german-supply", "soviet-supply")}, (before, order)
            assert pos.phase.id not in gone


@pytest.mark.case("assault-*", "4.0")
def test_a_phase_in_which_nothing_can_be_done_passes_and_says_so(game):
    """Whether something can be done is judged when the phase is entered."""
    pos = situation(game, "german-movement", {"x": german("0505"), "y": soviet("0909")}).play("end")
    assert pos.phase.side == "soviet"
    assert passed_by(pos)[:2] == ["German combat: nothing to do", "German mechanized movement: nothing to do"]
    close = situation(game, "german-movement", {"x": german("0505"), "y": soviet("0506")}).play("end")
    assert (close.phase.id, passed_by(close)) == ("german-combat", [])


# The end of a phase by its name -------------------------------------------------------------------


@pytest.mark.case("assault-*", "4.0")
def test_end_names_the_phase_it_ends(game):
    pos = situation(game, "german-combat", {"x": german("0505", "40-A"), "y": soviet("0506", "1-C")})
    assert "the phase is german-combat now" in pos.why_not("end german-movement").message
    plan = pos.play("target 0506")
    assert "the attack that is being put together comes first" in plan.why_not("end german-combat").message
    offered = pos.play("attack x 0506")
    refusal = offered.why_not("end german-combat")
    assert "the advance after combat comes first; plain 'end' declines it" in refusal.message
    assert offered.play("end").play("end german-combat").phase.id != "german-combat"


@pytest.mark.case("assault-*", "4.0", "8.33")
def test_a_phase_is_not_ended_while_the_city_is_manned(game):
    city = City(game)
    units = {"g": german(city.main, movement=8), "x": soviet(city.capital, "4-C")}
    pos = situation(game, "german-movement", units, map=None).play(f"move g {city.fringe}")
    assert "the manning of the city comes first" in pos.why_not("end german-movement").message
    assert refused(pos, "end") == "8.33"
    pos = pos.play(f"transfer x {city.deep}")
    assert texts(pos) == {"end"}
    assert pos.play("end").phase.id == "german-movement"


@pytest.mark.case("assault-*", "4.0", "10.212")
def test_every_choice_has_a_name(game):
    rng = random.Random(3)
    pos = game.start(options={"free-transfers": "each-phase"})
    for _ in range(1500):
        if pos.outcome is not None:
            break
        if pos.to_move != "chance":
            assert (pos.choice is None) == (pos.pending is None)
            refusal = pos.why_not(f"end {pos.phase.id}")
            if pos.choice is not None:
                assert f"{pos.choice} comes first" in refusal.message
            else:
                assert refusal == pos.why_not("end")
        pos = pos.play(pos.legal.random(rng))


# Transfers (8.32) ---------------------------------------------------------------------------------


@pytest.mark.case("assault-*", "8.32")
def test_a_soviet_combat_phase_with_a_transfer_left_is_not_passed_over(game):
    city = City(game)
    units = {"x": soviet(city.capital), "y": german(city.out)}
    pos = situation(game, "soviet-movement", units, map=None).play("end")
    while pos.phase.id != "soviet-combat":
        pos = pos.play("end")
    assert f"transfer x {city.interior}" in texts(pos)
    pos = pos.play(f"transfer x {city.interior}")
    assert (pos.phase.id, texts(pos)) == ("soviet-combat", {"end"})


def end_alone(pos):
    """End a German player-turn phase by phase, in which nobody else may be asked."""
    while pos.phase.side == "german":
        assert pos.to_move == "german"
        pos = pos.play("end")


@pytest.mark.case("assault-*", "8.32")
def test_by_default_units_are_not_transferred_before_a_german_phase(game):
    city = City(game)
    units = {"x": soviet(city.capital), "y": german(city.out)}
    pos = situation(game, "german-movement", units, map=None)
    assert refused(pos, f"transfer x {city.interior}") == "8.32"
    end_alone(pos)


@pytest.mark.case("assault-*", "8.32")
def test_the_option_offers_a_transfer_before_each_german_phase(game):
    city = City(game)
    units = {"x": soviet(city.capital), "y": german(city.out, "4-A", type="panzer")}
    options = {"free-transfers": "each-phase"}
    pos = situation(game, "soviet-combat", units, map=None, options=options)
    offered, there = [], city.capital
    while not (pos.phase.side == "soviet" and offered):
        if pos.to_move == "chance":
            pos = pos.play("die 1")
        elif pos.to_move == "soviet" and pos.phase.side == "german":
            offered.append(pos.phase.id)
            assert pos == game.position(pos.document())
            there = city.interior if there == city.capital else city.capital
            assert refused(pos, "move x 0101") == "4.0"
            pos = pos.play(f"transfer x {there}")
            assert (pos.why_not(f"transfer x {city.beside}") is None) == (there == city.capital)
            assert "the transfer of units in the city comes first" in pos.why_not(f"end {pos.phase.id}").message
            pos = pos.play("end")
        else:
            pos = pos.play("end")
    assert offered == [
        "german-air-bombardment", "german-supply", "german-movement", "german-combat", "german-mechanized-movement",
    ]  # fmt: skip
    assert pos.document()["units"]["x"]["hex"] == there
    assert "transferred" not in pos.document()["units"]["x"]


@pytest.mark.case("assault-*", "8.32", "8.33")
def test_nothing_is_offered_with_germans_on_the_inset_or_an_empty_city(game):
    city = City(game)
    options = {"free-transfers": "each-phase"}
    for units in (
        {"x": soviet(city.deep), "y": german(city.interior), "p": german(city.out, type="panzer")},
        {"x": soviet("0303"), "y": german(city.out, type="panzer")},
    ):
        pos = situation(game, "german-movement", units, map=None, options=options)
        end_alone(pos)


@pytest.mark.case("assault-*", "8.32")
def test_a_german_phase_with_nothing_to_do_passes_after_the_offer(game):
    city = City(game)
    units = {"x": soviet(city.capital), "y": german(city.out, "4-A")}
    pos = situation(game, "german-movement", units, map=None, options={"free-transfers": "each-phase"}).play("end")
    while pos.phase.side == "german":
        assert pos.to_move == "soviet"
        assert passed_by(pos) == ([] if pos.phase.id == "german-combat" else ["German combat: nothing to do"])
        pos = pos.play("end")
    assert passed_by(pos)[0] == "German mechanized movement: nothing to do"


@pytest.mark.parametrize("phase", sorted(MOVEMENT_PHASES))
@pytest.mark.case("assault-*", "6.11", "4.0")
def test_a_movement_phase_stays_open_when_everybody_has_moved(game, phase):
    own, other = (german, soviet) if phase.startswith("german") else (soviet, german)
    pos = situation(game, phase, {"x": own("0505", type="panzer" if own is german else "tank"), "y": other("0909")})
    pos = pos.play("move x 0506")
    assert (pos.phase.id, texts(pos)) == (phase, {"end"})
    assert "nothing to do" not in happened(pos)


@pytest.mark.case("assault-*", "8.32", "8.26")
def test_two_units_of_a_district_change_places(game):
    """Freely and at any time: one goes to the main map, the other takes its hex, and the first comes back."""
    city = City(game)
    pos = situation(game, "soviet-combat", {"a": soviet(city.interior), "b": soviet(city.beside)}, map=None)
    assert refused(pos, f"transfer b {city.interior}") == "8.26"
    pos = pos.play(f"transfer a {city.capital}").play(f"transfer b {city.interior}").play(f"transfer a {city.beside}")
    units = pos.document()["units"]
    assert (units["a"]["hex"], units["b"]["hex"]) == (city.beside, city.interior)
    assert texts(pos) == {"end"}
    assert refused(pos, f"transfer a {city.capital}") == "8.32"
