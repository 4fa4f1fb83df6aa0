"""The conduct of a plan: orders one by one, in waves, and the choices that fights leave to a side."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from ...hexes import Hex, members
from ...kernel.names import listed
from ...kernel.orders import END, Order, Role
from ...kernel.position import View
from ...kernel.prospect import Blow, Memory, Prospect, Stand, UnitMask, prospect_of
from ..attacks import compelled
from ..cores import side_by_side
from ..words import Once, Reason, Words, because, counted, driven_off
from .appraisal import PLAIN, Appraisal, Appraiser, Weights
from .blows import Strike
from .foresight import Clock, Foresight, Unhurried, until
from .rehearsal import Rehearsal, Tried, leading
from .search import Plan, Search

FIRST = 0.65
"""Part of the time of a deep plan in which the first plan is made, at most."""
WORTHWHILE = 600
"""Stands that can still be judged, from which on it is worth while to look further than the own turn."""
REHEARSED = 700
"""The same, from which on plans are played out by the rules."""
SETTLED = 500
"""Stands judged after which the first plan is hardly found better by looking on."""
PATIENCE = 5
"""Shakes in a row that gain nothing, after which the first plan is good enough to be looked at further."""
STEP = 120
"""Stands judged to make each other plan."""
DOUBT = 1.0
"""How much better than the best another plan must come out."""
TEMPERS: tuple[tuple[tuple[str, float], ...], ...] = (
    (),
    (("reply", 0.5), ("cut", 0.5)),
    (("reply", 1.6), ("cut", 1.6)),
    (("post", 1.5),),
    (("post", 0.6), ("onward", 1.5)),
)
"""How weights are changed to find other plans: as they are, boldly, carefully, fast, firmly."""

OVERRUN = 0.8
"""What an overrun must gain."""
WAY, HINDERED = 0.5, 5
"""What part of the march that it opens for others an overrun is worth, and how far from it they may be."""
CROWD, CROWDED = 8.0, 0.5
"""What it is worth to lead a unit out of a hex that holds too many, if there is no other way and if there may be."""
FREED = 0.7
"""What part of a blow that need no more be struck those who would have struck it find elsewhere."""
ADVANCE = 0.05
"""What an advance must gain."""
IN_THE_WAY = 3.0
"""What it costs to stay where others are still to enter."""
ONWARD = 6
"""Hexes that are tried for a reinforcement that may go on."""
SPARED = 0.25
"""What a special weapon in defence must save."""
SEVERAL, SLIGHT = 2, 0.05
"""How many things of a kind a plan is told by, and how surely a hex must fall to be feared for."""
KEPT = 0.6
"""What a special weapon must gain in a blow, lest it is kept for defence."""


class Conduct:
    """Plans of one side in one game, and how they are carried out."""

    def __init__(self, weights: Weights = PLAIN, enemy: Weights = PLAIN) -> None:
        self.weights = weights
        self.enemy = enemy
        self.tried = self.reply = 0
        self.reason: Reason = ""
        self.intent: Reason = ""
        """What the plan in hand is about."""
        self.looks = 0
        self._todo: list[Order] = []
        self._rest: list[Order] = []
        """Orders of a plan that was played out and then broken off for an overrun: a draft for the next one."""
        self._tested = False
        """Whether the plan in hand was played out."""
        self._prospect: tuple[View, Prospect] | None = None
        self.memory: Memory = {}
        """What has been worked out about the board from view to view."""

    def prospect(self, view: View) -> Prospect:
        """The board as it is, read once for each view."""
        if self._prospect is None or self._prospect[0] is not view:
            self._prospect = (view, self.read(view))
        return self._prospect[1]

    def read(self, view: View) -> Prospect:
        """A board, with what is known from earlier ones."""
        prospect = prospect_of(view)
        prospect.recall(self.memory)
        return prospect

    # Movement -----------------------------------------------------------------------------------

    def plan(
        self, view: View, rng: random.Random, clock: Clock, only: UnitMask = -1, *, deep: bool = False,
        drafts: Sequence[Sequence[Order]] = (), cores: int = 1,
    ) -> Plan:  # fmt: skip
        """Work out a plan for the movement phase (of some units), and the orders that carry it out.

        A ``deep`` plan is chosen from several by what the enemy would make of each. It begins with the best of some
        ``drafts``, if one is better than to stand still. On several ``cores`` several plans are made side by side."""
        if only < 0:
            drafts, self._rest = drafts or ([self._rest] if self._rest and not deep else []), []
        enough = until(clock, FIRST, most=SETTLED) if deep else until(clock)
        search = Search(self.prospect(view), rng, enough, self.weights, only)
        drawn = [self._ends(search.prospect, draft) for draft in drafts]
        search.draw_on(drawn)
        self.begin(search)

        def made(number: int) -> Plan:
            if number:
                search.rng = random.Random(f"{rng.random()} {number}")
            plan = search.mend() if drafts else search.plan(PATIENCE if deep else 1000)
            if deep and search.reach and clock.used() < 1.0:
                plan = self._further(view, search, plan, search.rng, clock, number)
            return plan

        plan, *others = side_by_side(made, range(cores), cores)
        plan = self._best_of(search, plan, others, deep=deep)
        self.looks += search.appraiser.looks
        self._todo = list(self._moves(search, plan, [unit for draft in drawn[:1] for unit in draft]))
        if only < 0:
            self._tested = bool(plan.played) or (self._tested and bool(drawn))
        self.intent = Once(view, partial(_intent, search.prospect, plan))
        return plan

    def _further(
        self, view: View, search: Search, plan: Plan, rng: random.Random, clock: Clock, number: int = 0
    ) -> Plan:  # fmt: skip
        """Use what is left of the time: to play this plan and others out, or for what the enemy would make of them, if
        it is enough, else to make this one better. Each core, by its ``number``, begins with other plans."""
        appraiser, used = search.appraiser, clock.used()
        left = appraiser.looks * (1.0 - used) / max(used, 0.01)
        if search.prospect.deep and left >= REHEARSED:
            rehearsal = Rehearsal(view, search, self.enemy, clock, self.orders_of(search))
            best = rehearsal.held(plan, rng, 2 * number)
            self.tried, self.reply = rehearsal.tried, rehearsal.played
            return best
        if search.prospect.deep and not appraiser.final and left >= WORTHWHILE:
            return self._foreseen(search, plan, rng, clock)
        search.enough = until(clock, 1.0, appraiser.looks)
        return search.plan()._replace(before=plan.before)

    def _best_of(self, search: Search, plan: Plan, others: Sequence[Plan], *, deep: bool) -> Plan:
        """The best of plans that were made side by side: as they were played out, or a deep one by what stands after
        the same enemy's reply."""
        if all(some.played for some in (plan, *others)):
            return leading([Tried(some, (), some.appraisal.value) for some in (plan, *others)]).plan
        if not deep or not search.prospect.deep or search.appraiser.final:
            return max((plan, *others), key=lambda some: some.appraisal.value)
        foresight = Foresight(search.prospect, search.appraiser, self.enemy, Unhurried())
        stands = {tuple(some.stand.where): some for some in (plan, *others)}
        if len(stands) == 1:
            return plan
        return max(stands.values(), key=lambda some: foresight.judge(some.stand.copy()))

    def _foreseen(self, search: Search, plan: Plan, rng: random.Random, clock: Clock) -> Plan:
        """Of this plan and others like it the one that stands best after the enemy's turn."""
        prospect, appraiser = search.prospect, search.appraiser
        foresight = Foresight(prospect, appraiser, self.enemy, clock)
        best, most = plan, foresight.judge(plan.stand.copy())
        self.tried = 1
        tempers = [self.weights._replace(**{k: getattr(self.weights, k) * v for k, v in temper}) for temper in TEMPERS]
        while clock.used() < 1.0:
            temper = tempers[self.tried % len(tempers)]
            appraiser.weights = temper
            search.adopt(best.stand)
            search.enough = until(clock, 1.0, appraiser.looks, appraiser.looks + STEP)
            if self.tried < len(tempers):
                search.plan()
            else:
                search.shake()
            appraiser.weights = self.weights
            stand = search.stand.copy()
            if stand.where == best.stand.where:
                self.tried += 1
                continue
            value = foresight.judge(stand.copy())
            self.tried += 1
            if clock.used() >= 1.0:
                break
            if value > most + DOUBT:
                best, most = Plan(stand, appraiser.appraise(stand), plan.before), value
        self.reply = foresight.replies
        return best

    def begin(self, search: Search) -> None:
        """What a search begins with; nothing in general."""

    def orders_of(self, search: Search) -> Callable[[Plan], Sequence[Order]]:
        """What tells the orders of each plan of a search."""
        return lambda plan: list(self._moves(search, plan))

    def take_up(self, orders: Sequence[Order]) -> None:
        """Go by the orders of a plan that was made before."""
        self._todo, self._tested = list(orders), True

    def _ends(self, prospect: Prospect, draft: Sequence[Order]) -> dict[int, Hex]:
        """Where units stand after the moves and entries of a draft."""
        return {
            prospect.names[order.units[0]]: prospect.grid.hex(order.hexes[-1])
            for order in draft
            if prospect.view.game.role(order) in (Role.GO, Role.ENTER) and order.units[0] in prospect.names
        }

    def _moves(self, search: Search, plan: Plan, draft: Sequence[int] = ()) -> Iterable[Order]:
        """The moves of a plan: as drafted, or those nearest to the enemy first, but those that fill a hex, through
        which nobody goes then, after the others, and the farthest of them first; units on the same way together if they
        may."""
        prospect, distance = search.prospect, search.prospect.grid.distance
        number, where = prospect.grid.number, plan.stand.where
        move = prospect.view.game.grammar.verb(Role.GO)
        moved = [u for u in search.reach if where[u] != search.start[u]]
        active, rank = prospect.under_way(), {unit: place for place, unit in enumerate(draft)}
        full = {h for h, there in plan.stand.at.items() if len(there) >= prospect.stack}
        ways = {u: distance(search.start[u], where[u]) if search.start[u] >= 0 else 0 for u in moved}
        moved.sort(
            key=lambda u: (
                not active >> u & 1, rank.get(u, len(rank)), (1, -ways[u]) if where[u] in full else (0, 0),
                -search.appraiser.posts[u].get(where[u], 0.0), u,
            )
        )  # fmt: skip
        parties: dict[tuple[Hex, Hex], list[str]] = {}
        for unit in moved:
            parties.setdefault((search.start[unit], where[unit]), []).append(prospect.units[unit].id)
        for (start, h), names in parties.items():
            if start < 0:
                for name in names:
                    yield from self._entry(prospect, name, h)
                continue
            if len(names) > 1:
                yield Order(move, tuple(sorted(names)), (number(h),))
            yield from (Order(move, (name,), (number(h),)) for name in names)

    def _entry(self, prospect: Prospect, name: str, h: Hex) -> Iterable[Order]:
        """How a reinforcement comes to a hex: it enters there, or where the way goes on to it."""
        position, spelled, to = prospect.position, prospect.view.game.grammar.verb, prospect.grid.number(h)
        entries = [order for order in position.legal.with_role(Role.ENTER) if order.units == (name,)]
        if any(order.hexes == (to,) for order in entries):
            entries = []
        for order in entries:
            after = self.read(position.play(order).view(prospect.view.side))
            if after.reach(after.names[name]) >> h & 1:
                yield order
                yield Order(spelled(Role.GO), (name,), (to,))
                return
        yield Order(spelled(Role.ENTER), (name,), (to,))

    def next(self, view: View) -> Order | None:
        """The next order of the plan that can be carried out; who has entered goes on at once."""
        for n, order in enumerate(self._todo):
            if view.why_not(order) is None:
                del self._todo[n]
                if self._todo[n:] and self._todo[n].units == order.units:
                    self._todo.insert(0, self._todo.pop(n))
                self.reason = self.intent
                return order
        self._todo = []
        return None

    def overrun(self, view: View, orders: Sequence[Order], *, pressed: bool = False) -> Order | None:
        """The overrun that gains most, if one does: a blow more, and the way open behind it.

        Units in hexes that hold fewer may find another way out; ``pressed`` if there is none."""
        if not orders:
            return None
        prospect = self.prospect(view)
        side, stand = prospect.side, prospect.stand.copy()
        appraiser = Appraiser(prospect, self.weights)
        targets = {prospect.grid.hex(order.hexes[0]) for order in orders}
        opened = {target: self.opened(prospect, appraiser, target) for target in targets}
        rated = []
        for order in orders:
            units = [prospect.names[name] for name in order.units]
            support = int(order.words[1]) if order.words else 0
            target = prospect.grid.hex(order.hexes[0])
            blow = prospect.overrun(units, target, stand, support)
            worth = blow.gain - self.weights.care * blow.loss - KEPT * support + blow.falls * opened[target]
            crowd = len(stand.at[stand.where[units[0]]]) - prospect.stack
            if crowd > 0:
                worth += (CROWD if pressed else CROWDED) * blow.falls * min(crowd, len(units))
            if worth > 0:
                rated.append((worth, str(order), order, units, blow))
        if not rated:
            return None
        rated.sort(key=lambda entry: (-entry[0], entry[1]))
        if not pressed:
            appraiser.surplus = CROWDED
        appraised = appraiser.appraise(stand)
        now = appraised.value
        dear = self._kept(appraiser, appraised, stand)
        freed = {strike.target: FREED * strike.worth for strike in appraised.strikes}
        best: Order | None = None
        most = OVERRUN
        tried: dict[Hex, int] = {}
        for _, _, order, units, blow in rated:
            target = prospect.grid.hex(order.hexes[0])
            tried[target] = tried.get(target, 0) + 1
            if tried[target] > 3:
                continue
            after = prospect.stand.copy()
            for unit in stand.at[target]:
                after.put(unit, 1 - side, -1)
            for unit in units:
                after.put(unit, side, target)
            then = appraiser.appraise(after).value
            support = int(order.words[1]) if order.words else 0
            then += freed.get(target, 0.0) + opened[target] - now
            value = blow.gain - self.weights.care * blow.loss - dear * support + blow.falls * then
            if value > most:
                best, most = order, value
                self.reason = partial(_overrun, order, blow)
        if best is not None:
            self._rest, self._todo = (self._todo or self._rest) if self._tested else [], []
        return best

    def _kept(self, appraiser: Appraiser, appraised: Appraisal, stand: Stand) -> float:
        """What each special weapon would add later in the turn."""
        if not appraiser.support:
            return KEPT
        return max(KEPT, appraiser.help(stand, appraised.strikes) / appraiser.support)

    def opened(self, prospect: Prospect, appraiser: Appraiser, target: Hex) -> float:
        """What it is worth to those who are still to move that nobody bars their way from a hex any more."""
        stand, near = prospect.stand, prospect.grid.within(1 << target, HINDERED)
        waiting = [
            u for u in appraiser.ours if stand.where[u] >= 0 and near >> stand.where[u] & 1 and prospect.reach(u)
        ]
        if not waiting:
            return 0.0
        after = stand.copy()
        for unit in stand.at[target]:
            after.put(unit, appraiser.enemy, -1)
        gained = sum(
            appraiser.best_post(unit, prospect.march(unit, after))
            - appraiser.best_post(unit, prospect.march(unit, stand))
            for unit in waiting
        )
        return WAY * self.weights.post * gained

    def disperse(self, view: View, rng: random.Random) -> Order | None:
        """Lead units out of hexes that hold fewer, whatever their posts are worth: those that are too many are lost."""
        search = Search(self.prospect(view), rng, lambda _: True, self.weights)
        search.make_room()
        plan = Plan(search.stand, search.appraiser.appraise(search.stand), search.best.value)
        self._todo = list(self._moves(search, plan))
        self.reason = "too many stand in one hex"
        return self.next(view)

    def crowded(self, view: View) -> bool:
        """Whether units of ours stand in hexes that hold fewer."""
        prospect = self.prospect(view)
        return any(
            len(there) > prospect.stack and prospect.units[there[0]].side == prospect.side
            for there in prospect.stand.at.values()
        )

    def enter(self, view: View, orders: Sequence[Order]) -> Order:
        """Bring a reinforcement in where it can be of most use, and note where it goes on to."""
        best: tuple[float, str, Order, list[Order]] | None = None
        position, move = self.prospect(view).position, view.game.grammar.verb(Role.GO)
        seen: set[tuple[str, ...]] = set()
        waiting: dict[tuple[str, ...], int] = {}
        for order in orders:
            if len(order.units) == 1:
                waiting[order.hexes] = waiting.get(order.hexes, 0) + 1
        for order in orders:
            if len(order.units) > 1 or order.hexes in seen:
                continue
            seen.add(order.hexes)
            after = self.read(position.play(order).view(view.side))
            unit = after.names.get(order.units[0])
            if unit is None:
                continue
            appraiser = Appraiser(after, self.weights._replace(cut=0.0))
            stand = after.stand.copy()
            posts, here = appraiser.posts[unit], stand.where[unit]
            reached = sorted(members(after.reach(unit)), key=lambda h: -posts.get(h, 0.0))
            goes_on = bool(reached) and after.bound() >> unit & 1
            for h in reached if goes_on else (here, *reached[:ONWARD]):
                if h != here and after.room(h, after.side, stand) <= 0:
                    continue
                stand.put(unit, after.side, h)
                value = appraiser.appraise(stand).value
                if h == here and after.room(h, after.side, stand) < waiting[order.hexes] - 1:
                    value -= IN_THE_WAY
                onward = [Order(move, order.units, (after.grid.number(h),))] if h != here else []
                if best is None or value > best[0]:
                    best = (value, str(order), order, onward)
        entry = orders[0] if best is None else best[2]
        self.reason = self.intent = Once(view, because(entry, "there it is of most use"))
        if best is not None:
            self._todo = best[3]
        return entry

    # Combat -------------------------------------------------------------------------------------

    def attack(self, view: View) -> list[Order]:
        """The orders of the best attack that is left; none if none pays."""
        prospect = self.prospect(view)
        appraiser = Appraiser(prospect, self.weights)
        stand = prospect.stand.copy()
        strikes = appraiser.sparing(stand, appraiser.shared(stand))
        if not strikes:
            return []
        strike, support = self._supported(prospect, appraiser, strikes, stand)
        number = prospect.grid.number(strike.target)
        names = [prospect.units[u].id for u in strike.units]
        blow = prospect.blow(strike.units, strike.target, stand, support) if support else strike.blow
        self.reason = Once(view, lambda say: say.attack((number,), names, blow.falls, compelled(view)))
        spelled = view.game.grammar.verb
        orders = [Order(spelled(Role.AIM), (), (number,)), *[Order(spelled(Role.JOIN), (name,)) for name in names]]
        if support:
            orders.append(Order(spelled(Role.SUPPORT), words=(str(support),)))
        return [*orders, Order(spelled(Role.COMMIT))]

    def _supported(
        self, prospect: Prospect, appraiser: Appraiser, strikes: Sequence[Strike], stand: Stand
    ) -> tuple[Strike, int]:
        """The first attack to make, with the special weapons that gain most there."""
        ready = prospect.support()
        best, used, gained = strikes[0], 0, KEPT
        for strike in strikes if ready else ():
            for support in range(1, ready + 1):
                blow = prospect.blow(strike.units, strike.target, stand, support)
                gain = blow.gain - blow.loss - (strike.blow.gain - strike.blow.loss)
                if gain > gained * support:
                    best, used, gained = strike, support, gain / support
        return best, used

    def guard(self, view: View, orders: Sequence[Order]) -> Order:
        """Special weapons in defence: as many as gain more than they may be worth later."""
        prospect = self.prospect(view)
        pending = prospect.pending()
        best, most = orders[0], -1e9
        for order in orders:
            support = int(order.words[0])
            value = -SPARED * support
            if pending is not None:
                blow = prospect.blow(pending[0], pending[1], prospect.stand, -support)
                value -= blow.gain - 0.5 * blow.loss
            if value > most:
                best, most = order, value
        self.reason = because(best, "as much as the hex is worth")
        return best

    def withhold(self, view: View) -> bool:
        """Whether special weapons are better kept for defence: blows of some weight are to be expected."""
        appraiser = Appraiser(self.prospect(view), self.weights)
        raids = appraiser.appraise(self.prospect(view).stand.copy(), striking=False).raids
        self.reason = "The air units are kept for the defence"
        return sum(raid.worth for raid in raids) > 1.0

    # After combat ---------------------------------------------------------------------------------

    def advance(self, view: View, orders: Sequence[Order]) -> Order:
        """The advance after which the whole stands best, or none."""
        prospect = self.prospect(view)
        appraiser = Appraiser(prospect, self.weights)
        side, stand = prospect.side, prospect.stand.copy()
        stay = appraiser.appraise(stand).value
        must = END not in orders
        best, found = (-1e9 if must else stay + ADVANCE), None if must else END
        parties: dict[tuple[str, ...], list[Order]] = {}
        for order in orders:
            if view.game.role(order) is Role.ADVANCE:
                parties.setdefault(order.hexes, []).append(order)
        for hexes, party in parties.items():
            end = prospect.grid.hex(hexes[-1])
            for ranked in self._ranked(prospect, appraiser, party, end):
                moved: list[tuple[int, Hex]] = []
                for order in ranked[: prospect.room(end, side, stand)]:
                    unit = prospect.names[order.units[0]]
                    moved.append((unit, stand.where[unit]))
                    stand.put(unit, side, end)
                    value = appraiser.appraise(stand).value
                    if value > best:
                        best, found = value, ranked[0]
                for unit, h in reversed(moved):
                    stand.put(unit, side, h)
        assert found is not None
        if found == END:
            self.reason = "No advance: nobody would stand better there"
        else:
            self.reason = because(found, "the whole stands better so" if best > stay else "")
        return found

    def _ranked(
        self, prospect: Prospect, appraiser: Appraiser, party: Sequence[Order], end: Hex
    ) -> tuple[list[Order], list[Order]]:
        """Those who might advance to a hex: the strongest first, and those first whose advance alone is worth most."""
        known: dict[tuple[object, ...], float] = {}
        stand, worths = prospect.stand.copy(), dict[Order, float]()
        for order in party:
            unit = prospect.names[order.units[0]]
            here, piece = stand.where[unit], prospect.units[unit]
            alike = (here, prospect.tokens[unit], piece.attack, piece.defence, stand.hungry >> unit & 1)
            if alike not in known:
                stand.put(unit, prospect.side, end)
                known[alike] = appraiser.appraise(stand).value
                stand.put(unit, prospect.side, here)
            worths[order] = known[alike]
        defence = {order: prospect.units[prospect.names[order.units[0]]].defence for order in party}
        strongest = sorted(party, key=lambda order: (-defence[order], order.units))
        return strongest, sorted(strongest, key=lambda order: -worths[order])

    def suffer(self, view: View, orders: Sequence[Order]) -> Order:
        """Losses or retreat, by what is left of the whole afterwards."""
        prospect = self.prospect(view)
        appraiser = Appraiser(prospect, self.weights)
        appraiser.surplus = CROWDED
        striking = view.phase.side == view.side
        ways: dict[int, list[tuple[Order, Hex]]] = {}
        losses: list[tuple[float, Order]] = []
        for order in orders:
            unit = prospect.names[order.units[0]]
            role = view.game.role(order)
            if role is Role.LOSE:
                losses.append((prospect.prices(unit)[0], order))
            elif role is Role.RETREAT:
                end = prospect.grid.hex(order.hexes[-1]) if order.hexes else -1
                ways.setdefault(unit, []).append((order, end))
        toll = max((len(order.hexes) for order in orders), default=1) or 1
        best: tuple[float, Order] | None = None
        if ways:
            best = self._fall_back(prospect, appraiser, ways, striking)
        if losses:
            found = self._give_up(prospect, appraiser, losses, striking, 0.5 * max(1, len(ways)) if toll > 1 else 0.0)
            if best is None or found[0] > best[0]:
                best = found
        order = orders[0] if best is None else best[1]
        self.reason = because(order, "nothing else costs less")
        return order

    def _give_up(
        self, prospect: Prospect, appraiser: Appraiser, losses: list[tuple[float, Order]], striking: bool, rest: float
    ) -> tuple[float, Order]:
        """The step that is best given up, with the next one, or what the ``rest`` of the result costs otherwise.

        What a unit could still do is in its price: its post is not lost besides. The cheapest is not always the best:
        it may bar a way or a retreat."""
        losses.sort(key=lambda loss: (loss[0], str(loss[1])))
        best: tuple[float, Order] | None = None
        for number, (price, order) in enumerate(losses):
            second = losses[0][0] if number or len(losses) == 1 else losses[1][0]
            unit, stand = prospect.names[order.units[0]], prospect.stand.copy()
            kept = 0.0
            if len(prospect.prices(unit)) == 1:
                kept = appraiser.weights.post * appraiser.posts[unit].get(stand.where[unit], 0.0)
                stand.put(unit, prospect.side, -1)
            value = appraiser.appraise(stand, striking=striking).value + kept - price - min(second, rest)
            if best is None or value > best[0]:
                best = (value, order)
        assert best is not None
        return best

    def _fall_back(
        self, prospect: Prospect, appraiser: Appraiser, ways: dict[int, list[tuple[Order, Hex]]], striking: bool
    ) -> tuple[float, Order]:
        """All retreat, each where it is best as the others went; the first order of it."""
        side, stand = prospect.side, prospect.stand.copy()
        first: Order | None = None
        value = lost = 0.0
        for unit in sorted(ways, key=lambda u: (len(ways[u]), -sum(prospect.prices(u)), u)):
            best: tuple[float, Order, Hex] | None = None
            for order, end in ways[unit]:
                if end >= 0 and prospect.room(end, side, stand) <= 0:
                    continue
                stand.put(unit, side, end)
                found = appraiser.appraise(stand, striking=striking).value - (
                    sum(prospect.prices(unit)) if end < 0 else 0.0
                )
                if best is None or found > best[0]:
                    best = (found, order, end)
            if best is None:
                stand.put(unit, side, -1)
                lost += sum(prospect.prices(unit))
                first = first or ways[unit][0][0]
                continue
            value = best[0]
            stand.put(unit, side, best[2])
            if best[2] < 0:
                lost += sum(prospect.prices(unit))
                value += sum(prospect.prices(unit))
            first = first or best[1]
        assert first is not None
        return value - lost, first


