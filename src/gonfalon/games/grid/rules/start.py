"""Start and deployment (GR-1 to GR-3)."""

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.ends import judge_both_sides
from gonfalon.games.grid.rules.log import note


@helper
def set_up(s: StateRow, r: RulesRow) -> None:
    """Fill `s`, which is all zeros, with the state before the first placement."""
    for square in range(g.SQUARES + 1):
        s.board[square] = g.BLOCKED if r.blocked[square] else g.EMPTY
        s.number[square] = g.NONE
    for piece in range(g.PIECES):
        s.where[piece] = g.OFF
    for side in range(2):
        for kind in range(g.TYPES):
            s.left[side, kind] = r.army[kind]
    s.phase = g.DEPLOY
    s.next_number = g.FIRST_RETURNED
    clear_fight(s)
    s.winner = g.NONE


@helper
def clear_fight(s: StateRow) -> None:
    s.fight = 0
    s.fighter = g.NONE
    s.arrived = g.NONE
    for k in range(4):
        s.targets[k] = g.NONE


@helper
def is_ready(s: StateRow, r: RulesRow, side: int) -> bool:
    return s.placed[side] == r.own_squares


@helper
def legal_placements(s: StateRow, r: RulesRow, player: int, out: Numbers, n: int) -> int:
    """Lists the types that may go on the next own square (GR-1, GR-3), and "empty" while squares may stay empty."""
    if not is_ready(s, r, player):
        for kind in range(g.TYPES):
            if s.left[player, kind] > 0:
                out[n] = g.ACT_DEPLOY + kind
                n += 1
    return n


@helper
def place(s: StateRow, r: RulesRow, player: int, kind: int) -> None:
    """Put `kind` (0 for nothing) on the player's next square. After the last placement the player is ready; when both
    are, play starts.
    """
    square = r.own[player, s.placed[player]]
    s.left[player, kind] -= 1
    s.placed[player] += 1
    if kind != g.EMPTY:
        s.board[square] = kind + (g.RED << player)
    note(s, g.LOG_PLACED, player, kind, square, 0, 0, 0)
    if is_ready(s, r, player):
        note(s, g.LOG_READY, player, 0, 0, 0, 0, 0)
    if is_ready(s, r, 0) and is_ready(s, r, 1):
        start_play(s, r)


@helper
def start_play(s: StateRow, r: RulesRow) -> None:
    """Numbers the pieces by square, so that numbers reveal nothing, and judges both sides (GR-19)."""
    following = g.FIRST_OF_RED
    for side in range(2):
        for square in range(r.squares):
            if s.board[square] & (g.RED << side):
                s.number[square] = following
                s.where[following] = square
                following += 1
        following = g.FIRST_OF_BLUE
    s.phase = g.TURN
    note(s, g.LOG_START, 0, 0, 0, 0, 0, 0)
    judge_both_sides(s, r)
