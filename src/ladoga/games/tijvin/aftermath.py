"""After the rolls (section 13, phases V and VI): all-out defence, retreat, advance, exploitation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ...hexes import DIRECTIONS, NOWHERE, Hex, HexMask, members
from ...kernel.errors import Illegal
from ...kernel.orders import Order
from ...kernel.position import allows, forbid
from ...kernel.sequence import Action, Passage, each
from . import combat, supply
from .battle import Battle, in_hand
from .book import EDGES, UnitMask, enemy_of
from .position import TijvinPosition
from .steps import TOO_FULL, Actions, ending, number, path_of, wrong_verb


def after_casualties(p: TijvinPosition) -> None:
    """A beaten defender stands or retreats; a draw or a lost attack ends the combat (13 V)."""
    b, defender = in_hand(p), enemy_of(p.side)
    abandon_headquarters(p, b.target, defender)
    if b.held or b.winner != "attacker":
        p.done()
    elif not p.at(b.target, defender):
        p.go("advances", matter=b.but(wiped_out=not p.factors(b.retreated)))
    elif may_stand(p):
        p.go("stand", 1 - p.agenda[-1].side, b)
    else:
        p.go("retreats", matter=b)


def abandon_headquarters(p: TijvinPosition, h: Hex, side: str) -> None:
    """A headquarters whose stack is destroyed or gone is taken off the map (11)."""
    for q in p.roster.hqs_of[side] if not p.at(h, side) else ():
        if p.hq_hex[q] == h:
            p.lose_headquarters(q)


# All-out defence (13 V) -----------------------------------------------------------------------


def may_stand(p: TijvinPosition) -> bool:
    """In a city, with enough factors left, and not beaten twofold (13 V)."""
    b, figures = in_hand(p), p.tables.all_out_defence
    if b.stood or b.routed or b.degree > 1 or not p.ground.cities >> b.target & 1:
        return False
    return p.factors(b.defenders) >= figures.strength


def stand_number(p: TijvinPosition) -> int:
    """The highest die that holds the city (13 V)."""
    b, figures = in_hand(p), p.tables.all_out_defence
    value = figures.major_city if p.ground.major_city >> b.target & 1 else figures.minor_city
    near = p.ground.grid.within(1 << b.target, 1)
    if any(p.hq_hex[q] >= 0 and near >> p.hq_hex[q] & 1 for q in p.roster.hqs_of[enemy_of(p.side)]):
        value += figures.headquarters
    return value


NOT_STANDING = wrong_verb("13.V", "stand (all-out defence) or yield (retreat)")


def stand_roll(p: TijvinPosition, face: Order) -> None:
    """Success costs half of what the battle cost, at least one factor (2); failure nothing more."""
    b = in_hand(p)
    if number(face) > stand_number(p):
        p.tell("stand", "13.V", "The all-out defence fails", side=1 - p.phasing)
        p.go("retreats", matter=b)
        return
    p.tell("stand", "13.V", "The all-out defence holds {}", p.place_name(b.target), side=1 - p.phasing)
    due = min(max(b.suffered // 2, 1), p.factors(b.defenders))
    p.go("casualties", matter=b.but(held=True, picked=0, hit=0, due=(0, due)))


STAND: Actions = {
    "stand": Action.plain("stand", lambda p, _: p.go("stand-die", matter=in_hand(p).but(stood=True))),
    "yield": Action.plain("yield", lambda p, _: p.go("retreats", matter=in_hand(p).but(stood=True))),
}


# Retreat (13 V) -------------------------------------------------------------------------------


def begin_retreat(p: TijvinPosition) -> None:
    """Who has to go: everybody, or of a stack out of command those that run while others fight on (11). Units that
    had fled here before go when the last defender goes, and lose a factor each."""
    b = in_hand(p)
    going = p.at(b.target, enemy_of(p.side))
    if b.routed and not b.pursuit and b.defenders & ~p.uncommanded:
        going = b.defenders & p.uncommanded
    for u in members(going & p.shaken & ~b.defenders):
        p.lose(u, 1 << u)
    p.go("retreat-goes-on", matter=b.but(retreating=going))


def retreat_goes_on(p: TijvinPosition) -> None:
    """The next group retreats: the owner chooses where there is a choice (13 V)."""
    b = in_hand(p)
    b = b.but(retreating=sum(1 << u for u in members(b.retreating) if p.hexes[u] == b.target))
    p.go("retreat", 1 - p.agenda[-1].side, b)
    hexes = refuges(p) if b.retreating else 0
    if not b.retreating:
        end_retreat(p, b)
    elif not hexes:
        _no_way_out(p, b)
    elif hexes.bit_count() == 1 and not any(True for _ in second_hexes(p, b.retreating, hexes)):
        retreat(p, Passage(b.retreating, (hexes.bit_length() - 1,)))


def end_retreat(p: TijvinPosition, b: Battle) -> None:
    """A fight goes on against those who stayed in command (11); else the attackers may advance (13 VI)."""
    attacker, defender = p.agenda[-1].side, enemy_of(p.side)
    if b.routed and p.at(b.target, defender):
        p.go("supports", attacker, b.but(routed=False, winner="", defenders=combat.defenders_at(p, b.target)))
    else:
        abandon_headquarters(p, b.target, defender)
        p.go("advances", attacker, b.but(wiped_out=not p.factors(b.retreated)))


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


def refuges(p: TijvinPosition) -> HexMask:
    """Where the stack may go: out of enemy zones if it can, then nearer to any edge that can supply it (13 V)."""
    b = in_hand(p)
    hexes = open_neighbours(p, b.target)
    hexes = hexes & ~p.zone(p.side) or hexes
    return supply.nearer_to_supply(p, enemy_of(p.side), b.target, hexes) or hexes


def second_hexes(p: TijvinPosition, units: UnitMask, firsts: HexMask) -> Iterator[tuple[Hex, ...]]:
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


def _no_way_out(p: TijvinPosition, b: Battle) -> None:
    """Over the edge of the map towards supply, or destroyed (13 V)."""
    side = enemy_of(p.side)
    ways_out = p.ground.supply_edge[side] & 1 << b.target
    edge = next((box for box, name in EDGES.items() if p.ground.edges[name] & ways_out), 0)
    for u in members(b.retreating):
        if edge:
            p.hexes[u], p.box[u] = NOWHERE, edge
            p.tell("leaves", "13.V", "{} retreats over the edge of the map", p.roster.units[u].name, side=1 - p.phasing)
        else:
            p.destroy(u, p.cf[u])
    p.disturb()
    p.retreated |= b.retreating
    p.go("retreat-goes-on", matter=b.but(retreated=b.retreated | b.retreating))


def retreat(p: TijvinPosition, back: Passage) -> None:
    """A group goes back; rivers and zones cost it a factor each (5, 13 V): a minor river without a bridge, if it is not
    frozen (7), and a zone of the attacker where nobody else of the side stands."""
    b, side, (units, path) = in_hand(p), enemy_of(p.side), back
    first, end = path[0], path[-1]
    friends = p.at(end, side) & ~b.retreated
    wet = not p.frozen and p.ground.river(b.target, first) == "minor-river" and not p.ground.joined(b.target, first)
    threatened = p.zone(p.side) >> end & 1 and not p.at(end, side) & ~b.retreating
    for u in members(units):
        p.take(first, side)
        p.stand(u, end)
    p.retreated |= units
    p.shaken = p.shaken | units if friends else p.shaken & ~units
    text = p.do(units, "{} retreats to {}", "{} retreat to {}")
    p.tell("retreats", "13.V", text, p.name(units), p.place_name(end), side=1 - p.phasing)
    for q in p.roster.hqs_of[side] if not p.at(b.target, side) else ():
        if p.hq_hex[q] == b.target:
            p.hq_hex[q] = end
    trails = b.trails if len(path) == 1 else (*b.trails, (path[0], path[1]))
    p.go("penalties", matter=b.but(
        retreating=b.retreating & ~units, retreated=b.retreated | units, trails=trails,
        group=units, refuge=end, penalty=int(wet) + int(bool(threatened)),
    ))  # fmt: skip


def retreats(p: TijvinPosition) -> Iterator[Order]:
    """``retreat UNITS HEX`` for the whole stack and for each unit, ``HEX-HEX`` for mobile units."""
    b, hexes, number_of = in_hand(p), refuges(p), p.ground.grid.number
    single = [1 << u for u in members(b.retreating)]
    for group in [b.retreating, *single] if len(single) > 1 else single:
        names = tuple(p.roster.units[u].id for u in members(group))
        seconds = second_hexes(p, group, hexes) if not group & ~p.roster.mobile else ()
        for path in (*((h,) for h in p.ground.grid.members(hexes)), *seconds):
            yield Order("retreat", names, tuple(map(number_of, path)))


NOT_RETREATING = wrong_verb("13.V", "retreat: retreat UNITS HEX, or HEX-HEX for mobile units by road or rail")


def retreat_of(p: TijvinPosition, order: Order) -> Passage:
    """Some of those who have to go, to a hex that is open to them; mobile ones a second along road or railway."""
    forbid(not order.units or len(order.hexes) not in (1, 2), *NOT_RETREATING)
    b, group = in_hand(p), 0
    for name in order.units:
        u = p.roster.index.get(name, -1)
        forbid(u < 0 or not b.retreating >> u & 1, "13.V", "{} does not retreat now", name)
        group |= 1 << u
    path, safe = path_of(p, order), refuges(p)
    forbid(NOWHERE in path, "13.V", "the map has no such hex")
    if not safe >> path[0] & 1:
        forbid(not p.ground.grid.adjacent(b.target, path[0]), "13.V", "a retreat goes to the next hex")
        forbid(not open_neighbours(p, b.target) >> path[0] & 1, "13.V",
               "enemies, an enemy city, water or a major river without a bridge bar that way")  # fmt: skip
        forbid(p.zone(p.side) >> path[0] & 1 and safe & ~p.zone(p.side), "5",
               "there is a way out of enemy zones of control, which has to be taken")  # fmt: skip
        raise Illegal("13.V", "there is a way towards supply, which has to be taken")
    forbid(len(path) > 1 and group & ~p.roster.mobile, "13.V", "only mobile units retreat two hexes")
    forbid(len(path) > 1 and path not in second_hexes(p, group, 1 << path[0]), "13.V",
           "a second hex lies along road or railway, out of enemy zones, and nearer to supply")  # fmt: skip
    return Passage(group, path)


RETREAT: Actions = {"retreat": Action(retreat_of, retreat, retreats)}


def take_penalties(p: TijvinPosition) -> None:
    """Losses of a retreat, then of overstacking; the owner chooses (13 V)."""
    b, side = in_hand(p), enemy_of(p.side)
    while True:
        if not b.penalty:
            b = b.but(penalty=max(-p.room(b.refuge, side), 0), group=p.at(b.refuge, side))
        units = penalty_victims(p, b) if b.penalty else 0
        if not units:
            break
        if units.bit_count() > 1:
            p.go("penalty", 1 - p.agenda[-1].side, b)
            return
        b = pay(p, b, units.bit_length() - 1)
    p.go("retreat-goes-on", matter=b.but(group=0, refuge=NOWHERE, penalty=0))


def penalty_victims(p: TijvinPosition, b: Battle) -> UnitMask:
    """Units of the group that can pay, artillery last (13 V)."""
    alive = sum(1 << u for u in members(b.group) if p.cf[u] > 0 and p.hexes[u] >= 0)
    return alive & ~p.roster.artillery or alive


def pay(p: TijvinPosition, b: Battle, u: int) -> Battle:
    """One factor lost in retreat (13 V)."""
    p.lose(u, penalty_victims(p, b))
    abandon_headquarters(p, b.refuge, enemy_of(p.side))
    return b.but(penalty=b.penalty - 1)


NOT_PAYING = wrong_verb("13.V", "choose the unit that loses a factor: lose UNIT")


def payers(p: TijvinPosition) -> list[str]:
    """The units that can pay, by name."""
    return [p.roster.units[u].id for u in members(penalty_victims(p, in_hand(p)))]


def penalty_of(p: TijvinPosition, order: Order) -> int:
    """A unit of the group that can pay."""
    forbid(order not in [Order("lose", (name,)) for name in payers(p)], "13.V", "that unit cannot pay for the retreat")
    return p.roster.index[order.units[0]]


PENALTY: Actions = {
    "lose": Action(penalty_of, lambda p, u: p.go("penalties", matter=pay(p, in_hand(p), u)), each("lose", payers))
}


# Advance (13 VI) ------------------------------------------------------------------------------


def begin_advance(p: TijvinPosition) -> None:
    """Attackers may advance into the vacated hex, as long as any can (13 VI)."""
    b = in_hand(p)
    p.go("advance", p.agenda[-1].side, b)
    if not any(True for _ in advances(p)):
        p.go("exploitations", matter=b)


def check_advance(p: TijvinPosition, u: int, path: tuple[Hex, ...]) -> None:
    """Refuse a unit that may not advance that way (13 VI)."""
    b, unit = in_hand(p), p.roster.units[u]
    forbid(not (b.attackers | b.guns) >> u & 1 or p.hexes[u] < 0, "13.VI", "{} took no part in the attack", unit.name)
    forbid(b.advanced >> u & 1, "13.VI", "{} has advanced", unit.name)
    forbid(p.at(b.target, enemy_of(p.side)), "13.VI", "the hex has not been vacated")
    forbid(path[0] != b.target, "13.VI", "an advance goes into the vacated hex first")
    steps = pairwise((p.hexes[u], *path)) if unit.type == "tank" and not p.frozen else ()
    forbid(any(p.ground.bare_swamp(here, h) for here, h in steps), "13.IIa",
           "{} enters swamp only along a road or railway", unit.name)  # fmt: skip
    if len(path) > 1:
        check_second(p, u, path)
    forbid(p.room(path[-1], p.side) < p.cf[u], "4", TOO_FULL, p.tables.stacking.limit)


def check_second(p: TijvinPosition, u: int, path: tuple[Hex, ...]) -> None:
    """Refuse a second hex: it is for mobile units after a long retreat or a destroyed defender (13 VI)."""
    b, ground, (first, second) = in_hand(p), p.ground, path
    forbid(not p.roster.mobile >> u & 1, "13.VI", "only mobile units advance a second hex")
    forbid(second not in ground.grid.neighbours(first) or not ground.passable(first, second), "13.VI",
           "the second hex is next to the first")  # fmt: skip
    forbid(not b.wiped_out and second not in {went for went, _ in b.trails}, "13.VI",
           "a second hex only after a destroyed defender, or behind one that went two hexes")  # fmt: skip
    forbid(p.occupied(enemy_of(p.side)) >> second & 1, "13.VI", "an enemy unit stands there")
    fresh = next((h for h in path if fresh_zone(p) >> h & 1), NOWHERE)
    forbid(fresh != NOWHERE, "13.VI", "{} is in the zone of control of a unit that has not retreated this turn",
           ground.names.get(fresh))  # fmt: skip


def fresh_zone(p: TijvinPosition) -> HexMask:
    """Zones of enemy units that have not retreated this turn (13 VI); in a view under fog those that have been told."""
    if p.shown is not None:
        return p.shown
    return p.zone_without(enemy_of(p.side), p.unsupplied, p.retreated)


def asked_for_advance(p: TijvinPosition) -> HexMask:
    """The hexes of two-hex advances that could be made, about whose zones the attacker is told under fog (17.1)."""
    b = in_hand(p)
    seconds = sum(1 << h for h in second_hexes_of_advance(p))
    may_go = (b.attackers | b.guns) & ~b.advanced & p.roster.mobile
    return 1 << b.target | seconds if seconds and may_go else 0


def second_hexes_of_advance(p: TijvinPosition) -> list[Hex]:
    """Where an advance of two hexes may lead: anywhere behind a destroyed defender, or where he went through."""
    b = in_hand(p)
    firsts = {first for first, _ in b.trails}
    return [n for n in p.ground.grid.neighbours(b.target) if n != NOWHERE and (b.wiped_out or n in firsts)]


def advances(p: TijvinPosition) -> Iterator[Order]:
    """``advance UNIT HEX``, ``advance UNIT HEX-HEX``."""
    b, number_of = in_hand(p), p.ground.grid.number
    vacated = not p.at(b.target, enemy_of(p.side))
    for u in members((b.attackers | b.guns) & ~b.advanced) if vacated else ():
        seconds = second_hexes_of_advance(p) if p.roster.mobile >> u & 1 else ()
        for path in ((b.target,), *((b.target, h) for h in seconds)):
            if allows(check_advance, p, u, path):
                yield Order("advance", (p.roster.units[u].id,), tuple(map(number_of, path)))


NOT_ADVANCING = wrong_verb("13.VI", "advance units into the vacated hex, or end: advance UNIT HEX")


def advance_of(p: TijvinPosition, order: Order) -> Passage:
    """One unit of the attack, into the vacated hex; a mobile one a hex further where the defender was thrown back."""
    forbid(len(order.units) != 1 or len(order.hexes) not in (1, 2), *NOT_ADVANCING)
    u, path = p.roster.index.get(order.units[0], -1), path_of(p, order)
    forbid(u < 0 or NOWHERE in path, "13.VI", "no such unit or hex")
    check_advance(p, u, path)
    return Passage(u, path)


def advance(p: TijvinPosition, forward: Passage) -> None:
    """A unit advances."""
    b, (u, path) = in_hand(p), forward
    for h in path:
        p.take(h, p.side)
    p.stand(u, path[-1])
    p.shaken &= ~(1 << u)
    p.tell("advances", "13.VI", "{} advances to {}", p.roster.units[u].name, p.place_name(path[-1]), side=p.phasing)
    p.go("advances", matter=b.but(advanced=b.advanced | 1 << u))


ADVANCE: Actions = {
    "advance": Action(advance_of, advance, advances),
    "end": ending(lambda p: p.go("exploitations", matter=in_hand(p))),
}


# Exploitation (13 VI) -------------------------------------------------------------------------


def begin_exploitation(p: TijvinPosition) -> None:
    """Mobile units that advanced next to the beaten defender may attack him once more, unless he
    joined a fresh unit; never twice in a row, nor in the extra activation of turn 1 (15.1)."""
    b, enemy, prey = in_hand(p), enemy_of(p.side), 0
    for u in members(b.retreated):
        h = p.hexes[u]
        if h >= 0 and not p.at(h, enemy) & ~p.retreated:
            prey |= 1 << h
    b = b.but(exploiters=b.advanced & p.roster.mobile, prey=prey)
    p.go("exploitation", p.agenda[-1].side, b)
    if b.exploitation or p.bonus == "now" or not b.exploiters or not combat.targets(p):
        p.done()
