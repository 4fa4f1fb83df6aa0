"""Victory (17.0), additional markers (18.5), guerrillas kept away (18.2), and Stalingrad (19.9)."""

from __future__ import annotations

import pytest

from .conftest import german, happened, refused, situation, soviet, texts


def points(pos, side: str) -> int:
    return sum(entry.points for entry in pos.standing.ledger if entry.side == side)


def lines(pos, side: str) -> dict[str, int]:
    return {entry.label: entry.points for entry in pos.standing.ledger if entry.side == side}


# Decisive victory ---------------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "17.0", "17.1", "17.11")
def test_german_decisive_victory(leningrad):
    units = {"1ID": "J5", "Nav": "0220", "90RD": "0909"}
    pos = situation(leningrad, "soviet-combat", units, map=None, turn=25)
    assert (pos.standing.winner, pos.standing.level, pos.standing.case) == ("german", "decisive victory", "17.11")
    held = situation(leningrad, "soviet-combat", {**units, "W1": "B3"}, map=None, turn=25)
    assert held.standing.level != "decisive victory"


@pytest.mark.case("assault-leningrad", "17.12")
def test_soviet_decisive_victory(leningrad):
    units = {"W1": "0320", "1ID": "0909"}
    pos = situation(leningrad, "soviet-combat", units, map=None, turn=25)
    assert (pos.standing.winner, pos.standing.case) == ("soviet", "17.12")
    inside = situation(leningrad, "soviet-combat", {"W1": "B3", "1ID": "J5"}, map=None, turn=25)
    assert inside.standing.level != "decisive victory"
    wall = {f"g{n}": german(f"{n:02}05" if n < 39 else "3805", "8-A") for n in range(1, 39, 2)}
    wall = {k: v for k, v in wall.items() if leningrad.map.land >> leningrad.map.grid.hex(v["hex"]) & 1}
    cut = situation(leningrad, "soviet-combat", {"W1": "0320", **wall}, map=None, turn=25)
    assert cut.standing.case != "17.12"


@pytest.mark.case("assault-leningrad", "17.0", "17.12", "17.11")
def test_both_conditions_at_once_decide_nothing(leningrad):
    pos = situation(leningrad, "soviet-combat", {"1ID": "2020", "90RD": "0909"}, map=None, turn=25)
    assert pos.standing.level == "victory on points"


# Points -------------------------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "17.2", "17.21", "17.22", "17.24")
def test_places(leningrad):
    pos = situation(leningrad, "german-movement", {"1ID": "0610", "11ID": "H4", "90RD": "B3", "Nav": "0220"}, map=None)
    key_points = len(pos.ground.numbers(pos.ground.key_points))
    assert points(pos, "soviet") + points(pos, "german") == 50 + 5 * key_points
    cities = {
        e.label: e.points for e in pos.standing.ledger if e.label in {c.name for c in leningrad.scenario.victory.cities}
    }
    assert cities == {
        "Novgorod": 5, "Chudovo": 5, "Kirishi": 5, "Volkhov": 15, "Mga": 10, "Schlisselburg": 5, "Oranienbaum": 5,
    }  # fmt: skip
    assert sum(entry.points for entry in leningrad.start().standing.ledger if entry.label in cities) == 50
    passing = pos.play("move 1ID 0611-0612")
    assert lines(passing, "german")["Mga"] == 10
    back = situation(leningrad, "soviet-movement", {"90RD": "0612"}, map=None, **{"german-held": ["0611"]})
    assert lines(back, "german")["Mga"] == 10
    assert "Mga" not in lines(back.play("move 90RD 0611"), "german")


@pytest.mark.case("assault-leningrad", "17.22", "8.14")
def test_key_points_change_hands_in_passing(leningrad):
    place = leningrad.ground(leningrad.map).numbers(leningrad.ground(leningrad.map).key_points)[0]
    held = situation(leningrad, "soviet-movement", {"90RD": "B3", "1ID": place}, map=None)
    assert sum(1 for e in held.standing.ledger if e.side == "german" and e.points == 5) == 1
    gone = situation(leningrad, "soviet-movement", {"90RD": "B3"}, map=None, **{"german-held": [place]})
    assert sum(1 for e in gone.standing.ledger if e.side == "german" and e.points == 5) == 1


@pytest.mark.case("assault-leningrad", "17.23", "16.24")
def test_worked_example_of_german_losses(leningrad):
    """122nd eliminated: 8. 6/11 from 5 to 3: 4, its second step 6 more."""
    pos = situation(leningrad, "soviet-combat", {"122ID": {"eliminated": True}, "90RD": "0505"}, map=None)
    assert lines(pos, "soviet")["losses of 122ID"] == 8
    pos = situation(leningrad, "soviet-combat", {"6/11": {"hex": "0505", "steps": 1}, "90RD": "0909"}, map=None)
    assert lines(pos, "soviet")["losses of 6/11"] == 4
    pos = situation(leningrad, "soviet-combat", {"6/11": {"eliminated": True}, "90RD": "0909"}, map=None)
    assert lines(pos, "soviet")["losses of 6/11"] == 4 + 6
    pos = situation(leningrad, "soviet-combat", {"HQ41": {"eliminated": True}, "90RD": "0909"}, map=None)
    assert "losses of HQ41" not in lines(pos, "soviet")


