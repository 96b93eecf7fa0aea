"""Tiny's ruleset, without house rules and tables."""

from __future__ import annotations

from pathlib import Path

import msgspec

from gonfalon.engine.rulesets.ruleset import Facts, Ruleset, check_head, load_variant

DATA = Path(__file__).parent / "data"
TYPES = ("", "spy", "miner", "marshal")
"""Faces by rank; rank 0 means no piece."""


def load(variant: str, data: Path = DATA) -> Ruleset:
    """Return the ruleset of a variant. Raises `RulesetError` with file and key."""
    ruleset = load_variant(data / "variants", variant, frozenset({"order", "boxes"}), ())
    check_head(ruleset.data, (), f"{variant}.toml")
    return msgspec.structs.replace(ruleset, facts=Facts(("red", "blue"), "grid", 3, 3, 2))


def validate(_ruleset: Ruleset) -> None:
    """Check switches against each other. This family has no switches."""
