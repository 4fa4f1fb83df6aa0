"""Chapter 3: the sequence of play. Eight steps a turn, twelve turns, then the reckoning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...kernel.orders import END, Order
from ...kernel.position import Phase, passed
from . import air, bidding, combat, forts, replacements, set_up
from .edition import GERMAN, SOVIET, Edition

if TYPE_CHECKING:
    from .position import LeningradPosition

SET_UP = (
    Phase("soviet-set-up", "soviet", "1.0", "Soviet set-up"),
    Phase("german-set-up", "german", "1.0", "German set-up"),
)
TURN = (
    Phase("german-replacement", "german", "3.0", "German replacements"),
    Phase("german-movement", "german", "3.0", "German movement"),
    Phase("german-combat", "german", "3.0", "German combat"),
    Phase("german-interdiction", "german", "3.0", "German air interdiction"),
    Phase("soviet-fortification", "soviet", "3.0", "Soviet fortification"),
    Phase("soviet-movement", "soviet", "3.0", "Soviet movement"),
    Phase("soviet-combat", "soviet", "3.0", "Soviet combat"),
)
OVER = Phase("over", "", "18.0", "The game is over")


def phases(edition: Edition) -> tuple[Phase, ...]:
    """The phases of an edition; step eight happens by itself when the turn ends."""
    set_up = SET_UP if edition.scenario.free_german is not None else SET_UP[:1]
    before = bidding.PHASES if bidding.OPTION in edition.index.options else ()
    return tuple(phase._replace(case=edition.case(phase.case)) for phase in (*set_up, *TURN, OVER, *before))


def next_phase(pos: LeningradPosition) -> None:
    """End the phase; phases in which nothing can be done on entering them pass by (3.0)."""
    _step(pos)
    while not pos.over and not _anything_to_decide(pos):
        pos.events += (passed(pos.phase),)
        _step(pos)


def _step(pos: LeningradPosition) -> None:
    pos.moved = pos.attacked = pos.defended = pos.displaced = 0
    pos.active, pos.stacks, pos.stepped, pos.origin = {}, {}, 0, -1
    pos.muster, pos.due = -1, None
    pos.changed()
    ids = pos.game.phase_ids
    if pos.phase.id == "soviet-combat":
        end_turn(pos)
        if pos.turn > pos.game.turns:
            pos.turn = pos.game.turns
            pos.enter(ids["over"])
        else:
            pos.enter(ids["german-replacement"])
    else:
        pos.enter(pos.phase_number + 1)
    if pos.phase.id == "german-replacement":
        pos.tell("turn", "3.0", "Turn {0}, {1}", pos.turn, pos.game.calendar[pos.turn - 1])


def end_turn(pos: LeningradPosition) -> None:
    """Step eight: interdicting air units come off the map and the turn marker advances (3.0)."""
    pos.place_air({})
    pos.air_used = 0
    pos.forts_placed = 0
    pos.turn += 1


def _anything_to_decide(pos: LeningradPosition) -> bool:
    phase = pos.phase.id
    if phase == "german-replacement":
        return bool(replacements.eligible(pos))
    if phase == "german-combat":
        return combat.can_attack(pos, GERMAN)
    if phase == "soviet-combat":
        return combat.can_attack(pos, SOVIET)
    if phase == "german-interdiction":
        return air.ready(pos) > 0
    if phase == "soviet-fortification":
        return forts.at_hand(pos) > 0 and forts.any_site(pos)
    if phase == "german-set-up":
        return bool(set_up.unplaced(pos))
    return True


def ends(order: Order) -> bool:
    """Whether an order is the plain end of a phase."""
    return order == END
