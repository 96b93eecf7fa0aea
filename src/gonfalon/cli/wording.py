"""Wording of messages in a language: plural forms, lists, and names with their articles. `web/src/words/wording.ts`
does the same for the page; both must pass `tests/wording.json`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec
from babel import Locale
from babel.lists import format_list
from babel.numbers import format_decimal

_PLACEHOLDER = re.compile(r"\{(\w+)(?::(\w+))?\}")


class Name(msgspec.Struct, frozen=True):
    """A name as its language declines it: `gender` picks the articles. Names of people have none."""

    text: str
    gender: str = ""


class Grammar:
    """Grammar of one language. `forms` holds its articles by form and gender: `form.the.f`, `form.the`."""

    def __init__(self, language: str, forms: Mapping[str, str]) -> None:
        self._locale = Locale.parse(language)
        self._forms = forms

    def plural(self, count: float) -> str:
        """Return `one`, `other`, ...: the variant of a message for a number."""
        return self._locale.plural_form(count)

    def list(self, items: Sequence[str]) -> str:
        return format_list(items, locale=self._locale)

    def number(self, value: float) -> str:
        return format_decimal(value, locale=self._locale, group_separator=False)

    def decline(self, name: Name, form: str = "") -> str:
        """Return a name in a form, such as "the Scout", by the language's pattern for names of that gender. A form with
        a capital letter begins a sentence. An unknown form gives the plain name.
        """
        if not form:
            return name.text
        code = f"form.{form.lower()}"
        pattern = self._forms.get(f"{code}.{name.gender}") or self._forms.get(code, "{name}")
        declined = pattern.replace("{name}", name.text)
        return declined if form == form.lower() else declined[:1].upper() + declined[1:]


def fill(text: str, word: Callable[[str, str], str | None]) -> str:
    """Return a message with its placeholders filled in: `{name}` or `{name:form}`. Placeholders without a word stay."""

    def replace(found: re.Match[str]) -> str:
        worded = word(found[1], found[2] or "")
        return found[0] if worded is None else worded

    return _PLACEHOLDER.sub(replace, text)
