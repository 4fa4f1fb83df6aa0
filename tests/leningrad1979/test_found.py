"""Faults that were found once and must not come back, each with the case it broke."""

import random

import pytest

import ladoga
from ladoga import Order
from leningrad1979.field import GAME, field, german, orders, refused, soviet, where

MOVE = "german-movement"
RED_MOVE = "soviet-movement"


@pytest.mark.case("leningrad-1979", "7.3", "4.1")
def test_points_spent_on_a_held_overrun_are_spent():
    units = {"s1": soviet("0303", 60, 4, 5), "s2": soviet("0303"), "x": german("0403", 3), "y": german("0403", 3)}
    pos = field(RED_MOVE, units, air_used=1).play("overrun s1 0403").play("die 1").play("lose x")
    assert refused(pos, "overrun s1 0403") == "7.3"
    pair = {"g1": german("0303", 3, 8, "armor"), "g2": german("0303", 3, 8, "armor"), "x": soviet("0403", 9, 9)}
    before = field(MOVE, pair, dice=[5])
    whole = set(before.reach("g1"))
    after = before.play("overrun g1+g2 0403").play("lose g1").play("lose g2")
    assert refused(after, "move g1 0108") == "4.1"
    assert set(before.reach("g1")) == whole, "looking at one position never changes another"


@pytest.mark.case("leningrad-1979", "8.6", "4.5")
@pytest.mark.parametrize("verb", ["attack", "overrun", "move"])
def test_a_unit_counts_once(verb):
    pos = field("german-combat" if verb == "attack" else MOVE, {"12": "0303", "67rd": "0403"})
    assert Order(verb, ("12", "12"), ("0403" if verb != "move" else "0302",)) not in pos.legal


def test_made_up_units_of_one_name_share_nothing():
    def alone(movement, kind):
        unit = german("1409", movement=movement, kind=kind)
        return GAME.position({"game": GAME.id, "turn": 4, "phase": MOVE, "units": {"x1": unit}})

    slow, fast = alone(2, "infantry"), alone(8, "armor")
    assert len(orders(slow, "move")) == len(slow.reach("x1"))
    assert len(orders(fast, "move")) == len(fast.reach("x1"))


def test_arrivals_are_listed_by_their_own_line():
    def due(last):
        lines = {"i1": "soviet-7-34th-army", "i2": "soviet-7-infantry", "i3": last}
        units = {name: {"due": line} for name, line in lines.items()}
        return GAME.position({"game": GAME.id, "turn": 7, "phase": RED_MOVE, "units": units})

    assert "enter i3 2713" in orders(due("soviet-7-34th-army"))
    second = orders(due("soviet-7-infantry"))
    assert "enter i3 2601" in second
    assert "enter i3 2713" not in second


@pytest.mark.case("leningrad-1979", "16.1", "16.2")
def test_a_forced_entry_hex_has_no_road_from_off_the_map():
    friends = {name: {"hex": "2713"} for name in ("67rd", "170rd", "180rd")}
    pos = GAME.position({"game": GAME.id, "turn": 7, "phase": RED_MOVE, "units": {
        "i1": {"due": "soviet-7-34th-army"}, **friends}}).play("enter i1 2712")  # fmt: skip
    assert pos.active[pos.slot("i1")] == 2 * 3, "two of five points for the hill"


@pytest.mark.case("leningrad-1979", "16.2", "11.3")
def test_a_unit_that_enters_a_source_in_an_enemy_zone_is_supplied_there():
    pos = GAME.position({"game": GAME.id, "turn": 7, "phase": RED_MOVE, "units": {
        "i1": {"due": "soviet-7-34th-army"}, "12": {"hex": "2712"}}}).play("enter i1 2713")  # fmt: skip
    assert pos.active[pos.slot("i1")] == 2 * 4


@pytest.mark.case("leningrad-1979", "13.4")
def test_only_the_first_hex_out_of_interdiction_costs_more():
    pos = field(RED_MOVE, {"x": soviet("0303", kind="armor", movement=7)}, turn=7, hexsides={"0303/0403": ["road"]},
                interdiction={"0303": 1})  # fmt: skip
    at_once = pos.play("move x 0403-0303-0403")
    in_steps = pos.play("move x 0403").play("move x 0303").play("move x 0403")
    assert at_once.active == in_steps.active
    assert at_once.active[at_once.slot("x")] == 9


