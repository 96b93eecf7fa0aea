"""Questions about ratings. Every function here blocks, so it runs in a thread."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

import sqlalchemy as sa

from gonfalon.server.clock.speed import Speed
from gonfalon.server.protocol.rating_bodies import (
    CurvePoint,
    MatchRatings,
    PersonRating,
    Pool,
    SeatRating,
    ShownRating,
)
from gonfalon.server.ratings.applying import Key
from gonfalon.server.ratings.model import SETTLED, Rating, show
from gonfalon.server.ratings.rows import read_row
from gonfalon.server.storage import tables
from gonfalon.server.storage.store import Statements, Store

RECENT = timedelta(days=30)
"""Time since the last match after which a person leaves the leaderboards."""
MOST_ENTRIES = 100
"""Maximum number of entries of a leaderboard."""
MOST_POINTS = 400
"""Maximum number of points of a curve; of more days the latest ones are shown."""
_ratings, _changes = tables.ratings.c, tables.rating_changes.c
_unlisted = tables.unlisted_ratings.c


class Place(NamedTuple):
    """One person of a leaderboard, before the name is known."""

    person: str
    rating: ShownRating
    day: date


def find(store: Store, key: Key) -> ShownRating | None:
    """Return one rating; None if the person has none."""
    chosen = sa.select(_ratings.mu, _ratings.sigma, _ratings.matches).where(
        _ratings.person == key.person,
        _ratings.variant == key.variant,
        _ratings.speed == key.speed,
        _ratings.pool == key.pool,
        _is_listed(_ratings.person),
    )
    with store.read() as connection:
        row = connection.execute(chosen).one_or_none()
    return None if row is None else show(Rating(row.mu, row.sigma), row.matches)


def list_leaders(store: Store, variant: str, pool: Pool, speed: Speed, today: date) -> list[Place]:
    """Return the persons with enough matches and a recent one, the highest rating first."""
    chosen = (
        sa.select(tables.ratings)
        .where(
            _ratings.variant == variant,
            _ratings.pool == pool,
            _ratings.speed == speed,
            _ratings.matches >= SETTLED,
            _ratings.day >= today - RECENT,
            _is_listed(_ratings.person),
        )
        .order_by(_ratings.mu.desc(), _ratings.sigma, _ratings.person)
        .limit(MOST_ENTRIES)
    )
    with store.read() as connection:
        return [
            Place(row.person, show(Rating(row.mu, row.sigma), row.matches), row.day)
            for row in connection.execute(chosen)
        ]


def list_changes(store: Store, match: str) -> MatchRatings:
    """Return the changes by a match, in the order of its players."""
    chosen = sa.select(tables.rating_changes).where(_changes.match == match, _is_listed(_changes.person))
    with store.read() as connection:
        row = read_row(connection, match)
        if row is None:
            return MatchRatings(rated=False, seats=())
        changes = {change.person: change for change in connection.execute(chosen)}
    players = [(player, each.person) for player, each in enumerate(row.players) if each.person in changes]
    return MatchRatings(True, tuple(_show_change(player, changes[person]) for player, person in players))


def describe(store: Store, person: str) -> tuple[PersonRating, ...]:
    """Return all ratings of a person with their curves, the one with most matches first."""
    chosen = (
        sa.select(tables.ratings)
        .where(_ratings.person == person, _is_listed(_ratings.person))
        .order_by(_ratings.matches.desc(), _ratings.variant, _ratings.speed, _ratings.pool)
    )
    with store.read() as connection:
        rows = list(connection.execute(chosen))
        curves = _read_curves(connection, person) if rows else {}
    return tuple(
        PersonRating(
            variant=row.variant,
            speed=row.speed,
            pool=row.pool,
            rating=show(Rating(row.mu, row.sigma), row.matches),
            day=row.day.isoformat(),
            curve=tuple(curves.get(Key(person, row.variant, row.speed, row.pool), ())[-MOST_POINTS:]),
        )
        for row in rows
    )


def _read_curves(connection: sa.Connection, person: str) -> dict[Key, list[CurvePoint]]:
    """Return the rating at the end of each day with a match, the earliest first."""
    last = (
        sa.select(sa.func.max(_changes.number))
        .where(_changes.person == person)
        .group_by(_changes.variant, _changes.speed, _changes.pool, _changes.day)
    )
    chosen = (
        sa.select(tables.rating_changes)
        .where(_changes.person == person, _changes.number.in_(last))
        .order_by(_changes.number)
    )
    curves: dict[Key, list[CurvePoint]] = {}
    for row in connection.execute(chosen):
        shown = show(Rating(row.mu, row.sigma), row.matches)
        curve = curves.setdefault(Key(person, row.variant, row.speed, row.pool), [])
        curve.append(CurvePoint(row.day.isoformat(), shown.rating))
    return curves


def write_unlisted(person: str) -> Statements:
    """Return the statements that remove a person from all answers."""
    missing = ~sa.exists().where(_unlisted.person == person)
    chosen = sa.select(sa.literal(person)).where(missing)
    return (sa.insert(tables.unlisted_ratings).from_select(["person"], chosen),)


def _is_listed(person: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    return ~sa.exists().where(_unlisted.person == person)


def _show_change(player: int, row: sa.Row[tuple[object, ...]]) -> SeatRating:
    before = show(Rating(row.mu_before, row.sigma_before), row.matches - 1)
    return SeatRating(player, before, show(Rating(row.mu, row.sigma), row.matches))
