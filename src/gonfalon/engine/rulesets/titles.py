"""Title and description of a variant of one's own: one text for all languages, or a text for each of some."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from gonfalon.engine.records.lines import fit_line
from gonfalon.engine.rulesets.ruleset import ALL_LANGUAGES, RulesetError, Texts

MOST_LETTERS = {"title": 40, "description": 200}
"""Maximum number of characters of each text, by key."""
MOST_LANGUAGES = 20
_LANGUAGE = re.compile(r"[a-z]{2,3}")


def read_texts(table: Mapping[str, object], where: str) -> dict[str, Texts]:
    """Return `title` and `description` of the table of a variant, by language; empty if they are missing. Raises
    `RulesetError`.
    """
    return {key: _read(table[key], key, where) if key in table else {} for key in MOST_LETTERS}


def _read(value: object, key: str, where: str) -> Texts:
    if not isinstance(value, (str, dict)) or not value:
        raise RulesetError(f"{where}: {key} must be a text, or a table of texts by language, not {value!r}")
    texts = _by_language(value)
    for language in texts if isinstance(value, dict) else ():
        if not _LANGUAGE.fullmatch(language):
            raise RulesetError(f"{where}: {key}: {language!r} is no code of a language, such as en or de")
    check_texts(texts, key, where)
    return texts


def _by_language(value: str | Texts) -> Texts:
    """Return a text for all languages, or a table of texts, as `Texts`."""
    return {ALL_LANGUAGES: value} if isinstance(value, str) else value


def check_texts(texts: Mapping[str, object], key: str, where: str) -> None:
    """Check the texts of one key, by language. Raises `RulesetError`."""
    if not isinstance(texts, Mapping):
        raise RulesetError(f"{where}: {key} must be a table of texts by language, not {texts!r}")
    if len(texts) > MOST_LANGUAGES:
        raise RulesetError(f"{where}: {key}: at most {MOST_LANGUAGES} languages, not {len(texts)}")
    for language, text in texts.items():
        place = f"{where}: {key}" + (f".{language}" if language else "")
        if not isinstance(text, str):
            raise RulesetError(f"{place} must be a text, not {text!r}")
        if not text or text != fit_line(text):
            raise RulesetError(f"{place}: one line with single spaces between words, no control characters: {text!r}")
        if len(text) > MOST_LETTERS[key]:
            raise RulesetError(f"{place}: at most {MOST_LETTERS[key]} characters, not {len(text)}")


class _Said(msgspec.Struct, frozen=True):
    """The texts of a `Written.text`."""

    title: str | Texts = {}
    description: str | Texts = {}


def find_texts(written: str) -> tuple[Texts, Texts]:
    """Return title and description of a checked `Written.text`; empty ones for the empty text of a shipped variant."""
    said = msgspec.json.decode(written, type=_Said) if written else _Said()
    return _by_language(said.title), _by_language(said.description)


def name_variant(variant: str, title: Texts, language: str) -> str:
    """Return the title of a variant of one's own for a language. Without one it is the name: "Small board"."""
    return choose_text(title, language) or variant[:1].upper() + variant[1:].replace("-", " ")


def choose_text(texts: Texts, language: str) -> str:
    """Return the text for a language, else the one for all, the English one, or the first; empty if there is none."""
    wanted = (language, ALL_LANGUAGES, "en", *texts)
    return next((texts[each] for each in wanted if each in texts), "")
