"""How the staff plays Tijvin 1941: activations, command and the seasons are what the common method lacks.

Every decision is made on a position that agrees with what the side knows. Weights are judgement; what a
combat comes to is worked out by the game's own rules.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from threading import Event
from typing import TYPE_CHECKING

import msgspec

from ...games.tijvin import combat, operations
from ...games.tijvin.position import TijvinPosition
from ...games.tijvin.strength import reckon
from ...hexes import Hex, members
from ...kernel.orders import END, Order
from ...kernel.position import Position, View
from ..doctrine import Doctrine
from ..tuning import Side, tuning
from ..words import because, often
from .tijvin_staff import command, seats
from .tijvin_staff.blows import Blow, best_blow, least_of
from .tijvin_staff.campaign import CUT, Campaign
from .tijvin_staff.drafts import Drafts
from .tijvin_staff.flight import BODY
from .tijvin_staff.lie import Lie
from .tijvin_staff.marches import Plan
from .tijvin_staff.pockets import cut_off
from .tijvin_staff.search import CHOICES, Budget, Rehearsal, Way

if TYPE_CHECKING:
    from ..staff import StaffPlayer

Advice = Callable[["TijvinDoctrine", Lie, Sequence[Order], "StaffPlayer"], Order | None]


STRIKING_BACK = 9
"""The turn from which the Soviets go for the cities they have lost."""
SEARCHED = 0.9
"""Part of the thinking time of a player-turn that is shared among the headquarters."""
MULLED = 0.5
"""Part of that which goes into what to activate next."""
RIVALS = 2
"""Headquarters that are tried beside what the staff would do."""
DRAFT = 200
"""Orders of a fixed amount of work that make up for a draft."""
DRAFTED, NEARBY = 0.3, (0.7, 0.45)
"""The parts of the time of a march by which plans are drafted, and played to the end of the activation; the latter less
where the enemy answers in the next turn only, for what he can do is not seen before."""
CLEARLY = 0.1
"""Points by which an advance must promise more than the usual one."""
ADVANCING, ADVANCED = 0.04, 0.08
"""Part of the time of a turn in which it is tried who goes on into what was won, and of what is left of it at most:
there may be ten such choices before the last headquarters acts."""
MANY, FAR = 4, 0.4
"""Plans are played on to the end of the turn where so many units act, if there are so many seconds; with less for it
it is not looked on to an answer in the next turn when the question is who acts."""
WAYS, WAYS_A_SECOND = (3, 8), (4, 2)
"""How many plans are played on at least and at most, and for each second, where the enemy answers at once or later."""
SAFE = 4
"""By how much a defender's modifiers must be ahead for him to keep guns that have not fired for the next blow."""


