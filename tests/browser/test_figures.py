"""Figures of the table, reported rather than asserted: the machine decides what they are."""

import gzip
import statistics
import time
from itertools import pairwise
from pathlib import Path

import ladoga.web
from server.serving import Guest, Table

STATIC = Path(ladoga.web.__file__).parent / "static" / "assets"


def report(record_property, capsys, name, value):
    record_property(name, value)
    with capsys.disabled():
        print(f"\n    {name}: {value}")


def test_the_client_is_small(record_property, capsys):
    size = sum(len(gzip.compress(path.read_bytes())) for path in STATIC.glob("*") if path.suffix in (".js", ".css"))
    report(record_property, capsys, "client, kB gzipped", round(size / 1000, 1))
    assert size < 80_000


def test_paint_and_pan(player, record_property, capsys):
    player.begin("assault-leningrad", german="me", soviet="me")
    page = player.page
    page.reload()
    page.wait_for_selector("[data-land=ready]")
    paint = page.evaluate("performance.getEntriesByName('land')[0].startTime")
    report(record_property, capsys, "first map paint, ms", round(paint))
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


def test_the_answer_to_an_order(running, record_property, capsys):
    guest = Guest(running)
    table = Table(guest, guest.begin(german="me", soviet="me")["id"])
    table.hear("state")
    took = []
    for _ in range(12):
        for unit, hex_ in [("i12", "1308"), ("i13", "1408"), ("i14", "1508")]:
            state = table.state()
            began = time.perf_counter()
            action = f"order-{time.monotonic_ns()}"
            assert table.ask("order", action=action, version=state["version"], text=f"place {unit} {hex_}")["ok"]
            took.append(1000 * (time.perf_counter() - began))
        state = table.state()
        assert table.ask("undo", action=f"undo-{time.monotonic_ns()}", version=state["version"], to=0)["ok"]
    took.sort()
    report(record_property, capsys, "order to answer, ms (median)", round(statistics.median(took), 1))
    report(record_property, capsys, "order to answer, ms (p95)", round(took[int(len(took) * 0.95)], 1))
    table.close()
    guest.close()
