"""Scenes and choices, tested on views filled in by hand."""

from __future__ import annotations

import pytest

from gonfalon.engine.game import EVERYTHING, PUBLIC
from gonfalon.games.conquest import maps
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import CARDS
from gonfalon.games.conquest.screen.board import board
from gonfalon.games.conquest.screen.scene import AIMED
from gonfalon.games.conquest.tests.sights import BLUE, GREEN, OCHRE, RED, Sight, deploying, grouped

# ---- the board


@pytest.mark.parametrize("variant", ["conquest", "conquest-narrows"])
def test_the_board_is_the_map(variant: str) -> None:
    land = Sight(variant=variant).land
    shown = board(land)
    near = {space.id: set(space.near) for space in shown.spaces}
    assert (shown.layout, shown.columns, shown.rows) == ("map", *land.size)
    assert tuple(near) == land.zone_ids
    assert all(one in near[other] for one, others in near.items() for other in others)
    assert [region.id for region in shown.regions] == [territory.id for territory in land.territories]
    assert {space.zone for space in shown.spaces} == {region.id for region in shown.regions}
    assert len(shown.ridges) == len(land.ridges)
    assert len(shown.islets) == len(land.islets)
    assert shown.frontier == maps.frontier_path(land)
    assert board(land) is shown


def test_zones_are_named_by_territory_and_number() -> None:
    shown = board(Sight().land)
    spaces = {space.id: space for space in shown.spaces}
    assert spaces["kf2"].name == "Keyfort 2"
    assert spaces["kf2"].tags == ("city",)
    assert spaces["um2"].tags == ()
    assert spaces["kf2"].reach > 0


def test_each_city_has_its_tower() -> None:
    land = Sight().land
    towers = [region.tower is not None for region in board(land).regions]
    assert towers == [territory.city > 0 for territory in land.territories]


# ---- units


def test_units_are_shown_by_slot_and_zone() -> None:
    sight = Sight().put(RED, kf1="K", kf2="F").put(BLUE, um1="?")
    assert sight.tokens() == ["red1 kf1 king", "red2 kf2 flag", "blue1 um1 ?"]


def test_marks_say_what_is_known() -> None:
    sight = Sight().put(RED, kf1="K").put(BLUE, um1="?", um2="8", um3="?")
    sight.row["marks"][[sight.slot("kf1"), sight.slot("um2")]] = g.SEEN
    sight.row["ruled_out"][sight.slot("um1")] = g.IMMOBILE
    sight.row["ruled_out"][sight.slot("um2")] = g.IMMOBILE
    sight.row["ruled_out"][sight.slot("um3")] = 1 << g.FLAG
    assert sight.tokens() == ["red1 kf1 king seen", "blue1 um1 ? moved", "blue2 um2 prince seen", "blue3 um3 ?"]


def test_a_group_is_told_with_its_places() -> None:
    sight = grouped(g.KING, g.SCOUT)
    [group] = sight.scene().groups
    assert (group.side, group.places, group.faces, group.count) == ("blue", ("um1", "um2"), ("king", "scout"), 2)
    assert sight.tokens()[1:] == ["blue1 um1 ? among", "blue2 um2 ? among", "blue3 um3 ?"]


def test_a_group_may_reach_into_the_reserve() -> None:
    [group] = grouped(g.KING, inside=2).scene().groups
    assert (group.places, group.count) == (("um1", "um2", "reserve.blue"), 4)


def test_a_group_of_which_nothing_is_known_is_not_told() -> None:
    sight = grouped()
    assert sight.scene().groups == ()
    assert sight.tokens()[1:] == ["blue1 um1 ?", "blue2 um2 ?", "blue3 um3 ?"]


def test_what_was_seen_can_be_left_to_memory() -> None:
    sight = grouped(g.KING)
    sight.row["kind"][sight.slot("um3")] = 7
    sight.row["marks"][[sight.slot("um3"), sight.slot("kf1")]] = g.SEEN
    sight.row["reserve"][BLUE][4], sight.row["n_reserve"][BLUE] = 1, 3
    assert sight.tokens(show_known=False) == ["red1 kf1 king", "blue1 um1 ?", "blue2 um2 ?", "blue3 um3 ?"]
    assert sight.scene(show_known=False).groups == ()
    assert sight.tray("reserve", "blue", show_known=False) == ["3 ?"]
    assert sight.tray("reserve", "blue") == ["1 baron", "2 ?"]


# ---- trays


def test_reserves_hold_what_is_known_and_the_rest() -> None:
    sight = Sight()
    sight.row["reserve"][BLUE][[g.SCOUT, g.KING]] = (2, 1)
    sight.row["n_reserve"][BLUE] = 5
    assert sight.tray("reserve", "blue") == ["1 king", "2 scout", "2 ?"]
    assert sight.tray("reserve", "red") == []


def test_flags_lie_before_who_holds_them() -> None:
    sight = Sight(holder=(RED, RED, RED, OCHRE))
    assert sight.tray("flags", "red") == ["1 flag blue", "1 flag green"]
    assert sight.tray("flags", "ochre") == []
    assert Sight(holder=(BLUE, BLUE, g.NONE, OCHRE)).tray("flags", "blue") == ["1 flag red"]


