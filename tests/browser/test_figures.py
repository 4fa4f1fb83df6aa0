"""Figures of the table, reported rather than asserted: the machine decides what they are."""

import gzip
import os
import random
import statistics
import time
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

import ladoga.web
from ladoga import game_ids
from server.serving import Guest, Table

from .prepared import prepared

STATIC = Path(ladoga.web.__file__).parent / "static" / "assets"


def report(record_property, capsys, name, value):
    record_property(name, value)
    with capsys.disabled():
        print(f"\n    {name}: {value}")


def test_the_client_is_small(record_property, capsys):
    size = sum(len(gzip.compress(path.read_bytes())) for path in STATIC.glob("*") if path.suffix in (".js", ".css"))
    report(record_property, capsys, "client, kB gzipped", round(size / 1000, 1))
    assert size < 110_000


PAINTED = """() => {
    const look = setInterval(() => {
        if (!document.querySelector("[data-land=ready]") || !document.querySelector(".piece, .waiting")) return;
        clearInterval(look);
        requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("painted")));
    }, 4);
}"""


@pytest.mark.parametrize("game", game_ids())
def test_the_first_paint_of_a_map(player, record_property, capsys, game):
    """From the request to the frame that shows land and counters; the browser has nothing yet, the server is warm."""
    page = player.page
    player.begin(game, german="me", soviet="me")
    url = page.url
    page.add_init_script(f"({PAINTED})()")
    session = page.context.new_cdp_session(page)
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    took = []
    for _ in range(2):
        page.goto(url)
        page.wait_for_function(
            "() => performance.getEntriesByName('painted').length || document.querySelector('.curtain')"
        )
        player.lift_curtain()
        page.wait_for_function("() => performance.getEntriesByName('painted').length")
        took.append(page.evaluate("performance.getEntriesByName('painted')[0].startTime"))
    report(record_property, capsys, f"{game}: first map paint, ms", round(min(took)))


def test_pan(player, record_property, capsys):
    player.begin("assault-leningrad", german="me", soviet="me")
    page = player.page
    page.evaluate(
        """() => {
            window.frames_ = [];
            const tick = (t) => {
                window.frames_.push(t);
                if (window.frames_.length < 90) requestAnimationFrame(tick);
            };
            requestAnimationFrame(tick);
        }"""
    )
    page.mouse.move(600, 450)
    page.mouse.down()
    for step in range(60):
        page.mouse.move(600 - 4 * step, 450 - 2 * step)
    page.mouse.up()
    page.wait_for_function("() => window.frames_.length >= 90")
    frames = page.evaluate("window.frames_")
    gaps = sorted(b - a for a, b in pairwise(frames))
    report(record_property, capsys, "pan, frames a second (median)", round(1000 / statistics.median(gaps)))
    report(record_property, capsys, "pan, slowest frame in twenty, ms", round(gaps[int(len(gaps) * 0.95)], 1))


TRACED = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"]


def longest_task(page, act):
    """The longest the page's own thread works without a pause while something is done, in milliseconds of that
    thread's processor time: what else the machine does at the time does not count."""
    session = page.context.new_cdp_session(page)
    events, done = [], []
    session.on("Tracing.dataCollected", lambda told: events.extend(told["value"]))
    session.on("Tracing.tracingComplete", lambda _: done.append(True))
    session.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": {"includedCategories": TRACED}})
    act(page)
    session.send("Tracing.end")
    while not done:
        page.wait_for_timeout(50)
    session.detach()
    main = {
        (e["pid"], e["tid"]) for e in events if e["name"] == "thread_name" and e["args"]["name"] == "CrRendererMain"
    }
    tasks = (e for e in events if e.get("ph") == "X" and e["name"].endswith("RunTask") and (e["pid"], e["tid"]) in main)
    return max(e.get("tdur", 0) / 1000 for e in tasks)


def drag_the_map(page):
    page.mouse.move(600, 450)
    page.mouse.down()
    for step in range(60):
        page.mouse.move(600 - 4 * step, 450 - 2 * step)
    page.mouse.up()
    page.wait_for_timeout(600)


