"""Wording of messages in a language: plural forms, lists, and names with their articles. `web/src/words/wording.ts`
does the same for the page. Both must pass `tests/wording.json`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from babel import Locale

_PLACEHOLDER = re.compile(r"\{(\w+)(?::(\w+))?\}")


class Name(msgspec.Struct, frozen=True):
    """A name with the gender that decides its articles in a language. Names of people have no gender."""

    text: str
    gender: str = ""


class Grammar:
    """Grammar of one language. `forms` holds its articles by form and gender: `form.the.f`, `form.the`. Numbers and
    lists need Babel, an extra; it is imported when the first one is worded.
    """

    def __init__(self, language: str, forms: Mapping[str, str]) -> None:
        self._language = language
        self._forms = forms

    @cached_property
    def _locale(self) -> Locale:
        from babel import Locale

        return Locale.parse(self._language)

    def plural(self, count: float) -> str:
        """Return the plural category of a number (`one`, `other`, ...), which selects the variant of a message."""
        return self._locale.plural_form(count)

    def list(self, items: Sequence[str]) -> str:
        from babel.lists import format_list

        return format_list(items, locale=self._locale)

    def number(self, value: float) -> str:
        from babel.numbers import format_decimal

        return format_decimal(value, locale=self._locale, group_separator=False)

    def decline(self, name: Name, form: str = "") -> str:
        """Return a name in a form, such as "the Scout", by the language's pattern for the gender of the name. For a
        form with a capital letter, the result begins with one. An unknown form gives the plain name.
        """
        if not form:
            return name.text
        code = f"form.{form.lower()}"
        pattern = self._forms.get(f"{code}.{name.gender}") or self._forms.get(code, "{name}")
        declined = pattern.replace("{name}", name.text)
        return declined if form == form.lower() else declined[:1].upper() + declined[1:]


def fill(text: str, word: Callable[[str, str], str | None]) -> str:
    """Return a message with its placeholders, `{name}` or `{name:form}`, filled in. A placeholder for which `word`
    returns None stays.
    """

    def replace(found: re.Match[str]) -> str:
        worded = word(found[1], found[2] or "")
        return found[0] if worded is None else worded

    return _PLACEHOLDER.sub(replace, text)
