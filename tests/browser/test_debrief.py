"""After a game: the debrief as a page, the way back to a moment on the map, the picture, and a rematch."""

from ladoga.analysis.links import table_link
from ladoga.kernel.record import Record

from .prepared import prepared
from .test_staff import FIELD


def test_a_game_that_ended_is_told_and_can_be_shown(visitor, as_player):
    page = visitor(bare=True)
    player = as_player(page)
    player.open(FIELD)
    player.order("target 0604")
    player.order("add 12")
    player.order("commit")
    page.goto(page.url.split("?")[0] + "/debrief")
    assert page.locator("h1").inner_text()
    assert page.locator("svg.curve .line").count() == 1
    assert "Luck" in page.locator("main").inner_text()
    told = page.url
    page.keyboard.press("ArrowRight")
    assert page.locator("output.at").inner_text().startswith("Turn 4: ")
    pins = page.locator("[data-pin]").count()
    if pins:
        page.keyboard.press("1")
        page.wait_for_selector("li.here")
        assert page.locator(".scene img").evaluate("i => i.complete || new Promise(r => i.onload = r)") is not None
        assert page.locator(".scene img").evaluate("i => i.naturalWidth") > 0
    page.get_by_role("link", name="Replay").click()
    page.wait_for_selector(".table.replay")
    answer = page.request.get(told + ".svg")
    assert answer.ok
    assert answer.text().startswith("<svg")
    assert answer.text().count("ladoga-map") >= 1, "the final map is in the picture"


def test_the_curve_of_a_running_game_is_walked_by_keys(visitor, as_player):
    start = prepared("leningrad-1979")
    player = as_player(visitor(bare=True))
    page = player.page
    player.open(start.record(start.attack))
    page.locator(".map").focus()
    page.keyboard.press("v")
    plot = page.locator(".scores .plot")
    plot.wait_for()
    plot.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".scores figcaption").inner_text().startswith("Turn 1: ")
    page.keyboard.press("Enter")
    page.wait_for_selector(".table.replay")


def test_a_report_and_a_debrief_on_paper_lead_to_the_table(visitor, as_player, running, tmp_path):
    """Pages that are files: their links bring the whole record along, and one opens at the moment that it names."""
    start = prepared("tijvin-1941")
    text = start.record(start.turn)
    page = visitor(bare=True)
    page.goto("/rules/tijvin-1941")
    page.goto(table_link(text, 5, f"{running.url}/"))
    page.wait_for_selector(".table.replay")
    assert "at=5" in page.url
    opened = page.url.split("/g/")[1].split("?")[0]
    kept = page.request.get(f"/api/matches/{opened}/record").text()
    assert Record.parse(kept).orders == Record.parse(text).orders
    page.goto("/rules/tijvin-1941")
    page.goto("/#record=nonsense")
    assert "cannot be opened" in page.locator(".notice").inner_text()
