"""After a game: the debrief as a page, the way back to a moment on the map, the picture, and a rematch."""

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
    page.get_by_role("link", name="Replay").click()
    page.wait_for_selector(".table.replay")
    answer = page.request.get(told + ".svg")
    assert answer.ok
    assert answer.text().startswith("<svg")
