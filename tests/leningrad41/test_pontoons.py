"""Pontoon bridges (8.10): an engineer beside a river has its bridge; a choice among hexsides is made at any time."""

from __future__ import annotations

import pytest

from .conftest import refused
from .made_up import german, soviet

G = "leningrad41"
ENGINEER = {"type": "engineer", "command": "3M"}
STRIP = {f"{row}{c:02}": "sea" for row in ("04", "06") for c in range(1, 13)}
ONE = {"0505/0504": ["major-river"]}
TWO = {"0505/0504": ["major-river"], "0505/0506": ["major-river"]}


def strip(place, sides, units, phase="german-movement", **more):
    return place({"x9": soviet("1201"), "g9": german("1212")} | units, phase, hexes=STRIP, sides=sides, **more)


@pytest.mark.case(G, "8.10")
def test_an_engineer_that_begins_beside_a_river_has_its_bridge(place, game):
    units = {"e1": german("0505", **ENGINEER), "x2": german("0506", command="56"), "StG2-1": {"at": "ready"}}
    pos = strip(place, ONE, units, "german-air").play("end")
    assert pos.phase.id == "german-movement"
    assert pos.document()["pontoons"] == {"e1": "0504"}
    assert "move x2 0503" in pos.legal
    assert not [order for order in pos.legal if order.verb == "bridge"]  # nothing to choose
    assert game.position(pos.document()) == pos
    assert refused(pos, "bridge e1 0504") == "8.10"
    assert "already" in pos.why_not("bridge e1 0504").message


@pytest.mark.case(G, "8.10", "8.2")
def test_the_choice_is_made_whichever_sub_command_moves(place):
    units = {"e1": german("0505", **ENGINEER), "x1": german("0508"), "x2": german("0507", command="56")}
    pos = strip(place, TWO, units)
    assert "pontoons" not in pos.document()
    pos = pos.play("move x1 0509").play("move x2 0506")  # 3rd Motorized has finished, 56th Corps is on the move
    assert refused(pos, "move e1 0504") == "8.2"
    assert {str(o) for o in pos.legal if o.verb == "bridge"} == {"bridge e1 0504", "bridge e1 0506"}
    assert {str(o) for o in pos.legal.of("e1")} == {"bridge e1 0504", "bridge e1 0506"}
    assert refused(pos, "move x2 0505") == "8.9"
    pos = pos.play("bridge e1 0506")
    assert pos.document()["moving"]["unit"] == "x2"  # and the unit on its way goes on
    assert refused(pos, "bridge e1 0504") == "8.10"
    assert not list(pos.legal.of("e1"))  # one choice a phase


@pytest.mark.case(G, "8.10", "8.9")
def test_the_refusal_of_a_crossing_speaks_of_bridges(place):
    units = {"e1": german("0505", **ENGINEER), "x1": german("0507", command="56")}
    pos = strip(place, TWO, units)
    for order in ("move x1 0505", "move x1 0507-0506-0505"):
        refusal = pos.why_not(order)
        assert refusal.case == "8.9"
        assert "no bridge, printed or pontoon, crosses the river" in refusal.message
        assert "e1 could bridge it (bridge e1 0506)" in refusal.message
    moved = pos.play("move e1 0504")
    assert "could bridge" not in moved.why_not("move x1 0505").message


@pytest.mark.case(G, "8.10")
def test_a_standing_bridge_leaves_the_other_hexside_alone_to_be_bridged(place):
    sides = {"0505/0504": ["major-river", "bridge"], "0505/0506": ["minor-river"]}
    units = {"e1": german("0505", **ENGINEER)}
    assert strip(place, sides, units).document()["pontoons"] == {"e1": "0506"}
    broken = strip(place, sides, units, demolished=["0504/0505"])
    assert {str(o) for o in broken.legal if o.verb == "bridge"} == {"bridge e1 0504", "bridge e1 0506"}


@pytest.mark.case(G, "8.10")
def test_a_bridge_lasts_and_may_be_turned_in_the_next_phase(place):
    units = {"e1": german("0505", **ENGINEER), "x1": german("0507"), "s1": soviet("0501")}
    pos = strip(place, TWO, units).play("bridge e1 0504").play("end")
    assert pos.document()["pontoons"] == {"e1": "0504"}
    ready = units | {"StG2-1": {"at": "ready"}}
    later = strip(place, TWO, ready, "german-air", pontoons={"e1": "0504"}).play("end")
    assert later.document()["pontoons"] == {"e1": "0504"}
    turned = later.play("bridge e1 0506")
    assert turned.document()["pontoons"] == {"e1": "0506"}
    assert "move x1 0505" in turned.legal