@pytest.mark.case("leningrad-1979", "7.4")
def test_units_that_parted_do_not_overrun_together():
    pos = field(MOVE, {"g1": german("0303", 6, 8, "armor"), "g2": german("0303", 6, 8, "armor"), "x": soviet("0703")})
    pos = pos.play("move g1+g2 0403").play("move g1 0503-0602").play("move g2 0504-0503-0602")
    assert refused(pos, "overrun g1+g2 0703") == "7.4"
    assert "overrun g1 0703" in GAME.position(pos.document()).legal
    assert GAME.position(pos.document()).why_not("overrun g1+g2 0703").case == "7.4"


@pytest.mark.case("leningrad-1979", "6.1", "6.2", "4.5")
def test_each_unit_of_a_mixed_pair_pays_its_own_way_out():
    pos = field(MOVE, {"12": "0303", "1/41": "0303", "11": "0303", "67rd": "0403"}).play("move 12+1/41 0202")
    assert pos.active[pos.slot("1/41")] == 2 * (8 - 1 - 2)
    assert pos.active[pos.slot("12")] == 2 * (6 - 1 - 3)


@pytest.mark.case("leningrad-1979", "10.8")
def test_a_dead_end_does_not_kill_where_a_friend_holds_the_way_open():
    # 0306 is vacant but leads nowhere; 0406 is held by a friend and leads on
    units = {"x3": german("0404", 16), "x1": soviet("0405"), "x2": soviet("0406")}
    walls = {"0306/0206": ["lake"], "0306/0307": ["lake"], "0306/0205": ["lake"], "0306/0406": ["lake"],
             "0405/0506": ["lake"]}  # fmt: skip
    pos = field("german-combat", units, hexsides=walls, dice=[6]).play("attack x3 0405")
    assert "retreat x1 0406-0407" in pos.legal
    assert where(pos.play("retreat x1 0406-0407"), "x1") == "0407"


@pytest.mark.case("leningrad-1979", "10.8")
def test_past_a_friend_the_next_hex_is_vacant_again_if_one_is():
    # as above, and beyond the friend in 0406 stands another in 0407: 0506 and 0307 are vacant, 0307 behind a lake
    units = {"x3": german("0404", 16), "x1": soviet("0405"), "x2": soviet("0406"), "x4": soviet("0407")}
    walls = {"0306/0206": ["lake"], "0306/0307": ["lake"], "0306/0205": ["lake"], "0306/0406": ["lake"],
             "0405/0506": ["lake"], "0406/0307": ["lake"]}  # fmt: skip
    pos = field("german-combat", units, hexsides=walls, dice=[6]).play("attack x3 0405")
    assert orders(pos, "retreat") == ["retreat x1 0406-0507"]
    assert pos.why_not("retreat x1 0406-0407") == ("10.8", "0407 is occupied, and a vacant safe hex is open")
    assert pos.why_not("retreat x1 0306-0307") == ("10.7", "x1 cannot retreat far enough that way")


@pytest.mark.case("leningrad-1979", "4.6", "10.4", "8.4", "10.7")
def test_eliminations_name_their_case():
    pos = field("german-combat", {"x3": german("0404", 40), "x1": soviet("0405")}, dice=[6]).play("attack x3 0405")
    assert [e.case for e in pos.events if e.kind == "eliminated"] == ["10.4"]


def document(**changes):
    base = {"game": GAME.id, "turn": 4, "phase": "german-combat", "map": {"blank": [8, 6]},
            "units": {"12": {"hex": "0303"}, "x1": soviet("0403")}}  # fmt: skip
    return {**base, **changes}


