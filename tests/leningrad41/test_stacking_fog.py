"""Chapter 6: stacking and fog of war."""

from __future__ import annotations

import pytest

import ladoga

from .conftest import kinds, refused, where
from .made_up import german, soviet


@pytest.mark.case("leningrad41", "6.0", "6.1")
def test_two_germans_in_any_hex(place):
    units = {"x1": german("0505"), "x2": german("0506"), "x3": german("0507")}
    pos = place(units, "german-movement").play("move x2 0505")
    assert refused(pos, "move x3 0505") == "6.1"


@pytest.mark.case("leningrad41", "6.1")
@pytest.mark.parametrize(("terrain", "case"), [("clear", "6.1"), ("urban", "6.1"), ("objective", None)])
def test_soviets_double_only_in_objectives(place, terrain, case):
    pos = place({"x1": soviet("0505"), "x2": soviet("0506")}, "soviet-movement", hexes={"0505": terrain})
    if case:
        assert refused(pos, "move x2 0505") == case
    else:
        assert "move x2 0505" in pos.legal


@pytest.mark.case("leningrad41", "6.1")
@pytest.mark.parametrize("unit", [german, soviet])
@pytest.mark.parametrize("phase", ["german-movement", "soviet-movement"])
def test_a_document_with_a_crowd_in_one_hex_is_refused_in_words(place, unit, phase):
    with pytest.raises(ladoga.BadDocument, match=r"too many units in .*\(6.1\)"):
        place({f"x{number}": unit("0505") for number in range(40)}, phase)


@pytest.mark.case("leningrad41", "6.2")
def test_divisions_do_not_share_a_hex_but_corps_troops_join_any(place):
    units = {
        "x1": german("0505", command="8P"),
        "x2": german("0506", command="3M"),
        "x3": german("0507", command="56"),
    }
    pos = place(units, "german-movement")
    assert refused(pos, "move x2 0505") == "6.2"
    assert "move x3 0505" in pos.legal
    flieger = place(units | {"x2": german("0506", command="7F")}, "german-movement")
    assert refused(flieger, "move x2 0505") == "6.2"


@pytest.mark.case("leningrad41", "6.3")
def test_soviet_sub_commands_do_not_share_a_hex_but_for_leaders(place):
    units = {"x1": soviet("0505"), "x2": soviet("0506", command="LFR"), "Zhukov": {"hex": "0507"}}
    pos = place(units, "soviet-movement", hexes={"0505": "objective"})
    assert refused(pos, "move x2 0505") == "6.3"
    assert "move Zhukov 0505" in pos.legal


@pytest.mark.case("leningrad41", "6.4")
def test_no_passing_through_a_full_hex_and_one_unit_at_a_time(place):
    rows = {f"06{c:02}": "sea" for c in range(1, 13)} | {f"04{c:02}": "sea" for c in range(1, 13)}
    pos = place({"x1": soviet("0505"), "x2": soviet("0506")}, "soviet-movement", hexes=rows)
    assert refused(pos, "move x2 0504") == "6.4"  # the only way leads through x1
    assert refused(pos, "move x2 0505-0504") == "6.4"
    assert refused(pos, "move x1+x2 0504") == "8.4"


@pytest.mark.case("leningrad41", "6.4", "7.6")
def test_the_other_player_settles_an_over_stack(place):
    # three Germans shut in: nobody can move out, so the Soviet player chooses
    ring = dict.fromkeys(("0504", "0506", "0404", "0405", "0604", "0605"), "sea")
    units = {f"x{n}": german("0505") for n in (1, 2, 3)} | {"x9": soviet("1010")}
    pos = place(units, "german-movement", hexes=ring).play("end")
    assert pos.to_move == "soviet"
    orders = {str(order) for order in pos.legal}
    assert "repair x1" in orders
    assert "repair x1 0507" in orders or any(o.startswith("repair x1 0") for o in orders)
    assert refused(pos, "repair x1 1005") == "6.4"
    assert refused(pos, "end") == "6.4"
    assert where(pos.play("repair x1"), "x1") == "dead"


