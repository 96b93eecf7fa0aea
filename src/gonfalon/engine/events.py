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


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened, as one observer is told it. The catalogue words it as `event.<code>`."""

    code: str
    args: dict[str, Any] = {}
    fell: dict[str, int] = {}
    """Of a battle: how much each side has lost in it, by side; the greatest loss of a match is its greatest battle. A
    side that lost nothing that counts is not in it.
    """


class Refusal(msgspec.Struct, frozen=True):
    """Why something is not possible. The catalogue words it as `refusal.<code>`."""

    code: str
    args: dict[str, Any] = {}


def count_fallen(result: int, attacker: tuple[str, int], defender: tuple[str, int], highest: int) -> dict[str, int]:
    """What fell in a battle, for `Event.fell`. `result`: 0 the defender fell, 1 the attacker, 2 both; each of them as
    its side and its type, of which those up to `highest` are ranks.
    """
    fell = ((attacker, result != 0), (defender, result != 1))
    ranked = sorted((kind, side) for (side, kind), has_fallen in fell if has_fallen and kind <= highest)
    return {side: kind for kind, side in ranked}
