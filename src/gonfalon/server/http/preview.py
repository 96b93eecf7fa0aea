"""Previews of links: title, text and picture, as tags in the head of the page. Also the page's title and its notice
about scripts, before its own words are loaded.

The language is that of the link, so that an invitation reads as its sender would say it: programs that show links
rarely send their reader's language. Without one it is the language that the request wishes for.

A link's secret stands behind its `#`, which no browser and no messenger sends: the server never sees it here.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from gonfalon.games.words import DEFAULT
from gonfalon.server.storage.entries import AnyEntry, Header, Invited, Opened
from gonfalon.server.storage.store import Store

PLACE = "<!-- preview -->"
"""Place of the tags in the page."""
NO_SCRIPT = "<!-- no script -->"
"""Place of the notice that the page needs scripts."""
PICTURE = "/preview.png"
MANIFEST = "/manifest.webmanifest"
LANGUAGE = "language"
"""Parameter of a link for its language: `?language=de`."""
WISHES = "accept-language"
"""Request header with the languages that the reader wants."""

_TITLE = re.compile(r"<title>[^<]*</title>")


class Subject(msgspec.Struct, frozen=True):
    """Subject of a page. `kind`: `game`, `match`, or `invited` for a match with a seat that waits for its guest."""

    kind: str
    variant: str


class Asked(msgspec.Struct, frozen=True):
    """The request for a page."""

    address: str
    """Whole URL, with scheme and host as the client named them, without the part behind `?`."""
    language: str = ""
    """Language of the link."""
    wishes: str = ""
    """Languages, as browsers send them: `de-AT, de;q=0.9, en;q=0.5`."""


class _Words(msgspec.Struct, frozen=True):
    """Words that the page's build writes: sentences by kind, with `{name}`, and title and text of each game."""

    titles: dict[str, str] = {}
    text: str = ""
    script: str = ""
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


async def find_subject(path: str, store: Store) -> Subject | None:
    """Return the subject of the page at a path, as far as everybody who has the address may know it.

    The game of a match is not made for this.
    """
    screen, _, name = path.strip("/").partition("/")
    if screen in ("new", "rules"):
        return Subject("game", name)
    loaded = await store.load(name) if screen == "match" else None
    return subject_of(*loaded) if loaded else None


def read_wishes(header: str) -> list[str]:
    """Return the languages of an `Accept-Language` header, the most wanted first: `de` for `de-AT`. A malformed header
    gives none.
    """
    found: list[tuple[float, str]] = []
    for each in header.lower().split(","):
        name, _, weight = each.partition(";")
        wanted = re.fullmatch(r"q=(0(?:\.\d*)?|1(?:\.0*)?)", weight.replace(" ", "") or "q=1")
        if name.strip() and wanted and float(wanted[1]) > 0:
            found.append((float(wanted[1]), name.strip().partition("-")[0]))
    return [name for _, name in sorted(found, key=lambda wish: -wish[0])]


class Previews:
    """Fills in the words of the page's build. Without a build there are none."""

    def __init__(self, file: Path) -> None:
        self._words = msgspec.json.decode(file.read_bytes(), type=dict[str, _Words]) if file.is_file() else {}

    def fill(self, page: str, asked: Asked, subject: Subject | None) -> str:
        """Return the page with its words."""
        language = self._choose(asked)
        words = self._words.get(language)
        if words is None:
            return page
        title, text = _say(words, subject)
        tags = "\n    ".join(_tags(title, text, asked, language))
        page = page.replace('<html lang="en">', f'<html lang="{language}">', 1)
        page = _TITLE.sub(lambda _: f"<title>{html.escape(title)}</title>", page, count=1)
        page = page.replace(MANIFEST, MANIFEST if language == DEFAULT else f"/manifest.{language}.webmanifest", 1)
        page = page.replace(NO_SCRIPT, f"<noscript><p>{html.escape(words.script)}</p></noscript>", 1)
        return page.replace(PLACE, tags, 1)

    def _choose(self, asked: Asked) -> str:
        wishes = (asked.language, *read_wishes(asked.wishes))
        return next((each for each in wishes if each in self._words), DEFAULT)


def _tags(title: str, text: str, asked: Asked, language: str) -> Iterator[str]:
    own = f"?{LANGUAGE}={language}" if asked.language == language else ""
    site = "/".join(asked.address.split("/", 3)[:3])
    tags = {
        "og:site_name": "Gonfalon",
        "og:type": "website",
        "og:title": title,
        "og:description": text,
        # Some programs fetch this URL for their preview: without the language they would get another one.
        "og:url": asked.address + own,
        "og:image": site + PICTURE,
        "og:image:width": "1200",
        "og:image:height": "630",
        "twitter:card": "summary_large_image",
    }
    yield f'<meta name="description" content="{html.escape(text)}" />'
    for name, value in tags.items():
        kind = "property" if name.startswith("og:") else "name"
        yield f'<meta {kind}="{name}" content="{html.escape(value)}" />'


def _say(words: _Words, subject: Subject | None) -> tuple[str, str]:
    """Return title and text of a subject; those of the page if there is none, or its game is unknown."""
    found = words.games.get(subject.variant) if subject else None
    if subject is None or found is None:
        return words.titles.get("page", ""), words.text
    name, text = found
    return words.titles[subject.kind].replace("{name}", name), text
