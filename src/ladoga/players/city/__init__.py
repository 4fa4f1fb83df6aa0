"""How the general plans Leningrad '41: storms of whole sub-commands, what they cost on the way, and who stays where."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ...kernel.orders import Order
from ...kernel.position import View

if TYPE_CHECKING:
    from ..staff import StaffPlayer

SIDES = {"leningrad41": ("german", "soviet")}
"""The games and sides that a commander plays; he must have beaten the race of tempers there."""
TEMPER: dict[str, dict[str, float]] = {"soviet": {}, "german": {"storms": 1.0}}
"""What he never leaves: German storms. Soviets who have time try a closed line of those who do not strike."""


def commanded(view: View) -> bool:
    """Whether a commander plays this side of a game."""
    return view.side in SIDES.get(view.game.id, ())


def command(staff: StaffPlayer, view: View, rng: random.Random) -> Order | None:
    """What the commander orders, if he has an opinion."""
    from .commander import COMMANDER

    staff.bias = COMMANDER.temper(staff, view, {**TEMPER[view.side], **staff.nature}, rng)
    return COMMANDER.order(staff, view, rng)
