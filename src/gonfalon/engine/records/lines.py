"""Names and dates as they stand in one line of a record."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

NON_JOINER, JOINER = "\u200c", "\u200d"
"""Invisible characters between two others: Persian and Indian scripts and joined emoji need them."""
_VIRAMA = 9
"""Canonical combining class of the signs after which Indian scripts use joiners (RFC 5892, appendix A)."""
_EMOJI_ENDS = ("So", "Sk", "Mn")
"""Categories of the last character of an emoji: the picture, a skin tone, or a variation selector."""


def is_joined(before: str, sign: str, after: str) -> bool:
    """Whether `sign` is a joiner between two characters that use it: Arabic letters, an Indian sign and a letter, or
    two emoji. `before`, `after`: the characters beside it, empty at an end.
    """
    if sign not in (NON_JOINER, JOINER) or not before or not after:
        return False
    if unicodedata.combining(before) == _VIRAMA:
        return unicodedata.category(after)[0] == "L"
    if sign == JOINER and unicodedata.category(after) == "So":
        return unicodedata.category(before) in _EMOJI_ENDS
    return _is_arabic(before) and _is_arabic(after)


def _is_arabic(sign: str) -> bool:
    return unicodedata.bidirectional(sign) == "AL"


def list_neighbours(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each character with the ones before and after it, empty at an end."""
    return zip(("", *text), text, (*text[1:], ""), strict=False)


def fit_line(text: str) -> str:
    """Return `text` in a form that fits into one line: control characters and stray joiners become spaces, runs of
    spaces become one space.
    """
    kept = (c if c.isprintable() or is_joined(a, c, b) else " " for a, c, b in list_neighbours(text))
    return " ".join("".join(kept).split())
