"""Case 16.4: two bids written unseen, the higher takes the Germans, and the seats follow."""

import random
import sys
from fractions import Fraction

import pytest

import ladoga
from ladoga.kernel.orders import Order
from ladoga.kernel.record import Header, Record
from ladoga.lab import Match
from ladoga.lab.simulate import play_match
from ladoga.players import Player, make

GAME = ladoga.load("leningrad-2010")
SEATED = {"german": "german", "soviet": "soviet"}
SWAPPED = {"german": "soviet", "soviet": "german"}
case = pytest.mark.case("leningrad-2010", "16.4")


def start():
    return GAME.start(options={"bid": "secret"})


def settled(german, soviet, *lot):
    return start().scripted(lot).play(f"bid {german}").play(f"bid {soviet}")


@case
@pytest.mark.parametrize(
    ("bids", "lot", "price", "seats"),
    [
        ((12, 7), (), 12, SEATED),
        ((7, 12), (), 12, SWAPPED),
        ((0, 1), (), 1, SWAPPED),
        ((5, 5), ("german",), 5, SEATED),
        ((5, 5), ("soviet",), 5, SWAPPED),
        ((0, 0), ("soviet",), 0, SWAPPED),
    ],
)
def test_the_higher_bid_plays_the_germans_and_pays_at_the_end(bids, lot, price, seats):
    position = settled(*bids, *lot)
    assert (position.phase.id, position.to_move) == ("soviet-set-up", "soviet")
    assert dict(position.seats) == seats
    assert position.standing.margin == -price
    assert not position.sides_open
    assert position.options["bid"] == price
    assert position.events[-1].case == "16.4"
    assert ("change seats" in position.events[-1].text) == (seats == SWAPPED)


@case
def test_a_won_bid_is_the_game_agreed_on_beforehand():
    assert settled(9, 3) == GAME.start(options={"bid": 9})
    other = settled(3, 9)
    assert other != GAME.start(options={"bid": 9})
    assert {**other.document(), "swapped": None} == {**GAME.start(options={"bid": 9}).document(), "swapped": None}


@case
def test_equal_bids_wait_for_an_even_lot():
    position = start().play("bid 8").play("bid 8")
    assert position.to_move == "chance"
    assert [(str(order), p) for order, p in position.chance.outcomes] == [
        ("lot german", Fraction(1, 2)), ("lot soviet", Fraction(1, 2)),
    ]  # fmt: skip
    assert position.chance.case == "16.4"


@case
@pytest.mark.parametrize("order", ["bid 71", "bid -1", "bid 07", "bid 2.5", "bid x", "bid ²", "end", "place 11 0111"])
def test_bids_are_whole_points_up_to_all_there_are(order):
    for position in (start(), start().play("bid 0")):
        refusal = position.why_not(order)
        assert refusal is not None
        assert refusal.case == ("16.4" if order.startswith("bid") else "3.0")
    assert {str(order) for order in start().legal} == {f"bid {n}" for n in range(71)}
    assert ladoga.load("leningrad-2010").options["bid"].choices[-1] == 70, "a bid agreed on may be as high"


@case
def test_nobody_bids_once_the_game_is_set_up_nor_in_the_first_edition():
    assert "bid 3" not in GAME.start().legal
    assert "bid 3" not in settled(4, 2).legal
    with pytest.raises(ladoga.BadOrder, match="no order 'bid'"):
        ladoga.load("leningrad-1979").start().play("bid 3")


def told(view):
    """Everything a view can be asked."""
    return {
        "document": view.document(), "table": view.table(), "events": [e.text for e in view.events],
        "legal": [str(o) for o in view.legal], "standing": view.standing,
        "prompt": view.prompt, "phase": view.phase, "imagined": view.imagine(random.Random(3)).document(),
        "reach": view.to_move,
    }  # fmt: skip


