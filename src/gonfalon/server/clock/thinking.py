"""Thinking times of computer players. They have no clock, but keep to the time that a person would have."""

from __future__ import annotations

import math

from gonfalon.server.clock.control import Bank, Control, PerTurn

DECISIONS = 40
"""Number of decisions for which a computer player always has time left in its bank."""
DECISIONS_A_TURN = 10
"""Number of decisions of a turn, such as cards and moves, that share the time of a turn."""


def find_thinking_time(control: Control | None, spent: float) -> float:
    """Return the seconds that a computer player may think about a decision; infinite without a clock.

    `spent`: seconds that it has thought in this match so far. All decisions of a match together never take more than
    the bank with its increments.
    """
    match control:
        case Bank():
            share = max(0.0, control.bank - spent) / DECISIONS + control.increment + control.delay
            return min(share, control.longest or math.inf)
        case PerTurn():
            return control.turn / DECISIONS_A_TURN
        case _:
            return math.inf
