"""Chapter 7: overrun."""

from __future__ import annotations

from fractions import Fraction

import pytest

from .field import column, field, german, left, net, orders, panzer, play, refused, shifts, soviet, steps, tank, where


def facing(*kinds, side="german", enemies=1, defence=4, **more):
    """Some units in 0505, enemies in 0506."""
    if side == "german":
        enemy = {f"e{n}": soviet("0506", 4, defence) for n in range(1, enemies + 1)}
    else:
        enemy = {f"e{n}": german("0506", defence) for n in range(1, enemies + 1)}
    return field(f"{side}-movement", {f"x{n}": kind for n, kind in enumerate(kinds, 1)} | enemy, **more)


@pytest.mark.case("leningrad-2010", "7.0")
def test_a_unit_that_a_zone_has_stopped_may_still_overrun():
    units = {"x1": panzer("0504"), "e1": soviet("0506")}
    position = field("german-movement", units)
    assert refused(position, "overrun x1 0506") == "7.0", "not adjacent yet"
    position = position.play("move x1 0505")
    assert "overrun x1 0506" in position.legal


@pytest.mark.case("leningrad-2010", "7.0", "7.3", "7.6")
def test_movement_goes_on_after_an_overrun():
    """Eight points: three for an overrun of clear ground, three for another, two to go on with."""
    units = {"x1": panzer("0505", 40), "e1": soviet("0506"), "e2": soviet("0508")}
    position = play(field("german-movement", units), "overrun x1 0506", dice=(6,))
    assert position.fight.result == ("E", "-")
    assert refused(position, "end") == "7.6", "one unit must advance"
    position = position.play("advance x1 0506")
    assert left(position, "x1") == 5
    position = play(position, "move x1 0507", "overrun x1 0508", dice=(6,)).play("advance x1 0508")
    assert left(position, "x1") == 1
    assert where(position.play("move x1 0509"), "x1") == "0509"


@pytest.mark.case("leningrad-2010", "7.1")
def test_two_columns_to_the_left():
    position = facing(german("0505", 12))
    assert shifts(position, "overrun x1 0506") == {"7.1": -2}
    assert column(position, "overrun x1 0506") == "1-1", "3-1 less two"


@pytest.mark.case("leningrad-2010", "7.2")
def test_disengaging_and_overrunning_in_one_phase():
    units = {"x1": panzer("0505"), "x2": german("0505"), "e1": soviet("0506"), "e2": soviet("0502")}
    position = play(field("german-movement", units), "move x1 0504", "move x1 0503")
    assert left(position, "x1") == 4
    assert "overrun x1 0502" in position.legal


@pytest.mark.case("leningrad-2010", "7.3")
@pytest.mark.parametrize(
    ("terrain", "infantry", "armor"), [("clear", 3, 3), ("forest", 4, 4), ("hill", 4, 4), ("swamp", 4, 5)]
)
def test_two_points_more_than_the_defenders_terrain(terrain, infantry, armor):
    for kind, points in ((german("0505"), infantry), (panzer("0505"), armor)):
        position = facing(kind, hexes={"0506": terrain}).play("overrun x1 0506")
        assert left(position, "x1") == kind["movement"] - points
        first = facing(kind, hexes={"0506": terrain}, turn=1).play("overrun x1 0506")
        assert left(first, "x1") == kind["movement"] - points + 1, "one point less for Germans on turn 1"


@pytest.mark.case("leningrad-2010", "7.3")
def test_the_price_follows_road_river_and_city():
    assert left(facing(panzer("0505"), roads="0505 0506").play("overrun x1 0506"), "x1") == Fraction(11, 2)
    river = {"0505/0506": ["river"]}
    assert left(facing(panzer("0505"), sides=river).play("overrun x1 0506"), "x1") == 4
    city = {"0506": ["city"]}
    assert left(facing(panzer("0505"), places=city).play("overrun x1 0506"), "x1") == Fraction(11, 2)
    fort = facing(german("0505"), forts=["0506"]).play("overrun x1 0506")
    assert left(fort, "x1") == 3, "the two points for a fort are for empty ones"


