"""Advice and reckoning: orders that can be given, odds that are the engine's, nothing that the side may not know."""

import random

import pytest

import ladoga
from ladoga.analysis.advice import advice
from ladoga.analysis.promise import promised
from ladoga.analysis.reckoning import reckon
from ladoga.kernel.orders import Role
from ladoga.players import make
from ladoga.players.tuning import tuning

from .conftest import first_move


def test_advice_can_be_followed_and_is_given_to_the_side_to_move_only(moving):
    side = moving.to_move
    other = next(s for s in moving.game.sides if s != side)
    assert advice(moving.view(other), 1.0) == []
    found = advice(moving.view(side), 1.5)
    assert found
    for counsel in found:
        assert counsel.title
        assert all(end in moving.map.grid for way in counsel.arrows for end in way)
        if counsel.orders:
            order = moving.game.parse(counsel.orders[0])
            if moving.game.role(order) is not Role.GO:
                assert moving.why_not(order) is None, counsel
        assert 0 <= counsel.falls <= 1
        assert 0 <= counsel.unhurt <= 1


def test_advice_says_that_an_attack_must_be_made():
    """Soviets next to Germans attack on turn 1 (17.3): no attack is to be left alone then, whatever its odds."""
    weak = {"side": "soviet", "type": "infantry", "attack": 1, "defence": 1, "movement": 5}
    units = {"x": weak | {"hex": "0312"}, **{unit: {"hex": "0211"} for unit in ("1", "11", "21")}}
    at = {"game": "leningrad-1979", "turn": 1, "phase": "soviet-combat", "units": units}
    first, *others = advice(ladoga.load("leningrad-1979").position(at).view("soviet"), 60.0)
    assert (first.kind, first.title) == ("order", "An attack must be made")
    assert first.text == "x in 0312 must attack (17.3)"
    assert [counsel.kind for counsel in others if counsel.hex == "0211"] == ["attack"]


def test_advice_depends_on_nothing_hidden(moving):
    """Two positions that look alike to a side get the same warnings."""
    side = moving.to_move
    twin = moving.view(side).imagine(random.Random(77))
    one, two = (advice(p.view(side), 1.0) for p in (moving, twin))
    kinds = ("reach", "road")
    assert [c.title for c in one if c.kind in kinds] == [c.title for c in two if c.kind in kinds]


def test_reckoning_speaks_with_the_engines_odds(moving):
    side, grid = moving.to_move, moving.map.grid
    view = moving.view(side)
    own = [c for c in view.table().counters if c.side == side and c.hex and c.figures[:1] not in ("", "0", "(")]
    foes = {c.hex for c in view.table().counters if c.side != side and c.hex}
    if not own:
        return
    pairs = [(grid.distance(grid.hex(c.hex), grid.hex(h)), h, c.id) for h in foes for c in own]
    _, hex_, unit = min(p for p in pairs if p[0] is not None)
    found = reckon(view, hex_, [unit])
    assert found.told is not None or found.refused
    if found.told is not None:
        assert sum(p for _, p in found.told.results) == 1
        theirs = sum(c.steps for c in view.table().counters if c.hex == hex_ and c.side != side)
        assert found.promise == promised(tuning(moving.game.id).results, found.told, theirs)
        strengths = [rung.strength for rung in found.ladder]
        assert strengths == sorted(strengths)
        assert found.column in {rung.column for rung in found.ladder}
    assert reckon(view, "9999", [unit]).refused == "there is no such hex"


def test_a_wanted_column_names_the_smallest_ways_to_it():

    position = first_move("leningrad-1979")
    view = position.view("german")
    one = reckon(view, "0211", ["1/41"])
    wanted = one.ladder[-1].column
    found = reckon(view, "0211", ["1/41"], wanted)
    assert found.ways
    for way in found.ways:
        again = reckon(view, "0211", ["1/41", *way.units])
        assert again.column == wanted


FIELD = {
    "game": "leningrad-1979", "turn": 4, "phase": "german-movement",
    "map": {"blank": [10, 8], "places": {"0101": ["german-supply"], "1008": ["soviet-supply"]}},
    "units": {
        "12": {"hex": "0504"}, "1/41": {"hex": "0504"}, "30": {"hex": "0505"},
        "x1": {"side": "soviet", "type": "infantry", "attack": 4, "defence": 3, "movement": 5, "hex": "0604"},
    },
}  # fmt: skip


