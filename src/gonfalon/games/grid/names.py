"""The tables in the grid family's files of names: the plain ranks and the characters of the two sides.

In the Assassin's Creed edition red are the Templars and blue the Assassins; each rank there is a character.
"""

from __future__ import annotations

from gonfalon.games.grid.ruleset import DATA, TYPES

FOLDER = DATA / "names"
TABLES = {"pieces": TYPES, "templars": TYPES, "assassins": TYPES}
"""The plain ranks; the characters of red; the characters of blue."""
