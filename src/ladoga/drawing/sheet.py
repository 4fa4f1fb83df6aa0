"""The map as a sheet: frame with numbers, title, compass, scale, terrain key, turn track, charts.

``map_sheet`` is the one way to a picture of a map: the browser takes it bare as the ground of its
table, a file and the printer take it as a sheet. Units are hundredths of a hex height, and on a
board alone a hex's centre lies at ``Grid.centre`` times 100.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import cos, pi, sin, sqrt

from ..kernel.map import GameMap, MapChange
from ..kernel.table import Chart
from .charts import Block, chart_block, flowed, track_block, wrapped
from .geometry import Box, Point, overlap
from .ground import ground, patterns, stylesheet
from .lines import lines
from .palette import PALETTES, Palette
from .places import places
from .plan import HEX, Plan
from .style import hexside_family, place_family, spoken, terrain_family
from .svg import group, num, path, rings_path, tag, text
from .terrain import terrain
from .type import font, font_faces, width
from .water import Region, Shores, Waters, waters

FACES = [
    "spectral-400", "spectral-500", "spectral-600", "spectral-400-italic",
    "barlow-500", "barlow-600", "barlow-700",
]  # fmt: skip

_GAP = 1.2 * HEX
_RIM = 58.0
"""Room around a board for its frame and numbers."""


@dataclass(frozen=True, slots=True)
class Title:
    """What stands in the title box."""

    title: str
    subtitle: str = ""
    note: str = ""


def _spots(drawn: Sequence[Plan], rim: float) -> list[tuple[float, float]]:
    result: list[tuple[float, float]] = []
    first = drawn[0].frame
    x = first[0]
    for plan in drawn:
        left, top, right, _ = plan.frame
        result.append((x - left, first[1] - top))
        x += right - left + _GAP + 2 * rim
    return result


def _around(drawn: Sequence[Plan], spots: Sequence[tuple[float, float]]) -> Box:
    boxes = [
        (f[0] + dx, f[1] + dy, f[2] + dx, f[3] + dy)
        for plan, (dx, dy) in zip(drawn, spots, strict=True)
        for f in (plan.frame,)
    ]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


@dataclass(frozen=True, slots=True)
class MapSheet:
    """A drawn map: what it covers, its drawing, its style."""

    box: Box
    body: str
    style: str
    defs: str
    palette: str
    title: str
    framed: bool
    """Whether it is a whole sheet, and not the land alone."""

    def svg(self, *, fonts: bool = True) -> str:
        """The map as SVG text, the same bytes for the same map every time; ``fonts`` puts the typefaces into it."""
        left, top, right, bottom = self.box
        needed = [*FACES, "inter-400"] if "chart-note" in self.body else FACES
        faces = font_faces(self.body, needed) if fonts else ""
        opening = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="ladoga-map {self.palette}" role="img" '
            f'viewBox="{num(left)} {num(top)} {num(right - left)} {num(bottom - top)}" '
            f'width="{num(right - left)}" height="{num(bottom - top)}">\n'
        )
        label = tag("title", escape(self.title)) if self.title else ""
        style = tag("style", f"\n{faces}\n{self.style}\n")
        paper = tag("rect", x=left, y=top, width=right - left, height=bottom - top, class_="sheet")
        back = paper if self.framed else ""
        return opening + label + style + tag("defs", self.defs) + "\n" + back + self.body + "</svg>\n"


def map_sheet(
    game_map: GameMap,
    shores: Shores | None = None,
    *,
    palette: str = "classic",
    numbers: bool = True,
    sheet: bool = False,
    title: str = "",
    subtitle: str = "",
    note: str = "",
    board: str | None = None,
    effects: Mapping[str, str] | None = None,
    calendar: Sequence[str] = (),
    charts: Sequence[Chart] = (),
    prefix: str = "m",
) -> MapSheet:
    """A map, drawn.

    ``board`` picks one board; without it all lie side by side. ``sheet`` adds the frame and what
    belongs around it: ``effects`` says for a word of the map's vocabulary what it does, for the
    terrain key. ``prefix`` keeps the ids of two maps on one page apart.

    >>> import ladoga
    >>> map_sheet(ladoga.load("leningrad-1979").map).svg().startswith("<svg")
    True
    """
    colours = PALETTES[palette]
    drawn = [Plan(game_map, b) for b in game_map.grid.boards if board is None or b.name == board]
    if not drawn:
        raise ValueError(f"the map has no board {board!r}")
    wet = [waters(plan, shores) for plan in drawn]
    spots = _spots(drawn, _RIM if sheet else 0.0)
    box = _around(drawn, spots)
    heading = Title(title, subtitle, note)
    grow = min(2.0, max(1.0, (drawn[0].frame[2] - drawn[0].frame[0]) / 2700))
    body: list[str] = []
    header = 0.0
    for index, (plan, water, (dx, dy)) in enumerate(zip(drawn, wet, spots, strict=True)):
        kept: list[Box] = []
        over = ""
        if sheet and index == 0:
            over, kept, header = _furniture(plan, water, heading, grow)
        inner = ground(plan, water, colours, numbers=numbers, prefix=f"{prefix}{index}", kept=kept)
        if sheet:
            inner += _frame(plan, title=len(drawn) > 1)
        body.append(tag("g", inner + over, transform=f"translate({num(dx)} {num(dy)})"))
    if sheet:
        apron, box = _apron_placed(game_map, drawn, spots, box, header, grow, effects or {}, calendar, charts, prefix)
        body.append(apron)
    style = f"{stylesheet(colours, prefix)}\n{_sheet_style(colours)}"
    return MapSheet(box, "".join(body), style, patterns(colours, prefix), palette, title, sheet)


def _sheet_style(p: Palette) -> str:
    scope = f".ladoga-map.{p.name}"
    rules = {
        ".start": "text-anchor:start",
        ".sheet": f"fill:{p.panel}",
        ".frame-line": f"fill:none;stroke:{p.ink};stroke-opacity:.75",
        ".frame-bar": f"fill:{p.ink};fill-opacity:.7",
        ".frame-number": f"{font('barlow-500')};font-size:15px;fill:{p.mute}",
        ".board-title": f"{font('spectral-600')};font-size:24px;letter-spacing:.06em;fill:{p.ink}",
        ".title-card": f"fill:{p.paper};stroke:{p.ink};stroke-opacity:.75",
        ".title-line": f"fill:none;stroke:{p.ink};stroke-opacity:.45",
        ".title-dot": f"fill:{p.oxblood}",
        ".title": f"{font('spectral-500')};fill:{p.ink};letter-spacing:.2em",
        ".subtitle": f"{font('spectral-400-italic')};fill:{p.ink};letter-spacing:.03em",
        ".title-note": f"{font('spectral-400-italic')};fill:{p.mute};letter-spacing:.03em",
        ".compass": f"fill:none;stroke:{p.water_label};stroke-width:1.2",
        ".compass-dark": f"fill:{p.water_label}",
        ".compass-light": f"fill:{p.paper};stroke:{p.water_label};stroke-width:1",
        ".compass-n": f"{font('spectral-600')};font-size:19px;fill:{p.water_label}",
        ".scale-dark": f"fill:{p.ink};stroke:{p.ink}",
        ".scale-light": f"fill:{p.paper};stroke:{p.ink}",
        ".scale-text": f"{font('barlow-500')};font-size:15px;fill:{p.ink}",
        ".key-head": f"{font('spectral-600')};font-size:16px;letter-spacing:.16em;fill:{p.ink}",
        ".key-water": f"fill:{p.water};stroke:{p.shore};stroke-width:1.4",
        ".key-rim": f"fill:none;stroke:{p.grid};stroke-opacity:.4;stroke-width:1.4",
        ".key-name": f"{font('spectral-600')};font-size:16px;fill:{p.ink}",
        ".key-text": f"{font('barlow-500')};font-size:14px;fill:{p.mute}",
        ".colophon": f"{font('spectral-400-italic')};font-size:13.5px;fill:{p.mute}",
        ".chart-title": f"{font('spectral-600')};font-size:20px;fill:{p.ink};text-anchor:start",
        ".chart-case": f"{font('barlow-500')};font-size:14px;fill:{p.teal};text-anchor:end",
        ".chart-head": f"fill:{p.line};fill-opacity:.55",
        ".chart-band": f"fill:{p.line};fill-opacity:.2",
        ".chart-heading": f"{font('barlow-600')};font-size:14.5px;fill:{p.ink}",
        ".chart-cell": f"{font('barlow-500')};font-size:14.5px;fill:{p.ink}",
        ".chart-rule": f"fill:none;stroke:{p.line}",
        ".chart-note": f"{font('inter-400')};font-size:12.5px;fill:{p.mute}",
        ".turn-box": f"fill:{p.paper};stroke:{p.line};stroke-width:1.4",
        ".turn-number": f"{font('spectral-500')};font-size:24px;fill:{p.ink}",
        ".turn-date": f"{font('barlow-500')};font-size:13px;fill:{p.mute}",
    }
    return "\n".join(f"{scope} {selector}{{{body}}}" for selector, body in rules.items())


# The frame


def _frame(plan: Plan, *, title: bool) -> str:
    """Two lines, bars for every other column and row, and their numbers."""
    left, top, right, bottom = plan.frame
    parts = [
        tag("rect", x=left, y=top, width=right - left, height=bottom - top, class_="frame-line", stroke_width=3),
        tag("rect", x=left - 14, y=top - 14, width=right - left + 28, height=bottom - top + 28,
            class_="frame-line", stroke_width=1.2),
    ]  # fmt: skip
    board = plan.board
    across, down = (sqrt(3) / 2, 1.0) if plan.flat else (1.0, sqrt(3) / 2)
    nudge_x, nudge_y = (0.0, 0.25) if plan.flat else (0.25, 0.0)
    for column in range(board.width):
        x = (column * across + nudge_x) * HEX
        label = f"{board.column_number(column):{'' if board.letters else '02'}}"
        for y in (top - 24, bottom + 35):
            parts.append(text(label, x, y, class_="frame-number"))
        if column % 2:
            for y in (top - 10.5, bottom + 4.5):
                parts.append(tag("rect", x=x - across * HEX / 2, y=y, width=across * HEX, height=6, class_="frame-bar"))
    for row in range(board.height):
        y = (row * down + nudge_y) * HEX
        label = chr(ord("A") - 1 + board.row_number(row)) if board.letters else f"{board.row_number(row):02}"
        for x in (left - 30, right + 30):
            parts.append(text(label, x, y + 5, class_="frame-number"))
        if row % 2:
            for x in (left - 10.5, right + 4.5):
                parts.append(tag("rect", x=x, y=y - down * HEX / 2, width=6, height=down * HEX, class_="frame-bar"))
    if title and plan.spec.title:
        parts.append(text(plan.spec.title, (left + right) / 2, top - 46, class_="board-title"))
    return group("frame", parts)


# Title, compass and scale


def _furniture(plan: Plan, water: Waters, heading: Title, grow: float) -> tuple[str, list[Box], float]:
    """Title, compass and scale: on open water where there is some, else in a strip above.

    Returns the drawing, the boxes that names must leave free, and the height of the strip.
    """
    rose, bar = _grown(_compass(plan.spec.north), grow), _scale_bar(plan.spec.hex_km, grow)
    bare, full = _grown(_title_card(heading), grow), _grown(_title_card(heading, _compass(plan.spec.north)), grow)
    for card in (bare, full):
        spot = _open_water(plan, water, card, [])
        if spot is None:
            continue
        kept = [_covered(card, spot)]
        parts = [_moved(card, *spot)]
        for block, goal in ((bar, (spot[0], spot[1] + card.height)), (rose, (spot[0] + card.width, spot[1]))):
            if not block.width or (block is rose and card is full):
                continue
            free = _open_water(plan, water, block, kept, goal)
            if free is not None:
                kept.append(_covered(block, free))
                parts.append(_moved(block, *free))
            elif block is rose:
                break
        else:
            return group("furniture", parts), kept, 0.0
    left, top, right, _ = plan.frame
    strip = full.height + 26
    parts = [_moved(full, left, top - _RIM - strip + 4)]
    if bar.width:
        parts.append(_moved(bar, right - bar.width, top - _RIM - 40))
    return group("furniture", parts), [], strip


def _covered(block: Block, spot: Point) -> Box:
    return spot[0] - 6, spot[1] - 6, spot[0] + block.width + 6, spot[1] + block.height + 6


def _moved(block: Block, x: float, y: float) -> str:
    return tag("g", block.svg, transform=f"translate({num(x)} {num(y)})")


def _open_water(
    plan: Plan, water: Waters, block: Block, kept: Sequence[Box], goal: Point | None = None
) -> Point | None:
    """Where a block covers only sea and lake hexes, near its goal or as near a map corner as may be."""
    air = 13.0
    wide, high = block.width + 2 * air, block.height + 2 * air
    left, top, right, bottom = plan.frame
    corners = [(left, top), (right - wide, top), (left, bottom - high), (right - wide, bottom - high)]
    goals = corners if goal is None else [goal]
    best = 3000.0 if goal is None else 260.0
    found: Point | None = None
    dry = [plan.centre(h) for h in plan.hexes if not water.hexes >> h & 1]
    sea = Region(plan.outline(water.hexes)) if water.hexes else water
    reach = HEX * 0.3
    for row in range(int((bottom - top - high) / 12) + 1):
        for column in range(int((right - left - wide) / 12) + 1):
            x, y = left + column * 12, top + row * 12
            away = min(abs(x - gx) + abs(y - gy) for gx, gy in goals)
            if away >= best or any(overlap((x, y, x + wide, y + high), other) for other in kept):
                continue
            rough = ((x, y), (x + wide, y + high), (x + wide, y), (x, y + high), (x + wide / 2, y + high / 2))
            if not all(p in sea or p in water for p in rough):
                continue
            if any(x - reach < cx < x + wide + reach and y - reach < cy < y + high + reach for cx, cy in dry):
                continue
            spots = [(x + wide * i / 8, y + high * j / 5) for i in range(9) for j in range(6)]
            if all(p in sea or p in water for p in spots):
                best, found = away, (x + air, y + air)
    return found


def _grown(block: Block, by: float) -> Block:
    """A block made larger, for large maps."""
    if by == 1.0:
        return block
    return Block(tag("g", block.svg, transform=f"scale({by:.3f})"), block.width * by, block.height * by)


def _title_card(heading: Title, rose: Block | None = None) -> Block:
    """The title in a double frame, with the compass inside where it finds no water of its own."""
    size = 54.0
    rows = wrapped(heading.subtitle, "spectral-400-italic", 25, 400)
    wide = max(
        width(heading.title.upper(), "spectral-500", size, 0.2),
        *(width(row, "spectral-400-italic", 25, 0.03) for row in rows),
        width(heading.note, "spectral-400-italic", 17, 0.03),
        300.0,
    ) + 70  # fmt: skip
    middle = wide / 2
    parts = [text(heading.title.upper(), middle + size * 0.1, 74, class_="title", style=f"font-size:{num(size)}px")]
    y = 100.0
    for start in (middle - 130, middle + 28):
        parts.append(tag("path", d=path([(start, y), (start + 102, y)]), class_="title-line"))
    for dx, r in ((-16, 1.8), (0, 3.0), (16, 1.8)):
        parts.append(tag("circle", cx=middle + dx, cy=y, r=r, class_="title-dot"))
    for index, row in enumerate(rows):
        y += 30.0 if index else 34.0
        parts.append(text(row, middle, y, class_="subtitle", style="font-size:25px"))
    if heading.note:
        y += 28.0
        parts.append(text(heading.note, middle, y, class_="title-note", style="font-size:17px"))
    high = y + 26
    if rose is not None:
        high = max(high, rose.height + 24)
        parts.append(_moved(rose, wide - 22, (high - rose.height) / 2))
        wide += rose.width
    back = tag("rect", x=0, y=0, width=wide, height=high, rx=4, class_="title-card", stroke_width=1.6) + tag(
        "rect", x=7, y=7, width=wide - 14, height=high - 14, rx=2, class_="title-line", stroke_width=1
    )
    return Block(back + "".join(parts), wide, high)


def _compass(north: float) -> Block:
    """A needle to true north in a graduated ring."""
    middle, ring = 62.0, 40.0
    turn = north * pi / 180
    ux, uy = sin(turn), -cos(turn)
    vx, vy = -uy, ux
    ticks = []
    for i in range(48):
        a = pi * i / 24
        inner = ring - (7 if i % 12 == 0 else 4)
        ticks.append(
            path([(middle + ring * cos(a), middle + ring * sin(a)), (middle + inner * cos(a), middle + inner * sin(a))])
        )
    tip = (middle + ux * 50, middle + uy * 50)
    tail = (middle - ux * 34, middle - uy * 34)
    flank_a, flank_b = (middle + vx * 9, middle + vy * 9), (middle - vx * 9, middle - vy * 9)
    parts = [
        tag("circle", cx=middle, cy=middle, r=ring, class_="compass"),
        tag("path", d="".join(ticks), class_="compass"),
        tag("path", d=path([tip, flank_a, (middle, middle)], closed=True), class_="compass-dark"),
        tag("path", d=path([tip, flank_b, (middle, middle)], closed=True), class_="compass-light"),
        tag("path", d=path([(middle, middle), tail]), class_="compass"),
        text("N", middle + ux * 60, middle + uy * 60 + 6, class_="compass-n"),
    ]
    return Block("".join(parts), 124, 124)


def _scale_bar(hex_km: float, grow: float) -> Block:
    """Kilometres on the map, in round figures."""
    if not hex_km:
        return Block("", 0, 0)
    steps = (0.5, 1, 2, 5, 10, 20, 25, 50, 100)
    unit = next((s for s in steps if s / hex_km * HEX >= 75 * grow), 100)
    one = unit / hex_km * HEX
    parts = []
    for i in range(4):
        shade = "scale-light" if i % 2 else "scale-dark"
        parts.append(tag("rect", x=i * one, y=18 * grow, width=one, height=7 * grow, class_=shade))
    for i in (0, 2, 4):
        words = f"{unit * i:g}" + (" km" if i == 4 else "")
        parts.append(text(words, i * one, 12 * grow, class_="scale-text", style=f"font-size:{num(15 * grow)}px"))
    return Block(tag("g", "".join(parts), transform=f"translate({num(20 * grow)} 4)"), 4 * one + 50 * grow, 34 * grow)


# Below the map


def _apron_placed(
    game_map: GameMap, drawn: Sequence[Plan], spots: Sequence[tuple[float, float]], box: Box, header: float,
    grow: float, effects: Mapping[str, str], calendar: Sequence[str], charts: Sequence[Chart], prefix: str,
) -> tuple[str, Box]:  # fmt: skip
    """Key, track and charts below a small second board if they fit there, else below everything."""
    left, top, right, bottom = box

    def made(room: float) -> Block:
        return _grown(_apron(game_map, drawn, room / grow, effects, calendar, charts, prefix), grow)

    outer = (left - _RIM - 12, top - _RIM - 24 - header, right + _RIM + 12, bottom + _RIM)
    if len(drawn) == 2:
        frame, (dx, dy) = drawn[1].frame, spots[1]
        start = frame[3] + dy + _RIM + 40
        block = made(frame[2] - frame[0])
        if start + block.height < bottom + _RIM:
            return _moved(block, frame[0] + dx, start), outer
    block = made(right - left + 2 * _RIM)
    start = bottom + _RIM + 24
    wide = max(outer[2], left - _RIM + block.width + 12)
    return _moved(block, left - _RIM, start), (outer[0], outer[1], wide, start + block.height + 30)


def _apron(
    game_map: GameMap, drawn: Sequence[Plan], room: float, effects: Mapping[str, str], calendar: Sequence[str],
    charts: Sequence[Chart], prefix: str,
) -> Block:  # fmt: skip
    """Terrain key, turn track and charts, one below the other."""
    blocks = [terrain_key(game_map, drawn, room, effects, prefix)]
    if calendar:
        blocks.append(track_block(list(calendar), room))
    if charts:
        blocks.append(flowed([chart_block(chart, room / 2 - 20) for chart in charts], room))
    parts, y, broadest = [], 0.0, 0.0
    for block in blocks:
        parts.append(_moved(block, 0, y))
        y += block.height + 34
        broadest = max(broadest, block.width)
    for line in wrapped(_COLOPHON, "spectral-400-italic", 13.5, room):
        parts.append(text(line, 0, y, class_="colophon start"))
        y += 18
    return Block("".join(parts), max(broadest, 1.0), y)


_COLOPHON = "Drawn for Ladoga from its own data. Rivers, roads and terrain lie where the rules read them."
_KEY_CELL = 232.0


def terrain_key(
    game_map: GameMap, drawn: Sequence[Plan], room: float, effects: Mapping[str, str], prefix: str
) -> Block:
    """A sample of everything the map shows, with what it does."""
    words = _shown(game_map, drawn)
    across = max(1, int((room - 0.1) // _KEY_CELL))
    rows = -(-len(words) // across)
    across = -(-len(words) // rows) if rows else 1
    cell = max(_KEY_CELL, room / across if rows > 1 or across * 300 > room else _KEY_CELL)
    parts = [text("TERRAIN KEY", 0, 14, class_="key-head start")]
    for index, (section, word) in enumerate(words):
        row, column = divmod(index, across)
        x, y = column * cell, 34 + row * 84.0
        parts.append(
            tag(
                "g",
                _sample(game_map, section, word, f"{prefix}k{index}"),
                transform=f"translate({num(x + 36)} {num(y + 34)})",
            )
        )
        parts.append(text(_key_name(section, word), x + 82, y + 22, class_="key-name start"))
        told = [
            row_ for line in effects.get(word, "").splitlines() for row_ in wrapped(line, "barlow-500", 14, cell - 92)
        ]
        for i, line in enumerate(told[:3]):
            parts.append(text(line, x + 82, y + 40 + 16 * i, class_="key-text start"))
    return Block("".join(parts), across * cell, 34 + rows * 84.0)


def _key_name(section: str, word: str) -> str:
    family = hexside_family(word) if section == "hexsides" else ""
    if family == "barred":
        return f"All-{word} hexside"
    if family == "shore":
        return f"{spoken(word)}, may be crossed"
    if section == "places" and len(word.rpartition("-")[2]) <= 3 and "-" in word:
        return spoken(word.rpartition("-")[0])
    return f"{spoken(word)} hexside" if family in ("river", "canal") else spoken(word)


def _shown(game_map: GameMap, drawn: Sequence[Plan]) -> list[tuple[str, str]]:
    """The words of the vocabulary that these boards use, in the vocabulary's order."""
    mask = 0
    for plan in drawn:
        mask |= plan.mask
    vocabulary = game_map.vocabulary
    result = [("terrain", vocabulary.ground)]
    result += [
        ("terrain", w) for w in vocabulary.terrain
        if game_map.terrain.get(w, 0) & mask and terrain_family(w) != "outside"
    ]  # fmt: skip
    result += [("hexsides", w) for w in vocabulary.hexsides if any(m & mask for m in game_map.sides.get(w, ()))]
    for word in vocabulary.places:
        family = place_family(word)
        if not game_map.places.get(word, 0) & mask or family in ("region", "area", "metropolis"):
            continue
        if any(_same_but_for_a_letter(word, other) for _, other in result):
            continue
        result.append(("places", word))
    return result


