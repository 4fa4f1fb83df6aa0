"""Chapters 1, 3, 11 and 15 to 18: set-up, sequence, supply, forts, reinforcements, surprise, victory."""

import random

import pytest

import ladoga
from leningrad1979.field import GAME, LEVELS, field, german, orders, refused, shifts, soviet, steps, where

MOVE = "german-movement"
RED_MOVE = "soviet-movement"
COMBAT = "german-combat"
RED = "soviet-combat"


def on_map(units: dict, phase: str, turn: int, **state):
    """A position on the real map."""
    entries = {name: {"hex": entry} if isinstance(entry, str) else entry for name, entry in units.items()}
    return GAME.position({"game": GAME.id, "turn": turn, "phase": phase, "units": entries, **state})


CUT = {"places": {"0111": [], "0112": [], "0113": []}}
"""The map without German sources of supply."""


def set_up(position, rng=None):
    """Place the seven hexrow units."""
    while position.phase.id == "soviet-set-up":
        choices = list(position.legal)
        position = position.play(rng.choice(choices) if rng else choices[0])
    return position


# Chapters 1 and 3 ------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-1979", "1.0", "14.0")
def test_set_up():
    pos = GAME.start()
    stacks = {number: len(pos.stack(pos.ground.grid.hex(number))) for number in ("0111", "0112", "0113")}
    assert stacks == {"0111": 7, "0112": 8, "0113": 8}
    corps = {pos.name(s) for s in pos.stack(pos.ground.grid.hex("0112"))}
    assert {"1/41", "6/41", "36/41", "8/56", "3/56", "TOT/56"} <= corps
    assert where(pos, "i1") == "0205"
    assert where(pos, "i2") == "2204"
    soviets = [c for c in pos.table().counters if c.side == "soviet" and c.hex]
    assert (sum(c.symbol == "infantry" for c in soviets), sum(c.symbol == "armor" for c in soviets)) == (11, 4)
    assert all(c.figures in ("?-5", "?-7") for c in soviets), "strengths unknown to both"
    rows = {text.split()[2][:2] for text in orders(pos)}
    assert rows == {"13", "14", "15", "16", "17", "18", "19"}
    placed = pos.play("place i12 1410")
    assert refused(placed, "place i13 1409") == "1.0", "one in each row"
    assert refused(placed, "place i12 1510") == "1.0"
    assert refused(pos, "place i12 1210") == "1.0"
    begun = set_up(pos)
    assert (begun.phase.id, begun.turn) == (MOVE, 1)


@pytest.mark.case("leningrad-1979", "14.0")
def test_without_recycling_only_eleven_infantry_start():
    pos = GAME.start(options={"recycle": False})
    infantry = [c for c in pos.table().counters if c.side == "soviet" and c.hex and c.symbol == "infantry"]
    assert len(infantry) + 7 == 11
    due = [c for c in pos.table().counters if c.side == "soviet" and c.box.startswith("turn-")]
    assert sum(c.symbol == "infantry" for c in due) == 32
    assert sum(c.symbol == "armor" for c in due) == 8


@pytest.mark.case("leningrad-1979", "3.0")
def test_eight_steps_twelve_turns():
    ids = [phase.id for phase in GAME.phases]
    assert ids == [
        "soviet-set-up", "german-replacement", "german-movement", "german-combat", "german-interdiction",
        "soviet-fortification", "soviet-movement", "soviet-combat", "over",
    ]  # fmt: skip
    pos = on_map({"12": "0111", "i1": "0205"}, "german-replacement", 1)
    seen = []
    while pos.to_move is not None:
        seen.append((pos.turn, pos.phase.id))
        pos = pos.play("end")
    assert [turn for turn, phase in seen if phase == MOVE] == list(range(1, 13))
    assert pos.outcome is not None
    assert refused(pos, "end") == "18.0"
    assert GAME.calendar[0] == "22-28 June"
    assert GAME.calendar[11] == "7-13 September"
    out_of_phase = on_map({"12": "0111", "67rd": "2604"}, COMBAT, 2)
    assert refused(out_of_phase, "move 12 0211") == "4.0"
    assert refused(out_of_phase, "fort 2604") == "3.0"


# Chapter 11 ------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-1979", "11.0")
def test_a_line_is_five_points_long():
    source = {"0404": ["german-supply"]}
    near = field(COMBAT, {"12": "0409"}, size=(8, 12), hungry="12", places=source)
    assert near.supply("12").path == ("0409", "0408", "0407", "0406", "0405", "0404")
    far = field(COMBAT, {"12": "0410"}, size=(8, 12), hungry="12", places=source)
    assert far.supply("12").case == "11.0"
    bog = {f"{column:02}{row}": "swamp" for column in range(1, 9) for row in ("06", "07")}
    swamp = field(COMBAT, {"12": "0409"}, size=(8, 12), hungry="12", places=source, hexes=bog)
    assert not swamp.supply("12")
    road = {f"04{r:02}/04{r + 1:02}": ["road"] for r in range(4, 20)}
    fed = field(COMBAT, {"12": "0622"}, size=(8, 30), hungry="12", places=source, hexsides=road)
    trace = fed.supply("12")
    assert trace
    assert trace.source == "0404"
    assert len(trace.path) > 15, "a road may be any length"
    cities = {"0404": ["german-supply"], **{f"04{r:02}": ["city"] for r in range(5, 14)}}
    half = field(COMBAT, {"12": "0413"}, size=(8, 16), hungry="12", places=cities)
    assert half.supply("12"), "cities at the armor rate for everybody"


