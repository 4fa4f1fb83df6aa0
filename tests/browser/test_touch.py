"""A whole player-turn with one finger on a phone."""

import pytest

from ladoga import game_ids

from .hands import Hands
from .prepared import prepared

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class Finger(Hands):
    """Everything by touch: buttons are tapped where they lie, hexes on the map itself."""

    def press(self, button):
        button.scroll_into_view_if_needed()
        button.tap()

    def touch(self, hex_):
        self.page.keyboard.press("/")
        self.page.keyboard.type(hex_)
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Escape")
        self.page.wait_for_timeout(250)
        self.page.touchscreen.tap(*self.player.at(hex_))


@pytest.mark.parametrize("game", game_ids())
def test_a_player_turn_by_touch(visitor, as_player, game):
    start = prepared(game)
    player = as_player(visitor(bare=True, **PHONE))
    player.open(start.record(start.turn))
    page = player.page
    side = page.locator(".table").get_attribute("data-side")
    finger = Finger(player, keys=False)
    finger.turn(side)
    assert finger.moved
    assert finger.attacked or game != "leningrad-1979"
    wide = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], "nothing hangs over the edge of the phone"