@pytest.mark.case("leningrad-2010", "7.3")
def test_without_the_points_no_overrun():
    hungry = facing(german("0505"), hungry="x1", hexes={"0506": "forest"})
    assert refused(hungry, "overrun x1 0506") == "7.3", "three points left, four needed"
    soviets = facing(soviet("0505"), side="soviet", hexes={"0506": "forest"}, hungry="x1")
    assert refused(soviets, "overrun x1 0506") == "7.3"
    mixed = facing(german("0505"), panzer("0505"), hungry="x2", hexes={"0506": "swamp"})
    assert "overrun x1 0506" in mixed.legal
    position = field(
        "german-movement",
        {"x1": german("0505", left="4"), "x2": panzer("0505", left="9/2"), "e1": soviet("0506")},
        hexes={"0506": "swamp"}, origin="0505",
    )  # fmt: skip
    assert refused(position, "overrun x1+x2 0506") == "7.3", "armor needs five points for a swamp"


@pytest.mark.case("leningrad-2010", "7.3")
def test_each_unit_of_a_mixed_stack_pays_its_own_price():
    position = facing(german("0505"), panzer("0505"), hexes={"0506": "swamp"}).play("overrun x1+x2 0506")
    assert (left(position, "x1"), left(position, "x2")) == (2, 3)


@pytest.mark.case("leningrad-2010", "7.4")
def test_three_units_that_began_together():
    position = facing(*[german("0505")] * 3, german("0404"))
    assert "overrun x1+x2+x3 0506" in position.legal
    assert refused(position, "overrun x1+x2+x3+x4 0506") == "7.4"
    joined = position.play("move x4 0504").play("move x4 0505")
    assert refused(joined, "overrun x1+x4 0506") == "7.4"


@pytest.mark.case("leningrad-2010", "7.4")
def test_afterwards_they_may_part():
    position = facing(panzer("0505", 40), panzer("0505"))
    position = play(position, "overrun x1+x2 0506", "advance x1 0506", "end", dice=(6,))
    assert position.fight is None
    position = play(position, "move x1 0507", "move x2 0504")
    assert (where(position, "x1"), where(position, "x2")) == ("0507", "0504")


@pytest.mark.case("leningrad-2010", "7.5")
def test_all_units_of_one_hex_any_number_of_times():
    position = facing(panzer("0505", 40), german("0505", 4), german("0504", 4), enemies=2)
    assert position.explain("overrun x1 0506").defence == ((8, 1),)
    assert refused(position, "overrun x1 0506-0605") == "7.5"
    assert refused(position, "overrun x1 0605") == "7.5", "nobody there"
    weak = field("german-movement", {"x1": panzer("0505", 4), "x2": panzer("0505", 4), "e1": soviet("0506", 1, 40)})
    weak = play(weak, "overrun x1 0506", "lose x1", "lose x1", dice=(5,))
    assert where(weak, "x1") == "eliminated", "-/2 taken as steps"
    assert "overrun x2 0506" in weak.legal, "the same hex again"


@pytest.mark.case("leningrad-2010", "7.6")
def test_success_leaves_only_step_losses():
    """Odds 5-1 less two, die 1: 1/1. The defender retreats, so the overrunners pay in steps."""
    position = facing(german("0505", 20)).play("overrun x1 0506")
    position = position.play("die 1")
    assert position.fight.result == ("1", "1")
    position = position.play("retreat e1 0507")
    assert orders(position, "retreat") == set()
    assert refused(position, "retreat x1 0504") == "7.6"
    assert position.prompt == "Attacker: lose steps", "no retreat is asked about"
    position = position.play("lose x1")
    assert steps(position, "x1") == 1
    assert position.prompt == "Advance at least one unit"
    assert orders(position, "advance") == {"advance x1 0506"}


@pytest.mark.case("leningrad-2010", "7.6", "8.48")
def test_after_a_two_hex_retreat_both_hexes_are_open_free_of_points():
    position = facing(german("0505", 28, 8)).play("overrun x1 0506").play("die 5")
    assert position.fight.result == ("2", "-")
    position = position.play("retreat e1 0507-0508")
    assert orders(position, "advance") == {"advance x1 0506", "advance x1 0506-0507"}
    position = position.play("advance x1 0506-0507")
    assert (where(position, "x1"), left(position, "x1")) == ("0507", 5)


