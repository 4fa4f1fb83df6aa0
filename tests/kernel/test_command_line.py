"""The command line with whatever it may be given: one line on standard error, a status, and no file harmed."""

import importlib
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import ladoga
from ladoga import server
from ladoga.analysis import links
from ladoga.cli import main
from ladoga.cli.arguments import parser
from ladoga.cli.terminal import completions
from ladoga.kernel.chance import Dice
from ladoga.kernel.files import check_writable, write_whole
from ladoga.kernel.position import reveals
from ladoga.kernel.record import Header, Record
from ladoga.server.door import Door

GAME = "tijvin-1941"


def run(capsys, *arguments):
    """Status, output and errors of a command; a parser that gives up ends like any other."""
    try:
        status = main([str(a) for a in arguments])
    except SystemExit as ended:
        status = ended.code
    out, err = capsys.readouterr()
    return status, out, err


def complaint(capsys, *arguments, about=""):
    """What a command says that gives up: one line, which names what it is about, and nothing else."""
    status, out, err = run(capsys, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert str(about) in err
    return err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "COMMAND"),
        ("frobnicate", "invalid choice"),
        ("games --jsn", "unrecognized arguments"),
        ("simulate", "GAME"),
        ("simulate tijvin-1941 --games 0", "at least 1"),
        ("simulate tijvin-1941 --games many", "a whole number, not 'many'"),
        ("simulate tijvin-1941 --seed x", "a whole number, not 'x'"),
        ("simulate tijvin-1941 --workers 0", "at least 1"),
        ("simulate tijvin-1941 --think -1", "more than 0 seconds"),
        ("simulate tijvin-1941 --think nan", "more than 0 seconds"),
        ("position tijvin-1941", "FILE"),
        ("map tijvin-1941 --svg x.svg --palette pink", "pink"),
        ("bench --seconds 0", "more than 0 seconds"),
        ("bench --seconds soon", "a number of seconds, not 'soon'"),
        ("bench --seconds inf", "more than 0 seconds"),
        ("serve --port 99999", "0 to 65535"),
        ("play --port -1 --no-browser", "0 to 65535"),
        ("serve --data nowhere", "no folder there has the id of a game"),
        ("play tijvin-1941 --no-browser --data nowhere", "there is no such folder"),
        ("rules tijvin-1941 --coverage --tests nowhere", "the tests are not here"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(capsys, words, message):
    status, out, err = run(capsys, *words.split())
    assert status == 2
    assert out == ""
    assert err.startswith("ladoga: ")
    assert err.count("\n") == 1
    assert message in err


def test_every_command_has_help(capsys):
    commands = parser()._subparsers._group_actions[0].choices
    assert len(commands) > 10
    for name in commands:
        status, out, _ = run(capsys, name, "--help")
        assert status == 0
        assert out.startswith(f"usage: ladoga {name}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe", "not UTF-8"),
        (b"turn: " + b"9" * 5000, "not readable as YAML"),
        (b"turn: !!int four", "not readable as YAML"),
        (b"turn: !!timestamp soon", "not readable as YAML"),
        (b"turn: !!bool maybe", "not readable as YAML"),
        (b"turn: 2\x00", "not readable as YAML"),
        (b"turn: &a [*a]", "line 1"),
    ],
)
def test_files_that_are_no_documents(capsys, tmp_path, content, message):
    file = tmp_path / "position.yaml"
    file.write_bytes(content)
    assert message in complaint(capsys, "position", GAME, file, about=file)


def test_results_for_dice_are_named_one_by_one(capsys, tmp_path):
    file = tmp_path / "position.yaml"
    file.write_text("phase: weather\nturn: 2\n")
    status, _, err = run(capsys, "position", GAME, file, "--dice", "3,,5")
    assert (status, "3,,5" in err) == (2, True)
    status, _, err = run(capsys, "position", GAME, file, "--dice", "7")
    assert (status, "'7' cannot happen here" in err) == (2, True)
    status, out, _ = run(capsys, "position", GAME, file, "--dice", "5", "--json")
    assert status == 0
    assert json.loads(out)["view"]["weather"] == "heavy-rain"


