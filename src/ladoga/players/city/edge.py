"""Where the Soviets set up: a line that gives nothing away."""

from __future__ import annotations

from ...games.leningrad41.counters import GERMAN
from ...hexes import Hex, HexMask, members
from ..doctrines.leningrad41_staff.lie import Lie
from ..doctrines.leningrad41_staff.line import _cut, _ways, unit_price

FORT = 4
"""How much less a unit in the line costs where it is dug in."""
KEEP = 1000
"""What an objective is worth that is not given up without a fight."""


def edge(lie: Lie) -> HexMask:
    """The line to set up in: before every objective, as near to where the Germans come in as may be (3.6)."""
    p, ground = lie.p, lie.ground
    ways = {h: [n for n, river in near if not river or p.bridged(h, n, GERMAN)] for h, near in _ways(ground).items()}
    closed = p.game.closed_rows(p.map)
    price: dict[Hex, int] = {}
    for h in ways:
        if ground.entry[GERMAN] >> h & 1:
            continue
        price[h] = KEEP if closed >> h & 1 else unit_price(lie, h) - FORT * (ground.fortified >> h & 1)
    return _cut(ways, ground.entry[GERMAN], price, dict.fromkeys(members(ground.objective), KEEP))
