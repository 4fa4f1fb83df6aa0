"""From the land and a recipe to a map file."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

from areas import Raster, clipped, simplified, size
from fit import Fit, Point
from geodata import Shape, of_kind
from lines import Chains, Corner, Side, corner_key
from recipe import Bridge, Cover, Recipe, River, Road, Sketch, Spot

from ladoga.hexes import DIRECTIONS, Grid, Hex, HexMask, members
from ladoga.kernel.data import Source, numbers
from ladoga.kernel.map import Feature, MapFile, Place

SHORE_TOLERANCE = 0.02


class Builder:
    """Makes one game's map: board by board, water first, then what lies on the land."""

    def __init__(self, recipe: Recipe, fits: dict[str, Fit], shapes: dict[str, list[Shape]]) -> None:
        self.recipe = recipe
        self.fits = fits
        self.shapes = shapes
        self.grid = Grid(spec.board(name) for name, spec in recipe.boards.items())
        self.by_hand: HexMask = self.grid.mask(n for f in recipe.terrain for n in numbers(f.at))
        self.taken = self.by_hand
        self.terrain: list[Feature] = []
        self.hexsides: list[Feature] = []
        self.chains: dict[str, Chains] = {}
        self.river_corners: dict[str, set[Corner]] = {}
        self.without = {
            (f.kind, side) for f in recipe.without for side in self._sides_of(f)
        }  # fmt: skip

    def build(self) -> MapFile:
        """The finished map file."""
        for name in self.recipe.boards:
            self._water(name)
        for cover in self.recipe.cover:
            self._cover(cover)
        for sketch in self.recipe.sketches:
            self._sketch(sketch)
        for river in self.recipe.rivers:
            self._river(river)
        for road in self.recipe.roads:
            self._road(road)
        for bridge in self.recipe.bridges:
            self._bridge(bridge)
        for river_kind, bridge_kind in self.recipe.bridged.items():
            self._bridge_roads(river_kind, bridge_kind)
        return MapFile(
            boards=self.recipe.boards,
            vocabulary=self.recipe.vocabulary,
            terrain=self.terrain + self.recipe.terrain,
            hexsides=self.hexsides + self.recipe.hexsides,
            places=[self._place(spot) for spot in self.recipe.places],
            marks=self.recipe.marks,
        )

    # Water

    def _waters(self, board: str) -> list[tuple[str, str, list[Shape]]]:
        """Kind, name and shapes of the waters that matter."""
        lakes = self.recipe.water.lakes
        waters = [("sea", "", list(of_kind(self.shapes[board], "sea")))]
        for name in dict.fromkeys(lakes.values()):
            parts = [s for s in of_kind(self.shapes[board], "lake") if s.name and lakes.get(s.name) == name]
            waters.append(("lake", name, parts))
        return [water for water in waters if water[2]]

    def _water(self, board: str) -> None:
        grid, rule, mask = self.grid, self.recipe.water, self.grid.masks[board]
        rasters = []
        everything = Raster(grid, mask)
        for kind, name, shapes in self._waters(board):
            raster = Raster(grid, mask)
            for shape in shapes:
                raster.add(shape.polygons)
                everything.add(shape.polygons)
            rasters.append((kind, name, raster))
        dry = grid.mask(numbers(rule.keep_land)) | self.by_hand
        dry_sides = {frozenset(self._pair(text)) for text in rule.keep_dry.split()}
        hexes: dict[tuple[str, str], list[Hex]] = {}
        wet = 0
        for h in members(mask & ~dry):
            if everything.share(grid, h) >= rule.hex_share:
                hexes.setdefault(self._best(board, rasters, h), []).append(h)
                wet |= 1 << h
        for feature in self.recipe.terrain:
            if feature.kind in self.recipe.vocabulary.water:
                wet |= grid.mask(numbers(feature.at)) & mask
        sides: dict[tuple[str, str], list[Side]] = {}
        for h in members(mask & ~wet if rule.hexsides else 0):
            for d in DIRECTIONS:
                other = grid.neighbours(h)[d]
                if other < h or wet >> other & 1 or frozenset((h, other)) in dry_sides:
                    continue
                if everything.side_share(grid, h, d) >= rule.side_share:
                    sides.setdefault(self._best(board, rasters, h), []).append((h, other))
        for (kind, name), group in sorted(hexes.items()):
            self._add_terrain(kind, name, group)
        for (kind, name), pairs in sorted(sides.items()):
            self._add_sides(kind, name, pairs)
        barred = {s for f in self.hexsides if f.kind in ("sea", "lake") for s in self._sides_of(f)}
        for feature in self.recipe.hexsides:
            if feature.kind in ("sea", "lake"):
                barred |= set(self._sides_of(feature))
        self.chains[board] = Chains(grid, mask, wet, barred | {(b, a) for a, b in barred})

    def _best(self, board: str, rasters: list[tuple[str, str, Raster]], h: Hex) -> tuple[str, str]:
        kind, name, _ = max(rasters, key=lambda r: r[2].share(self.grid, h))
        seas = self.recipe.water.seas
        if kind == "sea" and seas:
            centre = self.grid.centre(h)
            name = min(seas, key=lambda n: math.dist(centre, self.fits[board](*seas[n])))
        return kind, name

    def shores(self) -> dict[str, dict[str, list[object]]]:
        """Real shore lines for drawing, board by board."""
        result: dict[str, dict[str, list[object]]] = {}
        for board, mask in self.grid.masks.items():
            corners = [c for h in members(mask) for c in self.grid.corners(h)]
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            sheet = min(xs), min(ys), max(xs), max(ys)
            frame = sheet[0] - 0.5, sheet[1] - 0.5, sheet[2] + 0.5, sheet[3] + 0.5
            water: list[object] = []
            for kind, name, polygon in self._drawn(board):
                if size(clipped(polygon[0], *sheet)) < self.recipe.water.smallest:
                    continue
                rings = [self._drawn_ring(ring, frame) for ring in polygon]
                keep = [rings[0], *(r for r in rings[1:] if size(r) > self.recipe.water.smallest / 5)]
                water.append({"kind": kind, "name": name, "rings": keep})
            for shore in self.recipe.shores.get(board, []):
                water.append({"kind": shore.kind, "name": shore.name, "rings": shore.rings})
            result[board] = {"water": water, "islands": self._islands(board)}
        return result

    def _islands(self, board: str) -> list[object]:
        """A patch of land in every hex that is land by the rules and open water by the map."""
        raster = Raster(self.grid, self.grid.masks[board])
        for _, _, shapes in self._waters(board):
            for shape in shapes:
                raster.add(shape.polygons)
        kept = self.grid.mask(numbers(self.recipe.water.keep_land)) & self.grid.masks[board]
        islands: list[object] = []
        for h in members(kept):
            if raster.share(self.grid, h) > 0.97:
                x, y = self.grid.centre(h)
                rim = [(math.tau * k / 24, 0.36 + 0.03 * math.sin(2.5 * k)) for k in range(24)]
                islands.append([(round(x + r * math.cos(a), 3), round(y + r * math.sin(a), 3)) for a, r in rim])
        return islands

    def _drawn(self, board: str) -> Iterable[tuple[str, str, list[list[Point]]]]:
        for shape in of_kind(self.shapes[board], "sea", "lake"):
            if shape.name in self.recipe.water.without:
                continue
            name = self.recipe.water.lakes.get(shape.name, shape.name)
            for polygon in shape.polygons:
                yield shape.kind, name, polygon

    def _drawn_ring(self, ring: list[Point], frame: tuple[float, float, float, float]) -> list[Point]:
        ring = ring[:-1] if ring and ring[0] == ring[-1] else ring
        cut = simplified(clipped(ring, *frame), SHORE_TOLERANCE)
        return [(round(x, 3), round(y, 3)) for x, y in cut]

    # Land

    def _cover(self, cover: Cover) -> None:
        chains = self.chains[cover.board]
        for shape in of_kind(self.shapes[cover.board], cover.land):
            if (cover.names and shape.name not in cover.names) or shape.name in cover.without:
                continue
            raster = Raster(self.grid, chains.board)
            raster.add(shape.polygons)
            free = chains.board & ~chains.blocked & ~self.taken
            group = [h for h in members(free) if raster.share(self.grid, h) >= cover.share]
            if group:
                self._add_terrain(cover.kind, shape.name, group)

    def _sketch(self, sketch: Sketch) -> None:
        board = next(b for b in self.grid.boards if b.name == sketch.board)
        if len(sketch.rows) != board.height or any(len(row) != board.width for row in sketch.rows):
            raise ValueError(f"the sketch of {sketch.board} is not {board.width} by {board.height}")
        chains = self.chains[sketch.board]
        for letter, kind in sketch.kinds.items():
            drawn = self.grid.mask(
                board.number(x, y) for y, row in enumerate(sketch.rows) for x, c in enumerate(row) if c == letter
            )
            group = list(members(drawn & ~chains.blocked & ~self.taken))
            if group:
                self._add_terrain(kind, sketch.name, group, sketch.why)

    def _river(self, river: River) -> None:
        sides = [self._pair(text) for text in river.at.split()] or self._river_sides(river)
        sides = [s for s in sides if (river.kind, s) not in self.without]
        self.river_corners[river.name] = {corner_key(c) for side in sides for c in self._side_corners(*side)}
        self._add_sides(river.kind, river.name, sides, river.why)

    def _river_sides(self, river: River) -> list[Side]:
        chains = self.chains[river.board]
        line = self._joined(river.board, river.lines, reservoirs=river.reservoirs)
        if river.backwards:
            line = line[::-1]
        pieces = chains.inside(line)
        if river.piece >= 0:
            pieces = [pieces[river.piece]]
        sides: list[Side] = []
        for piece in pieces:
            last = piece is pieces[-1]
            if last and river.to == "water":
                found = chains.river(piece, lambda corner: corner in chains.wet)
            elif last and river.to:
                found = chains.river(piece, lambda corner: corner in self.river_corners[river.to])
            else:
                found = chains.river(piece)
            sides += [side for side in found if side not in sides]
        return sides

    def _road(self, road: Road) -> None:
        chains = self.chains[road.board]
        words = road.via.split() or ["first", "last"]
        if road.line:
            line = max(chains.inside(self._joined(road.board, [road.line])), key=len)
            ends = {"first": chains.hex_at(line[0]), "last": chains.hex_at(line[-1])}
            stops = [h for w in words if (h := ends[w] if w in ends else self.grid.hex(w)) is not None]
        else:
            stops = [self.grid.hex(n) for n in words]
            line = [self.grid.centre(h) for h in stops]
        way = [stops[0]]
        for start, end in itertools.pairwise(stops):
            way += chains.road(line, start, end)[1:]
        through = " ".join(self.grid.number(h) for h in way)
        source: Source = "judged" if road.why else "geography"
        self.hexsides.append(
            Feature(road.kind, from_=source, through=through, name=road.name, case=road.case, why=road.why)
        )

    def _bridge(self, bridge: Bridge) -> None:
        sides = [s for f in self._all_sides() if f.name == bridge.over for s in self._sides_of(f)]
        if bridge.at:
            side = self._pair(bridge.at)
        else:
            point = next(
                s.points[0] for shapes in self.shapes.values() for s in shapes if s.points and s.name == bridge.name
            )
            side = min(sides, key=lambda s: math.dist(point, self._middle(*s)))
        if side not in sides:
            raise ValueError(f"{bridge.name} is not over the {bridge.over}")
        self._add_sides(bridge.kind, bridge.name, [side])

    def _bridge_roads(self, river_kind: str, bridge_kind: str) -> None:
        rivers = {s for f in self._all_sides() if f.kind == river_kind for s in self._sides_of(f)}
        done = {s for f in self._all_sides() if f.kind == bridge_kind for s in self._sides_of(f)}
        roads = [s for f in self._all_sides() if f.through for s in self._sides_of(f)]
        self._add_sides(bridge_kind, "", [s for s in dict.fromkeys(roads) if s in rivers and s not in done])

    def _all_sides(self) -> list[Feature]:
        return self.hexsides + self.recipe.hexsides

    def _middle(self, a: Hex, b: Hex) -> Point:
        (x1, y1), (x2, y2) = self._side_corners(a, b)
        return (x1 + x2) / 2, (y1 + y2) / 2

    def _joined(self, board: str, names: list[str], *, reservoirs: bool = False) -> list[Point]:
        """Lines of the geodata as one, the nearest ends tied together; it runs as the first one does."""
        lines = []
        for name in names:
            found = [s for s in self.shapes[board] if s.name == name and s.lines]
            found = [s for s in found if reservoirs or s.kind != "lake-line"]
            if not found:
                raise ValueError(f"the geodata have no line {name!r}")
            lines += [line for shape in found for line in shape.lines]
        joined = lines.pop(0)
        while lines:
            ends = [(math.dist(joined[-1], line[0]), k, "after") for k, line in enumerate(lines)]
            ends += [(math.dist(joined[-1], line[-1]), k, "after, turned") for k, line in enumerate(lines)]
            ends += [(math.dist(joined[0], line[-1]), k, "before") for k, line in enumerate(lines)]
            ends += [(math.dist(joined[0], line[0]), k, "before, turned") for k, line in enumerate(lines)]
            _, k, how = min(ends)
            line = lines.pop(k)
            if how.endswith("turned"):
                line = line[::-1]
            joined = joined + line if how.startswith("after") else line + joined
        return joined

    def _place(self, spot: Spot) -> Place:
        number = spot.hex
        if not number:
            wanted = spot.at or spot.name
            points = [s.points[0] for s in self.shapes[spot.board] if s.points and s.name == wanted]
            h = self.chains[spot.board].hex_at(points[0]) if points else None
            if h is None:
                raise ValueError(f"the geodata do not put {wanted!r} on the board {spot.board}")
            number = self.grid.number(h)
        return Place(number, spot.name, spot.kind, from_=spot.from_, case=spot.case, why=spot.why)

    # Writing down

    def _add_terrain(self, kind: str, name: str, group: list[Hex], why: str = "") -> None:
        mask = sum(1 << h for h in group)
        self.taken |= mask
        at = ranged([self.grid.number(h) for h in self.grid.members(mask)])
        self.terrain.append(Feature(kind, from_="judged" if why else "geography", at=at, name=name, why=why))

    def _add_sides(self, kind: str, name: str, pairs: list[Side], why: str = "") -> None:
        at = " ".join("/".join(sorted(map(self.grid.number, p))) for p in pairs if (kind, p) not in self.without)
        if at:
            self.hexsides.append(Feature(kind, from_="judged" if why else "geography", at=at, name=name, why=why))

    def _pair(self, text: str) -> Side:
        first, _, second = text.partition("/")
        a, b = self.grid.hex(first), self.grid.hex(second)
        return min(a, b), max(a, b)

    def _sides_of(self, feature: Feature) -> list[Side]:
        sides = [self._pair(text) for text in feature.at.split()]
        way = feature.through.split()
        return sides + [self._pair(f"{a}/{b}") for a, b in itertools.pairwise(way)]

    def _side_corners(self, a: Hex, b: Hex) -> list[Point]:
        d = self.grid.direction(a, b)
        corners = self.grid.corners(a)
        return [corners[d], corners[(d + 1) % 6]]


def ranged(hexes: list[str]) -> str:
    """Hex numbers on one line, runs of four and more written with ``..``.

    >>> ranged(["0101", "0102", "0103", "0104", "0201"])
    '0101..0104 0201'
    """
    words: list[str] = []
    run: list[str] = []
    for number in [*hexes, ""]:
        if run and number.isdigit() and run[-1].isdigit() and int(number) == int(run[-1]) + 1:
            run.append(number)
            continue
        words += [f"{run[0]}..{run[-1]}"] if len(run) > 3 else run
        run = [number]
    return " ".join(words)
