"""What is asked of a side, in words: whose move it is, what to do, how, and what its end does.

Everything is worked out from the roles of the orders it may give, so that no game is named here.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from typing import NamedTuple

from .names import Names
from .orders import END, Order, Role
from .position import Refusal, View

GOING = frozenset({Role.GO, Role.ENTER, Role.PLACE})
COMPOSING = frozenset({Role.JOIN, Role.COMMIT})


class Ending(NamedTuple):
    """What the button that ends something says and does; held back, it says why."""

    order: str
    """The order it gives, or nothing while it is held back."""
    label: str
    held: str = ""
    """Why it cannot be pressed yet, in a few words."""
    refusal: Refusal | None = None
    """The same in the engine's words."""


class Asked(NamedTuple):
    """What a side is asked: ``what`` names the action, ``how`` how it is done at a table."""

    what: str
    how: str
    ending: Ending


def roles(view: View) -> Tally[Role]:
    """How many orders of each role may be given."""
    verbs = view.game.grammar.verbs
    found: Tally[Role] = Tally()
    for (_, verb), count in view.legal.kinds().items():
        found[verbs[verb].role] += count
    return found


def phase_words(title: str, side: str) -> str:
    """A phase without its side, to be read in a sentence.

    >>> phase_words("German movement", "german"), phase_words("Lay the fleet's guns", "soviet")
    ('movement', "lay the fleet's guns")
    """
    bare = re.sub(rf"^{side} +", "", title, flags=re.IGNORECASE)
    return bare[:1].lower() + bare[1:]


def asked(view: View, names: Names | None = None) -> Asked:
    """What the side of a view is asked now; nothing while somebody else moves. Who knows the names of what it sees says
    them."""
    if view.to_move != view.side:
        return Asked("", "", Ending("", ""))
    found = roles(view)
    if names is None:
        names = Names()
        names.look(view.table().counters)
    what, how = _words(view, found, names)
    return Asked(what, how, ending(view, found))


def _words(view: View, found: Tally[Role], names: Names) -> tuple[str, str]:
    """The first of these that fits: what there is to do decides, not what the phase is called."""
    own = names.say(view.prompt)
    phase = phase_words(view.phase.title, view.phase.side)
    plainly = own == view.phase.title and own.lower().startswith(view.phase.side)
    yours = f"Your {phase}" if plainly else own
    kinds = frozenset(found)
    acting = kinds - {Role.END, Role.WAIT, Role.CANCEL}
    if not acting:
        return ("Nothing left to do here", "end it when you are ready") if _ends_phase(view) else (own, "")
    if COMPOSING & acting and view.phase.side == view.side:
        return "Choose the attackers", "the counters that are lit, then commit"
    if Role.AIM in acting and not GOING & acting:
        return yours, "choose a hex to attack"
    if acting == {Role.ADVANCE}:
        return ("Advance" if Role.END in kinds else "Advance at least one unit"), "choose a unit, then the empty hex"
    if acting == {Role.LOSE, Role.RETREAT}:
        return "Pay", "take steps, or retreat"
    if acting == {Role.LOSE}:
        return "Pay", "choose the unit that takes a step"
    if acting == {Role.RETREAT}:
        return "Retreat", "choose a unit, then a lit hex"
    if acting == {Role.PLACE}:
        return (own if not plainly else "Set up"), "choose a unit, then a lit hex"
    if acting == {Role.ENTER}:
        return "Bring in reinforcements", "choose a unit, then a lit hex"
    if acting & {Role.GO, Role.STRIKE}:
        return yours, "choose a unit, then a lit hex"
    return yours, ""


def _ends_phase(view: View) -> bool:
    """Whether ``end`` ends the phase, and does not decline a choice inside it, as it does in the other side's phase."""
    if view.phase.side not in ("", view.side):
        return False
    return view.why_not(Order(END.verb, words=(view.phase.id,))) is None


def ending(view: View, found: Tally[Role]) -> Ending:
    """The button that ends the phase, declines the choice in hand, or says why it is held back."""
    phase = phase_words(view.phase.title, view.phase.side)
    label = f"End {phase}" if len(phase) <= 20 else "End phase"
    if not found[Role.END]:
        return Ending("", label, _held(view, found), view.why_not(END))
    if _ends_phase(view):
        return Ending(f"{END.verb} {view.phase.id}", label)
    return Ending(str(END), _declining(view, found))


def _declining(view: View, found: Tally[Role]) -> str:
    if found[Role.ADVANCE]:
        return "No further advance"
    if view.phase.side != view.side:
        return "Let it pass"
    if found[Role.RETREAT]:
        return "No further retreat"
    return "No more of this"


def _held(view: View, found: Tally[Role]) -> str:
    """Why there is no end yet, in at most five words."""
    verbs = view.game.grammar.verbs

    def units(role: Role) -> int:
        return len({unit for named, verb in view.legal.kinds() if verbs[verb].role is role for unit in named})

    for role, one, many in (
        (Role.ENTER, "1 unit must still enter", "{} units must still enter"),
        (Role.PLACE, "1 unit to place", "{} units to place"),
        (Role.ADVANCE, "advance one unit first", "advance one unit first"),
        (Role.LOSE, "a loss is still owed", "losses still owed"),
        (Role.RETREAT, "1 unit must retreat", "{} units must retreat"),
        (Role.JOIN, "finish the attack first", "finish the attack first"),
        (Role.COMMIT, "commit the attack first", "commit the attack first"),
        (Role.WAIT, "decide first", "decide first"),
        (Role.GO, "a unit must still move", "units must still move"),
        (Role.AIM, "an attack is still due", "an attack is still due"),
    ):
        if found[role]:
            count = units(role)
            return one if count == 1 else many.format(count)
    return "decide first"