def _same_but_for_a_letter(word: str, other: str) -> bool:
    """Whether two words are the same mark with another letter or figure in it (entry-4, entry-52)."""
    (stem, _, tail), (other_stem, _, other_tail) = word.rpartition("-"), other.rpartition("-")
    return bool(stem) and stem == other_stem and len(tail) <= 3 and len(other_tail) <= 3


def _sample(game_map: GameMap, section: str, word: str, prefix: str) -> str:
    """A hex of the map's own kind with one thing on it, drawn by the map's own hand."""
    blank = game_map.changed(MapChange(blank=(3, 3)))
    numbers = [[blank.grid.boards[0].number(x, y) for x in range(3)] for y in range(3)]
    middle = numbers[1][1]
    h = blank.grid.hex(middle)
    around = [blank.grid.number(n) for n in blank.grid.neighbours(h) if n >= 0]
    if section == "terrain":
        wet = terrain_family(word) == "water" or word in game_map.vocabulary.water
        change = MapChange(blank=(3, 3), hexes=dict.fromkeys([middle, *(around if wet else ())], word))
    elif section == "places":
        change = MapChange(blank=(3, 3), places={middle: [word]})
    elif hexside_family(word) in ("road", "rail", "prospekt", "metro"):
        change = MapChange(blank=(3, 3), hexsides={f"{middle}/{around[1]}": [word], f"{middle}/{around[4]}": [word]})
    else:
        change = MapChange(blank=(3, 3), hexsides={f"{middle}/{around[d]}": [word] for d in (2, 3)})
    plan = Plan(game_map.changed(change), blank.grid.boards[0])
    water = waters(plan, None)
    marks = places(plan)
    land = terrain(plan, water)
    ways = lines(plan, water)
    cx, cy = plan.centre(h)
    edge = rings_path([plan.corners(h)])
    shape = tag("clipPath", tag("path", d=edge), id=f"{prefix}-hex")
    parts = [
        tag("path", d=edge, class_="ground"),
        *land.tint, *marks.areas,
        group("glyphs", [*land.glyphs, *land.fine]),
        *land.urban, *marks.built,
        *(tag("path", d=rings_path([river.band]), class_="river-edge") for river in water.rivers),
        *(tag("path", d=rings_path([river.band]), class_="river") for river in water.rivers),
        *(tag("path", d=rings_path(r.rings), class_="key-water") for r in water.regions),
        *ways.bars, *ways.borders, group("ways", ways.ways), *ways.spans, *marks.symbols, *marks.marks,
    ]  # fmt: skip
    inner = shape + tag("g", "".join(parts), clip_path=f"url(#{prefix}-hex)") + tag("path", d=edge, class_="key-rim")
    return tag("g", inner, transform=f"scale(.7) translate({num(-cx)} {num(-cy)})")
