"""Every game at the same table: acted in by mouse and by keys, drawn, and looked at."""

import pytest

from ladoga import game_ids


def act(player, *, keys):
    """Give the first order that the table offers, whatever the game; the version moves on."""
    page = player.page
    player.lift_curtain()
    before = player.version
    if page.locator(".odds .btn.commit").count():
        _press(page, page.locator(".odds .btn.commit"), keys)
    elif page.locator(".decisions button").count() and not page.locator(".piece.can, .waiting button").count():
        _press(page, page.locator(".decisions button").first, keys)
    elif page.locator(".waiting button, .piece.can").count():
        _order_a_unit(player, keys)
    elif page.locator("[data-offer]").count():
        _touch(player, page.locator("[data-offer]").first.get_attribute("data-offer"), keys)
    else:
        page.locator(".map").focus()
        page.keyboard.press("n")
        if page.locator(".toast.ask").count():
            page.keyboard.press("n")
    if player.version == before and page.locator(".odds .btn.commit").count():
        _press(page, page.locator(".odds .btn.commit"), keys)
    if player.version == before and page.locator(".menu button").count():
        _press(page, page.locator(".menu button").first, keys)
    player.wait_past(before)


def _press(page, button, keys):
    if keys:
        button.focus()
        page.keyboard.press("Enter")
    else:
        button.click()


def _touch(player, hex_, keys):
    if not keys:
        player.click_hex(hex_)
        return
    page = player.page
    page.locator(".map").focus()
    page.keyboard.press("/")
    page.keyboard.type(hex_)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.wait_for_function("hex => document.querySelector('.inspector b')?.textContent === hex", arg=hex_)
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)


def _order_a_unit(player, keys):
    page = player.page
    page.locator(".map").focus()
    before = player.version
    if keys:
        page.keyboard.press(".")
    elif page.locator(".waiting button").count():
        page.locator(".waiting button").first.click()
    else:
        player.click_hex(page.locator(".piece.can").last.get_attribute("data-hex"))
    page.wait_for_function(
        """v => document.querySelector("[data-way], .stack .acts .go, .curtain")
            || Number(document.querySelector(".table").dataset.version) > v""",
        arg=before,
    )
    if player.version != before:
        return
    if page.locator("[data-way]").count():
        _touch(player, page.locator("[data-way]").first.get_attribute("data-way"), keys)
    else:
        _press(page, page.locator(".stack .acts .go").first, keys)
    page.wait_for_timeout(200)


@pytest.mark.parametrize("keys", [False, True], ids=["mouse", "keys"])
@pytest.mark.parametrize("game", game_ids())
def test_the_first_orders(player, game, keys):
    player.begin(game, german="me", soviet="me")
    for _ in range(4):
        act(player, keys=keys)
    player.lift_curtain()
    page = player.page
    assert int(page.locator(".table").get_attribute("data-n")) >= 4
    assert page.locator(".map .land .board").count() >= 1
    assert page.locator(".piece").count() > 3
    assert page.locator(".piece .blank").count() == 0, "every counter on the map has its face"


@pytest.mark.parametrize("game", game_ids())
def test_a_refusal_and_the_undo(player, game):
    player.begin(game, german="me", soviet="me")
    page = player.page
    player.say("end end end")
    page.wait_for_selector(".toast")
    page.keyboard.press("Escape")
    page.locator(".map").focus()
    act(player, keys=False)
    player.lift_curtain()
    if page.locator(".undo").is_enabled():
        before = player.version
        page.keyboard.press("u")
        player.wait_past(before)
        assert page.locator(".table").get_attribute("data-n") == "0"
