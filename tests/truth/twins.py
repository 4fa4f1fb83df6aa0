"""Twin games: two matches that differ only in what somebody may not know, played order by order with the same orders.

Everything that this somebody receives must be the same in both, byte for byte, through every door of the server, until
the rules themselves tell the difference.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from ladoga import LadogaError, Order
from ladoga.kernel.position import CHANCE, OBSERVER, Event, Position
from ladoga.server import showing
from ladoga.server.match import Match, Step
from ladoga.server.store import Kept, Seat
from ladoga.server.wire import packed

Told = dict[str, bytes]
"""What an audience is told, by the door it comes through."""
Hides = Callable[[Position], bool]
"""Whether what has been ordered in the phase in hand is still hidden."""
Allows = Callable[[Position, Position, str], bool]
"""Whether the rules tell the difference between two positions to an audience, without an event that says so."""


@dataclass(frozen=True)
class Licence:
    """How the rules of a game tell what was hidden."""

    kinds: frozenset[str] = frozenset()
    """Kinds of events that may differ: the book says that this is announced."""
    follows: frozenset[str] = frozenset()
    """Kinds of events that may differ where one of those does, as its consequence."""
    allows: Allows = lambda _one, _two, _side: False


@dataclass
class Found:
    """How a pair of twins ended: ``leak`` names the door and the difference, ``told`` the event that told it by the
    rules; both are empty when the pair was played to its end and nothing showed."""

    steps: int = 0
    leak: str = ""
    told: str = ""
    orders: list[str] = field(default_factory=list)


def table_of(position: Position, seed: bytes = b"one") -> Match:
    """A match that begins with a position."""
    game = position.game
    kept = Kept("twin", game.id, "match", position.scenario, dict(position.options), position.document(), seed, "test",
                0.0, None)  # fmt: skip
    return Match(kept, game, [], [Seat(side, "", n, "", False) for n, side in enumerate(game.sides, 1)])


def give(match: Match, order: Order) -> None:
    """Play one order, or one outcome, as the hub does."""
    mover = match.position.to_move or ""
    match.advance([Step(mover, order, match.position.play(order))], [len(match.orders)])


@dataclass(frozen=True)
class Asked:
    """What a curious audience asks besides looking: orders, units, hexes and moments of the past."""

    orders: tuple[str, ...]
    units: tuple[str, ...]
    hexes: tuple[str, ...]
    past: int
    threat: bool = False


def questions(match: Match, side: str, stock: list[str], rng: random.Random, *, deep: bool) -> Asked:
    """Some questions, from what the audience sees itself."""
    view = match.view(side)
    counters = view.table().counters
    on_map = sorted({c.hex for c in counters if c.hex})
    units = sorted(c.id for c in counters if c.hex)
    listed = [str(order) for order in view.legal]
    orders = rng.sample(listed, min(3, len(listed))) + rng.sample(stock, min(3, len(stock))) + ["commit", "end"]
    if units and on_map:
        orders += [f"{verb} {rng.choice(units)} {rng.choice(on_map)}" for verb in ("move", "attack")]
    return Asked(tuple(orders), tuple(rng.sample(units, min(3, len(units)))),
                 tuple(rng.sample(on_map, min(3, len(on_map)))), rng.randint(0, len(match.orders)),
                 deep and rng.random() < 0.1)  # fmt: skip


def told(match: Match, side: str, asked: Asked) -> Told:
    """All that an audience gets: unasked, and when it asks."""
    view = match.view(side)
    doors: dict[str, Any] = {"state": showing.state(match, side), "log": match.log(side)}
    undo = match.undoable(side)
    doors["undo"] = {"to": undo.to, "text": undo.text, "floor": match.floor}
    doors["events"] = [(e.kind, e.case, e.text, e.side) for e in view.events]
    doors["view"] = [repr(view), view.prompt, view.choice, view.seats, view.sides_open, str(view.chance), view.to_move]
    doors["document"] = view.document()
    doors["position"] = match.view(side, asked.past).document()
    doors["replay"] = showing.state(match, side, asked.past)
    doors["study"] = view.imagine(random.Random(5)).document()
    doors["record"] = record_for(match, side)
    doors["legal"] = [*sorted(map(str, view.legal)), view.legal.count()]
    doors["of"] = [showing.choices(view, (unit,)) for unit in asked.units]
    doors["units"] = [[str(o) for o in view.legal.of(unit)] for unit in asked.units]
    doors["why"] = [showing.why(view, text) for text in asked.orders]
    doors["explain"] = [showing.explained(view, text) for text in asked.orders]
    doors["hex"] = [showing.hex_facts(view, number) for number in asked.hexes]
    for kind in ("zoc", "supply", "moves", *(("threat",) if asked.threat else ())):
        doors[kind] = showing.layer(match, side, kind)
    return {door: packed(told=value) for door, value in doors.items()}


def record_for(match: Match, side: str) -> str:
    """The record as the server gives it to a seat: to players, and while there are secrets not at all."""
    if match.secret() or side == OBSERVER:
        return ""
    header, orders = match.record().text().split("\n---\n", 1)
    return "\n".join(line for line in header.splitlines() if not line.startswith("commitment")) + orders


def difference(one: Told, two: Told) -> str:
    """The first door through which two audiences were told different things, and what."""
    for door, first in one.items():
        second = two[door]
        if first != second:
            at = next((n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
            cut = slice(max(at - 90, 0), at + 110)
            return f"{door}: {first[cut].decode(errors='replace')!r} or {second[cut].decode(errors='replace')!r}"
    return ""


def seen(position: Position, side: str) -> list[tuple[str, str]]:
    """The events an audience sees, with their kind."""
    events: tuple[Event, ...] = position.view(side).events
    return [(event.kind, event.text) for event in events]


FIGHTING = ("target", "commit")
"""Verbs that are preferred, so that twins come to blows."""


def shared(one: Position, two: Position, rng: random.Random) -> Order | None:
    """An order, or an outcome, that both twins allow; rather a fight than something else."""
    fights = [] if one.to_move == CHANCE else [order for order in one.legal if order.verb in FIGHTING]
    for _ in range(8):
        order = rng.choice(fights) if fights and rng.random() < 0.5 else one.legal.random(rng)
        order = one.game.parse(str(order))
        if two.why_not(order) is None:
            return order
    return None


def play_twins(
    one: Position, two: Position, side: str, licence: Licence, rng: random.Random, *, most: int, deep: bool = False
) -> Found:
    """Play both with the same orders and compare what the audience is told after each."""
    matches = table_of(one), table_of(two, b"two")
    found = Found()
    stock: list[str] = []
    while True:
        first, second = (match.position for match in matches)
        asked = questions(matches[0], side, stock, rng, deep=deep)
        leak = difference(*(told(match, side, asked) for match in matches))
        if leak:
            _judge(found, leak, licence, first, second, side)
            return found
        if found.steps >= most or first.to_move is None:
            return found
        order = shared(first, second, rng)
        if order is None:
            return found
        found.orders.append(f"{first.to_move} {order}")
        stock.append(str(order))
        try:
            for match in matches:
                give(match, order)
        except LadogaError as problem:  # pragma: no cover - a legal order always plays
            found.leak = f"{order} does not play: {problem}"
            return found
        found.steps += 1


def _judge(found: Found, leak: str, licence: Licence, one: Position, two: Position, side: str) -> None:
    """Whether a difference was told by the rules: never before the first order."""
    telling = {kind for kind, _ in set(seen(one, side)) ^ set(seen(two, side))}
    if found.steps and telling & licence.kinds and telling <= licence.kinds | licence.follows:
        found.told = ", ".join(sorted(telling))
    elif found.steps and not telling and licence.allows(one, two, side):
        found.told = f"by the step of {one.phase.case} or {two.phase.case}"
    else:
        found.leak = f"{leak} (events that differ: {sorted(telling)})"


def play_apart(position: Position, side: str, hidden: Hides, rng: random.Random, *, most: int) -> Found:
    """Play two matches from one position with different orders, as many in each, as long as they are hidden from an
    audience: it must not be able to tell them apart. The audience itself, and chance, do the same in both."""
    matches = table_of(position), table_of(position)
    found = Found()
    while found.steps < most:
        first, second = (match.position for match in matches)
        if first.to_move in (side, CHANCE):
            order = shared(first, second, rng)
            chosen = (order, order) if order is not None else None
        else:
            chosen = _apart(first, second, hidden, rng)
        if chosen is None or not (hidden(first.play(chosen[0])) and hidden(second.play(chosen[1]))):
            return found
        for match, order in zip(matches, chosen, strict=True):
            give(match, order)
        found.steps += 1
        found.orders.append(" or ".join(map(str, dict.fromkeys(chosen))))
        asked = questions(matches[0], side, [], rng, deep=False)
        found.leak = difference(*(told(match, side, asked) for match in matches))
        if found.leak:
            return found
    return found


def _apart(one: Position, two: Position, hidden: Hides, rng: random.Random) -> tuple[Order, Order] | None:
    """An order for each of two positions, both of them hidden, that stay in the phase or leave it together."""
    composed = [[order for order in p.legal if order.verb in ("target", "add")] for p in (one, two)]
    for _ in range(12):
        first, second = (
            p.game.parse(str(rng.choice(orders) if orders else p.legal.random(rng)))
            for p, orders in zip((one, two), composed, strict=True)
        )
        after = one.play(first), two.play(second)
        if after[0].phase.id == after[1].phase.id and all(map(hidden, after)):
            return first, second
    return None


def moments(
    game: Any, options: dict[str, Any], rng: random.Random, *, apart: int = 40, phases: tuple[str, ...] = ("",)
) -> Iterator[Position]:
    """Positions of random games, some orders apart, in phases called so; a new game begins where one ends."""
    while True:
        position = game.start(None, options)
        until = rng.randint(0, apart)
        while position.to_move is not None:
            if until <= 0 and position.to_move != CHANCE and position.phase.id.endswith(phases):
                yield position
                until = rng.randint(apart // 2, 2 * apart)
            position = position.play(position.legal.random(rng))
            until -= 1


def beginnings(
    game: Any, options: dict[str, Any], rng: random.Random, *, apart: int = 40, phases: tuple[str, ...] = ("",)
) -> Iterator[Position]:
    """Positions of the first phase of a game, up to some orders into it."""
    while True:
        position = game.start(None, options)
        for _ in range(rng.randint(0, apart)):
            following = position.play(position.legal.random(rng))
            if following.phase.id != position.phase.id:
                break
            position = following
        if position.phase.id.endswith(phases):
            yield position


# Twins of a position ---------------------------------------------------------------------------


def imagined(position: Position, side: str, rng: random.Random) -> Position:
    """A twin as the game imagines one for an audience."""
    return position.view(side).imagine(rng)


def with_dice(position: Position, rng: random.Random, faces: str = "123456") -> Position:
    """The same position with draws to come written down, which nobody may know."""
    document = position.document()
    return position.game.position({**document, "dice": [rng.choice(faces) for _ in range(3)]})


def play_dice(position: Position, side: str, rng: random.Random, *, most: int) -> Found:
    """Two matches that differ in their dice to come, seed and script, up to the first throw."""
    one, two = with_dice(position, rng, "1"), with_dice(position, rng, "6")
    matches = table_of(one), table_of(two, b"two")
    found = Found()
    while found.steps < most:
        asked = questions(matches[0], side, found.orders, rng, deep=False)
        found.leak = difference(*(told(match, side, asked) for match in matches))
        first = matches[0].position
        if found.leak or first.to_move is None:
            return found
        bare = first.game.position({key: value for key, value in first.document().items() if key != "dice"})
        order = first.game.parse(str(bare.legal.random(rng)))
        if bare.play(order).to_move == CHANCE:
            return found
        for match in matches:
            give(match, order)
        found.orders.append(str(order))
        found.steps += 1
    return found


def reassigned(position: Position, side: str, rng: random.Random) -> Position:
    """A twin of Tijvin under fog in which, besides factors, the other side's sheet has its units in other boxes: with
    headquarters that reach them too and that have acted, or not acted, like their own."""
    twin: Any = imagined(position, side, rng)
    roster, turn = twin.roster, twin.turn
    for other in twin.game.sides:
        acting = twin.active_hq >= 0 and roster.hqs[twin.active_hq].side == other
        if other == side or acting or turn < 3:
            continue
        for u in roster.of[other]:
            if twin.hexes[u] < 0 or twin.uncommanded >> u & 1:
                continue
            near = [q for q in roster.hqs_of[other] if twin.hq_hex[q] >= 0
                    and twin.ground.grid.distance(twin.hexes[u], twin.hq_hex[q]) <= twin.tables.command.of(other)
                    and (twin.hq_activated >> q & 1) == (twin.hq_activated >> twin.hq[u] & 1)]  # fmt: skip
            twin.hq[u] = rng.choice([*near, twin.hq[u]])
    return twin


def redistributed(position: Position, side: str, rng: random.Random) -> Position:
    """A twin of Tijvin under fog in which the other side's stacks have the same factors, but other units of them: what
    combats announce is the same, and only which unit is worn out is not."""
    twin: Any = position.scripted([])
    for other in (s for s in twin.game.sides if s != side):
        for h in {twin.hexes[u] for u in twin.roster.of[other] if twin.hexes[u] >= 0}:
            stack = [u for u in twin.roster.of[other] if twin.hexes[u] == h and not twin.roster.artillery >> u & 1]
            for u, v in pairwise(stack):
                alike = all(twin.roster.units[u].efficiency == twin.roster.units[v].efficiency
                            and (mask >> u & 1) == (mask >> v & 1)
                            for mask in (twin.unsupplied, twin.uncommanded))  # fmt: skip
                moved = min(rng.randint(1, 3), twin.cf[u] - 1, twin.roster.units[v].cf - twin.cf[v])
                if alike and moved > 0:
                    twin.cf[u] -= moved
                    twin.cf[v] += moved
    twin.disturb()
    return twin
