"""Orders as chains of small steps, so that a game has one fixed, short list of actions.

A wargame has thousands of legal orders and millions of possible ones, but all are said with few words: a
verb, units, hexes. An action is one such word. ``move 1/41 0711`` is given as ``move``, then ``1/41``,
then ``0711``; words that leave no choice are said for the player. The number of a word never changes, so a
network can learn what it means.

>>> rules = Rules("leningrad-1979")
>>> step = rules.first()
>>> step.mover
'soviet'
>>> actions = step.actions
>>> [step.text(action) for action in actions][:3]
['place i12 ...', 'place i13 ...', 'place i14 ...']
>>> step.after(actions[0]).partial
'place i12'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ..kernel.chance import Chance
from ..kernel.data import read_file
from ..kernel.errors import BadDocument, LadogaError
from ..kernel.game import Game, load_game
from ..kernel.orders import Order
from ..kernel.position import CHANCE, OBSERVER, Outcome, Position

__all__ = ["Rules", "Step", "Vocabulary", "spelled", "vocabulary"]

Word = tuple[str, str]
"""What kind of word it is (verb, unit, hex, word, other), and the word."""

Spelt = tuple[tuple[Word, ...], Order]
"""An order and the chain of its words."""

FULL_STOP: Word = ("other", ".")
"""Ends an order that could also go on: ``retreat 12`` where ``retreat 12 0403`` is legal too."""

SPARE = 64
"""Actions kept for words that are in no list, such as counters made up for a position."""

WHOLE_GAME = 20_000
"""Far more steps than any game takes."""


class Vocabulary:
    """Every word of a game's orders, numbered.

    >>> words = vocabulary("tijvin-1941")
    >>> words.words[1], len(words) > len(words.units)
    (('verb', 'place'), True)
    """

    def __init__(self, game: Game) -> None:
        grid = game.map.grid
        hexes = [grid.number(h) for mask in grid.masks.values() for h in grid.members(mask)]
        units = dict.fromkeys(game.units)
        for scenario in game.scenarios:
            units |= dict.fromkeys(counter.id for counter in game.start(scenario).table().counters)
        units |= dict.fromkeys(counter.id for counter, _ in game.counter_sheet())
        self.units = tuple(units)
        self.hexes = tuple(dict.fromkeys(hexes))
        words: list[Word] = [FULL_STOP]
        words += [("verb", verb) for verb in game.grammar.verbs]
        words += [("unit", unit) for unit in self.units]
        words += [("hex", number) for number in self.hexes]
        self.words = tuple(words)
        self.numbers = {word: number for number, word in enumerate(words)}

    def __len__(self) -> int:
        return len(self.words) + SPARE

    def number(self, words: Iterable[Word]) -> dict[int, Word]:
        """The words by their numbers, in order; strangers take the spare ones in turn."""
        known: dict[int, Word] = {}
        strangers = []
        for word in words:
            number = self.numbers.get(word)
            if number is None:
                strangers.append(word)
            else:
                known[number] = word
        if len(strangers) > SPARE:
            raise LadogaError(f"more than {SPARE} words that no list has: {strangers[0][1]}, ...")
        known |= dict(enumerate(sorted(strangers), len(self.words)))
        return dict(sorted(known.items()))


def spelled(order: Order) -> tuple[Word, ...]:
    """An order as the chain of its words.

    >>> spelled(Order("move", ("12",), ("0403",)))
    (('verb', 'move'), ('unit', '12'), ('hex', '0403'))
    """
    return (
        ("verb", order.verb),
        *(("unit", unit) for unit in order.units),
        *(("hex", number) for number in order.hexes),
        *(("word", word) for word in order.words),
    )


class Rules:
    """What is played and for how long: a scenario with its options, or a position of one's own: a document as
    plain values or as text (YAML lines, or JSON), or the name of a file with one.

    After ``max_length`` steps the game is broken off and counts as it stands.

    >>> rules = Rules("tijvin-1941", max_length=100)
    >>> rules.first().mover, rules.max_length
    ('german', 100)
    """

    def __init__(
        self,
        game_id: str,
        scenario: str | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        position: str | Path | Mapping[str, Any] | None = None,
        max_length: int = WHOLE_GAME,
    ) -> None:
        if max_length < 1:
            raise LadogaError(f"a game has at least one step, not {max_length}")
        self.game = load_game(game_id)
        self.vocabulary = vocabulary(game_id)
        self.max_length = max_length
        self.start = self._start(scenario, options, position)
        if self.start.sides_open:
            raise LadogaError("players keep their sides here; give the winning bid as an option instead of bidding")

    def _start(
        self, scenario: str | None, options: Mapping[str, Any] | None, position: str | Path | Mapping[str, Any] | None
    ) -> Position:
        if position is None:
            return self.game.start(scenario, options)
        if scenario or options:
            raise LadogaError("a position document names its scenario and options itself")
        if isinstance(position, Mapping) or (isinstance(position, str) and re.match(r"\s*\{|.*\n", position)):
            return self.game.position(position)
        try:
            return self.game.position(read_file(Path(position), error=BadDocument))
        except BadDocument as problem:
            raise problem.within(str(position)) from None

    @property
    def most_outcomes(self) -> int:
        """No chance node has more outcomes: a draw is of counters, a roll of few faces."""
        return max(64, len(self.vocabulary.units))

    def first(self) -> Step:
        """Where the game starts."""
        return Step(self, self.start)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rules_again, (self.game.id, self.start.document(), self.max_length)


@cache
def vocabulary(game_id: str) -> Vocabulary:
    """The vocabulary of a game.

    >>> vocabulary("tijvin-1941") is vocabulary("tijvin-1941")
    True
    """
    return Vocabulary(load_game(game_id))


def _rules_again(game_id: str, document: dict[str, Any], max_length: int) -> Rules:
    return Rules(game_id, position=document, max_length=max_length)


class Step:
    """A position, and what has been said so far of the next order. Never changes.

    >>> step = Rules("tijvin-1941").first()
    >>> after = step.after(step.actions[0])
    >>> step.taken, after.taken
    (0, 1)
    """

    def __init__(
        self,
        rules: Rules,
        position: Position,
        taken: int = 0,
        rolled: int = 0,
        said: Sequence[Word] = (),
        before: tuple[Step, Order] | None = None,
    ) -> None:
        self.rules = rules
        self.position = position
        self.taken = taken
        """Steps taken by the sides so far."""
        self.rolled = rolled
        """Chance outcomes so far."""
        self._given = tuple(said)
        self._before = before
        """The step whose position the last order was played in, and that order."""
        self._memories: dict[str, tuple[str, ...]] = {}

    def memory(self, side: str) -> tuple[str, ...]:
        """All that a side has seen and ordered since the start, line by line: its own orders after ``>``, and
        the events it was told of. With what it sees now, this is its information state."""
        untold: list[tuple[Step, Step, Order]] = []
        step = self
        while side not in step._memories and step._before is not None:
            earlier, order = step._before
            untold.append((step, earlier, order))
            step = earlier
        lines = step._memories.setdefault(side, ())
        for step, earlier, order in reversed(untold):
            own = (f"> {order}",) if earlier.mover == side else ()
            lines = step._memories[side] = (*lines, *own, *(e.text for e in step.position.view(side).events))
        return lines

    @property
    def mover(self) -> str | None:
        """The side that says the next word, ``chance``, or ``None`` at the end."""
        return None if self.broken_off else self.position.to_move

    @property
    def broken_off(self) -> bool:
        """Whether the game has gone on for as long as it may."""
        return self.position.to_move is not None and max(self.taken, self.rolled) >= self.rules.max_length

    @property
    def chance(self) -> Chance | None:
        """The chance node, if it is chance's turn."""
        return self.position.chance if self.mover == CHANCE else None

    @cached_property
    def _orders(self) -> list[Spelt]:
        """The legal orders that begin with what has been said, spelled out. They are listed from what the
        side may know, so that the list itself gives nothing away."""
        mover = self.mover
        if mover is None or mover == CHANCE:
            return []
        length = len(self._given)
        spelt = ((spelled(order), order) for order in self.position.view(mover).legal)
        return [(words, order) for words, order in spelt if words[:length] == self._given]

    @cached_property
    def said(self) -> tuple[Word, ...]:
        """The words said so far, and those that go without saying."""
        return _common([words for words, _ in self._orders]) if len(self._orders) > 1 else ()

    @cached_property
    def _branches(self) -> dict[int, list[Spelt]]:
        """The orders by the number of the word that comes next."""
        length = len(self.said)
        by_word: dict[Word, list[Spelt]] = {}
        for spelt in self._orders:
            words = spelt[0]
            by_word.setdefault(words[length] if len(words) > length else FULL_STOP, []).append(spelt)
        return {number: by_word[word] for number, word in self.rules.vocabulary.number(by_word).items()}

    @property
    def actions(self) -> list[int]:
        """The numbers of the words that may come next, ascending."""
        return list(self._branches)

    @property
    def partial(self) -> str:
        """What has been said so far, as text."""
        return " ".join(word for _, word in self.said)

    def _narrowed(self, action: int) -> list[Spelt]:
        left = self._branches.get(action)
        if left is None:
            raise LadogaError(f"{action} is not an action here; there are {len(self._branches)}")
        return left

    def text(self, action: int) -> str:
        """An action as the order it makes, or as its beginning."""
        left = self._narrowed(action)
        if len(left) == 1:
            return str(left[0][1])
        return " ".join(word for _, word in _common([words for words, _ in left])) + " ..."

    def after(self, action: int) -> Step:
        """The next step once a side has said one more word; a whole order is played at once."""
        left = self._narrowed(action)
        if len(left) == 1:
            order = left[0][1]
            return Step(self.rules, self.position.play(order), self.taken + 1, self.rolled, before=(self, order))
        length = len(self.said) + 1
        following = Step(self.rules, self.position, self.taken + 1, self.rolled, left[0][0][:length], self._before)
        following._memories = self._memories
        if not following.broken_off:
            following.__dict__["_orders"] = left
        return following

    def rolls(self, outcome: Order) -> Step:
        """The next step once chance has spoken."""
        position = self.position.play(outcome)
        return Step(self.rules, position, self.taken, self.rolled + 1, before=(self, outcome))

    @property
    def outcome(self) -> Outcome:
        """How the game ended, or stands."""
        return self.position.outcome or self.position.standing

    def returns(self) -> dict[str, float]:
        """One for the winner, minus one for the loser, nothing for a draw or while the game goes on."""
        winner = self.outcome.winner if self.mover is None else None
        return {side: 0.0 if winner is None else 1.0 if side == winner else -1.0 for side in self.rules.game.sides}

    def __deepcopy__(self, memo: object) -> Step:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        memories = {side: self.memory(side) for side in (*self.rules.game.sides, OBSERVER)}
        return _step_again, (self.rules, self.position.document(), self.taken, self.rolled, self._given, memories)


def _step_again(
    rules: Rules,
    document: dict[str, Any],
    taken: int,
    rolled: int,
    said: tuple[Word, ...],
    memories: dict[str, tuple[str, ...]],
) -> Step:
    step = Step(rules, rules.game.position(document), taken, rolled, said)
    step._memories = memories
    return step


def _common(chains: Sequence[tuple[Word, ...]]) -> tuple[Word, ...]:
    """How far several chains agree."""
    first, last = min(chains), max(chains)
    length = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[:length]
