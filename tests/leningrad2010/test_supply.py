"""Chapter 9: supply."""

from __future__ import annotations

import pytest

from .field import GAME, field, german, left, on_map, panzer, play, refused, shifts, soviet


def line(unit, *, source="0101", roads="", units=None, side="german", **more):
    """A unit and one source of its side; nobody is fed by his own hex."""
    others = units or {}
    far = {"far": soviet("1209") if side == "german" else german("1209")}
    names = " ".join(("x1", *others, "far"))
    places = {source: [f"{side}-supply"], **more.pop("places", {})}
    return field(f"{side}-movement", {"x1": unit, **others, **far}, roads=roads, hungry=names, places=places, **more)


@pytest.mark.case("leningrad-2010", "9.0")
def test_a_unit_on_its_source_or_within_five_points_is_supplied():
    assert line(german("0101")).supply("x1").path == ("0101",)
    assert line(german("0106")).supply("x1")
    far = line(german("0107")).supply("x1")
    assert not far
    assert far.case == "9.0"


@pytest.mark.case("leningrad-2010", "9.0")
def test_the_units_own_hex_does_not_count_the_source_does():
    """Five points: four clear hexes and the source itself. A swamp under the unit is free, a forest there is not."""
    assert line(german("0106"), hexes={"0106": "swamp"}).supply("x1")
    assert not line(german("0106"), hexes={"0101": "forest"}).supply("x1")
    assert line(german("0105"), hexes={"0101": "forest"}).supply("x1")


@pytest.mark.case("leningrad-2010", "9.0")
def test_a_road_to_the_source_has_any_length():
    road = "0101 0102 0103 0104 0105 0106 0107 0108 0109"
    trace = line(german("0609"), roads=road).supply("x1")
    assert trace, "five clear hexes to 0109, then the road"
    assert trace.path[-1] == trace.source == "0101"
    assert not line(german("0709"), roads=road).supply("x1")


@pytest.mark.case("leningrad-2010", "9.0")
def test_cities_at_the_armor_rate_loose_roads_at_the_units_own():
    cities = {"0106": ["city"], "0105": ["city"]}
    assert line(german("0107"), places=cities).supply("x1"), "½ + ½ + 4"
    loose = "0110 0109 0108 0107 0106 0105 0104"
    assert line(panzer("0108"), roads=loose, size=(12, 10)).supply("x1"), "four road hexes at ½ and three clear"
    assert not line(german("0107"), roads=loose, size=(12, 10)).supply("x1"), "infantry pays 1 on such a road"
    assert not line(panzer("0109"), roads=loose, size=(12, 10)).supply("x1")


@pytest.mark.case("leningrad-2010", "9.0")
def test_a_city_is_no_dearer_for_the_road_that_leads_into_it():
    """The armor rate holds through cities: half a point for the two on the loose road, four for the clear hexes."""
    cities = {"0106": ["city"], "0105": ["city"]}
    trace = line(german("0107"), places=cities, roads="0107 0106 0105").supply("x1")
    assert trace.path == ("0107", "0106", "0105", "0104", "0103", "0102", "0101")
    assert not line(german("0108"), places=cities, roads="0108 0107 0106 0105").supply("x1"), "1 + ½ + ½ + 4"


@pytest.mark.case("leningrad-2010", "9.0")
def test_terrain_of_the_line_is_paid_by_the_units_own_rate():
    assert line(german("0105"), hexes={"0103": "swamp"}).supply("x1")
    assert not line(panzer("0105"), hexes={f"{c:02}03": "swamp" for c in range(1, 13)} | {"0202": "swamp"}).supply("x1")
    river = {f"{a}/{b}": ["river"] for a, b in (("0102", "0103"), ("0202", "0103"), ("0102", "0202"), ("0201", "0202"))}
    assert line(german("0105"), sides=river).supply("x1")


@pytest.mark.case("leningrad-2010", "9.0")
def test_a_line_does_not_leave_the_road_it_has_joined():
    """Two roads with a gap of one hex: from the far one the gap and every hex of the way are paid for."""
    roads = "0101 0102 0103"
    far_road = {"0105/0106": ["road"], "0106/0107": ["road"], "0107/0108": ["road"], "0108/0109": ["road"]}
    near = line(german("0108"), roads=roads, sides=far_road)
    assert near.supply("x1").path == ("0108", "0107", "0106", "0105", "0104", "0103", "0102", "0101")
    assert not line(german("0109"), roads=roads, sides=far_road).supply("x1"), "no hop from road to road for nothing"
    whole = far_road | {"0103/0104": ["road"], "0104/0105": ["road"]}
    assert line(german("0109"), roads=roads, sides=whole).supply("x1")


@pytest.mark.case("leningrad-2010", "9.0", "9.1")
def test_supply_for_movement_is_judged_when_the_unit_starts():
    road = "0101 0102 0103 0104 0105 0106 0107 0108 0109"
    position = line(german("0106"), roads=road).play("move x1 0108")
    assert left(position, "x1") == 4
    leaving = line(german("0105")).play("move x1 0108")
    assert left(leaving, "x1") == 3, "out of reach now, but six points were granted"
    entering = line(german("0107")).play("move x1 0106")
    assert left(entering, "x1") == 2, "in supply now, but three points were granted"


@pytest.mark.case("leningrad-2010", "9.1")
@pytest.mark.parametrize(("allowance", "halved"), [(5, 2), (6, 3), (7, 3), (8, 4)])
def test_half_the_allowance_rounded_down(allowance, halved):
    position = line(german("0909", 6, allowance)).play("move x1 0908")
    assert left(position, "x1") == halved - 1


