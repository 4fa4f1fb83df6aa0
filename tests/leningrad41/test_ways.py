"""A move by its end alone goes where its player loses least (8.1, 9.1, 8.10), and control is for the living (4.2)."""

from __future__ import annotations

import pytest

import ladoga

from .conftest import refused, where
from .made_up import german, soviet

G = "leningrad41"


def ring(pos, number):
    grid = pos.map.grid
    return {grid.number(h) for h in grid.neighbours(grid.hex(number)) if h >= 0}


@pytest.mark.case(G, "8.1", "9.1")
def test_a_way_that_is_not_watched_is_taken_where_it_is_as_cheap(place):
    """Everywhere around every enemy: if the unit is fired on before its end, no way of that cost goes round."""
    for enemy in ("0605", "0405", "0506", "0606", "0406", "0507"):
        pos = place({"x1": german("0509"), "s1": soviet(enemy)}, "german-movement")
        near = ring(pos, enemy)
        for end in sorted(pos.reach("x1")):
            reached = pos.reach("x1")[end]
            if end in near or reached.cost > 5:
                continue
            watched = [number for number in reached.path[1:] if number in near]
            if watched:
                assert not free_way(pos, near, "0509", end, int(reached.cost)), (enemy, end)
            moved = pos.play(f"move x1 {end}")
            assert (moved.to_move == "soviet") == bool(watched)


def free_way(pos, near, start, end, steps):
    """Whether so many steps over clear ground lead from a hex to another without a watched one."""
    grid, here = pos.map.grid, {start}
    taken = {pos.number(h) for h in pos.map.grid.members(pos.occupied[1])}
    for _ in range(steps):
        here = {grid.number(n) for h in here for n in grid.neighbours(grid.hex(h)) if n >= 0} - near - taken
    return end in here


@pytest.mark.case(G, "9.1")
def test_a_way_that_must_be_watched_says_so_to_its_player_alone(place):
    walls = {f"{row}{c:02}": "sea" for row in ("04", "06") for c in range(1, 13) if (row, c) != ("04", 5)}
    units = {"x1": german("0509"), "s1": soviet("0405")}
    pos = place(units, "german-movement", hexes=walls).play("move x1 0502")
    assert pos.to_move == "soviet"
    told = [event for event in pos.view("german").events if event.kind == "way"]
    assert [event.case for event in told] == ["9.1"]
    assert told[0].text == "Every way of x1 to 0502 that is as cheap leads past the enemy, this one in 0506, 0505"
    for other in ("soviet", "observer"):
        assert not [event for event in pos.view(other).events if event.kind == "way"]
    named = place(units, "german-movement", hexes=walls).play("move x1 0509-0508-0507-0506-0505-0504")
    assert not [event for event in named.events if event.kind == "way"]  # it was his own choice


@pytest.mark.case(G, "8.10", "8.1")
@pytest.mark.parametrize(("pontoon", "bridge"), [("0504", "0404"), ("0404", "0504")])
def test_a_pontoon_is_left_alone_where_a_bridge_is_as_cheap(place, pontoon, bridge):
    """Two ways of two hexes to 0403: over a printed bridge, or over that of an engineer who could still move."""
    units = {"e1": german("0505", type="engineer"), "x1": german("0505", command="56"), "s1": soviet("1212")}
    sides = {f"0505/{pontoon}": ["major-river"], f"0505/{bridge}": ["major-river", "bridge"]}
    pos = place(units, "german-movement", sides=sides)
    assert pos.document()["pontoons"] == {"e1": pontoon}
    assert pos.reach("x1")["0403"].path == ("0505", bridge, "0403")
    moved = pos.play("move x1 0403")
    assert "bridging" not in moved.document()
    assert not [event for event in moved.events if event.kind == "way"]
    only = pos.play(f"move x1 {pontoon}")
    assert only.document()["bridging"] == ["e1"]
    told = [event for event in only.events if event.kind == "way"]
    assert [event.case for event in told] == ["8.10"]
    again = place(units | {"x2": german("0506", command="56")}, "german-movement", sides=sides, bridging=["e1"])
    assert not [e for e in again.play(f"move x1 {pontoon}").events if e.kind == "way"]  # it is held anyway


