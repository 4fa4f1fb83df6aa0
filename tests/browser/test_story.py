"""What a fight and an enemy turn tell: the throw, what is owed, the advance, the digest, the far edge, the margin."""

import re

import pytest
from playwright.sync_api import expect

from ladoga import game_ids, load
from server.fields import field, rifles

from .hands import Hands
from .prepared import prepared
from .test_table import ENGAGED, check
from .test_table import FIELD as APART

GAME = "leningrad-1979"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def page(visitor):
    return visitor(bare=True)


def moments(start):
    """Positions of a prepared game with their numbers."""
    return list(enumerate(start.positions()))


def first(start, test):
    """The first moment at which something holds."""
    return next(n for n, position in moments(start) if position.to_move in position.game.sides and test(position))


def roles(position):
    return {position.game.role(order).value for order in position.legal}


def in_sight(page, selector):
    """Whether the whole of something is on the screen, and nothing lies over its middle."""
    return page.evaluate(
        """q => {
            const e = document.querySelector(q), r = e?.getBoundingClientRect();
            if (!r || r.top < 0 || r.bottom > innerHeight || r.left < 0 || r.right > innerWidth) return false;
            const at = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
            return e.contains(at) || at.contains(e);
        }""",
        selector,
    )


ATTACK = ["move 12 0504", "end german-movement", "target 0604", "add 12", "add 30"]
FIELD = field("german-movement", u12="0304", u30="0505", x1=rifles("0604"), x2=rifles("0908"))


def test_a_throw_tells_the_die_the_cell_and_what_each_side_owes(player):
    player.open(FIELD)
    page = player.page
    for order in ATTACK:
        player.order(order)
    attackers = page.locator(".odds .sides-of .chips").first.locator("svg")
    expect(attackers, "both attackers are shown").to_have_count(2)
    shown = page.locator(".odds .chances b").all_inner_texts()
    assert shown
    assert all(re.fullmatch(r"\d+\.\d %", text) for text in shown)
    before = player.version
    page.evaluate("""() => {
        const said = document.querySelector('[data-testid=said]');
        window.heard = [];
        const every = { childList: true, characterData: true, subtree: true };
        new MutationObserver(() => window.heard.push(said.textContent)).observe(said, every);
    }""")
    page.get_by_role("button", name="Commit attack").click()
    player.wait_past(before)
    page.wait_for_selector(".moment .result")
    code = page.locator(".moment .result strong").inner_text()
    assert page.locator(".crt.thrown .cell").inner_text() == code
    die = page.locator(".moment .die").get_attribute("aria-label").split()[1]
    row = page.locator(".crt.thrown .row td").first.inner_text()
    assert row == die
    assert page.locator(".crt.thrown th.lit").inner_text() in page.locator(".moment h3").inner_text()
    page.wait_for_function("c => window.heard.some((said) => said.includes(`result ${c}`))", arg=code)
    assert page.locator(".die-slip .die").count() == 1
    check(page, "moment")


@pytest.mark.parametrize("game", game_ids())
def test_what_is_owed_is_paid_with_one_click_that_says_what_it_does(visitor, as_player, game):
    start = prepared(game)
    try:
        n = first(start, lambda p: roles(p) & {"lose", "retreat"} and roles(p) <= {"lose", "retreat", "end", "wait"})
    except StopIteration:
        pytest.skip("nobody had to pay in this game")
    player = as_player(visitor(bare=True))
    player.open(start.record(n))
    page = player.page
    position = list(start.positions())[n]
    page.wait_for_selector(".outcome [data-order]")
    legal = {str(order) for order in position.legal}
    buttons = page.locator(".outcome [data-order]")
    for text, label in zip(
        buttons.evaluate_all("bs => bs.map(b => b.dataset.order)"), buttons.all_inner_texts(), strict=True
    ):
        assert text in legal
        assert label.startswith(("Take a step", "Retreat", "Advance", "Only", "All"))
        if text.startswith("retreat") and len(text.split()) == 2:
            assert "lost" in label
    assert "held" in page.locator(".btn.end").get_attribute("class") or roles(position) & {"end"}
    names = page.locator(".outcome .who b").all_inner_texts()
    assert names
    assert not set(names) & set(position.document()["units"]), "units go by their names, not by what orders call them"
    assert not [name for name in names if re.search(r"\bback-\d", name)]
    before = player.version
    buttons.first.click()
    player.wait_past(before)


def test_all_advance_with_one_click_and_go_on_together(player):
    start = prepared(GAME)
    n = first(start, lambda p: roles(p) == {"advance"} and len({u for o in p.legal for u in o.units}) > 2)
    player.open(start.record(n))
    page = player.page
    hex_ = page.locator(".outcome [data-advance]").first.get_attribute("data-advance")
    assert page.locator(f"[data-vacant='{hex_}']").count() == 1, "the empty hex is lit"
    assert page.locator(".btn.end").inner_text().startswith("End movement")
    assert "Advance one unit first" in page.locator(".btn.end").inner_text()
    units = {u for o in list(start.positions())[n].legal for u in o.units}
    page.locator(f".outcome [data-advance='{hex_}']").click()
    page.wait_for_selector(".outcome", state="detached")
    chosen = "n => document.querySelector('.table').dataset.chosen.split(' ').length === n"
    page.wait_for_function(chosen, arg=len(units))
    assert set(page.locator(".table").get_attribute("data-chosen").split()) == units
    for unit in units:
        assert player.unit(unit).get_attribute("data-hex") == hex_