@pytest.mark.case("assault-leningrad", "17.24")
def test_soviet_losses_give_nothing(leningrad):
    alive = situation(leningrad, "soviet-combat", {"90RD": "0505", "1ID": "0909"}, map=None)
    dead = situation(leningrad, "soviet-combat", {"90RD": {"eliminated": True}, "1ID": "0909"}, map=None)
    assert points(alive, "german") == points(dead, "german")


@pytest.mark.case("assault-leningrad", "17.25", "11.45")
def test_garrisons(leningrad):
    def after(units, **more):
        return situation(leningrad, "german-mechanized-movement", {**units, "90RD": "0909"}, map=None, **more).play(
            "end"
        )

    assert lines(after({"21ID": {"hex": "2107", "steps": 1}}), "german")["Chudovo"] == 5
    lone = after({"3/8": "2107"})
    assert "Chudovo" not in lines(lone, "german")
    assert "Chudovo" in happened(lone)
    assert lines(after({"3/8": "2107", "3/29": "2107"}), "german")["Chudovo"] == 5
    assert "Chudovo" not in lines(after({"HQ2": "2107"}), "german")
    again = after({"21ID": "2107"}, forfeited=["2107"])
    assert "Chudovo" not in lines(again, "german")
    assert again.supply("21ID")
    passed = after({"21ID": "2207"}, **{"german-held": ["2107"]})
    assert "Chudovo" not in lines(passed, "german")
    assert lines(after({"21ID": "0610"}, **{"german-held": ["0611"]}), "german")["Mga"] == 10


@pytest.mark.case("assault-leningrad", "17.0", "17.21", "2.0", "4.0")
def test_the_game_ends_after_turn_twenty_five(leningrad):
    pos = situation(leningrad, "soviet-combat", {"90RD": "0505", "1ID": "0506", "W1": "B3"}, map=None, turn=25)
    pos = pos.play("end")
    while pos.outcome is None:
        pos = pos.play("end")
    assert pos.to_move is None
    assert not list(pos.legal)
    assert pos.why_not("end") is not None
    assert pos.outcome == pos.standing


# Options ------------------------------------------------------------------------------------------


@pytest.mark.case("assault-leningrad", "18.5", "18.51", "18.52", "18.53", "18.54")
def test_additional_markers(leningrad):
    options = {"extra-points": True}
    start = leningrad.start(options=options)
    assert len(start.ground.numbers(start.extra_markers)) == 5
    assert sum(e.points for e in start.standing.ledger if e.case == "18.52") == 50
    units = {"1ID": "0620", "90RD": "0909", "W1": "B3"}
    pos = situation(leningrad, "german-movement", units, map=None, options=options, markers=["0619", "0622", "0821"])
    assert sum(e.points for e in pos.standing.ledger if e.case == "18.52") == 30
    plain = situation(leningrad, "german-movement", units, map=None)
    assert pos.reach("1ID").keys() == plain.reach("1ID").keys()
    taken = pos.play("move 1ID 0619")
    assert taken.ground.numbers(taken.extra_markers) == ["0622", "0821"]
    soviets = situation(leningrad, "soviet-movement", {"90RD": "0620"}, map=None, options=options, markers=["0622"])
    assert soviets.play("move 90RD 0619").document()["markers"] == ["0622"]


@pytest.mark.case("assault-leningrad", "18.54", "8.35")
@pytest.mark.parametrize("supply", ["in", "out"])
@pytest.mark.parametrize("beside", [{}, {"y": soviet("J6")}], ids=["free", "in a zone"])
def test_who_leaves_the_inset_by_a_marker_takes_it(leningrad, supply, beside):
    """J7 is a hex of Uritsk, 0420: whoever goes on from there was in it, by whatever rule and however he is ordered."""
    units = {"x": german("J7", movement=9, supply=supply), **beside}
    options = {"extra-points": True}
    pos = situation(leningrad, "german-movement", units, map=None, options=options, markers=["0420", "0622"])
    for way in ("0521", "J7-0420-0521"):
        after = pos.play(f"move x {way}")
        assert after.ground.numbers(after.extra_markers) == ["0622"]


