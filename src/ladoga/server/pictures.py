"""Pictures for the browser: the land of each board, drawn once, and where every hex lies on it."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import os
import re
import sys
from asyncio.subprocess import PIPE
from collections import Counter as Count
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar
from xml.etree import ElementTree

import msgspec

from ..drawing import counter_face, sheet
from ..drawing.plan import HEX, Plan, plans
from ..drawing.printing import terrain_effects
from ..hexes import Hex
from ..kernel.files import write_whole
from ..kernel.game import Game
from ..kernel.map import GameMap
from ..kernel.position import OBSERVER
from ..kernel.table import Counter
from .draw import Wish, draw
from .shapes import Sample

try:
    import lzma
except ImportError:  # some Pythons are built without it; maps are then drawn here
    lzma = None  # type: ignore[assignment]

PALETTES = ("classic", "dark", "distinct")

Size = tuple[float, float]
GAP = 1.0 * HEX
"""Room between two boards lying side by side."""


T = TypeVar("T")


class Shelf(Generic[T]):
    """Keeps the last few things that took long to make."""

    def __init__(self, size: int = 64) -> None:
        self._size = size
        self._kept: OrderedDict[Any, T] = OrderedDict()

    def find(self, key: Any) -> T | None:
        """The thing under a key, if it is there."""
        return self._kept.get(key)

    def put(self, key: Any, thing: T) -> T:
        """Keep a thing."""
        return self.get(key, lambda: thing)

    def get(self, key: Any, make: Callable[[], T]) -> T:
        """The thing under a key, made if it is not there."""
        if key not in self._kept:
            self._kept[key] = make()
        self._kept.move_to_end(key)
        while len(self._kept) > self._size:
            self._kept.popitem(last=False)
        return self._kept[key]


@lru_cache(32)
def geometry(game_map: GameMap) -> dict[str, Any]:
    """Where boards and hexes lie: boards side by side, in drawing units."""
    boards: list[dict[str, Any]] = []
    hexes: dict[str, list[float]] = {}
    across = 0.0
    for plan in plans(game_map):
        left, top, right, _ = plan.frame
        dx, dy = across - left, -top
        for h in plan.hexes:
            x, y = plan.centre(h)
            hexes[plan.grid.number(h)] = [round(x + dx, 2), round(y + dy, 2)]
        boards.append(_board(plan, dx, dy))
        across += right - left + GAP
    return {"hex": HEX, "boards": boards, "hexes": hexes}


def _board(plan: Plan, dx: float, dy: float) -> dict[str, Any]:
    left, top, right, bottom = plan.frame
    return {
        "name": plan.board.name,
        "title": plan.spec.title,
        "shape": plan.board.shape,
        "north": plan.spec.north,
        "km": plan.spec.hex_km,
        "dx": round(dx, 2),
        "dy": round(dy, 2),
        "frame": [round(v, 2) for v in (left + dx, top + dy, right + dx, bottom + dy)],
    }


class Picture(NamedTuple):
    """A drawing as it goes over the wire: its fingerprint, and its bytes compressed once."""

    key: str
    packed: bytes

    @property
    def text(self) -> str:
        """The SVG."""
        return gzip.decompress(self.packed).decode()

    @classmethod
    def of(cls, key: str, text: str) -> Picture:
        """A drawing, compressed."""
        return cls(key, gzip.compress(text.encode(), 6))


class Atlas:
    """Drawn maps under the fingerprint of everything they are drawn from: those that came with the program, and
    those of corrected maps, drawn here and kept in a folder."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._shelf: Shelf[Picture] = Shelf()
        self._drawing: dict[str, asyncio.Lock] = {}
        """What is being drawn just now, so that nobody draws it a second time."""

    async def map(self, game_map: GameMap, shores: Any, board: str, palette: str, *, keep: bool = True) -> Picture:
        """A board's land, found or drawn now; a draft is not worth keeping in the folder."""
        wish = Wish(game_map.file, game_map.change, shores, board, palette)
        key = f"{fingerprint(wish)}-{palette}"
        try:
            async with self._drawing.setdefault(key, asyncio.Lock()):
                found = self._shelf.find(key) or self._read(key) or await self._shipped(wish)
                if found is None:
                    found = Picture.of(key, await _drawn(msgspec.json.encode(wish)))
                    if keep:
                        self._write(found)
                return self._shelf.put(key, found)
        finally:
            self._drawing.pop(key, None)

    async def card(self, game: Game, shores: Any, palette: str) -> Picture:
        """A game's picture on the front page: where its counters meet, at the start."""
        land = await self.map(game.map, shores, plans(game.map)[0].board.name, palette)
        key = f"{land.key}-card"
        found = self._shelf.find(key)
        if found is None:
            found = Picture.of(key, await asyncio.to_thread(card, game, land.text, palette))
        return self._shelf.put(key, found)

    async def _shipped(self, wish: Wish) -> Picture | None:
        """A drawing that came with the program; all palettes of its board come to the shelf."""
        drawings = await asyncio.to_thread(_shipped, fingerprint(wish))
        for picture in drawings.values():
            self._shelf.put(picture.key, picture)
        return drawings.get(wish.palette)

    def _read(self, key: str) -> Picture | None:
        path = None if self._folder is None else self._folder / f"{key}.svg.gz"
        return Picture(key, path.read_bytes()) if path is not None and path.is_file() else None

    def _write(self, picture: Picture) -> None:
        if self._folder is not None:
            with suppress(OSError):
                write_whole(self._folder / f"{picture.key}.svg.gz", picture.packed, sync=False)


