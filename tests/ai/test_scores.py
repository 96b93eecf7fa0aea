"""The arena's mathematics, compared with published values and known cases."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from gonfalon.ai.arena.scores import (
    Score,
    SequentialTest,
    find_elo,
    find_interval,
    find_likelihood_ratio,
    fit,
    points_of,
)


def test_points() -> None:
    assert [points_of((1.0, -1.0), player) for player in (0, 1)] == [1, 0]
    assert points_of((0.0, 0.0), 1) == 0.5
    assert [points_of((1 / 3, -1 / 3, 1 / 3, -1 / 3), player) for player in range(4)] == [0.5, 0, 0.5, 0]
    assert points_of((0.0,) * 4, 2) == 0.25


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_intervals_as_published(hits: int, of: int, low: float, high: float) -> None:
    """The values are from R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3."""
    assert find_interval(hits / of, of) == pytest.approx((low, high), abs=1e-4)


def test_scores() -> None:
    score = Score((1.0, 0.5, 0.0, 1.0))
    assert (score.matches, score.won, score.drawn, score.lost, score.share) == (4, 2, 1, 1, 0.625)
    assert Score(()).interval == (0.0, 1.0)
    assert Score(()).share == 0


@pytest.mark.parametrize(
    ("share", "elo"), [(0.5, 0.0), (0.75, 190.848), (0.25, -190.848), (10 / 11, 400.0), (0.99, 798.25)]
)
def test_elo_of_known_shares(share: float, elo: float) -> None:
    """By the definition of the scale 400 Elo mean ten points to one."""
    assert find_elo(share) == pytest.approx(elo, abs=0.01)


def test_elo_without_a_loss_is_infinite() -> None:
    assert (find_elo(1.0), find_elo(0.0)) == (math.inf, -math.inf)


def test_elo_interval() -> None:
    """The ends of the Elo interval are those of the share's interval: 75 of 100 gives 65.7 to 82.5 %, +113 to +269
    Elo.
    """
    low, high = find_interval(0.75, 100)
    assert (low, high) == pytest.approx((0.6570, 0.8246), abs=1e-4)
    assert (find_elo(low), find_elo(high)) == pytest.approx((112.9, 268.8), abs=0.3)


# ---- the sequential test -----------------------------------------------------------------------------------------


def test_bounds_are_walds() -> None:
    assert SequentialTest(0.5, 0.55).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert SequentialTest(0.5, 0.55, alpha=0.05, beta=0.10).bounds == pytest.approx((-2.2513, 2.8904), abs=1e-4)


def test_a_published_plan_of_two_results() -> None:
    """The plan is from the NIST/SEMATECH e-Handbook of Statistical Methods, 6.2.6. For shares of 0.01 and 0.10 with
    risks of 0.05 and 0.10, it accepts at -0.939 + 0.0397 n hits of n and refuses at 1.205 + 0.0397 n. On these two
    lines the logarithm of the likelihood ratio equals the test's bounds.
    """
    lower, upper = SequentialTest(0.01, 0.10, alpha=0.05, beta=0.10).bounds
    for n in (30, 100):
        for start, bound in ((-0.939, lower), (1.205, upper)):
            hits = start + 0.0397 * n
            assert find_likelihood_ratio({1.0: hits, 0.0: n - hits}, 0.01, 0.10) == pytest.approx(bound, abs=0.02)


def test_a_published_ratio_of_three_results() -> None:
    """For 4307 won, 4063 lost and 8620 drawn matches, 0 and 3 Elo, the generalized test of github.com/jw1912/SPRT gives
    2.99.
    """
    high = 1 / (1 + 10 ** (-3 / 400))
    assert find_likelihood_ratio({1.0: 4307, 0.0: 4063, 0.5: 8620}, 0.5, high) == pytest.approx(2.99, abs=0.005)


def test_fitted_probabilities_have_the_mean() -> None:
    odds = {0.0: 0.1, 0.25: 0.2, 0.5: 0.3, 0.75: 0.2, 1.0: 0.2}
    for mean in (0.1, 0.5, 0.55, 0.9):
        found = fit(odds, mean)
        assert sum(found.values()) == pytest.approx(1)
        assert sum(result * p for result, p in found.items()) == pytest.approx(mean)


@pytest.mark.parametrize(("share", "taken"), [(0.5, "H0"), (0.6, "H1")])
def test_it_errs_as_seldom_as_it_says(share: float, taken: str) -> None:
    """If one hypothesis holds exactly, the test takes the other one in about 5 % of all cases: here in at most 6 of
    60.
    """
    rng, test = np.random.default_rng(1), SequentialTest(0.5, 0.6)
    found = Counter(test.judge((rng.random(1500) < share).astype(float).tolist()).taken for _ in range(60))
    assert found[taken] >= 54


def test_it_ends_with_the_first_result_that_decides() -> None:
    test = SequentialTest(0.5, 0.7)
    whole = test.judge([1.0] * 50)
    assert whole.taken == "H1"
    assert test.judge([1.0] * whole.results).taken == "H1"
    assert test.judge([1.0] * (whole.results - 1)).taken == ""
    assert test.judge([1.0] * 50 + [0.0] * 500) == whole
    assert test.judge([]).taken == ""
