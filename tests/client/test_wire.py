"""What the server says has the shapes that the client's types are written from."""

import random
import runpy
from pathlib import Path

import msgspec
import pytest

from ladoga import game_ids, load
from ladoga.server import pictures, shapes, showing
from ladoga.server.fights import fights
from ladoga.server.luck import luck
from ladoga.server.match import Match
from ladoga.server.moment import logged
from ladoga.server.store import Kept

TOOL = Path(__file__).parents[2] / "tools" / "wire.py"


def fits(value, shape):
    """Nothing is missing, nothing is of another kind, and nothing is there that the shape does not name."""
    plain = msgspec.json.decode(msgspec.json.encode(value, enc_hook=str))
    read = msgspec.json.decode(msgspec.json.encode(msgspec.convert(plain, shape)))
    assert read == plain


def test_the_clients_types_are_the_servers():
    tool = runpy.run_path(str(TOOL))
    assert tool["TARGET"].read_text(encoding="utf-8") == tool["text"](), "python tools/wire.py"


@pytest.mark.parametrize("game", game_ids())
def test_everything_said_has_its_shape(game):
    loaded, rng = load(game), random.Random(3)
    kept = Kept("m", game, "match", next(iter(loaded.scenarios)), {}, None, b"seed" * 8, "0", 0.0, {"winner": None})
    match = Match(kept._replace(ended=None), loaded, (), [])
    fits(showing.about(loaded), shapes.About)
    fits(pictures.geometry(match.position.map), shapes.Ground)
    fits(loaded.charts(), list[shapes.Chart])
    while len(match.orders) < 160 and match.position.to_move is not None:
        steps = match.following(None if match.position.chance else match.position.legal.random(rng))
        match.advance(steps, list(range(len(match.orders), len(match.orders) + len(steps))))
        if len(match.orders) % 12:
            continue
        for audience in (*loaded.sides, "observer"):
            fits(showing.state(match, audience), shapes.State)
            fits(match.log(audience), list[shapes.LogEntry])
        view = match.view(match.to_move) if match.to_move in loaded.sides else None
        for unit in list(showing.offers(view)["units"])[:3] if view else ():
            choices = showing.choices(view, (unit,))
            fits(choices, shapes.Choices)
            for order in choices["orders"][:3]:
                fits(showing.explained(view, order["text"]), shapes.Explanation | None)
                fits(showing.why(view, order["text"]), shapes.Answer)
            hexes = [c.hex for c in view.table().counters if c.id == unit and c.hex]
            fits([showing.hex_facts(view, hex_) for hex_ in hexes], list[shapes.HexFacts])
    match.kept = kept
    fits(luck(match), shapes.LuckReport)
    fits(showing.proof(match), shapes.Proof)


def test_the_record_tells_who_moved_what_was_lost_and_every_fight():
    loaded, rng = load("leningrad-1979"), random.Random(8)
    kept = Kept("m", "leningrad-1979", "match", "campaign", {}, None, b"seed" * 8, "0", 0.0, None)
    match = Match(kept, loaded, (), [])
    while len(match.orders) < 200:
        steps = match.following(None if match.position.chance else match.position.legal.random(rng))
        match.advance(steps, list(range(len(match.orders), len(match.orders) + len(steps))))
    entries = logged(match, "german")
    fits(entries, list[shapes.LogEntry])
    told = {entry["n"]: entry["fight"] for entry in entries if "fight" in entry}
    assert {fight.n for fight in fights(match) if fight.n} == set(told)
    assert all(0 < fight["chance"] <= 1 for fight in told.values())
    for entry in entries:
        before, after = (match.at(entry["n"] - k).view("german").table().counters for k in (1, 0))
        stood = {c.id: c.hex for c in before if c.hex}
        moved = [(c.id, stood[c.id], c.hex) for c in after if c.hex and stood.get(c.id, c.hex) != c.hex]
        assert entry["moved"] == moved
    assert sum(entry["lost"].get("soviet", 0) for entry in entries) > 0
    match.retract(120)
    assert logged(match, "german") == [entry for entry in entries if entry["n"] <= 120]
