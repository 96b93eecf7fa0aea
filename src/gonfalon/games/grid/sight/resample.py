"""States that a viewer cannot tell from the true one. Hidden pieces are dealt anew from what is left of the army."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import State
from gonfalon.engine.view import View, copy_rows, zero_rows
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.ends import judge

TRIES = 200
"""Deals to try before giving up. A deal fails only if the side could not move, so the match would be over."""


class NoWorldError(RuntimeError):
    """No consistent deal was found. This cannot happen for a view of a real match."""


def resample(view: View, rules: NDArray[np.void], rng: np.random.Generator) -> State:
    """A state drawn uniformly from the deals that fit what all know of each piece. With `silent_defence` it is only
    close to uniform.
    """
    for _ in range(TRIES):
        state = copy_known(view)
        row = state[0]
        for side in range(2):
            if side != view.observer:
                _deal_side(row, view, rules, side, rng)
        if row["phase"] != g.TURN or goes_on(state, rules):
            return state
    raise NoWorldError("no deal fits this view")


def copy_known(view: View) -> State:
    """Copies all fields that a view shares with a state."""
    state = zero_rows(g.STATE)
    for name in (*(field.name for field in g.PUBLIC_FIELDS), "left", "placed", "chosen"):
        state[name] = view.record[name]
    return state


def goes_on(state: State, rules: NDArray[np.void]) -> bool:
    """Whether both sides can move in a position after a finished turn (GR-19)."""
    looked_at = copy_rows(state)
    judge(looked_at, 0, rules)
    return bool(looked_at["over"][0] == g.RUNNING)


def _deal_side(row: np.void, view: View, rules: NDArray[np.void], side: int, rng: np.random.Generator) -> None:
    if not view.ready.all():  # also if the match was broken off before play
        _deal_deployment(row, view, rules, side, rng)
        return
    own = int(rules[0]["own_squares"])
    row["placed"][side] = own
    row["left"][side] = 0
    pieces = row["board"][: g.SQUARES]
    mine = (pieces & (g.RED << side)) != 0
    hidden = np.flatnonzero(mine & (pieces & g.TYPE == g.HIDDEN))
    if not len(hidden):
        return
    dealt = _deal(list_unseen(row, rules, side, mine), row["ruled_out"][hidden].tolist(), rng)
    row["board"][hidden] = np.array(dealt, np.uint8) + (g.RED << side)


def list_unseen(row: np.void, rules: NDArray[np.void], side: int, mine: NDArray[np.bool_]) -> list[int]:
    """The types of the side's hidden pieces, in any order: its army without lost and seen pieces."""
    counts = rules[0]["army"].astype(int) - row["lost"][side]
    shown = row["board"][: g.SQUARES][mine] & g.TYPE
    for kind in shown[shown != g.HIDDEN].tolist():
        counts[kind] -= 1
    return [kind for kind in range(1, g.TYPES) for _ in range(int(counts[kind]))]


def _deal_deployment(row: np.void, view: View, rules: NDArray[np.void], side: int, rng: np.random.Generator) -> None:
    """During deployment the viewer knows only whether another side is ready. If it is not, all its pieces count as not
    placed.
    """
    own = int(rules[0]["own_squares"])
    army = rules[0]["army"].astype(int)
    if not view.ready[side]:
        row["left"][side], row["placed"][side] = army, 0
        return
    types = rng.permutation(np.repeat(np.arange(g.TYPES), army))
    squares = rules[0]["own"][side, :own]
    row["board"][squares] = np.where(types == 0, 0, types + (g.RED << side))
    row["left"][side], row["placed"][side] = 0, own


def _deal(types: list[int], ruled_out: list[int], rng: np.random.Generator) -> list[int]:
    """Gives each place one of `types` that is not ruled out there.

    One pass, the most constrained types first. Each goes to a place drawn uniformly from those that admit it. If the
    only constraint is "no Bomb, no Flag", the deal is uniform. If the pass gets stuck (`silent_defence`), swaps repair
    it.
    """
    admits = [[not bits & (1 << kind) for kind in range(g.TYPES)] for bits in ruled_out]
    room = {kind: sum(row[kind] for row in admits) for kind in set(types)}
    free = list(range(len(ruled_out)))
    dealt = [0] * len(ruled_out)
    stuck = []
    for kind in sorted(rng.permutation(types).tolist(), key=lambda k: room[k]):
        places = [k for k in free if admits[k][kind]]
        if not places:
            stuck.append(kind)
            continue
        place = places[int(rng.integers(len(places)))]
        dealt[place] = kind
        free.remove(place)
    for kind in stuck:
        _augment(kind, dealt, admits, free)
    return dealt


def _augment(kind: int, dealt: list[int], admits: list[list[bool]], free: list[int]) -> None:
    """Finds room for `kind` by moving other types on (an augmenting path). The true deal proves that there is one."""
    parents: dict[int, int] = {}
    queue = [(place, -1) for place in range(len(dealt)) if admits[place][kind]]
    while queue:
        place, parent = queue.pop(0)
        if place in parents:
            continue
        parents[place] = parent
        if place in free:
            free.remove(place)
            while parents[place] >= 0:
                dealt[place] = dealt[parents[place]]
                place = parents[place]
            dealt[place] = kind
            return
        queue += [(k, place) for k in range(len(dealt)) if k not in parents and admits[k][dealt[place]]]
    raise NoWorldError("no deal fits what is known of the pieces")
