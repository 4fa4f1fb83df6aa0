"""Grids of every stance and numbering: neighbours are those that touch, shifts and distances agree."""

import math

import pytest

from ladoga.hexes import DIRECTIONS, NOWHERE, Board, Grid, mask_of, members, opposite


@pytest.mark.parametrize("shape", ["flat", "pointy"])
@pytest.mark.parametrize("shoved", ["even", "odd"])
@pytest.mark.parametrize("columns_from", ["west", "east"])
@pytest.mark.parametrize("order", ["ccrr", "rrcc"])
def test_neighbours_are_the_hexes_that_touch(shape, shoved, columns_from, order):
    main = Board(
        "main", columns=(1, 9), rows=(1, 7), shape=shape, shoved=shoved, columns_from=columns_from, order=order
    )
    inset = Board("inset", columns=(1, 4), rows=(1, 5), shape=shape, shoved=shoved, prefix="i")
    grid = Grid([main, inset])
    for number in grid.numbers:
        h = grid.hex(number)
        assert grid.number(h) == number
        board = grid.masks[grid.board(h).name]
        touching = {m for m in members(board) if 0.5 < math.dist(grid.centre(m), grid.centre(h)) < 1.01}
        assert set(grid.neighbours(h)) - {NOWHERE} == touching
        assert grid.ring(1 << h) == mask_of(touching)
        for d in DIRECTIONS:
            beyond = grid.neighbours(h)[d]
            assert grid.shift(1 << h, d) == (0 if beyond == NOWHERE else 1 << beyond)
            if beyond != NOWHERE:
                assert grid.neighbours(beyond)[opposite(d)] == h
                assert grid.direction(h, beyond) == d
                middle = [(a + b) / 2 for a, b in zip(grid.centre(h), grid.centre(beyond), strict=True)]
                one, two = grid.corners(h)[d], grid.corners(h)[(d + 1) % 6]
                assert math.dist(middle, [(a + b) / 2 for a, b in zip(one, two, strict=True)]) < 1e-9


def test_distance_is_the_number_of_rings():
    grid = Grid([Board("main", columns=(1, 12), rows=(1, 12))])
    start = grid.hex("0607")
    reached = 1 << start
    for distance in range(1, 6):
        ring = grid.within(reached, 1) & ~reached
        assert {grid.distance(start, h) for h in members(ring)} == {distance}
        reached |= ring


def test_a_number_may_stand_for_one_hex_only():
    with pytest.raises(ValueError, match="two hexes"):
        Grid([Board("a", columns=(1, 2), rows=(1, 2)), Board("b", columns=(1, 2), rows=(1, 2))])
