"""Leningrad as a planner reads it: fast answers about reach, odds, supply and points, on masks.

Prices and posts are in points of the final margin (18.0). What each is worth by turn stands in ``FIGURES``, fitted
with ``ladoga tune`` figures of played games in view; everything else follows from the rules.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ...hexes import Hex, HexMask, mask_of, members
from ...kernel.flood import Costs, Flood, Leave, flood
from ...kernel.position import View
from ...kernel.prospect import NOTHING, Blow, Memory, Prospect, Stand, Unit, UnitMask, Weapon
from ...kernel.tables import odds_index
from . import air, combat, forts, movement, reach, reinforcements
from .edition import GERMAN, SOVIET
from .pieces import Slot
from .prospect_odds import Draws, Profile, added, columns_of, several
from .surprise import bound_to_move

if TYPE_CHECKING:
    from .position import LeningradPosition

KNOWN, RIFLES, ARMORED = 0, 1, 2
"""What is hidden in a unit: nothing, an untried infantry or an untried armored division (14.0)."""
MOMENTS = 12
"""Moments of a game of which is remembered what was worked out."""
LONG = 140
"""Half points of the longest march to the city."""
DEFILE = ("1903", "1904", "1905", "1906", "2003", "2004", "2005", "2006")
"""The isthmus of Narva: an army that goes that way queues before a few hexes."""
QUEUE = 8
"""Half points that it costs to queue there."""


class Figures(NamedTuple):
    """What things are worth in points of the final margin."""

    infantry: float
    """A step of German infantry."""
    panzers: float
    """A step of panzers besides the points it scores."""
    rifles: float
    """A Soviet infantry division."""
    armored: float
    """A Soviet armored division."""
    points: float
    """A point scored for panzers lost."""
    held: float
    """A point for a hex of the city that is held."""
    tempo: float
    """A turn of a strength point before the city."""
    garrison: float
    """A point of the city's hexes for the divisions that stand there."""


FIGURES: tuple[tuple[int, Figures], ...] = (
    (1, Figures(2.2, 2.5, 4.0, 4.0, 0.7, 0.3, 0.16, 0.1)),
    (4, Figures(2.0, 2.5, 3.2, 3.2, 0.7, 0.35, 0.2, 0.2)),
    (7, Figures(1.1, 2.0, 2.2, 2.2, 0.75, 0.5, 0.25, 0.4)),
    (10, Figures(0.45, 1.5, 1.3, 1.3, 0.9, 0.75, 0.25, 0.7)),
    (12, Figures(0.1, 0.3, 0.4, 0.4, 1.0, 1.0, 0.1, 1.0)),
)
THRIFT = {"rifles": 1.3, "armored": 1.3, "garrison": 2.0}
"""How much more the Soviets give for their own divisions and for those in the city: who spends them forward, or to
the last one elsewhere, has none left when the Germans stand before it."""
DEPTH = (0.0, 0.22, 0.34, 0.42)
"""What part of a city hex is safe with so many divisions in it."""
RETREAT = (0.2, 0.4)
"""What a retreat of one and of two hexes costs each unit."""
BREATH = (0.3, 0.7)
"""What it costs each attacker to fall back one hex, and two."""
FORSAKEN = 0.3
"""What part of the others in their hex it costs besides if these are left there next to more of the enemy."""
GROUND = 0.25
"""What it is worth to clear any hex."""
REST, RESTED = 0.25, 0.7
"""What part of the step that it gets back it is worth to a worn panzer division to come to where it is rebuilt (16.6),
and to stay there to the end."""
FOLLOWERS, LEAD = 6, 28
"""So many infantry divisions are so many half points behind the panzers at most, before they move."""
PACE = 10.0
"""Half points that infantry marches in a turn."""
AHEAD, SCREEN = 1.0, 3.0
"""Turns of the German infantry's march that Soviets are before it at most, to meet it in its next one (who is a turn
further away goes to the city); and how many more it is from the city while nobody else needs to go there yet."""
GUARD = 0.15
"""What part of a city hex each step that holds it is worth."""
BEHIND = 1.7
"""How much more a Soviet division is worth in the rear of the Germans, where it can cut their roads."""
UNTHINKABLE = 1e6
"""What it costs to do what the rules forbid."""
CORPS = 3.0
"""What it is worth that a panzer corps is complete in one hex (12.1)."""
ACCESS = 1.2
"""Turns that it is worth to stand next to a hex that scores."""
OPENS, BIG = 0.25, 10
"""What part of a hex that scores much it is worth to hold a hex of the city next to it."""
LURE = 0.35
"""What part of that it is worth to stand there, and not only to drive the enemy out."""
LOST = 6
"""Hexes from supply beyond which it does not matter how many."""
LINGERS = 2.5
"""Turns before the end from which on hunger counts less."""
HUNGER = 0.3
"""Part of its price that a unit out of supply is taken to have lost."""


def _figures(turn: int) -> Figures:
    """The figures of a turn: on a line between those next to it."""
    for (left, low), (right, high) in pairwise(FIGURES):
        if left <= turn <= right:
            share = (turn - left) / (right - left)
            return Figures(*[a + share * (b - a) for a, b in zip(low, high, strict=True)])
    return FIGURES[-1][1]


