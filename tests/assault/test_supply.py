"""Supply (11.0; 18.4; 19.34, 19.5)."""

from __future__ import annotations

import pytest

from ladoga.games.assault import supply
from ladoga.games.assault.sequence import STEPS
from ladoga.kernel.sequence import Item

from .conftest import LENINGRAD, STALINGRAD, german, happened, refused, situation, soviet, texts

WIDE = {"blank": [30, 20]}


def traced(game, units, **more):
    """A position whose units are judged on the spot."""
    units = {u: {"hex": e} if isinstance(e, str) else dict(e) for u, e in units.items()}
    for entry in units.values():
        if "hex" in entry:
            entry.setdefault("supply", "trace")
    return situation(game, "german-supply", units, **more)


def hq(hex: str, corps: str = "9", **more):
    return german(hex, "0-C", type="hq", corps=corps, **more)


def unit(hex: str, corps: str = "9", **more):
    return german(hex, corps=corps, **more)


def field(game, **more):
    """A wide open field whose west edge feeds the German side and whose east edge feeds the Soviet one."""
    result = {"blank": [30, 20], **more}
    if game.id == STALINGRAD:
        places = {f"{row:02}30": ["entry-w"] for row in range(1, 21)}
        places |= {f"{row:02}01": ["red-edge"] for row in range(1, 21)}
        result["places"] = {**places, **result.get("places", {})}
    return result


def line_word(game) -> str:
    return game.tables.book.german_line


# German lines -------------------------------------------------------------------------------------


@pytest.mark.case("assault-*", "11.0", "11.1", "11.11", "11.34", "11.2")
def test_six_hexes_to_the_own_headquarters(game):
    units = {"h": hq("0528"), "near": unit("0522"), "far": unit("0521"), "other": unit("0524", "8")}
    pos = traced(game, units, map=field(game))
    assert pos.supply("h")
    assert pos.supply("near")
    assert not pos.supply("far")
    assert not pos.supply("other")
    assert pos.supply("near").path[0] == "0522"
    assert pos.supply("near").path[-1] == "0528"


@pytest.mark.case("assault-leningrad", "11.13", "11.35")
@pytest.mark.case("assault-stalingrad", "19.5", "19.51", "11.35")
def test_off_the_map_counts_one_hex(game):
    """Five clear hexes between the HQ and the edge are in, six are not."""
    assert traced(game, {"h": hq("0525")}, map=field(game)).supply("h")
    assert not traced(game, {"h": hq("0524")}, map=field(game)).supply("h")


@pytest.mark.case("assault-*", "11.35", "11.34", "11.41", "11.4")
def test_a_headquarters_without_a_line_starves_its_corps(game):
    pos = traced(game, {"h": hq("0515"), "x": unit("0514"), "y": unit("0516")}, map=field(game))
    assert not pos.supply("h")
    assert not pos.supply("x")
    assert "HQ" in pos.supply("x").message


@pytest.mark.case("assault-leningrad", "11.13", "11.16")
@pytest.mark.case("assault-stalingrad", "19.51", "19.53")
def test_lines_carry_supply(game):
    way = {f"05{c:02}/05{c + 1:02}": [line_word(game)] for c in range(12, 30)}
    pos = traced(game, {"h": hq("0706"), "x": unit("0704")}, map=field(game, hexsides=way))
    assert not pos.supply("h")
    pos = traced(game, {"h": hq("0708"), "x": unit("0704")}, map=field(game, hexsides=way))
    assert pos.supply("h")
    assert pos.supply("x")
    wrong = {pair: ["rail" if line_word(game) == "road" else "road"] for pair in way}
    assert not traced(game, {"h": hq("0708")}, map=field(game, hexsides=wrong)).supply("h")


