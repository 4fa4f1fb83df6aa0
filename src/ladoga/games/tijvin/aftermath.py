"""After the rolls (section 13, phases V and VI): all-out defence, retreat, advance, exploitation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...hexes import DIRECTIONS, NOWHERE, Hex, HexMask, members
from ...kernel.chance import Chance, die
from ...kernel.orders import END, Order
from ...kernel.position import Refusal
from . import combat, supply
from .battle import in_hand
from .book import EDGES, UnitMask, enemy_of
from .steps import Roll, Step, number, some, wrong_verb

if TYPE_CHECKING:
    from .position import TijvinPosition

STAND = Order("stand")
YIELD = Order("yield")


def after_casualties(p: TijvinPosition) -> None:
    """A beaten defender stands or retreats; a draw or a lost attack ends the combat (13 V)."""
    b = in_hand(p)
    defender = enemy_of(p.side)
    if not p.at(b.target, defender):
        _abandon_headquarters(p, b.target, defender)
    if b.held or b.winner != "attacker":
        p.stage = "combats"
    elif not p.at(b.target, defender):
        b.wiped_out = True
        p.stage = "advances"
    elif may_stand(p):
        p.mover = defender
        p.stage = "stand"
    else:
        p.stage = "retreats"


def _abandon_headquarters(p: TijvinPosition, h: Hex, side: str) -> None:
    """A headquarters whose stack is destroyed is taken off the map (11)."""
    for q in p.roster.hqs_of[side]:
        if p.hq_hex[q] == h:
            p.lose_headquarters(q)


# All-out defence (13 V) -----------------------------------------------------------------------


def may_stand(p: TijvinPosition) -> bool:
    """In a city, with enough factors left, and not beaten twofold."""
    b, figures = in_hand(p), p.tables.all_out_defence
    if b.stood or b.routed or b.degree > 1 or not p.ground.cities >> b.target & 1:
        return False
    return p.factors(b.defenders) >= figures.strength


def stand_number(p: TijvinPosition) -> int:
    """The highest die that holds the city."""
    b, figures = in_hand(p), p.tables.all_out_defence
    value = figures.major_city if p.ground.major_city >> b.target & 1 else figures.minor_city
    near = p.ground.grid.within(1 << b.target, 1)
    if any(p.hq_hex[q] >= 0 and near >> p.hq_hex[q] & 1 for q in p.roster.hqs_of[enemy_of(p.side)]):
        value += figures.headquarters
    return value


def stand_orders(p: TijvinPosition) -> Iterator[Order]:
    """``stand`` or ``yield``."""
    yield STAND
    yield YIELD


def stand_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Nothing else can be ordered here."""
    return None if order in (STAND, YIELD) else wrong_verb("13.V", "stand (all-out defence) or yield (retreat)")


def apply_stand(p: TijvinPosition, order: Order) -> None:
    """Try to hold the city, or go."""
    in_hand(p).stood = True
    p.stage = "stand-die" if order == STAND else "retreats"


def stand_die(p: TijvinPosition) -> Chance:
    """The die of an all-out defence."""
    return die(f"all-out defence, holding on {stand_number(p)} or less", "13.V")


