"""Deletion of an account or guest: the person's own rows go, typed names are erased in place, and others see a deleted
player.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import sqlalchemy as sa

from gonfalon.server.people.rows import drop_person
from gonfalon.server.storage import tables
from gonfalon.server.storage.erasing import erase_names
from gonfalon.server.storage.store import Statements, Store

AT_ONCE = 20
"""Number of matches whose names are erased in one transaction, so that play does not wait long."""
Forget = Callable[[str], Statements]
"""Returns the statements by which another package forgets a person."""


def find_seats(store: Store, person: str) -> dict[str, list[int]]:
    """Return the players that a person owns, by match. Blocks."""
    seats, found = tables.seats.c, dict[str, list[int]]()
    with store.read() as connection:
        for match, player in connection.execute(sa.select(seats.match, seats.player).where(seats.person == person)):
            found.setdefault(match, []).append(player)
    return found


async def delete_person(
    store: Store, person: str, forget: tuple[Forget, ...], erase: Callable[[str, list[int]], None]
) -> None:
    """Delete a person. `forget`: of the other packages; `erase`: called with a match and its players, so that a match
    in memory erases the names too.

    Names go first: if the process is killed in between, the person still exists and can ask again.
    """
    owned = await asyncio.to_thread(find_seats, store, person)
    matches = list(owned)
    for first in range(0, len(matches), AT_ONCE):
        part = matches[first : first + AT_ONCE]
        for match in part:
            erase(match, owned[match])
        await store.rewrite([partial(erase_names, match=match, players=owned[match]) for match in part])
    await store.execute([*drop_person(person), *(each for plan in forget for each in plan(person))])
