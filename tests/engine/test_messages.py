"""Every family's words are complete, have well-formed placeholders and keep the style of the page."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib import import_module

import pytest

from gonfalon import games
from texts import PAGE_WORDS, message_pairs, messages

FAMILIES = games.families()
MESSAGES = [(family, key, text) for family in FAMILIES for key, text in message_pairs(family)]
PLACEHOLDERS = {
    "side", "other", "face", "faces", "attacker_face", "defender_face", "card", "territory",
    "space", "spaces", "first_space", "second_space", "flag_space", "from", "to", "limit", "left", "count", "moves",
    "cards", "round", "sides", "columns", "rows", "own", "pieces",
}  # fmt: skip
PLACEHOLDER = re.compile(r"\{([a-z_]+)(?::[A-Za-z]+)?\}")
"""The placeholder's name, which may be followed by a colon and a grammatical form."""

each_family = pytest.mark.parametrize("family", FAMILIES)


@each_family
def test_no_key_appears_twice(family: str) -> None:
    assert [key for key, count in Counter(key for key, _ in message_pairs(family)).items() if count > 1] == []


@each_family
def test_every_variant_has_its_words(family: str) -> None:
    words = messages(family)
    assert words[f"family.{family}"]
    written = {key for key in words if key.startswith("game.")}
    variants = games.families(unlisted=True)[family]
    assert written == {f"game.{variant}.{part}" for variant in variants for part in ("title", "text")}


@each_family
def test_every_switch_has_its_words(family: str) -> None:
    switches = {switch.name for variant in FAMILIES[family] for switch in games.ruleset(variant).switches}
    written = {key for key in messages(family) if key.startswith("switch.")}
    assert written == {f"switch.{name}.{part}" for name in switches for part in ("title", "text")}


@each_family
def test_every_end_has_its_words(family: str) -> None:
    reasons = import_module(f"gonfalon.games.{family}.state").OVER_REASONS
    ends = {key.removesuffix(".you").removesuffix(".many") for key in messages(family) if key.startswith("end.")}
    assert ends == {f"end.{reason}" for reason in reasons[1:]}


@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_every_agent_has_its_words(agent: str) -> None:
    """Agents belong to no family: only the page has words for them."""
    page: dict[str, str] = json.loads(PAGE_WORDS.read_text(encoding="utf-8"))
    assert page[f"agent.{agent}.title"]
    assert page[f"agent.{agent}.text"]
    assert not any(key.startswith("agent.") for _, key, _ in MESSAGES)


@each_family
def test_the_steps_of_a_turn_are_named(family: str) -> None:
    """`phases.<family>` lists the steps, each with its status codes. The first code names the step."""
    words = messages(family)
    listed = words.get(f"phases.{family}", "")
    for codes in listed.split(";") if listed else []:
        assert f"phase.{codes.split()[0]}" in words
        assert all(f"status.{code}" in words for code in codes.split())


@pytest.mark.parametrize(("family", "key", "text"), MESSAGES, ids=[f"{family}:{key}" for family, key, _ in MESSAGES])
def test_each_message_is_well_formed(family: str, key: str, text: str) -> None:
    assert re.fullmatch(r"[a-z]+(\.[a-z0-9_-]+)+", key)
    assert text == text.strip() != ""
    assert "!" not in text
    assert set(re.findall(PLACEHOLDER, text)) <= PLACEHOLDERS
    assert not set("{}") & set(re.sub(PLACEHOLDER, "", text)), "a brace that is no placeholder"
    is_sentence = key.startswith(("refusal.", "event.", "hint.")) or key.endswith(
        (".text", ".hint", ".hint-chosen", ".hint-before")
    )
    assert text.endswith(".") or not is_sentence
