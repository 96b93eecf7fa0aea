"""Previews of links: title, text and picture, as tags in the head of the page. Also the page's title, and the texts
shown without scripts and when the page's script does not start.

The preview has the language of the link, which is the sender's: programs that show previews rarely send the language of
their reader. If the link names no language, `Accept-Language` decides.

The secret of a link stands after `#`. Neither browsers nor messengers send this part, so the server never sees it here.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from gonfalon.engine.rulesets.titles import choose_text, name_variant
from gonfalon.games import variants
from gonfalon.games.words import DEFAULT
from gonfalon.server.clock.control import Bank, Control, Correspondence, PerTurn, Untimed
from gonfalon.server.match.registry import Registry
from gonfalon.server.match.state import MatchState
from gonfalon.server.people.account_names import is_account_name
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.subjects import Subject, describe_match, subject_of

PLACE = "<!-- preview -->"
"""Comment in the page that the tags replace."""
NO_SCRIPT = "<!-- no script -->"
"""Comment in the page that the `<noscript>` text replaces."""
NOT_STARTED = "<!-- not started -->"
"""Comment in the page that the text for a page without a working script replaces, until the page removes it."""
PICTURE = "/preview.png"
MANIFEST = "/manifest.webmanifest"
LANGUAGE = "language"
"""Query parameter of a link for its language: `?language=de`."""
WISHES = "accept-language"
"""Request header with the languages that the reader prefers."""

UNREAD = Subject("match", "")
"""Subject of a match that may exist, but was not looked up."""
_LONG_MINUTES = 3
"""Minutes from which a time that is no whole number of minutes is said in minutes and seconds."""
_TITLE = re.compile(r"<title>[^<]*</title>")


class Asked(msgspec.Struct, frozen=True):
    """The request for a page, as far as previews need it."""

    address: str
    """Full URL without the query, with scheme and host as the client sent them."""
    language: str = ""
    """Language that the link names; empty if none."""
    wishes: str = ""
    """The `Accept-Language` header: `de-AT, de;q=0.9, en;q=0.5`."""


class _Words(msgspec.Struct, frozen=True):
    """Texts in one language, written by the page's build: `titles` by kind, with `{name}`; title and text of each
    game; `times`: sentences about time controls, and units of time, with their placeholders.
    """

    titles: dict[str, str] = {}
    text: str = ""
    script: str = ""
    late: str = ""
    again: str = ""
    games: dict[str, tuple[str, str]] = {}
    times: dict[str, str] = {}


def cut_damage(path: str) -> str:
    """Return a path without the end that a mail program or messenger has damaged, such as a `#` in the path. That end
    may be the secret of a seat, so no answer repeats it.
    """
    return re.split(r"[^\w/-]", path, maxsplit=1)[0]


async def find_subject(path: str, registry: Registry, count: Callable[[], None]) -> Subject | None:
    """Return the subject of the page at a path, as far as everybody with the address may know it. None if there is no
    such game or match.

    `count`: counts a costly request, or raises `Declined`. Then the subject of a match is not read from its log, and
    the page comes with the general preview.
    """
    screen, _, name = cut_damage(path).strip("/").partition("/")
    if screen in ("new", "rules"):
        if name not in registry.library.listed:
            return None
        rules = registry.library.find_rules(name, {})
        return Subject("game", name, title=rules.title, description=rules.description)
    if screen == "leaderboards" and name:
        return Subject("page", "") if name in variants() else None
    if screen == "player":
        return Subject("page", "") if is_account_name(name) else None
    if screen not in ("match", "replay") or not name:
        return None
    match_state, kept = registry.peek(name), registry.subjects
    if match_state is not None:
        return _subject_of_state(match_state)
    subject = kept.get(name)
    if subject is not None:
        return subject
    try:
        count()
    except Declined:
        return UNREAD
    since = kept.changes
    loaded = await registry.store.load(name)
    if loaded is None:
        return None
    subject = subject_of(*loaded)
    kept.put(name, subject, 1, since)
    return subject


def _subject_of_state(match_state: MatchState) -> Subject:
    keys = match_state.keys
    waiting = [player for player, key in enumerate(keys.invitations) if key and not keys.secrets[player]]
    return describe_match(match_state.header, match_state.names, waiting)


def read_wishes(header: str) -> list[str]:
    """Return the languages of an `Accept-Language` header, the most preferred first: `de` for `de-AT`. A malformed
    header gives none.
    """
    found: list[tuple[float, str]] = []
    for each in header.lower().split(","):
        name, _, weight = each.partition(";")
        wanted = re.fullmatch(r"q=(0(?:\.\d*)?|1(?:\.0*)?)", weight.replace(" ", "") or "q=1")
        if name.strip() and wanted and float(wanted[1]) > 0:
            found.append((float(wanted[1]), re.split("[-_@.]", name.strip())[0]))
    return [name for _, name in sorted(found, key=lambda wish: -wish[0])]


class Previews:
    """Fills in the texts that the page's build wrote. Without a build it changes nothing."""

    def __init__(self, file: Path) -> None:
        self._words = msgspec.json.decode(file.read_bytes(), type=dict[str, _Words]) if file.is_file() else {}

    def fill(self, page: str, asked: Asked, subject: Subject | None) -> str:
        """Return the page with title, tags and texts in the language of the request."""
        language = self._choose(asked)
        words = self._words.get(language)
        if words is None:
            return page
        title, text = _say(words, subject, language)
        tags = "\n    ".join(_tags(title, text, asked, language))
        page = page.replace('<html lang="en">', f'<html lang="{language}">', 1)
        page = _TITLE.sub(lambda _: f"<title>{html.escape(title)}</title>", page, count=1)
        page = page.replace(MANIFEST, MANIFEST if language == DEFAULT else f"/manifest.{language}.webmanifest", 1)
        page = page.replace(NO_SCRIPT, f"<noscript><p>{html.escape(words.script)}</p></noscript>", 1)
        page = page.replace(NOT_STARTED, _late(words, asked), 1)
        return page.replace(PLACE, tags, 1)

    def _choose(self, asked: Asked) -> str:
        wishes = (asked.language, *read_wishes(asked.wishes))
        return next((each for each in wishes if each in self._words), DEFAULT)


