"""Victory, scenarios, order of battle and options (sections 14 to 17)."""

import random

import pytest

import ladoga
from ladoga.games.tijvin import supply

# Victory --------------------------------------------------------------------------------------


def cities(*majors, minors=0):
    """A field with major cities at the given hexes and minor cities in column 02."""
    places = {h: ["major-city"] for h in majors}
    return {"places": places | {f"02{n:02}": ["minor-city"] for n in range(1, minors + 1)}, "blank": [12, 12]}


@pytest.mark.case("tijvin-1941", "14")
@pytest.mark.parametrize(
    ("majors", "minors", "winner", "level"),
    [
        (4, 6, "german", "strategic"), (4, 5, "german", "tactical"), (4, 1, "german", "tactical"), (4, 0, None, "draw"),
        (3, 0, None, "draw"), (2, 4, "soviet", "tactical"), (2, 2, "soviet", "tactical"), (2, 1, "soviet", "strategic"),
        (0, 0, "soviet", "strategic"),
    ],
)  # fmt: skip
def test_levels_of_victory(situation, g, majors, minors, winner, level):
    field = cities(*("0401", "0403", "0405", "0407")[:majors], minors=minors)
    position = situation(phase="over", turn=15, map=field, control="all", units={"a": g("0101")})
    outcome = position.outcome
    assert (outcome.winner, outcome.level) == (winner, level)
    assert sum(e.points for e in outcome.ledger) == 5 * majors + minors
    assert {e.side for e in outcome.ledger} <= {"german"}


@pytest.mark.case("tijvin-1941", "14")
def test_a_city_counts_only_with_a_line_to_the_west(situation, g, s):
    field = cities("0505")
    wall = {f"r{n}": s(f"02{n:02}", 1) for n in range(1, 13)}
    position = situation(phase="over", turn=15, map=field, control=["0505"], units={"a": g("0505", 2), **wall})
    assert not position.outcome.ledger
    position = situation(phase="over", turn=15, map=field, control=["0505"], units={"r": s("0506", 6)})
    assert not position.outcome.ledger, "an empty city in a Soviet zone"
    position = situation(
        phase="over", turn=15, map=field, control=["0505"], units={"r": s("0506", 6), "a": g("0505", 1)}
    )
    assert len(position.outcome.ledger) == 1


@pytest.mark.case("tijvin-1941", "14")
def test_the_germans_start_with_twelve(game):
    position = game.start("historical")
    ledger = {e.label.rsplit(" ", 1)[0]: e.points for e in position.standing.ledger}
    assert ledger == {"Lyuban": 1, "Chudovo": 1, "Novgorod": 5, "Sinyavino": 5}
    assert position.outcome is None


@pytest.mark.case("tijvin-1941", "15.3")
@pytest.mark.parametrize(
    ("german", "soviet", "winner", "level"),
    [
        (["1607", "0904"], [], "german", "strategic"), (["1607"], [], "german", "tactical"),
        (["0904"], [], "german", "tactical"), ([], [], "soviet", "tactical"),
        (["1607", "0904"], ["0317"], "soviet", "strategic"), ([], ["0204"], "soviet", "strategic"),
    ],
)  # fmt: skip
def test_victory_of_the_german_offensive(game, german, soviet, winner, level):
    control = [n for n in [*german, "0317", "0204"] if n not in soviet]
    position = game.position({"scenario": "german-offensive", "turn": 6, "phase": "over", "control": control})
    assert (position.outcome.winner, position.outcome.level) == (winner, level)


@pytest.mark.case("tijvin-1941", "6.2.4", "14", "15.1", "15.2", "15.3")
@pytest.mark.parametrize(("scenario", "last"), [("historical", 15), ("what-if", 15), ("german-offensive", 6)])
def test_the_game_ends_after_its_last_turn(situation, g, s, play, scenario, last):
    units = {"a": g("0101", commanded=False), "r": s("1212", commanded=False)}
    position = situation(scenario=scenario, turn=last, phase="german-activation", units=units, passed=True)
    position = play(position, "pass")
    assert position.to_move is None
    assert position.outcome is not None
    position = situation(scenario=scenario, turn=last - 1, phase="german-activation", units=units, passed=True)
    assert play(position, "pass").outcome is None


