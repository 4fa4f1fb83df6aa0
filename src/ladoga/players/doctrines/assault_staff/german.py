"""How the Germans see it: the way of each corps, its headquarters and their supply, what a hex is worth (6.0, 11.0)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from ....games.assault.figures import GERMAN, SOVIET
from ....games.assault.marches import AXES, distances
from ....games.assault.movement import reach_of
from ....games.assault.position import COMBAT_PHASES, AssaultPosition
from ....games.assault.supply import hq_ground
from ....games.assault.victory import has_division
from ....hexes import Hex, HexMask, mask_of, members
from ....kernel.flood import connected, spread, zone
from ...lay import FAR
from .bodies import Body, reach_of_unit
from .picture import Picture

STRIDE = 0.3
"""What a movement point nearer to the goal is worth."""
CUT_OFF = 6.0
"""What it costs to end a phase where the corps headquarters cannot feed a body."""
HQ_HASTE = 0.3
"""What a movement point nearer to the goal is worth when the post is chosen that a corps will keep to."""
HOLD = 3.0
"""What it is worth to a headquarters to keep a factor of its corps in supply."""
LIKELY, OPEN = 24, 8
"""Posts that are looked at for each headquarters, and how many of them at least that the enemy could cut off."""
FIRM = 16.0
"""What it is worth to a headquarters that nobody but guerrillas can cut it off."""
TAKEN = 0.5
"""What part of what a place scores it is worth to go there and have it."""
SAFE = 12.0
"""What it is worth to a headquarters that the enemy cannot cut it off in his turn."""
BARRED = 0.06
"""What it is worth to a factor of strength that a hex on its way is cleared."""
ENTERED = 30.0
"""What it is worth on the last turn to feed a body that can be in the city."""
LONE, PRONE = 40.0, 4.0
"""What it costs a headquarters to be alone where the enemy can come, and where he could with nobody in his way: he
mostly does come."""
OVERRUN = 1.0
"""What part of a headquarters is at stake where it stands with others."""
EXPOSED = 0.4
"""What part of that it costs to reckon with such a post beforehand, when somebody may still come along."""
ALONG = 1.0
"""What it costs to reckon with a post where the enemy can come and a body of the corps has to go along."""
CUTTING = 1.0
"""What it is worth to a factor of a corps whose headquarters is cut off that the line is opened again."""
RAIDING, RAID = 0.03, 6
"""What it is worth to a factor of a corps that an enemy is gone who stands so near to the lines behind it."""
ERRAND, ERRAND_ODDS = 14.0, 2.0
"""Movement points from which bodies are sent against such an enemy, and the odds that they are to have."""
RELIEF = 0.5
"""What it is worth to open the way of supply again to a factor of strength that is cut off from its headquarters."""
KEEPERS: Mapping[str, frozenset[str]] = {"assault-leningrad": frozenset({"28", "38"})}
"""Corps that keep the lines open behind the others once the first place on their way is taken: regiment by regiment,
where a headquarters feeds them that stands so near to the edge of the map that nobody can cut it off."""
PATROL, PATROLLED = 3, 0.5
"""How far from a line a body keeps it, and what each hex of it is worth that nobody else keeps."""
DECISIVE = 40.0
"""What it is worth that nobody of the enemy's is left in the city: of each hex there a part."""
KINSHIP = 1.0
"""What it is worth to stand with the other regiments of the division."""


