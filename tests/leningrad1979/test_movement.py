"""Chapters 2, 4, 5 and 6: pieces, movement, zones of control, disengagement."""

from fractions import Fraction

import pytest

from leningrad1979.field import GAME, field, german, orders, refused, soviet, where

MOVE = "german-movement"


@pytest.mark.case("leningrad-1979", "2.0", "2.4")
def test_a_hundred_pieces_of_three_kinds():
    kinds = [(u.side, u.type) for u in GAME.units.values()]
    assert kinds.count(("soviet", "infantry")) == 43
    assert kinds.count(("soviet", "armor")) == 8
    assert kinds.count(("soviet", "mechanized")) == 4
    assert kinds.count(("german", "infantry")) == 23
    assert kinds.count(("german", "armor")) == 4
    assert kinds.count(("german", "mechanized")) == 4
    forts = sum(GAME.edition.scenario.forts.values())
    air = max(GAME.edition.scenario.air.values())
    assert len(kinds) + forts + air == 100


@pytest.mark.case("leningrad-1979", "2.1")
def test_pieces_stand_on_hexes_of_the_grid():
    pos = field(MOVE, {"12": "0404"})
    assert refused(pos, "overrun 12 9999") == "2.1"
    assert refused(pos, "move 12 9999") == "4.8"


@pytest.mark.case("leningrad-1979", "2.5", "2.6", "2.8")
def test_faces():
    assert GAME.units["12"].face(2) == (6, 6, 6)
    assert GAME.units["12"].face(1) == (3, 3, 6)
    assert GAME.units["1/41"].face(2) == (10, 10, 8)
    assert GAME.units["42td"].face(1) == (10, 4, 7)
    assert {u.corps for u in GAME.units.values()} == {"", "41", "56", "39"}
    assert GAME.map.file.boards["main"].hex_km == pytest.approx(32.2, abs=0.1)


@pytest.mark.case("leningrad-1979", "2.7", "4.1")
def test_allowance_is_the_limit():
    pos = field(MOVE, {"12": "0104"})
    reach = pos.reach("12")
    assert reach["0704"].cost == 6
    assert reach["0704"].left == 0
    assert "0804" not in reach
    assert refused(pos, "move 12 0804") == "4.1"
    assert "end" in pos.legal, "nobody is forced to move"


@pytest.mark.case("leningrad-1979", "4.0")
def test_one_move_each_hex_by_hex_and_only_ones_own():
    pos = field(MOVE, {"12": "0104", "30": "0106", "x1": soviet("0901")})
    assert refused(pos, "move x1 0902") == "4.0"
    assert refused(pos, "move 12 0204-0404") == "4.0"
    assert refused(pos, "attack 12 0901") == "4.0"
    pos = pos.play("move 12 0204").play("move 30 0206")
    assert refused(pos, "move 12 0304") == "4.0"
    again = pos.play("move 30 0306")
    assert where(again, "30") == "0306", "the group now moving may go on"


@pytest.mark.case("leningrad-1979", "4.1")
def test_points_left_over_are_not_kept():
    pos = field(MOVE, {"12": "0104"}).play("move 12 0204").play("end")
    while pos.phase.id != MOVE:
        pos = pos.play("end")
    assert max(r.cost for r in pos.reach("12").values()) == 6


@pytest.mark.case("leningrad-1979", "2.2", "4.2", "4.9")
@pytest.mark.parametrize(
    ("terrain", "places", "infantry", "armor"),
    [
        ("clear", [], 1, 1), ("swamp", [], 2, 2), ("hill", [], 2, 2), ("woods", [], 1, 1),
        ("clear", ["city"], 1, Fraction(1, 2)), ("clear", ["soviet-city"], 1, Fraction(1, 2)),
        ("clear", ["town"], 1, 1), ("swamp", ["city"], 1, Fraction(1, 2)),
    ],
)  # fmt: skip
def test_terrain_costs(terrain, places, infantry, armor):
    for unit, cost in (("12", infantry), ("1/41", armor)):
        pos = field(MOVE, {unit: "0404"}, hexes={"0405": terrain}, places={"0405": places})
        assert pos.reach(unit)["0405"].cost == cost


