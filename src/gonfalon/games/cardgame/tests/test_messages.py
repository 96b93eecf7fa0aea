"""The words of the Card Game: messages shared with the grid family are worded the same."""

from __future__ import annotations

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


def test_words_that_grid_has_too_are_the_same() -> None:
    grid = messages("grid")
    different = {key for key in MESSAGES if key in grid and grid[key] != MESSAGES[key]}
    assert {key for key in different if not key.startswith("piece.")} == DIFFERENT
