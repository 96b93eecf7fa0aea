"""Reads the words and the rules page of a family for tests, and edits copied data files."""

from __future__ import annotations

import json
import re
from pathlib import Path

from gonfalon import games
from gonfalon.games.words import DEFAULT, find_rules

FOLDER = Path(games.__file__).parent
ROOT = Path(__file__).parents[1]
PAGE_WORDS = ROOT / "web" / "src" / "messages" / "en.json"
CATALOGUES = {
    "page": PAGE_WORDS.parent,
    "people": ROOT / "web" / "src" / "people" / "words",
    "lobby": ROOT / "web" / "src" / "lobby" / "words",
    "about": ROOT / "web" / "src" / "app" / "about",
    "terminal": ROOT / "src" / "gonfalon" / "cli" / "language" / "messages",
    "games": FOLDER / "messages",
    **{family: FOLDER / family / "screen" / "messages" for family in games.families(unlisted=True)},
}
"""Folders with a file of messages for each language."""


def read_pairs(catalogue: Path) -> list[tuple[str, str]]:
    """Return a catalogue's keys and texts in their order; a repeated key comes twice."""
    found: list[tuple[str, str]] = json.loads(catalogue.read_text(encoding="utf-8"), object_pairs_hook=list)
    return found


def message_pairs(family: str) -> list[tuple[str, str]]:
    return read_pairs(FOLDER / family / "screen" / "messages" / "en.json")


def messages(family: str) -> dict[str, str]:
    return dict(message_pairs(family))


def rules_page(family: str, language: str = DEFAULT) -> str:
    return find_rules(family, language).read_text(encoding="utf-8")


def diagrams(page: str, kind: str) -> list[tuple[str, str]]:
    """Return caption and content of the page's diagrams of a kind."""
    return re.findall(rf"^```{kind} ([^\n]*)\n(.*?)\n```$", page, flags=re.MULTILINE | re.DOTALL)


def sections(page: str) -> list[tuple[str, list[str]]]:
    """Return the headings of sections for some variants only, each with these variants."""
    found = re.findall(r"^(#+ .+)\n<!-- variants: (.+) -->$", page, flags=re.MULTILINE)
    return [(heading, names.split()) for heading, names in found]


def tables(section: str) -> dict[str, str]:
    """Return a section's tables of units or cards: the cells after each name, by name. A row may have two names."""
    rows = [line for line in section.split("\n") if line.startswith("|") and not line.startswith("|---")]
    head = [cell.strip() for cell in rows[0].split("|")[1:-1]]
    width = head.index(head[0], 1) if head.count(head[0]) > 1 else len(head)
    cells = [cell.strip() for row in rows if row != rows[0] for cell in row.split("|")[1:-1]]
    groups = [cells[i : i + width] for i in range(0, len(cells), width)]
    return {name.lower().replace(" ", "-"): " ".join(rest) for name, *rest in groups if name}


def edit(path: Path, old: str, new: str) -> None:
    """Replaces a text in a file. The text must be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
