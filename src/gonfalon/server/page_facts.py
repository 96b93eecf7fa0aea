"""Facts of the built page that the server uses. The page's build writes them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

FILE = "facts.json"


class PageFacts(msgspec.Struct, frozen=True):
    """The page's own tables."""

    screens: dict[str, str] = {}
    """By the first part of a screen's address: whether the address has a second part (`none`, `optional`, `needed`)."""
    agents: tuple[str, ...] = ()
    """Titles of the computer players in all languages."""

    def has_screen(self, path: str) -> bool:
        """Return whether a path is an address of the page. Without a build, every path is."""
        first, *more = [part for part in path.split("/") if part] or [""]
        if not self.screens or not first:
            return True
        allowed = {"none": (0,), "optional": (0, 1), "needed": (1,)}
        return len(more) in allowed.get(self.screens.get(first, ""), ())


@cache
def read_page_facts(folder: Path) -> PageFacts:
    """Return the facts of the page built in a folder; empty ones if there are none."""
    file = folder / FILE
    return msgspec.json.decode(file.read_bytes(), type=PageFacts) if file.is_file() else PageFacts()
