"""Playing through the server: orders, refusals, undo, seats, secrets, records."""

import json
import lzma
import re
from collections import OrderedDict
from pathlib import Path

import pytest
import yaml

from ladoga import Record, load
from ladoga.server.match import Match
from ladoga.server.store import Ledger

from .serving import Guest, Running

GAME = "leningrad-1979"
ROWS = ["1308", "1408", "1508", "1608", "1709", "1809", "1904"]


def set_up(table):
    for unit, hex_ in zip(range(12, 19), ROWS, strict=True):
        assert table.give(f"place i{unit} {hex_}")["ok"]
    assert table.give("end soviet-set-up")["ok"]


def test_an_order_is_played_and_shown(guest, sit):
    match = guest.begin(german="me", soviet="me")["id"]
    table = sit(guest, match)
    state = table.hear("state")
    assert state["to_move"] == "soviet"
    assert state["offers"]["units"]["i12"] == ["place"]
    assert table.give("place i12 1308")["ok"]
    after = table.state()
    assert after["n"] == 1
    assert any(c["id"] == "i12" and c.get("hex") == "1308" for c in after["table"]["counters"])
    entries = table.ask("log", n=0)["log"]
    assert entries[-1]["text"] == "place i12 1308"
    assert "1308" in entries[-1]["lines"][0]["text"]


def test_an_illegal_order_is_refused_with_its_case(guest, sit):
    table = sit(guest, guest.begin(german="me", soviet="me")["id"])
    table.hear("state")
    reply = table.give("place i12 0101")
    assert not reply["ok"]
    assert reply["code"] == "illegal"
    assert reply["case"]
    assert table.ask("why", text="place i12 0101")["case"] == reply["case"]
    assert table.ask("why", text="place i12 1308")["legal"]


def test_nonsense_is_refused(guest, sit):
    table = sit(guest, guest.begin(german="me", soviet="me")["id"])
    table.hear("state")
    assert table.give("fly to the moon")["code"] == "illegal"
    table.ws.send(json.dumps({"t": "order", "id": 1, "action": "abcdefgh", "version": 0, "text": "end", "sudo": True}))
    assert table.hear("error")["code"] == "form"
    table.ws.send("not json")
    assert table.hear("error")["code"] == "form"
    table.ws.send(json.dumps({"t": "launch", "id": 2}))
    assert table.hear("error")["code"] == "form"
    assert table.give("place i12 1308")["ok"], "others and the sender are undisturbed"


def test_the_same_action_counts_once(guest, sit):
    table = sit(guest, guest.begin(german="me", soviet="me")["id"])
    state = table.hear("state")
    first = table.give("place i12 1308", action="same-action")
    again = table.give("place i12 1308", action="same-action", version=state["version"])
    assert first["ok"]
    assert again["ok"]
    assert again["again"]
    assert table.state()["n"] == 1


def test_an_order_for_an_older_position_is_refused(guest, sit):
    table = sit(guest, guest.begin(german="me", soviet="me")["id"])
    old = table.hear("state")["version"]
    assert table.give("place i12 1308")["ok"]
    assert table.give("place i13 1408", version=old)["code"] == "stale"


def test_undo_is_free_until_a_change_of_side(guest, sit):
    table = sit(guest, guest.begin(german="me", soviet="me")["id"])
    before = table.hear("state")
    assert before["undo"]["to"] is None
    table.give("place i12 1308")
    table.give("place i13 1408")
    state = table.state()
    assert state["undo"]["text"] == "place hidden rifle division i13 1408"
    assert state["undo"]["order"] == "place i13 1408"
    assert table.ask("undo", action="undo-one-1", version=state["version"], to=0)["ok"]
    table.drain()
    assert table.state()["n"] == 0
    assert table.state()["table"] == before["table"]
    set_up(table)
    state = table.state()
    assert state["to_move"] == "german"
    assert state["undo"]["to"] is None
    reply = table.ask("undo", action="undo-two-2", version=state["version"], to=3)
    assert reply["code"] == "undo"


def test_undo_stops_at_the_die(guest, sit):
    table = sit(guest, guest.begin(german="me", soviet="me")["id"])
    table.hear("state")
    set_up(table)
    assert table.give("overrun 1/41+6/41+36/41 0212")["ok"]
    state = table.state()
    assert state["undo"]["to"] is None
    assert not table.ask("undo", action="undo-die-1", version=state["version"], to=8)["ok"]


