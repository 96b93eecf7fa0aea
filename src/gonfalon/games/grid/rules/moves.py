"""Moving (GR-4 to GR-8): which moves there are. The only statement of what a piece can do on its turn."""

from gonfalon.engine.jit import Row, helper
from gonfalon.games.grid.rules.powers import can_use_apple, legal_apples, legal_swords
from gonfalon.games.grid.rules.repetition import NO_BARRIER, barrier, crosses, repeats_chase
from gonfalon.games.grid.state import (
    ACT_MOVE,
    ANY_SIDE,
    BOMB,
    COLUMNS,
    EMPTY,
    MOVE_TO,
    RED,
    SCOUT,
    TYPE,
)


@helper
def move_action(begin: int, end: int) -> int:
    """Ids ascend by start square, then west to east along the row, then south to north along the file."""
    if begin // COLUMNS == end // COLUMNS:
        return ACT_MOVE + begin * MOVE_TO + end % COLUMNS
    return ACT_MOVE + begin * MOVE_TO + COLUMNS + end // COLUMNS


@helper
def move_end(action: int) -> int:
    """The square where a move action ends; it begins on `action // MOVE_TO`."""
    begin, to = action // MOVE_TO, action % MOVE_TO
    if to < COLUMNS:
        return begin - begin % COLUMNS + to
    return (to - COLUMNS) * COLUMNS + begin % COLUMNS


@helper
def scout_moves(s: Row, r: Row, begin: int, enemy: int, out: Row, n: int) -> int:
    """GR-6, in ascending order: a line to the west or south is walked to its end and emitted from there."""
    for d in range(4):
        first = n
        end = r.near[begin, d]
        while s.board[end] == EMPTY:
            out[n] = move_action(begin, end)
            n += 1
            end = r.near[end, d]
        if s.board[end] & enemy:
            out[n] = move_action(begin, end)
            n += 1
        if d == 0 or d == 2:
            last = n - 1
            while first < last:
                out[first], out[last] = out[last], out[first]
                first += 1
                last -= 1
    return n


@helper
def possible_moves(s: Row, r: Row, player: int, out: Row, n: int) -> int:
    """All moves and attacks of GR-5, GR-6 and GR-8, before GR-9 and GR-10."""
    own = RED << player
    enemy = ANY_SIDE - own
    for begin in range(r.squares):
        piece = s.board[begin]
        if not piece & own or piece & TYPE >= BOMB:
            continue
        if piece & TYPE == SCOUT:
            n = scout_moves(s, r, begin, enemy, out, n)
            continue
        for d in range(4):
            end = r.near[begin, d]
            if s.board[end] == EMPTY or s.board[end] & enemy:
                out[n] = move_action(begin, end)
                n += 1
    return n


@helper
def is_forbidden(s: Row, r: Row, player: int, fence: int, begin: int, end: int) -> bool:
    """GR-9 and GR-10 for one possible move; `fence` is the player's `barrier`."""
    if crosses(fence, begin, end):
        return True
    return r.chase_rule and s.board[end] == EMPTY and repeats_chase(s, r, player, begin, end)


@helper
def is_restrained(s: Row, r: Row, player: int, fence: int) -> bool:
    """Whether GR-9 or GR-10 can forbid anything now; where not, possible moves need no second look."""
    return fence != NO_BARRIER or (r.chase_rule and s.chase[player] >= 2)


@helper
def legal_turns(s: Row, r: Row, player: int, out: Row, n: int) -> int:
    """Every legal turn of the side to move, ascending."""
    first = n
    n = possible_moves(s, r, player, out, n)
    fence = barrier(s, r, player)
    if is_restrained(s, r, player, fence):
        kept = first
        for k in range(first, n):
            if not is_forbidden(s, r, player, fence, out[k] // MOVE_TO, move_end(out[k])):
                out[kept] = out[k]
                kept += 1
        n = kept
    if r.powers:
        n = legal_apples(s, r, player, out, n)
        n = legal_swords(s, r, player, out, n)
    return n


@helper
def has_turn(s: Row, r: Row, player: int, judged: bool) -> bool:
    """Whether the side has a legal turn (GR-19); with GR-9 and GR-10 only if `judged`.

    Looks from the enemy's end of the board, where movable pieces are. A Sword needs two targets and so never is the only turn:
    GR-9 forbids one direction at most, GR-10 no attack.
    """
    if r.powers and can_use_apple(s, player):
        return True
    own = RED << player
    enemy = ANY_SIDE - own
    fence = barrier(s, r, player) if judged else NO_BARRIER
    restrained = judged and is_restrained(s, r, player, fence)
    for k in range(r.squares):
        begin = r.squares - 1 - k if player == 0 else k
        piece = s.board[begin]
        if not piece & own or piece & TYPE >= BOMB:
            continue
        for d in range(4):
            end = r.near[begin, d]
            while s.board[end] == EMPTY or s.board[end] & enemy:
                if not restrained or not is_forbidden(s, r, player, fence, begin, end):
                    return True
                if piece & TYPE != SCOUT or s.board[end] != EMPTY:
                    break
                end = r.near[end, d]
    return False
