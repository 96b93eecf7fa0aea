"""CQ-1, CQ-2, CQ-4 to CQ-8: material, who starts, territories, hidden placement."""

from __future__ import annotations

from collections import Counter

import pytest

from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import CARDS, TYPES
from gonfalon.games.conquest.tests.diagrams import ARMY, BLUE, GREEN, OCHRE, RED, Position, begin, make, position

UNITS = {
    "king": 1, "queen": 1, "prince": 1, "duke": 1, "count": 1, "knight": 1, "baron": 1, "sorceress": 3, "scout": 4,
    "spy-master": 1, "cursed-land": 2, "flag": 1,
}  # fmt: skip
DECK = {
    "reinforcements": 6, "blitz": 13, "surprise-attack": 4, "regroup": 11, "secret-information": 5, "traitor": 1,
    "new-spy-master": 2,
}  # fmt: skip
ALL_VARIANTS = ("conquest", "three", "two", "narrows")


def lots(variant: str, *faces: str) -> Position:
    """Return the position after these draws for the start."""
    return begin(variant).play(*(f"start {face}" for face in faces))


def drafted(variant: str = "narrows", *faces: str) -> Position:
    """Return a position in which all territories are chosen, each time the first one left. Red starts unless `faces`
    say otherwise.
    """
    players = make(variant).info.players
    at = lots(variant, *(faces or ("king", *["baron", "scout", "cursed-land"][: players - 1])))
    while at.phase.startswith("draft"):
        at = at.play(next(name for name in at.game.names.territories if name in at.legal()))
    return at


def placed(at: Position, player: int, letters: str) -> Position:
    return at.play(*letters, player=player)


# ---- material


@pytest.mark.parametrize("variant", ALL_VARIANTS)
def test_cq_1_eighteen_units_of_twelve_types(variant: str) -> None:
    army = make(variant).rules[0]["army"].tolist()
    assert {name: count for name, count in zip(TYPES, army, strict=True) if count} == UNITS
    assert sum(army) == 18
    assert len(UNITS) == 12


def test_cq_1_ranks_are_the_codes_of_the_types() -> None:
    ranks = [TYPES.index(name) for name in ("king", "queen", "prince", "duke", "count", "knight", "baron")]
    assert ranks == [10, 9, 8, 7, 6, 5, 4]
    assert [TYPES.index(name) for name in ("sorceress", "scout", "spy-master")] == [3, 2, 1]


def test_cq_1_with_four_all_zones_are_full_and_only_combats_are_possible() -> None:
    at = drafted("conquest")
    for player in range(4):
        at = placed(at, player, ARMY)
    assert len(at.scene(PUBLIC).tokens) == 72
    while at.actor == CHANCE:
        at = at.play("draw blitz")
    at = at.play("+none")
    assert at.phase == "move red"
    assert at.legal()
    assert all("x" in text for text in at.legal())


@pytest.mark.parametrize("variant", ALL_VARIANTS)
def test_cq_2_forty_two_cards_of_seven_kinds(variant: str) -> None:
    at = begin(variant)
    assert dict(zip(CARDS, at.game.rules[0]["deck"].tolist(), strict=True)) == DECK
    assert at.tray("pile", "") == "?" * 42


# ---- who starts


@pytest.mark.parametrize("player", [RED, BLUE, GREEN])
def test_cq_4_each_draws_from_the_full_bag(player: int) -> None:
    at = lots("three", *["king", "queen"][:player])
    assert at.phase == f"starting {g.SIDES[player]}"
    assert at.game.to_act(at.state) == (CHANCE,)
    assert at.draws() == pytest.approx({name: count / 18 for name, count in UNITS.items()})


def test_cq_4_for_all_to_see() -> None:
    at = lots("three", "knight")
    for observer in (RED, BLUE, GREEN, PUBLIC, EVERYTHING):
        assert at.list_events(observer) == ["start-drew red knight"]


@pytest.mark.parametrize(
    ("faces", "starts"),
    [
        ("knight baron", "red"),
        ("baron knight", "blue"),
        ("cursed-land spy-master", "blue"),
        ("sorceress scout", "red"),
        ("king flag", "blue"),
        ("flag king", "red"),
        ("king queen", "red"),
        ("king spy-master", "blue"),
        ("spy-master king", "red"),
        ("queen spy-master", "red"),
        ("flag spy-master", "red"),
        ("knight count prince", "green"),
        ("king spy-master queen", "blue"),
        ("king spy-master flag", "green"),  # the King is not the highest unit, so the exception does not apply
        ("king king spy-master", "green"),
        ("spy-master spy-master queen", "green"),
    ],
)
def test_cq_4_the_highest_starts_but_a_spy_master_beside_a_king(faces: str, starts: str) -> None:
    names = faces.split()
    at = lots("three" if len(names) == 3 else "narrows", *names)
    assert at.phase == f"draft {starts}"
    assert at.row["start"] == g.SIDES.index(starts)
    for observer in (RED, BLUE, PUBLIC):
        assert at.list_events(observer)[-1] == f"starts {starts}"


