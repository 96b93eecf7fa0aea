"""Deals of hidden things: which type lies on which place, when some deals are likelier than others.

For all games. A family says how likely each type is on each place (`likely`) and which types are to be dealt; a deal's
probability is proportional to the product over its places. Exact sampling of such deals is hard (their sum is a
permanent), so they come from a Markov chain: types of two places are exchanged again and again, as often as Metropolis'
rule says (Metropolis et al., Equation of State Calculations by Fast Computing Machines, 1953).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.jit import Numbers, entry, helper
from gonfalon.engine.kernels import draw_below

FIRST_ROUNDS, ROUNDS = 60, 12
"""Exchanges tried for each place before the first deal, and between two."""
STRETCH = 4
"""After so many of them the style is drawn again."""


class NoDealError(RuntimeError):
    """No deal gives every place a type that is possible there."""


class Company(NamedTuple):
    """What lies side by side."""

    near: NDArray[np.int64]
    """The places beside each, shape (places, neighbours), -1 for none; of two places each is beside the other."""
    factors: NDArray[np.float64]
    """How much likelier two types are side by side, shape (types, types of the game), symmetric, above 0."""


class Styles(NamedTuple):
    """Ways in which somebody may have laid things, one of which he chose. What lies side by side counts in the first
    one alone; the others say themselves what lies where.
    """

    weights: NDArray[np.float64]
    """The logarithm of how likely each style is, up to a summand, shape (styles,)."""
    shares: NDArray[np.float64]
    """How likely each type is on each place in each style, shape (styles, places, types of the game)."""


def sample_deals(
    likely: NDArray[np.float64],
    types: NDArray[np.int64],
    count: int,
    rng: np.random.Generator,
    company: Company | None = None,
    styles: Styles | None = None,
) -> NDArray[np.int64]:
    """Deals of `types`, shape (places,), to the places: shape (count, places), the likelier ones the more often.

    `likely`, shape (places, types of the game): how likely each type is on each place, up to a factor; 0 is
    impossible. With `company` a deal's probability is multiplied by the factor of each two neighbours. With `styles` it
    is the sum over them, `likely` times the shares in each: a style is drawn given a deal, and deals given the style
    (Gibbs sampling). Raises `NoDealError`.
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


@entry
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
    """Fills `found`, int64 (count, places), with deals. `weights`, `shares`: see `Styles`, whatever else is known of
    the places included; `logs`: the logarithms of `shares`; `near`, `factors`: see `Company`; `dealt`: int64
    (places,), the first deal, changed; `counter`: uint64 (1,), the random stream.
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
    """A style, drawn as likely as it is given this deal. `scores`: as long as `weights`, written to."""
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
    most = scores.max()
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
    """Tries so many exchanges of two places' types, in one style."""
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
    """How likely type `kind` is on `place` in a style, in the first one beside what lies there, but for place `other`:
    what two neighbours that are exchanged are to each other stays the same.
    """
    found = shares[style, place, kind]
    if style == 0:
        for k in range(near.shape[1]):
            beside = near[place, k]
            if beside >= 0 and beside != other:
                found *= factors[kind, dealt[beside]]
    return found


def find_deal(possible: NDArray[np.bool_], types: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Some deal in which every place has a type that is `possible` there, shape (places, types of the game). Raises
    `NoDealError`.

    One pass, the most constrained types first. Each goes to a place drawn uniformly from those that admit it. If a few
    types are impossible on the same places and nothing else is, all deals are equally likely. What finds no place in
    this pass gets one afterwards, by moving others on.
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
    """What may lie on each place in some deal of all `types` to the places: shape (places, types of the game), a part
    of `possible`. Raises `NoDealError` where there is no deal.

    From one deal every other one is reached by exchanges in a ring: a type that takes a place sends the one there on to
    a place whose type goes on in turn, until one comes to the place that the first one left. So it is enough to know
    which types can send on which.
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
    """Finds a place for `kind` by moving other types on (an augmenting path)."""
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