@pytest.mark.case("leningrad-2010", "7.6")
def test_nobody_advances_when_all_overrunners_die():
    units = {"x1": soviet("0505", 12), "e1": german("0506", 4)}
    position = play(field("soviet-movement", units), "overrun x1 0506", "air 0", "die 5")
    assert position.fight.result == ("1", "1")
    position = position.play("retreat e1 0507").play("lose x1")
    assert position.fight is None
    assert where(position, "x1") == "eliminated"


@pytest.mark.case("leningrad-2010", "7.7")
def test_failure_gives_the_choice_of_steps_or_retreat():
    position = facing(german("0505", 12), german("0505", 12), enemies=3).play("overrun x1+x2 0506").play("die 3")
    assert position.fight.result == ("-", "2"), "2-1 less two is 1-2"
    assert orders(position, "lose") == {"lose x1", "lose x2"}
    assert position.prompt == "Attacker: lose steps or retreat"
    assert {o.split()[1] for o in orders(position, "retreat")} == {"x1", "x2"}
    retreating = play(position, "retreat x1 0504-0503")
    retreating = retreating.play(next(iter(sorted(orders(retreating, "retreat")))))
    assert retreating.fight is None
    assert not retreating.active, "their movement is over"
    assert refused(retreating, "move x1 0502") == "4.0"
    holding = play(position, "lose x1", "lose x2")
    assert "overrun x1 0506" in holding.legal, "movement may go on"


@pytest.mark.case("leningrad-2010", "7.7", "7.6")
def test_a_defender_lost_in_place_is_no_success():
    position = facing(german("0505", 20), enemies=2).play("overrun x1 0506").play("die 5")
    assert position.fight.result == ("1", "2"), "2-1 less two is 1-2"
    position = position.play("lose e1")
    assert any(o.startswith("retreat x1") for o in orders(position, "retreat"))


@pytest.mark.case("leningrad-2010", "7.7")
def test_overrun_defenders_never_advance():
    position = facing(german("0505", 4), defence=16).play("overrun x1 0506").play("die 1")
    assert position.fight is None, "-/E, and no advance for the defender"
    assert where(position, "x1") == "eliminated"
    assert where(position, "e1") == "0506"


@pytest.mark.case("leningrad-2010", "7.8", "8.2")
def test_units_displaced_in_the_movement_phase_add_their_strength():
    units = {"x1": german("0505", 28, 8), "x2": german("0504", 28), "e1": soviet("0506"), "e2": soviet("0507")}
    others = {f"f{n}": soviet(at) for n, at in enumerate(("0406", "0606"), 1)}
    position = field("german-movement", units | others).play("overrun x1 0506").play("die 4")
    assert position.fight.result == ("1", "-")
    position = position.play("retreat e1 0507").play("advance x1 0506")
    assert position.explain("overrun x1 0507").defence == ((8, 1),)
    fighting = field("german-combat", units | others | {"e1": soviet("0507", displaced=True), "x1": german("0506", 28)})
    assert fighting.explain("attack x1 0507").defence == ((4, 1),), "not so in the combat phase"


@pytest.mark.case("leningrad-2010", "7.0", "7.3")
def test_soviet_overruns_cost_two_points_more_on_every_turn():
    for turn in (2, 8):
        position = facing(tank("0505", 9), side="soviet", turn=turn)
        assert left(position.play("overrun x1 0506").play("air 0"), "x1") == 4


@pytest.mark.case("leningrad-2010", "7.1", "11.1", "10.2")
def test_shifts_of_an_overrun_add_up():
    units = {"1/41": "0505", "6/41": "0505", "36/41": "0505", "e1": soviet("0506", 4, 9)}
    position = field("german-movement", units)
    assert net(position, "overrun 1/41+6/41+36/41 0506 air 1") == -2 + 1 + 1 + 1
    assert net(position, "overrun 1/41+6/41 0506") == -2 + 1, "an idle member: no corps"
