"""The counters (2.0): sub-commands, units, and the backs that hidden units show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from ...kernel.data import Source, Sourced, Strict

GERMAN, SOVIET = 0, 1
SIDES = ("german", "soviet")

UNLIMITED = 999
"""Range U (2.12)."""

BACKS = 60
"""More than can ever lie face down at once."""

TRAITS = frozenset({
    "assault", "anti-armor", "indirect", "armored", "motorized", "ss", "airborne", "marine", "komsomol", "nkvd",
    "anti-aircraft", "rail-only", "rudel",
})  # fmt: skip

GROUND_TYPES = {
    "motorized-infantry": "motorized",
    "panzergrenadier": "mechanized",
    "infantry": "infantry",
    "airborne-infantry": "airborne",
    "rifle": "infantry",
    "militia": "worker",
    "militia-guards": "infantry",
    "workers": "worker",
    "nkvd": "security",
    "komsomol": "infantry",
    "marine": "marine",
    "machine-gun": "infantry",
    "motorcycle": "motorized",
    "reconnaissance": "cavalry",
    "armored-car": "cavalry",
    "panzer": "armor",
    "tank": "armor",
    "assault-gun": "armor",
    "anti-tank": "antitank",
    "aa": "antitank",
    "engineer": "engineer",
    "bridge-engineer": "engineer",
    "artillery": "artillery",
    "rocket": "rocket",
    "railroad-artillery": "rail-gun",
    "gunboat": "naval",
    "leader": "leader",
}
"""Unit types (2.10) that stand on the map, and the symbol each shows."""

OTHER_TYPES = {"air-strike": "air", "naval-bombardment": "naval"}

SYMBOLS = {**GROUND_TYPES, **OTHER_TYPES, "unknown": "unknown"}
"""The symbol of every type; a back shows none."""


IMPLIED = {
    "panzer": "armored",
    "tank": "armored",
    "assault-gun": "armored",
    "armored-car": "armored",
    "gunboat": "armored",
    "motorized-infantry": "motorized",
    "panzergrenadier": "motorized",
    "motorcycle": "motorized",
    "airborne-infantry": "airborne",
    "marine": "marine",
    "komsomol": "komsomol",
    "nkvd": "nkvd",
    "aa": "anti-aircraft",
    "railroad-artillery": "rail-only",
    "SSP": "ss",
    "SST": "ss",
}
"""What a made-up unit is by its type or its sub-command, said or not (2.6, 2.10, 2.11)."""


class UnitEntry(Strict, rename={"from_": "from"}):
    """A counter in the units file."""

    type: str
    size: str = ""
    fire: int = 0
    range: int | Literal["U"] = 0
    radius: int = 0
    traits: str = ""
    from_: Source | Literal[""] = ""
    printed: str = ""
    note: str = ""


class GroupEntry(Sourced):
    """A sub-command in the units file."""

    title: str
    side: Literal["german", "soviet"]
    colours: str
    units: dict[str, UnitEntry]


class UnitsFile(Strict):
    """The units file."""

    groups: dict[str, GroupEntry]


@dataclass(frozen=True, slots=True)
class Unit:
    """A counter: what is printed on it, ready for use. Backs of hidden units are counters too."""

    id: str
    side: int
    command: str
    type: str
    size: str = ""
    fire: int = 0
    range: int = 0
    radius: int = 0
    traits: frozenset[str] = frozenset()
    ground: bool = True
    leader: bool = False
    back: bool = False
    assault: bool = False
    anti_armor: bool = False
    indirect: bool = False
    armored: bool = False
    motorized: bool = False
    made_up: bool = False
    note: str = ""

    @property
    def figures(self) -> str:
        """The figures as printed: ``(7)-1``, ``9A-2``, ``8+-21`` (2.12)."""
        if self.back:
            return ""
        if self.leader:
            return f"R{self.radius}"
        fire = f"({self.fire})" if self.assault else str(self.fire)
        fire += "A" * self.anti_armor + "+" * self.indirect
        return f"{fire}-{'U' if self.range >= UNLIMITED else self.range}"

    @property
    def fires_defensively(self) -> bool:
        """Whether the unit is defensive-fire-capable (9.3); a back may turn out to be."""
        return self.back or (self.ground and self.fire > 0 and not self.indirect)

    @property
    def engineer(self) -> bool:
        """Engineers that assault (10.20): all but bridging engineers."""
        return self.type == "engineer"

    @property
    def bridges(self) -> bool:
        """Whether the unit builds pontoons (8.10): any German engineer, Soviet bridge engineers."""
        return self.type == "bridge-engineer" or (self.type == "engineer" and self.side == GERMAN)


def unit(identity: str, side: str, command: str, entry: UnitEntry, *, made_up: bool = False) -> Unit:
    """The unit a counter entry describes."""
    traits = frozenset(entry.traits.split())
    return Unit(
        id=identity,
        side=SIDES.index(side),
        command=command,
        type=entry.type,
        size=entry.size,
        fire=entry.fire,
        range=UNLIMITED if entry.range == "U" else entry.range,
        radius=entry.radius,
        traits=traits,
        ground=entry.type in GROUND_TYPES,
        leader=entry.type == "leader",
        assault="assault" in traits,
        anti_armor="anti-armor" in traits,
        indirect="indirect" in traits,
        armored="armored" in traits,
        motorized=bool(traits & {"motorized", "armored"}) and entry.type != "gunboat",
        made_up=made_up,
        note=entry.note,
    )


class Roster:
    """All counters of a game by index: units first, then backs of 42nd Army."""

    def __init__(self, units: Iterable[Unit], commands: Mapping[str, GroupEntry]) -> None:
        real = tuple(units)
        self.commands: tuple[str, ...] = tuple(commands)
        self.titles = {name: group.title for name, group in commands.items()}
        self.groups = commands
        self.count = len(real)
        backs = (Unit(f"back-{n}", SOVIET, "42", "unknown", back=True) for n in range(1, BACKS + 1))
        self.units: tuple[Unit, ...] = (*real, *backs)
        self.index = {u.id: p for p, u in enumerate(self.units)}
        self.command: tuple[int, ...] = tuple(self.commands.index(u.command) for u in self.units)
        self.side: tuple[int, ...] = tuple(u.side for u in self.units)
        self.of_command: dict[str, tuple[int, ...]] = {
            name: tuple(p for p, u in enumerate(real) if u.command == name) for name in self.commands
        }
        self.divisions = tuple(
            name for name, group in commands.items() if group.side == "german" and name not in ("56", "LW")
        )
        self.command_side = tuple(SIDES.index(group.side) for group in commands.values())
        self.strangers: tuple[tuple[int, ...], ...] = tuple(self._strangers(name) for name in self.commands)
        """For each sub-command those that may not share a hex with it (6.2, 6.3)."""
        self.backs = range(self.count, self.count + BACKS)
        self.markers = tuple(p for p, u in enumerate(real) if not u.ground)
        """Air markers and the fleet's guns, which never stand on the map."""
        odd = {u.id for u in self.units if u.bridges or u.traits & {"marine", "komsomol", "rail-only"} or not u.ground}
        self.plain = tuple(u.id not in odd and u.type not in ("gunboat", "railroad-artillery") for u in self.units)
        """Units that move like any other, with nothing special they could do instead."""
        gunners = [p for p, u in enumerate(self.units) if u.fires_defensively]
        self.gunners = [[p for p in gunners if self.side[p] == side] for side in (GERMAN, SOVIET)]
        """For each side the counters that may fire at moving enemies (9.3)."""
        self.leaders = tuple(p for p, u in enumerate(real) if u.leader)
        self.all_leaders = sum(1 << p for p in self.leaders)
        troops = [(1 << p, u.command) for p, u in enumerate(self.units) if not u.leader]
        self.all_of = tuple(sum(bit for bit, command in troops if command == name) for name in self.commands)
        """For each sub-command its units and backs, leaders apart."""

    def _strangers(self, name: str) -> tuple[int, ...]:
        others = self.divisions if name in self.divisions else {"42": ("LFR",), "LFR": ("42",)}.get(name, ())
        return tuple(self.commands.index(other) for other in others if other != name)

    def with_units(self, extra: Iterable[Unit]) -> Roster:
        """The same roster with made-up units for one position."""
        return Roster((*self.units[: self.count], *extra), self.groups)
