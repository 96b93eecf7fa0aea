"""Help for players: a rough estimate of a full state."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper
from gonfalon.games.tiny import state as g


@helper
def estimate(s: StateRow, _r: RulesRow, player: int) -> float:
    """Return the estimate, from -1 (lost) to 1 (won): the sum of the player's ranks minus the sum of the enemy's."""
    if s.phase == g.OVER:
        return 0.0 if s.winner == g.NONE else 1.0 if s.winner == player else -1.0
    total = 0
    for place in range(g.PLACES):
        if place // g.COLUMNS == player:
            total += s.board[place]
        else:
            total -= s.board[place]
    return total / 10
