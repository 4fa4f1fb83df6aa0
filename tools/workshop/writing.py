"""Writing a map file so that a person can read, edit and compare it."""

from __future__ import annotations

import json
import re
import textwrap

from ladoga.kernel.map import BoardSpec, Feature, MapFile, Place

WIDTH = 110
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 .'()/+-]*[A-Za-z0-9.')]|[A-Za-z]")


def text_of(file: MapFile, about: str) -> str:
    """The map file as YAML."""
    lines = [f"# {line}".rstrip() for line in about.strip().splitlines()]
    lines += ["", "boards:"]
    for name, spec in file.boards.items():
        lines.append(f"  {name}: {{{', '.join(_board(spec))}}}")
    words = file.vocabulary
    lines += ["", "vocabulary:", f"  ground: {words.ground}"]
    for key in ("terrain", "hexsides", "places", "water"):
        lines += textwrap.wrap(
            f"{key}: [{', '.join(getattr(words, key))}]", WIDTH, initial_indent="  ", subsequent_indent="    ",
            break_on_hyphens=False,
        )  # fmt: skip
    for section in ("terrain", "hexsides", "places", "marks"):
        items: list[Feature] | list[Place] = getattr(file, section)
        if not items:
            continue
        lines += ["", f"{section}:"]
        for item in items:
            lines += _item(item)
    return "\n".join(lines) + "\n"


def _board(spec: BoardSpec) -> list[str]:
    parts = [f"columns: [{spec.columns[0]}, {spec.columns[1]}]", f"rows: [{spec.rows[0]}, {spec.rows[1]}]"]
    fresh = BoardSpec(columns=(1, 1), rows=(1, 1))
    for key in (
        "shape", "shoved", "columns_from", "rows_from", "order", "prefix", "letters", "title", "north",
        "hex_km",
    ):  # fmt: skip
        value = getattr(spec, key)
        if value != getattr(fresh, key):
            parts.append(f"{key}: {_quoted(value) if isinstance(value, str) else str(value).lower()}")
    return parts


def _item(item: Feature | Place) -> list[str]:
    first = ["kind", "name"] if isinstance(item, Feature) else ["hex", "name", "kind"]
    order = [*first, "from_", "case", "at", "through", "why"]
    pairs = [(key.rstrip("_"), getattr(item, key, "")) for key in order]
    parts = [f"{key}: {_value(key, value)}" for key, value in pairs if value]
    short = f"  - {{{', '.join(parts)}}}"
    if len(short) <= WIDTH:
        return [short]
    lines = []
    for index, part in enumerate(parts):
        lines += textwrap.wrap(
            part, WIDTH, initial_indent="    " if index else "  - ", subsequent_indent="      ",
            break_on_hyphens=False, break_long_words=False,
        )  # fmt: skip
    return lines


def _value(key: str, value: str) -> str:
    return f'"{value}"' if key in ("hex", "at", "through", "case") else _quoted(value)


def _quoted(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
