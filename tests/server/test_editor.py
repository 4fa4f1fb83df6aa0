"""Correcting a map: checked as the engine checks, kept whole or not at all, and only by the owner."""

import io
import json
import os
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest
import yaml

from ladoga import Record, game_ids, load
from ladoga.kernel.game import load_game
from ladoga.server import editor
from ladoga.server.door import Door

from .serving import Guest, Running

GAME = "leningrad-1979"
OWNER = "the-owner-of-this-machine"
SWAMP = {"hexes": {"1009": "swamp"}, "hexsides": {"1009/1010": ["river", "road"]}, "why": {"1009": "printed so"}}
WORDS = ["map.yaml: 1009 is now swamp, not clear (printed so)", "map.yaml: 1009/1010 is now river, road, not river"]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("corrections")


@pytest.fixture(scope="module")
def own(tmp_path_factory, home):
    db = tmp_path_factory.mktemp("own") / "matches.db"
    server = Running(db, local=True, door=Door(OWNER), corrections=home)
    yield server
    server.stop()


def the_owner(own):
    return Guest(own, by=f"/enter/{Door(OWNER).key()}")


@pytest.fixture
def me(own):
    guest = the_owner(own)
    yield guest
    guest.close()


def save(guest, name, change=SWAMP, was="", game=GAME):
    return guest.post(f"/api/editor/{game}/kept", name=name, map=change, was=was)


@pytest.mark.parametrize("game", game_ids())
def test_the_editor_shows_everything_on_every_map(me, game):
    shown = me.http.get(f"/api/editor/{game}").json()
    game_map = load(game).map
    grid = game_map.grid
    assert set(shown["hexes"]) == {grid.number(h) for h in grid.members(grid.all)}
    for number, (terrain, places, name) in shown["hexes"].items():
        h = grid.hex(number)
        assert (terrain, places, name) == (game_map.terrain_of(h), game_map.places_of(h), game_map.names.get(h, ""))
    counted = sum(mask.bit_count() for masks in game_map.sides.values() for mask in masks)
    assert 2 * sum(map(len, shown["sides"].values())) == counted
    marked = {key for key in shown["sources"] if "/" in key}
    assert marked == set(shown["sides"])
    assert [w["word"] for w in shown["terrain"]] == game_map.vocabulary.terrain
    assert me.post(f"/api/editor/{game}/check", map={}).json() == {"changes": [], "problems": []}


def test_what_is_checked_is_what_the_game_says_at_its_start(me):
    told = me.post(f"/api/editor/{GAME}/check", map=SWAMP).json()
    assert told == {"changes": WORDS, "problems": []}
    assert told["changes"] == list(load_game(GAME, {"map.yaml": SWAMP}).changes)


@pytest.mark.parametrize(
    ("change", "path", "message"),
    [
        ({"hexes": {"9999": "swamp"}}, "map.hexes.9999", "the map has no hex '9999'"),
        ({"hexes": {"1009": "jungle"}}, "map.hexes.1009", "unknown terrain 'jungle'"),
        ({"hexsides": {"1009": ["river"]}}, "map.hexsides.1009", "a hexside is written as two hexes"),
        ({"hexsides": {"1009/1010": ["fence"]}}, "map.hexsides.1009/1010", "unknown hexside 'fence'"),
        ({"places": {"1009": ["castle"]}}, "map.places.1009", "unknown place 'castle'"),
        ({"hexes": {"1009": 7}}, "hexes.1009", "expected text, got a whole number"),
        ({"blank": [3, 3]}, "map.blank", "cannot blank"),
        ({"hexes": {"0205": "sea"}}, "map.hexes.0205", "starts here"),
    ],
)
def test_problems_are_told_with_their_path(me, change, path, message):
    (problem,) = me.post(f"/api/editor/{GAME}/check", map=change).json()["problems"][:1]
    assert problem["path"] == path
    assert message in problem["message"]
    refused = save(me, "never", change)
    assert refused.status_code == 400
    assert message in refused.json()["message"]
    assert "never" not in me.http.get(f"/api/editor/{GAME}").json()["kept"]


