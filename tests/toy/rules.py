"""The rules of the Marsh: two chapters and the sequence of play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from ladoga.hexes import Hex, HexMask, mask_of, members
from ladoga.kernel.chance import die
from ladoga.kernel.errors import LadogaError
from ladoga.kernel.events import Result
from ladoga.kernel.orders import Order
from ladoga.kernel.position import Entry, Explanation, Modifier, Outcome, Reached, Refusal, Trace
from ladoga.kernel.sequence import Action, Decision, Roll, Sequence, SequencedPosition
from ladoga.kernel.state import Own
from ladoga.kernel.table import Counter, Table

if TYPE_CHECKING:
    from .game import Marsh


class Leap(NamedTuple):
    """A beast on its way to a hex."""

    beast: int
    hex: Hex


class MarshPosition(SequencedPosition):
    """Where the beasts are, and which of them have acted in the prowl."""

    hexes: Own[list[Hex]]
    acted: int

    game: Marsh
    end_case = "4.0"

    def of(self, side: int) -> list[int]:
        """The beasts of a side that are left."""
        names, units, sides = self.game.names, self.game.units, self.game.sides
        return [b for b, name in enumerate(names) if units[name].side == sides[side] and self.hexes[b] >= 0]

    def held(self, side: int) -> HexMask:
        """Where they are."""
        return mask_of(self.hexes[b] for b in self.of(side))

    def next_to(self, beast: int) -> HexMask:
        """The hexes a beast could go to: next ones, on land, not over the brook (2.1, 2.3)."""
        h, grid = self.hexes[beast], self.map.grid
        brooks = self.map.sides["brook"]
        around = mask_of(n for d, n in enumerate(grid.neighbours(h)) if n >= 0 and not brooks[d] >> h & 1)
        return around & self.map.land

    # What the contract asks ---------------------------------------------------------------------

    @property
    def standing(self) -> Outcome:
        """Points so far (4.1)."""
        ledger = []
        for side, (name, home) in enumerate(zip(self.game.sides, ("nest", "den"), strict=True)):
            caught = sum(unit.side != name for unit in self.game.units.values()) - len(self.of(1 - side))
            visits = (self.held(side) & self.map.places[home]).bit_count()
            ledger += [Entry(name, caught, "Beasts caught", "4.1"), Entry(name, 2 * visits, f"In the {home}", "4.1")]
        margin = sum(int(e.points) * (1 if e.side == "fox" else -1) for e in ledger)
        winner = "fox" if margin > 0 else "heron" if margin < 0 else None
        return Outcome(winner, "victory" if winner else "draw", abs(margin), tuple(ledger), "4.1")

    def reach(self, units: Iterable[str] | str) -> Mapping[str, Reached]:
        """The next hexes that are free."""
        names = [units] if isinstance(units, str) else list(units)
        if any(name not in self.game.units for name in names):
            raise LadogaError(f"there is no beast {names[0]!r}")
        grid, beast = self.map.grid, self.game.names.index(names[0])
        if len(names) > 1 or self.hexes[beast] < 0:
            return {}
        free = self.next_to(beast) & ~self.held(0) & ~self.held(1)
        start = grid.number(self.hexes[beast])
        return {n: Reached(Fraction(0), (start, n), Fraction(1)) for n in map(grid.number, members(free))}

    def zoc(self, side: str) -> frozenset[str]:
        """Beasts have no zones."""
        return frozenset()

    def supply(self, unit: str) -> Trace:
        """Every beast finds its food."""
        return Trace(True)

    def _explained(self, order: Order) -> Explanation:
        if order.verb != "pounce":
            raise LadogaError(f"{order} is no attack")
        leap = leap_of(self, order)
        if isinstance(leap, Refusal):
            raise LadogaError(leap.message)
        bite, needed = self.game.units[self.game.names[leap.beast]].bite, need(self, leap.hex)
        hits = Fraction(max(0, min(6, 7 - needed + bite)), 6)
        results = tuple((code, p) for code, p in (("caught", hits), ("missed", 1 - hits)) if p)
        return Explanation(
            order, f"{order.units[0]} pounces on {order.hexes[0]}", modifiers=(Modifier("Bite", bite, "3.2"),),
            results=results, meaning={"caught": "the prey is gone", "missed": "the prey may answer"}, to_die=True,
        )  # fmt: skip

    def table(self) -> Table:
        """The beasts."""
        grid = self.map.grid
        return Table([
            Counter(
                name, unit.side, grid.number(self.hexes[b]) if self.hexes[b] >= 0 else "", name=name,
                figures=f"{unit.bite}-1", states=("moved",) if self.acted >> b & 1 else (),
            )
            for b, (name, unit) in enumerate(self.game.units.items())
        ])  # fmt: skip

    def document(self) -> dict[str, Any]:
        """The position as plain values."""
        grid, names = self.map.grid, self.game.names
        told: dict[str, Any] = {"game": self.game.id, "scenario": self.scenario, "turn": self.turn}
        told |= {"phase": self.phase.id} if self.agenda else {"over": True}
        placed = zip(names, self.hexes, strict=True)
        told["units"] = {name: {"hex": grid.number(h)} if h >= 0 else {} for name, h in placed}
        told["acted"] = [names[b] for b in members(self.acted)]
        if len(self.agenda) > 1:
            at, _, leap = self.agenda[0]
            told["pending"] = {"at": at, "beast": names[leap.beast], "hex": grid.number(leap.hex)}
        return told | ({"dice": list(self.dice)} if self.dice else {})


# Prowling (2) ---------------------------------------------------------------------------------------


def leap_of(p: MarshPosition, order: Order) -> Leap | Refusal:
    """One's own beast into a next hex (2.1): an empty one (2.2), or to pounce one with an enemy in it (3.1)."""
    name, number, side = order.units[0], order.hexes[0], p.agenda[-1].side
    beast = p.game.names.index(name) if name in p.game.names else -1
    if beast not in p.of(side):
        return Refusal("2.1", f"{name} is not a beast of yours in the marsh")
    if p.acted >> beast & 1:
        return Refusal("2.1", f"{name} has acted in this prowl")
    if number not in p.map.grid or not p.map.grid.adjacent(p.hexes[beast], p.map.grid.hex(number)):
        return Refusal("2.1", f"{number} is not next to {name}")
    h = p.map.grid.hex(number)
    if not p.next_to(beast) >> h & 1:
        return Refusal("2.3", f"water keeps {name} from {number}")
    if order.verb == "pounce" and not p.held(1 - side) >> h & 1:
        return Refusal("3.1", f"nobody is in {number} to pounce on")
    if order.verb == "slink" and (p.held(0) | p.held(1)) >> h & 1:
        return Refusal("2.2", f"{number} is taken")
    return Leap(beast, h)


