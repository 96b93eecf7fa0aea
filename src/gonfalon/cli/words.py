"""Words for codes, from the games' message catalogues."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gonfalon.games

if TYPE_CHECKING:
    from gonfalon.engine.scene import Board

GAMES = Path(gonfalon.games.__file__).parent


@cache
def read_catalogue(family: str = "") -> dict[str, str]:
    """All messages of all games by key. If several families have a key, the message of `family` wins."""
    families = [name for name in gonfalon.families(unlisted=True) if name != family]
    found: dict[str, str] = {}
    for name in (*families, family) if family else families:
        found |= json.loads((GAMES / name / "screen" / "messages" / "en.json").read_text(encoding="utf-8"))
    return found


@cache
def read_ranks() -> dict[str, str]:
    """The rank of each piece type as it is printed on the piece; empty for types without a rank."""
    drawn = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(GAMES.glob("*/screen/glyphs.json"))]
    return {face: glyph["numeral"] for family in drawn for face, glyph in family.items()}


def say(
    key: str, arguments: Mapping[str, Any] | None = None, family: str = "", names: Mapping[str, str] | None = None
) -> str:
    """The message of a key with its arguments in words. A key without a message is returned as it is. `names` are the
    names of territories by id.
    """
    values = {name: word(name, value, names) for name, value in (arguments or {}).items()}
    text = read_catalogue(family).get(key)
    if text is None:
        return " ".join([key.partition(".")[2] or key, *values.values()])
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text


def word(name: str, value: Any, names: Mapping[str, str] | None = None) -> str:
    """An argument in words. Sides, piece types and cards become names; piece types in a battle also get their ranks."""
    if isinstance(value, (list, tuple)):
        return ", ".join(word(name.removesuffix("s"), item, names) for item in value) or "nothing"
    if name == "territory":
        return (names or {}).get(value, str(value))
    is_name = name in {"side", "other", "face", "card"} or name.endswith(("_face", "_side"))
    text = str(value).replace("-", " ").capitalize() if is_name else str(value)
    rank = read_ranks().get(value, "") if name.endswith("_face") else ""
    return f"{text} ({rank})" if rank else text


def region_names(board: Board) -> dict[str, str]:
    """The names of territories by id, for `say`."""
    return {region.id: region.name for region in board.regions}