@case
def test_the_first_bid_is_sealed_for_everybody_else():
    seen = [start().play(f"bid {bid}") for bid in (3, 44)]
    for side in ("soviet", "observer"):
        assert told(seen[0].view(side)) == told(seen[1].view(side))
        assert seen[0].view(side).document()["bids"] == ["sealed"]
    assert seen[0].view("german").document()["bids"] == [3]
    assert "German seat: bid 3" in seen[0].view("german").table().lines
    assert "German seat: a sealed bid" in seen[0].view("soviet").table().lines
    opened = seen[0].play("bid 2")
    for side in ("german", "soviet", "observer"):
        assert "The German seat bids 3, the Soviet seat 2" in [e.text for e in opened.view(side).events]


@case
def test_imagined_bids_vary_and_can_be_answered():
    view = start().play("bid 3").view("soviet")
    drawn = {view.imagine(random.Random(seed)).document()["bids"][0] for seed in range(40)}
    assert len(drawn) > 10
    assert view.imagine(random.Random(1)).play("bid 70").phase.id in ("soviet-set-up", "lot")


@case
def test_documents_hold_the_bids():
    for position in (start(), start().play("bid 7"), start().play("bid 7").play("bid 7"), settled(1, 2)):
        assert GAME.position(position.document()) == position
        assert GAME.position(position.document()).seats == position.seats


@case
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bids": []}, "bids: expected one bid"),
        ({"bids": [1, 1]}, "bids: expected one bid"),
        ({"bids": [71]}, r"bids\[0\]: expected 0 to 70"),
        ({"bids": ["sealed"]}, r"bids\[...\]|bids"),
        ({"phase": "german-bid"}, "bids: expected no bid"),
        ({"phase": "lot", "bids": [1, 2]}, "bids: expected two equal bids"),
        ({"swapped": True}, "swapped: seats change only"),
        ({"options": {"bid": 4}}, "options.bid: a secret bid belongs"),
        ({"phase": "soviet-set-up", "bids": []}, "options.bid: a secret bid belongs"),
    ],
)
def test_documents_that_no_bidding_comes_to_are_refused(change, message):
    with pytest.raises(ladoga.BadDocument, match=message):
        GAME.position({**start().play("bid 7").document(), **change})


@case
def test_records_replay_with_the_bids_in_them():
    record = Record(Header("leningrad-2010", "1", "campaign", {"bid": "secret"}))
    position = start()
    for text in ("bid 4", "bid 4", "lot soviet"):
        order = GAME.parse(text)
        record.add(position, order)
        position = position.play(order)
    again = Record.parse(record.text())
    assert again.last() == position
    assert again.last().seats == SWAPPED


@case
@pytest.mark.parametrize("name", ["random", "greedy", "staff"])
def test_the_computer_does_not_give_the_game_away(name):
    rng = random.Random(1)
    first = start()
    bids = [int(make(name).choose(first.view("german"), rng).words[0]) for _ in range(40)]
    assert sum(bids) / len(bids) < (20 if name == "random" else 8)
    assert len(set(bids)) > 3


class Told(Player):
    """Plays at random, bids as told, and notes which side it was asked for."""

    name = "told"

    def __init__(self, bid):
        self.bid, self.asked = bid, []

    def choose(self, view, rng):
        if view.phase.id.endswith("bid"):
            return Order("bid", words=(str(self.bid),))
        self.asked.append(view.side)
        return view.legal.random(rng)


@case
@pytest.mark.parametrize(("bids", "sides"), [((9, 2), ["german", "soviet"]), ((2, 9), ["soviet", "german"])])
def test_players_follow_their_seats(monkeypatch, bids, sides):
    players = dict(zip(("a", "b"), map(Told, bids), strict=True))
    monkeypatch.setattr(sys.modules[play_match.__module__], "make", lambda name, **_: players[name])
    match = Match("leningrad-2010", {"german": "a", "soviet": "b"}, 5, options={"bid": "secret"})
    game = play_match(match, 0, keep_record=True)
    assert not game.error
    assert [set(player.asked) for player in players.values()] == [{side} for side in sides]
    record = Record.parse(game.record)
    assert record.header.options["bid"] == "secret"
    record.check()
    assert ("soviet", 9) in [(e.side, e.points) for e in record.last().standing.ledger]


@case
def test_environments_with_fixed_sides_take_no_bidding():
    from ladoga.adapters.steps import Rules

    with pytest.raises(ladoga.LadogaError, match="give the winning bid as an option"):
        Rules("leningrad-2010", options={"bid": "secret"})
