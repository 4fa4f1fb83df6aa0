"""The combat calculator: any counters of a side against any hex, by the engine's own odds on an imagined position.

What a side knows is imagined as a whole position, the chosen counters are set next to the hex, and the engine is asked
as if the side's combat were on. Nothing is ordered, and nothing is told that the side does not know.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any, NamedTuple

from ..hexes import members
from ..kernel.errors import BadDocument, BadOrder, LadogaError
from ..kernel.orders import Order, Role
from ..kernel.position import SET_UP, Explanation, Position, View
from ..kernel.prospect import prospect_of
from ..players.tuning import tuning
from .promise import Promise, expected, promised

__all__ = ["Reckoning", "Rung", "reckon"]

NEAR = 12
"""Counters besides the chosen ones that are thought of."""
CROWDS = ((NEAR, 3), (8, 2), (6, 1), (0, 1))
"""How many others are set around the hex, and how many to a hex; fewer where the stacking rules forbid it."""
TRIES = 24
"""Facts of a moment (points left, who has fired) that are wiped off the imagined position, at most."""
WAYS = 3
"""Ways to a wanted column that are named."""
KEPT = ("game", "scenario", "turn", "phase", "units", "map")
"""What every document must say."""
IN_HAND = ("pending", "fight", "attack", "battle", "dice")
"""What documents call a fight that is going on: on the sheet it is over."""
KEPT_OVER, LEFT = "support", ("support-left", "air")
"""What documents call the hexes that an air unit is kept over before they are fought for, and those that are left."""
AIR = "air"
"""The symbol of air units that are counters: they join like other units."""


class Rung(NamedTuple):
    """A column, and what it takes.

    >>> Rung("3-1", 9.0, ("1/41",), 0.5, 0.67).column
    '3-1'
    """

    column: str
    strength: float
    units: tuple[str, ...]
    falls: float
    unhurt: float
    air: int = 0
    """Air units that take part."""


class Reckoning(NamedTuple):
    """An attack in the mind.

    >>> from ladoga.analysis.example import skirmish
    >>> position = skirmish()
    >>> found = reckon(position.view("german"), "0403", ["1/41"])
    >>> found.column, found.refused
    ('4-1', '')
    """

    hex: str
    units: tuple[str, ...]
    told: Explanation | None
    promise: Promise | None
    strength: float
    column: str
    worth: float
    ladder: tuple[Rung, ...]
    """The columns that these counters, and then others near by, come to."""
    ways: tuple[Rung, ...]
    """The smallest sets of counters besides the chosen ones that reach the wanted column."""
    refused: str = ""
    case: str = ""
    air: int = 0
    """Air units that take part, and how many could."""
    most_air: int = 0
    overruns: bool = False
    """Whether the game has overruns, in which one stack strikes while it moves."""


def reckon(
    view: View, number: str, units: Sequence[str], want: str = "", *, air: int = 0, overrun: bool = False
) -> Reckoning:
    """What some counters would come to against a hex, and what a wanted column takes.

    >>> from ladoga.analysis.example import skirmish
    >>> position = skirmish()
    >>> reckon(position.view("german"), "0403", ["1/41"]).strength
    10.0
    """
    return Reckoner(view, number, units, air=air, overrun=overrun).told(want)


class Reckoner:
    """Counters around a hex."""

    def __init__(self, view: View, number: str, units: Sequence[str], *, air: int = 0, overrun: bool = False) -> None:
        self.view, self.number = view, number
        self.air = air
        game = view.game
        self.overrun = game.overrun if overrun else ""
        self.support = game.grammar.verb(Role.SUPPORT)
        """The verb that puts air units in, where they are no counters."""
        self.kept_over = bool(self.support) and "hexes" in game.grammar.verbs[self.support].kinds
        """Whether one is kept over a hex before it is fought for; else they are counted for the fight in hand."""
        self.side = view.side if view.side in view.game.sides else view.game.sides[0]
        counters = {c.id: c for c in view.table().counters}
        self.units = tuple(dict.fromkeys(u for u in units if u in counters and counters[u].side == self.side))
        self.counters = counters
        self.refused: tuple[str, str] = ("", "")
        self.results = tuning(view.game.id).results
        self.theirs = sum(c.steps for c in counters.values() if c.hex == number and c.side != self.side)
        self.others: list[str] = []
        self._base: Position | None = None
        self._supported: Position | None = None
        """The same with an air unit kept over the hex, where there are such."""
        if number not in view.map.grid:
            self.refused = ("there is no such hex", "")
        elif not any(c.hex == number and c.side != self.side for c in counters.values()):
            self.refused = ("there is no enemy in that hex", "")
        else:
            near = self._near()
            for many, crowd in CROWDS:
                self.others = near[:many]
                self._base = self._aimed([*self.units, *self.others], crowd)
                if self._base is not None:
                    self.refused = ("", "")
                    if self._spared():
                        self._supported = self._aimed([*self.units, *self.others], crowd, support=True)
                        self.refused = ("", "")
                    break

    def told(self, want: str = "") -> Reckoning:
        """All of it."""
        told = self._explained(self.units) if self.units else None
        refused = self.refused
        best: dict[str, Rung] = {}
        joined: list[str] = []
        for unit in (*self.units, *self.others) if self._base is not None else ():
            rung = self._rung([*joined, unit])
            if rung is None:  # too weak yet for any column, or not able to join at all
                joined += [unit] if self._may_join([*joined, unit]) else []
                continue
            joined.append(unit)
            if rung.column not in best or rung.strength < best[rung.column].strength:
                best[rung.column] = rung
        column, strength, promise, worth = "", 0.0, None, 0.0
        if told is not None:
            column, strength = _likeliest(told), _strength(told)
            promise = promised(self.results, told, self.theirs)
            ours = sum(self.counters[u].steps for u in self.units)
            worth = round(expected(self.results, told, self.theirs, ours), 2)
        ladder = tuple(sorted(best.values(), key=lambda rung: (rung.strength, rung.falls)))
        ways = self._ways(want) if want and want != column else ()
        return Reckoning(
            self.number, self.units, told, promise, strength, column, worth, ladder, ways, *refused, self.air,
            self.most_air(), bool(self.view.game.overrun),
        )  # fmt: skip

    def most_air(self) -> int:
        """How many air units could take part: what the game offers once the attack is put together."""
        position = self._base
        if position is None or not self.units:
            return 0
        if self.overrun:
            strikes = [o for o in position.legal if o.verb == self.overrun and self.support in o.words]
            return max((int(o.words[-1]) for o in strikes), default=0)
        if self.kept_over:
            return int(self._supported is not None)
        with suppress(LadogaError):
            position = self._joined(position, self.units)
            flights = 0
            while wing := self._wing(position):
                position, flights = position.play(wing), flights + 1
            return flights or max((int(o.words[0]) for o in position.legal if o.verb == self.support), default=0)
        return 0

    def _joined(self, position: Position, units: Iterable[str]) -> Position:
        """Units join the attack one after another."""
        join = next(verb.name for verb in self.view.game.grammar.verbs.values() if verb.role is Role.JOIN)
        for unit in units:
            position = position.play(Order(join, (unit,)))
        return position

    def _may_join(self, units: Sequence[str]) -> bool:
        """Whether these units could join the attack, be its odds too poor to be made."""
        if self._base is None or self.overrun:
            return False
        with suppress(LadogaError):
            self._joined(self._base, units)
            return True
        return False

    def _wing(self, position: Position) -> Order | None:
        """The strongest air unit that may join as a counter, by the figure printed on it."""
        wings = [o for o in position.legal.with_role(Role.JOIN) if o.units and self._is_air(o.units[0])]
        return max(wings, key=lambda o: (self.counters[o.units[0]].figures, o.units), default=None)

    def _is_air(self, unit: str) -> bool:
        return unit in self.counters and self.counters[unit].symbol == AIR

    def _flown(self, position: Position, air: int) -> Position:
        """As many air units take part."""
        if self.support:
            return position.play(Order(self.support, words=(str(air),)))
        for _ in range(air):
            wing = self._wing(position)
            if wing is None:
                raise BadOrder("no more air units can take part")
            position = position.play(wing)
        return position

    def _ways(self, want: str) -> tuple[Rung, ...]:
        """Which counters near by would bring the attack to a column: one, two, then three of them."""
        found: list[Rung] = []
        for many in (1, 2, 3):
            for some in combinations(self.others[: NEAR if many < 3 else 7], many):
                rung = self._rung([*self.units, *some])
                if rung is not None and rung.column == want:
                    found.append(rung._replace(units=some, air=0))
            if found:
                break
        for more in range(self.air + 1, self.most_air() + 1):
            told = self._explained(self.units, more)
            if told is not None and _likeliest(told) == want:
                promise = promised(self.results, told, self.theirs)
                falls, unhurt = float(promise.falls), float(promise.unhurt)
                found.insert(0, Rung(want, _strength(told), (), falls, unhurt, more - self.air))
                break
        return tuple(sorted(found, key=lambda rung: rung.strength)[:WAYS])

    def _rung(self, units: Sequence[str]) -> Rung | None:
        told = self._explained(units)
        if told is None:
            return None
        promise = promised(self.results, told, self.theirs)
        return Rung(
            _likeliest(told), _strength(told), tuple(units), float(promise.falls), float(promise.unhurt), self.air
        )

    def _explained(self, units: Iterable[str], air: int | None = None) -> Explanation | None:
        air = self.air if air is None else air
        position = self._supported if self.kept_over and air else self._base
        if position is None:
            return None
        if self.overrun:
            words = (self.support, str(air)) if air else ()
            try:
                return position.view(self.side).explain(Order(self.overrun, tuple(units), (self.number,), words))
            except LadogaError as problem:
                self.refused = self.refused if self.refused[0] else (str(problem), getattr(problem, "case", ""))
                return None
        commit = next(verb.name for verb in self.view.game.grammar.verbs.values() if verb.role is Role.COMMIT)
        try:
            position = self._joined(position, units)
            if air and not self.kept_over:
                position = self._flown(position, air)
            return position.view(self.side).explain(Order(commit))
        except LadogaError as problem:
            self.refused = self.refused if self.refused[0] else (str(problem), getattr(problem, "case", ""))
            return None

    # The imagined position ------------------------------------------------------------------------

    def _near(self) -> list[str]:
        """Own units on the map that are nearest to the hex, those that fight only."""
        grid = self.view.map.grid
        target = grid.hex(self.number)
        own = [c for c in self.counters.values() if c.side == self.side and c.hex and c.id not in self.units]
        fighting = [c for c in own if any(figure.isdigit() and figure != "0" for figure in c.figures[:1])]
        fighting.sort(key=lambda c: (grid.distance(grid.hex(c.hex), target) or 0, c.id))
        return [c.id for c in fighting[:NEAR]]

    def _spared(self) -> bool:
        """Whether an air unit could be kept over the hex: one that is left, or in later turns one that may come."""
        if not self.kept_over:
            return False
        phases = [p.id for p in self.view.game.phases if p.side == self.side and SET_UP not in p.id]
        now = self.view.phase.id
        if now not in phases[: phases.index(self._phases(Role.AIM)[-1]) + 1]:
            return True
        document = self.view.document()
        return self.number in document.get(KEPT_OVER, ()) or any(map(document.get, LEFT))

    def _phases(self, role: Role) -> list[str]:
        """The phases of the side in which something may be ordered."""
        game = self.view.game
        return [phase.id for phase in game.phases if phase.side == self.side and role in game.opens(phase)]

    def _aimed(self, units: Sequence[str], crowd: int, *, support: bool = False) -> Position | None:
        """The position in which the attack is being put together, all these units around the hex."""
        document = self._document(units, crowd)
        if self.kept_over:
            kept = [number for number in document.get(KEPT_OVER, ()) if number != self.number]
            document[KEPT_OVER] = [*kept, self.number] if support else kept
        aim = next(verb.name for verb in self.view.game.grammar.verbs.values() if verb.role is Role.AIM)
        try:
            if self.overrun:
                return self._read(document)
            position = self._called(self._read(document), units)
            return position.play(Order(aim, (), (self.number,)))
        except LadogaError as problem:
            self.refused = (str(problem), getattr(problem, "case", ""))
            return None

    def _read(self, document: dict[str, Any]) -> Position:
        """The position of a document, facts wiped off that do not fit the moment."""
        for _ in range(TRIES):
            try:
                return self.view.game.position(document)
            except BadDocument as problem:
                path = re.match(r"units\.(.+)\.(\w+)$|(\w[\w-]*)(?:[.\[]|$)", getattr(problem, "path", "") or "")
                if path is None or path[2] == "hex" or path[3] in KEPT:
                    raise
                if path[3]:
                    document.pop(path[3], None)
                else:
                    for values in document["units"].values():
                        values.pop(path[2], None)
        return self.view.game.position(document)

    def _document(self, units: Sequence[str], crowd: int) -> dict[str, Any]:
        document = self.view.imagine(random.Random(0)).document()
        for matter in IN_HAND:
            document.pop(matter, None)
        if self.overrun:
            document["phase"] = self._phases(Role.GO)[0]
        else:  # where a headquarters must be called up, that comes first; units strike last, after what flies
            document["phase"] = (self._phases(Role.CALL) or self._phases(Role.AIM)[-1:])[0]
        placed = self._placed(units, crowd)
        document["units"] = {
            unit: {**values, "hex": placed[unit]} if unit in placed else dict(values)
            for unit, values in document["units"].items()
        }
        return document

    def _placed(self, units: Sequence[str], crowd: int) -> dict[str, str]:
        """Where each unit would stand: where it stands if that is next to the hex, else in the next free place; the
        rest of a crowd stands aside."""
        prospect = prospect_of(self.view)
        grid, land = prospect.grid, self.view.map.land
        target = grid.hex(self.number)
        near = [grid.number(h) for h in members(prospect.near(target) & land)]
        held = {c.hex for c in self.counters.values() if c.side != self.side}
        standing: dict[str, list[str]] = {}
        for counter in self.counters.values():
            if counter.side == self.side and counter.hex:
                standing.setdefault(counter.hex, []).append(counter.id)
        room = {n: min(crowd, prospect.stack) for n in near if n not in held}
        if self.overrun:
            here = max(room, key=lambda n: sum(u in standing.get(n, ()) for u in self.units), default="")
            room = {here: prospect.stack} if here else {}
        placed: dict[str, str] = {}
        for n in room:
            stay = [u for u in units if u in standing.get(n, ())][: prospect.stack]
            room[n] -= len(stay)
            placed.update(dict.fromkeys(stay, n))
        for unit in units:
            free = next((n for n, left in room.items() if left > 0), "")
            if unit not in placed and free:
                room[free] -= 1
                placed[unit] = free
        aside = [u for n, there in standing.items() for u in there if u not in placed
                 and (n in near or len(there) > prospect.stack)]  # fmt: skip
        taken = set(standing) | held | {self.number}
        away = self._away(aside, taken, near)
        return {**placed, **away}

    def _away(self, aside: Sequence[str], taken: set[str], near: Sequence[str]) -> dict[str, str]:
        """Empty land not far off for those who do not take part, one to a hex."""
        grid, land = self.view.map.grid, self.view.map.land
        found: dict[str, str] = {}
        for unit in aside:
            h = grid.hex(self.counters[unit].hex)
            for far in range(1, 12):
                ring = members(grid.within(1 << h, far) & land)
                spot = next((n for n in map(grid.number, ring) if n not in taken and n not in near), "")
                if spot:
                    taken.add(spot)
                    found[unit] = spot
                    break
        return found

    def _called(self, position: Position, units: Sequence[str]) -> Position:
        """Where a headquarters must be called up first: the one that lets most of these units fight."""
        calls = position.legal.with_role(Role.CALL) if position.to_move == self.side else []
        best: tuple[int, Position] | None = None
        for order in calls:
            following = _to_combat(position.play(order), self.side)
            if following is None:
                continue
            aims = [o for o in following.legal.with_role(Role.AIM) if self.number in o.hexes]
            if not aims:
                continue
            joined = {u for o in following.play(aims[0]).legal.with_role(Role.JOIN) for u in o.units}
            count = 100 * len(joined.intersection(self.units)) + len(joined.intersection(units))
            if best is None or count > best[0]:
                best = count, following
        if calls and best is None:
            raise BadOrder("no headquarters can send these units against that hex now")
        return best[1] if best is not None else position


def _to_combat(position: Position, side: str) -> Position | None:
    """Go on without moving until attacks are made."""
    for _ in range(6):
        if position.to_move != side:
            return None
        if position.legal.with_role(Role.AIM):
            return position
        ends = position.legal.with_role(Role.END)
        if not ends:
            return None
        position = position.play(ends[0])
    return None


def _likeliest(told: Explanation) -> str:
    return str(max(told.columns, key=lambda c: c[1])[0]) if told.columns else ""


def _strength(told: Explanation) -> float:
    """The attack's strength, on average where it depends on a draw."""
    return float(sum(value * p for value, p in told.attack))
