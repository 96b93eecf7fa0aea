"""Tensors of the Card Game: the observer's own line comes first, with one channel for each type."""

from __future__ import annotations

from gonfalon.games.cardgame.ruleset import TYPES
from gonfalon.games.cardgame.sight.encode import PLANES
from gonfalon.games.cardgame.tests.diagrams import BLUE, RED, position

WHERE = {plane.name: k for k, plane in enumerate(PLANES)}
LINE = ("marshal", "bomb", "scout", "spy", "flag")


def test_tensors_show_the_type_of_each_known_card() -> None:
    at = position("M B 2 S F", "6 6 3 3 5", red_hand="932", blue_hand="322")
    own, other = (at.game.encode(at.game.view(at.state, observer)).planes for observer in (RED, BLUE))
    for column, name in enumerate(LINE):
        for kind in TYPES[1:]:
            assert own[WHERE[f"is {kind}"], 0, column] == (kind == name)
            assert other[WHERE[f"is {kind}"], 1, column] == 0
        assert own[WHERE["hidden"], 0, column] == 0
        assert other[WHERE["hidden"], 1, column] == 1
