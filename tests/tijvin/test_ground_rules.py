"""Basic rules, counters, stacking and zones of control (sections 1 to 5)."""

import random

import pytest

from ladoga.games.tijvin.battle import Battle
from ladoga.games.tijvin.strength import efficiency, strengths


def strength(position, target, attackers, **more):
    """Attack and defence of a combat as announced."""
    grid, index = position.ground.grid, position.roster.index
    defenders = position.at(grid.hex(target), "soviet" if position.side == "german" else "german")
    b = Battle(grid.hex(target), attackers=sum(1 << index[u] for u in attackers), defenders=defenders, **more)
    return strengths(position, b)


RIVER = {"hexsides": {"0505/0605": ["minor-river"]}}


@pytest.mark.case("tijvin-1941", "1", "2")
def test_scales(game):
    assert game.map.file.boards["main"].hex_km == 12
    assert game.turns == 15
    assert game.calendar[0].startswith("16-20 October")


@pytest.mark.case("tijvin-1941", "2", "13.IIa")
@pytest.mark.parametrize(("factors", "expected"), [((5, 5), 5), ((13,), 6), ((7,), 3), ((1,), 1), ((3, 4), 3)])
def test_fractions_go_down_once_a_stack_and_never_below_one(situation, g, s, factors, expected):
    units = {f"g{i}": g("0505", n) for i, n in enumerate(factors)}
    position = situation(phase="german-combat", map=RIVER, units={**units, "r": s("0605")})
    assert strength(position, "0605", units)[0] == expected


@pytest.mark.case("tijvin-1941", "2", "10", "13.IIa")
def test_effects_add_up(situation, g, s):
    position = situation(phase="german-combat", map=RIVER, units={"a": g("0505", 12, supplied=False), "r": s("0605")})
    assert strength(position, "0605", ["a"])[0] == 3
    position = situation(phase="german-combat", map=RIVER, units={"a": g("0505", 13, supplied=False), "r": s("0605")})
    assert strength(position, "0605", ["a"])[0] == 3


@pytest.mark.case("tijvin-1941", "2", "11.A")
def test_distance_counts_one_of_the_two_hexes(situation, s, play):
    position = situation(
        phase="soviet-assignment", units={"near": s("0502", hq="4-Army"), "far": s("0602", hq="4-Army")},
        hqs={"4-Army": {"hex": "0202"}},
    )  # fmt: skip
    position = play(position, "end")
    out = position.uncommanded
    assert not out >> position.roster.index["near"] & 1
    assert out >> position.roster.index["far"] & 1


@pytest.mark.case("tijvin-1941", "2", "7.W", "10", "15.1")
def test_turn_one_is_clear_and_everybody_is_supplied(game, g, s):
    position = game.start("historical")
    rng = random.Random(1)
    while position.turn == 1 and position.phase.id != "german-activation":
        assert position.to_move != "chance"
        position = position.play(position.legal.random(rng))
    assert position.weather == "clear"
    assert not position.unsupplied


@pytest.mark.case("tijvin-1941", "3")
def test_mobile_units_are_those_of_seven_and_eight_points(game):
    roster = game.book.roster
    mobile = {unit.type for u, unit in enumerate(roster.units) if roster.mobile >> u & 1}
    assert mobile == {"tank", "motorized", "cavalry"}
    assert all(unit.support in (1, 2) for unit in roster.units if unit.type == "artillery")
    assert all(unit.support == 0 for unit in roster.units if unit.type != "artillery")


@pytest.mark.case("tijvin-1941", "3")
def test_factors_do_not_change_efficiency_or_movement(situation):
    position = situation(units={"227-ID": {"hex": "0505", "cf": 1}})
    u = position.roster.index["227-ID"]
    assert efficiency(position, u) == 2
    assert position.reach("227-ID")["0501"].cost == 4