@pytest.mark.case("leningrad-1979", "4.2", "4.9")
def test_roads_only_through_road_hexsides():
    road = {"0404/0405": ["road"]}
    swamp = {"0405": "swamp"}
    for unit, cost in (("12", 1), ("36/41", Fraction(1, 2))):
        pos = field(MOVE, {unit: "0404"}, hexes=swamp, hexsides=road)
        assert pos.reach(unit)["0405"].cost == cost
        across = field(MOVE, {unit: "0406"}, hexes=swamp, hexsides=road)
        assert across.reach(unit)["0405"].cost == 2
    long = {f"02{r:02}/02{r + 1:02}": ["road"] for r in range(1, 20)}
    far = field(MOVE, {"1/41": "0201"}, size=(3, 20), hexsides=long)
    assert far.reach("1/41")["0217"].cost == 8, "sixteen road hexes for eight points"


@pytest.mark.case("leningrad-1979", "4.9")
def test_rivers_double_the_terrain():
    around = ("0404", "0505", "0506", "0406", "0306", "0305")
    river = {f"{number}/0405": ["river"] for number in around}
    for terrain, cost in (("clear", 2), ("swamp", 4), ("hill", 4)):
        pos = field(MOVE, {"12": "0404"}, hexes={"0405": terrain}, hexsides=river)
        walk = pos.play("move 12 0405")
        assert walk.events[-1].text == f"12 to 0405, {cost} points"
    city = field(MOVE, {"1/41": "0404"}, hexsides=river, places={"0405": ["city"]})
    assert city.reach("1/41")["0405"].cost == 1


@pytest.mark.case("leningrad-1979", "4.2")
def test_a_road_takes_the_river_with_it_unless_the_option_says_otherwise():
    sides = {"0404/0405": ["river", "road"]}
    assert field(MOVE, {"12": "0404"}, hexsides=sides).reach("12")["0405"].cost == 1
    strict = field(MOVE, {"12": "0404"}, hexsides=sides, options={"river-on-road": False})
    assert strict.reach("12")["0405"].cost == 2


@pytest.mark.case("leningrad-1979", "4.3")
def test_one_hex_always():
    pos = field(MOVE, {"12": "0404"}, hungry="12", hexes={"0405": "swamp"}, hexsides={"0404/0405": ["river"]})
    assert pos.reach("12")["0405"].left == 0, "three points, four needed"
    moved = pos.play("move 12 0405")
    assert refused(moved, "move 12 0406") == "4.1"
    begun = pos.play("move 12 0403")
    assert refused(begun, "move 12 0404-0405") == "4.1", "only from where the phase began"
    zone = field(MOVE, {"x3": german("0404", movement=2), "30": "0404", "x1": soviet("0406"), "x2": soviet("0304")})
    assert refused(zone, "move x3 0405") == "6.4", "the guarantee does not lead from zone to zone"
    assert zone.reach("x3")["0504"].left == 0, "but it covers the price of disengaging"


@pytest.mark.case("leningrad-1979", "4.4")
def test_enemy_hexes_are_closed():
    pos = field(MOVE, {"12": "0404", "x1": soviet("0408")})
    assert refused(pos, "move 12 0408") == "4.4"
    assert refused(pos, "move 12 0405-0406-0407-0408") in ("4.4", "4.7")


