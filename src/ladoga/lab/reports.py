"""Reports: what many games say, as one HTML page that needs nothing else.

Plots are drawn as SVG by hand: a few bars, lines and a map of who held what.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Sequence

from ..kernel.game import Game, load_game, typed
from ..kernel.position import won
from .questions import Answer
from .simulate import Match, Played, Snapshot
from .tournament import wilson

COLOURS = {"german": "#4f6d8a", "soviet": "#9c3c22"}
WIDTH, HEIGHT = 640, 220

STYLE = """
body{font:15px/1.5 system-ui,sans-serif;color:#26231d;background:#fbf8f1}
body{max-width:960px;margin:2rem auto;padding:0 1rem}
h1{font:500 2rem/1.2 Georgia,serif}h2{font:500 1.3rem/1.3 Georgia,serif;margin-top:2rem}
table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #e2d9c6}
td:first-child,th:first-child{text-align:left}figure{margin:0}figcaption{color:#6b6354}svg{max-width:100%;height:auto}
figure{margin-bottom:1rem}.wide{overflow-x:auto;font-size:12px}.wide td,.wide th{padding:.2rem .3rem}
.wide td:first-child{white-space:nowrap}
text{font:12px system-ui,sans-serif;fill:#26231d}
"""


def report(match: Match, played: Sequence[Played], answers: Sequence[Answer] = ()) -> str:
    """The page for a simulation whose games were watched, with answers to questions if there are any."""
    game = load_game(match.game, match.data)
    sections = [_outcomes(game, played)]
    if answers:
        sections.append(_answers(answers))
    watched = [one for one in played if one.snapshots]
    if watched:
        sections += [
            _margins(game.sides[0], watched), _losses(game, watched), _places(game, watched), _control(game, watched),
            _luck(game, watched),
        ]  # fmt: skip
    title = html.escape(f"{game.title}: {len(played)} games")
    players = ", ".join(f"{side.title()}: {name}" for side, name in match.players.items())
    players = f"{players}; {_played(game, match)}; seed {match.seed}"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
        f"<h1>{title}</h1><p>{html.escape(players)}</p>{''.join(sections)}</html>\n"
    )


def _played(game: Game, match: Match) -> str:
    """The scenario, and the options that are not as usual."""
    scenario, options = game.settled(match.scenario, match.options)
    unusual = [(game.options[key], value) for key, value in options.items() if value != game.options[key].default]
    words = (f"{option.title}: {typed(value)}" for option, value in unusual)
    return "; ".join([game.scenarios[scenario].title, *words])


def _answers(answers: Iterable[Answer]) -> str:
    rows = []
    for answer in answers:
        low, high = wilson(answer.yes, answer.games)
        share = f"<td>{answer.yes}<td>{answer.share:.1%}<td>{low:.1%} to {high:.1%}"
        rows.append(f"<tr><td>{html.escape(answer.question)}{share}</tr>")
    head = "<tr><th>Question<th>Games<th>Share<th>95 % interval</tr>"
    return f"<h2>Questions</h2><table>{head}{''.join(rows)}</table>"


def _svg(body: str, label: str, width: int = WIDTH, height: int = HEIGHT) -> str:
    return (
        f'<figure><svg role="img" aria-label="{html.escape(label)}" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">{body}</svg><figcaption>{html.escape(label)}</figcaption></figure>'
    )


def _outcomes(game: Game, played: Sequence[Played]) -> str:
    total = max(len(played), 1)
    rows = []
    for side in game.sides:
        wins = sum(one.winner == side for one in played)
        low, high = wilson(wins, len(played))
        rows.append(f"<tr><td>{side.title()} wins<td>{wins}<td>{wins / total:.1%}<td>{low:.1%} to {high:.1%}</tr>")
    levels = Counter((one.winner, one.level) for one in played)
    bars, x = [], 0.0
    for number, ((winner, level), count) in enumerate(levels.most_common()):
        width = WIDTH * count / total
        fill, shade = COLOURS.get(winner or "", "#a89d84"), 1 - 0.18 * (number % 4)
        box = f'x="{x:.1f}" y="10" width="{width:.1f}" height="60" fill="{fill}" fill-opacity="{shade:.2f}"'
        place = f'x="{x + width - 4:.1f}" text-anchor="end"' if x > WIDTH / 2 else f'x="{x + 4:.1f}"'
        label = f'<text {place} y="{90 + 16 * (number % 6)}">{html.escape(won(winner, level))} {count}</text>'
        bars.append(f"<rect {box}/>{label}")
        x += width
    head = "<tr><th>Outcome<th>Games<th>Share<th>95 % interval</tr>"
    picture = _svg("".join(bars), "Levels of victory", height=84 + 16 * min(len(levels), 6))
    return f"<h2>Outcomes</h2><table>{head}{''.join(rows)}</table>{picture}"


def _line(points: Sequence[tuple[float, float]], colour: str, dash: str = "") -> str:
    text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    extra = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="2"{extra}/>'


def _by_turn(played: Sequence[Played]) -> dict[int, list[float]]:
    turns: dict[int, list[float]] = {}
    for one in played:
        for snapshot in one.snapshots:
            turns.setdefault(snapshot.turn, []).append(snapshot.margin)
    return dict(sorted(turns.items()))


def _scaled(series: dict[str, list[tuple[int, float]]]) -> tuple[dict[str, list[tuple[float, float]]], str]:
    """Series in picture coordinates, and the axes for them."""
    turns = [t for line in series.values() for t, _ in line]
    values = [v for line in series.values() for _, v in line]
    low, high = min([*values, 0]), max([*values, 1])
    first, last = min(turns), max(max(turns), min(turns) + 1)

    def at(turn: float, value: float) -> tuple[float, float]:
        x = 40 + (WIDTH - 60) * (turn - first) / (last - first)
        return x, HEIGHT - 25 - (HEIGHT - 45) * (value - low) / (high - low)

    zero = at(first, 0)[1]
    axes = f'<line x1="40" x2="{WIDTH - 20}" y1="{zero:.1f}" y2="{zero:.1f}" stroke="#d3c7ae"/>'
    for turn in range(first, last + 1, max(1, (last - first) // 12)):
        axes += f'<text x="{at(turn, low)[0]:.1f}" y="{HEIGHT - 8}" text-anchor="middle">{turn}</text>'
    for value in (low, high):
        axes += f'<text x="36" y="{at(first, value)[1] + 4:.1f}" text-anchor="end">{value:.0f}</text>'
    return {name: [at(t, v) for t, v in line] for name, line in series.items()}, axes


def _quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _margins(first: str, played: Sequence[Played]) -> str:
    turns = _by_turn(played)
    series = {name: [(t, _quantile(v, share)) for t, v in turns.items()]
              for name, share in (("low", 0.1), ("middle", 0.5), ("high", 0.9))}  # fmt: skip
    lines, axes = _scaled(series)
    body = axes + _line(lines["low"], "#a89d84", "4 3") + _line(lines["high"], "#a89d84", "4 3")
    body += _line(lines["middle"], "#1c5a61")
    caption = f"How far the {first.title()} side is ahead by turn: median, and the middle eight games of ten"
    return "<h2>Victory points by turn</h2>" + _svg(body, caption)


def _losses(game: Game, played: Sequence[Played]) -> str:
    series: dict[str, list[tuple[int, float]]] = {}
    for side in game.sides:
        counts: dict[int, list[int]] = {}
        for one in played:
            for snapshot in one.snapshots:
                counts.setdefault(snapshot.turn, []).append(snapshot.units.get(side, 0))
        series[side] = [(t, sum(v) / len(v)) for t, v in sorted(counts.items())]
    lines, axes = _scaled(series)
    body = axes + "".join(_line(points, COLOURS.get(side, "#26231d")) for side, points in lines.items())
    legend = ", ".join(f"{side.title()} {'blue' if side == game.sides[0] else 'red'}" for side in game.sides)
    return "<h2>Strength on the map</h2>" + _svg(body, f"Units on the map by turn, mean ({legend})")


def _at(one: Played, turn: int) -> Snapshot:
    """How a game stood at the end of a turn; a game that ended before stays as it ended."""
    until = [snapshot for snapshot in one.snapshots if snapshot.turn <= turn]
    return until[-1] if until else one.snapshots[0]


def _holders(played: Sequence[Played], turn: int) -> dict[str, Counter[str]]:
    """For each hex, in how many games each side held it at the end of a turn."""
    held: dict[str, Counter[str]] = {}
    for one in played:
        for side, numbers in _at(one, turn).held.items():
            for number in numbers:
                held.setdefault(number, Counter())[side] += 1
    return held


MOST_PLACES = 8


def _places(game: Game, played: Sequence[Played]) -> str:
    """How often the first side held the places fought over most, turn by turn."""
    first, grid = game.sides[0], game.map.grid
    turns = sorted({s.turn for one in played for s in one.snapshots})
    by_turn = {turn: _holders(played, turn) for turn in turns}
    shares: dict[str, list[tuple[int, float]]] = {}
    for h, name in game.map.names.items():
        number = grid.number(h)
        line = [(turn, by_turn[turn].get(number, Counter())[first] / len(played)) for turn in turns]
        shares[f"{name} ({number})"] = line

    def change(line: list[tuple[int, float]]) -> float:
        return max(v for _, v in line) - min(v for _, v in line)

    most = sorted(shares, key=lambda name: -change(shares[name]))[:MOST_PLACES]
    rows = []
    for name in most:
        cells = "".join(
            f'<td style="background:{_mixed(share)};color:{_ink(share)}">{100 * share:.0f}' for _, share in shares[name]
        )
        rows.append(f"<tr><td>{html.escape(name)}{cells}</tr>")
    head = "<tr><th>Place" + "".join(f"<th>{turn}" for turn in turns) + "</tr>"
    note = f"<p>Share of games, in per cent, in which the {first.title()} side held a place as each turn ended.</p>"
    return f'<h2>Key places by turn</h2>{note}<div class="wide"><table>{head}{"".join(rows)}</table></div>'


def _control(game: Game, played: Sequence[Played]) -> str:
    """Maps of who held what after a third of the turns, after two thirds and at the end."""
    last = max(s.turn for one in played for s in one.snapshots)
    moments = dict.fromkeys(max(1, round(last * share)) for share in (1 / 3, 2 / 3, 1))
    boards = [board.name for board in game.map.grid.boards]
    pictures = "".join(_heat(game, _holders(played, turn), turn, board) for turn in moments for board in boards)
    return f"<h2>Control of the map</h2>{pictures}"


def _heat(game: Game, held: dict[str, Counter[str]], turn: int, board: str) -> str:
    """A map of who held what on a board, as shades from one side's colour to the other's."""
    grid, (first, second) = game.map.grid, game.sides
    hexes = grid.members(grid.masks[board])
    left = min(grid.centre(h)[0] for h in hexes) - 1
    top = min(grid.centre(h)[1] for h in hexes) - 1
    across = max(grid.centre(h)[0] for h in hexes) - left + 1
    scale, body = min(20.0, WIDTH / across), []
    for h in hexes:
        corners = " ".join(f"{(x - left) * scale:.1f},{(y - top) * scale:.1f}" for x, y in grid.corners(h))
        count = held.get(grid.number(h))
        if not game.map.land >> h & 1:
            fill = "#cfdfdf"
        elif not count:
            fill = "#f1ead9"
        else:
            fill = _mixed(count[first] / sum(count.values()))
        label = f"{game.map.name_of(h)}: " + (", ".join(f"{s} {n}" for s, n in count.items()) if count else "nobody")
        told = f"<title>{html.escape(label)}</title>"
        body.append(f'<polygon points="{corners}" fill="{fill}" stroke="#fbf8f1">{told}</polygon>')
    width = int(across * scale)
    height = int((max(grid.centre(h)[1] for h in hexes) - top + 1) * scale)
    which = f" ({board})" if len(grid.boards) > 1 else ""
    sides = f"{first.title()} blue, {second.title()} red"
    caption = f"End of turn {turn}{which}, who stood there last: {sides}, nobody pale"
    return _svg("".join(body), caption, width, height)


def _mixed(share: float) -> str:
    """The colour of a share: the first side's, straw where both are equal, the other's."""
    pale, full = (222, 205, 150), (79, 109, 138) if share >= 0.5 else (156, 60, 34)
    weight = abs(2 * share - 1)
    return "#" + "".join(f"{round(a * weight + b * (1 - weight)):02x}" for a, b in zip(full, pale, strict=True))


def _ink(share: float) -> str:
    """A colour of letters that can be read on ``_mixed``."""
    return "#fff" if abs(2 * share - 1) > 0.6 else "#26231d"


def _luck(game: Game, played: Iterable[Played]) -> str:
    rows = []
    games = list(played)
    for side in game.sides:
        luck = [one.snapshots[-1].luck.get(side, 0.0) for one in games]
        lucky = [one.winner == side for one in games if one.snapshots[-1].luck.get(side, 0.0) > 0]
        share = f"{sum(lucky) / len(lucky):.1%}" if lucky else "-"
        figures = (sum(luck) / len(luck), min(luck), max(luck))
        cells = "".join(f"<td>{figure:+.1f}" for figure in figures)
        rows.append(f"<tr><td>{side.title()}{cells}<td>{share}</tr>")
    head = "<tr><th>Side<th>Mean<th>Least<th>Most<th>Wins when lucky</tr>"
    note = "<p>Pips above the average of the side's own rolls.</p>"
    return f"<h2>Luck of the dice</h2>{note}<table>{head}{''.join(rows)}</table>"
