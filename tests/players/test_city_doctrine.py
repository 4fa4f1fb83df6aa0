"""The staff of Leningrad '41: what it does in positions where the right thing is plain."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ladoga
from ladoga.games.leningrad41 import movement
from ladoga.games.leningrad41.counters import GERMAN, SOVIET
from ladoga.games.leningrad41.ways import watched
from ladoga.hexes import members
from ladoga.kernel.orders import END, Order
from ladoga.players import make
from ladoga.players.doctrine import doctrine_of
from ladoga.players.doctrines.leningrad41_staff import line, storms, ways
from ladoga.players.doctrines.leningrad41_staff.lie import Lie
from ladoga.players.staff import StaffPlayer
from leningrad41.made_up import german, soviet

GAME = ladoga.load("leningrad41")


def place(units: dict[str, Any], phase: str, turn: int = 4, **more: Any) -> Any:
    hexes, sides, places = more.pop("hexes", {}), more.pop("sides", {}), more.pop("places", {})
    return GAME.position({
        "game": "leningrad41", "turn": turn, "phase": phase,
        "map": {"blank": [12, 12], "hexes": hexes, "hexsides": sides, "places": places}, "units": units,
        **{key.replace("_", "-"): value for key, value in more.items()},
    })  # fmt: skip


def chosen(pos: Any) -> tuple[Order, str]:
    staff = StaffPlayer()
    order = staff.choose(pos.view(pos.to_move), random.Random(1))
    assert pos.why_not(order) is None
    assert staff.reason
    assert "\n" not in staff.reason
    return order, staff.reason


def test_everybody_next_to_an_objective_storms_it_with_the_engineer_in_front():
    units = {
        "pi": german("0505", type="engineer"), "a": german("0505"), "b": german("0606"), "c": german("0604"),
        "r": soviet("0605"), "far": soviet("1111"),
    }  # fmt: skip
    order, reason = chosen(place(units, "german-fire", hexes={"0605": "objective"}))
    assert order.verb == "attack"
    assert order.hexes == ("0605",)
    assert order.words == ("assault",)
    assert order.units[0] == "pi"
    assert set(order.units) >= {"pi", "a", "b"}
    assert "0605" in reason


def test_a_german_walks_into_an_empty_objective():
    units = {"a": german("0505"), "r": soviet("1111")}
    order, _ = chosen(place(units, "german-movement", hexes={"0508": "objective"}))
    assert order == Order("move", ("a",), ("0508",))


def test_the_last_guard_of_an_objective_stays():
    units = {"a": german("0508"), "r": soviet("0505")}
    order, _ = chosen(place(units, "soviet-movement", hexes={"0505": "objective"}))
    assert order == END


def test_soviets_take_back_an_objective_that_was_left():
    units = {"a": german("0911"), "r": soviet("0505")}
    pos = place(units, "soviet-movement", hexes={"0508": "objective"}, control=["0508"])
    assert chosen(pos)[0] == Order("move", ("r",), ("0508",))


def fired_at(hexes: dict[str, str], words: str = "") -> Order:
    units = {"a": german("0508", traits="assault motorized"), "r": soviet("0505")}
    pos = place(units, "german-movement", hexes=hexes).play(f"move a 0508-0507-0506{words}")
    return chosen(pos)[0]


def test_defensive_fire_where_it_can_hit():
    assert fired_at({}) == Order("attack", ("r",), ("0506",))


def test_no_fire_that_cannot_hit():
    assert fired_at({"0506": "objective"}) == END


def test_fire_that_cannot_hit_still_stops_a_motorized_march():
    """8.8: a unit that is fired on while motorized goes no further."""
    units = {"a": german("0508", traits="assault motorized"), "r": soviet("0505")}
    road = {"0508/0507": ["prospekt"], "0507/0506": ["prospekt"]}
    pos = place(units, "german-movement", hexes={"0506": "urban"}, sides=road)
    pos = pos.play("move a 0508-0507-0506 motorized")
    assert chosen(pos)[0] == Order("attack", ("r",), ("0506",))


def test_bombs_fall_on_the_garrison_that_opens_an_objective():
    units = {
        "a": german("0508"), "s1": {"side": "german", "command": "LW", "type": "air-strike", "fire": 12, "at": "ready"},
        "s2": {"side": "german", "command": "LW", "type": "air-strike", "fire": 12, "at": "ready"},
        "r": soviet("0506"), "q": soviet("0511"),
    }  # fmt: skip
    order, _ = chosen(place(units, "german-air", hexes={"0506": "objective", "0511": "objective"}))
    assert order.verb == "attack"
    assert set(order.units) <= {"s1", "s2"}


def test_stormers_take_the_objective_they_cleared():
    units = {"a": german("0505"), "b": german("0606"), "r": soviet("0605"), "far": soviet("1111")}
    pos = place(units, "german-fire", hexes={"0605": "objective"}, dice=[1, 1])
    pos = pos.play("attack a+b 0605 assault")
    first, _ = chosen(pos)
    assert first.verb == "advance"
    second, _ = chosen(pos.play(first))
    assert {first.units, second.units} == {("a",), ("b",)}


def test_hidden_units_are_one_unknown_to_the_german():
    """What the imagination puts behind a back does not change what the German does."""
    rng = random.Random(4)
    pos = GAME.start()
    while pos.turn < 2 or pos.phase.id != "german-movement" or pos.to_move != "german":
        pos = pos.play(pos.legal.random(rng))
    orders = {StaffPlayer().choose(pos.view("german"), random.Random(seed)) for seed in range(6)}
    assert len(orders) == 1


@pytest.mark.parametrize(
    ("seed", "options"),
    [(1, {}), (2, {"fanaticism": True, "airborne-assault": True, "defensive-states": True})],
)
def test_a_whole_game_of_two_staffs(seed: int, options: dict[str, Any]):
    """Every order is legal, has its reason, and the game comes to its end."""
    rng = random.Random(seed)
    pos = GAME.start(options=options)
    staffs = {side: make("staff") for side in GAME.sides}
    orders = 0
    while pos.to_move is not None:
        if pos.to_move == "chance":
            pos = pos.play(pos.legal.random(rng))
            continue
        staff = staffs[pos.to_move]
        order = staff.choose(pos.view(pos.to_move), rng)
        assert staff.reason
        pos = pos.play(order)
        orders += 1
        assert orders < 4000
    assert pos.outcome is not None
    assert pos.objectives(0).bit_count() > 5, "the Germans have come somewhere"


# What a player who searches knows ---------------------------------------------------------------------


def test_a_line_closes_the_only_way_through():
    sea = {f"06{n:02}": "sea" for n in range(1, 13) if n not in (5, 6)}
    units = {"a": german("0911"), "r": soviet("0405"), "s": soviet("0308"), "t": soviet("0101")}
    pos = place(units, "soviet-movement", hexes=sea | {"0205": "objective", "0207": "objective"})
    found, posts = line.plan(Lie(pos, SOVIET, {"line": 1.0}))
    assert {pos.number(h) for h in members(found)} == {"0605", "0606"}
    assert {pos.unit(piece).id for piece in posts} == {"r", "s"}
    general = StaffPlayer()
    general.bias = {"line": 1.0}
    for _ in range(2):
        order = general.choose(pos.view("soviet"), random.Random(1))
        assert order.hexes[0] in ("0605", "0606")
        pos = pos.play(order)
    assert pos.occupied[SOVIET] & found == found


def test_no_more_units_are_spent_on_a_line_than_an_objective_is_worth():
    units = {"a": german("0911"), "r": soviet("0405")}
    pos = place(units, "soviet-movement", hexes={"0205": "objective"})
    assert line.plan(Lie(pos, SOVIET, {"line": 1.0})) == (0, {})


def marched(pos: Any, bias: dict[str, float]) -> Any:
    """A German movement phase to its end; nobody fires at those who march."""
    player = StaffPlayer()
    player.bias = bias
    while pos.phase.id == "german-movement":
        mover = pos.to_move
        order = player.choose(pos.view(mover), random.Random(1)) if mover == "german" else END
        assert pos.why_not(order) is None
        pos = pos.play(order)
    return pos


TWO_STORMS = {
    "pi": german("0611"), "pj": german("0611"), "a": german("0511"), "b": german("0511"),
    "c": german("0711"), "d": german("0711"), "r": soviet("0407"), "s": soviet("0907"),
}  # fmt: skip
"""Four battalions and two engineers on the march, a garrison before each of their wings."""


def town(rows: range, columns: range) -> dict[str, str]:
    """Buildings, in which a lone unit hardly hits who comes next to it."""
    return {f"{row:02}{column:02}": "urban" for row in rows for column in columns}


def test_storms_planned_together_have_an_engineer_each():
    """10.20: an engineer takes a garrison's shelter away, a second one in the same storm does nothing more."""
    units = {name: unit | {"type": "engineer"} if name in ("pi", "pj") else unit for name, unit in TWO_STORMS.items()}
    ground = town(range(3, 11), range(6, 9)) | {"0407": "objective", "0907": "objective"}
    pos = place(units, "german-movement", hexes=ground)
    posts = storms.Storms(Lie(pos, GERMAN, {"storms": 1.0})).posts
    grid = pos.map.grid
    for target in ("0407", "0907"):
        near = grid.ring(1 << grid.hex(target))
        party = {pos.unit(piece).id for piece, h in posts.items() if near >> h & 1}
        assert len(party & {"pi", "pj"}) == 1
        assert len(party) == 3
    after = marched(pos, {"storms": 1.0})
    assert {piece: after.where[piece] for piece in posts} == posts


