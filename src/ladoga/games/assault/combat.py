"""Combat (10.0): putting an attack together, odds, penalties, retreats and advances."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ...hexes import NOWHERE, Hex, HexMask, members
from ...kernel.chance import Chance, die
from ...kernel.orders import END, Order
from ...kernel.position import Explanation, Modifier, Refusal
from .figures import GERMAN, RANKS, SIDES, SOVIET
from .movement import digging, enemy_fringe, forbidden, forbidding_case
from .pending import Advance, Fight, Plan, Roll
from .zones import no_room

if TYPE_CHECKING:
    from .position import AssaultPosition

DIE = die("the die of an attack", "10.21")
GRADES = {rank: grade for grade, rank in RANKS.items()}

MEANINGS = {
    "AE": "all attacking units are eliminated",
    "DE": "all defending units are eliminated",
    "-/-": "nothing happens",
}


def meaning(result: str) -> str:
    """A combat result in words (10.23).

    >>> meaning("1/2")
    'the attacker takes 1 penalty, the defender 2'
    """
    if result in MEANINGS:
        return MEANINGS[result]
    attacker, defender = penalties(result)
    words = []
    if attacker:
        words.append(f"the attacker takes {attacker} {'penalty' if attacker == 1 else 'penalties'}")
    if defender:
        tail = "" if attacker else f" {'penalty' if defender == 1 else 'penalties'}"
        words.append(f"the defender {'' if attacker else 'takes '}{defender}{tail}")
    return ", ".join(words)


def penalties(result: str) -> tuple[int, int]:
    """Penalties of attacker and defender; a dash is none (10.23).

    >>> penalties("2/1"), penalties("-/3")
    ((2, 1), (0, 3))
    """
    attacker, _, defender = result.partition("/")
    return tuple(0 if part == "-" else int(part) for part in (attacker, defender))  # type: ignore[return-value]


# Who may attack what ------------------------------------------------------------------------------


def attackable(pos: AssaultPosition, h: Hex) -> Refusal | None:
    """Why a hex may not be attacked at all (10.14, 10.15, 10.29, 8.43)."""
    ground, enemy = pos.ground, 1 - pos.side
    number = ground.number(h)
    if ground.capital >> h & 1:
        return Refusal("8.43", f"attacks into {ground.book.capital_name} are made on the inset")
    if pos.fought >> h & 1:
        return Refusal("10.15", f"{number} has been attacked in this phase already")
    stack = pos.stacks.get(h, ())
    if not stack or pos.roster[stack[0]].side != enemy:
        return Refusal("10.13", f"there is no enemy unit in {number}")
    if all(pos.has_retreated(index) for index in stack):
        return Refusal("10.29", f"the units in {number} have retreated in this phase and may not be attacked again")
    return None


def idle(pos: AssaultPosition, index: int) -> Refusal | None:
    """Why a unit may not attack in this phase, or ``None`` (10.16, 11.33, 12.42)."""
    unit = pos.roster[index]
    if unit.is_hq:
        return Refusal("11.33", f"{unit.id} is a headquarters and never attacks")
    if unit.is_naval:
        return Refusal("13.4", "the fleet helps an attack with its firepower marker")
    if pos.is_disrupted(index):
        return Refusal("12.42", f"{unit.id} is disrupted and may not attack")
    if pos.has_attacked(index):
        return Refusal("10.16", f"{unit.id} has attacked in this phase already")
    return None


def sortie_refusal(pos: AssaultPosition, index: int, others: Iterable[int]) -> Refusal | None:
    """No more units attack out of a main-map city hex than could stack in a normal one (8.45)."""
    h = pos.where[index]
    if not pos.ground.capital >> h & 1:
        return None
    unit = pos.roster[index]
    kind = unit.kind
    rivals = [o for o in others if pos.where[o] == h and pos.roster[o].kind == kind]
    if rivals or f"{pos.ground.number(h)} {kind}" in pos.sorties:
        return Refusal("8.45", f"another unit of that kind attacks out of {pos.ground.number(h)} in this phase")
    return None


def candidates(pos: AssaultPosition, hexes: Iterable[Hex]) -> list[int]:
    """Units that may join an attack on all of these hexes."""
    spent, roster = pos.disrupted | pos.attacked, pos.roster
    found = []
    for h in members(_bases(pos, hexes)):
        found += [index for index in pos.stacks[h] if not spent >> index & 1 and not roster[index].is_hq]
    return found


def _bases(pos: AssaultPosition, hexes: Iterable[Hex]) -> HexMask:
    """Hexes with units of the phasing side that lie next to all of these."""
    mask = pos.lays[pos.side].occupied
    for h in hexes:
        mask &= pos.ground.attacked_from[h]
    return mask


def strongest(pos: AssaultPosition, units: Iterable[int]) -> list[int]:
    """All of the units that can attack together: out of a city hex only the best of each kind."""
    every = list(units)
    if not any(pos.ground.capital >> pos.where[index] & 1 for index in every):
        return every
    chosen: list[int] = []
    for index in sorted(every, key=lambda i: (-attack_quarters(pos, i), i)):
        if sortie_refusal(pos, index, chosen) is None:
            chosen.append(index)
    return chosen


def possible(pos: AssaultPosition, hexes: tuple[Hex, ...]) -> bool:
    """Whether any attack on these hexes would be allowed (10.21: no worse than 1:3)."""
    units = strongest(pos, candidates(pos, hexes))
    return bool(units) and battle(pos, hexes, units).column >= 0


def targets(pos: AssaultPosition) -> list[Hex]:
    """Enemy hexes that can be attacked now."""
    return [h for h in pos.ground.grid.members(_within_touch(pos)) if possible(pos, (h,))]


def has_target(pos: AssaultPosition) -> bool:
    """Whether any enemy hex can be attacked now."""
    return any(possible(pos, (h,)) for h in members(_within_touch(pos)))


def _within_touch(pos: AssaultPosition) -> HexMask:
    """Enemy hexes next to a unit of the phasing side that nothing forbids to attack (10.15, 10.29, 8.43)."""
    ground = pos.ground
    near = pos.lays[1 - pos.side].occupied & ~pos.fought & ~ground.capital
    near &= ground.grid.ring(pos.lays[pos.side].occupied)
    if pos.retreated:
        for h in members(near):
            if all(pos.retreated >> index & 1 for index in pos.stacks[h]):
                near &= ~(1 << h)
    return near


# Odds ---------------------------------------------------------------------------------------------


QUARTERS = 4
"""Strengths are counted in quarters: supply and disruption halve a factor, and fractions are kept (10.21)."""


class Battle(NamedTuple):
    """An attack in figures."""

    attack: int
    """Combined strength in quarters of a factor."""
    defence: int
    column: int
    """Index of the odds column; -1 if the odds are too low, one past the last if automatic."""
    modifier: int
    modifiers: tuple[Modifier, ...]


def attack_quarters(pos: AssaultPosition, index: int) -> int:
    """Combat factor of an attacker: halved out of supply (10.21, 11.23)."""
    factor = QUARTERS * pos.roster[index].faces[-pos.steps[index]].combat
    return factor // 2 if pos.out >> index & 1 else factor


def defending(pos: AssaultPosition, h: Hex) -> list[int]:
    """Units in an attacked hex that count for the odds: not those that have just retreated there (10.29)."""
    return [index for index in pos.stacks[h] if not pos.retreated >> index & 1]


def terrain_multiple(pos: AssaultPosition, h: Hex, side: int) -> tuple[int, str]:
    """What terrain makes of a defender (10.32, 10.34, 10.35; 19.35), and the word for it."""
    return pos.ground.defence[side][h]


def river_multiple(pos: AssaultPosition, h: Hex, attackers: HexMask) -> int:
    """Double if every attacker is across a river (10.33, 10.38), one hex at a time (10.39)."""
    times = pos.ground.across[h]
    return min((times[a] for a in members(attackers)), default=1)


def defence_quarters(pos: AssaultPosition, index: int, attackers: HexMask, alone: bool) -> int:
    """Combat factor of a defender after terrain, supply and disruption (10.21, 11.23, 12.42)."""
    unit, h = pos.roster[index], pos.where[index]
    factor = QUARTERS * unit.faces[-pos.steps[index]].combat
    if unit.is_hq:
        factor = QUARTERS if alone else 0
    if unit.type not in pos.ground.book.plain_defenders:
        factor *= terrain_multiple(pos, h, unit.side)[0] * river_multiple(pos, h, attackers)
    if pos.out >> index & 1:
        factor //= 2
    if pos.disrupted >> index & 1:
        factor //= 2
    return factor


def battle(pos: AssaultPosition, hexes: tuple[Hex, ...], units: Iterable[int]) -> Battle:
    """The five steps of an attack up to the die (10.21)."""
    attackers = list(units)
    from_hexes = 0
    for index in attackers:
        from_hexes |= 1 << pos.where[index]
    attack = sum([attack_quarters(pos, index) for index in attackers])
    defence = 0
    best, worst = -1, 3
    for h in hexes:
        stack = defending(pos, h)
        for index in stack:
            defence += defence_quarters(pos, index, from_hexes, len(stack) == 1)
            best = max(best, RANKS[pos.grade(index)])
        if pos.fire_on == h and pos.side == GERMAN:
            defence += QUARTERS * pos.ground.tables.fleet_strength
        if pos.fire_on == h and pos.side == SOVIET:
            attack += QUARTERS * pos.ground.tables.fleet_strength
    for index in attackers:
        worst = min(worst, RANKS[pos.grade(index)])
    shift = pos.ground.tables.classes[GRADES[worst]][GRADES[best]] if attackers and best >= 0 else 0
    modifiers = []
    if shift:
        modifiers.append(Modifier(f"class {GRADES[worst]} on class {GRADES[best]}", shift, "10.41"))
    if any(pos.support >> h & 1 for h in hexes):
        modifiers.append(Modifier("ground support", 1, "12.52"))
    return Battle(
        attack, defence, pos.game.odds_column(attack, defence), sum(int(m.amount) for m in modifiers), tuple(modifiers)
    )


def explained(pos: AssaultPosition, order: Order, hexes: tuple[Hex, ...], units: list[int]) -> Explanation:
    """An attack in numbers, before it is made."""
    game = pos.game
    fight = battle(pos, hexes, units)
    one = Fraction(1)
    column = ((game.column_name(fight.column), one),)
    results: defaultdict[str, Fraction] = defaultdict(Fraction)
    if fight.column == len(game.columns):
        results["DE"] = one
    elif fight.column >= 0:
        for roll in range(1, 7):
            results[game.result(fight.column, roll + fight.modifier)] += Fraction(1, 6)
    return Explanation(
        order=order,
        title=f"{' '.join(pos.roster[i].id for i in units)} against {' '.join(map(pos.ground.number, hexes))}",
        attack=((Fraction(fight.attack, QUARTERS), one),),
        defence=((Fraction(fight.defence, QUARTERS), one),),
        modifiers=fight.modifiers,
        initial=column,
        columns=column,
        results=tuple(results.items()),
        meaning={result: meaning(result) for result in results},
        table="results",
        notes=tuple(_strength_notes(pos, hexes, units)),
        to_die=True,
    )


_SHELTER = {
    "clear": "10.310", "woods": "10.32", "marsh": "10.32", "city": "10.32", "interior": "8.46", "town": "19.35",
    "fortification": "10.34", "fortified-city": "10.35",
}  # fmt: skip
"""The cases by which terrain helps a defender."""


def _strength_notes(pos: AssaultPosition, hexes: tuple[Hex, ...], units: list[int]) -> Iterator[str]:
    """How each strength came about that is not just the printed factor, with the cases."""
    ground = pos.ground
    from_hexes = 0
    for index in units:
        from_hexes |= 1 << pos.where[index]
        if pos.is_out(index):
            strength = Fraction(attack_quarters(pos, index), QUARTERS)
            yield f"{pos.roster[index].id} attacks with {strength}: out of supply, halved [11.23]"
    for h in hexes:
        stack = defending(pos, h)
        river = river_multiple(pos, h, from_hexes)
        for index in stack:
            unit = pos.roster[index]
            strength = Fraction(defence_quarters(pos, index, from_hexes, len(stack) == 1), QUARTERS)
            times, word = terrain_multiple(pos, h, unit.side)
            parts = [f"{word} x{times} [{_SHELTER.get(word, '10.31')}]"]
            if river > 1:
                parts.append(f"all attackers across a river x{river} [{'10.33' if ground.main >> h & 1 else '10.38'}]")
            if unit.type in ground.book.plain_defenders:
                parts = ["terrain does not help it [19.41]"]
            if unit.is_hq:
                parts.insert(0, f"a headquarters {'alone' if len(stack) == 1 else 'with others'} [11.33]")
            if pos.is_out(index):
                parts.append("out of supply, halved [11.23]")
            if pos.is_disrupted(index):
                parts.append("disrupted, halved [12.42]")
            yield f"{unit.id} in {ground.number(h)} defends with {strength}: {', '.join(parts)}"
        for index in pos.stacks[h]:
            if index not in stack:
                yield f"{pos.roster[index].id} has just retreated to {ground.number(h)} and does not count [10.29]"
        if pos.fire_on == h:
            case = "13.4" if pos.side == SOVIET else "13.5"
            yield f"the fleet's guns count {ground.tables.fleet_strength} at {ground.number(h)} [{case}]"


# The combat phase ---------------------------------------------------------------------------------


def phase_orders(pos: AssaultPosition) -> Iterator[Order]:
    """Support, targets, or the end of the phase."""
    found = targets(pos)
    if pos.support_left and not pos.fought:
        for h in found:
            if not pos.support >> h & 1:
                yield Order("support", (), (pos.ground.number(h),))
    for h in found:
        yield Order("target", (), (pos.ground.number(h),))
    yield END


def phase_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why an order of the combat phase is illegal."""
    if order == END:
        return None
    if order.verb == "attack":
        return _attack_refusal(pos, order)
    if order.verb not in ("support", "target"):
        return pos.out_of_place(order)
    found = pos.hex_path(order.hexes)
    if isinstance(found, Refusal):
        return found
    if order.verb == "target":
        return _hexes_refusal(pos, tuple(found)) or (
            None if possible(pos, tuple(found)) else _too_weak(pos, tuple(found))
        )
    if len(found) != 1:
        return Refusal("12.52", "an air unit supports an attack on one hex")
    return _support_refusal(pos, found[0])


