"""The folder of an arena, and its reports."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import gonfalon
from ai.plans import ONE_PAIR, plan_of, play_some
from gonfalon.ai.arena import plot, report
from gonfalon.ai.arena.folder import Folder, Row, find_folder, read_folder
from gonfalon.ai.arena.plan import PlanError, list_fixtures
from gonfalon.ai.arena.scores import SequentialTest
from gonfalon.ai.arena.staff import play_fixture

# ---- what is kept --------------------------------------------------------------------------------------------------


def test_an_arena_goes_on_where_it_was(tmp_path: Path) -> None:
    plan = plan_of("greedy", "random")
    whole = Folder(tmp_path / "whole", plan)
    for match in play_some(plan, 6):
        whole.add(*match)
    part = Folder(tmp_path / "part", plan)
    for match in play_some(plan, 2):
        part.add(*match)
    again = Folder(tmp_path / "part", plan)
    assert again.rows == part.rows
    game = gonfalon.make("duel")
    for fixture in list_fixtures(ONE_PAIR, 2, 6):
        if again.lacks(fixture):
            again.add(*play_fixture(plan, game, fixture))
    assert [_timeless(row) for row in again.rows] == [_timeless(row) for row in whole.rows]
    names = sorted(path.name for path in (tmp_path / "part" / "records").iterdir())
    assert names == [f"{number:06}.txt" for number in range(6)]


def _timeless(row: Row) -> tuple[object, ...]:
    return row.number, row.seat, row.points, row.reason, row.turns, row.decisions


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    plan = plan_of("random", "random")
    folder = Folder(tmp_path, plan)
    for match in play_some(plan, 2):
        folder.add(*match)
    lines = tmp_path / "matches.jsonl"
    lines.write_bytes(lines.read_bytes()[:-20])
    again = Folder(tmp_path, plan)
    assert [row.number for row in again.rows] == [0]
    with again.hold():
        again.add(*play_some(plan, 2)[1])
    assert [row.number for row in Folder(tmp_path, plan).rows] == [0, 1]


def test_a_folder_belongs_to_one_arena_at_a_time(tmp_path: Path) -> None:
    plan = plan_of("random", "random")
    folder, other = Folder(tmp_path, plan), Folder(tmp_path, plan)
    with folder.hold():
        folder.add(*play_some(plan, 1)[0])
        with pytest.raises(PlanError, match="another arena is playing in"), other.hold():
            pass
    with other.hold():
        assert other.rows == folder.rows, "who comes next begins with what was played"


def test_what_was_played_is_read_without_the_plan_at_hand(tmp_path: Path) -> None:
    plan = plan_of("random", "random")
    folder = Folder(tmp_path, plan)
    folder.add(*play_some(plan, 1)[0])
    assert read_folder(tmp_path).rows == folder.rows
    with pytest.raises(PlanError, match=r"nowhere is no folder of an arena"):
        read_folder(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


def test_another_plan_is_refused(tmp_path: Path) -> None:
    Folder(tmp_path, plan_of("random", "random"))
    with pytest.raises(PlanError, match="seed"):
        Folder(tmp_path, plan_of("random", "random", seed=9))


def test_plans_have_folders_of_their_own(tmp_path: Path) -> None:
    plans = [plan_of("random", "greedy"), plan_of("random", "greedy", seed=9), plan_of("random", "cmd:/a/b c/d")]
    folders = {find_folder(tmp_path, plan) for plan in plans}
    assert len(folders) == 3
    assert all(folder.parent == tmp_path for folder in folders)


# ---- reports -------------------------------------------------------------------------------------------------------


def row_of(number: int, points: float, first: int = 0, second: int = 1, failed: Mapping[int, str] = {}) -> Row:
    pair = (1, 1)
    return Row(number, number // 2, first, second, number % 2, points, "flag", 30, pair, pair, (0.1, 0.2), dict(failed))


def test_rounds_count_in_order_and_whole() -> None:
    rows = [row_of(number, points) for number, points in enumerate([1, 0, 1, 1, 0.5, 0])]
    assert list(report.list_rounds(rows, 2)) == [0.5, 1, 0.25]
    assert list(report.list_rounds(rows[:3], 2)) == [0.5]
    assert list(report.list_rounds([rows[0], *rows[2:]], 2)) == []
    assert list(report.list_rounds(rows[::-1], 2)) == [0.5, 1, 0.25]


def test_a_verdict_is_told() -> None:
    plan = plan_of("random", "greedy")
    rows = [row_of(number, 1) for number in range(40)]
    (pairing,) = report.summarize(plan, 2, rows, SequentialTest(0.5, 0.8))
    assert pairing.verdict is not None
    assert pairing.verdict.taken == "H1"
    assert "takes H1" in report.word_pairing(pairing)
    assert pairing.elo[0] is None
    assert "infinite" in report.word_pairing(pairing)


def test_tables() -> None:
    plan = plan_of("random", "greedy", "cmd:x")
    rows = [row_of(0, 1), row_of(1, 0.5), row_of(2, 0, 0, 2), row_of(3, 0, 1, 2, {2: "silent: nothing"})]
    pairings = report.summarize(plan, 2, rows)
    cross = report.write_cross(plan, pairings).splitlines()
    assert cross[0] == "|  | random | greedy | x |"
    assert cross[2].startswith("| random |  | 75% ±")
    assert cross[3].startswith("| greedy | 25% ±")
    results = report.write_results(pairings).splitlines()
    assert results[2].startswith("| random - greedy | 1 | 1 | 0 | 75.0% (")
    assert results[4].endswith("| 1, 1 | x: 1 silent |")


def test_a_plot_is_drawn(tmp_path: Path) -> None:
    pairings = report.summarize(plan_of("random", "greedy"), 2, [row_of(0, 1), row_of(1, 0)])
    plot.draw(pairings, "duel", tmp_path / "shares.svg")
    assert "random - greedy" in (tmp_path / "shares.svg").read_text()
