"""The rules page of the grid family: every rule once, every switch named, diagrams and comments well formed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.games.grid import ruleset as grid

PAGE = (Path(games.__file__).parent / "grid" / "rules.md").read_text(encoding="utf-8")
VARIANTS = games.families()["grid"]
RULES = [*range(1, 23), *range(30, 41)]
CELL = re.compile(r"[rb](10|[1-9MFBS?])|\.\.|~~|\*\*")
DIAGRAMS = re.findall(r"^```([^\n]*)\n(.*?)\n```$", PAGE, flags=re.MULTILINE | re.DOTALL)
SECTIONS = re.findall(r"^(#+ .+)\n<!-- variants: (.+) -->$", PAGE, flags=re.MULTILINE)


def test_every_rule_is_there_once() -> None:
    assert sorted(int(number) for number in re.findall(r"^\*\*GR-(\d+)\*\*", PAGE, flags=re.MULTILINE)) == RULES


def test_rules_that_are_named_exist() -> None:
    named = {int(number) for number in re.findall(r"GR-(\d+)", PAGE)}
    assert named - {23, 29} <= set(RULES)


@pytest.mark.parametrize("switch", [switch.name for switch in grid.SWITCHES])
def test_every_switch_is_explained(switch: str) -> None:
    assert re.search(rf"^- .*`{switch}` \(", PAGE, flags=re.MULTILINE)


@pytest.mark.parametrize(("info", "body"), DIAGRAMS, ids=[str(n) for n in range(len(DIAGRAMS))])
def test_each_diagram_is_a_labelled_board(info: str, body: str) -> None:
    assert re.fullmatch(r"board [A-Z].{20,}", info)
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


def test_comments_name_variants() -> None:
    assert PAGE.count("<!--") == len(SECTIONS)
    for heading, names in SECTIONS:
        assert set(names.split()) <= set(VARIANTS), heading


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_variant_has_its_section_with_its_boxes(variant: str) -> None:
    assert [names for heading, names in SECTIONS if heading.lower().replace(" ", "-") == f"##-{variant}"] == [variant]
    section = " ".join(re.split(rf"<!-- variants: {variant} -->", PAGE)[1].split("## ")[0].split())
    for box in games.ruleset(variant).data["boxes"]:
        assert box in section


@pytest.mark.parametrize("variant", VARIANTS)
def test_army_tables_say_what_the_files_say(variant: str) -> None:
    ruleset = games.ruleset(variant)
    total = sum(grid.army(ruleset))
    table = PAGE.split(f"### The {total} pieces\n")[1].split("### ")[0]
    assert variant in table.split("-->")[0].split()
    cells = [cell.strip() for line in table.split("\n")[4:] if line.startswith("|") for cell in line.split("|")[1:-1]]
    counts = {cells[i].lower(): int(cells[i + 2]) for i in range(0, len(cells), 3) if cells[i + 2].isdigit()}
    assert counts == {name: count for name, count in zip(grid.TYPES, grid.army(ruleset), strict=True) if count}


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