@pytest.mark.case("leningrad-1979", "11.0", "11.1")
def test_supply_for_movement_is_judged_at_the_start():
    for unit, halved in (("12", 3), ("1/41", 4)):
        pos = field(MOVE, {unit: "0404"}, hungry=unit)
        assert max(r.cost for r in pos.reach(unit).values()) == halved
    for movement, halved in ((5, 2), (7, 3)):
        pos = field(RED_MOVE, {"x1": soviet("0404", movement=movement), "12": "1109"}, hungry="x1")
        assert max(r.cost for r in pos.reach("x1").values()) == halved
    into = field(MOVE, {"12": "0404"}, hungry="12", size=(8, 14), places={"0411": ["german-supply"]})
    moved = into.play("move 12 0406")
    assert moved.supply("12")
    assert max(r.cost for r in moved.reach("12").values()) == 1, "half the allowance for the whole phase"


@pytest.mark.case("leningrad-1979", "11.0", "11.2")
def test_supply_in_combat():
    units = {"12": "0404", "30": "0404", "x1": soviet("0405")}
    assert shifts(field(COMBAT, units, hungry="x1"), "attack 12 0405") == {"11.2": 2}
    one_of_two = {"12": "0404", "61": "0406", "x1": soviet("0405")}
    bog = {f"{c:02}{r:02}": "swamp" for c in range(1, 13) for r in (6, 7, 8)}
    assert shifts(field(COMBAT, one_of_two, hungry="61", hexes=bog), "attack 12+61 0405") == {"11.2": -2}
    both = field(COMBAT, {"12": "0404", "x1": soviet("0405")}, hungry="12 x1")
    found = [m.amount for m in both.explain("attack 12 0405").modifiers if m.case == "11.2"]
    assert sorted(found) == [-2, 2]


@pytest.mark.case("leningrad-1979", "11.3")
def test_enemies_cut_the_line():
    source = {"0401": ["german-supply"]}
    road = {f"04{r:02}/04{r + 1:02}": ["road"] for r in range(1, 9)}
    pos = field(COMBAT, {"12": "0409", "x1": soviet("0505")}, hungry="12", places=source,
                hexsides=road)  # fmt: skip
    trace = pos.supply("12")
    assert not trace
    assert (trace.case, trace.cut in ("0404", "0405")) == ("11.3", True)
    held = field(COMBAT, {"12": "0409", "30": "0404", "32": "0405", "x1": soviet("0505")}, hungry="12 30 32",
                 places=source, hexsides=road)  # fmt: skip
    assert held.supply("12"), "friendly units keep the hexes open"
    sitting = field(COMBAT, {"12": "0403", "x1": soviet("0401")}, hungry="12", places=source, hexsides=road)
    assert not sitting.supply("12"), "an enemy on the source"


@pytest.mark.case("leningrad-1979", "11.4")
def test_a_source_feeds_any_number():
    units = dict.fromkeys(("12", "30", "32"), "0203") | dict.fromkeys(("61", "93", "96"), "0303")
    pos = field(COMBAT, units, hungry=" ".join(units), places={"0202": ["german-supply"]})
    assert all(pos.supply(name) for name in units)


@pytest.mark.case("leningrad-1979", "11.5")
def test_sources():
    grid = GAME.map.grid
    numbers = {word: {grid.number(h) for h in grid.members(GAME.map.places[word])}
               for word in ("german-supply", "soviet-supply")}  # fmt: skip
    assert numbers["german-supply"] == {"0111", "0112", "0113"}
    assert numbers["soviet-supply"] == {"2505", "2604", "2605", "2705", "1601", "0908", "2713", "2906", "2908"}
    pos = on_map({"12": "2213", "1/41": "2604"}, COMBAT, 10, map=CUT)
    assert not pos.supply("12")
    assert not pos.supply("1/41"), "Germans never use Soviet sources"


@pytest.mark.case("leningrad-1979", "11.6", "15.2")
def test_empty_forts_hinder_german_lines():
    source = {"0404": ["german-supply"]}
    units = {"12": "0409", "x1": soviet("0801")}
    assert field(COMBAT, units, size=(8, 12), hungry="12", places=source).supply("12")
    walls = [f"{c:02}06" for c in range(1, 9)]
    assert not field(COMBAT, units, size=(8, 12), hungry="12", places=source, forts=walls).supply("12")


