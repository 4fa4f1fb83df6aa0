"""A fire explained before it is made: strength, every modifier, the column and exact chances (10.3)."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from ...kernel.errors import Illegal
from ...kernel.events import together
from ...kernel.orders import Order
from ...kernel.position import Explanation, Modifier, Refusal
from ...kernel.tables import draws
from . import arrivals, fire
from .counters import Unit
from .state import NOBODY, Attack, State

if TYPE_CHECKING:
    from .position import CityPosition

MEANING = {"E": "eliminated", "-": "no effect"}


def explain(pos: CityPosition, order: Order) -> Explanation:
    """The numbers of an attack order, or of the fire being composed."""
    fired = _fired(pos, order)
    if isinstance(fired, Refusal):
        raise Illegal(*fired)
    attack, volleys = fired.attack, _volleys(pos, fired)
    names, stacks = _targets(pos, attack)
    maybe = []
    for units, weight in stacks.items():
        flak = any(unit is not None and "anti-aircraft" in unit.traits for unit in units)
        maybe.append((weight, [fire.modifiers(pos, attack, unit, flak=flak) for unit in units]))  # (10.13)
    chances = [Fraction(0)] * len(names)
    results: defaultdict[str, Fraction] = defaultdict(Fraction)
    for weight, lists in maybe:
        for (points, anti_armor), probability in volleys.items():
            share = weight * probability
            each = [
                _chance(pos, points, fire.net([m for m in modifiers if not (anti_armor and m.case in _OWN)]))
                for modifiers in lists
            ]
            chances = [known + share * chance for known, chance in zip(chances, each, strict=True)]
            for key, fate in _fates(each).items():
                results[key] += share * fate
    columns: defaultdict[str, Fraction] = defaultdict(Fraction)
    strengths: defaultdict[int, Fraction] = defaultdict(Fraction)
    for (points, _), probability in volleys.items():
        columns[pos.tables.combat.columns[pos.tables.combat.column(points)]] += probability
        strengths[points] += probability
    return Explanation(
        order=order,
        title=f"{attack.kind.capitalize()} at {pos.number(attack.target)}",
        attack=tuple(sorted(strengths.items())),
        modifiers=_shown(names, [lists for _, lists in maybe]),
        initial=tuple(columns.items()),
        columns=tuple(columns.items()),
        results=tuple(results.items()),
        meaning={key: ", ".join(MEANING[fate] for fate in key) for key in results},
        table="combat",
        to_die=True,
        notes=tuple(
            f"{name}: eliminated with {float(100 * chance):.1f} %" for name, chance in zip(names, chances, strict=True)
        ),
    )


def _targets(pos: CityPosition, attack: Attack) -> tuple[list[str], dict[tuple[Unit | None, ...], Fraction]]:
    """What is struck, and what the struck units may turn out to be, with probabilities."""
    if attack.kind in ("bridge", "structure"):
        return [f"the {attack.kind}"], {(None,): Fraction(1)}
    struck = [pos.pending[0].piece] if attack.kind == "defensive" else fire.defenders(pos, attack)
    return [pos.unit(piece).id for piece in struck], dict(_identities(pos, struck).items())


def _shown(names: list[str], maybe: list[list[list[Modifier]]]) -> tuple[Modifier, ...]:
    """Every modifier that may count, once, with words that say for whom it does and whether for sure."""
    shown: dict[Modifier, None] = {}
    for lists in maybe:
        for place, modifiers in enumerate(lists):
            for m in modifiers:
                whose = _whose(m, names, place, maybe)
                shown[m._replace(label=whose + m.label, sure=not whose)] = None
    return tuple(shown)


def _whose(m: Modifier, names: list[str], place: int, maybe: list[list[list[Modifier]]]) -> str:
    """Whose roll alone a modifier changes, and whether it does so only if a hidden unit turns out that way."""
    if all(m in own for lists in maybe for own in lists):
        return ""
    words = [names[place]] if m.case in _OWN else []
    if not all(m in lists[place] for lists in maybe):
        words.append("perhaps")
    return f"{', '.join(words)}: "


def _fates(chances: list[Fraction]) -> dict[str, Fraction]:
    """How many of the defenders are eliminated: ``EE``, ``E-`` ..., and how likely."""
    results: defaultdict[str, Fraction] = defaultdict(Fraction)
    for fates in product("E-", repeat=len(chances)):
        probability = Fraction(1)
        for fate, chance in zip(fates, chances, strict=True):
            probability *= chance if fate == "E" else 1 - chance
        if probability:
            results[together(fates)] += probability
    return results


def _volleys(pos: State, fired: fire.Volley) -> dict[tuple[int, bool], Fraction]:
    """Strength and anti-armor ability of a fire, as far as face-down units in it leave them open."""
    points = fire.strength(pos, fired.attack)
    anti_armor = any(pos.unit(p).anti_armor for p in fired.attack.units)
    unknown = []
    for piece in fired.hidden:
        known = pos.hidden(piece)
        if known >= 0:
            more, pierces = _defensive(pos.unit(known))
            points, anti_armor = points + more, anti_armor or pierces
        else:
            unknown.append(piece)
    if not unknown:
        return {(points, anti_armor): Fraction(1)}
    maybe = [_defensive(pos.unit(p)) for p, _ in arrivals.possible(pos, NOBODY)]
    result: defaultdict[tuple[int, bool], Fraction] = defaultdict(Fraction)
    for drawn, probability in draws(maybe, len(unknown)).items():
        key = points + sum(more for more, _ in drawn), anti_armor or any(pierces for _, pierces in drawn)
        result[key] += probability
    return result


def _defensive(unit: Unit) -> tuple[int, bool]:
    """What a unit adds to a defensive fire (9.3)."""
    return (unit.fire, unit.anti_armor) if unit.fires_defensively else (0, False)


_OWN = frozenset({"10.12"})
"""Modifiers that one unit of a stack may have and another not (10.13)."""


def _fired(pos: CityPosition, order: Order) -> fire.Volley | Refusal:
    made: Attack | Refusal | None
    if pos.agenda[0].at != "offer":
        made = _offensive(pos, order)
    else:
        made = fire.volley(pos, pos.step, order.units) if order.verb in ("attack", "add") else pos.attack
        made = made or Refusal("9.2", "no unit fires")
    return made if isinstance(made, Refusal) else fire.parted(pos, made)


def _offensive(pos: CityPosition, order: Order) -> Attack | Refusal:
    if order.verb == "attack":
        return fire.composed(pos, order)
    if order.verb == "target":
        return fire.target_of(pos, order.hexes)
    if pos.attack is None:
        return Refusal("10.3", "that order is no fire")
    if order.verb == "add" and len(order.units) == 1:
        return fire.joined(pos, pos.attack, order.units[0])
    return fire.declared(pos, pos.attack, order.words) if order.verb == "commit" else pos.attack


def _chance(pos: State, points: int, drm: int) -> Fraction:
    """How likely one defender is eliminated; a fire without strength does nothing."""
    return Fraction(sum(fire.eliminates(pos, points, drm, face) for face in range(1, 7)) if points else 0, 6)


def _identities(pos: State, pieces: list[int]) -> dict[tuple[Unit, ...], Fraction]:
    """What the defenders are, all together: face-down ones are drawn one after the other from the same
    units, so what one is the next is not."""
    found: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    turned = 0
    for piece in pieces:
        found = {
            (*drawn, unit): weight * share
            for drawn, weight in found.items()
            for unit, share in _likely(pos, piece, drawn, turned)
        }
        turned += pos.unit(piece).back and pos.hidden(piece) == NOBODY
    return {tuple(map(pos.unit, drawn)): weight for drawn, weight in found.items()}


def _likely(pos: State, piece: int, drawn: tuple[int, ...], turned: int) -> list[tuple[int, Fraction]]:
    """What a defender is, or what a face-down one may be; only whether it is armored or anti-aircraft
    matters, and whether it has been seen, since that decides where else it can be."""
    if not pos.unit(piece).back:
        return [(piece, Fraction(1))]
    known = pos.hidden(piece)
    if known >= 0:
        return [(known, Fraction(1))]
    groups: dict[tuple[bool, bool, bool], list[tuple[int, int]]] = {}
    total = 0
    for p, weight in arrivals.possible(pos, known, drawn, turned):
        unit = pos.unit(p)
        kind = unit.armored, "anti-aircraft" in unit.traits, arrivals.seen(pos, p)
        groups.setdefault(kind, []).append((p, weight))
        total += weight
    return [(group[0][0], Fraction(sum(weight for _, weight in group), total)) for group in groups.values()]
