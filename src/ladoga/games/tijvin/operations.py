"""Initiative, activation, command and headquarters (section 11), and the sequence of an activation (6)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from ...hexes import HexMask, members
from ...kernel.flood import zone
from ...kernel.orders import END, Order
from ...kernel.position import Event, Reached, Refusal, passed
from . import sinyavino
from .administration import in_turn
from .book import UnitMask, enemy_of
from .steps import Step, pass_by, wrong_verb

if TYPE_CHECKING:
    from .position import TijvinPosition

PASS = Order("pass")


def begin(p: TijvinPosition) -> None:
    """The player with the initiative begins (11)."""
    p.side, p.passed = in_turn(p)[0], False
    p.stage = "activations"


def next_activation(p: TijvinPosition) -> None:
    """The side in hand activates, the other if it has nothing left; else the turn ends (6.2.3)."""
    p.active, p.active_hq = 0, -1
    p.battle = None
    first = p.side
    for side in (first, enemy_of(first)):
        p.side = p.mover = side
        if next(iter(activations(p)), None) is not None:
            p.stage = "activation"
            if side != first:
                p.events = (*p.events, _idle(p, first))
            return
    p.stage = "end-of-turn"


def _idle(p: TijvinPosition, side: str) -> Event:
    """A side that has nothing left to activate is passed over."""
    return passed(p.phase._replace(side=side, title=f"{side.capitalize()} activation"))


def ready_hqs(p: TijvinPosition) -> list[int]:
    """Headquarters of the side in hand that may be activated."""
    waiting = sinyavino.army(p) if sinyavino.waits(p) else -1
    return [
        q for q in p.roster.hqs_of[p.side]
        if p.hq_hex[q] >= 0 and not p.hq_activated >> q & 1 and q != waiting
    ]  # fmt: skip


def bonus_hqs(p: TijvinPosition) -> list[int]:
    """Turn 1: when all German headquarters have acted, one of them acts again (15.1)."""
    if p.turn != 1 or p.side != "german" or p.bonus or ready_hqs(p):
        return []
    return [q for q in p.roster.hqs_of["german"] if p.hq_hex[q] >= 0 and bonus_units(p, q)]


def bonus_units(p: TijvinPosition, q: int) -> UnitMask:
    """The mobile units that the extra activation of a headquarters activates."""
    return units_of(p, q) & p.roster.mobile


def units_of(p: TijvinPosition, q: int) -> UnitMask:
    """Units on the map that obey a headquarters and are in command."""
    mask = 0
    for u in p.roster.of[p.roster.hqs[q].side]:
        if p.hq[u] == q and p.hexes[u] >= 0 and not p.uncommanded >> u & 1:
            mask |= 1 << u
    return mask


def independent(p: TijvinPosition) -> UnitMask:
    """Units out of command that may be activated on their own."""
    units = p.uncommanded & p.roster.side_mask[p.side] & ~p.spent
    if not units:
        return 0
    return sum([1 << u for u in members(units & ~sinyavino.idle(p)) if p.hexes[u] >= 0])


def is_division(p: TijvinPosition, units: list[int]) -> bool:
    """Whether units are regiments of one division, all stacked with or next to one another (11)."""
    division = p.roster.units[units[0]].division
    if not division or any(p.roster.units[u].division != division for u in units):
        return False
    hexes = {p.hexes[u] for u in units}
    joined = 1 << p.hexes[units[0]]
    whole = sum(1 << h for h in hexes)
    for _ in hexes:
        joined |= p.ground.grid.ring(joined) & whole
    return joined == whole


def activations(p: TijvinPosition) -> Iterator[Order]:
    """``activate HQ``, ``activate UNIT`` out of command, or the regiments of a division together."""
    for q in (*ready_hqs(p), *bonus_hqs(p)):
        yield Order("activate", (p.roster.hqs[q].id,))
    units = list(members(independent(p)))
    for u in units:
        yield Order("activate", (p.roster.units[u].id,))
    for u in units:
        division = p.roster.units[u].division
        sisters = [v for v in units if p.roster.units[v].division == division] if division else []
        for group in _groups(sisters, u):
            if is_division(p, group):
                yield Order("activate", tuple(p.roster.units[v].id for v in group))


def _groups(sisters: list[int], first: int) -> list[list[int]]:
    """All groups of two and more of which ``first`` is the first."""
    later = [v for v in sisters if v > first]
    groups = [[first, v] for v in later]
    groups += [[first, v, w] for i, v in enumerate(later) for w in later[i + 1 :]]
    return groups


def may_pass(p: TijvinPosition) -> Refusal | None:
    """A player may pass, unless units of the 54 Army still have to attack Sinyavino (11, 15.1)."""
    if p.side == "soviet" and sinyavino.attacks(p):
        q = sinyavino.army(p)
        trial = p._copy()
        trial.active = independent(p) | (units_of(p, q) if q in ready_hqs(p) else 0)
        if sinyavino.duty(trial):
            return Refusal("15.1", f"{p.roster.hqs[q].name} still has to attack Sinyavino this turn")
    return None


def orders(p: TijvinPosition) -> Iterator[Order]:
    """Activations, or a pass."""
    yield from activations(p)
    if may_pass(p) is None:
        yield PASS


def refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why an activation is refused."""
    if order == PASS:
        return may_pass(p)
    if order.verb != "activate" or not order.units:
        return wrong_verb("11.A", "activate a headquarters or a unit out of command, or pass")
    if order.units[0] in p.roster.hq_index:
        return _hq_refusal(p, order)
    return _unit_refusal(p, order)


