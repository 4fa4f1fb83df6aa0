"""Some legal order, quickly: what ``legal.random`` draws in each phase, and when fire is offered."""

from __future__ import annotations

import random
from collections.abc import Callable

from ...hexes import NOWHERE, Hex, HexMask, pick
from ...kernel.orders import END, Order
from ...kernel.position import Refusal
from ...kernel.sequence import Planned
from . import arrivals, flips, marching, striking
from . import set_up as setting_up
from .arrivals import army_hand, army_hexes, drop_eligible
from .fire import CANCEL, COMMIT, additions, aims, declarations, declared, firers, joined, volley
from .listing import orders_of, specials_of
from .movement import (
    FOOT,
    MOTORIZED,
    March,
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
    suffix,
    waiting,
)
from .state import G_AIR, TIERS, Attack, Sent, State

PLACED = Planned(END, setting_up.end, END)
ALL_PLACED = Planned(END, arrivals.end_soviet, END)
MOVED = Planned(END, marching.end, END)


def planned(pos: State, order: Order) -> Planned:
    """An order of a list, judged."""
    found = pos.plan(order)
    assert isinstance(found, Planned)
    return found


def any_order(pos: State, rng: random.Random) -> Planned:
    """One of the list."""
    return planned(pos, rng.choice(list(pos._orders())))


def set_up(pos: State, rng: random.Random) -> Planned:
    """One placement at random."""
    hand = setting_up.in_hand(pos)
    return _sent(pos, "place", hand[0], setting_up.hexes_for(pos, hand[0]), setting_up.place, rng) if hand else PLACED


def soviet_arrival(pos: State, rng: random.Random) -> Planned:
    """One placement at random."""
    hand, hexes = army_hand(pos), army_hexes(pos)
    return _sent(pos, "place", hand[0], hexes, arrivals.place, rng) if hand and hexes else ALL_PLACED


def _sent(
    pos: State, verb: str, piece: int, hexes: HexMask, carry_out: Callable[[State, Sent], None], rng: random.Random
) -> Planned:
    """A unit sent to one of some hexes."""
    h = pick(hexes, rng)
    return Planned(Order(verb, (pos.unit(piece).id,), (pos.number(h),)), carry_out, Sent(piece, h))


def move(pos: State, rng: random.Random) -> Planned:
    """A movement order at random: entering units first, then any, and sooner or later the end."""
    queue = waiting(pos) if rng.random() < 0.5 else []
    entry = _entry(pos, queue[int(rng.random() * len(queue))], rng) if queue else None
    if entry is not None:
        return entry
    pieces = pos.on_map(pos.side)
    for _ in range(4):
        if not pieces or rng.random() < 0.02:
            break
        piece = pieces[int(rng.random() * len(pieces))]
        if pos.moving is not None and pos.moving.left > 0 and rng.random() < 0.4:
            piece = pos.moving.piece
        if not free(pos, piece) and (pos.under_way(piece) is None or block(pos, piece) is not None):
            continue
        if rng.random() < 0.5 and not pos.roster.plain[piece]:
            specials = specials_of(pos, piece)
            if specials:
                return planned(pos, specials[int(rng.random() * len(specials))])
        usable = modes(pos, piece)
        if not usable:
            continue
        mode = usable[int(rng.random() * len(usable))]
        path = wander(pos, piece, mode, rng)
        if len(path) > 1:
            order = Order("move", (pos.unit(piece).id,), tuple(map(pos.number, path)), suffix(mode))
            return Planned(order, marching.march, March(piece, mode, path[1:]))
    if end_refusal(pos) is None:
        return MOVED
    some = next(order for piece in reversed((*pieces, *waiting(pos))) for order in orders_of(pos, piece))
    return planned(pos, some)


def orders_of_one(pos: State, rng: random.Random) -> list[Order]:
    """Everything that some unit can be ordered to do in a movement phase, or the end of it."""
    pieces = [*pos.on_map(pos.side), *waiting(pos)]
    number = int(rng.random() * (len(pieces) + 1))
    orders = orders_of(pos, pieces[number]) if number < len(pieces) else []
    return orders or ([END] if end_refusal(pos) is None else list(pos._orders()))


def _entry(pos: State, piece: int, rng: random.Random) -> Planned | None:
    """A waiting unit drops or enters."""
    if block(pos, piece) is not None:
        return None
    drops = drop_hexes(pos, piece) if drop_eligible(pos, piece) else 0
    if drops and rng.random() < 0.7:
        return _sent(pos, "drop", piece, drops, marching.drop, rng)
    hexes = entry_hexes(pos, piece)
    if not hexes:
        return None
    h = pick(hexes, rng)
    mode = MOTORIZED if may_motor(pos, piece) and motor_entries(pos) >> h & 1 and rng.random() < 0.7 else FOOT
    order = Order("enter", (pos.unit(piece).id,), (pos.number(h),), suffix(mode))
    return Planned(order, marching.march, March(piece, mode, [h]))


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
    enemies = pos.tiers[(1 - pos.side) * TIERS] & ~pos.attacked
    able = [(p, field & enemies) for p, field in aims(pos) if field & enemies]
    for _ in range(6):
        if rng.random() < 0.03:
            break
        found = _some_attack(pos, able, rng) if able else None
        if found is not None:
            return found
    return END


def _some_attack(pos: State, able: list[tuple[int, HexMask]], rng: random.Random) -> Planned | None:
    """A fire of one of these units at a hex that it reaches, with some others."""
    first, choices = able[int(rng.random() * len(able))]
    target = pick(choices, rng)
    bit = 1 << target
    attack = joined(pos, Attack("air" if pos.phase_number == G_AIR else "fire", target), pos.unit(first).id)
    assert isinstance(attack, Attack)
    others = [p for p, field in able if field & bit and p != first]
    rng.shuffle(others)
    wanted = 1 + int(rng.random() * 5)
    while len(attack.units) < wanted and others:
        bigger = joined(pos, attack, pos.unit(others.pop()).id)
        if isinstance(bigger, Attack):
            attack = bigger
    for words in (("assault",), ()) if rng.random() < 0.8 else ((),):
        made = declared(pos, attack, words)
        if isinstance(made, Attack):
            names = tuple([pos.unit(p).id for p in attack.units])
            return Planned(Order("attack", names, (pos.number(target),), words), striking.commit, made)
    return None


def flip_or_fire(pos: State, rng: random.Random) -> Order | Planned:
    """Half of the time a unit is flipped, if any lies face down."""
    if pos.attack is None and rng.random() < 0.5:
        found = list(flips.flips(pos))
        if found:
            return rng.choice(found)
    return fire(pos, rng)


def offer(pos: State, rng: random.Random) -> Planned:
    """Fire with some units, mostly."""
    if pos.attack is not None and pos.attack.units:
        return Planned(COMMIT, striking.fire_back, pos.attack)
    step = pos.step
    able = firers(pos, step)
    if not able or rng.random() < 0.3:
        return Planned(END, striking.let_pass, END)
    names = [pos.unit(able[int(rng.random() * len(able))]).id]
    for piece in able:
        name = pos.unit(piece).id
        if name not in names and not isinstance(volley(pos, step, (*names, name)), Refusal):
            names.append(name)
    order = Order("attack", tuple(names), (pos.number(pos.where[step.piece]),))
    return Planned(order, striking.fire_back, volley(pos, step, names))
