"""A fight as it is shown: what it promises before the throw, and afterwards what fell, who owes what, what was paid.

Everything is told through the eyes of whoever looks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import cast

from msgspec.structs import replace

from ..analysis.fights import Fight, explained
from ..analysis.promise import promised
from ..kernel.events import Odds
from ..kernel.game import Game
from ..kernel.names import Names, formation_name, full_name
from ..kernel.orders import Order, Role
from ..kernel.position import CHANCE, Explanation, View
from ..kernel.table import Counter, Table
from ..players.attacks import halves
from ..players.tuning import Results, tuning
from . import shapes
from .fights import fights, settled
from .match import Match, told
from .sight import Faces, Sight

PAYING = (Role.LOSE, Role.RETREAT)
AFTERMATH = frozenset({*PAYING, Role.ADVANCE, Role.WAIT, Role.END, Role.CHOOSE, Role.SUPPORT})
"""What may be ordered while a fight's outcome is still being carried out."""


# Counters as people read them -----------------------------------------------------------------


@lru_cache(16)
def _backs(game: Game) -> dict[str, Counter]:
    """The back of every printed counter that has one."""
    return {front.id: back for front, back in game.counter_sheet() if back is not None and back.id == front.id}


def named(game: Game, counter: Counter) -> Counter:
    """A counter that knows its full name, and what it becomes when it takes a step."""
    back = _backs(game).get(counter.id)
    shows = back is not None and counter.steps == counter.full_steps and back.steps == counter.steps - 1
    formation = formation_name(counter.formation) if counter.formation else ""
    reverse = back.figures if back is not None and shows else ""
    return replace(counter, called=full_name(counter), formation=formation, reverse=reverse)


def called(sight: Sight) -> Table:
    """The table somebody sees, with counters that know their full names."""
    shared, table = sight.shared, sight.table()
    if shared.called is None:
        counters = list(_named_again(sight.game, shared.faces, table.counters))
        shared.names.look(counters)
        lines = [shared.names.say(line) for line in table.lines]
        shared.called = replace(table, counters=counters, lines=lines)
    return shared.called


def names_in(sight: Sight) -> Names:
    """The full names of all that somebody sees."""
    called(sight)
    return sight.shared.names


def _named_again(game: Game, faces: Faces, counters: Iterable[Counter]) -> Iterator[Counter]:
    """Counters with their full names; most lie as they lay, and are not named again."""
    for counter in counters:
        known = faces.get(counter.id)
        if known is None or (known[0] is not counter and known[0] != counter):
            known = faces[counter.id] = (counter, named(game, counter))
        yield known[1]


# Before the throw -----------------------------------------------------------------------------


def struck(view: View, told: Explanation) -> list[str]:
    """The hexes an attack strikes: those of its order, or the last that its title names."""
    if told.order.hexes:
        return list(told.order.hexes[-1:])
    grid = view.map.grid
    return [word for word in re.split(r"[\s,-]+", told.title) if len(word) > 1 and word in grid][-1:]


FIRES = {
    "Air": "Air strike on",
    "Defensive": "Defensive fire at",
    "Offensive": "Offensive fire at",
    "Structure": "Fire at the structure in",
}
"""Kinds of fire that a title only names by a word."""


def titled(view: View, told: Explanation, hexes: list[str]) -> str:
    """What an attack is called above its odds: by the place it strikes, never by the counters' own abbreviations."""
    head, _, rest = told.title.partition(" at ")
    if head in FIRES:
        return f"{FIRES[head]} {_place(view, rest)}"
    if hexes and " against " in told.title:
        return f"Attack on {_place(view, hexes[-1])}"
    kind, _, number = told.title.rpartition(" ")
    return f"{kind} {_place(view, number)}" if number in view.map.grid else told.title


def _place(view: View, number: str) -> str:
    """A hex by its name, if it has one."""
    return view.map.names.get(view.map.grid.hex(number), number) if number in view.map.grid else number


def joined(match: Match) -> tuple[str, ...]:
    """The units that have joined the attack that is being put together, or that the defence is asked to meet."""
    found: list[str] = []
    side = match.to_move
    for order, mover in zip(reversed(match.orders), reversed(match.movers), strict=True):
        role = match.game.role(order)
        if mover != side and side == match.to_move and role in (Role.COMMIT, Role.STRIKE):
            if role is Role.STRIKE:
                return order.units
            side = mover
            found.clear()
            continue
        if mover != side or role not in (Role.JOIN, Role.AIM, Role.CHOOSE, Role.SUPPORT, Role.CANCEL):
            break
        if role is Role.AIM or role is Role.CANCEL:
            return tuple(reversed(found)) if role is Role.AIM else ()
        if role is Role.JOIN:
            found.extend(order.units)
    return ()


