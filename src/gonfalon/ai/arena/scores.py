"""Statistics of many matches: shares of the points with intervals, Elo differences, and a sequential test."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec

Z = 1.959964
"""Half the width of a 95 % interval of the normal distribution, in standard deviations."""
RARE = 1e-3
"""Weight of a result that has not occurred, in the sequential test: no result may have likelihood 0."""


def points_of(returns: Sequence[float], player: int) -> float:
    """Return the points of a player: 1 for the winner, 1/k for each of k players who share a draw, 0 for a loser."""
    best = max(returns)
    return 1 / list(returns).count(best) if returns[player] == best else 0.0


class Score(msgspec.Struct, frozen=True):
    """The points of one agent in its matches, each from 0 to 1."""

    points: tuple[float, ...]

    @property
    def matches(self) -> int:
        return len(self.points)

    @property
    def won(self) -> int:
        return self.points.count(1)

    @property
    def lost(self) -> int:
        return self.points.count(0)

    @property
    def drawn(self) -> int:
        return self.matches - self.won - self.lost

    @property
    def share(self) -> float:
        """Points per match; 0 without matches."""
        return sum(self.points) / max(1, self.matches)

    @property
    def interval(self) -> tuple[float, float]:
        return find_interval(self.share, self.matches)


def find_interval(share: float, matches: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share (E. B. Wilson, Journal of the American Statistical Association 22,
    1927). The interval is a little too wide, because it treats a draw as part of a win.
    """
    if not matches:
        return 0.0, 1.0
    middle = (share + Z * Z / (2 * matches)) / (1 + Z * Z / matches)
    half = Z / (1 + Z * Z / matches) * math.sqrt(share * (1 - share) / matches + Z * Z / (4 * matches * matches))
    return max(0.0, middle - half), min(1.0, middle + half)


def find_elo(share: float) -> float:
    """Return the Elo difference at which one of two players is expected to get this share; infinite at 0 and 1."""
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return -400 * math.log10(1 / share - 1)


# ---- the sequential test -----------------------------------------------------------------------------------------


class SequentialTest(msgspec.Struct, frozen=True):
    """The hypotheses: the first agent's share of the points is `low` (H0) or `high` (H1). `alpha` is the probability of
    accepting H1 if H0 holds, `beta` the probability of accepting H0 if H1 holds.

    The test is Wald's (Sequential Tests of Statistical Hypotheses, Annals of Mathematical Statistics 16, 1945),
    generalized to more than two kinds of results: M. Van den Bergh, A Practical Introduction to the GSPRT, 2017.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """Bounds of the log-likelihood ratio: at the first one the test accepts H0, at the second one H1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def judge(self, results: Sequence[float]) -> Verdict:
        """Run the test over the results in their order. It stops at the first result that decides."""
        lower, upper = self.bounds
        found, counts = 0.0, Counter[float]()
        for number, result in enumerate(results, start=1):
            counts[result] += 1
            found = find_likelihood_ratio(counts, self.low, self.high)
            if not lower < found < upper:
                return Verdict(found, "H1" if found >= upper else "H0", number)
        return Verdict(found, "", len(results))


class Verdict(msgspec.Struct, frozen=True):
    """The log-likelihood ratio, the accepted hypothesis (empty: none yet), and the number of results used."""

    ratio: float
    taken: str
    results: int


def find_likelihood_ratio(counts: Mapping[float, float], low: float, high: float) -> float:
    """Return the log-likelihood ratio of the results: mean `high` against mean `low`, each with its most likely
    distribution. `counts`: number of each result, from 0 to 1.
    """
    seen = {0.0: RARE, 1.0: RARE} | {result: max(count, RARE) for result, count in counts.items()}
    total = sum(seen.values())
    odds = {result: count / total for result, count in seen.items()}
    at_low, at_high = fit(odds, low), fit(odds, high)
    return total * sum(odds[result] * math.log(at_high[result] / at_low[result]) for result in odds)


def fit(odds: Mapping[float, float], mean: float) -> dict[float, float]:
    """Return the distribution with this mean under which the observed results are most likely: p / (1 + t (result -
    mean)). Here t is chosen so that the distribution has the mean (Van den Bergh, section 2).
    """
    low, high = -1 / (max(odds) - mean), 1 / (mean - min(odds))

    def tilt(t: float) -> float:
        return sum(p * (result - mean) / (1 + t * (result - mean)) for result, p in odds.items())

    t = find_root(tilt, low, high)
    return {result: p / (1 + t * (result - mean)) for result, p in odds.items()}


def find_root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Return the root of a function that falls between `low` and `high`; the function is not called at these two."""
    for _ in range(60):
        middle = (low + high) / 2
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
