"""What an item of the agenda is about: an activation (11), a combat in progress (13), points to spend (8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from ...hexes import NOWHERE, Hex, HexMask
from .book import UnitMask

if TYPE_CHECKING:
    from .position import TijvinPosition

Winner = Literal["", "attacker", "defender", "draw"]


class Activation(NamedTuple):
    """The units that are activated, and the headquarters that activates them if one does (11)."""

    units: UnitMask
    hq: int = -1


NOBODY_ACTIVE = Activation(0)


class Purse(NamedTuple):
    """Replacement points of a side (8)."""

    left: int
    rolled: int


class Battle(msgspec.Struct, frozen=True, gc=False):
    """One combat as far as it has come; the attacker's figure comes first in every pair."""

    target: Hex
    attackers: UnitMask = 0
    guns: UnitMask = 0
    """Attacking artillery that fires."""
    air: int = 0
    """Air units of either side that take part, by number."""
    defenders: UnitMask = 0
    """Units that defend with their factors or as artillery; shaken ones only watch."""
    defending_guns: UnitMask = 0
    exploitation: bool = False
    pursuit: bool = False
    """The defender of an exploitation who retreats again without a fight (11)."""
    routed: bool = False
    """A stack out of command went back without a fight (11)."""
    reduced: bool = False
    """A stack out of command defends with a factor less for each unit (11)."""
    ratings: tuple[int, int] = (0, 0)
    dice: tuple[int, int] = (0, 0)
    winner: Winner = ""
    degree: int = 1
    """1 if the winner has less than double the loser's result, 2 from double, 3 from triple."""
    due: tuple[int, int] = (0, 0)
    """Losses still to be taken."""
    picked: int = 0
    """Losses of the side now losing that have been picked."""
    hit: UnitMask = 0
    """Units that have taken a loss in this round of the hidden order of losses (17.1)."""
    suffered: int = 0
    """What the defender lost in the battle proper."""
    stood: bool = False
    """The all-out defence has been decided on."""
    held: bool = False
    """The all-out defence succeeded."""
    retreating: UnitMask = 0
    penalty: int = 0
    """Factors the group that has just retreated still has to lose."""
    group: UnitMask = 0
    """The group that has just retreated."""
    refuge: Hex = NOWHERE
    """Where it stands."""
    retreated: UnitMask = 0
    """All that have retreated from this combat."""
    trails: tuple[tuple[Hex, Hex], ...] = ()
    """The ways of groups that went back two hexes."""
    wiped_out: bool = False
    """No defender came out alive."""
    advanced: UnitMask = 0
    exploiters: UnitMask = 0
    """Units that may exploit the combat just fought."""
    prey: HexMask = 0
    """Hexes in which its beaten defenders may be exploited."""

    def but(self, **changes: Any) -> Battle:
        """The combat after something has happened in it."""
        return msgspec.structs.replace(self, **changes)


def in_hand(p: TijvinPosition) -> Battle:
    """The combat in hand, where there is one."""
    battle = p.agenda[0].matter
    assert isinstance(battle, Battle)
    return battle