def test_results_named_on_the_command_line_replace_the_documents(capsys, tmp_path):
    file = tmp_path / "position.yaml"
    file.write_text("phase: weather\nturn: 2\ndice: [1]\n")
    for words, weather in (((), "clear"), (("--dice", "5"), "heavy-rain")):
        status, out, _ = run(capsys, "position", GAME, file, "--json", *words)
        assert (status, json.loads(out)["view"]["weather"]) == (0, weather)


def test_orders_may_follow_one_word_or_each_its_own(capsys, tmp_path):
    file = tmp_path / "position.yaml"
    file.write_text("turn: 2\n")
    told = [run(capsys, "position", GAME, file, *words)[1] for words in
            (("--play", "pass", "fly"), ("--play", "pass", "--play", "fly"))]  # fmt: skip
    assert told[0] == told[1]
    assert "pass: " in told[0]


def test_the_end_of_a_game_is_reckoned_up(capsys, tmp_path):
    file = tmp_path / "position.yaml"
    file.write_text('game: leningrad-2010\nturn: 12\nphase: soviet-combat\nunits: {1: {hex: "2604", steps: 1}}\n')
    status, out, _ = run(capsys, "position", "leningrad-2010", file, "--play", "end")
    assert status == 0
    assert "Leningrad 2604 held in supply [16.2]" in out
    assert out.endswith("German tactical, margin 29\n")


def test_an_order_nobody_can_read_is_refused_without_a_case(capsys, tmp_path):
    file = tmp_path / "position.yaml"
    file.write_text("turn: 2\n")
    status, out, _ = run(capsys, "position", GAME, file, "--play", "fly")
    assert status == 1
    assert "[]" not in out
    assert "fly: refused, there is no order 'fly'" in out


# Files ----------------------------------------------------------------------------------------------


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    file = tmp_path / "deep" / "down" / "file.txt"
    write_whole(file, "one")
    file.chmod(0o640)
    write_whole(file, b"two")
    assert file.read_text() == "two"
    assert file.stat().st_mode & 0o777 == 0o640, "as it was"
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space left") as caught:
        write_whole(file, "three")
    assert caught.value.filename == str(file)
    assert file.read_text() == "two"
    assert [p.name for p in file.parent.iterdir()] == ["file.txt"], "nothing left lying about"


def test_links_are_followed_and_pipes_written_to(tmp_path):
    file, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to(file)
    write_whole(link, "text")
    assert link.is_symlink()
    assert file.read_text() == "text"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    check_writable(pipe)
    write_whole(pipe, "through")
    assert os.read(reading, 20) == b"through"
    os.close(reading)
    assert pipe.is_fifo(), "not replaced by a file"


@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="the owner of the machine may write anywhere")
def test_a_file_that_may_not_be_written_stays(tmp_path):
    file = tmp_path / "file"
    file.write_text("mine")
    file.chmod(0o444)
    for attempt in (lambda: write_whole(file, "yours"), lambda: check_writable(file)):
        with pytest.raises(PermissionError):
            attempt()
    assert file.read_text() == "mine"


@pytest.mark.parametrize("option", ["--json", "--csv", "--plot", "--parquet"])
def test_a_place_that_cannot_be_written_is_told_before_the_games(capsys, tmp_path, monkeypatch, option):
    monkeypatch.setattr("ladoga.lab.simulate", lambda *_, **__: pytest.fail("games were played"))
    (tmp_path / "file").write_text("")
    for place in (tmp_path, tmp_path / "file" / "below"):
        complaint(capsys, "simulate", GAME, "--games", 9, option, place, about=f"ladoga: {place}: ")


def test_the_tournament_too(capsys, tmp_path, monkeypatch):
    lab = importlib.import_module("ladoga.lab.tournament")
    monkeypatch.setattr(lab, "tournament", lambda *_, **__: pytest.fail("games were played"))
    status, _, err = run(capsys, "tournament", GAME, "--players", "random,greedy", "--json", tmp_path)
    assert (status, str(tmp_path) in err) == (2, True)


