"""Positions for the tests of Tijvin 1941: open fields with just what a rule needs."""

import pytest

import ladoga


@pytest.fixture(scope="session")
def game():
    return ladoga.load("tijvin-1941")


@pytest.fixture
def situation(game):
    """A position on a blank field: ``situation(turn=3, units={...}, ...)``."""

    def make(**keys):
        keys.setdefault("turn", 3)
        keys.setdefault("phase", "german-movement")
        given = dict(keys.pop("map", {}))
        given.setdefault("blank", [12, 12])
        return game.position({"game": "tijvin-1941", "map": given, **keys})

    return make


def german(hex_number, cf=6, kind="infantry", efficiency=2, **more):
    """A made-up German unit."""
    return {"side": "german", "type": kind, "cf": cf, "efficiency": efficiency, "hex": hex_number, **more}


def soviet(hex_number, cf=6, kind="infantry", efficiency=1, **more):
    """A made-up Soviet unit."""
    return {"side": "soviet", "type": kind, "cf": cf, "efficiency": efficiency, "hex": hex_number, **more}


@pytest.fixture
def g():
    return german


@pytest.fixture
def s():
    return soviet


@pytest.fixture
def play():
    """Play orders (and dice, as numbers) one after the other."""

    def run(position, *orders):
        for order in orders:
            position = position.play(f"die {order}" if isinstance(order, int) else order)
        return position

    return run


@pytest.fixture
def refused():
    """The case that refuses an order."""

    def case(position, order):
        refusal = position.why_not(order)
        assert refusal is not None, f"{order} is legal"
        assert order not in position.legal
        with pytest.raises(ladoga.Illegal):
            position.play(order)
        return refusal.case

    return case


@pytest.fixture
def cf():
    """Factors of a unit."""

    def factors(position, name):
        return position.cf[position.roster.index[name]]

    return factors


@pytest.fixture
def at():
    """The hex number of a unit or headquarters, or nothing."""

    def where(position, name):
        roster = position.roster
        h = position.hq_hex[roster.hq_index[name]] if name in roster.hq_index else position.hexes[roster.index[name]]
        return position.ground.grid.number(h) if h >= 0 else ""

    return where


@pytest.fixture
def finish():
    """End an activation without doing anything more."""

    def run(position):
        while position.phase.id.endswith(("-movement", "-combat")):
            position = position.play("end")
        return position

    return run
