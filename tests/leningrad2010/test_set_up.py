"""Chapters 1 to 3: set-up, equipment, counters and the sequence of play."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from .field import GAME, field, german, on_map, orders, panzer, play, refused, soviet, where

UNITS = GAME.units
NORTH, SOUTH = ("0007", "0008", "0009"), ("0010", "0011", "0012", "0013", "0111", "0112", "0113")
INFANTRY = [n for n in GAME.edition.scenario.free_german.units if UNITS[n].type == "infantry"]
PANZERS = ["1/41", "6/41", "36/41", "8/56", "3/56", "TOT/56"]


def soviets_placed():
    """The start of the game after the seven hexrow units stand and the Soviet player has said so."""
    position = GAME.start()
    for row in range(13, 20):
        position = position.play(next(o for o in position.legal if o.hexes[0].startswith(str(row))))
    assert orders(position) == {"end"}
    return position.play("end soviet-set-up")


# 1.0 ----------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-2010", "1.0")
def test_soviet_units_start_untried_on_their_marked_hexes():
    document = GAME.start().document()
    standing = Counter(e["hex"] for e in document["units"].values() if "hex" in e)
    assert standing == {"0205": 1, "2204": 1, "0209": 1, "0210": 1, "0211": 1, "0212": 1, "0213": 1,
                        "0310": 1, "0311": 1, "0313": 1, "0409": 1, "0410": 1, "0411": 2}  # fmt: skip
    kinds = Counter(name[0] for name, e in document["units"].items() if "hex" in e)
    assert kinds == {"i": 10, "a": 4}
    marked = {n for n in GAME.map.grid.numbers if "soviet-set-up" in GAME.map.places_of(GAME.map.grid.hex(n))}
    assert marked == set(standing)


@pytest.mark.case("leningrad-2010", "1.0")
def test_one_infantry_unit_in_each_hexrow_13_to_19():
    position = GAME.start()
    assert position.phase.id == "soviet-set-up"
    rows = Counter(o.hexes[0][:2] for o in position.legal)
    assert set(rows) == {str(row) for row in range(13, 20)}
    assert refused(position, "place i11 1209") == "1.0"
    assert refused(position, "place i11 2006") == "1.0"
    assert refused(position, "place i1 1309") == "1.0"
    assert refused(position, "place i11 1701") == "1.0", "all sea"
    position = position.play("place i11 1309")
    assert refused(position, "place i12 1310") == "1.0", "the row has its unit"
    placed = soviets_placed()
    standing = [e["hex"] for e in placed.document()["units"].values() if "hex" in e and e["hex"][:2] in rows]
    assert sorted(number[:2] for number in standing) == [str(row) for row in range(13, 20)]
    assert placed.phase.id == "german-set-up"


@pytest.mark.case("leningrad-2010", "1.0")
def test_eighteen_german_infantry_and_two_panzer_corps_are_placed_freely():
    position = soviets_placed()
    assert len(INFANTRY) == 18
    assert {o.units[0] for o in position.legal} == {*INFANTRY, *PANZERS}
    assert {o.hexes[0] for o in position.legal} == {*NORTH, *SOUTH}
    assert refused(position, "place 12/39 0112") == "1.0"
    assert refused(position, "place 93 0112") == "1.0"
    assert refused(position, "place 1 0110") == "1.0", "east of the border"
    assert refused(position, "end") == "1.0", "all of them are set up"
    assert "still to be set up" in position.why_not("end").message


@pytest.mark.case("leningrad-2010", "1.0")
def test_at_most_two_infantry_units_and_no_panzers_north_of_the_niemen():
    position = soviets_placed()
    assert refused(position, "place 1/41 0008") == "1.0"
    position = play(position, "place 1 0007", "place 11 0009")
    assert refused(position, "place 12 0008") == "1.0"
    assert "place 12 0010" in position.legal


@pytest.mark.case("leningrad-2010", "1.0", "4.6")
def test_stacking_is_not_counted_at_set_up_but_when_the_first_movement_phase_ends():
    """24 units, two of them north: 22 on seven hexes are one too many for three a hex."""
    position = play(soviets_placed(), "place 1 0007", "place 11 0008")
    others = [*INFANTRY[2:], *PANZERS]
    for number, unit in enumerate(others):
        position = position.play(f"place {unit} {SOUTH[number // 3] if number < 21 else '0111'}")
    assert orders(position) == {"end"}
    position = position.play("end")
    assert position.phase.id == "german-movement", "nothing to rebuild on turn 1"
    crowded = position.play("end")
    assert crowded.to_move == "soviet"
    assert orders(crowded, "remove") == {f"remove {u}" for u in (*others[12:15], others[21])}
    after = crowded.play(f"remove {others[21]}")
    assert where(after, others[21]) == "eliminated"
    assert after.phase.id == "german-combat"
    relieved = position.play(f"move {others[21]} 0112").play("end")
    assert relieved.to_move == "soviet", "0112 is full too"


@pytest.mark.case("leningrad-2010", "1.0", "14.0")
def test_everything_else_waits_for_its_turn():
    document = soviets_placed().document()
    due = [name for name, e in document["units"].items() if "due" in e]
    assert Counter(n[0] if n not in UNITS else "g" for n in due) == {"i": 29, "a": 11, "g": 8}
    assert {n for n in due if n in UNITS} == {"93", "96", "206", "251", "269", "POL", "12/39", "20/39"}


# 2.x ----------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-2010", "2.0")
def test_114_pieces():
    """46 + 15 Soviet and 24 + 8 German units, 12 forts, 2 air units; 7 markers keep what we keep ourselves."""
    kinds = Counter((unit.side, unit.type) for unit in UNITS.values())
    assert kinds == {("soviet", "infantry"): 46, ("soviet", "armor"): 10, ("soviet", "mechanized"): 5,
                     ("german", "infantry"): 24, ("german", "armor"): 4, ("german", "mechanized"): 4}  # fmt: skip
    forts, air = sum(GAME.edition.scenario.forts.values()), max(GAME.edition.scenario.air.values())
    assert len(UNITS) + forts + air + 7 == 114


@pytest.mark.case("leningrad-2010", "2.0")
def test_one_die_of_six_faces_and_draws_are_the_only_chance():
    position = field("german-combat", {"x1": german("0505"), "x2": soviet("0506")})
    position = position.play("attack x1 0506")
    assert [str(o) for o, p in position.chance.outcomes] == [f"die {n}" for n in range(1, 7)]
    assert {p for _, p in position.chance.outcomes} == {position.chance.outcomes[0][1]}
    assert position.chance.case == "8.3"


@pytest.mark.case("leningrad-2010", "2.1")
def test_units_stand_in_hexes_of_the_grid():
    numbers = set(GAME.map.grid.numbers)
    assert len(numbers) == 30 * 13
    assert {"0001", "0013", "2901", "2913"} <= numbers
    position = on_map("german-movement", {"1": "0112"})
    assert refused(position, "overrun 1 3001") == "2.1"


@pytest.mark.case("leningrad-2010", "2.3")
def test_results_table_to_the_letter():
    rows = {
        1: "-/E -/E -/E -/2 -/1 1/1 2/2 1/1 2/1 1/- 1/- 2/- 2/-",
        2: "-/E -/E -/2 -/1 1/2 2/2 1/1 2/1 1/- 1/- 2/- 2/- E/-",
        3: "-/E -/2 -/2 1/2 2/2 1/1 2/1 1/- 1/- 2/- 2/- E/- E/-",
        4: "-/E -/2 -/1 2/2 1/1 2/1 1/- 1/- 2/- 2/- E/- E/- E/-",
        5: "-/2 -/2 1/2 1/1 2/1 1/- 1/- 2/- 2/- E/- E/- E/- E/-",
        6: "-/2 1/2 2/2 2/1 1/- 1/- 2/- 2/- E/- E/- E/- E/- E/-",
    }
    for face, row in rows.items():
        for index, cell in enumerate(row.split()):
            assert "/".join(GAME.edition.result(index - 3, face)) == cell
    assert GAME.tables.results.columns == [f"1-{n}" for n in (4, 3, 2, 1)] + [f"{n}-1" for n in range(2, 11)]


@pytest.mark.case("leningrad-2010", "2.4")
def test_only_combat_units_have_zones_and_count_for_stacking():
    units = {"x1": soviet("0505"), "x2": soviet("0505"), "x3": soviet("0505"), "x4": german("0901")}
    position = field("soviet-movement", units, forts=["0505", "0303"], interdiction={"0303": 1})
    assert position.zoc("soviet") == {"0504", "0506", "0404", "0405", "0604", "0605"}
    assert position.play("end").turn == 5, "three units and a fort are not too many"
    assert refused(position, "move fort 0304") == "2.4"


@pytest.mark.case("leningrad-2010", "2.4", "2.5", "2.8", "10.1")
def test_german_counters():
    """One strength for attack and defence, different from division to division; corps in brackets."""
    fronts = {name: unit.attack for name, unit in UNITS.items() if unit.side == "german"}
    assert all(unit.attack == unit.defence for unit in UNITS.values() if unit.side == "german")
    by_strength = {8: "1 93", 7: "POL 12 61", 5: "58 207"}
    for strength, names in by_strength.items():
        assert {n for n in fronts if UNITS[n].type == "infantry" and fronts[n] == strength} == set(names.split())
    assert sum(1 for n in fronts if UNITS[n].type == "infantry" and fronts[n] == 6) == 17
    assert {n: fronts[n] for n in fronts if "/" in n} == {
        "1/41": 12, "6/41": 10, "36/41": 7, "8/56": 11, "3/56": 8, "TOT/56": 10, "12/39": 10, "20/39": 8
    }  # fmt: skip
    assert {(u.type, u.movement) for u in UNITS.values() if u.side == "german"} == {
        ("infantry", 6), ("armor", 8), ("mechanized", 8)
    }  # fmt: skip
    assert {n: u.corps for n, u in UNITS.items() if u.corps} == {n: n.split("/")[1] for n in fronts if "/" in n}


@pytest.mark.case("leningrad-2010", "2.4", "8.45")
def test_reduced_faces():
    reduced = {"1": 4, "93": 4, "POL": 4, "12": 4, "61": 3, "58": 2, "207": 2, "21": 3, "123": 3, "269": 3,
               "1/41": 6, "6/41": 5, "36/41": 3, "8/56": 5, "3/56": 4, "TOT/56": 5, "12/39": 5, "20/39": 4}  # fmt: skip
    for name, strength in reduced.items():
        unit = UNITS[name]
        assert unit.reduced == (strength, strength, unit.movement), name
    for name, unit in UNITS.items():
        assert (unit.reduced is None) == (unit.side == "soviet")
        if unit.side == "german" and unit.type == "infantry" and unit.attack == 6:
            assert unit.face(1) == (3, 3, 6), name


@pytest.mark.case("leningrad-2010", "2.4")
def test_garbled_counters_say_how_they_were_read():
    for name in ("163md", "123", "269", "6/41", "8/56", "3/56", "TOT/56", "20/39"):
        assert UNITS[name].from_ == "judged", name
    assert all(unit.why for unit in UNITS.values() if unit.from_ == "judged")


@pytest.mark.case("leningrad-2010", "2.6")
def test_soviet_counters_have_attack_and_defence():
    figures = {n: (u.attack, u.defence, u.movement) for n, u in UNITS.items() if u.side == "soviet"}
    assert figures["42td"] == (10, 4, 7)
    assert figures["70rd"] == (3, 7, 5)
    assert figures["198md"] == (3, 3, 7)
    assert {figures[n] for n in ("188rd", "188rd-b")} == {(1, 3, 5), (5, 1, 5)}
    mobile = Counter(figures[n][:2] for n in figures if UNITS[n].type != "infantry")
    assert mobile == Counter([(9, 3), (5, 3), (10, 4), (4, 3), (4, 2), (5, 5), (6, 5), (7, 5), (2, 2), (2, 2),
                              (3, 3), (4, 4), (4, 4), (5, 5), (1, 1)])  # fmt: skip
    infantry = Counter(figures[n][:2] for n in figures if UNITS[n].type == "infantry")
    assert infantry == Counter({(2, 2): 6, (2, 3): 3, (1, 3): 2, (3, 2): 3, (3, 3): 3, (1, 1): 4, (4, 2): 2, (3, 4): 3,
                                (2, 4): 2, (4, 3): 3, (3, 5): 1, (3, 1): 1, (1, 5): 1, (1, 2): 1, (4, 4): 3, (3, 7): 1,
                                (4, 5): 1, (4, 6): 1, (5, 1): 1, (5, 3): 1, (5, 4): 1, (5, 5): 1,
                                (6, 4): 1})  # fmt: skip
    assert {u.movement for u in UNITS.values() if u.side == "soviet" and u.type == "infantry"} == {5}


@pytest.mark.case("leningrad-2010", "2.7", "4.1")
def test_points_are_fresh_every_phase():
    position = field("german-movement", {"x1": german("0505"), "x2": soviet("1209")})
    position = position.play("move x1 0503")
    assert refused(position, "move x1 0508") == "4.1"
    while not (position.turn == 5 and position.phase.id == "german-movement"):
        position = position.play("end")
    assert "0509" in position.reach("x1")


@pytest.mark.case("leningrad-2010", "2.8")
def test_scale_and_designations():
    assert GAME.turns == 12
    assert GAME.calendar[0] == "22-28 June"
    assert GAME.calendar[-1] == "7-13 September"
    assert GAME.map.file.boards["main"].hex_km == pytest.approx(32.2)
    names = Counter(unit.name for unit in UNITS.values() if unit.side == "soviet")
    assert {n for n, times in names.items() if times > 1} >= {"180", "188", "189"}, "numbers may repeat"


# 3.0 ----------------------------------------------------------------------------------------------


@pytest.mark.case("leningrad-2010", "3.0")
def test_sequence_of_play():
    units = {"x1": german("0505"), "x2": soviet("0506"), "x3": german("0901", steps=1, since=1)}
    position = field("german-replacement", units, places={"0901": ["city"]}, turn=3, size=(12, 9))
    seen = []
    while position.turn == 3:
        seen.append((position.phase.id, position.to_move))
        position = position.play("end")
    assert seen == [
        ("german-replacement", "german"), ("german-movement", "german"), ("german-combat", "german"),
        ("german-interdiction", "german"), ("soviet-movement", "soviet"), ("soviet-combat", "soviet"),
    ]  # fmt: skip
    assert [p.id for p in GAME.phases] == [
        "soviet-set-up", "german-set-up", "german-replacement", "german-movement", "german-combat",
        "german-interdiction", "soviet-fortification", "soviet-movement", "soviet-combat", "over",
        "german-bid", "soviet-bid", "lot",
    ]  # fmt: skip
    assert all(p.case in GAME.cases for p in GAME.phases)


@pytest.mark.case("leningrad-2010", "3.0")
def test_phases_without_anything_to_decide_are_passed_over():
    units = {"x1": german("0101"), "x2": soviet("1209")}
    position = field("german-movement", units, air_used=1).play("end")
    assert position.phase.id == "soviet-movement", "no attack, no air unit left, nowhere to put forts"
    assert [e.kind for e in position.events].count("phase passed") == 3


@pytest.mark.case("leningrad-2010", "3.0", "11.5")
def test_air_units_come_back_when_the_turn_ends():
    units = {"x1": german("0101"), "x2": soviet("1209")}
    position = field("german-interdiction", units).play("interdict 0707")
    assert position.document()["interdiction"] == {"0707": 1}
    position = play(position, "end german-interdiction", "end soviet-movement")
    assert (position.turn, position.phase.id) == (5, "german-movement")
    assert "interdiction" not in position.document()
    assert "interdict 0708" in position.play("end").legal


@pytest.mark.case("leningrad-2010", "3.0", "16.0")
def test_twelve_turns_then_the_reckoning():
    units = {"x1": panzer("0101"), "x2": soviet("1209")}
    position = field("soviet-movement", units, turn=12).play("end")
    assert position.to_move is None
    assert position.phase.id == "over"
    assert position.phase.case == "16.0"
    assert position.outcome is not None
    assert refused(position, "end") == "16.0"
    assert field("soviet-movement", units, turn=11).play("end").outcome is None


@pytest.mark.case("leningrad-2010", "3.0", "4.0")
def test_orders_of_another_phase_are_refused():
    units = {"x1": german("0505"), "x2": soviet("0506"), "x3": soviet("0901")}
    moving = field("german-movement", units)
    assert refused(moving, "attack x1 0506") == "4.0", "no combat but overruns"
    for order in ("interdict 0606", "fort 0606", "rebuild x1", "lose x1", "commit", "place x1 0504"):
        assert refused(moving, order) == "3.0", order
    assert refused(moving, "move x3 0902") == "4.0", "the enemy's unit"
    assert refused(field("soviet-combat", units), "move x3 0902") == "4.0"
    assert refused(field("soviet-combat", units), "overrun x2 0505") == "7.0"
    assert refused(field("soviet-fortification", units), "attack x2 0505") == "8.0"


@pytest.mark.case("leningrad-2010", "1.0", "12.0")
def test_a_random_set_up_ends_in_the_first_turn():
    rng = random.Random(5)
    position = GAME.start()
    while position.phase.id.endswith("set-up"):
        position = position.play(position.legal.random(rng))
    assert (position.turn, position.phase.id) == (1, "german-movement")


@pytest.mark.case("leningrad-2010", "2.4")
def test_the_counter_sheet_has_both_faces():
    sheet = {front.id: (front, back) for front, back in GAME.counter_sheet()}
    assert len(sheet) == 114 - 7
    front, back = sheet["1/41"]
    assert (front.figures, back.figures, front.formation) == ("12-8", "6-8", "41")
    front, back = sheet["42td"]
    assert (front.figures, back.figures) == ("10-4-7", "?-7")
    assert sheet["198md"][1] == sheet["42td"][1], "the untried side tells neither armor from mechanized nor who it is"
    assert len({repr(back) for _, back in sheet.values() if back and back.figures.startswith("?")}) == 2
    assert Counter(front.symbol for front, _ in sheet.values())["fort"] == 12
