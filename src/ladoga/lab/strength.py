"""How strong the players are: ``python -m ladoga.lab.strength`` measures and rewrites docs/strength.md.

Games are unfair to one side, so the unit of measure is a pair: two games on the same dice with the
sides swapped. A pair goes to the player who won more of its two games, or, one each, to the one with
the better margins over both. Shares come with Wilson 95 % intervals. What is measured comes in parts (``--part``):

``base``      general and staff over those of an earlier version, in processes of their own
``partners``  general over the sparring partners, and the partners over the general of the earlier version
``time``      general with 5 s a player-turn over general with 0.5 s
``problems``  the book of problems
``audit``     what general and staff leave undone
``ladder``    every player over the one below, and staff against staff
``levels``    the levels that people choose from, each over the one below; with ``--ratings`` into that file too

Only the rows of what was measured are rewritten, so that games and parts can be measured one by one, also at the same
time; with ``--keep`` a run that was stopped goes on. The laboratory plays the games; nothing imports this module.
"""

from __future__ import annotations

import argparse
import fcntl
import math
import os
import statistics
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ..kernel.data import load
from ..kernel.errors import LadogaError
from ..kernel.files import write_whole
from ..kernel.game import game_ids, load_game
from ..players.levels import LEVELS, PAR, Rating
from ..players.partners import PARTNERS
from ..players.tuning import tuning
from .audit import Ledger
from .duel import Bout, Entrant, Score, score, series
from .keep import keeping, kept
from .problems import attempt, book, halves
from .simulate import Match, Played, simulate
from .tournament import pair_point, point, share

LADDER = (("greedy", "random"), ("staff", "greedy"), ("general", "staff"))
BASE = "2872a94"
"""The version that players are held against, where nothing else is said: the one that settled the rules."""
BEFORE = {"general": "ladoga.players.race:RacingPlayer", "staff": "staff"}
"""The players of that version: its general was the race of tempers in every game."""
THINK, LONG, SHORT = 1.0, 5.0, 0.5
"""Processor seconds a player-turn in duels, and the two times whose worth is compared."""
HARD = 10.0
"""Seconds a player-turn for a problem."""


class Table(NamedTuple):
    """A table of the page: its heading, and how many cells say what a row is about."""

    head: tuple[str, ...]
    keys: int


TABLES: dict[str, Table] = {
    "duels": Table(
        ("Game", "Players", "Pairs", "Pairs won (95 %)", "Games won", "Mean margin", "Seconds a player-turn"), 2
    ),
    "problems": Table(("Game", "Player", "Open", "Held out", "Seconds a player-turn"), 2),
    "audit": Table(
        ("Game", "Player", "Side", "Attacks of negative worth", "Lone headquarters", "Reserves never in", "Idle units"),
        3,
    ),
    "ladder": Table(("Game", "Players", "Pairs", "Pairs won (95 %)", "Games won"), 2),
    "staff": Table(("Game", "Staff against staff", "Figure"), 2),
    "levels": Table(("Game", "Level", "Rating", "Within (95 %)", "Games"), 2),
}
Rows = Mapping[str, Sequence[str]]
"""For each table the rows that were measured."""


def row(*cells: object) -> str:
    """A line of a table.

    >>> row("tijvin-1941", 3)
    '| tijvin-1941 | 3 |'
    """
    return f"| {' | '.join(map(str, cells))} |"


class Lab(NamedTuple):
    """Where the games are played, and kept so that a stopped run can go on."""

    seed: int = 1
    executor: Executor | None = None
    folder: Path | None = None
    pairs: int = 20
    searched: int = 12
    slow: int = 4
    base: str = BASE
    ratings: Path | None = None

    def play(self, game_id: str, players: Mapping[str, str], games: int, *, watch: bool = False) -> list[Played]:
        """So many games between two players, in order; a game that broke ends the measurement."""
        match = Match(game_id, players, self.seed)
        path = self.folder / f"{game_id}-{'-'.join(players.values())}.jsonl" if self.folder else None
        done = kept(path, match, watched=watch) if path else []
        before = {one.index for one in done}
        with keeping(path, match, done) as keep:
            for one in simulate(match, games, executor=self.executor, chunk=1, skip=before, watch=watch):
                if one.error:
                    raise LadogaError(f"{game_id}, {dict(players)}, game {one.index}: {one.error}")
                keep(one)
                done.append(one)
        return sorted((one for one in done if one.index < games), key=lambda one: one.index)

    def duel(self, game_id: str, first: Entrant, second: Entrant, pairs: int) -> Score:
        """So many pairs between two programs."""
        name = "-".join(str(one).replace("/", "_").replace(" ", "") for one in (first, second))
        path = self.folder / f"duel-{game_id}-{name}-{self.seed}.jsonl" if self.folder else None
        bouts: list[Bout] = deque(series(Match(game_id, {}, self.seed), (first, second), pairs, keep=path), 1).pop()
        return score(game_id, (first, second), bouts)


