"""Appraisal: what a stand is worth to a side after its own blows, the enemy's reply and the next look at supply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...hexes import Hex, HexMask, mask_of, members
from ...kernel.data import load
from ...kernel.prospect import Prospect, Stand, UnitMask
from ..tuning import FOLDER
from .blows import Blows, Strike
from .raiders import Arteries, arteries, raiders

SURPLUS = 8.0
"""What a unit costs that stands where there is no room for it."""
PASSING = 15.0
"""What a cut of supply costs at most, besides the blows it helps."""
RESCUE, RELIEF, LEFT = 3, 5.0, 0.8
"""Hexes from which a stack of ours is soon there to lift a cut; how many times as strong as an enemy it must be to do
so surely before the others move, and what part of the cut it then spares us."""
STARVING = 3.0
"""Points of hunger from which those who cause it are hunted."""
HUNTERS, PULL = 4, 0.08
"""Units that hunt an enemy who cuts our supply, and what a hex nearer to him is worth for each point of hunger."""
ROADS = "arteries"
"""Under which the enemy's roads are remembered: those who are on their way keep to it for a turn."""
FAR = 20
"""Hexes from there that are worth nothing to them: whoever is still to enter is drawn in."""
CUTS = 8
"""Hexes that are looked at for a cut of supply."""
SHAKEN = 0.1
"""Chance to fall from which an enemy may be gone, where all depends on it."""
SHARED = (1.0, 0.6, 0.3)
"""How likely an enemy finds a cut that takes one hex, two, or three."""
SEVERED, RAIDERS = 0.8, 4
"""How likely an enemy who has the last word cuts objectives off where he can, and how many units he sends at most."""
GONE = 0.5
"""Chance to fall from which an enemy is thought to have left his hex."""


Bands = dict[int, tuple[Mapping[Hex, float], list[tuple[float, HexMask]]]]
"""For posts, by their identity, the hexes of each worth, the best first."""


class Weights(NamedTuple):
    """How the parts of an appraisal count, one for each side of a game."""

    blows: float
    care: float
    """How own losses count in own blows."""
    reply: float
    """How the enemy's best blows count."""
    rash: float
    """How his losses count to him."""
    onward: float
    """How his march counts."""
    post: float
    hunger: float
    cut: float
    """How the hunger counts that a cut of supply by him would bring."""
    help: float
    """How much of what special weapons add to blows counts."""
    raid: float
    """How the hunger counts that those bring who are on their way to the enemy's roads."""


PLAIN = Weights(**load(FOLDER / "planner" / "usual.yaml", dict[str, float]))
"""The usual weights."""


class Appraisal(NamedTuple):
    """A value, and what it is made of."""

    value: float
    strikes: list[Strike]
    raids: list[Strike]
    parts: tuple[float, ...]


