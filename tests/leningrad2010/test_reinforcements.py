"""Chapter 14: reinforcements and regeneration."""

from __future__ import annotations

import pytest

from .field import (
    GAME,
    field,
    german,
    left,
    on_map,
    orders,
    play,
    refused,
    soviet,
    steps,
    where,
)  # fmt: skip

EAST_PRUSSIA = {f"00{row:02}" for row in range(7, 14)}
LENINGRAD = {"2505", "2604", "2605", "2705"}
FAR = {"i1": "1809"}


def entries(position, unit):
    return {o.hexes[0] for o in position.legal.of(unit) if o.verb == "enter" and o.units == (unit,)}


def coming(side, turn, unit, due, others=None, **state):
    return on_map(f"{side}-movement", {unit: {"due": due}, "1": "0112", **FAR, **(others or {})}, turn=turn, **state)


# The schedule ---------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-2010", "14.0")
def test_german_schedule():
    lines = [a for a in GAME.edition.scenario.arrivals if a.side == "german"]
    assert [(a.turn, len(a.units), a.entry) for a in lines] == [
        (2, 5, "east-prussia"), (6, 1, "east-prussia"), (10, 2, "2113 2213 2313")
    ]  # fmt: skip
    assert lines[2].units == ["12/39", "20/39"]
    assert GAME.edition.scenario.air == {"1": 1, "7": 2}
    for unit, turn, due, hexes in (("93", 2, "german-2", EAST_PRUSSIA), ("POL", 6, "german-6", EAST_PRUSSIA),
                                   ("12/39", 10, "german-10", {"2113", "2213", "2313"})):  # fmt: skip
        assert entries(coming("german", turn, unit, due), unit) == hexes


SCHEDULE = {
    1: [("i", 1, "1113"), ("a", 3, "1113")],
    2: [("i", 3, "2906 2911"), ("a", 1, "2906 2911")],
    3: [("a", 1, "2906 2911")],
    4: [("i", 2, "2313 2906 2911"), ("a", 1, "2313 2906 2911")],
    5: [("i", 2, "2601"), ("a", 1, "2313 2906 2911")],
    6: [("i", 2, "2906 2911"), ("a", 1, "2313 2906 2911")],
    7: [("i", 2, "2501 2601 2701"), ("a", 1, "2501 2601 2701")],
    8: [("i", 6, "2911"), ("i", 2, "2501 2601 2701"), ("a", 1, "2906 2911")],
    9: [("i", 3, "2911"), ("a", 1, "2313 2906 2911")],
    10: [("i", 2, "2505 2604 2605 2705")],
    11: [("i", 2, "2505 2604 2605 2705")],
    12: [("i", 2, "2505 2604 2605 2705")],
}


@pytest.mark.case("leningrad-2010", "14.0")
@pytest.mark.parametrize("turn", SCHEDULE)
def test_soviet_schedule(turn):
    """The real start, with the turn set: what may enter, how many, and where."""
    document = GAME.start().document() | {"turn": turn, "phase": "soviet-movement"}
    lines = [a for a in GAME.edition.scenario.arrivals if a.side == "soviet" and a.turn == turn]
    ids = {a.id for a in lines}
    document["units"] = {n: e for n, e in document["units"].items() if e.get("due") in ids}
    position = GAME.position(document)
    found = []
    for line in lines:
        units = [n for n, e in document["units"].items() if e["due"] == line.id]
        hexes = {frozenset(entries(position, u)) for u in units}
        assert len(hexes) == 1
        found.append((units[0][0], len(units), " ".join(sorted(*hexes))))
    assert found == SCHEDULE[turn]


@pytest.mark.case("leningrad-2010", "14.0")
def test_the_whole_schedule_uses_every_counter_once():
    arrivals = [a for a in GAME.edition.scenario.arrivals if a.side == "soviet"]
    assert sum(a.infantry for a in arrivals) == 29
    assert sum(a.armor for a in arrivals) == 11
    assert not any(piece.recycled for piece in GAME.roster)


