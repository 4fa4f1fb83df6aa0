"""How the staff plays the two Assaults: exact odds, few losses, corps that stay in supply, guerrillas on the rails."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ladoga
from ladoga.games.assault import supply
from ladoga.games.assault.combat import penalties
from ladoga.games.assault.figures import GERMAN
from ladoga.games.assault.position import AssaultPosition
from ladoga.kernel.orders import END, Order
from ladoga.players import make
from ladoga.players.doctrine import doctrine_of
from ladoga.players.doctrines.assault_staff.bodies import bodies_of
from ladoga.players.doctrines.assault_staff.german import German, March
from ladoga.players.doctrines.assault_staff.odds import ALL, rolls
from ladoga.players.doctrines.assault_staff.soviet import Defence, Soviet

GAMES = ("assault-leningrad", "assault-stalingrad")


def at(game_id: str, phase: str, units: dict[str, Any], **more: Any) -> AssaultPosition:
    """A position on an open field, or on the printed map with ``map=None``; everybody is in supply."""
    listed = {name: {"supply": "in", **({"hex": e} if isinstance(e, str) else e)} for name, e in units.items()}
    document = {"game": game_id, "turn": 4, "phase": phase, "map": {"blank": [20, 20]}, "units": listed, **more}
    if document["map"] is None:
        del document["map"]
    found = ladoga.load(game_id).position(document)
    assert isinstance(found, AssaultPosition)
    return found


def unit(side: str, hex: str, face: str, type: str = "infantry", **more: Any) -> dict[str, Any]:
    return {"side": side, "type": type, "faces": face.split(), "movement": 6, "hex": hex, **more}


def ordered(position: AssaultPosition) -> Order:
    """What the staff orders in a position."""
    assert position.to_move in position.game.sides
    player = make("staff")
    order = player.choose(position.view(position.to_move), random.Random(0))
    assert position.why_not(order) is None
    assert player.reason
    return order


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize(("attackers", "defender"), [(1, "4-B"), (2, "4-B"), (3, "4-A"), (2, "9-C"), (3, "3-C")])
def test_odds_are_those_of_the_table(game_id: str, attackers: int, defender: str) -> None:
    """What the staff reckons with is what the rules would do."""
    hexes = ("0605", "0607", "0506")
    units = {f"g{n}": unit("german", h, "8-A 4-B") for n, h in zip(range(attackers), hexes, strict=False)}
    position = at(game_id, "german-combat", {**units, "r": unit("soviet", "0606", defender, "rifle")})
    near = [u for u in units if position.why_not(f"attack {u} 0606") is None]
    picture = German(position)
    explained = position.explain(f"attack {'+'.join(near)} 0606").results
    shift = position.game.tables.classes["A"][defender[-1]]
    found = {
        (r.attacker, r.defender): r.chance
        for r in rolls(position.game, 8.0 * len(near), picture.defence(picture.grid.hex("0606"), 0)[0], shift)
    }
    wanted: dict[tuple[int, int], float] = {}
    for result, chance in explained:
        key = (ALL, 0) if result == "AE" else (0, ALL) if result == "DE" else penalties(result)
        wanted[key] = wanted.get(key, 0.0) + float(chance)
    assert found == pytest.approx(wanted)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_good_attack_is_made_and_a_bad_one_is_not(game_id: str) -> None:
    """Two divisions strike a weak unit; a battalion leaves a division alone."""
    good = {"a": unit("german", "0606", "8-A 4-B"), "b": unit("german", "0607", "8-A 4-B")}
    target = {"r": unit("soviet", "0707", "4-B 2-C", "rifle")}
    able = at(game_id, "german-combat", {**good, **target})
    assert ordered(able).verb == "attack"
    assert (
        ordered(
            at(
                game_id,
                "german-combat",
                {"a": unit("german", "0606", "3-C"), "r": unit("soviet", "0707", "9-A 4-B", "rifle")},
            )
        )
        == END
    )


def test_an_attacker_falls_back_rather_than_lose_points() -> None:
    """A German step costs victory points, a hex does not (10.25, 17.23)."""
    position = at(
        "assault-leningrad", "german-combat",
        {"a": unit("german", "0606", "8-A 4-B"), "r": unit("soviet", "0707", "4-B 2-C", "rifle")},
    )  # fmt: skip
    hurt = position.play("attack a 0707").play("die 3")
    assert "the attacker takes 1" in "\n".join(event.text for event in hurt.events)
    assert ordered(hurt).verb == "retreat"


def test_a_defender_stands_when_the_attacker_has_fallen_back() -> None:
    """The first penalty may then be declined (10.26)."""
    position = at(
        "assault-leningrad", "german-combat",
        {"a": unit("german", "0606", "8-A 4-B"), "r": unit("soviet", "0707", "4-B 2-C", "rifle")},
    )  # fmt: skip
    hurt = position.play("attack a 0707").play("die 3")
    stood = hurt.play(ordered(hurt))
    assert stood.to_move == "soviet"
    assert ordered(stood) == Order("stand")


def test_a_headquarters_is_not_left_alone_where_the_enemy_can_come() -> None:
    """It would fall to the first tank (11.33): it goes to a division, or out of the enemy's reach, and feeds on."""
    units = {
        "hq": unit("german", "0518", "0-C", "hq", corps="9"),
        "d": unit("german", "0516", "8-A 4-B", corps="9"),
        "t": {**unit("soviet", "0512", "5-B 3-C", "tank"), "movement": 8},
    }
    picture = German(at("assault-leningrad", "german-movement", units))
    assert picture.swept >> picture.grid.hex("0518") & 1
    after = {name: entry["hex"] for name, entry in units.items()}
    for order in March(picture, second=False).orders():
        after[order.units[0]] = order.hexes[-1]
    post = picture.grid.hex(after["hq"])
    assert after["hq"] == after["d"] or not picture.swept >> post & 1
    assert picture.grid.distance(post, picture.grid.hex(after["d"])) <= 6


