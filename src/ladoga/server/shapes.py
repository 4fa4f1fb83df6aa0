"""What the server says, as shapes: every answer and every message to a browser.

``tools/wire.py`` writes the client's types from these, so that both sides speak of the same things. What comes in is in
``wire.py``.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from ..kernel.table import Chart, Counter, Table

Value = bool | int | str
"""The value of an option."""
Amount = int | str
"""A whole number, or a fraction as text: ``7/2``."""


class LogLine(TypedDict):
    """A sentence of the record."""

    text: str
    case: str
    kind: str


class Phase(TypedDict):
    """A phase of the sequence of play."""

    id: str
    side: str
    case: str
    title: str


class Entry(TypedDict):
    """A line of the victory ledger."""

    side: str
    points: Amount
    label: str
    case: str


class Outcome(TypedDict):
    """How a game ended, or stands."""

    winner: str | None
    level: str
    margin: Amount
    case: str
    ledger: list[Entry]
    by: NotRequired[str]
    agreed: NotRequired[bool]
    seats: NotRequired[dict[str, str]]


class Spelt(TypedDict):
    """An order, as text and in its parts."""

    text: str
    verb: str
    units: list[str]
    hexes: list[str]
    words: list[str]


class Offers(TypedDict):
    """What may be ordered: orders that stand alone, hexes that can be pointed at, units with their verbs; and after
    a fight every payment and every advance, spelt out."""

    orders: list[str]
    hexes: dict[str, list[str]]
    units: dict[str, list[str]]
    due: list[Spelt]


class Trail(TypedDict):
    """The way a counter went."""

    unit: str
    path: list[str]


class UndoState(TypedDict):
    """What the undo button does, and how far back it may go."""

    to: int | None
    text: str
    floor: int
    order: str
    """The order that would be taken back, if it is one's own."""


class Spread(TypedDict):
    """A value with its exact chance."""

    value: Amount
    exact: str
    probability: float


class Modifier(TypedDict):
    """A shift or modifier with its case."""

    label: str
    amount: Amount
    case: str
    counts: bool
    sure: bool


class Prospects(TypedDict):
    """What an attack promises: that the hex falls, that it is for its owner to say, that it holds; that the attacker
    loses nothing."""

    falls: float
    depends: float
    holds: float
    unhurt: float


class Explanation(TypedDict):
    """An attack in numbers."""

    order: str
    title: str
    attack: list[Spread]
    defence: list[Spread]
    modifiers: list[Modifier]
    net: Amount
    initial: list[Spread]
    columns: list[Spread]
    results: list[Spread]
    meaning: dict[str, str]
    table: str
    notes: list[str]
    to_die: bool
    prospects: Prospects
    hexes: list[str]
    against: list[Counter]
    units: list[Counter]


class Owed(TypedDict):
    """What a fight costs a side: the half of the code that is its own, and what of it has been paid."""

    side: str
    part: str
    owed: int
    paid: int
    done: bool


class Moment(TypedDict):
    """A fight and what came of it, while its outcome is still being carried out."""

    n: int
    began: int
    turn: int
    side: str
    title: str
    hexes: list[str]
    attackers: list[Counter]
    defenders: list[Counter]
    attack: str
    defence: str
    modifiers: list[Modifier]
    initial: str
    column: str
    table: str
    to_die: bool
    dice: list[str]
    code: str
    meaning: str
    chance: float
    exact: str
    prospects: Prospects
    owed: list[Owed]
    lines: list[LogLine]


class Ending(TypedDict):
    """What the button that ends something says and does; held back, why."""

    order: str
    label: str
    held: str
    case: str
    why: str


class Ask(TypedDict):
    """What somebody is asked: the action, how it is done, and how it ends."""

    what: str
    how: str
    ending: Ending


class Clock(TypedDict):
    """Seconds each side has left when this was sent, and had at first, and the side for which the clock runs; nobody's
    is empty."""

    kind: Literal["minutes", "days"]
    each: float
    left: dict[str, float]
    running: str


class Takeback(TypedDict):
    """A side asks to take orders back until so many events are left."""

    side: str
    to: int


class State(TypedDict):
    """The table as somebody sees it."""

    version: int
    n: int
    turn: int
    phase: Phase
    phases: list[Phase]
    prompt: str
    ask: Ask
    to_move: str | None
    audience: str
    table: Table
    standing: Outcome
    outcome: Outcome | None
    offers: Offers
    trail: list[Trail]
    moment: Moment | None
    over: NotRequired[bool]
    peace: NotRequired[list[str]]
    seed: NotRequired[str]
    undo: NotRequired[UndoState]
    takeback: NotRequired[Takeback | None]
    clock: NotRequired[Clock | None]


