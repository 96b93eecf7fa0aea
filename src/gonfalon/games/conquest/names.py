"""What Conquest's files of names hold: units and cards, in the languages of the rule books.

The books leave the names of places in English in every language, so these are the map's own.
"""

from __future__ import annotations

from gonfalon.games.conquest.ruleset import CARDS, DATA, TYPES

FOLDER = DATA / "names"
TABLES = {"pieces": (*TYPES, *CARDS)}
"""Units by type code, then cards by card code."""