# Chapter 15 ------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-1979", "15.0", "3.0")
def test_fort_sites():
    pos = on_map({"12": "0111", "67rd": "2604"}, "soviet-fortification", 5)
    grid = pos.ground.grid
    cities = [grid.hex(n) for n in ("2505", "2604", "2605", "2705")]
    sites = {text.split()[1] for text in orders(pos, "fort")}
    assert {"2505", "2604", "2605", "2705"} <= sites
    assert max(min(grid.distance(grid.hex(n), c) for c in cities) for n in sites) == 4
    assert refused(pos, "fort 1809") == "15.0"
    cut = on_map({"12": "2505", "30": "2604", "61": "2605", "93": "2705"}, "soviet-fortification", 5)
    assert orders(cut) == ["end"], "no line from a Leningrad hex"
    zone = on_map({"12": "2406"}, "soviet-fortification", 5)
    assert refused(zone, "fort 2506") == "15.0", "a zone without a Soviet unit"
    guarded = on_map({"12": "2406", "67rd": "2506"}, "soviet-fortification", 5)
    assert "fort 2506" in guarded.legal
    assert refused(guarded, "fort 2406") == "15.0"


@pytest.mark.case("leningrad-1979", "15.2", "4.9")
def test_empty_forts_double_the_cost_and_fall():
    for terrain, cost in (("clear", 2), ("swamp", 4)):
        pos = field(MOVE, {"12": "0404", "x1": soviet("0801")}, hexes={"0405": terrain}, forts=["0405"])
        moved = pos.play("move 12 0405")
        assert moved.events[-1].text == f"12 to 0405, {cost} points"
        assert moved.document()["forts"] == []
    through = field(MOVE, {"1/41": "0404", "x1": soviet("0801")}, forts=["0405"]).play("move 1/41 0405-0406")
    assert through.document()["forts"] == [], "passing through is occupation too"
    red = field(RED_MOVE, {"x1": soviet("0404"), "12": "1109"}, forts=["0405"])
    assert red.reach("x1")["0405"].cost == 1
    won = field(COMBAT, {"x3": german("0404", 40), "x1": soviet("0405")}, forts=["0405"], dice=[6])
    assert won.play("attack x3 0405").play("advance x3 0405").document()["forts"] == []


@pytest.mark.case("leningrad-1979", "15.3", "15.4", "15.5")
def test_two_forts_a_turn_one_a_hex_for_good():
    pos = on_map({"12": "0111", "67rd": "2604"}, "soviet-fortification", 5)
    assert not any("fort" in verb for verb in ("unfort", "move-fort") if verb in GAME.grammar.verbs)
    pos = pos.play("fort 2604")
    assert refused(pos, "fort 2604") == "15.5"
    pos = pos.play("fort 2605")
    assert orders(pos) == ["end"], "two a turn although six have arrived by turn five"
    assert pos.play("end").phase.id == RED_MOVE
    late = on_map({"12": "0111", "67rd": "2604"}, "soviet-fortification", 12, forts_used=11)
    assert orders(late.play("fort 2604")) == ["end"], "saved forts may come later, and there are twelve"
    early = on_map({"12": "0111", "67rd": "2604"}, "soviet-fortification", 2)
    assert refused(early, "fort 2604") == "15.4"
    full = field(RED_MOVE, {"x1": soviet("0405"), "x2": soviet("0405"), "x3": soviet("0405"), "12": "1109"},
                 forts=["0405"])  # fmt: skip
    assert len(full.stack(full.ground.grid.hex("0405"))) == 3


# Chapter 16 ------------------------------------------------------------------------------------------


SCHEDULE = {
    ("german", 2): "5 east-prussia", ("german", 6): "1 east-prussia", ("german", 10): "2 2213",
    ("soviet", 1): "1i 1113, 3a 1113", ("soviet", 2): "4i 2906 2908, 1a 2906 2908",
    ("soviet", 4): "3i 2713 2906 2908, 1a 2713 2906 2908", ("soviet", 5): "2i 2601, 1a 2713 2906 2908",
    ("soviet", 6): "3i 2713 2906 2908", ("soviet", 7): "6i 2713, 2i 2601, 1a 2501",
    ("soviet", 8): "3i 2906 2908, 1a 2501", ("soviet", 9): "3i 2908", ("soviet", 10): "1i leningrad",
    ("soviet", 11): "2i leningrad", ("soviet", 12): "2i leningrad",
}  # fmt: skip


@pytest.mark.case("leningrad-1979", "16.0")
def test_the_schedule():
    found: dict = {}
    for a in GAME.edition.scenario.arrivals:
        what = f"{a.infantry}i" if a.infantry else f"{a.armor}a" if a.armor else str(len(a.units))
        found.setdefault((a.side, a.turn), []).append(f"{what} {a.entry}")
    assert {key: ", ".join(lines) for key, lines in found.items()} == SCHEDULE
    assert GAME.edition.scenario.forts == {"3": 2, "4": 2, "5": 2, "6": 2, "7": 2, "8": 2}
    assert GAME.edition.scenario.air == {"1": 1, "7": 2}
    pos = on_map({"93": {"due": "german-2"}, "67rd": "2604"}, MOVE, 1)
    assert refused(pos, "enter 93 0111") == "16.0"