@pytest.mark.case("leningrad-1979", "4.5")
def test_stacks():
    units = {"12": "0404", "1/41": "0404", "6/41": "0404", "30": "0304", "32": "0104"}
    pos = field(MOVE, units)
    assert refused(pos, "move 12+32 0404") == "4.5"
    assert max(r.cost for r in pos.reach(["12", "1/41"]).values()) == 6, "the slowest sets the pace"
    assert max(r.cost for r in pos.reach(["6/41", "1/41"]).values()) == 8
    road = field(MOVE, {"12": "0404", "1/41": "0404"}, hexsides={"0404/0405": ["road"]})
    assert road.reach(["12", "1/41"])["0405"].cost == 1
    moved = pos.play("move 1/41+6/41+12 0504").play("move 1/41 0604").play("move 6/41 0503")
    assert (where(moved, "1/41"), where(moved, "6/41"), where(moved, "12")) == ("0604", "0503", "0504")
    assert refused(moved, "move 12+32 0505") == "4.5"


@pytest.mark.case("leningrad-1979", "4.6")
def test_three_units_at_every_instant():
    units = {"12": "0404", "30": "0405", "32": "0405", "61": "0405", "93": "0304"}
    pos = field(MOVE, units)
    assert refused(pos, "move 12 0405") == "4.6"
    assert refused(pos, "move 12 0405-0406") == "4.6"
    pair = field(MOVE, {"12": "0404", "93": "0404", "30": "0405", "32": "0405"})
    assert refused(pair, "move 12+93 0405-0406") == "4.6"
    assert "move 12 0405-0406" in pair.legal


@pytest.mark.case("leningrad-1979", "4.6")
def test_the_enemy_removes_what_stays_over_the_limit():
    start = GAME.start()
    for row, slot in zip(range(13, 20), ("i12", "i13", "i14", "i15", "i16", "i17", "i18"), strict=True):
        start = start.play(f"place {slot} {row}10" if row != 18 else f"place {slot} {row}11")
    assert len(start.stack(start.ground.grid.hex("0112"))) == 8
    start = start.play("end")
    [warning] = start.view("german").table().warnings
    assert warning.startswith("More than 3 units in 0111, 0112, 0113: the enemy destroys 14 of them")
    pos = start.play("end")
    assert not pos.view("german").table().warnings
    assert pos.to_move == "soviet"
    assert refused(pos, "end") == "4.6"
    removed = 0
    while pos.to_move == "soviet" and pos.phase.id == MOVE:
        pos = pos.play(next(iter(pos.legal)))
        removed += 1
    assert removed == 4 + 5 + 5
    assert {len(pos.stack(pos.ground.grid.hex(n))) for n in ("0111", "0112", "0113")} == {3}


@pytest.mark.case("leningrad-1979", "4.7", "5.0")
def test_entering_a_zone_ends_the_move():
    pos = field(MOVE, {"12": "0404", "30": "0406", "x1": soviet("0407")})
    assert where(pos.play("move 12 0306"), "12") == "0306"
    assert refused(pos, "move 12 0408") in ("4.1", "4.7")
    assert refused(pos, "move 12 0405-0306-0307-0308") == "4.7"
    stopped = pos.play("move 12 0307")
    assert refused(stopped, "move 12 0306") == "6.2"
    crowded = field(MOVE, {"12": "0404", "30": "0307", "x1": soviet("0407")})
    assert refused(crowded, "move 12 0305-0306-0307-0207") == "4.7", "a friend there does not lift the zone"


@pytest.mark.case("leningrad-1979", "4.8")
def test_the_map_has_an_edge():
    pos = field(MOVE, {"12": "0101"})
    assert set(pos.reach("12")) <= set(pos.ground.grid.numbers)
    combat = field("german-combat", {"12": "0201", "30": "0201", "x1": soviet("0101", defence=6)},
                   dice=[6])  # fmt: skip
    after = combat.play("attack 12+30 0101").play("retreat x1")
    assert where(after, "x1") == "eliminated"


