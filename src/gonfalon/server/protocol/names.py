"""Names that players give themselves. All in a match see them, so names that mislead or disturb are refused."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from gonfalon.engine.records.lines import is_joined, list_neighbours
from gonfalon.server.protocol.refusals import Declined

MOST_LETTERS = 24
MOST_CHANGES = 10
"""Maximum number of times that one person may change their name in a match."""
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Invisible characters that Unicode's categories do not mark as such."""
_MOST_ACCENTS = 3
"""Maximum number of accents on one letter: more would cover the lines above and below."""


class NameRules:
    """The names that players may take."""

    def __init__(self, agents: Iterable[str]) -> None:
        """`agents`: names and titles of the computer players, in all languages. Of a title such as "Level 8, masterly"
        the part before the comma is refused too.
        """
        titles = (part for title in agents for part in (title, title.split(",")[0]))
        self._agents = frozenset(filter(None, map(_find_core, titles)))

    def read(self, text: str) -> str:
        """Return a name as it is stored: NFC, with single spaces between words; empty: no name.

        Raises `Declined` if the name is too long, has invisible characters, changes the direction of writing, or looks
        like a computer player's.
        """
        name = " ".join(filter(None, unicodedata.normalize("NFC", text).split(" ")))
        if len(name) > MOST_LETTERS:
            raise Declined("name-too-long", 400, most=MOST_LETTERS)
        bare = _find_bare(name)
        if bare:
            raise Declined("name-signs", 400, sign=f"U+{ord(bare):04X}")
        self.require_person(name)
        return name

    def require_person(self, name: str) -> None:
        """Check that a name does not look like a computer player's. Raises `Declined`: `name-of-agent`."""
        if _find_core(name) in self._agents:
            raise Declined("name-of-agent", 400, name=name)


def _find_core(name: str) -> str:
    """Return the letters and digits of a name, without accents, case and other forms of the same letter."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    return "".join(sign for sign in plain if sign.isalnum())


def _find_bare(name: str) -> str:
    """Return the first character that is invisible or a control character, or that combines with no letter before it;
    empty if there is none.
    """
    accents = 0
    for before, sign, after in list_neighbours(name):
        kind = unicodedata.category(sign)[0]
        accents = accents + 1 if kind == "M" else 0
        stands_alone = kind == "M" and before in ("", " ")
        unseen = (kind in "CZ" and sign != " " and not is_joined(before, sign, after)) or sign in _INVISIBLE
        if stands_alone or unseen or accents > _MOST_ACCENTS:
            return sign
    return ""
