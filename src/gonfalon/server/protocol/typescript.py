"""Generate the page's TypeScript types from the messages: `python -m gonfalon.server.protocol.typescript [--check]`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect

from gonfalon.server.protocol import (
    bodies,
    kept_data,
    lobby_messages,
    match_info,
    messages,
    people_bodies,
    rating_bodies,
)

UNIONS = {messages: ("FromPage", "ToPage"), lobby_messages: ("FromLobby", "ToLobby")}
"""Names of the unions of each socket: page to server, server to page."""
_SENT = frozenset(kind for module, (_, sent) in UNIONS.items() for kind in get_args(getattr(module, sent)))
"""Messages of the server, which have all their fields unless they leave out defaults."""
TARGET = Path(__file__).parents[4] / "web" / "src" / "protocol" / "messages.d.ts"
MODULES = (messages, match_info, bodies, people_bodies, rating_bodies, lobby_messages, kept_data)
_HEAD = "// Generated from src/gonfalon/server by `python -m gonfalon.server.protocol.typescript`. Do not edit.\n"
_PLAIN: dict[type[inspect.Type], str] = {
    inspect.AnyType: "unknown",
    inspect.NoneType: "null",
    inspect.BoolType: "boolean",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
}


def generate() -> str:
    """Return the whole text of `messages.d.ts`: an interface for every struct, and the unions of each direction."""
    roots = [
        kind
        for module in MODULES
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind is not messages.Message
    ]
    structs: dict[str, inspect.StructType] = {}
    for kind in inspect.multi_type_info(roots):
        _collect(kind, structs)
    parts = [_HEAD, *(_interface(struct) for _, struct in sorted(structs.items()))]
    for module, names in UNIONS.items():
        for name in names:
            union = "".join(f"\n  | {kind.__name__}" for kind in get_args(getattr(module, name)))
            parts.append(f"export type {name} ={union};\n")
    return "\n".join(parts)


def _collect(kind: Any, structs: dict[str, inspect.StructType]) -> None:
    """Add all structs that a type is made of to `structs`, by name."""
    if isinstance(kind, inspect.StructType):
        if kind.cls.__name__ in structs:
            return
        structs[kind.cls.__name__] = kind
        parts = [field.type for field in kind.fields]
    elif isinstance(kind, inspect.UnionType):
        parts = list(kind.types)
    elif isinstance(kind, inspect.DictType):
        parts = [kind.value_type]
    elif isinstance(kind, inspect.TupleType):
        parts = list(kind.item_types)
    elif isinstance(kind, inspect.ListType | inspect.VarTupleType):
        parts = [kind.item_type]
    else:
        parts = []
    for part in parts:
        _collect(part, structs)


def _interface(struct: inspect.StructType) -> str:
    incoming = struct.forbid_unknown_fields and struct.cls not in _SENT
    may_miss = incoming or struct.cls.__struct_config__.omit_defaults
    lines = [f"export interface {struct.cls.__name__} {{"]
    if struct.tag is not None:
        lines.append(f'  {struct.tag_field}: "{struct.tag}";')
    for field in struct.fields:
        optional = "?" if may_miss and not field.required else ""
        lines.append(f"  {field.encode_name}{optional}: {_type(field.type)};")
    return "\n".join([*lines, "}", ""])


def _type(kind: inspect.Type) -> str:
    if type(kind) in _PLAIN:
        return _PLAIN[type(kind)]
    match kind:
        case inspect.Metadata():
            return _type(kind.type)
        case inspect.StructType():
            return str(kind.cls.__name__)
        case inspect.LiteralType():
            return " | ".join(f'"{value}"' for value in kind.values)
        case inspect.UnionType():
            return " | ".join(_type(part) for part in kind.types)
        case inspect.DictType():
            return f"Record<{_type(kind.key_type)}, {_type(kind.value_type)}>"
        case inspect.TupleType():
            return "[" + ", ".join(_type(part) for part in kind.item_types) + "]"
        case inspect.ListType() | inspect.VarTupleType():
            item = _type(kind.item_type)
            return f"({item})[]" if "|" in item else f"{item}[]"
    raise TypeError(f"no TypeScript type for {kind}")


def main(arguments: list[str]) -> int:
    """Write the file. With `--check`, only say whether it is up to date (status 1: it is not)."""
    text = generate()
    if "--check" in arguments:
        current = TARGET.read_text(encoding="utf-8") if TARGET.is_file() else ""
        if current != text:
            print(f"{TARGET} is out of date: run python -m gonfalon.server.protocol.typescript", file=sys.stderr)
            return 1
        return 0
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
