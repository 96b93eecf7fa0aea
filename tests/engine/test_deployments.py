"""Ready deployments have the whole army, can move, and differ from each other. Mistakes in a file are refused, and the
error names the file and the key.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.engine.rulesets.ruleset import Ruleset, RulesetError
from gonfalon.games.grid.play import deployments
from gonfalon.games.grid.ruleset import COLUMNS, DATA, army, board, deploy_rows
from gonfalon.games.grid.text.notation import LETTERS

VARIANTS = games.families()["grid"]
MOVABLE = set("S23456789M")


def open_columns(ruleset: Ruleset) -> list[int]:
    """Return the columns in which the square in front of the front row is not blocked. They are the same for both
    sides, as each side sees them.
    """
    ahead = deploy_rows(ruleset) * COLUMNS
    return [column for column in range(COLUMNS) if ahead + column not in board(ruleset).blocked]


def ways(ruleset: Ruleset, text: str) -> int:
    """Return the number of own squares with a movable piece and an empty square beside it."""
    rows, found = deploy_rows(ruleset), 0
    free = {(rows, column) for column in open_columns(ruleset)}
    free |= {divmod(place, COLUMNS) for place, letter in enumerate(text) if letter == "."}
    for place, letter in enumerate(text):
        row, column = divmod(place, COLUMNS)
        around = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}
        found += letter in MOVABLE and bool(around & free)
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_variant_has_six_to_ten_different_deployments(variant: str) -> None:
    found = deployments.load(games.ruleset(variant))
    assert 6 <= len(found) <= 10
    assert len(set(found.values())) == len(found)
    mirrored = {mirror(text) for text in found.values()}
    assert not mirrored & set(found.values())


def mirror(text: str) -> str:
    return "".join(text[start : start + COLUMNS][::-1] for start in range(0, len(text), COLUMNS))


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_deployment_is_the_army_and_can_move(variant: str) -> None:
    ruleset = games.ruleset(variant)
    for name, text in deployments.load(ruleset).items():
        letters = [text.count(letter) for letter in LETTERS[1:]]
        assert letters == list(army(ruleset))[1:], name
        assert ways(ruleset, text) >= 3, name
        front = text[-COLUMNS:]
        assert any(front[column] in MOVABLE for column in open_columns(ruleset)), name


@pytest.mark.parametrize("variant", ["classic", "special", "original"])
def test_full_armies_have_several_ways_out_and_keep_a_scout_near_one(variant: str) -> None:
    ruleset = games.ruleset(variant)
    for name, text in deployments.load(ruleset).items():
        front = [text[-COLUMNS:][column] for column in open_columns(ruleset)]
        assert sum(letter in MOVABLE for letter in front) >= 4, name
        assert "S" not in front, name
        assert "F" not in text[COLUMNS:], name


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("FB..3..3..", "FF..3..3..", "bomb"),
        ("FB..3..3..", "FB..3..3.", "letters"),
        ("FB..3..3..", "FB..3..X..", "'X'"),
        ("FB..3..3..", "FB..33.3..", "miner"),
        ("FB..3..3..", "FB..3.....", "miner"),
    ],
)
def test_mistakes_in_a_deployment_file(tmp_path: Path, old: str, new: str, word: str) -> None:
    data = Path(shutil.copytree(DATA, tmp_path / "data"))
    path = data / "deployments" / "duel.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(RulesetError, match=r"deployments/duel\.toml: corner-watch") as caught:
        deployments.load(games.ruleset("duel"), data)
    assert word in str(caught.value)


@pytest.mark.parametrize("content", ["[other]\n", 'deployments = "FB"\n', "[deployments]\nx = 3\n", "[deployments"])
def test_other_content_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "deployments").mkdir()
    (tmp_path / "deployments" / "duel.toml").write_text(content, encoding="utf-8")
    with pytest.raises(RulesetError, match=r"duel\.toml"):
        deployments.load(games.ruleset("duel"), tmp_path)
