"""How the staff plays the two Assaults: exact odds, few losses, corps that stay in supply, guerrillas on the rails."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ladoga
from ladoga.games.assault import supply
from ladoga.games.assault.combat import penalties
from ladoga.games.assault.figures import GERMAN, SOVIET
from ladoga.games.assault.pending import Draw, Fight
from ladoga.games.assault.position import AssaultPosition
from ladoga.hexes import members
from ladoga.kernel.orders import END, Order
from ladoga.players import make
from ladoga.players.doctrine import doctrine_of
from ladoga.players.doctrines.assault import WORDS
from ladoga.players.doctrines.assault_staff.bodies import bodies_of
from ladoga.players.doctrines.assault_staff.concentrate import Concentration
from ladoga.players.doctrines.assault_staff.fit import Sample, explained, fitted
from ladoga.players.doctrines.assault_staff.german import German
from ladoga.players.doctrines.assault_staff.march import March
from ladoga.players.doctrines.assault_staff.odds import ALL, rolls
from ladoga.players.doctrines.assault_staff.picture import AIM, Picture, force_of
from ladoga.players.doctrines.assault_staff.prospects import WIN, Measures, measures, weights_of
from ladoga.players.doctrines.assault_staff.soviet import Defence, Soviet
from ladoga.players.judgement import figures, on_turn
from ladoga.players.race import AS_STAFF, RacingPlayer, _distinct
from ladoga.players.staff import StaffPlayer

GAMES = ("assault-leningrad", "assault-stalingrad")


def at(game_id: str, phase: str, units: dict[str, Any], **more: Any) -> AssaultPosition:
    """A position on an open field, or on the printed map with ``map=None``; everybody is in supply."""
    placed = {name: {"hex": e} if isinstance(e, str) else e for name, e in units.items()}
    listed = {name: {"supply": "in", **e} if "hex" in e else e for name, e in placed.items()}
    document = {"game": game_id, "turn": 4, "phase": phase, "map": {"blank": [20, 20]}, "units": listed, **more}
    if document["map"] is None:
        del document["map"]
    found = ladoga.load(game_id).position(document)
    assert isinstance(found, AssaultPosition)
    return found


def unit(side: str, hex: str, face: str, type: str = "infantry", **more: Any) -> dict[str, Any]:
    return {"side": side, "type": type, "faces": face.split(), "movement": 6, "hex": hex, **more}


def ordered(position: AssaultPosition) -> Order:
    """What the staff orders in a position."""
    assert position.to_move in position.game.sides
    player = make("staff")
    order = player.choose(position.view(position.to_move), random.Random(0))
    assert position.why_not(order) is None
    assert player.reason
    return order


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize(("attackers", "defender"), [(1, "4-B"), (2, "4-B"), (3, "4-A"), (2, "9-C"), (3, "3-C")])
def test_odds_are_those_of_the_table(game_id: str, attackers: int, defender: str) -> None:
    """What the staff reckons with is what the rules would do."""
    hexes = ("0605", "0607", "0506")
    units = {f"g{n}": unit("german", h, "8-A 4-B") for n, h in zip(range(attackers), hexes, strict=False)}
    position = at(game_id, "german-combat", {**units, "r": unit("soviet", "0606", defender, "rifle")})
    near = [u for u in units if position.why_not(f"attack {u} 0606") is None]
    picture = German(position)
    explained = position.explain(f"attack {'+'.join(near)} 0606").results
    shift = position.game.tables.classes["A"][defender[-1]]
    found = {
        (r.attacker, r.defender): r.chance
        for r in rolls(position.game, 8.0 * len(near), picture.defence(picture.grid.hex("0606"), 0)[0], shift)
    }
    wanted: dict[tuple[int, int], float] = {}
    for result, chance in explained:
        key = (ALL, 0) if result == "AE" else (0, ALL) if result == "DE" else penalties(result)
        wanted[key] = wanted.get(key, 0.0) + float(chance)
    assert found == pytest.approx(wanted)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_good_attack_is_made_and_a_bad_one_is_not(game_id: str) -> None:
    """Two divisions strike a weak unit; a battalion leaves a division alone."""
    good = {"a": unit("german", "0606", "8-A 4-B"), "b": unit("german", "0607", "8-A 4-B")}
    target = {"r": unit("soviet", "0707", "4-B 2-C", "rifle")}
    able = at(game_id, "german-combat", {**good, **target})
    assert ordered(able).verb == "attack"
    assert (
        ordered(
            at(
                game_id,
                "german-combat",
                {"a": unit("german", "0606", "3-C"), "r": unit("soviet", "0707", "9-A 4-B", "rifle")},
            )
        )
        == END
    )


def test_german_losses_held_dear_do_not_make_a_bad_attack_good() -> None:
    """The Soviets of Stalingrad hold German steps dear; two divisions against a good one lose more than they win."""
    units = {"r1": unit("soviet", "0605", "4-C 2-C", "rifle"), "r2": unit("soviet", "0506", "4-C 2-C", "rifle")}
    german = unit("german", "0606", "4-A 2-A")
    position = at("assault-stalingrad", "soviet-combat", {**units, "g": german})
    picture, zealous = Soviet(position), Soviet(position, {"thrift": 0.1})
    h, men = picture.grid.hex("0606"), [position.index[name] for name in units]
    force = force_of(picture, men)
    assert Picture(position, SOVIET).value(h, force, men) > 0
    assert picture.value(h, force, men) < 0
    assert zealous.value(h, force, men) > 0
    assert ordered(position) == END


def attacked() -> AssaultPosition:
    """A German attack of which both sides take a penalty."""
    position = at(
        "assault-leningrad", "german-combat",
        {"a": unit("german", "0606", "8-A 4-B"), "r": unit("soviet", "0707", "4-B 2-C", "rifle")},
    )  # fmt: skip
    hurt = position.play("attack a 0707").play("die 3")
    assert isinstance(hurt, AssaultPosition)
    return hurt


def test_an_attacker_falls_back_rather_than_lose_points() -> None:
    """A German step costs victory points, a hex does not (10.25, 17.23)."""
    hurt = attacked()
    assert "the attacker takes 1" in "\n".join(event.text for event in hurt.events)
    assert ordered(hurt).verb == "retreat"


def test_a_defender_stands_when_the_attacker_has_fallen_back() -> None:
    """The first penalty may then be declined (10.26)."""
    hurt = attacked()
    stood = hurt.play(ordered(hurt))
    assert stood.to_move == "soviet"
    assert ordered(stood) == Order("stand")


def test_a_headquarters_is_not_left_alone_where_the_enemy_can_come() -> None:
    """It would fall to the first tank (11.33): it goes to a division, or out of the enemy's reach, and feeds on."""
    units = {
        "hq": unit("german", "0518", "0-C", "hq", corps="9"),
        "d": unit("german", "0516", "8-A 4-B", corps="9"),
        "t": {**unit("soviet", "0512", "5-B 3-C", "tank"), "movement": 8},
    }
    picture = German(at("assault-leningrad", "german-movement", units))
    assert picture.swept >> picture.grid.hex("0518") & 1
    after = {name: entry["hex"] for name, entry in units.items()}
    for order in March(picture, second=False).orders():
        after[order.units[0]] = order.hexes[-1]
    post = picture.grid.hex(after["hq"])
    assert after["hq"] == after["d"] or not picture.swept >> post & 1
    assert picture.grid.distance(post, picture.grid.hex(after["d"])) <= 6


