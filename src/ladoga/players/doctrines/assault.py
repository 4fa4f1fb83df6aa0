"""How the staff plays the two Assaults."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ...games.assault.figures import GERMAN, SIDES
from ...games.assault.pending import Advance, Crowd, Fight, Roll, Shelter, Summons, Transfers, Victim
from ...games.assault.position import COMBAT_PHASES, MOVEMENT_PHASES, AssaultPosition
from ...hexes import members
from ...kernel.names import listed
from ...kernel.orders import END, Order
from ...kernel.position import Position, View
from ..doctrine import Doctrine, Race
from ..player import AS_PLANNED
from ..words import NAMED, Reason, Saying, Words
from .assault_staff import air, battle, city, prospects
from .assault_staff.german import German
from .assault_staff.march import March
from .assault_staff.picture import AIM
from .assault_staff.soviet import Defence, Soviet

if TYPE_CHECKING:
    from ..staff import StaffPlayer

PLANS, HASTY = 4, 2
"""How often the moves of a phase are planned, on the map and in the mind: units in front must be gone before those
behind find room (7.5)."""

REACH = 4
"""How far from us hexes lie that may be fought for in a turn."""
LOOK = 2
"""Turns before the end from which one thinks ahead to it."""

RACES = {
    "assault-leningrad": Race(lucks=2, parts=False, varied=4),
    "assault-stalingrad": Race(breadth=2.5, lucks=2, doubt=2.0, parts=False, varied=4),
}
"""How the general compares ways to fight: where supply hangs by a thread a way must come out clearly better than the
staff's."""

Decision = tuple[Order, Reason]

Ways = Mapping[str, Mapping[str, float]]

SOVIET_WAYS: Ways = {
    "sparingly": {"attack": 0.4, "thrift": 1.6, "safety": 2.0, "ground": 0.6},
    "firmly": {"stay": 2.5, "attack": 0.5, "thrift": 1.4},
    "not a step back": {"ground": 2.0, "thrift": 0.7, "stay": 1.6},
    "for the city": {"garrison": 2.0, "near": 0.6, "inside": 2.0, "stay": 0.6},
    "at any price": {"attack": 4.0, "thrift": 0.15, "safety": 0.0, "keys": 3.0},
}
SCRIPTS: Mapping[str, Mapping[str, Ways]] = {
    "assault-leningrad": {
        "german": {
            "boldly": {"thrift": 0.5, "attack": 2.0, "safety": 0.5},
            "at any price": {"thrift": 0.2, "attack": 4.0, "safety": 0.4, "ground": 1.5},
            "for the points": {"keys": 3.0, "push": 1.5, "safety": 0.7},
            "fast": {"push": 3.0, "safety": 0.5},
            "with safe lines": {"lines": 7.0},
            "patiently": {"impatience": 0.2},
            "carefully": {"thrift": 1.7, "safety": 2.0, "push": 0.6, "supply": 1.5},
        },
        "soviet": SOVIET_WAYS,
    },
    "assault-stalingrad": {
        "german": {
            "at any price": {"thrift": 0.1, "attack": 4.0, "safety": 0.2, "ground": 3.0, "push": 1.5, "supply": 0.6},
            "for the points": {"keys": 3.0, "push": 1.5, "safety": 0.7},
            "patiently": {"impatience": 0.2},
            "carefully": {"thrift": 1.7, "safety": 2.0, "push": 0.6, "supply": 1.5},
        },
        "soviet": {name: way for name, way in SOVIET_WAYS.items() if name != "firmly"},
    },
}
"""Ways to fight a turn that are worth trying in the mind. Before Stalingrad there are few, so that a second is enough
to try each on two dice; bold and fast Germans lost their headquarters and then the army there.

What the words multiply: ``thrift`` the price of our own losses, ``ground`` that of any hex and ``keys`` that of those
that score, ``attack`` the readiness to attack, ``safety`` the fear of being attacked, ``push`` the haste to the goal,
``impatience`` what it is worth to clear the way of a corps, ``supply`` the fear of hunger and ``lines`` that of raids
on the way of supply; for the Soviets
``garrison`` the posts in the city before and ``inside`` those after the enemy has come to it, ``near`` how much rather
posts near the enemy are manned, ``stay`` how gladly one keeps a post."""