@pytest.mark.case(G, "8.11", "9.1")
def test_marines_keep_out_of_sight_too(place):
    sea = {f"{r:02}{c:02}": "sea" for r in range(3, 8) for c in range(3, 10)}
    units = {"m1": soviet("0502", type="marine", command="LFR"), "x1": german("0802")}
    pos = place(units, "soviet-movement", hexes=sea)
    end = max((o.hexes[0] for o in pos.legal if o.verb == "sail"), key=lambda n: (int(n[2:]), n))
    sailed = pos.play(f"sail m1 {end}")
    assert sailed.to_move == "soviet"
    assert where(sailed, "m1") == end


@pytest.mark.case(G, "7.1", "9.1")
def test_the_way_from_the_edge_avoids_fire(place):
    edge = {"0102": ["german-entry"], "0106": ["german-entry"]}
    units = {"I/8M": {"at": "waiting"}, "s1": soviet("0103")}
    pos = place(units, "german-movement", places=edge)
    assert pos.reach("I/8M")["0304"].path[0] in ("0102", "0106")
    path = pos.reach("I/8M")["0305"].path
    assert not {*path} & ring(pos, "0103")


# Control (4.2) ------------------------------------------------------------------------------------------


@pytest.mark.case(G, "4.2", "9.2")
def test_who_dies_on_entering_takes_no_control(place, game):
    units = {"x1": german("0508"), "s1": soviet("0505", fire=50), "x2": german("1111")}
    pos = place(units, "german-movement", hexes={"0506": "objective"}).play("move x1 0508-0507-0506")
    assert pos.to_move == "soviet"
    assert game.position(pos.document()) == pos
    assert game.position(pos.document()).play("end") == pos.play("end")
    dead = pos.play("attack s1 0506").play("die 1")
    assert where(dead, "x1") == "dead"
    assert dead.owner(dead.map.grid.hex("0506")) == "soviet"
    assert dead.owner(dead.map.grid.hex("0507")) == "german"  # that one it passed through
    lived = pos.play("attack s1 0506").play("die 6")
    assert lived.owner(lived.map.grid.hex("0506")) == "german"
    assert pos.play("end").owner(pos.map.grid.hex("0506")) == "german"


@pytest.mark.case(G, "4.2", "9.2")
def test_a_soviet_who_dies_on_entering_takes_nothing_back(place, game):
    units = {"s1": soviet("0508"), "x1": german("0505", fire=50)}
    state = {"hexes": {"0506": "objective"}, "control": ["0506", "0507"]}
    pos = place(units, "soviet-movement", **state).play("move s1 0508-0507-0506")
    assert game.position(pos.document()) == pos
    dead = pos.play("attack x1 0506").play("die 1")
    assert set(dead.document()["control"]) == {"0506"}
    again = game.position(pos.document()).play("attack x1 0506").play("die 1")
    assert again == dead
    assert "control" not in pos.play("end").document()


@pytest.mark.case(G, "4.2", "15.5", "18.3")
def test_the_same_holds_for_the_metro_and_for_parachutes(place):
    city = {"0303": "objective", "0909": "objective"}
    kom = {"k": soviet("0303", type="komsomol"), "x1": german("0908", fire=50)}
    pos = place(kom, "soviet-movement", hexes=city, control=["0909"]).play("metro k 0909").play("die 1")
    assert pos.play("attack x1 0909").play("die 1").document()["control"] == ["0909"]
    drop = {"I/3F": {"at": "waiting"}, "x1": german("1111"), "s1": soviet("0505", fire=50)}
    pos = place(drop, "german-movement", options={"airborne-assault": True}).play("drop I/3F 0506").play("die 1")
    dead = pos.play("attack s1 0506").play("die 1")
    assert dead.owner(dead.map.grid.hex("0506")) == "soviet"


# Barricades (16.2) ----------------------------------------------------------------------------------------


@pytest.mark.case(G, "16.2", "8.8")
def test_barricaded_roads_are_closed_to_motors_even_in_the_open(place):
    tank = german("0505", type="panzer", traits="armored", command="8P")
    units, sides = {"x1": tank, "s1": soviet("1212")}, {f"05{c:02}/05{c - 1:02}": ["rail"] for c in range(2, 8)}
    for states in (False, True):
        pos = place(units, "german-movement", sides=sides, defensive_states=states)
        assert (pos.why_not("move x1 0505-0504 motorized") is None) != states
        assert pos.why_not("move x1 0505-0405-0406 motorized") is None  # out of it, over open ground
        assert pos.why_not("move x1 0505-0504") is None  # at its ordinary pace
    assert refused(pos, "move x1 0505-0504 motorized") == "16.2"


