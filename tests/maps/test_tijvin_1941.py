"""The map of Tijvin 1941: what the text says about cities, rivers, railways, roads and the front."""

from __future__ import annotations

import itertools

import pytest

hexes = str.split  # hex numbers from a line of them

GERMAN_START = hexes("0204 0306 0509 0611 0612 0511 0613 0309 0514 0317")
SOVIET_START = hexes("0304 0303 0406 0506 0507 0608 0809 0810 0711 0713 0417 0516 0517")
RIVERS = ("major-river", "minor-river")


@pytest.fixture(scope="module")
def m(survey):
    return survey("tijvin", "tijvin-1941")


def road(m, name, kind="road"):
    (feature,) = m.named(kind)[name]
    return feature.through.split()


@pytest.mark.case("tijvin-1941", "14")
def test_cities(m):
    assert m.place_hexes("major-city") == set().union(
        *(m.where(n) for n in ("Sinyavino", "Novgorod", "Volkhov", "Tikhvin"))
    )
    minor = {"Lyuban", "Chudovo", "Kirishi", "Gruzino", "Budogoshch", "Lipnaya Gora"}
    minor |= {"Malaya Vishera", "Nebolchi"}
    assert m.place_hexes("minor-city") == set().union(*map(m.where, minor))
    assert not m.place_hexes("minor-city") & m.place_hexes("major-city")


def test_what_the_germans_hold_at_start_is_worth_twelve_points(m):
    german = m.place_hexes("german-side")
    assert m.place_hexes("major-city") & german == m.where("Sinyavino") | m.where("Novgorod")
    assert m.place_hexes("minor-city") & german == m.where("Lyuban") | m.where("Chudovo")


def test_star_hexes_are_the_two_soviet_neighbours_of_sinyavino(m):
    (sinyavino,) = m.where("Sinyavino")
    assert m.place_hexes("one-star") == {"0304"}
    assert m.place_hexes("two-stars") == {"0303"}
    for star in ("0304", "0303"):
        assert m.adjacent(sinyavino, star)
        assert star not in m.place_hexes("german-side")
        assert not set(m.side(f"{sinyavino}/{star}")) & {"lake"}


def test_worked_example_railway_runs_north_east(m):
    line = road(m, "Budogoshch-Lipnaya Gora-Tikhvin", "rail")
    assert line == ["1010", "1109", "1209", "1308", "1408", "1507", "1607"]
    (budogoshch,), (gora,), (tikhvin,) = m.where("Budogoshch"), m.where("Lipnaya Gora"), m.where("Tikhvin")
    assert [line.index(n) for n in (budogoshch, gora, tikhvin)] == [0, 4, 6]
    hexes = [m.grid.hex(n) for n in line]
    steps = {m.grid.direction(a, b) for a, b in itertools.pairwise(hexes)}
    assert steps == {1}, "every step to the north-east"


def test_worked_example_terrain(m):
    assert m.terrain("1408") == "forest"
    assert m.terrain("1507") == "clear"
    assert m.terrain("1108") == m.terrain("1208") == "swamp"
    assert m.terrain("1107") in ("forest", "swamp")
    assert m.terrain("1008") == "clear", "one point for a motorised regiment"
    assert m.terrain("1109") == "forest", "two points off the railway"


def test_worked_example_rivers(m):
    assert "minor-river" in m.side("1308/1408")
    for pair in ("1408/1507", "1209/1308", "1008/1009", "1009/1010", "1208/1209", "1107/1108"):
        assert not set(m.side(pair)) & set(RIVERS), pair
    around = [p for p in ("1009/1108", "1008/1108", "1108/1209", "1108/1208") if "minor-river" in m.side(p)]
    assert around == ["1009/1108"]


def test_secondary_road_keeps_clear_of_the_bogs(m):
    way = road(m, "Budogoshch-Lipnaya Gora")
    assert way == ["1010", "1109", "1210", "1309", "1409", "1408"]
    for number in way[2:]:
        assert not m.adjacent(number, "1108")