@pytest.mark.case("leningrad-2010", "9.2")
def test_unsupplied_units_shift_two_columns():
    """x1 and x2 strike from opposite sides; six points round the enemy's zone are too many to share a source."""
    units = {"x1": german("0504", 12), "x2": german("0506", 12), "e1": soviet("0505"), "e2": soviet("0505")}
    order = "attack x1+x2 0505"
    assert shifts(field("german-combat", units), order) == {}
    assert shifts(field("german-combat", units, hungry="x1"), order) == {"9.2": -2}
    assert shifts(field("german-combat", units, hungry="x1 x2"), order) == {"9.2": -2}, "once"
    assert shifts(field("german-combat", units, hungry="e1 e2"), order) == {"9.2": 2}
    both = field("german-combat", units, hungry="x1 e1 e2").explain(order)
    assert [m.amount for m in both.modifiers if m.case == "9.2"] == [-2, 2]
    assert both.net == 0, "they cancel out"


@pytest.mark.case("leningrad-2010", "9.0", "9.2")
def test_supply_for_combat_is_judged_when_columns_are_shifted():
    """A unit that moves out of reach of its source had all its points, and attacks unsupplied."""
    enemy = {"e1": soviet("0109")}
    position = line(german("0105", 12), units=enemy, places={"0109": ["soviet-supply"]})
    assert position.supply("x1")
    position = play(position, "move x1 0108", "end")
    assert shifts(position, "attack x1 0109") == {"9.2": -2}
    assert shifts(position, "attack x1 0109 air 1") == {"9.2": -2, "11.1": 1}


@pytest.mark.case("leningrad-2010", "9.3")
def test_enemies_and_their_zones_cut_the_line_unless_a_friend_stands_there():
    road = "0101 0102 0103 0104 0105 0106 0107 0108 0109"
    enemy = {"e1": soviet("0205")}
    cut = line(german("0109"), roads=road, units=enemy)
    trace = cut.supply("x1")
    assert not trace
    assert trace.case == "9.3"
    assert trace.cut in ("0105", "0106")
    guarded = line(german("0109"), roads=road, units=enemy | {"x2": german("0105"), "x3": german("0106")})
    assert guarded.supply("x1")
    half = line(german("0109"), roads=road, units=enemy | {"x2": german("0105")})
    assert not half.supply("x1")
    occupied = line(german("0109"), roads=road, units={"e1": soviet("0101")}).supply("x1")
    assert not occupied, "a source an enemy holds gives nothing"


@pytest.mark.case("leningrad-2010", "9.4")
def test_one_source_feeds_any_number():
    units = {f"y{n}": german(f"{2 + n % 5:02}{1 + n // 5:02}") for n in range(20)}
    position = line(german("0102"), units=units)
    assert all(position.supply(name) for name in ("x1", *(u for u in units if int(units[u]["hex"][:2]) <= 5)))


@pytest.mark.case("leningrad-2010", "9.5")
def test_sources():
    grid = GAME.map.grid
    places = {n: GAME.map.places_of(grid.hex(n)) for n in grid.numbers}
    assert {n for n, words in places.items() if "german-supply" in words} == {f"00{r:02}" for r in range(7, 14)}
    assert {n for n, words in places.items() if "soviet-supply" in words} == {
        "2505", "2604", "2605", "2705", "1601", "0908", "2906", "2911"
    }  # fmt: skip
    position = on_map("german-movement", {"1": "0112", "i1": "2313", "i2": "2911"})
    assert position.supply("1")
    assert position.supply("i2").path == ("2911",)
    assert position.supply("i1").path != ("2313",), "an entry, not a source"
    captured = field("german-movement", {"x1": german("0505"), "x2": soviet("1209")}, hungry="x1",
                     places={"0505": ["soviet-supply"]})  # fmt: skip
    assert not captured.supply("x1"), "a Soviet source feeds no German"


@pytest.mark.case("leningrad-2010", "9.5", "9.0")
def test_both_roads_to_leningrad_feed_a_german_drive():
    for at in ("2308", "1809", "1113", "0908"):
        trace = on_map("german-movement", {"1/41": at}).supply("1/41")
        assert trace, at
        assert trace.source[:2] == "00"


@pytest.mark.case("leningrad-2010", "9.6", "13.2")
def test_empty_forts_double_german_lines():
    assert line(german("0105")).supply("x1")
    wall = [f"{c:02}03" for c in range(1, 13)]
    assert line(german("0105"), forts=wall).supply("x1"), "1 + 2 + 1 + 1"
    assert not line(german("0106"), forts=wall).supply("x1"), "1 + 1 + 2 + 1 + 1"
    assert line(german("0106")).supply("x1")
    swamps = dict.fromkeys(wall, "swamp")
    assert not line(german("0105"), forts=wall, hexes=swamps).supply("x1"), "1 + 4 + 1 + 1: doubled, not two more"
    soviets = line(soviet("0106"), side="soviet", forts=wall)
    assert soviets.supply("x1"), "forts do not hinder their owner"


@pytest.mark.case("leningrad-2010", "9.6", "11.3")
def test_interdiction_doubles_soviet_lines():
    corridor = {f"02{row:02}": "lake" for row in range(1, 10)}
    for at, air, supplied in (("0106", 0, True), ("0106", 1, False), ("0105", 1, True), ("0105", 2, False)):
        interdiction = {"0103": air} if air else {}
        position = line(soviet(at), side="soviet", turn=7, hexes=corridor, interdiction=interdiction)
        assert bool(position.supply("x1")) == supplied, (at, air)
    germans = line(german("0106"), turn=7, hexes=corridor, interdiction={"0103": 2})
    assert germans.supply("x1")


@pytest.mark.case("leningrad-2010", "9.1")
def test_an_unsupplied_unit_is_refused_by_points():
    assert refused(line(german("0909")), "move x1 0905") == "4.1"