def _hq_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    q = p.roster.hq_index[order.units[0]]
    hq = p.roster.hqs[q]
    if len(order.units) > 1:
        return Refusal("11.A", "one headquarters at a time")
    if hq.side != p.side:
        return Refusal("11.A", f"{hq.name} is not yours")
    if q in ready_hqs(p) or q in bonus_hqs(p):
        return None
    if p.hq_hex[q] < 0:
        return Refusal("11.H", f"{hq.name} is off the map")
    if p.hq_activated >> q & 1:
        return Refusal("11.A", f"{hq.name} has been activated this turn")
    return Refusal("15.1", f"{hq.name} waits for the Sinyavino offensive on turn 1")


def _unit_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    units = []
    for name in order.units:
        u = p.roster.index.get(name, -1)
        if u < 0 or p.roster.units[u].side != p.side or p.hexes[u] < 0:
            return Refusal("11.A", f"{name} is not a unit of yours on the map")
        if not p.uncommanded >> u & 1:
            return Refusal("11.A", f"{name} acts with its headquarters")
        if p.spent >> u & 1:
            return Refusal("11.A", f"{name} has been activated this turn")
        if sinyavino.idle(p) >> u & 1:
            return Refusal("15.1", f"{name} waits for the Sinyavino offensive")
        units.append(u)
    if len(units) > 1 and not is_division(p, units):
        return Refusal("11.O", "units out of command act one at a time; only regiments of one mobile division "
                               "act together, stacked or in adjacent hexes")  # fmt: skip
    return None


def apply(p: TijvinPosition, order: Order) -> None:
    """Activate, or pass; two passes in a row end the turn (11)."""
    if order == PASS:
        p.note("passes", "11.A", "The {} player passes", p.side.capitalize(), side=p.side)
        if p.passed:
            p.stage = "end-of-turn"
            return
        p.passed = True
        p.side = p.mover = enemy_of(p.side)
        if next(iter(activations(p)), None) is None:
            pass_by(p, "activation", "end-of-turn")
        return
    p.passed = False
    if order.units[0] in p.roster.hq_index:
        _activate_hq(p, p.roster.hq_index[order.units[0]])
    else:
        p.active = sum(1 << p.roster.index[name] for name in order.units)
        text = p.do(p.active, "{} is activated out of command", "{} are activated out of command")
        p.note("activated", "11.O", text, p.name(p.active), side=p.side)
    p.spent |= p.active
    p.stage = "movements"


def _activate_hq(p: TijvinPosition, q: int) -> None:
    p.active_hq = q
    if p.hq_activated >> q & 1:
        p.bonus = "now"
        p.disturb()
        p.active = bonus_units(p, q)
        p.moved &= ~p.active
        p.attacked &= ~p.active
        p.note("activated", "15.1", "{} acts again with its mobile units", p.roster.hqs[q].name, side=p.side)
        return
    p.hq_activated |= 1 << q
    p.active = units_of(p, q) & ~p.spent & ~sinyavino.idle(p)
    p.note("activated", "11.A", "{} is activated", p.roster.hqs[q].name, side=p.side)


def pick(p: TijvinPosition, rng: random.Random) -> Order:
    """Some activation; rarely a pass."""
    if rng.random() < 0.05 and may_pass(p) is None:
        return PASS
    if rng.random() < 0.1:
        return rng.choice(list(orders(p)))
    hqs = [*ready_hqs(p), *bonus_hqs(p)]
    units = [] if hqs and rng.random() < 0.5 else list(members(independent(p)))
    if not hqs and not units:
        return PASS
    index = int(rng.random() * (len(hqs) + len(units)))
    chosen = p.roster.hqs[hqs[index]].id if index < len(hqs) else p.roster.units[units[index - len(hqs)]].id
    return Order("activate", (chosen,))


ACTIVATION = Step(orders, refusal, apply, "Activate a headquarters or a unit out of command, or pass", pick)


# Headquarters move (11) -----------------------------------------------------------------------


def begin_hq_movement(p: TijvinPosition) -> None:
    """The activated headquarters may move at the end; not in the extra activation of turn 1."""
    p.mover = p.side
    if p.active_hq < 0 or p.hq_hex[p.active_hq] < 0 or p.bonus == "now":
        p.stage = "activation-ends"
    elif p.fog or hq_hexes(p):
        p.stage = "hq-movement"
    else:
        pass_by(p, "hq-movement", "activation-ends")


