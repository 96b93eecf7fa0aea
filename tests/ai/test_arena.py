"""The arena: who meets whom, what is the same in a round, what is kept, and what becomes of agents that fail."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping
from itertools import takewhile
from pathlib import Path

import msgspec
import numpy as np
import psutil
import pytest

import gonfalon
from ai import programs
from gonfalon.ai import Agent, Question, agents
from gonfalon.ai.arena import plot, report
from gonfalon.ai.arena.folder import Folder, Row, find_folder, read_folder
from gonfalon.ai.arena.matches import Played, play
from gonfalon.ai.arena.plan import COMMAND, Fixture, Plan, PlanError, list_fixtures
from gonfalon.ai.arena.scores import SequentialTest
from gonfalon.ai.arena.staff import Member, play_all, play_fixture
from gonfalon.ai.protocol import EVALUATOR
from gonfalon.ai.protocol.program import Program
from gonfalon.engine.game import Game
from gonfalon.engine.record import read_record
from gonfalon.engine.replay import game_of, play_record

ONE_PAIR = ((0, 1),)
THREE_PAIRS = ((0, 1), (0, 2), (1, 2))


def plan_of(*entrants: str, variant: str = "duel", deal: str = "own", patience: float = 30, seed: int = 3) -> Plan:
    changed = dict(EVALUATOR) if any(entrant.startswith(COMMAND) for entrant in entrants) else {}
    return Plan(variant, changed, entrants, 100, seed, deal, patience)


def play_some(plan: Plan, matches: int) -> list[tuple[Row, str]]:
    game = gonfalon.make(plan.variant, **plan.changed)
    return [play_fixture(plan, game, fixture) for fixture in list_fixtures(plan.meetings, game.info.players, matches)]


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
        plan_of("greedy", "nobody"),
        plan_of("greedy", "cmd:"),
        plan_of("greedy", "cmd: "),
        plan_of("greedy", "cmd:./bot 'x"),
        plan_of("greedy", "random", deal="mine"),
        plan_of("greedy", "random", patience=0.01),
        msgspec.structs.replace(plan_of("greedy", "random"), cores=0),
        msgspec.structs.replace(plan_of("greedy", "random"), cores=2, processor_time=True),
    ],
)
def test_what_cannot_be_planned(plan: Plan) -> None:
    with pytest.raises(PlanError):
        plan.check()


def test_labels_differ() -> None:
    plan = plan_of("random", "random", "cmd:/opt/x/strong --fast", "cmd:strong")
    assert plan.labels == ("random", "random#2", "strong", "strong#2")
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
    """Both matches of a round begin alike, with the agents in each other's seats; the next round begins otherwise."""
    played = play_some(plan_of("greedy", "random", deal=deal), 4)
    starts = [start_of(record) for _, record in played]
    assert starts[0] == starts[1] != starts[2] == starts[3]
    names = [read_record(record).names for _, record in played]
    assert names[0] == {"red": "greedy", "blue": "random"}
    assert names[1] == {"red": "random", "blue": "greedy"}


def test_own_deployments_are_swapped_too() -> None:
    """A seat draws from its own generator: the same agent in it does the same, whoever sits opposite."""
    plan = plan_of("greedy", "greedy")
    (one, _), (other, _) = [(start_of(record), row) for row, record in play_some(plan, 2)]
    assert one == other


def test_shared_deals_of_chance() -> None:
    """The Card Game's pairs are dealt the same cards, and draw the same ones in turn."""
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


# ---- agents that fail ----------------------------------------------------------------------------------------------


class Faulty:
    """Plays at random until play has begun, then does one thing wrong."""

    name = "faulty"

    def __init__(self, fault: str) -> None:
        self._fault = fault

    def act(self, game: Game, question: Question, rng: np.random.Generator) -> list[int]:
        if not game.standing(question.view).started:
            return agents()["random"]().act(game, question, rng)
        match self._fault:
            case "raises":
                raise ZeroDivisionError("by nothing")
            case "nothing":
                return []
            case "resigns":
                return [-1]
            case "number":
                return [game.info.actions + 5]
            case "text":
                return ["a"]  # type: ignore[list-item]
            case "sleeps":
                time.sleep(0.3)
            case "dies":
                os.kill(os.getpid(), signal.SIGKILL)
            case "hangs":
                time.sleep(600)
        return agents()["random"]().act(game, question, rng)


def play_with(fault: str, variant: str = "barrage") -> Played:
    game = gonfalon.make(variant)
    others: dict[int, Agent] = {player: agents()["random"]() for player in range(1, game.info.players)}
    return play(game, {0: Faulty(fault), **others}, 0.1, (1,))


@pytest.mark.parametrize("fault", ["raises", "nothing", "resigns", "number", "text"])
def test_an_agent_that_fails_has_lost(fault: str) -> None:
    played = play_with(fault)
    assert played.returns == (-1.0, 1.0)
    assert played.failed[0].startswith("raised: ZeroDivisionError" if fault == "raises" else "illegal")
    assert list(played.failed) == [0]


def test_with_four_the_others_play_on() -> None:
    played = play_with("raises", "conquest")
    assert list(played.failed) == [0]
    assert played.returns[0] == min(played.returns)
    assert sum(clock.decisions for clock in played.clocks[1:]) > 50


def test_late_decisions_are_counted() -> None:
    game = gonfalon.make("barrage", max_turns=20)
    played = play(game, {0: Faulty("sleeps"), 1: agents()["random"]()}, 0.1, (1,))
    late, quick = played.clocks
    assert 0 < late.late < late.decisions
    assert late.slowest >= 0.3
    assert quick.late == 0


def test_by_processor_time_waiting_is_not_late() -> None:
    """`sleeps` takes the time of the clock and leaves the processor to others."""
    game = gonfalon.make("barrage", max_turns=20)
    players: dict[int, Agent] = {0: Faulty("sleeps"), 1: agents()["random"]()}
    played = play(game, players, 0.1, (1,), processor_time=True)
    assert [clock.late for clock in played.clocks] == [0, 0]
    assert played.clocks[0].slowest < 0.3


def test_a_program_is_timed_by_the_clock_in_any_case() -> None:
    game = gonfalon.make("original", **dict(EVALUATOR, max_turns=4))
    players: dict[int, Agent] = {0: Program(programs.SLOW, 60), 1: Faulty("sleeps")}
    program, ours = play(game, players, 0.1, (1,), processor_time=True).clocks
    assert program.late == 2
    assert ours.late == 0


@pytest.mark.parametrize("fault", ["silent", "died", "illegal", "illegal, deployment", "surrendered", "died, absent"])
def test_programs_that_fail_have_lost(fault: str) -> None:
    patience = 1 if fault == "silent" else 60  # who fails otherwise may need a while to begin
    plan = plan_of("random", COMMAND + programs.FAILING[fault], variant="original", patience=patience)
    rows = [row for row, _ in play_some(plan, 2)]
    assert [row.points for row in rows] == [1, 1]
    assert all(row.failed[1].startswith(fault.partition(",")[0]) for row in rows)
    (pairing,) = report.summarize(plan, 2, rows)
    assert pairing.failed == {plan.labels[1]: {fault.partition(",")[0]: 2}}
    assert "FAILED" in report.word_pairing(pairing)


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
    """The process in which Python keeps account of shared things; it stays."""
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
    """And another one plays on. The record tells the match until then."""
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
    """As `play_all` with one process, which is killed in its first match."""
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
