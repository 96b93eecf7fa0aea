"""Risk of losing the own Flag soon, by force. It has a search of its own: the main search looks less far, and its few
worlds may not hold the piece that comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.kernels import Rows
from gonfalon.engine.game import State
from gonfalon.engine.search import Clock
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.belief.placement import find_size, is_sparse, read_company, read_habits
from gonfalon.games.grid.play.evaluate.distances import FAR
from gonfalon.games.grid.play.search.alpha_beta import EXPOSED
from gonfalon.games.grid.play.search.searcher import Searcher
from gonfalon.games.grid.play.tunables import (
    GUARD_NODES,
    GUARD_NODES_A_SECOND,
    GUARD_SHARE,
    GUARD_TURNS,
    GUARD_WORLDS,
    GUARD_WORLDS_OF_A_KIND,
    SCOUT_RUN,
    UNSURE,
)


class Exposure(NamedTuple):
    """The examined worlds and the risk of losing the Flag in each."""

    worlds: NDArray[np.int64]
    """Index of each examined world among all worlds."""
    shares: NDArray[np.float64]
    """Share of the total weight that each examined world represents."""
    lost: NDArray[np.float64]
    """Probability of losing the Flag after each action, shape (worlds, actions)."""

    def average(self) -> NDArray[np.float64]:
        """Return the probability of losing the Flag after each action."""
        return np.asarray(self.shares @ self.lost)


def find_exposure(
    worlds: State,
    weights: NDArray[np.float64],
    actions: Sequence[int],
    context: Rows,
    searcher: Searcher,
    clock: Clock,
) -> Exposure:
    """Return the probability that the context's player loses the Flag by force after each of the `actions`. Each world
    is as likely as its weight. `context`: one row of CONTEXT, prepared for the first world, scratch.
    """
    here = context[0]
    chosen, shares, firsts = choose_worlds(worlds, weights, int(here["player"]), here["away"])
    exposed, begun = np.zeros((len(chosen), len(actions)), EXPOSED), clock.spent
    exposed["action"] = actions
    for turns, k in product(GUARD_TURNS, range(len(chosen))):
        left = GUARD_SHARE - (clock.spent - begun)
        if left <= 0:
            rest = k + np.flatnonzero(firsts[k:] < k)
            exposed["lost"][rest] = np.maximum(exposed["lost"][rest], exposed["lost"][firsts[rest]])
            break
        nodes = int(left * clock.seconds * GUARD_NODES_A_SECOND)
        here["world"], here["guard_turns"] = k, turns
        here["guard_nodes"], here["guard_most"] = max(GUARD_NODES, nodes // 20), nodes
        searcher.find_exposed(worlds[chosen[k] : chosen[k] + 1], context, exposed[k])
    return Exposure(chosen, shares, np.asarray(exposed["lost"] * here["aim"]))


def choose_worlds(
    worlds: State, weights: NDArray[np.float64], player: int, away: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Return worlds in which an enemy may come to the Flag of `player`; the share of all weights that each represents;
    and, for each, the index in this list of the first world of its kind.

    Worlds are alike if the same piece, of the same type, is nearest to the Flag. A few of each kind represent all of
    them. One of each kind comes first, likelier kinds before others. `away`: an enemy's steps to the Flag, by type and
    square.
    """
    pieces = worlds["board"][:, : g.SQUARES].astype(np.int64)
    theirs, types = (pieces & (g.RED << (1 - player))) != 0, pieces & g.TYPE
    places = types * g.SQUARES + np.arange(g.SQUARES)
    steps = np.where(theirs & (types < g.BOMB), away[places], len(away))
    runs = (types == g.SCOUT) & (steps < FAR)
    steps[runs] = np.minimum(steps[runs], SCOUT_RUN)
    nearest = steps.argmin(axis=1)
    each = np.arange(len(worlds))
    steps, kinds = steps[each, nearest], places[each, nearest]
    chosen: list[tuple[int, float, int]] = []
    for kind in np.unique(kinds[steps <= GUARD_TURNS[-1]]).tolist():
        alike = np.flatnonzero(kinds == kind)
        total = float(weights[alike].sum())
        chosen.extend((order, -total, int(world)) for order, world in enumerate(alike[:GUARD_WORLDS_OF_A_KIND]))
    chosen = sorted(chosen)[:GUARD_WORLDS]
    few, totals = np.array([world for *_, world in chosen], np.int64), np.array([-less for _, less, _ in chosen])
    _, firsts, same = np.unique(kinds[few], return_index=True, return_inverse=True)
    shares = weights[few] / np.bincount(same, weights[few])[same] * totals / weights.sum()
    return few, shares, firsts[same]


def judge_secrecy(view: View, rules: Rows, contexts: Rows) -> None:
    """Fill `doubt` and `aim` of the contexts: how well the viewer's Flag is hidden, and the probability that the enemy
    goes for it.
    """
    contexts["doubt"] = doubt = find_doubt(view, rules)
    contexts["aim"] = 1 / (1 + UNSURE * (doubt - 1))


def find_doubt(view: View, rules: Rows) -> float:
    """Return the number of pieces as likely to be the viewer's Flag, by the enemy's knowledge: people's habits and
    known Bombs beside them. At least 1.
    """
    own = rules[0]["own"][view.observer, : int(rules[0]["own_squares"])].astype(int)
    marks, board = view.marks[: g.SQUARES], view.board[: g.SQUARES]
    places = np.flatnonzero((board[own] != g.EMPTY) & (marks[own] & (g.MOVED | g.SEEN) == 0))
    found = board[own] & g.TYPE == g.FLAG
    if not found[places].any():
        return 1.0
    bombs = (board == g.BOMB + (g.RED << view.observer)) & (marks & g.SEEN != 0)
    near = rules[0]["near"][own]
    beside = (bombs[np.minimum(near, g.SQUARES - 1)] & (near != g.OFF)).sum(axis=1)
    sparse = is_sparse(rules)
    likely = read_habits(sparse, *find_size(rules))[:, g.FLAG] * read_company(sparse)[g.FLAG, g.BOMB] ** beside
    return float(likely[places].sum() / likely[found].sum())
