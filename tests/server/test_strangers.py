"""Whatever strangers send is read elsewhere, within limits, while everybody else is served."""

import threading
import time

import httpx
import pytest

from ladoga.server.limits import DOCUMENT, RECORD
from ladoga.server.store import Ledger

from .serving import Guest, Running

GAME = "leningrad-1979"
BOMB = "\n".join(["a0: &a0 [x, x, x, x, x, x, x, x, x]"] + [
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)
] + ["game: leningrad-1979", "units: *a8"])  # fmt: skip
LONG = "game: leningrad-1979\nunits: [" + ", ".join(["{a: 1}"] * 30_000) + "]\n"


@pytest.fixture(scope="module")
def open_to_all(tmp_path_factory):
    server = Running(tmp_path_factory.mktemp("open") / "matches.db", editing=True)
    yield server
    server.stop()


@pytest.fixture
def stranger(open_to_all):
    guest = Guest(open_to_all)
    yield guest
    guest.close()


def test_documents_are_short_and_records_not_endless(stranger):
    for text in ("game: " + "x" * DOCUMENT, "ladoga record 1\n" + "x" * RECORD, "# " + "x" * DOCUMENT):
        answer = stranger.post("/api/open", text=text)
        assert (answer.status_code, answer.json()["code"]) in {(400, "long"), (400, "bad")}
    refused = stranger.http.post(f"/api/editor/{GAME}/read", content=b"x" * (DOCUMENT + 1))
    assert refused.json()["code"] == "long"


@pytest.mark.parametrize("text", [BOMB, LONG, "[" * 20_000, "- " * 20_000], ids=["aliases", "long", "deep", "nested"])
def test_a_hostile_document_costs_nobody_else_a_moment(stranger, open_to_all, text, monkeypatch):
    """It is read with a limit on its time; meanwhile others are answered at once."""
    pool = open_to_all.lobby.house.readers
    patient = pool.ask
    monkeypatch.setattr(pool, "ask", lambda name, *values, limit=10.0: patient(name, *values, limit=min(limit, 2.0)))
    done, answers = threading.Event(), []

    def send():
        answers.append(stranger.http.post("/api/open", json={"text": text}, timeout=60))
        done.set()

    threading.Thread(target=send).start()
    worst = 0.0
    with httpx.Client(base_url=open_to_all.url, timeout=30) as other:
        other.get("/health/live")
        while not done.wait(0.05):
            began = time.monotonic()
            assert other.get("/health/live").status_code == 200
            worst = max(worst, time.monotonic() - began)
    assert worst < 1.0
    assert answers[0].status_code == 400, answers[0].text
    assert answers[0].json()["code"] in ("bad", "slow", "long")
    assert "Traceback" not in answers[0].text


def test_an_address_has_a_budget(stranger, open_to_all):
    desk = open_to_all.desk
    desk.readings.spend("127.0.0.1", 1000)
    answer = stranger.post("/api/open", text="game: leningrad-1979\n")
    assert (answer.status_code, answer.json()["code"]) == (503, "busy")
    assert int(answer.headers["retry-after"]) > 0
    assert stranger.http.get("/api/games").status_code == 200
    desk.readings._buckets.clear()


def test_a_full_disk_refuses_politely_says_so_once_and_goes_on_when_there_is_room(tmp_path, caplog):
    server = Running(tmp_path / "matches.db")
    guest = Guest(server)
    try:
        match = guest.begin(german="me", soviet="me")["id"]
        pages = server.store.now(lambda ledger: ledger._rows("PRAGMA page_count")[0][0])
        server.store.now(lambda ledger: ledger._rows(f"PRAGMA max_page_count = {pages}"))
        codes = set()
        for _ in range(60):
            answer = guest.post("/api/matches", game=GAME, seats={"german": "me", "soviet": "me"})
            codes.add((answer.status_code, answer.json().get("code")))
        assert (503, "disk") in codes
        assert codes <= {(200, None), (503, "disk"), (429, "flood")}
        told = [record for record in caplog.records if "nothing can be written" in record.getMessage()]
        assert len(told) == 1, "a line in the log, and not one for every order"
        newcomer = Guest(server)
        assert newcomer.http.get("/").status_code == 200, "the front page needs no room"
        assert newcomer.http.get("/api/games").status_code == 200
        assert guest.http.get(f"/api/matches/{match}/position").status_code == 200
        newcomer.close()
        server.store.now(lambda ledger: ledger._rows("PRAGMA max_page_count = 1000000"))
        server.desk.matches._buckets.clear()
        assert guest.begin(german="me", soviet="me")["id"]
        assert server.store.now(Ledger.match, match) is not None
    finally:
        guest.close()
        server.stop()
