"""Positions as text: refused texts, with the reason, and rare texts that are accepted."""

from __future__ import annotations

import pytest

from gonfalon.engine.game import TextError
from gonfalon.games.grid import state as g
from gonfalon.games.grid.tests.diagrams import BLUE, RED, make, position
from gonfalon.games.grid.text.notation import LETTERS

BOARD = "8 .. .. .. .. .. .. .. bF b8 b8!\n2 b4! r6! b4!\n1 .. .. .. rF r4'"
TARGET = "phase target red; now -- 1; fight sword b2 a2 c2"
RESCUE = "phase rescue red; now -- 0; arrived j8"


def read(lines: str, **switches: bool) -> str:
    """The text of the position that is made of the board and more lines."""
    at = position("special", BOARD, turn=2, lines=lines.replace("; ", "\n"), **switches)
    return at.game.state_text(at.state)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("ruled_out a2=70000", "a number up to 8191"),
        ("ruled_out a2=16", "a2 is what it is said not to be"),
        ("ruled_out e1=1", "who has moved on e1 is no Bomb or Flag"),
        ("chase 1", "two numbers are meant"),
        ("rescues 3 0", "rescues: 3 is more than 2"),
        ("heal 0 2", "heal: 2 is more than 1"),
        ("apple_used 256 0", "a number up to 255"),
        ("fight sword b2 a2", "only while a turn is unfinished"),
        ("phase target red; now -- 1", "no choice of targets"),
        (TARGET.replace("b2 a2 c2", "b2 a2 a2"), "a piece is named twice"),
        (TARGET.replace("b2 a2 c2", "b2 b2 c2"), "a piece is named twice"),
        (TARGET.replace("b2 a2 c2", "d1 a2 c2"), "cannot fight so"),
        (TARGET.replace("b2 a2 c2", "b2 a2 i8"), "have been shown"),
        (TARGET.replace("b2 a2 c2", "b2 a3 c2"), "no piece on a3"),
        ("phase heal-place red; now -- 1", "a piece is picked, then placed"),
        ("phase heal red scout; now -- 1", "a piece is picked, then placed"),
        ("phase rescue red; now -- 1", "no piece has arrived"),
        (f"{RESCUE}; rescues 2 0", "no Rescue left"),
        (f"{RESCUE}; placed 3 3", "has not come to this square yet"),
        ("placed 3 3", "has not come to this square yet"),
        ("past a2-a3 b8-b7", "no piece that made this move"),
        ("past g8-h8", "no piece that made this move"),
        ("past d2-d1", "no piece that made this move"),
    ],
)
def test_what_cannot_be_is_refused(lines: str, reason: str) -> None:
    with pytest.raises(TextError, match=reason):
        read(lines, rescue=True)


def test_marks_before_play_are_refused() -> None:
    with pytest.raises(TextError, match="nothing is known of pieces before play"):
        position("special", "1 rF r2!", lines="placed 2 0")


def test_as_many_turns_as_end_a_match_are_refused() -> None:
    with pytest.raises(TextError, match="this many end the match"):
        position("special", BOARD, turn=2000)


def test_what_comes_back_was_lost() -> None:
    with pytest.raises(TextError, match="no marshal can come back"):
        position("duel", "8 bF bM\n1 rF rM", lines="phase heal-place red marshal\nnow -- 1")


def test_there_is_room_for_a_rescue() -> None:
    """36 squares of the own half are taken: most by the whole army but one Scout, the others by the enemy."""
    lines = "phase rescue red\nnow -- 0\narrived j8"
    army = [k for k, n in enumerate(make("special").rules[0]["army"].tolist()) for _ in range(n - (k == g.SCOUT))]
    assert len(army) == 29
    reds = [f"r{LETTERS[kind]}" for kind in army]
    cells = [*reds[:-1], "b2", "b2", "b3", "b3", "b4", "b4", "b5", reds[-1]]
    rows = [cells[:10], cells[10:20], cells[20:30], [*cells[30:32], "~~", "~~", *cells[32:34], "~~", "~~", *cells[34:]]]
    full = "8 .. .. .. .. .. .. .. .. bF b8\n" + "\n".join(f"{k} {' '.join(row)}" for k, row in enumerate(rows, 1))
    with pytest.raises(TextError, match="no room for a Rescue"):
        position("special", full, lines=lines, rescue=True)
    assert position("special", full.replace("b5", ".."), lines=lines, rescue=True).actor == RED


@pytest.mark.parametrize("lines", [TARGET, RESCUE, "chase 300 0", "ruled_out a2=2050"])
def test_these_are_read(lines: str) -> None:
    text = read(lines, rescue=True)
    assert all(line in text for line in lines.split("; "))


def test_gr_30_an_apple_whose_last_target_was_a_spy() -> None:
    """The Shroud comes before the end of the fight, which has no targets left. An earlier version refused this
    position.
    """
    at = position("special", "8 .. .. .. .. .. .. .. bF b8 b7\n2 bS b6\n1 .. .. .. rF r4").play("apple b2")
    text = at.game.state_text(at.state)
    assert "phase heal blue\n" in text
    assert "fight apple b2\n" in text
    again = at.game.parse_state(text)
    assert at.game.state_text(again) == text
    assert at.game.legal_actions(again, BLUE).tolist() == at.game.legal_actions(at.state, BLUE).tolist()


def test_gr_21_a_match_given_up_while_a_rescue_is_open() -> None:
    """The text says which piece has moved in the unfinished turn. Without that, nobody would have made its earlier
    moves.
    """
    diagram = "8 .. .. .. .. .. .. .. .. bF b8\n6 r4\n1 .. .. .. rF"
    at = position("classic", diagram, turn=2, rescue=True).play("a6-a7").play("j8-j7").play("a7-a8")
    assert at.row["phase"] == g.RESCUE
    over = at.game.withdraw(at.state, BLUE)
    text = at.game.state_text(over)
    assert "a6-a7 j8-j7\n" in text
    assert "now a7-a8 0\n" in text
    assert at.game.state_text(at.game.parse_state(text)) == text