# Set-up ---------------------------------------------------------------------------------------


def set_up(position, rng=None):
    rng = rng or random.Random(5)
    while "set-up" in position.phase.id:
        position = position.play(position.legal.random(rng))
    return position


@pytest.mark.case("tijvin-1941", "15.1")
def test_historical_set_up(game, refused, at, cf):
    position = game.start("historical")
    assert position.phase.id == "german-set-up"
    assert refused(position, "place 39-AK 1607") == "15.1"
    assert refused(position, "place 123-ARKO 0317") == "15.1", "a unit of another headquarters"
    assert "place 123-ARKO 0204" in position.legal, "with 227 ID of the same corps"
    assert "place 123-ARKO 0114" not in position.legal
    position = position.play("place I-AK 0114")
    assert "place 123-ARKO 0114" in position.legal, "with its headquarters"
    assert refused(position, "end") == "15.1"
    assert refused(position, "place 227-ID 0206") == "15.1"
    one = {"16-122-BT", "3-DF-Gu", "4-DF-Gu", "881-Art", "882-Art"}
    two = {"286-DF", "294-DF", "128-310-DF", "2-4-Kat"}
    stars = [position.map.places[word].bit_length() - 1 for word in ("one-star", "two-stars")]
    for stack, h in zip((one, two), stars, strict=True):
        units = {position.roster.units[u].id for u in range(71) if position.hexes[u] == h}
        assert units == stack
        assert sum(cf(position, u) for u in units) == 18
    assert at(position, "883-Art") == "0809"
    assert at(position, "442-Art") == "0711"
    assert at(position, "561-Art") == at(position, "267-DF")
    assert at(position, "448-Art") == at(position, "305-DF")


@pytest.mark.case("tijvin-1941", "4", "15.1")
def test_the_opening_is_sound(game):
    position = set_up(game.start("historical"))
    for side in game.sides:
        assert max(position.field(side).load.values()) <= 20
        own = position.ground.german_side if side == "german" else ~position.ground.german_side
        assert not position.occupied(side) & ~own


@pytest.mark.case("tijvin-1941", "15.1", "8.R", "9")
def test_turn_one_brings_only_the_259th_and_german_assignment(game):
    position = set_up(game.start("historical"))
    assert position.phase.id == "soviet-reinforcement"
    assert {o.units for o in position.legal} == {("259-DF",)}
    position = position.play(next(iter(position.legal))).play("end")
    assert position.phase.id == "german-assignment"
    assert position.play("end").phase.id == "german-activation"


@pytest.mark.case("tijvin-1941", "15.2")
def test_what_if_set_up_goes_in_stages(game, refused):
    position = game.start("what-if")
    roster = game.book.roster
    rng = random.Random(3)
    seen = []
    while "set-up" in position.phase.id:
        if not seen or seen[-1] != position.phase.id:
            seen.append(position.phase.id)
        if position.phase.id == "german-set-up":
            assert refused(position, "place 10-Pz 0114") == "15.2"
            listed = [o for o in position.legal if o.units]
            assert all(roster.foot_infantry >> roster.index[o.units[0]] & 1 for o in listed)
            assert refused(position, "place 227-ID 1607") == "15.2"
            assert (refused(position, "end") == "15.2") if listed else ("end german-set-up" in position.legal)
        if position.phase.id == "soviet-set-up-2":
            break
        position = position.play(position.legal.random(rng))
    assert seen == ["german-set-up", "soviet-set-up", "german-set-up-2", "soviet-set-up-2"]
    infantry = next(o for o in position.legal if o.units == ("292-DF",))
    position = position.play(infantry)
    assert refused(position, "place 311-DF 1607") == "15.2", "one infantry unit"
    mobile = next(o for o in position.legal if o.units == ("27-Cab",))
    position = position.play(mobile)
    assert [str(o) for o in position.legal] == ["end"]
    assert "set-up" not in position.play("end").phase.id


@pytest.mark.case("tijvin-1941", "15.1", "15.2", "15.3")
@pytest.mark.parametrize(
    ("scenario", "case"), [("historical", "15.1"), ("what-if", "15.2"), ("german-offensive", "15.1")]
)
def test_the_section_that_rules_the_set_up(game, scenario, case):
    assert game.start(scenario).phase.case == case