def _support_refusal(pos: AssaultPosition, h: Hex) -> Refusal | None:
    if not pos.support_left:
        return Refusal("12.51", "no air unit is left for ground support")
    if pos.fought:
        return Refusal("10.18", "air units are placed before the first attack is resolved")
    if pos.support >> h & 1:
        return Refusal("12.53", "one air unit supports each attack")
    refusal = attackable(pos, h)
    if refusal is None and not possible(pos, (h,)):
        refusal = Refusal("12.54", f"no attack can be made on {pos.ground.number(h)}")
    return refusal


def _hexes_refusal(pos: AssaultPosition, hexes: tuple[Hex, ...]) -> Refusal | None:
    if len(set(hexes)) != len(hexes):
        return Refusal("10.15", "a hex is attacked once")
    for h in hexes:
        refusal = attackable(pos, h)
        if refusal is not None:
            return refusal
    return None


def _too_weak(pos: AssaultPosition, hexes: tuple[Hex, ...]) -> Refusal:
    numbers = ", ".join(map(pos.ground.number, hexes))
    if not candidates(pos, hexes):
        for h in hexes:
            across = pos.lay(pos.side).occupied & pos.ground.grid.ring(1 << h)
            if across and not across & pos.ground.attacked_from[h]:
                return _not_adjacent(pos, pos.stacks[next(members(across))][0], h)
        return Refusal("10.13", f"no unit that may attack is next to {numbers}")
    return Refusal("10.21", f"odds against {numbers} are worse than {pos.game.column_name(0)}")


