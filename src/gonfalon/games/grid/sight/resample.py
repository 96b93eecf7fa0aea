"""States that a viewer cannot tell from the true one. Hidden pieces are dealt anew from what is left of the army."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.belief import find_deal
from gonfalon.engine.game import State
from gonfalon.engine.view import View, copy_rows, zero_rows
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.ends import judge

TRIES = 200
"""Deals to try before giving up. A deal fails only if the side could not move, so the match would be over or the side
passed over.
"""


class NoWorldError(RuntimeError):
    """No consistent deal was found. This cannot happen for a view of a real match."""


def resample(view: View, rules: NDArray[np.void], rng: np.random.Generator) -> State:
    """Return a state drawn uniformly from the deals that fit the public knowledge of each piece. With `silent_defence`
    it is only close to uniform.
    """
    for _ in range(TRIES):
        state = copy_known(view)
        row = state[0]
        for side in range(2):
            if side != view.observer:
                _deal_side(row, view, rules, side, rng)
        if row["phase"] != g.TURN or goes_on(state, rules):
            return state
    raise NoWorldError("no deal fits this view")


def copy_known(view: View) -> State:
    """Copies all fields that a view shares with a state."""
    state = zero_rows(g.STATE)
    for name in (*(field.name for field in g.PUBLIC_FIELDS), "left", "placed", "chosen"):
        state[name] = view.record[name]
    return state


def goes_on(state: State, rules: NDArray[np.void]) -> bool:
    """Whether GR-19 leaves a position after a finished turn as it is: no side has lost, and none is passed over."""
    looked_at = copy_rows(state)
    judge(looked_at, 0, rules)
    return bool(looked_at["over"][0] == g.RUNNING and looked_at["turn"][0] == state["turn"][0])


def _deal_side(row: np.void, view: View, rules: NDArray[np.void], side: int, rng: np.random.Generator) -> None:
    if not view.ready.all():  # also if the match was broken off before play
        _deal_deployment(row, view, rules, side, rng)
        return
    own = int(rules[0]["own_squares"])
    row["placed"][side] = own
    row["left"][side] = 0
    pieces = row["board"][: g.SQUARES]
    mine = (pieces & (g.RED << side)) != 0
    hidden = np.flatnonzero(mine & (pieces & g.TYPE == g.HIDDEN))
    if not len(hidden):
        return
    dealt = find_deal(list_possible(row, hidden), list_unseen(row, rules, side, mine), rng)
    row["board"][hidden] = dealt + (g.RED << side)


def list_possible(row: np.void, squares: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which types are possible on these squares, shape (squares, types)."""
    found: NDArray[np.bool_] = (row["ruled_out"][squares].astype(np.int64)[:, None] >> np.arange(g.TYPES)) & 1 == 0
    return found


def list_unseen(row: np.void, rules: NDArray[np.void], side: int, mine: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The types of the side's hidden pieces, in any order: its army without lost and seen pieces."""
    counts = rules[0]["army"].astype(int) - row["lost"][side]
    shown = row["board"][: g.SQUARES][mine] & g.TYPE
    for kind in shown[shown != g.HIDDEN].tolist():
        counts[kind] -= 1
    counts[0] = 0
    return np.repeat(np.arange(g.TYPES), counts)


def _deal_deployment(row: np.void, view: View, rules: NDArray[np.void], side: int, rng: np.random.Generator) -> None:
    """During deployment the viewer knows only whether another side is ready. If it is not, none of its pieces counts as
    placed.
    """
    own = int(rules[0]["own_squares"])
    army = rules[0]["army"].astype(int)
    if not view.ready[side]:
        row["left"][side], row["placed"][side] = army, 0
        return
    types = rng.permutation(np.repeat(np.arange(g.TYPES), army))
    squares = rules[0]["own"][side, :own]
    row["board"][squares] = np.where(types == 0, 0, types + (g.RED << side))
    row["left"][side], row["placed"][side] = 0, own
