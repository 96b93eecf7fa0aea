"""Deals of hidden things: always possible, and as likely as they are said to be."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from gonfalon.engine.belief import NoDealError, find_deal, sample_deals

RNG = np.random.default_rng


def test_deals_come_as_often_as_they_are_likely() -> None:
    """Against the exact distribution, over all six deals of three types."""
    likely = np.array([[0.0, 5.0, 1.0, 1.0], [0.0, 1.0, 2.0, 1.0], [0.0, 1.0, 1.0, 4.0]])
    types = np.array([1, 2, 3])
    exact = {
        deal: np.prod([likely[place, kind] for place, kind in enumerate(deal)]) for deal in permutations((1, 2, 3))
    }
    drawn = sample_deals(likely, types, 20_000, RNG(1))
    found, counts = np.unique(drawn, axis=0, return_counts=True)
    shares = dict(zip(map(tuple, found.tolist()), counts / counts.sum(), strict=True))
    for deal, weight in exact.items():
        assert shares[deal] == pytest.approx(weight / sum(exact.values()), abs=0.015)


def test_no_deal_is_impossible() -> None:
    likely = np.ones((6, 4))
    likely[:3, 3] = 0
    likely[4:, 1] = 0
    for deal in sample_deals(likely, np.array([1, 1, 2, 2, 3, 3]), 200, RNG(2)):
        assert all(likely[place, kind] > 0 for place, kind in enumerate(deal))
        assert sorted(deal.tolist()) == [1, 1, 2, 2, 3, 3]


def test_room_is_made_where_the_first_choice_leaves_none() -> None:
    """Place 0 takes all types, place 1 only the first, place 2 the first two: one deal is possible."""
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
