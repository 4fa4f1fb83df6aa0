"""Prospects: the final margin to expect of a position, and what a die gave above its mean, for who thinks ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ....games.assault.arrivals import in_cup
from ....games.assault.figures import GERMAN, SOVIET
from ....games.assault.marches import distances
from ....games.assault.pending import Draw, Roll
from ....games.assault.victory import city_relieved, gate_open
from ....kernel.orders import Order
from ...judgement import on_turn
from ...lay import FAR
from .odds import SURE
from .picture import Picture, force_of

if TYPE_CHECKING:
    from ....games.assault.position import AssaultPosition

WIN = 20.0
"""What the game itself is worth beyond its points."""
DRAWN = 0.7
"""What a factor of strength is worth to the Soviets when it is drawn from the cup."""
NEAR, MIDDLE, APPROACH, BESIDE = 6.0, 15.0, 15.0, 3
"""Movement points from the key points and from other cities at which Germans begin to count; how many lead."""


class Weights(NamedTuple):
    """What things are worth to the Germans in points of the final margin."""

    points: float
    """A point of the margin as it stands."""
    front: float
    """A factor of Soviet strength outside the city ..."""
    city: float
    """... and in it."""
    workers: float
    """A factor of workers."""
    fed: float
    """A factor of German strength in supply ..."""
    hungry: float
    """... or out of it."""
    near: float
    """A factor of German strength at the key points, less the further away ..."""
    middle: float
    """... or within some days' march."""
    approach: float
    """A point of a city not yet taken next to which Germans stand, less the further away."""
    lead: float
    """A movement point between the foremost Germans and the key points."""
    works: float
    """Works that the Soviets man."""
    inside: float
    """A German unit in the city in supply."""
    keys: float
    """A key point with Soviets in it."""
    gate: float
    """That the bridgehead is cut off, besides the points as they stand (19.93)."""
    relieved: float
    """That the city has a way out to the east and no German in it (17.12)."""


WEIGHTS: Mapping[str, tuple[tuple[int, Weights], ...]] = {
    "decisive-and-points": (
        (4, Weights(0.8, -2.0, -0.3, -0.8, 0.1, -1.2, 0.3, 0.6, 1.0, -4.5, -4.0, 0.0, 0.0, 0.0, 0.0)),
        (8, Weights(1.0, -1.5, -0.2, -1.2, 0.1, -1.2, 0.5, 0.6, 1.5, -4.2, -3.0, 0.0, 0.0, 0.0, 0.0)),
        (12, Weights(1.1, -1.2, -0.3, -1.0, 0.2, -1.2, 0.4, 0.6, 1.4, -3.3, -2.3, 0.0, 0.0, 0.0, 0.0)),
        (16, Weights(1.0, -0.8, -0.8, -0.6, 0.1, -1.2, 0.6, 0.8, 0.8, -1.8, -1.0, 1.0, 0.0, 0.0, -2.0)),
        (20, Weights(1.0, -0.5, -1.1, -1.0, 0.0, -1.0, 0.5, 0.6, 0.4, -0.3, 0.0, 2.0, 0.0, 0.0, -5.0)),
        (24, Weights(1.0, -0.4, -1.0, -0.9, 0.0, -0.8, 0.3, 0.2, 0.3, -0.2, 0.0, 2.0, 0.0, 0.0, -12.0)),
    ),
    "points-only": (
        (3, Weights(0.30, -0.8, -0.75, -0.5, 0.65, 0.2, 0.1, 0.15, 0.0, -0.3, 0.0, 0.5, 0.0, -2.0, 0.0)),
        (6, Weights(0.30, -0.55, -0.5, -0.5, 0.75, 0.3, 0.1, 0.15, 0.0, 0.0, 0.0, 1.2, 0.0, -3.0, 0.0)),
        (9, Weights(0.35, -0.4, -0.7, -0.5, 0.65, 0.4, 0.1, 0.1, 0.0, -0.5, 0.0, 1.7, -1.5, -3.0, 0.0)),
        (12, Weights(0.40, -0.2, -0.75, -0.5, 0.6, 0.4, 0.0, 0.15, 0.0, 0.0, 0.0, 0.8, -2.5, -3.0, 0.0)),
        (15, Weights(0.40, -0.1, -0.6, -0.5, 0.45, 0.35, 0.0, 0.1, 0.0, 0.0, 0.0, 1.1, -1.8, 3.0, 0.0)),
        (18, Weights(0.55, -0.1, -0.35, -0.5, 0.3, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 1.7, -1.5, 8.0, 0.0)),
    ),
}
"""For each rule of victory weights at some turns, from a regression of final margins over games between staffs. What
hunger costs where losses score is judged: staffs seldom let a corps starve, so that their games do not tell."""


