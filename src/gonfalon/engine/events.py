"""What observers are told: events of a step, refusals of an action. Codes and arguments; catalogues hold the words."""

from __future__ import annotations

from typing import Any

import msgspec

WITHDRAW = -1
"""Pseudo-action for `Game.events`: the player resigned."""
AGREE = -2
"""Pseudo-action for `Game.events`: a draw was agreed."""


class Event(msgspec.Struct, frozen=True):
    """One thing that happened, as one observer is told it. Words: catalogue key `event.<code>`."""

    code: str
    args: dict[str, Any] = {}


class Refusal(msgspec.Struct, frozen=True):
    """Why something is not possible. Words: catalogue key `refusal.<code>`."""

    code: str
    args: dict[str, Any] = {}
