"""How the staff plays Leningrad '41: fire by exact chances, marches by sub-command, garrisons on the objectives.

Every decision is made on a position that agrees with what the side knows; face-down enemies count as
unknown. Weights are judgement; who may fire, and what a fire comes to, follows the game's own rules.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING

from ...games.leningrad41 import arrivals, fire, movement, set_up
from ...games.leningrad41.counters import GERMAN, SIDES, SOVIET
from ...games.leningrad41.position import CityPosition
from ...games.leningrad41.state import G_AIR, G_FIRE, G_MOVE, S_ARRIVE, S_FIRE, S_MOVE, SET_UP, Step
from ...hexes import Hex, members
from ...kernel.orders import END, Order
from ...kernel.position import Position, Refusal, View
from ..doctrine import Doctrine, Race
from ..lay import FAR
from ..words import because, often
from .leningrad41_staff import river, volleys
from .leningrad41_staff.forecast import forecast, worth
from .leningrad41_staff.lie import Lie
from .leningrad41_staff.line import at_set_up
from .leningrad41_staff.marches import Marches

if TYPE_CHECKING:
    from ..staff import StaffPlayer

WORTH_SHOWING = 0.05
"""How much likelier a hit must become for a face-down unit to show itself."""


RACES = {"german": Race(lucks=2, doubt=1.0, parts=False), "soviet": Race(lucks=2, doubt=-1.0, parts=False)}
"""How ways to fight are compared. What a line is good for, or storms planned together, shows later than a playout
ends: they are left only if they come out worse by an objective."""
WIN = 2.0
"""What the game itself is worth, in objectives."""
SCRIPTS: dict[str, dict[str, dict[str, float]]] = {
    "german": {"one unit after the other": {"storms": 0.0}},
    "soviet": {"in a closed line": {"line": 1.0}},
}
"""Ways to fight a turn that are worth trying in the mind."""


class CityDoctrine(Doctrine):
    """Germans take objectives one storm after the other; Soviets have somebody in each of them."""

    marches: type[Marches] = Marches
    """How a movement phase is thought out."""

    def race(self, side: str) -> Race:
        """On two dice; in doubt the plan is kept."""
        return RACES[side]

    def scripts(self, side: str) -> Mapping[str, Mapping[str, float]]:
        """Germans who do not plan their storms together, and a Soviet line."""
        return SCRIPTS[side]

    def judge(self, position: Position, side: str) -> float | None:
        """The objectives that the Germans may be expected to hold at the end, beyond those they need."""
        assert isinstance(position, CityPosition)
        need = position.tables.victory.objectives
        if position.outcome is not None:
            value = float(position.objectives(GERMAN).bit_count() - need)
            value += WIN if position.outcome.winner == SIDES[GERMAN] else -WIN
        else:
            value = forecast(position) - need
        return value if side == SIDES[GERMAN] else -value

    def occasion(self, position: Position) -> Hashable | None:
        """A fire at a unit in a hex, and the dice for what arrives."""
        assert isinstance(position, CityPosition)
        step = position.pending[0]
        if step.kind != "die":
            return None
        target = position.attack.target if position.attack is not None else step.hex
        return position.turn, position.phase_number, step.words, step.piece, target

    def luck(self, position: Position, roll: Order, side: str) -> float:
        """What a die of fire gives: the unit that is hit or missed, and the objective that it is the last to hold;
        and what the die for the Front Reserve gives."""
        assert isinstance(position, CityPosition)
        step = position.pending[0]
        if step.kind != "die" or step.words[:1] not in (("fire",), ("lfr",)):
            return 0.0
        now, face = worth(position), int(roll.words[0])
        attack = position.attack
        if attack is None:
            gift = now.reserve * (face - 3.5)
        else:
            unit = position.roster.units[step.piece]
            points = fire.strength(position, attack)
            hits = [fire.eliminates(position, points, step.number, n) for n in range(1, 7)]
            value = -now.of(unit)
            alone = len(position.stacks[attack.target]) == 1
            if alone and attack.assault and position.ground.objective >> attack.target & 1:
                value += now.held if unit.side == SOVIET else -now.held
            gift = value * (hits[face - 1] - sum(hits) / 6)
        return gift if side == SIDES[GERMAN] else -gift

    def moment(self, view: View) -> Hashable | None:
        """A movement phase deserves thought, and so does the set-up."""
        if view.phase.side == view.side and view.phase.id.endswith(("movement", "set-up")):
            return view.turn, view.phase.id
        return None

    def order(self, staff: StaffPlayer, view: View, rng: random.Random) -> Order | None:
        """The order for the kind of decision at hand; whatever is not legal after all is left to the common method."""
        p = view.imagine(rng)
        assert isinstance(p, CityPosition)
        lie = Lie(p, SIDES.index(view.side), staff.bias)
        order = self._pending(lie, p.pending[0], staff) if p.pending else self._phase(lie, staff)
        return order if order is not None and view.why_not(order) is None else None

    def _pending(self, lie: Lie, step: Step, staff: StaffPlayer) -> Order | None:
        method = _STEPS.get(step.kind)
        return method(self, lie, step, staff) if method is not None else None

    def _phase(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        phase = lie.p.phase_number
        if phase == SET_UP:
            return self.set_up(lie, staff)
        if phase == S_ARRIVE:
            return self.reinforce(lie, staff)
        if phase == G_AIR:
            return self.bomb(lie, staff)
        if phase in (G_MOVE, S_MOVE):
            return self.march(lie, staff)
        if phase in (G_FIRE, S_FIRE):
            return self.fight(lie, staff)
        return self.replace(lie, staff)

    # Set-up and arrivals ----------------------------------------------------------------------------

    def set_up(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        """One unit in each objective, those the Germans come to first; guns far back, the boat in the river."""
        p = lie.p
        hand = set_up.in_hand(p)
        if not hand:
            staff.reason = "The set-up is complete"
            return END
        piece = hand[0]
        unit = lie.units[piece]
        hexes = set_up.hexes_for(p, piece)
        south = lie.march(p.ground.entry[GERMAN])
        if unit.back and lie.line and lie.w.edge > 0.5:
            if "set-up" not in staff.notes:
                staff.notes["set-up"] = at_set_up(lie)
            gaps = staff.notes["set-up"] & ~p.occupied[SOVIET] & hexes
            best = min(members(gaps or hexes & p.ground.objective or hexes), key=lambda h: (south.get(h, FAR), h))
            staff.reason = lambda say: f"Closes the line at {say.place(best)}"
        elif unit.back:
            ranked = sorted(members(p.ground.objective), key=lambda h: (south.get(h, FAR), h))
            wanted = ranked[round(lie.w.skip) : round(lie.w.skip + lie.w.posts)]
            posts = [h for h in wanted if hexes >> h & 1] or list(members(hexes))
            best = min(posts, key=lambda h: (len(lie.stack(h, SOVIET)), south.get(h, FAR), h))
            staff.reason = lambda say: f"Garrisons {say.place(best)}"
        else:
            best = self._gun_pit(lie, piece, list(members(hexes)), south)
            pit = Order("place", (unit.id,), (p.number(best),))
            staff.reason = because(pit, "within range of the south, behind walls")
        return Order("place", (unit.id,), (p.number(best),))

    def _gun_pit(self, lie: Lie, piece: int, hexes: list[Hex], south: dict[Hex, float]) -> Hex:
        """Well back, in range of the southern objectives, and where walls keep bombs off."""
        p = lie.p
        reach = lie.units[piece].range
        southern = sorted(members(p.ground.objective), key=lambda h: (south.get(h, FAR), h))[:18]

        def rate(h: Hex) -> tuple[float, Hex]:
            covered = sum(lie.grid.distance(h, t) <= reach for t in southern)
            return -covered - 6.0 * lie.shelter(h, SOVIET) - 0.3 * min(60.0, south.get(h, FAR)), h

        return min(hexes, key=rate)

    def reinforce(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        """New units where the enemy is near and nobody stands; nothing is shown before it must be."""
        p = lie.p
        hand, hexes = arrivals.army_hand(p), arrivals.army_hexes(p)
        if not hand or not hexes:
            staff.reason = "There is nothing more to place"
            return END

        def rate(h: Hex) -> tuple[float, float, Hex]:
            here = len(lie.stack(h, SOVIET))
            room = {0: 6.0, 1: 2.0}.get(here, -4.0)
            return room * lie.threat(h) - 0.05 * min(60.0, lie.from_enemy.get(h, FAR)), -here, h

        best = max(members(hexes), key=rate)
        staff.reason = lambda say: f"Reinforces {say.place(best)}: the enemy is near"
        return Order("place", (lie.units[hand[0]].id,), (p.number(best),))

    def replace(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        """The sub-command whose dead are worth most on average, corps troops first."""
        p = lie.p
        names = arrivals.replaceable(p)
        if not names:
            staff.reason = "There is nobody more to replace"
            return END

        def rate(name: str) -> tuple[float, str]:
            dead = arrivals.draw_pool(p, f"dead-{name}")
            return sum(lie.worth(q) for q in dead) / len(dead) + (1.0 if arrivals.hosts(p, name) else -2.0), name

        best = max(names, key=rate)
        staff.reason = f"Draws a replacement for sub-command {best}: its dead are missed most"
        return Order("replace", words=(best,))

    def host(self, lie: Lie, step: Step, staff: StaffPlayer) -> Order | None:
        """With the comrades nearest to the work."""
        p = lie.p
        far = lie.march(lie.missing or lie.theirs)
        unit = lie.units[step.piece]
        hexes = members(arrivals.hosts(p, unit.command))
        best = min(hexes, key=lambda h: (len(lie.stack(h, GERMAN)) > 1, far.get(h, FAR), h))
        staff.reason = lambda say: f"Brings {say.units((unit.id,))} back near the fighting, at {say.place(best)}"
        return Order("place", (unit.id,), (p.number(best),))

    # Movement ---------------------------------------------------------------------------------------

    def march(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        """Unit after unit to where it is worth most."""
        drop = self._drop(lie, staff)
        if drop is not None:
            return drop
        marches = self.marches(lie, staff.notes)
        order = marches.order()
        staff.reason = marches.reason if order is not None else "Everybody stands where he should"
        return order if order is not None else END

    def _drop(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        """Airborne units land next to objectives nobody holds, away from Soviet fire (18.0)."""
        p = lie.p
        ready = [q for q in movement.waiting(p) if arrivals.drop_eligible(p, q) and movement.block(p, q) is None]
        if lie.side != GERMAN or not ready:
            return None
        piece = ready[0]
        empty = lie.missing & ~lie.theirs & ~lie.ours
        hexes = movement.drop_hexes(p, piece) & ~lie.watched & lie.grid.within(empty, 3)
        if not empty or not hexes:
            return None
        far = lie.march(empty)
        best = min(members(hexes), key=lambda h: (far.get(h, FAR) + 3.0 * len(lie.stack(h, GERMAN)), h))
        staff.reason = lambda say: f"Lands next to an objective without a garrison, in {say.place(best)}"
        return Order("drop", (lie.units[piece].id,), (p.number(best),))

    def repair(self, lie: Lie, step: Step, staff: StaffPlayer) -> Order | None:
        """The best of the enemy's over-stacked units goes."""
        stack = lie.stack(step.hex, lie.enemy)
        if not stack:
            return None
        best = max(stack, key=lambda q: (lie.worth(q), q))
        staff.reason = "Of those who stand over the limit the best must go"
        return Order("repair", (lie.units[best].id,))

    # Fire -------------------------------------------------------------------------------------------

    def bomb(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        """Air strikes where they bring most, before the ground units move (12.3)."""
        if lie.p.attack is not None:
            return None
        volley = volleys.strike(lie, fire.markers(lie.p, GERMAN), -1)
        if volley is None:
            staff.reason = "No target is worth the bombs"
            return END
        staff.reason = volley.reason(lie)
        return volley.order(lie)

    def fight(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        """The volleys of the phase, best first; planned anew when those left are no longer possible."""
        p = lie.p
        if p.attack is not None:
            return None
        flip = self._flip(lie, staff)
        if flip is not None:
            return flip
        for order in river.demolitions(lie):
            if p.why_not(order) is None:
                staff.reason = "A bridge is to come down"
                return order
        moment = ("fire", p.turn, p.phase_number)
        if staff.notes.get("fire") != moment:
            staff.notes.clear()
            staff.notes.update(fire=moment, volleys=[])
        queue: list[volleys.Volley] = staff.notes["volleys"]
        for anew in (True, False):
            while queue:
                volley = queue.pop(0)
                if lie.theirs >> volley.target & 1 and p.why_not(volley.order(lie)) is None:
                    staff.reason = volley.reason(lie)
                    return self._fanatic(lie, volley)
            if anew:
                queue += volleys.plan(lie)
        return self._support(lie, staff)

    def _flip(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        """Soviet units next to the enemy show themselves to fire (6.6)."""
        if lie.side != SOVIET:
            return None
        for piece in lie.p.on_map(SOVIET):
            unit = lie.units[piece]
            if unit.back and lie.watched >> lie.p.where[piece] & 1:
                order = Order("flip", (unit.id,))
                staff.reason = because(order, "to fire")
                return order
        return None

    def _support(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        """Soviet air and the fleet, then bridges, then the end."""
        p = lie.p
        for piece in fire.firing_phase_markers(p):
            unit = lie.units[piece]
            naval = unit.type == "naval-bombardment"
            party = [piece] if naval else [q for q in fire.firing_phase_markers(p) if lie.units[q].type == unit.type]
            volley = volleys.strike(lie, party, fire.spotted(p, unit.command))
            if volley is not None:
                staff.reason = volley.reason(lie)
                return volley.order(lie)
        for order in volleys.last_shots(lie):
            if p.why_not(order) is None:
                staff.reason = "The enemy stands before that bridge"
                return order
        staff.reason = "No more fire is worth it"
        return END

    def _fanatic(self, lie: Lie, volley: volleys.Volley) -> Order:
        """A fanatical assault where a hex is worth more than the unit it costs (17.0)."""
        order = volley.order(lie)
        if not volley.words or not lie.p.options["fanaticism"]:
            return order
        word = fire.ARDOR if lie.side == GERMAN else fire.FERVOR
        wild = volley._replace(words=(*volley.words, word)).order(lie)
        storming = [q for q in volley.units if lie.units[q].assault]
        drm = lie.p.tables.modifiers.fanaticism.drm
        odds = volleys.Odds(lie, volley.target)
        gain = odds.value(volley.units, storming, drm)[0] - odds.value(volley.units, storming)[0]
        price = min((lie.worth(q) for q in storming), default=99.0)
        return wild if gain > price and lie.p.why_not(wild) is None else order

    def offer(self, lie: Lie, step: Step, staff: StaffPlayer) -> Order | None:
        """Defensive fire if it can hit, or stop a motorized march (8.8, 9.2)."""
        p = lie.p
        if p.attack is not None:
            return Order("commit") if p.attack.units else None
        able = sorted(fire.firers(p, step), key=lambda q: (lie.units[q].back, -lie.fire(q), q))
        party: list[str] = []
        points, chance, pierced = 0.0, 0.0, False
        h = p.where[step.piece]
        target = lie.units[step.piece]
        drm = lie.shelter(h, target.side) + lie.rubble(h)
        best: tuple[str, ...] = ()
        for piece in able:
            if isinstance(fire.volley(p, step, (*party, lie.units[piece].id)), Refusal):
                continue
            party.append(lie.units[piece].id)
            points += lie.fire(piece)
            pierced = pierced or lie.units[piece].anti_armor
            armor = p.tables.modifiers.armored.drm if target.armored and not pierced else 0
            likely = lie.chance(points, drm + armor)
            if likely > chance + (WORTH_SHOWING if lie.units[piece].back else 0.0):
                best, chance = tuple(party), likely
        racing = p.moving is not None and p.moving.mode == movement.MOTORIZED
        if not best and racing and party:
            best = tuple(party[:1])
        if not best:
            staff.reason = "Fire could not hit"
            return END
        order, hits = Order("attack", best, (p.number(h),)), often(chance)
        staff.reason = lambda say: f"Fires with {say.units(order.units)} at {say.enemy_at(h)}: hits {hits}"
        return order

    def advance(self, lie: Lie, step: Step, staff: StaffPlayer) -> Order | None:
        """Into objectives with as many as may stand there, elsewhere only towards the work."""
        p = lie.p
        h = step.hex
        objective = p.ground.objective >> h & 1
        far = lie.march(lie.missing or lie.theirs)

        def cost(piece: int) -> tuple[bool, float, int]:
            here = p.where[piece]
            leaves = bool(p.ground.objective >> here & 1) and len(lie.stack(here, lie.side)) == 1
            return leaves, -lie.fire(piece), piece

        for piece in sorted(fire.advancers(p, step), key=cost):
            here = p.where[piece]
            inside = len(lie.stack(h, lie.side))
            leaves = cost(piece)[0]
            better = lie.reply(h) <= lie.reply(here) and far.get(h, FAR) < far.get(here, FAR)
            if (objective and not (inside and leaves)) or (not objective and not leaves and not inside and better):
                order = Order("advance", (lie.units[piece].id,), (p.number(h),))
                staff.reason = because(order, "it is an objective" if objective else "nearer to the objectives")
                return order
        staff.reason = "Nobody else advances"
        return END

    def lose(self, lie: Lie, step: Step, staff: StaffPlayer) -> Order | None:
        """The cheapest of the stormers."""
        assert lie.p.attack is not None
        storming = fire.assaulters(lie.p, lie.p.attack)
        best = min(storming, key=lambda q: (lie.worth(q), q))
        order = Order("lose", (lie.units[best].id,))
        staff.reason = because(order, "it is the smallest loss")
        return order


Advice = Callable[[CityDoctrine, Lie, Step, "StaffPlayer"], Order | None]

_STEPS: dict[str, Advice] = {
    "host": CityDoctrine.host,
    "offer": CityDoctrine.offer,
    "lose": CityDoctrine.lose,
    "advance": CityDoctrine.advance,
    "repair": CityDoctrine.repair,
}


def doctrine(game_id: str) -> Doctrine:
    """The doctrine of one of these games."""
    return CityDoctrine()
