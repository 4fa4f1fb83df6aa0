"""Retreat, all-out defence, advance and exploitation (section 13, phases V and VI)."""

from fractions import Fraction

import pytest


@pytest.fixture
def beat(situation, play):
    """Attack with every German next to 0505 and win with the dice given; stop at the first decision after."""

    def run(units, dice=(6, 4, 1), **more):
        more.setdefault("phase", "german-combat")
        side = more["phase"].split("-")[0]
        position = situation(units=units, **more)
        called = more.get("active", units)
        names = [
            n for n, u in units.items()
            if u["side"] == side and u["type"] != "artillery" and u["hex"] in AROUND and n in called
        ]  # fmt: skip
        position = play(position, f"attack {'+'.join(names)} 0505")
        while position.to_move != "chance":
            position = play(position, "commit" if "commit" in position.legal else next(iter(position.legal)))
        position = play(position, *dice)
        run.lost = next(e for e in position.events if e.kind == "casualties").facts[1]
        while position.phase.case == "13.IV":
            position = play(position, next(iter(position.legal)))
        return position

    return run


CHUDOVO, GRUZINO = "0612", "0711"
AROUND = ("0504", "0605", "0606", "0506", "0406", "0405")
CITY = {"places": {"0505": ["minor-city"]}}


def retreats(position):
    return {(o.units, o.hexes) for o in position.legal if o.verb == "retreat"}


def first_retreat(position):
    while position.phase.case == "13.V" and position.to_move == "soviet":
        position = position.play(next(iter(position.legal)))
    return position


@pytest.mark.case("tijvin-1941", "13.V")
def test_a_losing_attacker_stays(situation, g, s, play, at):
    position = situation(phase="german-combat", units={"a": g("0504", 6), "r": s("0505", 6)})
    position = play(position, "attack a 0505", "commit", 1, 6, 1)
    assert (at(position, "a"), at(position, "r")) == ("0504", "0505")


@pytest.mark.case("tijvin-1941", "13.V", "13.VI")
def test_a_draw_moves_nobody(situation, g, s, play, at):
    position = situation(phase="german-combat", units={"a": g("0504", 6, efficiency=1), "r": s("0505", 6)})
    position = play(position, "attack a 0505", "commit", 4, 4, 1)
    assert (at(position, "a"), at(position, "r")) == ("0504", "0505")
    assert [str(order) for order in position.legal] == ["end"]


@pytest.mark.case("tijvin-1941", "13.V")
def test_a_beaten_defender_goes_nearer_to_any_edge_that_supplies_him(beat, g, s, refused):
    """The Soviets are supplied from north, east and south: here north and east are open, though north is nearer. All
    that lies west is nearer to the German edge only."""
    position = beat({"a": g("0506", 18), "r": s("0505", 6)})
    assert {h for _, h in retreats(position)} == {("0504",), ("0605",)}
    assert refused(position, "retreat r 0405") == "13.V"
    assert refused(position, "retreat r 0606") == "5"
    east = beat({"a": g("0504", 9), "b": g("0405", 9), "r": s("0505", 6)})
    assert {h for _, h in retreats(east)} == {("0506",), ("0606",)}


@pytest.mark.case("tijvin-1941", "13.V")
def test_germans_retreat_west(beat, g, s, refused):
    units = {"a": s("0606", 18), "r": g("0505", 6), "y": s("1101", 1)}
    position = beat(units, phase="soviet-combat", dice=(6, 1, 1), control="all")
    assert {h for _, h in retreats(position)} == {("0405",), ("0406",)}
    assert refused(position, "retreat r 0504") == "13.V"


@pytest.mark.case("tijvin-1941", "13.V")
def test_gruzino_beaten_from_chudovo_may_go_east(game, play):
    """The nearest edge is the southern one; the eastern one supplies the Soviets as well."""
    units = {"21-ID": {"hex": CHUDOVO}, "292-DF": {"hex": GRUZINO, "cf": 4}}
    position = game.position({
        "game": "tijvin-1941", "turn": 3, "phase": "german-combat", "units": units, "active": ["21-ID"],
    })  # fmt: skip
    position = play(position, f"attack 21-ID {GRUZINO}", "commit", 6, 1, 1)
    east = {h[0] for _, h in retreats(position) if int(h[0][:2]) > int(GRUZINO[:2])}
    assert east


