"""The German movement phases: corps by corps along their axes, headquarters close behind (6.0, 11.0)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ....hexes import Hex, HexMask, mask_of, members
from ....kernel.flood import connected
from ....kernel.orders import Order
from ...lay import FAR
from .bodies import Body, all_units, bodies_of, reach_of_unit
from .concentrate import Assembly, Concentration
from .german import FIRM, HOLD, KEEPERS, PATROL, SAFE, German

HQ_STRIDE = 0.2
"""What a movement point nearer to the goal is worth to a headquarters, which feeds first and hastens second."""
COMPANY = 2
"""Bodies that must be able to come to the edge of the city before it is entered."""
UNFED = 0.1
"""What part of a corps that is fed counts while its headquarters itself is not."""
ESCORT = 0.2
"""What part of what it costs a headquarters to be alone a body gives up to keep it company."""
STREETS = 6.0
"""What it costs a headquarters to go into the city: before it, it feeds every quarter."""


class March:
    """The plan of one German movement phase."""

    def __init__(self, picture: German, second: bool) -> None:
        self.picture, self.second = picture, second
        pos = picture.pos
        units = all_units(picture, second)
        self.headquarters = [i for i in units if pos.roster[i].is_hq]
        apart = frozenset(corps for corps in KEEPERS.get(picture.game.id, ()) if picture.keeps(corps))
        self.bodies = bodies_of(picture, [i for i in units if not pos.roster[i].is_hq], apart=apart)
        picture.tie(self.bodies)
        self.where: dict[int, Hex] = {i: pos.where[i] for i in units}
        self.firm: HexMask = 0
        """Where headquarters will be fed whatever the enemy does next but for his guerrillas."""
        self.guards: dict[Hex, float] = {}
        """Where others than headquarters are to stand, and how strong."""
        self.targets: list[str] = []
        """Hexes to be attacked after the moves."""

    def orders(self) -> list[Order]:
        """The moves of the phase, the foremost units first and the headquarters last."""
        picture = self.picture
        knock = self._knock()
        if knock is not None:
            return knock
        still = [b for b in self.bodies if b.reach == b.here or picture.holds_city(b) or b.here & picture.gate]
        still += picture.guards([body for body in self.bodies if body.hex >= 0 and body not in still])
        movers = [body for body in self.bodies if body not in still]
        picture.send(movers)
        stay = {id(body) for body in still}
        everyone = Concentration(picture, movers if self.second else self.bodies, 0, picture.fed)
        for body in self.bodies:
            if body.hex >= 0:
                everyone.taken |= picture.together(body.hex)
            if id(body) in stay:
                body.reach = body.here
        ordered = self._relieve(everyone, [body for body in movers if id(body) not in stay])
        if not self.second:
            for assembly in everyone.plan():
                ordered += [(stand.body, stand.hex) for stand in assembly.stands]
                self.targets.append(picture.ground.number(assembly.target))
        taken, free = everyone.taken, list(everyone.free)
        ordered += self._along(everyone)
        marching = self._march(everyone)
        for body, h in (*ordered, *marching):
            for i in body.units:
                self.where[i] = h
        follow = self._follow()
        everyone.taken, everyone.free = taken, free
        ordered += self._escorted(self._held_back(marching, everyone))
        ordered.sort(key=lambda step: (picture.far(step[0].corps, step[0].column, step[0].hex), step[0].units))
        moves = [o for body, h in ordered if h != body.hex for o in self._moves(body.units, h)]
        return [*moves, *follow]

    def storms(self, sorties: int) -> list[Assembly]:
        """The attacks that could be set up now, with so many air units to put over them."""
        everyone = Concentration(self.picture, self.bodies, 0, self.picture.fed)
        everyone.sorties = sorties
        for body in self.bodies:
            if body.hex >= 0:
                everyone.taken |= self.picture.together(body.hex)
        return everyone.plan()

    def _knock(self) -> list[Order] | None:
        """One body to the edge of the city, if others can follow: until the enemy has been summoned nobody gets in
        (8.33)."""
        picture, pos = self.picture, self.picture.pos
        doors = picture.ground.fringe_inset & ~picture.us.occupied
        if pos.germans_on_inset or not picture.much("knock"):
            return None
        able = [b for b in self.bodies if b.hex >= 0 and b.reach & doors and not picture.holds_city(b)]
        ways = [(picture.rate(b, h), -h, b) for b in able for h in members(b.reach & doors) if picture.fed(b, h)]
        if len({body.units for _, _, body in ways}) < COMPANY:
            return None
        _, back, body = max(ways, key=lambda way: (way[0], way[1], way[2].units))
        return list(self._moves(body.units, -back))

    def _relieve(self, everyone: Concentration, movers: Sequence[Body]) -> list[tuple[Body, Hex]]:
        """A body to each hex that opens the way to others who are cut off: the one that goes there most gladly."""
        picture, found = self.picture, list[tuple[Body, Hex]]()
        saved: set[Hex] = set()
        if not picture.stranded:
            return found
        for worth, h, reached in picture.reliefs():
            if reached <= saved or everyone.taken >> h & 1:
                continue
            able = [
                b for b in movers if b in everyone.free and b.hex >= 0 and b.reach >> h & 1 and b.hex not in reached
            ]
            able = [body for body in able if picture.may_end(body, h)]
            body = max(able, key=lambda b: (picture.rate(b, h), b.units), default=None)
            if body is not None and worth + picture.rate(body, h) > picture.rate(body, body.hex):
                everyone.take(body, h)
                found.append((body, h))
                saved |= reached
        return found

    def _along(self, everyone: Concentration) -> list[tuple[Body, Hex]]:
        """A body to the post of each headquarters where the enemy can come: the one that goes there most gladly."""
        picture, found = self.picture, list[tuple[Body, Hex]]()
        for corps, post in picture.seats.items():
            h = post.bit_length() - 1
            if not picture.much("escorts") or h < 0 or not picture.lonely(h) or self._manned(h, everyone):
                continue
            able = [b for b in everyone.free if b.corps == corps and b.reach >> h & 1 and picture.may_end(b, h)]
            if able:
                body = min(able, key=lambda b: (self._best(b) - picture.rate(b, h), b.units))
                everyone.take(body, h)
                found.append((body, h))
        return found

    def _manned(self, h: Hex, everyone: Concentration) -> bool:
        """Whether somebody stands, or is to stand, in a hex and does not go on."""
        free = {i for body in everyone.free if body.reach != body.here for i in body.units}
        pos = self.picture.pos
        staying = any(
            i not in free and not pos.roster[i].is_hq for i in pos.stacks.get(h, ()) if self.where.get(i) == h
        )
        return staying or bool(everyone.taken >> h & 1 and h not in pos.stacks)

    def _best(self, body: Body) -> float:
        """How well a body could stand anywhere in its reach."""
        rate = self.picture.rated(body)
        return max([rate(h, 0) for h in members(body.reach)])

    def _moves(self, units: tuple[int, ...], h: Hex) -> Iterator[Order]:
        pos, number = self.picture.pos, self.picture.ground.number(h)
        for i in units:
            yield Order("move" if pos.where[i] >= 0 else "enter", (pos.roster[i].id,), (number,))

    def _march(self, everyone: Concentration) -> list[tuple[Body, Hex]]:
        """Those who attack nobody go on along their axis."""
        picture, found = self.picture, []
        free = [b for b in everyone.free if b.reach != b.here]
        free.sort(key=lambda b: (picture.far(b.corps, b.column, b.hex), b.units))
        for body in free:
            best, top = (
                body.hex,
                picture.rate(body, body.hex, self._kindred(body).count(body.hex)) if body.hex >= 0 else -FAR * 9,
            )
            for value, h in self._choices(body, everyone):
                if value <= top:
                    break
                if picture.may_end(body, h):
                    best, top = h, value
                    break
            if best >= 0:
                everyone.take(body, best)
                if picture.keeps(body.corps):
                    picture.kept |= picture.grid.within(1 << best, PATROL)
                for i in body.units:
                    self.where[i] = best
                found.append((body, best))
        return found

    def _held_back(self, marching: Sequence[tuple[Body, Hex]], everyone: Concentration) -> list[tuple[Body, Hex]]:
        """The march, with those marching anew who would go hungry where their headquarters is to stand after all."""
        picture, pos = self.picture, self.picture.pos
        posts: dict[str, HexMask] = {}
        for i in self.headquarters:
            if self.where[i] >= 0:
                corps = pos.roster[i].corps
                posts[corps] = posts.get(corps, 0) | 1 << self.where[i]
        picture.hold(posts, self._open())
        kept = [(body, h) for body, h in marching if picture.fed(body, h)]
        for body, h in kept:
            everyone.take(body, h)
        astray = [body for body, h in marching if not picture.fed(body, h)]
        for body in astray:
            for i in body.units:
                self.where[i] = pos.where[i]
        everyone.free = astray
        return kept + self._march(everyone) if astray else kept

    def _open(self) -> HexMask:
        """Ground that will be open to our supply as everybody is to stand."""
        picture, ground, occupied = self.picture, self.picture.ground, 0
        for h in self.where.values():
            if h >= 0:
                occupied |= 1 << h
        return (ground.land & ~picture.them.zone | occupied) & ~ground.capital & ~picture.them.occupied

    def _choices(self, body: Body, everyone: Concentration) -> list[tuple[float, Hex]]:
        picture = self.picture
        rated = []
        stays = [i for i in self.headquarters if picture.pos.where[i] == body.hex and not reach_of_unit(picture, i)]
        uncovered = picture.exposed(body.units) if stays else 0.0
        rate, kindred = picture.rated(body), self._kindred(body)
        for h in members(body.reach):
            kin = kindred.count(h)
            if h == body.hex or (everyone.taken >> h & 1 and not kin):
                continue
            rated.append((rate(h, kin) - uncovered, h))
        rated.sort(key=lambda choice: (-choice[0], choice[1]))
        return rated

    def _kindred(self, body: Body) -> list[Hex]:
        """Where the other regiments of the same division stand or are to stand."""
        pos = self.picture.pos
        division = pos.roster[body.units[0]].division
        if not division or self.picture.keeps(body.corps):
            return []
        return [self.where[i] for i in pos.siblings[division] if i not in body.units and i in self.where]

    # Headquarters ---------------------------------------------------------------------------------

    def _follow(self) -> list[Order]:
        """Every headquarters to where it feeds most of its corps and is not alone with the enemy."""
        picture, pos = self.picture, self.picture.pos
        occupied = 0
        for h in self.where.values():
            if h >= 0:
                occupied |= 1 << h
        ground = picture.ground
        free = self._open()
        fed = picture.network(free)
        safe = picture.network(free & (~picture.cuttable | occupied))
        self.firm = picture.network(free & (~picture.barrable | occupied))
        wards = self._wards(free)
        self.guards = {}
        for i, h in self.where.items():
            if h >= 0 and not pos.roster[i].is_hq:
                self.guards[h] = self.guards.get(h, 0.0) + picture.factor(i)
        found = []
        taken = {pos.where[i] for i in self.headquarters}
        for i in self.headquarters:
            reach = reach_of_unit(picture, i) & ~ground.fringe_inset
            here = pos.where[i]
            best, top = here, self._post(i, here, wards, fed, safe) if here >= 0 else -FAR * 9
            corps = pos.roster[i].corps
            escorted = picture.likely(corps, reach & occupied, safe)
            for h in (
                (*escorted, *picture.likely(corps, reach & fed & ~occupied, safe)) if reach & fed else members(reach)
            ):
                if h in taken or any(seat >> h & 1 for name, seat in picture.seats.items() if name != corps):
                    continue
                value = self._post(i, h, wards, fed, safe)
                if value > top + 0.01:
                    best, top = h, value
            if best != here and best >= 0:
                taken.discard(here)
                taken.add(best)
                found += list(self._moves((i,), best))
                self.where[i] = best
        return found

    def _escorted(self, marching: Sequence[tuple[Body, Hex]]) -> list[tuple[Body, Hex]]:
        """The march, with a body sent to each headquarters that would be alone where the enemy can come."""
        picture, going = self.picture, list(marching)
        posts = {self.where[i]: i for i in self.headquarters if self.where[i] >= 0}
        for post in sorted(posts, key=lambda h: -picture.headquarters(posts[h])):
            fear = picture.lonely(post)
            if not fear or not self._alone(post):
                continue
            best, least = -1, ESCORT * picture.much("escort") * fear
            for number, (body, h) in enumerate(going):
                if not body.reach >> post & 1 or h == post or h in posts or not picture.may_end(body, post):
                    continue
                cost = picture.rate(body, h) - picture.rate(body, post)
                if cost < least:
                    best, least = number, cost
            if best >= 0:
                body = going[best][0]
                going[best] = (body, post)
                for i in body.units:
                    self.where[i] = post
        return going

    def _alone(self, h: Hex) -> bool:
        """Whether only headquarters are to stand in a hex."""
        pos = self.picture.pos
        return not any(at == h and not pos.roster[i].is_hq for i, at in self.where.items())

    def _wards(self, free: HexMask) -> dict[str, list[tuple[HexMask, float]]]:
        """For each corps the units to be fed: where a headquarters would reach them, and what that is worth (11.13)."""
        pos, ground = self.picture.pos, self.picture.ground
        garrison = ground.place("garrison")
        quarters = self._quarters(free)
        around: dict[Hex, HexMask] = {}
        found: dict[str, list[tuple[HexMask, float]]] = {}
        for i, h in self.where.items():
            unit = pos.roster[i]
            if unit.is_hq or h < 0 or garrison >> h & 1:
                continue
            spot = ground.fringe_of.get(h, h)
            if spot not in around:
                around[spot] = self._fed_from(spot, free, quarters)
            found.setdefault(unit.corps, []).append(
                (around[spot], HOLD * self.picture.much("hold") * unit.face(pos.steps[i]).combat)
            )
        return found

    def _quarters(self, free: HexMask) -> list[tuple[HexMask, HexMask]]:
        """Parts of the city through which supply passes, each with the hexes before it that lead there (11.53)."""
        picture, ground = self.picture, self.picture.ground
        rest, found = free & ground.inset, []
        while rest:
            part = connected(picture.grid, rest & -rest, ground.german_supply_sides, rest)
            gates = mask_of(ground.fringe_of[h] for h in members(part & ground.fringe_inset)) & free
            found.append((part, gates))
            rest &= ~part
        return found

    def _fed_from(self, spot: Hex, free: HexMask, quarters: Sequence[tuple[HexMask, HexMask]]) -> HexMask:
        """Where a headquarters reaches a unit in a hex."""
        picture, ground = self.picture, self.picture.ground
        length = picture.game.tables.supply_range
        if ground.main >> spot & 1:
            found = picture.spread(1 << spot, length, free)
            for part, gates in quarters:
                if gates & found:
                    found |= part
            return found
        for part, gates in quarters:
            if part >> spot & 1:
                return part | picture.spread(gates, length - 1, free & ground.main)
        return 1 << spot

    def _post(
        self, index: int, h: Hex, wards: Mapping[str, list[tuple[HexMask, float]]], fed: HexMask, safe: HexMask
    ) -> float:
        """How good a place is for a headquarters."""
        picture, pos = self.picture, self.picture.pos
        corps = pos.roster[index].corps
        spot = picture.ground.fringe_of.get(h, h)
        value = SAFE * picture.much("lines") if safe >> spot & 1 and not picture.over else 0.0
        value += FIRM * picture.much("firm") if self.firm >> spot & 1 and not picture.over else 0.0
        if fed >> spot & 1:
            value += 10.0
        elif fed:
            value -= picture.far_from(spot, fed)
        share = 1.0 if fed >> spot & 1 else UNFED
        value += share * sum([worth for around, worth in wards.get(corps, ()) if around >> spot & 1])
        if h in self.guards:
            value -= picture.overrun(index, h, self.guards[h])
        else:
            value -= 1.0 + picture.lonely(h)
        if picture.ground.inset >> h & 1:
            value -= STREETS * picture.much("streets")
        value -= 0.5 * min(picture.threat(h), 4.0)
        return value - HQ_STRIDE * picture.much("follow") * picture.far(corps, "infantry", h)
