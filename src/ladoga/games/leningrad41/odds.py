"""A fire explained before it is made: strength, every modifier, the column and exact chances (10.3)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from ...kernel.errors import BadOrder
from ...kernel.orders import Order
from ...kernel.position import Explanation, Modifier, Refusal
from . import fire
from .counters import Unit
from .state import NOBODY, UNDRAWN, UNKNOWN, Attack, State

if TYPE_CHECKING:
    from .position import CityPosition

MEANING = {"E": "eliminated", "-": "no effect"}


def explain(pos: CityPosition, order: Order) -> Explanation:
    """The numbers of an attack order, or of the fire being composed."""
    attack = _attack(pos, order)
    if isinstance(attack, Refusal):
        raise BadOrder(f"{attack.message} [{attack.case}]")
    strength = fire.strength(pos, attack)
    table = pos.tables.combat
    column = table.column(strength)
    shown: list[Modifier] = []
    chances: list[Fraction] = []
    notes: list[str] = []
    struck: list[int] = _struck(pos, attack)
    if attack.kind in ("bridge", "structure"):
        shown = fire.modifiers(pos, attack, None)
        chances = [_chance(pos, attack, fire.net(shown))]
    for piece in struck:
        likely = _likely(pos, piece)
        chance = Fraction(0)
        for unit, weight in likely:
            modifiers = fire.modifiers(pos, attack, unit)
            chance += weight * _chance(pos, attack, fire.net(modifiers))
            label = "" if len(struck) == 1 and len(likely) == 1 else f"{pos.unit(piece).id}: "
            for m in modifiers:
                entry = m._replace(label=m.label if m.case not in _OWN else f"{label}{m.label}")
                if entry not in shown:
                    shown.append(entry)
        chances.append(chance)
        notes.append(f"{pos.unit(piece).id}: eliminated with {chance}")
    results: dict[str, Fraction] = {}
    for fates in product("E-", repeat=len(chances)):
        probability = Fraction(1)
        for fate, chance in zip(fates, chances, strict=True):
            probability *= chance if fate == "E" else 1 - chance
        key = "".join(sorted(fates, reverse=True))
        if probability:
            results[key] = results.get(key, Fraction(0)) + probability
    one = Fraction(1)
    return Explanation(
        order=order,
        title=f"{attack.kind.capitalize()} at {pos.number(attack.target)}",
        attack=((strength, one),),
        modifiers=tuple(shown),
        initial=((table.columns[column], one),),
        columns=((table.columns[column], one),),
        results=tuple(results.items()),
        meaning={key: ", ".join(MEANING[fate] for fate in key) for key in results},
        table="combat",
        notes=tuple(notes),
    )


_OWN = frozenset({"10.12"})
"""Modifiers that one unit of a stack may have and another not (10.13)."""


def _attack(pos: CityPosition, order: Order) -> Attack | Refusal:
    step = pos.pending[0] if pos.pending else None
    if step is not None and step.kind == "offer":
        made = fire.volley(pos, step, order.units) if order.verb in ("attack", "add") else None
        if isinstance(made, Refusal):
            return made
        return (made.attack if made else pos.attack) or Refusal("9.2", "no unit fires")
    if order.verb == "attack":
        return fire.composed(pos, order)
    if order.verb == "target":
        return fire.target_of(pos, order.hexes)
    if pos.attack is None:
        return Refusal("10.3", "that order is no fire")
    if order.verb == "add" and len(order.units) == 1:
        return fire.joined(pos, pos.attack, order.units[0])
    return fire.declared(pos, pos.attack, order.words) if order.verb == "commit" else pos.attack


def _struck(pos: CityPosition, attack: Attack) -> list[int]:
    if attack.kind == "defensive":
        return [pos.pending[0].piece]
    return [] if attack.kind in ("bridge", "structure") else fire.defenders(pos, attack)


def _chance(pos: State, attack: Attack, drm: int) -> Fraction:
    return Fraction(sum(fire.eliminates(pos, attack, drm, face) for face in range(1, 7)), 6)


def _likely(pos: State, piece: int) -> list[tuple[Unit, Fraction]]:
    """What a defender is, or what a face-down one may be; only whether it is armored matters."""
    unit = pos.unit(piece)
    if not unit.back:
        return [(unit, Fraction(1))]
    known = pos.behind[piece - pos.roster.backs.start]
    if known >= 0:
        return [(pos.unit(known), Fraction(1))]
    places = (UNKNOWN,) if pos.masked else (UNDRAWN,)
    seen = pos.shown if known == NOBODY else 0
    army = pos.roster.of_command["42"]
    maybe = [pos.unit(p) for p in army if pos.where[p] in places and not seen >> p & 1]
    armored = [u for u in maybe if u.armored]
    other = [u for u in maybe if not u.armored]
    total = len(maybe)
    return [(group[0], Fraction(len(group), total)) for group in (armored, other) if group]
