"""Position documents of Tijvin 1941."""

import random

import pytest

import ladoga

GOOD = {
    "game": "tijvin-1941",
    "turn": 3,
    "phase": "german-movement",
    "map": {"blank": [8, 8], "hexes": {"0303": "swamp"}},
    "units": {"227-ID": {"hex": "0404"}, "x": {"side": "soviet", "type": "infantry", "cf": 4, "hex": "0505"}},
}


def test_round_trip(game):
    position = game.position(GOOD)
    assert game.position(position.document()) == position
    assert game.position(position.document()).digest() == position.digest()


def test_yaml_text_is_read(game):
    text = """
game: tijvin-1941
turn: 4
phase: soviet-combat
map: {blank: [6, 6]}
units:
  292-DF: {hex: 0303, cf: 5}
  x1: {side: german, type: tank, cf: 5, efficiency: 3, hex: 0304}
dice: [5, 2, 1]
"""
    position = game.position(text)
    assert "attack 292-DF 0304" in position.legal
    after = position.play("attack 292-DF 0304").play("commit")
    assert any(e.kind == "casualties" for e in after.events)


def changed(path, value):
    doc = {**GOOD, "units": {k: dict(v) for k, v in GOOD["units"].items()}, "map": dict(GOOD["map"])}
    *parents, key = path.split(".")
    place = doc
    for parent in parents:
        place = place[parent]
    place[key] = value
    return doc


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("colour", "red", ""),
        ("game", "leningrad-1979", "game"),
        ("scenario", "nordlicht", "scenario"),
        ("turn", 16, "turn"),
        ("turn", "three", "turn"),
        ("units.227-ID", {"cf": 5}, "units.227-ID"),
        ("units.227-ID", {"hex": "0404", "movement": 0}, "units.227-ID.movement"),
        ("units.227-ID", {"hex": "0404", "cf": "5?"}, "units.227-ID.cf"),
        ("units.x", {"side": "soviet", "type": "infantry", "cf": 4}, "units.x"),
        ("units.x", {"side": "soviet", "type": "artillery", "cf": 1, "support": -1, "hex": "0505"}, "units.x.support"),
        ("units.x", {"side": "soviet", "type": "infantry", "cf": 4, "arrives": 16, "hex": "0505"}, "units.x.arrives"),
        ("shown", ["0404"], "shown"),
        ("mover", "soviet", "mover"),
        ("bought", [{"unit": "227-ID", "cf": 1}], "bought"),
        ("phase", "german-lunch", "phase"),
        ("phase", "lunch", "phase"),
        ("weather", "mud", "weather"),
        ("units.227-ID", {"hex": "0909"}, "units.227-ID.hex"),
        ("units.227-ID", {"hex": "0404", "cf": 17}, "units.227-ID.cf"),
        ("units.227-ID", {"hex": "0404", "cf": 0}, "units.227-ID.cf"),
        ("units.227-ID", {"hex": "0404", "efficiency": 3}, "units.227-ID.efficiency"),
        ("units.227-ID", {"hex": "0404", "hq": "4-Army"}, "units.227-ID.hq"),
        ("units.227-ID", {"hex": "0404", "box": "destroyed"}, "units.227-ID"),
        ("units.227-ID", {"box": "cupboard"}, "units.227-ID.box"),
        ("units.999-ID", {"hex": "0404"}, "units.999-ID"),
        ("units.x", {"side": "soviet", "type": "infantry", "cf": 4, "hex": "0404"}, "units"),
        ("units.x", {"side": "soviet", "type": "artillery", "cf": 4, "hex": "0505"}, "units.x.cf"),
        ("units.x", {"side": "soviet", "type": "zeppelin", "cf": 4, "hex": "0505"}, "units.x.type"),
        ("options", {"fog": True}, "options.fog"),
        ("scenario", "autumn", "scenario"),
        ("hqs", {"7-Army": {"hex": "0404"}}, "hqs.7-Army"),
        ("hqs", {"4-Army": {"hex": "0404"}}, "hqs.4-Army"),
        ("air", ["Luft-9"], "air[0]"),
        ("air", ["Luft-1", "VVS-2"], "air[1]"),
        ("active", ["nobody"], "active[0]"),
        ("points", 3, "points"),
        ("control", ["9999"], "control[0]"),
        ("step", "losses", "step"),
        ("battle", {"target": "0505"}, "battle"),
        ("map.hexes", {"0303": "jungle"}, "map.hexes.0303"),
        ("phase", "german-hq-movement", "active"),
        ("phase", "german-set-up", "phase"),
    ],
)
def test_bad_documents_name_the_bad_value(game, path, value, where):
    with pytest.raises(ladoga.BadDocument) as problem:
        game.position(changed(path, value))
    assert problem.value.path == where


