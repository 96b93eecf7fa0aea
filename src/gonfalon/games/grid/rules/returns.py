"""Pieces that come back: Shroud (GR-30, GR-38) and Rescue (GR-22). First a type is picked, then a square."""

from gonfalon.engine.jit import Row, helper
from gonfalon.games.grid.rules.battle import put_back
from gonfalon.games.grid.rules.log import note
from gonfalon.games.grid.state import (
    ACT_PICK,
    ACT_PLACE,
    BOMB,
    COLUMNS,
    EMPTY,
    HEAL,
    HEAL_PLACE,
    LOG_CHOSEN,
    LOG_DECLINED,
    LOG_HEALED,
    LOG_RESCUED,
    NONE,
    RESCUE,
    RESCUE_PLACE,
    RETURNED,
    RING,
    SCOUT,
    SPENT,
    SPY,
    TYPE,
)


@helper
def least_type(phase: int) -> int:
    """The Shroud returns ranks 2 to 10, a Rescue any lost piece but a Bomb (the Flag is never lost before the end)."""
    return SCOUT if phase == HEAL else SPY


@helper
def anything_to_return(s: Row, side: int, phase: int) -> bool:
    for kind in range(least_type(phase), BOMB):
        if s.lost[side, kind] > 0:
            return True
    return False


@helper
def next_healer(s: Row) -> int:
    """Whose Shroud is next, the mover's first (GR-30); NONE if there is nothing to heal."""
    for k in range(2):
        side = s.mover if k == 0 else 1 - s.mover
        if s.heal[side]:
            if anything_to_return(s, side, HEAL):
                return side
            s.heal[side] = 0
    return NONE


@helper
def may_rescue(s: Row, r: Row) -> bool:
    """GR-22: the moved piece stands on the farthest row, has not done this before, and something can come back somewhere."""
    if not r.rescue or s.arrived == NONE:
        return False
    side, square = s.mover, s.arrived
    far = r.rows - 1 if side == 0 else 0
    if square // COLUMNS != far or s.marks[square] & SPENT or s.board[square] & TYPE == SCOUT:
        return False
    if s.rescues[side] >= 2 or not anything_to_return(s, side, RESCUE):
        return False
    for k in range(r.squares):
        if is_room(s, r, side, k):
            return True
    return False


@helper
def is_room(s: Row, r: Row, side: int, square: int) -> bool:
    """Whether a rescued piece may return here: an empty square of the own half."""
    row = square // COLUMNS
    own_half = row < r.rows // 2 if side == 0 else row >= r.rows - r.rows // 2
    return own_half and s.board[square] == EMPTY


@helper
def legal_picks(s: Row, player: int, out: Row, n: int) -> int:
    """Decline (type 0), or a type that is lost."""
    out[n] = ACT_PICK
    n += 1
    for kind in range(least_type(s.phase), BOMB):
        if s.lost[player, kind] > 0:
            out[n] = ACT_PICK + kind
            n += 1
    return n


@helper
def legal_places(s: Row, r: Row, player: int, out: Row, n: int) -> int:
    if s.phase == RESCUE_PLACE:
        for square in range(r.squares):
            if is_room(s, r, player, square):
                out[n] = ACT_PLACE + square
                n += 1
        return n
    for k in range(r.rows):  # GR-30: the nearest row that is not full
        row = k if player == 0 else r.rows - 1 - k
        first = n
        for square in range(row * COLUMNS, row * COLUMNS + COLUMNS):
            if s.board[square] == EMPTY:
                out[n] = ACT_PLACE + square
                n += 1
        if n > first:
            return n
    return n


@helper
def pick(s: Row, player: int, kind: int) -> None:
    """Picks the type to return; 0 declines."""
    if kind != EMPTY:
        s.chosen = kind
        s.phase = HEAL_PLACE if s.phase == HEAL else RESCUE_PLACE
        note(s, LOG_CHOSEN, player, kind, 0, 0, 0, 0)
        return
    note(s, LOG_DECLINED, player, 0, 0, 0, 0, 0)
    finish_return(s, player)


@helper
def place_returned(s: Row, player: int, square: int) -> None:
    put_back(s, player, s.chosen, square)
    s.ring_kind[s.turn % RING] |= RETURNED
    if s.phase == HEAL_PLACE:
        note(s, LOG_HEALED, player, s.chosen, square, 0, 0, 0)
    else:
        note(s, LOG_RESCUED, player, s.chosen, square, 0, 0, 0)
        s.rescues[player] += 1
        s.marks[s.arrived] |= SPENT
    finish_return(s, player)


@helper
def finish_return(s: Row, player: int) -> None:
    if s.phase == HEAL or s.phase == HEAL_PLACE:
        s.heal[player] = 0
    else:
        s.arrived = NONE
    s.chosen = EMPTY
