"""The arena: pairings, equal deals within a round, and matches played in processes."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import msgspec
import psutil
import pytest

import gonfalon
from ai import programs
from ai.plans import ONE_PAIR, THREE_PAIRS, plan_of, play_some
from gonfalon.ai.arena import report
from gonfalon.ai.arena.entrants import COMMAND, EntrantError
from gonfalon.ai.arena.folder import Row
from gonfalon.ai.arena.plan import Fixture, Plan, PlanError, list_fixtures
from gonfalon.ai.arena.staff import Member, play_all
from gonfalon.engine.records.record import read_record
from gonfalon.engine.records.replay import game_of, play_record


def start_of(record: str) -> tuple[str, ...]:
    return tuple(step.text for step in read_record(record).steps[:2])


# ---- the plan ------------------------------------------------------------------------------------------------------


def test_a_round_has_every_seat_once() -> None:
    fixtures = list(list_fixtures(ONE_PAIR, 2, 3))
    assert [(each.number, each.round, each.seat) for each in fixtures] == [(0, 0, 0), (1, 0, 1), (2, 1, 0), (3, 1, 1)]
    four = list(list_fixtures(ONE_PAIR, 4, 4))
    assert [each.seat for each in four] == [0, 1, 2, 3]
    assert [four[2].find_entrant(player) for player in range(4)] == [1, 1, 0, 1]


def test_all_pairs_get_on_together_and_numbers_stay() -> None:
    fixtures = list(list_fixtures(THREE_PAIRS, 2, 4))
    assert [(each.first, each.second) for each in fixtures[:6:2]] == [(0, 1), (0, 2), (1, 2)]
    assert list(list_fixtures(THREE_PAIRS, 2, 40))[: len(fixtures)] == fixtures


@pytest.mark.parametrize(
    "plan",
    [
        plan_of("greedy"),
        plan_of("greedy", "random", deal="mine"),
        plan_of("greedy", "random", patience=0.01),
        msgspec.structs.replace(plan_of("greedy", "random"), cores=0),
        msgspec.structs.replace(plan_of("greedy", "random"), cores=2, processor_time=True),
    ],
)
def test_what_cannot_be_planned(plan: Plan) -> None:
    with pytest.raises(PlanError):
        plan.check()


@pytest.mark.parametrize("entrant", ["nobody", "cmd:", "cmd: ", "cmd:./bot 'x"])
def test_who_cannot_enter(entrant: str) -> None:
    with pytest.raises(EntrantError):
        plan_of("greedy", entrant).check()


def test_labels_differ() -> None:
    plan = plan_of("random", "random", "cmd:/bin/true --fast", "cmd:true")
    assert plan.labels == ("random", "random#2", "true", "true#2")
    plan.check()


def test_programs_are_named_by_their_own_file(tmp_path: Path) -> None:
    (tmp_path / "bot.py").touch()
    plan = plan_of(f"cmd:python -u {tmp_path}/bot.py --fast", f"cmd:python {tmp_path}/missing.py")
    assert plan.labels == ("bot.py", "python")


# ---- matches -------------------------------------------------------------------------------------------------------


def test_matches_are_made_again_from_the_seed() -> None:
    for variant in ("duel", "cardgame"):
        plan = plan_of("greedy", "random", variant=variant)
        first, again = play_some(plan, 2), play_some(plan, 2)
        assert [record for _, record in first] == [record for _, record in again]
        other = play_some(plan_of("greedy", "random", variant=variant, seed=4), 2)
        assert [record for _, record in other] != [record for _, record in first]


@pytest.mark.parametrize("deal", ["sensible", "random"])
def test_dealt_deployments_are_played_from_both_sides(deal: str) -> None:
    """Both matches of a round begin alike, but the agents swap seats; the next round begins differently."""
    played = play_some(plan_of("greedy", "random", deal=deal), 4)
    starts = [start_of(record) for _, record in played]
    assert starts[0] == starts[1] != starts[2] == starts[3]
    names = [read_record(record).names for _, record in played]
    assert names[0] == {"red": "greedy", "blue": "random"}
    assert names[1] == {"red": "random", "blue": "greedy"}


def test_own_deployments_are_swapped_too() -> None:
    """Each seat has its own random generator, so an agent deploys the same against any opponent."""
    plan = plan_of("greedy", "greedy")
    (one, _), (other, _) = [(start_of(record), row) for row, record in play_some(plan, 2)]
    assert one == other


def test_shared_deals_of_chance() -> None:
    """Both matches of a pair in the Card Game are dealt the same cards, and draw the same ones in turn."""
    played = play_some(plan_of("greedy", "random", variant="cardgame"), 2)
    steps = [read_record(record).steps for _, record in played]
    deals = [list(takewhile(lambda step: step.by == "chance", each)) for each in steps]
    assert len(deals[0]) > 8
    assert deals[0] == deals[1]


def test_records_can_be_replayed() -> None:
    for variant in ("special", "cardgame", "conquest-two"):
        for row, text in play_some(plan_of("random", "greedy", variant=variant), 2):
            record = read_record(text)
            list(play_record(game_of(record, gonfalon.make), record))
            assert record.result.endswith(f"({row.reason})")


def test_four_play_one_against_three() -> None:
    plan = plan_of("random", "random", variant="conquest")
    rows = [row for row, _ in play_some(plan, 4)]
    assert sorted(row.seat for row in rows) == [0, 1, 2, 3]
    (pairing,) = report.summarize(plan, 4, rows)
    assert (pairing.even, pairing.elo) == (0.25, (None, None, None))


# ---- processes -----------------------------------------------------------------------------------------------------


def find_children() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


@pytest.mark.parametrize("processes", [1, 2])
def test_processes_play_what_one_would(processes: int) -> None:
    plan, before = plan_of("random", "greedy"), find_children()
    there = sorted(play_all(plan, list_fixtures(ONE_PAIR, 2, 4), processes), key=lambda match: match[0].number)
    assert [record for _, record in there] == [record for _, record in play_some(plan, 4)]
    assert find_children() - before <= {_tracker()}


def _tracker() -> int:
    """Return the process id of Python's resource tracker, which outlives the other processes."""
    from multiprocessing import resource_tracker

    return resource_tracker._resource_tracker._pid  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize(("fault", "told"), [(programs.SILENT, "silent"), (programs.DIES, "died")])
