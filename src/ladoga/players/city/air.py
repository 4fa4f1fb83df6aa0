"""German bombs, which fall before anybody marches (12.3): on those behind whom the most lies open."""

from __future__ import annotations

from collections.abc import Sequence

from ...games.leningrad41 import movement
from ...games.leningrad41.counters import GERMAN
from ...games.leningrad41.state import GONE
from ...hexes import Hex, members
from ..doctrines.leningrad41_staff.volleys import LEAST, SORTIE, Odds, Volley
from .scheme import breaches
from .sight import Sight

OPENED = 0.5
"""What an objective is worth into which a way is open, of its worth."""
NEAR = 7
"""Hexes from our units, or from where they come in, within which a gap can be used at once."""


def strike(sight: Sight, markers: Sequence[int]) -> Volley | None:
    """The air strike that brings most for its bombs."""
    p, specs = sight.p, sight.units
    most = p.tables.command.german_air
    ranked = sorted(markers, key=lambda q: (-specs[q].fire, q))
    ace = next((q for q in ranked if "rudel" in specs[q].traits), None)
    parties = {tuple(some) for size in range(1, most + 1) for some in (ranked[:size], ranked[-size:])}
    if ace is not None:
        others = [q for q in ranked if q != ace]
        parties |= {(ace, *others[: size - 1]) for size in range(1, most + 1)}
    better = p.tables.modifiers.rudel.drm
    edge = p.ground.entry[GERMAN] if movement.waiting(p) else 0
    near, open_now = sight.grid.within(sight.ours | edge, NEAR), breaches(p)
    best: Volley | None = None
    rate = 0.0
    for target in members(sight.troops & ~p.attacked):
        odds = Odds(sight, target)
        gap = _opened(sight, target, open_now.bit_count()) if near >> target & 1 else 0.0
        for party in sorted(parties):
            value, cleared = odds.value(party, (), better if ace in party else 0)
            value += cleared * gap
            gain = value / (SORTIE + sum(specs[q].fire for q in party))
            if value > LEAST and gain > rate:
                best, rate = Volley(value, cleared, party, target), gain
    return best


def _opened(sight: Sight, target: Hex, before: int) -> float:
    """What lies open behind a hex once nobody stands there."""
    p = sight.p._copy()
    for piece in p.stacks[target]:
        p.lift(piece, GONE)
    more = breaches(p).bit_count() - before - (sight.ground.objective >> target & 1)
    return OPENED * sight.objective * max(0, more)
