"""A person on several devices: links, codes, signing out; and tables where somebody sits down."""

import asyncio
import re

import pytest
from websockets.exceptions import ConnectionClosed

from ladoga.server.people import People
from ladoga.server.room import Room

from .serving import Guest


def begun(guest):
    return guest.begin(german="me", soviet="me")["id"]


def listed(guest):
    return [match["id"] for match in guest.http.get("/api/matches").json()["matches"]]


def test_a_link_brings_a_person_to_another_device_once(guest, another):
    match = begun(guest)
    told = guest.post("/api/devices/link").json()
    assert told["qr"].startswith("<svg")
    assert told["seconds"] == 900
    phone, thief = another(), another()
    page = phone.http.get(told["link"])
    assert page.status_code == 200, "looking does not use it up"
    assert "<form" in page.text
    assert listed(phone) == []
    assert phone.http.post(told["link"]).status_code == 200
    assert listed(phone) == [match]
    assert thief.http.post(told["link"]).status_code == 403
    assert listed(thief) == []
    assert {device["this"] for device in phone.http.get("/api/devices").json()["devices"]} == {True, False}


def test_a_code_brings_back_a_lost_seat(guest, another):
    match = begun(guest)
    old = guest.post("/api/devices/code").json()["code"]
    code = guest.post("/api/devices/code").json()["code"]
    assert re.fullmatch(r"([A-Z2-9]{5}-){4}[A-Z2-9]{5}", code)
    back = another()
    assert back.post("/api/devices/join", key=old).json()["code"] == "key"
    assert back.post("/api/devices/join", key=f" {code.lower().replace('-', ' ')} ").status_code == 200
    assert listed(back) == [match]
    assert another().post("/api/devices/join", key=code).json()["code"] == "key"


def test_devices_are_let_go_and_cannot_order_any_more(guest, another, sit):
    match = begun(guest)
    phone = another()
    phone.http.post(guest.post("/api/devices/link").json()["link"])
    table = sit(phone, match)
    table.hear("state")
    other = next(d for d in guest.http.get("/api/devices").json()["devices"] if not d["this"])
    assert another().http.delete(f"/api/devices/{other['id']}").status_code == 404
    mine, stranger = sit(guest, match), sit(another(), match)
    version = mine.hear("state")["version"]
    stranger.hear("state")
    assert guest.http.delete(f"/api/devices/{other['id']}").status_code == 200
    assert table.hear("again")
    with pytest.raises(ConnectionClosed):
        table.ask("order", action="after-all", version=version, text="end")
    assert mine.ask("hex", hex="0101")["ok"]
    assert stranger.ask("hex", hex="0101")["ok"]
    assert not any(message["t"] == "again" for message in (*mine.heard, *stranger.heard))
    assert mine.state()["version"] == version
    assert listed(phone) == []
    assert listed(guest) == [match]
    assert guest.post("/api/sign-out").status_code == 200
    assert "ladoga" not in guest.http.cookies
    assert listed(guest) == []


def test_a_device_that_is_let_go_while_it_sits_down_does_not_sit(running, guest, sit, monkeypatch):
    match = begun(guest)
    join = Room.join

    async def late(room, person, device=0):
        watcher = await join(room, person, device)
        assert await running.lobby.people.revoke(person, device)
        return watcher

    monkeypatch.setattr(Room, "join", late)
    table = sit(guest, match)
    assert table.hear("again")
    with pytest.raises(ConnectionClosed):
        table.ask("resign")


def test_a_token_that_is_let_go_while_it_is_looked_up_is_not_remembered():
    class Slow:
        async def read(self, what, token):
            people.forget(7)
            return 7, 3

    people = People(Slow())
    for _ in range(2):
        assert asyncio.run(people.find("token")) == (7, 3)
    assert not people._known


def test_codes_cannot_be_guessed_in_a_hurry(running):
    guesser = Guest(running)
    codes = [guesser.post("/api/devices/join", key=f"AAAAA-{n}").json()["code"] for n in range(14)]
    assert codes[0] == "key"
    assert codes[-1] == "flood"
    running.lobby.people.forget()
    guesser.close()


@pytest.fixture(autouse=True)
def _fresh_budget(running):
    yield
    desk = running.server.config.loaded_app
    while not hasattr(desk, "state"):
        desk = desk.app
    desk.state.desk.guesses._buckets.clear()


def test_the_dice_are_drawn_anew_when_somebody_sits_down_at_a_record(guest, another, sit):
    """Whoever opened it knows its seed, and with it every roll to come."""
    seed = "5a" * 32
    match = begun(guest)
    text = guest.http.get(f"/api/matches/{match}/record").text
    spiked = re.sub(r"^commitment: .*$", f"seed: {seed}", text, flags=re.M)
    made = guest.post("/api/open", text=spiked, seats={"german": "me", "soviet": "open"}).json()
    mine = sit(guest, made["id"])
    before = mine.hear("welcome")["commitment"]
    state = mine.hear("state")
    invite = made["invites"]["soviet"].split("seat=")[1]
    other = another()
    assert other.post(f"/api/matches/{made['id']}/sit", token=invite).json()["side"] == "soviet"
    there = sit(other, made["id"])
    assert there.hear("welcome")["commitment"] != before
    again = there.hear("state")
    assert (again["n"], again["turn"], again["to_move"]) == (0, state["turn"], state["to_move"])
    assert again["table"]["counters"] == state["table"]["counters"]


def test_in_a_study_the_undo_button_does_not_tell_the_other_sides_orders(guest, another, sit):
    text = "game: tijvin-1941\n"
    match = begun(guest)
    text = guest.http.get(f"/api/matches/{match}/position").text
    made = guest.post("/api/open", text=text, seats={"german": "me", "soviet": "open"}).json()
    other = another()
    other.post(f"/api/matches/{made['id']}/sit", token=made["invites"]["soviet"].split("seat=")[1])
    tables = {"german": sit(guest, made["id"]), "soviet": sit(other, made["id"])}
    states = {side: table.hear("state") for side, table in tables.items()}
    side = states["german"]["to_move"]
    theirs = "soviet" if side == "german" else "german"
    offers = states[side]["offers"]
    unit = next(iter(offers["units"]), None)
    order = tables[side].ask("of", units=[unit])["orders"][0]["text"] if unit else offers["orders"][0]
    assert tables[side].give(order)["ok"]
    tables[theirs].drain()
    assert tables[theirs].state()["undo"]["text"] == f"the last {side.title()} order"
    assert tables[side].state()["undo"]["text"] != f"the last {side.title()} order"


def test_in_a_study_the_debrief_waits_while_somebody_else_has_secrets_there(guest, another):
    """One's own board may be debriefed at any time; where another person hides something, when it is over."""
    seats = {"german": "me", "soviet": "open"}
    made = guest.post("/api/matches", game="leningrad41", kind="study", seats=seats).json()
    other = another()
    assert other.post(f"/api/matches/{made['id']}/sit", token=made["invites"]["soviet"].split("seat=")[1]).is_success
    for somebody in (guest, other):
        refused = somebody.http.get(f"/g/{made['id']}/debrief.txt")
        assert (refused.status_code, refused.json()["code"]) == (400, "secret")
