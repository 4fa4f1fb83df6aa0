"""How many clicks a whole player-turn takes."""

from itertools import groupby

import pytest

from ladoga.kernel.position import CHANCE

from .clicks import Clicks
from .prepared import prepared

GAME = "leningrad-1979"


@pytest.fixture
def page(visitor):
    return visitor(bare=True)


def german_turn(start):
    """Where the first German player-turn begins in the record, and its orders with their movers."""
    movers, phases = [], []
    for position in start.positions():
        movers.append(position.to_move)
        phases.append((position.turn, position.phase.id))
    begin = next(n for n, phase in enumerate(phases) if phase == (1, "german-movement"))
    end = next(n for n in range(begin, len(phases)) if phases[n][1] not in ("german-movement", "german-combat"))
    return begin, [(movers[n], start.orders[n]) for n in range(begin, end) if movers[n] != CHANCE]


def test_a_player_turn_takes_no_more_clicks_than_it_did(player):
    start = prepared(GAME)
    begin, orders = german_turn(start)
    player.open(start.record(begin))
    hand = Clicks(player)
    for (mover, joining), group in groupby(orders, key=lambda o: (o[0], o[1].verb == "add")):
        if mover == "german" and joining:
            hand.join([order.units[0] for _, order in group])
            continue
        for _, order in group:
            if mover == "german":
                hand.play(order)
            else:
                player.order(str(order))
    assert hand.count <= 171
