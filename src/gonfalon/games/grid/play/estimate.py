"""A rough estimate of a position, for agents that look one turn ahead. A heuristic, not a rule."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.battle import LOST, WON, result_of

WORTH = (0, 60, 12, 30, 15, 20, 30, 45, 70, 110, 160, 22, 0)
"""Worth of a piece by type. A Spy threatens the Marshal, a Miner removes Bombs, a Scout is cheap."""
SECRET = 0.15
"""The share of its worth that a piece gains while the enemy does not know it."""
FEAR = 0.6
"""The share of its worth that a piece loses beside a known stronger piece of the side to move."""
NEARER = 0.4
"""Worth of one step towards the nearest piece that attracts the moving piece."""
SCALE = 1500.0


@helper
def estimate(s: StateRow, r: RulesRow, player: int) -> float:
    """Return the estimate for `player`, from -1 (lost) to 1 (won): material, secrets, danger and progress."""
    if s.phase == g.OVER:
        if s.winner == g.NONE:
            return 0.0
        return 1.0 if s.winner == player else -1.0
    total = 0.0
    for square in range(r.squares):
        piece = s.board[square]
        if piece & g.ANY_SIDE:
            side = 1 if piece & g.BLUE else 0
            value = worth_on(s, r, square, side)
            if side == player:
                total += value - approach(s, r, square, side)
            else:
                total -= value
    return max(-0.9, min(0.9, total / SCALE))


@helper
def worth_on(s: StateRow, r: RulesRow, square: int, side: int) -> float:
    """Return the worth of the piece on a square to its owner."""
    kind = s.board[square] & g.TYPE
    worth = float(WORTH[kind])
    value = worth if s.marks[square] & g.SEEN else worth * (1.0 + SECRET)
    if kind >= g.BOMB:
        return value
    if s.mover != side and is_in_danger(s, r, square, side, kind):
        value -= FEAR * worth
    return value


@helper
def approach(s: StateRow, r: RulesRow, square: int, side: int) -> float:
    """Return the loss of a movable piece of the player for its distance from pieces that attract it.

    Enemy pieces have no such loss: one step shortens both distances, and both losses would cancel out.
    """
    kind = s.board[square] & g.TYPE
    return NEARER * distance_to_prey(s, r, square, side, kind) if kind < g.BOMB else 0.0


@helper
def is_in_danger(s: StateRow, r: RulesRow, square: int, side: int, kind: int) -> bool:
    enemy = g.ANY_SIDE - (g.RED << side)
    for d in range(4):
        near = r.near[square, d]
        other = s.board[near] & g.TYPE
        if s.board[near] & enemy and other < g.BOMB and s.marks[near] & g.SEEN and result_of(r, other, kind) != LOST:
            return True
    return False


@helper
def distance_to_prey(s: StateRow, r: RulesRow, square: int, side: int, kind: int) -> int:
    """Return the distance in steps, ignoring obstacles, to the nearest enemy piece that this piece beats or that is
    unknown.
    """
    enemy = g.ANY_SIDE - (g.RED << side)
    best = 2 * g.COLUMNS
    for other in range(r.squares):
        piece = s.board[other]
        if not piece & enemy:
            continue
        target = piece & g.TYPE
        if s.marks[other] & g.SEEN and target != g.FLAG and result_of(r, kind, target) != WON:
            continue
        steps = abs(square % g.COLUMNS - other % g.COLUMNS) + abs(square // g.COLUMNS - other // g.COLUMNS)
        best = min(best, steps)
    return best
