"""A seventh game is one folder: everything plays it, and no line elsewhere knows it."""

from __future__ import annotations

import json
import random
from contextlib import closing
from itertools import product

import pytest

import ladoga
from ladoga.cli import main
from ladoga.drawing.counters import livery_name, outline
from ladoga.kernel.table import Counter
from ladoga.lab import Match, play_match, report, simulate
from server.serving import Guest, Running, Table

POUNCE = """
game: marsh
turn: 3
phase: fox-prowl
units: {Vixen: {hex: "0502"}, Stilt: {hex: "0503"}, Grey: {hex: "0802"}}
"""


@pytest.fixture
def marsh():
    return ladoga.load("marsh")


def perft(position, depth):
    if depth == 0 or position.to_move is None:
        return 1
    return sum(perft(position.play(order), depth - 1) for order in position.legal)


def test_its_orders_are_counted(marsh):
    assert [perft(marsh.start(), depth) for depth in (1, 2, 3)] == [13, 117, 710]


def test_the_list_is_what_may_be_said(marsh):
    position = marsh.start().play("slink Vixen 0303")
    said = product(("slink", "pounce"), marsh.units, marsh.map.grid.numbers)
    legal = {text for text in map(" ".join, said) if position.why_not(text) is None} | {"sleep"}
    assert set(map(str, position.legal)) == legal


def test_it_refuses_with_its_own_cases(marsh):
    position = marsh.start()
    for order, case, words in (
        ("slink Vixen 0104", "2.2", "0104 is taken"),
        ("slink Grey 0801", "2.1", "Grey is not a beast of yours"),
        ("slink Rusty 0506", "2.1", "0506 is not next to Rusty"),
        ("pounce Rusty 0101", "3.1", "nobody is in 0101"),
        ("peck", "2.1", "now: slink, pounce, sleep"),
    ):
        refusal = position.why_not(order)
        assert refusal is not None
        assert refusal.case == case
        assert words in refusal.message


def test_an_order_is_judged_once(marsh, monkeypatch):
    from toy import rules

    asked = []
    decision = rules.SEQUENCE["prowl"]
    action = decision.actions["slink"]
    counting = action._replace(plan=lambda p, order: asked.append(order) or action.plan(p, order))
    moment = decision._replace(actions={**decision.actions, "slink": counting})
    monkeypatch.setitem(rules.SEQUENCE.decisions, "prowl", moment)
    position, order = marsh.start(), marsh.parse("slink Rusty 0101")
    assert position.why_not(order) is None
    position.play(order)
    assert asked == [order]


def test_a_pounce_interrupts_the_prowl_and_the_prowl_goes_on(marsh):
    position = marsh.position(POUNCE)
    assert [(code, str(p)) for code, p in position.explain("pounce Vixen 0503").results] == [
        ("caught", "1/2"), ("missed", "1/2"),
    ]  # fmt: skip
    missed = position.scripted([1]).play("pounce Vixen 0503")
    assert (missed.to_move, missed.prompt, missed.phase.id) == ("heron", "Peck back or hide", "fox-prowl")
    assert missed.choice == "the answer"
    pecked = missed.play("peck")
    assert pecked.to_move == "fox"
    assert pecked.document()["units"]["Vixen"] == {"hex": "0203"}
    caught = position.scripted([4]).play("pounce Vixen 0503")
    assert caught.document()["units"]["Stilt"] == {}


def test_documents_and_records_round_trip(marsh):
    rng = random.Random(5)
    for _ in range(20):
        position = marsh.start()
        while position.to_move is not None:
            assert marsh.position(position.document()) == position
            before = position.digest()
            following = position.play(position.legal.random(rng))
            assert position.digest() == before
            position = following
        assert position.outcome is not None
    played = play_match(Match("marsh", {"fox": "greedy", "heron": "random"}), 0, keep_record=True)
    assert ladoga.Record.parse(played.record).check().digest() == played.fingerprint


@pytest.mark.parametrize("player", ["random", "greedy", "staff", "general"])
def test_computer_players_play_it(player):
    games = list(simulate(Match("marsh", {"fox": player, "heron": "random"}, seed=3), 3, watch=True))
    assert [one.error for one in games] == [""] * 3
    assert "The Marsh" in report(Match("marsh", {"fox": player, "heron": "random"}, seed=3), games)


def test_the_command_line_takes_its_sides_from_the_game(capsys, tmp_path):
    assert main(["simulate", "marsh", "--games", "2", "--fox", "greedy", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["players"] == {"fox": "greedy", "heron": "random"}
    assert main(["simulate", "marsh", "--german", "greedy"]) == 2
    assert "the sides of marsh are --fox and --heron" in capsys.readouterr().err
    assert main(["map", "marsh", "--svg", str(tmp_path / "marsh.svg")]) == 0
    assert "The nest" in (tmp_path / "marsh.svg").read_text()
    assert main(["print", "marsh", "--out", str(tmp_path / "print")]) == 0
    assert main(["games", "marsh"]) == 0
    assert "slink" in capsys.readouterr().out


def test_the_server_plays_it_against_the_computer(tmp_path):
    running = Running(tmp_path / "store.db")
    try:
        with closing(Guest(running)) as guest:
            listed = guest.http.get("/api/games").json()["games"]
            assert "marsh" in {game["id"] for game in listed}
            match = guest.begin("marsh", fox="me", heron="greedy")
            with closing(Table(guest, match["id"])) as table:
                assert table.hear("state")["to_move"] == "fox"
                refused = table.give("slink Grey 0801")
                assert (refused["ok"], refused["case"]) == (False, "2.1")
                assert table.give("slink Rusty 0101")["ok"]
                assert table.give("sleep")["ok"]
                while table.state()["to_move"] != "fox":
                    table.hear("state", timeout=60)
                assert table.state()["turn"] == 2
    finally:
        running.stop()


def test_researchers_drive_it():
    pyspiel = pytest.importorskip("pyspiel")
    from ladoga.adapters import gym, openspiel, zoo

    openspiel.register()
    state = pyspiel.load_game("ladoga_marsh").new_initial_state()
    rng = random.Random(1)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    assert sum(state.returns()) == 0
    env = zoo.env("marsh", max_length=60)
    env.reset(seed=7)
    assert set(env.possible_agents) == {"fox", "heron"}
    seat = gym.SeatEnv("marsh", side="fox", opponent="random")
    _, info = seat.reset(seed=7)
    seat.step(seat.action_space.sample(info["action_mask"]))


def test_its_counters_have_its_own_colours_and_shapes():
    fox, heron = (Counter(name, name, name=name) for name in ("fox", "heron"))
    assert (livery_name(fox), livery_name(heron)) == ("fox", "heron")
    assert len(outline(fox)) > len(outline(heron)) == 8


def test_a_player_who_knows_nothing_of_it_but_the_points_beats_chance():
    won = [
        play_match(Match("marsh", {side: "greedy", other: "random"}, seed=seed), 0).winner == side
        for side, other in (("fox", "heron"), ("heron", "fox"))
        for seed in range(8)
    ]
    assert sum(won) >= 10
