"""Documents of positions: what can stand in them, and what is said of those that cannot be."""

from __future__ import annotations

import pytest

import ladoga

from .conftest import where
from .made_up import german, soviet

PAIR = {"x1": german("0504"), "x2": soviet("0503")}


AUTOMATIC = (
    "walk",
    "settle-stacks",
    "strike",
    "aftermath",
    "finish",
    "join",
    "shoot",
    "after-defensive",
    "next-phase",
)


def bad(place, path, units, phase="german-fire", **state):
    """A document that must be refused, with the path of what is wrong."""
    with pytest.raises(ladoga.BadDocument) as caught:
        place(units, phase, **state)
    assert str(caught.value.path).startswith(path), caught.value


@pytest.mark.parametrize("kind", AUTOMATIC)
def test_a_document_cannot_wait_for_what_happens_by_itself(place, kind):
    bad(place, "pending[0]", PAIR, pending=[{"kind": kind}])


@pytest.mark.parametrize(
    "step",
    [
        {"kind": "lose"},
        {"kind": "advance", "hex": "0503"},
        {"kind": "offer"},
        {"kind": "offer", "unit": "I/8M"},
        {"kind": "reveal"},
        {"kind": "reveal", "unit": "x2"},
        {"kind": "reveal", "unit": "back-9"},
        {"kind": "reveal", "unit": "back-3"},
        {"kind": "repair"},
        {"kind": "repair", "hex": "0504"},
        {"kind": "host"},
        {"kind": "die", "words": ["fire"]},
        {"kind": "die", "words": ["bridge"]},
        {"kind": "die", "words": ["rubble"]},
        {"kind": "die", "words": ["fleet"]},
        {"kind": "die", "words": ["metro"]},
        {"kind": "die", "words": ["drift"]},
        {"kind": "draw", "number": 0, "words": ["42"]},
        {"kind": "draw", "number": 1, "words": ["nowhere"]},
        {"kind": "draw", "number": 1, "words": ["dead-56"]},
    ],
)
def test_pending_steps_need_what_they_are_about(place, step):
    bad(place, "pending[0]", PAIR | {"back-3": {"at": "hand"}}, pending=[step])


def test_what_is_pending_later_is_checked_too(place):
    draw = {"kind": "draw", "number": 1, "words": ["42"]}
    for later in ({"kind": "repair", "hex": "0504"}, {"kind": "join", "unit": "x2"}):
        bad(place, "pending[1]", PAIR, "soviet-reinforcement", pending=[draw, later])


@pytest.mark.case("leningrad41", "17.3")
def test_only_a_fanatical_assault_costs_a_unit(place):
    attack = {"kind": "fire", "target": "0503", "units": ["x1"]}
    bad(place, "pending[0]", PAIR, attack=attack, pending=[{"kind": "lose"}])
    bad(place, "pending[0]", PAIR, attack=attack | {"assault": True}, pending=[{"kind": "lose"}])
    pos = place(PAIR, attack=attack | {"assault": True, "fanatic": True}, pending=[{"kind": "lose"}])
    assert [str(order) for order in pos.legal] == ["lose x1"]


@pytest.mark.parametrize("left", [-3, 99])
def test_a_move_has_no_more_points_left_than_it_began_with(place, left):
    bad(place, "moving.left", PAIR, "german-movement", moving={"unit": "x1", "mode": "foot", "left": left})


@pytest.mark.parametrize("beyond", [{}, {"beyond": "0808"}, {"beyond": "0502"}])
def test_an_attack_on_a_bridge_needs_the_bridge(place, beyond):
    bad(place, "attack.beyond", PAIR, attack={"kind": "bridge", "target": "0503", "units": ["x1"], **beyond})


def test_an_attack_being_composed_must_be_possible(place):
    bad(place, "attack", PAIR, attack={"kind": "fire", "target": "0909", "units": ["x1"]})
    bad(place, "attack.units[0]", PAIR, attack={"kind": "fire", "target": "0503", "units": ["x2"]})
    bad(place, "attack.kind", PAIR, attack={"kind": "defensive", "target": "0503", "units": ["x1"]})


@pytest.mark.parametrize(
    ("path", "units"),
    [
        ("units.back-1.is", {"back-1": {"hex": "0504", "is": "181/42"}, "181/42": {"hex": "0505"}}),
        ("units.back-2.is", {"back-1": {"hex": "0504", "is": "181/42"}, "back-2": {"hex": "0505", "is": "181/42"}}),
        ("units.back-1.is", {"back-1": {"hex": "0504", "is": "I/8M"}}),
        ("units.back-1.at", {"back-1": {"at": "pool"}}),
        ("units.181/42.at", {"181/42": {"at": "hand"}}),
        ("units.Manstein.at", {"Manstein": {"at": "dead"}}),
        ("units.I/8M.at", {"I/8M": {"at": "pool"}}),
        ("units.I/8M.at", {"I/8M": {"at": "ready"}}),
        ("units.Aurora/42.hex", {"Aurora/42": {"hex": "0504"}}),
        ("units.x1.fire", {"x1": german("0504", fire=-3)}),
        ("units.x1.range", {"x1": german("0504", range=-1)}),
        ("units", {f"back-{n}": {"hex": f"{n % 10 + 1:02}{n // 10 + 1:02}"} for n in range(1, 60)}),
    ],
)
def test_units_cannot_be_where_the_game_never_puts_them(place, path, units):
    bad(place, path, units)