class German(Picture):
    """The German side's picture."""

    def __init__(self, pos: AssaultPosition, bias: Mapping[str, float] | None = None) -> None:
        super().__init__(pos, GERMAN, bias)
        self._goals: dict[str, HexMask] = {}
        self._fields: dict[tuple[str, str], Mapping[Hex, float]] = {}
        self._leashes: dict[str, HexMask] = {}
        self.errands: dict[tuple[int, ...], HexMask] = {}
        """Bodies that are sent against an enemy behind the front, and where he stands."""
        self.kept: HexMask = 0
        """Ground that somebody keeps from raiders."""
        self.seats: dict[str, HexMask] = {}
        """The post chosen for the headquarters of each corps."""
        self.chosen: HexMask = 0
        """Posts for headquarters that the enemy cannot cut off as we stand."""

    # Goals ----------------------------------------------------------------------------------------

    def goal(self, corps: str) -> HexMask:
        """The place a corps is after: the first on its axis that is neither taken nor passed."""
        known = self._goals.get(corps)
        if known is None:
            places = [(word, self._place(word)) for word in AXES.get(self.game.id, {}).get(corps, ("city",))]
            known = places[-1][1]
            for (word, place), (_, beyond) in pairwise(places):
                if not self._taken(place, word) and not self._passed(corps, place, beyond, places[-1][1]):
                    known = place
                    break
            self._goals[corps] = known
        return known

    def keeps(self, corps: str) -> bool:
        """Whether a corps keeps the lines: the first place on its way is taken."""
        return corps in self._keepers

    @cached_property
    def _keepers(self) -> frozenset[str]:
        """Corps that keep the lines."""
        if not self.much("keepers"):
            return frozenset()
        first = {corps: AXES[self.game.id][corps][0] for corps in KEEPERS.get(self.game.id, ())}
        return frozenset(corps for corps, word in first.items() if self._taken(self._place(word), word))

    @cached_property
    def _edge(self) -> HexMask:
        """Ground from which a headquarters is fed off the edge of the map, without a line (11.13)."""
        return self.grid.within(self.ground.german_exits, self.game.tables.supply_range - 2)

    def _passed(self, corps: str, place: HexMask, beyond: HexMask, last: HexMask) -> bool:
        """Whether a corps has come nearer to the next place, or to the last, than this one is; points are not passed
        by."""
        if not place or place & self.game.watched(self.ground):
            return not place
        pos = self.pos
        units = [i for i in self.of(GERMAN) if pos.roster[i].corps == corps and not pos.roster[i].is_hq]
        for goal in (beyond, last):
            field = distances(self.ground, GERMAN, "infantry", goal)
            limit = min(field.get(h, FAR) for h in members(place))
            if any(field.get(pos.where[i], FAR) < limit for i in units):
                return True
        return False

    def _place(self, word: str) -> HexMask:
        if word != "city":
            return self.grid.mask([word]) if word in self.grid else 0
        missing = self.ground.key_points & ~self.us.occupied & ~self.pos.german_held
        return missing or self._last_stands or self.ground.key_points or self.ground.interior

    @cached_property
    def _last_stands(self) -> HexMask:
        """Where the enemy still is in the city, if nobody being there wins the game (17.11)."""
        return self.them.occupied & self.ground.city if self.decisive and self.pos.germans_on_inset else 0

    def _taken(self, place: HexMask, word: str) -> bool:
        if not place or place & self.them.occupied:
            return not place
        watched = self.game.watched(self.ground)
        if place & watched:
            return bool(place & self.pos.german_held)
        return bool(self.grid.within(place, 2) & self.us.occupied)

    def far(self, corps: str, column: str, h: Hex) -> float:
        """Movement points from a hex to the goal of a corps."""
        return self.field(corps, column).get(h, FAR)

    def field(self, corps: str, column: str) -> Mapping[Hex, float]:
        """Movement points from everywhere to the goal of a corps."""
        known = self._fields.get((corps, column))
        if known is None:
            known = self._fields[corps, column] = distances(self.ground, GERMAN, column, self.goal(corps))
        return known

    @cached_property
    def _spearheads(self) -> list[tuple[dict[Hex, float], float, float]]:
        """The way of every corps on the map, how far its foremost unit still has to go, and its strength."""
        found = []
        pos = self.pos
        for corps in {pos.roster[i].corps for i in self.of(GERMAN)}:
            field = distances(self.ground, GERMAN, "infantry", self.goal(corps))
            ours = [i for i in self.of(GERMAN) if pos.roster[i].corps == corps]
            foremost = min(field.get(pos.where[i], FAR) for i in ours)
            strength = sum(self.factor(i) for i in ours if not pos.roster[i].is_hq)
            found.append((field, foremost, strength))
        return found

    def worth(self, h: Hex) -> float:
        """As always, and more for what bars the way of a corps or its rails."""
        if h in self._worths:
            return self._worths[h]
        known = super().worth(h)
        if self.them.occupied >> h & 1:
            barred = [strength for field, foremost, strength in self._spearheads if field.get(h, FAR) < foremost + 2.0]
            if barred:
                haste = 1.2 + BARRED * self.much("impatience") * sum(barred)
                known += haste * self.much("ground") * self.lasting
            if self.grid.within(1 << h, 1) & self.ground.line_hexes & self.rear:
                known += 1.5 * self.lasting
            if self._last_stands >> h & 1:
                known += DECISIVE * self.much("decisive") * self.counting / self._last_stands.bit_count()
            known += CUTTING * self.much("cutting") * self.cutters.get(h, 0.0)
            known += RAIDING * self.much("raiding") * self.raiders.get(h, 0.0)
            self._worths[h] = known
        return known

    @cached_property
    def rear(self) -> HexMask:
        """Ground behind our foremost units: lines that run there should be open."""
        return self.grid.within(self.us.occupied, 3)

    # Supply ---------------------------------------------------------------------------------------

    @cached_property
    def feeding(self) -> HexMask:
        """Where a headquarters is in supply as things stand (11.35)."""
        return hq_ground(self.pos)[0]

    @cached_property
    def cutters(self) -> dict[Hex, float]:
        """Enemies who alone keep supply from headquarters, with the strength of the corps that starve by it."""
        pos, grid, found = self.pos, self.grid, dict[Hex, float]()
        fed = self.network(self.open)
        hungry = []
        for i in pos.headquarters:
            spot = self.ground.fringe_of.get(pos.where[i], pos.where[i])
            if spot >= 0 and not fed >> spot & 1:
                corps = pos.roster[i].corps
                units = [u for u in self.of(GERMAN) if pos.roster[u].corps == corps and not pos.roster[u].is_hq]
                hungry.append((spot, sum(self.factor(u) for u in units)))
        if not hungry:
            return found
        enemies = self.them.occupied & self.ground.main
        zoned = self.them.class_a | self.them.class_b
        for h in members(enemies):
            freed = grid.within(1 << h, 1) & ~grid.ring(zoned & ~(1 << h)) & ~(enemies & ~(1 << h))
            again = self.network(self.open | freed & self.ground.land & ~self.ground.capital)
            strength = sum([strength for spot, strength in hungry if again >> spot & 1])
            if strength:
                found[h] = strength
        return found

    @cached_property
    def raiders(self) -> dict[Hex, float]:
        """Enemies near the lines behind headquarters, with the strength of the corps that are fed over these."""
        pos, ground, found = self.pos, self.ground, dict[Hex, float]()
        near = self.grid.within(self.rails, RAID) & ~(ground.fort | ground.capital | ground.inset)
        loose = {pos.where[i] for i in self.of(SOVIET) if near >> pos.where[i] & 1 and not pos.roster[i].is_worker}
        if not loose:
            return found
        for i in pos.headquarters:
            spot = ground.fringe_of.get(pos.where[i], pos.where[i])
            if spot < 0 or not self.feeding >> spot & 1:
                continue
            back = min(
                [distances(ground, GERMAN, "infantry", exits) for exits in self._edges], key=lambda f: f.get(spot, FAR)
            )
            strength = self._strength(pos.roster[i].corps)
            for h in sorted(loose):
                if back.get(h, FAR) + 2.0 < back.get(spot, FAR):
                    found[h] = found.get(h, 0.0) + strength
        return found

    @cached_property
    def _edges(self) -> list[HexMask]:
        """Parts of the map's edge from which we are fed, each by itself."""
        rest, found = self.ground.entries & self.ground.german_exits, []
        while rest:
            part = spread(self.grid, rest & -rest, rest)
            found.append(part)
            rest &= ~part
        return found

    @cached_property
    def rails(self) -> HexMask:
        """The lines over which supply runs now (11.13)."""
        ground = self.ground
        return connected(
            self.grid, ground.line_hexes & ground.german_exits, ground.line_sides, self.open & ground.line_hexes
        )

    def _strength(self, corps: str) -> float:
        """Factors of a corps on the map."""
        pos = self.pos
        return sum(self.factor(i) for i in self.of(GERMAN) if pos.roster[i].corps == corps and not pos.roster[i].is_hq)

    def send(self, bodies: Sequence[Body]) -> None:
        """Send the nearest bodies against those behind us who could cut us off, enough of them for a good attack."""
        free = [body for body in bodies if body.hex >= 0 and body.attack]
        if not self.much("errands"):
            return
        for h, _ in sorted(self.raiders.items(), key=lambda raider: (-raider[1], raider[0])):
            needed = ERRAND_ODDS * self.much("errands") * self.defence(h, 0)[0]
            fields = {column: distances(self.ground, GERMAN, column, 1 << h) for column in ("infantry", "mechanized")}
            free.sort(key=lambda body: (fields[body.column].get(body.hex, FAR), body.units))
            for body in free[:3]:
                if needed <= 0 or fields[body.column].get(body.hex, FAR) > ERRAND:
                    break
                self.errands[body.units] = 1 << h
                needed -= body.attack
                free.remove(body)

    def network(self, free: HexMask) -> HexMask:
        """Where a headquarters is fed if supply runs over some ground only (11.13, 11.35, 11.53)."""
        ground, length = self.ground, self.game.tables.supply_range
        inset, free = free & ground.inset, free & ground.main
        line = connected(
            self.grid, ground.line_hexes & ground.german_exits, ground.line_sides, free & ground.line_hexes
        )
        inner = self.spread(line & free, length - 1, free) | self.spread(ground.german_exits & free, length - 2, free)
        found = inner | zone(self.grid, inner, ground.german_supply_sides) & free
        doors = self._doors(inner) & inset
        return found | connected(self.grid, doors, ground.german_supply_sides, inset) if doors else found

    def _doors(self, main: HexMask) -> HexMask:
        """The fringe of the inset that belongs to some hexes of the main map."""
        found = 0
        for h in members(main & self.ground.fringe_main):
            found |= self.ground.links[h]
        return found

    @cached_property
    def safe(self) -> HexMask:
        """Where a headquarters is fed whatever the enemy does next."""
        return self.network(self.open & (~self.cuttable | self.us.occupied))

    @cached_property
    def firm(self) -> HexMask:
        """Where a headquarters is fed whatever the enemy does next but for his guerrillas."""
        return self.network(self.open & (~self.barrable | self.us.occupied))

    def posts(self, corps: str) -> HexMask:
        """Where the headquarters of a corps is fed, now or after a move that it can still make."""
        pos, found = self.pos, 0
        fighting = pos.phase.id in COMBAT_PHASES
        for i in pos.headquarters:
            if pos.roster[i].corps != corps or not pos.steps[i]:
                continue
            if pos.where[i] >= 0:
                found |= 1 << pos.where[i]
            if not fighting or pos.roster[i].mechanized:
                found |= reach_of_unit(self, i)
        found &= self.feeding
        return found & self._edge or found if self.keeps(corps) else found

    def tie(self, bodies: Sequence[Body]) -> None:
        """Choose for every corps the post of its headquarters from which its bodies come furthest, the strongest corps
        first."""
        corps: dict[str, list[Body]] = {}
        for body in bodies:
            corps.setdefault(body.corps, []).append(body)
        taken, stride = 0, STRIDE * self.much("reach") * self.much("push")
        for name, members_of in sorted(corps.items(), key=lambda c: (-sum(b.attack for b in c[1]), c[0])):
            posts = self.posts(name)
            ways = [(body.reach, HOLD * self.much("hold") * body.attack, self._way(body)) for body in members_of]
            best, top, post = 0, -FAR * 9, 0
            for h in self.likely(name, posts & self.ground.main & ~taken, self.firm):
                around = self._around(1 << h)
                value = self._prospect(name, h, members_of)
                for reach, held, way in ways:
                    if reach & around:
                        value += held - stride * next(far for far, spot in way if around >> spot & 1)
                    if self.over and reach & around & self.ground.interior:
                        value += ENTERED
                if value > top:
                    best, top, post = around, value, 1 << h
            self._leashes[name] = best or self._around(posts) if posts else self._home(name)
            self.chosen |= post & self.safe
            self.seats[name] = post
            taken |= post

    def _way(self, body: Body) -> list[tuple[float, Hex]]:
        """Where a body can get, the nearest to its goal first."""
        field = self.field(body.corps, body.column)
        return sorted((field.get(h, FAR), h) for h in members(body.reach))

    def _prospect(self, corps: str, h: Hex, bodies: Sequence[Body]) -> float:
        """How good a post a hex is for a headquarters that bodies of its corps may go along with."""
        value = -HQ_HASTE * self.much("haste") * self.far(corps, "infantry", h)
        if self.over:
            return value
        value += SAFE * self.much("lines") if self.safe >> h & 1 else 0.0
        value += FIRM * self.much("firm") if self.firm >> h & 1 else 0.0
        along = [body.attack for body in bodies if body.reach >> h & 1]
        if along:
            fear = max(
                [self.overrun(i, h, max(along)) for i in self.pos.headquarters if self.pos.roster[i].corps == corps]
            )
            return value - ALONG * self.much("along") * bool(self.lonely(h)) - fear
        return value - EXPOSED * self.much("exposed") * self.lonely(h) * (not self.us.body >> h & 1)

    def _home(self, corps: str) -> HexMask:
        """Where a corps keeps to that no headquarters can feed now: round its headquarters; anywhere if it has none."""
        posts = mask_of(
            self.pos.where[i]
            for i in self.pos.headquarters
            if self.pos.roster[i].corps == corps and self.pos.where[i] >= 0
        )
        return self._around(posts) if posts else -1

    def likely(self, corps: str, posts: HexMask, safe: HexMask) -> list[Hex]:
        """The foremost of some posts: more of the safe ones than of the others."""
        field = distances(self.ground, GERMAN, "infantry", self.goal(corps))
        ranked = sorted(members(posts), key=lambda h: (field.get(h, FAR), h))
        guarded = [h for h in ranked if safe >> h & 1][: LIKELY - OPEN]
        others = [h for h in ranked if not safe >> h & 1]
        return guarded + others[: LIKELY - len(guarded)]

    def _around(self, posts: HexMask, free: HexMask = 0) -> HexMask:
        """Where units are fed by a headquarters in one of some hexes, over the ground that is or will be open (11.13,
        11.45, 11.53)."""
        length = self.game.tables.supply_range
        ground, free = self.ground, free or self.open
        inner = self.spread(posts & ground.main, length - 1, free)
        found = inner | self.grid.ring(inner) & ground.land
        fringe = self._doors(inner)
        doors = fringe & free | posts & ground.inset
        if doors:
            inside = connected(self.grid, doors, ground.german_supply_sides, free & ground.inset | doors)
            found |= fringe | inside | zone(self.grid, inside, ground.german_supply_sides) & ground.inset
            if posts & ground.inset:
                gates = mask_of(ground.fringe_of[h] for h in members(inside & ground.fringe_inset)) & free
                found |= self.spread(gates, length, free)
        return found | ground.place("garrison")

    def hold(self, posts: Mapping[str, HexMask], free: HexMask) -> None:
        """Keep every corps to where its headquarters is to stand, with the ground that will be open then."""
        for corps, post in posts.items():
            self._leashes[corps] = self._around(post, free)

    def leash(self, corps: str) -> HexMask:
        """Where units of a corps can be fed."""
        known = self._leashes.get(corps)
        if known is None:
            posts = self.posts(corps)
            known = self._leashes[corps] = self._around(posts) if posts else self._home(corps)
        return known

    @cached_property
    def stranded(self) -> dict[str, list[tuple[Hex, float]]]:
        """For each corps whose headquarters is fed, units that it does not reach, and what it is worth to do so."""
        pos, ground, found = self.pos, self.ground, dict[str, list[tuple[Hex, float]]]()
        for corps, post in self._seats.items():
            around = self._around(post)
            for i in self.of(GERMAN):
                unit, h = pos.roster[i], pos.where[i]
                spot = ground.fringe_of.get(h, h)
                if unit.corps == corps and not unit.is_hq and not around >> spot & 1:
                    worth = RELIEF * self.much("relief") * self.much("supply") * unit.face(pos.steps[i]).combat
                    found.setdefault(corps, []).append((spot, worth + self.inside(h)))
        return found

    @cached_property
    def _seats(self) -> dict[str, HexMask]:
        """Where the headquarters of each corps is in supply now."""
        pos, found = self.pos, dict[str, HexMask]()
        for i in pos.headquarters:
            spot = self.ground.fringe_of.get(pos.where[i], pos.where[i])
            if spot >= 0 and (self.feeding | self.network(self.open)) >> spot & 1:
                found[pos.roster[i].corps] = found.get(pos.roster[i].corps, 0) | 1 << pos.where[i]
        return found

    def reliefs(self) -> list[tuple[float, Hex, frozenset[Hex]]]:
        """Hexes in which a body opens the way to those who are cut off: what that is worth, and where they are."""
        grid, found = self.grid, list[tuple[float, Hex, frozenset[Hex]]]()
        closed = self.ground.land & ~self.open & ~self.them.occupied & ~self.ground.capital
        for corps, units in self.stranded.items():
            post = self._seats[corps]
            near = grid.within(mask_of(spot for spot, _ in units), 3) | self.ground.inset
            for h in members(closed & near & grid.ring(self._around(post))):
                again = self._around(post, self.open | 1 << h)
                reached = [(spot, worth) for spot, worth in units if again >> spot & 1]
                if reached:
                    found.append((sum(worth for _, worth in reached), h, frozenset(spot for spot, _ in reached)))
        found.sort(key=lambda relief: (-relief[0], relief[1]))
        return found

    def guards(self, bodies: Sequence[Body]) -> list[Body]:
        """Bodies that must stay where they are for the chosen posts to remain safe; rather slow ones than fast."""
        held, found = self.us.occupied, list[Body]()
        if self.over or not self.much("guards"):
            return found
        for body in sorted(bodies, key=lambda b: (not b.mechanized, -b.attack, b.units)):
            rest = held & ~body.here
            free = (self.ground.land & ~self.them.zone | rest) & ~self.ground.capital & (~self.cuttable | rest)
            if self.chosen & ~self.network(free):
                found.append(body)
            else:
                held = rest
        return found

    @cached_property
    def last_check(self) -> bool:
        """Whether those who are in supply now starve no more, wherever they go, and score as well without (11.24)."""
        return self.pos.turn == self.game.turns and not self.game.scenario.victory.unit_in_city

    def tether(self, body: Body) -> HexMask:
        """Where a body can be fed, or need not be."""
        free = self.last_check and not any(self.pos.is_out(i) for i in body.units)
        return -1 if free else self.leash(body.corps)

    def fed(self, body: Body, h: Hex) -> bool:
        """Whether a body in a hex can be reached by its headquarters, or need not be."""
        return bool(self.tether(body) >> h & 1)

    # What a hex is worth to a body ----------------------------------------------------------------

    def rate(self, body: Body, h: Hex, kin: int = 0) -> float:
        """How well a body would stand in a hex at the end of a phase."""
        return self.rated(body)(h, kin)

    def rated(self, body: Body) -> Callable[[Hex, int], float]:
        """How well a body would stand in any hex at the end of a phase, with so many of its kin there, as things are
        planned now."""
        word, price, attack = self.bias.get, body.price, body.attack
        errand, leash = self.errands.get(body.units), self.tether(body)
        ways = distances(self.ground, GERMAN, body.column, errand) if errand else self.field(body.corps, body.column)
        keeping = not errand and self.keeps(body.corps)
        stride, patrol = -STRIDE * word("push", 1.0), PATROLLED * word("patrol", 1.0)
        inside, supply, safety = word("inside", 1.0), word("supply", 1.0), word("safety", 1.0)
        cover, kinship = 0.1 * word("cover", 1.0), KINSHIP * word("kin", 1.0)
        take, takes = TAKEN * word("take", 1.0) * self.counting, self.takes

        def rate(h: Hex, kin: int) -> float:
            if keeping:
                value = patrol * (self.grid.within(1 << h, PATROL) & self.rails & ~self.kept).bit_count()
            else:
                value = stride * ways.get(h, FAR)
            if leash >> h & 1:
                value += inside * self.inside(h)
            else:
                value -= supply * (CUT_OFF + self._astray(body.corps, h))
            value -= safety * self.risk(h, attack, price)
            value += cover * self.shelter(h, GERMAN)
            if takes >> h & 1:
                value += take * self.stakes[h]
            return value + kinship * kin + self.aims.get(h, 0.0)

        return rate

    @cached_property
    def takes(self) -> HexMask:
        """Places that score for who passed through them last and are not ours, and the enemy's bridgehead if nobody
        but a headquarters keeps it; on the last turn, after which the enemy has the last word, also ours that he could
        come to."""
        places = mask_of(self.stakes) & ~self.ground.place("garrison")
        if self.decisive and self.pos.turn == self.game.turns:
            return places & (self.prone | ~self.pos.german_held)
        return places & ~(self.pos.german_held | self.us.occupied) | self.gate & ~(self.us.body | self.them.occupied)

    def _astray(self, corps: str, h: Hex) -> float:
        """How far a hex is from where the headquarters of a corps is: who is cut off goes back to it."""
        home = self._homes.get(corps, -1)
        spot = self.ground.fringe_of.get(h, h)
        if home < 0 or not self.ground.main >> spot & 1 or not self.ground.main >> home & 1:
            return 0.0
        return float(self.grid.distance(spot, home))

    @cached_property
    def _homes(self) -> dict[str, Hex]:
        """Where the headquarters of each corps is, the first of several."""
        pos, found = self.pos, dict[str, Hex]()
        for i in pos.headquarters:
            if pos.where[i] >= 0:
                found.setdefault(pos.roster[i].corps, pos.where[i])
        return found

    def standing(self, index: int, h: Hex) -> float:
        """How well a unit would stand in a hex."""
        value = self.rate(Body(self, (index,), 0), h) - self.squeezed(index, h)
        return value - self.exposed((index,)) if h != self.pos.where[index] else value

    @cached_property
    def over(self) -> bool:
        """Whether nothing depends on headquarters once the enemy moves: the last supply check comes before him."""
        return self.pos.turn == self.game.turns

    def lonely(self, h: Hex) -> float:
        """What it costs a headquarters to be alone in a hex."""
        if self.over:
            return 0.0
        if self.swept >> h & 1:
            return LONE * self.much("lone")
        return PRONE * self.much("prone") if self.prone >> h & 1 else 0.0

    def overrun(self, index: int, h: Hex, guards: float) -> float:
        """What it costs a headquarters that those who are with it in a hex may be too weak to hold it."""
        if self.over:
            return 0.0
        return OVERRUN * self.much("overrun") * self.risk(h, guards, self.headquarters(index))

    def exposed(self, units: tuple[int, ...]) -> float:
        """What it costs when units go and leave a headquarters alone where the enemy can come."""
        pos = self.pos
        h = pos.where[units[0]]
        rest = [i for i in pos.stacks[h] if i not in units] if h >= 0 else []
        alone = bool(rest) and not self.over and all(pos.roster[i].is_hq for i in rest)
        return self.headquarters(rest[0]) if alone and self.swept >> h & 1 else 0.0

    def holds_city(self, body: Body) -> bool:
        """Whether a body is the garrison of a city and must stay (17.25)."""
        return bool(
            self.ground.place("garrison") & self.pos.captured & ~self.pos.forfeited & body.here
        ) and has_division(self.pos, body.hex)

    def may_end(self, body: Body, h: Hex) -> bool:
        """Whether a move may end in a hex: a city to be garrisoned is entered by whole divisions only, and
        no body passes through one (17.25)."""
        cities = self.ground.place("garrison") & ~self.pos.forfeited
        if not cities:
            return True
        if cities >> h & 1:
            return self._whole(body)
        if not cities & self.grid.within(1 << h, 8):
            return True
        fresh = cities & ~self.pos.captured
        unit = body.units[0]
        if not fresh or self.pos.where[unit] < 0:
            return True
        path = reach_of(self.pos, unit).path(h)
        return not any(fresh >> step & 1 for step in path)

    def _whole(self, body: Body) -> bool:
        unit = self.pos.roster[body.units[0]]
        if unit.is_hq:
            return False
        return not unit.division or {self.pos.roster[i].id for i in body.units} >= self.game.regiments(unit.division)
