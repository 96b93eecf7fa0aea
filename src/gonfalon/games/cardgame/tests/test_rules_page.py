"""The rules page: every rule once, every switch named, diagrams and comments well formed, decks as in the files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.games.cardgame import ruleset as cards
from gonfalon.games.cardgame.tests.test_messages import MESSAGES

PAGE = (Path(games.__file__).parent / "cardgame" / "rules.md").read_text(encoding="utf-8")
VARIANTS = games.families()["cardgame"]
RULES = [*range(1, 15)]
CELL = re.compile(r"[rb][1-9MFBS?]|--|\*\*")
DIAGRAMS = re.findall(r"^```([^\n]*)\n(.*?)\n```$", PAGE, flags=re.MULTILINE | re.DOTALL)
SECTIONS = re.findall(r"^(#+ .+)\n<!-- variants: (.+) -->$", PAGE, flags=re.MULTILINE)


def test_every_rule_is_there_once_and_in_order() -> None:
    assert [int(number) for number in re.findall(r"^\*\*CG-(\d+)\*\*", PAGE, flags=re.MULTILINE)] == RULES


def test_rules_that_are_named_exist() -> None:
    assert {int(number) for number in re.findall(r"CG-(\d+)", PAGE)} == set(RULES)


@pytest.mark.parametrize("switch", [switch.name for switch in cards.SWITCHES])
def test_every_switch_is_explained(switch: str) -> None:
    assert re.search(rf"^- .*`{switch}` \(", PAGE, flags=re.MULTILINE)


@pytest.mark.parametrize(("info", "body"), DIAGRAMS, ids=[str(n) for n in range(len(DIAGRAMS))])
def test_each_diagram_is_two_labelled_lines_blue_above_red(info: str, body: str) -> None:
    assert re.fullmatch(r"cards [A-Z].{20,}", info)
    blue, red = (row.split(" ") for row in body.split("\n"))
    assert len(blue) == len(red) == 5
    assert all(CELL.fullmatch(cell) for cell in (*blue, *red))
    assert not any(cell.startswith("r") for cell in blue)
    assert not any(cell.startswith("b") for cell in red)


def test_each_topic_has_its_diagram() -> None:
    labels = " ".join(info for info, _ in DIAGRAMS)
    for word in ("when play starts", "third step", "attack", "Spy", "Miner", "looks", "trick", "has lost"):
        assert word in labels


def test_comments_name_variants() -> None:
    assert PAGE.count("<!--") == len(SECTIONS)
    for heading, names in SECTIONS:
        assert set(names.split()) <= set(VARIANTS), heading


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_variant_has_its_section_with_its_boxes(variant: str) -> None:
    title = MESSAGES[f"game.{variant}.title"]
    section = " ".join(PAGE.split(f"## {title}\n<!-- variants: {variant} -->")[1].split("## ")[0].split())
    for box in games.ruleset(variant).data["boxes"]:
        assert box in section


@pytest.mark.parametrize("variant", VARIANTS)
def test_deck_tables_say_what_the_files_say(variant: str) -> None:
    counts = cards.deck(games.ruleset(variant))
    (table,) = [
        t for t in re.split(r"^### ", PAGE, flags=re.MULTILINE) if t.startswith("The deck") and f": {variant} " in t
    ]
    rows = [line for line in table.split("\n") if line.startswith("|")][2:]
    cells = [cell.strip() for line in rows for cell in line.split("|")[1:-1]]
    told = {cells[i].lower(): (cells[i + 1], int(cells[i + 2])) for i in range(0, len(cells), 3)}
    assert told == {
        name: (str(code) if code < 11 else "-", count)
        for code, (name, count) in enumerate(zip(cards.TYPES, counts, strict=True))
        if count
    }
    assert sum(counts) == 23
