"""Blows: who strikes whom when all stand where they stand, each unit once and each hex once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ...hexes import Hex, HexMask, members
from ...kernel.prospect import Blow, Prospect, Stand, UnitMask

EFFORT = 0.006
"""What each point of strength in a blow must gain, so that nobody joins in for nothing."""
MOST = 9
"""Most units in one blow of the enemy that is thought of."""
STEPS = (1, 2, 3, 4, 6, 8)
"""Numbers of units at which a blow of the enemy is weighed as it grows."""
HOPELESS = 0.35
"""Strength against the defenders' under which no blow is thought of."""
SPARE = (0.05, 0.2, 0.5, 1.0)
"""What a unit adds to a blow at most that is tried elsewhere, when blows are shared out anew."""
WIDE = 2
"""How far around a hex who stands where has a say in a blow."""


class Strike(NamedTuple):
    """A blow that is chosen: against whom, by whom, and what it comes to."""

    target: Hex
    units: tuple[int, ...]
    blow: Blow
    worth: float


class Blows:
    """Blows against the stands of one board, remembered by what has a say in them."""

    def __init__(self, prospect: Prospect) -> None:
        self.prospect = prospect
        self._best: dict[tuple[object, ...], Strike | None] = {}
        self._raids: dict[tuple[object, ...], Strike | None] = {}
        self._helped: dict[tuple[int, int], tuple[Strike, float]] = {}
        self._wide: dict[Hex, HexMask] = {}
        self._attack = [unit.attack for unit in prospect.units]
        self._defence = [unit.defence for unit in prospect.units]
        self._order = [-(unit.attack - 0.1 * sum(prospect.prices(unit.number))) for unit in prospect.units]

    def wide(self, h: Hex) -> HexMask:
        """The hexes around one that have a say in a blow against it."""
        found = self._wide.get(h)
        if found is None:
            found = self._wide[h] = self.prospect.grid.within(1 << h, WIDE)
        return found

    # Those who stand next to their targets -----------------------------------------------------

    def strikes(
        self, side: int, stand: Stand, free: UnitMask, care: float = 1.0, targets: HexMask = -1, must: UnitMask = 0
    ) -> list[Strike]:
        """The blows of a side that together gain most, the best first; then those of units that ``must`` strike."""
        prospect, held = self.prospect, stand.held[side]
        near, at = prospect.near, stand.at
        waiting: dict[Hex, tuple[int, ...]] = {}
        for target in members(stand.held[1 - side] & prospect.grid.ring(held) & targets):
            units = tuple([u for h in members(near(target) & held) for u in at[h] if free >> u & 1])
            if units:
                waiting[target] = units
        chosen: list[Strike] = []
        rated: dict[Hex, Strike | None] = {}
        while waiting:
            top: Strike | None = None
            for target, units in waiting.items():
                if target not in rated:
                    rated[target] = self.best(target, units, side, stand, care)
                strike = rated[target]
                if strike is not None and (top is None or strike.worth > top.worth):
                    top = strike
            if top is None:
                break
            chosen.append(top)
            del waiting[top.target]
            used = set(top.units)
            for target, units in list(waiting.items()):
                if not used.isdisjoint(units):
                    rated.pop(target, None)
                    left = tuple([u for u in units if u not in used])
                    if left:
                        waiting[target] = left
                    else:
                        del waiting[target]
        return self._forced(side, stand, chosen, free & must, care, targets) if must else chosen

    def shared(
        self, side: int, stand: Stand, free: UnitMask, care: float = 1.0, targets: HexMask = -1, must: UnitMask = 0
    ) -> list[Strike]:
        """As ``strikes``, with those who add little to a blow tried elsewhere: the more blows, the more is gained."""
        best = self.strikes(side, stand, free, care, targets, must)
        if must:
            return best
        most, tried = sum([strike.worth for strike in best]), set[UnitMask]()
        for spare in SPARE:
            kept = [self._pruned(strike, stand, care, spare) for strike in best]
            used = sum([1 << u for strike in kept for u in strike.units])
            if used in tried:
                continue
            tried.add(used)
            struck = sum([1 << strike.target for strike in kept])
            more = self.strikes(side, stand, free & ~used, care, targets & ~struck)
            busy = used | sum([1 << u for strike in more for u in strike.units])
            found = self._joined([*kept, *more], side, stand, free & ~busy, care)
            total = sum([strike.worth for strike in found])
            if total > most + 1e-6:
                best, most = found, total
        return sorted(best, key=lambda strike: -strike.worth)

    def _pruned(self, strike: Strike, stand: Stand, care: float, spare: float) -> Strike:
        """A blow without those who add little to it."""
        found = strike
        while len(found.units) > 1:
            rated = []
            for unit in found.units:
                left = tuple([u for u in found.units if u != unit])
                rated.append((self._weighed(strike.target, left, stand, care), unit))
            best = max(rated, key=lambda pair: (pair[0].worth, pair[1]))[0]
            if best.worth <= 0 or best.worth < strike.worth - spare:
                break
            found = best
        return found

    def _joined(
        self, strikes: Sequence[Strike], side: int, stand: Stand, idle: UnitMask, care: float
    ) -> list[Strike]:  # fmt: skip
        """The same blows, with whoever is left in those to which he adds something."""
        found = []
        for strike in sorted(strikes, key=lambda one: -one.worth):
            near = self.prospect.near(strike.target) & stand.held[side]
            ready = [u for h in members(near) for u in stand.at[h] if idle >> u & 1]
            best, units = strike, strike.units
            for unit in sorted(ready, key=self._order.__getitem__):
                units = (*units, unit)
                more = self._weighed(strike.target, units, stand, care)
                if more.worth > best.worth:
                    best = more
            for unit in best.units:
                idle &= ~(1 << unit)
            found.append(best)
        return found

    def _weighed(self, target: Hex, units: tuple[int, ...], stand: Stand, care: float) -> Strike:
        blow = self.prospect.blow(units, target, stand)
        strength = sum([self._attack[u] for u in units])
        return Strike(target, units, blow, blow.gain - care * blow.loss - EFFORT * strength)

    def _forced(
        self, side: int, stand: Stand, chosen: list[Strike], must: UnitMask, care: float, targets: HexMask
    ) -> list[Strike]:
        """The blows with those added that have to strike: with others if they can, else together at the weakest."""
        near, held = self.prospect.near, stand.held[side]
        for strike in chosen:
            for unit in strike.units:
                must &= ~(1 << unit)
        struck = {strike.target: n for n, strike in enumerate(chosen)}
        enemies = stand.held[1 - side] & self.prospect.grid.ring(held) & targets
        left = {
            target: [u for h in members(near(target) & held) for u in stand.at[h] if must >> u & 1]
            for target in members(enemies)
        }  # fmt: skip
        while any(left.values()):
            best: tuple[float, Strike] | None = None
            for target, units in left.items():
                if not units:
                    continue
                before = chosen[struck[target]] if target in struck else None
                party = (*(before.units if before else ()), *units)
                blow = self.prospect.blow(party, target, stand)
                worth = blow.gain - care * blow.loss
                gain = (worth - (before.worth if before else 0.0)) / len(units)
                if best is None or gain > best[0]:
                    best = (gain, Strike(target, party, blow, worth))
            assert best is not None
            strike = best[1]
            if strike.target in struck:
                chosen[struck[strike.target]] = strike
            else:
                struck[strike.target] = len(chosen)
                chosen.append(strike)
            used = set(strike.units)
            left = {target: [u for u in units if u not in used] for target, units in left.items()}
        return chosen

    def best(
        self, target: Hex, units: tuple[int, ...], side: int, stand: Stand, care: float, support: int = 0
    ) -> Strike | None:
        """The best blow of some of these units, none if none gains anything."""
        wide, where = self.wide(target), stand.where
        key = (
            target, units, tuple([where[u] for u in units]), stand.at[target], stand.held[0] & wide,
            stand.held[1] & wide, stand.hungry, care, support,
        )  # fmt: skip
        if key in self._best:
            return self._best[key]
        spots = tuple([where[u] for u in units])
        found = self._best[key] = self._recalled(
            target, ("stand", spots, care, support), units, stand,
            lambda: self._composed(target, units, stand, care, support),
        )  # fmt: skip
        return found

    def _recalled(
        self, target: Hex, question: tuple[object, ...], units: tuple[int, ...], stand: Stand,
        make: Callable[[], Strike | None],
    ) -> Strike | None:  # fmt: skip
        """A blow of some units against a hex as it was worked out for units alike, or is now."""
        tokens, hungry, wide = self.prospect.tokens, stand.hungry, self.wide(target)
        there = stand.at[target]
        key = (
            target, question, tuple([tokens[u] << 1 | hungry >> u & 1 for u in units]),
            tuple([tokens[u] << 1 | hungry >> u & 1 for u in there]), stand.held[0] & wide, stand.held[1] & wide,
        )  # fmt: skip
        known = self.prospect.known
        if key in known:
            kept = known[key]
            return kept and Strike(target, tuple([units[place] for place in kept[0]]), kept[1], kept[2])
        found = make()
        known[key] = found and (tuple([units.index(u) for u in found.units]), found.blow, found.worth)
        return found

    def _composed(self, target: Hex, units: Sequence[int], stand: Stand, care: float, support: int) -> Strike | None:
        ranked = sorted(units, key=self._order.__getitem__)
        best: Strike | None = None
        joined: list[int] = []
        strength = 0.0
        held = sum([self._defence[u] for u in stand.at[target]])
        if sum([self._attack[u] for u in ranked]) < HOPELESS * held:
            return None
        for unit in ranked:
            joined.append(unit)
            strength += self._attack[unit]
            if strength < HOPELESS * held:
                continue
            blow = self.prospect.blow(joined, target, stand, support)
            worth = blow.gain - care * blow.loss - EFFORT * strength
            if worth > (best.worth if best is not None else 0.0):
                best = Strike(target, tuple(joined), blow, worth)
        return best

    def helped(self, strike: Strike, stand: Stand, care: float, support: int) -> float:
        """What special weapons add to a blow."""
        key = (id(strike), support)
        known = self._helped.get(key)
        if known is None or known[0] is not strike:
            blow = self.prospect.blow(strike.units, strike.target, stand, support)
            gain = blow.gain - care * blow.loss - (strike.blow.gain - care * strike.blow.loss)
            known = self._helped[key] = (strike, gain)
        return known[1]

    # Those who can come ---------------------------------------------------------------------------

    def raids(
        self, side: int, stand: Stand, marches: dict[int, HexMask], care: float = 1.0, spare: Iterable[int] = ()
    ) -> list[Strike]:
        """The blows that a side could strike after its next movement, each unit once, the best first."""
        prospect, out = self.prospect, set(spare)
        chances: list[tuple[Strike, list[int]]] = []
        for target in members(stand.held[1 - side]):
            ring = prospect.near(target)
            units = [u for u, reached in marches.items() if reached & ring and u not in out]
            if units:
                strike = self.raid(target, tuple(units), side, stand, marches, care)
                if strike is not None:
                    chances.append((strike, units))
        chances.sort(key=lambda chance: (-chance[0].worth, chance[0].target))
        chosen: list[Strike] = []
        used: set[int] = set()
        for strike, units in chances:
            if not used.isdisjoint(strike.units):
                left = tuple([u for u in units if u not in used])
                again = self.raid(strike.target, left, side, stand, marches, care) if left else None
                if again is None:
                    continue
                strike = again
            chosen.append(strike)
            used.update(strike.units)
        return chosen

    def raid(
        self, target: Hex, units: tuple[int, ...], side: int, stand: Stand, marches: dict[int, HexMask], care: float
    ) -> Strike | None:
        """The best blow against a hex by units that can come next to it."""
        ring, wide = self.prospect.near(target), self.wide(target)
        ways = tuple([marches[u] & ring for u in units])
        key = (
            target, units, ways, stand.at[target], stand.held[0] & wide, stand.held[1] & wide, stand.hungry, care
        )  # fmt: skip
        if key in self._raids:
            return self._raids[key]
        found = self._raids[key] = self._recalled(
            target, ("come", ways, side, care), units, stand,
            lambda: self._raided(target, units, ways, side, stand, care),
        )  # fmt: skip
        return found

    def _raided(
        self, target: Hex, units: Sequence[int], ways: Sequence[HexMask], side: int, stand: Stand, care: float
    ) -> Strike | None:
        prospect = self.prospect
        ranked = sorted(zip(units, ways, strict=True), key=lambda pair: self._order[pair[0]])[:MOST]
        there = stand.copy()
        origins: HexMask = 0
        best: Strike | None = None
        joined: list[int] = []
        strength = 0.0
        held = sum([self._defence[u] for u in stand.at[target]])
        if sum([self._attack[u] for u, _ in ranked]) < HOPELESS * held:
            return None
        for unit, way in ranked:
            spot = self._spot(unit, way, origins, there, stand.where[unit])
            if spot < 0:
                continue
            there.put(unit, side, spot)
            origins |= 1 << spot
            joined.append(unit)
            strength += self._attack[unit]
            if (len(joined) in STEPS or len(joined) == len(ranked)) and strength >= HOPELESS * held:
                blow = prospect.blow(joined, target, there)
                worth = blow.gain - care * blow.loss - EFFORT * strength
                if worth > (best.worth if best is not None else 0.0):
                    best = Strike(target, tuple(joined), blow, worth)
        return best

    def _spot(self, unit: int, way: HexMask, origins: HexMask, there: Stand, here: Hex) -> Hex:
        """Where a unit goes to strike: opposite to others if it can, so that the way back is closed."""
        if here >= 0 and way == 1 << here:
            return here
        open_hexes = [h for h in members(way) if h == here or self.prospect.fits(unit, h, there)]
        if not open_hexes:
            return -1
        if not origins:
            return open_hexes[0]
        apart = self.prospect.grid.ring(origins) | origins
        return next((h for h in open_hexes if not apart >> h & 1), open_hexes[0])
