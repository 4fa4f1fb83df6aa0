"""Airpower (12.0)."""

from __future__ import annotations

from collections.abc import Iterator

from ...hexes import Hex, HexMask
from ...kernel.chance import die
from ...kernel.orders import Order
from ...kernel.position import Refusal, forbid
from .figures import GERMAN, SIDES, SOVIET
from .orders import but, end_phase, named_hexes, one_unit
from .pending import Availability, Bombing, Shelter, Target, Victim
from .state import State

AVAILABILITY = die("the air availability roll", "12.2")
BOMBARDMENT = die("an air bombardment roll", "12.33")


# Availability (12.2) ------------------------------------------------------------------------------


def begin(pos: State) -> None:
    """Find out how many air units there are: fixed, by die, or none (12.22, 12.23; 19.1)."""
    force = pos.ground.tables.air[SIDES[pos.side]]
    fixed = force.fixed.get(str(pos.turn))
    if fixed is not None:
        pos.air = fixed
    elif any(dice.turns[0] <= pos.turn <= dice.turns[1] for dice in force.dice):
        pos.interrupt("availability", pos.side, Availability())


def availability(pos: State, face: Order) -> None:
    """The die tells on the table how many air units there are (12.22, 12.23)."""
    dice = next(d for d in pos.ground.tables.air[SIDES[pos.side]].dice if d.turns[0] <= pos.turn <= d.turns[1])
    pos.air = dice.units[int(face.words[0]) - 1]
    told = {0: "No air unit is available", 1: "One air unit is available"}.get(pos.air, "{0} air units are available")
    pos.tell("air", "12.22" if pos.side == GERMAN else "12.23", told, pos.air)
    pos.done()


# Bombardment (12.3) -------------------------------------------------------------------------------


def targets(pos: State) -> Iterator[Target]:
    """Enemy hexes, and the fleet, against which the phasing side may send air units (12.32, 13.9)."""
    for number in pos.ground.numbers(pos.lays[1 - pos.side].occupied):
        yield Target(number)
    for number in pos.ground.numbers(_fleet_hex(pos)):
        yield Target(number, True)


def _fleet_hex(pos: State) -> HexMask:
    """Where the phasing side may bombard the enemy's fleet (13.9)."""
    if pos.side != GERMAN or pos.fleet_index is None or pos.where[pos.fleet_index] < 0:
        return 0
    return 1 << pos.where[pos.fleet_index]


def bombings(pos: State) -> Iterator[Order]:
    """Every enemy hex an air unit may be sent against (12.31)."""
    for target in targets(pos) if pos.air else ():
        yield Order("bomb", (), (target.hex,), ("fleet",) if target.fleet else ())


def target_of(pos: State, order: Order) -> Target | Refusal:
    """The target an order sends an air unit to, or why it may not bombard (12.31, 12.32)."""
    forbid(not pos.air, "12.31", "no air unit is left")
    found = named_hexes(pos, order)
    forbid(len(found) != 1 or order.words not in ((), ("fleet",)), "12.32", "an air unit bombards one hex")
    alone = not pos.lays[1 - pos.side].occupied >> found[0] & 1
    if (alone or order.words) and not _fleet_hex(pos) >> found[0] & 1:
        what = "the fleet is not" if order.words else "there is no enemy unit"
        return Refusal("12.32", f"{what} in {order.hexes[0]}")
    return Target(order.hexes[0], bool(order.words) or alone)


def bomb(pos: State, target: Target) -> None:
    """Place an air unit on its target (12.32)."""
    pos.air -= 1
    pos.bombs = (*pos.bombs, target)


def take_off(pos: State, _: object) -> None:
    """The end of the phase is the roll for all that are placed; the rest is kept for support (12.31, 12.33, 12.36)."""
    pos.support_left, pos.air = pos.air, 0
    bombs, pos.bombs = pos.bombs, ()
    end_phase(pos, None)
    if bombs:
        pos.interrupt("bombing", pos.side, Bombing(bombs))


def _next(pos: State, targets: tuple[Target, ...]) -> None:
    """The die for the next air unit, or the phase is over."""
    if targets:
        pos.go("bombing", pos.side, Bombing(targets))
    else:
        pos.done()


def highest_disrupting(pos: State, h: Hex) -> int:
    """The highest roll that disrupts ground units in a hex: terrain alone decides (12.34, 12.37, 12.44)."""
    ground, chart = pos.ground, pos.ground.tables.bombardment
    built = (word for word in ("fortification", "fortified-city", "interior", "city", "town") if word in chart)
    word = next((word for word in built if ground.place(word) >> h & 1), ground.terrain(h))
    return chart["capital" if ground.capital >> h & 1 else word].disrupts