def test_a_chapter_is_all_its_cases(capsys, typing, tmp_path):
    chapter = [case for case in ladoga.load("leningrad-1979").cases if case.startswith("8.")]
    assert len(chapter) > 3
    _, out, _ = run(capsys, "rules", "leningrad-1979", "8", "--json")
    assert list(json.loads(out)["cases"]) == chapter
    _, out, _ = run(capsys, "rules", "leningrad-1979", "8.1", "--json")
    assert list(json.loads(out)["cases"]) == ["8.1"]
    status, _, err = run(capsys, "rules", "leningrad-1979", "88")
    assert (status, err) == (2, "ladoga: leningrad-1979 has no case '88'; ladoga rules leningrad-1979 lists them\n")
    _, out, _ = typing(["rule 8"], "leningrad-1979", "--soviet", "human", "--record", tmp_path / "mine.ladoga")
    assert all(f"\n{case} " in out for case in chapter)


def test_tests_that_are_no_python_are_named(capsys, tmp_path):
    (tmp_path / "test_it.py").write_text("def (")
    status, _, err = run(capsys, "rules", GAME, "--coverage", "--tests", tmp_path)
    assert (status, "test_it.py: not readable as Python" in err) == (2, True)


def test_the_tests_are_looked_for_where_one_is(capsys, tmp_path, monkeypatch):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text(f'@pytest.mark.case("{GAME}", "4", "5")\ndef test_it(): ...\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ladoga.cli.coverage.PLACES", (tmp_path / "nowhere", Path("tests")))
    status, out, _ = run(capsys, "rules", GAME, "--coverage", "--json")
    assert (status, json.loads(out)["covered"]) == (1, 2)


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("leningrad-1979", ("Late Soviet infantry is raised", "due lines: german-2,", "guard_air", "forts_used")),
        ("assault-leningrad", ("pending: air-availability (nothing else)", "victim (hex, targets, brittle)")),
        ("leningrad41", ("'fervor' (Soviet)", "attack keys: kind, target", "pending keys: kind, unit, hex")),
        ("tijvin-1941", ("Sheets are hidden", "battle keys: target, attackers", "headquarters keys: hex, lost")),
    ],
)
def test_the_words_of_a_game_are_told(capsys, game, told):
    assert main(["games", game]) == 0
    said = capsys.readouterr().out
    assert all(words in said for words in (*told, "a blank map is all clear"))


# Streams --------------------------------------------------------------------------------------------


def command(*arguments, **more):
    """A command in a process of its own, with output that is kept back until the end."""
    environment = {**os.environ, "PYTHONPATH": str(Path(ladoga.__file__).parents[1])}
    environment.pop("PYTHONUNBUFFERED", None)
    environment |= more.pop("env", {})
    words = [sys.executable, "-m", "ladoga", *map(str, arguments)]
    return subprocess.run(words, env=environment, stderr=subprocess.PIPE, timeout=120, **more)


