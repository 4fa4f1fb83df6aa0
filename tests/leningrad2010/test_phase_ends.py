"""Situations from the book around the ends of phases, advances, overruns and the forced attacks of turn 1, put to both
editions."""

from __future__ import annotations

import pytest

from .field import FIRST, SECOND, field, german, orders, panzer, play, refused, soviet, where

BOTH = pytest.mark.parametrize("game", [FIRST, SECOND])
FAR = {"e9": soviet("1209"), "x9": german("0101")}


def told(position):
    return [event.text for event in position.events]


def why(position, order):
    return position.why_not(order).message


def last_attack(game, attack):
    """The only attack of a combat phase, after which there is nothing left but to end it."""
    units = {"x1": german("0505", 40), "e1": soviet("0506"), **FAR}
    position = play(field("german-combat", units, game=game), attack, "die 6", "end")
    assert (position.phase.id, orders(position)) == ("german-combat", {"end"})
    return position


# Overruns -------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.case("leningrad-2010", "7.6")
@pytest.mark.case("leningrad-1979", "7.6")
def test_a_successful_overrun_is_not_ended_before_a_unit_has_advanced(game):
    units = {"x1": panzer("0505", 40), "x2": panzer("0505", 40), "e1": soviet("0506"), **FAR}
    position = play(field("german-movement", units, game=game), "overrun x1+x2 0506", "die 6")
    assert position.choice == "the advance after combat"
    assert refused(position, "end") == "7.6"
    assert why(position, "end german-movement") == "in german-movement the advance after combat comes first"
    one = play(position, "advance x1 0506")
    assert why(one, "end german-movement").endswith("comes first; plain 'end' declines it")
    after = one.play("end")
    assert (after.phase.id, after.choice, after.to_move) == ("german-movement", None, "german")
    assert after.reach("x2"), "the other may still move on"
    assert after.play("end german-movement").phase.id == "german-interdiction"


@BOTH
@pytest.mark.case("leningrad-2010", "7.7")
@pytest.mark.case("leningrad-1979", "7.7")
def test_overrunners_that_retreat_have_ended_their_move_and_the_phase_goes_on(game):
    units = {"x1": panzer("0505", 12), "x2": german("0303"), "e1": soviet("0506", 4, 8), **FAR}
    position = play(field("german-movement", units, game=game), "overrun x1 0506", "die 3")
    assert position.document()["fight"]["result"] == "-/2"
    assert position.choice == "the attacker's loss or retreat"
    assert "plain" not in why(position, "end german-movement"), "a result is not declined"
    after = play(position, "retreat x1 0504-0503")
    assert (after.phase.id, after.to_move) == ("german-movement", "german")
    assert not after.legal.of("x1")
    assert "move x2 0304" in after.legal


@BOTH
@pytest.mark.case("leningrad-2010", "11.0", "11.2")
@pytest.mark.case("leningrad-1979", "13.0", "13.2")
def test_the_german_says_what_flies_before_the_soviet_phase_goes_on(game):
    units = {"e1": soviet("0505", 20), "x1": german("0506"), **FAR}
    position = play(field("soviet-movement", units, game=game), "overrun e1 0506")
    assert position.to_move == "german"
    assert why(position, "end soviet-movement") == "in soviet-movement the air support of the defence comes first"
    assert position.why_not("end") is not None
    assert orders(position) == {"air 0", "air 1"}


# Combat ---------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.case("leningrad-2010", "3.0", "8.3")
@pytest.mark.case("leningrad-1979", "3.0", "9.0")
def test_the_last_attack_leaves_the_phase_open(game):
    position = last_attack(game, "attack x1 0506")
    assert position.play("end german-combat").phase.id == "german-interdiction"


@BOTH
@pytest.mark.case("leningrad-2010", "8.44")
@pytest.mark.case("leningrad-1979", "10.4")
def test_a_phase_whose_attackers_are_all_gone_is_still_ended_by_its_word(game):
    units = {"x1": german("0505", 1), "e1": soviet("0506", 4, 8), **FAR}
    position = play(field("german-combat", units, game=game), "attack x1 0506", "die 1", "end")
    assert where(position, "x1") == "eliminated"
    assert (position.phase.id, position.to_move, orders(position)) == ("german-combat", "german", {"end"})


@BOTH
@pytest.mark.case("leningrad-2010", "8.48")
@pytest.mark.case("leningrad-1979", "10.9")
def test_the_defender_declines_his_advance_and_the_attackers_phase_goes_on(game):
    units = {"e1": soviet("0505", 1, 1), "e2": soviet("0303"), "x1": german("0506", 12), "x2": german("0304"), **FAR}
    position = play(field("soviet-combat", units, game=game, air_used=1), "attack e1 0506", "die 1")
    assert (position.to_move, position.choice) == ("german", "the defender's advance after combat")
    assert why(position, "end soviet-combat").endswith("plain 'end' declines it")
    after = position.play("end")
    assert (after.to_move, after.phase.id) == ("soviet", "soviet-combat")
    assert "target 0304" in after.legal, "e2 has its attack still"
    advanced = position.play("advance x1 0505")
    assert (advanced.to_move, advanced.phase.id, advanced.choice) == ("soviet", "soviet-combat", None)


