"""Strict reading of YAML and JSON: nothing guessed, nothing repaired, every error located.

Differences from stock YAML 1.1, all on the side of caution: keys may not repeat, every key is
text, ``0403`` is the text "0403" (not an octal number), and only ``true`` and ``false`` are
truth values.

>>> read_text("{hex: 0403, dice: [4, 5], open: no}")
{'hex': '0403', 'dice': [4, 5], 'open': 'no'}
>>> read_text("{a: 1, a: 2}")
Traceback (most recent call last):
...
ladoga.kernel.errors.BadData: line 1, column 8: the key 'a' is given twice
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
import msgspec.inspect
import yaml

from .errors import BadData, BadDocument, _Located

__all__ = ["Cited", "Sourced", "Strict", "document_values", "load", "numbers", "read_file", "read_text", "shape"]

Source = Literal["printed", "geography", "judged"]
"""Where a figure comes from: the rulebook, the real land, or our judgement."""

T = TypeVar("T")

_BASE: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _StrictLoader(_BASE):  # type: ignore[misc]  # the base is chosen at run time
    """YAML 1.2 scalars, text keys, no duplicate keys."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, Any]]] = {}


for _tag, _pattern, _first in (
    ("bool", r"^(?:true|false)$", "tf"),
    ("null", r"^(?:null|~|)$", ["n", "~", ""]),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", "-+0123456789"),
    ("float", r"^[-+]?(?:0|[1-9][0-9]*)\.[0-9]+$", "-+0123456789"),
):
    _StrictLoader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), list(_first))


def _mapping(loader: Any, node: yaml.MappingNode) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise yaml.constructor.ConstructorError(None, None, "a key must be plain text", key_node.start_mark)
        key = str(key_node.value)
        if key in result:
            raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} is given twice", key_node.start_mark)
        result[key] = loader.construct_object(value_node, deep=True)
    return result


_StrictLoader.add_constructor("tag:yaml.org,2002:map", _mapping)


DEEPEST = 100
"""How deep values may be nested; the reader of YAML falls over far deeper ones."""
_BRACKET = re.compile(r"[\[{\]}]")
_CHAIN = re.compile(rf"^ {{{2 * DEEPEST},}}|(?:[-?:] +){{{DEEPEST},}}", re.MULTILINE)


def _too_deep(text: str) -> bool:
    """Whether values are nested deeper than anything we read, by brackets, dashes or blanks."""
    depth = 0
    for found in _BRACKET.finditer(text):
        depth += 1 if found[0] in "[{" else -1
        if depth > DEEPEST:
            return True
    return _CHAIN.search(text) is not None


MOST_VALUES = 1_000_000
"""How many values a text may stand for, those that are named again (``*name``) counted every time."""


def _extent(value: Any, known: dict[int, tuple[int, int]], depth: int = 0) -> tuple[int, int]:
    """How many values there are in a value, and how deep they are nested; each is looked into only once."""
    if not isinstance(value, dict | list) or depth > DEEPEST:
        return 1, 0
    if id(value) not in known:
        inner = [_extent(item, known, depth + 1) for item in (value.values() if isinstance(value, dict) else value)]
        known[id(value)] = 1 + sum(count for count, _ in inner), 1 + max((deep for _, deep in inner), default=0)
    return known[id(value)]


def _checked_names(value: Any, error: type[_Located]) -> Any:
    """A value, unless by naming parts of it again a short text stands for more than anybody could use."""
    count, deep = _extent(value, {})
    if deep > DEEPEST:
        raise error(f"nested more than {DEEPEST} deep")
    if count > MOST_VALUES:
        raise error(f"stands for more than {MOST_VALUES:,} values")
    return value


def read_text(text: str, *, error: type[_Located] = BadData) -> Any:
    """Plain values from YAML (or JSON, which is YAML).

    >>> read_text("{hex: 0403, dice: [4, 5], open: no}")
    {'hex': '0403', 'dice': [4, 5], 'open': 'no'}
    """
    if _too_deep(text):
        raise error(f"nested more than {DEEPEST} deep")
    try:
        value = yaml.load(text, Loader=_StrictLoader)  # noqa: S506  # a safe loader's subclass
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise error(problem.problem or "not readable as YAML", path=where) from None
    except UnicodeError:
        raise error("not UTF-8 text") from None
    except (yaml.YAMLError, ValueError, LookupError, TypeError, AttributeError) as problem:
        raise error(f"not readable as YAML: {problem}".splitlines()[0]) from None
    return _checked_names(value, error) if "*" in text else value


