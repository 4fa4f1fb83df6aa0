"""Chapter 15: Soviet forts."""

from __future__ import annotations

import random as _random
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...hexes import HexMask, members
from ...kernel.orders import END, Order
from ...kernel.position import Refusal
from . import sequence
from .edition import GERMAN, SOVIET
from .orders import named_hex, wrong_phase

if TYPE_CHECKING:
    from .position import LeningradPosition


def at_hand(pos: LeningradPosition) -> int:
    """Forts that may still be placed this turn: arrived, not used, two a turn at most (15.4)."""
    scenario = pos.game.edition.scenario
    arrived = sum(n for turn, n in scenario.forts.items() if int(turn) <= pos.turn)
    return min(arrived - pos.forts_used, scenario.forts_per_turn - pos.forts_placed)


def fed(pos: LeningradPosition) -> HexMask:
    """Hexes to which a line of supply runs: from the city, or from any source where the edition says so (15.0)."""
    ground = pos.ground
    cities = pos.game.edition.scenario.fort_sites.fed_from
    sources = ground.hexes(cities) if cities else ground.sources[SOVIET]
    blocked = pos.blocked(SOVIET)
    return ground.fed(SOVIET, False, sources, blocked, pos.forts, pos.interdicted) & ~blocked


def sites(pos: LeningradPosition) -> HexMask:
    """Hexes where a fort may be placed now (15.0, 15.5, 15.6)."""
    return pos.ground.fort_sites & ~pos.forts & ~pos.crowd[GERMAN][0] & ~zoned(pos) & fed(pos)


def zoned(pos: LeningradPosition) -> HexMask:
    """Hexes closed by German zones of control, where the edition says that these close any (15.6)."""
    if not pos.game.edition.scenario.fort_sites.zone_free:
        return 0
    return pos.zone(GERMAN) & ~pos.crowd[SOVIET][0]


def orders(pos: LeningradPosition) -> Iterable[Order]:
    """``fort HEX`` and ``end``."""
    if at_hand(pos) > 0:
        yield from (Order("fort", (), (pos.ground.names[h],)) for h in members(sites(pos)))
    yield END


def orders_of(pos: LeningradPosition, unit: str) -> Iterable[Order]:
    """No unit is concerned."""
    return ()


def random(pos: LeningradPosition, rng: _random.Random) -> Order:
    """Some legal order."""
    return rng.choice(list(orders(pos)))


def refusal(pos: LeningradPosition, order: Order) -> Refusal | None:
    """Why a fort may not be placed so."""
    if order.verb == "end":
        return None
    if order.verb != "fort":
        return wrong_phase(pos, order)
    h = named_hex(pos, order)
    if isinstance(h, Refusal):
        return h
    name = pos.ground.names[h]
    if at_hand(pos) <= 0:
        return Refusal("15.4", "no fort is at hand: two a turn, from those that have arrived")
    if not pos.ground.land >> h & 1:
        return Refusal("15.0", f"{name} is all water")
    if not pos.ground.fort_sites >> h & 1:
        figures = pos.game.edition.scenario.fort_sites
        return Refusal("15.0", f"{name} is more than {figures.within} hexes from {figures.of.capitalize()}")
    if pos.forts >> h & 1:
        return Refusal("15.5", f"{name} has a fort already")
    if pos.crowd[GERMAN][0] >> h & 1:
        return Refusal("15.0", f"a German unit is in {name}")
    if zoned(pos) >> h & 1:
        return Refusal("15.6", f"{name} is in a German zone of control and no Soviet unit is there")
    if not sites(pos) >> h & 1:
        return Refusal("15.0", f"no line of supply reaches {name}")
    return None


def apply(pos: LeningradPosition, order: Order) -> None:
    """Place a fort, or end the phase."""
    if order.verb == "fort":
        h = pos.ground.grid.hex(order.hexes[0])
        pos.forts |= 1 << h
        pos.changed()
        pos.forts_used += 1
        pos.forts_placed += 1
        pos.tell("fort placed", "15.0", "A fort is built in {0}", order.hexes[0])
        if at_hand(pos) > 0 and sites(pos):
            return
    sequence.next_phase(pos)
