"""Names of persons by id, kept in memory. Whatever shows a name looks it up here, so nothing stores names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping

from gonfalon.server.people.rows import find_names
from gonfalon.server.storage.kept import Kept
from gonfalon.server.storage.store import Store

MOST_KEPT, KEPT_BYTES, SIZE = 50_000, 10_000_000, 150


class Directory:
    """The names of persons."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept = Kept[tuple[str | None]](MOST_KEPT, KEPT_BYTES)
        """Names by id; None for a person who was deleted."""
        self.on_change: list[Callable[[str], None]] = []
        """Functions called with the id of a person whose name has changed here."""

    async def find(self, persons: Iterable[str]) -> Mapping[str, str | None]:
        """Return names by id: empty for a guest, None for a person who was deleted."""
        known = {person: self._kept.get(person) for person in persons if person}
        names = {person: kept[0] for person, kept in known.items() if kept is not None}
        missing = known.keys() - names.keys()
        if missing:
            since = self._kept.changes
            found = await asyncio.to_thread(find_names, self._store, missing)
            for person in missing:
                names[person] = found.get(person)
                self._kept.put(person, (names[person],), SIZE, since)
        return names

    def peek(self, person: str) -> str | None:
        """Return the name of a person as `find` does, if it is in memory; else an empty one."""
        kept = self._kept.get(person)
        return "" if kept is None else kept[0]

    def drop(self, person: str) -> None:
        """Note that the name of a person has changed."""
        self.forget(person)
        for tell in self.on_change:
            tell(person)

    def forget(self, person: str) -> None:
        """Note that the name of a person has changed in another process."""
        self._kept.drop(person)

    def forget_all(self) -> None:
        """Note that any name may have changed in another process."""
        self._kept.clear()
