"""Combat (10.0)."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import ladoga

from .conftest import STALINGRAD, german, happened, refused, situation, soviet, texts


def fight(game, units, attack: str, roll: int, **more):
    """The position after an attack and its roll."""
    return situation(game, "german-combat", units, **more).play(f"attack {attack}").play(f"die {roll}")


def hexes(pos) -> dict[str, str]:
    return {unit: entry["hex"] for unit, entry in pos.document()["units"].items() if "hex" in entry}


def roll_for(game, result: str, column: str, modifier: int = 0) -> int:
    """A die that brings a result in a column; the table is data, so tests look it up."""
    index = game.tables.results.columns.index(column)
    for roll in range(1, 7):
        if game.result(index, roll + modifier) == result:
            return roll
    raise AssertionError(f"{column} has no {result}")


# Who attacks whom ---------------------------------------------------------------------------------


@pytest.mark.case("assault-*", "10.0", "10.1", "10.11", "10.12", "10.13", "10.17")
def test_attacks_are_voluntary_adjacent_and_in_the_own_phase(game):
    units = {"x": german("0505"), "y": soviet("0506"), "z": soviet("0508")}
    pos = situation(game, "german-combat", units)
    assert {"target 0506", "end"} <= texts(pos)
    assert "target 0508" not in texts(pos)
    assert refused(pos, "attack x 0508") == "10.13"
    assert refused(pos, "target 0508") == "10.13"
    assert refused(pos, "attack y 0505") == "10.11"
    assert pos.play("end").phase.id != "german-combat"
    assert refused(situation(game, "german-movement", units), "attack x 0506") == "4.0"


@pytest.mark.case("assault-*", "10.14", "10.15", "10.16")
def test_hexes_and_units_once(game):
    units = {
        "x": german("0505"),
        "w": german("0605"),
        "y": soviet("0506", "4-C", movement=0),
        "z": soviet("0405", "9-A"),
    }
    pos = situation(game, "german-combat", units)
    pos = pos.play("attack x 0506")
    while pos.pending is not None:
        pos = pos.play("die 3") if pos.to_move == "chance" else pos.play(next(iter(pos.legal)))
    if pos.phase.id == "german-combat":
        assert refused(pos, "attack w 0506") in ("10.15", "10.13", "10.29")
        assert refused(pos, "attack x 0405") in ("10.16", "10.13")


@pytest.mark.case("assault-*", "10.16", "10.17", "10.39")
def test_worked_example_two_hexes_at_once(game):
    """Two 4s on a 4 in the open and a 4 in woods: 8:12 is 1:2."""
    regiment = {"type": "motorized", "size": "regiment", "division": "d", "movement": 8}
    units = {
        "a": german("0605", "4-A 2-B", **regiment), "b": german("0605", "4-A 2-B", **regiment),
        "c": soviet("0505"), "d": soviet("0506"),
    }  # fmt: skip
    field = {"blank": [9, 9]}
    woods = "woods" if "woods" in game.map.vocabulary.terrain else None
    if woods:
        field["hexes"] = {"0506": "woods"}
    pos = situation(game, "german-combat", units, map=field)
    told = pos.explain("attack a+b 0505-0506")
    assert told.attack == ((Fraction(8), 1),)
    assert told.defence == ((Fraction(12 if woods else 8), 1),)
    assert told.columns[0][0] == ("1:2" if woods else "1:1")
    stepwise = pos.play("target 0505").play("target 0506").play("add a").play("add b")
    assert stepwise.explain("commit").columns == told.columns


@pytest.mark.case("assault-*", "10.17", "10.211")
def test_part_of_a_stack_attacks(game):
    regiment = {"type": "motorized", "size": "regiment", "division": "d", "movement": 8}
    units = {
        "a": german("0605", "4-C", **regiment),
        "b": german("0605", "4-C", **regiment),
        "c": soviet("0505", "12-A"),
    }
    roll = roll_for(game, "AE", "1:3", -2)
    pos = fight(game, units, "a 0505", roll)
    assert hexes(pos) == {"b": "0605", "c": "0505"}


@pytest.mark.case("assault-*", "10.13")
def test_every_attacker_touches_every_hex(game):
    units = {"x": german("0505"), "a": german("0403"), "y": soviet("0504"), "z": soviet("0506")}
    pos = situation(game, "german-combat", units)
    assert refused(pos, "attack x+a 0504-0506") == "10.13"
    assert pos.why_not("attack x 0504-0506") is None


@pytest.mark.case("assault-*", "10.18", "12.51", "12.53", "12.55", "12.56")
def test_support_is_placed_before_the_first_attack(game):
    units = {"x": german("0505"), "y": soviet("0506"), "v": german("0805"), "z": soviet("0806")}
    pos = situation(game, "german-combat", units, **{"support-left": 2})
    pos = pos.play("support 0506")
    assert refused(pos, "support 0506") == "12.53"
    pos = pos.play("attack x 0506").play(f"die {roll_for(game, '-/2', '2:1', 2)}")
    while pos.pending is not None:
        pos = pos.play(next(iter(pos.legal)))
    assert refused(pos, "support 0806") == "10.18"
    after = pos.play("end")
    assert after.support == 0
    assert after.support_left == 0


# Odds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [("26", "9", "2:1"), ("7", "9/2", "3:2"), ("11/2", "12", "1:3"), ("8", "12", "1:2"), ("5", "4", "1:1"),
     ("8", "1", "8:1"), ("79", "10", "7:1"), ("3", "9", "1:3"), ("3", "10", "below 1:3")],
)  # fmt: skip
@pytest.mark.case("assault-*", "10.2", "10.21")
def test_odds_are_rounded_for_the_defender(game, attack, defence, column):
    assert game.column_name(game.odds_column(Fraction(attack), Fraction(defence))) == column


@pytest.mark.case("assault-*", "10.21")
def test_overwhelming_and_hopeless_odds(game):
    units = {"x": german("0505", "8-A"), "y": soviet("0506", "1-C")}
    pos = situation(game, "german-combat", units).play("attack x 0506")
    assert pos.to_move != "chance"
    assert "y is eliminated" in happened(pos)
    weak = situation(game, "german-combat", {"x": german("0505", "3-A"), "y": soviet("0506", "10-A")})
    assert refused(weak, "attack x 0506") == "10.21"
    assert refused(weak, "target 0506") == "10.21"


@pytest.mark.case("assault-*", "10.22", "10.212")
def test_a_result_is_carried_out_before_the_next_attack(game):
    units = {"x": german("0505"), "y": soviet("0506", "4-B 2-C"), "v": german("0805"), "z": soviet("0806")}
    pos = fight(game, units, "x 0506", roll_for(game, "-/1", "2:1", 1))
    assert pos.to_move == "soviet"
    assert refused(pos, "attack v 0806") == "10.22"
    assert refused(pos, "end") == "10.212"


@pytest.mark.case("assault-*", "10.23", "10.54")
def test_results_eliminate(game):
    units = {"x": german("0505", "4-C"), "h": german("0505", "0-C", type="hq"), "y": soviet("0506", "12-A")}
    pos = fight(game, units, "x 0506", roll_for(game, "AE", "1:3", -2))
    assert hexes(pos) == {"h": "0505", "y": "0506"}
    assert not any(order.startswith("advance") for order in texts(pos))
    gone = situation(game, "german-combat", {"x": german("0505", "20-A"), "y": soviet("0506", "2-C")}).play(
        "attack x 0506"
    )
    assert "y" not in hexes(gone)


@pytest.mark.case("assault-*", "10.23")
def test_a_dash_is_no_penalty(game):
    from ladoga.games.assault.combat import penalties

    assert [penalties(r) for r in ("2/1", "-/1", "1/-", "-/-")] == [(2, 1), (0, 1), (1, 0), (0, 0)]
    units = {"x": german("0505", "8-B"), "y": soviet("0506", "4-B")}
    pos = fight(game, units, "x 0506", roll_for(game, "-/-", "2:1"))
    assert hexes(pos) == {"x": "0505", "y": "0506"}
    assert texts(pos) == {"end"}


# Penalties ----------------------------------------------------------------------------------------


@pytest.mark.case("assault-*", "10.24", "10.25", "10.26")
def test_worked_example_one_one(game):
    """1/1: the German retreats and the Soviet stands, or the German pays a step and the Soviet must give way."""
    units = {"x": german("0505", "5-A 3-B", type="panzer"), "y": soviet("0506", "4-B 2-C")}
    pos = fight(game, units, "x 0506", roll_for(game, "1/1", "1:1", 1))
    assert pos.to_move == "german"
    away = pos.play("retreat x 0504")
    assert away.to_move == "soviet"
    assert "stand" in texts(away)
    assert hexes(away.play("stand"))["y"] == "0506"
    paid = pos.play("lose x")
    assert paid.to_move == "soviet"
    assert refused(paid, "stand") == "10.26"
    assert {"lose y"} < texts(paid)
    gone = paid.play("retreat y 0507")
    assert "advance x 0506" in texts(gone)
    assert hexes(gone.play("advance x 0506")) == {"x": "0506", "y": "0507"}


@pytest.mark.case("assault-*", "10.25", "10.211", "10.210")
def test_only_the_first_penalty_may_be_a_retreat(game):
    units = {"x": german("0505", "9-B"), "y": soviet("0506", "4-B 2-C")}
    pos = fight(game, units, "x 0506", roll_for(game, "-/2", "2:1"))
    hurt = pos.play("lose y")
    assert refused(hurt, "retreat y 0507") == "10.25"
    assert hexes(hurt.play("lose y")) == {"x": "0505"}
    first = pos.play("retreat y 0507")
    assert texts(first) == {"lose y"}
    assert first.play("lose y").document()["units"]["y"]["steps"] == 1


@pytest.mark.case("assault-*", "10.26")
def test_one_two_spares_only_the_first_penalty(game):
    units = {"x": german("0505", "8-A 4-B"), "y": soviet("0506", "4-B 2-C")}
    pos = fight(game, units, "x 0506", roll_for(game, "1/2", "2:1", 1)).play("retreat x 0504").play("stand")
    assert texts(pos) == {"lose y"}
    pos = pos.play("lose y")
    assert pos.document()["units"]["y"]["steps"] == 1
    assert hexes(pos)["y"] == "0506"


@pytest.mark.case("assault-*", "10.26", "10.25")
def test_two_one_retreat_then_step(game):
    units = {"x": german("0505", "4-B 2-C"), "y": soviet("0506", "4-B 2-C")}
    pos = fight(game, units, "x 0506", roll_for(game, "2/1", "1:1", 0)).play("retreat x 0504")
    assert texts(pos) == {"lose x"}
    pos = pos.play("lose x")
    assert pos.to_move == "soviet"
    assert "stand" in texts(pos)


@pytest.mark.case("assault-*", "10.26")
def test_a_defender_may_take_the_penalty_all_the_same(game):
    units = {"x": german("0505", "5-A 3-B"), "y": soviet("0506", "4-C 2-C")}
    pos = fight(game, units, "x 0506", roll_for(game, "1/1", "1:1", 2)).play("retreat x 0605")
    assert {"stand", "lose y", "retreat y 0507"} <= texts(pos)
    gone = pos.play("retreat y 0507")
    advances = texts(gone) & {"advance x 0506"}
    assert bool(advances) == (not game.tables.book.retreat_disrupts)


@pytest.mark.case("assault-*", "10.27", "10.28")
def test_where_a_retreat_may_not_go(game):
    field = {"blank": [12, 12], "hexsides": {"0506/0406": ["lake"]}}
    units = {
        "x": german("0505", "8-A"), "y": soviet("0506", "4-B 2-C"), "f": soviet("0507", "1-C"),
        "b": german("0704", "4-B"),
    }  # fmt: skip
    pos = fight(game, units, "x 0506", roll_for(game, "-/1", "2:1", 1), map=field)
    assert {order for order in texts(pos) if order.startswith("retreat")} == {"retreat y 0606"}
    assert refused(pos, "retreat y 0507") == "10.27"
    assert refused(pos, "retreat y 0406") == "10.27"
    assert refused(pos, "retreat y 0405") == "10.27"


@pytest.mark.case("assault-*", "10.27")
def test_fluid_zones_bar_retreats_even_with_a_friend_there(game):
    units = {
        "x": german("0505", "8-A"), "y": soviet("0506", "4-B 2-C"), "b": german("0508", "4-B"),
    }  # fmt: skip
    pos = fight(game, units, "x 0506", roll_for(game, "-/1", "2:1", 1))
    assert refused(pos, "retreat y 0507") == "10.27"
    assert "retreat y 0406" in texts(pos)


@pytest.mark.case("assault-*", "10.27")
def test_units_may_retreat_to_different_hexes_and_forward(game):
    units = {"x": german("0505", "4-B 2-C"), "v": german("0606", "4-B 2-C"), "y": soviet("0506", "5-C", movement=0)}
    pos = fight(game, units, "x+v 0506", roll_for(game, "1/-", "3:2", 1))
    assert pos.to_move == "german"
    pos = pos.play("retreat x 0504").play("retreat v 0706")
    assert hexes(pos) == {"x": "0504", "v": "0706", "y": "0506"}
    again = fight(game, units, "x+v 0506", roll_for(game, "1/-", "3:2", 1))
    assert "retreat x 0405" in texts(again)


@pytest.mark.case("assault-*", "10.27", "10.28")
def test_all_or_none_retreat(game):
    units = {"x": german("0505", "8-B"), "y": soviet("0506", "2-B", disrupted=True), "z": soviet("0604", "2-B 1-C")}
    pos = fight(game, units, "x 0506-0604", roll_for(game, "-/1", "2:1"))
    assert texts(pos) == {"lose y", "lose z"}
    assert refused(pos, "retreat y 0507") == "10.28"
    assert refused(pos, "retreat z 0603") == "10.28"


@pytest.mark.case("assault-*", "10.27", "10.28")
@pytest.mark.parametrize("names", ["abcd", "dcba", "bdac"])
def test_a_column_of_attackers_retreats_from_its_head(game, names):
    """Each of four can only go where the next one stands, and the first alone into the open: in that order all can."""
    grid = situation(game, "german-combat", {"x": german("0606")}).ground.grid
    first, second, third, last = ring = [grid.number(h) for h in grid.neighbours(grid.hex("0606"))][:4]
    beyond = {grid.number(h) for n in ring for h in grid.neighbours(grid.hex(n))} - {*ring, "0606"}
    way_out = next(n for n in sorted(beyond) if [x for x in ring if grid.adjacent(grid.hex(n), grid.hex(x))] == [last])
    units = {name: german(h, "4-C 2-C") for name, h in sorted(zip(names, ring, strict=True))}
    units |= {f"s{n}": soviet(n, "1-C") for n in sorted(beyond - {way_out})}
    attack = f"{'+'.join(names)} 0606"
    pos = fight(game, {**units, "t": soviet("0606", "5-C 2-C")}, attack, roll_for(game, "1/1", "3:1"))
    for name, h in zip(reversed(names), (way_out, last, third, second), strict=True):
        assert [str(o) for o in pos.legal if o.verb == "retreat"] == [f"retreat {name} {h}"]
        pos = pos.play(f"retreat {name} {h}")
    assert first not in hexes(pos).values()


@pytest.mark.case("assault-*", "10.28")
def test_hemmed_in_units_lose_steps(game):
    ring = {"b1": german("0407", "3-B"), "b2": german("0607", "3-B")}
    units = {"x": german("0505", "8-A"), "y": soviet("0506", "4-B 2-C"), **ring}
    pos = fight(game, units, "x 0506", roll_for(game, "-/1", "2:1", 1))
    assert texts(pos) == {"lose y"}
    assert refused(pos, "retreat y 0507") == "10.27"


@pytest.mark.case("assault-*", "10.29")
def test_worked_example_retreat_next_to_class_c(game):
    """A unit may retreat next to class C units; these attack others in its hex, not the unit itself."""
    units = {
        "x": german("0505", "8-A"), "mar": soviet("0506", "3-B"), "c": german("0508", "3-C"),
        "rd": soviet("0507", "1-C", type="worker", movement=0),
    }  # fmt: skip
    pos = fight(game, units, "x 0506", roll_for(game, "-/1", "2:1", 1))
    assert "retreat mar 0507" in texts(pos)
    pos = pos.play("retreat mar 0507")
    if pos.pending is not None:
        pos = pos.play("end")
    assert pos.why_not("attack c 0507") is None
    assert pos.explain("attack c 0507").defence == ((Fraction(1), 1),)
    alone = fight(game, {k: v for k, v in units.items() if k != "rd"}, "x 0506", roll_for(game, "-/1", "2:1", 1))
    alone = alone.play("retreat mar 0507")
    if alone.pending is not None:
        alone = alone.play("end")
    if alone.phase.id == "german-combat":
        assert refused(alone, "attack c 0507") == "10.29"


@pytest.mark.case("assault-leningrad", "10.29", "10.211")
def test_worked_example_newcomer_shares_the_result(leningrad):
    """8/28 retreats to 8/8; 2 GV and 5 GV attack with 5 against 4; -/1 can be met in three ways."""
    units = {
        "8/28": "0506", "8/8": "0507", "2GV": "0407", "5GV": "0508", "rd": soviet("0505", "8-B"),
    }  # fmt: skip
    pos = situation(leningrad, "soviet-combat", units)
    pos = pos.play("attack rd 0506").play(f"die {roll_for(leningrad, '-/1', '2:1', -1)}").play("retreat 8/28 0507")
    if pos.pending is not None:
        pos = pos.play("end")
    told = pos.explain("attack 2GV+5GV 0507")
    assert (told.attack, told.defence) == (((Fraction(5), 1),), ((Fraction(4), 1),))
    assert told.columns == (("1:1", 1),)
    column, modifier = leningrad.tables.results.columns.index("1:1"), told.net
    roll = next((r for r in range(1, 7) if leningrad.result(column, r + modifier) == "-/1"), None)
    if roll is None:
        pos = pos.play("attack 2GV+5GV 0507")
        from ladoga.games.assault.pending import Fight

        pos.go("penalty", 0, Fight("german", ("0507",), ("2GV", "5GV"), ("8/28", "8/8"), 1))
    else:
        pos = pos.play("attack 2GV+5GV 0507").play(f"die {roll}")
    kinds = {order.split()[0] + " " + order.split()[1] for order in texts(pos)}
    assert kinds == {"lose 8/8", "lose 8/28", "retreat 8/8", "retreat 8/28"}
    assert "retreat" in texts(pos.play("retreat 8/8 0606")).pop()


@pytest.mark.case("assault-*", "10.210")
def test_steps(game):
    units = {"x": german("0505", "16-A"), "y": soviet("0506", "4-B 2-C"), "z": soviet("0405", "2-C")}
    pos = situation(game, "german-combat", units)
    pos.lose_step(pos.index["y"])
    assert (pos.steps[pos.index["y"]], pos.grade(pos.index["y"])) == (1, "C")
    pos.lose_step(pos.index["z"])
    assert pos.document()["units"]["z"] == {
        "side": "soviet", "type": "rifle", "faces": ["2-C"], "movement": 5, "eliminated": True,
    }  # fmt: skip


# Terrain ------------------------------------------------------------------------------------------


def defence(game, place=None, terrain=None, side="german", face="4-B", sides=None):
    """Strength of one defender in 0506, attacked from 0505 and 0605 by the given side."""
    field = {"blank": [9, 9]}
    if terrain:
        field["hexes"] = {"0506": terrain}
    if place:
        field["places"] = {"0506": [place]}
    if sides:
        field["hexsides"] = sides
    attacker, defender = (german, soviet) if side == "german" else (soviet, german)
    units = {"x": attacker("0505"), "w": attacker("0605"), "y": defender("0506", face)}
    pos = situation(game, f"{side}-combat", units, map=field)
    return pos, pos.explain("attack x+w 0506").defence[0][0]


@pytest.mark.case("assault-leningrad", "10.3", "10.31", "10.32", "10.34", "10.35", "10.36", "10.310")
def test_terrain_multiples(leningrad):
    assert defence(leningrad)[1] == 4
    assert defence(leningrad, terrain="woods")[1] == 8
    assert defence(leningrad, terrain="marsh")[1] == 8
    assert defence(leningrad, place="city")[1] == 12
    assert defence(leningrad, place="fortification", terrain="woods")[1] == 12
    assert defence(leningrad, place="fortified-city")[1] == 16
    assert defence(leningrad, place="fortification", terrain="woods", side="soviet")[1] == 8
    assert defence(leningrad, place="fortification", side="soviet")[1] == 4
    assert defence(leningrad, place="fortified-city", side="soviet")[1] == 12


@pytest.mark.case("assault-stalingrad", "10.3", "10.32", "10.310", "10.31")
def test_terrain_multiples_at_stalingrad(stalingrad):
    assert defence(stalingrad)[1] == 4
    assert defence(stalingrad, place="town")[1] == 8
    assert defence(stalingrad, place="interior")[1] in (4, 12)


@pytest.mark.case("assault-*", "10.31")
def test_attackers_gain_nothing_from_terrain(game):
    field = {"blank": [9, 9], "places": {"0505": ["town" if game.id == STALINGRAD else "city"]}}
    pos = situation(game, "german-combat", {"x": german("0505"), "y": soviet("0506")}, map=field)
    assert pos.explain("attack x 0506").attack == ((Fraction(8), 1),)


@pytest.mark.case("assault-*", "10.33", "10.39")
def test_worked_example_rivers_count_only_if_all_are_across(game):
    one = {"0506/0505": ["river"]}
    two = {**one, "0506/0605": ["river"]}
    woods = "woods" if "woods" in game.map.vocabulary.terrain else None
    base = 8 if woods else 4
    assert defence(game, terrain=woods, sides=one)[1] == base
    assert defence(game, terrain=woods, sides=two)[1] == 2 * base


@pytest.mark.case("assault-leningrad", "10.33", "10.34", "10.35")
def test_rivers_multiply_with_terrain(leningrad):
    river = {"0506/0505": ["river"], "0506/0605": ["river"]}
    assert defence(leningrad, place="city", sides=river)[1] == 24
    assert defence(leningrad, place="fortification", sides=river, face="3-C")[1] == 18
    assert defence(leningrad, place="fortified-city", sides=river)[1] == 32
    assert defence(leningrad, place="fortified-city", sides=river, side="soviet", face="5-A")[1] == 30


@pytest.mark.case("assault-leningrad", "10.37")
def test_nobody_attacks_across_the_neva(leningrad):
    units = {"1ID": "0515", "90RD": "0415"}
    assert refused(situation(leningrad, "german-combat", units, map=None), "attack 1ID 0415") == "10.37"
    assert refused(situation(leningrad, "soviet-combat", units, map=None), "attack 90RD 0515") == "10.37"


# Class --------------------------------------------------------------------------------------------


@pytest.mark.case("assault-*", "10.4", "10.41")
def test_class_modifiers(game):
    expected = {
        "AA": 0, "AB": 1, "AC": 2, "BA": -1, "BB": 0, "BC": 1, "CA": -2, "CB": -1, "CC": 0,
    }  # fmt: skip
    for pair, modifier in expected.items():
        units = {"x": german("0505", f"8-{pair[0]}"), "y": soviet("0506", f"4-{pair[1]}")}
        assert situation(game, "german-combat", units).explain("attack x 0506").net == modifier


@pytest.mark.case("assault-*", "10.42")
def test_mixed_groups_use_lowest_attacker_and_highest_defender(game):
    units = {"x": german("0505", "5-A"), "w": german("0605", "3-C"), "y": soviet("0506", "4-B")}
    assert situation(game, "german-combat", units).explain("attack x+w 0506").net == -1
    units = {"x": german("0505", "8-B"), "y": soviet("0506", "4-C"), "z": soviet("0604", "4-A")}
    assert situation(game, "german-combat", units).explain("attack x 0506-0604").net == -1


@pytest.mark.case("assault-leningrad", "9.6")
def test_class_for_combat_stays_in_a_fortification(leningrad):
    pos, _ = defence(leningrad, place="fortification", face="4-C")
    assert pos.explain("attack x+w 0506").net == 2


@pytest.mark.case("assault-*", "10.43", "12.5", "12.52", "12.54")
def test_support_adds_one(game):
    units = {"x": german("0505", "8-B"), "y": soviet("0506", "4-A")}
    pos = situation(game, "german-combat", units, **{"support-left": 1})
    assert pos.explain("attack x 0506").net == -1
    supported = pos.play("support 0506")
    assert supported.explain("attack x 0506").net == 0
    assert refused(pos, "support 0505") == "10.13"
    assert refused(situation(game, "german-combat", units), "support 0506") == "12.51"


@pytest.mark.case("assault-*", "12.53")
def test_two_hexes_one_support(game):
    units = {"x": german("0505", "8-B"), "y": soviet("0506", "2-B"), "z": soviet("0604", "2-B")}
    pos = situation(game, "german-combat", units, support=["0506", "0604"])
    assert pos.explain("attack x 0506-0604").net == 1


@pytest.mark.case("assault-*", "10.21", "10.41")
def test_modified_rolls_beyond_the_die(game):
    column = game.tables.results.columns.index("3:1")
    assert game.result(column, 9) == game.tables.results.rows["9"][column]
    assert game.result(column, 12) == game.tables.results.rows["9"][column]
    assert game.result(column, -5) == game.tables.results.rows["-1"][column]


# Advance ------------------------------------------------------------------------------------------

STRONG = {"x": german("0505", "30-A"), "v": german("0605", "30-A"), "y": soviet("0506", "1-C")}
"""Two German units that need no die against the one before them."""


@pytest.mark.case("assault-*", "10.5", "10.51", "10.53", "10.52")
def test_advance_ignores_zones(game):
    units = STRONG | {"a": soviet("0407", "4-A")}
    pos = situation(game, "german-combat", units).play("attack x+v 0506")
    assert {"advance x 0506", "advance v 0506", "end"} == texts(pos)
    after = pos.play("advance x 0506")
    assert hexes(after)["x"] == "0506"
    assert refused(pos, "advance a 0506") == "10.54"
    assert refused(pos, "advance x 0504") == "10.51"


@pytest.mark.case("assault-*", "10.52")
def test_advance_into_two_hexes(game):
    units = STRONG | {"z": soviet("0604", "1-C")}
    pos = situation(game, "german-combat", units).play("attack x 0506-0604")
    assert {"advance x 0506", "advance x 0604", "end"} == texts(pos)


@pytest.mark.case("assault-*", "10.51", "11.23")
def test_unsupplied_attackers_fight_at_half_and_advance(game):
    units = {"x": german("0505", "16-A", supply="out"), "y": soviet("0506", "1-C")}
    pos = situation(game, "german-combat", units)
    assert pos.explain("attack x 0506").attack == ((Fraction(8), 1),)
    assert "advance x 0506" in texts(pos.play("attack x 0506"))


@pytest.mark.case("assault-*", "11.23", "12.42", "10.21")
def test_halves_multiply(game):
    units = {"x": german("0505", "7-A", supply="out"), "y": soviet("0506", "5-B", supply="out", disrupted=True)}
    told = situation(game, "german-combat", units).explain("attack x 0506")
    assert told.attack == ((Fraction(7, 2), 1),)
    assert told.defence == ((Fraction(5, 4), 1),)


@pytest.mark.case("assault-*", "12.42")
def test_disrupted_units_neither_attack_nor_advance(game):
    units = {"x": german("0505", disrupted=True), "y": soviet("0506")}
    pos = situation(game, "german-combat", units)
    assert refused(pos, "attack x 0506") == "12.42"
    assert "0506" in situation(game, "soviet-movement", units).zoc("german")


# Headquarters in combat ---------------------------------------------------------------------------


@pytest.mark.case("assault-*", "11.33", "11.3", "11.31")
def test_headquarters_in_combat(game):
    units = {"h": german("0505", "0-C", type="hq"), "y": soviet("0506", "4-B")}
    assert refused(situation(game, "german-combat", units), "attack h 0506") == "11.33"
    pos = situation(game, "soviet-combat", units)
    assert pos.explain("attack y 0505").defence == ((Fraction(1), 1),)
    pos = situation(game, "soviet-combat", {**units, "x": german("0505", "8-A")})
    assert pos.explain("attack y 0505").defence == ((Fraction(8), 1),)
    assert not any(unit.is_hq for unit in game.printed.values() if unit.side == 1)


@pytest.mark.case("assault-*", "11.33")
def test_a_headquarters_goes_along_with_retreating_attackers(game):
    units = {"h": german("0505", "0-C", type="hq"), "x": german("0505", "5-A 3-B"), "y": soviet("0506", "4-B 2-C")}
    pos = fight(game, units, "x 0506", roll_for(game, "1/1", "1:1", 1))
    assert refused(pos, "lose h") == "11.33"
    pos = pos.play("retreat x 0504")
    assert {"retreat h 0504", "end"} <= texts(pos)
    assert hexes(pos.play("retreat h 0504"))["h"] == "0504"
    assert hexes(pos.play("end"))["h"] == "0505"


@pytest.mark.case("assault-*", "10.25", "10.26", "11.33")
def test_the_prompt_asks_for_what_can_be_done(game):
    units = {"h": german("0505", "0-C", type="hq"), "x": german("0505", "5-A 3-B"), "y": soviet("0506", "4-B 2-C")}
    units |= {"v": german("0605", "3-A 2-B")}
    pos = fight(game, units, "x+v 0506", roll_for(game, "1/2", "2:1", 1))
    assert pos.prompt == "Take a penalty: retreat or lose a step"
    for order, prompt in (
        ("retreat x 0504", "Retreat the other units of the combat too"),
        ("retreat v 0604", "Let headquarters go along with the retreat, or end"),
        ("end", "Take a penalty (retreat, lose a step) or stand fast"),
        ("stand", "Take a penalty: lose a step"),
    ):
        pos = pos.play(order)
        assert pos.prompt == prompt


# Options ------------------------------------------------------------------------------------------


@pytest.mark.case("assault-*", "18.0", "18.3", "18.31")
def test_highest_class_loses_first(game):
    units = {"x": german("0505", "3-A 2-B"), "v": german("0605", "3-B 2-C"), "y": soviet("0506", "4-B")}
    options = {"best-class-first": True}
    told = situation(game, "german-combat", units).explain("attack x+v 0506")
    roll = roll_for(game, "1/-", "3:2", int(told.net))
    pos = fight(game, units, "x+v 0506", roll, options=options)
    assert refused(pos, "lose v") == "18.31"
    assert "lose x" in texts(pos)
    assert "lose v" in texts(fight(game, units, "x+v 0506", roll))


def after_roll(position, want):
    """The position after the first roll that satisfies ``want``."""
    return next(after for after in (position.play(f"die {n}") for n in range(1, 7)) if want(after))


@pytest.mark.case("assault-leningrad", "18.31")
def test_the_first_step_is_of_the_best_class_after_a_retreat_too(leningrad):
    units = {
        "x": german("0505", "20-A 4-B"), "a": soviet("0506", "4-A 2-B"),
        "gu": soviet("0506", "1-C", type="guerrilla", movement=4),
    }  # fmt: skip
    pos = situation(leningrad, "german-combat", units, options={"best-class-first": True}).play("attack x 0506")
    pos = after_roll(pos, lambda p: getattr(p.pending, "due", 0) == 2)
    for unit in ("a", "gu"):
        pos = pos.play(next(order for order in pos.legal if order.verb == "retreat" and order.units == (unit,)))
    assert texts(pos) == {"lose a"}
    assert refused(pos, "lose gu") == "18.31"


@pytest.mark.case("assault-leningrad", "14.2")
def test_a_worker_outside_the_city_does_not_retreat(leningrad):
    units = {"x": german("0505", "20-A"), "y": soviet("0506", "4-C 1-C", type="worker")}
    pos = after_roll(
        situation(leningrad, "german-combat", units).play("attack x 0506"), lambda p: p.to_move == "soviet"
    )
    assert refused(pos, "retreat y 0507") == "14.2"


@pytest.mark.case("assault-leningrad", "10.37")
def test_a_target_across_the_neva_is_refused_for_the_river(leningrad):
    ground = leningrad.ground(leningrad.map)
    here = ground.grid.hex("0318")
    across = next(b for d, b in enumerate(ground.grid.neighbours(here)) if b >= 0 and ground.barrier[d] >> here & 1)
    units = {"1ID": ground.number(across), "s": soviet("0318", "1-C")}
    pos = situation(leningrad, "german-combat", units, map=None)
    assert refused(pos, "target 0318") == refused(pos, "attack 1ID 0318") == "10.37"


@pytest.mark.case("assault-leningrad", "18.21")
def test_a_guerrilla_on_the_inset_gets_away_too(leningrad):
    options = {"guerrillas-away": True}
    pos = situation(leningrad, "soviet-movement", {"Gue1": "F4"}, map=None, turn=1, options=options)
    assert refused(pos, "end") == "18.21"
    assert {order.verb for order in pos.legal} == {"transfer"}
    assert "transfer Gue1 0219" in texts(pos)
    for order in pos.legal:
        assert refused(pos.play(order), "end") == "18.21"
    assert refused(pos, "move Gue1 F3") == "18.21"
    pos = pos.play("transfer Gue1 0219")
    near = pos.ground.numbers(pos.ground.near_city)
    moves = [order for order in pos.legal if order.verb == "move"]
    assert moves
    assert not {order.hexes[0] for order in moves} & set(near)
    assert "Gue1 must get away" not in str(pos.play(moves[0]).why_not("end"))


@pytest.mark.case("assault-leningrad", "18.21")
def test_no_random_order_leaves_a_guerrilla_behind(leningrad):
    options = {"guerrillas-away": True}
    pos = situation(leningrad, "soviet-movement", {"Gue1": "F4"}, map=None, turn=1, options=options)
    for seed in range(20):
        assert pos.legal.random(random.Random(seed)).verb == "transfer"


@pytest.mark.case("assault-leningrad", "18.21")
def test_a_guerrilla_does_not_hide_on_the_inset(leningrad):
    options = {"guerrillas-away": True}
    pos = situation(leningrad, "soviet-movement", {"Gue1": "0219"}, map=None, turn=1, options=options)
    assert refused(pos, "end") == "18.21"
    assert refused(pos, "transfer Gue1 F4") == "18.21"
    for order in pos.legal:
        if order.verb == "transfer":
            assert refused(pos.play(order), "end") == "18.21"


@pytest.mark.case("assault-stalingrad", "14.3")
def test_one_worker_to_a_hex_by_the_case_this_game_has(stalingrad):
    worker = soviet("L5", "1-C", type="worker")
    pos = situation(stalingrad, "soviet-movement", {"a": worker, "b": worker | {"hex": "L4"}}, map=None)
    assert refused(pos, "move a L4") == "14.3"


@pytest.mark.case("assault-*", "10.1", "11.33")
def test_only_an_attack_that_could_be_made_is_explained(game):
    units = {"a": german("0504"), "hq": german("0504", "0-C", type="hq", corps="9"), "b": soviet("0505", "5-A")}
    pos = situation(game, "german-combat", units)
    for order, case in (
        ("attack zz 0505", "3.2"),
        ("attack hq 0505", "11.33"),
        ("attack b 0505", "10.11"),
        ("end", "10.1"),
    ):
        with pytest.raises(ladoga.Illegal) as caught:
            pos.explain(order)
        assert caught.value.case == case
    composed = pos.play("target 0505")
    assert composed.explain("add a").results == pos.explain("attack a 0505").results
    weak = situation(game, "german-combat", {"a": german("0504", "1-C"), "b": soviet("0505", "5-A")})
    assert weak.explain("attack a 0505").columns == (("below 1:3", 1),)


@pytest.mark.case("assault-leningrad", "10.33", "10.35", "11.23", "12.42", "13.5")
def test_every_change_of_a_strength_is_told_with_its_case(leningrad):
    units = {"a": german("0504", supply="out"), "b": soviet("0505", "1-C", supply="out", disrupted=True)}
    pos = situation(
        leningrad, "german-combat", units,
        map={"blank": [12, 12], "places": {"0505": ["fortified-city"]}, "hexsides": {"0504/0505": ["river"]}},
    )  # fmt: skip
    told = pos.explain("attack a 0505")
    assert (told.attack, told.defence) == (((4, 1),), ((2, 1),))  # 8 / 2, and 1 x 4 x 2 / 2 / 2
    notes = " ".join(told.notes)
    assert all(f"[{case}]" in notes for case in ("10.35", "10.33", "11.23", "12.42"))
    guns = situation(
        leningrad, "german-combat", {"Nav": "0323", "x": soviet("0622", "2-C"), "g": german("0623")},
        map=None, fire="0622",
    )  # fmt: skip
    assert guns.explain("attack g 0622").defence == ((11, 1),)  # 2 x 3 + 5
    assert "[13.5]" in " ".join(guns.explain("attack g 0622").notes)


@pytest.mark.case("assault-leningrad", "14.4", "18.21")
def test_retreat_and_advance_are_refused_for_what_the_unit_is(leningrad):
    retreat = {"for": "fight", "side": "soviet", "hexes": ["K5"], "attackers": ["g"], "defenders": ["W1"], "due": 1}
    pos = situation(leningrad, "german-combat", {"g": german("J5"), "W1": "K5"}, map=None, pending=retreat)
    assert refused(pos, "retreat W1 K4") == "14.4"
    ahead = {"for": "advance", "side": "soviet", "hexes": ["0920"], "units": ["Gue1", "90RD"]}
    units = {"Gue1": "1020", "90RD": "1020", "1ID": "2009"}
    pos = situation(leningrad, "soviet-combat", units, map=None, pending=ahead, options={"guerrillas-away": True})
    assert refused(pos, "advance Gue1 0920") == "18.21"  # six hexes from Leningrad
    assert pos.why_not("advance 90RD 0920") is None


@pytest.mark.case("assault-*", "10.22", "10.24", "10.26", "10.27", "10.51", "11.33")
def test_who_takes_penalties_and_why_a_retreat_is_barred_is_said(game):
    units = {
        "a": german("0505", "8-A 4-B"), "h": german("0505", "0-C", type="hq", corps="9"), "f": german("0504"),
        "b": soviet("0605", "8-A 4-B"),
    }  # fmt: skip
    pos = after_roll(
        situation(game, "german-combat", units).play("attack a 0605"),
        lambda p: getattr(p.pending, "due", 0) == getattr(p.pending, "then", 0) == 1,
    )
    assert pos.to_move == "german"
    for order, case in (
        ("lose b", "10.26"), ("retreat b 0706", "10.26"), ("lose h", "11.33"), ("retreat h 0404", "11.33"),
        ("lose a+h", "10.211"), ("retreat a+h 0404", "10.27"), ("attack f 0605", "10.22"), ("target 0605", "10.22"),
        ("advance a 0605", "10.51"),
    ):  # fmt: skip
        assert refused(pos, order) == case, order
    for hex_, why in (
        ("0605", "the enemy is there"), ("0506", "enemy zone of control"), ("0504", "no room"), ("0303", "not next to"),
    ):  # fmt: skip
        assert refused(pos, f"retreat a {hex_}") == "10.27"
        assert why in pos.why_not(f"retreat a {hex_}").message
    defending = pos.play("lose a")
    assert refused(defending, "lose a") == "10.24"
    advancing = defending.play("retreat b 0706")
    assert refused(advancing, "attack f 0706") == "10.51"
    assert refused(advancing, "advance b 0605") == "10.54"


@pytest.mark.case("assault-leningrad", "10.21", "12.23")
@pytest.mark.case("assault-stalingrad", "10.21")
def test_events_are_told_in_the_right_number(game):
    units = {"x": german("0505"), "v": german("0506"), "y": soviet("0605"), "z": soviet("0909")}
    pos = situation(game, "german-combat", units)
    assert happened(pos.play("attack x 0605")).startswith("x attacks 0605")
    assert happened(pos.play("attack x+v 0605")).startswith("x, v attack 0605")
    if game.id == "assault-leningrad":
        waiting = situation(game, "soviet-air-bombardment", units)
        told = [happened(waiting.play(f"die {n}")).partition("\n")[0] for n in range(1, 7)]
        assert told[0] == "No air unit is available"
        assert "One air unit is available" in told
        assert told[5] == "2 air units are available"
