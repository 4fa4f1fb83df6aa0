"""What a side may not know never reaches it, by any door: state, orders offered, refusals, odds, hexes, layers, log,
past, exports, errors and drawings are the same, byte for byte, whatever the hidden facts are."""

import json
import random
import secrets
import time

import pytest

from ladoga import game_ids, load
from ladoga.players import make
from ladoga.server.store import Kept, Ledger

from .serving import Table

FOG = {"fog-of-war": True}
BID = {"bid": "secret"}
MOMENTS = [
    *((game, {}, 60, "match") for game in game_ids()),
    ("tijvin-1941", FOG, 20, "match"), ("tijvin-1941", FOG, 60, "match"), ("tijvin-1941", FOG, 150, "match"),
    ("leningrad-2010", BID, 1, "match"), ("tijvin-1941", FOG, 60, "study"), ("leningrad-2010", BID, 1, "study"),
]  # fmt: skip
"""Games, options that hide more than the plain game does, how many orders have been given, and at what kind of table.
(Strengths of untried and face-down units are hidden from everybody alike: they are drawn when needed, and are nowhere
until then.)"""
SEED = b"nobody may know what is not hers"


def played(game, options, orders, seed=4):
    """A position some way into a game between two computers."""
    rng = random.Random(seed)
    position = game.start(None, options)
    players = {side: make("greedy") for side in game.sides}
    while orders and position.to_move is not None:
        if position.chance is not None:
            order = position.chance.sample(rng)
        else:
            order = players[position.to_move].choose(position.view(position.to_move), rng)
            orders -= 1
        position = position.play(order)
    while position.chance is not None:
        position = position.play(position.chance.sample(rng))
    return position


def laid_out(running, position, seats, kind):
    """A match on the server that begins with a position."""
    kept = Kept(
        secrets.token_urlsafe(9), position.game.id, kind, position.scenario, dict(position.options),
        position.document(), SEED, "test", time.time(), None,
    )  # fmt: skip
    running.store.now(Ledger.create, kept, [(side, "", person, "") for side, person in seats.items()])
    return kept.id


class Spy:
    """Asks everything a browser can ask, and writes down every byte that comes back."""

    def __init__(self, guest, match):
        self.guest = guest
        self.match = match
        self.table = Table(guest, match)
        self.table.hear("state")
        self.heard = []

    def close(self):
        self.table.close()

    def note(self, what, text):
        self.heard.append((what, text.replace(self.match, "MATCH")))

    def ask(self, t, **fields):
        while True:
            reply = self.table.ask(t, **fields)
            if reply.get("code") != "flood":
                break
            time.sleep(0.3)
        plain = {key: value for key, value in reply.items() if key not in ("raw", "id")}
        self.note(f"{t} {fields}", json.dumps(plain))
        return reply

    def look(self, side):
        """Through every door."""
        state = self.table.state()
        self.note("state", json.dumps({k: v for k, v in state.items() if k != "raw"}))
        counters = state["table"]["counters"]
        enemies = sorted({c["hex"] for c in counters if c.get("hex") and c["side"] != side})[:8]
        own = sorted({c["hex"] for c in counters if c.get("hex") and c["side"] == side})[:4]
        units = sorted(state["offers"]["units"])[:3]
        for hex_ in [*enemies, *own]:
            self.ask("hex", hex=hex_)
        for unit in units:
            listed = self.ask("of", units=[unit])
            for hex_ in enemies[:3]:
                self.ask("why", text=f"move {unit} {hex_}")
                for verb in ("attack", "overrun"):
                    self.ask("why", text=f"{verb} {unit} {hex_}")
                    self.ask("explain", text=f"{verb} {unit} {hex_}")
            for order in listed["orders"][:3]:
                self.ask("explain", text=order["text"])
        for orders in [*state["offers"]["hexes"].values()][:4]:
            self.ask("explain", text=orders[0])
        self.ask("explain", text="commit")
        for kind in ("zoc", "supply", "moves", "threat"):
            self.ask("layer", kind=kind)
        self.ask("at", n=0)
        self.ask("log", n=0)
        self.ask("askback", to=0)
        self.ask("bookmark", n=0, label="here")
        paths = ("position", "record", "proof", "luck", "map.json", "curve", "invitation", "guide", "setups")
        for path in paths:
            answer = self.guest.http.get(f"/api/matches/{self.match}/{path}")
            self.note(path, f"{answer.status_code} {answer.text}")
        for page in ("debrief", "debrief.txt", "debrief.svg", f"scene.svg?n=0&hex={[*enemies, *own, '1010'][0]}"):
            answer = self.guest.http.get(f"/g/{self.match}/{page}")
            self.note(page, f"{answer.status_code} {answer.text}")
        for path, body in [("invite", {"side": side}), ("setups", {"name": "mine"})]:
            answer = self.guest.post(f"/api/matches/{self.match}/{path}", **body)
            self.note(path, f"{answer.status_code} {answer.text}")
        faces = [{**c, "hex": "", "box": "", "states": []} for c in counters if c["side"] != side][:60]
        self.note("faces", self.guest.http.post("/api/faces/classic", json=faces).text)


def quiet(position, others):
    """An order that any of these positions allows and that leaves nothing to chance."""
    for order in position.legal:
        if all(order in other.legal and other.play(order).chance is None for other in [position, *others]):
            return order
    return None


@pytest.mark.parametrize(("game", "options", "orders", "kind"), MOMENTS)
def test_hidden_facts_change_nothing_that_a_side_is_told(running, another, game, options, orders, kind):
    loaded = load(game)
    true = played(loaded, options, orders)
    hidden = 0
    for side in loaded.sides:
        worlds = [true, true.view(side).imagine(random.Random(1))]
        hidden += worlds[0].document() != worlds[1].document()
        mine, theirs, nobody = another(), another(), another()
        seated = {name: _person(running, mine if name == side else theirs) for name in loaded.sides}
        spies = [Spy(mine, laid_out(running, world, seated, kind)) for world in worlds]
        spies += [Spy(nobody, spy.match) for spy in spies]  # who may know no more than that
        hands = [Table(theirs, spy.match) for spy in spies[:2]]
        for table in hands:
            table.hear("state")
        for _ in range(2):
            for spy in spies:
                spy.look(side)
            order = None if options is BID or worlds[0].to_move is None else quiet(worlds[0], worlds[1:])
            if order is None:
                break
            mover = worlds[0].to_move
            for spy, watching, hand in zip(spies[:2], spies[2:], hands, strict=True):
                table = spy.table if mover == side else hand
                table.drain()
                reply = table.give(str(order))
                assert reply["ok"], reply
                for looking in (spy.table, watching.table, hand):
                    looking.see(reply["version"])
                    looking.drain()
            worlds = [world.play(order) for world in worlds]
        for spy, other in (spies[:2], spies[2:]):
            for one, two in zip(spy.heard, other.heard, strict=True):
                assert one == two
        for table in [*spies, *hands]:
            table.close()
    if options:
        assert hidden, "there was something to hide"


def _person(running, guest):
    return running.store.now(Ledger.welcome, guest.http.cookies["ladoga"])
