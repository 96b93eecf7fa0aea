"""The grid family's rulesets: house-rule switches, boards and armies, read from `data/` or from files of one's own.

A variant file names a board and an army, or has them as tables. `load` fills both in, so a ruleset is complete in
itself. `board` and `army` turn them into numbers for the rules. `validation.py` checks every ruleset.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from gonfalon.engine.rulesets.own_variants import load_own_variant, read_own_variant
from gonfalon.engine.rulesets.ruleset import (
    Facts,
    Ruleset,
    RulesetError,
    Sources,
    Switch,
    Written,
    counts_of,
    load_variant,
    read_toml,
)
from gonfalon.engine.rulesets.titles import check_texts
from gonfalon.games.grid import validation

DATA = Path(__file__).parent / "data"

TYPES = validation.TYPES
"""Piece types by type code: 1 to 10 are the ranks, 11 the Bomb, 12 the Flag; code 0 is no piece."""
COLUMNS = validation.MOST
"""Columns of the widest board. A square's number is row * COLUMNS + column, both counted from 0 at red's left corner,
on every board.
"""

SWITCHES = (
    Switch("two_square_limit", 3, 0, 5, (0, 3, 5)),
    Switch("chase_rule", True),
    Switch("silent_defence", False),
    Switch("attacker_wins_ties", False),
    Switch("one_time_bombs", False),
    Switch("rescue", False),
    Switch("apple_bomb_stays", False),
    Switch("no_move_passes", False),
    Switch("max_turns", 2000, 2, 2000),
    Switch("max_quiet_turns", 200, 2, 2000),
    Switch("show_known", True),
)
"""The family's house rules, with the defaults that a variant file may replace."""

POWER_SWITCHES = frozenset({"apple_bomb_stays"})
"""House rules about the powers. Only variants with `powers = true` have them."""


class BoardData(msgspec.Struct, frozen=True):
    """A board in numbers. `blocked` holds the numbers (row * 10 + column) of its blocked squares, ascending. Squares
    beyond its columns and rows are not there, and not in `blocked`.
    """

    columns: int
    rows: int
    blocked: tuple[int, ...]


def load(variant: str, data: Path = DATA) -> Ruleset:
    """The ruleset of a variant of the family whose files are in `data`. Raises `RulesetError` naming file and key.

    `Ruleset.data` holds the variant file's keys. Its `board` and `army` are the tables of the files that they name,
    with the name added as `name`.
    """
    return _fill(load_variant(data / "variants", variant, validation.KEYS, SWITCHES), Sources(data), f"{variant}.toml")


def load_own(path: Path) -> Ruleset:
    """The ruleset of a variant file of one's own. Raises `RulesetError` naming file and key."""
    return _fill(load_own_variant(path, DATA, validation.KEYS, SWITCHES), Sources(DATA, path.parent), path.name)


def read_own(written: Written) -> Ruleset:
    """The ruleset of a text, as records hold it. Raises `RulesetError` naming the key."""
    return complete(read_own_variant(written, validation.KEYS, SWITCHES))


def _fill(ruleset: Ruleset, sources: Sources, where: str) -> Ruleset:
    """Put the tables of board and army in place of their names."""
    data, origins = dict(ruleset.data), {"variant": where}
    for key, kind in (("board", "boards"), ("army", "armies")):
        origins[key] = f"{where}: {key}"
        if not isinstance(data[key], dict):
            path = sources.find(kind, data[key], origins[key])
            data[key], origins[key] = {"name": data[key], **read_toml(path)}, path.name
    return complete(msgspec.structs.replace(ruleset, data=data), validation.Origins(**origins))


def complete(ruleset: Ruleset, origins: validation.Origins | None = None) -> Ruleset:
    """The checked ruleset, without switches that it cannot have and with the facts that follow from its data, which may
    have been made by hand. Raises `RulesetError`.
    """
    origins = origins or validation.name_parts(ruleset)
    validation.check_data(ruleset.data, origins)
    check_texts(ruleset.title, "title", origins.variant)
    check_texts(ruleset.description, "description", origins.variant)
    if not powers(ruleset):
        ruleset = _without_power_switches(ruleset, origins.variant)
    validation.check_switches(ruleset, SWITCHES, POWER_SWITCHES, origins.variant)
    return msgspec.structs.replace(ruleset, facts=_facts(ruleset.data))


def settle(ruleset: Ruleset) -> Ruleset:
    """The ruleset to play by: `complete`, and with a name that no other rules have. Raises `RulesetError`."""
    return _settle_name(complete(ruleset))


def _settle_name(ruleset: Ruleset) -> Ruleset:
    """The ruleset, marked as one's own if no shipped variant has its name. Raises `RulesetError` if a shipped variant
    with other rules has it.
    """
    if not (DATA / "variants" / f"{ruleset.variant}.toml").is_file():
        return msgspec.structs.replace(ruleset, own=True)
    shipped = _shipped(ruleset.variant)
    if ruleset.own or (ruleset.data, ruleset.switches) != (shipped.data, shipped.switches):
        raise RulesetError(f"{ruleset.variant}: variant: a shipped variant has this name and other rules")
    return ruleset


@cache
def _shipped(variant: str) -> Ruleset:
    return load(variant)


def _facts(data: dict[str, Any]) -> Facts:
    board = data["board"]
    pieces = sum(counts_of(data["army"], TYPES))
    return Facts(("red", "blue"), "grid", pieces, board["columns"], board["rows"], tuple(data["boxes"]))


def validate(ruleset: Ruleset) -> None:
    """Check a whole ruleset: its board and army, and its switches against each other. Call it again after
    `with_switches`. Raises `RulesetError`.
    """
    complete(ruleset)


def board(ruleset: Ruleset) -> BoardData:
    """The ruleset's board in numbers."""
    table = ruleset.data["board"]
    blocked = tuple(sorted(square_number(name) for name in table["blocked"]))
    return BoardData(table["columns"], table["rows"], blocked)


def army(ruleset: Ruleset) -> tuple[int, ...]:
    """Number of pieces of each type that a side has: 13 counts by type code, the first unused (0)."""
    return counts_of(ruleset.data["army"], TYPES)


def deploy_rows(ruleset: Ruleset) -> int:
    """The number of rows that are a side's own, counted from its edge."""
    rows: int = ruleset.data["deploy_rows"]
    return rows


def powers(ruleset: Ruleset) -> bool:
    """Whether Shroud, Sword and Apple are in play (GR-30 to GR-40)."""
    has: bool = ruleset.data["powers"]
    return has


def square_number(name: str) -> int:
    """The number of a square such as "c4". Raises ValueError if no board has it."""
    return validation.square_number(name, COLUMNS, COLUMNS)


def _without_power_switches(ruleset: Ruleset, where: str) -> Ruleset:
    for switch, family in ((s, f) for s in ruleset.switches for f in SWITCHES if s.name == f.name):
        if switch.name in POWER_SWITCHES and switch.default != family.default:
            raise RulesetError(f"{where}: switches.{switch.name} needs powers = true")
    kept = tuple(switch for switch in ruleset.switches if switch.name not in POWER_SWITCHES)
    values = {name: value for name, value in ruleset.values.items() if name not in POWER_SWITCHES}
    return msgspec.structs.replace(ruleset, switches=kept, values=values)