@pytest.mark.case("tijvin-1941", "15.2")
def test_sinyavino_by_agreement_keeps_the_54_army_in_place(game):
    position = game.start("what-if", {"sinyavino": True})
    army = position.roster.hq_index["54-Army"]
    placed = {position.roster.units[u].id for u in range(71) if position.hexes[u] >= 0}
    assert placed == {u.id for u in position.roster.units if u.hq == army and not u.arrives}
    assert not any(h >= 0 for h in game.start("what-if").hexes)


# Turn 1 ---------------------------------------------------------------------------------------


@pytest.fixture
def surprise(situation, play):
    """The only German headquarters has acted on turn 1."""

    def make(scenario="historical", **more):
        units = {
            "10-Pz": {"hex": "0504", "activated": True, "attacked": True}, "8-Mot": {"hex": "0503", "activated": True},
            "21-ID": {"hex": "0403", "activated": True}, "292-DF": {"hex": "0505"},
            "28-Mot": {"hex": "0401", "activated": True, "commanded": False},
        }  # fmt: skip
        hqs = {"39-AK": {"hex": "0403", "activated": True}, "4-Army": {"hex": "1105"}}
        return situation(
            turn=1, scenario=scenario, phase="german-activation", units=units, hqs=hqs, control="all", **more
        )

    return make


@pytest.mark.case("tijvin-1941", "15.1", "15.2", "15.3")
@pytest.mark.parametrize("scenario", ["historical", "what-if", "german-offensive"])
def test_one_headquarters_acts_again_on_turn_one(surprise, play, refused, scenario):
    position = surprise(scenario)
    assert "activate 39-AK" in position.legal
    position = play(position, "activate 39-AK")
    assert refused(position, "move 21-ID 0402") == "11.A", "mobile units only"
    assert refused(position, "move 28-Mot 0402") == "11.A", "units in command only"
    assert position.reach("8-Mot")["0603"].left == 8 // 2 - 1 or position.reach("8-Mot")["0603"].cost == 1
    assert max(r.cost for r in position.reach("8-Mot").values()) <= 8
    position = play(position, "end")
    assert "attack 10-Pz 0505" in position.legal, "it may attack again"
    assert refused(surprise(bonus="used"), "activate 39-AK") == "11.A"


@pytest.mark.case("tijvin-1941", "15.1")
def test_the_extra_activation_has_half_the_points(surprise, play):
    from ladoga.games.tijvin.movement import allowance

    position = play(surprise(), "activate 39-AK")
    assert allowance(position, position.roster.index["8-Mot"]) == 4


@pytest.mark.case("tijvin-1941", "15.1", "13.VI")
def test_the_extra_activation_does_not_exploit_and_its_headquarters_stays(surprise, play):
    position = play(surprise(), "activate 39-AK", "end", "attack 10-Pz 0505")
    while position.to_move != "chance":
        position = play(position, "commit")
    position = play(position, 6, 1, 1)
    while position.to_move == "soviet" and position.phase.id == "german-combat":
        position = play(position, next(iter(position.legal)))
    position = play(position, "advance 10-Pz 0505")
    assert [str(order) for order in position.legal] == ["end"]
    assert play(position, "end").phase.id == "soviet-activation"


@pytest.mark.case("tijvin-1941", "15.1")
def test_it_waits_until_all_german_headquarters_have_acted(situation, refused):
    units = {"10-Pz": {"hex": "0504", "activated": True}, "227-ID": {"hex": "0303"}, "292-DF": {"hex": "1105"}}
    hqs = {"39-AK": {"hex": "0403", "activated": True}, "I-AK": {"hex": "0303"}, "4-Army": {"hex": "1105"}}
    position = situation(turn=1, phase="german-activation", units=units, hqs=hqs)
    assert refused(position, "activate 39-AK") == "11.A"
    position = situation(
        turn=2, phase="german-activation", units=units, hqs=hqs | {"I-AK": {"hex": "0303", "activated": True}}
    )
    assert "activate 39-AK" not in position.legal


# Sinyavino ------------------------------------------------------------------------------------


