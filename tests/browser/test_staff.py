"""The staff at the table: advice in pencil, the sheet for reckoning, and nothing ordered by either."""

import pytest

from server.fields import field, rifles

FIELD = field("german-combat", u12="0504", u30="0505", u32="0505", x1=rifles("0604"), x2=rifles("0908"))


@pytest.fixture
def page(visitor):
    return visitor(bare=True)


def test_the_staff_advises_and_orders_nothing(page, player):
    player.open(FIELD)
    before = player.version
    page.locator(".map").focus()
    page.keyboard.press("a")
    advice = page.locator(".advice")
    advice.wait_for()
    first = advice.locator("[data-counsel=attack]").first
    assert "0604" in first.inner_text()
    assert "falls" in first.inner_text()
    assert page.locator(".pencil [data-advice='0604'] path").count() >= 1
    assert "advice, not orders" in advice.inner_text()
    assert player.version == before
    page.keyboard.press("Escape")
    advice.wait_for(state="detached")
    page.keyboard.press("a")
    advice.wait_for()
    advice.get_by_role("button", name="Set up attack 1").click()
    page.locator(".odds .commit").wait_for()
    assert player.version > before
    assert not page.locator(".moment").count()  # no die is thrown


def test_counters_on_the_sheet_name_their_column_and_the_way_to_a_better_one(page, player):
    player.open(FIELD.replace("german-combat", "german-movement"))
    before = player.version
    player.click_hex("0504")
    page.wait_for_selector(".table[data-chosen='12']")
    page.keyboard.press("w")
    sheet = page.locator(".calculator")
    sheet.wait_for()
    page.keyboard.press("Escape")  # with nothing chosen a click on the enemy only looks at him
    player.click_hex("0604")
    sheet.locator(".ladder .here").wait_for()
    assert "6" in sheet.locator(".ladder .here").inner_text()
    sheet.locator("header .seg button").last.click()
    sheet.locator(".ways .btn").first.click()
    page.wait_for_function("() => document.querySelectorAll('.tray button').length > 1")
    assert sheet.locator(".btn.held").inner_text().endswith("No attack on it now")
    assert player.version == before


def test_a_counter_is_dragged_onto_the_sheet_and_nothing_else_moves(page, player):
    player.open(FIELD.replace("german-combat", "german-movement"))
    page.locator(".map").focus()
    player.click_hex("0604")
    page.keyboard.press("Escape")
    page.keyboard.press("w")
    sheet = page.locator(".calculator")
    sheet.get_by_role("button", name="Overrun").wait_for()
    before, version = player.at("0504"), player.version
    tray = sheet.locator(".tray").bounding_box()
    page.mouse.move(*before)
    page.mouse.down()
    page.mouse.move(before[0] + 30, before[1] + 10, steps=3)
    page.mouse.move(tray["x"] + 60, tray["y"] + 20, steps=6)
    page.wait_for_selector(".dragged")
    assert "Let go to count 12" in sheet.locator(".tray").inner_text()
    page.mouse.up()
    sheet.locator(".tray button").first.wait_for()
    assert player.at("0504") == before, "the map stays where it is"
    assert player.version == version
    sheet.get_by_role("button", name="Overrun").click()
    page.wait_for_function("() => document.querySelector('.calculator .ladder, .calculator .bad')")