class Threat(TypedDict):
    """The best attack the enemy could bring against a hex."""

    column: str
    hurt: float
    exact: str
    units: list[str]


class Throw(TypedDict):
    """An attack that went well or ill."""

    n: int
    turn: int
    side: str
    title: str
    result: str
    chance: float
    expected: float
    got: float
    luck: float


class SideLuck(TypedDict):
    """The luck of one side."""

    attacks: int
    expected: float
    got: float
    luck: float


class LuckReport(TypedDict):
    """The luck of both sides."""

    sides: dict[str, SideLuck]
    spread: float
    best: list[Throw]
    worst: list[Throw]
    other: int


class Option(TypedDict):
    """A rule that players may choose."""

    title: str
    case: str
    default: Value
    choices: list[Value]
    text: str


class Scenario(TypedDict):
    """A scenario."""

    title: str
    turns: int
    text: str
    case: str


class PhaseHelp(TypedDict):
    """A phase for narrow places."""

    short: str
    before: bool
    """Whether it comes before the first turn."""


class VerbHelp(TypedDict):
    """How an order is typed."""

    usage: str
    help: str
    role: str
    said: str
    """Wordings for a button, as the game's verbs have them."""


class Card(TypedDict):
    """What the front page says about a game besides its own data."""

    text: str
    hours: str
    weight: int
    year: str
    name: str


class About(TypedDict):
    """A game as the front page knows it."""

    id: str
    title: str
    sides: list[str]
    turns: int
    calendar: list[str]
    scenarios: dict[str, Scenario]
    options: dict[str, Option]
    phases: dict[str, PhaseHelp]
    verbs: dict[str, VerbHelp]
    changes: list[str]
    km: float
    guide: bool
    ratings: dict[str, tuple[int, int]]
    card: Card


class Talk(TypedDict):
    """Something said at the table."""

    n: int
    author: str
    text: str
    at: float


class Welcome(TypedDict):
    """What somebody learns who comes to a table."""

    match: str
    game: About
    kind: str
    begun: float
    scenario: str
    options: dict[str, Value]
    commitment: str
    own_map: bool
    bookmarks: list[tuple[int, str]]
    talk: list[Talk]
    delay: float


class Seat(TypedDict):
    """A seat at a table."""

    side: str
    player: str
    name: str
    taken: bool
    here: NotRequired[bool]
    invited: NotRequired[bool]


class People(TypedDict):
    """Who is there."""

    seats: list[Seat]
    watching: int
    thinking: str | None
    you: list[str]
    since: float


class Choices(TypedDict):
    """What units may do together, and where they can go: points left, cost, way."""

    orders: list[Spelt]
    reach: dict[str, tuple[str, str, list[str]]]
    weighed: list[str]


class Answer(TypedDict):
    """Why an order is illegal, or that it is not."""

    case: str
    message: str
    legal: bool


class Trace(TypedDict):
    """A line of supply."""

    supplied: bool
    path: list[str]
    source: str
    cut: str
    case: str
    message: str


class Extent(TypedDict):
    """How far a unit's command or fire reaches; ``beyond`` is near enough but out of its sight."""

    kind: str
    case: str
    hexes: list[str]
    beyond: list[str]


class HexFacts(TypedDict):
    """What there is to know about a hex."""

    hex: str
    name: str
    terrain: str
    places: list[str]
    sides: dict[str, list[str]]
    zones: list[str]
    supply: dict[str, Trace]
    extent: dict[str, Extent]


class LogFight(TypedDict):
    """A fight in one line of the record: what it is called, its odds, its dice, its result and how likely that was."""

    side: str
    title: str
    hexes: list[str]
    column: str
    dice: list[str]
    code: str
    chance: float


class LogEntry(TypedDict):
    """An event of the record. ``of`` is the side whose phase it was, ``moved`` who went where from where, ``lost`` the
    steps each side had fewer on the map afterwards, ``outcome`` whether it belongs to what the fight before it led to,
    ``reason`` why a computer player ordered it."""

    n: int
    turn: int
    phase: str
    side: str
    of: str
    lines: list[LogLine]
    text: str
    moved: list[tuple[str, str, str]]
    lost: dict[str, int]
    roll: NotRequired[int]
    chance: NotRequired[str]
    fight: NotRequired[LogFight]
    outcome: NotRequired[bool]
    reason: NotRequired[str]


class Case(TypedDict):
    """A case of the rules in our words."""

    case: str
    title: str
    text: str


