"""Chapters 12 and 13: untried Soviet units and Soviet forts."""

from __future__ import annotations

from fractions import Fraction

import pytest

from .field import GAME, cost, field, german, on_map, orders, panzer, play, refused, shifts, soviet, where

INFANTRY = {n for n, u in GAME.units.items() if u.side == "soviet" and u.type == "infantry"}
ARMORED = {n for n, u in GAME.units.items() if u.side == "soviet" and u.type != "infantry"}


# 12.x -----------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-2010", "12.0")
def test_neither_player_knows_the_strengths():
    position = GAME.start()
    for viewer in ("german", "soviet", "observer"):
        view = position.view(viewer)
        counters = {c.id: c for c in view.table().counters if c.side == "soviet"}
        assert {c.figures for c in counters.values()} == {"?-5", "?-7"}
        assert not set(counters) & set(GAME.units)
        assert not set(view.document()["units"]) & (INFANTRY | ARMORED)


@pytest.mark.case("leningrad-2010", "12.0", "14.0")
def test_infantry_and_armored_units_are_drawn_apart_and_evenly():
    position = field("german-combat", {"x1": german("0504"), "i1": "0505", "a1": "0505"}).play("attack x1 0505")
    first = {o.words[0]: p for o, p in position.chance.outcomes}
    assert set(first) == INFANTRY
    assert set(first.values()) == {Fraction(1, 46)}
    position = position.play("draw 70rd")
    second = {o.words[0]: p for o, p in position.chance.outcomes}
    assert set(second) == ARMORED, "armor and mechanized units share a class"
    assert set(second.values()) == {Fraction(1, 15)}
    assert position.play("draw 84md").agenda[0].at == "roll"


@pytest.mark.case("leningrad-2010", "12.0")
def test_a_drawn_counter_is_not_drawn_again():
    position = field("german-combat", {"x1": german("0504"), "i1": "0505", "70rd": "0909"}).play("attack x1 0505")
    assert {o.words[0] for o, _ in position.chance.outcomes} == INFANTRY - {"70rd"}


@pytest.mark.case("leningrad-2010", "12.1")
def test_revealed_after_the_announcement_and_for_good():
    position = field("german-combat", {"x1": german("0504", 1), "i1": "0505"})
    composing = play(position, "target 0505", "add x1")
    assert composing.untried(composing.slot("i1"))
    assert "retreat" not in [o.verb for o in composing.legal]
    revealed = play(position, "attack x1 0505", "draw 70rd", "die 1")
    assert where(revealed, "70rd") == "0505"
    later = revealed
    while later.turn < 6:
        later = later.play("end")
    assert where(later, "70rd") == "0505"
    assert GAME.position(later.document()) == later


@pytest.mark.case("leningrad-2010", "12.1")
def test_odds_before_the_reveal_are_exact():
    """7-strength attack on one untried rifle division: every counter weighs 1/46."""
    position = field("german-combat", {"x1": german("0504", 7), "i1": "0505"})
    explained = position.explain("attack x1 0505")
    assert sum(p for _, p in explained.results) == 1
    defence = dict(explained.defence)
    assert defence[7] == Fraction(1, 46)
    assert defence[1] == Fraction(6, 46), "four 1-1, one 3-1, one 5-1"


# 13.x -----------------------------------------------------------------------------------------------


def fortifying(units=None, **state):
    units = {"i1": "2906", "1": "0112"} if units is None else units
    return on_map("soviet-fortification", units, turn=state.pop("turn", 3), **state)


def distance(number):
    grid = GAME.map.grid
    return grid.distance(grid.hex(number), grid.hex("2604"))


@pytest.mark.case("leningrad-2010", "13.0", "3.0")
def test_within_four_hexes_of_2604_and_supplied():
    position = fortifying()
    sites = {o.split()[1] for o in orders(position, "fort")}
    assert max(map(distance, sites)) == 4
    assert "2308" not in sites
    assert distance("2308") > 4
    assert refused(position, "fort 2308") == "13.0"
    assert distance("2708") == 4
    assert "2708" in sites
    assert distance("2709") == 5
    assert refused(position, "fort 2709") == "13.0", "within four of 2605, but not of 2604"


@pytest.mark.case("leningrad-2010", "13.0")
def test_an_unsupplied_hex_gets_no_fort():
    """2601 lies behind a German line across the isthmus, and no zone reaches it."""
    line = {"1": "2504", "11": "2603", "12": "2704", "21": "2803"}
    position = fortifying(line | {"i1": "2605", "i2": "2705"})
    assert distance("2602") == 2
    assert distance("2601") == 3
    assert "2601" not in position.zoc("german")
    assert refused(position, "fort 2601") == "13.0"
    assert "fort 2601" in fortifying().legal


