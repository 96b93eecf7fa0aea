"""The table in Conquest's files of names: units and cards, in the languages of the rule books.

The names of places are English in all rule books, so they stand in the map.
"""

from __future__ import annotations

from gonfalon.games.conquest.ruleset import CARDS, DATA, TYPES

FOLDER = DATA / "names"
TABLES = {"pieces": (*TYPES, *CARDS)}
"""Units by type code, then cards by card code."""
