"""The model of the ratings: Plackett-Luce of `openskill` with its defaults, and the numbers that people see."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import openskill
from openskill.models import PlackettLuce

from gonfalon.server.protocol.rating_bodies import ShownRating

_model = PlackettLuce()
MODEL = f"plackett-luce openskill-{openskill.__version__}"
"""Model and version that a row of a rated match names."""
MIDDLE, POINTS = 1500, 42
"""Shown rating of a new person, and points for 1 of `mu`."""
SETTLED = 10
"""Number of rated matches from which on a rating is no longer provisional."""


class Rating(msgspec.Struct, frozen=True):
    """Estimated skill of a player: mean and standard deviation."""

    mu: float = _model.mu
    sigma: float = _model.sigma


NEW = Rating()
"""Rating of a person without a match."""


def rate(ratings: Sequence[Rating], places: Sequence[int]) -> tuple[Rating, ...]:
    """Return the ratings after a match. `places`: of the same players, 1 for the best; equal places are a draw."""
    teams = [[_model.create_rating([rating.mu, rating.sigma])] for rating in ratings]
    rated = _model.rate(teams, ranks=[float(place) for place in places])
    return tuple(Rating(player.mu, player.sigma) for (player,) in rated)


def predict(ratings: Sequence[Rating]) -> float:
    """Return the probability that the first of these players wins."""
    return float(_model.predict_win([[_model.create_rating([rating.mu, rating.sigma])] for rating in ratings])[0])


def find_places(returns: Sequence[float]) -> tuple[int, ...]:
    """Return the places of players with these returns: 1 for the highest. Equal returns share a place."""
    return tuple(1 + sum(other > each for other in returns) for each in returns)


def show(rating: Rating, matches: int) -> ShownRating:
    """Return a rating as people see it. `matches`: number of matches that it follows from."""
    return ShownRating(
        rating=round(MIDDLE + POINTS * (rating.mu - NEW.mu)),
        deviation=round(POINTS * rating.sigma),
        provisional=matches < SETTLED,
        matches=matches,
    )


def read_shown(shown: float, sigma: float) -> Rating:
    """Return the rating of a shown number."""
    return Rating(NEW.mu + (shown - MIDDLE) / POINTS, sigma)
