"""Initiative, activation, command and headquarters (section 11), and the sequence of an activation (6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations

from ...hexes import Hex, HexMask, mask_of, members, union
from ...kernel.errors import Illegal, LadogaError
from ...kernel.flood import zone
from ...kernel.orders import Order
from ...kernel.position import Reached, Refusal, first_case, forbid
from ...kernel.sequence import Action
from . import movement, sinyavino
from .battle import Activation
from .book import UnitMask, enemy_of
from .position import TijvinPosition
from .steps import Actions, ending, hex_of, whenever, wrong_verb

PASS = Order("pass")


def begin(p: TijvinPosition) -> None:
    """The player with the initiative begins (11.A)."""
    p.passed = False
    p.go("activations")


def next_activation(p: TijvinPosition) -> None:
    """The side in hand activates, the other if it has nothing left; else the turn ends (6.2.3)."""
    first = p.agenda[0].side
    for side in (first, 1 - first):
        p.go("activation", side)
        if next(iter(activations(p)), None) is not None:
            if side != first:
                p.pass_by("activation", first)
            return
    p.go("end-of-turn")


def ready_hqs(p: TijvinPosition) -> list[int]:
    """Headquarters of the side in hand that may be activated (11.A)."""
    waiting, hexes, used = sinyavino.army(p) if sinyavino.waits(p) else -1, p.hq_hex, p.hq_activated
    return [q for q in p.roster.hqs_of[p.side] if hexes[q] >= 0 and not used >> q & 1 and q != waiting]


def bonus_hqs(p: TijvinPosition) -> list[int]:
    """Turn 1: when all German headquarters have acted, one of them acts again (15.1)."""
    if p.turn != 1 or p.bonus or p.side != "german" or ready_hqs(p):
        return []
    return [q for q in p.roster.hqs_of["german"] if p.hq_hex[q] >= 0 and bonus_units(p, q)]


def bonus_units(p: TijvinPosition, q: int) -> UnitMask:
    """The mobile units that the extra activation of a headquarters activates (15.1)."""
    return units_of(p, q) & p.roster.mobile


def units_of(p: TijvinPosition, q: int) -> UnitMask:
    """Units on the map that obey a headquarters and are in command (11.A)."""
    hq, hexes = p.hq, p.hexes
    obeying = [1 << u for u in p.roster.of[p.roster.hqs[q].side] if hq[u] == q and hexes[u] >= 0]
    return sum(obeying) & ~p.uncommanded


def independent(p: TijvinPosition) -> UnitMask:
    """Units out of command that may be activated on their own (11.O)."""
    units = p.uncommanded & p.roster.side_mask[p.side] & ~p.spent
    if not units:
        return 0
    hexes = p.hexes
    return sum([1 << u for u in members(units & ~sinyavino.idle(p)) if hexes[u] >= 0])


def is_division(p: TijvinPosition, units: list[int]) -> bool:
    """Whether units are regiments of one division, all stacked with or next to one another (11.O)."""
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
    roster = p.roster
    yield from (Order("activate", (roster.hqs[q].id,)) for q in (*ready_hqs(p), *bonus_hqs(p)))
    units = list(members(independent(p)))
    yield from (Order("activate", (roster.units[u].id,)) for u in units)
    for u in units:
        division = roster.units[u].division
        sisters = [v for v in units if v > u and roster.units[v].division == division] if division else []
        for others in (*combinations(sisters, 1), *combinations(sisters, 2)):
            if is_division(p, [u, *others]):
                yield Order("activate", tuple(roster.units[v].id for v in (u, *others)))


def may_pass(p: TijvinPosition) -> Refusal | None:
    """A player may pass, unless units of the 54 Army still have to attack Sinyavino (11.A, 15.1)."""
    if p.side != "soviet" or not sinyavino.attacks(p):
        return None
    q = sinyavino.army(p)
    late = sinyavino.duty(p, independent(p) | (units_of(p, q) if q in ready_hqs(p) else 0))
    return first_case((late, "15.1", "{} still has to attack Sinyavino this turn", p.roster.hqs[q].name))


def pass_on(p: TijvinPosition) -> None:
    """The other player may activate; two passes in a row end the turn (11.A)."""
    p.tell("passes", "11.A", "The {} player passes", p.side.capitalize(), side=p.phasing)
    if p.passed:
        p.go("end-of-turn")
        return
    p.passed = True
    p.go("activation", 1 - p.agenda[0].side)
    if next(iter(activations(p)), None) is None:
        p.pass_by("activation")
        p.go("end-of-turn")


NOT_ACTIVATING = wrong_verb("11.A", "activate a headquarters or a unit out of command, or pass")


def activation(p: TijvinPosition, order: Order) -> Activation:
    """One headquarters, one unit out of command, or regiments of a division that are (11.A, 11.O)."""
    forbid(not order.units, *NOT_ACTIVATING)
    q = p.roster.hq_index.get(order.units[0], -1)
    if q < 0:
        return _detachment(p, order)
    hq = p.roster.hqs[q]
    forbid(len(order.units) > 1, "11.A", "one headquarters at a time")
    forbid(hq.side != p.side, "11.A", "{} is not yours", hq.name)
    if q not in (*ready_hqs(p), *bonus_hqs(p)):
        forbid(p.hq_hex[q] < 0, "11.H", "{} is off the map", hq.name)
        forbid(p.hq_activated >> q & 1, "11.A", "{} has been activated this turn", hq.name)
        raise Illegal("15.1", f"{hq.name} waits for the Sinyavino offensive on turn 1")
    return Activation(units_called(p, q), q)


def units_called(p: TijvinPosition, q: int) -> UnitMask:
    """The units that a headquarters activates now; the mobile ones if it acts again (15.1)."""
    if p.hq_activated >> q & 1:
        return bonus_units(p, q)
    return units_of(p, q) & ~p.spent & ~sinyavino.idle(p)


def _detachment(p: TijvinPosition, order: Order) -> Activation:
    """Units out of command act one at a time, but for regiments of one division (11.O)."""
    units = [p.roster.index.get(name, -1) for name in order.units]
    for name, u in zip(order.units, units, strict=True):
        forbid(u < 0 or p.roster.units[u].side != p.side or p.hexes[u] < 0, "11.A",
               "{} is not a unit of yours on the map", name)  # fmt: skip
        forbid(not p.uncommanded >> u & 1, "11.A", "{} acts with its headquarters", name)
        forbid(p.spent >> u & 1, "11.A", "{} has been activated this turn", name)
        forbid(sinyavino.idle(p) >> u & 1, "15.1", "{} waits for the Sinyavino offensive", name)
    forbid(len(units) > 1 and not is_division(p, units), "11.O", "units out of command act one at a time; only "
           "regiments of one mobile division act together, stacked or in adjacent hexes")  # fmt: skip
    return Activation(mask_of(units))


def activate(p: TijvinPosition, called: Activation) -> None:
    """Units are activated; those of a headquarters that acts again move and attack a second time (15.1)."""
    units, q = called
    p.passed = False
    if q < 0:
        text = p.do(units, "{} is activated out of command", "{} are activated out of command")
        p.tell("activated", "11.O", text, p.name(units), side=p.phasing)
    elif p.hq_activated >> q & 1:
        p.bonus = "now"
        p.disturb()
        p.moved &= ~units
        p.attacked &= ~units
        p.tell("activated", "15.1", "{} acts again with its mobile units", p.roster.hqs[q].name, side=p.phasing)
    else:
        p.hq_activated |= 1 << q
        p.tell("activated", "11.A", "{} is activated", p.roster.hqs[q].name, side=p.phasing)
    p.spent |= units
    p.go("movements", matter=called)


ACTIVATIONS: Actions = {
    "activate": Action(activation, activate, activations),
    "pass": whenever("pass", may_pass, pass_on),
}


# Headquarters move (11.H) ---------------------------------------------------------------------


def begin_hq_movement(p: TijvinPosition) -> None:
    """The activated headquarters may move at the end; not in the extra activation of turn 1 (11.H, 15.1)."""
    q = p.active_hq
    if q < 0 or p.hq_hex[q] < 0 or p.bonus == "now":
        end_activation(p)
    else:
        p.open("hq-movement", p.fog or hq_hexes(p), end_activation)


def end_activation(p: TijvinPosition) -> None:
    """The other player is next."""
    if p.bonus == "now":
        p.bonus = "used"
        p.disturb()
    p.go("activations", 1 - p.agenda[0].side)


def hq_paths(p: TijvinPosition) -> list[HexMask]:
    """Hexes the activated headquarters reaches, by number of hexes (11.H): not into enemies, their
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
    """Where the activated headquarters may go (11.H)."""
    return union(hq_paths(p)[1:])