def test_a_reader_that_goes_away_is_no_trouble():
    reading, writing = os.pipe()
    os.close(reading)
    done = command("games", stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_output_that_cannot_be_written_is_an_error():
    with Path("/dev/full").open("wb") as full:
        done = command("games", stdout=full)
    assert (done.returncode, done.stderr) == (2, b"ladoga: No space left on device\n")


def test_standard_input_that_is_not_utf8_and_output_that_is_ascii():
    done = command("position", GAME, "-", input=b"\xff", stdout=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (2, b"ladoga: -: not UTF-8 text\n")
    text = "map: {blank: [3, 3], names: {'0101': Мга}}\n".encode()
    plain = {"PYTHONIOENCODING": "ascii"}
    done = command("position", GAME, "-", "--json", input=text, stdout=subprocess.PIPE, env=plain)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u041c" in done.stdout


def test_standard_input_that_is_closed():
    done = command("position", GAME, "-", stdout=subprocess.PIPE, preexec_fn=lambda: os.close(0))
    assert (done.returncode, done.stderr) == (2, b"ladoga: -: standard input is closed\n")


def test_a_map_goes_to_standard_output(capsys):
    status, out, _ = run(capsys, "map", GAME, "--svg", "-", "--plain")
    assert (status, out[:4], out[-7:]) == (0, "<svg", "</svg>\n")


def test_a_store_that_cannot_be_used_is_told_before_anything_else(capsys, tmp_path):
    file = tmp_path / "notes.db"
    file.write_text("my notes of the campaign, which are no database at all" * 20)
    for words in ("serve", "play --no-browser"):
        status, out, err = run(capsys, *words.split(), "--db", file, "--port", 0)
        assert (status, out) == (2, "")
        assert err == f"ladoga: {file}: matches cannot be kept there: file is not a database\n"
    file.unlink()
    database = sqlite3.connect(file)
    database.execute("PRAGMA user_version = 99")
    database.close()
    status, _, err = run(capsys, "serve", "--db", file, "--port", 0)
    assert (status, f"{file}: matches are kept there by a later edition (99)" in err) == (2, True)


def test_a_record_is_taken_along_to_the_table(capsys, tmp_path, monkeypatch):
    """The address that the browser is led to carries it; a file that is no record is refused before that."""
    led = {}
    monkeypatch.setattr("ladoga.server.play", lambda *_, **wishes: led.update(wishes))
    file = tmp_path / "game.ladoga"
    game = ladoga.load(GAME)
    start = game.start()
    Record(Header(GAME, ladoga.__version__, start.scenario, dict(start.options)), []).save(file)
    assert run(capsys, "play", "--no-browser", "--record", file)[0] == 0
    assert led["record"] == file.read_text(encoding="utf-8")
    entrance = server._entrance("http://127.0.0.1:4107/", Door(), None, led["record"])
    assert links.carried(entrance) == (led["record"], None)
    file.write_text("my notes")
    assert run(capsys, "play", "--no-browser", "--record", file)[0] == 2


# The terminal ---------------------------------------------------------------------------------------


@pytest.fixture
def typing(capsys, monkeypatch):
    """A game in the terminal: lines typed, arguments, what came out."""

    def play(lines, *arguments):
        class Keyboard:
            typed = iter([*lines, ""])

            def isatty(self):
                return False

            def readline(self):
                line = next(self.typed)
                return f"{line}\n" if line else ""

        monkeypatch.setattr(sys, "stdin", Keyboard())
        return run(capsys, "play", "--terminal", *arguments)

    return play


def test_records_lie_where_the_matches_of_the_browser_do(typing, monkeypatch, tmp_path):
    monkeypatch.setenv("LADOGA_HOME", str(tmp_path / "mine"))
    typing(["quit"], GAME)
    (file,) = (file for file in (tmp_path / "mine" / "games").iterdir() if file.suffix == ".ladoga")
    assert Record.read(file).header.game == GAME


def test_a_game_left_before_the_first_order_can_be_continued(typing, tmp_path):
    file = tmp_path / "mine.ladoga"
    typing(["quit"], GAME, "--soviet", "human", "--record", file)
    status, out, _ = typing(["quit"], "--record", file)
    assert (status, out.startswith(ladoga.load(GAME).title)) == (0, True)


def test_what_is_typed_is_completed_a_word_at_a_time():
    view = ladoga.load("leningrad-1979").position({
        "game": "leningrad-1979", "turn": 4, "phase": "german-combat", "map": {"blank": [8, 6]},
        "units": {"1/41": {"hex": "0303"}, "12": {"hex": "0304"}, "i1": {"hex": "0403"}},
    }).view("german")  # fmt: skip
    assert completions(view, "") == ["legal", "stack", "units", "reach", "supply", "why", "odds", "rule", "score",
                                     "help", "undo", "save", "quit", "target", "end"]  # fmt: skip
    assert completions(view, "s") == ["stack", "supply", "score", "save"]
    assert completions(view, "target ") == ["0403"]
    assert completions(view, "odds target 04") == ["0403"]
    assert sorted(completions(view, "supply 1")) == ["1/41", "12"], "one's own"
    assert completions(view, "reach i") == []
    assert completions(view, "march ") == []


def test_a_question_says_what_it_is_about(typing, tmp_path):
    lines = ["stack", "reach", "supply", "why", "odds", "rule"]
    _, out, _ = typing(lines, GAME, "--soviet", "human", "--record", tmp_path / "mine.ladoga")
    for line in lines:
        assert f"No: {line} " in out


def test_the_end_of_a_game_names_the_winner(typing, capsys, tmp_path):
    last = ladoga.load("leningrad41").start()
    assert (last.standing.winner, last.standing.level) == ("soviet", "victory")
    _, out, _ = typing(["score"], "leningrad41", "--soviet", "human", "--record", tmp_path / "mine.ladoga")
    assert f"  Soviet: victory, margin {last.standing.margin}\n" in out


def test_nothing_before_the_first_order_can_be_taken_back(typing, tmp_path):
    file = tmp_path / "game.ladoga"
    first = next(str(o) for o in ladoga.load(GAME).start().legal)
    assert typing([first], GAME, "--record", file)[0] == 0
    status, out, _ = typing(["undo", "undo", "undo"], "--record", file)
    assert status == 0
    assert f"Taken back: {first}" in out
    assert out.count("Nothing to undo.") == 2
    assert Record.read(file).orders == []


def test_a_record_goes_on_only_with_its_own_game_and_dice(typing, tmp_path):
    file = tmp_path / "game.ladoga"
    first = next(str(o) for o in ladoga.load(GAME).start().legal)
    typing([first], GAME, "--record", file)
    status, _, err = typing([], "leningrad41", "--record", file)
    assert (status, f"a record of {GAME}, not of leningrad41" in err) == (2, True)
    seed = tmp_path / ".game.ladoga.seed"
    for content, message in (("zz", "not a dice seed"), ("é", "not a dice seed"), ("00", "not the dice seed of this")):
        seed.write_text(content, encoding="utf-8")
        status, _, err = typing([], "--record", file)
        assert (status, message in err, err.count("\n")) == (2, True, 1)


def test_a_file_that_cannot_be_saved_does_not_end_the_game(typing, tmp_path):
    status, out, _ = typing([f"save {tmp_path}", "save", "score"], GAME, "--record", tmp_path / "game.ladoga")
    assert status == 0
    assert f"No: {tmp_path}: Is a directory" in out
    assert "No: name a file" in out
    assert "margin" in out


@pytest.mark.case(GAME, "8.P")
def test_the_terminal_keeps_secrets(typing, capsys, tmp_path):
    """Replacements are distributed in secret: who plays the Germans is not told what the Soviets buy."""
    from ladoga.cli.terminal import Table

    game = ladoga.load(GAME)
    units = {"292-DF": {"hex": "0809", "cf": 3}, "311-DF": {"hex": "0809", "cf": 3}}
    document = {"turn": 3, "phase": "soviet-replacement", "points": 2, "units": units}
    document["hqs"] = {"4-Army": {"hex": "0809"}}
    for seats, told in (
        ({"german": "human", "soviet": "random"}, False),
        ({"german": "random", "soviet": "human"}, True),
    ):
        record = Record(ladoga.kernel.record.Header(GAME, "0", position=document))
        table = Table(record, game.position(document), tmp_path / "game.ladoga", Dice(b"1"), seats, None)
        table.play(game.parse("replace 292-DF"))
        assert ("receives a factor" in capsys.readouterr().out) == told


@pytest.mark.case(GAME, "17.1")
def test_an_answer_about_a_zone_cannot_be_taken_back():
    """Under fog of war a mover asks whether a zone stops him; he may not ask and then go elsewhere."""
    units = {
        "a": {"side": "german", "type": "motorized", "cf": 4, "hex": "0304"},
        "y": {"side": "soviet", "type": "infantry", "cf": 3, "hex": "0504"},
    }
    document = {"turn": 3, "phase": "german-movement", "options": {"fog-of-war": True}, "map": {"blank": [8, 8]}}
    document["units"] = units
    position = ladoga.load(GAME).position(document)
    past, beside = position.play("move a 0304-0404-0403-0402"), position.play("move a 0304-0303-0302")
    assert reveals(position, past, "german")
    assert any(event.kind == "asked" for event in past.events)
    assert not reveals(position, beside, "german")
    units["y"] |= {"cf": 7}
    stopped = ladoga.load(GAME).position(document).play("move a 0304-0404-0403-0402")
    assert [event.kind for event in stopped.events][:1] == ["stopped"]


def test_the_overlay_of_a_server_is_read_before_it_serves(capsys, tmp_path):
    """A folder for each game; a mistake in one of them is told at once."""
    (tmp_path / GAME).mkdir()
    (tmp_path / GAME / "tables.yaml").write_text(yaml.safe_dump({"stacking": {"limit": "many"}}))
    said = complaint(capsys, "serve", "--data", tmp_path, "--port", 0)
    assert "stacking.limit: expected a whole number" in said


# Records and corrections ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("game: chess", "there is no game 'chess'"),
        (f"game: {GAME}\nscenario: waterloo", "no scenario 'waterloo'"),
        (f"game: {GAME}\noptions: {{cheat: true}}", "no option 'cheat'"),
        (f"game: {GAME}\nposition: {{turn: 99}}", "turn: the game has turns 1 to 15"),
        (f"game: {GAME}\noverlay: {{tables.yaml: {{stacking: 5}}}}", "stacking: expected a set of named values"),
    ],
)
def test_a_record_that_cannot_be_begun_is_named(capsys, tmp_path, header, message):
    file = tmp_path / "game.ladoga"
    file.write_text(f"# Ladoga record 1\n{header}\nengine: '1'\n---\n")
    for command_name in ("check", "replay"):
        assert message in complaint(capsys, command_name, file, about=f"ladoga: {file}: ")


