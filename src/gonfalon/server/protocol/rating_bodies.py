"""Bodies of the HTTP calls about ratings (`docs/protocol.md`)."""

from __future__ import annotations

from typing import Literal

import msgspec

from gonfalon.server.clock.speed import Speed

Pool = Literal["people", "levels"]
"""Kind of opponents: persons, or levels of the computer player."""


class ShownRating(msgspec.Struct, frozen=True):
    """A rating as people see it."""

    rating: int
    deviation: int
    """Standard deviation of the rating, in the same points."""
    provisional: bool
    """Whether the person has too few rated matches; shown as a question mark after the rating."""
    matches: int
    """Number of rated matches."""


class LeaderboardEntry(msgspec.Struct, frozen=True):
    """One person of a leaderboard."""

    name: str
    rating: ShownRating
    day: str
    """Day of the last rated match in UTC, such as `2026-01-31`."""


class Leaderboard(msgspec.Struct, frozen=True):
    """`GET /api/leaderboards/{variant}`: persons with enough matches and a recent one, the highest rating first."""

    variant: str
    pool: Pool
    speed: Speed
    entries: tuple[LeaderboardEntry, ...]
    levels: tuple[int, ...]
    """Ratings of the computer player's levels in this game, from level 1 on."""


class SeatRating(msgspec.Struct, frozen=True):
    """Change of the rating of one player by a match."""

    player: int
    before: ShownRating
    """Without matches if this was the person's first rated match of this game, speed and pool."""
    after: ShownRating


class MatchRatings(msgspec.Struct, frozen=True):
    """`GET /api/matches/{match}/ratings`."""

    rated: bool
    """Whether the match is over and rated. `seats` is empty until the ratings are computed, usually within a second."""
    seats: tuple[SeatRating, ...]


class CurvePoint(msgspec.Struct, frozen=True):
    """Rating of a person at the end of one day."""

    day: str
    """Day in UTC, such as `2026-01-31`."""
    rating: int


class PersonRating(msgspec.Struct, frozen=True):
    """Rating of a person in one game, speed class and pool."""

    variant: str
    speed: Speed
    pool: Pool
    rating: ShownRating
    day: str
    """Day of the last rated match in UTC."""
    curve: tuple[CurvePoint, ...]
    """Ratings at the ends of the days with a match, the earliest first."""
