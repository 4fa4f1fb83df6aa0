"""Airpower (12.0)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...hexes import Hex, HexMask, nth
from ...kernel.chance import Chance, die
from ...kernel.orders import END, Order
from ...kernel.position import Refusal
from .figures import GERMAN, SIDES
from .pending import Availability, Bombing, Shelter, Target, Victim

if TYPE_CHECKING:
    from .position import AssaultPosition

AVAILABILITY = die("the air availability roll", "12.2")
BOMBARDMENT = die("an air bombardment roll", "12.33")


# Availability (12.2) ------------------------------------------------------------------------------


def begin(pos: AssaultPosition) -> None:
    """Find out how many air units there are: fixed, by die, or none (12.22, 12.23; 19.1)."""
    force = pos.ground.tables.air[SIDES[pos.side]]
    fixed = force.fixed.get(str(pos.turn))
    if fixed is not None:
        pos.air = fixed
        return
    if any(dice.turns[0] <= pos.turn <= dice.turns[1] for dice in force.dice):
        pos.pending = Availability()


def availability_chance(pos: AssaultPosition) -> Chance:
    """One die."""
    return AVAILABILITY


def availability_apply(pos: AssaultPosition, order: Order) -> None:
    """Look up the availability table."""
    dice = next(d for d in pos.ground.tables.air[SIDES[pos.side]].dice if d.turns[0] <= pos.turn <= d.turns[1])
    pos.air = dice.units[int(order.words[0]) - 1]
    told = {0: "No air unit is available", 1: "One air unit is available"}.get(pos.air, "{0} air units are available")
    pos.event("air", "12.22" if pos.side == GERMAN else "12.23", told, pos.air)
    pos.pending = None
    pos.settle()


# Bombardment (12.3) -------------------------------------------------------------------------------


def targets(pos: AssaultPosition) -> Iterator[Target]:
    """Enemy hexes, and the fleet, against which the phasing side may send air units (12.32, 13.9)."""
    for number in pos.ground.numbers(pos.lays[1 - pos.side].occupied):
        yield Target(number)
    for number in pos.ground.numbers(_fleet_hex(pos)):
        yield Target(number, True)


def _fleet_hex(pos: AssaultPosition) -> HexMask:
    """Where the phasing side may bombard the enemy's fleet."""
    if pos.side != GERMAN or pos.fleet_index is None or pos.where[pos.fleet_index] < 0:
        return 0
    return 1 << pos.where[pos.fleet_index]


def phase_orders(pos: AssaultPosition) -> Iterator[Order]:
    """Send air units against enemy hexes, or keep the rest for ground support (12.31)."""
    if pos.air:
        for target in targets(pos):
            yield Order("bomb", (), (target.hex,), ("fleet",) if target.fleet else ())
    yield END


def random_order(pos: AssaultPosition, rng: random.Random) -> Order:
    """Some hex to bombard, or none."""
    hexes = pos.lays[1 - pos.side].occupied if pos.air else 0
    pick = int(rng.random() * (hexes.bit_count() + 1))
    return END if pick == hexes.bit_count() else Order("bomb", (), (pos.ground.number(nth(hexes, pick)),))


