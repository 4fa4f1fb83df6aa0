"""The games as PettingZoo environments (AEC): ``env("leningrad-1979")``.

Agents are the sides. An observation has ``observation``, a flat list of numbers
(``ladoga.adapters.observing``), and ``action_mask``. Dice are rolled by the environment from its seed.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from .observing import Eye, size
from .steps import WHOLE_GAME, Rules, Step

__all__ = ["SidesEnv", "env"]


def masked(step: Step, side: str) -> np.ndarray[Any, np.dtype[np.int8]]:
    """1 for every action a side may take now, 0 for the others."""
    mask = np.zeros(len(step.rules.vocabulary), np.int8)
    if step.mover == side:
        mask[step.actions] = 1
    return mask


def rolled(step: Step, rng: random.Random) -> Step:
    """The next step at which a side has something to say, or the end."""
    while (chance := step.chance) is not None:
        step = step.rolls(chance.sample(rng))
    return step


def observation_space(rules: Rules) -> spaces.Dict:
    """The space of observations with their masks."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-1.0, 255.0, (size(rules),), np.float32),
            "action_mask": spaces.Box(0, 1, (len(rules.vocabulary),), np.int8),
        }
    )


class SidesEnv(AECEnv):  # type: ignore[misc]
    """Both sides of a game, each in turn.

    >>> sides = SidesEnv(Rules("tijvin-1941", max_length=20))
    >>> sides.possible_agents
    ['german', 'soviet']
    """

    def __init__(self, rules: Rules, render_mode: str | None = None) -> None:
        super().__init__()
        self.metadata = {"name": f"ladoga_{rules.game.id}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.rules = rules
        self.eye = Eye(rules)
        self.render_mode = render_mode
        self.possible_agents = list(rules.game.sides)
        self.observation_spaces = {agent: observation_space(rules) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(len(rules.vocabulary)) for agent in self.possible_agents}
        self._rng = random.Random()

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent's observations look like."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an agent's actions look like."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start anew; with a seed the dice fall the same again."""
        if seed is not None:
            self._rng = random.Random(seed)
        self.agents = list(self.possible_agents)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._stand(self.rules.first())

    def _stand(self, step: Step) -> None:
        self.state_now = step = rolled(step, self._rng)
        over = step.mover is None
        self.rewards = step.returns()
        self.terminations = dict.fromkeys(self.agents, over and not step.broken_off)
        self.truncations = dict.fromkeys(self.agents, step.broken_off)
        self.agent_selection = self.agents[0] if step.mover is None else step.mover

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and what it may do."""
        step = self.state_now
        return {"observation": self.eye.flat(step, agent), "action_mask": masked(step, agent)}

    def step(self, action: int | None) -> None:
        """Say the next word of an order."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self._stand(self.state_now.after(int(action)))
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The state in words."""
        if self.render_mode is None:
            return None
        position = self.state_now.position
        return f"Turn {position.turn}, {position.phase.title}: {self.state_now.partial or position.prompt}"

    def close(self) -> None:
        """Nothing is held open."""


def env(
    game_id: str,
    *,
    scenario: str | None = None,
    options: Mapping[str, Any] | None = None,
    position: str | Path | Mapping[str, Any] | None = None,
    max_length: int = WHOLE_GAME,
    render_mode: str | None = None,
) -> SidesEnv:
    """A game as a PettingZoo environment.

    >>> sides = env("tijvin-1941", max_length=20)
    >>> sides.reset(seed=1)
    >>> sides.agent_selection
    'german'
    """
    return SidesEnv(Rules(game_id, scenario, options, position=position, max_length=max_length), render_mode)