def _late(words: _Words, asked: Asked) -> str:
    """Return the text for a page that does not start. The link loads the page again. A match has none, because a link
    would lose the secret after `#`; the browser's own button keeps it.
    """
    is_match = asked.address.split("/")[3:4] == ["match"]
    link = "" if is_match else f'<p><a href="">{html.escape(words.again)}</a></p>'
    return f'<div class="late" role="alert"><p>{html.escape(words.late)}</p>{link}</div>'


def _tags(title: str, text: str, asked: Asked, language: str) -> Iterator[str]:
    own = f"?{LANGUAGE}={language}" if asked.language == language else ""
    site = "/".join(asked.address.split("/", 3)[:3])
    tags = {
        "og:site_name": "Gonfalon",
        "og:type": "website",
        "og:title": title,
        "og:description": text,
        # Some programs fetch this URL for their preview; without the parameter they would get another language.
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


def _say(words: _Words, subject: Subject | None, language: str) -> tuple[str, str]:
    """Return title and text of a subject. Without a subject, or if its game is not known, return those of the page."""
    if subject is None or not subject.variant:
        return words.titles.get("page", ""), words.text
    # The build has the words of all shipped games, so any other one is the operator's own.
    own = name_variant(subject.variant, subject.title, language), choose_text(subject.description, language)
    name, text = words.games.get(subject.variant, own)
    if subject.clock is not None:
        text = f"{text} {_say_times(words.times, subject.clock)}".strip()
    title = words.titles[subject.kind].replace("{name}", name)
    return title.replace("{host}", f"\u2068{subject.host}\u2069" if not subject.host.isascii() else subject.host), text


def _say_times(words: dict[str, str], clock: Control) -> str:
    """Return the sentences about a time control, as the page says them."""
    match clock:
        case Untimed(claim_after=seconds):
            said = [_fill(words, "live" if seconds else "open", minutes=str(seconds // 60))]
        case Bank():
            said = _say_bank(words, clock)
        case PerTurn():
            said = [_fill(words, "turn", time=_duration(words, clock.turn)), _say_deployment(words, clock.deployment)]
        case Correspondence(days=days):
            name = "correspondence.one" if days == 1 else "correspondence"
            said = [_fill(words, name, count=str(days))]
    return " ".join(filter(None, said))


def _say_bank(words: dict[str, str], clock: Bank) -> list[str]:
    name = "increment" if clock.increment else "bank"
    if clock.delay:
        name = "delay" if clock.bank else "delay-only"
    extra = _duration(words, clock.increment or clock.delay)
    longest = _fill(words, "longest", longest=_duration(words, clock.longest)) if clock.longest else ""
    first = _fill(words, name, time=_duration(words, clock.bank), extra=extra)
    return [first, longest, _say_deployment(words, clock.deployment)]


def _say_deployment(words: dict[str, str], seconds: int) -> str:
    return _fill(words, "deployment", deployment=_duration(words, seconds))


def _duration(words: dict[str, str], seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    if minutes and not rest:
        return _fill(words, "minutes", minutes=str(minutes))
    if minutes < _LONG_MINUTES:
        return _fill(words, "seconds", seconds=str(seconds))
    return _fill(words, "minutes-seconds", minutes=str(minutes), seconds=str(rest))


def _fill(words: dict[str, str], name: str, **values: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), words.get(name, ""))
