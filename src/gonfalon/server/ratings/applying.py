"""Ratings follow from the rows of rated matches, one after the other in the order of their numbers.

The ratings are stored in one transaction with the number of the last row that they include (the counter `applied`). So
each row counts once, whenever the process ends.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

import msgspec
import sqlalchemy as sa

from gonfalon.server.clock.speed import Speed
from gonfalon.server.protocol.rating_bodies import Pool
from gonfalon.server.ratings.levels import find_rating
from gonfalon.server.ratings.model import NEW, Rating, rate
from gonfalon.server.ratings.rows import RatedMatch, RatedPlayer, read_rows
from gonfalon.server.storage import tables
from gonfalon.server.storage.store import Statements, Store

log = logging.getLogger("gonfalon.ratings")
APPLIED = "applied"
"""Counter: number of the last row that the ratings include."""
AT_ONCE = 100
"""Maximum number of rows applied in one transaction. It is small, so that play does not wait long."""
_counters, _ratings, _changes = tables.counters.c, tables.ratings.c, tables.rating_changes.c


class Key(NamedTuple):
    """Name of a rating."""

    person: str
    variant: str
    speed: Speed
    pool: Pool


class Stand(msgspec.Struct, frozen=True):
    """A stored rating."""

    rating: Rating = NEW
    matches: int = 0
    """Number of matches that the rating follows from."""
    day: date = date.min
    """Day of the last of them in UTC."""


class Change(msgspec.Struct, frozen=True):
    """Change of one rating by one match. `number`: of the match's row."""

    match: str
    number: int
    key: Key
    before: Rating
    after: Stand


def rate_row(row: RatedMatch, stands: dict[Key, Stand]) -> list[Change]:
    """Apply a row to `stands`, and return the changes. A level keeps its rating. A row with a level that this version
    does not know changes nothing, so that it does not stop the rows after it; `gonfalon ratings rebuild` of a version
    that knows the level counts it.
    """
    unknown = [each.level for each in row.players if not each.person and find_rating(row.variant, each.level) is None]
    if unknown:
        log.error("match %s does not count: %s has no rating in %s", row.match, unknown[0], row.variant)
        return []
    keys = [Key(player.person, row.variant, row.speed, row.pool) for player in row.players]
    before = [_find_before(row, player, stands.get(key)) for player, key in zip(row.players, keys, strict=True)]
    changes = []
    for key, earlier, later in zip(keys, before, rate(before, row.places), strict=True):
        if key.person:
            stand = Stand(later, stands.get(key, Stand()).matches + 1, row.day)
            changes.append(Change(row.match, row.number, key, earlier, stand))
            stands[key] = stand
    return changes


def _find_before(row: RatedMatch, player: RatedPlayer, stand: Stand | None) -> Rating:
    if player.person:
        return NEW if stand is None else stand.rating
    level = find_rating(row.variant, player.level)
    assert level is not None, player.level
    return level


async def apply_next(store: Store) -> list[Change] | None:
    """Apply the next rows, at most `AT_ONCE`, and store the ratings. Return the changes; None if no row was left.

    Raises `StoreError`, for example if another process has applied the same rows: then try again.
    """
    planned = await asyncio.to_thread(_plan, store)
    if planned is None:
        return None
    after, last, changes = planned
    await store.execute(_write(after, last, changes))
    return changes


async def rebuild(store: Store) -> tuple[int, int]:
    """Compute all ratings anew from the rows. Return the number of rows and of ratings.

    If the process ends meanwhile, the next start of a server computes the rest. Raises `StoreError`.
    """
    await store.execute(
        (
            sa.delete(tables.rating_changes),
            sa.delete(tables.ratings),
            sa.update(tables.counters).where(_counters.name == APPLIED).values(value=0),
        )
    )
    while await apply_next(store) is not None:
        pass
    return await asyncio.to_thread(_count, store)


def _count(store: Store) -> tuple[int, int]:
    with store.read() as connection:
        rows, ratings = (
            connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0
            for table in (tables.rated, tables.ratings)
        )
        return rows, ratings


def _plan(store: Store) -> tuple[int, int, list[Change]] | None:
    """Return the last applied number, the number after the next rows, and their changes; None if there are none."""
    with store.read() as connection:
        after = connection.scalar(sa.select(_counters.value).where(_counters.name == APPLIED)) or 0
        rows = read_rows(connection, after, AT_ONCE)
        if not rows:
            return None
        stands = _read_stands(connection, {player.person for row in rows for player in row.players})
    return after, rows[-1].number, [change for row in rows for change in rate_row(row, stands)]


def _read_stands(connection: sa.Connection, persons: Iterable[str]) -> dict[Key, Stand]:
    chosen = sa.select(tables.ratings).where(_ratings.person.in_(list(persons)))
    return {
        Key(row.person, row.variant, row.speed, row.pool): Stand(Rating(row.mu, row.sigma), row.matches, row.day)
        for row in connection.execute(chosen)
    }


def _write(after: int, last: int, changes: Sequence[Change]) -> Statements:
    """Return the statements that store changes and move the last applied number from `after` to `last`."""
    applied = _counters.name == APPLIED
    lock = sa.update(tables.counters).where(applied).values(value=_counters.value)
    # If another process has applied these rows, this row exists twice, and the transaction fails.
    guard = sa.insert(tables.counters).from_select(
        ["name", "value"], sa.select(_counters.name, _counters.value).where(applied, _counters.value != after)
    )
    stands = {change.key: change.after for change in changes}
    stored = (
        sa.insert(tables.ratings).values([_rating_values(key, stand) for key, stand in stands.items()]),
        sa.insert(tables.rating_changes).values([_change_values(change) for change in changes]),
    )
    return (
        lock,
        guard,
        *(_remove(key) for key in stands),
        *(stored if changes else ()),
        sa.update(tables.counters).where(applied).values(value=last),
    )


def _remove(key: Key) -> sa.Executable:
    return sa.delete(tables.ratings).where(
        _ratings.person == key.person,
        _ratings.variant == key.variant,
        _ratings.speed == key.speed,
        _ratings.pool == key.pool,
    )


def _rating_values(key: Key, stand: Stand) -> dict[str, object]:
    rating = stand.rating
    return {
        **key._asdict(),
        "mu": rating.mu,
        "sigma": rating.sigma,
        "matches": stand.matches,
        "day": stand.day,
    }


def _change_values(change: Change) -> dict[str, object]:
    return {
        "match": change.match,
        "number": change.number,
        "mu_before": change.before.mu,
        "sigma_before": change.before.sigma,
        **_rating_values(change.key, change.after),
    }
