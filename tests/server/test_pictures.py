"""Pictures of the land: they come with the program, and cost nothing a second time."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from ladoga import game_ids, load
from ladoga.drawing import shores_of
from ladoga.kernel.map import MapChange
from ladoga.server import pictures
from ladoga.server.draw import Wish, draw


@pytest.mark.parametrize("game", game_ids())
def test_every_board_comes_drawn_in_all_colours(game):
    """After a change of a map or of the drawing code: make maps."""
    game_map = load(game).map
    for board in game_map.grid.boards:
        wish = Wish(game_map.file, game_map.change, shores_of(game), board.name, "dark")
        assert pictures.shipped(pictures.fingerprint(wish)).keys() == set(pictures.PALETTES), "run make maps"


def test_what_comes_drawn_is_what_would_be_drawn():
    game_map = load("tijvin-1941").map
    wish = Wish(game_map.file, game_map.change, shores_of("tijvin-1941"), "main", "classic")
    assert pictures.shipped(pictures.fingerprint(wish))["classic"] == draw(wish)


def test_a_corrected_map_has_another_fingerprint():
    game_map = load("leningrad-1979").map
    plain = Wish(game_map.file, game_map.change, None, "main", "classic")
    blank = Wish(game_map.file, type(game_map.change)(blank=(4, 4)), None, "main", "classic")
    assert pictures.fingerprint(plain) != pictures.fingerprint(blank)
    assert pictures.shipped(pictures.fingerprint(blank)) == {}


def test_an_atlas_remembers_of_a_drawing_only_the_drawing(monkeypatch):
    drawn = []

    async def pencil(asked):
        drawn.append(asked)
        await asyncio.sleep(0.01)
        return "<svg/>"

    monkeypatch.setattr(pictures, "_drawn", pencil)
    blank = load("leningrad-1979").map.changed(MapChange(blank=(4, 4)))

    async def three_at_once():
        atlas = pictures.Atlas(None)
        asked = [atlas.map(blank, None, "main", "classic", keep=False) for _ in range(3)]
        assert {picture.text for picture in await asyncio.gather(*asked)} == {"<svg/>"}
        return atlas

    with ThreadPoolExecutor(1) as apart:  # browser tests may leave a loop running in this thread
        assert not apart.submit(asyncio.run, three_at_once()).result()._drawing
    assert len(drawn) == 1


def test_a_browser_that_has_a_picture_is_not_sent_it_again(guest):
    for path in ("/api/games/tijvin-1941/map/main/classic.svg", "/api/games/tijvin-1941/card/dark.svg"):
        first = guest.http.get(path)
        assert first.status_code == 200
        assert first.text.startswith("<svg")
        again = guest.http.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert again.status_code == 304
        plain = guest.http.get(path, headers={"Accept-Encoding": "identity"})
        assert plain.text == first.text


@pytest.mark.parametrize("game", game_ids())
def test_a_card_shows_land_and_counters(guest, game):
    drawing = guest.http.get(f"/api/games/{game}/card/classic.svg").text
    assert len(drawing) < 400_000
    lying = {counter.hex for counter in load(game).start().view("observer").table().counters if counter.hex}
    assert drawing.count("scale(.6)") >= min(len(lying), 3)
    assert guest.http.get(f"/api/games/{game}/card/pink.svg").status_code == 404


def test_the_page_of_a_table_names_its_map_before_the_table_speaks(guest):
    """So that the browser can fetch it at once; a map of the match's own is told of by the table."""
    made = guest.begin("assault-leningrad", german="me", soviet="me")
    assert (
        '<meta name="ground" content="/api/games/assault-leningrad main inset" />'
        in guest.http.get(f"/g/{made['id']}").text
    )
    blank = 'game: leningrad-1979\nturn: 4\nphase: german-movement\nmap: {blank: [4, 4]}\nunits: {12: {hex: "0101"}}\n'
    opened = guest.post("/api/open", text=blank).json()
    for match in (opened["id"], "none"):
        assert 'name="ground"' not in guest.http.get(f"/g/{match}").text
