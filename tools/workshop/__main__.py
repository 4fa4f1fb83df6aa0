"""Builds a game's map file from real geography and a hand-written layer.

    python tools/workshop GEODATA FIT CORRECTIONS OUT

GEODATA is a folder of GeoJSON files (not part of the project), FIT a grid fit (fits/), CORRECTIONS the
hand-written layer (corrections/), OUT the folder that gets map.yaml and shores.json.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from building import Builder
from fit import read_fits
from geodata import read_folder
from recipe import Recipe
from writing import text_of

from ladoga.kernel.data import load, read_text, shape
from ladoga.kernel.errors import LadogaError
from ladoga.kernel.map import GameMap, MapFile


def main() -> int:
    """Reads the arguments, builds the map and checks that the game can read it."""
    parser = argparse.ArgumentParser(prog="workshop", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("geodata", type=Path, help="folder of GeoJSON files")
    parser.add_argument("fit", type=Path, help="grid fit (JSON)")
    parser.add_argument("corrections", type=Path, help="hand-written layer (YAML)")
    parser.add_argument("out", type=Path, help="folder for map.yaml and shores.json")
    arguments = parser.parse_args()
    try:
        recipe = load(arguments.corrections, Recipe)
        fits = read_fits(arguments.fit)
        shapes = {
            board: read_folder(arguments.geodata, fits[board], recipe.sources) if board in fits else []
            for board in recipe.boards
        }
        builder = Builder(recipe, fits, shapes)
        file = builder.build()
        text = text_of(file, recipe.about)
        GameMap.of(shape(read_text(text), MapFile))
    except (LadogaError, OSError, ValueError) as problem:
        print(f"workshop: {problem}", file=sys.stderr)
        return 1
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "map.yaml").write_text(text, encoding="utf-8")
    shores = json.dumps(builder.shores(), ensure_ascii=False, separators=(",", ":"))
    (arguments.out / "shores.json").write_text(shores.replace('{"kind"', '\n{"kind"') + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
