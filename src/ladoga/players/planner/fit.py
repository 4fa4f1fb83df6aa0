"""Fits the planner's weights by play: each weight is raised and lowered, and kept where it wins more on the same dice.

python -m ladoga.players.planner.fit leningrad-1979 --games 6 --nodes 150 --side german
"""

from __future__ import annotations

import argparse
import hashlib
import random
from collections import deque
from collections.abc import Iterable, Mapping

from ...kernel.chance import Dice
from ...kernel.game import Game, load_game
from ..fitting import playout
from ..general import GeneralPlayer
from .appraisal import PLAIN, Weights
from .weights import weights_of

FACTORS = (1.5, 0.67)
"""What a weight is tried at, times what it is."""
GAIN = 2.0
"""Points of the mean margin that a change must gain to be kept."""


def margin(game: Game, seed: int, weights: Mapping[str, Weights], nodes: int) -> float:
    """The first side's lead at the end of a game between two generals with some weights."""
    dice = Dice(hashlib.sha256(f"fit {seed}".encode()).digest())
    seats = {side: GeneralPlayer(nodes=nodes) for side in game.sides}
    for side, seat in seats.items():
        seat.weights = weights[side]
    minds = {side: random.Random(f"{seed} {side}") for side in game.sides}
    (last,) = deque(playout(game.start(), dice, seats, minds), maxlen=1)
    entries = last.standing.ledger
    return float(sum(entry.points if entry.side == game.sides[0] else -entry.points for entry in entries))


def fit(game: Game, side: str, names: Iterable[str], games: int, nodes: int) -> Weights:
    """The weights of a side after each was tried higher and lower against the other side as it is."""
    weights = {each: weights_of(game.id, each) for each in game.sides}
    sign = 1.0 if side == game.sides[0] else -1.0

    def mean(tried: Weights) -> float:
        return sign * sum(margin(game, seed, {**weights, side: tried}, nodes) for seed in range(games)) / games

    best, most = weights[side], mean(weights[side])
    print(f"{game.id} {side}: {most:+.1f} as it is", flush=True)
    for name in names:
        for factor in FACTORS:
            tried = best._replace(**{name: round(getattr(best, name) * factor, 3)})
            value = mean(tried)
            print(f"{name} {getattr(tried, name):g}: {value:+.1f}", flush=True)
            if value > most + GAIN:
                best, most = tried, value
                break
    return best


def main() -> None:
    """Fit the weights of a game, and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=6, help="dice that every change is tried on")
    parser.add_argument("--nodes", type=int, default=150, help="stands judged a turn")
    parser.add_argument("--side", default="", help="only this side")
    parser.add_argument("--weights", default=",".join(PLAIN._fields), help="only these weights")
    asked = parser.parse_args()
    game = load_game(asked.game)
    for side in [asked.side] if asked.side else game.sides:
        found = fit(game, side, asked.weights.split(","), asked.games, asked.nodes)
        changed = {name: value for name, value in found._asdict().items() if value != getattr(PLAIN, name)}
        print(f"{game.id}: {{{side}: {changed}}}")


if __name__ == "__main__":
    main()