@pytest.mark.parametrize(
    "changes",
    [
        {"units": {"x1": german("0303", 0)}},
        {"units": {"x1": german("0303", reduced=[0, 0, 6], steps=1)}},
        {"units": {"x1": german("0303", reduced=[3, 3, 2])}},
        {"phase": MOVE, "units": {"12": {"hex": "0303", "left": "-3"}}},
        {"phase": MOVE, "units": {"12": {"hex": "0303", "left": "300"}}},
        {"phase": MOVE, "units": {"12": {"eliminated": True, "left": "3"}}},
        {"units": {"12": {"hex": "0303", "left": "3"}}},
        {"units": {"12": {"hex": "0303", "since": 9}}},
        {"units": {"12": {"hex": "0303", "was": "i1"}}},
        {"units": {f"i{number}": {"due": "soviet-2-infantry"} for number in range(1, 44)} | {"i46": {"hex": "0303"}}},
        {"units": {"i1": {"due": "soviet-7-armor"}}},
        {"fight": {"stage": "reveal", "targets": ["0403"], "attackers": ["12"], "defenders": ["x1"],
                   "origins": ["0303"], "posts": ["0403"]}},
        {"fight": {"stage": "advance", "targets": ["0403"], "attackers": ["12"], "defenders": ["x1"],
                   "origins": ["0303"], "posts": []}},
        {"fight": {"stage": "defend", "targets": ["0403"], "attackers": ["12"], "defenders": ["x1"],
                   "origins": ["0303"], "posts": ["0403"], "toll": 7}},
        {"fight": {"stage": "defend", "targets": ["0403"], "toll": 1}},
        {"phase": "german-interdiction", "fight": {"stage": "compose", "targets": ["0403"]}},
        {"surplus": True, "phase": MOVE},
        {"phase": "soviet-set-up"},
        {"forts": ["0201"], "forts_used": 0},
        {"forts_used": -1}, {"forts_placed": -1}, {"on_time": 99}, {"rebuilt": -1},
    ],
)  # fmt: skip
def test_impossible_documents_are_refused(changes):
    with pytest.raises(ladoga.BadDocument):
        GAME.position(document(**changes))


def test_the_armor_note_is_told_only_where_it_matters():
    bog = field("soviet-combat", {"12": "0303", "a1": "0403"}, turn=7, air_used=2, hexes={"0303": "swamp"})
    assert not any("armor" in note for note in bog.explain("attack a1 0303").notes)
    clear = field("soviet-combat", {"12": "0303", "a1": "0403"}, turn=7, air_used=2)
    assert any("armor" in note for note in clear.explain("attack a1 0303").notes)


@pytest.mark.case("leningrad-1979", "14.0", "14.1")
def test_a_made_up_unit_may_be_untried():
    fresh = {"side": "soviet", "type": "infantry", "untried": True, "hex": "0403"}
    pos = field("german-combat", {"12": "0303", "x1": fresh, "67rd": "0203"})
    assert pos.untried(pos.slot("x1"))
    assert pos.pieces[pos.slot("x1")].movement == 5
    explained = pos.explain("attack 12 0403")
    assert sum(share for _, share in explained.defence) == 1
    assert len(explained.defence) > 1, "nobody knows its strength"
    assert GAME.position(pos.document()) == pos
    announced = pos.play("attack 12 0403")
    assert len(announced.chance.outcomes) == 42, "every infantry counter but the 67th, which has been seen"
    assert GAME.position(announced.document()) == announced
    shown = announced.play("draw 70rd")
    assert shown.fight.column == -1, "6 against 7"
    assert shown.document()["units"]["70rd"]["was"] == "x1"
    assert GAME.position(shown.document()) == shown


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"attack": 4, "defence": 3}, "units.x1.untried"),
        ({"side": "german"}, "units.x1.untried"),
        ({"movement": 6}, "units.x1.movement"),
        ({"type": "tank"}, "units.x1.type"),
    ],
)
def test_an_untried_unit_has_no_figures_of_its_own(changes, path):
    fresh = {"side": "soviet", "type": "infantry", "untried": True, "hex": "0403", **changes}
    with pytest.raises(ladoga.BadDocument) as problem:
        GAME.position(document(units={"12": {"hex": "0303"}, "x1": fresh}))
    assert str(problem.value).startswith(path)


def test_there_are_no_more_untried_units_than_counters():
    more = {f"x{n}": {"side": "soviet", "type": "armor", "untried": True, "hex": f"{n:02}01"} for n in range(1, 13)}
    assert GAME.position(document(units={"12": {"hex": "0303"}, **more}, map={"blank": [14, 6]}))
    more["x13"] = {**more["x1"], "hex": "1301"}
    with pytest.raises(ladoga.BadDocument, match="more Soviet units than counters"):
        GAME.position(document(units={"12": {"hex": "0303"}, **more}, map={"blank": [14, 6]}))


