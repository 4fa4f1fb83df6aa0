"""Moments of real games to sit down at: made by the computer players, the same every time."""

import random
from functools import cache
from typing import NamedTuple

from ladoga import load
from ladoga.kernel.chance import Dice
from ladoga.kernel.orders import Order
from ladoga.kernel.record import Header, Record
from ladoga.players import make

SEED = b"a table to sit down at, by lamps"


class Prepared(NamedTuple):
    """A game played for a while, and the events after which there is something to do."""

    game: str
    options: dict
    scenario: str
    orders: tuple[Order, ...]
    turn: int
    """Events before a player-turn begins."""
    attack: int
    """Events before an attack is chosen."""

    def record(self, events):
        """The record of the first events, as a file to open."""
        header = Header(
            game=self.game, engine="test", scenario=self.scenario, options=self.options,
            commitment=Dice(SEED).commitment, seed=SEED.hex(),
        )  # fmt: skip
        return Record(header, list(self.orders[:events])).text()

    def positions(self):
        """Every position, the first included."""
        position = load(self.game).start(self.scenario, self.options)
        yield position
        for order in self.orders:
            position = position.play(order)
            yield position


def _few_arrive(position):
    """Whether a player-turn is soon over: where many must enter the map, it is not."""
    return len({unit for order in position.legal if order.verb == "enter" for unit in order.units}) < 6


@cache
def prepared(game_id):
    """A few turns of the staff against itself, until both moments have come."""
    game = load(game_id)
    position, dice, rolls, rng = game.start(), Dice(SEED), 0, random.Random(3)
    players = {side: make("staff") for side in game.sides}
    orders, since, turn, attack, last = [], None, None, None, None
    while turn is None or attack is None:
        if position.chance is not None:
            order, rolls = dice.roll(position.chance, rolls), rolls + 1
        else:
            side = position.to_move
            if side != last:
                since = len(orders) if position.turn > 1 and position.phase.side == side else None
            if turn is None and since is not None and "movement" in position.phase.id:
                turn, since = (since if _few_arrive(position) else None), None
            if attack is None and turn is not None and any(o.verb == "target" for o in position.legal):
                attack = len(orders)
            last = side
            order = players[side].choose(position.view(side), rng)
        orders.append(order)
        position = position.play(order)
    return Prepared(game_id, dict(position.options), position.scenario, tuple(orders), turn, attack)