@pytest.fixture
def offensive(game):
    """The 54 Army before Sinyavino on the real map."""

    def make(turn, phase="soviet-activation", scenario="historical", units=None, **more):
        army = {
            "16-122-BT": {"hex": "0304"}, "3-DF-Gu": {"hex": "0304"}, "4-DF-Gu": {"hex": "0304"},
            "881-Art": {"hex": "0304"},
            "882-Art": {"hex": "0304"}, "286-DF": {"hex": "0303"}, "294-DF": {"hex": "0303"},
            "128-310-DF": {"hex": "0303"},
            "2-4-Kat": {"hex": "0303"}, "21-DT": {"hex": "0406"}, "227-ID": {"hex": "0204"}, "254-ID": {"hex": "0306"},
        }  # fmt: skip
        hqs = {"54-Army": {"hex": "0405"}, "I-AK": {"hex": "0206"}, **more.pop("hqs", {})}
        doc = {
            "turn": turn,
            "phase": phase,
            "scenario": scenario,
            "units": {**army, **(units or {})},
            "hqs": hqs,
            **more,
        }
        return game.position(doc)

    return make


@pytest.mark.case("tijvin-1941", "15.1")
def test_the_54_army_waits_on_turn_one_but_defends(offensive, refused, play):
    position = offensive(1, phase="german-activation")
    position = play(position, "activate I-AK", "end", "attack 227-ID 0304")
    assert position.to_move == "soviet"
    assert "add 881-Art" in position.legal
    idle = offensive(1, units={"292-DF": {"hex": "0809", "commanded": False}})
    assert refused(idle, "activate 54-Army") == "15.1"
    alone = offensive(
        1, units={"292-DF": {"hex": "0809", "commanded": False}, "286-DF": {"hex": "0303", "commanded": False}}
    )
    assert refused(alone, "activate 286-DF") == "15.1"


@pytest.mark.case("tijvin-1941", "15.1", "13")
def test_part_of_it_must_attack_sinyavino_on_turn_two(offensive, refused, play, at):
    position = offensive(2)
    assert refused(position, "pass") == "15.1"
    position = play(position, "activate 54-Army")
    for unit in ("16-122-BT", "3-DF-Gu", "128-310-DF", "881-Art"):
        assert refused(position, f"move {unit} 0405") == "15.1"
    for unit in ("286-DF", "294-DF", "2-4-Kat"):
        assert refused(position, f"move {unit} 0405") == "11.A"
    assert position.legal.of("21-DT"), "units away from the city may move"
    position = play(position, "end")
    assert refused(position, "end") == "15.1"
    assert refused(position, "attack 3-DF-Gu+286-DF 0204") == "13.I"
    position = play(position, "target 0204")
    index = position.roster.index
    names = {"3-DF-Gu", "4-DF-Gu", "128-310-DF"}
    tanks = position.why_not("add 16-122-BT")
    joined = {u for u in (*names, "16-122-BT") if position.battle.attackers >> index[u] & 1}
    assert names <= joined
    assert tanks is not None
    assert "add 881-Art" in position.legal
    assert refused(position, "add 2-4-Kat") == "13.I"
    assert "commit" in position.legal


@pytest.mark.case("tijvin-1941", "15.1")
def test_who_must_attack_sinyavino_attacks_nothing_else(offensive, refused, play):
    """A unit attacks once a turn, so another attack would be a way round the duty; others are free to make it."""
    position = offensive(
        2, units={"254-ID": {"hex": "0405"}, "21-DT": {"hex": "0406"}}, hqs={"54-Army": {"hex": "0607"}}
    )
    position = play(position, "activate 54-Army", "end")
    assert refused(position, "attack 3-DF-Gu 0405") == "15.1"
    assert refused(play(position, "target 0405"), "add 4-DF-Gu") == "15.1"
    assert position.why_not("attack 21-DT 0405") is None
    free = offensive(2, units={"254-ID": {"hex": "0405"}, "227-ID": {"hex": "0205"}}, hqs={"54-Army": {"hex": "0607"}})
    assert play(free, "activate 54-Army", "end").why_not("attack 3-DF-Gu 0405") is None


@pytest.mark.case("tijvin-1941", "15.1")
def test_others_of_the_army_do_not_attack_the_city_on_turn_two(offensive, refused, play):
    position = offensive(2, units={"21-DT": {"hex": "0405"}, "1-Br-Mnt": {"hex": "0305"}})
    position = play(position, "activate 54-Army")
    if "move 21-DT 0305" in position.legal:
        position = play(position, "move 21-DT 0305")
    position = play(position, "end")
    case = refused(position, "attack 21-DT 0204")
    assert case in ("15.1", "13")


