"""Leaks of a grid game, each of one secret. The scramble test must notice every leak."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from conformance.families.leaks import Mutant, leaking_view
from gonfalon.engine.events import Event, Refusal
from gonfalon.engine.game import Actions, State
from gonfalon.games.grid import kernels
from gonfalon.games.grid import state as g
from gonfalon.games.grid.game import GridGame
from gonfalon.games.grid.sight import view as view_module
from gonfalon.games.grid.text.notation import move_squares

LOW = (g.SPY, g.SCOUT, g.MINER)
"""Low ranks, of which every army has one."""
STILL = (g.BOMB, g.FLAG)


def _hidden(row: np.void, view: np.void, kinds: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Return the squares of pieces of these types whose types the view does not show."""
    return np.flatnonzero(np.isin(row["board"] & g.TYPE, kinds) & (view["board"] & g.TYPE == g.HIDDEN))


def _leak_rank(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    squares = _hidden(row, view, LOW)
    view["board"][squares] = row["board"][squares]


def _leak_by_number(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    view["number"][_hidden(row, view, STILL)] = g.PIECES - 1


def _leak_by_mark(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    view["marks"][_hidden(row, view, (g.FLAG,))] |= g.MOVED


def _leak_placed(row: np.void, view: np.void, observer: int) -> None:
    view["placed"][1 - max(observer, 0)] = row["placed"][1 - max(observer, 0)]


def _leak_left(row: np.void, view: np.void, observer: int) -> None:
    view["left"][1 - max(observer, 0)] = row["left"][1 - max(observer, 0)]


def _leak_chosen(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    view["chosen"] = row["chosen"]


def _leak_phase(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    view["phase"] = row["phase"]


def _leak_event(patcher: pytest.MonkeyPatch) -> None:
    """Name low ranks when they move."""
    true = view_module._event

    def event(after: State, entry: list[int], observer: int) -> Event | None:
        known = entry[0] == g.LOG_MOVED and entry[4] in LOW
        return true(after, entry, entry[1] if known else observer)

    patcher.setattr(view_module, "_event", event)


def _attacks(state: State, action: int, kinds: tuple[int, ...]) -> bool:
    return action < g.ACT_DEPLOY and int(state["board"][0, move_squares(action)[1]]) & g.TYPE in kinds


def _leak_legal(patcher: pytest.MonkeyPatch) -> None:
    """Patch the game: never offer an attack on a piece that cannot move."""
    true = GridGame.legal_actions

    def legal(game: GridGame, state: State, player: int) -> Actions:
        return np.array([k for k in true(game, state, player) if not _attacks(state, int(k), STILL)], np.int32)

    patcher.setattr(GridGame, "legal_actions", legal)


def _leak_refusal(patcher: pytest.MonkeyPatch) -> None:
    """Patch the game: let a refusal depend on a hidden piece."""
    true = GridGame.explain

    def explain(game: GridGame, state: State, player: int, action: int) -> Refusal | None:
        found = true(game, state, player, action)
        known = 0 <= action < g.ACTIONS and found is not None and _attacks(state, action, (g.FLAG,))
        return Refusal("not-now") if known else found

    patcher.setattr(GridGame, "explain", explain)


MUTANTS: dict[str, Mutant] = {
    "rank": leaking_view(kernels, _leak_rank),
    "number": leaking_view(kernels, _leak_by_number),
    "mark": leaking_view(kernels, _leak_by_mark),
    "placed": leaking_view(kernels, _leak_placed),
    "left": leaking_view(kernels, _leak_left),
    "chosen": leaking_view(kernels, _leak_chosen),
    "phase": leaking_view(kernels, _leak_phase),
    "event": _leak_event,
    "legal": _leak_legal,
    "refusal": _leak_refusal,
}