@pytest.mark.case("assault-leningrad", "18.2", "18.21")
def test_guerrillas_kept_away(leningrad):
    options = {"guerrillas-away": True}
    pos = situation(leningrad, "soviet-movement", {"Gue1": "0320", "90RD": "0505"}, map=None, options=options, turn=1)
    assert refused(pos, "end") == "18.21"
    ends = {order.split()[2] for order in texts(pos) if order.startswith("move Gue1")}
    grid = leningrad.map.grid
    city = [grid.hex(h) for h in ("0219", "0220", "0320")]
    assert ends
    assert all(min(grid.distance(grid.hex(h), c) for c in city) >= 7 for h in ends)
    assert refused(pos, "move Gue1 0420") == "18.21"
    away = pos.play(f"move Gue1 {sorted(ends)[0]}")
    assert away.why_not("end") is None
    far = sorted(ends)[-1]
    later = situation(leningrad, "soviet-movement", {"Gue1": far}, map=None, options=options, turn=4)
    inner = [h for h in later.reach("Gue1") if min(grid.distance(grid.hex(h), c) for c in city) < 7]
    assert not inner


@pytest.mark.case("assault-leningrad", "18.21")
def test_all_four_guerrillas_can_comply(leningrad):
    options = {"guerrillas-away": True}
    units = {f"Gue{n}": "0320" for n in range(1, 5)} | {"90RD": "1133"}
    pos = situation(leningrad, "soviet-movement", units, map=None, options=options, turn=1)
    for n in range(1, 5):
        pos = pos.play(sorted(o for o in texts(pos) if o.startswith(f"move Gue{n}"))[0])
    assert pos.why_not("end") is None


# Stalingrad ---------------------------------------------------------------------------------------


@pytest.mark.case("assault-stalingrad", "19.9", "19.91", "19.92")
def test_points_in_the_city(stalingrad):
    victory_hex = stalingrad.ground(stalingrad.map).numbers(stalingrad.ground(stalingrad.map).key_points)[0]
    plain = next(
        n for n in stalingrad.ground(stalingrad.map).numbers(stalingrad.ground(stalingrad.map).interior)
        if not stalingrad.ground(stalingrad.map).key_points >> stalingrad.map.grid.hex(n) & 1
    )  # fmt: skip
    base = {"s": soviet("0203")}

    def german_points(units):
        pos = situation(stalingrad, "soviet-combat", {**base, **units}, map=None, turn=19, **{"german-held": []})
        return sum(e.points for e in pos.standing.ledger if e.side == "german" and e.case in ("19.91", "19.92"))

    assert german_points({"g": german(plain)}) == 3
    assert german_points({"g": german(plain, supply="out")}) == 0
    assert german_points({"h": german(plain, "0-C", type="hq")}) == 0
    assert german_points({"g": german(victory_hex)}) == 8
    held = situation(stalingrad, "soviet-combat", {"s": soviet(victory_hex), "g": german("0909")}, map=None, turn=19)
    assert [e.points for e in held.standing.ledger if e.side == "soviet"] == [5]


@pytest.mark.case("assault-stalingrad", "19.93")
def test_the_gate_in_the_north_west(stalingrad):
    def german_points(units, **more):
        pos = situation(stalingrad, "soviet-combat", {"s": soviet("0203"), **units}, map=None, turn=19, **more)
        return sum(e.points for e in pos.standing.ledger if e.case == "19.93")

    assert german_points({"g": german("2020")}) == 0
    assert german_points({"g": german("0120", "8-A")}) == 20
    assert german_points({"g": german("0119", "8-A")}) == 10
    assert german_points({"g": german("2020")}, **{"german-held": ["0120"]}) == 10


@pytest.mark.case("assault-stalingrad", "19.94", "19.0")
def test_most_points_win(stalingrad):
    pos = situation(stalingrad, "soviet-combat", {"s": soviet("0203"), "g": german("0120")}, map=None, turn=19)
    assert (pos.standing.winner, pos.standing.margin, pos.standing.case) == ("german", 20, "19.94")
    level = situation(stalingrad, "soviet-combat", {"s": soviet("0203"), "g": german("2020")}, map=None, turn=19)
    assert (level.standing.winner, level.standing.level) == (None, "draw")
    over = level.play("end")
    while over.outcome is None:
        over = over.play("end")
    assert over.turn == 19
    assert stalingrad.turns == 19
    lost = situation(
        stalingrad, "soviet-combat", {"16Pz": {"eliminated": True}, "s": soviet("0203")}, map=None, turn=19
    )
    assert not any("losses" in e.label for e in lost.standing.ledger)


@pytest.mark.case("assault-leningrad", "17.25")
def test_one_regiment_of_a_made_up_division_is_no_garrison(leningrad):
    rgt = {"type": "motorized", "size": "regiment", "division": "9th Panzer", "movement": 8}
    units = {"a": german("2107", "4-A", **rgt), "b": german("2007", "4-A", **rgt)}
    pos = situation(leningrad, "german-mechanized-movement", units, map=None)
    assert "17.25" in {event.case for event in pos.play("end").events}
    together = pos.play("move b 2107")
    assert "17.25" not in {event.case for event in together.play("end").events}
