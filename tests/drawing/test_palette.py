"""Colours hold their contrast, and sides stay apart for every kind of colour vision."""

import pytest

from ladoga.drawing.palette import PALETTES, counter_livery, mixed
from ladoga.kernel.sides import liveries, style_of, styles

MACHADO = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def linear(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def contrast(a, b):
    """The WCAG ratio of two colours."""
    light = sorted(sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(x), strict=True)) for x in (a, b))
    return (light[1] + 0.05) / (light[0] + 0.05)


def lab(rgb):
    rows = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
    white = (0.95047, 1.0, 1.08883)
    xyz = [sum(m * c for m, c in zip(row, rgb, strict=True)) / w for row, w in zip(rows, white, strict=True)]
    x, y, z = (v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(a, b, sight="normal"):
    """ΔE76 of two colours under full severity of a deficiency (Machado 2009)."""
    seen = []
    for colour in (a, b):
        rgb = linear(colour)
        seen.append(lab([min(1, max(0, sum(m * c for m, c in zip(row, rgb, strict=True)))) for row in MACHADO[sight]]))
    return sum((p - q) ** 2 for p, q in zip(*seen, strict=True)) ** 0.5


GATES = [
    ("ink", "paper", 7), ("ink", "panel", 7), ("ink", "land", 7), ("mute", "paper", 4.5), ("mute", "panel", 4.5),
    ("teal", "paper", 4.5), ("teal", "land", 4.5), ("oxblood", "land", 4.5), ("number", "land", 4.5),
    ("water_label", "water", 4.5), ("water_label", "deep", 3), ("river_edge", "land", 4.5), ("shore", "water", 3),
    ("road_case", "land", 4.5), ("rail", "land", 7), ("border", "land", 4.5), ("city", "land", 4.5),
    ("city", "urban", 4.5), ("urban_line", "urban", 3), ("marsh_glyph", "marsh", 3), ("hill_glyph", "hill", 3),
    ("hill_glyph", "hill_top", 3), ("woods_glyph", "woods", 3),
    ("forest_glyph", "forest", 3),
]  # fmt: skip


@pytest.mark.parametrize("palette", PALETTES.values(), ids=lambda p: p.name)
@pytest.mark.parametrize(("upper", "lower", "least"), GATES)
def test_map_colours_keep_their_contrast(palette, upper, lower, least):
    assert contrast(getattr(palette, upper), getattr(palette, lower)) >= least


@pytest.mark.parametrize("palette", PALETTES.values(), ids=lambda p: p.name)
@pytest.mark.parametrize("side", sorted(styles()))
def test_the_lines_of_a_side_are_seen_on_paper(palette, side):
    assert contrast(getattr(style_of(side).lines, palette.name), palette.paper) >= 4.5


@pytest.mark.parametrize("palette", PALETTES.values(), ids=lambda p: p.name)
def test_numbers_in_town_are_as_legible_as_on_land(palette):
    assert contrast(mixed(palette.number, palette.ink, 0.6), palette.urban) >= 4.5


@pytest.mark.parametrize("palette", ["classic", "distinct"])
@pytest.mark.parametrize("name", sorted(liveries("classic")))
def test_figures_stand_out_on_their_counter_and_the_counter_on_the_land(palette, name):
    body = counter_livery(name, palette)
    assert contrast(body.ink, body.ground) >= 4.5
    assert contrast(body.ink, body.reduced) >= 4.5
    assert contrast(body.outline, body.box) >= 4.5
    assert contrast(body.outline, PALETTES["classic"].land) >= 4.5


@pytest.mark.parametrize("sight", MACHADO)
@pytest.mark.parametrize("palette", ["classic", "distinct"])
@pytest.mark.parametrize("soviet", ["soviet", "guards", "militia", "nkvd"])
@pytest.mark.parametrize("german", ["german", "panzer", "ss", "air", "allied"])
def test_sides_stay_apart_for_every_colour_vision(german, soviet, palette, sight):
    assert difference(counter_livery(german, palette).ground, counter_livery(soviet, palette).ground, sight) >= 40


def test_the_measures_agree_with_known_values():
    assert round(contrast("#000000", "#ffffff"), 2) == 21
    assert round(difference("#ffffff", "#000000")) == 100
    # The style's own figures for the two sides of the classic palette.
    german, soviet = counter_livery("german", "classic").ground, counter_livery("soviet", "classic").ground
    assert round(difference(german, soviet)) == 65
    assert round(min(difference(german, soviet, sight) for sight in MACHADO)) == 48