def _units_refusal(pos: AssaultPosition, hexes: tuple[Hex, ...], units: tuple[str, ...]) -> Refusal | None:
    chosen: list[int] = []
    for unit_id in units:
        refusal = _joining_refusal(pos, hexes, unit_id, chosen)
        if refusal is not None:
            return refusal
        chosen.append(pos.index[unit_id])
    return None


def _joining_refusal(pos: AssaultPosition, hexes: tuple[Hex, ...], unit_id: str, chosen: list[int]) -> Refusal | None:
    found = _attacker(pos, unit_id)
    if isinstance(found, Refusal):
        return found
    if pos.where[found] < 0:
        return Refusal("10.13", f"{unit_id} is not on the map")
    refusal = idle(pos, found)
    if refusal is not None:
        return refusal
    for h in hexes:
        if not pos.ground.attacked_from[h] >> pos.where[found] & 1:
            return _not_adjacent(pos, found, h)
    return sortie_refusal(pos, found, chosen)


def _attacker(pos: AssaultPosition, unit_id: str) -> int | Refusal:
    """Index of a unit that may attack at all: one of the phasing side (10.11)."""
    if unit_id in pos.index and pos.roster[pos.index[unit_id]].side != pos.side:
        return Refusal("10.11", f"only the phasing player attacks, and {unit_id} is not his")
    return pos.own_unit(unit_id)


