"""Distances on the board of one world."""

from typing import Any

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper
from gonfalon.games.grid import state as g

FAR = 99
"""Distance of a square that cannot be reached."""
WAYS, ON_FOOT, DIGGING = 2, 0, 1
"""Ways to a piece: on foot, around immovable pieces; or digging, through the Bombs of that piece's side too."""


@helper
def way_of(kind: int) -> int:
    """Return the way that pieces of a type go."""
    return DIGGING if kind == g.MINER else ON_FOOT


@helper
def find_steps(s: StateRow, r: RulesRow, start: int, dug: int, steps: Numbers, queue: Numbers) -> None:
    """Fills `steps` with the distance of each square from `start`. Immovable pieces block, but a Miner digs through
    Bombs of the side whose bit is `dug` (RED, BLUE or 0).
    """
    for square in range(g.SQUARES + 1):
        steps[square] = FAR
    steps[start] = 0
    queue[0] = start
    first, last = 0, 1
    while first < last:
        square = queue[first]
        first += 1
        piece = s.board[square]
        if square != start and piece & g.ANY_SIDE and piece & g.TYPE >= g.BOMB and piece != g.BOMB + dug:
            continue
        for d in range(4):
            near = r.near[square, d]
            if near != g.OFF and steps[near] == FAR and not s.board[near] & g.BLOCKED:
                steps[near] = steps[square] + 1
                queue[last] = near
                last += 1


@helper
def find_flag(s: StateRow, r: RulesRow, side: int) -> int:
    """Return the square of a side's Flag."""
    for square in range(r.squares):
        if s.board[square] == g.FLAG + (g.RED << side):
            return square
    return g.OFF


@helper
def find_approach(s: StateRow, r: RulesRow, start: int, side: int, c: StateRow) -> None:
    """Fills the distance of each square from an approached square of `side`: `steps` on foot, `dug` by digging."""
    find_steps(s, r, start, 0, c.steps, c.queue)
    find_steps(s, r, start, g.RED << side, c.dug, c.queue)


@helper
def steps_of(kind: int, square: int, c: StateRow) -> Any:
    """Return the steps of a piece of a type from a square. Needs `find_approach`."""
    return c.dug[square] if way_of(kind) == DIGGING else c.steps[square]


@helper
def find_ways(s: StateRow, r: RulesRow, side: int, c: StateRow, steps: Numbers) -> None:
    """Fills `steps`, by type and square, with an enemy's distance from the Flag of `side`."""
    for k in range(16 * g.SQUARES):
        steps[k] = FAR
    flag = find_flag(s, r, side)
    if flag == g.OFF:
        return
    find_approach(s, r, flag, side, c)
    for square in range(r.squares):
        for kind in range(1, g.BOMB):
            steps[kind * g.SQUARES + square] = steps_of(kind, square, c)


@helper
def gap(a: int, b: int) -> Any:
    """Distance between two squares in steps, ignoring obstacles."""
    return abs(a % g.COLUMNS - b % g.COLUMNS) + abs(a // g.COLUMNS - b // g.COLUMNS)