def hit(pos: State, face: Order) -> None:
    """The roll of one air unit (12.33 to 12.36, 13.9)."""
    bombing: Bombing = pos.agenda[0].matter
    roll, target, rest = int(face.words[0]), bombing.targets[0], bombing.targets[1:]
    h = pos.ground.grid.hex(target.hex)
    if target.fleet:
        _bomb_fleet(pos, h, roll, rest)
        return
    brittle = roll > highest_disrupting(pos, h)
    struck = _brittle(pos, h, roll) if brittle else [i for i in pos.stacks.get(h, ()) if not _immune(pos, i)]
    missed = brittle and not struck
    words = "Bombs on {0}: no effect (roll {1})" if missed else "Bombs on {0}: a hit (roll {1})"
    pos.tell("bombardment", "12.34" if missed else "12.33", words, target.hex, roll)
    if not missed and pos.ground.capital >> h & 1:
        _hit_city(pos, Victim(target.hex, rest, brittle))
        return
    for index in struck:
        _disrupt(pos, index, "19.42" if brittle else "12.41")
    _next(pos, rest)


def _brittle(pos: State, h: Hex, roll: int) -> list[int]:
    """Tank corps in a city or town are disrupted on a higher roll than others (19.42)."""
    line = pos.ground.tables.bombardment.get("plain-defender")
    built_up = pos.ground.place("town") | pos.ground.place("city") | pos.ground.city
    if line is None or roll > line.disrupts or not built_up >> h & 1:
        return []
    return [i for i in pos.stacks.get(h, ()) if pos.roster[i].type in pos.ground.book.plain_defenders]


def _immune(pos: State, index: int) -> bool:
    """HQs and guerrillas under the optional rule (18.11)."""
    unit = pos.roster[index]
    return pos.options.hq_guerrilla_immune and (unit.is_hq or unit.is_guerrilla)


def _disrupt(pos: State, index: int, case: str) -> None:
    if not pos.is_disrupted(index):
        pos.disrupted |= 1 << index
        pos.tell("disruption", case, "{0} is disrupted", pos.roster[index].id)


# A hit on the city (12.44) and on the fleet (13.9 to 13.11) ---------------------------------------


def _victims(pos: State, victim: Victim) -> list[int]:
    """Units of which the hit disrupts one: any, or the tank corps only (12.44; 19.42)."""
    plain = pos.ground.book.plain_defenders
    return [
        i
        for i in pos.stacks.get(pos.ground.grid.hex(victim.hex), ())
        if not pos.is_disrupted(i) and not _immune(pos, i) and (not victim.brittle or pos.roster[i].type in plain)
    ]


def _hit_city(pos: State, victim: Victim) -> None:
    victims = _victims(pos, victim)
    if len(victims) > 1:
        pos.go("victim", GERMAN, victim)
        return
    for index in victims:
        _disrupt(pos, index, "19.42" if victim.brittle else "12.44")
    _next(pos, victim.targets)


def victims(pos: State) -> list[Order]:
    """Every unit that may be named for a hit on the city (12.44)."""
    return [Order("disrupt", (pos.roster[index].id,)) for index in _victims(pos, pos.agenda[0].matter)]


def victim_of(pos: State, order: Order) -> int | Refusal:
    """The unit an order names, or why it cannot be named (12.44)."""
    index = one_unit(pos, order)
    if index in _victims(pos, pos.agenda[0].matter):
        return index
    return Refusal("12.44", f"{order.units[0]} is not a unit that this hit can disrupt")


NAME_IT_FIRST = but({"end": Refusal("12.44", "a hit on the city disrupts a unit of your choice: name it")})


def disrupt(pos: State, index: int) -> None:
    """Disrupt the unit named (12.44)."""
    _disrupt(pos, index, "12.44")
    _next(pos, pos.agenda[0].matter.targets)


def _bomb_fleet(pos: State, h: Hex, roll: int, rest: tuple[Target, ...]) -> None:
    in_harbour = bool(pos.ground.harbour >> h & 1)
    limit = pos.ground.tables.bombardment["harbour" if in_harbour else "sea"].disrupts
    assert pos.fleet_index is not None
    if roll > limit:
        pos.tell("bombardment", "13.9", "Bombs on the fleet: no effect (roll {0})", roll)
        _next(pos, rest)
        return
    fresh = not pos.is_disrupted(pos.fleet_index)
    pos.disrupted |= 1 << pos.fleet_index
    pos.fire_on = -1
    pos.tell("disruption", "13.10", "The fleet is disrupted and cannot fire")
    if fresh and not in_harbour and pos.ground.harbour:
        pos.go("shelter", SOVIET, Shelter(rest))
        return
    _next(pos, rest)


def shelter(pos: State, _: object) -> None:
    """Move the fleet to the harbour at once, still disrupted (13.11)."""
    assert pos.fleet_index is not None
    pos.where[pos.fleet_index] = pos.ground.harbour.bit_length() - 1
    pos.tell("move", "13.11", "The fleet runs for the harbour")
    _next(pos, tuple(target for target in pos.agenda[0].matter.targets if not target.fleet))


def stay(pos: State, _: object) -> None:
    """Keep the fleet at sea, where it was hit (13.11)."""
    _next(pos, pos.agenda[0].matter.targets)
