"""Events of a step for one observer, and refusals of actions. Both are codes with arguments;
catalogues hold the words.
"""

from __future__ import annotations

from typing import Any

import msgspec

WITHDRAW = -1
"""Pseudo-action for `Game.events`: the player resigned."""
AGREE = -2
"""Pseudo-action for `Game.events`: a draw was agreed."""


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened, for one observer. The catalogue words it as `event.<code>`."""

    code: str
    args: dict[str, Any] = {}
    fell: dict[str, int] = {}
    """Losses of each side in a battle, by side; sides without losses are left out. The greatest loss of a match marks
    its greatest battle.
    """


class Refusal(msgspec.Struct, frozen=True):
    """Reason why something is not possible. The catalogue words it as `refusal.<code>`."""

    code: str
    args: dict[str, Any] = {}


def count_fallen(result: int, attacker: tuple[str, int], defender: tuple[str, int], highest: int) -> dict[str, int]:
    """Return the losses of a battle, for `Event.fell`. `result`: 0 the defender fell, 1 the attacker, 2 both; each of
    them as side and type, of which types up to `highest` are ranks.
    """
    fell = ((attacker, result != 0), (defender, result != 1))
    ranked = sorted((kind, side) for (side, kind), has_fallen in fell if has_fallen and kind <= highest)
    return {side: kind for kind, side in ranked}
