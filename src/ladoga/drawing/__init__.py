"""Maps, counters and print sheets as SVG."""

from .map import map_svg

__all__ = ["map_svg"]