@pytest.mark.case("leningrad-1979", "12.1", "12.3", "9.6")
def test_a_made_up_panzer_corps_is_a_corps():
    def corps(number, count, kind="mechanized"):
        return {f"g{n}": german("0303", 8, 8, kind, corps=number) for n in range(count)}

    def shifts(units, order, **more):
        return field("soviet-combat" if "x " in order else "german-combat", {**units, "x": soviet("0403", 9, 3)},
                     air_used=1, **more).explain(order).net  # fmt: skip

    everyone = "attack g0+g1+g2 0403"
    assert shifts(corps("41", 3), everyone) == 1
    assert shifts(corps("41", 2), "attack g0+g1 0403") == 0, "the 41st Corps has three units"
    assert shifts(corps("99", 2), "attack g0+g1 0403") == 1, "a corps of one's own has as many as are made up"
    assert shifts(corps("99", 3), "attack g0+g1 0403") == 0
    assert shifts(corps("41", 3), "attack x 0303") == -1
    assert shifts(corps("41", 3, "armor"), "attack x 0303", places={"0303": ["soviet-city"]}) == 0


def test_points_left_may_be_a_number():
    for left, text in ((3, "3"), (2.5, "5/2"), ("5/2", "5/2"), ("0", "0"), (0, "0")):
        pos = GAME.position(document(phase=MOVE, units={"12": {"hex": "0303", "left": left}}))
        assert pos.document()["units"]["12"]["left"] == text
    for left in ("1/0", "1/3", "many", 7, -1):
        with pytest.raises(ladoga.BadDocument):
            GAME.position(document(phase=MOVE, units={"12": {"hex": "0303", "left": left}}))


def test_a_unit_may_be_named_by_a_number():
    by_number = GAME.position(document(units={12: {"hex": "0303"}, "x1": soviet("0403")}))
    assert by_number == GAME.position(document(units={"12": {"hex": "0303"}, "x1": soviet("0403")}))


@pytest.mark.case("leningrad-1979", "4.9", "9.6")
def test_a_city_may_be_written_as_the_terrain_of_a_hex():
    plain = {"12": {"hex": "0303"}, "x1": soviet("0403")}
    as_place = {"blank": [8, 6], "places": {"0403": ["city", "soviet-supply"]}}
    as_terrain = {"blank": [8, 6], "hexes": {"0403": "city"}, "places": {"0403": ["soviet-supply"]}}
    first, second = (GAME.position(document(units=plain, map=part)) for part in (as_place, as_terrain))
    assert second.explain("attack 12 0403") == first.explain("attack 12 0403")
    assert second.map.places_of(second.map.grid.hex("0403")) == ["city", "soviet-supply"]
    assert GAME.position(second.document()) == second


@pytest.mark.case("leningrad-1979", "4.0", "4.8")
def test_a_path_may_begin_where_the_unit_stands():
    pos = field(MOVE, {"12": "0303"})
    way = pos.reach("12")["0306"].path
    assert way[0] == "0303"
    there = pos.play(f"move 12 {'-'.join(way)}")
    assert where(there, "12") == "0306"
    assert there == pos.play("move 12 0306")
    assert refused(pos, "move 12 0303") == "4.0"
    assert refused(pos, "move 12 0302-0301-0300") == "4.8"


@pytest.mark.case("leningrad-1979", "4.0", "4.9", "15.2")
def test_a_path_of_one_step_is_that_step_and_no_way_round():
    river = field(MOVE, {"12": "0303"}, hexes={"0403": "swamp"}, hexsides={"0303/0403": ["river"]})
    assert river.play("move 12 0403").document()["units"]["12"]["left"] == "3", "round the river: 1 and 2"
    assert river.play("move 12 0303-0403").document()["units"]["12"]["left"] == "2", "2, doubled by the river"
    lake = field(MOVE, {"12": "0303"}, hexsides={"0303/0403": ["lake"]})
    assert where(lake.play("move 12 0403"), "12") == "0403"
    assert refused(lake, "move 12 0303-0403") == "4.9"
    assert refused(lake, "move 12 0303-0503") == "4.0", "not next to each other"
    fort = field(MOVE, {"12": "0303"}, hexes={"0403": "swamp"}, hexsides={"0303/0403": ["river"]}, forts=["0402"])
    assert fort.play("move 12 0303-0403").document()["forts"] == ["0402"]


@pytest.mark.case("leningrad-1979", "15.4")
def test_a_third_fort_is_refused_by_the_limit():
    units = {"67rd": {"hex": "2604"}}
    pos = GAME.position({"game": GAME.id, "turn": 8, "phase": "soviet-fortification", "units": units})
    pos = pos.play("fort 2604").play("fort 2605")
    assert pos.phase.id == "soviet-fortification"
    assert refused(pos, "fort 2505") == "15.4"
    assert refused(pos.play("end"), "fort 2505") == "15.4", "and when the phase is over"