@pytest.mark.case("assault-leningrad", "11.16", "11.15")
@pytest.mark.case("assault-stalingrad", "11.15")
def test_a_unit_on_the_line_cuts_it(game):
    """A class C unit cuts the line in its own hex only; a friend in the hex opens it again."""
    way = {f"05{c:02}/05{c + 1:02}": [line_word(game)] for c in range(12, 30)}
    board = field(game, hexsides=way)
    beside = traced(game, {"h": hq("0512"), "c": soviet("0420", "1-C")}, map=board)
    assert beside.supply("h")
    astride = traced(game, {"h": hq("0512"), "c": soviet("0520", "1-C")}, map=board)
    assert not astride.supply("h")
    zone = {"h": hq("0512"), "b": soviet("0420", "4-B")}
    assert not traced(game, zone, map=board).supply("h")
    guards = {"g1": unit("0520", "7"), "g2": unit("0521", "7")}
    assert traced(game, {**zone, **guards}, map=board).supply("h")


@pytest.mark.case("assault-leningrad", "11.13", "11.35")
@pytest.mark.case("assault-stalingrad", "19.51")
def test_a_line_runs_off_the_map_where_it_ends(game):
    """Along the edge a line only passes: a zone on its last hex cuts it off."""
    way = {f"05{c:02}/05{c + 1:02}": [line_word(game)] for c in range(12, 30)}
    way |= {"0530/0630": [line_word(game)], "0630/0730": [line_word(game)]}
    board = field(game, hexsides=way)
    assert traced(game, {"h": hq("0512")}, map=board).supply("h")
    zone = {"h": hq("0512"), "b": soviet("0830", "4-B")}
    assert not traced(game, zone, map=board).supply("h")
    assert traced(game, {**zone, "g": unit("0730", "7")}, map=board).supply("h")


@pytest.mark.case("assault-*", "11.15", "11.3")
def test_worked_example_of_a_friend_on_the_way(game):
    """A regiment traces through a hex in an enemy zone only because a friend stands there."""
    board = {"blank": [30, 2]}
    if game.id == STALINGRAD:
        board["places"] = {"0130": ["entry-w"], "0230": ["entry-w"]}
    units = {"h": hq("0127"), "x": unit("0122"), "b": soviet("0224", "4-B")}
    pos = traced(game, units, map=board)
    assert {"0124", "0125"} <= pos.zoc("soviet")
    assert pos.supply("h")
    assert not pos.supply("x")
    friends = {"a": unit("0124", "7"), "c": unit("0125", "7")}
    assert not traced(game, {**units, "a": friends["a"]}, map=board).supply("x")
    assert traced(game, {**units, **friends}, map=board).supply("x")


@pytest.mark.case("assault-*", "11.18", "11.19")
def test_lines_share_hexes_without_limit(game):
    units = {"h": hq("0526"), "s": soviet("0912", "1-C")}
    units |= {f"x{n}": unit(f"05{n + 19:02}") for n in range(6)}
    pos = traced(game, units, map=field(game))
    assert all(pos.supply(f"x{n}") for n in range(1, 6))
    assert pos.supply("s")


@pytest.mark.case("assault-*", "11.12", "11.17")
def test_status_holds_until_the_next_check(game):
    units = {"h": hq("0515"), "x": unit("0514", supply="in")}
    pos = situation(game, "german-air-bombardment", units, map=field(game), air=0)
    assert pos.supply("x")
    assert "cut now" in pos.supply("x").message
    after = pos.play("end")
    assert not after.supply("x")
    assert "x is out of supply" in happened(after)


@pytest.mark.case("assault-*", "11.24")
def test_worked_example_of_starvation(game):
    """Out in the own check, a step in the enemy's, none in the own, eliminated in the enemy's."""
    units = {"x": german("0515", "8-A 4-B", corps="9", supply="in"), "s": soviet("0903", "1-C")}
    pos = situation(game, "german-supply", units, map=field(game))
    steps = []
    for phase in ("german-supply", "soviet-supply", "german-supply", "soviet-supply"):
        pos.agenda = (Item(*STEPS[phase]),)
        supply.check(pos)
        steps.append(pos.steps[pos.index["x"]])
    assert steps == [2, 1, 1, 0]