def test_the_side_not_on_move_may_not_order(guest, another, sit):
    made = guest.begin(german="me", soviet="open")
    friend = another()
    token = made["invites"]["soviet"].split("seat=")[1]
    assert friend.post(f"/api/matches/{made['id']}/sit", token=token, name="Anna").json()["side"] == "soviet"
    german, soviet = sit(guest, made["id"]), sit(friend, made["id"])
    assert german.hear("state")["offers"]["units"] == {}
    soviet.hear("state")
    assert german.give("place i12 1308")["code"] == "turn"
    assert soviet.give("place i12 1308")["ok"]
    assert german.hear("state")["n"] == 1


def test_an_invitation_works_once(guest, another):
    made = guest.begin(german="me", soviet="open")
    token = made["invites"]["soviet"].split("seat=")[1]
    path = f"/api/matches/{made['id']}/sit"
    assert another().post(path, token=token).status_code == 200
    refused = another().post(path, token=token)
    assert refused.status_code == 400
    assert refused.json()["code"] == "invite"


def test_a_fresh_invitation_ends_the_old_one(guest, another):
    made = guest.begin(german="me", soviet="open")
    old = made["invites"]["soviet"].split("seat=")[1]
    fresh = guest.post(f"/api/matches/{made['id']}/invite", side="soviet").json()["link"].split("seat=")[1]
    path = f"/api/matches/{made['id']}/sit"
    assert another().post(path, token=old).status_code == 400
    assert another().post(path, token=fresh).status_code == 200
    assert another().post(f"/api/matches/{made['id']}/invite", side="soviet").status_code == 400


def test_spectators_watch_and_may_not_order(guest, another, sit):
    match = guest.begin(german="me", soviet="me")["id"]
    watcher = sit(another(), match)
    state = watcher.hear("state")
    assert state["audience"] == "observer"
    assert watcher.give("place i12 1308")["code"] == "turn"


def test_odds_over_the_wire_are_the_engines(guest, sit):
    table = sit(guest, guest.begin(german="me", soviet="me")["id"])
    table.hear("state")
    set_up(table)
    text = "overrun 1/41+6/41+36/41 0212"
    heard = table.ask("explain", text=text)["explanation"]
    position = load(GAME).start()
    for unit, hex_ in zip(range(12, 19), ROWS, strict=True):
        position = position.play(f"place i{unit} {hex_}")
    position = position.play("end")
    told = position.view("german").explain(text).as_json()
    assert {key: heard[key] for key in told} == told
    assert abs(sum(r["probability"] for r in heard["results"]) - 1) < 1e-9


def test_any_moment_can_be_seen_again(guest, sit):
    table = sit(guest, guest.begin(german="me", soviet="me")["id"])
    first = table.hear("state")
    set_up(table)
    then = table.ask("at", n=0)["state"]
    assert then["table"] == first["table"]
    assert then["n"] == 0
    assert table.ask("at", n=3)["state"]["n"] == 3
    assert table.ask("at", n=999)["state"]["n"] == 8


def test_looking_far_back_keeps_nobody_waiting(guest, sit, running, monkeypatch):
    """Whatever is worked out about a moment long past goes there in small steps."""
    body = {"game": GAME, "seats": {"german": "me", "soviet": "me"}, "kind": "study"}
    match = guest.post("/api/matches", **body).json()["id"]
    table = sit(guest, match)
    table.hear("state")
    set_up(table)
    known = running.lobby.rooms[match].match
    then = known.view("german", 3)
    at = Match.at

    def in_one_go(self, n):
        assert self is not known
        return at(self, n)

    monkeypatch.setattr(Match, "at", in_one_go)
    document = guest.http.get(f"/api/matches/{match}/position", params={"n": 3})
    assert yaml.safe_load(document.text) == then.document()
    curve = guest.http.get(f"/api/matches/{match}/curve").json()
    assert [score["n"] for score in curve][-1] == len(known.orders)
    assert {score["level"] for score in curve} == {then.standing.words}
    drawn = guest.http.get(f"/g/{match}/scene.svg", params={"n": 3, "hex": "1010"})
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    board = guest.post(f"/api/matches/{match}/whatif", n=3).json()["id"]
    assert sit(guest, board).hear("state")["turn"] == then.turn


def test_a_match_is_there_after_a_restart(sit, tmp_path):
    running = Running(tmp_path / "matches.db")
    guest = Guest(running)
    match = guest.begin(german="me", soviet="me")["id"]
    table = sit(guest, match)
    table.hear("state")
    set_up(table)
    table.give("overrun 1/41+6/41+36/41 0212")
    before = table.state()
    table.close()
    running.stop()
    again = Running(running.path)
    try:
        guest.running = again
        after = sit(guest, match).hear("state")
        for key in ("n", "table", "phase", "to_move", "undo"):
            assert after[key] == before[key]
    finally:
        guest.close()
        again.stop()


