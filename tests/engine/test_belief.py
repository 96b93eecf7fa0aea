"""Deals of hidden pieces: each is possible, and has the stated probability."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from gonfalon.engine.compiled.belief import Company, NoDealError, Styles, find_deal, list_candidates, sample_deals

RNG = np.random.default_rng


LIKELY = np.array([[0.0, 5.0, 1.0, 1.0], [0.0, 1.0, 2.0, 1.0], [0.0, 1.0, 1.0, 4.0]])
"""Likelihood of three types on three places; type 0 is not used."""


def compare(drawn: NDArray[np.int64], weigh: Callable[[tuple[int, ...]], float]) -> None:
    """Check that each of the six deals of three types is drawn as often as its exact probability says."""
    exact = {deal: weigh(deal) for deal in permutations((1, 2, 3))}
    found, counts = np.unique(drawn, axis=0, return_counts=True)
    shares = dict(zip(map(tuple, found.tolist()), counts / counts.sum(), strict=True))
    for deal, weight in exact.items():
        assert shares[deal] == pytest.approx(weight / sum(exact.values()), abs=0.015)


def product_of(deal: tuple[int, ...]) -> float:
    return float(np.prod([LIKELY[place, kind] for place, kind in enumerate(deal)]))


def test_deals_come_as_often_as_they_are_likely() -> None:
    compare(sample_deals(LIKELY, np.array([1, 2, 3]), 20_000, RNG(1)), product_of)


def test_what_lies_side_by_side_counts() -> None:
    """Of three places in a row, type 1 is three times as likely on a place beside type 2 as elsewhere."""
    factors = np.ones((4, 4))
    factors[1, 2] = factors[2, 1] = 3.0
    company = Company(np.array([[-1, 1], [0, 2], [1, -1]]), factors)
    compare(
        sample_deals(LIKELY, np.array([1, 2, 3]), 20_000, RNG(3), company),
        lambda deal: product_of(deal) * factors[deal[0], deal[1]] * factors[deal[1], deal[2]],
    )


def test_a_style_is_drawn_given_the_deal() -> None:
    """A player has one of two opposite styles; only in the first one does the factor for neighbouring pieces count."""
    factors = np.ones((4, 4))
    factors[1, 2] = factors[2, 1] = 3.0
    company = Company(np.array([[-1, 1], [0, 2], [1, -1]]), factors)
    shares = np.ones((2, 3, 4))
    shares[0, 0, 1], shares[1, 2, 1] = 4.0, 8.0

    def weigh(deal: tuple[int, ...]) -> float:
        first = 0.7 * factors[deal[0], deal[1]] * factors[deal[1], deal[2]] * (4 if deal[0] == 1 else 1)
        return product_of(deal) * (first + 0.3 * (8 if deal[2] == 1 else 1))

    styles = Styles(np.log([0.7, 0.3]), shares)
    compare(sample_deals(LIKELY, np.array([1, 2, 3]), 20_000, RNG(4), company, styles), weigh)


def test_no_deal_is_impossible() -> None:
    likely = np.ones((6, 4))
    likely[:3, 3] = 0
    likely[4:, 1] = 0
    for deal in sample_deals(likely, np.array([1, 1, 2, 2, 3, 3]), 200, RNG(2)):
        assert all(likely[place, kind] > 0 for place, kind in enumerate(deal))
        assert sorted(deal.tolist()) == [1, 1, 2, 2, 3, 3]


def test_room_is_made_where_the_first_choice_leaves_none() -> None:
    """Place 0 may have all types, place 1 only the first, place 2 the first two: only one deal is possible."""
    possible = np.array([[True, True, True], [True, False, False], [True, True, False]])
    for seed in range(20):
        assert find_deal(possible, np.array([0, 1, 2]), RNG(seed)).tolist() == [2, 0, 1]


def test_what_cannot_be_dealt_is_said() -> None:
    with pytest.raises(NoDealError, match="no deal fits"):
        find_deal(np.array([[True, False], [True, False]]), np.array([0, 1]), RNG(0))
    with pytest.raises(NoDealError, match="2 types for 3 places"):
        find_deal(np.ones((3, 2), np.bool_), np.array([0, 1]), RNG(0))


def test_nothing_to_deal_and_one_thing() -> None:
    assert sample_deals(np.zeros((0, 3)), np.zeros(0, np.int64), 4, RNG(0)).shape == (4, 0)
    assert sample_deals(np.ones((1, 3)), np.array([2]), 4, RNG(0)).tolist() == [[2]] * 4


@pytest.mark.parametrize("seed", range(40))
def test_candidates_are_what_lies_there_in_some_deal(seed: int) -> None:
    """Compare the candidates with all deals of up to six types to as many places; most places have some types ruled
    out.
    """
    rng = RNG(seed)
    places = int(rng.integers(1, 7))
    types = rng.integers(1, 4, places)
    possible = rng.random((places, 4)) < 0.6
    possible[range(places), types] = True
    deals = [deal for deal in set(permutations(types.tolist())) if all(possible[range(places), list(deal)])]
    expected = np.zeros_like(possible)
    for deal in deals:
        expected[range(places), list(deal)] = True
    assert (list_candidates(possible, types) == expected).all()


def test_without_a_deal_there_are_no_candidates() -> None:
    with pytest.raises(NoDealError):
        list_candidates(np.array([[False, True], [False, False]]), np.array([1, 1]))
