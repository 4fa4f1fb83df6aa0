"""Print and play: the map on one large page or many small ones, counters to cut out, charts.

``print_sheets`` writes SVG files, one HTML file that any browser prints at true size, and a PDF
when a browser that can make one is at hand.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil
from pathlib import Path
from typing import Any, cast

from msgspec.structs import replace

from ..kernel.files import write_whole
from ..kernel.game import Game, MarkerKind
from ..kernel.table import Chart, Counter
from .charts import Block, chart_block, track_block
from .counters import counter_face
from .markers import marker_face
from .plan import HEX
from .sheet import FACES, MapSheet, map_sheet
from .style import spoken
from .svg import num, tag, text
from .type import font, font_faces

PAPERS = {
    "a4": (210.0, 297.0), "a3": (297.0, 420.0), "a2": (420.0, 594.0), "a1": (594.0, 841.0),
    "letter": (215.9, 279.4), "tabloid": (279.4, 431.8),
}  # fmt: skip
"""Paper sizes in millimetres, upright."""

MARGIN = 9.0
OVERLAP = 8.0
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
_FACES = [*FACES, "inter-400"]


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its name, its size in millimetres and what is on it."""

    name: str
    width: float
    height: float
    body: str


def shores_of(game_id: str) -> dict[str, Any] | None:
    """The shore lines that belong to a game's map, if it has any.

    >>> sorted(shores_of("leningrad-1979"))[:1], shores_of("chess")
    (['main'], None)
    """
    games = Path(__file__).parent.parent / "games"
    for file in sorted(games.glob(f"*/data/{game_id}/shores.json")):
        return cast("dict[str, Any]", json.loads(file.read_text(encoding="utf-8")))
    return None


def print_sheets(
    game: Game, out_dir: str | Path, *, paper: str = "a4", hex_mm: float | None = None, palette: str = "classic"
) -> list[Path]:
    """Writes everything needed to play a game on a table, and says which files.

    On A4 and letter paper the map comes in pages to join, with a hex of 20 mm unless ``hex_mm``
    says otherwise; on larger paper it fills one page.

    >>> import ladoga
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     made = print_sheets(ladoga.load("tijvin-1941"), folder, paper="a3")
    >>> len(made) > 2, sorted({path.suffix for path in made})
    (True, ['.html', '.pdf', '.svg'])
    """
    paper = paper.lower()
    if paper not in PAPERS:
        raise ValueError(f"there is no paper {paper!r}; papers: {', '.join(PAPERS)}")
    folder = Path(out_dir)
    folder.mkdir(parents=True, exist_ok=True)
    charts = game.charts()
    sheet = map_sheet(game.map, shores_of(game.id), palette=palette, sheet=True, **_sheet_words(game))
    small = paper in ("a4", "letter")
    mm = hex_mm or (20.0 if small else None)
    pages = _map_pages(sheet, PAPERS[paper], mm, palette)
    handy = PAPERS[paper if small else "a4"]
    side = 0.6 * (mm or 24.0)
    pages += counter_pages(game.counter_sheet(), handy, palette, side)
    pages += marker_pages(game.marker_sheet(), handy, palette, side)
    pages += chart_pages(charts, game.calendar, handy, palette)
    written = _written(folder, game, sheet, pages, palette)
    made = _pdf(folder / f"{game.id}.html", folder / f"{game.id}.pdf")
    return written + ([made] if made else [])


def game_map_svg(
    game: Game, *, palette: str = "classic", sheet: bool = True, board: str | None = None, prefix: str = "m"
) -> str:
    """A game's map as SVG: a sheet with title, key, turn track and charts, or just the land; ``prefix`` keeps the ids
    of two maps on one page apart.

    >>> import ladoga
    >>> drawn = game_map_svg(ladoga.load("leningrad-1979"), sheet=False)
    >>> drawn.startswith("<svg")
    True
    """
    words = _sheet_words(game) if sheet else {}
    charts = game.charts() if sheet else []
    drawn = map_sheet(
        game.map, shores_of(game.id), palette=palette, sheet=sheet, board=board, charts=charts, prefix=prefix, **words
    )  # fmt: skip
    return drawn.svg()


