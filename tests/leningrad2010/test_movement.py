"""Chapters 4 to 6: movement, stacking, zones of control, disengagement; and the terrain table."""

from __future__ import annotations

from fractions import Fraction

import pytest

from .field import GAME, cost, field, german, left, on_map, orders, panzer, play, refused, soviet, tank, where

HALF = Fraction(1, 2)
FAR = {"far": soviet("1209")}
"""A Soviet unit that plays no part."""


def entering(terrain: str, kind: dict, **more):
    return field("german-movement", {"x1": kind, **FAR}, hexes={"0505": terrain}, **more)


# The terrain table (2.2) ----------------------------------------------------------------------------


@pytest.mark.case("leningrad-2010", "2.2", "4.2")
@pytest.mark.parametrize(
    ("terrain", "infantry", "armor"), [("clear", 1, 1), ("forest", 2, 2), ("swamp", 2, 3), ("hill", 2, 2)]
)
def test_terrain_costs(terrain, infantry, armor):
    assert cost(entering(terrain, german("0504")), "x1", "0505") == infantry
    assert cost(entering(terrain, panzer("0504")), "x1", "0505") == armor
    assert cost(entering(terrain, german("0504", 8, 8, "mechanized")), "x1", "0505") == armor


@pytest.mark.case("leningrad-2010", "2.2")
@pytest.mark.parametrize("place", ["city", "soviet-city"])
def test_cities_cost_armor_a_half_and_infantry_one(place):
    for terrain in ("clear", "swamp"):
        assert cost(entering(terrain, german("0504"), places={"0505": [place]}), "x1", "0505") == 1
        assert cost(entering(terrain, panzer("0504"), places={"0505": [place]}), "x1", "0505") == HALF


@pytest.mark.case("leningrad-2010", "2.2")
def test_a_town_has_no_effect():
    assert cost(entering("forest", german("0504"), places={"0505": ["town"]}), "x1", "0505") == 2
    assert cost(entering("clear", panzer("0504"), places={"0505": ["town"]}), "x1", "0505") == 1


@pytest.mark.case("leningrad-2010", "2.2")
@pytest.mark.parametrize(("terrain", "points"), [("clear", 2), ("forest", 3), ("swamp", 3), ("hill", 3)])
def test_a_river_takes_one_point_more(terrain, points):
    river = {"0504/0505": ["river"]}
    assert cost(entering(terrain, german("0504"), sides=river), "x1", "0505") == points


@pytest.mark.case("leningrad-2010", "4.2")
def test_through_a_road_hexside_only_the_road_is_paid():
    road = {"roads": "0504 0505"}
    assert cost(entering("swamp", panzer("0504"), **road), "x1", "0505") == HALF
    assert cost(entering("swamp", german("0504"), **road), "x1", "0505") == 1
    bridge = {"sides": {"0504/0505": ["river", "road"]}}
    assert cost(entering("swamp", panzer("0504"), **bridge), "x1", "0505") == HALF
    strict = entering("swamp", panzer("0504"), **bridge, options={"river-on-road": False})
    assert cost(strict, "x1", "0505") == Fraction(3, 2)


@pytest.mark.case("leningrad-2010", "4.2")
def test_a_road_entered_across_country_helps_nothing():
    assert cost(entering("swamp", panzer("0504"), roads="0505 0506"), "x1", "0505") == 3


@pytest.mark.case("leningrad-2010", "2.2", "4.4", "13.2")
def test_an_empty_fort_takes_two_points_more_from_germans():
    assert cost(entering("clear", german("0504"), forts=["0505"]), "x1", "0505") == 3
    assert cost(entering("forest", german("0504"), forts=["0505"]), "x1", "0505") == 4
    assert cost(entering("clear", panzer("0504"), forts=["0505"], roads="0504 0505"), "x1", "0505") == Fraction(5, 2)
    units = {"x1": soviet("0504"), "x2": german("0101")}
    assert cost(field("soviet-movement", units, forts=["0505"]), "x1", "0505") == 1


