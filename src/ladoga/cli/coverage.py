"""Which cases the tests hold, read from the marks in their source."""

from __future__ import annotations

import ast
from fnmatch import fnmatchcase
from pathlib import Path

from ..kernel.errors import LadogaError
from ..kernel.game import game_ids

PLACES = (Path(__file__).parents[3] / "tests", Path("tests"))
"""Where the tests are looked for: beside the source, or in the folder one is in."""


def covered_cases(tests: Path | None = None) -> dict[str, set[str]]:
    """For each game the cases named by ``pytest.mark.case(game, case, ...)`` in the tests; ``"assault-*"`` names all
    games of that pattern."""
    folder = tests or next((place for place in PLACES if place.is_dir()), PLACES[0])
    if not folder.is_dir():
        raise LadogaError(f"{folder}: the tests are not here; give their folder with --tests")
    held: dict[str, set[str]] = {}
    for file in sorted(folder.rglob("test_*.py")):
        try:
            tree = ast.parse(file.read_bytes(), str(file))
        except (SyntaxError, ValueError):
            raise LadogaError(f"{file}: not readable as Python") from None
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _is_mark(node.func):
                words = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
                for game in marked(words[0]) if words else ():
                    held.setdefault(game, set()).update(words[1:])
    return held


def marked(word: str) -> list[str]:
    """The games that the first word of a mark names.

    >>> marked("assault-*"), marked("chess")
    (['assault-leningrad', 'assault-stalingrad'], ['chess'])
    """
    return [game for game in game_ids() if fnmatchcase(game, word)] if "*" in word else [word]


def _is_mark(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and function.attr == "case"
        and isinstance(function.value, ast.Attribute)
        and function.value.attr == "mark"
    )
