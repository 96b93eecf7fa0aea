"""Positions as text: a diagram with a few lines of counters. Reading the text gives the same position.

    classic
    turn 12 quiet 3
    past c3-c4 g6-g5
    8 bF  bB  b5' ..  ..  ..  ..  ..  ..  ..
    ...
    1 rF  ..  ..

A cell is `..`, `~~` (blocked), or side, type letter and marks: `'` has moved, `!` is seen, `^` has used its Rescue.
Pieces of the army that are not on the board are lost or, during deployment, not placed yet. Red is to move after an
even number of turns. `past` holds as many turns as GR-9 and GR-10 can still need. In it, `+` after a move says that its
piece is gone, `*` that a piece came back in that turn; `--` is a Sword on two or an Apple, `passed` a side that was
passed over. Lines may be separated by `;` instead.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import State
from gonfalon.games.grid import state as g
from gonfalon.games.grid.ruleset import TYPES
from gonfalon.games.grid.text.checks import IMMOBILE
from gonfalon.games.grid.text.notation import LETTERS, square_name

SIDE_CODES = (g.RED, g.BLUE)
MARKS = (("'", g.MOVED), ("!", g.SEEN), ("^", g.SPENT))
PHASES = ("deploy", "turn", "heal", "heal-place", "target", "rescue", "rescue-place", "over")
FIGHTS = ("", "sword", "apple")


def state_text(state: State, variant: str, rules: NDArray[np.void]) -> str:
    row = state[0]
    lines = [variant, *_counters(row, int(rules[0]["own_squares"]))]
    past = " ".join(_past(row, int(rules[0]["two_square_limit"])))
    if past:
        lines.append(f"past {past}")
    lines += _unfinished(row)
    columns = int(rules[0]["columns"])
    lines += [_diagram_row(row, k, columns) for k in reversed(range(int(rules[0]["rows"])))]
    return "\n".join(lines) + "\n"


def _counters(row: np.void, own: int) -> Iterator[str]:
    yield f"turn {row['turn']} quiet {row['quiet']}"
    for name in ("chase", "apple_used", "rescues", "heal"):
        if row[name].any():
            yield f"{name} {row[name][0]} {row[name][1]}"
    if min(row["placed"]) < own:
        yield f"placed {row['placed'][0]} {row['placed'][1]}"


def _past(row: np.void, limit: int) -> Iterator[str]:
    """The last turns, oldest first. At least one, since the board marks the last move."""
    needed = max(2 * limit, int(max(row["chase"])) + 1, 2)
    turn = int(row["turn"])
    for back in range(min(turn, needed, g.RING), 0, -1):
        at = (turn - back) % g.RING
        begin, end, kind = int(row["ring_from"][at]), int(row["ring_to"][at]), int(row["ring_kind"][at])
        text = "passed" if kind & g.PASSED else "--"
        if end != g.NONE:
            piece = int(row["ring_piece"][at])
            gone = "+" if piece == g.NONE or row["where"][piece] == g.OFF else ""
            text = f"{square_name(begin)}{'x' if kind & g.ATTACKED else '-'}{square_name(end)}{gone}"
        yield text + ("*" if kind & g.RETURNED else "")


def _unfinished(row: np.void) -> Iterator[str]:
    phase = int(row["phase"])
    if phase == g.OVER:
        winner = g.SIDES[row["winner"]] if row["winner"] != g.NONE else "nobody"
        yield f"over {g.OVER_REASONS[row['over']]} {winner}"
        if row["arrived"] != g.NONE:  # broken off inside a turn, whose piece has moved already
            yield _now_line(row)
    elif phase not in (g.DEPLOY, g.TURN):
        picked = f" {TYPES[row['chosen']]}" if row["chosen"] else ""
        yield f"phase {PHASES[phase]} {g.SIDES[row['actor']]}{picked}"
        yield _now_line(row)
    if row["fight"] != g.NO_FIGHT:
        squares = " ".join(square_name(row["where"][t]) for t in row["targets"] if t != g.NONE)
        fighter = row["where"][row["fighter"]]
        yield f"fight {FIGHTS[row['fight']]} {square_name(fighter) if fighter != g.OFF else 'gone'} {squares}".rstrip()
    if row["arrived"] != g.NONE:
        yield f"arrived {square_name(row['arrived'])}"
    ruled = [
        f"{square_name(k)}={row['ruled_out'][k]}" for k in range(g.SQUARES) if row["ruled_out"][k] not in (0, IMMOBILE)
    ]
    if ruled:
        yield f"ruled_out {' '.join(ruled)}"


def _now_line(row: np.void) -> str:
    return f"now {_now(row)} {int(row['ring_kind'][int(row['turn']) % g.RING])}"


def _now(row: np.void) -> str:
    """The move that was made in the unfinished turn."""
    at = int(row["turn"]) % g.RING
    if row["ring_to"][at] == g.NONE:
        return "--"
    piece = int(row["ring_piece"][at])
    gone = "+" if piece == g.NONE or row["where"][piece] == g.OFF else ""
    return f"{square_name(row['ring_from'][at])}-{square_name(row['ring_to'][at])}{gone}"


def _diagram_row(row: np.void, k: int, columns: int) -> str:
    cells = (_cell(row, k * g.COLUMNS + column) for column in range(columns))
    return f"{k + 1:>2} " + " ".join(f"{cell:<4}" for cell in cells).rstrip()


def _cell(row: np.void, square: int) -> str:
    piece = int(row["board"][square])
    if piece == g.BLOCKED:
        return "~~"
    if piece == g.EMPTY:
        return ".."
    marks = "".join(sign for sign, bit in MARKS if row["marks"][square] & bit)
    return f"{'b' if piece & g.BLUE else 'r'}{LETTERS[piece & g.TYPE]}{marks}"
