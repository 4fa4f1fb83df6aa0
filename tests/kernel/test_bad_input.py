"""Whatever comes from outside and is wrong: the file, the place and what was expected, never a traceback."""

import json
import pickle

import pytest
import yaml

import ladoga
from ladoga.cli import main
from ladoga.kernel.chance import Dice
from ladoga.kernel.position import won
from ladoga.kernel.record import Header, Record

GAME = "leningrad-1979"
GOOD = {
    "game": GAME, "turn": 4, "phase": "german-combat",
    "map": {"blank": [8, 6], "hexes": {"0403": "swamp"}, "hexsides": {"0403/0404": ["river"]},
            "places": {"0101": ["german-supply"]}},
    "units": {"1/41": {"hex": "0303"}, "12": {"hex": "0304", "steps": 1},
              "x1": {"side": "soviet", "type": "infantry", "attack": 4, "defence": 3, "movement": 5, "hex": "0403"}},
    "dice": [4],
}  # fmt: skip


def changed(path, value):
    """The good document with one value changed (or removed, for ``None``)."""
    document = json.loads(json.dumps(GOOD))
    place = document
    *way, last = path.split("|")
    for key in way:
        place = place[key]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return document


def test_the_example_of_the_design_plays():
    position = ladoga.load(GAME).position(GOOD)
    # 10 and 3 against 3: 13 to 3 is 4-1
    assert position.explain("attack 1/41+12 0403").initial == (("4-1", 1),)
    assert position.play("attack 1/41+12 0403").events


@pytest.mark.parametrize(
    ("path", "value", "where", "what"),
    [
        ("game", "chess", "game", "a document of chess, not of leningrad-1979"),
        ("game", "", "game", "not of leningrad-1979"),
        ("game", None, "", "game"),
        ("turn", 13, "turn", "turns 1 to 12"),
        ("turn", "four", "turn", "whole number"),
        ("phase", "german-tea", "phase", "no phase"),
        ("weather", "snow", "", "weather"),
        ("units|1/41|hex", "9999", "units.1/41.hex", "no hex"),
        ("units|12|steps", 3, "units.12.steps", "1 to 2 steps"),
        ("units|12|armour", 1, "units", "armour"),
        ("units|nobody", {"hex": "0303"}, "units.nobody", "not a unit"),
        ("units|1/41|attack", 9, "units.1/41", "own side and figures"),
        ("units|x1|defence", 0, "units.x1.defence", "1 to 99"),
        ("units|x1|side", "finnish", "units", "finnish"),
        ("units|30", {"hex": "0403"}, "units.30.hex", "enemy"),
        ("map|hexes|0403", "lava", "map.hexes.0403", "unknown terrain"),
        ("map|hexes|0499", "swamp", "map.hexes.0499", "no hex"),
        ("map|hexsides|0403/0505", ["river"], "map.hexsides.0403/0505", "share a hexside"),
        ("map|hexsides|0403", ["river"], "map.hexsides.0403", "two hexes"),
        ("map|hexsides|0403/0404", ["canal"], "map.hexsides", "unknown hexside"),
        ("map|places|0101", ["casino"], "map.places.0101", "unknown place"),
        ("map|blank", [0, 6], "map.blank", "1 to 99"),
        ("options", {"cheat": True}, "options", "no option"),
        ("options", {"recycle": "maybe"}, "options", "cannot be"),
        ("scenario", "finland", "scenario", "no scenario"),
        ("forts", ["0101", "0101"], "forts[1]", "already"),
        ("interdiction", {"0101": 3}, "interdiction", "arrived"),
        ("fight", {"stage": "roll", "targets": ["0403"], "attackers": ["ghost"]}, "fight.attackers[0]", "no unit"),
    ],
)  # fmt: skip
def test_bad_documents_name_the_place(path, value, where, what):
    with pytest.raises(ladoga.BadDocument) as caught:
        ladoga.load(GAME).position(changed(path, value))
    assert where in caught.value.path or where in str(caught.value)
    assert what in str(caught.value)


