"""What computer players say of themselves: in the words of the hobby, of this order, and by name."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

import ladoga
from ladoga import players
from ladoga.kernel.game import game_ids
from ladoga.kernel.names import full_name
from ladoga.kernel.orders import END, Order, Role
from ladoga.kernel.position import Position, View
from ladoga.players.general import GeneralPlayer

GAMES = game_ids()
LONG = {"greedy": 160, "staff": 320, "general": 100}
"""Orders of a game that are listened to."""
SAID_OF_MORE = frozenset({Role.PLACE, Role.GO, Role.ENTER, Role.JOIN, Role.COMMIT, Role.SUPPORT, Role.AIM, Role.STRIKE})
"""Orders that may be said the same of as of the last one: those that carry out one plan."""


def listened(game: str, level: str) -> Iterator[tuple[View, Order, str]]:
    """The orders of a game between two players of a level, and what is said of each."""
    position: Position = ladoga.load(game).start()
    made = {side: players.make(level) for side in position.game.sides}
    for player in made.values():
        if isinstance(player, GeneralPlayer):
            player.nodes = 30
    rng = random.Random(11)
    given = 0
    while position.to_move is not None and given < LONG[level]:
        if position.to_move == "chance":
            position = position.play(position.legal.random(rng))
            continue
        view = position.view(position.to_move)
        order = made[view.side].choose(view, rng)
        yield view, order, made[view.side].reason
        given += 1
        position = position.play(order)


def nameless(view: View, said: str) -> list[str]:
    """Units and hexes that are spoken of by what orders call them, though they have names."""
    counters, grid = view.table().counters, view.map.grid
    names = {counter.id: full_name(counter) for counter in counters}
    plain = said
    for name in sorted(names.values(), key=len, reverse=True):
        plain = plain.replace(name, "")
    words = set(re.findall(r"[^\s,;:()]+", plain))
    units = {
        unit
        for unit, name in names.items()
        if not name.endswith(unit) and not re.fullmatch(r"\d+(st|nd|rd|th)?", unit) and unit in words
    }
    hexes = {
        number for number in words & set(grid.by_number)
        if view.map.names.get(grid.hex(number)) and f"{view.map.names[grid.hex(number)]} {number}" not in said
    }  # fmt: skip
    return sorted((units | hexes) - {number for number in words if f" in {number}" in said})


@pytest.mark.parametrize("level", ["greedy", "staff", "general"])
@pytest.mark.parametrize("game", GAMES)
def test_every_reason_is_a_plain_sentence_on_its_order(game: str, level: str) -> None:
    last, heard = dict.fromkeys(ladoga.load(game).sides, ""), 0
    for view, order, said in listened(game, level):
        if len(list(view.legal)) > 1:
            assert said, f"nothing is said of {order}"
        heard += bool(said)
        assert said[:1] == said[:1].upper(), said
        assert not re.search(r"\b1 (units|moves|points|dice|plans|ways|times)\b", said), said
        assert "  " not in said
        assert "\n" not in said
        assert not re.search(r"(^|\s)[-+−]\d|\d\.\d|%", re.sub(r"\(\d+\.\d+\)", "", said)), said
        assert not nameless(view, said), (said, nameless(view, said))
        role = view.game.role(order)
        if role not in SAID_OF_MORE and order != END and order.units and said:
            before, once = last[view.side]
            assert said != once or order == before, f"{said}: stale at {order}"
        if order == END:
            assert not re.match("Moves|Retreats|Advances|Overruns|Attacks|Takes the loss", said), said
        last[view.side] = order, said
    assert heard > 20
