"""The English texts that were translated, as `tests/translated.json`: a short hash of each. A text that has changed
since then is found by its hash, so that somebody checks its translations.

`python tests/translated.py` shows changed texts with their translations; `--write` confirms that they were checked.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from pathlib import Path

from gonfalon import games
from gonfalon.games.words import DEFAULT, FOLDER, languages, list_names
from texts import CATALOGUES, read_pairs, rules_page

RECORD = Path(__file__).with_suffix(".json")
PART = re.compile(r"^(?=#+ |\*\*[A-Z]{2}-\d+\*\*)", flags=re.MULTILINE)
"""Beginning of a part of a rules page: a heading, or a rule with a number."""
NOT_TRANSLATED = ("form.", "gender.", "face.")
"""Prefixes of messages that are not translated: for a language's own grammar, or repeating a table of names."""
NAME = re.compile(r"#+ (.+)|\*\*([A-Z]{2}-\d+)\*\*")

Texts = dict[str, str]
"""Texts by `where: key`: a message, a name, or a part of a rules page."""


def read_texts(language: str) -> Texts:
    found = {
        f"{catalogue}: {key}": text
        for catalogue, folder in CATALOGUES.items()
        for key, text in read_pairs(folder / f"{language}.json")
        if not key.startswith(NOT_TRANSLATED)
    }
    for code, table in list_names().items():
        if code.split(".")[-1] == language:
            kind = code.removesuffix(language)
            found |= {f"names: {kind}{key}": name for key, name in table.names.items()}
            found[f"names: {kind}title"] = table.title
    for family in games.families(unlisted=True):
        if (FOLDER / family / "rules.md").is_file():
            parts = PART.split(rules_page(family, language))[1:]
            found |= {f"rules of {family}: {i}": part for i, part in enumerate(parts)}
    return found


def label(where: str, text: str) -> str:
    """Return the key of a part of a rules page: its heading or number, so that the key stays when another part comes
    before it.
    """
    found = NAME.match(text) if where.startswith("rules of ") else None
    return f"{where.partition(':')[0]}: {found[2] or found[1]}" if found else where


def hashes() -> dict[str, str]:
    """Return hashes of the present English texts. Parts with one heading share a hash; line ends do not count."""
    together: dict[str, list[str]] = {}
    for where, text in read_texts(DEFAULT).items():
        together.setdefault(label(where, text), []).extend(text.split())
    return {name: hashlib.sha256(" ".join(words).encode()).hexdigest()[:8] for name, words in sorted(together.items())}


def recorded() -> dict[str, str]:
    found: dict[str, str] = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {}
    return found


def changed() -> list[str]:
    """Return the texts that are new or differ from the translated ones, and those that are gone."""
    now, before = hashes(), recorded()
    return sorted(name for name in now.keys() | before.keys() if now.get(name) != before.get(name))


def show(names: set[str]) -> None:
    english = read_texts(DEFAULT)
    others = {language: read_texts(language) for language in languages() if language != DEFAULT}
    for where, text in english.items():
        if (name := label(where, text)) in names:
            print(f"{name}\n  {DEFAULT}  {text}")
            for language, texts in others.items():
                print(f"  {language}  {texts.get(where, '(missing)')}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="the translations of all these were looked at")
    found = changed()
    if parser.parse_args().write:
        RECORD.write_text(json.dumps(hashes(), indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    else:
        show(set(found))
    print(f"{len(found)} English texts are new, changed or gone.")


if __name__ == "__main__":
    main()
