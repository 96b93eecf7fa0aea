"""The rules page of the Card Game: rules are in order, lines in its pictures are possible, decks agree with the
files.
"""

from __future__ import annotations

import re

import pytest

from gonfalon import games
from gonfalon.games.cardgame import ruleset as cards
from texts import diagrams, rules_page, tables

PAGE = rules_page("cardgame")
CELL = re.compile(r"[rb][1-9MFBS?]|--|\*\*")
DIAGRAMS = diagrams(PAGE, "cards")


def test_the_rules_are_in_order() -> None:
    assert [int(number) for number in re.findall(r"^\*\*CG-(\d+)\*\*", PAGE, flags=re.MULTILINE)] == [*range(1, 15)]


@pytest.mark.parametrize("body", [body for _, body in DIAGRAMS])
def test_each_diagram_is_two_lines_blue_above_red(body: str) -> None:
    blue, red = (row.split(" ") for row in body.split("\n"))
    assert len(blue) == len(red) == 5
    assert all(CELL.fullmatch(cell) for cell in (*blue, *red))
    assert not any(cell.startswith("r") for cell in blue)
    assert not any(cell.startswith("b") for cell in red)


def test_each_topic_has_its_diagram() -> None:
    labels = " ".join(info for info, _ in DIAGRAMS)
    for word in ("when play starts", "third step", "attack", "Spy", "Miner", "looks", "trick", "has lost"):
        assert word in labels


@pytest.mark.parametrize("variant", games.families()["cardgame"])
def test_deck_tables_say_what_the_files_say(variant: str) -> None:
    counts = cards.deck(games.ruleset(variant))
    (section,) = [
        t for t in re.split(r"^### ", PAGE, flags=re.MULTILINE) if t.startswith("The deck") and f": {variant} " in t
    ]
    assert tables(section) == {
        name: f"{code if code < 11 else '-'} {count}"
        for code, (name, count) in enumerate(zip(cards.TYPES, counts, strict=True))
        if count
    }
    assert sum(counts) == 23
