"""The map of Leningrad '41: the city the rulebook speaks of, its rivers, bridges and railways."""

from __future__ import annotations

import itertools

import pytest

from ladoga.hexes import NOWHERE

hexes = str.split  # hex numbers from a line of them

RIVERS = ("major-river", "minor-river")
LEFT_BANK = hexes("""2807 2809 2713 2914 3016 3017 3217 3115 3211 3408 3319 3521 3316 3616 3515 3817 3818 3820 4021 4422
    4623 4626 3924 4216 4516 4213 3613 4105 4704""")
ISLANDS = {"2918": "3222 3325", "2716": "2619 2116", "1919": ""}
RIGHT_BANK = ["2512", "2308", "2014", "1210", "1515", "2906"]


@pytest.fixture(scope="module")
def m(survey):
    return survey("leningrad41", "leningrad41")


def bank(m, start):
    """The land one reaches dry-shod: over no arm of the Neva and no sea."""
    return m.walk(start, "major-river", "sea")


@pytest.mark.case("leningrad41", "3.3")
def test_smolny_anchors_the_grid(m):
    assert m.where("Smolny") == {"2807"}
    assert m.terrain("2807") == "objective"


@pytest.mark.case("leningrad41", "10.6")
def test_range_example_runs_along_a_row(m):
    assert m.grid.distance(m.grid.hex("2202"), m.grid.hex("2206")) == 4
    assert m.adjacent("2202", "2203")
    assert len(list(m.grid.numbers)) == 51 * 29


def test_forty_two_objectives_each_with_a_name_and_on_its_own_bank(m):
    objectives = m.numbers(m.map.terrain["objective"])
    assert len(objectives) == 42
    assert all(m.grid.hex(n) in m.map.names for n in objectives)
    left, right = bank(m, "2807"), bank(m, "2512")
    assert set(LEFT_BANK) <= left
    assert set(RIGHT_BANK) <= right
    assert not left & right
    everything = set(LEFT_BANK) | set(RIGHT_BANK)
    for start, others in ISLANDS.items():
        island = bank(m, start)
        assert set(others.split()) <= island
        assert not island & (left | right)
        everything |= {start, *others.split()}
    assert everything == objectives


@pytest.mark.case("leningrad41", "19.3")
def test_the_neva_leaves_the_east_edge_south_of_4501(m):
    assert "major-river" in m.side("4501/4601")
    assert "4501" in bank(m, "2512")
    assert "4601" in bank(m, "2807")


@pytest.mark.case("leningrad41", "19.1", "19.3")
def test_entry_edges(m):
    land = m.numbers(m.map.land)
    assert m.place_hexes("german-entry") == {n for n in land if n[:2] == "51"}
    north = {n for n in land if n[:2] == "01"}
    east = {n for n in land if n[2:] == "01" and int(n[:2]) <= 45}
    assert m.place_hexes("soviet-entry") == north | east
    assert len(north) == 29, "the north edge is all land"


def test_gulf_in_the_west_only(m):
    sea = m.numbers(m.map.terrain["sea"])
    assert all(int(n[2:]) >= 23 for n in sea)
    assert 50 <= len(sea) <= 100
    assert m.grid.mask(sea) & sum(1 << h for h in map(m.grid.hex, m.place_hexes("fortified"))) == 0


@pytest.mark.case("leningrad41", "8.6")
def test_fortifications_in_all_three_terrains(m):
    assert {m.terrain(n) for n in m.place_hexes("fortified")} == {"clear", "urban", "objective"}
    assert not {n for n in m.place_hexes("fortified") if n[:2] in ("50", "51")}


@pytest.mark.case("leningrad41", "8.9")
def test_bridges_lie_on_rivers_and_join_banks(m):
    for number in m.with_side("bridge"):
        here = m.grid.hex(number)
        for d, other in enumerate(m.grid.neighbours(here)):
            if other != NOWHERE and m.map.sides["bridge"][d] >> here & 1:
                assert set(m.side(f"{number}/{m.grid.number(other)}")) & set(RIVERS)
    crossed = [f for f in m.named("bridge").values() if f[0].name]
    assert len(crossed) >= 30
    for name in ("Volodarsky", "Liteyny", "Kirov (Troitsky)", "Republican (Palace)", "Lieutenant Schmidt", "Tuchkov"):
        (feature,) = m.named("bridge")[name]
        first, _, second = feature.at.partition("/")
        assert second not in bank(m, first), name


def test_a_river_hexside_is_of_one_kind(m):
    for major, minor in zip(m.map.sides["major-river"], m.map.sides["minor-river"], strict=True):
        assert major & minor == 0


@pytest.mark.case("leningrad41", "8.8")
def test_prospekts_and_railways_cross_rivers_by_bridges(m):
    for kind in ("prospekt", "rail"):
        for features in m.named(kind).values():
            for feature in features:
                way = feature.through.split()
                for first, second in itertools.pairwise(way):
                    sides = m.side(f"{first}/{second}")
                    assert "bridge" in sides or not set(sides) & set(RIVERS), (feature.name, first, second)


@pytest.mark.case("leningrad41", "15.1")
def test_railways_are_one_net_with_all_five_stations(m):
    assert m.along("rail", "3211") == m.with_side("rail")
    stations = ("Moscow Station", "Vitebsk Station", "Warsaw Station", "Baltic Station", "Finland Station")
    assert set().union(*map(m.where, stations)) <= m.with_side("rail")
    assert {n[:2] for n in m.with_side("rail")} >= {"01", "51"}


def test_prospekts_are_one_net(m):
    assert m.along("prospekt", "3211") == m.with_side("prospekt")
    assert {"5116", "5123"} <= m.with_side("prospekt"), "Moskovsky and Stachek run to the south edge"


def test_rivers_are_whole_and_end_somewhere(m):
    assert m.loose_rivers(*RIVERS) == set()
    arms = ("Neva", "Bolshaya Neva", "Malaya Neva", "Bolshaya Nevka", "Malaya Nevka")
    assert m.pieces(f for name in arms for f in m.named(*RIVERS)[name]) == 1


def test_every_land_hex_can_be_reached_over_bridges(m):
    assert m.walk("2807", "sea") == m.numbers(m.map.land)
    reach = {"2807"}
    front = ["2807"]
    while front:
        here = m.grid.hex(front.pop())
        for other in m.grid.neighbours(here):
            if other == NOWHERE or not m.map.land >> other & 1:
                continue
            number = m.grid.number(other)
            sides = m.map.sides_of(here, other)
            if number not in reach and ("bridge" in sides or not {"major-river", "sea"} & set(sides)):
                reach.add(number)
                front.append(number)
    assert reach == m.numbers(m.map.land)


def test_terrain_counts_are_sane(m):
    assert 300 <= m.count("urban") <= 600
