"""The two editions side by side: every difference between the rulebooks, in both directions.

Each test puts the same situation to both editions. Where a row differs, a change of either
edition's behaviour towards the other fails; where the books only word a rule differently, the
test holds both to the same answer. The names D01 to D40 number the differences in the order of
the second edition's rulebook; ``docs/editions.md`` tells them to players.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ladoga
from ladoga.games import leningrad

from .field import (
    FIRST,
    SECOND,
    cost,
    field,
    german,
    left,
    net,
    orders,
    panzer,
    play,
    refused,
    soviet,
    tank,
    where,
)  # fmt: skip

BOTH = (FIRST, SECOND)


def either(first: Any, second: Any) -> Any:
    """Runs a test for both editions with what each of them expects."""
    return pytest.mark.parametrize(("game", "expected"), [(FIRST, first), (SECOND, second)])


def alike(expected: Any) -> Any:
    return either(expected, expected)


def cases(first: str, second: str) -> Any:
    """Marks a test with the case of each edition."""

    def mark(test: Any) -> Any:
        for game, numbers in ((FIRST, first), (SECOND, second)):
            test = pytest.mark.case(game, *numbers.split())(test)
        return test

    return mark


def on_map(game: str, phase: str, units: dict[str, Any], turn: int = 4, **state: Any) -> Any:
    entries = {name: {"hex": entry} if isinstance(entry, str) else entry for name, entry in units.items()}
    loaded: Any = ladoga.load(game)
    return loaded.position({"game": game, "turn": turn, "phase": phase, "units": entries, **state})


def entries(position: Any, unit: str) -> set[str]:
    return {o.hexes[0] for o in position.legal.of(unit) if o.verb == "enter" and o.units == (unit,)}


# Set-up and counters --------------------------------------------------------------------------------


@cases("8.2 10.9 11.3 13.5 15.4 16.6 17.1 18.2", "8.1 8.48 9.3 11.5 13.4 14.6 15.1 16.2")
def test_d01_chapters_are_renumbered():
    first, second = (ladoga.load(game).edition for game in BOTH)
    same = "4.6 5.0 6.1 7.3"
    moved = {"8.2": "8.1", "8.5": "8.21", "9.4": "8.33", "10.7": "8.47", "10.9": "8.48", "11.3": "9.3", "12.1": "10.1",
             "13.5": "11.5", "14.1": "12.1", "15.4": "13.4", "16.6": "14.6", "17.3": "15.2", "17.4": "15.3",
             "18.2": "16.2"}  # fmt: skip
    for number in same.split():
        assert first.case(number) == second.case(number) == number
    for number, now in moved.items():
        assert first.case(number) == number
        assert second.case(number) == now
    assert set(second.index.renumbered.values()) <= set(second.cases)


@cases("1.0", "1.0")
@either((17, {"0111", "0112", "0113"}, False), (18, set(), True))
def test_d02_german_set_up(game, expected):
    infantry, fixed, free = expected
    loaded: Any = ladoga.load(game)
    start = loaded.start()
    germans = {n: e for n, e in start.document()["units"].items() if n in loaded.units and "hex" in e}
    assert {e["hex"] for e in germans.values()} == fixed
    named = list(germans) or loaded.edition.scenario.free_german.units
    assert Counter(loaded.units[n].type for n in named) == {"infantry": infantry, "armor": 3, "mechanized": 3}
    assert ("german-set-up" in [phase.id for phase in loaded.phases]) == free


@cases("1.0", "1.0")
@either(11, 10)
def test_d03_soviet_set_up(game, expected):
    start = ladoga.load(game).start()
    standing = [n for n, e in start.document()["units"].items() if "hex" in e and n[0] == "i"]
    assert len(standing) == expected
    assert {o.hexes[0][:2] for o in start.legal} == {str(row) for row in range(13, 20)}
    again = start.play("place i12 1309")
    assert refused(again, "place i13 1308") == "1.0"


@cases("2.4", "2.0")
@either(
    {("soviet", "infantry"): 43, ("soviet", "armored"): 12, ("german", "infantry"): 23, ("german", "armored"): 8},
    {("soviet", "infantry"): 46, ("soviet", "armored"): 15, ("german", "infantry"): 24, ("german", "armored"): 8},
)
def test_d04_counters(game, expected):
    units = ladoga.load(game).units
    kinds = Counter((u.side, "infantry" if u.type == "infantry" else "armored") for u in units.values())
    assert kinds == expected
    assert ("207" in units) == (game == SECOND)


@cases("2.5", "2.5")
@either({"infantry": {6}, "armor": {10}, "mechanized": {8}},
        {"infantry": {5, 6, 7, 8}, "armor": {10, 11, 12}, "mechanized": {7, 8, 10}})  # fmt: skip
def test_d05_german_strengths(game, expected):
    found: dict[str, set[int]] = {}
    for unit in ladoga.load(game).units.values():
        if unit.side == "german":
            found.setdefault(unit.type, set()).add(unit.attack)
    assert found == expected


# Forts, movement, stacking ----------------------------------------------------------------------------


@cases("15.0 3.0", "13.0 3.0")
@either(True, False)
def test_d06_fort_radius(game, expected):
    """2709 is four hexes from Pushkin 2605 but five from 2604."""
    position = on_map(game, "soviet-fortification", {"i1": "2906", "1": "0112"})
    assert ("fort 2709" in position.legal) == expected
    assert "fort 2708" in position.legal


@cases("15.0", "13.0")
@either(False, True)
def test_d06_fort_supply_from_any_source(game, expected):
    """With the city lost, 2906 feeds forts only where any source will do."""
    units = {"1": "2505", "11": "2604", "12": "2605", "21": "2705", "i1": "2806"}
    position = on_map(game, "soviet-fortification", units)
    assert ("fort 2806" in position.legal) == expected


@cases("15.0", "13.6")
@either("15.0", "13.6")
def test_d06_forts_in_enemy_zones(game, expected):
    units = {"1": "2407", "i1": "2506", "i2": "2906"}
    assert refused(on_map(game, "soviet-fortification", units), "fort 2406") == expected
    assert "fort 2406" in on_map(game, "soviet-fortification", units | {"i3": "2406"}).legal


@cases("15.2 4.9", "13.2 4.4")
@either((2, 4, Fraction(1)), (3, 4, Fraction(5, 2)))
def test_d07_empty_forts(game, expected):
    clear, hill, road = expected
    units = {"x1": german("0504"), "e1": soviet("1209")}
    assert cost(field("german-movement", units, game=game, forts=["0505"]), "x1", "0505") == clear
    on_hill = field("german-movement", units, game=game, forts=["0505"], hexes={"0505": "hill"})
    assert cost(on_hill, "x1", "0505") == hill
    tanks = {"x1": panzer("0504"), "e1": soviet("1209")}
    assert cost(field("german-movement", tanks, game=game, forts=["0505"], roads="0504 0505"), "x1", "0505") == road


@cases("15.2 11.6", "13.2 9.6")
@alike(True)
def test_d07_empty_forts_double_supply_in_both(game, expected):
    wall = [f"{c:02}03" for c in range(1, 13)]
    position = field("german-movement", {"x1": german("0105"), "x2": german("0106"), "e1": soviet("1209")}, game=game,
                     hungry="x1 x2", places={"0101": ["german-supply"]}, forts=wall)  # fmt: skip
    assert bool(position.supply("x1")) == expected
    assert not position.supply("x2")


@cases("4.6", "4.6")
@either(False, True)
def test_d08_transit_through_full_hexes(game, expected):
    units = {"x1": german("0504"), **{f"y{n}": german("0505") for n in (1, 2, 3)}, "e1": soviet("1209")}
    position = field("german-movement", units, game=game)
    assert ("move x1 0505-0506" in position.legal) == expected
    assert ("move x1 0505" in position.legal) == expected
    if expected:
        assert position.play("move x1 0505").play("end").to_move == "soviet", "counted when the phase ends"
    else:
        assert refused(position, "move x1 0505-0506") == "4.6"


@cases("4.9", "2.2")
@either({"swamp": (2, 2), "hill": (2, 2), "woods": (1, 1)}, {"swamp": (2, 3), "hill": (2, 2), "forest": (2, 2)})
def test_d09_terrain(game, expected):
    for terrain, (infantry, armor) in expected.items():
        for unit, points in ((german("0504"), infantry), (panzer("0504"), armor)):
            position = field("german-movement", {"x1": unit, "e1": soviet("1209")}, game=game, hexes={"0505": terrain})
            assert cost(position, "x1", "0505") == points, terrain


@cases("4.9", "2.2")
@either((2, 4), (2, 3))
def test_d09_rivers(game, expected):
    """Doubling or one point more: the same on clear ground, not in a swamp."""
    for terrain, points in zip(("clear", "swamp"), expected, strict=True):
        units = {"x1": german("0504", left="6"), "e1": soviet("1209")}
        position = field("german-movement", units, game=game, hexes={"0505": terrain}, origin="0504",
                         sides={"0504/0505": ["river"]}).play("move x1 0505-0506")  # fmt: skip
        assert left(position, "x1") == 6 - points - 1


# Overrun and combat -----------------------------------------------------------------------------------


@cases("7.3 7.0", "7.3")
@either((3, 3, 3), (3, 4, 2))
def test_d10_price_of_an_overrun(game, expected):
    clear, hill, clear_turn_1 = expected
    units = {"x1": panzer("0505"), "e1": soviet("0506")}
    assert left(field("german-movement", units, game=game).play("overrun x1 0506"), "x1") == 8 - clear
    on_hill = field("german-movement", units, game=game, hexes={"0506": "hill"})
    assert left(on_hill.play("overrun x1 0506"), "x1") == 8 - hill
    assert left(field("german-movement", units, game=game, turn=1).play("overrun x1 0506"), "x1") == 8 - clear_turn_1


@cases("7.6 10.9", "7.6 8.48")
@alike({"advance x1 0506", "advance x1 0506-0507"})
def test_d11_two_hex_advance_after_an_overrun(game, expected):
    units = {"x1": german("0505", 28, 8), "e1": soviet("0506")}
    position = play(field("german-movement", units, game=game), "overrun x1 0506", "die 5", "retreat e1 0507-0508")
    assert orders(position, "advance") == expected
    assert left(position.play("advance x1 0506-0507"), "x1") == 5


@cases("8.4", "7.8 8.2")
@alike((8, 4))
def test_d12_displaced_units(game, expected):
    overrun, attack = expected
    units = {"x1": german("0506", 28), "e1": soviet("0507"), "e2": soviet("0507", displaced=True)}
    moving = field("german-movement", units, game=game)
    assert moving.explain("overrun x1 0507").defence == ((overrun, 1),)
    fighting = field("german-combat", units, game=game)
    assert fighting.explain("attack x1 0507").defence == ((attack, 1),)


@cases("9.2", "8.32")
@alike("10-1")
def test_d13_initial_ratios_beyond_the_table(game, expected):
    position = field("german-combat", {"x1": german("0504", 26), "e1": soviet("0505", 4, 2)}, game=game,
                     places={"0505": ["city"]})  # fmt: skip
    ((name, _),) = position.explain("attack x1 0505").columns
    assert name == expected, "13-1 less one is still off the table"


@cases("9.1", "8.31")
@either("9.1", "8.31")
def test_d14_announcing(game, expected):
    units = {"x1": german("0504"), "i1": "0505"}
    position = field("german-combat", units, game=game)
    assert refused(position.play("target 0505"), "commit") == expected
    assert position.play("attack x1 0505").to_move == "chance", "named first, revealed then"


@cases("10.7 10.8", "8.47")
@either(("10.7", "10.8"), ("8.47", "8.47"))
def test_d15_retreats(game, expected):
    unsafe, occupied = expected
    units = {"x1": german("0504", 16), "e1": soviet("0505"), "e2": soviet("0506")}
    position = play(field("german-combat", units, game=game), "attack x1 0505", "die 4")
    assert orders(position, "retreat") == {"retreat e1 0405", "retreat e1 0605"}
    assert refused(position, "retreat e1 0404") == unsafe
    assert refused(position, "retreat e1 0506") == occupied
    both = play(field("german-combat", {"x1": german("0504", 4), "e1": soviet("0505")}, game=game),
                "attack x1 0505", "die 4", "retreat e1 0506-0507")  # fmt: skip
    assert refused(both, "retreat x1 0604-0705") == unsafe, "measured from 0505, where the defender stood"


@cases("9.6", "2.6")
@either({"hill": -1, "swamp": -1, "woods": 0}, {"hill": -2, "swamp": -1, "forest": -1})
def test_d16_terrain_shifts(game, expected):
    for terrain, columns in expected.items():
        units = {"x1": german("0504", 12), "e1": soviet("0505")}
        assert net(field("german-combat", units, game=game, hexes={"0505": terrain}), "attack x1 0505") == columns


# Supply, armor, air, untried units ----------------------------------------------------------------------


@cases("11.0", "9.0")
@either(True, False)
def test_d17_infantry_lines_on_loose_roads(game, expected):
    """Four road hexes and two clear ones: 2 + 2 at the armor rate, 4 + 2 at its own."""
    position = field("german-movement", {"x1": german("0107"), "e1": soviet("1209")}, game=game, hungry="x1",
                     places={"0101": ["german-supply"]}, roads="0107 0106 0105 0104 0103")  # fmt: skip
    assert bool(position.supply("x1")) == expected


@cases("11.0", "9.0")
@alike(True)
def test_d17_cities_at_the_armor_rate_for_everybody(game, expected):
    position = field("german-movement", {"x1": german("0107"), "e1": soviet("1209")}, game=game, hungry="x1",
                     places={"0101": ["german-supply"], "0106": ["city"], "0105": ["city"]})  # fmt: skip
    assert bool(position.supply("x1")) == expected


@cases("11.5", "9.5")
@either(({"0111", "0112", "0113"}, {"2713", "2906", "2908"}), ({f"00{r:02}" for r in range(7, 14)}, {"2906", "2911"}))
def test_d18_sources(game, expected):
    german_hexes, soviet_edge = expected
    game_map = ladoga.load(game).map
    places = {n: game_map.places_of(game_map.grid.hex(n)) for n in game_map.grid.numbers}
    assert {n for n, words in places.items() if "german-supply" in words} == german_hexes
    everywhere = {"2505", "2604", "2605", "2705", "1601", "0908"}
    assert {n for n, words in places.items() if "soviet-supply" in words} == everywhere | soviet_edge


@cases("12.2", "10.2")
@either(False, True)
def test_d19_attacking_armor(game, expected):
    units = {"x1": panzer("0504"), "e1": soviet("0505")}
    river = field("german-combat", units, game=game, sides={"0504/0505": ["river"]})
    assert net(river, "attack x1 0505") == 0, "one for armor, one against for the river"
    on_hill = field("german-combat", units, game=game, hexes={"0505": "swamp"})
    assert net(on_hill, "attack x1 0505") == -1
    assert ("armor-attacks" in ladoga.load(game).options) == expected, "only here the words leave a choice"


@cases("14.1 14.2", "12.1")
@alike(True)
def test_d20_revealed_units_stay_revealed(game, expected):
    position = field("german-combat", {"x1": german("0504", 1), "a1": "0505"}, game=game)
    position = position.play("attack x1 0505")
    drawn = {ladoga.load(game).units[o.words[0]].type for o, _ in position.chance.outcomes}
    assert drawn == {"armor", "mechanized"}
    position = play(position, "draw 42td", "die 1")
    while position.turn < 6:
        position = position.play("end")
    assert (where(position, "42td") == "0505") == expected


# Reinforcements and regeneration --------------------------------------------------------------------


@cases("16.0 11.1", "14.0 9.1")
@either(3, 7)
def test_d21_reinforcements_enter_in_supply(game, expected):
    """No source far and wide: half of eight less the entry hex, or all eight less it."""
    units = {"12/39": {"due": "german-10"}, "x1": german("0101"), "e1": soviet("0113")}
    position = field("german-movement", units, game=game, turn=10, size=(29, 13)).play("enter 12/39 2213")
    assert left(position, "12/39") == expected


@cases("16.0", "14.0")
@either((32, 8, ("34th", 7, "2713"), "2213"), (29, 11, ("34th", 8, "2911"), "2113 2213 2313"))
def test_d22_schedules(game, expected):
    infantry, armored, army, corps = expected
    arrivals = ladoga.load(game).edition.scenario.arrivals
    soviets = [a for a in arrivals if a.side == "soviet"]
    assert (sum(a.infantry for a in soviets), sum(a.armor for a in soviets)) == (infantry, armored)
    (bonus,) = [a for a in soviets if a.bonus]
    assert (bonus.turn, bonus.entry, bonus.infantry) == (army[1], army[2], 6)
    assert next(a.entry for a in arrivals if "12/39" in a.units) == corps


@cases("16.3 16.5", "14.3 14.5")
@alike({"soviet-1-infantry", "soviet-1-armor"})
def test_d23_only_turn_1_may_not_be_delayed(game, expected):
    arrivals = ladoga.load(game).edition.scenario.arrivals
    assert {a.id for a in arrivals if a.prompt} == expected
    held = on_map(game, "soviet-movement", {"i40": {"due": "soviet-5-infantry"}, "1": "0112", "i1": "1809"}, turn=5)
    assert "end" in held.legal


@cases("16.4", "14.4")
@alike({"2705"})
def test_d24_all_of_leningrad_must_fall(game, expected):
    city = {"11": "2505", "12": "2604", "21": "2605", "i40": {"due": "soviet-10-infantry"}}
    assert entries(on_map(game, "soviet-movement", city, turn=10), "i40") == expected
    lost = on_map(game, "soviet-movement", city | {"30": "2705"}, turn=10)
    assert entries(lost, "i40") == {"2301", "2401", "2501", "2601", "2701", "2801"}


def reduced(at: str, **more: Any) -> dict[str, Any]:
    return german(at, 12, steps=1, since=2, **more)


@cases("16.6", "14.6")
@either(False, True)
def test_d25_soviet_cities(game, expected):
    units = {"x1": reduced("0505"), "e1": soviet("1209")}
    position = field("german-replacement", units, game=game, places={"0505": ["soviet-city"]})
    assert "rebuild x1" in position.legal
    assert ("rebuild-in-soviet-cities" in ladoga.load(game).options) == expected, "only here the words leave a choice"


@cases("16.8", "14.8")
@either((True, 0), (False, -3))
def test_d26_three_a_hex_or_three_a_phase(game, expected):
    fourth_elsewhere, margin = expected
    units = {f"x{n}": reduced("0505") for n in (1, 2, 3)} | {"x4": reduced("0707"), "e1": soviet("1209")}
    places = {"0505": ["city"], "0707": ["city"]}
    position = play(field("german-replacement", units, game=game, places=places), "rebuild x1", "rebuild x2")
    position = position.play("rebuild x3")
    assert ("rebuild x4" in position.legal) == fourth_elsewhere
    whole = {e.label: e.points for e in position.standing.ledger if "replacements" in e.label}
    assert -sum(whole.values()) == margin, "a point each in the second edition"


@cases("16.9", "14.9")
@either(True, False)
def test_d27_combat_breaks_it_off(game, expected):
    units = {"x1": reduced("0505"), "e1": soviet("0506", 4, 1)}
    position = field("german-combat", units, game=game, turn=3, places={"0505": ["city"]})
    position = play(position, "attack x1 0506", "die 6", "end", "end")
    while position.turn == 3:
        position = position.play("end")
    assert ("rebuild x1" in position.legal) == expected
    moved = field("german-movement", units | {"e1": soviet("1209")}, game=game, turn=3, places={"0505": ["city"]})
    moved = play(moved, "move x1 0504", "move x1 0505")
    while moved.turn == 3:
        moved = moved.play("end")
    assert "rebuild x1" not in moved.legal, "moving does in both"


@cases("16.6", "14.10")
@either("16.6", "14.10")
def test_d28_nobody_returns(game, expected):
    units = {"1/41": {"eliminated": True}, "x1": reduced("0505"), "e1": soviet("1209")}
    position = field("german-replacement", units, game=game, places={"0505": ["city"]})
    assert refused(position, "rebuild 1/41") == expected
    assert refused(position, "rebuild e1") == expected


# Surprise and victory ---------------------------------------------------------------------------------


@cases("17.3", "15.2")
@either("17.3", "15.2")
def test_d29_forced_attacks(game, expected):
    units = {"x1": soviet("0504"), "x2": soviet("0604"), "e1": german("0505"), "e2": german("0503")}
    position = field("soviet-combat", units, game=game, turn=1, air_used=1)
    assert refused(position, "end") == expected
    assert refused(position, "attack x1 0505") == expected
    assert "attack x1+x2 0505" in position.legal


@cases("17.4", "15.3")
@either((7, 4, -2), (8, 4, 2))
def test_d30_the_counterattack(game, expected):
    """Four columns on its turn; for overruns, already two to the left, only in the second edition."""
    turn, attack, overrun = expected
    units = {"x1": soviet("0504", 12), "e1": german("0505", 6)}
    assert net(field("soviet-combat", units, game=game, turn=turn, on_time=6), "attack x1 0505") == attack
    assert net(field("soviet-movement", units, game=game, turn=turn, on_time=6), "overrun x1 0505") == overrun
    other = 15 - turn
    assert net(field("soviet-combat", units, game=game, turn=other, on_time=6), "attack x1 0505") == 0


@cases("17.4", "15.3")
@either({7: "2713", 8: "2908", 9: "2906"}, {8: "2911", 9: "2906 2911", 10: "2906 2911"})
def test_d30_late_entry_of_the_army(game, expected):
    due = next(a.id for a in ladoga.load(game).edition.scenario.arrivals if a.bonus)
    for turn, hexes in expected.items():
        position = on_map(game, "soviet-movement", {"i40": {"due": due}, "1": "0112", "i1": "1809"}, turn=turn)
        assert entries(position, "i40") == set(hexes.split())


@cases("18.1", "16.1")
@either((0, 0, 4, 15, 0), (1, 3, 4, 15, 7))
def test_d31_soviet_points(game, expected):
    infantry, infantry_lost, mechanized, armor_lost, rebuilt = expected
    spare = {"i1": "2801"}
    for units, worth in (({"1": {"hex": "0112", "steps": 1}}, infantry), ({"1": {"eliminated": True}}, infantry_lost),
                         ({"36/41": {"hex": "0112", "steps": 1}}, mechanized),
                         ({"1/41": {"eliminated": True}}, armor_lost)):  # fmt: skip
        assert on_map(game, "soviet-combat", spare | units, turn=12).standing.margin == -worth
    assert on_map(game, "soviet-combat", spare | {"1": "0112"}, turn=12, rebuilt=7).standing.margin == -rebuilt


@cases("18.2", "16.2")
@either((30, 0), (30, 5))
def test_d32_german_points(game, expected):
    inner, outer = expected
    for number, worth in (("2604", inner), ("2705", inner), ("2505", outer), ("2605", outer)):
        position = on_map(game, "soviet-combat", {"1": number, "i1": "2801"}, turn=12)
        assert position.standing.margin == worth, number


@cases("18.3", "16.3")
@alike([31, 1, -20, -1000000])
def test_d33_levels(game, expected):
    levels = ladoga.load(game).tables.victory.levels
    assert [level.from_ for level in levels] == expected
    assert [level.winner for level in levels] == ["german", "german", "soviet", "soviet"]


@pytest.mark.case(SECOND, "16.4")
@either(False, True)
def test_d34_bidding(game, expected):
    loaded = ladoga.load(game)
    assert ("bid" in loaded.options) == expected
    if expected:
        assert loaded.start(options={"bid": 9}).standing.margin == -9
    else:
        with pytest.raises(ladoga.LadogaError):
            loaded.start(options={"bid": 9})


# The same in both, whatever the words -----------------------------------------------------------------


@cases("5.0", "5.0")
@alike(4)
def test_d35_zones_neither_add_nor_cancel(game, expected):
    units = {"x1": german("0505"), "x2": german("0505"), "e1": soviet("0506"), "e2": soviet("0605")}
    assert cost(field("german-movement", units, game=game), "x1", "0404") == expected


@cases("11.2", "9.2")
@alike(0)
def test_d36_both_sides_unsupplied(game, expected):
    units = {"x1": german("0504", 12), "e1": soviet("0505")}
    assert net(field("german-combat", units, game=game, hungry="x1 e1"), "attack x1 0505") == expected


@cases("12.2 12.3", "10.2 10.3")
@alike((-1, 0))
def test_d37_defending_armor(game, expected):
    anywhere, soviet_city = expected
    units = {"x1": soviet("0504", 12), "e1": panzer("0505")}
    assert net(field("soviet-combat", units, game=game), "attack x1 0505") == anywhere
    city = field("soviet-combat", units, game=game, places={"0505": ["soviet-city"]})
    assert net(city, "attack x1 0505") == soviet_city


@cases("6.1 6.2", "6.1 6.2")
@alike((4, 3, 4))
def test_d38_disengagement(game, expected):
    infantry, armor, soviets = expected
    for phase, units, points in (
        ("german-movement", {"x1": german("0505"), "x2": german("0505"), "e1": soviet("0506")}, infantry),
        ("german-movement", {"x1": panzer("0505"), "x2": german("0505"), "e1": soviet("0506")}, armor),
        ("soviet-movement", {"x1": tank("0505"), "x2": soviet("0505"), "e1": german("0506")}, soviets),
    ):
        assert cost(field(phase, units, game=game), "x1", "0504") == points


@cases("13.1 13.3 13.4", "11.1 11.3 11.4")
@alike((2, 4, 1))
def test_d39_air(game, expected):
    double, quadruple, column = expected
    units = {"x1": soviet("0504"), "e1": german("0101")}
    for air, points in ((1, double), (2, quadruple)):
        position = field("soviet-movement", units, game=game, turn=7, interdiction={"0505": air})
        assert cost(position, "x1", "0505") == points
    fight = field("german-combat", {"x1": german("0504"), "e1": soviet("0505")}, game=game)
    assert net(fight, "attack x1 0505 air 1") == column


@cases("9.5", "2.3")
def test_d40_the_results_table_is_the_same():
    first, second = (ladoga.load(game).tables.results for game in BOTH)
    assert first.columns == second.columns
    assert first.rows == second.rows


def test_no_rule_asks_which_edition_it_is():
    """Differences are figures and choices in the data files, so the chapters name no edition."""
    for file in Path(leningrad.__file__).parent.glob("*.py"):
        text = file.read_text(encoding="utf-8")
        if file.name != "__init__.py":
            assert "leningrad-2010" not in text, file.name
            assert "leningrad-1979" not in text, file.name


@cases("4.5", "4.5")
@alike((0, 5))
def test_stacks_move_alike(game, expected):
    """Not a difference: a panzer on a road with infantry pays its own half points in both editions."""
    units = {"x1": german("0101"), "x2": panzer("0101"), "e1": soviet("1209")}
    road = "0101 0102 0103 0104 0105 0106 0107"
    position = field("german-movement", units, game=game, roads=road).play("move x1+x2 0107")
    assert (left(position, "x1"), left(position, "x2")) == expected
