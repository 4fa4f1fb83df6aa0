"""Sparring partners: each has an idea for every game, and plays it."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ladoga
from ladoga import players
from ladoga.games.assault.position import AssaultPosition
from ladoga.kernel.position import Position
from ladoga.players.doctrines.assault_staff.soviet import Soviet
from ladoga.players.doctrines.leningrad import LeningradFront
from ladoga.players.partners import PARTNERS, Partner
from ladoga.players.situation import Situation


def test_partners_are_made_by_name_but_not_offered_to_people() -> None:
    assert list(PARTNERS) == ["raider", "rusher", "hedgehog"]
    assert not set(PARTNERS) & set(players.names())
    assert all(players.make(name).name == name for name in PARTNERS)


@pytest.mark.parametrize("name", PARTNERS)
def test_every_partner_has_an_idea_for_every_game_and_side(name: str) -> None:
    partner = players.make(name)
    assert isinstance(partner, Partner)
    assert {game: set(sides) for game, sides in partner.idea.items()} == {
        game: set(ladoga.load(game).sides) for game in ladoga.game_ids()
    }


@pytest.mark.parametrize("name", PARTNERS)
@pytest.mark.parametrize("game_id", ladoga.game_ids())
def test_partners_play_in_the_temper_of_their_idea(game_id: str, name: str) -> None:
    """Legal orders only, and not those of a staff without a temper."""
    position: Position = ladoga.load(game_id).start()
    seats = {side: players.make(name) for side in position.game.sides}
    dice = random.Random(2)
    for _ in range(40):
        mover = position.to_move
        assert mover is not None
        order = position.legal.random(dice) if mover == "chance" else seats[mover].choose(position.view(mover), dice)
        position = position.play(order)
    for side, seat in seats.items():
        assert isinstance(seat, Partner)
        assert seat.bias in ({}, seat.idea[game_id][side])
    assert any(seat.bias for seat in seats.values() if isinstance(seat, Partner))


def test_with_time_a_partner_thinks_how_to_play_its_idea() -> None:
    """Whatever way it takes, the words of the idea stand."""
    position: Position = ladoga.load("leningrad-1979").start()
    while position.phase.id != "german-movement":
        position = position.play(position.legal.random(random.Random(1)))
    partner = players.make("raider", think=0.3)
    assert isinstance(partner, Partner)
    partner.choose(position.view("german"), random.Random(1))
    assert partner.idea["leningrad-1979"]["german"].items() <= partner.bias.items()
    assert partner.choice.startswith("plays the raider: ")


def test_a_raider_would_stand_across_the_road() -> None:
    """Of two hexes the one whose zone cuts the panzers off from East Prussia is worth something to him."""
    units: dict[str, Any] = {u: {"hex": "2009"} for u in ("8/56", "3/56")}
    units["x1"] = {"side": "soviet", "type": "infantry", "attack": 4, "defence": 3, "movement": 5, "hex": "2305"}
    at = ladoga.load("leningrad-1979").position(
        {"game": "leningrad-1979", "turn": 5, "phase": "soviet-movement", "units": units}
    )
    raider = LeningradFront(Situation(at, "soviet"), {"cut": 1.0})
    worth = {h: raider.raid(h) for h in raider.situation.grid.members(raider.lay.land)}
    assert max(worth.values()) > 1.0
    assert worth[raider.situation.grid.hex("2604")] == 0.0
    assert not any(LeningradFront(Situation(at, "soviet")).raid(h) for h in worth)


def test_a_headquarters_is_worth_more_to_a_hunter() -> None:
    units = {"HQ41": {"hex": "1025"}, "1TD": {"hex": "0821"}}
    at = ladoga.load("assault-leningrad").position(
        {"game": "assault-leningrad", "turn": 4, "phase": "soviet-movement", "units": units}
    )
    assert isinstance(at, AssaultPosition)
    enemy, own = at.index["HQ41"], at.index["1TD"]
    plain, hunter = Soviet(at), Soviet(at, {"hunt": 3.0})
    assert hunter.price(enemy) == pytest.approx(3 * plain.price(enemy))
    assert hunter.price(own) == plain.price(own)


def test_a_lone_headquarters_of_tijvin_is_walked_in_on() -> None:
    """Nobody can attack it; a unit that enters its hex drives it off the map (11)."""
    units = {"a": {"side": "german", "type": "infantry", "cf": 8, "efficiency": 2, "hex": "0505"}}
    at = ladoga.load("tijvin-1941").position(
        {"game": "tijvin-1941", "map": {"blank": [14, 12]}, "turn": 3, "phase": "german-movement", "units": units,
         "hqs": {"39-AK": {"hex": "0405"}, "4-Army": {"hex": "0605"}}, "control": "all"}
    )  # fmt: skip
    order = players.make("staff").choose(at.view("german"), random.Random(1))
    assert str(order) == "move a 0605"
