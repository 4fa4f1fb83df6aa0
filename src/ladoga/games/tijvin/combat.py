"""Combat (section 13): announcing it, supporting fire, the rolls, casualties, and what an attack is worth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from ...hexes import NOWHERE, Hex, HexMask, members
from ...kernel.errors import Illegal
from ...kernel.events import Odds, Result
from ...kernel.orders import Order
from ...kernel.position import Explanation, Modifier, Refusal, allows, first_case, forbid, refuse
from ...kernel.sequence import Action, Planned, each
from . import sinyavino
from .battle import Battle, Winner, in_hand
from .book import UnitMask, enemy_of
from .position import TijvinPosition
from .steps import Actions, hex_of, number, whenever, wrong_verb
from .strength import Reckoning, efficiency, leading, reckon

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
    unit, out = p.roster.units[u], not attackers_left(p) >> u & 1
    return first_case(
        (unit.side != p.side or p.hexes[u] < 0, "13.I", "{} is not a unit of yours on the map", unit.id),
        (unit.type == "artillery", "13.A", "{} supports attacks but does not make them", unit.name),
        (out and exploiting(p), "13.VI", "{} may not exploit this combat", unit.name),
        (out and p.active >> u & 1, "13", "{} has attacked this turn", unit.name),
        (out, "13.I", "{} is not activated", unit.name),
    ) or _barred(p, u, target)


def _barred(p: TijvinPosition, u: int, target: Hex) -> Refusal | None:
    """Why a unit that may still attack cannot attack a hex."""
    unit, here, ground = p.roster.units[u], p.hexes[u], p.ground
    if not ground.grid.adjacent(here, target) or not ground.passable(here, target):
        return Refusal("13", f"{unit.name} is not next to {ground.names[target]}")
    city, heavy_rain = sinyavino.city(p), p.tables.weather.effects[p.weather].river
    return first_case(
        (unit.type == "tank" and not p.frozen and ground.bare_swamp(here, target), "13.IIa",
         "{} can attack that swamp only along a road or railway", unit.name),
        (heavy_rain and ground.river(here, target) == "major-river", "7.W",
         "no attack across a major river in heavy rain"),
        (target == city and sinyavino.barred_from_city(p) >> u & 1, "15.1",
         "{} takes no part in the Sinyavino offensive", unit.name),
        (target != city and sinyavino.duty(p, p.active) >> u & 1 and _barred(p, u, city) is None, "15.1",
         "{} has to attack Sinyavino, not {}", unit.name, ground.names[target]),
    )  # fmt: skip


def targets(p: TijvinPosition) -> HexMask:
    """Enemy hexes that may be attacked now."""
    grid, side, hexes, roster = p.ground.grid, p.side, p.hexes, p.roster
    enemy, result = p.occupied(enemy_of(side)), 0
    if exploiting(p):
        enemy &= in_hand(p).prey
    for u in members(attackers_left(p) & roster.side_mask[side] & ~roster.artillery):
        if hexes[u] < 0:
            continue
        for h in members(grid.ring(1 << hexes[u]) & enemy & ~result):
            if _barred(p, u, h) is None:
                result |= 1 << h
    return result


def begin(p: TijvinPosition) -> None:
    """The combat segment (6.2.1); it goes by if nobody can attack. Under fog it never does, for whom a headquarters
    activates is hidden (17.1)."""
    p.open("combat", p.fog or targets(p), end)


def why_not_end(p: TijvinPosition) -> Refusal | None:
    """Combat is voluntary, but for the attack on Sinyavino (13, 15.1)."""
    late = 0 if exploiting(p) else duty(p)
    have = p.do(late, "has", "have")
    return Refusal("15.1", f"{p.name(late)} still {have} to attack Sinyavino") if late else None


def end(p: TijvinPosition) -> None:
    """All have fought: the headquarters may move (6.2.1)."""
    p.go("hq-movements", matter=p.agenda[0].matter)


def duty(p: TijvinPosition) -> UnitMask:
    """Units that have to attack Sinyavino and can (15.1)."""
    units = sinyavino.duty(p, p.active)
    return sum(1 << u for u in members(units) if attack_refusal(p, u, sinyavino.city(p)) is None)


def check_target(p: TijvinPosition, order: Order) -> Hex:
    """The hex that an order attacks, if it can be attacked."""
    h, enemy = hex_of(p, order) if len(order.hexes) == 1 else NOWHERE, enemy_of(p.side)
    forbid(h < 0, "13.I", "an attack is on one hex of the map")
    if not targets(p) >> h & 1:
        there = p.occupied(enemy) >> h & 1
        forbid(not there and any(p.hq_hex[q] == h for q in p.roster.hqs_of[enemy]), "11.H",
               "a headquarters alone cannot be attacked; move through its hex")  # fmt: skip
        forbid(not there, "13", "no enemy unit stands there")
        forbid(
            exploiting(p), "13.VI", "only the defender just beaten may be attacked again, if he joined no fresh unit"
        )
        for u in members(attackers_left(p)):
            near = p.hexes[u] >= 0 and p.ground.grid.adjacent(p.hexes[u], h)
            refuse(attack_refusal(p, u, h) if near else None)
        raise Illegal("13", "no activated unit that can attack stands next to it")
    return h


def otherwise(_: TijvinPosition, order: Order) -> Refusal:
    """Movement came before combat (6.2.1)."""
    if order.verb == "move":
        return Refusal("6.2.1", "movement is over: units fight now")
    return wrong_verb("13.I", "attack (target HEX, or attack UNITS HEX) or end")


def announced(p: TijvinPosition, order: Order) -> Battle:
    """An attack on a hex, to be composed."""
    return opened(p, check_target(p, order))


def composed(p: TijvinPosition, order: Order) -> Battle | Refusal:
    """A whole attack in one order: attackers, their artillery and air units."""
    forbid(not order.units, "13.I", "name the attacking units")
    b, roster = p.judged(announced, order), p.roster
    if isinstance(b, Refusal):
        return _reason_of_named(p, order) or b
    for name in sorted(
        order.units, key=lambda n: n in roster.air_index or roster.artillery >> roster.index.get(n, 0) & 1
    ):
        if name not in roster.index or not b.attackers >> roster.index[name] & 1:
            check_addition(p, b, name)
            b = joined(p, b, name)
    return b if b.attackers else NO_ATTACKER


def _reason_of_named(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why the units that an order names may not attack an enemy that nobody may attack."""
    h = hex_of(p, order) if len(order.hexes) == 1 else NOWHERE
    units = [p.roster.index[name] for name in order.units if name in p.roster.index]
    there = h >= 0 and p.occupied(enemy_of(p.side)) >> h & 1
    return next(filter(None, (attack_refusal(p, u, h) for u in units)), None) if there else None


