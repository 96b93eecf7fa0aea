"""Lag quotas: bounded, robust, and from the server's own measurements alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gonfalon.server.clock.lag import MOST_QUOTA, Lag


def measured(*pings: int) -> int:
    lag = Lag()
    for ping in pings:
        lag.measure(ping)
    return lag.quota


@pytest.mark.parametrize(
    ("pings", "quota"),
    [
        ((), 0),
        ((80,), 80),
        ((80, 120), 80),
        ((80, 120, 100), 100),
        ((80, 90, 100, 110, 9_000), 100),
        ((250, 250, 250, 20, 20, 20), 20),
        ((0, 0, 0), 0),
    ],
)
def test_the_quota_is_the_median_of_the_last_five_pings(pings: tuple[int, ...], quota: int) -> None:
    assert measured(*pings) == quota


@given(st.lists(st.integers(0, 10**7), max_size=20))
def test_a_page_that_answers_late_gains_at_most_the_maximum(pings: list[int]) -> None:
    assert 0 <= measured(*pings) <= MOST_QUOTA == 300


@given(st.lists(st.integers(0, 10**4), min_size=5, max_size=5), st.lists(st.integers(0, 10**4)))
def test_only_the_last_five_pings_count(last: list[int], earlier: list[int]) -> None:
    assert measured(*earlier, *last) == measured(*last)


def test_a_negative_time_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        measured(-1)
