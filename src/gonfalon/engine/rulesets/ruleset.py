"""Rulesets as data. A variant is a TOML file that may inherit from another one. Unknown keys and bad values are
refused, with the file and the key.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from gonfalon.engine.spelling import list_known

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class RulesetError(ValueError):
    """A mistake in a rules file or in a switch. The message names the file (or the call) and the key."""


Texts = dict[str, str]
"""A text by language."""
ALL_LANGUAGES = ""
"""Key of a text for all languages, the only one of its `Texts`."""


class Written(NamedTuple):
    """A ruleset of one's own as text. Records hold it, and `games.make` reads it."""

    variant: str
    text: str
    """JSON on one line: the keys of a variant file without `inherits`, every table in place of its name, and `family`.
    """


def find_source(variant: str, text: str) -> str | Written:
    """Return a stored variant for `games.make`. `text`: of a ruleset of one's own; empty for a shipped variant."""
    return Written(variant, text) if text else variant


class Switch(msgspec.Struct, frozen=True):
    """A house rule that can be set. A flag has `low` 0, `high` 1 and a bool as default; a number has a range."""

    name: str
    default: bool | int
    low: int = 0
    high: int = 1
    options: tuple[int, ...] = ()
    """The allowed numbers, if not all of the range are allowed; else empty."""

    def check(self, value: object, where: str) -> bool | int:
        """Return `value` if the switch allows it. Raises `RulesetError` with `where` and the name of the switch."""
        # Parameter sweeps pass NumPy numbers.
        value = value.item() if hasattr(value, "item") else value
        if isinstance(self.default, bool):
            if not isinstance(value, bool):
                raise RulesetError(f"{where}: {self.name} must be true or false, not {value!r}")
            return value
        if isinstance(value, bool) or not isinstance(value, int):
            raise RulesetError(f"{where}: {self.name} must be a whole number, not {value!r}")
        if self.options and value not in self.options:
            raise RulesetError(f"{where}: {self.name} must be one of {', '.join(map(str, self.options))}, not {value}")
        if not self.low <= value <= self.high:
            raise RulesetError(f"{where}: {self.name} must be from {self.low} to {self.high}, not {value}")
        return value


class Facts(msgspec.Struct, frozen=True):
    """Facts of a variant for lists of games, read from data without compiled code."""

    sides: tuple[str, ...] = ()
    layout: str = ""
    """Layout of the page: `grid`, `map` or `table`."""
    pieces: int = 0
    """Number of pieces per side."""
    columns: int = 0
    rows: int = 0
    boxes: tuple[str, ...] = ()
    """Names of the boxed games that the variant can be played with."""


