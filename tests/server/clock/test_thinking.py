"""The time that computer players take in a match with clocks."""

from __future__ import annotations

import math

import pytest

from gonfalon.server.clock.control import Bank, Correspondence, PerTurn, Untimed
from gonfalon.server.clock.thinking import find_thinking_time


@pytest.mark.parametrize(("increment", "decisions"), [(0, 10), (0, 2_000), (3, 200), (1, 2_000)])
def test_a_whole_match_takes_no_more_than_the_bank(increment: int, decisions: int) -> None:
    spent = 0.0
    for _ in range(decisions):
        spent += find_thinking_time(Bank(300, increment=increment), spent)
    assert spent <= 300 + increment * decisions


def test_a_decision_keeps_to_its_maximum() -> None:
    assert find_thinking_time(Bank(10_000, longest=5), 0.0) == 5
    assert find_thinking_time(Bank(0, delay=2), 50.0) == 2
    assert find_thinking_time(PerTurn(60), 50.0) == 6


@pytest.mark.parametrize("control", [None, Untimed(), Correspondence(3)])
def test_without_a_clock_the_usual_time_is_the_maximum(control: Untimed | Correspondence | None) -> None:
    assert find_thinking_time(control, 1_000_000.0) == math.inf