@pytest.mark.case("leningrad-1979", "16.1")
def test_entering_costs_the_hex_and_no_more():
    units = {name: {"due": "soviet-2-infantry"} for name in ("i20", "i21", "i22", "i23")}
    pos = on_map({**units, "12": "0111"}, RED_MOVE, 2)
    pos = pos.play("enter i20+i21 2908")
    first = pos.active[pos.slot("i20")]
    pos = pos.play("move i20+i21 2907").play("enter i22 2908")
    assert pos.active[pos.slot("i22")] == first, "no queue"
    assert first == 2 * 5 - 2, "a road leads into the swamp of 2908"
    assert refused(pos, "enter i23 2713") == "16.0", "the schedule says where"
    assert refused(pos, "enter i23 2907") == "16.2", "and no hex beside it while it is open"


@pytest.mark.case("leningrad-1979", "16.2", "4.7")
def test_blocked_entry():
    pos = on_map({"i20": {"due": "soviet-9-infantry"}, "12": "2908"}, RED_MOVE, 9)
    entries = {text.split()[2] for text in orders(pos, "enter")}
    grid = pos.ground.grid
    assert entries
    assert {grid.distance(grid.hex(n), grid.hex("2908")) for n in entries} == {1}, "the nearest, owner's choice"
    entered = pos.play(f"enter i20 {min(entries)}")
    assert orders(entered, "move") == [], "in an enemy zone the unit stops"
    one_left = on_map({"i20": {"due": "soviet-2-infantry"}, "12": "2908"}, RED_MOVE, 2)
    assert {text.split()[2] for text in orders(one_left, "enter")} == {"2906"}
    friends = on_map({"i20": {"due": "soviet-9-infantry"}, "67rd": "2908", "90rd": "2908", "70rd": "2908",
                      "12": "0111"}, RED_MOVE, 9)  # fmt: skip
    assert "2908" not in {text.split()[2] for text in orders(friends, "enter")}


@pytest.mark.case("leningrad-1979", "16.3")
def test_holding_back():
    pos = on_map({"93": {"due": "german-2"}, "96": {"due": "german-2"}, "67rd": "2604"}, MOVE, 2)
    assert "end" in pos.legal
    later = on_map({"93": {"due": "german-2"}, "67rd": "2604"}, MOVE, 5)
    assert {text.split()[2] for text in orders(later, "enter")} == {"0111", "0112", "0113"}


@pytest.mark.case("leningrad-1979", "16.4")
def test_leningrad_lost():
    three = {"12": "2505", "30": "2604", "61": "2605"}
    pos = on_map({**three, "i46": {"due": "soviet-10-infantry"}, "5rd": {"eliminated": True}}, RED_MOVE, 10)
    assert {text.split()[2] for text in orders(pos, "enter")} == {"2705"}
    pos = on_map(
        {**three, "93": "2705", "i46": {"due": "soviet-10-infantry"}, "5rd": {"eliminated": True}}, RED_MOVE, 10
    )
    assert {text.split()[2] for text in orders(pos, "enter")} == {"2301", "2401", "2501", "2601", "2701", "2801"}


@pytest.mark.case("leningrad-1979", "16.5", "17.1")
def test_turn_one_reinforcements_must_enter():
    pos = on_map({"12": "0111", "a5": {"due": "soviet-1-armor"}}, RED_MOVE, 1)
    assert refused(pos, "end") == "16.5"
    pos = pos.play("enter a5 1113")
    assert refused(pos, "end") == "17.2"


@pytest.mark.case("leningrad-1979", "16.6", "16.9")
def test_rebuilding_takes_a_whole_turn():
    entered = {"1/41": {"hex": "0908", "steps": 1, "since": 3}, "67rd": "2604"}
    assert refused(on_map(entered, "german-replacement", 4), "rebuild 1/41") == "16.6"
    feed = {"places": {"0908": ["city", "german-supply"]}}
    pos = on_map(entered, "german-replacement", 5, map=feed)
    done = pos.play("rebuild 1/41")
    assert steps(done, "1/41") == 2
    assert orders(done) == ["end"]
    assert done.play("end").phase.id == MOVE
    hungry = on_map(entered, "german-replacement", 5, map=CUT)
    assert refused(hungry, "rebuild 1/41") == "16.6"
    for words in (["soviet-city", "german-supply"], ["east-prussia", "german-supply"]):
        assert "rebuild 1/41" in on_map(entered, "german-replacement", 5, map={"places": {"0908": words}}).legal
    town = on_map(entered, "german-replacement", 5, map={"places": {"0908": ["town", "german-supply"]}})
    assert refused(town, "rebuild 1/41") == "16.6"
    left = on_map({**entered, "12": "0808"}, MOVE, 5, map=feed).play("move 1/41 0909").play("move 1/41 0908")
    assert left.document()["units"]["1/41"].get("since", 5) == 5, "leaving starts the clock anew"


@pytest.mark.case("leningrad-1979", "16.7")
def test_german_units_do_not_lift_the_zone_for_rebuilding():
    units = {"1/41": {"hex": "0908", "steps": 1, "since": 1}, "12": "0908", "67rd": "0909"}
    pos = on_map(units, "german-replacement", 5, map={"places": {"0908": ["city", "german-supply"]}})
    assert refused(pos, "rebuild 1/41") == "16.7"


