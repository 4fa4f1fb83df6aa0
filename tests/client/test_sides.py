"""The client knows no side: how each looks comes from the families' data."""

import re
from pathlib import Path

import pytest

from ladoga.kernel.sides import SideStyle, styles
from ladoga.server import livery

STYLES = [
    path
    for path in sorted((Path(__file__).parents[2] / "client" / "src").rglob("*"))
    if path.suffix in (".css", ".tsx") and "editor" not in path.parts
]


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_no_style_and_no_drawing_names_a_side(path):
    named = re.findall(r"""[."'](?:german|soviet)\b""", path.read_text(encoding="utf-8"))
    assert not named


def test_every_side_has_its_colours_and_shape_in_each_palette(monkeypatch):
    shape = styles()["german"]
    otter = SideStyle("judged", shape.lines, {"otter": shape.counters["german"]}, corners="cut")
    monkeypatch.setattr(livery, "styles", lambda: {**styles(), "otter": otter})
    worn = dict.fromkeys((*styles(), "otter"), shape.counters["german"].classic)
    monkeypatch.setattr(livery, "liveries", lambda _: worn)
    told = livery.stylesheet()
    for side in (*styles(), "otter"):
        assert f".{side}{{--seen:1;" in told
        for palette in livery.PALETTES:
            assert re.search(rf'\[data-palette="{palette}"\] \.{side}{{--side:#[0-9a-f]{{6}};--side-line:#', told)
    assert f'[data-palette="dark"] .otter{{--side:{shape.lines.dark};' in told, "without marks of its own, its lines"