def _overrun(order: Order, blow: Blow, say: Words) -> str:
    return say.overrun(order.hexes[0], order.units, blow.falls)


def _intent(prospect: Prospect, plan: Plan, say: Words) -> str:
    """A sentence on what a plan is about: attacks, ground, cuts of supply, and what is most to be feared then."""
    side, before, stand = prospect.side, prospect.stand, plan.stand
    strikes, raids = plan.appraisal.strikes, plan.appraisal.raids
    new = stand.held[side] & ~before.held[side]
    takes, guards = (
        sorted((h for h in members(new) if worth.get(h, 0.0) > 0), key=lambda h: (-worth[h], h))[:SEVERAL]
        for worth in (prospect.objectives(side, prospect.turn), prospect.objectives(1 - side, prospect.turn))
    )
    cut = (prospect.unfed(1 - side, stand) & ~prospect.unfed(1 - side, before)).bit_count()
    aims = []
    if strikes:
        more = [f"{len(strikes) - SEVERAL} more stacks"] if len(strikes) > SEVERAL + 1 else []
        named = strikes[:SEVERAL] if more else strikes
        aims.append("to attack " + listed([*(say.enemy_at(strike.target) for strike in named), *more]))
    if takes:
        aims.append("to occupy " + say.places(takes))
    if cut:
        aims.append(f"to cut {counted(cut, 'enemy unit')} off from supply")
    if held := [h for h in guards if h not in takes]:
        aims.append("to hold " + say.places(held))
    still = stand.where == before.where
    told = f"Means {listed(aims)}" if aims else "Means to stay where all stand" if still else "Means to close the line"
    if raids and raids[0].blow.falls > SLIGHT:
        raid = raids[0]
        target = _ours(prospect, stand, raid.target, say)
        told += f"; fears most for {target}, {driven_off(raid.blow.falls)} if struck"
    return told


def _ours(prospect: Prospect, stand: Stand, h: Hex, say: Words) -> str:
    """Those who will stand in a hex."""
    there = [prospect.units[unit].id for unit in stand.at.get(h, ())]
    return f"{say.units(there)} at {say.place(h)}" if there else say.place(h)