def test_cq_4_the_tied_draw_again_from_the_full_bag() -> None:
    at = lots("three", "knight", "scout", "knight")
    assert at.list_events(PUBLIC) == ["start-drew green knight", "start-tie"]
    assert at.phase == "starting red"
    assert at.draws() == pytest.approx({name: count / 18 for name, count in UNITS.items()})
    at = at.play("start cursed-land")
    assert at.phase == "starting green", "blue was not tied and draws no more"
    assert at.play("start spy-master").phase == "draft green"


def test_cq_4_tied_again_they_draw_again() -> None:
    at = lots("conquest", "queen", "queen", "scout", "queen").play("start duke", "start duke", "start baron")
    assert (at.phase, at.row["contends"].tolist()) == ("starting red", [1, 1, 0, 0])
    assert at.play("start king", "start spy-master").phase == "draft blue"


def test_cq_4_two_spy_masters_beside_a_king_are_a_tie() -> None:
    at = lots("three", "spy-master", "king", "spy-master")
    assert at.list_events(PUBLIC)[-1] == "start-tie"
    assert at.row["contends"].tolist() == [1, 0, 1, 0]
    assert at.play("start scout", "start knight").phase == "draft green"


def test_cq_4_after_twenty_ties_the_first_of_them_starts() -> None:
    at = begin("three").play("start scout")
    for _ in range(g.MOST_TIES):
        assert at.phase.startswith("starting")
        at = at.play("start knight", "start knight")
        if at.row["ties"] == 1:
            assert at.phase == "starting blue"
    assert at.phase == "draft blue"


# ---- cards


def test_cq_5_the_traitor_is_at_the_bottom() -> None:
    at = position("narrows", "red: hi1K hi2F; blue: br1F br2K", phase="draw", due=1)
    assert at.draws() == pytest.approx({name: n / 41 for name, n in DECK.items() if name != "traitor"})


def test_cq_5_and_is_drawn_when_it_is_the_last() -> None:
    at = position(
        "narrows",
        "red: hi1K ma1S ol1S re1S hi2F; blue: br1F br2K",
        phase="draw",
        due=2,
        pile="b1 t1 traitor-last",
        discard="r6 b12 s4 g11 i5 m2",
    )
    assert at.draws() == {"blitz": 1}
    assert at.play("draw blitz").draws() == {"traitor": 1}


def test_cq_5_only_until_the_first_shuffle() -> None:
    at = position("narrows", "red: hi1K hi2F; blue: br1F br2K", phase="card", table="t1 b1").play("+none")
    at = position("narrows", "red: hi1K hi2F; blue: br1F br2K", phase="draw", due=1, pile=_pile(at))
    assert at.draws()["traitor"] == pytest.approx(1 / 42)


def _pile(at: Position) -> str:
    """Return the pile of a position as text."""
    return next(line for line in at.text.splitlines() if line.startswith("pile")).removeprefix("pile ")


# ---- territories


def _picking(variant: str, *faces: str) -> list[int]:
    """Return the players in the order of their choices."""
    at, players = lots(variant, *faces), []
    while at.phase.startswith("draft"):
        players.append(at.actor)
        at = at.play(min(at.legal()))
    return players


def test_cq_6_snake_order_of_two() -> None:
    assert _picking("narrows", "king", "baron") == [0, 1, 1, 0] * 3
    assert _picking("narrows", "baron", "king") == [1, 0, 0, 1] * 3


def test_cq_6_snake_order_of_three_clockwise_from_the_starting_player() -> None:
    assert _picking("three", "baron", "baron", "king") == [2, 0, 1, 1, 0, 2] * 4


def test_cq_6_snake_order_of_four() -> None:
    assert _picking("conquest", "baron", "king", "baron", "baron") == [1, 2, 3, 0, 0, 3, 2, 1] * 3


@pytest.mark.parametrize(("variant", "each"), [("two", 12), ("three", 8), ("conquest", 6), ("narrows", 6)])
def test_cq_6_until_all_are_taken(variant: str, each: int) -> None:
    at = drafted(variant)
    players = at.game.info.players
    assert Counter(at.row["owner"].tolist()[: players * each]) == dict.fromkeys(range(players), each)
    assert at.game.to_act(at.state) == tuple(range(players))


def test_cq_6_any_territory_that_is_free_one_at_a_time() -> None:
    at = lots("narrows", "king", "baron")
    assert at.legal() == set(at.game.names.territories)
    at = at.play("je")
    assert at.list_events(PUBLIC) == at.list_events(BLUE) == ["picked red je"]
    assert at.legal() == set(at.game.names.territories) - {"je"}
    assert at.refusal("je") == "taken"
    assert not at.legal(player=RED)


# ---- placement


