"""The worlds of one decision, each with its context."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.kernels import Rows
from gonfalon.engine.game import State
from gonfalon.engine.search import Clock, Mind
from gonfalon.engine.view import View, zero_rows
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.adjustments import find_switches
from gonfalon.games.grid.play.evaluate.context import CONTEXT
from gonfalon.games.grid.play.search.alpha_beta import prepare_context
from gonfalon.games.grid.play.search.flag_guard import judge_secrecy
from gonfalon.games.grid.play.tunables import LEAST_WORLDS, PREPARED, WORLDS_A_SECOND


class Sample(NamedTuple):
    """Worlds that the player considers possible."""

    pool: State
    """Many worlds as they were drawn: they give the probabilities."""
    possible: State
    """The different ones."""
    shares: NDArray[np.float64]
    """Number of times that each of these was drawn."""
    contexts: Rows
    """Contexts of the first of these worlds, which are searched."""

    @property
    def weights(self) -> NDArray[np.float64]:
        """Weight of each searched world."""
        return self.shares[: len(self.contexts)]

    @property
    def scales(self) -> NDArray[np.float64]:
        """Points that make a match nearly decided, in each searched world."""
        return np.asarray(self.contexts["scale"])

    def find_risk(self, kind: int) -> float:
        """Return the cost of losing an own piece of that type, as a share of a decided match."""
        context = self.contexts[0]
        return float(context["worth"][int(context["player"]) * 16 + kind] / context["scale"])


def prepare_sample(
    view: View, rules: Rows, learned: NDArray[np.float64], pool: State, mind: Mind, clock: Clock, *, daring: bool
) -> Sample:
    """Return the worlds of a pool with the contexts that the time allows.

    `learned`: see `read_learned`. `daring`: see `is_daring`.
    """
    possible, shares = find_distinct(pool)
    most = max(LEAST_WORLDS, int(clock.seconds * WORLDS_A_SECOND))
    contexts = zero_rows(CONTEXT, min(len(possible), mind.worlds, most))
    contexts["player"] = view.observer
    contexts["world"] = np.arange(len(contexts))
    contexts["flag_share"] = _find_flags(pool, view.observer)
    contexts["held"] = _find_held(pool, view.observer)
    contexts["learned"] = learned
    contexts["off"] = find_switches(mind)
    contexts["daring"] = daring
    contexts["bluff"] = float(mind.bluffs)
    judge_secrecy(view, rules, contexts)
    count = prepare_contexts(possible, rules, contexts, clock)
    return Sample(pool, possible, shares, contexts[:count])


def prepare_contexts(worlds: State, rules: Rows, contexts: Rows, clock: Clock) -> int:
    """Fill the contexts of the first worlds, as far as the time allows. Return their number."""
    for k in range(len(contexts)):
        if k >= LEAST_WORLDS and clock.spent > PREPARED:
            return k
        prepare_context(worlds[k : k + 1], rules, contexts[k : k + 1])
    return len(contexts)


def find_distinct(pool: State) -> tuple[State, NDArray[np.float64]]:
    """Return the different worlds of a pool, in their order, and the number of times that each occurs. Late in a match
    few are left, which leaves time for a deeper search.
    """
    alike: dict[bytes, list[int]] = {}
    for k, board in enumerate(pool["board"]):
        alike.setdefault(board.tobytes(), []).append(k)
    return pool[[same[0] for same in alike.values()]], np.array([len(same) for same in alike.values()], np.float64)


def _find_flags(pool: State, player: int) -> NDArray[np.float64]:
    """Return the share of worlds in which the enemy's Flag stands on each square."""
    shares: NDArray[np.float64] = (pool["board"] == g.FLAG + (g.RED << (1 - player))).mean(axis=0)
    return shares


def _find_held(pool: State, player: int) -> NDArray[np.float64]:
    """Return the likelihood of each type for each hidden enemy piece, by piece number and type, shape (PIECES *
    TYPES,).
    """
    one, held = pool[0], np.zeros((g.PIECES, g.TYPES))
    hidden = (one["board"] & (g.RED << (1 - player)) != 0) & (one["marks"] & g.SEEN == 0)
    for square in np.flatnonzero(hidden).tolist():
        types = pool["board"][:, square] & g.TYPE
        held[int(one["number"][square])] = np.bincount(types, minlength=g.TYPES) / len(pool)
    return held.reshape(-1)
