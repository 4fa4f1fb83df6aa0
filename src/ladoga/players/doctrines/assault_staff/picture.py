"""The picture: a position read once for one side, with what units, ground and attacks are worth to it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ....games.assault.combat import river_multiple, terrain_multiple
from ....games.assault.figures import GERMAN, RANKS, SOVIET
from ....games.assault.marches import distances, free_reach
from ....games.assault.movement import enemy_fringe, reach_of
from ....games.assault.results import retreat_hexes
from ....games.assault.supply import open_ground
from ....games.assault.zones import excess
from ....hexes import Grid, Hex, HexMask, members
from ....kernel.data import load
from ....kernel.flood import zone
from ...lay import FAR
from ...threats import Threats
from .odds import ALL, Roll, rolled, rolls

if TYPE_CHECKING:
    from ....games.assault.figures import Unit
    from ....games.assault.position import AssaultPosition

SWAY = 0.5
"""How strongly a factor of strength counts beside a victory point ..."""
RED_SWAY = 1.0
"""... a Soviet one: when the divisions are gone the city falls ..."""
LASTING = 1.0
"""... and a German one where losses bring no points: it can do as little to replace them."""
HEADQUARTERS, ORPHANED = 5.0, 0.08
"""What a headquarters is worth, and what a factor of its corps loses each turn until another has come up."""
MARCH = 6.0
"""Movement points of such a turn."""
GUERRILLA = 4.0
"""What a guerrilla is worth: four together can starve an army."""
ALARM = (1.4, 0.8)
"""Odds from which a German and a Soviet unit fear to be attacked: class tells in favour of the first."""
GIVING_WAY = 0.4
"""What it costs each unit to fall back a hex."""
LASTS = (0.15, 0.3, 0.5, 0.65, 0.8, 0.9)
"""How much strength still counts on the last turn, the one before, and so on."""
COUNTS = (1.0, 0.8, 0.6, 0.45, 0.35, 0.3)
"""How much of a place's points one turn's possession of it is worth then."""


AIM = "@"
"""What stands before the number of a hex among the words of a temper: so much more the hex is worth."""


@cache
def natures(game_id: str) -> tuple[dict[str, float], dict[str, float]]:
    """How the staff of each side fights: what it multiplies its weights by, whatever temper comes on top of that."""
    kept: dict[str, dict[str, dict[str, float]]] = load(
        Path(__file__).with_name("natures.yaml"), dict[str, dict[str, dict[str, float]]]
    )
    found = kept[game_id]
    return found["german"], found["soviet"]


class Force(NamedTuple):
    """Strength of an attack: factors, lowest class, and the hexes it comes from."""

    attack: float
    rank: int
    hexes: HexMask


class Quarry(NamedTuple):
    """What does not change with the hexes that are closed to those in a hex."""

    ways: list[HexMask]
    """Where each may retreat."""
    steps: list[float]
    """What their steps are worth, the cheapest first."""
    whole: float
    """What all of them are."""
    ground: float
    """What the hex is."""


class Picture:
    """A position as one side sees it."""

    def __init__(
        self, pos: AssaultPosition, side: int, bias: Mapping[str, float] | None = None, *, natural: bool = True
    ) -> None:
        self.pos, self.side, self.enemy = pos, side, 1 - side
        self.game, self.ground, self.grid = pos.game, pos.ground, pos.ground.grid
        self.us, self.them = pos.lay(side), pos.lay(1 - side)
        self.decisive = pos.game.scenario.victory.decisive
        """Whether leaving no Soviet in the city wins the game (17.11)."""
        self.temper = dict(bias or {})
        nature = natures(self.game.id)[side] if natural else {}
        self.bias = {word: nature.get(word, 1.0) * (bias or {}).get(word, 1.0) for word in {*nature, *(bias or {})}}
        self.aims: dict[Hex, float] = {
            self.grid.hex(word[1:]): more for word, more in (bias or {}).items() if word[0] == AIM
        }
        """Hexes that are worth more, or less, than at first sight."""
        left = max(0, self.game.turns - pos.turn)
        self.rest: float = LASTS[left] if left < len(LASTS) else 1.0
        """How much of the game is left, as far as strength counts."""
        self.lasting: float = self.rest ** self.much("lasting")
        """How much strength counts now that is lost for the rest of the game."""
        self.counting: float = COUNTS[min(left, len(COUNTS) - 1)] ** self.much("counting")
        """How much it counts now who has a place that scores at the end."""
        self._worths: dict[Hex, float] = {}
        self._prices: dict[tuple[int, int], float] = {}
        self._threatened: dict[Hex, float] = {}
        self._commands: dict[int, float] = {}
        self._quarries: dict[Hex, Quarry] = {}

    def much(self, word: str) -> float:
        """What a weight of the staff is multiplied by in this temper."""
        return self.bias.get(word, 1.0)

    # Units ----------------------------------------------------------------------------------------

    def of(self, side: int) -> list[int]:
        """Ground units of a side on the map."""
        pos = self.pos
        return [i for i in pos.order_of_battle[side] if pos.where[i] >= 0 and not pos.roster[i].is_naval]

    def factor(self, index: int) -> float:
        """Combat factor of a unit in an attack (11.23)."""
        pos = self.pos
        combat = pos.roster[index].faces[-pos.steps[index]].combat
        return combat / 2 if pos.is_out(index) else float(combat)

    def rank(self, index: int) -> int:
        """Class of a unit, 2 for A."""
        return RANKS[self.pos.grade(index)]

    def price(self, index: int, steps: int = 1) -> float:
        """What it costs the owner to lose so many steps of a unit: points and strength (17.23)."""
        known = self._prices.get((index, steps))
        if known is None:
            known = self._prices[index, steps] = self._price(index, steps)
        return known

    def _price(self, index: int, steps: int) -> float:
        pos, unit = self.pos, self.pos.roster[index]
        care = self.much("thrift" if unit.side == self.side else "sway")
        if unit.side == self.side and care > 1.0:
            care = math.pow(care, self._fading)
        if unit.is_hq:
            return self.headquarters(index) * (care if unit.side == self.side else self.much("hunt"))
        if unit.is_guerrilla:
            return GUERRILLA * (care if unit.side != self.side else 1.0)
        left = pos.steps[index]
        scored = self.scored(index) if left <= steps else 0.0
        lost = unit.face(left).combat - (unit.face(left - steps).combat if left > steps else 0)
        return (lost * self._per_factor(unit) + (0.5 if left <= steps else 0.0)) * care + scored

    def scored(self, index: int) -> float:
        """What points go with a unit if it is gone from where it stands (19.91, 19.92)."""
        pos, victory, h = self.pos, self.game.scenario.victory, self.pos.where[index]
        found = self.inside(h) if pos.roster[index].side == GERMAN else 0.0
        if victory.unit_in_city and h >= 0 and self.ground.key_points >> h & 1 and len(pos.stacks[h]) == 1:
            found += victory.key_point * self.counting
        return found

    @cached_property
    def _fading(self) -> float:
        """How far men are spared beyond their price: near the end, where losses bring no points, no more."""
        victory = self.game.scenario.victory
        return 1.0 if victory.mechanized_factor or victory.infantry_factor else self.rest

    def headquarters(self, index: int) -> float:
        """What a headquarters is worth: until another comes up from the edge its corps goes hungry (11.36)."""
        known = self._commands.get(index)
        if known is None:
            pos, ground = self.pos, self.ground
            corps = pos.roster[index].corps
            strength = sum(
                self.factor(i) for i in self.of(GERMAN) if pos.roster[i].corps == corps and not pos.roster[i].is_hq
            )
            field = distances(ground, GERMAN, "infantry", ground.entries & ground.german_exits)
            back = field.get(ground.fringe_of.get(pos.where[index], pos.where[index]), MARCH) / MARCH
            known = HEADQUARTERS + ORPHANED * strength * min(back, pos.game.turns - pos.turn)
            self._commands[index] = known
        return known

    def _per_factor(self, unit: Unit) -> float:
        """What a factor of strength is worth to its owner (17.23)."""
        victory = self.game.scenario.victory
        if unit.side == SOVIET:
            return RED_SWAY * self.lasting
        points = victory.mechanized_factor if unit.mechanized else victory.infantry_factor
        return points + SWAY * self.lasting if points else LASTING * self.lasting

    # Ground ---------------------------------------------------------------------------------------

    @cached_property
    def stakes(self) -> dict[Hex, float]:
        """Hexes that count at the end, with the points that they move from side to side (17.22, 19.9)."""
        victory, ground = self.game.scenario.victory, self.ground
        found = {self.grid.hex(city.hex): 2.0 * city.points for city in victory.cities if city.hex in self.grid}
        inside = 2.0 * victory.key_point + victory.unit_in_city
        found.update(dict.fromkeys(members(ground.key_points), inside))
        if victory.gate in self.grid:
            found[self.grid.hex(victory.gate)] = 2.0 * victory.gate_points
        return found

    @cached_property
    def gate(self) -> HexMask:
        """The enemy's bridgehead, cut off as long as one of ours stands in it (19.93); nothing where none counts."""
        return self.grid.mask(number for number in [self.game.scenario.victory.gate] if number in self.grid)

    def worth(self, h: Hex) -> float:
        """What it is worth to have a hex rather than to leave it to the enemy: near the end, what scores."""
        known = self._worths.get(h)
        if known is None:
            known = 1.0
            if self.ground.interior >> h & 1:
                known += 0.6
            if self.ground.line_hexes >> h & 1:
                known += 0.8 * self.much("rails")
            if self.ground.fort >> h & 1:
                known += 0.6 * self.much("works")
            known *= self.lasting * self.much("ground")
            scored = 0.0 if h in self.stakes else self.inside(h)
            known += self.counting * self.stakes.get(h, 0.0) * self.much("keys") + scored + self.aims.get(h, 0.0)
            self._worths[h] = known
        return known

    def together(self, h: Hex) -> HexMask:
        """A hex and those that are the same place on the other map: one body stands there (8.37)."""
        main = self.ground.fringe_of.get(h, h)
        return 1 << main | self.ground.links.get(main, 0) | 1 << h

    def squeezed(self, index: int, h: Hex) -> float:
        """What it costs that a unit ends its side's player-turn in a hex: the cheapest of those there, if there is no
        room for all when the fringe of the inset is cleared (8.37)."""
        pos = self.pos
        if pos.side != self.side or not self.ground.linked >> h & 1:
            return 0.0
        others = [i for at in members(self.together(h)) for i in pos.stacks.get(at, ()) if i != index]
        crowd = [pos.index[unit.id] for unit in excess(pos.roster[i] for i in (index, *others))]
        return min([self.price(i, pos.steps[i]) for i in crowd], default=0.0)

    def inside(self, h: Hex) -> float:
        """What it is worth that a German unit stands in a hex of the city (19.91)."""
        scores = h >= 0 and self.ground.interior >> h & 1
        return self.game.scenario.victory.unit_in_city * self.counting if scores else 0.0

    def shelter(self, h: Hex, side: int) -> float:
        """What the ground multiplies a defender by."""
        return float(terrain_multiple(self.pos, h, side)[0])

    # Attacks --------------------------------------------------------------------------------------

    def defence(self, h: Hex, attackers: HexMask) -> tuple[float, int]:
        """Strength and best class of those who defend a hex against attackers from some hexes."""
        pos, total, best = self.pos, 0.0, -1
        stack = [i for i in pos.stacks.get(h, ()) if not pos.has_retreated(i)]
        over_river = river_multiple(pos, h, attackers) if attackers else 1
        for i in stack:
            unit = pos.roster[i]
            factor = float(unit.faces[-pos.steps[i]].combat)
            if unit.is_hq:
                factor = 1.0 if len(stack) == 1 else 0.0
            if unit.type not in self.ground.book.plain_defenders:
                factor *= self.shelter(h, unit.side) * over_river
            factor *= (0.5 if pos.is_out(i) else 1.0) * (0.5 if pos.is_disrupted(i) else 1.0)
            total += factor
            best = max(best, self.rank(i))
        if pos.fire_on == h and self.enemy == SOVIET:
            total += self.game.tables.fleet_strength
        return total, best

    def shift(self, rank: int, best: int, h: Hex) -> int:
        """Die modifier by class and air support (10.41, 12.52)."""
        names = "CBA"
        return self.game.tables.classes[names[rank]][names[best]] + (self.pos.support >> h & 1)

    def outcomes(self, h: Hex, force: Force, more: int = 0) -> tuple[Roll, ...]:
        """What may come of an attack on a hex."""
        attack, defence, shift = self._odds(h, force)
        return rolls(self.game, attack, defence, shift + more)

    def rolled(self, h: Hex, force: Force, die: int) -> Roll:
        """What one die brings in an attack on a hex, where the die decides."""
        return rolled(self.game, *self._odds(h, force), die)

    def _odds(self, h: Hex, force: Force) -> tuple[float, float, int]:
        """Strength of both sides in an attack on a hex, and the die modifier."""
        defence, best = self.defence(h, force.hexes)
        attack = force.attack
        if self.pos.fire_on == h and self.side == SOVIET:
            attack += self.game.tables.fleet_strength
        return attack, defence, self.shift(force.rank, best, h)

    def value(self, h: Hex, force: Force, units: Sequence[int], closed: HexMask = 0, more: int = 0) -> float:
        """What an attack brings on average; minus infinity where it may not be made.

        ``closed`` are hexes that our zones will cover by then, ``more`` a further die modifier."""
        found = self.outcomes(h, force, more)
        if not found:
            return -FAR
        prey = Prey(self, h, closed)
        toll, whole = self._toll(units)
        return sum(roll.chance * self._result(roll, prey, toll, whole) for roll in found)

    def _toll(self, units: Sequence[int]) -> tuple[list[float], float]:
        """What it costs attackers to lose one step after the other, the cheapest first, and all."""
        steps = self.pos.steps
        return sorted(self.price(i) for i in units) * 3, sum([self.price(i, steps[i]) for i in units])

    def quarry(self, h: Hex) -> Quarry:
        """Those in a hex, read once."""
        known = self._quarries.get(h)
        if known is None:
            pos = self.pos
            stack = pos.stacks[h]
            steps = sorted(self.price(i, n) - (self.price(i, n - 1) if n > 1 else 0.0)
                           for i in stack for n in range(1, pos.steps[i] + 1) if not pos.roster[i].is_hq)  # fmt: skip
            whole = sum(self.price(i, pos.steps[i]) for i in stack)
            known = Quarry([retreat_hexes(pos, i) for i in stack], steps, whole, self.worth(h))
            self._quarries[h] = known
        return known

    def result(self, h: Hex, units: Sequence[int], roll: Roll) -> float:
        """What one result of an attack brings."""
        return self._result(roll, Prey(self, h, 0), *self._toll(units))

    def _result(self, roll: Roll, prey: Prey, toll: list[float], whole: float) -> float:
        """What one result is worth when both sides take it as it suits them (10.25, 10.26)."""
        if roll.attacker == ALL:
            return -whole
        if not roll.attacker:
            return prey.gain(roll.defender)
        bleed = prey.gain(roll.defender) - sum(toll[: roll.attacker])
        fall_back = prey.stand(roll.defender) - sum(toll[: roll.attacker - 1]) - GIVING_WAY * self.much("yield")
        return max(bleed, fall_back)

    # Danger ---------------------------------------------------------------------------------------

    @cached_property
    def _threats(self) -> Threats:
        """How far each enemy unit strikes and how hard."""
        pos, arms = self.pos, []
        for i in self.of(self.enemy):
            unit = pos.roster[i]
            if unit.is_hq or pos.is_disrupted(i):
                continue
            fixed = unit.is_worker or pos.is_out(i) or (unit.side == SOVIET and pos.turn <= pos.frozen(unit.id))
            reach = 1 if unit.is_worker else 2 if fixed else 4 if unit.mechanized else 3
            arms.append((self.grid.within(1 << pos.where[i], reach), self.factor(i)))
        return Threats(arms, room=4)

    def threat(self, h: Hex) -> float:
        """Strength that the enemy could bring against a hex in his next turn."""
        known = self._threatened.get(h)
        if known is None:
            known = self._threatened[h] = self._threats.at(h)
        return known

    @cached_property
    def _sweeps(self) -> tuple[HexMask, HexMask, HexMask]:
        """Where the enemy could come next to us in his turn, roads used, and what he could have in his zones, with
        anybody and without guerrillas."""
        pos, beside, covered, firmly = self.pos, 0, 0, 0
        for i in self.of(self.enemy):
            unit = pos.roster[i]
            if unit.is_hq or pos.is_disrupted(i):
                continue
            reach = 1 << pos.where[i] | (0 if unit.is_worker else reach_of(pos, i).hexes)
            ring = self.grid.ring(reach)
            beside |= ring
            zoned = reach | (ring if self.rank(i) else 0)
            covered |= zoned
            firmly |= 0 if unit.is_guerrilla else zoned
        return beside, covered, firmly

    @property
    def swept(self) -> HexMask:
        """Hexes that the enemy could attack in his turn."""
        return self._sweeps[0]

    @cached_property
    def prone(self) -> HexMask:
        """Hexes that the enemy could attack in his turn if nobody were in his way."""
        pos, found = self.pos, 0
        for i in self.of(self.enemy):
            unit = pos.roster[i]
            if not unit.is_hq and not unit.is_worker and not pos.is_disrupted(i):
                found |= free_reach(self.ground, unit.side, unit.column, unit.movement, pos.where[i])
        return found

    @property
    def cuttable(self) -> HexMask:
        """Hexes that the enemy could bring under his zones in his turn."""
        return self._sweeps[1]

    @property
    def barrable(self) -> HexMask:
        """Those of them that somebody could bar who is not driven off as easily as guerrillas."""
        return self._sweeps[2]

    def risk(self, h: Hex, held: float, stakes: float) -> float:
        """What is likely to be lost in a hex held with some strength before our next turn."""
        threat = self.threat(h)
        if not threat:
            return 0.0
        odds = threat / max(held * self.shelter(h, self.side), 0.5)
        return stakes * min(1.0, max(0.0, (odds - ALARM[self.side] * self.much("alarm")) / 3.0))

    # Supply ---------------------------------------------------------------------------------------

    @cached_property
    def open(self) -> HexMask:
        """Ground open to our supply (11.15)."""
        return open_ground(self.pos, self.side)

    def far_from(self, h: Hex, others: HexMask) -> float:
        """How many hexes a hex is from some others, up to ten."""
        around = 1 << h
        for distance in range(10):
            if around & others:
                return float(distance)
            around |= self.grid.ring(around)
        return 10.0

    def spread(self, seeds: HexMask, length: int, free: HexMask) -> HexMask:
        """Hexes within so many steps of some, along open ground."""
        ground = self.ground
        sides = ground.german_supply_sides if self.side == GERMAN else ground.soviet_supply_sides
        return spread(self.grid, seeds, length, free, sides)


