"""Leaks of the Card Game, each of one secret. The scramble test must notice every leak."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from conformance.families.leaks import Mutant, leaking_view
from gonfalon.engine.events import Event, Refusal
from gonfalon.engine.game import PUBLIC, Actions, State
from gonfalon.games.cardgame import kernels
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.game import CardGame
from gonfalon.games.cardgame.sight import view as view_module

LINES = [side * g.SIDE_PLACES + k for side in range(2) for k in range(g.LINE)]


def _hidden(row: np.void, view: np.void, kind: int) -> np.ndarray[Any, Any]:
    """Return the places of cards of this type that the view does not show."""
    return np.flatnonzero((row["kind"] == kind) & (view["kind"] == g.HIDDEN))


def _leak_line(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    places = [place for place in _hidden(row, view, g.MINER) if place in LINES]
    view["kind"][places] = g.MINER


def _leak_hand(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    places = [place for place in _hidden(row, view, g.SCOUT) if place not in LINES]
    view["kind"][places] = g.SCOUT


def _leak_pile(row: np.void, view: np.void, observer: int) -> None:
    view["pile"][1 - max(observer, 0)] = row["pile"][1 - max(observer, 0)]


def _leak_laid(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    view["laid"] = row["laid"]


def _leak_placed(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    view["placed"] = row["placed"]


def _leak_by_number(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    for place in set(_hidden(row, view, g.BOMB).tolist()) & set(LINES):
        view["number"][place // g.SIDE_PLACES][place % g.SIDE_PLACES] = 999


def _leak_member(row: np.void, view: np.void, observer: int) -> None:
    """Leak which card of a group was seen."""
    book = observer if observer in (0, 1) else g.THE_PUBLIC
    view["public"][view["marks"] == g.AMONG] = row["known"][book][view["marks"] == g.AMONG]


def _leak_group(row: np.void, view: np.void, observer: int) -> None:
    """Name a group by its highest card."""
    for label in set(view["group"].tolist()) - {g.NONE}:
        members = np.flatnonzero(view["group"] == label)
        view["group"][members] = members[np.argmax(row["kind"][members])]


def _leak_look(row: np.void, view: np.void, observer: int) -> None:
    """Show spectators a secret of one player."""
    if observer == PUBLIC:
        for side in range(2):
            seen = [p for p in LINES if p // g.SIDE_PLACES == side and row["known"][1 - side][p]]
            view["kind"][seen] = row["kind"][seen]


def _leak_order(row: np.void, view: np.void, observer: int) -> None:
    """Show a seen hand in the order in which its cards were drawn, which reveals the newest card."""
    for side in range(2):
        hand = slice(side * g.SIDE_PLACES + g.LINE, (side + 1) * g.SIDE_PLACES)
        if observer != side and (view["marks"][hand] == g.SEEN).any():
            view["kind"][hand] = row["kind"][hand]


def _leak_draw(patcher: pytest.MonkeyPatch) -> None:
    true = view_module._event

    def event(entry: list[int], observer: int) -> Event | None:
        known = entry[0] == g.LOG_DREW and entry[2] == g.MINER
        return true(entry, entry[1] if known else observer)

    patcher.setattr(view_module, "_event", event)


def _leak_saw(patcher: pytest.MonkeyPatch) -> None:
    true = view_module._look

    def look(entry: list[int], observer: int) -> Event | None:
        return true(entry, 1 - entry[1] if entry[0] in (g.LOG_SAW, g.LOG_SAW_HAND) else observer)

    patcher.setattr(view_module, "_look", look)


def _attacks(state: State, player: int, action: int, kind: int) -> bool:
    target = (action - g.ACT_ATTACK) % g.LINE
    attack = g.ACT_ATTACK <= action < g.ACT_LOOK_HAND
    return attack and int(state["kind"][0][(1 - player) * g.SIDE_PLACES + target]) == kind


def _leak_legal(patcher: pytest.MonkeyPatch) -> None:
    """Patch the game: never offer an attack on a Bomb."""
    true = CardGame.legal_actions

    def legal(game: CardGame, state: State, player: int) -> Actions:
        return np.array([k for k in true(game, state, player) if not _attacks(state, player, int(k), g.BOMB)], np.int32)

    patcher.setattr(CardGame, "legal_actions", legal)


def _leak_refusal(patcher: pytest.MonkeyPatch) -> None:
    """Patch the game: let a refusal depend on a hidden card."""
    true = CardGame.explain

    def explain(game: CardGame, state: State, player: int, action: int) -> Refusal | None:
        found = true(game, state, player, action)
        known = found is not None and player in (0, 1) and _attacks(state, player, action, g.MINER)
        return Refusal("not-now", {"attacked": "so"}) if known else found

    patcher.setattr(CardGame, "explain", explain)


MUTANTS: dict[str, Mutant] = {
    "line": leaking_view(kernels, _leak_line),
    "hand": leaking_view(kernels, _leak_hand),
    "pile": leaking_view(kernels, _leak_pile),
    "laid": leaking_view(kernels, _leak_laid),
    "placed": leaking_view(kernels, _leak_placed),
    "number": leaking_view(kernels, _leak_by_number),
    "member": leaking_view(kernels, _leak_member),
    "group": leaking_view(kernels, _leak_group),
    "look": leaking_view(kernels, _leak_look),
    "order": leaking_view(kernels, _leak_order),
    "draw": _leak_draw,
    "saw": _leak_saw,
    "legal": _leak_legal,
    "refusal": _leak_refusal,
}