@pytest.mark.case(G, "8.10")
def test_who_arrives_beside_a_river_has_no_bridge_yet(place):
    units = {"e1": german("0506", **ENGINEER), "x2": german("0507", command="56")}
    pos = strip(place, ONE, units).play("move e1 0505")
    assert "pontoons" not in pos.document()
    assert refused(pos, "bridge e1 0504") == "8.10"
    assert refused(pos, "move x2 0504") == "8.9"


@pytest.mark.case(G, "8.10", "6.6")
def test_a_soviet_bridge_unit_is_flipped_first(place):
    sides = {"0505/0504": ["major-river"]}
    units = {"42Br/42": {"hex": "0505", "face": "down"}, "s1": soviet("0506")}
    pos = place(units | {"x1": german("1111")}, "soviet-movement", hexes=STRIP, sides=sides)
    assert refused(pos, "bridge back-1 0504") == "6.6"
    assert refused(pos, "move s1 0504") == "8.9"
    flipped = pos.play("flip back-1")
    assert flipped.document()["pontoons"] == {"42Br/42": "0504"}
    far = units | {"42Br/42": {"hex": "0507", "face": "down"}, "s1": soviet("0509")}
    moved = place(far | {"x1": german("1111")}, "soviet-movement", hexes=STRIP, sides=sides).play("move back-1 0505")
    assert "pontoons" not in moved.play("flip back-1").document()  # it did not begin the phase there


@pytest.mark.case(G, "8.10")
def test_of_two_engineers_at_one_hexside_one_is_held(place):
    units = {
        "e1": german("0505", **ENGINEER),
        "e2": german("0504", type="engineer", command="56"),
        "x1": german("0506"),
        "x3": german("0507"),
    }
    pos = strip(place, ONE, units)
    assert pos.document()["pontoons"] == {"e1": "0504", "e2": "0505"}
    crossed = pos.play("move x1 0503")
    assert crossed.document()["bridging"] == ["e1"]
    assert refused(crossed, "move e1 0506") == "8.10"
    assert crossed.play("move x3 0502").document()["bridging"] == ["e1"]  # the one that is held already
    assert crossed.why_not("move e2 0503") is None
    done = units | {"x1": german("0506", command="56"), "g3": german("1210")}
    after = strip(place, ONE, done).play("move g3 1209").play("move x1 0503")  # 3rd Motorized has finished
    assert after.document()["bridging"] == ["e1"]
    assert after.why_not("move e2 0503") is None


@pytest.mark.case(G, "8.10", "10.16")
def test_an_engineer_storms_over_its_own_bridge(place):
    units = {"e1": german("0505", **ENGINEER), "s1": soviet("0504")}
    pos = place(units, "german-movement", hexes=STRIP, sides=ONE).play("end")
    assert "attack e1 0504 assault" in pos.legal
    later = place(units, "german-fire", hexes=STRIP, sides=ONE)  # as if it had come in this turn
    assert refused(later, "attack e1 0504 assault") == "10.16"


RIVER = {"0504/0503": ["major-river"]}


BROOK = {"0504/0503": ["minor-river"]}


def engineer(place, sides):
    units = {"e1": german("0504", type="engineer"), "x2": soviet("1111")}
    return place(units, "german-movement", sides=sides, pontoons={"e1": "0503"})


@pytest.mark.case("leningrad41", "8.10")
@pytest.mark.parametrize("path", ["0504-0503-0504", "0504-0505-0504-0503"])
def test_a_pontoon_is_gone_once_its_engineer_leaves(place, path):
    assert refused(engineer(place, RIVER), f"move e1 {path}") == "8.9"


@pytest.mark.case("leningrad41", "8.10")
def test_an_engineer_gains_nothing_from_its_own_pontoon(place):
    assert engineer(place, BROOK).reach("e1")["0503"].cost == 2
    units = {"e1": german("0504", type="engineer"), "x2": soviet("1111")}
    alone = place(units, "german-movement", sides=RIVER)
    assert engineer(place, RIVER).reach("e1")["0503"].cost == alone.reach("e1")["0503"].cost


@pytest.mark.case("leningrad41", "8.10")
def test_an_engineer_uses_the_pontoon_of_another(place):
    units = {
        "e1": german("0504", type="engineer"),
        "e2": german("0503", type="engineer"),
        "x2": soviet("1111"),
    }
    pos = place(units, "german-movement", sides=BROOK, pontoons={"e2": "0504"})
    assert pos.reach("e1")["0503"].cost == 1