# Duels --------------------------------------------------------------------------------------------


def duel_row(found: Score, players: str) -> str:
    """A duel as a row."""
    sides = ", ".join(f"{wins:g} as {side}" for side, wins in found.by_side.items())
    void = f", {len(found.void)} void" if found.void else ""
    won = share(found.won, found.pairs) if found.pairs else "none"
    games = f"{found.games_won:g} of {found.games} ({sides}){void}"
    spent = " and ".join(f"{seconds:.2f}" for seconds in found.cpu)
    return row(found.game, players, found.pairs, won, games, f"{found.margin:+.1f}", spent)


def _against_base(lab: Lab, game_id: str) -> Rows:
    rows = []
    for player in ("general", "staff"):
        found = lab.duel(game_id, Entrant(player, "", THINK), Entrant(BEFORE[player], lab.base, THINK), lab.searched)
        rows.append(duel_row(found, f"{player} over {player} before"))
    return {"duels": rows}


def _against_partners(lab: Lab, game_id: str) -> Rows:
    rows = []
    for partner in PARTNERS:
        met = Entrant(partner, "", THINK)
        found = lab.duel(game_id, met, Entrant(BEFORE["general"], lab.base, THINK), lab.searched)
        rows.append(duel_row(found, f"{partner} over general before"))
        found = lab.duel(game_id, Entrant("general", "", THINK), met, lab.searched)
        rows.append(duel_row(found, f"general over {partner}"))
    return {"duels": rows}


def _time_pays(lab: Lab, game_id: str) -> Rows:
    found = lab.duel(game_id, Entrant("general", "", LONG), Entrant("general", "", SHORT), lab.searched)
    return {"duels": [duel_row(found, f"general with {LONG:g} s over {SHORT:g} s")]}


# Problems and audit -------------------------------------------------------------------------------


def _problems(lab: Lab, game_id: str) -> Rows:
    rows = []
    for player, think in (("general", HARD), ("staff", None)) if lab.searched else (("staff", None),):
        tried = [attempt(name, problem, player, think=think) for name, problem in book([game_id])]
        parts = halves(tried)
        counts = [f"{solved} of {count}" for solved, count in parts.values()]
        rows.append(row(game_id, player, *counts, f"{statistics.fmean(one.seconds for one in tried):.2f}"))
    return {"problems": rows}


def _audit(lab: Lab, game_id: str) -> Rows:
    rows = []
    sides = load_game(game_id).sides
    for player, games in (("general", lab.searched), ("staff", lab.pairs)):
        if not games:
            continue
        totals = {side: Ledger() for side in sides}
        match = Match(game_id, dict.fromkeys(sides, player), lab.seed)
        for one in simulate(match, games, executor=lab.executor, audit=True):
            for side, total in totals.items():
                total.add(Ledger.from_json(one.audit[side]))
        for side, total in totals.items():
            parts = (
                (total.negative, total.attacks), (total.lone, total.headquarters), (total.never, total.reserves),
                (total.idle, total.units),
            )  # fmt: skip
            rows.append(row(game_id, player, side, *(f"{some} of {of}" for some, of in parts)))
    return {"audit": rows}


# The ladder ---------------------------------------------------------------------------------------


class Rung(NamedTuple):
    """One player against the one below, over side-swapped pairs."""

    game: str
    better: str
    worse: str
    pairs: int
    won: float
    games_won: float
    by_side: dict[str, float]

    @property
    def row(self) -> str:
        """A line of the table."""
        sides = ", ".join(f"{wins:g} as {side}" for side, wins in self.by_side.items())
        games = f"{self.games_won:g} of {2 * self.pairs} ({sides})"
        return row(self.game, f"{self.better} over {self.worse}", self.pairs, share(self.won, self.pairs), games)


