"""Comments and docstrings begin with a noun or a verb, and say "the player" or "they" of people."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "web/src", "web/build", "web/tests", "tests", "tools", "bench")
BEGINNING = re.compile(r"(What|Who|Whoever|Where|How|The same)\b")
PERSON = re.compile(r"\b(he|his|him|himself)\b", re.IGNORECASE)
BLOCK = re.compile(r"/\*(.*?)\*/|<!--(.*?)-->", re.DOTALL)
LINE = re.compile(r"^(?:[^'\"`/]|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|/(?!/))*?//(.*)$")
"""A line of TypeScript with a comment after two slashes that are outside of strings."""
Comment = tuple[int, str]
"""Line and text."""


def find_sources(folder: str) -> list[Path]:
    kinds = {".py", ".ts", ".svelte", ".css"}
    found = [path for path in (ROOT / folder).rglob("*") if path.suffix in kinds]
    return sorted(path for path in found if not {"static", "node_modules"} & set(path.parts))


def find_comments(path: Path) -> list[Comment]:
    """Return the comments of a file; lines that follow one another make one comment."""
    text = path.read_text(encoding="utf-8")
    return list(_find_in_python(text) if path.suffix == ".py" else _find_in_page(text))


def _find_in_python(text: str) -> Iterator[Comment]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    yield from _join((token.start[0], token.string[1:]) for token in tokens if token.type == tokenize.COMMENT)


def _find_in_page(text: str) -> Iterator[Comment]:
    for block in BLOCK.finditer(text):
        words = block[1] if block[1] is not None else block[2]
        yield text.count("\n", 0, block.start()) + 1, words
    rest = BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text)
    matches = ((number, LINE.match(line)) for number, line in enumerate(rest.splitlines(), start=1))
    yield from _join((number, match[1]) for number, match in matches if match)


def _join(lines: Iterator[Comment]) -> Iterator[Comment]:
    first, last, words = 0, -1, ""
    for number, text in lines:
        if number == last + 1:
            words += "\n" + text
        else:
            if words:
                yield first, words
            first, words = number, text
        last = number
    if words:
        yield first, words


def find_faults(path: Path) -> list[str]:
    """Return the comments of a file that break a rule, each with its line."""
    faults = []
    for line, words in find_comments(path):
        text = words.strip().lstrip("*@ \n")
        if BEGINNING.match(text) or PERSON.search(text):
            faults.append(f"{path.relative_to(ROOT).as_posix()}:{line}: {' '.join(text.split())[:100]}")
    return faults


@pytest.mark.parametrize("folder", FOLDERS)
def test_comments_begin_plainly_and_name_people_plainly(folder: str) -> None:
    sources = find_sources(folder)
    assert sources
    faults = [fault for path in sources for fault in find_faults(path)]
    assert not faults, f"{len(faults)} comments to rewrite:\n" + "\n".join(faults)


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("a.py", '"""What a thing is."""\nx = 1\n"""Whose turn it is."""\n# How it goes\n', 2),
        ("a.py", "x = 1  # his own\ny = 'What'  # fine\n# fine too\n# What follows\n", 1),
        ("a.ts", "/** Who is there. */\nconst url = 'http://What';\nlet a = 1; // Where it is\n", 2),
        ("a.svelte", "<!-- The same again. -->\n<p>What?</p>\n<style>\n  /* he */\n</style>\n", 2),
    ],
)
def test_faults_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, count: int) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert len(find_faults(path)) == count


if __name__ == "__main__":
    for each in FOLDERS:
        for source in find_sources(each):
            for fault in find_faults(source):
                print(fault)