@BOTH
@pytest.mark.case("leningrad-2010", "8.31")
@pytest.mark.case("leningrad-1979", "9.1")
def test_an_attack_being_composed_comes_first(game):
    units = {"x1": german("0505", 6), "e1": soviet("0506"), **FAR}
    position = play(field("german-combat", units, game=game), "target 0506")
    assert why(position, "end german-combat") == "in german-combat the attack being composed comes first"
    assert position.why_not("end") is not None
    assert why(play(position, "add x1", "commit"), "end german-combat").startswith("the game waits for")


@BOTH
@pytest.mark.case("leningrad-2010", "8.42")
@pytest.mark.case("leningrad-1979", "10.2")
def test_a_loss_that_is_due_is_not_declined(game):
    units = {"x1": german("0505", 20), "e1": soviet("0506", 4, 4), **FAR}
    position = play(field("german-combat", units, game=game), "attack x1 0506", "die 5")
    assert (position.to_move, position.choice) == ("soviet", "the defender's loss or retreat")
    assert refused(position, "end") in ("8.41", "8.42", "10.1", "10.2")
    assert "plain" not in why(position, "end german-combat")
    assert position.view("german").why_not("end german-combat").message == "soviet is to move"


@BOTH
@pytest.mark.case("leningrad-2010", "8.42", "8.48")
@pytest.mark.case("leningrad-1979", "10.2", "10.9")
def test_after_a_two_hex_retreat_one_unit_goes_on_one_stays_and_the_phase_is_open(game):
    units = {"x1": german("0505", 20), "x2": german("0505", 10), "e1": soviet("0506", 4, 4), **FAR}
    position = play(field("german-combat", units, game=game), "attack x1+x2 0506", "die 3")
    assert position.document()["fight"]["result"].startswith("2/")
    position = play(position, "retreat e1 0507-0508", "advance x1 0506-0507")
    assert where(position, "x1") == "0507"
    assert why(position, "end german-combat").endswith("plain 'end' declines it")
    after = position.play("end")
    assert (after.phase.id, orders(after)) == ("german-combat", {"end"}), "nobody attacks twice (8.2)"


# Passing --------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.case("leningrad-2010", "3.0", "11.5")
@pytest.mark.case("leningrad-1979", "3.0", "13.5")
def test_interdiction_is_omitted_when_every_air_unit_has_flown(game):
    after = last_attack(game, "attack x1 0506 air 1").play("end german-combat")
    assert told(after) == ["German air interdiction: nothing to do", "Soviet fortification: nothing to do"]
    assert [event.side for event in after.events] == ["german", "soviet"]
    assert after.phase.id == "soviet-movement"
    assert why(after, "end german-combat") == "not 'german-combat': the phase is soviet-movement now"


@BOTH
@pytest.mark.case("leningrad-2010", "3.0")
@pytest.mark.case("leningrad-1979", "3.0")
def test_whether_anything_can_be_done_is_judged_on_entering(game):
    """Of two fights the first takes the target of the second away; the phase was entered and stays."""
    units = {"x1": german("0505", 40), "x2": german("0605", 40), "e1": soviet("0506"), **FAR}
    position = field("german-movement", units, game=game).play("end")
    assert position.phase.id == "german-combat"
    position = play(position, "attack x1 0506", "die 6", "end")
    assert orders(position) == {"end"}
    none = field("german-movement", {"x1": german("0505", 40), **FAR}, game=game, air_used=1).play("end")
    assert "German combat: nothing to do" in told(none)
    assert none.phase.id == "soviet-movement"


@BOTH
@pytest.mark.case("leningrad-2010", "3.0", "14.6")
@pytest.mark.case("leningrad-1979", "3.0", "16.6")
def test_the_turn_begins_with_replacements_if_there_are_any(game):
    units = {"x1": german("0505", 6, steps=1, since=2), **FAR}
    city = {"0505": ["city"]}
    ended = field("soviet-movement", units, game=game, turn=3, places=city).play("end soviet-movement")
    assert (ended.turn, ended.phase.id, orders(ended)) == (4, "german-replacement", {"rebuild x1", "end"})
    assert orders(ended.play("rebuild x1")) == {"end"}
    passed = field("soviet-movement", units, game=game, turn=3).play("end")
    assert (passed.turn, passed.phase.id) == (4, "german-movement")
    assert told(passed)[-1] == "German replacements: nothing to do"


