"""The general of Leningrad '41: what he does in positions where the right thing is plain."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ladoga
from ladoga.games.leningrad41.counters import GERMAN, SOVIET
from ladoga.hexes import members
from ladoga.players import make
from ladoga.players.city.rehearsal import search
from ladoga.players.city.scheme import breaches, scheme
from ladoga.players.city.sight import Sight
from ladoga.players.doctrines.leningrad41_staff import river
from ladoga.players.doctrines.leningrad41_staff.storms import Storms
from ladoga.players.general import GeneralPlayer
from leningrad41.made_up import german, soviet

GAME = ladoga.load("leningrad41")
FIERCE = {"enemy": 8.0}
"""A temper to which the enemy's losses are dear."""


def place(units: dict[str, Any], phase: str, turn: int = 2, **more: Any) -> Any:
    hexes = more.pop("hexes", {})
    return GAME.position({
        "game": "leningrad41", "turn": turn, "phase": phase,
        "map": {"blank": [12, 12], "hexes": hexes, "hexsides": {}, "places": {}}, "units": units, **more,
    })  # fmt: skip


def moves(pos: Any, side: str, temper: dict[str, float] | None = None) -> dict[str, str]:
    """Where units of a side end up in a movement phase in which nobody is hit."""
    player, rng, phase, ends = GeneralPlayer(), random.Random(1), pos.phase.id, dict[str, str]()
    player.nature = temper or {}
    while pos.phase.id == phase and pos.to_move is not None:
        mover = pos.to_move
        if pos.chance is not None:
            order = next(order for order in pos.legal if order.words == ("6",))
        else:
            order = player.choose(pos.view(mover), rng)
        if mover == side and order.verb == "move":
            ends[order.units[0]] = order.hexes[-1]
        pos = pos.play(order)
    return ends


def test_soviets_come_from_all_sides_for_a_german_in_the_open():
    units = {
        "g": german("0606", type="engineer"), "a": soviet("0609"), "b": soviet("0903"), "c": soviet("0303"),
        "far": german("1212"),
    }  # fmt: skip
    pos = place(units, "soviet-movement")
    ends = moves(pos, "soviet", FIERCE)
    assert {"a", "b", "c"} <= {*ends}
    grid = pos.map.grid
    assert all(grid.adjacent(grid.hex(ends[unit]), grid.hex("0606")) for unit in "abc"), ends


@pytest.mark.case("leningrad41", "13.4")
def test_no_more_than_three_of_a_soviet_sub_command_are_told_off_for_a_blow():
    units = {"g": german("0606"), "h": german("0606"), **{f"s{n}": soviet(f"0{n + 2}09", fire=9) for n in range(5)}}
    storms = Storms(Sight(place(units, "soviet-movement"), SOVIET, FIERCE)).storms
    assert [len(storm.posts) for storm in storms] == [3]


def test_storms_are_the_same_whether_the_phase_is_surveyed_again_or_not():
    units = {"g": german("0606"), "h": german("0404"), **{f"s{n}": soviet(f"0{n + 2}09", fire=9) for n in range(5)}}
    sight = Sight(place(units, "soviet-movement"), SOVIET, FIERCE)
    first = Storms(sight)
    assert first.storms
    again = Storms(sight, known=first)
    assert again.storms == first.storms
    assert again.worth == first.worth == pytest.approx(sum(storm.value for storm in Storms(sight).storms))


def test_a_temper_that_names_a_hex_has_it_stormed_first():
    units = {"g": german("0606"), "h": german("0404"), "s": soviet("0505", fire=9)}
    pos = place(units, "soviet-movement")
    for hex in ("0606", "0404"):
        storms = Storms(Sight(pos, SOVIET, {**FIERCE, f"@{hex}": 9.0})).storms
        assert pos.number(storms[0].target) == hex


class Played:
    """Playouts whose values are known."""

    def __init__(self, worth: dict[str, float], playouts: int) -> None:
        self.rng, self.worth, self.left = random.Random(1), worth, playouts

    def out_of_time(self) -> bool:
        return self.left <= 0

    def values(self, tasks: Any, cores: int) -> list[float | None]:
        self.left -= len(tasks)
        noise = [random.Random(task.luck).random() for task in tasks]
        return [10 * n + sum(self.worth.get(w, 0.0) for w in task.way) for n, task in zip(noise, tasks, strict=True)]


def test_a_way_is_left_for_one_that_comes_out_better_on_the_same_dice_and_for_no_other():
    rivals = iter([{"worse": 2.0}, {"better": 2.0}, {"no different": 2.0}, *[{"worse": 2.0}] * 50])
    played: Any = Played({"better": 1.0, "worse": -1.0}, 40)
    found = search(played, {"own": 0.5}, rivals, [{}], 1)
    assert found.way == {"own": 0.5, "better": 2.0}
    assert found.gain > 0


def test_without_time_the_own_way_is_kept():
    played: Any = Played({"better": 1.0}, 0)
    assert search(played, {"own": 0.5}, iter([{"better": 2.0}]), [{}], 1).way == {"own": 0.5}


def test_a_general_with_time_plays_ways_out_in_his_mind_and_moves_legally():
    pos = place({"g": german("0606"), "a": soviet("0609"), "b": soviet("0903")}, "soviet-movement")
    player = make("general", think=0.3)
    order = player.choose(pos.view("soviet"), random.Random(1))
    assert pos.why_not(order) is None


@pytest.mark.case("leningrad41", "10.17")
def test_seven_bridges_lead_out_of_the_germans_bank():
    ground = GAME.start().ground
    number = GAME.start().number
    found = river.bridges(ground)
    assert {number(bridge.far) for bridge in found} == {"2613", "2715", "2907", "2918", "3120", "3506", "4501"}
    assert all(ground.river(*bridge.side) == "major" for bridge in found)


