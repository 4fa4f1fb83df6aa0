"""The state of an Assault as nouns: the forces, the board with its markers, the sheet of a phase.

Every field is declared once; copying follows from that (``kernel/state.py``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from ...hexes import NOWHERE, Hex, HexMask, mask_of
from ...kernel.events import Loss
from ...kernel.position import Event
from ...kernel.sequence import SequencedPosition
from ...kernel.state import Own, Part
from .figures import GERMAN, SOVIET, AssaultOptions, Unit
from .lays import Lay
from .pending import Marching, Pending, Target

if TYPE_CHECKING:
    from .derived import Lore
    from .game import AssaultGame
    from .ground import Ground
    from .listing import Listing

UnitMask: TypeAlias = int
"""A set of units: bit ``n`` is set when the unit with index ``n`` is a member."""

STATES = ("out", "disrupted", "moved", "retreated", "attacked", "transferred", "withdrawn", "returning", "cup")
"""What can be true of a unit: the names of the sets that are kept for them."""


class Forces(Part):
    """Who takes part; the same in every position of a game."""

    ground: Ground
    roster: tuple[Unit, ...]
    index: dict[str, int]
    order_of_battle: tuple[tuple[int, ...], tuple[int, ...]]
    """Indices of each side's units, the fleet among the Soviet ones."""
    teams: tuple[UnitMask, UnitMask]
    """The same as sets."""
    due: tuple[UnitMask, ...]
    """By turn the reinforcements that may have come by then (16.12)."""
    siblings: dict[str, tuple[int, ...]]
    """The regiments of each division."""
    headquarters: tuple[int, ...]
    fleet_index: int | None


class PhaseSheet(Part):
    """What has been done in the phase; each phase clears what its case names."""

    air: int = 0
    """Air units not yet used in the bombardment phase (12.31)."""
    bombs: tuple[Target, ...] = ()
    support_left: int = 0
    """Air units kept for ground support and not yet placed (12.51)."""
    support: HexMask = 0
    fought: HexMask = 0
    """Hexes attacked in this combat phase (10.15)."""
    sorties: tuple[str, ...] = ()
    """City hexes and kinds of unit that have attacked out of them (8.45)."""
    fire_on: Hex = NOWHERE
    """Where the fleet's firepower marker lies (13.3)."""


class Board(Forces):
    """What lies on the maps, with its markers, and who was last in places of value."""

    where: Own[list[Hex]]
    steps: tuple[int, ...]
    stacks: Own[dict[Hex, tuple[int, ...]]] = {}
    """Ground units by hex."""
    lays: Own[list[Lay]]
    """How each side's ground units lie: follows from where they are and the steps they have."""
    placed: UnitMask = 0
    """Ground units on the maps."""
    out: UnitMask = 0
    """Out of supply since the last check (11.17)."""
    disrupted: UnitMask = 0
    """Disrupted (12.41)."""
    moved: UnitMask = 0
    """Have moved in this phase (6.19)."""
    retreated: UnitMask = 0
    """Have retreated in this combat phase (10.29, 6.22)."""
    attacked: UnitMask = 0
    """Have attacked in this combat phase (10.16)."""
    transferred: UnitMask = 0
    """Have been transferred to the inset in this phase, since they moved if they have (8.32)."""
    withdrawn: UnitMask = 0
    """Withdrawn from the game (16.22)."""
    returning: UnitMask = 0
    """Eliminated HQs on their way back (11.36)."""
    cup: UnitMask = 0
    """In the cup (19.72)."""
    german_held: HexMask = 0
    """Places of value that a German unit was the last to pass (17.22)."""
    captured: HexMask = 0
    forfeited: HexMask = 0
    extra_markers: HexMask = 0
    drawn: dict[str, str] = {}
    """Units drawn from the cup that have not come in yet, with their entry area (19.72)."""
    lore: Own[list[Lore | None]] = [None, None]
    """For each side what was worked out in this phase, shared by its positions (``derived.py``)."""
    listing: Listing | None = None
    """What was listed last along the line of play (``listing.py``)."""


