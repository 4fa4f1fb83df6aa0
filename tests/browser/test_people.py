"""People who play over days and devices: clocks, taking back by agreement, another device, set-ups, one's turn told."""

from .test_front import begun


def between(visitor, as_player, game="leningrad-1979", **wish):
    """Two people at a table: who began it, and who came by the link."""
    host, guest = as_player(visitor(bare=True)), as_player(visitor(bare=True))
    host.page.goto(f"/rules/{game}")
    made = begun(host.page, game=game, seats={"german": "open", "soviet": "me"}, **wish)
    host.sit(f"/g/{made['id']}")
    guest.page.goto(made["invites"]["german"])
    guest.page.get_by_label("Name").fill("Karl")
    guest.page.get_by_role("button", name="Sit down").click()
    guest.page.wait_for_selector(".table[data-version]")
    return host, guest, made


def test_clocks_are_shown_and_whose_time_is_up_has_lost(visitor, as_player):
    host, guest, _ = between(visitor, as_player, clock="minutes", time=0.25)
    clocks = guest.page.locator(".clocks li")
    assert clocks.count() == 2
    assert [c.get_attribute("data-clock") for c in clocks.all()] == ["german", "soviet"]
    host.page.get_by_role("button", name="Place for me").click()
    host.page.wait_for_selector("[data-clock=soviet].runs")
    before = host.page.locator("[data-clock=soviet] b").inner_text()
    host.page.wait_for_function(
        "b => document.querySelector('[data-clock=soviet] b')?.textContent !== b", arg=before, timeout=5000
    )
    for player in (host, guest):
        player.page.wait_for_selector("dialog[open] .verdict", timeout=40000)
    told = guest.page.locator("dialog[open]").inner_text()
    assert "ran out of time" in told
    assert "victory on time" in told


def test_a_thrown_die_is_taken_back_when_the_other_agrees(visitor, as_player):
    host, guest, _ = between(visitor, as_player)
    host.page.get_by_role("button", name="Place for me").click()
    host.page.wait_for_selector(".btn.end:not(.held)")
    host.page.locator(".btn.end").click()
    host.page.wait_for_selector(".table[data-yours=false]")
    n = int(host.page.locator(".table").get_attribute("data-n"))
    host.page.get_by_role("button", name="More").click()
    host.page.get_by_role("button", name="Ask to take back my last order").click()
    host.page.get_by_role("button", name="Withdraw").wait_for()
    asked = guest.page.get_by_role("alertdialog", name="Take back")
    assert "Soviet asks to take back" in asked.inner_text()
    asked.get_by_role("button", name="Let them").click()
    host.page.wait_for_function("n => Number(document.querySelector('.table').dataset.n) < n", arg=n)
    assert host.page.locator(".table").get_attribute("data-yours") == "true"


def settings(page):
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    page.wait_for_selector(".devices li")


def test_one_goes_on_from_another_device_and_lets_it_go(visitor, as_player):
    first = as_player(visitor(bare=True))
    first.begin("leningrad-1979", german="me", soviet="staff")
    settings(first.page)
    first.page.get_by_role("button", name="Go on from another device").click()
    first.page.wait_for_selector(".qr svg")
    link = first.page.get_by_label("Link for another device").input_value()
    second = visitor(bare=True)
    second.goto("/")
    second.goto(link)
    second.get_by_role("button", name="Use this device").click()
    second.wait_for_selector(".slipcard")
    assert "Leningrad" in second.locator(".slipcard").first.inner_text()
    settings(first.page)
    assert first.page.locator(".devices li").count() == 2
    first.page.get_by_role("button", name="Let it go").click()
    first.page.get_by_role("alertdialog").get_by_role("button", name="Let it go").click()
    first.page.wait_for_function("() => document.querySelectorAll('.devices li').length === 1")
    second.goto("/")
    second.wait_for_selector(".game")
    assert not second.locator(".slipcard").count()


def test_a_code_that_was_written_down_brings_the_games_back(visitor, as_player):
    first = as_player(visitor(bare=True))
    first.begin("tijvin-1941", german="me", soviet="staff")
    settings(first.page)
    first.page.get_by_role("button", name="Recovery code").click()
    code = first.page.locator(".devices .mono").first.inner_text()
    settings(first.page)
    first.page.get_by_role("button", name="Sign out").click()
    first.page.get_by_role("alertdialog").get_by_role("button", name="Sign out").click()
    first.page.wait_for_selector("dialog", state="detached")
    first.page.wait_for_selector(".game")
    assert not first.page.locator(".slipcard").count()
    first.page.get_by_role("button", name="Settings").click()
    first.page.get_by_label("Recovery code").fill(code.lower())
    first.page.get_by_role("button", name="Be that person").click()
    first.page.wait_for_selector(".slipcard")


def test_an_address_to_be_told_at_is_kept_with_its_secret(visitor, monkeypatch):
    found = [(2, 1, 6, "", ("93.184.216.34", 80))]
    monkeypatch.setattr("ladoga.server.hooks.socket.getaddrinfo", lambda *_, **__: found)
    page = visitor(bare=True)
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Address to be told at").fill("https://me.example/turn")
    page.get_by_role("button", name="Keep", exact=True).click()
    page.wait_for_selector("text=Signed with")
    page.reload()
    page.get_by_role("button", name="Settings").click()
    page.wait_for_selector("text=Signed with")
    assert page.get_by_label("Address to be told at").input_value() == "https://me.example/turn"
    page.get_by_label("Address to be told at").fill("")
    page.get_by_role("button", name="Keep", exact=True).click()
    page.wait_for_selector("text=You are told nowhere else")


def test_a_set_up_of_ones_own_is_kept_and_laid_again(visitor, as_player):
    player = as_player(visitor(bare=True))
    page = player.page
    player.begin("leningrad-1979", german="recruit", soviet="me")
    for unit, hex_ in (("i13", "1502"), ("i14", "1412")):
        player.order(f"place {unit} {hex_}")
    page.get_by_label("Name of this set-up").fill("the Dvina line")
    page.get_by_role("button", name="Keep 2 counters").click()
    page.wait_for_selector("[data-lay='the Dvina line']")
    player.begin("leningrad-1979", german="recruit", soviet="me")
    page.locator("[data-lay='the Dvina line']").click()
    page.wait_for_selector(".table[data-n='2']")
    assert page.locator("[data-unit=i13]").get_attribute("data-hex") == "1502"
    assert page.locator("[data-unit=i14]").get_attribute("data-hex") == "1412"
    page.get_by_role("button", name="Forget the set-up the Dvina line").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Yes").click()
    page.wait_for_selector("[data-lay]", state="detached")