def end_activation(p: TijvinPosition) -> None:
    """The other player is next."""
    if p.bonus == "now":
        p.bonus = "used"
        p.disturb()
    p.side = enemy_of(p.side)
    p.stage = "activations"


def hq_paths(p: TijvinPosition) -> list[HexMask]:
    """Hexes the activated headquarters reaches, by number of hexes (11): not into enemies, their
    zones, their ground or water."""
    side = p.side
    enemy = enemy_of(side)
    ground, figures = p.ground, p.tables.headquarters
    steps = figures.unsupplied if p.hq_unsupplied >> p.active_hq & 1 else figures.hexes
    open_ = ground.land & p.own_ground(side) & ~p.occupied(enemy) & ~p.zone(enemy)
    layers = [1 << p.hq_hex[p.active_hq]]
    open_ &= ~layers[0]
    for _ in range(steps):
        layers.append(zone(ground.grid, layers[-1], ground.ways) & open_)
        open_ ^= layers[-1]
    return layers


def hq_hexes(p: TijvinPosition) -> HexMask:
    """Where the activated headquarters may go."""
    result = 0
    for layer in hq_paths(p)[1:]:
        result |= layer
    return result


def hq_orders(p: TijvinPosition) -> Iterator[Order]:
    """``move HQ HEX``."""
    name = (p.roster.hqs[p.active_hq].id,)
    for h in p.ground.grid.members(hq_hexes(p)):
        yield Order("move", name, (p.ground.grid.number(h),))
    yield END


def hq_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why a headquarters may not go there."""
    if order == END:
        return None
    hq = p.roster.hqs[p.active_hq]
    if order.verb != "move" or order.units != (hq.id,) or len(order.hexes) != 1:
        return wrong_verb("11.H", f"move {hq.name} or end: move {hq.id} HEX")
    number = order.hexes[0]
    if number not in p.ground.grid:
        return Refusal("11.H", f"the map has no hex {number}")
    h, enemy = p.ground.grid.hex(number), enemy_of(p.side)
    if hq_hexes(p) >> h & 1:
        return None
    if p.occupied(enemy) >> h & 1:
        return Refusal("11.H", "an enemy unit stands there")
    if not p.ground.land >> h & 1:
        return Refusal("11.H", "that hex is water")
    if h == p.hq_hex[p.active_hq]:
        return Refusal("11.H", f"{hq.name} stands there already")
    if p.zone(enemy) >> h & 1:
        return Refusal("11.H", "that hex is in an enemy zone of control")
    if not p.own_ground(p.side) >> h & 1:
        return Refusal("11.H", "that hex is enemy ground")
    if p.hq_unsupplied >> p.active_hq & 1:
        return Refusal("10", f"{hq.name} is out of supply and moves one hex only")
    return Refusal("11.H", f"{hq.name} cannot get there in {p.tables.headquarters.hexes} hexes")


def apply_hq(p: TijvinPosition, order: Order) -> None:
    """The headquarters moves; at the word of its player the activation is over."""
    if order == END:
        p.stage = "activation-ends"
        return
    h = p.ground.grid.hex(order.hexes[0])
    p.hq_hex[p.active_hq] = h
    p.note("hq-moves", "11.H", "{} moves to {}", p.roster.hqs[p.active_hq].name, p.place_name(h), side=p.side)
    p.stage = "hq-moved"


def pick_hq(p: TijvinPosition, rng: random.Random) -> Order:
    """Some hex for the headquarters, or none."""
    hexes = list(members(hq_hexes(p)))
    if not hexes or rng.random() < 0.2:
        return END
    return Order("move", (p.roster.hqs[p.active_hq].id,), (p.ground.names[rng.choice(hexes)],))


def moved_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Once a headquarters has moved only the end of its activation is left."""
    if order == END:
        return None
    hq = p.roster.hqs[p.active_hq]
    if order.verb == "move" and order.units == (hq.id,):
        return Refusal("11.H", f"{hq.name} has moved already")
    return wrong_verb("11.H", f"end the activation of {hq.name}")


HQ_MOVED = Step(lambda _: (END,), moved_refusal, apply_hq, "End the activation")
HQ_MOVEMENT = Step(hq_orders, hq_refusal, apply_hq, lambda p: f"Move {p.roster.hqs[p.active_hq].name}, or end", pick_hq)


def reach(p: TijvinPosition, names: list[str]) -> Mapping[str, Reached]:
    """Where the activated headquarters can go."""
    result: dict[str, Reached] = {}
    if p.stage != "hq-movement" or names != [p.roster.hqs[p.active_hq].id]:
        return result
    grid, layers = p.ground.grid, hq_paths(p)
    for cost, layer in enumerate(layers):
        for h in grid.members(layer if cost else 0):
            path = [h]
            for back in reversed(layers[:cost]):
                path.append(next(n for n in grid.neighbours(path[-1]) if n >= 0 and back >> n & 1))
            numbers = tuple(grid.number(x) for x in reversed(path))
            result[grid.number(h)] = Reached(Fraction(len(layers) - 1 - cost), numbers, Fraction(cost))
    return result