@pytest.mark.case("leningrad-2010", "4.6")
def test_what_stands_too_high_is_removed_after_the_movers_word():
    units = {"x1": german("0505"), "x2": german("0505"), "x3": german("0505"), "x4": german("0504"), **FAR}
    position = play(field("german-movement", units), "move x4 0505", "end german-movement")
    assert (position.to_move, position.choice) == ("soviet", "the removal of units over the stacking limit")
    assert why(position, "end german-movement") == (
        "in german-movement the removal of units over the stacking limit comes first"
    )
    assert refused(position, "end") == "4.6"
    assert position.play("remove x4").phase.id == "german-interdiction"


@BOTH
@pytest.mark.case("leningrad-2010", "3.0", "16.0")
@pytest.mark.case("leningrad-1979", "3.0", "18.0")
def test_the_last_turn_ends_at_the_last_word(game):
    units = {"e1": soviet("0505", 4), "x1": german("0506", 6), **FAR}
    last = field("soviet-combat", units, game=game, turn=12)
    assert last.outcome is None
    over = last.play("end soviet-combat")
    assert over.outcome is not None
    assert why(over, "end soviet-combat") == "the game is over"
    assert why(last, "end supper") == "there is no phase 'supper': the phase is soviet-combat now"


# Turn 1 ---------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.case("leningrad-2010", "15.1")
@pytest.mark.case("leningrad-1979", "17.2")
def test_the_march_of_turn_one_is_owed_before_the_word(game):
    units = {"e1": soviet("0509"), "x1": german("0503"), "x9": german("0101")}
    position = field("soviet-movement", units, game=game, turn=1)
    case = refused(position, "end")
    assert refused(position, "end soviet-movement") == case == {FIRST: "17.2", SECOND: "15.1"}[game]
    near = next(o for o in position.legal if o.verb == "move")
    assert position.play(near).play("end soviet-movement").phase.id == "soviet-combat"


@BOTH
@pytest.mark.case("leningrad-2010", "15.2")
@pytest.mark.case("leningrad-1979", "17.3")
def test_the_attacks_of_turn_one_are_owed_before_the_word(game):
    units = {"e1": soviet("0505"), "e2": soviet("0605"), "x1": german("0506", 12), "x9": german("0101")}
    position = field("soviet-combat", units, game=game, turn=1, air_used=1)
    case = {FIRST: "17.3", SECOND: "15.2"}[game]
    assert refused(position, "end") == refused(position, "end soviet-combat") == case
    assert refused(position, "attack e1 0506") == case, "e2 would be left without a target"
    both = play(position, "attack e1+e2 0506", "die 1")
    assert both.choice == "the defender's advance after combat"
    after = both.play("end")
    assert (after.phase.id, orders(after)) == ("soviet-combat", {"end"})
    assert after.play("end soviet-combat").turn == 2


@BOTH
@pytest.mark.case("leningrad-2010", "15.2", "8.1")
@pytest.mark.case("leningrad-1979", "17.3", "8.2")
def test_whoever_lost_his_target_to_a_retreat_owes_no_attack(game):
    """x1 is driven off by e1, and was the only German next to e2: nothing is left that e2 could attack."""
    units = {"e1": soviet("0505", 60), "e2": soviet("0504"), "x1": german("0506", 2), "x9": german("0101")}
    position = play(field("soviet-combat", units, game=game, turn=1, air_used=1), "attack e1 0506", "die 6", "end")
    assert where(position, "x1") == "eliminated"
    assert orders(position) == {"end"}


@BOTH
@pytest.mark.case("leningrad-2010", "15.1", "15.2")
@pytest.mark.case("leningrad-1979", "17.1", "17.3")
def test_an_advance_on_turn_one_brings_no_new_attack(game):
    """e1 wins, advances next to another German and has attacked already: the phase may end."""
    units = {"e1": soviet("0505", 60), "x1": german("0506", 2), "x2": german("0508", 6), "x9": german("0101")}
    position = play(field("soviet-combat", units, game=game, turn=1, air_used=1), "attack e1 0506", "die 6")
    advanced = position.play("advance e1 0506")
    assert advanced.choice is None
    assert orders(advanced) == {"end"}


@BOTH
@pytest.mark.case("leningrad-2010", "15.1")
@pytest.mark.case("leningrad-1979", "17.1")
def test_nobody_overruns_or_disengages_on_turn_one_and_the_phase_still_waits_for_its_word(game):
    units = {"e1": soviet("0505", 60), "e2": soviet("0505"), "x1": german("0506", 2), "x9": german("0101")}
    position = field("soviet-movement", units, game=game, turn=1)
    case = {FIRST: "17.1", SECOND: "15.1"}[game]
    assert refused(position, "overrun e1 0506") == case
    assert refused(position, "move e1 0504") == case
    assert orders(position) == {"end"}
    assert position.phase.id == "soviet-movement"
