"""Chapters 4 and 5: how to win, and the sequence of play."""

from __future__ import annotations

import pytest

from ladoga.games.leningrad41.victory import CASES

from .conftest import kinds, refused
from .made_up import german, soviet

G = "leningrad41"


def end_of_turn(game, turn, control, rubble=(), germans=True):
    units = {"x1": soviet("0110")}
    if germans:
        units["x2"] = german("5110")
    return game.position(
        {"game": G, "turn": turn, "phase": "soviet-fire", "units": units, "control": control, "rubble": list(rubble)}
    )


def objectives(game):
    return [game.map.grid.number(h) for h in game.map.grid.members(game.map.terrain["objective"])]


@pytest.mark.case("leningrad41", "4.0", "4.1", "4.3", "4.4", "4.6")
@pytest.mark.parametrize(("held", "winner", "case"), [(21, "soviet", "4.4"), (22, "german", "4.3")])
def test_twenty_two_objectives_at_the_end_of_turn_ten(game, held, winner, case):
    pos = end_of_turn(game, 10, objectives(game)[:held]).play("end")
    assert pos.to_move is None
    assert pos.outcome.winner == winner
    assert pos.outcome.case == case
    assert {winner for winner, _, _ in CASES.values()} == {"german", "soviet"}  # no draws
    assert len(pos.outcome.ledger) == len(objectives(game))


@pytest.mark.case("leningrad41", "4.3")
def test_rubbled_objectives_count(game):
    names = objectives(game)
    pos = end_of_turn(game, 10, names[:22], rubble=names[:5]).play("end")
    assert pos.outcome.winner == "german"


@pytest.mark.case("leningrad41", "4.2")
def test_control_follows_the_last_to_pass(place):
    pos = place(
        {"x1": german("0205"), "x2": soviet("1010")}, "german-movement", size=(12, 12), hexes={"0204": "objective"}
    )
    assert pos.standing.ledger[0].side == "soviet"
    pos = pos.play("move x1 0204-0203-0202")
    assert pos.standing.ledger[0].side == "german"
    assert pos.standing.margin == 22 - 1 or pos.outcome is None
    back = place({"x2": soviet("0205")}, "soviet-movement", hexes={"0204": "objective"}, control=["0204"])
    assert back.standing.ledger[0].side == "german"
    back = back.play("move x2 0204-0203")
    assert back.standing.ledger[0].side == "soviet"


@pytest.mark.case("leningrad41", "4.5")
def test_sudden_death(game):
    assert end_of_turn(game, 4, objectives(game)).play("end").outcome.winner == "german"
    gone = end_of_turn(game, 4, [], germans=False).play("end").outcome
    assert (gone.winner, gone.level, gone.case) == ("soviet", "sudden death", "4.5")
    short = end_of_turn(game, 4, objectives(game)[1:]).play("end")
    assert short.outcome is None
    assert short.turn == 5


@pytest.mark.case("leningrad41", "4.5", "14.1")
def test_manstein_alone_is_no_ground_unit(game):
    document = {
        "game": G, "turn": 4, "phase": "soviet-fire",
        "units": {"Manstein": {"hex": "5110"}, "x1": soviet("0110")},
    }  # fmt: skip
    assert game.position(document).play("end").outcome.winner == "soviet"


@pytest.mark.case("leningrad41", "5.0", "5.1")
def test_orders_belong_to_their_phase(place):
    pos = place({"x1": german("0505"), "x2": soviet("0504")}, "german-fire")
    assert refused(pos, "move x1 0506") == "5.1"
    moving = place({"x1": german("0505"), "x2": soviet("0504")}, "german-movement")
    assert refused(moving, "attack x1 0504") == "5.1"


@pytest.mark.case("leningrad41", "5.2")
def test_order_of_the_phases(place):
    units = {
        "x1": german("0505"), "x2": soviet("0503"), "StG2-1": {"at": "ready"}, "x4": german(at="dead"),
        "x3": german("0506", command="3M"),
    }  # fmt: skip
    sides = {"0505/0504": ["major-river"]}
    pos = place(units, "german-reinforcement", turn=1, replacements=1, sides=sides, hexes={"0504": "urban"})
    seen = [pos.phase.id]
    for _ in range(7):
        while pos.to_move == "chance":
            pos = pos.play(next(iter(pos.legal)))
        pos = pos.play("end")
        while pos.to_move == "chance":
            pos = pos.play(next(iter(pos.legal)))
        if pos.phase.id != seen[-1]:
            seen.append(pos.phase.id)
    assert seen == [
        "german-reinforcement", "german-air", "german-movement", "german-fire", "soviet-movement", "soviet-fire",
        "german-reinforcement", "german-air",
    ]  # fmt: skip
    assert pos.turn == 2


@pytest.mark.case("leningrad41", "5.2")
def test_the_soviet_reinforcement_phase_is_skipped_on_turn_one_only(place):
    units = {"x1": german("0505"), "x2": soviet("0504")}
    first = place(units, "german-fire", turn=1).play("end")
    assert first.phase.id == "soviet-movement"
    second = place(units, "german-fire", turn=2).play("end")
    assert second.phase.id == "soviet-reinforcement"
    assert second.to_move == "chance"


