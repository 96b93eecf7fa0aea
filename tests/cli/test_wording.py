"""Messages become sentences as on the page: both must pass the cases of `tests/wording.json`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gonfalon.cli.language.wording import Grammar, Name, fill

CASES = json.loads((Path(__file__).parents[1] / "wording.json").read_text(encoding="utf-8"))


def grammar(language: str) -> Grammar:
    return Grammar(language, CASES["languages"].get(language, {}))


@pytest.mark.parametrize(("language", "count", "category"), CASES["plurals"])
def test_plurals(language: str, count: int, category: str) -> None:
    assert grammar(language).plural(count) == category


@pytest.mark.parametrize(("language", "items", "said"), CASES["lists"])
def test_lists(language: str, items: list[str], said: str) -> None:
    assert grammar(language).list(items) == said


@pytest.mark.parametrize(("language", "value", "said"), CASES["numbers"])
def test_numbers(language: str, value: float, said: str) -> None:
    assert grammar(language).number(value) == said


@pytest.mark.parametrize(("language", "text", "gender", "form", "said"), CASES["names"])
def test_names(language: str, text: str, gender: str, form: str, said: str) -> None:
    assert grammar(language).decline(Name(text, gender), form) == said


@pytest.mark.parametrize(("text", "given", "said"), CASES["messages"])
def test_messages(text: str, given: dict[str, str], said: str) -> None:
    assert fill(text, lambda name, form: f"{given[name]}/{form}" if name in given else None) == said
