"""Keys of views for tables: equal for views between which the rules make no difference."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.view import View

_FIELDS = (
    "phase", "started", "anew", "mover", "n_hand", "n_pile", "lost", "over", "winner", "observer", "ready", "kind",
    "pile", "laid", "placed", "marks", "group", "among", "ruled_out", "public",
)  # fmt: skip
_COUNTERS = ("turn", "quiet", "last")


def list_parts(view: View, exact: bool) -> Iterator[NDArray[np.generic]]:
    """Yield everything that decides how the match can go on, without the numbers of cards. If not `exact`, without
    turns, quiet turns and the last act.
    """
    row = view.record[0]
    yield from (np.asarray(row[name]) for name in (*_FIELDS, *(_COUNTERS if exact else ())))
