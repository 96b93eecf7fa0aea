"""What is shown of a link where it is sent: title, text and picture, as tags in the head of the page.

A link's secret stands behind its `#`, which no browser and no messenger sends: it is not known here.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

import msgspec

from gonfalon.server.entries import AnyEntry, Header, Invited, Opened

PLACE = "<!-- preview -->"
"""Where the tags go in the page."""
PICTURE = "/preview.png"


class Subject(msgspec.Struct, frozen=True):
    """What a page is about. `kind`: `game`, `match`, or `invited` for a match with a seat that waits for its guest."""

    kind: str
    variant: str


class _Words(msgspec.Struct, frozen=True):
    """As the page's build writes them: sentences by kind, with `{name}`, and of each game its title and text."""

    titles: dict[str, str] = {}
    text: str = ""
    games: dict[str, tuple[str, str]] = {}


def subject_of(header: Header, entries: Sequence[AnyEntry]) -> Subject:
    waiting = {player for player, seat in enumerate(header.seats) if seat.invitation}
    for entry in entries:
        match entry:
            case Opened(by=player):
                waiting.discard(player)
            case Invited(seat=player):
                waiting.add(player)
    return Subject("invited" if waiting else "match", header.variant)


class Previews:
    """Fills the tags in. Without the words of the build there are none."""

    def __init__(self, file: Path) -> None:
        self._words = msgspec.json.decode(file.read_bytes(), type=_Words) if file.is_file() else None

    def fill(self, page: str, site: str, path: str, subject: Subject | None) -> str:
        """The page with its tags. `site`: scheme and host as the client named them."""
        if self._words is None:
            return page
        title, text = self._say(self._words, subject)
        tags = {
            "og:site_name": "Gonfalon",
            "og:type": "website",
            "og:title": title,
            "og:description": text,
            "og:url": f"{site}/{path}",
            "og:image": site + PICTURE,
            "og:image:width": "1200",
            "og:image:height": "630",
            "twitter:card": "summary_large_image",
        }
        lines = [f'<meta name="description" content="{html.escape(text)}" />']
        for name, value in tags.items():
            kind = "property" if name.startswith("og:") else "name"
            lines.append(f'<meta {kind}="{name}" content="{html.escape(value)}" />')
        return page.replace(PLACE, "\n    ".join(lines), 1)

    def _say(self, words: _Words, subject: Subject | None) -> tuple[str, str]:
        """Title and text; of no subject, or of a game that is not there, those of the page."""
        found = words.games.get(subject.variant) if subject else None
        if subject is None or found is None:
            return words.titles.get("page", ""), words.text
        name, text = found
        return words.titles[subject.kind].replace("{name}", name), text
