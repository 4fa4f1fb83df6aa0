"""The sequence of play as a list of moments: somebody decides, chance does, or it goes on by itself.

A position stands at the first item of its *agenda*; below it lies what that interrupted, at the bottom the phase.
Chapters of a rulebook go on by naming the next moment (``p.go("combat")``), never by calling another chapter. An order
is judged once: ``plan`` makes of it all that carrying it out needs, or names the case that forbids it; ``carry_out``
does what was planned and judges nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from ..hexes import Hex
from .chance import Chance
from .errors import Illegal
from .orders import Order
from .position import (
    CHANCE,
    LISTED,
    OBSERVER,
    Event,
    Explanation,
    Outcome,
    Phase,
    Position,
    Reached,
    Refusal,
    Trace,
    going_on,
)
from .state import Declared
from .table import Table

if TYPE_CHECKING:
    from typing import Self

    from .game import Game
    from .map import GameMap
    from .options import Chosen

__all__ = ["Action", "Automatic", "Decision", "Item", "Roll", "Sequence", "SequencedPosition"]

P = TypeVar("P", bound="SequencedPosition")
T = TypeVar("T")

Side: TypeAlias = int
"""A side by its place in ``game.sides``."""

NOBODY: Side = -1
NO_ONE: frozenset[str] = frozenset()


class Item(NamedTuple):
    """What is due: a moment, the side whose it is, and the matter in hand (a fight, a march, a draw).

    >>> Item("prowl", 0)
    Item(at='prowl', side=0, matter=None)
    """

    at: str
    side: Side = NOBODY
    matter: Any = None


class Action(NamedTuple, Generic[P, T]):
    """What a verb does at a decision.

    >>> sleep: Action[Any, Order] = Action.plain("sleep", lambda position, order: position.done())
    >>> [str(order) for order in sleep.orders(None)]
    ['sleep']
    """

    plan: Callable[[P, Order], T | Refusal]
    """Judges an order: all that carrying it out needs, or the case that forbids it. Changes nothing."""
    carry_out: Callable[[P, T], None]
    """Does what was planned, on a fresh copy. Judges nothing."""
    orders: Callable[[P], Iterable[Order]]
    """Every order with this verb that ``plan`` allows, in its plainest form."""

    @classmethod
    def plain(cls, verb: str, carry_out: Callable[[P, Order], None]) -> Action[P, Order]:
        """A verb that stands alone and is always allowed: to pass, to let something be."""
        alone = (Order(verb),)
        return Action(lambda _, order: order, carry_out, lambda _: alone)

    @classmethod
    def unless(
        cls, verb: str, why_not: Callable[[P], Refusal | None], carry_out: Callable[[P, Order], None]
    ) -> Action[P, Order]:
        """A verb that stands alone and is allowed unless a case forbids it: to end a phase."""
        alone = (Order(verb),)
        return Action(lambda p, order: why_not(p) or order, carry_out, lambda p: () if why_not(p) else alone)

    @classmethod
    def unlisted(cls, plan: Callable[[P, Order], T | Refusal], carry_out: Callable[[P, T], None]) -> Action[P, T]:
        """A verb that says in one order what others say step by step, or that another's list holds too."""
        return Action(plan, carry_out, lambda _: ())


def each(
    verb: str, values: Callable[[P], Iterable[Any]], part: Literal["units", "hexes", "words"] = "units"
) -> Callable[[P], list[Order]]:
    """The list of a verb that takes one thing: an order for each that a position allows.

    >>> [str(order) for order in each("leave", lambda marsh: ("fox", "crane"))(None)]
    ['leave fox', 'leave crane']
    """
    return lambda p: [Order(verb, **{part: (str(value),)}) for value in values(p)]


class Placement(NamedTuple):
    """A unit that goes to a hex without spending points: set up, arriving, coming back."""

    unit: int
    hex: Hex


class Passage(NamedTuple):
    """A unit and the hexes that it goes through: it retreats or advances."""

    unit: int
    path: tuple[Hex, ...]


class Decision(NamedTuple, Generic[P]):
    """A moment at which a side decides.

    >>> sleep: Action[Any, Order] = Action.plain("sleep", lambda position, order: position.done())
    >>> Decision("rest", "1.0", "Rest", "rest", "Sleep, or stay awake", {"sleep": sleep}).actions["sleep"] is sleep
    True
    """

    id: str
    case: str
    title: str
    short: str
    """One word for narrow places."""
    prompt: str | Callable[[P], str]
    actions: Mapping[str, Action[P, Any]]
    phase: str = ""
    """The phase it belongs to if it is not its own: a choice within that phase."""
    otherwise: Callable[[P, Order], Refusal] | Refusal | None = None
    """Why a verb has no place here, where there is a better case for it than the moment's own."""
    sample: Callable[[P, random.Random], Planned | Order] | None = None
    """Some legal order, quickly; with its plan where that was worked out on the way."""
    part: Callable[[P, random.Random], Iterable[Order]] | None = None
    """Where the list is long, a part of it that chance chooses; every order of the list is in some part."""


