"""Writes the client's types of everything that goes over the line, from the server's own.

python tools/wire.py            writes client/src/wire.ts
python tools/wire.py --check    only says whether it would change
"""

import sys
import types
import typing
from collections.abc import Iterable
from pathlib import Path

import msgspec

from ladoga.kernel import table
from ladoga.server import shapes, wire

TARGET = Path(__file__).resolve().parents[1] / "client" / "src" / "wire.ts"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", typing.Any: "unknown"}
STRUCTS = (table.Counter, table.Marker, table.Box, table.Table, table.Chart)


def written(kind: typing.Any) -> str:
    """A Python type as TypeScript writes it."""
    if kind in PLAIN:
        return PLAIN[kind]
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Annotated, typing.NotRequired):
        return written(inside[0])
    if origin in (typing.Union, types.UnionType):
        return " | ".join(dict.fromkeys(written(part) for part in inside))
    if origin is typing.Literal:
        return " | ".join(f'"{value}"' for value in inside)
    if origin is dict:
        return f"Record<{written(inside[0])}, {written(inside[1])}>"
    if origin is list or (origin is tuple and inside[-1] is Ellipsis):
        item = written(inside[0])
        return f"({item})[]" if " | " in item else f"{item}[]"
    if origin is tuple:
        return f"[{', '.join(written(part) for part in inside)}]"
    if isinstance(kind, type):
        return kind.__name__
    raise TypeError(f"{kind!r} has no counterpart")


def interface(name: str, words: str, fields: Iterable[tuple[str, bool, str]]) -> str:
    """An interface with its fields: name, whether it is always there, type."""
    lines = [f"  {field}{'' if always else '?'}: {kind};" for field, always, kind in fields]
    return "\n".join([f"/** {words} */", f"export interface {name} {{", *lines, "}"])


def first_words(kind: type) -> str:
    """The first sentence of a docstring."""
    text = " ".join((kind.__doc__ or "").replace("``", "`").split("\n\n")[0].split())
    return text.replace("*/", "")


def of_struct(struct: type[msgspec.Struct]) -> str:
    """A struct; what equals its default is left out where the struct says so."""
    short = struct.__struct_config__.omit_defaults
    hints = typing.get_type_hints(struct, include_extras=True)
    fields = [(f.name, not short or f.required, written(hints[f.name])) for f in msgspec.structs.fields(struct)]
    return interface(struct.__name__, first_words(struct), fields)


def of_shape(shape: type) -> str:
    """A typed dictionary."""
    hints = typing.get_type_hints(shape, include_extras=True)
    fields = [(name, typing.get_origin(kind) is not typing.NotRequired, written(kind)) for name, kind in hints.items()]
    return interface(shape.__name__, first_words(shape), fields)


def of_message(message: type[msgspec.Struct]) -> str:
    """What a browser says, without the number it gets on its way."""
    hints = typing.get_type_hints(message, include_extras=True)
    fields = [("t", True, f'"{message.__struct_config__.tag}"')]
    fields += [(f.name, f.required, written(hints[f.name])) for f in msgspec.structs.fields(message) if f.name != "id"]
    return interface(f"Say{message.__name__}", first_words(message), fields)


def text() -> str:
    """The whole file."""
    said = typing.get_args(wire.Said)
    parts = [
        "// Written by tools/wire.py from the server's own types: do not edit.",
        *map(of_struct, STRUCTS),
        *map(of_shape, shapes.SHAPES),
        *map(of_message, said),
        "/** Everything a browser may say at a table. */\nexport type Said =\n"
        + "\n".join(f"  | Say{message.__name__}" for message in said)
        + ";",
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        stale = TARGET.read_text(encoding="utf-8") != text()
        sys.exit("client/src/wire.ts is out of date: python tools/wire.py" if stale else 0)
    TARGET.write_text(text(), encoding="utf-8")