@pytest.mark.parametrize(
    ("game", "change", "path", "message"),
    [
        ("assault-leningrad", {"units": {"a": {"hex": "0101"}, "b": {"side": "finnish"}}}, "units.b.side",
         "unknown word 'finnish'; known: german, soviet"),
        ("assault-leningrad", {"units": {"b": {"movement": "6"}}}, "units.b.movement", "a whole number, got text"),
        ("assault-leningrad", {"units": {11: {"hex": "0101"}, 12: {"hexx": 1}}}, "units.12", "unknown key 'hexx'"),
        ("assault-leningrad", {"units": {"b": {"faces": ["8-A", 4]}}}, "units.b.faces[1]", "expected text"),
        ("tijvin-1941", {"units": {"b": {"type": "zeppelin"}}}, "units.b.type", "known: antitank"),
        ("leningrad41", {"units": {"b": {"hexx": "0101"}}}, "units.b", "unknown key 'hexx'"),
        ("leningrad-2010", {"map": {"hexes": {"0101": "clear", "0102": 7}}}, "map.hexes.0102", "expected text"),
        ("leningrad-1979", {"map": {"places": {"0102": "fort"}}}, "map.places.0102", "expected a list, got text"),
        ("leningrad-1979", {"interdiction": {"0202": 10**30}}, "interdiction", "arrived by turn 4"),
    ],
)  # fmt: skip
def test_a_bad_value_is_named_by_its_whole_path_and_the_words_that_would_do(game, change, path, message):
    with pytest.raises(ladoga.BadDocument) as caught:
        ladoga.load(game).position({"game": game, "turn": 4, "phase": "german-combat", **change})
    assert caught.value.path == path
    assert message in str(caught.value)


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_a_scenario_and_an_option_nobody_knows_are_named_by_their_paths(game_id):
    game = ladoga.load(game_id)
    for key, value, path in (
        ("scenario", "picnic", "scenario"),
        ("options", {"picnic": True}, "options.picnic"),
        ("options", {next(iter(game.options)): "perhaps"}, f"options.{next(iter(game.options))}"),
    ):
        with pytest.raises(ladoga.BadDocument) as caught:
            game.position({"game": game_id, "turn": 4, "phase": "german-combat", key: value})
        assert caught.value.path == path


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_a_document_of_another_game_is_told_before_its_keys_are_looked_at(game_id):
    other = next(each for each in ladoga.game_ids() if each.split("-")[0] != game_id.split("-")[0])
    with pytest.raises(ladoga.BadDocument, match=f"^game: a document of {other}, not of {game_id}$"):
        ladoga.load(game_id).position(ladoga.load(other).start().document())


@pytest.mark.parametrize(
    ("fight", "path", "message"),
    [
        ({"targets": ["0505"]}, "fight.targets[0]", "there is no enemy unit in 0505"),
        ({"targets": ["0403", "0403"]}, "fight.targets[1]", "0403 is a target already"),
        ({"targets": ["0403"], "attackers": ["30"]}, "fight.attackers[0]", "30 is not next to 0403"),
        ({"stage": "roll", "targets": ["0403"], "attackers": ["30"], "defenders": ["x1"], "origins": ["0706"],
          "posts": ["0403"]}, "fight.attackers[0]", "30 is not next to all targets"),
        ({"stage": "defend", "targets": ["0403"], "attackers": ["61"], "defenders": ["x1"], "origins": ["0303"],
          "posts": ["0403"], "toll": 1, "result": "1/2"}, "fight.attackers", "61 is not on the map"),
    ],
)  # fmt: skip
def test_an_attack_in_hand_is_one_that_could_have_been_ordered(fight, path, message):
    document = changed("fight", {"stage": "compose", **fight})
    document["units"]["30"] = {"hex": "0706"}
    with pytest.raises(ladoga.BadDocument) as caught:
        ladoga.load(GAME).position(document)
    assert (caught.value.path, caught.value.message) == (path, message)