@pytest.mark.case("leningrad-1979", "16.0", "16.2", "16.3", "16.4", "17.4")
def test_the_case_says_why_a_reinforcement_enters_elsewhere():
    def refusal(line, turn, at):
        pos = GAME.position({"game": GAME.id, "turn": turn, "phase": RED_MOVE, "units": {"i1": {"due": line}}})
        return refused(pos, f"enter i1 {at}")

    assert refusal("soviet-2-infantry", 2, "2601") == "16.0", "the schedule"
    assert refusal("soviet-2-infantry", 2, "2907") == "16.2", "not while its own hex is open"
    assert refusal("soviet-2-infantry", 3, "2601") == "16.3", "later by the same hexes"
    assert refusal("soviet-10-infantry", 10, "2301") == "16.4"
    assert refusal("soviet-7-34th-army", 8, "2713") == "17.4"
    assert refusal("soviet-7-34th-army", 7, "2712") == "16.2", "on time its own hex is open"
    assert refusal("soviet-7-34th-army", 7, "2908") == "17.4", "only if it is late"


@pytest.mark.case("leningrad-1979", "16.2", "16.4")
def test_a_scheduled_hex_that_is_blocked_is_refused_as_blocked():
    def refusal(line, turn, at, **others):
        units = {"i1": {"due": line}, **{name: {"hex": where} for name, where in others.items()}}
        return refused(
            GAME.position({"game": GAME.id, "turn": turn, "phase": RED_MOVE, "units": units}), f"enter i1 {at}"
        )

    assert refusal("soviet-7-34th-army", 7, "2713", i2="2713", i3="2713", i4="2713") == "16.2", "three friends"
    assert refusal("soviet-7-34th-army", 8, "2908", **{"12": "2908"}) == "16.2", "an enemy"
    assert refusal("soviet-10-infantry", 10, "2604", **{"12": "2604"}) == "16.2", "three other hexes are open"
    lost = {"12": "2604", "11": "2605", "21": "2505", "30": "2705"}
    assert refusal("soviet-10-infantry", 10, "2604", **lost) == "16.4"


@pytest.mark.case("leningrad-1979", "13.3", "13.4")
def test_only_units_that_begin_in_an_interdicted_hex_pay_twice_to_leave_it():
    units = {"i1": {"due": "soviet-7-34th-army"}}
    pos = GAME.position({"game": GAME.id, "turn": 7, "phase": RED_MOVE, "units": units, "interdiction": {"2713": 1},
                         "map": {"hexes": {"2612": "clear"}, "hexsides": {"2612/2713": []}}})  # fmt: skip
    entered = pos.play("enter i1 2713")
    assert entered.document()["units"]["i1"]["left"] == "3", "twice the road into the interdicted hex"
    assert entered.reach("i1")["2612"].cost == 1, "it did not begin the phase there"


@pytest.mark.case("leningrad-1979", "13.4", "7.6")
def test_a_hex_taken_by_overrun_is_not_where_the_phase_began():
    units = {"x": soviet("0303", 60, 4, 7, "armor"), "12": "0403"}
    pos = field(RED_MOVE, units, turn=7, interdiction={"0403": 1}, air_used=1, dice=[6])
    advanced = pos.play("overrun x 0403").play("advance x 0403")
    assert advanced.reach("x")["0404"].cost == 1


def test_nobody_sees_dice_that_are_still_to_come():
    pos = field("german-combat", {"12": "0303", "67rd": "0403"}, dice=[6, 3]).play("attack 12 0403")
    assert pos.dice == ("3",)
    for side in ("german", "soviet", "observer"):
        seen = pos.view(side)
        assert not seen.document().get("dice")
        assert not seen.imagine(random.Random(1)).dice
        assert seen.events == pos.events