WORDS: Mapping[str, tuple[str, ...]] = {
    "german": ("thrift", "attack", "safety", "ground", "push", "keys", "impatience", "supply", "lines"),
    "soviet": ("thrift", "attack", "safety", "ground", "keys", "garrison", "near", "inside", "stay", "hunt"),
}
"""The words that ways to fight are made of."""
CHANGES = (0.4, 0.65, 1.5, 2.5)
"""What a word is multiplied by when a way is changed."""
HEXES, WAYS = 0.6, 0.75
"""How often hexes are looked at otherwise when a way is changed; from there on how often another way is added."""
AIMS = (-10.0, 5.0, 10.0, 20.0)
"""What such hexes are worth more."""


class AssaultDoctrine(Doctrine):
    """Every decision by its own rule, on exact odds; whole movement phases as one plan."""

    def __init__(self, game_id: str) -> None:
        self.comparing = RACES[game_id]
        self.ways = SCRIPTS[game_id]

    def race(self, side: str) -> Race:
        """Alike for both sides."""
        return self.comparing

    def scripts(self, side: str) -> Mapping[str, Mapping[str, float]]:
        """Risks, ground, haste, and what the city is worth."""
        return self.ways[side]

    def varied(self, view: View, way: Mapping[str, float], rng: random.Random) -> dict[str, float]:
        """Hexes that are worth more or less, another way on top of it, or up to three words changed."""
        ways, kind = self.ways[view.side], rng.random()
        if kind < HEXES:
            pos = view.imagine(rng)
            assert isinstance(pos, AssaultPosition)
            hexes = _contested(pos, SIDES.index(view.side))
            aims = {f"{AIM}{h}": rng.choice(AIMS) for h in rng.sample(hexes, min(len(hexes), rng.randint(1, 2)))}
            return {**way, **aims}
        if kind < WAYS:
            change = ways[rng.choice(list(ways))]
        else:
            change = {word: rng.choice(CHANGES) for word in rng.sample(WORDS[view.side], rng.randint(1, 3))}
        return {word: way.get(word, 1.0) * change.get(word, 1.0) for word in {**way, **change}}

    def horizon(self, view: View) -> int:
        """To the end of the game when it is near."""
        return LOOK if view.turn + LOOK > view.game.turns else 1

    def occasion(self, position: Position) -> Hashable | None:
        """An attack on the same hexes, or the same draw, in the same phase."""
        assert isinstance(position, AssaultPosition)
        state = position.pending
        return position.turn, position.phase.id, state.hexes if isinstance(state, Roll) else repr(state)

    def luck(self, position: Position, roll: Order, side: str) -> float:
        """What the die of an attack gave, as the staff reckons it."""
        assert isinstance(position, AssaultPosition)
        return prospects.luck(position, roll, SIDES.index(side))

    def judge(self, position: Position, side: str) -> float | None:
        """The final margin to expect."""
        assert isinstance(position, AssaultPosition)
        expected = prospects.margin(position)
        return expected if SIDES.index(side) == GERMAN else -expected

    def moment(self, view: View) -> Hashable | None:
        """The beginning of a first movement phase."""
        if view.phase.id in ("german-movement", "soviet-movement") and view.to_move == view.phase.side == view.side:
            return view.turn, view.phase.id
        return None

    def drafted(self, view: View) -> bool:
        """Every movement phase."""
        return view.phase.side == view.side and view.choice is None and view.phase.id in MOVEMENT_PHASES

    def drafts(self, view: View, temper: Mapping[str, float]) -> list[list[Order]]:
        """The staff's plan."""
        pos, side = view.imagine(random.Random(0)), SIDES.index(view.side)
        assert isinstance(pos, AssaultPosition)
        return [_drafted(pos, side, temper)]

    def order(self, staff: StaffPlayer, view: View, rng: random.Random) -> Order | None:
        """What the staff does now."""
        pos = view.imagine(rng)
        assert isinstance(pos, AssaultPosition)
        side = SIDES.index(view.side)
        if pos.pending is None and pos.phase.id in MOVEMENT_PHASES:
            return _movement(staff, pos, side)
        picture = _picture(pos, side, staff)
        order, staff.reason = _decision(pos, picture, staff.imagined)
        return order


def _contested(pos: AssaultPosition, side: int) -> list[str]:
    """Hexes that may be worth another look: where the enemy stands near us, and where we could stand before him."""
    grid, ours, theirs = pos.ground.grid, pos.lay(side).occupied, pos.lay(1 - side).occupied
    near = grid.within(theirs & grid.within(ours, REACH), 2) & grid.within(ours, REACH)
    return [pos.ground.number(h) for h in members(near & pos.ground.land & ~pos.ground.capital)]