def test_a_number_may_name_a_unit_as_another_reader_of_yaml_gives_it():
    document = changed("units|12", None)
    document["units"] = {12: GOOD["units"]["12"], **document["units"]}
    assert ladoga.load(GAME).position(document) == ladoga.load(GAME).position(GOOD)
    document["units"]["12"] = {"hex": "0202"}
    with pytest.raises(ladoga.BadDocument):
        ladoga.load(GAME).position(document)


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_whatever_is_no_document_is_refused(game_id):
    game = ladoga.load(game_id)
    for nothing in (None, [], 5, "", "text", b"bytes"):
        with pytest.raises(ladoga.BadDocument):
            game.position(nothing)
    with pytest.raises(ladoga.BadDocument, match=r"units\.x\.hex: expected text"):
        game.position({"game": game_id, "turn": 3, "phase": "german-movement", "units": {"x": {"hex": 404}}})


def test_a_result_that_cannot_come_is_refused_where_the_document_waits_for_it():
    document = {"game": "tijvin-1941", "turn": 3, "phase": "weather", "dice": [2, 9]}
    with pytest.raises(ladoga.BadDocument) as caught:
        ladoga.load("tijvin-1941").position(document)
    assert caught.value.path == "dice[1]"


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_a_game_is_set_up_before_its_first_turn(game_id):
    game = ladoga.load(game_id)
    phase = next(phase.id for phase in game.phases if "set-up" in phase.id)
    with pytest.raises(ladoga.BadDocument) as caught:
        game.position({"game": game_id, "turn": 2, "phase": phase})
    assert caught.value.path == "turn"


def test_an_order_is_text():
    for nothing in (None, 5, ["end"]):
        with pytest.raises(ladoga.BadOrder, match="line of text"):
            ladoga.load(GAME).parse(nothing)


def test_four_units_in_a_hex_cannot_arise():
    units = {name: {"hex": "0202"} for name in ("12", "30", "32", "61")}
    document = {"game": GAME, "turn": 4, "phase": "german-combat", "units": units, "map": {"blank": [8, 6]}}
    with pytest.raises(ladoga.BadDocument, match="the limit is 3"):
        ladoga.load(GAME).position(document)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"), ("fly 12 0101", "there is no order 'fly'"), ("move", "needs more"), ("move 12", "needs more"),
        ("move 12 Riga", "not a hex"), ("move 12+12 0101", "different units"), ("end now please", "too much"),
    ],
)  # fmt: skip
def test_unreadable_orders(text, message):
    with pytest.raises(ladoga.BadOrder, match=message):
        ladoga.load(GAME).parse(text)


def run(capsys, *arguments):
    status = main([str(a) for a in arguments])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "line"), ("[1, 2]", "named values"), ("game: [", "line"), ("a: 1\na: 2", "given twice"),
        (yaml.safe_dump(changed("units|12|steps", 3)), "units.12.steps"),
    ],
)  # fmt: skip
def test_position_command_refuses_in_one_line(capsys, tmp_path, content, message):
    file = tmp_path / "position.yaml"
    file.write_text(content)
    status, out, err = run(capsys, "position", GAME, file)
    assert status != 0
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert str(file) in err
    assert message in err


def test_missing_files_games_and_players(capsys, tmp_path):
    for arguments, message in (
        (("position", GAME, tmp_path / "none.yaml"), "No such file"),
        (("position", "chess", tmp_path), "no game 'chess'"),
        (("check", tmp_path / "none.ladoga"), "No such file"),
        (("rules", GAME, "99.9"), "no case"),
        (("simulate", GAME, "--games", "1", "--german", "napoleon"), "no player"),
        (("simulate", GAME, "--games", "1", "--option", "recycle=perhaps"), "cannot be"),
        (("simulate", GAME, "--games", "1", "--ask", "why?"), "not a question"),
        (("map", GAME, "--svg", tmp_path / "m.svg", "--board", "moon"), "no board"),
        (("tournament", GAME, "--players", "random"), "two different"),
    ):
        status, _, err = run(capsys, *arguments)
        assert status == 2
        assert message in err
        assert "Traceback" not in err
        assert len(err.strip().splitlines()) == 1


