"""Combat (section 13): announcing it, supporting fire, the rolls, casualties, and what an attack is worth."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from ...hexes import Hex, HexMask, members
from ...kernel.chance import Chance, die
from ...kernel.errors import Illegal
from ...kernel.orders import END, Order
from ...kernel.position import Explanation, Modifier, Refusal
from . import sinyavino
from .battle import Battle, Winner, in_hand
from .book import UnitMask, enemy_of
from .steps import Roll, Step, number, pass_by, wrong_verb
from .strength import Reckoning, efficiency, leading, reckon

if TYPE_CHECKING:
    from .position import TijvinPosition

COMMIT = Order("commit")


# Phase I: announcement ------------------------------------------------------------------------


def attackers_left(p: TijvinPosition) -> UnitMask:
    """Activated units that have not attacked; after a won combat the units that may exploit it."""
    if exploiting(p):
        return in_hand(p).exploiters
    return p.active & ~p.attacked & ~p.roster.artillery


def exploiting(p: TijvinPosition) -> bool:
    """Whether the attack in hand, or to be chosen, exploits a combat just won."""
    return p.battle is not None and bool(p.battle.exploiters)


def attack_refusal(p: TijvinPosition, u: int, target: Hex) -> Refusal | None:
    """Why a unit may not attack a hex (13, 13 I, 13 II a, 7, 15.1)."""
    unit = p.roster.units[u]
    if unit.side != p.side or p.hexes[u] < 0:
        return Refusal("13.I", f"{unit.id} is not a unit of yours on the map")
    if unit.type == "artillery":
        return Refusal("13.A", f"{unit.name} supports attacks but does not make them")
    if not attackers_left(p) >> u & 1:
        if exploiting(p):
            return Refusal("13.VI", f"{unit.name} may not exploit this combat")
        if p.active >> u & 1:
            return Refusal("13", f"{unit.name} has attacked this turn")
        return Refusal("13.I", f"{unit.name} is not activated")
    here = p.hexes[u]
    if not p.ground.grid.adjacent(here, target) or not p.ground.passable(here, target):
        return Refusal("13", f"{unit.name} is not next to {p.ground.grid.number(target)}")
    if unit.type == "tank" and not p.frozen and p.ground.bare_swamp(here, target):
        return Refusal("13.IIa", f"{unit.name} can attack that swamp only along a road or railway")
    if p.tables.weather.effects[p.weather].river and p.ground.river(here, target) == "major-river":
        return Refusal("7.W", "no attack across a major river in heavy rain")
    if target == sinyavino.city(p) and sinyavino.barred_from_city(p) >> u & 1:
        return Refusal("15.1", f"{unit.name} takes no part in the Sinyavino offensive")
    return None


def targets(p: TijvinPosition) -> HexMask:
    """Enemy hexes that may be attacked now."""
    grid, enemy = p.ground.grid, p.occupied(enemy_of(p.side))
    if exploiting(p):
        enemy &= in_hand(p).prey
    result = 0
    for u in members(attackers_left(p)):
        if p.hexes[u] < 0:
            continue
        for h in members(grid.ring(1 << p.hexes[u]) & enemy & ~result):
            if attack_refusal(p, u, h) is None:
                result |= 1 << h
    return result


def enter(p: TijvinPosition) -> None:
    """The combat segment (6.2.1); it goes by if nobody can attack. Under fog it never does, for whom a headquarters
    activates is hidden (17.1)."""
    p.battle = None
    p.mover = p.side
    if p.fog or targets(p):
        p.stage = "combat"
    else:
        pass_by(p, "combat", "hq-movements")


def begin(p: TijvinPosition) -> None:
    """After a combat: the next one, or the end of the segment."""
    p.battle = None
    p.mover = p.side
    p.stage = "combat"


def orders(p: TijvinPosition) -> Iterator[Order]:
    """``target HEX``, or the end of combat."""
    for h in p.ground.grid.members(targets(p)):
        yield Order("target", hexes=(p.ground.grid.number(h),))
    if end_refusal(p) is None:
        yield END


def end_refusal(p: TijvinPosition) -> Refusal | None:
    """Combat is voluntary, but for the attack on Sinyavino (13, 15.1)."""
    late = 0 if exploiting(p) else duty(p)
    if late:
        return Refusal("15.1", f"{p.name(late)} still {p.do(late, 'has', 'have')} to attack Sinyavino")
    return None


def duty(p: TijvinPosition) -> UnitMask:
    """Units that have to attack Sinyavino and can."""
    units = sinyavino.duty(p)
    return sum(1 << u for u in members(units) if attack_refusal(p, u, sinyavino.city(p)) is None)


def target_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why a hex cannot be attacked."""
    if len(order.hexes) != 1 or order.hexes[0] not in p.ground.grid:
        return Refusal("13.I", "an attack is on one hex of the map")
    h = p.ground.grid.hex(order.hexes[0])
    if targets(p) >> h & 1:
        return None
    if not p.occupied(enemy_of(p.side)) >> h & 1:
        lone = any(p.hq_hex[q] == h for q in p.roster.hqs_of[enemy_of(p.side)])
        if lone:
            return Refusal("11.H", "a headquarters alone cannot be attacked; move through its hex")
        return Refusal("13", "no enemy unit stands there")
    if exploiting(p):
        return Refusal("13.VI", "only the defender just beaten may be attacked again, if he joined no fresh unit")
    for u in members(attackers_left(p)):
        if p.hexes[u] >= 0 and p.ground.grid.adjacent(p.hexes[u], h):
            refused = attack_refusal(p, u, h)
            if refused is not None:
                return refused
    return Refusal("13", "no activated unit that can attack stands next to it")


def refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why an attack is refused."""
    if order == END:
        return end_refusal(p)
    if order.verb == "target":
        return target_refusal(p, order)
    if order.verb == "attack":
        return one_shot_refusal(p, order)
    if order.verb == "move":
        return Refusal("6.2.1", "movement is over: units fight now")
    return wrong_verb("13.I", "attack (target HEX, or attack UNITS HEX) or end")


def one_shot_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """A whole attack in one order: attackers, their artillery and air units."""
    if not order.units:
        return Refusal("13.I", "name the attacking units")
    refused = target_refusal(p, order)
    if refused is not None:
        return _reason_of_named(p, order) or refused
    trial = p._copy()
    open_attack(trial, trial.ground.grid.hex(order.hexes[0]))
    for name in _attackers_first(p, order.units):
        if _is_in(trial, name):
            continue
        refused = add_refusal(trial, name)
        if refused is not None:
            return refused
        add(trial, name)
    return commit_refusal(trial)


def _reason_of_named(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why the units that an order names may not attack an enemy that nobody may attack."""
    grid, enemy = p.ground.grid, p.occupied(enemy_of(p.side))
    if len(order.hexes) != 1 or order.hexes[0] not in grid or not enemy >> grid.hex(order.hexes[0]) & 1:
        return None
    units = [p.roster.index[name] for name in order.units if name in p.roster.index]
    return next(filter(None, (attack_refusal(p, u, grid.hex(order.hexes[0])) for u in units)), None)


def _attackers_first(p: TijvinPosition, names: tuple[str, ...]) -> list[str]:
    support = [n for n in names if n in p.roster.air_index or p.roster.artillery >> p.roster.index.get(n, 0) & 1]
    return [n for n in names if n not in support] + support


def _is_in(p: TijvinPosition, name: str) -> bool:
    b = in_hand(p)
    return name in p.roster.index and bool(b.attackers >> p.roster.index[name] & 1)


def apply(p: TijvinPosition, order: Order) -> None:
    """Announce a target or a whole attack, or end combat."""
    if order == END:
        p.battle = None
        p.stage = "combats" if p.stage == "exploitation" else "hq-movements"
        return
    open_attack(p, p.ground.grid.hex(order.hexes[0]))
    for name in _attackers_first(p, order.units):
        if not _is_in(p, name):
            add(p, name)
    if order.verb == "attack":
        commit(p)


def open_attack(p: TijvinPosition, target: Hex) -> None:
    """Begin to compose an attack; units bound to attack Sinyavino are in it from the start."""
    old = p.battle
    if old is None:
        p.battle = Battle(target)
        if target == sinyavino.city(p):
            p.battle.attackers = duty(p)
    else:
        p.battle = Battle(target, exploitation=True, pursuit=old.routed, exploiters=old.exploiters, prey=old.prey)
    p.stage = "compose"