@pytest.mark.case("assault-*", "11.24")
def test_every_unit_of_a_stack_loses(game):
    regiment = {"type": "motorized", "size": "regiment", "division": "d", "corps": "9", "supply": "out"}
    units = {f"r{n}": german("0515", "4-A 2-B", **regiment) for n in range(3)}
    pos = situation(game, "soviet-supply", {**units, "s": soviet("0903", "1-C")}, map=field(game)).play("end")
    assert [pos.steps[pos.index[name]] for name in units] == [1, 1, 1]


@pytest.mark.case("assault-*", "18.4", "18.41")
def test_option_germans_do_not_starve(game):
    units = {"x": german("0515", "8-A 4-B", corps="9", supply="out"), "s": soviet("0903", "1-C")}
    pos = situation(game, "soviet-supply", units, map=field(game), options={"no-german-attrition": True})
    pos = pos.play("end")
    assert pos.steps[pos.index["x"]] == 2
    assert pos.is_out(pos.index["x"])


@pytest.mark.case("assault-*", "18.42")
def test_option_workers_feed_their_stack(game):
    wall = {f"g{n}": german(h, "4-B") for n, h in enumerate(("0518", "0522", "0320", "0720", "0318", "0722"))}
    units = {
        "a": soviet("0520", "4-B 2-C", supply="out"), "w": soviet("0520", "1-C", type="worker", supply="in"),
        "b": soviet("0521", "4-B 2-C", supply="out"), **wall,
    }  # fmt: skip
    pos = situation(game, "german-supply", units, map=field(game), options={"workers-feed": True}).play("end")
    assert pos.steps[pos.index["a"]] == 2
    assert pos.steps[pos.index["b"]] == 1


# Soviet lines -------------------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "11.14", "11.15")
@pytest.mark.case("assault-stalingrad", "19.52", "11.15")
def test_soviet_lines_of_any_length(game):
    units = {"s": soviet("0527")}
    assert traced(game, units, map=field(game)).supply("s")
    narrow = {"blank": [30, 1]}
    if game.id == STALINGRAD:
        narrow["places"] = {"0101": ["red-edge"]}
    pos = traced(game, {"s": soviet("0127")}, map=narrow)
    assert pos.supply("s")
    if game.id == STALINGRAD:
        assert len(pos.supply("s").path) == 27
        cut = traced(game, {"s": soviet("0127"), "g": german("0110", "4-B")}, map=narrow)
        assert not cut.supply("s")


@pytest.mark.case("assault-leningrad", "11.14", "6.31")
def test_soviet_lines_cross_the_neva_but_no_lake(leningrad):
    board = {"blank": [9, 9], "hexsides": {"0505/0506": ["neva"]}}
    sides = situation(leningrad, "german-supply", {"90RD": "0505"}, map=board).ground.soviet_supply_sides
    grid = situation(leningrad, "german-supply", {"90RD": "0505"}, map=board).ground.grid
    a, b = grid.hex("0505"), grid.hex("0506")
    assert sides[grid.direction(a, b)] >> a & 1
    german_sides = situation(leningrad, "german-supply", {"90RD": "0505"}, map=board).ground.german_supply_sides
    assert not german_sides[grid.direction(a, b)] >> a & 1


# Exemptions ---------------------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "11.41", "11.42", "11.43", "15.3", "11.46", "11.45", "11.44")
def test_units_that_need_no_line(leningrad):
    wall = {
        "1ID": "0604",
        "11ID": "0607",
        "12ID": "0404",
        "21ID": "0407",
        "32ID": "0803",
        "58ID": "0806",
        "121ID": "0203",
    }
    places = {"0505": ["fortification"], "0506": ["city"], "0705": ["city", "garrison"]}
    board = {"blank": [9, 9], "places": places, "hexsides": {}}
    units = {
        "90RD": {"hex": "0505", "supply": "trace"}, "Gue1": {"hex": "0605", "supply": "trace"},
        "W11": {"hex": "0506", "supply": "trace"}, "111RD": {"hex": "0506", "supply": "trace"},
        "123ID": {"hex": "0705", "supply": "trace"}, "HQ2": {"hex": "0705", "supply": "trace"}, **wall,
    }  # fmt: skip
    pos = situation(leningrad, "german-supply", units, map=board)
    for name, why in (("90RD", "11.42"), ("Gue1", "11.43"), ("W11", "11.46"), ("123ID", "11.45")):
        assert pos.supply(name), name
        assert pos.supply(name).case == why
    assert not pos.supply("111RD")


