"""Replacements and reinforcements (7.0, 19.0).

Dice and draws are chance steps queued when a reinforcement phase begins; what is drawn waits beside
the map and enters in the movement phase, except 42nd Army, which is placed on objectives at once.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...hexes import NOWHERE, HexMask
from ...kernel.chance import Chance, uniform, weighted
from ...kernel.orders import Order
from ...kernel.position import OBSERVER, Refusal, forbid
from .counters import GERMAN, SIDES, SOVIET
from .state import (
    DEAD,
    GONE,
    HAND,
    NOBODY,
    POOL,
    READY,
    SECRET,
    TO_COME,
    UNDRAWN,
    UNKNOWN,
    WAITING,
    Sent,
    State,
    Step,
)

# The German phase (7.4-7.6, 19.1) ---------------------------------------------------------------------


def begin_german(pos: State) -> None:
    """Queue the turn's dice and draws; count the replacements."""
    chart = pos.tables.german_arrivals
    due = {1: ("corps", "first-division"), 2: ("corps",), 3: ("third-division", "corps")}.get(pos.turn, ("later",))
    steps = [Step("die", words=(word,)) for word in due]
    if pos.turn == 1:
        leader = pos.roster.index[chart.leader]
        pos.where[leader] = WAITING if pos.where[leader] == TO_COME else pos.where[leader]
        steps.insert(0, Step("draw", number=chart.first_air_markers, words=("LW",)))
    elif pos.turn == 2:
        first, second = sorted({*chart.first_division})
        summon(pos, second if has_entered(pos, first) else first)
    if pos.flieger_due == pos.turn:
        summon(pos, chart.airborne)
    replacements = pos.tables.german_replacements
    pos.replacements = replacements.by_turn[min(pos.turn, len(replacements.by_turn)) - 1]
    if pos.states and pos.turn >= replacements.defensive_states_from:
        pos.replacements += replacements.defensive_states_extra
    pos.push(*steps)


def has_entered(pos: State, command: str) -> bool:
    """Whether a sub-command has been triggered (7.5)."""
    return bool(pos.entered >> pos.roster.commands.index(command) & 1)


def summon(pos: State, command: str) -> None:
    """A division is triggered: all of its units wait at the edge (19.1); a second time changes nothing."""
    if has_entered(pos, command):
        return
    pos.entered |= 1 << pos.roster.commands.index(command)
    for piece in (p for p in pos.roster.of_command[command] if pos.where[p] == TO_COME):
        pos.where[piece] = WAITING
    pos.tell("arrive", "19.1", "{} arrives", pos.roster.titles[command], side=GERMAN)


def tie_title(pos: State) -> str:
    """The division whose die is cast: the first one's, then the second one's."""
    return f"the die for {pos.roster.titles[divisions_left(pos)[1 if pos.step.number else 0]]}"


def tie_rolled(pos: State, step: Step, face: int) -> None:
    """The higher of two dice brings its division (19.1); the second die is still to come, or both again after a tie."""
    if not step.number or step.number == face:
        pos.push(step._replace(number=0 if step.number else face))
    else:
        summon(pos, divisions_left(pos)[0 if step.number > face else 1])


def later_die(pos: State, _: Step, face: int) -> None:
    """Turn 4 and after (19.1)."""
    chart = pos.tables.german_arrivals
    result = chart.later[face - 1]
    if result == "airborne":
        if not has_entered(pos, chart.airborne) and not pos.flieger_due and pos.turn < pos.game.turns:
            pos.flieger_due = pos.turn + 1
            pos.tell("arrive", "19.1", "{} will arrive next turn", pos.roster.titles[chart.airborne], side=GERMAN)
        pos.push(Step("draw", number=1, words=("LW",)))
        return
    pos.push(Step("draw", number=chart.later_corps[result], words=("56",)))
    if result == "division":
        left = divisions_left(pos)
        if len(left) == 1:
            summon(pos, left[0])
        elif left:
            pos.push(Step("die", words=("tie",)))


def divisions_left(pos: State) -> list[str]:
    """The divisions of turn 3's die that have not come yet, at most two by then (19.1)."""
    names = dict.fromkeys(pos.tables.german_arrivals.third_division)
    return [name for name in names if not has_entered(pos, name)][:2]