@pytest.mark.case("tijvin-1941", "13.V", "5")
def test_a_friend_in_a_zone_does_not_make_it_a_way_around_the_zone(beat, g, s, at, refused):
    """His presence saves the factor; a hex out of all zones has to be taken all the same."""
    units = {"a": g("0506", 18), "r": s("0505", 6), "f": s("0606", 2)}
    position = beat(units)
    assert refused(position, "retreat r 0606") == "5"
    assert ("0605",) in {h for _, h in retreats(position)}


@pytest.mark.case("tijvin-1941", "13.V", "5")
def test_a_retreat_avoids_enemy_zones(beat, g, s, refused, at):
    """North is in the zone of another German stack: the way leads elsewhere."""
    units = {"a": g("0506", 18), "z": g("0503", 6), "r": s("0505", 6)}
    position = first_retreat(beat(units, active=["a"]))
    grid = position.ground.grid
    assert at(position, "r") not in ("0505", "0504")
    assert not position.zone("german") >> grid.hex(at(position, "r")) & 1


@pytest.mark.case("tijvin-1941", "5", "13.V")
def test_a_zone_that_cannot_be_avoided_costs_a_factor(beat, g, s, cf):
    units = {"a": g("0506", 9), "b": g("0504", 9), "c": g("0605", 6), "d": g("0405", 6), "r": s("0505", 9)}
    position = beat(units, active=["a", "b"], dice=(6, 5, 1))
    position = first_retreat(position)
    assert cf(position, "r") == 9 - beat.lost - 1
    friend = {**units, "f": s("0606", 1), "h": s("0406", 1)}
    position = beat(friend, active=["a", "b"], dice=(6, 5, 1))
    position = first_retreat(position)
    assert cf(position, "r") == 9 - beat.lost, "a friend in the hex saves the factor"


@pytest.mark.case("tijvin-1941", "13.V")
def test_surrounded_units_are_destroyed(beat, g, s, at):
    units = {f"a{h}": g(h, 3) for h in AROUND} | {"r": s("0505", 12)}
    position = beat(units, dice=(6, 1, 1))
    assert at(position, "r") == ""


@pytest.mark.case("tijvin-1941", "13.V")
@pytest.mark.parametrize(
    ("change", "alive"),
    [
        ({"hexsides": {"0505/0606": ["major-river"]}}, False),
        ({"hexsides": {"0505/0606": ["major-river", "road"]}}, True),
        ({"hexsides": {"0505/0606": ["major-river", "rail"]}}, True),
        ({"hexes": {"0606": "lake"}}, False),
        ({"hexes": {"0606": "swamp"}}, True),
    ],
)
def test_what_bars_a_retreat(beat, g, s, at, change, alive):
    units = {f"a{h}": g(h, 4) for h in AROUND if h != "0606"} | {"r": s("0505", 12)}
    position = first_retreat(beat(units, dice=(6, 1, 1), map=change))
    assert (at(position, "r") == "0606") is alive


@pytest.mark.case("tijvin-1941", "13.V")
@pytest.mark.parametrize(("german", "alive"), [(True, False), (False, True)])
def test_enemy_cities_bar_a_retreat(beat, g, s, at, german, alive):
    units = {f"a{h}": g(h, 4) for h in AROUND if h != "0606"} | {"r": s("0505", 12)}
    field = {"places": {"0606": ["minor-city"]}}
    position = first_retreat(beat(units, dice=(6, 1, 1), map=field, control=["0606"] if german else []))
    assert (at(position, "r") == "0606") is alive


@pytest.mark.case("tijvin-1941", "13.V", "7.T")
@pytest.mark.parametrize(
    ("sides", "turn", "extra"), [(["minor-river"], 3, 1), (["minor-river", "road"], 3, 0), (["minor-river"], 7, 0)]
)
def test_a_minor_river_costs_a_retreat_a_factor(beat, g, s, cf, sides, turn, extra):
    units = {f"a{h}": g(h, 2) for h in AROUND if h != "0606"} | {"r": s("0505", 14)}
    field = {"hexsides": {"0505/0606": sides}}
    position = beat(units, dice=(6, 1, 1), map=field, turn=turn)
    assert cf(first_retreat(position), "r") == 14 - beat.lost - extra


