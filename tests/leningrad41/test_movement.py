"""Chapter 8, movement, and the special movers of chapter 15."""

from __future__ import annotations

import pytest

from .conftest import kinds, refused, where
from .made_up import german, soviet

TANK = {"type": "panzer", "traits": "armored anti-armor", "command": "8P", "fire": 9, "range": 2}
ENGINEER = {"type": "engineer", "command": "3M"}


def cost(pos, unit, number):
    return pos.reach(unit)[number].cost


@pytest.mark.case("leningrad41", "8.0", "8.1")
def test_moves_go_from_hex_to_adjacent_hex_once_a_phase(place):
    pos = place({"x1": german("0505"), "x2": german("0707")}, "german-movement")
    assert refused(pos, "move x1 0503-0501") == "8.1"
    assert refused(pos, "move x1 0505") == "8.1"
    pos = pos.play("move x1 0504")
    assert "move x1 0503" in pos.legal  # points left, and no other unit has moved
    pos = pos.play("move x2 0706")
    assert refused(pos, "move x1 0503") == "8.1"
    assert refused(place({"x1": soviet("0505")}, "german-movement"), "move x1 0504") == "8.1"


@pytest.mark.case("leningrad41", "8.1")
def test_points_are_neither_saved_nor_exceeded(place):
    pos = place({"x1": german("0202"), "x2": soviet("0330")}, "german-movement", size=(30, 3))
    pos = pos.play("move x1 0210")
    assert pos.document()["moving"] == {"unit": "x1", "mode": "foot", "left": 8}
    assert "move x1 0218" in pos.legal
    assert refused(pos, "move x1 0219") == "8.3"


@pytest.mark.case("leningrad41", "8.2")
def test_one_sub_command_after_the_other(place):
    units = {
        "x1": german("0505", command="8P"), "x2": german("0606", command="8P"), "x3": german("0707", command="3M"),
        "Manstein": {"hex": "0303"}, "x5": german("0808", command="56"),
    }  # fmt: skip
    pos = place(units, "german-movement").play("move x1 0504").play("move Manstein 0302")
    pos = pos.play("move x3 0706")  # Manstein belongs to no sub-command
    assert refused(pos, "move x2 0605") == "8.2"
    assert "move x5 0807" in pos.legal
    assert "move x2 0605" in place(units, "german-movement").play("move x1 0504").legal


@pytest.mark.case("leningrad41", "8.3", "8.5", "8.6", "8.12")
@pytest.mark.parametrize(
    ("terrain", "fort", "rubble", "points"),
    [
        ("clear", False, False, 1),
        ("urban", False, False, 2),
        ("objective", False, False, 3),
        ("clear", True, False, 2),
        ("urban", True, False, 2),
        ("objective", True, False, 3),
        ("urban", False, True, 3),
        ("objective", False, True, 4),
    ],
)
def test_terrain_costs(place, terrain, fort, rubble, points):
    pos = place(
        {"x1": german("0505")}, "german-movement", hexes={"0504": terrain},
        places={"0504": ["fortified"]} if fort else {}, rubble=["0504"] if rubble else [],
    )  # fmt: skip
    assert cost(pos, "x1", "0504") == points


@pytest.mark.case("leningrad41", "8.3")
def test_too_few_points_for_the_last_hex(place):
    hexes = {f"03{c:02}": "sea" for c in range(1, 31)} | {f"01{c:02}": "sea" for c in range(1, 31)}
    pos = place({"x1": german("0202")}, "german-movement", size=(30, 3), hexes=hexes | {"0218": "urban"})
    assert "move x1 0217" in pos.legal
    assert refused(pos, "move x1 0218") == "8.3"


@pytest.mark.case("leningrad41", "8.4")
def test_no_stack_moves(place):
    pos = place({"x1": german("0505"), "x2": german("0505")}, "german-movement")
    assert refused(pos, "move x1+x2 0504") == "8.4"


