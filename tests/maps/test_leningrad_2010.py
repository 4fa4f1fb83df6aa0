"""The map of Leningrad (2010): the first edition's grid with column 00, its own roads and forests."""

from __future__ import annotations

import pytest

hexes = str.split  # hex numbers from a line of them

LENINGRAD = {"2505", "2604", "2605", "2705"}
EAST_PRUSSIA = {f"00{row:02}" for row in range(7, 14)}
GERMAN_SOUTH = {"0010", "0011", "0012", "0013", "0111", "0112", "0113"}


@pytest.fixture(scope="module")
def m(survey):
    return survey("leningrad", "leningrad-2010")


def test_grid_has_a_column_00(m):
    assert len(list(m.grid.numbers)) == 30 * 13
    assert m.around("0010") == {"0009", "0011", "0110", "0111"}
    assert m.around("0013") == {"0012", "0113"}
    assert LENINGRAD - m.around("2604") == {"2604"}


@pytest.mark.case("leningrad-2010", "9.5")
def test_supply_sources(m):
    assert m.place_hexes("german-supply") == m.place_hexes("east-prussia") == EAST_PRUSSIA
    assert m.place_hexes("soviet-supply") == LENINGRAD | {"1601", "0908", "2906", "2911"}
    assert m.place_hexes("leningrad") == LENINGRAD


def test_german_set_up_west_of_the_red_border(m):
    german = m.place_hexes("german-set-up")
    assert german == EAST_PRUSSIA | GERMAN_SOUTH
    for number in german:
        assert m.map.land >> m.grid.hex(number) & 1
        for other in m.grid.neighbours(m.grid.hex(number)):
            if other >= 0 and m.map.land >> other & 1 and m.grid.number(other) not in german:
                assert "border" in m.side(f"{number}/{m.grid.number(other)}")


def test_the_niemen_parts_the_german_hexes(m):
    assert "river" in m.side("0009/0010")
    niemen = {p for f in m.named("river")["Niemen"] for p in f.at.split()}
    for pair in ("0009/0010", "0010/0110", "0110/0111"):
        assert pair in niemen
    german = m.grid.mask(m.place_hexes("german-set-up"))
    assert m.walk("0010", "river", among=german) == GERMAN_SOUTH
    assert m.walk("0007", "river", among=german) == {"0007", "0008", "0009"}


def test_cities(m):
    assert m.place_hexes("soviet-city") == LENINGRAD | m.where("Pskov") | m.where("Novgorod")
    assert len(m.place_hexes("city")) == 9
    assert m.where("Riga") == {"0908"}
    assert m.where("Tallinn") == {"1601"}
    for number in m.place_hexes("city") | m.place_hexes("soviet-city"):
        assert m.terrain(number) == "clear", number


@pytest.mark.case("leningrad-2010", "15.1")
def test_set_up_hexes(m):
    marked = hexes("0205 2204 0209 0210 0211 0212 0213 0310 0311 0313 0409 0410 0411")
    assert m.place_hexes("soviet-set-up") == set(marked)
    assert m.where("Libau") == {"0205"}
    assert m.where("Kingisepp") == {"2204"}


@pytest.mark.case("leningrad-2010", "14.0", "14.4")
def test_entry_hexes(m):
    entries = m.place_hexes("entry")
    assert set(hexes("1113 2113 2213 2313 2501 2601 2701 2906 2911")) <= entries
    assert {"2301", "2401", "2501", "2601", "2701", "2801"} <= entries
    assert entries <= m.walk("1809", "sea", "lake")


def test_roads_reach_the_german_sources_and_are_fewer_than_in_1979(m, survey):
    net = m.along("road", "0010")
    assert {"0010", "0012"} <= m.along("road", "1809") == net
    assert LENINGRAD | {"0908", "1601", "2906", "2911", "1113"} <= net == m.with_side("road")
    first = survey("leningrad", "leningrad-1979")
    assert len(net) < len(first.with_side("road"))


def test_woods_at_the_mouth_of_the_luga(m):
    assert m.terrain("2203") == m.terrain("2204") == "forest"


def test_hills_where_the_second_edition_wants_them(m):
    hills = m.numbers(m.map.terrain["hill"])
    assert {"2713", "2613"} <= hills, "Valdai"
    assert {"1208", "1608"} <= hills, "Vidzeme and Haanja"
    assert "2506" in hills, "Duderhof"


def test_rivers_are_whole_and_end_somewhere(m):
    assert m.loose_rivers("river") == set()


def test_only_the_islands_are_cut_off(m):
    cut_off = m.numbers(m.map.land) - m.walk("1809", "sea", "lake")
    assert cut_off <= {"0801", "0802", "0901", "0902", "1001", "1002", "1101", "1102"}


def test_terrain_counts_are_sane(m):
    assert 45 <= m.count("forest") <= 110
    assert 12 <= m.count("swamp") <= 35
    assert 8 <= m.count("hill") <= 20
