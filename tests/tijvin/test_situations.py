"""Situations set from the text of the sheet alone, each played to what the text says comes of it."""

import pytest

FOG = {"options": {"fog-of-war": True}}
ROAD_NORTH = {"hexsides": {"0504/0505": ["road"], "0503/0504": ["road"]}}


@pytest.fixture
def fought(situation, play):
    """A combat fought with the dice given, up to the first decision after its losses; no support, first choices."""

    def run(order, dice, **keys):
        keys.setdefault("phase", "german-combat")
        position, left = play(situation(**keys), order), list(dice)
        while left or position.phase.case in ("13.IIe", "13.IId", "13.IV"):
            if position.to_move == "chance":
                position = play(position, left.pop(0))
            else:
                position = play(position, "commit" if "commit" in position.legal else next(iter(position.legal)))
        return position

    return run


def ways(position):
    return {"-".join(o.hexes) for o in position.legal if o.verb == "retreat"}


# Retreats -------------------------------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "13.V")
def test_from_the_north_edge_one_goes_east(fought, g, s, at):
    """The north edge is no farther than the unit stands; a hex to the east is nearer to the east edge."""
    position = fought("attack a 0501", (6, 4, 1), units={"a": g("0502", 18), "r": s("0501", 6)})
    assert at(position, "r") == "0601"


@pytest.mark.case("tijvin-1941", "13.V", "5")
def test_a_hex_out_of_zones_is_taken_though_it_leads_away_from_supply(fought, g, s, at):
    units = {"a": g("0506", 18), "r": s("0505", 6), "x": g("0503", 6), "y": g("0704", 6), "z": g("0706", 6)}
    position = fought("attack a 0505", (6, 4, 1), units=units, active=["a"])
    assert at(position, "r") == "0405"


@pytest.mark.case("tijvin-1941", "13.V", "5")
def test_zones_everywhere_cost_a_factor_and_still_lead_to_supply(fought, g, s, cf, at):
    units = {
        "a": g("0506", 18),
        "r": s("0505", 9),
        **{n: g(h, 6) for n, h in zip("xyz", ("0503", "0304", "0704"), strict=True)},
    }
    before = fought("attack a 0505", (6, 4, 1), units=units, active=["a"])
    assert ways(before) == {"0504", "0605", "0606", "0406"}
    after = before.play("retreat r 0504")
    assert cf(after, "r") == cf(before, "r") - 1


@pytest.mark.case("tijvin-1941", "13.V")
def test_mobile_units_pass_through_friends_on_their_way(fought, g, s):
    units = {"a": g("0506", 18), "r": s("0505", 7, "motorized"), "f": s("0504", 2)}
    position = fought("attack a 0505", (6, 4, 1), units=units, map=ROAD_NORTH)
    assert {"0504", "0504-0503"} <= ways(position)


@pytest.mark.case("tijvin-1941", "13.V", "5")
def test_the_second_hex_is_in_no_zone(fought, g, s):
    units = {"a": g("0506", 18), "r": s("0505", 7, "motorized"), "z": g("0403", 6)}
    position = fought("attack a 0505", (6, 4, 1), units=units, active=["a"], map=ROAD_NORTH)
    assert "0503" in position.zoc("german")
    assert "0504-0503" not in ways(position)


@pytest.mark.case("tijvin-1941", "13.V")
def test_one_hex_of_road_is_no_way_of_two_hexes(fought, g, s):
    units = {"a": g("0506", 18), "r": s("0505", 7, "cavalry")}
    position = fought("attack a 0505", (6, 4, 1), units=units, map={"hexsides": {"0503/0504": ["road"]}})
    assert all("-" not in way for way in ways(position)), "both hexes are entered by road or rail"


@pytest.mark.case("tijvin-1941", "13.V", "11.H")
def test_a_headquarters_goes_with_the_last_of_its_stack(fought, g, s, at):
    units = {"a": g("0506", 18), "r": s("0505", 7), "c": s("0505", 5, "cavalry")}
    position = fought("attack a 0505", (6, 4, 1), units=units, map=ROAD_NORTH, hqs={"4-Army": {"hex": "0505"}})
    position = position.play("retreat c 0504-0503")
    assert at(position, "4-Army") == "0505"
    assert at(position.play("retreat r 0605"), "4-Army") == "0605"


@pytest.mark.case("tijvin-1941", "13.V")
def test_water_and_enemies_around_are_the_end(fought, g, s, at):
    units = {"a": g("0506", 9), "b": g("0605", 9), "c": g("0405", 9), "r": s("0505", 12)}
    lakes = {"hexes": {"0504": "lake", "0606": "lake", "0406": "lake"}}
    position = fought("attack a+b 0505", (6, 1, 1), units=units, active=["a", "b"], map=lakes)
    assert at(position, "r") == ""