def _not_adjacent(pos: AssaultPosition, index: int, h: Hex) -> Refusal:
    ground, here = pos.ground, pos.where[index]
    unit_id, number = pos.roster[index].id, ground.number(h)
    if ground.grid.adjacent(here, h):
        if ground.barrier[ground.grid.direction(here, h)] >> here & 1:
            case = "10.37" if ground.main >> h & 1 else "10.38"
            return Refusal(case, f"{unit_id} may not attack across the river into {number}")
        if ground.interior >> here & 1 and ground.fringe_inset >> h & 1:
            return Refusal("8.45", "attacks out of the city are made on the main map")
        return Refusal("6.17", f"there is only water between {unit_id} and {number}")
    return Refusal("10.13", f"{unit_id} is not next to {number}")


def battle_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why these units cannot attack these hexes, whatever the odds."""
    for unit_id in order.units:
        attacker = _attacker(pos, unit_id)
        if isinstance(attacker, Refusal):
            return attacker
    found = pos.hex_path(order.hexes)
    if isinstance(found, Refusal):
        return found
    hexes = tuple(found)
    return _hexes_refusal(pos, hexes) or _units_refusal(pos, hexes, order.units)


def _attack_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why a whole attack given in one order is illegal."""
    refusal = battle_refusal(pos, order)
    if refusal is not None:
        return refusal
    hexes = tuple(map(pos.ground.grid.hex, order.hexes))
    if battle(pos, hexes, [pos.index[u] for u in order.units]).column < 0:
        return Refusal("10.21", f"the odds are worse than {pos.game.column_name(0)}")
    return None


def phase_apply(pos: AssaultPosition, order: Order) -> None:
    """Carry out an order of the combat phase."""
    if order.verb == "support":
        pos.support |= 1 << pos.ground.grid.hex(order.hexes[0])
        pos.support_left -= 1
        pos.event("support", "12.52", "An air unit supports the attack on {0}", order.hexes[0])
    elif order.verb == "target":
        pos.pending = Plan(SIDES[pos.side], order.hexes)
    elif order.verb == "attack":
        resolve(pos, order.hexes, order.units)
    else:
        pos.next_phase()


# Putting an attack together -----------------------------------------------------------------------


def _plan(pos: AssaultPosition) -> tuple[Plan, tuple[Hex, ...], list[int]]:
    plan = pos.pending
    assert isinstance(plan, Plan)
    return plan, tuple(map(pos.ground.grid.hex, plan.hexes)), [pos.index[u] for u in plan.units]


def plan_orders(pos: AssaultPosition) -> Iterator[Order]:
    """Add a unit, add a hex, commit, or give the attack up."""
    _, hexes, units = _plan(pos)
    for index in candidates(pos, hexes):
        if index not in units and sortie_refusal(pos, index, units) is None:
            yield Order("add", (pos.roster[index].id,))
    for h in _further(pos, hexes, units):
        yield Order("target", (), (pos.ground.number(h),))
    if units and battle(pos, hexes, units).column >= 0:
        yield Order("commit")
    yield Order("cancel")


def _further(pos: AssaultPosition, hexes: tuple[Hex, ...], units: list[int]) -> list[Hex]:
    """Hexes that may be attacked together with those already named (10.17)."""
    near = _within_touch(pos) & pos.ground.grid.ring(_bases(pos, hexes))
    for index in units:
        near &= pos.ground.grid.ring(1 << pos.where[index])
    return [h for h in pos.ground.grid.members(near) if _further_refusal(pos, hexes, units, h) is None]


def _further_refusal(pos: AssaultPosition, hexes: tuple[Hex, ...], units: list[int], h: Hex) -> Refusal | None:
    refusal = _hexes_refusal(pos, (*hexes, h))
    if refusal is not None:
        return refusal
    for index in units:
        if not pos.ground.attacked_from[h] >> pos.where[index] & 1:
            return _not_adjacent(pos, index, h)
    return None if possible(pos, (*hexes, h)) else _too_weak(pos, (*hexes, h))