@pytest.mark.case("assault-leningrad", "11.45", "11.42")
def test_exemptions_are_not_for_everybody(leningrad):
    board = {"blank": [30, 20], "places": {"0515": ["garrison", "city"], "0503": ["fortification"]}}
    units = {"HQ2": "0515", "11ID": "0515", "12ID": "0503"}
    units = {name: {"hex": hex_, "supply": "trace"} for name, hex_ in units.items()}
    pos = situation(leningrad, "german-supply", units, map=board)
    assert pos.supply("11ID")
    assert not pos.supply("HQ2")
    assert not pos.supply("12ID")


@pytest.mark.case("assault-*", "11.44", "16.16")
def test_arrivals_are_in_supply(game):
    first = game.scenario.arrivals[0]
    unit_id = next(u for u in first.units if not game.printed[u].is_hq)
    pos = situation(game, "german-movement", {unit_id: {"waiting": True}}, map=None, turn=first.turn)
    entry = pos.ground.numbers(pos.ground.place(first.area))[0]
    after = pos.play(f"enter {unit_id} {entry}")
    assert after.supply(unit_id)


# Headquarters -------------------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "11.36", "10.23")
@pytest.mark.case("assault-stalingrad", "11.36", "19.74")
def test_headquarters_return(game):
    hq_id = "HQ41" if game.id == LENINGRAD else "HQ14"
    units = {hq_id: {"eliminated": True}, "x": german("0505", corps="9")}
    board = {"blank": [12, 12], "places": {"0112": ["entry-a" if game.id == LENINGRAD else "entry-s"]}}
    pos = situation(game, "german-supply", units, map=board).play("end")
    assert pos.phase.id == "german-movement"
    assert f"enter {hq_id} 0112" in texts(pos)
    back = pos.play(f"enter {hq_id} 0112")
    assert back.supply(hq_id)
    _figures = {"side": "german", "type": "infantry", "faces": ["8-A"], "movement": 6}
    only_once = situation(
        game, "german-supply", {"x": german("0505", corps="9"), "y": {"eliminated": True, **_figures}}, map=board
    )
    assert not any(order.startswith("enter y") for order in texts(only_once.play("end")))


@pytest.mark.case("assault-leningrad", "11.37")
def test_a_disrupted_headquarters_still_feeds(leningrad):
    units = {"HQ38": {"hex": "0528", "disrupted": True, "supply": "trace"}, "1ID": {"hex": "0523", "supply": "trace"}}
    assert situation(leningrad, "german-supply", units, map=WIDE).supply("1ID")


# The inset ----------------------------------------------------------------------------------------


def city_example(game):
    """District hex, fringe hex of the inset, main-map hex of it, for each game."""
    return ("J5", "K4", "0419") if game.id == LENINGRAD else ("J5", "J6", "1406")


@pytest.mark.case("assault-*", "11.5", "11.52")
def test_soviets_in_the_interior_are_always_in_supply(game):
    interior, fringe, _ = city_example(game)
    pos = situation(
        game, "german-supply", {"s": soviet(interior, supply="trace"), "g": german(fringe, "8-A")}, map=None
    )
    assert pos.supply("s")
    assert pos.supply("s").case == "11.52"


@pytest.mark.case("assault-*", "11.51")
def test_units_on_the_fringe_trace_from_the_main_map(game):
    _, fringe, main = city_example(game)
    units = {"h": hq(_hexes_away(game, main, 6)), "x": unit(fringe)}
    pos = situation(game, "german-supply", units, map=None)
    around = supply._within(pos, 1 << pos.where[pos.index["h"]], 6)[0]
    assert around >> pos.ground.grid.hex(main) & 1
    assert supply.trace_hex(pos, pos.where[pos.index["x"]]) == pos.ground.grid.hex(main)


