"""Games played with everything remembered and with nothing, for the tests of what is remembered."""

import random

from ladoga.kernel.position import CHANCE, going_on


def without(monkeypatch, position, **kept):
    """From now on a copy of a position knows no plan, and of other fields what is said here."""
    copied = position._copy

    def copy(self):
        new = copied(self)
        for name, value in {"_planned": None, **kept}.items():
            setattr(new, name, value)
        return new

    monkeypatch.setattr(position, "_copy", copy)


def told(game, seed, wrong, *, full=False, most=10_000, options=None):
    """A random game: digests, lists and what is said of some refused orders."""
    rng, position, found = random.Random(seed), game.start(options=options), []
    for number in range(most):
        if position.to_move is None:
            break
        orders = list(position.legal) if full and position.to_move != CHANCE else []
        order = going_on(rng.choice(orders), orders.__iter__, rng) if orders else position.legal.random(rng)
        if number % 25 == 0:
            refused = [position.why_not(text) for text in wrong]
            found.append((position.digest(), orders, refused))
        position = position.play(order)
    return [*found, position.digest()]
