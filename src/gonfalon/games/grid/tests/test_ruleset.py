"""The grid family's variant, board and army files: what they contain, and that mistakes are refused with file and
key.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.engine.rulesets.ruleset import RulesetError
from gonfalon.games.grid import ruleset as grid
from texts import edit

VARIANTS = ("duel", "original", "classic", "barrage", "special", "duel-10x10")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A copy of the family's data folder."""
    return Path(shutil.copytree(grid.DATA, tmp_path / "grid" / "data"))


def refused(data: Path, variant: str, *words: str) -> None:
    with pytest.raises(RulesetError) as caught:
        grid.load(variant, data)
    for word in words:
        assert word in str(caught.value)


def test_variants_are_listed_in_the_order_of_their_files() -> None:
    assert games.families()["grid"] == VARIANTS
    assert tuple(v for v, family in games.variants().items() if family == "grid") == VARIANTS


@pytest.mark.parametrize(
    ("variant", "rows", "own", "pieces", "blocked"),
    [
        ("classic", 8, 3, 30, "c4 d4 g4 h4 c5 d5 g5 h5"),
        ("special", 8, 3, 30, "c4 d4 g4 h4 c5 d5 g5 h5"),
        ("original", 10, 4, 40, "c5 d5 g5 h5 c6 d6 g6 h6"),
        ("duel", 8, 3, 10, "c4 d4 g4 h4 c5 d5 g5 h5"),
        ("duel-10x10", 10, 4, 10, "c5 d5 g5 h5 c6 d6 g6 h6"),
        ("barrage", 10, 4, 8, "c5 d5 g5 h5 c6 d6 g6 h6"),
    ],
)
def test_boards_and_armies(variant: str, rows: int, own: int, pieces: int, blocked: str) -> None:
    ruleset = games.ruleset(variant)
    board = grid.board(ruleset)
    assert (board.columns, board.rows, grid.deploy_rows(ruleset)) == (10, rows, own)
    assert board.blocked == tuple(grid.square_number(name) for name in blocked.split())
    assert sum(grid.army(ruleset)) == pieces
    assert len(grid.army(ruleset)) == len(grid.TYPES) == 13
    assert grid.powers(ruleset) == (variant == "special")


def test_boxes_are_named_whose_rules_were_read() -> None:
    boxes = {box for variant in VARIANTS for box in games.ruleset(variant).data["boxes"]}
    assert boxes == {
        "Stratego Assassin's Creed",
        "Stratego Classic Compact",
        "Stratego Original",
        "Stratego Travel",
    }


def test_armies_by_type() -> None:
    assert grid.army(games.ruleset("original")) == (0, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6, 1)
    assert grid.army(games.ruleset("classic")) == (0, 1, 5, 4, 2, 2, 3, 3, 2, 1, 1, 5, 1)
    assert grid.army(games.ruleset("special")) == grid.army(games.ruleset("classic"))
    assert grid.army(games.ruleset("duel")) == (0, 1, 2, 2, 0, 0, 0, 0, 0, 1, 1, 2, 1)
    assert grid.army(games.ruleset("duel-10x10")) == grid.army(games.ruleset("duel"))
    assert grid.army(games.ruleset("barrage")) == (0, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1)


@pytest.mark.parametrize("variant", VARIANTS)
def test_defaults_of_the_switches(variant: str) -> None:
    values = games.ruleset(variant).values
    assert values["chase_rule"] is (variant in {"original", "duel-10x10", "barrage"})
    assert (values["two_square_limit"], values["max_turns"], values["max_quiet_turns"]) == (3, 2000, 200)
    assert ("apple_bomb_stays" in values) == (variant == "special")
    assert values["show_known"] is True
    assert not any(values[name] for name in ("silent_defence", "attacker_wins_ties", "one_time_bombs", "rescue"))


def test_rules_of_the_evaluator_can_be_set() -> None:
    chosen = {"two_square_limit": 0, "chase_rule": False, "max_turns": 2000, "max_quiet_turns": 2000}
    assert games.ruleset("barrage", **chosen).changed == {
        "two_square_limit": 0,
        "chase_rule": False,
        "max_quiet_turns": 2000,
    }


