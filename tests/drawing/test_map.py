"""The map: every word drawn, every name legible, the same bytes every time."""

import os
import re
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import pytest

import ladoga
from ladoga.drawing import map_sheet, shores_of
from ladoga.drawing.geometry import distance_to, overlap
from ladoga.drawing.ground import _outline
from ladoga.drawing.labels import Taken, labels, number_box
from ladoga.drawing.places import places
from ladoga.drawing.plan import HEX, Plan
from ladoga.drawing.style import hexside_family, place_family, terrain_family
from ladoga.drawing.water import Region, waters
from ladoga.kernel.map import GameMap, MapChange


def map_svg(game_map, shores=None, *, fonts=True, **wishes):
    """A map as the file it is written to."""
    return map_sheet(game_map, shores, **wishes).svg(fonts=fonts)


MAPS = sorted(Path(ladoga.__file__).parent.glob("games/*/data/*/map.yaml"))

SMALL = Path(__file__).with_name("small.yaml")
"""A small land with every word of a vocabulary on it."""


@pytest.fixture(scope="module")
def small():
    return GameMap.read(SMALL)


@pytest.fixture(scope="module", params=MAPS, ids=lambda path: path.parent.name)
def real(request):
    return request.param.parent.name, GameMap.read(request.param)


def test_every_word_of_the_vocabulary_draws_something(small):
    svg = map_svg(small, fonts=False)
    drawn = set(re.findall(r'data-kind="([^"]+)"', svg))
    words = small.vocabulary
    silent = {words.ground, *words.water, "region"}
    assert {*words.terrain, *words.hexsides, *words.places} - silent - drawn == set()
    assert 'class="waters"' in svg
    assert ">ANYWHERE<" in svg


@pytest.mark.parametrize("section", ["terrain", "hexsides", "places"])
def test_each_word_changes_the_picture(small, section):
    blank = small.changed(MapChange(blank=(4, 4)))
    plain = map_svg(blank, fonts=False)
    for word in getattr(small.vocabulary, section):
        if word in (small.vocabulary.ground, "region"):
            continue
        where = {"0202/0302": [word], "0302/0303": [word]} if section == "hexsides" else {"0202": word}
        if section == "places":
            where = {"0202": [word]}
        change = MapChange(blank=(4, 4), **{"hexes" if section == "terrain" else section: where})
        assert map_svg(small.changed(change), fonts=False) != plain, word


def test_the_map_is_well_formed_in_every_palette(small):
    pictures = {p: map_svg(small, palette=p, sheet=True, title="A & B", calendar=["one", "two"]) for p in
                ("classic", "dark", "distinct")}  # fmt: skip
    assert len(set(pictures.values())) == 3
    for svg in pictures.values():
        root = ET.fromstring(svg)
        ids = [e.get("id") for e in root.iter() if e.get("id")]
        assert len(ids) == len(set(ids))
        used = set(re.findall(r"url\(#([^)]+)\)", svg)) | set(re.findall(r'href="#([^"]+)"', svg))
        assert used <= set(ids)


def test_hex_numbers_can_be_left_out(small):
    assert ">0405<" in map_svg(small, fonts=False)
    assert ">0405<" not in map_svg(small, fonts=False, numbers=False)


def test_a_sheet_has_title_compass_scale_key_and_track(small):
    svg = map_svg(small, fonts=False, sheet=True, title="Small Land", subtitle="a test", calendar=["May", "June"],
                  effects={"woods": "costs 2"})  # fmt: skip
    for words in ("SMALL LAND", "a test", ">N<", " km<", "TERRAIN KEY", "Woods", "costs 2", "All-sea hexside", "June"):
        assert words in svg
    assert "TERRAIN KEY" not in map_svg(small, fonts=False)


def test_an_unknown_board_is_refused(small):
    with pytest.raises(ValueError, match="no board 'inset'"):
        map_svg(small, board="inset")


def test_the_same_map_gives_the_same_bytes_whatever_the_hash_seed():
    code = textwrap.dedent("""
        import hashlib, sys
        from pathlib import Path
        from ladoga.drawing import map_sheet
        from ladoga.kernel.map import GameMap
        svg = map_sheet(GameMap.read(Path(sys.argv[1])), sheet=True, title="x").svg()
        print(hashlib.sha256(svg.encode()).hexdigest())
    """)
    digests = set()
    for seed in ("0", "1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run([sys.executable, "-c", code, str(SMALL)], env=environment,
                             capture_output=True, text=True, check=True)  # fmt: skip
        digests.add(run.stdout)
    assert len(digests) == 1


