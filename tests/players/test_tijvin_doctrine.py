"""What the staff knows of Tijvin 1941."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import Any

import pytest

import ladoga
from ladoga import players
from ladoga.games.tijvin.position import TijvinPosition
from ladoga.kernel.orders import END, Order
from ladoga.kernel.position import Position
from ladoga.players.doctrines.tijvin import _seat
from ladoga.players.doctrines.tijvin_staff.blows import chances
from ladoga.players.doctrines.tijvin_staff.campaign import Campaign
from ladoga.players.doctrines.tijvin_staff.drafts import DULL, MOST, Drafts
from ladoga.players.doctrines.tijvin_staff.forecast import forecast, prices, weights_of
from ladoga.players.doctrines.tijvin_staff.lie import Lie
from ladoga.players.doctrines.tijvin_staff.marches import ESCORT, Plan
from ladoga.players.doctrines.tijvin_staff.search import Budget, Rehearsal, Way, above_mean
from ladoga.players.general import GeneralPlayer
from ladoga.players.tuning import tuning

GAME = ladoga.load("tijvin-1941")


def situation(**keys: Any) -> Position:
    keys.setdefault("turn", 3)
    return GAME.position({"game": "tijvin-1941", "map": {"blank": [14, 12], **keys.pop("map", {})}, **keys})


def unit(side: str, hex_number: str, cf: int, kind: str = "infantry", efficiency: int = 1) -> dict[str, Any]:
    return {"side": side, "type": kind, "cf": cf, "efficiency": efficiency, "hex": hex_number}


def chosen(position: Position, name: str = "staff") -> tuple[str, str]:
    player = players.make(name)
    assert position.to_move is not None
    order = player.choose(position.view(position.to_move), random.Random(1))
    assert position.why_not(order) is None
    assert player.reason or len(list(position.legal)) == 1
    assert "\n" not in player.reason
    return str(order), player.reason


def test_chances_are_those_of_two_dice() -> None:
    level = chances(0, 0)
    assert (level.win, level.draw) == (pytest.approx(15 / 36), pytest.approx(6 / 36))
    assert chances(5, 0).win == pytest.approx(35 / 36), "only 1 against 6 draws"
    assert chances(2, 0).theirs > chances(2, 2).theirs, "high rolls double a low total, not a high one"


def test_an_attack_that_pays_is_marched_to_and_made() -> None:
    units = {"a": unit("german", "0505", 12, efficiency=2), "r": unit("soviet", "0705", 3)}
    position = situation(phase="german-movement", units=units, hqs={"39-AK": {"hex": "0405"}}, control="all")
    march, reason = chosen(position)
    assert march.startswith("move a ")
    assert "attack" in reason
    position = position.play(march)
    assert chosen(position)[0] == "end"
    position = position.play("end")
    assert position.phase.id == "german-combat"
    assert chosen(position)[0].split()[1].startswith("a")
    assert chosen(position)[0].endswith(" 0705")


def test_a_bad_attack_is_left_alone() -> None:
    units = {"a": unit("german", "0505", 4, efficiency=2), "r": unit("soviet", "0605", 15)}
    woods = {"hexes": {"0605": "forest"}}
    position = situation(phase="german-combat", units=units, hqs={"39-AK": {"hex": "0405"}}, map=woods)
    assert chosen(position)[0] == "end"


def test_nobody_flies_against_those_who_run_without_a_fight() -> None:
    """A Soviet stack out of command may retreat at once, and again before those who exploit (11)."""
    runner = unit("soviet", "0605", 8) | {"commanded": False}
    units = {"a": unit("german", "0505", 8, "tank", 3), "r": runner}
    position = situation(phase="german-combat", units=units, hqs={"39-AK": {"hex": "0405"}}, control="all")
    position = position.play("attack a 0605").play("die 1")
    while position.to_move == "soviet":
        position = position.play(position.legal.random(random.Random(1)))
    position = position.play("advance a 0605")
    assert position.prompt.startswith("Exploit")
    order, _ = chosen(position)
    assert order.startswith("attack a ")


def test_units_out_of_command_are_assigned_to_who_reaches_them() -> None:
    units = {"227-ID": {"hex": "0205"}, "21-ID": {"hex": "0206", "hq": "39-AK"}, "r": unit("soviet", "1105", 6)}
    hqs = {"I-AK": {"hex": "0205"}, "39-AK": {"hex": "1203"}}
    position = situation(phase="german-assignment", units=units, hqs=hqs)
    assert chosen(position)[0] == "assign 21-ID I-AK"


def test_the_enemy_loses_his_dearest_factor_and_we_our_cheapest() -> None:
    units = {
        "p": unit("german", "0505", 5, "tank", 3), "i": unit("german", "0505", 5, efficiency=2),
        "r": unit("soviet", "0605", 6), "q": unit("soviet", "0605", 6, efficiency=2),
    }  # fmt: skip
    position = situation(phase="german-combat", units=units, hqs={"39-AK": {"hex": "0405"}})
    position = position.play("attack p+i 0605")
    rng = random.Random(4)
    picked = 0
    while position.phase.id == "german-combat" and position.to_move is not None:
        if position.prompt.startswith("Choose the unit that loses"):
            order, reason = chosen(position)
            own = position.to_move == ("german" if order.split()[1] in "pi" else "soviet")
            picked += 1
            assert order.split()[1] in (("i", "r") if own else ("p", "q")) or len(list(position.legal)) == 1
            assert not reason or reason.endswith("is missed least" if own else "the enemy misses it most")
        position = position.play(position.legal.random(rng))
    assert picked


def _opening() -> Position:
    """The first German march."""
    position: Position = GAME.start()
    while position.phase.id != "german-movement":
        mover = position.to_move
        assert mover is not None
        order = position.legal.random(random.Random(1)) if mover == "chance" else players.make("staff").choose(
            position.view(mover), random.Random(1))  # fmt: skip
        position = position.play(order)
    return position


def test_the_general_makes_several_plans() -> None:
    position = _opening()
    general = GeneralPlayer(nodes=800)
    order = general.choose(position.view("german"), random.Random(1))
    assert order.verb == "move"
    assert position.why_not(order) is None
    assert "the best of 5 plans" in general.reason
    assert "played on" in general.reason
    hurried = GeneralPlayer(think=0.0)
    assert hurried.choose(position.view("german"), random.Random(1)).verb == "move"
    assert "plans" not in hurried.reason


def test_the_general_makes_up_his_mind_when_told() -> None:
    position, general = _opening(), GeneralPlayer(think=30.0)
    general.stop()
    begun = time.monotonic()
    assert general.choose(position.view("german"), random.Random(1)).verb == "move"
    assert time.monotonic() - begun < 20.0
    assert not general.told.is_set()


def test_drafts_end_when_they_say_nothing_new() -> None:
    """Four hundred were made of one unit that could only go one way, and a third of the time was gone."""
    units = {"g": unit("german", "0505", 12, efficiency=2), "r": unit("soviet", "0705", 3)}
    p = situation(phase="german-movement", units=units, hqs={"39-AK": {"hex": "0405"}}, control="all")
    assert isinstance(p, TijvinPosition)

    def reading(temper: Mapping[str, float]) -> Lie:
        return Lie(p, "german", tuning("tijvin-1941").side("german"), temper)

    drafts = Drafts(reading({}), reading, Budget(10_000, None), random.Random(1))
    found = drafts.best(Campaign(drafts.lie).plan())
    assert drafts.made < DULL * (len(found) + 1) < MOST


def test_the_staffs_plan_comes_first_and_then_the_best_drafts() -> None:
    p = _opening()
    assert isinstance(p, TijvinPosition)

    def reading(temper: Mapping[str, float]) -> Lie:
        return Lie(p, "german", tuning("tijvin-1941").side("german"), temper)

    drafts = Drafts(reading({}), reading, Budget(6, None), random.Random(1))
    first = Campaign(drafts.lie).plan()

    def worth(plan: Plan) -> float:
        return drafts.stand.value(plan.where, [drafts.stand.campaign.seen(blow, plan.where) for blow in plan.blows])

    found = drafts.best(first)
    assert drafts.made == 6
    assert found[0] is first
    assert all(set(plan.where) == set(first.where) for plan in found)
    values = [worth(plan) for plan in found[1:]]
    assert values
    assert values[0] >= worth(first)
    assert values == sorted(values, reverse=True)


def test_what_an_activation_promises_is_held_against_the_staffs_plan() -> None:
    """The better way is first among those that promise something; none is played to the end of the turn for that."""
    p = _opening()
    assert isinstance(p, TijvinPosition)
    plan = Campaign(Lie(p, "german", tuning("tijvin-1941").side("german"), {})).plan()
    lie = Lie(p, "german", tuning("tijvin-1941").side("german"), {})
    stays = Way((END,))
    rehearsal = Rehearsal(p, "german", _seat, Budget(400, None), random.Random(1), {})
    found = rehearsal.near([stays, Way(tuple(plan.orders(lie)))], 1.0)
    assert found[0] is stays
    assert found[1].promise > 0.0
    assert rehearsal.played == 0


def test_who_acts_last_looks_on_to_what_the_enemy_does_in_the_next_turn() -> None:
    """The last army to act saw nothing of the blow that its stand invited: the turn was over before it fell."""
    units = {"g": unit("german", "0505", 15, efficiency=2), "r": unit("soviet", "0706", 3)}

    def rehearsal(acted: bool) -> Rehearsal:
        seats: dict[str, Any] = {"4-Army": {"hex": "0706"}, "39-AK": {"hex": "0505", "activated": acted}}
        p = situation(phase="soviet-movement", units=units, hqs=seats, control="0505")
        assert isinstance(p, TijvinPosition)
        return Rehearsal(p, "soviet", _seat, Budget(300, None), random.Random(1), {})

    stays, leaves = Way((END,)), Way((Order("move", ("r",), ("0710",)), END))
    early, late = rehearsal(acted=False), rehearsal(acted=True)
    assert (early.late, late.late) == (False, True)
    assert late.far([stays, leaves])[1] > 0.0, "three factors beside fifteen are gone when the next turn is over"
    assert late._on((END,), 1, {})[1] > late._on((END,), 1, {}, near=True)[1]


@pytest.mark.case("tijvin-1941", "13.IV")
def test_several_small_stacks_pay_more_than_one_large_one() -> None:
    """The stronger stack is beaten less often, and less often by twice the roll; who cannot retreat loses everybody."""
    units = {"g": unit("german", "0505", 15, efficiency=2), "r": unit("soviet", "0706", 12)}
    p = situation(phase="soviet-movement", units=units, hqs={"4-Army": {"hex": "0706"}}, control="0505")
    assert isinstance(p, TijvinPosition)
    lie = Lie(p, "soviet", tuning("tijvin-1941").side("soviet"), {})
    h = p.ground.grid.hex("0706")
    assert lie.ways_out(h).bit_count() == 6
    assert 0 < lie.toll(h, 12, 1) < 2 * lie.toll(h, 6, 1)
    lie._ways[h], lie._tolls = 0, {}
    assert lie.toll(h, 12, 1) > 6.0


@pytest.mark.case("tijvin-1941", "13.V")
def test_a_stack_to_which_every_way_out_can_be_closed_pays_with_all_it_has() -> None:
    """Volkhov fell so with everybody in it: five hexes were left to go to, and six regiments of one corps came."""
    north = {n: unit("german", n, 5, "motorized", 3) for n in ("0703", "0704", "0803", "0804", "0604", "0603")}
    units = {**north, "r": unit("soviet", "0706", 12)}
    units |= {name: units[name] | {"hq": "39-AK"} for name in north}

    def reading(**changed: Any) -> Lie:
        there = {**units, **changed}
        p = situation(phase="soviet-movement", units=there, hqs={"4-Army": {"hex": "0706"}, "39-AK": {"hex": "0702"}})
        assert isinstance(p, TijvinPosition)
        return Lie(p, "soviet", tuning("tijvin-1941").side("soviet"), {})

    lie = reading()
    h, behind = lie.grid.hex("0706"), 1 << lie.grid.hex("0707")
    assert lie.snared(h, 0)
    assert lie.toll(h, 12, 1, snared=True) > 1.3 * lie.toll(h, 12, 1)
    assert not lie.snared(h, behind), "a friend keeps a way open"
    parted = {name: units[name] | {"hq": "I-AK"} for name in list(north)[:3]}
    assert not reading(**parted).snared(h, 0), "one corps after the other: the Soviets act in between"


@pytest.mark.case("tijvin-1941", "13.V")
def test_a_garrison_that_may_stand_holds_its_city_the_more_surely() -> None:
    """Large enough, in a major city, with its headquarters: a die of three holds it, if it was not beaten twofold."""

    def falls(cf: int, place: str, seat: str) -> float:
        units = {"g": unit("german", "0505", 15, efficiency=2), "r": unit("soviet", "0707", cf)}
        places = {"hexes": {}, "places": {"0707": [place]}}
        p = situation(phase="soviet-movement", units=units, hqs={"4-Army": {"hex": seat}}, map=places, control="0505")
        assert isinstance(p, TijvinPosition)
        lie, h = Lie(p, "soviet", tuning("tijvin-1941").side("soviet"), {}), p.ground.grid.hex("0707")
        assert lie.threat(h)[0] > 0
        return (1.0 - lie.held_by(h, cf)) / lie.danger(h, cf, 1.5, 0)

    assert falls(12, "major-city", "0707") == pytest.approx(0.7)
    assert falls(12, "major-city", "1110") == pytest.approx(0.8)
    assert falls(12, "minor-city", "1110") == pytest.approx(0.9)
    assert falls(5, "major-city", "0707") == 1.0


def test_cities_promise_more_the_fewer_turns_are_left() -> None:
    """At the end they are all that counts (14): twenty-one points win and fourteen lose."""

    def promise(turn: int, control: str) -> float:
        position = GAME.position({"game": "tijvin-1941", "turn": turn, "phase": "weather", "control": control})
        assert isinstance(position, TijvinPosition)
        assert forecast(position, "soviet") == -forecast(position, "german")
        return forecast(position, "german")

    gaps = [promise(turn, "all") - promise(turn, "0101") for turn in (5, 9, 12, 15)]
    assert gaps == sorted(gaps)
    assert gaps[0] > 0


def test_factors_are_worth_more_than_cities_until_the_end_is_near() -> None:
    """A dozen Soviet factors outweigh a major city on turn 5, not on the last."""
    table = [line for _, line in weights_of("tijvin-1941")]
    assert -12 * table[3].soviet > table[3].major
    assert -12 * table[-1].soviet < table[-1].major
    assert all(line.soviet < 0 < line.mobile and line.defended < 0 for line in table)


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
@pytest.mark.parametrize("options", [{}, {"fog-of-war": True, "minimum-hq": True}], ids=["plain", "options"])
def test_the_staff_plays_every_scenario_to_its_end(scenario: str, options: dict[str, bool]) -> None:
    position: Position = GAME.start(scenario, options)
    seats = {side: players.make("staff") for side in GAME.sides}
    dice = random.Random(7)
    reasons = set()
    while position.to_move is not None:
        mover = position.to_move
        if mover == "chance":
            order = position.legal.random(dice)
        else:
            order = seats[mover].choose(position.view(mover), dice)
            reasons.add(seats[mover].reason.partition(" ")[0])
        position = position.play(order)
    assert position.turn == GAME.scenarios[scenario].turns
    assert len(reasons) > 5


def test_a_headquarters_that_stays_behind_keeps_its_escort() -> None:
    """The corps that acts does not march off from the headquarters of another if the enemy is near."""
    units = {"a": unit("german", "0505", 8, efficiency=2), "r": unit("soviet", "0805", 14, efficiency=2)}
    alone = situation(
        phase="german-movement", units=units, hqs={"I-AK": {"hex": "0405"}, "39-AK": {"hex": "0505"}}, control="all"
    )
    assert isinstance(alone, TijvinPosition)
    march = Campaign(Lie(alone, "german", tuning("tijvin-1941").side("german"), {}))
    u = alone.roster.index["a"]
    assert alone.ground.grid.hex("0505") in march.escorted
    assert march._absence(u) == ESCORT


@pytest.mark.case("tijvin-1941", "13.III")
def test_the_luck_of_combat_rolls_is_nothing_on_average() -> None:
    """Over all rolls of both dice, what they give above the mean adds up to nothing; a city tells more than a field."""
    spread = {}
    for city in (False, True):
        given = {"places": {"0605": ["major-city"]}} if city else {}
        units = {"a": unit("german", "0505", 8, efficiency=2), "r": unit("soviet", "0605", 5)}
        seats = {"39-AK": {"hex": "0505"}}
        position = situation(
            turn=12, phase="german-combat", units=units, hqs=seats, active=["a"], control="all", map=given
        )
        assert isinstance(position, TijvinPosition)
        worth = prices(position)
        position = position.play("attack a 0605")
        while position.chance is None:
            position = position.play(next(iter(position.legal)))
        assert isinstance(position, TijvinPosition)
        assert position.stage == "attack-die"
        luck = []
        for first in position.legal:
            rolled = position.play(first)
            assert isinstance(rolled, TijvinPosition)
            assert above_mean(position, first, worth) == 0.0
            luck += [above_mean(rolled, second, worth) for second in rolled.legal]
        assert sum(luck) == pytest.approx(0.0)
        spread[city] = max(luck) - min(luck)
    assert spread[True] > spread[False] > 0.0
