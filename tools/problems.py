"""Find problems for the book in games that a player lost.

    python tools/problems.py leningrad-1979 --player general --think 0.5 --out src/ladoga/lab/book

The player fights the sparring partners from both sides. Where its prospects fell most from one of its turns to the
next, the turn is played again on several dice in every way that the doctrine and the partners know, to the end of the
enemy's reply. Where another way comes out clearly better than the player's own, the position becomes a problem, and
what the better way reached, less half of the difference, what a good player accepts. Every second problem is held out.
What comes out is to be read by somebody before it is committed: --positions takes positions from files instead.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from ladoga.games.tijvin.position import TijvinPosition
from ladoga.kernel.game import load_game
from ladoga.kernel.position import CHANCE, Position
from ladoga.lab.problems import MEASURES, Condition, Problem, measured, played_on, start_of
from ladoga.players import make
from ladoga.players.doctrine import doctrine_of
from ladoga.players.doctrines.tijvin import TijvinDoctrine
from ladoga.players.doctrines.tijvin_staff import search
from ladoga.players.judgement import evaluate
from ladoga.players.partners import PARTNERS, Partner
from ladoga.players.player import Player
from ladoga.players.staff import StaffPlayer

WORTH_ASKING = {"balance": 3.0, "margin": 2.0, "held": 0.5, "fed": 0.06, "headquarters": 0.5, "entered": 0.8}
"""By how much another way must be better in a measure."""
CONDITIONS = 2
"""Most measures that a problem asks for."""
RENAMED = ("leningrad41",)
"""Games in which a counter that is turned over has another name: who came in cannot be told from names."""
BEGINS = ("german-movement", "soviet-movement", "german-activation", "soviet-activation")


class Moment(NamedTuple):
    """The beginning of a player-turn in a game, and how much worse the next one began."""

    drop: float
    position: Position
    side: str
    source: str


def judged(position: Position, side: str) -> float:
    """How well a side stands, as its doctrine judges it."""
    doctrine = doctrine_of(position.game.id)
    if isinstance(doctrine, TijvinDoctrine) and position.outcome is None:
        assert isinstance(position, TijvinPosition)
        return search.judged(doctrine._reading(position, side, {}))
    value = doctrine.judge(position, side)
    return evaluate(position, side) if value is None else value


def harvest(game_id: str, player: str, think: float, seed: int, only: str = "") -> list[Moment]:
    """The turns of games against the partners, those that went worst first; of one side only, if it is named."""
    found: list[Moment] = []
    game = load_game(game_id)
    for partner in PARTNERS:
        for side in (only,) if only else game.sides:
            other = next(s for s in game.sides if s != side)
            seats = {side: make(player, seed=seed, think=think), other: make(partner, seed=seed)}
            begun = _turns(game.start(), side, seats, seed)
            source = f"{player} as {side} against the {partner}"
            for (position, value), (_, later) in itertools.pairwise(begun):
                found.append(Moment(value - later, position, side, source))
    return sorted(found, key=lambda moment: -moment.drop)


def _turns(position: Position, side: str, seats: Mapping[str, Player], seed: int) -> list[tuple[Position, float]]:
    dice, rng = random.Random(seed), random.Random(seed + 1)
    begun: list[tuple[Position, float]] = []
    seen: set[int] = set()
    while (mover := position.to_move) is not None:
        if mover == CHANCE:
            position = position.play(position.legal.random(dice))
            continue
        if mover == side and position.phase.id in BEGINS and position.phase.side == side and position.turn not in seen:
            seen.add(position.turn)
            begun.append((position, judged(position, side)))
        position = position.play(seats[mover].choose(position.view(mover), rng))
    return begun


def ways(game_id: str, side: str) -> dict[str, Mapping[str, float]]:
    """Every way to fight a turn that is known."""
    found: dict[str, Mapping[str, float]] = {"as the staff": {}}
    found.update(doctrine_of(game_id).scripts(side) or search.TEMPERS)
    for name in PARTNERS:
        partner = make(name)
        assert isinstance(partner, Partner)
        found[f"as the {name}"] = partner.idea[game_id][side]
    return found


def _seat(temper: Mapping[str, float]) -> Callable[[int], Player]:
    def made(luck: int) -> Player:
        player = StaffPlayer(seed=luck)
        player.bias = dict(temper)
        return player

    return made


def _value(problem: Problem, seat: Callable[[int], Player], seeds: int) -> float:
    start, side = start_of(problem), problem.side
    other = next(s for s in start.game.sides if s != side)
    total = 0.0
    for luck in range(seeds):
        after, _ = played_on(start, side, {side: seat(luck), other: make(problem.reply, seed=luck)}, luck)
        total += judged(after, side)
    return total / seeds


def examined(moment: Moment, player: str, think: float, seeds: int) -> Problem | None:
    """A problem, if some way is clearly better than the player's own."""
    plain = Problem("", moment.source, moment.side, False, [], _document(moment.position), seeds=seeds)

    def own(luck: int) -> Player:
        return make(player, seed=luck, think=think)

    rated = {
        name: _value(plain, _seat(temper), max(2, seeds // 2)) for name, temper in ways(plain.game, moment.side).items()
    }
    best = max(rated, key=lambda name: rated[name])
    better, _ = measured(plain, _seat(ways(plain.game, moment.side)[best]))
    its, _ = measured(plain, own)
    gains = {name: (better[name] - its[name]) / WORTH_ASKING[name] for name in MEASURES}
    if plain.game in RENAMED:
        del gains["entered"]
    asked = sorted((name for name in gains if gains[name] >= 1.0), key=lambda name: -gains[name])[:CONDITIONS]
    if not asked:
        return None
    accept = [Condition(name, least=_between(its[name], better[name])) for name in asked]
    if "margin" not in asked:
        low = min(its["margin"], better["margin"]) - 2 * WORTH_ASKING["margin"]
        accept.append(Condition("margin", least=float(round(low))))
    told = ", ".join(f"{name} {its[name]:.2f} where {better[name]:.2f} was reached" for name in asked)
    title = f"Turn {moment.position.turn}, {moment.side} to move: {told} {best}"
    return Problem(title, moment.source, moment.side, False, accept, plain.position, seeds=seeds)


def _between(low: float, high: float) -> float:
    middle = (low + high) / 2
    return round(middle, 2 if abs(high) <= 2 else 1)


def _document(position: Position) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(position.document()))
    return plain


def write(folder: Path, name: str, problem: Problem) -> None:
    """Put a problem into the book."""
    folder.mkdir(parents=True, exist_ok=True)
    values = {
        "title": problem.title, "source": problem.source, "side": problem.side, "held-out": problem.held_out,
        "reply": problem.reply, "seeds": problem.seeds,
        "accept": [{k: v for k, v in (("measure", c.measure), ("least", c.least), ("most", c.most)) if v is not None}
                   for c in problem.accept],
    }  # fmt: skip
    text = yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=110)
    text += f"position: {json.dumps(problem.position, ensure_ascii=False)}\n"
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--player", default="general")
    parser.add_argument("--think", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--most", type=int, default=10, help="problems to find")
    parser.add_argument("--looks", type=int, default=24, help="turns to examine at most")
    parser.add_argument("--side", default="", help="turns of this side only")
    parser.add_argument("--positions", type=Path, nargs="*", default=[], help="documents to examine instead")
    parser.add_argument("--out", type=Path, default=Path("src/ladoga/lab/book"))
    asked = parser.parse_args()
    folder = asked.out / asked.game
    if asked.positions:
        moments = []
        for path in asked.positions:
            position = load_game(asked.game).position(path.read_text(encoding="utf-8"))
            moments.append(Moment(0.0, position, position.to_move or "", f"a game by hand, {path.stem}"))
    else:
        moments = harvest(asked.game, asked.player, asked.think, asked.seed, asked.side)
    count = len(list(folder.glob("*.yaml")))
    found = 0
    for moment in moments[: asked.looks]:
        if found >= asked.most:
            break
        problem = examined(moment, asked.player, asked.think, asked.seeds)
        if problem is None:
            print(f"  turn {moment.position.turn}, {moment.side}, {moment.source}: nothing better is known", flush=True)
            continue
        count, found = count + 1, found + 1
        problem.held_out = count % 2 == 0
        write(folder, f"{count:02}-{moment.side}-turn-{moment.position.turn:02}", problem)
        print(f"{count:02} {problem.title}", flush=True)


if __name__ == "__main__":
    main()