def plan_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why an order is illegal while an attack is put together."""
    plan, hexes, units = _plan(pos)
    if order.verb == "cancel":
        return None
    if order.verb == "commit":
        if not units:
            return Refusal("10.11", "no unit has been added to the attack")
        if battle(pos, hexes, units).column < 0:
            return Refusal("10.21", f"the odds are worse than {pos.game.column_name(0)}")
        return None
    if order.verb == "add" and len(order.units) == 1:
        if order.units[0] in plan.units:
            return Refusal("10.16", f"{order.units[0]} is part of the attack already")
        return _joining_refusal(pos, hexes, order.units[0], units)
    if order.verb == "target":
        found = pos.hex_path(order.hexes)
        if isinstance(found, Refusal):
            return found
        if len(found) != 1:
            return Refusal("10.17", "name one further hex at a time")
        return _further_refusal(pos, hexes, units, found[0])
    return pos.out_of_place(order)


def plan_apply(pos: AssaultPosition, order: Order) -> None:
    """Carry on with an attack that is being put together."""
    plan, _, _ = _plan(pos)
    if order.verb == "add":
        pos.pending = Plan(plan.side, plan.hexes, (*plan.units, order.units[0]))
    elif order.verb == "target":
        pos.pending = Plan(plan.side, (*plan.hexes, order.hexes[0]), plan.units)
    elif order.verb == "commit":
        resolve(pos, plan.hexes, plan.units)
    else:
        pos.pending = None


# Resolution ---------------------------------------------------------------------------------------


def resolve(pos: AssaultPosition, numbers: tuple[str, ...], unit_ids: tuple[str, ...]) -> None:
    """Roll for an attack, or eliminate the defenders at overwhelming odds (10.21)."""
    hexes = tuple(map(pos.ground.grid.hex, numbers))
    units = [pos.index[u] for u in unit_ids]
    fight = battle(pos, hexes, units)
    for index in units:
        pos.mark_attacked(index)
        h = pos.where[index]
        if pos.ground.capital >> h & 1:
            pos.sorties = (*pos.sorties, f"{pos.ground.number(h)} {pos.roster[index].kind}")
    for h in hexes:
        pos.fought |= 1 << h
    pos.event(
        "attack", "10.21", "{0} attacks {1} at {2}" if len(units) == 1 else "{0} attack {1} at {2}",
        ", ".join(unit_ids), ", ".join(numbers), pos.game.column_name(fight.column),
    )  # fmt: skip
    if fight.column == len(pos.game.columns):
        _carry_out(pos, hexes, units, "DE")
        return
    pos.pending = Roll(numbers, unit_ids)


def roll_apply(pos: AssaultPosition, order: Order) -> None:
    """Read the combat results table (10.21, steps four and five)."""
    roll = pos.pending
    assert isinstance(roll, Roll)
    hexes = tuple(map(pos.ground.grid.hex, roll.hexes))
    units = [pos.index[u] for u in roll.units]
    fight = battle(pos, hexes, units)
    result = pos.game.result(fight.column, int(order.words[0]) + fight.modifier)
    pos.event(
        "result", "10.23", "Roll {0}, modified by {1}: {2}, {3}", order.words[0], f"{fight.modifier:+}", result,
        meaning(result),
    )  # fmt: skip
    _carry_out(pos, hexes, units, result)


def roll_chance(pos: AssaultPosition) -> Chance:
    """One die."""
    return DIE


def _carry_out(pos: AssaultPosition, hexes: tuple[Hex, ...], units: list[int], result: str) -> None:
    """Eliminate, or begin to take penalties (10.23, 10.26)."""
    pos.pending = None
    attackers = tuple(pos.roster[i].id for i in units)
    defenders = tuple(pos.roster[i].id for h in hexes for i in pos.stacks[h])
    numbers = tuple(map(pos.ground.number, hexes))
    if result in ("AE", "DE"):
        for unit_id in attackers if result == "AE" else defenders:
            pos.eliminate(pos.index[unit_id], "10.23")
        if result == "DE":
            _offer_advance(pos, numbers, attackers)
        return
    attacker, defender = penalties(result)
    fight = Fight(SIDES[pos.side], numbers, attackers, defenders, attacker, defender)
    _go_on(pos, fight)


def _go_on(pos: AssaultPosition, fight: Fight) -> None:
    """Ask for the next penalty, turn to the defender, or end the combat."""
    attacking = fight.side == SIDES[pos.side]
    party = fight.attackers if attacking else fight.defenders
    own = _survivors(pos, party)
    if fight.retreating and next(_retreats(pos, fight, own), None) is None:
        for unit_id in fight.retreating:
            pos.lose_step(pos.index[unit_id])
        fight = msgspec.structs.replace(fight, retreating=(), bled=True)
    if not _survivors(pos, party):
        fight = msgspec.structs.replace(fight, due=0, retreating=())
    followers = fight.followers
    if not fight.retreating:
        followers = tuple(u for u in followers if retreat_hexes(pos, pos.index[u]))
    if fight.due or fight.retreating or followers:
        pos.pending = msgspec.structs.replace(fight, followers=followers)
        return
    if attacking:
        _go_on(
            pos,
            Fight(
                SIDES[1 - pos.side], fight.hexes, fight.attackers, fight.defenders, fight.then,
                may_stand=fight.may_stand,
            ),
        )  # fmt: skip
        return
    pos.pending = None
    _offer_advance(pos, fight.hexes, fight.attackers)


def _survivors(pos: AssaultPosition, units: Iterable[str]) -> list[int]:
    return [pos.index[u] for u in units if pos.where[pos.index[u]] >= 0]


def _fight(pos: AssaultPosition) -> tuple[Fight, list[int]]:
    fight = pos.pending
    assert isinstance(fight, Fight)
    attacking = fight.side == SIDES[pos.side]
    return fight, _survivors(pos, fight.attackers if attacking else fight.defenders)


# Retreats -----------------------------------------------------------------------------------------


def retreat_hexes(pos: AssaultPosition, index: int) -> HexMask:
    """Hexes a unit may retreat into (10.27, 10.28, 14.2, 14.4)."""
    unit, ground, here = pos.roster[index], pos.ground, pos.where[index]
    if pos.is_disrupted(index) or digging(pos, index):
        return 0
    sides = ground.retreat_sides[unit.side]
    mask = 0
    for d, beyond in enumerate(ground.grid.neighbours(here)):
        if beyond != NOWHERE and sides[d] >> here & 1:
            mask |= 1 << beyond
    if ground.fringe_inset >> here & 1:
        mask |= ground.links[here]
    barred = pos.lay(1 - unit.side).zone | no_room(pos, index) | forbidden(pos, index) | enemy_fringe(pos, unit.side)
    return mask & ground.land & ~barred


def _passable(pos: AssaultPosition, index: int, h: Hex) -> bool:
    """Whether the great river does not keep a unit from retreating into a hex next to it (6.32, 10.28, 10.38)."""
    ground, here = pos.ground, pos.where[index]
    d = ground.grid.direction(here, h)
    return not ground.barrier[d] >> here & 1 or bool(ground.retreat_sides[pos.roster[index].side][d] >> here & 1)


TRIALS = 300
"""Placements tried before a retreat of many units counts as impossible."""


def can_all_retreat(pos: AssaultPosition, units: list[int]) -> bool:
    """Whether every unit finds a hex, those with least choice first (10.27, 10.28)."""
    choice = {index: retreat_hexes(pos, index).bit_count() for index in units}
    order = sorted(units, key=lambda index: (not choice[index], choice[index], index))
    return _placed_in_turn(pos, order, iter(range(TRIALS)))


def _placed_in_turn(pos: AssaultPosition, order: list[int], trials: Iterator[int]) -> bool:
    if not order:
        return True
    for h in members(retreat_hexes(pos, order[0])):
        if next(trials, None) is None:
            return False
        trial = pos._copy()
        trial.put(order[0], h)
        if _placed_in_turn(trial, order[1:], trials):
            return True
    return False


def _retreats(pos: AssaultPosition, fight: Fight, own: list[int]) -> Iterator[tuple[int, Hex]]:
    """Unit and hex of every retreat that leaves the others a way out too."""
    waiting = [pos.index[u] for u in fight.retreating] if fight.retreating else own
    for index in waiting:
        for h in pos.ground.grid.members(retreat_hexes(pos, index)):
            if len(waiting) > 1:
                trial = pos._copy()
                trial.put(index, h)
                if not can_all_retreat(trial, [other for other in waiting if other != index]):
                    continue
            yield index, h


def fight_orders(pos: AssaultPosition) -> Iterator[Order]:
    """Retreat, lose a step, stand where the attacker's retreat allows it."""
    fight, own = _fight(pos)
    if fight.retreating:
        for index, h in _retreats(pos, fight, own):
            yield Order("retreat", (pos.roster[index].id,), (pos.ground.number(h),))
        return
    if fight.followers:
        for unit_id in fight.followers:
            for h in pos.ground.grid.members(retreat_hexes(pos, pos.index[unit_id])):
                yield Order("retreat", (unit_id,), (pos.ground.number(h),))
        yield END
        return
    if fight.first:
        for index, h in _retreats(pos, fight, own):
            yield Order("retreat", (pos.roster[index].id,), (pos.ground.number(h),))
        if fight.may_stand:
            yield Order("stand")
    for index in _losers(pos, fight, own):
        yield Order("lose", (pos.roster[index].id,))


