"""Belief in the hidden pieces: the likelihood of each type on each square, and worlds drawn from it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.belief import Company, Styles, sample_deals
from gonfalon.engine.compiled.kernels import Rows
from gonfalon.engine.events import Event
from gonfalon.engine.game import State
from gonfalon.engine.search import Mind
from gonfalon.engine.view import View, zero_rows
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.belief.evidence import TRACES, read_traces
from gonfalon.games.grid.play.belief.placement import Placing, is_sparse
from gonfalon.games.grid.play.belief.revealed import read_faces
from gonfalon.games.grid.play.tunables import FRESH_TURNS, LEAST_REST, RESTLESS, WANDERS, WANDERS_IN_FULL_ARMY
from gonfalon.games.grid.sight.resample import copy_known, goes_on, list_possible, list_unseen, resample


def sample_worlds(
    view: View, rules: Rows, events: Sequence[Event], mind: Mind, count: int, rng: np.random.Generator
) -> State:
    """See `Game.sample_worlds`. The view shows what pieces did in the last 255 turns. Events tell where fallen pieces
    had been placed.
    """
    if view.phase == g.OVER or not view.ready.all():
        return np.concatenate([resample(view, rules, rng) for _ in range(count)])
    known = copy_known(view)
    row, side = known[0], 1 - view.observer
    row["placed"][side], row["left"][side] = rules[0]["own_squares"], 0
    forget(row, side, mind.memory)
    pieces = row["board"][: g.SQUARES]
    mine = (pieces & (g.RED << side)) != 0
    hidden = np.flatnonzero(mine & (pieces & g.TYPE == g.HIDDEN))
    types = list_unseen(row, rules, side, mine)
    likely, (near, factors), (weights, shares) = find_likely(view, rules, events, side, hidden)
    likely, company = likely**mind.insight, Company(near, factors**mind.insight)
    styles = Styles(weights * mind.insight, shares**mind.insight)
    likely[~list_possible(row, hidden)] = 0.0
    worlds = np.repeat(known, count)
    board = worlds["board"]
    board[:, hidden] = sample_deals(likely, types, count, rng, company, styles) + (g.RED << side)
    for k in range(count):
        if view.phase == g.TURN and not goes_on(worlds[k : k + 1], rules):
            worlds[k : k + 1] = resample(view, rules, rng)
    return worlds


def forget(row: np.void, side: int, memory: float) -> None:
    """Forget a fixed share of the revealed pieces of `side` (weak levels). Pieces that have just fought are not
    forgotten.
    """
    if memory >= 1:
        return
    turn, ring = int(row["turn"]), min(FRESH_TURNS, int(row["turn"]))
    fresh = {int(row["ring_piece"][(turn - k) % g.RING]) for k in range(1, ring + 1)}
    fresh |= {
        int(row["number"][row["ring_to"][(turn - k) % g.RING]]) for k in range(1, ring + 1) if _moved(row, turn - k)
    }
    for square in np.flatnonzero(row["marks"][: g.SQUARES] & g.SEEN).tolist():
        number, piece = int(row["number"][square]), int(row["board"][square])
        kept = number * 0.6180339887 % 1 < memory
        if piece & (g.RED << side) and not kept and number not in fresh and number < g.FIRST_RETURNED:
            row["board"][square] = piece - (piece & g.TYPE) + g.HIDDEN
            row["marks"][square] -= g.SEEN
            if row["marks"][square] & g.MOVED:
                row["ruled_out"][square] |= (1 << g.BOMB) | (1 << g.FLAG)


def _moved(row: np.void, turn: int) -> bool:
    return bool(row["ring_piece"][turn % g.RING] != g.NONE)


def find_likely(
    view: View,
    rules: Rows,
    events: Sequence[Event],
    side: int,
    hidden: NDArray[np.int64],
) -> tuple[NDArray[np.float64], Company, Styles]:
    """Return the likelihood of each type on each of the `hidden` squares, up to a factor, from the moves and deployment
    squares of the pieces, shape (squares, types). It may be above 0 for impossible types.
    """
    traces = zero_rows(TRACES)
    read_traces(view.record, rules, side, traces)
    numbers = view.number[hidden].astype(np.int64)
    placing = Placing(view, rules, side, traces["began"][0], read_faces(events, side))
    found: NDArray[np.float64] = traces["odds"][0].reshape(g.PIECES, g.TYPES)[numbers]
    rest = max(LEAST_REST, math.exp(-int(view.turn) / RESTLESS))
    still = view.marks[hidden] & g.MOVED == 0
    found[still, : g.BOMB] *= rest
    found[~still] *= WANDERS if is_sparse(rules) else WANDERS_IN_FULL_ARMY
    return found, placing.company(numbers), placing.styles(numbers)