@pytest.mark.case("tijvin-1941", "15.1")
def test_who_moves_into_a_star_hex_on_turn_two_takes_no_part(offensive, refused, play):
    """Neither with the units called up there nor after them: it was not next to the city when they were."""
    position = offensive(2, units={"21-DT": {"hex": "0405"}, "3-DF-Gu": {"hex": "0304", "cf": 2}})
    position = play(position, "activate 54-Army", "move 21-DT 0304", "end")
    assert refused(position, "attack 3-DF-Gu+21-DT 0204") == refused(position, "attack 21-DT 0204") == "15.1"
    composing = play(position, "target 0204")
    assert not composing.battle.attackers >> composing.roster.index["21-DT"] & 1
    assert refused(composing, "add 21-DT") == "15.1"


@pytest.mark.case("tijvin-1941", "15.1")
def test_the_duty_lapses_when_sinyavino_is_empty(offensive, play, refused):
    position = offensive(2, units={"227-ID": {"hex": "0205"}})
    assert "pass" in position.legal
    position = play(position, "activate 54-Army")
    assert refused(position, "move 3-DF-Gu 0405") == "15.1", "they stay put all the same"


@pytest.mark.case("tijvin-1941", "15.1", "11.O")
def test_units_out_of_command_do_not_escape_the_duty(offensive, play, refused):
    """Called up or not by their headquarters, they attack on their own, and until then nobody passes."""
    attackers = ("16-122-BT", "3-DF-Gu", "4-DF-Gu")
    astray = {name: {"hex": "0304", "commanded": False} for name in attackers}
    position = offensive(2, units={**astray, "128-310-DF": {"hex": "0405"}}, hqs={"54-Army": {"hex": "1206"}})
    assert refused(position, "pass") == "15.1"
    position = play(position, "activate 3-DF-Gu")
    assert refused(position, "end") == "15.1"
    assert refused(position, "attack 3-DF-Gu+4-DF-Gu 0204") == "13.I"


@pytest.mark.case("tijvin-1941", "15.1")
def test_a_map_without_the_stars_knows_no_sinyavino_offensive(situation, s, g):
    units = {"3-DF-Gu": {"hex": "0304"}, "286-DF": {"hex": "0303"}, "a": g("0204")}
    field = {"turn": 2, "phase": "soviet-movement", "units": units, "weather": "clear"}
    assert situation(**field).why_not("move 3-DF-Gu 0404") is None
    starred = situation(**field, map={"places": {"0304": ["one-star"]}})
    assert starred.why_not("move 3-DF-Gu 0404").case == "15.1"


@pytest.mark.case("tijvin-1941", "15.1", "15.2")
def test_from_turn_three_and_in_what_if_the_army_is_free(offensive, play):
    for position in (offensive(3), offensive(2, scenario="what-if"), offensive(1, scenario="what-if")):
        assert "pass" in position.legal
        after = play(position, "activate 54-Army")
        assert after.legal.of("286-DF")
        assert after.legal.of("3-DF-Gu")
    agreed = offensive(
        1, scenario="what-if", options={"sinyavino": True}, units={"292-DF": {"hex": "0809", "commanded": False}}
    )
    assert agreed.why_not("activate 54-Army").case == "15.1"


# Order of battle ------------------------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "16")
def test_strengths_by_command(game):
    start, later = {}, {"german": 0, "soviet": 0}
    for unit in game.units.values():
        if unit.arrives:
            later[unit.side] += unit.cf
        else:
            start[unit.hq] = start.get(unit.hq, 0) + unit.cf
    assert start == {"I-AK": 41, "39-AK": 71, "38-AK": 15, "54-Army": 42, "4-Army": 21, "52-Army": 15, "Novgorod": 16}
    assert later == {"german": 65, "soviet": 93}
    assert len(game.units) == 71