def flights(p: TijvinPosition, side: str) -> int:
    """Air units of a side that can fly this turn in this weather (7, 13 II e)."""
    there = sum(1 for i in p.roster.air_of[side] if p.roster.air[i].arrives <= p.turn)
    return max(there - p.tables.weather.effects[p.weather].air, 0)


def gun_refusal(p: TijvinPosition, u: int, friends: UnitMask) -> Refusal | None:
    """Why artillery may not fire for units it has to be stacked with (13 artillery, 10, 11)."""
    unit = p.roster.units[u]
    if p.fired >> u & 1:
        return Refusal("13.IIe", f"{unit.name} has fired this turn")
    if p.unsupplied >> u & 1:
        return Refusal("10", f"{unit.name} is out of supply")
    if p.uncommanded >> u & 1:
        return Refusal("11.O", f"{unit.name} is out of command")
    if not any(p.hexes[v] == p.hexes[u] for v in members(friends)):
        return Refusal("13.A", f"{unit.name} is not stacked with a fighting unit")
    return None


def add_refusal(p: TijvinPosition, name: str) -> Refusal | None:
    """Why a unit may not join the attack being composed."""
    b = in_hand(p)
    if name in p.roster.air_index:
        return air_refusal(p, name, p.side)
    if name in p.roster.hq_index:
        return Refusal("11.H", "a headquarters takes no part in combat")
    u = p.roster.index.get(name, -1)
    if u < 0:
        return Refusal("13.I", f"there is no unit {name}")
    if (b.attackers | b.guns) >> u & 1:
        return Refusal("13.I", f"{name} is in the attack already")
    if not p.roster.artillery >> u & 1:
        return attack_refusal(p, u, b.target)
    if p.roster.units[u].side != p.side or not p.active >> u & 1:
        return Refusal("13.I", f"{name} is not activated")
    if b.exploitation:
        return Refusal("13.VI", "artillery takes no part in exploitation")
    return gun_refusal(p, u, b.attackers)


def air_refusal(p: TijvinPosition, name: str, side: str) -> Refusal | None:
    """Why an air unit may not take part (7, 11, 13 II e)."""
    b = in_hand(p)
    i = p.roster.air_index[name]
    if p.roster.air[i].side != side:
        return Refusal("13.IIe", f"{name} is not yours")
    if p.roster.air[i].arrives > p.turn:
        return Refusal("13.IIe", f"{name} has not arrived yet")
    busy = p.air_used | b.air
    if busy >> i & 1:
        return Refusal("13.IIe", f"{name} has been used this turn")
    if b.pursuit:
        return Refusal("11.O", "there is no fight to support")
    units = b.attackers if side == p.side else b.defenders
    if not units & ~p.uncommanded:
        return Refusal("11.O", "units out of command receive no air support")
    if sum(1 for j in p.roster.air_of[side] if busy >> j & 1) >= flights(p, side):
        return Refusal("7.W", f"no more air units can fly: the weather is {p.weather.replace('-', ' ')}")
    return None


def additions(p: TijvinPosition) -> Iterator[Order]:
    """``add UNIT`` for everything that may still join the attack."""
    b = in_hand(p)
    near = p.ground.grid.ring(1 << b.target)
    for u in p.roster.of[p.side]:
        name = p.roster.units[u].id
        if p.hexes[u] >= 0 and near >> p.hexes[u] & 1 and add_refusal(p, name) is None:
            yield Order("add", (name,))
    for i in p.roster.air_of[p.side]:
        if air_refusal(p, p.roster.air[i].id, p.side) is None:
            yield Order("add", (p.roster.air[i].id,))


def commit_refusal(p: TijvinPosition) -> Refusal | None:
    """An attack needs an attacker."""
    b = in_hand(p)
    return None if b.attackers else Refusal("13.I", "no unit attacks yet")


def compose_orders(p: TijvinPosition) -> Iterator[Order]:
    """Add units, then commit."""
    yield from additions(p)
    if commit_refusal(p) is None:
        yield COMMIT