def _losers(pos: AssaultPosition, fight: Fight, own: list[int]) -> list[int]:
    """Units that may take the next step loss (10.211; 18.31)."""
    if not fight.bled and pos.options.get("best-class-first"):
        best = max(RANKS[pos.grade(index)] for index in own)
        return [index for index in own if RANKS[pos.grade(index)] == best]
    return own


def fight_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why a penalty may not be taken that way."""
    fight, own = _fight(pos)
    if order == END:
        return None if fight.followers and not fight.retreating else Refusal("10.212", "a penalty may not be declined")
    if order.verb == "stand":
        if fight.may_stand and fight.first and not fight.retreating and not fight.followers:
            return None
        return Refusal("10.26", "only the defender's first penalty may be declined, after the attacker has retreated")
    if order.verb in ("attack", "target", "support"):
        return Refusal("10.22", "the result of an attack is carried out before the next one")
    if order.verb == "advance":
        return Refusal("10.51", "units advance when all penalties have been taken")
    if order.verb not in ("retreat", "lose"):
        return pos.out_of_place(order)
    if len(order.units) != 1:
        return Refusal("10.27" if order.verb == "retreat" else "10.211", "name one unit at a time")
    unit_id = order.units[0]
    index = pos.index.get(unit_id, -1)
    if index >= 0 and SIDES[pos.roster[index].side] != fight.side:
        if _is_defender(pos, fight):
            return Refusal("10.24", "now the defender takes his penalties")
        return Refusal("10.26", "the attacker takes all of his penalties first")
    if order.verb == "lose":
        if fight.retreating or fight.followers:
            return Refusal("10.27", "the retreat is finished first")
        if index in _along(pos, fight, own):
            return Refusal("11.33", f"{unit_id} is a headquarters with the attackers and takes no step loss for them")
        if index not in own:
            return Refusal("10.211", f"{unit_id} took no part in this combat")
        if index not in _losers(pos, fight, own):
            return Refusal("18.31", f"the first step comes from a unit of the highest class, not from {unit_id}")
        return None
    return _retreat_refusal(pos, fight, own, index, order)


def _retreat_refusal(pos: AssaultPosition, fight: Fight, own: list[int], index: int, order: Order) -> Refusal | None:
    unit_id = order.units[0]
    found = pos.hex_path(order.hexes)
    if isinstance(found, Refusal):
        return found
    if len(found) != 1:
        return Refusal("10.27", "a retreat is one hex long")
    if fight.followers and not fight.retreating:
        if unit_id not in fight.followers or not retreat_hexes(pos, index) >> found[0] & 1:
            return Refusal("11.33", f"{unit_id} may not retreat there now")
        return None
    if not fight.first and not fight.retreating:
        return Refusal("10.25", "only the first penalty may be taken as a retreat")
    if index in _along(pos, fight, own):
        return Refusal("11.33", f"{unit_id} may go along when the attackers have retreated")
    if index not in own or (fight.retreating and unit_id not in fight.retreating):
        return Refusal("10.27", f"{unit_id} does not retreat in this combat")
    if pos.is_disrupted(index):
        return Refusal("10.28", f"{unit_id} is disrupted and may not retreat")
    if (index, found[0]) in set(_retreats(pos, fight, own)):
        return None
    if not retreat_hexes(pos, index) >> found[0] & 1:
        if digging(pos, index):
            return Refusal("14.2", f"{unit_id} is a worker unit outside the city and never retreats")
        ground, here = pos.ground, pos.where[index]
        if ground.grid.adjacent(here, found[0]) and not _passable(pos, index, found[0]):
            case = "6.32" if ground.main >> here & 1 else "10.38"
            return Refusal(case, f"{unit_id} may not retreat across the river into {order.hexes[0]}")
        return _kept_out(pos, index, found[0]) or Refusal("10.27", _no_refuge(pos, index, found[0]))
    return Refusal("10.28", "not every unit of the combat could retreat")


def _along(pos: AssaultPosition, fight: Fight, own: list[int]) -> list[int]:
    """HQs stacked with units that have attacked: they take no part, but may go along with a retreat (11.33)."""
    return [] if _is_defender(pos, fight) else [pos.index[unit_id] for unit_id in _companions(pos, own)]


def _no_refuge(pos: AssaultPosition, index: int, h: Hex) -> str:
    """What keeps a retreating unit out of a hex, in words (10.27)."""
    unit, ground, here = pos.roster[index], pos.ground, pos.where[index]
    into = f"{unit.id} may not retreat into {ground.number(h)}"
    enemy = pos.lay(1 - unit.side)
    if not ground.grid.adjacent(here, h) and not ground.links.get(here, 0) >> h & 1:
        return f"a retreat is one hex long, and {ground.number(h)} is not next to {unit.id}"
    if (enemy.occupied | enemy_fringe(pos, unit.side)) >> h & 1:
        return f"{into}: the enemy is there"
    if enemy.zone >> h & 1:
        return f"{into}: it is in an enemy zone of control"
    if no_room(pos, index) >> h & 1:
        return f"{into}: there is no room"
    return f"{into}: the way there is closed to it"


def fight_apply(pos: AssaultPosition, order: Order) -> None:
    """Take a penalty."""
    fight, own = _fight(pos)
    replace = msgspec.structs.replace
    if order == END:
        _go_on(pos, replace(fight, followers=()))
        return
    if order.verb == "stand":
        pos.event("stand", "10.26", "The defender stands fast")
        _go_on(pos, replace(fight, due=fight.due - 1, first=False, may_stand=False))
        return
    index = pos.index[order.units[0]]
    if order.verb == "lose":
        pos.lose_step(index)
        _go_on(
            pos,
            replace(
                fight,
                due=fight.due - 1,
                first=False,
                bled=True,
                may_stand=False if _is_defender(pos, fight) else fight.may_stand,
            ),
        )
        return
    attacking = not _is_defender(pos, fight)
    followers = fight.followers
    if fight.first and not fight.retreating and not followers and attacking:
        followers = _companions(pos, own)
    waiting = fight.retreating or tuple(pos.roster[i].id for i in own)
    following = order.units[0] in fight.followers and not fight.retreating
    _fall_back(pos, index, order.hexes[0])
    if following:
        _go_on(pos, replace(fight, followers=tuple(u for u in followers if u != order.units[0])))
        return
    left = tuple(u for u in waiting if u != order.units[0])
    _go_on(
        pos,
        replace(
            fight, due=fight.due - (0 if fight.retreating else 1), first=False, retreating=left, followers=followers,
            may_stand=attacking,
        ),
    )  # fmt: skip


def _is_defender(pos: AssaultPosition, fight: Fight) -> bool:
    return fight.side != SIDES[pos.side]


def _companions(pos: AssaultPosition, own: list[int]) -> tuple[str, ...]:
    """HQs stacked with attackers that retreat: they may go along (11.33)."""
    hexes = {pos.where[index] for index in own}
    return tuple(pos.roster[other].id for h in sorted(hexes) for other in pos.stacks[h] if pos.roster[other].is_hq)


def _fall_back(pos: AssaultPosition, index: int, number: str) -> None:
    """Retreat a unit one hex (10.27); in the second game that disrupts it (19.61)."""
    h = pos.ground.grid.hex(number)
    pos.put(index, h)
    pos.pass_through(pos.roster[index].side, [h])
    pos.mark_retreated(index)
    if pos.ground.book.retreat_disrupts:
        pos.mark_disrupted(index)
    pos.event("retreat", "10.27", "{0} retreats to {1}", pos.roster[index].id, number)


# Advance after combat -----------------------------------------------------------------------------


def _offer_advance(pos: AssaultPosition, numbers: tuple[str, ...], attackers: tuple[str, ...]) -> None:
    """Let the attackers advance if a hex is empty (10.51, 10.52)."""
    pos.pending = None
    empty = tuple(n for n in numbers if not pos.stacks.get(pos.ground.grid.hex(n)))
    units = tuple(u for u in attackers if pos.where[pos.index[u]] >= 0)
    offer = Advance(SIDES[pos.side], empty, units)
    if empty and next(_advances(pos, offer), None) is not None:
        pos.pending = offer


def advance_hexes(pos: AssaultPosition, index: int, hexes: Iterable[Hex]) -> list[Hex]:
    """Emptied hexes a unit may advance into, whatever zones are about (10.53, 12.42, 14.4)."""
    unit, ground, here = pos.roster[index], pos.ground, pos.where[index]
    if pos.is_disrupted(index) or (unit.is_worker and not ground.city >> here & 1):
        return []
    sides = ground.retreat_sides[unit.side]
    barred = no_room(pos, index) | forbidden(pos, index) | enemy_fringe(pos, unit.side)
    return [
        h
        for h in hexes
        if ground.grid.adjacent(here, h) and sides[ground.grid.direction(here, h)] >> here & 1 and not barred >> h & 1
    ]


def _advances(pos: AssaultPosition, offer: Advance) -> Iterator[Order]:
    hexes = [pos.ground.grid.hex(n) for n in offer.hexes]
    for unit_id in offer.units:
        for h in advance_hexes(pos, pos.index[unit_id], hexes):
            yield Order("advance", (unit_id,), (pos.ground.number(h),))


def advance_orders(pos: AssaultPosition) -> Iterator[Order]:
    """Advance a unit, or be content."""
    offer = pos.pending
    assert isinstance(offer, Advance)
    yield from _advances(pos, offer)
    yield END


def advance_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why a unit may not advance."""
    offer = pos.pending
    assert isinstance(offer, Advance)
    if order == END:
        return None
    if order.verb in ("attack", "target", "support"):
        return Refusal("10.51", "the advance is made or declined before the next attack")
    if order.verb != "advance" or len(order.units) != 1 or len(order.hexes) != 1:
        return pos.out_of_place(order)
    if order.units[0] in pos.index and pos.roster[pos.index[order.units[0]]].side != pos.side:
        return Refusal("10.54", "only the attacker advances after combat")
    if order.units[0] not in offer.units:
        return Refusal("10.51", f"{order.units[0]} took no part in the attack or has advanced already")
    if order.hexes[0] not in offer.hexes:
        return Refusal("10.51", f"{order.hexes[0]} was not emptied by the attack")
    if order in set(_advances(pos, offer)):
        return None
    index = pos.index[order.units[0]]
    if pos.is_disrupted(index):
        return Refusal("12.42", f"{order.units[0]} is disrupted and may not advance")
    if pos.roster[index].is_worker:
        return Refusal("14.4", f"{order.units[0]} may not advance out of the city")
    return _kept_out(pos, index, pos.ground.grid.hex(order.hexes[0])) or Refusal(
        "10.51", f"{order.units[0]} may not advance into {order.hexes[0]}"
    )


def _kept_out(pos: AssaultPosition, index: int, h: Hex) -> Refusal | None:
    """Whether a unit next to a hex may not go there because of what it is (14.4, 18.21; 19.43)."""
    ground, unit = pos.ground, pos.roster[index]
    if not forbidden(pos, index) & ~ground.capital & 1 << h or not ground.grid.adjacent(pos.where[index], h):
        return None
    return Refusal(forbidding_case(unit), f"{unit.id} may not enter {ground.number(h)}")


def advance_apply(pos: AssaultPosition, order: Order) -> None:
    """Advance a unit (10.51)."""
    offer = pos.pending
    assert isinstance(offer, Advance)
    if order == END:
        pos.pending = None
        return
    index = pos.index[order.units[0]]
    h = pos.ground.grid.hex(order.hexes[0])
    pos.put(index, h)
    pos.pass_through(pos.roster[index].side, [h])
    pos.event("advance", "10.51", "{0} advances to {1}", *order.units, *order.hexes)
    rest = Advance(offer.side, offer.hexes, tuple(u for u in offer.units if u != order.units[0]))
    pos.pending = rest if next(_advances(pos, rest), None) is not None else None
