"""Set-up (5.0), reinforcements and withdrawals (16.0), workers (14.1), the order of battle."""

from __future__ import annotations

from fractions import Fraction

import pytest

from .conftest import german, happened, refused, situation, soviet, texts


@pytest.mark.case("assault-leningrad", "5.1", "5.3", "APP1", "14.1", "3.0", "1.1")
def test_leningrad_set_up(leningrad):
    pos = leningrad.start()
    assert pos.phase.id == "soviet-set-up"
    placed = {unit.id: pos.ground.number(h) for unit, h in zip(pos.roster, pos.where, strict=True) if h >= 0}
    assert len(placed) + len(leningrad.scenario.in_city) == 45
    assert placed["Nar"] == "1135"
    assert placed["21TD"] == "3113"
    assert placed["Nav"] == "0125"
    assert [placed[f"W{n}"] for n in range(11, 21)] == [
        "0312", "0611", "0916", "1120", "0518", "0619", "0420", "0821", "0622", "0326",
    ]  # fmt: skip
    assert sum(unit.is_worker for unit in pos.roster) == 20
    assert not any(unit.side == 0 and pos.where[i] >= 0 for i, unit in enumerate(pos.roster))
    assert refused(pos, "place 235RD 0420") == "APP1"
    assert refused(pos, "end") == "5.1"
    assert pos.why_not("place 235RD J5") is None
    pos = pos.play("place 281RD 0320")
    assert refused(pos, "place 281RD 0220") == "5.1"
    while pos.phase.id == "soviet-set-up":
        pos = pos.play(next(iter(pos.legal)))
    assert (pos.turn, pos.phase.id, pos.air) == (1, "german-air-bombardment", 3)
    areas = {
        word: leningrad.ground(leningrad.map).numbers(leningrad.map.places[word])
        for word in ("entry-a", "entry-b", "entry-c")
    }
    assert [len(hexes) for hexes in areas.values()] == [7, 5, 4]
    assert areas["entry-c"] == ["3816", "3817", "3818", "3819"]


@pytest.mark.case("assault-leningrad", "APP2", "5.4", "5.5", "16.11", "16.12", "16.21")
def test_leningrad_schedule(leningrad):
    german_lines = {(a.turn, a.area): len(a.units) for a in leningrad.scenario.arrivals if a.area}
    assert german_lines == {
        (1, "entry-a"): 11, (2, "entry-b"): 8, (3, "entry-c"): 6, (5, "entry-a"): 1, (7, "entry-b"): 3,
        (9, "entry-b"): 10, (17, "entry-a"): 1,
    }  # fmt: skip
    soviet_lines = {a.turn: len(a.units) for a in leningrad.scenario.arrivals if not a.area}
    assert soviet_lines == {5: 1, 6: 2, 9: 1, 16: 2, 18: 1, 22: 1}
    assert {w.turn: len(w.units) for w in leningrad.scenario.withdrawals} == {11: 5, 22: 9}
    assert leningrad.turns == 25
    assert len(leningrad.calendar) == 25


@pytest.mark.case("assault-leningrad", "5.4", "16.1", "16.14", "16.17", "16.18", "16.19", "16.16")
def test_entering_the_map(leningrad):
    units = {name: {"waiting": True} for name in ("1/1", "HQ38", "58ID", "269ID")}
    pos = situation(leningrad, "german-movement", units, map=None, turn=1)
    reach = pos.reach("1/1")
    assert reach["1136"].cost == Fraction(1, 3)
    assert pos.reach("HQ38")["1136"].cost == Fraction(1, 2)
    assert reach["1336"].cost >= 1
    assert refused(pos, "enter 58ID 1136") == "16.19"
    assert refused(pos, "enter 269ID 3830") == "16.19"
    assert refused(pos, "enter 1/1 3830") == "16.14"
    assert refused(pos, "enter 1/1 3830-3829") == "16.14"
    pos = pos.play("enter 1/1 1136-1135")
    assert pos.document()["units"]["1/1"]["hex"] == "1135"
    assert refused(pos, "move 1/1 1134") == "6.19"
    late = situation(leningrad, "german-movement", units, map=None, turn=8)
    assert late.why_not("enter 58ID 1236") is None
    assert refused(late, "enter 58ID 3828") == "16.14"
    assert late.why_not("end") is None
    assert (
        refused(situation(leningrad, "german-mechanized-movement", units, map=None, turn=8), "enter 1/1 1136")
        == "16.16"
    )