def _sheet_words(game: Game) -> dict[str, Any]:
    """What a game's sheet says around the map."""
    name, _, rest = game.title.partition(":")
    return {
        "title": name,
        "subtitle": rest.strip() or _subtitle(game),
        "note": _note(game),
        "effects": terrain_effects(game, game.charts()),
        "calendar": game.calendar,
    }


def _subtitle(game: Game) -> str:
    return next((spec.title for spec in game.map.file.boards.values() if spec.title), "")


def _note(game: Game) -> str:
    km = next((spec.hex_km for spec in game.map.file.boards.values() if spec.hex_km), 0.0)
    words = [f"{game.turns} turns"]
    if km:
        words.append(f"{km:g} km to the hex" if km >= 1 else f"{km * 1000:g} m to the hex")
    return ", ".join(words)


def terrain_effects(game: Game, charts: Iterable[Chart]) -> dict[str, str]:
    """What the terrain charts say about each word of the map, for the key."""
    rows: dict[str, list[str]] = {}
    for chart in charts:
        if "terrain" not in chart.id:
            continue
        for row in chart.rows:
            told = [f"{head} {cell}" for head, cell in zip(chart.head[1:], row[1:], strict=False) if cell.strip("-– ")]
            rows.setdefault(row[0].lower(), []).append(" · ".join(told))
    words = game.map.vocabulary
    result: dict[str, str] = {}
    for word in (*words.terrain, *words.hexsides, *words.places):
        for name in (word, spoken(word).lower(), f"{spoken(word).lower()} hexside"):
            if name in rows:
                result[word] = "\n".join(rows[name])
    return result


# The map


def _map_pages(sheet: MapSheet, paper: tuple[float, float], hex_mm: float | None, palette: str) -> list[Page]:
    """The map on one page, or cut into pages that overlap."""
    left, top, right, bottom = sheet.box
    wide, high = right - left, bottom - top
    if hex_mm is None:
        page = paper if wide <= high else (paper[1], paper[0])
        scale = min((page[0] - 2 * MARGIN) / wide, (page[1] - 2 * MARGIN) / high)
        x, y = (page[0] - wide * scale) / 2, (page[1] - high * scale) / 2
        return [Page("map", *page, _window(sheet.box, x, y, wide * scale, high * scale, palette))]
    scale = hex_mm / HEX
    best = min(
        (paper, (paper[1], paper[0])), key=lambda p: (_across(wide * scale, p[0]) * _across(high * scale, p[1]), p)
    )
    columns, rows = _across(wide * scale, best[0]), _across(high * scale, best[1])
    room = (best[0] - 2 * MARGIN, best[1] - 2 * MARGIN)
    pages = []
    for row in range(rows):
        for column in range(columns):
            x = left + column * (room[0] - OVERLAP) / scale
            y = top + row * (room[1] - OVERLAP) / scale
            cut = (x, y, x + room[0] / scale, y + room[1] / scale)
            body = _window(cut, MARGIN, MARGIN, *room, palette) + _crop_marks(*best)
            where = f"Map, row {row + 1} of {rows}, page {column + 1} of {columns}."
            body += text(
                f"{where} Cut at the marks; pages overlap by {OVERLAP:g} mm.",
                MARGIN + 12,
                best[1] - 3,
                class_="page-note start",
            )
            pages.append(Page(f"map-{row + 1}-{column + 1}", *best, body))
    return pages


def _across(size: float, paper: float) -> int:
    return max(1, ceil((size - OVERLAP) / (paper - 2 * MARGIN - OVERLAP)))


def _window(box: tuple[float, float, float, float], x: float, y: float, wide: float, high: float, palette: str) -> str:
    """A part of the map, shown at a place on the page."""
    left, top, right, bottom = box
    return tag(
        "svg", tag("use", href="#sheet"), x=f"{x:.2f}", y=f"{y:.2f}", width=f"{wide:.2f}", height=f"{high:.2f}",
        viewBox=f"{num(left)} {num(top)} {num(right - left)} {num(bottom - top)}", class_=f"ladoga-map {palette}",
    )  # fmt: skip


