"""What nobody may do to a server, and what it must never let slip or lose."""

import asyncio
import json
import random
import re
import time

import pytest
from starlette.websockets import WebSocketDisconnect, WebSocketState
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ladoga import game_ids, load
from ladoga.analysis.fights import Reading
from ladoga.server import company, showing
from ladoga.server.app import application
from ladoga.server.assembly import assemble
from ladoga.server.beginning import create
from ladoga.server.fights import fights, opened
from ladoga.server.match import Match
from ladoga.server.moment import moment
from ladoga.server.routes.socket import socket
from ladoga.server.store import Kept, Ledger

GAME = "leningrad-1979"


def test_strangers_to_the_origin_are_turned_away(guest, sit):
    match = guest.begin(german="me", soviet="me")["id"]
    with pytest.raises((InvalidStatus, ConnectionClosed)):
        sit(guest, match, Origin="https://elsewhere.example").hear("state")
    refused = guest.http.post("/api/matches", json={}, headers={"Origin": "https://elsewhere.example"})
    assert refused.status_code == 403


def test_a_socket_without_a_cookie_is_turned_away(guest, another, sit):
    match = guest.begin(german="me", soviet="me")["id"]
    stranger = another()
    stranger.http.cookies.clear()
    with pytest.raises((InvalidStatus, ConnectionClosed)):
        sit(stranger, match).hear("state")


def test_a_frame_too_long_closes_only_its_own_line(guest, another, sit):
    match = guest.begin(german="me", soviet="me")["id"]
    mine, other = sit(guest, match), sit(another(), match)
    mine.hear("state"), other.hear("state")
    mine.ws.send(json.dumps({"t": "say", "id": 1, "text": "x" * 70_000}))
    with pytest.raises(ConnectionClosed):
        mine.hear("reply")
    assert other.ask("log", n=0)["ok"]


def test_a_flood_is_refused_and_others_are_served(guest, another, sit):
    match = guest.begin(german="me", soviet="me")["id"]
    mine, other = sit(guest, match), sit(another(), match)
    mine.hear("state"), other.hear("state")
    for n in range(150):
        mine.ws.send(json.dumps({"t": "log", "id": n, "n": 0}))
    while mine.hear("reply").get("code") != "flood":
        pass
    began = time.monotonic()
    assert other.ask("log", n=0)["ok"]
    assert time.monotonic() - began < 5


def test_unknown_matches_and_files_are_not_found(guest, sit):
    table = sit(guest, "nothing-here")
    assert table.hear("error")["code"] == "unknown"
    astray = ["/assets/../app.py", "/assets/%2e%2e/%2e%2e/__init__.py", "/fonts/..%2fmap.py", "/api/games/chess/rules"]
    for path in astray:
        assert guest.http.get(path).status_code in (400, 404)


@pytest.mark.parametrize("body", ["", "[]", "{", '{"game": 3}', '{"game": "x", "seats": {}, "more": 1}', "\x00\xff"])
def test_malformed_forms_are_refused(guest, body):
    for path in ("/api/matches", "/api/open", "/api/faces/classic", "/api/name"):
        answer = guest.http.post(path, content=body.encode("latin-1"))
        assert answer.status_code in (200, 400), (path, answer.text)
        if answer.status_code == 400:
            assert "Traceback" not in answer.text


def test_pages_forbid_foreign_content(guest):
    policy = guest.http.get("/").headers["content-security-policy"]
    assert "default-src 'self'" in policy
    page = guest.http.get("/").text
    for kind in ("src", "href"):
        assert not re.findall(rf'{kind}="https?:', page)


def test_tokens_are_kept_as_hashes(running, guest):
    token = guest.http.cookies["ladoga"]
    made = guest.begin(german="me", soviet="open")
    invite = made["invites"]["soviet"].split("seat=")[1]
    kept = b"".join(path.read_bytes() for path in running.path.parent.glob("matches.db*"))
    assert token.encode() not in kept
    assert invite.encode() not in kept
    assert running.path.stat().st_mode & 0o077 == 0