@pytest.mark.case("tijvin-1941", "13.V")
def test_terrain_does_not_choose_the_way_but_a_river_costs_a_factor(situation, g, s, play, cf):
    """From 1105 a river leads to 1205 and none to 1206: both are open, and the owner chooses."""
    units = {"a": g("1005", 18), "r": s("1105", 6)}
    field = {"hexsides": {"1105/1205": ["minor-river"]}}
    position = play(situation(phase="german-combat", units=units, map=field), "attack a 1105", "commit", 6, 4, 1)
    assert {("1205",), ("1206",)} <= {h for _, h in retreats(position)}
    wet, dry = play(position, "retreat r 1205"), play(position, "retreat r 1206")
    assert cf(wet, "r") == cf(dry, "r") - 1


@pytest.mark.case("tijvin-1941", "13.V")
def test_mobile_units_may_retreat_two_hexes_by_road_or_rail(beat, g, s, refused, at, play):
    field = {"hexsides": {"0505/0504": ["rail"], "0504/0503": ["road"]}}
    units = {"a": g("0506", 18), "c": s("0505", 6, "cavalry")}
    position = beat(units, map=field)
    assert (("c",), ("0504", "0503")) in retreats(position)
    assert (("c",), ("0504",)) in retreats(position)
    assert refused(position, "retreat c 0504-0604") == "13.V", "no road"
    away = beat(units, map={"hexsides": {"0505/0504": ["rail"], "0404/0504": ["road"], "0504/0503": ["road"]}})
    assert refused(away, "retreat c 0504-0404") == "13.V", "away from supply"
    assert at(play(position, "retreat c 0504-0503"), "c") == "0503"
    foot = beat({"a": g("0506", 18), "r": s("0505", 6)}, map=field)
    assert {len(h) for _, h in retreats(foot)} == {1}


@pytest.mark.case("tijvin-1941", "13.V")
def test_a_stack_may_part_and_only_mobile_units_go_on(beat, g, s, refused, at, play):
    field = {"hexsides": {"0505/0504": ["rail"], "0504/0503": ["road"]}}
    units = {"a": g("0506", 20), "c": s("0505", 7, "cavalry"), "r": s("0505", 5)}
    position = beat(units, map=field)
    assert refused(position, "retreat c+r 0504-0503") == "13.V"
    position = play(position, "retreat c 0504-0503", "retreat r 0605")
    assert (at(position, "c"), at(position, "r")) == ("0503", "0605")


@pytest.mark.case("tijvin-1941", "4", "13.V")
def test_overstacking_after_a_retreat_costs_the_excess(beat, g, s, at, play, cf):
    units = {f"a{h}": g(h, 4) for h in AROUND if h != "0606"} | {"r": s("0505", 9), "f": s("0606", 15)}
    position = beat(units, dice=(6, 3, 1))
    while position.to_move == "soviet":
        assert {str(o) for o in position.legal} <= {"lose r", "lose f"}
        position = play(position, "lose f")
    assert cf(position, "r") + cf(position, "f") == 20
    assert cf(position, "r") == 9 - beat.lost


@pytest.mark.case("tijvin-1941", "13.V")
def test_units_that_fled_onto_friends_add_nothing_and_suffer_in_the_next_retreat(situation, g, s, play, cf, at):
    units = {"a": g("0506", 18), "f": s("0505", 6), "shaken": s("0505", 5, shaken=True, retreated=True)}
    position = play(situation(phase="german-combat", units=units), "attack a 0505", "commit")
    assert next(e for e in position.events if e.kind == "odds").facts[1] == 6
    position = first_retreat(play(position, 6, 4, 1))
    assert cf(position, "shaken") == 4
    assert cf(position, "f") < 6
    assert at(position, "shaken") == at(position, "f") == "0504"