@pytest.mark.case("leningrad41", "9.2", "13.4")
def test_defensive_fire_of_both_soviet_sub_commands_adds_up_each_within_its_cap():
    army = {f"a{n}": soviet(h) for n, h in enumerate(("0505", "0605", "0506", "0607"))}
    reserve = {"r": soviet("0706", command="LFR")}
    pos = place({**army, **reserve, "g": german("1111")}, "german-movement")
    sight = Sight(pos, GERMAN, {})
    assert sight.defensive(pos.map.grid.hex("0606"), SOVIET) == 3 * 7 + 7


def test_engineers_are_dearer_than_the_infantry_beside_them():
    pos = place({"pi": german("0505", type="engineer"), "a": german("0606"), "s": soviet("0909")}, "soviet-fire")
    sight = Sight(pos, SOVIET, {})
    assert sight.worth(pos.piece("pi")) > sight.worth(pos.piece("a"))


@pytest.mark.case("leningrad41", "12.3")
def test_bombs_open_a_way_to_an_objective_before_the_march():
    line = {f"s{n}": soviet(f"06{n:02}") for n in range(1, 13)}
    bombs = {
        f"b{n}": {"side": "german", "command": "LW", "type": "air-strike", "fire": 12, "at": "ready"} for n in "12"
    }
    units = {**line, **bombs, "apart": soviet("0901", fire=12), "g": german("0806")}
    pos = place(units, "german-air", hexes={"0406": "objective"})
    order = make("general").choose(pos.view("german"), random.Random(1))
    assert order.verb == "attack"
    assert order.hexes[0].startswith("06")


def test_an_objective_without_a_garrison_that_the_germans_can_walk_into_is_a_breach():
    units = {"g": german("0806"), "s": soviet("0406")}
    hexes = {"0406": "objective", "0408": "objective"}
    pos = place(units, "soviet-movement", hexes=hexes)
    assert pos.map.grid.number(*members(breaches(pos))) == "0408"


@pytest.mark.case("leningrad41", "8.8")
@pytest.mark.parametrize(("guard", "open_to_them"), [("0112", {"0406"}), ("1306", set())])
def test_a_column_walks_into_an_objective_unless_fire_on_its_way_stops_it(guard, open_to_them):
    hexes = {f"12{n:02}": "sea" for n in range(1, 13) if n != 6} | {"0406": "objective"}
    ground = {"blank": [12, 24], "hexes": hexes, "hexsides": {"0506/0406": ["prospekt"]}, "places": {}}
    units = {"g": german("2406", traits="assault motorized"), "s": soviet(guard)}
    pos = place(units, "soviet-movement", map=ground)
    assert {pos.number(h) for h in members(breaches(pos))} == open_to_them


@pytest.mark.case("leningrad41", "8.10")
@pytest.mark.parametrize(("type", "open_to_him"), [("bridge-engineer", {"0406"}), ("infantry", set())])
def test_a_river_keeps_all_but_engineers_from_an_objective(type, open_to_him):
    pos = place({}, "soviet-movement")
    grid = pos.map.grid
    island = {f"0406/{grid.number(h)}": ["major-river"] for h in grid.neighbours(grid.hex("0406"))}
    ground = {"blank": [12, 12], "hexes": {"0406": "objective"}, "hexsides": island, "places": {}}
    pos = place({"g": german("0506", type=type), "s": soviet("0112")}, "soviet-movement", map=ground)
    assert {pos.number(h) for h in members(breaches(pos))} == open_to_him


def test_who_has_no_other_part_garrisons_what_the_germans_could_walk_into():
    units = {"g": german("1006"), "s": soviet("0407"), "there": soviet("0402")}
    hexes = {"0406": "objective", "0402": "objective", "1006": "objective"}
    pos = place(units, "soviet-movement", hexes=hexes)
    wards = scheme(Sight(pos, SOVIET, {}))[3]
    assert {pos.roster.units[q].id: pos.number(h) for q, h in wards.items()} == {"s": "0406", "there": "0402"}


def test_a_leader_does_not_stay_alone():
    leader = {"side": "german", "command": "LW", "type": "leader", "range": 3, "hex": "1010"}
    pos = place({"m": leader, "a": german("0808"), "s": soviet("0707")}, "german-movement")
    ends = moves(pos, "german")
    assert ends["m"] == ends.get("a", "0808")


def test_a_soviet_leader_goes_where_no_storm_can_come_if_he_can():
    leader = {"side": "soviet", "command": "42", "type": "leader", "range": 2, "hex": "1010"}
    ground = {"blank": [12, 48], "hexes": {}, "hexsides": {}, "places": {}}
    pos = place({"z": leader, "a": soviet("1010"), "g": german("2410")}, "soviet-movement", map=ground)
    grid, ends = pos.map.grid, moves(pos, "soviet")
    assert not Sight(pos, SOVIET, {}).walked >> grid.hex(ends["z"]) & 1


@pytest.mark.case("leningrad41", "4.5")
def test_the_last_germans_on_the_map_are_dearer_than_one_of_many():
    crowd = {f"g{n}": german(f"{n:02}02") for n in range(1, 11)}
    few = Sight(place({"g1": crowd["g1"], "s": soviet("0909")}, "soviet-movement"), SOVIET, {})
    many = Sight(place({**crowd, "s": soviet("0909")}, "soviet-movement"), SOVIET, {})
    assert few.worth(few.p.piece("g1")) > 2 * many.worth(many.p.piece("g1"))


def test_the_general_repeats_himself_without_a_clock():
    pos = place({"g": german("0606"), "a": soviet("0609"), "b": soviet("0903")}, "soviet-movement")
    assert moves(pos, "soviet") == moves(pos, "soviet")