@pytest.mark.case("tijvin-1941", "13.V")
def test_a_city_the_enemy_holds_without_a_unit_bars_the_way(fought, g, s, at):
    for control, open_ in ((["0504"], False), ([], True)):
        position = fought(
            "attack a 0505", (6, 4, 1), units={"a": g("0506", 18), "r": s("0505", 6)}, control=control,
            map={"places": {"0504": ["minor-city"]}},
        )  # fmt: skip
        assert ("0504" in ways(position)) is open_


@pytest.mark.case("tijvin-1941", "13.V", "11.H")
def test_who_retreats_through_a_lone_enemy_headquarters_drives_it_off(fought, g, s, at):
    units = {f"a{h}": g(h, 4) for h in ("0504", "0506", "0606", "0406", "0405")} | {"r": s("0505", 9)}
    order = "attack " + "+".join(n for n in units if n != "r") + " 0505"
    position = fought(order, (6, 1, 1), units=units, hqs={"39-AK": {"hex": "0605"}})
    assert (at(position, "r"), at(position, "39-AK")) == ("0605", "")


# Refugees and units out of command ------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "11.O", "13.V")
def test_refugees_out_of_command_call_for_no_roll_while_others_hold(situation, g, s, play):
    units = {"a": g("0506", 18), "f": s("0505", 6), "x": s("0505", 5, shaken=True, retreated=True, commanded=False)}
    position = play(situation(phase="german-combat", units=units), "attack a 0505")
    assert position.phase.case != "11.O"


@pytest.mark.case("tijvin-1941", "11.O", "13.V")
def test_refugees_alone_and_out_of_command_roll_and_run_without_a_loss(situation, g, s, play, cf):
    units = {"a": g("0506", 18), "x": s("0505", 5, shaken=True, retreated=True, commanded=False)}
    position = play(situation(phase="german-combat", units=units), "attack a 0505")
    assert position.phase.case == "11.O"
    position = play(position, 1)
    assert ways(position)
    assert cf(position, "x") == 5


@pytest.mark.case("tijvin-1941", "13.V", "13.IV")
def test_refugees_pay_nothing_of_the_battle_itself(fought, g, s, cf):
    units = {"a": g("0506", 18), "f": s("0505", 2), "x": s("0505", 5, shaken=True, retreated=True)}
    position = fought("attack a 0505", (6, 1, 6), units=units)
    assert cf(position, "f") == 0
    assert cf(position, "x") == 4, "one for the retreat"


@pytest.mark.case("tijvin-1941", "13.V", "13.IIe", "13.IIf")
def test_refugees_neither_fire_nor_stop_tanks(situation, g, s, play, refused):
    fled = {"shaken": True, "retreated": True}
    units = {
        "pz": g("0506", 7, "tank"), "f": s("0505", 4), "gun": s("0505", 1, "artillery", **fled),
        "at": s("0505", 2, "antitank", **fled),
    }  # fmt: skip
    position = situation(phase="german-combat", turn=3, units=units)
    assert "shock of tanks" in {m.label for m in position.explain("attack pz 0505").modifiers}
    assert refused(play(position, "attack pz 0505"), "add gun") == "13.IIe"


# Supply ---------------------------------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "10", "11.O", "2")
def test_two_factors_weakened_and_halved_are_one_at_minus_one(situation, g, s, play):
    units = {"a": g("0506", 12), "r": s("0505", 2, supplied=False, commanded=False)}
    position = play(situation(phase="german-combat", units=units), "attack a 0505", 3)
    assert next(e for e in position.events if e.kind == "odds").facts == (12, 1, "6 to 1", 7, -1)


@pytest.mark.case("tijvin-1941", "10", "13.IIa", "2")
def test_two_factors_over_a_river_and_halved_are_one_at_minus_one(situation, g, s):
    units = {"a": g("0506", 2, supplied=False), "r": s("0505", 2)}
    position = situation(phase="german-combat", units=units, map={"hexsides": {"0505/0506": ["minor-river"]}})
    explained = position.explain("attack a 0505")
    assert explained.attack[0][0] == 1
    assert ("a single factor out of supply", -1) in {(m.label, m.amount) for m in explained.modifiers}


@pytest.mark.case("tijvin-1941", "10", "13.A")
def test_a_lone_gun_out_of_supply_defends_with_one_at_minus_one(situation, g, s):
    units = {"a": g("0506", 4), "gun": s("0505", 1, "artillery", supplied=False)}
    explained = situation(phase="german-combat", units=units).explain("attack a 0505")
    assert explained.defence[0][0] == 1
    assert "defender: a single factor out of supply" in {m.label for m in explained.modifiers}