def test_position_command_plays_and_refuses(capsys, tmp_path):
    file = tmp_path / "position.yaml"
    file.write_text(yaml.safe_dump(GOOD))
    status, out, _ = run(capsys, "position", GAME, file, "--json", "--play", "attack 1/41+12 0403")
    shown = json.loads(out)
    assert status == 0
    assert shown["results"][0]["ok"]
    assert any("Die 4" in event["text"] for event in shown["results"][0]["events"])
    assert shown["to_move"] in ("german", "soviet")
    assert shown["legal"]
    status, out, _ = run(capsys, "position", GAME, file, "--json", "--play", "attack 12 0101", "end")
    shown = json.loads(out)
    assert status == 1
    assert shown["results"] == [
        {
            "order": "attack 12 0101",
            "ok": False,
            "case": "8.0",
            "message": "there is no enemy unit in 0101",
            "events": [],
        }
    ]
    status, out, _ = run(capsys, "position", GAME, file, "--legal")
    assert "target 0403" in out.splitlines()


def test_odds_command(capsys, tmp_path):
    file = tmp_path / "position.yaml"
    file.write_text(yaml.safe_dump(GOOD))
    status, out, _ = run(capsys, "odds", GAME, file, "attack 1/41 0403", "--json")
    assert status == 0
    assert sum(entry["probability"] for entry in json.loads(out)["results"]) == pytest.approx(1)
    status, out, err = run(capsys, "odds", GAME, file, "attack 1/41 0101")
    assert (status, "8.0" in err) == (2, True)


def test_simulate_replay_check(capsys, tmp_path):
    records = tmp_path / "records"
    status, out, _ = run(capsys, "simulate", GAME, "--games", 2, "--seed", 3, "--json", "-", "--records", records)
    result = json.loads(out)
    assert status == 0
    assert {"game", "games", "seed", "players", "errors", "outcomes", "digest"} <= set(result)
    assert {"winner", "level", "margin", "turns", "orders", "seconds"} <= set(result["outcomes"][0])
    files = sorted(records.iterdir())
    assert len(files) == 2
    status, out, _ = run(capsys, "check", *files)
    assert status == 0
    assert "dice as committed" in out
    status, out, _ = run(capsys, "replay", files[0])
    assert "Turn 12" in out
    ended = result["outcomes"][0]
    assert out.endswith(f"{won(ended['winner'], ended['level'])}, margin {ended['margin']:g}\n"), "reckoned up"
    assert json.loads(run(capsys, "replay", files[0], "--json")[1])["outcome"]["margin"] == ended["margin"]
    for part in out.strip().split("\n\n"):
        heading, *orders = part.splitlines()
        placed = [line for line in orders if line[:7].strip().isdigit() and line.split()[1] == "place"]
        assert bool(placed) == ("set-up" in heading), "every order stands under the phase it was given in"
    text = files[0].read_text().splitlines()
    at = next(n for n, line in enumerate(text) if " chance die " in line)
    text[at] = text[at][:-1] + ("1" if text[at][-1] != "1" else "2")
    files[0].write_text("\n".join(text) + "\n")
    status, _, err = run(capsys, "check", files[0])
    assert status == 2
    assert "the seed gives" in err
    assert "version" not in err
    text[at] = text[at][:-1] + "9"
    files[0].write_text("\n".join(text).replace(f"engine: {ladoga.__version__}", "engine: 9.0.0") + "\n")
    for command in ("check", "replay"):
        status, _, err = run(capsys, command, files[0])
        assert status == 2
        assert f"(played with version 9.0.0, this is {ladoga.__version__})" in err