@pytest.mark.case("leningrad-1979", "16.8")
def test_three_a_hex():
    units = {name: {"hex": "0908", "steps": 1, "since": 1} for name in ("12", "30", "61")}
    units |= {name: {"hex": "0510", "steps": 1, "since": 1} for name in ("93", "96", "206")}
    feed = {"places": {"0908": ["city", "german-supply"], "0510": ["city", "german-supply"]}}
    pos = on_map({**units, "67rd": "2604"}, "german-replacement", 5, map=feed)
    for name in units:
        pos = pos.play(f"rebuild {name}")
    assert all(steps(pos, name) == 2 for name in units)


# Chapter 17 ------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-1979", "17.0", "17.1")
def test_turn_one_limits():
    units = {"12": "0405", "x1": soviet("0404"), "x2": soviet("0404")}
    pos = field(RED_MOVE, units, turn=1)
    assert refused(pos, "overrun x1 0405") == "17.1"
    assert refused(pos, "move x1 0403") == "17.1"
    free = field(RED_MOVE, units, turn=2)
    assert "overrun x1 0405" in free.legal
    assert "move x1 0403" in free.legal


@pytest.mark.case("leningrad-1979", "17.2")
def test_turn_one_march():
    pos = field(RED_MOVE, {"12": "0404", "30": "1004", "x1": soviet("0408")}, turn=1)
    reachable = set(pos.reach("x1"))
    assert reachable
    assert reachable <= pos.zoc("german"), "next to some German unit, whichever"
    assert refused(pos, "move x1 0409") == "17.2"
    assert refused(pos, "end") == "17.2"
    assert "end" in pos.play(f"move x1 {min(reachable)}").legal
    far = field(RED_MOVE, {"12": "0401", "x1": soviet("0414")}, turn=1, size=(8, 16))
    ends = far.reach("x1")
    assert set(ends) == {"0409"}, "straight up the column, all five points"
    assert "end" in far.play("move x1 0409").legal


@pytest.mark.case("leningrad-1979", "17.2")
def test_frozen_garrisons():
    pos = on_map({"12": "0111", "i1": "0205", "i2": "2204"}, RED_MOVE, 1)
    assert refused(pos, "move i1 0206") == "17.2"
    assert refused(pos, "move i2 2205") == "17.2"
    assert "end" in pos.legal
    assert "move i1 0206" in on_map({"12": "0111", "i1": "0205"}, RED_MOVE, 2).legal


@pytest.mark.case("leningrad-1979", "17.3", "8.0")
def test_turn_one_attacks():
    units = {"12": "0404", "x1": soviet("0405"), "x2": soviet("0305"), "30": "0205"}
    pos = field(RED, units, turn=1, air_used=1)
    assert refused(pos, "end") == "17.3"
    assert refused(pos, "attack x2 0404") == "17.3", "x1 would be left without a target"
    both = pos.scripted([3]).play("attack x1+x2 0404")
    assert both.attacked.bit_count() == 2
    split = pos.scripted([3]).play("attack x2 0205")
    assert split.attacked.bit_count() == 1
    later = field(RED, units, turn=2, air_used=1)
    assert "end" in later.legal


ARMY = ("i32", "i33", "i34", "i35", "i36", "i37")


@pytest.mark.case("leningrad-1979", "17.4", "9.6", "17.0")
def test_the_army_in_time():
    units = {"12": "0404", "x1": soviet("0405")}
    for turn, on_time, shift in ((7, 6, 4), (7, 5, 0), (8, 6, 0)):
        pos = field(RED, units, turn=turn, on_time=on_time, air_used=1)
        assert pos.explain("attack x1 0404").net == shift
    assert field(RED_MOVE, units, turn=7, on_time=6).explain("overrun x1 0404").net == -2, "attacks, not overruns"
    left = field(RED, units, turn=7, on_time=6, options={"bonus-direction": "left"})
    assert left.explain("attack x1 0404").net == -4
    pos = on_map({**{n: {"due": "soviet-7-34th-army"} for n in ARMY}, "12": "0111"}, RED_MOVE, 7)
    for name in ARMY:
        entry = next(text for text in orders(pos, "enter") if text.split()[1] == name)
        pos = pos.play(entry)
        step = next((o for o in pos.legal.of(name) if o.verb == "move"), None)
        pos = pos.play(step) if step else pos
    assert pos.on_time == 6
    blocked = on_map({**{n: {"due": "soviet-7-34th-army"} for n in ARMY}, "12": "2713"}, RED_MOVE, 7)
    entry = next(text for text in orders(blocked, "enter"))
    assert blocked.play(entry).on_time == 1, "another hex forced by Germans counts"