class LeningradProspect(Prospect):
    """Both editions."""

    position: LeningradPosition

    def __init__(self, view: View) -> None:
        super().__init__(view)
        pos = self.position
        self.ground = pos.ground
        self.edition = pos.game.edition
        self.figures = _figures(pos.turn)
        if self.side == SOVIET:
            dearer = {name: times * getattr(self.figures, name) for name, times in THRIFT.items()}
            self.figures = self.figures._replace(**dearer)
            if self.final():
                self.figures = self.figures._replace(rifles=0.0, armored=0.0, garrison=0.0)
        self.stack = self.edition.tables.stacking.limit
        self._around = self.ground.around
        self._prices = [self._priced(unit) for unit in self.units]
        self._attack = [int(unit.attack) for unit in self.units]
        self._defence = [int(unit.defence) for unit in self.units]
        self._rivers = _rivers(self.ground.map, self._around)
        self._columns = columns_of(tuple(map(tuple, self.edition.tables.results.rows)))
        self._armor_anywhere = pos.options.get("armor-attacks", "clear") != "clear"
        self._marches: dict[tuple[int, ...], HexMask] = {}
        self._profiles: dict[tuple[int, ...], Profile] = {}
        self._ratios: dict[tuple[int, ...], tuple[tuple[int, bool, float], ...]] = {}
        self._posts: dict[tuple[object, ...], dict[Hex, float]] = {}
        self._zones: dict[HexMask, HexMask] = {}
        self._back: dict[int, Costs] = {}
        self._coming: dict[int, HexMask] | None = None
        self._trees: dict[tuple[int, HexMask], tuple[Flood, dict[Hex, HexMask]]] = {}
        self.stand.hungry = self.unfed(0, self.stand) | self.unfed(1, self.stand)

    def _units(self) -> list[Unit]:
        pos = self.position
        self.slots: list[Slot] = [slot for side in (GERMAN, SOVIET) for slot in pos.on_map(side)]
        self._known = len(self.slots)
        self._due = [slot for slot in pos.reserve if self._comes(slot)]
        self.slots += [*self._due, *self._entering()]
        self._specs = [pos.spec(slot) for slot in self.slots]
        found = []
        for number, slot in enumerate(self.slots):
            piece, spec = pos.pieces[slot], self._specs[number]
            attack, defence = spec.face(pos.steps[slot])[:2] if spec else (3.5, 3.5)
            kind = spec.type if spec else "armored" if piece.mobile else "infantry"
            found.append(
                Unit(number, pos.labels[slot], piece.side, pos.hexes[slot], attack, defence, piece.movement,
                     pos.steps[slot], kind, spec.corps if spec else "")
            )  # fmt: skip
        self._mobile = [pos.pieces[slot].mobile for slot in self.slots]
        self._hidden = [KNOWN if spec else ARMORED if self._mobile[n] else RIFLES for n, spec in enumerate(self._specs)]
        self._armor = [spec is not None and spec.type == "armor" for spec in self._specs]
        self._corps = [spec.corps if spec else "" for spec in self._specs]
        sizes = {corps: len(names) for corps, names in pos.game.corps.items()}
        self._corps_size = {corps: max(size, self._corps.count(corps)) for corps, size in sizes.items()}
        return found

    def _comes(self, slot: Slot) -> bool:
        """Whether a piece of the enemy may enter in his next movement (16.0)."""
        pos, line = self.position, reinforcements.arrival_of(self.position, slot)
        enemy = 1 - self.side
        if line is None or pos.pieces[slot].side != enemy or pos.pieces[slot].recycled:
            return False
        return line.turn <= pos.turn + (1 if enemy == GERMAN else 0)

    def _entering(self) -> Sequence[Slot]:
        """Our own pieces that may enter now and march on as we like (16.0), so not on turn 1 (17.2)."""
        pos = self.position
        moves = pos.mover == self.side and "movement" in pos.phase.id
        return reinforcements.due(pos).slots if moves and not pos.surprised(self.side) else ()

    def coming(self) -> dict[int, HexMask]:
        """Reinforcements of the enemy and how far they get (16.0)."""
        if self.imagined:
            return {}
        if self._coming is None:
            known: dict[tuple[int, bool], HexMask] = {}
            self._coming = {}
            for n, slot in enumerate(self._due):
                piece = self.position.pieces[slot]
                key = (piece.arrival, piece.mobile)
                if key not in known:
                    known[key] = self._entered(slot)
                if known[key]:
                    self._coming[self._known + n] = known[key]
        return self._coming

    def _entered(self, slot: Slot) -> HexMask:
        pos, piece = self.position, self.position.pieces[slot]
        stand, side = self.stand, piece.side
        turn = pos.turn + (1 if side == GERMAN else 0)
        hexes = self.ground.entry(piece.arrival, turn) & self.ground.land & ~stand.held[1 - side]
        if not hexes:
            return 0
        costs = self.ground.costs(side, piece.mobile, pos.forts, ())
        stops = self._zone(stand.held[1 - side])
        return flood(costs, hexes, 2 * piece.movement - 2, barred=stand.held[1 - side], stops=stops).reached

    def recall(self, memory: Memory) -> None:
        """Marches and blows of the same turn as they were worked out before: for a blow it does not matter which of two
        units alike strikes, nor that a few counters more have been seen."""
        if len(memory) > MOMENTS:
            memory.clear()
        kinds = memory.setdefault("kinds", {})
        self.tokens = [kinds.setdefault(self._kind(unit), len(kinds)) for unit in self.units]
        moment = (self.turn, self.side, self.position.forts, self._bonus)
        self.known = memory.setdefault(("blows", *moment), {})
        self._marches = memory.setdefault(("marches", self.position.forts), self._marches)
        self._zones = memory.setdefault("zones", self._zones)

    def _kind(self, unit: Unit) -> tuple[object, ...]:
        """All of a unit that has a say in a blow, but where it stands and how it is fed."""
        number = unit.number
        return (
            unit.side, unit.attack, unit.defence, self._hidden[number], self._armor[number], self._corps[number],
            self._prices[number],
        )  # fmt: skip

    # Ground -------------------------------------------------------------------------------------

    def turned(self, stand: Stand) -> LeningradProspect:
        """As the enemy would see it; the Soviet bonus (17.4) is over when the Germans have moved."""
        new = super().turned(stand)
        assert isinstance(new, LeningradProspect)
        if self.side == SOVIET:
            new.__dict__["_bonus"] = 0
        return new

    def near(self, h: Hex) -> HexMask:
        """The hexes next to a hex, across hexsides that can be crossed."""
        return self._around[h]

    def zone(self, side: int, stand: Stand) -> HexMask:
        """Zones of control (5.0)."""
        return self._zone(stand.held[side])

    def _zone(self, held: HexMask) -> HexMask:
        found = self._zones.get(held)
        if found is None:
            found = self._zones[held] = self.ground.zone(held)
        return found

    def reach(self, unit: int) -> HexMask:
        """Where a unit can go now (4.0), full hexes included: others may leave them first."""
        pos, slot = self.position, self.slots[unit]
        if self.imagined:
            return self.march(unit, self.stand) & ~(1 << self.stand.where[unit]) if self.stand.where[unit] >= 0 else 0
        if (pos.moved >> slot & 1 and slot not in pos.active) or self.units[unit].side != pos.mover:
            return 0
        if self.units[unit].hex < 0:
            return self._way_in(slot)
        if movement.why_no_group(pos, (slot,)) is not None:
            return 0
        group = movement.Movement(pos, (slot,))
        if pos.surprised(group.side):
            return group.destinations
        if group.stuck or group.spent:
            return 0
        full = pos.crowd[group.side][2] if pos.game.stacking_always else 0
        leave = self._leave(unit, self.stand)
        if leave is not None and full:
            leave = leave._replace(hexes=leave.hexes & (~full | 1 << group.start))
        free = flood(
            self.ground.costs(group.side, group.mobile, pos.forts, pos.interdicted), 1 << group.start, group.budget,
            barred=pos.crowd[1 - group.side][0], stops=group.enemy_zone | full, leave=leave,
        ).reached  # fmt: skip
        around = self.ground.around[group.start] & full if group.guaranteed else 0
        return (free | group.guaranteed | around) & ~(1 << group.start)

    def _way_in(self, slot: Slot) -> HexMask:
        """Where a reinforcement of ours can be after it has entered (16.1, 16.2)."""
        pos, piece = self.position, self.position.pieces[slot]
        enemy, zone = pos.crowd[1 - piece.side][0], self.zone(1 - piece.side, self.stand)
        costs, found = self.ground.costs(piece.side, piece.mobile, pos.forts, pos.interdicted), 0
        for h in members(reinforcements.entry_hexes(pos, slot)):
            left = 0 if zone >> h & 1 else reinforcements.entry_left(pos, slot, h)
            found |= flood(costs, 1 << h, left, barred=enemy, stops=zone).reached
        return found

    def under_way(self) -> UnitMask:
        """Units of the group now moving: they go on at once or not at all (4.0)."""
        active = self.position.active
        return sum(1 << n for n, slot in enumerate(self.slots) if slot in active)

    def _leave(self, unit: int, stand: Stand) -> Leave | None:
        """Zones a unit can leave on its way (6.0), if somebody stays behind there."""
        piece, start = self.units[unit], stand.where[unit]
        zone = self._zone(stand.held[1 - piece.side])
        hexes = 1 << start if zone >> start & 1 and len(stand.at[start]) > 1 else 0
        figures = self.edition.tables.disengagement
        price = figures.soviet if piece.side == SOVIET else figures.german_infantry
        if piece.side == GERMAN and self._mobile[unit]:
            hexes |= zone & stand.held[GERMAN] & ~(1 << start)
            price = figures.german_armor
        return Leave(hexes, 2 * price, ~zone) if hexes else None

    def march(self, unit: int, stand: Stand) -> HexMask:
        """Where a unit could be after its next movement (4.0, 6.0), remembered by what is near it."""
        piece, start, mobile = self.units[unit], stand.where[unit], self._mobile[unit]
        zone, barred = self._zone(stand.held[1 - piece.side]), stand.held[1 - piece.side]
        region = self._region(start, mobile)
        alone, hungry = len(stand.at[start]) == 1, stand.hungry >> unit & 1
        rides = piece.side == GERMAN and mobile
        key = (
            piece.side, mobile, int(piece.speed), start, alone, hungry, zone & region, barred & region,
            stand.held[GERMAN] & zone & region if rides else 0,
        )  # fmt: skip
        found = self._marches.get(key)
        if found is None:
            found = self._marches[key] = self._march(unit, stand, zone, barred)
        return found

    def _region(self, start: Hex, mobile: bool) -> HexMask:
        return self.ground.remembered(
            ("region", start, mobile), lambda: self.grid.within(1 << start, 16 if mobile else 6)
        )

    def _march(self, unit: int, stand: Stand, zone: HexMask, barred: HexMask) -> HexMask:
        piece, start, pos = self.units[unit], stand.where[unit], self.position
        bit = 1 << start
        stuck = zone & bit and len(stand.at[start]) == 1
        if stuck:
            return bit
        budget = reach.half_points(int(piece.speed), not stand.hungry >> unit & 1)
        costs = self.ground.costs(piece.side, self._mobile[unit], pos.forts, ())
        reached = flood(costs, bit, budget, barred=barred, stops=zone, leave=self._leave(unit, stand)).reached
        sure = self._around[start] & ~barred & self.ground.land
        return reached | (sure & ~zone if zone & bit else sure)

    # Supply (11.0) --------------------------------------------------------------------------------

    def unfed(self, side: int, stand: Stand, extra: HexMask = 0) -> UnitMask:
        """The units of a side on the map that trace no line."""
        pos, ground = self.position, self.ground
        enemy = stand.held[1 - side] | extra
        blocked = enemy | self._zone(enemy) & ~stand.held[side]
        sources = ground.sources[side]
        fed = ground.fed(side, False, sources, blocked, pos.forts, pos.interdicted)
        missing = stand.held[side] & ~fed
        if not missing:
            return 0
        found, armored = 0, ground.fed(side, True, sources, blocked, pos.forts, pos.interdicted)
        for h in members(missing):
            for unit in stand.at[h]:
                if not (self._mobile[unit] and armored >> h & 1):
                    found |= 1 << unit
        return found

    def lines(self, unit: int, stand: Stand) -> HexMask:
        """The hexes of a unit's shortest line home, as all stand."""
        side, h = self.units[unit].side, stand.where[unit]
        enemy = stand.held[1 - side]
        blocked = enemy | self._zone(enemy) & ~stand.held[side]
        tree = self._trees.get((side, blocked))
        if tree is None:
            tree = self._trees[side, blocked] = self._tree(side, blocked)
        reached, roads = tree
        if reached.cost(h) is None:
            return 0
        way = reached.path(h)
        return mask_of(way) | roads.get(way[0], 0)

    def _tree(self, side: int, blocked: HexMask) -> tuple[Flood, dict[Hex, HexMask]]:
        """Lines of supply from the roads outwards, and for each hex of road its way to a source."""
        pos, ground = self.position, self.ground
        sources = ground.sources[side] & ground.land & ~blocked
        net = ground.supply_net(ground.sources[side], blocked)
        roads = {h: 1 << h for h in members(sources)}
        queue = list(roads)
        for h in queue:
            for d, beyond in enumerate(self.grid.neighbours(h)):
                if beyond >= 0 and ground.road[d] >> h & 1 and net >> beyond & 1 and beyond not in roads:
                    roads[beyond] = roads[h] | 1 << beyond
                    queue.append(beyond)
        back = self._back.get(side)
        if back is None:
            back = self._back[side] = ground.supply_costs(side, False, pos.forts, pos.interdicted).reversed()
        return flood(back, net, 2 * self.edition.tables.supply.range, barred=blocked | ~ground.land), roads

    # Blows (8.0 to 10.0) --------------------------------------------------------------------------

    def blow(self, units: Sequence[int], h: Hex, stand: Stand, support: int = 0) -> Blow:
        """An attack by its exact odds; the defender takes what costs him least."""
        there = stand.at.get(h)
        if not there or not units:
            return NOTHING
        profile = self._profile(units, h, there, stand, support)
        return self._outcome(profile, units, h, there, stand)

    def chances(self, units: Sequence[int], h: Hex, stand: Stand, support: int = 0) -> Profile:
        """The chances of each result for defender and attacker."""
        return self._profile(units, h, stand.at[h], stand, support)

    def overrun(self, units: Sequence[int], h: Hex, stand: Stand, support: int = 0) -> Blow:
        """The same for an overrun (7.1), which may have no part in the Soviet bonus (17.4)."""
        there = stand.at.get(h)
        if not there or not units:
            return NOTHING
        shift = support + self.edition.tables.overrun.shift
        if self.units[units[0]].side == SOVIET and not self.edition.tables.bonus.overruns:
            shift -= self._bonus
        profile = self._profile(units, h, there, stand, shift)
        return self._outcome(profile, units, h, there, stand, overrun=True)

    def _profile(
        self, units: Sequence[int], h: Hex, there: Sequence[int], stand: Stand, support: int
    ) -> Profile:  # fmt: skip
        """Results by their chances: strengths, shifts (9.6), untried units drawn exactly."""
        where, rivers = stand.where, self._rivers.get(h, 0)
        attack, rifles, armored, armor, starving = self._force(units, self._attack, stand.hungry)
        defence, rifles_there, armored_there, shielded, starved = self._force(there, self._defence, stand.hungry)
        wet = bool(rivers) and all(rivers >> where[unit] & 1 for unit in units)
        side = self.units[units[0]].side
        shift, open_ground, in_city = self._site(h, 1 - side)
        shift += support - 2 * starving + 2 * starved - (1 if wet else 0)
        if shielded and not in_city:
            shift -= 1
        opens = self._armor_anywhere or open_ground
        if armor and opens:
            shift += 1
        if side == GERMAN:
            shift += self._whole_corps(units, stand)
        else:
            shift += self._bonus
            if not in_city:
                shift -= self._whole_corps(there, stand)
        armed = 0 if shielded else -1
        if side == SOVIET:
            armed = 1 if opens and not armor else 0
        key = (attack, rifles, armored, defence, rifles_there, armored_there, shift, shift + armed)
        found = self._profiles.get(key)
        if found is None:
            found = self._profiles[key] = self._weighed(key)
        return found

    def _force(
        self, units: Sequence[int], strengths: Sequence[int], hungry: UnitMask
    ) -> tuple[int, int, int, bool, int]:
        """The known strength of some units, how many of them are untried, on foot and not, and whether there is known
        armor among them and somebody out of supply."""
        strength = rifles = armored = starving = 0
        armor, hidden = False, self._hidden
        for unit in units:
            kind = hidden[unit]
            if kind == KNOWN:
                strength += strengths[unit]
                armor = armor or self._armor[unit]
            elif kind == RIFLES:
                rifles += 1
            else:
                armored += 1
            starving |= hungry >> unit & 1
        return strength, rifles, armored, armor, starving

    def _weighed(self, key: tuple[int, ...]) -> Profile:
        *strengths, shift, drawn = key
        total = [0.0] * 6
        columns, first, most = self._columns, self.edition.first_column, len(self._columns) - 1
        for index, armor, chance in self._ratio(tuple(strengths)):
            column = index + (drawn if armor else shift) - first
            for n, part in enumerate(columns[min(max(column, 0), most)]):
                total[n] += chance * part
        a, b, c, d, e, f = total
        return a, b, c, d, e, f

    def _ratio(self, strengths: tuple[int, ...]) -> tuple[tuple[int, bool, float], ...]:
        """Odds before shifts, and whether a drawn unit is armor, with their chances."""
        found = self._ratios.get(strengths)
        if found is None:
            attack, rifles, armored, defence, rifles_there, armored_there = strengths
            ours, theirs = self._drawn(True, rifles, armored), self._drawn(False, rifles_there, armored_there)
            ways: dict[tuple[int, bool], float] = {}
            for (strong, armor), p in ours.items():
                for (weak, shielded), q in theirs.items():
                    key = (odds_index(attack + strong, max(1, defence + weak)), armor or shielded)
                    ways[key] = ways.get(key, 0.0) + p * q
            found = self._ratios[strengths] = tuple((index, armor, p) for (index, armor), p in ways.items())
        return found

    def _drawn(self, attacking: bool, rifles: int, armored: int) -> Draws:
        infantry, tanks = self._pools[attacking]
        return added(several(infantry, rifles), several(tanks, armored))

    @cached_property
    def _pools(self) -> dict[bool, tuple[tuple[tuple[int, bool], ...], tuple[tuple[int, bool], ...]]]:
        """Strengths of the counters that have not been seen, infantry and armored ones (14.2)."""
        pos, units = self.position, self.edition.units
        shown = set(pos.faces)
        pools = {}
        for attacking in (True, False):
            both = []
            for mobile in (False, True):
                specs = [units[pos.game.counters[n]] for n in pos.game.drawn[mobile]]
                left = [units[pos.game.counters[n]] for n in pos.game.drawn[mobile] if n not in shown]
                values = [(s.attack if attacking else s.defence, s.type == "armor") for s in left or specs]
                both.append(tuple(sorted(values)))
            pools[attacking] = (both[0], both[1])
        return pools

    def _site(self, h: Hex, defending: int) -> tuple[int, bool, bool]:
        """Shift of the ground, whether armor attacks well there, and whether Germans defend in a Soviet city."""
        ground, pos = self.ground, self.position
        line = self.edition.tables.terrain[ground.terrain_at(h)]
        city = bool(ground.soviet_cities >> h & 1)
        fort = bool(pos.forts >> h & 1)
        german = defending == GERMAN
        shift = 0 if german and city else -line.shift
        return shift - (1 if fort and not german else 0), line.open and not fort, german and city

    def _whole_corps(self, units: Sequence[int], stand: Stand) -> int:
        """Panzer corps that are complete in one hex (12.1)."""
        corps: dict[str, list[int]] = {}
        for unit in units:
            name = self._corps[unit]
            if name:
                corps.setdefault(name, []).append(stand.where[unit])
        return sum(
            len(hexes) == self._corps_size.get(name, 0) and len(set(hexes)) == 1 for name, hexes in corps.items()
        )

    @cached_property
    def _bonus(self) -> int:
        """The shift of the Soviet counterattack, if it can be had now (17.4)."""
        pos, figures = self.position, self.edition.tables.bonus
        if pos.turn != figures.turn or pos.options.get("bonus-direction", "right") != "right":
            return 0
        army = sum(a.infantry + a.armor for a in self.edition.scenario.arrivals if a.bonus)
        waiting = sum((line := reinforcements.arrival_of(pos, slot)) is not None and line.bonus for slot in pos.reserve)
        moving = pos.mover == GERMAN or pos.phase.id in ("soviet-fortification", "soviet-movement")
        return figures.shift if pos.on_time + (waiting if moving else 0) >= army else 0

    def _outcome(
        self, profile: Profile, units: Sequence[int], h: Hex, there: Sequence[int], stand: Stand, overrun: bool = False
    ) -> Blow:
        one, two, every, pay_one, pay_two, pay_all = profile
        side = self.units[units[0]].side
        origins = 0
        for unit in units:
            origins |= 1 << stand.where[unit]
        near, far = self.ways_out(h, side, origins, stand)
        ground = self.ground_worth(h, side)
        guard = GUARD * self.figures.held * self._worths.get(h, 0.0)
        prices = sorted([self._prices[unit][0] + guard for unit in there])
        steps = sum([len(self._prices[unit]) for unit in there])
        whole = sum([sum(self._prices[unit]) for unit in there]) + guard * steps
        count = len(there)
        # One step, or all back one hex (10.1).
        hold = (prices[0], 0.0, 1 / count) if steps > 1 else (whole + ground, 1.0, 1.0)
        back = (RETREAT[0] * count + ground, 1.0, 0.0) if near else (whole + ground, 1.0, 1.0)
        first = min(hold, back)
        # Two steps, or two hexes, or one of each (10.2).
        if steps > 2:
            hold = (prices[0] + (prices[1] if count > 1 else self._prices[there[0]][1] + guard), 0.0, 2 / count)
        else:
            hold = (whole + ground, 1.0, 1.0)
        second = min(hold, (RETREAT[1] * count + ground, 1.0, 0.0) if far else (whole + ground, 1.0, 1.0))
        if near and steps > 1:
            second = min(second, (prices[0] + RETREAT[0] * (count - 1) + ground, 1.0, 1 / count))
        gain = one * first[0] + two * second[0] + every * (whole + ground)
        falls = one * first[1] + two * second[1] + every
        dead = min(1.0, one * first[2] + two * second[2] + every)
        loss = pay_one * min(self._paid(units, 1, stand), self._fall_back(units, h, 1, stand, overrun))
        loss += pay_two * min(self._paid(units, 2, stand), self._fall_back(units, h, 2, stand, overrun))
        if pay_all:
            loss += pay_all * sum([sum(self._prices[unit]) + self._guarding(unit, stand) for unit in units])
        return Blow(gain, loss, falls, dead)

    def _paid(self, units: Sequence[int], steps: int, stand: Stand) -> float:
        """What attackers lose who pay in steps, the cheapest first."""
        if len(units) == 1:
            return sum(self._prices[units[0]][:steps]) + self._guarding(units[0], stand)
        return sum(sorted([self._prices[unit][0] + self._guarding(unit, stand) for unit in units])[:steps])

    def _guarding(self, unit: int, stand: Stand) -> float:
        """What it costs besides that a Soviet division is gone from a hex of the city: it has one step, and the
        Germans come before it is replaced."""
        if self.units[unit].side == GERMAN or self.final():
            return 0.0
        return GUARD * self.figures.held * self._worths.get(stand.where[unit], 0.0)

    def _fall_back(self, units: Sequence[int], h: Hex, hexes: int, stand: Stand, overrun: bool) -> float:
        """What it costs attackers to retreat instead: those who have no safe hex are lost (10.7), and after a
        successful overrun nobody may (7.6)."""
        if overrun:
            return UNTHINKABLE
        side = self.units[units[0]].side
        enemy = stand.held[1 - side]
        closed = enemy | self._zone(enemy) & ~stand.held[side] | 1 << h | self.grid.ring(1 << h)
        cost, origins = BREATH[hexes - 1] * len(units), dict[Hex, int]()
        cost += sum([self._guarding(unit, stand) for unit in units])
        for unit in units:
            if not self._around[stand.where[unit]] & ~closed:
                cost += sum(self._prices[unit])
            origins[stand.where[unit]] = origins.get(stand.where[unit], 0) + 1
        for origin, gone in origins.items():
            there = stand.at[origin]
            if gone < len(there) and self._around[origin] & enemy & ~(1 << h):
                left = sum([sum(self._prices[unit]) for unit in there if unit not in units])
                cost += FORSAKEN * left * gone / len(there)
        return cost

    def ways_out(self, h: Hex, side: int, origins: HexMask, stand: Stand) -> tuple[HexMask, bool]:
        """Safe hexes for those who retreat from a hex before a side (10.7), and whether two hexes can be had."""
        friends, enemy = stand.held[1 - side], stand.held[side]
        zone = self._zone(enemy)
        closed = self.grid.ring(origins) | origins
        safe = self._around[h] & ~enemy & (~zone | friends) & ~closed
        if not safe:
            return 0, False
        for hex_ in members(safe & friends):
            if len(stand.at[hex_]) >= self.stack:
                safe &= ~(1 << hex_)
        beyond = self._zone(safe) & ~enemy & (~zone | friends) & ~self.grid.ring(closed) & ~closed if safe else 0
        return safe, bool(beyond)

    def ground_worth(self, h: Hex, side: int) -> float:
        """What it is worth to a side to clear a hex."""
        return GROUND + self._worths.get(h, 0.0) * self.figures.held * 0.5

    def support(self) -> int:
        """Air units that may still join attacks (13.5)."""
        if self.imagined:
            return 0
        return air.ready(self.position) if self.position.mover == GERMAN else 0

    def final(self) -> bool:
        """The Soviets have the last word (3.0)."""
        return self.side == SOVIET and self.turn >= self.last and self.position.mover == SOVIET

    def fresh(self) -> UnitMask:
        """Units that have not attacked (8.2)."""
        pos = self.position
        used = 0 if self.imagined else pos.attacked
        return sum(1 << n for n, slot in enumerate(self.slots) if not used >> slot & 1)

    def targets(self) -> HexMask:
        """Hexes that have not been attacked (8.2)."""
        pos = self.position
        if not pos.defended or self.imagined:
            return -1
        enemy = pos.crowd[1 - pos.mover][0]
        return sum(1 << h for h in members(enemy) if combat.why_not_attackable(pos, h) is None)

    def pending(self) -> tuple[tuple[int, ...], Hex] | None:
        """The attack that waits for air units in defence (13.1)."""
        fight = self.position.fight
        if fight is None or self.position.agenda[0].at != "air":
            return None
        numbers = {slot: n for n, slot in enumerate(self.slots)}
        return tuple(numbers[slot] for slot in fight.attackers), fight.targets[0]

    # Points (18.0) ----------------------------------------------------------------------------------

    def prices(self, unit: int) -> tuple[float, ...]:
        """Steps by what they score at the end and what they can still do."""
        return self._prices[unit]

    def _priced(self, unit: Unit) -> tuple[float, ...]:
        figures, scores = self.figures, self.edition.tables.victory
        if unit.side == SOVIET:
            spec = self._specs[unit.number]
            base = figures.armored if self._mobile[unit.number] else figures.rifles
            if unit.hex >= 0 and self.far(GERMAN, False).get(unit.hex, 0) > self.rear:
                base *= BEHIND
            if spec is None:
                return (base,)
            return (base * (0.4 + 0.6 * (spec.attack + spec.defence) / (10.0 if self._mobile[unit.number] else 6.5)),)
        use = figures.infantry if unit.symbol == "infantry" else figures.panzers
        reduced, gone = scores.reduced.get(unit.symbol, 0), scores.eliminated.get(unit.symbol, 0)
        last = use + figures.points * (gone - reduced)
        return (last,) if unit.steps == 1 else (use + figures.points * reduced, last)

    def objectives(self, side: int, turn: int) -> Mapping[Hex, float]:
        """The hexes of the city that score (18.2), as far as they count on a turn."""
        held = _figures(turn).held
        return {h: worth * held for h, worth in self._worths.items()}

    @cached_property
    def scoring(self) -> dict[Hex, int]:
        """Points for the hexes that the Germans hold at the end (18.2)."""
        grid = self.ground.grid
        return {grid.hex(n): worth for n, worth in self.edition.tables.victory.hexes.items() if n in grid}

    @cached_property
    def _worths(self) -> dict[Hex, float]:
        """What holding the hexes of the city is worth: those that score, and those from which these are attacked."""
        found: dict[Hex, float] = dict(self.scoring)
        opens = OPENS * min(1.0, 0.5 * (self.last - self.turn))
        for h in members(self.ground.leningrad if opens else 0):
            if self.scoring.get(h, 0) < BIG:
                near = [worth for other, worth in self.scoring.items() if self._around[h] >> other & 1]
                found[h] = found.get(h, 0.0) + opens * sum(near)
        return found

    def post(self, unit: int) -> Mapping[Hex, float]:
        """Turns that are left before the city when a unit gets there from a hex, by its strength."""
        piece = self.units[unit]
        if piece.side == SOVIET:
            return self._screened(unit)
        worn, strength = piece.steps == 1 and piece.symbol != "infantry", piece.attack
        reduced = self.edition.tables.victory.reduced.get(piece.symbol, 0)
        step = self.figures.panzers + self.figures.points * reduced if worn else 0.0
        resting = piece.hex if worn and self._rests(unit) else -1
        key = (piece.side, self._mobile[unit], strength, step, resting)
        found = self._posts.get(key)
        if found is None:
            pace = self._pace if self._mobile[unit] else 0
            quarters = self._quarters if step else 0
            known = ("post", self.turn, self.last, self.figures, pace, piece.speed, quarters, *key[:-1])
            found = self.ground.remembered(known, lambda: self._posted(self._mobile[unit], strength, piece.speed, step))
            if resting >= 0:
                stays = {**found, resting: found.get(resting, 0.0) + RESTED * step}
                found = self.ground.remembered(("stays", resting, *known), lambda: stays)
            self._posts[key] = found
        return found

    @property
    def _quarters(self) -> HexMask:
        """Where worn units are rebuilt (16.6)."""
        shut = 0 if self.position.options.rebuild_in_soviet_cities else self.ground.soviet_cities
        return self.ground.rebuild_hexes & self.ground.land & ~shut

    def _rests(self, unit: int) -> bool:
        """Whether a worn unit has come to where it is rebuilt on an earlier turn, and is rebuilt next turn if it stays
        (16.6)."""
        pos, h = self.position, self.units[unit].hex
        if h < 0 or self.turn >= self.last or not self._quarters >> h & 1:
            return False
        return pos.since[self.slots[unit]] < self.turn and not self._zone(self.stand.held[SOVIET]) >> h & 1

    def _posted(self, mobile: bool, strength: float, speed: float, step: float) -> dict[Hex, float]:
        """Turns that are left to a German unit before the city, and more where it strikes from or worn units rest."""
        left = self.last - self.turn + 0.5
        weight = self.figures.tempo * strength
        pace, foot = (self._pace, self.far(GERMAN, False)) if mobile else (0, {})
        found = {}
        for h, cost in self.far(GERMAN, mobile).items():
            turns = (cost + max(0, pace - foot.get(h, pace))) / (2.0 * speed)
            found[h] = weight * (max(0.0, left - turns) - 0.15 * turns)
        for h in members(self._access):
            found[h] = found.get(h, 0.0) + ACCESS * weight
        if self.turn < self.last - 1:
            for h in members(self._quarters if step else 0):
                found[h] = found.get(h, 0.0) + REST * step
        return found

    def _screened(self, unit: int) -> Mapping[Hex, float]:
        """Turns that are left to a Soviet unit, less those that it is from its work: while the German infantry is far
        from the city that is to stand in its way, if one is near it, else and then the city itself."""
        piece, mobile = self.units[unit], self._mobile[unit]
        strength = 0.6 * max(piece.attack, piece.defence)
        key = ("screen", mobile, piece.speed, strength, self.turn, self.figures.tempo, self._leading)
        found = self._posts.get(key)
        if found is None:
            weight = self.figures.tempo * strength
            found = self._posts[key] = self.ground.remembered(key, lambda: self._screen(mobile, weight, piece.speed))
        return found

    def _screen(self, mobile: bool, weight: float, speed: float) -> dict[Hex, float]:
        left, foot, front = self.last - self.turn + 1.0, self.far(GERMAN, False), self._front / PACE
        near = min(1.0, max(0.0, 1.0 - (front - AHEAD) / SCREEN))
        coming = self._coming_on if near < 1.0 else {}
        found = {}
        for h, cost in self.far(SOVIET, mobile).items():
            early = min(1.0, max(0.0, coming.get(h, LONG) / PACE - AHEAD))
            behind = max(0.0, foot.get(h, LONG) / PACE - front)
            found[h] = weight * (left - max(near, early) * cost / (2.0 * speed) - (1.0 - near) * (early + behind))
        return found

    @cached_property
    def _infantry(self) -> list[tuple[int, Hex]]:
        """The German infantry by its half points on foot from the city, with its hexes."""
        far, units = self.far(GERMAN, False), (u for u in self.units if u.side == GERMAN and u.symbol == "infantry")
        return sorted((far.get(unit.hex, LONG), unit.hex) for unit in units if unit.hex >= 0)

    @property
    def _front(self) -> int:
        """Half points on foot that the first of the German infantry is from the city."""
        return self._infantry[min(FOLLOWERS, len(self._infantry)) - 1][0] if self._infantry else 0

    @property
    def _leading(self) -> HexMask:
        """Where the first of the German infantry stands."""
        return mask_of(h for _, h in self._infantry[:FOLLOWERS])

    @cached_property
    def _coming_on(self) -> Mapping[Hex, int]:
        """Half points of march from the first of the German infantry to every hex."""
        layers = flood(self.ground.costs(GERMAN, False, 0, ()), self._leading, LONG, barred=~self.ground.land).layers
        return {h: cost for cost, layer in enumerate(layers) for h in members(layer)}

    @cached_property
    def rear(self) -> int:
        """Half points on foot from the city behind which Soviets are in the rear of most of the Germans."""
        far = self.far(GERMAN, False)
        foot = sorted(far.get(unit.hex, LONG) for unit in self.units if unit.side == GERMAN and unit.hex >= 0)
        return foot[len(foot) // 2] + 4 if foot else LONG

    @cached_property
    def _access(self) -> HexMask:
        """Hexes from which those that score can be attacked, and these themselves."""
        goal = 0
        for h in self.scoring:
            goal |= 1 << h
        return (goal | self.ground.zone(goal)) & self.ground.land

    @cached_property
    def _pace(self) -> int:
        """Half points on foot that the panzers may be from the city: no nearer than the infantry can follow."""
        return max(0, self._front - LEAD)

    def far(self, side: int, mobile: bool) -> Mapping[Hex, int]:
        """Half points of march from every hex to those that score, or next to them."""
        return self.ground.remembered(("far", side, mobile), lambda: self._far(side, mobile))

    def _far(self, side: int, mobile: bool) -> dict[Hex, int]:
        goal = 0
        for h in self.scoring:
            goal |= 1 << h
        if side == GERMAN:
            goal |= self.ground.zone(goal)
        costs = self.ground.costs(side, mobile, 0, ()).reversed()

        def march(barred: HexMask) -> dict[Hex, int]:
            layers = flood(costs, goal & self.ground.land, LONG, barred=~self.ground.land | barred).layers
            return {h: cost for cost, layer in enumerate(layers) for h in members(layer)}

        short = march(0)
        if side != GERMAN:
            return short
        defile = mask_of(self.grid.hex(number) for number in DEFILE if number in self.grid)
        around = march(defile)
        return {
            h: cost + QUEUE // 2 if defile >> h & 1 else min(cost + QUEUE, around.get(h, LONG))
            for h, cost in short.items()
        }

    def standing(self, stand: Stand) -> float:
        """City hexes: held by the Germans in supply (18.2), or by how many Soviet divisions."""
        total = 0.0
        for h, worth in self._worths.items():
            there = stand.at.get(h)
            if not there:
                continue
            if self.units[there[0]].side == GERMAN:
                fed = any(not stand.hungry >> unit & 1 for unit in there)
                scored = self.scoring.get(h, 0)
                starved = 0.3 if self.turn < self.last else 0.0
                total += (scored + LURE * (worth - scored)) * self.figures.held * (1.0 if fed else starved)
            else:
                total -= worth * self.figures.garrison * self._alarm(stand) * DEPTH[min(3, len(there))]
        total += CORPS * self.whole_corps(stand)
        return total if self.side == GERMAN else -total

    def whole_corps(self, stand: Stand) -> int:
        """Panzer corps that are complete in one hex, wherever it is."""
        return self._whole_corps([u for u in self._panzers if stand.where[u] >= 0], stand)

    def _alarm(self, stand: Stand) -> float:
        """How near the Germans are to the city, from nothing to one."""
        held = stand.held[GERMAN]
        away = next((distance for distance, ring in enumerate(self._rings) if ring & held), len(self._rings))
        return min(1.0, max(0.0, 1.25 - 0.4 * away / 6.0))

    @cached_property
    def _panzers(self) -> list[int]:
        return [number for number, corps in enumerate(self._corps) if corps]

    @cached_property
    def _rings(self) -> list[HexMask]:
        """Hexes by their distance from the city."""
        goal = sum(1 << h for h in self.scoring)
        rings = [goal]
        for _ in range(30):
            rings.append(rings[-1] | self.grid.ring(rings[-1]))
        return rings

    def hunger(self, unit: int) -> float:
        """What it costs to be out of supply (11.1, 11.2), as long as there are turns to suffer from it."""
        return HUNGER * min(1.0, (self.last - self.turn + 0.5) / LINGERS) * sum(self._prices[unit])

    def plight(self, unit: int, stand: Stand) -> float:
        """By how many hexes a unit is from where it would be fed."""
        pos, ground, side = self.position, self.ground, self.units[unit].side
        enemy = stand.held[1 - side]
        blocked = enemy | self._zone(enemy) & ~stand.held[side]
        fed = ground.fed(side, False, ground.sources[side], blocked, pos.forts, pos.interdicted) & ~blocked
        reached, away = 1 << stand.where[unit], 0
        while away < LOST and not reached & fed:
            reached |= self.grid.ring(reached)
            away += 1
        return 0.6 + 0.2 * away

    def piece(self, unit: int) -> Hashable:
        """A division's counter is turned over when it first fights (14.0)."""
        return self.slots[unit]

    # Peculiar ---------------------------------------------------------------------------------------

    def weapons(self, side: int) -> list[Weapon]:
        """Air units (13.0) and forts (15.0)."""
        pos = self.position
        if side == GERMAN:
            return [Weapon("air", air.ready(pos), -1)]
        ready = forts.at_hand(pos)
        return [Weapon("fort", ready, forts.sites(pos) if ready > 0 else 0)]

    def must(self, side: int) -> UnitMask:
        """Soviets next to Germans attack on turn 1 (17.3)."""
        if self.imagined or not self.position.surprised(side):
            return 0
        found = 0
        for unit in self.of(side):
            found |= 1 << unit
        return found

    def bound(self) -> UnitMask:
        """Soviets on turn 1 who do not stand next to Germans yet (17.2)."""
        pos = self.position
        if self.imagined or pos.mover != self.side or not pos.surprised(self.side) or "movement" not in pos.phase.id:
            return 0
        slots = enumerate(self.slots[: self._known])
        return sum(1 << n for n, slot in slots if self.units[n].side == self.side and bound_to_move(pos, slot))


def _rivers(game_map: object, around: Mapping[Hex, HexMask]) -> dict[Hex, HexMask]:
    """For each hex the hexes next to it from which an attack crosses a river (9.6)."""
    key = id(game_map)
    found = _RIVERS.get(key)
    if found is None or found[0] is not game_map:
        has_side = game_map.has_side  # type: ignore[attr-defined]
        rivers = {h: sum(1 << a for a in members(near) if has_side("river", a, h)) for h, near in around.items()}
        found = _RIVERS[key] = (game_map, {h: mask for h, mask in rivers.items() if mask})
    return found[1]


_RIVERS: dict[int, tuple[object, dict[Hex, HexMask]]] = {}


PROSPECT = LeningradProspect
