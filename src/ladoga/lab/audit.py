"""The audit: what a side left undone or did badly in a game, counted as it is played.

It sees the whole position and judges by plain measures that are the same in every game, so that the figures of two
players can be compared; none of them is a rule. A *look* is taken at a side whenever its part of the sequence of play
ends and the other's begins, before the enemy can answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ..hexes import mask_of
from ..kernel.errors import LadogaError
from ..kernel.orders import Order, Role
from ..kernel.position import Position
from ..kernel.table import Counter
from ..players.attacks import best_attack, compelled, outlook
from ..players.situation import Situation

LEFT = 1.0
"""What an attack that was not made must be worth to count as left, in points of strength."""
EXPOSED = 2
"""Hexes within which an enemy makes a headquarters that is alone a lone one."""
COMMAND = ("hq", "leader")
WEAPONS = ("air", "bomber", "naval")
DECIDED = (Role.CHOOSE, Role.SUPPORT, Role.BID)
ON_HAND = ("ready", "air")
"""How the names of boxes end in which weapons wait for use."""


@dataclass
class Ledger:
    """One side of one game, or of many added up."""

    looks: int = 0
    """Times the side was looked at."""
    units: int = 0
    """Units on the map, added up over the turns ..."""
    idle: int = 0
    """... and those of them that neither moved nor fought, stand on no objective and next to no enemy."""
    cut_off: int = 0
    """Units that went by themselves where no line of supply reaches them."""
    out_of_command: int = 0
    """Units on the map that no headquarters commands, added up over the looks."""
    headquarters: int = 0
    """Headquarters and leaders on the map, added up over the looks ..."""
    lone: int = 0
    """... and those of them alone in their hex with an enemy near."""
    headquarters_lost: int = 0
    """Headquarters and leaders that left the map, for whatever reason."""
    empty: int = 0
    """Objectives without a unit that an enemy stands next to, added up over the looks."""
    attacks: int = 0
    """Attacks made ..."""
    negative: int = 0
    """... and those of them that were worth less than nothing by exact odds, though they could have been left ..."""
    compelled: int = 0
    """... and those that could not: the rules compelled to attack somebody."""
    left: int = 0
    """Phases ended with an attack left that was worth something."""
    reserves: int = 0
    """Units that could have come in ..."""
    never: int = 0
    """... and those of them that never did."""
    weapons: int = 0
    """Aircraft and ships that were on hand, added up over the turns ..."""
    spent: int = 0
    """... and those of them that were used."""
    offers: dict[str, list[int]] = field(default_factory=dict)
    """For each order that is neither a march nor an attack: turns in which it could be given, and was."""

    def add(self, other: Ledger) -> None:
        """Add another game."""
        for one in fields(self):
            if one.name != "offers":
                setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))
        for verb, (could, did) in other.offers.items():
            known = self.offers.setdefault(verb, [0, 0])
            known[0] += could
            known[1] += did

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        values = {one.name.replace("_", "-"): getattr(self, one.name) for one in fields(self) if one.name != "offers"}
        return {**values, "offers": {verb: {"turns": c, "used": d} for verb, (c, d) in sorted(self.offers.items())}}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Ledger:
        """The way back."""
        plain = {name.replace("-", "_"): value for name, value in values.items() if name != "offers"}
        return cls(**plain, offers={verb: [o["turns"], o["used"]] for verb, o in values["offers"].items()})

    def lines(self, games: int) -> list[str]:
        """For people, a game."""
        each = f"{{:.{1 if games > 1 else 0}f}}".format

        def part(some: int, of: int) -> str:
            return f"{some / of:.0%} ({each(some / games)} of {each(of / games)})" if of else "none"

        offers = ", ".join(f"{verb} {did} of {could}" for verb, (could, did) in sorted(self.offers.items()))
        return [
            f"attacks of negative worth     {part(self.negative, self.attacks)}",
            f"attacks that were compulsory  {part(self.compelled, self.attacks)}",
            f"attacks left at phase ends    {each(self.left / games)}",
            f"lone headquarters             {part(self.lone, self.headquarters)}",
            f"headquarters lost             {each(self.headquarters_lost / games)}",
            f"reserves that never entered   {part(self.never, self.reserves)}",
            f"units idle                    {part(self.idle, self.units)}",
            f"went out of supply            {each(self.cut_off / games)}",
            f"units out of command          {each(self.out_of_command / games)} over {each(self.looks / games)} looks",
            f"empty objectives by an enemy  {each(self.empty / games)} over {each(self.looks / games)} looks",
            f"aircraft and ships used       {part(self.spent, self.weapons)}",
            f"other orders given            {offers or 'none'}",
        ]


class Auditor:
    """Watches one game."""

    def __init__(self, position: Position) -> None:
        self.sides = position.game.sides
        self.role: Callable[[Order], Role] = position.game.role
        self.ledgers = {side: Ledger() for side in self.sides}
        self._could: dict[str, set[str]] = {side: set() for side in self.sides}
        self._entered: dict[str, set[str]] = {side: set() for side in self.sides}
        self._acted: set[str] = set()
        self._moved: set[str] = set()
        self._offered: dict[str, set[str]] = {side: set() for side in self.sides}
        self._given: dict[str, set[str]] = {side: set() for side in self.sides}
        self._on_hand: dict[str, set[str]] = {side: set() for side in self.sides}
        self._posts: dict[str, set[str]] = {side: set() for side in self.sides}
        self._targets: tuple[str, ...] = ()
        self._party: list[str] = []
        self._compelled = False
        """Whether the rules compel to make the attack that is put together, or another one."""
        self._chair = position.phase.side or ""

    # As orders are given ------------------------------------------------------------------------

    def ordered(self, position: Position, order: Order) -> None:
        """Before a side's order is carried out."""
        side = position.to_move
        assert side is not None
        role = self.role(order)
        if role is Role.AIM:
            self._targets, self._party, self._compelled = order.hexes, [], bool(compelled(position))
        elif role is Role.JOIN:
            self._party += order.units
        elif role is Role.STRIKE:
            self._compelled = bool(compelled(position))
            self._attack(position, side, order, order.units, order.hexes)
        elif role is Role.COMMIT:
            self._offers(position, side)
            if self._targets:
                self._attack(position, side, order, self._party, self._targets)
            self._targets = ()
        elif role is Role.CANCEL:
            self._targets = ()
        elif role is Role.END:
            self._ended(position, side)
        elif role is Role.ENTER:
            self._entered[side].update(order.units)
        elif role in DECIDED:
            self._given[side].add(order.verb)
        if role is Role.GO:
            self._moved.update(order.units)
        self._acted.update(order.units)

    def _attack(
        self, position: Position, side: str, order: Order, units: Iterable[str], targets: Iterable[str]
    ) -> None:
        ledger = self.ledgers[side]
        ledger.attacks += 1
        ledger.compelled += self._compelled
        self._acted.update(units)
        try:
            explanation = position.explain(order)
        except LadogaError:
            return
        if not explanation.results:
            return
        situation = Situation(position, side)
        ours = [situation.pieces[unit] for unit in units if unit in situation.pieces]
        value, _ = outlook(situation, explanation, ours, targets, busy=False)
        ledger.negative += value < 0 and not self._compelled

    def _offers(self, position: Position, side: str) -> list[Order]:
        orders = list(position.legal)
        self._offered[side].update(order.verb for order in orders if self.role(order) in DECIDED)
        return orders

    def _ended(self, position: Position, side: str) -> None:
        """What could still have been done when a phase or choice was ended."""
        orders = self._offers(position, side)
        roles = {self.role(order) for order in orders}
        if Role.ENTER in roles:
            self._could[side].update(u for order in orders if self.role(order) is Role.ENTER for u in order.units)
        if Role.AIM in roles and position.choice is None:
            seen = position.view(side).imagine(random.Random(0))
            attack = best_attack(seen, Situation(seen, side))
            self.ledgers[side].left += attack is not None and attack.value >= LEFT

    # As the game goes on --------------------------------------------------------------------------

    def played(self, before: Position, after: Position) -> None:
        """After an order or a roll."""
        chair = after.phase.side or self._chair
        over = after.turn != before.turn or after.to_move is None
        if self._chair in self.ledgers and (chair != self._chair or over):
            self._look(after, self._chair)
            self._count_posts(after)
        self._chair = chair
        if over:
            self._turn_over(after)
        if after.to_move is None:
            for side, ledger in self.ledgers.items():
                ledger.reserves += len(self._could[side] | self._entered[side])
                ledger.never += len(self._could[side] - self._entered[side])

    def _look(self, position: Position, side: str) -> None:
        """How a side stands when its part is over."""
        ledger, grid = self.ledgers[side], position.map.grid
        counters = [c for c in position.table().counters if c.hex and c.hex in grid]
        enemies = mask_of(grid.hex(c.hex) for c in counters if c.side in self.sides and c.side != side and _fights(c))
        ours = [c for c in counters if c.side == side]
        held = {c.hex for c in ours if _fights(c)}
        near = grid.within(enemies, EXPOSED) if enemies else 0
        beside = grid.within(enemies, 1) if enemies else 0
        ledger.looks += 1
        for counter in ours:
            if counter.symbol in COMMAND:
                ledger.headquarters += 1
                ledger.lone += counter.hex not in held and bool(near >> grid.hex(counter.hex) & 1)
            ledger.out_of_command += "uncommanded" in counter.states
            if counter.id in self._moved and "unsupplied" not in counter.states:
                ledger.cut_off += not _fed(position, counter.id)
        for h in Situation(position, side).objectives:
            ledger.empty += bool(beside >> h & 1) and not enemies >> h & 1 and grid.number(h) not in held
        self._moved -= {counter.id for counter in ours}

    def _count_posts(self, position: Position) -> None:
        """Headquarters that are no longer there."""
        counters = [c for c in position.table().counters if c.symbol in COMMAND]
        for side, ledger in self.ledgers.items():
            now = {c.id for c in counters if c.side == side and c.hex}
            ledger.headquarters_lost += len(self._posts[side] - now)
            self._posts[side] = now

    def _turn_over(self, position: Position) -> None:
        grid = position.map.grid
        counters = position.table().counters
        for side, ledger in self.ledgers.items():
            ours = [c for c in counters if c.side == side]
            on_map = [c for c in ours if c.hex and c.hex in grid and _fights(c)]
            enemies = mask_of(
                grid.hex(c.hex) for c in counters if c.side not in (side, "") and c.hex and c.hex in grid and _fights(c)
            )
            busy = (grid.within(enemies, 1) if enemies else 0) | mask_of(Situation(position, side).objectives)
            ledger.units += len(on_map)
            ledger.idle += sum(c.id not in self._acted and not busy >> grid.hex(c.hex) & 1 for c in on_map)
            weapons = {c.id for c in ours if c.symbol in WEAPONS and (c.hex or c.box.endswith(ON_HAND))}
            weapons |= self._acted & {c.id for c in ours if c.symbol in WEAPONS}
            ledger.weapons += len(weapons)
            ledger.spent += len(weapons & self._acted)
            for verb in self._offered[side] | self._given[side]:
                known = ledger.offers.setdefault(verb, [0, 0])
                known[0] += 1
                known[1] += verb in self._given[side]
            self._offered[side], self._given[side] = set(), set()
        self._acted = set()


def _fights(counter: Counter) -> bool:
    return counter.symbol not in COMMAND and counter.symbol not in WEAPONS


def _fed(position: Position, unit: str) -> bool:
    """Whether a unit has a line of supply; where a game knows none everybody has."""
    try:
        return bool(position.supply(unit))
    except LadogaError:
        return True