@pytest.mark.case("leningrad-1979", "17.4")
def test_the_army_late():
    for turn, entries in ((7, {"2713"}), (8, {"2908"}), (9, {"2906"}), (11, {"2906"})):
        pos = on_map({"i32": {"due": "soviet-7-34th-army"}, "12": "0111"}, RED_MOVE, turn)
        assert {text.split()[2] for text in orders(pos, "enter")} == entries
    late = on_map({"i32": {"due": "soviet-7-34th-army"}, "12": "0111"}, RED_MOVE, 8)
    assert refused(late, "enter i32 2713") == "17.4"


# Chapter 18 ------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-1979", "18.0", "18.1")
def test_soviet_points():
    units = {
        "1/41": {"eliminated": True}, "6/41": {"hex": "1211", "steps": 1}, "36/41": {"eliminated": True},
        "3/56": {"hex": "1211", "steps": 1}, "12": {"eliminated": True}, "30": {"hex": "1211", "steps": 1},
        "POL": {"eliminated": True}, "12/39": {"due": "german-10"},
    }  # fmt: skip
    standing = on_map(units, RED, 12).standing
    assert sorted(e.points for e in standing.ledger) == [4, 5, 12, 15]
    assert {e.case for e in standing.ledger} == {"18.1"}
    assert standing.margin == -36


@pytest.mark.case("leningrad-1979", "18.2")
def test_german_points():
    fed = {"places": {n: ["soviet-city", "leningrad", "german-supply"] for n in ("2604", "2605")}}
    pos = on_map({"12": "2604", "30": "2705", "61": "2605", "93": "2505"}, RED, 12, map=fed)
    assert [(e.points, e.case) for e in pos.standing.ledger] == [(30, "18.2"), (30, "18.2")]
    starved = on_map({"12": "2604", "30": "2705"}, RED, 12, map=CUT)
    assert starved.standing.ledger == ()


@pytest.mark.case("leningrad-1979", "18.3")
@pytest.mark.parametrize(("margin", "level", "winner"), LEVELS)
def test_levels(margin, level, winner):
    levels = GAME.edition.tables.victory.levels
    first = next(entry for entry in levels if margin >= entry.from_)
    assert (first.level, first.winner) == (level, winner)


@pytest.mark.case("leningrad-1979", "18.3", "18.0")
def test_a_lone_dead_panzer_is_a_soviet_victory():
    pos = on_map({"1/41": {"eliminated": True}, "67rd": "2604", "12": "0111"}, RED_MOVE, 12).play("end")
    assert pos.outcome.level == "Soviet tactical"
    assert (pos.outcome.winner, pos.outcome.margin) == ("soviet", -15)


def test_a_whole_game_reads_as_one():
    rng = random.Random(5)
    pos = set_up(GAME.start(), rng)
    kinds = set()
    while pos.to_move is not None:
        pos = pos.play(pos.legal.random(rng))
        kinds |= {event.kind for event in pos.events}
        assert all(event.case in GAME.cases for event in pos.events)
    assert {"turn", "moved", "attack", "odds", "result", "entered", "revealed", "eliminated"} <= kinds


@pytest.mark.case("leningrad-1979", "16.1", "4.5", "4.6")
def test_up_to_three_enter_together_where_there_is_room_for_them():
    due = {name: {"due": "german-2"} for name in ("93", "96", "206", "251")}
    pos = on_map(due, MOVE, 2)
    assert {len(order.units) for order in pos.legal if order.verb == "enter"} == {1, 2, 3}
    assert refused(pos, "enter 93+96+206+251 0111") == "4.5"
    two_there = on_map({**due, "11": "0111", "12": "0111"}, MOVE, 2)
    assert two_there.why_not("enter 93 0111") is None
    assert refused(two_there, "enter 93+96 0111") == "4.6"
    one_there = on_map({**due, "11": "0111"}, MOVE, 2)
    assert "enter 93+96 0111" in one_there.legal
    assert refused(one_there, "enter 93+96+206 0111") == "4.6"


@pytest.mark.case("leningrad-1979", "15.4")
def test_every_fort_placed_is_one_fort_used():
    pos = on_map({"67rd": "2604"}, "soviet-fortification", 8, forts_used=9)
    one = pos.play("fort 2604")
    assert one.document()["forts_used"] == 10
    two = one.play("fort 2505")
    assert two.document()["forts_used"] == 11
    last = on_map({"67rd": "2604"}, "soviet-fortification", 12, forts_used=11).play("fort 2604")
    assert orders(last) == ["end"], "twelve in all"


@pytest.mark.case("leningrad-1979", "17.2")
def test_a_unit_in_the_corner_of_the_map_marches_too():
    units = {"12": "0901", "x1": soviet("0101", movement=7), "x2": soviet("0102", movement=7)}
    pos = field(RED_MOVE, units, turn=1)
    assert refused(pos, "end") == "17.2"
    assert refused(pos, "move x1 0201") == "17.2"
    assert pos.play("move x1 0801").why_not("move x2 0801") is None


@pytest.mark.case("leningrad-1979", "17.2")
def test_on_turn_one_any_german_will_do():
    pos = field(RED_MOVE, {"12": "0301", "30": "0306", "x1": soviet("0303")}, turn=1)
    ends = {order.hexes[0] for order in pos.legal if order.verb == "move"}
    assert "0302" in ends, "next to the nearer one"
    assert "0305" in ends, "next to the one that is farther"
    assert ends <= pos.zoc("german")