def rung(lab: Lab, game_id: str, better: str, worse: str, pairs: int) -> Rung:
    """Play so many pairs."""
    first, second = load_game(game_id).sides
    ahead = lab.play(game_id, {first: better, second: worse}, pairs)
    behind = lab.play(game_id, {first: worse, second: better}, pairs)
    won = sum(pair_point(one, other, first) for one, other in zip(ahead, behind, strict=True))
    by_side = {first: _wins(ahead, first), second: _wins(behind, second)}
    return Rung(game_id, better, worse, pairs, won, sum(by_side.values()), by_side)


def _wins(games: Iterable[Played], side: str) -> float:
    return sum(point(one.winner, side) for one in games)


def plausibility(lab: Lab, game_id: str, games: int) -> list[str]:
    """Staff against staff: who wins, how long a player-turn takes, and what the notes lead one to expect."""
    sides = load_game(game_id).sides
    played = lab.play(game_id, dict.fromkeys(sides, "staff"), games, watch=True)
    figures = [(f"{side} wins", share(_wins(played, side), games)) for side in sides]
    turns = [spent for one in played for shot in one.snapshots for spent in shot.seconds.values()]
    figures.append(("median thinking a player-turn", f"{statistics.median(turns):.2f} s"))
    whole = statistics.median(sum(sum(shot.seconds.values()) for shot in one.snapshots) for one in played)
    figures.append(("median thinking a game", f"{whole:.1f} s"))
    for expected in tuning(game_id).expect:
        hexes = set(expected.hexes)
        met = sum(
            any(hexes & set(shot.held.get(expected.side, ())) for shot in one.snapshots if shot.turn <= expected.by)
            for one in played
        )
        figures.append((expected.text, f"{met} of {games} games"))
    return [row(game_id, text, figure) for text, figure in figures]


def _ladder(lab: Lab, game_id: str) -> Rows:
    rows = []
    for better, worse in LADDER:
        count = lab.searched if better == "general" else lab.pairs
        if count:
            rows.append(rung(lab, game_id, better, worse, count).row)
    return {"ladder": rows, "staff": plausibility(lab, game_id, lab.pairs) if lab.pairs else []}


def ahead(won: float, games: int) -> tuple[float, float]:
    """By how much a player is rated above another after so many games, on the Elo scale, and how sure that is: half a
    game is added to what each has won, so that who never lost has a number too.

    >>> above, within = ahead(15, 20)
    >>> round(above), round(within)
    (180, 169)
    """
    won, lost = won + 0.5, games - won + 0.5
    scale = 400 / math.log(10)
    return scale * math.log(won / lost), 1.96 * scale * math.sqrt(1 / won + 1 / lost)


def rated(steps: Mapping[tuple[str, str], tuple[float, int]]) -> dict[str, Rating]:
    """Ratings of the levels from what the better of each two neighbours won, out of how many games, as far as the
    games go.

    >>> steps = {("recruit", "staff"): (15, 20), ("staff", "officer"): (10, 20), ("officer", "general"): (3, 4)}
    >>> [(name, found.rating, found.within) for name, found in rated(steps).items()]
    [('recruit', 820, 169), ('staff', 1000, 0), ('officer', 1000, 149), ('general', 1147, 364)]
    """
    par, rating = PAR
    names = list(LEVELS)
    found, at = {par: Rating(rating=rating, within=0, games=0)}, names.index(par)
    for line, sign in ((names[at:], 1), (names[at::-1], -1)):
        for known, new in pairwise(line):
            step = (known, new) if sign > 0 else (new, known)
            if step not in steps:
                break
            won, games = steps[step]
            above, within = ahead(won, games)
            found[new] = Rating(
                rating=found[known].rating + sign * round(above), within=round(math.hypot(found[known].within, within)),
                games=games,
            )  # fmt: skip
    return {name: found[name] for name in names if name in found}


def _levels(lab: Lab, game_id: str) -> Rows:
    steps = {}
    for (worse, lower), (better, upper) in pairwise(LEVELS.items()):
        pairs = lab.pairs if upper.think is None else lab.searched if upper.think <= THINK else lab.slow
        if pairs:
            first, second = (Entrant(level.player, "", level.think) for level in (upper, lower))
            met = lab.duel(game_id, first, second, pairs)
            steps[worse, better] = (met.games_won, met.games)
    found = rated(steps)
    if lab.ratings is not None:
        with _alone(lab.ratings):
            rate(lab.ratings, game_id, found)
    return {"levels": [row(game_id, name, one.rating, one.within, one.games) for name, one in found.items()]}


