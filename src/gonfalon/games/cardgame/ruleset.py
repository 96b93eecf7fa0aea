"""The Card Game's rulesets: switches and decks, read from `data/` and checked strictly.

A variant file names a deck. `load` fills in the deck, so that a ruleset is complete. `deck` turns it into numbers for
the rules.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from gonfalon.engine.rulesets.ruleset import (
    Facts,
    Ruleset,
    RulesetError,
    Switch,
    check_head,
    counts_of,
    find_file,
    load_variant,
    read_counts,
)

DATA = Path(__file__).parent / "data"

TYPES = (
    "",
    "spy",
    "scout",
    "miner",
    "sergeant",
    "lieutenant",
    "captain",
    "major",
    "colonel",
    "general",
    "marshal",
    "bomb",
    "flag",
)
"""Piece types by type code: 1 to 10 are the ranks, 11 the Bomb, 12 the Flag; code 0 means no piece."""

COLUMNS, ROWS = 5, 2
"""Size of the table: one line of five places per side."""
FEWEST_CARDS, MOST_CARDS = 8, 40
"""Minimum and maximum size of a deck: eight cards are dealt before the first line is laid (CG-2), and a state has room
for 40.
"""

KEYS = frozenset({"order", "deck", "boxes"})

SWITCHES = (
    Switch("max_quiet_turns", 60, 2, 500),
    Switch("show_known", True),
)
"""The family's house rules, with the defaults that a variant file may replace."""


def load(variant: str, data: Path = DATA) -> Ruleset:
    """Return the ruleset of a variant of the family whose files are in `data`. Raises `RulesetError` with file and key.

    `Ruleset.data` holds the keys of the variant file. Its `deck` is a table, read from the named file; it also holds
    that name as `name`.
    """
    ruleset = load_variant(data / "variants", variant, KEYS, SWITCHES)
    where = f"{variant}.toml"
    check_head(ruleset.data, ("deck",), where)
    table = _read_deck(find_file(data / "decks", ruleset.data["deck"], f"{where}: deck"))
    filled = {**ruleset.data, "deck": {"name": ruleset.data["deck"], **table}}
    facts = Facts(("red", "blue"), "table", sum(table.values()), COLUMNS, ROWS, tuple(filled["boxes"]))
    return msgspec.structs.replace(ruleset, data=filled, facts=facts)


def validate(_ruleset: Ruleset) -> None:
    """Check switches against each other. In this family no switch depends on another."""


def deck(ruleset: Ruleset) -> tuple[int, ...]:
    """Return the number of cards of each type that a side has: 13 counts by type code, the first one unused (0)."""
    return counts_of(ruleset.data["deck"], TYPES)


def _read_deck(path: Path) -> dict[str, Any]:
    """CG-1: read a deck with one Flag and enough cards for a deal."""
    table = read_counts(path, TYPES)
    if table.get("flag", 0) != 1:
        raise RulesetError(f"{path.name}: flag must be 1, not {table.get('flag', 0)}")
    cards = sum(table.values())
    if not FEWEST_CARDS <= cards <= MOST_CARDS:
        raise RulesetError(f"{path.name}: a deck has {FEWEST_CARDS} to {MOST_CARDS} cards, not {cards}")
    return table
