"""The Soviet movement phase: works, cities and the capital held by belts, guerrillas on the rails (10.3, 15.0)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING

from ....games.assault.figures import SOVIET
from ....games.assault.inset import transfer_hexes
from ....games.assault.marches import distances
from ....games.assault.position import AssaultPosition
from ....games.assault.supply import lines
from ....games.assault.worths import pressing, rings
from ....hexes import Hex, HexMask, mask_of, members
from ....kernel.flood import connected, zone
from ....kernel.orders import Order
from ...lay import FAR
from .bodies import Body, all_units, bodies_of, reach_of_unit
from .concentrate import Concentration
from .finish import last_march
from .picture import Force, Picture
from .saboteurs import Saboteurs

if TYPE_CHECKING:
    from ....games.assault.ground import Ground

STRIDE = 0.25
"""What a movement point further from a post costs."""
HOME = 1.5
"""What it is worth to have a post already."""
GARRISON = (6.0, 5.8, 5.6, 5.4, 5.2, 5.0, 4.8, 4.6, 4.4, 4.2, 4.0, 3.8, 3.6, 3.4, 3.2)
"""What the first, second, ... division in the city is worth before the enemy has come to it."""
PASSING = 0.3
"""What part of its worth a post keeps where others wait to land."""
BARE = 2.5
"""What a post on good ground loses for a unit that no ground helps (19.41)."""
AT_LEAST = 0.6
"""How pressing the city's garrison always is."""
CROWD = 0.4
"""How much less each further division in the same city hex is worth."""
GATE = 14.0
"""What it is worth to hold the end of a bridge in the city with the enemy before it."""
GUARD, KEEP, AWAY = 14.0, 4.0, 4.0
"""What it is worth to keep a division for each of them before the enemy has come, how much more to one that is there
already, and how much less to one that does not get there in this phase."""
EARLY, CLOSE = 6.0, 1.0
"""How much less pressing that is as long as the enemy is far, and how near he is when he stands before the city."""
PRIME = 2.0
"""How much less it is to a division for each class that it is better than the lowest: those fight in front; with the
enemy before the city so much more, for over a bridge he does next to nothing to them."""
REFUGE = 60.0
"""What it is worth to be in the city with the enemy for the first body, a quarter of it for the second, a ninth for
the third: as long as one is there it has not fallen (17.11)."""
BACK, SETTLED = 0.6, 0.6
"""What part of what a place scores it is worth to go there and have it, or have it again, and how much it counts at
least however far the end is."""
SPENT = 0.1
"""What part of its price a unit is worth in the last turn."""
PAIR = 1.4
"""What it is worth to workers to stand with a division."""
STRIKE = 1.5
"""What an attack must bring for units to leave their posts."""


