"""Concentration: which bodies go where in a movement phase so that the attacks that follow are good ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ....games.assault.figures import GERMAN
from ....hexes import Hex, HexMask, mask_of, members
from .battle import SUPPORT, least_of
from .bodies import Body
from .odds import SURE
from .picture import Force, Picture, attack_hexes

OUT_OF_HAND = 1.0
"""What it costs a factor of strength to attack from a hex where the next supply check finds it cut off."""

SPARE = {"assault-leningrad": 0.1, "assault-stalingrad": 0.8}
"""What another body must add to an attack to be sent there too."""
LATER = 0.4
"""What part of the city's points a fast body gives up that attacks outside it first."""


class Stand(NamedTuple):
    """A body and the hex it is to attack from."""

    body: Body
    hex: Hex


class Assembly(NamedTuple):
    """An attack to be set up."""

    value: float
    target: Hex
    stands: tuple[Stand, ...]
    helped: float
    """What an air unit adds to it."""


class Concentration:
    """Attacks being set up, and the hexes that are taken."""

    def __init__(
        self, picture: Picture, bodies: Sequence[Body], taken: HexMask, fed: Callable[[Body, Hex], bool]
    ) -> None:
        self.picture = picture
        self.free = list(bodies)
        self.taken = taken
        """Hexes with a body that stays, and hexes linked to them on the other map."""
        self.fed = fed
        self.least = least_of(picture)
        self.sorties = picture.pos.support_left
        """Air units that can still be put over attacks (12.5)."""

    def take(self, body: Body, h: Hex) -> None:
        """A body is to stand in a hex."""
        self.free.remove(body)
        self.taken |= self.picture.together(h)

    def plan(self, most: int = 12) -> list[Assembly]:
        """The best attacks that can be set up, one after the other."""
        picture = self.picture
        anywhere = 0
        for body in self.free:
            anywhere |= body.reach
        near = picture.them.occupied & picture.grid.ring(anywhere) & ~picture.ground.capital
        known: dict[Hex, Assembly | None] = dict.fromkeys(members(near))
        stale = set(known)
        found: list[Assembly] = []
        while len(found) < most:
            for h in stale:
                known[h] = self._assembled(h)
            ready = [assembly for assembly in known.values() if assembly is not None]
            best = max(ready, key=lambda a: (a.value, -a.target), default=None)
            if best is None or best.value < self.least:
                break
            found.append(best)
            for stand in best.stands:
                self.take(stand.body, stand.hex)
            del known[best.target]
            if self.sorties and best.helped >= SUPPORT:
                self.sorties -= 1
                if not self.sorties:
                    stale = set(known)
                    continue
            used = {id(stand.body) for stand in best.stands}
            slots = mask_of(stand.hex for stand in best.stands)
            stale = {
                h for h, a in known.items()
                if a is not None and any(id(s.body) in used or slots >> s.hex & 1 for s in a.stands)
            }  # fmt: skip
        return found

    def _assembled(self, target: Hex) -> Assembly | None:
        """The best attack on a hex with the bodies that are free: strongest first, as long as it pays."""
        picture = self.picture
        slots = attack_hexes(picture, target)
        able = [body for body in self.free if body.attack and body.reach & slots]
        able.sort(key=lambda body: (-body.rank, -body.attack, body.units))
        stands: list[Stand] = []
        units: list[int] = []
        attack, rank, hexes, shut, price = 0.0, 2, 0, 0, 0.0
        best: Assembly | None = None
        for body in able:
            h = self._slot(body, target, body.reach & slots & ~shut)
            if h is None:
                continue
            stands.append(Stand(body, h))
            units += body.units
            shut |= picture.together(h)
            hexes |= 1 << h
            attack, rank = attack + body.attack, min(rank, body.rank)
            price += (
                0.0 if self.fed(body, h) else OUT_OF_HAND * body.attack * picture.much("supply") * picture.much("out")
            )
            price += self._forgone(body, h)
            closed = picture.grid.ring(hexes) | hexes
            force = Force(attack, rank, hexes)
            alone = value = picture.value(target, force, units, closed) - price
            sure = picture.outcomes(target, force) == SURE
            if self.sorties and not sure and not picture.pos.support >> target & 1:
                value = max(alone, picture.value(target, force, units, closed, 1) - price)
            if best is None or value > best.value + SPARE[picture.game.id] * picture.much("spare"):
                best = Assembly(value, target, tuple(stands), value - max(alone, 0.0))
            if sure:
                break
        return best

    def _forgone(self, body: Body, h: Hex) -> float:
        """What a German body gives up that could stand in the city; fast ones from outside may still go there after
        the fight."""
        picture = self.picture
        city = picture.ground.interior
        if picture.side != GERMAN or city >> h & 1 or not body.reach & city:
            return 0.0
        part = LATER if body.mechanized and not city & body.here else 1.0
        return picture.inside(next(members(city))) * part * picture.much("inside")

    def _slot(self, body: Body, target: Hex, open_slots: HexMask) -> Hex | None:
        """The best hex for a body to attack from: its own, else good ground that closes the way out."""
        picture = self.picture
        best, top = None, -99.0
        ring = picture.grid.ring(1 << target)
        for h in members(open_slots):
            if h != body.hex and self.taken >> h & 1:
                continue
            value = 0.5 if h == body.hex else 0.0
            value += 0.1 * picture.much("cover") * picture.shelter(h, picture.side) + (
                0.0 if self.fed(body, h) else -9.0
            )
            value += 0.15 * picture.much("close") * (picture.grid.ring(1 << h) & ring & ~picture.us.zone).bit_count()
            if any(sides[picture.grid.direction(target, h)] >> target & 1 for sides in picture.ground.rivers.values()):
                value -= 1.0
            if value > top:
                best, top = h, value
        return best
