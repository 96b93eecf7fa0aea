"""The check of the grid family's rulesets: one for shipped files, files of one's own, records, and rulesets by hand.

It reads the keys of a variant file with the tables of its board and army. Errors name the file, or the part of the
ruleset, and the key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from gonfalon.engine.rulesets.ruleset import (
    Ruleset,
    RulesetError,
    Switch,
    check_head,
    check_keys,
    check_name,
    check_whole,
)

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
"""Piece types by type code; see `ruleset.TYPES`."""
MOVABLE = TYPES[1:11]
FILES = "abcdefghij"
"""Letters of the columns, from red's left."""
LEAST, MOST = 3, 10
"""Least and largest number of columns, and of rows."""
MOST_OWN = 40
"""Maximum number of squares that are a side's own."""
MOST_SPIES = 4
"""Maximum number of Spies of a side whose Shrouds bring pieces back: the records have 16 returned pieces, and besides
the Spies' each side has two by Rescue and two by the Shrouds of rescued Spies.
"""
CHASE_QUIET_TURNS = 255
"""Maximum number of quiet turns in a row with the chase rule (GR-20), so that the turn ring covers every chase."""

KEYS = frozenset({"order", "board", "army", "deploy_rows", "powers", "boxes"})
BOARD_KEYS = frozenset({"columns", "rows", "blocked"})
NAME = frozenset({"name"})
"""Key of a table that was a file of this name."""


class Origins(NamedTuple):
    """The places of a ruleset's parts, for errors: names of files, or of parts."""

    variant: str
    board: str
    army: str


def name_parts(ruleset: Ruleset) -> Origins:
    """Return the origins of a ruleset that no file gave."""
    return Origins(ruleset.variant, f"{ruleset.variant}: board", f"{ruleset.variant}: army")


def square_number(name: str, columns: int, rows: int) -> int:
    """Return the number (row * 10 + column) of a square such as "c4". Raises ValueError if a board of this size has
    none of this name.
    """
    letter, digits = name[:1], name[1:]
    column = FILES[:columns].find(letter) if letter else -1
    whole = digits.isascii() and digits.isdigit() and len(digits) < 3 and not digits.startswith("0")
    if column < 0 or not whole or int(digits) > rows:
        raise ValueError(f"no square {name!r} (a1 to {FILES[columns - 1]}{rows})")
    return (int(digits) - 1) * MOST + column


def check_data(data: Mapping[str, Any], origins: Origins) -> None:
    """Check the keys of a complete variant. Raises `RulesetError`."""
    where = origins.variant
    check_keys(data, KEYS, KEYS, where)
    check_head(data, (), where)
    check_whole(data["deploy_rows"], 1, f"{where}: deploy_rows")
    if not isinstance(data["powers"], bool):
        raise RulesetError(f"{where}: powers must be true or false, not {data['powers']!r}")
    _check_board(data["board"], origins.board)
    _check_army(data["army"], origins.army)
    if data["powers"] and data["army"].get("spy", 0) > MOST_SPIES:
        raise RulesetError(f"{origins.army}: spy must be at most {MOST_SPIES} with powers, not {data['army']['spy']}")
    _check_own_rows(data, where)
    _check_halves(data["board"], data["deploy_rows"], origins.board)


def _check_table(table: object, known: frozenset[str], needed: frozenset[str], where: str) -> None:
    if not isinstance(table, dict):
        raise RulesetError(f"{where} must be a table, not {table!r}")
    check_keys(table, known | NAME, needed, where)
    if "name" in table:
        check_name(table["name"], f"{where}: name")


def _check_board(table: dict[str, Any], where: str) -> None:
    _check_table(table, BOARD_KEYS, BOARD_KEYS, where)
    for key in ("columns", "rows"):
        if check_whole(table[key], LEAST, f"{where}: {key}") > MOST:
            raise RulesetError(f"{where}: {key} must be at most {MOST}, not {table[key]}")
    names = table["blocked"]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise RulesetError(f"{where}: blocked must be a list of squares, not {names!r}")
    for name in names:
        try:
            square_number(name, table["columns"], table["rows"])
        except ValueError as error:
            raise RulesetError(f"{where}: blocked: {error}") from error
    if len(set(names)) != len(names):
        raise RulesetError(f"{where}: blocked: a square appears twice")