@pytest.mark.case("leningrad-1979", "16.6", "16.0")
def test_only_reduced_german_units_are_rebuilt():
    units = {"12": {"hex": "0908", "since": 1}, "30": {"hex": "0908", "since": 1, "steps": 1}, "67rd": "2604"}
    pos = on_map(units, "german-replacement", 4)
    assert orders(pos, "rebuild") == ["rebuild 30"]
    assert "full strength" in pos.why_not("rebuild 12").message
    assert refused(pos, "rebuild 12") == "16.6"
    assert refused(pos, "rebuild 67rd") == "16.6"


@pytest.mark.case("leningrad-1979", "11.0", "11.5")
def test_a_line_of_supply_is_told_hex_by_hex():
    road = {"0404/0403": ["road"], "0403/0402": ["road"], "0402/0401": ["road"]}
    pos = field(MOVE, {"12": "0406"}, hungry="12", hexsides=road, places={"0401": ["german-supply"]})
    trace = pos.supply("12")
    assert trace.path == ("0406", "0405", "0404", "0403", "0402", "0401")
    assert trace.source == "0401"


@pytest.mark.case("leningrad-1979", "18.1")
def test_dead_soviet_armor_is_worth_nothing():
    dead = {"42td": {"eliminated": True}, "x": {**soviet("0101", kind="armor"), "eliminated": True}}
    del dead["x"]["hex"]
    pos = on_map({**dead, "67rd": "2604", "12": "0111"}, RED_MOVE, 12).play("end")
    assert (pos.outcome.margin, pos.outcome.ledger) == (0, ())


@pytest.mark.case("leningrad-1979", "11.0", "16.6")
def test_units_in_the_corner_of_the_map_are_fed_and_rebuilt():
    units = {"12": {"hex": "0101", "steps": 1, "since": 1}, "x1": soviet("0801")}
    pos = field("german-replacement", units, places={"0101": ["city"]})
    assert pos.supply("12").supplied
    assert orders(pos, "rebuild") == ["rebuild 12"]


@pytest.mark.case("leningrad-1979", "17.2")
def test_a_way_of_ones_own_on_turn_one_ends_where_the_march_may_end():
    pos = field(RED_MOVE, {"12": "0301", "x1": soviet("0305")}, turn=1)
    assert pos.why_not("move x1 0304-0303-0302") is None
    assert pos.why_not("move x1 0405-0404-0403-0402-0302") is None, "a long way round to the same hex"
    assert refused(pos, "move x1 0304-0303") == "17.2"
    assert refused(pos, "move x1 0304-0303-0304") == "17.2"


@pytest.mark.case("leningrad-1979", "15.2", "11.6", "11.0")
def test_a_line_of_supply_is_shorter_when_the_fort_in_its_way_has_fallen():
    lakes = {f"04{row:02}/{column}{there:02}": ["lake"] for row in (2, 3, 4, 5, 6) for column, there in
             (("03", row), ("03", row + 1), ("05", row), ("05", row + 1))}  # fmt: skip
    units = {"12": "0406", "30": "0405", "x1": soviet("0901")}
    pos = field(MOVE, units, hungry="12 30", hexsides=lakes, forts=["0403"], places={"0401": ["german-supply"]})
    assert not pos.supply("12").supplied, "five hexes, one of them doubled"
    past = pos.play("move 30 0404")
    assert not past.supply("12").supplied
    assert past.play("move 30 0403-0402").supply("12").supplied


@pytest.mark.case("leningrad-1979", "16.1", "16.2")
def test_a_forced_entry_hex_has_no_road_from_off_the_map():
    friends = {name: {"hex": "2713"} for name in ("67rd", "170rd", "180rd")}
    pos = GAME.position({"game": GAME.id, "turn": 7, "phase": RED_MOVE, "units": {
        "i1": {"due": "soviet-7-34th-army"}, **friends}}).play("enter i1 2712")  # fmt: skip
    assert pos.active[pos.slot("i1")] == 2 * 3, "two of five points for the hill"


@pytest.mark.case("leningrad-1979", "16.2", "11.3")
def test_a_unit_that_enters_a_source_in_an_enemy_zone_is_supplied_there():
    pos = GAME.position({"game": GAME.id, "turn": 7, "phase": RED_MOVE, "units": {
        "i1": {"due": "soviet-7-34th-army"}, "12": {"hex": "2712"}}}).play("enter i1 2713")  # fmt: skip
    assert pos.active[pos.slot("i1")] == 2 * 4


@pytest.mark.case("leningrad-1979", "15.4")
def test_a_third_fort_is_refused_by_the_limit():
    units = {"67rd": {"hex": "2604"}}
    pos = GAME.position({"game": GAME.id, "turn": 8, "phase": "soviet-fortification", "units": units})
    pos = pos.play("fort 2604").play("fort 2605")
    assert pos.phase.id == "soviet-fortification"
    assert refused(pos, "fort 2505") == "15.4"
    assert refused(pos.play("end"), "fort 2505") == "15.4", "and when the phase is over"