def _collisions(plan, shores):
    water, marks = waters(plan, shores), places(plan)
    named = labels(plan, water, marks)
    taken, clashes = Taken(), []
    taken.add([*marks.boxes, *(number_box(plan, h) for h in plan.hexes)])
    for label in named:
        if not taken.free(label.boxes):
            clashes.append(label.words)
        taken.add(label.boxes)
    return named, clashes


def test_no_name_lies_on_another_nor_on_a_number_or_symbol(small):
    named, clashes = _collisions(Plan(small, small.grid.boards[0]), None)
    assert clashes == []
    assert {"Oldtown", "Newcastle", "LENINGRAD", "Nearby", "ANYWHERE", "Long"} <= {n.words for n in named}


def test_real_maps_have_no_collisions_and_every_place_has_its_name(real):
    game, game_map = real
    shores = shores_of(game)
    for board in game_map.grid.boards:
        plan = Plan(game_map, board)
        named, clashes = _collisions(plan, shores)
        assert clashes == []
        wanted = sum(bool(game_map.names.get(h)) for h in plan.hexes)
        assert sum(n.style in ("metropolis", "capital", "city", "town", "spot") for n in named) == wanted


def test_drawings_of_real_maps_are_small(real):
    game, game_map = real
    svg = map_svg(game_map, shores_of(game))
    hexes = sum(1 for _ in game_map.grid.numbers)
    assert len(svg) < (650_000 if hexes < 600 else 1_600_000)


def test_every_used_word_of_a_real_map_has_a_family_of_its_own(real):
    _, game_map = real
    strangers = [w for w in game_map.vocabulary.terrain if terrain_family(w) == "other"]
    strangers += [w for w in game_map.vocabulary.hexsides if hexside_family(w) == "other"]
    assert strangers == []


def test_boards_lie_side_by_side(real):
    _, game_map = real
    svg = map_svg(game_map, fonts=False)
    moves = [
        [float(v) for v in m.split()] for m in re.findall(r'<g transform="translate\(([^)]*)\)"><g class="board"', svg)
    ]
    frames = [Plan(game_map, b).frame for b in game_map.grid.boards]
    placed = [(f[0] + dx, f[1] + dy, f[2] + dx, f[3] + dy) for f, (dx, dy) in zip(frames, moves, strict=True)]
    assert not any(overlap(a, b) for i, a in enumerate(placed) for b in placed[i + 1 :])


def test_a_river_touches_the_middle_of_every_hexside_it_follows(real):
    game, game_map = real
    plan = Plan(game_map, game_map.grid.boards[0])
    rivers = waters(plan, shores_of(game)).rivers
    for kind in game_map.sides:
        if hexside_family(kind) != "river":
            continue
        pieces = [piece for r in rivers if r.kind == kind for piece in pairwise(r.line)]
        for h, d in plan.sides_with(kind):
            middle = plan.middle(h, d)
            near = [(a, b) for a, b in pieces if abs(a[0] - middle[0]) + abs(a[1] - middle[1]) < HEX]
            assert min(distance_to(middle, a, b) for a, b in near) < 0.08 * HEX


def test_a_river_widens_from_source_to_mouth(small):
    plan = Plan(small, small.grid.boards[0])
    (river,) = [r for r in waters(plan, None).rivers if r.name == "Long"]
    lake = plan.centre(small.grid.hex("0805"))
    ends = [abs(p[0] - lake[0]) + abs(p[1] - lake[1]) for p in (river.line[0], river.line[-1])]
    assert ends[0] > ends[1]
    assert river.widths[0] < river.widths[-1]


def test_all_water_hexsides_are_flooded(real):
    game, game_map = real
    for board in game_map.grid.boards:
        plan = Plan(game_map, board)
        water = waters(plan, shores_of(game))
        for kind in game_map.sides:
            if hexside_family(kind) == "barred":
                for h, d in plan.sides_with(kind):
                    assert plan.middle(h, d) in water, plan.grid.number(h)