def fingerprint(wish: Wish) -> str:
    """What a board's drawing depends on, whatever its colours."""
    asked = msgspec.json.encode([wish.file, wish.change, wish.shores, wish.board])
    return hashlib.sha256(_drawing_code() + asked).hexdigest()[:32]


def land_folder() -> Path:
    """Where the drawings lie that come with the program."""
    return Path(str(resources.files("ladoga.web"))) / "land"


def shipped(key: str) -> dict[str, str]:
    """The drawings of a board by palette, if they came with the program and are of this edition."""
    path = land_folder() / f"{key}.xz"
    if lzma is None or not path.is_file():
        return {}
    return msgspec.json.decode(lzma.decompress(path.read_bytes()), type=dict[str, str])


def _shipped(key: str) -> dict[str, Picture]:
    return {palette: Picture.of(f"{key}-{palette}", text) for palette, text in shipped(key).items()}


def ship(maps: Iterable[tuple[GameMap, Any]]) -> list[Path]:
    """Draw every board of these maps in all colours for the program to bring along; forget older drawings."""
    folder = land_folder()
    folder.mkdir(exist_ok=True)
    made: list[Path] = []
    for game_map, shores in maps:
        for board in game_map.grid.boards:
            wishes = [Wish(game_map.file, game_map.change, shores, board.name, palette) for palette in PALETTES]
            path = folder / f"{fingerprint(wishes[0])}.xz"
            if not path.exists():
                drawings = {wish.palette: draw(wish) for wish in wishes}
                path.write_bytes(lzma.compress(msgspec.json.encode(drawings), preset=9))
            made.append(path)
    for path in set(folder.glob("*.xz")) - set(made):
        path.unlink()
    return made


BESIDE: Size = (720.0, 709.0)
"""What of a map a picture to share shows, in drawing units."""

# Cards ------------------------------------------------------------------------------------------

CARD = (620.0, 336.0)
"""What of a map a card on the front page shows, in drawing units."""
SVG = "http://www.w3.org/2000/svg"