@pytest.mark.case("tijvin-1941", "3", "4", "11.H")
def test_headquarters_do_not_count_for_stacking(situation, g, refused):
    units = {"a": g("0505", 12), "b": g("0504", 8), "c": g("0506", 9)}
    hqs = {"39-AK": {"hex": "0505"}, "I-AK": {"hex": "0505"}}
    position = situation(units=units, hqs=hqs, active=["b", "c"])
    assert "move b 0505" in position.legal
    assert refused(position, "move c 0505") == "4"


@pytest.mark.case("tijvin-1941", "4")
def test_twenty_factors_are_the_limit_artillery_included(situation, g, refused):
    units = {"a": g("0505", 12), "gun": g("0505", 1, "artillery"), "b": g("0503", 8), "c": g("0507", 7)}
    position = situation(units=units, active=["b", "c"])
    assert refused(position, "move b 0505") == "4"
    assert "move c 0505" in position.legal


@pytest.mark.case("tijvin-1941", "4")
def test_a_full_hex_may_be_passed_through(situation, g):
    units = {"a": g("0505", 20), "b": g("0504", 4)}
    position = situation(units=units, active=["b"])
    assert "move b 0505-0506" in position.legal


@pytest.mark.case("tijvin-1941", "4")
def test_full_stacks_swap_hexes_within_a_segment(situation, g, play, refused, at):
    position = situation(units={"a": g("0505", 12), "b": g("0506", 12)})
    position = play(position, "move a 0506")
    assert refused(position, "end") == "4"
    assert all(str(order).startswith("move b") for order in position.legal)
    position = play(position, "move b 0505")
    assert (at(position, "a"), at(position, "b")) == ("0506", "0505")
    blocked = situation(units={"a": g("0505", 12), "b": g("0506", 12, moved=True)})
    assert refused(blocked, "move a 0506") == "4"


@pytest.mark.case("tijvin-1941", "4")
def test_stacking_counts_the_factors_of_the_sheet(situation, g, refused):
    units = {"a": g("0505", 20, supplied=False), "b": g("0504", 1)}
    position = situation(units=units, active=["b"])
    assert refused(position, "move b 0505") == "4"


@pytest.mark.case("tijvin-1941", "5")
@pytest.mark.parametrize(("factors", "zone"), [((5,), False), ((6,), True), ((3, 3), True), ((4, 1), False)])
def test_six_factors_in_one_hex_make_a_zone(situation, g, s, factors, zone):
    units = {f"r{i}": s("0505", n) for i, n in enumerate(factors)}
    position = situation(units={"a": g("0101"), **units})
    around = {"0504", "0605", "0606", "0506", "0406", "0405"}
    assert position.zoc("soviet") == (around if zone else set())


@pytest.mark.case("tijvin-1941", "5")
def test_artillery_counts_towards_a_zone_and_neighbouring_hexes_do_not(situation, g, s):
    assert situation(units={"a": g("0101"), "r": s("0505", 5), "gun": s("0505", 1, "artillery")}).zoc("soviet")
    assert not situation(units={"a": g("0101"), "r": s("0505", 5), "q": s("0506", 5)}).zoc("soviet")


@pytest.mark.case("tijvin-1941", "5", "10")
def test_units_out_of_supply_have_no_zone(situation, g, s):
    assert not situation(units={"a": g("0101"), "r": s("0505", 16, supplied=False)}).zoc("soviet")


@pytest.mark.case("tijvin-1941", "5", "11.H")
def test_headquarters_have_no_zone(situation, g):
    assert not situation(units={"a": g("0101")}, hqs={"4-Army": {"hex": "0505"}}).zoc("soviet")


@pytest.mark.case("tijvin-1941", "5")
@pytest.mark.parametrize(
    ("sides", "zone"),
    [
        (["major-river"], False),
        (["major-river", "road"], False),
        (["minor-river"], True),
        (["minor-river", "rail"], True),
    ],
)
def test_zones_cross_minor_but_not_major_rivers(situation, g, s, sides, zone):
    position = situation(units={"a": g("0101"), "r": s("0505", 9)}, map={"hexsides": {"0505/0605": sides}})
    assert ("0605" in position.zoc("soviet")) is zone


