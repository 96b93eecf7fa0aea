"""The interface between Python and a family's compiled rules, and compiled functions that the kernels of all families
use.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.jit import Numbers, StateRow, helper

Rows = NDArray[np.void]
"""Records of one type, shape (n,)."""


class Kernels(Protocol):
    """The kernels of a family (`kernels.py`). They take arrays of records and row numbers; the Python part of a call
    takes well under a microsecond.

    `rules` is the record of the game's rules, one row. A kernel that lists legal actions writes them to the field `ids`
    of `rules`. So threads and long-lived objects must use a copy of that row. The docstrings in `kernels.py` state what
    callers can rely on. `engine.game.Game` checks the numbers of players and actions; kernels do not.
    """

    def initial(self, batch: Rows, i: int, rules: Rows) -> None: ...
    def legal(self, batch: Rows, i: int, rules: Rows, player: int) -> int: ...
    def step(self, batch: Rows, i: int, rules: Rows, player: int, action: int) -> bool: ...
    def withdraw(self, batch: Rows, i: int, rules: Rows, player: int) -> None: ...
    def agree(self, batch: Rows, i: int, rules: Rows) -> None: ...
    def view(self, batch: Rows, i: int, rules: Rows, observer: int, views: Rows, j: int) -> None: ...
    def encode(self, views: Rows, j: int, rules: Rows, forms: Rows, f: int, observations: Any, k: int) -> None: ...
    def weights(self, batch: Rows, i: int, rules: Rows, actions: Any, n: int, values: Any) -> None: ...
    def evaluate(self, batch: Rows, i: int, rules: Rows, player: int) -> float: ...
    def score(
        self, source: Rows, target: Rows, rules: Rows, mover: int, actions: Any, player: int, values: Any
    ) -> None: ...
    def random_play(self, batch: Rows, i: int, rules: Rows, counter: Any, most: int) -> int: ...
    def perft(self, stack: Rows, rules: Rows, depth: int, lists: Rows) -> int: ...
    def list_rows(self, count: int) -> Rows: ...

    # Loops of `Batch`, over the rows from `first` to `last`.
    def settle_rows(
        self,
        batch: Rows,
        first: int,
        last: int,
        rules: Rows,
        wanted: Any,
        counters: Any,
        actors: Any,
        lists: Rows,
        counts: Any,
    ) -> None: ...
    def act_rows(
        self,
        batch: Rows,
        first: int,
        last: int,
        rules: Rows,
        wanted: Any,
        actions: Any,
        counters: Any,
        actors: Any,
        lists: Rows,
        counts: Any,
    ) -> None: ...
    def find_illegal(self, first: int, last: int, wanted: Any, actions: Any, lists: Rows, counts: Any) -> int: ...
    def observe_rows(
        self,
        batch: Rows,
        first: int,
        last: int,
        rules: Rows,
        observers: Any,
        actors: Any,
        lists: Rows,
        counts: Any,
        views: Rows,
        forms: Rows,
        observations: Any,
    ) -> None: ...
    def mask_rows(self, first: int, last: int, actors: Any, lists: Rows, counts: Any, ids: Any, masks: Any) -> None: ...
    def join_lists(self, lists: Rows, counts: Any, actions: Any) -> None: ...
    def play_rows(self, batch: Rows, first: int, last: int, rules: Rows, counters: Any, most: int) -> int: ...


@helper
def is_among(out: Numbers, n: int, action: int) -> bool:
    """Return whether `action` is in the ascending list `out[:n]`."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if out[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low < n and out[low] == action


@helper
def draw_below(counter: Numbers, n: int) -> np.int64:
    """Return the next number of a counter-based generator (splitmix64), scaled to 0..n-1. Advances `counter`, uint64
    (1,).
    """
    counter[0] += np.uint64(0x9E3779B97F4A7C15)
    z = counter[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.int64((z >> np.uint64(32)) * np.uint64(n) >> np.uint64(32))


@helper
def note(s: StateRow, code: int, side: int, a: int, b: int, c: int, d: int) -> None:
    """Append an entry to the log of the last step, from which events are made: `log` (entries, 6) and `n_log`. The log
    is long enough for every step.
    """
    n = s.n_log
    if n < len(s.log):
        s.log[n, 0] = code
        s.log[n, 1] = side
        s.log[n, 2] = a
        s.log[n, 3] = b
        s.log[n, 4] = c
        s.log[n, 5] = d
        s.n_log = n + 1
