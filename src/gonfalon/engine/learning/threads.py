"""Threads that share the rows of a batch."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

from gonfalon.engine.game import Game
from gonfalon.engine.view import as_bytes, zero_rows

T = TypeVar("T")
FEW = 1024
"""Number of rows below which threads would lose more time than short loops take."""


class Part:
    """Rows that one thread works on, with rules and scratch rows that no other thread uses."""

    def __init__(self, game: Game, first: int, last: int) -> None:
        """`last`: the row after the last one."""
        self.first, self.last = first, last
        # The middle one of three rows: a list of actions beside the rules of another thread would slow both down, as
        # processors keep neighbouring bytes in one cache line.
        rows = zero_rows(game.rules.dtype, 3)
        as_bytes(rows)[1] = as_bytes(game.rules)[0]
        self.rules = rows[1:2]
        self.arguments = (first, last, self.rules)
        """The first arguments of a loop over these rows."""
        view = game.view(game.initial_state(), 0).record
        self.views = zero_rows(view.dtype, 2)
        """A scratch row, and a row of zeros."""


class Threads:
    """`count` threads for `rows` rows of a game. Their owner is used by one thread at a time."""

    def __init__(self, game: Game, rows: int, count: int) -> None:
        self.count = count
        self._rows = rows
        edges = [rows * k // count for k in range(count + 1)]
        self._parts = [Part(game, first, last) for first, last in pairwise(edges) if first < last]
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None
        self._closed = False

    def run(self, work: Callable[[Part], T], least: int = FEW) -> list[T]:
        """Do `work` for each part; at the same time if there are several, and at least `least` rows. Raises
        RuntimeError after `close`.
        """
        if self._closed:
            raise RuntimeError("this batch is closed")
        if self._pool is None or self._rows < least:
            return [work(part) for part in self._parts]
        return list(self._pool.map(work, self._parts))

    def close(self) -> None:
        self._closed = True
        if self._pool:
            self._pool.shutdown()
