"""Which judgements matter: every judged figure at both ends of what is plausible."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ladoga
from ladoga.cli import main
from ladoga.kernel.data import read_file
from ladoga.kernel.errors import LadogaError
from ladoga.lab import Figure, Match, corrections, ranges, sensitivity
from ladoga.lab.sensitivity import FILE, Range, _led, lot

GAMES = [game for game in ladoga.game_ids() if (ladoga.load(game).folder / FILE).is_file()]


def judged(value: object, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Where something says that it is judged."""
    if isinstance(value, list):
        return [found for number, item in enumerate(value) for found in judged(item, (*path, str(number)))]
    if not isinstance(value, dict):
        return []
    here = [path] if value.get("from") == "judged" else []
    return here + [found for key, item in value.items() for found in judged(item, (*path, key))]


def leads(steps: list[str], path: tuple[str, ...]) -> bool:
    """Whether the steps of a range begin like a path, so that it is about something at or below it."""
    return len(steps) >= len(path) and all(
        step == "*" or key in step.split("|") for step, key in zip(steps, path, strict=False)
    )


def touched(one: Range, name: str, path: tuple[str, ...], entry: object) -> bool:
    """Whether a range varies an entry that is judged, or something in it."""
    for place in one.at:
        file, *steps = place.split()
        if file == name and leads(steps, path):
            fits = not isinstance(entry, dict) or len(steps) != len(path) + 1
            if fits or all(str(entry.get(key)) in text.split("|") for key, text in one.where.items()):
                return True
    return False


def test_the_reconstructed_games_say_how_far_they_could_be_wrong():
    assert {"assault-leningrad", "assault-stalingrad", "leningrad41"} <= set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_every_judged_figure_has_a_range_or_a_reason_why_not(name):
    game = ladoga.load(name)
    found = ranges(game)
    left = [text.split() for text in found.left]
    for file in game.folder.glob("*.yaml"):
        if file.name == FILE or [file.name] in left:
            continue
        whole = read_file(file)
        for path in judged(whole):
            entry = whole
            for key in path:
                entry = entry[int(key)] if isinstance(entry, list) else entry[key]
            told = any(one[0] == file.name and list(path[: len(one) - 1]) == one[1:] for one in left)
            assert told or any(touched(one, file.name, path, entry) for one in found.figures.values()), (file, path)


@pytest.mark.parametrize("name", GAMES)
def test_every_end_is_a_change_that_loads_and_spares_what_is_printed(name):
    game = ladoga.load(name)
    for end in ("low", "high"):
        together: dict = {}
        for key, one in ranges(game).figures.items():
            found = corrections(game, one, end)
            assert found, key
            lay_over(together, found)
        changed = ladoga.load(name, together)
        assert len(changed.changes) >= len(ranges(game).figures)
        assert not any("units.6/11." in line for line in changed.changes)  # the one regiment whose faces are printed


def lay_over(base: dict, extra: dict) -> None:
    for key, value in extra.items():
        if isinstance(value, dict) and isinstance(base.get(key), dict):
            lay_over(base[key], value)
        else:
            base[key] = value


def test_steps_lead_where_they_say():
    assert [key for key, _ in _led({"a": 1, "b": 2, "c": 3}, "a|c")] == ["a", "c"]
    assert [key for key, _ in _led([5, 6], "*")] == [0, 1]


@pytest.fixture
def own(tmp_path) -> Path:
    file = tmp_path / "own.yaml"
    file.write_text(
        "figures:\n  pace:\n    title: Movement of German infantry\n    at: [units.yaml units * movement]\n"
        "    where: {side: german, type: infantry}\n    low: {by: -1, said: slower}\n    high: {by: 1, said: faster}\n"
        "    why: for a test\n"
    )
    return file


def test_a_run_stops_resumes_and_tells_the_same(tmp_path, own, capsys):
    words = ["sensitivity", "assault-leningrad", "--german", "random", "--soviet", "random", "--ranges", str(own)]
    words += ["--keep", str(tmp_path / "keep"), "--json", str(tmp_path / "out.json")]
    assert main([*words, "--games", "1"]) == 0
    assert "too few pairs" in capsys.readouterr().out
    kept = tmp_path / "keep" / "pace-high.jsonl"
    before = kept.read_text()
    assert main([*words, "--games", "2", "--plot", str(tmp_path / "tornado.html")]) == 0
    assert kept.read_text().startswith(before)
    result = json.loads((tmp_path / "out.json").read_text())
    (swing,) = result["swings"]
    assert (result["games"], swing["low"][0]["pairs"], swing["high"][0]["pairs"]) == (2, 2, 2)
    page = (tmp_path / "tornado.html").read_text()
    assert 'id="tornado-1"' in page
    assert "Movement of German infantry" in page
    assert "http" not in page.split("<script")[0]
    text = own.read_text()
    own.write_text(text.replace("by: 1", "by: 2"))
    assert main([*words, "--games", "2"]) == 2
    assert "another range than now" in capsys.readouterr().err


def test_mirrored_pairs_ask_about_all_figures_at_once(tmp_path, capsys):
    words = ["sensitivity", "assault-leningrad", "--german", "random", "--soviet", "random", "--together"]
    words += ["--only", "marsh", "--only", "german-air", "--keep", str(tmp_path), "--plot", str(tmp_path / "t.html")]
    words += ["--json", str(tmp_path / "out.json"), "--ask", "orders"]
    assert main([*words, "--games", "1"]) == 0
    assert main([*words, "--games", "2"]) == 0
    kept = [json.loads(line) for line in (tmp_path / "together.jsonl").read_text().splitlines()[1:]]
    assert sorted(key[:2] for key in kept) == [[0, False], [0, True], [1, False], [1, True]]
    orders = {(pair, mirror): played["orders"] for pair, mirror, played in kept}
    match = Match("assault-leningrad", {"german": "random", "soviet": "random"})
    for swing in json.loads((tmp_path / "out.json").read_text())["swings"]:
        high = [orders[pair, not lot(match, pair, swing["name"])] for pair in range(2)]
        assert swing["differences"][0]["after"] == sum(high) / 2
    assert "What a marsh hex costs" in (tmp_path / "t.html").read_text()
    assert "2 mirrored pairs" in capsys.readouterr().out


def test_unknown_ranges_and_games_without_any_are_refused(tmp_path, own):
    game = ladoga.load("assault-leningrad")
    match = Match(game.id, {"german": "random", "soviet": "random"})
    with pytest.raises(LadogaError, match="no range is called 'weather'"):
        ranges(game).only(["weather"])
    with pytest.raises(LadogaError, match="give a file with --ranges"):
        ranges(ladoga.load("leningrad-1979"))
    own.write_text(own.read_text().replace("type: infantry", "type: camel"))
    with pytest.raises(LadogaError, match="changes nothing"):
        next(sensitivity(match, ranges(game, own), [Figure.parse("margin")], 2, tmp_path))