def opened(p: TijvinPosition, target: Hex) -> Battle:
    """An attack before anybody is added; units bound to attack Sinyavino are in it from the start. Who ran out of
    command runs again, but those whom he fled to do not run for him: they fight (11, 13 V)."""
    old = p.battle
    if old is None:
        return Battle(target, attackers=duty(p) if target == sinyavino.city(p) else 0)
    ran = old.retreated if old.routed else 0
    pursuit = bool(ran) and not defenders_at(p, target) & ~ran
    return Battle(
        target, exploitation=True, pursuit=pursuit, routed=old.routed, retreated=ran,
        exploiters=old.exploiters, prey=old.prey,
    )  # fmt: skip


def open_attack(p: TijvinPosition, b: Battle) -> None:
    """An attack is to be composed, the first on its hex or one that exploits a victory."""
    if b.exploitation:
        p.go("compose", matter=b)
    else:
        p.interrupt("compose", p.agenda[0].side, b)


def attack(p: TijvinPosition, b: Battle) -> None:
    """A whole attack."""
    open_attack(p, b)
    commit(p, b)


def flights(p: TijvinPosition, side: str) -> int:
    """Air units of a side that can fly this turn in this weather (7, 13 II e)."""
    there = sum(1 for i in p.roster.air_of[side] if p.roster.air[i].arrives <= p.turn)
    return max(there - p.tables.weather.effects[p.weather].air, 0)


