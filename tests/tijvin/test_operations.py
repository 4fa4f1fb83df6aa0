"""Initiative, activation, command, headquarters and movement (sections 6, 11 and 12)."""

import pytest

HQS = {"I-AK": {"hex": "0205"}, "39-AK": {"hex": "0207"}, "4-Army": {"hex": "1105"}, "52-Army": {"hex": "1107"}}


@pytest.mark.case("tijvin-1941", "11.I", "6.2.1")
@pytest.mark.parametrize(
    ("turn", "first"), [(1, "german"), (2, "german"), (6, "german"), (7, "soviet"), (15, "soviet")]
)
def test_initiative_by_turn(situation, play, turn, first):
    second = {"german": "soviet", "soviet": "german"}[first]
    units = {"227-ID": {"hex": "0205"}, "292-DF": {"hex": "1105"}}
    position = situation(turn=turn, scenario="what-if", phase=f"{second}-assignment", units=units, hqs=HQS)
    assert play(position, "end").to_move == first


@pytest.mark.case("tijvin-1941", "6.2.1", "6.2.2", "6.2.3", "11.A")
def test_activations_alternate_until_nothing_is_left(situation, play, finish):
    units = {"227-ID": {"hex": "0205"}, "21-ID": {"hex": "0207"}, "292-DF": {"hex": "1105"}}
    hqs = {"I-AK": {"hex": "0205"}, "39-AK": {"hex": "0207"}, "4-Army": {"hex": "1105"}}
    position = situation(phase="german-activation", units=units, hqs=hqs)
    position = finish(play(position, "activate I-AK"))
    assert position.phase.id == "soviet-activation"
    position = finish(play(position, "activate 4-Army"))
    assert position.phase.id == "german-activation"
    position = finish(play(position, "activate 39-AK"))
    assert (position.turn, position.phase.id) == (4, "weather")


@pytest.mark.case("tijvin-1941", "6.2.3", "11.A")
def test_a_side_with_nothing_left_is_skipped(situation, play, finish):
    units = {"227-ID": {"hex": "0205"}, "21-ID": {"hex": "0207"}, "r": {"side": "soviet", "type": "infantry", "cf": 1,
             "hex": "1105", "activated": True}}  # fmt: skip
    position = situation(
        phase="german-activation", units=units, hqs={"I-AK": {"hex": "0205"}, "39-AK": {"hex": "0207"}}
    )
    assert finish(play(position, "activate I-AK")).phase.id == "german-activation"


@pytest.mark.case("tijvin-1941", "11.A")
def test_two_passes_in_a_row_end_the_turn(situation, play):
    units = {"227-ID": {"hex": "0205"}, "292-DF": {"hex": "1105"}}
    position = situation(phase="german-activation", units=units, hqs=HQS)
    position = play(position, "pass")
    assert (position.to_move, position.turn) == ("soviet", 3)
    assert play(position, "pass").turn == 4
    position = play(position, "activate 4-Army", "end", "end")
    assert (position.to_move, position.turn) == ("german", 3), "a pass uses nothing up"
    assert "activate I-AK" in position.legal
    position = play(position, "pass")
    assert position.turn == 3


@pytest.mark.case("tijvin-1941", "11.A", "9")
def test_a_headquarters_activates_its_own_units_in_range_once(situation, play, refused, finish):
    units = {"227-ID": {"hex": "0205"}, "21-ID": {"hex": "0206"}, "254-ID": {"hex": "0305", "commanded": False}}
    position = play(situation(phase="german-activation", units=units, hqs=HQS), "activate I-AK")
    assert "move 227-ID 0204" in position.legal
    assert refused(position, "move 21-ID 0306") == "11.A"
    assert refused(position, "move 254-ID 0204") == "11.A"
    position = play(finish(play(position, "move 227-ID 0204")), "pass")
    assert refused(position, "activate I-AK") == "11.A"
    assert refused(position, "activate 227-ID") == "11.A"


