"""Break rules on purpose and see whether the tests notice.

    python tools/mutation.py leningrad --tests tests/leningrad1979 --count 40 --seed 1

Each mutation changes one place in one rules file of a family (a comparison turned round, a number one higher, an
``and`` made an ``or``, a condition negated, a function's result dropped), runs the family's tests, and puts the file
back. What survives is listed: either a rule without a test, or a change that makes no difference.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]

SWAPS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


def mutations(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and kind of every change that can be made, in a fixed order."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
            yield node.lineno, "comparison"
        elif isinstance(node, ast.BoolOp):
            yield node.lineno, "and/or"
        elif isinstance(node, ast.If | ast.IfExp):
            yield node.test.lineno, "condition"
        elif isinstance(node, ast.Constant) and type(node.value) is int and 0 < node.value < 20:
            yield node.lineno, "number"
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
            yield node.lineno, "arithmetic"


def mutated(tree: ast.Module, wanted: int) -> ast.Module:
    """The tree with the ``wanted``-th change made."""
    tree = copy.deepcopy(tree)
    number = -1
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
            number += 1
            if number == wanted:
                node.ops[0] = SWAPS[type(node.ops[0])]()
        elif isinstance(node, ast.BoolOp):
            number += 1
            if number == wanted:
                node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        elif isinstance(node, ast.If | ast.IfExp):
            number += 1
            if number == wanted:
                node.test = ast.UnaryOp(ast.Not(), node.test)
        elif isinstance(node, ast.Constant) and type(node.value) is int and 0 < node.value < 20:
            number += 1
            if number == wanted:
                node.value += 1
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
            number += 1
            if number == wanted:
                node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
    return ast.fix_missing_locations(tree)


def noticed(package: Path, tests: list[str], seconds: int) -> bool:
    """Whether the tests fail with the package as it is now."""
    environment = {**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:xdist", "-o", "pythonpath=tests", *tests]
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def main() -> int:
    """Run a sample of mutations and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("family")
    parser.add_argument("--tests", nargs="+", required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=240)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        package = Path(scratch) / "src"
        shutil.copytree(ROOT / "src", package, ignore=shutil.ignore_patterns("__pycache__", "static"))
        folder = package / "ladoga" / "games" / arguments.family
        skipped = {"__init__.py", "display.py", "documents.py", "game.py", "charts.py"}
        files = [file for file in sorted(folder.glob("*.py")) if file.name not in skipped]
        every = []
        for file in files:
            tree = ast.parse(file.read_text(encoding="utf-8"))
            every += [(file, n, line, kind) for n, (line, kind) in enumerate(mutations(tree))]
        sample = random.Random(arguments.seed).sample(every, min(arguments.count, len(every)))
        if noticed(package, arguments.tests, arguments.timeout):
            print("the tests fail before anything is changed")
            return 2
        survivors = []
        for file, number, line, kind in sample:
            text = file.read_text(encoding="utf-8")
            file.write_text(ast.unparse(mutated(ast.parse(text), number)), encoding="utf-8")
            if not noticed(package, arguments.tests, arguments.timeout):
                survivors.append(f"{file.name}:{line} {kind}: {text.splitlines()[line - 1].strip()}")
            file.write_text(text, encoding="utf-8")
        caught = len(sample) - len(survivors)
        print(f"{arguments.family}: {caught} of {len(sample)} mutations noticed ({len(every)} possible)")
        for survivor in survivors:
            print(f"  survived: {survivor}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
