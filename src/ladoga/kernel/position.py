"""A position of a game: a value that is read, and played into the next value.

Families of games subclass ``Position`` and fill in the hooks whose names begin with an
underscore; everything else here is the same for every game.
"""

from __future__ import annotations

import hashlib
import json
import random
from abc import ABC, abstractmethod
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from .answers import Entry as Entry
from .answers import Explanation as Explanation
from .answers import Line as Line
from .answers import Modifier as Modifier
from .answers import Outcome as Outcome
from .answers import Reach as Reach
from .answers import Reachable as Reachable
from .answers import Reached as Reached
from .answers import Trace as Trace
from .answers import some
from .answers import won as won
from .chance import Chance
from .errors import BadDocument, BadOrder, Illegal, LadogaError
from .events import Asked
from .orders import END, Order, Role
from .table import Table

if TYPE_CHECKING:
    from typing import Self

    from .game import Game
    from .map import GameMap

__all__ = [
    "Entry",
    "Event",
    "Explanation",
    "Legal",
    "Modifier",
    "Outcome",
    "Phase",
    "Position",
    "Reached",
    "Refusal",
    "Trace",
    "View",
]

KIND = attrgetter("units", "verb")
CHANCE = "chance"
OBSERVER = "observer"
SET_UP = "set-up"
"""What the phases before the first turn are called in every game."""


class Phase(NamedTuple):
    """A phase of the sequence of play.

    >>> import ladoga
    >>> phase = ladoga.load("leningrad-1979").start().phase
    >>> phase.id, phase.side, phase.case
    ('soviet-set-up', 'soviet', '1.0')
    """

    id: str
    side: str
    case: str
    title: str


class Refusal(NamedTuple):
    """Why an order is illegal.

    >>> import ladoga
    >>> refusal = ladoga.load("leningrad-1979").start().why_not("attack 12 0403")
    >>> refusal.case
    '8.0'
    """

    case: str
    message: str


def refuse(why: Refusal | None) -> None:
    """Refuse an order if there is a reason, in the middle of judging it.

    >>> refuse(None)
    >>> refuse(Refusal("4.0", "it is too late"))
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.Illegal: it is too late [4.0]
    """
    if why is not None:
        raise Illegal(*why)


def first_case(*cases: tuple[Any, ...]) -> Refusal | None:
    """The first of some cases that forbids: each is told as whether it does, its number, and a message with a hole for
    every fact that follows.

    >>> first_case((3 > 4, "4.0", "too late"), (5 > 4, "4.1", "{} is too far", "0403"))
    Refusal(case='4.1', message='0403 is too far')
    """
    for forbids, case, message, *facts in cases:
        if forbids:
            return Refusal(case, message.format(*facts))
    return None


def forbid(when: object, case: str, message: str, *facts: object) -> None:
    """Refuse an order when a case forbids it, in the middle of judging it; the message has a hole for every fact.

    >>> forbid(3 > 4, "4.0", "{} is too late", "turn 3")
    >>> forbid(5 > 4, "4.0", "{} is too late", "turn 5")
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.Illegal: turn 5 is too late [4.0]
    """
    if when:
        raise Illegal(case, message, *facts)


def why_refused(check: Callable[..., object], *asked: Any) -> Refusal | None:
    """What a check that refuses by raising has against what it is asked.

    >>> def too_late(turn: int) -> None:
    ...     forbid(turn > 4, "4.0", "{} is too late", turn)
    >>> why_refused(too_late, 3), why_refused(too_late, 5)
    (None, Refusal(case='4.0', message='5 is too late'))
    """
    try:
        check(*asked)
    except Illegal as refused:
        return Refusal(refused.case, refused.message)
    return None


def allows(check: Callable[..., object], *asked: Any) -> bool:
    """Whether it has nothing against it."""
    try:
        check(*asked)
    except Illegal:
        return False
    return True


class Event(msgspec.Struct, frozen=True):
    """Something that happened when an order was played; ``text`` is for people.

    >>> import ladoga
    >>> position = ladoga.load("tijvin-1941").start()
    >>> while not position.events:
    ...     position = position.play(next(iter(position.legal)))
    >>> isinstance(position.events[0], Event)
    True
    """

    kind: str
    case: str
    template: str
    facts: tuple[Any, ...] = ()
    side: str = ""
    hidden_from: frozenset[str] = frozenset()
    fact: NamedTuple | None = None
    """The same for programs, where a game tells it: a value of ``kernel/events.py``."""

    @property
    def text(self) -> str:
        """One plain sentence."""
        return self.template.format(*self.facts)


