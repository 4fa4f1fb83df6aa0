"""Reading a folder of GeoJSON and moving it onto a sheet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fit import Fit, Point


@dataclass(frozen=True)
class Shape:
    """A thing of the real land: lines, polygons (rings, outer first) or points, in sheet units."""

    kind: str
    name: str
    source: str
    lines: list[list[Point]] = field(default_factory=list)
    polygons: list[list[list[Point]]] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)


def read_folder(folder: Path, fit: Fit, sources: list[str]) -> list[Shape]:
    """Every usable feature of the GeoJSON files in the folder (or of some of them), on the sheet of one board.

    Lakes marked ``exists_1941: false`` (later reservoirs) and lines marked ``use: false`` are left out.
    """
    shapes = []
    for path in sorted(folder.glob("*.geojson")):
        if sources and path.stem not in sources:
            continue
        for feature in json.loads(path.read_text(encoding="utf-8"))["features"]:
            properties = feature["properties"]
            if properties.get("exists_1941") is False or properties.get("use") is False:
                continue
            kind = properties.get("kind", "place")
            if properties.get("featurecla") == "Lake Centerline":
                kind = "lake-line"
            shapes.append(_shape(kind, properties.get("name") or "", path.stem, feature["geometry"], fit))
    return shapes


def _shape(kind: str, name: str, source: str, geometry: dict[str, Any], fit: Fit) -> Shape:
    coordinates: Any = geometry["coordinates"]
    match geometry["type"]:
        case "Point":
            return Shape(kind, name, source, points=_line([coordinates], fit))
        case "LineString":
            return Shape(kind, name, source, lines=[_line(coordinates, fit)])
        case "MultiLineString":
            return Shape(kind, name, source, lines=[_line(line, fit) for line in coordinates])
        case "Polygon":
            return Shape(kind, name, source, polygons=[[_line(ring, fit) for ring in coordinates]])
        case "MultiPolygon":
            return Shape(kind, name, source, polygons=[[_line(ring, fit) for ring in rings] for rings in coordinates])
    raise ValueError(f"{source}: a {geometry['type']} is of no use here")


def _line(coordinates: list[list[float]], fit: Fit) -> list[Point]:
    return [fit(lon, lat) for lon, lat, *_ in coordinates]


def of_kind(shapes: list[Shape], *kinds: str) -> Iterator[Shape]:
    """The shapes of these kinds."""
    return (shape for shape in shapes if shape.kind in kinds)