@pytest.mark.case("assault-*", "16.0", "16.1", "16.15", "16.14", "16.12", "16.11", "16.19")
def test_blocked_entry(game):
    line = game.scenario.arrivals[0]
    unit_id = line.units[-1]
    board = {"blank": [9, 9], "places": {"0109": [line.area], "0209": [line.area]}}
    units = {unit_id: {"waiting": True}, "s": soviet("0109", "1-C"), "a": soviet("0307", "4-A")}
    pos = situation(game, "german-movement", units, map=board, turn=line.turn)
    assert refused(pos, f"enter {unit_id} 0109") == "16.15"
    assert pos.why_not(f"enter {unit_id} 0209") is None
    zone = situation(game, "german-movement", {**units, "a": soviet("0208", "4-A")}, map=board, turn=line.turn)
    assert "0209" in zone.rigid_zone("soviet")
    assert {o for o in texts(zone) if o.startswith("enter")} == {f"enter {unit_id} 0209"}
    full = situation(game, "german-movement", {**units, "t": soviet("0209", "1-C")}, map=board, turn=line.turn)
    assert refused(full, f"enter {unit_id} 0209") == "16.15"
    early = situation(game, "german-movement", units, map=board, turn=1)
    if line.turn > 1:
        assert refused(early, f"enter {unit_id} 0209") == "16.19"


@pytest.mark.case("assault-leningrad", "16.13")
def test_soviet_arrivals(leningrad):
    units = {"1GV": {"waiting": True}}
    pos = situation(leningrad, "soviet-movement", units, map=None, turn=5)
    hexes = {order.split()[2] for order in texts(pos) if order.startswith("enter 1GV")}
    assert {"0219", "0220", "0320", "J5", "B3"} <= hexes
    assert refused(pos, "enter 1GV 0420") == "16.13"
    after = pos.play("enter 1GV 0320")
    assert after.reach("1GV")
    one = situation(leningrad, "soviet-movement", {**units, "1ID": "J5"}, map=None, turn=5)
    hexes = {order.split()[2] for order in texts(one) if order.startswith("enter 1GV")}
    assert "J6" not in hexes
    assert "0320" not in hexes
    assert {"B3", "C7"} <= hexes
    every = {**units, "1ID": "J5", "11ID": "C3", "12ID": "C7"}
    last = situation(leningrad, "soviet-movement", every, map=None, turn=5)
    assert {order for order in texts(last) if order.startswith("enter")} == {"enter 1GV 0120"}
    never = situation(leningrad, "soviet-movement", {**every, "21ID": "0120", "90RD": "0505"}, map=None, turn=5)
    assert not any(order.startswith("enter") for order in texts(never))
    assert refused(never, "enter 1GV 0120") == "16.13"


@pytest.mark.case("assault-leningrad", "16.2", "16.22", "16.23", "16.24", "16.25", "16.21")
def test_turn_eleven(leningrad):
    units = {
        "8/10": {"hex": "0505", "steps": 1}, "8/8": "0505", "8/28": "0606", "3/8": {"eliminated": True}, "3/29": "0707",
        "1ID": "0808", "90RD": "0303",
    }  # fmt: skip
    pos = situation(leningrad, "german-supply", units, turn=11).play("end")
    left = pos.document()["units"]
    assert [name for name in units if "hex" in left[name]] == ["1ID", "90RD"]
    assert left["8/10"]["withdrawn"]
    assert "8/10 is withdrawn" in happened(pos)
    assert "3/8 is withdrawn" not in happened(pos)
    points = {entry.label: entry.points for entry in pos.standing.ledger if entry.case == "17.23"}
    assert points == {"losses of 8/10": 4, "losses of 3/8": 8}
    same = situation(leningrad, "german-supply", units, turn=10).play("end")
    assert "hex" in same.document()["units"]["8/10"]


