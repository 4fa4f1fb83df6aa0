"""Attacks: composed in the mind, valued by their exact odds, then ordered step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from ..hexes import members
from ..kernel.errors import LadogaError
from ..kernel.orders import END, Order, Role
from ..kernel.position import Explanation, Position, View
from .lay import FAR
from .situation import Piece, Situation, cheapest
from .tuning import Results
from .words import Words

EFFORT = 0.12
"""What a point of strength could do elsewhere, if there is another enemy next to it."""
TARGETS = 12
"""Most targets that attacks are composed against before one is chosen."""
UNITS = 14
"""Most units in one attack."""
COMPOSING = (Role.AIM, Role.JOIN, Role.COMMIT, Role.CANCEL, Role.END)


class Attack(NamedTuple):
    """An attack worth so much, the orders that make it, and why."""

    value: float
    orders: tuple[Order, ...]
    reason: Callable[..., str]
    """A ``Saying``, of which the targets may be told besides."""


def compelled(position: View | Position) -> str:
    """The case of the rules that leaves whoever fights now no choice but to attack somebody; nothing if he may end.

    >>> import ladoga
    >>> compelled(ladoga.load("leningrad-1979").start())
    ''
    """
    if position.legal.with_role(Role.GO):
        return ""
    refused = position.why_not(END)
    return "" if refused is None or not position.legal.with_role(Role.AIM, Role.STRIKE) else refused.case


def value_of(
    situation: Situation, explanation: Explanation, attackers: Iterable[Piece], targets: Iterable[str]
) -> float:
    """Expected worth of an attack: enemy steps and ground won less own steps lost, exactly weighed."""
    return outlook(situation, explanation, attackers, targets)[0]


def outlook(
    situation: Situation,
    explanation: Explanation,
    attackers: Iterable[Piece],
    targets: Iterable[str],
    busy: bool = True,
) -> tuple[float, float]:
    """Expected worth of an attack, and how likely it clears the hex; ``busy`` if the attackers can do nothing else."""
    ours = list(attackers)
    worths = by_result(situation, explanation, ours, targets)
    total, cleared = -sum(effort(situation, piece) for piece in ours) if busy else 0.0, 0.0
    for code, probability in explanation.results:
        worth, freed = worths[code]
        total += float(probability) * worth
        cleared += float(probability) * freed
    return total, cleared


def by_result(
    situation: Situation, explanation: Explanation, ours: Sequence[Piece], targets: Iterable[str]
) -> dict[str, tuple[float, float]]:
    """For each result that an attack can have what it is worth, and how likely it clears the hex."""
    results, style = situation.tuned.results, situation.style
    hexes = [situation.grid.hex(number) for number in targets if number in situation.grid]
    theirs = [piece for h in hexes for piece in situation.at.get(h, ()) if piece.side == situation.enemy]
    ground = sum(ground_worth(situation, h) for h in hexes)
    trapped = all(_trapped(situation, h) for h in hexes)
    steps = sum(piece.steps for piece in theirs)
    found = {}
    for code, _ in explanation.results:
        hit, paid = halves(results, code)
        lost = sum(results.steps.get(part, 0.0) for part in hit)
        freed = min((results.frees.get(part, 0.0) for part in hit), default=0.0)
        enough = max((results.takes.get(part, steps) for part in hit), default=0)
        if enough < steps:
            freed *= 0.0 if trapped else results.stubborn
            lost = max(lost, float(enough)) if trapped else lost
        elif trapped and freed:
            lost, freed = max(lost, 1.6 * freed), max(freed, 0.8)
        gain = style.boldness * cheapest(theirs, lost) + freed * ground
        found[code] = gain - cheapest(ours, results.steps.get(paid, 0.0)), freed
    return found


def halves(results: Results, code: str) -> tuple[tuple[str, ...], str]:
    """What a result does to the defenders (to all of them, or to each), and to the attackers."""
    if results.each:
        return tuple(code), ""
    if code in results.whole:
        hit, paid = results.whole[code]
        return (hit,), paid
    hit, _, paid = code.partition(results.split)
    return ((paid,), hit) if results.attacker_first else ((hit,), paid)


def effort(situation: Situation, piece: Piece) -> float:
    """What a unit could do elsewhere."""
    others = situation.lay.near.get(piece.hex, 0) & situation.occupied[situation.enemy]
    return piece.attack * (EFFORT if others.bit_count() > 1 else EFFORT / 6)


def ground_worth(situation: Situation, h: int) -> float:
    """What it is worth to drive the enemy out of a hex."""
    near = situation.to_objectives.get(h, FAR)
    return situation.style.push * (situation.objectives.get(h, 0.0) + 4.0 / (2.0 + near / 4.0))


def _trapped(situation: Situation, h: int) -> bool:
    """Whether no hex is open to those who would retreat from a hex."""
    ring = situation.lay.near.get(h, 0)
    free = ring & ~situation.zones[situation.side] & ~situation.occupied[situation.side]
    return not free and not ring & situation.occupied[situation.enemy]


def best_attack(position: Position, situation: Situation) -> Attack | None:
    """The best attack that can be begun now, composed as far as it pays."""
    best: Attack | None = None
    targets = position.legal.with_role(Role.AIM)
    for order in sorted(targets, key=lambda o: (-_prize(situation, o), str(o)))[:TARGETS]:
        attack = composed(position.play(order), situation, (order,), order.hexes)
        if attack is not None and (best is None or attack.value > best.value):
            best = attack
    return best


def _prize(situation: Situation, order: Order) -> float:
    """What there is to win in the hexes of a target, at first sight."""
    hexes = [situation.grid.hex(number) for number in order.hexes if number in situation.grid]
    theirs = [p for h in hexes for p in situation.at.get(h, ()) if p.side == situation.enemy]
    if not theirs:
        return 0.0
    held = sum(p.defence for p in theirs) * max(situation.lay.shelter.get(h, 1.0) for h in hexes)
    force = sum(
        p.attack for h in hexes for near in members(situation.lay.near.get(h, 0)) for p in situation.at.get(near, ())
        if p.side == situation.side
    )  # fmt: skip
    prize = sum(p.worth * p.steps for p in theirs) + sum(ground_worth(situation, h) for h in hexes)
    return prize * min(6.0, 1.0 + force / max(held, 0.5))


def composed(
    position: Position, situation: Situation, begun: tuple[Order, ...], targets: tuple[str, ...]
) -> Attack | None:
    """The best way to go on composing an attack: strongest units first, while it pays."""
    best: Attack | None = None
    orders, ours = begun, list[Piece]()
    while True:
        value = _committed(position, situation, ours, targets)
        if value is not None and (best is None or value > best.value + 1e-9):
            best = _with_support(position, situation, Attack(value, orders, _unsaid), ours, targets)
        adding = position.legal.with_role(Role.JOIN)
        if not adding or len(ours) >= UNITS:
            return best
        order = max(adding, key=lambda o: (_weight(situation, o), o.units))
        ours += [situation.pieces[unit] for unit in order.units if unit in situation.pieces]
        orders = (*orders, order)
        position = position.play(order)


def _weight(situation: Situation, order: Order) -> float:
    """Strong and cheap units first."""
    piece = situation.pieces.get(order.units[0]) if order.units else None
    return piece.attack - 0.25 * piece.worth if piece else 0.0


def _committed(position: Position, situation: Situation, ours: list[Piece], targets: tuple[str, ...]) -> float | None:
    commit = Order(position.game.grammar.verb(Role.COMMIT))
    if position.why_not(commit) is not None:
        return None
    try:
        explanation = position.explain(commit)
    except LadogaError:
        return 0.0
    return value_of(situation, explanation, ours, targets)


def _unsaid(_: Words) -> str:
    """Of an attack that is not whole yet nothing is told."""
    return ""


def _with_support(
    position: Position, situation: Situation, plain: Attack, ours: list[Piece], targets: tuple[str, ...]
) -> Attack:
    """The attack as composed so far, with whatever support makes it better, and committed."""
    best, ready = plain, position
    for order in position.legal:
        if position.game.role(order) in COMPOSING:
            continue
        helped = position.play(order)
        value = _committed(helped, situation, ours, targets)
        price = situation.style.prefer.get(order.verb, -0.5)
        if value is not None and value + price > best.value:
            best, ready = Attack(value + price, (*plain.orders, order), _unsaid), helped
    commit, party = Order(position.game.grammar.verb(Role.COMMIT)), tuple(ours)
    return Attack(best.value, (*best.orders, commit), partial(_told, situation, ready, commit, party, targets=targets))


def _told(
    situation: Situation, ready: Position, commit: Order, party: Sequence[Piece], say: Words, *,
    targets: Sequence[str], began: View | None = None,
) -> str:  # fmt: skip
    """An attack, how it will go, and whether the rules compelled to one where it ``began``."""
    try:
        falls = outlook(situation, ready.explain(commit), party, targets)[1]
    except LadogaError:
        falls = 0.0
    return say.attack(targets, [piece.id for piece in party], falls, compelled(began or say.seen))