@pytest.mark.case("leningrad41", "8.7", "8.9")
def test_the_worked_example_of_a_minor_river(place):
    # an unbridged minor river into a heavy structure: three and one are four
    pos = place(
        {"x1": german("0505")}, "german-movement", hexes={"0504": "objective"}, sides={"0505/0504": ["minor-river"]}
    )
    reached = pos.play("move x1 0505-0504")
    assert reached.document()["moving"]["left"] == 12
    bridged = place(
        {"x1": german("0505")}, "german-movement", hexes={"0504": "objective"},
        sides={"0505/0504": ["minor-river", "bridge"]},
    )  # fmt: skip
    assert cost(bridged, "x1", "0504") == 3


@pytest.mark.case("leningrad41", "8.12", "8.7")
def test_rubble_is_added_to_everything(place):
    hexes = {"0504": "objective", "0404": "sea", "0405": "sea", "0604": "sea", "0605": "sea"}
    pos = place(
        {"x1": german("0505")}, "german-movement", hexes=hexes, sides={"0505/0504": ["minor-river"]}, rubble=["0504"]
    )
    assert cost(pos, "x1", "0504") == 5


# A strip of land in row 05 with sea on both sides, a river across it between 0505 and 0504.
STRIP = {f"{row}{c:02}": "sea" for row in ("04", "06") for c in range(1, 13)}


@pytest.mark.case("leningrad41", "8.9")
def test_major_rivers_are_crossed_by_bridges_only(place):
    river = place({"x1": german("0505")}, "german-movement", hexes=STRIP, sides={"0505/0504": ["major-river"]})
    assert refused(river, "move x1 0504") == "8.9"
    assert refused(river, "move x1 0503") == "8.9"
    sides = {"0505/0504": ["major-river", "bridge"]}
    bridge = place({"x1": german("0505")}, "german-movement", hexes=STRIP, sides=sides)
    assert cost(bridge, "x1", "0504") == 1
    broken = place({"x1": german("0505")}, "german-movement", hexes=STRIP, sides=sides, demolished=["0505/0504"])
    assert refused(broken, "move x1 0504") == "8.9"


@pytest.mark.case("leningrad41", "8.8")
def test_motorized_movement_doubles_in_clear_and_along_roads(place):
    rows = {f"{r:02}{c:02}": "urban" for r in (1, 3) for c in range(1, 41)}
    pos = place({"x1": german("0202", **TANK)}, "german-movement", size=(40, 3), hexes=rows)
    assert "move x1 0234 motorized" in pos.legal
    assert refused(pos, "move x1 0235 motorized") == "8.3"
    assert refused(pos, "move x1 0102 motorized") == "8.8"
    road = {f"01{c:02}/01{c + 1:02}": ["prospekt"] for c in range(2, 20)} | {"0202/0102": ["rail"]}
    pos = place({"x1": german("0202", **TANK)}, "german-movement", size=(40, 3), hexes=rows, sides=road)
    assert "move x1 0202-0102-0103-0104 motorized" in pos.legal
    infantry = place({"x1": german("0202")}, "german-movement", size=(40, 3))
    assert refused(infantry, "move x1 0204 motorized") == "8.8"


@pytest.mark.case("leningrad41", "8.8")
def test_any_defensive_fire_ends_motorized_movement(place):
    units = {"x1": german("0210", **TANK), "x2": soviet("0106", traits="assault")}
    pos = place(units, "german-movement", size=(30, 3)).play("move x1 0209-0208-0207-0206-0205 motorized")
    assert pos.to_move == "soviet"
    shot = pos.play("attack x2 0206").play("die 6")
    assert where(shot, "x1") == "0206"
    assert refused(shot, "move x1 0205") == "8.8"
    assert [event.kind for event in shot.events if event.case == "8.8"] == ["stop"]
    passed = pos.play("end")  # mere opportunity does not stop it
    assert passed.to_move == "soviet"
    assert where(passed, "x1") == "0205"


