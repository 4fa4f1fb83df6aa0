"""Floods against a plain search that visits hex by hex."""

import heapq
import itertools
import random

import pytest

from ladoga.hexes import NOWHERE, Board, Grid, members
from ladoga.kernel.flood import Costs, Leave, connected, flood, spread, zone

GRID = Grid([Board("main", columns=(1, 14), rows=(1, 11))])


def plain_search(price, start, budget, barred, stops, leave):
    best = {start: 0}
    queue = [(0, start)]
    while queue:
        cost, h = heapq.heappop(queue)
        if cost > best[h]:
            continue
        sticky = leave is not None and leave.hexes >> h & 1
        if stops >> h & 1 and h != start and not sticky:
            continue
        for b in GRID.neighbours(h):
            step = price(h, b) if b != NOWHERE else None
            if step is None or barred >> b & 1 or (sticky and not leave.into >> b & 1):
                continue
            total = cost + step + (leave.cost if sticky else 0)
            if total <= budget and total < best.get(b, budget + 1):
                best[b] = total
                heapq.heappush(queue, (total, b))
    return best


@pytest.mark.parametrize("seed", range(25))
def test_flood_agrees_with_a_plain_search(seed):
    rng = random.Random(seed)
    hexes = list(members(GRID.all))
    table = {(a, b): rng.choice((1, 2, 2, 3, 4, None)) for a in hexes for b in GRID.neighbours(a) if b != NOWHERE}

    def price(a, b):
        return table[a, b]

    costs = Costs(GRID, price)
    start = rng.choice(hexes)
    barred = sum(1 << h for h in rng.sample(hexes, 25) if h != start)
    stops = sum(1 << h for h in rng.sample(hexes, 30))
    leave = Leave(stops & sum(1 << h for h in rng.sample(hexes, 60)), 3, ~stops) if seed % 2 else None
    found = flood(costs, 1 << start, 14, barred=barred, stops=stops, leave=leave)
    expected = plain_search(price, start, 14, barred, stops, leave)
    assert {h: found.cost(h) for h in members(found.reached)} == expected
    for h in expected:
        path = found.path(h)
        assert path[0] == start
        assert path[-1] == h
        total = 0
        for a, b in itertools.pairwise(path):
            total += table[a, b] + (leave.cost if leave and leave.hexes >> a & 1 else 0)
        assert total == expected[h]
    back = costs.reversed()
    for (a, b), cost in table.items():
        assert costs.price(a, b) == cost
        assert back.price(b, a) == cost


def test_multiplied_and_added_costs():
    costs = Costs(GRID, lambda *_: 2)
    a, b = GRID.hex("0404"), GRID.hex("0405")
    assert costs.multiplied([(1 << b, 4)]).price(a, b) == 8
    assert costs.added(1 << b, 3).price(a, b) == 5
    assert costs.added(1 << b, 3).price(b, a) == 2


def test_opening_replaces_the_first_step():
    costs = Costs(GRID, lambda *_: 1)
    start, first = GRID.hex("0404"), GRID.hex("0405")
    found = flood(costs, 1 << start, 4, opening=((3, 1 << first),))
    assert found.cost(first) == 3
    assert found.cost(GRID.hex("0406")) == 4
    assert found.cost(GRID.hex("0403")) is None
    assert found.path(GRID.hex("0406")) == [start, first, GRID.hex("0406")]


def test_zones_and_nets():
    h = GRID.hex("0404")
    open_sides = [GRID.all] * 6
    assert zone(GRID, 1 << h, open_sides) == GRID.ring(1 << h)
    closed = [GRID.all & ~(1 << h) if d == 0 else GRID.all for d in range(6)]
    assert zone(GRID, 1 << h, closed).bit_count() == 5
    road = [0] * 6
    for a, b in (("0404", "0405"), ("0405", "0406"), ("0406", "0407")):
        x, y = GRID.hex(a), GRID.hex(b)
        road[GRID.direction(x, y)] |= 1 << x
        road[GRID.direction(y, x)] |= 1 << y
    everywhere = connected(GRID, 1 << h, road, GRID.all)
    assert {GRID.number(x) for x in members(everywhere)} == {"0404", "0405", "0406", "0407"}
    cut = connected(GRID, 1 << h, road, GRID.all & ~(1 << GRID.hex("0406")))
    assert {GRID.number(x) for x in members(cut)} == {"0404", "0405"}
    assert connected(GRID, 1 << h, road, GRID.all & ~(1 << h)) == 0
    assert spread(GRID, 1 << h, GRID.all) == GRID.all
