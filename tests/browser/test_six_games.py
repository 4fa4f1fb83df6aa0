"""Every game at the same table: a player-turn, an attack, a refusal, a second browser, the past; all looked at."""

import base64
import os
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

from ladoga import game_ids, load

from .hands import Hands
from .prepared import prepared

GAMES = game_ids()


def lying(page):
    """Which counter lies where on the screen."""
    return page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".counters [data-unit]")]
            .map((p) => [p.dataset.unit, p.dataset.hex]))"""
    )


def orders_of(running, page):
    """The orders of the match on the screen, chance included, as the server has them."""
    match = page.url.split("/g/")[1].split("?")[0]
    return [str(order) for order in running.lobby.rooms[match].match.orders]


def odds_shown(page):
    """Each result in the odds panel with its chance, the rare ones in their own list too."""
    return page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".odds [data-result]")]
            .map((row) => [row.dataset.result, row.querySelector("em").firstChild.textContent]))"""
    )


def shown(chance):
    """A chance as the page rounds it: halves go up."""
    return str(Decimal(float(100 * chance)).quantize(Decimal("0.1"), ROUND_HALF_UP))


def an_illegal_order(view):
    """Something a player might well try in the middle of an attack, and the case against it."""
    tries = ["end", *(f"move {c.id} {c.hex}" for c in view.table().counters if c.hex and c.side == view.side)]
    found = ((text, view.why_not(text)) for text in tries)
    return next((text, refusal) for text, refusal in found if refusal is not None and refusal.case)


@pytest.mark.parametrize("game", GAMES)
def test_a_player_turn_by_mouse_and_the_same_by_keys(visitor, as_player, running, game):
    start = prepared(game)
    ends = []
    for keys in (False, True):
        player = as_player(visitor(bare=True))
        player.open(start.record(start.turn))
        page = player.page
        side = page.locator(".table").get_attribute("data-side")
        hands = Hands(player, keys=keys)

        def undo_and_reload(player=player, page=page):
            """In the middle of a turn: take a move back and make it again, then come back after a reload."""
            n, before = page.locator(".table").get_attribute("data-n"), player.version
            if page.locator(".undo").get_attribute("aria-disabled") == "false":
                moved, orders = lying(page), orders_of(running, page)
                page.locator(".map").focus()
                page.keyboard.press("u")
                player.wait_past(before)
                player.lift_curtain()
                assert lying(page) != moved
                for text in orders[len(orders_of(running, page)) :]:  # the move, and what the enemy answered to it
                    player.order(text)
                    player.lift_curtain()
                assert lying(page) == moved
            page.reload()
            page.wait_for_selector("[data-land=ready]")
            player.lift_curtain()
            page.wait_for_selector(f".table[data-n='{n}']")

        hands.turn(side, None if keys else undo_and_reload)
        assert hands.moved, "somebody moved"
        player.lift_curtain()
        ends.append(orders_of(running, page)[start.turn :])
    assert ends[0] == ends[1], "the same orders and the same dice by mouse and by keys"


@pytest.mark.parametrize("game", GAMES)
def test_an_attack_with_the_engines_odds_and_a_refusal_with_its_case(player, running, game, tmp_path):
    start = prepared(game)
    player.open(start.record(start.attack))
    page = player.page
    position = list(start.positions())[start.attack]
    side = position.to_move
    hands = Hands(player, keys=False)
    while not (seen := hands.look())["odds"]:
        hands.compose(seen)
    page.wait_for_selector(".odds .results li")
    for text in orders_of(running, page)[start.attack :]:
        position = position.play(text)
    told = position.view(side).explain("commit")
    assert odds_shown(page) == {str(value): shown(p) for value, p in told.results}
    cases = page.locator(".shifts").inner_text() if told.modifiers else ""
    assert all(modifier.case in cases for modifier in told.modifiers)
    look_at(page, f"{game}-odds", tmp_path)
    n = page.locator(".table").get_attribute("data-n")
    player.say("commit nonsense")
    page.wait_for_selector(".toast")
    page.keyboard.press("Escape")
    illegal, refusal = an_illegal_order(position.view(side))
    player.say(illegal)
    page.wait_for_selector(".toast .case")
    assert page.locator(".toast .case").inner_text() == refusal.case
    assert refusal.message in page.locator(".toast").inner_text()
    page.locator(".toast .case").click()
    page.wait_for_selector("dialog.sheet article.here")
    assert page.locator("article.here .number").inner_text() == refusal.case
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert page.locator(".table").get_attribute("data-n") == n, "nothing happened"
    before = player.version
    page.get_by_role("button", name="Commit attack").click()
    player.wait_past(before)
    player.lift_curtain()