def zoom_in_and_out(page):
    page.mouse.move(600, 450)
    for way in (-200, 200):
        for _ in range(8):
            page.mouse.wheel(0, way)
            page.wait_for_timeout(40)
        page.wait_for_timeout(900)


def whole_map_and_back(page):
    """From close by, where most is drawn."""
    page.mouse.move(600, 450)
    for _ in range(4):
        page.mouse.wheel(0, -200)
    page.wait_for_timeout(900)
    page.locator(".map").focus()
    for _ in range(2):
        page.keyboard.press("0")
        page.wait_for_timeout(900)


def choose_and_show(page):
    """Unit after unit with its reach, and layers on and off."""
    page.locator(".map").focus()
    for key in (".", ".", "z", "z", "s", "s", ".", "Escape"):
        page.keyboard.press(key)
        page.wait_for_timeout(250)


def carry_a_counter(page):
    """A counter from the map onto the sheet for reckoning."""
    page.keyboard.press("w")
    page.wait_for_selector(".calculator")
    x, y = page.evaluate(
        """() => [...document.querySelectorAll(".piece")].map((e) => e.getBoundingClientRect())
            .filter((r) => r.x > 100 && r.x < 900 && r.y > 150 && r.y < 700)
            .map((r) => [r.x + r.width / 2, r.y + r.height / 2])[0] ?? [500, 400]"""
    )
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(40):
        page.mouse.move(x + (1200 - x) * step / 40, y)
    page.mouse.up()
    page.wait_for_timeout(400)
    page.keyboard.press("Escape")


@pytest.mark.parametrize("game", game_ids() if os.environ.get("LADOGA_FIGURES") else ["assault-leningrad"])
def test_how_long_the_page_works_without_a_pause(player, record_property, capsys, game):
    """Dragging, zooming, choosing and carrying; a tenth of a second is where people begin to feel it. `make figures`
    tells it of every game, the suite of the one with most counters."""
    player.open(prepared(game).record(prepared(game).turn))
    page = player.page
    page.wait_for_timeout(1500)
    for act in (drag_the_map, zoom_in_and_out, whole_map_and_back, choose_and_show, carry_a_counter):
        took = longest_task(page, act)
        name = f"{game}: {act.__name__.replace('_', ' ')}, longest task, ms of its thread"
        report(record_property, capsys, name, round(took, 1))
        assert took > 0


@pytest.mark.parametrize("game", game_ids())
def test_the_answer_to_an_order(running, record_property, capsys, game):
    """From the order to the answer, for somebody who orders as fast as answers come: random orders of a real game."""
    rng, took = random.Random(5), []
    with closing(Guest(running)) as guest:
        opened = guest.post("/api/open", text=prepared(game).record(prepared(game).turn)).json()
        with closing(Table(guest, opened["id"])) as table:
            table.hear("people")
            while len(took) < 40:
                state = next(m for m in reversed(table.heard) if m["t"] in ("state", "curtain"))
                if state["t"] == "curtain":
                    table.ask("ready", side=state["side"])
                    continue
                text = _some_order(table, state["offers"], rng)
                began = time.perf_counter()
                reply = table.ask("order", action=f"order-{time.monotonic_ns()}", version=state["version"], text=text)
                took.append(1000 * (time.perf_counter() - began))
                assert reply["ok"], reply
    took.sort()
    report(record_property, capsys, f"{game}: order to answer, ms (median)", round(statistics.median(took), 1))
    report(record_property, capsys, f"{game}: order to answer, ms (p95)", round(took[int(len(took) * 0.95)], 1))


def _some_order(table, offers, rng):
    units = list(offers["units"])
    listed = table.ask("of", units=[rng.choice(units)])["orders"] if units else []
    if listed:
        return rng.choice(listed)["text"]
    return rng.choice([*offers["orders"], *(text for texts in offers["hexes"].values() for text in texts)])