@pytest.mark.case("leningrad-2010", "2.2", "5.0")
@pytest.mark.parametrize("water", ["sea", "lake"])
def test_all_water_hexsides_bar_everything(water):
    side = {"0504/0505": [water]}
    position = field("german-movement", {"x1": german("0504"), "x2": soviet("0506")}, sides=side)
    assert refused(position, "move x1 0505-0605") == "2.2"
    facing = field("german-combat", {"x1": german("0504"), "x2": soviet("0505")}, sides=side)
    assert refused(facing, "attack x1 0505") == "2.2"
    assert "0505" not in facing.zoc("german")
    assert "0504" not in facing.zoc("soviet")
    alone = field("german-movement", {"x1": german("0504"), **FAR}, hexes={"0505": water})
    assert refused(alone, "move x1 0505") == "2.2"


# 4.x ------------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-2010", "4.0")
def test_units_go_from_hex_to_neighbouring_hex():
    position = field("german-movement", {"x1": german("0504"), **FAR})
    assert refused(position, "move x1 0506-0507") == "4.0"
    assert where(position.play("move x1 0505-0506-0606"), "x1") == "0606"
    back = position.play("move x1 0505-0504-0505")
    assert left(back, "x1") == 3, "going back is paid for too"


@pytest.mark.case("leningrad-2010", "4.0")
def test_a_unit_moves_once():
    position = field("german-movement", {"x1": german("0504"), "x2": german("0704"), **FAR})
    position = play(position, "move x1 0505", "move x1 0506", "move x2 0705")
    assert refused(position, "move x1 0507") == "4.0"


@pytest.mark.case("leningrad-2010", "4.1")
def test_no_unit_exceeds_its_allowance():
    units = {"x1": soviet("0101"), "x2": german("1209")}
    position = field("soviet-movement", units)
    assert "0106" in position.reach("x1")
    assert refused(position, "move x1 0107") == "4.1"
    assert refused(position, "move x1 0102-0103-0104-0105-0106-0107") == "4.1"


@pytest.mark.case("leningrad-2010", "4.1")
def test_nobody_has_to_move():
    assert "end" in field("german-movement", {"x1": german("0101"), **FAR}).legal


@pytest.mark.case("leningrad-2010", "4.3")
def test_one_hex_can_always_be_entered():
    """Two points are left to unsupplied Soviet infantry; forest across a river takes three."""
    position = field("soviet-movement", {"x1": soviet("0504"), "x2": german("0101")}, hungry="x1",
                     hexes={"0505": "forest"}, sides={"0504/0505": ["river"]})  # fmt: skip
    assert cost(position, "x1", "0505") == 2
    assert left(position.play("move x1 0505"), "x1") == 0
    assert "0506" not in position.reach("x1")
    assert refused(position.play("move x1 0503"), "move x1 0502-0501") == "4.1"


@pytest.mark.case("leningrad-2010", "4.3", "6.4")
def test_the_guarantee_ends_between_two_enemy_zones():
    units = {"x1": soviet("0504"), "x2": soviet("0504"), "x3": german("0604")}
    position = field("soviet-movement", units, hungry="x1 x2")
    assert refused(position, "move x1 0603") == "6.4"
    assert refused(position, "move x1 0505") == "6.4"
    lone = field("soviet-movement", {"x1": soviet("0504"), "x2": soviet("0504"), "x3": german("0503")}, hungry="x1 x2")
    assert cost(lone, "x1", "0505") == 2, "disengaging may use it too: all points, one hex"


@pytest.mark.case("leningrad-2010", "4.4")
def test_enemy_units_bar_the_way():
    position = field("german-movement", {"x1": german("0504"), "x2": soviet("0506")})
    assert refused(position, "move x1 0506") == "4.4"
    assert refused(position, "move x1 0505-0506") == "4.4"


@pytest.mark.case("leningrad-2010", "4.5")
def test_stacks_of_three_from_one_hex():
    units = {f"x{n}": german("0504") for n in range(1, 4)} | {"x4": german("0503"), **FAR}
    position = field("german-movement", units)
    moved = position.play("move x1+x2+x3 0507")
    assert {where(moved, f"x{n}") for n in (1, 2, 3)} == {"0507"}
    assert refused(position, "move x1+x4 0506") == "4.5"
    assert refused(position, "move x1+x2+x3+x4 0506") == "4.5"
    passing = position.play("move x4 0504")
    assert refused(passing, "move x4+x1 0506") == "4.5", "nobody joins on the way"