def _crop_marks(wide: float, high: float) -> str:
    """Where to cut: halfway through the overlap."""
    half = MARGIN + OVERLAP / 2
    parts = []
    for x in (half, wide - half):
        parts.append(f"M{x:.1f} 1.5V{MARGIN - 1.5:.1f}M{x:.1f} {high - 1.5:.1f}V{high - MARGIN + 1.5:.1f}")
    for y in (half, high - half):
        parts.append(f"M1.5 {y:.1f}H{MARGIN - 1.5:.1f}M{wide - 1.5:.1f} {y:.1f}H{wide - MARGIN + 1.5:.1f}")
    return tag("path", d="".join(parts), class_="crop")


# Counters and charts


def counter_pages(
    counters: Sequence[tuple[Counter, Counter | None]], paper: tuple[float, float], palette: str, side: float
) -> list[Page]:
    """Counters in rows to cut apart, side by side of play; every page with backs is followed by a mirrored
    page of them, for the other side of the paper."""
    order = sorted(counters, key=lambda pair: (pair[0].side, pair[0].box, pair[0].hex, pair[0].formation, pair[0].id))

    def drawn(counter: Counter | None) -> str:
        return "" if counter is None else counter_face(counter, palette=palette, size=96)

    fronts = [drawn(replace(front, face_down=False, states=())) for front, _ in order]
    backs = [drawn(back) for _, back in order]
    pages: list[Page] = []
    for front, back in zip(
        _cut_out(fronts, paper, side, "counters"), _cut_out(backs, paper, side, "backs", mirrored=True), strict=True
    ):
        pages += [front, back] if "<g" in back.body else [front]
    return pages


def marker_pages(markers: Sequence[MarkerKind], paper: tuple[float, float], palette: str, side: float) -> list[Page]:
    """Markers in rows to cut apart, as many of each kind as the game needs."""
    faces = [marker_face(marker, palette=palette) for marker in markers for _ in range(marker.count)]
    return _cut_out(faces, paper, side, "markers")


