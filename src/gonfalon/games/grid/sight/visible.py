"""THE filter: what an observer may see of a state, field by field. Nothing else decides this."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, ViewRow, helper
from gonfalon.engine.game import EVERYTHING
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.start import is_ready


@helper
def may_know(observer: int, side: int) -> bool:
    """Whether the observer may know the secrets of `side`."""
    return observer == side or observer == EVERYTHING


@helper
def fill_view(s: StateRow, r: RulesRow, observer: int, v: ViewRow) -> None:
    """Fills the view `v`, which is all zeros, except for its legal actions."""
    v.observer = observer
    for square in range(g.SQUARES + 1):
        show_square(s, observer, square, v)
    for number in range(g.PIECES):
        v.where[number] = s.where[number]
    for side in range(2):
        show_side(s, r, observer, side, v)
    show_turn(s, observer, v)
    for k in range(g.RING):
        v.ring_from[k] = s.ring_from[k]
        v.ring_to[k] = s.ring_to[k]
        v.ring_piece[k] = s.ring_piece[k]
        v.ring_kind[k] = s.ring_kind[k]


@helper
def show_square(s: StateRow, observer: int, square: int, v: ViewRow) -> None:
    """Shows own and seen pieces with their types and others as HIDDEN. During deployment it shows nothing of another
    side (GR-1).
    """
    piece = s.board[square]
    v.number[square] = g.NONE
    if not piece & g.ANY_SIDE:
        v.board[square] = piece
        return
    own = may_know(observer, 1 if piece & g.BLUE else 0)
    if s.phase == g.DEPLOY and not own:
        return
    if own or s.marks[square] & g.SEEN:
        v.board[square] = piece
    else:
        v.board[square] = piece - (piece & g.TYPE) + g.HIDDEN
    if s.over != 0 and s.number[square] == g.NONE and not own:
        v.board[square] = 0  # After a resignation during deployment, the places of pieces stay hidden too.
    v.number[square] = s.number[square]
    v.marks[square] = s.marks[square]
    v.ruled_out[square] = s.ruled_out[square]


@helper
def show_side(s: StateRow, r: RulesRow, observer: int, side: int, v: ViewRow) -> None:
    own = may_know(observer, side)
    v.ready[side] = is_ready(s, r, side)
    v.chase[side] = s.chase[side]
    v.apple_used[side] = s.apple_used[side]
    v.rescues[side] = s.rescues[side]
    v.heal[side] = s.heal[side]
    for kind in range(g.TYPES):
        v.lost[side, kind] = s.lost[side, kind]
        if own:
            v.left[side, kind] = s.left[side, kind]
    if own:
        v.placed[side] = s.placed[side]


@helper
def show_turn(s: StateRow, observer: int, v: ViewRow) -> None:
    """Shows counters and the unfinished turn. Only its owner sees the piece picked to return, until it stands on the
    board.
    """
    own = s.phase != g.OVER and may_know(observer, s.actor)
    v.phase = s.phase
    if own:
        v.chosen = s.chosen
    elif s.phase == g.HEAL_PLACE:
        v.phase = g.HEAL
    elif s.phase == g.RESCUE_PLACE:
        v.phase = g.RESCUE
    v.mover = s.mover
    v.actor = s.actor
    v.turn = s.turn
    v.quiet = s.quiet
    v.next_number = s.next_number
    v.fight = s.fight
    v.fighter = s.fighter
    for k in range(4):
        v.targets[k] = s.targets[k]
    v.arrived = s.arrived
    v.over = s.over
    v.winner = s.winner
