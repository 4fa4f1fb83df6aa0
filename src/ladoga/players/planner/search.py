"""The search for a plan: who goes where in a movement phase, all together, improved as long as there is time."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...hexes import NOWHERE, Hex, HexMask, members
from ...kernel.prospect import Prospect, Stand, UnitMask
from .appraisal import PLAIN, Appraisal, Appraiser, Weights
from .blows import Blows

FRONT = 6
"""Hexes next to the enemy that a unit tries."""
AHEAD = 4
"""Hexes of the best posts that a unit tries."""
SIZES = (2, 3, 4, 6, 9)
"""How many more units are brought against an enemy."""
BETTER, CLEARLY = 1e-6, 2.5
"""How much better a change must come out, and one of a draft."""
STORMS, PROMISING = (6, 9, 12), 4.0
"""How many are put next to an enemy in the place of others; how much worse it may be before the rest is mended."""
HELP = 6
"""Hexes to flee to, and helpers, that are tried for a unit in danger."""
CUT, ACROSS, LOOKED = 3, 4, 12
"""Hexes in a cut of the enemy's supply at most, of a draft and of a plan; how many are looked at for each."""
RAIDS = 3
"""Cuts that are tried before anything else: whoever is told to think for a moment only shall see them too."""
GUARDS = 8
"""Guards of the own supply at the end at most."""
SHIELDS = 6
"""Ways to shield a hex in which the enemy would cut our supply that are tried."""


class Plan(NamedTuple):
    """Where units are to stand, and what that is worth."""

    stand: Stand
    appraisal: Appraisal
    before: float
    played: tuple[float, ...] = ()
    """What it came to each time that it was played out."""


