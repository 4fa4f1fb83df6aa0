"""The three typefaces: their files, the widths of their letters and the CSS that brings them in."""

from __future__ import annotations

import base64
import json
from functools import cache
from pathlib import Path
from typing import cast

FONTS = Path(__file__).parent / "fonts"

_FAMILIES = {"spectral": "Spectral", "barlow": "Barlow Condensed", "inter": "Inter"}
_FILES = {"spectral": "spectral", "barlow": "barlow-condensed", "inter": "inter"}
_FALLBACKS = {
    "spectral": "Spectral, Georgia, serif",
    "barlow": "'Barlow Condensed', 'Arial Narrow', sans-serif",
    "inter": "Inter, Helvetica, Arial, sans-serif",
}


@cache
def _widths() -> dict[str, dict[str, int]]:
    text = (FONTS / "widths.json").read_text(encoding="utf-8")
    return cast("dict[str, dict[str, int]]", json.loads(text))


def width(words: str, face: str, size: float, spacing: float = 0.0) -> float:
    """Width of a line set in a face; ``spacing`` is the letterspacing in em.

    >>> 24 < width("Pskov", "spectral-500", 10) < 30
    True
    """
    table = _widths()[face]
    return size * sum(table.get(letter, 600) / 1000 + spacing for letter in words)


def font(face: str) -> str:
    """CSS of a face: ``font-family``, weight and slant."""
    family, weight, *slant = face.split("-")
    style = ";font-style:italic" if slant else ""
    return f"font-family:{_FALLBACKS[family]};font-weight:{weight}{style}"


def font_faces(text: str, faces: list[str]) -> str:
    """``@font-face`` rules with the fonts inside, just those subsets that the text needs."""
    extended = any("\u0100" <= letter < "\u2000" for letter in text)
    rules: list[str] = []
    for face in faces:
        family, weight, *slant = face.split("-")
        style = "italic" if slant else "normal"
        size = "wght" if family == "inter" else weight
        subsets = ["latin"] + (["latin-ext"] if extended else [])
        for subset in subsets:
            file = FONTS / f"{_FILES[family]}-{subset}-{size}-{style}.woff2"
            if not file.exists():
                continue
            data = base64.b64encode(file.read_bytes()).decode("ascii")
            span = "100 900" if family == "inter" else weight
            reach = "unicode-range:U+100-2AF,U+1E00-1EFF;" if subset == "latin-ext" else ""
            rules.append(
                f"@font-face{{font-family:'{_FAMILIES[family]}';font-weight:{span};font-style:{style};{reach}"
                f"src:url(data:font/woff2;base64,{data}) format('woff2')}}"
            )
    return "\n".join(rules)
