"""Zones, actions and deployments as text."""

from __future__ import annotations

import pytest

from gonfalon.engine.game import EVERYTHING, TextError
from gonfalon.engine.view import View, zero_rows
from gonfalon.games.conquest import maps
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import CARDS, TYPES
from gonfalon.games.conquest.text.notation import (
    CARD_LETTERS,
    LETTERS,
    action_text,
    deployment_text,
    names_of,
    parse_action,
    parse_deployment,
)

LAND = maps.read(maps.FOLDER / "narrows.toml")
NAMES = names_of(LAND)
ARMY = (0, 1, 4, 3, 1, 1, 1, 1, 1, 1, 1, 2, 1)
FULL = "MSSSSCCC456789KXXF"
ZONES = len(NAMES.zones)
NO_TEXT = {g.ACT_GUESS, g.ACT_START, g.ACT_UNIT}
"""Ids of actions with unit type 0, which does not exist."""


def view_of(observer: int = 0) -> View:
    """Return a view with a red unit in hi1 and a blue one in hi2; red is on turn."""
    record = zero_rows(g.VIEW)
    record["observer"], record["at"] = observer, g.NONE
    record["at"][0, :2] = 0, g.ARMY
    return View(record, observer)


def words() -> list[int]:
    """Return the ids that mean an action on this map."""
    known = [action for action in range(g.ACTIONS) if action not in NO_TEXT]
    beyond = {g.ACT_PICK + t for t in range(len(NAMES.territories), g.TERRITORIES)}
    beyond |= {g.ACT_ZONE + zone for zone in range(ZONES, g.ZONES)}
    beyond |= {g.ACT_MOVE + a * g.ZONES + b for a in range(g.ZONES) for b in range(g.ZONES) if max(a, b) >= ZONES}
    return [action for action in known if action not in beyond]


def test_names_are_made_once_a_map() -> None:
    again = maps.read(maps.FOLDER / "narrows.toml")
    assert names_of(again) is NAMES
    assert (NAMES.zones[3], NAMES.territories[1]) == ("ma1", "ma")
    assert (NAMES.zone("ma1"), NAMES.territory("ma")) == (3, 1)
    for what, text in ((NAMES.zone, "hi4"), (NAMES.zone, "hi"), (NAMES.territory, "hi1"), (NAMES.territory, "")):
        with pytest.raises(TextError, match=repr(text)):
            what(text)


def test_letters_stand_for_all_types_and_cards() -> None:
    assert (len(LETTERS), len(set(LETTERS))) == (len(TYPES), len(TYPES))
    assert (len(CARD_LETTERS), len(set(CARD_LETTERS))) == (len(CARDS), len(CARDS))


@pytest.mark.parametrize("observer", [0, 1, EVERYTHING])
def test_there_and_back(observer: int) -> None:
    view, actions = view_of(observer), words()
    texts = [action_text(view, action, NAMES) for action in actions]
    assert len(set(texts)) == len(texts)
    assert [parse_action(f" {text} ", view, NAMES) for text in texts] == actions
    assert [parse_action(text, None, NAMES) for text in texts] == actions


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("K", g.ACT_PLACE + g.KING),
        (".", g.ACT_PLACE),
        ("4", g.ACT_PLACE + 4),
        ("ma", g.ACT_PICK + 1),
        ("+regroup", g.ACT_CARD + g.REGROUP),
        ("+none", g.ACT_NO_CARD),
        ("@hi2", g.ACT_ZONE + 1),
        ("?king", g.ACT_GUESS + g.KING),
        ("?cursed-land", g.ACT_GUESS + g.CURSED_LAND),
        ("stop", g.ACT_STOP),
        ("hi1-ma1", g.ACT_MOVE + 3),
        ("hi1xhi2", g.ACT_MOVE + 1),
        ("start king", g.ACT_START + g.KING),
        ("draw new-spy-master", g.ACT_DRAW + g.NEW_MASTER),
        ("unit spy-master", g.ACT_UNIT + g.SPY_MASTER),
    ],
)
def test_examples(text: str, action: int) -> None:
    assert action_text(view_of(), action, NAMES) == text
    assert parse_action(text, None, NAMES) == action


def test_an_attack_is_where_an_enemy_stands() -> None:
    move = g.ACT_MOVE + 1 * g.ZONES
    assert action_text(view_of(0), move, NAMES) == "hi2-hi1"
    assert action_text(view_of(1), move, NAMES) == "hi2xhi1"
    assert action_text(view_of(EVERYTHING), move, NAMES) == "hi2-hi1"
    assert parse_action("hi2-hi1", None, NAMES) == parse_action("hi2xhi1", None, NAMES) == move


@pytest.mark.parametrize("action", [-1, g.ACTIONS, *NO_TEXT, g.ACT_PICK + 23, g.ACT_ZONE + 71, g.ACT_START - 1])
def test_ids_that_nothing_is_have_no_text(action: int) -> None:
    with pytest.raises(TextError, match=str(action)):
        action_text(view_of(), action, NAMES)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no action"),
        ("k", "no action"),
        ("hi1-zz1", "'zz1' is no zone"),
        ("hi4-hi1", "'hi4' is no zone"),
        ("hi1+hi2", "no action"),
        ("hi1-hi2", "hi2: attacks are written with x"),
        ("hi1xma1", "ma1: no enemy is there"),
        ("@hi", "'hi' is no zone"),
        ("?marshal", "'marshal' is none of spy-master, scout"),
        ("?", "'' is none of spy-master"),
        ("+joker", "'joker' is none of reinforcements, .*, none"),
        ("draw king", "'king' is none of reinforcements"),
        ("start blitz", "'blitz' is none of spy-master"),
        ("unit", "'' is none of spy-master"),
    ],
)
def test_other_texts_are_refused(text: str, reason: str) -> None:
    with pytest.raises(TextError, match=reason):
        parse_action(text, view_of(), NAMES)


@pytest.mark.parametrize("text", [FULL, FULL[::-1], FULL[:9] + "......" + FULL[9:], "KSX", "SSC"])
def test_deployments(text: str) -> None:
    assert deployment_text(parse_deployment(f" {text}\n", ARMY, ZONES).tolist()) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "18 to 36 zones"),
        (FULL[1:], "18 to 36 zones"),
        (FULL + ".", "3 each, not 19"),
        (FULL + "." * 21, "18 to 36 zones"),
        (FULL.replace("K", "."), "0 king: the army has 1"),
        (FULL.replace("K", "9"), "2 queen: the army has 1"),
        (FULL.replace("K", "Q"), "'Q' at place 15 is no unit"),
        ("KK4", "2 king: the army has 1"),
        ("K.4", "without one"),
    ],
)
def test_other_deployments_are_refused(text: str, reason: str) -> None:
    with pytest.raises(TextError, match=reason):
        parse_deployment(text, ARMY, ZONES)


def test_only_placing_is_a_deployment() -> None:
    with pytest.raises(TextError, match="placed"):
        deployment_text([g.ACT_PLACE + g.KING, g.ACT_PICK])