def gun_refusal(p: TijvinPosition, u: int, friends: UnitMask) -> Refusal | None:
    """Why artillery may not fire for units it has to be stacked with (13 artillery, 10, 11)."""
    unit, stacks = p.roster.units[u], {p.hexes[v] for v in members(friends)}
    return first_case(
        (p.fired >> u & 1, "13.IIe", "{} has fired this turn", unit.name),
        (p.unsupplied >> u & 1, "10", "{} is out of supply", unit.name),
        (p.uncommanded >> u & 1, "11.O", "{} is out of command", unit.name),
        (p.hexes[u] not in stacks, "13.A", "{} is not stacked with a fighting unit", unit.name),
    )


def check_addition(p: TijvinPosition, b: Battle, name: str) -> None:
    """Refuse a unit that may not join the attack being composed."""
    roster, u = p.roster, p.roster.index.get(name, -1)
    if name in roster.air_index:
        check_air(p, b, name, p.side)
        return
    forbid(name in roster.hq_index, "11.H", "a headquarters takes no part in combat")
    forbid(u < 0, "13.I", "there is no unit {}", name)
    forbid((b.attackers | b.guns) >> u & 1, "13.I", "{} is in the attack already", name)
    if not roster.artillery >> u & 1:
        refuse(attack_refusal(p, u, b.target))
        return
    forbid(roster.units[u].side != p.side or not p.active >> u & 1, "13.I", "{} is not activated", name)
    forbid(b.exploitation, "13.VI", "artillery takes no part in exploitation")
    refuse(gun_refusal(p, u, b.attackers))


def check_air(p: TijvinPosition, b: Battle, name: str, side: str) -> None:
    """Refuse an air unit that may not take part (7, 11, 13 II e)."""
    i, busy = p.roster.air_index[name], p.air_used | b.air
    forbid(p.roster.air[i].side != side, "13.IIe", "{} is not yours", name)
    forbid(p.roster.air[i].arrives > p.turn, "13.IIe", "{} has not arrived yet", name)
    forbid(busy >> i & 1, "13.IIe", "{} has been used this turn", name)
    forbid(b.pursuit, "11.O", "there is no fight to support")
    units = b.attackers if side == p.side else b.defenders
    forbid(not units & ~p.uncommanded, "11.O", "units out of command receive no air support")
    forbid(sum(1 for j in p.roster.air_of[side] if busy >> j & 1) >= flights(p, side), "7.W",
           "no more air units can fly: the weather is {}", p.weather.replace("-", " "))  # fmt: skip


def additions(p: TijvinPosition) -> Iterator[Order]:
    """``add UNIT`` for everything that may still join the attack."""
    b, near = in_hand(p), p.ground.grid.ring(1 << in_hand(p).target)
    names = [p.roster.units[u].id for u in p.roster.of[p.side] if p.hexes[u] >= 0 and near >> p.hexes[u] & 1]
    names += [p.roster.air[i].id for i in p.roster.air_of[p.side]]
    return (Order("add", (name,)) for name in names if allows(check_addition, p, b, name))


NO_ATTACKER = Refusal("13.I", "no unit attacks yet")
NOT_COMPOSING = wrong_verb("13.I", "add attackers and support, then commit")


def addition(p: TijvinPosition, order: Order) -> Battle:
    """The attack with one unit more."""
    forbid(len(order.units) != 1, *NOT_COMPOSING)
    check_addition(p, in_hand(p), order.units[0])
    return joined(p, in_hand(p), order.units[0])


def joined(p: TijvinPosition, b: Battle, name: str) -> Battle:
    """The attack with a unit that may join it."""
    if name in p.roster.air_index:
        return b.but(air=b.air | 1 << p.roster.air_index[name])
    u = p.roster.index[name]
    if p.roster.artillery >> u & 1:
        return b.but(guns=b.guns | 1 << u)
    return b.but(attackers=b.attackers | 1 << u)


