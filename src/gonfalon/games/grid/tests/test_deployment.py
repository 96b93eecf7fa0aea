"""GR-1 to GR-3: armies, boards, deployment."""

from __future__ import annotations

import numpy as np
import pytest

from gonfalon.engine.game import PUBLIC, IllegalActionError, TextError
from gonfalon.games.grid.tests.diagrams import BLUE, RED, Position, deployed, make

ORDER = "10 9 8 7 6 5 4 3 2 1 bomb flag"
ORIGINAL = "c5 d5 c6 d6 g5 h5 g6 h6"
CLASSIC = "c4 d4 c5 d5 g4 h4 g5 h5"
TABLE = {
    # variant: rows of the board, rows to deploy in, blocked squares, army in ORDER
    "original": (10, 4, ORIGINAL, "1 1 2 3 4 4 4 5 8 1 6 1"),
    "classic": (8, 3, CLASSIC, "1 1 2 3 3 2 2 4 5 1 5 1"),
    "special": (8, 3, CLASSIC, "1 1 2 3 3 2 2 4 5 1 5 1"),
    "duel": (8, 3, CLASSIC, "1 1 0 0 0 0 0 2 2 1 2 1"),
    "duel-10x10": (10, 4, ORIGINAL, "1 1 0 0 0 0 0 2 2 1 2 1"),
    "barrage": (10, 4, ORIGINAL, "1 1 0 0 0 0 0 1 2 1 1 1"),
}
NAMES = dict(
    zip(
        ORDER.split(),
        [
            "marshal",
            "general",
            "colonel",
            "major",
            "captain",
            "lieutenant",
            "sergeant",
            "miner",
            "scout",
            "spy",
            "bomb",
            "flag",
        ],
        strict=True,
    )
)
LETTERS = dict(zip(NAMES.values(), "M98765432SBF", strict=True))

DUEL = "FB..3..3.." + "B...S..2.." + "2...9....M"


def army_text(variant: str) -> str:
    """The variant's army as one deployment, in the order of the table, the empty squares last."""
    _, rows, _, counts = TABLE[variant]
    text = "".join(LETTERS[NAMES[rank]] * int(count) for rank, count in zip(ORDER.split(), counts.split(), strict=True))
    return text.ljust(rows * 10, ".")


@pytest.mark.parametrize("variant", TABLE)
def test_gr_1_boards(variant: str) -> None:
    rows, own, blocked, _ = TABLE[variant]
    board = make(variant).board()
    assert (board.columns, board.rows) == (10, rows)
    assert {s.id for s in board.spaces if s.ground == "water"} == set(blocked.split())
    for side, numbers in (("red", range(1, own + 1)), ("blue", range(rows - own + 1, rows + 1))):
        assert {s.id for s in board.spaces if s.zone == side} == {f"{f}{n}" for f in "abcdefghij" for n in numbers}


@pytest.mark.parametrize("variant", TABLE)
def test_gr_1_each_side_places_its_whole_army_on_its_own_rows(variant: str) -> None:
    rows, own, _, counts = TABLE[variant]
    at = deployed(variant, army_text(variant), army_text(variant))
    pieces = {square: cell for square, cell in at.cells().items() if cell not in ("..", "~~")}
    wanted = {LETTERS[NAMES[rank]]: int(n) for rank, n in zip(ORDER.split(), counts.split(), strict=True)}
    for side, numbers in (("r", range(1, own + 1)), ("b", range(rows - own + 1, rows + 1))):
        mine = {square: cell[1] for square, cell in pieces.items() if cell[0] == side}
        assert {letter: list(mine.values()).count(letter) for letter in wanted} == wanted
        assert {int(square[1:]) for square in mine} <= set(numbers)


def test_gr_1_back_row_first_from_the_owners_left() -> None:
    cells = deployed("duel", DUEL, DUEL).cells()
    red = {
        "a1": "rF",
        "b1": "rB",
        "e1": "r3",
        "h1": "r3",
        "a2": "rB",
        "e2": "rS",
        "h2": "r2",
        "a3": "r2",
        "e3": "r9",
        "j3": "rM",
    }
    blue = {
        "j8": "bF",
        "i8": "bB",
        "f8": "b3",
        "c8": "b3",
        "j7": "bB",
        "f7": "bS",
        "c7": "b2",
        "j6": "b2",
        "f6": "b9",
        "a6": "bM",
    }
    assert {square: cell for square, cell in cells.items() if cell not in ("..", "~~")} == red | blue


def test_gr_1_both_deploy_at_the_same_time_and_play_starts_when_both_are_ready() -> None:
    game = make("duel")
    state, plans = game.initial_state(), [game.parse_deployment(DUEL, side) for side in (RED, BLUE)]
    for one, other in zip(*plans, strict=True):
        assert game.to_act(state) == (RED, BLUE)
        state = game.apply(state, BLUE, int(other))
        state = game.apply(state, RED, int(one))
    assert "start" in [event.code for event in game.events(int(one), state, PUBLIC)]
    assert game.to_act(state) == (RED,)  # red moves first
    assert game.state_text(state) == game.state_text(deployed("duel", DUEL, DUEL).state)