def hq_move(p: TijvinPosition, order: Order) -> Hex:
    """The activated headquarters, to a hex it reaches (11.H)."""
    hq = p.roster.hqs[p.active_hq]
    forbid(order.units != (hq.id,) or len(order.hexes) != 1, *not_its_move(p, order))
    h, enemy, steps = hex_of(p, order), enemy_of(p.side), p.tables.headquarters.hexes
    forbid(h < 0, "11.H", "the map has no hex {}", order.hexes[0])
    if not hq_hexes(p) >> h & 1:
        forbid(p.occupied(enemy) >> h & 1, "11.H", "an enemy unit stands there")
        forbid(not p.ground.land >> h & 1, "11.H", "that hex is water")
        forbid(h == p.hq_hex[p.active_hq], "11.H", "{} stands there already", hq.name)
        forbid(p.zone(enemy) >> h & 1, "11.H", "that hex is in an enemy zone of control")
        forbid(not p.own_ground(p.side) >> h & 1, "11.H", "that hex is enemy ground")
        forbid(p.hq_unsupplied >> p.active_hq & 1, "10", "{} is out of supply and moves one hex only", hq.name)
        raise Illegal("11.H", f"{hq.name} cannot get there in {steps} hexes")
    return h


def move_hq(p: TijvinPosition, h: Hex) -> None:
    """The headquarters moves; then only the end of its activation is left (11.H)."""
    q = p.active_hq
    p.hq_hex[q] = h
    p.tell("hq-moves", "11.H", "{} moves to {}", p.roster.hqs[q].name, p.place_name(h), side=p.phasing)
    p.go("hq-moved", matter=p.agenda[0].matter)


