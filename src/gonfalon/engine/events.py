"""Events of a step for one observer, and refusals of actions. Both are codes with arguments; message catalogues have
the texts.
"""

from __future__ import annotations

from typing import Any

import msgspec

WITHDRAW = -1
"""Pseudo-action for `Game.events`: the player resigned."""
AGREE = -2
"""Pseudo-action for `Game.events`: a draw was agreed."""


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened, for one observer. Its text in the catalogue is `event.<code>`."""

    code: str
    args: dict[str, Any] = {}
    fell: dict[str, int] = {}
    """Rank of the piece that each side lost in a battle, by side; a side without a ranked loss is missing. The page
    finds the greatest battle of a match by the highest rank.
    """


class Refusal(msgspec.Struct, frozen=True):
    """Reason why something is not possible. Its text in the catalogue is `refusal.<code>`."""

    code: str
    args: dict[str, Any] = {}


def count_fallen(result: int, attacker: tuple[str, int], defender: tuple[str, int], highest: int) -> dict[str, int]:
    """Return the losses of a battle, for `Event.fell`. `result`: 0 the defender fell, 1 the attacker, 2 both.
    `attacker` and `defender`: side and type. Types up to `highest` are ranks.
    """
    fell = ((attacker, result != 0), (defender, result != 1))
    ranked = sorted((kind, side) for (side, kind), has_fallen in fell if has_fallen and kind <= highest)
    return {side: kind for kind, side in ranked}
