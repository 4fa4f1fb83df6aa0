"""The administrative phase: sequence, weather, replacements, reinforcements, assignment, supply (6 to 10)."""

import pytest

from ladoga.games.tijvin.movement import allowance
from ladoga.games.tijvin.strength import efficiency


def points(position, unit):
    return allowance(position, position.roster.index[unit])


@pytest.mark.case("tijvin-1941", "6", "6.1.1", "6.1.2", "6.1.3", "6.1.4")
def test_steps_come_in_order(situation, play):
    units = {"227-ID": {"hex": "0205"}, "292-DF": {"hex": "1105"}, "191-DF": {"box": "due"}}
    field = {"places": {"1205": ["entry-4"]}}
    hqs = {"I-AK": {"hex": "0205"}, "4-Army": {"hex": "1105"}}
    position = situation(turn=2, phase="weather", units=units, hqs=hqs, map=field)
    seen = [position.phase.id]
    for order in (1, "enter 191-DF 1205", "end", 3, 3, "end", "end"):
        position = play(position, order)
        seen.append(position.phase.id)
    assert seen == [
        "weather", "soviet-reinforcement", "soviet-reinforcement", "german-replacement", "soviet-replacement",
        "german-assignment", "soviet-assignment", "german-activation",
    ]  # fmt: skip


@pytest.mark.case("tijvin-1941", "6.2.4", "13.IIe")
def test_everything_is_ready_again_next_turn(situation, play):
    units = {"123-ARKO": {"hex": "0205", "fired": True}, "227-ID": {"hex": "0205", "attacked": True, "moved": True}}
    position = situation(
        turn=3, phase="german-activation", units={**units, "292-DF": {"hex": "1105"}}, air=["Luft-1"], passed=True,
        hqs={"I-AK": {"hex": "0205", "activated": True}, "39-AK": {"hex": "0206"}},
    )  # fmt: skip
    position = play(position, "pass")
    assert position.turn == 4
    assert (position.fired, position.attacked, position.moved, position.air_used, position.hq_activated) == (0,) * 5


WEATHER = {
    2: ["clear", "fog", "rain", "rain", "heavy-rain", "heavy-rain"],
    3: ["clear", "fog", "rain", "rain", "heavy-rain", "heavy-rain"],
    4: ["clear", "fog", "fog", "fog", "snow", "snow"],
    9: ["clear", "fog", "fog", "fog", "snow", "snow"],
    10: ["clear", "clear", "fog", "fog", "snow", "snow"],
    15: ["clear", "clear", "fog", "fog", "snow", "snow"],
}


@pytest.mark.case("tijvin-1941", "7.W", "6.1.1")
@pytest.mark.parametrize("turn", WEATHER)
def test_weather_by_month(situation, g, s, play, turn):
    position = situation(turn=turn, phase="weather", units={"a": g("0101"), "r": s("1212")})
    assert [play(position, face).weather for face in range(1, 7)] == WEATHER[turn]


