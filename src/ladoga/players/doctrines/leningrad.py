"""How the staff plays the two editions of Leningrad.

The Germans keep each panzer corps in one stack and no further ahead than the infantry can follow, hunt
down whoever was left behind next to the road that feeds them, and come to the city with both. The
Soviets fill the city in time, fortify it, and cut that road.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cached_property

from ...games.leningrad.position import LeningradPosition
from ...hexes import NOWHERE, Hex, HexMask, mask_of, members
from ...kernel.flood import connected
from ...kernel.orders import Order
from ...kernel.position import Position, View
from ..doctrine import Doctrine
from ..front import Body, Front
from ..lay import FAR
from ..situation import Piece
from ..staff import StaffPlayer
from ..words import because
from .leningrad_staff.forecast import WIN, forecast

CORPS = 1.35
"""What the shift for a whole panzer corps multiplies its strength in defence by."""
ARMOUR = 1.25
"""What the shift for armour multiplies the strength of a defending hex by."""
LEAD = 9.0
"""Movement points that the panzers may be ahead of the infantry."""
FOLLOWING = 5
"""Infantry divisions that must keep up with the panzers."""
APART = 0.7
"""What a hex between the units of a corps costs, in movement points towards the goal."""
BEHIND = 4.0
"""Movement points behind the infantry at which an enemy counts as left behind."""
BESIDE = 7
"""Hexes from the road within which he must be hunted down."""
HUNT = 3.0
"""Odds at which enough divisions hunt him."""
HUNTERS = 6
"""Most divisions that hunt at a time."""
PANZERS_BACK = 0.15
"""How much an enemy left behind interests the panzers."""
TRAP = 2.5
"""What multiplies the worth of standing next to an enemy whose last way out is closed by it."""
REST, RESTING = 3.0, 8.0
"""What it is worth to a worn panzer division to come to a city, and to stay there."""
GARRISON = (12.0, 6.0, 4.0)
"""What the first, second and third division in a hex to be held are worth when the enemy is near."""
SEVERED = 0.1
"""What part of its worth an enemy without a line of supply is taken to have lost, for those who raid."""
NEAR, ALARM = 3.0, 10.0
"""Movement points from the city at which the enemy is near, and at which one begins to count him."""


class LeningradFront(Front):
    """A movement phase in one of the two Leningrads."""

    @cached_property
    def german(self) -> bool:
        """Whether the Germans move."""
        return self.side == "german"

    @cached_property
    def trap(self) -> float:
        """The panzers' one is worth more."""
        return TRAP if self.german else super().trap

    @cached_property
    def corps(self) -> dict[str, list[Piece]]:
        """The panzer corps, and who belongs to each."""
        found = dict[str, list[Piece]]()
        for piece in self.situation.of("german"):
            if piece.formation:
                found.setdefault(piece.formation, []).append(piece)
        return found

    def _rank(self, piece: Piece) -> tuple[float, Hex, str, float, str]:
        """The panzers choose their way first."""
        near, h, formation, attack, unit = super()._rank(piece)
        return near - (99.0 if formation else 0.0), h, formation, attack, unit

    # The Germans --------------------------------------------------------------------------------

    def _held(self, body: Body, h: Hex, stack: Sequence[Piece]) -> float:
        held = super()._held(body, h, stack)
        if not self.german:
            return held
        pieces = [*body.pieces, *stack]
        if any(piece.symbol == "armor" for piece in pieces):
            held *= ARMOUR
        formation = body.formation
        if formation and sum(p.formation == formation for p in pieces) == len(self.corps[formation]):
            held *= CORPS
        return held

    @cached_property
    def pace(self) -> float:
        """Movement points from the goal of the infantry that leads."""
        infantry = sorted(self.situation.far(p.hex) for p in self.ours if p.symbol == "infantry")
        return infantry[min(FOLLOWING, len(infantry)) - 1] if infantry else 0.0

    @cached_property
    def road(self) -> HexMask:
        """The road from the sources of supply to the head of the army."""
        grid, far = self.situation.grid, self.situation.far
        before = self.lay.road_back(self._sources)
        near = grid.within(mask_of(p.hex for p in self.ours), 1)
        ends = [h for h in before if near >> h & 1]
        if not ends:
            return 0
        h, found = min(ends, key=lambda end: (far(end), end)), 0
        while h != NOWHERE:
            found |= 1 << h
            h = before[h]
        return found

    @cached_property
    def _belts(self) -> list[tuple[HexMask, float]]:
        if self.german:
            return [(self.road, 1.0)]
        return super()._belts

    @cached_property
    def raiders(self) -> list[Hex]:
        """Where the enemy was left behind next to the road, those nearest to the road first."""
        situation = self.situation
        beside = situation.grid.within(self.road, BESIDE)
        far = self.lay.distances(self.road)
        found = {p.hex for p in self.theirs if beside >> p.hex & 1 and situation.far(p.hex) > self.pace + BEHIND}
        return sorted(found, key=lambda h: (far.get(h, FAR), h))

    @cached_property
    def hunts(self) -> dict[str, Hex]:
        """Infantry told off against enemies left behind: the nearest, as many as the odds need."""
        hunts: dict[str, Hex] = {}
        free = [p for p in self.ours if p.symbol == "infantry"]
        for target in self.raiders:
            far = self.lay.distances(1 << target)
            need = HUNT * self._defence(target)
            for piece in sorted(free, key=lambda p: (far.get(p.hex, FAR), p.id)):
                if need <= 0 or len(hunts) >= HUNTERS * self.bias.get("hunt", 1.0):
                    break
                hunts[piece.id] = target
                free.remove(piece)
                need -= piece.attack
        return hunts

    def _interest(self, body: Body, target: Hex) -> float:
        if not self.german or target not in self.raiders:
            return super()._interest(body, target)
        if body.formation:
            return PANZERS_BACK
        return 1.0 if any(self.hunts.get(p.id) == target for p in body.pieces) else self.style.clearing

    def _tug(self, body: Body, h: Hex, pull: float) -> float:
        if not self.german:
            return pull
        if not body.formation:
            target = self.hunts.get(body.pieces[0].id)
            return pull if target is None else -0.5 * self.lay.distances(1 << target).get(h, FAR)
        pull -= max(0.0, self.pace - LEAD * self.temper(body).get("lead", 1.0) - self.situation.far(h))
        ids = {p.id for p in body.pieces}
        others = [self.where[p.id] for p in self.corps[body.formation] if p.id not in ids]
        distance = self.situation.grid.distance
        return pull - APART * sum(distance(h, other) for other in others)

    @cached_property
    def quarters(self) -> HexMask:
        """Cities in supply and clear of the enemy, where worn panzers recover."""
        places = self.situation.seen.map.places
        cities = 0
        for word in ("city", "soviet-city", "east-prussia"):
            cities |= places.get(word, 0)
        return cities & self.fed & ~self.enemy_zone & ~self.enemies

    def rest(self, body: Body, h: Hex) -> float:
        """What it is worth to worn panzers to rest in a city."""
        if not body.formation or not self.quarters >> h & 1:
            return 0.0
        worn = sum(p.steps == 1 for p in body.pieces)
        return self.temper(body).get("rest", 1.0) * worn * (RESTING if h == body.hex else REST)

    # Raids --------------------------------------------------------------------------------------

    @cached_property
    def _hostile(self) -> tuple[HexMask, list[HexMask], int]:
        """Where the enemy's supply comes from, the hexsides that carry it, and how far it travels from them."""
        style, seen = self.situation.tuned.side(self.enemy), self.situation.seen
        sources = 0
        for word in style.sources:
            sources |= seen.map.places.get(word, 0)
        joined = [0] * 6
        for kind in style.roads:
            joined = [a | b for a, b in zip(joined, seen.map.sides[kind], strict=True)]
        return sources, joined, style.carry

    def _starving(self, barred: HexMask) -> float:
        """What the enemies are worth whom supply does not reach if we bar some more hexes."""
        grid, (sources, sides, carry) = self.situation.grid, self._hostile
        zone = self.situation.zones[self.side] | barred
        allowed = self.lay.land & ~self.situation.occupied[self.side] & ~(zone & ~self.enemies)
        reached = connected(grid, sources & allowed, sides, allowed)
        for _ in range(carry):
            reached |= grid.ring(reached) & allowed
        return sum(p.worth * p.steps for p in self.theirs if not reached >> p.hex & 1)

    @cached_property
    def _severed(self) -> dict[Hex, float]:
        """For each hex what else would be cut off if one of ours stood there."""
        return {}

    def raid(self, h: Hex) -> float:
        """What it is worth to those who raid to stand in a hex: the enemies whose road that cuts."""
        wish = self.bias.get("cut", 0.0)
        if not wish:
            return 0.0
        known = self._severed.get(h)
        if known is None:
            known = self._starving(self.lay.near.get(h, 0) | 1 << h) - self._starved
            self._severed[h] = known
        return wish * SEVERED * known

    @cached_property
    def _starved(self) -> float:
        return self._starving(0)

    # The Soviets --------------------------------------------------------------------------------

    @cached_property
    def alarm(self) -> float:
        """How near the enemy is to the city, from nothing to one."""
        far = self.situation.to_objectives
        nearest = min((far.get(p.hex, FAR) for p in self.theirs), default=FAR)
        return min(1.0, max(0.0, (ALARM - nearest) / (ALARM - NEAR)))

    def garrison(self, body: Body, h: Hex) -> float:
        """What it is worth to stand in the city."""
        worth = self.situation.objectives.get(h)
        if worth is None:
            return 0.0
        ids = {piece.id for piece in body.pieces}
        there = sum(1 for p in self.ours if self.where[p.id] == h and p.id not in ids)
        return (
            self.bias.get("garrison", 1.0) * self.alarm * worth / 30.0 * sum(GARRISON[there : there + len(body.pieces)])
        )