def document_values(given: Any, game_id: str) -> Any:
    """The plain values of a position document of a game, which may be given as text.

    >>> document_values("{game: marsh, turn: 3}", "marsh")
    {'game': 'marsh', 'turn': 3}
    >>> document_values("{game: marsh}", "tijvin-1941")
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.BadDocument: game: a document of marsh, not of tijvin-1941
    """
    values = read_text(given, error=BadDocument) if isinstance(given, str) else given
    if not isinstance(values, Mapping):
        raise BadDocument("a position document is a set of named values")
    named = values.get("game")
    if isinstance(named, str) and named != game_id:
        raise BadDocument(f"a document of {named}, not of {game_id}", path="game")
    return values


def read_file(path: Path, *, error: type[_Located] = BadData) -> Any:
    """Plain values from a YAML or JSON file; errors name the file.

    >>> read_file(Path("no-such-file.yaml"))
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.BadData: no-such-file.yaml: No such file or directory
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as problem:
        raise error(f"not UTF-8 text (byte {problem.start})", source=str(path)) from None
    except OSError as problem:
        raise error(problem.strerror or "cannot be read", source=str(path)) from None
    try:
        return read_text(text, error=error)
    except _Located as problem:
        raise problem.within(str(path)) from None


def shape(value: Any, kind: type[T], *, error: type[_Located] = BadData, path: str = "") -> T:
    """The value as a typed structure; an error names the path of what does not fit, below ``path``.

    >>> class Point(Strict):
    ...     x: int
    >>> shape({"x": "a"}, Point, path="points.first")
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.BadData: points.first.x: expected a whole number, got text
    """
    value = _by_text(value)
    try:
        return msgspec.convert(value, kind, strict=True)
    except msgspec.ValidationError as problem:
        message, steps = _located(str(problem), value, kind)
        raise error(message, path=_plain_path(path, steps)) from None


def _by_text(value: Any) -> Any:
    """Named values with whole numbers among the names as text, as ``read_text`` reads them: a unit called 12."""
    if not isinstance(value, dict):
        return value
    named = {str(key) if type(key) is int else key: _by_text(item) for key, item in value.items()}
    return named if len(named) == len(value) else value


def load(path: Path, kind: type[T], *, error: type[_Located] = BadData) -> T:
    """A typed structure from a file.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "units.yaml").write_text("{fox: 3, heron: 2}")
    ...     load(Path(folder, "units.yaml"), dict[str, int])
    {'fox': 3, 'heron': 2}
    """
    value = read_file(path, error=error)
    try:
        return shape(value, kind, error=error)
    except _Located as problem:
        raise problem.within(str(path)) from None


class Strict(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Base of everything read from a file: unknown keys are errors.

    >>> class Beast(Strict):
    ...     side: str
    ...     bite: int = 1
    >>> shape({"side": "fox", "claw": 2}, Beast)
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.BadData: unknown key 'claw'
    """


class Sourced(Strict, rename={"from_": "from"}, kw_only=True):
    """Figures of a data file that say where they come from, and why where they are judged.

    >>> class Ford(Sourced):
    ...     hex: str
    >>> shape({"hex": "0304", "from": "judged", "why": "the banks are low"}, Ford).from_
    'judged'
    """

    from_: Source
    why: str = ""

    def __post_init__(self) -> None:
        if self.from_ == "judged" and not self.why:
            raise ValueError("a judged figure says why")


class Cited(Sourced, kw_only=True):
    """What a data file says with its source and, where there is one, the case it belongs to.

    >>> class Ford(Cited):
    ...     hex: str
    >>> shape({"hex": "0304", "from": "printed", "case": "4.2"}, Ford).case
    '4.2'
    """

    case: str = ""