@pytest.mark.parametrize("game", GAMES)
def test_the_past_is_as_it_was(player, game, tmp_path):
    start = prepared(game)
    player.open(start.record(start.attack))
    page = player.page
    positions = list(start.positions())
    page.locator(".map").focus()
    page.keyboard.press("[")
    page.wait_for_selector(".scrubber")
    audience = page.locator(".table").get_attribute("data-side")
    for n in (start.attack // 3, start.turn, 1, start.attack - 2):
        page.locator(".scrubber input[type=range]").fill(str(n))
        expected = {c.id: c.hex for c in positions[n].view(audience).table().counters if c.hex}
        page.wait_for_function(
            "n => document.querySelector('.scrubber input').getAttribute('aria-label').startsWith(`Event ${n} of`)",
            arg=n,
        )
        page.wait_for_function(
            """want => {
                const there = [...document.querySelectorAll(".counters [data-unit]")];
                return there.length === Object.keys(want).length
                    && there.every((p) => want[p.dataset.unit] === p.dataset.hex);
            }""",
            arg=expected,
            timeout=8000,
        )
    page.get_by_role("button", name="Now", exact=True).click()
    page.wait_for_selector(".scrubber", state="detached")
    look_at(page, f"{game}-table", tmp_path)


@pytest.mark.parametrize("game", GAMES)
def test_two_browsers_by_a_link_each_with_its_own_eyes(visitor, as_player, running, game):
    sides = load(game).sides
    first = load(game).start()
    mine = first.to_move if first.to_move in sides else sides[0]
    other = next(side for side in sides if side != mine)
    one, two, third = (as_player(visitor(bare=True)) for _ in range(3))
    made = one.begin(game, **{mine: "me", other: "open"})
    two.page.goto(made["invites"][other])
    two.page.wait_for_selector(f"h1:has-text('{other.capitalize()} side')")
    assert load(game).title in two.page.locator(".curtain").inner_text()
    two.page.get_by_label("Name").fill("Anna")
    two.page.get_by_role("button", name="Sit down").click()
    two.page.wait_for_selector("[data-land=ready]")
    one.page.wait_for_function("() => document.querySelector('.table').dataset.version")
    hands = Hands(one if one.page.locator(".table").get_attribute("data-yours") == "true" else two, keys=False)
    acting, watching = (one, two) if hands.player is one else (two, one)
    versions = {p: p.version for p in (acting, watching)}
    n = int(acting.page.locator(".table").get_attribute("data-n"))
    for _ in range(6):
        hands.step(hands.look())
        if int(acting.page.locator(".table").get_attribute("data-n")) > n:
            break
    watching.wait_past(versions[watching])
    third.sit(f"/g/{made['id']}")
    assert third.page.locator(".table").get_attribute("data-yours") == "false"
    position = load(game).start()
    for text in orders_of(running, acting.page):
        position = position.play(text)
    for player in (one, two):
        side = mine if player is one else other
        assert lying(player.page) == {c.id: c.hex for c in position.view(side).table().counters if c.hex}
    assert lying(third.page) == {c.id: c.hex for c in position.view("observer").table().counters if c.hex}
    if acting is two:
        assert "Anna" in one.page.locator(".waits").inner_text()


def look_at(page, name, tmp_path):
    """A picture of the screen: not blank, nothing undrawn, nothing over the edge; kept where LADOGA_SHOTS says."""
    page.wait_for_function("() => !document.querySelector('.piece .blank')")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    path = Path(os.environ.get("LADOGA_SHOTS") or tmp_path) / f"{name}.png"
    page.screenshot(path=path)
    colours = page.evaluate(
        """async (data) => {
            const image = new Image();
            image.src = data;
            await image.decode();
            const canvas = new OffscreenCanvas(image.width, image.height);
            const pen = canvas.getContext("2d");
            pen.drawImage(image, 0, 0);
            const pixels = pen.getImageData(0, 0, image.width, image.height).data;
            const seen = new Set();
            for (let i = 0; i < pixels.length; i += 52) seen.add(pixels.slice(i, i + 3).join());
            return seen.size;
        }""",
        f"data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}",
    )
    assert colours > 500, "a map and counters have many colours"


def test_the_name_of_a_place_hides_no_figures_of_the_counters_in_it(player):
    """It stands below them; names of empty places are where the map has them."""
    player.begin("leningrad-1979", german="me", soviet="me")
    low, foot, moved = player.page.evaluate(
        """() => {
            const name = [...document.querySelectorAll(".town-names .name")].find((t) => t.textContent === "Tilsit");
            const feet = [...document.querySelectorAll('.piece[data-hex="0111"] .face, .piece[data-hex="0111"]')]
                .map((p) => p.getBoundingClientRect().bottom);
            const empty = [...document.querySelectorAll(".town-names .name")].find((t) => t.textContent === "Riga");
            const box = name.getBoundingClientRect();
            return [box.top + box.height / 2, Math.max(...feet), empty.hasAttribute("transform")];
        }"""
    )
    assert low > foot - 4
    assert not moved
