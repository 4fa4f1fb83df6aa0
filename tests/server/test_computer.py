"""The computer at a table keeps its player and its thoughts, says how far it is, and moves at once when it is told."""

import asyncio
import time
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

from ladoga import load
from ladoga.lab.peer import Allowance
from ladoga.players import player as players
from ladoga.server import computer, dealings, thinking, worker
from ladoga.server.computer import Computer
from ladoga.server.library import Library
from ladoga.server.match import Step
from ladoga.server.refused import Refused
from ladoga.server.thinking import Thinkers
from ladoga.server.worker import Setting, Thinker
from ladoga.server.workers import Worker

from .test_matches import set_up
from .test_thinking import GAME, a_match, until

PLAYER = '''
import itertools, time
from pathlib import Path
from ladoga.players.player import Player

numbers = itertools.count(1)

class Ponderer(Player):
    """Writes down whenever it begins to think, and never comes to an end by itself."""
    name = "ponderer"
    patient = True
    asked = 0
    def choose(self, view, rng):
        if not self.asked:
            self.number = next(numbers)
        self.asked += 1
        with Path(__file__).with_suffix(".log").open("a") as log:
            log.write(f"{self.number} {self.asked}\\n")
        while self.patient and not self.told.is_set():
            time.sleep(0.01)
        self.told.clear()
        self.reason = f"player {self.number}, order {self.asked}"
        return next((order for order in view.legal if order.verb == "end"), next(iter(view.legal)))

class Hasty(Ponderer):
    """Writes down whenever it begins to think, and is done."""
    name = "hasty"
    patient = False
'''


@pytest.fixture
def seat(tmp_path):
    """A player of our own at a table: its name, and what it has written down."""
    file = tmp_path / "own.py"
    file.write_text(PLAYER)
    log = file.with_suffix(".log")
    return SimpleNamespace(
        ponderer=f"{file}:Ponderer",
        hasty=f"{file}:Hasty",
        log=lambda: log.read_text().split("\n")[:-1] if log.exists() else [],
    )


def question(name, session="s"):
    view = load(GAME).start().view("soviet")
    return session, name, GAME, {}, view.side, view.document(), load(GAME).start().document(), "seed"


@pytest.fixture
def against(guest, sit, running):
    """A person with the Soviets set up, and a player of our own to move with the Germans."""

    def begin(name):
        match = guest.begin(german="random", soviet="me")["id"]
        table = sit(guest, match)
        table.hear("state")
        table.ask("pace", wait=0)
        room = running.lobby.rooms[match]
        room.match.chairs = [c._replace(player=name) if c.player else c for c in room.match.chairs]
        set_up(table)
        return match, table, room

    return begin


