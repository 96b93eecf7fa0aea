"""Names that players give themselves. All who look at a match see them, so what could mislead or disturb is refused."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

from gonfalon.server.protocol.refusals import Declined

MOST_LETTERS = 24
MOST_CHANGES = 10
"""How often one person may change his name in a match."""
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and signs that show nothing, beside those whose category says so."""
_JOINERS = "\u200c\u200d"
"""They show nothing, but some scripts cannot do without them inside a word."""
_MOST_ACCENTS = 3
"""On one letter: more would grow over the lines above and below."""


def read_name(text: str, agents: Collection[str]) -> str:
    """A name as it is kept: in Unicode's composed form, one space between words. Raises `Declined` for one that is too
    long, holds what is not shown or turns the writing around, or is a computer player's. Empty: no name.
    """
    name = " ".join(filter(None, unicodedata.normalize("NFC", text).split(" ")))
    if len(name) > MOST_LETTERS:
        raise Declined("name-too-long", 400, most=MOST_LETTERS)
    bare = _find_bare(name)
    if bare:
        raise Declined("name-signs", 400, sign=f"U+{ord(bare):04X}")
    if name.casefold() in agents:
        raise Declined("name-of-agent", 400, name=name)
    return name


def _find_bare(name: str) -> str:
    """The first sign of a name that shows nothing, steers others or stands on nothing; empty: there is none."""
    accents, before = 0, " "
    for sign in name:
        kind = unicodedata.category(sign)[0]
        accents = accents + 1 if kind == "M" else 0
        stands_alone = before == " " and (kind == "M" or sign in _JOINERS)
        unseen = (kind in "CZ" and sign != " " and sign not in _JOINERS) or sign in _INVISIBLE
        if stands_alone or unseen or accents > _MOST_ACCENTS:
            return sign
        before = sign
    return before if before in _JOINERS else ""