def test_a_mark_of_the_byte_order_is_no_part_of_a_record(capsys, tmp_path):
    file = tmp_path / "game.ladoga"
    file.write_text(f"# Ladoga record 1\ngame: {GAME}\nengine: '1'\n---\n", encoding="utf-8-sig")
    assert run(capsys, "check", file)[0] == 0


@pytest.mark.parametrize(
    ("game", "overlay", "message"),
    [
        (GAME, {"setup.yaml": {"units": {"11-ID": "9999"}}}, "units.11-ID: the map has no land hex '9999'"),
        (GAME, {"setup.yaml": {"units": {"12-ID": "0509"}}}, "units.12-ID: there is no unit '12-ID'"),
        (GAME, {"setup.yaml": {"units": {"254-ID": "0204"}}}, "units.254-ID: more than 20 factors stand in 0204"),
        (GAME, {"setup.yaml": {"sinyavino": {"army": "9-Army"}}}, "sinyavino: names a headquarters"),
        (GAME, {"setup.yaml": {"scenarios": {"historical": {"turns": 99}}}}, "scenarios.historical.turns"),
        (GAME, {"units.yaml": {"units": {"11-ID": {"cf": -5}}}}, "units.11-ID.cf: a unit has 1 to 20 factors"),
        (GAME, {"tables.yaml": {"weather": {"columns": []}}}, "weather.columns: the weather needs a column"),
        (GAME, {"tables.yaml": {"out_of_command": {"soviet": ["normal"]}}}, "out_of_command.soviet"),
        ("assault-leningrad", {"scenario.yaml": {"placed": {"21TD": "9999"}}}, "scenario.yaml: these corrections"),
        ("leningrad41", {"setup.yaml": {"calendar": {"first": "soon"}}}, "setup.yaml: these corrections do not fit"),
    ],
)
def test_corrections_that_cannot_be_played_are_refused_at_once(game, overlay, message):
    with pytest.raises(ladoga.BadData) as caught:
        ladoga.load(game, overlay)
    assert message in str(caught.value)
