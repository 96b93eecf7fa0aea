"""The grid family's words: all there, placeholders well formed, in the tone of the page."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.games.grid import deployments
from gonfalon.games.grid.ruleset import SWITCHES

FILE = Path(games.__file__).parent / "grid" / "messages" / "en.json"
PAGE = Path(__file__).parents[2] / "web" / "src" / "messages" / "en.json"
VARIANTS = games.families()["grid"]
PLACEHOLDERS = {
    "side",
    "face",
    "attacker_face",
    "defender_face",
    "space",
    "first_space",
    "second_space",
    "flag_space",
    "from",
    "to",
    "limit",
}


def pairs() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = json.loads(FILE.read_text(encoding="utf-8"), object_pairs_hook=list)
    return found


MESSAGES = dict(pairs())


def test_no_key_appears_twice() -> None:
    assert [key for key, count in Counter(key for key, _ in pairs()).items() if count > 1] == []


def test_every_variant_has_its_words() -> None:
    assert MESSAGES["family.grid"]
    written = {key for key in MESSAGES if key.startswith("game.")}
    assert written == {f"game.{variant}.{part}" for variant in VARIANTS for part in ("title", "text")}


def test_every_switch_has_its_words() -> None:
    written = {key for key in MESSAGES if key.startswith("switch.")}
    assert written == {f"switch.{switch.name}.{part}" for switch in SWITCHES for part in ("title", "text")}


def test_every_deployment_has_its_words() -> None:
    names = {name for variant in VARIANTS for name in deployments.load(games.ruleset(variant))}
    assert {key for key in MESSAGES if key.startswith("deployment.")} == {f"deployment.{name}" for name in names}


@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_every_agent_has_its_words(agent: str) -> None:
    """Agents are of no one family: the page words them, and no family does so again."""
    page: dict[str, str] = json.loads(PAGE.read_text(encoding="utf-8"))
    assert page[f"agent.{agent}.title"]
    assert page[f"agent.{agent}.text"]
    assert not any(key.startswith("agent.") for key in MESSAGES)


@pytest.mark.parametrize(("key", "text"), MESSAGES.items())
def test_each_message_is_well_formed(key: str, text: str) -> None:
    assert re.fullmatch(r"[a-z]+(\.[a-z0-9_-]+)+", key)
    assert text == text.strip() != ""
    assert "!" not in text
    assert set(re.findall(r"\{([a-z_]+)\}", text)) <= PLACEHOLDERS
    assert not set("{}") & set(re.sub(r"\{[a-z_]+\}", "", text)), "a brace that is no placeholder"
    is_sentence = key.startswith(("refusal.", "event.")) or key.endswith(".text")
    assert text.endswith(".") or not is_sentence
