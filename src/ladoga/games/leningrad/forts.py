"""Chapter 15: Soviet forts."""

from __future__ import annotations

from ...hexes import Hex, HexMask
from ...kernel.orders import Order
from ...kernel.position import forbid
from .edition import GERMAN, SOVIET
from .ground import hindered_hexes
from .orders import named_hex
from .position import LeningradPosition


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
    """Those of them in a source of supply or next to one, found without tracing lines (15.0)."""
    ground, blocked = pos.ground, pos.blocked(SOVIET)
    sources = ground.fort_sources & ground.land & ~blocked & ~hindered_hexes(SOVIET, pos.forts, pos.interdicted)
    return unfed_sites(pos) & ground.close_to(sources) & ~blocked


def zoned(pos: LeningradPosition) -> HexMask:
    """Hexes closed by German zones of control, where the edition says that these close any (15.6)."""
    if not pos.game.edition.scenario.fort_sites.zone_free:
        return 0
    return pos.zone(GERMAN) & ~pos.crowd[SOVIET][0]


def fort_site(pos: LeningradPosition, order: Order) -> Hex:
    """Where a fort may be placed: near the city, in supply, and not in German zones without a Soviet unit (15.0)."""
    h = named_hex(pos, order)
    name, figures = pos.ground.names[h], pos.game.edition.scenario.fort_sites
    forbid(at_hand(pos) <= 0, "15.4", "no fort is at hand: two a turn, from those that have arrived")
    forbid(not pos.ground.land >> h & 1, "15.0", "{} is all water", name)
    forbid(not pos.ground.fort_sites >> h & 1, "15.0", "{} is more than {} hexes from {}", name, figures.within,
           figures.of.capitalize())  # fmt: skip
    forbid(pos.forts >> h & 1, "15.5", "{} has a fort already", name)
    forbid(pos.crowd[GERMAN][0] >> h & 1, "15.0", "a German unit is in {}", name)
    forbid(zoned(pos) >> h & 1, "15.6", "{} is in a German zone of control and no Soviet unit is there", name)
    forbid(not sites(pos) >> h & 1, "15.0", "no line of supply reaches {}", name)
    return h


def build(pos: LeningradPosition, h: Hex) -> None:
    """Place a fort (15.0, 15.4)."""
    pos.forts |= 1 << h
    pos.changed()
    pos.forts_used += 1
    pos.forts_placed += 1
    pos.tell("fort placed", "15.0", "A fort is built in {0}", pos.ground.names[h])