class Soviet(Picture):
    """The Soviet side's picture."""

    def __init__(self, pos: AssaultPosition, bias: Mapping[str, float] | None = None) -> None:
        super().__init__(pos, SOVIET, bias)

    @cached_property
    def _sober(self) -> Picture:
        """The position at even prices: by nature German losses are held dear."""
        return Picture(self.pos, SOVIET, self.temper, natural=False)

    def value(self, h: Hex, force: Force, units: Sequence[int], closed: HexMask = 0, more: int = 0) -> float:
        """As always, but an attack that sober prices make a loss is one."""
        value = super().value(h, force, units, closed, more)
        sober = self._sober.value(h, force, units, closed, more) if value > 0 else 0.0
        return min(value, sober) if sober < 0 else value

    @cached_property
    def _ranges(self) -> list[tuple[HexMask, float]]:
        """Rings round the enemy, and how pressing a post in each is."""
        fighting = (
            self.them.body | self.ground.german_exits & self.ground.entries if self.pos.turn < 4 else self.them.body
        )
        spots = 0
        for h in members(fighting):
            spots |= 1 << h | 1 << self.ground.fringe_of.get(h, h)
        return rings(self.grid, spots)

    def near(self, h: Hex) -> float:
        """How near the enemy is to a post, by rings."""
        return pressing(self._ranges, self.ground.capital_of.get(h, h))

    def pressing(self, h: Hex) -> float:
        """How pressing a post is because the enemy is near."""
        return math.pow(self.near(h), self.much("near"))

    @cached_property
    def posts(self) -> dict[Hex, float]:
        """Hexes worth holding, with what a division there is worth."""
        ground, found = self.ground, dict[Hex, float]()
        for word, worth in (
            ("town", 2.5 * self.much("towns") if ground.book.closed_river else 0.0),
            ("city", 3.0 * self.much("towns")),
            ("fortification", 3.0 * self.much("works")),
            ("fortified-city", 5.0 * self.much("works")),
        ):
            for h in members(ground.place(word) & ground.main & ~ground.capital):
                if worth:
                    found[h] = (
                        worth
                        + 0.15 * self.stakes.get(h, 0.0)
                        + (0.8 * self.much("rails") if ground.line_hexes >> h & 1 else 0.0)
                    )
        for h in members(self._banks):
            found.setdefault(h, 1.8 * self.much("banks"))
        gate = self.game.scenario.victory.gate
        if gate in self.grid:
            found[self.grid.hex(gate)] = 7.0 * self.much("gate")
        near_city = self.grid.within(ground.capital, 5)
        for h in found:
            if near_city >> h & 1:
                found[h] += self.much("ring")
        if self.pos.germans_on_inset:
            front = self.grid.ring(self.them.occupied & ground.inset)
            keys, inside = 3.0 * self.much("keys"), self.much("inside")
            for h in members(ground.interior):
                key = keys if ground.key_points >> h & 1 else 0.0
                found[h] = (2.0 + key + (1.5 if front >> h & 1 else 0.0)) * inside
        for h in members(self.lost | ground.key_points if self.pos.germans_on_inset and self.decisive else self.lost):
            found[h] = found.get(h, 0.0) + BACK * self.much("again") * max(self.counting, SETTLED) * self.stakes[h]
        found = {
            h: worth * self.pressing(h) * (PASSING if self._landings >> h & 1 else 1.0) for h, worth in found.items()
        }
        for h in members(self.barred):
            found[h] = found.get(h, 0.0) + GATE * self.much("gates")
        for h, more in self.aims.items():
            found[h] = found.get(h, 0.0) + more
        return {h: worth for h, worth in found.items() if not self.them.occupied >> h & 1}

    @cached_property
    def _landings(self) -> HexMask:
        """Hexes of the city in which we stand where the next ones would land who wait across the river; those that
        score are kept."""
        ground, doors = self.ground, self.us.occupied & self.ground.fringe_inset
        for h in members(self.us.occupied & ground.fringe_main):
            doors |= ground.links.get(h, 0)
        landings = zone(self.grid, doors, ground.soviet_fords) & ground.interior
        return landings & self.us.occupied & ~ground.key_points

    @cached_property
    def hearts(self) -> list[tuple[Hex, float]]:
        """The city hexes of the main map, and how much of the garrison belongs to each: all of it where a
        great river keeps the enemy from the others."""
        ground = self.ground
        behind = 0.5 if ground.book.capital_is_source else 1.0
        return [
            (h, behind if n else 1.0)
            for n, word in enumerate(ground.book.districts)
            for h in members(ground.place(word) & ground.capital)
        ]

    @cached_property
    def menace(self) -> float:
        """How near the enemy is to the city."""
        return max(self.near(h) for h, _ in self.hearts)

    @cached_property
    def gates(self) -> list[Hex]:
        """The near ends of the bridges by which alone the enemy comes to a district that he is not in: who holds them
        is doubled once more and met from one hex (10.38)."""
        ground = self.ground
        taken = [home for home, district in ground.district_of.items() if self.them.occupied & district]
        return _gates(ground, frozenset((*taken, *(h for h, _ in self.hearts[:1]))))

    @cached_property
    def lost(self) -> HexMask:
        """Places that score for the enemy who has passed through them last, and where he is not (17.22)."""
        scoring = mask_of(self.stakes) & self.pos.german_held & ~self.pos.forfeited
        return scoring & ~self.them.occupied if self.decisive else 0

    def price(self, index: int, steps: int = 1) -> float:
        """As always, but men of ours who are lost in the last turn are missed by nobody (17.24)."""
        spent = self.pos.turn == self.game.turns and self.decisive and self.pos.roster[index].side == SOVIET
        return super().price(index, steps) * (SPENT if spent else 1.0)

    @cached_property
    def barred(self) -> HexMask:
        """Ends of bridges that are to be held: all with the enemy at the city, else those where we stand already."""
        gates, pos = mask_of(self.gates), self.pos
        if pos.germans_on_inset:
            return gates
        return mask_of(h for h in members(gates) if any(not pos.roster[i].is_worker for i in pos.stacks.get(h, ())))

    def guards_of(self, heart: Hex) -> int:
        """How many divisions belong to a city hex at any time: one for each end of a bridge in its district where
        nobody stands."""
        return (self.ground.district_of.get(heart, 0) & mask_of(self.gates) & ~self.barred).bit_count()

    @cached_property
    def _banks(self) -> HexMask:
        """Our bank of a great river over which nobody goes from zone to zone (19.33): the one joined to the city."""
        return _joined(self.ground) & reduce(or_, self.ground.closed) if self.ground.book.closed_river else 0

    @cached_property
    def fed(self) -> HexMask:
        """Hexes from which our supply is open (11.14)."""
        return lines(self.pos).soviet

    def standing(self, index: int, h: Hex) -> float:
        """How well a unit would stand in a hex."""
        unit = self.pos.roster[index]
        value = 1.2 * self.posts.get(h, 0.0) + 0.4 * self.much("cover") * self.shelter(h, SOVIET)
        if self.ground.capital >> h & 1:
            value += 3.0
        value -= (
            0.06 * self.much("back") * distances(self.ground, SOVIET, unit.column, self.ground.capital).get(h, 60.0)
        )
        risk = self.risk(h, self.factor(index), self.price(index, self.pos.steps[index]))
        value -= self.much("safety") * risk + self.squeezed(index, h)
        if not (self.fed | self.ground.fort | self.ground.interior) >> h & 1:
            value -= 2.0
        return value


