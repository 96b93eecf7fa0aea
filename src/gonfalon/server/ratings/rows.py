"""Rows of rated matches: the facts from which all ratings can be computed again, also when a match is deleted.

The rows have running numbers, and ratings follow from the rows in the order of the numbers. A number is taken in the
transaction that stores the row: the update of the counter locks it until then. So a row is visible only after all rows
with lower numbers, also if several processes write.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec
import sqlalchemy as sa

from gonfalon.server.clock.speed import Speed, speed_of
from gonfalon.server.match.public import Ended, PublicMatch
from gonfalon.server.protocol.rating_bodies import Pool
from gonfalon.server.ratings.levels import find_rating
from gonfalon.server.ratings.model import MODEL, find_places
from gonfalon.server.storage import tables
from gonfalon.server.storage.store import Statements

RATED = "rated"
"""Counter of the rows: the number of the latest one."""
_rated, _counters, _open = tables.rated.c, tables.counters.c, tables.rated_open.c


class RatedPlayer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player of a rated match: either a person or a level."""

    person: str = ""
    """Id of the account or guest."""
    level: str = ""
    """Name of the computer player."""


class RatedMatch(msgspec.Struct, frozen=True):
    """A match whose result changes ratings."""

    match: str
    variant: str
    speed: Speed
    day: date
    """Day of the end in UTC."""
    players: tuple[RatedPlayer, ...]
    places: tuple[int, ...]
    """Places of the players: 1 for the best; equal places are a draw."""
    model: str = MODEL
    """Model and version of the time at which the row was made."""
    number: int = 0
    """Running number from 1 on; 0: not stored yet."""

    @property
    def pool(self) -> Pool:
        return "levels" if any(player.level for player in self.players) else "people"


_decode_players = msgspec.json.Decoder(tuple[RatedPlayer, ...]).decode
_decode_places = msgspec.json.Decoder(tuple[int, ...]).decode


def make_row(end: Ended, day: date) -> RatedMatch | None:
    """Return the row of a match that has ended; None if it changes no rating."""
    match = end.match
    speed = speed_of(match.clock)
    players = _find_players(match)
    if speed is None or not players or not (match.rated and match.listed and end.counts):
        return None
    return RatedMatch(match.id, match.variant, speed, day, players, find_places(end.outcome.returns))


def _find_players(match: PublicMatch) -> tuple[RatedPlayer, ...]:
    """Return the players of a match that can be rated; empty if it cannot.

    All are different persons, or one person plays against levels. A level among several persons would change what a
    result says about them.
    """
    persons = [seat.person for seat in match.seats if not seat.agent]
    agents = [seat.agent for seat in match.seats if seat.agent]
    if len(match.seats) < 2 or not persons or not all(persons) or len(set(persons)) < len(persons):
        return ()
    if agents and (len(persons) > 1 or not all(find_rating(match.variant, agent) for agent in agents)):
        return ()
    return tuple(RatedPlayer(level=seat.agent) if seat.agent else RatedPlayer(seat.person) for seat in match.seats)


def write_open(match: str) -> Statements:
    """Return the statements that note a match which will be rated at its end."""
    return (sa.insert(tables.rated_open).values(match=match),)


def write_closed(match: str) -> Statements:
    """Return the statements that note the end of such a match."""
    return (sa.delete(tables.rated_open).where(_open.match == match),)


def write_row(row: RatedMatch) -> Statements:
    """Return the statements that store a row with the next number, unless the match has a row."""
    missing = ~sa.exists().where(_rated.match == row.match)
    count = sa.update(tables.counters).where(_counters.name == RATED, missing).values(value=_counters.value + 1)
    values = {
        "match": sa.literal(row.match),
        "number": _counters.value,
        "variant": sa.literal(row.variant),
        "speed": sa.literal(row.speed),
        "model": sa.literal(row.model),
        "day": sa.literal(row.day),
        "players": sa.literal(msgspec.json.encode(row.players)),
        "places": sa.literal(msgspec.json.encode(row.places)),
    }
    chosen = sa.select(*values.values()).where(_counters.name == RATED, missing)
    return count, sa.insert(tables.rated).from_select(list(values), chosen)


def read_rows(connection: sa.Connection, after: int, most: int) -> Sequence[RatedMatch]:
    """Return the rows with numbers above `after`, in order, at most so many."""
    chosen = sa.select(tables.rated).where(_rated.number > after).order_by(_rated.number).limit(most)
    return [_read(row) for row in connection.execute(chosen)]


def read_row(connection: sa.Connection, match: str) -> RatedMatch | None:
    """Return the row of a match; None if it has none."""
    row = connection.execute(sa.select(tables.rated).where(_rated.match == match)).one_or_none()
    return None if row is None else _read(row)


def _read(row: sa.Row[tuple[object, ...]]) -> RatedMatch:
    return RatedMatch(
        match=row.match,
        variant=row.variant,
        speed=row.speed,
        day=row.day,
        players=_decode_players(row.players),
        places=_decode_places(row.places),
        model=row.model,
        number=row.number,
    )
