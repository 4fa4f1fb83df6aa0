"""Questions, tournaments and reports."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64decode
from dataclasses import replace
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path

import pytest

import ladoga
from ladoga import Record
from ladoga.analysis import links
from ladoga.analysis.links import TABLE
from ladoga.kernel.errors import BadOrder
from ladoga.lab import Match, Played, Snapshot, ask, report, simulate, tournament, wilson
from ladoga.lab.questions import parse
from ladoga.lab.tournament import Pairing, ratings


def snapshot(turn, margin, german=(), soviet=(), units=(10, 20)):
    held = {"german": tuple(german), "soviet": tuple(soviet)}
    return Snapshot(turn, margin, held, {"german": units[0], "soviet": units[1]}, {"german": 0.5, "soviet": -0.5})


WON = Played(
    0, "german", "German tactical", 12, 3, 100, 0.1, "a",
    snapshots=(
        snapshot(1, -4, ["0101"], ["2604"]),
        snapshot(2, 3, ["0101", "2604"]),
        snapshot(3, 12, ["0101"], ["2604"]),
    ),
)  # fmt: skip
LOST = Played(
    1, "soviet", "Soviet strategic", -40, 1, 50, 0.1, "b", snapshots=(snapshot(1, -40, [], ["2604"], (4, 9)),)
)
SEEN = [WON, LOST]


@pytest.mark.parametrize(
    ("question", "yes"),
    [
        ("winner german", 1),
        ("level soviet strategic", 1),
        ("2604 german turn 2", 1),
        ("2604 german turn 1", 0),
        ("2604 german", 0),
        ("2604 soviet", 2),
        ("2604 german by turn 3", 1),
        ("2604 german by turn 1", 0),
        ("2604 soviet turn 3", 2),  # the game that ended on turn 1 stays as it ended
        ("margin > 0", 1),
        ("margin > 0 turn 1", 0),
        ("margin <= -4 turn 1", 2),
        ("units german < 5", 1),
        ("units soviet = 20 turn 2", 1),
        ("margin > 0 by turn 1", 0),
        ("margin > 0 by turn 9", 1),
        ("units soviet=20 by turn 9", 1),
        ("Winner German", 1),
        ("margin<=-4 TURN 1", 2),
    ],
)
def test_how_often(question, yes):
    answer = ask(question, SEEN)
    assert (answer.yes, answer.games) == (yes, 2)
    assert answer.as_json()["share"] == yes / 2
    assert answer.as_json()["interval"] == list(wilson(yes, 2))


@pytest.mark.parametrize("text", ["", "who wins", "2604", "2604 finnish", "margin big"])
def test_what_is_no_question_is_refused(text):
    with pytest.raises(BadOrder, match="not a question"):
        parse(text)


def test_names_sides_and_turns_are_those_of_the_game():
    game = ladoga.load("leningrad-1979")
    assert parse("leningrad german turn 5", game).name == "2604"
    with pytest.raises(BadOrder, match="no hex or place 'Atlantis'"):
        parse("Atlantis german", game)
    with pytest.raises(BadOrder, match="no hex or place 'units'"):
        parse("units german", game)
    with pytest.raises(BadOrder, match="has turns 1 to 12"):
        parse("2604 german turn 13", game)
    with pytest.raises(BadOrder, match="counted from 1"):
        parse("margin > 0 turn 0", game)
    with pytest.raises(BadOrder, match="no side 'finnish'"):
        parse("winner finnish", game)


def test_games_that_were_not_watched_cannot_be_asked_about_turns():
    plain = replace(WON, snapshots=())
    assert ask("winner german", [plain]).yes == 1
    with pytest.raises(BadOrder, match="watched"):
        ask("margin > 0", [plain])
    assert ask("margin > 0", [replace(plain, error="broken")]).yes == 0


# Tournaments ----------------------------------------------------------------------------------------


def test_the_wilson_interval():
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(50, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert wilson(0, 10)[0] == pytest.approx(0.0)
    assert wilson(10, 10)[1] == pytest.approx(1.0)


def test_ratings_order_players_by_their_wins():
    def beat(first, second, wins):
        return Pairing(first, second, wins, 100, {}, 0.0)

    found = ratings([beat("a", "b", 80), beat("b", "c", 80), beat("a", "c", 95)])
    assert found["a"] > found["b"] > found["c"]
    assert sum(found.values()) == pytest.approx(0, abs=0.2)
    even = ratings([beat("a", "b", 50)])
    assert even["a"] == pytest.approx(even["b"])
    # 75 of 100 is about 190 points of Elo
    assert ratings([beat("a", "b", 75)])["a"] * 2 == pytest.approx(190, abs=6)


def test_a_tournament_plays_both_sides():
    shown = []

    def watched(games, total, what):
        shown.append((total, what))
        return games

    standings = tournament("leningrad-1979", ["random", "greedy"], 1, seed=3, shown=watched)
    assert shown == [(1, "random as german, greedy"), (1, "random as soviet, greedy")]
    (pairing,) = standings.pairings
    assert pairing.games == 2
    assert set(pairing.by_side) == {"german", "soviet"}
    assert sum(pairing.by_side.values()) == pairing.wins
    assert set(standings.as_json()["ratings"]) == {"random", "greedy"}
    assert "random against greedy" in standings.as_text()


# Reports --------------------------------------------------------------------------------------------


class References(HTMLParser):
    """Collects everything a page would fetch."""

    def __init__(self):
        super().__init__()
        self.found = []
        self.tags = []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.found += [value for name, value in attributes if name in ("src", "href", "xlink:href", "data", "action")]


@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_a_report_needs_nothing_else_and_has_every_plot(game_id):
    match = Match(game_id, {"german": "random", "soviet": "random"}, seed=1)
    page = report(match, list(simulate(match, 2, watch=True)))
    reader = References()
    reader.feed(page)
    outside = [where for where in reader.found if not where.startswith(("#", "data:text/plain;base64,"))]
    assert len(outside) == 1, "nothing outside the page but the table on this machine"
    assert outside[0].startswith(f"{TABLE}#record=")
    carried = re.search(r'id="record" download="([\w.-]+)" href="data:text/plain;base64,([^"]+)"', page)
    assert Record.parse(b64decode(carried[2]).decode()).header.game == game_id
    assert links.carried(outside[0]) == (b64decode(carried[2]).decode(), None)
    assert carried[1].startswith(f"{game_id}-00000")
    assert not {"link", "img", "iframe"} & set(reader.tags)
    assert not re.search(
        r"url\((?!data:|#|&quot;)|@import|https?://(?!www\.w3\.org/|127\.0\.0\.1:4107/#)",
        re.sub(r"<script>.*", "", page),
    )
    headings = re.findall(r"<h2>(.*?)</h2>", page)
    assert headings == [
        "Outcomes", "Victory points by turn", "Strength on the map", "Key places by turn", "Control of the map",
        "Luck of the dice",
    ]  # fmt: skip
    game = ladoga.load(game_id)
    assert page.count('class="over"') == len(game.map.grid.boards), "every board with a layer over it"
    assert page.count("data-hex=") == len(list(game.map.grid.numbers))
    values = json.loads(page.split('id="values">', 1)[1].split("</script>", 1)[0])
    assert set(values["layers"]) == {"control", "fought", "lost", "hungry", "marched", "stood"}
    assert any(values["layers"]["marched"]["turns"].values())
    assert len(values["games"]) == 2
    shares = [share for hexes in values["layers"]["control"]["turns"].values() for share in hexes.values()]
    assert shares
    assert all(0 <= share <= 1 for share in shares)


def test_the_script_of_a_report_is_built_from_its_source():
    source = Path(__file__).parents[2] / "report" / "src" / "report.js"
    stamp = hashlib.sha256(source.read_bytes()).hexdigest()
    built = resources.files("ladoga.lab").joinpath("report.js").read_text(encoding="utf-8")
    assert built.startswith(f"// built from report/src/report.js {stamp}\n"), "say make client"


def test_a_report_says_what_was_played_and_asked():
    match = Match("leningrad-1979", {"german": "random", "soviet": "random"}, 1, options={"recycle": False})
    page = report(match, [replace(WON, snapshots=())], [ask("winner german", [WON])])
    option = ladoga.load("leningrad-1979").options["recycle"].title
    assert f"Campaign, 22 June to 13 September 1941; {option}: false; seed 1</p>" in page
    assert re.findall(r"<h2>(.*?)</h2>", page) == ["Outcomes", "Questions"]
    assert "<td>winner german<td>1<td>100.0%<td>" in page


def test_a_report_on_games_that_were_not_watched_has_the_outcomes():
    match = Match("leningrad-1979", {"german": "<b>", "soviet": "random"}, seed=1)
    page = report(match, [replace(WON, snapshots=())])
    assert re.findall(r"<h2>(.*?)</h2>", page) == ["Outcomes"]
    assert "German: &lt;b&gt;" in page
