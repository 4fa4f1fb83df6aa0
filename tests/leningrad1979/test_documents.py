"""Position documents of the 1979 game: what they may say, and what is refused with its path."""

import random

import pytest

import ladoga
from leningrad1979.field import GAME, field, german, orders, refused, soviet

MOVE = "german-movement"


RED_MOVE = "soviet-movement"


def document(**changes):
    base = {"game": GAME.id, "turn": 4, "phase": "german-combat", "map": {"blank": [8, 6]},
            "units": {"12": {"hex": "0303"}, "x1": soviet("0403")}}  # fmt: skip
    return {**base, **changes}


FIGHTERS = {"12": {"hex": "0303"}, "11": {"hex": "0304"}, "x1": soviet("0403"), "x2": soviet("0402")}


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


def test_nobody_sees_dice_that_are_still_to_come():
    pos = field("german-combat", {"12": "0303", "67rd": "0403"}, dice=[6, 3]).play("attack 12 0403")
    assert pos.dice == ("3",)
    for side in ("german", "soviet", "observer"):
        seen = pos.view(side)
        assert not seen.document().get("dice")
        assert not seen.imagine(random.Random(1)).dice
        assert seen.events == pos.events


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


def test_made_up_units_keep_their_order_in_documents():
    pos = field(RED_MOVE, {"12": "0801", **{f"x{n}": soviet("0303") for n in (9, 10, 11)}})
    assert orders(GAME.position(pos.document())) == orders(pos)
    assert "move x9+x10+x11 0304" in orders(GAME.position(pos.document()))
