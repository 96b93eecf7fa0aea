"""The tables of the lobby: challenges by correspondence, listed matches that run, and matches that were left early.

Bodies are JSON that the lobby packs and unpacks. Each function that reads blocks, so it runs in a thread.
"""

from __future__ import annotations

import sqlalchemy as sa

from gonfalon.server.storage import tables
from gonfalon.server.storage.deadlines import Reader

_challenges, _listed, _left_early = tables.challenges.c, tables.listed.c, tables.left_early.c
DAY = 86_400


# ---- challenges --------------------------------------------------------------------------------------------------


def list_challenges(store: Reader) -> list[bytes]:
    """Return the bodies of all stored challenges, the oldest first."""
    with store.read() as connection:
        return list(connection.scalars(sa.select(_challenges.body).order_by(_challenges.made, _challenges.id)))


def write_challenge(challenge: str, maker: str, target: str, made: int, body: bytes) -> sa.Executable:
    """Return the statement that stores a challenge. `target`: the person it is for; empty if it is open."""
    return sa.insert(tables.challenges).values(id=challenge, maker=maker, target=target, made=made, body=body)


def delete_challenge(challenge: str) -> sa.Executable:
    """Return the statement that deletes a challenge; an unknown id is no error."""
    return sa.delete(tables.challenges).where(_challenges.id == challenge)


# ---- listed matches ----------------------------------------------------------------------------------------------


def list_listed(store: Reader) -> list[bytes]:
    """Return the bodies of all listed matches that run."""
    with store.read() as connection:
        return list(connection.scalars(sa.select(_listed.body).order_by(_listed.match)))


def write_listed(match: str, body: bytes) -> sa.Executable:
    """Return the statement that stores a listed match which begins."""
    return sa.insert(tables.listed).values(match=match, body=body)


def delete_listed(match: str) -> sa.Executable:
    """Return the statement that deletes the row of a match; an unknown id is no error."""
    return sa.delete(tables.listed).where(_listed.match == match)


# ---- matches left early ------------------------------------------------------------------------------------------


def list_left_early(store: Reader, day: int) -> list[tuple[str, int]]:
    """Return person and Unix seconds of all matches that were left early on a UTC day (days since 1970)."""
    wanted = sa.select(_left_early.person, _left_early.at).where(_left_early.day == day).order_by(_left_early.at)
    with store.read() as connection:
        return [(person, at) for person, at in connection.execute(wanted)]


def count_left_early(store: Reader, person: str) -> int:
    """Return the number of rated matches that a person has left early."""
    wanted = sa.select(sa.func.count()).where(_left_early.person == person, _left_early.rated.is_(True))
    with store.read() as connection:
        return connection.scalar(wanted) or 0


def write_left_early(match: str, person: str, at: int, rated: bool) -> sa.Executable:
    """Return the statement that notes who left a match early, at Unix second `at`."""
    return sa.insert(tables.left_early).values(match=match, person=person, day=at // DAY, at=at, rated=rated)


def forget_person(person: str) -> tuple[sa.Executable, ...]:
    """Return the statements that delete the challenges of a person, and those to the person."""
    mine = sa.or_(_challenges.maker == person, _challenges.target == person)
    return sa.delete(tables.challenges).where(mine), sa.delete(tables.left_early).where(_left_early.person == person)
