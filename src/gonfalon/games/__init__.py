"""The games. Each folder here is a family; its `data/variants/*.toml` are its variants. There is no other list of
them.
"""

from __future__ import annotations

import importlib
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gonfalon.engine.rulesets.own_variants import find_base, find_family
from gonfalon.engine.rulesets.ruleset import Ruleset, RulesetError, Written, read_toml
from gonfalon.engine.spelling import list_known

if TYPE_CHECKING:
    from types import ModuleType

    from gonfalon.engine.game import Game

_HERE = Path(__file__).parent


@cache
def families(unlisted: bool = False) -> dict[str, tuple[str, ...]]:
    """Return the variants by family, both in the order of the key `order` in their files. `unlisted` includes examples
    that are not offered as games (`listed = false`). Reads no game code. Raises `RulesetError`.
    """
    found: dict[str, list[tuple[int, str]]] = {}
    for folder in _HERE.glob("*/data/variants"):
        places = sorted((_order(path), path.stem) for path in folder.glob("*.toml") if unlisted or _is_listed(path))
        if places:
            found[folder.parent.parent.name] = places
    return {family: tuple(name for _, name in found[family]) for family in sorted(found, key=lambda f: found[f][0])}


def _order(path: Path) -> int:
    order = read_toml(path).get("order")
    if isinstance(order, bool) or not isinstance(order, int):
        raise RulesetError(f"{path.name}: order must be a whole number of this file's own, not {order!r}")
    return order


def _is_listed(path: Path) -> bool:
    listed = read_toml(path).get("listed", True)
    if not isinstance(listed, bool):
        raise RulesetError(f"{path.name}: listed must be true or false, not {listed!r}")
    return listed


def variants(unlisted: bool = False) -> dict[str, str]:
    """Return the family by variant name."""
    return {variant: family for family, names in families(unlisted).items() for variant in names}


@cache
def find_heading(variant: str) -> str:
    """Return the listed variant under whose heading a list shows this one: the key `beside` of its file, or the variant
    itself. Raises `RulesetError`.
    """
    family = variants(unlisted=True)[variant]
    heading = read_toml(_HERE / family / "data" / "variants" / f"{variant}.toml").get("beside", variant)
    others = families().get(family, ())
    if heading != variant and (heading not in others or find_heading(heading) != heading):
        raise RulesetError(
            f"{variant}.toml: beside must name a variant of {family} that has a heading, not {heading!r}"
        )
    return str(heading)


Rules = str | Path | Written | Ruleset
"""A variant: the name of a shipped one; the path of a TOML file of one's own, which as a text ends in `.toml`; the text
in a record; or a ruleset.
"""


def ruleset(variant: Rules, **switches: bool | int) -> Ruleset:
    """Return the variant's ruleset with house rules set. Does not load compiled code. Raises `RulesetError`."""
    chosen = _find_ruleset(variant).with_switches(switches)
    _ruleset_module(chosen.family).validate(chosen)
    return chosen


def read_variants(folder: Path) -> tuple[Ruleset, ...]:
    """Return the rulesets of all variant files in a folder, sorted by name. Files without the key `inherits` are boards
    and armies that variants name. Raises `RulesetError` with the file and the key, also for a folder without variants.
    """
    if not folder.is_dir():
        raise RulesetError(f"{folder}: there is no such folder")
    files = [path for path in sorted(folder.glob(f"*{SUFFIX}")) if "inherits" in read_toml(path)]
    if not files:
        raise RulesetError(f"{folder}: no file here is a variant, with the key inherits")
    return tuple(ruleset(path) for path in files)


def make(variant: Rules, **switches: bool | int) -> Game:
    """Return the game of a variant, with house rules as keywords: `make("classic", rescue=True)`,
    `make("folder/mine.toml")`. Raises `RulesetError`.
    """
    rules = ruleset(variant, **switches)
    game: Game = importlib.import_module(f"gonfalon.games.{rules.family}.game").make(rules)
    return game