def _cut_out(
    drawn: Iterable[str], paper: tuple[float, float], side: float, name: str, *, mirrored: bool = False
) -> list[Page]:
    """Square pieces in rows, with lines to cut along; mirrored for the other side of the paper."""
    wide, high = paper
    pitch = side + 2.0
    across = int((wide - 2 * MARGIN) // pitch)
    down = int((high - 2 * MARGIN - 10) // pitch)
    faces = list(drawn)
    pages: list[Page] = []
    for start in range(0, len(faces), across * down):
        title = f"{name.title()}, page {len(pages) + 1}"
        if mirrored:
            title += ", mirrored: for the other side of the counters"
        parts = [text(title, MARGIN, MARGIN + 4, class_="page-title start")]
        for index, face in enumerate(faces[start : start + across * down]):
            row, column = divmod(index, across)
            if not face:
                continue
            left = wide - MARGIN - (column + 1) * pitch if mirrored else MARGIN + column * pitch
            x, y = left, MARGIN + 10 + row * pitch
            parts.append(
                tag("rect", x=f"{x:.2f}", y=f"{y:.2f}", width=f"{pitch:.2f}", height=f"{pitch:.2f}", class_="cut")
            )
            parts.append(tag("g", face, transform=f"translate({x + 1:.2f} {y + 1:.2f}) scale({side / 100:.4f})"))
        pages.append(Page(f"{name}-{len(pages) + 1}", wide, high, "".join(parts)))
    return pages


def chart_pages(
    charts: Sequence[Chart], calendar: Sequence[str], paper: tuple[float, float], palette: str
) -> list[Page]:
    """Charts and the turn track, as many pages as they need."""
    wide, high = paper
    scale = 0.24
    room, depth = (wide - 2 * MARGIN) / scale, (high - 2 * MARGIN) / scale
    blocks: list[Block] = [track_block(list(calendar), room)] if calendar else []
    blocks += [chart_block(chart, room) for chart in charts]
    pages: list[Page] = []
    for column in _filled(blocks, room, depth):
        parts = [tag("g", block.svg, transform=f"translate({x:.1f} {y:.1f})") for block, x, y in column]
        place = f"translate({MARGIN} {MARGIN}) scale({scale})"
        body = tag("g", "".join(parts), transform=place, class_=f"ladoga-map {palette}")
        pages.append(Page(f"charts-{len(pages) + 1}", wide, high, body))
    return pages


def _filled(blocks: Sequence[Block], room: float, depth: float) -> list[list[tuple[Block, float, float]]]:
    """Blocks set row by row, page by page."""
    gap = 34.0
    pages: list[list[tuple[Block, float, float]]] = []
    x = y = tallest = 0.0
    for block in blocks:
        if x and x + block.width > room:
            x, y, tallest = 0.0, y + tallest + gap, 0.0
        if not pages or (y and y + block.height > depth):
            pages.append([])
            x = y = tallest = 0.0
        pages[-1].append((block, x, y))
        x += block.width + gap
        tallest = max(tallest, block.height)
    return pages


# Files


def _page_style(faces: str, sheet: MapSheet) -> str:
    return "\n".join([
        faces,
        sheet.style,
        ".page{background:#fff;display:block}",
        ".page .start{text-anchor:start}",
        f".page .page-note{{{font('inter-400')};font-size:2.6px;fill:#6b6354}}",
        f".page .page-title{{{font('spectral-500')};font-size:5px;fill:#26231d}}",
        ".page .crop{fill:none;stroke:#26231d;stroke-width:.2}",
        ".page .cut{fill:none;stroke:#b9ae98;stroke-width:.12}",
    ])  # fmt: skip


def _written(folder: Path, game: Game, sheet: MapSheet, pages: Sequence[Page], palette: str) -> list[Path]:
    everything = sheet.body + "".join(page.body for page in pages)
    style = _page_style(font_faces(everything, _FACES), sheet)
    left, top, right, bottom = sheet.box
    ground = tag("rect", x=left, y=top, width=right - left, height=bottom - top, class_="sheet")
    shared = tag("defs", sheet.defs + tag("g", ground + sheet.body, id="sheet", class_=f"ladoga-map {palette}"))
    files: list[Path] = []
    for page in pages:
        own = shared if 'href="#sheet"' in page.body else ""
        svg = _page_svg(page, tag("style", style) + own)
        files.append(folder / f"{game.id}-{page.name}.svg")
        write_whole(files[-1], svg + "\n", sync=False)
    html = folder / f"{game.id}.html"
    write_whole(html, _html(game.title, style, shared, pages), sync=False)
    return [*files, html]


def _page_svg(page: Page, before: str = "") -> str:
    wide, high = num(page.width), num(page.height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="page" width="{wide}mm" height="{high}mm" '
        f'viewBox="0 0 {wide} {high}">{before}{page.body}</svg>'
    )


def _html(title: str, style: str, shared: str, pages: Sequence[Page]) -> str:
    sizes = {size: f"p{i}" for i, size in enumerate(dict.fromkeys((p.width, p.height) for p in pages))}
    rules = ["body{margin:0;-webkit-print-color-adjust:exact;print-color-adjust:exact}"]
    for (width, height), name in sizes.items():
        wide, high = num(width), num(height)
        rules.append(f"@page {name}{{size:{wide}mm {high}mm;margin:0}}")
        rules.append(f".{name}{{page:{name};break-after:page;width:{wide}mm;height:{high}mm;overflow:hidden}}")
    sheets = "".join(f'<div class="{sizes[p.width, p.height]}">{_page_svg(p)}</div>\n' for p in pages)
    hidden = tag("svg", shared, width="0", height="0", style="position:absolute")
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{"".join(rules)}\n{style}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>\n{hidden}\n{sheets}</body></html>\n'


def _pdf(page: Path, target: Path) -> Path | None:
    """The printable page as PDF, if there is a browser to make it."""
    browser = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        return None
    options = ["--headless=new", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={target.resolve()}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--no-sandbox")
    command = [browser, *options, page.resolve().as_uri()]
    try:
        # The command is a browser found on the path and files we have just written.
        subprocess.run(command, check=True, capture_output=True, timeout=240)  # noqa: S603
    except (subprocess.SubprocessError, OSError):
        return None
    return target if target.exists() else None
