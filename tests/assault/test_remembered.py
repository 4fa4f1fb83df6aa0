"""What positions remember from one order to the next is what a fresh reading of them gives."""

from __future__ import annotations

import random

import pytest

from ladoga.games.assault.movement import standstill
from ladoga.games.assault.reach import Reach

from .conftest import german, situation, soviet


def lively(pos, rng):
    """A random order, attacks and air raids before the end of a phase."""
    if pos.pending is None and "combat" in pos.phase.id:
        targets = [order for order in pos.legal if order.verb in ("target", "support")]
        if targets and rng.random() < 0.8:
            return rng.choice(targets)
    return pos.legal.random(rng)


def whole_list(pos, rng):
    """Any of all the legal orders, the end of a phase now and then."""
    orders = list(pos.legal)
    others = [order for order in orders if order.verb != "end"]
    return rng.choice(others if others and rng.random() < 0.93 else orders)


@pytest.mark.parametrize("choose", [lively, whole_list])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_position_read_back_knows_the_same(game, seed, choose):
    rng = random.Random(seed)
    pos = game.start(options={key: rng.choice(option.choices) for key, option in game.options.items()})
    for number in range(500):
        if pos.to_move is None:
            break
        if number % 9 == 0 or (pos.pending is not None and number % 3 == 0):
            agree(pos, game.position(pos.document()), rng)
        pos = pos.play(choose(pos, rng) if pos.chance is None else pos.legal.random(rng))


def agree(pos, fresh, rng):
    if pos.chance is None:
        assert list(map(str, fresh.legal)) == list(map(str, pos.legal))
    for side in pos.game.sides:
        assert fresh.zoc(side) == pos.zoc(side)
        assert fresh.rigid_zone(side) == pos.rigid_zone(side)
    for unit in rng.sample(list(pos.index), 12):
        assert dict(fresh.reach(unit)) == dict(pos.reach(unit))
        order = f"move {unit} {rng.choice(list(pos.map.grid.numbers))}"
        assert fresh.why_not(order) == pos.why_not(order)
        assert fresh.supply(unit).as_json() == pos.supply(unit).as_json()


@pytest.mark.case("assault-stalingrad", "8.34")
def test_the_way_does_not_depend_on_who_was_in_it_before(stalingrad):
    """When the friend in M5 has gone, M6 is reached on foot at the price for which it was reached by transfer: the way
    onto the main map is then the one that a unit takes which never met him."""
    units = {"x": soviet("L3"), "leaver": soviet("M5", movement=12), "stays": soviet("L5")}
    pos = situation(stalingrad, "soviet-movement", units, map=None)
    assert list(pos.legal)
    pos = pos.play("move leaver 1804")
    assert dict(pos.reach("x")) == dict(stalingrad.position(pos.document()).reach("x"))
    assert pos.reach("x")["1307"].path == ("L3", "L4", "M5", "M6", "1406", "1307")


# The flood against a plain search -----------------------------------------------------------------


def searched(mover):
    """The cheapest price of every hex by the price of single steps alone: a state is a hex and what lies behind it."""
    start = (mover.start, mover.behind)
    prices, queue = {start: 0}, [start]
    for here, behind in queue:
        spent = prices[here, behind]
        ways = [(b, 1 << b, mover.step_price(here, b, behind)) for b in mover.ways.prices[here]]
        if mover.goes_on(here):
            linked = mover.ground.doors.get(here, ())
            ways += [(b, behind | 1 << b, 0) for b in linked if not mover.shut >> b & 1]
        for b, then, price in ways:
            if price is None or spent + price > mover.budget or spent + price >= prices.get((b, then), 999):
                continue
            prices[b, then] = spent + price
            queue.append((b, then))
    found = {}
    for (h, _), price in prices.items():
        found[h] = min(price, found.get(h, 999))
    del found[mover.start]
    return found


@pytest.mark.parametrize("seed", [3])
def test_the_flood_finds_the_cheapest_ways(game, seed):
    rng = random.Random(seed)
    pos = game.start()
    looked = 0
    for _ in range(500):
        if pos.to_move is None:
            break
        if "movement" in pos.phase.id and pos.pending is None and rng.random() < 0.5:
            units = [i for i in range(len(pos.roster)) if pos.placed >> i & 1 and pos.roster[i].side == pos.side]
            for index in rng.sample(units, min(3, len(units))):
                looked += standstill(pos, index) is None and same_as_searched(pos, index)
        pos = pos.play(pos.legal.random(rng))
    assert looked > 60


def same_as_searched(pos, index) -> bool:
    reach = Reach(pos.lore[pos.side].reaches[index].mover) if pos.reach(pos.roster[index].id) else None
    if reach is None or reach.mover.only_one:
        return False
    prices = searched(reach.mover)
    assert {h for h in prices if reach.hexes >> h & 1} == set(prices)
    for number, reached in pos.reach(pos.roster[index].id).items():
        h = pos.ground.grid.hex(number)
        if h in prices:
            assert reached.cost * 6 == prices[h]
            assert pos.why_not(f"move {pos.roster[index].id} {'-'.join(reached.path)}") is None
        else:
            assert reach.single >> h & 1
    return True


@pytest.mark.case("assault-leningrad", "9.4", "8.34")
def test_a_fringe_hex_reached_on_foot_is_left_more_cheaply_than_one_a_zone_clings_to(leningrad):
    """A German in 0420, in the fluid zone of a Soviet unit, has his two ways to the hexes beyond the fringe shown at
    the price that is paid: out of the zone on the main map or from the inset, whichever is cheaper."""
    units = {"g": german("0420", "4-B", movement=8), "s": soviet("0520", "4-B"), "k": soviet("C3", "1-C")}
    pos = situation(leningrad, "german-movement", units, map=None)
    mover = pos.reach("g") and pos.lore[0].reaches[pos.index["g"]].mover
    prices = searched(mover)
    for number, reached in pos.reach("g").items():
        h = pos.ground.grid.hex(number)
        assert reached.cost * 6 == prices.get(h, mover.budget)