@pytest.mark.case("tijvin-1941", "5")
def test_zones_do_not_reach_water(situation, g, s):
    position = situation(units={"a": g("0101"), "r": s("0505", 9)}, map={"hexes": {"0605": "lake"}})
    assert "0605" not in position.zoc("soviet")


@pytest.mark.case("tijvin-1941", "5", "7.T")
@pytest.mark.parametrize(
    ("turn", "sides", "zone"), [(6, [], False), (6, ["road"], True), (6, ["rail"], True), (7, [], True)]
)
def test_tanks_have_no_zone_in_pathless_swamp_until_it_freezes(situation, g, s, turn, sides, zone):
    position = situation(
        turn=turn, phase="soviet-movement", units={"pz": g("0505", 7, "tank"), "r": s("0101")},
        map={"hexes": {"0605": "swamp"}, "hexsides": {"0505/0605": sides}},
    )  # fmt: skip
    assert ("0605" in position.zoc("german")) is zone
    assert "0606" in position.zoc("german")


@pytest.mark.case("tijvin-1941", "5")
def test_infantry_beside_the_tanks_reaches_the_swamp_only_with_six_of_its_own(situation, g, s):
    swamp = {"hexes": {"0605": "swamp"}}
    units = {"pz": g("0505", 7, "tank"), "r": s("0101")}
    assert "0605" not in situation(units={**units, "i": g("0505", 5)}, map=swamp).zoc("german")
    assert "0605" in situation(units={**units, "i": g("0505", 6)}, map=swamp).zoc("german")


@pytest.mark.case("tijvin-1941", "5", "12")
def test_entering_a_zone_ends_the_move(situation, g, s, refused):
    position = situation(units={"m": g("0503", 4, "motorized"), "r": s("0505", 6)})
    assert "move m 0504" in position.legal
    assert refused(position, "move m 0504-0604") == "5"
    assert refused(position, "move m 0404-0405-0406") == "5"


@pytest.mark.case("tijvin-1941", "5", "12")
def test_zone_to_zone_is_one_hex_and_the_whole_move(situation, g, s, refused):
    position = situation(units={"m": g("0504", 4, "motorized"), "r": s("0505", 6)})
    assert "move m 0605" in position.legal
    assert "move m 0605" in [str(o) for o in position.legal.of("m")]
    assert refused(position, "move m 0605-0606") == "5"


@pytest.mark.case("tijvin-1941", "2", "5", "7.W", "12")
def test_zone_to_zone_needs_the_points(situation, g, s, refused):
    """Section 12: 3 points in heavy rain do not pay for a river (2) and swamp (2)."""
    field = {"hexes": {"0605": "swamp"}, "hexsides": {"0504/0605": ["minor-river"]}}
    units = {"i": g("0504", 6), "r": s("0505", 6)}
    assert "move i 0504-0605" in situation(units=units, map=field).legal
    position = situation(units=units, map=field, weather="heavy-rain")
    assert refused(position, "move i 0504-0605") == "12"


@pytest.mark.case("tijvin-1941", "5")
def test_friends_do_not_cancel_a_zone_for_movement(situation, g, s, refused):
    position = situation(units={"m": g("0502", 4), "f": g("0504", 12), "r": s("0505", 6)})
    assert "move m 0504" in position.legal
    assert refused(position, "move m 0503-0504-0404") == "5"


@pytest.mark.case("tijvin-1941", "5")
def test_a_zone_may_be_left_and_entered_again(situation, g, s):
    position = situation(units={"m": g("0504", 4, "motorized"), "r": s("0505", 6)})
    assert "move m 0503-0502-0603" in position.legal
    assert "move m 0503-0604-0605" in position.legal


@pytest.mark.case("tijvin-1941", "5")
def test_losses_extinguish_a_zone_at_once(situation, g, s, play):
    position = situation(phase="german-combat", units={"a": g("0504", 6), "r": s("0505", 6)})
    assert position.zoc("soviet")
    position = play(position, "attack a 0505", "commit", 1, 6, 3)
    assert not position.zoc("soviet")