PASSED = "phase passed"
"""The kind of event which says that a phase went by."""


def passed(phase: Phase, case: str = "") -> Event:
    """What is told of a phase in which nothing could be done: judged on entering it, and it went by itself.

    >>> passed(Phase("german-combat", "german", "3.0", "German combat")).text
    'German combat: nothing to do'
    """
    return Event(PASSED, case or phase.case, "{0}: nothing to do", (phase.title,), phase.side)


CANCEL = "cancel"
"""The verb that takes back what was begun and not yet made, in games that have one."""


def going_on(drawn: Order, orders: Callable[[], Iterable[Order]], rng: random.Random) -> Order:
    """An order drawn by chance, or another one instead of ``cancel`` unless that is all there is: who cancels by chance
    what he began by chance goes round in circles.

    >>> going_on(Order("cancel"), lambda: [Order("cancel"), Order("commit")], random.Random(1)).verb
    'commit'
    """
    if drawn.verb != CANCEL:
        return drawn
    others = [order for order in orders() if order.verb != CANCEL]
    return rng.choice(others) if others else drawn


LISTED = 0.05
"""How often ``legal.random`` draws from the list of orders and not in the quicker way of the moment."""


class Legal:
    """The legal orders of a position, made only as far as they are asked for.

    ``order in position.legal`` is true exactly when ``position.play(order)`` would accept it.
    Iteration lists every order once in its plainest form: a movement by its destination (any
    other permitted way there is accepted too), an attack by the steps that compose it.

    >>> import ladoga, random
    >>> legal = ladoga.load("leningrad-1979").start().legal
    >>> legal.random(random.Random(1)) in legal, legal.count() == len(list(legal))
    (True, True)
    """

    __slots__ = ("_position",)

    def __init__(self, position: Position) -> None:
        self._position = position

    def __iter__(self) -> Iterator[Order]:
        position = self._position
        mover = position.to_move
        if mover == CHANCE:
            return iter([order for order, _ in position._chance().outcomes])
        return iter(position._orders() if mover is not None else ())

    def __contains__(self, order: object) -> bool:
        if isinstance(order, str):
            try:
                order = self._position.game.parse(order)
            except BadOrder:
                return False
        return isinstance(order, Order) and self._position.why_not(order) is None

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def count(self) -> int:
        """How many orders iteration lists."""
        return sum(1 for _ in self)

    def kinds(self) -> Mapping[tuple[tuple[str, ...], str], int]:
        """Which verbs may be ordered of which units, and how many such orders iteration lists."""
        return Tally(map(KIND, self))

    def with_role(self, *roles: Role) -> list[Order]:
        """The listed orders that are for something: ``position.legal.with_role(Role.AIM)``."""
        role = self._position.game.role
        return [order for order in self if role(order) in roles]

    def of(self, unit: str) -> list[Order]:
        """The listed orders that concern one unit: those that name it and, since an attack names its target before its
        units, the targets that it could attack."""
        role = self._position.game.role

        def aims(order: Order) -> bool:
            return role(order) is Role.AIM

        return self._concerning(unit, lambda order: aims(order) and self._position._reaches(unit, order))

    def naming(self, unit: str) -> list[Order]:
        """The listed orders that name a unit."""
        return self._concerning(unit, lambda _: False)

    def _concerning(self, unit: str, otherwise: Callable[[Order], bool]) -> list[Order]:
        if self._position.to_move in (CHANCE, None):
            return []
        return [order for order in self._position._orders_of(unit) if unit in order.units or otherwise(order)]

    def random(self, rng: random.Random) -> Order:
        """Some legal order; at a chance node an outcome, with its probability.

        Every order that iteration lists can be drawn, but not each as often as another. Mostly an order is found
        quickly, step by step (a unit, then a way for it, which the order names; a target, then who fires), without
        any list. One time in twenty (``LISTED``) it is one of the list instead, each as often as another; where a
        list goes unit by unit, one of a unit drawn before. ``cancel`` comes only that way, unless it is all that can
        be done: who cancels by chance what he began by chance goes round in circles.
        """
        position = self._position
        position._offered = order = position._some(rng)
        return order

    def __repr__(self) -> str:
        return f"<Legal: {some(self)}>"


