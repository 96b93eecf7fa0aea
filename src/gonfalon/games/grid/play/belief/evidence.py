"""Traces of hidden pieces in the last turns that hint at their ranks: they came beside a known piece, left it, or
stayed beside it. All of this is public and comes from the turn ring of a view.
"""

from typing import Any

import numpy as np

from gonfalon.engine.compiled.jit import Records, RulesRow, StateRow, ViewRow, entry, helper
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.evaluate.pieces import is_full
from gonfalon.games.grid.play.tunables import (
    CAME,
    FROM_BOMB,
    LEFT,
    MOST_VENTURES,
    MOST_VENTURES_IN_FULL_ARMY,
    STOOD,
    TO_BOMB,
    VENTURES,
    VENTURES_IN_FULL_ARMY,
)
from gonfalon.games.grid.rules.battle import BOTH_LEAVE, WON, result_of

TRACES = np.dtype(
    [
        ("number", np.int64, (g.SQUARES + 1,)),  # piece number on each square at that turn, NONE for none
        ("began", np.int64, (g.PIECES,)),  # square of each piece when the ring began, OFF if unknown
        ("last", np.int64, (g.PIECES,)),  # last turn in which each piece moved, -1 if none
        ("shown", np.int64, (g.PIECES,)),  # whether all knew its type at that turn
        ("ventured", np.int64, (g.PIECES,)),  # number of times it came beside hidden pieces, up to the limit
        ("odds", np.float64, (g.PIECES * g.TYPES,)),  # by piece and type: factor for the likelihood
    ],
    align=True,
)


@entry
def read_traces(views: Records, rules: Records, side: int, traces: Records) -> None:
    """Fill row 0 of `traces` (all zeros) from the moves of hidden pieces of `side` in row 0 of `views`."""
    v, r, t = views[0], rules[0], traces[0]
    first = max(0, v.turn - g.RING + 1)
    go_back(v, first, t)
    for turn in range(first, v.turn):
        replay_turn(v, turn, t)
    for piece in range(g.PIECES):  # what was shown before the ring began
        seen = v.where[piece] != g.OFF and v.marks[v.where[piece]] & g.SEEN
        t.shown[piece] = 1 if seen and not t.shown[piece] else 0
        for kind in range(g.TYPES):
            t.odds[piece * g.TYPES + kind] = 1.0
    place_all(t)
    for turn in range(first, v.turn):
        moves = turn % 2 == side and v.ring_piece[turn % g.RING] != g.NONE
        if moves:
            judge_standing(v, r, side, turn, t)
            judge_move(v, r, side, turn, t)
        replay_turn(v, turn, t)


@helper
def go_back(v: ViewRow, first: int, t: StateRow) -> None:
    """Put all pieces back to their squares in turn `first`, if the ring holds their moves."""
    for piece in range(g.PIECES):
        t.began[piece] = v.where[piece]
        t.last[piece] = -1
    for k in range(v.turn - first):
        turn = v.turn - 1 - k
        piece = v.ring_piece[turn % g.RING]
        if piece != g.NONE:
            t.began[piece] = v.ring_from[turn % g.RING]
            t.last[piece] = max(t.last[piece], turn)
    place_all(t)


@helper
def place_all(t: StateRow) -> None:
    for square in range(g.SQUARES + 1):
        t.number[square] = g.NONE
    for piece in range(g.PIECES):
        if t.began[piece] != g.OFF:
            t.number[t.began[piece]] = piece


@helper
def replay_turn(v: ViewRow, turn: int, t: StateRow) -> None:
    """Make the move of a turn again. The ring does not hold losses: that a piece left the board shows only in later
    moves.
    """
    at = turn % g.RING
    piece, begin, end = v.ring_piece[at], v.ring_from[at], v.ring_to[at]
    if piece == g.NONE:
        return
    other = t.number[end]
    t.number[begin] = g.NONE
    if v.ring_kind[at] & g.ATTACKED:
        t.shown[piece] = 1
        if other != g.NONE and stays(v, other, turn, t):
            t.shown[other] = 1
            return
        t.number[end] = piece if stays(v, piece, turn, t) else g.NONE
        return
    if is_run(begin, end):
        t.shown[piece] = 1
    t.number[end] = piece


@helper
def is_run(begin: int, end: int) -> bool:
    """Whether a move is longer than one square, so that all know the piece as a Scout. (The squares are signed as
    arguments of a helper; otherwise their difference would wrap.)
    """
    return abs(end - begin) not in (1, g.COLUMNS)