def margin(pos: AssaultPosition) -> float:
    """The final margin to expect for the Germans, with something for the game itself."""
    outcome = pos.outcome
    standing = outcome or pos.standing
    points = sum(float(e.points) * (1 if e.side == "german" else -1) for e in standing.ledger)
    if outcome is not None:
        return points + (0.0 if outcome.winner is None else WIN if outcome.winner == "german" else -WIN)
    return _prospects(pos, points)


def _prospects(pos: AssaultPosition, points: float) -> float:
    ground, victory = pos.ground, pos.game.scenario.victory
    worth = on_turn(WEIGHTS[victory.rule], pos.turn)
    city = ground.capital | ground.interior
    far = distances(ground, GERMAN, "infantry", ground.key_points)
    total, ways = worth.points * points, []
    for index in range(len(pos.roster)):
        unit, h = pos.roster[index], pos.where[index]
        if h < 0 or unit.is_naval or unit.is_hq or unit.is_guerrilla:
            continue
        combat = unit.face(pos.steps[index]).combat
        if unit.side == SOVIET:
            share = worth.workers if unit.is_worker else worth.city if city >> h & 1 else worth.front
            total += share * combat
            continue
        away = far.get(h, FAR)
        ways.append((away, h))
        total += combat * (worth.near * max(0.0, 1 - away / NEAR) + worth.middle * max(0.0, 1 - away / MIDDLE))
        if pos.is_out(index):
            total += worth.hungry * combat
        else:
            total += worth.fed * combat + worth.inside * (ground.interior >> h & 1)
    ways.sort()
    total += worth.lead * (ways[min(BESIDE, len(ways) - 1)][0] if ways else 2 * MIDDLE)
    total += worth.works * (pos.lay(SOVIET).occupied & ground.fort).bit_count()
    total += worth.keys * (pos.lay(SOVIET).occupied & ground.key_points).bit_count()
    if worth.gate and victory.gate in ground.grid and not gate_open(pos):
        total += worth.gate
    if worth.relieved and city_relieved(pos):
        total += worth.relieved
    return total + worth.approach * _approach(pos, [h for _, h in ways])


def _approach(pos: AssaultPosition, germans: Sequence[int]) -> float:
    """Points of cities that are not taken yet, as far as Germans have come near."""
    ground, found = pos.ground, 0.0
    for city in pos.game.scenario.victory.cities:
        h = ground.grid.hex(city.hex) if city.hex in ground.grid else -1
        if h < 0 or (pos.german_held | pos.forfeited) >> h & 1:
            continue
        far = distances(ground, GERMAN, "infantry", 1 << h)
        away = min((far.get(at, FAR) for at in germans), default=FAR)
        found += city.points * max(0.0, 1 - away / APPROACH)
    return found


def luck(pos: AssaultPosition, roll: Order, side: int) -> float:
    """What the die of an attack or a draw gives a side above the mean of all (10.21, 19.72)."""
    state = pos.pending
    if isinstance(state, Draw):
        drawn, cup = pos.roster[pos.index[roll.units[0]]], in_cup(pos)
        above = DRAWN * (drawn.faces[0].combat - sum(pos.roster[i].faces[0].combat for i in cup) / len(cup))
        return above if side == SOVIET else -above
    if not isinstance(state, Roll) or len(state.hexes) != 1:
        return 0.0
    picture = Picture(pos, pos.side)
    h, units = picture.grid.hex(state.hexes[0]), [pos.index[name] for name in state.units]
    force = force_of(picture, units)
    found = picture.outcomes(h, force)
    if not found or found == SURE:
        return 0.0
    above = picture.result(h, units, picture.rolled(h, force, int(roll.words[0]))) - picture.value(h, force, units)
    return above if pos.side == side else -above