def weighed(view: View, order: Order, joined: tuple[str, ...] = ()) -> shapes.Explanation | None:
    """An attack in numbers with what it promises and whom it concerns; nothing if the order is no attack. Whom the
    counters do not tell was ``joined`` to it before."""
    told = view.explain(order)
    hexes = struck(view, told)
    counters = view.table().counters
    attacker = view.phase.side if order.hexes or view.to_move != view.side else view.side
    holders = {c.side for c in counters if c.hex and c.hex in hexes}
    if len(holders) == 1 and attacker in holders:  # the defence is asked what it does about it
        attacker = next(side for side in view.game.sides if side not in holders)
    against = [c for c in counters if c.hex and c.hex in hexes and c.side != attacker]
    units = [c for c in counters if c.id in told.order.units or "attacking" in c.states]
    units = units or [c for c in counters if c.id in joined]
    names = Names()
    names.look(counters)
    plain = told.as_json() | {
        "title": titled(view, told, hexes),
        "notes": [_said(names, note) for note in told.notes],
        "modifiers": [m | {"label": _spoken(names, m["label"])} for m in told.as_json()["modifiers"]],
        "prospects": prospects(tuning(view.game.id).results, told, sum(c.steps for c in against)),
        "hexes": hexes,
        "against": [named(view.game, c) for c in against],
        "units": [named(view.game, c) for c in units],
    }
    return cast(shapes.Explanation, plain)


def _said(names: Names, note: str) -> str:
    """A note on an attack, its first unit by its full name."""
    unit, space, rest = note.partition(" ")
    bare = unit.removesuffix(":")
    return f"{names.known.get(bare, bare)}{unit[len(bare) :]}{space}{rest}"


def _spoken(names: Names, label: str) -> str:
    """A modifier in words: a unit that it begins or ends with by its full name."""
    whose, colon, rest = label.partition(": ")
    unit, comma, more = whose.partition(", ")
    return f"{names.known[unit]}{comma}{more}{colon}{rest}" if colon and unit in names.known else names.say(label)


def prospects(results: Results, told: Explanation, steps: int) -> shapes.Prospects:
    """What an attack promises, in plain numbers."""
    found = promised(results, told, steps)
    return {
        "falls": float(found.falls), "depends": float(found.depends), "holds": float(found.holds),
        "unhurt": float(found.unhurt),
    }  # fmt: skip


# After the throw ------------------------------------------------------------------------------


def moment(match: Match, audience: str, n: int | None = None) -> shapes.Moment | None:
    """The fight whose outcome is being carried out after ``n`` events, or now."""
    upto = len(match.orders) if n is None else n
    fight = next((f for f in reversed(fights(match)) if 0 < f.n <= upto), None)
    if fight is None or not all(_still(match, k) for k in range(fight.n, upto)):
        return None
    return _told(match, fight, audience, upto)


def _still(match: Match, k: int) -> bool:
    """Whether an event belongs to the outcome of the fight before it, asked once."""
    return settled(match, ("belongs", k), lambda: _belongs(match, k))


def _belongs(match: Match, k: int) -> bool:
    """Whether the order after ``k`` events still belongs to the outcome of the fight before it."""
    order, mover = match.orders[k], match.movers[k]
    if mover == CHANCE:
        return True
    role = match.game.role(order)
    if role is Role.END:
        before = match.at(k)
        return before.choice is not None and before.phase == match.at(k + 1).phase
    return role in AFTERMATH


def _told(match: Match, fight: Fight, audience: str, upto: int) -> shapes.Moment:
    fought = settled(match, ("fought", audience, fight.n), lambda: _fought(match, fight, audience))
    return {
        **fought, "owed": _owed(match, fight, tuning(match.game.id).results, upto),
        "lines": _lines(match, audience, fight.n, upto),
    }  # fmt: skip


def _lines(match: Match, audience: str, first: int, last: int) -> list[shapes.LogLine]:
    """What some events told an audience, in the words of its log, which need not be written for that."""
    if match.unlogged(audience) <= len(match.orders) - last:
        log = match.log(audience, first - 1)
        return [line for entry in log if entry["n"] <= last for line in entry["lines"]]
    names = Names()
    for n in (first - 1, last):
        names.look(called(match.sight(match.at(n), audience)).counters)
    return [line for n in range(first, last + 1) for line in told(names, match.sight(match.at(n), audience))]