def test_storms_are_planned_with_no_more_units_than_may_fire_together():
    """13.3: four units of an SS division at most."""
    ring = ("0507", "0407", "0408", "0508", "0608", "0607")
    units = {f"t{n}": german(h, command="SST", traits="assault ss", fire=9) for n, h in enumerate(ring)}
    ground = town(range(4, 7), range(3, 8)) | {"0505": "objective"}
    pos = place(units | {"r": soviet("0505")}, "german-movement", hexes=ground)
    assert len(storms.Storms(Lie(pos, GERMAN, {"storms": 1.0})).posts) == 4


def test_a_march_into_an_empty_objective_is_planned_like_a_storm():
    """The engineer is left for work that only he can do."""
    units = {"pi": german("0505", type="engineer"), "a": german("0605"), "r": soviet("1111")}
    pos = place(units, "german-movement", hexes={"0508": "objective"})
    posts = storms.Storms(Lie(pos, GERMAN, {"storms": 1.0})).posts
    assert [pos.unit(piece).id for piece, h in posts.items() if pos.number(h) == "0508"] == ["a"]


@pytest.mark.parametrize("side", ["german", "soviet"])
def test_on_average_a_die_of_fire_gives_nothing(side: str):
    units = {"a": german("0505"), "b": german("0606"), "c": german("0604"), "r": soviet("0605"), "far": soviet("1111")}
    pos = place(units, "german-fire", hexes={"0605": "objective"}).play("attack a+b+c 0605 assault")
    chance = pos.chance
    assert chance is not None
    doctrine = doctrine_of("leningrad41")
    gifts = [(float(p), doctrine.luck(pos, face, side)) for face, p in chance.outcomes]
    assert sum(p * gift for p, gift in gifts) == pytest.approx(0.0)
    assert {gift > 0 for _, gift in gifts} == {True, False}


