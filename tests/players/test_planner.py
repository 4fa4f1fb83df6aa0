"""The planner: it reads the board exactly, brings units to the attack, closes the ways out, and keeps its time."""

from __future__ import annotations

import random
import time
from threading import Timer
from typing import Any

import pytest

import ladoga
from ladoga.games.leningrad.prospect import LeningradProspect
from ladoga.hexes import members
from ladoga.kernel.orders import Order
from ladoga.kernel.position import Position
from ladoga.kernel.prospect import Prospect, prospect_of, published
from ladoga.players.general import GeneralPlayer, Work
from ladoga.players.planner.appraisal import PLAIN, Appraiser
from ladoga.players.planner.blows import Blows
from ladoga.players.planner.conduct import Conduct
from ladoga.players.planner.search import Search
from ladoga.players.planner.weights import weights_of

GAMES = ("leningrad-1979", "leningrad-2010")


def soviet(h: str, attack: int = 3, defence: int = 3) -> dict[str, Any]:
    return {
        "side": "soviet", "type": "infantry", "attack": attack, "defence": defence, "movement": 5, "hex": h
    }  # fmt: skip


def on_map(phase: str, units: dict[str, dict[str, Any]], turn: int = 5) -> Position:
    document = {"game": "leningrad-1979", "turn": turn, "phase": phase, "units": units}
    return ladoga.load("leningrad-1979").position(document)


def blank(phase: str, units: dict[str, dict[str, Any]], turn: int = 5) -> Position:
    document = {"game": "leningrad-1979", "turn": turn, "phase": phase, "map": {"blank": [9, 9]}, "units": units}
    return ladoga.load("leningrad-1979").position(document)


def read(position: Position) -> LeningradProspect:
    assert position.to_move is not None
    prospect = prospect_of(position.view(position.to_move))
    assert isinstance(prospect, LeningradProspect)
    return prospect


def played(game: str, seed: int, orders: int, phase: str) -> Position:
    """A position of a random game in a phase."""
    rng = random.Random(seed)
    position: Position = ladoga.load(game).start()
    while orders > 0 or position.phase.id != phase or position.to_move != phase.partition("-")[0]:
        position = position.play(position.legal.random(rng))
        orders -= 1
        if position.to_move is None:
            position = ladoga.load(game).start()
    return position


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("phase", ["german-combat", "soviet-combat"])
@pytest.mark.parametrize("seed", range(4))
def test_the_odds_are_those_of_the_rules(game: str, phase: str, seed: int) -> None:
    position = played(game, seed, 250, phase)
    prospect = read(position)
    for order in [order for order in position.legal if order.verb == "target"][:4]:
        composing = position.play(order)
        units: list[int] = []
        for joined in [o for o in composing.legal if o.verb == "add"][:4]:
            composing = composing.play(joined)
            units.append(prospect.names[joined.units[0]])
        if composing.why_not("commit") is not None:
            continue
        chances = dict.fromkeys(range(6), 0.0)
        for code, probability in composing.explain("commit").results:
            for half, part in enumerate(code.split("/")):
                if part != "-":
                    chances["12E".index(part) + 3 * half] += float(probability)
        found = prospect.chances(units, prospect.grid.hex(order.hexes[0]), prospect.stand)
        assert found == pytest.approx(tuple(chances.values()), abs=1e-9)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("phase", ["german-movement", "soviet-movement"])
def test_reach_holds_all_that_the_rules_allow(game: str, phase: str) -> None:
    for seed in range(3):
        position = played(game, seed, 200, phase)
        prospect = read(position)
        for unit in [unit for unit in prospect.of(prospect.side) if prospect.stand.where[unit] >= 0]:
            allowed = prospect.grid.mask(position.reach((prospect.units[unit].id,)))
            assert not allowed & ~prospect.reach(unit)


@pytest.mark.parametrize("game", GAMES)
def test_reinforcements_reach_what_they_can_when_they_have_entered(game: str) -> None:
    """And the plan that sends one somewhere has it enter and go on at once."""
    position = played(game, 1, 400, "soviet-movement")
    prospect = read(position)
    waiting = [unit for unit in prospect.of(prospect.side) if prospect.stand.where[unit] < 0]
    assert waiting
    for unit in waiting:
        name, allowed = prospect.units[unit].id, 0
        for order in position.legal:
            if order.verb == "enter" and order.units == (name,):
                entered = read(position.play(order))
                allowed |= 1 << prospect.grid.hex(order.hexes[0]) | entered.reach(entered.names[name])
        assert prospect.reach(unit) == allowed


