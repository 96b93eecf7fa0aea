"""Compiled functions that the kernels of all families use."""

import numpy as np

from gonfalon.engine.jit import Row, helper


@helper
def is_among(out: Row, n: int, action: int) -> bool:
    """Whether `action` is in the ascending list `out[:n]`."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if out[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low < n and out[low] == action


@helper
def draw_below(counter: Row, n: int) -> np.int64:
    """The next number of a counter-based generator (splitmix64), scaled to 0..n-1. `counter`: uint64 (1,), advanced."""
    counter[0] += np.uint64(0x9E3779B97F4A7C15)
    z = counter[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.int64((z >> np.uint64(32)) * np.uint64(n) >> np.uint64(32))


@helper
def note(s: Row, code: int, side: int, a: int, b: int, c: int, d: int) -> None:
    """Appends an entry to the log of the last step, for events: `log` (entries, 6) and `n_log`. No step fills it."""
    n = s.n_log
    if n < len(s.log):
        s.log[n, 0] = code
        s.log[n, 1] = side
        s.log[n, 2] = a
        s.log[n, 3] = b
        s.log[n, 4] = c
        s.log[n, 5] = d
        s.n_log = n + 1
