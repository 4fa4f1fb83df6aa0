"""One seat of a game as a Gymnasium environment, a computer player in the other.

An action that is not possible changes nothing, costs ``penalty`` and is named in ``info["illegal"]``, so
that an agent without masks can learn too; ``info["action_mask"]`` says what is possible.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium
from gymnasium import spaces

from ..kernel.game import game_ids
from ..players import check, make
from .observing import Eye
from .steps import WHOLE_GAME, Rules, Step
from .zoo import masked, observation_space, rolled

__all__ = ["SeatEnv", "register"]


class SeatEnv(gymnasium.Env[dict[str, Any], Any]):
    """One side of a game, the first by default, against a computer player.

    >>> seat = SeatEnv("tijvin-1941", side="soviet", max_length=30)
    >>> observation, info = seat.reset(seed=1)
    >>> sorted(observation), int(info["action_mask"].sum()) > 0
    (['action_mask', 'observation'], True)
    """

    def __init__(
        self,
        game_id: str,
        *,
        side: str | None = None,
        opponent: str = "random",
        scenario: str | None = None,
        options: Mapping[str, Any] | None = None,
        position: str | Path | Mapping[str, Any] | None = None,
        max_length: int = WHOLE_GAME,
        penalty: float = 0.01,
        render_mode: str | None = None,
    ) -> None:
        self.rules = Rules(game_id, scenario, options, position=position, max_length=max_length)
        side = side or self.rules.game.sides[0]
        self.rules.game.check_side(side)
        check(opponent)
        self.metadata = {"render_modes": ["ansi"]}
        self.render_mode = render_mode
        self.side = side
        self.opponent = opponent
        self.penalty = penalty
        self.eye = Eye(self.rules)
        self.observation_space = observation_space(self.rules)
        self.action_space = spaces.Discrete(len(self.rules.vocabulary))
        self._idle = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start anew; with a seed the dice and the opponent do the same again."""
        super().reset(seed=seed)
        self._rng = random.Random(int(self.np_random.integers(2**63)))
        self._player = make(self.opponent, seed=self._rng.getrandbits(32))
        self._idle = 0
        self.step_now = self._until_asked(self.rules.first())
        return self._seen(), self._info()

    def _until_asked(self, step: Step) -> Step:
        """Let dice and the opponent go on until this side has something to say."""
        while (step := rolled(step, self._rng)).mover not in (None, self.side):
            view = step.position.view(str(step.mover))
            order = self._player.choose(view, self._rng)
            step = Step(self.rules, step.position.play(order), step.taken + 1, step.rolled)
        return step

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Say the next word of an order."""
        reward, illegal = 0.0, ""
        if int(action) in self.step_now.actions:
            self.step_now = self._until_asked(self.step_now.after(int(action)))
            reward = self.step_now.returns()[self.side]
        else:
            illegal = f"{action} is not an action here"
            reward = -self.penalty
            self._idle += 1
        step = self.step_now
        over = step.mover is None
        truncated = step.broken_off or (not over and self._idle >= self.rules.max_length)
        info = self._info() | ({"illegal": illegal} if illegal else {})
        return self._seen(), reward, over and not step.broken_off, truncated, info

    def _seen(self) -> dict[str, Any]:
        return {
            "observation": self.eye.flat(self.step_now, self.side),
            "action_mask": masked(self.step_now, self.side),
        }

    def _info(self) -> dict[str, Any]:
        return {"action_mask": masked(self.step_now, self.side), "said": self.step_now.partial}

    def render(self) -> Any:
        """The state in words."""
        if self.render_mode is None:
            return None
        position = self.step_now.position
        return f"Turn {position.turn}, {position.phase.title}: {self.step_now.partial or position.prompt}"


def register() -> list[str]:
    """Make every game known to ``gymnasium.make``; the ids to make them by.

    >>> register()[0]
    'ladoga/assault-leningrad-v0'
    """
    ids = []
    for game_id in game_ids():
        name = f"ladoga/{game_id}-v0"
        ids.append(name)
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=f"{__name__}:SeatEnv", kwargs={"game_id": game_id})
    return ids