def compose_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why an attack may not be composed like that."""
    if order == COMMIT:
        return commit_refusal(p)
    if order.verb != "add" or len(order.units) != 1:
        return wrong_verb("13.I", "add attackers and support, then commit")
    return add_refusal(p, order.units[0])


def add(p: TijvinPosition, name: str) -> None:
    """A unit joins the attack."""
    b = in_hand(p)
    if name in p.roster.air_index:
        b.air |= 1 << p.roster.air_index[name]
    elif p.roster.artillery >> p.roster.index[name] & 1:
        b.guns |= 1 << p.roster.index[name]
    else:
        b.attackers |= 1 << p.roster.index[name]


def apply_compose(p: TijvinPosition, order: Order) -> None:
    """Add a unit, or let the attack begin."""
    if order == COMMIT:
        commit(p)
    else:
        add(p, order.units[0])


def pick_compose(p: TijvinPosition, rng: random.Random) -> Order:
    """Mostly add, at last commit."""
    every = list(additions(p))
    if not every or (commit_refusal(p) is None and rng.random() < 0.25):
        return COMMIT
    return rng.choice(every)


def commit(p: TijvinPosition) -> None:
    """The attack is announced: these units fight, and all in the target hex defend (13 I)."""
    b = in_hand(p)
    p.attacked |= b.attackers
    p.fired |= b.guns
    p.air_used |= b.air
    b.exploiters = 0
    b.prey = 0
    b.defenders = defenders_at(p, b.target)
    word = (
        p.do(b.attackers, "exploits against", "exploit against")
        if b.exploitation
        else p.do(b.attackers, "attacks", "attack")
    )
    p.note("attack", "13.I", "{} {} {}", p.name(b.attackers), word, p.place_name(b.target), side=p.side)
    if b.pursuit:
        b.routed, b.winner = True, "attacker"
        p.stage = "retreats"
    elif b.defenders & p.uncommanded:
        p.stage = "command-roll"
    else:
        p.stage = "supports"


def defenders_at(p: TijvinPosition, h: Hex) -> UnitMask:
    """The units that defend a hex: those that fled into it only if nobody else is there (13 V)."""
    present = p.at(h, enemy_of(p.side))
    return present & ~p.shaken or present


COMBAT = Step(orders, refusal, apply, "Attack, or end combat")
EXPLOITATION = Step(orders, refusal, apply, "Exploit the victory against the beaten defender, or end")
COMPOSE = Step(compose_orders, compose_refusal, apply_compose, "Add attackers and support, then commit",
               pick_compose)  # fmt: skip


# Out of command (11) --------------------------------------------------------------------------


def command_die(p: TijvinPosition) -> Chance:
    """The die of an attacked stack out of command."""
    return die("the command roll of the defender", "11.O")


def apply_command_die(p: TijvinPosition, order: Order) -> None:
    """Retreat, weakened defence, or nothing."""
    b = in_hand(p)
    side = enemy_of(p.side)
    result = p.tables.out_of_command.of(side)[number(order) - 1]
    words = {"retreat": "retreats", "reduced": "defends with a factor less for each unit", "normal": "defends normally"}
    p.note("command-roll", "11.O", "The stack out of command {}", words[result], side=side)
    if result == "retreat":
        b.routed, b.winner = True, "attacker"
        p.stage = "retreats"
        return
    b.reduced = result == "reduced"
    p.stage = "supports"


COMMAND_ROLL = Roll(command_die, apply_command_die)


# The defender's support (13 II e) -------------------------------------------------------------


def begin_support(p: TijvinPosition) -> None:
    """The defender decides on artillery and air, if he has any to use."""
    p.mover = enemy_of(p.side)
    p.stage = "support" if next(iter(support_additions(p)), None) is not None else "ratings"


def support_refusal_of(p: TijvinPosition, name: str) -> Refusal | None:
    """Why a defending unit may not support."""
    b = in_hand(p)
    side = enemy_of(p.side)
    if name in p.roster.air_index:
        return air_refusal(p, name, side)
    u = p.roster.index.get(name, -1)
    if u < 0 or p.roster.units[u].side != side or not b.defenders >> u & 1:
        return Refusal("13.IIe", f"{name} is not in the hex under attack")
    if not p.roster.artillery >> u & 1:
        return Refusal("13.I", f"{name} defends anyway")
    if b.defending_guns >> u & 1:
        return Refusal("13.IIe", f"{name} fires already")
    return gun_refusal(p, u, b.defenders & ~p.roster.artillery)


def support_additions(p: TijvinPosition) -> Iterator[Order]:
    """``add UNIT`` for the defender's artillery and air."""
    b = in_hand(p)
    side = enemy_of(p.side)
    for u in members(b.defenders & p.roster.artillery):
        if support_refusal_of(p, p.roster.units[u].id) is None:
            yield Order("add", (p.roster.units[u].id,))
    for i in p.roster.air_of[side]:
        if air_refusal(p, p.roster.air[i].id, side) is None:
            yield Order("add", (p.roster.air[i].id,))