def test_item_ids_are_unique() -> None:
    sight = Sight(g.CARD, holder=(RED, RED, RED, RED), table=(1, 2, 0, 0, 1, 0, 0), pile=(1,) * 7, discard=(1,) * 7)
    sight.row["n_reserve"] = 3
    ids = [item.id for tray in sight.scene().trays for item in tray.items]
    assert len(set(ids)) == len(ids)


def test_drawn_cards_lie_before_who_drew_them() -> None:
    sight = Sight(
        g.CARD, mover=GREEN, table=(0, 2, 0, 0, 0, 1, 0), pile=(3, 1, 0, 0, 0, 0, 0), discard=(0, 0, 0, 1, 0, 0, 0)
    )
    assert sight.tray("cards", "green") == ["2 blitz", "1 traitor"]
    assert sight.tray("pile") == ["4 ?"]
    assert sight.tray("discard") == ["1 regroup"]


def test_a_drawn_unit_is_in_hand() -> None:
    sight = Sight(g.AIM, playing=g.SURPRISE, hand=3)
    sight.row["kind"][3] = g.KING
    assert sight.tray("hand", "red") == ["1 king"]
    sight.row["kind"][3] = g.HIDDEN
    assert sight.tray("hand", "red") == ["1 ?"]


def test_a_flag_to_be_raised_is_in_hand() -> None:
    assert Sight(g.RAISE, mover=BLUE).tray("hand", "blue") == ["1 flag"]
    assert Sight(g.RAISE, mover=BLUE).tray("hand", "red") == []


# ---- tints


def test_territories_have_the_colour_of_who_controls_them() -> None:
    sight = Sight()
    sight.row["control"][:2] = (RED, BLUE)
    assert sight.tints()[:3] == ["th held.red", "al held.blue", "mb contested"]
    assert len(sight.tints()) == 24


@pytest.mark.parametrize("phase", [g.DRAFT, g.DEPLOY])
def test_before_the_battle_of_who_chose_them(phase: int) -> None:
    sight = Sight(phase)
    sight.row["owner"][:2] = (RED, BLUE)
    assert sight.tints() == ["th held.red", "al held.blue"]


@pytest.mark.parametrize(
    ("act", "tints"),
    [
        (g.MOVED, ["kf1 from", "kf2 to"]),
        (g.ATTACKED, ["kf1 from", "kf2 to"]),
        (g.LOOKED, ["kf1 to", "kf2 to"]),
    ],
)
def test_the_last_act_is_marked(act: int, tints: list[str]) -> None:
    sight = Sight()
    sight.row["last"] = (act, sight.zone("kf1"), sight.zone("kf2"), g.NONE)
    assert sight.tints()[:2] == tints
    sight.row["last"] = (g.ENTERED, sight.zone("kf1"), g.NONE, g.NONE)
    assert sight.tints()[:2] == ["kf1 to", "th contested"]
    sight.row["last"] = (g.REGROUPED, sight.zone("kf1"), sight.zone("kf2"), sight.zone("um1"))
    assert sight.tints()[:3] == ["kf1 to", "kf2 to", "um1 to"]


def test_zones_named_for_a_card_are_marked() -> None:
    sight = Sight(g.AIM, playing=g.REGROUP).choose("kf1", "um1")
    sight.row["last"] = (g.MOVED, sight.zone("kf2"), sight.zone("kf1"), g.NONE)
    assert sight.tints()[:3] == ["kf2 from", "kf1 target", "um1 target"]


# ---- status, buttons, choices


@pytest.mark.parametrize(
    ("phase", "own", "other"),
    [
        (g.STARTING, "drawing-lots", "drawing-lots"),
        (g.DRAFT, "draft", "drafting"),
        (g.DRAW, "drawing", "drawing"),
        (g.CARD, "card", "carding"),
        (g.ORDER, "order", "carding"),
        (g.GUESS, "guess", "carding"),
        (g.UNIT, "entering", "entering"),
        (g.RAISE, "raise", "raising"),
        (g.MOVE, "move", "turn"),
    ],
)
def test_status(phase: int, own: str, other: str) -> None:
    assert Sight(phase).status()[:2] == (own, "red")
    for observer in (BLUE, PUBLIC, EVERYTHING):
        assert Sight(phase, observer=observer).status() == (other, "red")


@pytest.mark.parametrize("card", range(g.CARDS))
def test_status_while_a_card_is_carried_out(card: int) -> None:
    if card == g.BLITZ:
        return
    sight = Sight(g.AIM, playing=card)
    entering = card in (g.REINFORCEMENTS, g.SURPRISE)
    wanted = ("enter", "red") if entering else (f"aim.{CARDS[card]}", "red", AIMED[card])
    assert sight.status() == wanted
    assert Sight(g.AIM, playing=card, observer=PUBLIC).status()[0] == ("entering" if entering else "carding")


