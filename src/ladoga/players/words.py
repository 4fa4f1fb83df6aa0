"""What computer players say of themselves: units and places by their names, chances as people reckon them.

A player notes down what it would say. The sentence is made, and names are looked up, when somebody reads it:

>>> import ladoga
>>> say = Words(ladoga.load("leningrad-1979").start().view("german"))
>>> say.units(["12"]), say.units(["12", "21"]), say.units(["1", "11", "12", "21"])
('the 12th Infantry Division', 'the 12th and 21st Infantry Divisions', '4 units')
>>> say.place("0111"), say.place("0312")
('Tilsit 0111', '0312')
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cached_property

from ..hexes import Hex
from ..kernel.names import formation_name, listed, names_of, several
from ..kernel.orders import Order, Role
from ..kernel.position import Position, View
from ..kernel.table import Counter

NAMED = 3
"""Units that are called by their names; of more only the number is told."""
OFTEN = (6, 10)
"""Out of how many times a chance is told, the first that is near enough."""
NEAR = Fraction(1, 100)
"""How near a chance must be to a number of times in six."""
FORMED = re.compile(r"^hidden |\b(Compan|Battalion|Regiment|Brigade|Division|Corps|Arm(y|ies)\b|Command|School|Fleet)")
"""What formations are called."""
USUAL = {
    Role.GO: "move {units} to {hex}", Role.ENTER: "bring {units} in at {hex}", Role.PLACE: "place {units} in {hex}",
    Role.RETREAT: "retreat {units} to {hex}|give {units} up", Role.ADVANCE: "advance {units} to {hex}",
    Role.AIM: "attack {hex}", Role.JOIN: "add {units} to the attack", Role.LOSE: "take the loss from {units}",
    Role.COMMIT: "make the attack", Role.CANCEL: "give the attack up", Role.CALL: "activate {units}",
    Role.END: "leave it at that",
}  # fmt: skip
"""What an order is called that is for something."""


class Words:
    """How one side, at one moment, speaks of what it sees."""

    def __init__(self, seen: View | Position) -> None:
        self.seen = seen

    @cached_property
    def _counters(self) -> list[Counter]:
        return self.seen.table().counters

    @cached_property
    def _names(self) -> dict[str, str]:
        return names_of(self._counters)

    def units(self, units: Iterable[str], most: int = NAMED) -> str:
        """Units by their full names; of many only how many they are."""
        some = list(units)
        if len(some) > most:
            return counted(len(some), "unit")
        return the(several(self._names.get(unit, unit) for unit in some)) if some else "nobody"

    def place(self, where: Hex | str) -> str:
        """A hex, with its name where it has one: ``Tilsit 0111``."""
        grid = self.seen.map.grid
        if isinstance(where, str):
            if where not in grid:
                return where
            where = grid.hex(where)
        return self.seen.map.name_of(where)

    def places(self, hexes: Iterable[Hex | str]) -> str:
        """Hexes in a row."""
        return listed(map(self.place, hexes))

    def enemy_at(self, where: Hex | str) -> str:
        """The enemy in a hex, and where: ``the 56th Rifle Division at Tilsit 0111``; only where, if nobody is there."""
        number = where if isinstance(where, str) else self.seen.map.grid.number(where)
        there = [c.id for c in self._counters if c.hex == number and c.side not in ("", self.side)]
        return f"{_put_down(self.units(there))} at {self.place(where)}" if there else self.place(where)

    @property
    def side(self) -> str:
        """The side that speaks."""
        return self.seen.side if isinstance(self.seen, View) else self.seen.to_move or ""

    def _where(self, order: Order) -> str:
        """Where an order leads to, or whom of the enemy it is aimed at."""
        if not order.hexes:
            return ""
        return self.place(order.hexes[-1]) if order.units else self.enemy_at(order.hexes[-1])

    # Sentences that several players say ------------------------------------------------------------

    def overrun(self, target: str, units: Iterable[str], falls: float) -> str:
        """An overrun, and how it will go."""
        return f"Overruns {self.enemy_at(target)} with {self.units(units)}: {driven_off(falls)}"

    def attack(self, targets: Iterable[str], units: Iterable[str], falls: float, case: str = "") -> str:
        """An attack, how it will go, and the ``case`` of the rules that compels to attack, if one does."""
        aims, ours = listed(self.enemy_at(target) for target in targets), list(units)
        if not aims:
            told = f"Attacks with {self.units(ours)}: {driven_off(falls)}"
        else:
            told = f"Attacks {aims} with {self.units(ours)}: {driven_off(falls)}"
        return f"{told}; the rules compel an attack ({case})" if case else told

    def doing(self, order: Order) -> str:
        """An order by itself, in the words of its button: ``Moves the 12th Infantry Division to Tilsit 0111``."""
        word, verb = order.words[0] if order.words else "", self.seen.game.grammar.verbs[order.verb]
        holes = {
            "units": self.units(order.units) if order.units else "", "hex": self._where(order), "word": word,
            "name": the(self._names.get(word) or formation_name(word)),
        }  # fmt: skip
        way = ""
        for way in (USUAL.get(verb.role) or verb.said or f"{verb.name} {{units}} {{hex}} {{word}}").split("|"):
            wanted, _, rest = way[2:].partition("}") if way.startswith("{=") else (word, "", way)
            way = rest
            if wanted == word and all(holes[hole] for hole in re.findall(r"\{(\w+)\}", way)):
                break
        first, *others = way.format(**holes).split()
        return " ".join([f"{first.capitalize()}{'es' if first.endswith('s') else 's'}", *others])


Saying = Callable[[Words], str]
Reason = str | Saying
"""A sentence, or what makes one when it is read."""


def because(order: Order, why: str = "") -> Saying:
    """An order, in the words of its button, and why it is given."""
    return lambda say: say.doing(order) + (f": {why}" if why else "")


class Once:
    """A sentence on a moment that is past when it is read, and read again: the intent of a plan, for each of its
    orders."""

    def __init__(self, seen: View | Position, saying: Saying) -> None:
        self._made: tuple[View | Position, Saying] | str = (seen, saying)

    def __call__(self, _: Words) -> str:
        """The sentence, made when it is first read."""
        if isinstance(self._made, tuple):
            seen, saying = self._made
            self._made = saying(Words(seen))
        return self._made


def counted(number: int, noun: str) -> str:
    """So many things of a kind.

    >>> counted(1, "unit"), counted(3, "unit")
    ('1 unit', '3 units')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def the(name: str) -> str:
    """A name as it stands within a sentence: formations have an article, leaders and numbers of things none.

    >>> the("56th Rifle Division"), the("hidden unit in 4516")
    ('the 56th Rifle Division', 'the hidden unit in 4516')
    >>> the("Manstein"), the("2 hidden units"), the("Guerrilla Battalion 4")
    ('Manstein', '2 hidden units', 'Guerrilla Battalion 4')
    """
    numbered = re.match(r"\d+ ", name) or (re.search(r" \d+$", name) and not name.startswith("hidden"))
    return f"the {name}" if FORMED.search(name) and not numbered else name