@pytest.mark.case("tijvin-1941", "13.V")
def test_whoever_flees_onto_friends_is_shaken_until_the_turn_ends(beat, g, s, at):
    units = {"a": g("0506", 18), "r": s("0505", 6), "b": g("0101", 1)}
    for friend, shaken in (({"f": s("0504", 2)}, True), ({}, False)):
        position = first_retreat(beat({**units, **friend}))
        assert at(position, "r") == "0504"
        assert bool(position.shaken >> position.roster.index["r"] & 1) is shaken
        assert position.retreated >> position.roster.index["r"] & 1


@pytest.mark.case("tijvin-1941", "11.O", "13.V")
@pytest.mark.parametrize("commanded", [False, True], ids=["all run", "some stay"])
def test_refugees_run_with_the_last_of_those_who_held_them(situation, g, s, play, cf, at, commanded):
    """Those who hold the hex bolt: who had fled to them loses a factor and goes too, in command or not."""
    units = {
        "a": g("0506", 18), "runs": s("0505", 6, commanded=False), "shaken": s("0505", 5, shaken=True, retreated=True),
    } | ({"stays": s("0505", 4)} if commanded else {})  # fmt: skip
    position = play(situation(phase="german-combat", units=units), "attack a 0505", 1)
    while position.to_move == "soviet":
        position = play(position, next(iter(position.legal)))
    assert at(position, "runs") != "0505"
    if commanded:
        assert (cf(position, "shaken"), at(position, "shaken")) == (5, "0505"), "the fight goes on over their heads"
        assert next(e for e in position.events if e.kind == "odds").facts[1] == 4
        return
    assert cf(position, "shaken") == 4
    assert at(position, "shaken") != "0505"
    assert "advance a 0505" in position.legal
    assert "advance a 0505-0504" not in position.legal


@pytest.mark.case("tijvin-1941", "11.O", "13.V")
def test_what_an_attack_on_refugees_is_worth_counts_their_flight(situation, g, s):
    units = {"a": g("0506", 18), "runs": s("0505", 6, commanded=False), "shaken": s("0505", 5, shaken=True)}
    explained = situation(phase="german-combat", units=units).explain("attack a 0505")
    assert dict(explained.results)["0R/0"] == Fraction(1, 6), "nobody is left to fight on a 1"


@pytest.mark.case("tijvin-1941", "13.V")
def test_units_alone_after_a_flight_defend_normally(situation, g, s, play):
    units = {"a": g("0506", 18), "shaken": s("0505", 5, shaken=True, retreated=True)}
    position = play(situation(phase="german-combat", units=units), "attack a 0505", "commit")
    assert next(e for e in position.events if e.kind == "odds").facts[1] == 5


@pytest.mark.case("tijvin-1941", "13.V", "13")
def test_a_retreated_unit_may_be_attacked_by_others(beat, g, s, play):
    units = {"a": g("0506", 18), "r": s("0505", 9), "b": g("0604", 3)}
    position = first_retreat(beat(units))
    position = play(position, "end")
    assert any(o.verb == "target" for o in position.legal)


@pytest.mark.case("tijvin-1941", "13.V")
def test_a_retreat_over_the_edge_and_back(situation, g, s, play, at):
    around = ("1204", "1206", "1104", "1105")
    units = {f"a{h}": g(h, 6) for h in around} | {"r": s("1205", 8)}
    position = situation(phase="german-combat", units=units)
    position = play(position, f"attack {'+'.join(f'a{h}' for h in around)} 1205", "commit", 6, 5, 1)
    while position.phase.case == "13.IV":
        position = play(position, next(iter(position.legal)))
    assert at(position, "r") == ""
    assert position.document()["units"]["r"]["box"] == "east"
    again = situation(phase="soviet-reinforcement", units={"r": {**s("", 5), "box": "east"}, "a": g("1105", 6)})
    hexes = {o.hexes[0] for o in again.legal}
    assert hexes
    assert all(h.startswith("12") for h in hexes)
    assert not hexes & again.zoc("german")