@pytest.mark.case("leningrad41", "8.8")
def test_motorized_is_declared_at_the_start(place):
    pos = place({"x1": german("0210", **TANK)}, "german-movement", size=(40, 3)).play("move x1 0209")
    assert refused(pos, "move x1 0240 motorized") == "8.8"


# Pontoons -----------------------------------------------------------------------------------------------

RIVER = {"0505/0504": ["major-river"], "0605/0604": ["major-river"], "0504/0605": ["major-river"]}


def beside_the_river(place, phase="german-movement", **more):
    units = {
        "x1": german("0505", **ENGINEER),
        "x2": german("0506"),
        "x3": german("0507"),
        "x9": soviet("1201"),
    }
    return place(units | more, phase, hexes=STRIP, sides={"0505/0504": ["major-river"]})


@pytest.mark.case("leningrad41", "8.10")
def test_a_pontoon_carries_any_number_of_friends_and_pins_its_engineer(place):
    pos = beside_the_river(place)
    assert "move x2 0504" in pos.legal
    assert "move x1 0506" in pos.legal
    pos = pos.play("move x2 0503").play("move x3 0504")
    assert refused(pos, "move x1 0506") == "8.10"


@pytest.mark.case("leningrad41", "8.10")
def test_a_pontoon_is_gone_when_its_engineer_leaves_or_dies(place):
    pos = beside_the_river(place).play("move x1 0506")
    assert "pontoons" not in pos.document()
    assert refused(pos, "move x2 0504") == "8.9"
    units = {"x1": german("0505", **ENGINEER), "x2": soviet("0504", fire=50)}
    shot = place(units, "soviet-fire", sides={"0505/0504": ["major-river"]}, pontoons={"x1": "0504"})
    assert "pontoons" not in shot.play("attack x2 0505").play("die 1").document()


@pytest.mark.case("leningrad41", "8.10")
def test_who_builds_pontoons_and_when(place):
    sapper = beside_the_river(place, "soviet-movement", x5=soviet("0503", type="engineer"))
    assert refused(sapper, "bridge x5 0504") == "8.10"
    bridger = place(
        {"x5": soviet("0504", type="bridge-engineer", fire=1, traits="")}, "soviet-movement",
        sides={"0505/0504": ["minor-river"]},
    )  # fmt: skip
    assert bridger.document()["pontoons"] == {"x5": "0505"}
    assert refused(bridger, "bridge x5 0503") == "8.10"
    arrived = beside_the_river(place, x1=german("0506", **ENGINEER), x2=german("0508"))
    arrived = arrived.play("move x1 0505")
    assert refused(arrived, "bridge x1 0504") == "8.10"
    assert refused(beside_the_river(place), "bridge x2 0505") == "8.10"


@pytest.mark.case("leningrad41", "8.10")
def test_one_hexside_an_engineer(place):
    sides = {"0505/0504": ["major-river"], "0505/0506": ["minor-river"]}
    pos = place({"x1": german("0505", **ENGINEER)}, "german-movement", sides=sides).play("bridge x1 0504")
    assert refused(pos, "bridge x1 0506") == "8.10"


@pytest.mark.case("leningrad41", "8.10", "8.9")
def test_an_engineer_may_cross_alone_from_where_it_began(place):
    pos = beside_the_river(place)
    assert cost(pos, "x1", "0504") == 2  # the hex and one for the river
    crossed = pos.play("move x1 0504")
    assert refused(crossed, "move x2 0504") == "8.9"
    further = beside_the_river(place, x1=german("0506", **ENGINEER), x2=german("0508")).play("move x1 0505")
    assert refused(further, "move x1 0504") == "8.9"


@pytest.mark.case("leningrad41", "8.10", "8.13")
def test_no_pontoon_over_the_sea(place):
    pos = place({"x1": german("0505", **ENGINEER)}, "german-movement", sides={"0505/0504": ["sea"]})
    assert refused(pos, "bridge x1 0504") == "8.10"
    assert refused(pos, "move x1 0505-0504") == "8.13"