def test_an_objective_more_is_better_for_the_germans():
    units = {"a": german("0505"), "r": soviet("1111")}
    hexes = {"0605": "objective", "0808": "objective"}
    poor, rich = (place(units, "german-fire", hexes=hexes, control=held) for held in ([], ["0605"]))
    doctrine = doctrine_of("leningrad41")
    for side, sign in (("german", 1), ("soviet", -1)):
        before, after = doctrine.judge(poor, side), doctrine.judge(rich, side)
        assert before is not None
        assert after is not None
        assert sign * (after - before) > 0


@pytest.mark.case("leningrad41", "9.1")
def test_a_march_goes_round_the_enemys_fire_where_there_is_a_way():
    pos = place({"a": german("0510"), "r": soviet("0507")}, "german-movement")
    grid, piece = pos.map.grid, pos.piece("a")
    target = grid.hex("0504")
    way = next(way for way in ways.ways(pos, piece) if way[2] >> target & 1)
    watched = grid.ring(1 << grid.hex("0507"))
    assert not any(watched >> h & 1 for h in ways.steps(pos, piece, way[1], target))
    order = ways.march(pos, piece, way, target)
    assert order.hexes[-1] == "0504"
    assert pos.why_not(order) is None


@pytest.mark.case("leningrad41", "8.8")
def test_no_motorized_march_is_planned_past_somebody_who_would_stop_it():
    wall = {f"r{column}": soviet(f"06{column:02}") for column in (*range(1, 6), *range(7, 13))}
    pos = place({"a": german("1106", traits="assault motorized"), **wall}, "german-movement")
    piece, beyond = pos.piece("a"), sum(1 << pos.map.grid.hex(f"04{column:02}") for column in range(1, 13))
    assert movement.spread(pos, piece, movement.MOTORIZED).reached & beyond
    assert not ways.shy(pos, piece, movement.MOTORIZED, watched(pos, GERMAN)).reached & beyond