@pytest.mark.case("tijvin-1941", "16", "8.R")
def test_arrivals_by_turn(game):
    arrivals = {}
    for name, unit in game.units.items():
        if unit.arrives:
            arrivals.setdefault((unit.side, unit.arrives), set()).add(name)
    assert arrivals == {
        ("german", 5): {"374-Inf", "223-ID"}, ("german", 7): {"61-ID", "2-ARKO"}, ("german", 9): {"215-ID"},
        ("german", 12): {"269-ID", "291-ID"}, ("soviet", 1): {"259-DF"}, ("soviet", 2): {"191-DF", "44-DF"},
        ("soviet", 3): {"25-Cab"}, ("soviet", 4): {"120-T", "121-T", "60-Mot", "92-DF", "80-DF", "6-Br-IN", "70-Art"},
        ("soviet", 5): {"111-DF", "46-BT"}, ("soviet", 6): {"6-9-Kat", "65-DF"}, ("soviet", 7): {"1-Br-Gran"},
        ("soviet", 12): {"281-DF", "198-DF"}, ("soviet", 13): {"377-DF", "80-Cab", "115-DF"},
    }  # fmt: skip


@pytest.mark.case("tijvin-1941", "16")
def test_divisions_of_regiments(game):
    divisions = {}
    for unit in game.units.values():
        if unit.division:
            divisions.setdefault(unit.division, []).append(unit.cf)
    assert divisions == {
        "8 PzD": [7, 4, 4], "12 PzD": [7, 4, 4], "18 MotD": [5, 5], "20 MotD": [5, 5], "60 D.T.": [5, 5, 3]
    }  # fmt: skip
    assert game.units["227-ID"].cf == 16
    assert game.units["126-ID"].cf == 8
    assert "von Roques" in game.book.file.hqs["38-AK"].name
    assert "38 A.Korps" in game.book.file.hqs["38-AK"].name


# Options --------------------------------------------------------------------------------------

FOG = {"options": {"fog-of-war": True}}


@pytest.mark.case("tijvin-1941", "17.2")
def test_minimum_headquarters_strength(situation, refused):
    """The sheet's example: 9 and 9; 14 after losses; 17 with a newcomer of 3."""
    option = {"options": {"minimum-hq": True}, "phase": "german-assignment"}
    units = {"227-ID": {"hex": "0205", "cf": 9}, "254-ID": {"hex": "0206", "cf": 9}}
    assert refused(situation(units=units, **option), "assign 227-ID 39-AK") == "17.2"
    units["254-ID"]["cf"] = 5
    assert refused(situation(units=units, **option), "assign 254-ID 39-AK") == "17.2"
    units["8-Mot"] = {"hex": "0205", "cf": 3, "hq": "I-AK"}
    position = situation(units=units, **option)
    assert all(refused(position, f"assign {u} 39-AK") == "17.2" for u in units)
    units["11-ID"] = {"hex": "0204", "cf": 12}
    assert "assign 8-Mot 39-AK" in situation(units=units, **option).legal
    assert "assign 227-ID 39-AK" in situation(units=units, phase="german-assignment").legal


@pytest.mark.case("tijvin-1941", "17.1")
def test_hidden_losses_go_round_from_the_largest(situation, g, s, play, cf):
    units = {"a": g("0504", 20), "b": g("0605", 20), "x": s("0505", 8), "y": s("0505", 6), "z": s("0505", 4),
             "gun": s("0505", 1, "artillery")}  # fmt: skip
    position = play(situation(phase="german-combat", units=units, **FOG), "attack a+b 0505", "commit")
    position = play(position, 6, 1, 6)
    due = next(e for e in position.events if e.kind == "casualties").facts
    assert due[1] >= 6
    while position.phase.case == "13.IV":
        assert position.to_move == ("german" if position.battle.due[0] else "soviet"), "each side its own"
        order = "lose z" if "lose z" in position.legal else next(iter(position.legal))
        position = play(position, order)
    # z first (the owner's choice of the efficiency fought with), then x, y, and round again.
    losses = due[1]
    expected = {"x": 8, "y": 6, "z": 4}
    for name in (["z", "x", "y"] * 4)[:1] + (["x", "y", "z"] * 4)[: losses - 1]:
        expected[name] -= 1
    after = {name: cf(position, name) for name in expected}
    assert sum(after.values()) == 18 - losses
    assert cf(position, "gun") == 1
    assert (
        max(8 - after["x"], 6 - after["y"], 4 - after["z"]) - min(8 - after["x"], 6 - after["y"], 4 - after["z"]) <= 1
    )