@pytest.mark.case("leningrad-2010", "4.5")
def test_units_leave_a_stack_on_the_way():
    units = {"x1": german("0504"), "x2": german("0504"), **FAR}
    position = play(field("german-movement", units), "move x1+x2 0506", "move x1 0508")
    assert (left(position, "x1"), left(position, "x2")) == (2, 4)
    assert where(play(position, "move x2 0606"), "x2") == "0606"


@pytest.mark.case("leningrad-2010", "4.5")
def test_the_slowest_sets_the_pace_and_each_pays_its_own_costs():
    units = {"x1": german("0504"), "x2": panzer("0504"), **FAR}
    into_swamp = field("german-movement", units, hexes={"0505": "swamp"}).play("move x1+x2 0505")
    assert (left(into_swamp, "x1"), left(into_swamp, "x2")) == (4, 5)
    road = "0101 0102 0103 0104 0105 0106 0107 0108 0109"
    units = {"x1": german("0101"), "x2": panzer("0101"), **FAR}
    along = field("german-movement", units, roads=road)
    assert refused(along, "move x1+x2 0108") == "4.1", "seven road hexes are too many for infantry"
    along = along.play("move x1+x2 0107")
    assert (left(along, "x1"), left(along, "x2")) == (0, 5)
    assert where(along.play("move x2 0109"), "x2") == "0109"


@pytest.mark.case("leningrad-2010", "4.5")
def test_a_mixed_stack_goes_where_all_its_units_can_pay():
    """Three swamps take six points from infantry, which has them, and nine from armor, which has eight."""
    units = {"x1": german("0504"), "x2": panzer("0504"), **FAR}
    bog = {f"{c:02}{r:02}": "swamp" for c in range(1, 13) for r in range(1, 10)}
    position = field("german-movement", units, hexes=bog)
    assert "0507" in position.reach("x1")
    assert "0506" in position.reach("x2")
    assert "0507" not in position.reach("x2")
    assert "0506" in position.reach(["x1", "x2"])
    assert refused(position, "move x1+x2 0507") == "4.5"
    assert refused(position, "move x1+x2 0505-0506-0507") == "4.5"
    two = position.play("move x1+x2 0505-0506")
    assert (left(two, "x1"), left(two, "x2")) == (2, 2)


@pytest.mark.case("leningrad-2010", "4.6")
def test_transit_may_exceed_three_units():
    units = {f"x{n}": german("0504") for n in range(1, 4)} | {f"y{n}": german("0506") for n in range(1, 4)} | FAR
    position = field("german-movement", units)
    assert where(position.play("move x1+x2+x3 0505-0506-0507"), "x1") == "0507"
    there = position.play("move x1 0506")
    assert there.play("move x1 0507").play("end").to_move == "german"


@pytest.mark.case("leningrad-2010", "4.6")
def test_the_enemy_removes_what_is_over_three_when_the_phase_ends():
    units = {f"x{n}": german("0504") for n in range(1, 4)} | {f"y{n}": german("0506") for n in range(1, 4)} | FAR
    position = play(field("german-movement", units), "move x1+x2 0506", "end")
    assert position.to_move == "soviet"
    assert orders(position, "remove") == {f"remove {u}" for u in ("x1", "x2", "y1", "y2", "y3")}
    assert refused(position, "remove x3") == "4.6"
    assert refused(position, "end") == "4.6"
    position = play(position, "remove y1", "remove x1")
    assert position.to_move == "german"
    assert {u for u in units if where(position, u) == "0506"} == {"x2", "y2", "y3"}
    ledger = {(e.label, e.points) for e in position.standing.ledger}
    assert ledger == {("x1 eliminated", 3), ("y1 eliminated", 3)}


@pytest.mark.case("leningrad-2010", "4.6", "8.47")
def test_no_retreat_ends_with_four_units_in_a_hex():
    units = {"x1": german("0505", 12), "x2": soviet("0506"), **{f"y{n}": soviet("0507") for n in (1, 2, 3)}}
    position = field("german-combat", units).play("attack x1 0506").play("die 1")
    assert position.fight.result == ("1", "1")
    assert not any(o.endswith("0507") for o in orders(position, "retreat"))
    assert refused(position, "retreat x2 0507") == "8.47"