class Rules(TypedDict):
    """The cases and charts of a game."""

    title: str
    cases: list[Case]
    charts: list[Chart]


class Board(TypedDict):
    """A board of a map, and where it lies."""

    name: str
    title: str
    shape: Literal["flat", "pointy"]
    north: float
    km: float
    dx: float
    dy: float
    frame: tuple[float, float, float, float]


class Ground(TypedDict):
    """Where the hexes of a map lie."""

    hex: float
    boards: list[Board]
    hexes: dict[str, tuple[float, float]]


class Score(TypedDict):
    """The score for the first side, had the game ended after ``n`` events."""

    n: int
    turn: int
    score: float
    level: str


class Sample(TypedDict):
    """Something on the map: its name, what it does, and a hex of it as SVG around the origin."""

    name: str
    text: str
    drawing: str


class Summary(TypedDict):
    """A match in one line."""

    id: str
    game: str
    title: str
    kind: str
    begun: float
    moved: NotRequired[float]
    turn: int
    phase: str
    to_move: str | None
    over: bool
    outcome: Outcome | None
    events: int
    you: list[str]
    seats: list[Seat]


class Invitation(TypedDict):
    """What somebody is invited to."""

    title: str
    side: str
    host: str
    turn: int
    phase: str


class Roll(TypedDict):
    """A throw with everything that was possible: outcome, numerator, denominator."""

    title: str
    turn: int
    side: str
    outcomes: list[tuple[str, int, int]]
    result: str


class Proof(TypedDict):
    """Every roll of a match, to be checked against the seed."""

    commitment: str
    seed: str
    rolls: list[Roll]


class Device(TypedDict):
    """A browser that a person uses."""

    id: int
    label: str
    since: float
    seen: float
    this: bool


class DeviceLink(TypedDict):
    """A link for another device, good once, and a picture of it as SVG."""

    link: str
    seconds: int
    qr: str


class OpenSeat(TypedDict):
    """An invitation to anybody: a seat that waits."""

    match: str
    link: str
    game: str
    title: str
    side: str
    host: str
    begun: float
    clock: str


class Setups(TypedDict):
    """One's own set-ups of the side one plays, by name, and how many counters have been placed in this match."""

    side: str
    placed: int
    kept: dict[str, list[str]]


class Progress(TypedDict):
    """How far a seat has come in the guide."""

    done: list[str]
    left: bool


class Notices(TypedDict):
    """Where one is told that it is one's turn, and what the messages are signed with."""

    url: str
    secret: str
    possible: bool


class Counsel(TypedDict):
    """A piece of advice: what to do or to fear, where, and what it would come to. Worth is in steps."""

    kind: Literal["attack", "leave", "move", "order", "danger", "road", "cut", "reach"]
    title: str
    text: str
    hex: str
    arrows: list[tuple[str, str]]
    orders: list[str]
    column: str
    falls: float
    depends: float
    unhurt: float
    worth: float


class Advice(TypedDict):
    """What the staff says, and to which version of the table."""

    version: int
    points: list[Counsel]


class Rung(TypedDict):
    """A column of the combat table, and what it takes to come to it."""

    column: str
    strength: float
    units: list[str]
    falls: float
    unhurt: float
    air: int


class Reckoning(TypedDict):
    """Counters against a hex in the mind."""

    hex: str
    units: list[str]
    column: str
    strength: float
    defence: str
    modifiers: list[Modifier]
    prospects: Prospects | None
    worth: float
    ladder: list[Rung]
    ways: list[Rung]
    columns: list[str]
    refused: str
    case: str
    air: int
    most_air: int
    overruns: bool


class Reply(TypedDict):
    """What comes back for a question or an order, besides its own fields."""

    ok: bool
    code: NotRequired[str]
    message: NotRequired[str]
    case: NotRequired[str]


SHAPES = (
    Phase, Entry, Outcome, Offers, Trail, UndoState, Ending, Ask, Spread, Modifier, Prospects, Explanation, Owed,
    Moment, Clock, Takeback, State, Threat, Throw, SideLuck, LuckReport, Option, Scenario, PhaseHelp, VerbHelp, Card,
    About, Talk,
    Welcome, Seat, People, Spelt, Choices, Answer, Trace, Extent, HexFacts, LogLine, LogFight, LogEntry, Case, Rules,
    Board, Ground, Sample, Score, Summary, Invitation, Roll, Proof, Device, DeviceLink, OpenSeat, Setups, Progress,
    Notices, Counsel, Advice, Rung, Reckoning, Reply,
)  # fmt: skip
"""Everything the client's types are written from."""