@pytest.mark.case("tijvin-1941", "11.A")
@pytest.mark.parametrize(("side", "inside", "outside"), [("german", "0601", "0701"), ("soviet", "0501", "0601")])
def test_command_range_ignores_enemies(situation, g, s, play, side, inside, outside):
    make = g if side == "german" else s
    foe = s if side == "german" else g
    hq = "I-AK" if side == "german" else "4-Army"
    units = {"in": make(inside, 2, hq=hq), "out": make(outside, 2, hq=hq), "foe": foe("0401", 12)}
    last = "soviet-assignment"
    position = play(situation(phase=last, units=units, hqs={hq: {"hex": "0201"}}), "end")
    index, out = position.roster.index, position.uncommanded
    assert not out >> index["in"] & 1
    assert out >> index["out"] & 1


@pytest.mark.case("tijvin-1941", "11.A")
def test_command_is_settled_for_the_turn(situation, g, s, play, finish):
    """A unit that has moved out of range rolls no command die; one left behind does not act alone."""
    units = {"a": g("1205", 6, hq="I-AK"), "b": g("0205", 2, hq="I-AK"), "r": s("1105", 9, hq="4-Army")}
    position = situation(
        phase="soviet-activation", units=units, hqs={"I-AK": {"hex": "0205"}, "4-Army": {"hex": "1105"}}
    )
    position = play(position, "activate 4-Army", "end", "attack r 1205")
    assert position.to_move == "german", "no command die: the Germans decide on air support"
    position = situation(
        phase="german-activation", units=units, hqs={"I-AK": {"hex": "0205"}, "4-Army": {"hex": "1105"}}
    )
    position = play(finish(play(position, "activate I-AK")), "pass")
    assert not any("activate a" in str(o) for o in position.legal)


@pytest.mark.case("tijvin-1941", "11.A")
def test_a_unit_left_behind_by_its_headquarters_is_spent(situation, play, refused):
    units = {"227-ID": {"hex": "0605"}, "292-DF": {"hex": "1105"}, "21-ID": {"hex": "0207"}}
    position = situation(phase="german-activation", units=units, hqs=HQS, control="all")
    position = play(position, "activate I-AK", "end", "move I-AK 0202", "end", "pass")
    assert refused(position, "activate 227-ID") == "11.A"


# Out of command -------------------------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "11.O", "6.2.3")
def test_units_out_of_command_act_one_at_a_time(situation, g, s, play, refused):
    units = {name: g("0504", 3, commanded=False) for name in "abc"} | {"r": s("0505", 1)}
    position = situation(phase="german-activation", units=units)
    assert {str(o) for o in position.legal} == {"activate a", "activate b", "activate c", "pass"}
    assert refused(position, "activate a+b") == "11.O"
    position = play(position, "activate a", "end")
    assert refused(position, "attack a+b 0505") == "13.I"
    assert "attack a 0505" in position.legal


@pytest.mark.case("tijvin-1941", "11.O")
@pytest.mark.parametrize(
    ("regiments", "hexes", "together"),
    [
        (("10-Pz", "8-Mot", "28-Mot"), ("0504", "0504", "0503"), True),
        (("76-Mot", "90-Mot"), ("0504", "0605"), True),
        (("76-Mot", "90-Mot"), ("0504", "0606"), False),
        (("10-Pz", "76-Mot"), ("0504", "0504"), False),
    ],
)
def test_regiments_of_one_division_act_together_if_they_touch(situation, s, regiments, hexes, together):
    units = {name: {"hex": h, "commanded": False} for name, h in zip(regiments, hexes, strict=True)}
    position = situation(phase="german-activation", units={**units, "r": s("1212")})
    assert (f"activate {'+'.join(regiments)}" in position.legal) is together


@pytest.mark.case("tijvin-1941", "11.O")
def test_the_60_tank_division_acts_together(situation, g, play):
    units = {name: {"hex": "0504", "commanded": False} for name in ("120-T", "121-T", "60-Mot")}
    position = situation(turn=5, phase="soviet-activation", units={**units, "a": g("0505", 6)})
    position = play(position, "activate 120-T+121-T+60-Mot", "end")
    assert "attack 120-T+121-T+60-Mot 0505" in position.legal


