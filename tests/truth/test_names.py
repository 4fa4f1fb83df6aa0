"""Nobody outside a family names a verb, a phase or a side: roles, facts and data take their place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ladoga
from ladoga.kernel.orders import END, Role
from ladoga.kernel.position import CHANCE
from ladoga.kernel.sequence import OVER

SOURCE = Path(ladoga.__file__).parent
FAMILIES = ("games", "players/doctrines", "players/city", "players/tuning")
"""The families, and the doctrines that know one of them by heart."""
GAMES = [ladoga.load(game_id) for game_id in ladoga.game_ids()]
KERNEL = {END.verb, "die", OVER.id, CHANCE}
"""What the kernel spells itself, the same in every game."""
VERBS = {verb for game in GAMES for verb in game.grammar.verbs} - KERNEL
SIDES = {side for game in GAMES for side in game.sides}
PHASES = {phase.id for game in GAMES for phase in game.phases} - KERNEL
MOMENTS = {moment for game in GAMES for moment in game.sequence.moments}
KINDS = {phase.removeprefix(f"{side}-") for phase in PHASES for side in SIDES} - PHASES
"""What phases of either side are called: movement, combat."""

ALLOWED = {
    ("analysis/example.py", "german-combat"): "a position document, for the examples of the documentation",
    ("analysis/example.py", "soviet"): "the same",
    ("drawing/markers.py", "weather"): "a kind of marker, which one game calls like its phase",
}
"""Files and words, with the reason why the word stands there."""


def outside() -> list[Path]:
    kept = [SOURCE / family for family in FAMILIES]
    return [file for file in sorted(SOURCE.rglob("*.py")) if not any(file.is_relative_to(folder) for folder in kept)]


def words_of(node: ast.AST) -> Iterator[ast.Constant]:
    """The texts in an expression: itself, or the items of a tuple, list or set."""
    for each in node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else (node,):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each


def asks_for(node: ast.AST, *names: str) -> bool:
    """Whether an expression reads one of these: ``order.verb``, ``view.phase.id``, ``verbs``."""
    return (isinstance(node, ast.Attribute) and node.attr in names) or (isinstance(node, ast.Name) and node.id in names)


def spelled(tree: ast.AST) -> Iterator[ast.Constant]:
    """Texts that are compared with a verb or a phase, or that an order is made of."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            if any(asks_for(each, "verb", "verbs", "phase", "id", "at", "stage", "moment") for each in sides):
                yield from (word for each in sides for word in words_of(each))
        elif isinstance(node, ast.Call) and asks_for(node.func, "Order", "of_kind", "startswith", "endswith"):
            yield from (word for each in node.args for word in words_of(each))


def documented(tree: ast.AST) -> set[int]:
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def told(file: Path) -> set[str]:
    """Verbs, phases and sides that a file names."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    comments = documented(tree)
    texts = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in comments
    }
    return texts & (SIDES | PHASES) | {word.value for word in spelled(tree)} & (VERBS | MOMENTS | KINDS)


@pytest.mark.parametrize("file", outside(), ids=lambda file: file.relative_to(SOURCE).as_posix())
def test_no_verb_phase_or_side_is_named_outside_a_family(file):
    name = file.relative_to(SOURCE).as_posix()
    assert not {word for word in told(file) if (name, word) not in ALLOWED}


CLIENT = Path(__file__).parents[2] / "client" / "src"
COMPARED = re.compile(r"""(?:[!=]== |(?:includes|startsWith|endsWith|has)\()["'`]([\w-]+)""")
SPELLED = re.compile(r"""(?:give|weigh)\(["'`]([\w-]+)""")
OTHERWISE = {"attack": "a kind of advice", "fort": "a marker", "interdict": "a marker", "air": "a symbol on a counter"}
"""Words that mean something else in the client."""


@pytest.mark.parametrize("file", sorted(CLIENT.rglob("*.ts*")), ids=lambda file: file.relative_to(CLIENT).as_posix())
def test_the_client_asks_for_roles_too(file):
    text = file.read_text(encoding="utf-8")
    named = {*COMPARED.findall(text), *SPELLED.findall(text)} & (VERBS | SIDES | PHASES)
    assert not named - set(Role) - OTHERWISE.keys()


def test_every_exception_is_needed():
    assert {(name, word) for name, word in ALLOWED if word not in told(SOURCE / name)} == set()


def test_the_scan_sees_names(tmp_path):
    file = tmp_path / "player.py"
    file.write_text(
        'def f(order, view):\n    """move"""\n'
        '    if order.verb in ("move", "end") or view.phase.id.endswith("combat"):\n'
        '        return Order("overrun"), {"german": 1}, {"attack": 2}\n',
        encoding="utf-8",
    )
    assert told(file) == {"move", "combat", "overrun", "german"}
