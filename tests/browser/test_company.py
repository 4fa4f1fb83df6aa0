"""Two people and a spectator at one table: talk, leaving and coming back, bookmarks, what if, an offer, the end."""

import re

import pytest

from ladoga import load

from .hands import Hands


def acting(players):
    """Whoever is to move."""
    return next(p for p in players if p.page.locator(".table").get_attribute("data-yours") == "true")


def events(player):
    return int(player.page.locator(".table").get_attribute("data-n"))


def give_orders(player, count):
    """A few orders, whatever they are, as long as it is this player's move."""
    hands, start = Hands(player, keys=False), events(player)
    for _ in range(40):
        if events(player) >= start + count or player.page.locator(".table").get_attribute("data-yours") != "true":
            break
        hands.step(hands.look())
        hands.look()
    assert events(player) > start


@pytest.mark.parametrize("game", ["assault-stalingrad", "leningrad41", "tijvin-1941"])
def test_an_evening_in_company(visitor, as_player, game):
    mine, other = load(game).sides
    one, two, third = (as_player(visitor(bare=True)) for _ in range(3))
    made = one.begin(game, **{mine: "me", other: "open"})
    two.page.goto(made["invites"][other])
    two.page.get_by_label("Name").fill("Anna")
    two.page.get_by_role("button", name="Sit down").click()
    two.page.wait_for_selector(".table[data-version]")
    third.sit(f"/g/{made['id']}")

    mover = acting((one, two))
    waiting = two if mover is one else one
    seen = events(waiting)
    waiting.page.goto("/")
    waiting.page.wait_for_selector(".slipcard")
    give_orders(mover, 3)
    waiting.sit(f"/g/{made['id']}")
    digest = waiting.page.locator(".missed")
    assert f"{events(mover) - seen} events since you left" in digest.inner_text()
    digest.get_by_role("button").click()
    waiting.page.wait_for_selector(".scrubber")
    assert waiting.page.locator(".scrubber input").get_attribute("aria-label").startswith(f"Event {seen} of")
    waiting.page.get_by_role("button", name="Now", exact=True).click()

    mover.page.get_by_role("button", name="bookmark", exact=True).click()
    mover.page.wait_for_selector(".jump.marked", state="attached")
    mover.page.locator(".map").focus()
    mover.page.keyboard.press("[")
    mover.page.wait_for_selector(".scrubber select option:nth-child(2)", state="attached")

    two.page.locator(".map").focus()
    two.page.keyboard.press("p")
    two.page.get_by_label("Say something").fill("Your health, Georg")
    two.page.get_by_role("button", name="Say", exact=True).click()
    two.page.wait_for_selector(".talk li")
    for player in (one, third):
        player.page.wait_for_function("() => document.querySelector('.tools sup')?.textContent === '1'")
    two.page.keyboard.press("Escape")

    mover.page.get_by_role("button", name="What if?").click()
    mover.page.wait_for_url(re.compile(rf"/g/(?!{re.escape(made['id'])})"))
    mover.page.wait_for_selector("[data-land=ready]")
    mover.lift_curtain()
    mover.page.wait_for_selector(".table[data-yours=true]")
    give_orders(mover, 1)
    mover.sit(f"/g/{made['id']}")

    one.page.locator(".map").focus()
    one.page.keyboard.press("p")
    one.page.get_by_role("button", name="Offer to end as it stands").click()
    one.page.get_by_role("button", name="Yes, offer it").click()
    one.page.keyboard.press("Escape")
    assert third.page.locator(".toast.ask button").count() == 0
    two.page.get_by_role("button", name="Accept").click()
    for player in (one, two, third):
        player.page.wait_for_selector("dialog.sheet")
        assert "Ended by agreement" in player.page.locator("dialog.sheet").inner_text()
        player.page.wait_for_selector("[data-luck]")
        assert player.page.locator(".good").first.inner_text().startswith("All ")


