"""Counters: side by shape, detail by size, states by badge."""

import re
import xml.etree.ElementTree as ET

import pytest

from ladoga.drawing import counter_face, counter_svg
from ladoga.drawing.counters import livery_name, outline
from ladoga.kernel.table import Counter

SYMBOLS = [
    "infantry", "armor", "mechanized", "motorized", "cavalry", "artillery", "engineer", "antitank", "rocket", "hq",
    "air", "bomber", "naval", "fort", "marine", "airborne", "guerrilla", "worker", "security", "leader", "rail-gun",
    "unknown",
]  # fmt: skip


def counter(**changes):
    return Counter(**{"id": "121", "side": "german", "size": "XX", "name": "121", "figures": "6-6", **changes})


def test_side_is_a_shape_before_it_is_a_colour():
    german, soviet = outline(counter()), outline(counter(side="soviet"))
    assert len(soviet) == 8
    assert len(german) > 8


@pytest.mark.parametrize("palette", ["classic", "dark", "distinct"])
@pytest.mark.parametrize("side", ["german", "soviet"])
def test_every_symbol_is_drawn_and_no_two_alike(side, palette):
    faces = {s: counter_svg(counter(symbol=s, side=side), palette=palette) for s in SYMBOLS}
    assert len({re.sub("<title>.*?</title>", "", svg) for svg in faces.values()}) == len(SYMBOLS)
    for svg in faces.values():
        ET.fromstring(svg)


def test_the_face_shows_size_name_formation_and_figures():
    svg = counter_svg(counter(formation="XLI", size="division"))
    for words in (">XX<", ">121<", ">XLI<", ">6-6<"):
        assert words in svg


def test_a_class_letter_stands_in_its_own_shape():
    disc, square, triangle = (counter_face(counter(figures=f"5-{letter}-8")) for letter in "ABC")
    assert disc.count("<circle") == 1
    assert square.count("<circle") == triangle.count("<circle") == 0
    assert all(">5<" in face and ">8<" in face for face in (disc, square, triangle))


def test_lost_steps_show_as_open_pips_and_a_pale_foot():
    whole, half = (counter_face(counter(steps=n, full_steps=2)) for n in (2, 1))
    assert whole.count('fill="none" stroke="#14201a"') < half.count('fill="none" stroke="#14201a"')
    assert "#e4e7e0" in half
    assert "#e4e7e0" not in whole


def test_many_steps_show_as_a_bar():
    face = counter_face(counter(steps=4, full_steps=16))
    assert 'width="18"' in face
    assert 'width="72"' in face


def test_detail_is_dropped_never_shrunk():
    full, middle, far = (counter_face(counter(formation="I"), size=s) for s in (64, 30, 18))
    assert ">XX<" in full
    assert ">XX<" not in middle
    assert ">6-6<" in middle
    assert "<text" not in far


def test_the_back_tells_nothing():
    face = counter_svg(counter(side="soviet", face_down=True, name="secret", figures="9-9-9", formation="secret"))
    assert "secret" not in face
    assert "9-9" not in face


def test_at_most_two_badges_the_most_important_first():
    face = counter_face(counter(name="", states=("disrupted", "unsupplied", "moved")))
    assert ">D<" in face
    assert ">S<" in face
    assert ">»<" not in face


def test_words_for_people_who_hear_the_table():
    assert "German 121, infantry division, 6-6, disrupted" in counter_svg(counter(states=("disrupted",)))


def test_a_shade_or_the_side_gives_the_body():
    assert livery_name(counter(colour="panzer")) == "panzer"
    assert livery_name(counter(colour="naval")) == "german"
    assert livery_name(counter(colour="marker")) == "neutral"
    assert livery_name(counter(side="umpire")) == "neutral"
