"""How unclear cases are read (docs/readings/leningrad41.md), each held to what the page says."""

from __future__ import annotations

import pytest

from .conftest import refused
from .made_up import german, soviet

G = "leningrad41"


def gun(place, sides, target, blocks):
    hexes = dict.fromkeys(blocks, "urban")
    units = {"x1": german("0505", type="artillery", range=9, traits=""), "s1": soviet(target)}
    return place(units, hexes=hexes, sides=sides).why_not(f"attack x1 {target}")


@pytest.mark.case(G, "10.9", "10.7")
def test_a_straight_line_follows_a_road_that_zigzags_with_it(place):
    # north and south the line runs along hexsides: the avenue lies in one hex of each pair
    blocks = ("0404", "0405", "0205", "0204", "0305")
    avenue = {"0505/0404": ["prospekt"], "0404/0305": ["prospekt"]}
    assert gun(place, avenue, "0305", blocks) is None
    longer = avenue | {"0305/0205": ["prospekt"], "0205/0105": ["prospekt"]}
    assert gun(place, longer, "0105", blocks) is None
    assert gun(place, {}, "0305", blocks) == ("10.7", "the line of fire of x1 to 0305 is blocked")


@pytest.mark.case(G, "10.9", "10.7")
def test_nobody_fires_round_a_corner(place):
    blocks = ("0504", "0503", "0403", "0404", "0402", "0502")
    corner = {"0505/0504": ["prospekt"], "0504/0503": ["prospekt"], "0503/0402": ["prospekt"]}
    assert gun(place, corner, "0503", blocks) is None  # straight ahead
    assert gun(place, corner, "0402", blocks).case == "10.7"  # the road bends, the line does not follow
    beside = {"0505/0404": ["prospekt"], "0404/0403": ["prospekt"], "0403/0503": ["prospekt"]}
    assert gun(place, beside, "0503", blocks).case == "10.7"  # a way round


@pytest.mark.case(G, "10.17", "10.5")
def test_a_bridge_may_be_attacked_through_each_of_its_hexes(place):
    sides = {"0504/0505": ["major-river", "bridge"]}
    units = {"x1": german("0506"), "x2": german("0503"), "x3": german("0404"), "s1": soviet("1111")}
    pos = place(units, sides=sides).play("attack x1 0505-0504").play("die 6")
    assert pos.document()["attacked"] == ["0505"]
    pos = pos.play("attack x2 0504-0505").play("die 6")
    assert pos.document()["attacked"] == ["0504", "0505"]
    assert refused(pos, "attack x3 0504-0505") == "10.5"
    held = units | {"s2": soviet("0505"), "x4": german("0606")}
    spent = place(held, sides=sides).play("attack x1 0505-0504").play("die 6")
    assert refused(spent, "attack x4 0505") == "10.5"


@pytest.mark.case(G, "7.3", "3.4")
def test_zhukov_is_not_made_to_come(place):
    units = {"Zhukov": {"at": "waiting"}, "s1": soviet("0505"), "x1": german("1111")}
    pos = place(units, "soviet-movement", places={"0105": ["soviet-entry"]})
    assert "enter Zhukov 0105" in pos.legal
    assert pos.why_not("end") is None


@pytest.mark.case(G, "7.3", "19.2")
def test_room_for_an_over_stack_is_room_enough(place):
    units = {
        "back-1": {"at": "hand", "is": "181/42"},
        "s1": soviet("0404"),
        "s2": soviet("0404"),
        "x1": german("1111"),
    }
    pos = place(units, "soviet-reinforcement", hexes={"0404": "objective"})
    assert refused(pos, "end") == "7.3"
    pos = pos.play("place back-1 0404").play("end").play("end")
    assert pos.document()["units"]["181/42"] == {"at": "pool"}
