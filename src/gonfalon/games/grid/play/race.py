"""Miners on their way to a Flag, and who comes in time to stop them."""

from typing import Any

from gonfalon.engine.jit import RulesRow, StateRow, helper, index
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.ways import FAR, find_flag, find_steps

RACE, LEAD, LATE = 1.0, 1.0, 3.0
"""Where a Miner comes to a Flag before any piece that can stop it, this share of a decided match is counted; a part of
it where one can stop it just in time.
"""
RUSH, RUSH_FALL = 14.0, 8.0
"""Miners RUSH steps from a Flag do not count yet, RUSH_FALL steps nearer they count in full."""


@helper
def fill_race(s: StateRow, r: RulesRow, player: int, d: StateRow) -> None:
    """Fills what `judge_race` needs."""
    for square in range(r.squares):
        find_steps(s, r, square, 0, d.steps, d.queue)
        for other in range(r.squares):
            d.walk[square * g.SQUARES + other] = d.steps[other]
    for side in range(2):
        for square in range(r.squares):
            steps = d.away if side == player else d.reach
            d.rush[(1 - side) * g.SQUARES + square] = steps[g.MINER * g.SQUARES + square]
        fill_slack(s, r, side, d)
    d.stake[player] = RACE * d.scale * d.aim
    d.stake[1 - player] = RACE * d.scale * d.flag_share[find_flag(s, r, 1 - player)]


@helper
def fill_slack(s: StateRow, r: RulesRow, side: int, d: StateRow) -> None:
    """How much later a piece of `side` is than an enemy Miner at that square of the Miner's way to the Flag where it is
    latest the least, on the way that is best for the Miner: fills `slack` by the Miner's square and the piece's. The
    piece stops the Miner where that is 0 or less.
    """
    first = side * g.SQUARES * g.SQUARES
    rush = (1 - side) * g.SQUARES
    for steps in range(1, int(RUSH)):
        for square in range(r.squares):
            if d.rush[rush + square] != steps:
                continue
            at = first + square * g.SQUARES
            for other in range(r.squares):
                d.slack[at + other] = -FAR if steps > 1 else FAR
            for k in range(4):
                near = r.near[square, k]
                if steps == 1 or near == g.OFF or d.rush[rush + near] >= steps or not lets_through(s, side, near):
                    continue
                for other in range(r.squares):
                    later = d.slack[first + near * g.SQUARES + other] - 1
                    d.slack[at + other] = max(d.slack[at + other], later)
            for other in range(r.squares):
                d.slack[at + other] = min(d.slack[at + other], d.walk[square * g.SQUARES + other])


@helper
def lets_through(s: StateRow, side: int, square: int) -> bool:
    """Whether an enemy Miner can go on from a square: from Bombs of `side` too."""
    piece = s.board[square]
    return not piece & g.ANY_SIDE or piece & g.TYPE < g.BOMB or piece == g.BOMB + (g.RED << side)


@helper
def judge_race(d: StateRow, side: int, miner: int, count: int, first: int) -> Any:
    """How likely an enemy Miner on a square is to take the Flag of `side`, from 0 to 1. `count`: of the pieces that can
    stop it; `first`: 1 if they are to move, otherwise 0.
    """
    rush = d.rush[index((1 - side) * g.SQUARES + miner)]
    if rush >= RUSH:
        return 0.0
    slack = FAR
    for k in range(count):
        stopper = d.stoppers[index(side * g.SQUARES + k)]
        slack = min(slack, d.slack[index((side * g.SQUARES + miner) * g.SQUARES + stopper)])
    late = (slack - first + LEAD) / LATE
    return max(0.0, min(1.0, late)) * min(1.0, (RUSH - rush) / RUSH_FALL)
