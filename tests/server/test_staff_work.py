"""What the server works out beyond the rules: the ways of counters, the enemy's best attack, and luck."""

import random
from itertools import pairwise

import pytest

from ladoga import game_ids, load
from ladoga.analysis.threat import threats
from ladoga.server import showing
from ladoga.server.fights import fights
from ladoga.server.luck import luck
from ladoga.server.match import Match
from ladoga.server.store import Kept

from .fields import field, rifles

FIELD = field("german-movement", u12="0304", u30="0505", x1=rifles("0604"), x2=rifles("0908"))


def at_the_table(orders, ended=None):
    game = load("leningrad-1979")
    document = game.position(FIELD).document()
    kept = Kept("m", game.id, "match", "campaign", {}, document, b"seed" * 8, "0", 0.0, ended)
    events = [(n, "chance" if order.startswith("die") else "german", order, 0.0) for n, order in enumerate(orders)]
    return Match(kept, game, events, [])


def test_a_counter_leaves_the_way_it_went():
    match = at_the_table([])
    steps = match.following(match.game.parse("move 12 0504"))
    match.advance(steps, [1])
    for audience in (*match.game.sides, "observer"):
        (trail,) = showing.state(match, audience)["trail"]
        assert trail["unit"] == "12"
        assert (trail["path"][0], trail["path"][-1]) == ("0304", "0504")
        grid = match.position.map.grid
        hexes = [grid.hex(number) for number in trail["path"]]
        assert all(grid.adjacent(a, b) for a, b in pairwise(hexes))
    assert showing.state(match, "soviet", 1)["trail"] == showing.state(match, "soviet")["trail"]
    assert showing.state(match, "soviet", 0)["trail"] == []
    match.retract(0)
    assert showing.state(match, "soviet")["trail"] == []


def test_the_threat_is_the_attack_that_the_enemy_could_compose():
    position = at_the_table(["move 12 0504"]).position
    (told,) = [threats(position.view("soviet"), "soviet")["0604"]]
    fight = position
    for order in ("end", "target 0604", "add 12", "add 30"):
        fight = fight.play(order)
    odds = fight.explain("commit")
    assert told["column"] == odds.columns[0][0]
    assert sorted(told["units"]) == ["12", "30"]
    hurt = sum(p for code, p in odds.results if not code.startswith("-/"))
    assert told["hurt"] == float(hurt)
    assert "0908" not in threats(position.view("soviet"), "soviet"), "nobody stands next to it"


@pytest.mark.parametrize("game", game_ids())
def test_only_own_stacks_are_threatened_and_nothing_moves(game):
    position, rng = load(game).start(), random.Random(2)
    for _ in range(120):
        position = position.play(position.legal.random(rng))
    before = position.digest()
    for side in position.game.sides:
        view = position.view(side)
        own = {counter.hex for counter in view.table().counters if counter.side == side}
        told = threats(view, side)
        assert told.keys() <= own
        assert all(0 <= threat["hurt"] <= 1 and threat["column"] for threat in told.values())
        assert told == threats(view, side)
    assert position.digest() == before


ATTACK = ["move 12 0504", "end", "target 0604", "add 12", "add 30", "commit"]


@pytest.mark.parametrize("die", [1, 6])
def test_luck_is_the_result_against_its_odds(die):
    match = at_the_table([*ATTACK, f"die {die}"], {"winner": None})
    fight = match.at(len(ATTACK) - 1)
    steps = {"-": 0.0, "1": 0.7, "2": 1.3, "E": 9.0}
    theirs = sum(counter.steps for counter in fight.table().counters if counter.hex == "0604")

    def worth(code):
        hit, paid = code.split("/")
        return min(steps[hit], theirs) - steps[paid]

    odds = fight.view("german").explain("commit").results
    expected = sum(worth(code) * float(p) for code, p in odds)
    report = luck(match)
    code = next(str(f) for event in match.position.events for f in event.facts if str(f) in dict(odds))
    german = report["sides"]["german"]
    assert german["attacks"] == 1
    assert german["expected"] == pytest.approx(expected, abs=0.01)
    assert german["got"] == pytest.approx(worth(code), abs=0.01)
    assert german["luck"] == pytest.approx(worth(code) - expected, abs=0.01)
    assert report["sides"]["soviet"]["luck"] == -german["luck"]
    throws = report["best"] if german["luck"] > 0 else report["worst"]
    assert [throw["n"] for throw in throws] == [len(ATTACK) + 1]


def begun(game, *, seed):
    """A match after some 250 orders drawn at random."""
    loaded, rng = load(game), random.Random(seed)
    kept = Kept("m", game, "match", next(iter(loaded.scenarios)), {}, None, b"seed" * 8, "0", 0.0, {"winner": None})
    match = Match(kept, loaded, (), [])
    while len(match.orders) < 250 and match.position.to_move is not None:
        order = None if match.position.chance else match.position.legal.random(rng)
        steps = match.following(order)
        match.advance(steps, list(range(len(match.orders), len(match.orders) + len(steps))))
    return match


