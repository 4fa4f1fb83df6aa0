"""Duels between programs: the same dice for both, time counted by the player-turn, a stopped series goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ladoga
from ladoga.kernel.errors import LadogaError
from ladoga.lab.duel import HERE, Bout, Entrant, Program, kept_bouts, score, series, source_of
from ladoga.lab.peer import Allowance, Peer
from ladoga.lab.simulate import Match, play_match

GAME = "leningrad-1979"
STEADY = (Entrant("random"), Entrant("random", str(HERE)))


def bout(index: int, side: str, winner: str | None, margin: float, **more: str) -> Bout:
    return Bout(index, side, winner, "", margin, 12, 100, (12.0, 6.0), (12, 12), **more)


def test_a_game_between_programs_is_the_game_that_one_would_play() -> None:
    """Each keeps its own position, and all come to the same end."""
    match = Match(GAME, {"german": "random", "soviet": "random"}, 4)
    bouts = list(series(match, STEADY, 1))[-1]
    alone = play_match(match, 0)
    assert [b.side for b in bouts] == ["german", "soviet"]
    for one in bouts:
        assert (one.winner, one.margin, one.orders) == (alone.winner, alone.margin, alone.orders)
        assert not one.broke
        assert not one.void


def test_a_stopped_series_goes_on(tmp_path: Path) -> None:
    match, path = Match(GAME, {}, 4), tmp_path / "kept" / "games.jsonl"
    stopped = series(match, STEADY, 1, keep=path)
    next(stopped)
    first = next(stopped)
    stopped.close()
    assert len(first) == 1
    lines = path.read_text().splitlines()
    after = list(series(match, STEADY, 1, keep=path))
    assert [len(bouts) for bouts in after] == [2, 2]
    assert path.read_text().splitlines()[: len(lines)] == lines
    with pytest.raises(LadogaError, match="another duel"):
        kept_bouts(path, {"game": "tijvin-1941"})


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    path, head = tmp_path / "games.jsonl", {"game": GAME}
    line = json.dumps(bout(0, "german", "german", 3).__dict__)
    path.write_text(f"{json.dumps(head)}\n{line}\n{line[:30]}")
    assert kept_bouts(path, head) == [bout(0, "german", "german", 3)]


def test_pairs_games_and_margins_are_counted_for_the_first() -> None:
    """The pair with one win each goes by margins; a void game is listed only, a program that broke has lost."""
    bouts = [
        bout(0, "german", "german", 10), bout(0, "soviet", "german", 4),
        bout(1, "german", "german", 8), bout(1, "soviet", "soviet", 8),
        bout(2, "german", "german", 8), bout(2, "soviet", "german", 0, void="they disagree"),
        bout(3, "german", "soviet", 0, broke="ours"), bout(3, "soviet", "german", 6),
    ]  # fmt: skip
    found = score(GAME, STEADY, bouts)
    assert (found.pairs, found.won, found.games, found.games_won) == (3, 2.0, 7, 4.0)
    assert found.by_side == {"german": 3.0, "soviet": 1.0}
    assert found.margin == pytest.approx((10 - 4 + 8 + 8 + 8 + 0 - 6) / 7)
    assert found.cpu == (1.0, 0.5)
    assert found.broke == ("ours",)
    assert found.void == ("they disagree",)
    assert "2 of 3 pairs" in found.text


def test_a_player_who_thinks_often_thinks_less_each_time() -> None:
    """What a player-turn takes comes down to what was given, and what was spent too much is made good."""
    allowance = Allowance(1.0)
    for turn in range(1, 21):
        told = allowance.think(turn)
        for _ in range(4):
            assert allowance.think(turn) == told
            allowance.spend(told)
    allowance.close()
    assert allowance.total / allowance.turns == pytest.approx(1.0, rel=0.1)


def test_a_player_gets_no_more_than_it_is_given() -> None:
    allowance = Allowance(1.0)
    for turn in range(1, 9):
        assert allowance.think(turn) <= 1.0
        allowance.spend(0.2)


def begun() -> Peer:
    peer = Peer()
    peer.answer(
        {"do": "start", "game": GAME, "scenario": None, "options": {}, "side": "german", "player": "random",
         "seed": 1, "index": 0, "think": None}
    )  # fmt: skip
    return peer


def test_a_program_that_does_not_know_an_order_refuses_it() -> None:
    peer = begun()
    at = [peer.position.turn, peer.position.phase.id]
    answer = peer.answer({"do": "follow", "orders": [["move 999 0101", *at]]})
    assert answer["order"] == "move 999 0101"
    assert answer["refused"]


def test_a_program_that_has_closed_a_phase_by_itself_is_not_told_of_its_end() -> None:
    """And says that it is ahead when it is asked for an order in that phase."""
    peer = begun()
    here = [peer.position.turn, peer.position.phase.id, peer.position.to_move]
    assert peer.answer({"do": "follow", "orders": [["end", 1, "a phase before"]]}) == {"at": here}
    asked = {"do": "choose", "orders": [], "side": here[2], "at": [1, "a phase before"]}
    assert peer.answer(asked) == {"ahead": True}


def test_a_program_that_waits_in_a_phase_which_passes_elsewhere_ends_it() -> None:
    peer = begun()
    position = ladoga.load(GAME).position(
        {"game": GAME, "turn": 5, "phase": "german-movement", "units": {"1": {"hex": "0513"}}}
    )
    peer.position = position
    after = position.play("end")
    assert peer.catch_up(after.turn, after.phase.id)
    assert peer.position == after
    assert not peer.catch_up(1, "german-movement")
    assert peer.position == after


def test_a_player_that_breaks_says_so() -> None:
    program = Program(Entrant("marshal"), HERE)
    try:
        with pytest.raises(LadogaError, match="marshal"):
            program.start(Match(GAME, {}), 0, "german")
    finally:
        program.close()


def test_a_place_is_a_folder_or_a_commit(tmp_path: Path) -> None:
    with source_of("") as here, source_of(str(HERE.parent)) as checkout:
        assert here == checkout == HERE
    with pytest.raises(LadogaError, match="neither a folder"), source_of("no-such-commit"):
        pass
