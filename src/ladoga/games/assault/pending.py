"""The matters in hand in the middle of a phase.

Each is a plain value with unit ids and hex numbers, so that a position document can hold it.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec


class Marching(NamedTuple):
    """The matter of a German movement phase: a unit whose move the summons interrupted, and what it spent (8.33)."""

    unit: int
    spent: int


class _Pending(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="for"):
    """Base of them all."""


class Availability(_Pending, frozen=True, tag="air-availability"):
    """The die for the number of air units (12.22, 12.23)."""


class Target(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The target of an air unit: a hex, or the fleet in it (12.33, 13.9)."""

    hex: str
    fleet: bool = False


class Bombing(_Pending, frozen=True, tag="bombing"):
    """Dice for the air units on their targets, first target first (12.33)."""

    targets: tuple[Target, ...]


class Victim(_Pending, frozen=True, tag="victim"):
    """A hit on a main-map city hex: the German names the one unit that is disrupted (12.44)."""

    hex: str
    targets: tuple[Target, ...] = ()
    brittle: bool = False
    """The roll disrupts tank corps only (19.42)."""


class Shelter(_Pending, frozen=True, tag="shelter"):
    """The fleet was hit at sea and may run for the harbour (13.11)."""

    targets: tuple[Target, ...] = ()


class Summons(_Pending, frozen=True, tag="summons"):
    """A German has appeared on the inset: the Soviet side leaves the main-map city hexes (8.33)."""


class Transfers(_Pending, frozen=True, tag="transfers"):
    """A German phase begins: the Soviet side may transfer units first, if that is played (8.32)."""


class Composition(_Pending, frozen=True, tag="plan"):
    """An attack being put together: hexes attacked and units attacking (10.1)."""

    side: str
    hexes: tuple[str, ...]
    units: tuple[str, ...] = ()


class Roll(_Pending, frozen=True, tag="roll"):
    """The die of an attack (10.21)."""

    hexes: tuple[str, ...]
    units: tuple[str, ...]


class Fight(_Pending, frozen=True, tag="fight"):
    """Penalties of an attack being taken, the attacker's first (10.24 to 10.29)."""

    side: str
    """Whose penalties are being taken."""
    hexes: tuple[str, ...]
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    due: int
    """Penalties that side still has to take."""
    then: int = 0
    """Penalties the defender takes after the attacker."""
    first: bool = True
    """Whether the next penalty is that side's first in this combat."""
    bled: bool = False
    """Whether that side has lost a step in this combat (18.31)."""
    may_stand: bool = False
    """The attacker retreated, so the defender may decline his first penalty (10.26)."""
    retreating: tuple[str, ...] = ()
    """Units that still have to retreat."""
    followers: tuple[str, ...] = ()
    """HQs that may go along with retreating attackers (11.33)."""


class Advance(_Pending, frozen=True, tag="advance"):
    """Hexes are empty after an attack: the attackers may advance (10.5)."""

    side: str
    hexes: tuple[str, ...]
    units: tuple[str, ...]


class Crowd(_Pending, frozen=True, tag="crowd"):
    """Units come back from the fringe of the inset and there are too many for a hex (8.37)."""

    side: str
    hex: str


class Draw(_Pending, frozen=True, tag="draw"):
    """Units to be drawn from the cup for an entry area (19.72)."""

    area: str
    left: int
    then: tuple[tuple[str, int], ...] = ()


Pending = (
    Availability
    | Bombing
    | Victim
    | Shelter
    | Summons
    | Transfers
    | Composition
    | Roll
    | Fight
    | Advance
    | Crowd
    | Draw
)