@pytest.mark.case("leningrad-1979", "4.9", "5.0")
@pytest.mark.parametrize("water", ["sea", "lake"])
def test_all_water_hexsides(water):
    sides = {"0404/0405": [water]}
    pos = field(MOVE, {"12": "0404", "x1": soviet("0405")}, hexsides=sides)
    assert "0404" not in pos.zoc("soviet")
    assert "0405" not in pos.zoc("german")
    assert len(pos.zoc("soviet")) == 5
    assert refused(pos, "overrun 12 0405") == "4.9"
    empty = field(MOVE, {"12": "0404"}, hexsides=sides)
    assert refused(empty, "move 12 0403-0404-0405") == "4.9"
    assert empty.reach("12")["0405"].cost == 2, "round the water, not across it"
    combat = field("german-combat", {"12": "0404", "x1": soviet("0405")}, hexsides=sides)
    assert combat.to_move == "german"
    assert refused(combat, "attack 12 0405") == "4.9"


@pytest.mark.case("leningrad-1979", "5.0")
def test_zones():
    pos = field(MOVE, {"12": "0404", "i1": "0808", "30": {"hex": "0202", "steps": 1}}, forts=["0601"])
    assert pos.zoc("german") >= {"0403", "0504", "0505", "0405", "0305", "0304", "0102", "0203"}
    assert len(pos.zoc("soviet")) == 6, "untried units have zones, forts have none"
    assert "0602" not in pos.zoc("soviet")
    river = field(MOVE, {"12": "0404"}, hexsides={"0404/0405": ["river"]})
    assert "0405" in river.zoc("german")


@pytest.mark.case("leningrad-1979", "6.0", "6.1")
def test_german_armor_disengages_at_any_time_for_two():
    units = {"1/41": "0404", "12": "0404", "x1": soviet("0405")}
    pos = field(MOVE, units)
    assert pos.reach("1/41")["0403"].cost == 3, "two more than the clear hex"
    assert pos.reach("12")["0403"].cost == 4
    way = field(MOVE, {"1/41": "0402", "30": "0404", "x1": soviet("0405")}, size=(12, 9))
    through = way.play("move 1/41 0404").play("move 1/41 0403")
    assert through.active[through.slot("1/41")] == 2 * (8 - 2 - 3)
    twice = field(MOVE, {"1/41": "0404", "12": "0404", "30": "0402", "x1": soviet("0405"), "x2": soviet("0401")})
    done = twice.play("move 1/41 0403").play("move 1/41 0402").play("move 1/41 0303")
    assert where(done, "1/41") == "0303"
    assert done.active[done.slot("1/41")] == 2 * (8 - 3 - 1 - 3)


@pytest.mark.case("leningrad-1979", "6.2")
def test_others_disengage_for_three_and_only_at_the_start():
    tank = field(
        "soviet-movement", {"12": "0405", "x1": soviet("0404", movement=7, kind="armor"), "x2": soviet("0404")}
    )
    assert tank.reach("x1")["0403"].cost == 4
    late = field(MOVE, {"12": "0402", "30": "0404", "x1": soviet("0405")}).play("move 12 0404")
    assert refused(late, "move 12 0403") == "6.2"


@pytest.mark.case("leningrad-1979", "6.0", "6.3", "4.5")
def test_a_friend_must_stay():
    alone = field(MOVE, {"12": "0404", "x1": soviet("0405")})
    assert refused(alone, "move 12 0403") == "6.3"
    three = field(MOVE, {"1/41": "0404", "6/41": "0404", "36/41": "0404", "12": "0302", "x1": soviet("0405")})
    assert refused(three, "move 1/41+6/41+36/41 0403") == "6.0"
    pair = three.play("move 1/41+6/41 0403")
    assert refused(pair, "move 36/41 0303") == "6.3"
    relieved = pair.play("move 12 0404")
    assert where(relieved.play("move 36/41 0303"), "36/41") == "0303", "the example of 6.3"


