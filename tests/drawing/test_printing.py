"""Print and play: pages cover the map, overlap, and hold counters and charts."""

import re
import shutil
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

import ladoga
from ladoga.drawing import print_sheets
from ladoga.drawing.markers import marker_face
from ladoga.drawing.printing import MARGIN, OVERLAP, PAPERS, chart_pages, counter_pages, terrain_effects
from ladoga.kernel.game import MarkerKind
from ladoga.kernel.map import BoardSpec, GameMap, MapFile, Vocabulary
from ladoga.kernel.table import Chart, Counter

TERRAIN = Chart(
    "terrain", "Terrain", "4.9", ["Terrain", "Cost", "Defender"], [["clear", "1", "-"], ["woods", "2", "1 left"]]
)


class Box:
    """A game with just what print needs."""

    id, title, turns, calendar = "small-game", "Small: a game <to print>", 3, ("May", "June", "July")
    map = GameMap.of(
        MapFile(
            boards={"main": BoardSpec(columns=(1, 14), rows=(1, 10), title="A land", hex_km=10.0)},
            vocabulary=Vocabulary(ground="clear", terrain=["clear", "woods"], hexsides=[], places=[]),
        )
    )

    def charts(self):
        return [TERRAIN]

    def marker_sheet(self):
        return [
            MarkerKind("turn", "Turn", 1, from_="printed"),
            MarkerKind("oddity", "An <odd> thing", 2, "soviet", from_="judged", why="a guess"),
        ]

    def counter_sheet(self):
        front = [Counter(f"{n}", "german", name=f"{n}", figures="4-4", states=("moved",)) for n in range(1, 31)]
        hidden = Counter("s1", "soviet", name="s1", figures="3-2-5", face_down=True)
        return [*((c, None) for c in front), (hidden, hidden)]


@pytest.fixture
def no_browser(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)


@pytest.mark.usefixtures("no_browser")
def test_a4_pages_cover_the_map_and_overlap(tmp_path):
    files = print_sheets(Box(), tmp_path, paper="a4")
    maps = [f for f in files if "-map-" in f.name]
    windows = []
    for file in maps:
        text = file.read_text(encoding="utf-8")
        ET.fromstring(text)
        windows.append([float(v) for v in re.findall(r'<svg x="[^"]+" .*?viewBox="([^"]+)"', text)[0].split()])
    assert len(maps) > 1
    rooms = {tuple(w[2:]) for w in windows}
    assert len(rooms) == 1
    ((wide, _),) = rooms
    lefts = sorted({w[0] for w in windows})
    # 20 mm to the hex: 0.2 mm to the unit.
    assert all(round((a + wide - b) * 0.2, 1) == OVERLAP for a, b in pairwise(lefts))
    paper = {PAPERS["a4"][0] - 2 * MARGIN, PAPERS["a4"][1] - 2 * MARGIN}
    assert any(abs(wide * 0.2 - side) < 0.1 for side in paper)


@pytest.mark.usefixtures("no_browser")
def test_large_paper_takes_the_map_on_one_page(tmp_path):
    names = [f.name for f in print_sheets(Box(), tmp_path, paper="A2")]
    assert names == ["small-game-map.svg", "small-game-counters-1.svg", "small-game-backs-1.svg",
                     "small-game-markers-1.svg", "small-game-charts-1.svg", "small-game.html"]  # fmt: skip
    html = (tmp_path / "small-game.html").read_text(encoding="utf-8")
    assert "size:420mm 594mm" in html
    assert "a game &lt;to print&gt;" in html


@pytest.mark.usefixtures("no_browser")
def test_counters_are_printed_face_up_and_without_states(tmp_path):
    print_sheets(Box(), tmp_path, paper="a2")
    fronts = (tmp_path / "small-game-counters-1.svg").read_text(encoding="utf-8")
    backs = (tmp_path / "small-game-backs-1.svg").read_text(encoding="utf-8")
    assert fronts.count('class="cut"') == 31
    assert ">3-2-5<" in fronts
    assert "»" not in fronts
    assert ">3-2-5<" not in backs


def test_unknown_paper_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no paper 'napkin'"):
        print_sheets(Box(), tmp_path, paper="napkin")


def test_counters_go_on_as_many_pages_as_they_need():
    many = [(Counter(str(n), "soviet", name=str(n), figures="1-1"), None) for n in range(400)]
    pages = counter_pages(many, PAPERS["a4"], "classic", 14.4)
    assert sum(page.body.count('class="cut"') for page in pages) == 400
    assert len(pages) == 3


def test_charts_stay_within_their_page():
    charts = [TERRAIN] * 12
    pages = chart_pages(charts, ["May"], PAPERS["a4"], "classic")
    assert sum(page.body.count(">Terrain</text>") for page in pages) == 24  # title and heading of each
    assert len(chart_pages(charts * 8, [], PAPERS["a4"], "classic")) > 1


def test_the_key_tells_what_the_terrain_chart_says():
    assert terrain_effects(Box(), [TERRAIN]) == {"clear": "Cost 1", "woods": "Cost 2 · Defender 1 left"}


@pytest.mark.usefixtures("no_browser")
def test_backs_lie_behind_their_fronts(tmp_path):
    print_sheets(Box(), tmp_path, paper="a2")
    places = {}
    for kind in ("counters", "backs"):
        page = ET.fromstring((tmp_path / f"small-game-{kind}-1.svg").read_text(encoding="utf-8"))
        rects = [r for r in page.iter("{http://www.w3.org/2000/svg}rect") if r.get("class") == "cut"]
        places[kind] = [(float(r.get("x")), float(r.get("y")), float(r.get("width"))) for r in rects]
    x, y, wide = places["counters"][-1]
    ((back_x, back_y, _),) = places["backs"]
    assert back_y == y
    assert back_x == pytest.approx(PAPERS["a4"][0] - x - wide, abs=0.02)


@pytest.mark.usefixtures("no_browser")
def test_markers_are_printed_as_often_as_they_are_needed(tmp_path):
    print_sheets(Box(), tmp_path, paper="a2")
    page = (tmp_path / "small-game-markers-1.svg").read_text(encoding="utf-8")
    ET.fromstring(page)
    assert page.count('class="cut"') == 3
    assert page.count(">Turn</text>") == 1
    assert page.count("An &lt;odd&gt;") == 2


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_every_game_says_which_markers_it_needs_and_why(game_id):
    game = ladoga.load(game_id)
    markers = game.marker_sheet()
    kinds = {marker.kind for marker in markers}
    assert {"turn", "unsupplied"} <= kinds or {"turn", "rubble"} <= kinds
    for marker in markers:
        assert marker.count > 0
        assert marker.side in ("", *game.sides)
        assert marker.case in game.cases if marker.from_ == "printed" else marker.why
        for palette in ("classic", "distinct"):
            ET.fromstring(marker_face(marker, palette=palette))
    on_the_map = {marker.kind for marker in game.start().table().markers}
    assert on_the_map <= kinds | {"control"}
