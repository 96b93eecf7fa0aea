"""Moving (GR-4 to GR-8). No other place says how pieces move."""

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper, index
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.powers import can_use_apple, legal_apples, legal_swords
from gonfalon.games.grid.rules.repetition import NO_BARRIER, crosses, find_barrier, repeats_chase


@helper
def move_end(action: int) -> int:
    """The square where a move action ends; it begins on `action // MOVE_TO`."""
    begin, to = action // g.MOVE_TO, action % g.MOVE_TO
    if to < g.COLUMNS:
        return begin - begin % g.COLUMNS + to
    return (to - g.COLUMNS) * g.COLUMNS + begin % g.COLUMNS


@helper
def movable_pieces(s: StateRow, r: RulesRow, player: int, out: Numbers) -> int:
    """Write the squares of the player's movable pieces, ascending, to the end of `out`, and return their number. The
    loop has no branch on the piece of a square: the processor would mispredict every second one, which costs more than
    all other steps.
    """
    own = g.RED << player
    found = 0
    for row in range(0, r.squares, g.COLUMNS):
        any_piece = 0
        for square in range(row, row + g.COLUMNS):
            any_piece |= s.board[index(square)]
        if not any_piece & own:
            continue
        for square in range(row, row + g.COLUMNS):
            piece = s.board[index(square)]
            out[index(g.MOVABLE + found)] = square
            found += (piece > own) & (piece < own + g.BOMB)
    return found


@helper
def list_run(s: StateRow, r: RulesRow, begin: int, d: int, enemy: int, out: Numbers, n: int) -> int:
    """Lists a Scout's moves in one direction (GR-6), nearest first. The ids of one line are consecutive."""
    step = 1 if d == 1 or d == 3 else -1
    action = r.first_move[index(begin), index(d)]
    end = r.near[index(begin), index(d)]
    while s.board[index(end)] == g.EMPTY:
        out[index(n)] = action
        n += 1
        action += step
        end = r.near[index(end), index(d)]
    if s.board[index(end)] & enemy:
        out[index(n)] = action
        n += 1
    return n


@helper
def reverse(out: Numbers, first: int, n: int) -> None:
    """Reverses `out[first:n]`. Lines to the west and south are listed from their highest id down."""
    last = n - 1
    while first < last:
        out[first], out[last] = out[last], out[first]
        first += 1
        last -= 1


@helper
def possible_moves(s: StateRow, r: RulesRow, player: int, out: Numbers, n: int) -> int:
    """Lists all moves and attacks of GR-5, GR-6 and GR-8, before GR-9 and GR-10."""
    enemy = g.ANY_SIDE - (g.RED << player)
    for k in range(movable_pieces(s, r, player, out)):
        begin = index(out[index(g.MOVABLE + k)])
        if s.board[begin] & g.TYPE == g.SCOUT:
            for d in range(4):
                first = n
                n = list_run(s, r, begin, d, enemy, out, n)
                if n - first > 1 and (d == 0 or d == 2):
                    reverse(out, first, n)
            continue
        for d in range(4):
            target = s.board[r.near[begin, index(d)]]
            out[index(n)] = r.first_move[begin, index(d)]
            n += (target == g.EMPTY) | (target & enemy != 0)
    return n


@helper
def is_forbidden(s: StateRow, r: RulesRow, player: int, fence: int, begin: int, end: int) -> bool:
    """Whether GR-9 or GR-10 forbids a possible move. `fence` is the player's barrier (`find_barrier`)."""
    if crosses(fence, begin, end):
        return True
    return r.chase_rule and s.board[end] == g.EMPTY and repeats_chase(s, r, player, begin, end)


@helper
def is_restrained(s: StateRow, r: RulesRow, player: int, fence: int) -> bool:
    """Whether GR-9 or GR-10 can forbid anything now. If not, all possible moves are legal."""
    return fence != NO_BARRIER or (r.chase_rule and s.chase[player] >= 2)


@helper
def legal_turns(s: StateRow, r: RulesRow, player: int, out: Numbers, n: int) -> int:
    """Lists every legal turn of the side to move, ascending."""
    first = n
    n = possible_moves(s, r, player, out, n)
    fence = find_barrier(s, r)
    if is_restrained(s, r, player, fence):
        kept = first
        for k in range(first, n):
            if not is_forbidden(s, r, player, fence, out[k] // g.MOVE_TO, move_end(out[k])):
                out[kept] = out[k]
                kept += 1
        n = kept
    if r.powers:
        n = legal_apples(s, r, player, out, n)
        n = legal_swords(s, r, player, out, n)
    return n


@helper
def can_last_mover_step(s: StateRow, r: RulesRow, player: int, enemy: int) -> bool:
    """Whether the piece that the player moved last can make a step. It nearly always can, which saves the search for
    another. A piece that left the board is on OFF, which has no open neighbours.
    """
    turn = s.turn - 1 if s.mover != player else s.turn - 2
    if turn < 0 or s.ring_piece[turn % g.RING] == g.NONE:
        return False
    square = s.where[s.ring_piece[turn % g.RING]]
    for d in range(4):
        target = s.board[r.near[square, d]]
        if target == g.EMPTY or target & enemy:
            return True
    return False


@helper
def can_move(s: StateRow, r: RulesRow, player: int, restrained: bool, fence: int, begin: int, is_scout: bool) -> bool:
    """Whether a piece on `begin` has a legal move, as a Scout (`is_scout`) or as a piece of another movable type. GR-9
    and GR-10 count only if `restrained`. `fence`: see `is_forbidden`.
    """
    enemy = g.ANY_SIDE - (g.RED << player)
    for d in range(4):
        end = r.near[begin, d]
        while s.board[end] == g.EMPTY or s.board[end] & enemy:
            if not restrained or not is_forbidden(s, r, player, fence, begin, end):
                return True
            if not is_scout or s.board[end] != g.EMPTY:
                break
            end = r.near[end, d]
    return False


@helper
def has_turn(s: StateRow, r: RulesRow, player: int, judged: bool) -> bool:
    """Whether the side has a legal turn (GR-19). GR-9 and GR-10 count only if `judged`.

    Searches from the enemy's end of the board, where movable pieces are. A Sword is never the only turn, as it needs
    two targets: GR-9 forbids one direction at most, and GR-10 no attack.
    """
    if r.powers and can_use_apple(s, player):
        return True
    own = g.RED << player
    enemy = g.ANY_SIDE - own
    fence = find_barrier(s, r) if judged else NO_BARRIER
    restrained = judged and is_restrained(s, r, player, fence)
    if not restrained and can_last_mover_step(s, r, player, enemy):
        return True
    for k in range(r.squares):
        begin = r.squares - 1 - k if player == 0 else k
        piece = s.board[begin]
        if not piece & own or piece & g.TYPE >= g.BOMB:
            continue
        if can_move(s, r, player, restrained, fence, begin, piece & g.TYPE == g.SCOUT):
            return True
    return False