class Silence(Legal):
    """The orders of a side that is not to move: none."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Order]:
        return iter(())

    def __contains__(self, order: object) -> bool:
        return False

    def _concerning(self, unit: str, otherwise: Callable[[Order], bool]) -> list[Order]:
        return []

    def random(self, rng: random.Random) -> Order:
        """There is nothing to choose from."""
        raise LadogaError(f"{self._position.to_move or 'nobody'} is to move")


class Position(ABC):
    """A position of a game. Never changes: ``play`` returns the next one.

    >>> import ladoga
    >>> position = ladoga.load("leningrad-1979").start()
    >>> position.to_move, position.turn, position.phase.id
    ('soviet', 1, 'soviet-set-up')
    >>> after = position.play(next(iter(position.legal)))
    >>> position.turn, position is after
    (1, False)
    """

    __slots__ = ("_offered", "dice", "events", "game", "map", "options", "scenario", "turn")

    game: Game
    map: GameMap
    scenario: str
    options: Mapping[str, Any]
    turn: int
    dice: tuple[str, ...]
    """Scripted results, used up in order as chance nodes come."""
    events: tuple[Event, ...]
    """What the last order brought about."""
    _offered: Order
    """The order that ``legal.random`` drew last, which need not be checked again; not set before it drew one."""

    def __repr__(self) -> str:
        return f"<{self.game.id}: turn {self.turn}, {self.phase.id}, {self.to_move or 'nobody'} to move>"

    # What every game tells about itself ------------------------------------------------------

    @property
    @abstractmethod
    def to_move(self) -> str | None:
        """The side to order next, ``chance``, or ``None`` when the game is over."""

    @property
    @abstractmethod
    def phase(self) -> Phase:
        """The phase of the sequence of play."""

    @property
    def prompt(self) -> str:
        """What the side to move is asked to do, in a few words."""
        return self.phase.title

    @property
    def choice(self) -> str | None:
        """The choice in hand, in a few words that go on with "comes first" ("the advance after combat"), or ``None``
        when the phase itself is open. While there is one, ``end PHASE`` is refused by its name, and plain ``end``
        declines it where the rules allow that; otherwise plain ``end`` ends the phase."""
        return None

    @property
    def stage(self) -> str:
        """The moment in hand by its id, for programs: within a fight ``compose``, ``roll``, ``advance``, as the game's
        sequence names them; what the phase itself is while it is open."""
        return self.phase.id

    @property
    def seats(self) -> Mapping[str, str]:
        """Who plays each side: the side whose seat the player took at the start. They differ only where
        the rules let players settle who plays which side, and it came out the other way round."""
        return {side: side for side in self.game.sides}

    @property
    def sides_open(self) -> bool:
        """Whether the players are still settling who plays which side."""
        return False

    @property
    def chance(self) -> Chance | None:
        """The chance node this position waits for, or ``None``."""
        return self._chance() if self.to_move == CHANCE else None

    @property
    def legal(self) -> Legal:
        """The legal orders, lazily."""
        return Legal(self)

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """``None`` while the game goes on."""

    @property
    @abstractmethod
    def standing(self) -> Outcome:
        """The outcome if the game ended now."""

    @abstractmethod
    def reach(self, units: Iterable[str] | str) -> Mapping[str, Reached]:
        """Where a unit or stack can go in this phase, by hex number."""

    def cost(self, order: Order | str) -> Fraction:
        """What a move on the map costs in movement points, by the way it names or by the cheapest one; ``Illegal`` if a
        case forbids it, and a plain error for any other order."""
        if not isinstance(order, Order):
            order = self.game.parse(order)
        refusal = self.why_not(order)
        if refusal is not None:
            raise Illegal(*refusal)
        if self.game.role(order) is not Role.GO:
            raise LadogaError(f"{order} is no move on the map, so it has no cost to tell")
        return self._cost(order)

    def allowance(self, unit: str) -> Fraction:
        """The movement points that a unit has for a move now, by the way of moving that gives it most; none where it
        can go nowhere.

        >>> import ladoga
        >>> position = ladoga.load("leningrad-1979").position({
        ...     "game": "leningrad-1979", "turn": 2, "phase": "german-movement", "units": {"1/41": {"hex": "0610"}},
        ... })
        >>> position.allowance("1/41"), position.play("move 1/41 0611").allowance("1/41")
        (Fraction(8, 1), Fraction(7, 1))
        """
        self.hex(unit)
        return max((way.left + way.cost for way in self.reach([unit]).values()), default=Fraction(0))

    def hex(self, unit: str) -> str:
        """The number of the hex a unit stands in; empty while it is not on the map.

        >>> import ladoga
        >>> position = ladoga.load("tijvin-1941").start()
        >>> position.hex(position.units("soviet")[0])
        '0304'
        """
        for counter in self.table().counters:
            if counter.id == unit:
                return counter.hex
        raise LadogaError(f"there is no unit {unit!r}")

    def units(self, side: str) -> tuple[str, ...]:
        """The units of a side that are on the map, as orders name them."""
        self.game.check_side(side)
        return tuple(counter.id for counter in self.table().counters if counter.side == side and counter.hex)

    @abstractmethod
    def zoc(self, side: str) -> frozenset[str]:
        """The hexes in the zones of control of a side."""

    def zones(self, side: str) -> Mapping[str, frozenset[str]]:
        """The zones of control of a side by their kinds, where the rules tell kinds apart (``rigid`` and ``fluid`` in
        the Assaults; a hex may be in both); elsewhere they are all ``plain``."""
        return {"plain": self.zoc(side)}

    @abstractmethod
    def supply(self, unit: str) -> Trace:
        """The unit's line of supply, or where it is cut."""

    def extent(self, unit: str) -> Reachable | None:
        """How far a unit's command or fire reaches from where it stands; nothing where a game knows no such thing."""
        return None

    def explain(self, order: Order | str) -> Explanation:
        """An attack in numbers, before it is made."""
        return self._explained(self.game.parse(order) if isinstance(order, str) else order)

    @abstractmethod
    def table(self) -> Table:
        """Everything there is to draw: counters, markers, boxes."""

    @abstractmethod
    def document(self) -> dict[str, Any]:
        """The position as a document that ``game.position`` reads back to an equal position."""

    # Playing ---------------------------------------------------------------------------------

    def play(self, order: Order | str) -> Self:
        """The position after an order (or a chance outcome); ``Illegal`` if a case forbids it."""
        if not isinstance(order, Order):
            order = self.game.parse(order)
        if order is not getattr(self, "_offered", None):
            refusal = self.why_not(order)
            if refusal is not None:
                raise Illegal(*refusal)
        following = self._copy()
        following.events = ()
        following._apply(order if not order.words or order.verb != END.verb else END)
        while following.dice and following.to_move == CHANCE:
            following = following._scripted()
        return following

    def why_not(self, order: Order | str) -> Refusal | None:
        """The case that forbids an order, or ``None`` if it is legal."""
        if not isinstance(order, Order):
            order = self.game.parse(order)
        mover = self.to_move
        if mover == CHANCE:
            chance = self._chance()
            if chance.probability(order):
                return None
            return Refusal(chance.case or self.phase.case, f"the game waits for {chance.title}")
        if mover is None:
            return Refusal(self.phase.case, "the game is over")
        if not self.game.grammar.fits(order):
            return Refusal(self.phase.case, f"{order!s} is not a whole order")
        if order.words and order.verb == END.verb:
            return self._why_not_end(order.words[0])
        return self._refusal(order)

    def _why_not_end(self, name: str) -> Refusal | None:
        """Why the phase of a name is not ended now: it is not the open one, or a choice comes first."""
        phase, choice = self.phase, self.choice
        if choice is not None:
            declined = "; plain 'end' declines it" if self._refusal(END) is None else ""
            return Refusal(phase.case, f"in {phase.id} {choice} comes first{declined}")
        if name == phase.id:
            return self._refusal(END)
        known = any(name == each.id for each in self.game.phases)
        return Refusal(phase.case, f"{'not' if known else 'there is no phase'} {name!r}: the phase is {phase.id} now")

    def scripted(self, dice: Iterable[str | int]) -> Self:
        """The same position with results scripted for the next chance nodes."""
        following = self._copy()
        following.dice = (*self.dice, *map(str, dice))
        while following.dice and following.to_move == CHANCE:
            following = following._scripted()
        return following

    def begun(self) -> Self:
        """A position just read, after the chance nodes it waits at for which its document has results."""
        if self.turn > 1 and SET_UP in self.phase.id:
            raise BadDocument("a game is set up before its first turn", path="turn")
        following = self
        while following.dice and following.to_move == CHANCE:
            try:
                following = following._scripted()
            except BadOrder as problem:
                raise BadDocument(str(problem), path=f"dice[{len(self.dice) - len(following.dice)}]") from None
        return following

    def _scripted(self) -> Self:
        outcome = self._chance().outcome(self.dice[0])
        following = self._copy()
        following.dice, following.events = self.dice[1:], self.events
        following._apply(outcome)
        return following

    # What a side may know ---------------------------------------------------------------------

    def view(self, side: str) -> View:
        """What a side (or ``observer``) may know of this position; nobody knows dice that are still to come."""
        if side != OBSERVER and side not in self.game.sides:
            raise LadogaError(f"there is no side {side!r}; sides: {', '.join(self.game.sides)}, {OBSERVER}")
        seen = self._seen_by(side)
        if seen.dice:
            events = seen.events
            seen = seen._copy()
            seen.dice, seen.events = (), events
        return View(seen, side)

    def digest(self) -> str:
        """A fingerprint: equal positions have equal digests on every machine."""
        text = json.dumps(self.document(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.document() == other.document()

    def __hash__(self) -> int:
        return hash(self.digest())

    # Hooks for the families -------------------------------------------------------------------

    @abstractmethod
    def _orders(self) -> Iterable[Order]:
        """Every legal order of the side to move, in its plainest form."""

    def _orders_of(self, unit: str) -> Iterable[Order]:
        """The legal orders that concern a unit."""
        return self._orders()

    def _reaches(self, unit: str, target: Order) -> bool:
        """Whether a unit could attack what a target order names."""
        strike = self.game.grammar.verb(Role.STRIKE)
        return self._refusal(Order(strike, (unit,), target.hexes)) is None

    def _some(self, rng: random.Random) -> Order:
        """Some legal order or outcome."""
        mover = self.to_move
        if mover is None:
            raise LadogaError("the game is over: there are no orders to choose from")
        if mover == CHANCE:
            return self._drawn(rng)
        return self._listed(rng) if rng.random() < LISTED else going_on(self._random(rng), self._orders, rng)

    def _listed(self, rng: random.Random) -> Order:
        """One of the list, whichever it is."""
        some = list(self._some_orders(rng))
        return some[int(rng.random() * len(some))]

    def _some_orders(self, rng: random.Random) -> Iterable[Order]:
        """A part of the list that is soon made; every order of the list is in a part that may be drawn."""
        return self._orders()

    def _drawn(self, rng: random.Random) -> Order:
        """An outcome of the chance node, drawn with its probability."""
        return self._chance().sample(rng)

    def _random(self, rng: random.Random) -> Order:
        """Some legal order, quickly."""
        return rng.choice(list(self._orders()))

    def _explained(self, order: Order) -> Explanation:
        """An attack in numbers; a game without attacks need not say it."""
        raise LadogaError(f"{order} is no attack")

    def _cost(self, order: Order) -> Fraction:
        """What a legal move costs; a family that lets moves name their way overrides this."""
        return self.reach(order.units)[order.hexes[-1]].cost

    @abstractmethod
    def _refusal(self, order: Order) -> Refusal | None:
        """The case that forbids an order of the side to move."""

    @abstractmethod
    def _copy(self) -> Self:
        """A copy that ``_apply`` may change."""

    @abstractmethod
    def _apply(self, order: Order) -> None:
        """Carry out a legal order or chance outcome on a fresh copy, adding to ``events``."""

    @abstractmethod
    def _chance(self) -> Chance:
        """The chance node when ``to_move`` is chance."""

    def _seen_by(self, side: str) -> Position:
        """The position with everything masked that a side may not know."""
        return self

    def _imagined(self, side: str, rng: random.Random) -> Position:
        """A full position that agrees with everything the side knows, hidden facts drawn anew."""
        return self


class View:
    """What one side may know: reads like a position, but cannot be played.

    >>> import ladoga
    >>> view = ladoga.load("leningrad-1979").start().view("german")
    >>> view.side, view.to_move
    ('german', 'soviet')
    """

    __slots__ = ("_position", "side")

    def __init__(self, seen: Position, side: str) -> None:
        self._position = seen
        self.side = side

    def __repr__(self) -> str:
        return f"<{self.side}'s view of {self._position!r}>"

    @property
    def game(self) -> Game:
        """The game."""
        return self._position.game

    @property
    def map(self) -> GameMap:
        """The map."""
        return self._position.map

    @property
    def scenario(self) -> str:
        """The scenario."""
        return self._position.scenario

    @property
    def options(self) -> Mapping[str, Any]:
        """The options that are played."""
        return self._position.options

    @property
    def turn(self) -> int:
        """The game turn."""
        return self._position.turn

    @property
    def seats(self) -> Mapping[str, str]:
        """Who plays each side."""
        return self._position.seats

    @property
    def sides_open(self) -> bool:
        """Whether the players are still settling who plays which side."""
        return self._position.sides_open

    @property
    def to_move(self) -> str | None:
        """Who moves."""
        return self._position.to_move

    @property
    def phase(self) -> Phase:
        """The phase."""
        return self._position.phase

    @property
    def prompt(self) -> str:
        """What the side to move is asked."""
        return self._position.prompt

    @property
    def choice(self) -> str | None:
        """The choice in hand."""
        return self._position.choice

    @property
    def stage(self) -> str:
        """The moment in hand."""
        return self._position.stage

    @property
    def chance(self) -> Chance | None:
        """The chance node, as far as this side may know it."""
        chance = self._position.chance
        return None if chance is not None and self.side in chance.hidden_from else chance

    @property
    def legal(self) -> Legal:
        """The orders this side may give now; none while somebody else moves."""
        return self._position.legal if self.to_move == self.side else Silence(self._position)

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened last, as far as this side sees it."""
        return tuple(e for e in self._position.events if self.side not in e.hidden_from)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome."""
        return self._position.outcome

    @property
    def standing(self) -> Outcome:
        """The outcome if the game ended now."""
        return self._position.standing

    def why_not(self, order: Order | str) -> Refusal | None:
        """Why this side may not give an order."""
        if self.to_move != self.side:
            return Refusal(self.phase.case, f"{self.to_move or 'nobody'} is to move")
        return self._position.why_not(order)

    def explain(self, order: Order | str) -> Explanation:
        """An attack in numbers, from what this side knows."""
        return self._position.explain(order)

    def reach(self, units: Iterable[str] | str) -> Mapping[str, Reached]:
        """Where units can go."""
        return self._position.reach(units)

    def cost(self, order: Order | str) -> Fraction:
        """What a move of this side costs."""
        if self.to_move != self.side:
            raise Illegal(self.phase.case, f"{self.to_move or 'nobody'} is to move")
        return self._position.cost(order)

    def allowance(self, unit: str) -> Fraction:
        """The movement points of a unit."""
        return self._position.allowance(unit)

    def hex(self, unit: str) -> str:
        """Where a unit stands, as far as this side sees it."""
        return self._position.hex(unit)

    def units(self, side: str) -> tuple[str, ...]:
        """The units of a side on the map, as this side sees them."""
        return self._position.units(side)

    def zoc(self, side: str) -> frozenset[str]:
        """Zones of control."""
        return self._position.zoc(side)

    def zones(self, side: str) -> Mapping[str, frozenset[str]]:
        """Zones of control by their kinds."""
        return self._position.zones(side)

    def supply(self, unit: str) -> Trace:
        """A unit's line of supply."""
        return self._position.supply(unit)

    def sees_as(self, other: View) -> bool:
        """Whether both sides see the very same: nothing is hidden from either. (They may do so otherwise too.)"""
        return self._position is other._position

    def extent(self, unit: str) -> Reachable | None:
        """How far a unit's command or fire reaches."""
        return self._position.extent(unit)

    def table(self) -> Table:
        """What this side sees on the table."""
        return self._position.table()

    def document(self) -> dict[str, Any]:
        """What this side knows, as a document."""
        return self._position.document()

    def digest(self) -> str:
        """A fingerprint of what this side knows."""
        return self._position.digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and (self.side, self._position) == (other.side, other._position)

    def __hash__(self) -> int:
        return hash((self.side, self._position))

    def imagine(self, rng: random.Random) -> Position:
        """A full position that fits what this side knows, for thinking ahead."""
        return self._position._imagined(self.side, rng)


def reveals(
    before: Position, after: Position, side: str, view: Callable[[Position, str], View] = Position.view
) -> bool:
    """Whether ``side`` learned something about the other side by its order, which it cannot take back then. Who keeps
    views says with ``view`` where they are."""
    if side not in before.game.sides:
        return False
    if any(isinstance(event.fact, Asked) for event in after.events):
        return True
    known = _faces(view(before, side))
    return any(face not in known for face in _faces(view(after, side)))


def _faces(view: View) -> set[tuple[Any, ...]]:
    """What a side sees of the other's counters, wherever they stand."""
    counters = (c for c in view.table().counters if c.side != view.side)
    return {(c.id, c.figures, c.symbol, c.name, c.face_down) for c in counters}
