"""Words for codes, from the games' own catalogues."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import gonfalon.games

GAMES = Path(gonfalon.games.__file__).parent


@cache
def catalogue(family: str = "") -> dict[str, str]:
    """All messages of all games, by key; the family's own come before those that others have under the same key."""
    families = [name for name in gonfalon.families() if name != family]
    found: dict[str, str] = {}
    for name in (*families, family) if family else families:
        found |= json.loads((GAMES / name / "messages" / "en.json").read_text(encoding="utf-8"))
    return found


def say(key: str, arguments: Mapping[str, Any] | None = None, family: str = "") -> str:
    """The message of a key with its arguments in words; a key without a message stands for itself."""
    values = {name: word(name, value) for name, value in (arguments or {}).items()}
    text = catalogue(family).get(key)
    if text is None:
        return " ".join([key.partition(".")[2] or key, *values.values()])
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text


def word(name: str, value: Any) -> str:
    """An argument as it is read: sides and piece types are names, the rest stands for itself."""
    if isinstance(value, (list, tuple)):
        return ", ".join(str(item) for item in value)
    is_name = name in {"side", "face"} or name.endswith("_face")
    return str(value).replace("-", " ").capitalize() if is_name else str(value)