def test_a_held_button_says_why_and_shows_whom(player):
    player.begin(GAME, german="me", soviet="me")
    page = player.page
    end = page.locator(".btn.end")
    assert end.get_attribute("aria-disabled") == "true"
    assert end.locator("small").inner_text().lower() == "7 units to place"
    end.click(force=True)  # it can be pressed all the same
    page.wait_for_selector(".toast .case")
    page.wait_for_selector("[data-way]")
    assert page.locator(".table").get_attribute("data-n") == "0"


def test_the_enemys_turn_is_told_and_can_be_stepped_through(player):
    start = prepared(GAME)
    side = "german"
    n = first(start, lambda p: p.turn == 2 and p.to_move == side and p.phase.side == side)
    player.open(start.record(n))
    page = player.page
    page.wait_for_selector(".digest")
    assert page.locator(".banner h2").inner_text().startswith("Your turn: German")
    positions = list(start.positions())
    begin = max(k for k in range(n) if positions[k].phase.side == side)
    attacks = sum(1 for k in range(begin, n) if start.orders[k].verb in ("commit", "overrun", "attack"))
    tallies = page.locator(".tallies b").all_inner_texts()
    assert int(tallies[1]) == attacks == page.locator(".digest ol li").count()
    assert page.locator(".story .disc").count() == attacks
    assert page.locator(".story .told").count() > 0
    check(page, "digest")
    page.locator(".map").focus()
    page.keyboard.press("[")
    page.wait_for_selector(".scrubber")
    page.wait_for_selector(".ticks .here")
    page.keyboard.press("]")
    page.wait_for_selector(".scrubber", state="detached")
    page.keyboard.press("Escape")
    page.wait_for_selector(".banner", state="detached")
    page.keyboard.press("Escape")
    page.wait_for_selector(".digest", state="detached")
    assert page.locator(".story").count() == 0
    page.keyboard.press("e")
    page.wait_for_selector(".story .told", state="attached")


def test_what_lies_beyond_the_edge_is_pointed_at(player):
    start = prepared("leningrad41")
    n = first(start, lambda p: "enter" in roles(p) and p.to_move == "german" and p.phase.id == "german-movement")
    player.open(start.record(n))
    page = player.page
    player.say("hex 1613")
    page.keyboard.press("Escape")
    for _ in range(4):
        page.keyboard.press("+")
    page.wait_for_timeout(500)
    page.locator(".waiting button").first.click()
    page.wait_for_selector("[data-way]", state="attached")
    tab = page.locator(".edge")
    if tab.count():
        assert "south" in tab.inner_text()
        page.locator(".map").focus()
        page.keyboard.press("j")
    page.wait_for_function(
        """() => {
            const map = document.querySelector(".map").getBoundingClientRect();
            return [...document.querySelectorAll("[data-way]")].some((w) => {
                const r = w.getBoundingClientRect();
                return r.top > map.top && r.bottom < map.bottom && r.left > map.left && r.right < map.right;
            });
        }"""
    )
    page.wait_for_selector(".edge", state="detached")
    assert "lit hex" in page.locator(".waiting .note").inner_text(), "the hint stays"


def test_the_whole_map_has_its_margin_and_the_key_is_at_hand(player):
    player.open(ENGAGED)
    page = player.page
    page.locator(".map").focus()
    page.keyboard.press("0")
    page.wait_for_selector(".margin .scale")
    assert "km" in page.locator(".margin").inner_text()
    check(page, "margin")
    page.keyboard.press("0")
    page.wait_for_selector(".margin", state="detached")
    page.keyboard.press("m")
    page.wait_for_selector(".keycard .chart")
    assert page.locator("dialog[open]").count() == 0, "no sheet lies over the map"
    page.keyboard.press("m")
    page.wait_for_selector(".keycard", state="detached")
    page.keyboard.press("l")
    page.wait_for_selector(".layers:not([hidden])")
    page.keyboard.press("Escape")


def test_what_was_taken_back_is_done_again_with_one_click(player):
    player.open(APART)
    page = player.page
    for order in ("move 12 0504", "move 30 0505"):
        player.order(order)
    for _ in range(2):
        before = player.version
        page.keyboard.press("u")
        player.wait_past(before)
    page.get_by_role("button", name="Again: 2 orders").click()
    page.wait_for_function(
        """() => document.querySelector(".piece[data-unit='12']").dataset.hex === "0504"
            && document.querySelector(".piece[data-unit='30']").dataset.hex === "0505" """
    )
    page.wait_for_selector(".again", state="detached")