def test_a_headquarters_fears_to_stand_with_those_who_cannot_hold_the_hex() -> None:
    """A worn division falls with it to a tank corps that a strong one keeps off (11.33)."""
    units = {
        "hq": unit("german", "0518", "0-C", "hq", corps="9"), "d": unit("german", "0516", "8-A 4-B", corps="9"),
        "t": unit("soviet", "0512", "9-B 3-C", "tank"), "s": unit("soviet", "0513", "9-B 3-C", "tank"),
    }  # fmt: skip
    position = at("assault-leningrad", "german-movement", units)
    picture, index = German(position), position.index["hq"]
    near = picture.grid.hex("0514")
    assert picture.overrun(index, near, 2.0) > picture.overrun(index, near, 8.0) > 0.0
    assert not picture.overrun(index, picture.grid.hex("0520"), 2.0)


def test_only_whole_divisions_are_sent_into_a_city_that_needs_a_garrison() -> None:
    """A regiment alone would forfeit its points for good (17.25)."""
    position = at(
        "assault-leningrad", "german-movement", {"12ID": "2008", "6/11": "2208", "HQ41": "2309"}, map=None,
    )  # fmt: skip
    picture = German(position)
    chudovo = picture.grid.hex("2107")
    bodies = {position.roster[b.units[0]].id: b for b in bodies_of(picture, picture.of(GERMAN))}
    assert picture.may_end(bodies["12ID"], chudovo)
    assert not picture.may_end(bodies["6/11"], chudovo)


def test_a_guerrilla_sits_down_where_it_starves_a_corps() -> None:
    """On the rails behind the headquarters (11.16, 15.3)."""
    units = {
        "HQ41": "1025",
        "6/11": "1024",
        "Gue1": "1229",
        "1TD": "0821",
        "177RD": "2823",
        "70RD": "3120",
        "21TD": "3113",
    }
    position = at("assault-leningrad", "soviet-movement", units, map=None)
    hq = position.index["HQ41"]
    assert hq in supply.lines(position).headquarters
    raids = [o for o in Defence(Soviet(position)).orders() if o.units == ("Gue1",)]
    assert raids
    assert hq not in supply.lines(position.play(raids[0])).headquarters


def raids(position: AssaultPosition) -> dict[str, str]:
    """Where the staff sends the guerrillas."""
    orders = Defence(Soviet(position)).orders()
    return {order.units[0]: order.hexes[-1] for order in orders if order.units[0].startswith("Gue")}


def test_guerrillas_do_not_stay_in_the_city() -> None:
    """The city is a hex of the line, but nobody starves because they sit there."""
    units = {"Gue1": "0320", "Gue2": "0320", "HQ41": "1436", "6/11": "1234", "HQ2": "3516", "12ID": "3319"}
    position = at("assault-leningrad", "soviet-movement", units, map=None)
    sent = raids(position)
    assert set(sent) == {"Gue1", "Gue2"}
    assert not any(position.ground.capital >> position.ground.grid.hex(h) & 1 for h in sent.values())


def test_guerrillas_cut_all_lines_at_once_where_one_more_would_feed_the_enemy() -> None:
    """Four lines lead off the map; as long as one is left, the corps in the middle eat (11.13, 11.16)."""
    units = {
        "Gue1": "1235", "Gue2": "3730", "Gue3": "3719", "Gue4": "3716", "HQ41": "1025", "6/11": "1024", "6/4": "1024",
        "HQ56": "2823", "3/8": "2822", "3/29": "2822", "1TD": "0821",
    }  # fmt: skip
    position = at("assault-leningrad", "soviet-movement", units, map=None, turn=12)
    fed = supply.lines(position).headquarters
    assert {position.index["HQ41"], position.index["HQ56"]} <= set(fed)
    for unit, h in raids(position).items():
        position = position.play(Order("move", (unit,), (h,)))
    assert not supply.lines(position).headquarters


def test_guerrillas_keep_out_of_the_enemy_s_reach_until_there_is_something_to_cut() -> None:
    """Close to the edge nobody starves, and they are seldom left alive there."""
    units = {"Gue1": "2826", "HQ41": "3729", "6/11": "3528", "6/4": "3628", "177RD": "2823"}
    position = at("assault-leningrad", "soviet-movement", units, map=None)
    h = position.ground.grid.hex(raids(position).get("Gue1", "2826"))
    assert not Soviet(position).swept >> h & 1


def test_a_headquarters_far_from_the_edge_and_with_many_men_is_worth_most() -> None:
    """Another one comes from the edge of the map, and until then its corps starves (11.36)."""
    near = {"HQ41": "3729", "6/11": "3728", "177RD": "2823"}
    far = {"HQ41": "1021", "6/11": "1022", "177RD": "2823"}
    worth = [
        Soviet(position).headquarters(position.index["HQ41"])
        for position in (at("assault-leningrad", "soviet-movement", units, map=None)
                         for units in (near, far, {**far, "1/1": "1120"}))
    ]  # fmt: skip
    assert worth == sorted(worth)
    assert worth[0] < worth[1] < worth[2]