def _hexes_away(game, number: str, length: int) -> str:
    grid = game.map.grid
    ground = game.ground(game.map)
    seen = frontier = 1 << grid.hex(number)
    for _ in range(length):
        new = 0
        for h in grid.members(frontier):
            for d, b in enumerate(grid.neighbours(h)):
                if b >= 0 and ground.german_supply_sides[d] >> h & 1 and ground.main >> b & 1:
                    new |= 1 << b
        frontier = new & ~seen
        seen |= new
    return grid.number(grid.members(frontier)[-1])


@pytest.mark.case("assault-*", "11.53")
def test_germans_in_the_interior_count_the_fringe_hex_first(game):
    """Five more hexes from the fringe to the HQ are in, six are not; on the inset any length will do."""
    interior, _, main = city_example(game)
    for distance, expected in ((5, True), (6, False)):
        units = {"h": hq(_hexes_away(game, main, distance)), "x": unit(interior)}
        pos = situation(game, "german-supply", units, map=None)
        index = pos.index["h"]
        inner = supply._within(pos, 1 << pos.where[index], 5)[0] & 1 << pos.ground.grid.hex(main)
        assert bool(inner) == expected


@pytest.mark.case("assault-leningrad", "11.53")
def test_a_headquarters_in_the_city(leningrad):
    """Both on the inset: any length between them; the HQ's own line counts the fringe hex first."""
    units = {"HQ2": {"hex": "J5", "supply": "trace"}, "11ID": {"hex": "G4", "supply": "trace"}}
    pos = situation(leningrad, "german-supply", units, map=None)
    assert pos.supply("HQ2")
    assert pos.supply("11ID")
    cut = {**units, "177RD": "0419", "191RD": "0319", "70RD": "0420", "90RD": "0218", "111RD": "0119", "237RD": "0120"}
    assert not situation(leningrad, "german-supply", cut, map=None).supply("HQ2")


@pytest.mark.case("assault-leningrad", "11.14")
def test_leningrad_is_a_source_only_through_free_interior_hexes(leningrad):
    """With Germans on the inset a path must reach an interior hex out of German zones."""
    free = {"1ID": "0618", "90RD": {"hex": "0320", "supply": "trace"}}
    assert situation(leningrad, "german-supply", free, map=None).supply("90RD")
    pos = situation(leningrad, "german-supply", {"1ID": "J5", "90RD": {"hex": "0419", "supply": "trace"}}, map=None)
    hexes = supply._soviet_hexes(pos)
    interior = pos.ground.interior & hexes
    assert not interior & pos.lay(0).zone
    assert not pos.ground.capital & hexes


@pytest.mark.case("assault-stalingrad", "19.34")
def test_supply_over_the_volga(stalingrad):
    ground = stalingrad.ground(stalingrad.map)
    grid = ground.grid
    city, bank = grid.hex("1305"), grid.hex("1304")
    assert ground.barrier[grid.direction(city, bank)] >> city & 1
    assert ground.soviet_supply_sides[grid.direction(city, bank)] >> city & 1
    assert not ground.german_supply_sides[grid.direction(city, bank)] >> city & 1
    away = ground.main & ~ground.capital & ~ground.fringe_main
    for d in range(6):
        assert not ground.soviet_supply_sides[d] & ground.barrier[d] & away
    for d in range(6):
        assert not ground.german_supply_sides[d] & ground.barrier[d]


@pytest.mark.case("assault-stalingrad", "11.46", "19.34")
def test_workers_need_no_line_in_the_city_hexes_of_the_main_map(stalingrad):
    """Cut off from the far bank a division is out of supply; a worker unit beside it never is."""
    ground = stalingrad.ground(stalingrad.map)
    around = ground.numbers(ground.grid.ring(ground.capital) & ground.land & ~ground.capital)
    units = {f"g{n}": german(number) for n, number in enumerate(around)}
    units |= {"s": soviet("1305", supply="trace"), "w": soviet("1305", "1-C", type="worker", supply="trace")}
    pos = situation(stalingrad, "german-supply", units, map=None)
    assert not pos.supply("s")
    assert pos.supply("w")
    assert pos.supply("w").case == "11.46"