@pytest.mark.case("leningrad41", "8.13")
def test_the_sea_is_closed_to_ground_units(place):
    pos = place({"x1": german("0505")}, "german-movement", hexes={"0504": "sea"})
    assert refused(pos, "move x1 0504") == "8.13"


@pytest.mark.case("leningrad41", "8.14")
def test_enemy_hexes_are_never_entered(place):
    for enemy in (soviet("0504"), None):
        units = {"x1": german("0505")} | ({"x2": enemy} if enemy else {"back-1": {"hex": "0504"}})
        assert refused(place(units, "german-movement"), "move x1 0504") == "8.14"
    leader = place({"x1": german("0505"), "Zhdanov": {"hex": "0504"}}, "german-movement")
    assert refused(leader, "move x1 0504") == "8.14"


# Water: sea in columns 9-12, a major river between rows 05 and 06 from the sea to column 03.

COAST = {f"{r:02}{c:02}": "sea" for r in range(1, 13) for c in range(9, 13)}
BANKS = {f"05{c:02}/06{c - d:02}": ["major-river"] for c in range(3, 9) for d in (0, 1)}
MARINE = {"type": "marine", "traits": "assault marine", "command": "LFR"}


@pytest.mark.case("leningrad41", "8.11", "15.4")
def test_marines_move_by_river_and_sea(place):
    pos = place({"x1": soviet("0503", **MARINE), "x2": german("1201")}, "soviet-movement", hexes=COAST, sides=BANKS)
    assert "sail x1 0108" in pos.legal  # a coastal hex far away
    assert "sail x1 0607" in pos.legal
    assert refused(pos, "sail x1 0110") == "8.11"  # at sea
    assert refused(pos, "sail x1 0102") == "8.11"  # inland
    moved = pos.play("sail x1 0108")
    assert where(moved, "x1") == "0108"
    assert refused(moved, "move x1 0107") == "8.1"
    two = place({"x1": soviet("0503", **MARINE), "x3": soviet("0505", **MARINE)}, "soviet-movement", hexes=COAST,
                sides=BANKS).play("sail x1 0108")  # fmt: skip
    assert refused(two, "sail x3 1008") == "8.11"


@pytest.mark.case("leningrad41", "8.11")
def test_where_marines_may_not_embark(place):
    near = place({"x1": soviet("0503", **MARINE), "x2": german("0502")}, "soviet-movement", hexes=COAST, sides=BANKS)
    assert refused(near, "sail x1 0108") == "8.11"
    inland = place({"x1": soviet("0203", **MARINE)}, "soviet-movement", hexes=COAST, sides=BANKS)
    assert refused(inland, "sail x1 0108") == "8.11"
    rifle = place({"x1": soviet("0503")}, "soviet-movement", hexes=COAST, sides=BANKS)
    assert refused(rifle, "sail x1 0108") == "8.11"


@pytest.mark.case("leningrad41", "8.11", "9.1")
def test_marines_are_fired_on_hex_by_hex(place):
    units = {"x1": soviet("0503", **MARINE), "x2": german("0406")}
    pos = place(units, "soviet-movement", hexes=COAST, sides=BANKS)
    pos = pos.play("sail x1 0504-0505-0506-0507-0508-0509-0408")
    stops = []
    while pos.to_move == "german":
        stops.append(where(pos, "x1"))
        pos = pos.play("attack x2 " + stops[-1]).play("die 6")
    near = {pos.number(h) for h in pos.map.grid.members(pos.map.grid.ring(1 << pos.map.grid.hex("0406")))}
    assert stops == [h for h in ("0504", "0505", "0506", "0507", "0508", "0509", "0408") if h in near]
    assert len(stops) == 2
    assert where(pos, "x1") == "0408"  # an amphibious move goes on after fire


