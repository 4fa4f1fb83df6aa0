"""Chapter 3: set-up."""

from __future__ import annotations

import random

import pytest

from .conftest import refused, where


def all_set(game, seed=1, options=None):
    pos = game.start(options=options)
    rng = random.Random(seed)
    while pos.phase.id == "soviet-set-up":
        pos = pos.play(pos.legal.random(rng))
    return pos


@pytest.mark.case("leningrad41", "3.0", "3.1", "3.2")
def test_the_soviet_player_sets_up_first(game):
    pos = game.start()
    assert (pos.turn, pos.to_move, pos.phase.id) == (1, "soviet", "soviet-set-up")
    assert refused(pos, "end") == "3.2"


@pytest.mark.case("leningrad41", "3.2")
def test_the_german_looks_away_during_set_up(game):
    start = game.start()
    pos = start.play("place back-1 4020").play("place 51/42 3010")
    assert pos.view("german").document() == start.view("german").document()
    assert pos.view("german").table() == start.view("german").table()
    assert pos.view("soviet").document() != start.view("soviet").document()


@pytest.mark.case("leningrad41", "3.3")
def test_fixed_units(game):
    pos = game.start()
    assert where(pos, "Zhdanov") == "2807"
    sea = game.map.grid.number(next(iter(game.map.grid.members(game.map.terrain["sea"]))))
    assert f"place LG42 {sea}" in pos.legal
    assert refused(pos, "place LG42 0110") == "3.3"
    assert "place 51/42 5010" in pos.legal
    assert refused(pos, f"place 704/42 {sea}") == "3.3"
    rail = game.map.grid.number(game.map.grid.members(game.ground(game.map).rail_hexes)[0])
    assert f"place Aurora/42 {rail}" in pos.legal
    plain = next(n for n in game.map.grid.numbers if not game.ground(game.map).rail_hexes >> game.map.grid.hex(n) & 1)
    assert refused(pos, f"place Aurora/42 {plain}") == "3.3"
    assert where(pos, "RBF") == "ready"


@pytest.mark.case("leningrad41", "3.4")
def test_air_markers_ready_and_zhukov_aside(game):
    pos = game.start()
    assert (where(pos, "Air-10"), where(pos, "Air-5"), where(pos, "Zhukov")) == ("ready", "ready", "waiting")
    assert (game.units["Air-10"].fire, game.units["Air-5"].fire) == (10, 5)


@pytest.mark.case("leningrad41", "3.5")
def test_two_pools(game):
    pos = game.start()
    army = [p for p in game.roster.of_command["42"] if pos.where[p] == -3]
    front = [p for p in game.roster.of_command["LFR"] if pos.where[p] == -3]
    assert (len(army), len(front)) == (48, 35)
    fixed = {"Zhdanov", "LG42", "51/42", "704/42", "Aurora/42", "RBF", "Zhukov", "Air-10", "Air-5"}
    assert not fixed & {pos.unit(p).id for p in army + front}


@pytest.mark.case("leningrad41", "3.6")
def test_thirty_six_units_face_down_unknown_to_both(game):
    pos = all_set(game)
    backs = [c for c in pos.table().counters if c.face_down and c.hex]
    assert len(backs) == 36
    assert all(c.symbol == "unknown" and not c.figures for c in backs)
    assert not any(c.hex[:2] in ("50", "51") for c in backs)


@pytest.mark.case("leningrad41", "3.6")
def test_where_the_thirty_six_may_go(game):
    pos = game.start()
    assert refused(pos, "place back-1 5005") == "3.6"
    assert refused(pos, "place back-1 5105") == "3.6"
    assert refused(pos, "place back-2 4005") == "3.6"
    sea = game.map.grid.number(next(iter(game.map.grid.members(game.map.terrain["sea"]))))
    assert refused(pos, f"place back-1 {sea}") == "3.6"
    pos = pos.play("place back-1 0505")
    assert refused(pos, "place back-2 0505") == "6.1"
    pos = pos.play("place back-2 3211").play("place back-3 3211")
    assert refused(pos, "place back-4 3211") == "6.1"


@pytest.mark.case("leningrad41", "3.7", "3.8")
def test_no_reserves_and_no_germans_on_the_map(game):
    pos = all_set(game)
    on_map = [c for c in pos.table().counters if c.hex]
    assert not any(c.side == "german" for c in on_map)
    assert not any(c.formation == "Leningrad Front Reserve" for c in on_map)


@pytest.mark.case("leningrad41", "3.9")
def test_german_arrivals_differ_from_match_to_match(game):
    pos = all_set(game)
    assert pos.phase.id == "german-reinforcement"
    assert pos.to_move == "chance"
    seen = set()
    for seed in range(6):
        rng = random.Random(seed)
        one = pos
        while one.to_move == "chance":
            one = one.play(one.legal.random(rng))
        seen.add(tuple(sorted(c.id for c in one.table().counters if c.box == "german-waiting")))
    assert len(seen) > 1


@pytest.mark.case("leningrad41", "3.3", "3.4", "3.5", "3.7", "3.8")
def test_what_does_not_begin_on_the_map_is_refused_by_its_own_case(game):
    pos = game.start()
    cases = {"I/8M": "3.8", "62/LFR": "3.7", "Zhukov": "3.4", "Air-10": "3.4", "181/42": "3.5", "RBF": "3.3"}
    assert {name: refused(pos, f"place {name} 2807") for name in cases} == cases


@pytest.mark.case("leningrad41", "3.3", "3.6")
def test_each_placement_is_told_with_its_own_case(game):
    pos = game.start()
    assert pos.play("place 51/42 3211").events[0].case == "3.3"
    assert pos.play("place back-1 3211").events[0].case == "3.6"
