"""Checks a state record that came from outside. Raises `TextError`.

Without these checks a kernel could leave its arrays, no player might be able to act, or `resample` could find no world.
States that pass need not be reachable in a match.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.bounds import check_bounds
from gonfalon.engine.game import State, TextError
from gonfalon.games.grid import state as g
from gonfalon.games.grid.ruleset import TYPES
from gonfalon.games.grid.text.notation import square_name

IMMOBILE = (1 << g.BOMB) | (1 << g.FLAG)


def check_record(state: State, rules: NDArray[np.void]) -> None:
    """The reader itself fills in pieces, their numbers and the past."""
    row, r = state[0], rules[0]
    check_bounds(row, g.STATE_FIELDS)
    if (row["placed"] < r["own_squares"]).any():
        # Before play pieces have no numbers; in play the rules read `where` by number.
        _need(row["phase"] in (g.DEPLOY, g.OVER), "placed: there are no turns before play")
        # Play begins with red, who moves after an even number of turns.
        _need(not row["turn"], "turn: there are no turns before play")
        # `resample` places other pieces there.
        _need(not row["marks"].any() and not row["ruled_out"].any(), "placed: nothing is known of pieces before play")
        return
    # Otherwise the counts could exceed what the text form can read back.
    _need(row["phase"] == g.OVER or row["turn"] < r["max_turns"], "turn: this many end the match")
    _check_ruled_out(row)
    _check_fight(row)
    _check_return(row, r)


def _need(holds: object, reason: str) -> None:
    if not holds:
        raise TextError(reason)


def _check_ruled_out(row: np.void) -> None:
    """`resample` deals the types that are not ruled out. They must include the true type, and no immovable one for a
    moved piece.
    """
    for square in np.flatnonzero(row["board"] & g.ANY_SIDE).tolist():
        piece, moved, ruled_out = (int(row[name][square]) for name in ("board", "marks", "ruled_out"))
        known = IMMOBILE if moved & g.MOVED else 0
        _need(not ruled_out >> (piece & g.TYPE) & 1, f"ruled_out: {square_name(square)} is what it is said not to be")
        _need(ruled_out & known == known, f"ruled_out: who has moved on {square_name(square)} is no Bomb or Flag")


def _check_fight(row: np.void) -> None:
    """GR-31, GR-35."""
    # The rules read the type of the next target from the board, so there must be a target.
    _need(row["phase"] != g.TARGET or (row["targets"] != g.NONE).any(), "phase: there is no choice of targets")
    if row["fight"] == g.NO_FIGHT:
        return
    # After another move its targets may have left the board.
    _need(row["phase"] != g.TURN, "fight: only while a turn is unfinished")
    numbers = [int(row["fighter"]), *(int(target) for target in row["targets"] if target != g.NONE)]
    # A piece that fights itself, or fights twice, would be removed twice.
    _need(len(set(numbers)) == len(numbers), "fight: a piece is named twice")
    squares = row["where"][numbers]
    # A Flag may fall only as a target, which ends the match.
    _need(row["board"][squares[0]] & g.TYPE < g.BOMB, "fight: this piece cannot fight so")
    # The list of targets depends on their types, so the player who chooses must know them.
    _need((row["marks"][squares] & g.SEEN).all(), "fight: all who fight have been shown")


def _check_return(row: np.void, r: np.void) -> None:
    """GR-22, GR-30."""
    phase, actor, chosen = int(row["phase"]), int(row["actor"]), int(row["chosen"])
    # The rules take the returned piece from the lost pieces.
    _need((chosen != 0) == (phase in (g.HEAL_PLACE, g.RESCUE_PLACE)), "phase: a piece is picked, then placed")
    _need(not chosen or row["lost"][actor, chosen], f"phase: no {TYPES[chosen]} can come back")
    if phase not in (g.RESCUE, g.RESCUE_PLACE):
        return
    # One more Rescue needs a place in `rescues`, and its piece needs a square.
    _need(row["rescues"][actor] < 2, "phase: there is no Rescue left")
    _need(row["arrived"] != g.NONE, "phase: no piece has arrived")
    half = int(r["rows"]) // 2 * g.COLUMNS
    rows = slice(0, half) if actor == 0 else slice(int(r["squares"]) - half, int(r["squares"]))
    _need((row["board"][rows] == g.EMPTY).any(), "phase: there is no room for a Rescue")
