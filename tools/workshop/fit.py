"""From longitude and latitude to a game's sheet.

A fit file names, for each board, a Lambert conformal conic projection (sphere of 6371 km; or "degrees" for
none) and how its kilometres become sheet units: hex heights, x to the right and y down, zero in the middle of
the top left hex, as ``Grid.centre`` gives them. ``affine`` is ``[[a, b, c], [d, e, f]]`` for x = a*km_x + b*km_y + c
and y = d*km_x + e*km_y + f. A map that was drawn as a diagram has ``warp`` instead: a thin-plate spline
through known places.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]

EARTH_KM = 6371.0


@dataclass(frozen=True)
class Projection:
    """Lambert conformal conic on a sphere, in kilometres east and north of its centre."""

    lat1: float
    lat2: float
    lat0: float
    lon0: float

    def __call__(self, lon: float, lat: float) -> Point:
        lat1, lat2 = math.radians(self.lat1), math.radians(self.lat2)
        n = math.log(math.cos(lat1) / math.cos(lat2)) / math.log(_t(lat2) / _t(lat1))
        scale = EARTH_KM * math.cos(lat1) * _t(lat1) ** n / n
        r0 = scale / _t(math.radians(self.lat0)) ** n
        r = scale / _t(math.radians(lat)) ** n
        angle = n * math.radians(lon - self.lon0)
        return r * math.sin(angle), r0 - r * math.cos(angle)


@dataclass(frozen=True)
class Degrees:
    """No projection at all: longitude and latitude as they are, good enough for a small sheet."""

    def __call__(self, lon: float, lat: float) -> Point:
        return lon, lat


def _t(latitude: float) -> float:
    return math.tan(math.pi / 4 + latitude / 2)


@dataclass(frozen=True)
class Affine:
    """A linear fit from kilometres to the sheet."""

    rows: list[list[float]]

    def __call__(self, x: float, y: float) -> Point:
        (a, b, c), (d, e, f) = self.rows
        return a * x + b * y + c, d * x + e * y + f


@dataclass(frozen=True)
class Warp:
    """A thin-plate spline from kilometres to the sheet, exact (nearly) at its control points."""

    controls: list[Point]
    weights: list[Point]
    plane: list[Point]

    def __call__(self, x: float, y: float) -> Point:
        x, y = x / 100, y / 100
        out = []
        for k in (0, 1):
            value = self.plane[0][k] + self.plane[1][k] * x + self.plane[2][k] * y
            for (cx, cy), weight in zip(self.controls, self.weights, strict=True):
                square = (x - cx / 100) ** 2 + (y - cy / 100) ** 2
                if square > 0:
                    value += weight[k] * square * math.log(square) / 2
            out.append(value)
        return out[0], out[1]


@dataclass(frozen=True)
class Fit:
    """One board: longitude and latitude to sheet units."""

    projection: Projection | Degrees
    plane: Affine | Warp

    def __call__(self, lon: float, lat: float) -> Point:
        return self.plane(*self.projection(lon, lat))


def read_fits(path: Path) -> dict[str, Fit]:
    """The fit of every board in a fit file."""
    boards = json.loads(path.read_text(encoding="utf-8"))["boards"]
    fits = {}
    for name, board in boards.items():
        plane: Affine | Warp
        if "affine" in board:
            plane = Affine(board["affine"])
        else:
            warp = board["warp"]
            plane = Warp(*([tuple(p) for p in warp[key]] for key in ("controls_km", "weights", "plane")))
        projection = board["projection"]
        fits[name] = Fit(Degrees() if projection == "degrees" else Projection(**projection), plane)
    return fits