@helper
def stays(v: ViewRow, piece: int, turn: int, t: StateRow) -> Any:
    """Whether a piece is certainly on the board after this turn."""
    return v.where[piece] != g.OFF or t.last[piece] > turn


@helper
def known_rank(v: ViewRow, side: int, square: int, t: StateRow) -> int:
    """Return the rank of the known movable piece of `side` on a square; 0 if there was none."""
    piece = t.number[square]
    if piece == g.NONE or not t.shown[piece] or not is_of(v, side, piece):
        return 0
    kind = v.board[v.where[piece]] & g.TYPE
    return kind if kind < g.BOMB else 0


@helper
def is_known_bomb(v: ViewRow, side: int, square: int, t: StateRow) -> Any:
    """Whether a known Bomb of `side` stood on a square."""
    piece = t.number[square]
    if piece == g.NONE or not t.shown[piece] or v.where[piece] == g.OFF:
        return False
    return v.board[v.where[piece]] == g.BOMB + (g.RED << side)


@helper
def weigh(r: RulesRow, piece: int, rank: int, t: StateRow, better: float, equal: float, worse: float) -> None:
    """Multiply the odds of each type of a piece by the factor for its battle with `rank`."""
    for kind in range(1, g.BOMB):
        result = result_of(r, kind, rank)
        factor = better if result == WON else equal if result == BOTH_LEAVE else worse
        t.odds[piece * g.TYPES + kind] *= factor


@helper
def judge_move(v: ViewRow, r: RulesRow, side: int, turn: int, t: StateRow) -> None:
    """Weigh a move without attack to a square beside a known piece, or away from one."""
    at = turn % g.RING
    piece, begin, end = v.ring_piece[at], v.ring_from[at], v.ring_to[at]
    if v.ring_kind[at] & g.ATTACKED or t.shown[piece]:
        return
    judge_venture(v, r, 1 - side, piece, end, t)
    for d in range(4):
        came, left = r.near[end, d], r.near[begin, d]
        rank = known_rank(v, 1 - side, came, t)
        if rank:
            weigh(r, piece, rank, t, CAME[0], CAME[1], CAME[2])
        rank = known_rank(v, 1 - side, left, t)
        if rank:
            weigh(r, piece, rank, t, LEFT[0], LEFT[1], LEFT[2])
        if is_known_bomb(v, 1 - side, came, t):
            weigh(r, piece, g.BOMB, t, TO_BOMB[0], 1.0, TO_BOMB[1])
        if is_known_bomb(v, 1 - side, left, t):
            weigh(r, piece, g.BOMB, t, FROM_BOMB[0], 1.0, FROM_BOMB[1])


@helper
def judge_venture(v: ViewRow, r: RulesRow, other: int, piece: int, end: int, t: StateRow) -> None:
    """Weigh that a hidden piece has come beside unknown pieces of the `other` side and no known one."""
    met = False
    for d in range(4):
        beside = t.number[r.near[end, d]]
        if beside != g.NONE and is_of(v, other, beside):
            if t.shown[beside]:
                return
            met = True
    full = is_full(r)
    if not met or t.ventured[piece] == (MOST_VENTURES_IN_FULL_ARMY if full else MOST_VENTURES):
        return
    t.ventured[piece] += 1
    for kind in range(1, g.BOMB):
        t.odds[piece * g.TYPES + kind] *= VENTURES_IN_FULL_ARMY[kind] if full else VENTURES[kind]


@helper
def judge_standing(v: ViewRow, r: RulesRow, side: int, turn: int, t: StateRow) -> None:
    """Weigh that hidden pieces did not move although the piece that the other side moved last stands beside them."""
    if turn == 0 or v.ring_piece[(turn - 1) % g.RING] == g.NONE:
        return
    came = v.ring_to[(turn - 1) % g.RING]
    rank = known_rank(v, 1 - side, came, t)
    if not rank or v.ring_kind[turn % g.RING] & g.ATTACKED:
        return
    for d in range(4):
        piece = t.number[r.near[came, d]]
        if piece == g.NONE or piece == v.ring_piece[turn % g.RING] or t.shown[piece] or not is_of(v, side, piece):
            continue
        weigh(r, piece, rank, t, STOOD[0], STOOD[1], STOOD[2])


@helper
def is_of(v: ViewRow, side: int, piece: int) -> Any:
    """Whether a piece is on the board and of `side`."""
    return v.where[piece] != g.OFF and v.board[v.where[piece]] & (g.RED << side) != 0