@pytest.mark.case("leningrad-1979", "16.0", "16.2", "16.3", "16.4", "17.4")
def test_the_case_says_why_a_reinforcement_enters_elsewhere():
    def refusal(line, turn, at):
        pos = GAME.position({"game": GAME.id, "turn": turn, "phase": RED_MOVE, "units": {"i1": {"due": line}}})
        return refused(pos, f"enter i1 {at}")

    assert refusal("soviet-2-infantry", 2, "2601") == "16.0", "the schedule"
    assert refusal("soviet-2-infantry", 2, "2907") == "16.2", "not while its own hex is open"
    assert refusal("soviet-2-infantry", 3, "2601") == "16.3", "later by the same hexes"
    assert refusal("soviet-10-infantry", 10, "2301") == "16.4"
    assert refusal("soviet-7-34th-army", 8, "2713") == "17.4"
    assert refusal("soviet-7-34th-army", 7, "2712") == "16.2", "on time its own hex is open"
    assert refusal("soviet-7-34th-army", 7, "2908") == "17.4", "only if it is late"


@pytest.mark.case("leningrad-1979", "16.2", "16.4")
def test_a_scheduled_hex_that_is_blocked_is_refused_as_blocked():
    def refusal(line, turn, at, **others):
        units = {"i1": {"due": line}, **{name: {"hex": where} for name, where in others.items()}}
        return refused(
            GAME.position({"game": GAME.id, "turn": turn, "phase": RED_MOVE, "units": units}), f"enter i1 {at}"
        )

    assert refusal("soviet-7-34th-army", 7, "2713", i2="2713", i3="2713", i4="2713") == "16.2", "three friends"
    assert refusal("soviet-7-34th-army", 8, "2908", **{"12": "2908"}) == "16.2", "an enemy"
    assert refusal("soviet-10-infantry", 10, "2604", **{"12": "2604"}) == "16.2", "three other hexes are open"
    lost = {"12": "2604", "11": "2605", "21": "2505", "30": "2705"}
    assert refusal("soviet-10-infantry", 10, "2604", **lost) == "16.4"


@pytest.mark.case("leningrad-1979", "15.0")
def test_a_fort_is_not_built_in_a_lake():
    pos = GAME.position({"game": GAME.id, "turn": 3, "phase": "soviet-fortification", "units": {"i1": {"hex": "2604"}}})
    assert refused(pos, "fort 2904") == "15.0"
    assert pos.why_not("fort 2904").message == "2904 is all water", "it lies two hexes from Leningrad"
    assert "more than 4 hexes" in pos.why_not("fort 2004").message


@pytest.mark.case("leningrad-1979", "14.0", "16.4")
def test_late_arrivals_need_no_dead_while_there_are_counters_enough():
    def late(**more):
        units = {"i46": {"due": "soviet-10-infantry"}, **more}
        return GAME.position({"game": GAME.id, "turn": 10, "phase": RED_MOVE, "units": units})

    assert orders(late(), "enter") == [f"enter i46 {number}" for number in ("2505", "2604", "2605", "2705")]
    held = {"12": "2505", "30": "2604", "11": "2605", "1": "2705"}
    taken = late(**{name: {"hex": number} for name, number in held.items()})
    assert orders(taken, "enter") == [f"enter i46 {column}01" for column in range(23, 29)]
    assert GAME.position(taken.play("enter i46 2301").document()).document() == taken.play("enter i46 2301").document()
    begun = GAME.start()
    assert GAME.position(begun.document()) == begun
    while begun.phase.id == "soviet-set-up":
        begun = begun.play(orders(begun)[0])
    assert GAME.position(begun.document()).pieces == begun.pieces, "those of turns 9 to 12 are still to be raised"


@pytest.mark.case("leningrad-1979", "16.0")
def test_any_division_of_the_kind_may_be_the_one_that_is_due():
    def due(name, line, **figures):
        return GAME.position({"game": GAME.id, "turn": 10, "phase": MOVE, "units": {name: {"due": line, **figures}}})

    rifle = {"side": "german", "type": "infantry", "combat": 5, "movement": 6}
    assert "enter 12 0111" in due("12", "german-2").legal, "the schedule says five infantry units"
    assert "enter x 0113" in due("x", "german-2", **rifle).legal
    for name, line, figures in (("1/41", "german-10", {}), ("12/39", "german-2", {}), ("x", "german-10", rifle)):
        with pytest.raises(ladoga.BadDocument) as problem:
            due(name, line, **figures)
        assert problem.value.path == f"units.{name}.due"


@pytest.mark.case("leningrad-1979", "1.0")
def test_a_wrong_hex_at_set_up_is_refused_by_what_is_wrong_with_it():
    pos = GAME.start()
    assert refused(pos, "place i12 1701") == "1.0"
    assert pos.why_not("place i12 1701").message == "1701 is all water"
    assert pos.why_not("place i12 1201").message.endswith("one unit starts in each row 13 to 19")
    assert pos.play("place i12 1301").why_not("place i13 1302").message.endswith("its row has a unit already")