@pytest.mark.parametrize("command", ["check", "replay"])
def test_a_record_of_the_time_before_the_rules_were_settled_is_refused_in_one_line(command, tmp_path, capsys):
    file = tmp_path / "old.ladoga"
    file.write_text("# Ladoga record 1\ngame: leningrad-1979\nengine: 0.1.0\n---\n1 soviet place i12 1308\n")
    status, out, err = run(capsys, command, file)
    assert (status, out) == (2, "")
    assert err == f"ladoga: {file}: engine: played with version 0.1.0; records replay from version 0.2 on\n"
    file.write_text(file.read_text().replace("0.1.0", "0.2.0"))
    assert run(capsys, command, file)[0] == 0
    with pytest.raises(ladoga.BadRecord, match=r"0\.1\.12"):
        ladoga.Record.parse("# Ladoga record 1\ngame: leningrad-1979\nengine: 0.1.12\n---\n")
    assert ladoga.Record.parse("# Ladoga record 1\ngame: leningrad-1979\nengine: 0.10.0\n---\n").orders == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "begins with"), ("# Ladoga record 1\ngame: chess\n", "does not end"),
        ("# Ladoga record 1\ngame: leningrad-1979\nengine: '1'\n---\n2 german end\n", "expected event 1"),
        ("# Ladoga record 1\ngame: leningrad-1979\nengine: '1'\n---\n1 german fly\n", "no order 'fly'"),
        ("# Ladoga record 1\ngame: leningrad-1979\nengine: '1'\nspeed: 3\n---\n", "speed"),
    ],
)  # fmt: skip
def test_bad_records(tmp_path, content, message):
    file = tmp_path / "bad.ladoga"
    file.write_text(content)
    with pytest.raises(ladoga.BadRecord, match=message) as caught:
        ladoga.Record.read(file)
    assert str(file) in str(caught.value)


def test_overlays_are_shown_and_checked(tmp_path):
    overlay = tmp_path / "mine"
    overlay.mkdir()
    (overlay / "map.yaml").write_text("hexes: {1009: swamp}\n")
    (overlay / "units.yaml").write_text("units: {'12': {attack: 7}}\n")
    (overlay / ".DS_Store").write_bytes(b"\xff")  # what a desktop leaves in every folder it shows
    game = ladoga.load(GAME, data=overlay)
    assert game.units["12"].attack == 7
    assert game.map.terrain_of(game.map.grid.hex("1009")) == "swamp"
    assert game.changes == ("units.yaml: units.12.attack 6 -> 7", "map.yaml: 1009 is now swamp, not clear")
    (overlay / "units.yaml").write_text("units: {'12': {attack: lots}}\n")
    with pytest.raises(ladoga.BadData, match=r"units\.yaml.*attack|attack.*whole number"):
        ladoga.load(GAME, data=overlay)
    (overlay / "units.yaml").unlink()
    (overlay / "notes.txt").write_text("hello")
    with pytest.raises(ladoga.BadData, match="not a data file"):
        ladoga.load(GAME, data=overlay)