@pytest.mark.case("tijvin-1941", "13.V", "13.VI")
def test_no_second_hex_behind_a_defender_who_left_the_map(situation, g, s, play, at, refused):
    """He was neither destroyed nor did he go back two hexes; one without factors left would be."""
    for edge, factors in ((True, 8), (False, 1)):
        around = ("1204", "1206", "1104", "1105")
        units = {f"a{h}": g(h, 6, "motorized") for h in around} | {"r": s("1205", factors)}
        position = situation(phase="german-combat", units=units)
        position = play(position, f"attack {'+'.join(f'a{h}' for h in around)} 1205", "commit", 6, 5, 1)
        while position.phase.case == "13.IV":
            position = play(position, next(iter(position.legal)))
        assert position.document()["units"]["r"]["box"] == ("east" if edge else "destroyed")
        assert "advance a1105 1205" in position.legal
        assert ("advance a1105 1205-1204" in position.legal) is not edge


@pytest.mark.case("tijvin-1941", "13.V", "13.VI")
def test_an_advance_gets_over_a_flight(beat, g, s, play):
    """A unit that fled onto friends fights again where it has advanced to."""
    units = {"a": s("0506", 18, shaken=True, retreated=True), "b": s("0506", 2), "r": g("0505", 1), "y": g("0101", 1)}
    position = beat(units, phase="soviet-combat", dice=(6, 1, 1))
    position = play(position, "advance a 0505")
    assert not position.shaken


# All-out defence ------------------------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "13.V")
@pytest.mark.parametrize(
    ("place", "hq", "number"),
    [(["minor-city"], "", 1), (["minor-city"], "0504", 2), (["minor-city"], "0505", 2), (["major-city"], "", 2),
     (["major-city"], "0606", 3), (["major-city"], "0503", 2)],
)  # fmt: skip
def test_the_die_of_an_all_out_defence(beat, g, s, play, place, hq, number):
    units = {"a": g("0506", 20), "r": s("0505", 9)}
    hqs = {"4-Army": {"hex": hq}} if hq else {}
    position = beat(units, map={"places": {"0505": place}}, hqs=hqs, dice=(6, 5, 1))
    position = play(position, "stand")
    for face in range(1, 7):
        assert any(e.facts and "0505" in str(e.facts[0]) for e in play(position, face).events if e.kind == "stand") is (
            face <= number
        )


@pytest.mark.case("tijvin-1941", "13.V")
def test_who_may_try_an_all_out_defence(beat, g, s):
    def offered(factors, field, dice, guns=0):
        units = {"a": g("0506", 20), "r": s("0505", factors)}
        units |= {f"g{n}": s("0505", 1, "artillery") for n in range(guns)}
        return "stand" in beat(units, map=field, dice=dice).legal

    assert offered(9, CITY, (6, 5, 1))
    assert not offered(9, {}, (6, 5, 1)), "no city"
    assert not offered(9, CITY, (6, 2, 1)), "doubled: 9 to 4"
    assert offered(9, CITY, (6, 3, 1)), "9 to 5"
    assert not offered(5, CITY, (3, 5, 3)), "fewer than four factors left"
    assert offered(5, CITY, (3, 5, 3), guns=2), "artillery counts"


@pytest.mark.case("tijvin-1941", "13.V", "13.VI")
def test_a_successful_stand_costs_half_the_losses_and_stops_the_attacker(beat, g, s, play, cf, at):
    units = {"a": g("0506", 20), "r": s("0505", 14)}
    for face, losses, extra in ((1, 2, 1), (3, 3, 1), (6, 4, 2)):
        position = beat(units, map=CITY, dice=(6, 4, face))
        assert cf(position, "r") == 14 - losses
        held = play(position, "stand", 1)
        assert cf(held, "r") == 14 - losses - extra
        assert (at(held, "r"), at(held, "a")) == ("0505", "0506")
        assert [str(order) for order in held.legal] == ["end"]
        failed = play(position, "stand", 2)
        assert cf(first_retreat(failed), "r") == 14 - losses
        assert cf(first_retreat(play(position, "yield")), "r") == 14 - losses


