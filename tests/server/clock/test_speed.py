"""Speed classes of time controls."""

from __future__ import annotations

import pytest

from gonfalon.server.clock.control import Bank, Control, Correspondence, PerTurn, Untimed
from gonfalon.server.clock.speed import SPEEDS, speed_of


@pytest.mark.parametrize(
    ("control", "speed"),
    [
        (Bank(300, increment=3), "fast"),  # Duel, Barrage
        (Bank(900, increment=3), "slow"),  # Classic
        (Bank(1200, increment=5), "slow"),  # Original
        (Bank(600, increment=5), "slow"),  # Card Game
        (Bank(1200, increment=10), "slow"),  # Conquest for two
        (PerTurn(60), "slow"),  # Conquest for four
        (PerTurn(5), "fast"),
        (Bank(900, delay=3, longest=180), "slow"),
        (Bank(0, delay=9), "fast"),
        (Bank(0, delay=10), "slow"),
        (Correspondence(1), "correspondence"),
        (Correspondence(7), "correspondence"),
        (Untimed(0), None),
        (Untimed(300), None),
        (None, None),
    ],
)
def test_every_time_control_has_one_speed_class(control: Control | None, speed: str | None) -> None:
    assert speed_of(control) == speed
    assert speed is None or speed in SPEEDS