def phase_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why an air unit may not bombard."""
    if order == END:
        return None
    if order.verb != "bomb":
        return pos.out_of_place(order)
    if not pos.air:
        return Refusal("12.31", "no air unit is left")
    found = pos.hex_path(order.hexes)
    if isinstance(found, Refusal):
        return found
    if len(found) != 1 or order.words not in ((), ("fleet",)):
        return Refusal("12.32", "an air unit bombards one hex")
    if not (_fleet_hex(pos) | (0 if order.words else pos.lays[1 - pos.side].occupied)) >> found[0] & 1:
        what = "the fleet is not" if order.words else "there is no enemy unit"
        return Refusal("12.32", f"{what} in {order.hexes[0]}")
    return None


def phase_apply(pos: AssaultPosition, order: Order) -> None:
    """Place an air unit on its target; the end of the phase is the roll for all that are placed (12.33, 12.36)."""
    if order.verb == "bomb":
        pos.air -= 1
        alone = not pos.lays[1 - pos.side].occupied >> pos.ground.grid.hex(order.hexes[0]) & 1
        pos.bombs = (*pos.bombs, Target(order.hexes[0], bool(order.words) or alone))
        return
    _roll(pos)


def _roll(pos: AssaultPosition) -> None:
    pos.support_left, pos.air = pos.air, 0
    bombs, pos.bombs = pos.bombs, ()
    _next(pos, bombs)


def _next(pos: AssaultPosition, targets: tuple[Target, ...]) -> None:
    if targets:
        pos.pending = Bombing(targets)
        return
    pos.pending = None
    pos.next_phase()


def bombing_chance(pos: AssaultPosition) -> Chance:
    """One die for each air unit."""
    return BOMBARDMENT


def highest_disrupting(pos: AssaultPosition, h: Hex) -> int:
    """The highest roll that disrupts ground units in a hex: terrain alone decides (12.34, 12.37, 12.44)."""
    ground, chart = pos.ground, pos.ground.tables.bombardment
    if ground.capital >> h & 1:
        return chart["capital"].disrupts
    for word in ("fortification", "fortified-city", "interior", "city", "town"):
        if word in chart and ground.place(word) >> h & 1:
            return chart[word].disrupts
    return chart[ground.terrain(h)].disrupts


def bombing_apply(pos: AssaultPosition, order: Order) -> None:
    """The roll of one air unit (12.33 to 12.36, 13.9)."""
    bombing = pos.pending
    assert isinstance(bombing, Bombing)
    roll, target, rest = int(order.words[0]), bombing.targets[0], bombing.targets[1:]
    h = pos.ground.grid.hex(target.hex)
    if target.fleet:
        _bomb_fleet(pos, h, roll, rest)
        return
    brittle = roll > highest_disrupting(pos, h)
    hit = _brittle(pos, h, roll) if brittle else [i for i in pos.stacks.get(h, ()) if not _immune(pos, i)]
    if brittle and not hit:
        pos.event("bombardment", "12.34", "Bombs on {0}: no effect (roll {1})", target.hex, roll)
    elif pos.ground.capital >> h & 1:
        _hit_city(pos, Victim(target.hex, rest, brittle))
        return
    for index in hit:
        _disrupt(pos, index, "19.42" if brittle else "12.41")
    _next(pos, rest)


def _brittle(pos: AssaultPosition, h: Hex, roll: int) -> list[int]:
    """Tank corps in a city or town are disrupted on a higher roll than others (19.42)."""
    line = pos.ground.tables.bombardment.get("plain-defender")
    built_up = pos.ground.place("town") | pos.ground.place("city") | pos.ground.city
    if line is None or roll > line.disrupts or not built_up >> h & 1:
        return []
    return [i for i in pos.stacks.get(h, ()) if pos.roster[i].type in pos.ground.book.plain_defenders]


def _immune(pos: AssaultPosition, index: int) -> bool:
    """HQs and guerrillas under the optional rule (18.11)."""
    unit = pos.roster[index]
    return bool(pos.options.get("hq-guerrilla-immune")) and (unit.is_hq or unit.is_guerrilla)


def _disrupt(pos: AssaultPosition, index: int, case: str) -> None:
    if not pos.is_disrupted(index):
        pos.mark_disrupted(index)
        pos.event("disruption", case, "{0} is disrupted", pos.roster[index].id)


# A hit on the city (12.44) and on the fleet (13.9 to 13.11) ---------------------------------------


def _victims(pos: AssaultPosition, victim: Victim) -> list[int]:
    """Units of which the hit disrupts one: any, or the tank corps only (12.44; 19.42)."""
    stack = pos.stacks.get(pos.ground.grid.hex(victim.hex), ())
    plain = pos.ground.book.plain_defenders
    return [
        i
        for i in stack
        if not pos.is_disrupted(i) and not _immune(pos, i) and (not victim.brittle or pos.roster[i].type in plain)
    ]


def _hit_city(pos: AssaultPosition, victim: Victim) -> None:
    victims = _victims(pos, victim)
    if len(victims) > 1:
        pos.pending = victim
        return
    for index in victims:
        _disrupt(pos, index, "19.42" if victim.brittle else "12.44")
    _next(pos, victim.targets)


def victim_orders(pos: AssaultPosition) -> Iterator[Order]:
    """Name the unit that is disrupted."""
    victim = pos.pending
    assert isinstance(victim, Victim)
    for index in _victims(pos, victim):
        yield Order("disrupt", (pos.roster[index].id,))


def victim_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why a unit cannot be named."""
    if order == END:
        return Refusal("12.44", "a hit on the city disrupts a unit of your choice: name it")
    if order.verb != "disrupt" or len(order.units) != 1:
        return pos.out_of_place(order)
    if order in set(victim_orders(pos)):
        return None
    return Refusal("12.44", f"{order.units[0]} is not a unit that this hit can disrupt")


def victim_apply(pos: AssaultPosition, order: Order) -> None:
    """Disrupt the unit named."""
    victim = pos.pending
    assert isinstance(victim, Victim)
    _disrupt(pos, pos.index[order.units[0]], "12.44")
    _next(pos, victim.targets)


def _bomb_fleet(pos: AssaultPosition, h: Hex, roll: int, rest: tuple[Target, ...]) -> None:
    in_harbour = bool(pos.ground.harbour >> h & 1)
    limit = pos.ground.tables.bombardment["harbour" if in_harbour else "sea"].disrupts
    assert pos.fleet_index is not None
    if roll > limit:
        pos.event("bombardment", "13.9", "Bombs on the fleet: no effect (roll {0})", roll)
        _next(pos, rest)
        return
    fresh = not pos.is_disrupted(pos.fleet_index)
    pos.mark_disrupted(pos.fleet_index)
    pos.fire_on = -1
    pos.event("disruption", "13.10", "The fleet is disrupted and cannot fire")
    if fresh and not in_harbour and pos.ground.harbour:
        pos.pending = Shelter(rest)
        return
    _next(pos, rest)


def shelter_orders(pos: AssaultPosition) -> Iterator[Order]:
    """Run for the harbour, or stay."""
    yield Order("shelter")
    yield Order("stay")


def shelter_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Only those two."""
    return None if order in (Order("shelter"), Order("stay")) else pos.out_of_place(order)


def shelter_apply(pos: AssaultPosition, order: Order) -> None:
    """Move the fleet to the harbour at once, still disrupted (13.11)."""
    shelter = pos.pending
    assert isinstance(shelter, Shelter)
    if order.verb == "shelter":
        assert pos.fleet_index is not None
        pos.where[pos.fleet_index] = pos.ground.harbour.bit_length() - 1
        pos.event("move", "13.11", "The fleet runs for the harbour")
    _next(pos, tuple(t for t in shelter.targets if not t.fleet or order.verb == "stay"))