# Advance and exploitation ---------------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "13.VI")
def test_zones_of_who_retreated_this_turn_do_not_stop_an_advance(fought, g, s):
    units = {"a": g("0506", 12, "tank"), "r": s("0505", 1), "f": s("0504", 6, retreated=True), "k": s("0703", 6)}
    position = fought("attack a 0505", (6, 1, 1), units=units)
    listed = {str(o) for o in position.legal}
    assert {"advance a 0505", "advance a 0505-0605", "advance a 0505-0405"} <= listed
    assert "advance a 0505-0604" not in listed


@pytest.mark.case("tijvin-1941", "13.VI")
def test_who_followed_two_hexes_exploits(fought, g, s, play):
    units = {"a": g("0506", 16, "motorized"), "c": s("0505", 8, "cavalry")}
    position = fought("attack a 0505", (6, 4, 1), units=units, map=ROAD_NORTH)
    position = play(position, "retreat c 0504-0503", "advance a 0505-0504")
    assert {str(o) for o in position.legal} == {"target 0503", "end"}
    assert position.choice == "the exploitation of the victory"


@pytest.mark.case("tijvin-1941", "13.VI", "13.V")
def test_no_second_hex_behind_a_retreat_of_one(fought, g, s, play, refused):
    units = {"a": g("0506", 16, "motorized"), "c": s("0505", 8, "cavalry")}
    position = fought("attack a 0505", (6, 4, 1), units=units, map=ROAD_NORTH)
    assert refused(play(position, "retreat c 0504"), "advance a 0505-0605") == "13.VI"


@pytest.mark.case("tijvin-1941", "11.O", "13.V", "13.VI")
def test_those_to_whom_a_stack_out_of_command_ran_are_fought_not_driven_off(situation, g, s, play, at, cf):
    """The unit that ran runs again without a fight; one in command that had retreated there before it fights, and
    whoever fled to it goes with it at the price of a factor if it is beaten."""
    units = {
        "m": g("0506", 6, "motorized"),
        "runs": s("0505", 3, commanded=False),
        "runs2": s("0505", 2, commanded=False),
    }
    units["holds"] = s("0605", 6, retreated=True)
    position = play(situation(phase="german-combat", units=units), "attack m 0505", 1)
    position = play(position, "retreat runs 0605", "retreat runs2 0504", "advance m 0505")
    assert len(position.explain("attack m 0605").results) > 1, "a fight"
    assert position.explain("attack m 0504").results == (("0R/0", 1),), "a pursuit"
    given_up = play(position, "target 0605", "cancel")
    assert given_up.explain("attack m 0504").results == (("0R/0", 1),), "still one"
    fight = play(position, "attack m 0605")
    fight = play(fight, "commit") if fight.to_move == "soviet" else fight
    assert fight.chance.title == "the attacker's combat roll"
    fight = play(fight, 5, 4, 1)
    assert at(fight, "holds") == "0605"
    fight = play(fight, "retreat runs+holds 0604")
    assert (cf(fight, "runs"), cf(fight, "holds")) == (2, 5)


@pytest.mark.case("tijvin-1941", "11.O", "13.VI")
@pytest.mark.parametrize(("dice", "further"), [((1, 6, 1, 1), False), ((6, 6, 1, 1), True)])
def test_no_second_hex_where_a_part_of_the_stack_has_got_away(situation, g, s, play, dice, further):
    """Out of command it runs before the rest is destroyed; who stayed with them is destroyed with them."""
    units = {"m": g("0506", 20, "motorized"), "runs": s("0505", 1, commanded=False), "stays": s("0505", 1)}
    position, left = play(situation(phase="german-combat", units=units), "attack m 0505"), list(dice)
    while left or position.to_move == "soviet":
        if position.to_move == "chance":
            position = play(position, left.pop(0))
        else:
            position = play(position, "commit" if "commit" in position.legal else next(iter(position.legal)))
    assert not position.at(position.ground.grid.hex("0505"), "soviet")
    assert "advance m 0505" in position.legal
    assert any(len(o.hexes) == 2 for o in position.legal) == further


# Fog ------------------------------------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "17.1", "11.A")
def test_a_headquarters_without_units_goes_through_its_segments_under_fog(situation, g, play):
    position = situation(phase="soviet-activation", units={"a": g("0101", 9)}, hqs={"4-Army": {"hex": "0807"}}, **FOG)
    for order, phase in (("activate 4-Army", "soviet-movement"), ("end", "soviet-combat")):
        position = play(position, order)
        assert (position.phase.id, [str(o) for o in position.legal]) == (phase, ["end"])
    assert play(position, "end").phase.id == "soviet-hq-movement"


