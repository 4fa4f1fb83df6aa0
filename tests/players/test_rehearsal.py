"""Rehearsals: plans are played out by the rules on the same luck, and the best of them is kept."""

from __future__ import annotations

import random

import pytest

import ladoga
from ladoga.kernel.position import Position
from ladoga.kernel.prospect import prospect_of
from ladoga.players.general import GeneralPlayer, Watch, Work
from ladoga.players.planner.conduct import Conduct
from ladoga.players.planner.rehearsal import Rehearsal, Tried, leading
from ladoga.players.planner.search import Plan, Search
from ladoga.players.planner.weights import weights_of

GAME = "leningrad-1979"


def begun(seed: int, phase: str) -> Position:
    """A position of a random game in a phase of movement."""
    rng, orders = random.Random(seed), 300
    position: Position = ladoga.load(GAME).start()
    while orders > 0 or position.phase.id != phase or position.to_move != phase.partition("-")[0]:
        position, orders = position.play(position.legal.random(rng)), orders - 1
    return position


def rehearsed(position: Position, work: int) -> tuple[Rehearsal, Plan]:
    side = position.to_move
    assert side is not None
    weights, enemy = weights_of(GAME, side), weights_of(GAME, "soviet" if side == "german" else "german")
    view = position.view(side)
    search = Search(prospect_of(view), random.Random(1), lambda done: done >= 60, weights)
    plan, conduct = search.plan(), Conduct(weights, enemy)
    plan = plan._replace(stand=plan.stand.copy())
    ordered = conduct.orders_of(search)
    return Rehearsal(view, search, enemy, Work(work), ordered), plan


@pytest.mark.parametrize("phase", ["german-movement", "soviet-movement"])
def test_the_same_plan_on_the_same_luck_comes_to_the_same(phase: str) -> None:
    rehearsal, plan = rehearsed(begun(3, phase), 10**6)
    orders = rehearsal.ordered(plan)
    assert orders
    other, _ = rehearsed(begun(3, phase), 10**6)
    assert [rehearsal.play(orders, luck) for luck in (0, 1)] == [other.play(orders, luck) for luck in (0, 1)]


def test_the_best_of_several_plans_is_kept() -> None:
    rehearsal, plan = rehearsed(begun(3, "german-movement"), 9000)
    kept = rehearsal.held(plan, random.Random(1))
    assert rehearsal.tried > 2
    assert rehearsal.played > 3
    rehearsal.clock = Work(10**9)
    both = [rehearsal.play(rehearsal.ordered(each), 0) for each in (kept, plan)]
    assert both[0] is not None
    assert both[1] is not None
    assert both[0] > both[1] - 5.0


def test_who_is_ahead_on_more_lucks_is_trusted_more() -> None:
    _, plan = rehearsed(begun(3, "german-movement"), 100)
    first, once, often = (Tried(plan, ()) for _ in range(3))
    first.values, once.values, often.values = [0.0] * 6, [3.0], [3.0] * 6
    assert first.ahead(first) == 0.0
    assert 0.0 < once.ahead(first) < often.ahead(first) < 3.0
    assert leading([first, once, often]) is often
    often.values = [-3.0] * 6
    assert leading([first, often]) is first


def test_armies_are_drawn_elsewhere_for_other_plans() -> None:
    rehearsal, plan = rehearsed(begun(5, "german-movement"), 10**6)
    posts = rehearsal.search.appraiser.posts
    stands = [rehearsal.other(plan, random.Random(n)) for n in range(6)]
    assert rehearsal.search.appraiser.posts is posts
    assert len({tuple(stand.where) for stand in stands if stand is not None}) > 1


def test_nothing_is_rehearsed_at_fixed_work() -> None:
    position, general = begun(2, "german-movement"), GeneralPlayer()
    general.choose(position.view("german"), random.Random(1))
    assert general.conduct.looks
    assert general.conduct.reply == 0


def test_a_rehearsal_ends_when_the_time_is_up() -> None:
    rehearsal, plan = rehearsed(begun(2, "german-movement"), 10**6)
    orders = rehearsal.ordered(plan)
    rehearsal.clock = Watch(60.0)
    rehearsal.clock.told.set()
    assert rehearsal.play(orders, 0) is None
    assert rehearsal.held(plan, random.Random(1)) is plan


STORM = {
    **{name: {"hex": "2605"} for name in ("1/41", "6/41", "36/41")},
    **{name: {"hex": "2706"} for name in ("58", "61", "217")},
    **{name: {"side": "soviet", "type": "infantry", "attack": 3, "defence": 5, "movement": 5, "hex": "2705"}
       for name in ("x1", "x2")},
}  # fmt: skip
"""A storm of Schlisselburg on the last turn, that may succeed or not."""


@pytest.mark.case("leningrad-1979", "18.2")
def test_luck_with_the_last_storm_counts_little(monkeypatch: pytest.MonkeyPatch) -> None:
    document = {"game": "leningrad-1979", "turn": 12, "phase": "german-movement", "units": STORM}
    position = ladoga.load("leningrad-1979").position(document)
    spread = []
    for luck in (0.3, 1.0):
        monkeypatch.setattr("ladoga.players.planner.rehearsal.LUCK", luck)
        rehearsal, plan = rehearsed(position, 10**6)
        values = [rehearsal.play(rehearsal.ordered(plan), number) or 0.0 for number in range(6)]
        spread.append(max(values) - min(values))
    assert spread[1] > 25.0, "it falls on some dice and not on others"
    assert spread[0] < spread[1] - 15.0