# Refusals that name the nearest case ------------------------------------------------------------------------

RAILS = {f"02{c:02}/02{c + 1:02}": ["rail"] for c in range(2, 12)}


@pytest.mark.case(G, "15.1", "8.14", "6.4")
def test_what_stands_on_the_line_is_why_aurora_stops(place):
    def case(order, **units):
        there = {"Aurora/42": {"hex": "0202"}} | units
        return refused(place(there, "soviet-movement", size=(16, 4), sides=RAILS), order)

    assert case("move Aurora/42 0208", x1=german("0205")) == "8.14"
    assert case("move Aurora/42 0205", x1=german("0205")) == "8.14"
    assert case("move Aurora/42 0208", x1=soviet("0205"), x2=german("0416")) == "6.4"
    assert case("move Aurora/42 0216", x1=german("0416")) == "15.1"
    assert case("move Aurora/42 0302", x1=german("0416")) == "15.1"


@pytest.mark.case(G, "15.2", "8.14")
def test_what_stands_on_the_water_is_why_the_gunboat_stops(place):
    sea = {f"02{c:02}": "sea" for c in range(1, 17)}
    units = {"LG42": {"hex": "0202"}, "s1": soviet("0101"), "x1": german("0416")}
    river = {f"05{c:02}/06{c - d:02}": ["major-river"] for c in range(3, 9) for d in (0, 1)}
    boat = {"LG42": {"hex": "0503"}, "x1": german("0505"), "x2": german("0605"), "x3": german("0604")}
    up = place(boat, "soviet-movement", sides=river)
    assert refused(up, "move LG42 0507") == "8.14"
    assert refused(place(units, "soviet-movement", size=(16, 4), hexes=sea), "move LG42 0408") == "15.2"


@pytest.mark.case(G, "6.6", "15.5", "8.11", "8.10")
def test_a_hidden_unit_is_flipped_before_its_special_move(place):
    city = {"0303": "objective", "0909": "objective"}
    sides = {"0303/0304": ["major-river"]}
    for name in ("1Kom/42", "42Br/42", "181/42"):
        units = {name: {"hex": "0303", "face": "down"}, "x1": german("1212")}
        pos = place(units, "soviet-movement", hexes=city, sides=sides)
        for order in ("metro back-1 0909", "sail back-1 0304", "bridge back-1 0304"):
            assert refused(pos, order) == "6.6"
            assert "must be flipped before" in pos.why_not(order).message


@pytest.mark.case(G, "6.3", "6.1")
def test_two_sub_commands_on_one_objective_are_refused_as_such(place):
    objective = {"0504": "objective"}
    one = {"s1": soviet("0504"), "l1": soviet("0505", command="LFR"), "x1": german("1212")}
    assert refused(place(one, "soviet-movement", hexes=objective), "move l1 0504") == "6.3"
    two = one | {"s2": soviet("0504")}
    assert refused(place(two, "soviet-movement", hexes=objective), "move l1 0504") == "6.3"
    assert refused(place(one | {"l2": soviet("0503", command="LFR")}, "soviet-movement", hexes=objective),
                   "move l1 0505-0504-0503") == "6.3"  # fmt: skip
    own = {"s1": soviet("0504"), "s2": soviet("0504"), "s3": soviet("0505"), "x1": german("1212")}
    assert refused(place(own, "soviet-movement", hexes=objective), "move s3 0504") == "6.1"
    assert refused(place(one, "soviet-movement"), "move l1 0504") == "6.1"  # no objective: one unit a hex


@pytest.mark.case(G, "6.3")
def test_no_document_stacks_the_two_sub_commands(place):
    units = {"s1": soviet("0504"), "l1": soviet("0504", command="LFR"), "x1": german("1212")}
    with pytest.raises(ladoga.BadDocument, match=r"42nd Army and of the Front Reserve in 0504 \(6\.3\)"):
        place(units, "german-fire", hexes={"0504": "objective"})
