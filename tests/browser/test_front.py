"""The front page between people: a seat that waits for anybody, advice that the host forbids, computers to watch."""


def begun(page, **wish):
    return page.evaluate(
        """async (wish) => (await fetch("/api/matches", {method: "POST", body: JSON.stringify(wish)})).json()""", wish
    )


def test_a_seat_waits_for_anybody_and_the_host_forbids_advice(visitor):
    host, guest = visitor(bare=True), visitor(bare=True)
    host.goto("/rules/leningrad-1979")
    made = begun(host, game="tijvin-1941", seats={"german": "me", "soviet": "open"}, kind="strict", public=True)
    guest.goto("/")
    waiting = guest.locator(".others section").first
    waiting.get_by_role("link", name="Sit down").wait_for()
    assert made["id"] in waiting.get_by_role("link", name="Sit down").first.get_attribute("href")
    answer = host.request.get(f"/api/matches/{made['id']}/advice")
    assert "no advice in this game" in answer.json()["message"]
    levels = [text.split("\n") for text in guest.locator(".panel .levels b").all_inner_texts()[:4]]
    assert [words[0] for words in levels] == ["Recruit", "Staff", "Officer", "General"]
    assert levels[1][-1] == "1000", "how strong it has proved to be stands beside the name"


def test_two_computers_can_be_watched(visitor):
    page = visitor(bare=True)
    page.goto("/")
    page.get_by_role("button", name="Watch Staff against Officer").click()
    page.wait_for_selector(".table[data-version]")
    page.wait_for_function("() => Number(document.querySelector('.table').dataset.version) > 0")