def test_a_browser_that_goes_while_it_is_told_something_is_no_failure(tmp_path):
    class Gone:
        """A socket whose other end has just gone."""

        headers, application_state, client = {"host": "localhost"}, WebSocketState.CONNECTED, None
        scope = {"type": "websocket", "headers": []}

        def __init__(self, app, token):
            self.app, self.cookies = app, {"ladoga": token}

        async def accept(self):
            pass

        async def send_text(self, text):
            raise WebSocketDisconnect(1006)

        async def receive(self):
            await asyncio.sleep(0.05)
            raise WebSocketDisconnect(1006)

    async def come_and_go():
        lobby = assemble(tmp_path / "store.db")
        app = application(lobby)
        person = lobby.house.store.now(Ledger.welcome, "somebody")
        match, _ = await create(lobby, person, GAME, {"german": "me", "soviet": "me"})
        await socket(Gone(app, "somebody"), match)
        room = await lobby.room(match)
        await lobby.close()
        return room

    assert not asyncio.run(come_and_go()).company


def _match(game, orders, seed=b"seed" * 8):
    kept = Kept("m", game.id, "match", next(iter(game.scenarios)), {}, None, seed, "0", 0.0, None)
    match = Match(kept, game, (), [])
    rng = random.Random(7)
    steps = match.following(None)
    match.advance(steps, list(range(1, len(steps) + 1)))
    while len(match.orders) < orders and not match.over:
        steps = match.following(match.position.legal.random(rng))
        match.advance(steps, list(range(len(match.orders) + 1, len(match.orders) + 1 + len(steps))))
    return match


