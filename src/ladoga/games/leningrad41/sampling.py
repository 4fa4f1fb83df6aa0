"""Some legal order, quickly: what ``legal.random`` draws in each phase, and when fire is offered."""

from __future__ import annotations

import random

from ...hexes import NOWHERE, Hex, pick
from ...kernel.orders import END, Order
from ...kernel.position import Refusal
from ...kernel.sequence import Planned
from . import striking
from .arrivals import army_hand, army_hexes, drop_eligible, german_orders
from .fire import CANCEL, additions, aims, composed, declarations, declared, firers, joined, volley
from .movement import (
    FOOT,
    MOTORIZED,
    block,
    closed_to,
    costs_for,
    costs_plain,
    drop_hexes,
    end_refusal,
    entry_hexes,
    free,
    left,
    may_motor,
    modes,
    motor_entries,
    orders_of,
    specials_of,
    suffix,
    waiting,
)
from .set_up import hexes_for, in_hand
from .state import TIERS, Attack, State, Step


def set_up(pos: State, rng: random.Random) -> Order:
    """One placement at random."""
    hand = in_hand(pos)
    if not hand:
        return END
    piece = hand[0]
    return Order("place", (pos.unit(piece).id,), (pos.number(pick(hexes_for(pos, piece), rng)),))


def german_arrival(pos: State, rng: random.Random) -> Order:
    """Some sub-command to replace, or the end."""
    return rng.choice(list(german_orders(pos)))


def soviet_arrival(pos: State, rng: random.Random) -> Order:
    """One placement at random."""
    hand, hexes = army_hand(pos), army_hexes(pos)
    if not hand or not hexes:
        return END
    return Order("place", (pos.unit(hand[0]).id,), (pos.number(pick(hexes, rng)),))


def move(pos: State, rng: random.Random) -> Order:
    """A movement order at random: entering units first, then any, and sooner or later the end."""
    queue = waiting(pos) if rng.random() < 0.5 else []
    if queue:
        piece = queue[int(rng.random() * len(queue))]
        if block(pos, piece) is None:
            drops = drop_hexes(pos, piece) if drop_eligible(pos, piece) else 0
            if drops and rng.random() < 0.7:
                return Order("drop", (pos.unit(piece).id,), (pos.number(pick(drops, rng)),))
            hexes = entry_hexes(pos, piece)
            if hexes:
                h = pick(hexes, rng)
                motor = may_motor(pos, piece) and motor_entries(pos) >> h & 1 and rng.random() < 0.7
                return Order("enter", (pos.unit(piece).id,), (pos.number(h),), suffix(MOTORIZED if motor else FOOT))
    pieces = pos.on_map(pos.side)
    for _ in range(4):
        if not pieces or rng.random() < 0.02:
            break
        piece = pieces[int(rng.random() * len(pieces))]
        if pos.moving is not None and pos.moving.left > 0 and rng.random() < 0.4:
            piece = pos.moving.piece
        if not free(pos, piece) and block(pos, piece) is not None:
            continue
        if rng.random() < 0.5 and not pos.roster.plain[piece]:
            specials = specials_of(pos, piece)
            if specials:
                return specials[int(rng.random() * len(specials))]
        usable = modes(pos, piece)
        if not usable:
            continue
        mode = usable[int(rng.random() * len(usable))]
        path = wander(pos, piece, mode, rng)
        if len(path) > 1:
            return Order("move", (pos.unit(piece).id,), tuple(map(pos.number, path)), suffix(mode))
    if end_refusal(pos) is None:
        return END
    return next(order for piece in reversed((*pieces, *waiting(pos))) for order in orders_of(pos, piece))


def wander(pos: State, piece: int, mode: str, rng: random.Random) -> list[Hex]:
    """A random way for a unit, from where it is: mostly straight on, as far as its points and luck go."""
    costs, plain = costs_for(pos, piece, mode), costs_plain(pos, piece, mode)
    closed = closed_to(pos, piece, mode)
    points = left(pos, piece, mode)
    path = [pos.where[piece]]
    direction = int(rng.random() * 6)
    for _ in range(1 + int(rng.random() * points)):
        if rng.random() < 0.3:
            direction = int(rng.random() * 6)
        there = pos.map.grid.neighbours(path[-1])[direction]
        if there == NOWHERE or closed >> there & 1 or there in path:
            direction = int(rng.random() * 6)
            continue
        cost = (costs if len(path) == 1 else plain).price(path[-1], there)
        if cost is None:
            direction = int(rng.random() * 6)
            continue
        points -= cost
        if points < 0:
            break
        path.append(there)
    return path


def fire(pos: State, rng: random.Random) -> Order | Planned:
    """A fire at random, whole."""
    attack = pos.attack
    if attack is not None:
        every = [*additions(pos, attack), *declarations(pos, attack)] or [CANCEL]
        return every[int(rng.random() * len(every))]
    for _ in range(6):
        if rng.random() < 0.03:
            break
        order = _some_attack(pos, rng)
        if order is not None:
            return Planned(order, striking.commit, composed(pos, order))
    return END


def _some_attack(pos: State, rng: random.Random) -> Order | None:
    side = pos.side
    enemies = pos.tiers[(1 - side) * TIERS] & ~pos.attacked
    able = [(p, field & enemies) for p, field in aims(pos) if field & enemies]
    if not able:
        return None
    first, choices = able[int(rng.random() * len(able))]
    target = pick(choices, rng)
    bit = 1 << target
    attack = Attack("fire" if pos.unit(first).ground else "air", target, units=(first,))
    others = [p for p, field in able if field & bit and p != first]
    rng.shuffle(others)
    wanted = 1 + int(rng.random() * 5)
    while len(attack.units) < wanted and others:
        bigger = joined(pos, attack, pos.unit(others.pop()).id)
        if isinstance(bigger, Attack):
            attack = bigger
    names = tuple(pos.unit(p).id for p in attack.units)
    for words in (("assault",), ()) if rng.random() < 0.8 else ((),):
        if not isinstance(declared(pos, attack, words), Refusal):
            return Order("attack", names, (pos.number(target),), words)
    return None


def offer(pos: State, step: Step, rng: random.Random) -> Order:
    """Fire with some units, mostly."""
    if pos.attack is not None and pos.attack.units:
        return Order("commit")
    able = firers(pos, step)
    if not able or rng.random() < 0.3:
        return END
    names = [pos.unit(able[int(rng.random() * len(able))]).id]
    for piece in able:
        name = pos.unit(piece).id
        if name not in names and not isinstance(volley(pos, step, (*names, name)), Refusal):
            names.append(name)
    return Order("attack", tuple(names), (pos.number(pos.where[step.piece]),))
