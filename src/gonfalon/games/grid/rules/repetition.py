"""The two-square rule (GR-9) and the chase rule (GR-10): moves that are forbidden after the last turns."""

from gonfalon.engine.compiled.jit import Records, RulesRow, StateRow, entry, helper, index
from gonfalon.games.grid import state as g

NO_BARRIER = -1


@helper
def find_barrier(s: StateRow, r: RulesRow) -> int:
    """Return the border that the piece moved last by the mover may not cross now (GR-9).

    Packed as `square * 64 + direction * 16 + distance`: moves from `square` in `direction` (west, east, south, north)
    of `distance` squares or more are forbidden. NO_BARRIER if there is none.
    """
    limit = r.two_square_limit
    if limit == 0 or s.turn < 2 * limit:
        return NO_BARRIER
    last = (s.turn - 2) % g.RING
    piece = s.ring_piece[index(last)]
    if piece == g.NONE or s.where[piece] == g.OFF:
        return NO_BARRIER
    along_file = s.ring_from[index(last)] % g.COLUMNS == s.ring_to[index(last)] % g.COLUMNS
    low, high = 0, g.COLUMNS
    for k in range(limit):
        at = (s.turn - 2 - 2 * k) % g.RING
        begin, end = s.ring_from[index(at)], s.ring_to[index(at)]
        if s.ring_piece[index(at)] != piece or (begin % g.COLUMNS == end % g.COLUMNS) != along_file:
            return NO_BARRIER
        if along_file:
            first, second = begin // g.COLUMNS, end // g.COLUMNS
        else:
            first, second = begin % g.COLUMNS, end % g.COLUMNS
        low = max(low, min(first, second))
        high = min(high, max(first, second))
    if low >= high:
        return NO_BARRIER
    square = int(s.where[piece])
    here = square // g.COLUMNS if along_file else square % g.COLUMNS
    if here <= low:
        return square * 64 + (3 if along_file else 1) * 16 + low - here + 1
    return square * 64 + (2 if along_file else 0) * 16 + here - high + 1


@helper
def crosses(barrier: int, begin: int, end: int) -> bool:
    """Whether a move from `begin` to `end` crosses `barrier`."""
    if barrier == NO_BARRIER or barrier // 64 != begin:
        return False
    direction, distance = (barrier // 16) % 4, barrier % 16
    if direction >= 2:
        rows = end // g.COLUMNS - begin // g.COLUMNS
        return (rows if direction == 3 else -rows) >= distance
    if end // g.COLUMNS != begin // g.COLUMNS:
        return False
    columns = end - begin
    return (columns if direction == 1 else -columns) >= distance


@helper
def is_beside_enemy(s: StateRow, r: RulesRow, square: int, side: int) -> bool:
    enemy = g.ANY_SIDE - (g.RED << side)
    for d in range(4):
        if s.board[r.near[index(square), index(d)]] & enemy:
            return True
    return False


@helper
def are_adjacent(r: RulesRow, one: int, other: int) -> bool:
    for d in range(4):
        if r.near[index(one), index(d)] == other:
            return True
    return False


@helper
def last_square_of(s: StateRow, turns_ago: int) -> int:
    """Return the square where the turn `turns_ago` turns ago ended; NONE if there was none or it was no move."""
    if s.turn < turns_ago:
        return g.NONE
    return s.ring_to[(s.turn - turns_ago) % g.RING]


@helper
def count_chase(s: StateRow, r: RulesRow, player: int, begin: int, end: int, attacked: bool) -> None:
    """Counts the chase lengths after a move from `begin` to `end`, in the order of GR-10. Called before the turn is
    counted.
    """
    opponent = 1 - player
    chaser = last_square_of(s, 1)
    if chaser != g.NONE and are_adjacent(r, begin, chaser):
        s.chase[opponent] += 1
    else:
        s.chase[opponent] = 0
    if attacked:
        s.chase[0] = 0
        s.chase[1] = 0
    if is_beside_enemy(s, r, end, player):
        s.chase[player] += 1
    else:
        s.chase[player] = 0


@helper
def repeats_chase(s: StateRow, r: RulesRow, player: int, begin: int, end: int) -> bool:
    """Whether a move to the empty square `end` repeats a position of this chase (GR-10).

    Walks back through the last L - 1 turns and counts the pieces that stood elsewhere at that time. If there is exactly
    one, the sums hold its number and its square at that time, and the move there is forbidden.
    """
    length = int(s.chase[player])
    if length < 2 or not is_beside_enemy(s, r, end, player):
        return False
    own = (s.turn - 2) % g.RING
    if s.turn >= 2 and s.ring_from[own] == end and s.ring_to[own] == begin:
        return False
    mover = s.number[begin]
    displaced, pieces, squares = 0, 0, 0
    for back in range(1, length):
        at = (s.turn - back) % g.RING
        if s.ring_kind[index(at)] & (g.ATTACKED | g.RETURNED) or s.ring_piece[index(at)] == g.NONE:
            return False
        piece, then, after = s.ring_piece[index(at)], s.ring_from[index(at)], s.ring_to[index(at)]
        now = s.where[piece]
        if after != now:
            displaced, pieces, squares = displaced - 1, pieces - piece, squares - after
        if then != now:
            displaced, pieces, squares = displaced + 1, pieces + piece, squares + then
        if displaced == 1 and pieces == mover and squares == end:
            return True
    return False


@entry
def is_two_squares(views: Records, i: int, rules: Records, begin: int, finish: int) -> bool:
    """Whether GR-9 forbids a possible move. If it does not and the move is illegal, GR-10 forbids it. Reads public
    fields of a view.
    """
    return crosses(find_barrier(views[i], rules[0]), begin, finish)