@lru_cache(16)
def key(game: Game) -> list[Sample]:
    """The terrain key of a game's map: a sample of everything on it, drawn by the map's own hand, with what it does.
    It takes its colours from the map it is shown beside."""
    effects = terrain_effects(game, game.charts())
    words = sheet._shown(game.map, plans(game.map))
    return [
        {
            "name": sheet._key_name(section, word), "text": effects.get(word, "").replace("\n", " · "),
            "drawing": sheet._sample(game.map, section, word, f"key{n}"),
        }
        for n, (section, word) in enumerate(words)
    ]  # fmt: skip


def _framed(land: str, left: float, top: float, size: Size) -> ElementTree.Element:
    """A piece of a drawn board, with what lies outside it cut off."""
    wide, tall = size
    root = ElementTree.fromstring(land)  # noqa: S314  # our own drawing
    root.set("class", f"{root.get('class')} mid")
    root.set("viewBox", f"{left:.0f} {top:.0f} {wide:.0f} {tall:.0f}")
    for side in ("width", "height"):
        root.attrib.pop(side, None)
    root.set("preserveAspectRatio", "xMidYMid slice")
    _cut(root, (left - 120, top - 120, left + wide + 120, top + tall + 120))
    return root


def card(game: Game, land: str, palette: str) -> str:
    """A detail of a drawn map with the counters that lie there when the game begins."""
    ElementTree.register_namespace("", SVG)
    plan = plans(game.map)[0]
    counters = [c for c in game.start().view(OBSERVER).table().counters if c.hex in plan.grid]
    spots = [(c, *plan.centre(plan.grid.hex(c.hex))) for c in counters if plan.grid.hex(c.hex) in plan.hexes]
    left, top = _window(plan, [(c.side, x, y) for c, x, y in spots])
    root = _framed(land, left, top, CARD)
    faces = "".join(
        f'<g transform="translate({x - 30:.1f} {y - 31:.1f}) scale(.6)">{counter_face(c, palette=palette)}</g>'
        for c, x, y in spots if left - 40 < x < left + CARD[0] + 40 and top - 40 < y < top + CARD[1] + 40
    )  # fmt: skip
    return ElementTree.tostring(root, encoding="unicode").removesuffix("</svg>").rstrip() + faces + "</svg>"


def scene(game_map: GameMap, land: str, board: str, counters: Iterable[Counter], number: str, size: Size) -> str:
    """A piece of a drawn board around a hex, or where both sides meet, with the counters that lie there."""
    ElementTree.register_namespace("", SVG)
    plan = next(p for p in plans(game_map) if p.board.name == board)
    stacks: dict[str, list[Counter]] = {}
    for counter in counters:
        if counter.hex in plan.grid and plan.grid.hex(counter.hex) in plan.hexes:
            stacks.setdefault(counter.hex, []).append(counter)
    spots = {number: plan.centre(plan.grid.hex(number)) for number in stacks}
    if number in plan.grid and plan.grid.hex(number) in plan.hexes:
        x, y = plan.centre(plan.grid.hex(number))
    else:
        left, top = _window(plan, [(stacks[n][0].side, *spot) for n, spot in spots.items()])
        x, y = left + CARD[0] / 2, top + CARD[1] / 2
    wide, tall = size
    left = max(plan.frame[0], min(x - wide / 2, plan.frame[2] - wide))
    top = max(plan.frame[1], min(y - tall / 2, plan.frame[3] - tall))
    root = _framed(land, left, top, size)
    faces = []
    for n, (cx, cy) in spots.items():
        if left - 40 < cx < left + wide + 40 and top - 40 < cy < top + tall + 40:
            for k, counter in enumerate(stacks[n][-3:]):
                place = f"translate({cx - 30 + 4 * (1 - k):.1f} {cy - 31 - 4 * (1 - k):.1f}) scale(.6)"
                faces.append(f'<g transform="{place}">{counter_face(counter)}</g>')
    ring = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="47" fill="none" stroke="#b98a2c" stroke-width="6"/>' if number else ""
    return (
        ElementTree.tostring(root, encoding="unicode").removesuffix("</svg>").rstrip()
        + "".join(faces)
        + ring
        + "</svg>"
    )