@pytest.mark.case("tijvin-1941", "11.O")
def test_no_artillery_and_no_air_out_of_command(situation, g, s, play, refused):
    units = {"a": g("0504", 6, commanded=False), "gun": g("0504", 1, "artillery", commanded=False), "r": s("0505", 2)}
    position = play(situation(phase="german-combat", units=units, active=["a", "gun"]), "target 0505", "add a")
    assert refused(position, "add gun") == "11.O"
    assert refused(position, "add Luft-1") == "11.O"
    units = {"a": g("0504", 6), "r": s("0505", 2, commanded=False), "gun": s("0505", 1, "artillery", commanded=False)}
    position = play(situation(phase="german-combat", units=units), "attack a 0505", 6)
    assert position.to_move == "chance", "the defender has nothing to support with"


def defend_out_of_command(situation, g, s, play, side, face, factors=4):
    attacker, defender = (g, s) if side == "soviet" else (s, g)
    units = {"a": attacker("0504", 12), "d": defender("0505", factors, commanded=False)}
    foe = {"german": "soviet", "soviet": "german"}[side]
    position = situation(phase=f"{foe}-combat", units=units)
    position = play(position, "attack a 0505")
    assert position.chance.case == "11.O"
    return play(position, face)


@pytest.mark.case("tijvin-1941", "11.O")
@pytest.mark.parametrize(("side", "faces"), [("soviet", {2: 3, 3: 3, 4: 4, 5: 4, 6: 4}),
                                             ("german", {1: 3, 2: 3, 3: 4, 6: 4})])  # fmt: skip
def test_the_command_roll_of_an_attacked_stack(situation, g, s, play, cf, side, faces):
    for face, strength in faces.items():
        position = defend_out_of_command(situation, g, s, play, side, face)
        announced = next(e for e in position.events if e.kind == "odds")
        assert announced.facts[1] == strength
        assert cf(position, "d") == 4, "only for this combat"


@pytest.mark.case("tijvin-1941", "11.O", "2")
def test_a_single_factor_is_not_reduced(situation, g, s, play):
    position = defend_out_of_command(situation, g, s, play, "soviet", 2, factors=1)
    assert next(e for e in position.events if e.kind == "odds").facts[1] == 1


@pytest.mark.case("tijvin-1941", "11.O", "13.V", "13.VI")
def test_a_soviet_stack_may_run_and_be_chased_without_a_fight(situation, g, s, play, at, cf):
    units = {"m": g("0504", 6, "motorized"), "d": s("0505", 4, commanded=False)}
    position = situation(phase="german-combat", units=units)
    position = play(position, "attack m 0505", 1)
    assert position.to_move == "soviet", "it chooses its way"
    position = play(position, "retreat d 0606")
    position = play(position, "advance m 0505")
    assert position.prompt.startswith("Exploit")
    position = play(position, "attack m 0606")
    while position.to_move == "soviet":
        position = play(position, next(iter(position.legal)))
    assert cf(position, "d") == 4
    assert at(position, "d") not in ("0505", "0606")
    position = play(position, "advance m 0606")
    assert [str(order) for order in position.legal] == ["end"], "no third chase"


@pytest.mark.case("tijvin-1941", "11.O")
def test_in_a_mixed_stack_only_units_out_of_command_run(situation, g, s, play, at):
    units = {"a": g("0504", 12), "runs": s("0505", 2, commanded=False), "stays": s("0505", 3)}
    hqs = {"4-Army": {"hex": "0505"}}
    position = play(situation(phase="german-combat", units=units, hqs=hqs), "attack a 0505", 1)
    position = play(position, next(o for o in position.legal if o.verb == "retreat"))
    assert at(position, "stays") == at(position, "4-Army") == "0505"
    position = play(position, "commit") if position.to_move == "soviet" else position
    assert position.chance.title == "the attacker's combat roll"
    units["runs"] = s("0505", 2, commanded=False)
    reduced = play(situation(phase="german-combat", units=units), "attack a 0505", 2)
    reduced = play(reduced, "commit") if reduced.to_move == "soviet" else reduced
    assert next(e for e in reduced.events if e.kind == "odds").facts[1] == 1 + 3


# Headquarters ---------------------------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "11.H", "6.2.1")
def test_a_headquarters_moves_last_and_three_hexes(situation, g, s, play, refused):
    units = {"227-ID": {"hex": "0205"}, "r": s("0212", 6)}
    field = {"hexes": {"0204": "swamp", "0203": "swamp", "0202": "swamp", "0305": "lake"}}
    position = situation(phase="german-activation", units=units, hqs=HQS, control="all", map=field)
    position = play(position, "activate I-AK")
    assert refused(position, "move I-AK 0204") == "11.H"
    position = play(position, "end")
    assert position.phase.id == "german-hq-movement"
    assert position.reach("I-AK")["0202"].cost == 3
    assert refused(position, "move I-AK 0201") == "11.H"
    assert refused(position, "move I-AK 0305") == "11.H"


