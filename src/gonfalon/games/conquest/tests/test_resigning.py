"""CQ-25: resigning on one's own turn, on another player's turn, before the battle, and with Flags held."""

from __future__ import annotations

import pytest

from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC
from gonfalon.engine.screens.scene import Line
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.tests.diagrams import ARMY, BLUE, GREEN, OCHRE, RED, Position, begin, position
from gonfalon.games.conquest.tests.test_flags import four, three
from gonfalon.games.conquest.tests.test_start import drafted, lots, placed
from gonfalon.games.conquest.tests.turns import holders, moved, resigned

ALL = (RED, BLUE, GREEN, PUBLIC, EVERYTHING)
UNITS = ("th1K so2F um1S", "kf1F kf2S rw1K", "pe1F du1S")


def units_of(at: Position, side: int) -> list[str]:
    return [token.place for token in at.scene(EVERYTHING).tokens if token.side == g.SIDES[side]]


@pytest.mark.parametrize("player", [RED, BLUE, GREEN])
def test_cq_25_units_and_reserve_leave_unshown(player: int) -> None:
    before = three(*UNITS)
    at = resigned(before, player)
    assert units_of(at, player) == []
    for observer in ALL:
        assert at.list_events(observer)[0] == f"resigned {g.SIDES[player]}"
        assert at.tray("reserve", player, observer) == ""
        assert not [token for token in at.scene(observer).tokens if token.side == g.SIDES[player]]
        assert at.scene(observer).out == (g.SIDES[player],)
        assert at.scene(observer).left == (Line("resigned", {"side": g.SIDES[player]}),)
    for other in {RED, BLUE, GREEN} - {player}:
        assert units_of(at, other) == units_of(before, other)


def test_cq_25_on_turn_the_next_is_on_turn() -> None:
    at = resigned(three(*UNITS, moves=3), RED)
    assert at.phase == "draw blue"
    assert (at.ended, at.row["turn"]) == ("", 31)


def test_cq_25_off_turn_the_turn_goes_on() -> None:
    at = resigned(three(*UNITS, moves=3, made=1), BLUE)
    assert (at.phase, at.row["moves"], at.row["made"]) == ("move red", 3, 1)
    at = moved(at, "th1-th3").play("stop")
    assert at.phase.endswith("green")


def test_cq_25_he_is_asked_no_more() -> None:
    at = moved(resigned(three(*UNITS), BLUE), "th1-th3", "du1-du2")
    assert at.phase.endswith("red")
    assert not at.legal(player=BLUE)
    with pytest.raises(ValueError, match="already"):
        at.withdraw(BLUE)


@pytest.mark.parametrize(("phase", "due"), [("draw", 1), ("card", 0)])
def test_cq_25_his_cards_on_the_table_are_discarded(phase: str, due: int) -> None:
    at = resigned(three(*UNITS, phase=phase, table="b1 g2", due=due), RED)
    assert at.phase.endswith("blue")
    assert (at.tray("cards", "red"), at.tray("discard", "")) == ("", "bgg")


def test_cq_25_with_the_traitor_among_them_all_is_shuffled() -> None:
    at = resigned(three("th1K so2F um1S", "kf1F kf2S", "pe1F du1S", phase="card", table="t1 b1"), RED)
    assert (at.tray("discard", ""), at.tray("pile", "")) == ("", "?" * 42)
    assert "card-shuffled red" in at.list_events(PUBLIC)
    assert not at.row["traitor_last"]


def test_cq_25_off_turn_the_cards_of_who_is_on_turn_stay() -> None:
    at = resigned(three(*UNITS, phase="card", table="b1 g1"), BLUE)
    assert (at.phase, at.tray("cards", "red")) == ("card red", "bg")
    assert at.legal() == {"+blitz", "+regroup", "+none"}


def test_cq_25_his_flag_is_held_by_no_one() -> None:
    at = resigned(three(*UNITS), BLUE)
    assert holders(at) == "red - green"
    for side in (RED, GREEN):
        assert at.tray("flags", side, PUBLIC) == ""


def test_cq_25_a_flag_that_another_held_stays_with_him() -> None:
    at = resigned(three("th1K so2F", "kf2S <F>", "pe1F du1S", lines="blue flag red"), BLUE)
    assert holders(at) == "red red green"
    assert at.tray("flags", RED) == "F"


@pytest.mark.parametrize(
    ("player", "units", "lines", "expected"),
    [
        (BLUE, ("th1K so2F", "kf1F kf2S", "du1S <F>", "ga1F ga2S"), "green flag blue", "red - ochre ochre"),
        (BLUE, ("th1K so2F", "kf1F kf2S", "pe1F du1S", "ga2S <F>"), "ochre flag blue", "red - green green"),
        (OCHRE, ("th1K <F>", "kf1F kf2S", "pe1F du1S", "ga1F ga2S"), "red flag ochre", "blue blue green -"),
    ],
)
def test_cq_25_flags_he_held_pass_to_the_next_with_a_flag(
    player: int, units: tuple[str, str, str, str], lines: str, expected: str
) -> None:
    at = resigned(four(*units, lines=lines), player)
    assert holders(at) == expected
    assert at.ended == ""
    new = expected.split()[next(k for k in range(4) if k != player and expected.split()[k] != g.SIDES[k])]
    assert any(line.startswith("given") and line.endswith(new) for line in at.list_events(PUBLIC))