def test_the_computer_plays_its_side(guest, sit):
    match = guest.begin(german="me", soviet="random")["id"]
    table = sit(guest, match)
    table.ask("pace", wait=0)
    while table.state()["to_move"] != "german":
        table.hear("state")
    assert table.state()["n"] >= 7


def test_a_whole_game_against_itself_ends_with_a_proof(guest, sit, running):
    match = guest.begin(german="random", soviet="random")["id"]
    table = sit(guest, match)
    table.ask("pace", wait=0)
    while not table.state()["over"]:
        table.hear("state", timeout=60)
    proof = guest.http.get(f"/api/matches/{match}/proof").json()
    welcome = table.last["welcome"]
    assert proof["commitment"] == welcome["commitment"]
    text = guest.http.get(f"/api/matches/{match}/record").text
    record = Record.parse(text)
    assert record.header.seed == proof["seed"]
    record.check()
    opened = guest.post("/api/open", text=text)
    assert opened.status_code == 200
    copy = sit(guest, opened.json()["id"])
    assert copy.hear("state")["n"] == len(record.orders)


def test_the_seed_is_not_shown_before_the_end(guest, sit, running):
    match = guest.begin(german="me", soviet="me")["id"]
    table = sit(guest, match)
    table.hear("state")
    set_up(table)
    seed = running.store.now(Ledger.match, match).seed.hex()
    everything = "".join(m["raw"] for m in table.heard)
    everything += guest.http.get(f"/api/matches/{match}/proof").text
    everything += guest.http.get(f"/api/matches/{match}/record").text
    everything += guest.http.get(f"/api/matches/{match}/position").text
    assert seed not in everything


def test_resigning_ends_the_game(guest, sit):
    match = guest.begin(german="me", soviet="random")["id"]
    table = sit(guest, match)
    table.hear("state")
    assert table.ask("resign")["ok"]
    table.drain()
    assert table.state()["over"]
    assert table.state()["outcome"]["winner"] == "soviet"
    assert table.give("end")["code"] == "over"


def test_two_players_agree_to_end(guest, another, sit):
    made = guest.begin(german="me", soviet="open")
    friend = another()
    friend.post(f"/api/matches/{made['id']}/sit", token=made["invites"]["soviet"].split("seat=")[1])
    german, soviet = sit(guest, made["id"]), sit(friend, made["id"])
    german.hear("state"), soviet.hear("state")
    assert not german.ask("peace", offer=True)["over"]
    assert soviet.ask("peace", offer=True)["over"]


def test_a_what_if_board_starts_from_the_moment(guest, sit):
    match = guest.begin(german="me", soviet="me")["id"]
    table = sit(guest, match)
    table.hear("state")
    set_up(table)
    made = guest.post(f"/api/matches/{match}/whatif", n=8)
    assert made.status_code == 200, made.text
    board = sit(guest, made.json()["id"])
    assert board.hear("state")["to_move"] == "german"


def test_talk_reaches_everybody(guest, another, sit):
    match = guest.begin(german="me", soviet="me")["id"]
    here, there = sit(guest, match), sit(another(), match)
    here.hear("state"), there.hear("state")
    here.ask("say", text="<b>Good luck</b>")
    assert there.hear("talk")["line"]["text"] == "<b>Good luck</b>"
    assert not here.ask("say", text="   ")["ok"]


def test_whoever_watches_does_not_drown_the_talk_of_others(guest, another, sit, running, monkeypatch):
    talk = running.desk.talk
    monkeypatch.setattr(talk, "_buckets", OrderedDict())
    monkeypatch.setattr(talk, "rate", 0.0)
    match = guest.begin(german="me", soviet="me")["id"]
    mine, lines = sit(guest, match), [sit(another(), match) for _ in range(2)]
    codes = [line.ask("say", text=f"look {n}").get("code") for n in range(20) for line in lines]
    assert codes == [None] * 30 + ["flood"] * 10, "however many lines bring it from one address"
    mine.state()
    assert mine.give("place i12 1308")["ok"], "what is no talk goes on"


def test_bookmarks_are_kept(guest, sit):
    match = guest.begin(german="me", soviet="me")["id"]
    table = sit(guest, match)
    table.hear("state")
    table.ask("bookmark", n=0, label="the beginning")
    assert sit(guest, match).hear("welcome")["bookmarks"] == [[0, "the beginning"]]