# Draws (3.5, 7.3, 7.5, 19.1-19.3) -----------------------------------------------------------------------


def draw_pool(pos: State, what: str) -> list[int]:
    """The counters a draw is made from, all equally likely (42nd Army apart)."""
    roster = pos.roster
    if what in ("42", "LFR"):
        return [p for p in roster.of_command[what] if pos.where[p] in (UNDRAWN, POOL)]
    place = DEAD if what.startswith("dead-") else TO_COME
    pool = roster.of_command[what.removeprefix("dead-")]
    return [p for p in pool if pos.where[p] == place and not roster.units[p].leader]


def in_army_pool(pos: State) -> int:
    """How many units are in the 42nd Army pool: the undrawn ones that are not behind backs on the
    map, and those that came back."""
    return sum(map(len, _army(pos))) - unknown_backs(pos) - pos.behind.count(SECRET)


def unknown_backs(pos: State) -> int:
    """Backs with nobody known behind them."""
    return sum(1 for p in pos.roster.backs if pos.where[p] != GONE and pos.hidden(p) == NOBODY)


def _army(pos: State) -> tuple[list[int], list[int]]:
    """The 42nd Army units not drawn yet, and those that came back; in the German's view, those that he has not
    seen and those that he has."""
    army = pos.roster.of_command["42"]
    undrawn = [p for p in army if pos.where[p] == UNDRAWN]
    returned = [p for p in army if pos.where[p] == POOL]
    for p in army:
        if pos.where[p] == UNKNOWN:
            (returned if seen(pos, p) else undrawn).append(p)
    return undrawn, returned


def seen(pos: State, piece: int) -> bool:
    """Whether the German has seen a unit: it has been flipped, or began face up (3.3)."""
    return bool(pos.shown >> piece & 1) or pos.unit(piece).id in pos.game.set_up.fixed


def possible(pos: State, known: int, drawn: tuple[int, ...] = (), turned: int = 0) -> list[tuple[int, int]]:
    """What a back may hide, with weights: one that nobody knows any unit not drawn yet, another one, or a draw,
    what the pool holds. ``drawn`` have turned out to be elsewhere, ``turned`` of them behind backs that nobody knew."""
    undrawn, returned = ([p for p in units if p not in drawn] for units in _army(pos))
    if known == NOBODY:
        return [(p, 1) for p in undrawn]
    spare = len(undrawn) - unknown_backs(pos) + turned
    return [(p, spare) for p in undrawn] + [(p, len(undrawn) or 1) for p in returned]


def left_in_pool(pos: State, what: str) -> int:
    """How many counters a draw finds (19.1: when all are picked, no more are received)."""
    return in_army_pool(pos) if what == "42" else len(draw_pool(pos, what))


DRAWN = {
    "LW": ("an air strike marker", "19.1"),
    "56": ("a 56th Corps unit", "19.1"),
    "LFR": ("a Front Reserve unit", "19.3"),
}
REPLACED = "an eliminated unit to replace", "7.5"
"""What is drawn, and the case."""


def draw_chance(pos: State, step: Step) -> Chance:
    """A blind draw of one counter."""
    what, units = step.words[0], pos.roster.units
    if what == "42":
        weights = ((Order("draw", (units[p].id,)), weight) for p, weight in possible(pos, SECRET))
        return weighted("a draw from the 42nd Army pool", weights, "19.2", frozenset({SIDES[GERMAN], OBSERVER}))
    title, case = DRAWN.get(what, REPLACED)
    return uniform(f"a draw of {title}", (Order("draw", (units[p].id,)) for p in draw_pool(pos, what)), case)