def test_a_shore_that_can_be_walked_along_is_not_drawn_as_closed():
    game_map = GameMap.read(next(path for path in MAPS if path.parent.name == "tijvin-1941"))
    svg = map_svg(game_map, shores_of("tijvin-1941"), fonts=False, sheet=True)
    open_sides = re.findall(r'class="(\w+)" data-kind="coast"', svg)
    assert set(open_sides) == {"shore"}
    assert "Coast, may be crossed" in svg
    assert "All-lake hexside" in svg


@pytest.mark.parametrize("size", [(1, 1), (1, 6), (6, 1), (2, 2), (20, 3)])
def test_blank_maps_of_any_size_are_drawn(real, size):
    _, game_map = real
    blank = game_map.changed(MapChange(blank=size))
    ET.fromstring(map_svg(blank, shores_of(real[0]), fonts=False, sheet=True, title="Blank", subtitle="nothing here"))
    first = next(iter(blank.grid.numbers))
    for word in game_map.vocabulary.terrain:
        ET.fromstring(map_svg(game_map.changed(MapChange(blank=size, hexes={first: word})), fonts=False))


def test_areas_and_places_find_their_family():
    assert place_family("soviet-set-up") == "setup"
    assert place_family("german-supply") == "supply"


def test_corrections_move_the_shore():
    owner = {"hexes": {"0904": "clear", "1511": "lake"}, "hexsides": {"1806/1906": []}}
    plain, corrected = (ladoga.load("leningrad-1979", data=data).map for data in (None, {"map.yaml": owner}))
    grid = plain.grid
    lake = [grid.hex(n) for n in ("1806", "1906")]
    for game_map, expected in ((plain, [True, False, True]), (corrected, [False, True, False])):
        plan = Plan(game_map, grid.boards[0])
        water = waters(plan, shores_of("leningrad-1979"))
        neck = plan.middle(lake[0], grid.direction(*lake))
        assert [p in water for p in (plan.centre(grid.hex("0904")), plan.centre(grid.hex("1511")), neck)] == expected


def test_a_sea_made_a_swamp_shows_its_swamp():
    """The terrain of regained land lies above the water that was there, and its tufts stand on it."""
    owner = {"map.yaml": {"hexes": {"2302": "swamp"}}}
    for data in (None, owner):
        game_map = ladoga.load("leningrad-1979", data=data).map
        plan = Plan(game_map, game_map.grid.boards[0])
        root = ET.fromstring(map_svg(game_map, shores_of("leningrad-1979"), fonts=False))
        layers = [g.get("class") for g in root.iter("{http://www.w3.org/2000/svg}g")]
        assert ("regained" in layers) == (data is not None)
        if data is not None:
            assert layers.index("water") < layers.index("regained") < layers.index("grid")
            cx, cy = plan.centre(game_map.grid.hex("2302"))
            regained = next(g for g in root.iter() if g.get("class") == "regained")
            tufts = "".join(p.get("d", "") for p in regained.iter() if p.get("class") == "marsh-glyph")
            starts = [(float(x), float(y)) for x, y in re.findall(r"M(-?[\d.]+) ?(-?[\d.]+)", tufts)]
            assert sum(abs(x - cx) < 45 and abs(y - cy) < 45 for x, y in starts) > 5


def test_all_water_is_one_outline_however_it_overlaps():
    """Holes run against their ring, so that neither an island nor a flood over a lake is lost."""
    square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    island = [(4.0, 4.0), (6.0, 4.0), (6.0, 6.0), (4.0, 6.0)]
    flood = [(5.0, 0.0), (5.0, 10.0), (20.0, 10.0), (20.0, 0.0)]
    assert _outline([Region([square, island]), Region([flood])]) == "M0 0h10v10h-10zM4 6h2v-2h-2zM20 0v10h-15v-10z"


def test_a_fortified_city_is_a_city_behind_its_works():
    game_map = ladoga.load("assault-leningrad").map
    plan = Plan(game_map, game_map.grid.boards[0])
    drawn = places(plan)
    (fort,) = [h for h in game_map.grid.members(game_map.places["fortified-city"]) if game_map.names[h] == "Gatchina"]
    assert drawn.seats[fort] == "city"
    assert sum('data-kind="fortified-city"' in symbol and 'class="fort"' in symbol for symbol in drawn.symbols) == 4