def _picture(pos: AssaultPosition, side: int, staff: StaffPlayer) -> German | Soviet:
    return German(pos, staff.bias) if side == GERMAN else Soviet(pos, staff.bias)


def _decision(pos: AssaultPosition, picture: German | Soviet, imagined: bool) -> Decision:
    """Everything but movement."""
    if isinstance(pos.pending, Fight):
        return battle.penalty(picture, list(pos.legal), picture.standing)
    if isinstance(pos.pending, Advance):
        return battle.advance(picture, list(pos.legal), picture.standing)
    if isinstance(pos.pending, Summons):
        return city.man(picture)
    if isinstance(pos.pending, Transfers):
        return END, "The city is manned when the enemy comes"
    if isinstance(pos.pending, Crowd):
        return city.thin(picture)
    if isinstance(pos.pending, Victim):
        return air.victim(picture)
    if isinstance(pos.pending, Shelter):
        return Order("shelter"), "Gets out of the bombers' way"
    if pos.phase.id in COMBAT_PHASES:
        return battle.fight(picture)
    if pos.phase.id.endswith("air-bombardment"):
        if isinstance(picture, German) and pos.air and not imagined:
            return air.prepare(picture, March(picture, second=False).storms(pos.air))
        return air.bomb(picture)
    if pos.phase.id == "soviet-set-up":
        return city.set_up(picture)
    if pos.phase.id.startswith("soviet-naval"):
        return air.fire(picture)
    return END, "There is nothing to decide"


def _movement(staff: StaffPlayer, pos: AssaultPosition, side: int) -> Order:
    """The next order of the phase's plan; the plan is made anew when it runs dry, while it still finds moves."""
    notes = staff.notes
    moment = (pos.turn, pos.phase.id)
    if notes.get("moment") != moment:
        notes.update(moment=moment, agenda=[], plans=0, aim="")
    while True:
        agenda: list[Order] = notes["agenda"]
        for number, order in enumerate(agenda):
            if pos.why_not(order) is None:
                del agenda[number]
                staff.reason = notes["aim"]
                return order
        if notes["plans"] >= (HASTY if staff.imagined else PLANS):
            break
        notes["plans"] += 1
        notes["agenda"], aim = _plan(pos, side, staff)
        notes["aim"] = staff.intend(aim)
        if not notes["agenda"]:
            break
    if pos.why_not(END) is None:
        staff.reason = AS_PLANNED
        return END
    staff.reason = ""
    return next(iter(pos.legal))


def _drafted(pos: AssaultPosition, side: int, temper: Mapping[str, float]) -> list[Order]:
    """The moves of a phase in some temper."""
    if side == GERMAN:
        return March(German(pos, temper), pos.phase.id == "german-mechanized-movement").orders()
    return Defence(Soviet(pos, temper)).orders()


def _plan(pos: AssaultPosition, side: int, staff: StaffPlayer) -> tuple[list[Order], Saying]:
    """The moves of a phase, and what they are for."""
    if side == GERMAN:
        march = March(German(pos, staff.bias), pos.phase.id == "german-mechanized-movement")
        orders = march.orders()
        return orders, partial(_advancing, march.targets[:NAMED], orders)
    orders = Defence(Soviet(pos, staff.bias)).orders()
    return orders, partial(_holding, orders)


def _advancing(targets: Sequence[str], orders: Sequence[Order], say: Words) -> str:
    """What a German movement is for."""
    if targets:
        return "Means to attack " + listed(map(say.enemy_at, targets))
    towns = _towns(orders, say)
    return f"Marches by its roads to {say.places(towns)}" if towns else "Marches on along its roads"


def _holding(orders: Sequence[Order], say: Words) -> str:
    """What a Soviet movement is for."""
    towns = _towns(orders, say)
    return f"Means to hold {say.places(towns)}" if towns else "Closes the line before the enemy"


def _towns(orders: Sequence[Order], say: Words) -> list[str]:
    """Places with a name to which units go."""
    ends = dict.fromkeys(order.hexes[-1] for order in orders if order.hexes)
    return [number for number in ends if say.place(number) != number][:NAMED]


def doctrine(game_id: str) -> Doctrine:
    """The doctrine of one of these games."""
    return AssaultDoctrine(game_id)
