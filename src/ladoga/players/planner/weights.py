"""The weights of the planner's judgement: a file a game in ``tuning/planner``, a line a side.

``python -m ladoga.players.planner.fit GAME`` fits them and prints the lines to put there.
"""

from __future__ import annotations

from functools import cache

from ...kernel.data import load
from ..tuning import FOLDER
from .appraisal import PLAIN, Weights

Lines = dict[str, dict[str, float]]
"""For each side the weights that are not the plain ones."""


@cache
def weights_of(game_id: str, side: str) -> Weights:
    """How the parts of an appraisal count for a side of a game.

    >>> weights_of("no-such-game", "german") == PLAIN
    True
    """
    path = FOLDER / "planner" / f"{game_id}.yaml"
    if not path.exists():
        return PLAIN
    lines: Lines = load(path, Lines)
    return PLAIN._replace(**lines.get(side, {}))