def test_a_reinforcement_enters_and_goes_on_at_once() -> None:
    units = {"i24": {"due": "soviet-4-infantry"}, "1": {"hex": "2512"}}
    position = on_map("soviet-movement", units, turn=4)
    conduct = Conduct()
    plan = conduct.plan(position.view("soviet"), random.Random(0), Work(200))
    assert plan.stand.where[conduct.prospect(position.view("soviet")).names["i24"]] >= 0
    entry = conduct.next(position.view("soviet"))
    assert entry is not None
    assert entry.verb == "enter"
    going_on = conduct.next(position.play(entry).view("soviet"))
    assert going_on is not None
    assert going_on.units == ("i24",)
    assert going_on.verb == "move"


@pytest.mark.case("leningrad-1979", "17.4")
def test_the_bonus_is_for_attacks_and_not_for_overruns() -> None:
    found = []
    for bonus in (0, 4):
        prospect = read(blank("soviet-movement", {"1": {"hex": "0506"}, "x1": soviet("0505", 6, 6)}, turn=7))
        prospect.__dict__["_bonus"] = bonus
        target, units = prospect.grid.hex("0506"), [prospect.names["x1"]]
        found.append((prospect.overrun(units, target, prospect.stand), prospect.blow(units, target, prospect.stand)))
    (overrun, blow), (overrun_then, blow_then) = found
    assert overrun_then == overrun
    assert blow_then.falls > blow.falls


@pytest.mark.parametrize("game", GAMES)
def test_who_is_out_of_supply_is_known(game: str) -> None:
    for seed in range(3):
        position = played(game, seed, 300, "german-movement")
        prospect = read(position)
        for side in (0, 1):
            unfed = prospect.unfed(side, prospect.stand)
            for unit in [unit for unit in prospect.of(side) if prospect.stand.where[unit] >= 0]:
                assert bool(unfed >> unit & 1) == (not position.supply(prospect.units[unit].id).supplied)


@pytest.mark.case("leningrad-1979", "10.7")
def test_two_opposite_hexes_take_every_retreat_away() -> None:
    units = {"1": {"hex": "0505"}, "12": {"hex": "0507"}, "x1": soviet("0506")}
    prospect = read(blank("german-combat", units))
    target, names, grid = prospect.grid.hex("0506"), prospect.names, prospect.grid
    beside = prospect.stand.copy()
    beside.put(names["12"], 0, grid.hex("0505"))
    pair = [names["1"], names["12"]]
    assert prospect.blow(pair, target, beside).dead == 0
    assert prospect.blow(pair, target, prospect.stand).dead > 0.5
    assert prospect.ways_out(target, 0, 1 << grid.hex("0505"), beside)[0]
    assert prospect.ways_out(target, 0, 1 << grid.hex("0505") | 1 << grid.hex("0507"), prospect.stand) == (0, False)


def test_units_are_brought_to_the_attack() -> None:
    units = {name: {"hex": h} for name, h in (("1", "0202"), ("11", "0202"), ("12", "0203"), ("21", "0203"))}
    position = blank("german-movement", {**units, "x1": soviet("0505", 2, 2)})
    search = Search(read(position), random.Random(1), lambda looks: looks >= 300)
    plan = search.plan()
    assert plan.appraisal.value > plan.before
    assert [strike.target for strike in plan.appraisal.strikes] == [search.prospect.grid.hex("0505")]


def test_a_cut_of_supply_is_feared() -> None:
    """A lone division far up the road, an enemy near the road behind it."""
    units = {"1": {"hex": "2104"}, "x1": soviet("1211")}
    appraiser = Appraiser(read(on_map("german-movement", units)))
    stand = appraiser.prospect.stand.copy()
    assert appraiser.appraise(stand).parts[-1] > 0
    safe = Appraiser(read(on_map("german-movement", {"1": {"hex": "0711"}, "x1": soviet("2604")})))
    assert safe.appraise(safe.prospect.stand.copy()).parts[-1] == 0


