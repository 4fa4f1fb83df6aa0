"""Truth about the 1979 game that no single case tells: counts, conservation, stacking, illegal tries."""

import itertools
import lzma
import random
from pathlib import Path

import pytest
import yaml

import ladoga
from ladoga.games.leningrad import forts
from ladoga.kernel.record import Record
from leningrad1979.field import GAME, field

GOLDEN = Path(__file__).parent / "golden.record.xz"
PERFT = yaml.safe_load((Path(__file__).parent / "perft.yaml").read_text(encoding="utf-8"))


def count(position, depth: int) -> int:
    """Sequences of so many orders and chance outcomes."""
    if position.to_move is None or depth == 0:
        return 1
    if depth == 1:
        return position.legal.count()
    return sum(count(position.play(order), depth - 1) for order in position.legal)


@pytest.mark.parametrize("name", PERFT)
def test_counts_of_legal_orders(name):
    entry = PERFT[name]
    position = GAME.position(entry["position"])
    for depth, expected in enumerate(entry["counts"], 1):
        assert count(position, depth) == expected


def test_a_recorded_campaign_replays_to_the_bit():
    """Twelve turns as version 0.2.0 played them: a record replays for good, and a change of the rules that touches it
    shows here first."""
    record = Record.parse(lzma.decompress(GOLDEN.read_bytes()).decode())
    assert record.header.engine == "0.2.0"
    last = record.check(GAME)
    assert last.outcome is not None
    assert last.digest() == record.digest
    told = {event.kind for _, position in record.positions(GAME) for event in position.events}
    assert {"overrun", "attack", "revealed", "advanced", "retreated", "entered", "phase passed", "bonus lost"} <= told


def play_through(seed, options=None):
    rng = random.Random(seed)
    position = GAME.start(options=options)
    while position.to_move is not None:
        yield position
        position = position.play(position.legal.random(rng))
    yield position


@pytest.mark.parametrize("recycle", [True, False])
def test_units_are_conserved_and_stacked(recycle):
    for position in play_through(31, {"recycle": recycle}):
        sides = [0, 0]
        for h, stack in position.at.items():
            assert len({position.pieces[s].side for s in stack}) == 1, "never two sides in a hex"
            assert all(position.hexes[s] == h for s in stack)
            assert position.ground.land >> h & 1
            if position.turn > 1 or position.phase.id not in ("soviet-set-up", "german-movement"):
                assert len(stack) <= 3
            sides[position.pieces[stack[0]].side] += len(stack)
        faces = [face for face in position.faces if face >= 0]
        assert len(faces) == len(set(faces)), "every counter once"
        assert sides[0] == sum(position.hexes[s] >= 0 for s, p in enumerate(position.pieces) if p.side == 0)
        assert sum(position.air_on.values()) + position.air_used <= 2
        assert position.forts.bit_count() <= position.forts_used <= 12


def test_ten_thousand_illegal_tries():
    """Orders never offered are not accepted: what ``in`` accepts beyond the list is another way of
    saying a listed order (a move by a path of its own, an attack in one line, a stack of like arrivals)."""
    rng = random.Random(37)
    names = [piece.name for piece in GAME.roster] + list(GAME.counters)
    numbers = list(GAME.map.grid.numbers)
    verbs = list(GAME.grammar.verbs)
    tries = 0
    for step, position in enumerate(play_through(41)):
        if step % 20 or position.to_move is None:
            continue
        offered = set(position.legal)
        before = position.digest()
        for _ in range(300):
            order = ladoga.Order(
                rng.choice(verbs),
                tuple(rng.sample(names, rng.choice((0, 1, 1, 2)))),
                tuple(rng.sample(numbers, rng.choice((0, 1, 1, 2)))),
                rng.choice(((), (), ("1",), ("air", "1"))),
            )
            if order in offered:
                continue
            tries += 1
            if order in position.legal:
                assert order.verb in ("move", "attack", "enter", "overrun"), order
                assert order.verb != "move" or len(order.hexes) > 1 or list(order.units) != sorted(order.units)
        assert position.digest() == before
    assert tries >= 10_000


def without_memories(position):
    """The same position read from its document by a game that has not seen anything yet."""
    return ladoga.kernel.game._loader(position.game.id)(None).position(position.document())


def listed_along(game_id, seed, every):
    """Positions of a random game in which every list of orders is made, as a player would who looks at all of them."""
    rng = random.Random(seed)
    position = ladoga.load(game_id).start()
    for step in itertools.count():
        if position.to_move is None:
            return
        orders = list(position.legal)
        if step % every == 0:
            yield position, orders
        position = position.play(orders[int(rng.random() * len(orders))])