def test_a_program_does_not_hang_the_arena(fault: str, told: str) -> None:
    before = find_children()
    plan = plan_of(COMMAND + fault, "random", variant="original", patience=1)
    rows = [row for row, _ in play_all(plan, list_fixtures(ONE_PAIR, 2, 2), 1)]
    assert [row.points for row in rows] == [0, 0]
    assert all(row.failed[0].startswith(told) for row in rows)
    assert find_children() - before <= {_tracker()}


def test_a_process_that_is_gone_costs_the_match_of_whom_it_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a process dies, the agent that was thinking in it loses the match, and another process plays the next. The
    record holds the match up to that moment.
    """
    plan, fixtures = plan_of("greedy", "random", variant="original"), list(list_fixtures(ONE_PAIR, 2, 2))
    found: list[tuple[Row, str]] = []
    for row, record in _play_and_kill(plan, iter(fixtures)):
        found.append((row, record))
    assert len(found) == 2
    row, text = next((row, text) for row, text in found if row.failed)
    (guilty,) = row.failed
    assert row.failed[guilty].startswith("died")
    assert row.points == (guilty == 1)
    record = read_record(text)
    list(play_record(game_of(record, gonfalon.make), record))
    assert record.result.endswith("(resigned)")


def _play_and_kill(plan: Plan, fixtures: Iterator[Fixture]) -> Iterator[tuple[Row, str]]:
    """Play as `play_all` does, with one process, which is killed in its first match."""
    member, killed = Member(plan), False
    try:
        member.begin(fixtures)
        while member.fixture is not None:
            if not killed and len(member._steps) > 100:
                os.kill(member._process.pid or 0, signal.SIGKILL)
                killed = True
            if (match := member.hear()) is not None:
                yield match
                member.begin(fixtures)
            time.sleep(0.001)
    finally:
        member.end()


def test_a_process_that_dies_between_matches_is_started_again() -> None:
    member = Member(plan_of("random", "random", variant="barrage"))
    try:
        for fixture in list_fixtures(ONE_PAIR, 2, 2):
            member.begin(iter([fixture]))
            while (match := member.hear()) is None:
                time.sleep(0.01)
            assert match[0].failed == {}
            os.kill(member._process.pid or 0, signal.SIGKILL)
            member._process.join()
    finally:
        member.end()