def test_each_unit_strikes_once_and_each_hex_is_struck_once() -> None:
    position = played("leningrad-1979", 2, 300, "german-combat")
    prospect = read(position)
    strikes = Blows(prospect).strikes(prospect.side, prospect.stand, prospect.fresh(), 1.0, prospect.targets())
    units = [unit for strike in strikes for unit in strike.units]
    assert len(units) == len(set(units))
    assert len(strikes) == len({strike.target for strike in strikes})
    for strike in strikes:
        assert prospect.near(strike.target) & sum({1 << prospect.stand.where[u] for u in strike.units})


@pytest.mark.parametrize("game", GAMES)
def test_without_a_time_limit_the_general_repeats_himself(game: str) -> None:
    position = played(game, 5, 150, "german-movement")

    def orders() -> list[Order]:
        general, at, rng = GeneralPlayer(nodes=60), position, random.Random(1)
        found: list[Order] = []
        while at.to_move == "german" and at.phase.id == "german-movement":
            found.append(general.choose(at.view("german"), rng))
            at = at.play(found[-1])
        return found

    assert orders() == orders()


def test_the_general_stops_in_time() -> None:
    position = on_map("german-movement", {"1": {"hex": "0711"}, "12": {"hex": "0811"}, "x1": soviet("1010")})
    general = GeneralPlayer(think=0.2)
    started = time.monotonic()
    general.choose(position.view("german"), random.Random(1))
    assert time.monotonic() - started < 20.0
    assert general.reason


def test_the_general_makes_up_his_mind_when_told() -> None:
    position = on_map("german-movement", {"1": {"hex": "0711"}, "12": {"hex": "0811"}, "x1": soviet("1010")})
    general = GeneralPlayer(think=60.0)
    Timer(0.3, general.stop).start()
    started = time.monotonic()
    order = general.choose(position.view("german"), random.Random(1))
    assert time.monotonic() - started < 20.0
    assert position.why_not(order) is None
    assert general.progress == 1.0 or general.progress < 0.5


def test_nobody_fears_a_turn_that_does_not_come() -> None:
    units = {"1": {"hex": "2505"}, "11": {"hex": "2505"}, "x1": soviet("2604"), "x2": soviet("2506")}
    for turn, feared in ((11, True), (12, False)):
        appraiser = Appraiser(read(on_map("soviet-movement", units, turn)))
        found = appraiser.appraise(appraiser.prospect.stand.copy())
        assert bool(found.raids) == feared


def test_who_cuts_the_supply_is_hunted() -> None:
    """An army before the city, an enemy in Riga on its only free road."""
    stacks = {"2105": ("1/41", "6/41", "36/41"), "2104": ("1", "11", "12"), "2005": ("21", "30", "32"), "1207": ("58",)}
    army = {name: {"hex": h} for h, names in stacks.items() for name in names}
    blockers = {"x1": soviet("0908"), "x2": soviet("1113"), "x3": soviet("1010")}
    prospect = read(on_map("german-movement", {**army, **blockers}))
    assert prospect.unfed(0, prospect.stand)
    appraiser = Appraiser(prospect)
    posts, grid = appraiser.posts[prospect.names["58"]], prospect.grid
    assert posts[grid.hex("1007")] > posts[grid.hex("1307")]


def test_weights_are_kept_by_game_and_side() -> None:
    for game in GAMES:
        for side in ("german", "soviet"):
            assert weights_of(game, side)._fields == PLAIN._fields
    assert weights_of("toy", "north") == PLAIN


def test_the_common_reading_serves_any_game() -> None:
    position = ladoga.load("tijvin-1941").start()
    while position.to_move == "chance":
        position = position.play(position.legal.random(random.Random(1)))
    assert position.to_move is not None
    prospect = Prospect(position.view(position.to_move))
    assert prospect.units
    unit = prospect.units[0]
    assert prospect.march(unit.number, prospect.stand) >> unit.hex & 1
    assert all(prospect.room(h, unit.side, prospect.stand) < prospect.stack for h in members(1 << unit.hex))
    assert Appraiser(prospect).appraise(prospect.stand.copy()).value == pytest.approx(
        Appraiser(prospect).appraise(prospect.stand.copy()).value
    )
    assert published(ladoga.load("leningrad-2010"))