@pytest.mark.case("tijvin-1941", "11.H")
def test_where_a_headquarters_may_not_go(situation, g, s, play, refused):
    units = {"227-ID": {"hex": "0205"}, "weak": s("0204", 1), "strong": s("0208", 6)}
    position = situation(
        phase="german-hq-movement", active="I-AK", units=units, hqs=HQS, control=["0205", "0206", "0207"]
    )
    assert refused(position, "move I-AK 0204") == "11.H"
    assert refused(position, "move I-AK 0207") == "11.H", "enemy zone"
    assert refused(position, "move I-AK 0105") == "11.H", "enemy ground"
    assert "move I-AK 0206" in position.legal


@pytest.mark.case("tijvin-1941", "10", "11.H")
def test_a_headquarters_out_of_supply_moves_one_hex(situation, g, s, play, refused):
    hqs = {"I-AK": {"hex": "0205", "supplied": False}}
    position = situation(
        phase="german-activation", units={"227-ID": {"hex": "0205"}, "r": s("1212")}, hqs=hqs, control="all"
    )
    position = play(position, "activate I-AK")
    assert "move 227-ID 0204" in position.legal, "it still activates its units"
    position = play(position, "end")
    assert "move I-AK 0204" in position.legal
    assert refused(position, "move I-AK 0203") == "10"


@pytest.mark.case("tijvin-1941", "11.H", "13")
def test_a_lone_headquarters_is_no_target_but_is_driven_off(situation, g, s, play, refused, at):
    units = {"a": g("0504", 6, "motorized"), "r": s("1111", 6, hq="4-Army"), "q": s("1105", 2, hq="4-Army")}
    hqs = {"4-Army": {"hex": "0505"}}
    position = situation(phase="german-combat", units={**units, "e": s("0604", 1)}, hqs=hqs)
    assert refused(position, "target 0505") == "11.H"
    position = play(situation(units=units, hqs=hqs), "move a 0505-0506")
    assert (at(position, "a"), at(position, "4-Army")) == ("0506", "")
    out = position.uncommanded
    assert all(out >> position.roster.index[u] & 1 for u in ("r", "q")), "its units act alone"


@pytest.mark.case("tijvin-1941", "11.H")
def test_units_of_a_headquarters_lost_after_acting_have_acted(situation, g, s, play):
    units = {"a": g("0504", 6, "motorized"), "b": g("0101", 2), "r": s("1111", 6, hq="4-Army", activated=True)}
    position = situation(units=units, hqs={"4-Army": {"hex": "0505", "activated": True}})
    position = play(position, "move a 0505")
    assert position.phase.id == "german-movement"
    assert not position.uncommanded


@pytest.mark.case("tijvin-1941", "11.H")
def test_a_lost_headquarters_returns_with_the_nearest_friend(situation, g, s, play, at, refused):
    units = {"a": g("0101", 6), "far": s("1211", 6), "near": s("0908", 6)}
    hqs = {"4-Army": {"lost": "0707"}}
    position = situation(turn=3, phase="german-activation", units=units, hqs=hqs, passed=True)
    position = play(position, "pass")
    assert at(position, "4-Army") == "0908"
    units["also"] = s("0508", 1)
    position = situation(turn=3, phase="german-activation", units=units, hqs=hqs, passed=True)
    position = play(position, "pass")
    assert (position.to_move, position.phase.id) == ("soviet", "soviet-hq-return")
    assert refused(position, "place 4-Army 1211") == "11.H"
    position = play(position, "place 4-Army 0508")
    assert at(position, "4-Army") == "0508"
    assert [str(order) for order in position.legal] == ["end"]
    assert play(position, "end").phase.id == "weather"