@pytest.mark.case("assault-stalingrad", "19.34", "19.52")
def test_the_city_may_have_to_live_by_its_ferries(stalingrad):
    units = {"s": soviet("H4", supply="trace"), "g": german("I6", "8-A", movement=6)}
    options = {"city-lives-by-ferry": True}
    pos = situation(stalingrad, "german-supply", units, map=None, options=options)
    assert pos.supply("s")
    ring = {f"g{n}": german(h, "8-A") for n, h in enumerate(("G4", "I4", "H5", "H3"), 1)}
    cut = situation(stalingrad, "german-supply", {**units, **ring}, map=None, options=options)
    assert not cut.supply("s")
    assert situation(stalingrad, "german-supply", {**units, **ring}, map=None).supply("s")


@pytest.mark.case("assault-*", "11.21", "11.22", "11.23")
def test_marked_units_are_shown_and_held(game):
    units = {"x": german("0515", type="panzer", movement=8, supply="out"), "h": hq("0503")}
    pos = situation(game, "german-mechanized-movement", units, map=field(game))
    assert refused(pos, "move x 0514") == "11.22"
    shown = {c.id: c.states for c in pos.table().counters}
    assert "unsupplied" in shown["x"]


@pytest.mark.case("assault-leningrad", "11.51", "11.15")
@pytest.mark.parametrize("spot", ["K7", "0420"])
def test_supply_on_the_fringe_is_that_of_the_main_map_hex(leningrad, spot):
    units = {
        "HQ41": {"hex": "0722", "supply": "trace"}, "1/1": {"hex": spot, "supply": "trace"},
        "s": soviet("0421", "4-A"),
    }  # fmt: skip
    pos = situation(leningrad, "german-supply", units, map=None)
    assert "0420" in pos.zoc("soviet")
    assert pos.supply("1/1").supplied


@pytest.mark.case("assault-leningrad", "11.21", "6.13", "8.33")
def test_one_hex_out_of_supply_after_a_summons(leningrad):
    units = {"1/1": {"hex": "0420", "supply": "out"}, "4V": "0320"}
    pos = situation(leningrad, "german-movement", units, map=None)
    assert refused(pos, "move 1/1 K6") == "8.33"
    assert refused(pos, "move 1/1 K7-K6") == "8.33"
    pos = pos.play("move 1/1 K7").play("transfer 4V J4").play("end")
    assert pos.why_not("move 1/1 K7-K6") is None
    assert "move 1/1 K6" in texts(pos)
    assert refused(pos, "move 1/1 K7-K6-K5") == "11.21"
    assert pos.play("move 1/1 K6").document()["units"]["1/1"]["hex"] == "K6"


@pytest.mark.case("assault-*", "11.34", "11.35", "11.12")
def test_a_cut_line_names_the_case_that_cuts_it(game):
    units = {
        "hq": german("0606", "0-C", type="hq", corps="9", supply="trace"),
        "a": german("0604", corps="9", supply="trace"), "b": german("0804", corps="8", supply="trace"),
    }  # fmt: skip
    pos = situation(game, "german-supply", units, map={"blank": [30, 30]})
    assert [pos.supply(unit).case for unit in units] == ["11.35", "11.35", "11.34"]
    assert not any(pos.supply(unit).supplied for unit in units)


@pytest.mark.case("assault-leningrad", "11.12", "11.42")
def test_a_unit_marked_out_stays_so_in_a_fortification_until_the_next_check(leningrad):
    pos = situation(leningrad, "soviet-movement", {"90RD": {"hex": "0421", "supply": "out"}}, map=None)
    told = pos.supply("90RD")
    assert (told.supplied, told.case) == (False, "11.12")
    assert "until the next check" in told.message


@pytest.mark.case("assault-*", "11.36")
def test_an_eliminated_headquarters_comes_back_in_the_movement_phase(game):
    hq = "HQ56" if game.id == "assault-leningrad" else "HQ51"
    pos = situation(game, "german-movement", {hq: {"eliminated": True}}, map=None)
    entry = "3830" if game.id == "assault-leningrad" else "1426"
    assert pos.why_not(f"enter {hq} {entry}") is None
    assert game.position(pos.document()).document() == pos.document()
