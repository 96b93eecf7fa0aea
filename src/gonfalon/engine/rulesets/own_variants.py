"""Variants of one's own: a TOML file beside others in any folder, or the text in a record.

Such a file names a base in `inherits` and gives only what differs. Its tables may stand in it, or be files beside it.
The lists of games do not have these variants.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from gonfalon.engine.rulesets.ruleset import (
    Ruleset,
    RulesetError,
    Sources,
    Switch,
    Written,
    check_name,
    make_ruleset,
    read_inherited,
    read_toml,
)
from gonfalon.engine.rulesets.titles import read_texts


def load_own_variant(path: Path, data: Path, keys: frozenset[str], switches: tuple[Switch, ...]) -> Ruleset:
    """Return the ruleset of the file at `path`. `data`: the family's folder; `keys`, `switches`: see
    `ruleset.load_variant`. Raises `RulesetError`.
    """
    table = read_inherited(Sources(data, path.parent), path, keys) | {"order": 1, "boxes": []}
    ruleset = make_ruleset(data.parent.name, check_name(path.stem, path.name), table, keys, switches, path.name)
    return msgspec.structs.replace(ruleset, own=True, **read_texts(read_toml(path), path.name))


def read_own_variant(written: Written, keys: frozenset[str], switches: tuple[Switch, ...]) -> Ruleset:
    """Return the ruleset of a text, which may come from anybody. `keys`, `switches`: see `ruleset.load_variant`. Raises
    `RulesetError`.
    """
    table, where = _decode(written), f"ruleset of {check_name(written.variant, 'variant')}"
    family, texts = table.pop("family"), read_texts(table, where)
    rules = {key: value for key, value in table.items() if key not in texts}
    ruleset = make_ruleset(family, written.variant, rules, keys, switches, where)
    return msgspec.structs.replace(ruleset, own=True, **texts)


def find_family(written: Written) -> str:
    """Return the family that a text names. Raises `RulesetError`."""
    return str(_decode(written)["family"])


def _decode(written: Written) -> dict[str, Any]:
    try:
        table = msgspec.json.decode(written.text, type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError) as error:
        raise RulesetError(f"ruleset of {written.variant}: {error}") from error
    if not isinstance(table.get("family"), str):
        raise RulesetError(f"ruleset of {written.variant}: key 'family' must be a name")
    return table


def find_base(path: Path) -> str:
    """Return the name of the first variant that the file at `path` inherits from and that is not a file beside it.
    Raises `RulesetError`.
    """
    passed = [path]
    while True:
        parent = read_toml(path).get("inherits")
        if parent is None:
            raise RulesetError(f"{path.name}: key 'inherits' is missing; it names the variant that this one changes")
        above = path.parent / f"{check_name(parent, f'{path.name}: inherits')}.toml"
        if not above.is_file():
            return str(parent)
        if above in passed:
            raise RulesetError(f"{path.name}: inherits: {above.name} inherits from itself")
        passed.append(path := above)