@pytest.mark.case("leningrad-2010", "14.0")
def test_nobody_comes_before_his_turn():
    assert refused(coming("german", 1, "93", "german-2"), "enter 93 0010") == "14.0"
    assert refused(coming("soviet", 3, "i40", "soviet-4-infantry"), "enter i40 2906") == "14.0"
    assert refused(coming("german", 2, "93", "german-2"), "enter 1 0010") == "14.0", "it is there already"


@pytest.mark.case("leningrad-2010", "14.0")
def test_each_unit_chooses_among_the_listed_hexes():
    others = {"i41": {"due": "soviet-2-infantry"}}
    position = coming("soviet", 2, "i40", "soviet-2-infantry", others)
    position = play(position, "enter i40 2906", "enter i41 2911")
    assert (where(position, "i40"), where(position, "i41")) == ("2906", "2911")
    assert refused(coming("soviet", 2, "i40", "soviet-2-infantry"), "enter i40 2601") == "14.0"


@pytest.mark.case("leningrad-2010", "14.0", "9.1")
def test_reinforcements_enter_in_supply():
    """The 39th Panzer Corps comes in far from any German road, with all its points."""
    position = coming("german", 10, "12/39", "german-10")
    assert GAME.map.terrain_of(GAME.map.grid.hex("2213")) == "swamp"
    position = position.play("enter 12/39 2213")
    assert not position.supply("12/39")
    assert left(position, "12/39") == 5, "eight less three for the swamp"


# 14.1 to 14.5 ---------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-2010", "14.1")
def test_the_entry_hex_is_paid_for():
    position = coming("soviet", 5, "i40", "soviet-5-infantry")
    assert GAME.map.terrain_of(GAME.map.grid.hex("2601")) == "forest"
    assert left(position.play("enter i40 2601"), "i40") == 3
    clear = coming("german", 2, "93", "german-2").play("enter 93 0008")
    assert left(clear, "93") == 5


@pytest.mark.case("leningrad-2010", "14.1", "4.6")
def test_those_behind_pay_no_more():
    """Six divisions through one hex: each pays the same, and the hex may hold more than three on the way."""
    army = {f"i{n}": {"due": "soviet-8-34th-army"} for n in range(30, 36)}
    position = on_map("soviet-movement", {"1": "0112", **army}, turn=8)
    points = []
    for unit in army:
        position = position.play(f"enter {unit} 2911")
        points.append(left(position, unit))
    assert len(set(points)) == 1
    crowded = position.play("end")
    assert crowded.to_move == "german", "left there they are too many"
    assert len(orders(crowded, "remove")) == 6


@pytest.mark.case("leningrad-2010", "14.2")
def test_a_blocked_entry_opens_the_nearest_unoccupied_hexes():
    blocked = coming("soviet", 1, "i40", "soviet-1-infantry", {"11": "1113"})
    hexes = entries(blocked, "i40")
    grid = GAME.map.grid
    assert hexes == {n for n in grid.numbers if grid.adjacent(grid.hex(n), grid.hex("1113"))}, "the owner's choice"
    full = coming("soviet", 9, "i40", "soviet-9-infantry", {f"i{n}": "2911" for n in (2, 3, 4)})
    assert {"2910", "2912"} <= entries(full, "i40")
    assert refused(coming("soviet", 9, "i40", "soviet-9-infantry"), "enter i40 2910") == "14.2"


@pytest.mark.case("leningrad-2010", "14.2")
def test_not_while_another_listed_hex_is_open():
    position = coming("soviet", 2, "i40", "soviet-2-infantry", {"11": "2911"})
    assert entries(position, "i40") == {"2906"}


@pytest.mark.case("leningrad-2010", "14.2", "4.7")
def test_entering_an_enemy_zone_is_allowed_and_ends_the_move():
    position = coming("soviet", 9, "i40", "soviet-9-infantry", {"11": "2910"})
    assert "2911" in position.zoc("german")
    position = position.play("enter i40 2911")
    assert refused(position, "move i40 2912") == "6.2"