class Ruleset(msgspec.Struct, frozen=True):
    """The parameters of one variant, with house rules applied."""

    family: str
    variant: str
    switches: tuple[Switch, ...]
    values: dict[str, bool | int]
    data: dict[str, Any]
    """Keys of the variant file that belong to its family, such as board, army and boxes."""
    facts: Facts = Facts()
    own: bool = False
    """Whether the variant is one's own and not shipped, so that its name alone does not say its rules."""
    title: Texts = {}
    """Title of a variant of one's own; empty: none but its name."""
    description: Texts = {}
    """Description of a variant of one's own in a sentence; may be empty."""

    @property
    def name(self) -> str:
        """The variant with its changed house rules, such as `barrage` or `barrage(rescue=True)`. A variant of one's own
        also has a hash of its rules: `mini#1a2b3c4d`.
        """
        mark = f"#{self.mark}" if self.own else ""
        changed = ", ".join(f"{name}={value}" for name, value in self.changed.items())
        return f"{self.variant}{mark}({changed})" if changed else self.variant + mark

    @property
    def mark(self) -> str:
        """A short hash of the rules of a variant of one's own, without its texts; empty for a shipped one."""
        rules = msgspec.structs.replace(self, title={}, description={})
        return hashlib.sha256(rules.text.encode()).hexdigest()[:8] if self.own else ""

    @property
    def text(self) -> str:
        """A ruleset of one's own as text, with its title and the defaults of its switches (`Written.text`); empty for a
        shipped variant.
        """
        if not self.own:
            return ""
        switches = {switch.name: switch.default for switch in self.switches}
        texts = {"title": self.title, "description": self.description}
        said = {key: each.get(ALL_LANGUAGES, each) for key, each in texts.items() if each}
        table = {"family": self.family, **self.data, "switches": switches, **said}
        return msgspec.json.encode(table, order="sorted").decode()

    @property
    def source(self) -> str | Written:
        """The variant, without changed house rules, for `games.make`."""
        return find_source(self.variant, self.text)

    @property
    def changed(self) -> dict[str, bool | int]:
        return {s.name: self.values[s.name] for s in self.switches if self.values[s.name] != s.default}

    def with_switches(self, chosen: Mapping[str, object]) -> Ruleset:
        """Return a ruleset with these house rules set. Raises `RulesetError` for an unknown switch or a bad value.

        Combinations of switches are not checked here; the family's `validate` does this (`games.ruleset` calls it).
        """
        known = {s.name: s for s in self.switches}
        values = dict(self.values)
        for name, value in chosen.items():
            if name not in known:
                raise RulesetError(f"{self.variant}: no switch {name!r}; {list_known(name, sorted(known))}")
            values[name] = known[name].check(value, self.variant)
        return msgspec.structs.replace(self, values=values)


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a file. Raises `RulesetError` with the name of the file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RulesetError(f"{path.name}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulesetError(f"{path.name}: {error}") from error


class Sources(NamedTuple):
    """Folders of the files that a variant's file names."""

    data: Path
    """The family's folder `data`, with a folder for each kind of file: `variants`, `boards`, ..."""
    beside: Path | None = None
    """Folder of a file of one's own, which may also name the files beside it."""

    def find(self, kind: str, name: object, where: str) -> Path:
        """Return the file that `name` means: `<name>.toml` beside the file of one's own, or in the folder `kind` of the
        family. Raises `RulesetError` if there is none or both, or if it lies outside of these folders.
        """
        if not isinstance(name, str):
            raise RulesetError(f"{where} must be a name, not {name!r}")
        if self.beside is None:
            return find_file(self.data / kind, name, where)
        path = self.beside / f"{check_name(name, where)}.toml"
        if not path.is_file():
            return find_file(self.data / kind, name, where)
        if (self.data / kind / path.name).is_file():
            raise RulesetError(f"{where}: {name!r} names the file beside this one and a shipped one; rename yours")
        if not path.resolve().is_relative_to(self.beside.resolve()):
            raise RulesetError(f"{where}: {path.name} is a link out of its folder")
        return path


def load_variant(folder: Path, variant: str, keys: frozenset[str], switches: tuple[Switch, ...]) -> Ruleset:
    """Return the ruleset of `folder/variant.toml`, including inherited keys.

    `keys`: the keys that the family knows; `switches`: the family's house rules with their default values. Raises
    `RulesetError`.
    """
    data = read_inherited(Sources(folder.parent), folder / f"{variant}.toml", keys)
    return make_ruleset(folder.parent.parent.name, variant, data, keys, switches, f"{variant}.toml")


def make_ruleset(
    family: str, variant: str, data: dict[str, Any], keys: frozenset[str], switches: tuple[Switch, ...], where: str
) -> Ruleset:
    """Return the ruleset of the keys of a variant file, without inherited ones. `keys`, `switches`: see `load_variant`.
    Raises `RulesetError`.
    """
    check_keys(data, keys | {"switches"}, keys, where)
    chosen = _read_switches(data, where)
    known = {s.name for s in switches}
    for name in chosen:
        if name not in known:
            raise RulesetError(f"{where}: switches.{name} is unknown")
    own = tuple(
        msgspec.structs.replace(s, default=s.check(chosen[s.name], f"{where}: switches")) if s.name in chosen else s
        for s in switches
    )
    rest = {key: value for key, value in data.items() if key != "switches"}
    return Ruleset(family, variant, own, {s.name: s.default for s in own}, rest)


def read_inherited(sources: Sources, path: Path, keys: frozenset[str], below: tuple[Path, ...] = ()) -> dict[str, Any]:
    """Return the keys of a variant file and those that it inherits. `keys`: see `load_variant`; `below`: the files that
    inherit from this one. Raises `RulesetError`.
    """
    if path in below:
        raise RulesetError(f"{path.name}: inherits from itself by way of {', '.join(each.name for each in below)}")
    data = read_toml(path)
    if path.parent == sources.beside:
        check_keys(data, keys - _OF_LISTS | _TEXTS | {"inherits", "switches"}, frozenset({"inherits"}), path.name)
        for key in _TEXTS:  # only for the file itself: `own_variants.load_own_variant`
            data.pop(key, None)
    else:
        sources = Sources(sources.data)
    for key in ("beside", "listed"):  # only for lists of games: `games.find_heading`, `games.families`
        data.pop(key, None)
    parent = data.pop("inherits", None)
    if parent is None:
        return data
    above = sources.find("variants", parent, f"{path.name}: inherits")
    base = read_inherited(sources, above, keys, (*below, path))
    switches = {**_read_switches(base, above.name), **_read_switches(data, path.name)}
    return {**base, **data, "switches": switches}


_TEXTS = frozenset({"title", "description"})
_OF_LISTS = frozenset({"order", "boxes"})
"""Keys for lists of games, which variants of one's own are not in."""


def _read_switches(data: Mapping[str, Any], where: str) -> dict[str, Any]:
    switches = data.get("switches", {})
    if not isinstance(switches, dict):
        raise RulesetError(f"{where}: switches must be a table, not {switches!r}")
    return switches


def check_name(name: object, where: str) -> str:
    """Return `name` if it can name a file and a variant. Raises `RulesetError`."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise RulesetError(f"{where}: a name has small letters, digits and hyphens, at most 40; {name!r} has not")
    return name


def check_head(data: Mapping[str, Any], names: tuple[str, ...], where: str) -> None:
    """Check the keys that every variant file has: `order`, `boxes`, and the keys in `names`, whose values are names of
    files. Raises `RulesetError`.
    """
    for key in names:
        if not isinstance(data[key], str):
            raise RulesetError(f"{where}: {key} must be a name, not {data[key]!r}")
    check_whole(data["order"], 1, f"{where}: order")
    boxes = data["boxes"]
    if not isinstance(boxes, list) or not all(isinstance(box, str) and box.strip() for box in boxes):
        raise RulesetError(f"{where}: boxes must be a list of names, not {boxes!r}")
    if len(set(boxes)) != len(boxes):
        raise RulesetError(f"{where}: boxes: a name appears twice")


def find_file(folder: Path, name: str, where: str) -> Path:
    """Return the file with this name. Raises `RulesetError` with the names that exist."""
    known = sorted(path.stem for path in folder.glob("*.toml"))
    if name not in known:
        raise RulesetError(f"{where}: no file {name!r}; {list_known(name, known)}")
    return folder / f"{name}.toml"


def read_counts(path: Path, types: tuple[str, ...]) -> dict[str, Any]:
    """Return a table of numbers by type. Raises `RulesetError`, also for other keys."""
    table = read_toml(path)
    check_keys(table, frozenset(types) - {""}, frozenset(), path.name)
    for name, count in table.items():
        check_whole(count, 0, f"{path.name}: {name}")
    return table


def counts_of(table: Mapping[str, Any], types: tuple[str, ...]) -> tuple[int, ...]:
    """Return the numbers of a table by type code: 0 for missing types, and for code 0, which means no type."""
    return tuple(table.get(name, 0) if name else 0 for name in types)


def check_keys(table: Mapping[str, Any], known: frozenset[str], needed: frozenset[str], where: str) -> None:
    """Check the keys of a table. Raises `RulesetError` for a key that is not in `known`, and for a key of `needed` that
    is missing.
    """
    if unknown := sorted(set(table) - known):
        raise RulesetError(f"{where}: unknown key {unknown[0]!r}")
    if missing := sorted(needed - set(table)):
        raise RulesetError(f"{where}: key {missing[0]!r} is missing")


def check_whole(value: object, low: int, where: str) -> int:
    """Return `value` if it is a whole number of at least `low`. Raises `RulesetError`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise RulesetError(f"{where} must be a whole number of at least {low}, not {value!r}")
    return value
