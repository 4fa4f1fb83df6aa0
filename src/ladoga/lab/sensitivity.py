"""Which judgements matter: every judged figure at both ends of what is plausible, on the same dice.

A game says in ``ranges.yaml``, beside its other data, how far each judged figure could be wrong. Each end is played as
a folder of corrections, like one that an owner of the printed game writes, and game ``i`` of it has the dice of game
``i`` as shipped. All ends are played in turns, a round of games each, and one whose difference is sure is not played
on.

Where games are dear, ``together`` asks about all figures at once: in game ``i`` each of them is at one end or the
other by lot, and the same dice are played again with all of them at their other end. Every such pair tells about every
figure, so that with as many ranges as a game has it takes a tenth of the games or less. What is told then is the change
from one end to the other, on average over what the other figures might be.

Many differences are looked at together, so each interval is the wider for it: with a risk of one in twenty one of all
the intervals of a run misses.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import suppress
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from ..kernel.data import Strict, load, read_file
from ..kernel.errors import BadData, LadogaError
from ..kernel.files import write_whole
from ..kernel.game import Game, load_game
from .compare import RISK, Difference, Figure, version
from .keep import keeping, kept
from .simulate import Match, Played, Snapshot, play_match, simulate

FILE = "ranges.yaml"
ROUND = 10
"""Games of each end that are played before the next end has its turn."""
ENDS = ("low", "high")


class End(Strict):
    """One end of a range: so much more or less than shipped, or something else in its place."""

    by: int = 0
    to: Any = None
    said: str = ""

    def of(self, value: Any, one: Range) -> Any:
        """The value at this end. Lists are taken one by one, of a text such as ``8-A`` the number it begins with."""
        if self.to is not None:
            return self.to
        if isinstance(value, list):
            return [self.of(each, one) for each in value]
        if one.along:
            return one.along[min(max(one.along.index(value) + self.by, 0), len(one.along) - 1)]
        if isinstance(value, int):
            return one.bounded(value + self.by)
        found = re.match(r"\d+(?![\d/])", str(value))
        if found is None:
            raise BadData(f"{value!r} is not a number that could be more or less")
        return f"{one.bounded(int(found[0]) + self.by)}{str(value)[found.end() :]}"


class Range(Strict):
    """A judged figure, or several judged on the same grounds, and how far it could be wrong."""

    title: str
    at: list[str]
    """Where it stands: a file, then the keys that lead to it; ``*`` for any, ``a|b`` for either."""
    low: End
    high: End
    why: str
    where: dict[str, str] = {}
    """Only in entries with these values."""
    along: list[str] = []
    """Values that are no numbers, in their order."""
    within: tuple[int, int] | None = None

    def bounded(self, number: int) -> int:
        """A number that stays within what makes sense."""
        return number if self.within is None else min(max(number, self.within[0]), self.within[1])


class Ranges(Strict):
    """What a game says about its judged figures.

    >>> import ladoga
    >>> found = ranges(ladoga.load("leningrad41"))
    >>> sorted(found.only(["urban", "rubble"]).figures)
    ['rubble', 'urban']
    """

    figures: dict[str, Range]
    left: dict[str, str] = {}
    """What is judged and not varied, and why not."""

    def only(self, names: Iterable[str]) -> Ranges:
        """Only some of the figures; all of them if none is named."""
        wanted = set(names) or set(self.figures)
        for name in sorted(wanted - set(self.figures)):
            raise LadogaError(f"no range is called {name!r}; there are {', '.join(self.figures)}")
        return Ranges({name: one for name, one in self.figures.items() if name in wanted}, self.left)


def ranges(game: Game, file: Path | None = None) -> Ranges:
    """The ranges of a game's judged figures, or of whatever figures a file of your own names.

    >>> import ladoga
    >>> ranges(ladoga.load("leningrad41")).figures["urban"].high.said
    'as much as an objective'
    """
    path = file or game.folder / FILE
    if file is None and not path.is_file():
        raise LadogaError(f"{game.id} does not say how far its figures could be wrong; give a file with --ranges")
    return load(path, Ranges)


def corrections(game: Game, one: Range, end: str) -> dict[str, Any]:
    """One end of a range as an owner's corrections: for each file what is different in it.

    >>> import ladoga
    >>> game = ladoga.load("leningrad41")
    >>> corrections(game, ranges(game).figures["urban"], "high")
    {'tables.yaml': {'modifiers': {'urban': {'drm': 2}}}}
    """
    return _laid(game, [(one, end)])


def _laid(game: Game, ends: Iterable[tuple[Range, str]]) -> dict[str, Any]:
    """Some ends of ranges, one after another, as corrections."""
    shipped: dict[str, Any] = {}
    changed: dict[str, Any] = {}
    for one, end in ends:
        for place in one.at:
            name, *steps = place.split()
            if name not in shipped:
                shipped[name] = read_file(game.folder / name)
                changed[name] = deepcopy(shipped[name])
            _change(changed[name], steps, one, getattr(one, end))
    found = {name: _difference(shipped[name], changed[name]) for name in shipped}
    return {name: value for name, value in found.items() if value is not None}


def _change(value: Any, steps: Sequence[str], one: Range, end: End) -> None:
    """Change every judged figure below a value that the steps lead to."""
    step, *rest = steps
    for key, item in _led(value, step):
        if rest:
            _change(item, rest, one, end)
        elif _meant(value, one):
            value[key] = end.of(item, one)


def _led(value: Any, step: str) -> list[tuple[Any, Any]]:
    if isinstance(value, list):
        return list(enumerate(value)) if step == "*" else []
    items = value.items() if isinstance(value, dict) else ()
    return [(key, item) for key, item in items if step == "*" or key in step.split("|")]


def _meant(entry: Any, one: Range) -> bool:
    """Whether an entry is one of those that vary; what is printed never does."""
    if not isinstance(entry, dict):
        return True
    judged = entry.get("from", "judged") == "judged"
    return judged and all(str(entry.get(key)) in text.split("|") for key, text in one.where.items())


def _difference(before: Any, after: Any) -> Any:
    """What has to be laid over a value to make it the other; nothing if they are equal."""
    if isinstance(before, dict) and isinstance(after, dict):
        found = {key: _difference(before[key], value) for key, value in after.items()}
        return {key: value for key, value in found.items() if value is not None} or None
    return None if before == after else after


@dataclass(frozen=True)
class Swing:
    """One range: what its two ends do to every figure asked for."""

    name: str
    range: Range
    low: tuple[Difference, ...]
    high: tuple[Difference, ...]

    def size(self, which: int = 0) -> float:
        """The larger of the two differences, without its sign."""
        return max(abs(self.low[which].mean), abs(self.high[which].mean))

    @property
    def matters(self) -> bool:
        """Whether one of the ends surely changes the first figure."""
        return self.low[0].decided() or self.high[0].decided()

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        ends = {end: [difference.as_json() for difference in getattr(self, end)] for end in ENDS}
        said = {f"{end}_said": getattr(self.range, end).said for end in ENDS}
        return {"name": self.name, "title": self.range.title, "why": self.range.why, **said, **ends}


@dataclass(frozen=True)
class Sensitivity:
    """How things stand: the game as shipped, and what each range does, the greatest first.

    >>> from ladoga.kernel.data import shape
    >>> one = shape({"title": "Pace", "at": [], "low": {"by": -1}, "high": {"by": 1}, "why": "a guess"}, Range)
    >>> margin = Figure.parse("margin")
    >>> ends = [(Difference(margin, [0.0] * 12, [change] * 12),) for change in (-2.0, 3.0)]
    >>> found = Sensitivity(Match("tijvin-1941", {}), (margin,), ((0.0,) * 12,), (Swing("pace", one, *ends),))
    >>> found.swings[0].size(), found.swings[0].matters
    (3.0, True)
    """

    match: Match
    figures: tuple[Figure, ...]
    usual: tuple[tuple[float, ...], ...]
    """The values of each figure in the games as shipped."""
    swings: tuple[Swing, ...]
    errors: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "game": self.match.game, "seed": self.match.seed, "players": dict(self.match.players),
            "scenario": self.match.scenario, "options": dict(self.match.options), "games": len(self.usual[0]),
            "usual": {f.text: mean(values) for f, values in zip(self.figures, self.usual, strict=True)},
            "swings": [swing.as_json() for swing in self.swings], "errors": list(self.errors),
        }  # fmt: skip

    def as_text(self) -> str:
        """A table for people for each figure; a star marks a difference that is sure."""
        players = ", ".join(f"{side}: {name}" for side, name in self.match.players.items())
        lines = [f"{self.match.game}, {players}, seed {self.match.seed}: judged figures at both ends of their ranges"]
        for which, (figure, values) in enumerate(zip(self.figures, self.usual, strict=True)):
            scale = 100.0 if figure.yes_or_no else 1.0
            unit = " %" if figure.yes_or_no else ""
            lines += ["", f"{figure.text}: {scale * mean(values):.1f}{unit} in {len(values)} games as shipped"]
            lines.append(f"  {'figure':24} {'low end':28} {'high end':28} pairs")
            for swing in sorted(self.swings, key=lambda one: -one.size(which)):
                cells = (told(difference, scale) for difference in (swing.low[which], swing.high[which]))
                pairs = f"{swing.low[which].pairs}, {swing.high[which].pairs}"
                lines.append(f"  {swing.name:24} {' '.join(f'{cell:28}' for cell in cells)} {pairs}")
        return "\n".join([*lines, *(f"broke off: {error}" for error in self.errors[:3])])


def mean(values: Sequence[float]) -> float:
    """The mean of values, 0 if there are none."""
    return sum(values) / len(values) if values else 0.0


def told(difference: Difference, scale: float) -> str:
    """A difference with its interval: ``+3.1 (-0.2 to +6.4)``; a star if it is sure."""
    low, high = difference.interval
    if not math.isfinite(low):
        return f"{scale * difference.mean:+.1f} (too few pairs)"
    star = " *" if difference.decided() else ""
    return f"{scale * difference.mean:+.1f} ({scale * low:+.1f} to {scale * high:+.1f}){star}"


@dataclass(frozen=True)
class Together:
    """How things stand when all figures vary at once: for each range what its high end brings over its low end.

    >>> from ladoga.kernel.data import shape
    >>> one = shape({"title": "Pace", "at": [], "low": {"by": -1}, "high": {"by": 1}, "why": "a guess"}, Range)
    >>> margin = Figure.parse("margin")
    >>> swing = ("pace", one, (Difference(margin, [0.0] * 12, [5.0] * 12),))
    >>> Together(Match("tijvin-1941", {}), (margin,), (swing,)).sorted(0)[0][2].mean
    5.0
    """

    match: Match
    figures: tuple[Figure, ...]
    swings: tuple[tuple[str, Range, tuple[Difference, ...]], ...]
    errors: tuple[str, ...] = ()

    def sorted(self, which: int) -> list[tuple[str, Range, Difference]]:
        """The ranges with the change of one figure, the greatest first."""
        found = [(name, one, differences[which]) for name, one, differences in self.swings]
        return sorted(found, key=lambda swing: -abs(swing[2].mean))

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "game": self.match.game, "seed": self.match.seed, "players": dict(self.match.players),
            "scenario": self.match.scenario, "options": dict(self.match.options),
            "swings": [
                {
                    "name": name, "title": one.title, "why": one.why, "low_said": one.low.said,
                    "high_said": one.high.said, "differences": [difference.as_json() for difference in differences],
                }
                for name, one, differences in self.swings
            ],
            "errors": list(self.errors),
        }  # fmt: skip

    def as_text(self) -> str:
        """A table for people for each figure; a star marks a change that is sure."""
        players = ", ".join(f"{side}: {name}" for side, name in self.match.players.items())
        pairs = self.swings[0][2][0].pairs
        lines = [f"{self.match.game}, {players}, seed {self.match.seed}: {pairs} mirrored pairs, all figures at once"]
        for which, figure in enumerate(self.figures):
            scale = 100.0 if figure.yes_or_no else 1.0
            lines += ["", f"{figure.text}: the change from the low end to the high end"]
            for name, _, difference in self.sorted(which):
                lines.append(f"  {name:24} {told(difference, scale)}")
        return "\n".join([*lines, *(f"broke off: {error}" for error in self.errors[:3])])


def lot(match: Match, pair: int, name: str) -> bool:
    """Whether a figure is at its high end in the first game of a pair."""
    return random.Random(f"{match.seed}:{pair}:{name}").random() < 0.5


def _mirrored(match: Match, ranges_: Mapping[str, Range], pair: int, mirror: bool, watch: bool) -> Played:
    """One game of a pair: every figure at the end that the lot gives it, or (``mirror``) all at the other."""
    game = load_game(match.game)
    ends = [(one, ENDS[lot(match, pair, name) != mirror]) for name, one in ranges_.items()]
    return play_match(match, pair, game=load_game(match.game, _laid(game, ends)), watch=watch)


class _Kept:
    """The games of mirrored pairs, in a file as they come."""

    def __init__(self, file: Path, match: Match, names: Sequence[str]) -> None:
        self.file, self.games = file, dict[tuple[int, bool], Played]()
        self.head = json.dumps({**version(match), "game": match.game, "seed": match.seed, "ranges": list(names)})
        lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        if lines and lines[0] != self.head:
            raise LadogaError(f"{file}: these are games of another run; keep this one somewhere else")
        for line in lines[1:]:
            with suppress(ValueError):  # a line that was cut off is played again
                pair, mirror, values = json.loads(line)
                snapshots = tuple(Snapshot(**snapshot) for snapshot in values.pop("snapshots"))
                self.games[pair, mirror] = Played(**values, snapshots=snapshots)
        write_whole(file, "\n".join([self.head, *(self._line(key) for key in self.games)]) + "\n")

    def _line(self, key: tuple[int, bool]) -> str:
        return json.dumps([*key, asdict(self.games[key])])

    def add(self, key: tuple[int, bool], played: Played) -> None:
        """Keep a game."""
        self.games[key] = played
        with self.file.open("a", encoding="utf-8") as file:
            file.write(self._line(key) + "\n")


def together(
    match: Match,
    found: Ranges,
    figures: Sequence[Figure],
    pairs: int,
    keep: Path,
    *,
    least: float = 0.0,
    executor: Executor | None = None,
) -> Iterator[Together]:
    """Play mirrored pairs, all ranges at once, until the first figure is decided for each of them or ``pairs`` are
    played; yields how things stand after each pair. What is in ``keep`` is not played again.

    >>> from tempfile import TemporaryDirectory
    >>> from ladoga.kernel.data import shape
    >>> efficiency = {"title": "Efficiency", "at": ["units.yaml units * efficiency is"], "why": "a guess"}
    >>> found = shape({"figures": {"efficiency": {**efficiency, "low": {"by": -1}, "high": {"by": 1}}}}, Ranges)
    >>> with TemporaryDirectory() as folder:
    ...     *_, last = together(Match("tijvin-1941", {}, seed=1), found, [Figure.parse("turns")], 1, Path(folder))
    >>> [(name, differences[0].pairs) for name, _, differences in last.swings]
    [('efficiency', 1)]
    """
    first = match.load().sides[0]
    watch = any(figure.watched for figure in figures)
    store = _Kept(keep / "together.jsonl", match, list(found.figures))
    risk = RISK / max(len(found.figures), 1)
    differences = {name: tuple(Difference(figure, risk=risk) for figure in figures) for name in found.figures}
    swings = tuple((name, found.figures[name], asked) for name, asked in differences.items())
    errors: list[str] = []
    for start in range(0, pairs, ROUND // 2):
        now = range(start, min(start + ROUND // 2, pairs))
        wanted = [(pair, mirror) for pair in now for mirror in (False, True) if (pair, mirror) not in store.games]
        for key, played in _each(match, found.figures, wanted, watch, executor):
            store.add(key, played)
        for pair in now:
            games = store.games[pair, False], store.games[pair, True]
            errors += [f"pair {pair}: {one.error}" for one in games if one.error]
            for name, asked in differences.items() if not (games[0].error or games[1].error) else ():
                high, low = games if lot(match, pair, name) else games[::-1]
                for difference in asked:
                    difference.before.append(difference.figure.of(low, first))
                    difference.after.append(difference.figure.of(high, first))
            yield Together(match, tuple(figures), swings, tuple(errors))
        if all(asked[0].decided(least) for asked in differences.values()):
            return


def _each(
    match: Match,
    figures: Mapping[str, Range],
    wanted: Sequence[tuple[int, bool]],
    watch: bool,
    executor: Executor | None,
) -> Iterator[tuple[tuple[int, bool], Played]]:
    """Games of pairs as they are done."""
    if executor is None:
        yield from ((key, _mirrored(match, figures, *key, watch)) for key in wanted)
        return
    waiting = {executor.submit(_mirrored, match, figures, *key, watch): key for key in wanted}
    for done in as_completed(waiting):
        yield waiting[done], done.result()


class _Version:
    """One version of the match: its games so far, kept in a file as they come."""

    def __init__(self, name: str, match: Match, keep: Path, watch: bool, risk: float = RISK) -> None:
        self.name, self.match, self.watch, self.risk = name, match, watch, risk
        self.file = keep / f"{name}.jsonl"
        self.played = {one.index: one for one in kept(self.file, match, watched=watch)}

    def play(self, games: int, executor: Executor | None) -> int:
        """Play on until there are so many games; says how many were played."""
        before = len(self.played)
        if all(index in self.played for index in range(games)):
            return 0
        with keeping(self.file, self.match, self.played.values()) as write:
            for one in simulate(self.match, games, executor=executor, skip=set(self.played), watch=self.watch):
                write(one)
                self.played[one.index] = one
        return len(self.played) - before

    def pairs(self, usual: _Version, figures: Sequence[Figure], first: str) -> tuple[Difference, ...]:
        """Every figure in this version and as shipped, over the games that both have, without a gap."""
        differences = tuple(Difference(figure, risk=self.risk) for figure in figures)
        for index in range(min(len(self.played), len(usual.played))):
            before, after = usual.played.get(index), self.played.get(index)
            if before is None or after is None:
                break
            if before.error or after.error:
                continue
            for difference in differences:
                difference.before.append(difference.figure.of(before, first))
                difference.after.append(difference.figure.of(after, first))
        return differences


def _folder(keep: Path, name: str, found: Mapping[str, Any]) -> str:
    """A folder of corrections; one that holds something else belongs to another run."""
    folder = keep / name
    folder.mkdir(parents=True, exist_ok=True)
    for file, value in found.items():
        path, text = folder / file, yaml.safe_dump(value, sort_keys=False, allow_unicode=True)
        if path.is_file() and path.read_text(encoding="utf-8") != text:
            raise LadogaError(f"{path}: another range than now; keep this run somewhere else")
        write_whole(path, text, sync=False)
    return str(folder)


def sensitivity(
    match: Match,
    found: Ranges,
    figures: Sequence[Figure],
    pairs: int,
    keep: Path,
    *,
    least: float = 0.0,
    executor: Executor | None = None,
) -> Iterator[Sensitivity]:
    """Play every end of every range against the game as shipped, until the first figure is decided or ``pairs`` are
    played; yields how things stand after each round. What is in ``keep`` is not played again.

    >>> from tempfile import TemporaryDirectory
    >>> from ladoga.kernel.data import shape
    >>> efficiency = {"title": "Efficiency", "at": ["units.yaml units * efficiency is"], "why": "a guess"}
    >>> found = shape({"figures": {"efficiency": {**efficiency, "low": {"by": -1}, "high": {"by": 1}}}}, Ranges)
    >>> with TemporaryDirectory() as folder:
    ...     *_, last = sensitivity(Match("tijvin-1941", {}, seed=1), found, [Figure.parse("turns")], 1, Path(folder))
    >>> [swing.name for swing in last.swings], last.swings[0].high[0].pairs
    (['efficiency'], 1)
    """
    game = match.load()
    watch = any(figure.watched for figure in figures)
    usual = _Version("as-shipped", match, keep, watch)
    versions: dict[tuple[str, str], _Version] = {}
    risk = RISK / max(2 * len(found.figures), 1)
    for name in found.figures:
        for end in ENDS:
            laid = corrections(game, found.figures[name], end)
            if not laid:
                raise BadData(f"changes nothing in {game.id}", path=f"figures.{name}.{end}")
            changed = replace(match, data=_folder(keep, f"{name}-{end}", laid))
            changed.load()
            versions[name, end] = _Version(f"{name}-{end}", changed, keep, watch, risk)
    first = game.sides[0]
    for games in [*range(ROUND, pairs, ROUND), pairs]:
        open_ = [one for one in versions.values() if not one.pairs(usual, figures[:1], first)[0].decided(least)]
        for one in (usual, *open_) if open_ else ():
            if one.play(games, executor):
                yield _standing(match, found, figures, usual, versions, first)
    yield _standing(match, found, figures, usual, versions, first)


def _standing(
    match: Match,
    found: Ranges,
    figures: Sequence[Figure],
    usual: _Version,
    versions: Mapping[tuple[str, str], _Version],
    first: str,
) -> Sensitivity:
    names = dict.fromkeys(name for name, _ in versions)
    swings = [
        Swing(name, found.figures[name], *(versions[name, end].pairs(usual, figures, first) for end in ENDS))
        for name in names
    ]
    everything = (usual, *versions.values())
    errors = tuple(f"{v.name}, game {p.index}: {p.error}" for v in everything for p in v.played.values() if p.error)
    shipped = [one for _, one in sorted(usual.played.items()) if not one.error]
    values = tuple(tuple(figure.of(one, first) for one in shipped) for figure in figures)
    return Sensitivity(match, tuple(figures), values, tuple(sorted(swings, key=lambda s: -s.size())), errors)
