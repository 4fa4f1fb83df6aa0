"""A newcomer learns a game at its small position: the guide points at a hex that is there, and stays away once left."""

import pytest

from ladoga import game_ids

LESSON = """async (game) => (await fetch("/api/matches", {method: "POST", body: JSON.stringify(
    {game, seats: {german: "me", soviet: "recruit"}, kind: "lesson"})})).json()"""


@pytest.mark.parametrize("game", game_ids())
def test_the_first_lesson_of_every_game_points_at_a_hex_of_its_own(visitor, as_player, game):
    page = visitor(bare=True)
    player = as_player(page)
    page.goto(f"/rules/{game}")
    player.sit(f"/g/{page.evaluate(LESSON, game)['id']}")
    guide = page.locator(".guide")
    guide.wait_for()
    for _ in range(4):
        if guide.get_attribute("data-at"):
            break
        step = guide.get_attribute("data-step")
        guide.get_by_role("button", name="I know this").click()
        page.wait_for_function("s => document.querySelector('.guide')?.dataset.step !== s", arg=step)
    hex_ = guide.get_attribute("data-at")
    assert hex_ in player.ground
    assert page.locator(".rings .guided").count() == 1
    page.wait_for_timeout(400)
    x, y = player.at(hex_)
    card = guide.bounding_box()
    assert not (card["x"] < x < card["x"] + card["width"] and card["y"] < y < card["y"] + card["height"])


def test_the_guide_points_at_what_it_names_and_does_not_come_back(visitor, as_player):
    page = visitor(bare=True)
    player = as_player(page)
    page.goto("/rules/tijvin-1941")
    made = page.evaluate(
        """async () => (await fetch("/api/matches", {method: "POST", body: JSON.stringify(
            {game: "assault-leningrad", seats: {german: "me", soviet: "recruit"}, kind: "lesson"})})).json()"""
    )
    player.sit(f"/g/{made['id']}")
    guide = page.locator(".guide")
    guide.wait_for()
    assert "German seat" in guide.inner_text() or "GERMAN SEAT" in guide.inner_text()
    guide.get_by_role("button", name="I know this").click()
    page.wait_for_function("() => document.querySelector('.guide')?.dataset.at")
    hex_ = guide.get_attribute("data-at")
    assert hex_ in guide.inner_text()
    assert page.locator(".rings .guided").count() == 1
    ends = page.locator(".pointer path").get_attribute("d").replace("Q", " ").replace("M", " ").split()[4:6]
    x, y = player.at(hex_)
    main = page.locator("main").bounding_box()
    assert abs(float(ends[0]) + main["x"] - x) < 70, "the line leads to the hex"
    assert abs(float(ends[1]) + main["y"] - y) < 70
    card = guide.bounding_box()
    assert not (card["x"] < x < card["x"] + card["width"] and card["y"] < y < card["y"] + card["height"])
    step = guide.get_attribute("data-step")
    player.click_hex(hex_)
    page.wait_for_function("s => document.querySelector('.guide')?.dataset.step !== s", arg=step)
    met = page.locator(".guide .progress .on").count()
    assert met >= 2
    page.evaluate("() => localStorage.clear()")
    page.reload()
    guide.wait_for()
    assert page.locator(".guide .progress .on").count() >= met, "the server remembers the seat"
    page.get_by_role("button", name="leave the guide").click()
    guide.wait_for(state="detached")
    page.reload()
    page.wait_for_selector(".table[data-version]")
    page.wait_for_timeout(500)
    assert not guide.count()