@pytest.mark.case("leningrad-2010", "13.0", "9.5")
def test_any_source_will_do_for_the_line():
    """With all four Leningrad hexes in German hands 2906 still feeds hexes to the east."""
    city = {"1": "2505", "11": "2604", "12": "2605", "21": "2705"}
    position = fortifying(city | {"i1": "2806"})
    assert "fort 2806" in position.legal


@pytest.mark.case("leningrad-2010", "13.1")
def test_soviets_in_a_fort_get_a_column_germans_do_not_exist_there():
    units = {"x1": german("0504", 12), "e1": soviet("0505")}
    assert shifts(field("german-combat", units, forts=["0505"]), "attack x1 0505") == {"13.1": -1}


@pytest.mark.case("leningrad-2010", "13.2")
def test_a_fort_dies_when_germans_occupy_its_hex():
    units = {"x1": german("0504"), "e1": soviet("1209")}
    position = field("german-movement", units, forts=["0505"])
    assert cost(position, "x1", "0505") == 3
    assert position.play("move x1 0505").document()["forts"] == []
    assert position.play("move x1 0505-0506").document()["forts"] == [], "passing through is enough"
    fought = field("german-combat", {"x1": german("0504", 60), "e1": soviet("0505")}, forts=["0505"])
    fought = play(fought, "attack x1 0505", "die 6")
    assert fought.document()["forts"] == ["0505"]
    assert fought.play("advance x1 0505").document()["forts"] == []
    assert field("german-interdiction", units, forts=["0505"]).play("interdict 0505").document()["forts"] == ["0505"]


@pytest.mark.case("leningrad-2010", "13.3")
def test_forts_do_not_move():
    position = fortifying(forts=["2605"])
    assert {o.verb for o in position.legal} == {"fort", "end"}
    moving = play(position, "end")
    assert all(o.verb in ("move", "enter", "end", "overrun") for o in moving.legal)
    assert moving.document()["forts"] == ["2605"]


@pytest.mark.case("leningrad-2010", "13.4")
def test_two_forts_a_turn_from_those_that_have_come():
    position = play(fortifying(turn=5), "fort 2605", "fort 2705")
    assert orders(position) == {"end"}, "six have come, two a turn"
    third = fortifying(turn=5, forts=["2605", "2705"], forts_placed=2)
    assert refused(third, "fort 2604") == "13.4"
    none = fortifying(turn=3, forts=["2605", "2705"])
    assert refused(none, "fort 2604") == "13.4", "both of turn 3 stand"
    early = fortifying(turn=2)
    assert refused(early, "fort 2604") == "13.4"


@pytest.mark.case("leningrad-2010", "13.4", "14.0")
def test_forts_may_be_kept_and_twelve_come_in_all():
    arrivals = GAME.edition.scenario.forts
    assert arrivals == {str(turn): 2 for turn in range(3, 9)}
    late = fortifying(turn=12, forts=["2605"])
    assert "fort 2604" in late.legal
    spent = fortifying(turn=12, forts=["2605"], forts_used=12)
    assert refused(spent, "fort 2604") == "13.4"


@pytest.mark.case("leningrad-2010", "13.5")
def test_one_fort_a_hex_and_no_room_taken():
    position = fortifying({"i1": "2605", "i2": "2605", "i3": "2605", "1": "0112"}, forts=["2604"])
    assert refused(position, "fort 2604") == "13.5"
    full = position.play("fort 2605")
    assert full.document()["forts"] == ["2604", "2605"]


@pytest.mark.case("leningrad-2010", "13.6", "3.0")
def test_enemy_zones_close_a_hex_unless_a_soviet_unit_is_there():
    position = fortifying({"1": "2407", "i1": "2506", "i2": "2906"})
    assert "2406" in position.zoc("german")
    assert refused(position, "fort 2406") == "13.6"
    held = fortifying({"1": "2407", "i1": "2506", "i2": "2906", "i3": "2406"})
    assert "fort 2406" in held.legal, "untried or not"
    shown = fortifying({"1": "2407", "i1": "2506", "i2": "2906", "70rd": "2406"})
    assert "fort 2406" in shown.legal
    assert refused(fortifying({"1/41": "2406", "i1": "2605"}), "fort 2406") == "13.0"


@pytest.mark.case("leningrad-2010", "13.2")
def test_armor_pays_two_points_more_too():
    units = {"x1": panzer("0504"), "e1": soviet("1209")}
    assert cost(field("german-movement", units, forts=["0505"], hexes={"0505": "swamp"}), "x1", "0505") == 5
