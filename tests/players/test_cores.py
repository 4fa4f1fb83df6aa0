"""Thinking on several cores: the same answers, whatever becomes of the processes that help."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator

import pytest

import ladoga
from ladoga.kernel.position import CHANCE, Position
from ladoga.players import make
from ladoga.players.cores import every_core, side_by_side

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot split off here")


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The threads of whatever runs the tests do nothing that a process would miss."""
    with monkeypatch.context() as patched:
        patched.setattr(threading, "active_count", lambda: 1)
        yield


def test_answers_come_back_in_order_and_from_other_processes() -> None:
    answers = side_by_side(lambda n: (n, os.getpid()), range(7), cores=3)
    assert [n for n, _ in answers] == list(range(7))
    assert len({process for _, process in answers}) == 3
    assert answers[0][1] == os.getpid()


def test_one_core_or_one_thing_splits_nothing_off() -> None:
    assert set(side_by_side(lambda _: os.getpid(), range(4))) == {os.getpid()}
    assert side_by_side(lambda _: os.getpid(), [1], cores=4) == [os.getpid()]
    assert side_by_side(lambda n: n, [], cores=4) == []
    assert every_core() >= 1


def test_a_process_with_threads_thinks_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert set(side_by_side(lambda _: os.getpid(), range(4), cores=4)) == {os.getpid()}


def test_what_a_killed_process_was_at_is_done_here() -> None:
    here = os.getpid()

    def work(n: int) -> int:
        if n and os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return n * n

    assert side_by_side(work, range(5), cores=3) == [0, 1, 4, 9, 16]


def test_a_mistake_is_raised_here_and_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    split, fork = list[int](), os.fork

    def counted() -> int:
        split.append(fork())
        return split[-1]

    monkeypatch.setattr(os, "fork", counted)

    def work(n: int) -> int:
        if n == 0:
            raise ValueError("zero")
        time.sleep(60)
        return n

    began = time.monotonic()
    with pytest.raises(ValueError, match="zero"):
        side_by_side(work, range(3), cores=3)
    assert time.monotonic() - began < 30
    assert len(split) == 2
    for process in split:
        with pytest.raises(ChildProcessError):
            os.waitpid(process, os.WNOHANG)


def test_a_mistake_elsewhere_is_raised_too() -> None:
    def work(n: int) -> int:
        if n == 1:
            raise ValueError("one")
        return n

    with pytest.raises(ValueError, match="one"):
        side_by_side(work, range(2), cores=2)


def _first_turn(game: str, think: float | None, cores: int) -> Position:
    position, rng = ladoga.load(game).start(), random.Random(7)
    players = {side: make("general", seed=3, think=think, cores=cores) for side in position.game.sides}
    for _ in range(400):
        mover = position.to_move
        if mover is None or position.turn > 1:
            break
        chance = mover == CHANCE
        order = position.legal.random(rng) if chance else players[mover].choose(position.view(mover), rng)
        position = position.play(order)
    return position


@pytest.mark.parametrize("game", ["leningrad-1979", "assault-stalingrad", "leningrad41", "tijvin-1941"])
def test_the_general_thinks_on_two_cores(game: str) -> None:
    before = os.times()
    position = _first_turn(game, 0.3, 2)
    after = os.times()
    assert position.digest() != ladoga.load(game).start().digest()
    assert after.children_user > before.children_user


def test_a_fixed_amount_of_work_is_done_on_one_core() -> None:
    before = os.times()
    assert _first_turn("assault-stalingrad", None, 2).digest() == _first_turn("assault-stalingrad", None, 1).digest()
    assert os.times().children_user == before.children_user