def commit(p: TijvinPosition, b: Battle) -> None:
    """The attack is announced: these units fight, and all in the target hex defend (13 I)."""
    p.attacked |= b.attackers
    p.fired |= b.guns
    p.air_used |= b.air
    b = b.but(exploiters=0, prey=0, routed=False, retreated=0, defenders=defenders_at(p, b.target))
    word = (
        p.do(b.attackers, "exploits against", "exploit against")
        if b.exploitation
        else p.do(b.attackers, "attacks", "attack")
    )
    p.tell("attack", "13.I", "{} {} {}", p.name(b.attackers), word, p.place_name(b.target), side=p.phasing)
    if b.pursuit:
        p.go("retreats", matter=b.but(routed=True, winner="attacker"))
    else:
        p.go("command-roll" if b.defenders & p.uncommanded else "supports", matter=b)


def defenders_at(p: TijvinPosition, h: Hex) -> UnitMask:
    """The units that defend a hex: those that fled into it only if nobody else is there (13 V)."""
    present = p.at(h, enemy_of(p.side))
    return present & ~p.shaken or present


def cancel(p: TijvinPosition) -> None:
    """An attack that was only being composed is given up; a victory can still be exploited otherwise (13 I, VI)."""
    b = in_hand(p)
    if b.exploitation:
        victory = Battle(b.target, routed=b.routed, retreated=b.retreated, exploiters=b.exploiters, prey=b.prey)
        p.go("exploitation", matter=victory)
    else:
        p.done()


TARGET = Action(
    announced,
    open_attack,
    each("target", lambda p: map(p.ground.names.get, p.ground.grid.members(targets(p))), "hexes"),
)
ATTACK = Action.unlisted(composed, attack)
COMBAT: Actions = {"target": TARGET, "attack": ATTACK, "end": whenever("end", why_not_end, end)}
EXPLOITATION: Actions = {"target": TARGET, "attack": ATTACK, "end": whenever("end", why_not_end, lambda p: p.done())}
COMPOSE: Actions = {
    "add": Action(addition, lambda p, b: p.hold(b), additions),
    "commit": whenever(
        "commit", lambda p: None if in_hand(p).attackers else NO_ATTACKER, lambda p: commit(p, in_hand(p))
    ),
    "cancel": Action.plain("cancel", lambda p, _: cancel(p)),
}


# Out of command (11) --------------------------------------------------------------------------


def command_roll(p: TijvinPosition, face: Order) -> None:
    """Retreat, weakened defence, or nothing (11)."""
    b = in_hand(p)
    side = enemy_of(p.side)
    result = p.tables.out_of_command.of(side)[number(face) - 1]
    words = {"retreat": "retreats", "reduced": "defends with a factor less for each unit", "normal": "defends normally"}
    p.tell("command-roll", "11.O", "The stack out of command {}", words[result], side=1 - p.phasing)
    if result == "retreat":
        p.go("retreats", matter=b.but(routed=True, winner="attacker"))
    else:
        p.go("supports", matter=b.but(reduced=result == "reduced"))


# The defender's support (13 II e) -------------------------------------------------------------


def begin_support(p: TijvinPosition) -> None:
    """The defender decides on artillery and air, if he has any to use (13 II e)."""
    b = in_hand(p)
    p.go("support", 1 - p.agenda[-1].side, b)
    if not supporting(p):
        p.go("ratings", matter=b)


def check_support(p: TijvinPosition, name: str) -> None:
    """Refuse a defending unit that may not support (13 II e)."""
    b, side, u = in_hand(p), enemy_of(p.side), p.roster.index.get(name, -1)
    if name in p.roster.air_index:
        check_air(p, b, name, side)
        return
    forbid(u < 0 or p.roster.units[u].side != side or not b.defenders >> u & 1, "13.IIe",
           "{} is not in the hex under attack", name)  # fmt: skip
    forbid(not p.roster.artillery >> u & 1, "13.I", "{} defends anyway", name)
    forbid(b.defending_guns >> u & 1, "13.IIe", "{} fires already", name)
    refuse(gun_refusal(p, u, b.defenders & ~p.roster.artillery))


