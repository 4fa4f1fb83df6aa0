"""Air units and the fleet: simple rules, no search (12.0, 13.0)."""

from __future__ import annotations

from collections.abc import Sequence

from ....games.assault.air import highest_disrupting
from ....games.assault.figures import GERMAN
from ....games.assault.fleet import shots
from ....games.assault.pending import Victim
from ....hexes import Hex, mask_of, members
from ....kernel.orders import END, Order
from ...words import Reason, because
from .battle import SUPPORT
from .concentrate import Assembly
from .picture import Force, Picture

KEPT = 3
"""Air units to keep for ground support."""


def bomb(picture: Picture) -> tuple[Order, Reason]:
    """Bomb whoever bombs are likely to pin down and whom it hurts; keep the rest for the attacks."""
    pos = picture.pos
    if not pos.air:
        return END, "Every air unit has its target"
    best = max(((_bombed(picture, h), h) for h in members(picture.them.occupied)), default=None)
    spare = pos.air > KEPT or picture.side != GERMAN
    if best is None or best[0] * picture.much("bombs") < (0.6 if spare else 1.2):
        return END, "The air units are kept for the attacks"
    number = picture.ground.number(best[1])
    return Order("bomb", (), (number,)), lambda say: f"Bombs {say.enemy_at(number)}, to pin them down"


def prepare(picture: Picture, storms: Sequence[Assembly]) -> tuple[Order, Reason]:
    """Each air unit where it helps most: before an attack that is being set up, over it, or on others who are to be
    pinned down."""
    pos = picture.pos
    uses = [(storm.helped, -1) for storm in storms if storm.helped >= SUPPORT]
    softened = {storm.target: _softened(picture, storm) for storm in storms}
    for h in members(picture.them.occupied & ~picture.ground.capital):
        uses.append((softened.get(h, 0.0) + picture.much("bombs") * _bombed(picture, h), h))
    best = [use for use in sorted(uses, reverse=True)[: pos.air] if use[1] >= 0 and use[0] > 0]
    if not best:
        return END, "The air units are kept for the attacks"
    _, h = best[0]
    number = picture.ground.number(h)
    return Order("bomb", (), (number,)), lambda say: f"Bombs {say.enemy_at(number)}, to pin them down"


def _softened(picture: Picture, storm: Assembly) -> float:
    """What bombs bring on those who are to be attacked: a hit halves them, and they cannot fall back (12.42)."""
    units = [i for stand in storm.stands for i in stand.body.units]
    attack, rank = sum([stand.body.attack for stand in storm.stands]), min(stand.body.rank for stand in storm.stands)
    force = Force(attack, rank, mask_of(stand.hex for stand in storm.stands))
    closed = picture.grid.ring(force.hexes) | force.hexes
    before = picture.value(storm.target, force, units, closed)
    after = picture.value(storm.target, force._replace(attack=2 * attack), units, -1)
    return _chance(picture, storm.target) * max(0.0, after - before)


def _chance(picture: Picture, h: Hex) -> float:
    """How likely another air unit is to pin those in a hex down who are not so yet (12.35)."""
    pos, number = picture.pos, picture.ground.number(h)
    hit = highest_disrupting(pos, h) / 6
    missed = 1.0
    for target in pos.bombs:
        missed *= 1 - hit if target.hex == number else 1.0
    return hit * missed


def _bombed(picture: Picture, h: Hex) -> float:
    """What bombs on a hex promise: a pinned defender beside us, or strength that cannot move."""
    pos = picture.pos
    near = picture.grid.within(1 << h, 2) & picture.us.body
    if not near or picture.ground.capital >> h & 1:
        return 0.0
    chance = _chance(picture, h)
    force = sum(picture.factor(i) for i in pos.stacks[h] if not pos.is_disrupted(i))
    if picture.side != GERMAN:
        return chance * 0.4 * force
    ours = sum(picture.factor(i) for at in members(near) for i in pos.stacks[at])
    if ours < 6.0:
        return 0.0
    return chance * (0.4 * picture.worth(h) + 0.35 * force)


def victim(picture: Picture) -> tuple[Order, Reason]:
    """The strongest unit of the city hex that was hit (12.44)."""
    pos = picture.pos
    assert isinstance(pos.pending, Victim)
    best = max(pos.legal, key=lambda o: (picture.factor(pos.index[o.units[0]]), o.units))
    return best, because(best, "the strongest there")


def fire(picture: Picture) -> tuple[Order, Reason]:
    """The fleet's guns: on an enemy we are about to strike, or before the hex that is most in danger (13.4, 13.5)."""
    pos, grid = picture.pos, picture.grid
    best, top = END, 0.0
    for order in shots(pos):
        h = grid.hex(order.hexes[0])
        if pos.phase.id == "soviet-naval-fire":
            ours = sum(picture.factor(i) for at in members(grid.ring(1 << h) & picture.us.body) for i in pos.stacks[at])
            value = ours / max(picture.defence(h, 0)[0], 0.5)
        else:
            value = picture.threat(h) * picture.worth(h)
        if value > top:
            best, top = order, value
    if best == END:
        return END, "There is nothing for the guns"
    aimed = best
    return aimed, lambda say: f"Lays the guns on {say.enemy_at(aimed.hexes[0])}: there they help most"