def test_the_army_marches_around_the_defile() -> None:
    prospect = read(on_map("german-movement", {"58": {"hex": "0909"}, "x1": soviet("2604")}))
    hex_, far = prospect.grid.hex, prospect.far(0, False)
    assert far[hex_("1204")] > far[hex_("1209")], "from Riga the way leads over Pskov"
    assert far[hex_("2004")] > far[hex_("2009")], "who goes by Narva queues there"


def test_hexes_of_the_city_from_which_others_are_attacked_count() -> None:
    units = {"58": {"hex": "2506"}, "x1": soviet("2605"), "x2": soviet("2207")}
    prospect = read(on_map("german-combat", units, turn=8))
    ahead, beside = (prospect.ground_worth(prospect.grid.hex(h), 0) for h in ("2605", "2207"))
    assert ahead > beside + 2.0
    last = read(on_map("german-combat", units, turn=12))
    assert last.ground_worth(last.grid.hex("2605"), 0) == pytest.approx(beside), "at the end only what scores"


def test_an_overrun_is_worth_the_march_that_it_opens_to_others() -> None:
    units = {name: {"hex": "1109"} for name in ("58", "61", "217")}
    prospect = read(on_map("german-movement", {**units, "x1": soviet("1209"), "x2": soviet("2604")}))
    conduct, appraiser = Conduct(), Appraiser(prospect)
    near, far = (conduct.opened(prospect, appraiser, prospect.grid.hex(h)) for h in ("1209", "2604"))
    assert near > 0 == far


def test_nobody_dies_to_make_room() -> None:
    """Six divisions stand in a hex that holds three: who must lose two steps there does not rather let more be lost in
    a retreat that leads nowhere."""
    crowd = {name: {"hex": "0113"} for name in ("12", "121", "122", "123", "253", "254")}
    beside = {name: {"hex": "0112"} for name in ("126", "290")}
    position = on_map("german-movement", {**crowd, **beside, "x1": soviet("0213", 5, 5), "x2": soviet("2604")}, turn=1)
    rng = random.Random(1)
    waiting = [position.play(Order("overrun", ("12", "121", "122"), ("0213",)))]
    asked = 0
    while waiting:
        now = waiting.pop()
        if now.chance is not None:
            waiting += [now.play(order) for order, _ in now.chance.outcomes]
            continue
        player, before = GeneralPlayer(nodes=100), steps(now)
        while now.to_move == "german" and any(order.verb in ("lose", "retreat") for order in now.legal):
            asked += 1
            now = now.play(player.choose(now.view("german"), rng))
        assert before - steps(now) <= 2
    assert asked


@pytest.mark.parametrize("nodes", [60, 300])
def test_a_plan_is_carried_out_whole_and_leaves_nobody_to_be_removed(nodes: int) -> None:
    """The Germans begin with seven and eight divisions in hexes that hold three: those who fill a hex go after those
    who go through it, or the others stay where they are too many."""
    position, rng = ladoga.load("leningrad-1979").start(), random.Random(0)
    players = {"german": GeneralPlayer(nodes=nodes), "soviet": ladoga.players.make("staff")}
    while position.phase.id != "german-combat":
        mover = position.to_move
        assert mover is not None
        order = position.legal.random(rng) if position.chance else players[mover].choose(position.view(mover), rng)
        assert order.verb != "remove"
        position = position.play(order)


def steps(position: Position) -> int:
    return sum(counter.steps for counter in position.table().counters if counter.hex and counter.side == "german")


def test_hunger_counts_less_when_the_end_is_near() -> None:
    units = {"58": {"hex": "2506"}, "x1": soviet("2605")}
    early, late = (read(on_map("german-movement", units, turn=turn)) for turn in (6, 12))
    shares = [prospect.hunger(0) / sum(prospect.prices(0)) for prospect in (early, late)]
    assert shares[1] < 0.5 * shares[0]


