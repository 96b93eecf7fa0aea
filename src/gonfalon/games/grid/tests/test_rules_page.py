"""The rules page of the grid family: boards in its pictures, armies and water as in the files."""

from __future__ import annotations

import re

import pytest

from gonfalon import games
from gonfalon.games.grid import ruleset as grid
from texts import diagrams, rules_page, tables

PAGE = rules_page("grid")
VARIANTS = games.families()["grid"]
CELL = re.compile(r"[rb](10|[1-9MFBS?])|\.\.|~~|\*\*")
DIAGRAMS = diagrams(PAGE, "board")


@pytest.mark.parametrize("body", [body for _, body in DIAGRAMS])
def test_each_diagram_is_a_board(body: str) -> None:
    rows = [row.split(" ") for row in body.split("\n")]
    assert len({len(row) for row in rows}) == 1
    assert all(CELL.fullmatch(cell) for row in rows for cell in row)


def test_each_topic_has_its_diagram() -> None:
    labels = " ".join(info for info, _ in DIAGRAMS)
    for word in (
        "Sergeant",
        "Scout",
        "to and fro",
        "driven",
        "attack",
        "Spy",
        "Miner",
        "Sword|at once",
        "Apple",
        "Shroud",
    ):
        assert re.search(word, labels), word
    assert "where a lost piece can return" in labels


@pytest.mark.parametrize("variant", VARIANTS)
def test_army_tables_say_what_the_files_say(variant: str) -> None:
    counts = grid.army(games.ruleset(variant))
    section = PAGE.split(f"### The {sum(counts)} pieces\n")[1].split("### ")[0]
    assert variant in section.split("-->")[0].split()
    told = {name: int(cells.split()[-1]) for name, cells in tables(section).items() if cells.split()[-1].isdigit()}
    assert told == {name: count for name, count in zip(grid.TYPES, counts, strict=True) if count}


@pytest.mark.parametrize("variant", VARIANTS)
def test_board_pictures_show_the_water_of_the_files(variant: str) -> None:
    board = grid.board(games.ruleset(variant))
    picture = PAGE.split(f"### 10 by {board.rows}\n")[1].split("```")[1].split("\n")[1:-1]
    water = [
        row * grid.COLUMNS + column
        for row, line in enumerate(reversed(picture))
        for column, cell in enumerate(line.split(" "))
        if cell == "~~"
    ]
    assert tuple(water) == board.blocked
    assert len(picture) == board.rows