def test_terminal_play(capsys, monkeypatch, tmp_path):
    import io

    record = tmp_path / "game.ladoga"
    lines = [
        "help",
        "legal i12",
        "why move 12 0101",
        "place i12 1210",
        "place i12 1310",
        "undo",
        "place i12 1310",
        "reach 12",
        "quit",
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    status, out, _ = run(capsys, "play", GAME, "--terminal", "--soviet", "human", "--record", record)
    assert status == 0
    assert "one unit starts in each row" in out
    assert "Taken back: place i12 1310" in out
    assert "12 can go nowhere." in out, "Soviet divisions stand all round 0113"
    kept = ladoga.Record.read(record)
    assert [str(order) for order in kept.orders] == ["place i12 1310"]
    monkeypatch.setattr("sys.stdin", io.StringIO("place i13 1410\nquit\n"))
    status, out, _ = run(capsys, "play", GAME, "--terminal", "--record", record)
    assert [str(order) for order in ladoga.Record.read(record).orders] == ["place i12 1310", "place i13 1410"]


def test_games_and_rules(capsys):
    _, out, _ = run(capsys, "games", "--json")
    listed = {entry["id"]: entry for entry in json.loads(out)}
    assert set(listed) == set(ladoga.game_ids())
    assert all({"id", "title", "sides", "scenarios", "options", "turns"} <= set(e) for e in listed.values())
    _, out, _ = run(capsys, "rules", GAME, "4.3")
    assert "One hex always" in out
    _, out, _ = run(capsys, "rules", GAME, "6", "--json")
    assert list(json.loads(out)["cases"]) == ["6.0", "6.1", "6.2", "6.3", "6.4"]
    _, out, _ = run(capsys, "rules", GAME, "--coverage", "--json")
    assert json.loads(out)["uncovered"] == []


def test_an_overlay_may_be_given_as_what_its_files_hold():
    owner = {"from": "owner", "hexes": {"1009": "swamp", "1010": "woods"}, "hexsides": {"1009/1010": ["road"]},
             "names": {"1009": "Bog", "0908": ""}, "why": {"1009": "page 3"}}  # fmt: skip
    game = ladoga.load(GAME, data={"map.yaml": owner})
    grid = game.map.grid
    assert game.map.has_side("road", grid.hex("1010"), grid.hex("1009"))
    assert game.map.name_of(grid.hex("1009")) == "Bog 1009"
    assert game.map.name_of(grid.hex("0908")) == "0908"
    assert game.changes == (
        "map.yaml: 1009 is now swamp, not clear (page 3)", "map.yaml: 1009/1010 is now road, not river",
        "map.yaml: 1009 is now Bog, not nameless (page 3)", "map.yaml: 0908 is now nameless, not Riga",
    )  # fmt: skip
    assert game.overlay == {"map.yaml": owner}


@pytest.mark.parametrize(
    ("owner", "message"),
    [
        ({"blank": [5, 5]}, "map.blank: an overlay corrects"),
        ({"from": "printed"}, "from"),
        ({"hexes": {"9999": "swamp"}}, "map.hexes.9999: the map has no hex"),
        ({"hexes": {"1009": "jungle"}}, "map.hexes.1009: unknown terrain 'jungle'; known: clear"),
        ({"hexsides": {"1009/1010": ["river"], "1010/1009": []}}, "1009/1010: this hexside is given twice"),
        ({"hexsides": {"1009/1209": ["river"]}}, "do not share a hexside"),
        ({"names": {"9999": "Nowhere"}}, "map.names.9999: the map has no hex"),
        ({"why": {"1009": "so"}}, "map.why.1009: '1009' is not corrected"),
        ({"roads": {}}, "unknown key 'roads'"),
    ],
)  # fmt: skip
def test_bad_corrections_of_a_map_are_refused_with_their_path(owner, message):
    with pytest.raises(ladoga.BadData) as caught:
        ladoga.load(GAME, data={"map.yaml": owner})
    assert str(caught.value).startswith("map.yaml: ")
    assert message in str(caught.value)


def test_files_that_a_game_does_not_have_are_refused():
    with pytest.raises(ladoga.BadData, match=r"\.\./map\.yaml: not a data file"):
        ladoga.load(GAME, data={"../map.yaml": {}})


def test_a_change_on_a_corrected_map_keeps_the_corrections():
    game = ladoga.load(GAME, data={"map.yaml": {"hexes": {"1009": "swamp"}, "hexsides": {"1009/1010": ["river"]}}})
    position = game.position(
        {
            "game": GAME,
            "phase": "german-movement",
            "map": {"hexes": {"1010": "hill"}, "hexsides": {"1010/1009": ["road"]}},
        }
    )
    grid = position.map.grid
    assert [position.map.terrain_of(grid.hex(n)) for n in ("1009", "1010")] == ["swamp", "hill"]
    again = ladoga.load(GAME).position(position.document())
    assert again.map.terrain_of(grid.hex("1009")) == "swamp"
    assert again.map.sides_of(grid.hex("1009"), grid.hex("1010")) == ["road"]


def test_a_record_carries_the_corrections_it_was_played_with(tmp_path, capsys):
    overlay = tmp_path / "mine"
    overlay.mkdir()
    (overlay / "map.yaml").write_text("hexes: {'0211': swamp, '0212': swamp}\n")
    out = tmp_path / "records"
    assert run(capsys, "simulate", GAME, "--games", 1, "--data", overlay, "--records", out)[0] == 0
    (file,) = out.iterdir()
    record = ladoga.Record.read(file)
    assert record.header.changes == ["map.yaml: 0211 is now swamp, not clear", "map.yaml: 0212 is now swamp, not clear"]
    (overlay / "map.yaml").write_text("{}")
    assert run(capsys, "check", file)[0] == 0
    assert record.last().map.terrain_of(record.last().map.grid.hex("0211")) == "swamp"


def _record():
    """The text of a short record with its seed."""
    game = ladoga.load("leningrad-1979")
    dice = Dice(b"\x01" * 32)
    header = Header(game.id, "1", commitment=dice.commitment, seed=dice.seed.hex())
    record, position = Record(header), game.start()
    for order in ("place i12 1306", "place i13 1405"):
        record.add(position, game.parse(order))
        position = position.play(order)
    record.digest = position.digest()
    return record.text()


def test_a_record_with_a_mover_who_was_not_to_move_is_refused():
    text = _record()
    assert Record.parse(text).check().to_move == "soviet"
    forged = text.replace("2 soviet place", "2 german place")
    with pytest.raises(ladoga.BadRecord, match="soviet is to move, not german"):
        Record.parse(forged).check()


def test_a_seed_that_is_no_hexadecimal_is_refused():
    text = _record().replace("seed: '01", "seed: '0x").replace("seed: 01", "seed: 0x")
    with pytest.raises(ladoga.BadRecord, match=r"header\.seed: expected hexadecimal digits"):
        Record.parse(text).check()


@pytest.mark.parametrize("text", ["[" * 50_000, "{a: " * 50_000, "- " * 50_000, "a: " + "[1, " * 200 + "]" * 200])
def test_values_nested_without_end_are_refused(tmp_path, capsys, text):
    file = tmp_path / "deep.yaml"
    file.write_text(text)
    assert main(["position", GAME, str(file)]) != 0
    assert capsys.readouterr().err == f"ladoga: {file}: nested more than 100 deep\n"


LAUGHS = "".join(f"b{n}: &b{n} {{{', '.join(f'k{k}: *b{n - 1}' for k in range(10))}}}\n" for n in range(1, 20))
CHAIN = "".join(f"b{n}: &b{n} [*b{n - 1}]\n" for n in range(1, 2000))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("b0: &b0 {a: 1}\n" + LAUGHS, "stands for more than 1,000,000 values"),
        ("a: &a [" + "1, " * 2000 + "]\nb: [" + "*a, " * 2000 + "]\n", "stands for more than 1,000,000 values"),
        ("b0: &b0 [1]\n" + CHAIN, "nested more than 100 deep"),
    ],
)
def test_a_short_text_that_stands_for_very_much_is_refused(tmp_path, capsys, text, message):
    file = tmp_path / "laughs.yaml"
    file.write_text(text)
    assert main(["position", GAME, str(file)]) == 2
    assert capsys.readouterr().err == f"ladoga: {file}: {message}\n"


def test_values_may_be_named_again_where_that_is_sensible():
    text = yaml.safe_dump(GOOD).replace("'0303'", "&here '0303'", 1) + "forts: []\n"
    assert ladoga.load(GAME).position(text.replace("'0304'", "*here")).document()["units"]["12"]["hex"] == "0303"


def test_a_refusal_comes_whole_from_another_process():
    refused = pickle.loads(pickle.dumps(ladoga.Illegal("4.1", "{} is too far", "0403")))
    assert (refused.case, refused.message, str(refused)) == ("4.1", "0403 is too far", "0403 is too far [4.1]")