CITY = {
    "1": {"hex": "2505"}, "11": {"hex": "2505"}, "21": {"hex": "2505"}, "30": {"hex": "2605"}, "32": {"hex": "2605"},
    "58": {"hex": "2605"}, "1/41": {"hex": "2405"}, "6/41": {"hex": "2405"}, "36/41": {"hex": "2405"},
    "x1": soviet("2604"), "x2": soviet("2604"), "x3": soviet("2604"), "x4": soviet("2705"), "x5": soviet("2705"),
    "x6": soviet("2705"),
}  # fmt: skip
"""Infantry fills the hexes before the city, a panzer corps waits behind it."""


@pytest.mark.case("leningrad-1979", "12.1")
def test_a_panzer_corps_takes_the_place_of_infantry_before_the_city() -> None:
    prospect = read(on_map("german-movement", CITY, turn=9))
    search = Search(prospect, random.Random(1), lambda looks: looks >= 600, weights_of("leningrad-1979", "german"))
    plan = search.plan()
    spots = {plan.stand.where[prospect.names[name]] for name in ("1/41", "6/41", "36/41")}
    assert len(spots) == 1
    assert spots <= set(members(prospect.near(prospect.grid.hex("2604")) | prospect.near(prospect.grid.hex("2705"))))
    assert all(len(there) <= 3 for there in plan.stand.at.values())
    conduct, view = Conduct(weights_of("leningrad-1979", "german")), prospect.view
    conduct.plan(view, random.Random(1), Work(600))
    position = on_map("german-movement", CITY, turn=9)
    while (order := conduct.next(position.view("german"))) is not None:
        position = position.play(order)
    corps = {counter.hex for counter in position.table().counters if counter.formation == "41"}
    assert len(corps) == 1
    assert corps <= {"2505", "2605", "2706", "2805"}


STORMED = {
    **{name: {"hex": "2405"} for name in ("8/56", "3/56", "TOT/56")}, "6/41": {"hex": "2605"}, "36/41": {"hex": "2605"},
    "32": {"hex": "2506"}, "289": {"hex": "2506"}, "290": {"hex": "2404"}, "x1": soviet("2505", 3, 7),
    "x2": soviet("2604", 6, 4), "x3": soviet("2604", 2, 2), "x4": soviet("2604", 4, 4), "x5": soviet("2606", 5, 4),
    "x6": soviet("2606"), "x7": soviet("2706", 3, 4), "x8": soviet("2706"), "x9": soviet("2705", 5, 1),
    "x10": soviet("2705", 4, 3),
}  # fmt: skip
"""A hex of the city is about to fall; the panzers who storm it stand better where they are."""


def test_infantry_advances_where_the_panzers_do_not() -> None:
    position = on_map("german-combat", STORMED, turn=10)
    position = position.play("attack 8/56+3/56+TOT/56+6/41+36/41+32+289+290 2505").play("die 4")
    conduct = Conduct(weights_of("leningrad-1979", "german"))
    order = conduct.advance(position.view("german"), list(position.legal))
    assert order.verb == "advance"
    assert order.units[0] in {"32", "289", "290"}


FORWARD = {
    **{name: {"hex": "2009"} for name in ("8/56", "3/56", "TOT/56")}, "1/41": {"hex": "1809"}, "6/41": {"hex": "1809"},
    "32": {"hex": "1610"}, "291": {"hex": "1509"}, "61": {"hex": "1511"}, "93": {"hex": "1511"},
    "x1": soviet("2404"), "x2": soviet("2405") | {"type": "armor", "movement": 7},
    "x3": soviet("2404") | {"type": "armor", "movement": 7},
}  # fmt: skip
"""A panzer corps is ahead of the army, and two armoured divisions can come around it from both sides."""


def test_a_cut_that_takes_two_hexes_is_seen_and_shielded() -> None:
    alone = {**FORWARD, "1/41": {"hex": "1610"}, "6/41": {"hex": "1509"}}
    prospect = read(on_map("german-movement", alone, turn=6))
    search = Search(prospect, random.Random(1), lambda looks: looks >= 300, weights_of("leningrad-1979", "german"))
    cut = search.appraiser.cuts(search.stand)
    assert {prospect.grid.number(h) for h in cut} == {"2008", "2010"}
    assert prospect.unfed(prospect.side, search.stand, sum(1 << h for h in cut)) >> prospect.names["8/56"] & 1
    before = search.best.parts[-1]
    search.shield()
    assert search.best.parts[-1] < before
    guards = search.stand.held[prospect.side] & ~prospect.stand.held[prospect.side]
    assert guards & prospect.grid.within(sum(1 << h for h in cut), 1)