class Roll(NamedTuple, Generic[P]):
    """A moment at which chance decides.

    >>> from ladoga.kernel.chance import die
    >>> bite = Roll("bite", "3.2", "The bite", "bite", lambda position: die(), lambda position, order: position.done())
    >>> len(bite.chance(None).outcomes)
    6
    """

    id: str
    case: str
    title: str
    short: str
    chance: Callable[[P], Chance]
    carry_out: Callable[[P, Order], None]
    phase: str = ""
    draw: Callable[[P, random.Random], Order] | None = None
    """An outcome with its probability, where there is a quicker way than to list them all."""
    prompt: str | Callable[[P], str] = ""
    """What is waited for, if its title does not say it."""


class Automatic(NamedTuple, Generic[P]):
    """A moment that passes by itself.

    >>> Automatic("dusk", "1.2", lambda position: position.go("prowl")).case
    '1.2'
    """

    id: str
    case: str
    carry_out: Callable[[P], None]


class Answers(NamedTuple):
    """Who answers what the contract asks of a position: functions of its family; where it names none, what holds in
    every game."""

    table: Callable[[Any], Table]
    document: Callable[[Any], dict[str, Any]]
    standing: Callable[[Any], Outcome]
    explain: Callable[[Any, Order], Explanation]
    reach: Callable[[Any, list[str]], Mapping[str, Reached]] = Position.reach
    supply: Callable[[Any, str], Trace] = Position.supply
    orders_of: Callable[[Any, str], Iterable[Order]] = Position._orders_of
    reaches: Callable[[Any, str, Order], bool] = Position._reaches
    seen_by: Callable[[Any, str], Any] = Position._seen_by
    imagined: Callable[[Any, str, random.Random], Any] = Position._imagined


Moment: TypeAlias = "Decision[Any] | Roll[Any] | Automatic[Any]"


class Planned(msgspec.Struct, frozen=True, gc=False):
    """An order found legal: what was worked out on the way, and what carries it out."""

    order: Order
    carry_out: Callable[[Any, Any], None]
    plan: Any


class Sequence:
    """The moments of a game by their ids; every phase is a moment that names no other as its phase.

    >>> sleep = Action.plain("sleep", lambda p, _: p.go("over"))
    >>> rest = Decision("rest", "1.0", "Rest", "rest", "Sleep", {"sleep": sleep})
    >>> [phase.id for phase in Sequence(rest).phases(("fox", "crane"))]
    ['fox-rest', 'crane-rest']
    """

    def __init__(self, *moments: Moment) -> None:
        self.moments: dict[str, Moment] = {moment.id: moment for moment in moments}
        if len(self.moments) < len(moments):
            raise ValueError("two moments of a sequence have one id")
        self.decisions = {moment.id: moment for moment in moments if isinstance(moment, Decision)}
        self.samples = {id: decision.sample for id, decision in self.decisions.items() if decision.sample is not None}
        self.rolls = {moment.id: moment for moment in moments if isinstance(moment, Roll)}
        self.automatic = {moment.id: moment for moment in moments if isinstance(moment, Automatic)}

    def __getitem__(self, moment: str) -> Moment:
        return self.moments[moment]

    def phases(self, sides: Iterable[str]) -> tuple[Phase, ...]:
        """The phases in the order of play, each for every side."""
        own = [m for m in self.moments.values() if isinstance(m, Decision) and not m.phase]
        return tuple(phase_of(moment, side) for side in sides for moment in own)


def phase_of(moment: Decision[Any] | Roll[Any], side: str) -> Phase:
    """The phase a moment is, for a side."""
    title = f"{side.title()} {moment.title[0].lower()}{moment.title[1:]}"
    return Phase(f"{side}-{moment.id}", side, moment.case, title)


def titled(p: SequencedPosition) -> str:
    """A prompt that asks for what the title of the phase says."""
    return p.phase.title


OVER = Phase("over", "", "", "End of the game")


class DeclaredPosition(Position, metaclass=Declared):
    """A position whose state is declared; copying follows from that."""

    _besides: ClassVar = ("game", "map", "scenario", "options", "turn", "dice", "events")
    _copied_by: ClassVar = "_copy"

    def _copy(self) -> Self:
        copied: Self = type(self)._copied(self)
        return copied