@pytest.mark.case("leningrad41", "19.1")
def test_units_that_come_in_have_a_part_in_the_storms():
    units = {
        "a": german(at="waiting"), "b": german(at="waiting", type="engineer"), "r": soviet("1006"), "q": soviet("0101"),
    }  # fmt: skip
    places = {f"12{column:02}": ["german-entry"] for column in range(1, 13)}
    ground = town(range(9, 12), range(5, 8)) | {"1006": "objective"}
    pos = place(units, "german-movement", places=places, hexes=ground)
    storm = storms.Storms(Lie(pos, GERMAN, {"storms": 1.0}))
    near = pos.map.grid.ring(1 << pos.map.grid.hex("1006"))
    assert {pos.unit(piece).id for piece in storm.posts} == {"a", "b"}
    assert all(near >> h & 1 for h in storm.posts.values())
    order, _ = chosen(pos)
    assert order.verb == "enter"
    assert near >> pos.map.grid.hex(order.hexes[-1]) & 1


@pytest.mark.case("leningrad41", "10.12")
def test_armor_does_not_fear_fire_that_cannot_pierce_it():
    units = {"t": german("0909", traits="armored motorized"), "i": german("0910"), "x": soviet("0506", fire=4)}
    more = {"y": soviet("0606", fire=4), "p": soviet("0101", traits="assault anti-armor")}
    pos = place({**units, **more}, "german-movement")
    lie, grid = Lie(pos, GERMAN, {}), pos.map.grid
    between = next(h for h in members(lie.near(grid.hex("0506")) & lie.near(grid.hex("0606"))))
    assert lie.ambush(between, pos.piece("i")) > lie.ambush(between, pos.piece("t")) == 0.0
    pierced = next(iter(members(lie.near(grid.hex("0101")))))
    assert lie.ambush(pierced, pos.piece("t")) == lie.ambush(pierced, pos.piece("i"))


def test_the_rest_of_a_party_stays_away_when_its_storm_has_become_hopeless():
    units = {"a": german("0709", fire=9), "b": german("0509", fire=9), "r": soviet("0606", fire=9)}
    pos = place(units, "german-movement", hexes={"0606": "objective"})
    lie, hexes = Lie(pos, GERMAN, {}), pos.map.grid.hex
    party = {pos.piece("a"): hexes("0607"), pos.piece("b"): hexes("0506")}
    assert not storms.pays(lie, hexes("0606"), {pos.piece("a"): hexes("0607")}, ())
    strong = place(
        {**units, "e": german("0809", type="engineer", fire=9)}, "german-movement", hexes={"0606": "objective"}
    )
    with_engineer = {
        strong.piece("e"): hexes("0706"),
        **{strong.piece(n): h for n, h in zip("ab", party.values(), strict=True)},
    }
    assert storms.pays(Lie(strong, GERMAN, {}), hexes("0606"), with_engineer, ())