@pytest.mark.case("leningrad-2010", "4.7")
def test_entering_an_enemy_zone_ends_the_move():
    units = {"x1": german("0503"), "x2": soviet("0506"), "x3": german("0505")}
    position = field("german-movement", units)
    stopped = position.play("move x1 0504-0505")
    assert left(stopped, "x1") == 4
    assert refused(stopped, "move x1 0504") == "6.2", "with a friend there: no disengaging from a hex entered now"
    assert refused(position, "move x1 0504-0505-0605") == "4.7", "the friend in the hex does not lift the zone"
    assert "0507" not in position.reach("x1")


@pytest.mark.case("leningrad-2010", "4.7", "6.0")
def test_a_lone_unit_does_not_walk_out_of_a_zone():
    position = field("german-movement", {"x1": german("0505"), "x2": soviet("0506")})
    assert refused(position, "move x1 0504") == "6.3"
    assert orders(position, "move") == set()
    assert orders(position, "overrun") == {"overrun x1 0506", "overrun x1 0506 air 1"}


@pytest.mark.case("leningrad-2010", "4.8", "8.47")
def test_the_edge_of_the_map_is_no_way_out():
    position = field("german-movement", {"x1": german("0101"), **FAR})
    assert refused(position, "move x1 0100") == "4.8"
    units = {"x1": german("0201", 12), "x2": soviet("0101"), "x3": german("0102", 12)}
    cornered = field("german-combat", units).play("attack x1+x3 0101").play("die 1")
    assert cornered.agenda[0].at == "defend"
    assert orders(cornered, "retreat") == {"retreat x2"}
    assert where(cornered.play("retreat x2"), "x2") == "eliminated"


# 5.0 ------------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-2010", "5.0")
def test_six_adjacent_hexes_revealed_or_not():
    for unit in ("i1", "x1"):
        entry = "0505" if unit == "i1" else soviet("0505")
        position = field("german-movement", {unit: entry, "x9": german("0101")},
                         hexes={"0504": "swamp"}, sides={"0505/0506": ["river"]})  # fmt: skip
        assert position.zoc("soviet") == {"0504", "0506", "0404", "0405", "0604", "0605"}


@pytest.mark.case("leningrad-2010", "5.0")
def test_zones_are_mutual():
    position = field("german-movement", {"x1": german("0505"), "x2": soviet("0605")})
    assert "0605" in position.zoc("german")
    assert "0505" in position.zoc("soviet")


@pytest.mark.case("leningrad-2010", "5.0", "6.0")
def test_several_zones_are_no_worse_than_one():
    one = {"x1": german("0505"), "x2": german("0505"), "x3": soviet("0506")}
    two = one | {"x4": soviet("0605"), "x5": soviet("0405")}
    assert cost(field("german-movement", one), "x1", "0504") == 4
    assert "0504" not in field("german-movement", two).zoc("soviet")
    assert cost(field("german-movement", two), "x1", "0504") == 4


# 6.x ------------------------------------------------------------------------------------------------


def facing(*kinds, side="german", **more):
    """Some units in 0505, an enemy in 0506."""
    enemy = {"e1": soviet("0506") if side == "german" else german("0506")}
    return field(f"{side}-movement", {f"x{n}": kind for n, kind in enumerate(kinds, 1)} | enemy, **more)


@pytest.mark.case("leningrad-2010", "6.0", "6.1", "6.2")
def test_disengagement_costs():
    assert cost(facing(german("0505"), german("0505")), "x1", "0504") == 4
    assert cost(facing(panzer("0505"), german("0505")), "x1", "0504") == 3
    assert cost(facing(german("0505", 8, 8, "mechanized"), german("0505")), "x1", "0504") == 3
    assert cost(facing(soviet("0505"), soviet("0505"), side="soviet"), "x1", "0504") == 4
    assert cost(facing(tank("0505"), soviet("0505"), side="soviet"), "x1", "0504") == 4
    assert cost(facing(panzer("0505"), german("0505"), roads="0505 0504"), "x1", "0504") == Fraction(5, 2)
    mixed = facing(panzer("0505"), german("0505"), german("0505")).play("move x1+x2 0504")
    assert (left(mixed, "x1"), left(mixed, "x2")) == (5, 2), "each pays its own way out"


@pytest.mark.case("leningrad-2010", "6.0", "6.3", "4.5")
def test_one_or_two_disengage_while_a_friend_stays():
    three = facing(german("0505"), german("0505"), german("0505"))
    assert "move x1+x2 0504" in three.legal
    assert refused(three, "move x1+x2+x3 0504") == "6.0"
    two = facing(german("0505"), german("0505"))
    assert refused(two, "move x1+x2 0504") == "6.3"
    assert refused(two.play("move x1 0504"), "move x2 0504") == "6.3"


