"""The games for OpenSpiel: ``register()``, then ``pyspiel.load_game("ladoga_<id>")``.

Every option of a game is a parameter, besides ``scenario``, ``position`` (a file with a position document
to start from) and ``max_length`` (steps after which a game counts as it stands)::

    pyspiel.load_game("ladoga_leningrad-1979(max_length=300,recycle=false)")

Dice and draws are chance nodes with exact probabilities. Player 0 is the first side of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from ..kernel.game import Game, game_ids, load_game
from ..kernel.position import CHANCE, OBSERVER
from .observing import Eye, as_text, shapes
from .steps import WHOLE_GAME, Rules

__all__ = ["name_of", "register"]

OWN_PARAMETERS = ("scenario", "position", "max_length")


def name_of(game_id: str) -> str:
    """What OpenSpiel calls a game.

    >>> name_of("tijvin-1941")
    'ladoga_tijvin-1941'
    """
    return f"ladoga_{game_id}"


def game_type(game: Game) -> Any:
    """What OpenSpiel wants to know about a game before it is loaded."""
    kind = pyspiel.GameType
    return kind(
        short_name=name_of(game.id),
        long_name=game.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=len(game.sides),
        min_num_players=len(game.sides),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={
            "scenario": next(iter(game.scenarios)),
            "position": "",
            "max_length": WHOLE_GAME,
            **{name: option.default for name, option in game.options.items()},
        },
    )


def rules_of(game: Game, parameters: Mapping[str, Any]) -> Rules:
    """The rules that parameters ask for."""
    max_length = parameters.get("max_length", WHOLE_GAME)
    position = parameters.get("position", "")
    if position:
        return Rules(game.id, position=position, max_length=max_length)
    options = {name: value for name, value in parameters.items() if name not in OWN_PARAMETERS}
    return Rules(game.id, parameters.get("scenario"), options, max_length=max_length)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One of the games, as OpenSpiel sees it. Subclasses name it."""

    game_id: str

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        game = load_game(self.game_id)
        self.rules = rules_of(game, parameters or {})
        self.eye = Eye(self.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.rules.vocabulary),
            max_chance_outcomes=self.rules.most_outcomes,
            num_players=len(game.sides),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rules.max_length,
        )
        super().__init__(game_type(game), info, dict(parameters or {}))

    def new_initial_state(self) -> SpielState:
        """The state the game starts from."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Something that sees what a player sees."""
        return SpielObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of a game: one step of our own, which never changes, so copies are cheap."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.step = game.rules.first()

    def current_player(self) -> int:
        """Who is to act."""
        mover = self.step.mover
        if mover is None:
            return int(pyspiel.PlayerId.TERMINAL)
        if mover == CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        return self.step.rules.game.sides.index(mover)

    def _legal_actions(self, player: int) -> list[int]:
        return self.step.actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every outcome by its place in the list, with its probability."""
        chance = self.step.chance
        assert chance is not None
        return [(number, float(probability)) for number, (_, probability) in enumerate(chance.outcomes)]

    def _apply_action(self, action: int) -> None:
        chance = self.step.chance
        self.step = self.step.rolls(chance.outcomes[action][0]) if chance else self.step.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        chance = self.step.chance
        return str(chance.outcomes[action][0]) if chance else self.step.text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.step.mover is None

    def returns(self) -> list[float]:
        """One for the winner, minus one for the loser."""
        return list(self.step.returns().values())

    def __str__(self) -> str:
        position = self.step.position
        said = f": {self.step.partial} ..." if self.step.said else ""
        head = f"Turn {position.turn}, {position.phase.title}; {self.step.mover or 'nobody'} to order{said}"
        return f"{head}\nPosition {position.digest()}"


class SpielObserver:
    """What a player sees, as text and numbers (see ``ladoga.adapters.observing``)."""

    def __init__(self, game: SpielGame, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observations take no parameters, not {params}")
        self.sides = game.rules.game.sides
        self.eye = game.eye
        self.public = bool(kind.public_info)
        self.private = kind.private_info != pyspiel.PrivateInfoType.NONE
        self.recall = bool(kind.perfect_recall)
        blocks = shapes(game.rules)
        sizes = {name: int(np.prod(shape)) for name, shape in blocks.items()}
        self.tensor = np.zeros(sum(sizes.values()), np.float32)
        self.dict = {}
        start = 0
        for name, shape in blocks.items():
            self.dict[name] = self.tensor[start : start + sizes[name]].reshape(shape)
            start += sizes[name]

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill ``tensor`` and ``dict`` with what a player sees."""
        seen = self.eye.blocks(state.step, self.sides[player], public=self.public, private=self.private)
        for name, block in seen.items():
            self.dict[name][:] = block

    def string_from(self, state: SpielState, player: int) -> str:
        """What a player sees, as text; with perfect recall also all that he has seen and ordered before."""
        side = self.sides[player]
        seen = as_text(state.step, side, public=self.public, private=self.private)
        if not self.recall:
            return seen
        past = state.step.memory(side if self.private else OBSERVER)
        return "\n".join((*past, seen))


def register() -> list[str]:
    """Make every game known to OpenSpiel; the names to load them by.

    >>> import pyspiel
    >>> _ = register()
    >>> pyspiel.load_game("ladoga_tijvin-1941(max_length=50)").num_players()
    2
    """
    known = set(pyspiel.registered_names())
    names = []
    for game_id in game_ids():
        name = name_of(game_id)
        names.append(name)
        if name not in known:
            pyspiel.register_game(game_type(load_game(game_id)), type(name, (SpielGame,), {"game_id": game_id}))
    return names