def drawn(pos: State, step: Step, piece: int) -> None:
    """What happens to the counter drawn."""
    what = step.words[0]
    unit = pos.unit(piece)
    if step.number > 1:
        pos.push(step._replace(number=step.number - 1))
    if what == "42":
        back = pos.take_back(piece, HAND)
        pos.tell("draw", "7.3", "{} is drawn face down as {}", unit.id, pos.unit(back).id, side=SOVIET, secret=True)
        return
    pos.tell("draw", DRAWN.get(what, REPLACED)[1], "{} is drawn", unit.id, side=unit.side)
    if not unit.ground:
        pos.where[piece] = READY
        return
    pos.where[piece] = WAITING
    if unit.side == GERMAN:
        pos.entered |= 1 << pos.roster.command[piece]
    if what.startswith("dead-") and hosts(pos, unit.command):
        pos.push(Step("host", piece))


# German replacements (7.4-7.6) --------------------------------------------------------------------------


def hosts(pos: State, command: str) -> HexMask:
    """Hexes with units of a sub-command, on which a replacement may be placed (7.6)."""
    return pos.held[pos.roster.commands.index(command)]


def replaceable(pos: State) -> list[str]:
    """Sub-commands that may receive a replacement now (7.5)."""
    if not pos.replacements:
        return []
    names = (*pos.roster.divisions, "56")
    return [name for name in names if has_entered(pos, name) and draw_pool(pos, f"dead-{name}")]


def replacement(pos: State, order: Order) -> str:
    """The sub-command that receives a replacement (7.4, 7.5)."""
    name = order.words[0]
    forbid(name not in (*pos.roster.divisions, "56"), "7.5", "{} is not a sub-command that receives replacements", name)
    forbid(not pos.replacements, "7.4", "no replacements are left on turn {}", pos.turn)
    forbid(not has_entered(pos, name), "7.5", "{} has not entered play", pos.roster.titles[name])
    forbid(not draw_pool(pos, f"dead-{name}"), "7.5", "{} has lost no unit", pos.roster.titles[name])
    return name


def replace(pos: State, command: str) -> None:
    """Draw the replacement."""
    pos.replacements -= 1
    pos.push(Step("draw", number=1, words=(f"dead-{command}",)))


def host_orders(pos: State, piece: int) -> list[Order]:
    """Where a drawn replacement may be placed (7.6)."""
    return pos.ground.orders.each("place", pos.unit(piece).id, hosts(pos, pos.unit(piece).command))


def host_first(pos: State, _: Order) -> Refusal:
    """Nothing else is done before the replacement lies on the map."""
    return Refusal("7.6", f"the replacement {pos.unit(pos.step.piece).id} must be placed first")


def host(pos: State, order: Order) -> Sent | Refusal:
    """The replacement to a hex with units of its sub-command (7.6)."""
    piece, grid = pos.step.piece, pos.map.grid
    unit = pos.unit(piece)
    if order.units != (unit.id,):
        return host_first(pos, order)
    h = grid.hex(order.hexes[0]) if len(order.hexes) == 1 and order.hexes[0] in grid else NOWHERE
    forbid(h == NOWHERE or not hosts(pos, unit.command) >> h & 1, "7.6", "{} is placed on a unit of {}", unit.id,
           pos.roster.titles[unit.command])  # fmt: skip
    return Sent(piece, h)


def place_replacement(pos: State, sent: Sent) -> None:
    """Place the replacement, over-stacked or not."""
    pos.pop()
    pos.put(*sent)
    pos.tell("place", "7.6", "{} returns in {}", pos.unit(sent.piece).id, pos.number(sent.hex), side=GERMAN)


# The Soviet phase (7.3, 19.2, 19.3) ---------------------------------------------------------------------


def begin_soviet(pos: State) -> None:
    """Queue the draws of both sub-commands: one unit of the army for every six Soviet-controlled objectives that are
    not rubbled (19.2); the fleet may be back (15.3)."""
    pos.arrivals = 0
    draws = (pos.objectives(SOVIET) & ~pos.rubble).bit_count() // pos.tables.soviet_arrivals.objectives_a_unit
    pos.push(Step("draw", number=draws, words=("42",)), Step("die", words=("lfr",)))


def fleet_returns(pos: State) -> None:
    """The fleet's guns come back on the turn their die said (15.3)."""
    if pos.fleet_back and pos.turn >= pos.fleet_back:
        pos.fleet_back = 0
        guns = (p for p in pos.roster.of_command["42"] if pos.unit(p).type == "naval-bombardment")
        for piece in (p for p in guns if pos.where[p] == GONE):
            pos.where[piece] = READY
            pos.tell("fleet", "15.3", "{} is ready to fire again", pos.unit(piece).id, side=SOVIET)


