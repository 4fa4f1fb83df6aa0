"""The maps of Assault on Leningrad: every hex the rulebook names, the inset, and a land that hangs together."""

from __future__ import annotations

import itertools

import pytest

hexes = str.split  # hex numbers from a line of them

LENINGRAD = {"0219", "0220", "0320"}
FRINGE = {"0120": 4, "0119": 2, "0218": 2, "0319": 2, "0419": 2, "0420": 2}
FLEET = hexes("0124 0125 0220 0221 0222 0223 0224 0225 0321 0322 0323 0324")
SET_UP = hexes("1033 1133 1135 1232 1332 1430 1629 1828 2623 2823 2922 3113 3121 3218 3219 3416")


@pytest.fixture(scope="module")
def m(survey):
    return survey("assault", "assault-leningrad")


def main_land(m):
    return m.map.land & m.grid.masks["main"]


@pytest.mark.case("assault-leningrad", "8.13")
def test_the_ring_round_leningrad_reads_clockwise_as_printed(m):
    ring = hexes("0120 0119 0218 0319 0419 0420 0321 0221 0121")
    around = m.numbers(m.grid.ring(m.grid.mask(LENINGRAD)))
    assert around - LENINGRAD == set(ring)
    assert all(m.adjacent(a, b) for a, b in zip(ring, ring[1:] + ring[:1], strict=True))
    assert {n for n in m.place_hexes("fringe") if n[0] in "0123"} == set(FRINGE)


def test_grid_examples(m):
    assert m.adjacent("2009", "1909")
    assert m.adjacent("2009", "1910")
    assert m.adjacent("1035", "0935")
    assert m.adjacent("1235", "1135")
    assert m.adjacent("2422", "2522")
    assert len(m.numbers(m.grid.masks["main"])) == 38 * 36


@pytest.mark.case("assault-leningrad", "8.12")
def test_districts(m):
    for word, number in (("vyborg-side", "0219"), ("petrograd-side", "0220"), ("moscow-side", "0320")):
        assert number in m.place_hexes(word)
        assert len(m.place_hexes(word)) == 1 + 18
    assert m.place_hexes("leningrad") == LENINGRAD
    assert len(m.place_hexes("interior")) == 54


@pytest.mark.case("assault-leningrad", "8.13")
def test_inset_fringe_hexes_belong_to_their_main_hexes(m):
    everything = set()
    for number, count in FRINGE.items():
        part = m.place_hexes(f"fringe-{number}")
        assert len(part) == count
        everything |= part
    assert len(everything) == 14
    assert everything == m.place_hexes("fringe") - set(FRINGE)
    inset = m.numbers(m.map.land & m.grid.masks["inset"])
    assert inset == everything | m.place_hexes("interior")


@pytest.mark.case("assault-leningrad", "8.1")
def test_the_island_is_closed(m):
    assert m.terrain("A9") == "outside"


@pytest.mark.case("assault-leningrad", "9.2")
def test_zone_of_control_example_at_f4(m):
    around = m.numbers(m.grid.ring(m.grid.mask(["F4"])))
    assert around == {"E4", "E5", "F3", "F5", "G5", "G4"}
    assert m.side("F4/G4") == ["neva"], "no bridge"
    for other in around - {"G4"}:
        assert "neva" not in m.side(f"F4/{other}") or "bridge" in m.side(f"F4/{other}")


def test_the_neva_parts_the_districts_of_the_inset(m):
    sides = [m.place_hexes(w) for w in ("vyborg-side", "petrograd-side", "moscow-side")]
    for number in m.place_hexes("interior"):
        for other in m.grid.neighbours(m.grid.hex(number)):
            if other < 0 or m.grid.number(other) not in m.place_hexes("interior"):
                continue
            name = m.grid.number(other)
            same = any(number in part and name in part for part in sides)
            assert ("neva" in m.side(f"{number}/{name}")) != same


def test_key_points(m):
    assert len(m.place_hexes("key-point")) == 10
    assert m.place_hexes("key-point") <= m.place_hexes("interior")
    assert m.where("Kirov Works") <= m.place_hexes("moscow-side")


@pytest.mark.case("assault-leningrad", "13.2")
def test_the_fleet_sails_the_bay(m):
    assert m.place_hexes("fleet") == set(FLEET)
    assert m.place_hexes("harbour") == m.where("Kronstadt") == {"0125"}
    for number in set(FLEET) - {"0125", "0220"}:
        assert m.terrain(number) == "sea", number
    assert not set(FLEET) & m.walk("0219", "sea", "lake") - {"0220"}


@pytest.mark.parametrize(
    ("number", "name"),
    [
        ("0312", "Schlisselburg"), ("0326", "Oranienbaum"), ("0401", "Volkhov"), ("0518", "Kolpino"),
        ("0611", "Mga"), ("0619", "Pushkin"), ("0622", "Krasnoye Selo"), ("0821", "Gatchina"), ("0916", "Tosno"),
        ("1120", "Vyritsa"), ("1202", "Kirishi"), ("2107", "Chudovo"), ("2823", "Luga"), ("3113", "Novgorod"),
        ("0420", "Uritsk"), ("1133", "Kingisepp"),
    ],
)  # fmt: skip
def test_cities(m, number, name):
    assert m.where(name) == {number}
    assert len({"city", "fortified-city"} & set(m.places(number))) == 1


