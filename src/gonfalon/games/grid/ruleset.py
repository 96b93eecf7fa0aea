"""The grid family's rulesets: house-rule switches, boards and armies, read from `data/` and checked strictly.

A variant file names a board and an army. `load` fills both in, so a ruleset is complete in itself. `board` and `army`
turn them into numbers for the rules.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from gonfalon.engine.ruleset import (
    Facts,
    Ruleset,
    RulesetError,
    Switch,
    check_head,
    check_keys,
    check_whole,
    counts_of,
    find_file,
    load_variant,
    read_counts,
    read_toml,
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
"""Piece types by type code: 1 to 10 are the ranks, 11 the Bomb, 12 the Flag; code 0 is no piece."""

COLUMNS = 10
"""Columns of every board. A square's number is row * COLUMNS + column, both counted from 0 at red's left corner."""
MOST_ROWS = 10
CHASE_QUIET_TURNS = 255
"""Maximum number of quiet turns in a row with the chase rule (GR-20), so that the turn ring covers every chase."""

KEYS = frozenset({"order", "board", "army", "deploy_rows", "powers", "boxes"})
BOARD_KEYS = frozenset({"columns", "rows", "blocked"})

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
    """A board in numbers. `blocked` holds square numbers (row * 10 + column), ascending."""

    columns: int
    rows: int
    blocked: tuple[int, ...]


def load(variant: str, data: Path = DATA) -> Ruleset:
    """The ruleset of a variant of the family whose files are in `data`. Raises `RulesetError` naming file and key.

    `Ruleset.data` holds the variant file's keys. Its `board` and `army` are the tables of the files that they name,
    with the name added as `name`.
    """
    ruleset = load_variant(data / "variants", variant, KEYS, SWITCHES)
    where = f"{variant}.toml"
    _check_variant(ruleset.data, where)
    board_table = _read_board(find_file(data / "boards", ruleset.data["board"], f"{where}: board"))
    army_table = _read_army(find_file(data / "armies", ruleset.data["army"], f"{where}: army"))
    filled = {
        **ruleset.data,
        "board": {"name": ruleset.data["board"], **board_table},
        "army": {"name": ruleset.data["army"], **army_table},
    }
    ruleset = _without_power_switches(msgspec.structs.replace(ruleset, data=filled, facts=_facts(filled)))
    _check_fit(ruleset, where)
    validate(ruleset)
    return ruleset


def _facts(data: dict[str, Any]) -> Facts:
    board = data["board"]
    pieces = sum(counts_of(data["army"], TYPES))
    return Facts(("red", "blue"), "grid", pieces, board["columns"], board["rows"], tuple(data["boxes"]))


def validate(ruleset: Ruleset) -> None:
    """Checks switches against each other. Call it again after `with_switches`. Raises `RulesetError`."""
    quiet = ruleset.values["max_quiet_turns"]
    if ruleset.values["chase_rule"] and quiet > CHASE_QUIET_TURNS:
        limit = f"at most {CHASE_QUIET_TURNS} while chase_rule is on"
        raise RulesetError(f"{ruleset.variant}: max_quiet_turns must be {limit}, not {quiet}")


def board(ruleset: Ruleset) -> BoardData:
    """The ruleset's board in numbers."""
    table = ruleset.data["board"]
    blocked = tuple(sorted(square_number(name, table["rows"]) for name in table["blocked"]))
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


def square_number(name: str, rows: int) -> int:
    """The number of a square such as "c4" on a board of `rows` rows. Raises ValueError if there is none."""
    letter, digits = name[:1], name[1:]
    column = "abcdefghij".find(letter) if letter else -1
    if column < 0 or not (digits.isascii() and digits.isdigit()) or digits.startswith("0") or int(digits) > rows:
        raise ValueError(f"no square {name!r}")
    return (int(digits) - 1) * COLUMNS + column


def _check_variant(data: dict[str, Any], where: str) -> None:
    check_head(data, ("board", "army"), where)
    check_whole(data["deploy_rows"], 1, f"{where}: deploy_rows")
    if not isinstance(data["powers"], bool):
        raise RulesetError(f"{where}: powers must be true or false, not {data['powers']!r}")


def _read_board(path: Path) -> dict[str, Any]:
    table, where = read_toml(path), path.name
    check_keys(table, BOARD_KEYS, BOARD_KEYS, where)
    if check_whole(table["columns"], 1, f"{where}: columns") != COLUMNS:
        raise RulesetError(f"{where}: columns must be {COLUMNS}, not {table['columns']}")
    if check_whole(table["rows"], 2, f"{where}: rows") > MOST_ROWS:
        raise RulesetError(f"{where}: rows must be at most {MOST_ROWS}, not {table['rows']}")
    names = table["blocked"]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise RulesetError(f"{where}: blocked must be a list of squares, not {names!r}")
    for name in names:
        try:
            square_number(name, table["rows"])
        except ValueError as error:
            raise RulesetError(f"{where}: blocked: {error}") from error
    if len(set(names)) != len(names):
        raise RulesetError(f"{where}: blocked: a square appears twice")
    return table


def _read_army(path: Path) -> dict[str, Any]:
    table = read_counts(path, TYPES)
    if table.get("flag", 0) != 1:
        raise RulesetError(f"{path.name}: flag must be 1, not {table.get('flag', 0)}")
    return table


def _check_fit(ruleset: Ruleset, where: str) -> None:
    squares, own = board(ruleset), deploy_rows(ruleset)
    if 2 * own > squares.rows:
        raise RulesetError(f"{where}: deploy_rows: the board has no {own} rows for each side")
    for square in squares.blocked:
        row = square // COLUMNS
        if row < own or row >= squares.rows - own:
            name = f"{'abcdefghij'[square % COLUMNS]}{row + 1}"
            raise RulesetError(f"{where}: deploy_rows: the blocked square {name} lies in a side's own {own} rows")
    if sum(army(ruleset)) > own * COLUMNS:
        raise RulesetError(f"{where}: army: {sum(army(ruleset))} pieces do not fit on {own * COLUMNS} squares")


def _without_power_switches(ruleset: Ruleset) -> Ruleset:
    if powers(ruleset):
        return ruleset
    for switch, family in zip(ruleset.switches, SWITCHES, strict=True):
        if switch.name in POWER_SWITCHES and switch.default != family.default:
            raise RulesetError(f"{ruleset.variant}.toml: switches.{switch.name} needs powers = true")
    kept = tuple(switch for switch in ruleset.switches if switch.name not in POWER_SWITCHES)
    return msgspec.structs.replace(ruleset, switches=kept, values={switch.name: switch.default for switch in kept})