BAD_FILES = ["", "game: leningrad-1979\nturn: many", "# Ladoga record 1\n", "[1, 2]", "game: chess"]


@pytest.mark.parametrize("engine", ["0.2.0\\0", "0.2.0 " * 100, "<b>"])
def test_a_record_of_no_version_is_refused(guest, engine):
    """What it says is kept with the match; not every store keeps everything."""
    record = guest.http.get(f"/api/matches/{guest.begin(german='me', soviet='me')['id']}/record").text
    assert guest.post("/api/open", text=record).status_code == 200
    odd = re.sub("^engine: .*$", lambda _: f'engine: "{engine}"', record, flags=re.MULTILINE)
    answer = guest.post("/api/open", text=odd)
    assert (answer.status_code, answer.json()["message"][:6]) == (400, "engine")


def test_a_record_goes_on_with_the_figures_it_was_played_with(guest, sit):
    """The combat table of Leningrad '41 was judged otherwise up to version 0.2; nobody has laid corrections over it."""
    file = Path(__file__).parents[1] / "leningrad41" / "golden-0.2.record.xz"
    text = lzma.decompress(file.read_bytes()).decode()
    for _ in range(2):
        answer = guest.post("/api/open", text=text)
        assert answer.status_code == 200, answer.text
        match = answer.json()["id"]
        assert sit(guest, match).state()["over"]
        text = guest.http.get(f"/api/matches/{match}/record").text
        record = Record.parse(text)
        assert (record.header.engine, record.header.overlay) == ("0.2.0", {})
        record.check()


@pytest.mark.parametrize("text", BAD_FILES)
def test_bad_files_are_refused_in_words(guest, text):
    answer = guest.post("/api/open", text=text)
    assert answer.status_code == 400
    assert answer.json()["message"]


def test_a_position_document_opens_as_a_board(guest, sit):
    text = """
game: leningrad-1979
turn: 4
phase: german-combat
map: {blank: [8, 6]}
units:
  12: {hex: "0304"}
  x1: {side: soviet, type: infantry, attack: 4, defence: 3, movement: 5, hex: "0403"}
"""
    made = guest.post("/api/open", text=text)
    assert made.status_code == 200, made.text
    match = made.json()["id"]
    table = sit(guest, match)
    assert table.hear("welcome")["own_map"]
    assert len(guest.http.get(f"/api/matches/{match}/map.json").json()["hexes"]) == 48
    assert guest.http.get(f"/api/matches/{match}/map/main/classic.svg").status_code == 200


def test_players_who_bid_for_sides_change_seats(guest, another, sit):
    other = another()
    made = guest.post(
        "/api/matches", game="leningrad-2010", seats={"german": "me", "soviet": "open"}, options={"bid": "secret"}
    ).json()
    token = made["invites"]["soviet"].partition("seat=")[2]
    assert other.post(f"/api/matches/{made['id']}/sit", token=token).json()["side"] == "soviet"
    mine, theirs = sit(guest, made["id"]), sit(other, made["id"])
    assert mine.give("bid 57")["ok"]
    theirs.hear("state")
    theirs.drain()
    assert "German seat: a sealed bid" in theirs.last["state"]["table"]["lines"]
    hidden = {key: value for key, value in theirs.last["state"].items() if key not in ("offers", "raw")}
    assert "57" not in json.dumps(hidden)
    assert theirs.last["state"]["audience"] == "soviet"
    assert theirs.ask("log", n=0)["log"][0]["text"] == ""
    record = other.http.get(f"/api/matches/{made['id']}/record")
    assert record.json()["code"] == "secret"
    assert theirs.give("bid 58")["ok"]
    mine.drain()
    assert mine.last["people"]["you"] == ["soviet"]
    assert theirs.last["people"]["you"] == ["german"]
    assert mine.last["state"]["audience"] == "soviet"
    assert mine.last["state"]["to_move"] == "soviet"
    text = guest.http.get(f"/api/matches/{made['id']}/record").text
    assert "bid: secret" in text
    assert "1 german bid 57\n2 soviet bid 58\n" in text
    again = guest.post("/api/open", text=text)
    assert again.status_code == 200, again.text
    mine.ask("resign")
    listed = guest.http.get("/api/matches").json()["matches"]
    assert next(m for m in listed if m["id"] == made["id"])["you"] == ["soviet"]
    guest.running.lobby.rooms.clear()
    listed = guest.http.get("/api/matches").json()["matches"]
    assert next(m for m in listed if m["id"] == made["id"])["you"] == ["soviet"]