@pytest.mark.case("leningrad41", "5.3")
def test_only_the_german_has_an_air_phase(game):
    from ladoga.games.leningrad41.state import PHASES

    assert [phase.id for phase in PHASES if phase.id.endswith("-air")] == ["german-air"]


@pytest.mark.case("leningrad41", "5.4")
def test_a_player_may_concede(place):
    pos = place({"x1": german("0505"), "x2": soviet("0504")}, "german-fire").play("concede")
    assert pos.outcome.winner == "soviet"
    assert pos.outcome.case == "5.4"
    assert "end" in kinds(pos)
    assert pos.why_not("end") is not None


@pytest.mark.case("leningrad41", "5.1", "10.2", "10.5")
def test_a_fire_phase_lasts_until_its_player_ends_it(place):
    units = {"x1": german("0505"), "s1": soviet("0504"), "s2": soviet("0404")}
    pos = place(units).play("attack x1 0504").play("die 6")
    assert (pos.phase.id, pos.to_move) == ("german-fire", "german")
    assert [str(order) for order in pos.legal] == ["end"]
    assert refused(pos, "attack x1 0404") == "10.2"
    assert refused(pos, "attack x1 0504") == "10.5"
    last = place(units, "soviet-fire").play("attack s1 0505").play("die 6").play("end")
    assert last.turn == 5


@pytest.mark.case("leningrad41", "5.1", "6.6")
def test_a_flip_does_not_end_a_phase(place):
    units = {"back-1": {"hex": "0504", "is": "MixA/42"}, "x1": german("1111")}
    pos = place(units, "soviet-fire").play("flip back-1")
    assert (pos.turn, pos.phase.id, pos.to_move) == (4, "soviet-fire", "soviet")


@pytest.mark.case("leningrad41", "5.1", "5.2")
def test_only_phases_in_which_nothing_can_be_done_pass(place):
    units = {"x1": german("0101"), "x2": soviet("1212")}  # nothing to fire at, nothing to replace
    pos = place(units, "german-reinforcement", turn=2, begun=True)
    phases, passed = [], []
    while pos.turn == 2:
        passed += [event.text for event in pos.events if event.kind == "phase passed"]
        if pos.to_move == "chance":
            pos = pos.play(next(iter(pos.legal)))
            continue
        phases.append(pos.phase.id)
        pos = pos.play("end")
    assert phases == [
        "german-reinforcement",
        "german-movement",
        "soviet-movement",
    ]  # the first was open in the document
    assert [text.partition(":")[0] for text in passed] == [
        "German air strikes",
        "German offensive fire",
        "Soviet reinforcements",
    ]
    assert "Soviet offensive fire: nothing to do" in [event.text for event in pos.events]


@pytest.mark.case("leningrad41", "5.1", "10.2")
def test_the_last_thing_done_leaves_the_phase_open(place):
    pos = place({"x1": german("0505", fire=50), "x2": soviet("0504"), "x3": soviet("1111")})
    pos = pos.play("attack x1 0504 assault").play("die 1").play("advance x1 0504")
    assert pos.phase.id == "german-fire"
    assert [str(order) for order in pos.legal] == ["end"]
    moved = place({"x1": german("0505"), "x2": soviet("1111")}, "german-movement", moved=["x1"])
    assert [str(order) for order in moved.legal] == ["end"]


@pytest.mark.case("leningrad41", "5.1", "9.2", "10.15")
def test_end_names_its_phase_and_a_choice_names_itself(place):
    fire = place({"x1": german("0505", fire=50), "x2": soviet("0504"), "x3": soviet("1111")})
    assert fire.play("end german-fire").phase.id == "soviet-reinforcement"
    assert fire.why_not("end german-movement").message == "not 'german-movement': the phase is german-fire now"
    advance = fire.play("attack x1 0504 assault").play("die 1")
    assert refused(advance, "end german-fire") == "10.1"
    assert advance.choice == "the advance after combat"
    assert "plain 'end' declines it" in advance.why_not("end german-fire").message
    assert advance.play("end").play("end german-fire").phase.id == "soviet-reinforcement"
    offer = place({"x1": german("0507"), "x2": soviet("0505")}, "german-movement").play("move x1 0506")
    assert offer.to_move == "soviet"
    for name in ("german-movement", "soviet-movement"):
        told = offer.why_not(f"end {name}").message
        assert told == "in german-movement the defensive fire that is offered comes first; plain 'end' declines it"
    assert offer.play("end").to_move == "german"


@pytest.mark.case("leningrad41", "5.2")
def test_the_phase_that_is_skipped_on_turn_1_is_not_announced(place):
    pos = place({"x1": german("0505"), "x2": soviet("1111")}, turn=1).play("end")
    assert [event.text for event in pos.events] == ["Soviet movement"]
