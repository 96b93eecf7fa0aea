"""The line protocol in which programs of the field play: over standard input and output, one line a message.

Board: `(0,0)` is the top left, x to the right, y down. RED owns the top rows and moves first. Letters: `1` Marshal to
`9` Scout, `s` Spy, `B` Bomb, `F` Flag.

1. Referee: `RED|BLUE <opponent> <width> <height>`. Player: its deployment, four lines, top row first; `.` stays empty.
2. To who is to move: `START` before RED's first turn, else the relay line of the opponent's move. Then the board, a
   line a row: `.` empty, `+` blocked, `#` an enemy piece, own pieces by letter.
3. Player: `X Y UP|DOWN|LEFT|RIGHT [n]`, `NO_MOVE` or `SURRENDER`.
4. Relay, to both: the same line and ` OK`, ` KILLS a d`, ` DIES a d`, ` BOTHDIE a d` or ` ILLEGAL`. At the end: `QUIT`.

`table` translates between these lines and a game's own ids, `world` keeps a position for who knows only the lines,
`player` is a program that plays, `program` the referee's side: somebody else's program as an agent of ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gonfalon.engine.ruleset import Ruleset

EVALUATOR: dict[str, bool | int] = {
    "two_square_limit": 0,
    "chase_rule": False,
    "max_turns": 2000,
    "max_quiet_turns": 2000,
}
"""The house rules of referees of this protocol: no rule against repetition, and 1,000 turns a side."""


class ProtocolError(ValueError):
    """A line that does not fit the position, or a game that the protocol cannot express."""


def check_playable(ruleset: Ruleset) -> None:
    """Raises `ProtocolError` for a game with more decisions or less visible facts than the protocol can express."""
    facts = ruleset.facts
    if facts is None or facts.layout != "grid" or len(facts.sides) != 2:
        raise ProtocolError(f"{ruleset.variant} is not played by the protocol: it is for two on a board of squares")
    if ruleset.data.get("powers"):
        raise ProtocolError(f"{ruleset.variant} is not played by the protocol: it has no words for powers")
    for switch in ("rescue", "silent_defence"):
        if ruleset.values.get(switch):
            raise ProtocolError(
                f"{ruleset.variant} with {switch} is not played by the protocol: it has no words for it"
            )