def test_the_computer_keeps_its_word_when_seats_change(guest, sit):
    made = guest.post(
        "/api/matches", game="leningrad-2010", seats={"german": "me", "soviet": "staff"}, options={"bid": "secret"}
    ).json()
    table = sit(guest, made["id"])
    table.ask("pace", wait=0)
    assert table.give("bid 0")["ok"]
    for _ in range(200):
        table.drain()
        if table.last["state"]["phase"]["id"] == "soviet-set-up":
            break
    people = table.last["people"]
    assert people["you"] == ["soviet"]
    assert {seat["side"]: seat["player"] for seat in people["seats"]} == {"german": "staff", "soviet": ""}
    assert table.give("place i11 1308")["ok"]


def test_a_table_that_is_not_there_says_so_in_words(guest, sit):
    table = sit(guest, "nonsense")
    told = table.hear("error")
    assert told["code"] == "unknown"
    assert isinstance(told["raw"], str), "a browser reads text, not bytes"


def test_an_address_that_leads_nowhere_is_a_page_for_people_and_a_word_for_programs(guest):
    page = guest.http.get("/nowhere")
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    told = guest.http.get("/api/nowhere")
    assert (told.status_code, told.json()["code"]) == (404, "unknown")


def test_what_is_ones_own_alone_may_be_thrown_away(guest, another, sit):
    mine = guest.begin(german="me", soviet="staff")["id"]
    table = sit(guest, mine)
    table.hear("state")
    assert another().http.delete(f"/api/matches/{mine}").status_code == 400
    assert guest.http.delete(f"/api/matches/{mine}").status_code == 200
    assert table.hear("error")["code"] == "unknown"
    assert mine not in [m["id"] for m in guest.http.get("/api/matches").json()["matches"]]
    assert guest.http.delete(f"/api/matches/{mine}").status_code == 404


def test_nothing_more_is_done_at_a_table_whose_match_was_thrown_away(guest, sit):
    mine = guest.begin(german="me", soviet="me")["id"]
    table = sit(guest, mine)
    table.hear("state")
    assert guest.http.delete(f"/api/matches/{mine}").status_code == 200
    for reply in (
        table.give("place i12 1308"), table.ask("say", text="hello"), table.ask("bookmark", n=0, label="here"),
        table.ask("resign"), table.ask("peace", offer=True),
    ):  # fmt: skip
        assert (reply["ok"], reply["code"]) == (False, "unknown")
        assert reply["message"] == "this match was thrown away"


def test_a_match_with_somebody_else_is_not_thrown_away(guest, another):
    made = guest.begin(german="me", soviet="open")
    friend = another()
    token = made["invites"]["soviet"].split("seat=")[1]
    assert friend.post(f"/api/matches/{made['id']}/sit", token=token, name="Anna").status_code == 200
    for one in (guest, friend):
        refused = one.http.delete(f"/api/matches/{made['id']}")
        assert refused.status_code == 400
        assert "somebody else" in refused.json()["message"]


def test_a_name_is_read_at_the_table_at_once(guest, sit):
    table = sit(guest, guest.begin(german="me", soviet="staff")["id"])
    table.hear("people")
    table.drain()
    guest.post("/api/name", name="Georg")
    assert table.hear("people")["seats"][0]["name"] == "Georg"


def test_an_order_is_answered_when_it_is_safe_and_the_table_follows(guest, sit):
    """The answer names the version that is shown next; what is asked after it is answered after the table."""
    table = sit(guest, guest.begin(german="me", soviet="me")["id"])
    state = table.hear("state")
    table.drain()
    del table.heard[:]
    reply = table.ask("order", action="first-order", version=state["version"], text="place i13 1408")
    assert reply["ok"]
    assert reply["version"] == state["version"] + 1
    assert [message["t"] for message in table.heard] == ["reply", "state"]
    assert table.heard[1]["version"] == reply["version"]
    del table.heard[:]
    back = {"t": "undo", "id": 90, "action": "and-back-again", "version": reply["version"], "to": state["n"]}
    table.ws.send(json.dumps(back))
    table.ws.send(json.dumps({"t": "hex", "id": 91, "hex": "1408"}))
    assert [table.hear("reply")["id"] for _ in range(2)] == [90, 91]
    assert [message["t"] for message in table.heard] == ["reply", "state", "reply"]