_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a set of named values",
    "null": "nothing",
}
_KINDS = re.compile(rf"`((?:{'|'.join(_WORDS)})(?: \| (?:{'|'.join(_WORDS)}))*)`")


def _plain(message: str) -> str:
    """msgspec's message in words for people.

    >>> _plain("Expected `int | null`, got `str`")
    'expected a whole number, got text'
    >>> _plain("Expected `str`, got `int`")
    'expected text, got a whole number: put it in quotes'
    """

    def kinds(found: re.Match[str]) -> str:
        words = found[1].split(" | ")
        return " or ".join(_WORDS[word] for word in words if word != "null" or len(words) == 1)

    message = _KINDS.sub(kinds, message)
    if message == "Expected text, got a whole number":
        message += ": put it in quotes"
    message = message.replace("Object missing required field", "missing")
    message = message.replace("Object contains unknown field", "unknown key")
    message = message.replace("Invalid enum value", "unknown word").replace("Invalid value", "unknown word")
    return message.replace("Expected", "expected").replace("`", "'")


_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
"""A step of the paths of msgspec, ``$.units[...].dice[0]``, which leave open which key is meant."""


def _located(problem: str, value: Any, kind: Any) -> tuple[str, list[str | int]]:
    """What is wrong, in words, and the keys and numbers that lead to it."""
    message, _, where = problem.partition(" - at `")
    steps: list[str | int] = []
    for key, number in _STEP.findall(where.rstrip("`")):
        if number == "...":
            key, problem = _culprit(value, steps, kind, problem)
            message = problem.partition(" - at `")[0]
        steps.append(int(number) if number.isdigit() else key)
    if message.startswith("Invalid enum value"):
        message += _known(msgspec.inspect.type_info(kind), steps)
    return _plain(message), steps


def _culprit(value: Any, steps: list[str | int], kind: Any, problem: str) -> tuple[str, str]:
    """Which key of the mapping at the end of some steps does not fit, and what is wrong with it."""
    mapping = value
    for step in steps:
        mapping = mapping[step]
    for key, item in mapping.items():
        try:
            msgspec.convert(_replaced(value, steps, {key: item}), kind, strict=True)
        except msgspec.ValidationError as found:
            return key, str(found)
    return "...", problem


def _replaced(value: Any, steps: list[str | int], new: Any) -> Any:
    """A copy of a value with something else at the end of some steps."""
    if not steps:
        return new
    step, *rest = steps
    changed = dict(value) if isinstance(step, str) else list(value)
    changed[step] = _replaced(value[step], rest, new)  # type: ignore[index]
    return changed


def _known(info: Any, steps: list[str | int]) -> str:
    """The words that would do at the end of some steps."""
    inspect = msgspec.inspect
    if isinstance(info, inspect.UnionType):
        return next((found for part in info.types if (found := _known(part, steps))), "")
    if not steps:
        words = info.values if isinstance(info, inspect.LiteralType) else ()
        return f"; known: {', '.join(str(word) for word in words if word)}" if words else ""
    step, *rest = steps
    if isinstance(info, inspect.StructType):
        return next((_known(field.type, rest) for field in info.fields if field.encode_name == step), "")
    if isinstance(info, inspect.DictType):
        return _known(info.value_type, rest)
    return _known(info.item_type, rest) if isinstance(info, inspect.ListType) else ""


def _plain_path(outer: str, steps: list[str | int]) -> str:
    """Keys joined by points, places in a list in brackets: ``units.x1.dice[0]``."""
    parts = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in (outer, *steps) if step != ""]
    return "".join(parts).removeprefix(".")


def numbers(text: str) -> list[str]:
    """Hex numbers from a line of them, ranges (by plain counting) written with ``..``.

    >>> numbers("0111..0113 2604")
    ['0111', '0112', '0113', '2604']
    """
    result: list[str] = []
    for word in text.split():
        first, dots, last = word.partition("..")
        if not dots:
            result.append(word)
            continue
        if not (first.isdigit() and last.isdigit() and len(first) == len(last)) or last < first:
            raise BadData(f"{word!r} is not a range of hex numbers")
        result += [f"{n:0{len(first)}}" for n in range(int(first), int(last) + 1)]
    return result
