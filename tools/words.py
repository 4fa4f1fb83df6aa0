"""Collects every English text for people into one file: from rules, server, guides, computer players and client.

    python tools/words.py            writes build/words.json

A text stays where it arises. What is collected is what can be shown: sentences and words of the code with a hole
``{}`` for every value in them, and the texts of guides, cases and options. It is what somebody reads who checks the
wording, and what somebody translates.
"""

import ast
import json
import re
import runpy
import subprocess
from collections.abc import Iterator
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "build" / "words.json"
CODE = ("kernel", "games", "analysis", "players", "server", "cli")
"""Packages whose texts people read."""
SILENT = frozenset({"compile", "match", "fullmatch", "search", "sub", "split", "findall", "execute", "executescript"})
"""Calls whose texts nobody reads: patterns and statements."""
UNHEARD = re.compile(r"SELECT |INSERT |UPDATE |DELETE |CREATE |BEGIN|PRAGMA |<\w|</|\\[dsw]|^[\w.-]+$|^[^a-zA-Z]*$")
SPOKEN = ("title", "text", "name", "help", "said", "what", "how", "label")
"""Fields of data files that people read."""


def texts() -> dict[str, list[str]]:
    """Every text, by the file it is in."""
    found: dict[str, list[str]] = {}
    for package in CODE:
        for path in sorted((ROOT / "src" / "ladoga" / package).rglob("*.py")):
            found[_name(path)] = sorted(set(_of_code(ast.parse(path.read_text(encoding="utf-8")))))
    for path in sorted((ROOT / "src" / "ladoga" / "web" / "guides").glob("*.yaml")):
        found[_name(path)] = sorted(set(_of_data(yaml.safe_load(path.read_text(encoding="utf-8")))))
    games = ROOT / "src" / "ladoga" / "games"
    for path in sorted((*games.glob("*/verbs.yaml"), *games.rglob("data/*/*.yaml"))):
        if path.stem not in ("map", "units"):
            found[_name(path)] = sorted(set(_of_data(yaml.safe_load(path.read_text(encoding="utf-8")))))
    found |= _of_client()
    return {file: words for file, words in sorted(found.items()) if words}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _of_code(tree: ast.Module) -> Iterator[str]:
    """Texts of a module: everything between quotes that reads like words, but docstrings, patterns and statements."""
    hidden = {id(node) for node in _unread(tree)}
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.JoinedStr):
            text = "".join(_hole(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if reads(text):
            yield " ".join(text.split())


def _hole(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else "{}"


def reads(text: str) -> bool:
    """Whether a text reads like words: at least two of them, or one that begins a sentence.

    >>> [reads(text) for text in ("dice thrown", "German", "SELECT 1 FROM matches", "a-b_c", "{} to {}")]
    [True, True, False, False, True]
    """
    if UNHEARD.search(text) and not re.fullmatch(r"[A-Z][a-z]+", text):
        return False
    return bool(re.search(r"[A-Za-z}] [A-Za-z{]", text) and re.search(r"[a-z]{2}", text)) or bool(
        re.fullmatch(r"[A-Z][a-z]+", text)
    )


def _unread(tree: ast.Module) -> Iterator[ast.AST]:
    """Nodes whose texts nobody reads: docstrings, annotations, patterns, and the parts of a text with holes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
        if isinstance(node, ast.JoinedStr):
            yield from node.values
            for part in node.values:
                if isinstance(part, ast.FormattedValue) and part.format_spec is not None:
                    yield from ast.walk(part.format_spec)
        if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
            yield from ast.walk(node.annotation)
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in SILENT:
                yield from (part for argument in node.args for part in ast.walk(argument))


def _of_data(value: object, spoken: bool = False) -> Iterator[str]:
    """Texts of a data file: the values of its spoken fields."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _of_data(inner, key in SPOKEN)
    elif isinstance(value, list):
        for inner in value:
            yield from _of_data(inner, spoken)
    elif spoken and isinstance(value, str):
        yield " ".join(value.split())


def _of_client() -> dict[str, list[str]]:
    """Texts of the client, which its own compiler finds."""
    tools = runpy.run_path(str(ROOT / "tools" / "client.py"))
    tools["fetch"]()
    command = [str(tools["node"]()), "words.mjs"]
    done = subprocess.run(command, cwd=ROOT / "client", check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout))


def pattern(text: str) -> re.Pattern[str]:
    """What a text with holes can become when it is shown.

    >>> bool(pattern("{} to {}, {} points").fullmatch("12th Infantry Division to 0504, 3 points"))
    True
    """
    holes = re.split(r"\{[^{}]*\}", text)
    return re.compile(".*".join(re.escape(part) for part in holes), re.DOTALL)


if __name__ == "__main__":
    found = texts()
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{sum(map(len, found.values()))} texts of {len(found)} files are in {_name(TARGET)}")
