"""Every language is complete: the same messages with the same placeholders, names for all pieces, and rules pages with
the same numbers and diagrams.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.games.words import DEFAULT, FOLDER, languages, list_names
from texts import CATALOGUES, read_pairs, rules_page
from translated import changed

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web"
OTHERS = [code for code in languages() if code != DEFAULT]
OWN = re.compile(r"(form|gender)\.")
"""Messages that a language has only for its own grammar."""
NAMES = re.compile(r"face\.[a-z-]+$")
"""Names of pieces. Tables of names have them in all languages; only the English catalogue has them too, for a page
without its server.
"""
PLURAL = re.compile(r"\.(zero|one|two|few)$")
PLACEHOLDER = re.compile(r"\{(\w+)(?::(\w+))?\}")
RATED = {
    "da": "med rating",
    "de": "gewertet",
    "es": "puntuada",
    "fr": "classée",
    "it": "classificat",
    "nl": "met rating",
    "pt": "pontuad",
}
"""Name of a rated match, or its beginning, by language."""
TOLD_TO_OTHERS = {
    "event.drew-hidden", "event.unit-hidden", "event.entered-hidden", "event.dealt-hidden", "event.saw-hand",
    "event.saw-empty",
}  # fmt: skip
"""Events that the side they name never gets, because it gets another one; `conformance/test_addressing.py` checks
that.
"""
PAGES = [family for family in games.families(unlisted=True) if (FOLDER / family / "rules.md").is_file()]

each_catalogue = pytest.mark.parametrize("catalogue", CATALOGUES)
each_language = pytest.mark.parametrize("language", languages())
each_other = pytest.mark.parametrize("language", OTHERS)
each_page = pytest.mark.parametrize("family", PAGES)


def pairs(catalogue: str, language: str) -> list[tuple[str, str]]:
    return read_pairs(CATALOGUES[catalogue] / f"{language}.json")


def read(catalogue: str, language: str) -> dict[str, str]:
    return dict(pairs(catalogue, language))


def keys(words: dict[str, str]) -> set[str]:
    """Return the keys of a language's messages. Plural forms differ between languages, so all forms of a key count
    once.
    """
    return {PLURAL.sub("", key) for key in words if not OWN.match(key) and not NAMES.match(key)}


def placeholders(text: str) -> set[str]:
    return {name for name, _ in PLACEHOLDER.findall(text)}


@each_catalogue
def test_every_catalogue_is_there_in_every_language(catalogue: str) -> None:
    assert {path.stem for path in CATALOGUES[catalogue].glob("*.json")} == set(languages())


@each_catalogue
@each_language
def test_no_key_appears_twice(catalogue: str, language: str) -> None:
    assert [key for key, count in Counter(key for key, _ in pairs(catalogue, language)).items() if count > 1] == []


@each_catalogue
@each_other
def test_nothing_is_missing_and_nothing_left_over(catalogue: str, language: str) -> None:
    assert keys(read(catalogue, language)) == keys(read(catalogue, DEFAULT))


@each_catalogue
@each_language
def test_what_has_a_plural_form_has_the_others_too(catalogue: str, language: str) -> None:
    words = read(catalogue, language)
    plurals = [key for key in words if PLURAL.search(key) and not OWN.match(key)]
    assert [key for key in plurals if PLURAL.sub("", key) not in words] == []


@each_catalogue
@each_other
def test_placeholders_are_the_same(catalogue: str, language: str) -> None:
    """A message for exactly one number need not contain the number."""
    english = read(catalogue, DEFAULT)
    for key, text in read(catalogue, language).items():
        if OWN.match(key):
            assert placeholders(text) == {"name"} or "form." not in key, key
            continue
        wanted = placeholders(english[PLURAL.sub("", key)])
        left_out = {"count"} if PLURAL.search(key) else set()
        assert wanted - left_out <= placeholders(text) <= wanted, key


@each_catalogue
def test_the_reader_is_you_in_every_event(catalogue: str) -> None:
    """An event that names a side has a message for readers of this side, and that message does not name it."""
    english = read(catalogue, DEFAULT)
    codes = [key for key in english if key.startswith("event.") and not key.endswith((".you", ".on-you"))]
    for code in codes:
        for argument, to in (("side", ".you"), ("other", ".on-you")):
            if argument in placeholders(english[code]) and code not in TOLD_TO_OTHERS:
                assert argument not in placeholders(english.get(code + to, "{side} {other}")), code + to


@each_language
def test_forms_that_are_used_are_there(language: str) -> None:
    """A form is defined for every gender that names of this language have, or once for all."""
    words = {key: text for catalogue in CATALOGUES for key, text in read(catalogue, language).items()}
    tables = [table for code, table in list_names().items() if code.split(".")[-1] == language]
    genders = {gender for table in tables for gender in table.genders.values()}
    used = {form.lower() for text in words.values() for _, form in PLACEHOLDER.findall(text) if form}
    for form in used:
        assert f"form.{form}" in words, f"names without gender as {form}"
        told = {key.split(".")[2] for key in words if key.startswith(f"form.{form}.")}
        assert genders <= told or not told, form


@each_language
def test_texts_are_whole(language: str) -> None:
    for catalogue in CATALOGUES:
        for key, text in read(catalogue, language).items():
            assert text == text.strip() != "", key
            assert not set("{}") & set(PLACEHOLDER.sub("", text)), key
            assert "!" not in text or key.startswith("board.legend."), key


@each_language
def test_every_piece_has_its_name(language: str) -> None:
    assert set(list_names()[language].names) == set(list_names()[DEFAULT].names)


@each_page
@each_other
def test_rules_pages_have_the_same_numbers_sections_and_diagrams(family: str, language: str) -> None:
    english, other = rules_page(family, DEFAULT), rules_page(family, language)
    for part in (
        r"^\*\*([A-Z]{2}-\d+)\*\*",
        r"^(#+) ",
        r"^<!-- variants: .* -->$",
        r"^```(\w*)",
        r"^((?:(?:[rbgo][?\w*]+|\.\.|~~|\*\*|--) ?)+)$",
    ):
        found, wanted = (re.findall(part, text, flags=re.MULTILINE) for text in (other, english))
        assert found == wanted, part
    assert set(re.findall(r"[A-Z]{2}-\d+", other)) == set(re.findall(r"[A-Z]{2}-\d+", english))


@each_page
@each_other
def test_tables_of_rules_pages_have_the_same_numbers(family: str, language: str) -> None:
    def numbers(text: str) -> list[list[str]]:
        rows = [line for line in text.splitlines() if line.startswith("|")]
        return [re.findall(r"\d+", row) for row in rows]

    assert numbers(rules_page(family, language)) == numbers(rules_page(family, DEFAULT))


@each_page
@each_other
def test_places_in_rules_pages_are_the_same(family: str, language: str) -> None:
    """The text of each rule names the same squares in all languages."""

    def squares(text: str) -> dict[str, Counter[str]]:
        rules = re.split(r"^\*\*([A-Z]{2}-\d+)\*\*", text, flags=re.MULTILINE)
        return {
            number: Counter(re.findall(r"\b[a-j](?:10|[1-9])\b", body.split("\n#")[0]))
            for number, body in zip(rules[1::2], rules[2::2], strict=True)
        }

    assert squares(rules_page(family, language)) == squares(rules_page(family, DEFAULT))


@each_catalogue
@each_other
def test_a_rated_match_has_one_name(catalogue: str, language: str) -> None:
    words = read(catalogue, language)
    rated = [key for key, text in pairs(catalogue, DEFAULT) if re.search(r"\brated\b", text, re.IGNORECASE)]
    assert [words[key] for key in rated if RATED[language] not in words[key].lower()] == []


def test_translations_were_made_from_todays_english() -> None:
    """If this fails, `python tests/translated.py` shows the texts. When every language is right again, run it with
    `--write`.
    """
    assert changed() == []


def test_every_message_of_the_page_is_used() -> None:
    """A key must stand in the page's sources as a whole, or begin with a prefix to which they add a code."""
    sources = [path for kind in ("svelte", "ts") for path in [*WEB.glob(f"src/**/*.{kind}"), *WEB.glob("build/*.ts")]]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    literal = set(re.findall(r"['\"`]([a-z][\w.-]*)['\"`]", text))
    begun = (*re.findall(r"`([a-z][\w.-]*[.-])\$\{", text), "refusal.", "await.", "board.among", "hand.known")
    folders = [ROOT / "src/gonfalon" / folder for folder in ("engine", "server/review")]
    mistakes = "".join(path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.py"))
    variant = re.compile(r"\.(grid|map|table|one|you)$")

    def is_used(key: str) -> bool:
        plain = variant.sub("", key)
        if key.startswith("text."):  # mistakes in records, named by what reads them
            return f'"{key}"' in mistakes or f'"{key.removeprefix("text.")}"' in mistakes
        return key in literal or plain in literal or key.startswith(begun)

    assert [key for key in read("page", DEFAULT) if not is_used(key)] == []