def _check_army(table: dict[str, Any], where: str) -> None:
    _check_table(table, frozenset(TYPES[1:]), frozenset(), where)
    counts = {name: check_whole(count, 0, f"{where}: {name}") for name, count in table.items() if name != "name"}
    if counts.get("flag", 0) != 1:
        raise RulesetError(f"{where}: flag must be 1, not {counts.get('flag', 0)}")
    if not any(counts.get(name) for name in MOVABLE):
        raise RulesetError(f"{where}: there must be a piece that moves: {', '.join(MOVABLE)}")


def _check_own_rows(data: Mapping[str, Any], where: str) -> None:
    """Check that both sides' own rows are apart, free of blocked squares, and large enough for the army."""
    board, own = data["board"], data["deploy_rows"]
    columns, rows = board["columns"], board["rows"]
    if 2 * own > rows:
        raise RulesetError(f"{where}: deploy_rows: the board has no {own} rows for each side")
    if own * columns > MOST_OWN:
        raise RulesetError(f"{where}: deploy_rows: {own} rows of {columns} are more than {MOST_OWN} squares for a side")
    for name in board["blocked"]:
        row = square_number(name, columns, rows) // MOST
        if row < own or row >= rows - own:
            raise RulesetError(f"{where}: deploy_rows: the blocked square {name} lies in a side's own {own} rows")
    pieces = sum(count for name, count in data["army"].items() if name != "name")
    if pieces > own * columns:
        raise RulesetError(f"{where}: army: {pieces} pieces do not fit on {own * columns} squares")


def _check_halves(board: Mapping[str, Any], own: int, where: str) -> None:
    """Check that pieces can go from one side's own rows to the other's."""
    columns, rows = board["columns"], board["rows"]
    blocked = {square_number(name, columns, rows) for name in board["blocked"]}
    reached, new = set[int](), set(range(columns))  # the first row of red
    while new:
        reached |= new
        around = {square + step for square in new for step in (-1, 1, -MOST, MOST) if _is_step(square, step)}
        inside = {square for square in around if square % MOST < columns and 0 <= square < rows * MOST}
        new = inside - reached - blocked
    if not any(square // MOST >= rows - own for square in reached):
        raise RulesetError(f"{where}: blocked: no way leads from one side's rows to the other's")


def _is_step(square: int, step: int) -> bool:
    """Whether the step stays on the row, or goes along the file."""
    return abs(step) == MOST or (square + step) // MOST == square // MOST


def check_switches(ruleset: Ruleset, known: tuple[Switch, ...], of_powers: frozenset[str], where: str) -> None:
    """Check the switches and their values. `known`: the family's, of which variants without powers lack `of_powers`.
    Raises `RulesetError`.
    """
    wanted = [switch for switch in known if ruleset.data["powers"] or switch.name not in of_powers]
    found = {switch.name: switch for switch in ruleset.switches}
    names = {switch.name for switch in wanted}
    for name in sorted(names ^ found.keys() | names ^ ruleset.values.keys()):
        raise RulesetError(f"{where}: switches.{name} is {'missing' if name in names else 'unknown'}")
    for switch in wanted:
        own = found[switch.name]
        if msgspec.structs.replace(own, default=switch.default) != switch:
            raise RulesetError(f"{where}: switches.{switch.name} has another range than the family's")
        own.check(own.default, where)
        own.check(ruleset.values[switch.name], where)
    quiet = ruleset.values["max_quiet_turns"]
    if ruleset.values["chase_rule"] and quiet > CHASE_QUIET_TURNS:
        limit = f"at most {CHASE_QUIET_TURNS} while chase_rule is on"
        raise RulesetError(f"{ruleset.variant}: max_quiet_turns must be {limit}, not {quiet}")
