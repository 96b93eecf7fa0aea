"""Names of persons by id, kept in memory. Whatever shows a name looks it up here, so nothing stores names."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping

from gonfalon.server.people.rows import find_names
from gonfalon.server.storage.kept import Kept
from gonfalon.server.storage.store import Store

MOST_KEPT, KEPT_BYTES, SIZE = 50_000, 10_000_000, 150


class Directory:
    """The names of persons."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept = Kept[str | None](MOST_KEPT, KEPT_BYTES)

    async def find(self, persons: Iterable[str]) -> Mapping[str, str | None]:
        """Return names by id: empty for a guest, None for a person who was deleted."""
        wanted = set(persons) - {""}
        missing = {person for person in wanted if person not in self._kept}
        if missing:
            since = self._kept.changes
            found = await asyncio.to_thread(find_names, self._store, missing)
            for person in missing:
                self._kept.put(person, found.get(person), SIZE, since)
            return {person: found.get(person) if person in missing else self._kept.get(person) for person in wanted}
        return {person: self._kept.get(person) for person in wanted}

    def peek(self, person: str) -> str | None:
        """Return the name of a person whom `find` has loaded."""
        return self._kept.get(person)

    def drop(self, person: str) -> None:
        """Note that the name of a person has changed."""
        self._kept.drop(person)