@pytest.mark.case("assault-leningrad", "17.25")
def test_garrison_cities(m):
    assert m.place_hexes("garrison") == {"3113", "2107", "1202", "0401"}


@pytest.mark.case("assault-leningrad", "5.3")
def test_entry_areas(m):
    assert m.place_hexes("entry-a") == {f"{r}36" for r in range(11, 18)}
    assert m.place_hexes("entry-b") == {f"38{c}" for c in range(26, 31)}
    assert m.place_hexes("entry-c") == {f"38{c}" for c in range(16, 20)}
    for word in ("entry-a", "entry-b", "entry-c"):
        assert m.grid.mask(m.place_hexes(word)) & ~m.map.land == 0


@pytest.mark.case("assault-leningrad", "16.17")
def test_roads_enter_at_1136_and_3830_only(m):
    entries = m.place_hexes("entry-a") | m.place_hexes("entry-b") | m.place_hexes("entry-c")
    assert entries & m.with_side("road") == {"1136", "3830"}


@pytest.mark.case("assault-leningrad", "6.3")
def test_road_movement_example(m):
    way = ["1136", "1135", "1134", "1133", "1032", "1031"]
    assert all("road" in m.side(f"{a}/{b}") for a, b in itertools.pairwise(way))
    assert "river" in m.side("1134/1133")
    assert "road" not in m.side("1031/1030")
    assert "road" not in m.side("1235/1135")
    assert {"1030", "1235"} <= m.with_side("road")
    assert m.terrain("1030") == m.terrain("1135") == "woods"


@pytest.mark.case("assault-leningrad", "6.15")
def test_river_crossing_example(m):
    assert m.terrain("0935") == "woods"
    assert "river" in m.side("1035/0935")


@pytest.mark.case("assault-leningrad", "6.17")
def test_lake_hexsides(m):
    assert m.side("0832/0833") == ["lake"]
    assert m.side("1821/1822") == ["lake"]
    assert "lake" not in m.side("2422/2522")


@pytest.mark.case("assault-leningrad", "10.17")
def test_attack_example_terrain(m):
    assert {m.terrain("1909"), m.terrain("1910")} == {"woods", "clear"}
    assert not set(m.side("2009/1909") + m.side("2009/1910")) & {"river", "neva"}


def test_start_hexes_are_land_and_the_luga_group_stands_behind_the_luga(m):
    for number in SET_UP:
        assert main_land(m) >> m.grid.hex(number) & 1
    assert m.terrain("3416") == "marsh"
    luga = {p for f in m.named("river")["Luga"] for p in f.at.split()}
    assert {"0935/1035", "1133/1134"} <= luga
    fort = m.place_hexes("fortification")
    assert set(hexes("1033 1232 1332 1430 1629 1828 2623 2922 3121")) <= fort
    assert m.grid.mask(fort) & ~main_land(m) == 0


def test_coast_hexes_of_the_bay(m):
    for number in ("0121", "0122", "0123"):
        assert m.terrain(number) == "clear"
    assert m.side("0121/0220") == ["sea"]


def test_rails_leave_the_map_where_supply_needs_them(m):
    rails = m.with_side("rail")
    assert "1136" in rails
    assert {n for n in rails if n[:2] == "38"} == {"3831", "3820", "3818"}
    assert m.along("rail", "0320") == rails, "one railway net"
    cities = m.place_hexes("city") | m.place_hexes("fortified-city")
    assert {"2823", "1133", "0821", "3113", "2107", "1202", "0401", "0611"} <= rails & cities


def test_one_road_net_on_land(m):
    roads = m.with_side("road")
    assert m.along("road", "0320") | m.along("road", "0219") == roads
    for kind in ("road", "rail"):
        assert m.grid.mask(m.with_side(kind)) & ~m.map.land == 0


def test_rivers_are_whole_and_end_somewhere(m):
    assert m.loose_rivers("river", "neva") <= {"Neva (inset)"}
    neva = m.named("neva")
    assert m.pieces(neva["Neva"] + neva["Neva in the city"]) == 1
    assert len(m.river_corners(neva["Neva"] + neva["Neva in the city"]) & m.water_corners()) >= 2
    assert {"neva"} == set(m.side("0219/0220")) == set(m.side("0219/0320")) == set(m.side("0220/0320"))
    assert m.river_corners(m.named("river")["Volkhov"]) & m.water_corners(), "the Volkhov leaves Lake Ilmen"


def test_only_islands_are_cut_off(m):
    mainland = m.walk("0320", "sea", "lake")
    cut_off = m.numbers(main_land(m)) - mainland
    assert cut_off <= {"0125"}


def test_terrain_counts_are_sane(m):
    assert 500 <= m.count("woods") <= 950
    assert 120 <= m.count("marsh") <= 320
    assert 12 <= m.count("sea") + m.count("lake") <= 120
