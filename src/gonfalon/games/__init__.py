"""The games. Each folder here is a family; its `data/variants/*.toml` are its variants. Nothing lists them by hand."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gonfalon.engine.ruleset import Ruleset, RulesetError

if TYPE_CHECKING:
    from gonfalon.engine.game import Game

_HERE = Path(__file__).parent


@cache
def families() -> dict[str, tuple[str, ...]]:
    """Variants by family, both in the order of their files' `order` keys. Reads no game code."""
    return {
        folder.parent.name: tuple(path.stem for path in sorted((folder / "variants").glob("*.toml")))
        for folder in sorted(_HERE.glob("*/data"))
    }


def variants() -> dict[str, str]:
    """Family by variant name."""
    return {variant: family for family, names in families().items() for variant in names}


def ruleset(variant: str, **switches: bool | int) -> Ruleset:
    """The variant's ruleset with house rules set, without loading its compiled code. Raises `RulesetError`."""
    family = variants().get(variant)
    if family is None:
        raise RulesetError(f"no variant {variant!r}; there are {', '.join(variants())}")
    loaded: Ruleset = importlib.import_module(f"gonfalon.games.{family}.ruleset").load(variant)
    return loaded.with_switches(switches)


def make(variant: str, **switches: bool | int) -> Game:
    """The game of a variant, house rules as keywords: `make("classic", rescue=True)`. Raises `RulesetError`."""
    rules = ruleset(variant, **switches)
    game: Game = importlib.import_module(f"gonfalon.games.{rules.family}.game").make(rules)
    return game
