"""Texts for codes, in a language: messages of the games and of the terminal, names of sides, pieces and territories."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gonfalon.cli.errors import CommandError
from gonfalon.cli.language.wording import Grammar, Name, fill
from gonfalon.engine.spelling import list_known
from gonfalon.games.words import DEFAULT, FOLDER, languages, list_names, read_messages

if TYPE_CHECKING:
    from gonfalon.engine.rulesets.ruleset import Ruleset
    from gonfalon.engine.screens.scene import Board

_OWN = Path(__file__).parent / "messages"


@cache
def read_catalogue(language: str = DEFAULT, family: str = "") -> dict[str, str]:
    """Return all messages by key: those of the games (`family` wins if several have a key) and the terminal's own."""
    return read_messages(language, family) | read_own(language)


def read_own(language: str) -> dict[str, str]:
    """Return the terminal's own messages by key."""
    own: dict[str, str] = json.loads((_OWN / f"{language}.json").read_text(encoding="utf-8"))
    return own


@cache
def read_ranks() -> dict[str, str]:
    """Return the rank of each piece type as it is printed on the piece; types without a rank are missing or empty."""
    drawn = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*/screen/glyphs.json"))]
    return {face: glyph["numeral"] for family in drawn for face, glyph in family.items()}


def choose_language(wish: str = "", environ: Mapping[str, str] = os.environ) -> str:
    """Return the language `wish`, else the environment's if the games have it, else English. Raises `CommandError` for
    an unknown wish.
    """
    if wish:
        if wish not in languages():
            raise CommandError(f"no language {wish!r}; {list_known(wish, languages())}")
        return wish
    named = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    code = named.replace("-", "_").partition("_")[0].partition(".")[0].lower()
    return code if code in languages() else DEFAULT


class Words:
    """Texts of one language about one game. `board` gives the names of territories. Its layout may have special
    messages: `code.layout` is tried before `code`.
    """

    def __init__(self, language: str = DEFAULT, family: str = "", board: Board | None = None) -> None:
        self._messages = read_catalogue(language, family)
        self._grammar = Grammar(language, self._messages)
        self._language = language
        self._layout = board.layout if board else ""
        self._territories = {region.id: region.name for region in board.regions} if board else {}

    def name_game(self, rules: Ruleset) -> str:
        """Return the title of a game. A variant of one's own has none and goes by its name."""
        return rules.variant if rules.own else self.say(f"game.{rules.variant}.title")

    def say(self, key: str, arguments: Mapping[str, Any] | None = None) -> str:
        """Return the message of a key with its arguments filled in. A `count` selects the variant for its number. If a
        key has no message, return the key itself with its arguments.
        """
        values = dict(arguments or {})
        text = self._find(key, values.get("count"))
        if text is None:
            return " ".join([key.partition(".")[2] or key, *(self.word(name, value) for name, value in values.items())])
        return fill(text, lambda name, form: self.word(name, values[name], form) if name in values else None)

    def tell(self, key: str, arguments: Mapping[str, Any] | None = None, reader: str = "") -> str:
        """Return the message of a key as `say` does, addressed to a reader of this side: `<key>.on-you` if the reader
        is the other side, `<key>.you` if the reader is the acting side.
        """
        values = dict(arguments or {})
        if reader and "sides" in values:
            values["sides"] = ["you" if side == reader else side for side in values["sides"]]
        to = ".on-you" if values.get("other") == reader else ".you" if values.get("side") == reader else ""
        return self.say(key + to if reader and key + to in self._messages else key, values)

    def has(self, key: str) -> bool:
        """Return whether there is a message of this key."""
        return key in self._messages

    def word(self, name: str, value: Any, form: str = "") -> str:
        """Return an argument as text. Its name decides the kind: sides, piece types, cards and territories become
        names; piece types in a battle also get their ranks.
        """
        if isinstance(value, (list, tuple)):
            return self._grammar.list([self.word(_singular(name), item, form) for item in value])
        if isinstance(value, (int, float)):
            return self._grammar.number(value)
        return self._grammar.decline(self._name(name, str(value)), form)

    def _find(self, key: str, count: Any) -> str | None:
        plural = f".{self._grammar.plural(count)}" if isinstance(count, (int, float)) else ""
        keys = [f"{key}.{self._layout}"] * bool(self._layout) + [key]
        wanted = (each for plain in keys for each in (plain + plural, plain))
        return next((self._messages[each] for each in wanted if each in self._messages), None)

    def _name(self, name: str, value: str) -> Name:
        if name == "side" or name.endswith("_side") or (name == "other" and f"side.{value}" in self._messages):
            side = self._messages.get(f"side.{value}", _spell(value))
            return Name(side, self._messages.get(f"gender.{value}", ""))
        if name in {"face", "card"}:
            return self._face(value)
        if name.endswith("_face"):
            found, rank = self._face(value), read_ranks().get(value, "")
            return Name(self.say("log.ranked", {"name": found.text, "rank": rank}), found.gender) if rank else found
        if name == "territory":
            return Name(self._territories.get(value, value))
        return Name(value)

    def _face(self, face: str) -> Name:
        """Return the name of a piece or card. If the language has none, use the English name."""
        for code in (self._language, DEFAULT):
            table = list_names().get(code)
            if table and face in table.names:
                return Name(table.names[face], table.genders.get(face, "") if code == self._language else "")
        return Name(self._messages.get(f"face.{face}", _spell(face)))


def _singular(name: str) -> str:
    """Return the singular of an argument's name, such as `spaces` or `territories`."""
    return f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")


def _spell(code: str) -> str:
    """Return a code in readable form, for a name that no table has."""
    return code.replace("-", " ").capitalize()