@pytest.mark.case("leningrad-1979", "6.4")
def test_no_disengaging_into_another_zone():
    pos = field(MOVE, {"x3": german("0404", movement=4), "30": "0404", "32": "0305", "x1": soviet("0405")})
    assert pos.reach("x3")["0403"].left == 0
    assert refused(pos, "move x3 0305") == "6.4", "a friend there does not help"
    assert refused(pos, "move x3 0505") == "6.4"


@pytest.mark.case("leningrad-1979", "5.0")
def test_several_zones_are_no_worse_than_one():
    pos = field(MOVE, {"12": "0404", "30": "0404", "x1": soviet("0405"), "x2": soviet("0505"), "x3": soviet("0305")})
    assert pos.reach("12")["0403"].cost == 4


def test_orders_of_a_unit_are_those_that_name_it():
    pos = field(MOVE, {"12": "0404", "30": "0404"})
    mine = pos.legal.of("12")
    assert mine
    assert all("12" in order.units for order in mine)
    assert {str(o) for o in mine} == {text for text in orders(pos, "move") if "12" in text.split()[1].split("+")}


def test_made_up_units_move_by_their_own_figures():
    pos = field(MOVE, {"x1": german("0104", movement=3)})
    assert max(r.cost for r in pos.reach("x1").values()) == 3


def left(position, unit):
    return position.document()["units"][unit].get("left", "0")


@pytest.mark.case("leningrad-1979", "4.5", "6.1", "6.2")
def test_each_unit_of_a_mixed_stack_pays_its_own_price_to_leave():
    units = {"12": "0404", "1/41": "0404", "30": "0404", "x1": soviet("0405")}
    for order in ("move 12+1/41 0403", "move 12+1/41 0404-0403", "move 12+1/41 0403-0402"):
        after = field(MOVE, units).play(order)
        steps = order.count("0402")
        assert left(after, "12") == str(2 - steps), "one point and three for the infantry"
        assert left(after, "1/41") == str(5 - steps), "one point and two for the panzers"


@pytest.mark.case("leningrad-1979", "13.4", "4.5")
def test_interdiction_of_the_start_doubles_the_first_hex_of_each_unit():
    road = {"0403/0402": ["road"]}
    units = {"x1": soviet("0404"), "x2": soviet("0404", movement=7, kind="armor")}
    pos = field("soviet-movement", units, hexsides=road, interdiction={"0404": 1})
    for order in ("move x1+x2 0402", "move x1+x2 0403-0402"):
        assert left(pos.play(order), "x1") == "2", "twice one, then one by road"
        assert left(pos.play(order), "x2") == "9/2", "twice one, then a half by road"
    assert pos.reach("x1")["0402"].cost == 3
    assert left(pos.play("move x1 0403-0402"), "x1") == "2"


@pytest.mark.case("leningrad-1979", "13.4", "6.2", "6.4", "5.0")
def test_disengaging_from_an_interdicted_hex():
    units = {"x1": soviet("0404", movement=6), "x2": soviet("0404"), "12": "0405"}
    pos = field("soviet-movement", units, hexsides={"0404/0304": ["lake"]}, interdiction={"0404": 1})
    assert pos.reach("x1")["0403"].cost == 5, "twice one, and three to leave the zone"
    assert {number for number, reached in pos.reach("x1").items() if len(reached.path) == 2} == {"0403", "0504"}
    assert refused(pos, "move x1 0305") == "6.4"


@pytest.mark.case("leningrad-1979", "13.4", "4.1", "4.7")
def test_a_hex_too_far_out_of_an_interdicted_hex_is_refused_for_that_and_not_for_zones():
    units = {"x1": soviet("0404"), "12": "1208"}
    pos = field("soviet-movement", units, interdiction={"0404": 1})
    assert refused(pos, "move x1 0904") == "4.1", "six points where five are left"
    assert "first hex" in pos.why_not("move x1 0904").message
    assert pos.reach("x1")["0804"].cost == 5
    barred = field("soviet-movement", units | {"11": "0706", "21": "0703"}, interdiction={"0404": 1})
    assert refused(barred, "move x1 0804") == "4.7"