@pytest.mark.case("leningrad-2010", "6.1")
def test_german_armor_disengages_at_any_moment_of_its_move():
    units = {"x1": panzer("0504"), "x2": german("0505"), "e1": soviet("0506")}
    position = field("german-movement", units)
    assert cost(position.play("move x1 0505"), "x1", "0404") == 3
    assert left(position.play("move x1 0505-0504"), "x1") == 4
    infantry = field("german-movement", units | {"x1": german("0504", 6, 8)})
    assert refused(infantry.play("move x1 0505"), "move x1 0404") == "6.2"


@pytest.mark.case("leningrad-2010", "6.2")
def test_others_disengage_only_where_they_began():
    units = {"x1": tank("0504"), "x2": soviet("0505"), "e1": german("0506")}
    assert refused(field("soviet-movement", units).play("move x1 0505"), "move x1 0404") == "6.2"


@pytest.mark.case("leningrad-2010", "6.3")
def test_a_fresh_unit_relieves_the_last():
    position = facing(german("0505"), german("0505"), german("0505"), german("0503"))
    position = play(position, "move x1+x2 0504")
    assert refused(position, "move x3 0504") == "6.3"
    position = play(position, "move x4 0504-0505")
    assert cost(position, "x3", "0504") == 4


@pytest.mark.case("leningrad-2010", "6.4")
def test_never_straight_into_another_enemy_zone():
    position = facing(german("0505", 6, 4), german("0505"), german("0605"))
    assert refused(position, "move x1 0605") == "6.4", "a friend there does not help"
    assert refused(position, "move x1 0405") == "6.4"
    assert "0604" in position.reach("x1")
    stronger = facing(german("0505"), german("0505"), german("0605"))
    assert stronger.reach("x1")["0605"].path == ("0505", "0604", "0605"), "round about it is allowed"


@pytest.mark.case("leningrad-2010", "4.2", "9.0")
def test_the_real_map_charges_by_the_table():
    """Tauroggen to Siauliai by road: armor at half a point a hex, and across country into the forest of 0312."""
    position = on_map("german-movement", {"1/41": "0210", "1": "0211"})
    assert cost(position, "1/41", "0510") == Fraction(3, 2)
    assert GAME.map.terrain_of(GAME.map.grid.hex("0312")) == "forest"
    assert cost(position, "1", "0312") == 2


@pytest.mark.case("leningrad-2010", "4.5", "2.2")
@pytest.mark.parametrize("bog", ["0403", "0304"])
def test_a_mixed_stack_finds_the_way_that_all_can_pay(bog):
    """Two ways cost the infantry three points; through the swamp the armor needs four, through the forest three."""
    units = {"x1": german("0303", left=3), "x2": panzer("0303", left=3), **FAR}
    position = field("german-movement", units, hexes={"0403": "forest", "0304": "forest", bog: "swamp"})
    reached = position.reach(["x1", "x2"])["0404"]
    assert reached.cost == 3
    assert bog not in reached.path
    assert "move x1+x2 0404" in {str(order) for order in position.legal}
    there = position.play("move x1+x2 0404")
    assert (left(there, "x1"), left(there, "x2")) == (0, 0)
    assert refused(position, f"move x1+x2 {bog}-0404") == "4.5"


@pytest.mark.case("leningrad-2010", "4.5", "4.7", "9.1")
def test_a_mixed_stack_is_refused_for_its_starving_armor_where_that_could_not_pay_without_zones_either():
    """Two swamps lead to the source: four points on foot, six for tanks, which are out of supply and have three."""
    swamps = {f"{column:02}{row:02}": "swamp" for column in (3, 4) for row in range(1, 10)}
    units = {"x1": soviet("0505"), "x2": tank("0505"), "e1": german("0703"), "e2": german("0805")}
    source = {"0305": ["soviet-supply"]}
    position = field("soviet-movement", units, hexes=swamps, places=source, hungry="x1 x2")
    assert refused(position, "move x1 0904") == "4.7"
    assert position.why_not("move x1+x2 0904") == ("4.5", "the armored units of the stack cannot pay the way to 0904")
