"""CQ-28 to CQ-30: Reinforcements, Surprise Attack, New Spy Master."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC
from gonfalon.games.conquest.tests.diagrams import BLUE, RED, Position, position
from gonfalon.games.conquest.tests.turns import fallen

UNITS = "hi1K hi2F lo1X"
CARDS = ("reinforcements", "surprise-attack")
OTHERS = (BLUE, PUBLIC)


def card(name: str, red: str = UNITS, blue: str = "br1F br2K", **more: Any) -> Position:
    """Return a position in which red has drawn the card."""
    units = f"red: {red}; blue: {blue}"
    return position("narrows", units, phase="card", table=f"{ {'n': 'm'}.get(name[0], name[0]) }1", **more)


def empty(at: Position) -> set[str]:
    return set(at.game.names.zones) - {token.place for token in at.scene(EVERYTHING).tokens}


def near(at: Position, *zones: str) -> set[str]:
    """Return the empty zones that border at least one of these."""
    return set().union(*(at.near(zone) for zone in zones)) & empty(at)


# ---- the draw


@pytest.mark.parametrize("name", CARDS)
def test_cq_28_a_random_unit_of_the_own_reserve(name: str) -> None:
    at = card(name, fallen("hi2F hi3S hi1S lo1X ma15 ma26 ma37 ol18 ol29 ol3K ne14 ne2M")).play(f"+{name}")
    assert (at.phase, at.actor) == ("unit red", CHANCE)
    assert at.draws() == pytest.approx({"scout": 2 / 6, "sorceress": 3 / 6, "cursed-land": 1 / 6})


@pytest.mark.parametrize("name", CARDS)
def test_cq_28_the_card_is_told_before_the_unit_is_drawn(name: str) -> None:
    at = card(name).play(f"+{name}")
    for observer in (RED, *OTHERS):
        assert at.list_events(observer) == [f"card red {name}"]


@pytest.mark.parametrize("name", CARDS)
def test_cq_28_it_is_seen_by_its_owner_only(name: str) -> None:
    at = card(name).play(f"+{name}", "unit queen")
    assert (at.list_events(RED), at.list_events(EVERYTHING)) == (["unit red queen"], ["unit red queen"])
    assert at.tray("hand", RED, RED) == "9"
    for observer in OTHERS:
        assert at.list_events(observer) == ["unit-hidden red"]
        assert at.tray("hand", RED, observer) == "?"
    at = at.play("@ma1")
    assert at.list_events(RED)[0] == f"entered red queen ma1 {name}"
    for observer in OTHERS:
        assert at.list_events(observer)[0] == f"entered-hidden red ma1 {name}"
        assert at.unit("ma1", observer) == "red ?"
    assert at.unit("ma1", RED) == "red 9"


@pytest.mark.parametrize("name", CARDS)
def test_cq_28_which_unit_it_is_makes_no_difference_to_others(name: str) -> None:
    for texts in (("unit {}",), ("unit {}", "@ma1")):
        for observer in OTHERS:
            views = set()
            for unit in ("queen", "scout", "cursed-land"):
                at = card(name, fallen(UNITS)).play(f"+{name}", *(text.format(unit) for text in texts))
                views.add(at.game.view(at.state, observer).tobytes())
            assert len(views) == 1


@pytest.mark.parametrize("name", CARDS)
def test_cq_28_first_the_unit_then_the_zone_and_he_may_not_decline(name: str) -> None:
    at = card(name).play(f"+{name}", "unit queen")
    assert at.phase == "aim red"
    assert all(text.startswith("@") for text in at.legal())
    assert at.refusal("+none") == at.refusal("hi1-ma1") == "enter-first"
    assert at.refusal("@hi1") == at.refusal("@br2") == "occupied"


# ---- where to


def test_cq_28_an_empty_zone_that_borders_an_own_unit_flag_and_cursed_land_too() -> None:
    at = card("reinforcements").play("+reinforcements", "unit queen")
    assert at.legal() == {f"@{zone}" for zone in near(at, "hi1", "hi2", "lo1")}
    assert {"@je3", "@lo2", "@ma1"} <= at.legal()
    assert at.refusal("@ol1") == "not-near-own"


def test_cq_28_mountains_block() -> None:
    at = card("reinforcements", "hi3K re1F").play("+reinforcements", "unit queen")
    assert "@ne1" not in at.legal()
    assert {"@br3", "@re2"} <= at.legal()
    assert at.refusal("@ne1") == "not-near-own"


def test_cq_28_the_zone_is_chosen_with_the_unit_drawn_not_near_itself() -> None:
    at = card("reinforcements", "hi1K hi2F").play("+reinforcements", "unit queen")
    assert at.legal() == {f"@{zone}" for zone in near(at, "hi1", "hi2")}


def test_cq_28_it_needs_a_unit_in_the_reserve_and_such_a_zone() -> None:
    assert card("reinforcements", "hi1K hi2F *").refusal("+reinforcements") == "no-reserve"
    at = card("reinforcements", "re1F", "re25 re36")
    assert at.refusal("+reinforcements") == "no-empty-zone-near"
    assert "+reinforcements" in card("reinforcements", "re1F co1X", "re25 re36").legal()


def test_cq_29_any_empty_zone_of_the_map() -> None:
    at = card("surprise-attack").play("+surprise-attack", "unit queen")
    assert at.legal() == {f"@{zone}" for zone in empty(at)}
    assert {"@ol1", "@br3", "@st1"} <= at.legal()


def test_cq_29_with_no_empty_zone_near_too() -> None:
    at = card("surprise-attack", "re1F", "re25 re36")
    assert "+surprise-attack" in at.legal()
    assert card("surprise-attack", "hi1K hi2F *").refusal("+surprise-attack") == "no-reserve"


# ---- then


@pytest.mark.parametrize("name", CARDS)
def test_cq_28_it_may_move_this_turn(name: str) -> None:
    at = card(name).play(f"+{name}", "unit queen", "@ma1")
    assert (at.phase, at.row["moves"]) == ("move red", 1)
    assert "ma1-ma2" in at.legal()


@pytest.mark.parametrize("name", CARDS)
def test_cq_28_a_cursed_land_stays_where_it_is_put(name: str) -> None:
    at = card(name).play(f"+{name}", "unit cursed-land", "@ma1")
    assert (at.unit("ma1", RED), at.legal("ma1")) == ("red X", set())


@pytest.mark.parametrize("name", CARDS)
def test_cq_28_a_flag_is_never_drawn(name: str) -> None:
    """No reserve contains a Flag, even while another player holds it. A player without a Flag draws no cards at all."""
    assert "flag" not in card(name).play(f"+{name}").draws()


@pytest.mark.parametrize("name", CARDS)
def test_cq_28_the_reserve_has_one_less(name: str) -> None:
    at = card(name, fallen(UNITS))
    assert len(at.tray("reserve", RED, BLUE)) == 15
    at = at.play(f"+{name}", "unit queen", "@ma1")
    assert at.tray("reserve", RED, BLUE) == "?" * 14
    assert len(at.tray("reserve", RED, RED)) == 14
    assert "9" not in at.tray("reserve", RED, RED)


# ---- New Spy Master


def test_cq_30_the_own_spy_master_to_any_empty_zone() -> None:
    at = card("new-spy-master").play("+new-spy-master")
    assert at.legal() == {f"@{zone}" for zone in empty(at)}
    assert at.refusal("@hi1") == "occupied"
    at = at.play("@ol1")
    assert at.unit("ol1", RED) == "red M seen"
    assert "M" not in at.tray("reserve", RED)


def test_cq_30_all_know_which_unit_it_is() -> None:
    at = card("new-spy-master", fallen(UNITS)).play("+new-spy-master", "@ol1")
    for observer in (RED, *OTHERS):
        assert at.list_events(observer)[:2] == ["card red new-spy-master", "entered red spy-master ol1 new-spy-master"]
        assert at.unit("ol1", observer) == "red M seen"
        assert "M" not in at.tray("reserve", RED, observer)


def test_cq_30_until_it_is_placed_nobody_is_told() -> None:
    at = card("new-spy-master")
    seen = at.game.view(at.state, BLUE).tobytes()
    at = at.play("+new-spy-master")
    assert (at.game.view(at.state, BLUE).tobytes(), at.list_events(BLUE)) == (seen, [])


def test_cq_30_only_from_the_reserve() -> None:
    assert card("new-spy-master", "hi1K hi2F lo1M").refusal("+new-spy-master") == "no-master-in-reserve"


def test_cq_30_also_where_others_do_not_know_that_it_is_there() -> None:
    """After a draw from the reserve other players may not know whether the Spy Master is still in it. New Spy Master
    shows them.
    """
    lines = "among all red.3! red.4! red.5!; seen all " + " ".join(f"red.{k}" for k in range(6, 19))
    red = "hi1K hi2F ma1S (M) (5) (9) (8) (7) (6) (X) (X) (4) (C) (C) (C) (S) (S) (S)"
    at = card("new-spy-master", red, lines=lines.replace("red.3!", "ma1!"))
    assert at.groups(BLUE) == ["ma1 reserve.red: 5SM of 3"]
    at = at.play("+new-spy-master", "@ol1")
    assert at.unit("ol1", BLUE) == "red M seen"
    assert at.groups(BLUE) == ["ma1 reserve.red: 5S of 2"]


def test_cq_30_it_may_move_this_turn() -> None:
    at = card("new-spy-master").play("+new-spy-master", "@ol1")
    assert at.legal("ol1") == {"ol1-ol2", "ol1-ol3", "ol1-ma2"}