def board_of(game_map: GameMap, number: str) -> str:
    """The board on which a hex lies; the first one for no hex."""
    grid = game_map.grid
    boards = [plan.board.name for plan in plans(game_map) if number in grid and grid.hex(number) in plan.hexes]
    return boards[0] if boards else grid.boards[0].name


def drawn_here(game_map: GameMap, shores: Any, board: str) -> str:
    """A board's land without a server: as it came with the program, else drawn now."""
    wish = Wish(game_map.file, game_map.change, shores, board, "classic")
    return shipped(fingerprint(wish)).get("classic") or draw(wish)


def beside(drawn: str) -> str:
    """A piece of the map as the left part of a picture to share."""
    placed = drawn.replace("<svg ", '<svg x="0" y="0" width="640" height="630" ', 1)
    return placed + '<path d="M640 0V630" stroke="#d3c7ae"/>'


def _window(plan: Plan, spots: list[tuple[str, float, float]]) -> tuple[float, float]:
    """The corner of the part of a board to show: where both sides are near each other, among names."""
    left, top, right, bottom = plan.frame
    names = [plan.centre(h) for h in plan.hexes if h in plan.map.names]

    def interest(h: Hex) -> float:
        cx, cy = plan.centre(h)
        near = {(side, x, y) for side, x, y in spots if abs(x - cx) < CARD[0] / 2 and abs(y - cy) < CARD[1] / 2}
        counts = sorted(Count(side for side, _, _ in near).values())
        named = sum(1 for x, y in names if abs(x - cx) < CARD[0] / 2 and abs(y - cy) < CARD[1] / 2)
        crowd = 3 * min(counts[0], 4) if len(counts) > 1 else 0
        return crowd + 2 * min(sum(counts), 4) + 0.8 * min(named, 5)

    x, y = plan.centre(max(plan.hexes, key=interest))
    return (
        max(left, min(x - CARD[0] / 2, right - CARD[0])),
        max(top, min(y - CARD[1] / 2, bottom - CARD[1])),
    )


def _cut(root: ElementTree.Element, box: tuple[float, float, float, float]) -> None:
    """Drop words, numbers and strokes that lie outside a box."""
    left, top, right, bottom = box

    def inside(x: float, y: float) -> bool:
        return left < x < right and top < y < bottom

    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag == f"{{{SVG}}}text" and not inside(float(child.get("x", left)), float(child.get("y", top))):
                parent.remove(child)
    for group in root.iter(f"{{{SVG}}}g"):
        if (group.get("class") or "").split(" ")[0] in ("glyphs", "grid", "grid-ticks"):
            for stroke in group.iter(f"{{{SVG}}}path"):
                parts = re.findall(r"M(-?[\d.]+)[ ,]?(-?[\d.]+)([^M]*)", stroke.get("d", ""))
                stroke.set("d", "".join(f"M{x} {y}{rest}" for x, y, rest in parts if inside(float(x), float(y))))


async def _drawn(asked: bytes) -> str:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "ladoga.server.draw", stdin=PIPE, stdout=PIPE, env=_environment()
    )
    try:
        drawing, _ = await process.communicate(asked)
    except asyncio.CancelledError:
        process.kill()
        raise
    if process.returncode:
        raise RuntimeError("the map could not be drawn")
    return drawing.decode()


def _environment() -> dict[str, str]:
    """The same program, from wherever this one was loaded."""
    here = str(Path(str(resources.files("ladoga"))).parent)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([here, os.environ.get("PYTHONPATH", "")])}


@cache
def _drawing_code() -> bytes:
    folder = Path(str(resources.files("ladoga.drawing")))
    files = sorted(file for file in folder.iterdir() if file.suffix in (".py", ".yaml"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).digest()
