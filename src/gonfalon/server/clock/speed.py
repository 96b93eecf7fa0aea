"""Speed classes: matches of one class are rated together."""

from __future__ import annotations

from typing import Literal, get_args

from gonfalon.server.clock.control import Bank, Control, Correspondence, PerTurn

Speed = Literal["fast", "slow", "correspondence"]
SPEEDS: tuple[Speed, ...] = get_args(Speed)
DECISIONS = 60
"""Number of decisions of a player in a match, for the estimate."""
FAST = 600
"""Estimated seconds of a player below which a match is fast."""


def speed_of(control: Control | None) -> Speed | None:
    """Return the speed class of a time control; None for a match without a clock.

    The class follows from the seconds that a player has for a match of `DECISIONS` decisions.
    """
    match control:
        case Bank():
            seconds = control.bank + DECISIONS * (control.increment + control.delay)
        case PerTurn():
            seconds = DECISIONS * control.turn
        case Correspondence():
            return "correspondence"
        case _:
            return None
    return "fast" if seconds < FAST else "slow"
