"""How many clicks a whole player-turn takes."""

from itertools import groupby

import pytest

from ladoga import load
from ladoga.kernel.chance import Dice
from ladoga.kernel.record import Header, Record

from .clicks import Clicks
from .prepared import SEED
from .turn_one import SET_UP, TURN

GAME = "leningrad-1979"
BEFORE = 171
"""What the same turn took before a stack could be added, an advance ordered for all, or a payment made with one click:
counted by the same hand, with the gestures there were then."""


@pytest.fixture
def page(visitor):
    return visitor(bare=True)


def test_the_first_turn_of_1979_takes_half_the_clicks(player, capsys, record_property):
    game = load(GAME)
    header = Header(game=GAME, engine="test", scenario="campaign", commitment=Dice(SEED).commitment, seed=SEED.hex())
    player.open(Record(header, [game.parse(text) for text in SET_UP]).text())
    hand = Clicks(player)
    told = [line.partition(" ") for line in TURN.split("\n") if line]
    orders = [(side, game.parse(text)) for side, _, text in told]
    groups = groupby(orders, key=lambda o: (o[0], o[1].verb if o[1].verb in ("add", "advance") else id(o)))
    for (side, _), group in groups:
        group = [order for _, order in group]
        if side == "german":
            hand.play(group)
        else:
            for order in group:
                player.order(str(order))
    assert player.page.locator(".table").get_attribute("data-phase") == "soviet-movement"
    record_property("clicks", hand.count)
    with capsys.disabled():
        print(f"\nclicks in the first German turn: {hand.count}, before {BEFORE}: {hand.by}")
    assert hand.count <= BEFORE // 2