class State(Board, PhaseSheet, SequencedPosition):
    """The facts of a position, and what can happen to units."""

    game: AssaultGame
    if TYPE_CHECKING:  # a field of every position
        options: AssaultOptions

    # Reading --------------------------------------------------------------------------------------

    @property
    def side(self) -> int:
        """The phasing side."""
        return self.agenda[-1][1] if self.agenda else SOVIET

    @property
    def pending(self) -> Pending | None:
        """The matter in hand in the middle of a phase."""
        return self.agenda[0].matter if len(self.agenda) > 1 else None

    @property
    def marching(self) -> Marching | None:
        """A German unit whose move was interrupted by the summons: the matter of the phase itself (8.33)."""
        return self.agenda[-1][2] if self.agenda else None

    def case(self, case: str) -> str:
        """A case of the common rules as this game numbers it."""
        return self.ground.book.stand_ins.get(case, case)

    def lay(self, side: int) -> Lay:
        """How a side's units lie, with their zones."""
        return self.lays[side]

    @property
    def germans_on_inset(self) -> bool:
        """Whether a German unit is anywhere on the inset (8.32)."""
        return bool(self.lays[GERMAN].occupied & self.ground.inset)

    @property
    def summons_due(self) -> bool:
        """Whether the first German on the inset would bring the city's units off the main map (8.33)."""
        return not self.germans_on_inset and bool(self.lays[SOVIET].occupied & self.ground.capital)

    def grade(self, index: int) -> str:
        """Class of a unit as it is."""
        return self.roster[index].faces[-self.steps[index]].grade

    def frozen(self, unit_id: str) -> int:
        """The last turn on which a unit may not move; 0 if it is free (5.6)."""
        scenario = self.game.scenario
        option = scenario.frozen_if.get(unit_id)
        lifted = option is not None and not self.options[option]
        return 0 if lifted else scenario.frozen.get(unit_id, 0)

    # Markers --------------------------------------------------------------------------------------

    def is_out(self, index: int) -> bool:
        """Out of supply since the last check (11.17)."""
        return bool(self.out >> index & 1)

    def is_disrupted(self, index: int) -> bool:
        """Disrupted (12.41)."""
        return bool(self.disrupted >> index & 1)

    def is_moved(self, index: int) -> bool:
        """Has moved in this phase (6.19)."""
        return bool(self.moved >> index & 1)

    def has_retreated(self, index: int) -> bool:
        """Has retreated in this combat phase (10.29, 6.22)."""
        return bool(self.retreated >> index & 1)

    # Changes --------------------------------------------------------------------------------------

    def tell(self, kind: str, case: str, template: str, *facts: object, fact: Any = None, **_: Any) -> None:
        """Note what happened, for the phasing side."""
        side = self.game.sides[self.agenda[-1][1]] if self.agenda else ""
        self.events = (*self.events, Event(kind, self.case(case), template, facts, side, fact=fact))

    def put(self, index: int, h: Hex) -> None:
        """Set a ground unit down in a hex."""
        self.lift(index)
        self.where[index] = h
        self.placed |= 1 << index
        stack = self.stacks.get(h)
        self._restack(index, h, (index,) if stack is None else tuple(sorted((*stack, index))))

    def lift(self, index: int) -> None:
        """Take a ground unit off the map."""
        h = self.where[index]
        if h < 0:
            return
        self.where[index] = NOWHERE
        self.placed &= ~(1 << index)
        self._restack(index, h, tuple([other for other in self.stacks[h] if other != index]))

    def _restack(self, index: int, h: Hex, stack: tuple[int, ...]) -> None:
        """A hex now holds these units, one of which is new, changed, or has just left."""
        if stack:
            self.stacks[h] = stack
        else:
            del self.stacks[h]
        side, roster, steps = self.roster[index].side, self.roster, self.steps
        self.lays[side] = self.lays[side].restacked(h, [(roster[other], steps[other]) for other in stack])

    def count_steps(self, index: int, steps: int) -> None:
        """Write down the steps a unit has left."""
        self.steps = (*self.steps[:index], steps, *self.steps[index + 1 :])

    def eliminate(self, index: int, case: str) -> None:
        """Remove a unit for good (10.23)."""
        lost = Loss(self.roster[index].id, self.steps[index])
        self.lift(index)
        self.count_steps(index, 0)
        self.forget(index, but="withdrawn")
        self.tell("elimination", case, "{0} is eliminated", self.roster[index].id, fact=lost)

    def lose_step(self, index: int) -> None:
        """Take a step loss: flip the unit or remove it (10.210)."""
        if self.steps[index] <= 1:
            self.eliminate(index, "10.210")
            return
        self.count_steps(index, self.steps[index] - 1)
        self._restack(index, self.where[index], self.stacks[self.where[index]])
        unit = self.roster[index].id
        self.tell("step", "10.210", "{0} loses a step", unit, fact=Loss(unit, 1))

    def pass_through(self, side: int, path: Iterable[Hex]) -> None:
        """Note who was last in places of value (17.22), and take up additional markers (18.54)."""
        passed, watched = mask_of(path), self.game.watched(self.ground)
        if side == GERMAN:
            self.extra_markers &= ~passed
            self.german_held |= passed & watched
            self.captured |= passed & watched
        else:
            self.german_held &= ~(passed & watched)

    def shift(self, index: int, h: Hex, kind: str, case: str, told: str) -> None:
        """A unit comes to a hex without spending points: transferred, retreating, advancing."""
        self.put(index, h)
        self.pass_through(self.roster[index].side, [h])
        self.tell(kind, case, told, self.roster[index].id, self.ground.number(h))

    def at_stake(self, side: int) -> HexMask:
        """Hexes where it would change something that a unit of a side passes through."""
        if side == SOVIET:
            return self.german_held
        return self.game.watched(self.ground) & ~(self.german_held & self.captured) | self.extra_markers

    @property
    def to_garrison(self) -> HexMask:
        """Cities whose points are lost if a German passes through and no division stays (17.25)."""
        cities, grid = self.game.scenario.victory.cities, self.ground.grid
        return grid.mask(city.hex for city in cities if city.garrison and city.hex in grid) & ~self.captured

    def mark_out(self, index: int, out: bool) -> None:
        """Place or remove the out of supply marker."""
        self.out = self.out | 1 << index if out else self.out & ~(1 << index)

    def mark_moved(self, index: int) -> None:
        """The unit's move is over; where it has got to it may be transferred again."""
        self.moved |= 1 << index
        self.transferred &= ~(1 << index)

    def renew_unit(self, index: int, state: str) -> None:
        """A lost unit is whole again, and waits at its entry area or in the cup (11.36, 19.73)."""
        self.count_steps(index, self.roster[index].full_steps)
        self.forget(index)
        setattr(self, state, getattr(self, state) | 1 << index)

    def forget(self, index: int, but: str = "") -> None:
        """Take all markers off a unit."""
        clear = ~(1 << index)
        for state in STATES:
            if state != but:
                setattr(self, state, getattr(self, state) & clear)

    def forget_arrival(self, index: int) -> None:
        """A unit comes in: it is no longer waiting, and in supply for now (11.44)."""
        self.out &= ~(1 << index)
        self.returning &= ~(1 << index)
        self.drawn = {unit: area for unit, area in self.drawn.items() if unit != self.roster[index].id}