def test_a_division_near_a_cut_relieves_less_than_a_stack() -> None:
    costs = []
    for others in (("1809", "1809"), ("1610", "1509")):
        units = {**FORWARD, "1/41": {"hex": others[0]}, "6/41": {"hex": others[1]}}
        prospect = read(on_map("german-movement", units, turn=6))
        costs.append(Appraiser(prospect, weights_of("leningrad-1979", "german")).appraise(prospect.stand).parts[-1])
    assert 0 < costs[0] < costs[1]


RESTING = {
    "1/41": {"hex": "0413", "steps": 1, "since": 4}, "1": {"hex": "1009"}, "11": {"hex": "1009"},
    "21": {"hex": "1012"}, "12": {"hex": "1012"},
    **{f"x{n}": soviet(h, 4, 4) for n, h in enumerate(("2604", "2604", "2604", "2705", "2705", "2605", "2505"))},
}  # fmt: skip
"""A worn panzer division has been in Kaunas since the turn before, and the army goes on."""


@pytest.mark.case("leningrad-1979", "16.6")
def test_a_worn_division_stays_until_it_is_rebuilt() -> None:
    position = on_map("german-movement", RESTING, turn=5)
    general, rng = GeneralPlayer(seed=1, nodes=300), random.Random(1)
    while position.phase.id == "german-movement":
        position = position.play(general.choose(position.view("german"), rng))
    assert position.hex("1/41") == "0413"


POCKET = {
    "8/56": {"hex": "2106"}, "3/56": {"hex": "2106", "steps": 1}, "TOT/56": {"hex": "2106"}, "6/41": {"hex": "2005"},
    "61": {"hex": "2208"}, "217": {"hex": "1909"}, "x1": soviet("2105", 6, 5), "x2": soviet("2105", 7, 5),
    "x3": soviet("2205", 4, 3), "x4": soviet("2205", 4, 5), "x5": soviet("2205", 1, 1), "x6": soviet("2206", 2, 4),
    "x7": soviet("2206", 3, 2), "x8": soviet("2206", 3, 2), "x9": soviet("2004", 5, 4),
}  # fmt: skip
"""A panzer corps amid the enemy."""


def test_nobody_strikes_alone_and_leaves_a_worn_division_amid_the_enemy() -> None:
    conduct = Conduct(weights_of("leningrad-1979", "german"))
    orders = conduct.attack(on_map("german-combat", POCKET, turn=8).view("german"))
    corps = {order.units[0] for order in orders if order.units} & {"8/56", "3/56", "TOT/56"}
    assert corps in (set(), {"8/56", "3/56", "TOT/56"})
    prospect = read(on_map("german-combat", POCKET, turn=8))
    panzers, target, alone = prospect.names["8/56"], prospect.grid.hex("2206"), prospect.stand.copy()
    for name in ("3/56", "TOT/56"):
        alone.put(prospect.names[name], prospect.side, -1)
    assert prospect.blow([panzers], target, prospect.stand).loss > prospect.blow([panzers], target, alone).loss


TAKEN = {
    "58": {"hex": "2604"}, "1/41": {"hex": "2705"}, "61": {"hex": "2505"}, "217": {"hex": "2605"},
    "1": {"hex": "2706"}, "x1": soviet("2409"), "x2": soviet("2508"), "x3": soviet("2907"),
}  # fmt: skip
"""The city is taken, and nobody guards the road to it."""


@pytest.mark.case("leningrad-1979", "18.2")
def test_who_has_the_last_word_cuts_the_city_off() -> None:
    prospect = read(on_map("soviet-movement", TAKEN, turn=12))
    search = Search(prospect, random.Random(1), lambda looks: looks >= 150, PLAIN)
    plan = search.plan()
    starved = prospect.unfed(0, plan.stand)
    assert all(starved >> prospect.names[name] & 1 for name in ("58", "1/41"))