@pytest.mark.case("tijvin-1941", "11.H", "13.V")
def test_a_headquarters_retreats_with_its_stack(situation, g, s, play, at):
    units = {"a": g("0504", 18), "r": s("0505", 6)}
    position = situation(phase="german-combat", units=units, hqs={"4-Army": {"hex": "0505"}})
    position = play(position, "attack a 0505", "commit", 6, 1, 1)
    position = play(position, next(o for o in position.legal if o.verb == "retreat"))
    assert at(position, "4-Army") == at(position, "r") != "0505"


@pytest.mark.case("tijvin-1941", "11.H")
def test_a_headquarters_whose_stack_dies_is_removed(situation, g, s, play, at):
    position = situation(
        phase="german-combat", units={"a": g("0504", 18), "r": s("0505", 1)}, hqs={"4-Army": {"hex": "0505"}}
    )
    position = play(position, "attack a 0505", "commit", 6, 1, 6)
    assert at(position, "4-Army") == ""
    assert position.hq_lost[position.roster.hq_index["4-Army"]] == position.ground.grid.hex("0505")


# Movement -------------------------------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "12")
def test_points_by_type(game):
    points = {(u.side, u.type): u.movement for u in game.book.roster.units}
    assert points == {
        ("german", "infantry"): 4, ("german", "artillery"): 4, ("german", "motorized"): 8, ("german", "tank"): 8,
        ("soviet", "infantry"): 4, ("soviet", "artillery"): 4, ("soviet", "antitank"): 4, ("soviet", "cavalry"): 7,
        ("soviet", "motorized"): 7, ("soviet", "tank"): 7,
    }  # fmt: skip


@pytest.mark.case("tijvin-1941", "12")
def test_each_unit_moves_once_and_together_only_from_one_hex(situation, g, play, refused):
    position = situation(units={"a": g("0505"), "b": g("0505", 2), "c": g("0506", 2)})
    assert "move a+b 0504" in position.legal
    assert refused(position, "move a+c 0504") == "12"
    position = play(position, "move a+b 0504")
    assert refused(position, "move a 0503") == "12"
    assert "move c 0505" in position.legal


@pytest.mark.case("tijvin-1941", "12")
def test_there_is_no_free_hex(situation, g, refused):
    """Four points, three spent: a swamp of two stays closed."""
    position = situation(units={"a": g("0501")}, map={"hexes": {f"{c:02}05": "swamp" for c in range(1, 13)}})
    assert refused(position, "move a 0502-0503-0504-0505") == "12"
    assert position.reach("a")["0504"].left == 1


@pytest.mark.case("tijvin-1941", "12")
def test_terrain_costs_by_type(situation, g):
    units = {"i": g("0504"), "m": g("0504", 4, "motorized"), "pz": g("0504", 4, "tank")}
    costs = {}
    for terrain in ("clear", "forest"):
        position = situation(units=units, map={"hexes": {"0505": terrain}})
        costs[terrain] = [int(position.reach(u)["0505"].cost) for u in units]
    assert costs == {"clear": [1, 1, 1], "forest": [1, 2, 2]}
    road = {"hexes": {"0505": "swamp"}, "hexsides": {"0504/0505": ["road"]}}
    position = situation(units=units, map=road)
    assert [int(position.reach(u)["0505"].cost) for u in units] == [1, 1, 1]


@pytest.mark.case("tijvin-1941", "12")
def test_enemy_units_and_water_bar_the_way(situation, g, s, refused):
    position = situation(units={"a": g("0504"), "r": s("0505", 1)}, map={"hexes": {"0503": "lake"}})
    assert refused(position, "move a 0505") == "12"
    assert refused(position, "move a 0503") == "5"


@pytest.mark.case("tijvin-1941", "12")
def test_extended_movement_away_from_the_enemy(situation, g, s, refused):
    units = {"a": g("0501", 4)}
    position = situation(units=units, control="all")
    assert position.reach("a")["0509"].cost == 8
    assert "0510" not in position.reach("a")
    assert "0506" not in situation(units=units).reach("a"), "Soviet ground"
    position = situation(units={**units, "r": s("0507", 6)}, control="all")
    assert refused(position, "move a 0506") == "12", "a zone may not be entered at double pace"


@pytest.mark.case("tijvin-1941", "12")
def test_extended_movement_may_start_in_a_zone(situation, g, s):
    position = situation(units={"a": g("0503", 4), "r": s("0603", 6)}, control="all")
    assert "0503" in position.zoc("soviet")
    assert position.reach("a")["0103"].cost == 4
    assert position.reach("a")["0108"].cost > 4


