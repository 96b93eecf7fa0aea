"""Pieces that come back: Shroud (GR-30, GR-38) and Rescue (GR-22). First a type is picked, then a square."""

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.battle import put_back
from gonfalon.games.grid.rules.log import note


@helper
def least_type(phase: int) -> int:
    """The Shroud returns ranks 2 to 10; a Rescue returns any lost piece but a Bomb. (The Flag is never lost before the
    end.)
    """
    return g.SCOUT if phase == g.HEAL else g.SPY


@helper
def can_return(s: StateRow, side: int, phase: int) -> bool:
    for kind in range(least_type(phase), g.BOMB):
        if s.lost[side, kind] > 0:
            return True
    return False


@helper
def next_healer(s: StateRow) -> int:
    """The player whose Shroud is next, the mover first (GR-30); NONE if there is nothing to heal."""
    for k in range(2):
        side = s.mover if k == 0 else 1 - s.mover
        if s.heal[side]:
            if can_return(s, side, g.HEAL):
                return side
            s.heal[side] = 0
    return g.NONE


@helper
def may_rescue(s: StateRow, r: RulesRow) -> bool:
    """GR-22: whether the moved piece stands on the farthest row, has not rescued before, and a piece can come back."""
    if not r.rescue or s.arrived == g.NONE:
        return False
    side, square = s.mover, s.arrived
    far = r.rows - 1 if side == 0 else 0
    if square // g.COLUMNS != far or s.marks[square] & g.SPENT or s.board[square] & g.TYPE == g.SCOUT:
        return False
    if s.rescues[side] >= 2 or not can_return(s, side, g.RESCUE):
        return False
    for k in range(r.squares):
        if is_room(s, r, side, k):
            return True
    return False


@helper
def is_room(s: StateRow, r: RulesRow, side: int, square: int) -> bool:
    """Whether a rescued piece may return here, on an empty square of the own half."""
    row = square // g.COLUMNS
    own_half = row < r.rows // 2 if side == 0 else row >= r.rows - r.rows // 2
    return own_half and s.board[square] == g.EMPTY


@helper
def legal_picks(s: StateRow, player: int, out: Numbers, n: int) -> int:
    """Lists the types to return: 0 to decline, or a lost type."""
    out[n] = g.ACT_PICK
    n += 1
    for kind in range(least_type(s.phase), g.BOMB):
        if s.lost[player, kind] > 0:
            out[n] = g.ACT_PICK + kind
            n += 1
    return n


@helper
def legal_places(s: StateRow, r: RulesRow, player: int, out: Numbers, n: int) -> int:
    if s.phase == g.RESCUE_PLACE:
        for square in range(r.squares):
            if is_room(s, r, player, square):
                out[n] = g.ACT_PLACE + square
                n += 1
        return n
    for k in range(r.rows):  # GR-30: the nearest row that is not full
        row = k if player == 0 else r.rows - 1 - k
        first = n
        for square in range(row * g.COLUMNS, row * g.COLUMNS + g.COLUMNS):
            if s.board[square] == g.EMPTY:
                out[n] = g.ACT_PLACE + square
                n += 1
        if n > first:
            return n
    return n


@helper
def pick(s: StateRow, player: int, kind: int) -> None:
    """Picks the type to return; type 0 declines."""
    if kind != g.EMPTY:
        s.chosen = kind
        s.phase = g.HEAL_PLACE if s.phase == g.HEAL else g.RESCUE_PLACE
        note(s, g.LOG_CHOSEN, player, kind, 0, 0, 0, 0)
        return
    note(s, g.LOG_DECLINED, player, 0, 0, 0, 0, 0)
    finish_return(s, player)


@helper
def place_returned(s: StateRow, player: int, square: int) -> None:
    put_back(s, player, s.chosen, square)
    s.ring_kind[s.turn % g.RING] |= g.RETURNED
    if s.phase == g.HEAL_PLACE:
        note(s, g.LOG_HEALED, player, s.chosen, square, 0, 0, 0)
    else:
        note(s, g.LOG_RESCUED, player, s.chosen, square, 0, 0, 0)
        s.rescues[player] += 1
        s.marks[s.arrived] |= g.SPENT
    finish_return(s, player)


@helper
def finish_return(s: StateRow, player: int) -> None:
    if s.phase == g.HEAL or s.phase == g.HEAL_PLACE:
        s.heal[player] = 0
    else:
        s.arrived = g.NONE
    s.chosen = g.EMPTY
