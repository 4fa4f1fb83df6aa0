"""How the staff plays the two Assaults."""

from __future__ import annotations

import random
from collections.abc import Hashable
from typing import TYPE_CHECKING

from ...games.assault.figures import GERMAN, SIDES
from ...games.assault.pending import Advance, Crowd, Fight, Shelter, Summons, Victim
from ...games.assault.position import COMBAT_PHASES, MOVEMENT_PHASES, AssaultPosition
from ...kernel.orders import END, Order
from ...kernel.position import View
from ..doctrine import Doctrine
from .assault_staff import air, battle, city
from .assault_staff.german import German, March
from .assault_staff.soviet import Defence, Soviet

if TYPE_CHECKING:
    from ..staff import StaffPlayer

PLANS = 4
"""How often the moves of a phase are planned: units in front must be gone before those behind find room (7.5)."""

Decision = tuple[Order, str]


class AssaultDoctrine(Doctrine):
    """Every decision by its own rule, on exact odds; whole movement phases as one plan."""

    def moment(self, view: View) -> Hashable | None:
        """The beginning of a first movement phase."""
        if view.phase.id in ("german-movement", "soviet-movement") and view.to_move == view.phase.side == view.side:
            return view.turn, view.phase.id
        return None

    def order(self, staff: StaffPlayer, view: View, rng: random.Random) -> Order | None:
        """What the staff does now."""
        pos = view.imagine(rng)
        assert isinstance(pos, AssaultPosition)
        side = SIDES.index(view.side)
        if pos.pending is None and pos.phase.id in MOVEMENT_PHASES:
            return _movement(staff, pos, side)
        picture = _picture(pos, side, staff)
        order, staff.reason = _decision(pos, picture)
        return order


def _picture(pos: AssaultPosition, side: int, staff: StaffPlayer) -> German | Soviet:
    return German(pos, staff.bias) if side == GERMAN else Soviet(pos, staff.bias)


def _decision(pos: AssaultPosition, picture: German | Soviet) -> Decision:
    """Everything but movement."""
    if isinstance(pos.pending, Fight):
        return battle.penalty(picture, list(pos.legal), picture.standing)
    if isinstance(pos.pending, Advance):
        return battle.advance(picture, list(pos.legal), picture.standing)
    if isinstance(pos.pending, Summons):
        return city.man(picture)
    if isinstance(pos.pending, Crowd):
        return city.thin(picture)
    if isinstance(pos.pending, Victim):
        return air.victim(picture)
    if isinstance(pos.pending, Shelter):
        return Order("shelter"), "out of the bombers' way"
    if pos.phase.id in COMBAT_PHASES:
        return battle.fight(picture)
    if pos.phase.id.endswith("air-bombardment"):
        return air.bomb(picture)
    if pos.phase.id == "soviet-set-up":
        return city.set_up(picture)
    if pos.phase.id.startswith("soviet-naval"):
        return air.fire(picture)
    return END, "nothing to decide"


def _movement(staff: StaffPlayer, pos: AssaultPosition, side: int) -> Order:
    """The next order of the phase's plan; the plan is made anew when it runs dry, while it still finds moves."""
    notes = staff.notes
    moment = (pos.turn, pos.phase.id)
    if notes.get("moment") != moment:
        notes.update(moment=moment, agenda=[], plans=0)
    while True:
        agenda: list[Order] = notes["agenda"]
        for number, order in enumerate(agenda):
            if pos.why_not(order) is None:
                del agenda[number]
                return order
        if notes["plans"] >= PLANS:
            break
        notes["plans"] += 1
        notes["agenda"], staff.reason = _plan(pos, side, staff)
        if not notes["agenda"]:
            break
    if pos.why_not(END) is None:
        staff.reason = "everybody stands where the plan wants them"
        return END
    return next(iter(pos.legal))


def _plan(pos: AssaultPosition, side: int, staff: StaffPlayer) -> tuple[list[Order], str]:
    """The moves of a phase, and what they are for."""
    if side == GERMAN:
        march = March(German(pos, staff.bias), pos.phase.id == "german-mechanized-movement")
        orders = march.orders()
        aims = f" to attack {', '.join(march.targets)}" if march.targets else ""
        return orders, f"{len(orders)} moves along the axes{aims}"
    orders = Defence(Soviet(pos, staff.bias)).orders()
    return orders, f"{len(orders)} moves to the posts"


def doctrine(game_id: str) -> Doctrine:
    """The doctrine of one of these games."""
    return AssaultDoctrine()