@pytest.mark.case("assault-leningrad", "16.26")
def test_turn_twenty_two(leningrad):
    units = {"6/11": "0909", "HQ41": "0909", "1ID": "1010", "90RD": "0303"}
    pos = situation(leningrad, "german-supply", units, turn=22, map=None).play("end")
    assert pos.document()["units"]["6/11"]["withdrawn"]
    stay = situation(leningrad, "german-supply", {**units, "1ID": "J5"}, turn=22, map=None).play("end")
    assert stay.document()["units"]["6/11"]["hex"] == "0909"


@pytest.mark.case("assault-*", "16.16")
def test_arrivals_fight_and_move_again(game):
    line = next(
        a
        for a in game.scenario.arrivals
        if a.area and any(game.printed[u].mechanized and not game.printed[u].is_hq for u in a.units)
    )
    unit_id = next(u for u in line.units if game.printed[u].mechanized and not game.printed[u].is_hq)
    board = {"blank": [9, 9], "places": {"0109": [line.area]}}
    units = {unit_id: {"waiting": True}, "s": soviet("0107", "2-C")}
    pos = situation(game, "german-movement", units, map=board, turn=line.turn).play(f"enter {unit_id} 0108").play("end")
    assert pos.why_not(f"attack {unit_id} 0107") is None
    pos = pos.play("end")
    assert pos.phase.id == "german-mechanized-movement"
    assert pos.reach(unit_id)


@pytest.mark.case("assault-leningrad", "3.2")
def test_counters_have_one_movement_factor_and_falling_faces(leningrad):
    for unit in leningrad.printed.values():
        combats = [face.combat for face in unit.faces]
        assert combats == sorted(combats, reverse=True)
        if unit.side == 0 and not unit.is_hq:
            assert len(unit.faces) == 2
        if unit.side == 1:
            assert not unit.corps
    assert sorted(u.corps for u in leningrad.printed.values() if u.is_hq) == ["2", "28", "38", "39", "41", "56"]


@pytest.mark.case("assault-*", "3.0", "3.1", "3.2")
def test_hexes_have_numbers_of_their_own(game):
    numbers = list(game.map.grid.numbers)
    assert len(numbers) == len(set(numbers))
    assert {"0101", "A1"} <= set(numbers)
    pos = situation(game, "german-movement", {"x": german("0505")})
    assert refused(pos, "move y 0506") == "3.2"
    assert refused(pos, "move x 9999") == "3.1"


# The cup ------------------------------------------------------------------------------------------


@pytest.mark.case("assault-stalingrad", "19.7", "19.72")
def test_drawing_from_the_cup(stalingrad):
    start = stalingrad.start()
    cup = {unit.id for i, unit in enumerate(start.roster) if start.cup >> i & 1}
    assert len(cup) == 34
    assert sum(stalingrad.printed[u].type == "tank-corps" for u in cup) == 3
    units = {name: {"cup": True} for name in sorted(cup)[:6]} | {"g": german("0909")}
    pos = situation(stalingrad, "soviet-supply", units, map=None, turn=6).play("end")
    assert pos.to_move == "chance"
    assert {p for _, p in pos.chance} == {Fraction(1, 6)}
    drawn = []
    while pos.to_move == "chance":
        order = pos.chance.outcomes[0][0]
        drawn.append(order.units[0])
        pos = pos.play(order)
    assert list(pos.drawn.values()) == ["entry-n"] * 3 + ["entry-e"] * 2
    north = pos.ground.numbers(pos.ground.place("entry-n"))
    assert pos.why_not(f"enter {drawn[0]} {north[0]}") is None
    assert pos.why_not(f"enter {drawn[-1]} {north[0]}") is not None
    after = pos.play(f"enter {drawn[0]} {north[0]}")
    assert drawn[0] not in after.drawn
    short = {name: {"cup": True} for name in sorted(cup)[:1]} | {"g": german("0909")}
    pos = situation(stalingrad, "soviet-supply", short, map=None, turn=6).play("end")
    pos = pos.play(pos.chance.outcomes[0][0])
    assert pos.to_move == "soviet"