@pytest.mark.case("tijvin-1941", "17.1", "5")
def test_an_unseen_zone_stops_a_move(situation, g, s, play, at):
    for factors, stop in ((6, "0504"), (5, "0604")):
        units = {"m": g("0502", 4, "motorized"), "r": s("0505", factors)}
        position = situation(units=units, **FOG)
        assert "move m 0503-0504-0604" in position.legal, "nobody knows yet"
        assert at(play(position, "move m 0503-0504-0604"), "m") == stop


@pytest.mark.case("tijvin-1941", "17.1")
def test_support_is_declared_before_factors_are_told(situation, g, s, play):
    units = {"a": g("0504", 9), "r": s("0505", 5), "gun": s("0505", 1, "artillery")}
    position = play(situation(phase="german-combat", units=units, **FOG), "attack a+Luft-1 0505")
    assert not any(e.kind == "odds" for e in position.view("german").events)
    position = play(position, "add gun", "commit")
    assert next(e for e in position.view("german").events if e.kind == "odds").facts[:2] == (9, 5)


def test_unknown_options_and_scenarios_are_refused(game):
    with pytest.raises(ladoga.UnknownGame, match="named values"):
        game.start("historical", ["fog-of-war"])
    with pytest.raises(ladoga.UnknownGame):
        game.start("operation-nordlicht")
    with pytest.raises(ladoga.UnknownGame):
        game.start("historical", {"mud": True})


@pytest.mark.case("tijvin-1941", "10", "15.1")
def test_everybody_can_be_supplied_at_the_start(game):
    position = game.start("historical")
    for side in game.sides:
        reached = supply.supplied_hexes(position, side)
        for u in position.roster.of[side]:
            assert position.hexes[u] < 0 or supply.is_supplied(position, position.hexes[u], side, reached)


@pytest.mark.case("tijvin-1941", "11.A", "15.1")
def test_every_headquarters_can_be_placed_in_range_of_its_units(game):
    position = game.start("historical")
    grid, roster = position.ground.grid, position.roster
    for q, hq in enumerate(roster.hqs):
        units = [u for u in roster.of[hq.side] if position.hq[u] == q and position.hexes[u] >= 0]
        in_range = [
            sum(grid.distance(h, position.hexes[u]) <= game.tables.command.of(hq.side) for u in units)
            for h in grid.members(position.ground.land)
        ]
        assert max(in_range) == len(units), hq.id


@pytest.mark.case("tijvin-1941", "17.1", "4")
def test_a_group_is_never_halted_where_it_does_not_fit(situation, g, s, refused):
    units = {"m": g("0502", 4, "motorized"), "n": g("0502", 4, "motorized"), "f": g("0504", 13), "r": s("0505", 6)}
    position = situation(units=units, active=["m", "n"], **FOG)
    assert "move m 0503-0504-0604" in position.legal
    assert refused(position, "move m+n 0503-0504-0604") == "4"


@pytest.mark.case("tijvin-1941", "17.1", "13.A")
def test_under_fog_each_side_chooses_among_its_last_guns(situation, g, s, play):
    units = {"a": g("0504", 20), "r": s("0505", 1), "g1": s("0505", 1, "artillery"), "g2": s("0505", 1, "artillery")}
    for options, chooser in ((FOG, "soviet"), ({}, "german")):
        position = play(situation(phase="german-combat", units=units, **options), "attack a 0505", "commit", 2, 5, 3)
        assert next(e for e in position.events if e.kind == "casualties").facts[1] == 2
        assert (position.to_move, {str(o) for o in position.legal}) == (chooser, {"lose g1", "lose g2"})


@pytest.mark.case("tijvin-1941", "15.1")
def test_the_prompt_counts_what_is_left_to_place():
    position = ladoga.load("tijvin-1941").start()
    asked = []
    while "set-up" in position.phase.id:
        asked.append(position.prompt)
        position = position.play(next(iter(position.legal)))
    assert asked[0] == "Place 2 units and 3 headquarters"
    assert "Place 1 unit and 3 headquarters" in asked
    assert "Place 4 headquarters" in asked
    assert asked.count("Everything is set up: end") == 2
    assert not any(" 0 " in text for text in asked)