def support_orders(p: TijvinPosition) -> Iterator[Order]:
    """Support, then commit."""
    yield from support_additions(p)
    yield COMMIT


def support_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why support is refused."""
    if order == COMMIT:
        return None
    if order.verb != "add" or len(order.units) != 1:
        return wrong_verb("13.IIe", "add supporting fire to the defence, then commit")
    return support_refusal_of(p, order.units[0])


def apply_support(p: TijvinPosition, order: Order) -> None:
    """Artillery or an air unit supports the defence."""
    b = in_hand(p)
    if order == COMMIT:
        p.stage = "ratings"
        return
    name = order.units[0]
    if name in p.roster.air_index:
        b.air |= 1 << p.roster.air_index[name]
        p.air_used |= 1 << p.roster.air_index[name]
    else:
        b.defending_guns |= 1 << p.roster.index[name]
        p.fired |= 1 << p.roster.index[name]
    p.note("support", "13.IIe", "{} supports the defence", name, side=enemy_of(p.side))
    if next(iter(support_additions(p)), None) is None:
        p.stage = "ratings"


SUPPORT = Step(support_orders, support_refusal, apply_support, "Support the defence, then commit")


# Efficiency (13 II d) -------------------------------------------------------------------------


def settle_ratings(p: TijvinPosition) -> None:
    """Each side's efficiency; an owner with a tie chooses."""
    b = in_hand(p)
    attacker, defender = b.ratings
    if not attacker:
        choices = leading(p, b, True)
        if len(choices) > 1:
            p.stage, p.mover = "rating", p.side
            return
        attacker = choices[0]
        b.ratings = (attacker, defender)
    if not defender:
        choices = leading(p, b, False)
        if len(choices) > 1:
            p.stage, p.mover = "rating", enemy_of(p.side)
            return
        b.ratings = (attacker, choices[0])
    p.mover = p.side
    announce(p)
    p.stage = "attack-die"


def announce(p: TijvinPosition) -> None:
    """Both sides' factors and modifiers are public now (13, 17.1)."""
    b = in_hand(p)
    r = reckon(p, b)
    ours, theirs = r.totals
    p.note("odds", "13.IIb", "Factors {} against {} ({}); modifiers {:+} and {:+}",
           r.attack, r.defence, r.column.name, ours, theirs, side=p.side)  # fmt: skip


def rating_orders(p: TijvinPosition) -> Iterator[Order]:
    """``efficiency N``."""
    b = in_hand(p)
    for rating in leading(p, b, p.mover == p.side):
        yield Order("efficiency", words=(str(rating),))


def rating_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why an efficiency may not be chosen."""
    if order in rating_orders(p):
        return None
    return wrong_verb("13.IId", "choose between the efficiencies that bring equal factors: efficiency N")


def apply_rating(p: TijvinPosition, order: Order) -> None:
    """The owner of a tie has chosen."""
    b = in_hand(p)
    rating = number(order)
    b.ratings = (rating, b.ratings[1]) if p.mover == p.side else (b.ratings[0], rating)
    p.stage = "ratings"


RATING = Step(rating_orders, rating_refusal, apply_rating, "Choose the efficiency to fight with")


# Phase III: rolls -----------------------------------------------------------------------------


def attack_die(p: TijvinPosition) -> Chance:
    """The attacker's die."""
    return die("the attacker's combat roll", "13.III")