@pytest.mark.case("leningrad-1979", "18.2")
def test_what_is_held_at_the_end_is_kept_in_supply() -> None:
    for turn, feared in ((11, False), (12, True)):
        appraiser = Appraiser(read(on_map("german-movement", TAKEN, turn=turn)))
        stand = appraiser.prospect.stand.copy()
        assert appraiser.last == feared
        assert (appraiser.appraise(stand).parts[-1] > 20.0) == feared
    prospect = read(on_map("german-movement", TAKEN, turn=12))
    search = Search(prospect, random.Random(1), lambda looks: looks >= 300, PLAIN)
    assert search.appraiser.severed(search.plan().stand)[0] < 1.0


@pytest.mark.case("leningrad-1979", "13.1")
def test_air_units_count_in_the_blows_that_are_planned() -> None:
    prospect = read(on_map("german-combat", CITY, turn=9))
    counted = Appraiser(prospect, PLAIN._replace(help=1.0)).appraise(prospect.stand.copy())
    assert prospect.support() == 2
    assert counted.value > Appraiser(prospect, PLAIN).appraise(prospect.stand.copy()).value


@pytest.mark.parametrize("seed", range(4))
def test_blows_that_are_shared_out_gain_no_less(seed: int) -> None:
    prospect = read(played("leningrad-1979", seed, 300, "german-combat"))
    appraiser, stand = Appraiser(prospect), prospect.stand.copy()
    plain, shared = appraiser.strikes(stand), appraiser.shared(stand)
    assert sum(strike.worth for strike in shared) >= sum(strike.worth for strike in plain) - 1e-9
    struck = [unit for strike in shared for unit in strike.units]
    assert len(struck) == len(set(struck))
    assert len({strike.target for strike in shared}) == len(shared)


@pytest.mark.case("leningrad-1979", "10.1")
def test_late_infantry_pays_with_a_step_and_stays_before_the_city() -> None:
    worn = {name: {**CITY[name], "steps": 1} for name in ("1", "30")}
    position = on_map("german-combat", {**CITY, **worn}, turn=11)
    for order in ("target 2604", *(f"add {name}" for name in ("1", "11", "21", "30", "32", "58")), "commit"):
        position = position.play(order)
    while position.to_move == "chance":
        options = [str(order) for order, _ in position.chance.outcomes] if position.chance else []
        position = position.play("die 1" if "die 1" in options else options[0])
    player = GeneralPlayer(seed=1)
    while position.to_move == "soviet":
        position = position.play(player.choose(position.view("soviet"), random.Random(1)))
    orders = list(position.legal)
    assert {"lose", "retreat"} <= {order.verb for order in orders}
    assert Conduct(weights_of("leningrad-1979", "german")).suffer(position.view("german"), orders).verb == "lose"


@pytest.mark.parametrize("game", GAMES)
def test_soviets_who_may_not_stay_on_turn_1_are_sent_by_the_plan(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> Order:
        raise AssertionError("the staff moves somebody")

    monkeypatch.setattr("ladoga.players.race.RacingPlayer.march", never)
    position, rng = ladoga.load(game).start(), random.Random(1)
    germans, soviets = ladoga.players.make("staff", seed=1), GeneralPlayer(nodes=60)
    while position.to_move is not None and position.phase.id != "soviet-combat":
        mover = position.to_move
        if mover == "chance":
            position = position.play(position.legal.random(rng))
            continue
        ours = mover == "soviet" and position.phase.id == "soviet-movement"
        position = position.play((soviets if ours else germans).choose(position.view(mover), rng))
    prospect = LeningradProspect(position.view("soviet"))
    assert not prospect.bound()


def test_who_may_not_stay_is_never_planned_to_stay() -> None:
    position = on_map("soviet-movement", {"1": {"hex": "0311"}, "x1": soviet("0310"), "x2": soviet("0612")}, turn=1)
    prospect = read(position)
    assert prospect.bound() == 1 << prospect.names["x2"]
    search = Search(prospect, random.Random(1), lambda looks: looks > 40, PLAIN)
    plan = search.plan()
    far = prospect.names["x2"]
    assert plan.stand.where[far] != search.start[far]
    assert prospect.turned(plan.stand).bound() == 0
