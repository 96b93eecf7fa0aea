"""Tiny for the tests of secrecy: see `conformance.worlds.Family`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from conformance.cases import Step
from conformance.families.leaks import Mutant, leaking_view
from conformance.worlds import played as small
from conformance.worlds import the_same as likewise
from gonfalon.engine.events import WITHDRAW, Event
from gonfalon.engine.game import CHANCE, Game, State
from gonfalon.engine.screens.scene import Scene
from gonfalon.games.tiny import kernels, sight
from gonfalon.games.tiny import state as g

__all__ = ["MUTANTS", "Watcher", "agrees", "deals", "key", "likewise", "rebuild", "scramble", "shows", "small"]

SPACES = ("a1", "b1", "c1", "a2", "b2", "c2")
FACES = ("", "spy", "miner", "marshal")


class Watcher:
    """TN-2, TN-4: all know a piece that was in a battle and stayed. No other piece is known to all."""

    def __init__(self, _game: Game) -> None:
        self.seen: set[int] = set()
        self._public: set[str] = set()
        self._private: list[set[str]] = [set(), set()]

    def see(self, step: Step) -> None:
        before, after = (state["board"][0].tolist() for state in (step.before, step.after))
        self._public, self._private = set(), [set(), set()]
        if step.player == CHANCE:
            self._private[int(step.before["mover"][0])] = set(FACES[1:])
        elif step.action != WITHDRAW:
            own, other = divmod(step.action - g.ACT_ATTACK, g.COLUMNS)
            fighters = {step.player * g.COLUMNS + own, (1 - step.player) * g.COLUMNS + other}
            self._public = {FACES[before[place]] for place in fighters}
            self.seen = {place for place in self.seen | fighters if after[place]}

    def faces(self, state: State, observer: int) -> dict[str, str]:
        board = state["board"][0].tolist()
        known = {place for place in range(g.PLACES) if place in self.seen or place // g.COLUMNS == observer}
        return {SPACES[k]: FACES[rank] if k in known else "" for k, rank in enumerate(board) if rank}

    def mentions(self, state: State, observer: int) -> Counter[str]:
        return Counter(face for face in self.faces(state, observer).values() if face)

    def tellable(self, observer: int) -> set[str]:
        return self._public | (self._private[observer] if observer in (0, 1) else set())


def _hidden(state: State, watcher: Watcher, side: int) -> list[int]:
    places = range(side * g.COLUMNS, (side + 1) * g.COLUMNS)
    return [place for place in places if state["board"][0, place] and place not in watcher.seen]


def _worlds(state: State, watcher: Watcher, side: int) -> list[State]:
    """Return all possible placements of a side's unknown pieces, including pieces that have left."""
    places = _hidden(state, watcher, side)
    shown = [int(state["board"][0, place]) for place in watcher.seen if place // g.COLUMNS == side]
    # A piece that left was shown at that time, so only pieces that are still here can stand here.
    kinds = [int(state["board"][0, place]) for place in places]
    assert not set(kinds) & set(shown)
    worlds = []
    for order in permutations(kinds):
        world = state.copy()
        world["board"][0, places] = order
        world["log"], world["n_log"] = 0, 0
        worlds.append(world)
    return worlds


def scramble(game: Game, state: State, watcher: Watcher, observer: int, rng: np.random.Generator) -> State | None:
    world = state
    for side in range(2):
        if side != observer:
            worlds = _worlds(world, watcher, side)
            world = worlds[int(rng.integers(len(worlds)))]
    return world.copy()


def shows(game: Game, step: Step, world: State, after: State, observer: int) -> bool:
    if step.player == CHANCE or step.action == WITHDRAW:
        return False
    own, other = divmod(step.action - g.ACT_ATTACK, g.COLUMNS)
    fighters = [step.player * g.COLUMNS + own, (1 - step.player) * g.COLUMNS + other]
    return bool((step.before["board"][0, fighters] != world["board"][0, fighters]).any())


def key(state: State) -> bytes:
    return bytes(state["board"][0])


def deals(game: Game, state: State, watcher: Watcher, observer: int) -> list[bytes] | None:
    if state["phase"][0] == g.DEAL or observer not in (0, 1):
        return None
    worlds = _worlds(state, watcher, 1 - observer)
    return [key(world) for world in worlds] if len(worlds) > 1 else None


def rebuild(events: Iterable[Event]) -> dict[str, tuple[str, str]]:
    """Return side and face by space."""
    tokens: dict[str, tuple[str, str]] = {}
    for event in events:
        args: dict[str, Any] = event.args
        if event.code.startswith("dealt"):
            own = SPACES[: g.COLUMNS] if args["side"] == "red" else SPACES[g.COLUMNS :]
            faces = args.get("faces", [""] * g.COLUMNS)
            tokens |= {space: (args["side"], face) for space, face in zip(own, faces, strict=True)}
        elif event.code.startswith("battle-"):
            begin, end = (tokens.pop(args[name]) for name in ("from", "space"))
            if event.code == "battle-won":
                tokens[args["from"]] = (begin[0], args["attacker_face"])
            elif event.code == "battle-lost":
                tokens[args["space"]] = (end[0], args["defender_face"])
    return tokens


def agrees(game: Game, scene: Scene, rebuilt: dict[str, tuple[str, str]]) -> bool:
    return {token.place: (token.side, token.face) for token in scene.tokens} == rebuilt


def _leak_spy(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    view["board"][row["board"] == g.SPY] = g.SPY


def _leak_by_mark(row: np.void, view: np.void, observer: int) -> None:  # signature of `Leak`
    view["seen"][row["board"] == g.MARSHAL] = 1


def _leak_deal(patcher: pytest.MonkeyPatch) -> None:
    true = sight._event
    patcher.setattr(sight, "_event", lambda entry, observer: true(entry, entry[1] if entry[1] < 2 else observer))


MUTANTS: dict[str, Mutant] = {
    "spy": leaking_view(kernels, _leak_spy),
    "mark": leaking_view(kernels, _leak_by_mark),
    "deal": _leak_deal,
}