@pytest.mark.case("leningrad-2010", "14.3")
def test_reinforcements_may_be_held_back():
    position = coming("soviet", 5, "i40", "soviet-5-infantry")
    assert "end" in position.legal
    later = coming("soviet", 8, "i40", "soviet-5-infantry")
    assert entries(later, "i40") == {"2601"}, "the same hex later"


@pytest.mark.case("leningrad-2010", "14.4")
def test_when_all_of_leningrad_is_german_its_divisions_come_from_the_north():
    city = {"11": "2505", "12": "2604", "21": "2605"}
    held = coming("soviet", 10, "i40", "soviet-10-infantry", city)
    assert entries(held, "i40") == {"2705"}
    lost = coming("soviet", 10, "i40", "soviet-10-infantry", city | {"30": "2705"})
    assert entries(lost, "i40") == {"2301", "2401", "2501", "2601", "2701", "2801"}
    assert entries(coming("soviet", 10, "i40", "soviet-10-infantry"), "i40") == LENINGRAD


@pytest.mark.case("leningrad-2010", "14.5", "15.1")
def test_the_soviets_of_turn_1_may_not_be_delayed():
    position = coming("soviet", 1, "a10", "soviet-1-armor")
    assert refused(position, "end") == "14.5"
    blocked = coming("soviet", 1, "a10", "soviet-1-armor", {"11": "1113"})
    assert refused(blocked, "end") == "14.5", "not even when 1113 is taken"


# Regeneration (14.6 to 14.10) -----------------------------------------------------------------------


def resting(since=2, turn=4, place="city", units=None, **more):
    """A reduced German unit in a city since some turn."""
    entry = german("0505", steps=1, since=since)
    places = {"0505": [place]} if place else {}
    enemies = {"e1": soviet("1209")}
    return field("german-replacement", {"x1": entry, **enemies, **(units or {})}, turn=turn, places=places, **more)


@pytest.mark.case("leningrad-2010", "14.6")
def test_a_whole_turn_in_a_city_or_east_prussia():
    """In on turn 2, there all turn 3, whole again on turn 4, when it acts as usual."""
    position = resting().play("rebuild x1")
    assert steps(position, "x1") == 2
    assert orders(position) == {"end"}
    position = position.play("end german-replacement")
    assert position.phase.id == "german-movement"
    assert "0508" in position.reach("x1")
    assert refused(resting(since=3), "rebuild x1") == "14.6"
    assert refused(resting(place=""), "rebuild x1") == "14.6"
    assert "rebuild x1" in resting(place="east-prussia").legal
    home = on_map("german-replacement", {"1": {"hex": "0008", "steps": 1, "since": 2}, **FAR})
    assert "rebuild 1" in home.legal
    border = on_map("german-replacement", {"1": {"hex": "0112", "steps": 1, "since": 2}, **FAR})
    assert refused(border, "rebuild 1") == "14.6", "0111 to 0113 are not among the seven hexes"


@pytest.mark.case("leningrad-2010", "14.6")
def test_soviet_cities_by_option():
    assert "rebuild x1" in resting(place="soviet-city").legal
    off = resting(place="soviet-city", options={"rebuild-in-soviet-cities": False})
    assert refused(off, "rebuild x1") == "14.6"
    assert "a Soviet city" in off.why_not("rebuild x1").message
    assert "rebuild x1" in resting(options={"rebuild-in-soviet-cities": False}).legal


@pytest.mark.case("leningrad-2010", "14.6")
def test_supply_is_needed():
    assert refused(resting(hungry="x1"), "rebuild x1") == "14.6"


@pytest.mark.case("leningrad-2010", "14.6", "14.7")
def test_no_enemy_zone_friends_or_not():
    enemy = {"e2": soviet("0506")}
    assert refused(resting(units=enemy), "rebuild x1") == "14.7"
    assert refused(resting(units=enemy | {"x2": german("0505")}), "rebuild x1") == "14.7"