@pytest.mark.parametrize("game_id", ["leningrad-1979", "leningrad-2010"])
def test_memories_do_not_change_the_rules(game_id):
    """What was kept along the line of play (lists, reaches, supply) is what a fresh look finds."""
    for position, orders in listed_along(game_id, 43, 25):
        fresh = without_memories(position)
        assert list(fresh.legal) == orders
        units = [unit.id for unit in position.table().counters if unit.hex]
        for unit in units[:: max(1, len(units) // 6)]:
            assert repr(fresh.supply(unit)) == repr(position.supply(unit))
            assert dict(fresh.reach(unit)) == dict(position.reach(unit))


@pytest.mark.parametrize("game_id", ["leningrad-1979", "leningrad-2010"])
def test_a_list_that_is_carried_on_is_a_list_made_anew(game_id):
    """Where enemies came or went, and every now and then: the list is the same without the one before it."""
    enemies = None
    for step, (position, orders) in enumerate(listed_along(game_id, 5, 1)):
        now = position.crowd[1 - position.mover][0]
        if now != enemies or step % 20 == 0:
            anew = position._copy()
            anew.listing = None
            anew.changed()
            assert list(anew.legal) == orders
        enemies = now


def test_the_next_position_is_the_same_with_and_without_memories():
    """Orders lead to the same position whether what they need was kept or is worked out again."""
    rng = random.Random(3)
    for position, orders in listed_along("leningrad-1979", 47, 45):
        fresh = without_memories(position)
        for order in rng.sample(orders, min(5, len(orders))):
            assert fresh.play(order).digest() == position.play(order).digest()


@pytest.mark.parametrize("game_id", ["leningrad-1979", "leningrad-2010"])
def test_what_is_surely_fed_is_fed(game_id):
    game, rng, asked, unsure = ladoga.load(game_id), random.Random(77), 0, 0
    position = game.start()
    while position.to_move is not None:
        for slot, h in enumerate(position.hexes):
            if h >= 0 and rng.random() < 0.1:
                piece = position.pieces[slot]
                surely = position.surely_fed(piece.side) >> h & 1
                kind = (piece.side, piece.mobile, position.ground.sources[piece.side], position.blocked(piece.side))
                fed = position.ground.fed(*kind, position.forts, position.interdicted)
                assert fed >> h & 1 or not surely, f"{position.name(slot)} in {position.ground.names[h]}"
                assert position.supplied(slot) == bool(fed >> h & 1)
                asked += 1
                unsure += not surely
        position = position.play(position.legal.random(rng))
    assert asked > 1000
    assert 0 < unsure < asked / 2, "the short cut decides most of the time, not always"


@pytest.mark.parametrize("game_id", ["leningrad-1979", "leningrad-2010"])
def test_an_order_that_chance_draws_does_what_its_text_does(game_id):
    """Chance finds ways, steps and costs by tables of its own; the text is worked out from the rules."""
    game, rng, checked, kinds = ladoga.load(game_id), random.Random(8), 0, set()
    position = game.start()
    while position.to_move is not None:
        order = position.legal.random(rng)
        following = position.play(order)
        if position.chance is None and rng.random() < 0.4:
            unaware = position._copy()
            unaware.changed()
            other = unaware.play(game.parse(str(order)))
            assert (other.digest(), other.events) == (following.digest(), following.events), str(order)
            checked += 1
            kinds.add((order.verb, min(len(order.hexes), 4)))
        position = following
    assert checked > 200
    assert {("move", 2), ("move", 3), ("move", 4), ("fort", 1), ("enter", 1), ("interdict", 1)} <= kinds


@pytest.mark.parametrize("game_id", ["leningrad-1979", "leningrad-2010"])
def test_sites_near_a_source_are_sites(game_id):
    game, rng, near_only = ladoga.load(game_id), random.Random(4), 0
    position = game.start()
    while position.to_move is not None:
        near, every = forts.near_sites(position), forts.sites(position)
        assert not near & ~every
        assert bool(forts.near_sites(position) | forts.sites(position)) == bool(every)
        near_only += bool(near)
        position = position.play(position.legal.random(rng))
    assert near_only


def test_no_line_home_from_a_hex_far_from_all_roads():
    """On a map without enemies and without a road within reach nobody is fed."""
    unit = {"side": "soviet", "type": "infantry", "attack": 2, "defence": 2, "movement": 4, "hex": "0908"}
    far = field("soviet-movement", {"x": unit}, hungry="x", places={"0101": ["soviet-supply"]})
    slot = far.slot("x")
    assert not far.ground.lines_home[1][far.hexes[slot]]
    assert not far.supplied(slot)
