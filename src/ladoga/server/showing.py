"""A match as messages: the state of the table, what units may do, hexes, overlays, proofs.

Everything here is worked out from a ``View``, so that nothing a side may not know can slip in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Mapping
from functools import cache
from importlib import resources
from itertools import filterfalse
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any, TypeVar, cast

from ..analysis.fights import MARCHING
from ..analysis.threat import threats
from ..hexes import DIRECTIONS, NOWHERE
from ..kernel.asking import asked
from ..kernel.data import Strict, load
from ..kernel.errors import BadOrder, LadogaError
from ..kernel.game import Game
from ..kernel.names import labelled
from ..kernel.orders import Order, Role
from ..kernel.position import CHANCE, OBSERVER, SET_UP, Phase, Reached, View
from ..players.levels import ratings_of
from . import shapes
from .match import Match
from .moment import called, moment, names_in, weighed
from .sight import Sight


class Until(Strict):
    """What ends a step: a unit selected, an order of a verb given, a phase reached."""

    select: bool = False
    verb: str = ""
    phase: str = ""


class When(Strict):
    """What brings a step up: a phase, a verb that may be ordered now, or one that has been ordered."""

    phase: str = ""
    offer: str = ""
    after: str = ""


class GuideStep(Strict):
    """A step of the guide of a seat. ``at`` says where the hex is found that its text names ``{hex}``: among the units
    that may be ordered, the hexes that may be pointed at, or what is due after a fight."""

    id: str
    title: str
    text: str
    side: str = ""
    case: str = ""
    at: str = ""
    when: When | None = None
    until: Until | None = None


T = TypeVar("T")

ROAMING = frozenset({Role.GO, Role.ENTER})
"""Orders that spend movement points."""


DUE = frozenset({Role.LOSE, Role.RETREAT, Role.ADVANCE})
"""What is done with the outcome of a fight."""

MANY = 50
"""Orders that are spelt in one small step."""
UNITS, UNITS_OF = attrgetter("units"), itemgetter(0)


def state(match: Match, audience: str, n: int | None = None) -> shapes.State:
    """The table as an audience sees it, now or after ``n`` events."""
    view = match.view(audience, n)
    now = n is None
    outcome = match.kept.ended or (view.outcome.as_json() if view.outcome else None)
    return {
        "version": match.version,
        "n": len(match.orders) if n is None else n,
        "turn": view.turn,
        "phase": _phase(view.phase),
        "phases": [_phase(phase) for phase in match.phases.values()],
        "prompt": view.prompt,
        "ask": _asked(view),
        "to_move": match.to_move if now else view.to_move,
        "audience": audience,
        "table": called(view),
        "standing": _standing(view),
        "outcome": _outcome(view, outcome) if now and outcome else None,
        "offers": _offered(view) if now and not match.over else offers_none(),
        "trail": trail(match, audience, n),
        "moment": moment(match, audience, n),
    }


def looking_back(match: Match, audience: str, n: int) -> Generator[None, None, shapes.State]:
    """The table as an audience saw it after ``n`` events, in small steps."""
    for moment_ in (n - 1, n):
        yield from match.going_to(moment_)
        called(match.view(audience, moment_))
        yield
    yield from recalling(match, audience, n)
    return state(match, audience, n)


def preparing(match: Match, audience: str) -> Generator[None, None, None]:
    """Work out, in small steps, what takes longest of what an audience is about to be shown."""
    view = match.view(audience)
    view.table()
    yield
    called(view)
    yield
    for _ in view.legal:
        break
    yield
    _offered(view)
    yield
    _asked(view)
    yield
    _standing(view)
    yield
    yield from recalling(match, audience)


def recalling(match: Match, audience: str, n: int | None = None) -> Generator[None, None, None]:
    """Work out, in small steps, what an audience sees of what led to the table as it is now, or after ``n`` events."""
    moment(match, audience, n)
    yield


def _offered(view: Sight) -> shapes.Offers:
    return _once(view, "offers", offers)


def _asked(view: Sight) -> shapes.Ask:
    return _once(view, "ask", asking)


def _standing(view: Sight) -> shapes.Outcome:
    return _once(view, "standing", lambda view: _outcome(view, view.standing.as_json()))


def _once(view: Sight, key: str, work_out: Callable[[Sight], T]) -> T:
    """Something that an audience is told about a position, worked out once."""
    if key not in view.told:
        view.told[key] = work_out(view)
    found: T = view.told[key]
    return found


def asking(view: View) -> shapes.Ask:
    """What the audience is asked now."""
    told = asked(view, names_in(view) if isinstance(view, Sight) else None)
    end, (case, why) = told.ending, told.ending.refusal or ("", "")
    return {
        "what": told.what, "how": told.how,
        "ending": {"order": end.order, "label": end.label, "held": end.held, "case": case, "why": why},
    }  # fmt: skip


def _phase(phase: Phase) -> shapes.Phase:
    return {"id": phase.id, "side": phase.side, "case": phase.case, "title": phase.title}


def _outcome(view: Sight, told: dict[str, Any]) -> shapes.Outcome:
    """An outcome whose ledger names units in full."""
    entries = told.get("ledger", ())
    names = {counter.id: counter.called for counter in called(view).counters} if entries else {}
    ledger = [entry | {"label": labelled(entry["label"], names)} for entry in entries]
    return cast(shapes.Outcome, told | {"ledger": ledger})


def trail(match: Match, audience: str, n: int | None = None) -> list[shapes.Trail]:
    """How counters came to where they stand now (or after event ``n``): each with its way, as far as it can be seen."""
    before, after, order = match.last_action(n)
    if order is None:
        return []
    seen = match.sight(before, audience)
    stood = {c.id: c.hex for c in match.table(before, audience).counters if c.hex}
    moved = {c.id: c.hex for c in match.table(after, audience).counters if c.hex and stood.get(c.id, c.hex) != c.hex}
    ways: dict[tuple[str, str], list[str]] = {}
    trails: list[shapes.Trail] = []
    for unit, to in moved.items():
        start = stood[unit]
        if (start, to) not in ways:
            ways[start, to] = _way(seen, order, unit, start, to)
        trails.append({"unit": unit, "path": ways[start, to]})
    return trails


def _way(view: View, order: Order, unit: str, start: str, to: str) -> list[str]:
    """The hexes a counter went through, if the order and what the audience knows tell; else only the two ends."""
    if unit in order.units and order.hexes and order.hexes[-1] == to:
        path = list(order.hexes) if len(order.hexes) > 1 else list(_reached(view, order.units, to))
        if path:
            return path if path[0] == start else [start, *path]
    return [start, to]


def _reached(view: View, units: tuple[str, ...], to: str) -> tuple[str, ...]:
    reach = _reach(view, units)
    return reach[to].path if to in reach else ()


def offers_none() -> shapes.Offers:
    """Nothing to order."""
    return {"orders": [], "hexes": {}, "units": {}, "due": []}


def offers(view: View) -> shapes.Offers:
    """What may be ordered: orders that stand alone, hexes that can be pointed at, and units with
    the verbs that apply to them."""
    listed = list(view.legal)
    kinds = view.legal.kinds()
    units: defaultdict[str, list[str]] = defaultdict(list)
    for named, verb in kinds:
        for unit in named:
            if verb not in units[unit]:
                units[unit].append(verb)
    verbs = view.game.grammar.verbs
    owed = {verb for named, verb in kinds if named and verbs[verb].role in DUE}
    due = [_spelt(order) for order in listed if order.units and order.verb in owed] if owed else []
    alone: list[str] = []
    hexes: defaultdict[str, list[str]] = defaultdict(list)
    for order in filterfalse(UNITS, listed) if () in map(UNITS_OF, kinds) else ():
        if order.hexes:
            hexes[order.hexes[-1]].append(str(order))
        else:
            alone.append(str(order))
    return {"orders": alone, "hexes": hexes, "units": units, "due": due}


def choices(view: View, units: tuple[str, ...]) -> shapes.Choices:
    """What these units may do together: orders, and where they can go at what cost."""
    steps = choosing(view, units)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return cast(shapes.Choices, done.value)


def choosing(view: View, units: tuple[str, ...]) -> Generator[None, None, shapes.Choices]:
    """What these units may do together, in small steps."""
    if view.to_move != view.side or not units:
        return {"orders": [], "reach": {}, "weighed": []}
    legal = view.legal
    wanted = set(units)
    listed = [order for order in legal.naming(units[0]) if order.units == units or set(order.units) == wanted]
    yield
    verbs = {order.verb: order for order in listed}
    roams = any(view.game.role(order) in ROAMING for order in verbs.values())
    reach = _reach(view, units) if roams or len(units) > 1 else {}
    yield
    if len(units) > 1:
        known = {(order.verb, order.hexes) for order in listed}
        together = (Order(verb, units, (hex_,)) for verb in _spelled(view.game, Role.GO) for hex_ in reach)
        for order in together:
            if (order.verb, order.hexes) not in known and order in legal:
                listed.append(order)
                verbs[order.verb] = order
            yield
    fights: list[str] = []
    for verb, order in verbs.items():
        if order.hexes and view.game.role(order) not in MARCHING and explained(view, str(order)) is not None:
            fights.append(verb)
        yield
    told: dict[str, tuple[str, str, list[str]]] = {}
    for hex_, (left, path, cost) in reach.items():
        told[hex_] = (str(left), str(cost), list(path))
        yield
    spelt: list[shapes.Spelt] = []
    for order in listed:
        spelt.append(_spelt(order))
        if len(spelt) % MANY == 0:
            yield
    return {"orders": spelt, "reach": told, "weighed": fights}


def _spelled(game: Game, role: Role) -> list[str]:
    """How a game spells what is for something."""
    return [verb.name for verb in game.grammar.verbs.values() if verb.role is role]


def _spelt(order: Order) -> shapes.Spelt:
    """An order as it goes out, where its tuples are lists like any other."""
    plain = {
        "text": str(order), "verb": order.verb, "units": order.units, "hexes": order.hexes, "words": order.words,
    }  # fmt: skip
    return cast(shapes.Spelt, plain)


def _reach(view: View, units: tuple[str, ...]) -> Mapping[str, Reached]:
    """Where units can go; nowhere if the view knows no such units."""
    try:
        return view.reach(units)
    except LadogaError:
        return {}


def why(view: View, text: str) -> shapes.Answer:
    """The case that forbids an order, or nothing."""
    try:
        refusal = view.why_not(text)
    except BadOrder as problem:
        return {"case": "", "message": str(problem), "legal": False}
    if refusal is None:
        return {"case": "", "message": "", "legal": True}
    return {"case": refusal.case, "message": refusal.message, "legal": False}


def why_there(view: View, units: tuple[str, ...], hex_: str) -> shapes.Answer:
    """Why units cannot do anything at a hex, in the engine's words for what a player meant: to strike where an enemy
    stands, else to go there."""
    verbs = dict.fromkeys(order.verb for unit in units for order in view.legal.naming(unit) if order.hexes)
    enemy = any(c.hex == hex_ and c.side != view.side for c in view.table().counters)
    roles = view.game.grammar.verbs
    meant = sorted(verbs, key=lambda verb: (roles[verb].role in MARCHING) == enemy) or _spelled(view.game, Role.GO)[:1]
    told = [why(view, str(Order(verb, units, (hex_,)))) for verb in meant]
    return next((answer for answer in told if answer["legal"]), told[0])


def explained(view: View, text: str, joined: tuple[str, ...] = ()) -> shapes.Explanation | None:
    """An attack in numbers, of units that ``joined`` it; ``None`` if this order is no attack."""
    try:
        return weighed(view, view.game.parse(text), joined)
    except LadogaError:
        return None


def hex_facts(view: View, number: str) -> shapes.HexFacts | None:
    """The land, the hexsides, the zones and the supply of a hex; ``None`` if there is no such hex."""
    game_map = view.map
    grid = game_map.grid
    if number not in grid:
        return None
    h = grid.hex(number)
    sides: dict[str, list[str]] = {}
    for d in DIRECTIONS:
        beyond = grid.neighbours(h)[d]
        if beyond != NOWHERE and (kinds := game_map.sides_of(h, beyond)):
            sides[grid.number(beyond)] = kinds
    counters = [counter for counter in view.table().counters if counter.hex == number]
    return {
        "hex": number,
        "name": game_map.names.get(h, ""),
        "terrain": game_map.terrain_of(h),
        "places": game_map.places_of(h),
        "sides": sides,
        "zones": [side for side in view.game.sides if number in view.zoc(side)],
        "supply": {c.id: trace for c in counters if (trace := _trace(view, c.id)) is not None},
        "extent": {c.id: told for c in counters if not c.face_down and (told := _extent(view, c.id)) is not None},
    }


def _extent(view: View, unit: str) -> shapes.Extent | None:
    """How far a unit's command or fire reaches."""
    told = view.extent(unit)
    if told is None:
        return None
    return {"kind": told.kind, "case": told.case, "hexes": sorted(told.hexes), "beyond": sorted(told.beyond)}