@pytest.mark.parametrize("game_id", GAMES)
def test_a_phase_is_planned_without_the_list_of_all_orders(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The staff's first turn asks for no list of legal moves."""
    position = ladoga.load(game_id).start()
    dice, seats = random.Random(3), {side: make("staff") for side in position.game.sides}
    listed = []
    plain = AssaultPosition._orders
    monkeypatch.setattr(AssaultPosition, "_orders", lambda pos: (listed.append(pos.phase.id), plain(pos))[1])
    while position.turn == 1:
        mover = position.to_move
        if mover == "chance":
            position = position.play(position.legal.random(dice))
            continue
        assert mover is not None
        position = position.play(seats[mover].choose(position.view(mover), dice))
    assert not {phase for phase in listed if phase.endswith("movement")}


def test_the_general_thinks_at_the_first_movement_phase_of_each_side() -> None:
    """And at no other moment."""
    position = ladoga.load("assault-stalingrad").start()
    doctrine = doctrine_of("assault-stalingrad")
    assert doctrine.moment(position.view("soviet")) is None
    while position.phase.id == "soviet-set-up":
        position = position.play(ordered(position))
    while position.phase.id != "german-movement":
        position = position.play(position.legal.random(random.Random(1)))
    assert doctrine.moment(position.view("german")) == (1, "german-movement")
    assert doctrine.moment(position.view("soviet")) is None


def test_the_city_s_key_points_are_manned_on_the_last_turn() -> None:
    """They count only while a unit stands in them (19.92)."""
    units = {"13Gds": "1305", "W1": "1305", "W2": "1204", "16Pz": "1415"}
    position = at("assault-stalingrad", "soviet-movement", units, map=None, turn=19)
    before = sum(entry.points for entry in position.standing.ledger if entry.side == "soviet")
    while position.phase.id == "soviet-movement":
        position = position.play(ordered(position))
    after = sum(entry.points for entry in position.standing.ledger if entry.side == "soviet")
    assert (before, after) == (0, 15)


GATES = ["F3", "F4", "F5", "F6"]
"""Where the bridges of Leningrad end that lead from the Moscow side."""
KEYS = ["E4", "F4", "F5", "F6", "F7", "G3", "G6", "H4", "I7", "J5"]


def staff_moves(position: AssaultPosition) -> tuple[list[Order], AssaultPosition]:
    """What the staff orders in a Soviet movement phase, and the position after it."""
    player, orders = make("staff"), list[Order]()
    while position.to_move == "soviet" and position.phase.id == "soviet-movement":
        orders.append(player.choose(position.view("soviet"), random.Random(0)))
        after = position.play(orders[-1])
        assert isinstance(after, AssaultPosition)
        position = after
    return orders, position


@pytest.mark.case("assault-leningrad", "8.46")
def test_those_at_the_bridges_stay_when_the_enemy_comes_to_the_city() -> None:
    """Kolpino would be worth more than a post in the city, but who leaves a bridge opens the other half of it."""
    units: dict[str, Any] = {"1/1": "0421", "1/1m": "0421", "1/113": "0421", "HQ41": "0522", "58ID": "0424"}
    guards = {"235RD": "0219", "4V": "0219", "1GV": "0220", "2GV": "0220"}
    position = at("assault-leningrad", "soviet-movement", {**units, **guards}, map=None, turn=12)
    found = Soviet(position)
    assert sorted(position.ground.number(h) for h in found.gates) == GATES
    assert sum(found.guards_of(h) for h, _ in found.hearts) == len(GATES)
    moved = {name for order in staff_moves(position)[0] for name in order.units}
    assert not moved & set(guards)


@pytest.mark.case("assault-leningrad", "17.11")
def test_the_last_division_goes_back_into_the_city() -> None:
    """As long as one unit stands in the city it has not fallen."""
    units: dict[str, Any] = {"1ID": "G6", "58ID": "H4", "HQ38": "0420", "168RD": "0119"}
    position = at("assault-leningrad", "soviet-movement", units, map=None, turn=20, **{"german-held": KEYS})
    after = staff_moves(position)[1]
    assert after.ground.interior >> after.where[after.index["168RD"]] & 1


@pytest.mark.case("assault-leningrad", "17.22")
def test_in_the_last_phase_units_walk_through_all_that_was_left_open() -> None:
    """Points go to who was last in a place, and nobody answers the last phase."""
    units: dict[str, Any] = {"1ID": "H4", "HQ38": "0420", "168RD": "D4", "Gue1": "0512"}
    held = [*KEYS, "0611", "0312"]
    position = at("assault-leningrad", "soviet-movement", units, map=None, turn=25, **{"german-held": held})
    after = staff_moves(position)[1]
    again = set(after.ground.numbers(~after.german_held & after.ground.grid.mask(held)))
    assert again >= {"0611", "F4", "F5"}
    assert len(again) >= 5
    assert after.ground.city >> after.where[after.index["168RD"]] & 1


@pytest.mark.case("assault-leningrad", "17.11")
def test_corps_go_for_the_last_defenders_when_all_key_points_are_taken() -> None:
    """The game is won when nobody of the enemy's is left in the city."""
    units: dict[str, Any] = {"1ID": "G6", "58ID": "E5", "HQ38": "0420", "168RD": "B4"}
    position = at("assault-leningrad", "german-movement", units, map=None, turn=22, **{"german-held": [*KEYS, "0326"]})
    picture, h = German(position), position.ground.grid.hex("B4")
    assert picture.goal("38") == 1 << h
    assert picture.worth(h) > 10.0


def ordered_movement(position: AssaultPosition) -> list[str]:
    """What the staff orders until its movement phase is over."""
    phase, player, found = position.phase.id, make("staff"), list[str]()
    while position.phase.id == phase:
        assert position.to_move in position.game.sides
        order = player.choose(position.view(position.to_move), random.Random(0))
        position = position.play(order)
        found.append(str(order))
    return found


def test_a_reinforcement_without_room_at_the_edge_waits_until_there_is() -> None:
    """Two divisions drawn for one entry area, where the first plan leaves room for one of them only (16.15)."""
    units = {
        "184RD": {"drawn": "entry-e"}, "131RD": {"drawn": "entry-e"}, "126RD": {"hex": "1302", "moved": True},
        "343RD": "1401", "16TC": "1501", "308RD": "1201",
    }  # fmt: skip
    position = at("assault-stalingrad", "soviet-movement", units, map=None, turn=19)
    entered = [order.split()[1] for order in ordered_movement(position) if order.startswith("enter")]
    assert sorted(entered) == ["131RD", "184RD"]


@pytest.mark.case("assault-stalingrad", "8.37")
def test_no_division_goes_where_the_other_map_has_no_room_for_it() -> None:
    """Several hexes of the inset's fringe are one hex of the main map, where one division stands in the end."""
    units: dict[str, Any] = {
        "184RD": "1303", "131RD": "1302", "126RD": "1403", "343RD": "1402", "308RD": "1203", "229RD": "I2",
        "181RD": "G2", "99RD": {"drawn": "entry-e"}, "193RD": {"drawn": "entry-e"}, "71ID": "J5", "HQ51": "1406",
    }  # fmt: skip
    position = at("assault-stalingrad", "soviet-movement", units, map=None, turn=9)
    while position.to_move == "soviet":
        order = ordered(position)
        assert order.verb != "remove"
        position = position.play(order)  # type: ignore[assignment]
    assert sum(position.where[i] >= 0 for i in position.order_of_battle[SOVIET]) == 9


@pytest.mark.case("assault-stalingrad", "8.37")
def test_to_fall_back_to_a_fringe_that_is_full_costs_a_unit() -> None:
    """H6 goes back to 1306, where a division stands: a step of those in the city is cheaper."""
    units: dict[str, Any] = {
        "71ID": "H5", "44ID": "1306", "HQ51": "1406", "24Pz": "G5", "16Pz": "I5", "284RD": "H4", "95RD": "G3",
    }  # fmt: skip
    position = at("assault-stalingrad", "german-combat", units, map=None, turn=9)
    picture, index = German(position), position.index["71ID"]
    full, free = picture.grid.hex("H6"), picture.grid.hex("J6")
    assert picture.squeezed(index, full) == min(
        picture.price(i, position.steps[i]) for i in (index, position.index["44ID"])
    )
    assert not picture.squeezed(index, free)
    assert not Soviet(position).squeezed(position.index["284RD"], full)


def test_reserves_of_leningrad_appear_in_the_city_and_march_on() -> None:
    """The city of 16.13 is Leningrad, not every town that the map marks as a city."""
    units = {"1GV": {"waiting": True}, "191RD": "1133", "1ID": "1136", "HQ38": "1134", "58ID": "1234"}
    position = at("assault-leningrad", "soviet-movement", units, map=None, turn=5)
    orders = ordered_movement(position)
    assert any(order.startswith("enter 1GV ") for order in orders)


# Thinking ahead -----------------------------------------------------------------------------------


def fighting(game_id: str) -> AssaultPosition:
    """An attack whose die has not been rolled yet."""
    units = {
        "a": unit("german", "0606", "8-A 4-B"), "b": unit("german", "0607", "8-A 4-B"),
        "r": unit("soviet", "0707", "4-B 2-C", "rifle"),
    }  # fmt: skip
    found = at(game_id, "german-combat", units).play("attack a+b 0707")
    assert isinstance(found, AssaultPosition)
    return found


@pytest.mark.parametrize("game_id", GAMES)
def test_the_luck_of_an_attack_is_nothing_over_all_rolls(game_id: str) -> None:
    """What one die gives above the mean others take away, and one side has what the other lacks (10.21)."""
    position, doctrine = fighting(game_id), doctrine_of(game_id)
    dice = [Order("die", words=(str(face),)) for face in range(1, 7)]
    german = [doctrine.luck(position, die, "german") for die in dice]
    assert sum(german) == pytest.approx(0.0)
    assert max(german) > 0.1
    assert [doctrine.luck(position, die, "soviet") for die in dice] == pytest.approx([-gift for gift in german])


@pytest.mark.parametrize("game_id", GAMES)
def test_the_same_attack_has_the_same_die_whoever_makes_it(game_id: str) -> None:
    """So that ways to fight are compared on the same luck; another hex or another turn has a die of its own."""
    position, doctrine = fighting(game_id), doctrine_of(game_id)
    units = {"a": unit("german", "0606", "8-A 4-B"), "r": unit("soviet", "0707", "4-B 2-C", "rifle")}
    alone = at(game_id, "german-combat", units).play("attack a 0707")
    later = at(game_id, "german-combat", units, turn=5).play("attack a 0707")
    assert doctrine.occasion(alone) == doctrine.occasion(position)
    assert doctrine.occasion(later) != doctrine.occasion(position)


def test_the_luck_of_a_draw_is_nothing_over_the_whole_cup() -> None:
    """Strong reinforcements are luck for the Soviets, weak ones for the Germans (19.72)."""
    position = ladoga.load("assault-stalingrad").start()
    doctrine, dice = doctrine_of("assault-stalingrad"), random.Random(2)
    while not isinstance(position.pending, Draw):
        mover = position.to_move
        chosen = END if mover == "german" and position.why_not(END) is None else position.legal.random(dice)
        position = position.play(chosen)
    draws = list(position.legal)
    assert sum(doctrine.luck(position, draw, "soviet") for draw in draws) == pytest.approx(0.0)
    factor = {draw: position.roster[position.index[draw.units[0]]].faces[0].combat for draw in draws}
    assert doctrine.luck(position, max(draws, key=lambda d: factor[d]), "soviet") > 0
    assert doctrine.luck(position, min(draws, key=lambda d: factor[d]), "german") > 0


@pytest.mark.parametrize("game_id", GAMES)
def test_one_side_s_prospects_are_the_other_s_fears(game_id: str) -> None:
    """A Soviet division less is better for the Germans, and worse by as much for the Soviets."""
    units = {"a": unit("german", "0606", "8-A 4-B"), "r": unit("soviet", "0909", "4-B 2-C", "rifle")}
    more = {**units, "s": unit("soviet", "1010", "4-B 2-C", "rifle")}
    doctrine = doctrine_of(game_id)
    weak, strong = (at(game_id, "german-movement", found) for found in (units, more))
    for position in (weak, strong):
        assert doctrine.judge(position, "german") == -(doctrine.judge(position, "soviet") or 0.0)
    assert (doctrine.judge(weak, "german") or 0.0) > (doctrine.judge(strong, "german") or 0.0)


def test_a_finished_game_is_judged_by_its_ledger_and_its_winner() -> None:
    """What was expected before no longer counts (17.2)."""
    position = at("assault-stalingrad", "soviet-combat", {"13Gds": "1305", "16Pz": "1415"}, map=None, turn=19)
    while position.to_move is not None:
        position = position.play(position.legal.random(random.Random(1)))
    outcome = position.outcome
    assert outcome is not None
    points = sum(entry.points if entry.side == "german" else -entry.points for entry in outcome.ledger)
    won = {"german": WIN, "soviet": -WIN, None: 0.0}[outcome.winner]
    assert doctrine_of("assault-stalingrad").judge(position, "german") == float(points) + won


@pytest.mark.parametrize("game_id", GAMES)
def test_weights_change_from_turn_to_turn_without_a_jump(game_id: str) -> None:
    """Those of the table at its turns, the first before them and the last after."""
    table = weights_of(game_id)
    assert all(on_turn(table, turn) == pytest.approx(row) for turn, row in table)
    assert on_turn(table, 1) == pytest.approx(table[0][1])
    assert on_turn(table, 40) == pytest.approx(table[-1][1])
    (left, low), (right, high) = table[:2]
    assert min(low[1], high[1]) <= on_turn(table, (left + right) // 2)[1] <= max(low[1], high[1])


@pytest.mark.parametrize("game_id", GAMES)
def test_the_general_looks_to_the_end_when_it_is_near(game_id: str) -> None:
    """One turn ahead, two from the last turn but one."""
    doctrine, last = doctrine_of(game_id), ladoga.load(game_id).turns
    for turn, ahead in ((1, 1), (last - 2, 1), (last - 1, 2)):
        view = at(game_id, "german-movement", {"a": unit("german", "0606", "8-A")}, turn=turn).view("german")
        assert doctrine.horizon(view) == ahead


@pytest.mark.parametrize("game_id", GAMES)
def test_the_general_fights_where_the_staff_spares_its_men(game_id: str) -> None:
    """A way to fight changes what is attacked: an even fight for a bold one only."""
    units = {
        "a": unit("german", "0606", "8-A 4-B"), "r": unit("soviet", "0707", "8-A 4-B", "rifle"),
    }  # fmt: skip
    position = at(game_id, "german-combat", units)
    player = make("staff")
    assert isinstance(player, StaffPlayer)
    assert player.choose(position.view("german"), random.Random(0)) == END
    player.bias = dict(doctrine_of(game_id).scripts("german")["at any price"])
    assert player.choose(position.view("german"), random.Random(0)).verb == "attack"


def test_ways_to_fight_that_come_to_the_same_are_tried_once() -> None:
    """On the same luck the same value means the same orders."""
    assert _distinct({"staff": 1.5, "bold": 2.0, "fast": 1.5, "slow": 2.0, "odd": 3.0}) == ["staff", "bold", "odd"]


def test_hunger_is_feared_where_losses_score() -> None:
    """A corps out of supply will lose steps, and each costs points there (11.24, 17.23)."""
    doctrine, judged = doctrine_of("assault-leningrad"), {}
    for state in ("in", "out"):
        units = {"a": {**unit("german", "0606", "8-A 4-B"), "supply": state}}
        judged[state] = doctrine.judge(at("assault-leningrad", "german-movement", units), "german") or 0.0
    assert judged["in"] - judged["out"] > 8.0


def test_an_attack_that_only_an_air_unit_makes_worth_while_is_made_beside_others() -> None:
    """Air units go to the attacks that they make possible, not only to those that are made anyhow (12.5)."""
    units = {
        "a": unit("german", "0606", "8-A 4-B"), "r": unit("soviet", "0707", "6-A", "rifle"),
        "b": unit("german", "1212", "8-A 4-B"), "s": unit("soviet", "1313", "3-C", "rifle"),
    }  # fmt: skip
    position = at("assault-leningrad", "german-combat", units, **{"support-left": 2})
    placed = set()
    while (order := ordered(position)).verb == "support":
        placed.update(order.hexes)
        position = position.play(order)  # type: ignore[assignment]
    assert placed == {"0707", "1313"}


@pytest.mark.case("assault-leningrad", "12.42")
def test_air_units_bomb_those_whom_an_attack_is_set_up_against() -> None:
    """A hit halves them and they cannot fall back; nobody is left on the ground while there is something to bomb."""
    units = {
        "a": unit("german", "0608", "8-A 4-B"), "b": unit("german", "0609", "8-A 4-B"),
        "r": unit("soviet", "0606", "4-A 2-B", "rifle"), "s": unit("soviet", "1606", "4-A 2-B", "rifle"),
    }  # fmt: skip
    position = at("assault-leningrad", "german-air-bombardment", units, air=4)
    bombed = []
    while (order := ordered(position)).verb == "bomb":
        bombed += order.hexes
        position = position.play(order)  # type: ignore[assignment]
    assert bombed
    assert set(bombed) == {"0606"}
    storms = March(German(position), second=False).storms(position.air)
    assert len(bombed) + len(storms) >= 4


def test_a_hex_that_bars_a_strong_corps_is_worth_more_than_one_that_bars_a_weak_one() -> None:
    """A corps does not sit before a post for the rest of the game."""
    place = {"1/1": "1134", "6/11": "1234", "191RD": "1133"}
    weak = at("assault-leningrad", "german-movement", {"1/1": place["1/1"], "191RD": "1133"}, map=None)
    strong = at("assault-leningrad", "german-movement", dict(place), map=None)
    h = strong.ground.grid.hex("1133")
    assert German(strong).worth(h) > German(weak).worth(h)


def test_a_division_goes_to_a_headquarters_that_the_enemy_could_find_alone() -> None:
    """Where both end up, the headquarters has company (11.33, 11.36)."""
    units = {
        "HQ51": "1118", "71ID": "1119", "44ID": "1017", "214RD": "1313", "131RD": "1012",
    }  # fmt: skip
    position = at("assault-stalingrad", "german-movement", units, map=None)
    ends = dict(units)
    for order in March(German(position), False).orders():
        ends[order.units[0]] = order.hexes[-1]
    post = position.ground.grid.hex(ends["HQ51"])
    picture = German(position)
    assert not picture.lonely(post) or ends["HQ51"] in (ends["71ID"], ends["44ID"])


def after_the_german_part(position: AssaultPosition, die: str) -> AssaultPosition:
    """What staffs leave of a position when the Soviets begin to move, if every die shows the same."""
    while position.to_move is not None and position.phase.side == "german":
        order = die if position.to_move == "chance" else ordered(position)
        position = position.play(order)  # type: ignore[assignment]
    return position


@pytest.mark.case("assault-stalingrad", "19.93")
def test_who_keeps_the_bridgehead_cut_off_stays_in_it() -> None:
    """An easy prey beside it is worth less than the points that go when its last division leaves."""
    units = {"113ID": "0120", "HQ8": "0120", "305ID": "0219", "181RD": "0118"}
    position = at("assault-stalingrad", "german-movement", units, map=None, turn=19)
    position = after_the_german_part(position, "die 6")
    assert position.hex("113ID") == "0120"


def test_a_bridgehead_that_a_headquarters_keeps_alone_is_manned() -> None:
    units = {"HQ8": "0120", "113ID": "0321", "181RD": "0115"}
    position = at("assault-stalingrad", "german-movement", units, map=None, turn=9, **{"german-held": ["0120"]})
    assert "move 113ID 0120" in ordered_movement(position)


def test_on_the_last_turn_every_division_goes_into_the_city_that_can() -> None:
    """Nothing that is lost afterwards is missed, and headquarters have fed the army by then (11.2, 19.91)."""
    units = {
        "60Mot": "1306", "HQ14": "1306", "29Mot": "1406", "HQ48": "1407", "4TC": "F5", "2TC": "G4", "22TC": "H5",
        "16TC": "I4", "13Gds": "J5", "36Gds": "K4", "37Gds": "L5", "71ID": "M5", "HQ51": "1506",
    }  # fmt: skip
    position = at("assault-stalingrad", "german-movement", units, map=None, turn=19)
    position = after_the_german_part(position, "die 1")
    interior = position.ground.interior
    assert all(interior >> position.where[position.index[name]] & 1 for name in ("60Mot", "29Mot", "71ID"))


@pytest.mark.case("assault-stalingrad", "19.91")
def test_on_the_last_turn_those_in_the_city_gather_against_who_came_in() -> None:
    """Before, they keep their districts; now only the key points have to be kept."""
    units = {"71ID": "K5", "HQ51": "1406", "13Gds": "J4", "36Gds": "I4", "37Gds": "K3", "4TC": "J3", "41Gds": "I3"}
    position = at("assault-stalingrad", "soviet-movement", units, map=None, turn=19)
    gathered = [order for order in ordered_movement(position) if order != "end"]
    assert len(gathered) >= 2
    assert not any("13Gds" in order for order in gathered)
    earlier = at("assault-stalingrad", "soviet-movement", units, map=None, turn=9)
    assert not Defence(Soviet(earlier))._strike()


def test_who_has_landed_in_the_city_makes_room_for_those_behind_him() -> None:
    """One division crosses by a ferry in a turn, and none while another stands where it lands (6.33)."""
    units = {
        "71ID": "M5", "HQ51": "1506", "13Gds": "C3", "37Gds": "H3", "36Gds": "1203", "4TC": "1304", "41Gds": "J4",
    }  # fmt: skip
    position = at("assault-stalingrad", "soviet-movement", units, map=None, turn=14)
    landings = Soviet(position)._landings
    assert {position.ground.number(h) for h in members(landings)} == {"C3", "H3"}
    while position.phase.id == "soviet-movement":
        position = position.play(ordered(position))  # type: ignore[assignment]
    assert position.ground.interior >> position.where[position.index["36Gds"]] & 1


@pytest.mark.case("assault-stalingrad", "19.92")
def test_who_keeps_a_victory_hex_alone_does_not_risk_it_for_a_poor_attack() -> None:
    """At one to two one die in six destroys the attacker, and the points of the hex go with him."""
    units = {"208RD": "J4", "371ID": "I5", "HQ51": "1406"}
    position = at("assault-stalingrad", "soviet-combat", units, map=None, turn=19)
    picture = Soviet(position)
    assert picture.scored(position.index["208RD"]) == 5.0
    assert ordered(position) == END


def test_nobody_is_sent_to_an_attack_that_goes_well_without_him() -> None:
    """Two divisions have four to one and close the way out; the third one goes on."""
    units = {
        "r": unit("soviet", "0904", "4-B 2-C", "rifle"), "g1": unit("german", "0906", "8-A"),
        "g2": unit("german", "0907", "8-A"), "g3": unit("german", "0908", "8-A"),
    }  # fmt: skip
    position = at("assault-stalingrad", "german-movement", units)
    picture = German(position)
    plan = Concentration(picture, bodies_of(picture, picture.of(GERMAN)), 0, lambda *_: True).plan()
    assert [len(assembly.stands) for assembly in plan] == [2]


def test_the_general_takes_the_best_of_the_ways_it_had_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A first round that is cut short is not for nothing."""
    player = RacingPlayer(think=60.0)
    values = {"": 1.0, "boldly": 90.0, "fast": 50.0}
    tried: list[str] = []

    def playout(self: RacingPlayer, view: Any, bias: dict[str, float], tempers: Any, luck: int) -> float:
        tried.append(next((word for word in bias), ""))
        return values[tried[-1]]

    monkeypatch.setattr(RacingPlayer, "_playout", playout)
    monkeypatch.setattr(RacingPlayer, "_out_of_time", lambda _: len(tried) > 2)
    view = ladoga.load("assault-stalingrad").start("campaign").view("german")
    ways = {AS_STAFF: {}, "boldly": {"boldly": 1.0}, "fast": {"fast": 1.0}}
    best, _ = player._race(view, ways, random.Random(0))
    assert tried == ["", "boldly", "fast"]
    assert best == "boldly"


def test_time_is_used_to_tell_a_better_way_from_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """A way that is better than the staff's is taken once it was so on enough dice, not at once."""
    values = {"": 10.0, "boldly": 11.5, "fast": 5.0}
    view = ladoga.load("assault-stalingrad").start("campaign").view("german")
    ways = {AS_STAFF: {}, "boldly": {"boldly": 1.0}, "fast": {"fast": 1.0}}
    chosen = []
    for most in (4, 40):
        tried: list[str] = []

        def playout(_: Any, __: Any, bias: dict[str, float], *rest: Any, tried: list[str] = tried) -> float:
            tried.append(next((word for word in bias), ""))
            return values.get(tried[-1], 0.0)

        monkeypatch.setattr(RacingPlayer, "_playout", playout)
        monkeypatch.setattr(RacingPlayer, "_out_of_time", lambda _, tried=tried, most=most: len(tried) >= most)
        chosen.append(RacingPlayer(think=60.0)._race(view, ways, random.Random(0))[0])
        assert len(tried) == most
    assert chosen == [AS_STAFF, "boldly"]


@pytest.mark.parametrize("steady", [True, False])
def test_with_time_left_the_best_way_is_changed(steady: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change that does better on every die is kept; one that did so on all but the last is not."""
    view = ladoga.load("assault-stalingrad").start("campaign").view("german")
    dice: list[int] = []
    tried: list[float] = []

    def playout(_: Any, __: Any, bias: dict[str, float], ___: Any, luck: int) -> float:
        if luck not in dice:
            dice.append(luck)
        tried.append(bias.get("thrift", 1.0))
        if tried[-1] <= 1.0:
            return dice.index(luck) + tried[-1]
        return dice.index(luck) + (15.0 if steady or dice.index(luck) < 3 else -90.0)

    monkeypatch.setattr(RacingPlayer, "_playout", playout)
    monkeypatch.setattr(RacingPlayer, "_out_of_time", lambda _: len(tried) >= 400)
    ways: dict[str, dict[str, float]] = {AS_STAFF: {}, "boldly": {"thrift": 0.5}}
    best, _ = RacingPlayer(think=60.0)._climb(view, ways, random.Random(0))
    assert best == ("as the staff would, with changes" if steady else AS_STAFF)
    assert (ways[best].get("thrift", 1.0) > 1.0) is steady
    assert len(dice) == doctrine_of("assault-stalingrad").race("german").varied


def test_a_climb_begins_with_the_best_of_the_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ways of the doctrine are tried before anything is changed, and what is found is told without its figures."""
    view = ladoga.load("assault-stalingrad").start("campaign").view("soviet")
    ways = doctrine_of("assault-stalingrad").scripts("soviet")
    tried: list[dict[str, float]] = []

    def playout(_: Any, __: Any, bias: dict[str, float], *rest: Any) -> float:
        tried.append(bias)
        return 10.0 * (bias.get("garrison", 1.0) == 2.0) + 10.0 * any(word.startswith(AIM) for word in bias)

    monkeypatch.setattr(RacingPlayer, "_playout", playout)
    monkeypatch.setattr(RacingPlayer, "_out_of_time", lambda _: len(tried) >= 400)
    player = RacingPlayer(think=60.0)
    player._think(view, random.Random(0))
    assert tried[1 : len(ways) + 1] == list(ways.values())
    assert player.choice == "fights for the city, with changes: +20.0"
    assert any(word.startswith(AIM) for word in player.bias)


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("side", ["german", "soviet"])
def test_a_way_is_changed_by_hexes_near_both_sides_or_by_words_that_are_known(game_id: str, side: str) -> None:
    units = {"a": unit("german", "0606", "8-A 4-B"), "r": unit("soviet", "0707", "8-A 4-B", "rifle")}
    position, rng = at(game_id, f"{side}-movement", units), random.Random(0)
    ground = position.ground
    near = ground.grid.within(ground.grid.mask(["0606", "0707"]), 4)
    ways = [doctrine_of(game_id).varied(position.view(side), {"thrift": 0.5}, rng) for _ in range(60)]
    aims = {word for way in ways for word in way if word.startswith(AIM)}
    assert aims
    assert not ground.grid.mask(word.removeprefix(AIM) for word in aims) & ~near
    known = {word for way in doctrine_of(game_id).scripts(side).values() for word in way}
    assert {word for way in ways for word in way} - aims <= known | set(WORDS[side])


@pytest.mark.parametrize("game_id", GAMES)
def test_a_hex_that_is_aimed_at_is_worth_more(game_id: str) -> None:
    """To the Germans, and as a post of the Soviets."""
    units = {"a": unit("german", "0606", "8-A 4-B"), "r": unit("soviet", "0909", "8-A 4-B", "rifle")}
    position = at(game_id, "german-movement", units)
    h, aim = position.ground.grid.hex("0708"), {f"{AIM}0708": 20.0}
    assert German(position, aim).worth(h) == German(position).worth(h) + 20.0
    assert Soviet(position, aim).posts[h] == Soviet(position).posts.get(h, 0.0) + 20.0


@pytest.mark.case("assault-stalingrad", "19.33")
def test_our_bank_of_the_don_is_the_one_that_is_joined_to_the_city() -> None:
    """In the bend of the north too, where the other bank is nearer to the city as the crow flies."""
    picture = Soviet(at("assault-stalingrad", "soviet-movement", {"63RD": "0217"}, map=None))
    banks = {picture.ground.number(h) for h in picture.grid.members(picture._banks)}
    assert {"0120", "0219", "0218", "1010", "1413"} <= banks
    assert not {"0220", "0319", "0417", "1414"} & banks


@pytest.mark.case("assault-leningrad", "10.26")
def test_an_attacker_loses_a_step_for_a_hex_that_is_worth_more() -> None:
    """Kingisepp bars the way of two corps: falling back would spare its garrison."""
    units: dict[str, Any] = {"1/1": "1134", "1ID": "1232", "58ID": "1033", "HQ41": "1234", "HQ38": "1135"}
    units["191RD"] = "1133"
    position = at("assault-leningrad", "german-combat", units, map=None)
    hurt = position.play("attack 1/1+1ID+58ID 1133")
    chosen = []
    for die in hurt.legal:
        after = hurt.play(die)
        assert isinstance(after, AssaultPosition)
        if isinstance(after.pending, Fight) and after.pending.side == "german" and after.pending.then > 1:
            chosen.append(ordered(after).verb)
    assert chosen
    assert set(chosen) == {"lose"}


@pytest.mark.case("assault-leningrad", "11.35")
def test_bodies_are_sent_against_an_enemy_behind_the_headquarters() -> None:
    """Who could cut a corps off next turn is hunted by the nearest, though the corps marches on."""
    units = {"HQ41": "0925", "1/1": "0825", "96ID": "1436", "LTS": "1230"}
    picture = German(at("assault-leningrad", "german-movement", units, map=None, turn=12))
    raider = picture.grid.hex("1230")
    assert picture.raiders.get(raider)
    March(picture, False).orders()
    assert picture.errands[picture.pos.index["96ID"],] == 1 << raider


@pytest.mark.case("assault-leningrad", "11.35")
def test_a_headquarters_that_is_cut_off_goes_back_to_supply_not_on_with_its_corps() -> None:
    """It feeds nobody while nothing feeds it, and its corps does not march on alone."""
    red = {"1TD": "1133", "235RD": "2823", "10RD": "1120", "281RD": "3520", "191RD": "3516"}
    units = {"HQ41": "0925", "1/1": "0824", "1/1m": "0824", "1/113": "0824", **red}
    position = at("assault-leningrad", "german-movement", units, map=None, turn=9)
    picture = German(position)
    assert not picture.feeding >> position.ground.grid.hex("0925") & 1
    ends = dict(units)
    for order in March(picture, False).orders():
        ends[order.units[0]] = order.hexes[-1]
    far = [picture.far("41", "infantry", picture.grid.hex(h)) for h in (ends["HQ41"], "0925")]
    assert far[0] >= far[1]


@pytest.mark.parametrize("taken", [True, False])
def test_a_corps_keeps_the_lines_regiment_by_regiment_once_its_first_place_is_taken(taken: bool) -> None:
    """From the edge of the map, where no line has to be open (11.13); until then it marches as a body."""
    units = {"HQ28": "3423", "Tot/1": "2924", "Tot/2": "2924", "Tot/3": "2924", "10RD": "0611"}
    units |= {} if taken else {"235RD": "2823"}
    picture = German(at("assault-leningrad", "german-movement", units, map=None, turn=6))
    assert picture.keeps("28") is taken
    assert (not picture.posts("28") & ~picture._edge) is taken
    ends = dict(units)
    for order in March(picture, False).orders():
        for name in order.units:
            ends[name] = order.hexes[-1]
    assert len({ends["Tot/1"], ends["Tot/2"], ends["Tot/3"]}) == (3 if taken else 1)
    assert not German(at("assault-stalingrad", "german-movement", {"71ID": "1306"}, map=None)).keeps("51")


@pytest.mark.case("assault-stalingrad", "19.91")
def test_germans_go_into_stalingrad_when_it_counts() -> None:
    """Each unit in the city scores at the end, so that it is worth more to stand there the later it is."""
    units = {"71ID": "1306", "HQ51": "1307"}
    early, late = (
        German(at("assault-stalingrad", "german-movement", units, map=None, turn=turn)) for turn in (8, 19)
    )  # fmt: skip
    inside = early.grid.hex("H5")
    assert 0.0 < early.inside(inside) < late.inside(inside) == 3.0
    assert early.inside(early.grid.hex("1306")) == 0.0
    leningrad = German(at("assault-leningrad", "german-movement", {"1/1": "1134"}, map=None))
    assert not any(leningrad.inside(h) for h in leningrad.grid.members(leningrad.ground.interior))


@pytest.mark.case("assault-stalingrad", "11.15")
def test_who_alone_bars_the_line_of_a_headquarters_is_worth_attacking() -> None:
    """Divisions on both roads: whichever is driven off, the corps is fed again."""
    units = {"HQ51": "1406", "71ID": "1306", "44ID": "1407", "214RD": "1410"}
    one = German(at("assault-stalingrad", "german-movement", units, map=None))
    assert not one.cutters
    both = German(at("assault-stalingrad", "german-movement", {**units, "399RD": "1909"}, map=None))
    assert {both.ground.number(h): starved for h, starved in both.cutters.items()} == {"1410": 12.0, "1909": 12.0}
    assert both.worth(both.grid.hex("1909")) > one.worth(one.grid.hex("1410"))


def test_a_division_stands_where_it_opens_the_way_to_one_that_is_cut_off() -> None:
    """A friend in a hex keeps a path open through the enemy's zones (11.15)."""
    units = {"HQ51": "1413", "44ID": "1408", "71ID": "1412", "13Gds": "1309", "35Gds": "1508"}
    position = at("assault-stalingrad", "german-movement", units, map=None)
    picture = German(position)
    assert picture.stranded.keys() == {"51"}
    assert {picture.ground.number(h) for _, h, _ in picture.reliefs()} == {"1409", "1509"}
    assert Order("move", ("71ID",), ("1409",)) in March(picture, False).orders()


def test_quarters_of_the_city_are_fed_each_by_its_own_way() -> None:
    """A headquarters inside feeds only whom it can reach past the enemy's zones; before the city, both (11.53)."""
    units = {"HQ51": "1307", "44ID": "B4", "71ID": "K4", "13Gds": "F5", "35Gds": "F3"}
    march = March(German(at("assault-stalingrad", "german-movement", units, map=None)), False)
    ground = march.picture.ground
    wards = [around for around, _ in march._wards(march._open())["51"]]
    assert [around >> ground.grid.hex("K5") & 1 for around in wards] == [0, 1]
    assert all(around >> ground.grid.hex("1307") & 1 for around in wards)


def test_weights_are_found_again_in_what_they_explain() -> None:
    """Where margins follow from two things that are seen, games enough tell their worth."""
    rng, samples = random.Random(3), []
    for _ in range(4000):
        seen = figures(Measures, points=rng.uniform(-9, 9), front=rng.uniform(0, 30))
        samples.append(Sample(rng.randint(1, 19), rng.randrange(2), seen, 2.0 * seen.points - seen.front + 5))
    before = tuple((turn, figures(Measures)) for turn in (3, 10, 18))
    weights = fitted(samples, before)
    for _, found in weights:
        assert found.points == pytest.approx(2.0, abs=0.5)
        assert found.front == pytest.approx(-1.0, abs=0.25)
    assert explained(samples, weights) > 0.9 > explained(samples, before)


def test_a_position_is_judged_by_what_is_seen_of_it() -> None:
    """Every weight multiplies one thing seen."""
    position = at("assault-stalingrad", "german-movement", {"16Pz": "1409", "13Gds": "1309"}, map=None)
    worth = on_turn(weights_of("assault-stalingrad"), position.turn)
    judged = sum(a * b for a, b in zip(worth, measures(position), strict=True))
    assert doctrine_of("assault-stalingrad").judge(position, "german") == pytest.approx(judged)


def at_the_gates(**more: Any) -> AssaultPosition:
    """Two divisions beside the city, with nobody but workers in it, and their headquarters before it."""
    units = {"269ID": "0420", "Pol": "0419", "HQ56": "0521", "W1": "0320", "W8": "0220"}
    return at("assault-leningrad", "german-movement", units, map=None, turn=21, **more)


def test_somebody_knocks_at_the_city_first() -> None:
    """Nobody gets into the city before the enemy has been summoned (8.33): one division goes to its edge, and the plan
    is made anew with the city open."""
    position = at_the_gates()
    orders = March(German(position), second=False).orders()
    assert len(orders) == 1
    inset = position.ground.inset
    assert inset >> position.ground.grid.hex(orders[0].hexes[-1]) & 1
    assert not [o for o in March(German(position, {"knock": 0.0}), second=False).orders() if o == orders[0]]


def test_a_place_that_scores_is_worth_going_to() -> None:
    """Who passed through it last has its points (17.22)."""
    picture = German(at_the_gates())
    mga = picture.grid.hex("0611")
    assert picture.takes >> mga & 1
    assert not picture.takes & picture.ground.place("garrison")


@pytest.mark.case("assault-leningrad", "11.24")
def test_on_the_last_turn_a_division_goes_where_it_scores_though_nobody_feeds_it_there() -> None:
    """Who is cut off after the last check of his own turn loses nothing by it any more."""
    units: dict[str, Any] = {"269ID": "I6", "Pol": "0419", "HQ56": "2823", "W1": "F5", "W8": "B5"}
    ends = {}
    for turn in (24, 25):
        picture = German(at("assault-leningrad", "german-movement", units, map=None, turn=turn))
        ends[turn] = {o.units[0]: o.hexes[-1] for o in March(picture, second=False).orders()}["Pol"]
        pol = next(body for body in bodies_of(picture, [picture.pos.index["Pol"]]))
        assert picture.fed(pol, picture.grid.hex("0611")) == (turn == 25)
    assert ends[24] != "0611" == ends[25]


@pytest.mark.parametrize("game_id", GAMES)
def test_ground_that_does_not_score_counts_for_little_on_the_last_turn(game_id: str) -> None:
    """What bars a way bars nobody any more."""
    last = ladoga.load(game_id).turns
    worth = [
        Soviet(at(game_id, "soviet-movement", {"r": unit("soviet", "0606", "4-B", "rifle")}, turn=turn)).worth(100)
        for turn in (4, last)
    ]
    assert worth[1] < 0.5 * worth[0]
