"""Chapter 15: Soviet forts."""

from __future__ import annotations

import random as _random
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...hexes import HexMask
from ...kernel.orders import END, Order
from ...kernel.position import Refusal
from . import sequence
from .edition import GERMAN, SOVIET
from .ground import hindered_hexes
from .orders import named_hex, wrong_phase

if TYPE_CHECKING:
    from .position import LeningradPosition


NEARBY = 0.75
"""How often chance looks only at sites close to a source of supply."""


def at_hand(pos: LeningradPosition) -> int:
    """Forts that may still be placed this turn: arrived, not used, two a turn at most (15.4)."""
    edition = pos.game.edition
    arrived = edition.forts_arrived[pos.turn]
    return min(arrived - pos.forts_used, edition.scenario.forts_per_turn - pos.forts_placed)


def fed(pos: LeningradPosition) -> HexMask:
    """Hexes to which a line of supply runs: from the city, or from any source where the edition says so (15.0)."""
    ground, blocked = pos.ground, pos.blocked(SOVIET)
    return ground.fed(SOVIET, False, ground.fort_sources, blocked, pos.forts, pos.interdicted) & ~blocked


def unfed_sites(pos: LeningradPosition) -> HexMask:
    """Hexes where a fort might be placed now if a line of supply ran there (15.0, 15.5, 15.6)."""
    return pos.ground.fort_sites & ~pos.forts & ~pos.crowd[GERMAN][0] & ~zoned(pos)


def sites(pos: LeningradPosition) -> HexMask:
    """Hexes where a fort may be placed now (15.0, 15.5, 15.6)."""
    return unfed_sites(pos) & fed(pos)


def near_sites(pos: LeningradPosition) -> HexMask:
    """Those of them in a source of supply or next to one, found without tracing lines."""
    ground, blocked = pos.ground, pos.blocked(SOVIET)
    sources = ground.fort_sources & ground.land & ~blocked & ~hindered_hexes(SOVIET, pos.forts, pos.interdicted)
    return unfed_sites(pos) & ground.close_to(sources) & ~blocked


def any_site(pos: LeningradPosition) -> bool:
    """Whether a fort may be placed anywhere."""
    return bool(near_sites(pos) or sites(pos))


def zoned(pos: LeningradPosition) -> HexMask:
    """Hexes closed by German zones of control, where the edition says that these close any (15.6)."""
    if not pos.game.edition.scenario.fort_sites.zone_free:
        return 0
    return pos.zone(GERMAN) & ~pos.crowd[SOVIET][0]


def orders(pos: LeningradPosition) -> Iterable[Order]:
    """``fort HEX`` and ``end``."""
    return [*pos.ground.orders_at("fort", sites(pos) if at_hand(pos) > 0 else 0), END]


def orders_of(pos: LeningradPosition, unit: str) -> Iterable[Order]:
    """No unit is concerned."""
    return ()


def random(pos: LeningradPosition, rng: _random.Random) -> Order:
    """Some legal order."""
    near = near_sites(pos) if rng.random() < NEARBY else 0
    return pos.ground.draw_at("fort", (near or sites(pos)) if at_hand(pos) > 0 else 0, rng)


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
    if order.verb == "end":
        sequence.next_phase(pos)
        return
    pos.forts |= 1 << pos.ground.grid.hex(order.hexes[0])
    pos.changed()
    pos.forts_used += 1
    pos.forts_placed += 1
    pos.tell("fort placed", "15.0", "A fort is built in {0}", order.hexes[0])