@pytest.mark.case("tijvin-1941", "15.3")
def test_a_scenario_has_no_turns_beyond_its_last(game):
    document = {"scenario": "german-offensive", "turn": 6, "phase": "german-combat"}
    assert game.position(document).turn == 6
    with pytest.raises(ladoga.BadDocument, match="turn: the game has turns 1 to 6"):
        game.position({**document, "turn": 7})


@pytest.mark.case("tijvin-1941", "11.A")
@pytest.mark.parametrize(
    ("active", "where"),
    [(["y"], "active[0]"), (["I-AK", "y"], "active[1]"), (["I-AK", "39-AK"], "active[1]"), (["dead"], "active[0]")],
)
def test_one_headquarters_with_its_own_units_is_activated(situation, g, s, active, where):
    """Enemies, a second headquarters and units off the map are not."""
    units = {"a": g("0404"), "y": s("0606"), "dead": g("", box="destroyed")}
    with pytest.raises(ladoga.BadDocument) as problem:
        situation(units=units, active=active)
    assert problem.value.path == where


@pytest.mark.case("tijvin-1941", "8.P")
@pytest.mark.parametrize(
    ("keys", "where"),
    [
        ({"points": -1}, "points"),
        ({"points": 4, "rolled": 3}, "points"),
        ({"bought": [{"unit": "a", "cf": 5}]}, "bought[0].cf"),
        ({"bought": [{"unit": "a", "cf": 0}]}, "bought[0].cf"),
        ({"bought": [{"unit": "a", "cf": 1, "hex": "0404"}]}, "bought[0]"),
        ({"bought": [{"unit": "a", "cf": 1}, {"unit": "a", "cf": 1}]}, "bought[1]"),
    ],
)
def test_points_and_purchases_are_such_as_can_be(situation, g, keys, where):
    with pytest.raises(ladoga.BadDocument) as problem:
        situation(phase="german-replacement", units={"a": g("0404", cf=5, full=9)}, **{"points": 3, **keys})
    assert problem.value.path == where


@pytest.mark.case("tijvin-1941", "11.H")
def test_a_headquarters_without_units_to_activate_moves_all_the_same(situation, g):
    position = situation(
        phase="german-activation", units={"a": g("0404", activated=True)}, hqs={"I-AK": {"hex": "0404"}}, control="all"
    )
    moving = position.play("activate I-AK")
    assert moving.phase.id == "german-hq-movement"
    assert position.game.position(moving.document()) == moving


@pytest.mark.case("tijvin-1941", "15.1")
def test_only_artillery_is_bound_to_its_headquarters_in_a_set_up(game):
    """A unit left to be placed goes anywhere behind its line; a gun to its headquarters or one of its units."""
    units = {"254-ID": {"box": "due"}, "123-ARKO": {"box": "due"}, "11-ID": {"hex": "0509"}}
    position = game.position({"phase": "german-set-up", "units": units})
    assert "place 254-ID 0306" in position.legal
    assert "place 123-ARKO 0509" in position.legal
    assert position.why_not("place 123-ARKO 0306").case == "15.1"


@pytest.mark.case("tijvin-1941", "4")
def test_more_than_twenty_factors_in_a_hex_are_refused(game):
    units = {"227-ID": {"hex": "0404"}, "254-ID": {"hex": "0404"}}
    with pytest.raises(ladoga.BadDocument, match="28 factors"):
        game.position({**GOOD, "phase": "german-activation", "units": units})


def test_an_empty_step_can_be_ended(game):
    for phase in ("german-reinforcement", "german-assignment", "german-activation", "german-combat"):
        position = game.position({**GOOD, "phase": phase})
        last = [str(order) for order in position.legal][-1]
        assert last in ("end", "pass")
        assert position.play(last) is not None
        assert position.legal.random(random.Random(1)) in position.legal


