"""The line protocol that other Stratego programs use: over standard input and output, one message per line.

Board: `(0,0)` is the top left, x to the right, y down. RED owns the top rows and moves first. Letters: `1` Marshal to
`9` Scout, `s` Spy, `B` Bomb, `F` Flag.

1. Referee: `RED|BLUE <opponent> <width> <height>`. Player: its deployment, four lines, top row first; `.` stays empty.
2. To the player on turn: `START` before RED's first turn, else the relay line of the opponent's move. Then the board,
   one line per row: `.` empty, `+` blocked, `#` an enemy piece, own pieces by letter.
3. Player: `X Y UP|DOWN|LEFT|RIGHT [n]`, `NO_MOVE` or `SURRENDER`.
4. Relay, to both: the same line and ` OK`, ` KILLS a d`, ` DIES a d`, ` BOTHDIE a d` or ` ILLEGAL`. At the end: `QUIT`.

A player without a move answers `NO_MOVE`, and the match goes on. Our referee relays `NO_MOVE OK` without asking the
player. A program of ours also understands referees that relay nothing then, or that do not ask.

`table` translates between these lines and the ids of a game. `world` keeps a position for a player who knows only the
lines. `player` is a program that plays. `program` is the referee's side: it lets a program of someone else play as one
of our agents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gonfalon.engine.rulesets.ruleset import Ruleset

EVALUATOR: dict[str, bool | int] = {
    "two_square_limit": 0,
    "chase_rule": False,
    "no_move_passes": True,
    "max_turns": 2000,
    "max_quiet_turns": 2000,
}
"""The house rules that referees of this protocol use: no rule against repetition, a side that cannot move misses its
turn, and 1,000 turns per side.
"""


OWN_ROWS = 4
"""Number of rows of a deployment, on every board."""


class ProtocolError(ValueError):
    """A line does not fit the position, or the protocol cannot express the game."""


def check_playable(ruleset: Ruleset) -> None:
    """Check that the protocol can express a game: all its decisions and all that its players see. Raises
    `ProtocolError`.
    """
    facts = ruleset.facts
    if facts is None or facts.layout != "grid" or len(facts.sides) != 2:
        raise ProtocolError(f"{ruleset.variant} is not played by the protocol: it is for two on a board of squares")
    if ruleset.data.get("powers"):
        raise ProtocolError(f"{ruleset.variant} is not played by the protocol: it has no words for powers")
    if facts.rows < OWN_ROWS or ruleset.data.get("deploy_rows", 0) > OWN_ROWS:
        raise ProtocolError(f"{ruleset.variant} is not played by the protocol: a deployment is {OWN_ROWS} lines")
    for switch in ("rescue", "silent_defence"):
        if ruleset.values.get(switch):
            raise ProtocolError(
                f"{ruleset.variant} with {switch} is not played by the protocol: it has no words for it"
            )
