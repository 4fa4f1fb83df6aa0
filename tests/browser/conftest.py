"""A real Chromium against a real server with a real database."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="the browser tests need the playwright package")

from server.serving import Running  # noqa: E402  # after the check above

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
WIDE = {"width": 1440, "height": 900}
BARE = '<svg xmlns="http://www.w3.org/2000/svg" class="ladoga-map"/>'


def find_browser(driver) -> str | None:
    """The installed Chromium; else Debian's package where we are root; else Playwright's own download."""
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if path := shutil.which(name):
            return path
    own = Path(driver.chromium.executable_path)
    if own.exists():
        return str(own)
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "-y", "-q", "chromium"], check=False, capture_output=True)
        if path := shutil.which("chromium"):
            return path
    subprocess.run(["playwright", "install", "chromium"], check=False, capture_output=True)
    return str(own) if own.exists() else None


@pytest.fixture(scope="module")
def chromium() -> Iterator:
    """A browser for the tests of one file: while it is there, a loop runs in this thread, and no other could."""
    with playwright.sync_playwright() as driver:
        path = find_browser(driver)
        if path is None:
            pytest.fail("no browser to test with: install the package chromium, or run `playwright install chromium`")
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def running(tmp_path_factory) -> Iterator[Running]:
    server = Running(tmp_path_factory.mktemp("store") / "matches.db", pictures_folder=tmp_path_factory.mktemp("maps"))
    yield server
    server.stop()


@pytest.fixture
def visitor(chromium, running):
    """Opens browsers of people who do not know each other; complaints of any page fail the test. A ``bare`` table
    has no land under its counters: painting it without a graphics card takes longest of all."""
    contexts, complaints = [], []

    def come(*, bare=False, **wishes):
        context = chromium.new_context(base_url=running.url, **{"viewport": WIDE, "reduced_motion": "reduce", **wishes})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.route(lambda url: not url.startswith(running.url), lambda route: route.abort())
        if bare:
            page.route("**/map/*/*.svg", lambda route: route.fulfill(body=BARE, content_type="image/svg+xml"))
        return page

    yield come
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def page(visitor):
    return visitor()


class Player:
    """What a person does at a table, by mouse and by keys."""

    def __init__(self, page):
        self.page = page
        self._ground = None

    def begin(self, game, **seats):
        """Start a match with the front page's own request, and sit down."""
        self.page.goto(f"/rules/{game}")
        made = self.page.evaluate(
            """async ([game, seats]) => {
                const r = await fetch("/api/matches", {method: "POST", body: JSON.stringify({game, seats})});
                return r.json();
            }""",
            [game, seats],
        )
        self.sit(f"/g/{made['id']}")
        return made

    def open(self, text):
        """Open a position document or a record."""
        self.page.goto("/rules/leningrad-1979")
        made = self.page.evaluate(
            """async (text) => {
                const body = JSON.stringify({text});
                return (await fetch("/api/open", {method: "POST", body})).json();
            }""",
            text,
        )
        self.sit(f"/g/{made['id']}")

    def sit(self, path):
        self.page.goto(path)
        self.page.wait_for_selector("[data-land=ready]", timeout=60000)
        self.lift_curtain()
        self.page.wait_for_selector(".table[data-version]")

    def lift_curtain(self):
        self.page.wait_for_selector(".table[data-version], .curtain")
        if self.page.locator(".curtain button").count():
            self.page.locator(".curtain button").click()
            self.page.wait_for_selector(".table[data-version]")

    @property
    def version(self):
        return int(self.page.locator(".table").get_attribute("data-version") or 0)

    def wait_past(self, version):
        self.page.wait_for_function(
            """v => document.querySelector(".curtain")
                || Number(document.querySelector(".table").dataset.version || 0) > v""",
            arg=version,
        )

    @contextmanager
    def answered(self):
        """Until the table shows what came of the order given here."""
        before = self.version
        yield
        self.wait_past(before)

    def say(self, text):
        """Type an order or a question."""
        self.page.locator(".map").focus()
        self.page.keyboard.press(":")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def order(self, text):
        with self.answered():
            self.say(text)
        self.page.keyboard.press("Escape")

    def click_hex(self, hex_):
        """Click the middle of a hex, wherever it lies."""
        self.page.locator(".map").focus()
        for attempt in range(20):
            x, y, clear = self.page.evaluate(
                """([x, y]) => {
                    const box = document.querySelector(".map").getBoundingClientRect();
                    const m = new DOMMatrix(getComputedStyle(document.querySelector(".world")).transform);
                    const at = [box.left + m.a * x + m.e, box.top + m.d * y + m.f];
                    return [...at, !!document.elementFromPoint(...at)?.closest(".map")];
                }""",
                self.ground[hex_],
            )
            if clear:
                break
            if attempt % 8 == 0:
                self.page.keyboard.press("/")
                self.page.keyboard.type(hex_)
                self.page.keyboard.press("Enter")
                self.page.keyboard.press("Escape")
            self.page.wait_for_timeout(150)
        self.page.mouse.click(x, y)

    def at(self, hex_):
        """Where a hex lies on the screen now."""
        return self.page.evaluate(
            """([x, y]) => {
                const box = document.querySelector(".map").getBoundingClientRect();
                const m = new DOMMatrix(getComputedStyle(document.querySelector(".world")).transform);
                return [box.left + m.a * x + m.e, box.top + m.d * y + m.f];
            }""",
            self.ground[hex_],
        )

    @property
    def ground(self):
        """Where the hexes of the map lie."""
        if self._ground is None:
            self._ground = self.page.evaluate(
                """async () => {
                    const match = location.pathname.split("/")[2];
                    return (await (await fetch(`/api/matches/${match}/map.json`)).json()).hexes;
                }"""
            )
        return self._ground

    def unit(self, unit):
        return self.page.locator(f"[data-unit='{unit}']")

    def log(self):
        return self.page.locator(".log li:not(.heading)")


@pytest.fixture
def player(page):
    return Player(page)


@pytest.fixture
def as_player():
    return Player
