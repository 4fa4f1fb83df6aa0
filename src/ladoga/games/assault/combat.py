"""Combat (10.0): who may attack what, at which odds, and what the results mean."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from ...hexes import Hex, HexMask, mask_of, members
from ...kernel.chance import die
from ...kernel.orders import Order
from ...kernel.position import Explanation, Modifier, Refusal, first_case
from .figures import GERMAN, RANKS, SOVIET
from .state import State

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
    plural = "penalty" if (attacker or defender) == 1 else "penalties"
    if not attacker:
        return f"the defender takes {defender} {plural}"
    return f"the attacker takes {attacker} {plural}" + (f", the defender {defender}" if defender else "")


def penalties(result: str) -> tuple[int, int]:
    """Penalties of attacker and defender; a dash is none (10.23).

    >>> penalties("2/1"), penalties("-/3")
    ((2, 1), (0, 3))
    """
    attacker, _, defender = result.partition("/")
    return tuple(0 if part == "-" else int(part) for part in (attacker, defender))  # type: ignore[return-value]


# Who may attack what ------------------------------------------------------------------------------


def attackable(pos: State, h: Hex) -> Refusal | None:
    """Why a hex may not be attacked at all (10.14, 10.15, 10.29, 8.43)."""
    number, stack = pos.ground.number(h), pos.stacks.get(h, ())
    return first_case(
        (pos.ground.capital >> h & 1, "8.43", "attacks into {} are made on the inset", pos.ground.book.capital_name),
        (pos.fought >> h & 1, "10.15", "{} has been attacked in this phase already", number),
        (not stack or pos.roster[stack[0]].side == pos.side, "10.13", "there is no enemy unit in {}", number),
        (all(map(pos.has_retreated, stack)), "10.29",
         "the units in {} have retreated in this phase and may not be attacked again", number),
    )  # fmt: skip


def why_no_attack(pos: State, index: int) -> Refusal | None:
    """Why a unit may not attack in this phase, or ``None`` (10.16, 11.33, 12.42)."""
    unit = pos.roster[index]
    return first_case(
        (unit.is_hq, "11.33", "{} is a headquarters and never attacks", unit.id),
        (unit.is_naval, "13.4", "the fleet helps an attack with its firepower marker"),
        (pos.is_disrupted(index), "12.42", "{} is disrupted and may not attack", unit.id),
        (pos.attacked >> index & 1, "10.16", "{} has attacked in this phase already", unit.id),
    )


def sortie_refusal(pos: State, index: int, others: Iterable[int]) -> Refusal | None:
    """No more units attack out of a main-map city hex than could stack in a normal one (8.45)."""
    h = pos.where[index]
    if not pos.ground.capital >> h & 1:
        return None
    kind = pos.roster[index].kind
    rivals = [o for o in others if pos.where[o] == h and pos.roster[o].kind == kind]
    if rivals or f"{pos.ground.number(h)} {kind}" in pos.sorties:
        return Refusal("8.45", f"another unit of that kind attacks out of {pos.ground.number(h)} in this phase")
    return None


def candidates(pos: State, hexes: Iterable[Hex]) -> list[int]:
    """Units that may join an attack on all of these hexes (10.13, 10.16)."""
    spent, roster = pos.disrupted | pos.attacked, pos.roster
    near = (index for h in members(bases(pos, hexes)) for index in pos.stacks[h])
    return [index for index in near if not spent >> index & 1 and not roster[index].is_hq]


def bases(pos: State, hexes: Iterable[Hex]) -> HexMask:
    """Hexes with units of the phasing side that lie next to all of these."""
    mask = pos.lays[pos.side].occupied
    for h in hexes:
        mask &= pos.ground.attacked_from[h]
    return mask


def strongest(pos: State, units: Iterable[int]) -> list[int]:
    """All of the units that can attack together: out of a city hex only the best of each kind (8.45)."""
    every = list(units)
    if not any(pos.ground.capital >> pos.where[index] & 1 for index in every):
        return every
    chosen: list[int] = []
    for index in sorted(every, key=lambda i: (-attack_quarters(pos, i), i)):
        if sortie_refusal(pos, index, chosen) is None:
            chosen.append(index)
    return chosen


def possible(pos: State, hexes: tuple[Hex, ...]) -> bool:
    """Whether any attack on these hexes would be allowed (10.21: no worse than 1:3)."""
    units = strongest(pos, candidates(pos, hexes))
    return bool(units) and battle(pos, hexes, units).column >= 0


def targets(pos: State) -> list[Hex]:
    """Enemy hexes that can be attacked now."""
    return [h for h in pos.ground.grid.members(within_touch(pos)) if possible(pos, (h,))]


def within_touch(pos: State) -> HexMask:
    """Enemy hexes next to a unit of the phasing side that nothing forbids to attack (10.15, 10.29, 8.43)."""
    ground = pos.ground
    near = pos.lays[1 - pos.side].occupied & ~pos.fought & ~ground.capital
    near &= ground.grid.ring(pos.lays[pos.side].occupied)
    if pos.retreated:
        near &= ~mask_of([h for h in members(near) if all(map(pos.has_retreated, pos.stacks[h]))])
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


def attack_quarters(pos: State, index: int) -> int:
    """Combat factor of an attacker: halved out of supply (10.21, 11.23)."""
    factor = QUARTERS * pos.roster[index].faces[-pos.steps[index]].combat
    return factor // 2 if pos.out >> index & 1 else factor


def defending(pos: State, h: Hex) -> list[int]:
    """Units in an attacked hex that count for the odds: not those that have just retreated there (10.29)."""
    return [index for index in pos.stacks[h] if not pos.retreated >> index & 1]


def terrain_multiple(pos: State, h: Hex, side: int) -> tuple[int, str]:
    """What terrain makes of a defender (10.32, 10.34, 10.35; 19.35), and the word for it."""
    return pos.ground.defence[side][h]


def river_multiple(pos: State, h: Hex, attackers: HexMask) -> int:
    """Double if every attacker is across a river (10.33, 10.38), one hex at a time (10.39)."""
    times = pos.ground.across[h]
    return min((times[a] for a in members(attackers)), default=1)


def defence_quarters(pos: State, index: int, attackers: HexMask, alone: bool) -> int:
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


def battle(pos: State, hexes: tuple[Hex, ...], units: Iterable[int]) -> Battle:
    """The five steps of an attack up to the die (10.21)."""
    attackers = list(units)
    from_hexes = mask_of([pos.where[index] for index in attackers])
    attack = sum([attack_quarters(pos, index) for index in attackers])
    defence, best = 0, -1
    for h in hexes:
        stack = defending(pos, h)
        for index in stack:
            defence += defence_quarters(pos, index, from_hexes, len(stack) == 1)
            best = max(best, RANKS[pos.grade(index)])
    guns = QUARTERS * pos.ground.tables.fleet_strength if pos.fire_on in hexes else 0
    attack, defence = (attack, defence + guns) if pos.side == GERMAN else (attack + guns, defence)
    worst = min([RANKS[pos.grade(index)] for index in attackers], default=0)
    shift = pos.ground.tables.classes[GRADES[worst]][GRADES[best]] if attackers and best >= 0 else 0
    modifiers = []
    if shift:
        modifiers.append(Modifier(f"class {GRADES[worst]} on class {GRADES[best]}", shift, "10.41"))
    if any(pos.support >> h & 1 for h in hexes):
        modifiers.append(Modifier("ground support", 1, "12.52"))
    return Battle(
        attack, defence, pos.game.odds_column(attack, defence), sum(int(m.amount) for m in modifiers), tuple(modifiers)
    )


def explained(pos: State, order: Order, hexes: tuple[Hex, ...], units: list[int]) -> Explanation:
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


def _strength_notes(pos: State, hexes: tuple[Hex, ...], units: list[int]) -> Iterator[str]:
    """How each strength came about that is not just the printed factor, with the cases."""
    ground = pos.ground
    from_hexes = mask_of(pos.where[index] for index in units)
    for index in units:
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
            plain = unit.type in ground.book.plain_defenders
            parts = (
                (unit.is_hq, f"a headquarters {'alone' if len(stack) == 1 else 'with others'} [11.33]"),
                (plain, "terrain does not help it [19.41]"),
                (not plain, f"{word} x{times} [{_SHELTER.get(word, '10.31')}]"),
                (not plain and river > 1,
                 f"all attackers across a river x{river} [{'10.33' if ground.main >> h & 1 else '10.38'}]"),
                (pos.is_out(index), "out of supply, halved [11.23]"),
                (pos.is_disrupted(index), "disrupted, halved [12.42]"),
            )  # fmt: skip
            why = ", ".join(part for counts, part in parts if counts)
            yield f"{unit.id} in {ground.number(h)} defends with {strength}: {why}"
        for index in pos.stacks[h]:
            if index not in stack:
                yield f"{pos.roster[index].id} has just retreated to {ground.number(h)} and does not count [10.29]"
        if pos.fire_on == h:
            case = "13.4" if pos.side == SOVIET else "13.5"
            yield f"the fleet's guns count {ground.tables.fleet_strength} at {ground.number(h)} [{case}]"
