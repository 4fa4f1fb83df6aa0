"""Duels between programs: ``python -m ladoga.lab.duel`` plays this program's player against that of another version.

Each program runs in a process of its own (``peer.py``) with its own source folder, keeps its own position and is fed
the same orders and rolls; here the rules are those of this program. Players are compared over pairs: two games on the
same dice with sides swapped. With ``--think`` both players have so much processor time for a player-turn (all of a
side's decisions in a turn of the game), counted in their own process. Games are kept one by one, so that a series can
be stopped and goes on later.

    python -m ladoga.lab.duel leningrad-1979 --player general --against general@af79993 --pairs 12 --keep duels/
    python -m ladoga.lab.duel tijvin-1941 --player general --against raider --pairs 8

A player is NAME, or NAME@PLACE with a source folder (a checkout) or a commit as place. Where the other program closes a
phase by itself which here is ended by an order, it is not told of that order, and the order is given for it. A game in
which the programs disagree otherwise about what is legal is void: it is listed and not counted.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ..kernel.chance import Dice
from ..kernel.errors import LadogaError
from ..kernel.files import write_whole
from ..kernel.game import game_ids, load_game
from ..kernel.orders import END
from ..kernel.position import Position
from .simulate import MOST_ORDERS, Match, lead, seed_of
from .tournament import pair_point, point, share

PEER = Path(__file__).with_name("peer.py")
HERE = Path(__file__).resolve().parents[2]
"""The source folder of this program."""


class Entrant(NamedTuple):
    """Who plays: a player of a program, with so much processor time for a player-turn."""

    player: str
    place: str = ""
    think: float | None = None

    @classmethod
    def named(cls, text: str, think: float | None) -> Entrant:
        """Read NAME or NAME@PLACE.

        >>> Entrant.named("general@af79993", 1.0)
        Entrant(player='general', place='af79993', think=1.0)
        """
        player, _, place = text.partition("@")
        return cls(player, place, think)

    def __str__(self) -> str:
        place = f"@{self.place}" if self.place else ""
        return f"{self.player}{place}" + (f" ({self.think:g} s)" if self.think is not None else "")


@contextmanager
def source_of(place: str) -> Iterator[Path]:
    """The source folder of a program: this one, that of a checkout, or that of a commit, unpacked for as long as it
    is needed."""
    folder = Path(place) if place else HERE
    for found in (folder, folder / "src"):
        if (found / "ladoga").is_dir():
            yield found.resolve()
            return
    git = [which("git") or "git", "archive", "--format=zip", place, "src"]
    packed = subprocess.run(git, cwd=HERE.parent, capture_output=True, check=False)  # noqa: S603
    if packed.returncode:
        why = packed.stderr.decode(errors="replace").strip()
        raise LadogaError(f"{place}: neither a folder with the program nor a commit of it: {why}")
    with TemporaryDirectory(prefix="ladoga-duel-") as unpacked:
        with zipfile.ZipFile(io.BytesIO(packed.stdout)) as archive:
            archive.extractall(unpacked)
        yield Path(unpacked) / "src"


class Program:
    """A process that plays for one entrant."""

    def __init__(self, entrant: Entrant, source: Path) -> None:
        self.entrant = entrant
        self._waiting: list[tuple[str, int, str]] = []
        """Orders the program has not heard of yet."""
        environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-P", str(PEER)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, env=environment, text=True, stdin=pipe, stdout=pipe)  # noqa: S603

    def ask(self, **asked: Any) -> dict[str, Any]:
        """One question, one answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(asked) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError:
            line = ""
        if not line:
            raise LadogaError(f"{self.entrant}: the program has ended with status {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def start(self, match: Match, index: int, side: str) -> None:
        """Set a game up."""
        self._waiting = []
        answer = self.ask(
            do="start", game=match.game, scenario=match.scenario, options=dict(match.options), side=side,
            player=self.entrant.player, think=self.entrant.think, seed=match.seed, index=index,
        )  # fmt: skip
        if "error" in answer:
            raise LadogaError(f"{self.entrant}: {answer['error']}")

    def hear(self, order: str, before: Position) -> None:
        """An order or a roll, and the position in which it was given, to be told before the next question."""
        plain = "end" if order.split()[0] == "end" else order
        self._waiting.append((plain, before.turn, before.phase.id))

    def choose(self, position: Position, side: str) -> dict[str, Any]:
        """The order of its player."""
        orders, self._waiting = self._waiting, []
        return self.ask(do="choose", orders=orders, side=side, at=(position.turn, position.phase.id))

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


@dataclass(frozen=True)
class Bout:
    """One game of a duel."""

    index: int
    side: str
    """The side of the first entrant."""
    winner: str | None
    level: str
    margin: float
    """As the game counts it."""
    turns: int
    orders: int
    cpu: tuple[float, float]
    """Processor time of both entrants."""
    turns_played: tuple[int, int]
    """Player-turns of both."""
    broke: str = ""
    """Whose program broke: it has lost."""
    void: str = ""
    """Why the game does not count."""


class _Clerk:
    """Plays one game by the rules of this program."""

    def __init__(self, match: Match, index: int, side: str, programs: tuple[Program, Program]) -> None:
        self.match, self.index, self.side = match, index, side
        self.game = match.load()
        other = next(s for s in self.game.sides if s != side)
        self.at = {side: 0, other: 1}
        self.programs = programs
        self.cpu = [0.0, 0.0]
        self.played: tuple[set[int], set[int]] = (set(), set())

    def play(self) -> Bout:
        """From set-up to the end."""
        sides = {number: side for side, number in self.at.items()}
        for number, program in enumerate(self.programs):
            program.start(self.match, self.index, sides[number])
        dice, rolls, count = Dice(seed_of(self.match, self.index)), 0, 0
        position = self.game.start(self.match.scenario, self.match.options)
        broke = void = ""
        while (mover := position.to_move) is not None:
            chance = position.chance
            if chance is not None:
                text = str(dice.roll(chance, rolls))
                rolls += 1
            else:
                number = self.at[position.seats[mover]]
                self.played[number].add(position.turn)
                text, broke, void = self._decision(position, mover, number)
            if not broke and not void and (refusal := position.why_not(text)) is not None:
                void = f"{self.programs[self.at[position.seats[mover]]].entrant} orders {text}: {refusal}"
            if broke or void:
                break
            for program in self.programs:
                program.hear(text, position)
            position = position.play(text)
            count += 1
            if count > MOST_ORDERS:
                raise LadogaError(f"no end after {count} orders")
        outcome = position.standing
        winner = outcome.winner
        if broke:
            winner = next(s for s in self.game.sides if s != position.seats[position.to_move or ""])
        return Bout(
            self.index, self.side, winner, "" if broke else outcome.level, 0.0 if broke else float(outcome.margin),
            position.turn, count, (self.cpu[0], self.cpu[1]), (len(self.played[0]), len(self.played[1])), broke, void,
        )  # fmt: skip

    def _decision(self, position: Position, mover: str, number: int) -> tuple[str, str, str]:
        """An order, or who broke, or why the game is void."""
        program = self.programs[number]
        answer = program.choose(position, mover)
        if "error" in answer:
            return "", f"{program.entrant}: {answer['error']}", ""
        if "refused" in answer:
            return "", "", f"{program.entrant} refuses {answer['order']}: {answer['refused']}"
        if answer.get("ahead"):
            ending = _ending(position)
            return ending, "", "" if ending else f"{program.entrant} is not to move on turn {position.turn}"
        self.cpu[number] += answer["cpu"]
        return answer["order"], "", ""


def _ending(position: Position) -> str:
    """The order that ends a phase, if it may be given now."""
    if position.why_not(END) is None:
        return str(END)
    return next((str(order) for order in position.legal if order.verb == "end"), "")


@dataclass(frozen=True)
class Score:
    """A duel over side-swapped pairs, for the first entrant."""

    game: str
    first: str
    second: str
    pairs: int
    won: float
    games: int
    games_won: float
    by_side: Mapping[str, float]
    margin: float
    """Mean margin in favour of the first."""
    cpu: tuple[float, float]
    """Processor time a player-turn."""
    broke: tuple[str, ...] = ()
    void: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """For people."""
        sides = ", ".join(f"{wins:g} as {side}" for side, wins in self.by_side.items())
        pairs = f"{self.won:g} of {self.pairs} pairs, {share(self.won, self.pairs)}" if self.pairs else "no whole pair"
        games = f"{self.games_won:g} of {self.games} games ({sides}), mean margin {self.margin:+.1f}"
        spent = " and ".join(f"{seconds:.2f} s" for seconds in self.cpu)
        lines = [f"{self.game}: {self.first} over {self.second}: {pairs}; {games}; {spent} a player-turn"]
        lines += [f"  broke: {text}" for text in self.broke] + [f"  void: {text}" for text in self.void]
        return "\n".join(lines)


def score(game_id: str, entrants: tuple[Entrant, Entrant], bouts: Sequence[Bout]) -> Score:
    """Count a series."""
    first, second = load_game(game_id).sides
    counted = [b for b in bouts if not b.void]
    by_index: dict[int, dict[str, Bout]] = {}
    by_side = dict.fromkeys((first, second), 0.0)
    margins = []
    for bout in counted:
        by_index.setdefault(bout.index, {})[bout.side] = bout
        by_side[bout.side] += point(bout.winner, bout.side)
        margins.append(lead(bout.winner, bout.margin, first) * (1 if bout.side == first else -1))
    whole = [pair for pair in by_index.values() if len(pair) == 2]
    won = sum(pair_point(pair[first], pair[second], first) for pair in whole)
    spent = [
        sum(b.cpu[n] for b in counted) / max(1, sum(b.turns_played[n] for b in counted)) for n in (0, 1)
    ]  # fmt: skip
    return Score(
        game_id, str(entrants[0]), str(entrants[1]), len(whole), won, len(counted), sum(by_side.values()), by_side,
        sum(margins) / max(1, len(margins)), (spent[0], spent[1]), tuple(b.broke for b in counted if b.broke),
        tuple(b.void for b in bouts if b.void),
    )  # fmt: skip


# Series -------------------------------------------------------------------------------------------


def _head(match: Match, entrants: tuple[Entrant, Entrant]) -> dict[str, Any]:
    return {
        "game": match.game, "seed": match.seed, "scenario": match.scenario, "options": dict(match.options),
        "entrants": [list(entrant) for entrant in entrants],
    }  # fmt: skip


def kept_bouts(path: Path, head: Mapping[str, Any]) -> list[Bout]:
    """The games of an earlier run of the same series; a cut-off last line is dropped."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines or json.loads(lines[0]) != head:
        raise LadogaError(f"{path}: these are games of another duel")
    found = []
    for line in lines[1:]:
        try:
            values = json.loads(line)
        except ValueError:
            break
        found.append(Bout(**{**values, "cpu": tuple(values["cpu"]), "turns_played": tuple(values["turns_played"])}))
    return found


def series(
    match: Match, entrants: tuple[Entrant, Entrant], pairs: int, *, keep: Path | None = None
) -> Iterator[list[Bout]]:
    """Play so many pairs; all games so far after each new one. A pair is played whole before the next begins."""
    head = _head(match, entrants)
    bouts = kept_bouts(keep, head) if keep is not None else []
    done = {(bout.index, bout.side) for bout in bouts}
    sides = load_game(match.game).sides
    wanted = [(index, side) for index in range(pairs) for side in sides if (index, side) not in done]
    bouts = [bout for bout in bouts if bout.index < pairs]
    yield bouts
    if not wanted:
        return
    with ExitStack() as stack:
        programs = [Program(one, stack.enter_context(source_of(one.place))) for one in entrants]
        for program in programs:
            stack.callback(program.close)
        if keep is not None:
            keep.parent.mkdir(parents=True, exist_ok=True)
            if not keep.exists():
                write_whole(keep, json.dumps(head) + "\n")
        for index, side in wanted:
            bout = _Clerk(match, index, side, (programs[0], programs[1])).play()
            bouts.append(bout)
            if keep is not None:
                with keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(bout)) + "\n")
            yield bouts


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Play two programs against one another.")
    parser.add_argument("games", nargs="*", help="games to play, all without")
    parser.add_argument("--player", default="general", help="NAME or NAME@PLACE, a folder or a commit")
    parser.add_argument("--against", required=True, help="the other one, written alike")
    parser.add_argument("--pairs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--think", type=float, default=1.0, help="processor seconds a player-turn; 0: fixed work")
    parser.add_argument("--against-think", type=float, help="of the other one, if it is to have another time")
    parser.add_argument("--scenario")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the games, so that a stopped run goes on")
    parser.add_argument("--json", action="store_true", help="the score as JSON")
    asked = parser.parse_args()
    other = asked.think if asked.against_think is None else asked.against_think
    entrants = (Entrant.named(asked.player, asked.think or None), Entrant.named(asked.against, other or None))
    for game_id in asked.games or game_ids():
        match = Match(game_id, {}, asked.seed, asked.scenario)
        name = "-".join(str(one).replace("/", "_").replace(" ", "") for one in entrants)
        keep = asked.keep / f"{game_id}-{name}-{asked.seed}.jsonl" if asked.keep else None
        bouts: list[Bout] = []
        for bouts in series(match, entrants, asked.pairs, keep=keep):
            if bouts and not asked.json:
                print(_line(bouts[-1]), file=sys.stderr, flush=True)
        found = score(game_id, entrants, bouts)
        print(json.dumps(asdict(found)) if asked.json else found.text, flush=True)


def _line(bout: Bout) -> str:
    """A game, while people wait."""
    if bout.void or bout.broke:
        return f"  {bout.index} {bout.side}: {bout.void or bout.broke}"
    return f"  {bout.index} as {bout.side}: {bout.winner or 'draw'}, {bout.level}, {bout.margin:g}, turn {bout.turns}"


if __name__ == "__main__":
    main()
