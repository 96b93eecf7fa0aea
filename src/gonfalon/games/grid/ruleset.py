"""The grid family's rulesets: house-rule switches, boards and armies, read from `data/` and checked strictly.

Nothing here knows how a piece moves. A variant file names a board and an army; `load` fills both in, so that a
ruleset is complete in itself, and `board` and `army` turn them into numbers for the rules.
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

COLUMNS = 10
"""Every board has this many columns; a square's number is row * COLUMNS + column, both from 0 at red's left corner."""
MOST_ROWS = 10
CHASE_QUIET_TURNS = 255
"""With the chase rule on no quiet stretch is longer, so that the kept past moves cover every chase (GR-20)."""

KEYS = frozenset({"order", "board", "army", "deploy_rows", "powers", "boxes"})

SWITCHES = (
    Switch("two_square_limit", 3, 0, 5, (0, 3, 5)),
    Switch("chase_rule", True),
    Switch("silent_defence", False),
    Switch("attacker_wins_ties", False),
    Switch("one_time_bombs", False),
    Switch("rescue", False),
    Switch("apple_bomb_stays", False),
    Switch("max_turns", 2000, 2, 2000),
    Switch("max_quiet_turns", 200, 2, 2000),
    Switch("show_known", True),
)
"""The family's house rules, with the defaults that a variant file may replace."""

POWER_SWITCHES = frozenset({"apple_bomb_stays"})
"""House rules about the powers: only variants with `powers = true` have them."""


class BoardData(msgspec.Struct, frozen=True):
    """A board in numbers. `blocked` holds square numbers (row * 10 + column), ascending."""

    columns: int
    rows: int
    blocked: tuple[int, ...]


def load(variant: str, data: Path = DATA) -> Ruleset:
    """The ruleset of a variant of the family whose files are in `data`. Raises `RulesetError` naming file and key.

    `Ruleset.data` holds the variant file's keys; `board` and `army` are the tables of the files they name, with the
    name added as `name`.
    """
    ruleset = load_variant(data / "variants", variant, KEYS, SWITCHES)
    where = f"{variant}.toml"
    _check_variant(ruleset.data, where)
    board_table = _named(data / "boards", ruleset.data["board"], f"{where}: board")
    army_table = _named(data / "armies", ruleset.data["army"], f"{where}: army")
    _check_board(board_table, f"{ruleset.data['board']}.toml")
    _check_army(army_table, f"{ruleset.data['army']}.toml")
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
    pieces = sum(data["army"].get(name, 0) for name in TYPES[1:])
    return Facts(("red", "blue"), "grid", pieces, board["columns"], board["rows"], tuple(data["boxes"]))


def validate(ruleset: Ruleset) -> None:
    """Checks what no switch can check alone; to be called again after `with_switches`. Raises `RulesetError`."""
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
    """How many pieces of each type a side has: 13 counts by type code, the first unused (0)."""
    table = ruleset.data["army"]
    return tuple(table.get(name, 0) if name else 0 for name in TYPES)


def deploy_rows(ruleset: Ruleset) -> int:
    """How many rows nearest to a side are its own."""
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


def _named(folder: Path, name: str, where: str) -> dict[str, Any]:
    known = sorted(path.stem for path in folder.glob("*.toml"))
    if name not in known:
        raise RulesetError(f"{where}: no file {name!r}; there are {', '.join(known)}")
    return read_toml(folder / f"{name}.toml")


def _check_variant(data: dict[str, Any], where: str) -> None:
    for key in ("board", "army"):
        if not isinstance(data[key], str):
            raise RulesetError(f"{where}: {key} must be a name, not {data[key]!r}")
    for key in ("order", "deploy_rows"):
        _whole(data[key], 1, f"{where}: {key}")
    if not isinstance(data["powers"], bool):
        raise RulesetError(f"{where}: powers must be true or false, not {data['powers']!r}")
    boxes = data["boxes"]
    if not isinstance(boxes, list) or not all(isinstance(box, str) and box.strip() for box in boxes):
        raise RulesetError(f"{where}: boxes must be a list of names, not {boxes!r}")
    if len(set(boxes)) != len(boxes):
        raise RulesetError(f"{where}: boxes: a name appears twice")


def _check_board(table: dict[str, Any], where: str) -> None:
    _keys(table, {"columns", "rows", "blocked"}, {"columns", "rows", "blocked"}, where)
    if _whole(table["columns"], 1, f"{where}: columns") != COLUMNS:
        raise RulesetError(f"{where}: columns must be {COLUMNS}, not {table['columns']}")
    if _whole(table["rows"], 2, f"{where}: rows") > MOST_ROWS:
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


def _check_army(table: dict[str, Any], where: str) -> None:
    _keys(table, set(TYPES[1:]), set(), where)
    for name, count in table.items():
        _whole(count, 0, f"{where}: {name}")
    if table.get("flag", 0) != 1:
        raise RulesetError(f"{where}: flag must be 1, not {table.get('flag', 0)}")


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


def _keys(table: dict[str, Any], known: set[str], needed: set[str], where: str) -> None:
    if unknown := sorted(set(table) - known):
        raise RulesetError(f"{where}: unknown key {unknown[0]!r}")
    if missing := sorted(needed - set(table)):
        raise RulesetError(f"{where}: key {missing[0]!r} is missing")


def _whole(value: object, low: int, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise RulesetError(f"{where} must be a whole number of at least {low}, not {value!r}")
    return value