def leaps(p: MarshPosition, verb: str) -> Iterator[Order]:
    """Every leap that the rule above allows."""
    for beast in p.of(p.agenda[-1].side):
        for h in members(p.next_to(beast)):
            order = Order(verb, (p.game.names[beast],), (p.map.grid.number(h),))
            if not isinstance(leap_of(p, order), Refusal):
                yield order


def slink(p: MarshPosition, leap: Leap) -> None:
    """A step (2.1)."""
    p.hexes[leap.beast] = leap.hex
    p.acted |= 1 << leap.beast
    p.tell("moved", "2.1", "{} slinks to {}", p.game.names[leap.beast], p.map.name_of(leap.hex))


def dusk(p: MarshPosition, _: Order) -> None:
    """The other side is next, until the eighth turn is over or a side has nobody left (4.0)."""
    side = p.agenda[0].side
    p.acted = 0
    last = side == 1 and p.turn >= p.game.turns
    if last or not p.of(0) or not p.of(1):
        p.tell("over", "4.0", "Night falls")
        p.finish()
        return
    p.turn += side
    p.go("prowl", 1 - side)


# Pouncing (3) ---------------------------------------------------------------------------------------


def need(p: MarshPosition, h: Hex) -> int:
    """What the die and the bite must reach (3.2)."""
    return int(p.game.tables["bite"]) + (p.map.terrain["reeds"] >> h & 1)


def pounce(p: MarshPosition, leap: Leap) -> None:
    """The hunter jumps; the die decides (3.1)."""
    p.acted |= 1 << leap.beast
    p.interrupt("bite", p.agenda[0].side, leap)


def bite(p: MarshPosition, face: Order) -> None:
    """The prey is gone; or it may answer before the prowl goes on (3.2)."""
    leap: Leap = p.agenda[0].matter
    prey = next(b for b in p.of(1 - p.agenda[0].side) if p.hexes[b] == leap.hex)
    hunter = p.game.names[leap.beast]
    if int(face.words[0]) + p.game.units[hunter].bite >= need(p, leap.hex):
        p.hexes[prey] = -1
        p.tell("caught", "3.2", "{} catches {}", hunter, p.game.names[prey], fact=Result("caught"))
        p.done()
    else:
        p.tell("missed", "3.2", "{} misses {}", hunter, p.game.names[prey], fact=Result("missed"))
        p.go("answer", 1 - p.agenda[0].side, leap)


def peck(p: MarshPosition, _: Order) -> None:
    """The hunter flees to where it began, if nobody is there; else it stays (3.3)."""
    leap: Leap = p.agenda[0].matter
    name = p.game.names[leap.beast]
    home = p.map.grid.hex(p.game.units[name].hex)
    if not (p.held(0) | p.held(1)) >> home & 1:
        p.hexes[leap.beast] = home
        p.tell("fled", "3.3", "{} flees home", name)
    p.done()


SEQUENCE = Sequence(
    Decision("prowl", "2.1", "Prowl", "prowl", "Slink, pounce or sleep", {
        "slink": Action(leap_of, slink, lambda p: leaps(p, "slink")),
        "pounce": Action(leap_of, pounce, lambda p: leaps(p, "pounce")),
        "sleep": Action.plain("sleep", dusk),
    }),
    Roll("bite", "3.2", "The bite", "bite", lambda _: die("the bite", "3.2"), bite, phase="prowl"),
    Decision("answer", "3.3", "Answer", "answer", "Peck back or hide", {
        "peck": Action.plain("peck", peck),
        "hide": Action.plain("hide", lambda p, _: p.done()),
    }, phase="prowl"),
)  # fmt: skip
MarshPosition.sequence = SEQUENCE
