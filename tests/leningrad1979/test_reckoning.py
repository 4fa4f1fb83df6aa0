"""The engine against a slow reckoning of the same rules, on fields drawn by lot."""

import itertools
import random

import pytest

from leningrad1979.field import GAME, orders
from leningrad1979.reckoning import OTHER, Fight, number, some_field

SIDES = ("german", "soviet")


def about_to_move(seed):
    """A field drawn by lot before a side moves, as the slow reckoning and as the engine have it."""
    rng, side = random.Random(seed), SIDES[seed % 2]
    plain = some_field(rng, f"{side}-movement")
    return rng, side, plain, GAME.position(plain.document(f"{side}-movement", 8))


@pytest.mark.case(
    "leningrad-1979", "4.1", "4.2", "4.3", "4.6", "4.7", "4.9", "5.0", "6.0", "6.4", "11.1", "13.3", "15.2"
)
@pytest.mark.parametrize("seed", range(40))
def test_reach(seed):
    _, side, plain, pos = about_to_move(seed)
    stacks = {unit.at for unit in plain.units.values() if unit.side == side}
    for names in (plain.at(h) for h in stacks):
        for group in itertools.chain.from_iterable(itertools.combinations(names, size) for size in (1, 2, 3)):
            if len({plain.units[name].mobile for name in group}) == 1:
                wanted = {number(h): cost for h, cost in plain.reach(group).items()}
                assert {name: 2 * reached.cost for name, reached in pos.reach(group).items()} == wanted


@pytest.mark.case("leningrad-1979", "11.0", "11.3", "11.5", "11.6")
@pytest.mark.parametrize("seed", range(40))
def test_supply(seed):
    _, _, plain, pos = about_to_move(seed)
    assert {name: pos.supply(name).supplied for name in plain.units} == {n: plain.supplied(n) for n in plain.units}


@pytest.mark.case("leningrad-1979", "4.0", "11.0", "15.2")
@pytest.mark.parametrize("seed", range(20))
def test_reach_and_supply_while_others_move(seed):
    rng, side, plain, pos = about_to_move(seed)
    moved = set()
    for _ in range(8):
        marches = [order for order in pos.legal if order.verb == "move" and not moved & set(order.units)]
        if not marches:
            break
        order = rng.choice(marches)
        pos = pos.play(order)
        moved |= set(order.units)
        for name in order.units:
            plain.units[name].at = (int(order.hexes[0][:2]), int(order.hexes[0][2:]))
        plain.forts = {h for h in plain.forts if number(h) in pos.document()["forts"]}
        for name, unit in plain.units.items():
            assert pos.supply(name).supplied == plain.supplied(name)
            if unit.side == side and name not in moved:
                wanted = {number(h): cost for h, cost in plain.reach((name,)).items()}
                assert {h: 2 * reached.cost for h, reached in pos.reach(name).items()} == wanted


def some_attack(rng, side, size):
    """A field, and attackers and targets on it that may be one attack (8.1, 8.5)."""
    while True:
        plain = some_field(rng, f"{side}-combat", *size)
        held = sorted({unit.at for unit in plain.units.values() if unit.side == OTHER[side]})
        target = rng.choice(held or [(1, 1)])
        near = [name for name, unit in plain.units.items() if unit.side == side and target in plain.open(unit.at)]
        if held and near:
            attackers = rng.sample(near, rng.randint(1, len(near)))
            common = [h for h in held if all(h in plain.open(plain.units[name].at) for name in attackers)]
            return plain, attackers, rng.sample(common, rng.randint(1, min(2, len(common))))


@pytest.mark.case("leningrad-1979", "9.2", "9.3", "9.4", "9.6", "11.2", "12.1", "12.2", "12.3", "12.4", "13.1", "15.1")
@pytest.mark.parametrize("seed", range(80))
def test_odds(seed):
    rng = random.Random(seed)
    side = SIDES[seed % 2]
    plain, attackers, targets = some_attack(rng, side, (5, 5))
    air = rng.randint(0, 2) if side == "german" else 0
    order = f"attack {'+'.join(attackers)} {'-'.join(map(number, targets))}" + (f" air {air}" if air else "")
    pos = GAME.position(plain.document(f"{side}-combat", 8))
    explained = pos.explain(order)
    assert sum(m.amount for m in explained.modifiers if m.counts) == plain.shift(attackers, targets, air)
    assert dict(explained.columns) == {plain.column(attackers, targets, air): 1}