def not_its_move(p: TijvinPosition, _: Order) -> Refusal:
    """Nothing but the headquarters, or the end."""
    hq = p.roster.hqs[p.active_hq]
    return wrong_verb("11.H", f"move {hq.name} or end: move {hq.id} HEX")


def hq_has_moved(p: TijvinPosition, order: Order) -> Refusal:
    """Once a headquarters has moved only the end of its activation is left."""
    hq = p.roster.hqs[p.active_hq]
    moved = order.verb == "move" and order.units == (hq.id,)
    return (
        Refusal("11.H", f"{hq.name} has moved already")
        if moved
        else wrong_verb("11.H", f"end the activation of {hq.name}")
    )


HQ_END = ending(end_activation)
HQ_MOVEMENT: Actions = {
    "move": Action(hq_move, move_hq, lambda p: [
        Order("move", (p.roster.hqs[p.active_hq].id,), (p.ground.names[h],)) for h in p.ground.grid.members(hq_hexes(p))
    ]),
    "end": HQ_END,
}  # fmt: skip
HQ_MOVED: Actions = {"end": HQ_END}


def reach(p: TijvinPosition, names: list[str]) -> Mapping[str, Reached]:
    """Where an activated unit or stack, or the headquarters at the end of its activation, can go."""
    for name in names:
        if name not in p.roster:
            raise LadogaError(f"there is no unit {name!r}")
    return hq_reach(p, names) if any(name in p.roster.hq_index for name in names) else movement.reach(p, names)


def hq_reach(p: TijvinPosition, names: list[str]) -> Mapping[str, Reached]:
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