class SequencedPosition(DeclaredPosition):
    """A position whose game is told as a sequence of moments.

    >>> from ladoga.kernel.state import Own
    >>> class MarshPosition(SequencedPosition):
    ...     hexes: Own[list[int]]
    >>> "hexes" in MarshPosition._fields_owned, "agenda" in MarshPosition._fields_owned
    (True, True)
    """

    agenda: tuple[Item, ...]
    """What is due, first item first; empty when the game is over."""
    _planned: Planned | None

    sequence: ClassVar[Sequence]
    answers: ClassVar[Answers] = Answers(Position.table, Position.document, lambda p: p.standing, Position._explained)
    end_case: ClassVar[str] = ""
    """The case by which a game ends."""

    @classmethod
    def blank(cls, game: Game, game_map: GameMap, scenario: str, options: Chosen, *agenda: Item) -> Self:
        """A position of the first turn in which everything is as usual; the rest its game fills in."""
        p = cls.__new__(cls)
        p.game, p.map, p.scenario, p.options = game, game_map, scenario, options
        p.turn, p.dice, p.events, p.agenda, p._planned = 1, (), (), agenda, None
        cls._renewed(p)
        return p

    @classmethod
    def told_by(cls, sequence: Sequence, answers: Answers) -> None:
        """Say how the game goes and who answers for it: chapters know the position, and it knows none of them."""
        cls.sequence, cls.answers = sequence, answers

    # Chapters say what comes next ---------------------------------------------------------------

    def go(self, at: str, side: Side | None = None, matter: Any = None) -> None:
        """The moment in hand is done with, another takes its place."""
        agenda = self.agenda
        item = tuple.__new__(Item, (at, agenda[0].side if side is None else side, matter))  # half the time of a call
        self.agenda = (item,) if len(agenda) == 1 else (item, *agenda[1:])

    def interrupt(self, at: str, side: Side, matter: Any = None) -> None:
        """A moment comes before the one in hand, which then goes on."""
        self.agenda = (Item(at, side, matter), *self.agenda)

    def hold(self, matter: Any) -> None:
        """The moment in hand goes on, with its matter as it is now."""
        now = self.agenda[0]
        self.agenda = (Item(now.at, now.side, matter), *self.agenda[1:])

    def done(self) -> None:
        """The moment in hand is over: what it interrupted goes on."""
        self.agenda = self.agenda[1:]

    def finish(self) -> None:
        """The game is over."""
        self.agenda = ()

    def tell(
        self, kind: str, case: str, template: str, *facts: object, side: Side = NOBODY, fact: Any = None,
        secret: bool = False,
    ) -> None:  # fmt: skip
        """Note something that happened, in a plain sentence, and as a ``fact`` where programs ask for it; a secret is
        for its side alone."""
        name = self.game.sides[side] if side >= 0 else ""
        hidden = frozenset({*self.game.sides, OBSERVER} - {name}) if secret else NO_ONE
        self.events = (*self.events, Event(kind, self.case(case), template, facts, name, hidden, fact))

    def case(self, case: str) -> str:
        """A case as the book of this game numbers it; a family of several books names it after the first."""
        return case

    @property
    def moment(self) -> Decision[Any] | Roll[Any]:
        """The moment in hand; a position never rests at an automatic one."""
        moment = self.sequence[self.agenda[0].at]
        assert not isinstance(moment, Automatic)
        return moment

    # The contract -------------------------------------------------------------------------------

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended."""
        return None if self.agenda else self.standing

    @property
    def standing(self) -> Outcome:
        """How the game would end now."""
        return self.answers.standing(self)

    def table(self) -> Table:
        """Everything there is to draw."""
        return self.answers.table(self)

    def document(self) -> dict[str, Any]:
        """The position as a document."""
        return self.answers.document(self)

    def reach(self, units: Iterable[str] | str) -> Mapping[str, Reached]:
        """Where a unit or stack can go in this phase, by hex number."""
        return self.answers.reach(self, units.split("+") if isinstance(units, str) else list(units))

    def supply(self, unit: str) -> Trace:
        """The unit's line of supply, or where it is cut."""
        return self.answers.supply(self, unit)

    @property
    def to_move(self) -> str | None:
        """The side to decide next, chance, or nobody when the game is over."""
        if not self.agenda:
            return None
        item = self.agenda[0]
        return CHANCE if item[0] in self.sequence.rolls else self.game.sides[item[1]]

    @property
    def stage(self) -> str:
        """The moment in hand by its id."""
        return OVER.id if self.to_move is None else self.agenda[0].at

    @property
    def phase(self) -> Phase:
        """The phase: the moment at the bottom of the agenda, or the one that it names as its own."""
        if not self.agenda:
            return OVER._replace(case=self.end_case)
        bottom = self.agenda[-1]
        moment = self.sequence[bottom.at]
        phase = self.sequence[getattr(moment, "phase", "") or bottom.at]
        assert not isinstance(phase, Automatic)
        return phase_of(phase, self.game.sides[bottom.side])

    @property
    def prompt(self) -> str:
        """What the side to move is asked to do."""
        if not self.agenda:
            return self.phase.title
        moment = self.moment
        return (moment.prompt if isinstance(moment.prompt, str) else moment.prompt(self)) or moment.title

    @property
    def choice(self) -> str | None:
        """The choice in hand, when it is not the phase itself that is open."""
        moment = self.moment if len(self.agenda) > 1 else None
        return f"the {moment.title[0].lower()}{moment.title[1:]}" if isinstance(moment, Decision) else None

    def plan(self, order: Order) -> Planned | Refusal:
        """An order of the side to move judged: what carries it out, or the case that forbids it. The last one found
        legal is remembered, so that asking first and playing then works it out once."""
        known = self._planned
        if known is not None and known.order is order:
            return known
        decision = self.sequence.decisions[self.agenda[0].at]
        action = decision.actions.get(order.verb)
        if action is None:
            why = decision.otherwise or Refusal(decision.case, f"now: {', '.join(decision.actions)}")
            return self._refused(why if isinstance(why, Refusal) else why(self, order))
        plan = self.judged(action.plan, order)
        if isinstance(plan, Refusal):
            return self._refused(plan)
        self._planned = known = Planned(order, action.carry_out, plan)
        return known

    def judged(self, plan: Callable[[Self, Order], T | Refusal], order: Order) -> T | Refusal:
        """What a chapter makes of an order. What all orders are asked (is there such a unit, such a hex) is refused by
        raising ``Illegal`` where it is asked, and told here like any other refusal."""
        try:
            return plan(self, order)
        except Illegal as refused:
            return Refusal(refused.case, refused.message)

    # Hooks --------------------------------------------------------------------------------------

    def _explained(self, order: Order) -> Explanation:
        return self.answers.explain(self, order)

    def _cost(self, order: Order) -> Fraction:
        planned = self.plan(order)
        known = getattr(planned.plan, "points", None) if isinstance(planned, Planned) else None
        return super()._cost(order) if known is None else known

    def _orders_of(self, unit: str) -> Iterable[Order]:
        return self.answers.orders_of(self, unit)

    def _reaches(self, unit: str, target: Order) -> bool:
        return self.answers.reaches(self, unit, target)

    def _seen_by(self, side: str) -> Self:
        seen: Self = self.answers.seen_by(self, side)
        return seen

    def _imagined(self, side: str, rng: random.Random) -> Self:
        full: Self = self.answers.imagined(self, side, rng)
        return full

    def _orders(self) -> Iterator[Order]:
        found: list[Order] = []
        for action in self.sequence.decisions[self.agenda[0].at].actions.values():
            found += action.orders(self)
        return iter(found)

    def _some(self, rng: random.Random) -> Order:
        at = self.agenda[0][0] if self.agenda else ""
        sample = self.sequence.samples.get(at)
        if sample is None:
            return self._drawn(rng) if at in self.sequence.rolls else super()._some(rng)
        if rng.random() < LISTED:
            return self._listed(rng)
        found = sample(self, rng)
        if isinstance(found, Planned):
            self._planned = found
            return found.order
        return going_on(found, self._orders, rng)

    def _some_orders(self, rng: random.Random) -> Iterable[Order]:
        part = self.sequence.decisions[self.agenda[0].at].part
        return self._orders() if part is None else part(self, rng)

    def _drawn(self, rng: random.Random) -> Order:
        draw = self.sequence.rolls[self.agenda[0].at].draw
        return super()._drawn(rng) if draw is None else draw(self, rng)

    def _refused(self, refusal: Refusal) -> Refusal:
        """A refusal with its case as this game numbers it."""
        return Refusal(self.case(refusal.case), refusal.message)

    def _refusal(self, order: Order) -> Refusal | None:
        planned = self.plan(order)
        return planned if isinstance(planned, Refusal) else None

    def _apply(self, order: Order) -> None:
        planned, before = self._planned, self.agenda
        if planned is not None and planned.order is order:
            planned.carry_out(self, planned.plan)
        elif (roll := self.sequence.rolls.get(self.agenda[0].at)) is not None:
            roll.carry_out(self, order)
        else:
            anew = self.plan(order)
            assert isinstance(anew, Planned)
            anew.carry_out(self, anew.plan)
        self._planned = None
        if self.agenda is not before:
            self.settle()

    def settle(self) -> None:
        """Go on until somebody has to decide or roll."""
        automatic = self.sequence.automatic
        while self.agenda and (moment := automatic.get(self.agenda[0].at)) is not None:
            moment.carry_out(self)

    def _chance(self) -> Chance:
        return self.sequence.rolls[self.agenda[0].at].chance(self)
