"""The suites of PettingZoo and Gymnasium over every game."""

from __future__ import annotations

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

import ladoga  # noqa: E402
from ladoga.adapters import gym, zoo  # noqa: E402
from ladoga.kernel.errors import LadogaError  # noqa: E402

GAMES = ladoga.game_ids()

pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation"),  # observations with masks are dictionaries
    pytest.mark.filterwarnings("ignore:We recommend agents to be named"),  # our agents are the sides
]


@pytest.mark.parametrize("game_id", GAMES)
def test_pettingzoo_api(game_id, battle, capsys):
    api_test(zoo.env(game_id, max_length=40), num_cycles=60)
    api_test(zoo.env(game_id, position=battle(game_id), max_length=40), num_cycles=60)


@pytest.mark.parametrize("game_id", GAMES)
def test_pettingzoo_seeds(game_id, battle):
    file = battle(game_id)
    seed_test(lambda: zoo.env(game_id, position=file, max_length=40), num_cycles=30)


@pytest.mark.parametrize("seed", range(3))
def test_the_dice_of_an_environment_follow_its_seed(battle, seed):
    file = battle("leningrad-1979")

    def played(seed):
        env = zoo.env("leningrad-1979", position=file, max_length=120)
        env.reset(seed=seed)
        while env.state_now.mover is not None:
            env.step(env.state_now.actions[-1])
        return env.state_now.position.digest()

    assert played(seed) == played(seed)


def test_rewards_go_to_the_winner_of_a_game_broken_off(battle):
    env = zoo.env("leningrad-1979", position=battle("leningrad-1979"), max_length=4)
    env.reset(seed=1)
    while env.state_now.mover is not None:
        env.step(env.state_now.actions[0])
    winner = env.state_now.position.standing.winner
    assert all(env.truncations.values())
    assert env.rewards[winner] == 1.0
    assert sum(env.rewards.values()) == 0.0


@pytest.mark.parametrize("game_id", GAMES)
def test_gymnasium(game_id, battle):
    check_env(gym.SeatEnv(game_id, max_length=600), skip_render_check=True)
    side = ladoga.load(game_id).sides[1]
    check_env(gym.SeatEnv(game_id, side=side, position=battle(game_id), max_length=600), skip_render_check=True)


def test_gymnasium_makes_every_game():
    assert gym.register() == [f"ladoga/{game_id}-v0" for game_id in GAMES]
    env = gymnasium.make("ladoga/leningrad-1979-v0", max_length=10, disable_env_checker=True)
    _, info = env.reset(seed=3)
    assert info["action_mask"].any()
    env.close()


def test_an_impossible_action_changes_nothing_and_costs_a_little(battle):
    env = gym.SeatEnv("leningrad-1979", position=battle("leningrad-1979"), max_length=400, penalty=0.25)
    before, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    after, reward, terminated, truncated, info = env.step(wrong)
    assert reward == -0.25
    assert "illegal" in info
    assert (after["observation"] == before["observation"]).all()
    assert not terminated
    assert not truncated
    stopped = [env.step(wrong)[3] for _ in range(399)]
    assert not any(stopped[:-1])
    assert stopped[-1], "an agent that never learns is stopped too"


def test_a_seat_needs_a_side_and_an_opponent():
    with pytest.raises(LadogaError, match="no side 'finnish'"):
        gym.SeatEnv("leningrad-1979", side="finnish")
    with pytest.raises(LadogaError, match="no player 'nobody'"):
        gym.SeatEnv("leningrad-1979", opponent="nobody")
