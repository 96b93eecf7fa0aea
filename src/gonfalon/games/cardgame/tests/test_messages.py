"""The words of the Card Game: all ends have words, and messages shared with the grid family are worded the same."""

from __future__ import annotations

from gonfalon.games.cardgame import state as g
from texts import messages

MESSAGES = messages("cardgame")
DIFFERENT = {
    "event.attacked",
    "event.attacked.you",
    "event.battle-both",
    "event.battle-lost",
    "event.battle-won",
    "event.placed",
    "event.revealed",
    "headline.quiet",
    "hint.attack",
    "hint.home",
    "status.deploy",
    "status.deploying",
    "switch.max_quiet_turns.text",
    "switch.show_known.text",
}
"""Keys that the Card Game words differently from the grid family, in addition to the descriptions of pieces."""


def test_every_end_has_its_words() -> None:
    assert {key for key in MESSAGES if key.startswith("end.")} == {f"end.{reason}" for reason in g.OVER_REASONS[1:]}


def test_words_that_grid_has_too_are_the_same() -> None:
    grid = messages("grid")
    different = {key for key in MESSAGES if key in grid and grid[key] != MESSAGES[key]}
    assert {key for key in different if not key.startswith("piece.")} == DIFFERENT
