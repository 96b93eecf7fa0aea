"""The table in Conquest's files of names: units and cards, in the languages of the rule books.

All books have the names of places in English, so these stand in the map.
"""

from __future__ import annotations

from gonfalon.games.conquest.ruleset import CARDS, DATA, TYPES

FOLDER = DATA / "names"
TABLES = {"pieces": (*TYPES, *CARDS)}
"""Units by type code, then cards by card code."""
