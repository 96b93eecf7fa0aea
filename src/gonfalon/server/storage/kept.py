"""Values kept in memory that took work to make, within a bound."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """Values by key. Beyond `most` values, or `most_bytes` of them together, the least recently used are dropped."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._values: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._bytes = 0
        self.changes = 0
        """Number of calls of `drop`. Read it before a value is made, and give it to `put`."""

    def __len__(self) -> int:
        return len(self._values)

    def list_keys(self) -> tuple[Hashable, ...]:
        """Return the keys of all values."""
        return tuple(self._values)

    def get(self, key: Hashable) -> Value | None:
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key][0]

    def put(self, key: Hashable, value: Value, size: int, since: int = 0) -> None:
        """Keep a value of `size` bytes. It is not kept if it alone is too large, or if `drop` was called since it was
        begun: then it may be out of date.
        """
        if since != self.changes or size > self._most_bytes:
            return
        self._remove(key)
        self._values[key] = value, size
        self._bytes += size
        while len(self._values) > self._most or self._bytes > self._most_bytes:
            self._remove(next(iter(self._values)))

    def drop(self, key: Hashable) -> None:
        """Drop the value of a key because it may be out of date, also one that is being made now."""
        self.changes += 1
        self._remove(key)

    def clear(self) -> None:
        """Drop all values."""
        self.changes += 1
        self._values.clear()
        self._bytes = 0

    def _remove(self, key: Hashable) -> None:
        _, size = self._values.pop(key, (None, 0))
        self._bytes -= size