def _trace(view: View, unit: str) -> shapes.Trace | None:
    """A counter's line of supply; ``None`` for one that is no unit."""
    try:
        return cast(shapes.Trace, view.supply(unit).as_json())
    except LadogaError:
        return None


def layer(match: Match, audience: str, kind: str) -> dict[str, Any]:
    """An overlay of the whole map."""
    view = match.view(audience)
    if kind == "zoc":
        return {side: sorted(view.zoc(side)) for side in view.game.sides}
    if kind == "supply":
        units = (c.id for c in view.table().counters if c.hex and (audience == OBSERVER or c.side == audience))
        return {unit: trace for unit in units if (trace := _trace(view, unit)) is not None}
    if kind == "moves":
        return dict(match.last_moves(audience))
    if kind == "threat":
        sides = view.game.sides if audience == OBSERVER else (audience,)
        return {hex_: told for side in sides for hex_, told in threats(view, side).items()}
    return {}


def proof(match: Match) -> shapes.Proof:
    """Every roll of a finished match, with what was possible, to be checked against the seed."""
    rolls: list[shapes.Roll] = []
    for order, mover, position in zip(match.orders, match.movers, _positions(match), strict=False):
        chance = position.chance
        if chance is not None and mover == CHANCE:
            rolls.append(
                {
                    "title": chance.title,
                    "turn": position.turn,
                    "side": position.phase.side,
                    "outcomes": [(str(o), p.numerator, p.denominator) for o, p in chance.outcomes],
                    "result": str(order),
                }
            )
    return {"commitment": match.dice.commitment, "seed": match.dice.seed.hex() if match.over else "", "rolls": rolls}