@pytest.mark.case("leningrad-1979", "7.4", "4.5")
def test_units_that_left_a_stack_one_after_another_are_no_stack():
    units = {"1/41": "0404", "6/41": "0404", "36/41": "0404", "x1": soviet("0406", 4, 1)}
    apart = field(MOVE, units).play("move 1/41+6/41+36/41 0403").play("move 1/41 0404").play("move 6/41 0404")
    met = apart.play("move 1/41 0405").play("move 6/41 0405")
    assert met.why_not("overrun 1/41 0406") is None
    assert refused(met, "overrun 1/41+6/41 0406") == "7.4"
    assert "overrun 1/41 0406" in orders(met)
    assert "overrun 1/41+6/41 0406" not in orders(met)
    together = field(MOVE, units).play("move 1/41+6/41+36/41 0403").play("move 1/41+6/41 0404-0405")
    assert together.why_not("overrun 1/41+6/41 0406") is None


@pytest.mark.case("leningrad-1979", "4.3")
def test_a_way_of_one_hex_may_take_everything_and_a_longer_one_may_not():
    pos = field(MOVE, {"12": "0404"}, hungry="12", hexes={"0403": "swamp"}, hexsides={"0404/0403": ["river"]})
    assert pos.reach("12")["0403"].cost == 3, "all that is left to an unsupplied unit, where four would be the price"
    assert left(pos.play("move 12 0404-0403"), "12") == "0"
    assert refused(pos, "move 12 0403-0402") == "4.1"
    assert refused(pos, "move 12 0405-0404-0403") == "4.1", "only the first hex of a move is free of reckoning"


@pytest.mark.case("leningrad-1979", "15.2", "4.9")
def test_a_fort_is_gone_when_a_march_comes_back_to_it():
    pos = field(MOVE, {"x3": german("0404", movement=4), "x4": german("0404", movement=4, kind="armor")},
                forts=["0403"])  # fmt: skip
    assert left(pos.play("move x3 0403-0402-0403"), "x3") == "0", "two, one and one"
    assert left(pos.play("move x3+x4 0403-0402-0403"), "x4") == "0"
    assert refused(pos, "move x3 0403-0402-0403-0402") == "4.1"


@pytest.mark.case("leningrad-1979", "4.6", "5.0")
def test_the_first_hex_of_the_map_is_a_hex_like_others():
    units = {"11": "0101", "12": "0101", "21": "0101", "30": "0103", "x1": soviet("0301")}
    pos = field(MOVE, units)
    assert refused(pos, "move 30 0101") == "4.6"
    gone = pos.play("move 11 0102").play("move 12 0102")
    assert gone.why_not("move 30 0101") is None
    assert "0201" not in field(MOVE, {"x1": soviet("0101"), "12": "0501"}).play("end").zoc("german")
    alone = field(MOVE, {"12": "0101", "x1": soviet("0801")})
    assert "0102" in alone.zoc("german")
    assert "0102" not in alone.play("move 12 0105").zoc("german")


@pytest.mark.case("leningrad-1979", "6.1", "6.2", "4.5")
def test_each_unit_of_a_mixed_pair_pays_its_own_way_out():
    pos = field(MOVE, {"12": "0303", "1/41": "0303", "11": "0303", "67rd": "0403"}).play("move 12+1/41 0202")
    assert pos.active[pos.slot("1/41")] == 2 * (8 - 1 - 2)
    assert pos.active[pos.slot("12")] == 2 * (6 - 1 - 3)


@pytest.mark.case("leningrad-1979", "4.6", "10.4", "8.4", "10.7")
def test_eliminations_name_their_case():
    pos = field("german-combat", {"x3": german("0404", 40), "x1": soviet("0405")}, dice=[6]).play("attack x3 0405")
    assert [e.case for e in pos.events if e.kind == "eliminated"] == ["10.4"]