@pytest.mark.case("leningrad41", "6.4", "7.6")
def test_no_end_while_an_over_stack_can_be_cured(place):
    units = {f"x{n}": german("0505") for n in (1, 2, 3)}
    pos = place(units, "german-movement")
    assert refused(pos, "end") == "7.6"
    assert "end" in pos.play("move x1 0504").legal


@pytest.mark.case("leningrad41", "6.5", "6.6")
def test_face_down_units_show_only_their_back(place):
    units = {"1NKVD": soviet("0504", face="down", traits="nkvd assault"), "x1": german("0506")}
    pos = place(units, "german-fire")
    seen = [c for c in pos.view("german").table().counters if c.side == "soviet" and c.hex]
    assert [(c.face_down, c.symbol, c.figures, c.name) for c in seen] == [(True, "unknown", "", "back-1")]
    own = [c for c in pos.view("soviet").table().counters if c.side == "soviet" and c.hex]
    assert own[0].figures == "(7)-1"
    assert "1NKVD" not in str({k: v for k, v in pos.view("german").document()["units"].items() if "hex" in v})


@pytest.mark.case("leningrad41", "6.5", "6.6")
def test_fire_declared_into_a_hex_flips_what_is_there_before_the_die(place):
    units = {"back-1": {"hex": "0504"}, "x1": german("0505")}
    pos = place(units, "german-fire").play("attack x1 0504")
    assert pos.to_move == "chance"
    assert pos.chance.case == "6.6"
    assert refused(pos, "cancel") == "6.6"  # declared fire stands
    pos = pos.play("draw 6NKVD/42")
    assert where(pos, "6NKVD/42") == "0504"
    assert pos.play("die 6").document()["units"]["6NKVD/42"] == {"hex": "0504"}  # no effect, but face up


@pytest.mark.case("leningrad41", "6.6")
def test_a_known_arrival_is_simply_turned_over(place):
    pos = place({"8NKVD/42": {"hex": "0504", "face": "down"}, "x1": german("0505")}, "german-fire")
    pos = pos.play("attack x1 0504")
    assert "reveal" in kinds(pos)
    assert where(pos, "8NKVD/42") == "0504"


@pytest.mark.case("leningrad41", "6.6")
def test_the_owner_flips_only_in_his_own_player_turn(place):
    units = {"back-1": {"hex": "0504"}, "x1": german("0508")}
    for phase in ("soviet-reinforcement", "soviet-movement", "soviet-fire"):
        assert "flip back-1" in place(units, phase, begun=phase == "soviet-reinforcement").legal
    assert place(units, "german-fire").why_not("flip back-1").case == "5.1"
    assert refused(place(units, "german-movement"), "flip back-1") == "6.6"


@pytest.mark.case("leningrad41", "6.6")
def test_hidden_units_neither_attack_nor_use_roads_until_flipped(place):
    units = {"51T/42": {"hex": "0504", "face": "down"}, "x1": german("0505")}
    fire = place(units, "soviet-fire")
    assert refused(fire, "attack back-1 0505") == "6.6"
    move = place(units, "soviet-movement")
    assert refused(move, "move back-1 0510 motorized") == "6.6"
    flipped = move.play("flip back-1")
    assert where(flipped, "51T/42") == "0504"
    assert "move 51T/42 0502 motorized" in flipped.legal


@pytest.mark.case("leningrad41", "6.6", "7.7")
def test_once_face_up_always_face_up_until_drawn_again(place):
    units = {"back-1": {"hex": "0504"}, "x1": german("0508")}
    pos = place(units, "soviet-movement").play("flip back-1").play("draw 6NKVD/42")
    assert pos.document()["shown"] == ["6NKVD/42"]
    assert not any(c.face_down for c in pos.table().counters if c.hex)
    assert refused(pos, "flip 6NKVD/42") == "6.6"


@pytest.mark.case("leningrad41", "6.7")
def test_german_units_are_open(place):
    pos = place({"I/8M": {"hex": "0505"}, "x1": soviet("0508")}, "soviet-fire")
    assert [c.figures for c in pos.view("soviet").table().counters if c.id == "I/8M"] == ["(6)-1"]


@pytest.mark.case("leningrad41", "6.8")
def test_terrain_is_open_without_revealing(place):
    pos = place({"back-1": {"hex": "0504"}, "x1": german("0506")}, "german-fire", hexes={"0504": "urban"})
    view = pos.view("german")
    assert view.map.terrain_of(view.map.grid.hex("0504")) == "urban"


