"""Deals of hidden pieces: assignments of types to places, drawn by likelihood.

This is for all games. A family gives the likelihood of each type on each place (`likely`) and the types to deal. The
probability of a deal is proportional to the product of the likelihoods over all places. Exact sampling is hard, because
the sum over all deals is a permanent. So a Markov chain makes the deals: it exchanges the types of two places again and
again, accepted by Metropolis' rule (Metropolis et al., Equation of State Calculations by Fast Computing Machines,
1953).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.jit import Numbers, helper, making_entry
from gonfalon.engine.compiled.kernels import draw_below

FIRST_ROUNDS, ROUNDS = 60, 12
"""Number of exchanges per place before the first deal, and between two deals."""
STRETCH = 4
"""Number of exchanges between two draws of the style."""


class NoDealError(RuntimeError):
    """No deal gives every place a possible type."""


class Company(NamedTuple):
    """Factors for the types of neighbouring places."""

    near: NDArray[np.int64]
    """Neighbours of each place, shape (places, neighbours), -1 for none; the relation is symmetric."""
    factors: NDArray[np.float64]
    """Factor for two types on neighbouring places, shape (types, types of the game), symmetric, above 0."""


class Styles(NamedTuple):
    """Styles of deployments, one of which the opponent has chosen. Only the first style uses `Company`; each other
    style has its own likelihoods for each place.
    """

    weights: NDArray[np.float64]
    """Logarithm of the likelihood of each style, plus any constant; shape (styles,)."""
    shares: NDArray[np.float64]
    """Likelihood of each type on each place in each style, shape (styles, places, types of the game)."""


def sample_deals(
    likely: NDArray[np.float64],
    types: NDArray[np.int64],
    count: int,
    rng: np.random.Generator,
    company: Company | None = None,
    styles: Styles | None = None,
) -> NDArray[np.int64]:
    """Draw deals of `types`, shape (places,), to the places: shape (count, places). A likelier deal comes more often.

    `likely`, shape (places, types of the game): likelihood of each type on each place, up to a constant factor; 0 is
    impossible. `company` multiplies the probability of a deal by a factor for each pair of neighbours. With `styles`
    the probability is a sum over the styles, each with `likely` times its shares. The function draws a style for a
    given deal and deals for a given style in turn (Gibbs sampling). Raises `NoDealError`.
    """
    dealt = find_deal(likely > 0, types, rng)
    found = np.zeros((count, len(dealt)), np.int64)
    if not count:
        return found
    counter = rng.integers(0, 2**63, 1).astype(np.uint64)
    kinds = likely.shape[1]
    near, factors = company or Company(np.zeros((len(dealt), 0), np.int64), np.ones((kinds, kinds)))
    weights, shares = styles or Styles(np.zeros(1), np.ones((1, 1, 1)))
    shares = np.ascontiguousarray(likely * shares)
    logs = np.log(np.maximum(shares, np.finfo(np.float64).tiny))
    deal_all(weights, logs, shares, np.ascontiguousarray(near), np.ascontiguousarray(factors), dealt, counter, found)
    return found


@making_entry
def deal_all(
    weights: Numbers,
    logs: Numbers,
    shares: Numbers,
    near: Numbers,
    factors: Numbers,
    dealt: Numbers,
    counter: Numbers,
    found: Numbers,
) -> None:
    """Fill `found`, int64 (count, places), with deals. `weights`: see `Styles`; `shares`: see `Styles`, multiplied by
    `likely`; `logs`: the logarithms of `shares`; `near`, `factors`: see `Company`; `dealt`: int64 (places,), the first
    deal, overwritten; `counter`: uint64 (1,), the random stream.
    """
    scores = np.zeros(len(weights))
    for row in range(len(found)):
        rounds = ROUNDS if row else FIRST_ROUNDS
        for _ in range(rounds // STRETCH):
            style = draw_style(weights, logs, near, factors, dealt, counter, scores)
            exchange_all(shares, style, near, factors, dealt, counter, STRETCH * len(dealt))
        for place in range(len(dealt)):
            found[row, place] = dealt[place]


@helper
def draw_style(
    weights: Numbers,
    logs: Numbers,
    near: Numbers,
    factors: Numbers,
    dealt: Numbers,
    counter: Numbers,
    scores: Numbers,
) -> Any:
    """Draw a style by its likelihood for the given deal. `scores`: scratch array, as long as `weights`."""
    styles, places = len(weights), len(dealt)
    if styles == 1:
        return 0
    for style in range(styles):
        scores[style] = weights[style]
        for place in range(places):
            scores[style] += logs[style, place, dealt[place]]
    for place in range(places):
        for k in range(near.shape[1]):
            beside = near[place, k]
            if beside > place:
                scores[0] += math.log(factors[dealt[place], dealt[beside]])
    most = scores[0]
    for style in range(1, styles):
        most = max(most, scores[style])
    total = 0.0
    for style in range(styles):
        total += math.exp(scores[style] - most)
        scores[style] = total
    drawn = draw_below(counter, 1 << 31) / (1 << 31) * total
    style = 0
    while style < styles - 1 and scores[style] <= drawn:
        style += 1
    return style


@helper
def exchange_all(
    shares: Numbers, style: int, near: Numbers, factors: Numbers, dealt: Numbers, counter: Numbers, times: int
) -> None:
    """Try `times` exchanges of the types of two places, in one style."""
    places = len(dealt)
    if places < 2:
        return
    for _ in range(times):
        one = draw_below(counter, places)
        other = draw_below(counter, places)
        kind, change = dealt[one], dealt[other]
        if kind == change:
            continue
        now = weigh(shares, style, near, factors, dealt, one, kind, other)
        now *= weigh(shares, style, near, factors, dealt, other, change, one)
        then = weigh(shares, style, near, factors, dealt, one, change, other)
        then *= weigh(shares, style, near, factors, dealt, other, kind, one)
        if then >= now or draw_below(counter, 1 << 31) < then / now * (1 << 31):
            dealt[one], dealt[other] = change, kind


@helper
def weigh(
    shares: Numbers,
    style: int,
    near: Numbers,
    factors: Numbers,
    dealt: Numbers,
    place: np.int64,
    kind: int,
    other: np.int64,
) -> Any:
    """Return the likelihood of type `kind` on `place` in a style. In the first style this includes the factors of its
    neighbours, except place `other`: when two neighbours exchange their types, the factor between them stays the same.
    """
    found = shares[style, place, kind]
    if style == 0:
        for k in range(near.shape[1]):
            beside = near[place, k]
            if beside >= 0 and beside != other:
                found *= factors[kind, dealt[beside]]
    return found


def find_deal(possible: NDArray[np.bool_], types: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a deal: one type for each place, which is `possible` there. `possible`: shape (places, types of the game).
    Raises `NoDealError`.

    The types are dealt in one pass, the type with the fewest places first. Each goes to a free place, drawn uniformly
    from those where it is possible. If the only restriction is that a few types are impossible on the same places, all
    deals are equally likely. A type that finds no place gets one afterwards, by moving other types.
    """
    places, room = possible.shape[0], possible.sum(axis=0)
    if len(types) != places:
        raise NoDealError(f"{len(types)} types for {places} places")
    dealt, free = np.full(places, -1, np.int64), np.ones(places, np.bool_)
    stuck = []
    for kind in sorted(rng.permutation(types).tolist(), key=lambda k: room[k]):
        open_places = np.flatnonzero(possible[:, kind] & free)
        if len(open_places):
            place = open_places[rng.integers(len(open_places))]
            dealt[place], free[place] = kind, False
        else:
            stuck.append(kind)
    for kind in stuck:
        _make_room(kind, dealt, possible, free)
    return dealt


