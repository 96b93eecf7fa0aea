"""Leaks of Conquest, each of one secret. The scramble test must notice every leak."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from conformance.families.leaks import Mutant, leaking_view
from gonfalon.engine.events import Event, Refusal
from gonfalon.engine.game import EVERYTHING, PUBLIC, Actions, State
from gonfalon.games.conquest import kernels
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.game import ConquestGame
from gonfalon.games.conquest.sight import view as view_module


def _hidden(row: np.void, view: np.void, kind: int) -> np.ndarray[Any, Any]:
    """Return the slots of units of this type whose type the view does not show."""
    return np.flatnonzero((row["kind"] == kind) & (view["kind"] == g.HIDDEN))


def _leak_rank(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    slots = _hidden(row, view, g.SCOUT)
    view["kind"][slots[row["zone"][slots] < g.ZONES]] = g.SCOUT


def _leak_hand(row: np.void, view: np.void, observer: int) -> None:
    """Show the unit that was drawn from a reserve."""
    if view["hand"] != g.NONE:
        view["kind"][view["hand"]] = row["kind"][view["hand"]]


def _leak_drawn(row: np.void, view: np.void, observer: int) -> None:
    """Show all types in a reserve, from which the type of a drawn unit follows."""
    for side in range(g.PLAYERS):
        left = row["kind"][(row["zone"] == g.RESERVE) & (np.arange(g.UNITS) // g.ARMY == side)]
        view["reserve"][side] = np.bincount(left, minlength=g.TYPES)


def _leak_slots(row: np.void, view: np.void, observer: int) -> None:
    """Show the types of units in a reserve by slot."""
    slots = row["zone"] == g.RESERVE
    view["kind"][slots] = row["kind"][slots]


def _leak_chosen(row: np.void, view: np.void, observer: int) -> None:
    """Show the zones that are named during an open choice."""
    view["chosen"], view["n_chosen"] = row["chosen"], row["n_chosen"]


def _leak_ordered(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    view["ordered"] = row["ordered"]


def _leak_phase(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    view["phase"] = row["phase"]


def _leak_laid(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    view["laid"] = row["laid"]


def _leak_placed(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    view["placed"] = row["placed"]


def _leak_mark(row: np.void, view: np.void, observer: int) -> None:
    """Rule out a type for some hidden units only."""
    view["ruled_out"][_hidden(row, view, g.KING)] |= 1 << g.SCOUT


def _leak_member(row: np.void, view: np.void, observer: int) -> None:
    """Show which unit of a group is one of those that were seen."""
    among = view["marks"] == g.AMONG
    for side in range(g.PLAYERS):
        book = observer if 0 <= observer != side else g.THE_PUBLIC
        slots = among & (np.arange(g.UNITS) // g.ARMY == side)
        view["public"][slots] = row["known"][book][slots]


def _leak_group(row: np.void, view: np.void, observer: int) -> None:
    """Name a group by its highest unit."""
    for label in set(view["group"].tolist()) - {g.NONE}:
        members = np.flatnonzero(view["group"] == label)
        view["group"][members] = members[np.argmax(row["kind"][members])]


def _leak_look(row: np.void, view: np.void, observer: int) -> None:
    """Show spectators a secret of one player (CQ-31, CQ-32)."""
    if observer == PUBLIC:
        for player in range(g.PLAYERS):
            seen = (row["known"][player] == 1) & (np.arange(g.UNITS) // g.ARMY != player)
            seen &= view["kind"] == g.HIDDEN
            view["kind"][seen] = row["kind"][seen]


def _telling(code: int, *when: tuple[int, int]) -> Mutant:
    """Leak to all observers the log entries with this code, worded as for EVERYTHING. With `when`, leak only entries
    whose columns have these values.
    """

    def patch(patcher: pytest.MonkeyPatch) -> None:
        true: Callable[..., Event | None] = view_module._event

        def event(entry: list[int], observer: int, *rest: Any) -> Event | None:
            leaks = entry[0] == code and all(entry[column] == value for column, value in when)
            return true(entry, EVERYTHING if leaks else observer, *rest)

        patcher.setattr(view_module, "_event", event)

    return patch


def _attacks(state: State, action: int, kind: int) -> bool:
    if not g.ACT_MOVE <= action < g.ACT_START:
        return False
    slot = state["at"][0][(action - g.ACT_MOVE) % g.ZONES]
    return bool(slot != g.NONE and state["kind"][0][slot] == kind)


def _guesses(state: State, action: int) -> bool:
    """Return whether the action is a wrong guess."""
    row = state[0]
    if not g.ACT_GUESS <= action < g.ACT_STOP or row["phase"] != g.GUESS:
        return False
    return bool(row["kind"][row["at"][row["chosen"][0]]] != action - g.ACT_GUESS)


def _leak_legal(patcher: pytest.MonkeyPatch) -> None:
    """Patch the game: never offer an attack on a Cursed Land."""
    true = ConquestGame.legal_actions

    def legal(game: ConquestGame, state: State, player: int) -> Actions:
        kept = [k for k in true(game, state, player).tolist() if not _attacks(state, k, g.CURSED_LAND)]
        return np.array(kept, np.int32)

    patcher.setattr(ConquestGame, "legal_actions", legal)


def _leak_guess(patcher: pytest.MonkeyPatch) -> None:
    """Patch the game: never offer a wrong guess."""
    true = ConquestGame.legal_actions

    def legal(game: ConquestGame, state: State, player: int) -> Actions:
        kept = [k for k in true(game, state, player).tolist() if not _guesses(state, k)]
        return np.array(kept, np.int32)

    patcher.setattr(ConquestGame, "legal_actions", legal)


def _leak_refusal(patcher: pytest.MonkeyPatch) -> None:
    """Patch the game: let a refusal depend on a hidden unit."""
    true = ConquestGame.explain

    def explain(game: ConquestGame, state: State, player: int, action: int) -> Refusal | None:
        found = true(game, state, player, action)
        known = found is not None and _attacks(state, action, g.SCOUT)
        return Refusal("not-now", {"attacked": "so"}) if known else found

    patcher.setattr(ConquestGame, "explain", explain)


MUTANTS: dict[str, Mutant] = {
    "rank": leaking_view(kernels, _leak_rank),
    "hand": leaking_view(kernels, _leak_hand),
    "drawn": leaking_view(kernels, _leak_drawn),
    "slots": leaking_view(kernels, _leak_slots),
    "chosen": leaking_view(kernels, _leak_chosen),
    "ordered": leaking_view(kernels, _leak_ordered),
    "phase": leaking_view(kernels, _leak_phase),
    "laid": leaking_view(kernels, _leak_laid),
    "placed": leaking_view(kernels, _leak_placed),
    "mark": leaking_view(kernels, _leak_mark),
    "member": leaking_view(kernels, _leak_member),
    "group": leaking_view(kernels, _leak_group),
    "look": leaking_view(kernels, _leak_look),
    "order": _telling(g.LOG_PUT_BACK),
    "unit": _telling(g.LOG_UNIT),
    "entered": _telling(g.LOG_ENTERED),
    "saw": _telling(g.LOG_SAW),
    "deployment": _telling(g.LOG_PLACED),
    "legal": _leak_legal,
    "guess": _leak_guess,
    "refusal": _leak_refusal,
}