def test_banks_of_the_volkhov(m):
    east = m.walk("1010", *RIVERS[:1], "lake")
    assert {n for name in ("Kirishi", "Gruzino") for n in m.where(name)} <= east
    front = m.walk("0612", *RIVERS[:1], "lake", among=m.map.places["german-side"])
    for name in ("Chudovo", "Lyuban", "Novgorod", "Sinyavino"):
        assert m.where(name) <= front
    assert "major-river" in m.side("0611/0711")
    assert "minor-river" in m.side("0317/0417")


def test_front_reaches_both_lakes_and_follows_the_rivers_south_of_kirishi(m):
    german = m.map.places["german-side"]
    land = m.map.land
    crossings = set()
    for number in m.numbers(german):
        for other in m.grid.neighbours(m.grid.hex(number)):
            if other >= 0 and land >> other & 1 and not german >> other & 1:
                pair = f"{number}/{m.grid.number(other)}"
                if int(number[2:]) >= 10 and not set(m.side(pair)) & {"major-river", "minor-river", "lake"}:
                    crossings.add(pair)
    assert crossings == set()


def test_start_hexes_stand_on_land_on_their_own_side(m):
    german = m.place_hexes("german-side")
    assert set(GERMAN_START) <= german
    assert not set(SOVIET_START) & german
    for number in GERMAN_START + SOVIET_START:
        assert m.terrain(number) != "lake"


@pytest.mark.case("tijvin-1941", "8")
def test_five_roads_leave_the_east_edge(m):
    leaving = sorted(n for n in m.with_side("road") if n[:2] == "20")
    assert leaving == ["2001", "2004", "2008", "2013", "2018"]
    assert m.place_hexes("entry-54") == {"2001", "2004"}
    assert m.place_hexes("entry-4") == {"2008"}
    assert m.place_hexes("entry-52") == {"2013", "2018"}
    (tikhvin,) = m.where("Tikhvin")
    away = {n: m.grid.distance(m.grid.hex(n), m.grid.hex(tikhvin)) for n in leaving}
    assert min(away, key=away.__getitem__) == "2008"


@pytest.mark.case("tijvin-1941", "8")
@pytest.mark.parametrize(
    ("mark", "name", "ends"),
    [
        ("entry-38", "Novgorod-Chudovo", ("Novgorod", "Chudovo")),
        ("entry-39", "Chudovo-Lyuban", ("Chudovo", "Lyuban")),
        ("entry-1", "Lyuban-Sinyavino", ("Lyuban", "Sinyavino")),
    ],
)
def test_german_corps_roads(m, mark, name, ends):
    way = road(m, name)
    assert m.place_hexes(mark) == set(way) <= m.place_hexes("german-side")
    assert ({way[0]}, {way[-1]}) == tuple(map(m.where, ends))


def test_one_road_net_and_one_railway_net(m):
    assert m.along("road", "0612") == m.with_side("road")
    assert m.along("rail", "0612") == m.with_side("rail")
    assert m.place_hexes("major-city") <= m.with_side("road")


def test_rivers_are_whole_and_end_somewhere(m):
    assert m.loose_rivers(*RIVERS) == set()
    volkhov = m.named(*RIVERS)["Volkhov"] + m.named(*RIVERS)["Maly Volkhovets"]
    assert m.pieces(volkhov) == 1
    mouths = m.river_corners(volkhov) & m.water_corners()
    assert len(mouths) >= 2, "from Ilmen to Ladoga"


def test_no_land_is_cut_off(m):
    assert m.walk("1010", "lake") == m.numbers(m.map.land)


def test_terrain_counts_are_sane(m):
    assert 40 <= m.count("swamp") <= 110
    assert 90 <= m.count("forest") <= 200
    assert 10 <= m.count("lake") <= 25
