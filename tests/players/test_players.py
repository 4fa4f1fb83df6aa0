"""Computer players: they see views only, never stall, and repeat themselves for the same seed."""

from __future__ import annotations

import random

import pytest

import ladoga
from ladoga import players
from ladoga.kernel.position import Position
from ladoga.players.general import GeneralPlayer
from ladoga.players.player import Player
from ladoga.players.situation import Situation


def seat(name: str, seed: int) -> Player:
    """A player; the general with little time, so that the tests are quick."""
    return GeneralPlayer(seed=seed, nodes=40) if name == "general" else players.make(name, seed=seed)


def play_some(position: Position, name: str, seed: int, most: int) -> list[str]:
    """Up to so many orders of a game of a player against itself."""
    seats = {side: seat(name, seed) for side in position.game.sides}
    minds = {side: random.Random(f"{seed} {side}") for side in seats}
    dice = random.Random(seed)
    orders: list[str] = []
    while position.to_move is not None and len(orders) < most:
        mover = position.to_move
        if mover == "chance":
            order = position.legal.random(dice)
        else:
            order = seats[mover].choose(position.view(mover), minds[mover])
            assert position.why_not(order) is None
        orders.append(str(order))
        position = position.play(order)
    return orders


def test_the_ladder_has_its_names() -> None:
    assert players.names() == ["random", "greedy", "staff", "general"]


def test_a_stranger_is_refused() -> None:
    with pytest.raises(ladoga.LadogaError, match="there is no player 'napoleon'"):
        players.make("napoleon")


@pytest.mark.parametrize("name", players.names())
@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_every_player_plays_every_game_and_repeats_itself(game_id: str, name: str) -> None:
    game = ladoga.load(game_id)
    most = 30 if name == "general" else 50
    first = play_some(game.start(), name, 3, most)
    assert len(first) == most
    assert first == play_some(game.start(), name, 3, most)


def test_the_staff_plays_a_game_to_its_end() -> None:
    game = ladoga.load("leningrad-1979")
    orders = play_some(game.start(), "staff", 1, 5000)
    assert 200 < len(orders) < 5000


def test_decisions_come_with_a_reason() -> None:
    game = ladoga.load("leningrad-1979")
    position: Position = game.start()
    while position.phase.id != "german-movement":
        position = position.play(position.legal.random(random.Random(1)))
    staff = players.make("staff")
    staff.choose(position.view("german"), random.Random(1))
    assert staff.reason.startswith("Overruns the hidden rifle division i7 at 0212 with the ")
    assert "\n" not in staff.reason


def test_a_general_without_time_still_has_an_order() -> None:
    game = ladoga.load("leningrad-1979")
    position: Position = game.start()
    while position.phase.id != "german-movement":
        position = position.play(position.legal.random(random.Random(1)))
    general = players.make("general", think=0.0)
    order = general.choose(position.view("german"), random.Random(1))
    assert position.why_not(order) is None


def test_units_are_read_where_they_stand_on_every_map() -> None:
    game = ladoga.load("leningrad-1979")
    for columns in (8, 30, 8):
        position = game.position({
            "game": game.id, "turn": 4, "phase": "german-combat", "map": {"blank": [columns, 20]},
            "units": {"1/41": {"hex": "0303"}, "i1": {"hex": "0403"}},
        })  # fmt: skip
        piece = Situation(position.view("german"), "german").pieces["1/41"]
        assert position.map.grid.number(piece.hex) == "0303"


def test_units_are_read_anew_when_they_obey_somebody_else() -> None:
    game = ladoga.load("tijvin-1941")
    unit = next(unit for unit in game.units.values() if not unit.division and unit.side == "soviet")
    name = next(name for name, spec in game.units.items() if spec is unit)
    others = [hq for hq, spec in game.book.file.hqs.items() if spec.side == "soviet" and hq != unit.hq]
    formations = []
    for hq in (unit.hq, others[0]):
        position = game.position({"game": game.id, "turn": 2, "units": {name: {"hex": "0711", "hq": hq}}})
        formations.append(Situation(position.view("soviet"), "soviet").pieces[name].formation)
    assert formations == [game.book.file.hqs[hq].name for hq in (unit.hq, others[0])]


def test_a_leashed_player_keeps_to_its_lines_of_supply() -> None:
    rng = random.Random(4)
    position: Position = ladoga.load("assault-leningrad").start()
    player = players.make("greedy")
    marches = 0
    while position.turn <= 4:
        mover = position.to_move
        if mover != "german":
            position = position.play(position.legal.random(rng))
            continue
        order = player.choose(position.view(mover), rng)
        position = position.play(order)
        if order.verb == "move":
            marches += 1
            assert all(position.supply(unit).path for unit in order.units), f"{order} leaves its line behind"
    assert marches > 20


def test_levels_of_the_front_page_are_named_like_players() -> None:
    assert ladoga.players.make("recruit").name == "greedy"
    officer = ladoga.players.make("officer")
    assert (officer.name, officer.think) == ("general", 1.0)
    assert ladoga.players.make("officer", think=3.0).think == 3.0
    assert ladoga.players.make("general").think is None, "a player's own name stays without a clock"