@pytest.mark.case("leningrad-1979", "8.1", "8.5")
def test_targets_concern_the_units_that_could_be_added():
    units = {"12": "0303", "11": "0304", "21": "0101", "67rd": "0403", "70rd": "0402"}
    pos = field("german-combat", units)
    assert [str(o) for o in pos.legal.of("12")] == ["target 0402", "target 0403"]
    assert [str(o) for o in pos.legal.of("11")] == ["target 0403"]
    assert pos.legal.of("21") == pos.legal.of("67rd") == pos.legal.of("nobody") == []
    composing = pos.play("target 0403")
    assert [str(o) for o in composing.legal.of("12")] == ["target 0402", "add 12"], "it is next to both"
    assert [str(o) for o in composing.legal.of("11")] == ["add 11"]
    assert set(composing.legal.of("12")) <= set(composing.legal)


@pytest.mark.case("leningrad-1979", "2.5", "2.6")
def test_a_german_unit_may_be_given_its_one_combat_strength():
    short = {"side": "german", "type": "infantry", "combat": 7, "movement": 6, "hex": "0303"}
    pos = GAME.position(document(units={"x2": short, "x1": soviet("0403")}))
    assert pos == GAME.position(document(units={"x2": german("0303", 7), "x1": soviet("0403")}))
    assert pos.explain("attack x2 0403").attack == ((7, 1),)


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"units": {"x1": {**soviet("0403"), "combat": 3}}}, "units.x1.combat"),
        ({"units": {"x1": {**german("0403"), "combat": 3}}}, "units.x1.combat"),
        ({"units": {"12": {"hex": "0303", "combat": 3}}}, "units.12.combat"),
        ({"units": {"x1": soviet("0403", corps="41")}}, "units.x1.corps"),
        ({"forts": [f"0{c}0{r}" for c in (5, 6, 7) for r in range(1, 6)]}, "forts"),
        ({"air_used": 2}, "air_used"),
        ({"interdiction": {"0404": 1}, "air_used": 1}, "interdiction"),
    ],
)
def test_figures_that_no_piece_has_are_named(changes, path):
    with pytest.raises(ladoga.BadDocument) as problem:
        GAME.position(document(**changes))
    assert problem.value.path == path


FIGHTERS = {"12": {"hex": "0303"}, "11": {"hex": "0304"}, "x1": soviet("0403"), "x2": soviet("0402")}


@pytest.mark.case("leningrad-1979", "9.0", "10.1")
def test_a_fight_may_be_written_by_its_stage_targets_and_attackers():
    before = GAME.position(document(units=FIGHTERS))
    after = before.play("attack 12+11 0403")
    short = {"targets": ["0403"], "attackers": ["12", "11"]}
    roll = GAME.position(document(units=FIGHTERS, fight={"stage": "roll", **short}))
    assert roll == after
    defend = GAME.position(document(units=FIGHTERS, fight={"stage": "defend", "result": "1/1", **short}))
    assert orders(defend) == orders(after.play("die 1")), "12 against 4, and both sides want supply: 3-1"
    composing = GAME.position(document(units=FIGHTERS, fight={"stage": "compose", **short}))
    assert composing.play("commit") == after


@pytest.mark.case("leningrad-1979", "8.0", "8.1", "13.5")
@pytest.mark.parametrize(
    ("fight", "path"),
    [
        ({"stage": "compose", "targets": ["0404"]}, "fight.targets[0]"),
        ({"stage": "compose", "targets": ["0402"], "attackers": ["11"]}, "fight.attackers[0]"),
        ({"stage": "compose", "targets": ["0403"], "attackers": ["12", "12"]}, "fight.attackers[1]"),
        ({"stage": "compose", "targets": ["0403"], "air": 2}, "fight.air"),
        ({"stage": "roll", "targets": ["0404"], "attackers": ["12"]}, "fight.targets[0]"),
        ({"stage": "roll", "targets": ["0402"], "attackers": ["12", "11"]}, "fight.attackers[1]"),
        ({"stage": "roll", "targets": ["0403"], "attackers": ["12"], "air": 1}, "air_used"),
        ({"stage": "air", "targets": ["0403"], "attackers": ["12"]}, "fight.stage"),
        ({"stage": "defend", "targets": ["0403"], "attackers": ["12"], "result": "-/1"}, "fight.result"),
    ],
)
def test_a_fight_that_cannot_have_begun_is_refused(fight, path):
    with pytest.raises(ladoga.BadDocument) as problem:
        GAME.position(document(units=FIGHTERS, fight=fight))
    assert problem.value.path == path


