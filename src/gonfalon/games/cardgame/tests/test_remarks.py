"""Remarks on a line before it is laid."""

from __future__ import annotations

from gonfalon.games.cardgame.screen.remarks import remarks_of
from gonfalon.games.cardgame.state import ACT_LAY, BOMB
from gonfalon.games.cardgame.tests.diagrams import RED, position


def told(line: str) -> list[str]:
    """Return the codes of red's remarks when red lays a Bomb into the gap that its fallen attacker left."""
    at = position(line, "M 6 3 3 5", red_hand="BB3", blue_hand="322").play("r1xb1")
    return [each.code for each in remarks_of(at.game.view(at.state, RED), [ACT_LAY + BOMB])]


def test_cg_13_a_line_that_cannot_attack_is_told() -> None:
    assert told("7 F B . .") == ["none-attacks"]
    assert told("7 F B 2 .") == []
