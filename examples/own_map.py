"""The owner of a printed map corrects ours: corrections, the map drawn with them, a unit's way on it.

python examples/own_map.py corrected.svg
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import ladoga
from ladoga.drawing import game_map_svg

CORRECTIONS = """
from: owner
hexes: {"0611": swamp}
hexsides: {"0511/0512": [river]}
names: {"0611": The great moss}
why: {"0611": the printed sheet has swamp here}
"""

POSITION = """
game: leningrad-1979
turn: 2
phase: german-movement
units: {1/41: {hex: "0610"}}
"""

with TemporaryDirectory() as folder:
    (Path(folder) / "map.yaml").write_text(CORRECTIONS, encoding="utf-8")
    corrected = ladoga.load("leningrad-1979", folder)

for line in corrected.changes:
    print(line)
for name, game in (("as shipped", ladoga.load("leningrad-1979")), ("corrected", corrected)):
    way = game.position(POSITION).reach(["1/41"])["0612"]
    print(f"{name}: the 1st Panzer in 0610 goes to 0612 by {' '.join(way.path)} for {way.cost} points")
if len(sys.argv) > 1:
    Path(sys.argv[1]).write_text(game_map_svg(corrected), encoding="utf-8")
