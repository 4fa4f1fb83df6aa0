"""A combat in hand, from its announcement to the last advance."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Literal

import msgspec

from ...hexes import NOWHERE, Hex
from ...kernel.chance import Chance, uniform
from ...kernel.orders import Order
from .edition import GERMAN, SIDES
from .pieces import Slot

if TYPE_CHECKING:
    from .position import LeningradPosition

Stage = Literal["compose", "air", "reveal", "roll", "defend", "attack", "advance", "counter"]

PROMPTS = {
    "compose": "Compose the attack",
    "air": "Commit air units to the defence",
    "defend": "Defender: lose steps or retreat",
    "attack": "Attacker: lose steps or retreat",
    "advance": "Advance after combat",
    "counter": "Defender: advance after combat",
    "reveal": "Untried units are revealed",
    "roll": "The die is rolled",
}


CHOICES = {
    "compose": "the attack being composed",
    "air": "the air support of the defence",
    "defend": "the defender's loss or retreat",
    "attack": "the attacker's loss or retreat",
    "advance": "the advance after combat",
    "counter": "the defender's advance after combat",
}


class Fight(msgspec.Struct, frozen=True, gc=False):
    """An attack or overrun. Pieces and hexes are as they stood when it was announced."""

    overrun: bool
    side: int
    """The attacking side."""
    targets: tuple[Hex, ...]
    stage: Stage
    attackers: tuple[Slot, ...] = ()
    air: int = 0
    guard_air: int = 0
    defenders: tuple[Slot, ...] = ()
    bystanders: tuple[Slot, ...] = ()
    """Units that retreated into an attacked hex earlier in the phase (8.4)."""
    origins: tuple[Hex, ...] = ()
    """The attackers' hexes, attacker by attacker."""
    posts: tuple[Hex, ...] = ()
    """The defenders' hexes, defender by defender."""
    column: int = 0
    result: tuple[str, str] = ("-", "-")
    toll: int = 0
    """Steps, or hexes of retreat, still owed by the side that chooses now."""
    retreat: int = 0
    """Hexes every unit must retreat once retreat has been chosen."""
    retreated: tuple[Slot, ...] = ()
    """Attackers and defenders that have retreated."""
    passed: tuple[Hex, ...] = ()
    """Hexes that two-hex retreats went through."""
    advanced: tuple[Slot, ...] = ()

    @property
    def to_move(self) -> str:
        """Who decides, or chance."""
        stage = self.stage
        if stage in ("reveal", "roll"):
            return "chance"
        if stage == "air":
            return SIDES[GERMAN]
        if stage in ("defend", "counter"):
            return SIDES[1 - self.side]
        return SIDES[self.side]

    @property
    def prompt(self) -> str:
        """What is asked."""
        if self.retreat:
            return f"Retreat the units {'one hex' if self.retreat == 1 else 'two hexes'}, one at a time"
        return PROMPTS[self.stage]

    def hidden(self, pos: LeningradPosition) -> list[Slot]:
        """Participants not yet revealed (14.1)."""
        return [slot for slot in (*self.attackers, *self.defenders) if pos.untried(slot)]

    def drawn(self, pos: LeningradPosition, rng: random.Random) -> Order:
        """An outcome of the next draw or of the die, without the list of all."""
        if self.stage == "roll":
            return pos.game.edition.roll.sample(rng)
        names = pool(pos, self.hidden(pos)[0])
        return pos.game.draws[names[int(rng.random() * len(names))]]

    def chance(self, pos: LeningradPosition) -> Chance:
        """The next draw of an untried unit, or the die."""
        if self.stage == "roll":
            return pos.game.edition.roll
        slot = self.hidden(pos)[0]
        outcomes = map(pos.game.draws.__getitem__, pool(pos, slot))
        return uniform(f"the strength of {pos.name(slot)}", outcomes, pos.game.edition.case("14.1"))


def pool(pos: LeningradPosition, slot: Slot) -> list[str]:
    """The printed units an untried piece may still turn out to be (14.0, 14.2).

    A division raised from the eliminated ones is one of those; any other is one that has not been
    seen yet. Armor and mechanized units share the armored class.
    """
    piece, counters, faces = pos.pieces[slot], pos.game.counters, pos.faces
    if piece.recycled:
        dead = [s for s, face in enumerate(faces) if face >= 0 and pos.hexes[s] < NOWHERE and not pos.pieces[s].mobile]
        return [counters[faces[s]] for s in dead]
    shown = set(faces)
    return [counters[number] for number in pos.game.drawn[piece.mobile] if number not in shown]