@pytest.mark.case("assault-stalingrad", "19.73")
def test_lost_rifle_divisions_go_back_into_the_cup(stalingrad):
    units = {"33Gds": {"eliminated": True}, "184RD": {"eliminated": True}, "22TC": {"eliminated": True},
             "W1": {"eliminated": True}, "10NKVD": {"eliminated": True}, "g": german("0909")}  # fmt: skip
    pos = situation(stalingrad, "soviet-combat", units, turn=14).play("end")
    assert {unit.id for i, unit in enumerate(pos.roster) if pos.cup >> i & 1} == {"33Gds", "184RD"}
    later = situation(stalingrad, "soviet-combat", units, turn=15).play("end")
    assert not later.cup
    boxes = {box.turn for box in stalingrad.scenario.cup_boxes}
    assert {15, 16, 17, 18} <= boxes
    assert 19 not in boxes


@pytest.mark.case("assault-stalingrad", "19.71")
def test_stalingrad_schedule(stalingrad):
    lines = {(a.turn, a.area): a.units for a in stalingrad.scenario.arrivals}
    assert lines == {
        (2, "entry-s"): ["R2ID"], (3, "entry-w"): ["HQ11", "384ID"], (4, "entry-s"): ["HQ4"],
        (4, "entry-w"): ["94ID", "14Pz", "389ID"], (5, "entry-w"): ["76ID", "295ID"], (5, "entry-s"): ["371ID"],
        (6, "entry-w"): ["22Pz"],
    }  # fmt: skip


@pytest.mark.case("assault-stalingrad", "19.8", "19.81", "19.82", "19.43", "19.22")
def test_stalingrad_set_up(stalingrad):
    pos = stalingrad.start()
    assert refused(pos, "place W1 1406") == "19.82"
    assert refused(pos, "place 10NKVD 1305") == "19.82"
    assert pos.why_not("place 10NKVD H4") is None
    assert pos.why_not("place W1 1305") is None
    for index, unit in enumerate(pos.roster):
        assert pos.steps[index] == unit.full_steps
    land = pos.ground.land
    assert all(land >> h & 1 for h in pos.where if h >= 0)


@pytest.mark.case("assault-leningrad", "16.13")
def test_a_soviet_reinforcement_reaches_the_city_and_nothing_else(leningrad):
    pos = situation(leningrad, "soviet-movement", {"1GV": {"waiting": True}, "1ID": "2009"}, map=None, turn=5)
    reach = pos.reach("1GV")
    assert set(reach) == {order.hexes[0] for order in pos.legal.of("1GV")}
    assert "0320" in reach
    assert "0916" not in reach  # Tosno is a city too
    assert reach["0320"].cost == 0
    assert reach["0320"].left == 5


@pytest.mark.case("assault-leningrad", "16.14", "16.19")
def test_the_entry_area_of_others_is_refused_as_such(leningrad):
    pos = situation(leningrad, "german-movement", {"58ID": {"waiting": True}}, map=None, turn=8)
    assert refused(pos, "enter 58ID 3830") == "16.14"
    assert refused(pos, "enter 58ID 3830-3730") == "16.14"
    assert pos.why_not("enter 58ID 1136") is None
