"""Traces of hidden pieces in the last turns that tell their ranks: they came beside a known piece, left it, or stood
still beside it. All of it is public and read from the turn ring of a view.
"""

from typing import Any

import numpy as np

from gonfalon.engine.jit import Records, RulesRow, StateRow, ViewRow, entry, helper
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.evaluate.pieces import is_full
from gonfalon.games.grid.rules.battle import BOTH_LEAVE, WON, result_of

TRACES = np.dtype(
    [
        ("number", np.int64, (g.SQUARES + 1,)),  # the piece on each square at the time, NONE where none
        ("began", np.int64, (g.PIECES,)),  # where a piece stood when the ring began, OFF where that is not known
        ("last", np.int64, (g.PIECES,)),  # the turn in which a piece moved last, -1 where it did not
        ("shown", np.int64, (g.PIECES,)),  # whether its type was known to all at the time
        ("ventured", np.int64, (g.PIECES,)),  # how often it came beside hidden pieces, as far as that is counted
        ("unguarded", np.int64),  # 1: guards of other pieces are no evidence (adjustment `guards` is off)
        ("odds", np.float64, (g.PIECES * g.TYPES,)),  # by piece and type: a factor for how likely it is
    ],
    align=True,
)

CAME = (1.0, 0.45, 0.3)
"""Likelihood of coming beside a known piece that the piece beats, that equals it, that beats it."""
LEFT = (0.45, 0.8, 1.0)
"""Likelihood of leaving such a piece."""
TO_BOMB, FROM_BOMB = (1.0, 0.6), (0.35, 1.0)
"""Likelihood of coming beside a known Bomb for a piece that can remove it, and for others; then of leaving it."""
VENTURES = np.array([1, 0.35, 0.8, 0.75, 0.8, 0.8, 1, 1.2, 1.4, 1.5, 1.8, 1, 1])
"""Likelihood of each type, by type code, for a hidden piece that comes beside hidden ones and no known one. In matches
of six programs, `greedy` and the levels such pieces were the Marshal or the General far more often than believed
before, and the Spy hardly ever.
"""
VENTURES_IN_FULL_ARMY = np.array([1, 0.4, 0.7, 0.7, 0.8, 0.7, 1.1, 1.8, 2, 2, 2, 1, 1])
"""Likelihoods if every square of a side is filled."""
MOST_VENTURES, MOST_VENTURES_IN_FULL_ARMY = 1, 2
"""Most times that this counts for the same piece."""
STOOD = (0.55, 0.8, 0.6)
"""Likelihood of doing nothing when a known piece has come beside; a Bomb or a Flag always does nothing."""
GUARDS = (2.2, 1.3, 1.0)
"""Likelihood of having moved and standing beside another moved piece of its side that a known piece can take: it may be
there to retake. Once more for having come there after the other.
"""
STILL_GUARDS = (3.0, 1.5, 1.0)
"""Likelihood of never having moved: the other piece went where it is guarded."""
SPY_GUARDS = 2.0
"""And how much more the Spy is likely to stand there where that known piece is the Marshal."""


@entry
def read_traces(views: Records, rules: Records, side: int, traces: Records) -> None:
    """Fills row 0 of `traces` (all zeros) with what the hidden pieces of `side` did, as row 0 of `views` shows it."""
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
        if moves and not t.unguarded:
            judge_guard(v, r, side, v.ring_to[turn % g.RING], t)
    for square in range(0 if t.unguarded else g.SQUARES):
        judge_guard(v, r, side, square, t)


@helper
def go_back(v: ViewRow, first: int, t: StateRow) -> None:
    """Puts all pieces back to where they stood in turn `first`, as far as the ring tells."""
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
    """Makes the move of a turn again. Who left the board when is known only so far as it shows later."""
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
    """Whether a move is longer than one square, so that all know a Scout. (As arguments of a helper the squares are
    signed; their difference would wrap otherwise.)
    """
    return abs(end - begin) not in (1, g.COLUMNS)


@helper
def stays(v: ViewRow, piece: int, turn: int, t: StateRow) -> Any:
    """Whether a piece is known to be on the board after this turn."""
    return v.where[piece] != g.OFF or t.last[piece] > turn


@helper
def known_rank(v: ViewRow, side: int, square: int, t: StateRow) -> int:
    """The rank of the movable piece of `side` that stood on a square and was known to all; 0 if there was none."""
    piece = t.number[square]
    if piece == g.NONE or not t.shown[piece] or not is_of(v, side, piece):
        return 0
    kind = v.board[v.where[piece]] & g.TYPE
    return kind if kind < g.BOMB else 0


@helper
def is_known_bomb(v: ViewRow, side: int, square: int, t: StateRow) -> Any:
    """Whether a Bomb of `side` stood on a square that was known to all."""
    piece = t.number[square]
    if piece == g.NONE or not t.shown[piece] or v.where[piece] == g.OFF:
        return False
    return v.board[v.where[piece]] == g.BOMB + (g.RED << side)


@helper
def weigh(r: RulesRow, piece: int, rank: int, t: StateRow, better: float, equal: float, worse: float) -> None:
    """Multiplies the odds of a piece by how it would fare against `rank`."""
    for kind in range(1, g.BOMB):
        result = result_of(r, kind, rank)
        factor = better if result == WON else equal if result == BOTH_LEAVE else worse
        t.odds[piece * g.TYPES + kind] *= factor


@helper
def judge_move(v: ViewRow, r: RulesRow, side: int, turn: int, t: StateRow) -> None:
    """A quiet move beside a known piece, or away from one."""
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
    """A hidden piece has come beside pieces of the `other` side of which it knows none."""
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
    """The piece that the other side moved last stands beside hidden pieces, and they do nothing."""
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
def judge_guard(v: ViewRow, r: RulesRow, side: int, square: int, t: StateRow) -> None:
    """A hidden piece of `side` stands on a square, beside others of its side that known pieces can take."""
    piece = t.number[square]
    if piece == g.NONE or t.shown[piece] or not is_of(v, side, piece):
        return
    for d in range(4):
        beside = r.near[square, d]
        guarded = t.number[beside]
        if guarded == g.NONE or not is_of(v, side, guarded) or not v.marks[v.where[guarded]] & g.MOVED:
            continue
        own = known_rank(v, side, beside, t)
        for e in range(4):
            rank = known_rank(v, 1 - side, r.near[beside, e], t)
            if rank and (own == 0 or result_of(r, rank, own) == WON):
                weigh_guard(v, r, piece, rank, t)


@helper
def weigh_guard(v: ViewRow, r: RulesRow, piece: int, rank: int, t: StateRow) -> None:
    """A hidden piece may be there to take a known one of that rank."""
    if v.marks[v.where[piece]] & g.MOVED:
        weigh(r, piece, rank, t, GUARDS[0], GUARDS[1], GUARDS[2])
    else:
        weigh(r, piece, rank, t, STILL_GUARDS[0], STILL_GUARDS[1], STILL_GUARDS[2])
    if rank == g.MARSHAL:
        t.odds[piece * g.TYPES + g.SPY] *= SPY_GUARDS


@helper
def is_of(v: ViewRow, side: int, piece: int) -> Any:
    """Whether a piece is on the board and of `side`."""
    return v.where[piece] != g.OFF and v.board[v.where[piece]] & (g.RED << side) != 0