def test_a_whole_phase_can_be_let_pass(player):
    start = prepared("leningrad41")
    n = first(start, lambda p: p.phase.side != p.to_move and "end" in roles(p))
    player.open(start.record(n))
    page = player.page
    assert page.locator(".btn.end").inner_text().startswith("Let it pass")
    before = player.version
    page.get_by_role("button", name="Let all pass this phase").click()
    player.wait_past(before)


def test_on_a_phone_the_chances_and_the_button_are_above_the_fold(visitor, as_player):
    player = as_player(visitor(bare=True, **PHONE))
    player.open(FIELD)
    page = player.page
    for order in ATTACK:
        player.order(order)
    page.wait_for_selector(".odds .chances li")
    assert "attackers" in page.locator(".phonebar b").inner_text()
    assert in_sight(page, ".odds .chances li:last-child")
    assert in_sight(page, ".odds .btn.commit")
    check(page, "phone odds")
    before = player.version
    page.locator(".odds .btn.commit").tap()
    player.wait_past(before)
    page.wait_for_selector(".moment .result header")
    assert in_sight(page, ".moment .result header")
    check(page, "phone moment")


def test_six_games_fit_the_first_page_with_what_a_choice_needs(visitor):
    page = visitor(bare=True)
    page.goto("/")
    page.wait_for_selector(".game")
    cards = page.locator(".game").evaluate_all(
        """es => es.map((e) => [e.getBoundingClientRect().bottom, e.querySelector(".meta").textContent,
            e.querySelectorAll(".dots .full").length, e.querySelector(".name i").textContent])"""
    )
    assert len(cards) == len(game_ids())
    for bottom, meta, weight, year in cards:
        assert bottom <= 900
        assert re.search(r"\d+ turns.*\d–\d h", meta)
        assert 1 <= weight <= 4
        assert year
    assert page.locator(".begin").bounding_box()["y"] < 860


@pytest.mark.parametrize("game", ["leningrad41", "tijvin-1941"])
def test_names_are_read_everywhere(visitor, as_player, game):
    """Units by their full names in the stack and in the record; never the key of a hidden one."""
    start = prepared(game)
    player = as_player(visitor(bare=True))
    player.open(start.record(start.attack))
    page = player.page
    page.wait_for_selector(".log li p")
    told = " ".join(page.locator(".log li p").all_inner_texts())
    assert not re.search(r"\bback-\d+\b", told)
    view = list(start.positions())[start.attack].view(page.locator(".table").get_attribute("data-side"))
    assert view.game is load(game)
    assert re.search(r"(Division|Regiment|Battalion|Corps|Brigade|hidden|Unit)", told)
    hands = Hands(player, keys=False)
    hands.touch(next(c.hex for c in view.table().counters if c.hex and c.side == view.side))
    page.wait_for_selector(".units li b")
    assert not re.search(r"\bback-\d", " ".join(page.locator(".units li b").all_inner_texts()))


def test_overlays_command_fire_ruler_and_a_units_way(visitor, as_player):
    """Where a game has them: the range of a headquarters, the hexes a gun reaches, a ruler, where a unit has been."""
    found = {}
    for game in ("tijvin-1941", "leningrad41"):
        start = prepared(game)
        player = as_player(visitor(bare=True))
        player.open(start.record(start.attack))
        page = player.page
        view = list(start.positions())[start.attack].view(page.locator(".table").get_attribute("data-side"))
        reaching = {c.hex: view.extent(c.id) for c in view.table().counters if c.hex and view.extent(c.id)}
        hex_, extent = max(reaching.items(), key=lambda e: len(e[1].hexes))
        player.say(f"hex {hex_}")
        page.keyboard.press("Escape")
        page.wait_for_selector(f"[data-extent] path, .{extent.kind}", state="attached")
        found[game] = extent.kind
    assert found == {"tijvin-1941": "command", "leningrad41": "fire"}
    start = prepared(GAME)
    player = as_player(visitor(bare=True))
    player.open(start.record(start.attack))
    page = player.page
    page.locator(".map").focus()
    page.keyboard.press("q")
    player.say("hex 0309")
    page.keyboard.press("Escape")
    position = list(start.positions())[start.attack]
    grid = position.map.grid
    x, y = player.at("0709")
    page.mouse.move(x, y)
    apart = grid.distance(grid.hex("0309"), grid.hex("0709"))
    page.wait_for_selector(f"[data-ruler='{apart}']", state="attached")
    page.keyboard.press("q")
    moved = next(
        unit
        for order in reversed(start.orders[: start.attack])
        if order.verb == "move"
        for unit in order.units
        if any(c.id == unit and c.hex for c in position.table().counters)
    )
    player.say(f"hex {next(c.hex for c in position.table().counters if c.id == moved)}")
    page.keyboard.press("Escape")
    page.get_by_role("button", name=re.compile("through the game")).click()
    page.wait_for_selector("[data-way-of]", state="attached")