@pytest.mark.parametrize("game", ["assault-leningrad", "leningrad-2010"])
def test_the_computer_plays_on_and_one_resigns(visitor, as_player, game):
    player = as_player(visitor(bare=True, reduced_motion="no-preference"))
    first = load(game).start().to_move
    other = next(side for side in load(game).sides if side != first)
    player.begin(game, **{first: "greedy", other: "me"})
    page = player.page
    page.wait_for_function("() => Number(document.querySelector('.table').dataset.n) > 1")
    page.wait_for_function("() => Number(document.querySelector('.table').dataset.n) > 6")
    page.keyboard.press("p")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    page.wait_for_selector("dialog.sheet .verdict")
    assert "resigned" in page.locator("dialog.sheet").inner_text()
    assert "by resignation" in page.locator("dialog.sheet .verdict").inner_text()
    assert "(" not in page.locator("dialog.sheet .verdict").inner_text()


def test_the_computer_thinks_in_sight_and_moves_when_told(visitor, as_player):
    player = as_player(visitor(bare=True))
    page = player.page
    player.begin("leningrad-1979", german="general", soviet="me")
    page.get_by_role("button", name="Place for me").click()
    page.wait_for_selector(".btn.end:not(.held)")
    page.locator(".btn.end").click()
    page.wait_for_selector(".waits progress")
    n = int(page.locator(".table").get_attribute("data-n"))
    page.get_by_role("button", name="Move now").click()
    page.wait_for_function("n => Number(document.querySelector('.table').dataset.n) > n", arg=n)
    page.keyboard.press("p")
    page.get_by_role("button", name="Offer to end as it stands").click()
    asked = page.get_by_role(
        "alertdialog", name="Offer to end the game as it stands? The computer accepts if it is ahead."
    )
    asked.get_by_role("button", name="No", exact=True).click()
    asked.wait_for(state="detached")
    assert page.locator(".btn.end", has_text="Game over").count() == 0


def test_a_used_invitation_lets_one_watch_and_says_why(visitor, as_player):
    one, two, late = (as_player(visitor(bare=True)) for _ in range(3))
    made = one.begin("leningrad-1979", german="me", soviet="open")
    two.page.goto(made["invites"]["soviet"])
    two.page.get_by_role("button", name="Sit down").click()
    two.page.wait_for_selector(".table[data-version]")
    late.page.goto(made["invites"]["soviet"])
    # The browser grumbles on its console about a refused request; it is answered here instead.
    late.page.evaluate(
        """() => {
            const fetched = window.fetch;
            window.fetch = async (path, how) => String(path).endsWith("/sit")
                ? new Response('{"message": "this invitation has been used or withdrawn"}', {status: 400})
                : fetched(path, how);
        }"""
    )
    late.page.get_by_role("button", name="Sit down").click()
    late.page.wait_for_selector(".toast")
    assert "You may watch, but not play" in late.page.locator(".toast").inner_text()
    late.page.wait_for_selector(".table[data-version]")


def test_after_the_hand_over_nobody_sees_where_the_other_looked(player):
    player.begin("leningrad41", german="me", soviet="me")
    page = player.page
    side = page.locator(".table").get_attribute("data-side")
    for _ in range(80):
        Hands(player, keys=False).step(Hands(player, keys=False).look())
        page.wait_for_selector(".table[data-busy='0']", state="attached")
        if page.locator(".curtain").count():
            break
    player.lift_curtain()
    page.wait_for_selector(".table[data-busy='0']", state="attached")
    assert page.locator(".table").get_attribute("data-side") != side
    assert page.locator(".inspector").count() == 0
    assert page.locator(".stack").count() == 0


def test_a_game_with_oneself_ends_only_when_meant(player):
    player.begin("leningrad-1979", german="me", soviet="me")
    page = player.page
    page.keyboard.press("p")
    questions = {"End as it stands": "End this game as it stands?", "Resign": "Resign for the Soviet side?"}
    for label, question in questions.items():
        page.get_by_role("button", name=label).click()
        asked = page.get_by_role("alertdialog", name=question)
        asked.get_by_role("button", name="No", exact=True).click()
        asked.wait_for(state="detached")
    assert page.locator(".btn.end", has_text="Game over").count() == 0


def test_a_case_on_the_rules_page_leads_to_it(page):
    page.goto("/rules/leningrad41")
    page.locator(".chart .case").first.click()
    page.wait_for_selector("article.here")
    assert page.url.endswith(f"#{page.locator('article.here .number').inner_text()}")