def supporting(p: TijvinPosition) -> list[str]:
    """The names of the defender's artillery and air units that may still support."""
    names = [p.roster.units[u].id for u in members(in_hand(p).defenders & p.roster.artillery)]
    names += [p.roster.air[i].id for i in p.roster.air_of[enemy_of(p.side)]]
    return [name for name in names if allows(check_support, p, name)]


NOT_SUPPORTING = wrong_verb("13.IIe", "add supporting fire to the defence, then commit")


def support_of(p: TijvinPosition, order: Order) -> str:
    """Artillery in the hex under attack, or an air unit."""
    forbid(len(order.units) != 1, *NOT_SUPPORTING)
    check_support(p, order.units[0])
    return order.units[0]


def support(p: TijvinPosition, name: str) -> None:
    """Artillery or an air unit supports the defence."""
    b, i, u = in_hand(p), p.roster.air_index.get(name, -1), p.roster.index.get(name, -1)
    p.air_used |= 1 << i if i >= 0 else 0
    p.fired |= 1 << u if i < 0 else 0
    b = b.but(air=b.air | 1 << i) if i >= 0 else b.but(defending_guns=b.defending_guns | 1 << u)
    p.tell("support", "13.IIe", "{} supports the defence", name, side=1 - p.phasing)
    p.go("supports", matter=b)


SUPPORT: Actions = {
    "add": Action(support_of, support, each("add", supporting)),
    "commit": Action.plain("commit", lambda p, _: p.go("ratings", matter=in_hand(p))),
}


# Efficiency (13 II d) -------------------------------------------------------------------------


def settle_ratings(p: TijvinPosition) -> None:
    """Each side's efficiency; an owner with a tie chooses. Then both sides' factors and modifiers are public (17.1)."""
    b, attacker = in_hand(p), p.agenda[-1].side
    for side, attacking in ((attacker, True), (1 - attacker, False)):
        if not b.ratings[side != attacker]:
            choices = leading(p, b, attacking)
            if len(choices) > 1:
                p.go("rating", side, b)
                return
            b = rated(b, choices[0], attacking)
    r = reckon(p, b)
    p.tell("odds", "13.IIb", "Factors {} against {} ({}); modifiers {:+} and {:+}", r.attack, r.defence, r.column.name,
           *r.totals, side=p.phasing, fact=Odds(r.attack, r.defence, r.column.name))  # fmt: skip
    p.go("attack-die", attacker, b)


def rated(b: Battle, rating: int, attacking: bool) -> Battle:
    """The combat with a side's efficiency settled."""
    return b.but(ratings=(rating, b.ratings[1]) if attacking else (b.ratings[0], rating))


def ratings(p: TijvinPosition) -> list[Order]:
    """``efficiency N``."""
    return [Order("efficiency", words=(str(n),)) for n in leading(p, in_hand(p), p.mover == p.side)]


NOT_RATING = wrong_verb("13.IId", "choose between the efficiencies that bring equal factors: efficiency N")


def rating_of(p: TijvinPosition, order: Order) -> int:
    """One of the efficiencies that bring equal factors."""
    forbid(order not in ratings(p), *NOT_RATING)
    return number(order)


RATING: Actions = {
    "efficiency": Action(
        rating_of, lambda p, rating: p.go("ratings", matter=rated(in_hand(p), rating, p.mover == p.side)), ratings
    )
}


# Phase III: rolls -----------------------------------------------------------------------------


