"""The map of Leningrad (1979): every fact of the rulebook, and a land that hangs together."""

from __future__ import annotations

import pytest

hexes = str.split  # hex numbers from a line of them

LENINGRAD = {"2505", "2604", "2605", "2705"}


@pytest.fixture(scope="module")
def m(survey):
    return survey("leningrad", "leningrad-1979")


def test_grid_runs_from_0101_to_2913_with_even_columns_low(m):
    assert len(list(m.grid.numbers)) == 29 * 13
    assert m.around("2604") == {"2603", "2605", "2504", "2505", "2704", "2705"}
    assert m.around("2605") == {"2604", "2606", "2505", "2506", "2705", "2706"}


@pytest.mark.case("leningrad-1979", "11.5")
def test_supply_sources_are_where_the_text_puts_them(m):
    assert m.place_hexes("german-supply") == m.place_hexes("east-prussia") == {"0111", "0112", "0113"}
    assert m.place_hexes("soviet-supply") == LENINGRAD | {"1601", "0908", "2713", "2906", "2908"}
    assert m.place_hexes("leningrad") == LENINGRAD
    assert m.where("Tallinn") == {"1601"}
    assert m.where("Riga") == {"0908"}


def test_cities(m):
    assert m.place_hexes("soviet-city") == LENINGRAD | m.where("Pskov") | m.where("Novgorod")
    for name in ("Riga", "Tallinn", "Libau", "Dvinsk", "Kaunas", "Siauliai", "Tartu", "Narva", "Parnu"):
        (number,) = m.where(name)
        assert "city" in m.places(number), name
    assert len(m.place_hexes("city")) == 9
    for number in m.place_hexes("city") | m.place_hexes("soviet-city"):
        assert m.terrain(number) in ("clear", "woods"), number


@pytest.mark.case("leningrad-1979", "17.2")
def test_set_up_hexes(m):
    marked = m.place_hexes("soviet-set-up")
    assert {"0205", "2204"} < marked
    assert marked - {"0205", "2204"} == set(hexes("0208 0209 0210 0211 0212 0213 0310 0311 0313 0409 0410 0411"))
    assert m.where("Libau") == {"0205"}
    assert m.where("Kingisepp") == {"2204"}


@pytest.mark.case("leningrad-1979", "16.4")
def test_entry_hexes_lie_on_the_edge_and_on_land(m):
    entries = m.place_hexes("entry")
    assert {"1113", "2213", "2501", "2601", "2713", "2906", "2908"} < entries
    assert {"2301", "2401", "2501", "2601", "2701", "2801"} < entries
    mainland = m.walk("1809", "sea", "lake")
    assert entries <= mainland
    assert all(n[2:] in ("01", "13") or n[:2] == "29" for n in entries)


def test_roads_run_off_the_map_at_the_entry_hexes(m):
    net = m.along("road", "0111")
    assert net == m.with_side("road"), "one road net"
    assert set(hexes("0111 0112 0113 1113 2213 2501 2601 2713 2906 2908")) <= net
    assert net >= LENINGRAD
    assert {"1601", "0908"} <= net


def test_the_two_great_roads_to_leningrad(m):
    roads = {name: features[0].through.split() for name, features in m.named("road").items()}
    assert roads["Tilsit-Siauliai-Mitau-Riga"][0] == "0111"
    assert roads["Tilsit-Siauliai-Mitau-Riga"][-1] == "0908"
    assert roads["Kaunas-Dvinsk-Ostrov-Pskov"][-1] == roads["Pskov-Luga-Leningrad"][0] == "1809"
    assert roads["Pskov-Luga-Leningrad"][-1] == "2604"
    assert "2308" in roads["Pskov-Luga-Leningrad"]


def test_rivers_are_whole_and_end_somewhere(m):
    assert m.loose_rivers("river") == set()
    assert {"Niemen", "Dvina", "Velikaya", "Luga", "Volkhov", "Neva", "Narva", "Msta", "Lovat"} <= set(m.named("river"))


def test_the_dvina_parts_the_frontier_from_the_rear(m):
    """From East Prussia one cannot reach column 13 without crossing the Dvina or the edge of the sea."""
    dvina = {pair for f in m.named("river")["Dvina"] for pair in f.at.split()}
    assert "0807/0908" in dvina
    assert "1013/1113" in dvina
    west = _walk_without(m, "0111", dvina)
    assert "1113" not in west
    assert "0908" not in west
    assert not any(n[:2] == "13" for n in west)


def _walk_without(m, start, pairs):
    found, front = {start}, [start]
    while front:
        here = m.grid.hex(front.pop())
        for other in m.grid.neighbours(here):
            if other < 0 or not m.map.land >> other & 1:
                continue
            number = m.grid.number(other)
            pair = "/".join(sorted((m.grid.number(here), number)))
            if number in found or pair in pairs or {"sea", "lake"} & set(m.side(pair)):
                continue
            found.add(number)
            front.append(number)
    return found


def test_peipus_narva_and_velikaya_make_one_line(m):
    line = {p for name in ("Narva", "Velikaya") for f in m.named("river")[name] for p in f.at.split()}
    west = _walk_without(m, "1706", line)
    assert "1709" in west
    assert not west & {"1809", "1906", "1907", "2105", "2204"}
    assert {"lake"} <= set(m.side("1806/1906"))
    assert m.terrain("1808") == "lake"


def test_ilmen_and_ladoga(m):
    assert m.side("2410/2511") == ["lake"]
    assert m.side("2510/2511") == ["lake"]
    assert m.side("2804/2805") == ["lake"]
    assert {n for n in m.numbers(m.map.terrain["lake"]) if n[:2] == "29"} == {"2901", "2902", "2903", "2904"}


def test_clear_ground_at_the_mouth_of_the_luga(m):
    assert {m.terrain(n) for n in ("2104", "2203", "2204")} == {"clear"}
    assert "river" in m.side("2104/2203")


def test_rows_01_and_02_north_of_leningrad_are_land(m):
    for number in ("2501", "2502", "2601", "2602", "2701", "2702"):
        assert m.terrain(number) in ("clear", "woods")


def test_only_the_islands_are_cut_off(m):
    mainland = m.walk("1809", "sea", "lake")
    cut_off = m.numbers(m.map.land) - mainland
    assert cut_off <= {"0801", "0802", "0901", "0902", "1001", "1002", "1101", "1102"}


def test_water_hexsides_lie_between_land_hexes(m):
    for kind in ("sea", "lake"):
        assert m.with_side(kind) <= m.numbers(m.map.land)


def test_border_goes_round_east_prussia(m):
    prussia = {"0111", "0112", "0113"}
    for number in prussia:
        for other in m.grid.neighbours(m.grid.hex(number)):
            if other >= 0 and m.grid.number(other) not in prussia:
                assert "border" in m.side(f"{number}/{m.grid.number(other)}")


def test_terrain_counts_are_sane(m):
    assert 10 <= m.count("swamp") <= 30
    assert 15 <= m.count("hill") <= 35
    assert 40 <= m.count("sea") <= 55
    assert m.map.land.bit_count() > 300
