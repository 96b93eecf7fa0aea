"""Ready deployments as data: one file a variant in `data/deployments/`, letters by own square, back row first.

A deployment is one letter a square, from the row nearest to the player to his front row, each row from his own left to
right. So the same text serves both sides.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from gonfalon.engine.ruleset import Ruleset, RulesetError, read_toml
from gonfalon.games.grid.ruleset import COLUMNS, DATA, TYPES, army, deploy_rows
from gonfalon.games.grid.text.notation import LETTERS


def load(ruleset: Ruleset, data: Path = DATA) -> dict[str, str]:
    """Deployment texts by name, in the file's order. Raises `RulesetError` naming file and key."""
    where = f"deployments/{ruleset.variant}.toml"
    content = read_toml(data / "deployments" / f"{ruleset.variant}.toml")
    if set(content) != {"deployments"} or not isinstance(content["deployments"], dict):
        raise RulesetError(f"{where}: there must be one table, 'deployments'")
    for name, text in content["deployments"].items():
        _check(ruleset, text, f"{where}: {name}")
    return dict(content["deployments"])


def load_pool(ruleset: Ruleset, data: Path = DATA) -> tuple[str, ...]:
    """Deployments that won most where computers played, most of them bred by `tools/pools.py`; none without a file.
    Raises `RulesetError` naming file and line.
    """
    path = data / "pools" / f"{ruleset.variant}.txt"
    texts = tuple(path.read_text(encoding="ascii").split()) if path.is_file() else ()
    for number, text in enumerate(texts, 1):
        _check(ruleset, text, f"pools/{path.name}: line {number}")
    return texts


def _check(ruleset: Ruleset, text: object, where: str) -> None:
    """GR-2: a deployment has the whole army, one piece a square, and nothing else."""
    if not isinstance(text, str):
        raise RulesetError(f"{where} must be a text of letters, not {text!r}")
    if len(text) != COLUMNS * deploy_rows(ruleset):
        raise RulesetError(f"{where} must have {COLUMNS * deploy_rows(ruleset)} letters, not {len(text)}")
    counts = Counter(text)
    if unknown := sorted(set(counts) - set(LETTERS)):
        raise RulesetError(f"{where}: unknown letter {unknown[0]!r}")
    for code, wanted in enumerate(army(ruleset)):
        if code and counts[LETTERS[code]] != wanted:
            found = counts[LETTERS[code]]
            raise RulesetError(f"{where}: the army has {wanted} of {TYPES[code]} ({LETTERS[code]}), not {found}")