@pytest.mark.parametrize("game", game_ids())
def test_the_luck_of_both_sides_adds_up_to_nothing(game):
    match = begun(game, seed=11)
    report = luck(match)
    assert sum(side["luck"] for side in report["sides"].values()) == pytest.approx(0)
    for throw in [*report["best"], *report["worst"]]:
        assert match.movers[throw["n"] - 1] == "chance"
        assert throw["luck"] == pytest.approx(throw["got"] - throw["expected"], abs=0.011)


SOVIET = field("soviet-combat", u12="0304", i1="0404", x2=rifles("0305", attack=9))
"""An untried unit attacks: the column is known only once its strength is drawn."""


@pytest.mark.parametrize("air", ["air 0", "air 1"])
def test_an_answer_is_no_attack_and_the_title_names_the_column_that_was_used(air):
    game = load("leningrad-1979")
    document = game.position(SOVIET).document()
    kept = Kept("m", game.id, "match", "campaign", {}, document, b"seed" * 8, "0", 0.0, {"winner": None})
    orders = ["target 0304", "add i1", "add x2", "commit", air]
    movers = ["soviet"] * 4 + ["german"]
    position = game.position(document)
    for order in orders:
        position = position.play(order)
    drawn = {outcome: position.play(outcome).events[-1].facts[-1] for outcome, _ in position.chance.outcomes}
    unlikely, column = min(drawn.items(), key=lambda o: list(drawn.values()).count(o[1]))
    position = position.play(unlikely)
    orders += [str(unlikely), "die 1"]
    movers += ["chance", "chance"]
    match = Match(kept, game, [(n, m, o, 0.0) for n, (m, o) in enumerate(zip(movers, orders, strict=True))], [])
    (fight,) = fights(match)
    assert (fight.side, fight.began, fight.answered, fight.n) == ("soviet", 4, 5, len(orders))
    assert fight.column == column
    report = luck(match)
    assert (report["sides"]["german"]["attacks"], report["sides"]["soviet"]["attacks"]) == (0, 1)
    throws = [*report["best"], *report["worst"]]
    assert [throw["title"] for throw in throws] == [f"x2 and hidden rifle division i1 against 0304 at {column}"]
    likeliest = max(fight.told.columns, key=lambda c: c[1])[0]
    assert column != likeliest, "the draw was a rare one"


@pytest.mark.parametrize("game", game_ids())
def test_every_fight_is_that_of_the_side_whose_order_it_was(game):
    match = begun(game, seed=5)
    for fight in fights(match):
        assert match.movers[fight.began - 1] == fight.side
        assert not fight.n or match.movers[fight.n - 1] == "chance" or fight.n == fight.began
        assert not fight.n or fight.column or not fight.told.columns
    read = [(f.began, f.n, f.code) for f in fights(match)]
    match.retract(200)
    assert [(f.began, f.n, f.code) for f in fights(match) if f.n] == [f for f in read if 0 < f[1] <= 200]


@pytest.mark.parametrize("game", game_ids())
def test_offers_are_what_the_list_of_orders_says(game):
    """Units with their verbs, hexes and orders that stand alone, read off the whole list one by one."""
    loaded, rng = load(game), random.Random(4)
    kept = Kept("m", game, "match", next(iter(loaded.scenarios)), {}, None, b"seed" * 8, "0", 0.0, None)
    match, looked = Match(kept, loaded, (), []), 0
    while looked < 40 and match.position.to_move is not None:
        steps = match.following(None if match.position.chance else match.position.legal.random(rng))
        match.advance(steps, list(range(len(match.orders), len(match.orders) + len(steps))))
        if match.to_move not in loaded.sides:
            continue
        view, looked = match.view(match.to_move), looked + 1
        offers, listed = showing.offers(view), list(match.position.view(match.to_move).legal)
        verbs = {unit: [] for order in listed for unit in order.units}
        for order in listed:
            for unit in order.units:
                verbs[unit] += [order.verb] * (order.verb not in verbs[unit])
        bare = [order for order in listed if not order.units]
        owed = [str(order) for order in listed if order.units and loaded.role(order) in showing.DUE]
        assert dict(offers["units"]) == verbs
        assert offers["orders"] == [str(order) for order in bare if not order.hexes]
        assert dict(offers["hexes"]) == {
            hex_: [str(order) for order in bare if order.hexes and order.hexes[-1] == hex_]
            for hex_ in dict.fromkeys(order.hexes[-1] for order in bare if order.hexes)
        }
        assert [due["text"] for due in offers["due"]] == owed
