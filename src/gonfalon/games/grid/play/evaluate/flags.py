"""Races to a Flag: the pieces on their way, and whether another piece stops them in time."""

from typing import Any

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper, index
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play import adjustments as a
from gonfalon.games.grid.play.evaluate.distances import DIGGING, FAR, WAYS, find_flag, find_steps, way_of
from gonfalon.games.grid.play.tunables import LATE, LEAD, RACE, RUSH, RUSH_FALL, WALK
from gonfalon.games.grid.rules.battle import LOST, result_of


@helper
def find_lane(side: int, way: int) -> int:
    """Return the first index of a side's way in `rush`, which is also its first row in `slack`."""
    return (side * WAYS + way) * g.SQUARES


@helper
def fill_race(s: StateRow, r: RulesRow, c: StateRow) -> None:
    """Fill the fields of the context that `judge_race` needs."""
    for square in range(r.squares):
        find_steps(s, r, square, 0, c.steps, c.queue)
        for other in range(r.squares):
            c.walk[square * g.SQUARES + other] = c.steps[other]
    for side in range(2):
        steps = c.away if side == c.player else c.reach
        for way in range(WAYS):
            kind = g.MINER if way == DIGGING else g.MARSHAL
            for square in range(r.squares):
                c.rush[find_lane(1 - side, way) + square] = steps[kind * g.SQUARES + square]
            fill_slack(s, r, side, way, c)
    stake = 0.0 if c.off[a.RACE] else RACE * c.scale
    c.stake[c.player] = stake * c.aim
    c.stake[1 - c.player] = stake * c.flag_share[find_flag(s, r, 1 - c.player)]


@helper
def fill_slack(s: StateRow, r: RulesRow, side: int, way: int, c: StateRow) -> None:
    """Fill `slack` with the delay of a piece of `side` behind an approaching enemy, by the enemy's square and the
    piece's. It is the least delay at any square of the enemy's best way to the Flag. With a delay of 0 or less the
    piece stops the enemy.
    """
    first, rush = find_lane(side, way) * g.SQUARES, find_lane(1 - side, way)
    for steps in range(1, int(RUSH)):
        for square in range(r.squares):
            if c.rush[rush + square] != steps:
                continue
            at = first + square * g.SQUARES
            for other in range(r.squares):
                c.slack[at + other] = -FAR if steps > 1 else FAR
            for k in range(4):
                near = r.near[square, k]
                if steps == 1 or near == g.OFF or c.rush[rush + near] >= steps or not lets_through(s, side, way, near):
                    continue
                for other in range(r.squares):
                    later = c.slack[first + near * g.SQUARES + other] - 1
                    c.slack[at + other] = max(c.slack[at + other], later)
            for other in range(r.squares):
                c.slack[at + other] = min(c.slack[at + other], c.walk[square * g.SQUARES + other])


@helper
def lets_through(s: StateRow, side: int, way: int, square: int) -> bool:
    """Whether an enemy can go on from a square. A Miner can also go on from Bombs of `side`."""
    piece = s.board[square]
    bomb = way == DIGGING and piece == g.BOMB + (g.RED << side)
    return not piece & g.ANY_SIDE or piece & g.TYPE < g.BOMB or bomb


@helper
def list_runners(s: StateRow, r: RulesRow, c: StateRow) -> None:
    """Lists by side, in `runners`, the pieces near enough to the other side's Flag to count, and in `stoppers` those
    that may stop them. Scouts arrive at once or not at all, so the search handles them.
    """
    for side in range(2):
        c.runner_count[side] = c.stopper_count[side] = 0
    for square in range(r.squares):
        piece = s.board[index(square)]
        kind = piece & g.TYPE
        if not piece & g.ANY_SIDE or kind >= g.BOMB or kind == g.SCOUT:
            continue
        side = 0 if piece & g.RED else 1
        c.stoppers[index(side * g.SQUARES + c.stopper_count[side])] = square
        c.stopper_count[side] += 1
        if c.rush[index(find_lane(side, way_of(kind)) + square)] < RUSH:
            c.runners[index(side * g.SQUARES + c.runner_count[side])] = square
            c.runner_count[side] += 1


@helper
def judge_race(s: StateRow, r: RulesRow, c: StateRow, side: int) -> Any:
    """Return the probability that the likeliest enemy runner takes the Flag of `side`, from 0 to 1. Needs
    `list_runners`.
    """
    first, best = 1 if s.mover == side else 0, 0.0
    for k in range(c.runner_count[1 - side]):
        runner = c.runners[index((1 - side) * g.SQUARES + k)]
        way = way_of(s.board[index(runner)] & g.TYPE)
        rush = c.rush[index(find_lane(1 - side, way) + runner)]
        share = min(1.0, (RUSH - rush) / RUSH_FALL) * (1.0 if way == DIGGING else WALK)
        if share > best:
            late = (find_slack(s, r, c, side, runner) - first + LEAD) / LATE
            best = max(best, max(0.0, min(1.0, late)) * share)
    return best


@helper
def find_slack(s: StateRow, r: RulesRow, c: StateRow, side: int, runner: int) -> int:
    """Return the smallest delay behind the runner among the pieces of `side` that do not fall to it."""
    kind = s.board[index(runner)] & g.TYPE
    at = (find_lane(side, way_of(kind)) + runner) * g.SQUARES
    slack = FAR
    for k in range(c.stopper_count[side]):
        stopper = c.stoppers[index(side * g.SQUARES + k)]
        if result_of(r, s.board[index(stopper)] & g.TYPE, kind) != LOST:
            slack = min(slack, c.slack[index(at + stopper)])
    return slack