def test_cq_25_a_flag_passed_on_is_recaptured_from_the_new_holder() -> None:
    at = resigned(four("th1K <F>", "kf1F kf2S", "th2F du1S", "ga1F ga2S", lines="red flag blue"), BLUE)
    assert holders(at).startswith("green -")
    assert at.play("th1xth2").phase == "raise red"


def test_cq_25_control_is_looked_at_again_at_once() -> None:
    at = three("th1K th2F um1S", "kf1F um2S", "pe1F du1S")
    assert (at.controls(RED), at.controls(BLUE)) == ({"th"}, {"kf"})
    at = resigned(at, BLUE)
    assert (at.controls(RED), at.controls(BLUE)) == ({"th", "um"}, set())
    assert {"control red um", "contested kf"} <= set(at.list_events(PUBLIC))


def test_cq_25_the_turn_of_another_keeps_its_moves() -> None:
    """Blue's resignation leaves the city to red, but the number of moves was fixed at the start of red's turn
    (CQ-9).
    """
    at = three("th1K th2F kf1S", "pe1F kf2S", "nh1F nh2K", phase="card", table="b1")
    at = resigned(at, BLUE)
    assert (at.controls(RED), at.row["moves"]) == ({"th", "kf"}, 1)
    assert at.play("+none").row["moves"] == 1


def test_cq_25_who_resigns_leaves_no_quiet_round() -> None:
    at = three("th1K th2F", "pe1F kf2S", "nh1F nh2K", mover="green", rounds=60, quiet=49)
    at = moved(resigned(at, BLUE), "nh2-nh3")
    at = at.play("stop") if at.phase == "move green" else at
    assert (at.ended, at.row["quiet"]) == ("", 0)


def test_cq_25_then_who_has_the_only_flag_wins() -> None:
    at = resigned(three("th1K so2F", "kf1F kf2S", "du1S <F>"), BLUE)
    assert at.ended == "red resigned"
    assert at.list_events(PUBLIC)[-1] == "won red resigned"
    at = resigned(position("narrows", "red: hi1K hi2F; blue: br1F br2K"), RED)
    assert (at.ended, at.phase) == ("blue resigned", "over")


def test_cq_25_where_it_ends_the_match_what_stood_stays() -> None:
    before = three("th1K so2F um1S", "kf1F kf2S rw1K", "du1S <F>")
    after = resigned(before, BLUE)
    assert after.ended == "red resigned"
    assert units_of(after, BLUE) == units_of(before, BLUE) == ["kf1", "kf2", "rw1"]
    faces = {token.place: token.face for token in after.scene(EVERYTHING).tokens if token.side == "blue"}
    assert faces == {"kf1": "flag", "kf2": "scout", "rw1": "king"}
    assert after.tray("reserve", BLUE) == before.tray("reserve", BLUE)
    assert [token.face for token in after.scene(PUBLIC).tokens if token.place == "kf1"] == [""], "nothing is shown yet"


def test_cq_25_one_after_the_other() -> None:
    at = resigned(resigned(four("th1K so2F", "kf1F kf2S", "pe1F du1S", "ga1F ga2S"), GREEN), RED)
    assert at.phase == "move blue"
    at = resigned(at, OCHRE)
    assert at.ended == "blue resigned"
    assert at.game.outcome(at.state).returns == pytest.approx((-1 / 3, 1, -1 / 3, -1 / 3))


def test_cq_25_a_player_who_is_skipped_may_resign_too() -> None:
    at = moved(three("th1K so2F", "th2F um1X", "pe1F du1S"), "th1xth2")
    assert at.row["out"][BLUE] == g.SKIPPED
    at = resigned(at, BLUE)
    assert (at.row["out"][BLUE], at.unit("um1"), holders(at)) == (g.RESIGNED, "", "red red green")


def test_cq_25_in_the_middle_of_a_card() -> None:
    at = three(*UNITS, phase="card", table="s1 g1").play("+surprise-attack")
    assert at.actor == CHANCE
    for step in (at, at.play("unit queen")):
        after = resigned(step, RED)
        assert (after.phase, after.tray("discard", ""), units_of(after, RED)) == ("draw blue", "sg", [])
        assert after.tray("hand", RED) == ""
        after = resigned(step, GREEN)
        assert (after.phase, after.ended) == (step.phase, "")
    assert resigned(at, GREEN).play("unit queen", "@du1").unit("du1") == "red 9"