def test_saved_corrections_are_an_overlay_the_command_line_takes(me, home):
    kept = save(me, "mine").json()
    folder = home / GAME / "mine"
    assert kept["folder"] == str(folder)
    assert [p.name for p in folder.iterdir()] == ["map.yaml"]
    assert list(load(GAME, data=folder).changes) == WORDS
    assert yaml.safe_load((folder / "map.yaml").read_text())["from"] == "owner"
    again = me.http.get(f"/api/editor/{GAME}/kept/mine").json()
    assert again["map"] == kept["map"] == {"from": "owner", **SWAMP}
    assert again["mark"] == kept["mark"]
    assert "mine" in me.http.get(f"/api/editor/{GAME}").json()["kept"]


def test_what_the_map_has_anyway_is_not_kept(me):
    change = {
        "hexes": {"1009": "clear", "1011": "hill"},
        "hexsides": {"1010/1009": ["river"]},
        "names": {"0908": "Riga"},
    }
    assert save(me, "little", change).json()["map"] == {"from": "owner", "hexes": {"1011": "hill"}}


def test_nobody_overwrites_what_was_saved_in_between(me, home):
    first = save(me, "shared").json()
    second = save(me, "shared", {"hexes": {"1009": "hill"}}, first["mark"]).json()
    stale = save(me, "shared", {"hexes": {"1009": "woods"}}, first["mark"])
    assert (stale.status_code, stale.json()["code"]) == (400, "changed")
    assert save(me, "shared", SWAMP).json()["code"] == "changed"
    assert me.http.get(f"/api/editor/{GAME}/kept/shared").json()["mark"] == second["mark"]


def test_saved_corrections_can_be_deleted_but_not_what_somebody_else_saved(me, home):
    first = save(me, "gone").json()
    second = save(me, "gone", {"hexes": {"1009": "hill"}}, first["mark"]).json()
    path = f"/api/editor/{GAME}/kept/gone"
    stale = me.http.delete(path, params={"was": first["mark"]})
    assert (stale.status_code, stale.json()["code"]) == (400, "changed")
    assert (home / GAME / "gone" / "map.yaml").is_file()
    assert "gone" not in me.http.delete(path, params={"was": second["mark"]}).json()["kept"]
    assert not (home / GAME / "gone").exists()
    assert me.http.delete(path, params={"was": second["mark"]}).json()["code"] == "unknown"
    assert me.http.delete(f"/api/editor/{GAME}/kept/..%2Fx", params={"was": ""}).status_code in (400, 404)


def test_deleting_leaves_other_files_of_the_overlay_alone(me, home):
    kept = save(me, "half").json()
    folder = home / GAME / "half"
    (folder / "notes.txt").write_text("mine")
    me.http.delete(f"/api/editor/{GAME}/kept/half", params={"was": kept["mark"]})
    assert [p.name for p in folder.iterdir()] == ["notes.txt"]


def test_a_failed_save_leaves_the_old_file_whole(me, home, monkeypatch):
    kept = save(me, "safe").json()
    file = home / GAME / "safe" / "map.yaml"
    before = file.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(os, "replace", full)
        answer = save(me, "safe", {"hexes": {"1009": "hill"}}, kept["mark"])
    assert answer.json() == {
        "code": "disk", "message": "could not be saved, nothing was changed: No space left on device", "case": "",
    }  # fmt: skip
    assert file.read_bytes() == before
    assert [p.name for p in file.parent.iterdir()] == ["map.yaml"]
    assert save(me, "safe", {"hexes": {"1009": "hill"}}, kept["mark"]).status_code == 200


def test_other_files_of_an_overlay_are_left_alone_and_played_with(me, home):
    folder = home / GAME / "both"
    folder.mkdir(parents=True)
    (folder / "units.yaml").write_text("units: {'12': {attack: 7}}\n")
    kept = me.http.get(f"/api/editor/{GAME}/kept/both").json()
    assert (kept["map"], kept["others"], kept["mark"]) == ({"from": "owner"}, ["units.yaml"], "")
    assert save(me, "both").json()["others"] == ["units.yaml"]
    assert load(GAME, data=folder).units["12"].attack == 7
    told = me.post(f"/api/editor/{GAME}/check", map=SWAMP, name="both").json()
    assert told["changes"] == ["units.yaml: units.12.attack 6 -> 7", *WORDS]


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "Big", "-x", "x" * 41, "a b", "con.yaml", "é"])
def test_names_cannot_lead_out_of_the_folder(me, home, name):
    before = sorted(home.rglob("*"))
    assert save(me, name).json()["code"] in ("name", "form")
    assert me.post("/api/matches", game=GAME, seats={}, corrections=name or "..").status_code == 400
    assert sorted(home.rglob("*")) == before


