"""The rules TN-1 to TN-5, as in `rules.md`."""

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper
from gonfalon.engine.compiled.kernels import note
from gonfalon.engine.game import CHANCE
from gonfalon.games.tiny import state as g


@helper
def set_up(s: StateRow, _r: RulesRow) -> None:
    s.winner = g.NONE


@helper
def next_actor(s: StateRow, _r: RulesRow) -> int:
    return CHANCE if s.phase == g.DEAL else s.mover


@helper
def legal_actions(s: StateRow, r: RulesRow, player: int, out: Numbers) -> int:
    """Write the legal actions of `player` (or CHANCE), ascending. Return their number."""
    n = 0
    if s.phase == g.OVER or player != next_actor(s, r):
        return n
    if s.phase == g.DEAL:
        for deal in range(6):
            out[deal] = g.ACT_DEAL + deal
        return 6
    for own in range(g.COLUMNS):
        for other in range(g.COLUMNS):
            if s.board[player * g.COLUMNS + own] and s.board[(1 - player) * g.COLUMNS + other]:
                out[n] = g.ACT_ATTACK + own * g.COLUMNS + other
                n += 1
    return n


@helper
def chance_weight(_s: StateRow, _r: RulesRow, _action: int) -> int:
    """TN-2: return the weight of a deal; all deals are equally likely."""
    return 1


@helper
def act(s: StateRow, _r: RulesRow, player: int, action: int) -> None:
    """Apply a legal action in place."""
    s.n_log = 0
    if action >= g.ACT_ATTACK:
        own, other = (action - g.ACT_ATTACK) // g.COLUMNS, (action - g.ACT_ATTACK) % g.COLUMNS
        attack(s, player, player * g.COLUMNS + own, (1 - player) * g.COLUMNS + other)
        return
    for k in range(g.COLUMNS):
        s.board[s.mover * g.COLUMNS + k] = g.DEALS[action][k]
    note(s, g.LOG_DEALT, s.mover, action, 0, 0, 0)
    s.phase = g.TURN if s.mover else g.DEAL
    s.mover = 1 - s.mover


@helper
def attack(s: StateRow, player: int, begin: int, end: int) -> None:
    """TN-4: show both pieces. The lower rank leaves; if the ranks are equal, both leave. A Spy that attacks the Marshal
    wins.
    """
    mine, theirs = s.board[begin], s.board[end]
    wins = mine > theirs or (mine == g.SPY and theirs == g.MARSHAL)
    note(s, g.LOG_BATTLE, player, begin, end, mine, theirs)
    s.seen[begin], s.seen[end] = wins, not wins and mine != theirs
    s.board[begin] = mine if wins else 0
    s.board[end] = theirs if s.seen[end] else 0
    s.turn += 1
    s.mover = 1 - player
    red, blue = s.board[0] + s.board[1] + s.board[2] > 0, s.board[3] + s.board[4] + s.board[5] > 0
    if not (red and blue):
        finish(s, g.BY_CAPTURE, 0 if red else 1 if blue else g.NONE)


@helper
def finish(s: StateRow, reason: int, winner: int) -> None:
    s.phase, s.over, s.winner = g.OVER, reason, winner
    note(s, g.LOG_OVER, winner, reason, 0, 0, 0)


@helper
def resign(s: StateRow, _r: RulesRow, player: int) -> None:
    s.n_log = 0
    note(s, g.LOG_RESIGNED, player, 0, 0, 0, 0)
    finish(s, g.BY_RESIGNING, 1 - player)


@helper
def agree_draw(s: StateRow, _r: RulesRow) -> None:
    s.n_log = 0
    note(s, g.LOG_AGREED, g.NONE, 0, 0, 0, 0)
    finish(s, g.BY_AGREEMENT, g.NONE)