@pytest.mark.case("leningrad-1979", "7.0")
@pytest.mark.parametrize(("stage", "path"), [("compose", "fight.overrun"), ("roll", "fight.attackers[0]")])
def test_an_overrun_in_hand_is_on_the_march(stage, path):
    fight = {"stage": stage, "targets": ["0403"], "attackers": ["12"], "overrun": True}
    with pytest.raises(ladoga.BadDocument) as problem:
        GAME.position(document(phase=MOVE, units=FIGHTERS, fight=fight))
    assert problem.value.path == path


@pytest.mark.case("leningrad-1979", "10.9")
def test_the_second_vacated_hex_is_entered_through_the_first():
    pos = field("german-combat", {"x3": german("0404", 40), "x1": soviet("0405")}, dice=[1]).play("attack x3 0405")
    gone = pos.play("retreat x1 0406-0407")
    assert "advance x3 0405-0406" in gone.legal
    assert gone.why_not("advance x3 0406").message.endswith("advance x3 0405-0406")


@pytest.mark.case("leningrad-1979", "8.5", "9.1")
def test_the_targets_of_an_attack_are_listed_as_people_do():
    pos = field("german-combat", {"12": "0303", "67rd": "0403", "70rd": "0402", "48rd": "0304"})
    assert pos.play("attack 12 0403-0402-0304").events[0].text == "12 attacks 0403, 0402 and 0304"


@pytest.mark.case("leningrad-1979", "15.0")
def test_a_fort_is_not_built_in_a_lake():
    pos = GAME.position({"game": GAME.id, "turn": 3, "phase": "soviet-fortification", "units": {"i1": {"hex": "2604"}}})
    assert refused(pos, "fort 2904") == "15.0"
    assert pos.why_not("fort 2904").message == "2904 is all water", "it lies two hexes from Leningrad"
    assert "more than 4 hexes" in pos.why_not("fort 2004").message


@pytest.mark.case("leningrad-1979", "14.0", "16.4")
def test_late_arrivals_need_no_dead_while_there_are_counters_enough():
    def late(**more):
        units = {"i46": {"due": "soviet-10-infantry"}, **more}
        return GAME.position({"game": GAME.id, "turn": 10, "phase": RED_MOVE, "units": units})

    assert orders(late(), "enter") == [f"enter i46 {number}" for number in ("2505", "2604", "2605", "2705")]
    held = {"12": "2505", "30": "2604", "11": "2605", "1": "2705"}
    taken = late(**{name: {"hex": number} for name, number in held.items()})
    assert orders(taken, "enter") == [f"enter i46 {column}01" for column in range(23, 29)]
    assert GAME.position(taken.play("enter i46 2301").document()).document() == taken.play("enter i46 2301").document()
    begun = GAME.start()
    assert GAME.position(begun.document()) == begun
    while begun.phase.id == "soviet-set-up":
        begun = begun.play(orders(begun)[0])
    assert GAME.position(begun.document()).pieces == begun.pieces, "those of turns 9 to 12 are still to be raised"


@pytest.mark.case("leningrad-1979", "16.0")
def test_any_division_of_the_kind_may_be_the_one_that_is_due():
    def due(name, line, **figures):
        return GAME.position({"game": GAME.id, "turn": 10, "phase": MOVE, "units": {name: {"due": line, **figures}}})

    rifle = {"side": "german", "type": "infantry", "combat": 5, "movement": 6}
    assert "enter 12 0111" in due("12", "german-2").legal, "the schedule says five infantry units"
    assert "enter x 0113" in due("x", "german-2", **rifle).legal
    for name, line, figures in (("1/41", "german-10", {}), ("12/39", "german-2", {}), ("x", "german-10", rifle)):
        with pytest.raises(ladoga.BadDocument) as problem:
            due(name, line, **figures)
        assert problem.value.path == f"units.{name}.due"


@pytest.mark.case("leningrad-1979", "2.0")
@pytest.mark.parametrize("result", [0, 7, 12, "x", "12"])
def test_a_scripted_result_is_one_that_can_happen(result):
    with pytest.raises(ladoga.BadDocument) as problem:
        field("german-combat", {"12": "0303", "67rd": "0403"}, dice=[4, result])
    assert problem.value.path == "dice[1]"


def test_a_bad_combat_strength_is_named_as_it_was_written():
    unit = {"side": "german", "type": "infantry", "combat": 0, "movement": 6, "hex": "0303"}
    with pytest.raises(ladoga.BadDocument) as problem:
        field(MOVE, {"x": unit})
    assert problem.value.path == "units.x.combat"