@pytest.mark.case("tijvin-1941", "17.1")
def test_a_headquarters_that_has_moved_is_written_down_as_such(game, situation, g, play):
    position = situation(phase="soviet-activation", units={"a": g("0101", 9)}, hqs={"4-Army": {"hex": "0807"}}, **FOG)
    position = play(position, "activate 4-Army", "end", "end", "move 4-Army 0808")
    again = game.position(position.document())
    assert again.document() == position.document()
    assert [str(o) for o in again.legal] == ["end"]


@pytest.mark.case("tijvin-1941", "17.1", "13.IV")
def test_losses_under_fog_go_from_the_largest_down(situation, g, s, play, cf):
    """First one of the efficiency fought with, then the largest of the others, nobody twice before everybody once."""
    units = {"a": g("0504", 20), "x": s("0505", 3), "y": s("0505", 5), "z": s("0505", 4)}
    position = play(situation(phase="german-combat", units=units, **FOG), "attack a 0505", "commit", 6, 1, 6)
    while position.to_move == "german":
        position = play(position, next(iter(position.legal)))
    before = {n: cf(position, n) for n in "xyz"}
    position = play(position, "lose x")
    lost = {n: before[n] - cf(position, n) for n in "xyz"}
    assert max(lost.values()) - min(lost.values()) <= 1
    assert lost["y"] >= lost["z"]


@pytest.mark.case("tijvin-1941", "17.1", "8.P")
def test_under_fog_a_replacement_phase_without_anything_to_buy_waits_for_its_word(situation, s, play):
    units = {"227-ID": {"hex": "0205"}, "r": s("1105")}
    for options, phase in ((FOG, "german-replacement"), ({}, "soviet-replacement")):
        position = situation(turn=3, phase="german-replacement", units=units, hqs={"I-AK": {"hex": "0205"}}, **options)
        position = play(position, 3)
        assert position.phase.id == phase
        assert ("German replacements: nothing to do" in [e.text for e in position.events]) is not bool(options)


# The turn -------------------------------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "6.2.3", "11.A")
def test_a_pass_to_one_who_has_nothing_left_ends_the_turn(situation, play):
    units = {"227-ID": {"hex": "0205"}, "292-DF": {"hex": "1105"}}
    hqs = {"I-AK": {"hex": "0205", "activated": True}, "4-Army": {"hex": "1105"}}
    position = play(situation(phase="soviet-activation", units=units, hqs=hqs), "pass")
    assert position.turn == 4
    assert "German activation: nothing to do" in [event.text for event in position.events]


@pytest.mark.case("tijvin-1941", "6.2.1", "11.O")
def test_a_unit_on_its_own_has_no_headquarters_segment(situation, g, s, play):
    units = {"a": g("0504", 3, commanded=False), "r": s("1105", 6)}
    position = play(situation(phase="german-activation", units=units, hqs={"4-Army": {"hex": "1105"}}), "activate a")
    position = play(position, "move a 0503")
    assert [str(o) for o in position.legal] == ["end"]
    position = play(position, "end")
    assert [e.text for e in position.events] == ["German combat: nothing to do"]
    assert position.to_move == "soviet"


@pytest.mark.case("tijvin-1941", "8.R", "6.1.3")
def test_reinforcements_that_can_enter_must_before_the_phase_is_ended(situation, g, refused, play):
    units = {"191-DF": {"box": "due"}, "a": g("0101")}
    position = situation(turn=3, phase="soviet-reinforcement", units=units, map={"places": {"1205": ["entry-4"]}})
    assert refused(position, "end soviet-reinforcement") == "8.R"
    assert refused(position, "end german-reinforcement") == "8.R"
    position = play(position, "enter 191-DF 1205")
    assert "end soviet-reinforcement" in position.legal


@pytest.mark.case("tijvin-1941", "13", "13.I")
def test_combat_stays_open_for_those_who_have_not_attacked(fought, g, s, play):
    units = {"a": g("0506", 3), "b": g("0604", 3), "r": s("0505", 12)}
    position = fought("attack a 0505", (1, 6, 1), units=units)
    assert (position.phase.id, position.choice) == ("german-combat", None)
    assert {str(o) for o in position.legal} == {"target 0505", "end"} or {str(o) for o in position.legal} == {"end"}
    near = position.ground.grid.adjacent(position.ground.grid.hex("0604"), position.ground.grid.hex("0505"))
    assert ("target 0505" in position.legal) is near