def list_candidates(possible: NDArray[np.bool_], types: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the types that each place has in at least one deal of all `types`: shape (places, types of the game), a
    subset of `possible`. Raises `NoDealError` if there is no deal.

    Any deal turns into any other one by exchanges in rings: each type moves to the place of the next one, and the last
    to the place of the first. So it is enough to know which type can replace which other type, directly or through more
    types.
    """
    dealt = find_deal(possible, types, np.random.default_rng(0))
    kinds = possible.shape[1]
    sends = np.zeros((kinds, kinds), np.bool_)
    for kind in np.unique(dealt).tolist():
        sends[kind] = possible[dealt == kind].any(axis=0)
        sends[kind, kind] = True
    for kind in range(kinds):
        sends |= sends[:, [kind]] & sends[[kind]]
    found: NDArray[np.bool_] = possible & sends[:, dealt].T
    return found


def _make_room(kind: int, dealt: NDArray[np.int64], possible: NDArray[np.bool_], free: NDArray[np.bool_]) -> None:
    """Find a place for `kind` by moving other types (an augmenting path)."""
    parents: dict[int, int] = {}
    queue = [(int(place), -1) for place in np.flatnonzero(possible[:, kind])]
    while queue:
        place, parent = queue.pop(0)
        if place in parents:
            continue
        parents[place] = parent
        if free[place]:
            free[place] = False
            while parents[place] >= 0:
                dealt[place] = dealt[parents[place]]
                place = parents[place]
            dealt[place] = kind
            return
        queue += [(int(k), place) for k in np.flatnonzero(possible[:, dealt[place]]) if int(k) not in parents]
    raise NoDealError("no deal fits what is known")