@pytest.mark.parametrize(
    ("variant", "switches", "word"),
    [
        ("original", {"max_quiet_turns": 256}, "max_quiet_turns"),
        ("classic", {"chase_rule": True, "max_quiet_turns": 300}, "max_quiet_turns"),
        ("classic", {"two_square_limit": 4}, "two_square_limit"),
        ("classic", {"max_turns": 2001}, "max_turns"),
        ("classic", {"max_turns": 1}, "max_turns"),
        ("classic", {"rescue": 1}, "rescue"),
        ("classic", {"max_turns": True}, "max_turns"),
        ("classic", {"apple_bomb_stays": True}, "apple_bomb_stays"),
        ("classic", {"lakes": True}, "lakes"),
    ],
)
def test_bad_house_rules_are_refused(variant: str, switches: dict[str, bool | int], word: str) -> None:
    with pytest.raises(RulesetError, match=rf"{variant}: .*{word}"):
        games.ruleset(variant, **switches)


VARIANT_MISTAKES = [
    ('board = "10x8"', 'board = "9x9"', "board"),
    ('board = "10x8"', "board = 8", "board"),
    ('army = "classic"', 'army = "knights"', "army"),
    ('army = "classic"', 'army = "original"', "army"),
    ('army = "classic"\n', "", "army"),
    ("deploy_rows = 3", "deploy_rows = true", "deploy_rows"),
    ("deploy_rows = 3", "deploy_rows = 4", "deploy_rows"),
    ("deploy_rows = 3", "deploy_rows = 5", "deploy_rows"),
    ("powers = false", "powers = 0", "powers"),
    ("chase_rule = false", "chase_rule = 0", "chase_rule"),
    ("chase_rule = false", "two_square_limit = 2", "two_square_limit"),
    ("chase_rule = false", "max_turns = 2001", "max_turns"),
    ("chase_rule = false", "apple_bomb_stays = true", "apple_bomb_stays"),
]


@pytest.mark.parametrize(("old", "new", "key"), VARIANT_MISTAKES)
def test_mistakes_in_a_variant_file(data: Path, old: str, new: str, key: str) -> None:
    edit(data / "variants/classic.toml", old, new)
    refused(data, "classic", "classic.toml", key)


def test_quiet_turns_beyond_the_kept_moves_need_the_chase_rule_off(data: Path) -> None:
    edit(data / "variants/classic.toml", "chase_rule = false", "chase_rule = true\nmax_quiet_turns = 256")
    refused(data, "classic", "classic", "max_quiet_turns", "chase_rule")


BOARD_MISTAKES = [
    ("columns = 10", "columns = 11", "columns"),
    ("columns = 10", "columns = 2", "columns"),
    ("columns = 10", 'columns = "ten"', "columns"),
    ("rows = 8", "rows = 2", "rows"),
    ("rows = 8", "rows = 11", "rows"),
    ("rows = 8\n", "", "rows"),
    ("rows = 8", "rows = 8\nlakes = 2", "lakes"),
    ('"h5"', '"h9"', "h9"),
    ('"h5"', '"k5"', "k5"),
    ('"h5"', '"h05"', "h05"),
    ('"h5"', '"c4"', "blocked"),
    ('"h5"', "45", "blocked"),
]


@pytest.mark.parametrize(("old", "new", "key"), BOARD_MISTAKES)
def test_mistakes_in_a_board_file(data: Path, old: str, new: str, key: str) -> None:
    edit(data / "boards/10x8.toml", old, new)
    refused(data, "classic", "10x8.toml", key)


def test_a_blocked_square_on_the_own_rows_is_refused(data: Path) -> None:
    edit(data / "boards/10x8.toml", '"h5"', '"h3"')
    refused(data, "classic", "classic.toml", "deploy_rows", "h3")


ARMY_MISTAKES = [
    ("flag = 1", "flag = 2", "flag"),
    ("flag = 1", "", "flag"),
    ("scout = 5", "scout = -1", "scout"),
    ("scout = 5", "scout = 5.0", "scout"),
    ("scout = 5", "scout = true", "scout"),
    ("scout = 5", "scouts = 5", "scouts"),
]


@pytest.mark.parametrize(("old", "new", "key"), ARMY_MISTAKES)
def test_mistakes_in_an_army_file(data: Path, old: str, new: str, key: str) -> None:
    edit(data / "armies/classic.toml", old, new)
    refused(data, "classic", "classic.toml", key)
