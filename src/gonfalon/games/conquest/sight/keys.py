"""Keys of views for tables: equal for views between which the rules make no difference."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g

_FIELDS = (
    "started", "start", "mover", "contends", "lot", "ties", "picks", "owner", "control", "out", "holder", "master",
    "pile", "discard", "table", "traitor_last", "due", "moves", "made", "n_reserve", "over", "winner", "observer",
    "phase", "playing", "cards_due", "moves_due", "ready", "reserve", "laid", "placed", "chosen", "n_chosen",
    "ordered", "n_ordered",
)  # fmt: skip
_COUNTERS = ("turn", "rounds", "quiet", "stirred", "last")
_OF_UNITS = ("kind", "marks", "ruled_out", "public", "looked")


def list_parts(view: View, exact: bool) -> Iterator[NDArray[np.generic]]:
    """Yield everything that decides how the match can go on. Units are listed by their zones and not by their slots. If
    not `exact`, without turns, rounds, quiet rounds and the last act.
    """
    row = view.record[0]
    yield from (np.asarray(row[name]) for name in (*_FIELDS, *(_COUNTERS if exact else ())))
    slots = np.append(row["at"], row["hand"])
    found = slots[slots != g.NONE]
    yield slots != g.NONE
    yield np.where(slots == g.NONE, g.NONE, slots // g.ARMY)
    yield from (row[name][found] for name in _OF_UNITS)
    groups = row["group"][found].tolist()
    order = {group: k for k, group in enumerate(dict.fromkeys(groups)) if group != g.NONE}
    yield np.array([order.get(group, g.NONE) for group in groups], np.uint8)
    labels = list(order)
    yield row["among"][labels]
    yield row["in_reserve"][labels]