def army_hexes(pos: State) -> HexMask:
    """Where 42nd Army units may arrive (19.2): friendly objectives, not rubbled, not next to Germans,
    one arrival a hex."""
    near = pos.map.grid.ring(pos.occupied[GERMAN])
    return pos.objectives(SOVIET) & ~pos.rubble & ~near & ~pos.occupied[GERMAN] & ~pos.placed


def army_hand(pos: State) -> list[int]:
    """Backs drawn and not yet placed."""
    return [p for p in pos.roster.backs if pos.where[p] == HAND]


def soviet_busy(pos: State) -> bool:
    """Whether there is anything to place."""
    return bool(army_hand(pos)) and bool(army_hexes(pos))


def placements(pos: State) -> Iterator[Order]:
    """Every arrival, to every hex where it may be placed."""
    for piece in army_hand(pos):
        yield from pos.ground.orders.each("place", pos.unit(piece).id, army_hexes(pos))


def why_not_all_placed(pos: State) -> Refusal | None:
    """Only what cannot enter goes back to the pool (7.3)."""
    if not soviet_busy(pos):
        return None
    return Refusal("7.3", f"{pos.unit(army_hand(pos)[0]).id} can still be placed on an objective (19.2)")


def placement(pos: State, order: Order) -> Sent | Refusal:
    """An arrival to an objective hex (19.2)."""
    piece = pos.piece(order.units[0]) if len(order.units) == 1 else None
    if piece is None or not pos.unit(piece).back or pos.where[piece] != HAND:
        return Refusal("19.2", f"{'+'.join(order.units)} is not an arrival waiting to be placed")
    forbid(len(order.hexes) != 1 or order.hexes[0] not in pos.map.grid, "19.2",
           "an arrival is placed in one hex of the map")  # fmt: skip
    h = pos.map.grid.hex(order.hexes[0])
    forbid(not pos.ground.objective >> h & 1, "19.2", "42nd Army arrives on objective hexes")
    forbid(pos.control >> h & 1, "19.2", "the Germans control that objective")
    forbid(pos.rubble >> h & 1, "19.2", "that objective is rubbled")
    forbid(pos.placed >> h & 1, "19.2", "one unit an objective hex a turn")
    forbid(not army_hexes(pos) >> h & 1, "19.2", "that objective is next to a German unit")
    return Sent(piece, h)


def place(pos: State, sent: Sent) -> None:
    """Place an arrival face down."""
    pos.put(*sent)
    pos.placed |= 1 << sent.hex
    pos.arrivals |= 1 << sent.piece
    name, where = pos.unit(sent.piece).id, pos.number(sent.hex)
    pos.tell("place", "19.2", "A face-down unit, {}, arrives in {}", name, where, side=SOVIET)


def end_soviet(pos: State, _: Order) -> None:
    """What was not placed goes back to the pool (7.3)."""
    for piece in army_hand(pos):
        return_to_pool(pos, piece)
    pos.push(Step("next-phase"))


def return_to_pool(pos: State, back: int, case: str = "7.3") -> None:
    """A face-down unit goes back to the pool unseen: it could not enter (7.3), or has been eliminated (7.7)."""
    unit = pos.hidden(back)
    pos.lift(back, GONE)
    pos.behind[back - pos.roster.backs.start] = NOBODY
    if unit >= 0:
        pos.where[unit] = POOL
    pos.tell("pool", case, "{} goes back to the 42nd Army pool", pos.unit(back).id, side=SOVIET)


# Who may come (3.4, 18.1) ------------------------------------------------------------------------------


def drop_eligible(pos: State, piece: int) -> bool:
    """Airborne units may drop on the turn they arrive as reinforcements (18.1)."""
    unit = pos.unit(piece)
    return (
        pos.options.airborne_assault
        and "airborne" in unit.traits
        and pos.where[piece] == WAITING
        and pos.flieger_due == pos.turn
        and not pos.dropped >> piece & 1
    )