@cache
def glyphs() -> dict[str, dict[str, str]]:
    """Return the drawing of each piece type by its face: `numeral`, which may be empty, and `path`, in 24 by 24."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted(_HERE.glob("*/screen/glyphs.json")):
        found |= json.loads(path.read_text(encoding="utf-8"))
    return found


@cache
def banners() -> dict[str, str]:
    """Return the outline of a banner of each side, as a path in 48 by 48."""
    found: dict[str, str] = json.loads((_HERE / "banners.json").read_text(encoding="utf-8"))
    return found


def _find_ruleset(variant: Rules) -> Ruleset:
    if isinstance(variant, Ruleset):
        return _settle(variant)
    if isinstance(variant, Written):
        return _read_own(variant)
    if isinstance(variant, Path) or variant.endswith(SUFFIX):
        return _load_own(Path(variant))
    family = variants(unlisted=True).get(variant)
    if family is None:
        raise RulesetError(f"no variant {variant!r}; {list_known(variant, variants())}")
    found: Ruleset = _ruleset_module(family).load(variant)
    return found


def _settle(given: Ruleset) -> Ruleset:
    """Return a ruleset that may have been made by hand, with the facts that follow from it."""
    module = _ruleset_module(given.family)
    settled: Ruleset = module.settle(given) if hasattr(module, "settle") else given
    if settled.own:
        _check_new(settled.variant, settled.variant)
    return settled


SUFFIX = ".toml"
"""End of the path of a variant file."""


def _load_own(path: Path) -> Ruleset:
    base = find_base(path)
    family = variants(unlisted=True).get(base)
    if family is None:
        raise RulesetError(f"{path.name}: inherits: no variant {base!r}; {list_known(base, variants())}")
    _check_new(path.stem, path.name)
    found: Ruleset = _module_with_own(family, f"{path.name}: inherits").load_own(path)
    return found


def _read_own(written: Written) -> Ruleset:
    _check_new(written.variant, "variant")
    found: Ruleset = _module_with_own(find_family(written), "family").read_own(written)
    return found


def _check_new(name: str, where: str) -> None:
    if name in variants(unlisted=True):
        raise RulesetError(f"{where}: {name!r} is the name of a shipped variant; choose another name")


def _module_with_own(family: str, where: str) -> ModuleType:
    """Return the `ruleset.py` of a family that allows variants of one's own: it has `load_own` and `read_own`."""
    module = _ruleset_module(family)
    if not hasattr(module, "load_own"):
        raise RulesetError(f"{where}: the family {family} has no variants of one's own")
    return module


def _ruleset_module(family: str) -> ModuleType:
    if family not in families(unlisted=True):
        raise RulesetError(f"family: {list_known(family, families(unlisted=True))}; not {family!r}")
    return importlib.import_module(f"gonfalon.games.{family}.ruleset")


def commands() -> tuple[ModuleType, ...]:
    """Return the `commands.py` of each family that has its own commands, ordered by family.

    Each module has `add(parsers)`, which adds parsers whose `run` is `module:function`. It imports nothing that loads
    slowly.
    """
    found = sorted(path.parent.name for path in _HERE.glob("*/commands.py"))
    return tuple(importlib.import_module(f"gonfalon.games.{family}.commands") for family in found)


def training(variant: str) -> ModuleType | None:
    """Return the `training.py` of the variant's family, which learns the worth of pieces from matches; None if it has
    none.

    The module has `learn(game, matches)`, which returns a lesson from records with the seats of the learning agent. A
    lesson's `tell()` returns its text in lines. `keep(variant, lesson)` writes the lesson into the family's data.
    """
    family = variants(unlisted=True)[variant]
    if not (_HERE / family / "training.py").exists():
        return None
    return importlib.import_module(f"gonfalon.games.{family}.training")
