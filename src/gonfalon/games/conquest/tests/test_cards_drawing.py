"""CQ-10 to CQ-12, CQ-33, CQ-34: drawing, playing and discarding cards, and which cards cannot be played."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC
from gonfalon.games.conquest.tests.diagrams import BLUE, RED, Position, position

OBSERVERS = (RED, BLUE, PUBLIC, EVERYTHING)
REST = "r6 b12 s4 g11 i5 m2"
"""The deck without the Traitor and one Blitz! card."""


def table(red: str = "hi1K hi2F ma1S", blue: str = "br1F br2K", **more: Any) -> Position:
    return position("narrows", f"red: {red}; blue: {blue}", **more)


def cards(kinds: str, **more: Any) -> Position:
    """Return a position with these cards on the table."""
    return table(phase="card", table=kinds, **more)


# ---- drawing


@pytest.mark.parametrize("count", range(1, 9))
def test_cq_10_half_as_many_cards_as_territories_rounded_down(count: int) -> None:
    own = ["ma2K", "hi1F", "ol1X", "re1S", "co1S", "ne1S", "fa1X", "ta1S"][: max(count, 2)]
    red = " ".join(own) if count > 1 else "ma2K ma1F"
    at = table(red, mover="blue", start="blue").play("br2-br3")
    assert len(at.controls(RED)) == count
    assert at.row["due"] == count // 2
    assert at.actor == (CHANCE if count > 1 else RED)


def test_cq_10_face_up_for_all() -> None:
    at = table(phase="draw", due=2).play("draw regroup")
    for observer in OBSERVERS:
        assert at.list_events(observer) == ["drew red regroup"]
        assert at.tray("cards", RED, observer) == "g"
    at = at.play("draw blitz")
    assert (at.phase, at.tray("cards", RED, PUBLIC)) == ("card red", "bg")


def test_cq_10_each_card_of_the_pile_is_as_likely() -> None:
    at = table(phase="draw", due=1, pile="r1 b2 g4 t1", discard="r5 b11 s4 g7 i5 m2")
    assert at.draws() == pytest.approx({"reinforcements": 1 / 8, "blitz": 1 / 4, "regroup": 1 / 2, "traitor": 1 / 8})


def test_cq_10_one_of_them_may_be_played() -> None:
    at = cards("b2 g1 r1")
    assert at.legal() == {"+blitz", "+regroup", "+reinforcements", "+none"}
    assert at.refusal("+traitor") == "card-not-drawn"


def test_cq_10_not_more() -> None:
    at = cards("b2 g1 r1").play("+blitz")
    assert at.phase == "move red"
    assert not at.legal("+")
    assert at.refusal("+blitz") == "cards-over"


def test_cq_10_not_compulsory() -> None:
    at = cards("b2").play("+none")
    for observer in OBSERVERS:
        assert at.list_events(observer) == ["no-card red"]
    assert (at.phase, at.row["moves"]) == ("move red", 1)


@pytest.mark.parametrize("text", ["+none", "+blitz"])
def test_cq_10_then_all_go_to_the_discard_face_up_before_the_first_move(text: str) -> None:
    at = cards("b2 g1", discard="i1").play(text)
    assert at.row["made"] == 0
    for observer in OBSERVERS:
        assert at.tray("discard", "", observer) == "bbgi"
        assert at.tray("cards", RED, observer) == ""


def test_cq_10_moves_come_after_the_card() -> None:
    at = cards("b1")
    assert not at.legal("hi1")
    assert at.refusal("hi1-hi3") == at.refusal("stop") == "card-first"


def test_cq_10_the_number_of_cards_left_is_public() -> None:
    at = table(phase="draw", due=2, discard="b10")
    for observer in OBSERVERS:
        assert at.tray("pile", "", observer) == "?" * 32
        assert at.play("draw blitz").tray("pile", "", observer) == "?" * 31


# ---- a new pile


def test_cq_11_the_pile_is_renewed_only_when_a_card_must_be_drawn() -> None:
    at = table(phase="draw", due=1, table="t1", pile="b1", discard=REST).play("draw blitz")
    assert (at.phase, at.tray("pile", "")) == ("card red", "")
    assert len(at.tray("discard", "")) == 40
    assert not [line for line in at.list_events(PUBLIC) if "shuffled" in line]


def test_cq_11_and_none_is_there_while_cards_are_on_the_table() -> None:
    at = table(phase="draw", due=2, table="t1", pile="b1", discard=REST).play("draw blitz")
    for observer in OBSERVERS:
        assert at.list_events(observer) == ["drew red blitz", "shuffled red"]
    assert (at.tray("discard", ""), at.tray("pile", ""), at.tray("cards", RED)) == ("", "?" * 40, "bt")
    deck = {"reinforcements": 6, "blitz": 12, "surprise-attack": 4, "regroup": 11, "secret-information": 5}
    assert at.draws() == pytest.approx({name: n / 40 for name, n in {**deck, "new-spy-master": 2}.items()})
    assert at.play("draw regroup").tray("cards", RED) == "bgt"


def test_cq_11_the_traitor_may_be_anywhere_then() -> None:
    at = table(phase="card", table="t1 b1").play("+none")
    pile = next(line for line in at.text.splitlines() if line.startswith("pile")).removeprefix("pile ")
    assert pile == "r6 b13 s4 g11 i5 t1 m2"


# ---- the Traitor's shuffle


@pytest.mark.parametrize("played", [True, False])
def test_cq_12_when_the_traitor_is_put_away_discard_and_pile_are_shuffled(played: bool) -> None:
    at = cards("t1 b1", discard="g3 r2")
    assert len(at.tray("pile", "")) == 35
    at = at.play(*(("+traitor", "@br2", "?scout") if played else ("+none",)))
    assert (at.phase, at.row["made"]) == ("move red", 0)
    for observer in OBSERVERS:
        assert at.list_events(observer)[-1] == "card-shuffled red"
        assert (at.tray("discard", "", observer), at.tray("pile", "", observer)) == ("", "?" * 42)


def test_cq_12_also_when_another_card_is_played() -> None:
    at = cards("t1 b1", discard="g3").play("+blitz")
    assert (at.tray("discard", ""), len(at.tray("pile", ""))) == ("", 42)


def test_cq_12_not_while_it_lies_on_the_table() -> None:
    at = table(phase="draw", due=1, table="t1", discard="g3").play("draw blitz")
    assert at.tray("discard", "") == "ggg"


def test_cq_12_from_then_on_it_may_be_drawn_any_time() -> None:
    at = cards("t1 b1").play("+none", "hi1-hi3", "br2-br3")
    assert at.phase == "draw red"
    assert at.draws()["traitor"] == pytest.approx(1 / 42)


def test_cq_12_without_the_traitor_nothing_is_shuffled() -> None:
    at = cards("b2", discard="g3").play("+none")
    assert (at.tray("discard", ""), len(at.tray("pile", ""))) == ("bbggg", 37)
    assert at.row["traitor_last"]


# ---- not playable

ARMY_ON = "hi1K hi2F ma1S *"


@pytest.mark.parametrize(
    ("letter", "name", "red", "blue", "code"),
    [
        ("r", "reinforcements", ARMY_ON, "br1F br2K", "no-reserve"),
        ("s", "surprise-attack", ARMY_ON, "br1F br2K", "no-reserve"),
        ("r", "reinforcements", "re1F", "re25 re36", "no-empty-zone-near"),
        ("m", "new-spy-master", "hi1K hi2F ma1M", "br1F br2K", "no-master-in-reserve"),
        ("m", "new-spy-master", ARMY_ON, "br1F br2K", "no-master-in-reserve"),
        ("i", "secret-information", "hi1K hi2F ma1S", "br1F br2K", "no-master-on-board"),
        ("i", "secret-information", "hi1F ol1M", "br1F ne1K", "no-pair"),
        ("g", "regroup", "hi1K hi2F", "br1F br2K", "too-few-units"),
    ],
)
def test_cq_34_a_card_that_cannot_be_carried_out_is_not_playable(
    letter: str, name: str, red: str, blue: str, code: str
) -> None:
    at = table(red, blue, phase="card", table=f"{letter}1 b1")
    assert at.legal() == {"+blitz", "+none"}
    assert at.refusal(f"+{name}") == code


def test_cq_34_with_nothing_playable_the_cards_are_put_away() -> None:
    at = table("hi1K hi2F", "br1F br2K", phase="card", table="g2")
    assert at.legal() == {"+none"}
    assert at.play("+none").tray("discard", "") == "gg"


def test_cq_34_mountains_count() -> None:
    """Highgate 3 and Nessa 1 touch only at a ridge, so they do not border each other and are no pair for
    the card.
    """
    at = table("hi3M re1F", "st1F ne1K", phase="card", table="i1")
    assert at.refusal("+secret-information") == "no-pair"


@pytest.mark.parametrize("card", ["traitor", "blitz", "surprise-attack", "reinforcements", "regroup"])
def test_cq_34_otherwise_it_is(card: str) -> None:
    letter = {"traitor": "t", "blitz": "b", "surprise-attack": "s", "reinforcements": "r", "regroup": "g"}[card]
    assert f"+{card}" in table("hi1K hi2F ma1S", "br1F", phase="card", table=f"{letter}1").legal()