def test_air_units_are_reckoned_with_and_are_a_way_to_a_column():
    view = ladoga.load("leningrad-1979").position(FIELD).view("german")
    alone, aided = reckon(view, "0604", ["12"]), reckon(view, "0604", ["12"], air=1)
    assert (alone.air, alone.most_air, aided.air) == (0, 1, 1)
    assert aided.column != alone.column
    way = reckon(view, "0604", ["12"], aided.column).ways[0]
    assert (way.air, way.units) == (1, ())


SHELF = {
    "game": "assault-leningrad", "turn": 4, "phase": "german-combat", "map": {"blank": [10, 8]}, "support-left": 1,
    "units": {
        "121ID": {"hex": "0504"},
        "x1": {"side": "soviet", "type": "infantry", "combat": 4, "movement": 5, "class": "C", "hex": "0604"},
    },
}  # fmt: skip


@pytest.mark.case("assault-leningrad", "12.52")
def test_an_air_unit_kept_over_the_hex_is_reckoned_with():
    view = ladoga.load("assault-leningrad").position(SHELF).view("german")
    alone, aided = reckon(view, "0604", ["121ID"]), reckon(view, "0604", ["121ID"], air=1)
    assert (alone.most_air, aided.refused) == (1, "")
    assert "12.52" not in [m.case for m in alone.told.modifiers]
    assert [m.amount for m in aided.told.modifiers if m.case == "12.52"] == [1]
    assert aided.promise.falls >= alone.promise.falls
    none_left = ladoga.load("assault-leningrad").position({**SHELF, "support-left": 0}).view("german")
    assert reckon(none_left, "0604", ["121ID"]).most_air == 0


@pytest.mark.case("assault-leningrad", "10.21")
def test_others_help_where_one_alone_may_not_attack():
    units = {
        **SHELF["units"], "122ID": {"hex": "0503"},
        "x1": {"side": "soviet", "type": "infantry", "combat": 60, "movement": 5, "class": "C", "hex": "0604"},
    }  # fmt: skip
    units["x2"] = {"side": "german", "type": "infantry", "combat": 40, "movement": 5, "class": "A", "hex": "0505"}
    view = ladoga.load("assault-leningrad").position({**SHELF, "units": units}).view("german")
    found = reckon(view, "0604", ["121ID"])
    assert found.column in ("", "below 1:3")
    assert {rung.column for rung in found.ladder} - {"below 1:3"}, "what it takes is told all the same"


def test_an_attack_can_be_reckoned_while_another_is_carried_out():
    """Nothing that is in hand at the table lies on the sheet."""
    position, rng, player = first_move("leningrad-1979"), random.Random(4), make("greedy")
    while "fight" not in position.document() or position.chance:
        order = position.legal.random(rng) if position.chance else player.choose(position.view(position.to_move), rng)
        position = position.play(order)
    view = position.view("german")
    found = reckon(view, "0211", ["1/41"])
    assert found.column, found.refused


def test_air_units_that_are_counters_join_like_units():
    position = first_move("tijvin-1941")
    view = position.view("german")
    wings = {c.id for c in view.table().counters if c.symbol == "air"}
    found = next(
        told
        for c in view.table().counters
        for foe in sorted({f.hex for f in view.table().counters if f.side == "soviet" and f.hex})
        if c.side == "german" and c.hex and c.id not in wings
        if (told := reckon(view, foe, [c.id])).most_air
    )
    aided = reckon(view, found.hex, found.units, air=1)
    assert aided.refused == ""
    assert "air unit" in " ".join(m.label for m in aided.told.modifiers)
    assert "air unit" not in " ".join(m.label for m in found.told.modifiers)


def test_an_overrun_is_reckoned_as_one_stack_that_strikes_while_it_moves():
    view = ladoga.load("leningrad-1979").position(FIELD).view("german")
    attack, overrun = reckon(view, "0604", ["1/41"]), reckon(view, "0604", ["1/41"], overrun=True)
    assert overrun.overruns
    assert overrun.told is not None
    assert overrun.told.title == "Overrun of 0604"
    assert overrun.column != attack.column, "an overrun is shifted"
    assert not reckon(first_move("tijvin-1941").view("german"), "0303", [], overrun=True).overruns
