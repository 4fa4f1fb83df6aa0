"""Correcting a map in a real browser, and playing on what came of it."""

import io
import zipfile

import pytest

from ladoga import Record, load
from ladoga.server import showing
from ladoga.server.door import Door
from server.serving import Running

from .conftest import Player
from .test_table import AXE

GAME = "assault-stalingrad"
HEX, PAIR = "1018", "0918/1017"
UNIT, FROM, TO = "16Pz", "0918", "1017"
SET_UP = ["place 10NKVD B3", *(f"place W{n} 1204" for n in range(1, 9)), "end", "end german-air-bombardment"]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("corrections")


@pytest.fixture(scope="module")
def running(tmp_path_factory, home):
    server = Running(
        tmp_path_factory.mktemp("own") / "matches.db", local=True, door=Door("the-owner"),
        corrections=home, pictures_folder=tmp_path_factory.mktemp("maps"),
    )  # fmt: skip
    yield server
    server.stop()


class Editor(Player):
    """What a person does in the map editor."""

    def arrive(self, game=GAME):
        self.page.goto(f"/enter/{Door('the-owner').key()}#{game}")
        self.page.get_by_role("link", name="Correct a map").click()
        self.page.wait_for_url(f"**/edit/{game}")
        self.page.wait_for_selector("[data-land=ready]", timeout=60000)

    @property
    def ground(self):
        if self._ground is None:
            path = f"/api/games/{GAME}/map.json"
            self._ground = self.page.evaluate("async (p) => (await (await fetch(p)).json()).hexes", path)
        return self._ground

    def tool(self, name):
        self.page.locator(f"[data-tool='{name}']").check()

    def click(self, a, b=None):
        """Click a hex in its middle, or close to its side with another."""
        x, y = self.ground[a]
        if b is not None:
            (bx, by) = self.ground[b]
            x, y = x + 0.42 * (bx - x), y + 0.42 * (by - y)
        at = self.page.evaluate(
            """([x, y]) => {
                const box = document.querySelector(".map").getBoundingClientRect();
                const m = new DOMMatrix(getComputedStyle(document.querySelector(".world")).transform);
                return [box.left + m.a * x + m.e, box.top + m.d * y + m.f];
            }""",
            [x, y],
        )
        self.page.mouse.click(*at)

    def changes(self, count):
        """The list of corrections, once the server has told so many."""
        self.page.wait_for_selector(f".editor[data-changes='{count}']")
        return self.page.locator("[aria-label=Corrections] .changes li").all_inner_texts()

    def drawn_with(self, text):
        self.page.wait_for_function("t => document.querySelector('.map').dataset.drawn?.includes(t)", arg=text)


def left_over(game):
    """Points the division has left in each hex it can reach at the start."""
    position = game.start()
    for order in SET_UP:
        position = position.play(order)
    return {hex_: str(way[0]) for hex_, way in showing.choices(position.view("german"), (UNIT,))["reach"].items()}