class TijvinDoctrine(Doctrine):
    """Germans attack as long as there is a city to take, the Soviets once the frost is well in."""

    def style(self, seen: View | Position, side: str, tuned: Side) -> Side:
        """Cities count on the last turn only (14), so the season does not stop the stronger side."""
        posture = "attack" if side == "german" or seen.turn >= STRIKING_BACK else "defend"
        return tuned if posture == tuned.posture else msgspec.structs.replace(tuned, posture=posture)

    def order(self, staff: StaffPlayer, view: View, rng: random.Random) -> Order | None:
        """A whole activation is planned without listing every move."""
        if view.phase.id == f"{view.side}-movement":
            return self.marches(self._lie(staff, view, rng), staff)
        nodes: int = getattr(staff, "nodes", 0)
        if nodes and view.phase.id == f"{view.side}-activation":
            return self.search(staff, view, nodes, rng)
        return None

    def advice(self, staff: StaffPlayer, view: View, orders: Sequence[Order], rng: random.Random) -> Order | None:
        """Lead a decision to the method for its step."""
        lie = self._lie(staff, view, rng)
        if lie.p.stage == "movement":
            return self.marches(lie, staff)
        method = _METHODS.get(lie.p.stage)
        return method(self, lie, orders, staff) if method is not None else None

    def _lie(self, staff: StaffPlayer, view: View, rng: random.Random) -> Lie:
        p = view.imagine(rng)
        assert isinstance(p, TijvinPosition)
        return self._reading(p, view.side, staff.bias)

    def _reading(self, p: TijvinPosition, side: str, temper: Mapping[str, float]) -> Lie:
        return Lie(p, side, self.style(p, side, tuning(p.game.id).side(side)), temper)

    # Set-up and administration --------------------------------------------------------------------

    def set_up(self, lie: Lie, orders: Sequence[Order], staff: StaffPlayer) -> Order | None:
        """Units where they stood, headquarters in the middle of theirs."""
        p = lie.p
        places = [order for order in orders if order.verb == "place"]
        if END in orders or not places:
            staff.reason = "The set-up stands"
            return END if END in orders else None
        first = next((o for o in places if o.units[0] not in p.roster.hq_index), places[0])
        mine = [order for order in places if order.units == first.units]
        name = first.units[0]
        if name in p.roster.hq_index:
            units = seats.flock(lie, p.roster.hq_index[name])
            best = max(mine, key=lambda o: (seats.seat_worth(lie, lie.grid.hex(o.hexes[0]), units), o.hexes))
            staff.reason = because(best, "in the middle of its units")
            return best
        home = p.game.book.set_up.units.get(name)
        u = p.roster.index[name]

        def rate(order: Order) -> tuple[float, str]:
            h = lie.grid.hex(order.hexes[0])
            if home is not None:
                return -float(lie.grid.distance(h, lie.grid.hex(home))), order.hexes[0]
            same = sum(p.cf[v] for v in members(p.at(h, lie.side)) if p.hq[v] == p.hq[u])
            return same + 0.1 * min(lie.threat(h)[0], 20.0), order.hexes[0]

        best = max(mine, key=rate)
        why = "where it stood" if home is not None else "with the strongest of its corps"
        staff.reason = because(best, why)
        return best

    def returning(self, lie: Lie, orders: Sequence[Order], staff: StaffPlayer) -> Order:
        """A headquarters comes back where it commands most."""
        best = seats.returning(lie, orders)
        staff.reason = because(best, "in company, with most units in command from there")
        return best

    def entry(self, lie: Lie, orders: Sequence[Order], staff: StaffPlayer) -> Order:
        """Reinforcements come in nearest to where they are wanted."""

        def rate(order: Order) -> tuple[float, str]:
            h = lie.grid.hex(order.hexes[0])
            tasks = (t.worth * t.factors / (1.0 + lie.distances(t.hex).get(h, 99.0)) for t in lie.tasks)
            return max(tasks, default=0.0), str(order)

        best = max((order for order in orders if order.verb == "enter"), key=rate, default=orders[0])
        staff.reason = because(best, "nearest to where it is wanted")
        return best

    def replacements(self, lie: Lie, orders: Sequence[Order], staff: StaffPlayer) -> Order:
        """Factors where they count."""
        best = command.replacement(lie, orders)
        staff.reason = because(best, "in contact, or nearly at full strength")
        return best

    def assignments(self, lie: Lie, orders: Sequence[Order], staff: StaffPlayer) -> Order:
        """Everybody obeys a headquarters that reaches him."""
        best = command.assignment(lie, orders)
        if best is None:
            staff.reason = "Everybody obeys the right headquarters"
            return END
        staff.reason = because(best, "in range, with its neighbours")
        return best

    def activations(self, lie: Lie, orders: Sequence[Order], staff: StaffPlayer) -> Order:
        """The most urgent first."""
        if command.waits(lie):
            march = command.marching(lie, orders)
            if march is not None:
                staff.reason = because(march, "reserves march while the enemy acts")
                return march
            staff.reason = "Ends a turn that it is winning" if lie.p.passed else "Lets the enemy act first"
            return operations.PASS
        best = command.activation(lie, orders)
        staff.reason = because(best, "most is at stake there")
        return best

    def search(self, staff: StaffPlayer, view: View, nodes: int, rng: random.Random) -> Order | None:
        """A general plays on in his mind before he activates a headquarters or passes. After a pass the enemy may pass
        too, which ends the turn: the worse of both counts."""
        lie = self._lie(staff, view, rng)
        share = self._share(staff, lie)
        if share is None:
            return None
        orders = list(view.legal)
        usual = self.activations(lie, orders, staff)
        if usual != operations.PASS and command.waits(lie):
            return usual
        urgent = command.by_urgency(lie, [order for order in orders if order.verb == "activate"])
        others = [order for order in urgent if order.units[0] in lie.p.roster.hq_index and order != usual][:RIVALS]
        if usual != operations.PASS and operations.may_pass(lie.p) is None:
            others.insert(0, operations.PASS)
        if not others:
            return None
        ways = [Way((order,)) for order in (usual, *others)]
        if operations.PASS in (usual, *others) and not lie.p.passed:
            ways.append(Way((operations.PASS, operations.PASS)))
        budget = Budget(nodes, MULLED * share, staff.at_once, _told(staff))
        rehearsal = Rehearsal(lie.p, view.side, _seat, budget, rng, staff.nature)
        if rehearsal.late and MULLED * share < FAR:
            return usual
        worth = dict[Order, float]()
        for way, gain in zip(ways, rehearsal.far(ways, CHOICES), strict=True):
            worth[way.orders[0]] = min(worth.get(way.orders[0], gain), gain)
        best = max(worth, key=lambda order: (worth[order], order == usual))
        self._note(staff, lie, budget)
        if rehearsal.played and len(worth) > 1:
            staff.reason = because(best, f"that came out best of {len(worth)} ways to go on")
        return best

    def _note(self, staff: StaffPlayer, lie: Lie, budget: Budget) -> None:
        """Remember how much of the turn's time has been used."""
        turn, used = staff.notes.get("searched", (0, 0.0))
        staff.notes["searched"] = lie.p.turn, budget.used() + (used if turn == lie.p.turn else 0.0)

    def _left(self, staff: StaffPlayer, lie: Lie, think: float) -> float:
        """The time that is left for the turn."""
        turn, used = staff.notes.get("searched", (0, 0.0))
        return max(SEARCHED * think - (used if turn == lie.p.turn else 0.0), 0.0)

    def _share(self, staff: StaffPlayer, lie: Lie) -> float | None:
        """The time for one headquarters: what is left for the turn, shared among those that have yet to act."""
        if staff.think is None:
            return None
        waiting = sum(1 for q in lie.roster.hqs_of[lie.side] if not lie.p.hq_activated >> q & 1)
        return self._left(staff, lie, staff.think) / max(waiting, 1)

    def _slice(self, staff: StaffPlayer, lie: Lie) -> float | None:
        """The time for the march of one activation: what is left for the turn, by how many units have yet to act."""
        if staff.think is None:
            return None
        p = lie.p
        acting = p.active.bit_count()
        waiting = sum(1 for u in p.roster.of[lie.side] if p.hexes[u] >= 0 and not p.spent >> u & 1)
        return self._left(staff, lie, staff.think) * acting / max(acting + waiting, 1)

    # Movement and combat --------------------------------------------------------------------------

    def marches(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        """A plan for the whole activation; a general makes many and takes the best."""
        plan, nodes, tried = Campaign(lie).plan(), getattr(staff, "nodes", 0), ""
        if nodes and plan.where and staff.think != 0:
            plan, tried = self._searched(lie, staff, plan, nodes)
        orders = plan.orders(lie)
        while orders and lie.p.why_not(orders[0]) is not None:
            del orders[0]
        staff.planned = orders[1:]
        if not orders:
            return None
        staff.intent = staff.intend(lambda say: plan.reason(lie, say) + tried)
        return orders[0]

    def _searched(self, lie: Lie, staff: StaffPlayer, plan: Plan, nodes: int) -> tuple[Plan, str]:
        """The best of many plans, and how it was found: drafts are played to the end of the activation, and those that
        come out best to the end of the turn if there is time."""
        seconds, told, cores = self._slice(staff, lie), _told(staff), staff.at_once
        rng = random.Random(f"{lie.p.turn} {lie.p.active} {lie.p.hexes}")
        budget = Budget(nodes, seconds, cores, told)
        first = Budget(nodes // DRAFT, seconds and seconds * DRAFTED, cores, told)
        drafts = Drafts(lie, partial(self._reading, lie.p, lie.side), first, rng)
        found = drafts.best(plan)
        ways = [Way(tuple(each.orders(lie))) for each in found]
        rehearsal = Rehearsal(lie.p, lie.side, _seat, budget, rng, staff.nature)
        deep = lie.p.active.bit_count() >= MANY and not (seconds is not None and seconds < FAR)
        near = rehearsal.near(ways, NEARBY[deep and rehearsal.late])
        how = f", the best of {drafts.made + 1} plans" if drafts.made else ""
        best = max(near, key=lambda way: way.promise)
        if deep and len(near) > 1:
            pace = cores * WAYS_A_SECOND[rehearsal.late]
            most = WAYS[0] if seconds is None else max(WAYS[0], min(WAYS[1], int(seconds * pace)))
            gains = rehearsal.far(near[:most])
            best = near[max(range(len(gains)), key=gains.__getitem__)]
            if drafts.made and rehearsal.played:
                how += f", {len(near[:most])} of them played on to the end of the turn"
        self._note(staff, lie, budget)
        budget.told.clear()
        return found[ways.index(best._replace(promise=0.0))], how

    def fights(self, lie: Lie, orders: Sequence[Order], staff: StaffPlayer) -> Order | None:
        """The best blow, if it is worth its losses."""
        p = lie.p
        targets = [lie.grid.hex(order.hexes[0]) for order in orders if order.verb == "target"]
        ready = combat.attackers_left(p)
        guns = 0 if combat.exploiting(p) else p.active & p.roster.artillery
        blow = best_blow(lie, targets, ready, guns)
        if blow is None or (blow.value <= least_of(lie) and END in orders):
            further = "No further attack, as exploitation," if combat.exploiting(p) else "No attack"
            staff.reason = f"{further} is worth its losses" if END in orders else ""
            return END if END in orders else None
        order = _attack(lie, blow)
        staff.reason = lambda say: (
            f"Attacks {say.enemy_at(blow.target)} with {say.units(order.units)}: wins {often(blow.win)}"
        )
        return order

    def composes(self, lie: Lie, orders: Sequence[Order], staff: StaffPlayer) -> Order:
        """An attack that was begun gets everybody."""
        staff.reason = "Everybody joins the attack"
        return orders[0]

    def supports(self, lie: Lie, orders: Sequence[Order], staff: StaffPlayer) -> Order:
        """Guns always fire, aircraft where the fight is in the balance."""
        p, b = lie.p, lie.p.battle
        assert b is not None
        guns = [order for order in orders if order.verb == "add" and order.units[0] in p.roster.index]
        staff.reason = "The guns fire"
        if guns and self._spares(lie):
            staff.reason = "The stack is safe: the other guns wait for the next blow"
            return orders[-1]
        if guns:
            return guns[0]
        margin = reckon(p, b).totals
        wanted = abs(margin[0] - margin[1]) <= 4
        air = [order for order in orders if order.verb == "add"]
        staff.reason = (
            "Aircraft help where the fight is in the balance" if air and wanted else "The fight can do without aircraft"
        )
        return air[0] if air and wanted else orders[-1]

    def _spares(self, lie: Lie) -> bool:
        """Whether a defender who is safe as it is keeps the rest of his guns for the next blow of this turn."""
        p, b = lie.p, lie.p.battle
        assert b is not None
        if p.side == lie.side or lie.habit("spare") <= 0.0:
            return False
        ours, theirs = reckon(p, b).totals
        return theirs - ours >= SAFE and next(iter(operations.activations(p)), None) is not None

    def ratings(self, lie: Lie, orders: Sequence[Order], staff: StaffPlayer) -> Order:
        """The better efficiency."""
        staff.reason = "The better troops lead"
        return max(orders, key=lambda order: order.words)

    def losses(self, lie: Lie, orders: Sequence[Order], staff: StaffPlayer) -> Order:
        """Our own cheapest factor, the enemy's dearest."""
        p = lie.p

        def price(order: Order) -> tuple[float, str]:
            u = p.roster.index[order.units[0]]
            return lie.worth(u) + (0.3 if p.cf[u] == 1 else 0.0) - 0.01 * p.cf[u], order.units[0]

        ours = p.roster.units[p.roster.index[orders[0].units[0]]].side == lie.side
        best = min(orders, key=price) if ours else max(orders, key=price)
        why = "the factor that is missed least" if ours else "the enemy misses it most"
        staff.reason = because(best, why)
        return best

    def stands(self, lie: Lie, orders: Sequence[Order], staff: StaffPlayer) -> Order:
        """A city is worth the try."""
        staff.reason = "Tries an all-out defence: a city is worth it"
        return orders[0]

    def retreats(self, lie: Lie, orders: Sequence[Order], staff: StaffPlayer) -> Order:
        """Together, to friends on good ground away from the enemy."""
        p = lie.p

        def rate(order: Order) -> tuple[float, int, str]:
            h = lie.grid.hex(order.hexes[-1])
            units = [p.roster.index[name] for name in order.units]
            cf = sum(p.cf[u] for u in units)
            load = p.stacked(h, lie.side)
            terrain, _ = p.ground.modifier(h, p.frozen)
            value = -4.0 * lie.danger(h, load + cf, 1.0, 0) + 0.2 * terrain - max(load + cf - 20, 0)
            return value, len(units), str(order)

        best = max(orders, key=rate)
        staff.reason = because(best, "to the safest ground")
        return best

    def advances(self, lie: Lie, orders: Sequence[Order], staff: StaffPlayer) -> Order:
        """Into what was won, if enough go to hold it and what they leave stays safe."""
        p, b = lie.p, lie.p.battle
        assert b is not None
        best, top = END, 0.0
        able = {order.units[0]: p.roster.index[order.units[0]] for order in orders if order.verb == "advance"}
        for order in orders:
            if order.verb != "advance":
                continue
            u, h = p.roster.index[order.units[0]], lie.grid.hex(order.hexes[-1])
            party = sum(p.cf[v] for v in able.values())
            gain = self._advance(lie, u, h, party)
            if gain > top:
                best, top = order, gain
        won = "What was won is not worth holding"
        staff.reason = won if best == END else because(best, "it stands better there")
        nodes: int = getattr(staff, "nodes", 0)
        return self._tried(lie, orders, best, staff, nodes) if nodes and staff.think else best

    def _tried(self, lie: Lie, orders: Sequence[Order], usual: Order, staff: StaffPlayer, nodes: int) -> Order:
        """The order that comes out best by the end of the activation, if it is clearly better than the usual one."""
        assert staff.think is not None
        seconds = min(ADVANCING * staff.think, ADVANCED * self._left(staff, lie, staff.think))
        budget = Budget(nodes, seconds, staff.at_once, _told(staff))
        rng = random.Random(f"{lie.p.turn} {lie.p.hexes} {lie.p.cf}")
        rehearsal = Rehearsal(lie.p, lie.side, _seat, budget, rng, staff.nature)
        ways = [Way((usual,)), *(Way((order,)) for order in orders if order != usual)]
        best = max(rehearsal.near(ways, 1.0, (2, 2)), key=lambda way: way.promise)
        self._note(staff, lie, budget)
        if best.promise > CLEARLY:
            order = best.orders[0]
            staff.reason = because(order, "as it looks ahead that is better")
            return order
        return usual

    def _advance(self, lie: Lie, u: int, h: Hex, party: int) -> float:
        """What it gains to have a unit in a hex that was won, and what that opens or closes of a pocket."""
        p, here = lie.p, lie.p.hexes[u]
        stacks = dict(p.field(lie.side).load)
        before = cut_off(lie, stacks)
        stacks[here] -= p.cf[u]
        stacks[h] = stacks.get(h, 0) + p.cf[u]
        load = p.stacked(h, lie.side)
        efficiency = p.roster.units[u].efficiency
        there = lie.danger(h, min(load + party, 20), efficiency, 0)
        stay = lie.danger(here, p.stacked(here, lie.side), efficiency, 0)
        value = (stay - there) * min(p.cf[u], 4) * lie.worth(u) * lie.style.safety
        value += lie.cities.get(h, 0.0) * (1.0 if not load else 0.3 if load < BODY else 0.0)
        value -= lie.cities.get(here, 0.0) * (1.0 if p.stacked(here, lie.side) - p.cf[u] < BODY else 0.0) * 0.5
        if lie.attacking:
            value += 0.5 * lie.temper_of("push") + 0.3 * bool(p.roster.mobile >> u & 1)
        if not lie.fed >> h & 1:
            value -= 0.5
        return value + CUT * (cut_off(lie, stacks) - before)

    def seats(self, lie: Lie, orders: Sequence[Order], staff: StaffPlayer) -> Order:
        """The headquarters goes to the middle of its units."""
        best = seats.headquarters_move(lie, orders)
        why = "in company, with most units in command from there"
        staff.reason = "The headquarters stays where it is" if best == END else because(best, why)
        return best


def _told(staff: StaffPlayer) -> Event | None:
    """What is set when a player that thinks ahead is told to make up its mind."""
    told: Event | None = getattr(staff, "told", None)
    return told


def _seat(temper: Mapping[str, float]) -> Callable[[View, random.Random], Order]:
    """A staff officer of some temper, for thinking ahead."""
    from ..staff import StaffPlayer

    officer = StaffPlayer()
    officer.bias = dict(temper)
    return officer.choose


def _attack(lie: Lie, blow: Blow) -> Order:
    roster = lie.p.roster
    names = [roster.units[u].id for u in members(blow.all)] + [roster.air[i].id for i in members(blow.air)]
    return Order("attack", tuple(names), (lie.ground.names[blow.target],))


_METHODS: dict[str, Advice] = {
    "set-up": TijvinDoctrine.set_up,
    "set-up-2": TijvinDoctrine.set_up,
    "hq-return": TijvinDoctrine.returning,
    "reinforcement": TijvinDoctrine.entry,
    "replacement": TijvinDoctrine.replacements,
    "assignment": TijvinDoctrine.assignments,
    "activation": TijvinDoctrine.activations,
    "combat": TijvinDoctrine.fights,
    "exploitation": TijvinDoctrine.fights,
    "compose": TijvinDoctrine.composes,
    "support": TijvinDoctrine.supports,
    "rating": TijvinDoctrine.ratings,
    "losses": TijvinDoctrine.losses,
    "penalty": TijvinDoctrine.losses,
    "stand": TijvinDoctrine.stands,
    "retreat": TijvinDoctrine.retreats,
    "advance": TijvinDoctrine.advances,
    "hq-movement": TijvinDoctrine.seats,
}


def doctrine(game_id: str) -> Doctrine:
    """The doctrine of one of these games."""
    return TijvinDoctrine()
