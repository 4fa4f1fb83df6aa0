"""The maps of Assault on Stalingrad: the little the rulebook says, and a country that hangs together."""

from __future__ import annotations

import pytest

RIVERS = ("river", "don", "volga")
CITY = {"1204": "north-side", "1305": "centre-side", "1405": "south-side"}
WEST_FRINGE = {"1104", "1105", "1205", "1306", "1406", "1505", "1506"}
EAST_FRINGE = {"1203", "1304", "1404"}


@pytest.fixture(scope="module")
def m(survey):
    return survey("assault", "assault-stalingrad")


@pytest.mark.case("assault-stalingrad", "19.52")
def test_red_edge_runs_from_0120_round_the_corner_to_2301(m):
    red = m.place_hexes("red-edge")
    assert red == {f"01{c:02}" for c in range(1, 21)} | {f"{r:02}01" for r in range(1, 24)}
    for number in red:
        assert -1 in m.grid.neighbours(m.grid.hex(number))


@pytest.mark.case("assault-stalingrad", "19.93")
def test_0120_is_serafimovich_and_can_be_reached_from_entry_area_n(m):
    assert m.where("Serafimovich") == {"0120"}
    assert m.place_hexes("entry-n") <= m.walk("0120", "volga", "lake", "sea")


def test_main_city_hexes_and_their_fringe(m):
    assert m.place_hexes("stalingrad") == set(CITY)
    around = m.numbers(m.grid.ring(m.grid.mask(CITY))) - set(CITY)
    assert {n for n in m.place_hexes("fringe") if n[0].isdigit()} == around == WEST_FRINGE | EAST_FRINGE
    for number, word in CITY.items():
        assert number in m.place_hexes(word)


@pytest.mark.case("assault-stalingrad", "19.31")
def test_three_kinds_of_river_and_the_city_on_the_right_bank(m):
    west = m.walk("1413", "volga")
    assert set(CITY) | WEST_FRINGE | {"1604"} <= west
    assert not EAST_FRINGE & west
    assert m.place_hexes("entry-e") <= m.walk("1404", "volga")
    for kind in RIVERS:
        assert m.with_side(kind)
    for number in EAST_FRINGE:
        assert any("volga" in m.side(f"{number}/{city}") for city in CITY if m.adjacent(number, city))


def test_entry_areas_lie_on_their_edges(m):
    edges = {"entry-w": lambda n: n[2:] == "26", "entry-s": lambda n: n[:2] == "23",
             "entry-n": lambda n: n[:2] == "01", "entry-e": lambda n: n[2:] == "01"}  # fmt: skip
    for word, on_edge in edges.items():
        assert m.place_hexes(word)
        assert all(map(on_edge, m.place_hexes(word)))


@pytest.mark.case("assault-stalingrad", "19.51")
def test_roads_leave_the_map_in_areas_w_and_s(m):
    net = m.along("road", "1305")
    assert net & m.place_hexes("entry-w")
    assert m.along("road", "1405") & m.place_hexes("entry-s")
    assert m.grid.mask(m.with_side("road")) & ~m.map.land == 0


def test_inset(m):
    interior = m.place_hexes("interior")
    assert len(interior) == 36
    parts = [m.place_hexes(word) - set(CITY) for word in CITY.values()]
    assert set.union(*parts) == interior
    assert [len(part) for part in parts] == [12, 12, 12]
    fringe = set()
    for number in WEST_FRINGE | EAST_FRINGE:
        assert m.place_hexes(f"fringe-{number}")
        fringe |= m.place_hexes(f"fringe-{number}")
    assert fringe == m.place_hexes("fringe") - WEST_FRINGE - EAST_FRINGE
    assert m.numbers(m.map.land & m.grid.masks["inset"]) == interior | fringe
    assert m.place_hexes("key-point") <= interior


@pytest.mark.case("assault-stalingrad", "19.34")
def test_the_volga_parts_city_and_east_bank_on_the_inset(m):
    east = set().union(*(m.place_hexes(f"fringe-{n}") for n in EAST_FRINGE))
    for number in east:
        for other in m.grid.neighbours(m.grid.hex(number)):
            if other >= 0 and m.map.land >> other & 1 and m.grid.number(other) not in east:
                assert "volga" in m.side(f"{number}/{m.grid.number(other)}")
    ferries = [p for f in m.named("ferry").values() for x in f for p in x.at.split()]
    assert len(ferries) == 4
    assert all("volga" in m.side(pair) for pair in ferries)


def test_towns(m):
    towns = ("Kletskaya", "Kalach", "Surovikino", "Nizhne-Chirskaya", "Abganerovo", "Krasnoarmeysk", "Dubovka")
    for name in towns:
        (number,) = m.where(name)
        assert "town" in m.places(number)
    assert len(m.place_hexes("town")) == 12


def test_the_don_bends_from_serafimovich_by_kletskaya_to_kalach(m):
    corners = m.river_corners(m.named("don")["Don"])
    for number in ("0120", "0517", "0612", "1010", "1413", "1917"):
        points = {(round(x * 100), round(y * 100)) for x, y in m.grid.corners(m.grid.hex(number))}
        assert corners & points, f"the Don passes {number}"


def test_rivers_are_whole_and_end_somewhere(m):
    assert m.loose_rivers(*RIVERS) <= {"Volga (inset)"}
    assert m.pieces(m.named("volga")["Volga (inset)"]) == 1


def test_railways_are_one_net(m):
    assert m.along("rail", "1405") == m.with_side("rail")


def test_no_land_is_cut_off(m):
    main = m.map.land & m.grid.masks["main"]
    assert m.walk("1413", "lake", "sea", among=main) == m.numbers(main)
