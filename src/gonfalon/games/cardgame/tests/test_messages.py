"""The words of the Card Game: all there, placeholders well formed, and grid's own words where both say the same."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.ruleset import SWITCHES

FAMILIES = Path(games.__file__).parent
FILE = FAMILIES / "cardgame" / "messages" / "en.json"
VARIANTS = games.families()["cardgame"]
PLACEHOLDERS = {
    "side", "face", "attacker_face", "defender_face", "space", "spaces", "first_space", "second_space", "from", "to",
}  # fmt: skip
DIFFERENT = {"switch.max_quiet_turns.text", "switch.show_known.text", "status.deploy", "status.deploying"}
"""What the Card Game says in its own words though grid has a sentence for it."""


def pairs() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = json.loads(FILE.read_text(encoding="utf-8"), object_pairs_hook=list)
    return found


MESSAGES = dict(pairs())


def test_no_key_appears_twice() -> None:
    assert [key for key, count in Counter(key for key, _ in pairs()).items() if count > 1] == []


def test_every_variant_has_its_words() -> None:
    assert MESSAGES["family.cardgame"]
    written = {key for key in MESSAGES if key.startswith("game.")}
    assert written == {f"game.{variant}.{part}" for variant in VARIANTS for part in ("title", "text")}


def test_every_switch_has_its_words() -> None:
    written = {key for key in MESSAGES if key.startswith("switch.")}
    assert written == {f"switch.{switch.name}.{part}" for switch in SWITCHES for part in ("title", "text")}


def test_every_end_has_its_words() -> None:
    assert {key for key in MESSAGES if key.startswith("end.")} == {f"end.{reason}" for reason in g.OVER_REASONS[1:]}


def test_words_that_grid_has_too_are_the_same() -> None:
    grid = json.loads((FAMILIES / "grid" / "messages" / "en.json").read_text(encoding="utf-8"))
    assert {key for key in MESSAGES if key in grid and grid[key] != MESSAGES[key]} == DIFFERENT


def test_the_steps_of_a_turn_are_named() -> None:
    """`phases.cardgame` lists the steps, each as its status codes; the first of them names it."""
    for codes in MESSAGES["phases.cardgame"].split(";"):
        assert f"phase.{codes.split()[0]}" in MESSAGES
        assert all(f"status.{code}" in MESSAGES for code in codes.split())


@pytest.mark.parametrize(("key", "text"), MESSAGES.items())
def test_each_message_is_well_formed(key: str, text: str) -> None:
    assert re.fullmatch(r"[a-z]+(\.[a-z0-9_-]+)+", key)
    assert text == text.strip() != ""
    assert "!" not in text
    assert set(re.findall(r"\{([a-z_]+)\}", text)) <= PLACEHOLDERS
    assert not set("{}") & set(re.sub(r"\{[a-z_]+\}", "", text)), "a brace that is no placeholder"
    is_sentence = key.startswith(("refusal.", "event.")) or key.endswith((".text", ".hint", ".hint-chosen"))
    assert text.endswith(".") or not is_sentence