def apply_stand_die(p: TijvinPosition, order: Order) -> None:
    """Success costs half of what the battle cost, at least one factor (2); failure nothing more."""
    b = in_hand(p)
    if number(order) > stand_number(p):
        p.note("stand", "13.V", "The all-out defence fails", side=enemy_of(p.side))
        p.stage = "retreats"
        return
    b.held = True
    b.picked = b.hit = 0
    b.due = 0, min(max(b.suffered // 2, 1), p.factors(b.defenders))
    p.note("stand", "13.V", "The all-out defence holds {}", p.place_name(b.target), side=enemy_of(p.side))
    p.stage = "casualties"


STANDING = Step(stand_orders, stand_refusal, apply_stand, "Stand in an all-out defence, or yield")
STAND_DIE = Roll(stand_die, apply_stand_die)


# Retreat (13 V) -------------------------------------------------------------------------------


def begin_retreat(p: TijvinPosition) -> None:
    """Who has to go: everybody, or of a stack out of command those that run while others fight on (11). Units that
    had fled here before go when the last defender goes, and lose a factor each."""
    b = in_hand(p)
    b.retreating = p.at(b.target, enemy_of(p.side))
    if b.routed and not b.pursuit and b.defenders & ~p.uncommanded:
        b.retreating = b.defenders & p.uncommanded
    for u in members(b.retreating & p.shaken & ~b.defenders):
        p.lose(u, 1 << u)
    p.stage = "retreat-goes-on"


def retreat_goes_on(p: TijvinPosition) -> None:
    """The next group retreats: the owner chooses where there is a choice."""
    b = in_hand(p)
    b.retreating = sum(1 << u for u in members(b.retreating) if p.hexes[u] == b.target)
    p.mover = enemy_of(p.side)
    if not b.retreating:
        end_retreat(p)
        return
    hexes = refuges(p)
    if not hexes:
        _no_way_out(p)
    elif hexes.bit_count() == 1 and not any(True for _ in second_hexes(p, b.retreating, hexes)):
        retreat(p, b.retreating, [hexes.bit_length() - 1])
    else:
        p.stage = "retreat"


def end_retreat(p: TijvinPosition) -> None:
    """A fight goes on against those who stayed in command; else the attackers may advance."""
    b = in_hand(p)
    defender = enemy_of(p.side)
    p.mover = p.side
    if b.routed and p.at(b.target, defender):
        b.routed, b.winner = False, ""
        b.defenders = combat.defenders_at(p, b.target)
        p.stage = "supports"
        return
    _abandon_headquarters(p, b.target, defender)
    b.wiped_out = not p.factors(b.retreated)
    p.stage = "advances"


def open_neighbours(p: TijvinPosition, here: Hex) -> HexMask:
    """Neighbours that a retreat may enter at all: no enemies, no enemy cities, no water, no major
    river without a bridge (13 V)."""
    side, ground = enemy_of(p.side), p.ground
    hexes = 0
    for d, n in zip(DIRECTIONS, ground.grid.neighbours(here), strict=True):
        if n == NOWHERE or not ground.ways[d] >> here & 1:
            continue
        if ground.major[d] >> here & 1 and not ground.path[d] >> here & 1:
            continue
        hexes |= 1 << n
    enemy_cities = ground.cities & ~p.own_ground(side)
    return hexes & ~p.occupied(p.side) & ~enemy_cities


def threatened(p: TijvinPosition, hexes: HexMask) -> HexMask:
    """Hexes in a zone of the attacker without a unit of the retreating side."""
    b, side = in_hand(p), enemy_of(p.side)
    held = sum({1 << p.hexes[u] for u in members(p.on_map(side) & ~b.retreating)})
    return hexes & p.zone(p.side) & ~held


def refuges(p: TijvinPosition) -> HexMask:
    """Where the stack may go: out of enemy zones if it can, then nearer to any edge that can supply it (13 V)."""
    b = in_hand(p)
    hexes = open_neighbours(p, b.target)
    hexes = hexes & ~p.zone(p.side) or hexes
    return supply.nearer_to_supply(p, enemy_of(p.side), b.target, hexes) or hexes


def wet(p: TijvinPosition, a: Hex, b: Hex) -> bool:
    """Whether a retreat crosses a minor river without a bridge; frozen rivers do no harm (7, 13 V)."""
    return not p.frozen and p.ground.river(a, b) == "minor-river" and not p.ground.joined(a, b)


def second_hexes(p: TijvinPosition, units: UnitMask, firsts: HexMask) -> Iterator[tuple[Hex, Hex]]:
    """Ways of two hexes along road or railway for mobile units, not through or into enemy zones, and
    the second hex nearer to supply than the first and than the start (13 V)."""
    b, side = in_hand(p), enemy_of(p.side)
    if not units & p.roster.mobile:
        return
    for first in members(firsts & ~p.zone(p.side)):
        if not p.ground.joined(b.target, first):
            continue
        hexes = open_neighbours(p, first) & ~p.zone(p.side) & ~(1 << b.target)
        hexes = sum(1 << h for h in members(hexes) if p.ground.joined(first, h))
        hexes = supply.nearer_to_supply(p, side, first, hexes)
        for second in members(supply.nearer_to_supply(p, side, b.target, hexes)):
            yield first, second


def _no_way_out(p: TijvinPosition) -> None:
    """Over the edge of the map towards supply, or destroyed (13 V)."""
    b, side = in_hand(p), enemy_of(p.side)
    ways_out = p.ground.supply_edge[side] & 1 << b.target
    edge = next((box for box, name in EDGES.items() if p.ground.edges[name] & ways_out), 0)
    for u in members(b.retreating):
        if edge:
            p.hexes[u], p.box[u] = NOWHERE, edge
            p.note("leaves", "13.V", "{} retreats over the edge of the map", p.roster.units[u].name, side=side)
        else:
            p.destroy(u)
    p.disturb()
    b.retreated |= b.retreating
    p.retreated |= b.retreating
    p.stage = "retreat-goes-on"


def retreat(p: TijvinPosition, units: UnitMask, path: list[Hex]) -> None:
    """A group goes back; rivers and zones cost it a factor each (5, 13 V)."""
    b, side = in_hand(p), enemy_of(p.side)
    end = path[-1]
    friends = p.at(end, side) & ~b.retreated
    penalty = int(wet(p, b.target, path[0])) + int(bool(threatened(p, 1 << end)))
    for u in members(units):
        p.take(path[0], side)
        p.stand(u, end)
    b.retreating &= ~units
    b.retreated |= units
    p.retreated |= units
    p.shaken &= ~units
    if friends:
        p.shaken |= units
    if len(path) > 1:
        b.trails = (*b.trails, (path[0], path[1]))
    text = p.do(units, "{} retreats to {}", "{} retreat to {}")
    p.note("retreats", "13.V", text, p.name(units), p.place_name(end), side=side)
    if not p.at(b.target, side):
        for q in p.roster.hqs_of[side]:
            if p.hq_hex[q] == b.target:
                p.hq_hex[q] = end
    b.group, b.refuge, b.penalty = units, end, penalty
    p.stage = "penalties"


def retreat_orders(p: TijvinPosition) -> Iterator[Order]:
    """``retreat UNITS HEX`` for the whole stack and for each unit, ``HEX-HEX`` for mobile units."""
    b = in_hand(p)
    hexes, number_of = refuges(p), p.ground.grid.number
    groups = [b.retreating]
    if b.retreating.bit_count() > 1:
        groups += [1 << u for u in members(b.retreating)]
    for group in groups:
        names = tuple(p.roster.units[u].id for u in members(group))
        for h in p.ground.grid.members(hexes):
            yield Order("retreat", names, (number_of(h),))
        if not group & ~p.roster.mobile:
            for first, second in second_hexes(p, group, hexes):
                yield Order("retreat", names, (number_of(first), number_of(second)))


def retreat_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why a retreat is refused."""
    if order.verb != "retreat" or not order.units or len(order.hexes) not in (1, 2):
        return wrong_verb("13.V", "retreat: retreat UNITS HEX, or HEX-HEX for mobile units by road or rail")
    b, grid = in_hand(p), p.ground.grid
    group = 0
    for name in order.units:
        u = p.roster.index.get(name, -1)
        if u < 0 or not b.retreating >> u & 1:
            return Refusal("13.V", f"{name} does not retreat now")
        group |= 1 << u
    if any(n not in grid for n in order.hexes):
        return Refusal("13.V", "the map has no such hex")
    path = [grid.hex(n) for n in order.hexes]
    if not refuges(p) >> path[0] & 1:
        return _bad_refuge(p, path[0])
    if len(path) == 1:
        return None
    if group & ~p.roster.mobile:
        return Refusal("13.V", "only mobile units retreat two hexes")
    if (path[0], path[1]) in second_hexes(p, group, 1 << path[0]):
        return None
    return Refusal("13.V", "a second hex lies along road or railway, out of enemy zones, and nearer to supply")


def _bad_refuge(p: TijvinPosition, h: Hex) -> Refusal:
    b = in_hand(p)
    if not p.ground.grid.adjacent(b.target, h):
        return Refusal("13.V", "a retreat goes to the next hex")
    if not open_neighbours(p, b.target) >> h & 1:
        return Refusal("13.V", "enemies, an enemy city, water or a major river without a bridge bar that way")
    if p.zone(p.side) >> h & 1 and refuges(p) & ~p.zone(p.side):
        return Refusal("5", "there is a way out of enemy zones of control, which has to be taken")
    return Refusal("13.V", "there is a way towards supply, which has to be taken")


def apply_retreat(p: TijvinPosition, order: Order) -> None:
    """A group retreats."""
    units = sum(1 << p.roster.index[name] for name in order.units)
    retreat(p, units, [p.ground.grid.hex(n) for n in order.hexes])


RETREAT = Step(retreat_orders, retreat_refusal, apply_retreat, "Retreat")


def take_penalties(p: TijvinPosition) -> None:
    """Losses of a retreat, then of overstacking; the owner chooses (13 V)."""
    b, side = in_hand(p), enemy_of(p.side)
    while True:
        if not b.penalty:
            b.penalty = max(-p.room(b.refuge, side), 0)
            b.group = p.at(b.refuge, side)
            if not b.penalty:
                break
        units = penalty_victims(p)
        if not units:
            b.penalty = 0
            break
        if units.bit_count() > 1:
            p.mover = side
            p.stage = "penalty"
            return
        pay(p, units.bit_length() - 1)
    b.group, b.refuge = 0, NOWHERE
    p.stage = "retreat-goes-on"


def penalty_victims(p: TijvinPosition) -> UnitMask:
    """Units of the group that can pay, artillery last."""
    alive = sum(1 << u for u in members(in_hand(p).group) if p.cf[u] > 0 and p.hexes[u] >= 0)
    return alive & ~p.roster.artillery or alive


def pay(p: TijvinPosition, u: int) -> None:
    """One factor lost in retreat."""
    b = in_hand(p)
    p.lose(u, penalty_victims(p))
    b.penalty -= 1
    if not p.at(b.refuge, enemy_of(p.side)):
        _abandon_headquarters(p, b.refuge, enemy_of(p.side))


def penalty_orders(p: TijvinPosition) -> Iterator[Order]:
    """``lose UNIT``."""
    for u in members(penalty_victims(p)):
        yield Order("lose", (p.roster.units[u].id,))


def penalty_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why a loss may not fall there."""
    if order in penalty_orders(p):
        return None
    if order.verb == "lose":
        return Refusal("13.V", "that unit cannot pay for the retreat")
    return wrong_verb("13.V", "choose the unit that loses a factor: lose UNIT")


def apply_penalty(p: TijvinPosition, order: Order) -> None:
    """A factor is paid."""
    pay(p, p.roster.index[order.units[0]])
    p.stage = "penalties"


PENALTY = Step(penalty_orders, penalty_refusal, apply_penalty, "Choose the unit that pays for the retreat")


# Advance (13 VI) ------------------------------------------------------------------------------


def begin_advance(p: TijvinPosition) -> None:
    """Attackers may advance into the vacated hex."""
    p.mover = p.side
    p.stage = "advance" if next(iter(advances(p)), None) is not None else "exploitations"


def advance_refusal_of(p: TijvinPosition, u: int, path: list[Hex]) -> Refusal | None:
    """Why a unit may not advance that way."""
    b, unit = in_hand(p), p.roster.units[u]
    if not (b.attackers | b.guns) >> u & 1 or p.hexes[u] < 0:
        return Refusal("13.VI", f"{unit.name} took no part in the attack")
    if b.advanced >> u & 1:
        return Refusal("13.VI", f"{unit.name} has advanced")
    if p.at(b.target, enemy_of(p.side)):
        return Refusal("13.VI", "the hex has not been vacated")
    if path[0] != b.target:
        return Refusal("13.VI", "an advance goes into the vacated hex first")
    here = p.hexes[u]
    for h in path:
        if unit.type == "tank" and not p.frozen and p.ground.bare_swamp(here, h):
            return Refusal("13.IIa", f"{unit.name} enters swamp only along a road or railway")
        here = h
    if len(path) > 1:
        refused = second_refusal(p, u, path)
        if refused is not None:
            return refused
    if p.room(path[-1], p.side) < p.cf[u]:
        return Refusal("4", f"more than {p.tables.stacking.limit} factors would stand there")
    return None


def second_refusal(p: TijvinPosition, u: int, path: list[Hex]) -> Refusal | None:
    """The second hex: for mobile units after a long retreat or a destroyed defender (13 VI)."""
    b = in_hand(p)
    if not p.roster.mobile >> u & 1:
        return Refusal("13.VI", "only mobile units advance a second hex")
    if path[1] not in p.ground.grid.neighbours(path[0]) or not p.ground.passable(path[0], path[1]):
        return Refusal("13.VI", "the second hex is next to the first")
    if not b.wiped_out and path[1] not in {first for first, _ in b.trails}:
        return Refusal("13.VI", "a second hex only after a destroyed defender, or behind one that went two hexes")
    if p.occupied(enemy_of(p.side)) >> path[1] & 1:
        return Refusal("13.VI", "an enemy unit stands there")
    fresh = next((h for h in path if fresh_zone(p) >> h & 1), NOWHERE)
    if fresh != NOWHERE:
        number = p.ground.grid.number(fresh)
        return Refusal("13.VI", f"{number} is in the zone of control of a unit that has not retreated this turn")
    return None


def fresh_zone(p: TijvinPosition) -> HexMask:
    """Zones of enemy units that have not retreated this turn; in a view under fog those that have been told."""
    if p.shown is not None:
        return p.shown
    enemy = enemy_of(p.side)
    trial = p._copy()
    for u in members(p.on_map(enemy) & p.retreated):
        trial.hexes[u] = NOWHERE
    trial.disturb()
    return trial.whole_zone(enemy)


def asked_for_advance(p: TijvinPosition) -> HexMask:
    """The hexes of two-hex advances that could be made, about whose zones the attacker is told under fog (17.1)."""
    b = in_hand(p)
    seconds = sum(1 << h for h in second_hexes_of_advance(p))
    if not seconds or not (b.attackers | b.guns) & ~b.advanced & p.roster.mobile:
        return 0
    return 1 << b.target | seconds


def second_hexes_of_advance(p: TijvinPosition) -> list[Hex]:
    """Where an advance of two hexes may lead: anywhere behind a destroyed defender, or where he went through."""
    b = in_hand(p)
    firsts = {first for first, _ in b.trails}
    return [n for n in p.ground.grid.neighbours(b.target) if n != NOWHERE and (b.wiped_out or n in firsts)]


def advances(p: TijvinPosition) -> Iterator[Order]:
    """``advance UNIT HEX``, ``advance UNIT HEX-HEX``."""
    b, number_of = in_hand(p), p.ground.grid.number
    if p.at(b.target, enemy_of(p.side)):
        return
    seconds = second_hexes_of_advance(p)
    for u in members((b.attackers | b.guns) & ~b.advanced):
        for path in ([b.target], *([b.target, h] for h in seconds if p.roster.mobile >> u & 1)):
            if advance_refusal_of(p, u, path) is None:
                yield Order("advance", (p.roster.units[u].id,), tuple(number_of(h) for h in path))


def advance_orders(p: TijvinPosition) -> Iterator[Order]:
    """Advances, or the end of them."""
    yield from advances(p)
    yield END


def advance_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why an advance is refused."""
    if order == END:
        return None
    if order.verb != "advance" or len(order.units) != 1 or len(order.hexes) not in (1, 2):
        return wrong_verb("13.VI", "advance units into the vacated hex, or end: advance UNIT HEX")
    u = p.roster.index.get(order.units[0], -1)
    if u < 0 or any(n not in p.ground.grid for n in order.hexes):
        return Refusal("13.VI", "no such unit or hex")
    return advance_refusal_of(p, u, [p.ground.grid.hex(n) for n in order.hexes])


def apply_advance(p: TijvinPosition, order: Order) -> None:
    """A unit advances."""
    b = in_hand(p)
    if order == END:
        p.stage = "exploitations"
        return
    u = p.roster.index[order.units[0]]
    path = [p.ground.grid.hex(entered) for entered in order.hexes]
    for h in path:
        p.take(h, p.side)
    end = path[-1]
    p.stand(u, end)
    p.shaken &= ~(1 << u)
    b.advanced |= 1 << u
    p.note("advances", "13.VI", "{} advances to {}", p.roster.units[u].name, p.place_name(end), side=p.side)
    if next(iter(advances(p)), None) is None:
        p.stage = "exploitations"


ADVANCE = Step(advance_orders, advance_refusal, apply_advance, "Advance after combat, or end",
               some(advance_orders, 0.3))  # fmt: skip


# Exploitation (13 VI) -------------------------------------------------------------------------


def begin_exploitation(p: TijvinPosition) -> None:
    """Mobile units that advanced next to the beaten defender may attack him once more, unless he
    joined a fresh unit; never twice in a row, nor in the extra activation of turn 1 (15.1)."""
    b, enemy = in_hand(p), enemy_of(p.side)
    b.exploiters = b.advanced & p.roster.mobile
    b.prey = 0
    for u in members(b.retreated):
        h = p.hexes[u]
        if h >= 0 and not p.at(h, enemy) & ~p.retreated:
            b.prey |= 1 << h
    if not b.exploitation and p.bonus != "now" and b.exploiters and combat.targets(p):
        p.mover = p.side
        p.stage = "exploitation"
    else:
        p.stage = "combats"