@pytest.mark.case("leningrad-1979", "4.0", "4.8")
def test_a_path_may_begin_where_the_unit_stands():
    pos = field(MOVE, {"12": "0303"})
    way = pos.reach("12")["0306"].path
    assert way[0] == "0303"
    there = pos.play(f"move 12 {'-'.join(way)}")
    assert where(there, "12") == "0306"
    assert there == pos.play("move 12 0306")
    assert refused(pos, "move 12 0303") == "4.0"
    assert refused(pos, "move 12 0302-0301-0300") == "4.8"


@pytest.mark.case("leningrad-1979", "4.0", "4.9", "15.2")
def test_a_path_of_one_step_is_that_step_and_no_way_round():
    river = field(MOVE, {"12": "0303"}, hexes={"0403": "swamp"}, hexsides={"0303/0403": ["river"]})
    assert river.play("move 12 0403").document()["units"]["12"]["left"] == "3", "round the river: 1 and 2"
    assert river.play("move 12 0303-0403").document()["units"]["12"]["left"] == "2", "2, doubled by the river"
    lake = field(MOVE, {"12": "0303"}, hexsides={"0303/0403": ["lake"]})
    assert where(lake.play("move 12 0403"), "12") == "0403"
    assert refused(lake, "move 12 0303-0403") == "4.9"
    assert refused(lake, "move 12 0303-0503") == "4.0", "not next to each other"
    fort = field(MOVE, {"12": "0303"}, hexes={"0403": "swamp"}, hexsides={"0303/0403": ["river"]}, forts=["0402"])
    assert fort.play("move 12 0303-0403").document()["forts"] == ["0402"]


@pytest.mark.case("leningrad-1979", "4.1", "7.3")
def test_half_points_are_told_as_people_write_them():
    road = {"0101/0102": ["road"]}
    pos = field(MOVE, {"1/41": "0101", "x1": soviet("0104")}, hexsides=road).play("move 1/41 0102")
    assert pos.why_not("move 1/41 1209").message == "1209 is beyond 7½ points of movement"
    near = field(MOVE, {"1/41": {"hex": "0103", "left": "2.5"}, "x1": soviet("0104")})
    assert near.why_not("overrun 1/41 0104").message == "an overrun takes 3 points from each unit; left: 2½"


@pytest.mark.case("leningrad-1979", "4.1", "4.9", "6.2")
def test_a_hex_out_of_reach_is_refused_by_what_keeps_it_so():
    lake = field(MOVE, {"x3": german("0404", movement=1)}, hexsides={"0404/0405": ["lake"]})
    assert refused(lake, "move x3 0405") == "4.9"
    assert lake.why_not("move x3 0406").message == "0406 is beyond 1 point of movement"
    units = {"12": "0404", "30": "0404", "x1": soviet("0405")}
    assert "move 12 0401" in field(MOVE, units).legal, "one and three, then two more"
    far = field(MOVE, units).why_not("move 12 0101")
    assert (far.case, far.message) == ("4.1", "0101 is beyond 6 points of movement; disengaging costs 3")


@pytest.mark.case("leningrad-1979", "4.6")
def test_nobody_comes_back_to_a_starting_stack_that_is_too_high():
    """On turn 1 a unit that has left a stack of five does not enter it again, by a way of its own or step by step."""
    pos = field(MOVE, dict.fromkeys(("12", "30", "32", "11", "21"), "0404"), turn=1)
    assert refused(pos, "move 12 0405-0404") == "4.6"
    assert refused(pos, "move 12 0405-0404-0403") == "4.6"
    assert refused(pos.play("move 12 0405"), "move 12 0404") == "4.6"
    three = field(MOVE, dict.fromkeys(("12", "30", "32"), "0404"), turn=1)
    assert where(three.play("move 12 0405-0404-0403"), "12") == "0403"
