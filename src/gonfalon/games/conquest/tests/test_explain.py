"""Reasons why an action or a path of ids is not possible, tested on views filled in by hand."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import PUBLIC
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.tests.sights import BLUE, RED, Sight


def field(phase: int = g.MOVE, **fields: Any) -> Sight:
    """Return a view with red's King, Flag, Cursed Land, Scout and Spy Master near Keyfort and blue's units beside them.
    Ochre has no unit nearby.
    """
    sight = Sight(phase, n_reserve=(2, 0, 0, 0), **fields)
    sight.put(RED, kf1="K", kf2="F", kf3="X", um3="S", ga2="M").put(BLUE, qu2="?", so3="?", rf1="?")
    return sight.may("kf1xqu2")


# ---- when it is not the time


def test_what_is_legal_is_not_refused() -> None:
    assert field().refusal("kf1xqu2") is None


@pytest.mark.parametrize("observer", [BLUE, PUBLIC])
def test_others_are_not_on_turn(observer: int) -> None:
    sight = field(observer=observer).may()
    assert sight.refusal("kf1-or2") == ("not-your-turn",)
    assert sight.path_refusal("kf1", "or2") == ("not-your-turn",)


@pytest.mark.parametrize("phase", [g.STARTING, g.DRAW, g.UNIT])
def test_nobody_is_while_chance_draws(phase: int) -> None:
    assert field(phase).may().refusal("kf1-or2") == ("not-your-turn",)


@pytest.mark.parametrize("text", ["draw blitz", "start king", "unit king"])
def test_chance_is_not_chosen(text: str) -> None:
    assert field().refusal(text) == ("drawn-by-chance",)


@pytest.mark.parametrize("action", [-1, g.ACTIONS, g.ACT_GUESS, g.ACT_START, g.ACT_UNIT])
def test_numbers_of_nothing(action: int) -> None:
    assert field().refusal(action) == ("unknown-action",)


def test_numbers_of_another_map() -> None:
    sight = Sight(variant="conquest-narrows").may("hi1-hi2")
    for action in (g.ACT_PICK + 12, g.ACT_ZONE + 36, g.ACT_MOVE + 36, g.ACT_MOVE + 36 * g.ZONES):
        assert sight.refusal(action) == ("unknown-action",)


def test_nothing_is_done_when_the_match_is_over() -> None:
    assert field(g.OVER).may().refusal("kf1-or2") == ("over",)
    assert field(g.OVER).may().path_refusal("kf1") == ("over",)


def test_who_is_out_does_nothing() -> None:
    assert field(out=(g.SKIPPED, 0, 0, 0)).may().refusal("kf1-or2") == ("out",)


@pytest.mark.parametrize(
    ("phase", "more", "text", "refusal"),
    [
        (g.DRAFT, {}, "kf1-or2", ("draft-first",)),
        (g.DEPLOY, {}, "kf", ("deploy-first",)),
        (g.DEPLOY, {"ready": (1, 0, 0, 0)}, "K", ("already-placed",)),
        (g.CARD, {}, "kf1-or2", ("card-first",)),
        (g.AIM, {"playing": g.REGROUP}, "kf1-or2", ("aim-first", "regroup")),
        (g.AIM, {"playing": g.SURPRISE}, "stop", ("enter-first", "surprise-attack")),
        (g.ORDER, {"playing": g.REGROUP}, "@kf1", ("order-first",)),
        (g.GUESS, {"playing": g.TRAITOR}, "@kf1", ("guess-first",)),
        (g.RAISE, {}, "kf1-or2", ("raise-first",)),
        (g.MOVE, {}, "+blitz", ("cards-over",)),
        (g.MOVE, {}, "+none", ("cards-over",)),
        (g.MOVE, {}, "@kf1", ("not-now",)),
        (g.MOVE, {}, "K", ("not-now",)),
    ],
)
def test_something_else_comes_first(phase: int, more: dict[str, Any], text: str, refusal: tuple[Any, ...]) -> None:
    assert field(phase, **more).may("?king" if phase == g.GUESS else "kf3-kf1").refusal(text) == refusal


# ---- before the battle


def test_a_territory_is_chosen_once() -> None:
    sight = Sight(g.DRAFT).may("um")
    sight.row["owner"][sight.zone("kf1") // g.IN_TERRITORY] = BLUE
    assert sight.refusal("kf") == ("taken", "kf", "blue")
    assert sight.path_refusal("kf3") == ("taken", "kf", "blue")


def test_all_units_are_placed() -> None:
    sight = Sight(g.DEPLOY).may("K")
    assert sight.refusal("S") == ("none-left", "scout")
    assert sight.refusal(".") == ("must-fill",)
    sight = Sight(g.ORDER).may("K")
    assert sight.refusal("S") == ("not-regrouped", "scout")
    assert sight.refusal(".") == ("must-put-back",)


# ---- cards


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("+reinforcements", "no-reserve"),
        ("+surprise-attack", "no-reserve"),
        ("+regroup", "too-few-units"),
        ("+secret-information", "no-master-on-board"),
        ("+traitor", "no-enemy-unit"),
        ("+new-spy-master", "no-master-in-reserve"),
    ],
)
def test_a_card_that_cannot_be_carried_out(text: str, refusal: str) -> None:
    sight = Sight(g.CARD, table=(1,) * 7).may("+none")
    assert sight.refusal(text) == (refusal, text[1:])
    assert sight.path_refusal(f"card.{text[1:]}") == (refusal, text[1:])


def test_a_card_that_was_not_drawn() -> None:
    assert field(g.CARD).may("+none").refusal("+blitz") == ("card-not-drawn", "blitz")


def test_secret_information_needs_a_pair() -> None:
    sight = Sight(g.CARD, table=(1,) * 7).put(RED, kf1="M").may("+none")
    assert sight.refusal("+secret-information") == ("no-pair", "secret-information")


def test_a_unit_needs_an_empty_zone() -> None:
    sight = Sight(g.CARD, table=(1,) * 7, n_reserve=(2, 0, 0, 0)).may("+none")
    sight.row["reserve"][RED][g.SPY_MASTER] = 1
    sight.row["at"] = 20
    for name in ("reinforcements", "surprise-attack", "new-spy-master"):
        assert sight.refusal(f"+{name}") == ("no-empty-zone", name)
    sight.row["at"][5] = g.NONE
    assert sight.refusal("+reinforcements") == ("no-empty-zone-near", "reinforcements")


# ---- zones for a card


@pytest.mark.parametrize(
    ("card", "text", "refusal"),
    [
        (g.REGROUP, "@or1", ("no-own-unit", "or1")),
        (g.REGROUP, "@qu2", ("no-own-unit", "qu2")),
        (g.REINFORCEMENTS, "@qu2", ("occupied", "qu2")),
        (g.REINFORCEMENTS, "@th1", ("not-near-own", "th1")),
        (g.SURPRISE, "@kf1", ("occupied", "kf1")),
        (g.NEW_MASTER, "@kf1", ("occupied", "kf1")),
        (g.SECRET, "@or1", ("no-unit", "or1")),
        (g.SECRET, "@rf1", ("no-neighbour", "rf1")),
        (g.TRAITOR, "@or1", ("no-unit", "or1")),
        (g.TRAITOR, "@kf1", ("own-unit", "kf1")),
    ],
)
def test_zones_that_a_card_is_not_for(card: int, text: str, refusal: tuple[str, ...]) -> None:
    sight = field(g.AIM, playing=card).may("@al1")
    assert sight.refusal(text) == refusal
    assert sight.path_refusal(text[1:]) == refusal


def test_a_zone_is_named_once() -> None:
    for card in (g.REGROUP, g.SECRET):
        assert field(g.AIM, playing=card).choose("kf1").may("@al1").refusal("@kf1") == ("already-chosen", "kf1")


def test_the_second_zone_borders_the_first() -> None:
    sight = field(g.AIM, playing=g.SECRET).choose("kf1").may("@qu2")
    assert sight.refusal("@rf1") == ("not-bordering", "kf1", "rf1")
    assert sight.refusal("@so3") == ("ridge-between", "kf1", "so3")


def test_a_flag_is_raised_on_an_empty_zone() -> None:
    sight = field(g.RAISE).may("@al1")
    assert sight.refusal("@kf1") == ("occupied", "kf1")


# ---- moves


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("al1-al2", ("no-own-unit", "al1")),
        ("qu2-qu1", ("no-own-unit", "qu2")),
        ("kf2-kf3", ("never-moves", "flag")),
        ("kf3-um1", ("never-moves", "cursed-land")),
        ("kf1-kf1", ("same-zone", "kf1")),
        ("kf1-kf2", ("own-unit-there", "kf2")),
        ("kf1xso3", ("ridge-between", "kf1", "so3")),
        ("kf1-th1", ("not-bordering", "kf1", "th1")),
        ("um3-mb2", ("ridge-between", "um3", "mb2")),
        ("um3-th1", ("no-way", "um3", "th1")),
        ("um3xrf1", ("no-way", "um3", "rf1")),
        ("stop", ("must-move",)),
        ("?king", ("not-now",)),
    ],
)
def test_moves(text: str, refusal: tuple[str, ...]) -> None:
    assert field().refusal(text) == refusal


def test_a_run_that_may_not_end_in_combat() -> None:
    sight = field()
    sight.rules = sight.rules.copy()
    sight.rules["scout_attacks_after_run"] = 0
    assert sight.refusal("um3xrf1") == ("run-then-attack", "um3", "rf1")


# ---- paths


@pytest.mark.parametrize(
    ("path", "refusal"),
    [
        ((), ("unknown-action",)),
        (("nowhere",), ("unknown-action",)),
        (("kf1", "nowhere"), ("unknown-action",)),
        (("kf1", "do.stop"), ("unknown-action",)),
        (("kf1", "kf2", "kf3"), ("unknown-action",)),
        (("reserve.red.king",), ("unknown-action",)),
        (("al1",), ("no-own-unit", "al1")),
        (("qu2", "kf1"), ("no-own-unit", "qu2")),
        (("kf2",), ("never-moves", "flag")),
        (("kf1",), ("say-where", "kf1")),
        (("ga2",), ("no-move-from", "ga2")),
        (("kf1", "kf2"), ("own-unit-there", "kf2")),
        (("do.stop",), ("must-move",)),
        (("do.no-card",), ("cards-over",)),
        (("card.blitz",), ("cards-over",)),
        (("guess.king",), ("not-now",)),
    ],
)
def test_paths(path: tuple[str, ...], refusal: tuple[str, ...]) -> None:
    assert field().path_refusal(*path) == refusal


def test_paths_at_other_times() -> None:
    assert field(g.CARD).may("+none").path_refusal("kf1", "or2") == ("card-first",)
    assert field(g.CARD).may("+none").path_refusal("kf1") == ("card-first",)
    assert field(g.CARD).may("+none").path_refusal("do.stop") == ("card-first",)
    assert Sight(g.DEPLOY).may("K").path_refusal("kf1") == ("deploy-first",)
    assert Sight(g.DRAFT).may("um").path_refusal("kf1", "kf2") == ("draft-first",)
