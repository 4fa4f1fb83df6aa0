"""Who gets in by which name and link, and who is the owner of a machine."""

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ladoga.server.door import Door, Names
from ladoga.server.store import Ledger

from .serving import Guest, Running


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    server = Running(tmp_path_factory.mktemp("own") / "matches.db", local=True, door=Door("seal"))
    yield server
    server.stop()


@pytest.mark.parametrize(
    ("header", "known"),
    [
        ("127.0.0.1:4107", True), ("localhost", True), ("LOCALHOST.:80", True), ("[::1]:4107", True),
        ("192.168.1.7:8000", True), ("[fe80::1%25eth0]:80", True), ("games.example.org", True),
        ("games.example.org:8443", True), ("evil.example", False), ("games.example.org.evil.example", False),
        ("localhost.evil.example:4107", False), ("127.0.0.1.evil.example", False), ("", False),
        ("evil.example:127.0.0.1", False), ("localhost:1@evil.example", False), ("[::1]evil.example", False),
        ("evil.example@localhost", False), ("localhost:", False), ("localhost/evil.example", False),
    ],
)  # fmt: skip
def test_only_numbers_and_given_names_are_answered(header, known):
    assert Names(["Games.Example.org"]).know(header) is known


def test_a_page_led_here_by_a_strangers_name_gets_nothing(own):
    me = Guest(own, by=f"/enter/{Door('seal').key()}")
    made = me.begin(german="me", soviet="me")
    strange = {"Host": f"evil.example:{own.port}"}
    for ask in (
        lambda: me.http.get("/", headers=strange), lambda: me.http.get("/api/matches", headers=strange),
        lambda: me.http.delete(f"/api/matches/{made['id']}", headers=strange),
    ):  # fmt: skip
        answer = ask()
        assert (answer.status_code, answer.json()["code"]) == (421, "name")
        assert "set-cookie" not in answer.headers
    with pytest.raises((InvalidStatus, ConnectionClosed)):
        me.socket(made["id"], Host="evil.example").recv()
    assert made["id"] in [m["id"] for m in me.http.get("/api/matches").json()["matches"]]
    me.close()


def test_whoever_opens_the_page_first_is_not_the_owner(own):
    stranger, me = Guest(own), Guest(own, by=f"/enter/{Door('seal').key()}")
    stranger.begin(german="me", soviet="me")
    owner = own.store.now(Ledger.owner)
    assert own.store.now(Ledger.person, stranger.http.cookies["ladoga"]) != owner
    assert own.store.now(Ledger.person, me.http.cookies["ladoga"]) == owner
    stranger.close(), me.close()


def test_a_link_lets_in_once_and_only_whoever_has_the_secret_makes_one(own):
    key = Door("seal").key()
    Guest(own, by=f"/enter/{key}").close()
    for bad in (key, Door("guessed").key(), "x", "é.x", f"{Door('seal').key()}0"):
        answer = httpx.get(f"{own.url}/enter/{bad}")
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers


def test_the_owner_may_come_again_by_a_used_link(own):
    key = Door("seal").key()
    me = Guest(own, by=f"/enter/{key}")
    assert me.http.get(f"/enter/{key}", follow_redirects=False).status_code == 303
    me.close()


def test_there_is_no_owner_on_a_public_server(running):
    assert httpx.get(f"{running.url}/enter/{Door('seal').key()}").status_code == 403
