"""Orders as chains of words: nothing is lost, nothing is added, numbers stay."""

from __future__ import annotations

import copy
import json
import pickle
import random
import re
from fractions import Fraction

import pytest
import yaml

import ladoga
from ladoga.adapters.observing import Eye, as_text, shapes
from ladoga.adapters.steps import SPARE, Rules, spelled, vocabulary
from ladoga.kernel.errors import LadogaError
from ladoga.kernel.position import CHANCE

GAMES = ladoga.game_ids()


def walk(step, seed, most):
    """Steps of a random game."""
    rng = random.Random(seed)
    for _ in range(most):
        if step.mover is None:
            return
        yield step
        chance = step.chance
        step = step.after(rng.choice(step.actions)) if chance is None else step.rolls(chance.sample(rng))


def leaves(step, position):
    """Every order that can be said from a step on."""
    for action in step.actions:
        following = step.after(action)
        if following.position is position:
            yield from leaves(following, position)
        else:
            yield step.text(action)


@pytest.mark.parametrize("game_id", GAMES)
def test_the_chains_say_exactly_the_legal_orders(game_id, battle):
    for rules in (Rules(game_id), Rules(game_id, position=battle(game_id))):
        step = rules.first()
        while step.mover == CHANCE or len(list(step.position.legal)) > 250:
            rng = random.Random(5)
            step = step.rolls(step.chance.sample(rng)) if step.chance else step.after(step.actions[-1])
        if step.said:
            continue
        said = list(leaves(step, step.position))
        assert sorted(said) == sorted(map(str, step.position.legal))


@pytest.mark.parametrize("game_id", GAMES)
def test_actions_ascend_and_their_texts_differ(game_id, battle):
    for step in walk(Rules(game_id, position=battle(game_id)).first(), 3, 60):
        if step.chance is not None:
            assert sum(p for _, p in step.chance.outcomes) == Fraction(1)
            assert len(step.chance.outcomes) <= step.rules.most_outcomes
            continue
        actions = step.actions
        assert actions == sorted(set(actions))
        assert actions, "no dead ends"
        assert actions[-1] < len(step.rules.vocabulary)
        texts = [step.text(action) for action in actions]
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_number_always_means_the_same_word(game_id):
    words = vocabulary(game_id)
    assert len(set(words.words)) == len(words.words)
    assert words.number([words.words[7], words.words[3]]) == {3: words.words[3], 7: words.words[7]}
    strangers = words.number([("unit", "nobody"), ("unit", "another")])
    assert list(strangers) == [len(words.words), len(words.words) + 1]
    assert strangers[len(words.words)] == ("unit", "another")
    with pytest.raises(LadogaError, match="no list has"):
        words.number(("unit", f"x{n}") for n in range(SPARE + 1))


@pytest.mark.parametrize("game_id", GAMES)
def test_nearly_all_words_of_real_games_have_their_own_number(game_id):
    known = vocabulary(game_id).numbers
    strange = set()
    for step in walk(Rules(game_id).first(), 11, 150):
        if step.mover != CHANCE and not step.said:
            strange |= {w for order in step.position.legal for w in spelled(order) if w not in known}
    assert len(strange) < SPARE // 4, sorted(strange)


@pytest.mark.parametrize("game_id", GAMES)
def test_steps_survive_pickling_and_are_not_copied(game_id, battle):
    for number, step in enumerate(walk(Rules(game_id, position=battle(game_id)).first(), 9, 40)):
        assert copy.deepcopy(step) is step
        if number % 8 == 0:
            again = pickle.loads(pickle.dumps(step))
            assert again.position == step.position
            assert (again.taken, again.rolled, again.said) == (step.taken, step.rolled, step.said)
            assert again.actions == step.actions