def half_deployed(side: int, count: int) -> Position:
    """Return a Duel in which one side has placed its first squares."""
    game = make("duel")
    at = Position(game, game.initial_state())
    for action in game.parse_deployment(DUEL, side)[:count]:
        at = Position(game, game.apply(at.state, side, int(action)), (at.state, side, int(action)))
    return at


@pytest.mark.parametrize("side", [RED, BLUE])
def test_gr_1_a_deployment_is_final_once_sent(side: int) -> None:
    at = half_deployed(side, 30)
    game = at.game
    assert game.to_act(at.state) == (1 - side,)
    assert len(game.legal_actions(at.state, side)) == 0
    assert at.refusal("place miner", side) == "already-ready"


@pytest.mark.parametrize("side", [RED, BLUE])
@pytest.mark.parametrize("observer", ["other", "public"])
def test_gr_1_until_both_are_ready_the_other_sees_only_that_it_is_ready(side: int, observer: str) -> None:
    eye = 1 - side if observer == "other" else PUBLIC
    game = make("duel")
    nothing = game.view(game.initial_state(), eye).tobytes()
    for count in (1, 8, 25):
        at = half_deployed(side, count)
        assert game.view(at.state, eye).tobytes() == nothing
        assert at.list_events(eye) == []
        assert at.list_events(side) != []
    at = half_deployed(side, 30)
    assert at.list_events(eye) == [f"ready {('red', 'blue')[side]}"]
    view = game.view(at.state, eye)
    assert list(view.ready) == [side == RED, side == BLUE]
    assert all(at.seen(space.id, eye) == "" for space in game.board().spaces)


def test_gr_1_a_deployed_piece_is_unseen_by_the_other() -> None:
    at = deployed("duel", DUEL, DUEL)
    assert at.seen("e3", RED) == "general"
    assert at.seen("e3", BLUE) == "hidden"
    assert at.seen("e3", PUBLIC) == "hidden"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (DUEL.replace("M", "."), "1 marshal missing"),
        (DUEL.replace("9", "M"), "1 general missing"),
        (DUEL.replace("....M", "...MM"), "1 marshal too many"),
        (DUEL.replace("9", "8"), "1 colonel too many"),
        (DUEL.replace("9", "x"), "'x' at place 25 is no piece"),
        (DUEL + ".", "a deployment has 30 squares, this one has 31"),  # a square outside the own rows
        (DUEL[:-1], "a deployment has 30 squares, this one has 29"),
    ],
)
def test_gr_2_a_wrong_deployment_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(TextError) as caught:
        make("duel").parse_deployment(text, RED)
    # Of two mistakes (one piece missing, another doubled) either may be named first.
    words = (
        reason.split() if "marshal missing" not in reason and "general missing" not in reason else reason.split()[2:]
    )
    assert all(word in str(caught.value) for word in words)


@pytest.mark.parametrize(
    ("variant", "text", "code"),
    [
        ("duel", "place colonel", "none-left"),  # of another army
        ("classic", "place nothing", "no-empty-left"),  # a piece would be missing
        ("duel", "a3-a4", "not-now"),
    ],
)
def test_gr_2_a_wrong_placement_is_refused_and_nothing_changes(variant: str, text: str, code: str) -> None:
    at = Position(make(variant), make(variant).initial_state())
    before = at.state.tobytes()
    assert at.refusal(text, RED) == code
    assert at.state.tobytes() == before


def test_gr_2_no_piece_is_placed_twice() -> None:
    game = make("duel")
    state = game.initial_state()
    place = game.parse_action(game.view(state, RED), "place marshal")
    state = game.apply(state, RED, place)
    assert place not in game.legal_actions(state, RED)
    with pytest.raises(IllegalActionError) as caught:
        game.apply(state, RED, place)
    assert caught.value.refusal.code == "none-left"
    assert place in game.legal_actions(state, BLUE)  # the other side still has its own Marshal


@pytest.mark.parametrize("variant", TABLE)
def test_gr_3_squares_stay_empty_in_duels_and_barrage_only(variant: str) -> None:
    game = make(variant)
    texts = Position(game, game.initial_state()).legal(player=RED)
    assert ("place nothing" in texts) == (variant in ("duel", "duel-10x10", "barrage"))


@pytest.mark.parametrize("variant", ["duel", "duel-10x10", "barrage"])
def test_gr_3_the_player_chooses_which_squares_stay_empty(variant: str) -> None:
    rng = np.random.default_rng(5)
    texts = ["".join(rng.permutation(list(army_text(variant)))) for _ in (RED, BLUE)]
    at = deployed(variant, *texts)
    for side in (RED, BLUE):
        letters = [cell[1] for square, cell in at.cells().items() if cell[0] == "rb"[side]]
        assert sorted(letters) == sorted(texts[side].replace(".", ""))
        assert at.game.deployment_text(list(at.game.parse_deployment(texts[side], side))) == texts[side]


def test_gr_3_which_squares_are_occupied_is_public_once_play_starts() -> None:
    at = deployed("duel", DUEL, DUEL)
    occupied = {square for square, cell in at.cells().items() if cell not in ("..", "~~")}
    for observer in (RED, BLUE, PUBLIC):
        assert {space.id for space in at.game.board().spaces if at.seen(space.id, observer)} == occupied