@pytest.mark.case("tijvin-1941", "7.W", "10", "12")
@pytest.mark.parametrize(
    ("weather", "foot", "seven", "eight"),
    [("clear", 4, 7, 8), ("fog", 4, 6, 7), ("rain", 4, 5, 6), ("snow", 4, 5, 6), ("heavy-rain", 3, 4, 4)],
)
def test_weather_and_supply_cut_movement(situation, g, s, weather, foot, seven, eight):
    for supplied in (True, False):
        units = {
            "i": g("0101", supplied=supplied), "m": g("0201", 4, "motorized", supplied=supplied),
            "c": s("0401", 3, "cavalry", supplied=supplied),
        }  # fmt: skip
        position = situation(weather=weather, units=units)
        expected = (foot, seven, eight) if supplied else (foot - 1, seven // 2, eight // 2)
        assert tuple(points(position, u) for u in "icm") == expected


@pytest.mark.case("tijvin-1941", "7.W")
@pytest.mark.parametrize(("weather", "flying"), [("clear", 2), ("rain", 1), ("snow", 1), ("fog", 0), ("heavy-rain", 0)])
def test_weather_grounds_air_units(situation, g, s, weather, flying, refused, play):
    position = situation(phase="german-combat", weather=weather, units={"a": g("0504", 8), "r": s("0505")})
    position = play(position, "target 0505", "add a")
    for n in (1, 2):
        if n <= flying:
            position = play(position, f"add Luft-{n}")
        else:
            assert refused(position, f"add Luft-{n}") == "7.W"


@pytest.mark.case("tijvin-1941", "7.W", "12")
@pytest.mark.parametrize(
    ("weather", "turn", "sides", "cost"),
    [
        ("clear", 3, ["minor-river"], 2), ("heavy-rain", 3, ["minor-river"], 3),
        ("heavy-rain", 3, ["minor-river", "road"], 1),
        ("clear", 3, ["major-river"], 3), ("clear", 7, ["minor-river"], 1), ("clear", 7, ["major-river"], 3),
        ("clear", 3, ["major-river", "rail"], 1),
    ],
)  # fmt: skip
def test_rivers_cost_points_off_the_road(situation, g, weather, turn, sides, cost):
    around = {f"0505/{n}": sides for n in ("0504", "0605", "0606", "0506", "0406", "0405")}
    position = situation(
        turn=turn, weather=weather, units={"i": g("0503", 4, "motorized")}, map={"hexsides": around}, control="all"
    )
    assert position.reach("i")["0505"].cost == 1 + cost


@pytest.mark.case("tijvin-1941", "7.T", "12")
@pytest.mark.parametrize(("turn", "foot", "wheels"), [(6, 2, 3), (7, 1, 1)])
def test_swamp_freezes_on_turn_seven(situation, g, turn, foot, wheels, refused):
    units = {"i": g("0504"), "m": g("0504", 4, "motorized"), "pz": g("0504", 5, "tank")}
    position = situation(turn=turn, units=units, map={"hexes": {"0505": "swamp"}})
    assert position.reach("i")["0505"].cost == foot
    assert position.reach("m")["0505"].cost == wheels
    if turn == 6:
        assert refused(position, "move pz 0505") == "12"
    else:
        assert position.reach("pz")["0505"].cost == 1


# Replacements ---------------------------------------------------------------------------------


def depot(situation, side, turn=8, units=None, **more):
    """A replacement roll of one side with everything within reach."""
    base = {"227-ID": {"hex": "0205", "cf": 4}, "292-DF": {"hex": "1105", "cf": 2}}
    hqs = {"I-AK": {"hex": "0205"}, "39-AK": {"hex": "0207"}, "4-Army": {"hex": "1105"}, "54-Army": {"hex": "1107"}}
    return situation(turn=turn, phase=f"{side}-replacement", units={**base, **(units or {})}, hqs=hqs, **more)


@pytest.mark.case("tijvin-1941", "8.P")
def test_points_by_the_die(situation, play):
    position = depot(situation, "german")
    assert [play(position, face).purse.left for face in range(1, 7)] == [1, 2, 3, 3, 4, 5]


@pytest.mark.case("tijvin-1941", "8.P")
@pytest.mark.parametrize(
    ("side", "bonus"),
    [("german", {2: 2, 4: 2, 5: 1, 6: 1, 7: 0, 15: 0}), ("soviet", {2: 0, 5: 0, 6: 2, 10: 2, 11: 4, 15: 4})],
)
def test_bonus_points_by_turn(situation, play, side, bonus):
    for turn, extra in bonus.items():
        assert play(depot(situation, side, turn), 1).purse.left == 1 + extra


@pytest.mark.case("tijvin-1941", "8.P")
@pytest.mark.parametrize(
    ("unit", "side", "price"),
    [
        ("227-ID", "german", 1), ("76-Mot", "german", 1), ("8-Mot", "german", 2), ("10-Pz", "german", 2),
        ("292-DF", "soviet", 1), ("3-DF-Gu", "soviet", 2), ("16-122-BT", "soviet", 2), ("27-Cab", "soviet", 1),
        ("60-Mot", "soviet", 1),
    ],
)  # fmt: skip
def test_recovery_costs(situation, play, unit, side, price):
    home = {"german": "0205", "soviet": "1105"}[side]
    hq = {"german": "I-AK", "soviet": "4-Army"}[side]
    units = {unit: {"hex": home, "cf": 1, "hq": hq}}
    position = depot(situation, side, units=units, points=5)
    assert play(position, f"replace {unit}").purse.left == 5 - price


@pytest.mark.case("tijvin-1941", "8.P")
def test_factors_are_delivered_when_both_have_bought(situation, play, cf):
    position = depot(situation, "german", turn=3, points=3)
    position = play(position, "replace 227-ID", "replace 227-ID", "end")
    assert cf(position, "227-ID") == 4
    position = play(position, 2, "replace 292-DF", "end")
    assert (cf(position, "227-ID"), cf(position, "292-DF")) == (6, 3)
    assert position.purse.left == 0


@pytest.mark.case("tijvin-1941", "4", "8.P")
def test_no_unit_exceeds_its_full_strength(situation, refused):
    position = depot(situation, "german", points=5, units={"126-ID": {"hex": "0204", "cf": 8, "hq": "I-AK"}})
    assert refused(position, "replace 126-ID") == "4"


@pytest.mark.case("tijvin-1941", "8.P", "10", "11.O")
def test_only_units_in_supply_and_range_recover(situation, refused):
    units = {
        "254-ID": {"hex": "0704", "cf": 4}, "11-ID": {"hex": "0203", "cf": 4, "supplied": False},
        "21-ID": {"hex": "0605", "cf": 4, "hq": "I-AK"},
    }  # fmt: skip
    position = depot(situation, "german", points=5, units=units)
    assert refused(position, "replace 254-ID") == "8.P"
    assert refused(position, "replace 11-ID") == "10"
    assert "replace 21-ID" in position.legal, "four hexes away"


@pytest.mark.case("tijvin-1941", "8.P")
def test_a_destroyed_unit_is_rebuilt_with_its_headquarters(situation, play, refused, cf, at, s):
    units = {"254-ID": {"box": "destroyed"}, "11-ID": {"hex": "0105"}, "r": s("0405", 6)}
    position = depot(situation, "german", turn=3, points=3, units=units)
    assert "replace 254-ID 0205" in position.legal
    assert "replace 254-ID 0204" in position.legal
    assert refused(position, "replace 254-ID") == "8.P"
    assert refused(position, "replace 254-ID 0105") == "8.P", "not vacant"
    assert refused(position, "replace 254-ID 0305") == "8.P", "enemy zone"
    assert refused(position, "replace 254-ID 0203") == "8.P", "too far"
    position = play(position, "replace 254-ID 0204", "replace 254-ID", "end", 1)
    position = play(position, "end")
    assert (cf(position, "254-ID"), at(position, "254-ID")) == (2, "0204")


@pytest.mark.case("tijvin-1941", "8.P", "13.A")
def test_artillery_recovers_only_from_destruction(situation, play, refused, cf):
    units = {"123-ARKO": {"box": "destroyed"}, "35-ARKO": {"hex": "0205", "hq": "I-AK"}, "884-AT": {"hex": "1105"}}
    position = depot(situation, "german", turn=3, points=5, units=units)
    assert refused(position, "replace 35-ARKO") == "13.A"
    position = play(position, "replace 123-ARKO 0205")
    assert position.purse.left == 3
    assert refused(position, "replace 123-ARKO") == "13.A"
    assert cf(play(position, "end", 1, "end"), "123-ARKO") == 1


@pytest.mark.case("tijvin-1941", "8.P")
def test_the_antitank_regiment_is_rebuilt_for_two_points(situation, play):
    position = depot(situation, "soviet", points=3, units={"884-AT": {"box": "destroyed", "hq": "4-Army"}})
    assert play(position, "replace 884-AT 1105").purse.left == 1


@pytest.mark.case("tijvin-1941", "4", "8.P")
def test_replacements_do_not_overfill_a_hex(situation, refused):
    units = {"227-ID": {"hex": "0205", "cf": 10}, "254-ID": {"hex": "0205", "cf": 10}}
    assert refused(depot(situation, "german", points=3, units=units), "replace 227-ID") == "4"


@pytest.mark.case("tijvin-1941", "8.P")
def test_points_cannot_be_saved(situation, play):
    position = play(depot(situation, "german", turn=3, points=3), "replace 227-ID", "end", 1)
    position = play(position, "end", "end", "end")
    assert position.purse.left == 0


# Reinforcements -------------------------------------------------------------------------------

ENTRIES = {"places": {"1203": ["entry-4"], "1209": ["entry-54"], "0303": ["entry-1"], "0304": ["entry-1"]}}


@pytest.mark.case("tijvin-1941", "8.R")
def test_reinforcements_enter_by_the_road_of_their_command(situation, refused):
    units = {"191-DF": {"box": "due"}, "44-DF": {"box": "due"}}
    position = situation(turn=2, phase="soviet-reinforcement", units=units, map=ENTRIES)
    assert "enter 191-DF 1203" in position.legal
    assert "enter 191-DF 1102" in position.legal, "next to the edge hex"
    assert refused(position, "enter 191-DF 1209") == "8.R"
    assert refused(position, "end") == "8.R"


@pytest.mark.case("tijvin-1941", "8.R")
@pytest.mark.parametrize(
    ("unit", "place"),
    [
        ("223-ID", "entry-38"),
        ("61-ID", "entry-39"),
        ("269-ID", "entry-1"),
        ("259-DF", "entry-52"),
        ("80-DF", "entry-54"),
    ],
)
def test_entry_hexes_of_the_map(game, unit, place):
    side = game.units[unit].side
    turn = game.units[unit].arrives
    position = game.position({"turn": turn, "phase": f"{side}-reinforcement", "units": {unit: {"box": "due"}}})
    hexes = {order.hexes[0] for order in position.legal}
    roads = {game.map.grid.number(h) for h in game.map.grid.members(game.map.places[place])}
    assert roads <= hexes
    if side == "german":
        assert roads == hexes
    else:
        near = game.map.grid.within(game.map.places[place], 1) & game.map.land
        assert hexes == {game.map.grid.number(h) for h in game.map.grid.members(near)}


@pytest.mark.case("tijvin-1941", "8.R", "5")
def test_enemies_and_their_zones_close_an_entry(situation, g, s, refused):
    units = {"269-ID": {"box": "due"}, "r": s("0304", 1), "q": s("0403", 6)}
    position = situation(turn=12, phase="german-reinforcement", units=units, map={**ENTRIES, "places": {
        "0303": ["entry-1"], "0304": ["entry-1"], "0307": ["entry-1"]}})  # fmt: skip
    assert refused(position, "enter 269-ID 0304") == "8.R"
    assert refused(position, "enter 269-ID 0303") == "8.R"
    assert "enter 269-ID 0307" in position.legal
    units["a"] = g("0303", 2)
    position = situation(turn=12, phase="german-reinforcement", units=units, map=ENTRIES)
    assert "enter 269-ID 0303" in position.legal, "a friend reopens it"


@pytest.mark.case("tijvin-1941", "4", "8.R")
def test_a_full_hex_takes_no_reinforcement(situation, g, refused):
    units = {"269-ID": {"box": "due"}, "a": g("0303", 9)}
    position = situation(turn=12, phase="german-reinforcement", units=units, map=ENTRIES)
    assert refused(position, "enter 269-ID 0303") == "4"


@pytest.mark.case("tijvin-1941", "8.R")
def test_a_blocked_reinforcement_comes_later_by_any_road(situation, g, s, play, refused):
    blocked = {
        "1203": g("1203", 1),
        "1202": g("1202", 1),
        "1204": g("1204", 1),
        "1102": g("1102", 1),
        "1103": g("1103", 1),
    }
    units = {f"b{n}": unit for n, unit in blocked.items()}
    doc = {"units": {**units, "44-DF": {"box": "due"}, "r": s("0707", 6)}, "map": ENTRIES}
    position = situation(turn=2, phase="weather", **doc)
    position = play(position, 1)
    assert position.delayed >> position.roster.index["44-DF"] & 1
    assert any(event.kind == "delayed" for event in position.events)
    doc["units"]["44-DF"] = {"box": "due", "delayed": True}
    position = situation(turn=3, phase="soviet-reinforcement", **doc)
    assert "enter 44-DF 1209" in position.legal
    doc["units"]["44-DF"] = {"box": "due"}
    position = situation(turn=3, phase="soviet-reinforcement", **doc)
    assert "enter 44-DF 1209" not in position.legal


@pytest.mark.case("tijvin-1941", "8.R", "11.O")
def test_a_reinforcement_out_of_range_acts_alone(situation, s, g, play):
    units = {"25-Cab": {"box": "due"}, "a": g("0101")}
    field = {"places": {"1203": ["entry-52"]}}
    position = situation(turn=3, phase="soviet-reinforcement", units=units, map=field, hqs={"52-Army": {"hex": "0403"}})
    position = play(position, "enter 25-Cab 1203", "end", 1, 1, "end", "end")
    assert position.uncommanded >> position.roster.index["25-Cab"] & 1
    assert not position.unsupplied
    position = play(position, "activate a") if position.to_move == "german" else position
    position = play(position, "end")
    assert "activate 25-Cab" in position.legal


@pytest.mark.case("tijvin-1941", "8.R", "13.IIe")
@pytest.mark.parametrize(("turn", "count"), [(1, 0), (2, 1), (5, 1), (6, 2), (15, 2)])
def test_soviet_air_units_arrive_for_good(situation, g, s, turn, count):
    position = situation(
        turn=turn, scenario="what-if", phase="soviet-combat", units={"r": s("0504", 9), "a": g("0505")}
    ).play("target 0505").play("add r")  # fmt: skip
    assert sum(f"add VVS-{n}" in position.legal for n in (1, 2)) == count


# Assignment -----------------------------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "9", "11.A")
def test_units_are_assigned_in_or_out_of_range(situation, play, refused):
    units = {"227-ID": {"hex": "0205"}, "21-ID": {"hex": "1205"}, "r": {"side": "soviet", "type": "infantry", "cf": 1,
             "hex": "0912"}}  # fmt: skip
    position = situation(
        phase="german-assignment", units=units, hqs={"I-AK": {"hex": "0205"}, "39-AK": {"hex": "0206"}}
    )
    assert "assign 227-ID 39-AK" in position.legal
    assert refused(position, "assign 227-ID I-AK") == "9"
    assert refused(position, "assign r I-AK") == "9"
    position = play(position, "assign 21-ID I-AK")
    assert refused(position, "assign 21-ID 38-AK") == "9"
    position = play(position, "end", "end")
    assert position.uncommanded >> position.roster.index["21-ID"] & 1
    assert not position.uncommanded >> position.roster.index["227-ID"] & 1


@pytest.mark.case("tijvin-1941", "9", "15.1", "15.2")
@pytest.mark.parametrize(
    ("scenario", "soviets"), [("historical", False), ("german-offensive", False), ("what-if", True)]
)
def test_on_turn_one_the_soviets_assign_only_in_what_if(situation, play, scenario, soviets):
    units = {"227-ID": {"hex": "0205"}, "292-DF": {"hex": "1105"}}
    position = situation(turn=1, scenario=scenario, phase="german-assignment", units=units)
    assert "assign 227-ID 39-AK" in position.legal
    position = play(position, "end")
    assert position.phase.id == ("soviet-assignment" if soviets else "german-activation")
    position = situation(turn=1, scenario=scenario, phase="soviet-assignment", units=units)
    refusal = position.why_not("assign 292-DF 52-Army")
    assert (refusal is None) is soviets
    assert soviets or refusal.case == "9"


@pytest.mark.case("tijvin-1941", "9", "15.1")
@pytest.mark.parametrize(("turn", "closed"), [(2, True), (3, False)])
def test_the_54_army_neither_gives_nor_takes_units_before_turn_three(situation, refused, turn, closed):
    units = {"286-DF": {"hex": "0205"}, "292-DF": {"hex": "1105"}}
    position = situation(turn=turn, phase="soviet-assignment", units=units)
    for order in ("assign 286-DF 4-Army", "assign 292-DF 54-Army"):
        if closed:
            assert refused(position, order) == "15.1"
        else:
            assert order in position.legal
    assert "assign 292-DF 52-Army" in position.legal


# Supply ---------------------------------------------------------------------------------------


def supplied(situation, play, units, turn=3, field=None, **more):
    """Who is in supply after the check of a turn."""
    position = situation(turn=turn, phase="weather", units=units, map=field or {}, **more)
    position = play(position, 1)
    return {name for name in units if not position.unsupplied >> position.roster.index[name] & 1}


@pytest.mark.case("tijvin-1941", "10", "6.1.2")
def test_each_side_has_its_edges(situation, g, s, play):
    ring = [f"r{n}" for n in range(6)]
    around = dict(zip(ring, ("0504", "0605", "0606", "0506", "0406", "0405"), strict=True))
    units = {"a": g("0505", 12)} | {name: s(h, 1) for name, h in around.items()}
    assert supplied(situation, play, units) == set(ring)
    east = {"a": g("1205", 6)} | {f"r{n}": s(f"11{n:02}", 6) for n in range(1, 13)}
    assert "a" not in supplied(situation, play, east), "the east edge is no use to Germans"
    west = {"r": s("0105", 6)} | {f"a{n}": g(f"02{n:02}", 6) for n in range(1, 13)}
    assert "r" not in supplied(situation, play, west), "the west edge is no use to Soviets"
    south = {"r": s("0112", 6)} | {f"a{n}": g(f"02{n:02}", 6) for n in range(1, 13)}
    assert "r" in supplied(situation, play, south)
    north = {"r": s("0101", 6)} | {f"a{n}": g(f"02{n:02}", 6) for n in range(1, 13)}
    assert "r" in supplied(situation, play, north)


WALL = {f"r{n}": f"06{n:02}" for n in range(1, 13)}


@pytest.mark.case("tijvin-1941", "5", "10")
def test_zones_cut_a_line_and_friends_reopen_it(situation, g, s, play):
    """Soviet stacks of six leave gaps of one hex, closed by their zones."""
    wall = {f"r{n}": s(f"06{n:02}", 6) for n in (1, 4, 7, 10)} | {"r12": s("0612", 6)}
    units = {"a": g("0906", 6), **wall}
    assert "a" not in supplied(situation, play, units)
    assert "a" not in supplied(situation, play, {**units, "b": g("0410", 12)}), "a friendly zone does not help"
    held = {**units, "f": g("0602", 1), "f2": g("0502", 1), "f3": g("0702", 1), "f4": g("0701", 1), "f5": g("0703", 1),
            "f6": g("0603", 1)}  # fmt: skip
    assert "a" in supplied(situation, play, held)


@pytest.mark.case("tijvin-1941", "10")
def test_even_a_single_factor_blocks_a_line_and_lakes_do_too(situation, g, s, play):
    wall = {name: s(h, 1) for name, h in WALL.items()}
    assert "a" not in supplied(situation, play, {"a": g("0906", 6), **wall})
    lakes = {"hexes": dict.fromkeys(WALL.values(), "lake")}
    units = {"a": g("0906", 6), "r": s("1212", 1)}
    assert "a" not in supplied(situation, play, units, field=lakes)
    swamp = {"hexes": dict.fromkeys(WALL.values(), "swamp"), "hexsides": {"0105/0205": ["major-river"]}}
    assert "a" in supplied(situation, play, units, field=swamp)


@pytest.mark.case("tijvin-1941", "10")
def test_supply_lasts_all_turn(situation, g, s, play):
    wall = {name: s(h, 1) for name, h in WALL.items()}
    position = situation(
        turn=3, phase="german-activation", units={"a": g("0906", 6), **wall}, hqs={"I-AK": {"hex": "0906"}}
    )
    assert position.supply("a").supplied, "cut off after the check"
    position = situation(turn=3, phase="german-activation", units={"a": g("0906", 6, supplied=False)})
    assert not position.supply("a"), "relieved after the check"


@pytest.mark.case("tijvin-1941", "10")
def test_headquarters_are_checked_too(situation, g, s, play):
    wall = {name: s(h, 1) for name, h in WALL.items()}
    hqs = {"I-AK": {"hex": "0906"}, "39-AK": {"hex": "0206"}}
    position = play(situation(phase="weather", units={"a": g("0906"), **wall}, hqs=hqs), 1)
    assert position.hq_unsupplied == 1 << position.roster.hq_index["I-AK"]


@pytest.mark.case("tijvin-1941", "10")
def test_efficiency_falls_by_one_but_not_below_one(situation, g, s):
    position = situation(units={"a": g("0101", efficiency=3, supplied=False), "r": s("0505", supplied=False)})
    assert efficiency(position, position.roster.index["a"]) == 2
    assert efficiency(position, position.roster.index["r"]) == 1


@pytest.mark.case("tijvin-1941", "2", "10")
def test_a_pocket_is_supplied_on_turn_one_only(situation, g, s, play):
    units = {"a": g("0906", 6)} | {name: s(h, 1) for name, h in WALL.items()}
    assert "a" in supplied(situation, play, units, turn=1, scenario="what-if")
    assert "a" not in supplied(situation, play, units, turn=2, scenario="what-if")