class _Mover:
    """A body that looks for a post."""

    __slots__ = ("best", "body", "suits", "weight")

    def __init__(self, body: Body, weight: float, suits: Mapping[Hex, float]) -> None:
        self.body, self.weight, self.suits = body, weight, suits
        self.best: tuple[float, Hex, tuple[int, ...]] = (-FAR * 9, 0, ())
        """What its best post is worth to it, and the post, lower numbers first."""

    def look(self, posts: Sequence[tuple[Hex, float]]) -> None:
        """Find its best post among some with their worth."""
        weight, suits = self.weight, self.suits.get
        value, back = max([(worth * weight + suits(h, -FAR), -h) for h, worth in posts], default=(-FAR * 9, 0))
        self.best = (value, back, self.body.units)


class Defence:
    """The plan of one Soviet movement phase."""

    def __init__(self, picture: Soviet) -> None:
        self.picture = picture
        pos = picture.pos
        self.last = pos.turn == picture.game.turns
        """Whether what counts now is who stands in the key points (19.92), or passes through what scores (17.22)."""
        staying = picture.ground.key_points if self.last and not picture.decisive else 0
        units = [i for i in all_units(picture) if pos.where[i] < 0 or not staying >> pos.where[i] & 1]
        self.guerrillas = [i for i in units if pos.roster[i].is_guerrilla]
        self.workers = [i for i in units if pos.roster[i].is_worker]
        rest = [i for i in units if not pos.roster[i].is_guerrilla and not pos.roster[i].is_worker]
        self.bodies = bodies_of(picture, rest)
        keeping = [i for i in picture.of(SOVIET) if staying >> pos.where[i] & 1 and not pos.roster[i].is_worker]
        self.keepers = bodies_of(picture, keeping, moving=False)
        """Bodies that stay in the key points and strike from there."""
        self.taken: HexMask = 0
        self.manned: HexMask = 0
        """Where divisions are to stand."""
        self._fields: dict[tuple[str, Hex], Mapping[Hex, float]] = {}

    def orders(self) -> list[Order]:
        """Blows first, then posts; then guerrillas, workers and the fleet."""
        picture = self.picture
        manned = self._key_points()
        if manned:
            return manned
        walks = self._last_march()
        steps = self._strike()
        steps += self._posts([b for b in self.bodies if id(b) not in {id(s[0]) for s in steps}])
        if picture.gates:
            self.manned = mask_of(h for _, h in steps) | mask_of(b.hex for b in self.bodies if b.reach == b.here)
        found = [*walks, *(self._order(body.units[0], h) for body, h in steps if h != body.hex)]
        sent = Saboteurs(picture, self.guerrillas).orders()
        found += [self._order(i, h) for i, h in sent.items() if h != picture.pos.where[i]]
        if picture.pos.germans_on_inset:
            found += [order for i in self.workers if (order := self._turn_out(i)) is not None]
        return [*found, *self._sail()]

    def _last_march(self) -> list[Order]:
        """On the last turn the way of whoever can walk through what the enemy has left (17.22); the others are left to
        the rest of the plan."""
        picture, pos = self.picture, self.picture.pos
        if not self.last or not picture.decisive:
            return []
        units = [*self.guerrillas, *self.workers, *(i for body in self.bodies for i in body.units)]
        walks = last_march(picture, units, {h: picture.stakes[h] for h in members(picture.lost)})
        gone = {pos.index[order.units[0]] for order in walks}
        self.guerrillas = [i for i in self.guerrillas if i not in gone]
        self.workers = [i for i in self.workers if i not in gone]
        self.bodies = [body for body in self.bodies if not gone.intersection(body.units)]
        return walks

    def _key_points(self) -> list[Order]:
        """On the last turn a unit into every key point that counts only while it is occupied (8.32, 19.92)."""
        picture, pos, ground = self.picture, self.picture.pos, self.picture.ground
        if not self.last or picture.decisive or pos.germans_on_inset:
            return []
        found = []
        for home, district in ground.district_of.items():
            idle = [i for i in pos.stacks.get(home, ()) if transfer_hexes(pos, i) & ground.key_points]
            for i, h in zip(idle, members(district & ground.key_points & ~picture.us.occupied), strict=False):
                found.append(Order("transfer", (pos.roster[i].id,), (ground.number(h),)))
        return found

    def _order(self, index: int, h: Hex) -> Order:
        pos = self.picture.pos
        return Order(
            "move" if pos.where[index] >= 0 else "enter", (pos.roster[index].id,), (self.picture.ground.number(h),)
        )

    # Blows ----------------------------------------------------------------------------------------

    def _strike(self) -> list[tuple[Body, Hex]]:
        """Attacks good enough to leave a post for."""
        picture = self.picture
        ground = picture.ground
        held = ground.fort | ground.capital | ground.interior
        if self.last:
            held = 0 if picture.decisive else ground.key_points
        able = []
        for body in (*self.bodies, *self.keepers):
            reach = body.here if held & body.here else body.reach
            able.append(Body(picture, body.units, reach if reach == body.here else reach & ~picture.ground.capital))
        by_units = {body.units: body for body in (*self.bodies, *self.keepers)}
        everyone = Concentration(picture, able, 0, lambda _, h: bool(picture.fed >> h & 1))
        everyone.least = STRIKE * picture.much("strike") / max(picture.much("attack"), 0.1)
        for body in (*self.bodies, *self.keepers):
            if body.hex >= 0:
                everyone.taken |= picture.together(body.hex)
        found = []
        for assembly in everyone.plan(6):
            for stand in assembly.stands:
                found.append((by_units[stand.body.units], stand.hex))
                self.taken |= picture.together(stand.hex)
        return found

    # Posts ----------------------------------------------------------------------------------------

    def _posts(self, bodies: list[Body]) -> list[tuple[Body, Hex]]:
        """Every division to the post where it is worth most, strongest first."""
        picture, ground = self.picture, self.picture.ground
        posts = dict(picture.posts)
        city: list[Hex] = []
        """Hexes of the city taken so far."""
        found = []
        fixed = [b for b in bodies if b.reach == b.here]
        for body in fixed:
            self._settled(body.hex, posts, city)
        movers = [
            _Mover(b, _weight(b, picture.much("weight")), self._suits(b, posts)) for b in bodies if b not in fixed
        ]
        free = self._open(posts, city)
        for mover in movers:
            mover.look(free)
        while movers:
            mover = max(movers, key=lambda m: m.best)
            seen = mover.best
            mover.look(free)
            if mover.best < seen:
                continue  # what it wanted is taken or worth less by now; posts are never worth more than before
            movers.remove(mover)
            if not free:
                continue
            body, post = mover.body, -mover.best[1]
            self._settled(post, posts, city)
            h = self._towards(body, post)
            if h < 0:
                free = self._open(posts, city)
                continue  # no room for it at the edge of the map yet
            self.taken |= 0 if ground.capital >> h & 1 else picture.together(h)
            found.append((body, h))
            free = self._open(posts, city)
        return found

    def _open(self, posts: Mapping[Hex, float], city: list[int]) -> list[tuple[Hex, float]]:
        picture = self.picture
        ground = picture.ground
        last = picture.pos.germans_on_inset and picture.decisive
        more = REFUGE * picture.much("refuge") / (1 + len(city)) ** 2 if last else 0.0
        found = [
            (h, worth + more * (ground.interior >> h & 1)) for h, worth in posts.items() if not self.taken >> h & 1
        ]
        if not picture.pos.germans_on_inset and len(city) < len(GARRISON):
            for heart, share in picture.hearts:
                if city.count(heart) < picture.guards_of(heart):
                    found.append((heart, GUARD * picture.much("guard") * math.pow(picture.near(heart), EARLY)))
                    continue
                urgent = max(picture.pressing(heart), AT_LEAST if picture.ground.book.closed_river else 0.0)
                worth = picture.much("garrison") * GARRISON[len(city)] * urgent * share
                found.append((heart, worth - CROWD * city.count(heart)))
        return found

    def _settled(self, h: Hex, posts: dict[Hex, float], city: list[int]) -> None:
        """A post is filled; its neighbours matter less, for its zone covers them."""
        picture = self.picture
        if (picture.ground.city if picture.decisive else picture.ground.capital) >> h & 1:
            city.append(h)
        if picture.ground.capital >> h & 1:
            return
        self.taken |= picture.together(h)
        if picture.ground.main >> h & 1:
            for near in members(picture.grid.ring(1 << h)):
                if near in posts and near not in picture.stakes:
                    posts[near] *= min(1.0, 0.55 * picture.much("dense"))

    def _suits(self, body: Body, posts: Mapping[Hex, float]) -> dict[Hex, float]:
        """How near a body is to each post; those behind the enemy are left out."""
        picture, ground, start = self.picture, self.picture.ground, body.hex
        if start < 0:
            start = next(members(body.reach & ground.capital or body.reach), -1)
        bare = picture.pos.roster[body.units[0]].type in ground.book.plain_defenders
        stride, zoned, reach, found = STRIDE * picture.much("stride"), picture.them.zone, body.reach, dict[Hex, float]()
        for h in (*posts, *members(ground.capital)):
            if h == body.hex:
                found[h] = HOME * picture.much("stay")
            elif reach >> h & 1 or not zoned >> h & 1:
                found[h] = -stride * self._ways(body.column, h).get(start, FAR)
            if h in found and (picture.barred >> h & 1 or picture.guards_of(h)):
                found[h] += KEEP if h == body.hex else 0.0 if reach >> h & 1 else -AWAY
                found[h] += PRIME * body.rank * (1.0 if picture.menace >= CLOSE else -1.0)
            if bare and h in found and (picture.shelter(h, SOVIET) > 1 or ground.capital >> h & 1):
                found[h] -= BARE
        return found

    def _ways(self, column: str, h: Hex) -> Mapping[Hex, float]:
        """Movement points from everywhere to a hex."""
        known = self._fields.get((column, h))
        if known is None:
            known = self._fields[column, h] = distances(self.picture.ground, SOVIET, column, 1 << h)
        return known

    def _towards(self, body: Body, post: Hex) -> Hex:
        """The next hex on the way to a post: out of the enemy's zones, fed, on good ground."""
        picture = self.picture
        if body.reach >> post & 1:
            return post
        field = distances(picture.ground, SOVIET, body.column, 1 << post)
        best, top = body.hex, -FAR * 9
        for h in members(body.reach):
            taken = self.taken >> h & 1
            if taken and h != body.hex:
                continue
            value = -0.3 * field.get(h, FAR) + 0.2 * picture.much("cover") * picture.shelter(h, SOVIET)
            value -= body.price * taken
            value -= picture.much("safety") * picture.risk(h, body.attack, body.price)
            if picture.them.zone >> h & 1:
                value -= 1.5 * picture.much("shy")
            if not (picture.fed | picture.ground.fort | picture.ground.interior) >> h & 1:
                value -= 2.0
            if value > top:
                best, top = h, value
        return best

    # Guerrillas, workers, the fleet ---------------------------------------------------------------

    def _turn_out(self, index: int) -> Order | None:
        """Workers to the key points and the districts under attack."""
        picture, pos = self.picture, self.picture.pos
        here = pos.where[index]
        if here < 0 or not picture.ground.interior >> here & 1:
            return None

        def worth(h: Hex) -> float:
            return picture.posts.get(h, 0.0) + PAIR * picture.much("pair") * (self.manned >> h & 1)

        best, top = here, worth(here) + 0.5
        for h in members(reach_of_unit(picture, index)):
            if worth(h) > top:
                best, top = h, worth(h)
        return self._order(index, best) if best != here else None

    def _sail(self) -> list[Order]:
        """The fleet to where its guns cover most that is threatened; to the harbour when nothing is."""
        picture, pos = self.picture, self.picture.pos
        index = pos.fleet_index
        if index is None or pos.where[index] < 0 or pos.is_disrupted(index) or pos.is_moved(index):
            return []
        coast = {
            h: picture.worth(h) for h in members(picture.us.occupied & picture.ground.main) if picture.threat(h) >= 4.0
        }
        here = pos.where[index]
        best, top = here, 0.0
        for h in members(picture.ground.fleet & ~picture.ground.harbour & ~picture.ground.capital):
            around = picture.grid.within(1 << h, picture.game.tables.fleet_range)
            value = sum(worth for at, worth in coast.items() if around >> at & 1) + (0.1 if h == here else 0.0)
            if value > top:
                best, top = h, value
        return [self._order(index, best)] if best != here else []


@lru_cache(maxsize=64)
def _gates(ground: Ground, front: frozenset[Hex]) -> list[Hex]:
    """The near ends of the bridges from some districts to others."""
    found = list[Hex]()
    for h in members(ground.interior):
        over = [a for a in members(ground.attacked_from[h] & ground.interior) if ground.across[h][a] > 1]
        if ground.capital_of.get(h, h) not in front and any(ground.capital_of.get(a, a) in front for a in over):
            found.append(h)
    return found


@lru_cache(maxsize=8)
def _joined(ground: Ground) -> HexMask:
    """What is joined to the city without crossing a great river."""
    sides = [
        near & ~river & ~closed for near, river, closed in zip(ground.dry, ground.barrier, ground.closed, strict=True)
    ]
    return connected(ground.grid, ground.capital, sides, ground.land & ground.main)


def _weight(body: Body, even: float) -> float:
    """How much of a post's worth a body makes good."""
    return 0.6 * even + body.attack / 8.0