def test_reach_takes_a_stack_as_orders_write_it():
    pos = field(MOVE, {"12": "0303", "1/41": "0303"})
    assert dict(pos.reach("12+1/41")) == dict(pos.reach(["12", "1/41"]))


@pytest.mark.case("leningrad-1979", "4.1", "7.3")
def test_half_points_are_told_as_people_write_them():
    road = {"0101/0102": ["road"]}
    pos = field(MOVE, {"1/41": "0101", "x1": soviet("0104")}, hexsides=road).play("move 1/41 0102")
    assert pos.why_not("move 1/41 1209").message == "1209 is beyond 7½ points of movement"
    near = field(MOVE, {"1/41": {"hex": "0103", "left": "2.5"}, "x1": soviet("0104")})
    assert near.why_not("overrun 1/41 0104").message == "an overrun takes 3 points from each unit; left: 2½"


def test_the_usage_of_an_order_tells_whether_it_takes_one_unit_or_several():
    usage = {verb.name: verb.usage for verb in GAME.grammar.verbs.values()}
    assert usage["lose"] == "lose UNIT"
    assert usage["fort"] == "fort HEX"
    assert usage["move"] == "move UNIT+UNIT HEX-HEX"
    pos = field("german-combat", {"12": "0303", "30": "0303", "67rd": "0403"}).play("target 0403")
    assert refused(pos, "add 12+30") == "3.0"


def test_units_called_by_numbers_need_no_quotes():
    text = '{game: leningrad-1979, turn: 4, phase: german-combat, map: {blank: [8, 6]}, units: {12: {hex: "0303"}, \
        67rd: {hex: "0403"}}, fight: {stage: compose, targets: ["0403"], attackers: [12]}}'
    assert "commit" in GAME.position(text).legal
    with pytest.raises(ladoga.BadDocument, match="put it in quotes") as problem:
        GAME.position("{game: leningrad-1979, phase: german-combat, units: {12: {hex: 2604}}}")
    assert problem.value.path == "units.12.hex"


@pytest.mark.case("leningrad-1979", "1.0")
def test_a_wrong_hex_at_set_up_is_refused_by_what_is_wrong_with_it():
    pos = GAME.start()
    assert refused(pos, "place i12 1701") == "1.0"
    assert pos.why_not("place i12 1701").message == "1701 is all water"
    assert pos.why_not("place i12 1201").message.endswith("one unit starts in each row 13 to 19")
    assert pos.play("place i12 1301").why_not("place i13 1302").message.endswith("its row has a unit already")


@pytest.mark.case("leningrad-1979", "4.1", "4.9", "6.2")
def test_a_hex_out_of_reach_is_refused_by_what_keeps_it_so():
    lake = field(MOVE, {"x3": german("0404", movement=1)}, hexsides={"0404/0405": ["lake"]})
    assert refused(lake, "move x3 0405") == "4.9"
    assert lake.why_not("move x3 0406").message == "0406 is beyond 1 point of movement"
    units = {"12": "0404", "30": "0404", "x1": soviet("0405")}
    assert "move 12 0401" in field(MOVE, units).legal, "one and three, then two more"
    far = field(MOVE, units).why_not("move 12 0101")
    assert (far.case, far.message) == ("4.1", "0101 is beyond 6 points of movement; disengaging costs 3")


def test_made_up_units_keep_their_order_in_documents():
    pos = field(RED_MOVE, {"12": "0801", **{f"x{n}": soviet("0303") for n in (9, 10, 11)}})
    assert orders(GAME.position(pos.document())) == orders(pos)
    assert "move x9+x10+x11 0304" in orders(GAME.position(pos.document()))


@pytest.mark.case("leningrad-1979", "4.6")
def test_nobody_comes_back_to_a_starting_stack_that_is_too_high():
    """On turn 1 a unit that has left a stack of five does not enter it again, by a way of its own or step by step."""
    pos = field(MOVE, dict.fromkeys(("12", "30", "32", "11", "21"), "0404"), turn=1)
    assert refused(pos, "move 12 0405-0404") == "4.6"
    assert refused(pos, "move 12 0405-0404-0403") == "4.6"
    assert refused(pos.play("move 12 0405"), "move 12 0404") == "4.6"
    three = field(MOVE, dict.fromkeys(("12", "30", "32"), "0404"), turn=1)
    assert where(three.play("move 12 0405-0404-0403"), "12") == "0403"