def rate(path: Path, game_id: str, found: Mapping[str, Rating]) -> None:
    """Put the ratings of a game into the file of ratings; its first line and those of other games stay."""
    known = load(path, dict[str, dict[str, Rating]])
    known[game_id] = dict(found)
    lines = [path.read_text(encoding="utf-8").splitlines()[0]]
    for game in sorted(known):
        lines.append(f"{game}:")
        for name, one in known[game].items():
            lines.append(f"  {name}: {{rating: {one.rating}, within: {one.within}, games: {one.games}}}")
    write_whole(path, "\n".join(lines) + "\n")


PARTS: dict[str, Callable[[Lab, str], Rows]] = {
    "base": _against_base,
    "partners": _against_partners,
    "time": _time_pays,
    "problems": _problems,
    "audit": _audit,
    "ladder": _ladder,
    "levels": _levels,
}


# The page -----------------------------------------------------------------------------------------


def mark(table: str) -> str:
    """What stands before and after a table that is written by this module."""
    return f"<!-- measured: {table} -->"


def measure(lab: Lab, games: Sequence[str], parts: Sequence[str], page: Path | None) -> None:
    """Measure each game, and put its rows into the page as soon as they are there."""
    for game_id in games:
        for part in parts:
            rows = PARTS[part](lab, game_id)
            print("\n".join(line for found in rows.values() for line in found), flush=True)
            if page is not None:
                with _alone(page):
                    write_whole(page, updated(page.read_text(encoding="utf-8"), rows))


def updated(text: str, rows: Rows) -> str:
    """The page with new rows in the place of those they replace; all other rows stay.

    A row replaces the one of the same table that is about the same; the rows of a game on its staff are replaced
    together."""
    for name, found in rows.items():
        table, stroke = TABLES[name], mark(name)
        if not found:
            continue
        if text.count(stroke) != 2:
            raise LadogaError(f"the page has no place for the table {name}")
        head, old, tail = text.split(stroke)
        known = {_cells(line)[: table.keys]: line for line in old.splitlines()[3:] if line.startswith("| ")}
        if name == "staff":
            fresh = {_cells(line)[0] for line in found}
            known = {key: line for key, line in known.items() if key[0] not in fresh}
        known.update({_cells(line)[: table.keys]: line for line in found})
        order = {game: number for number, game in enumerate(game_ids())}
        lines = sorted(known.items(), key=lambda item: order.get(item[0][0], len(order)))
        heading = (row(*table.head), row(*("---" for _ in table.head)))
        text = "\n".join((f"{head}{stroke}", *heading, *(line for _, line in lines), f"{stroke}{tail}"))
    return text


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip("| ").split(" | "))


@contextmanager
def _alone(page: Path) -> Iterator[None]:
    """Nobody else rewrites a page in the same folder meanwhile."""
    folder = os.open(page.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure the players and rewrite the strength page.")
    parser.add_argument("games", nargs="*", help="games to measure, all without")
    parser.add_argument("--part", action="append", choices=list(PARTS), help="what to measure; may be repeated")
    parser.add_argument("--base", default=BASE, help="the version to hold against: a commit, or a source folder")
    parser.add_argument("--pairs", type=int, default=20, help="pairs a rung, and games of staff against staff")
    parser.add_argument("--searched", type=int, default=12, help="pairs for players who search, who are slow; 0: none")
    parser.add_argument("--slow", type=int, default=4, help="pairs at ten seconds, of the highest level; 0: none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2, help="of the ladder; duels are played one by one")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the games, so that a stopped run goes on")
    parser.add_argument("--ratings", type=Path, help="the file that keeps the ratings of the levels")
    parser.add_argument("--page", type=Path, help="the page to put the rows into; without, they are only printed")
    asked = parser.parse_args()
    games, parts = asked.games or game_ids(), asked.part or list(PARTS)
    lab = Lab(asked.seed, None, asked.keep, asked.pairs, asked.searched, asked.slow, asked.base, asked.ratings)
    if asked.workers < 2:
        measure(lab, games, parts, asked.page)
        return
    with ProcessPoolExecutor(asked.workers) as executor:
        measure(lab._replace(executor=executor), games, parts, asked.page)


if __name__ == "__main__":
    main()
