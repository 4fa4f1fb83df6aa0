"""A computer player in thirty lines: of a few orders drawn at random it gives the one that leads closest to the enemy.

ladoga tournament leningrad-1979 --players examples/bot.py:Hussar,random --games 2
"""

import random

from ladoga import Order, View
from ladoga.players import Player


class Hussar(Player):
    """Rides at the enemy."""

    name = "hussar"

    def choose(self, view: View, rng: random.Random) -> Order:
        """The boldest of twelve orders drawn at random."""
        drawn = [view.legal.random(rng) for _ in range(12)]
        best = min(drawn, key=lambda order: self.distance(view, order))
        self.reason = f"of twelve orders {best} leads closest to the enemy"
        return best

    def distance(self, view: View, order: Order) -> int:
        """How far from the enemy an order ends; far from everything if it names no hex."""
        grid = view.map.grid
        enemies = [c.hex for c in view.table().counters if c.hex in grid and c.side != view.to_move]
        if not order.hexes or not enemies:
            return 99
        there = grid.hex(order.hexes[-1])
        return min(grid.distance(there, grid.hex(number)) for number in enemies)
