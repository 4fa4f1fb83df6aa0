"""The combat phase: which attacks to make, where the air force helps, who takes losses and who advances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from ....games.assault.combat import attackable, candidates, sortie_refusal, targets
from ....games.assault.figures import GERMAN, SIDES
from ....games.assault.pending import Advance, Fight
from ....hexes import Hex
from ....kernel.orders import END, Order
from ...greedy import assault
from ...situation import Situation
from ...words import Reason, Words, because
from .picture import GIVING_WAY, Force, Picture, Prey, force_of

LEAST = 0.35
"""What an attack must bring to be made."""
FRUIT = {"assault-leningrad": 99.0, "assault-stalingrad": 2.0}
"""What an attacker who holds his ground reckons with at most: before Leningrad all that the blow was planned for,
before Stalingrad men are spared."""
SUPPORT = 0.2
"""What an air unit over an attack must add to be sent there."""


class Blow(NamedTuple):
    """An attack and what it brings."""

    value: float
    hex: Hex
    units: tuple[int, ...]


def least_of(picture: Picture) -> float:
    """What an attack must bring to be made, in the temper of the moment."""
    return LEAST / max(picture.much("attack"), 0.1)


def best_party(picture: Picture, h: Hex, units: Iterable[int], more: int = 0) -> Blow | None:
    """The best attack on a hex with some of these units: strongest first, low classes only where they help."""
    pos = picture.pos
    best: Blow | None = None
    ready = sorted(units, key=lambda i: (-picture.rank(i), -picture.factor(i), i))
    chosen: list[int] = []
    attack, rank, hexes = 0.0, 2, 0
    for i in ready:
        if sortie_refusal(pos, i, chosen) is not None:
            continue
        chosen.append(i)
        attack, rank, hexes = attack + picture.factor(i), min(rank, picture.rank(i)), hexes | 1 << pos.where[i]
        value = picture.value(h, Force(attack, rank, hexes), chosen, 0, more)
        if best is None or value > best.value + 0.05:
            best = Blow(value, h, tuple(chosen))
    return best


def blows(picture: Picture, more: int = 0) -> list[Blow]:
    """Attacks worth making, each unit in one of them, the best first (10.15, 10.16)."""
    pos = picture.pos
    free = {h: set(candidates(pos, (h,))) for h in targets(pos)}
    found: list[Blow] = []
    used: set[int] = set()
    known: dict[Hex, Blow | None] = {}
    least = least_of(picture)
    while True:
        for h, units in free.items():
            if h not in known:
                known[h] = best_party(picture, h, units - used, more)
        ready = [blow for blow in known.values() if blow is not None]
        best = max(ready, key=lambda blow: (blow.value, -blow.hex), default=None)
        if best is None or best.value < least:
            return found
        found.append(best)
        used.update(best.units)
        del free[best.hex], known[best.hex]
        known = {h: b for h, b in known.items() if b is not None and not used.intersection(b.units)}


def fight(picture: Picture) -> tuple[Order, Reason]:
    """The next order of a combat phase: air support first, then blow after blow (10.18)."""
    pos = picture.pos
    if pos.support_left and not pos.fought:
        helped = _support(picture)
        if helped is not None:
            return helped
    planned = blows(picture)
    if not planned:
        return END, "No attack is worth its losses"
    blow = planned[0]
    number = picture.ground.number(blow.hex)
    names = tuple(pos.roster[i].id for i in blow.units)
    order = Order("attack", names, (number,))
    return order, partial(_attacking, order)


def _attacking(order: Order, say: Words) -> str:
    """An attack, and how it will go."""
    falls = assault(say.seen, Situation(say.seen, say.side), order)[1]
    return say.attack(order.hexes, order.units, falls)


def _support(picture: Picture) -> tuple[Order, Reason] | None:
    """The attack that an air unit helps most, be it one that is worth making only with its help."""
    best: tuple[float, Hex] | None = None
    least = least_of(picture)
    for blow in blows(picture, 1):
        if picture.pos.support >> blow.hex & 1 or attackable(picture.pos, blow.hex) is not None:
            continue
        alone = picture.value(blow.hex, force_of(picture, blow.units), blow.units)
        gain = blow.value - (alone if alone >= least else 0.0)
        if best is None or gain > best[0]:
            best = (gain, blow.hex)
    if best is None or best[0] < SUPPORT:
        return None
    number = picture.ground.number(best[1])
    return Order("support", (), (number,)), lambda say: f"Helps the attack on {say.enemy_at(number)} from the air"


# Penalties ----------------------------------------------------------------------------------------

Standing = Callable[[int, Hex], float]
"""How well a unit would stand in a hex."""


def penalty(picture: Picture, orders: Sequence[Order], standing: Standing) -> tuple[Order, Reason]:
    """Retreat, lose a step, or stand where that is allowed (10.24 to 10.29)."""
    pos = picture.pos
    state = pos.pending
    assert isinstance(state, Fight)
    if any(order.verb == "stand" for order in orders):
        return Order("stand"), "The attacker has fallen back: all stay"
    back = [order for order in orders if order.verb == "retreat"]
    lose = [order for order in orders if order.verb == "lose"]
    if state.retreating or not lose:
        return _fall_back(picture, back, standing) if back else (END, "Nobody need follow")
    cheapest = min(lose, key=lambda o: (picture.price(pos.index[o.units[0]]), o.units))
    bled = picture.price(pos.index[cheapest.units[0]])
    if back and _way_back(picture, state, back, standing) < bled + _loss_of_hex(picture, state, cheapest):
        return _fall_back(picture, back, standing)
    return cheapest, because(cheapest, "nothing else costs less")


def _loss_of_hex(picture: Picture, state: Fight, order: Order) -> float:
    """What goes with the last step of the last defender of a hex."""
    pos = picture.pos
    index = pos.index[order.units[0]]
    if state.side == SIDES[pos.side] or pos.steps[index] > 1 or len(pos.stacks[pos.where[index]]) > 1:
        return 0.0
    return picture.worth(pos.where[index])


def _way_back(picture: Picture, state: Fight, orders: Sequence[Order], standing: Standing) -> float:
    """What a retreat costs: the ground and the blow's fruits, or a defender's hex."""
    pos = picture.pos
    units = {pos.index[order.units[0]] for order in orders}
    if state.side == SIDES[pos.side]:
        back = {i: [picture.grid.hex(o.hexes[-1]) for o in orders if pos.index[o.units[0]] == i] for i in units}
        lost = sum([min([picture.squeezed(i, h) for h in ways]) for i, ways in back.items()])
        lost += sum([picture.scored(i) for i in units])
        return GIVING_WAY * picture.much("yield") * len(units) + _fruit(picture, state) + lost
    cost = sum({pos.where[i]: picture.worth(pos.where[i]) for i in units}.values())
    worse = 0.0
    for i in units:
        ways = [standing(i, picture.grid.hex(o.hexes[-1])) for o in orders if pos.index[o.units[0]] == i]
        worse += max(0.0, standing(i, pos.where[i]) - max(ways))
    shaken = 1.5 * len(units) if picture.ground.book.retreat_disrupts else 0.0
    return cost * picture.much("hold-on") + 0.3 * worse + GIVING_WAY * len(units) + shaken


def _fruit(picture: Picture, state: Fight) -> float:
    """What the defender is spared when the attacker falls back (10.26)."""
    hexes = [picture.grid.hex(number) for number in state.hexes]
    prey = [Prey(picture, h, 0) for h in hexes if picture.pos.stacks.get(h)]
    return picture.much("fruit") * min(
        FRUIT[picture.game.id], sum([p.gain(state.then) - p.stand(state.then) for p in prey])
    )


def _fall_back(picture: Picture, orders: Sequence[Order], standing: Standing) -> tuple[Order, Reason]:
    pos, grid = picture.pos, picture.grid
    best = max(orders, key=lambda o: (standing(pos.index[o.units[0]], grid.hex(o.hexes[-1])), str(o)))
    return best, because(best, "it costs less than a step")


# Advances -----------------------------------------------------------------------------------------


def advance(picture: Picture, orders: Sequence[Order], standing: Standing) -> tuple[Order, Reason]:
    """Advance whoever stands better in the hex that was emptied (10.51)."""
    pos, grid = picture.pos, picture.grid
    state = pos.pending
    assert isinstance(state, Advance)
    best, gain = END, 0.0
    for order in orders:
        if order.verb != "advance":
            continue
        index, h = pos.index[order.units[0]], grid.hex(order.hexes[-1])
        if picture.side == GERMAN and picture.ground.place("garrison") >> h & 1 and pos.roster[index].division:
            continue
        if picture.side == GERMAN and picture.gate >> pos.where[index] & 1:
            continue
        better = standing(index, h) - standing(index, pos.where[index])
        if not pos.stacks.get(h):
            better += 0.3 * picture.much("advance") * picture.worth(h)
        if better > gain:
            best, gain = order, better
    if best == END:
        return END, "No advance: nobody would stand better there"
    going = best
    return going, because(going, "it stands better there")
