"""Set-up (3.0): fixed units of 42nd Army face up, then 36 units drawn blind and laid face down.

Nobody knows what the 36 are, so each is drawn when it is flipped; a draw put off is the same draw.
"""

from __future__ import annotations

from ...hexes import HexMask
from ...kernel.errors import Illegal
from ...kernel.orders import Order
from ...kernel.position import Refusal, first_case, forbid, refuse
from .counters import GERMAN, SOVIET
from .state import HAND, NOBODY, READY, TO_COME, UNDRAWN, WAITING, Sent, State, Step


def start(pos: State) -> None:
    """Everything in its place before the first order (3.1, 3.3-3.5, 3.8)."""
    game = pos.game
    set_up = game.set_up
    for piece, unit in enumerate(pos.roster.units[: pos.roster.count]):
        pos.where[piece] = TO_COME if unit.side != SOVIET else UNDRAWN
    for name in set_up.off_map:
        pos.where[pos.roster.index[name]] = READY
    for name in set_up.set_aside:
        pos.where[pos.roster.index[name]] = WAITING
    for name, fixed in set_up.fixed.items():
        piece = pos.roster.index[name]
        pos.put(piece, pos.map.grid.hex(fixed.hex) if fixed.where == "hex" else HAND)
    for _ in range(set_up.random_units.number):
        pos.take_back(NOBODY, HAND)
    if pos.options.defensive_states:
        pos.push(Step("die", words=("states",)))


def set_states(pos: State, step: Step, face: int) -> None:
    """On a high roll the city is barricaded (16.2)."""
    pos.states = face in pos.tables.defensive_states.on
    pos.disturbed()
    text = "The city is barricaded" if pos.states else "No change to the city's defences"
    pos.tell("states", "16.2", f"{text} (die {{}})", face)


def in_hand(pos: State) -> list[int]:
    """What is still to be placed: fixed units, then the next back (all backs are alike)."""
    fixed = [p for p in range(pos.roster.count) if pos.where[p] == HAND]
    back = next((p for p in pos.roster.backs if pos.where[p] == HAND), None)
    return fixed if back is None else [*fixed, back]


def allowed(pos: State, piece: int) -> HexMask:
    """Where a unit may set up (3.3, 3.6), stacking apart."""
    ground = pos.ground
    unit = pos.unit(piece)
    if unit.back:
        return ground.land & ~pos.game.closed_rows(pos.map)
    where = pos.game.set_up.fixed[unit.id].where
    if where == "water":
        return ground.sea | ground.river_hexes
    return ground.land if where == "land" else ground.rail_hexes & ground.land


def hexes_for(pos: State, piece: int) -> HexMask:
    """Where a unit may set up now."""
    return allowed(pos, piece) & ~pos.barred(piece)


def placements(pos: State) -> list[Order]:
    """Every unit still to be placed, to every hex where it may set up."""
    places = pos.ground.orders.each
    return [order for p in in_hand(pos) for order in places("place", pos.unit(p).id, hexes_for(pos, p))]


def why_not_ready(pos: State) -> Refusal | None:
    """Everything is placed before the set-up ends (3.2)."""
    left = pos.where.count(HAND)
    return Refusal("3.2", f"{left} units are still to be placed") if left else None


def placement(pos: State, order: Order) -> Sent:
    """One unit to a hex where it may set up (3.3, 3.6)."""
    piece, grid = pos.piece(order.units[0]) if len(order.units) == 1 else None, pos.map.grid
    if piece is None:
        raise Illegal("3.3", f"{'+'.join(order.units)} is not waiting to be placed")
    hand, unit = in_hand(pos), pos.unit(piece)
    refuse(_elsewhere(pos, piece) if pos.where[piece] != HAND else None)
    forbid(piece not in hand, "3.6", "the next face-down unit to place is {}", pos.unit(hand[-1]).id)
    forbid(len(order.hexes) != 1 or order.hexes[0] not in grid, "3.6", "a unit is placed in one hex of the map")
    h = grid.hex(order.hexes[0])
    far = not allowed(pos, piece) >> h & 1
    forbid(far and unit.back and pos.game.closed_rows(pos.map) >> h & 1, "3.6", "not in the last two hexrows")
    forbid(far and unit.back, "3.6", "only on land hexes")
    words = {"water": "in a sea or major river hex", "land": "on land", "rail": "on a railroad hex"}
    forbid(far, "3.3", "{} sets up {}", unit.id, far and words[pos.game.set_up.fixed[unit.id].where])
    forbid(pos.barred(piece) >> h & 1, "6.1", "no more units may stack in {}", order.hexes[0])
    return Sent(piece, h)


def _elsewhere(pos: State, piece: int) -> Refusal:
    """Why a counter has no place in the set-up, or has had it."""
    unit, set_up = pos.unit(piece), pos.game.set_up
    beside = unit.id in (*set_up.off_map, *set_up.set_aside)
    return first_case(
        (unit.side == GERMAN, "3.8", "{} does not begin on the map: all German units arrive later", unit.id),
        (unit.command == "LFR", "3.4" if beside else "3.7", "{} of the Front Reserve does not begin on the map",
         unit.id),
        (pos.where[piece] == UNDRAWN, "3.5",
         "{} is in the pool, from which units are drawn blind and laid as backs", unit.id),
    ) or Refusal("3.3", f"{unit.id} is not waiting to be placed")  # fmt: skip


def place(pos: State, sent: Sent) -> None:
    """Place a unit; the German looks away."""
    unit = pos.unit(sent.piece)
    pos.put(*sent)
    case, where = "3.6" if unit.back else "3.3", pos.number(sent.hex)
    pos.tell("place", case, "{} sets up in {}", unit.id, where, side=SOVIET, secret=True)


def end(pos: State, _: Order) -> None:
    """The set-up is complete (3.2)."""
    pos.tell("set-up", "3.2", "The Soviet set-up is complete")
    pos.push(Step("next-phase"))