def spread(grid: Grid, seeds: HexMask, length: int, free: HexMask, sides: Sequence[HexMask]) -> HexMask:
    """Hexes within so many steps of some, along open ground and across hexsides that let supply through."""
    reached = frontier = seeds
    for _ in range(length):
        frontier = zone(grid, frontier, sides) & free & ~reached
        if not frontier:
            break
        reached |= frontier
    return reached


class Prey:
    """Those in a hex that is to be attacked."""

    def __init__(self, picture: Picture, h: Hex, closed: HexMask) -> None:
        ways, self.steps, self.whole, self.ground = picture.quarry(h)
        self.trapped = any(not way & ~closed for way in ways)

    def gain(self, penalties: int) -> float:
        """What we gain if they take so many penalties, the cheaper way for them."""
        if not penalties:
            return 0.0
        if penalties >= len(self.steps):
            lost_all = self.whole + self.ground
            if self.trapped or penalties > len(self.steps):
                return lost_all
            return min(lost_all, sum(self.steps[: penalties - 1]) + self.ground)
        stay = sum(self.steps[:penalties])
        return stay if self.trapped else min(stay, sum(self.steps[: penalties - 1]) + self.ground)

    def stand(self, penalties: int) -> float:
        """What we gain after a retreat of ours: they need not take the first penalty (10.26)."""
        if penalties <= 1:
            return 0.0
        return self.whole + self.ground if penalties > len(self.steps) else sum(self.steps[: penalties - 1])


def attack_hexes(picture: Picture, h: Hex) -> HexMask:
    """Hexes from which a hex may be attacked and where no enemy stands."""
    return picture.pos.ground.attacked_from[h] & ~picture.them.occupied & ~enemy_fringe(picture.pos, picture.side)


def force_of(picture: Picture, units: Iterable[int], where: Mapping[int, Hex] | None = None) -> Force:
    """The strength of some units, from where they stand or are to stand."""
    attack, rank, hexes = 0.0, 2, 0
    for i in units:
        attack += picture.factor(i)
        rank = min(rank, picture.rank(i))
        hexes |= 1 << (where[i] if where is not None else picture.pos.where[i])
    return Force(attack, rank, hexes)