def _positions(match: Match) -> Iterable[Any]:
    position = match.start
    yield position
    for order in match.orders:
        position = position.play(order)
        yield position


class Card(Strict):
    """What the front page says about a game besides its own data."""

    text: str
    hours: str = ""
    weight: int = 0
    year: str = ""
    name: str = ""


@cache
def _cards() -> dict[str, Card]:
    path = Path(str(resources.files("ladoga.web"))) / "cards.yaml"
    cards: dict[str, Card] = load(path, dict[str, Card])
    return cards


def about(game: Game) -> shapes.About:
    """What the home page says about a game."""
    card = _cards().get(game.id, Card(""))
    return {
        "id": game.id,
        "title": game.title,
        "sides": list(game.sides),
        "turns": game.turns,
        "calendar": list(game.calendar),
        "scenarios": {key: cast(shapes.Scenario, _plain(scenario)) for key, scenario in game.scenarios.items()},
        "options": {key: cast(shapes.Option, _plain(option)) for key, option in game.options.items()},
        "phases": {
            phase.id: {"short": game.short(phase), "before": SET_UP in phase.id or Role.BID in game.opens(phase)}
            for phase in game.phases
        },
        "verbs": {
            verb.name: {"usage": verb.usage, "help": verb.help, "role": verb.role.value, "said": verb.said}
            for verb in game.grammar.verbs.values()
        },
        "changes": list(game.changes),
        "km": next((board.hex_km for board in game.map.file.boards.values()), 0),
        "guide": _guide_file(game.id).is_file(),
        "ratings": {level: (found.rating, found.within) for level, found in ratings_of(game.id).items()},
        "card": {"text": card.text, "hours": card.hours, "weight": card.weight, "year": card.year, "name": card.name},
    }


def guide(game_id: str) -> list[GuideStep] | None:
    """The steps of a game's guided first turn, if it has one."""
    path = _guide_file(game_id)
    return load(path, list[GuideStep]) if path.is_file() else None


def _guide_file(game_id: str) -> Path:
    return Path(str(resources.files("ladoga.web"))) / "guides" / f"{game_id}.yaml"


def first_position(game_id: str) -> dict[str, Any] | None:
    """The small position to learn a game at, if it has one."""
    path = Path(str(resources.files("ladoga.web"))) / "guides" / f"{game_id}.position.yaml"
    return load(path, dict[str, Any]) if path.is_file() else None


def _plain(struct: Any) -> dict[str, Any]:
    return {name: getattr(struct, name) for name in struct.__struct_fields__}