def test_status_counts_the_territories_that_are_chosen() -> None:
    sight = Sight(g.DRAFT)
    assert sight.status() == ("draft", "red", 1, 6)
    sight.row["owner"][:2] = RED
    assert sight.status() == ("draft", "red", 3, 6)
    assert Sight(g.DRAFT, "conquest-three").status() == ("draft", "red", 1, 8)


def test_status_counts_what_is_left() -> None:
    assert Sight(g.AIM, playing=g.REGROUP).choose("kf1").status() == ("aim.regroup", "red", 2)
    assert Sight(moves=3, made=1).status() == ("move", "red", 3, True)
    assert Sight(moves=1).status() == ("move", "red", 1, False)
    assert Sight(g.OVER).status() == ("over",)


def test_status_while_all_deploy() -> None:
    ready = (1, 0, 0, 0)
    assert Sight(g.DEPLOY, ready=ready).status() == ("wait-deploy", "red")
    assert Sight(g.DEPLOY, ready=ready, observer=BLUE).status() == ("deploy", "blue")
    assert Sight(g.DEPLOY, ready=ready, out=(0, g.RESIGNED, 0, 0)).scene().to_act == ("green", "ochre")
    assert Sight(g.DEPLOY).scene().started is False
    assert Sight(g.DEPLOY, out=(0, g.RESIGNED, 0, 0)).scene().out == ("blue",)


def test_a_card_is_played_or_declined() -> None:
    sight = Sight(g.CARD, table=(0, 1, 0, 1, 0, 0, 0)).may("+blitz", "+none")
    assert sight.paths() == ["card card.blitz", "decline do.no-card"]
    assert [button.id for button in sight.scene().buttons] == ["do.no-card"]


def test_moves_and_attacks() -> None:
    sight = Sight(made=1).put(RED, kf1="K").put(BLUE, kf2="?").may("stop", "kf1xkf2", "kf1-kf3")
    assert sight.paths() == ["stop do.stop", "attack kf1 kf2", "move kf1 kf3"]
    assert [button.id for button in sight.scene().buttons] == ["do.stop"]


def test_the_first_move_cannot_be_declined() -> None:
    assert Sight().put(RED, kf1="K").may("kf1-kf3").scene().buttons == ()


def test_a_territory_is_chosen_by_any_of_its_zones() -> None:
    assert Sight(g.DRAFT).may("kf").paths() == ["pick kf1", "pick kf2", "pick kf3"]


@pytest.mark.parametrize(
    ("phase", "card", "verb"),
    [
        (g.AIM, g.REGROUP, "aim"),
        (g.AIM, g.SURPRISE, "enter"),
        (g.RAISE, g.NONE, "raise"),
        (g.RAISE, g.SURPRISE, "raise"),
    ],
)
def test_zones_are_named(phase: int, card: int, verb: str) -> None:
    assert Sight(phase, playing=card).may("@kf1").paths() == [f"{verb} kf1"]


def test_a_guess_is_a_button() -> None:
    sight = Sight(g.GUESS, playing=g.TRAITOR).choose("um1").may(*range(g.ACT_GUESS + 1, g.ACT_STOP))
    assert sight.paths()[-1] == "guess guess.flag"
    assert [button.id for button in sight.scene().buttons] == [choice.path[0] for choice in sight.choices()]
    assert len(sight.choices()) == 12


def test_choices_are_the_same_objects_each_time() -> None:
    sight = Sight().put(RED, kf1="K").may("kf1-kf2", "kf1-kf3")
    assert all(one is other for one, other in zip(sight.choices(), sight.choices(), strict=True))
    assert all(one is other for one, other in zip(sight.scene().tokens, sight.scene().tokens, strict=True))


# ---- arrangements


def test_a_deployment_is_arranged() -> None:
    sight = deploying(laid="K.XX")
    arrange = sight.scene().arrange
    assert arrange is not None
    left = {piece.face: piece.count for piece in arrange.pieces}
    assert left["scout"] == 4
    assert left["flag"] == 1
    assert left[""] == 36 - 4 - 15
    assert not {"king", "cursed-land"} & left.keys()
    assert len(arrange.places) == 32
    assert sight.tokens() == ["p.th1 th1 king", "p.th3 th3 cursed-land", "p.mb1 mb1 cursed-land"]
    assert sight.choices() == ()


def test_three_units_are_put_back() -> None:
    sight = Sight(g.ORDER, playing=g.REGROUP).put(RED, kf1="K", kf2="S", um1="S").put(BLUE, um2="?")
    sight.choose("um1", "kf2", "kf1").may("K", "S")
    arrange = sight.scene().arrange
    assert arrange is not None
    assert arrange.places == ("um1", "kf1", "kf2")
    assert [(piece.face, piece.letter, piece.count) for piece in arrange.pieces] == [
        ("king", "K", 1),
        ("scout", "S", 2),
    ]
    assert sight.tokens() == ["blue1 um2 ?"]
    sight.row["ordered"][0], sight.row["n_ordered"] = g.SCOUT, 1
    arrange = sight.scene().arrange
    assert arrange is not None
    assert arrange.places == ("kf1", "kf2")
    assert [piece.count for piece in arrange.pieces] == [1, 1]
    assert sight.tokens() == ["blue1 um2 ?", "p.um1 um1 scout"]
