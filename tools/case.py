"""Where a rule lives: a case in our words, the code that names it and the tests that hold it.

python tools/case.py leningrad-1979 10.4
python tools/case.py tijvin-1941 8.P
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import ladoga
from ladoga.cli.coverage import marked
from ladoga.kernel.game import Game

ROOT = Path(__file__).resolve().parents[1]


def numbers(game: Game, case: str) -> list[str]:
    """How the code writes a case: a family of two books names it after the first."""
    renumbered: dict[str, str] = getattr(game, "renumbered", {})
    return [old for old, new in renumbered.items() if new == case] or [case]


def naming(text: str, cases: list[str]) -> bool:
    """Whether a text names one of some cases, and not a longer number that begins or ends alike.

    >>> [naming(text, ["6.3"]) for text in ("stays behind (6.3)", "6.0 to 6.3, 17.1", "16.3", "6.31", "6.3.1")]
    [True, True, False, False, False]
    """
    return any(re.search(rf"(?<![\w.]){re.escape(case)}(?![\w])(?!\.\w)", text) for case in cases)


def texts(node: ast.AST) -> Iterator[str]:
    """Every text in a piece of code."""
    return (n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str))


def pieces(tree: ast.Module) -> Iterator[tuple[int, str, str, str]]:
    """A file in pieces: where each is, its name, what it says of itself, and all its texts. Functions and classes, and
    what stands between them with the words below it."""
    yield 1, "", ast.get_docstring(tree) or "", ""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node.lineno, node.name, ast.get_docstring(node) or "", "\n".join(texts(node))
        if isinstance(node, ast.Module | ast.ClassDef):
            if isinstance(node, ast.ClassDef):
                yield node.lineno, node.name, ast.get_docstring(node) or "", ""
            for n, part in enumerate(node.body):
                if isinstance(part, ast.Assign | ast.AnnAssign):
                    below = node.body[n + 1] if n + 1 < len(node.body) else part
                    said = "\n".join(texts(below)) if isinstance(below, ast.Expr) else ""
                    target = part.target if isinstance(part, ast.AnnAssign) else part.targets[0]
                    yield part.lineno, ast.unparse(target), said, "\n".join(texts(part))


def code(game: Game, case: str) -> list[tuple[str, int, str, str]]:
    """What names a case, with the first line of what it says of itself; what names it there comes first."""
    folder, cases = Path(inspect.getfile(type(game))).parent, numbers(game, case)
    found = []
    for file in sorted(folder.glob("*.py")):
        for line, name, said, rest in pieces(ast.parse(file.read_text(encoding="utf-8"))):
            if naming(said, cases) or naming(rest, cases):
                found.append((not naming(said, cases), str(file), line, name, said.partition("\n")[0]))
    return [(file, line, name, said) for _, file, line, name, said in sorted(found)]


def tests(game_id: str, case: str) -> Iterator[tuple[str, int, str]]:
    """The tests that are marked with a case."""
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            for mark in getattr(node, "decorator_list", ()):
                words = [str(arg.value) for arg in getattr(mark, "args", ()) if isinstance(arg, ast.Constant)]
                if words and game_id in marked(words[0]) and case in words[1:]:
                    yield str(file), node.lineno, node.name


def main(game_id: str, case: str) -> None:
    """Tell all of it."""
    game = ladoga.load(game_id)
    for number, told in game.cases_of(case).items():
        print(f"{number} {told.title}: {told.text}")
    for file, line, name, said in code(game, case):
        print(f"  {Path(file).relative_to(ROOT)}:{line} {name}: {said}")
    for file, line, name in tests(game_id, case):
        print(f"  {Path(file).relative_to(ROOT)}:{line} {name}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