@pytest.mark.parametrize(
    "body", ["", "[]", "{", '{"map": 3}', '{"map": {}, "more": 1}', '{"map": {}, "was": 1}', "\xff"]
)
def test_malformed_drafts_are_refused(me, body):
    for path in ("check", "map/main/classic.svg", "packed", "kept"):
        answer = me.http.post(f"/api/editor/{GAME}/{path}", content=body.encode("latin-1"))
        assert (answer.status_code, answer.json()["code"]) == (400, "form"), path


def test_too_long_a_draft_is_refused(me):
    names = {f"{n:04}": "x" * 90 for n in range(12_000)}
    for path in ("check", "read", "kept"):
        answer = me.http.post(f"/api/editor/{GAME}/{path}", content=json.dumps({"map": {"names": names}}))
        assert answer.json()["code"] == "long"


def test_a_draft_is_drawn_by_the_one_renderer(me):
    def drawing(change, board="main", palette="classic"):
        return me.post(f"/api/editor/{GAME}/map/{board}/{palette}.svg", map=change)

    plain, changed = drawing({}), drawing(SWAMP)
    assert plain.text == me.http.get(f"/api/games/{GAME}/map/main/classic.svg").text
    assert changed.headers["content-type"].startswith("image/svg")
    assert changed.text != plain.text
    assert drawing(SWAMP).text == changed.text
    assert drawing({"hexes": {"1009": "jungle"}}).status_code == 400
    assert drawing({}, board="moon").status_code == 404
    assert drawing({}, palette="pink").status_code == 404


def test_corrections_go_out_and_come_back_as_a_file(me):
    packed = me.post(f"/api/editor/{GAME}/packed", map=SWAMP, name="mine")
    with zipfile.ZipFile(io.BytesIO(packed.content)) as parts:
        assert parts.namelist() == ["mine/map.yaml"]
        text = parts.read("mine/map.yaml")
    for body in (packed.content, text, json.dumps(SWAMP).encode()):
        answer = me.http.post(f"/api/editor/{GAME}/read", content=body)
        assert answer.json() == {"map": {"from": "owner", **SWAMP}}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"hexes: {1009: swamp, 1009: hill}", "map.yaml: line 1, column 22: the key '1009' is given twice"),
        (b"hexes: [1]", "expected a set of named values"),
        (b"- 1", "expected a set of named values"),
        (b"\xff", "not UTF-8"),
        (b"{", "map.yaml: line"),
        (b"PK\x03\x04 nonsense", "cannot be read"),
        (b"hexes: {1009: jungle}", "unknown terrain"),
        (b"roads: {}", "unknown key 'roads'"),
    ],
)
def test_files_that_are_no_corrections_are_refused(me, body, message):
    answer = me.http.post(f"/api/editor/{GAME}/read", content=body)
    assert answer.status_code == 400
    assert message in answer.json()["message"]


def test_a_packed_file_that_swells_is_refused(me):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("x/map.yaml", "#" * 3_000_000)
    answer = me.http.post(f"/api/editor/{GAME}/read", content=buffer.getvalue())
    assert answer.json()["message"] == "map.yaml: that is too long"


def test_a_match_on_kept_corrections_stays_as_it_began(own, me, home):
    mark = save(me, "played").json()["mark"]
    made = me.post("/api/matches", game=GAME, seats={"german": "me", "soviet": "me"}, corrections="played").json()
    text = me.http.get(f"/api/matches/{made['id']}/record").text
    record = Record.parse(text)
    assert record.header.changes == WORDS
    assert record.start().map.terrain_of(record.start().map.grid.hex("1009")) == "swamp"
    assert save(me, "played", {"hexes": {"1009": "hill"}}, mark).status_code == 200
    own.lobby.rooms.clear()
    assert me.http.get(f"/api/matches/{made['id']}/record").text == text
    drawn = me.http.get(f"/api/matches/{made['id']}/map/main/classic.svg").text
    assert drawn == me.post(f"/api/editor/{GAME}/map/main/classic.svg", map=SWAMP).text
    again = me.post("/api/open", text=text)
    assert again.status_code == 200
    assert Record.parse(me.http.get(f"/api/matches/{again.json()['id']}/record").text).header.changes == WORDS