def test_cq_25_in_the_middle_of_an_open_choice() -> None:
    """A player who has named a zone of the player who resigns must choose a card again."""
    at = three(*UNITS, phase="card", table="t1 g1").play("+traitor", "@kf2")
    assert resigned(at, RED).phase.endswith("blue")
    after = resigned(at, BLUE)
    assert (after.phase, after.legal("+")) == ("card red", {"+traitor", "+regroup", "+none"})
    assert after.play("+traitor").legal() == {"@pe1", "@du1"}


def test_cq_25_with_a_recaptured_flag_in_hand() -> None:
    at = three("th1K so2S <F>", "th2F um1S", "pe1F du1S").play("th1xth2")
    assert at.phase == "raise red"
    after = resigned(at, RED)
    assert (after.ended, holders(after)) == ("green resigned", "- green green")
    after = resigned(at, GREEN)
    assert (after.ended, holders(after)) == ("red resigned", "red red -")
    after = resigned(at, BLUE)
    assert (after.phase, after.legal("@th1")) == ("raise red", {"@th1"})


# ---- before the battle


@pytest.mark.parametrize("player", [RED, BLUE])
def test_cq_25_before_the_battle_the_last_one_left_wins(player: int) -> None:
    for at in (begin("narrows"), lots("narrows", "king"), lots("narrows", "king", "baron"), drafted("narrows")):
        after = resigned(at, player)
        assert (after.ended, after.phase) == (f"{g.SIDES[1 - player]} resigned", "over")


def test_cq_25_in_the_draw_for_the_start_the_others_draw_on() -> None:
    at = resigned(lots("three", "king"), BLUE)
    assert at.phase == "starting green"
    at = at.play("start baron")
    assert at.phase == "draft red"
    at = resigned(lots("three", "king", "baron"), GREEN)
    assert at.phase == "draft red"
    at = resigned(lots("three", "king", "baron", "king"), RED)
    assert at.phase == "draft green"


def test_cq_25_in_the_choice_of_territories_the_others_choose_on() -> None:
    at = resigned(lots("three", "king", "baron", "baron").play("th"), BLUE)
    seats = []
    while at.phase.startswith("draft"):
        seats.append(at.actor)
        at = at.play(min(at.legal()))
    assert (
        seats
        == [GREEN, GREEN, RED, RED, GREEN, GREEN, RED, RED, GREEN, GREEN, RED, RED, GREEN, GREEN, RED][: len(seats)]
    )
    assert len(seats) == 15
    assert at.game.to_act(at.state) == (RED, GREEN)


def _begun(player: int, at: Position) -> Position:
    """Let the player resign before the rest have placed their units; return the position at the start of the battle."""
    at = resigned(at, player)
    while at.phase.startswith("draft"):
        at = at.play(min(at.legal()))
    for other in at.game.to_act(at.state):
        at = placed(at, other, ARMY + "." * (3 * int((at.row["owner"] == other).sum()) - 18))
    return at


@pytest.mark.parametrize("player", [RED, BLUE, GREEN])
@pytest.mark.parametrize("at", [lots("three", "king", "baron", "baron").play("th"), drafted("three")])
def test_cq_25_his_territories_stay_empty(at: Position, player: int) -> None:
    at = _begun(player, at)
    assert at.row["started"]
    assert units_of(at, player) == []
    assert len(at.scene(PUBLIC).tokens) == 36
    assert at.controls(player) == set()
    first = next(side for side in (RED, BLUE, GREEN) if side != player)
    assert at.phase == f"draw {g.SIDES[first]}"


def test_cq_25_a_starting_player_who_resigned_has_no_turn() -> None:
    at = _begun(RED, drafted("three"))
    told = at.list_events(PUBLIC)
    assert not [line for line in told if line.startswith(("turn red", "no-move red"))], told


def test_cq_25_what_he_had_placed_is_taken_back() -> None:
    at = resigned(placed(drafted("three"), BLUE, ARMY + "." * 6), BLUE)
    for player in (RED, GREEN):
        at = placed(at, player, ARMY + "." * 6)
    assert (at.phase, units_of(at, BLUE)) == ("draw red", [])


def test_cq_25_in_the_placement_of_the_last_who_is_not_ready_the_battle_begins() -> None:
    at = drafted("three")
    for player in (RED, GREEN):
        at = placed(at, player, ARMY + "." * 6)
    at = resigned(placed(at, BLUE, "K."), BLUE)
    assert at.phase == "draw red"
    assert at.list_events(PUBLIC)[1].startswith("battle-begins")


def test_cq_25_the_starting_player_who_resigned_while_units_were_placed_gets_no_turn() -> None:
    at = drafted("three")
    for player in (BLUE, GREEN):
        at = placed(at, player, ARMY + "." * 6)
    at = resigned(at, RED)
    assert (at.phase, at.row["turn"]) == ("draw blue", 0)
    assert not [told for told in at.list_events(PUBLIC) if told.startswith("turn red")]


def test_cq_25_a_match_in_which_one_resigned_early_can_be_written_down() -> None:
    at = _begun(BLUE, lots("three", "king", "baron", "baron").play("th"))
    assert at.game.parse_state(at.text)[0]["at"].tolist() == at.row["at"].tolist()