@pytest.mark.case("leningrad-2010", "14.6")
def test_a_full_unit_needs_nothing():
    units = {"x1": german("0505", since=1), "e1": soviet("1209")}
    position = field("german-replacement", units, places={"0505": ["city"]})
    assert refused(position, "rebuild x1") == "14.6"


@pytest.mark.case("leningrad-2010", "14.8")
def test_three_a_phase_on_the_whole_map():
    hexes = ("0505", "0507", "0505", "0705")
    units = {f"x{n}": german(at, steps=1, since=1) for n, at in enumerate(hexes, 1)}
    places = {at: ["city"] for at in hexes}
    position = field("german-replacement", units | {"e1": soviet("1209")}, places=places)
    position = play(position, "rebuild x1", "rebuild x2", "rebuild x3")
    assert orders(position) == {"end"}, "that was the third"
    assert refused(position, "rebuild x4") == "14.8", "the limit, not the order of phases, forbids the fourth"
    two = play(field("german-replacement", units | {"e1": soviet("1209")}, places=places), "rebuild x1", "rebuild x2")
    assert {str(o) for o in two.legal} == {"rebuild x3", "rebuild x4", "end"}
    assert refused(two.play("end"), "rebuild x3") == "3.0", "given up by ending the phase"
    assert refused(field("german-movement", units, places=places), "rebuild x4") == "3.0", "not the phase for it"
    done = {f"x{n}": german(at, since=4, moved=True) for n, at in enumerate(hexes[:3], 1)} | {"x4": units["x4"]}
    full = field("german-replacement", done | {"e1": soviet("1209")}, places=places)
    assert refused(full, "rebuild x4") == "14.8"


@pytest.mark.case("leningrad-2010", "14.8", "16.1")
def test_each_regeneration_is_a_soviet_point_and_may_be_repeated():
    position = resting().play("rebuild x1")
    assert position.standing.margin == -1
    again = resting(rebuilt=1).play("rebuild x1")
    assert again.standing.margin == -2
    (entry,) = again.standing.ledger
    assert (entry.side, entry.points, entry.case) == ("soviet", 2, "16.1")


def next_replacement(position):
    turn = position.turn
    while position.turn == turn and position.to_move is not None:
        position = position.play("end")
    return position


@pytest.mark.case("leningrad-2010", "14.9")
def test_moving_attacking_or_being_attacked_starts_it_over():
    rest = {"x1": german("0505", 12, steps=1, since=2), "e1": soviet("0507", 4, 1)}
    places = {"0505": ["city"]}
    quiet = next_replacement(field("german-movement", rest, turn=3, places=places))
    assert "rebuild x1" in quiet.legal

    moved = play(field("german-movement", rest, turn=3, places=places), "move x1 0504", "move x1 0505")
    assert next_replacement(moved).phase.id == "german-movement", "nothing to rebuild"

    adjacent = rest | {"e1": soviet("0506", 4, 1)}
    struck = play(field("german-combat", adjacent, turn=3, places=places), "attack x1 0506", "die 6", "end")
    assert where(struck, "e1") == "eliminated"
    assert next_replacement(struck).phase.id == "german-movement"

    hit = play(field("soviet-combat", adjacent, turn=3, places=places, air_used=1), "attack e1 0505", "die 1")
    assert where(hit, "e1") == "eliminated"
    assert next_replacement(hit).phase.id == "german-movement"
    overrun = play(field("soviet-movement", adjacent, turn=3, places=places, air_used=1), "overrun e1 0505", "die 1")
    assert next_replacement(overrun).phase.id == "german-movement", "an overrun is an attack too"


@pytest.mark.case("leningrad-2010", "14.10")
def test_nobody_returns_from_the_dead_and_soviets_regenerate_nothing():
    dead = resting(units={"1/41": {"eliminated": True}})
    assert refused(dead, "rebuild 1/41") == "14.10"
    assert refused(resting(), "rebuild e1") == "14.10"