def _put_down(name: str) -> str:
    """A name without the hex in it, which is told besides."""
    return re.sub(r" in \w+$", "", name)


def often(chance: float) -> str:
    """A chance as people at a table reckon it, in sixths where it is nearly one.

    >>> [often(chance) for chance in (0.0, 1 / 6, 0.33333, 0.62, 0.97, 0.99999, 1.0)]
    ['never', 'once in 6', 'twice in 6', '6 times in 10', 'nearly always', 'for certain', 'for certain']
    """
    if not 0.0001 < chance < 0.9999:
        return "for certain" if chance > 0.5 else "never"
    for times in OFTEN:
        n = round(chance * times)
        if times == OFTEN[-1] or abs(chance - n / times) <= NEAR:
            if n in (0, times):
                return "nearly always" if n else "hardly ever"
            return {1: "once", 2: "twice"}.get(n, f"{n} times") + f" in {times}"
    raise AssertionError


def driven_off(falls: float) -> str:
    """What becomes of those who are attacked.

    >>> driven_off(5 / 6), driven_off(0.0), driven_off(0.98)
    ('destroyed or driven off 5 times in 6', 'the hex cannot fall', 'nearly always destroyed or driven off')
    >>> driven_off(1.0)
    'certain to be destroyed or driven off'
    """
    times = often(falls)
    if times == "never":
        return "the hex cannot fall"
    if times == "for certain":
        return "certain to be destroyed or driven off"
    return (
        f"{times} destroyed or driven off" if times.endswith(("ever", "always")) else f"destroyed or driven off {times}"
    )
