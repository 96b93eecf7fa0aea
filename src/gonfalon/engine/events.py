"""What observers are told: the events of a step and why an action is refused. Both are codes with arguments; catalogues
hold the words.
"""

from __future__ import annotations

from typing import Any

import msgspec

WITHDRAW = -1
"""Pseudo-action for `Game.events`: the player resigned."""
AGREE = -2
"""Pseudo-action for `Game.events`: a draw was agreed."""


class Event(msgspec.Struct, frozen=True):
    """One thing that happened, as one observer is told it. The catalogue words it as `event.<code>`."""

    code: str
    args: dict[str, Any] = {}


class Refusal(msgspec.Struct, frozen=True):
    """Why something is not possible. The catalogue words it as `refusal.<code>`."""

    code: str
    args: dict[str, Any] = {}