@pytest.mark.case("tijvin-1941", "12")
def test_one_hex_of_enemy_ground_forbids_doubling(situation, g, refused):
    ground = [f"05{n:02}" for n in range(1, 8)]
    position = situation(units={"a": g("0501", 4)}, control=[n for n in ground if n != "0507"])
    assert "0506" in position.reach("a")
    assert refused(position, "move a 0502-0503-0504-0505-0506-0507") == "12"


@pytest.mark.case("tijvin-1941", "12", "11.H")
def test_ground_belongs_to_the_last_to_pass(situation, g, s, play):
    position = situation(units={"a": g("0501", 4), "r": s("1212", 4)})
    grid = position.ground.grid
    position = play(position, "move a 0502-0503-0504")
    assert all(position.control >> grid.hex(n) & 1 for n in ("0501", "0502", "0503", "0504"))
    assert not position.control >> grid.hex("0505") & 1
    hq = situation(phase="german-hq-movement", active="I-AK", units={"a": g("0501", 4)}, hqs={"I-AK": {"hex": "0501"}},
                   control=["0501", "0502"])  # fmt: skip
    assert play(hq, "move I-AK 0502").control == hq.control


@pytest.mark.case("tijvin-1941", "6.2.1", "12", "13")
def test_movement_comes_before_combat(situation, g, s, play, refused):
    position = situation(units={"a": g("0504"), "b": g("0502"), "r": s("0505", 1)})
    assert refused(position, "attack a 0505") == "6.2.1"
    position = play(position, "end")
    assert refused(position, "move b 0503") == "6.2.1"


@pytest.mark.case("tijvin-1941", "12")
def test_reach_is_of_units_that_may_move_now(situation, g, s):
    """Not of enemies, of units that have moved, or after movement; a full hex is no way to end a move."""
    units = {"a": g("0404", cf=5), "b": g("0404", cf=5, moved=True), "y": s("0909")}
    units["full"] = g("0405", cf=20, moved=True)
    position = situation(units=units)
    assert "0405" not in position.reach("a")
    assert "0406" in position.reach("a")
    assert not position.reach("b")
    assert not position.reach("y")
    assert not position.reach([])
    assert not situation(units=units, phase="german-combat").reach("a")
    assert not situation(units=units).reach(["a", "I-AK"])


@pytest.mark.case("tijvin-1941", "5", "10")
def test_a_pocket_has_no_zone_to_cut_others_off_with(situation, g, s, play):
    """Twelve factors in a bag, and the only way out of four Soviet ones leads past them."""
    water = dict.fromkeys(["0603", "0703", "0704", "0504", "0503", "0606", "0506", "0406", "0405"], "lake")
    units = {"x": g("0604", 12), "s1": s("0505", 4), "s2": s("0705", 4)}
    position = situation(turn=4, phase="weather", map={"hexes": water}, units=units)
    foreseen = {name: bool(position.supply(name)) for name in units}
    position = play(position, 1)
    assert {name: bool(position.supply(name)) for name in units} == foreseen == {"x": False, "s1": True, "s2": True}
    units = {"x": g("0604", 12), "s1": s("0505", 6)}
    position = play(situation(turn=4, phase="weather", map={"hexes": water}, units=units), 1)
    out = {name for name in units if not position.supply(name)}
    assert out == {"x", "s1"}, "each bars the other's only way"


@pytest.mark.case("tijvin-1941", "11.H")
@pytest.mark.parametrize(("number", "words"), [("0403", "water"), ("0404", "already"), ("0401", "enemy ground")])
def test_why_a_headquarters_does_not_go_there(situation, s, number, words):
    hqs = {"I-AK": {"hex": "0404", "supplied": False}}
    field = {"map": {"hexes": {"0403": "lake"}}, "units": {"y": s("0909")}, "control": ["0404", "0405"]}
    position = situation(phase="german-hq-movement", hqs=hqs, active="I-AK", **field)
    refusal = position.why_not(f"move I-AK {number}")
    assert refusal.case == "11.H"
    assert words in refusal.message


