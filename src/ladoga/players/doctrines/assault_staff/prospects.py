"""Prospects: the final margin to expect of a position, and what a die gave above its mean, for who thinks ahead."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ....games.assault.arrivals import in_cup
from ....games.assault.figures import GERMAN, SOVIET
from ....games.assault.marches import distances
from ....games.assault.pending import Draw, Roll
from ....games.assault.supply import lines
from ....games.assault.victory import city_relieved, gate_open
from ....kernel.orders import Order
from ...judgement import Line, judged, on_turn, table, weighed
from ...lay import FAR
from .odds import SURE
from .picture import Picture, force_of

if TYPE_CHECKING:
    from ....games.assault.position import AssaultPosition

WIN = 20.0
"""What the game itself is worth beyond its points."""
DRAWN = 0.35
"""What a factor of strength is worth to the Soviets when it is drawn from the cup."""
STAYS = {"decisive-and-points": 1.0, "points-only": 0.25}
"""What part of what a die gave, as the staff prices it, is left in the final margin: where losses score, all of it."""
NEAR, MIDDLE, APPROACH, BESIDE = 6.0, 15.0, 15.0, 3
"""Movement points from the key points and from other cities at which Germans begin to count; how many lead."""


class Measures(NamedTuple):
    """What is seen of a position; or what each of it is worth to the Germans, in points of the final margin."""

    points: float
    """The margin as it stands."""
    front: float
    """Factors of Soviet strength outside the city ..."""
    city: float
    """... and in it."""
    workers: float
    """Factors of workers."""
    cut: float
    """Factors of Soviet strength out of supply, besides."""
    fed: float
    """Factors of German strength in supply ..."""
    hungry: float
    """... or out of it ..."""
    orphaned: float
    """... and those, besides, whose headquarters is lost or cut off."""
    near: float
    """Factors of German strength at the key points, less the further away ..."""
    middle: float
    """... or within some days' march."""
    approach: float
    """Points of cities not yet taken next to which Germans stand, less the further away."""
    lead: float
    """Movement points between the foremost Germans and the key points."""
    works: float
    """Works that the Soviets man."""
    inside: float
    """German units in the city in supply."""
    keys: float
    """Key points with Soviets in them."""
    gate: float
    """That the bridgehead is cut off, besides the points as they stand (19.93)."""
    relieved: float
    """That the city has a way out to the east and no German in it (17.12)."""


@cache
def weights_of(game_id: str) -> tuple[tuple[int, Measures], ...]:
    """The weights of a game at some turns: a file a game in ``tuning/judgement``, which says how they were fitted."""
    return table(Measures, judged(game_id, dict[str, Line]))


def margin(pos: AssaultPosition) -> float:
    """The final margin to expect for the Germans, with something for the game itself."""
    if pos.outcome is not None:
        winner = pos.outcome.winner
        return _points(pos) + (0.0 if winner is None else WIN if winner == "german" else -WIN)
    return weighed(on_turn(weights_of(pos.game.id), pos.turn), measures(pos))


def _points(pos: AssaultPosition) -> float:
    standing = pos.outcome or pos.standing
    return sum(float(e.points) * (1 if e.side == "german" else -1) for e in standing.ledger)


def measures(pos: AssaultPosition) -> Measures:
    """What is seen of a position."""
    ground, victory = pos.ground, pos.game.scenario.victory
    city = ground.capital | ground.interior
    far = distances(ground, GERMAN, "infantry", ground.key_points)
    commanded, red = lines(pos).german, pos.lay(SOVIET).occupied
    front = inner = workers = cut = fed = hungry = orphaned = near = middle = inside = 0.0
    ways = []
    for index in range(len(pos.roster)):
        unit, h = pos.roster[index], pos.where[index]
        if h < 0 or unit.is_naval or unit.is_hq or unit.is_guerrilla:
            continue
        combat, out = unit.face(pos.steps[index]).combat, pos.is_out(index)
        if unit.side == SOVIET:
            cut += combat * out
            if unit.is_worker:
                workers += combat
            elif city >> h & 1:
                inner += combat
            else:
                front += combat
            continue
        away = far.get(h, FAR)
        ways.append((away, h))
        near += combat * max(0.0, 1 - away / NEAR)
        middle += combat * max(0.0, 1 - away / MIDDLE)
        orphaned += combat * (unit.corps not in commanded)
        hungry += combat * out
        fed += combat * (not out)
        inside += ground.interior >> h & 1 and not out
    ways.sort()
    lead = ways[min(BESIDE, len(ways) - 1)][0] if ways else 2 * MIDDLE
    approach = _approach(pos, [h for _, h in ways])
    shut = victory.gate in ground.grid and not gate_open(pos)
    relieved = victory.decisive and city_relieved(pos)
    return Measures(
        _points(pos), front, inner, workers, cut, fed, hungry, orphaned, near, middle, approach, lead,
        (red & ground.fort).bit_count(), inside, (red & ground.key_points).bit_count(), float(shut), float(relieved),
    )  # fmt: skip


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
    above *= STAYS[pos.game.scenario.victory.rule]
    return above if pos.side == side else -above