def defender_rolls(p: TijvinPosition, face: Order) -> None:
    """Both results stand: who wins, and by how much (13 III, IV)."""
    b = in_hand(p)
    dice = b.dice[0], number(face)
    ours, theirs = reckon(p, b).totals
    results = dice[0] + ours, dice[1] + theirs
    winner, degree = verdict(*results)
    who = {"attacker": "the attacker wins", "defender": "the defender wins", "draw": "a draw"}[winner]
    p.tell("rolls", "13.III", "{} to {}: {}", *results, who, side=p.phasing)
    p.go("casualty-die", matter=b.but(dice=dice, winner=winner, degree=degree))


def verdict(attack: int, defence: int) -> tuple[Winner, int]:
    """Winner and degree: a loser's result below 1 counts as 1 for the degree (2, 13 III)."""
    if attack == defence:
        return "draw", 1
    best, worst = max(attack, defence), max(min(attack, defence), 1)
    return "attacker" if attack > defence else "defender", min(max(best // worst, 1), 3)


# Phase IV: casualties -------------------------------------------------------------------------


def casualty_roll(p: TijvinPosition, face: Order) -> None:
    """What both sides lose (13 IV); what the loser cannot pay is taken off the winner's losses."""
    b = in_hand(p)
    lost = p.tables.casualties.winner[number(face) - 1]
    capacity = p.factors(b.attackers | b.guns), p.factors(b.defenders)
    due = casualties(p, b.winner, b.degree, lost, reckon(p, b).weaker, capacity)
    fact = Result(result_code(b.winner, due, capacity))
    p.tell("casualties", "13.IV", "The attacker loses {}, the defender {}", *due, side=p.phasing, fact=fact)
    p.go("casualties", matter=b.but(due=due, suffered=due[1]))


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


def result_code(winner: Winner, lost: tuple[int, int], capacity: tuple[int, int]) -> str:
    """A result in short: ``3R/1`` is three of the defender's and a retreat against one of the attacker's, ``E`` stands
    for all that a side has."""
    attack, defence = lost
    beaten = "E" if defence >= capacity[1] else f"{defence}{'R' * (winner == 'attacker')}"
    return f"{beaten}/{'E' if attack >= capacity[0] else attack}"


def losing_side(b: Battle) -> int:
    """0 while the attacker takes his losses, then 1."""
    return 0 if b.due[0] else 1


def victims(p: TijvinPosition, b: Battle) -> UnitMask:
    """Units the next loss may fall on: first the efficiency fought with, artillery last of all (13 IV); in the hidden
    order from the largest down, nobody twice before everybody once (17.1)."""
    losing = losing_side(b)
    units = sum(1 << u for u in members(b.defenders if losing else b.attackers | b.guns) if p.cf[u] > 0)
    others = units & ~p.roster.artillery
    if not others:
        return units
    if not b.picked and not b.held:
        return sum(1 << u for u in members(others) if efficiency(p, u) == b.ratings[losing]) or others
    if not p.fog:
        return others
    return 1 << max(members(others & ~b.hit or others), key=lambda u: (p.cf[u], -u))


def take_casualties(p: TijvinPosition) -> None:
    """Losses that leave no choice are taken; otherwise the owner and his enemy choose in turn."""
    b, attacker = in_hand(p), p.agenda[-1].side
    while any(b.due):
        units = victims(p, b)
        if units.bit_count() > 1:
            owner = 1 - attacker if losing_side(b) else attacker
            theirs = b.picked % 2 and not p.fog
            p.go("losses", 1 - owner if theirs else owner, b)
            return
        b = strike(p, b, units.bit_length() - 1)
    p.go("after-casualties", attacker, b)


def strike(p: TijvinPosition, b: Battle, u: int) -> Battle:
    """One loss."""
    losing = losing_side(b)
    taking = b.defenders if losing else b.attackers | b.guns
    among = sum(1 << v for v in members(taking) if p.cf[v] > 0)
    hit = b.hit if among & ~p.roster.artillery & ~b.hit else 0
    p.lose(u, among)
    due = (b.due[0], b.due[1] - 1) if losing else (b.due[0] - 1, b.due[1])
    if (0 if due[0] else 1) != losing:
        return b.but(due=due, picked=0, hit=0)
    return b.but(due=due, picked=b.picked + 1, hit=hit | 1 << u)


NOT_LOSING = wrong_verb("13.IV", "choose the unit that loses a factor: lose UNIT")


def loss_of(p: TijvinPosition, order: Order) -> int:
    """A unit that the next loss may fall on."""
    forbid(len(order.units) != 1, *NOT_LOSING)
    u, b = p.roster.index.get(order.units[0], -1), in_hand(p)
    if u < 0 or not victims(p, b) >> u & 1:
        forbid(u >= 0 and p.roster.artillery >> u & 1, "13.A", "artillery is the last to be lost")
        forbid(u >= 0 and (b.attackers | b.defenders) >> u & 1 and not b.picked, "13.IId",
               "the first loss falls on a unit of the efficiency fought with")  # fmt: skip
        raise Illegal("13.IV", f"{order.units[0]} cannot take this loss")
    return u


LOSSES: Actions = {
    "lose": Action(
        loss_of,
        lambda p, u: p.go("casualties", matter=strike(p, in_hand(p), u)),
        each("lose", lambda p: [p.roster.units[u].id for u in members(victims(p, in_hand(p)))]),
    )
}


# What an attack is worth ----------------------------------------------------------------------


def explain(p: TijvinPosition, order: Order) -> Explanation:
    """An attack before it is made. The defender's artillery is taken to fire, his air units not."""
    forbid(order.verb not in ("attack", "commit", "target"), "13", "only an attack can be explained")
    refuse(p.why_not(order))
    b = in_hand(p) if order.verb == "commit" else _planned(p, order)
    b = _defended(p, b, defenders_at(p, b.target))
    return _pursued(p, b, order) if b.pursuit else _explained(p, b, order)


def _planned(p: TijvinPosition, order: Order) -> Battle:
    """The attack that an order announces; with everybody who can join it where it names a target alone."""
    planned = p.plan(order)
    assert isinstance(planned, Planned)
    b: Battle = planned.plan
    if order.verb == "attack":
        return b
    near = p.ground.grid.ring(1 << b.target)
    units = [u for u in p.roster.of[p.side] if p.hexes[u] >= 0 and near >> p.hexes[u] & 1]
    return b.but(attackers=b.attackers | sum(1 << u for u in units if attack_refusal(p, u, b.target) is None))


def _defended(p: TijvinPosition, b: Battle, units: UnitMask) -> Battle:
    """The combat when these units defend, with all their artillery that can fire."""
    guns, others = units & p.roster.artillery, units & ~p.roster.artillery
    firing = sum(1 << u for u in members(guns) if gun_refusal(p, u, others) is None)
    return b.but(defenders=units, defending_guns=firing)


def _explained(p: TijvinPosition, b: Battle, order: Order) -> Explanation:
    attack, defence = defaultdict[int, Fraction](Fraction), defaultdict[int, Fraction](Fraction)
    columns, results = defaultdict[str, Fraction](Fraction), defaultdict[str, Fraction](Fraction)
    for result, chance in _command_results(p, b).items():
        stay = b.defenders & ~p.uncommanded if result == "retreat" else b.defenders
        if not stay:
            results["0R/0"] += chance
            continue
        fought = _defended(p, b.but(reduced=result == "reduced"), stay)
        r = reckon(p, fought)
        attack[r.attack] += chance
        defence[r.defence] += chance
        columns[r.column.name] += chance
        for code, part in odds(p, fought, r).items():
            results[code] += chance * part
    r = reckon(p, b.but(reduced=False))
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
    """Losses of the defender and of the attacker with their exact odds."""
    capacity = p.factors(b.attackers | b.guns), p.factors(b.defenders)
    results: defaultdict[str, Fraction] = defaultdict(Fraction)
    faces = p.tables.casualties.winner
    for (winner, degree), chance in verdicts(*r.totals).items():
        for lost in dict.fromkeys(faces):
            code = result_code(winner, casualties(p, winner, degree, lost, r.weaker, capacity), capacity)
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