def test_a_game_broken_off_counts_as_it_stands(battle):
    rules = Rules("leningrad-1979", position=battle("leningrad-1979"), max_length=5)
    steps = list(walk(rules.first(), 1, 100))
    last = steps[-1]
    ended = last.rolls(last.chance.outcomes[0][0]) if last.chance else last.after(last.actions[0])
    assert ended.mover is None
    assert ended.broken_off
    assert ended.actions == []
    winner = ended.position.standing.winner
    assert ended.returns()[winner] == 1.0
    assert sum(ended.returns().values()) == 0.0
    assert not any(steps[0].returns().values())


def test_what_cannot_be_played_is_refused(tmp_path):
    with pytest.raises(LadogaError, match="at least one step"):
        Rules("leningrad-1979", max_length=0)
    with pytest.raises(LadogaError, match="no scenario"):
        Rules("leningrad-1979", "nowhere")
    with pytest.raises(LadogaError, match="names its scenario"):
        Rules("leningrad-1979", "campaign", position={"game": "leningrad-1979"})
    step = Rules("leningrad-1979").first()
    with pytest.raises(LadogaError, match="not an action here"):
        step.after(0)


def test_a_position_is_values_text_or_a_file(tmp_path, battle):
    file = battle("leningrad-1979")
    text = file.read_text()
    for given in (file, str(file), text, json.loads(text), yaml.safe_dump(json.loads(text))):
        assert Rules("leningrad-1979", position=given).start == ladoga.load("leningrad-1979").position(text)
    broken = tmp_path / "broken.yaml"
    for content, message in (
        (b"\xff", "not UTF-8"),
        (b"turn: 1\nturn: 2", "line 2"),
        (b"game: x", "game: a document of x"),
    ):
        broken.write_bytes(content)
        with pytest.raises(ladoga.BadDocument, match=f"^{re.escape(str(broken))}: {message}"):
            Rules("leningrad-1979", position=broken)
    with pytest.raises(ladoga.BadDocument, match=r"nowhere\.yaml: No such file"):
        Rules("leningrad-1979", position="nowhere.yaml")


# What is seen ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_an_observation_is_small_and_bounded(game_id, battle):
    rules = Rules(game_id, position=battle(game_id))
    eye = Eye(rules)
    for step in walk(rules.first(), 2, 10):
        for side in rules.game.sides:
            blocks = eye.blocks(step, side)
            assert {name: block.shape for name, block in blocks.items()} == shapes(rules)
            numbers = eye.flat(step, side)
            assert numbers.size < 10_000
            assert numbers.min() >= -1
            assert numbers.max() <= 255


@pytest.mark.parametrize("game_id", GAMES)
def test_only_its_giver_sees_an_order_in_the_making(game_id):
    rules = Rules(game_id)
    eye = Eye(rules)
    step = next(s for s in walk(rules.first(), 4, 400) if s.said)
    mover = step.mover
    other = next(side for side in rules.game.sides if side != mover)
    assert eye.blocks(step, mover)["order"].sum() == len(step.said)
    assert not eye.blocks(step, other)["order"].any()
    assert json.loads(as_text(step, mover))["order"] == step.partial
    assert "order" not in json.loads(as_text(step, other))
    assert "order" not in json.loads(as_text(step, mover, private=False))


def test_what_the_other_side_draws_in_secret_is_not_in_the_numbers():
    """Two games that differ only in facts hidden from a side look the same to it."""
    different = 0
    for game_id in GAMES:
        rules = Rules(game_id)
        eye = Eye(rules)
        for step in walk(rules.first(), 6, 60):
            for side in rules.game.sides:
                if step.mover in (side, CHANCE):
                    continue
                imagined = step.position.view(side).imagine(random.Random(1))
                if imagined == step.position or imagined.view(side).document() != step.position.view(side).document():
                    continue
                different += 1
                like = type(step)(rules, imagined, step.taken, step.rolled)
                same = type(step)(rules, step.position, step.taken, step.rolled)
                assert (eye.flat(like, side) == eye.flat(same, side)).all()
                assert as_text(like, side) == as_text(same, side)
    assert different > 20