def test_cq_7_all_place_at_the_same_time() -> None:
    at = drafted("three")
    assert at.game.to_act(at.state) == (RED, BLUE, GREEN)
    at = placed(placed(placed(at, GREEN, "K9"), RED, "."), BLUE, "X")
    assert at.game.to_act(at.state) == (RED, BLUE, GREEN)


def test_cq_7_in_zones_of_the_own_territories_in_their_order() -> None:
    at = drafted("narrows")
    own = [zone for t, zone in _zones(at) if at.row["owner"][t] == RED]
    at = placed(at, RED, ARMY)
    at = placed(at, BLUE, ARMY[::-1])
    assert [at.unit(zone, RED) for zone in own] == [f"red {letter}" for letter in ARMY]
    assert [at.unit(zone, BLUE) for zone in own] == ["red ?"] * 18


def _zones(at: Position) -> list[tuple[int, str]]:
    return [(z // 3, zone) for z, zone in enumerate(at.game.names.zones)]


def test_cq_7_hidden_until_all_are_ready_but_that_one_is_ready() -> None:
    at = drafted("two")
    seen = [at.game.view(at.state, observer).tobytes() for observer in (BLUE, PUBLIC)]
    for letter in ("K", ".", *ARMY[1:-1], *("." * 17)):
        at = placed(at, RED, letter)
        assert [at.game.view(at.state, observer).tobytes() for observer in (BLUE, PUBLIC)] == seen
        assert at.list_events(BLUE) == at.list_events(PUBLIC) == []
        assert at.list_events(RED) != []
    at = placed(at, RED, "F")
    assert at.list_events(BLUE) == at.list_events(PUBLIC) == ["ready red"]
    view = at.game.view(at.state, BLUE)
    assert view.ready.tolist()[:2] == [1, 0]
    assert not [token for token in at.scene(BLUE).tokens if token.side == "red"]


def test_cq_7_it_is_final_once_sent() -> None:
    at = placed(drafted("narrows"), RED, ARMY)
    assert at.game.to_act(at.state) == (BLUE,)
    assert not at.legal(player=RED)
    assert at.refusal("K", player=RED) == "already-placed"


def test_cq_7_a_wrong_placement_is_refused_with_the_reason() -> None:
    at = placed(drafted("two"), RED, "K")
    assert at.refusal("K", player=RED) == "none-left"
    at = placed(at, RED, "." * 18)
    assert "." not in at.legal(player=RED)
    assert at.refusal(".", player=RED) == "must-fill"


def test_cq_7_on_a_full_map_no_zone_stays_empty() -> None:
    assert "." not in drafted("narrows").legal(player=RED)
    assert "." in drafted("three").legal(player=RED)


def test_cq_7_zones_and_whole_territories_may_stay_empty_these_are_contested() -> None:
    at = drafted("two")
    at = placed(placed(at, RED, "." * 3 + "K.." + ARMY[1:] + "." * 13), BLUE, ARMY + "." * 18)
    red = [t for t in range(24) if at.row["owner"][t] == RED]
    assert at.row["control"][red].tolist() == [g.NONE, *[RED] * 7, *[g.NONE] * 4]
    assert at.row["control"][at.row["owner"] == BLUE].tolist() == [BLUE] * 6 + [g.NONE] * 6
    assert [at.unit(at.game.names.zones[3 * red[1] + k], BLUE) for k in range(3)] == ["red ?", "", ""]


def test_cq_7_from_then_on_the_zones_occupied_are_public() -> None:
    at = placed(placed(drafted("narrows"), RED, ARMY), BLUE, ARMY)
    assert [told.split()[0] for told in at.list_events(PUBLIC)[:2]] == ["ready", "battle-begins"]
    for observer in (RED, BLUE, PUBLIC):
        tokens = at.scene(observer).tokens
        assert len(tokens) == 36
        own = g.SIDES[observer] if observer >= 0 else ""
        assert all(bool(token.face) == (token.side == own) for token in tokens)


# ---- the first turn


@pytest.mark.parametrize(("faces", "first"), [(("king", "baron"), "red"), (("baron", "king"), "blue")])
def test_cq_8_the_starting_player_moves_first(faces: tuple[str, str], first: str) -> None:
    at = placed(placed(drafted("narrows", *faces), BLUE, ARMY), RED, ARMY)
    assert at.phase == f"draw {first}"
    assert at.row["due"] == 3


def test_cq_8_play_goes_clockwise() -> None:
    units = "red: th1F th2K; blue: rw1F rw2K; green: nh1F nh2K; ochre: kf1F kf2K"
    at = position("conquest", units, mover="green", start="green")
    seats = []
    for zone in ("nh2-nh3", "kf2-kf3", "th2-th3", "rw2-rw3", "nh3-nh2"):
        seats.append(at.actor)
        at = at.play(zone)
        at = at.play("stop") if at.row["made"] else at
    assert seats == [GREEN, OCHRE, RED, BLUE, GREEN]