@pytest.mark.case("leningrad41", "15.0", "15.1")
def test_aurora_keeps_to_the_rails_any_distance(place):
    rails = {f"02{c:02}/02{c + 1:02}": ["rail"] for c in range(2, 29)}
    pos = place({"Aurora/42": {"hex": "0202"}, "x1": german("0330")}, "soviet-movement", size=(32, 4), sides=rails)
    assert "move Aurora/42 0227" in pos.legal
    assert refused(pos, "move Aurora/42 0102") == "15.1"
    assert refused(pos, "move Aurora/42 0230") == "15.1"
    river = rails | {"0210/0211": ["rail", "major-river", "bridge"]}
    broken = place({"Aurora/42": {"hex": "0202"}}, "soviet-movement", size=(32, 4), sides=river,
                   demolished=["0210/0211"])  # fmt: skip
    assert "move Aurora/42 0210" in broken.legal
    assert refused(broken, "move Aurora/42 0211") == "15.1"
    friend = place({"Aurora/42": {"hex": "0202"}, "x2": soviet("0205")}, "soviet-movement", size=(32, 4), sides=rails)
    assert refused(friend, "move Aurora/42 0206") == "6.4"


@pytest.mark.case("leningrad41", "15.1", "9.1")
def test_aurora_is_fired_on_and_never_comes_back(place):
    rails = {f"02{c:02}/02{c + 1:02}": ["rail"] for c in range(2, 12)}
    units = {"Aurora/42": {"hex": "0202"}, "x1": german("0306", fire=50)}
    pos = place(units, "soviet-movement", size=(16, 4), sides=rails).play("move Aurora/42 0210")
    assert pos.to_move == "german"
    pos = pos.play(f"attack x1 {where(pos, 'Aurora/42')}").play("die 1")
    assert where(pos, "Aurora/42") == ""


@pytest.mark.case("leningrad41", "15.2")
def test_the_gunboat_keeps_to_water(place):
    pos = place({"LG42": {"hex": "0509"}, "x1": german("1201")}, "soviet-movement", hexes=COAST, sides=BANKS)
    assert "move LG42 0503" in pos.legal  # up the river
    assert "move LG42 0108" in pos.legal  # along the coast
    assert refused(pos, "move LG42 0303") == "15.2"
    assert pos.game.units["LG42"].armored
    assert not pos.game.units["LG42"].motorized


@pytest.mark.case("leningrad41", "15.2", "4.2", "10.12")
def test_the_gunboat_takes_no_land_is_armored_and_never_comes_back(place):
    pos = place({"LG42": {"hex": "0509"}}, "soviet-movement", hexes=COAST, sides=BANKS, control=["0506"])
    assert "0506" in pos.play("move LG42 0506").document()["control"]
    shot = place({"LG42": {"hex": "0506"}, "x1": german("0406", fire=50)}, hexes=COAST, sides=BANKS)
    assert [m.label for m in shot.explain("attack x1 0506").modifiers] == ["Armored target, no anti-armor fire"]
    assert where(shot.play("attack x1 0506").play("die 1"), "LG42") == ""


METRO = {"0303": "objective", "0909": "objective", "0606": "objective"}
KOMSOMOL = {"type": "komsomol", "traits": "assault komsomol"}


@pytest.mark.case("leningrad41", "15.5")
@pytest.mark.parametrize(("face", "end"), [(1, "0909"), (3, "0909"), (4, "0303"), (5, "0303"), (6, "pool")])
def test_metro_moves(place, face, end):
    units = {"x1": soviet("0303", **KOMSOMOL), "x2": german("1201")}
    pos = place(units, "soviet-movement", hexes=METRO).play("metro x1 0909")
    pos = pos.play(f"die {face}")
    assert where(pos, "x1") == end
    if end != "pool":
        assert refused(pos, "metro x1 0606") == "15.5"  # one try, and the whole allowance
        assert refused(pos, "move x1 0302") == "8.1"