def test_a_hex_and_a_hexside_corrected_saved_and_played_on(page, home):
    editor = Editor(page)
    editor.arrive()
    land = "() => document.querySelector('.land [data-board=main]').innerHTML"
    before = page.evaluate(land)
    editor.tool("terrain lake")
    editor.click(HEX)
    assert editor.changes(1) == [f"{HEX} is now lake, not clear take back"]
    editor.tool("side river")
    editor.click(*PAIR.split("/"))
    assert editor.changes(2)[1] == f"{PAIR} is now river, not plain take back"
    editor.drawn_with("hexsides")
    assert page.evaluate(land) != before
    assert page.locator("[data-corrected]").count() == 2
    page.fill("#remark", "seen on the printed sheet")
    page.locator("#remark").press("Enter")
    page.wait_for_function("() => document.querySelector('.changes').innerText.includes('printed sheet')")
    page.fill("#save-name", "my-copy")
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector(".editor[data-dirty=false]")
    folder = home / GAME / "my-copy"
    corrected = load(GAME, data=folder)
    words = list(corrected.changes)
    assert words == [
        f"map.yaml: {HEX} is now lake, not clear",
        f"map.yaml: {PAIR} is now river, not plain (seen on the printed sheet)",
    ]
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download").click()
    with zipfile.ZipFile(io.BytesIO(coming.value.path().read_bytes())) as packed:
        assert packed.read("my-copy/map.yaml").decode() == (folder / "map.yaml").read_text()

    page.get_by_role("button", name="Play on this map").click()
    page.wait_for_function("() => document.querySelector('select[aria-label=Map]')?.value === 'my-copy'")
    page.get_by_text("2 corrections").click()
    assert page.locator(".diff li").all_inner_texts() == words
    page.get_by_text("Both", exact=True).click()
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/g/*")
    match = page.url.rpartition("/")[2]
    player = Player(page)
    player.lift_curtain()
    page.wait_for_selector(".sheet .changes li")
    assert page.locator(".sheet .changes li").all_inner_texts() == words
    page.keyboard.press("Escape")
    for order in SET_UP:
        player.order(order)
        player.lift_curtain()
    player.click_hex(FROM)
    page.wait_for_selector(f"[data-way='{TO}']")
    ways, plain = left_over(corrected), left_over(load(GAME))
    assert (plain[TO], HEX in plain) == ("7", True)
    assert page.locator(f"[data-way='{TO}'] text").text_content() == ways[TO] != plain[TO]
    assert page.locator(f"[data-way='{HEX}']").count() == 0
    text = page.evaluate("async (m) => (await fetch(`/api/matches/${m}/record`)).text()", match)
    record = Record.parse(text)
    assert record.header.changes == words
    assert record.last().map.terrain_of(record.last().map.grid.hex(HEX)) == "lake"


def test_by_keyboard_undone_and_kept_as_a_draft(page):
    editor = Editor(page)
    editor.arrive()
    editor.tool("terrain lake")
    page.keyboard.press("/")
    page.keyboard.type("1210")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    (first,) = editor.changes(1)
    assert first == "1211 is now lake, not clear take back"
    editor.tool("side road")
    page.locator(".map").focus()
    page.keyboard.press("]")
    page.keyboard.press("Enter")
    assert "/" in editor.changes(2)[1]
    for _ in range(2):
        page.keyboard.press("u")
    editor.changes(0)
    page.keyboard.press("Shift+U")
    editor.changes(1)
    page.reload()
    page.wait_for_selector("[data-land=ready]")
    assert editor.changes(1) == [first]
    page.get_by_role("button", name="Take back 1211").click()
    editor.changes(0)


def test_saved_corrections_are_deleted_and_stay_as_a_draft(page, home):
    editor = Editor(page)
    editor.arrive()
    editor.tool("terrain lake")
    editor.click(HEX)
    words = editor.changes(1)
    page.fill("#save-name", "for-a-day")
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector(".editor[data-dirty=false]")
    assert (home / GAME / "for-a-day" / "map.yaml").is_file()
    page.get_by_role("button", name="Delete for-a-day").click()
    asked = page.get_by_role("alertdialog")
    assert "for-a-day" in asked.inner_text()
    asked.get_by_role("button", name="Yes, delete them").click()
    page.wait_for_function("() => !document.body.innerText.includes('Delete for-a-day')")
    assert not (home / GAME / "for-a-day").exists()
    assert page.locator("select[aria-label='Load saved corrections'] option[value=for-a-day]").count() == 0
    assert editor.changes(1) == words
    page.get_by_role("button", name="Take all back").click()
    editor.changes(0)


def test_what_is_wrong_is_told_with_its_path_and_changes_nothing(visitor, running, tmp_path):
    context = visitor().context
    page = context.new_page()
    editor = Editor(page)
    editor.arrive()
    bad = tmp_path / "map.yaml"
    bad.write_text("hexes: {1018: jungle}\n")
    page.set_input_files("input[type=file]", bad)
    page.wait_for_selector("p.bad")
    assert "map.hexes.1018: unknown terrain 'jungle'; known: clear" in page.locator("p.bad").inner_text()
    editor.changes(0)
    editor.tool("terrain lake")
    editor.click(FROM)
    page.wait_for_selector(".problems li")
    told = page.locator(".problems li").first.inner_text()
    assert told.startswith(f"map.hexes.{FROM} ")
    assert "starts here" in told
    assert page.get_by_role("button", name="Play on this map").is_disabled()


def test_the_editor_is_accessible(page):
    editor = Editor(page)
    editor.arrive()
    editor.tool("side road")
    editor.click(*PAIR.split("/"))
    editor.changes(1)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    page.wait_for_selector(".spin", state="detached")
    found = page.evaluate("async () => (await axe.run()).violations")
    assert [(v["id"], [n["html"][:90] for n in v["nodes"]]) for v in found] == []
