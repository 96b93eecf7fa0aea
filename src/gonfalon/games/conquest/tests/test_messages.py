"""The words of Conquest: every event, refusal, card and guess has its own message."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gonfalon.engine.rulesets import names
from gonfalon.games import conquest
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.names import FOLDER, TABLES
from gonfalon.games.conquest.ruleset import CARDS, TYPES
from gonfalon.games.conquest.screen.scene import AIMED
from texts import messages

MESSAGES = messages("conquest")
SOURCE = Path(conquest.__file__).parent
SHAPES = {
    "unit": ("unit", "unit-hidden"),
    "entered": ("entered", "entered-hidden"),
    "battle": ("battle-won", "battle-lost", "battle-both"),
    "shuffled": ("shuffled", "card-shuffled"),
    "proof": ("proof", "proof-empty"),
    "control": ("control", "contested"),
    "over": ("won", "drawn"),
}
"""Events whose messages have several forms."""
MOST_ON_A_CARD = 60


def keys(start: str) -> set[str]:
    return {key.removeprefix(start) for key in MESSAGES if key.startswith(start)}


def test_every_entry_of_a_log_has_its_words() -> None:
    logged = [
        name[4:].lower().replace("_", "-") for name in vars(g) if name.startswith("LOG_") and name != "LOG_COLUMNS"
    ]
    told = {key for key in keys("event.") if "." not in key}
    assert told == {event for code in logged for event in SHAPES.get(code, (code,))}


def test_what_happens_to_the_reader_is_an_event_too() -> None:
    """A key with `.you` is for readers of the event's own side, one with `.on-you` for readers of the other side."""
    addressed = [key.split(".") for key in keys("event.") if "." in key]
    assert all(MESSAGES[f"event.{code}"] and whom in ("you", "on-you") for code, whom in addressed)
    assert all(re.search(r"\b[Yy]our?\b", MESSAGES[f"event.{code}.{whom}"]) for code, whom in addressed)


def test_headlines_warnings_and_scores_have_their_words() -> None:
    source = (SOURCE / "screen" / "score.py").read_text(encoding="utf-8")
    assert keys("headline.") | keys("warning.") == set(re.findall(r'Line\("([a-z-]+)"', source)) | {"quiet"}
    assert {"territories", "cities", "units"} <= keys("score.")


def test_every_refusal_has_its_words() -> None:
    """The source names each refusal by a quoted code, with or without arguments."""
    source = (SOURCE / "screen" / "explain.py").read_text(encoding="utf-8")
    quoted = set(re.findall(r'"([a-z]+(?:-[a-z]+)*)"', source))
    assert {key.removesuffix(".you") for key in keys("refusal.")} <= quoted
    assert {code for code in quoted if "-" in code} <= keys("refusal.")


@pytest.mark.parametrize("card", CARDS)
def test_every_card_says_what_it_does(card: str) -> None:
    assert len(MESSAGES[f"card.{card}.text"]) <= MOST_ON_A_CARD


def test_every_card_that_names_zones_says_which() -> None:
    hints = {key for key in keys("status.aim.") if key.endswith(".hint")}
    assert keys("status.aim.") - hints == {CARDS[card] for card in AIMED}


def test_every_guess_has_its_button() -> None:
    assert keys("button.guess.") == set(TYPES[1:])


def test_faces_and_buttons_are_named_as_in_the_table_of_names() -> None:
    """The page uses these messages if it cannot load the table of names."""
    table = names.load(FOLDER, "en", TABLES).tables["pieces"].names
    for key, name in zip(TABLES["pieces"], table, strict=True):
        assert MESSAGES.get(f"face.{key}", name) == name
        assert MESSAGES.get(f"button.guess.{key}", name) == name