def _fought(match: Match, fight: Fight, audience: str) -> shapes.Moment:
    """What stands about a fight once its dice have fallen."""
    before = match.sight(match.at(fight.began - 1), audience)
    told = explained(match.at(fight.began - 1), audience, fight.order) or fight.told
    ready = match.sight(match.at((fight.die or fight.n) - 1), audience)
    counters, names = ready.table().counters, names_in(ready)
    attackers = [c for c in counters if c.id in fight.units or "attacking" in c.states]
    gone = [c for c in before.table().counters if c.hex in fight.hexes and c.side != fight.side]
    defenders = [c for c in counters if c.hex and c.hex in fight.hexes and c.side != fight.side] or gone
    shown = fight.odds is not None and audience not in fight.odds.hidden_from
    odds = fight.odds.fact if shown and fight.odds else None
    strengths = (odds.attack, odds.defence) if isinstance(odds, Odds) and odds.defence is not None else ()
    exact = next((p for code, p in told.results if str(code) == fight.code), Fraction(0))
    results = tuning(match.game.id).results
    return {
        "n": fight.n, "began": fight.began, "turn": fight.turn, "side": fight.side,
        "title": titled(before, told, list(fight.hexes)),
        "hexes": list(fight.hexes), "attackers": [named(match.game, c) for c in attackers],
        "defenders": [named(match.game, c) for c in defenders],
        "attack": str(strengths[0]) if strengths else _spread(told.attack),
        "defence": str(strengths[1]) if strengths else _spread(told.defence),
        "modifiers": [m | {"label": _spoken(names, m["label"])} for m in told.as_json()["modifiers"]],
        "initial": str(told.initial[0][0]) if len(told.initial) == 1 else "",
        "column": fight.column, "table": told.table, "to_die": told.to_die, "dice": list(fight.dice),
        "code": fight.code, "meaning": told.meaning.get(fight.code, ""), "chance": float(exact), "exact": str(exact),
        "prospects": prospects(results, told, fight.theirs), "owed": [], "lines": [],
    }  # fmt: skip


def _spread(pairs: tuple[tuple[int | Fraction, Fraction], ...]) -> str:
    values = sorted(value for value, _ in pairs)
    if not values:
        return ""
    return str(values[0]) if values[0] == values[-1] else f"{values[0]}–{values[-1]}"


def _owed(match: Match, fight: Fight, results: Results, upto: int) -> list[shapes.Owed]:
    """What each side owes by the code, the defender first, and what it has paid so far."""
    hit, paid = halves(results, fight.code)
    defender = next(side for side in match.game.sides if side != fight.side)
    now = match.at(upto)
    paying = now.to_move if now.to_move in match.game.sides and _due(match.sight(now, now.to_move)) else None
    owed: list[shapes.Owed] = []
    for side, part in ((defender, "".join(hit)), (fight.side, paid)):
        amount = int(found[0]) if (found := re.match(r"\d+", part)) else 0
        given = [match.orders[k] for k in range(fight.n, upto) if match.movers[k] == side]
        lost = sum(match.game.role(order) is Role.LOSE for order in given)
        waits = side == fight.side and paying == defender and amount > lost
        done = side != paying and not waits
        met = amount if done else min(lost, amount)
        owed.append({"side": side, "part": part, "owed": amount, "paid": met, "done": done})
    return owed


def _due(view: View) -> bool:
    """Whether the side of a view has losses or retreats to carry out."""
    return any(view.game.role(order) in PAYING for order in view.legal)


# In the record --------------------------------------------------------------------------------


def logged(match: Match, audience: str, start: int = 0) -> list[shapes.LogEntry]:
    """The log from the ``start``-th event on; the throw that settled a fight tells it in a line."""
    settled = {fight.n: fight for fight in fights(match) if fight.n > start}
    before = max((fight.n for fight in fights(match) if 0 < fight.n <= start), default=start + 1)
    belongs = before <= start and all(_still(match, k) for k in range(before, start))
    entries = match.log(audience, start)
    told = {} if not match.reasons or (match.secret() and not match.over) else match.reasons
    for entry in entries:
        if entry["n"] in settled:
            entry["fight"] = _line(match, settled[entry["n"]], audience)
            belongs = True
        elif belongs and (belongs := _still(match, entry["n"] - 1)):
            entry["outcome"] = True
        if why := told.get(match.seqs[entry["n"] - 1]):
            entry["reason"] = why
    return entries


def _line(match: Match, fight: Fight, audience: str) -> shapes.LogFight:
    return settled(match, ("line", audience, fight.n), lambda: _summed_up(match, fight, audience))


def _summed_up(match: Match, fight: Fight, audience: str) -> shapes.LogFight:
    before = match.sight(match.at(fight.began - 1), audience)
    told = explained(match.at(fight.began - 1), audience, fight.order) or fight.told
    chance = next((float(p) for code, p in told.results if str(code) == fight.code), 0.0)
    return {
        "side": fight.side, "title": titled(before, told, list(fight.hexes)), "hexes": list(fight.hexes),
        "column": fight.column, "dice": list(fight.dice), "code": fight.code, "chance": chance,
    }  # fmt: skip
