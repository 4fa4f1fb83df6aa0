"""Case 16.4 of the second edition: both players write down a bid for the German side before they set up.

Until then the seats are only lent. The German seat writes first and the Soviet seat second, but neither is
shown the other's bid before both are written. The higher bid plays the Germans and is added to the Soviet
points at the end; equal bids are settled by lot. If the bid of the Soviet seat wins, the players change seats.
"""

from __future__ import annotations

import random as _random

from ...kernel.chance import Chance, uniform
from ...kernel.orders import Grammar, Order, Role, Verb
from ...kernel.position import Phase, forbid
from ...kernel.sequence import NOBODY
from .edition import GERMAN, SIDES, SOVIET, LeningradOptions
from .fight import Auction
from .orders import GRAMMAR
from .position import LeningradPosition

OPTION = "bid"
SECRET = "secret"  # noqa: S105  # a choice of the option, not a password
"""The choice of the option that lets the players bid; a number is a bid already agreed on."""

MOST = 70
"""The highest bid, written here or agreed on before: all the points that the Germans can have."""

SEALED = -1
"""A bid that whoever looks on may not know."""

PHASES = {
    ("bid", GERMAN): Phase("german-bid", "german", "18.4", "Bid of the German seat"),
    ("bid", SOVIET): Phase("soviet-bid", "soviet", "18.4", "Bid of the Soviet seat"),
    ("lot", NOBODY): Phase("lot", "", "18.4", "The lot between equal bids"),
}
VERBS = Grammar(
    [
        *GRAMMAR.verbs.values(),
        Verb(
            "bid", "word", "write down a bid for the German side, unseen by the other", Role.BID, said="Bid {word}|Bid"
        ),
        Verb("lot", "word", "the seat that the lot gives the Germans to", Role.CHANCE),
    ]
)


# Bids and the lot -----------------------------------------------------------------------------------


def bid_of(pos: LeningradPosition, order: Order) -> int:
    """Bids are whole numbers of points (18.4)."""
    word = order.words[0]
    forbid(not (word.isascii() and word.isdigit() and str(int(word)) == word and int(word) <= MOST), "18.4",
           "a bid is a whole number of points from 0 to {}, not {!r}", MOST, word)  # fmt: skip
    return int(word)


def some_bid(pos: LeningradPosition, rng: _random.Random) -> Order:
    """Some bid, more often a low one: nobody wins who gives everything away."""
    return Order("bid", words=(str(min(rng.randint(0, MOST) for _ in range(3))),))


def bid(pos: LeningradPosition, points: int) -> None:
    """A bid is written down, and both are opened when the second is (18.4)."""
    assert pos.auction is not None
    pos.tell("bid sealed", "18.4", "The {0} seat has written down a bid", SIDES[pos.mover].capitalize())
    pos.auction = Auction((*pos.auction.bids, points))
    pos.changed()
    if len(pos.auction.bids) == 1:
        pos.go("bid", SOVIET)
        return
    german, soviet = pos.auction.bids
    pos.tell("bids opened", "18.4", "The German seat bids {0}, the Soviet seat {1}", german, soviet)
    if german == soviet:
        pos.go("lot", NOBODY)
    else:
        award(pos, GERMAN if german > soviet else SOVIET)


def lot(pos: LeningradPosition) -> Chance:
    """Equal bids: either seat, evenly (18.4)."""
    return uniform("the lot", (Order("lot", words=(side,)) for side in SIDES), pos.game.edition.case("18.4"))


def award(pos: LeningradPosition, seat: int) -> None:
    """The Germans go to a seat at its bid, and the game is set up (18.4)."""
    assert pos.auction is not None
    bid = pos.auction.bids[seat]
    pos.options = LeningradOptions({**pos.options, OPTION: bid})
    pos.auction = Auction((), True) if seat == SOVIET else None
    seated = "the players change seats" if seat == SOVIET else "the players keep their seats"
    pos.tell("sides settled", "18.4", "The {0} seat plays the Germans for {1} points: {2}",
             SIDES[seat].capitalize(), bid, seated)  # fmt: skip
    pos.go("set-up", SOVIET)
    pos.changed()


# What a side may know -------------------------------------------------------------------------------


def seen_by(pos: LeningradPosition, side: str) -> LeningradPosition:
    """The position with a bid sealed that the side did not write."""
    if pos.auction is None or len(pos.auction.bids) != 1 or side == SIDES[GERMAN]:
        return pos
    seen = pos._copy()
    seen.events = pos.events
    seen.auction = Auction((SEALED,))
    return seen


def imagined(pos: LeningradPosition, _: str, rng: _random.Random) -> LeningradPosition:
    """The position with some bid in place of a sealed one."""
    if pos.auction is None or SEALED not in pos.auction.bids:
        return pos
    full = pos._copy()
    full.auction = Auction((int(some_bid(pos, rng).words[0]),))
    return full


def told(pos: LeningradPosition) -> list[str]:
    """The bids, for the table."""
    auction = pos.auction or Auction()
    seats = zip(SIDES, auction.bids, strict=False)
    bids = [f"{side.capitalize()} seat: {'a sealed bid' if bid == SEALED else f'bid {bid}'}" for side, bid in seats]
    return ["The players have changed seats"] if auction.swapped else bids
