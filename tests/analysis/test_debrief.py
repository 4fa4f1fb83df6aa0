"""Debriefs: the curve is the score, swings are its steps, luck and decisions are kept apart, and all can be read."""

import random
import re
from html.parser import HTMLParser

import pytest

import ladoga
from ladoga.analysis.debrief import told
from ladoga.analysis.links import carried
from ladoga.analysis.report import as_html, as_text, picture
from ladoga.cli import main
from ladoga.kernel.game import game_ids
from ladoga.kernel.record import Header, Record
from ladoga.players import make

EVENTS = 160


def played(game_id, events=EVENTS):
    """A beginning of a game between the simplest players."""
    game = ladoga.load(game_id)
    position, rng, orders = game.start(), random.Random(3), []
    players = {side: make("greedy") for side in game.sides}
    while position.to_move is not None and len(orders) < events:
        mover = position.to_move
        order = position.legal.random(rng) if position.chance else players[mover].choose(position.view(mover), rng)
        position = position.play(order)
        orders.append(order)
    return game, orders, position


@pytest.mark.parametrize("game_id", game_ids())
def test_a_game_is_told_by_its_score(game_id):
    game, orders, last = played(game_id)
    found = told(game.start(), orders, {"german": "Anna"}, seconds=2)
    standing = last.outcome or last.standing
    first = game.sides[0]
    assert found.score == float(sum(e.points if e.side == first else -e.points for e in standing.ledger))
    assert found.events == len(orders)
    assert len(found.pins) <= 6
    ns = [moment.n for moment in found.curve]
    assert ns == sorted(ns)
    for pin in found.pins:
        assert pin.kind in ("good", "luck", "bad luck", "missed", "blunder")
        assert pin.swing
    luck = list(found.luck.values())
    assert luck[0] == pytest.approx(-luck[1])  # one side's luck is the other's misfortune
    for deed in found.best:
        assert deed.expected > 0
    text = as_text(found)
    assert found.verdict in text
    assert "Anna" in text
    html = as_html(found, lambda n: f"/g/x?at={n}")
    HTMLParser().feed(html)
    assert not re.search(r'(src|href)="https?:', html)  # the page needs nothing else
    assert picture(found).startswith("<svg")


def test_the_command_writes_a_page_and_text(tmp_path, capsys):
    game, orders, _ = played("leningrad-1979", 120)
    file, page = tmp_path / "game.ladoga", tmp_path / "game.html"
    header = Header("leningrad-1979", ladoga.__version__, "campaign", dict(game.start().options))
    Record(header, orders).save(file)
    drawn = tmp_path / "game.svg"
    words = ["debrief", str(file), "--html", str(page), "--picture", str(drawn), "--text", "--think", "1"]
    assert main(words) == 0
    assert "Turning points" in capsys.readouterr().out
    told = page.read_text(encoding="utf-8")
    assert told.startswith("<!doctype html>")
    links = re.findall(r'href="(http[^"]*record=[^"]+)"', told)
    assert carried(links[0]) == (file.read_text(encoding="utf-8"), None)
    assert 'class="ladoga-map' in drawn.read_text(encoding="utf-8"), "the final map is in the picture"