def test_a_match_can_bring_its_corrections_along(me):
    seats = {"german": "me", "soviet": "me"}
    made = me.post("/api/matches", game=GAME, seats=seats, map=SWAMP)
    assert Record.parse(me.http.get(f"/api/matches/{made.json()['id']}/record").text).header.changes == WORDS
    for bad in ({"hexes": {"1009": "jungle"}}, {"hexes": {"0205": "sea"}}, {"roads": {}}):
        assert me.post("/api/matches", game=GAME, seats=seats, map=bad).status_code == 400


def test_strangers_on_the_owners_machine_write_nothing(own, home):
    stranger = Guest(own)
    stranger.http.cookies.clear()
    stranger.http.get("/g/none?seat=x")
    before = sorted(home.rglob("*"))
    assert save(stranger, "intruder").json()["code"] == "closed"
    assert stranger.http.get(f"/api/editor/{GAME}/kept/mine").json()["code"] == "closed"
    assert stranger.http.delete(f"/api/editor/{GAME}/kept/mine").json()["code"] == "closed"
    assert stranger.http.get(f"/api/editor/{GAME}").json()["kept"] == []
    refused = stranger.post("/api/matches", game=GAME, seats={}, corrections="mine")
    assert refused.json()["code"] == "closed"
    stranger.close()
    elsewhere = the_owner(own)
    answer = elsewhere.http.post(
        f"/api/editor/{GAME}/kept", json={"name": "rebound", "map": {}, "was": ""}, headers={"Host": "evil.example"}
    )
    assert (answer.status_code, answer.json()["code"]) == (421, "name")
    elsewhere.close()
    assert sorted(home.rglob("*")) == before


def test_on_a_server_the_editor_is_closed_unless_allowed(guest):
    assert guest.http.get("/api/games").json()["editor"] is False
    assert guest.http.get(f"/api/editor/{GAME}").json()["code"] == "closed"
    for path in ("check", "map/main/classic.svg", "packed", "read", "kept"):
        assert guest.post(f"/api/editor/{GAME}/{path}", map={}, name="x").json()["code"] == "closed", path
    assert guest.post("/api/matches", game=GAME, seats={}, map=SWAMP).json()["code"] == "closed"


def test_allowed_guests_edit_and_play_but_keep_nothing(tmp_path):
    server = Running(tmp_path / "matches.db", editing=True)
    guest = Guest(server)
    try:
        shown = guest.http.get(f"/api/editor/{GAME}").json()
        assert (shown["keeps"], shown["kept"]) == (False, [])
        assert guest.post(f"/api/editor/{GAME}/check", map=SWAMP).json()["changes"] == WORDS
        assert save(guest, "mine").json()["code"] == "closed"
        seats = {"german": "me", "soviet": "me"}
        made = guest.post("/api/matches", game=GAME, seats=seats, map=SWAMP).json()
        record = guest.http.get(f"/api/matches/{made['id']}/record").text
        assert guest.post("/api/open", text=record).status_code == 200
        spiked = record.replace("overlay:\n", "overlay:\n  units.yaml: {units: {'12': {attack: 99}}}\n")
        assert guest.post("/api/open", text=spiked).json()["code"] == "overlay"
        assert {p.name.partition("-")[0] for p in tmp_path.iterdir()} == {"matches.db"}
    finally:
        guest.close()
        server.stop()


def test_of_two_who_save_at_the_same_moment_one_is_told(own, monkeypatch):
    """What the other has just saved is never overwritten unseen."""
    looked_over = editor.checked

    def slowly(game_id, overlay):
        time.sleep(0.3)
        return looked_over(game_id, overlay)

    monkeypatch.setattr(editor, "checked", slowly)
    with ThreadPoolExecutor(2) as both:
        guests = [the_owner(own), the_owner(own)]
        replies = list(both.map(lambda guest: save(guest, "at-once"), guests))
        for guest in guests:
            guest.close()
    assert sorted(reply.status_code for reply in replies) == [200, 400]
    assert {reply.json().get("code") for reply in replies} == {None, "changed"}
