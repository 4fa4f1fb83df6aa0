"""Maps, counters and print sheets as SVG.

``HEX`` is the size of a hex on a drawn map, from side to side:

>>> HEX > 0
True
"""

from .counters import counter_face, counter_svg
from .plan import HEX
from .printing import game_map_svg, print_sheets, shores_of
from .sheet import map_sheet

__all__ = [
    "HEX",
    "counter_face",
    "counter_svg",
    "game_map_svg",
    "map_sheet",
    "print_sheets",
    "shores_of",
]