def apply_attack_die(p: TijvinPosition, order: Order) -> None:
    """The attacker has rolled."""
    b = in_hand(p)
    b.dice = (number(order), 0)
    p.stage = "defence-die"


def defence_die(p: TijvinPosition) -> Chance:
    """The defender's die."""
    return die("the defender's combat roll", "13.III")


def apply_defence_die(p: TijvinPosition, order: Order) -> None:
    """Both results stand: who wins, and by how much (13 III, IV)."""
    b = in_hand(p)
    b.dice = (b.dice[0], number(order))
    ours, theirs = reckon(p, b).totals
    results = b.dice[0] + ours, b.dice[1] + theirs
    b.winner, b.degree = verdict(*results)
    who = {"attacker": "the attacker wins", "defender": "the defender wins", "draw": "a draw"}[b.winner]
    p.note("rolls", "13.III", "{} to {}: {}", *results, who, side=p.side)
    p.stage = "casualty-die"


def verdict(attack: int, defence: int) -> tuple[Winner, int]:
    """Winner and degree: a loser's result below 1 counts as 1 for the degree (2, 13 III)."""
    if attack == defence:
        return "draw", 1
    best, worst = max(attack, defence), max(min(attack, defence), 1)
    return "attacker" if attack > defence else "defender", min(max(best // worst, 1), 3)


ATTACK_DIE = Roll(attack_die, apply_attack_die)
DEFENCE_DIE = Roll(defence_die, apply_defence_die)


# Phase IV: casualties -------------------------------------------------------------------------


def casualty_die(p: TijvinPosition) -> Chance:
    """The die of the winner's losses."""
    return die("casualties", "13.IV")


def apply_casualty_die(p: TijvinPosition, order: Order) -> None:
    """What both sides lose; what the loser cannot pay is taken off the winner's losses."""
    b = in_hand(p)
    lost = p.tables.casualties.winner[number(order) - 1]
    capacity = p.factors(b.attackers | b.guns), p.factors(b.defenders)
    b.due = casualties(p, b.winner, b.degree, lost, reckon(p, b).weaker, capacity)
    b.suffered = b.due[1]
    p.note("casualties", "13.IV", "The attacker loses {}, the defender {}", *b.due, side=p.side)
    p.stage = "casualties"


def casualties(
    p: TijvinPosition, winner: Winner, degree: int, lost: int, weaker: int, capacity: tuple[int, int]
) -> tuple[int, int]:
    """What attacker and defender lose, from the winner's losses on the table (13 IV)."""
    table = p.tables.casualties
    lost += table.by_magnitude(weaker)
    if winner == "draw":
        return min(lost, capacity[0]), min(lost, capacity[1])
    due = lost + table.loser + table.by_degree(degree)
    losing = 1 if winner == "attacker" else 0
    shortfall = max(due - capacity[losing], 0)
    won = min(max(lost - shortfall, 0), capacity[1 - losing])
    return (won, due - shortfall) if losing else (due - shortfall, won)


CASUALTY_DIE = Roll(casualty_die, apply_casualty_die)


def losing_side(b: Battle) -> int:
    """0 while the attacker takes his losses, then 1."""
    return 0 if b.due[0] else 1


def victims(p: TijvinPosition) -> UnitMask:
    """Units the next loss may fall on: first the efficiency fought with, artillery last of all (13 IV)."""
    b = in_hand(p)
    losing = losing_side(b)
    units = sum(1 << u for u in members(b.defenders if losing else b.attackers | b.guns) if p.cf[u] > 0)
    others = units & ~p.roster.artillery
    if not others:
        return units
    if not b.picked and not b.held:
        named = sum(1 << u for u in members(others) if efficiency(p, u) == b.ratings[losing])
        return named or others
    return next_in_fog(p, b, others) if p.fog else others


def next_in_fog(p: TijvinPosition, b: Battle, units: UnitMask) -> UnitMask:
    """The hidden order of losses: from the largest down, nobody twice before everybody once (17.1)."""
    fresh = units & ~b.hit or units
    return 1 << max(members(fresh), key=lambda u: (p.cf[u], -u))


def take_casualties(p: TijvinPosition) -> None:
    """Losses that leave no choice are taken; otherwise the owner and his enemy choose in turn."""
    b = in_hand(p)
    while any(b.due):
        units = victims(p)
        if units.bit_count() > 1:
            owner = enemy_of(p.side) if losing_side(b) else p.side
            theirs = b.picked % 2 and not p.fog
            p.mover = enemy_of(owner) if theirs else owner
            p.stage = "losses"
            return
        strike(p, units.bit_length() - 1)
    p.mover = p.side
    p.stage = "after-casualties"


def strike(p: TijvinPosition, u: int) -> None:
    """One loss."""
    b = in_hand(p)
    losing = losing_side(b)
    taking = b.defenders if losing else b.attackers | b.guns
    among = sum(1 << v for v in members(taking) if p.cf[v] > 0)
    if not among & ~p.roster.artillery & ~b.hit:
        b.hit = 0
    p.lose(u, among)
    b.hit |= 1 << u
    b.picked += 1
    b.due = (b.due[0], b.due[1] - 1) if losing else (b.due[0] - 1, b.due[1])
    if losing_side(b) != losing:
        b.picked = b.hit = 0


def loss_orders(p: TijvinPosition) -> Iterator[Order]:
    """``lose UNIT``."""
    for u in members(victims(p)):
        yield Order("lose", (p.roster.units[u].id,))


def loss_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why a loss may not fall there."""
    if order.verb != "lose" or len(order.units) != 1:
        return wrong_verb("13.IV", "choose the unit that loses a factor: lose UNIT")
    u = p.roster.index.get(order.units[0], -1)
    if u >= 0 and victims(p) >> u & 1:
        return None
    b = in_hand(p)
    if u >= 0 and p.roster.artillery >> u & 1:
        return Refusal("13.A", "artillery is the last to be lost")
    if u >= 0 and (b.attackers | b.defenders) >> u & 1 and not b.picked:
        return Refusal("13.IId", "the first loss falls on a unit of the efficiency fought with")
    return Refusal("13.IV", f"{order.units[0]} cannot take this loss")


def apply_loss(p: TijvinPosition, order: Order) -> None:
    """A loss falls where it was put."""
    strike(p, p.roster.index[order.units[0]])
    p.stage = "casualties"


LOSSES = Step(loss_orders, loss_refusal, apply_loss, "Choose the unit that loses a factor")


# What an attack is worth ----------------------------------------------------------------------


def explain(p: TijvinPosition, order: Order) -> Explanation:
    """An attack before it is made. The defender's artillery is taken to fire, his air units not."""
    if order.verb not in ("attack", "commit", "target"):
        raise Illegal("13", "only an attack can be explained")
    refused = p.why_not(order)
    if refused is not None:
        raise Illegal(*refused)
    trial = p._copy()
    if order.verb != "commit":
        open_attack(trial, trial.ground.grid.hex(order.hexes[0]))
        chosen = _attackers_first(p, order.units) if order.verb == "attack" else _everybody(trial)
        for name in chosen:
            if not _is_in(trial, name):
                add(trial, name)
    b = in_hand(trial)
    trial.fired |= b.guns
    _defend(trial, b, defenders_at(trial, b.target))
    return _pursued(trial, b, order) if b.pursuit else _explained(trial, b, order)


def _defend(p: TijvinPosition, b: Battle, units: UnitMask) -> None:
    """These units defend, with all their artillery that can fire."""
    guns, others = units & p.roster.artillery, units & ~p.roster.artillery
    b.defenders = units
    b.defending_guns = sum(1 << u for u in members(guns) if gun_refusal(p, u, others) is None)


def _everybody(p: TijvinPosition) -> list[str]:
    b = in_hand(p)
    near = p.ground.grid.ring(1 << b.target)
    units = [u for u in p.roster.of[p.side] if p.hexes[u] >= 0 and near >> p.hexes[u] & 1]
    return [p.roster.units[u].id for u in units if attack_refusal(p, u, b.target) is None]


def _explained(p: TijvinPosition, b: Battle, order: Order) -> Explanation:
    attack: defaultdict[int, Fraction] = defaultdict(Fraction)
    defence: defaultdict[int, Fraction] = defaultdict(Fraction)
    columns: defaultdict[str, Fraction] = defaultdict(Fraction)
    results: defaultdict[str, Fraction] = defaultdict(Fraction)
    everybody = b.defenders
    for result, chance in _command_results(p, b).items():
        b.reduced = result == "reduced"
        stay = everybody & ~p.uncommanded if result == "retreat" else everybody
        if not stay:
            results["0R/0"] += chance
            continue
        _defend(p, b, stay)
        r = reckon(p, b)
        attack[r.attack] += chance
        defence[r.defence] += chance
        columns[r.column.name] += chance
        for code, part in odds(p, b, r).items():
            results[code] += chance * part
    b.reduced = False
    _defend(p, b, everybody)
    r = reckon(p, b)
    ours, theirs = r.modifiers
    against = tuple(Modifier(f"defender: {m.label}", -m.amount, m.case) for m in theirs)
    notes = ["The defender's artillery is taken to fire, his air units to stay away.",
             f"The attacker adds {r.totals[0]:+}, the defender {r.totals[1]:+} to his roll."]  # fmt: skip
    if p.unknown:
        notes.append("Enemy factors are reckoned, not known.")
    spread = tuple(sorted(results.items(), key=lambda entry: (-entry[1], entry[0])))
    return Explanation(
        order, f"Attack on {p.place_name(b.target)}", tuple(attack.items()), tuple(defence.items()),
        ours + against, tuple(columns.items()), tuple(columns.items()), spread,
        {code: in_words(code) for code in results}, "ratios", tuple(notes), to_die=True,
    )  # fmt: skip


def _pursued(p: TijvinPosition, b: Battle, order: Order) -> Explanation:
    """An exploitation without a fight: who ran out of command runs again (11)."""
    r, code, surely = reckon(p, b), "0R/0", Fraction(1)
    column = ((r.column.name, surely),)
    return Explanation(
        order, f"Pursuit to {p.place_name(b.target)}", ((r.attack, surely),), ((r.defence, surely),), (), column,
        column, ((code, surely),), {code: in_words(code)}, "ratios",
        ("The defender goes back again without a fight.",), to_die=True,
    )  # fmt: skip


def _command_results(p: TijvinPosition, b: Battle) -> dict[str, Fraction]:
    if not b.defenders & p.uncommanded:
        return {"normal": Fraction(1)}
    faces = p.tables.out_of_command.of(enemy_of(p.side))
    return {result: Fraction(faces.count(result), len(faces)) for result in dict.fromkeys(faces)}


def verdicts(ours: int, theirs: int) -> dict[tuple[Winner, int], Fraction]:
    """How the two rolls come out with these modifiers."""
    results: defaultdict[tuple[Winner, int], Fraction] = defaultdict(Fraction)
    for a, d in product(range(1, 7), repeat=2):
        results[verdict(a + ours, d + theirs)] += Fraction(1, 36)
    return results


def odds(p: TijvinPosition, b: Battle, r: Reckoning) -> dict[str, Fraction]:
    """Losses of the defender and of the attacker with their exact odds: ``3R/1`` is three and a retreat
    against one, ``E`` stands for all that a side has."""
    capacity = p.factors(b.attackers | b.guns), p.factors(b.defenders)
    results: defaultdict[str, Fraction] = defaultdict(Fraction)
    faces = p.tables.casualties.winner
    for (winner, degree), chance in verdicts(*r.totals).items():
        for lost in dict.fromkeys(faces):
            attack, defence = casualties(p, winner, degree, lost, r.weaker, capacity)
            beaten = "E" if defence >= capacity[1] else f"{defence}{'R' * (winner == 'attacker')}"
            code = f"{beaten}/{'E' if attack >= capacity[0] else attack}"
            results[code] += chance * Fraction(faces.count(lost), len(faces))
    return results


def in_words(code: str) -> str:
    """A result code for people."""
    defender, _, attacker = code.partition("/")
    words = {"E": "all its factors", "0": "nothing", "1": "1 factor"}
    lost = defender.removesuffix("R")
    retreat = " and retreats" if defender.endswith("R") else ""
    theirs, ours = (words.get(half, f"{half} factors") for half in (lost, attacker))
    return f"the defender loses {theirs}{retreat}, the attacker {ours}"