@pytest.mark.case("leningrad-1979", "10.1", "10.2", "10.7", "10.8")
@pytest.mark.parametrize("seed", range(80))
def test_retreats(seed):
    rng = random.Random(seed)
    side = SIDES[seed % 2]
    plain, attackers, targets = some_attack(rng, side, (6, 5))
    code = rng.choice(["1/-", "2/-", "-/1", "-/2"])
    stage = "attack" if code[0] == "-" else "defend"
    document = plain.document(f"{side}-combat", 8)
    document["fight"] = {
        "stage": stage,
        "attackers": attackers,
        "targets": [number(h) for h in targets],
        "result": code,
    }
    defenders = [name for h in targets for name in plain.at(h)]
    hit, others = (attackers, defenders) if stage == "attack" else (defenders, attackers)
    causes = [plain.units[name].at for name in others]
    wanted = {f"lose {name}" for name in hit}
    for name in hit:
        ways = plain.retreats(name, int(code.strip("-/")), causes)
        wanted |= {f"retreat {name} {'-'.join(map(number, way))}" for way in ways} or {f"retreat {name}"}
    assert set(orders(GAME.position(document))) == wanted


@pytest.mark.case("leningrad-1979", "10.1", "10.2", "10.3", "10.4", "10.5", "10.6", "10.9")
@pytest.mark.parametrize("seed", range(120))
def test_whole_fights(seed):
    rng = random.Random(seed)
    side = SIDES[seed % 2]
    plain, attackers, targets = some_attack(rng, side, (6, 5))
    plain.air = {}
    pos = GAME.position(plain.document(f"{side}-combat", 8) | {"dice": [rng.randint(1, 6)]})
    pos = pos.play(f"attack {'+'.join(attackers)} {'-'.join(map(number, targets))}")
    if side == "soviet":
        pos = pos.play("air 0")
    (code,) = (event.fact.code for event in pos.events if event.kind == "result")
    fight = Fight(plain, attackers, targets, code)
    while fight.orders:
        assert set(orders(pos)) == fight.orders
        order = rng.choice(sorted(fight.orders))
        pos = pos.play(order)
        fight.do(order)
    assert "fight" not in pos.document(), "the fight is over when nothing may be ordered in it"
    standing = {name: unit["hex"] for name, unit in pos.document()["units"].items() if "hex" in unit}
    assert standing == {name: number(unit.at) for name, unit in plain.units.items()}


@pytest.mark.case("leningrad-1979", "17.2")
@pytest.mark.parametrize("seed", range(40))
def test_the_march_of_turn_one(seed):
    plain = some_field(random.Random(seed), "soviet-movement", 12, 7, stacks=5)
    plain.forts, plain.air = set(), {}
    pos = GAME.position(plain.document("soviet-movement", 1))
    for name, unit in plain.units.items():
        if unit.side == "soviet" and unit.at != (2, 5):
            ends = {order.hexes[0] for order in pos.legal if order.verb == "move" and order.units == (name,)}
            assert ends == {number(h) for h in plain.march(name)}


@pytest.mark.case("leningrad-1979", "17.3")
@pytest.mark.parametrize("seed", range(60))
def test_the_attacks_of_turn_one(seed):
    plain, attackers, targets = some_attack(random.Random(seed), "soviet", (6, 5))
    plain.air = {}
    pos = GAME.position(plain.document("soviet-combat", 1))
    held = {unit.at for unit in plain.units.values() if unit.side == "german"}
    near = {name: held & set(plain.open(unit.at)) for name, unit in plain.units.items() if unit.side == "soviet"}
    bereft = [name for name, hexes in near.items() if name not in attackers and hexes and hexes <= set(targets)]
    refusal = pos.why_not(f"attack {'+'.join(attackers)} {'-'.join(map(number, targets))}")
    assert (refusal and refusal.case) == ("17.3" if bereft else None)
    assert pos.why_not("end").case == "17.3"


@pytest.mark.parametrize("seed", range(24))
def test_lists_kept_from_move_to_move_are_those_of_a_position_read_afresh(seed):
    rng = random.Random(seed)
    side = SIDES[seed % 2]
    pos = GAME.position(some_field(rng, f"{side}-movement", 6, 5).document(f"{side}-movement", 8))
    for _ in range(10):
        if pos.to_move is None:
            break
        assert sorted(orders(pos)) == sorted(orders(GAME.position(pos.document())))
        overruns = orders(pos, "overrun")
        pos = pos.play(rng.choice(overruns if overruns and rng.random() < 0.4 else orders(pos)))