def wait_for(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_player_is_kept_while_a_person_is_asked(against, seat):
    _, table, room = against(seat.hasty)
    while room.match.position.turn < 2:
        while table.state()["to_move"] != "soviet":
            table.hear("state", timeout=60)
        legal = room.match.view("soviet").legal
        assert table.give(str(next((order for order in legal if order.verb == "end"), next(iter(legal)))))["ok"]
    wait_for(lambda: room.match.position.turn == 2 and len(seat.log()) > 3)
    log = seat.log()
    assert log == [f"1 {n}" for n in range(1, len(log) + 1)], "one player for the whole match"


def test_it_moves_at_once_when_a_player_says_so_and_not_for_a_watcher(against, seat, another, sit):
    match, table, room = against(seat.ponderer)
    watcher = sit(another(), match)
    assert 0 < table.hear("used", timeout=60)["used"] <= 1
    assert watcher.ask("now")["code"] == "turn"
    n = room.match.version
    assert table.ask("now")["ok"]
    wait_for(lambda: room.match.version > n)
    assert seat.log()[:1] == ["1 1"]
    assert next(iter(room.match.reasons.values())) == "player 1, order 1"


def test_a_thought_outlasts_a_reload(against, seat, guest, sit):
    match, table, room = against(seat.ponderer)
    wait_for(seat.log)
    version = room.match.version
    table.close()
    wait_for(lambda: not room.company)
    assert room.computer.thinking
    again = sit(guest, match)
    again.hear("state")
    assert again.ask("now")["ok"]
    wait_for(lambda: room.match.version > version)
    assert [line for line in seat.log() if line.split()[1] == "1"] == ["1 1"], "the thought was never begun anew"


def test_nothing_is_ordered_while_nobody_is_there_and_then_it_rests(against, seat, monkeypatch):
    _, table, room = against(seat.ponderer)
    wait_for(seat.log)
    version = room.match.version
    monkeypatch.setattr(computer, "GRACE", 0.3)
    table.close()
    wait_for(lambda: not room.company)
    room.computer._sessions["german"].hurry()
    wait_for(lambda: not room.computer.thinking)
    assert room.match.version == version
    assert not room.computer._sessions


def test_a_player_that_does_not_know_what_happened_goes():
    class Crew:
        def __init__(self):
            self.closed = []

        def session(self, name, match):
            session = SimpleNamespace(name=name)
            session.close = lambda: self.closed.append(session)
            return session

    crew, match = Crew(), a_match("m", 1)
    room = SimpleNamespace(match=match, house=SimpleNamespace(thinkers=crew), company=SimpleNamespace(show_used=None))
    at_table = Computer(room)

    def ordered(number):
        step = match.following(next(iter(match.position.legal)))[:1]
        match._take_in([Step("soviet", step[0].order, step[0].position)], [number], 0.0)

    first = at_table._player_of("soviet", "random")
    assert at_table._player_of("soviet", "random") is first
    ordered(1)
    at_table._ordered["soviet"] = match.last_of("soviet")
    assert at_table._player_of("soviet", "random") is first, "that was its own order"
    ordered(2)
    second = at_table._player_of("soviet", "random")
    assert second is not first, "somebody else ordered for its side"
    match.retract(1)
    assert at_table._player_of("soviet", "random") is not second, "what it knew of was taken back"
    assert crew.closed == [first, second]


def test_a_player_shares_its_time_over_its_turn(seat, monkeypatch):
    now = [0.0]
    clock = SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr(worker, "time", clock)
    told = []

    class Slow(players.Player):
        name = "slow"

        def choose(self, view, rng):
            told.append(self.think)
            now[0] += 3.0
            return next(iter(view.legal))

    monkeypatch.setattr(worker, "player", lambda *_: Slow(think=10.0))
    thinker, game = Thinker(Library()), load(GAME)
    position = game.start()
    for number in range(10):
        view = position.view("soviet")
        text, _ = thinker.think("s", "slow", GAME, {}, "soviet", view.document(), position.document(), str(number))
        position = position.play(text)
        if position.to_move != "soviet":
            break
    allowance = thinker._seats["s"].allowance
    assert set(told) == {10.0}, "a turn is begun with all of the time"
    assert allowance.used() == 1.0
    assert allowance.think(position.turn + 1) < 10.0 / len(told), "then it thinks so much less each time"
    thinker.forget("s")
    assert "s" not in thinker._seats


def test_of_a_turns_time_a_share_is_used_up():
    allowance = Allowance(10.0)
    allowance.think(1)
    allowance.spend(2.0)
    assert allowance.used() == pytest.approx(0.2)
    assert allowance.used(3.0) == pytest.approx(0.5)
    assert allowance.used(30.0) == 1.0


def test_one_that_is_hurried_before_its_process_listens_hears_of_it(seat):
    async def think():
        beside = Worker(Setting(nice=0))
        asking = asyncio.create_task(beside.ask(60, "think", *question(seat.ponderer)))
        await asyncio.sleep(0)
        beside.hurry()
        order, reason = await asking
        await beside.close()
        return order, reason, beside.started

    order, reason, started = asyncio.run(think())
    assert order
    assert reason == "player 1, order 1"
    assert started == 1


def test_players_that_are_not_asked_for_long_are_forgotten(monkeypatch):
    forgotten = []

    async def ask(self, limit, name, *values):
        if name == "forget":
            forgotten.append(values[0])
        return ["end", "nothing else to do"]

    monkeypatch.setattr(Worker, "ask", ask)
    monkeypatch.setattr(thinking, "KEPT", 2)

    async def play():
        thinkers = Thinkers(Library(), 1)
        sessions = [thinkers.session("random", a_match(f"game-{n}", n)) for n in range(5)]
        for session in sessions:
            await thinkers.think(session, (session.id,))
            await until(lambda: not thinkers.busy and not thinkers.workers[0].reserved)
        kept = [session for session in sessions if session.worker is not None]
        again = await thinkers.think(sessions[0], (sessions[0].id,))
        return sessions, kept, again

    sessions, kept, again = asyncio.run(play())
    assert sessions[-1] in kept
    assert len(kept) <= 3, "those that rest, and the one that was asked last"
    assert sessions[0].id in forgotten
    assert again == "end", "who was forgotten begins anew"


def test_what_handed_the_move_to_the_computer_is_taken_back_until_it_orders(against, seat):
    _, table, room = against(seat.ponderer)
    wait_for(seat.log)
    state = table.state()
    assert state["to_move"] == "german"
    assert state["undo"]["to"] == state["n"] - 1
    reply = table.ask("undo", action="undo-end-far", version=state["version"], to=3)
    assert reply["code"] == "undo", "one order, and then what is free as ever"
    assert table.ask("undo", action="undo-end-1", version=state["version"], to=state["undo"]["to"])["ok"]
    table.drain()
    state = table.state()
    assert (state["to_move"], state["phase"]["id"]) == ("soviet", "soviet-set-up")
    assert not room.computer.thinking
    assert table.give("end soviet-set-up")["ok"]
    wait_for(lambda: len(seat.log()) > 1)
    assert [line.split()[1] for line in seat.log()[:2]] == ["1", "1"], "it begins anew"
    version = room.match.version
    assert table.ask("now")["ok"]
    wait_for(lambda: room.match.version > version)
    table.drain()
    assert table.state()["undo"]["to"] is None


def test_the_computer_ends_the_game_only_if_it_is_ahead(monkeypatch):
    match = a_match("m", 1)
    ended, offers = [], []

    async def write(_, __, ___, change):
        offers.append(change({}))
        return offers[-1]

    @asynccontextmanager
    async def alone():
        yield match

    async def end(_, outcome):
        ended.append(outcome)

    monkeypatch.setattr(dealings, "end", end)
    house = SimpleNamespace(store=SimpleNamespace(write=write))
    room = SimpleNamespace(match=match, id="m", house=house, alone=alone, show=lambda: None)
    mine, theirs = (seat.side for seat in match.seats)
    watcher, seats = SimpleNamespace(sides=[mine]), {mine: mine, theirs: theirs}
    for winner in (mine, None):
        match.position = SimpleNamespace(
            standing=SimpleNamespace(winner=winner, as_json=dict), seats=seats, to_move=mine
        )
        with pytest.raises(Refused) as refused:
            asyncio.run(dealings.peace(room, watcher, True))
        assert refused.value.code == "declined"
    assert not offers
    match.position = SimpleNamespace(standing=SimpleNamespace(winner=theirs, as_json=dict), seats=seats, to_move=mine)
    asyncio.run(dealings.peace(room, watcher, True))
    assert ended == [{"agreed": True}]
