"""The games that OpenSpiel's games are made of, and their names."""

from __future__ import annotations

from functools import cache

import gonfalon
from gonfalon.engine.game import Game
from gonfalon.engine.rulesets.ruleset import Ruleset, Written

Settings = tuple[tuple[str, bool | int], ...]
"""House rules that differ from the variant's, in alphabetical order."""


@cache
def make_game(variant: str | Written, settings: Settings = ()) -> Game:
    """Return the `gonfalon.Game` of a variant with house rules."""
    return gonfalon.make(variant, **dict(settings))


def name_of(variant: str) -> str:
    """Return the name of a shipped variant in OpenSpiel."""
    return f"gonfalon_{variant.replace('-', '_')}"


def name_ruleset(rules: Ruleset) -> str:
    """Return the name of a ruleset's variant in OpenSpiel. One of one's own has a hash of its rules in it."""
    return name_of(f"{rules.variant}-{rules.mark}" if rules.own else rules.variant)
