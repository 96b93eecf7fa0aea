"""Agents and programs that fail in an arena."""

from __future__ import annotations

import os
import signal
import time

import numpy as np
import pytest

import gonfalon
from ai import programs
from ai.plans import plan_of, play_some
from gonfalon.ai import Agent, Question, agents
from gonfalon.ai.arena import report
from gonfalon.ai.arena.entrants import COMMAND
from gonfalon.ai.arena.matches import Pace, Played, play
from gonfalon.ai.protocol import EVALUATOR
from gonfalon.ai.protocol.program import Program
from gonfalon.engine.game import Game


class Faulty:
    """An agent that plays at random until deployment is over, then makes one mistake."""

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
    return play(game, {0: Faulty(fault), **others}, Pace(0.1), (1,))


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
    played = play(game, {0: Faulty("sleeps"), 1: agents()["random"]()}, Pace(0.1), (1,))
    late, quick = played.clocks
    assert 0 < late.late < late.decisions
    assert late.slowest >= 0.3
    assert quick.late == 0


def test_by_processor_time_waiting_is_not_late() -> None:
    """The agent `sleeps` takes time by the clock, but uses no processor time."""
    game = gonfalon.make("barrage", max_turns=20)
    players: dict[int, Agent] = {0: Faulty("sleeps"), 1: agents()["random"]()}
    played = play(game, players, Pace(0.1, processor_time=True), (1,))
    assert [clock.late for clock in played.clocks] == [0, 0]
    assert played.clocks[0].slowest < 0.3


def test_a_program_is_timed_by_the_clock_in_any_case() -> None:
    game = gonfalon.make("original", **dict(EVALUATOR, max_turns=4))
    players: dict[int, Agent] = {0: Program(programs.SLOW, 60), 1: Faulty("sleeps")}
    program, ours = play(game, players, Pace(0.1, processor_time=True), (1,)).clocks
    assert program.late >= 2  # the first answer, a deployment, only needs the process to start
    assert ours.late == 0


@pytest.mark.parametrize("fault", ["silent", "died", "illegal", "illegal, deployment", "surrendered", "died, absent"])
def test_programs_that_fail_have_lost(fault: str) -> None:
    patience = 1 if fault == "silent" else 60  # the other programs must start before they can fail
    plan = plan_of("random", COMMAND + programs.FAILING[fault], variant="original", patience=patience)
    rows = [row for row, _ in play_some(plan, 2)]
    assert [row.points for row in rows] == [1, 1]
    assert all(row.failed[1].startswith(fault.partition(",")[0]) for row in rows)
    (pairing,) = report.summarize(plan, 2, rows)
    assert pairing.failed == {plan.labels[1]: {fault.partition(",")[0]: 2}}
    assert "FAILED" in report.word_pairing(pairing)
