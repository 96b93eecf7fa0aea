"""The games that OpenSpiel's games are made of, and their names."""

from __future__ import annotations

from functools import cache

import gonfalon
from gonfalon.engine.game import Game

Settings = tuple[tuple[str, bool | int], ...]
"""House rules that differ from the variant's, in alphabetical order."""


@cache
def make_game(variant: str, settings: Settings = ()) -> Game:
    """Return the `gonfalon.Game` of a variant with house rules."""
    return gonfalon.make(variant, **dict(settings))


def name_of(variant: str) -> str:
    """Return the name of a variant in OpenSpiel."""
    return f"gonfalon_{variant.replace('-', '_')}"