class Search:
    """Looks for a plan of a movement phase."""

    def __init__(
        self,
        prospect: Prospect,
        rng: random.Random,
        enough: Callable[[int], bool],
        weights: Weights = PLAIN,
        only: UnitMask = -1,
        blows: Blows | None = None,
    ) -> None:
        self.prospect = prospect
        self.rng = rng
        self.enough = enough
        """Whether to stop, told how many stands have been judged."""
        self.appraiser = Appraiser(prospect, weights, blows)
        self.side, self.enemy = prospect.side, 1 - prospect.side
        self.reach: dict[int, HexMask] = {}
        for unit in prospect.of(self.side):
            reached = prospect.reach(unit) if only >> unit & 1 else 0
            if reached:
                self.reach[unit] = reached
        self.start = prospect.stand.where.copy()
        self.stand = prospect.stand.copy()
        self.tied = prospect.tied(self.side, prospect.stand)
        """Hexes that somebody must hold if others are to leave them."""
        self.bound = prospect.bound()
        """Units that may not stay where they are."""
        self.best = self.appraiser.appraise(self.stand)
        self._choices: dict[int, list[Hex]] = {}
        self.better = BETTER

    def plan(self, patience: int = 1000) -> Plan:
        """The best plan found; looking ends when so many shakes in a row have gained nothing."""
        before = self.best.value
        front = self._front
        movers = sorted(self.reach, key=lambda u: (not self.reach[u] & front, *self._rank(u)))
        if self.stand.where == self.start:
            standing, best = self.stand.copy(), self.best
            self.march()
            if self.best.value < best.value and not self.bound:
                self.stand, self.best = standing, best
        for _ in range(RAIDS):
            self._sever()
        self._guard()
        self._assaults()
        self._storms()
        self._together(movers)
        self._sweep(movers)
        self.shield()
        stale = 0
        while not self._done() and stale < patience:
            value, looks = self.best.value, self.appraiser.looks
            self._assaults()
            self._storms()
            self._sever()
            self._guard()
            self.shield()
            if self._done():
                break
            self._together(movers)
            self._sweep(movers)
            if self.best.value <= value + 0.01:
                self._shake(movers)
            stale = stale + 1 if self.best.value <= value + 0.01 else 0
            if self.appraiser.looks == looks:
                break
        return Plan(self.stand, self.best, before)

    def follow(self, moves: dict[int, Hex]) -> None:
        """Begin with moves that were good elsewhere, as far as they can be made here."""
        for unit, h in moves.items():
            if unit in self.reach and self.may(unit, h):
                self.stand.put(unit, self.side, h)
        self.best = self.appraiser.appraise(self.stand)

    def draw_on(self, drafts: Sequence[dict[int, Hex]]) -> None:
        """Begin with the first of some drafts, or another that is better."""
        for number, draft in enumerate(drafts):
            stand, best = self.stand, self.best
            self.stand = self.prospect.stand.copy()
            waiting = {unit: h for unit, h in draft.items() if unit in self.reach}
            while waiting:
                able = [unit for unit, h in waiting.items() if self.may(unit, h)]
                for unit in able:
                    if self.may(unit, waiting[unit]):
                        self.stand.put(unit, self.side, waiting.pop(unit))
                if not able:
                    break
            self.best = self.appraiser.appraise(self.stand)
            if number and self.best.value <= best.value:
                self.stand, self.best = stand, best

    def mend(self) -> Plan:
        """Mend a draft: whoever is in danger first, then blows, then everybody near the enemy; only what is clearly
        better is changed."""
        before, self.better = self.best.value, CLEARLY
        while not self._done():
            value, looks = self.best.value, self.appraiser.looks
            self._rescue()
            self._cuts()
            self._assaults()
            movers = [u for u in sorted(self.reach, key=self._rank) if self.reach[u] & self._front]
            self._sweep(movers)
            if self.best.value <= value + 0.01:
                self._shake(movers)
            if self.appraiser.looks == looks:
                break
        return Plan(self.stand, self.best, before)

    def _rescue(self) -> None:
        """Lead those out of danger who are threatened most, or bring others to them."""
        for target in [raid.target for raid in sorted(self.best.raids, key=lambda raid: -raid.worth)]:
            for unit in [u for u in self.stand.at.get(target, ()) if u in self.reach]:
                near = self.prospect.grid.within(1 << target, 4) | self.stand.held[self.side]
                posts = self.appraiser.posts[unit]
                for h in sorted(members(self.reach[unit] & near), key=lambda h: -posts.get(h, 0.0))[:HELP]:
                    if self._done():
                        return
                    if self.may(unit, h) and self._try([(unit, h)]):
                        break
            if target not in {raid.target for raid in self.best.raids}:
                continue
            helpers = [u for u, reached in self.reach.items() if reached >> target & 1 and self.may(u, target)]
            self.rng.shuffle(helpers)
            for unit in helpers[:HELP]:
                if self._done():
                    return
                if self.may(unit, target) and self._try([(unit, target)]):
                    break

    def march(self) -> None:
        """Begin with everybody on his way to the best post that he reaches clear of the enemy."""
        clear = ~self.prospect.zone(self.enemy, self.prospect.stand)
        for unit in sorted(self.reach, key=lambda u: (not self._crowded(u), *self._rank(u))):
            posts = self.appraiser.posts[unit]
            here = posts.get(self.start[unit], 0.0)
            hexes = sorted(members(self.reach[unit] & clear), key=lambda h: -posts.get(h, 0.0))[:AHEAD]
            for h in hexes:
                if posts.get(h, 0.0) > here and self.may(unit, h):
                    self.stand.put(unit, self.side, h)
                    break
            self._make_room(unit)
        self.best = self.appraiser.appraise(self.stand)

    def _crowded(self, unit: int) -> bool:
        """Whether a unit begins in a hex that holds fewer."""
        start = self.start[unit]
        return start >= 0 and len(self.prospect.stand.at[start]) > self.prospect.stack

    def make_room(self) -> None:
        """Lead units out of hexes that hold fewer, or where they may not stay, wherever they can go."""
        for unit in sorted(self.reach, key=self._rank):
            self._make_room(unit)

    def _make_room(self, unit: int) -> None:
        here = self.stand.where[unit]
        if here < 0 or here != self.start[unit]:
            return
        if len(self.stand.at[here]) <= self.prospect.stack and not self.bound >> unit & 1:
            return
        posts, zone = self.appraiser.posts[unit], self.prospect.zone(self.enemy, self.prospect.stand)
        open_hexes = [h for h in members(self.reach[unit]) if self.may(unit, h)]
        if open_hexes:
            clear = [h for h in open_hexes if not zone >> h & 1]
            self.stand.put(unit, self.side, max(clear or open_hexes, key=lambda h: (posts.get(h, 0.0), h)))

    def improve(self) -> None:
        """Assaults first, then everybody near the enemy, until it is enough."""
        movers = [u for u in sorted(self.reach, key=self._rank) if self.reach[u] & self._front]
        while not self._done():
            value = self.best.value
            self._assaults()
            self._together(movers)
            self._sweep(movers)
            if self.best.value <= value + 0.01:
                break

    @property
    def _front(self) -> HexMask:
        """The hexes next to the enemy."""
        return self.prospect.zone(self.enemy, self.prospect.stand)

    def shake(self, centre: Hex = NOWHERE) -> None:
        """Change a part of the plan at random, or around a hex, mend it, and keep it whatever it comes to."""
        movers = sorted(self.reach, key=self._rank)
        if movers:
            self._shake(movers, centre, keep=True)

    def begin(self) -> None:
        """Forget the plan."""
        self.adopt(self.prospect.stand)

    def adopt(self, stand: Stand) -> None:
        """Go on from a plan made before."""
        self.stand = stand.copy()
        self.best = self.appraiser.appraise(self.stand)

    def _done(self) -> bool:
        return self.enough(self.appraiser.looks)

    def _rank(self, unit: int) -> tuple[float, int]:
        return -self.appraiser.posts[unit].get(self.start[unit], 0.0), unit

    # Single units ---------------------------------------------------------------------------------

    def may(self, unit: int, h: Hex) -> bool:
        """Whether a unit can be sent to a hex as the others are to stand."""
        here, start = self.stand.where[unit], self.start[unit]
        if h in (here, NOWHERE) or (h == start and self.bound >> unit & 1):
            return False
        if h != start:
            if not self.reach[unit] >> h & 1:
                return False
            if here == start >= 0 and self.tied >> start & 1 and len(self.stand.at[start]) == 1:
                return False
        return self.prospect.fits(unit, h, self.stand)

    def _try(self, moves: Sequence[tuple[int, Hex]]) -> bool:
        """Whether some moves together make the plan better; if not, they are taken back."""
        stand, side = self.stand, self.side
        back = [(unit, stand.where[unit]) for unit, _ in moves]
        hungry = stand.hungry
        for unit, h in moves:
            stand.put(unit, side, h)
        found = self.appraiser.appraise(stand, least=self.best.value)
        if found.value > self.best.value + self.better:
            self.best = found
            return True
        for unit, h in reversed(back):
            stand.put(unit, side, h)
        stand.hungry = hungry
        return False

    def choices(self, unit: int) -> list[Hex]:
        """Hexes worth trying for a unit: next to the enemy, good posts, where it began."""
        found = self._choices.get(unit)
        if found is None:
            reached, posts = self.reach[unit], self.appraiser.posts[unit]
            touching = self.prospect.zone(self.enemy, self.prospect.stand) & reached
            front = sorted(members(touching), key=lambda h: -posts.get(h, 0.0))[: 2 * FRONT]
            ahead = sorted(members(reached & ~touching), key=lambda h: -posts.get(h, 0.0))[:AHEAD]
            found = self._choices[unit] = [self.start[unit], *ahead, *front]
        return found

    def _sweep(self, movers: Sequence[int]) -> None:
        """Let each unit take the hex that is best for the whole."""
        for unit in movers:
            if self._done():
                return
            reached = self.reach[unit]
            tried = dict.fromkeys(self.choices(unit))
            friends = list(members(reached & self.stand.held[self.side]))
            for h in (*tried, *self.rng.sample(friends, min(2, len(friends))), self._some(reached)):
                if self.may(unit, h):
                    self._try([(unit, h)])

    def _together(self, movers: Sequence[int]) -> None:
        """Let those who stand together take a hex together."""
        stacks: dict[Hex, list[int]] = {}
        for unit in movers:
            if self.stand.where[unit] >= 0 <= self.start[unit]:
                stacks.setdefault(self.stand.where[unit], []).append(unit)
        for stack in stacks.values():
            for size in {min(len(stack), self.prospect.stack), 2}:
                if self._done():
                    return
                party = stack[:size]
                if len(party) == size > 1:
                    self._lead(party)

    def _lead(self, party: Sequence[int]) -> None:
        """Try hexes for some units of one hex together."""
        reached = -1
        for unit in party:
            reached &= self.reach[unit] | 1 << self.start[unit]
        tried = dict.fromkeys(h for unit in party[:1] for h in self.choices(unit))
        for h in (*tried, *([self._some(reached)] if reached else ())):
            here = self.stand.where[party[0]]
            if reached >> h & 1 and h != here and self.prospect.room(h, self.side, self.stand) >= len(party):
                leaving = self.tied >> here & 1 and len(self.stand.at[here]) == len(party)
                if not leaving or here != self.start[party[0]]:
                    self._try([(unit, h) for unit in party])

    def _some(self, reached: HexMask) -> Hex:
        hexes = list(members(reached))
        return hexes[int(self.rng.random() * len(hexes))]

    # Units together -------------------------------------------------------------------------------

    def _assaults(self) -> None:
        """Try to bring enough units against each enemy within reach, from opposite sides if it can be."""
        prospect = self.prospect
        everywhere = 0
        for reached in self.reach.values():
            everywhere |= reached
        targets = [h for h in members(prospect.stand.held[self.enemy]) if prospect.near(h) & everywhere]
        self.rng.shuffle(targets)
        for target in targets:
            for size in SIZES:
                if self._done():
                    return
                moves = self._gather(target, size)
                if moves:
                    self._try(moves)

    def _storms(self) -> None:
        """Try to put the strongest that can come next to an enemy in the place of others there, mend the rest, and keep
        it if the whole came out better."""
        prospect, able = self.prospect, dict[Hex, list[int]]()
        for target in members(prospect.stand.held[self.enemy]):
            ring = prospect.near(target)
            units = [u for u in self.reach if self._within(u) & ring and prospect.units[u].attack]
            if len(units) > 1:
                able[target] = units
        targets = list(able)
        self.rng.shuffle(targets)
        for target in targets:
            for most in STORMS:
                if self._done():
                    return
                self._storm(target, able[target], most)

    def _within(self, unit: int) -> HexMask:
        """Where a unit may stand when all have moved."""
        start = self.start[unit]
        return self.reach[unit] | (1 << start if start >= 0 else 0)

    def _storm(self, target: Hex, able: Sequence[int], most: int) -> None:
        there = self._stormed(target, able, most)
        if there is None:
            return
        before, best = self.stand, self.best
        moved = [u for u, h in enumerate(there.where) if h != before.where[u]]
        found = self.appraiser.appraise(there, least=best.value - PROMISING)
        if not moved or found.value < best.value - PROMISING:
            return
        self.stand, self.best = there, found
        party = {u for strike in found.strikes if strike.target == target for u in strike.units}
        self._sweep([u for u in moved if u not in party])
        if self.best.value <= best.value + self.better:
            self.stand, self.best = before, best

    def _stormed(self, target: Hex, able: Sequence[int], most: int) -> Stand | None:
        """The plan with up to so many of the strongest next to a hex, formations together; those whose place they take
        go where they came from, or elsewhere. Nothing if it cannot be."""
        prospect, side, rng = self.prospect, self.side, self.rng
        there, units = self.stand.copy(), prospect.units
        ring = list(members(prospect.near(target) & ~prospect.stand.held[self.enemy]))
        rng.shuffle(ring)
        for unit in able:
            there.put(unit, side, NOWHERE)
        placed: set[int] = set()
        for party in self._parties(able):
            spots = [h for h in ring if all(self._within(u) >> h & 1 for u in party)]
            spot = next((h for h in spots if prospect.room(h, side, there) >= len(party)), NOWHERE)
            if spot != NOWHERE and len(placed) + len(party) <= most:
                for unit in party:
                    there.put(unit, side, spot)
                placed.update(party)
        rated = sorted(able, key=lambda u: -units[u].attack - 3 * rng.random())
        for unit in rated:
            if len(placed) >= most:
                break
            spots = [h for h in ring if self._within(unit) >> h & 1 and prospect.fits(unit, h, there)]
            if unit not in placed and spots:
                there.put(unit, side, spots[0])
                placed.add(unit)
        for unit in able:
            if unit not in placed:
                spot = self._aside(unit, there)
                if spot == NOWHERE:
                    return None
                there.put(unit, side, spot)
        left = {self.start[u] for u in able if there.where[u] != self.start[u] >= 0}
        if any(self.tied >> h & 1 and not there.held[side] >> h & 1 for h in left):
            return None
        return there

    def _parties(self, able: Sequence[int]) -> list[list[int]]:
        """Formations of which all who are on the map can come."""
        formed: dict[str, list[int]] = {}
        for unit in able:
            if self.prospect.units[unit].formation:
                formed.setdefault(self.prospect.units[unit].formation, []).append(unit)
        parties = [units for units in formed.values() if 1 < len(units) <= self.prospect.stack]
        self.rng.shuffle(parties)
        return parties

    def _aside(self, unit: int, there: Stand) -> Hex:
        """Where a unit goes whose place may be taken: where it was to stand, where it began, or to the best post."""
        prospect, posts = self.prospect, self.appraiser.posts[unit]
        for h in (self.stand.where[unit], self.start[unit]):
            leaves = h == self.start[unit] and self.bound >> unit & 1
            if h >= 0 and not leaves and prospect.fits(unit, h, there):
                return h
        open_hexes = [h for h in members(self.reach[unit]) if prospect.fits(unit, h, there)]
        return max(open_hexes, key=lambda h: (posts.get(h, 0.0), h)) if open_hexes else NOWHERE

    def _cuts(self) -> None:
        """Try to stand in one, two or three hexes that together starve the enemy."""
        prospect, stand, enemy = self.prospect, self.stand, self.enemy
        everywhere, lines = 0, 0
        for reached in self.reach.values():
            everywhere |= reached
        for h in members(stand.held[enemy]):
            lines |= prospect.lines(stand.at[h][0], stand)
        hexes = list(members(lines & everywhere & ~stand.held[0] & ~stand.held[1]))
        if not hexes or self._done():
            return
        self.rng.shuffle(hexes)
        chosen: HexMask = 0
        most = self._starving(0)
        for _ in range(CUT):
            rated = [(self._starving(chosen | 1 << h), h) for h in hexes[:LOOKED]]
            best, h = max(rated)
            if best <= most + 0.5 and chosen:
                break
            chosen, most = chosen | 1 << h, best
            moves = self._man(chosen)
            if moves and not self._done() and self._try(moves):
                return

    def _starving(self, extra: HexMask) -> float:
        """What hunger would cost the enemy if we stood in some hexes too."""
        unfed = self.prospect.unfed(self.enemy, self.stand, extra)
        return sum([self.prospect.hunger(u) for u in self.appraiser.theirs if unfed >> u & 1])

    def _man(self, hexes: HexMask) -> list[tuple[int, Hex]]:
        """Moves that put somebody who is not needed elsewhere into each of some hexes; none if one stays empty."""
        engaged = {u for strike in self.best.strikes for u in strike.units if strike.worth > 1.0}
        moves: list[tuple[int, Hex]] = []
        for h in members(hexes):
            ready = [u for u in self.reach if u not in engaged and self.may(u, h)]
            if not ready:
                return []
            unit = max(ready, key=lambda u: (self.prospect.units[u].speed, self.rng.random()))
            engaged.add(unit)
            moves.append((unit, h))
        return moves

    def _sever(self) -> None:
        """Try to starve an enemy who is worth it: to stand across his line of supply, and across the next one that is
        left then, until he has none."""
        stand, theirs = self.stand, self.stand.held[self.enemy]
        if not theirs or self._done():
            return
        worths = {h: self._deprived(stand, sum(1 << u for u in stand.at[h])) for h in members(theirs)}
        goal = max(worths, key=lambda h: worths[h] * (0.3 + self.rng.random()))
        moves = self._across(goal)
        if moves:
            self._try(moves)

    def _guard(self) -> None:
        """Try to stand wherever the enemy would cut what we hold off for good, one after the other until he cannot."""
        if not self.appraiser.last:
            return
        there, moves, guards = self.stand.copy(), dict[int, Hex](), set(self.reach)
        for unit in members(self._engaged):
            guards.discard(unit)
        for _ in range(GUARDS):
            lost, across = self.appraiser.severed(there)
            if lost < 1.0 or self._done():
                break
            self.rng.shuffle(across)
            ways = [(h, u) for h in across for u in guards if self.reach[u] >> h & 1 and self._spared(u, there)]
            if not ways:
                break
            h = ways[0][0]
            unit = max(
                (u for way, u in ways if way == h), key=lambda u: (-self.prospect.units[u].attack, self.rng.random())
            )
            guards.discard(unit)
            there.put(unit, self.side, h)
            moves[unit] = h
        if moves:
            self._try(list(moves.items()))

    def shield(self) -> None:
        """Try to put somebody who is not needed elsewhere where the enemy would cut our supply next, or beside it:
        those first whose post is no worse there."""
        if self._done() or self.appraiser.last:
            return
        prospect, posts = self.prospect, self.appraiser.posts
        after, engaged = self.appraiser.aftermath(self.stand, self.best.strikes), self._engaged
        for h in self.appraiser.cuts(after):
            rated = []
            for spot in members((prospect.near(h) | 1 << h) & ~self.stand.held[self.enemy]):
                for unit in self.reach:
                    if not engaged >> unit & 1 and self.reach[unit] >> spot & 1 and self.may(unit, spot):
                        given = posts[unit].get(self.stand.where[unit], 0.0) - posts[unit].get(spot, 0.0)
                        rated.append((given, self.rng.random(), unit, spot))
            for _, _, unit, spot in sorted(rated)[:SHIELDS]:
                if self._done() or self._try([(unit, spot)]):
                    break

    def _spared(self, unit: int, there: Stand) -> bool:
        """Whether a unit leaves nothing that scores empty."""
        h = there.where[unit]
        return len(there.at.get(h, ())) != 1 or not self.prospect.objectives(self.side, self.prospect.turn).get(h)

    def _deprived(self, stand: Stand, unfed: UnitMask) -> float:
        """What it costs the enemy that some units starve: hunger, and what they hold."""
        hunger = sum([self.prospect.hunger(u) for u in self.appraiser.theirs if unfed >> u & 1])
        return hunger + self.appraiser.stood(stand, unfed)

    def _across(self, goal: Hex) -> list[tuple[int, Hex]]:
        """Moves of units that are not needed elsewhere across every line of supply of an enemy; none if one is left."""
        prospect, there, moves = self.prospect, self.stand.copy(), list[tuple[int, Hex]]()
        waiting = {u: reached for u, reached in self.reach.items() if not self._engaged >> u & 1}
        for _ in range(ACROSS):
            line = prospect.lines(there.at[goal][0], there) & ~there.held[self.enemy]
            if not line:
                return moves
            everywhere = 0
            for reached in waiting.values():
                everywhere |= reached
            hexes = list(members(prospect.grid.within(line, 1) & everywhere & ~there.held[0] & ~there.held[1]))
            self.rng.shuffle(hexes)
            best: tuple[float, int, Hex] | None = None
            for h in hexes[:LOOKED]:
                barred = ((prospect.near(h) | 1 << h) & line).bit_count()
                if barred:
                    rated = (self._deprived(there, prospect.unfed(self.enemy, there, 1 << h)), barred, h)
                    best = rated if best is None or rated > best else best
            ready = [] if best is None else [u for u in waiting if self.may(u, best[-1])]
            if best is None or not ready:
                return []
            unit = max(ready, key=lambda u: (prospect.units[u].speed, self.rng.random()))
            del waiting[unit]
            there.put(unit, self.side, best[-1])
            moves.append((unit, best[-1]))
        return [] if prospect.lines(there.at[goal][0], there) else moves

    @property
    def _engaged(self) -> UnitMask:
        """Units whose blows are worth something."""
        return sum(1 << u for u in {u for strike in self.best.strikes for u in strike.units if strike.worth > 1.0})

    def _gather(self, target: Hex, size: int) -> list[tuple[int, Hex]]:
        """Moves that bring so many more units next to a hex."""
        ring = self.prospect.near(target)
        stand, rng = self.stand, self.rng
        engaged = {u for strike in self.best.strikes for u in strike.units if strike.worth > 1.0}
        ready = [
            u for u, reached in self.reach.items()
            if reached & ring and u not in engaged and self.prospect.units[u].attack
            and not (stand.where[u] >= 0 and ring >> stand.where[u] & 1)
        ]  # fmt: skip
        rng.shuffle(ready)
        ready.sort(key=lambda u: -self.prospect.units[u].attack + 3 * rng.random())
        origins = ring & stand.held[self.side]
        there = stand.copy()
        moves: list[tuple[int, Hex]] = []
        placed: set[int] = set()
        for unit in ready:
            if len(moves) >= size:
                break
            hexes = [
                h for h in members(self.reach[unit] & ring)
                if unit not in placed and self.may(unit, h) and self.prospect.fits(unit, h, there)
            ]  # fmt: skip
            if not hexes:
                continue
            apart = self.prospect.grid.ring(origins) | origins
            free = [h for h in hexes if not apart >> h & 1]
            h = (free or hexes)[int(rng.random() * len(free or hexes))]
            origins |= 1 << h
            mates = [u for u in ready if u != unit and u not in placed and self.start[u] == self.start[unit] >= 0]
            for mover in (unit, *mates):
                if mover == unit or (
                    len(moves) < size and self.reach[mover] >> h & 1
                    and self.may(mover, h) and self.prospect.fits(mover, h, there)
                ):  # fmt: skip
                    there.put(mover, self.side, h)
                    placed.add(mover)
                    moves.append((mover, h))
        return moves

    def _shake(self, movers: Sequence[int], centre: Hex = NOWHERE, *, keep: bool = False) -> None:
        """Change a part of the plan, around a hex if one is named, and mend it; keep it if it came out better, or
        anyhow."""
        stand, rng = self.stand, self.rng
        if not movers:
            return
        before, best = stand.copy(), self.best
        standing = [u for u in movers if stand.where[u] >= 0]
        if not standing:
            return
        if centre == NOWHERE:
            centre = stand.where[standing[int(rng.random() * len(standing))]]
        close = self.prospect.grid.within(1 << centre, 3)
        part = [u for u in standing if close >> stand.where[u] & 1]
        for unit in part:
            if rng.random() < 0.6:
                options = [h for h in self.choices(unit) if self.may(unit, h)]
                if options:
                    stand.put(unit, self.side, options[int(rng.random() * len(options))])
        self.best = self.appraiser.appraise(stand)
        self._sweep(part)
        if self.best.value <= best.value and not keep:
            self.stand, self.best = before, best
