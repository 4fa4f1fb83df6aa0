"""Advice for a side that has something to decide: what the staff would do, and what it is afraid of.

Everything is worked out from the side's own view, so advice never tells what the side may not know. Where the
family of the game publishes a prospect the planner judges; elsewhere the staff does, by the contract's own odds.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..hexes import Hex, HexMask, members
from ..kernel.errors import LadogaError
from ..kernel.names import names_of, several
from ..kernel.orders import END, Order, Role
from ..kernel.position import CHANCE, Explanation, Position, View
from ..kernel.prospect import Prospect, prospect_of, published
from ..players import make
from ..players.attacks import compelled, composed
from ..players.general import Watch
from ..players.greedy import assault, promising
from ..players.planner.appraisal import Appraiser
from ..players.planner.conduct import Conduct
from ..players.situation import Situation
from ..players.tuning import tuning
from .promise import expected, promised
from .threat import threats

__all__ = ["Counsel", "advice"]

MOST = {"order": 1, "attack": 4, "leave": 1, "move": 4, "danger": 3, "road": 2, "cut": 2, "reach": 3}
"""How many pieces of advice of each kind are given."""
GOING = frozenset({Role.GO, Role.ENTER})
AHEAD = 14
"""Orders that the staff is followed through a movement, at most."""
PART = 0.35
"""Part of the time in which a movement is planned."""
NAMED = 2
"""Enemies in one blow that are called by their names."""
FEW = 2
"""Units that a cut line must starve to be worth a word."""
SLIGHT = 0.05
"""How surely a hex must fall to be in danger where little is at stake."""


class Counsel(NamedTuple):
    """A piece of advice.

    >>> Counsel("attack", "Attack 0403", "at 3-1", hex="0403").hex
    '0403'
    """

    kind: str
    """``attack``, ``leave`` (do not attack), ``move``, ``order``, ``danger``, ``road`` (an own line of supply), ``cut``
    (one of the enemy's) or ``reach``."""
    title: str
    text: str
    hex: str = ""
    """Where to look."""
    arrows: tuple[tuple[str, str], ...] = ()
    """From hex to hex."""
    orders: tuple[str, ...] = ()
    """What sets it up, short of throwing a die."""
    column: str = ""
    falls: float = 0.0
    depends: float = 0.0
    unhurt: float = 0.0
    worth: float = 0.0
    """In steps: what it costs the enemy less what it costs us."""


def advice(view: View, seconds: float = 4.0) -> list[Counsel]:
    """What the staff says to the side of a view, the most urgent first; nothing while somebody else decides.

    >>> from ladoga.analysis.example import skirmish
    >>> position = skirmish()
    >>> [(counsel.kind, counsel.hex) for counsel in advice(position.view("german"), 60.0)][:1]
    [('attack', '0403')]
    """
    if view.to_move != view.side:
        return []
    until = time.monotonic() + seconds
    staff = Staff(view, seconds)
    found: list[Counsel] = []
    for chapter in (staff.attacks, staff.moves, staff.next_order, staff.reaches, staff.roads, staff.dangers):
        if time.monotonic() < until:
            found += chapter()
    kept: list[Counsel] = []
    for kind, most in MOST.items():
        kept += [counsel for counsel in found if counsel.kind == kind][:most]
    return kept


class Staff:
    """A staff that looks at one view."""

    def __init__(self, view: View, seconds: float) -> None:
        self.view = view
        self.side = view.side
        self.go = view.game.grammar.verb(Role.GO)
        self.seconds = seconds
        self.position = view.imagine(random.Random(0))
        self.counters = view.table().counters
        self.names = names_of(self.counters)
        self.at = {c.id: c.hex for c in self.counters if c.hex}
        self.results = tuning(view.game.id).results
        self.orders = list(view.legal)
        self.known = published(view.game)
        self._prospect: Prospect | None = None

    @property
    def prospect(self) -> Prospect:
        """The board as a planner reads it."""
        if self._prospect is None:
            self._prospect = prospect_of(self.view)
        return self._prospect

    def roles(self) -> set[Role]:
        """What there is to do."""
        return {self.view.game.role(order) for order in self.orders}

    def place(self, number: str) -> str:
        """A hex, with its name where it has one: ``Narva 2105``."""
        grid = self.view.map.grid
        name = self.view.map.names.get(grid.hex(number), "") if number in grid else ""
        return f"{name} {number}" if name else number

    def called(self, units: Iterable[str]) -> str:
        """Units by their full names."""
        return several(self.names.get(unit, unit) for unit in units)

    def some(self, units: Sequence[str]) -> str:
        """A few units by name, more of them by number."""
        return self.called(units) if len(units) <= NAMED else f"{len(units)} units"

    # Attacks ------------------------------------------------------------------------------------

    def attacks(self) -> list[Counsel]:
        """Attacks that can be made now, the best first, and one better left alone; all, if one must be made."""
        if self.roles() & {Role.JOIN, Role.COMMIT}:
            return []
        rated = sorted(self._rated(), key=lambda each: (-each[0], each[1].title))
        if compelled(self.view):
            return [*self._still(), *(counsel for _, counsel in rated)]
        good = [counsel for value, counsel in rated if value > 0]
        bad = [counsel._replace(kind="leave", title=f"Leave {self.place(counsel.hex)} alone")
               for value, counsel in rated if value <= 0 and counsel.worth <= 0]  # fmt: skip
        return [*good, *bad[:1]]

    def _still(self) -> list[Counsel]:
        """What keeps the side from ending its attacks, where the rules compel to one: none can be left alone then."""
        refused = self.view.why_not(END)
        if refused is None:
            return []
        told = " ".join(self.names.get(word, word) for word in str(refused[1]).split())
        return [Counsel("order", "An attack must be made", f"{told} ({refused.case})")]

    def _rated(self) -> Iterator[tuple[float, Counsel]]:
        situation = Situation(self.view, self.side)
        planned = self._strikes()
        until = time.monotonic() + 0.5 * self.seconds
        for order in (o for o in self.orders if self.view.game.role(o) is Role.AIM):
            if time.monotonic() > until:
                break
            ours = planned.get(order.hexes[-1])
            if ours is not None:
                value, orders = ours
            else:
                attack = composed(self.position.play(order), situation, (order,), order.hexes)
                if attack is None:
                    continue
                value, orders = attack.value, list(attack.orders)
            counsel = self._composed(order, orders)
            if counsel is not None:
                yield (min(value, 0.0) if planned and ours is None else value), counsel
        strikes = [o for o in self.orders if self.view.game.role(o) is Role.STRIKE and o.units]
        best: dict[str, tuple[float, Order]] = {}
        for order in promising(situation, strikes):
            value, _ = assault(self.view, situation, order)
            hex_ = order.hexes[-1]
            if hex_ not in best or value > best[hex_][0]:
                best[hex_] = value, order
        for value, order in best.values():
            told = self.view.explain(order)
            yield value, self._attack(order.hexes, order.units, told, (str(order),), f"{order.verb.capitalize()} ")

    def _strikes(self) -> dict[str, tuple[float, list[Order]]]:
        """The blows that the planner would strike from where all stand, by hex."""
        if not self.known or Role.AIM not in self.roles():
            return {}
        prospect = self.prospect
        found: dict[str, tuple[float, list[Order]]] = {}
        for strike in Appraiser(prospect).strikes(prospect.stand.copy()):
            number = prospect.grid.number(strike.target)
            names = [prospect.units[u].id for u in strike.units]
            aim, join, commit = map(self.view.game.grammar.verb, (Role.AIM, Role.JOIN, Role.COMMIT))
            orders = [Order(aim, (), (number,)), *(Order(join, (name,)) for name in names), Order(commit)]
            found[number] = strike.worth, orders
        return found

    def _composed(self, aim: Order, orders: Sequence[Order]) -> Counsel | None:
        position: Position = self.position
        units: list[str] = []
        try:
            for order in orders[:-1]:
                position = position.play(order)
                if self.view.game.role(order) is Role.JOIN:
                    units += order.units
            told = position.view(self.side).explain(orders[-1])
        except LadogaError:
            return None
        return self._attack(aim.hexes, units, told, tuple(map(str, orders[:-1])), "Attack ") if units else None

    def _attack(
        self, hexes: Sequence[str], units: Sequence[str], told: Explanation, orders: tuple[str, ...], verb: str
    ) -> Counsel:
        target = hexes[-1]
        theirs = sum(c.steps for c in self.counters if c.hex == target and c.side != self.side)
        ours = sum(c.steps for c in self.counters if c.id in units)
        promise = promised(self.results, told, theirs)
        column = max(told.columns, key=lambda c: c[1])[0] if told.columns else ""
        return Counsel(
            "attack", f"{verb}{self.place(target)} with {self.called(units)}", _odds(told), target,
            _arrows((self.at.get(unit, ""), target) for unit in units), orders, str(column), float(promise.falls),
            float(promise.depends), float(promise.unhurt), round(expected(self.results, told, theirs, ours), 2),
        )  # fmt: skip

    # Movement -----------------------------------------------------------------------------------

    def moves(self) -> list[Counsel]:
        """What to move, and what for."""
        if not self.roles() & GOING:
            return []
        return self._planned() if self.known and Role.GO in self.roles() else self._followed()

    def _planned(self) -> list[Counsel]:
        """The planner's moves: those that lead to a blow by that blow, then the others."""
        conduct, prospect = Conduct(), self.prospect
        conduct._prospect = (self.view, prospect)
        plan = conduct.plan(self.view, random.Random(0), Watch(PART * self.seconds))
        grid, start, where = prospect.grid, prospect.stand.where, plan.stand.where
        moved = {u for u in range(len(prospect.units)) if start[u] >= 0 and where[u] != start[u] and where[u] >= 0}
        found = []
        for strike in plan.appraisal.strikes:
            coming = [u for u in strike.units if u in moved]
            if not coming:
                continue
            moved -= set(coming)
            target = grid.number(strike.target)
            text = f"then {self.place(target)} falls with {100 * strike.blow.falls:.1f} %"
            found.append(self._march(coming, start, where, text, target))
        posts: dict[Hex, list[int]] = {}
        for unit in moved:
            posts.setdefault(where[unit], []).append(unit)
        for h, units in sorted(posts.items(), key=lambda each: -len(each[1])):
            found.append(self._march(units, start, where, "the line stands better there", grid.number(h)))
        return found

    def _march(self, units: Sequence[int], start: Sequence[Hex], where: Sequence[Hex], text: str, at: str) -> Counsel:
        prospect = self.prospect
        number, ids = prospect.grid.number, [prospect.units[u].id for u in units]
        ends = {number(where[u]) for u in units}
        to = self.place(ends.pop()) if len(ends) == 1 else f"the hexes around {self.place(at)}"
        orders = tuple(str(Order(self.go, (prospect.units[u].id,), (number(where[u]),))) for u in units)
        arrows = _arrows((number(start[u]), number(where[u])) for u in units)
        return Counsel("move", f"Move {self.called(ids)} to {to}", text, at, arrows, orders)

    def _followed(self) -> list[Counsel]:
        """The staff's next moves, one after another in the mind."""
        player, position = make("staff"), self.position
        until = time.monotonic() + PART * self.seconds
        phase, rng = position.phase, random.Random(0)
        found: dict[tuple[str, str], list[str]] = {}
        first: dict[tuple[str, str], str] = {}
        for _ in range(AHEAD):
            if position.to_move != self.side or position.phase != phase or time.monotonic() > until:
                break
            order = player.choose(position.view(self.side), rng)
            if self.view.game.role(order) not in GOING:
                break
            for unit in order.units:
                way = (self.at.get(unit, ""), order.hexes[-1])
                found.setdefault(way, []).append(unit)
                first.setdefault(way, player.reason)
            position = position.play(order)
            if position.to_move == CHANCE:
                break
        return [
            Counsel("move", f"Move {self.called(units)} to {self.place(to)}", _reason(first[start, to]), to,
                    _arrows([(start, to)]), (str(Order(self.go, tuple(units), (to,))),))
            for (start, to), units in found.items()
        ]  # fmt: skip

    # Every other decision -----------------------------------------------------------------------

    def next_order(self) -> list[Counsel]:
        """What the staff would order, where it is neither a move nor the beginning of an attack."""
        if self.roles() & {Role.GO, Role.ENTER, Role.AIM, Role.STRIKE} or not self.orders:
            return []
        player = make("general" if self.known else "staff", think=PART * self.seconds)
        order = player.choose(self.view, random.Random(0))
        role = self.view.game.role(order)
        to = order.hexes[-1] if order.hexes else ""
        if role is Role.END:
            return [Counsel("order", "Leave it at that", _reason(player.reason), orders=(str(order),))]
        joining = ("at " if role is Role.PLACE else "to ") if order.units else ""
        words = [order.verb.capitalize(), self.called(order.units) if order.units else "",
                 f"{joining}{self.place(to)}" if to else "", " ".join(order.words)]  # fmt: skip
        start = self.at.get(order.units[0], "") if order.units else ""
        only = () if role in (Role.COMMIT, Role.STRIKE) else (str(order),)
        return [Counsel("order", " ".join(w for w in words if w), _reason(player.reason), to or start,
                        _arrows([(start, to)]), only)]  # fmt: skip

    # What could be had, and what is in danger ------------------------------------------------------

    def reaches(self) -> list[Counsel]:
        """Places that count and that some unit of ours could be in at the end of its move."""
        if Role.GO not in self.roles():
            return []
        wanted = set(tuning(self.view.game.id).side(self.side).objectives)
        if self.known:
            grid = self.prospect.grid
            goals = self.prospect.objectives(self.prospect.side, self.view.turn)
            wanted |= {grid.number(h) for h, worth in goals.items() if worth > 0}
        wanted -= {c.hex for c in self.counters if c.side == self.side}
        movers = dict.fromkeys(unit for o in self.orders if self.view.game.role(o) is Role.GO for unit in o.units)
        found: dict[str, list[str]] = {}
        for unit in movers:
            for number in wanted.intersection(self.view.reach((unit,))):
                found.setdefault(number, []).append(unit)
        return [
            Counsel("reach", f"{self.called(units[:3])} can reach {self.place(number)}", "it counts in the score",
                    number, _arrows((self.at.get(unit, ""), number) for unit in units[:3]),
                    (str(Order(self.go, (units[0],), (number,))),))
            for number, units in found.items()
        ]  # fmt: skip

    def roads(self) -> list[Counsel]:
        """Lines of supply that hang by one hex: ours that the enemy can reach, and his that we can."""
        prospect, side = self.prospect, self.prospect.side
        stand = prospect.stand
        theirs = [u for u in prospect.of(1 - side) if stand.where[u] >= 0]
        threatened: HexMask = 0
        for unit in theirs:
            threatened |= prospect.march(unit, stand)
        movers = [u for u in prospect.of(side) if stand.where[u] >= 0]
        ours: HexMask = 0
        if Role.GO in self.roles():
            for unit in movers:
                ours |= prospect.reach(unit)
        own = [self._road("road", h, starved, theirs) for h, starved in self._cuts(side, threatened)]
        cut = [self._road("cut", h, starved, movers) for h, starved in self._cuts(1 - side, ours)]
        return [*own[:2], *cut[:2]]

    def _cuts(self, side: int, reached: HexMask) -> list[tuple[Hex, list[int]]]:
        """Hexes in which one enemy would cut off several units of a side, the worst first."""
        prospect = self.prospect
        stand = prospect.stand
        lines: dict[Hex, list[int]] = {}
        units = [u for u in prospect.of(side) if stand.where[u] >= 0]
        for unit in units:
            for h in members(prospect.lines(unit, stand) & reached & ~stand.held[side]):
                lines.setdefault(h, []).append(unit)
        rated = sorted(lines.items(), key=lambda each: (-len(each[1]), each[0]))[:12]
        if self.known:
            hungry = prospect.unfed(side, stand)
            starved = ((h, prospect.unfed(side, stand, 1 << h) & ~hungry) for h, _ in rated)
            rated = sorted(((h, [u for u in units if mask >> u & 1]) for h, mask in starved),
                           key=lambda each: -len(each[1]))  # fmt: skip
        return [(h, those) for h, those in rated if len(those) >= FEW]

    def _road(self, kind: str, h: Hex, starved: Sequence[int], movers: Sequence[int]) -> Counsel:
        prospect = self.prospect
        number = prospect.grid.number(h)
        near = min(movers, key=lambda u: prospect.grid.distance(prospect.stand.where[u], h) or 0)
        by = self.names.get(prospect.units[near].id, "")
        many = f"{len(starved)} units" if len(starved) > 1 else "a unit"
        would = "would be out of supply" if self.known else "have their line of supply there"
        title = f"One road at {self.place(number)}" if kind == "road" else f"Cut the road at {self.place(number)}"
        whose = "of yours" if kind == "road" else "of the enemy"
        start = prospect.grid.number(prospect.stand.where[near])
        return Counsel(kind, title, f"{many} {whose} {would}; {by} is nearest", number, _arrows([(start, number)]))

    def dangers(self) -> list[Counsel]:
        """Stacks that the enemy could strike in his next turn, if nothing moves."""
        return self._raids() if self.known else self._threats()

    def _raids(self) -> list[Counsel]:
        prospect = self.prospect
        found = []
        for raid in Appraiser(prospect).appraise(prospect.stand.copy(), striking=False).raids:
            number = prospect.grid.number(raid.target)
            ids = [prospect.units[u].id for u in raid.units]
            holders = [prospect.units[u].id for u in prospect.stand.at.get(raid.target, ())]
            if raid.blow.falls < SLIGHT and raid.worth < 1:
                continue
            points = "about a point" if raid.worth >= 0.75 else "less than a point"
            price = f"about {raid.worth:.0f} points" if raid.worth >= 1.5 else points
            text = f"{self.some(ids)} can come: the hex falls with {100 * raid.blow.falls:.1f} %, at a cost of {price}"
            found.append(
                Counsel("danger", f"{self.some(holders)} at {self.place(number)}", text, number,
                        _arrows((self.at.get(unit, ""), number) for unit in ids), falls=raid.blow.falls,
                        worth=-round(raid.worth, 2))
            )  # fmt: skip
        return found

    def _threats(self) -> list[Counsel]:
        found = []
        for number, told in sorted(threats(self.view, self.side).items(), key=lambda each: -each[1]["hurt"]):
            holders = [c.id for c in self.counters if c.hex == number and c.side == self.side]
            units: list[str] = [unit for unit in told["units"] if unit in self.at]
            text = f"{self.some(units)} can attack at {told['column']}; it hurts you with {100 * told['hurt']:.1f} %"
            found.append(
                Counsel("danger", f"{self.some(holders)} at {self.place(number)}", text, number,
                        _arrows((self.at[unit], number) for unit in units), column=str(told["column"]))
            )  # fmt: skip
        return found


def _odds(told: Explanation) -> str:
    """Strengths and shifts in a few words: ``18 to 4, supply +2``."""
    parts = []
    if told.attack and told.defence:
        parts.append(f"{_span(told.attack)} to {_span(told.defence)}")
    counting = [m for m in told.modifiers if m.counts and m.amount]
    parts += [f"{m.label} {'+' if m.amount > 0 else '−'}{abs(m.amount)}" for m in counting]
    return ", ".join(parts)


def _span(pairs: Iterable[tuple[object, object]]) -> str:
    values = sorted(float(str(value)) if "/" not in str(value) else _fraction(str(value)) for value, _ in pairs)
    low, high = values[0], values[-1]
    return f"{low:g}" if low == high else f"{low:g}–{high:g}"


def _fraction(text: str) -> float:
    above, _, below = text.partition("/")
    return int(above) / int(below)


def _reason(text: str) -> str:
    """A player's reason without the order that it repeats."""
    _, colon, rest = text.partition(": ")
    return rest if colon else text


def _arrows(ways: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(dict.fromkeys((start, end) for start, end in ways if start and end and start != end))


def in_words(found: Sequence[Counsel]) -> str:
    """Advice in one sentence, to be spoken."""
    if not found:
        return "The staff has nothing to say here."
    return f"Advice, {len(found)} points. First: {found[0].title}. Nothing is ordered."