def test_a_named_back_and_a_unit_face_down_do_not_get_mixed_up(place):
    units = {"181/42": {"hex": "0505", "face": "down"}, "back-1": {"hex": "0504"}, "x1": german("1111")}
    doc = place(units).document()["units"]
    assert doc["back-1"] == {"hex": "0504"}
    assert doc["back-2"] == {"hex": "0505", "is": "181/42"}


@pytest.mark.case("leningrad41", "8.11", "9.1")
def test_marines_fired_at_on_their_way_by_sea_can_be_written_down(place, game):
    units = {"m1": soviet("0303", type="marine", traits="assault marine"), "x1": german("0602")}
    hexes = {"0403": "sea", "0502": "sea", "0503": "sea", "0603": "sea", "0703": "sea"}
    pos = place(units, "soviet-movement", hexes=hexes)
    order = max((o for o in pos.legal if o.verb == "sail"), key=lambda o: o.hexes)
    pos = pos.play(order)
    assert pos.document()["pending"][0]["kind"] == "offer"
    assert hexes.get(where(pos, "m1")) == "sea"
    again = game.position(pos.document())
    assert again.document() == pos.document()
    assert list(again.legal) == list(pos.legal)


@pytest.mark.case("leningrad41", "19.1", "7.4")
def test_a_document_of_a_reinforcement_phase_begins_with_its_dice(place):
    units = {"x1": german("0505"), "x2": soviet("0101"), "I/8M": {"at": "dead"}}
    pos = place(units, "german-reinforcement", turn=6)
    assert pos.chance.title == "the German reinforcement die"
    assert pos.document()["replacements"] == 2
    third = place(units, "german-reinforcement", turn=3, dice=[5, 1, "48Pi/56"])
    assert where(third, "I/1T") == "waiting"  # 4-5: Totenkopf
    assert where(third, "48Pi/56") == "waiting"
    assert "replace 3M" in third.legal
    first = place({"x2": soviet("0101")}, "german-reinforcement", turn=1)
    assert where(first, "Manstein") == "waiting"
    assert first.chance.title == "a draw of an air strike marker"
    on_map = place({"x2": soviet("0101"), "Manstein": {"hex": "0505"}}, "german-reinforcement", turn=1)
    assert where(on_map, "Manstein") == "0505"


@pytest.mark.case("leningrad41", "19.2", "19.3", "5.2")
def test_a_document_of_the_soviet_phase_begins_with_its_draws(game, place):
    document = {"game": "leningrad41", "turn": 2, "phase": "soviet-reinforcement", "units": {"x2": german("5110")}}
    pos = game.position(document)
    assert pos.chance.title == "a draw from the 42nd Army pool"
    assert pos.document()["pending"][0]["number"] == 7  # 42 objectives
    few = place({"x1": german("0505"), "x2": soviet("0101")}, "soviet-reinforcement", dice=[2])
    assert few.document()["pending"][0] == {"kind": "draw", "number": 2, "words": ["LFR"]}
    with pytest.raises(ladoga.BadDocument) as caught:
        game.position(document | {"turn": 1})
    assert caught.value.path == "phase"


@pytest.mark.parametrize("figure", [{"fire": 9}, {"range": 1}, {"radius": 2}, {"traits": "assault"}, {"size": "III"}])
def test_the_figures_of_a_printed_unit_stay_as_they_are(place, figure):
    bad(place, "units.I/8M", {"I/8M": {"hex": "0504"} | figure, "x2": soviet("0101")})


@pytest.mark.case("leningrad41", "4.2")
def test_no_document_gives_the_german_a_hex_with_a_soviet_unit(place):
    with pytest.raises(ladoga.BadDocument, match="control: 0504 is held by the Soviet unit in it"):
        place({"x1": german("0606"), "x2": soviet("0504")}, control=["0504"])
    boat = place({"LG42": {"hex": "0504"}}, hexes={"0503": "sea"}, control=["0504"])  # the gunboat holds no land
    assert boat.document()["control"] == ["0504"]


@pytest.mark.parametrize("name", ["", "two words", "a+b"])
def test_a_made_up_unit_has_a_name_that_orders_can_say(name):
    unit = {"side": "german", "type": "infantry", "fire": 3, "hex": "2020"}
    with pytest.raises(ladoga.BadDocument, match=r"a unit's name has no blanks and no \+"):
        ladoga.load("leningrad41").position({"game": "leningrad41", "units": {name: unit}})