@pytest.mark.parametrize("game", game_ids())
def test_every_game_can_be_shown_to_everybody(game):
    match = _match(load(game), 60)
    for audience in (*match.game.sides, "observer"):
        state = showing.state(match, audience)
        assert state["table"].counters
        assert match.log(audience)
        assert showing.layer(match, audience, "zoc").keys() == set(match.game.sides)
        showing.layer(match, audience, "supply")
        showing.layer(match, audience, "moves")
        for unit in list(state["offers"]["units"])[:6]:
            offered = showing.choices(match.view(audience), (unit,))
            assert offered["orders"], "a unit that is lit has an order"
        for hex_ in list(match.position.map.grid.numbers)[:: max(1, len(list(match.position.map.grid.numbers)) // 20)]:
            assert showing.hex_facts(match.view(audience), hex_)["hex"] == hex_


@pytest.mark.parametrize("game", game_ids())
def test_what_is_hidden_can_be_anything_without_a_side_noticing(game):
    """Hidden facts drawn anew leave every message to that side the same, byte for byte."""
    match = _match(load(game), 40)
    for side in match.game.sides:
        view = match.view(side)
        other = view.imagine(random.Random(1))
        seen, imagined = showing.state(match, side), other.view(side)
        assert imagined.table() == view.table()
        assert imagined.phase == view.phase
        assert imagined.document() == view.document()
        if view.to_move == side:
            assert showing.offers(imagined) == seen["offers"]


@pytest.mark.parametrize("game", game_ids())
def test_undo_is_exact(game):
    match = _match(load(game), 30)
    before, digest, rolls = len(match.orders), match.position.digest(), match.rolls
    rng = random.Random(3)
    for _ in range(12):
        steps = match.following(match.position.legal.random(rng))
        match.advance(steps, list(range(len(match.orders) + 1, len(match.orders) + 1 + len(steps))))
        if match.floor > before:
            break
    if match.floor <= before < len(match.orders):
        match.retract(before)
        assert match.position.digest() == digest
        assert match.rolls == rolls
    assert all(mover != "chance" for mover in match.movers[match.floor :])


@pytest.mark.parametrize(
    ("game", "options"), [*((game, {}) for game in game_ids()), ("tijvin-1941", {"fog-of-war": True})]
)
def test_a_match_is_the_same_for_whoever_carried_it_out_heard_of_it_or_reads_it(game, options):
    """How far back one may go, whatever was taken back on the way, within what is free or beyond it; and the last
    action with where it began."""
    loaded, rng, top = load(game), random.Random(11), 0
    kept = Kept("m", game, "match", next(iter(loaded.scenarios)), options, None, b"seed" * 8, "0", 0.0, None)
    here, elsewhere = Match(kept, loaded, (), []), Match(kept, loaded, (), [])
    floors = set()
    for _ in range(70):
        back = bool(here.orders) and rng.random() < 0.3
        if back:
            here.retract(max(0, len(here.orders) - rng.randint(1, 6)))
        elif not here.over:
            steps = here.following(here.position.legal.random(rng) if here.position.chance is None else None)
            here.advance(steps, list(range(top + 1, top + 1 + len(steps))))
            top += len(steps)
        events = list(zip(here.seqs, here.movers, map(str, here.orders), here.times, strict=True))
        if rng.random() < 0.6:
            last = max((seq for seq in elsewhere.seqs if seq in here.seqs), default=0)
            elsewhere.catch_up(kept, last, [event for event in events if event[0] > last])
            assert elsewhere.floor == here.floor
            assert back or steps[0].mover == "chance" or elsewhere.last_action() == here.last_action()
        anew = Match(kept, loaded, events, [])
        assert anew.floor == here.floor
        assert back or steps[0].mover == "chance" or anew.last_action() == here.last_action()
        floors.add(len(here.orders) - here.floor)
    assert len(floors) > 1


@pytest.mark.parametrize("game", game_ids())
def test_a_moment_is_the_same_however_one_comes_to_it(game):
    """From wherever it is played on, in small steps, and also if what was on the way is taken back meanwhile."""
    match, rng = _match(load(game), 140), random.Random(2)
    digests = [match.at(n).digest() for n in range(len(match.orders) + 1)]
    for n in [rng.randrange(len(digests)) for _ in range(30)]:
        assert match.at(n).digest() == digests[n]
    going = match.going_to(60)
    for n in (59, 58, 57):
        match._visited.pop(n, None)
    next(going, None)
    match.retract(50)
    top = 1000
    while len(match.orders) < 80 and not match.over:
        steps = match.following(match.position.legal.random(rng))
        match.advance(steps, list(range(top, top + len(steps))))
        top += len(steps)
    list(going)
    fresh = match.start
    for n, order in enumerate(match.orders, 1):
        fresh = fresh.play(order)
        assert match.at(n).digest() == fresh.digest()


def test_what_is_removed_after_the_word_that_ends_a_phase_is_no_outcome_of_the_last_fight():
    loaded = load(GAME)
    kept = Kept("m", GAME, "match", next(iter(loaded.scenarios)), {}, None, b"seed" * 8, "0", 0.0, None)
    match, rng = Match(kept, loaded, (), []), random.Random(1)

    def give(order):
        steps = match.following(order)
        match.advance(steps, list(range(len(match.orders) + 1, len(match.orders) + 1 + len(steps))))

    while match.position.to_move != "german":
        give(match.position.legal.random(rng))
    give(loaded.parse("overrun TOT/56 0212"))
    assert moment(match, "german") is not None
    while match.position.choice is not None:
        give(next(iter(match.position.legal)))
    assert moment(match, "german") is not None
    give(loaded.parse("end"))
    give(loaded.parse("remove 12"))
    assert moment(match, "german") is None


@pytest.mark.parametrize("game", game_ids())
def test_fights_are_read_on_from_where_the_record_still_holds(game, monkeypatch):
    """Whatever is taken back in a long record, its fights are those of a record read from the beginning, and little of
    it is read again."""
    match, rng = _match(load(game), 150), random.Random(5)
    fights(match)
    top = match.seqs[-1]
    taken, take = [], Reading.take
    monkeypatch.setattr(Reading, "take", lambda reading, n, *more: (taken.append(n), take(reading, n, *more)))
    for _ in range(6):
        match.retract(len(match.orders) - rng.randint(1, 20))
        for _ in range(rng.randint(0, 8)):
            steps = [] if match.over else match.following(match.position.legal.random(rng))
            match.advance(steps, list(range(top + 1, top + 1 + len(steps))))
            top += len(steps)
        taken.clear()
        found = fights(match)
        assert len(taken) < 100
        events = list(zip(match.seqs, match.movers, map(str, match.orders), match.times, strict=True))
        assert found == fights(opened(match.kept, match.game, events, []))


@pytest.mark.parametrize(("size", "messages"), [(10, company.MESSAGES), (100_000, company.BYTES // 100_000 + 1)])
def test_what_waits_for_a_browser_that_does_not_read_is_bounded(size, messages):
    """It is let go, and what waited for it takes no room any more; one big message alone is no reason."""

    async def fall_behind():
        watcher = company.Watcher(1, ["german"])
        watcher.tell(bytes(2 * company.BYTES))
        assert watcher.take() == bytes(2 * company.BYTES)
        for _ in range(messages):
            watcher.tell(bytes(size))
        assert len(watcher.waiting) == messages
        assert not watcher.let_go
        for _ in range(3):
            watcher.tell(bytes(size))
        assert watcher.let_go
        assert not watcher.waiting
        await asyncio.wait_for(watcher.called(), 5)

    asyncio.run(fall_behind())
