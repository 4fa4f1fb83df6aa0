"""How the general plans activations of Tijvin 1941."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ladoga
from ladoga.games.tijvin.position import TijvinPosition
from ladoga.hexes import Hex
from ladoga.kernel.position import Position
from ladoga.players.tijvin.marches import Campaign
from ladoga.players.tijvin.officer import DOCTRINE, Officer
from ladoga.players.tijvin.pockets import Ring, cut_off
from ladoga.players.tijvin.reading import Reading
from ladoga.players.tijvin.seats import seat_worth
from ladoga.players.tuning import tuning

GAME = ladoga.load("tijvin-1941")


def situation(**keys: Any) -> TijvinPosition:
    keys.setdefault("turn", 3)
    given = {"game": "tijvin-1941", "map": {"blank": [14, 12], **keys.pop("map", {})}, **keys}
    position = GAME.position(given)
    assert isinstance(position, TijvinPosition)
    return position


def unit(side: str, hex_number: str, cf: int, kind: str = "infantry", efficiency: int = 1) -> dict[str, Any]:
    return {"side": side, "type": kind, "cf": cf, "efficiency": efficiency, "hex": hex_number}


def reading(p: TijvinPosition, side: str) -> Reading:
    return Reading(p, side, DOCTRINE.style(p, side, tuning("tijvin-1941").side(side)), {})


def at(p: TijvinPosition, number: str) -> Hex:
    return p.ground.grid.hex(number)


@pytest.mark.case("tijvin-1941", "5")
@pytest.mark.case("tijvin-1941", "10")
def test_a_pocket_is_a_set_of_hexes() -> None:
    """Neither stack alone cuts off what stands on the west edge; both together do."""
    units = {"r": unit("soviet", "0106", 8), "a": unit("german", "0301", 8), "b": unit("german", "0303", 8)}
    p = situation(phase="german-movement", units=units, hqs={"39-AK": {"hex": "0405"}}, control="all")
    lie = reading(p, "german")
    closed = dict.fromkeys(members_around(p, "0106"), 8)
    assert cut_off(lie, closed) == pytest.approx(8 * lie.worth(p.roster.index["r"]))
    assert cut_off(lie, {}) == 0.0
    bodies = sum(1 << h for h in closed)
    pocket = Ring(lie, bodies, 0, 0).best()
    assert pocket is not None
    assert pocket.worth == pytest.approx(8 * lie.worth(p.roster.index["r"]))
    assert all(cut_off(lie, dict.fromkeys(pocket.hexes - {h}, 8)) < pocket.worth for h in pocket.hexes)


def members_around(p: TijvinPosition, number: str) -> list[Hex]:
    grid = p.ground.grid
    ring = grid.ring(1 << at(p, number))
    return [h for h in range(ring.bit_length()) if ring >> h & 1]


@pytest.mark.case("tijvin-1941", "11")
def test_threats_come_from_one_headquarters_at_a_time() -> None:
    """Twelve factors under one headquarters are more to be feared than six under each of two."""
    own = {"a": unit("german", "0505", 8, efficiency=2)}
    hqs = {"39-AK": {"hex": "0505"}, "54-Army": {"hex": "0805"}, "4-Army": {"hex": "0806"}}
    together = {**own, "r": {**unit("soviet", "0705", 6), "hq": "54-Army"}, "s": {**unit("soviet", "0704", 6),
                "hq": "54-Army"}}  # fmt: skip
    apart = {**together, "s": {**unit("soviet", "0704", 6), "hq": "4-Army"}}
    both, one = (
        reading(situation(phase="german-movement", units=units, hqs=hqs, control="all"), "german")
        for units in (together, apart)
    )
    h = at(both.p, "0505")
    assert both.threat(h)[0] == pytest.approx(12.0)
    assert 6.0 < one.threat(h)[0] < 12.0


@pytest.mark.case("tijvin-1941", "11.H")
def test_a_headquarters_keeps_company() -> None:
    units = {"a": unit("german", "0505", 8, efficiency=2), "r": unit("soviet", "0805", 8)}
    p = situation(phase="german-movement", units=units, hqs={"39-AK": {"hex": "0405"}}, control="all")
    lie, q = reading(p, "german"), p.roster.hq_index["39-AK"]
    assert seat_worth(lie, q, at(p, "0505")) > seat_worth(lie, q, at(p, "0605")) + 5.0


@pytest.mark.case("tijvin-1941", "14")
def test_a_city_in_reach_is_not_left_empty() -> None:
    """The only garrison stays although there is an enemy to strike."""
    given = {"places": {"0505": ["major-city"]}}
    units = {
        "a": unit("german", "0505", 5, efficiency=2), "r": unit("soviet", "0805", 9, "tank"),
        "s": unit("soviet", "0503", 1),
    }  # fmt: skip
    p = situation(phase="german-movement", units=units, hqs={"39-AK": {"hex": "0404"}}, control="all", map=given)
    plan = Campaign(reading(p, "german")).plan()
    assert plan.where[p.roster.index["a"]] == at(p, "0505")


def test_an_officer_repeats_himself() -> None:
    first, second = (_opening(Officer(nodes=20)) for _ in range(2))
    assert first == second
    assert any(order.startswith("activate") for order in first)


def _opening(general: Officer, orders: int = 40) -> list[str]:
    position: Position = GAME.start()
    rng, given = random.Random(3), list[str]()
    other = Officer()
    while len(given) < orders:
        mover = position.to_move
        assert mover is not None
        if mover == "chance":
            order = position.legal.random(rng)
        elif mover == "german":
            order = general.choose(position.view(mover), rng)
            assert general.reason
        else:
            order = other.choose(position.view(mover), rng)
        given.append(str(order))
        position = position.play(order)
    return given


@pytest.mark.parametrize(
    ("scenario", "options"), [("german-offensive", {}), ("german-offensive", {"fog-of-war": True, "minimum-hq": True})],
    ids=["plain", "options"],
)  # fmt: skip
def test_officers_play_to_the_end(scenario: str, options: dict[str, bool]) -> None:
    position: Position = GAME.start(scenario, options)
    seats = {"german": Officer(), "soviet": Officer()}
    dice = random.Random(7)
    while position.to_move is not None:
        mover = position.to_move
        order = position.legal.random(dice) if mover == "chance" else seats[mover].choose(position.view(mover), dice)
        position = position.play(order)
    assert position.turn == GAME.scenarios[scenario].turns
