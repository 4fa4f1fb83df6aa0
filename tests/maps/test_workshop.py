"""The map workshop on a small invented land: what it draws, what a hand overrules, what it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ladoga.kernel.data import load
from ladoga.kernel.map import GameMap, MapFile

ROOT = Path(__file__).parents[2]
WORKSHOP = ROOT / "tools" / "workshop"

RECIPE = """
about: A small land.
boards:
  main: {columns: [1, 6], rows: [1, 4]}
vocabulary:
  ground: clear
  terrain: [clear, swamp, sea]
  hexsides: [river, road, sea, bridge]
  places: [city]
  water: [sea]
cover:
  - {kind: swamp, land: marsh}
terrain:
  - {kind: clear, from: printed, case: "1.0", at: "0502"}
rivers:
  - {name: Stream, lines: [Stream], to: water}
roads:
  - {name: Track, line: Track, via: first 0302 last}
bridged: {river: bridge}
places:
  - {name: Town, kind: city}
"""


def feature(kind, name, geometry, coordinates, **more):
    return {
        "type": "Feature",
        "properties": {"kind": kind, "name": name, **more},
        "geometry": {"type": geometry, "coordinates": coordinates},
    }


@pytest.fixture
def land(tmp_path):
    """Sheet units are degrees here: x east, y south of the top row (so latitude is -y)."""
    west = [[-2, 2], [0.45, 2], [0.45, -6], [-2, -6], [-2, 2]]
    bog = [[3, 0.6], [4.9, 0.6], [4.9, -2.4], [3, -2.4], [3, 0.6]]
    features = [
        feature("sea", "", "Polygon", [west]),
        feature("lake", "Later dam", "Polygon", [bog], exists_1941=False),
        feature("marsh", "Great bog", "Polygon", [bog]),
        feature("river", "Stream", "LineString", [[4.2, -2.2], [2.6, -1.9], [1.3, -2.1], [0.5, -2.0]]),
        feature("road", "Track", "LineString", [[1.7, 0.3], [1.8, -1.2], [2.2, -3.2]]),
        feature("place", "Town", "Point", [1.75, -1.1]),
    ]
    folder = tmp_path / "land"
    folder.mkdir()
    (folder / "all.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    fit = {"boards": {"main": {"projection": "degrees", "affine": [[1, 0, 0], [0, -1, 0]]}}}
    (tmp_path / "fit.json").write_text(json.dumps(fit))
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    return tmp_path


def run(land: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(WORKSHOP), *(str(land / n) for n in ("land", "fit.json", "recipe.yaml", "out"))]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_draws_sea_bog_river_road_and_town(land):
    done = run(land)
    assert (done.returncode, done.stderr) == (0, "")
    game_map = GameMap.read(land / "out" / "map.yaml")
    grid = game_map.grid
    assert {grid.number(h) for h in grid.members(game_map.terrain["sea"])} == {"0101", "0102", "0103", "0104"}
    swamp = {grid.number(h) for h in grid.members(game_map.terrain["swamp"])}
    assert "0501" in swamp
    assert "0502" not in swamp, "the hand-written layer wins"
    assert game_map.names == {grid.hex("0302"): "Town"}
    file = load(land / "out" / "map.yaml", MapFile)
    (stream,) = [f for f in file.hexsides if f.kind == "river"]
    assert stream.from_ == "geography"
    first, _, second = stream.at.split()[-1].partition("/")
    water = game_map.terrain["sea"] | grid.ring(game_map.terrain["sea"])
    assert water >> grid.hex(first) & water >> grid.hex(second) & 1, "the stream reaches the sea"
    (track,) = [f for f in file.hexsides if f.kind == "road"]
    assert track.through.split()[0][2:] == "01"
    assert "0302" in track.through.split()
    bridges = [f for f in file.hexsides if f.kind == "bridge"]
    assert len(bridges) == 1, "the track crosses the stream by a bridge"
    shores = json.loads((land / "out" / "shores.json").read_text())
    assert [w["kind"] for w in shores["main"]["water"]] == ["sea"]


def test_the_same_land_gives_the_same_bytes(land):
    run(land)
    once = (land / "out" / "map.yaml").read_bytes(), (land / "out" / "shores.json").read_bytes()
    run(land)
    assert once == ((land / "out" / "map.yaml").read_bytes(), (land / "out" / "shores.json").read_bytes())


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("lines: [Stream]", "lines: [Nowhere]", "the geodata have no line 'Nowhere'"),
        ("{name: Town, kind: city}", "{name: Atlantis, kind: city}", "do not put 'Atlantis' on the board"),
        ("kind: swamp, land", "knd: swamp, land", "unknown key"),
    ],
)
def test_refuses_in_one_line(land, old, new, complaint):
    (land / "recipe.yaml").write_text(RECIPE.replace(old, new))
    done = run(land)
    assert done.returncode == 1
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (land / "out").exists()


@pytest.mark.parametrize("game", sorted(p.stem for p in (WORKSHOP / "corrections").glob("*.yaml")))
def test_every_map_says_what_the_hand_written_layer_says(game, monkeypatch):
    """What a person wrote down reached the finished map unchanged."""
    monkeypatch.syspath_prepend(str(WORKSHOP))
    from recipe import Recipe  # type: ignore[import-not-found]

    recipe = load(WORKSHOP / "corrections" / f"{game}.yaml", Recipe)
    (path,) = (ROOT / "src" / "ladoga" / "games").glob(f"*/data/{game}/map.yaml")
    file = load(path, MapFile)
    assert file.boards == recipe.boards
    assert file.vocabulary == recipe.vocabulary
    for theirs, ours in ((file.terrain, recipe.terrain), (file.hexsides, recipe.hexsides), (file.marks, recipe.marks)):
        assert [f for f in ours if f not in theirs] == []
    assert {s.name for s in recipe.places} == {p.name for p in file.places}
