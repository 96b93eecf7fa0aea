"""The Card Game's rulesets: house-rule switches and decks, read from `data/` and checked strictly.

A variant file names a deck; `load` fills it in, so that a ruleset is complete in itself, and `deck` turns it into
numbers for the rules.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from gonfalon.engine.ruleset import Facts, Ruleset, RulesetError, Switch, load_variant, read_toml

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
"""Piece types by type code: 1 to 10 are the ranks, 11 the Bomb, 12 the Flag; code 0 is no piece."""

COLUMNS, ROWS = 5, 2
"""The table: one line of five places a side."""
FEWEST_CARDS, MOST_CARDS = 8, 40
"""Eight are dealt before the first line is laid (CG-2); no more than 40 fit the numbers of a state."""

KEYS = frozenset({"order", "deck", "boxes"})

SWITCHES = (
    Switch("max_quiet_turns", 60, 2, 500),
    Switch("show_known", True),
)
"""The family's house rules, with the defaults that a variant file may replace."""


def load(variant: str, data: Path = DATA) -> Ruleset:
    """The ruleset of a variant of the family whose files are in `data`. Raises `RulesetError` naming file and key.

    `Ruleset.data` holds the variant file's keys; `deck` is the table of the file it names, with the name as `name`.
    """
    ruleset = load_variant(data / "variants", variant, KEYS, SWITCHES)
    where = f"{variant}.toml"
    _check_variant(ruleset.data, where)
    table = _named(data / "decks", ruleset.data["deck"], f"{where}: deck")
    _check_deck(table, f"{ruleset.data['deck']}.toml")
    filled = {**ruleset.data, "deck": {"name": ruleset.data["deck"], **table}}
    facts = Facts(("red", "blue"), "table", sum(table.values()), COLUMNS, ROWS, tuple(filled["boxes"]))
    return msgspec.structs.replace(ruleset, data=filled, facts=facts)


def validate(_ruleset: Ruleset) -> None:
    """Checks what no switch can check alone: here nothing, no switch depends on another."""


def deck(ruleset: Ruleset) -> tuple[int, ...]:
    """How many cards of each type a side has: 13 counts by type code, the first unused (0)."""
    table = ruleset.data["deck"]
    return tuple(table.get(name, 0) if name else 0 for name in TYPES)


def _named(folder: Path, name: str, where: str) -> dict[str, Any]:
    known = sorted(path.stem for path in folder.glob("*.toml"))
    if name not in known:
        raise RulesetError(f"{where}: no file {name!r}; there are {', '.join(known)}")
    return read_toml(folder / f"{name}.toml")


def _check_variant(data: dict[str, Any], where: str) -> None:
    if not isinstance(data["deck"], str):
        raise RulesetError(f"{where}: deck must be a name, not {data['deck']!r}")
    _whole(data["order"], 1, f"{where}: order")
    boxes = data["boxes"]
    if not isinstance(boxes, list) or not all(isinstance(box, str) and box.strip() for box in boxes):
        raise RulesetError(f"{where}: boxes must be a list of names, not {boxes!r}")
    if len(set(boxes)) != len(boxes):
        raise RulesetError(f"{where}: boxes: a name appears twice")


def _check_deck(table: dict[str, Any], where: str) -> None:
    """CG-1: one Flag, enough cards for a deal."""
    if unknown := sorted(set(table) - set(TYPES[1:])):
        raise RulesetError(f"{where}: unknown key {unknown[0]!r}")
    for name, count in table.items():
        _whole(count, 0, f"{where}: {name}")
    if table.get("flag", 0) != 1:
        raise RulesetError(f"{where}: flag must be 1, not {table.get('flag', 0)}")
    cards = sum(table.values())
    if not FEWEST_CARDS <= cards <= MOST_CARDS:
        raise RulesetError(f"{where}: a deck has {FEWEST_CARDS} to {MOST_CARDS} cards, not {cards}")


def _whole(value: object, low: int, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise RulesetError(f"{where} must be a whole number of at least {low}, not {value!r}")
    return value