@pytest.mark.case("leningrad41", "15.5")
def test_where_the_metro_does_not_go(place):
    units = {"x1": soviet("0303", **KOMSOMOL), "x2": german("0909"), "x3": soviet("0505"), "x4": soviet("0606"),
             "x5": soviet("0606")}  # fmt: skip
    pos = place(units, "soviet-movement", hexes=METRO)
    assert refused(pos, "metro x1 0909") == "15.5"
    assert refused(pos, "metro x1 0505") == "15.5"
    assert refused(pos, "metro x1 0606") == "6.1"
    assert refused(pos, "metro x3 0606") == "15.5"
    rubble = place({"x1": soviet("0303", **KOMSOMOL)}, "soviet-movement", hexes=METRO, rubble=["0909"])
    assert refused(rubble, "metro x1 0909") == "15.5"
    under = place({"x1": soviet("0303", **KOMSOMOL)}, "soviet-movement", hexes=METRO, rubble=["0303"])
    assert refused(under, "metro x1 0909") == "15.5"
    controlled = place({"x1": soviet("0303", **KOMSOMOL)}, "soviet-movement", hexes=METRO, control=["0909"])
    assert "metro x1 0909" in controlled.legal


@pytest.mark.case("leningrad41", "15.5", "9.1")
def test_metro_moves_are_fired_on_at_the_far_end_only(place):
    units = {"x1": soviet("0303", **KOMSOMOL), "x2": german("0302"), "x3": german("0908")}
    pos = place(units, "soviet-movement", hexes=METRO).play("metro x1 0909").play("die 2")
    assert pos.to_move == "german"
    assert "attack x3 0909" in pos.legal
    assert refused(pos, "attack x2 0909") == "9.4"
    assert "move" in kinds(pos) or "metro" in kinds(pos)


@pytest.mark.case("leningrad41", "8.8")
def test_motorized_movement_far_from_roads_is_refused_for_that(place):
    units = {"x1": german("0505", traits="assault motorized"), "x2": soviet("1111")}
    block = dict.fromkeys(("0501", "0502", "0503", "0504", "0403", "0404", "0603", "0604", "0402", "0602"), "urban")
    pos = place(units, "german-movement", hexes=block)
    assert refused(pos, "move x1 0503 motorized") == "8.8"


@pytest.mark.case("leningrad41", "15.2", "8.3", "8.11")
def test_the_gunboat_has_the_points_of_any_soviet_unit(place):
    sea = {f"{row:02}{column:02}": "sea" for row in (1, 2, 3) for column in range(1, 31)}
    pos = place({"LG42": {"hex": "0201"}, "x1": german("0530")}, "soviet-movement", size=(30, 5), hexes=sea)
    assert pos.reach("LG42")["0213"].left == 0
    assert refused(pos, "move LG42 0214") == "8.3"
    assert refused(pos, "move LG42 0505") == "15.2"
    assert pos.play("move LG42 0210").events[0].case == "15.2"


@pytest.mark.case("leningrad41", "8.11", "15.5")
def test_a_second_try_names_the_case_of_the_special_move(place):
    metro = {"x1": soviet("0303", type="komsomol"), "x2": german("1111")}
    pos = place(metro, "soviet-movement", hexes={"0303": "objective", "0909": "objective"}).play("metro x1 0909")
    assert refused(pos.play("die 4"), "metro x1 0909") == "15.5"  # no more than one attempt a phase
    assert refused(pos.play("die 4"), "move x1 0304") == "8.1"
    lost = pos.play("die 6").why_not("move x1 0304")
    assert lost is not None
    assert lost.message == "x1 is not on the map"
    marine = {"x1": soviet("0504", type="marine", command="LFR"), "x2": german("1111")}
    sides = {"0504/0503": ["major-river"], "0504/0403": ["major-river"]}
    sailed = place(marine, "soviet-movement", sides=sides).play("sail x1 0503")
    assert refused(sailed, "sail x1 0504") == "8.11"


@pytest.mark.case("leningrad41", "6.6", "8.8")
def test_a_hidden_unit_is_told_to_flip_before_it_motors(place):
    pos = place({"back-1": {"hex": "0504"}, "x1": german("1111")}, "soviet-movement")
    refusal = pos.why_not("move back-1 0505 motorized")
    assert refusal == ("6.6", "back-1 must be flipped before it uses motorized movement")
