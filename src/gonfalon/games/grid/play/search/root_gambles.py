"""Attacks on unknown pieces at the root. With few worlds the maximum favours lucky attacks (optimizer's curse), so each
result counts with its share in a large pool of worlds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.kernels import Rows
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.evaluate.outcome import SOONEST, SURE_VALUE, lower_value
from gonfalon.games.grid.play.search.alpha_beta import list_results
from gonfalon.games.grid.play.search.sample import Sample
from gonfalon.games.grid.play.tunables import CAUTION
from gonfalon.games.grid.rules.battle import WON
from gonfalon.games.grid.text.notation import move_squares

FLAG_WON = 3
"""Result of an attack on the Flag, besides WON, LOST and BOTH_LEAVE: it is rare and worth more than other results."""


def find_gambles(view: View, rules: Rows, sample: Sample) -> dict[int, Gamble]:
    """Return the attacks on unknown pieces among the legal actions, by index."""
    found: dict[int, Gamble] = {}
    for k, action in enumerate(view.legal.tolist()):
        if action >= g.ACT_DEPLOY:
            continue
        begin, end = move_squares(action)
        if view.board[end] & g.TYPE == g.HIDDEN:
            found[k] = _make_gamble(int(view.board[begin] & g.TYPE), end, rules, sample)
    return found


def _make_gamble(kind: int, end: int, rules: Rows, sample: Sample) -> Gamble:
    """Return the attack of a piece of type `kind` on the square `end`."""
    results = np.zeros(g.TYPES, np.int64)
    list_results(rules, kind, results)
    results[g.FLAG] = FLAG_WON
    pool, possible = (results[worlds["board"][:, end] & g.TYPE] for worlds in (sample.pool, sample.possible))
    shares = np.bincount(pool, minlength=FLAG_WON + 1) / len(pool)
    return Gamble(possible, shares, sample.find_risk(kind))


class Gamble:
    """An attack on an unknown piece."""

    def __init__(self, results: NDArray[np.int64], shares: NDArray[np.float64], risk: float) -> None:
        """`results`: in each possible world. `shares`: of each result in the pool. `risk`: cost of a lost battle."""
        self._results, self._shares, self._risk = results, shares, risk

    def judge(self, gains: NDArray[np.float64], weights: NDArray[np.float64], base: float) -> float:
        """Return the gain over another action of value `base`, from the gains in the sampled worlds."""
        total = 0.0
        for result, share in enumerate(self._shares):
            there = self._results[: len(gains)] == result
            found = np.average(gains[there], weights=weights[there]) if there.any() else self._guess(result, base)
            total += share * found * (CAUTION if found < 0 and result != WON else 1.0)
        return float(total)

    def _guess(self, result: int, base: float) -> float:
        """Return the estimated gain of an outcome that no sampled world produced."""
        if result == WON:
            return 0.0
        if result == FLAG_WON:
            return SURE_VALUE + SOONEST - base
        return lower_value(base, self._risk) - base
