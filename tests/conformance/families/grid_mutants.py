"""Leaks of a grid game, one secret each. The scramble test must notice every one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gonfalon.engine.events import Event, Refusal
from gonfalon.engine.game import Actions, State
from gonfalon.games.grid import state as g
from gonfalon.games.grid import view as view_module
from gonfalon.games.grid.game import GridGame
from gonfalon.games.grid.notation import move_squares
from gonfalon.games.grid.rules import kernels

Leak = Callable[[np.void, np.void, int], None]


def _leaking_view(leak: Leak) -> Callable[[pytest.MonkeyPatch], None]:
    """Patches the filter so that `leak(state row, view row, observer)` adds to what it shows."""

    def patch(patcher: pytest.MonkeyPatch) -> None:
        true = kernels.view

        def view(batch: State, i: int, rules: Any, observer: int, views: Any, j: int, out: Any) -> None:
            true(batch, i, rules, observer, views, j, out)
            leak(batch[i], views[j], observer)

        patcher.setattr(kernels, "view", view)

    return patch


def _hidden(row: np.void, view: np.void, kind: int) -> np.ndarray[Any, Any]:
    """Squares of pieces of this type that the view does not show."""
    return np.flatnonzero((row["board"] & g.TYPE == kind) & (view["board"] & g.TYPE == g.HIDDEN))


def _leak_rank(row: np.void, view: np.void, observer: int) -> None:  # a Leak
    squares = _hidden(row, view, g.MINER)
    view["board"][squares] = row["board"][squares]


def _leak_by_number(row: np.void, view: np.void, observer: int) -> None:  # a Leak
    view["number"][_hidden(row, view, g.BOMB)] = g.PIECES - 1


def _leak_by_mark(row: np.void, view: np.void, observer: int) -> None:  # a Leak
    view["marks"][_hidden(row, view, g.FLAG)] |= g.MOVED


def _leak_placed(row: np.void, view: np.void, observer: int) -> None:
    view["placed"][1 - max(observer, 0)] = row["placed"][1 - max(observer, 0)]


def _leak_left(row: np.void, view: np.void, observer: int) -> None:
    view["left"][1 - max(observer, 0)] = row["left"][1 - max(observer, 0)]


def _leak_chosen(row: np.void, view: np.void, observer: int) -> None:  # a Leak
    view["chosen"] = row["chosen"]


def _leak_phase(row: np.void, view: np.void, observer: int) -> None:  # a Leak
    view["phase"] = row["phase"]


def _leak_event(patcher: pytest.MonkeyPatch) -> None:
    """Miners are named when they move."""
    true = view_module._event

    def event(after: State, entry: list[int], observer: int) -> Event | None:
        known = entry[0] == g.LOG_MOVED and entry[4] == g.MINER
        return true(after, entry, entry[1] if known else observer)

    patcher.setattr(view_module, "_event", event)


def _attacks(state: State, action: int, kind: int) -> bool:
    return action < g.ACT_DEPLOY and int(state["board"][0, move_squares(action)[1]]) & g.TYPE == kind


def _leak_legal(patcher: pytest.MonkeyPatch) -> None:
    """A careful program that does not offer to attack a Bomb."""
    true = GridGame.legal_actions

    def legal(game: GridGame, state: State, player: int) -> Actions:
        return np.array([k for k in true(game, state, player) if not _attacks(state, int(k), g.BOMB)], np.int32)

    patcher.setattr(GridGame, "legal_actions", legal)


def _leak_refusal(patcher: pytest.MonkeyPatch) -> None:
    """A reason that depends on what stands there."""
    true = GridGame.explain

    def explain(game: GridGame, state: State, player: int, action: int) -> Refusal | None:
        found = true(game, state, player, action)
        known = 0 <= action < g.ACTIONS and found is not None and _attacks(state, action, g.FLAG)
        return Refusal("not-now") if known else found

    patcher.setattr(GridGame, "explain", explain)


MUTANTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "rank": _leaking_view(_leak_rank),
    "number": _leaking_view(_leak_by_number),
    "mark": _leaking_view(_leak_by_mark),
    "placed": _leaking_view(_leak_placed),
    "left": _leaking_view(_leak_left),
    "chosen": _leaking_view(_leak_chosen),
    "phase": _leaking_view(_leak_phase),
    "event": _leak_event,
    "legal": _leak_legal,
    "refusal": _leak_refusal,
}