class Appraiser:
    """Judges stands of one board for the side that looks at it."""

    def __init__(self, prospect: Prospect, weights: Weights = PLAIN, blows: Blows | None = None) -> None:
        self.prospect = prospect
        self.weights = weights
        self.side, self.enemy = prospect.side, 1 - prospect.side
        self.blows = blows or Blows(prospect)
        self.ours = prospect.of(self.side)
        self.theirs = [unit for unit in prospect.of(self.enemy) if prospect.stand.where[unit] >= 0]
        self.all_ours: UnitMask = sum(1 << u for u in self.ours)
        self.free = self.all_ours & prospect.fresh()
        """Units that may still strike."""
        self.targets = prospect.targets()
        self.support = prospect.support() if weights.help else 0
        """Special weapons at hand."""
        self.must = prospect.must(self.side)
        self.final = prospect.final()
        self.last = prospect.deep and not self.final and prospect.turn >= prospect.last
        """Whether what the enemy does next is the last that happens."""
        self.coming = prospect.coming()
        self._hunger = [prospect.hunger(unit.number) for unit in prospect.units]
        self._whole = [sum(prospect.prices(unit.number)) for unit in prospect.units]
        self.posts: list[Mapping[Hex, float]] = [prospect.post(unit.number) for unit in prospect.units]
        self._goals = prospect.objectives(self.enemy, prospect.turn)
        self._goal_hexes = mask_of(prospect.objectives(self.side, prospect.turn))
        self._raid()
        self._hunt()
        self._bands: Bands = prospect.known.setdefault("bands", {})
        self._best_posts: dict[tuple[int, HexMask], float] = prospect.known.setdefault("best posts", {})
        self.looks = 0
        self._rescue: dict[Hex, HexMask] = {}
        self._typical = sum([prospect.units[u].defence for u in self.theirs]) / max(1, len(self.theirs))
        self.surplus = SURPLUS
        most = prospect.stack
        self.crowds = any(len(there) > most for there in prospect.stand.at.values())
        """Whether units stand in hexes that hold fewer."""

    def _hunt(self) -> None:
        """Send those who are nearest against an enemy who keeps supply from many: nothing else is as near to their
        work."""
        prospect, side, stand = self.prospect, self.side, self.prospect.stand
        hungry = prospect.unfed(side, stand)
        before = self._worth_of(hungry)
        if before < STARVING:
            return
        for h in members(stand.held[self.enemy]):
            without = stand.copy()
            for unit in stand.at[h]:
                without.put(unit, self.enemy, -1)
            freed = before - self._worth_of(prospect.unfed(side, without))
            if freed < STARVING:
                continue
            distance = prospect.grid.distance
            nearest = sorted((distance(stand.where[unit], h), unit) for unit in self.ours if stand.where[unit] >= 0)
            pull = min(1.0, PULL * freed)
            for _, unit in nearest[:HUNTERS]:
                self.posts[unit] = {x: -pull * distance(x, h) for x in self.posts[unit]}

    def _raid(self) -> None:
        """Send some who have nothing nearer to do to where most of the enemy would starve if we stood there."""
        prospect = self.prospect
        if not self.weights.raid or self.final or prospect.imagined:
            return
        if ROADS not in prospect.known:
            prospect.known[ROADS] = arteries(prospect)
        goals: Arteries = prospect.known[ROADS]
        pull = self.weights.raid * min(1.0, PULL * goals.hunger) * goals.hope
        for unit, goal in raiders(prospect, goals, prospect.grid.within(self._goal_hexes, 1)).items():
            plain, distance = self.posts[unit], prospect.grid.distance
            self.posts[unit] = {h: worth + pull * (FAR - distance(h, goal)) for h, worth in plain.items()}

    def appraise(self, stand: Stand, *, striking: bool = True, least: float = -1e9) -> Appraisal:
        """What a stand is worth, own blows still to come (``striking``) or past.

        Where it comes to no more than ``least`` anyhow, cuts of supply are not looked for."""
        self.looks += 1
        prospect, weights, side = self.prospect, self.weights, self.side
        ours = prospect.unfed(side, stand)
        stand.hungry = ours | prospect.unfed(1 - side, stand)
        post = self.posted(stand)
        standing = prospect.standing(stand)
        strikes = self.strikes(stand) if striking else []
        gained = sum([strike.worth for strike in strikes])
        if self.last:
            strikes = self.sparing(stand, strikes)
            gained = sum([strike.worth for strike in strikes])
        if strikes and self.support:
            gained += weights.help * self.help(stand, strikes)
        after = stand
        if strikes:
            after = self.aftermath(stand, strikes)
            if after.held[1 - side] != stand.held[1 - side]:
                after.hungry = prospect.unfed(side, after) | prospect.unfed(1 - side, after)
        hunger = self._hungry(after)
        lost, onward, raids = (0.0, 0.0, []) if self.final else self._reply(after)
        value = (
            weights.blows * gained + weights.post * post + standing + weights.hunger * hunger
            - weights.reply * lost - weights.onward * onward
        )  # fmt: skip
        if self.crowds:
            value -= self._crowded(stand)
        cut = self._cut(after, lost) if value > least and weights.cut and not self.final else 0.0
        if self.last and value - cut > least:
            cut = max(cut, SEVERED * self.severed(self.aftermath(stand, strikes, SHAKEN))[0])
        value -= cut
        return Appraisal(value, strikes, raids, (gained, post, standing, hunger, lost, onward, cut))

    def strikes(self, stand: Stand) -> list[Strike]:
        """The blows that our side would strike from a stand."""
        return self.blows.strikes(self.side, stand, self.free, self.weights.care, self.targets, self.must)

    def sparing(self, stand: Stand, strikes: list[Strike]) -> list[Strike]:
        """Before the enemy's last word, the blows without those that drive him to where he cuts off what we hold."""
        if not self.last or not self.severed(self.aftermath(stand, strikes, SHAKEN))[0]:
            return strikes
        kept, lost = list[Strike](), self.severed(stand)[0]
        for strike in strikes:
            more = self.severed(self.aftermath(stand, [*kept, strike], SHAKEN))[0]
            if strike.worth > SEVERED * (more - lost):
                kept, lost = [*kept, strike], more
        return kept

    def help(self, stand: Stand, strikes: list[Strike]) -> float:
        """What special weapons at hand add to the blow where they add most."""
        care, most = self.weights.care, 0.0
        for strike in strikes:
            most = max(most, self.blows.helped(strike, stand, care, self.support))
        return most

    def shared(self, stand: Stand) -> list[Strike]:
        """The same, shared out with more care."""
        return self.blows.shared(self.side, stand, self.free, self.weights.care, self.targets, self.must)

    def _hungry(self, stand: Stand) -> float:
        """What hunger costs the enemy, less what it costs us."""
        total, hungry = 0.0, stand.hungry
        while hungry:
            unit = hungry.bit_length() - 1
            hungry ^= 1 << unit
            if stand.where[unit] >= 0:
                plight = self._hunger[unit] * self.prospect.plight(unit, stand)
                total += -plight if self.all_ours >> unit & 1 else 0.7 * plight
        return total

    def _crowded(self, stand: Stand) -> float:
        """What is lost where more units stand than a hex holds."""
        most, total = self.prospect.stack, 0
        for there in stand.at.values():
            if len(there) > most and self.all_ours >> there[0] & 1:
                total += len(there) - most
        return self.surplus * total

    def posted(self, stand: Stand) -> float:
        """What our units' posts are worth."""
        where, posts = stand.where, self.posts
        return sum([posts[u].get(where[u], 0.0) for u in self.ours if where[u] >= 0])

    def aftermath(self, stand: Stand, strikes: list[Strike], gone: float = GONE) -> Stand:
        """The stand when the blows have fallen: those who probably die dead, those who flee behind, where they like it
        best, if that is more likely than some chance."""
        prospect, after = self.prospect, stand.copy()
        for strike in strikes:
            if strike.blow.falls < gone:
                continue
            origins = 0
            for unit in strike.units:
                origins |= 1 << stand.where[unit]
            safe, _ = prospect.ways_out(strike.target, self.side, origins, after)
            for unit in stand.at[strike.target]:
                after.put(unit, self.enemy, -1)
                if strike.blow.dead < max(GONE, 1.0 - gone):
                    spots = [h for h in members(safe) if prospect.room(h, self.enemy, after) > 0]
                    likes = self.posts[unit] if prospect.deep else {}
                    after.put(unit, self.enemy, max(spots, key=lambda h: (likes.get(h, 0.0), -h), default=-1))
        return after

    # The enemy's reply --------------------------------------------------------------------------

    def _reply(self, stand: Stand) -> tuple[float, float, list[Strike]]:
        """What his best blows cost us, what his march gains him, and the blows."""
        where = stand.where
        marches = self._marches(stand)
        raids = self.blows.raids(self.enemy, stand, marches, self.weights.rash)
        lost = sum([raid.worth for raid in raids])
        onward, everywhere = 0.0, 0
        for unit, reached in marches.items():
            everywhere |= reached
            if where[unit] < 0:
                continue
            onward += self.best_post(unit, reached) - self.posts[unit].get(where[unit], 0.0)
        ours = stand.held[self.side]
        for h, worth in self._goals.items():
            if everywhere >> h & 1 and not ours >> h & 1 and not stand.held[self.enemy] >> h & 1:
                onward += worth
        return lost, onward, raids

    def best_post(self, unit: int, reached: HexMask) -> float:
        """What the best post is worth that a unit reaches."""
        posts = self.posts[unit]
        known = self._best_posts.get((id(posts), reached))
        if known is None:
            known = self._best_posts[id(posts), reached] = self._best_post(posts, reached)
        return known

    def _best_post(self, posts: Mapping[Hex, float], reached: HexMask) -> float:
        found = self._bands.get(id(posts))
        if found is None:
            by_worth: dict[float, HexMask] = {}
            for h, worth in posts.items():
                worth = round(worth, 2)
                by_worth[worth] = by_worth.get(worth, 0) | 1 << h
            found = self._bands[id(posts)] = (posts, sorted(by_worth.items(), reverse=True))
        for worth, mask in found[1]:
            if mask & reached:
                return worth
        return 0.0

    def _cut(self, stand: Stand, lost: float) -> float:
        """What the enemy could do more to us by standing where that starves us: for a turn, and by blows against the
        hungry."""
        marches = self._marches(stand)
        worst, across, share = self._worst(stand, marches)
        starved = self._starved(stand, mask_of(across)) if across else 0
        if not starved:
            return 0.0
        hungry, stand.hungry = stand.hungry, stand.hungry | starved
        raids = self.blows.raids(self.enemy, stand, marches, self.weights.rash)
        stand.hungry = hungry
        more = max(0.0, sum([raid.worth for raid in raids]) - lost)
        return share * more + worst

    def cuts(self, stand: Stand) -> list[Hex]:
        """The hexes in which the enemy would cut our supply worst; none if he cannot."""
        worst, across, _ = self._worst(stand, self._marches(stand))
        return across if worst > 0 else []

    def _marches(self, stand: Stand) -> dict[int, HexMask]:
        """Where each enemy can be next."""
        marches = {u: self.prospect.march(u, stand) for u in self.theirs if stand.where[u] >= 0}
        marches.update(self.coming)
        return marches

    def _worst(self, stand: Stand, marches: dict[int, HexMask]) -> tuple[float, list[Hex], float]:
        """What the worst cut of our supply costs in passing, the hexes that it takes, and how likely it is found."""
        prospect, side = self.prospect, self.side
        reached = 0
        for hexes in marches.values():
            reached |= hexes
        lines: HexMask = 0
        for h in members(stand.held[side]):
            lines |= prospect.lines(stand.at[h][0], stand)
        beside = prospect.grid.within(lines, 1) & reached & ~stand.held[side]
        if not beside or not self._starved(stand, beside):
            return 0.0, [], 1.0
        worst, first = max([(self._passing(stand, 1 << h, h), h) for h in _some(lines & beside or beside)])
        found = (worst, [first], SHARED[0])
        across = self._across(stand, beside)
        if 1 < len(across) <= len(SHARED):
            share = SHARED[len(across) - 1]
            worth = share * min([self._passing(stand, mask_of(across), h) for h in across])
            if worth > worst:
                found = (worth, across, share)
        return found

    def _across(self, stand: Stand, lines: HexMask) -> list[Hex]:
        """As few of some hexes as starve those of us who are worth most among whom all together starve."""
        plight: dict[Hex, float] = {}
        starved = self._starved(stand, lines)
        for unit in members(starved):
            h = stand.where[unit]
            plight[h] = plight.get(h, 0.0) + self._hunger[unit]
        if not plight:
            return []
        goal = stand.at[max(plight, key=lambda h: (plight[h], h))]
        group: UnitMask = sum([1 << unit for unit in goal if starved >> unit & 1])
        kept = list(members(lines))
        step = len(kept) // 2
        while step:
            at = 0
            while at < len(kept):
                fewer = kept[:at] + kept[at + step :]
                if fewer and group & ~self._starved(stand, mask_of(fewer)) == 0:
                    kept = fewer
                else:
                    at += step
            step //= 2
        return kept

    def severed(self, stand: Stand) -> tuple[float, list[Hex]]:
        """What the objectives that we hold are worth less at the end if the enemy stands across their lines of supply,
        in one hex of a line after the other until there is none left, and these hexes."""
        prospect, side, worst = self.prospect, self.side, (0.0, list[Hex]())
        marches = self._marches(stand)
        reached = 0
        for hexes in marches.values():
            reached |= hexes
        now = prospect.standing(stand)
        for goal in members(stand.held[side] & self._goal_hexes):
            there, waiting, across = stand.copy(), dict(marches), list[Hex]()
            for _ in range(RAIDERS):
                line = prospect.lines(there.at[goal][0], there) & ~there.held[side]
                best: tuple[float, float, int, Hex, int] | None = None
                for h in members(prospect.grid.within(line, 1) & reached & ~there.held[side] & ~there.held[self.enemy]):
                    raider = next((u for u, hexes in waiting.items() if hexes >> h & 1), None)
                    barred = (prospect.near(h) | 1 << h) & line
                    if raider is None or not barred:
                        continue
                    starved = prospect.unfed(side, there, 1 << h)
                    rated = (now - self.stood(there, starved), self._worth_of(starved), barred.bit_count(), h, raider)
                    best = rated if best is None or rated > best else best
                if best is None:
                    break
                lost, _, _, h, raider = best
                across.append(h)
                if lost > worst[0]:
                    worst = lost, across
                if lost >= 1.0:
                    break
                del waiting[raider]
                there.put(raider, self.enemy, h)
        return worst

    def stood(self, stand: Stand, starved: UnitMask) -> float:
        """What a stand is worth by itself if some units starve."""
        hungry, stand.hungry = stand.hungry, stand.hungry | starved
        value = self.prospect.standing(stand)
        stand.hungry = hungry
        return value

    def _passing(self, stand: Stand, hexes: HexMask, h: Hex) -> float:
        """What hunger costs us if enemies stand in some hexes, until they are driven off from one of them."""
        starved = self._starved(stand, hexes)
        hunger = self.weights.cut * self._worth_of(starved)
        return min(PASSING, hunger) * self._lasting(stand, h, starved) if hunger else 0.0

    def _lasting(self, stand: Stand, h: Hex, starved: UnitMask) -> float:
        """How much of a cut is felt: little where a fed stack is near that can drive the enemy off before others
        move."""
        near = self._rescue.get(h)
        if near is None:
            near = self._rescue[h] = self.prospect.grid.within(1 << h, RESCUE)
        units, strongest = self.prospect.units, 0.0
        for there in members(stand.held[self.side] & near):
            strongest = max(strongest, sum([units[u].attack for u in stand.at[there] if not starved >> u & 1]))
        return 1.0 - LEFT * min(1.0, strongest / (RELIEF * max(1.0, self._typical)))

    def _starved(self, stand: Stand, extra: HexMask) -> UnitMask:
        """Who of us would starve besides those who do, if enemies stood in some hexes too."""
        return self.prospect.unfed(self.side, stand, extra) & ~stand.hungry

    def _worth_of(self, starved: UnitMask) -> float:
        return sum([self._hunger[u] for u in self.ours if starved >> u & 1]) if starved else 0.0


def _some(hexes: HexMask) -> list[Hex]:
    """A few of some hexes, spread over all of them."""
    every = list(members(hexes))
    return every[:: max(1, -(-len(every) // CUTS))]