@pytest.mark.case("leningrad41", "6.9")
def test_markers_are_open(place):
    pos = place(
        {"x1": german("0506"), "x2": soviet("0101")},
        hexes={"0504": "objective"}, rubble=["0504"], control=["0504"],
        sides={"0707/0708": ["minor-river", "bridge"]}, demolished=["0707/0708"],
    )  # fmt: skip
    for side in ("german", "soviet", "observer"):
        found = {marker.kind for marker in pos.view(side).table().markers}
        assert {"rubble", "control", "bridge-demolished"} <= found


@pytest.mark.case("leningrad41", "6.4", "7.7")
def test_an_over_stacked_face_down_unit_goes_back_to_the_pool(place):
    units = {
        "back-1": {"hex": "0504", "is": "181/42"},
        "back-2": {"hex": "0504"},
        "x1": german("1111"),
    }
    pos = place(units, "soviet-movement").play("end").play("repair back-1")
    assert "back-1" not in pos.document()["units"]
    assert where(pos, "181/42") == "pool"


@pytest.mark.case("leningrad41", "6.4", "15.1")
def test_an_over_stacked_rail_gun_is_moved_along_the_railroad(place):
    units = {"Aurora/42": {"hex": "0504"}, "x9": soviet("0504"), "x1": german("1111")}
    pos = place(units, "soviet-movement", sides={"0504/0505": ["rail"]}).play("end")
    orders = [str(order) for order in pos.legal if order.units == ("Aurora/42",)]
    assert orders == ["repair Aurora/42", "repair Aurora/42 0505"]


@pytest.mark.case("leningrad41", "6.6")
def test_a_bridge_attack_flips_the_units_in_its_hex(place):
    units = {"x1": german("0504"), "back-1": {"hex": "0503", "is": "181/42"}}
    pos = place(units, sides={"0503/0504": ["minor-river", "bridge"]}).play("attack x1 0503-0504")
    assert where(pos, "181/42") == "0503"


@pytest.mark.case("leningrad41", "6.6")
def test_the_owner_is_told_how_to_order_a_face_down_unit(place):
    units = {"8NKVD/42": {"hex": "0504", "face": "down"}, "x1": german("0506")}
    pos = place(units, "soviet-movement")
    for order in ("flip 8NKVD/42", "move 8NKVD/42 0503"):
        assert "back-1" in pos.why_not(order).message
    enemy = place(units, "german-movement")
    for order in ("flip 8NKVD/42", "move 8NKVD/42 0503", "bridge 8NKVD/42 0503"):
        assert "back-1" not in enemy.why_not(order).message
    fire = place(units, "german-fire")
    assert "back-1" not in fire.why_not("attack 8NKVD/42 0506").message


@pytest.mark.case("leningrad41", "6.6")
def test_a_face_up_unit_lies_above_a_hidden_one(place):
    units = {"181/42": {"hex": "0504"}, "back-1": {"hex": "0504"}, "x1": german("1111")}
    pos = place(units, hexes={"0504": "objective"})
    stack = [counter.id for counter in pos.view("german").table().counters if counter.hex == "0504"]
    assert stack == ["back-1", "181/42"]  # the last one is the top


@pytest.mark.case("leningrad41", "6.4", "8.3", "8.9", "8.14")
def test_what_bars_a_long_way_is_named(place):
    strip = {f"{row}{column:02}": "sea" for row in ("04", "06") for column in range(1, 31)}
    units = {"x1": german("0510"), "x2": soviet("0101")}

    def case(dest, sides=None, **more):
        return refused(place(units | more, "german-movement", size=(30, 7), hexes=strip, sides=sides or {}), dest)

    assert case("move x1 0527") == "8.3"
    assert case("move x1 0513", {"0511/0512": ["major-river"]}) == "8.9"
    assert case("move x1 0513", x3=soviet("0512")) == "8.14"
    assert case("move x1 0513", x3=german("0512"), x4=german("0512")) == "6.4"
    assert case("move x1 0513", x3=german("0512", command="8P")) == "6.4"