@pytest.mark.case("tijvin-1941", "2", "13.V")
def test_a_stand_costs_at_least_one_factor(beat, g, s, play, cf):
    position = beat({"a": g("0506", 18), "r": s("0505", 6)}, map=CITY, dice=(3, 4, 1))
    assert cf(position, "r") == 5
    assert cf(play(position, "stand", 1), "r") == 4


@pytest.mark.case("tijvin-1941", "11.O", "13.V")
def test_no_stand_after_running_out_of_command(situation, g, s, play):
    units = {"a": g("0506", 20), "r": s("0505", 14, commanded=False)}
    position = play(situation(phase="german-combat", units=units, map=CITY), "attack a 0505", 1)
    assert "stand" not in position.legal


# Advance --------------------------------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "13.VI")
def test_any_attacker_may_enter_the_vacated_hex(beat, g, s, play, refused, at):
    units = {"a": g("0506", 9), "b": g("0605", 9), "by": g("0606", 2), "r": s("0505", 6)}
    position = first_retreat(beat(units, active=["a", "b"]))
    assert "advance a 0505" in position.legal
    assert "end" in position.legal
    assert refused(position, "advance by 0505") == "13.VI"
    assert refused(position, "advance a 0606") == "13.VI"
    position = play(position, "advance b 0505")
    assert at(position, "b") == "0505"
    assert position.control >> position.ground.grid.hex("0505") & 1


@pytest.mark.case("tijvin-1941", "4", "13.VI")
def test_an_advance_keeps_the_stacking_limit(beat, g, s, play, refused):
    units = {"a": g("0506", 12), "b": g("0605", 12), "r": s("0505", 6)}
    position = first_retreat(beat({**units, "m": g("0605", 2)}))
    assert refused(play(position, "advance a 0505"), "advance b 0505") == "4"


@pytest.mark.case("tijvin-1941", "13.VI", "13.IIa")
def test_tanks_do_not_advance_into_pathless_swamp(beat, g, s, refused):
    field = {"hexes": {"0505": "swamp"}, "hexsides": {"0506/0505": ["road"]}}
    units = {"pz": g("0506", 7, "tank"), "i": g("0506", 12), "r": s("0505", 4)}
    assert "advance pz 0505" in first_retreat(beat(units, map=field)).legal


@pytest.mark.case("tijvin-1941", "13.VI")
def test_a_second_hex_for_mobile_units_after_a_destroyed_defender(beat, g, s, refused, at, play):
    units = {"m": g("0506", 8, "motorized"), "i": g("0506", 8), "r": s("0505", 1), "f": s("0302", 6)}
    position = beat(units, dice=(6, 1, 1))
    assert at(position, "r") == ""
    assert "advance m 0505-0504" in position.legal
    assert refused(position, "advance i 0505-0504") == "13.VI"
    assert at(play(position, "advance m 0505-0504"), "m") == "0504"


@pytest.mark.case("tijvin-1941", "13.VI", "5")
def test_the_second_hex_is_not_in_a_fresh_zone(beat, g, s, refused):
    units = {"m": g("0506", 16, "motorized"), "r": s("0505", 1), "f": s("0503", 6)}
    position = beat(units, dice=(6, 1, 1))
    assert refused(position, "advance m 0505-0504") == "13.VI"
    units["f"]["retreated"] = True
    assert "advance m 0505-0504" in beat(units, dice=(6, 1, 1)).legal, "nor of one that has retreated"


@pytest.mark.case("tijvin-1941", "13.VI", "5")
def test_neither_hex_of_an_advance_of_two_is_in_a_fresh_zone(beat, g, s, refused):
    """The fresh stack reaches the vacated hex, not the second one: one hex may be advanced, not two."""
    units = {"m": g("0506", 16, "motorized"), "r": s("0505", 1), "f": s("0406", 6)}
    position = beat(units, dice=(6, 1, 1))
    assert "advance m 0505" in position.legal
    assert refused(position, "advance m 0505-0504") == "13.VI"
    units["f"]["retreated"] = True
    assert "advance m 0505-0504" in beat(units, dice=(6, 1, 1)).legal