@pytest.mark.case("tijvin-1941", "4")
def test_only_one_hex_of_the_side_that_moves_may_be_too_full(game):
    """More than that no game comes to, and nobody could mend it."""

    def two(side, hex_number):
        spec = {"side": side, "type": "infantry", "cf": 12, "hex": hex_number}
        return {f"{side}-{hex_number}-{n}": spec for n in range(2)}

    here = two("german", "0404")
    assert game.position({**GOOD, "units": here}).to_move == "german"
    for more in (two("german", "0202"), two("soviet", "0707")):
        with pytest.raises(ladoga.BadDocument, match="24 factors stand in"):
            game.position({**GOOD, "units": here | more})


def test_an_attack_in_hand_has_somebody_to_attack(game):
    units = {**GOOD["units"], "x": {**GOOD["units"]["x"], "hex": "0405"}}
    compose = {**GOOD, "phase": "german-combat", "step": "compose", "units": units}
    assert game.position({**compose, "battle": {"target": "0405"}}).to_move == "german"
    with pytest.raises(ladoga.BadDocument) as problem:
        game.position({**compose, "battle": {"target": "0403"}})
    assert problem.value.path == "battle.target"


@pytest.mark.parametrize(
    ("attackers", "defenders", "where"),
    [
        (["far"], ["x"], "battle.attackers"), (["x"], ["x"], "battle.attackers"), (["gone"], ["x"], "battle.attackers"),
        (["227-ID"], ["y"], "battle.defenders"), (["227-ID"], ["227-ID"], "battle.defenders"),
    ],
)  # fmt: skip
def test_the_units_of_a_combat_stand_where_they_fight(game, attackers, defenders, where):
    x = GOOD["units"]["x"]
    units = {
        "227-ID": {"hex": "0404"}, "x": {**x, "hex": "0405"}, "y": {**x, "hex": "0406"},
        "far": {**x, "side": "german", "hex": "0202"},
        "gone": {"side": "german", "type": "infantry", "cf": 4, "box": "destroyed"},
    }  # fmt: skip
    rolling = {**GOOD, "phase": "german-combat", "step": "attack-die", "units": units}
    fair = {"target": "0405", "attackers": ["227-ID"], "defenders": ["x"], "ratings": [2, 1]}
    assert game.position({**rolling, "battle": fair}).to_move == "chance"
    with pytest.raises(ladoga.BadDocument) as problem:
        game.position({**rolling, "battle": {**fair, "attackers": attackers, "defenders": defenders}})
    assert problem.value.path == where


def test_a_combat_step_needs_a_combat_that_makes_sense(game):
    for battle, path in (
        ({"target": "0505"}, "battle"),
        ({"target": "0505", "attackers": ["227-ID"], "defenders": ["x"]}, "battle.attackers"),
    ):
        with pytest.raises(ladoga.BadDocument) as problem:
            game.position({**GOOD, "phase": "german-combat", "step": "losses", "battle": battle})
        assert problem.value.path == path


@pytest.mark.case("tijvin-1941", "11.H")
def test_units_whose_headquarters_is_lost_are_out_of_command(situation, g, s):
    """They act on their own if it had yet to act; a document need not say so for each."""
    units = {"227-ID": {"hex": "0404"}, "r": s("0909")}
    for lost, orders in (
        ({"lost": "0403"}, ["activate 227-ID", "pass"]),
        ({"lost": "0403", "activated": True}, ["activate 39-AK", "pass"]),
    ):
        hqs = {"I-AK": lost, "39-AK": {"hex": "0404", "activated": "activated" not in lost}}
        position = situation(phase="german-activation", units=units, hqs=hqs)
        assert list(map(str, position.legal)) == orders


@pytest.mark.case("tijvin-1941", "13.A")
def test_artillery_need_not_say_that_it_has_one_factor(situation, g, s, cf):
    gun = {"side": "german", "type": "artillery", "support": 2}
    units = {"a": g("0404"), "k": {**gun, "hex": "0404"}, "lost": {**gun, "box": "destroyed"}, "r": s("0909")}
    position = situation(units=units)
    assert (cf(position, "k"), cf(position, "lost")) == (1, 0)