@pytest.mark.case("tijvin-1941", "10")
def test_a_line_of_supply_says_where_it_is_cut(situation, g, s):
    """The enemy next to the unit in the west, by a unit or by its zone."""
    ring = ["0303", "0304", "0403", "0405", "0503", "0504"]
    units = {"a": g("0404"), **{f"y{n}": s(h) for n, h in enumerate(ring)}}
    trace = situation(phase="weather", units=units).supply("a")
    assert not trace
    assert trace.cut in ("0303", "0304")
    assert trace.case == "10"
    frozen = situation(units={**units, "a": g("0404", supplied=False)}).supply("a")
    assert (bool(frozen), frozen.cut) == (False, trace.cut)
    open_again = situation(units={"a": g("0404", supplied=False)}).supply("a")
    assert (bool(open_again), open_again.cut) == (False, "")


@pytest.mark.case("tijvin-1941", "12")
def test_tanks_are_told_of_trackless_swamp(situation, g, s):
    swamp = {"hexes": {"0505": "swamp"}}
    units = {"t": g("0504", 6, "tank"), "r": s("0909")}
    assert "swamp" in situation(units=units, map=swamp).why_not("move t 0505").message
    assert situation(units=units, map=swamp, turn=7).why_not("move t 0505") is None


@pytest.mark.case("tijvin-1941", "5", "12")
def test_a_zone_takes_the_points_that_are_left(situation, g, s):
    position = situation(units={"m": g("0503", 6, "motorized"), "r": s("0506", 6)})
    reach = position.reach("m")
    assert (reach["0505"].cost, reach["0505"].left) == (2, 0)
    assert (reach["0404"].cost, reach["0404"].left) == (1, 7)


# Phases and the word that ends them ------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "6", "6.2.1")
def test_no_phase_ends_without_a_word(situation, g, s, play, refused):
    """The last thing done leaves the phase open, with its end as the only order."""
    units = {"227-ID": {"hex": "0205"}, "292-DF": {"hex": "1105"}, "311-DF": {"hex": "0405", "cf": 2}}
    hqs = {"I-AK": {"hex": "0205"}, "4-Army": {"hex": "1105"}}
    position = situation(phase="german-activation", units=units, hqs=hqs, control="all")
    position = play(position, "activate I-AK", "move 227-ID 0404")
    assert [str(order) for order in position.legal] == ["end"]
    assert refused(position, "end german-combat") == "12"
    position = play(position, "end german-movement")
    assert position.phase.id == "german-combat"
    position = play(position, "end german-combat", "move I-AK 0206")
    assert (position.to_move, [str(order) for order in position.legal]) == ("german", ["end"])
    assert refused(position, "move I-AK 0207") == "11.H"
    position = play(position, "end german-hq-movement")
    assert position.to_move == "soviet"


@pytest.mark.case("tijvin-1941", "6", "6.2.3")
def test_a_phase_in_which_nothing_can_be_done_passes_and_says_so(situation, g, s, play):
    units = {"227-ID": {"hex": "0205"}, "292-DF": {"hex": "1105"}}
    hqs = {"I-AK": {"hex": "0205"}, "4-Army": {"hex": "1105", "activated": True}}
    position = play(situation(phase="german-activation", units=units, hqs=hqs), "activate I-AK", "end")
    assert "German combat: nothing to do" in [event.text for event in position.events]
    more = {**units, "250-ID": {"hex": "0210"}}
    position = situation(phase="german-activation", units=more, hqs={**hqs, "38-AK": {"hex": "0210"}}, control="all")
    position = play(position, "activate I-AK", "end", "end")
    assert "Soviet activation: nothing to do" in [event.text for event in position.events]
    assert (position.to_move, position.phase.id) == ("german", "german-activation")


@pytest.mark.case("tijvin-1941", "6", "13.VI")
def test_a_phase_is_not_ended_by_name_inside_a_choice(situation, g, s, play):
    units = {"m": g("0506", 18, "motorized"), "r": s("0505", 1)}
    position = play(situation(phase="german-combat", units=units), "attack m 0505", "commit", 6, 1, 1)
    assert position.choice == "the advance after combat"
    refusal = position.why_not("end german-combat")
    assert "the advance after combat comes first; plain 'end' declines it" in refusal.message
    position = play(position, "end")
    assert (position.phase.id, position.choice, [str(o) for o in position.legal]) == ("german-combat", None, ["end"])