def test_only_whole_divisions_are_sent_into_a_city_that_needs_a_garrison() -> None:
    """A regiment alone would forfeit its points for good (17.25)."""
    position = at(
        "assault-leningrad", "german-movement", {"12ID": "2008", "6/11": "2208", "HQ41": "2309"}, map=None,
    )  # fmt: skip
    picture = German(position)
    chudovo = picture.grid.hex("2107")
    bodies = {position.roster[b.units[0]].id: b for b in bodies_of(picture, picture.of(GERMAN))}
    assert picture.may_end(bodies["12ID"], chudovo)
    assert not picture.may_end(bodies["6/11"], chudovo)


def test_a_guerrilla_sits_down_where_it_starves_a_corps() -> None:
    """On the rails behind the headquarters (11.16, 15.3)."""
    units = {
        "HQ41": "1025",
        "6/11": "1024",
        "Gue1": "1229",
        "1TD": "0821",
        "177RD": "2823",
        "70RD": "3120",
        "21TD": "3113",
    }
    position = at("assault-leningrad", "soviet-movement", units, map=None)
    hq = position.index["HQ41"]
    assert hq in supply.lines(position).headquarters
    raids = [o for o in Defence(Soviet(position)).orders() if o.units == ("Gue1",)]
    assert raids
    assert hq not in supply.lines(position.play(raids[0])).headquarters


@pytest.mark.parametrize("game_id", GAMES)
def test_a_phase_is_planned_without_the_list_of_all_orders(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The staff's first turn asks for no list of legal moves."""
    position = ladoga.load(game_id).start()
    dice, seats = random.Random(3), {side: make("staff") for side in position.game.sides}
    listed = []
    plain = AssaultPosition._orders
    monkeypatch.setattr(AssaultPosition, "_orders", lambda pos: (listed.append(pos.phase.id), plain(pos))[1])
    while position.turn == 1:
        mover = position.to_move
        if mover == "chance":
            position = position.play(position.legal.random(dice))
            continue
        assert mover is not None
        position = position.play(seats[mover].choose(position.view(mover), dice))
    assert not {phase for phase in listed if phase.endswith("movement")}


def test_the_general_thinks_at_the_first_movement_phase_of_each_side() -> None:
    """And at no other moment."""
    position = ladoga.load("assault-stalingrad").start()
    doctrine = doctrine_of("assault-stalingrad")
    assert doctrine.moment(position.view("soviet")) is None
    while position.phase.id == "soviet-set-up":
        position = position.play(ordered(position))
    while position.phase.id != "german-movement":
        position = position.play(position.legal.random(random.Random(1)))
    assert doctrine.moment(position.view("german")) == (1, "german-movement")
    assert doctrine.moment(position.view("soviet")) is None


def test_the_city_s_key_points_are_manned_on_the_last_turn() -> None:
    """They count only while a unit stands in them (19.92)."""
    units = {"13Gds": "1305", "W1": "1305", "W2": "1204", "16Pz": "1415"}
    position = at("assault-stalingrad", "soviet-movement", units, map=None, turn=19)
    before = sum(entry.points for entry in position.standing.ledger if entry.side == "soviet")
    while position.phase.id == "soviet-movement":
        position = position.play(ordered(position))
    after = sum(entry.points for entry in position.standing.ledger if entry.side == "soviet")
    assert (before, after) == (0, 15)