@pytest.mark.case("tijvin-1941", "13.VI", "17.1")
@pytest.mark.parametrize(("factors", "allowed"), [(6, False), (5, True)])
def test_under_fog_the_zones_of_the_way_are_told_to_who_may_advance_two_hexes(beat, g, s, factors, allowed):
    units = {"m": g("0506", 16, "motorized"), "r": s("0505", 1), "f": s("0503", factors, full=9, known=8)}
    position = beat(units, dice=(6, 1, 1), options={"fog-of-war": True})
    for seen in (position, position.view("german")):
        assert ("advance m 0505-0504" in seen.legal) is allowed
    assert ("0504" in position.view("german").document()["shown"]) is not allowed


@pytest.mark.case("tijvin-1941", "13.VI")
def test_the_second_hex_follows_a_retreat_of_two(beat, g, s, play, refused, at):
    field = {"hexsides": {"0505/0504": ["rail"], "0504/0503": ["road"]}}
    units = {"m": g("0506", 16, "motorized"), "c": s("0505", 6, "cavalry")}
    position = beat(units, map=field)
    one = play(position, "retreat c 0504")
    assert refused(one, "advance m 0505-0605") == "13.VI"
    two = play(position, "retreat c 0504-0503")
    assert "advance m 0505-0504" in two.legal
    assert refused(two, "advance m 0505-0605") == "13.VI"


# Exploitation ---------------------------------------------------------------------------------


@pytest.mark.case("tijvin-1941", "13.VI")
def test_mobile_units_exploit_once(beat, g, s, play, refused, at):
    units = {"m": g("0506", 9, "motorized"), "i": g("0506", 9), "r": s("0505", 12), "e": s("0405", 1)}
    position = beat(units, dice=(6, 2, 1), active=["m", "i"])
    position = play(first_retreat(position), "advance m 0505", "advance i 0505")
    where = at(position, "r")
    assert position.prompt.startswith("Exploit")
    assert {o.hexes for o in position.legal if o.verb == "target"} == {(where,)}
    assert refused(position, f"attack i {where}") == "13.VI"
    assert refused(position, f"attack m+i {where}") == "13.VI"
    if where != "0405":
        assert refused(position, "target 0405") == "13.VI"
    given_up = play(position, f"target {where}", "add m", "cancel")
    assert [str(order) for order in given_up.legal] == [str(order) for order in position.legal]
    assert play(given_up, f"attack m {where}") == play(position, f"attack m {where}")
    position = play(position, f"attack m {where}", "commit", 6, 1, 1)
    while position.to_move == "soviet":
        position = play(position, next(iter(position.legal)))
    position = play(position, f"advance m {where}")
    assert [str(order) for order in position.legal] == ["end"], "no second exploitation"


@pytest.mark.case("tijvin-1941", "13.VI")
@pytest.mark.parametrize(("retreated", "allowed"), [(False, False), (True, True)])
def test_no_exploitation_against_fresh_units(beat, g, s, play, retreated, allowed, at):
    units = {f"a{h}": g(h, 4, "motorized") for h in AROUND if h not in ("0606",)}
    units |= {"r": s("0505", 9), "f": s("0606", 2, retreated=retreated)}
    position = first_retreat(beat(units, dice=(6, 5, 1)))
    assert at(position, "r") == "0606"
    position = play(position, "advance a0504 0505", "end")
    assert position.prompt.startswith("Exploit") is allowed


@pytest.mark.case("tijvin-1941", "13.VI", "13.A")
def test_artillery_and_units_that_stayed_do_not_exploit(beat, g, s, play, refused, at):
    units = {
        "m": g("0506", 9, "motorized"),
        "n": g("0506", 9, "motorized"),
        "gun": g("0506", 1, "artillery"),
        "r": s("0505", 9),
    }
    position = play(first_retreat(beat(units)), "advance m 0505", "end")
    where = at(position, "r")
    assert refused(position, f"attack m+n {where}") == "13.VI"
    assert refused(position, f"attack m+gun {where}") == "13.VI"


@pytest.mark.case("tijvin-1941", "13.VI")
def test_infantry_does_not_exploit(beat, g, s, play):
    position = play(first_retreat(beat({"i": g("0506", 18), "r": s("0505", 9)})), "advance i 0505")
    assert [str(order) for order in position.legal] == ["end"]