LATE, LAST = 0.3, 3.0
"""How Soviet losses count for the Germans from turn 11 on, and German losses for the Soviets on turn 12."""
SCRIPTS: dict[str, dict[str, dict[str, float]]] = {
    "german": {
        "boldly": {"safety": 0.5, "attack": 1.5, "boldness": 1.4},
        "fast, the rear left alone": {"push": 1.6, "lead": 2.0, "hunt": 0.3},
        "closing up": {"push": 0.4, "safety": 1.5, "lead": 0.3, "rest": 2.0},
        "carefully": {"safety": 2.0, "attack": 0.8, "boldness": 0.8},
        "sweeping the rear": {"hunt": 2.0, "lead": 0.7},
    },
    "soviet": {
        "boldly": {"safety": 0.5, "attack": 1.8, "boldness": 1.5},
        "giving way": {"safety": 2.5, "attack": 0.6, "boldness": 0.8},
        "in a close line": {"cover": 2.5, "attack": 0.8},
        "for the city": {"garrison": 3.0, "push": 1.5},
        "away from the city, against the road": {"garrison": 0.3, "attack": 1.5, "push": 0.5},
    },
}
"""Ways to fight a turn that are worth trying in the mind."""


class LeningradDoctrine(Doctrine):
    """Both editions."""

    front = LeningradFront

    def boldness(self, view: View) -> float:
        """At the end only the ledger counts: Soviet losses are nothing there, those of the panzers are."""
        if view.side == "german":
            return LATE if view.turn >= 11 else 1.0
        return LAST if view.turn >= 12 else 1.0

    def scripts(self, side: str) -> Mapping[str, Mapping[str, float]]:
        """Axes, risks, and what the rear is worth."""
        return SCRIPTS[side]

    def judge(self, position: Position, side: str) -> float | None:
        """The final margin to expect, with something for the game itself once it is over."""
        outcome = position.outcome
        if outcome is not None:
            margin = sum(float(e.points) * (1 if e.side == "german" else -1) for e in outcome.ledger)
            margin += WIN if outcome.winner == "german" else -WIN
        else:
            assert isinstance(position, LeningradPosition)
            margin = forecast(position)
        return margin if side == "german" else -margin

    def standing(self, front: Front, body: Body, h: Hex) -> float:
        """Germans: where worn panzers recover. Soviets: in the city when it is threatened. Raiders: across the road."""
        assert isinstance(front, LeningradFront)
        return (front.rest(body, h) if front.german else front.garrison(body, h)) + front.raid(h)

    def advice(self, staff: StaffPlayer, view: View, orders: Sequence[Order], rng: random.Random) -> Order | None:
        """Forts, interdiction and the advance of what belongs together have their own rules of thumb."""
        verb = orders[0].verb
        if verb == "interdict":
            return self._interdict(staff, view)
        if verb == "fort":
            return self._fort(staff, view, orders)
        if verb == "advance" and view.side == "german":
            return self._follow(staff, view, orders)
        return None

    def _follow(self, staff: StaffPlayer, view: View, orders: Sequence[Order]) -> Order | None:
        """Those who overran go on together, and so does a panzer corps after combat."""
        situation = staff.situation(view)
        stack = situation.style.stack
        for order in orders:
            if order.verb != "advance":
                continue
            h = situation.grid.hex(order.hexes[-1])
            there = [p for p in situation.at.get(h, ()) if p.side == view.side]
            formation = situation.pieces[order.units[0]].formation
            overran = view.phase.id == "german-movement"
            if there and len(there) < stack and (overran or formation in {p.formation for p in there if p.formation}):
                staff.reason = because(order, "those who belong together go on together")
                return order
        return None

    def _interdict(self, staff: StaffPlayer, view: View) -> Order:
        """Hold up the strongest enemy stack near our foremost units."""
        situation = staff.situation(view)
        near = situation.lay.distances(situation.occupied[view.side])

        def rate(h: Hex) -> tuple[float, int]:
            strength = sum(p.attack for p in situation.at.get(h, ()))
            return strength - 0.7 * near.get(h, FAR) - 0.2 * situation.far(h), -h

        targets = list(members(situation.occupied[situation.enemy])) or list(members(situation.goal))
        best = max(targets, key=rate)
        staff.reason = lambda say: f"Holds up {say.enemy_at(best)}"
        return Order("interdict", (), (situation.grid.number(best),))

    def _fort(self, staff: StaffPlayer, view: View, orders: Sequence[Order]) -> Order:
        """The hexes to be held first, then where our own stand between them and the enemy."""
        situation = staff.situation(view)
        enemies = situation.lay.distances(situation.occupied[situation.enemy])

        def rate(order: Order) -> tuple[float, str]:
            h = situation.grid.hex(order.hexes[0])
            held = sum(p.side == view.side for p in situation.at.get(h, ()))
            value = situation.objectives.get(h, 0.0) + 2.0 * held - 0.5 * enemies.get(h, FAR)
            return value - 1.5 * situation.to_objectives.get(h, FAR), str(order)

        best = max((order for order in orders if order.verb == "fort"), key=rate)
        staff.reason = lambda say: f"Fortifies {say.place(best.hexes[0])}"
        return best


def doctrine(game_id: str) -> Doctrine:
    """The doctrine of one of these games."""
    return LeningradDoctrine()
